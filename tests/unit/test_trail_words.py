"""Names that the audit trail and refusals hold, in words: none is left out, and none is said that nothing records."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from metaagent.access.rights import OPERATIONS, denied
from metaagent.audit.event_words import EVENTS, event_said
from metaagent.audit.report import account, shortened
from metaagent.audit.right_words import RIGHTS
from metaagent.errors import Text
from tests.support.paths import ROOT

PACKAGE = ROOT / "metaagent"
WORDS = PACKAGE / "audit" / "event_words.py"
PROTOCOLS = PACKAGE / "web" / "protocols"
"""Names of events there are those of other people's protocols."""
NO_EVENTS = {"ctx.shared", "verdict.checked", "verdict.violated"}
"""What agents are given, and fields of templates."""
EVENT = re.compile(
    r"[a-z_]+\.([a-z_]*(ed|begun|ended|erased_again|withdrawn|overridden|undone)|ran|made|done|rebuilt|read)"
)


def literals() -> Iterator[str]:
    """Texts of the package, those that a choice within a formatted text makes too."""
    for path in PACKAGE.rglob("*.py"):
        if path == WORDS or PROTOCOLS in path.parents:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
            elif isinstance(node, ast.JoinedStr) and isinstance(first := node.values[0], ast.Constant):
                choices = (each for each in ast.walk(node) if isinstance(each, ast.IfExp))
                chosen = (each for choice in choices for each in (choice.body, choice.orelse))
                yield from (f"{first.value}{each.value}" for each in chosen if isinstance(each, ast.Constant))


def test_events_that_are_recorded_are_those_that_have_words():
    every = {*literals()}
    named = {each for each in every if EVENT.fullmatch(each)} - {*OPERATIONS} - NO_EVENTS
    assert "gate.overridden" in named, "a choice within a formatted text is seen"
    assert sorted(named - EVENTS.keys()) == []
    assert sorted(EVENTS.keys() - every) == []


def test_every_right_has_words():
    assert sorted({*OPERATIONS} ^ {*RIGHTS} - {"artifact", "port"}) == []


def test_words_are_there_in_both_languages():
    for name, text in (*EVENTS.items(), *RIGHTS.items()):
        assert re.search("[가-힣]", text.ko), name
        assert not re.search("[가-힣]", text.en), name
        assert name not in (text.en, text.ko), name


def test_refusal_names_the_right_in_words_of_the_reader():
    error = denied("audit.read", ("employee",))
    assert "read the audit trail (audit.read)" in error.say("en")
    assert "감사 기록 열람(audit.read)" in error.say("ko")
    assert "artifact:document" in denied("artifact:document", ()).say("ko")


def test_account_says_events_and_rights_in_words():
    common = {"ts": "2026-01-01T00:00:00.000Z", "session": None, "turn": None, "actor": "u-1", "agent": None}
    refused = {"operation": "audit.read", "what": "", "reason": "not_granted", "roles": []}
    entries = [
        {**common, "seq": 1, "event": "session.shared", "outcome": "done", "data": {}},
        {**common, "seq": 2, "event": "access.refused", "outcome": "refused", "data": refused},
    ]
    shared, denial = account(entries, "ko")
    assert "대화 공유: done" in shared
    assert "감사 기록 열람(audit.read)" in denial


def test_event_of_a_later_version_is_shown_as_it_is():
    assert event_said("future.told", "ko") == "future.told"


def test_account_has_a_line_for_each_thing_and_short_hashes():
    ran: dict[str, Any] = {
        "seq": 9,
        "ts": "2026-11-17T23:24:21.000Z",
        "event": "agent.ran",
        "session": "s1",
        "turn": "t1",
        "actor": "u-1",
        "agent": "storage_decision",
        "outcome": "completed",
        "data": {
            "step": "s4",
            "attempts": 1,
            "inputs": {"a1": "b" * 64},
            "made": {"a2": "c" * 64, "a3": "d" * 64},
        },
    }
    words = {"storage_decision": Text(en="Store it", ko="저장")}
    whole = account([ran], "ko", words)
    assert f"      - 산출물 a3 {'d' * 64}" in whole[-1].splitlines()
    assert shortened(whole)[-1].splitlines() == [
        "  #9 23:24:21 s4 단계: 저장 (storage_decision) 완료 (시도 1회)",
        "      - 입력 a1 bbbbbbbbbbbb…",
        "      - 산출물 a2 cccccccccccc…",
        "      - 산출물 a3 dddddddddddd…",
    ]
