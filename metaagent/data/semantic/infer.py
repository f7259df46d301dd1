"""A first semantic model of any database: from keys, types and names. It is a draft for a person to correct.

Values are looked at only to tell what a column is (is this text a date?); none is written down.
"""

from __future__ import annotations

import re
from typing import Any

import yaml
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from metaagent.data.engine import sql_engine
from metaagent.data.semantic.naming import count_words, measure_words, per_words, qualified, thing_words
from metaagent.data.semantic.survey import Table, plainness, tables_of, ways
from metaagent.data.semantic.words import english, korean, words_of
from metaagent.errors import DataUnavailable, Text

UNREACHABLE = Text(
    en="The database cannot be read: {reason}. Check the address and that it is running.",
    ko="데이터베이스를 읽을 수 없습니다: {reason}. 주소와 실행 상태를 확인하세요.",
)
NO_TABLES = Text(
    en="The database has no tables that could be described. Check that this is the right one.",
    ko="데이터베이스에 설명할 테이블이 없습니다. 맞는 데이터베이스인지 확인하세요.",
)

_PRIVATE = re.compile(
    r"e?mail|phone|fax|mobile|address|passw|secret|token|ssn|jumin|resident|card|hash|salt|birth|(^|_)(tel|hp|addr|dob)$"
    r"|전화|휴대폰|핸드폰|주소|이메일|메일|주민|생년월일|연락처|비밀번호|계좌",
    re.IGNORECASE,
)
_POSTAL = re.compile(r"postal|zip", re.IGNORECASE)
_PRICE = re.compile(r"price|rate$|cost$|단가|가격", re.IGNORECASE)
_QUANTITY = re.compile(r"^(quantity|qty|units|count|order_?qty)$|수량", re.IGNORECASE)
_AVERAGED = {
    "price", "rate", "ratio", "score", "age", "percent", "pct", "length", "height", "weight", "temperature",
    "latitude", "longitude", "year", "level",
}  # fmt: skip
_CODE = re.compile(r"(^|_)(id|code|no|num|number|key|uuid|guid)$|Id$|ID$|Code$", re.IGNORECASE)
_LESS = re.compile(r"birth|hire|created|updated|modified|deleted|launch|expir|valid|start|end", re.IGNORECASE)
_TENANTS = ("company_id", "tenant_id", "org_id", "organization_id", "organisation_id", "account_id")
_NAMES = ("name", "title", "fullname", "label", "이름", "성명", "제목", "명칭")
_SHOWN = {"integer": "number", "number": "number", "datetime": "date", "date": "date", "boolean": "boolean"}
_RESERVED = {"year", "quarter", "month", "week", "day", "weekday"}
_NOT_ISO = "# {table}.{column} looks like a date, but it is not written like 2026-03-31: convert it to ask about periods.\n"
_SALES_WORDS = {
    "ko": ["매출", "매출액", "판매액", "수익", "총매출"],
    "en": ["sales", "revenue", "turnover", "total sales", "sales amount", "income"],
}


def infer(url: str) -> str:
    """YAML text of a draft model."""
    try:
        engine = sql_engine(url, read_only=True)
        with engine.connect() as connection:
            tables = tables_of(connection)
        engine.dispose()
    except SQLAlchemyError as error:
        said = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise DataUnavailable(UNREACHABLE, reason=said) from error
    if not tables:
        raise DataUnavailable(NO_TABLES)
    name = re.sub(r"\W+", "_", (make_url(url).database or "database").rsplit("/", 1)[-1].partition(".")[0])
    draft = _Draft(tables).model(name or "database")
    head = "# Drafted by `metaagent semantic infer`. Correct names and synonyms, then run `semantic check`.\n"
    for table in tables.values():
        head += "".join(_NOT_ISO.format(table=table.name, column=c) for c in table.unreadable_dates)
    return head + yaml.safe_dump(draft, sort_keys=False, allow_unicode=True, width=120)


