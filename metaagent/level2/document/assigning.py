"""Values that a request to change a document gives, each with the field that it is for. Pure.

A field is named by its label, the last word of it ("인원" of "참석 인원"), or another name of it ("the doctor's name"). A value
without a name goes to the one field that can hold it: a day to the day of the event, a sum to the sum.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import pairwise
from math import log
from typing import Any

from metaagent.documents.fields import Unfit, Value, find_time, read_amount, read_date, read_value
from metaagent.documents.templates import FieldSpec, Template
from metaagent.language.numerals import count_word
from metaagent.language.particles import Language
from metaagent.level2.document.clauses import UNDECIDED, sentence_end
from metaagent.level2.document.correcting import relative_values
from metaagent.level2.document.items import changed_items
from metaagent.level2.document.labels import NUMBER, REJECTED, without_verb
from metaagent.level2.document.people import names_with_titles
from metaagent.level2.document.repairing import without_repairs
from metaagent.level2.document.side_values import told_values

TO = re.compile(
    r"(?:을|를|은|는|이|가|도)?\s*['\"“]?(.{1,300}?)['\"”]?\s*(?:(?:으로|로)\s*(?:바꿔|바꾸|바뀌|바뀜|바꿈|변경|수정|고쳐|고치|정정|늘려|늘리|줄여|줄이|올려|올리|낮춰|낮추"
    r"|맞춰|조정|옮겨|옮기|미뤄|미루|당겨|앞당|연기|해\s?줘|해줘)|(?<![서트표])(?:으로|로|라고)\s*(?:적어|써\s?(?:줘|넣)|채워|기입|기재|입력|넣어))",
    re.IGNORECASE,
)
TO_EN = re.compile(
    r"(?:change|set|update|correct|fill in|put|move|rename|retitle|make"
    r"|raise|lower|increase|reduce|postpone)\s.{0,60}?\b(?:to|as|with)\s+"
    r"['\"“]?(.{1,300}?)['\"”]?\s*[.!]?$",
    re.IGNORECASE,
)
IS = re.compile(
    r"^(?:은|는|이|가|도)?\s*['\"“]?(.{1,300}?)['\"”]?\s*(?:(?<=[가-힣])야|이야|입니다|이에요|예요|이다|임"
    r"|이었어요?|였어요?|이었습니다|였습니다|이었음|였음|이네요?|네요|이었네요?|였네요?|이거든요?|거든요|인데요|이더라고요|더라고요|으로요?|로요?|(?:으로|로)\s?(?:하자|할게|부탁)[가-힣\s]*)[.!~]*$"
)
"""The words behind the name of a field that say what it is: …은 김민서야."""
_NAME = re.compile(
    r"^\s?(?:이름|성함|날짜|시간)(?=은|는|이|가|을|를|\s)|^(?:한|하신|된|드린|받은|나눈)\s?(?:건|것은|거는|거|것|내용은|내용|분은|사람은)(?=\s)"
)
_WRONG = re.compile(
    r"^(?:이|가|은|는)?\s?(?:잘못|틀렸|틀린|틀려|아니)[가-힣\s]*[.,!]\s*|^(?:is|was)\swrong[.,;!]\s*(?:it(?:'s| is| was)\s)?"
)
"""Words that only say that a value is not right: 면담자 이름이 틀렸어. …"""
_PUT_IN = re.compile(
    r"^\S{0,3}\s?(?:넣어|추가해|적어|써)\s?(?:줘|주세요|주십시오)?\s?[:：]\s*['\"“]?(.{2,300}?)['\"”]?[.!]*$"
)
"""A value behind the request to write it: 결론도 넣어줘: …"""
_BARE = re.compile(r"^(?:은|는)\s(.{1,60}?)[.!~]*$")
_BEHIND_EN = re.compile(
    r"^(?:'s\s\w+)?\s*(?:field\s)?(?:to|as|with|is|was|were|are|should be|must be|will be|has to be|:|=)\s+"
    r"(?:spell?ed\s|spelt\s|written\s)?(?:as\s)?"
    r"['\"“]?(.{1,300}?)['\"”]?\s*[.!]?$",
    re.IGNORECASE,
)
_AND = re.compile(r"(?:,|;)?\s+(?:and|then)\s+(?:the\s+)?\S*\s*$|[,;]\s*(?:the\s+)?$", re.IGNORECASE)
MEASURED = ("date", "moment", "time", "money", "integer", "number")
_MONEY = re.compile(
    r"(?:KRW|₩)\s?[\d,.]+(?:\s?(?:thousand|million|billion))?|\d[\d,.]*\s?[천만억]?\s?(?:\d[\d,]*\s?[천만]?\s?)?(?:원|won)\b",
    re.IGNORECASE,
)
_PEOPLE = r"명|인|people|participants?|attendees?|persons?"


def asked_values(
    template: Template, question: str, before: Mapping[str, Value], today: date, language: Language
) -> tuple[dict[str, Any], list[str]]:
    """The values by field, and why values that a field cannot hold were refused."""
    question = _REPORTED.sub(r"\1", without_repairs(question, contrasts=False))
    given, refused = changed_items(template, question, before, language)
    if given or refused:
        return given, refused
    places = list(named_places(template, question, before))
    told = relative_values(template, question, before, frozenset(name for _, _, name in places), today)
    for name, said in told.items():
        value = read_value(template.fields[name], said, today, language)
        if isinstance(value, Unfit):
            refused.append(value.reason)
        else:
            given[name] = value
    for at, (start, end, name) in enumerate(places):
        if name in told:
            continue
        until = places[at + 1][0] if at + 1 < len(places) else len(question)
        until = min(until, max(end, sentence_end(question, end)))
        said = _counted_before(template.fields[name], question[:start])
        said = said or _value_in(template.fields[name], _AND.sub("", question[end:until]).strip(" .!~\n"))
        if said is None and len(places) == 1 and not told and (found := TO_EN.search(question)):
            said = found[1]
        if said is None or UNDECIDED.match(said.strip()):
            continue
        said = _in_its_month(template.fields[name], said.strip(), before.get(name))
        value = read_value(template.fields[name], said, today, language)
        if isinstance(value, Unfit):
            refused.append(value.reason)
        else:
            given[name] = value
    told_along = told_values(template, question, today, language, "question")
    given |= {name: each.value for name, each in told_along.items() if name not in {*before, *given}}
    if not refused:
        given = dict(_unnamed(template, _unclaimed(question, given, places), before, today, language)) | given
    return given, refused


_REPORTED = re.compile(
    r"(다)고\s?(?:써|적어|넣어|추가해|기재해|기입해|남겨|해)\s?(?:줘|주세요|주십시오|주라)?[.!~]*$"
)
"""A statement that is to be written: 제품설명서 1부 남겼다고 써줘."""


def _counted_before(spec: FieldSpec, text: str) -> str | None:
    """The number right before the name of a count: make it 45 attendees."""
    found = (
        re.search(r"(?<![\w.,])(\d[\d,]*|[a-z]+)\s$", text, re.IGNORECASE) if spec.type == "integer" else None
    )
    said = found[1].lower() if found else ""
    return said if said[:1].isdigit() else str(count_word(said) or "") or None


_CHANGES = re.compile(
    r"바꿔|바꾸|변경|수정|옮겨|옮기|미뤄|앞당|늘려|줄여|으로|로(?:\s|$)|\b(?:move|change|make|set|start|begin|postpone|raise|lower|to)\b",
    re.IGNORECASE,
)


def _unclaimed(question: str, given: Mapping[str, Any], places: Sequence[tuple[int, int, str]]) -> str:
    """The request, or where it has named values already, those of its clauses that change something and name no field."""
    if not given:
        return question
    cuts = [
        0,
        *(match.end() for match in re.finditer(r"\sand\s|[,;]\s|(?:고|하고|며)\s", question)),
        len(question),
    ]
    free = [
        question[start:end]
        for start, end in pairwise(cuts)
        if not any(start <= at < end for at, _, _ in places) and _CHANGES.search(question[start:end])
    ]
    return " ".join(free) if len(cuts) > 2 else ""


_ONLY_DAY = re.compile(
    r"(?<![월\d/.-])(?<!월\s)(?<!not\s)(?<!not the\s)(?:the\s)?(?<!\d)([1-3]?\d)(?:일|st|nd|rd|th)"
    r"(?!(?:이|가|은|는)?\s?(?:아니|말고))"
    r"(?!\s?(?:of\s)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|\d))"
    r"(?![가-힣]*\s?(?:뒤|후|전|간|동안))",
    re.IGNORECASE,
)
_HAS_MONTH = re.compile(
    r"\d\s?월|\d[/.]\d|(?:다음|이번|지난)\s?달|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\bmonth\b",
    re.IGNORECASE,
)


def _in_its_month(spec: FieldSpec, said: str, before: Value | None) -> str:
    """A day without a month as one of the month that the field has: 12월 20일, then 21일이야."""
    days = spec.type in ("date", "moment") and before is not None and not _HAS_MONTH.search(said)
    found = _ONLY_DAY.search(said) if days else None
    if found is None or before is None:
        return said
    return f"{str(before.value)[:8]}{int(found[1]):02d} {said[found.end() :]}"


def with_its_title(spec: FieldSpec, before: Value | None, value: Any) -> Any:
    """A name with the title that the earlier one had, where the new one comes without: Dr. Han, Hahn → Dr. Hahn."""
    if before is None or not spec.titles or any(title in str(value) for title in spec.titles):
        return value
    old = str(before.value)
    for title in spec.titles:
        if found := re.match(rf"{re.escape(title)}\.?\s", old):
            return f"{found[0]}{value}"
        if found := re.search(rf"\s?{re.escape(title)}$", old):
            return f"{value}{found[0]}"
    return value


def named_places(
    template: Template, question: str, before: Mapping[str, Value]
) -> Iterator[tuple[int, int, str]]:
    """The places where the request names a field, in their order; the longer name counts."""
    found: list[tuple[int, int, int, str]] = []
    for name, spec in template.fields.items():
        if spec.source == ("computed",):
            continue
        for label in names_of(spec):
            own = rf"(?<![A-Za-z0-9]){re.escape(label)}(?![A-Za-z0-9])"
            if not label.isascii():
                own = rf"(?<![가-힣]){re.escape(label)}"
            places = [match.span() for match in re.finditer(own, question, re.IGNORECASE)]
            found += [(start, end, name in before, name) for start, end in places]
    taken: list[tuple[int, int, str]] = []
    for start, end, _, name in sorted(found, key=lambda each: (each[0] - each[1], -each[2], each[0])):
        if not any(start < other_end and other < end for other, other_end, _ in taken):
            taken.append((start, end, name))
    kept: list[tuple[int, int, str]] = []
    for place in sorted(taken):
        if any(place[2] == name for _, _, name in kept) and not re.match(
            r"[은는이가을를]?\s", question[place[1] :]
        ):
            continue  # 면담한 분은 하지원 원장님이고: a title names no field again
        if kept and re.fullmatch(r"\s*(?:의\s*)?", question[kept[-1][1] : place[0]]):
            kept[-1] = (
                kept[-1][0],
                place[1],
                kept[-1][2],
            )  # 다음 약속 날짜: the second only says what kind of value it is
        else:
            kept.append(place)
    yield from kept


def names_of(spec: FieldSpec) -> set[str]:
    labels = [label for label in (spec.label.ko, spec.label.en) if label]
    last = [label.split()[-1] for label in labels if not label.isascii()]
    words = (*labels, *last, *spec.words, *spec.called)
    return {each for each in words if len(each) > 1 and not each.endswith(NUMBER)}


def _value_in(spec: FieldSpec, text: str) -> str | None:
    text = _WRONG.sub("", _NAME.sub("", text))
    if told := _PUT_IN.search(text):
        return told[1]
    text = REJECTED.sub("", text) if spec.type in MEASURED else text
    found = TO.search(text) or _BEHIND_EN.search(text) or IS.search(text) or _BARE.search(text)
    if found is not None:
        said = str(found[1])
        if spec.type == "money" and (paid := _MONEY.search(said)):
            return paid[0]
        named = names_with_titles(said, spec.titles) if spec.titles else None  # 유세진 과장이고 …
        return named.text if named is not None and named.start == 0 else without_verb(spec, said)
    return text if spec.type in MEASURED and re.search(r"\d", text) else None


def _unnamed(
    template: Template, question: str, before: Mapping[str, Value], today: date, language: Language
) -> Iterator[tuple[str, Any]]:
    """Values that only one field can be meant by: of its type, required before others, filled before others."""
    loose = list(_loose(question, today))
    product = _PRODUCT.fullmatch(question.strip())
    if product is not None:  # nothing but a name: 로텐시아정이요
        yield from ((n, product[1]) for n, s in template.fields.items() if s.take == "product")
    elif not loose:
        yield from _nearest(template, question, before, today, language)
        yield from _person(template, question, before)
    for kind, text in loose:
        kinds = ("date", "moment") if kind == "date" else (kind,)
        fields = [(n, s) for n, s in template.fields.items() if s.type in kinds and s.source != ("computed",)]
        fields.sort(key=lambda each: (not each[1].required, each[0] not in before))
        if kind == "date" and (day := read_date(text, today, past=True)) and day > today.isoformat():
            fields.sort(key=lambda each: each[1].past)  # a day ahead is none of a thing that was
        if kind == "date" and find_time(text):
            fields.sort(key=lambda each: each[1].type != "moment")  # a day with its hour is for who keeps one
        if fields:
            said = _in_its_month(fields[0][1], text, before.get(fields[0][0]))
            value = read_value(fields[0][1], said, today, language)
            if not isinstance(value, Unfit):
                yield fields[0][0], value


def _person(template: Template, question: str, before: Mapping[str, Value]) -> Iterator[tuple[str, Any]]:
    """Somebody with a title, for the field that has one already: sorry, it was Dr. Minsoo Kang."""
    for name, spec in template.fields.items():
        named = names_with_titles(question, spec.titles) if spec.titles and name in before else None
        if named is not None and named.text != before[name].value:
            yield name, named.text
            return


_PRODUCT = re.compile(
    r"(?:제품은\s)?([가-힣A-Za-z0-9]{2,20}(?:정|캡슐|시럽|크림|연고|패치|주|주사|점안액|흡입제|현탁액))(?:이요|입니다|이에요|예요|이야|요)?[.!~]*"
)


def _nearest(
    template: Template, question: str, before: Mapping[str, Value], today: date, language: Language
) -> Iterator[tuple[str, Any]]:
    """A number without a unit, for the amount or count that it is nearest to: it was 54,000."""
    number = read_amount(question)
    fields = [
        (n, s)
        for n, s in template.fields.items()
        if s.type in ("money", "integer")
        and s.source != ("computed",)
        and n in before
        and before[n].value > 0
    ]
    if number is None or number <= 0 or not fields:
        return
    name, spec = min(fields, key=lambda each: abs(log(number / before[each[0]].value)))
    value = read_value(spec, number, today, language)
    if not isinstance(value, Unfit):
        yield name, value


def _loose(question: str, today: date) -> Iterator[tuple[str, str]]:
    if read_date(question, today):
        yield "date", question
    if found := find_time(question):
        yield "time", found[0]
    if found := _MONEY.search(question):
        yield "money", found[0]
    if found := re.search(rf"(\d[\d,]*)\s?(?:{_PEOPLE})", question, re.IGNORECASE):
        yield "integer", found[1]
