"""The tables of a database as a draft asks about them: names, dates, keys, what happens and what merely is."""

from __future__ import annotations

import re
from typing import Any

from metaagent.data.semantic.drafting.act_words import verbs_of
from metaagent.data.semantic.drafting.column_words import (
    AMOUNT,
    CODE,
    EARNINGS,
    LESS,
    NOT_SALES,
    PARTS,
    POSTAL,
    QUANTITY,
    SELLING,
    SIGNS,
    is_private,
    tenant_column,
    worth_words,
    written_out,
)
from metaagent.data.semantic.drafting.dictionary import VERBS
from metaagent.data.semantic.drafting.flags import flag_words, is_flag
from metaagent.data.semantic.drafting.korean_endings import endings
from metaagent.data.semantic.drafting.links import plainness, ways
from metaagent.data.semantic.drafting.table import Table
from metaagent.data.semantic.drafting.units import unit_of
from metaagent.data.semantic.drafting.words import english, hangul, is_known, is_short_of, korean, words_of

_DAY = re.compile(r"date|일$|일자$|일시$")


_SOLD = re.compile(r"(^|_)units_sold$|판매수량|판매량")

_CHARGED = re.compile(r"amount|total|revenue|fee|fare|charge|price|금액|매출|합계|요금|료$|비용?$|대금")

_PRICED = re.compile(r"price|단가|가격")


_AVERAGED = {
    "price", "rate", "ratio", "score", "age", "percent", "pct", "length", "height", "weight", "temperature",
    "latitude", "longitude", "year", "level", "rating",
}  # fmt: skip

_AVERAGED_KO = re.compile(
    r"(?:단가|가격|평점|별점|점수|나이|연령|만족도|비율|율|률|온도|습도|면적|신장|체중)$"
)


_CARRIED = {"weight"}
"""Figures that describe a thing, and add up where they belong to an event: the weight of a shipment's lines."""


_CHANGED = re.compile(r"(^|_)(updat|modif|delet)|수정|삭제|변경")
_MOST_EMPTY = 0.6
_FEW_EMPTY = 0.1
"""The share of rows that may lack the day on which they took place: those that were called off."""
_DAYS_OF_ACTS = frozenset(
    {"visit", "service", "work", "job", "event", "session", "appointment", "treatment", "performed", "held", "lesson", "class",
     "방문", "작업", "시공", "행사", "수업", "진료", "시술", "공연", "촬영"}
)  # fmt: skip
_DAY_ENDING = re.compile(r"(?<=[가-힣]{2})(?:일자|일시|날짜|일)$")

_STANDING = {"stock", "inventory", "balance", "snapshot", "onhand", "outstanding", "headcount"}
_STANDING_KO = re.compile(r"재고|잔액|잔고|잔량|보유|월말|기말|현황")

_NAMES = ("name", "title", "fullname", "label", "이름", "성명", "제목", "명칭", "상호", "상호명")

_TWO_NAMES = (
    ("firstname", "lastname"), ("givenname", "familyname"), ("forename", "surname"), ("firstname", "surname"),
    ("firstname", "familyname"), ("givenname", "surname"), ("givenname", "lastname"), ("first", "last"), ("fname", "lname"),
)  # fmt: skip

_LONG = {
    "description",
    "note",
    "remark",
    "comment",
    "url",
    "address",
    "text",
    "memo",
    "path",
    "설명",
    "비고",
    "메모",
    "주소",
}

_MEANINGS = ("description", "label", "text", "meaning", "설명")
_LOOKUP = 3
"""Most columns of a table that does nothing but tell what codes mean."""

_MOST_SHARED = 8
"""Most names that the rows of a table may share."""


_ACTS = {"session", "event", "job", "activity", "case", "operation", "booking", "reservation"}
"""Words behind the name of an act that change nothing."""

_OWED = {
    "fine",
    "penalty",
    "donation",
    "refund",
    "bonus",
    "toll",
    "tip",
    "claim",
    "fare",
    "contract",
    "lease",
}
"""Amounts that the rows themselves are called after."""

