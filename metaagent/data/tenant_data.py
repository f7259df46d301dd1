"""The data that questions are about: one database and its semantic model, seen by one tenant and one person.

SQL reaches the database as a compiled question (`ask`) or through the guard (`run`), and in no other way. Either time
the database itself enforces the tenant's rows again.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from metaagent.data.no_data_texts import NOT_OF_COMPANY, no_rows
from metaagent.data.read_only import ReadOnlyDatabase
from metaagent.data.semantic.compiling.outputs import metric_column
from metaagent.data.semantic.compiling.texts import PERIOD_IGNORED, TIES
from metaagent.data.semantic.model import TIME_DIMENSIONS, Label, Model, split
from metaagent.data.semantic.policies import compiled_policy, written_policy
from metaagent.data.semantic.vocabulary import coverage, data_names, vocabulary
from metaagent.errors import (
    AccessDenied,
    ConfigInvalid,
    DataUnavailable,
    MetaAgentError,
    QueryTooSlow,
    SemanticInvalid,
    SqlRefused,
    Text,
    TryAgain,
    literal,
)
from metaagent.ports import DataResult, Json, Knowledge, QueryResult, User

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

    from metaagent.config import Data
    from metaagent.data.policy import Policy
    from metaagent.data.semantic.compiling.compile import Compiled
    from metaagent.data.semantic.compiling.outputs import OutputColumn
    from metaagent.data.semantic.compiling.periods import Span
    from metaagent.data.semantic.query import Period, SemanticQuery

_NUMBERS = frozenset({"integer", "decimal", "percent"})
_CACHED_ROWS = 200_000
_MOST_NAMES = 20_000
_MEASURES = frozenset({"number", "date"})
FEW = 5
"""A dimension with fewer values explains little: it comes after the others."""
NOTHING_TO_READ = Text(
    en="With your roles ({roles}) no table can be read by free SQL: ask by metric and dimension instead.",
    ko="현재 역할({roles})로는 직접 쓴 SQL로 읽을 수 있는 표가 없습니다. 지표와 차원으로 물어보세요.",
)


@dataclass(frozen=True)
class Place:
    """One person's view: whose rows, by which rights, in which database."""

    tenant: str | None
    roles: frozenset[str]
    attributes: Mapping[str, str | int]
    url: str

    @property
    def key(self) -> tuple[Any, ...]:
        return self.url, self.tenant, tuple(sorted(self.roles)), tuple(sorted(self.attributes.items()))


