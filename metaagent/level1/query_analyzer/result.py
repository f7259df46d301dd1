"""The reading as the plain data of QueryAnalyzerState, with a reason for every conclusion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from metaagent.errors import Text
from metaagent.language.private_words import private_kinds
from metaagent.level1.query_analyzer import complexity, feasibility
from metaagent.level1.query_analyzer.ambiguity import metric_label
from metaagent.level1.query_analyzer.entities import NAMED, Entity
from metaagent.level1.query_analyzer.follow_ups.inheriting import leans
from metaagent.level1.query_analyzer.grammar import describe
from metaagent.level1.query_analyzer.intents import FoundIntent, measured
from metaagent.level1.query_analyzer.reading import DATA_INTENTS, Plain, Reading
from metaagent.level1.query_analyzer.request import range_of
from metaagent.level1.query_analyzer.requests.writing import fed_by, parts
from metaagent.level1.query_analyzer.semantic_request import semantic_request
from metaagent.level1.query_analyzer.wording import ASSUMED, intent_reason, period_reason, value_reason
from metaagent.level1.query_analyzer.words.language import detect
from metaagent.level1.query_analyzer.words.search_words import everyday, scene, synonyms
from metaagent.level1.query_analyzer.words.source import read


def _needed(reading: Reading, intents: Iterable[FoundIntent]) -> list[str]:
    found = [reading.context.domain.intent(item.name) for item in intents]
    return list(dict.fromkeys(name for intent in found if intent for name in intent.capabilities))


def _optional(reading: Reading) -> list[str]:
    """Entity types that no other part of the question needs."""
    required = _needed(reading, (i for i in reading.intents if not i.optional))
    wished = _needed(reading, (i for i in reading.intents if i.optional))
    return [name for name in wished if name not in required]


def _capabilities(reading: Reading) -> tuple[list[str], list[str]]:
    """The capabilities that the intents need, and the agents that offer them."""
    context = reading.context
    names = _needed(reading, reading.intents)
    offers: Sequence[Mapping[str, Any]] = context.capabilities or context.domain.capabilities
    agents = [
        str(item["agent"]) for name in names for item in offers if item["name"] == name and item.get("agent")
    ]
    return names, list(dict.fromkeys(agents))


_INNER = frozenset({"place", "proper", "crowded", "also", "table", "title", "reaches"})
"""Everything that the rules carry along for themselves."""


def _shown(reading: Reading, entity: Entity) -> Plain:
    start, end = reading.source.span(entity.start, entity.end)
    shown: Plain = {
        "type": entity.type,
        "value": reading.source.raw[start:end],
        "normalized": entity.normalized,
        "span": [start, end],
        "confidence": measured(reading.context.domain.calibration, f"entity_{entity.method}"),
        "method": entity.method,
        **{key: value for key, value in entity.extra.items() if key not in _INNER},
    }
    if entity.normalized is None and entity.candidates and entity.type in NAMED:
        shown["candidates"] = [meaning.normalized for meaning in entity.candidates]
    return shown


def _because(conclusion: str, reason: str, evidence: Sequence[Any]) -> Plain:
    return {"conclusion": conclusion, "reason": reason, "evidence": list(evidence)}


def _entity_reason(reading: Reading, entity: Entity) -> str:
    if entity.type == "period":
        return period_reason(entity, reading.context.today, reading.language)
    return value_reason(entity, reading.language)


def _explanations(reading: Reading, parts: Mapping[str, float], feasible: Plain) -> list[Plain]:
    language = reading.language
    clear = ASSUMED["feasible" if feasible["data_checked"] else "unchecked"].say(language)
    found = [_because(f"intent={i.name}", intent_reason(i, language), i.words) for i in reading.intents]
    found += [
        _because(f"optional={i.name}", ASSUMED["optional"].say(language), i.words)
        for i in reading.intents
        if i.optional
    ]
    found += [
        _because(f"{e.type}={e.normalized}", _entity_reason(reading, e), [reading.surface(e)])
        for e in reading.entities
    ]
    if reading.inherited:
        fields = ",".join(reading.inherited)
        found.append(_because(f"inherited={fields}", ASSUMED["inherited"].say(language), reading.inherited))
    found += [
        _because(f"ask={item['field']}", item["reason"], item["options"]) for item in reading.ambiguities
    ]
    return [
        *found,
        _because(
            f"complexity={complexity.score(dict(parts))}",
            ASSUMED["complexity"].say(language),
            [f"{name}={value}" for name, value in parts.items()],
        ),
        _because(
            f"feasible={feasible['feasible']}", " ".join(feasible["reasons"]) or clear, feasible["reasons"]
        ),
    ]


def _requirements(reading: Reading, needed: Sequence[str]) -> Plain:
    context, resolved = reading.context, reading.resolved
    rights = [
        right
        for item in context.capabilities
        if item["name"] in needed
        for right in item.get("requires") or ()
    ]
    return {
        "need_auth": bool(rights),
        "permissions": sorted(set(map(str, rights))),
        "data_scope": {
            "company_id": context.user.get("company_id"),
            "metrics": resolved["metrics"],
            "dimensions": resolved["dimensions"],
            "period": resolved["period"],
        },
        "needs_documents": bool(resolved["regulations"])
        or any(intent.name == "search" for intent in reading.intents),
        "needs_artifacts": resolved["artifacts"],
    }


_NOT_HERE = Text(
    en="'{words}' is not in the data. There is: {known}.",
    ko="'{words}'은(는) 데이터에 없습니다. 볼 수 있는 수치: {known}.",
)
_HIDDEN = Text(
    en="'{words}' is personal or secret: the data has it, and it is shown to nobody. There is: {known}.",
    ko="'{words}'은(는) 개인 정보나 비밀이어서 데이터에 있어도 누구에게도 보여 주지 않습니다. 볼 수 있는 수치: {known}.",
)
SHOWN = 12


def _is_hidden(reading: Reading) -> bool:
    """Say whether a word asks for a column that is shown to nobody: by its name, or for its kind of private data."""
    hidden = {name.lower() for name in reading.context.hidden}
    kinds = {kind for name in hidden for kind in private_kinds(name)}
    return any(word.lower() in hidden or private_kinds(word) & kinds for word in reading.unknown)


def _unknown(reading: Reading, feasible: Plain) -> Plain:
    """A figure that the data does not have: said, with what there is."""
    vocabulary, language = reading.context.vocabulary, reading.language
    known = [metric_label(vocabulary, t.name, language) for t in vocabulary.terms if t.kind == "metric"][
        :SHOWN
    ]
    text = _HIDDEN if _is_hidden(reading) else _NOT_HERE
    reason = text.say(language, words=", ".join(reading.unknown), known=", ".join(known))
    return {**feasible, "data_available": False, "feasible": False, "reasons": [reason]}


def _needs_data(reading: Reading) -> bool:
    """Say whether figures are asked for of agents that would read them from the data."""
    figures = (intent for intent in reading.intents if intent.name in DATA_INTENTS)
    return bool(reading.context.out_of_reach & set(_needed(reading, figures)))


def _without_data(reading: Reading, feasible: Plain) -> Plain:
    assert reading.context.absent is not None
    reason = reading.context.absent.say(
        reading.language, company=reading.context.user.get("company_id") or "-"
    )
    return {**feasible, "data_available": False, "feasible": False, "reasons": [reason], "nearest": None}


LONGEST_FOLLOW_UP = 60
"""Characters of a question that may lean on the one before it."""
_DATA = frozenset({"metric", "dimension", "period", "value", "location", "person", "organisation", "product"})


def _same_data(reading: Reading) -> bool:
    """Tells whether data of an earlier turn may stand for this one: it names none of its own, or the very same."""
    figures = any(entity.type == "metric" for entity in reading.entities)
    if (reading.revises and not figures) or not any(entity.type in _DATA for entity in reading.entities):
        return True
    before = (reading.context.previous or {}).get("resolved") or {}
    own = reading.resolved
    fields = ("metrics", "dimensions", "filters", "rank")
    same = all((own.get(name) or None) == (before.get(name) or None) for name in fields)
    return same and range_of(own["period"]) == range_of(before.get("period"))


def _data_title(reading: Reading, asked: Plain) -> str:
    """The data that is asked for, in words: figures, filters and period; '' where none is."""
    labels: dict[str, str] = {}
    for item in reading.resolved["filters"]:
        titles = item.get("titles") or {}
        for value, label in zip(item.get("values", ()), item.get("labels", ()), strict=False):
            shown = str((titles.get(label) or {}).get(reading.language) or label)
            labels |= {str(value): shown, str(label): shown}
    return describe.query(asked, labels, reading.context.vocabulary, reading.language)


def _search(reading: Reading) -> Plain:
    """The other words that documents may use, where documents are to be searched."""
    if not any(intent.name == "search" for intent in reading.intents):
        return {}
    context = reading.context
    source, domain = (
        read(reading.source.raw),
        context.domain,
    )  # documents have words that are no slips of the data's
    return {
        "synonyms": [*everyday(source, domain), *synonyms(source, domain, context.vocabulary)],
        "scene": scene(source, domain),
        **({"before": before} if (before := _asked_before(reading)) else {}),
    }


def _asked_before(reading: Reading) -> str:
    """The question that a follow-up of a search leans on: "그럼 기념품은?" asks for the limit that was asked for before."""
    previous = reading.context.previous or {}
    searched = any(each.get("intent") == "search" for each in previous.get("parsed_intents") or ())
    if not searched or len(reading.source.raw) > LONGEST_FOLLOW_UP or not leans(reading.source.text):
        return ""
    return str(previous.get("raw_query") or "")


def state_of(reading: Reading) -> Plain:
    """The state of the query analyzer that a finished reading is."""
    absent = reading.context.absent is not None and _needs_data(reading)
    reading = _without_idle_words(reading, absent)
    context, resolved = reading.context, reading.resolved
    asked = reading.semantic or semantic_request(resolved, context.domain.entity_dimensions, reading.language)
    needed, agents = _capabilities(reading)
    optional = _optional(reading)
    feasible = _feasible(reading, [name for name in needed if name not in optional], absent)
    made_of = complexity.components(resolved, len(reading.intents), len(agents), len(reading.ambiguities))
    return {
        "raw_query": reading.source.raw,
        "query_timestamp": context.timestamp,
        "user_context": {
            **context.user, "timezone": context.timezone, "today": context.today.isoformat(), "memories": list(context.memories),
        },
        "language": reading.language,
        "script": detect(reading.source.raw),
        "parsed_intents": [
            {"intent": i.name, "confidence": i.confidence, "rule": i.rule, **({"optional": True} if i.optional else {})}
            for i in reading.intents
        ],
        "required_capabilities": needed,
        "optional_capabilities": optional,
        "complexity_score": complexity.score(made_of),
        "complexity_components": made_of,
        "suggested_agents": agents,
        "context_requirements": _requirements(reading, needed),
        "extracted_entities": [_shown(reading, entity) for entity in reading.entities],
        "ambiguities": list(reading.ambiguities),
        "clarification_needed": bool(reading.ambiguities),
        "feasibility_check": feasible,
        "explanations": _explanations(reading, made_of, feasible),
        "assumptions": list(reading.assumptions),
        "slots": dict(reading.slots or {}),
        "resolved": resolved,
        "semantic_request": asked,
        "search": _search(reading),
        "data_title": _data_title(reading, asked),
        "doubts": list(reading.doubts),
        "small_talk": reading.small_talk,
        "revises": reading.revises,
        "change": reading.change if reading.revises else "",
        "parts": parts(reading),
        "fed_by": fed_by(reading),
        "attached": [str(each["id"]) for each in context.artifacts if each.get("attached")],
        "same_data": _same_data(reading),
        "reading": {
            "by": "grammar" if reading.semantic else "form",
            "confidence": reading.confidence,
            "features": dict(reading.features or {}),
        },
        "unread": list(reading.unread),
        "follow_up": reading.follows,
        "inherited": list(reading.inherited),
        "replaced": list(reading.replaced),
        "pointed": _pointed(reading),
        "earlier": list(reading.earlier),
    }  # fmt: skip


def _pointed(reading: Reading) -> list[str]:
    """The dimensions whose limits words such as those, the second one, there stand for, in this question or before."""
    limits = {str(f["dimension"]) for f in (reading.semantic or {}).get("filters") or () if "dimension" in f}
    before = {str(name) for name in (reading.context.previous or {}).get("pointed") or ()}
    return sorted(limits & (before | {one.dimension for one in reading.pointed}))


def _without_idle_words(reading: Reading, absent: bool) -> Reading:
    """Take out assumptions, questions and doubts about data that is not going to be looked up."""
    if reading.unknown:  # nothing is looked up: nothing is assumed, but for what the model read otherwise
        reading = replace(reading, assumptions=())
        if reading.disputed:
            reading = reading.assume(ASSUMED["disputed"], words=", ".join(reading.disputed))
    return replace(reading, ambiguities=(), assumptions=(), doubts=()) if absent else reading


def _feasible(reading: Reading, required: list[str], absent: bool) -> Plain:
    context, resolved = reading.context, reading.resolved
    columns = {
        term.name: term.column for term in context.vocabulary.terms if term.kind in ("metric", "dimension")
    }
    unrestricted = context.domain.defaults.get("unrestricted_roles") or ()
    offered = context.capabilities or context.domain.capabilities
    looked_up = {**resolved, "metrics": [], "dimensions": []} if reading.only_writes else resolved
    looked_up = {**looked_up, "dated_by": (reading.semantic or {}).get("dated_by")}
    found = feasibility.check(
        looked_up, required, offered, context.user, context.coverage, columns, unrestricted, reading.language
    )
    if reading.unknown:
        found = _unknown(reading, found)
    return _without_data(reading, found) if absent else found
