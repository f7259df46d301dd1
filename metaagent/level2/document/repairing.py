"""Values that a speaker takes back in the same breath: 11월 11일, 아니 12일에; at 3 pm, sorry, 4 pm. Pure.

The words that are taken back become blanks, so that every other word stays where it is. They are known by the value that
replaces them: the same unit, the same end of a name, or the same title.
"""

from __future__ import annotations

import re

from metaagent.level2.document.clauses import Range

_MARK = re.compile(
    r"(?P<ko>\s*(?:[,.…~-]+\s*|(?:이|가|에)?\s)(?:(?:아|앗|참)[,\s]\s?)?(?:아니(?:다|야|지|구나|요)?|아차|아참|정정(?:하면|합니다|할게요)?)[,.!…]*\s+"
    r"|(?P<contrast>(?:이|가|은|는)?\s(?:아니라|아니고|말고)\s))"
    r"|(?P<en>\s*[,.–—(-]+\s*(?:(?:oh|ah|uh|well|but)[,\s]\s?)?(?:no|wait|sorry|oops|I mean|I meant|or rather|rather"
    r"|make that|scratch that|correction)\b"
    r"(?:[,:]?\s(?:no|wait|sorry|I mean|I meant|it was|it's|make that|make it|that's|not that))*[,:–—]*\s+(?:on\s|at\s|the\s)?)",
    re.IGNORECASE,
)
"""The words between what is taken back and what is meant."""
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTHS = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_VALUE = re.compile(
    rf"(?P<half>오전|오후|저녁|아침)|(?P<month>{_MONTHS})(?=\s\d)|(?P<weekday>{_DAYS}|오늘|어제|그제|그저께|내일|모레|(?:yester|to)day|tomorrow)|(?P<day>[월화수목금토일])요일"
    r"|(?:KRW|₩)\s?(?P<sum>\d[\d,.]*)"
    r"|(?P<number>\d[\d,.]*)\s?(?P<unit>[가-힣]{1,3}?(?=에|로|은|는|이|가|을|를|[\s,.!]|$)|[ap]\.?m\b|won\b|people\b|persons?\b|(?:st|nd|rd|th)\b"
    rf"|thousand won|million won|{_MONTHS}|[A-Za-z]+\b)?",
    re.IGNORECASE,
)
_RUN = re.compile(r"(?:[\s,]|에|의|of|at|on|the|약|총|about|around)*", re.IGNORECASE)
"""Words between the numbers of one value: 12월 3일 오후 2시."""
_WORD_KO = re.compile(r"[가-힣A-Za-z0-9]{2,20}")
_PARTICLE = re.compile(r"(?<=[가-힣]{2})(?:에서|에게|에|이랑|랑|하고|을|를|은|는|이|가|과|와|의|께서|께|님)$")
_NAME_EN = re.compile(r"(?:[A-Z][\w'-]*\.?\s?){1,5}\Z")
_NAME_EN_BEHIND = re.compile(r"(?:[A-Z][\w'-]*\.?\s?){1,5}")


def without_repairs(text: str, *, contrasts: bool = True) -> str:
    """The text with blanks for values that are taken back at once; without `contrasts` “not A but B” stays, for who looks up A."""
    for mark in _MARK.finditer(text):
        if mark["contrast"] and not contrasts:
            continue
        found = _taken_back(text, mark)
        if found is not None:  # what is left of the value goes to its new end: 11월 + 12일
            first, start = found
            text = text[:first] + " " * (mark.end() - start) + text[first:start] + text[mark.end() :]
    return text


def _taken_back(text: str, mark: re.Match[str]) -> Range | None:
    """The begin of the value before a mark, and of that part of it which the one behind the mark replaces; None where they are of
    no kind."""
    behind = _VALUE.match(text, mark.end())
    if behind is not None:
        return _same_unit(text, mark.start(), _unit(behind))
    return _same_name_ko(text, mark) if mark["ko"] else _same_name_en(text, mark)


def _unit(value: re.Match[str]) -> str:
    named = next((name for name in ("half", "month", "weekday") if value[name]), "")
    if named or value["day"]:
        return named or "weekday"
    unit = (value["unit"] or ("won" if value["sum"] else "")).lower()
    return "month" if re.fullmatch(_MONTHS, unit) else unit


def _same_unit(text: str, end: int, unit: str) -> Range | None:
    """The last number with this unit in the run of numbers that ends here: 11일 of 11월 11일 for 12일."""
    start, first = None, end
    for value in reversed(list(_VALUE.finditer(text, max(0, end - 40), end))):
        if not _RUN.fullmatch(text[value.end() : first]):
            break
        first = value.start()
        if start is None and unit and _unit(value) == unit:
            start = first
    return None if start is None else (first, start)


def _same_name_ko(text: str, mark: re.Match[str]) -> Range | None:
    """A name that ends as the other does (…의원), or has its length and first letter (김서진, 김서준)."""
    before = list(_WORD_KO.finditer(text[: mark.start()]))
    behind = _WORD_KO.match(text, mark.end())
    if not before or behind is None or text[before[-1].end() : mark.start()].strip():
        return None
    one, other = _PARTICLE.sub("", before[-1][0]), _PARTICLE.sub("", behind[0])
    alike = one[-2:] == other[-2:] or (len(one) == len(other) <= 4 and one[0] == other[0])
    return (before[-1].start(), before[-1].start()) if alike and one != other else None


def _same_name_en(text: str, mark: re.Match[str]) -> Range | None:
    before, behind = _NAME_EN.search(text[: mark.start()]), _NAME_EN_BEHIND.match(text, mark.end())
    if before is None or behind is None:
        return None
    one, other = before[0].split(), behind[0].split()
    alike = one[-1] == other[-1] or one[0] == other[0]
    return (before.start(), before.start()) if alike else None
