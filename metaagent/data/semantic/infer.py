"""A first semantic model of any database: from keys, types and names. It is a draft for a person to correct.

Values are looked at only to tell what a column is (is this text a date?); none is written down.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from metaagent.data.engine import sql_engine
from metaagent.data.semantic.codes import value_words
from metaagent.data.semantic.dictionary import EARNED, SOLD
from metaagent.data.semantic.naming import (
    count_words,
    measure_words,
    per_words,
    qualified,
    thing_words,
    verbs_of,
)
from metaagent.data.semantic.survey import LeftOut, Table, plainness, survey, ways
from metaagent.data.semantic.words import english, korean, words_of
from metaagent.errors import DataUnavailable, Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

UNREACHABLE = Text(
    en="The database cannot be read: {reason}. Check the address and that it is running.",
    ko="데이터베이스를 읽을 수 없습니다: {reason}. 주소와 실행 상태를 확인하세요.",
)
NO_TABLES = Text(
    en="The database has no tables that could be described. Check that this is the right one.",
    ko="데이터베이스에 설명할 테이블이 없습니다. 맞는 데이터베이스인지 확인하세요.",
)

_PRIVATE = re.compile(
    r"e?mail|phone|fax|mobile|address|passw|secret|token|ssn|jumin|resident|card_number|card_no|hash|salt|birth"
    r"|(^|_)(tel|hp|addr|dob|card|ip)$"
    r"|전화|휴대폰|핸드폰|주소|이메일|메일|주민|생년월일|연락처|비밀번호|계좌번호|카드번호",
    re.IGNORECASE,
)
_POSTAL = re.compile(r"postal|zip|우편번호", re.IGNORECASE)
_PRICE = re.compile(r"price|rate$|cost$|단가|가격")
_QUANTITY = re.compile(r"(^|_)(quantity|units|count)$|수량")
_SOLD = re.compile(r"(^|_)units_sold$|판매수량|판매량")
_AMOUNT = re.compile(r"amount|total|revenue|금액|매출|합계")
_NOT_SALES = re.compile(
    r"discount|tax|cost|refund|return|ship|freight|fee|target|budget|balance|할인|세액|부가세|원가|환불|목표|잔액"
)
_SELLING = re.compile(r"sale|order|invoice|payment|transaction|purchase|rental|매출|판매|주문|결제|구매|수납")
_AVERAGED = {
    "price", "rate", "ratio", "score", "age", "percent", "pct", "length", "height", "weight", "temperature",
    "latitude", "longitude", "year", "level", "rating",
}  # fmt: skip
_CODE = re.compile(r"(^|_)(id|code|number|key|uuid|guid|sequence)$|(코드|번호|아이디|순번)$")
_EARNED = frozenset({"fee", "amount", "charge", "price", "fare", "total", "rent", "revenue"})
_LESS = re.compile(
    r"(^|_)(birth|hire|creat|updat|modif|delet|launch|expir|valid|start|end|regist|sign|join|due|ship|deliver|requir|return|cancel)"
    r"|등록|수정|생성|종료|만료|입사|생년|출고|배송|반품|취소"
)
_TENANTS = ("company_id", "tenant_id", "org_id", "organization_id", "organisation_id", "account_id")
_NAMES = ("name", "title", "fullname", "label", "이름", "성명", "제목", "명칭")
_SHOWN = {"integer": "number", "number": "number", "datetime": "date", "date": "date", "boolean": "boolean"}
_NAMED = re.compile(r"(?<=[가-힣]{2})명$(?<!설명)(?<!증명)")
"""약품명 is the 약품."""
_ONE_LINE = 4
_PARTS = {"detail", "line", "item", "history", "log", "record", "data", "내역", "상세", "이력", "목록"}
_FREE_TEXT = {"remark", "note", "memo", "comment", "description", "비고", "메모", "설명", "내용"}
_RESERVED = {"year", "quarter", "month", "week", "day", "weekday", "weekend"}
_NO_DATE = Text(
    en="{table}.{column} looks like a date, but it is not written in a way that can be read (2026-03-31, 20260331, "
    "31.03.2026): convert it to ask about periods.",
    ko="{table}.{column}은(는) 날짜 같지만 읽을 수 있는 형식(2026-03-31, 20260331, 31.03.2026)이 아닙니다. "
    "기간을 물으려면 변환하세요.",
)
_CAST = Text(
    en="{table}.{column} is text that holds {what}: it is read as {cast}.",
    ko="{table}.{column}은(는) {what}이(가) 든 글자입니다. {cast}(으)로 읽습니다.",
)
_HIDDEN = Text(
    en="{table}.{column} holds personal data and is hidden.",
    ko="{table}.{column}에는 개인정보가 있어 숨깁니다.",
)
_HELD = {
    "date": Text(en="dates", ko="날짜"),
    "integer": Text(en="numbers", ko="숫자"),
    "number": Text(en="numbers", ko="숫자"),
}
_SALES_WORDS = {
    "ko": ["매출", "매출액", "판매액", "수익", "총매출"],
    "en": ["sales", "revenue", "turnover", "total sales", "sales amount", "income"],
}


@dataclass(frozen=True)
class Draft:
    """A drafted model, what was noticed on the way, and the tables that are not in it."""

    model: dict[str, Any]
    notes: list[Text]
    left_out: list[LeftOut]


def draft(url: str, *, without: frozenset[str] = frozenset()) -> Draft:
    """Describe a database, all of it but some tables."""
    try:
        engine = sql_engine(url, read_only=True)
        with engine.connect() as connection:
            found = survey(connection, without)
        engine.dispose()
    except SQLAlchemyError as error:
        said = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise DataUnavailable(UNREACHABLE, reason=said) from error
    if not found.tables:
        raise DataUnavailable(NO_TABLES)
    name = re.sub(r"\W+", "_", (make_url(url).database or "database").rsplit("/", 1)[-1].partition(".")[0])
    made = _Drafting(found.tables).model(name or "database")
    return Draft(made, [*_notes(found.tables)], found.left_out)


def infer(url: str) -> str:
    """YAML text of a draft model."""
    made = draft(url)
    head = "# Drafted by `metaagent semantic infer`. Correct names and synonyms, then run `semantic check`.\n"
    head += "".join(f"# {note.en}\n" for note in made.notes)
    head += "".join(f"# {one.table} is left out: {one.reason.en}.\n" for one in made.left_out)
    return head + written(made.model)


class _Dumper(yaml.SafeDumper):
    """Short lists and small mappings on one line, nothing by reference: for people to read."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def represent_sequence(self, tag: str, sequence: Any, flow_style: bool | None = None) -> Any:
        plain = all(not isinstance(one, list | dict) for one in sequence)
        return super().represent_sequence(tag, sequence, flow_style=plain)

    def represent_mapping(self, tag: str, mapping: Any, flow_style: bool | None = None) -> Any:
        values = list(mapping.values())
        plain = 0 < len(values) <= _ONE_LINE and all(not isinstance(one, list | dict) for one in values)
        return super().represent_mapping(tag, mapping, flow_style=plain)


