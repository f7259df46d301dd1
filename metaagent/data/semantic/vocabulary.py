"""The words of questions: the model's own, the data's own names, and how far the data goes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from metaagent.data.semantic.aliases import aliases
from metaagent.data.semantic.compiling.binding import Asker, Binder, Inputs
from metaagent.data.semantic.compiling.catalog import Catalog, catalog, fact_of, reachable, unclear
from metaagent.data.semantic.compiling.dialects import DialectName, sql_dialect
from metaagent.data.semantic.compiling.facts import Scope
from metaagent.data.semantic.drafting.act_words import verbs_of
from metaagent.data.semantic.drafting.words import singular
from metaagent.data.semantic.model import (
    GRAINS,
    TIME_DIMENSIONS,
    Caveat,
    Dimension,
    Label,
    Metric,
    Model,
    Synonyms,
    ValueWords,
    split,
)
from metaagent.errors import AccessDenied
from metaagent.language.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

    Run = Callable[[str, Mapping[str, Any]], Awaitable[Sequence[Sequence[Any]]]]

Entry = dict[str, Any]


def vocabulary(model: Model) -> list[Entry]:
    """Every word of the model: metrics, dimensions (time included) and the values that it names."""
    return [
        *(_metric(model, name, metric) for name, metric in model.metrics.items()),
        *(_dimension(model, name) for name in model.dimensions),
        *(_time(model, name) for name in TIME_DIMENSIONS),
        *(
            _value(model, name, value, words)
            for name, dimension in model.dimensions.items()
            if not (dimension.searchable and dimension.key)  # words of names that the data has
            for value, words in dimension.values.items()
        ),
    ]


def _words(label: Label | None, synonyms: Synonyms | ValueWords, *more: str) -> list[str]:
    shown = [label.ko, label.en] if label else []
    return list(dict.fromkeys([*shown, *more, *synonyms.ko, *synonyms.en]))


def _metric(model: Model, name: str, metric: Metric) -> Entry:
    return {
        "kind": "metric",
        "name": name,
        "column": metric.column,
        "labels": _words(metric.label, metric.synonyms),
        "label": metric.label.model_dump(),
        "unit": metric.unit.model_dump() if metric.unit else None,
        "format": metric.format,
        "additive": metric.additive,
        "filtered": bool(metric.where),
        "only": _only(model, metric),
        "aggregate": metric.type,
        "table": None if metric.type == "ratio" else fact_of(model, metric),
        "reaches": sorted(_reached(model, metric)),
        "time": metric.time,
        "grain": metric.grain,
        "target": metric.target,
        "in_lines": metric.in_lines,
        "verbs": _verbs(model, metric),
        "caveats": [one.model_dump() for one in (*metric.caveats, *_of_table(model, metric))],
        "sides": [metric.numerator, metric.denominator] if metric.type == "ratio" else None,
    }


def _of_table(model: Model, metric: Metric) -> list[Caveat]:
    """Lists the doubts about the rows that a metric is made of; a limited one says itself which it takes."""
    if metric.type not in ("sum", "count", "average") or metric.where:
        return []
    return model.tables[fact_of(model, metric)].caveats


def _verbs(model: Model, metric: Metric) -> Entry:
    """The verbs that the model names, else the usual ones of the event that is counted: purchases are bought. A verb
    that another count has been given belongs to that one: loans are borrowed, rather than unreturned loans."""
    own = metric.verbs.model_dump()
    if metric.type != "count" or metric.where or own["ko"] or own["en"]:
        return own
    also = [label for label in metric.synonyms.en if not _ROWS.search(label.lower())]
    said = [_COUNT_OF.sub("", label.lower()).split() for label in (metric.label.en, *also)]
    known = [found for words in said if words and (found := verbs_of([singular(words[-1])]))]
    given = {
        verb
        for one in model.metrics.values()
        if one.type == "count"
        for verb in (*one.verbs.ko, *one.verbs.en)
    }
    usual = {language: _each(one[language] for one in known) for language in ("ko", "en")}
    return {language: [verb for verb in verbs if verb not in given] for language, verbs in usual.items()}


_ROWS = regex(r" (?:jobs?|cases?|records?|entries|tickets?)$")
"""Words for rows of any kind, of which no verb is known."""
_COUNT_OF = regex(r"^(?:number|count) of | (?:count|number)$")


def _each(lists: Iterable[Sequence[str]]) -> list[str]:
    return list(dict.fromkeys(word for words in lists for word in words))


def _only(model: Model, metric: Metric) -> Entry | None:
    """The values of one dimension that the rows of a metric are limited to, where that is all it is limited to."""
    if len(metric.where) != 1 or metric.where[0].op not in ("=", "in") or not metric.where[0].values:
        return None
    one = metric.where[0]
    named = [n for n, d in model.dimensions.items() if d.column == [one.column] and d.key is None]
    return {"dimension": named[0], "values": [str(value) for value in one.values]} if named else None


def _reached(model: Model, metric: Metric) -> set[str]:
    """Tables whose columns can split the metric: its own, and whatever one way of many-to-one joins leads to.
    Of a ratio, both sides'."""
    if metric.type == "ratio":
        sides = [model.metrics[str(side)] for side in (metric.numerator, metric.denominator)]
        return _reached(model, sides[0]) & _reached(model, sides[1])
    fact = fact_of(model, metric)
    return set(reachable(model, fact)) - unclear(model, fact)


