"""Changes that are said by what there was before: not A but B, two days later, five people more. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any

from metaagent.documents.fields import Value, read_amount, read_date
from metaagent.documents.templates import Template, computation
from metaagent.language.numerals import count_word

_NOT_BUT = (
    re.compile(
        r"['\"“‘]?([^\s'\"“”‘’,]{1,60}?)['\"”’]?(?:이|가|은|는)?\s?(?:아니라|아니고|말고)\s?['\"“‘]?(.{1,60}?)['\"”’]?"
        r"(?:입니다|이에요|예요|이야|(?<=[가-힣])야|으로|로|임|\s?(?:이|가)\s?맞)?(?=[\s,.!]|$)"
    ),
    re.compile(
        r"\bnot\s['\"“]?([^,'\"”]{1,60}?)['\"”]?,?\s(?:but|it'?s|it is)\s['\"“]?(.{1,60}?)['\"”]?(?=[,.!;]|$)",
        re.IGNORECASE,
    ),
)
_BUT_NOT = re.compile(
    r"\b(?:is|it'?s|was|should be|must be)\s['\"“]?([^,'\"”]{1,60}?)['\"”]?,?\s(?:not|instead of|rather than)\s"
    r"['\"“]?(.{1,60}?)['\"”]?(?=[,.!;]|$)",
    re.IGNORECASE,
)
_DAYS = {
    "하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "일주일": 7, "한 주": 7, "한주": 7, "보름": 15,
    "a day": 1, "one day": 1, "two days": 2, "three days": 3, "a week": 7, "one week": 7, "two weeks": 14,
}  # fmt: skip
_SPAN = re.compile(
    rf"({'|'.join(sorted(_DAYS, key=len, reverse=True))})|(\d{{1,3}})\s?(일|주|days?|weeks?)(?!\s?(?:로|에|부터|까지|to)\b)",
    re.IGNORECASE,
)
_EARLIER = re.compile(
    r"앞당|당겨|당기|일찍|빠르게|앞으로\s?옮|\b(?:earlier|forward|sooner|ahead)\b", re.IGNORECASE
)
_LATER = re.compile(
    r"미뤄|미루|연기|늦춰|늦추|뒤로|늦게|\b(?:later|back|postpone|postponed|delay)\b", re.IGNORECASE
)
_MORE = re.compile(
    r"늘었|늘어났|늘려|늘리|더\s?(?:와|오|추가|늘)|추가|증원|증액|올려|\b(?:more|additional|extra|increase|raise|add)\b",
    re.IGNORECASE,
)
_FEWER = re.compile(
    r"줄었|줄어들|줄여|줄이|빠졌|빠져|빼|감액|깎|\b(?:fewer|less|reduce|lower|cut|minus)\b", re.IGNORECASE
)
_NUMBER_WORDS = (
    r"(?<![가-힣])(?:한|두|세|네|(?:열|스물|서른|마흔|쉰)?\s?(?:다섯|여섯|일곱|여덟|아홉|하나|둘|셋|넷)|열|스무|서른|마흔|쉰)"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty)(?=\s)"
)
_COUNTED = re.compile(
    rf"(\d[\d,.]*|{_NUMBER_WORDS})"
    r"\s?(?:more\s|additional\s|extra\s|fewer\s)?(?:명|분|인|people|persons?|participants?|attendees?)(?!\s?(?:으로|로)(?![가-힣])|(?:이|가|은|는)?\s?(?:아니|말고))",
    re.IGNORECASE,
)
_PAID = re.compile(
    r"(\d[\d,.]*\s?(?:천만|백만|십만|천|만|억|thousand|million)?(?:\s?\d[\d,]*\s?[천만]?)?)\s?(?:원|won\b)(?!\s?(?:으로|로)(?![가-힣])|(?:이|가|은|는)?\s?(?:아니|말고))",
    re.IGNORECASE,
)
_EACH = re.compile(
    r"(?:1?인당|한\s?(?:명|사람)당|명당|per (?:person|head)[:,]?)\s?(?:KRW\s?|₩\s?)?"
    r"(\d[\d,.]*\s?[천만]?(?:\s?\d[\d,]*\s?천)?)\s?(?:원|won\b)?"
    r"|(?:KRW\s?|₩\s?)?(\d[\d,.]*\s?[천만]?)\s?(?:원|won)?\s?(?:씩|per (?:person|head)|a (?:person|head)|each)",
    re.IGNORECASE,
)
"""An amount for each person."""
_TO = re.compile(r"\bto\s(?:KRW\s|₩)?\d", re.IGNORECASE)


def relative_values(
    template: Template, question: str, before: Mapping[str, Value], named: frozenset[str], today: date
) -> dict[str, Any]:
    """New values of fields, from the words and the values that they have; `named` are the fields that the request names."""
    found = dict(_replaced(question, before)) or dict(_for_each(template, question, before))
    found = found or dict(_other_day(template, question, before, today))
    if not found:
        found = dict(_shifted(template, question, before, named))
    if not found and not _TO.search(question):
        found = dict(_added(template, question, before, named))
    return found


def _replaced(question: str, before: Mapping[str, Value]) -> Iterator[tuple[str, Any]]:
    """박시온이 아니라 박시언: every field that holds the wrong word."""
    pairs = [(each[1], each[2]) for pattern in _NOT_BUT for each in pattern.finditer(question)]
    pairs += [(each[2], each[1]) for each in _BUT_NOT.finditer(question)]
    for wrong, right in pairs:
        wrong, right = _HONORIFIC.sub("", wrong.strip()), _HONORIFIC.sub("", right.strip())
        for name, value in before.items():
            old = str(value.value)
            if (
                isinstance(value.value, str)
                and value.source != "computed"
                and len(wrong) > 1
                and wrong in old
            ):
                yield name, old.replace(wrong, right)


_HONORIFIC = re.compile(r"(?<=[가-힣])님$")
"""Behind a title that a form shows without it: 과장님이 아니라 원장님."""


def _for_each(template: Template, question: str, before: Mapping[str, Value]) -> Iterator[tuple[str, Any]]:
    """A total by what each costs: 1인당 32,000원이었어요, of a document that has the count."""
    said = _EACH.search(question)
    amount = read_amount(said[1] or said[2]) if said else None
    for spec in template.fields.values() if amount else ():
        function, needs = computation(spec) if spec.source == ("computed",) else ("", [])
        if function == "per" and amount and all(each in before for each in needs):
            yield needs[0], amount * before[needs[1]].value


def _shifted(
    template: Template, question: str, before: Mapping[str, Value], named: frozenset[str]
) -> Iterator[tuple[str, Any]]:
    span, later, earlier = _SPAN.search(question), _LATER.search(question), _EARLIER.search(question)
    if span is None or (later is None) == (earlier is None):
        return
    count = (
        _DAYS[span[1].lower()]
        if span[1]
        else int(span[2]) * (7 if span[3].lower().startswith(("주", "week")) else 1)
    )
    for name in _days_meant(template, question, before, named):
        held, _, time = str(before[name].value).partition("T")
        day = date.fromisoformat(held) + timedelta(days=count if later else -count)
        yield name, f"{day.isoformat()}T{time}" if time else day.isoformat()


_EVERYWHERE = re.compile(
    r"전부|모두|모든|싹\s?다|(?<![가-힣])다\s|\b(?:everywhere|throughout|all (?:the )?dates|every date|both dates)\b",
    re.IGNORECASE,
)


def _days_meant(
    template: Template, question: str, before: Mapping[str, Value], named: frozenset[str]
) -> list[str]:
    """The day that is meant; every day where the words say so."""
    one = _one_of(template, before, named, "date")
    if not _EVERYWHERE.search(question):
        return [one] if one is not None else []
    return [
        n
        for n, s in template.fields.items()
        if s.type in ("date", "moment") and n in before and "form" in s.source
    ]


_FROM_TO = (
    re.compile(
        r"\bfrom\s(?P<old>.{1,25}?)\sto\s(?P<new>.{1,30}?)(?:\s(?:everywhere|throughout))?[.!]*$",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<old>\d{1,2}월\s?\d{1,2}일|\d{1,2}일|\d{1,2}/\d{1,2})(?:을|를|에서)\s(?P<new>.{1,20}?)(?:으로|로)\s"
    ),
)


def _other_day(
    template: Template, question: str, before: Mapping[str, Value], today: date
) -> Iterator[tuple[str, Any]]:
    """Another day wherever one stands: change the date everywhere from 11 to 12 November."""
    found = next((match for pattern in _FROM_TO if (match := pattern.search(question))), None)
    number = re.search(r"\d{1,2}(?=일|st|nd|rd|th|\s|$)", found["old"]) if found else None
    if found is None or number is None:
        return
    for name, spec in template.fields.items():
        held, _, time = str(before[name].value).partition("T") if name in before else ("", "", "")
        if spec.type not in ("date", "moment") or "form" not in spec.source or not held:
            continue
        made = read_date(found["new"], today, past=spec.past)
        old = read_date(found["old"], today, past=spec.past) or f"{(made or held)[:8]}{int(number[0]):02d}"
        if old == held and made is not None:
            yield name, f"{made}T{time}" if time else made


def _added(
    template: Template, question: str, before: Mapping[str, Value], named: frozenset[str]
) -> Iterator[tuple[str, Any]]:
    more, fewer = _MORE.search(question), _FEWER.search(question)
    if (more is None) == (fewer is None):
        return
    for kind, pattern in (("integer", _COUNTED), ("money", _PAID)):
        said, name = pattern.search(question), _one_of(template, before, named, kind)
        amount = read_amount(said[0]) or count_word(said[1].lower()) if said else None
        if name is not None and amount:
            yield name, before[name].value + (amount if more else -amount)


def _one_of(template: Template, before: Mapping[str, Value], named: frozenset[str], kind: str) -> str | None:
    """The field of a type that is meant: one that is named, else the required one, of those that have a value."""
    fields = [
        n
        for n, s in template.fields.items()
        if (s.type == kind or (s.type, kind) == ("moment", "date"))
        and s.source != ("computed",)
        and n in before
    ]
    fields.sort(key=lambda name: (name not in named, not template.fields[name].required))
    return fields[0] if fields else None
