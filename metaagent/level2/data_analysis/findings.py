"""Turns results into statistics, sentences and the tables of charts. No effects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, cast

from metaagent.documents.format import format_value
from metaagent.documents.table import Cell, Table, number
from metaagent.level2.data_analysis import contribution, headline, insights, over_time, statistics
from metaagent.level2.data_analysis.charts import Question
from metaagent.level2.data_analysis.data_request import Asked
from metaagent.level2.data_analysis.periods import bucket_end, bucket_span, bucket_words, period_words
from metaagent.level2.data_analysis.sentence import Subject
from metaagent.level2.data_analysis.view import BESIDE, View
from metaagent.plugin import DataResult, Text

Json = dict[str, Any]
MOST_PANELS = 3


@dataclass
class Drawing:
    """A chart to be built: its table, the question that it answers, and its title."""

    table: Table
    title: str
    question: Question | None = None
    ordered: bool = False
    partial: Sequence[str] = ()


@dataclass
class Found:
    """Everything that was found out so far: figures by name, sentences in order, charts in order."""

    statistics: Json = field(default_factory=dict[str, Any])
    lines: list[str] = field(default_factory=list[str])
    drawings: list[Drawing] = field(default_factory=list[Drawing])

    def say(self, result: Mapping[str, Any], subject: Subject, view: View, limit: int | None = None) -> None:
        said = insights.describe(result, subject, view.language)[:limit]
        self.lines += [one["text"] for one in said]


_PARTLY = Text(
    en="{which} is not complete ({said}, up to {until}) and is left out of the trend, the highest and the lowest.",
    ko="{which}은(는) {until}까지만 있어({said}) 추세와 최고·최저에서 뺐습니다.",
)
_SO_FAR = Text(
    en="{which} is not complete: it ends with {until}.", ko="{which}은(는) {until}까지의 값입니다."
)
_PARTLY_FIRST = Text(
    en="{which} is not complete ({said}, from {since}) and is left out of the trend, the highest and the lowest.",
    ko="{which}은(는) {since}부터만 있어({said}) 추세와 최고·최저에서 뺐습니다.",
)


_TARGET_SO_FAR = Text(
    en="{whole} is not over ({passed} of {days} days have passed): {figure} sets what was reached up to {until} against all "
    "targets that are set for it.",
    ko="{whole}은(는) 아직 끝나지 않았습니다({days}일 중 {passed}일 경과). {figure}은(는) {until}까지의 실적을 "
    "그 기간에 정해진 목표 전체와 견준 값입니다.",
)


_BY_CHANGE = Text(en="{title}: largest changes first", ko="{title}: 변화가 큰 순")


def compared(view: View, found: Found) -> None:
    """The change of each figure against the compared period. The headline has said the figure itself."""
    if not view.rows:
        return
    several = len(view.figures) > 1
    for i in view.figures:
        before = view.beside(i, "previous")
        if before is None:
            continue
        column = view.columns[i]
        key = "comparison" if "comparison" not in found.statistics else f"comparison_{column['name']}"
        row = view.rows[0]
        made = statistics.compare(number(row[i]), number(row[before]))
        found.statistics[key] = made
        if made["kind"] == "comparison":
            subject = _subject(view, i)
            subject.pop("period", None)
            found.say(made, subject if several else {**subject, "said": True}, view, 1)


def achieved(view: View, found: Found) -> None:
    """The figure against its target, where the result has one."""
    for i in view.figures:
        target = view.beside(i, "target")
        if target is None or not view.rows or view.grouping:
            continue
        row = view.rows[0]
        made = statistics.achievement(number(row[i]), number(row[target]))
        found.statistics["achievement"] = made
        if made["kind"] == "achievement":
            found.say(made, {**_subject(view, i), "said": len(view.figures) == 1}, view, 1)


def cautioned(view: View, found: Found) -> None:
    """Say of a figure against its target that the period of the target is not over: it looks low and is only early."""
    aimed = next((column for column in view.columns if column.get("target_grain")), None)
    if aimed is None or not view.rows or view.span is None or view.asked.today is None:
        return
    start, end = view.span[0], bucket_end(view.span[1], str(aimed["target_grain"]))
    if end < view.asked.today or start >= view.asked.today or view.partial:
        return
    passed = (view.asked.today - start).days
    last = (view.asked.today - timedelta(days=1)).isoformat()
    said = _TARGET_SO_FAR.say(
        view.language,
        figure=aimed["label"],
        until=bucket_words(last, view.language),
        whole=period_words(start, end, view.language),
        passed=passed,
        days=(end - start).days + 1,
    )
    found.lines.append(said)


def split_of(result: DataResult, asked: Asked) -> contribution.Split | None:
    """One dimension's part in the change; None for figures whose parts do not add up to the whole."""
    view = View(result, asked)
    figure = view.figures[0] if view.figures else None
    before = None if figure is None else view.beside(figure, "previous")
    if figure is None or before is None or len(view.names) != 1 or not view.columns[figure].get("additive"):
        return None
    if result.truncated:
        return None
    name, value = view.columns[view.names[0]], view.columns[figure]
    parts = contribution.contribution_of_columns(
        view.table, [name["name"]], view.columns[before]["name"], value["name"]
    )
    if parts["kind"] != "contribution":
        return None
    return contribution.Split(name["name"], str(name["label"]), name.get("thing"), parts)


