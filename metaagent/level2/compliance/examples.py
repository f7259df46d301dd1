"""Runs the examples that stand beside the rules: each must come out as its rule says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from metaagent.global_state import FindingStatus
from metaagent.level2.compliance.judging import Subject, judge
from metaagent.level2.compliance.model import Example
from metaagent.level2.compliance.packs import CompiledRule, RuleBook
from metaagent.level2.compliance.rows import BadRow, expense_of


@dataclass(frozen=True)
class Tried:
    """One example, and whether it came out as it must."""

    rule: str
    file: str
    line: int
    must: FindingStatus
    was: FindingStatus | str
    shown: str

    @property
    def right(self) -> bool:
        return self.must == self.was or (
            self.must == "violated" and self.was == "unknown" and self.incomplete
        )

    incomplete: bool = False
    """A rule on required fields, on words that must be understood, or on mere suspicion fails by saying that it cannot know."""


def tried(book: RuleBook, today: date) -> Iterator[Tried]:
    """Every example of every rule but those that only a chat model could judge."""
    for rule in book.rules:
        if rule.rule.judge is not None:
            continue
        examples = rule.rule.examples
        kinds: tuple[tuple[FindingStatus, list[Example]], ...] = (
            ("passed", examples.passing),
            ("violated", examples.failing),
            ("unknown", examples.unknown),
        )
        for must, cases in kinds:
            for example in cases:
                shown = example.text or str(example.expenses)
                was = outcome(book, rule, example, today)
                incomplete = rule.rule.kind in ("required", "understood") or _only_suspects(rule)
                yield Tried(rule.rule.id, rule.file, rule.line, must, was, shown, incomplete)


def _only_suspects(rule: CompiledRule) -> bool:
    text = rule.rule.text
    return text is not None and not text.phrases and not text.statements


def outcome(book: RuleBook, rule: CompiledRule, example: Example, today: date) -> FindingStatus | str:
    """The outcome of one rule on one example."""
    try:
        subject = subject_of(example)
    except BadRow as error:
        return f"unreadable: {error}"
    alone = RuleBook(book.packs, (rule,), book.hashes)
    found = judge(alone, subject, example.day or today).outcomes
    statuses = {one.status for one in found}
    return next((status for status in ("violated", "unknown") if status in statuses), "passed")


def subject_of(example: Example) -> Subject:
    history = [expense_of(row, -number) for number, row in enumerate(example.history, 1)]
    if example.text is not None:
        return Subject("document", text=example.text, history=history)
    rows = [expense_of(row, number) for number, row in enumerate(example.expenses or (), 1)]
    return Subject("data", expenses=rows, history=history)
