"""A first semantic model of any database: from keys, types and names. It is a draft for a person to correct.

Values are looked at only to tell what a column is (is this text a date?); none is written down.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
import yaml
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from metaagent.errors import DataUnavailable, Text
from metaagent.semantic.reflect import column_type
from metaagent.semantic.words import english, korean, singular, words_of
from metaagent.sql_engine import sql_engine

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection, Inspector

UNREACHABLE = Text(
    en="The database cannot be read: {reason}. Check the address and that it is running.",
    ko="데이터베이스를 읽을 수 없습니다: {reason}. 주소와 실행 상태를 확인하세요.",
)
NO_TABLES = Text(
    en="The database has no tables that could be described. Check that this is the right one.",
    ko="데이터베이스에 설명할 테이블이 없습니다. 맞는 데이터베이스인지 확인하세요.",
)

_PRIVATE = re.compile(
    r"e?mail|phone|fax|mobile|address|passw|secret|token|ssn|jumin|resident|card|hash|salt|birth",
    re.IGNORECASE,
)
_POSTAL = re.compile(r"postal|zip", re.IGNORECASE)
_PRICE = re.compile(r"price|rate$|fee$|cost$|단가|가격", re.IGNORECASE)
_QUANTITY = re.compile(r"^(quantity|qty|units|count|order_?qty)$|수량", re.IGNORECASE)
_AVERAGED = {
    "price", "rate", "ratio", "score", "age", "percent", "pct", "length", "height", "weight", "temperature",
    "latitude", "longitude", "year", "level",
}  # fmt: skip
_CODE = re.compile(r"(^|_)(id|code|no|num|number|key|uuid|guid)$|Id$|ID$|Code$", re.IGNORECASE)
_LESS = re.compile(r"birth|hire|created|updated|modified|deleted|launch|expir|valid|start|end", re.IGNORECASE)
_TENANTS = ("company_id", "tenant_id", "org_id", "organization_id", "organisation_id", "account_id")
_NAMES = ("name", "title", "full_name", "fullname", "label", "description")
_RESERVED = {"year", "quarter", "month", "week", "day", "weekday"}
_SYSTEM = re.compile(r"^(sqlite_|pg_|alembic_|django_|spatial_)|_migrations?$", re.IGNORECASE)
_SALES_WORDS = {
    "ko": ["매출", "매출액", "판매액", "수익", "총매출"],
    "en": ["sales", "revenue", "turnover", "total sales", "sales amount", "income"],
}


@dataclass
class _Table:
    name: str  # in the model; the database may call it otherwise
    physical: str
    types: dict[str, str]
    physical_columns: dict[str, str]
    key: list[str]
    links: dict[str, tuple[str, str]] = field(
        default_factory=dict[str, tuple[str, str]]
    )  # column -> table, column

    @property
    def words(self) -> list[str]:
        return words_of(self.name)

    @property
    def slug(self) -> str:
        return "_".join(self.words)


def infer(url: str) -> str:
    """YAML text of a draft model."""
    try:
        engine = sql_engine(url, read_only=True)
        with engine.connect() as connection:
            tables = _tables(connection)
        engine.dispose()
    except SQLAlchemyError as error:
        said = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise DataUnavailable(UNREACHABLE, reason=said) from error
    if not tables:
        raise DataUnavailable(NO_TABLES)
    name = re.sub(r"\W+", "_", (make_url(url).database or "database").rsplit("/", 1)[-1].partition(".")[0])
    draft = _Draft(tables).model(name or "database")
    head = "# Drafted by `metaagent semantic infer`. Correct names and synonyms, then run `semantic check`.\n"
    return head + yaml.safe_dump(draft, sort_keys=False, allow_unicode=True, width=120)


def _tables(connection: Connection) -> dict[str, _Table]:
    inspector = sa.inspect(connection)
    found: dict[str, _Table] = {}
    for name in inspector.get_table_names():
        if not _SYSTEM.search(name):
            table = _table(connection, inspector, name)
            found[table.name] = table
    for table in found.values():
        _link(inspector, table, found)
    return {name: table for name, table in found.items() if table.types}


def _identifier(name: str) -> str:
    """'Order Details' -> 'Order_Details'."""
    made = re.sub(r"\W+", "_", name).strip("_")
    return made if made and not made[0].isdigit() else f"t_{made}"


def _table(connection: Connection, inspector: Inspector, name: str) -> _Table:
    types: dict[str, str] = {}
    physical: dict[str, str] = {}
    for column in inspector.get_columns(name):
        kind = column_type(column["type"])
        if kind == "string" and re.search(
            r"date|_on$|_at$|time|month$|일자|날짜|일시|월$", column["name"], re.IGNORECASE
        ):
            kind = _date_in_text(connection, name, column["name"]) or kind
        known = _identifier(column["name"])
        types[known], physical[known] = kind, column["name"]
    key = [_identifier(c) for c in inspector.get_pk_constraint(name)["constrained_columns"]]
    if not key:
        likely = [
            c for c in types if c.lower() in {"id", f"{singular(name.lower())}_id", f"{name.lower()}_id"}
        ]
        key = likely[:1] or list(types)[:1]
    return _Table(_identifier(name), name, types, physical, key)


def _date_in_text(connection: Connection, table: str, column: str) -> str | None:
    one = sa.column(column)
    query = sa.select(one).select_from(sa.table(table, one)).where(one.is_not(None)).limit(20)
    values = [str(value) for (value,) in connection.execute(query)]
    if values and all(re.match(r"\d{4}-\d\d-\d\d", value) for value in values):
        return "date" if all(len(value) == 10 for value in values) else "datetime"
    return None


def _link(inspector: Inspector, table: _Table, found: dict[str, _Table]) -> None:
    for foreign in inspector.get_foreign_keys(table.physical):
        there = _identifier(foreign["referred_table"])
        here = [_identifier(c) for c in foreign["constrained_columns"]]
        to = [_identifier(c) for c in foreign["referred_columns"]]
        if len(here) == 1 and there == table.name:
            table.types.pop(here[0], None)  # who reports to whom is neither a measure nor a way elsewhere
        elif len(here) == 1 and there in found:
            table.links[here[0]] = there, (to or found[there].key)[0]
    if table.links:
        return
    # No keys declared: a column that is called like another table's only key column means that table.
    for column in table.types:
        for other in found.values():
            if other is table or len(other.key) != 1 or [column] == table.key:
                continue
            own = other.key[0]
            named = {f"{other.slug}_id", f"{other.words[-1]}_id"} if own.lower() == "id" else {own.lower()}
            if column.lower() in named and table.types[column] == other.types[own]:
                table.links.setdefault(column, (other.name, own))


def _qualified(table: _Table, own: list[str]) -> list[str]:
    """'total' of invoices -> ['invoice', 'total'], but 'sales_amount' of sales stays as it is."""
    return own if singular(own[0]) == table.words[0] else [*table.words, *own]


class _Draft:
    def __init__(self, tables: dict[str, _Table]) -> None:
        self.tables = tables
        self.tenant = next((c for c in _TENANTS if all(c in t.types for t in tables.values())), None)
        self.metrics: dict[str, dict[str, Any]] = {}
        self.dimensions: dict[str, dict[str, Any]] = {}
        self.times = {name: self._time(name) for name in tables}

    def model(self, name: str) -> dict[str, Any]:
        self._sales()
        for table in self.tables.values():
            self._measures(table)
            self._count(table)
        for table in self._near_first():
            self._attributes(table)
        made: dict[str, Any] = {"version": 1, "name": name}
        if self.tenant:
            made["tenant_column"] = self.tenant
        default = "sales" if "sales" in self.metrics else next(iter(self.metrics))
        made["default_metric"] = default
        made["tables"] = {table.name: self._columns(table) for table in self.tables.values()}
        made["joins"] = [
            {"from": f"{table.name}.{column}", "to": f"{there}.{to}"}
            for table in self.tables.values()
            for column, (there, to) in table.links.items()
        ]
        return {**made, "metrics": self.metrics, "dimensions": self.dimensions}

    def _columns(self, table: _Table) -> dict[str, Any]:
        columns: dict[str, Any] = {}
        for name, kind in table.types.items():
            hidden = bool(_PRIVATE.search(name)) or name == self.tenant
            more: dict[str, Any] = {"hidden": True} if hidden else {}
            if table.physical_columns[name] != name:
                more["column"] = table.physical_columns[name]
            columns[name] = {"type": kind, **more} if more else kind
        named = {} if table.physical == table.name else {"table": table.physical}
        return {**named, "key": table.key, "columns": columns}

    def _time(self, name: str) -> str | None:
        """Its own date, or that of the nearest table that it belongs to."""
        seen, level = {name}, [name]
        while level:
            for one in level:
                own = self._own_date(self.tables[one])
                # When a customer's contact was hired does not date the customer.
                if own and (one == name or not _LESS.search(own)):
                    return f"{one}.{own}"
            level = [
                there for one in level for there, _ in self.tables[one].links.values() if there not in seen
            ]
            seen.update(level)
        return None

    def _own_date(self, table: _Table) -> str | None:
        dates = [
            c for c, kind in table.types.items() if kind in {"date", "datetime"} and not _PRIVATE.search(c)
        ]
        dates.sort(
            key=lambda c: (bool(_LESS.search(c)), table.words[0] not in c.lower(), "date" not in c.lower())
        )
        return dates[0] if dates else None

    def _distance(self) -> dict[str, int]:
        """How far each table is from where the money is."""
        start = next(iter(self.metrics.values()), None)
        main = str(start["column"]).split(".")[0].strip("( ") if start and start.get("column") else None
        if main not in self.tables:
            main = max(self.tables.values(), key=lambda t: len(t.links)).name
        distance, level = {main: 0}, [main]
        while level:
            following = [there for one in level for there, _ in self.tables[one].links.values()]
            level = [one for one in dict.fromkeys(following) if one not in distance]
            distance.update(dict.fromkeys(level, max(distance.values()) + 1))
        return distance

    def _near_first(self) -> list[_Table]:
        distance = self._distance()
        # Names of things before their attributes; near the facts before far from them.
        buyers = re.compile(r"customer|client|member|user|고객|회원", re.IGNORECASE)
        return sorted(
            self.tables.values(), key=lambda t: (distance.get(t.name, 99), not buyers.search(t.name))
        )

    def _add(self, name: str, **metric: Any) -> None:
        self.metrics.setdefault(name, metric)

    def _sales(self) -> None:
        """Price times quantity per line, or else the amount of the table that has a date."""
        for table in self.tables.values():
            price = next((c for c in table.types if _PRICE.search(c) and self._is_number(table, c)), None)
            quantity = next(
                (c for c in table.types if _QUANTITY.search(c) and self._is_number(table, c)), None
            )
            direct = [
                c
                for c in table.types
                if re.search(r"amount|total|revenue|금액|매출|합계", c, re.IGNORECASE)
                and self._is_number(table, c)
            ]
            if price and quantity and table.links and not direct:
                product = f"{table.name}.{price} * {table.name}.{quantity}"
                reduced = next((c for c in table.types if c.lower() == "discount"), None)
                if reduced and table.types[reduced] == "number":  # a fraction of the price
                    product += f" * (1 - {table.name}.{reduced})"
                self._sales_metric(table, product, "number")
                return
        for table in sorted(self.tables.values(), key=lambda t: -len(t.links)):
            amounts = [
                c
                for c in table.types
                if re.search(r"amount|total|revenue|sales|금액|매출|합계", c, re.IGNORECASE)
            ]
            amounts = [c for c in amounts if self._is_number(table, c)]
            selling = re.search(
                r"sale|order|invoice|payment|transaction|purchase|rental|매출|판매|주문",
                table.name,
                re.IGNORECASE,
            )
            if amounts and selling and self.times[table.name]:
                self._sales_metric(table, f"{table.name}.{amounts[0]}", table.types[amounts[0]])
                return

    def _sales_metric(self, table: _Table, column: str, kind: str) -> None:
        shown: dict[str, Any] = {"format": "decimal", "decimals": 2} if kind == "number" else {}
        time = {"time": self.times[table.name]} if self.times[table.name] else {}
        label = {"ko": "매출액", "en": "Sales"}
        self._add("sales", type="sum", column=column, label=label, **time, **shown, synonyms=_SALES_WORDS)

    def _is_number(self, table: _Table, column: str) -> bool:
        number = table.types[column] in {"integer", "number"}
        return number and column not in table.key and column not in table.links and not _CODE.search(column)

    def _measures(self, table: _Table) -> None:
        taken = {str(metric.get("column")) for metric in self.metrics.values()}
        for column in table.types:
            if not self._is_number(table, column) or _PRIVATE.search(column) or _POSTAL.search(column):
                continue
            reference = f"{table.name}.{column}"
            own = words_of(column)
            full = _qualified(table, own)
            if not _AVERAGED & {*own} and reference not in taken:
                self._measure("sum", table, column, "total", "총", own, full)
            self._measure("average", table, column, "average", "평균", own, full)
            self._measure("max", table, column, "maximum", "최대", own, full)

    def _measure(
        self, kind: str, table: _Table, column: str, en: str, ko: str, own: list[str], full: list[str]
    ) -> None:
        number = kind == "average" or table.types[column] == "number"
        shown: dict[str, Any] = {"format": "decimal", "decimals": 2} if number else {}
        time = {"time": self.times[table.name]} if self.times[table.name] else {}
        said = [*english(own), *english(full)]
        synonyms = {
            "ko": [f"{ko} {word}" for word in [*korean(own), *korean(full)]],
            "en": [f"{en} {word}" for word in said],
        }
        if kind == "sum":
            synonyms["en"] += said
            synonyms["ko"] += [*korean(own), *korean(full)]
        elif kind == "max":
            synonyms["en"] += [f"{adjective} {word}" for adjective in ("largest", "highest") for word in said]
        else:
            synonyms["en"] += [f"mean {word}" for word in said]
        synonyms = {language: list(dict.fromkeys(words)) for language, words in synonyms.items()}
        words_ko = korean(full) or korean(own) or [" ".join(full)]
        label = {"ko": f"{ko} {words_ko[0]}", "en": f"{en} {' '.join(full)}".capitalize()}
        if kind == "sum" and "total" in own:
            label = {"ko": words_ko[0], "en": " ".join(full).capitalize()}
        name = "_".join([kind if kind != "sum" else "total", *full])
        column = f"{table.name}.{column}"
        self._add(name, type=kind, column=column, label=label, **time, **shown, synonyms=synonyms)

    def _count(self, table: _Table) -> None:
        base, many = english(table.words)[:2]
        also = english(table.words)[2:]
        plain = [] if self._name(table) else [many]  # "customers" alone means those people, not their number
        ko = korean(table.words)
        synonyms = {
            "ko": [f"{word}{tail}" for word in ko for tail in (" 수", "수", " 개수", " 건수")],
            "en": [
                *plain, f"number of {many}", f"how many {many}", f"{base} count", f"count of {many}",
                *(f"number of {word}s" for word in also), *(f"how many {word}s" for word in also),
            ],
        }  # fmt: skip
        label = {"ko": f"{ko[0] if ko else base} 수", "en": f"Number of {many}"}
        time = {"time": self.times[table.name]} if self.times[table.name] else {}
        if time and self.times[table.name] != f"{table.name}.{self._own_date(table)}":
            time = time if self._is_detail(table) else {}
        self._add(
            f"{table.slug}_count", type="count", table=table.name, label=label, **time, synonyms=synonyms
        )

    def _is_detail(self, table: _Table) -> bool:
        """Lines of an invoice happen when the invoice does; an album is not dated by anything."""
        time = self.times[table.name]
        parents = {there for there, _ in table.links.values()}
        return time is not None and time.split(".")[0] in parents

    def _attributes(self, table: _Table) -> None:
        named = self._name(table)
        if named:
            self._entity(table, named)
        for column, kind in table.types.items():
            if column in named or self._skipped(table, column):
                continue
            self._attribute(table, column, kind)

    def _skipped(self, table: _Table, column: str) -> bool:
        private = _PRIVATE.search(column) or _POSTAL.search(column) or column == self.tenant
        return bool(private) or column in table.key or column in table.links

    def _name(self, table: _Table) -> list[str]:
        lower = {column.lower(): column for column in table.types}
        for first, last in (("firstname", "lastname"), ("first_name", "last_name")):
            if first in lower and last in lower:
                return [lower[first], lower[last]]
        own = [*_NAMES, f"{table.slug}_name", f"{table.slug}name"]
        any_name = [
            c for c in lower if c.endswith(("name", "명", "이름")) and table.types[lower[c]] == "string"
        ]
        return next(([lower[name]] for name in [*own, *any_name] if name in lower), [])

    def _entity(self, table: _Table, columns: list[str]) -> None:
        person = len(columns) == 2
        ko, en = korean(table.words), english(table.words)
        made: dict[str, Any] = {
            "label": {"ko": ko[0] if ko else en[0], "en": en[0]},
            "column": [f"{table.name}.{column}" for column in columns],
        }
        if len(table.key) == 1:
            made["key"] = f"{table.name}.{table.key[0]}"
        made |= {"searchable": True, "kind": "person" if person else "text"}
        by = [f"{word}별" for word in ko]
        made["synonyms"] = {"ko": [*ko, *by], "en": [*en[1:], f"{en[0]} name"]}
        taken = table.slug in _RESERVED or table.slug in self.metrics
        self.dimensions.setdefault(f"{table.slug}_name" if taken else table.slug, made)

    def _attribute(self, table: _Table, column: str, kind: str) -> None:
        own = words_of(column)
        short = "_".join(own)
        full = _qualified(table, own)
        taken = short in self.dimensions or short in self.metrics or short in _RESERVED
        plain = kind in {"string", "boolean"} and not taken
        words = own if plain else full
        name = "_".join(words)
        if name in self.dimensions or name in self.metrics or name in _RESERVED:
            return
        ko, en = korean(words), english(words)
        made: dict[str, Any] = {
            "label": {"ko": ko[0] if ko else en[0], "en": en[0]},
            "column": f"{table.name}.{column}",
        }
        shown = {
            "integer": "number",
            "number": "number",
            "datetime": "date",
            "date": "date",
            "boolean": "boolean",
        }
        if kind in shown:
            made["kind"] = shown[kind]
        elif not _CODE.search(column):
            made["searchable"] = True
        more = english(full) if plain and full != own else []
        made["synonyms"] = {"ko": [*ko[1:], *(f"{word}별" for word in ko)], "en": [*en[1:], *more]}
        self.dimensions[name] = made
