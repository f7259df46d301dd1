"""Periods of a question as inclusive ISO ranges, relative to the asker's day.

Rules, in the order they are applied:
- a unit without a year means the newest one that has begun (in a range: whose last unit has begun), or the next one
  that is not over where the question plans ahead; a year named for one unit holds for its neighbours;
- 최근/past N units are the N units that end today; this month, 올해 and the like are whole calendar units;
- 전년 동기, and 전년/전월/전분기 in a comparison, move the period they are compared with.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta

from metaagent.language import calendar as cal
from metaagent.language.calendar import Range
from metaagent.language.numerals import ENGLISH_WORDS, NATIVE_WORDS, count_word
from metaagent.language.patterns import regex
from metaagent.language.period_words import Atom, atoms, in_part

_RANGE_LINK = regex(r"\s?(?:부터|에서|~|–|—|∼|-|(?:up\s)?to|through|(?:up\s)?until|till|thru)\s?(?:the\s)?")
_AND_LINK = regex(r"\s?(?:and|&|과|와|하고)\s?(?:the\s)?")
_UNTIL = regex(r"\s?(?:까지|사이)")
_FROM = regex(r"(?:from|between|since|starting)\s(?:the\s)?\Z")
_SINCE_BEFORE = regex(
    r"(?:since|starting(?:\sfrom)?|from|after)\s(?:the\s)?(?:(?:very\s)?(?:start|beginning)\sof\s(?:the\s)?)?\Z"
)
_UNTIL_BEFORE = regex(r"(?:until|till|up\sto|through|before)(?:\sand\sincluding)?\s(?:the\s)?\Z")
_UNTIL_AFTER = regex(r"\s?까지|\s(?:or|and)\s(?:earlier|older)(?![a-z])")
_FIRST_OF = regex(
    rf"(?:the\s)?(?P<side>first|opening|last|final|closing)\s(?P<n>\d{{1,2}}|{ENGLISH_WORDS})\s(?P<u>day|week|month|quarter)s?"
    r"\s(?:of|in)\s(?:the\s(?:year\s)?)?\Z"
)
_FIRST_IN = regex(
    rf"\s?(?:의\s?)?(?P<side>첫|처음|마지막)\s?(?P<n>\d{{1,2}}|{NATIVE_WORDS})\s?(?P<u>일|주|개월|달|분기)(?:\s?(?:동안|간))?"
)
_PART_UNITS = {"일": "day", "주": "week", "개월": "month", "달": "month", "분기": "quarter"}
_OF_MONTH = regex(
    r"(?:이번|금번|금|당|이|지난|저번|전|직전|지지난|저저번|전전)\s?(?:달|월)|\d+(?:st|nd|rd|th)\s(?:of\s)?(?:this|last)\smonth"
)
_UP_TO_DAY = regex(
    r",?\s(?:up\sto|until|till|through|thru|to)(?:\sand\sincluding)?\sthe\s(?P<d>\d{1,2})(?:st|nd|rd|th)(?![a-z]|\sof)"
)
_WITHIN = regex(r"(?:의|에)?[\s,(]*")
_SINCE_AFTER = regex(
    r"\s?(?:(?:(?<!\s)|(?=부터(?:의|는|도)?(?![가-힣])|부터\s?(?:지금|현재|오늘)))부터(?:\s?(?:지금|현재|오늘)\s?까지)?|이후(?:로)?|이래(?:로)?)"
    r"|\s(?:(?:or|and)\s(?:later|after|newer|since)|and\sonwards?)(?![a-z])"
)
_SINCE_NOW = regex(r"\s?(?:to|until|till|through)\s(?:now|date|present)(?![a-z])")
_COMPARED = regex(
    r"(?:의?\s[가-힣]{1,8}\s)?\s?대비|(?:의?\s[가-힣]{1,8}?|의)?(?:보다|에\s?비해|에\s?비하면|(?:이랑|하고|랑|과|와)\s?비교)"
)
_COMPARING = regex(r"대비|비교|보다|증감|차이|vs|versus|compar|than|against|growth|change")
_LAST_YEAR = regex(r"작년|지난\s?해|전년|last\syear|previous\syear|year\s(?:before|earlier|ago)")
_COMPARED_EN = regex(
    r"(?:vs\.?|versus|against|compared\s(?:to|with)|relative\sto|than|(?:growth|increase|decrease|change|gain|improvement|up|down)\s(?:over|from))\s(?:the\s)?\Z"
)
_WITH_EN = regex(r"(?:with|to|from)\s(?:the\s)?\Z")
_FUTURE = regex(
    r"예정(?!일?보다|일을|일이|일\s?지|일\s?이후|일에\s?못|일\s?내)|계획|앞으로|향후"
    r"|(?:신청|예약)(?!되었|된|한|했|됐|받|일|이 들)|upcoming|will\s|plan(?:ned|ning)?\s|schedul|request(?!ed)|예측|전망|forecast"
)


@dataclass(frozen=True)
class Period:
    start: int
    end: int
    rule: str
    unit: str
    range: Range | None
    role: str = "base"
    """`base` or `comparison`."""
    shift: str | None = None
    assumed_year: bool = False


def plans_ahead(text: str) -> bool:
    return _FUTURE.search(text) is not None


def _neighbour_year(at: int, found: list[Atom], text: str) -> int | None:
    """The year said beside it; not that of the period it is set against: October, compared with October last year."""
    own = found[at]
    left = [atom for atom in found[:at] if atom.year is not None]
    right = [atom for atom in found[at + 1 :] if atom.year is not None]
    if left:
        return left[-1].year
    if not right:
        return None
    other = right[0]
    linked = _AND_LINK.fullmatch(text[own.end : other.start]) is not None
    apart = (
        not linked
        and _COMPARING.search(text) is not None
        and _LAST_YEAR.search(text[other.start : other.end])
    )
    same = (other.unit, other.number) == (own.unit, own.number)
    return None if apart or same else other.year


def _dated(atom: Atom, year: int | None, today: date, ahead: bool) -> Range | None:
    if atom.range is not None or not atom.number:
        return atom.range
    if year is not None:
        span = cal.unit_range(atom.unit, year, atom.number)
    else:
        pick = cal.next_unfinished if ahead else cal.latest_begun
        span = pick(atom.unit, atom.number, today)
    return in_part(span, atom.part) if span and atom.part is not None else span


def _with_years(found: list[Atom], today: date, ahead: bool, text: str) -> list[Period]:
    periods: list[Period] = []
    for at, atom in enumerate(found):
        year = atom.year if atom.year is not None else _neighbour_year(at, found, text)
        span = _dated(atom, year, today, ahead)
        assumed = atom.range is None and bool(atom.number) and year is None
        periods.append(
            Period(atom.start, atom.end, atom.rule, atom.unit, span, shift=atom.shift, assumed_year=assumed)
        )
    return _in_one_year(periods, found)


def _in_one_year(periods: list[Period], found: list[Atom]) -> list[Period]:
    """Q1 vs Q2 in January: units named in rising order belong to one year, the one in which the last has begun."""
    result = list(periods)
    for at in range(len(found) - 2, -1, -1):
        here, there = found[at], found[at + 1]
        rising = here.unit == there.unit and here.number < there.number
        later = result[at + 1].range
        if rising and result[at].assumed_year and result[at + 1].assumed_year and later and here.part is None:
            result[at] = replace(result[at], range=cal.unit_range(here.unit, later.first.year, here.number))
    return result


def _linked(text: str, left: Period, right: Period) -> bool:
    between = text[left.end : right.start]
    if _RANGE_LINK.fullmatch(between):
        from_to = re.search(r"(?<![a-z])from\s(?:the\s)?\Z", text[: left.start]) is not None
        return between.strip() != "to" or from_to or "compar" not in text[: left.start]
    introduced = re.search(r"between\s(?:the\s)?\Z", text[: left.start])
    closed = re.match(r"\s?사이", text[right.end :])
    return _AND_LINK.fullmatch(between) is not None and (introduced is not None or closed is not None)


def _joined(text: str, left: Period, right: Period, found: dict[int, Atom], today: date) -> Period | None:
    if left.range is None or right.range is None:
        return None
    first, last = left.range, right.range
    if first.first > last.last and left.assumed_year:
        atom = found[left.start]
        earlier = cal.unit_range(atom.unit, first.first.year - 1, atom.number)
        first = earlier or first
    elif left.assumed_year and right.assumed_year:
        atom = found[left.start]
        first = cal.unit_range(atom.unit, last.last.year, atom.number) or first
        if first.first > last.last:
            first = cal.unit_range(atom.unit, last.last.year - 1, atom.number) or first
    if first.first > last.last:  # between October 2026 and October 2025: two periods
        return None
    intro, outro = _FROM.search(text[: left.start]), _UNTIL.match(text, right.end)
    start = intro.start() if intro else left.start
    end = outro.end() if outro else right.end
    assumed = left.assumed_year and right.assumed_year
    return Period(start, end, "range", "range", cal.ordered(first.first, last.last), assumed_year=assumed)


def _ranges(text: str, periods: list[Period], found: list[Atom], today: date) -> list[Period]:
    by_start = {atom.start: atom for atom in found}
    result: list[Period] = []
    for period in periods:
        if result and result[-1].rule != "range" and _linked(text, result[-1], period):
            joined = _joined(text, result[-1], period, by_start, today)
            if joined is not None:
                result[-1] = joined
                continue
        result.append(period)
    return result


def _without_length(text: str, periods: list[Period]) -> list[Period]:
    """12월 한달간: a length right after a period says it again."""
    result: list[Period] = []
    for period in periods:
        if result and period.rule == "rolling" and not text[result[-1].end : period.start].strip():
            result[-1] = replace(result[-1], end=period.end)
        else:
            result.append(period)
    return result


def _open_ended(
    text: str, period: Period, today: date, earliest: date | None, base: Range | None = None
) -> Period:
    """`since March`, `3월부터`, `until yesterday`: the other end is today, or where the data begins."""
    if period.range is None or period.rule in ("range", "rolling", "to_date", "vague"):
        return period
    before, first, last = text[: period.start], period.range.first, period.range.last
    since, after, now = (
        _SINCE_BEFORE.search(before),
        _SINCE_AFTER.match(text, period.end),
        _SINCE_NOW.match(text, period.end),
    )
    opened = since if since and (not since[0].startswith("f") or now) else None
    if opened and opened[0].startswith("after"):
        first = last + timedelta(days=1)
    if (opened or after) and first <= today:
        end = after.end() if after else now.end() if now else period.end
        start = opened.start() if opened else period.start
        return replace(
            period, start=start, end=end, rule="since", unit="range", range=cal.ordered(first, today)
        )
    until, closing = _UNTIL_BEFORE.search(before), _UNTIL_AFTER.match(text, period.end)
    if until or closing:
        last = first - timedelta(days=1) if until and until[0].startswith("before") else last
        begin = earliest if earliest and period.unit == "year" else date(last.year, 1, 1)
        if (
            base is not None and base.first <= last <= base.last
        ):  # 어제까지, after this month: as far as that day
            begin = base.first
        if period.unit == "day" and _OF_MONTH.match(text, period.start):  # 이번 달 15일까지: of that month
            begin = first.replace(day=1)
        start, end = (until.start() if until else period.start), (closing.end() if closing else period.end)
        return replace(
            period,
            start=start,
            end=end,
            rule="until",
            unit="range",
            range=cal.ordered(min(begin, last), last),
        )
    return period


def _cut_short(text: str, period: Period) -> Period:
    """Last month until the 15th: as far as that day of it."""
    found = _UP_TO_DAY.match(text, period.end)
    if found is None or period.range is None or cal.grain_of(period.range) != "month":
        return period
    first = period.range.first
    day = cal.unit_range("day", first.year, (first.month, int(found["d"])))
    return (
        replace(period, end=found.end(), rule="range", unit="range", range=Range(first, day.last))
        if day
        else period
    )


def _part_of(text: str, period: Period) -> Period:
    """The first ten months of 2026, 올해 마지막 3개월: so many units from either end."""
    before, after = _FIRST_OF.search(text, 0, period.start), _FIRST_IN.match(text, period.end)
    found = before or after
    count = count_word(found["n"]) if found else None
    if found is None or not count or period.range is None:
        return period
    unit, first, last = _PART_UNITS.get(found["u"], found["u"]), period.range.first, period.range.last
    if found["side"] in ("first", "opening", "첫", "처음"):
        last = cal.add_days(_moved_by(unit, first, count), -1)
    else:
        first = _moved_by(unit, cal.add_days(last, 1), -count)
    if not period.range.first <= first <= last <= period.range.last:
        return period
    start, end = (before.start() if before else period.start), (period.end if before else found.end())
    return replace(period, start=start, end=end, rule="range", unit="range", range=Range(first, last))


def _moved_by(unit: str, day: date, count: int) -> date:
    months = {"month": 1, "quarter": 3}.get(unit)
    return (
        cal.add_months(day, months * count)
        if months
        else cal.add_days(day, count * (7 if unit == "week" else 1))
    )


def _as_far_as(text: str, periods: list[Period]) -> list[Period]:
    """3분기 8월 말까지, this year up to September: a named stretch as far as a day of it."""
    result: list[Period] = []
    for period in periods:
        if result and period.start < result[-1].end:  # 올해 마지막 3개월: said already
            continue
        whole, last = (result[-1].range if result else None), period.range
        inside = period.rule == "until" and whole and last and whole.first <= last.last <= whole.last
        if inside and whole and last and _WITHIN.fullmatch(text[result[-1].end : period.start]):
            span = Range(whole.first, last.last)
            result[-1] = replace(result[-1], end=period.end, rule="range", unit="range", range=span)
        else:
            result.append(period)
    return result


def _both_ends(periods: list[Period]) -> list[Period]:
    """6월부터 월별 매출 (10월까지): the two ends of one stretch, said apart."""
    since, until = ([p for p in periods if p.rule == rule] for rule in ("since", "until"))
    if not since and len(periods) == 2:  # 올해 월별 추이 (10월까지)
        since = [p for p in periods if p.range and p.unit in ("year", "quarter", "half", "month")]
        inside = (
            since
            and until
            and until[0].range
            and since[0].range
            and until[0].range.last <= since[0].range.last
        )
        since = since if inside else []
    if len(since) != 1 or len(until) != 1 or since[0].range is None or until[0].range is None:
        return periods
    first, last = since[0].range.first, until[0].range.last
    if first > last:
        return periods
    span = Range(first, last)
    return [replace(p, rule="range", range=span) if p in (since[0], until[0]) else p for p in periods]


def _is_comparison(text: str, period: Period, others: bool) -> bool:
    if period.rule == "same_period":
        return others or _COMPARING.search(text) is not None
    if _COMPARED.match(text, period.end):
        return True
    before = text[: period.start]
    if _COMPARED_EN.search(before):
        return True
    return others and "compar" in before and _WITH_EN.search(before) is not None


def _roles(text: str, periods: list[Period], base: Range | None) -> list[Period]:
    return [
        replace(period, role="comparison")
        if _is_comparison(text, period, len(periods) > 1 or base is not None)
        else period
        for period in periods
    ]


def current_unit(shift: str, today: date) -> Range:
    """The period to compare with when only `전년 대비` or `전월 대비` was said: the running unit."""
    if shift in ("year", "period"):
        return Range(date(today.year, 1, 1), today)
    return cal.relative_range(shift, 0, today)


def moved(base: Range, shift: str) -> Range:
    return cal.preceding(base) if shift == "period" else cal.shift(base, shift)


def _related(periods: list[Period], base: Range | None, today: date) -> list[Period]:
    named = [
        period.range
        for period in periods
        if period.role == "base" and period.rule != "same_period" and period.range
    ]
    own = named[0] if named else base
    running = any(period.rule == "to_date" for period in periods)
    result: list[Period] = []
    for period in periods:
        relative = period.shift is not None and (period.role == "comparison" or period.rule == "same_period")
        if relative and own is not None and not (running and period.range is not None):
            result.append(replace(period, range=moved(own, str(period.shift)), rule="same_period"))
        elif relative and period.range is None:
            result.append(
                replace(period, range=moved(current_unit(str(period.shift), today), str(period.shift)))
            )
        else:
            result.append(period)
    return result


def _in_year_of(base: Range, period: Period, today: date) -> Period:
    """2분기는? after a quarter of last year: of that year, unless it is the unit right after it."""
    year, span = base.first.year, period.range
    if span is None or not period.assumed_year or period.unit not in _NUMBERED or base.last.year != year:
        return period
    follows = span.first == base.last + timedelta(days=1)
    first = date(year, span.first.month, 1)
    there = Range(first, date(year, span.last.month, cal.month_end(year, span.last.month)))
    return replace(period, range=there) if not follows and first <= today else period


_NUMBERED = frozenset({"month", "quarter", "half"})


def find(
    text: str,
    today: date,
    *,
    base: Range | None = None,
    recent_days: int | None = None,
    earliest: date | None = None,
    ahead: bool = False,
) -> list[Period]:
    """All periods of a lower-case text, in order. `base`: the period that an earlier turn left to compare with."""
    found = atoms(text, today)
    periods = _ranges(text, _with_years(found, today, ahead or plans_ahead(text), text), found, today)
    periods = _without_length(text, periods)
    periods = [
        _open_ended(text, _cut_short(text, _part_of(text, period)), today, earliest, base)
        for period in periods
    ]
    periods = _both_ends(_as_far_as(text, periods))
    if recent_days:
        recent = cal.rolling("day", recent_days, today)
        periods = [replace(period, range=recent) if period.rule == "vague" else period for period in periods]
    if len(periods) > 1:
        periods = [period for period in periods if period.rule != "vague"]
    if base is not None:
        periods = [_in_year_of(base, period, today) for period in periods]
    related = _related(_roles(text, periods, base), base, today)
    return [
        period for period in related if period.range is not None or period.rule in ("vague", "impossible")
    ]
