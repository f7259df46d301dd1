"""DuckDB for reading. It has no authorizer and no roles, so DuckDB's own parse tree is checked against the
policy, and a temporary view with the tenant's rows stands before each table."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from metaagent.data.job import (
    BAD_QUERY,
    BUSY,
    MEMORY_MB,
    NO_FILE,
    NOT_ALLOWED,
    TOO_MUCH_MEMORY,
    UNREACHABLE,
    Fetched,
    Job,
    Plan,
    take,
)
from metaagent.data.policy import Policy, quote
from metaagent.errors import ConfigInvalid, DataUnavailable, MetaAgentError, SqlRefused, Text

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    import duckdb

_CONFIG: Final = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "memory_limit": f"{MEMORY_MB}MB",
    "max_temp_directory_size": "0B",
    "lock_configuration": "true",
}
_NODES: Final = frozenset(("SELECT_NODE", "SET_OPERATION_NODE"))
_RECURSIVE: Final = frozenset(("RECURSIVE_CTE_NODE",))
_SOURCES: Final = frozenset(("BASE_TABLE", "SUBQUERY", "JOIN", "EMPTY"))
_OTHER_NAMES: Final = {
    "strftime": ("strptime",),
    "position": ("position", "strpos", "instr"),
    "substring": ("substr",),
    "count": ("count_star",),
    "percentile_cont": ("quantile_cont",),
    "percentile_disc": ("quantile_disc",),
    "power": ("pow",),
    "string_agg": ("group_concat", "listagg"),
    "stddev": ("stddev_samp", "stddev_pop"),
    "variance": ("var_samp", "var_pop"),
    "extract": ("date_part",),
    "ceil": ("ceiling",),
    "length": ("len",),
}
_ALWAYS: Final = frozenset(
    ("like_escape", "ilike_escape", "not_like_escape", "not_ilike_escape", "concat", "to_days")
)
_INTERVALS: Final = frozenset(
    ("to_years", "to_months", "to_weeks", "to_days", "to_hours", "to_minutes", "to_seconds", "trunc")
)
_NO_FILE = Text(
    "A DuckDB address needs a file: duckdb:////path/to/file.duckdb.",
    "DuckDB 주소에는 파일이 필요합니다: duckdb:////path/to/file.duckdb.",
)


class DuckDbEngine:
    dialect = "duckdb"

    def __init__(self, path: str, policy: Policy) -> None:
        if not path or path.startswith(":"):
            raise ConfigInvalid(_NO_FILE)
        self._path = Path(path).absolute()
        self._policy = policy
        self._nodes = _NODES | _RECURSIVE if policy.recursive else _NODES
        allowed = policy.functions | _ALWAYS | _INTERVALS
        self._functions = allowed | {n for f in policy.functions for n in _OTHER_NAMES.get(f, ())}

    def execute(self, job: Job) -> Fetched:
        with self._connection(job) as (connection, usable):
            self._check(connection, job.sql, usable)
            plan = _plan(connection, job)
            cursor = connection.execute(job.sql, job.params)
            columns = [str(column[0]) for column in cursor.description or ()]
            rows, truncated = take(cursor, job)
            return Fetched(columns, rows, truncated, plan)

    @contextlib.contextmanager
    def _connection(self, job: Job) -> Generator[tuple[duckdb.DuckDBPyConnection, set[str]]]:
        import duckdb

        try:
            connection = duckdb.connect(str(self._path), read_only=True, config=dict(_CONFIG))
            cursor = connection.cursor()
            usable = self._make_views(cursor)
        except duckdb.Error as error:
            raise self._unreachable(error) from None
        try:
            job.on_stop(cursor.interrupt)
            yield cursor, usable
        except (duckdb.Error, RuntimeError, ValueError) as error:
            raise _explained(error, job) from None
        finally:
            job.on_stop(None)
            cursor.close()
            connection.close()

    def _unreachable(self, error: Exception) -> DataUnavailable:
        url = f"duckdb:///{self._path}"
        if not self._path.exists():
            return DataUnavailable(NO_FILE, path=self._path)
        if "lock on file" in str(error):
            return DataUnavailable(BUSY, url=url)
        return DataUnavailable(UNREACHABLE, url=url, reason=_short(error))

    def _make_views(self, connection: duckdb.DuckDBPyConnection) -> set[str]:
        """One view before each table; the tables for which there is one. Others may not be read at all."""
        import duckdb

        row = connection.execute("SELECT current_database()").fetchone()
        catalog = quote(str(row[0])) if row else ""
        usable: set[str] = set()
        missing: duckdb.Error | None = None
        for table, limits in self._policy.tables.items():
            select = limits.select(f"{catalog}.main.{quote(table)}", limits.readable, "duckdb")
            try:
                connection.execute(f"CREATE TEMP VIEW {quote(table)} AS {select}")
            except (duckdb.CatalogException, duckdb.BinderException) as error:
                missing = error
            else:
                usable.add(table.lower())
        if missing is not None and not usable:
            raise missing
        return usable

    def _check(self, connection: duckdb.DuckDBPyConnection, sql: str, usable: set[str]) -> None:
        row = connection.execute("SELECT json_serialize_sql(?)", [sql]).fetchone()
        tree: dict[str, Any] = json.loads(row[0]) if row else {"error": True}
        if tree.get("error") or len(tree.get("statements", ())) != 1:
            raise _refused("it is not one SELECT")
        ctes = {
            str(item["key"]).lower()
            for node in _nodes(tree)
            for item in node.get("cte_map", {}).get("map", ())
        }
        for node in _nodes(tree):
            self._check_node(node, usable | ctes)

    def _check_node(self, node: dict[str, Any], tables: set[str]) -> None:
        kind = node.get("type", "")
        if isinstance(kind, str) and kind.endswith("_NODE") and kind not in self._nodes:
            raise _refused(kind)
        if "sample" in node and "select_list" not in node and kind not in _SOURCES:
            raise _refused(kind)
        if kind == "BASE_TABLE" and (
            node["schema_name"] or node["catalog_name"] or node["table_name"].lower() not in tables
        ):
            raise _refused(f"table {node['table_name']}")
        if "function_name" in node and not node.get("is_operator") and not self._may_call(node):
            raise _refused(f"function {node['function_name']}")

    def _may_call(self, node: dict[str, Any]) -> bool:
        return (
            not node.get("schema")
            and not node.get("catalog")
            and node["function_name"].lower() in self._functions
        )


def _nodes(value: Any) -> Iterator[dict[str, Any]]:
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            yield item
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)


def _refused(reason: str) -> SqlRefused:
    return SqlRefused(NOT_ALLOWED, rule="database", reason=reason)


def _plan(connection: duckdb.DuckDBPyConnection, job: Job) -> Plan:
    row = connection.execute(f"EXPLAIN (FORMAT json) {job.sql}", job.params).fetchone()
    return json.loads(row[1]) if row else []


def _short(error: Exception) -> str:
    return str(error).splitlines()[0][:200]


def _explained(error: Exception, job: Job) -> MetaAgentError:
    import duckdb

    if job.over:
        return job.too_slow()
    if isinstance(error, duckdb.OutOfMemoryException):
        return SqlRefused(TOO_MUCH_MEMORY, rule="memory", limit_mb=MEMORY_MB)
    return SqlRefused(BAD_QUERY, rule="database", reason=_short(error))