def _counted_by(model: Model, name: str) -> Entry | None:
    """The metric that counts the things of this dimension: rows of the table that they identify."""
    dimension = model.dimensions[name]
    table, key = split(dimension.key or dimension.column[0])
    for metric, about in model.metrics.items():
        if about.type == "count_distinct" and about.column == dimension.column[0] and not about.where:
            unit = about.unit.model_dump() if about.unit else None
            return {"name": metric, "unit": unit, "label": about.label.model_dump(), "kinds": True}
    if model.tables[table].key != [key] and dimension.key:
        return None
    if dimension.key is None and split(dimension.column[0])[1] not in model.tables[table].key:
        return None
    for metric, about in model.metrics.items():
        if about.type == "count" and about.table == table and not about.where:
            unit = about.unit.model_dump() if about.unit else None
            return {"name": metric, "unit": unit, "label": about.label.model_dump()}
    return None


def hierarchy(model: Model, name: str) -> list[str]:
    """The dimension with everything coarser, coarsest first: region, hospital."""
    if name in GRAINS:
        return list(GRAINS[: GRAINS.index(name) + 1])
    chain = [name]
    while name in model.dimensions and (parent := model.dimensions[name].parent):
        chain.append(parent)
        name = parent
    return chain[::-1]


def _dimension(model: Model, name: str) -> Entry:
    dimension = model.dimensions[name]
    return {
        "kind": "dimension",
        "name": name,
        "column": " ".join(dimension.column),
        "labels": _words(dimension.label, dimension.synonyms),
        "label": dimension.label.model_dump(),
        "type": dimension.kind,
        "table": split(dimension.column[0])[0],
        "tables": [split(dimension.column[0])[0], *(split(one.column)[0] for one in dimension.also)],
        "above": sorted(
            set(reachable(model, split(dimension.column[0])[0])) - {split(dimension.column[0])[0]}
        ),
        "counted_by": _counted_by(model, name),
        "verbs": dimension.verbs.model_dump(),
        "time": False,
        "searchable": dimension.searchable,
        "hierarchy": hierarchy(model, name),
    }


def _time(model: Model, name: str) -> Entry:
    words = model.time_dimensions[name]
    return {
        "kind": "dimension",
        "name": name,
        "column": None,
        "labels": _words(words.label, words.synonyms),
        "label": words.label.model_dump(),
        "type": "date",
        "time": True,
        "searchable": False,
        "hierarchy": hierarchy(model, name),
    }


def _value(model: Model, dimension: str, value: str, words: ValueWords) -> Entry:
    return {
        "kind": "value",
        "name": value,
        "dimension": dimension,
        "column": " ".join(model.dimensions[dimension].column),
        "labels": _words(words.label, words, value),
        "label": words.label.model_dump() if words.label else {"ko": value, "en": value},
        "hierarchy": hierarchy(model, dimension),
    }


async def data_names(
    model: Model,
    dialect: DialectName,
    run: Run,
    tenant: str | None,
    *,
    roles: Iterable[str] = (),
    limit: int = 20_000,
) -> list[Entry]:
    """The distinct values of searchable dimensions, as this tenant and these roles may know them."""
    asker = Asker(tenant, frozenset(roles), {})
    known = catalog(model, dialect)
    found: list[Entry] = []
    for name, dimension in model.dimensions.items():
        if dimension.searchable:
            found.extend(await _names(run, known, asker, name, limit))
    return found


