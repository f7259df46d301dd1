"""Every public call, by everybody, with ids of others and ids that do not exist. Made from the code: a new call whose
arguments are not known here fails the probe instead of being forgotten."""

from __future__ import annotations

import inspect
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from metaagent.errors import MetaAgentError
from metaagent.governance.governance import CALLS as GOVERNANCE
from metaagent.ports import User
from metaagent.runtime import CALLS
from metaagent.sessions.accounts import CALLS as ACCOUNTS
from metaagent.sessions.documents import CALLS as DOCUMENTS

_IDS = re.compile(r"\b[adrst][0-9a-f]{12,31}\b")


OF_DOORS = frozenset(("check_password", "log_in", "logged_in", "log_out", "by_key", "mark", "refused"))
"""What doors do before anybody is known: no person makes these calls."""


@dataclass(frozen=True)
class Ids:
    session: str
    turn: str
    artifact: str
    document: str = "d" + "f" * 24
    receipt: str = "r" + "f" * 24


NOBODYS = Ids("s" + "f" * 16, "t" + "f" * 16, "a" + "f" * 31)


def arguments(name: str, call: Any, ids: Ids) -> dict[str, Any]:
    """What each parameter is given; ValueError for one that nobody has thought of."""
    known: dict[str, Any] = {
        "session_id": ids.session,
        "turn_id": ids.turn,
        "artifact_id": ids.artifact,
        "document_id": ids.document,
        "receipt": ids.receipt,
        "version": 1,
        "before": 1,
        "after": 1,
        "paths": [],
        "title": "hi",
        "target": None,
        "text": "note hi",
        "answer": "approve",
        "about": "x",
        "form": "json",
        "content": b"x",
        "name": "n",
        "archive": b"x",
        "seq": 1,
        "person": "kim",
        "hold": "h-probe",
        "reason": "x",
        "rule": "r-probe",
        "scope": "*",
        "until": "2099-01-01",
        "waiver": "w-probe",
        "step_id": "s1",
        "first": date(2026, 1, 1),
        "last": date(2026, 1, 31),
    }
    given: dict[str, Any] = {}
    for parameter in inspect.signature(call).parameters.values():
        if parameter.name == "user":
            continue
        if parameter.name == "file":
            given["file"] = io.BytesIO()
        elif parameter.name == "session_id" or parameter.default is inspect.Parameter.empty:
            if parameter.name not in known:
                raise ValueError(
                    f"{name}({parameter.name}): say in tests/attacks/probe.py what the probe gives it"
                )
            given[parameter.name] = known[parameter.name]
    if name in {"restore", "fork"} and "session_id" in given:
        given["turn"] = 1
    return given


async def outcome(call: Any, given: dict[str, Any], user: User) -> tuple[str, str]:
    """("OK", what came) or (the kind of refusal, its words without ids)."""
    try:
        made = call(**given, user=user)
        if inspect.isasyncgen(made):
            return "OK", str([each async for each in made])
        return "OK", str(await made)
    except MetaAgentError as error:
        return type(error).__name__, _IDS.sub("ID", str(error))


def calls_on_ids(app: Any) -> Iterator[tuple[str, Any]]:
    """Public calls that name something of somebody."""
    for name in CALLS:
        call = getattr(app, name)
        named = {"session_id", "turn_id", "document_id", "receipt"} & set(inspect.signature(call).parameters)
        if named:
            yield name, call


def calls_on_documents(app: Any) -> Iterator[tuple[str, Any]]:
    """Calls on a document on record."""
    for name in DOCUMENTS:
        call = getattr(app.documents, name)
        if "document_id" in inspect.signature(call).parameters:
            yield name, call


def calls_of_officers(app: Any) -> Iterator[tuple[str, Any]]:
    for name in GOVERNANCE:
        yield name, getattr(app.governance, name)


def calls_without_a_right(app: Any) -> list[str]:
    """Public methods that no table of rights names."""
    own = {name for name, _ in inspect.getmembers(type(app), inspect.isfunction) if not name.startswith("_")}
    office = {
        name
        for name, _ in inspect.getmembers(type(app.governance), inspect.isfunction)
        if not name.startswith("_")
    }
    papers = {
        name
        for name, _ in inspect.getmembers(type(app.documents), inspect.isfunction)
        if not name.startswith("_")
    }
    desk = {
        name
        for name, _ in inspect.getmembers(type(app.accounts), inspect.isfunction)
        if not name.startswith("_")
    }
    return sorted(
        (desk - ACCOUNTS.keys() - OF_DOORS)
        | (
            own - CALLS.keys() - {"acting_for", "acting_as_owner", "rule_titles"}
        )  # titles of rules are nobody's data
        | (office - GOVERNANCE.keys())
        | (papers - DOCUMENTS.keys())
    )