_DONE_FOR = frozenset(
    {"repair", "maintenance", "service", "work", "job", "installation", "cleaning", "treatment", "inspection", "delivery",
     "printing", "translation", "project", "tuning", "restoration", "alteration", "engraving", "move", "removal", "towing",
     "grooming", "washing", "laundry", "callout", "engagement", "commission", "assignment", "task", "servicing",
     "overhaul", "수리", "정비", "설치", "시공", "청소", "작업", "제작", "의뢰", "이사", "세탁", "점검"}
)  # fmt: skip
"""Work that is done for somebody, and is called a job."""
_KINDS_OF_THINGS = frozenset({"model", "type", "kind", "breed", "make", "class", "category"})

_COMPANIES = frozenset(
    {
        "company",
        "business",
        "firm",
        "organization",
        "organisation",
        "회사",
        "업체",
        "상호",
        "회사명",
        "업체명",
    }
)
_SPOKESPEOPLE = frozenset(
    {"contact", "manager", "rep", "representative", "agent", "owner", "person", "담당자"}
)
"""Words before the name of somebody who speaks for a company: the company is the customer."""


class Tables:
    """Answers questions about the tables that are described."""

    def __init__(self, tables: dict[str, Table]) -> None:
        self.tables = tables
        self.tenant = tenant_column(tables)
        self.metrics: dict[str, dict[str, Any]] = {}
        self.dimensions: dict[str, dict[str, Any]] = {}
        self.times = {name: self._time(name) for name in tables}

    def _via(self, table: Table) -> dict[str, Any]:
        """Choose among chains of links to a table the one whose columns are called like the tables that they refer to."""
        via: dict[str, str] = {}
        for fact in self.tables:
            found = ways(self.tables, fact, table.name)
            if len(found) > 1:
                best = min(found, key=lambda way: sum(plainness(c, self.tables[t], to) for c, t, to in way))
                via[fact] = best[-2][1]
        return {"via": via} if via else {}

    def _time(self, name: str) -> str | None:
        """Its own date, or that of the nearest table that it belongs to: of several, of the one that refers to most others. An
        invoice has a customer and a branch; an article of the catalogue has nobody."""
        seen, level = {name}, [name]
        while level:
            for one in sorted(level, key=self._dating):
                own = self._own_date(self.tables[one])
                # When a customer's contact was hired does not date the customer.
                if own and (one == name or not LESS.search(written_out(own))):
                    return self._of_head(name, own) if one == name else f"{one}.{own}"
            level = [
                there for one in level for there, _ in self.tables[one].links.values() if there not in seen
            ]
            seen.update(level)
        return None

    def _dating(self, name: str) -> tuple[bool, int]:
        """Put what happens before things that have a name, such as the articles on an invoice."""
        table = self.tables[name]
        return bool(self._name(table)) and not self._happens(table), -len(table.links)

    def _of_head(self, name: str, own: str) -> str:
        """The own date of a table; of lines some of which lack it, such as tickets that nobody used yet, that of their head."""
        table = self.tables[name]
        if not table.empty.get(own) or table.is_view:
            return f"{name}.{own}"
        for there, _ in table.links.values():
            head = self.tables[there]
            date = self._own_date(head)
            late = LESS.search(written_out(own)) and not self._name(head)
            part = self._is_line_of(table, there) or SELLING.search("_".join(head.words)) or late
            if part and date and not head.empty.get(date) and not LESS.search(written_out(date)):
                return f"{there}.{date}"
        return f"{name}.{own}"

    def _own_date(self, table: Table) -> str | None:
        """The date of what happened: none that most rows lack, or that says when a row was changed or deleted."""
        dates = [
            c
            for c, kind in table.types.items()
            if kind in {"date", "datetime"}
            and not is_private(table, c)
            and table.empty.get(c, 0) <= _MOST_EMPTY
            and not _CHANGED.search(written_out(c))
        ]
        dates.sort(
            key=lambda c: (
                table.empty.get(c, 0) > (_FEW_EMPTY if self._is_their_day(table, c) else 0),
                bool(LESS.search(written_out(c))),
                not self._of_the_act(table, c),
                not self._is_their_day(table, c),
                not self._speaks_of(table, c),
                not _DAY.search(written_out(c)),
            )
        )
        return dates[0] if dates else None

    @staticmethod
    def _is_their_day(table: Table, column: str) -> bool:
        """Tell whether a date is the day of what the rows are, not of its booking: 이사일 of moves, the visit date of jobs."""
        own = [word for word in words_of(column) if word not in ("date", "on", "at", "day", "time")]
        bare = _DAY_ENDING.sub("", own[-1]) if own else ""
        return bool(own) and (
            own == table.words or (len(own) == 1 and bare in {*_DAYS_OF_ACTS, *table.words})
        )

    @staticmethod
    def _speaks_of(table: Table, column: str) -> bool:
        """Tell whether a date is called as its rows are, in either language: 주문일 of orders."""
        said = written_out(column)
        return table.words[0] in said or any(noun in said for noun in korean(table.words[-1:]))

    @staticmethod
    def _of_the_act(table: Table, column: str) -> bool:
        """Tell whether a date is when the thing was done that the rows are: sold_at of ticket sales, beside their visit date."""
        done = (verbs_of(table.words) or {"en": []})["en"]
        return any(word in done for word in words_of(column))

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
        # Names of things before their attributes; near the facts before far from them; views last.
        buyers = re.compile(r"customer|client|member|user|고객|회원", re.IGNORECASE)
        return sorted(
            self.tables.values(),
            key=lambda t: (t.is_view, distance.get(t.name, 99), not buyers.search(t.name)),
        )

    def _add(self, name: str, **metric: Any) -> None:
        self.metrics.setdefault(name, metric)

    def _numbers(self, table: Table, pattern: re.Pattern[str]) -> list[str]:
        return [c for c in table.types if pattern.search(written_out(c)) and self._is_number(table, c)]

    def _is_number(self, table: Table, column: str) -> bool:
        number = table.types[column] in {"integer", "number"}
        return (
            number
            and column not in table.key
            and column not in table.links
            and not CODE.search(written_out(column))
        )

    def _is_snapshot(self, table: Table, column: str) -> bool:
        """Tell whether a figure says what there was at each date of the key: the stock at the end of a month."""
        time = self.times[table.name]
        dated = (
            time is not None and time.partition(".")[0] == table.name and time.partition(".")[2] in table.key
        )
        own = {*table.words, *words_of(column)}
        named = bool(_STANDING & own) or any(_STANDING_KO.search(word) for word in own)
        return dated and len(table.key) > 1 and named

    def _averaged(self, table: Table, own: list[str]) -> bool:
        """Tell whether a figure is never added up, as a price or an age."""
        if (own[0] == "unit" and len(own) > 1) or "per" in own[1:-1]:
            return True
        if own[-1] == "price" and own[0] in ("total", "gross", "net", "grand"):
            return False
        happens = self._is_detail(table) or bool(verbs_of(table.words))
        if _AVERAGED_KO.search(own[-1]):
            return True
        return bool((_AVERAGED - (_CARRIED if happens else set())) & {*own})

    def _is_measure(self, table: Table, column: str) -> bool:
        number = (
            self._is_number(table, column) and column not in table.values and not self._is_flag(table, column)
        )
        return number and not is_private(table, column) and not POSTAL.search(column)

    def _only_money(self, table: Table, column: str) -> bool:
        """Tell whether what was earned by the events of a table stands in this column, and in no other."""
        money = [
            c
            for c in table.types
            if self._is_number(table, c)
            and worth_words(c)[-1] in EARNINGS
            and (c == column or not NOT_SALES.search(written_out(c)))
        ]
        happens = bool(verbs_of(table.words)) or self._is_detail(table) or self._own_date(table) is not None
        return money == [column] and happens and not self._name(table) and self.times[table.name] is not None

    def _is_sold(self, table: Table, column: str) -> bool:
        """Tell whether this is how many were sold: the quantity of an order's or a sale's lines."""
        counted = bool(QUANTITY.search(written_out(column)) or _SOLD.search(written_out(column)))
        measured = unit_of(words_of(column)) is not None and not self._numbers(table, QUANTITY)
        selling = SELLING.search("_".join(table.words)) or any("sale" in words_of(c) for c in table.types)
        return (counted or measured) and bool(table.links and (selling or self._is_charged(table)))

    def _is_charged(self, table: Table) -> bool:
        """Tell whether lines of something dated say what things were charged at: a price, and an amount."""
        prices = [c for c in table.types if self._is_number(table, c) and _PRICED.search(written_out(c))]
        amounts = [c for c in self._numbers(table, AMOUNT) if not NOT_SALES.search(written_out(c))]
        return self._is_detail(table) and bool(prices and amounts)

    def _is_used(self, table: Table, column: str) -> bool:
        """Tell whether this is how many things an event took that is no sale: the parts of a repair."""
        heads = [self.tables[there] for there, _ in table.links.values()]
        things = [one for one in heads if self._name(one) and not self._happens(one)]
        return (
            bool(QUANTITY.search(written_out(column)))
            and self._is_detail(table)
            and bool(things)
            and not any(SELLING.search("_".join(one.words)) for one in (table, *heads))
        )

    def _timed(self, table: Table) -> dict[str, str]:
        time = self.times[table.name]
        if time is None:
            return {}
        where, _, column = time.partition(".")
        monthly = (
            "DD" not in self.tables[where].casts.get(column, "DD")
            and "epoch" not in self.tables[where].casts[column]
        )
        return {"time": time, "grain": "month"} if monthly else {"time": time}

    def _called_so(self, table: Table) -> list[list[str]]:
        """The words of a table, and the last of them alone where no other table has it."""
        head = [table.words[-1:]] if self._head(table) else []
        full = [table.in_full] if table.in_full else []
        return [
            table.words,
            *full,
            *head,
            *self._ending(table),
            *self._otherwise(table),
            *self._by_kind(table),
        ]

    def _done_to(self, table: Table) -> list[list[str]]:
        """The things that work is done to, of which there are only kinds: drones, where repairs refer to drone models."""
        made: list[list[str]] = []
        for there, _ in table.links.values() if self._works(table) else ():
            own = self.tables[there].words
            users = [one for one in self.tables.values() if there in {name for name, _ in one.links.values()}]
            kind = len(own) > 1 and own[-1] in _KINDS_OF_THINGS and len(users) == 1
            if kind and not any(one.words == own[:-1] for one in self.tables.values()):
                made.append(own[:-1])
        return made

    def _works(self, table: Table) -> bool:
        return bool(_DONE_FOR & {*table.words}) and self._own_date(table) is not None

    def _is_job(self, table: Table) -> bool:
        """Tell whether rows are called jobs: the only work that is done for somebody, where no table is called so."""
        others = [one for one in self.tables.values() if one.physical != table.physical and not one.is_view]
        taken = any("job" in words_of(one.said_name) for one in self.tables.values())
        apart = [
            one for one in others if self._works(one) and table.name not in {t for t, _ in one.links.values()}
        ]
        return self._works(table) and not taken and not apart

    def _goods(self, table: Table) -> list[list[str]]:
        """The words of what is sold by a table of sales: tickets, for ticket sales."""
        own = table.words
        sold = len(own) > 1 and own[-1] in ("sale", "판매") and not table.is_view and table.referring is None
        return [own[:-1]] if sold else []

    def _by_kind(self, table: Table) -> list[list[str]]:
        """The other words of rows whose own name says little: parking sessions are parkings, and rows with a fine are fines."""
        own = table.words
        if table.referring is not None or table.is_view:
            return []
        taken = {word for one in self.tables.values() for word in one.words if one.physical != table.physical}
        same = any(one.words == own[:-1] for one in self.tables.values())
        named = len(own) > 1 and own[-1] in ("line", "item") and self._name(table)
        kinds = [own[:-1]] if named and not same else []
        acts = [own[:-1]] if len(own) > 1 and own[-1] in _ACTS and own[-2] not in taken else []
        money = [
            words_of(c) for c in table.types if self._is_number(table, c) and words_of(c)[-1] in EARNINGS
        ]
        owed = [
            said[:1] for said in money if len(said) > 1 and said[0] in _OWED and said[0] not in {*taken, *own}
        ]
        return [*kinds, *acts, *(owed if len(owed) == 1 else [])]

    def _of_which_kinds(self, table: Table) -> list[list[str]]:
        """The word before the type, where only types of it are listed: services, of service types."""
        own = table.words
        if len(own) < 2 or own[-1] not in _KINDS_OF_THINGS or table.is_view or table.referring is not None:
            return []
        taken = {word for one in self.tables.values() for word in one.words if one.physical != table.physical}
        return [] if own[-2] in taken else [own[:-1]]

    def _otherwise(self, table: Table) -> list[list[str]]:
        """The word that its name's column and all keys elsewhere call a table by, where no other table has it: vessel_name and
        vessel_id of t_schiff."""
        if table.referring is not None or table.is_view:
            return []
        keys = [
            tuple(words_of(c)[:-1])
            for one in self.tables.values()
            for c, (there, _) in one.links.items()
            if there == table.name
            and not is_short_of(c.rpartition("_")[0].lower(), table.physical.lower())
            and len(words_of(c)) > 1
            and words_of(c)[-1] in ("id", "number", "code", "key")
        ]
        taken = {word for one in self.tables.values() for word in one.words}
        short = is_short_of(table.key[0].rpartition("_")[0].lower(), table.physical.lower())
        if not short and (key := self._key_words(table)) and not {*key} & taken and self._name(table):
            return [key]
        return [[*keys[0]]] if keys and len({*keys}) == 1 and not {*keys[0]} & taken else []

    def _ending(self, table: Table) -> list[list[str]]:
        """The part of a Korean name that says what its rows are, where no other table is called so."""
        others = [
            o for o in self.tables.values() if o.physical != table.physical and not (o.referring or o.is_view)
        ]
        if not hangul(table.words[-1]) or table.is_view:
            return []
        key = table.physical_columns[table.key[0]]
        own = endings(table.words[-1], key, [one.words[-1] for one in others])
        return [[e] for e in own if all(e not in one.words for one in others)][:3]

    def _words(self, table: Table, column: str) -> list[str]:
        if self._is_flag(table, column):
            return flag_words(table.physical_columns[column])
        own = words_of(column)
        if column in table.shares and (
            own[-1] == "state" or not is_known(own[-1])
        ):  # of a row, not of a country
            return [*own[:-1], "status"]
        return own[:-1] if len(own) > 1 and own[-1] == "code" else own

    def _called(self, table: Table, column: str, value: str) -> str:
        return table.values.get(column, {}).get(value, value)

    def _dimensions_of(self, table: Table, column: str) -> list[str]:
        place = f"{table.name}.{column}"
        return [name for name, one in self.dimensions.items() if one["column"] in (place, [place])]

    def _other_amounts(self, table: Table, column: str) -> list[str]:
        return [
            c for c in self._numbers(table, AMOUNT) if c != column and not NOT_SALES.search(written_out(c))
        ]

    def _is_line_of(self, table: Table, where: str) -> bool:
        """Tell whether the rows are lines of another table's: by their key, or as they are called after it, as sale tickets are."""
        head = self.tables[where]
        if where not in {there for there, _ in table.links.values()}:
            return False
        return set(head.key) < set(table.key) or (
            len(table.words) > len(head.words) and table.words[: len(head.words)] == head.words
        )

    def _lone_detail(self, table: Table) -> bool:
        """Tell whether a table of details has no table of its heads: returns that are kept in rtn_dtl alone."""
        own = table.words
        heads = [one for one in self.tables.values() if one.words == own[:-1]]
        return len(own) > 1 and own[-1] in ("detail", "line") and not heads

    def _head(self, table: Table) -> bool:
        """Tell whether the last word alone means the table: the tickets are the support tickets, if there are no others."""
        last, own = table.words[-1], table.words
        others = [
            o
            for o in self.tables.values()
            if o.physical != table.physical and not o.is_view and o.words[: len(own)] != own
        ]
        return (
            not table.is_view
            and len(table.words) > 1
            and last not in PARTS
            and all(last not in one.words for one in others)
        )

    def _is_detail(self, table: Table) -> bool:
        """Lines of an invoice happen when the invoice does; an album is not dated by anything."""
        time = self.times[table.name]
        parents = {there for there, _ in table.links.values()}
        return time is not None and time.split(".")[0] in parents

    def _is_flag(self, table: Table, column: str) -> bool:
        return column in table.few and is_flag(table.physical_columns[column], table.few[column])

    def _name(self, table: Table) -> list[str]:
        """The columns that name a row. `drug_name` of a prescription names something else; `company_name` of a
        customer, whom others refer to, names the customer.
        """
        texts = {
            column: words_of(column)
            for column, kind in table.types.items()
            if kind == "string" and not is_private(table, column) and not self._names_a_kind(table, column)
        }
        if self._referred(table) and any(
            said[-1] in _COMPANIES for c, said in texts.items() if c in table.telling
        ):
            texts = {c: said for c, said in texts.items() if len(said) < 2 or said[-2] not in _SPOKESPEOPLE}
        words = words_of(table.said_name)
        lower = {"".join(said): column for column, said in texts.items()}
        for first, last in _TWO_NAMES:
            if first in lower and last in lower:
                return [lower[first], lower[last]]
        own = [[*words, "name"], [words[-1], "name"], *([word] for word in _NAMES)]
        own += [[words[-1], word] for word in ("title", "label")]
        own += [[*self._key_words(table), "name"]] if self._key_words(table) else []
        own += [
            ["full", "name"],
            [*words, "full", "name"],
            *([f"{'_'.join(words)}{tail}"] for tail in ("명", "이름", "name")),
        ]
        if self._referred(table):
            own += [
                said
                for column, said in texts.items()
                if (said[-1] in ("name", "명", "이름") or said[-1].endswith("명"))
                and not self._is_kind(table, column)
            ]
        if self._referred(table) and len(table.types) <= _LOOKUP:
            own += [said for said in texts.values() if said[-1] in _MEANINGS]
        found = next(([column] for wanted in own for column, said in texts.items() if said == wanted), [])
        return found or self._telling(table)

    def _is_kind(self, table: Table, column: str) -> bool:
        """Tell whether a name is that of a kind which many rows share: the maker of cars, which have plates of their own."""
        signs = [
            c for c in table.types
            if words_of(c)[-1] in SIGNS and c not in {*table.few, *table.key, *table.links} and not is_private(table, c)
        ]  # fmt: skip
        own = words_of(column)[0] in table.words or words_of(column)[0] in self._key_words(table)
        return column in table.few and bool(signs) and not own

    def _names_a_kind(self, table: Table, column: str) -> bool:
        """Tell whether the rows of customers and others share a few names: the plan that each bought, gold or silver."""
        shared = 1 < len(table.few.get(column, ())) <= _MOST_SHARED and column not in table.telling
        return shared and bool(table.links) and not self._referred(table) and words_of(column)[-1] == "name"

    def _key_words(self, table: Table) -> list[str]:
        """The name that the only column of a key gives its rows: emp_no of workers, whose name is emp_nm."""
        said = words_of(table.key[0]) if len(table.key) == 1 and table.key[0] not in table.links else []
        return said[:-1] if len(said) > 1 and said[-1] in ("id", "number", "code", "key") else []

    def _happens(self, table: Table) -> bool:
        """Tell whether the name of a table says that its rows happen; of a Korean one, by what it means."""
        last = table.words[-1]
        if not hangul(last):
            return verbs_of(table.words) is not None
        return any(word.split()[-1] in VERBS for word in english([last]))

    def _telling(self, table: Table) -> list[str]:
        """The text that tells things apart where nothing is called their name: the company of a client."""
        if not self._referred(table) or self._happens(table) or table.is_view:
            return []
        own = self._own_date(table)
        if own and not LESS.search(written_out(own)):
            return []
        return [
            c for c in table.telling
            if not is_private(table, c) and not CODE.search(written_out(c)) and words_of(c)[-1] not in {*SIGNS, *_LONG}
        ][:1]  # fmt: skip

    def _numbered(self, table: Table) -> list[str]:
        """The number, code or sign of things that have no name: bikes, rooms, cars with their plates; or else their id."""
        if len(table.key) != 1 or not self._referred(table) or self._happens(table) or self._is_detail(table):
            return []
        own = self._own_date(table)
        happens = own is not None and not LESS.search(written_out(own))
        if happens and self._numbers(table, _CHARGED):
            return []
        if words_of(table.key[0])[-1] in ("number", "code"):
            return table.key
        if happens or self._numbers(table, AMOUNT):
            return []
        signs = [c for c, kind in table.types.items() if kind == "string" and words_of(c)[-1] in SIGNS]
        return [c for c in signs if c not in table.few and not is_private(table, c)][:1] or table.key

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
