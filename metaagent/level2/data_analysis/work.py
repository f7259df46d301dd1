"""The work of the data analysis agent: figures of one tenant's database, what changed and why, a chart, and the SQL that
proves it.

confidence = share of the asked days that have data · 0.9 if the result was cut
             · 0.9 if the explanation is missing · 0.5 if nothing was found · 0.65 if it is 0
             · 0.3 if a figure has no date, and the period was left out
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from metaagent.errors import SemanticInvalid
from metaagent.language.particles import Language
from metaagent.level2.data_analysis import charts, findings, headline
from metaagent.level2.data_analysis.contribution import Split
from metaagent.level2.data_analysis.data_request import Asked
from metaagent.level2.data_analysis.findings import Drawing, Found
from metaagent.level2.data_analysis.namesakes import told_apart
from metaagent.level2.data_analysis.shown import things_shown
from metaagent.level2.data_analysis.two_periods import beside
from metaagent.level2.data_analysis.unassigned_rows import named_only
from metaagent.level2.data_analysis.view import View, presentable
from metaagent.plugin import Artifact, Context, DataResult, Result, Task, Text, TryAgain
from metaagent.ports import Database

Json = dict[str, Any]
PAGE = 50
MOST_SPLITS = 12
"""Dimensions that are searched for what made a change; each costs one query."""
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
    """One run: the question, the port, every result that reached the database in order, and what was found."""

    asked: Asked
    db: Database
    results: list[DataResult] = field(default_factory=list[DataResult])
    keys: dict[str, list[Any]] = field(default_factory=dict[str, list[Any]])
    found: Found = field(default_factory=Found)
    missing: list[str] = field(default_factory=list[str])

    async def ask(self, request: Json) -> DataResult:
        result = await self.db.ask(request)
        self.results.append(result)
        return replace(result, columns=presentable(result.columns, self.asked.language))

    async def named(self, result: DataResult) -> tuple[View, dict[str, list[Any]]]:
        """The result with its namesakes told apart, and the keys of its rows."""
        made = await told_apart(result, self.db, self.asked.language)
        self.results += made.lookups
        return View(made.result, self.asked), made.keys


async def analyse(task: Task, ctx: Context) -> Result:
    language: Language = "ko" if ctx.shared.get("language") == "ko" else "en"
    asked = Asked.of(task.request, language)
    await ctx.progress(10, _ASKING.say(language))
    view, work = await _worked(asked, ctx)
    result = _result(view, work)
    if asked.for_document:
        # A document may be wanted in the other language later, when its data is no longer asked for.
        others = _result(*await _worked(Asked.of(task.request, "en" if language == "ko" else "ko"), ctx))
        result = replace(result, artifacts=_in_both(result.artifacts, others.artifacts))
    return result


def _in_both(own: Sequence[Artifact], others: Sequence[Artifact]) -> list[Artifact]:
    """The artifacts, each with the words that it has in the other language."""
    if len(own) != len(others):
        return list(own)
    kept = ("title", "columns", "sentences", "spec", "language")
    return [
        replace(one, data={**one.data, "other": {key: other.data[key] for key in kept if key in other.data}})
        for one, other in zip(own, others, strict=True)
    ]


async def _worked(asked: Asked, ctx: Context) -> tuple[View, Work]:
    work = Work(asked, ctx.db)
    base = await _base(work)
    view, work.keys = await work.named(base)
    if asked.deep:
        await ctx.progress(40, _EXPLAINING.say(asked.language))
        await _explain(view, work)
    else:
        findings.described(view, work.found)
    findings.cautioned(view, work.found)
    return view, work


async def _base(work: Work) -> DataResult:
    """Runs the query as asked; with the stretch before it where the change is wanted and the figure has a date."""
    asked = work.asked
    other = asked.other_period()
    if asked.deep and asked.span and not asked.request.get("top") and other is None:
        try:
            return await work.ask(asked.with_comparison())
        except SemanticInvalid:
            pass  # a figure without dates has no stretch before it
    base = await work.ask(asked.request)
    if other is None and not asked.request.get("top"):
        return named_only(base, asked.language)
    return base if other is None else beside(base, await work.ask(other), asked.language)


async def _explain(view: View, work: Work) -> None:
    """Against the stretch before, which parts made the change, and the course over a year.

    The figure stands already: where the database fails from here on, it is given with a word on what is missing.
    """
    compared = any(column["kind"] == "previous" for column in view.columns)
    if not compared or view.grouping:
        findings.described(view, work.found)
        return
    findings.compared(view, work.found)
    findings.achieved(view, work.found)
    try:
        await _drivers(view, work)
        history = work.asked.history()
        if history is not None:
            course, _ = await work.named(await work.ask(history))
            findings.course(course, work.found)
    except TryAgain as error:
        work.missing.append(_UNEXPLAINED.say(work.asked.language, why=str(error)))


async def _drivers(view: View, work: Work) -> None:
    """Splits the change by every dimension that can split it; the one that explains most is told."""
    splits: dict[str, Split] = {}
    parts: list[View] = []
    additive = view.figures and view.columns[view.figures[0]].get("additive")
    for dimension in (await work.db.breakdowns(work.asked.request))[:MOST_SPLITS] if additive else ():
        part, _ = await work.named(await work.ask(work.asked.by(dimension)))
        split = findings.split_of(part.result, work.asked)
        if split is not None:
            splits[dimension] = split
            parts.append(part)
    findings.driven(splits, view, parts, work.found)


def _drawn(drawing: Drawing, language: Language) -> Json | None:
    """The chart's spec with its own data. Pictures are made from it when somebody wants to see one."""
    made = charts.build(
        drawing.table,
        question=drawing.question,
        language=language,
        title=drawing.title,
        ordered=drawing.ordered,
        partial=drawing.partial,
    )
    return None if made["type"] == "empty" else {"title": drawing.title, **made}


