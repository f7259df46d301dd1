"""Notes about a person in a sentence: a preference, a fact with a name, or just a fact; and for how long. Pure."""

from __future__ import annotations

import calendar
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from metaagent.language.patterns import regex
from metaagent.ports import Json
from metaagent.values import iso


class _Preference(NamedTuple):
    key: str
    value: str
    pattern: re.Pattern[str]


def _preference(key: str, value: str, pattern: str) -> _Preference:
    return _Preference(key, value, regex(pattern, re.IGNORECASE))


_PREFERENCES = (
    _preference("language", "en", r"영어(?:로|만)|영문으로|\b(?:in|use|speak) english\b|\benglish only\b"),
    _preference(
        "language",
        "ko",
        r"(?:한국어|한국말|한글|국문)(?:으?로|만)|\b(?:in|use|speak) korean\b|\bkorean only\b",
    ),
    _preference(
        "form",
        "table",
        r"표(?:로|\s*(?:형식|형태)(?:으?로)?)|테이블(?:로)?|"
        r"\b(?:as|in) (?:a )?tables?\b|\b(?:in )?table (?:form|format)\b|\btables?\b",
    ),
    _preference(
        "form",
        "bullets",
        r"글머리\s*(?:기호)?(?:로)?|불릿(?:으로)?|목록(?:으로)?|리스트로|"
        r"\b(?:as |in |with )?bullet(?:s| points?)\b|\bas (?:a )?list\b",
    ),
    _preference(
        "form", "brief", r"짧게|간단(?:히|하게)|간략(?:히|하게)|\bbrief(?:ly)?\b|\bconcise(?:ly)?\b|\bshort\b"
    ),
    _preference("form", "detailed", r"자세(?:히|하게)|상세(?:히|하게)|\bin (?:more )?detail\b|\bdetailed\b"),
    _preference(
        "document_style",
        "formal",
        r"존댓말(?:로)?|높임말(?:로)?|격식체(?:로)?|격식\s*있게|\bformal(?:ly)?(?: (?:style|tone))?\b",
    ),
    _preference(
        "document_style",
        "informal",
        r"반말(?:로)?|비격식체(?:로)?|편하게|\binformal(?:ly)?(?: (?:style|tone))?\b|\bcasual(?:ly)?\b",
    ),
)
_UNITS = regex(
    r"(?P<ko>(?:십|백|천)?(?:억|만|천|백만|조)\s*(?:원|달러)?)\s*단위(?:로)?|(?P<won>(?:원화|달러|유로|엔화))(?:로|\s*기준(?:으로)?)|"
    r"\bin (?P<en>thousands|millions|billions|won|dollars|euros|usd|krw)(?: of (?:won|dollars|euros))?\b|"
    r"\b(?P<system>metric|imperial)(?: units)?\b",
    re.IGNORECASE,
)
_REGIONS = regex(
    r"(?:내|제)?\s*(?:관심|선호|주요|즐겨\s*보는|좋아하는)\s*지역(?:은|이|:|：)\s*(?P<ko>.+)|"
    r"(?:my )?(?:favou?rite|preferred) (?:regions?|areas?)(?: is| are|:)\s*(?P<en>.+)",
    re.IGNORECASE,
)
_GENERIC = regex(
    r"(?:답변|대답|응답|결과|보고서|문서|출력|금액|숫자|매출액?|값|모든|모두|전부|다|좀|꼭|그냥|저에게|나에게|제게|내게)(?:은|는|을|를|도|의)?"
    r"|(?:보여|알려|정리해|답해|답변해|대답해|말해|써|작성해|표시해|출력해|표현해|응답해|설명해|해|적어|만들어)\s*(?:줘요?|주세요|주십시오|주면\s*좋겠어|라|요|달라)?"
    r"|(?:하|보|쓰|답하)(?:자|세요|십시오)|원해요?|부탁(?:해|합니다|드려요)?|좋아요?|선호(?:해|합니다)|"
    r"\b(?:please|answers?|reply|replies|respond|responses?|show|give|me|i|want|would|like|prefer|my|the|results?|output|in|as|a|an|"
    r"use|using|write|reports?|documents?|display|present|everything|all|it|them|to|your|you|speak|keep|make|with|be|and|should|amounts?|"
    r"numbers?|figures?|format|style|for|of)\b",
    re.IGNORECASE,
)
_ENDING = regex(
    r"\s*(?:이?라고|이?라는|이야|야|이에요|예요|이예요|에요|입니다|이다|임|이니까|니까|이?거든요?|인|(?<=다)는)\s*(?:걸|것을?|거를?|점을?|사실을?)?\s*[.!~]*$|\s*(?:을|를|걸|것을)\s*$"
)
_STATED = regex(r"(?:이야|야|이에요|예요|에요|입니다|이다|임)\s*[.!~]*$")
_STATEMENT_KO = regex(
    r"^\s*(?P<key>(?:[가-힣A-Za-z0-9]+\s){0,3}?[가-힣A-Za-z0-9]+?)(?:은|는|이|가|\s*[:：=])\s+(?:이제\s+)?(?P<value>.+)$"
)
_CLAUSE = regex(r"(?:을|를|은|는|에서|으로|에게)(?:\s|$)")
_TOLD = regex(r"다는?\s*[.!]*$")
_ASKED = regex(r"얼마|어디|누구|뭐|무엇|무슨|언제|어떤|어때|어느|몇|왜")
_STATEMENT_EN = regex(
    r"^\s*(?P<owner>my|our|the)?\s*(?P<key>(?:[A-Za-z][\w-]*\s+){0,3}[A-Za-z][\w-]*?)\s*(?:\s(?:is|are)\s+(?:now\s+)?|\s*[:=]\s*)(?P<value>.+?)[\s.!]*$",
    re.IGNORECASE,
)
_NOT_A_KEY = regex(
    r"^(?:it|this|that|there|he|she|they|we|i|you|what|who|which|here|이것|그것|저것|오늘|내일|어제|나|저|우리)$",
    re.IGNORECASE,
)


