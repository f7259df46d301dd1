"""The first sentences of an answer: the figures themselves. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from metaagent.documents.format import (
    format_change,
    format_value,
    full_number,
    is_money,
    unit_label,
    unit_of,
)
from metaagent.language.counters import counted, counter, plural
from metaagent.language.particles import Language, with_particle
from metaagent.level2.data_analysis.periods import bucket_words, during, split_words
from metaagent.level2.data_analysis.view import View

SHOWN = 5
LISTED = 7
"""So many periods, or weekdays, are read out one by one."""


def headlines(view: View) -> list[str]:
    if not view.rows:
        return [nothing(view)]
    if view.query.get("count_groups") and not view.grouping:
        return [counted_things(view)]
    if not view.grouping:
        return single(view)
    if view.main is None:
        return [listing(view)]
    if len(view.rows) == 1 and (special := _the_one(view)):
        return [special]
    if view.times and not view.names and len(view.rows) > LISTED:
        return [over_time(view, figure) for figure in _told(view, view.main)]
    return [several(view)]


def exact(value: float | None, column: Mapping[str, Any], language: Language) -> str:
    """All digits, and beside them the short form where the number is long."""
    unit = str(column.get("unit") or "")
    short = format_value(value, unit, language)
    if value is None or unit_of(unit) in ("ratio", "percent") or abs(value) < 1e4:
        return short
    whole = full_number(value, 0 if is_money(unit) else int(column.get("decimals") or 0))
    label = unit_label(unit, language)
    if language == "ko":
        return f"{whole}{label}" if f"{whole}{label}" == short else f"{whole}{label}(약 {short})"
    written = f"₩{whole}" if is_money(unit) else f"{whole} {label}".strip()
    return written if written == short else f"{written} ({short})"


def _where(view: View) -> str:
    """'for Seoul in October 2026', 'without Seoul in October 2026'."""
    scope = view.scope if view.scope.startswith("without ") else f"for {view.scope}" if view.scope else ""
    return " ".join(filter(None, (scope, during(view.period) if view.period else "")))


def single(view: View) -> list[str]:
    """One line for each figure of a result without dimensions."""
    lines: list[str] = []
    row = view.rows[0]
    for i in view.figures:
        column, value = view.columns[i], _number(row[i])
        if view.language == "ko":
            about = " ".join(filter(None, (view.period, view.scope, str(column["label"]))))
            verb = "데이터가 없습니다" if value is None else f"{exact(value, column, 'ko')}입니다"
            lines.append(f"{with_particle(about, '은/는')} {verb}.")
        else:
            said = "no data" if value is None else exact(value, column, "en")
            about = " ".join(filter(None, (str(column["label"]), _where(view))))
            lines.append(f"{about}: {said}.")
    return lines


def counted_things(view: View) -> str:
    """The number of things that meet the conditions of the question."""
    i = view.figures[0] if view.figures else len(view.columns) - 1
    column, value = view.columns[i], _number(view.rows[0][i])
    count = int(value or 0)
    noun, thing = str(column.get("noun") or str(column["label"]).removesuffix(" 수")), column.get("thing")
    if view.language == "ko":
        about = " ".join(filter(None, (view.period, view.scope, view.condition, noun)))
        return f"{with_particle(about, '은/는')} {count:,}{_counter(column, noun, thing)}입니다."
    return " ".join(filter(None, (f"{count:,} {plural(noun, count)}", view.condition, _where(view)))) + "."


def _counter(column: Mapping[str, Any], noun: str, thing: str | None) -> str:
    unit = unit_label(column.get("unit"), "ko")
    return unit if unit in {"명", "곳", "건", "개", "회"} else counter(noun, thing)


def listing(view: View) -> str:
    """Things without figures: how many there are and the first of them."""
    column = view.columns[view.grouping[0]]
    noun, thing, count = str(column["label"]), column.get("thing"), len(view.rows)
    names = ", ".join(_name(view, row) for row in view.rows[:SHOWN])
    more = _more(view, count - min(count, SHOWN))
    if view.language == "ko":
        about = " ".join(filter(None, (view.period, view.scope, view.condition, noun)))
        return f"{with_particle(about, '은/는')} {count:,}{counter(noun, thing)}입니다: {names}{more}."
    about = " ".join(filter(None, (counted(count, noun, "en"), view.condition, _where(view))))
    return f"{about}: {names}{more}."


def _the_one(view: View) -> str | None:
    """The sentence for a single winner or for one place of a ranking; None where nothing was ranked."""
    top = view.query.get("top")
    if not top or len(view.names) != 1 or view.times or view.main is None:
        return None
    column, noun = view.columns[view.main], str(view.columns[view.names[0]]["label"])
    name, said = _name(view, view.rows[0]), _said(view, view.rows[0], view.main)
    metric, nth, best = str(column["label"]), top.get("nth"), top.get("direction", "top") == "top"
    if view.language == "ko":
        high = unit_of(column.get("unit")) in ("ratio", "percent") or not column.get("additive")
        way = ("높은" if high else "많은") if best else ("낮은" if high else "적은")
        place = f"{'' if best else '하위 '}{nth}위인" if nth else f"가장 {way}"
        about = " ".join(
            filter(None, (view.period, view.scope, f"{with_particle(metric, '이/가')} {place} {noun}"))
        )
        return f"{with_particle(about, '은/는')} {name}({said})입니다."
    if nth:
        lead = f"{noun} no. {nth}{'' if best else ' from the bottom'} by {metric}"
    else:
        lead = f"{noun} with the {'highest' if best else 'lowest'} {metric}"
    return f"The {lead} {_where(view)}".rstrip() + f": {name} ({said})."


def over_time(view: View, main: int) -> str:
    """Highest, lowest and last of the complete periods; a running total by where it has come to."""
    at = view.times[0]
    column = view.columns[main]
    whole = [row for row in view.rows if str(row[at]) not in view.partial and _number(row[main]) is not None]
    rows = whole or view.rows

    def said(row: Sequence[Any]) -> str:
        return f"{bucket_words(str(row[at]), view.language)} {_said(view, row, main)}"

    metric = str(column["label"])
    split = str(view.columns[at]["label"])
    if column["kind"] == "running_total":
        last = view.rows[-1]
        until = bucket_words(str(last[at]), view.language)
        if view.language == "ko":
            about = " ".join(filter(None, (view.period, view.scope, metric)))
            return f"{with_particle(about, '은/는')} {until}까지 {_said(view, last, main)}입니다."
        return f"{metric} {_where(view)} up to {until}: {_said(view, last, main)}."
    top, low = (pick(rows, key=lambda row: float(_number(row[main]) or 0)) for pick in (max, min))
    ends = [("최고", "highest", top), ("최저", "lowest", low), ("마지막", "last", rows[-1])]
    parts: list[str] = []
    for row in dict.fromkeys(map(id, (top, low, rows[-1]))):
        words = [(ko, en) for ko, en, one in ends if id(one) == row]
        lead = (
            "이자 ".join(ko for ko, _ in words)
            if view.language == "ko"
            else " and ".join(en for _, en in words)
        )
        parts.append(f"{lead} {said(next(one for _, _, one in ends if id(one) == row))}")
    if view.language == "ko":
        about = " ".join(filter(None, (view.period, view.scope, f"{split_words([split])} {metric}")))
        return f"{with_particle(about, '은/는')} {', '.join(parts)}입니다."
    return f"{metric} by {split} {_where(view)}: {', '.join(parts)}."


def several(view: View) -> str:
    """The first rows in one sentence by the figures that were asked for; the table has all."""
    main = view.main
    assert main is not None
    figures = _told(view, main)
    labels = [str(view.columns[i]["label"]) for i in view.grouping]
    metrics = [str(view.columns[i]["label"]) for i in figures]
    if view.language == "ko":
        what = (
            metrics[0]
            if len(metrics) == 1
            else f"{with_particle(metrics[0], '과/와')} {', '.join(metrics[1:])}"
        )
        counts = bool(view.query.get("count_groups"))
        split = (
            f"{split_words(labels)} {view.condition} {what}"
            if counts
            else f"{view.condition} {split_words(labels)} {what}"
        )
        about = " ".join(
            filter(None, (view.period, view.scope, _rank_words(view), split.strip().replace("  ", " ")))
        )
    else:
        split = f"{' and '.join(metrics)} by {', '.join(labels)}"
        about = " ".join(filter(None, (split, view.condition, _rank_words(view), _where(view))))
    if view.times and view.names:
        return f"{about}: {_latest(view, figures)}."
    calendar = bool(view.times) or any(view.columns[i]["kind"] == "time" for i in view.grouping)
    shown = LISTED if calendar else SHOWN if len(figures) == 1 else 3
    items = [_item(view, row, figures) for row in view.rows[:shown]]
    return f"{about}: {', '.join(items)}{_more(view, len(view.rows) - len(items))}."


def _rank_words(view: View) -> str:
    """상위 10%: the part of a ranking that was asked for."""
    top = view.query.get("top") or {}
    if not top.get("percent"):
        return ""
    best = top.get("direction", "top") == "top"
    share = f"{top['percent']:g}%"
    if view.language == "ko":
        return f"{'상위' if best else '하위'} {share}"
    return f"({'top' if best else 'bottom'} {share})"


def _latest(view: View, figures: Sequence[int]) -> str:
    """The largest of the last complete period, where things are followed over time."""
    at = view.times[0]
    names = [str(row[at]) for row in view.rows]
    whole = [name for name in names if name not in view.partial] or names
    last = max(whole)
    rows = [row for row in view.rows if str(row[at]) == last]
    rows.sort(key=lambda row: -float(_number(row[figures[0]]) or 0))
    items = [f"{_name(view, row, timed=False)} {_said(view, row, figures[0])}" for row in rows[:SHOWN]]
    words = bucket_words(last, view.language)
    lead = f"마지막 {words} 기준 " if view.language == "ko" else f"in {words}, the last complete one, "
    return f"{lead}{', '.join(items)}{_more(view, len(rows) - len(items), of_names=True)}"


def _told(view: View, main: int) -> list[int]:
    """The figure asked for; all of them where several were and none is ranked by."""
    ranked = view.place(view.ranked_by) == main
    several = len(view.figures) > 1 and main in view.figures and not ranked
    return view.figures[:3] if several else [main]


def _item(view: View, row: Sequence[Any], figures: Sequence[int]) -> str:
    name = _name(view, row)
    if len(figures) > 1:
        said = " · ".join(f"{view.columns[i]['label']} {_said(view, row, i)}" for i in figures)
        return f"{name}({said})" if view.language == "ko" else f"{name} ({said})"
    [figure] = figures
    share, change = view.beside(figure, "share"), view.beside(figure, "change")
    extra = ""
    if share is not None and _number(row[share]) is not None:
        extra = f"({format_value(_number(row[share]), 'ratio', view.language)})"
    elif change is not None and _number(row[change]) is not None:
        extra = f"({format_change(_number(row[change]), 'ratio', view.language)})"
    return f"{name} {_said(view, row, figure)}{extra if view.language == 'ko' else extra.replace('(', ' (')}"


def _name(view: View, row: Sequence[Any], *, timed: bool = True) -> str:
    parts: list[str] = []
    for i in view.grouping if timed else view.names:
        cell = row[i]
        dated = view.columns[i]["kind"] == "time" and view.columns[i]["type"] == "date"
        none = "이름 없음" if view.language == "ko" else "no name"
        parts.append(none if cell is None else bucket_words(str(cell), view.language) if dated else str(cell))
    return " ".join(parts)


def _said(view: View, row: Sequence[Any], figure: int) -> str:
    return format_value(_number(row[figure]), view.columns[figure].get("unit"), view.language)


def _number(cell: Any) -> float | None:
    return cell if isinstance(cell, int | float) and not isinstance(cell, bool) else None


def _more(view: View, count: int, *, of_names: bool = False) -> str:
    if count <= 0:
        return ""
    if view.language == "en":
        return f" and {count:,} more"
    column = view.columns[view.grouping[0]]
    if of_names:
        column = view.columns[view.names[0]]
    one = (of_names and len(view.names) == 1) or (len(view.grouping) == 1 and column["kind"] == "dimension")
    return f" 외 {count:,}{counter(str(column['label']), column.get('thing')) if one else '개'}"


def nothing(view: View) -> str:
    about = [part for part in (view.period, view.scope) if part]
    if view.condition and view.grouping:
        noun = str(view.columns[view.grouping[0]]["label"])
        if view.language == "ko":
            return f"{with_particle(' '.join([*about, view.condition, noun]), '은/는')} 없습니다."
        return " ".join(filter(None, (f"No {noun}", view.condition, _where(view)))) + "."
    if view.language == "ko":
        return (
            f"{' '.join([*about, '조건에'])} 맞는 데이터가 없습니다."
            if about
            else "조건에 맞는 데이터가 없습니다."
        )
    return f"No data matches {', '.join(reversed(about)) or 'the question'}."


def title(view: View) -> str:
    names = [str(view.columns[i]["label"]) for i in view.grouping]
    main = [view.main] if view.main is not None else []
    shown = [*main, *(i for i in view.figures if i not in main)] if view.main in view.figures else main
    what = ", ".join(str(view.columns[i]["label"]) for i in shown)
    if view.language == "ko":
        split = f"{split_words(names)} " if names else ""
        return " ".join(filter(None, (view.period, view.scope, f"{split}{what}".strip())))
    split = f" by {', '.join(names)}" if names else ""
    return ", ".join(filter(None, (f"{what}{split}".strip(), view.scope, view.period)))
