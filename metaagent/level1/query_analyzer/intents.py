"""Finds the intents of a question from the words and entities that show them.

Confidence is measured, not chosen: each intent carries the rule that found it (`several_words`, `one_word`, `entity`,
`implied`, `inherited`), and confidence is (right + 1) / (seen + 2) of that rule on the development questions (Laplace's
rule of succession; counts in the domain's calibration.yaml; 0.5 where nothing was measured).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from metaagent.level1.query_analyzer.domain import Domain, Intent
from metaagent.level1.query_analyzer.entities import Entity
from metaagent.level1.query_analyzer.evidence import Evidence, find
from metaagent.level1.query_analyzer.requests.moods import EFFECTS, orders_nothing
from metaagent.level1.query_analyzer.requests.optional_parts import Span, optional_names
from metaagent.level1.query_analyzer.requests.quoting import inside, quotations
from metaagent.level1.query_analyzer.requests.storing_orders import orders_storing
from metaagent.level1.query_analyzer.requests.unwanted import taken_back, unwanted
from metaagent.level1.query_analyzer.words.source import read


@dataclass(frozen=True)
class FoundIntent:
    name: str
    rule: str
    words: tuple[str, ...]
    confidence: float
    optional: bool = False
    """Asked for only if it is possible."""


def measured(calibration: Mapping[str, tuple[int, int]], rule: str) -> float:
    right, seen = calibration.get(rule, (0, 0))
    return round((right + 1) / (seen + 2), 3)


def signals(entities: Sequence[Entity]) -> frozenset[str]:
    """Entity types present, and the two signals that lie in how entities are used."""
    found = {entity.type for entity in entities}
    if any(
        entity.extra.get("role") == "comparison"
        or (entity.extra.get("shift") and entity.type == "comparison")
        for entity in entities
    ):
        found.add("comparison_period")
    if any(entity.type == "dimension" and "grain" in entity.extra for entity in entities):
        found.add("time_grain")
    return frozenset(found)


def _outside(evidence: Sequence[Evidence], entities: Sequence[Entity]) -> list[Evidence]:
    """Words that are not part of a name: 분석 in 분석 결과 asks for no analysis."""
    covering = [e for e in entities if e.type not in ("comparison", "negation")]
    return [
        item for item in evidence if not any(e.start <= item.start and item.end <= e.end for e in covering)
    ]


def _shown(
    intent: Intent, words: list[Evidence], present: frozenset[str]
) -> tuple[str, tuple[str, ...]] | None:
    kinds_of_word = {
        "word",
        "act",
        *(() if present & set(intent.weak_unless) else ("weak",)),
        *(present & {"quoted"}),
    }
    own = sorted({item.word for item in words if item.intent == intent.name and item.kind in kinds_of_word})
    objects = [item for item in words if item.intent == intent.name and item.kind == "object"]
    kinds = [kind for kind in intent.entities if kind in present]
    if own and intent.needs and not (objects or present & set(intent.needs)):
        own = []
    if len(own) > 1:
        return "several_words", tuple(own)
    if own:
        return "one_word", tuple(own)
    return ("entity", tuple(kinds)) if kinds else None


def _implied(
    domain: Domain, found: Mapping[str, object], present: frozenset[str]
) -> dict[str, tuple[str, tuple[str, ...]]]:
    more: dict[str, tuple[str, tuple[str, ...]]] = {}
    for intent in domain.intents:
        causes = tuple(kind for kind in intent.implied_by if kind in present)
        blocked = set(found) & set(intent.alone) if intent.alone else set(found)
        if causes and intent.name not in found and not blocked:
            more[intent.name] = ("implied", causes)
    return more


def places(
    name: str, shown: Sequence[str], evidence: Sequence[Evidence], entities: Sequence[Entity]
) -> list[Span]:
    """Finds the words or entities that show an intent."""
    said = [(item.start, item.end) for item in evidence if item.intent == name and item.word in shown]
    return said or [(entity.start, entity.end) for entity in entities if entity.type in shown]


def _wanted(evidence: Sequence[Evidence], text: str) -> list[Evidence]:
    """Leave out words for tasks that are not asked for, and those of a task that is taken back behind them."""
    begins = [item.start for item in evidence if item.intent in EFFECTS]
    declined = [
        item
        for item in evidence
        if unwanted(text, item.start, item.end)
        or (item.intent in EFFECTS and orders_nothing(text, item.start, item.end, begins))
        or (item.intent == "store" and item.kind == "word" and not orders_storing(text, item.start, item.end))
    ]
    return [
        item
        for item in evidence
        if item not in declined
        and not any(
            item.intent == other.intent and item.end < other.start and taken_back(text, item.end, other.start)
            for other in declined
        )
    ]


def declined(domain: Domain, raw: str) -> frozenset[str]:
    """The intents that a text names only to decline them."""
    source = read(raw)
    return frozenset(w.intent for w in find(source, domain) if unwanted(source.text, w.start, w.end))


def _not_ordered(text: str, named: Entity, evidence: Sequence[Evidence], begins: Sequence[int]) -> bool:
    """Say whether a document is named in a clause that orders neither it nor anything else to be done with it."""
    spans = [
        orders_nothing(text, each.start, each.end, begins)
        for each in (named, *(item for item in evidence if item.intent in EFFECTS))
    ]
    return inside([span for span in spans if span], named.start, named.end)


def decide(
    domain: Domain,
    evidence: Sequence[Evidence],
    entities: Sequence[Entity],
    more: frozenset[str] = frozenset(),
    text: str = "",
) -> list[FoundIntent]:
    """The intents, best first. `more`: signals that no entity carries. One that is asked for only if possible takes
    the place of none. A text that is quoted asks for nothing."""
    quoted = quotations(text)
    begins = [item.start for item in evidence if item.intent in EFFECTS]
    said = [
        e
        for e in entities
        if not e.extra.get("own")
        and not inside(quoted, e.start, e.end)
        and not (e.type == "document_type" and _not_ordered(text, e, evidence, begins))
    ]
    present = signals(said) | more | ({"quoted"} if quoted else frozenset())
    told = [each for each in evidence if not inside(quoted, each.start, each.end)]
    words = _wanted(_outside(told, said), text)
    found = {intent.name: shown for intent in domain.intents if (shown := _shown(intent, words, present))}
    found |= _implied(domain, found, present)
    optional = optional_names(text, {n: places(n, shown, words, said) for n, (_, shown) in found.items()})
    sure = found.keys() - optional
    asked = {item.intent for item in words if item.kind == "weak"}
    worded = {item.intent for item in words if item.kind == "word"}
    apart = {item.intent for item in words if item.kind == "act"} - worded  # by clauses of its own alone
    hidden = {
        name
        for intent in domain.intents
        if intent.name in sure - apart
        for name in intent.over_unasked
        if name not in asked
    }
    figures = present & {"metric", "ambiguous_metric"}
    hidden |= {
        name
        for intent in domain.intents
        if intent.name in sure - hidden - apart and not (figures and sure & {*intent.over_unless})
        if not intent.over_where or present & {*intent.over_where}
        for name in intent.over
    }
    hidden |= {intent.name for intent in domain.intents if intent.name in found and sure & set(intent.alone)}
    result = [
        FoundIntent(name, rule, cause, measured(domain.calibration, f"intent_{rule}"))
        for name, (rule, cause) in found.items()
        if name not in hidden
    ]
    return sorted(result, key=lambda intent: -intent.confidence)


def inherited(domain: Domain, names: Sequence[str]) -> list[FoundIntent]:
    sure = measured(domain.calibration, "intent_inherited")
    return [FoundIntent(name, "inherited", (), sure) for name in names]