def _result(view: View, work: Work) -> Result:
    base, asked = view.result, work.asked
    title = headline.title(view)
    drawn = (_drawn(drawing, asked.language) for drawing in work.found.drawings)
    specs = [spec for spec in drawn if spec is not None]
    dataset = {
        "title": title,
        "columns": base.columns,
        "rows": base.rows,
        "keys": work.keys,
        "row_count": base.row_count,
        "truncated": base.truncated,
        "sql": base.sql,
        "params": base.params,
        "notes": base.notes,
        "sentences": _lines(view, work),
        "query": base.query,
        "language": asked.language,
    }
    return Result(
        summary="\n".join(_lines(view, work)),
        confidence=_confidence(base, work),
        artifacts=[
            Artifact("dataset", dataset, title),
            *(Artifact("chart", spec, spec["title"]) for spec in specs),
        ],
        sources=[_source(base)],
        state=_state(view, work, specs),
    )


def _lines(view: View, work: Work) -> list[str]:
    base, asked = view.result, work.asked
    lines = [*headline.headlines(view), *work.found.lines, *work.missing, *base.notes]
    if base.undated:  # read before the figure, which is not about the period that was asked for
        lines = [*base.notes, *lines]
    if base.truncated:
        lines.append(_CUT.say(asked.language, rows=base.row_count))
    if asked.covered < 1:
        lines.append(_PARTLY.say(asked.language, share=asked.covered))
    return list(dict.fromkeys(lines))


def _confidence(base: DataResult, work: Work) -> float:
    asked = work.asked
    empty = not base.rows or all(cell is None for row in base.rows for cell in row)
    nothing = len(base.rows) == 1 and all(cell in (None, 0) for cell in base.rows[0])
    found = 0.5 if empty else 0.65 if nothing else 1.0
    whole = (0.9 if base.truncated else 1.0) * (0.9 if work.missing else 1.0) * found
    return round(asked.covered * whole * (0.3 if base.undated else 1.0), 3)


def _source(base: DataResult) -> Json:
    return {
        "type": "database",
        "tables": base.tables,
        "period": base.query.get("period"),
        "rows": base.row_count,
        "sql": base.sql,
    }


def _state(view: View, work: Work, specs: list[Json]) -> Mapping[str, Any]:
    base, table = view.result, view.table
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
        "processed_data": {
            "columns": cast("list[Any]", table["columns"]),
            "rows": table["rows"][:PAGE],
            "things": things_shown(base.columns, base.rows, work.keys),
        },
        "statistics": work.found.statistics,
        # `artifact:#n` is the n-th artifact of this result; the step puts its id in its place.
        "visualizations": [
            charts.visualization(spec["type"], spec["spec"], f"artifact:#{number}")
            for number, spec in enumerate(specs, 1)
        ],
        "cache_key": base.cache_key,
        "cache_hit": base.cache_hit,
    }
