"""The figures that a drafted model makes of single columns: their sum, average, largest and least value."""

from __future__ import annotations

from typing import Any

from metaagent.data.semantic.drafting.act_words import matter_words
from metaagent.data.semantic.drafting.dictionary import SOLD
from metaagent.data.semantic.drafting.drafted_spans import Spans
from metaagent.data.semantic.drafting.event_dates import moment_of
from metaagent.data.semantic.drafting.naming import (
    MONEY_NOUNS,
    Words,
    extreme_words,
    goods_words,
    heads_of,
    lasting_words,
    measure_words,
    qualified,
)
from metaagent.data.semantic.drafting.table import Table
from metaagent.data.semantic.drafting.units import unit_names, unit_of
from metaagent.data.semantic.drafting.words import english, hangul, korean, words_of

_USED = {"ko": ["쓰", "쓰이", "사용하", "사용되", "들어가"], "en": ["use", "used", "consume", "consumed"]}
_MATTER = frozenset({"kg", "g", "ton", "lb", "liter", "ml", "m3", "gallon", "barrel"})
_KINDS_OF = frozenset({"type", "kind", "variety", "species", "sort"})
_PAYING = frozenset({"payment", "pay", "payout", "wage"})
_PAID_OUT = {"ko": ["지급하", "지불하"], "en": ["pay", "paid", "pay out", "paid out"]}


def all_words(found: list[tuple[dict[str, str], Words]]) -> tuple[dict[str, str], Words]:
    """The first label, and the synonyms of all."""
    said = {
        language: list(dict.fromkeys(w for _, one in found for w in one[language]))
        for language in ("ko", "en")
    }
    return found[0][0], said