class DataSource:
    """Opened once for all turns. Holds results and names until the data changes."""

    def __init__(self, settings: Data, url: str | None, model: Model) -> None:
        self.model = model
        self._settings = settings
        self._url = url
        self._results: OrderedDict[str, DataResult] = OrderedDict()
        self._known: dict[tuple[Any, ...], tuple[str | None, Knowledge]] = {}
        self._words = vocabulary(model)

    def place(self, user: User) -> Place | None:
        """None if there is no database for this company."""
        tenant = self._settings.tenants.get(user.company_id, user.company_id)
        url = self._settings.urls.get(tenant, self._url)
        if url is None:
            return None
        attributes = self._settings.people.get(user.user_id, {})
        return Place(tenant, frozenset(user.roles), attributes, url)

    def open(self, user: User, language: str) -> TenantData | None:
        place = self.place(user)
        return None if place is None else TenantData(self, place, language)

    def database(self, url: str, policy: Policy, max_rows: int | None = None) -> ReadOnlyDatabase:
        limits = self._settings
        return ReadOnlyDatabase(
            url, policy, max_rows=max_rows or limits.rows, timeout=limits.seconds, max_cost=limits.cost
        )

    async def knowledge(self, user: User) -> Knowledge:
        """Looked up again when the data changed. A database that cannot be reached leaves the model's own words."""
        place = self.place(user)
        if place is None:
            return Knowledge(self._words, reachable=False, absent=NOT_OF_COMPANY)
        return await self.known(place)

    async def known(self, place: Place) -> Knowledge:
        version = await asyncio.to_thread(data_version, place.url)
        held = self._known.get(place.key)
        if held is not None and held[0] == version and version is not None:
            return held[1]
        made = await self._look_up(place)
        if made.reachable:  # or what a passing fault hid would stay unknown until the data changes
            self._known[place.key] = (version, made)
        return made

    async def _look_up(self, place: Place) -> Knowledge:
        """Under the same limits as any question."""
        model, dialect = self.model, _dialect(place.url)

        async def run(sql: str, params: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
            return (await database.run(sql, params)).rows

        try:
            policy = compiled_policy(model, place.tenant)
            database = self.database(place.url, policy, max_rows=_MOST_NAMES)
            spans = await coverage(model, dialect, run, place.tenant)
            names = await data_names(model, dialect, run, place.tenant, roles=place.roles, limit=_MOST_NAMES)
        except (DataUnavailable, SqlRefused, ConfigInvalid):
            return Knowledge(self._words, reachable=False)
        hidden = [
            name for table in model.tables.values() for name, about in table.columns.items() if about.hidden
        ]
        return Knowledge(self._words, names, spans, hidden=hidden, absent=no_rows(model, names, spans))

    def cached(self, key: str) -> DataResult | None:
        found = self._results.get(key)
        if found is not None:
            self._results.move_to_end(key)
        return found

    def keep(self, key: str, result: DataResult) -> None:
        self._results[key] = result
        most = self._settings.cached
        while len(self._results) > most or sum(len(r.rows) for r in self._results.values()) > _CACHED_ROWS:
            self._results.popitem(last=False)


class TenantData:
    """The `db` port. Counts the queries that reached the database. What makes SQL of questions is imported when one is
    asked: reading a question takes only the names."""

    def __init__(self, source: DataSource, place: Place, language: str) -> None:
        self._source = source
        self._place = place
        self._language = language
        self.queries = 0

    async def ask(self, request: Mapping[str, Any]) -> DataResult:
        query = self._query({**request, "language": request.get("language") or self._language})
        compiled = self._compile(query, await self._covered(query))
        version = await asyncio.to_thread(data_version, self._place.url)
        key = self._key(query, version)
        held = self._source.cached(key) if version is not None else None
        if held is not None:
            return replace(held, cache_hit=True)
        result = await self._execute(query, compiled, key)
        if version is not None:
            self._source.keep(key, result)
        return result

    async def breakdowns(self, request: Mapping[str, Any]) -> list[str]:
        held = [*(request.get("dimensions") or ()), *_pinned(request)]
        above = {parent for name in held for parent in _ancestors(self._source.model, name)}
        sizes = await self._sizes()
        # What is no name in questions, such as a grade, has no size here: it is a short list, and comes last.
        told = {name for name, known in self._source.model.dimensions.items() if known.kind not in _MEASURES}
        free = [name for name in told if name not in {*held, *above} and sizes.get(name, FEW) > 1]
        order = sorted(free, key=lambda name: (sizes.get(name, 0) < FEW, sizes.get(name, 0), name))
        return [name for name in order if self._splits(request, name)]

    async def attributes(self, dimension: str) -> list[str]:
        model = self._source.model
        known = model.dimensions.get(dimension)
        if known is None or known.key is None:
            return []
        table = split(known.key)[0]
        beside = [
            name
            for name, other in model.dimensions.items()
            if name != dimension and other.kind not in _MEASURES and split(other.column[0])[0] == table
        ]
        return list(dict.fromkeys([*_ancestors(model, dimension), *beside]))

    async def run(self, sql: str, *, max_rows: int = 10_000) -> QueryResult:
        from metaagent.data.guard import guard

        place = self._place
        policy = written_policy(self._source.model, place.tenant, place.roles, place.attributes)
        if not policy.tables:
            raise AccessDenied(NOTHING_TO_READ, roles=", ".join(sorted(place.roles)) or "-")
        database = self._source.database(place.url, policy)
        checked = guard(sql, policy, dialect=database.dialect)
        got = await self._reach(lambda: database.run(checked.sql, max_rows=max_rows))
        return QueryResult(
            got.columns,
            got.rows,
            row_count=got.row_count,
            truncated=got.truncated,
            sql=checked.sql,
            plan=got.plan,
            elapsed=got.elapsed,
        )

    async def _covered(self, query: SemanticQuery) -> dict[str, Span] | None:
        """The span of each metric's data, where the answer depends on it."""
        from metaagent.data.semantic.query import Derived

        formed = [
            *query.derived,
            *(one.relative for one in query.having if isinstance(one.relative, Derived)),
        ]
        if not query.comparison and all(one.per is None for one in formed):
            return None
        known = (await self._source.known(self._place)).coverage or {}
        return {
            name: (date.fromisoformat(span["start"]), date.fromisoformat(span["end"]))
            for name, span in known.items()
            if span is not None
        }

    def _query(self, request: Mapping[str, Any]) -> SemanticQuery:
        from metaagent.data.semantic.from_analysis import to_query

        return to_query(self._source.model, request)

    def _compile(self, query: SemanticQuery, covered: Mapping[str, Span] | None = None) -> Compiled:
        from metaagent.data.semantic.compiling.compile import compile_query

        place = self._place
        try:
            return compile_query(
                self._source.model,
                query,
                dialect=_dialect(place.url),
                tenant=place.tenant,
                roles=place.roles,
                attributes=place.attributes,
                covered=covered,
            )
        except (SemanticInvalid, AccessDenied) as error:
            raise _in_labels(error, self._source.model) from error

    def _key(self, query: SemanticQuery, version: str | None) -> str:
        """Everything that may change the rows: who sees them, what is asked, what the words mean, and the data itself."""
        parts = [
            *map(str, self._place.key),
            self._source.model.digest,
            version,
            query.model_dump(mode="json"),
        ]
        return hashlib.sha256(orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)).hexdigest()

    async def _execute(self, query: SemanticQuery, compiled: Compiled, key: str) -> DataResult:
        policy = compiled_policy(self._source.model, self._place.tenant)
        database = self._source.database(self._place.url, policy)
        got = await self._reach(lambda: database.run(compiled.sql, compiled.params))
        language = query.language
        return DataResult(
            columns=[_column(self._source.model, column, language) for column in compiled.columns],
            rows=got.rows,
            row_count=got.row_count,
            truncated=got.truncated,
            sql=compiled.sql,
            params={name: _plain(value) for name, value in compiled.params.items()},
            plan=list(got.plan),
            notes=[
                text.say(language, **_said_params(self._source.model, params, language))
                for text, params in [*compiled.notes, *_ties(query, got.rows)]
            ],
            tables=list(compiled.tables),
            query=query.model_dump(mode="json", exclude_defaults=True),
            elapsed=got.elapsed,
            cache_key=key,
            periods=[_days(period) for period in compiled.periods],
            terms=_terms(self._source.model, query, language),
            undated=any(text is PERIOD_IGNORED for text, _ in compiled.notes),
        )

    async def _reach(self, query: Callable[[], Any]) -> Any:
        """A database that does not answer may answer soon: the step is tried again, then fails with this message."""
        self.queries += 1
        try:
            return await query()
        except (DataUnavailable, QueryTooSlow) as error:
            raise TryAgain(error.say(self._language)) from error

    async def _sizes(self) -> dict[str, int]:
        sizes: dict[str, int] = {}
        for entry in (await self._source.known(self._place)).names:
            sizes[entry["dimension"]] = sizes.get(entry["dimension"], 0) + 1
        return sizes

    def _splits(self, request: Mapping[str, Any], name: str) -> bool:
        """Tells whether the figure can be split so: asked of the compiler, which knows the joins."""
        try:
            wanted = {"metrics": request.get("metrics"), "dimensions": [name], "language": self._language}
            self._compile(self._query(wanted))
        except (SemanticInvalid, AccessDenied):
            return False
        return True


