"""From results to statistics, sentences and the tables of charts. No effects."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, cast

from metaagent.level2.data_analysis import headline, insights, statistics
from metaagent.level2.data_analysis.asked import Asked
from metaagent.level2.data_analysis.insights import Subject
from metaagent.level2.data_analysis.table import Column, Table
from metaagent.plugin import DataResult

Json = dict[str, Any]
MOST_INSIGHTS = 4


def shown(result: DataResult) -> Table:
    """The result as people read it: coded values by their names, columns with labels and units."""
    columns: list[Column] = []
    for column in result.columns:
        made: Column = {"name": column["name"], "label": column["label"], "type": column["type"]}
        if column["unit"]:
            made["unit"] = column["unit"]
        columns.append(made)
    rows = [
        [column["values"].get(cell, cell) if column["values"] else cell for column, cell in zip(result.columns, row, strict=True)]
        for row in result.rows
    ]  # fmt: skip
    return {"columns": columns, "rows": rows}


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
    if any(column["kind"] in ("dimension", "time") for column in result.columns):
        return [headline.several(result.columns, rows, period, scope, asked.language)]
    return headline.single(result.columns, rows[0], period, scope, asked.language)


def title(result: DataResult, asked: Asked) -> str:
    period, scope = about(result, asked)
    names = [c["label"] for c in result.columns if c["kind"] in ("dimension", "time")]
    metrics = [c["label"] for c in result.columns if c["kind"] == "metric"]
    what = ", ".join(metrics)
    if asked.language == "ko":
        split = f"{' · '.join(names)}별 " if names else ""
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
        _say(found[key], _subject(result, asked, column), asked, lines, limit=1)


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
    keep = [name["name"], metric["name"], f"{metric['name']}__previous"]
    words = title(result, asked)
    return [{"table": _only(table, keep), "question": "compare", "language": asked.language, "title": words}]


def course(result: DataResult, asked: Asked, found: Json, lines: list[str]) -> list[Json]:
    metric = next((c for c in result.columns if c["kind"] == "metric"), None)
    if metric is None or len(result.rows) < 2:
        return []
    table = shown(result)
    found["trend"] = statistics.trend(table, "month", metric["name"])
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
        found["trend"] = statistics.trend(table, times[0]["name"], metric["name"])
        _say(found["trend"], subject, asked, lines, limit=1)
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


def _segments(
    result: DataResult, asked: Asked, table: Table, metric: Json, found: Json, lines: list[str]
) -> None:
    name = next(c for c in result.columns if c["kind"] == "dimension")
    subject = _subject(result, asked, metric)
    previous = f"{metric['name']}__previous"
    if any(c["name"] == previous for c in result.columns) and _additive(metric):
        parts = statistics.contribution_of_columns(table, [name["name"]], previous, metric["name"])
        found["contribution"] = parts
        _say(parts, subject, asked, lines, limit=3)
    elif _additive(metric) and not result.query.get("top"):
        found["concentration"] = statistics.concentration(table, name["name"], metric["name"])
        if found["concentration"]["kind"] == "concentration":
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
    subject: Subject = {"metric": metric, "unit": str(column["unit"] or ""), "source": "dataset"}
    if period:
        subject["period"] = period
    previous = _previous(result, asked)
    if previous:
        subject["previous"] = previous
    return subject


def _previous(result: DataResult, asked: Asked) -> str:
    from datetime import timedelta

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
        "columns": [table["columns"][i] for i in kept],
        "rows": [[row[i] for i in kept] for row in table["rows"]],
    }
