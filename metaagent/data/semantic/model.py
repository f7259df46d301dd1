"""The semantic model: what a database means, as closed types. YAML comes in through `loader.py`."""

from __future__ import annotations

import hashlib
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    PrivateAttr,
    model_validator,
)
from typing_extensions import override

from metaagent.language.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Mapping

GRAINS = ("year", "quarter", "month", "week", "day")
TIME_DIMENSIONS = (*GRAINS, "weekday", "weekend")
"""`weekday` is 1 (Monday) to 7, `weekend` 0 (Monday to Friday) or 1."""

Grain = Literal["year", "quarter", "month", "week", "day"]
ColumnType = Literal["string", "integer", "number", "date", "datetime", "boolean"]
Operator = Literal[
    "in", "not_in", "contains", "not_contains", "starts_with", ">", ">=", "<", "<=", "between",
    "is_null", "not_null",
]  # fmt: skip
Value = bool | int | float | str
Format = Literal["integer", "decimal", "percent", "text", "date"]


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, defer_build=True)


def _or_plain_text(core_schema: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
    """Allow in editors the short form, a plain string, beside the full one."""
    found = handler(core_schema)
    full = handler.resolve_ref_schema(found)
    if "anyOf" not in full:
        whole = dict(full)
        full.clear()
        full["anyOf"] = [{"type": "string"}, whole]
    return found


class Label(Closed):
    """A name to show, in both languages. A plain string stands for both."""

    ko: str
    en: str

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return _or_plain_text(core_schema, handler)

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return {"ko": value, "en": value} if isinstance(value, str) else value


class Synonyms(Closed):
    """Other words that people use, per language."""

    ko: list[str] = []
    en: list[str] = []


LATE, ON_TIME = "late", "on time"
LOW, ENOUGH = "low", "enough"
GIVEN, OPEN = "given", "open"
"""The values of a column that compares two dates, and of one that compares two numbers."""
NUMBER = "number"
EPOCHS = {"epoch": 1, "epoch_ms": 1000}
"""Days that are stored as seconds, or thousandths of them, since 1970 (UTC)."""
_LAYOUT = regex(r"(?=.*YYYY)(?=.*MM)[-YMD/. ]{6,10}")


def is_cast(text: str) -> bool:
    """Tell whether this is `number` or a layout: YYYY and MM once each, DD at most once, signs between them."""
    counts = tuple(text.count(sign) for sign in "YMD")
    return (
        text == NUMBER
        or text in EPOCHS
        or (
            bool(_LAYOUT.fullmatch(text))
            and counts in {(4, 2, 2), (4, 2, 0)}
            and ("DD" in text) == bool(counts[2])
        )
    )


class Column(Closed):
    """A column that exists. Hidden ones serve joins and filters but are never shown or asked for."""

    type: ColumnType
    column: str | None = Field(default=None, description="Its name in the database, if it differs.")
    hidden: bool = False
    roles: list[str] = Field(default=[], description="Only these roles may see it; empty: everyone.")
    cast: str | None = Field(
        default=None,
        description="The database holds text: where year, month and day stand in it (YYYYMMDD), or `number`; "
        "`epoch` or `epoch_ms` where it holds seconds or milliseconds since 1970.",
    )
    after: tuple[str, str] | None = Field(
        default=None,
        description="Two dates of the row: it is `late` where the first is after the second, `on time` otherwise, and empty "
        "where one is missing. The database holds no such column.",
    )
    below: tuple[str, str] | None = Field(
        default=None,
        description="Two numbers of the row: it is `low` where the first is below the second, `enough` otherwise, and empty "
        "where one is missing. The database holds no such column.",
    )

    given: str | None = Field(
        default=None,
        description="A date of the row: it is `given` where the row has it, `open` where it is missing. The database holds no "
        "such column.",
    )

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return _or_plain_text(core_schema, handler)

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return {"type": value} if isinstance(value, str) else value

    @model_validator(mode="after")
    def _compared(self) -> Column:
        if self.compared and (
            self.type != "string"
            or self.cast
            or self.column
            or sum(one is not None for one in (self.after, self.below, self.given)) > 1
        ):
            raise ValueError("a column that compares two others is of type string, without cast and column")
        return self

    @property
    def compared(self) -> tuple[str, ...] | None:
        """The columns of the row that this one is made of."""
        return self.after or self.below or ((self.given,) if self.given else None)

    @model_validator(mode="after")
    def _castable(self) -> Column:
        if self.cast is None:
            return self
        if not is_cast(self.cast):
            raise ValueError(
                "a cast is `number`, `epoch`, `epoch_ms`, or a layout such as YYYYMMDD, YYYY/MM/DD, DD.MM.YYYY or YYYYMM"
            )
        if (self.cast == NUMBER) != (self.type in {"integer", "number"}) or self.type in {
            "string",
            "boolean",
            "datetime",
        }:
            raise ValueError("a layout goes with type date, `number` with type number or integer")
        return self


class Caveat(Closed):
    """Something about a figure that nobody has confirmed."""

    about: Literal["rows", "deleted", "time", "amount", "count"] = Field(
        description="time: said where a period is asked for; count: where a total is; the others always."
    )
    text: Label
    unless: list[str] = Field(
        default=[], description="Not said where the question limits or splits by one of these dimensions."
    )


class LeftOut(Closed):
    """Rows that are there for the record alone, such as deleted ones."""

    column: str = Field(
        description="table.column that tells them: of this table, or of one that it refers to."
    )
    values: list[Value] = Field(min_length=1, description="What it holds where the row does not count.")


class Table(Closed):
    table: str | None = Field(default=None, description="Its name in the database, if it differs.")
    db_schema: str | None = Field(default=None, alias="schema")
    key: list[str] = Field(min_length=1, description="The columns that identify one row.")
    columns: dict[str, Column]
    tenant: str | Literal[False] | None = Field(
        default=None, description="Column that holds the tenant; false: shared by all tenants."
    )
    label: Label | None = None
    caveats: list[Caveat] = Field(
        default=[],
        description="What is not certain about its figures; said with each answer that it matters for. Remove what you know.",
    )
    left_out: list[LeftOut] = Field(
        default=[],
        description="Rows that do not count, unless the question limits or splits by a dimension of that column.",
    )


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Columns = Annotated[
    list[str], BeforeValidator(_listed, json_schema_input_type=str | list[str]), Field(min_length=1)
]


class Join(Closed):
    """Many rows of `from` belong to one row of `to`."""

    many: Columns = Field(alias="from")
    one: Columns = Field(alias="to")


class Condition(Closed):
    column: str = Field(
        description="table.column, or arithmetic: loans.returned - loans.due, of dates, is the days between them."
    )
    op: Operator = "in"
    values: list[Value] = []


class Metric(Closed):
    type: Literal["sum", "count", "count_distinct", "average", "min", "max", "ratio"]
    label: Label
    column: str | None = Field(
        default=None,
        description="table.column, or arithmetic over such columns: lines.price * lines.quantity; of two dates, "
        "loans.returned - loans.lent is the days between them.",
    )
    table: str | None = Field(default=None, description="For count: the table whose rows are counted.")
    numerator: str | None = None
    denominator: str | None = None
    where: list[Condition] = []
    time: str | None = Field(default=None, description="table.column of the date that periods refer to.")
    grain: Grain = Field(default="day", description="The finest period for which the metric exists.")
    snapshot: bool = Field(
        default=False,
        description="For sum: the rows say what there was at each date, as stocks and balances do. Only the last date counts.",
    )
    target: str | None = Field(default=None, description="The metric that states its target.")
    in_lines: str | None = Field(
        default=None,
        description="The metric that adds up the same by lines, for dimensions that only lines have.",
    )
    unit: Label | None = None
    format: Format = "integer"
    decimals: int = Field(default=0, ge=0, le=6)
    synonyms: Synonyms = Synonyms()
    verbs: Synonyms = Field(
        default=Synonyms(),
        description="How people say that it happened: Korean stems (방문하, 팔리), English verbs (visit, sold).",
    )
    caveats: list[Caveat] = Field(
        default=[],
        description="What is not certain about the figure; said with each answer that it matters for.",
    )
    description: Label | None = None

    @property
    def additive(self) -> bool:
        return self.type in {"sum", "count"}


class ValueWords(Closed):
    """The words for one value of a dimension."""

    label: Label | None = None
    ko: list[str] = []
    en: list[str] = []


class Source(Closed):
    """Another way to a dimension: a column, translated through a table that knows both sides."""

    column: str
    lookup: str | None = Field(default=None, description="table.column that holds the same codes.")


class Dimension(Closed):
    label: Label
    column: Columns = Field(description="table.column; several are joined by a space.")
    key: str | None = Field(default=None, description="Tells things of one name apart.")
    code: str | None = None
    also: list[Source] = []
    via: dict[str, str] = Field(default={}, description="Per fact table: the table to go through.")
    parent: str | None = Field(default=None, description="The next coarser dimension: region for hospital.")
    searchable: bool = Field(default=False, description="Its values are names that questions may contain.")
    kind: Literal["text", "number", "boolean", "date", "person", "organisation", "product", "location"] = (
        "text"
    )
    synonyms: Synonyms = Synonyms()
    verbs: Synonyms = Field(
        default=Synonyms(),
        description="For a date: how people say what happened to the thing then: 출시하, launched.",
    )
    values: dict[str, ValueWords] = {}


class TimeDimension(Closed):
    label: Label
    synonyms: Synonyms = Synonyms()


class RowRule(Closed):
    """People of these roles see only rows whose dimension has one of these values."""

    roles: list[str] = Field(min_length=1)
    unless: list[str] = Field(default=[], description="A person who also has one of these is not restricted.")
    dimension: str
    by_key: bool = False
    values: list[Value] = []
    attribute: str | None = Field(
        default=None, description="Take the values from this attribute of the person."
    )
    exempt: list[str] = Field(default=[], description="Tables without that dimension that may still be read.")


def _time(ko: str, en: str, more_ko: list[str], more_en: list[str]) -> TimeDimension:
    return TimeDimension(label=Label(ko=ko, en=en), synonyms=Synonyms(ko=more_ko, en=more_en))


DEFAULT_TIME: dict[str, TimeDimension] = {
    "year": _time(
        "연도",
        "year",
        ["연도별", "연별", "년도별", "해마다", "매년"],
        ["yearly", "by year", "per year", "annual"],
    ),
    "quarter": _time("분기", "quarter", ["분기별", "분기마다"], ["quarterly", "by quarter", "per quarter"]),
    "month": _time(
        "월", "month", ["월별", "달별", "매월", "매달", "월간", "달"], ["monthly", "by month", "per month"]
    ),
    "week": _time("주", "week", ["주별", "주간", "매주", "주차별"], ["weekly", "by week", "per week"]),
    "day": _time(
        "일",
        "day",
        ["일별", "날짜별", "매일", "일자별", "날", "날짜"],
        ["daily", "by day", "per day", "by date"],
    ),
    "weekday": _time("요일", "weekday", ["요일별"], ["by weekday", "day of week", "day of the week"]),
    "weekend": _time(
        "평일/주말", "weekday or weekend", ["평일 주말별", "주중 주말별"], ["weekdays and weekends"]
    ),
}


class Model(Closed):
    """The tables, metrics and dimensions of one domain."""

    version: Literal[1]
    name: str
    label: Label | None = None
    tenant_column: str | None = Field(
        default=None, description="Every table is filtered by it unless it says no."
    )
    others: Label = Label(ko="기타", en="Others")
    tables: dict[str, Table]
    joins: list[Join] = []
    metrics: dict[str, Metric]
    dimensions: dict[str, Dimension] = {}
    time: dict[Literal["year", "quarter", "month", "week", "day", "weekday", "weekend"], TimeDimension] = {}
    default_metric: str | None = None
    holidays: list[date] = Field(
        default=[], description="Days that are no working days, besides Saturdays and Sundays."
    )
    row_rules: list[RowRule] = []

    _cache: dict[Any, Any] = PrivateAttr(default_factory=dict[Any, Any])

    @override
    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Model:
        """A changed model is another model: nothing that was derived from this one may go with it."""
        made = super().model_copy(update=update, deep=deep)
        made._cache = {}
        return made

    @property
    def digest(self) -> str:
        """Changes whenever the model does: part of every cache key."""
        if "digest" not in self._cache:
            self._cache["digest"] = hashlib.sha256(self.model_dump_json(by_alias=True).encode()).hexdigest()
        return self._cache["digest"]

    @property
    def time_dimensions(self) -> dict[str, TimeDimension]:
        return {**DEFAULT_TIME, **{str(name): words for name, words in self.time.items()}}

    @property
    def cache(self) -> dict[Any, Any]:
        """The place for everything that the compiler derives from this very model."""
        return self._cache

    def tenant_of(self, table: str) -> str | None:
        own = self.tables[table].tenant
        if own is False:
            return None
        return own or self.tenant_column


def split(reference: str) -> tuple[str, str]:
    """'sales.sale_date' -> ('sales', 'sale_date')."""
    table, _, column = reference.partition(".")
    return table, column
