"""Values of a template's fields: from the question, the person's answers, memory, the person and the artifacts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from metaagent.documents.fields import Unfit, Value, read_value
from metaagent.documents.filling import Material, from_artifacts, missing, with_computed
from metaagent.documents.templates import FieldSpec, Template, computation
from metaagent.language.open_answers import leaves_open
from metaagent.language.particles import Language
from metaagent.level2.document.facts import about, facts_of_field
from metaagent.level2.document.items import itemised, with_their_sum
from metaagent.level2.document.note_style import stated
from metaagent.level2.document.repairing import without_repairs
from metaagent.level2.document.said import Fact, Said, overlaps
from metaagent.level2.document.side_values import told_values
from metaagent.level2.document.unassigned_clauses import left_over, listed_facts, with_rest
from metaagent.plugin import NeedsInput, Text, User
from metaagent.values import mapping, parse_iso, rows, sequence

Json = dict[str, Any]
MOST_WRONG = 3
"""Answers that do not fit, after which a field stays open."""
_ASKS_BACK = re.compile(r"[?？]\s*$")
_NO_ANSWER = Text(
    en="That is a question; the form needs the value itself (“later” leaves it open).",
    ko="질문으로 답하셨습니다. 서식에 적을 값이 필요합니다(“나중에”라고 하면 비워 둡니다).",
)
_WORDS = re.compile(r"[가-힣\d]|[^\W\d_ㄱ-ㅎㅏ-ㅣ]{2}")
"""Something that can be a value: a syllable, a digit, two letters. Jamo alone are slips of the keyboard."""
_NO_WORDS = Text(
    en="'{answer}' says nothing that the form could hold.",
    ko="'{answer}'은(는) 서식에 적을 수 있는 말이 아닙니다.",
)
_COPULA = re.compile(
    r"(?<=[가-힣])(?:입니다|이에요|예요|이요|이었어요?|였어요?|이었습니다|였습니다|이야)[.!~]*$"
)
_AGAIN = Text(en="{reason} {question}", ko="{reason} {question}")


@dataclass(frozen=True)
class Known:
    """Everything that can fill a field, apart from artifacts."""

    request: Mapping[str, Any]
    answers: Sequence[Any]
    memories: Sequence[Mapping[str, Any]]
    user: User | None
    today: date | None
    language: Language


def day_of(request: Mapping[str, Any], timestamp: object) -> date | None:
    """The day where the installation is, as the analysis has it; without one, the day of the moment."""
    today = mapping(request.get("user_context")).get("today")
    if isinstance(today, str) and today:
        return date.fromisoformat(today)
    return parse_iso(timestamp).date() if isinstance(timestamp, str) and timestamp else None


def collect(template: Template, known: Known, materials: Sequence[Material]) -> dict[str, Value]:
    """The values that are known. Raises NeedsInput for the first required field that is missing."""
    found = from_artifacts(template, materials, known.language)
    part = scope(known.request)
    facts = listed_facts(template, replace(part.said, today=known.today or date(2000, 1, 1)))
    for name, spec in template.fields.items():
        for value in _said(name, spec, known, part, facts):
            fit = read_value(spec, value.value, known.today or date(2000, 1, 1), known.language)
            if not isinstance(fit, Unfit) and name not in found:
                found[name] = Value(fit, value.source)
    found |= _multiplied(template, part, found)
    items, priced = itemised(template, part.said.text, known.language)
    found |= items
    if items and not materials:
        found = with_their_sum(template, {}, found) | found
    if not materials:
        covered = [*_covered(part, facts, found), *priced]
        rest = with_rest(template, part.said, facts, covered, _of_others(known, part))
        found |= {name: Value(fact.text, "question") for name, fact in rest.items()}
    for answer in _own_answers(template, known.request):  # what an answer to another question told along
        found = _told_along(template, answer, known) | found
    left = {
        name
        for name, slot in mapping(known.request.get("slots")).items()
        if mapping(slot).get("source") == "left"
    }
    wanted = missing(template, found, {each.kind for each in materials})
    found = _answered(template, known, [name for name in wanted if name not in left]) | found
    return with_computed(template, found, known.today, known.language)


def _own_answers(template: Template, request: Mapping[str, Any]) -> list[str]:
    """Answers that may tell something of this document: the day of a seminar is none of the visit that is reported beside it."""
    slots = mapping(request.get("slots"))
    return [
        str(each.get("answer") or "")
        for each in rows(request.get("clarification_answers"))
        if (field := str(each.get("field") or "").rpartition(".")[2]) not in slots or field in template.fields
    ]


_THAT_DAY = re.compile(r"그\s?날|같은\s?날|당일|\b(?:that|the same) (?:day|date)\b", re.IGNORECASE)
_THERE = re.compile(
    r"거기|그\s?곳|같은\s?(?:곳|장소|병원|의원|기관)|\bthere\b|\bthe same (?:place|clinic|hospital)\b",
    re.IGNORECASE,
)


_HELD_THERE = re.compile(
    r"(?:거기|그\s?곳|같은\s?(?:곳|장소|병원|의원|기관))에서|\b(?:there|at the same (?:place|clinic|hospital))\b",
    re.IGNORECASE,
)
"""Words by which something takes place where the last name is."""


@dataclass(frozen=True)
class Part:
    """The words of the request that are about this document, and the entities in them."""

    said: Said
    entities: tuple[Json, ...]
    before: str = ""
    """The words before it that it points back at: "the lunch there that day"."""


def scope(request: Mapping[str, Any]) -> Part:
    question = str(request.get("in_full") or request.get("raw_query", ""))
    part = mapping(request.get("resolved"))
    span = sequence(part.get("span")) or (0, len(question))
    start, end = int(span[0]), int(span[1])
    stretches = [(start, end), *((int(a), int(b)) for a, b in map(sequence, sequence(part.get("more"))))]
    start, end = min(a for a, _ in stretches), max(b for _, b in stretches)
    inside = {at for a, b in stretches for at in range(a, b)}
    # Words of other documents are blanks here, so that every place stays where it is.
    text = "".join(char if at in inside else " " for at, char in enumerate(question[:end]) if at >= start)
    told, text = text, without_repairs(text)
    entities = [
        {**each, "span": [_place(each)[0] - start, _place(each)[1] - start]}
        for each in rows(request.get("extracted_entities"))
        if not each.get("span") or _place(each)[1] - 1 in inside
    ]
    entities = [each for each in entities if told[slice(*_place(each))] == text[slice(*_place(each))]]
    wanted = mapping(request.get("resolved")).get("document_type")
    names = [
        _place(e)[0] for e in entities if e.get("type") == "document_type" and e.get("normalized") == wanted
    ]
    known = tuple(_place(each) for each in entities if each.get("type") in _KNOWN)
    products = tuple(_place(each) for each in entities if each.get("type") == "product")
    counts = tuple(_place(each) for each in entities if each.get("type") == "quantity")
    said = Said(text, names[0] if names else -1, known, products=products, counts=counts)
    last = stretches[-1][0]
    dated = any(each.get("type") == "period" for each in entities)
    if _THAT_DAY.search(text) or (
        _THERE.search(text) and not dated
    ):  # a thing that was done there was done then
        entities += _last_before(request, last, "period")
    if _THERE.search(text):
        there = _last_before(request, last, "organisation")
        entities += [*there, *({**each, "type": "place"} for each in there if _HELD_THERE.search(text))]
    before = question[:last] if _THERE.search(text) else ""
    return Part(said, tuple(entities), before)


_KNOWN = frozenset(
    {"organisation", "person", "product", "location", "period", "money", "quantity", "document_type"}
)


def _last_before(request: Mapping[str, Any], start: int, kind: str) -> list[Json]:
    """The last entity of a kind before a place, as one that stands nowhere."""
    found = [
        e for e in rows(request.get("extracted_entities")) if e.get("type") == kind and _place(e)[1] <= start
    ]
    return [{**each, "span": [-1, -1]} for each in found[-1:]]


def _said(name: str, spec: FieldSpec, known: Known, part: Part, facts: Mapping[str, Fact]) -> list[Value]:
    """Values that the field's sources give, in the template's order."""
    found: list[Value] = []
    for source in spec.source:
        if source == "form":
            found += [
                Value(each, "question") for each in _from_question(name, spec, known.request, part, facts)
            ]
        elif source == "memory":
            key = spec.take or name
            found += [
                Value(m["value"], "memory") for m in known.memories if m.get("key") == key and m.get("value")
            ]
        elif source == "person" and known.user is not None:
            found.append(Value(known.user.user_id, "person"))
    return found


def _from_question(
    name: str, spec: FieldSpec, request: Mapping[str, Any], part: Part, facts: Mapping[str, Fact]
) -> list[Any]:
    """The slot of the field's name, then the fact that the words state, then entities of the type that the template takes
    and that no other field's fact holds."""
    slot = mapping(mapping(request.get("slots")).get(name)).get("value")
    if slot is not None:
        return [slot]
    if spec.type == "choice" and spec.take == "words":
        return [part.said.text]
    stated = facts.get(name)
    found: list[Any] = [_as_read(stated.text, request, part)] if stated else []
    others = [fact.at for field, fact in facts.items() if field != name]
    if spec.endings and not found and part.before:
        pointed = facts_of_field(spec, part.before)
        found = [pointed.text] if pointed else []
    if spec.type == "money":
        return [*found, *_sums(spec, part, others)]
    return [*found, *_from_entities(spec, part, others, facts)]


