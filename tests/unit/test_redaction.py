from __future__ import annotations

import dataclasses
import json
import logging
import re
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage

from metaagent.errors import ConfigInvalid
from metaagent.protection.redaction import (
    TYPES,
    JsonLines,
    Mode,
    Pseudonyms,
    Redactor,
    conditions,
    detect,
    find,
    redact_exception,
)
from metaagent.protection.redaction._normalised import plain
from tests.attacks.generators import BAD_PIECES, disguised, personal_items
from tests.support.paths import ROOT
from tests.support.personal_data import Case, cases, personal
from tests.support.redaction_cases import FOUND, STAY

KEY = b"k" * 32
PHONE = "010-1234-5678"


def covers(text: str, value: str) -> bool:
    start = text.index(value)
    return any(found.start <= start and start + len(value) <= found.end for found in find(text))


def unmarked(text: str) -> tuple[str, list[tuple[int, int]]]:
    spans: list[tuple[int, int]] = []
    plain, start = "", 0
    for part in re.split("([«»])", text):
        if part == "«":
            start = len(plain)
        elif part == "»":
            spans.append((start, len(plain)))
        else:
            plain += part
    return plain, spans


def assert_98_percent(cases: Sequence[Case]) -> None:
    hits = sum(covers(case.text, case.value) for case in cases if case.value)
    alarms = sum(bool(find(case.text)) for case in cases if not case.value)
    assert hits / sum(bool(case.value) for case in cases) >= 0.98
    assert hits / (hits + alarms) >= 0.98


def test_own_cases_reach_98_percent_recall_and_precision():
    assert len(cases()) == 2 * len(personal()) == 120
    assert_98_percent(cases())


@pytest.mark.public_data("pii_cases.jsonl")
def test_public_cases_reach_98_percent_recall_and_precision(public: Path):
    lines = [json.loads(line) for line in public.read_text("utf-8").splitlines()]
    assert_98_percent([Case(one["type"], one["text"], one["value"] if one["label"] else "") for one in lines])


@pytest.mark.parametrize(("kind", "marked"), FOUND)
def test_personal_data_is_found_with_exact_bounds(kind: str, marked: str):
    text, spans = unmarked(marked)
    assert [(found.type, found.start, found.end) for found in find(text)] == [(kind, *span) for span in spans]


@pytest.mark.parametrize("text", STAY)
def test_a_look_alike_stays(text: str):
    assert find(text) == []


@pytest.mark.parametrize(
    "particle",
    [
        "은",
        "는",
        "이",
        "가",
        "을",
        "를",
        "에게",
        "으로",
        "로",
        "입니다",
        "예요",
        "이고,",
        "와",
        "의",
        "까지",
        "한테서",
    ],
)
@pytest.mark.parametrize(
    "value",
    [
        "840712-1123451",
        "120-81-23456",
        PHONE,
        "01012345678",
        "4512-3456-7890-1234",
        "kim99@naver.com",
        "10.24.3.7",
        "2001:db8::1",
    ],
)
def test_a_korean_particle_right_after_hides_nothing(value: str, particle: str):
    assert [found.value for found in find(f"담당 {value}{particle} 확인")] == [value]


def test_findings_are_in_order_and_do_not_overlap():
    text = f"{PHONE} kim@naver.com 국민은행 123456-04-567890 840712-1123451 password={PHONE}"
    findings = find(text)
    assert [found.type for found in findings] == ["PHONE", "EMAIL", "ACCOUNT", "RRN", "SECRET"]
    assert all(left.end <= right.start for left, right in pairwise(findings))
    assert all(text[found.start : found.end] == found.value for found in findings)


def test_overlapping_findings_are_masked_whole():
    assert Redactor().redact_text(f"password=Kim{PHONE}!x9 끝") == "password=[SECRET] 끝"


@given(st.text(alphabet=st.sampled_from("01289-. +()@:=/abkm:\n가로동구길계좌은행４－\u200b[]\"'")))
def test_any_text_can_be_searched(text: str):
    findings = find(text)
    assert all(text[found.start : found.end] == found.value and found.type in TYPES for found in findings)
    assert all(left.end <= right.start for left, right in pairwise(findings))


