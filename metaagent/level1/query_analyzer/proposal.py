"""A suggestion of someone else, a chat model, about a question: "these words mean this known thing".

A suggestion is closed: it can name intents, metrics, dimensions, places, names and forms that exist here, and periods
of the calendar, each with the words of the question that say so. It fills gaps; what the rules have read stays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from metaagent.language.calendar import Range, grain_of
from metaagent.level1.query_analyzer.context import AnalysisContext
from metaagent.level1.query_analyzer.domain import Domain
from metaagent.level1.query_analyzer.entities import Entity
from metaagent.level1.query_analyzer.intents import FoundIntent, measured
from metaagent.level1.query_analyzer.plugins import with_capabilities
from metaagent.level1.query_analyzer.words.lexicon import Meaning, Phrasebook, phrasebook
from metaagent.level1.query_analyzer.words.source import Source, key_of, read

Plain = dict[str, Any]
NAMED_THINGS = (
    "metric",
    "dimension",
    "location",
    "person",
    "organisation",
    "product",
    "document_type",
    "output_form",
)
SHOWN = ("metric", "dimension", "location", "document_type", "output_form")
"""Entity types that are listed to a model. Names of people, hospitals and products stay here."""
EARLIEST, LATEST = date(1900, 1, 1), date(2200, 12, 31)
WORDED = ("several_words", "one_word")
"""Rules by which the words of the question name an intent."""
_MOST = 40


@dataclass(frozen=True)
class Judged:
    """A suggestion sorted: what can be used, and what is wrong with the rest."""

    entities: tuple[Entity, ...]
    intents: tuple[tuple[str, str], ...]
    objections: tuple[str, ...]
    disputed: tuple[str, ...] = ()
    """Words of the question that the rules read as something else."""


def offers(context: AnalysisContext) -> Plain:
    """Everything that may be suggested, by name, with the words for it."""
    domain = with_capabilities(context.domain, context.capabilities)
    book = phrasebook(domain, context.vocabulary, context.lexicon)
    named: dict[str, dict[str, str]] = {kind: {} for kind in SHOWN}
    for meanings in book.exact.values():
        for meaning in meanings:
            if meaning.type in named:
                named[meaning.type].setdefault(meaning.name, meaning.label)
    unsafe = unsafe_intents(domain, context.capabilities)
    return {"intents": {i.name: i.title.en for i in domain.intents if i.name not in unsafe}, **named}


def unsafe_intents(domain: Domain, capabilities: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    """Intents that an agent with side effects may serve."""
    outside = {str(item["name"]) for item in capabilities if item.get("side_effects")}
    return frozenset(
        intent.name for intent in domain.intents if outside & {*intent.capabilities, intent.name}
    )


def judge(
    proposed: Mapping[str, Any] | None,
    source: Source,
    book: Phrasebook,
    domain: Domain,
    found: Sequence[Entity],
    unsafe: Collection[str] = (),
) -> Judged:
    """`unsafe` are intents that nobody but the person may bring in: they have side effects."""
    entities: list[Entity] = []
    intents: list[tuple[str, str]] = []
    objections: list[str] = []
    disputed: list[str] = []
    for item in _items(proposed, "entities"):
        made = _entity(item, source, book)
        problem = made if isinstance(made, str) else _conflict(made, [*found, *entities], source)
        if problem:
            objections.append(problem)
            if isinstance(made, Entity):
                disputed.append(source.surface(made.start, made.end))
        elif isinstance(made, Entity) and not any(made.overlaps(other) for other in [*found, *entities]):
            entities.append(made)
    for item in _items(proposed, "intents"):
        name, quote = str(item.get("intent")), str(item.get("quote") or "")
        if domain.intent(name) is None or name in unsafe:
            objections.append(f"there is no intent {name!r}")
        elif place(quote, source) is None:
            objections.append(f"the quote {quote!r} for intent {name!r} is not in the question")
        else:
            intents.append((name, quote))
    return Judged(tuple(entities), tuple(intents), tuple(objections), tuple(dict.fromkeys(disputed)))


def objections(
    question: str, context: AnalysisContext, proposed: Mapping[str, Any], reading: Plain
) -> list[str]:
    """Lists the faults of a suggestion, given what the rules read alone."""
    domain = with_capabilities(context.domain, context.capabilities)
    book = phrasebook(domain, context.vocabulary, context.lexicon)
    source = read(question)
    unsafe = unsafe_intents(domain, context.capabilities)
    return list(judge(proposed, source, book, domain, _read_already(reading, source), unsafe).objections)


def with_entities(found: Sequence[Entity], judged: Judged) -> tuple[Entity, ...]:
    return tuple(sorted([*found, *judged.entities], key=lambda entity: entity.start))


def with_intents(found: Sequence[FoundIntent], judged: Judged, domain: Domain) -> list[FoundIntent]:
    """Adds nothing where the words of the question name intents: a suggestion could widen what was asked for. What
    the rules only inferred gives way to what was suggested."""
    if not judged.intents or any(intent.rule in WORDED for intent in found):
        return list(found)
    suggested = dict(judged.intents)
    kept = [intent for intent in found if intent.name in suggested]
    known = {intent.name for intent in kept}
    sure = measured(domain.calibration, "intent_model")
    more = [FoundIntent(n, "model", (quote,), sure) for n, quote in suggested.items() if n not in known]
    return sorted([*kept, *more], key=lambda intent: -intent.confidence)


def _items(proposed: Mapping[str, Any] | None, key: str) -> list[Mapping[str, Any]]:
    listed: Any = (proposed or {}).get(key) or ()
    return [item for item in list(listed)[:_MOST] if isinstance(item, Mapping)]


def place(quote: str, source: Source) -> tuple[int, int] | None:
    """Finds the quoted words in the text that the rules read, whatever their width and case."""
    wanted = read(quote.strip()).text
    at = source.text.find(wanted) if wanted else -1
    return (at, at + len(wanted)) if at >= 0 else None


def _entity(item: Mapping[str, Any], source: Source, book: Phrasebook) -> Entity | str:
    kind, quote = str(item.get("type")), str(item.get("quote") or "")
    span = place(quote, source)
    if span is None:
        return f"the quote {quote!r} is not in the question"
    if kind == "period":
        return _period(item, quote, span)
    name = str(item.get("name") or "")
    meaning = _named(book).get((kind, key_of(name)))
    if kind not in NAMED_THINGS or meaning is None:
        return f"there is no {kind} {name!r}"
    extra = {key: value for key, value in meaning.extra.items() if key != "id"}
    return Entity(*span, kind, meaning.normalized, "model", (meaning,), extra)


def _period(item: Mapping[str, Any], quote: str, where: tuple[int, int]) -> Entity | str:
    try:
        span = Range(date.fromisoformat(str(item.get("start"))), date.fromisoformat(str(item.get("end"))))
    except ValueError:
        return f"the period for {quote!r} is not two dates of the calendar, written YYYY-MM-DD"
    if not EARLIEST <= span.first <= span.last <= LATEST:
        return f"the period for {quote!r} is not in order or not between {EARLIEST} and {LATEST}"
    extra: Plain = {
        "role": "base",
        "rule": "model",
        "unit": grain_of(span),
        "start": span.first.isoformat(),
        "end": span.last.isoformat(),
    }
    return Entity(*where, "period", span.iso, "model", extra=extra)


def _conflict(entity: Entity, found: Sequence[Entity], source: Source) -> str | None:
    for other in found:
        if not entity.overlaps(other):
            continue
        if (entity.type, entity.normalized) != (other.type, other.normalized):
            words = source.surface(entity.start, entity.end)
            return f"{words!r} was read as {other.type} {other.normalized!r}, which stands"
    return None


@lru_cache(maxsize=32)
def _named(book: Phrasebook) -> Mapping[tuple[str, str], Meaning]:
    """Each thing under its own name; a name that two things share means neither."""
    found: dict[tuple[str, str], Meaning | None] = {}
    for meaning in _meanings(book):
        key = (meaning.type, key_of(meaning.name))
        known = found.setdefault(key, meaning)
        if known is not None and known.identity != meaning.identity:
            found[key] = None
    return {key: meaning for key, meaning in found.items() if meaning is not None}


def _meanings(book: Phrasebook) -> Iterator[Meaning]:
    for meanings in book.exact.values():
        yield from meanings


def _read_already(reading: Plain, source: Source) -> list[Entity]:
    """The entities of a finished reading, back in the places of the normalised text."""
    starts = {at: index for index, at in reversed(list(enumerate(source.starts)))}
    ends = {at: index + 1 for index, at in enumerate(source.ends)}
    found: list[Entity] = []
    for item in reading.get("extracted_entities") or ():
        start, end = item["span"]
        if start in starts and end in ends:
            found.append(Entity(starts[start], ends[end], item["type"], item["normalized"], item["method"]))
    return found