def _as_read(text: str, request: Mapping[str, Any], part: Part) -> str:
    """A misspelt name as the data has it, where the document shows figures of it; a mere form keeps what was written."""
    if "data_analysis" not in sequence(request.get("required_capabilities")):
        return text
    names = [each.get("name") for each in part.entities if each.get("value") == text and each.get("name")]
    return str(names[0]) if names else text


def _from_entities(
    spec: FieldSpec, part: Part, others: Sequence[tuple[int, int]], facts: Mapping[str, Fact]
) -> list[Any]:
    """Entities of the type that the field takes."""
    found: list[Any] = []
    for entity in _totals_first(part) if spec.type in ("integer", "number") else part.entities:
        if not spec.take or entity.get("type") != spec.take or entity.get("replaced"):
            continue
        inside = entity.get("type") == "product" and not overlaps(
            _place(entity), [f.at for f in facts.values() if f.text == entity.get("value")]
        )
        if overlaps(_place(entity), others) and not inside:
            continue
        if spec.units and entity.get("unit") not in spec.units:
            continue
        if spec.type in ("date", "moment"):
            found += _day(entity)
        elif spec.type in ("integer", "number"):
            found.append(entity.get("normalized"))
        else:
            found.append(entity.get("name") or entity.get("value"))
    return [each for each in found if each is not None]