PIECES = [
    "1 ", "::", ":1", "=", "password=", "로 1",
    "강남구 테헤란로 1 ", "1 Main ", "-ro", "eyJ.", "sk-", "-----BEGIN ", "여권", "010-",
    "-----BEGIN PRIVATE KEY-----",
    "+82", "://a:", "GB82 WEST ", "1.1.1.1.", "\u200b1", "１", "(at)", "(", "a.", 'password: "',
    "101동 1호", "x@a.", "아파트", "010-1234-5678 ", "4111 ", "a:", "비밀번호 ", "address 1 ",
    "010\n", "+82\n", "공일", "일", "공일공 ", "제품은 영업",
]  # fmt: skip


# Quadratic work on any of these would take minutes to hours, not seconds.
@pytest.mark.thorough
@pytest.mark.parametrize("piece", ["1", "@", "a@", "1-", "1."])
def test_a_megabyte_takes_linear_time(piece: str):
    assert find(piece * (1_000_000 // len(piece))) == []


@pytest.mark.thorough
@pytest.mark.parametrize("piece", PIECES)
def test_repeated_beginnings_take_linear_time(piece: str):
    text = piece * (150_000 // len(piece))
    assert all(found.value == text[found.start : found.end] for found in find(text))


def test_redacted_text_is_not_found_again():
    for mode in Mode:
        redactor = Redactor(mode=mode, key=KEY, pseudonyms=Pseudonyms())
        for _, marked in FOUND:
            once = redactor.redact_text(unmarked(marked)[0])
            assert redactor.redact_text(once) == once


def test_modes_mask_hash_and_drop():
    text = f"전화 {PHONE}로"
    assert Redactor().redact_text(text) == "전화 [PHONE]로"
    assert Redactor(mode="drop").redact_text(text) == "전화 로"
    hashed = Redactor(mode=Mode.HASH, key=KEY).redact_text(text)
    assert re.fullmatch(r"전화 \[PHONE#[a-p]{12}\]로", hashed)
    assert hashed == Redactor(mode="hash", key=KEY).redact_text(text)
    assert hashed != Redactor(mode="hash", key=b"x" * 32).redact_text(text)


def test_each_type_may_have_its_own_mode():
    redactor = Redactor(modes={"PHONE": "drop"})
    assert redactor.redact_text(f"{PHONE} kim@naver.com") == " [EMAIL]"


def test_a_wrong_configuration_is_refused_with_a_reason():
    with pytest.raises(ConfigInvalid, match="needs a key"):
        Redactor(mode="hash")
    with pytest.raises(ConfigInvalid, match="'blur'"):
        Redactor(mode="blur")
    with pytest.raises(ConfigInvalid, match="'FAX'"):
        Redactor(modes={"FAX": "mask"})


def test_pseudonyms_are_stable_in_a_session_and_reversible():
    names = Pseudonyms()
    redactor = Redactor(mode="pseudonym", pseudonyms=names)
    first = redactor.redact_text(f"{PHONE}과 010-9999-8888에 연락")
    assert first == "[PHONE_1]과 [PHONE_2]에 연락"
    assert redactor.redact_text("01012345678") == "[PHONE_1]"
    assert (
        names.restore("[PHONE_2]에 전화했고 PHONE_1은 부재중, [phone_1]도")
        == f"010-9999-8888에 전화했고 {PHONE}은 부재중, {PHONE}도"
    )
    assert names.restore("[PHONE_3] [PHONE_12] XPHONE_1") == "[PHONE_3] [PHONE_12] XPHONE_1"


def test_pseudonyms_continue_from_stored_values():
    names = Pseudonyms()
    names.token("PHONE", PHONE)
    again = Pseudonyms(names.values())
    assert again.token("PHONE", PHONE) == "[PHONE_1]"
    assert again.token("PHONE", "010-9999-8888") == "[PHONE_2]"
    assert PHONE not in repr(again)


def test_without_a_session_pseudonym_mode_masks():
    assert Redactor(mode="pseudonym").redact_text(PHONE) == "[PHONE]"


@pytest.mark.parametrize(
    "name",
    [
        "user_id",
        "userId",
        "USER_ID",
        "user-ids",
        "owner_user_id",
        "api_keys",
        "apiKey",
        "OPENAI_API_KEY",
        "apikey",
        "passwords",
        "password",
        "db_password",
        "passwordHash",
        "userPassword",
        "mypassword",
        "personal_info",
        "personalInfo",
        "financial_data",
        "financialData",
        "token",
        "access_token",
        "clientSecret",
        "Authorization",
        "X-Api-Key",
        "비밀번호",
        "Set-Cookie",
    ],
)
def test_a_sensitive_field_is_known_in_every_spelling(name: str):
    assert Redactor().sanitize({"a": [{name: {"x": ["값"]}}]}) == {"a": [{name: "[REDACTED]"}]}


@pytest.mark.parametrize(
    "name",
    [
        "user",
        "id",
        "session_id",
        "max_tokens",
        "token_count",
        "tokens",
        "key",
        "api",
        "personal",
        "data",
        "passed",
        "user_name",
    ],
)
def test_an_ordinary_field_stays(name: str):
    assert Redactor().sanitize({name: "값"}) == {name: "값"}


def test_more_fields_can_be_configured():
    redactor = Redactor(fields=("salary_band", "진료기록"))
    assert redactor.sanitize({"salaryBand": 3, "진료기록": "x"}) == {
        "salaryBand": "[REDACTED]",
        "진료기록": "[REDACTED]",
    }


def test_empty_sensitive_fields_stay_and_dropped_ones_go():
    assert Redactor().sanitize({"password": None, "api_keys": {}}) == {"password": None, "api_keys": {}}
    assert Redactor(modes={"FIELD": "drop"}).sanitize({"password": "x", "a": 1}) == {"a": 1}


def test_a_field_name_is_context_for_its_value():
    clean = Redactor().sanitize(
        {
            "phone": "0212345678",
            "order_no": "4512345678901234",
            "card": 4512345678901234,
            "amount": 4512345678901234,
        }
    )
    assert clean == {
        "phone": "[PHONE]",
        "order_no": "4512345678901234",
        "card": "[CARD]",
        "amount": 4512345678901234,
    }


class Point(NamedTuple):
    x: str
    y: int


@dataclasses.dataclass
class Person:
    name: str
    password: str


class Odd:
    def __repr__(self) -> str:
        raise RuntimeError


class Shown:
    def __repr__(self) -> str:
        return f"Shown(phone={PHONE!r})"


def test_values_of_any_shape_are_cleaned_and_none_is_changed():
    value = {
        "t": (PHONE, 1),
        "n": Point(PHONE, 2),
        "s": {PHONE},
        "d": Person("김", "x"),
        "b": PHONE.encode(),
        "o": Shown(),
        "u": Odd(),
        PHONE: 1.5,
    }
    before = repr({key: item for key, item in value.items() if key != "u"})
    clean = Redactor().sanitize(value)
    assert before == repr({key: item for key, item in value.items() if key != "u"})
    assert clean == {
        "t": ("[PHONE]", 1),
        "n": Point("[PHONE]", 2),
        "s": {"[PHONE]"},
        "d": {"name": "김", "password": "[REDACTED]"},
        "b": "[BYTES 13]",
        "o": "Shown(phone='[PHONE]')",
        "u": "[UNREADABLE Odd: RuntimeError]",
        "[PHONE]": 1.5,
    }


def test_keys_that_become_equal_keep_both_values():
    assert Redactor().sanitize({PHONE: 1, "010-9999-8888": 2}) == {"[PHONE]": 1, "[PHONE]#2": 2}


def test_messages_keep_their_class_and_lose_their_personal_data():
    asked = HumanMessage(content=f"제 번호는 {PHONE}입니다", id="m1")
    call = {"name": "send", "args": {"to": "kim@naver.com", "password": "x"}, "id": "1", "type": "tool_call"}
    answered = AIMessage(content=[{"type": "text", "text": PHONE}], tool_calls=[call])
    clean = Redactor().sanitize([asked, answered])
    assert clean[0] == HumanMessage(content="제 번호는 [PHONE]입니다", id="m1")
    assert isinstance(clean[1], AIMessage)
    assert clean[1].content == [{"type": "text", "text": "[PHONE]"}]
    assert clean[1].tool_calls[0]["args"] == {"to": "[EMAIL]", "password": "[REDACTED]"}
    assert asked.content == f"제 번호는 {PHONE}입니다"


def test_cycles_depth_and_size_are_bounded():
    ring: dict[str, Any] = {"p": PHONE}
    ring["self"] = ring
    assert Redactor().sanitize(ring) == {"p": "[PHONE]", "self": "[CYCLE]"}
    deep: list[Any] = [PHONE]
    for _ in range(10_000):
        deep = [deep]
    assert "TOO DEEP" in repr(Redactor().sanitize(deep))
    assert len(Redactor(max_items=10).sanitize(list(range(1000)))) <= 11
    assert Redactor(max_text=10).redact_text("가" * 50) == "가" * 10 + "[… 40 more]"
    twice = [shared := {"p": PHONE}, shared]
    assert Redactor().sanitize(twice) == [{"p": "[PHONE]"}, {"p": "[PHONE]"}]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_any_plain_value_can_be_sanitized(value: Any):
    before = repr(value)
    Redactor().sanitize(value)
    assert repr(value) == before


def failed() -> BaseException:
    try:
        try:
            raise ValueError(f"no customer {PHONE}")
        except ValueError as exc:
            exc.add_note("password=hunter2!")
            raise RuntimeError("kim@naver.com was refused") from exc
    except RuntimeError as exc:
        return exc


def test_tracebacks_are_redacted_with_causes_and_notes():
    text = redact_exception(failed())
    assert "RuntimeError: [EMAIL] was refused" in text
    assert "no customer [PHONE]" in text
    assert not any(secret in text for secret in (PHONE, "hunter2", "kim@naver.com"))


def formatted(msg: str, *args: object, exc: BaseException | None = None, **extra: object) -> str:
    info = (type(exc), exc, exc.__traceback__) if exc else None
    record = logging.LogRecord("app", logging.INFO, __file__, 1, msg, args, info)
    record.__dict__.update(extra)
    return JsonLines().format(record)


def test_a_log_record_is_one_redacted_json_line():
    line = formatted(
        "연락처 %s\n%s", PHONE, '{"level":"fake"}\r\n', exc=failed(), user_id="u-1", note=["kim@naver.com"]
    )
    entry = json.loads(line)
    assert len(line.splitlines()) == 1
    assert entry["message"].startswith("연락처 [PHONE]\n")
    assert entry["extra"] == {"user_id": "[REDACTED]", "note": ["[EMAIL]"]}
    assert "[EMAIL] was refused" in entry["exception"]
    assert not any(secret in line for secret in (PHONE, "hunter2", "kim@naver.com", "u-1"))


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_no_text_can_forge_a_log_line(text: str):
    line = formatted("%s", text, extra_field=text)
    assert len(line.splitlines()) == 1
    assert not re.search("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", line)
    line.encode("utf-8")
    json.loads(line)


def test_a_record_that_cannot_be_formatted_is_still_written():
    assert json.loads(formatted("%d items", "x"))["message"] == "%d items [not formatted: TypeError]"


def test_importing_redaction_loads_nothing_heavy():
    heavy = {"langchain_core", "pydantic", "orjson", "yaml"}
    code = f"import sys, metaagent.protection.redaction, metaagent.protection.escaping; print({heavy!r} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True, timeout=60
    )
    assert done.stdout.strip() == "set()"


@given(code=st.from_regex(detect.CODE.pattern, fullmatch=True))
def test_names_and_digests_hold_nothing_personal(code: str):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(detect, "CODE", re.compile(r"(?!)"))
        assert detect.find(code) == []


SAMPLES = [
    *(case.text for case in cases()),
    *(text for _, text in FOUND),
    *STAY,
    *(text for seed in range(3) for _, text, _ in (*personal_items(seed, 1), *disguised(seed))),
    *BAD_PIECES,
]
JOINTS = ["", " ", "\n", "\r\n", "\t", ": ", "(", "-", "\ud800", "é", "·", "\u3164", "김", "0"]


@given(pieces=st.lists(st.tuples(st.sampled_from(SAMPLES), st.sampled_from(JOINTS)), min_size=1, max_size=5))
def test_no_detector_finds_what_its_condition_would_skip(pieces: list[tuple[str, str]]):
    text = plain("".join(piece + joint for piece, joint in pieces)).text
    needed = conditions.needs(text)
    for place, detector in enumerate(conditions.DETECTORS):
        assert place in needed or not list(detector.hits(text)), detector.needs


@given(pieces=st.lists(st.tuples(st.sampled_from(SAMPLES), st.sampled_from(JOINTS)), min_size=1, max_size=5))
def test_a_text_whose_spelling_is_undone_is_noticed(pieces: list[tuple[str, str]]):
    text = "".join(piece + joint for piece, joint in pieces)
    undone = {conditions.SPELLING, conditions.SPREAD}
    assert plain(text).text == text or not undone.isdisjoint(conditions.needs(text))


def test_a_reading_that_fails_runs_every_detector(monkeypatch: pytest.MonkeyPatch):
    def nothing(_text: bytes) -> None:
        return None

    monkeypatch.setattr(conditions, "_conditions", lambda: nothing)
    assert [found.type for found in find(f"전화 {PHONE}")] == ["PHONE"]
    assert len(conditions.needs("")) == len(conditions.DETECTORS) + 3
