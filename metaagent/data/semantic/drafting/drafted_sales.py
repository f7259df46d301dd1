"""The sales of a drafted model: what was earned, by which rows, and what was bought instead."""

from __future__ import annotations

import re
from typing import Any

from metaagent.data.semantic.drafting.caveats import ADDED, said_choice_of, shown_words
from metaagent.data.semantic.drafting.column_words import (
    AMOUNT,
    NOT_SALES,
    PARTS,
    QUANTITY,
    SELLING,
    written_out,
)
from metaagent.data.semantic.drafting.dictionary import EARNED
from metaagent.data.semantic.drafting.drafted_tables import Tables
from metaagent.data.semantic.drafting.naming import measure_words
from metaagent.data.semantic.drafting.table import Table
from metaagent.data.semantic.drafting.words import english, korean, words_of

PRICE = re.compile(r"price|rate$|cost$|단가|가격")

_PAID = re.compile(f"{AMOUNT.pattern}|charge|fare|rent$|premium|요금|료$")
_PAYERS = frozenset(
    {
        "customer",
        "client",
        "member",
        "patient",
        "guest",
        "buyer",
        "user",
        "student",
        "learner",
        "subscriber",
        "owner",
        "passenger",
        "policyholder",
        "rider",
        "participant",
        "attendee",
        "pupil",
        "visitor",
        "shipper",
        "company",
        "organization",
        "tenant",
        "조합원",
        "수강생",
        "학생",
        "이용자",
        "거래처",
        "업체",
        "보호자",
        "고객",
        "회원",
        "환자",
        "손님",
    }
)
_BOUGHT = re.compile(
    r"매입|입고|발주|claim|보험금|loan|대출|donation|기부|inbound|procure|supplier|vendor|purchase_order|receiving|payroll|salary"
)

_SERVED = frozenset(
    {
        "booking",
        "reservation",
        "appointment",
        "session",
        "visit",
        "trip",
        "ride",
        "game",
        "lesson",
        "예약",
        "이용",
        "방문",
    }
)
"""Acts for which somebody pays, though no table says who."""

SALES_WORDS = {
    "ko": ["매출", "매출액", "판매액", "수익", "총매출"],
    "en": ["sales", "revenue", "turnover", "total sales", "sales amount", "income"],
}


_STOCKED = frozenset({"stock", "inventory", "lot", "balance", "warehouse", "재고", "잔고"})
_WORTHS = ("value", "amount", "cost", "spend", "total")
_WHOLE = re.compile(r"total|gross|grand|final|합계|총")


def least_whole(column: str) -> tuple[bool, bool, bool]:
    """Put the total before its parts, and what is no sale last."""
    said = written_out(column)
    part = "sub" in said or bool({"net", "before"} & {*words_of(column)})
    return _is_no_sale(column), part, not _WHOLE.search(said)


def _is_no_sale(column: str) -> bool:
    """Tell whether an amount is a discount, a tax, a cost; one fee of several is none, but their total is."""
    said = written_out(column)
    return bool(NOT_SALES.search(said.replace("fee", "") if _WHOLE.search(said) else said))


_MEASURED = re.compile(
    r"(?:^|_)(?:kg|ton|tonne|weight|liter|litre|hour|word|page|night|day|meter|kwh)s?$|중량|무게|시간수|일수|박수"
)
"""Quantities of what is sold by weight, time or length."""