_EACH_BEFORE = re.compile(r"(?:인당|1인|한\s?명당|명당|per (?:person|head))\s?$", re.IGNORECASE)
_EACH_BEHIND = re.compile(r"\s?(?:씩|(?:per|a) (?:person|head)|each\b|apiece)", re.IGNORECASE)
_IN_ALL = re.compile(
    r"(?:총|합계|합쳐|합해서?|모두|전부|다\s?해서|total(?:\sof)?|altogether|in all)[은는:]?\s?$",
    re.IGNORECASE,
)


_IN_ALL_BEHIND = re.compile(r"\s?(?:in all|in total|altogether|all told)\b", re.IGNORECASE)


def _totals_first(part: Part) -> list[Json]:
    """The entities with those first that are called the whole: 원장님 두 분, 총 3명."""
    text = part.said.text

    def is_total(entity: Json) -> bool:
        start, end = _place(entity)
        return (
            _IN_ALL.search(text[: max(start, 0)]) is not None or _IN_ALL_BEHIND.match(text, end) is not None
        )

    return sorted(part.entities, key=lambda entity: not is_total(entity))


def _sums(spec: FieldSpec, part: Part, others: Sequence[tuple[int, int]]) -> list[Any]:
    """Amounts that the field can mean: the total that is named, else the first, or the sum of all where the field adds them up.
    An amount for each person is none."""
    text = part.said.text
    found = [
        (_place(each)[0], each["normalized"])
        for each in part.entities
        if each.get("type") == spec.take
        and isinstance(each.get("normalized"), int | float)
        and not overlaps(_place(each), others)
        and not _is_for_each(text, _place(each))
    ]
    total = [amount for start, amount in found if start > 0 and _IN_ALL.search(text[:start])]
    whole = sum(amount for _, amount in found)
    total = total or [amount for _, amount in found if len(found) > 2 and amount * 2 == whole]
    if total or not spec.sum:
        return total[:1] or [amount for _, amount in found]
    return [sum(amount for _, amount in found)] if found else []