def written(model: Mapping[str, Any]) -> str:
    return yaml.dump(dict(model), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)


def _notes(tables: dict[str, Table]) -> Iterator[Text]:
    for table in tables.values():
        if table.referring is not None:
            continue
        for column in table.unreadable_dates:
            yield _filled(_NO_DATE, table=table.physical, column=table.physical_columns[column])
        for column, cast in table.casts.items():
            held = _HELD[table.types[column]]
            named = {"table": table.physical, "column": table.physical_columns[column], "cast": cast}
            yield Text(en=_CAST.say("en", **named, what=held.en), ko=_CAST.say("ko", **named, what=held.ko))
        for column in sorted(table.personal):
            yield _filled(_HIDDEN, table=table.physical, column=table.physical_columns[column])


def _filled(text: Text, **params: str) -> Text:
    return Text(en=text.say("en", **params), ko=text.say("ko", **params))


def _said(name: str) -> str:
    """A name as its words, short forms written out: ord_amt -> order_amount."""
    return "_".join(words_of(name))


def _private(table: Table, column: str) -> bool:
    """Hidden for its name or for its values."""
    return column in table.personal or bool(_PRIVATE.search(column) or _PRIVATE.search(_said(column)))


class _Drafting:
    def __init__(self, tables: dict[str, Table]) -> None:
        self.tables = tables
        self.tenant = next((c for c in _TENANTS if all(c in t.types for t in tables.values())), None)
        self.metrics: dict[str, dict[str, Any]] = {}
        self.dimensions: dict[str, dict[str, Any]] = {}
        self.times = {name: self._time(name) for name in tables}

    def model(self, name: str) -> dict[str, Any]:
        self._sales()
        own = [table for table in self.tables.values() if table.referring is None]
        for table in own:
            self._measures(table)
            self._count(table)
        for table in own:
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
        own = [table for table in self.tables.values() if table.referring is None]
        main = max(own, key=lambda t: (self.times[t.name] is not None, len(t.links)))
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
            hidden = _private(table, name) or name == self.tenant
            more: dict[str, Any] = {"hidden": True} if hidden else {}
            if name in table.casts:
                more["cast"] = table.casts[name]
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
                if own and (one == name or not _LESS.search(_said(own))):
                    return f"{one}.{own}"
            level = [
                there for one in level for there, _ in self.tables[one].links.values() if there not in seen
            ]
            seen.update(level)
        return None

    def _own_date(self, table: Table) -> str | None:
        dates = [
            c for c, kind in table.types.items() if kind in {"date", "datetime"} and not _private(table, c)
        ]
        dates.sort(
            key=lambda c: (
                bool(_LESS.search(_said(c))),
                table.words[0] not in _said(c),
                "date" not in _said(c),
            )
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
            if table.links and not self._numbers(table, _AMOUNT) and self._lines(table):
                return
        for table in sorted(self.tables.values(), key=lambda t: -len(t.links)):
            amounts = self._numbers(table, re.compile(f"{_AMOUNT.pattern}|sale"))
            amounts.sort(key=lambda c: bool(_NOT_SALES.search(_said(c))))
            if amounts and _SELLING.search("_".join(table.words)) and self.times[table.name]:
                self._sales_metric(table, f"{table.name}.{amounts[0]}", table.types[amounts[0]])
                return

    def _numbers(self, table: Table, pattern: re.Pattern[str]) -> list[str]:
        return [c for c in table.types if pattern.search(_said(c)) and self._is_number(table, c)]

    def _lines(self, table: Table) -> bool:
        """Make sales of the lines' price and quantity, less the discount where it is a fraction of the price."""
        price, quantity = self._numbers(table, _PRICE)[:1], self._numbers(table, _QUANTITY)[:1]
        if not price or not quantity:
            return False
        product = f"{table.name}.{price[0]} * {table.name}.{quantity[0]}"
        reduced = next((c for c in table.types if words_of(c)[-1] == "discount"), None)
        if reduced and table.types[reduced] == "number":
            product += f" * (1 - {table.name}.{reduced})"
        self._sales_metric(table, product, "number")
        return True

    def _sales_metric(self, table: Table, column: str, kind: str) -> None:
        shown: dict[str, Any] = {"format": "decimal", "decimals": 2} if kind == "number" else {}
        time = {"time": self.times[table.name]} if self.times[table.name] else {}
        label = {"ko": "매출액", "en": "Sales"}
        said = {language: list(words) for language, words in _SALES_WORDS.items()}
        own = column.removeprefix(f"{table.name}.")
        if own in table.types:  # its own words mean the same figure
            _, more = measure_words("sum", words_of(own), table.words, alone=False, averaged=False)
            said = {language: list(dict.fromkeys([*said[language], *more[language]])) for language in said}
        verbs = {"ko": EARNED[0], "en": EARNED[1]}
        self._add(
            "sales", type="sum", column=column, label=label, **time, **shown, synonyms=said, verbs=verbs
        )

    def _is_number(self, table: Table, column: str) -> bool:
        number = table.types[column] in {"integer", "number"}
        return (
            number
            and column not in table.key
            and column not in table.links
            and not _CODE.search(_said(column))
        )

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
        number = self._is_number(table, column) and column not in table.values
        return number and not _private(table, column) and not _POSTAL.search(column)

    def _measure(self, kind: str, table: Table, column: str, *, alone: bool) -> None:
        own = words_of(column)
        averaged = bool(_AVERAGED & {*own})
        label, synonyms = measure_words(kind, own, table.words, alone=alone, averaged=averaged)
        if kind == "sum" and self._only_money(table, column):
            synonyms["en"] += [f"{' '.join(table.words)} {word}" for word in ("income", "revenue")]
            synonyms["ko"] += [
                f"{noun} {word}" for noun in korean(table.words) for word in ("수입", "매출", "금액")
            ]
        number = kind == "average" or table.types[column] == "number"
        shown: dict[str, Any] = {"format": "decimal", "decimals": 2} if number else {}
        name = "_".join([kind if kind != "sum" else "total", *qualified(table.words, own)])
        place = f"{table.name}.{column}"
        if kind == "sum" and self._is_sold(table, column):
            shown |= {"unit": {"ko": "개", "en": "units"}, "verbs": {"ko": SOLD[0], "en": SOLD[1]}}
        self._add(
            name, type=kind, column=place, label=label, **self._timed(table), **shown, synonyms=synonyms
        )

    def _only_money(self, table: Table, column: str) -> bool:
        """Tell whether what was earned by the events of a table stands in this column, and in no other."""
        money = [c for c in table.types if self._is_number(table, c) and words_of(c)[-1] in _EARNED]
        return money == [column] and bool(verbs_of(table.words)) and self.times[table.name] is not None

    def _is_sold(self, table: Table, column: str) -> bool:
        """Tell whether this is how many were sold: the quantity of an order's or a sale's lines."""
        return bool(_QUANTITY.search(_said(column)) or _SOLD.search(_said(column))) and bool(
            table.links and _SELLING.search("_".join(table.words))
        )

    def _timed(self, table: Table) -> dict[str, str]:
        time = self.times[table.name]
        return {"time": time} if time else {}

    def _count(self, table: Table) -> None:
        label, synonyms = count_words(table.words, named=bool(self._name(table)))
        if self._head(table):
            _, more = count_words(table.words[-1:], named=bool(self._name(table)))
            synonyms = {
                language: list(dict.fromkeys([*synonyms[language], *more[language]])) for language in synonyms
            }
        synonyms["en"] = [word for word in synonyms["en"] if word not in _SALES_WORDS["en"]]
        time = self._timed(table)
        if time and self.times[table.name] != f"{table.name}.{self._own_date(table)}":
            time = time if self._is_detail(table) else {}
        said = table.words[:-1] if self._is_detail(table) or self._lone_detail(table) else table.words
        verbs = None if self._name(table) or not time or self._is_detail(table) else verbs_of(said)
        self._add(
            f"{table.slug}_count", type="count", table=table.name, label=label, **time, synonyms=synonyms,
            **({"verbs": verbs} if verbs else {}),
        )  # fmt: skip

    def _lone_detail(self, table: Table) -> bool:
        """Tell whether a table of details has no table of its heads: returns that are kept in rtn_dtl alone."""
        own = table.words
        heads = [one for one in self.tables.values() if one.words == own[:-1]]
        return len(own) > 1 and own[-1] in ("detail", "line") and not heads

    def _head(self, table: Table) -> bool:
        """Tell whether the last word alone means the table: the tickets are the support tickets, if there are no others."""
        last = table.words[-1]
        others = [one for one in self.tables.values() if one.physical != table.physical]
        return len(table.words) > 1 and last not in _PARTS and all(last not in one.words for one in others)

    def _ratios(self, table: Table) -> None:
        """Average the rows that belong to one thing: tracks per album, sales per customer."""
        for there, _ in table.links.values():
            one = self.tables[there]
            if one.referring is not None:
                continue
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
        if self._only_by_role(table):
            return
        named = self._name(table) or self._numbered(table)
        if named:
            self._entity(table, named)
        for column, kind in table.types.items():
            if column in named or self._skipped(table, column):
                continue
            self._attribute(table, column, kind)

    def _skipped(self, table: Table, column: str) -> bool:
        private = _private(table, column) or _POSTAL.search(column) or column == self.tenant
        return bool(private) or column in table.key or column in table.links

    def _name(self, table: Table) -> list[str]:
        """The columns that name a row. `drug_name` of a prescription names something else; `company_name` of a
        customer, whom others refer to, names the customer.
        """
        texts = {
            column: words_of(column)
            for column, kind in table.types.items()
            if kind == "string" and not _private(table, column)
        }
        words = words_of(table.physical)
        lower = {column.lower().replace("_", ""): column for column in texts}
        if "firstname" in lower and "lastname" in lower:
            return [lower["firstname"], lower["lastname"]]
        own = [[*words, "name"], [words[-1], "name"], *([word] for word in _NAMES)]
        own += [["full", "name"], *([f"{'_'.join(words)}{tail}"] for tail in ("명", "이름", "name"))]
        if self._referred(table):
            own += [
                said
                for said in texts.values()
                if said[-1] in ("name", "명", "이름") or said[-1].endswith("명")
            ]
        return next(([column] for wanted in own for column, said in texts.items() if said == wanted), [])

    def _numbered(self, table: Table) -> list[str]:
        """The key of things that have no name but a number of their own: bikes, rooms, vehicles."""
        if (
            len(table.key) != 1
            or not self._referred(table)
            or verbs_of(table.words)
            or self._is_detail(table)
        ):
            return []
        return table.key if words_of(table.key[0])[-1] in ("number", "code") else []

    def _referred(self, table: Table) -> bool:
        return table.referring is not None or any(
            there == table.name for one in self.tables.values() for there, _ in one.links.values()
        )

    def _plain(self, view: Table) -> Table:
        return next(
            one for one in self.tables.values() if one.physical == view.physical and not one.referring
        )

    def _only_by_role(self, table: Table) -> bool:
        """Tell whether nothing says plainly 'its region': there is a shipping region and a billing region instead."""
        views = any(one.physical == table.physical and one.referring for one in self.tables.values())
        return table.referring is None and views and not self._referred(table)

    def _entity(self, table: Table, columns: list[str]) -> None:
        bare = table.words[len(table.role) :]
        asked = table.referring is not None and self._only_by_role(self._plain(table))
        label, synonyms = thing_words(table.words, *([bare] if asked else []))
        synonyms["ko"] = list(dict.fromkeys([*korean(table.words), *synonyms["ko"]]))
        synonyms["en"].append(f"{' '.join([*table.role, bare[-1]])} name")
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
        own = [*own[:-1], _NAMED.sub("", own[-1])]
        full = qualified(table.words, own)
        short = "_".join(own)
        taken = short in self.dimensions or short in self.metrics or short in _RESERVED
        plain = kind in {"string", "boolean"} and not taken
        words = own if plain else full
        name = "_".join(words)
        if name in self.dimensions or name in self.metrics or name in _RESERVED:
            return
        label, synonyms = thing_words(words, *([full] if plain and full != own else []))
        if self._is_measure(table, column) and not _AVERAGED & {*own}:
            # Its plain words mean the sum; this is for limits on single rows.
            label = {"ko": f"건별 {label['ko']}", "en": f"{label['en']} of one row"}
            synonyms = {"ko": [], "en": []}
        made: dict[str, Any] = {"label": label, "column": f"{table.name}.{column}"}
        if column in table.values:
            made["values"] = value_words(table.values[column])
        elif kind in _SHOWN:
            made["kind"] = _SHOWN[kind]
        elif not _CODE.search(_said(column)) and words_of(column)[-1] not in _FREE_TEXT:
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
