"""The tables, columns, rows and functions that one tenant may read. The guard and the databases enforce the same
policy.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from metaagent.errors import ConfigInvalid, Text

if TYPE_CHECKING:
    from collections.abc import Mapping

Value = str | int | float | bool
Operator = Literal["=", "<>", "<", "<=", ">", ">=", "in", "not in", "is null", "is not null"]

# Names that mean the same harmless thing in SQLite, PostgreSQL and DuckDB, or exist in only one of them.
DEFAULT_FUNCTIONS = frozenset(
    [
        "abs",
        "avg",
        "ceil",
        "coalesce",
        "concat",
        "corr",
        "count",
        "cume_dist",
        "current_date",
        "date",
        "date_trunc",
        "datetime",
        "dense_rank",
        "exp",
        "extract",
        "first_value",
        "floor",
        "greatest",
        "group_concat",
        "julianday",
        "lag",
        "last_value",
        "lead",
        "least",
        "left",
        "length",
        "ln",
        "lower",
        "max",
        "median",
        "min",
        "month",
        "ntile",
        "nullif",
        "percent_rank",
        "percentile_cont",
        "percentile_disc",
        "position",
        "power",
        "quarter",
        "rank",
        "replace",
        "right",
        "round",
        "row_number",
        "sign",
        "sqrt",
        "stddev",
        "strftime",
        "string_agg",
        "substring",
        "sum",
        "total",
        "trim",
        "upper",
        "variance",
        "year",
        "day",
    ]
)

_FENCES = {
    "sqlite": "LIMIT 9223372036854775807",
    "duckdb": "LIMIT 9223372036854775807",
    "postgres": "OFFSET 0",
}
_LONGEST_NAME = 128
_OPERATORS = frozenset(("=", "<>", "<", "<=", ">", ">=", "in", "not in", "is null", "is not null"))


def quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def literal(value: Value) -> str:
    """A constant in SQL. A backslash means itself in all three dialects."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return repr(value)
    return "'" + value.replace("'", "''") + "'"


def usable_name(name: str) -> bool:
    """Tells whether a table or column can be named here: any name that can be printed, since every name is quoted."""
    return 0 < len(name) <= _LONGEST_NAME and name.isprintable()


def _check_name(name: str) -> None:
    if not usable_name(name):
        raise ConfigInvalid(
            Text(
                "The SQL policy names {name!r}: a name has 1 to {most} characters, all of them visible.",
                "SQL 정책의 이름 {name!r}을(를) 쓸 수 없습니다. 보이는 글자 1~{most}자로 된 이름만 쓸 수 있습니다.",
            ),
            name=name,
            most=_LONGEST_NAME,
        )


def _check_value(value: object) -> None:
    plain = (
        isinstance(value, str | int | float) and value == value and value not in (float("inf"), float("-inf"))
    )
    if not plain or (isinstance(value, str) and not value.isprintable()):
        raise ConfigInvalid(
            Text(
                "The SQL policy holds the value {value!r}: give printable text or a finite number.",
                "SQL 정책의 값 {value!r}은(는) 쓸 수 없습니다. 출력 가능한 글자나 유한한 수를 주십시오.",
            ),
            value=value,
        )


@dataclass(frozen=True)
class Condition:
    """One row filter, as data: a column, an operator of a closed list, and bound values."""

    column: str
    operator: Operator
    values: tuple[Value, ...] = ()

    def __post_init__(self) -> None:
        _check_name(self.column)
        for value in self.values:
            _check_value(value)
        wanted = {"is null": 0, "is not null": 0}.get(self.operator, 1)
        many = self.operator in ("in", "not in")
        if (
            self.operator not in _OPERATORS
            or len(self.values) < wanted
            or (not many and len(self.values) != wanted)
        ):
            raise ConfigInvalid(
                Text(
                    "The row filter on {column!r} does not fit: {operator!r}, {count} value(s).",
                    "{column!r}의 행 조건: 연산자 {operator!r}와(과) 값 {count}개가 맞지 않습니다.",
                ),
                column=self.column,
                operator=self.operator,
                count=len(self.values),
            )

    def sql(self) -> str:
        name = quote(self.column)
        if self.operator.startswith("is "):
            return f"{name} {self.operator.upper()}"
        if self.operator in ("in", "not in"):
            return f"{name} {self.operator.upper()} ({', '.join(map(literal, self.values))})"
        return f"{name} {self.operator} {literal(self.values[0])}"


@dataclass(frozen=True)
class TablePolicy:
    """`tenant_column=None` says that the table is shared by all tenants; it has no default, so it is said on
    purpose.
    """

    columns: tuple[str, ...]
    tenant_column: str | None
    tenant: Value | None = None
    where: tuple[Condition, ...] = ()
    fenced: bool = True
    """False only where no stranger writes the SQL: a fence hides the table's indexes from the planner."""

    def __post_init__(self) -> None:
        for name in (*self.columns, *([self.tenant_column] if self.tenant_column else [])):
            _check_name(name)
        if self.tenant_column is not None:
            _check_value(self.tenant)
        if not self.columns or (self.tenant_column is None) != (self.tenant is None):
            raise ConfigInvalid(
                Text(
                    "A table in the SQL policy needs columns, and a tenant value if it has a tenant column.",
                    "SQL 정책의 표에는 열이 있어야 하고, 테넌트 열이 있으면 테넌트 값도 있어야 합니다.",
                )
            )

    @property
    def conditions(self) -> tuple[Condition, ...]:
        if self.tenant_column is None or self.tenant is None:
            return self.where
        return (Condition(self.tenant_column, "=", (self.tenant,)), *self.where)

    @property
    def readable(self) -> tuple[str, ...]:
        """Allowed columns, then those that only the filters read: what the database itself must give access
        to.
        """
        return tuple(dict.fromkeys((*self.columns, *(c.column for c in self.conditions))))

    def select(self, source: str, columns: tuple[str, ...], dialect: str) -> str:
        """The table as this tenant sees it. `source` is SQL, already quoted.

        The fence at its end keeps the planner from trying the caller's conditions on rows that the filter
        would remove: `amount > 0 AND abs(CASE WHEN amount > 7000 THEN -9223372036854775808 …)` over an index
        on `amount` told by its error whether another tenant had such a row.
        """
        text = f"SELECT {', '.join(map(quote, columns))} FROM {source}"  # noqa: S608 - names and values are quoted
        where = " AND ".join(c.sql() for c in self.conditions)
        if not where:
            return text
        return f"{text} WHERE {where} {_FENCES[dialect]}" if self.fenced else f"{text} WHERE {where}"


@dataclass(frozen=True)
class Policy:
    tables: Mapping[str, TablePolicy]
    functions: frozenset[str] = field(default=DEFAULT_FUNCTIONS)
    max_rows: int = 10_000
    max_length: int = 20_000
    max_words: int = 1_500  # checking takes more than linear time: about a second for this many
    max_depth: int = 48
    recursive: bool = False  # WITH RECURSIVE: only for SQL that this program writes itself

    @property
    def names(self) -> frozenset[str]:
        """Every table and column, in small letters."""
        columns = (column for table in self.tables.values() for column in table.columns)
        return frozenset(name.lower() for name in (*self.tables, *columns))

    def __post_init__(self) -> None:
        for name in self.tables:
            _check_name(name)
        if len({name.lower() for name in self.tables}) != len(self.tables):
            raise ConfigInvalid(
                Text(
                    "Two tables of the SQL policy differ only in case.",
                    "SQL 정책의 두 표 이름이 대소문자만 다릅니다.",
                )
            )
        object.__setattr__(self, "tables", MappingProxyType(dict(self.tables)))
