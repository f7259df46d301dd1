"""Scores judgements: how much that is wrong is stopped and how much that is right let through, beside a check for words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from metaagent.level2.compliance.examples import subject_of
from metaagent.level2.compliance.judging import judge
from metaagent.level2.compliance.model import Example
from metaagent.level2.compliance.packs import RuleBook
from metaagent.level2.compliance.verdict import outcome_of, verdict_of

Json = dict[str, Any]
_MUST: Mapping[str, tuple[str, ...]] = {
    "clear": ("passed",),
    "blocks": ("needs_information", "violated"),
    "asked": ("needs_information",),
    "violated": ("violated",),
}
"""The outcomes that a case allows: `blocks` leaves open whether a fact is missing or a rule is broken."""
_KEYWORDS = re.compile(r"위반|리베이트|상품권|현금|violat|rebate|kickback|gift card", re.IGNORECASE)
_FINE = re.compile(r"준수|적법|compl(?:y|ied|iant)", re.IGNORECASE)


@dataclass(frozen=True)
class Case:
    number: int
    must: str
    rules: tuple[str, ...]
    example: Example

    @property
    def blocks(self) -> bool:
        return self.must != "clear"

    @property
    def shown(self) -> str:
        return self.example.text or str(self.example.expenses)


def cases_of(data: Mapping[str, Any]) -> list[Case]:
    """Raises ValueError for a case that is not one."""
    made: list[Case] = []
    for number, case in enumerate(data["judgements"], 1):
        if case.get("must") not in _MUST:
            raise ValueError(f"case {number}: `must` is none of {', '.join(_MUST)}")
        given = {key: value for key, value in case.items() if key not in ("must", "rules")}
        example = Example.model_validate(given)
        made.append(Case(number, case["must"], tuple(case.get("rules", ())), example))
    return made


def scored(book: RuleBook, cases: Sequence[Case], today: date) -> tuple[dict[str, float], list[Json]]:
    """Shares of wrong things that were stopped, of right things that were let through and of cases whose outcome (passed, asked
    about, violated) is the very one, ours and those of a check for words; and each case that went wrong."""
    misses: list[Json] = []
    ours: list[bool] = []
    words: list[bool] = []
    told: list[bool] = []
    for case in cases:
        outcome, found = _judged(book, case, today)
        ours.append((outcome != "passed") == case.blocks)
        told.append(outcome in _MUST[case.must])
        words.append(keyword_check(case.shown) == case.blocks)
        missing = [rule for rule in case.rules if rule not in found]
        if missing or not told[-1]:
            wrong = f"{outcome}, not {case.must}" if not told[-1] else ""
            wrong = wrong if ours[-1] else ("false_pass" if case.blocks else "false_alarm")
            misses.append(
                {
                    "id": case.number,
                    "why": wrong or f"without {missing}",
                    "found": found,
                    "question": case.shown,
                }
            )
    unnamed = sum(miss["why"].startswith("without") for miss in misses)
    return {
        "stopped": _share(cases, ours, blocks=True),
        "let_through": _share(cases, ours, blocks=False),
        "told_apart": round(sum(told) / max(len(cases), 1), 4),
        "rules_named": round(1 - unnamed / max(len(cases), 1), 4),
        "stopped_by_words": _share(cases, words, blocks=True),
        "let_through_by_words": _share(cases, words, blocks=False),
    }, misses


def _share(cases: Sequence[Case], right: Sequence[bool], *, blocks: bool) -> float:
    chosen = [one for case, one in zip(cases, right, strict=True) if case.blocks == blocks]
    return round(sum(chosen) / max(len(chosen), 1), 4)


def keyword_check(text: str) -> bool:
    """The check that looks for words alone: what it holds against a text."""
    return _KEYWORDS.search(text) is not None and _FINE.search(text) is None


def _judged(book: RuleBook, case: Case, today: date) -> tuple[str, list[str]]:
    subject = subject_of(case.example)
    verdict = verdict_of(
        book,
        judge(book, subject, case.example.day or today),
        {"kind": subject.kind, "artifact_ids": [], "hashes": []},
        today=today,
        language="en",
    )
    found = [f["rule"] for f in verdict["findings"] if f["status"] in ("violated", "unknown")]
    return outcome_of(verdict["findings"]), found