def read_note(body: str, now: datetime) -> Json:
    """A note from what the person asked to be remembered, and until when it holds. `now` is in the person's time zone."""
    text, expires = expiry_in(body, now)
    return {**note_of(text), "expires_at": expires}


def note_of(body: str) -> Json:
    """A note from what the person asked to be remembered."""
    text = re.sub(r"^that\s+", "", body.strip().strip("\"'“”‘’"), flags=re.IGNORECASE).strip()
    regions = _REGIONS.match(text)
    if regions:
        value = _ENDING.sub("", regions["ko"] or regions["en"]).strip(" .!")
        return _note("preference", "regions", value, text)
    preference = preference_in(text)
    if preference:
        return {**preference, "text": text, "confidence": 1.0}
    stated = statement_in(text)
    if stated:
        return _note("fact", stated[0], stated[1], text)
    return _note("fact", "", "", _ENDING.sub("", text) or text)


def regions_in(sentence: str) -> Json | None:
    """A statement of the regions that matter to the person, made without asking for it to be remembered."""
    found = _REGIONS.match(sentence.strip())
    said = found and (found["en"] or (_STATED.search(sentence) and found["ko"]))
    if not said or sentence.rstrip().endswith("?") or _ASKED.match(said):
        return None
    return _note("preference", "regions", _ENDING.sub("", said).strip(" .!"), sentence.strip())


def corrected(old: Mapping[str, Any], value: str) -> Json | None:
    """The note that gives something known its new value; None if that is no value for it."""
    if old["kind"] != "preference" or old["key"] in {"regions", "units"}:
        return _note(old["kind"], old["key"], value, f"{old['key']}: {value}")
    candidates = (f"{value}로", f"{value}으로", f"in {value}", value)
    found = next(
        (note for note in map(preference_in, candidates) if note and note["key"] == old["key"]), None
    )
    return {**found, "text": f"{old['key']}: {value}", "confidence": 1.0} if found else None


def _note(kind: str, key: str, value: str, text: str) -> Json:
    return {"kind": kind, "key": key, "value": value, "text": text, "confidence": 1.0}


def preference_in(text: str) -> Json | None:
    """Find a preference in a sentence that says nothing else: '표로 보여줘', not '서울 매출을 표로 보여줘'."""
    for key, value, pattern in _PREFERENCES:
        if pattern.search(text) and _nothing_else(pattern.sub(" ", text)):
            return {"kind": "preference", "key": key, "value": value}
    units = _UNITS.search(text)
    if units and _nothing_else(_UNITS.sub(" ", text)):
        value = next(group for group in units.groups() if group)
        return {"kind": "preference", "key": "units", "value": value.strip().casefold()}
    return None


def _nothing_else(text: str) -> bool:
    left = re.sub(
        r"항상|늘|언제나|앞으로(?:는|도)?|always|from now on|by default", " ", text, flags=re.IGNORECASE
    )
    return not any(char.isalnum() for char in _GENERIC.sub(" ", left))