def driven(splits: Mapping[str, contribution.Split], view: View, parts: Sequence[View], found: Found) -> None:
    """Along which dimension the change shows most clearly, with the chart of that one."""
    made = contribution.drivers(list(splits.values()))
    if made is None:
        return
    best = made["best"]["dimension"]
    found.statistics["drivers"] = made
    found.statistics["contribution"] = {"dimension": best, **cast("Json", splits[best].parts)}
    found.say(cast("Json", made), _subject(view, view.figures[0]), view)
    shown = next(one for one in parts if one.columns[one.names[0]]["name"] == best)
    found.drawings.append(_two_periods(shown))


def _two_periods(view: View) -> Drawing:
    """Two bars for each thing; their names are the two periods. The largest changes come first."""
    name, figure = view.names[0], view.figures[0]
    before = view.beside(figure, "previous")
    assert before is not None
    rows = sorted(view.rows, key=lambda row: -abs((number(row[figure]) or 0) - (number(row[before]) or 0)))
    table = view.only([name, figure, before], rows[:12])
    for column, words in zip(table["columns"][1:], (view.period, view.previous), strict=True):
        column["label"] = words or column["label"]
    by = _BY_CHANGE.say(view.language, title=headline.title(view))
    return Drawing(table, by, "compare", ordered=True)


def course(view: View, found: Found) -> None:
    """The figure month by month, over a year or more."""
    if view.main is None or len(view.rows) < 2:
        return
    _trend(view, view.figures[0], found)
    found.drawings.insert(
        0,
        Drawing(
            view.only([*view.times, view.figures[0]]), headline.title(view), "trend", partial=view.partial
        ),
    )


def described(view: View, found: Found) -> None:
    """Statements that the rows themselves carry: a change, a trend, who is largest; and the chart that shows it."""
    if not view.rows or view.main is None:
        return
    if not view.grouping:
        compared(view, found)
        achieved(view, found)
        return
    plain = view.columns[view.main]["kind"] not in BESIDE
    if view.times and not view.names and len(view.rows) > 2 and plain:
        _trend(view, view.main, found)
    if view.partial and view.times and not view.names:
        found.lines += [_unfinished(view, name) for name in view.partial]
    if len(view.names) == 1 and not view.times and len(view.rows) > 1:
        _segments(view, found)
    if len(view.rows) > 1 and any(number(row[view.main]) for row in view.rows):
        found.drawings.append(_drawing(view))


def _trend(view: View, figure: int, found: Found) -> None:
    at = view.times[0]
    whole: list[list[Cell]] = [row for row in view.rows if str(row[at]) not in view.partial]
    table: Table = {"columns": view.table["columns"], "rows": whole}
    made = over_time.trend(table, view.columns[at]["name"], view.columns[figure]["name"])
    found.statistics["trend"] = made
    if made["kind"] == "trend":
        found.say(made, _subject(view, figure), view, 1)


