"""The data analysis agent: figures of one tenant's database, what changed and why, a chart, and the SQL that proves it.

confidence = share of the asked days that have data · 0.9 if the result was cut · 0.97 for each assumption
             · 0.9 if the explanation is missing · 0.5 if nothing was found
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from metaagent.errors import SemanticInvalid
from metaagent.global_state import DataAnalysisAgentState
from metaagent.language.particles import Language
from metaagent.level2.data_analysis import findings
from metaagent.level2.data_analysis.asked import Asked
from metaagent.level2.data_analysis.table import Table
from metaagent.plugin import Artifact, Capability, Context, DataResult, Result, Task, Text, TryAgain, agent

Json = dict[str, Any]
PAGE = 50
_CUT = Text(
    en="Only the first {rows} rows are shown; there are more. Narrow the question for all of them.",
    ko="처음 {rows}행만 담았습니다. 더 있으니 질문을 좁혀 주세요.",
)
_PARTLY = Text(
    en="The data covers only {share:.0%} of the period asked for.",
    ko="물어보신 기간 중 {share:.0%}만 데이터가 있습니다.",
)
_UNEXPLAINED = Text(
    en="What made the change could not be looked up: {why}",
    ko="무엇이 변화를 만들었는지는 조회하지 못했습니다: {why}",
)
_ASKING = Text(en="asking the database", ko="데이터베이스에 묻는 중")
_EXPLAINING = Text(en="looking for what changed", ko="무엇이 달라졌는지 찾는 중")


@dataclass
class Work:
    """What the run has gathered so far. Every result that reached the database is here, in order."""

    asked: Asked
    base: DataResult
    results: list[DataResult] = field(default_factory=list[DataResult])
    statistics: Json = field(default_factory=dict[str, Any])
    insights: list[str] = field(default_factory=list[str])
    charts: list[Json] = field(default_factory=list[Json])
    missing: list[str] = field(default_factory=list[str])


@agent(
    name="data_analysis",
    description=Text(en="Analyse the data", ko="데이터 분석"),
    capabilities=[
        Capability(
            "data_analysis",
            ko=("데이터 분석", "분석", "조회", "비교", "추이", "순위", "비중"),
            en=("data analysis", "analyze", "figure", "compare", "trend", "rank", "share"),
        )
    ],
    produces={"dataset": dict, "chart": dict},
    needs=["db", "progress"],
    state=DataAnalysisAgentState,
    timeout=60.0,
    seconds=0.3,
)
async def data_analysis(task: Task, ctx: Context) -> Result:
    language: Language = "ko" if ctx.shared.get("language") == "ko" else "en"
    asked = Asked.of(task.request, language)
    await ctx.progress(10, _ASKING.say(language))
    base = await _asked(asked, ctx)
    work = Work(asked, base, [base])
    other = asked.other_period()
    if other is not None:
        work.results.append(await ctx.db.ask(other))
        work.base = findings.beside(base, work.results[-1], asked.language)
    if asked.deep:
        await ctx.progress(40, _EXPLAINING.say(language))
        await _explain(work, ctx)
    else:
        _describe(work)
    pictures = [picture for chart in work.charts if (picture := _drawn(chart))]
    return _result(work, pictures)


async def _asked(asked: Asked, ctx: Context) -> DataResult:
    """As asked; with the stretch before it where the change is wanted and the figure has a date."""
    if asked.deep and asked.span and not asked.request.get("top") and asked.other_period() is None:
        try:
            return await ctx.db.ask(asked.with_comparison())
        except SemanticInvalid:
            pass
    return await ctx.db.ask(asked.request)


async def _explain(work: Work, ctx: Context) -> None:
    """Against the stretch before, which parts made the change, and the course over a year.

    The figure stands already: where the database fails from here on, it is given with a word on what is missing.
    """
    asked = work.asked
    compared = any(column["kind"] == "previous" for column in work.base.columns)
    if not compared or work.base.query.get("dimensions"):
        _describe(work)
        return
    findings.compared(work.base, asked, work.statistics, work.insights)
    try:
        await _parts(work, ctx)
        await _course(work, ctx)
    except TryAgain as error:
        work.missing.append(_UNEXPLAINED.say(asked.language, why=str(error)))


async def _parts(work: Work, ctx: Context) -> None:
    for dimension in (await ctx.db.breakdowns(work.asked.request))[:1]:
        parts = await ctx.db.ask(work.asked.by(dimension))
        work.results.append(parts)
        work.charts += findings.contributed(parts, work.asked, work.statistics, work.insights)


async def _course(work: Work, ctx: Context) -> None:
    history = work.asked.history()
    if history is not None:
        months = await ctx.db.ask(history)
        work.results.append(months)
        work.charts[:0] = findings.course(months, work.asked, work.statistics, work.insights)


def _describe(work: Work) -> None:
    work.charts += findings.described(work.base, work.asked, work.statistics, work.insights)


def _drawn(chart: Json) -> Json | None:
    """The chart's spec with its own data. Pictures are made from it when somebody wants to see one."""
    from metaagent.level2.data_analysis import charts

    made = charts.build(
        chart["table"], question=chart["question"], language=chart["language"], title=chart["title"]
    )
    return None if made["type"] == "empty" else {"title": chart["title"], **made}


