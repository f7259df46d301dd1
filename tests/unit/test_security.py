from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage

from metaagent.errors import InputRefused, KeyUnavailable, RowRefused
from metaagent.protection.sealing import is_sealed_text
from metaagent.security import StateSecurityManager
from tests.support.audit_world import make_ring, unhurried

if TYPE_CHECKING:
    from pathlib import Path

FIELDS = ["user_id", "api_keys", "passwords", "personal_info", "financial_data"]
WHERE: dict[str, str] = {"tenant": "acme", "session": "s1"}


@pytest.fixture(scope="module")
def manager(tmp_path_factory: pytest.TempPathFactory) -> StateSecurityManager:
    ring = make_ring(tmp_path_factory.mktemp("ring"))
    return StateSecurityManager(keys=ring)


def state() -> dict[str, Any]:
    return {
        "user_id": "kim",
        "query": "call 010-1234-5678",
        "agents": {
            "a": {"personal_info": {"name": "김철수", "age": 40}, "steps": [{"password": None, "ok": True}]}
        },
    }


@pytest.mark.parametrize(
    "name",
    [
        "user_id",
        "userId",
        "USER-ID",
        "user ids",
        "openai_api_key",
        "apiKey",
        "Password",
        "db.password",
        "passwd",
        "ssn",
        "access_token",
        "client_secret",
    ],
)
def test_a_sensitive_name_is_known_in_any_spelling(manager: StateSecurityManager, name: str):
    assert manager.is_sensitive(name)


@pytest.mark.parametrize("name", ["user", "id", "key", "keys_pressed", "session_id", "pass", 3, None])
def test_an_ordinary_name_is_not_sensitive(manager: StateSecurityManager, name: object):
    assert not manager.is_sensitive(name)


def test_logging_hides_by_name_and_by_content_at_any_depth(manager: StateSecurityManager):
    given_state = state()
    shown = manager.sanitize_state_for_logging(given_state)
    assert shown["user_id"] == shown["agents"]["a"]["personal_info"] == "[REDACTED]"
    assert shown["agents"]["a"]["steps"] == [{"password": None, "ok": True}]
    assert shown["query"] == "call [PHONE]"
    assert given_state == state()


def test_logging_never_raises(manager: StateSecurityManager):
    loop: list[Any] = []
    loop.append(loop)
    odd = {
        "loop": loop,
        "message": HumanMessage("010-1234-5678"),
        "object": object(),
        "set": {1},
        3: b"bytes",
    }
    shown = manager.sanitize_state_for_logging(odd)
    assert shown["message"].content == "[PHONE]"
    assert shown["loop"] == ["[CYCLE]"]
    assert shown[3] == "[BYTES 5]"


def test_only_sensitive_fields_are_sealed_and_all_come_back(manager: StateSecurityManager):
    sealed = manager.encrypt_sensitive_fields(state(), **WHERE)
    inner = sealed["agents"]["a"]
    assert is_sealed_text(sealed["user_id"])
    assert is_sealed_text(inner["personal_info"])
    assert is_sealed_text(inner["steps"][0]["password"])
    assert is_sealed_text(sealed["query"])
    assert inner["steps"][0]["ok"] is True
    assert "김철수" not in str(sealed)
    assert manager.decrypt_sensitive_fields(sealed, **WHERE) == state()


def test_sealing_twice_is_sealing_once(manager: StateSecurityManager):
    sealed = manager.encrypt_sensitive_fields(state(), **WHERE)
    assert manager.encrypt_sensitive_fields(sealed, **WHERE) == sealed


def test_a_value_that_only_looks_sealed_is_sealed(manager: StateSecurityManager):
    tricky = {"user_id": "ma1.a256gcm.k1-0000000000000000.AAAA.AAAA"}
    sealed = manager.encrypt_sensitive_fields(tricky, **WHERE)
    assert sealed != tricky
    assert manager.decrypt_sensitive_fields(sealed, **WHERE) == tricky


def test_a_sensitive_field_in_clear_or_moved_is_refused(manager: StateSecurityManager):
    sealed = manager.encrypt_sensitive_fields(state(), **WHERE)
    with pytest.raises(RowRefused, match="acme/s1/user_id"):
        manager.decrypt_sensitive_fields(sealed | {"user_id": "kim"}, **WHERE)
    with pytest.raises(RowRefused):
        manager.decrypt_sensitive_fields(sealed | {"user_id": None}, **WHERE)
    with pytest.raises(RowRefused):
        manager.decrypt_sensitive_fields(sealed | {"query": state()["query"]}, **WHERE)
    moved = deepcopy(sealed)
    moved["user_id"] = sealed["agents"]["a"]["personal_info"]
    with pytest.raises(RowRefused):
        manager.decrypt_sensitive_fields(moved, **WHERE)
    with pytest.raises(RowRefused):
        manager.decrypt_sensitive_fields(sealed, tenant="acme", session="s2")


def test_value_that_is_not_plain_data_is_refused_with_its_place(manager: StateSecurityManager):
    for bad in (object(), {1: "x"}, [b"x"]):
        with pytest.raises(InputRefused, match="a/user_id"):
            manager.encrypt_sensitive_fields({"a": {"user_id": bad}}, **WHERE)
    deep: Any = "x"
    for _ in range(70):
        deep = {"a": deep}
    with pytest.raises(InputRefused, match="deeper"):
        manager.encrypt_sensitive_fields(deep, **WHERE)
    with pytest.raises(InputRefused, match="deeper"):
        manager.encrypt_sensitive_fields({"user_id": deep}, **WHERE)


def test_without_keys_nothing_is_pretended():
    with pytest.raises(KeyUnavailable):
        StateSecurityManager().encrypt_sensitive_fields({}, **WHERE)


def test_a_persons_sealed_fields_die_with_the_person(tmp_path: Path):
    ring = make_ring(tmp_path)
    manager = StateSecurityManager(keys=ring)
    sealed = manager.encrypt_sensitive_fields(state(), **WHERE, person="kim")
    ring.destroy_person("acme", "kim")
    with pytest.raises(KeyUnavailable):
        manager.decrypt_sensitive_fields(sealed, **WHERE)


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*FIELDS, "a", "b"]), inner, max_size=3)
    ),
    max_leaves=10,
)


@unhurried
@given(value=st.dictionaries(st.sampled_from([*FIELDS, "x"]), plain))
def test_any_state_survives_sealing(manager: StateSecurityManager, value: dict[str, Any]):
    sealed = manager.encrypt_sensitive_fields(value, **WHERE)
    assert manager.decrypt_sensitive_fields(sealed, **WHERE) == value