def _multiplied(template: Template, part: Part, found: Mapping[str, Value]) -> dict[str, Value]:
    """A total that is told as an amount for each: 1인당 2만 4천 원, 5명."""
    each = [
        entity["normalized"]
        for entity in part.entities
        if entity.get("type") == "money"
        and isinstance(entity.get("normalized"), int | float)
        and _is_for_each(part.said.text, _place(entity))
    ]
    made: dict[str, Value] = {}
    for spec in template.fields.values() if each else ():
        if spec.source != ("computed",):
            continue
        function, needs = computation(spec)
        if function == "per" and needs[0] not in found and needs[1] in found:
            made[needs[0]] = Value(each[0] * found[needs[1]].value, "question")
    return made


def _is_for_each(text: str, at: tuple[int, int]) -> bool:
    return (
        _EACH_BEFORE.search(text[: max(at[0], 0)]) is not None or _EACH_BEHIND.match(text, at[1]) is not None
    )


def _day(entity: Mapping[str, Any]) -> list[Any]:
    """A day of another part that the words point at; the days of this one are facts."""
    pointed = _place(entity) == (-1, -1) and entity.get("unit") == "day" and entity.get("start")
    return [entity["start"]] if pointed else []


def _place(entity: Mapping[str, Any]) -> tuple[int, int]:
    start, end = sequence(entity.get("span")) or (0, 0)
    return int(start), int(end)


def not_in_data(template: Template, values: Mapping[str, Value], request: Mapping[str, Any]) -> list[str]:
    """Names in fields as the person wrote them that the data does not know."""
    known = {
        str(entity.get("name") or entity.get("value"))
        for entity in rows(request.get("extracted_entities"))
        if entity.get("normalized") is not None
    }
    similar = {
        str(entity.get("value")): str(entity.get("name"))
        for entity in rows(request.get("extracted_entities"))
        if entity.get("name") and entity.get("name") != entity.get("value")
    }

    def shown(name: str) -> str:
        return f"{name} (≈ {similar[name]})" if name in similar else name

    return [
        shown(str(values[name].value))
        for name, spec in template.fields.items()
        if spec.take in ("organisation", "product")
        and name in values
        and values[name].source in ("question", "answer")
        and values[name].value not in known
    ]


def _answered(template: Template, known: Known, wanted: Sequence[str]) -> dict[str, Value]:
    """Read the answers in the order of their questions. A field that was answered wrongly too often, or is left for later,
    stays open."""
    found: dict[str, Value] = {}
    answers = list(known.answers)
    for name in wanted:
        spec = template.fields[name]
        reason = ""
        if name in found or set(spec.unless) & set(found):
            continue  # an earlier answer told it along
        for _ in range(MOST_WRONG):
            if not answers:
                raise _question(name, spec, reason, known.language)
            said = answers.pop(0)
            if leaves_open(str(said)):
                break
            along = _told_along(template, str(said), known)
            fit = _fit(spec, said, known, along)
            if not isinstance(fit, Unfit):
                found = along | found | {name: Value(fit, "answer")}
                break
            # one that answers another question is no wrong one: 어제, where the amount was asked for
            reason = "" if along.keys() - found.keys() else fit.reason
            found = along | found
            if name in found:
                break
    return found


