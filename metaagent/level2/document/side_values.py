"""Values that a sentence tells beside the one that was asked for or named, in an answer or in a later turn. Pure."""

from __future__ import annotations

from datetime import date

from metaagent.documents.fields import Unfit, Value, read_value
from metaagent.documents.templates import Template
from metaagent.language import amounts
from metaagent.language.particles import Language
from metaagent.level2.document.repairing import without_repairs
from metaagent.level2.document.said import Fact, Said, overlaps
from metaagent.level2.document.unassigned_clauses import listed_facts


def told_values(
    template: Template, text: str, today: date, language: Language, source: str
) -> dict[str, Value]:
    """The facts of a text as values of the fields that can hold them; what does not fit its field is left out."""
    text = without_repairs(text)
    facts = listed_facts(template, Said(text, today=today))
    # Options that the words name, of fields that are read from the words.
    facts |= _counts(template, text, facts) | {
        name: Fact(text, (0, len(text)))
        for name, spec in template.fields.items()
        if spec.type == "choice" and spec.take == "words"
    }
    made: dict[str, Value] = {}
    for name, fact in facts.items():
        value = read_value(template.fields[name], fact.text, today, language)
        if not isinstance(value, Unfit):
            made[name] = Value(value, source)
    return made


def _counts(template: Template, text: str, facts: dict[str, Fact]) -> dict[str, Fact]:
    """Counts and sums by their unit, outside the stretches that other facts hold."""
    taken = [fact.at for fact in facts.values()]
    free = [each for each in amounts.numbers(text.lower()) if not overlaps((each.start, each.end), taken)]
    made: dict[str, Fact] = {}
    for name, spec in template.fields.items():
        if name in facts or "form" not in spec.source or spec.type not in ("integer", "money"):
            continue
        fitting = [
            each
            for each in free
            if (
                each.kind == "money"
                if spec.type == "money"
                else each.unit is not None and each.unit in spec.units
            )
        ]
        if fitting and (spec.type == "integer" or spec.take == "money" or spec.required):
            last = fitting[-1]
            made[name] = Fact(str(last.value), (last.start, last.end))
    return made
