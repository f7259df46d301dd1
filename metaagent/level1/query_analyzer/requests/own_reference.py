"""Words like 'it' that mean something which the same sentence makes: "write a report, check it and store it". Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.entities import Entity
from metaagent.level1.query_analyzer.evidence import Evidence
from metaagent.level1.query_analyzer.requests.quoting import quotations
from metaagent.level1.query_analyzer.words.source import Source

TAKES = frozenset({"compliance", "store"})
"""Intents that work on a thing which is there; the others make one."""

_PRONOUN = regex(r"(?:this|that|these|those|them|it)|(?:이|그|저|요)(?:걸로|걸|것들?|거|게)")
_INTO = regex(
    r"\s(?:all\s|up\s)?(?:in|into|to|as)\s(?:an?|the|one|my)\b|[을를]?\s?(?:\S{1,12}\s){0,2}\S{1,10}(?:보고서|리포트|신청서|제안서|문서)(?:으로|로)"
)
"""A document that the pronoun is made into: put it into a report, 그걸 보고서로."""
_OUT_OF = regex(
    r"\b(?:report|document|summary|write-?up|proposal|request|claim|form)s?\s(?:out\s)?(?:of|from|about|on|with|for)\s\Z"
)
"""The words before a pronoun that a document is made of: make a report of it."""
_THIS_TIME = regex(
    r"\s(?:morning|noon|afternoon|evening|week|month|quarter|year|monday|tuesday|wednesday|thursday|friday)\b"
)
"""Behind a pronoun that points at a time and at no thing: this morning."""
_KOREAN = regex(r"[가-힣]")


def with_own_references(
    source: Source, entities: Sequence[Entity], evidence: Sequence[Evidence]
) -> tuple[Entity, ...]:
    """Mark the pronouns that stand for what the question makes before it checks, stores or writes it down. They name no artifact of
    an earlier turn, and nothing is asked about them."""
    return tuple(
        replace(entity, normalized=None).with_extra(own=True)
        if _is_own(source, entity, entities, evidence)
        else entity
        for entity in entities
    )


def _is_own(source: Source, entity: Entity, entities: Sequence[Entity], evidence: Sequence[Evidence]) -> bool:
    said = source.text[entity.start : entity.end]
    if entity.type != "reference":
        return False
    acted_on = any(e.kind == "act" and e.start <= entity.start and entity.end <= e.end for e in evidence)
    if acted_on and entity.normalized is None and _figure_before(entity, entities):
        return True
    if not _PRONOUN.fullmatch(said):
        return False
    if _THIS_TIME.match(source.text, entity.end):
        return True
    quoted = _QUOTED.search(source.raw) is not None or bool(quotations(source.raw))
    if entity.normalized is None and (quoted or _names_own(entity, entities, evidence)):
        return True
    if quoted and _WORDING.match(source.text, entity.end):
        return True
    made = any(
        each.end <= entity.start and each.intent not in (*TAKES, "document") for each in evidence
    ) or _figure_before(entity, entities)
    if made and (_INTO.match(source.text, entity.end) or _OUT_OF.search(source.text[: entity.start])):
        return True
    if _told_before(source, entity, entities):
        return True
    making = any(
        each.end <= entity.start and each.kind == "word" and each.intent not in TAKES for each in evidence
    )
    # An English verb stands before its object, a Korean one behind it.
    taking = [each for each in evidence if each.intent in TAKES]
    behind = any(each.start >= entity.start for each in taking)
    before = any(each.start < entity.start for each in taking)
    return making and (behind if _KOREAN.search(said) else before)


_QUOTED = regex(r"[\"“][^\"“”]{8,}[\"”]")
"""Words that the question quotes, and means by 'this' where nothing was made before."""
_WORDING = regex(
    r"\s(?:remark|sentence|text|wording|note|message|mail|phrase|line|post)\b|\s?(?:문구|문장|말|글|메모|표현)"
)
"""Behind a pronoun that means what is quoted, whatever was made before: this remark: "…"."""


def _figure_before(entity: Entity, entities: Sequence[Entity]) -> bool:
    return any(each.type == "metric" and each.end <= entity.start for each in entities)


def _names_own(entity: Entity, entities: Sequence[Entity], evidence: Sequence[Evidence]) -> bool:
    """Say whether nothing was made before that a pronoun could mean, and the question itself makes or names something: July's
    expenses … check them; check it: I need a report."""
    made = any(each.intent == "document" and each.kind == "word" for each in evidence)
    document = any(each.type == "document_type" for each in entities)
    named = any(each.type == "metric" and each.end <= entity.start for each in entities)
    taken = any(each.intent in TAKES for each in evidence)
    return taken and ((made and document) or named)


_FACTS = frozenset({"money", "quantity", "organisation", "period", "person", "product"})
_LEAST_FACTS = 2


def _told_before(source: Source, entity: Entity, entities: Sequence[Entity]) -> bool:
    """Say whether it stands for facts that the question tells beside a document: 40명, 1,200만 원. 이걸로 기안; write a proposal
    from this."""
    facts = [each for each in entities if each.type in _FACTS]
    if _OUT_OF.search(source.text[: entity.start]):
        return len(facts) >= _LEAST_FACTS
    document = any(each.type == "document_type" and each.start >= entity.end for each in entities)
    return document and sum(each.end <= entity.start for each in facts) >= _LEAST_FACTS