class Sales(Tables):
    """Adds sales to the draft, and the amount of what was bought."""

    def _sales(self) -> None:
        """Price times quantity per line, or else the amount of the table that has a date."""
        tables = [table for table in self.tables.values() if not table.is_view]
        for table in tables:
            bought = _BOUGHT.search("_".join([*table.words, *map(written_out, self._numbers(table, PRICE))]))
            listed = self._referred(table) and bool(
                self._name(table)
            )  # a catalogue, whose prices nobody paid yet
            if (
                table.links
                and not (bought or listed)
                and not self._numbers(table, AMOUNT)
                and self._lines(table)
            ):
                return
        for table in sorted(tables, key=lambda t: -len(t.links)):
            amounts = self._numbers(table, re.compile(f"{AMOUNT.pattern}|sale"))
            amounts.sort(key=least_whole)
            sells = SELLING.search("_".join(table.words)) and not _BOUGHT.search("_".join(table.words))
            if amounts and sells and self.times[table.name]:
                one, amount = self._whole_of(table, amounts[0])
                self._sales_metric(one, f"{one.name}.{amount}", one.types[amount])
                return
        for table in sorted(tables, key=lambda t: -len(t.links)):
            price = [c for c in self._numbers(table, PRICE) if self._paid_by_somebody(table, c)]
            if price:
                self._sales_metric(table, f"{table.name}.{price[0]}", table.types[price[0]])
                text = said_choice_of(ADDED, column=shown_words(words_of(price[0])))
                self.metrics["sales"]["caveats"] = [{"about": "amount", "text": text}]
                return

        for somebody in (True, False):
            for table in sorted(tables, key=lambda t: -len(t.links)):
                paid = self._paid(table, somebody=somebody)
                if paid:
                    self._sales_metric(table, f"{table.name}.{paid[0]}", table.types[paid[0]])
                    text = said_choice_of(ADDED, column=shown_words(words_of(paid[0])))
                    self.metrics["sales"]["caveats"] = [{"about": "amount", "text": text}]
                    return

    def _whole_of(self, table: Table, amount: str) -> tuple[Table, str]:
        """The total of the rows that lines belong to, where these have one: a repair is charged for more than its parts."""
        for head in self._heads_of(table):
            paid = [c for c in self._numbers(head, _PAID) if not _is_no_sale(c)]
            sums = {column for where, column in table.in_heads.values() if where == head.name}
            whole = [c for c in paid if _WHOLE.search(written_out(c)) or c in sums]
            if whole and self._own_date(head) is not None:
                return head, min(whole, key=least_whole)
        return table, amount

    def _paid(self, table: Table, *, somebody: bool) -> list[str]:
        """The amounts that a table's dated rows earned; `somebody`: the rows belong to a customer."""
        paid = [c for c in self._numbers(table, _PAID) if not _is_no_sale(c)]
        if not somebody and (table.words[-1] not in _SERVED or self._own_date(table) is None):
            return []
        owned = [c for c in paid if not somebody or self._paid_by_somebody(table, c)]
        return sorted((c for c in owned if words_of(c)[-1] != "target"), key=least_whole)

    def _paid_by_somebody(self, table: Table, price: str) -> bool:
        """Tell whether each dated row is something that a customer was charged a price for: parcels, lessons."""
        near = [self.tables[there] for there, _ in table.links.values()]
        owners = [
            self.tables[there] for one in near for there, _ in one.links.values() if not self._happens(one)
        ]
        payers = [*near, *owners]
        charged = any(_PAYERS & {*one.words} for one in payers) and self._own_date(table) is not None
        return (
            charged
            and not _BOUGHT.search("_".join([*table.words, written_out(price)]))
            and "cost" not in words_of(price)
        )

    def _lines(self, table: Table) -> bool:
        """Make sales of the lines' price and quantity, less the discount where it is a fraction of the price."""
        if _STOCKED & {*table.words}:  # what lies in a warehouse is not sold yet
            return False
        price, quantity = self._numbers(table, PRICE)[:1], self._numbers(table, QUANTITY)[:1]
        price = [
            c for c in price if words_of(c)[-1] != "rate" or not quantity
        ]  # a rate is paid by the hour, and else a share
        quantity = quantity or [c for c in self._numbers(table, _MEASURED) if c not in price][:1]
        if price and (price[0] in table.whole or (not quantity and self._sold_singly(table, price[0]))):
            self._sales_metric(table, f"{table.name}.{price[0]}", table.types[price[0]])
            return True
        if not price or not quantity:
            return False
        product = f"{table.name}.{price[0]} * {table.name}.{quantity[0]}"
        reduced = next((c for c in table.types if words_of(c)[-1] == "discount"), None)
        if reduced and table.types[reduced] == "number":
            product += f" * (1 - {table.name}.{reduced})"
        self._sales_metric(table, product, "number")
        return True

    def _sold_singly(self, table: Table, price: str) -> bool:
        """Tell whether each row is one piece that was sold at its own price: the tickets of a sale."""
        heads = [self.tables[there] for there, _ in table.links.values()]
        sold = [
            table,
            *(one for one in heads if self.times[table.name] == f"{one.name}.{self._own_date(one)}"),
        ]
        named = any(SELLING.search("_".join(one.words)) for one in sold)
        if words_of(price)[0] == "unit" and len([c for c in table.types if self._is_measure(table, c)]) > 1:
            return False
        priced = words_of(price)[-1] in ("price", "단가", "가격") or "price" in written_out(price)
        return named and priced and self.times[table.name] is not None and not self._name(table)

    def _selling_words(self, table: Table) -> list[list[str]]:
        """The words of the rows that sales are made of, and of what they are the lines of: ticket revenue, order revenue."""
        every = [
            table.words,
            table.words[-1:],
            *self._ending(table),
            *(words for one in self._heads_of(table) for words in self._called_so(one)),
            *self._goods(table),
        ]
        return [
            words
            for at, words in enumerate(every)
            if words[-1] not in {*PARTS, "sale"} and words not in every[:at]
        ]

    def _heads_of(self, table: Table) -> list[Table]:
        return [self.tables[there] for there, _ in table.links.values() if self._is_line_of(table, there)]

    def _sales_metric(self, table: Table, column: str, kind: str) -> None:
        shown: dict[str, Any] = {"format": "decimal", "decimals": 2} if kind == "number" else {}
        time = self._timed(table)
        label = {"ko": "매출액", "en": "Sales"}
        said = {language: list(words) for language, words in SALES_WORDS.items()}
        own = column.removeprefix(f"{table.name}.")
        for words in self._selling_words(table):
            said["en"] += [
                f"{' '.join(words)} {word}"
                for word in ("sales", "revenue", "income", "turnover", "amount", "value")
            ]
            said["en"].append(f"total {' '.join(words)} amount")
            said["ko"] += [
                f"{noun} {word}"
                for noun in korean(words)
                for word in ("매출", "매출액", "판매액", "판매 금액", "금액", "총액")
            ]
        if own in table.types and not PRICE.search(written_out(own)) and not self._other_amounts(table, own):
            # its own words mean the same figure
            _, more = measure_words("sum", words_of(own), table.words, alone=False, averaged=False)
            said = {language: list(dict.fromkeys([*said[language], *more[language]])) for language in said}
        verbs = {"ko": EARNED[0], "en": EARNED[1]}
        self._add(
            "sales", type="sum", column=column, label=label, **time, **shown, synonyms=said, verbs=verbs
        )

    def _products(self, table: Table) -> None:
        """Add up price times quantity of rows that are no sales: what was bought, used or written off."""
        price, quantity = self._numbers(table, PRICE)[:1], self._numbers(table, QUANTITY)[:1]
        place = [f"{table.name}.{column[0]}" for column in (price, quantity) if column]
        sold = str(self.metrics.get("sales", {}).get("column"))
        if (
            len(place) < 2
            or self._numbers(table, AMOUNT)
            or all(one in sold for one in place)
            or price[0] in table.whole
            or table.is_view
        ):
            return
        label, synonyms = measure_words("sum", ["amount"], table.words, alone=False, averaged=False)
        own = {*english(table.words), *korean(table.words)}
        said = {
            language: [w for w in words if any(noun in w for noun in own)]
            for language, words in synonyms.items()
        }
        heads = [
            self.tables[there].words for there, _ in table.links.values() if self._is_line_of(table, there)
        ]
        for words in heads:
            said["en"] += [f"{start}{' '.join(words)} {word}" for start in ("", "total ") for word in _WORTHS]
            said["ko"] += [f"{noun} {tail}" for noun in korean(words) for tail in ("금액", "총액", "비용")]
        self._add(
            f"total_{table.slug}_amount",
            type="sum",
            column=" * ".join(place),
            label=label,
            **self._timed(table),
            synonyms=said,
        )