def statement_in(text: str, *, strict: bool = False) -> tuple[str, str] | None:
    """Split '담당 지역은 부산이야' into its name and its value. `strict` wants the ending of a statement."""
    english = _STATEMENT_EN.match(text)
    if english and not _NOT_A_KEY.match(english["key"].strip()):
        if strict and not english["owner"]:
            return None
        return english["key"].strip(), _ENDING.sub("", english["value"]).strip()
    korean = _STATEMENT_KO.match(text)
    if korean is None or (strict and not _STATED.search(text)):
        return None
    key = re.sub(r"^(?:내|제|나의|저의|우리|저희)\s+", "", korean["key"].strip())
    value = _ENDING.sub("", korean["value"]).strip(" .!~")
    sentence = _CLAUSE.search(key) or _TOLD.search(value) or _ASKED.match(value) or _NOT_A_KEY.match(key)
    return None if sentence or not key or not value else (key, value)


_NUMBERS = {"하루": 1, "한": 1, "두": 2, "세": 3, "네": 4, "a": 1, "an": 1, "one": 1, "two": 2, "three": 3}
_DAYS = {
    "일": 1,
    "주": 7,
    "주일": 7,
    "개월": 30,
    "달": 30,
    "년": 365,
    "day": 1,
    "week": 7,
    "month": 30,
    "year": 365,
}
_FOR = regex(
    r"[,\s]*(?:(?P<n>\d{1,4}|한|두|세|네)\s*(?P<unit>일|주일|주|개월|달|년)\s*(?:동안만?|간만?)(?=\s|$|[,:])"
    r"|\bfor (?:the next )?(?P<n_en>\d{1,4}|a|an|one|two|three) (?P<unit_en>day|week|month|year)s?\b)\s*",
    re.IGNORECASE,
)
_UNTIL = regex(
    r"[,\s]*(?:(?P<date>\d{4}-\d{2}-\d{2})까지만?|\buntil (?P<date_en>\d{4}-\d{2}-\d{2})\b)\s*", re.IGNORECASE
)
_NAMED = (
    (
        regex(
            r"[,\s]*(?:오늘(?:만|까지만?|\s*하루만?)(?=\s|$)|\b(?:just )?for today\b|\btoday only\b)\s*",
            re.IGNORECASE,
        ),
        "day",
    ),
    (
        regex(
            r"[,\s]*(?:이번\s*주(?:만|까지만?|\s*동안만?)(?=\s|$)|\b(?:for )?this week(?: only)?\b)\s*",
            re.IGNORECASE,
        ),
        "week",
    ),
    (
        regex(
            r"[,\s]*(?:이번\s*달(?:만|까지만?|\s*동안만?)(?=\s|$)|\b(?:for )?this month(?: only)?\b)\s*",
            re.IGNORECASE,
        ),
        "month",
    ),
)


def expiry_in(text: str, now: datetime) -> tuple[str, str | None]:
    """The text without its 'for 3 days' or '2025-02-01까지', and the moment after which it no longer holds."""
    lasting = _FOR.search(text)
    if lasting:
        number, unit = lasting["n"] or lasting["n_en"], lasting["unit"] or lasting["unit_en"]
        count = int(number) if number.isdecimal() else _NUMBERS[number.casefold()]
        return _without(text, lasting), iso(now + timedelta(days=count * _DAYS[unit.casefold()]))
    until = _UNTIL.search(text)
    if until:
        day = _date(until["date"] or until["date_en"])
        if day is not None:
            return _without(text, until), iso(_end_of(day.replace(tzinfo=now.tzinfo)))
    for pattern, name in _NAMED:
        match = pattern.search(text)
        if match:
            return _without(text, match), iso(_end_of(_last_day(now, name)))
    return text, None


def _without(text: str, match: re.Match[str]) -> str:
    return f"{text[: match.start()]} {text[match.end() :]}".strip(" ,:")


def _date(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y-%m-%d")  # noqa: DTZ007 - a day of the asker's calendar; the zone is added
    except ValueError:
        return None


def _last_day(now: datetime, unit: str) -> datetime:
    if unit == "week":
        return now + timedelta(days=6 - now.weekday())
    if unit == "month":
        return now.replace(day=calendar.monthrange(now.year, now.month)[1])
    return now


def _end_of(day: datetime) -> datetime:
    return day.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
