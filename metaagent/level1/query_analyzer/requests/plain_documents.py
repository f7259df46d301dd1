"""A document of no named kind, a notice or 안내문, that is made of what the same question finds, analyses or judges. Pure."""

from __future__ import annotations

from dataclasses import replace

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.domain import DocumentType
from metaagent.level1.query_analyzer.entities import Entity
from metaagent.level1.query_analyzer.intents import FoundIntent, measured
from metaagent.level1.query_analyzer.reading import DATA_INTENTS, Reading
from metaagent.level1.query_analyzer.requests.own_reference import TAKES
from metaagent.level1.query_analyzer.wording import ASSUMED
from metaagent.values import mapping

_PLAIN = regex(
    r"(?:안내|공지|요약)(?:문|본)|(?<![가-힣])(?:공문|문서|서류)(?=(?:로|으로|를|을|도|\s|$))"
    r"|\b(?:one[ -]pager|hand-?out|notice|memo|brief|write-?up|written up|write (?:it |that |this |them )?up|documents?)\b"
)
_SOURCES = frozenset({*DATA_INTENTS, "search", "compliance"})


def of_results(reading: Reading) -> Reading:
    """Read such a document as the report on results, and say so. Where nothing is found, analysed, judged or pointed at it is
    asked which document is meant."""
    names = {intent.name for intent in reading.intents}
    named = any(entity.type == "document_type" for entity in reading.entities)
    given = any(entity.type == "reference" and entity.normalized for entity in reading.entities)
    if named or reading.revises or "document" not in names or not (given or names & _SOURCES):
        return reading
    found, kind = _PLAIN.search(reading.source.text), _of_results(reading)
    if found is None or kind is None:
        return reading
    made = Entity(found.start(), found.end(), "document_type", kind.name, "exact")
    kept = tuple(entity for entity in reading.entities if not entity.overlaps(made))
    reading = replace(reading, entities=(*kept, made))
    return reading.assume(ASSUMED["typo"], text=found[0], name=kind.title.say(reading.language))


def to_be_taken(reading: Reading) -> Reading:
    """Read a report on figures that is to be stored or checked, and that nobody has made yet, as one to be made."""
    names = {intent.name for intent in reading.intents}
    types = {entity.type for entity in reading.entities}
    made = any(each.get("kind") == "document" for each in reading.context.artifacts)
    others = names - TAKES - (frozenset[str]() if made else DATA_INTENTS)
    if (
        others
        or not names & TAKES
        or not {"document_type", "metric", "period"} <= types
        or "reference" in types
    ):
        return reading
    before = mapping(reading.context.previous).get("extracted_entities") or ()
    known = {(each.get("type"), str(each.get("normalized"))) for each in before}
    own = {(e.type, str(e.normalized)) for e in reading.entities if e.type != "document_type"}
    if made and own <= known:
        return reading
    sure = measured(reading.context.domain.calibration, "intent_implied")
    return replace(
        reading, intents=(*reading.intents, FoundIntent("document", "implied", ("document_type",), sure))
    )


_DOES = regex(r"\b(?:who|to|must|should|can|may|will|we|they|i|you|people|employees)\s\Z")
_WHAT = regex(r"\s(?:an?|the|any|it|this|that|such|him|her|them)\b")


def without_verbs(reading: Reading) -> Reading:
    """Leave out names of documents that are verbs there: people who report a breach."""
    text = reading.source.text
    kept = tuple(
        entity
        for entity in reading.entities
        if entity.type != "document_type"
        or not (_DOES.search(text[: entity.start]) and _WHAT.match(text, entity.end))
    )
    return reading if len(kept) == len(reading.entities) else replace(reading, entities=kept)


def _of_results(reading: Reading) -> DocumentType | None:
    types = reading.context.domain.document_types.values()
    return next((kind for kind in types if kind.only_results and not kind.made_of), None)