class _Draft:
    def __init__(self, tables: dict[str, Table]) -> None:
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
        for table in self.tables.values():
            self._ratios(table)
        for table in self._near_first():
            self._attributes(table)
        made: dict[str, Any] = {"version": 1, "name": name}
        if self.tenant:
            made["tenant_column"] = self.tenant
        made["default_metric"] = "sales" if "sales" in self.metrics else self._default()
        made["tables"] = {table.name: self._columns(table) for table in self.tables.values()}
        made["joins"] = [
            {"from": f"{table.name}.{column}", "to": f"{there}.{to}"}
            for table in self.tables.values()
            for column, (there, to) in table.links.items()
        ]
        return {**made, "metrics": self.metrics, "dimensions": self.dimensions}

    def _default(self) -> str:
        """Count how often the thing happens that has a date and belongs to the most other things."""
        main = max(self.tables.values(), key=lambda t: (self.times[t.name] is not None, len(t.links)))
        return f"{main.slug}_count"

    def _via(self, table: Table) -> dict[str, Any]:
        """Choose among chains of links to a table the one whose columns are called like the tables that they refer to."""
        via: dict[str, str] = {}
        for fact in self.tables:
            found = ways(self.tables, fact, table.name)
            if len(found) > 1:
                best = min(found, key=lambda way: sum(plainness(c, self.tables[t], to) for c, t, to in way))
                via[fact] = best[-2][1]
        return {"via": via} if via else {}

    def _columns(self, table: Table) -> dict[str, Any]:
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

    def _own_date(self, table: Table) -> str | None:
        dates = [
            c for c, kind in table.types.items() if kind in {"date", "datetime"} and not _PRIVATE.search(c)
        ]
        dates.sort(
            key=lambda c: (bool(_LESS.search(c)), table.words[0] not in c.lower(), "date" not in c.lower())
        )
        return dates[0] if dates else None

    def _distance(self) -> dict[str, int]:
        """Measure how far each table is from where the money is."""
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

    def _near_first(self) -> list[Table]:
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
                r"sale|order|invoice|payment|transaction|purchase|rental|매출|판매|주문|결제|구매|수납",
                table.name,
                re.IGNORECASE,
            )
            if amounts and selling and self.times[table.name]:
                self._sales_metric(table, f"{table.name}.{amounts[0]}", table.types[amounts[0]])
                return

    def _sales_metric(self, table: Table, column: str, kind: str) -> None:
        shown: dict[str, Any] = {"format": "decimal", "decimals": 2} if kind == "number" else {}
        time = {"time": self.times[table.name]} if self.times[table.name] else {}
        label = {"ko": "매출액", "en": "Sales"}
        self._add("sales", type="sum", column=column, label=label, **time, **shown, synonyms=_SALES_WORDS)

    def _is_number(self, table: Table, column: str) -> bool:
        number = table.types[column] in {"integer", "number"}
        return number and column not in table.key and column not in table.links and not _CODE.search(column)

    def _measures(self, table: Table) -> None:
        taken = {str(metric.get("column")) for metric in self.metrics.values()}
        measured = [c for c in table.types if self._is_measure(table, c)]
        for column in measured:
            own = words_of(column)
            for kind in ("sum", "average", "max", "min"):
                if kind == "sum" and (_AVERAGED & {*own} or f"{table.name}.{column}" in taken):
                    continue
                self._measure(kind, table, column, alone=len(measured) == 1 and not self._name(table))

    def _is_measure(self, table: Table, column: str) -> bool:
        number = self._is_number(table, column)
        return number and not _PRIVATE.search(column) and not _POSTAL.search(column)

    def _measure(self, kind: str, table: Table, column: str, *, alone: bool) -> None:
        own = words_of(column)
        averaged = bool(_AVERAGED & {*own})
        label, synonyms = measure_words(kind, own, table.words, alone=alone, averaged=averaged)
        number = kind == "average" or table.types[column] == "number"
        shown: dict[str, Any] = {"format": "decimal", "decimals": 2} if number else {}
        name = "_".join([kind if kind != "sum" else "total", *qualified(table.words, own)])
        place = f"{table.name}.{column}"
        self._add(
            name, type=kind, column=place, label=label, **self._timed(table), **shown, synonyms=synonyms
        )

    def _timed(self, table: Table) -> dict[str, str]:
        time = self.times[table.name]
        return {"time": time} if time else {}

    def _count(self, table: Table) -> None:
        label, synonyms = count_words(table.words, named=bool(self._name(table)))
        time = self._timed(table)
        if time and self.times[table.name] != f"{table.name}.{self._own_date(table)}":
            time = time if self._is_detail(table) else {}
        self._add(
            f"{table.slug}_count", type="count", table=table.name, label=label, **time, synonyms=synonyms
        )

    def _ratios(self, table: Table) -> None:
        """Average the rows that belong to one thing: tracks per album, sales per customer."""
        for there, _ in table.links.values():
            one = self.tables[there]
            self._ratio(f"{table.slug}_count", table.words, one, counted=True)
        if "sales" in self.metrics and self._sold(table):
            self._ratio("sales", ["sales"], table, counted=False)

    def _sold(self, table: Table) -> bool:
        main = str(self.metrics["sales"]["column"]).split(".")[0].strip("( ")
        return table.name != main and bool(ways(self.tables, main, table.name))

    def _ratio(self, metric: str, many: list[str], one: Table, *, counted: bool) -> None:
        label, synonyms = per_words(many, one.words, counted=counted)
        if not counted:
            synonyms["ko"] += [f"{each}당 매출" for each in korean(one.words)]
            synonyms["en"] += [f"{start}revenue per {one.words[-1]}" for start in ("", "average ")]
        self._add(
            f"{metric}_per_{one.slug}", type="ratio", label=label, numerator=metric,
            denominator=f"{one.slug}_count", format="decimal", decimals=2, synonyms=synonyms,
        )  # fmt: skip

    def _is_detail(self, table: Table) -> bool:
        """Lines of an invoice happen when the invoice does; an album is not dated by anything."""
        time = self.times[table.name]
        parents = {there for there, _ in table.links.values()}
        return time is not None and time.split(".")[0] in parents

    def _attributes(self, table: Table) -> None:
        named = self._name(table)
        if named:
            self._entity(table, named)
        for column, kind in table.types.items():
            if column in named or self._skipped(table, column):
                continue
            self._attribute(table, column, kind)

    def _skipped(self, table: Table, column: str) -> bool:
        private = _PRIVATE.search(column) or _POSTAL.search(column) or column == self.tenant
        return bool(private) or column in table.key or column in table.links

    def _name(self, table: Table) -> list[str]:
        """The columns that name a row. `drug_name` of a prescription names something else; `company_name` of a
        customer, whom others refer to, names the customer.
        """
        texts = {column: words_of(column) for column, kind in table.types.items() if kind == "string"}
        lower = {column.lower().replace("_", ""): column for column in texts}
        if "firstname" in lower and "lastname" in lower:
            return [lower["firstname"], lower["lastname"]]
        own = [[*table.words, "name"], [table.words[-1], "name"], *([word] for word in _NAMES)]
        own += [["full", "name"], *([f"{table.slug}{tail}"] for tail in ("명", "이름", "name"))]
        if self._referred(table):
            own += [
                said
                for said in texts.values()
                if said[-1] in ("name", "명", "이름") or said[-1].endswith("명")
            ]
        return next(([column] for wanted in own for column, said in texts.items() if said == wanted), [])

    def _referred(self, table: Table) -> bool:
        return any(there == table.name for one in self.tables.values() for there, _ in one.links.values())

    def _entity(self, table: Table, columns: list[str]) -> None:
        label, synonyms = thing_words(table.words)
        synonyms["ko"] = list(dict.fromkeys([*korean(table.words), *synonyms["ko"]]))
        synonyms["en"].append(f"{table.words[-1]} name")
        made: dict[str, Any] = {"label": label, "column": [f"{table.name}.{column}" for column in columns]}
        if len(table.key) == 1:
            made["key"] = f"{table.name}.{table.key[0]}"
        made |= {"searchable": True, "kind": "person" if len(columns) == 2 else "text", **self._via(table)}
        taken = table.slug in _RESERVED or table.slug in self.metrics
        self.dimensions.setdefault(
            f"{table.slug}_name" if taken else table.slug, {**made, "synonyms": synonyms}
        )

    def _attribute(self, table: Table, column: str, kind: str) -> None:
        own = words_of(column)
        own = own[:-1] if len(own) > 1 and own[-1] == "name" else own  # drug_name is the drug
        full = qualified(table.words, own)
        short = "_".join(own)
        taken = short in self.dimensions or short in self.metrics or short in _RESERVED
        plain = kind in {"string", "boolean"} and not taken
        words = own if plain else full
        name = "_".join(words)
        if name in self.dimensions or name in self.metrics or name in _RESERVED:
            return
        label, synonyms = thing_words(words, *([full] if plain and full != own else []))
        made: dict[str, Any] = {"label": label, "column": f"{table.name}.{column}"}
        if kind in _SHOWN:
            made["kind"] = _SHOWN[kind]
        elif not _CODE.search(column):
            made["searchable"] = True
        self.dimensions[name] = {**made, **self._via(table), "synonyms": synonyms}
        if made.get("searchable"):
            self._kinds(table, column, words)

    def _kinds(self, table: Table, column: str, words: list[str]) -> None:
        """Count the different ones: countries, composers."""
        label, synonyms = count_words(words, named=True)
        many = english(words)[-1] if len(english(words)) < 2 else english(words)[1]
        synonyms["en"] += [
            f"{how} {many}" for how in ("number of different", "number of distinct", "distinct", "unique")
        ]
        name = f"{'_'.join(words)}_count"
        self._add(
            name, type="count_distinct", column=f"{table.name}.{column}", label=label, synonyms=synonyms
        )