def _in_labels(error: MetaAgentError, model: Model) -> MetaAgentError:
    """The same error with the labels of figures, dimensions and tables in the place of their names."""
    named = {**model.tables, **model.dimensions, **model.metrics}

    def label(name: str) -> Text:
        held = getattr(named.get(name), "label", None)
        said = (held.en, held.ko) if held is not None else (name, name)
        return Text(en=literal(said[0]), ko=literal(said[1]))

    def told(value: object) -> object:
        if not isinstance(value, str) or not any(name in named for name in value.split(", ")):
            return value
        labels = [label(name) for name in value.split(", ")]
        return Text(en=", ".join(one.en for one in labels), ko=", ".join(one.ko for one in labels))

    return type(error)(error.text, **{name: told(value) for name, value in error.params.items()})


def _terms(model: Model, query: SemanticQuery, language: str) -> dict[str, Json]:
    """Label, unit and kind of everything that the query names, also where no column shows it."""
    found: dict[str, Json] = {}
    for name in _strings(query.model_dump(mode="json", exclude_defaults=True)):
        bare = name.removeprefix("count:").partition("__")[0]
        if metric := model.metrics.get(bare):
            column = metric_column(model, bare)
            found[bare] = {"label": _said(metric.label, language), "unit": _unit(column, language)}
        elif dimension := model.dimensions.get(bare):
            found[bare] = {"label": _said(dimension.label, language), "thing": dimension.kind}
    return found


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in _strings(part)]


def _said_params(model: Model, params: Mapping[str, Any], language: str) -> dict[str, Any]:
    """A person reads the label of a metric or dimension, never its name in the model."""

    def said(value: Any) -> Any:
        known = model.metrics.get(value) or model.dimensions.get(value) if isinstance(value, str) else None
        return value if known is None else _said(known.label, language)

    return {name: said(value) for name, value in params.items()}


