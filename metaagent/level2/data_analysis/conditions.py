"""The conditions of a question in words: which things count, and which rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from metaagent.documents.format import format_value
from metaagent.language.counters import counter, plural
from metaagent.language.particles import Language, with_particle
from metaagent.language.patterns import regex
from metaagent.level2.data_analysis.periods import period_words, weekday_name

Json = Mapping[str, Any]
_KO_LIMITS = {
    ">": "{value_object} 넘는",
    ">=": "{value} 이상인",
    "<": "{value} 미만인",
    "<=": "{value} 이하인",
    "=": "{value}인",
}
_EN_LIMITS = {
    ">": "above {value}", ">=": "of at least {value}", "<": "below {value}", "<=": "of at most {value}", "=": "of {value}",
}  # fmt: skip
_KO_ROWS = {">": "초과", ">=": "이상", "<": "미만", "<=": "이하", "=": ""}
_KO_RELATIVE = {">": "보다 많은", ">=": " 이상인", "<": "보다 적은", "<=": " 이하인"}
_EN_RELATIVE = {
    ">": "above that of", ">=": "of at least that of", "<": "below that of", "<=": "of at most that of",
    "=": "equal to that of",
}  # fmt: skip


def things(query: Json, terms: Json, language: Language, names: Json | None = None) -> str:
    """The conditions on the things themselves: 매출액이 2억 원을 넘는, with Sales above ₩200M. `names`: of stored values."""
    parts = [_having(one, terms, language) for one in query.get("having") or ()]
    parts += [_existence(one, terms, language, names or {}) for one in query.get("existence") or ()]
    said = [part for part in parts if part]
    if language != "ko":
        return " and ".join(said)
    return " ".join([*(_KO_EVENT.sub(r"\1고", part) for part in said[:-1]), *said[-1:]])


_KO_EVENT = regex(r"([있없])는\Z")
"""The end of an event that another condition follows: 9월에 판매가 있고 10월에 판매가 있는."""


def _term(name: str, terms: Json) -> tuple[str, str]:
    """(label, unit) of a metric, of a dimension or of a column beside a figure; never its internal name."""
    found = terms.get(name) or terms.get(name.partition("__")[0]) or {}
    unit = (
        "ratio" if name.endswith(("__change", "__share", "__achievement")) else str(found.get("unit") or "")
    )
    return str(found.get("label") or ""), unit


_KO_BESIDE = {"__change": " 증감률", "__share": " 비중", "__difference": " 증감", "__achievement": " 달성률"}
_EN_BESIDE = {
    "__change": " change",
    "__share": " share",
    "__difference": " difference",
    "__achievement": " achievement",
}


def _having(one: Json, terms: Json, language: Language) -> str:
    name, op = str(one.get("column")), str(one.get("op"))
    label, unit = _term(name, terms)
    beside = _KO_BESIDE if language == "ko" else _EN_BESIDE
    label += next((word for end, word in beside.items() if name.endswith(end)), "")
    if not label.strip():
        return ""
    if one.get("relative"):
        return _relative(one, label, op, language)
    values = [format_value(float(value), unit, language) for value in one.get("values") or ()]
    if op == "between" and len(values) == 2:
        return f"{with_particle(label, '이/가')} {values[0]}~{values[1]}인" if language == "ko" else (
            f"with {label} between {values[0]} and {values[1]}"
        )  # fmt: skip
    if not values or op not in _KO_LIMITS:
        return ""
    if language == "ko":
        limit = _KO_LIMITS[op].format(value=values[0], value_object=with_particle(values[0], "을/를"))
        return f"{with_particle(label, '이/가')} {limit}"
    return f"with {label} {_EN_LIMITS[op].format(value=values[0])}"


def _relative(one: Json, label: str, op: str, language: Language) -> str:
    """Against another figure, which is named by its filter; otherwise as a figure that the question gave."""
    part: Json = one["relative"]
    filters: Sequence[Json] = part.get("filters") or (part.get("numerator") or {}).get("filters") or ()
    names = ", ".join(str(value) for each in filters for value in each.get("values") or ())
    if language == "ko":
        whom = names or "기준값"
        way = f"{with_particle(whom, '과/와')} 같은" if op == "=" else f"{whom}{_KO_RELATIVE[op]}"
        return f"{with_particle(label, '이/가')} {way}"
    return f"with {label} {_EN_RELATIVE.get(op, 'like that of')} {names or 'the reference'}"


def _existence(one: Json, terms: Json, language: Language, names: Json) -> str:
    label, _ = _term(str(one.get("fact_metric")), terms)
    limits = [f for f in one.get("filters") or () if f.get("op", "in") == "in"]
    whose = ", ".join(str(names.get(str(v), v)) for f in limits for v in f.get("values") or ())
    exists, own = bool(one.get("exists", True)), one.get("period") or {}
    bounds = [date.fromisoformat(str(own[key])) for key in ("start", "end") if own.get(key)]
    when = period_words(bounds[0], bounds[1], language) if len(bounds) == 2 else ""
    if language == "ko":
        noun = label.removeprefix("총 ").removesuffix(" 수").removesuffix(" 건수")
        told = f"{with_particle(noun, '이/가')} {'있는' if exists else '없는'}" if noun else ""
        told = f"{whose} {told}" if whose and told else told
        return f"{when}에 {told}" if when and told else told
    noun = label.lower().removeprefix("number of ").removeprefix("total ")
    told = f"{'with' if exists else 'without'} {noun}" if noun else ""
    told = f"{told} of {whose}" if whose and told else told
    return f"{told} in {when}" if when and told else told


def rows(query: Json, terms: Json, language: Language) -> list[str]:
    """The conditions on rows, in front of the figure: 주말, 건별 비용 50만 원 초과, 상위 병원 5곳의."""
    parts = [_days(query.get("weekdays") or (), language)]
    parts += [_row(one, terms, language) for one in query.get("rows") or ()]
    chosen = _among(query.get("among") or {}, terms, language)
    if chosen and query.get("among_others"):
        some = chosen.removesuffix("의")
        chosen = f"{with_particle(some, '을/를')} 뺀 나머지" if language == "ko" else f"all but {chosen}"
    parts.append(chosen)
    return [part for part in parts if part]


def _days(days: Sequence[int], language: Language) -> str:
    if not days:
        return ""
    if sorted(days) == [6, 7]:
        return "주말" if language == "ko" else "weekends"
    if sorted(days) == [1, 2, 3, 4, 5]:
        return "평일" if language == "ko" else "Monday to Friday"
    return ", ".join(weekday_name(day, language) for day in sorted(days))


def _row(one: Json, terms: Json, language: Language) -> str:
    label, unit = _term(str(one.get("column")), terms)
    below = _term(str(one["per"]), terms)[0] if one.get("per") else ""
    label = f"{label} ÷ {below}" if below else label
    given: list[Any] = [*(one.get("values") or ())]
    op = str(one.get("op"))
    if not label or not given:
        return ""
    if not isinstance(given[0], int | float):
        return _dated(label, op, [date.fromisoformat(str(value)) for value in given], language)
    values = [format_value(float(value), unit, language) for value in given]
    if op == "between" and len(values) == 2:
        return f"건별 {label} {values[0]}~{values[1]}" if language == "ko" else (
            f"rows with {label} between {values[0]} and {values[1]}"
        )  # fmt: skip
    if language == "ko":
        return f"건별 {label} {values[0]} {_KO_ROWS.get(op, '')}".strip()
    return f"rows with {label} {_EN_LIMITS.get(op, 'of {value}').format(value=values[0])}"


_KO_DATES = {">": "{day} 뒤", ">=": "{day}부터", "<": "{day} 전", "<=": "{day}까지", "=": "{day}"}
_EN_DATES = {
    ">": "after {day}",
    ">=": "from {day}",
    "<": "before {day}",
    "<=": "until {day}",
    "=": "on {day}",
}


def _dated(label: str, op: str, days: Sequence[date], language: Language) -> str:
    """A condition on a date of the things themselves: 출시일 2019년, launch date in 2019."""
    if op == "between" and len(days) == 2:
        span = period_words(days[0], days[1], language)
        return f"{label} {span}" if language == "ko" else f"{label} in {span}"
    if language == "ko":
        return f"{label} {_KO_DATES[op].format(day=days[0])}"
    return f"{label} {_EN_DATES[op].format(day=days[0])}"


_TIMES = {
    "year": ("해", "year"), "quarter": ("분기", "quarter"), "month": ("달", "month"), "week": ("주", "week"),
    "day": ("날", "day"), "weekday": ("요일", "weekday"),
}  # fmt: skip


def _unit_of_time(unit: str, top: Json, terms: Json, language: Language) -> str:
    """The month with the highest sales."""
    metric, _ = _term(str(top.get("by") or ""), terms)
    best, (ko, en) = top.get("direction", "top") == "top", _TIMES[unit]
    if language == "ko":
        return f"{with_particle(metric, '이/가')} 가장 {'많은' if best else '적은'} {ko}"
    return f"the {en} with the {'highest' if best else 'lowest'} {metric}"


def _among(query: Json, terms: Json, language: Language) -> str:
    dimension = next(iter(query.get("dimensions") or ()), None)
    top: Json = query.get("top") or {}
    if dimension is None:
        return ""
    found = terms.get(dimension) or {}
    noun, best = str(found.get("label") or ""), top.get("direction", "top") == "top"
    if dimension in _TIMES:
        return _unit_of_time(str(dimension), top, terms, language)
    metric, _ = _term(str(top.get("by") or next(iter(query.get("metrics") or ()), "")), terms)
    if not top or not noun:
        said = things(query, terms, language)
        return " ".join(filter(None, (said, noun))) if language == "ko" else f"{noun} {said}".strip()
    if top.get("percent"):
        count = f"{top['percent']:g}%"
    else:
        count = (
            f"{top.get('n', 1)}{counter(noun, found.get('thing'))}"
            if language == "ko"
            else f"{top.get('n', 1)}"
        )
    if language == "ko":
        some = f"{count} {noun}" if top.get("percent") else f"{noun} {count}"
        return f"{metric} {'상위' if best else '하위'} {some}의".strip()
    return f"the {'top' if best else 'bottom'} {count} {plural(noun, top.get('n', 2))} by {metric}"
