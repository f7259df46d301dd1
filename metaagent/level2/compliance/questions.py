"""Asks for what a verdict lacks: which fact of which words or row would decide it. An answer in the text settles the question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metaagent.errors import Text
from metaagent.level2.compliance.judging import LONGEST_QUOTE, Outcome

_FACTS = {
    "heads": Text(en="how many people shared it", ko="몇 명이 함께했는지"),
    "public": Text(en="whether they work for a public institution", ko="공공기관 소속인지"),
    "hours": Text(en="how long the lecture was", ko="강연이 몇 시간이었는지"),
    "vat": Text(en="whether tax is included", ko="부가세가 포함된 금액인지"),
    "date": Text(en="on which day", ko="며칠이었는지"),
    "amount": Text(en="how much it cost", ko="금액이 얼마인지"),
    "doctors": Text(en="who had it", ko="누가 받았는지"),
    "institution": Text(en="at which institution", ko="어느 기관이었는지"),
    "kind": Text(en="what it was for", ko="무엇을 위한 것이었는지"),
    "group": Text(en="whom it was for", ko="누구에 대한 지출인지"),
    "history": Text(
        en="what was spent before (the expense book could not be read)",
        ko="이전 지출이 얼마인지(비용 장부를 읽지 못함)",
    ),
    "understood": Text(
        en="whether anybody was given anything, and what for how much",
        ko="누구에게 무엇을 얼마에 제공했는지, 또는 제공하지 않았는지",
    ),
}
_QUESTION = Text(en="“{where}”: say {what}.", ko="“{where}”: {what} 적어 주세요.")


def questions(outcomes: Sequence[Outcome], language: str) -> list[str]:
    """One question for each place that leaves something open, with everything that it does not say."""
    asked: dict[str, list[str]] = {}
    for outcome in outcomes:
        if outcome.status == "unknown":
            for where, fact in _open(outcome, language):
                asked.setdefault(where, [])
                asked[where] += [] if fact in asked[where] else [fact]
    return [_QUESTION.say(language, where=where, what=", ".join(facts)) for where, facts in asked.items()]


def _open(outcome: Outcome, language: str) -> Iterator[tuple[str, str]]:
    """The words or rows that a finding stands on, each with a fact that is missing there."""
    rule = outcome.rule.rule
    said = str(outcome.values.get("missing") or outcome.why) if rule.understood is None else "understood"
    facts = [_FACTS[fact].say(language) for fact in said.split(", ") if fact in _FACTS]
    if rule.text is not None and rule.text.question is not None:
        facts = [rule.text.question.say(language)]
    for evidence in outcome.evidence:
        where = evidence.get("quote") or ", ".join(evidence.get("rows", [])) or str(evidence.get("field", ""))
        for fact in facts:
            yield where[:LONGEST_QUOTE], fact