def _result(work: Work, pictures: list[Json]) -> Result:
    base, asked = work.base, work.asked
    title = findings.title(base, asked)
    dataset = {
        "title": title,
        "columns": base.columns,
        "rows": base.rows,
        "row_count": base.row_count,
        "truncated": base.truncated,
        "sql": base.sql,
        "params": base.params,
        "notes": base.notes,
        "query": base.query,
        "language": asked.language,
    }
    return Result(
        summary="\n".join(_lines(work)),
        confidence=_confidence(work),
        artifacts=[
            Artifact("dataset", dataset, title),
            *(Artifact("chart", picture, picture["title"]) for picture in pictures),
        ],
        sources=[_source(base)],
        state=_state(work, pictures),
    )


def _lines(work: Work) -> list[str]:
    base, asked = work.base, work.asked
    lines = [*findings.headlines(base, asked), *work.insights, *work.missing, *base.notes]
    if base.truncated:
        lines.append(_CUT.say(asked.language, rows=base.row_count))
    if asked.covered < 1:
        lines.append(_PARTLY.say(asked.language, share=asked.covered))
    return list(dict.fromkeys(lines))


def _confidence(work: Work) -> float:
    asked, base = work.asked, work.base
    empty = not base.rows or all(cell is None for row in base.rows for cell in row)
    whole = (0.9 if base.truncated else 1.0) * (0.9 if work.missing else 1.0) * (0.5 if empty else 1.0)
    return round(asked.covered * whole * 0.97**asked.assumptions, 3)


def _source(base: DataResult) -> Json:
    return {
        "type": "database",
        "tables": base.tables,
        "period": base.query.get("period"),
        "rows": base.row_count,
        "sql": base.sql,
    }


def _state(work: Work, pictures: list[Json]) -> Mapping[str, Any]:
    base = work.base
    table = findings.shown(base)
    return {
        "generated_queries": [result.sql for result in work.results],
        "query_execution_plans": [result.plan for result in work.results],
        "raw_data": {
            "columns": [column["name"] for column in base.columns],
            "rows": base.rows[:PAGE],
            "row_count": base.row_count,
            "truncated": base.truncated,
            "params": base.params,
        },
        "processed_data": _page(table),
        "statistics": work.statistics,
        "visualizations": [_visual(picture, number) for number, picture in enumerate(pictures, 1)],
        "cache_key": base.cache_key,
        "cache_hit": base.cache_hit,
    }


def _page(table: Table) -> Json:
    return {"columns": cast("list[Any]", table["columns"]), "rows": table["rows"][:PAGE]}


def _visual(picture: Json, number: int) -> Json:
    """`artifact:#n` is the n-th artifact of this result; the step puts its id in its place."""
    spec = picture["spec"]
    config = {key: value for key, value in spec.items() if key != "data"}
    values = (spec.get("data") or {}).get("values") or []
    return {"type": picture["type"], "data": values, "config": config, "image_url": f"artifact:#{number}"}