def _fit(spec: FieldSpec, said: Any, known: Known, along: Mapping[str, Value]) -> Any | Unfit:
    """The value of an answer, or why it is none: jamo, a question, or a short text that only answers others."""
    text = str(said)
    if spec.type == "text" and not _WORDS.search(text):
        return Unfit(_NO_WORDS.say(known.language, answer=text[:80]))
    if spec.type == "text" and _ASKS_BACK.search(text):
        return Unfit(_NO_ANSWER.say(known.language))
    only_others = spec.take == "organisation" and along and len(text.split()) <= MOST_WORDS
    if only_others and facts_of_field(spec, text) is None:
        return Unfit(_NO_WORDS.say(known.language, answer=text[:80]))
    return read_value(spec, _bare(spec, said), known.today or date(2000, 1, 1), known.language)


MOST_WORDS = 4
"""Words of an answer that can be nothing but the value of another field."""


def _told_along(template: Template, answer: str, known: Known) -> dict[str, Value]:
    """Values of other fields that an answer tells beside its own: 한빛의원이요, 어제 김민수 원장님 만났어요."""
    return told_values(template, answer, known.today or date(2000, 1, 1), known.language, "answer")


def _bare(spec: FieldSpec, said: Any) -> Any:
    """A name without the words of a sentence around it: 한빛내과의원이에요."""
    if spec.type != "text" or not isinstance(said, str):
        return said
    named = facts_of_field(spec, said)
    return named.text if named is not None else _COPULA.sub("", said.strip())


def unused(template: Template, known: Known, values: Mapping[str, Value]) -> list[str]:
    """Clauses of the request with words that stand in no field; one that asks for something or greets is none."""
    part = scope(known.request)
    said = replace(part.said, today=known.today or date(2000, 1, 1))
    facts = listed_facts(template, said)
    covered = [
        *_covered(part, facts, values),
        *itemised(template, said.text, known.language)[1],
        *_of_others(known, part),
    ]
    names = [fact.at for fact in facts.values() if fact.shared]
    held = " ".join(str(each.value) for each in values.values())
    return [
        left.clause.text
        for left in left_over(about(template, said), covered, names)
        if left.matters and left.text not in held and stated(left.text) not in held
    ]


def _covered(part: Part, facts: Mapping[str, Fact], values: Mapping[str, Value]) -> list[tuple[int, int]]:
    """The stretches of a request that stand in fields."""
    held = {str(each.value) for each in values.values()} | {str(each.value)[:10] for each in values.values()}
    named = [
        _place(each)
        for each in part.entities
        if each.get("type") == "document_type"
        or (each.get("type") != "product" and any(str(each.get(key)) in held for key in _VALUES))
    ]
    return [*named, *(at for fact in facts.values() if not fact.shared for at in (fact.spans or (fact.at,)))]


def _of_others(known: Known, part: Part) -> list[tuple[int, int]]:
    """Sums and counts that this document has no field for, where the request asks for several."""
    named = {
        e.get("normalized")
        for e in rows(known.request.get("extracted_entities"))
        if e.get("type") == "document_type"
    }
    counted = [_place(each) for each in part.entities if each.get("type") in ("money", "quantity")]
    return counted if len(named) > 1 else []


_VALUES = ("normalized", "value", "name", "start")
"""Keys of an entity whose value a field can have."""


def _question(name: str, spec: FieldSpec, reason: str, language: Language) -> NeedsInput:
    assert spec.question is not None
    asked = spec.question.say(language)
    options = [shown.say(language) for shown in spec.options.values()]
    text = _AGAIN.say(language, reason=reason, question=asked) if reason else asked
    return NeedsInput(text, options=options or None, field=name)