class Measures(Spans):
    """Adds the figures of single columns to the draft."""

    def _measures(self, table: Table) -> None:
        sold = str(self.metrics.get("sales", {}).get("column"))
        taken = {sold} if not self._other_amounts(table, sold.partition(".")[2]) else set[str]()
        measured = [c for c in table.types if self._is_measure(table, c)]
        for column in measured:
            own = words_of(column)
            for kind in ("sum", "average", "max", "min"):
                if kind == "sum" and (self._averaged(table, own) or f"{table.name}.{column}" in taken):
                    continue
                self._measure(kind, table, column, alone=len(measured) == 1 and not self._name(table))

    def _measure(self, kind: str, table: Table, column: str, *, alone: bool) -> None:
        own = words_of(column)
        label, synonyms = self._words_of_measure(kind, table, column, alone=alone)
        if table.is_view:  # the plain words mean the rows of the table itself
            named = " ".join([*table.words, *own])
            label = {"ko": f"{label['ko'].split()[0]} {named}", "en": f"{label['en'].split()[0]} {named}"}
            whole = {*english(table.words)[:2], *korean(table.words)}
            synonyms = {
                language: [word for word in said if any(name in word for name in whole)]
                for language, said in synonyms.items()
            }
        name = "_".join([kind if kind != "sum" else "total", *qualified(table.words, own)])
        self._add(
            name, type=kind, column=f"{table.name}.{column}", label=label, **self._timed(table),
            **self._shown(kind, table, column), synonyms=synonyms,
        )  # fmt: skip

    def _words_of_measure(
        self, kind: str, table: Table, column: str, *, alone: bool
    ) -> tuple[dict[str, str], Words]:
        own = words_of(column)
        averaged = self._averaged(table, own)
        found = [measure_words(kind, own, table.words, alone=alone, averaged=averaged)]
        said = [(own, words) for words in self._called_so(table)[1:]]
        said += [(own[-1:], table.words)] if self._only_ending(table, column) else []
        said += [([rest], table.words) for rest in self._after_thing(table, own)]
        found += [measure_words(kind, one, words, alone=False, averaged=averaged) for one, words in said]
        if kind in ("max", "min") and self._lasting(table) == [column] and not self._name(table):
            found.append(({}, extreme_words(kind, table.words)))
        if kind == "average" and self._lasting(table) == [column] and not self._name(table):
            found += [({}, lasting_words(words)) for words in self._called_so(table)]
        if kind == "sum" and self._only_money(table, column) and not self._sold_in(table):
            found.append(({}, self._earned_words(table)))
        own_date = self._own_date(table)
        moment = moment_of(table.said(own_date)) if kind == "sum" and own_date else None
        if moment and moment.done:  # units issued
            found.append(({}, {"ko": [], "en": [f"{noun} {moment.done}" for noun in english(own)[:2]]}))
        if kind == "sum" and unit_of(own) in _MATTER and (of := self._matter(table, own)):
            found.append(({}, matter_words(of, own, table.words)))
        if kind == "sum" and self._is_sold(table, column):
            found += [
                ({}, self._sold_words(own)),
                *(({}, goods_words(words)) for words in self._goods(table)),
            ]
        return all_words(found)

    def _matter(self, table: Table, own: list[str]) -> list[str]:
        """The matter of the only weight or volume of a table: the honey of harvests that have a honey type."""
        named = [words_of(c) for c in table.types]
        of = [said[:-1] for said in named if len(said) > 1 and said[-1] in _KINDS_OF]
        same = [said for said in named if unit_of(said) in _MATTER]
        taken = {word for one in self.tables.values() for word in one.words}
        return of[0] if len(of) == 1 and same == [own] and not {*of[0]} & taken else []

    def _after_thing(self, table: Table, own: list[str]) -> list[str]:
        """The rest of a Korean name that begins with that of a thing which the rows refer to: 사용료, of 빈소사용료."""
        things = [
            word for there, _ in table.links.values() for word in self.tables[there].words if hangul(word)
        ]
        things += [word for word in table.words if hangul(word)]
        rests = [own[0].removeprefix(thing) for thing in things if len(own) == 1 and own[0].startswith(thing)]
        return [rest for rest in dict.fromkeys(rests) if len(rest) > 1]

    def _earned_words(self, table: Table) -> Words:
        """Ticket income, 수리 매출: the money of a table whose rows are earned by."""
        every = [table.words, *heads_of(table.words), *self._goods(table), *self._called_so(table)[1:]]
        earned = ("수입", "매출", "금액", "매출액")
        return {
            "en": [f"{' '.join(words)} {word}" for words in every for word in ("income", "revenue", "sales")],
            "ko": [f"{noun} {word}" for words in every for noun in korean(words) for word in earned],
        }

    @staticmethod
    def _sold_words(own: list[str]) -> Words:
        return {
            "ko": [f"판매{tail}" for tail in ("량", " 수량", "수량")] + ["주문량"],
            "en": [f"{unit} {done}" for unit in unit_names(own) for done in ("sold", "ordered")],
        }

    def _shown(self, kind: str, table: Table, column: str) -> dict[str, Any]:
        """The format of a figure, its unit, and the verbs by which people say that it arose."""
        own = words_of(column)
        number = kind == "average" or table.types[column] == "number"
        shown: dict[str, Any] = {"format": "decimal", "decimals": 2} if number else {}
        measured = unit_of(own, column)
        if measured:
            shown |= {"unit": {"ko": measured, "en": measured}}
        if kind != "sum":
            return shown
        if self._is_snapshot(table, column):
            shown |= {"snapshot": True}
        if self._is_sold(table, column):
            unit = {"ko": measured or "개", "en": measured or "units"}
            shown |= {"unit": unit, "verbs": {"ko": SOLD[0], "en": SOLD[1]}}
        if self._is_used(table, column):
            sold = shown.get("verbs") or {"ko": [], "en": []}
            shown |= {"verbs": {language: [*sold[language], *used] for language, used in _USED.items()}}
            if "sales" in self.metrics and any(map(self._is_sales, (table, *self._heads_of(table)))):
                shown["verbs"]["ko"] = [
                    verb for verb in shown["verbs"]["ko"] if verb != "쓰"
                ]  # 쓴 돈 is what was paid
        if _PAYING & {*own} and not _PAYING & {*table.words}:
            shown |= {"verbs": _PAID_OUT}
        return shown

    def _is_sales(self, table: Table) -> bool:
        return str(self.metrics["sales"]["column"]).split(".")[0].strip("( ") == table.name

    def _only_ending(self, table: Table, column: str) -> bool:
        """Tell whether the last word of a figure's name means it alone: the premium, for an annual premium and no other."""
        own = words_of(column)
        places = [
            (one.physical, c)
            for one in self.tables.values()
            for c in one.types
            if own[-1] in words_of(c) and not one.is_view and one.referring is None
        ]
        taken = any(own[-1] in one.words for one in self.tables.values())
        return len(own) > 1 and own[-1] in MONEY_NOUNS and len(places) == 1 and not taken

    def _sold_in(self, head: Table) -> bool:
        """Tell whether sales are made of the lines of this table's rows."""
        main = str(self.metrics.get("sales", {}).get("column")).split(".")[0].strip("( ")
        return main in self.tables and head in self._heads_of(self.tables[main])