def _ties(query: SemanticQuery, rows: Sequence[Any]) -> list[tuple[Text, dict[str, Any]]]:
    """A ranking that is longer than asked for, because its last places are equal."""
    top = query.top
    if top is None or top.within or top.others or top.percent or query.count_groups:
        return []
    wanted = 1 if top.nth else top.n
    timed = any(name in TIME_DIMENSIONS for name in query.dimensions)
    return [(TIES, {"n": wanted, "count": len(rows)})] if len(rows) > wanted and not timed else []


def _days(period: Period | None) -> Json:
    """The first and the last day, as far as they are set."""
    ends = {"start": period.start, "end": period.end} if period else {"start": None, "end": None}
    return {name: None if day is None else day.isoformat() for name, day in ends.items()}


def _pinned(request: Mapping[str, Any]) -> list[str]:
    """Dimensions that a filter holds to one value: splitting by them shows nothing."""
    return [
        str(one.get("dimension"))
        for one in request.get("filters") or ()
        if one.get("op", "in") in ("in", "=") and len(one.get("values") or ()) == 1 and one.get("dimension")
    ]


def _ancestors(model: Model, name: str) -> list[str]:
    found: list[str] = []
    while name in model.dimensions and (parent := model.dimensions[name].parent) and parent not in found:
        found.append(parent)
        name = parent
    return found


def data_version(url: str) -> str | None:
    """Changes whenever the data does; None if that cannot be told, and then nothing is kept.

    Files: their time, size and identity, with the write-ahead log. PostgreSQL: the snapshot, which every commit changes.
    """
    parsed = _parsed(url)
    if parsed.get_backend_name() == "postgresql":
        from metaagent.data.postgres import PostgresEngine

        return PostgresEngine(parsed, 0).snapshot()
    file = Path(parsed.database or "")
    try:
        stats = [part.stat() for part in (file, Path(f"{file}-wal")) if part == file or part.exists()]
    except OSError:
        return None
    return "/".join(f"{stat.st_ino}:{stat.st_mtime_ns}:{stat.st_size}" for stat in stats)


def _parsed(url: str) -> URL:
    from sqlalchemy.engine import make_url

    return make_url(url)


def _dialect(url: str) -> Any:
    return _parsed(url).get_backend_name()


def _column(model: Model, column: OutputColumn, language: str) -> Json:
    measured = column.kind not in ("dimension", "time", "key")
    # The kind of things that a column names or counts: person, organisation, product.
    known = model.dimensions.get(column.source) if column.kind in ("dimension", "count") else None
    thing = known.kind if known else None
    return {
        "name": column.name,
        "label": _said(column.label, language),
        "type": "number" if measured or column.format in _NUMBERS else "date" if _dated(column) else "text",
        "kind": column.kind,
        "source": column.source,
        "unit": _unit(column, language),
        "format": column.format,
        "decimals": column.decimals,
        "additive": column.additive,
        "hidden": column.hidden,
        "thing": thing,
        "values": _value_names(model, column, language),
        "target_grain": _target_grain(model, column),
    }


def _target_grain(model: Model, column: OutputColumn) -> str | None:
    """The finest period of the target that a figure is set against; None for one that is set against none."""
    metric = model.metrics.get(column.source)
    if metric is None:
        return None
    aimed = {each.target for each in model.metrics.values() if each.target}
    target = metric.target if column.kind == "achievement" else metric.denominator
    return (
        model.metrics[target].grain if target in aimed and column.kind in ("metric", "achievement") else None
    )


def _value_names(model: Model, column: OutputColumn, language: str) -> dict[str, str]:
    """Labels of coded values: their own, or in English the first English word that a question may use."""
    named = {value: _said(label, language) for value, label in column.values.items()}
    if language == "ko" or column.kind != "dimension":
        return named
    words = model.dimensions[column.source].values
    return {value: one.en[0] for value, one in words.items() if one.en and value not in named} | named


def _dated(column: OutputColumn) -> bool:
    return column.format == "date" and column.name not in ("weekday", "weekend")


def _unit(column: OutputColumn, language: str) -> str:
    """Fractions are shown as percentages; money keeps the name that formats know."""
    if column.format == "percent":
        return "ratio"
    return (
        ""
        if column.unit is None
        else column.unit.ko
        if column.unit.ko == "원"
        else _said(column.unit, language)
    )


def _said(label: Label, language: str) -> str:
    return label.ko if language == "ko" else label.en


def _plain(value: Any) -> Any:
    return value if isinstance(value, (str, int, float, bool)) or value is None else str(value)
