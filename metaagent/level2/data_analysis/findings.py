"""From results to statistics, sentences and the tables of charts. No effects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, cast

from metaagent.language.particles import Language
from metaagent.level2.data_analysis import headline, insights, statistics
from metaagent.level2.data_analysis.asked import Asked
from metaagent.level2.data_analysis.format import preferred_unit
from metaagent.level2.data_analysis.insights import Subject
from metaagent.level2.data_analysis.table import Column, Table
from metaagent.plugin import DataResult, Text

Json = dict[str, Any]
MOST_INSIGHTS = 4


def shown(result: DataResult) -> Table:
    return readable(result.columns, result.rows)


def readable(columns: Sequence[Mapping[str, Any]], rows: Sequence[Sequence[Any]]) -> Table:
    """A result as people read it: coded values by their names, columns with labels and units."""
    made: list[Column] = []
    for column in columns:
        one: Column = {"name": column["name"], "label": column["label"], "type": column["type"]}
        if column["unit"]:
            one["unit"] = column["unit"]
        made.append(one)
    named = [column["values"] for column in columns]
    cells = [
        [names.get(cell, cell) if names else cell for names, cell in zip(named, row, strict=True)]
        for row in rows
    ]
    return {"columns": made, "rows": cells}


_BESIDE = {
    "previous": Text(en="{label} (compared period)", ko="{label} (비교 기간)"),
    "difference": Text(en="{label} difference", ko="{label} 증감"),
    "change": Text(en="{label} change", ko="{label} 증감률"),
}


def beside(base: DataResult, other: DataResult, language: Language) -> DataResult:
    """Two results of one shape as one with differences, as the semantic layer gives for neighbouring periods."""
    keys = [i for i, column in enumerate(base.columns) if column["kind"] in ("dimension", "time")]
    timed = any(column["kind"] == "time" for column in base.columns)
    if timed or [c["name"] for c in base.columns] != [c["name"] for c in other.columns]:
        return base
    columns: list[Json] = []
    for column in base.columns:
        columns.append(column)
        for kind, text in _BESIDE.items() if column["kind"] == "metric" else ():
            made = {
                **column,
                "name": f"{column['name']}__{kind}",
                "kind": kind,
                "label": text.say(language, label=column["label"]),
            }
            columns.append(
                {**made, "unit": "ratio", "format": "percent", "decimals": 1} if kind == "change" else made
            )
    before = {tuple(row[i] for i in keys): row for row in other.rows}
    own = {tuple(row[i] for i in keys): row for row in base.rows}
    rows = [_paired(base, own.get(key), before.get(key), key) for key in dict.fromkeys([*own, *before])]
    start, end = (str((other.query.get("period") or {}).get(side, "")) for side in ("start", "end"))
    after = (date.fromisoformat(end) + timedelta(days=1)).isoformat() if end else ""
    params = {**base.params, "previous_start": start, "previous_end": after}
    return replace(base, columns=columns, rows=rows, row_count=len(rows), params=params)


def _paired(
    base: DataResult, now: list[Any] | None, then: list[Any] | None, key: tuple[Any, ...]
) -> list[Any]:
    row: list[Any] = []
    names = iter(key)
    for index, column in enumerate(base.columns):
        if column["kind"] in ("dimension", "time"):
            row.append(next(names))
            continue
        current, previous = (None if cells is None else cells[index] for cells in (now, then))
        difference = None if current is None or previous is None else current - previous
        row += [
            current,
            previous,
            difference,
            difference / abs(previous) if difference is not None and previous else None,
        ]
    return row


def about(result: DataResult, asked: Asked) -> tuple[str, str]:
    """(period, scope) in words."""
    period = result.query.get("period") or {}
    words = ""
    if period.get("start") and period.get("end"):
        words = headline.period_words(
            date.fromisoformat(period["start"]), date.fromisoformat(period["end"]), asked.language
        )
    return words, headline.scope_words(asked.resolved.get("filters") or (), asked.language)


def headlines(result: DataResult, asked: Asked) -> list[str]:
    period, scope = about(result, asked)
    rows = shown(result)["rows"]
    if not rows:
        return [headline.nothing(period, scope, asked.language)]
    columns = [{**column, "unit": preferred_unit(column["unit"], asked.units)} for column in result.columns]
    if any(column["kind"] in ("dimension", "time") for column in columns):
        order: Json = next(iter(result.query.get("order") or ()), {})
        ranked_by = (result.query.get("top") or {}).get("by") or order.get("column")
        return [headline.several(columns, rows, period, scope, asked.language, ranked_by)]
    return headline.single(columns, rows[0], period, scope, asked.language)


def title(result: DataResult, asked: Asked) -> str:
    period, scope = about(result, asked)
    names = [c["label"] for c in result.columns if c["kind"] in ("dimension", "time")]
    metrics = [c["label"] for c in result.columns if c["kind"] == "metric"]
    what = ", ".join(metrics)
    if asked.language == "ko":
        split = f"{headline.split_words(names)} " if names else ""
        return " ".join(filter(None, (period, scope, f"{split}{what}".strip())))
    split = f" by {', '.join(names)}" if names else ""
    return ", ".join(filter(None, (f"{what}{split}".strip(), scope, period)))


def compared(result: DataResult, asked: Asked, found: Json, lines: list[str]) -> None:
    for index, column in enumerate(result.columns):
        if column["kind"] != "metric":
            continue
        before = _value(result, f"{column['name']}__previous")
        key = "comparison" if "comparison" not in found else f"comparison_{column['name']}"
        found[key] = statistics.compare(result.rows[0][index] if result.rows else None, before)
        subject = _subject(result, asked, column)
        subject.pop("period", None)  # the headline has said it
        _say(found[key], subject, asked, lines, limit=1)


def contributed(result: DataResult, asked: Asked, found: Json, lines: list[str]) -> list[Json]:
    """Which values of the dimension made the change; the parts add up to the whole."""
    metric = next((c for c in result.columns if c["kind"] == "metric"), None)
    name = next((c for c in result.columns if c["kind"] == "dimension"), None)
    if metric is None or name is None or not _additive(metric):
        return []
    table = shown(result)
    parts = statistics.contribution_of_columns(
        table, [name["name"]], f"{metric['name']}__previous", metric["name"]
    )
    found["contribution"] = {"dimension": name["name"], **cast("Json", parts)}
    subject = _subject(result, asked, metric)
    lines += [
        f"- {one['text']}"
        for one in insights.describe(parts, subject, asked.language)[:MOST_INSIGHTS]
        if one["kind"] == "contributor"
    ]
    before = f"{metric['name']}__previous"
    drawn = _only(table, [name["name"], metric["name"], before])
    # Two bars of one figure: their names are the two periods.
    periods = {metric["name"]: about(result, asked)[0], before: _previous(result, asked)}
    for column in drawn["columns"]:
        column["label"] = periods.get(column["name"]) or column["label"]
    words = title(result, asked)
    return [{"table": drawn, "question": "compare", "language": asked.language, "title": words}]


def course(result: DataResult, asked: Asked, found: Json, lines: list[str]) -> list[Json]:
    metric = next((c for c in result.columns if c["kind"] == "metric"), None)
    if metric is None or len(result.rows) < 2:
        return []
    table = shown(result)
    whole, _ = _whole(table, "month", result, asked)
    found["trend"] = statistics.trend(whole, "month", metric["name"])
    if found["trend"]["kind"] == "trend":
        _say(found["trend"], _subject(result, asked, metric), asked, lines, limit=1)
    words = title(result, asked)
    keep = ["month", metric["name"]]
    return [{"table": _only(table, keep), "question": "trend", "language": asked.language, "title": words}]


def described(result: DataResult, asked: Asked, found: Json, lines: list[str]) -> list[Json]:
    """What the rows themselves say: a change, a trend, who is largest; and the chart that shows it."""
    table = shown(result)
    metric = next((c for c in result.columns if c["kind"] == "metric"), None)
    if metric is None or not result.rows:
        return []
    names = [c for c in result.columns if c["kind"] == "dimension"]
    times = [c for c in result.columns if c["kind"] == "time" and c["type"] == "date"]
    subject = _subject(result, asked, metric)
    if not names and not times:
        if any(c["kind"] == "previous" for c in result.columns):
            compared(result, asked, found, lines)
        return []
    if times and not names and len(result.rows) > 2:
        whole, partly = _whole(table, times[0]["name"], result, asked)
        found["trend"] = statistics.trend(whole, times[0]["name"], metric["name"])
        _say(found["trend"], subject, asked, lines, limit=1)
        if partly:
            lines.append(_PARTLY.say(asked.language, which=", ".join(partly)))
    if len(names) == 1 and not times and len(result.rows) > 1:
        _segments(result, asked, table, metric, found, lines)
    if len(result.rows) < 2:
        return []
    return [
        {
            "table": table,
            "question": _question(asked),
            "language": asked.language,
            "title": title(result, asked),
        }
    ]


_PARTLY = Text(
    en="{which}: only a part of that time is in the period or has passed; left out of the trend.",
    ko="{which}은(는) 일부 기간만 들어 있어 추세 판단에서 뺐습니다.",
)


def _whole(table: Table, time: str, result: DataResult, asked: Asked) -> tuple[Table, list[str]]:
    """The rows whose stretch of time lies wholly in the period and in the past, and the names of the others."""
    period = result.query.get("period") or {}
    if time not in ("month", "quarter", "year") or not period.get("start") or not period.get("end"):
        return table, []
    start, end = date.fromisoformat(period["start"]), date.fromisoformat(period["end"])
    if asked.today is not None:
        end = min(end, asked.today - timedelta(days=1))
    index = [column["name"] for column in table["columns"]].index(time)
    partly = [
        str(row[index])
        for row in table["rows"]
        if (span := headline.bucket_span(str(row[index]))) and (span[0] < start or span[1] > end)
    ]
    kept = [row for row in table["rows"] if str(row[index]) not in partly]
    return {"columns": table["columns"], "rows": kept}, partly


def _segments(
    result: DataResult, asked: Asked, table: Table, metric: Json, found: Json, lines: list[str]
) -> None:
    name = next(c for c in result.columns if c["kind"] == "dimension")
    subject = _subject(result, asked, metric)
    previous = f"{metric['name']}__previous"
    if result.query.get("top") or result.query.get("having"):  # some of them are no whole
        return
    if any(c["name"] == previous for c in result.columns) and _additive(metric):
        parts = statistics.contribution_of_columns(table, [name["name"]], previous, metric["name"])
        found["contribution"] = parts
        _say(parts, subject, asked, lines, limit=3)
    elif _additive(metric):
        found["concentration"] = statistics.concentration(table, name["name"], metric["name"])
        told = found["concentration"]
        if told["kind"] == "concentration" and told["top"] < told["n"]:  # all of them make up the whole
            _say(found["concentration"], subject, asked, lines, limit=2)


def _question(asked: Asked) -> Any:
    for intent, question in (("trend", "trend"), ("rank", "rank"), ("compare", "compare")):
        if intent in asked.intents:
            return question
    return "share" if asked.request.get("share") else None


def _say(found: Mapping[str, Any], subject: Subject, asked: Asked, lines: list[str], *, limit: int) -> None:
    lines += [one["text"] for one in insights.describe(found, subject, asked.language)[:limit]]


def _subject(result: DataResult, asked: Asked, column: Mapping[str, Any]) -> Subject:
    period, scope = about(result, asked)
    metric = f"{scope} {column['label']}".strip() if asked.language == "ko" else str(column["label"])
    if asked.language == "en" and scope:
        metric = f"{metric} ({scope})"
    subject: Subject = {
        "metric": metric,
        "unit": preferred_unit(column["unit"], asked.units),
        "source": "dataset",
    }
    if period:
        subject["period"] = period
    previous = _previous(result, asked)
    if previous:
        subject["previous"] = previous
    return subject


def _previous(result: DataResult, asked: Asked) -> str:
    start, end = result.params.get("previous_start"), result.params.get("previous_end")
    if not start or not end:
        return ""
    last = date.fromisoformat(str(end)[:10]) - timedelta(days=1)
    return headline.period_words(date.fromisoformat(str(start)[:10]), last, asked.language)


def _value(result: DataResult, name: str) -> Any:
    index = next((i for i, c in enumerate(result.columns) if c["name"] == name), None)
    return None if index is None or not result.rows else result.rows[0][index]


def _additive(metric: Mapping[str, Any]) -> bool:
    """Parts of an average or a ratio do not add up to the whole."""
    return bool(metric.get("additive", metric["format"] == "integer"))


def _only(table: Table, names: list[str]) -> Table:
    kept = [i for i, column in enumerate(table["columns"]) if column["name"] in names]
    return {
        "columns": [Column(**table["columns"][i]) for i in kept],
        "rows": [[row[i] for i in kept] for row in table["rows"]],
    }
