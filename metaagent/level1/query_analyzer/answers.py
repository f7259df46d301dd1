"""The person's answers to earlier questions of this turn, put where it belongs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from metaagent.language import periods as period_rules
from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer import ambiguity
from metaagent.level1.query_analyzer import entities as entity_rules
from metaagent.level1.query_analyzer.entities import NAMED, Entity, Reader
from metaagent.level1.query_analyzer.reading import Reading
from metaagent.level1.query_analyzer.words.source import key_of, read

_AS_WRITTEN = regex(
    r"그대로|\b(?:keep|leave)\s(?:it|that|the name)\b|\bas\s(?:it\sis|is|written)\b", re.IGNORECASE
)


def _chosen(entity: Entity, at: int) -> Entity:
    meaning = entity.candidates[at]
    extra = {key: value for key, value in meaning.extra.items() if key != "id"}
    return replace(
        entity,
        normalized=meaning.normalized,
        candidates=(meaning,),
        method="answer",
        extra={**entity.extra, **extra},
    )


def settle(reading: Reading) -> Reading:
    """Answers to earlier questions settle the entities that they were about."""
    answers = reading.context.answered
    if not answers:
        return reading
    return replace(reading, entities=tuple(_settle(reading, entity, answers) for entity in reading.entities))


def _settle(reading: Reading, entity: Entity, answers: Mapping[str, str]) -> Entity:
    field = entity.type if entity.type in answers else f"{entity.type}:{reading.surface(entity)}"
    if entity.type == "ambiguous_metric" and "metric" in answers:
        return _settle_metric(reading, entity, answers["metric"])
    if entity.type == "period" and entity.normalized is None and "period" in answers:
        found = [p for p in period_rules.find(read(answers["period"]).text, reading.context.today) if p.range]
        if found and found[-1].range:
            span = found[-1].range
            extra = {**entity.extra, "start": span.first.isoformat(), "end": span.last.isoformat()}
            return replace(entity, normalized=span.iso, method="answer", extra=extra)
    if entity.type in NAMED and entity.normalized is None and field in answers:
        candidates = entity.candidates or tuple(
            ambiguity.similar(reading.book, entity.type, reading.surface(entity))
        )
        choices = ambiguity.name_choices(candidates, reading.context.vocabulary, reading.language)
        at = ambiguity.pick(answers, field, choices)
        at = at if at is not None else _by_detail(reading, [m.label for m in candidates], answers[field])
        if at is not None:
            return _chosen(replace(entity, candidates=candidates), at)
        if _AS_WRITTEN.search(answers[field]) or key_of(answers[field]) == key_of(reading.surface(entity)):
            return replace(entity, method="answer", extra={**entity.extra, "as_written": True})
        return _named_anew(reading, entity, answers[field])
    return entity


def _by_detail(reading: Reading, labels: Sequence[str], answer: str) -> int | None:
    """The one in Jeju: the option whose label holds the name that the answer says in its own words."""
    reader = Reader(reading.context.domain, reading.book, reading.context.today, frozenset())
    named = [
        meaning.label
        for entity in entity_rules.find(read(answer), reader)
        for meaning in entity.candidates[:1]
        if entity.type in ("location", "value") and len(meaning.label) > 1
    ]
    fits = [at for at, label in enumerate(labels) if any(name in label for name in named)]
    return fits[0] if len(fits) == 1 else None


def _named_anew(reading: Reading, entity: Entity, answer: str) -> Entity:
    """An answer that is no option but a name by itself."""
    reader = Reader(reading.context.domain, reading.book, reading.context.today, frozenset())
    found = [
        e
        for e in entity_rules.find(read(answer), reader)
        if e.type == entity.type and e.normalized is not None
    ]
    return replace(entity, normalized=found[0].normalized, candidates=found[0].candidates, method="answer",
                   extra={**entity.extra, **found[0].extra}) if found else entity  # fmt: skip


def _settle_metric(reading: Reading, entity: Entity, answer: str) -> Entity:
    vocabulary = reading.context.vocabulary
    names = [name for name in entity.extra.get("options", ()) if vocabulary.find("metric", name)]
    choices = [(ambiguity.metric_label(vocabulary, name, reading.language), name) for name in names]
    at = ambiguity.chosen(answer, choices)
    name = names[at] if at is not None else None
    if name is None:
        reader = Reader(reading.context.domain, reading.book, reading.context.today, frozenset())
        said = [e for e in entity_rules.find(read(answer), reader) if e.type == "metric"]
        name = str(said[0].extra["name"]) if said else None
    term = vocabulary.find("metric", name) if name else None
    if term is None:
        return entity
    return replace(entity, type="metric", normalized=term.column or term.name, method="answer",
                   extra={"name": term.name, "column": term.column})  # fmt: skip


def settle_document(reading: Reading) -> Reading:
    answer = reading.context.answered.get("document_type")
    if answer is None or reading.resolved["document_type"]:
        return reading
    kinds = list(reading.context.domain.document_types.values())
    at = ambiguity.chosen(answer, [(kind.title.say(reading.language), kind.name) for kind in kinds])
    return (
        replace(reading, request={**reading.resolved, "document_type": kinds[at].name})
        if at is not None
        else reading
    )


def name_in(reading: Reading, kind: str, text: str) -> str | None:
    """The known name of a type in an answer."""
    reader = Reader(reading.context.domain, reading.book, reading.context.today, frozenset())
    found = [e for e in entity_rules.find(read(text), reader) if e.type == kind and e.normalized is not None]
    return str(found[0].extra.get("name", found[0].normalized)) if found else None