async def _names(run: Run, known: Catalog, asker: Asker, name: str, limit: int) -> list[Entry]:
    dimension = known.model.dimensions[name]
    binder = Binder()
    scope = Scope(known, split(dimension.column[0])[0], asker, binder, subject=name)
    try:
        label, key, guard = scope.label(name), scope.key(name), scope.guard()
    except AccessDenied:
        return []
    nothing = sa.null()
    code = known.column(dimension.code) if dimension.code else nothing
    columns = [label.label("value"), (nothing if key is None else key).label("key"), code.label("code")]
    columns.append((nothing if key is None else _told_apart(scope, name)).label("detail"))
    rows = sa.select(*columns).select_from(scope.source()).where(*guard, label.is_not(None))
    rows = rows.distinct().order_by("value").limit(limit)
    found = await _run(run, known, rows, binder, asker)
    namesakes = {value for value, count in Counter(row[0] for row in found).items() if count > 1}
    return [
        {
            "dimension": name,
            "value": row[0],
            "key": row[1],
            "code": row[2],
            "column": " ".join(dimension.column),
            "kind": dimension.kind,
            "aliases": [*aliases(dimension.column[0], row[0]), *_called(dimension, row[0])],
            "detail": row[3] if row[0] in namesakes else None,
        }
        for row in found
    ]


def _called(dimension: Dimension, value: Any) -> list[str]:
    """The other words for a named thing, which are those of its name where it has a key."""
    own = dimension.values.get(str(value)) if dimension.key else None
    return [*own.ko, *own.en] if own else []


def _told_apart(scope: Scope, name: str) -> Any:
    """The column by which people of one name differ: the team of a rep, where both stand in one table."""
    model = scope.catalog.model
    dimension = model.dimensions[name]
    parent = model.dimensions.get(dimension.parent or "")
    if parent is None or split(parent.column[0])[0] != split(dimension.column[0])[0]:
        return sa.null()
    try:
        return scope.label(str(dimension.parent))
    except AccessDenied:
        return sa.null()


async def coverage(
    model: Model, dialect: DialectName, run: Run, tenant: str | None
) -> dict[str, dict[str, str] | None]:
    """The first and last day for which each metric has data; None if it has none, or no date."""
    known = catalog(model, dialect)
    asker = Asker(tenant, frozenset(), {})
    plain = {name: metric for name, metric in model.metrics.items() if metric.type != "ratio"}
    places = dict.fromkeys(
        (fact_of(model, metric), metric.time) for metric in plain.values() if metric.time is not None
    )
    binder = Binder()
    ends = [end for place in places for end in _ends(known, asker, binder, *place)]
    row = (await _run(run, known, sa.select(*ends), binder, asker))[0] if ends else ()
    spans = {
        place: None if first is None else {"start": str(first)[:10], "end": str(last)[:10]}
        for place, first, last in zip(places, row[::2], row[1::2], strict=True)
    }
    found = {
        name: None if metric.time is None else spans[fact_of(model, metric), metric.time]
        for name, metric in plain.items()
    }
    for name, metric in model.metrics.items():
        if metric.type == "ratio":
            found[name] = _overlap(found.get(str(metric.numerator)), found.get(str(metric.denominator)))
    return found


def _ends(known: Catalog, asker: Asker, binder: Binder, fact: str, time: str) -> list[Any]:
    """Each end by itself is one look into an index; both together would be a scan."""
    scope = Scope(known, fact, asker, binder, time, subject=fact)
    column = scope.when("day")
    # No row rules here: how far the data goes is no secret of a row.
    guard = scope.tenant(fact)
    return [
        sa.select(end(column)).select_from(scope.source()).where(*guard).scalar_subquery()
        for end in (sa.func.min, sa.func.max)
    ]


async def _run(
    run: Run, known: Catalog, statement: Any, binder: Binder, asker: Asker
) -> Sequence[Sequence[Any]]:
    """Names and dates are asked for without a query: only the asker's own values are bound."""
    made = statement.compile(dialect=sql_dialect(known.dialect), compile_kwargs={"render_postcompile": True})
    return await run(str(made), binder.values(dict(made.params), Inputs((), asker, (None,))))


def _overlap(a: dict[str, str] | None, b: dict[str, str] | None) -> dict[str, str] | None:
    if a is None or b is None:
        return a or b
    start, end = max(a["start"], b["start"]), min(a["end"], b["end"])
    return {"start": start, "end": end} if start <= end else None


def allowed_columns(model: Model, roles: Iterable[str]) -> dict[str, list[str]]:
    """Per table of the database: the columns that these roles may read, for SQL that is not compiled here."""
    held = set(roles)
    found: dict[str, list[str]] = {}
    for name, table in model.tables.items():
        seen = [
            info.column or c
            for c, info in table.columns.items()
            if info.compared is None and not info.hidden and (not info.roles or held & {*info.roles})
        ]
        found.setdefault(table.table or name, []).extend(seen)
    return {name: sorted(set(columns)) for name, columns in found.items()}