def _unfinished(view: View, name: str) -> str:
    """A period that is not complete, with its figure so far."""
    span = bucket_span(name)
    assert span is not None
    assert view.span is not None
    assert view.last_day is not None
    assert view.main is not None
    row = next(row for row in view.rows if str(row[view.times[0]]) == name)
    said = format_value(number(row[view.main]), view.columns[view.main].get("unit"), view.language)
    words = bucket_words(name, view.language)
    if span[1] > view.last_day:
        last = view.last_day
        short = view.language == "ko" and span[0].month == span[1].month
        until = f"{last.day}일" if short else bucket_words(last.isoformat(), view.language)
        if view.columns[view.main]["kind"] in BESIDE:
            return _SO_FAR.say(view.language, which=words, until=until)
        return _PARTLY.say(view.language, which=words, said=said, until=until)
    since = bucket_words(view.span[0].isoformat(), view.language)
    return _PARTLY_FIRST.say(view.language, which=words, said=said, since=since)


def _segments(view: View, found: Found) -> None:
    if view.query.get("top") or view.query.get("having") or view.result.truncated:  # some are no whole
        return
    figure = view.figures[0] if view.figures else None
    if figure is None or not view.columns[figure].get("additive"):
        return
    name, value = view.columns[view.names[0]]["name"], view.columns[figure]["name"]
    previous = view.beside(figure, "previous")
    if previous is not None:
        parts = contribution.contribution_of_columns(
            view.table, [name], view.columns[previous]["name"], value
        )
        found.statistics["contribution"] = parts
        found.say(parts, _subject(view, figure), view)
        return
    if view.columns[view.names[0]]["kind"] != "dimension":
        return
    told = statistics.concentration(view.table, name, value)
    found.statistics["concentration"] = told
    if told["kind"] == "concentration" and 2 * told["top"] < told["n"]:  # half of them hold most of it anyway
        found.say(told, _subject(view, figure), view, 1)


def _drawing(view: View) -> Drawing:
    """The chart of the figure that was asked for: growth, running total, share, or all figures of the question."""
    assert view.main is not None
    figure = view.main
    question = _question(view)
    chosen = [figure]
    previous = view.beside(figure, "previous") if figure in view.figures else None
    if figure in view.figures and len(view.figures) > 1 and view.place(view.ranked_by) != figure:
        chosen = view.figures[:MOST_PANELS]
        question = question if question == "trend" else "compare"
    elif previous is not None and not view.times and len(view.names) == 1:
        chosen, question = [figure, previous], "compare"
    table = view.only([*view.grouping, *chosen])
    if previous in chosen:
        for column, words in zip(table["columns"][-2:], (view.period, view.previous), strict=True):
            column["label"] = words or column["label"]
    calendar = any(view.columns[i]["kind"] == "time" for i in view.names)
    asked_order = bool(view.query.get("top") or view.query.get("order")) or question == "rank" or calendar
    return Drawing(table, headline.title(view), question, ordered=asked_order, partial=view.partial)


def _question(view: View) -> Question | None:
    intents: tuple[tuple[str, Question], ...] = (("trend", "trend"), ("rank", "rank"), ("compare", "compare"))
    for intent, question in intents:
        if intent in view.asked.intents:
            return question
    return "share" if view.asked.request.get("share") else None


def _subject(view: View, figure: int) -> Subject:
    column = view.columns[figure]
    metric = str(column["label"])
    if view.scope:
        metric = f"{view.scope} {metric}" if view.language == "ko" else f"{metric} ({view.scope})"
    subject: Subject = {"metric": metric, "unit": column["unit"], "source": "dataset"}
    if view.period:
        subject["period"] = view.period
    if view.previous:
        subject["previous"] = view.previous
    if len(view.names) == 1:
        name = view.columns[view.names[0]]
        subject["noun"], subject["thing"] = str(name["label"]), name.get("thing")
    return subject
