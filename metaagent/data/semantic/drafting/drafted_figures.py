"""The figures of a drafted model: sums, averages, counts by each date, ratios."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from metaagent.data.semantic.drafting.act_words import acted_out, rate_words, verbs_of
from metaagent.data.semantic.drafting.caveats import (
    AMOUNTS,
    COUNT,
    Caveat,
    listed_words,
    said_choice_of,
    shown_words,
)
from metaagent.data.semantic.drafting.codes import begins_all
from metaagent.data.semantic.drafting.column_words import (
    EARNINGS,
    NOT_SALES,
    is_private,
    worth_words,
    written_out,
)
from metaagent.data.semantic.drafting.drafted_measures import all_words
from metaagent.data.semantic.drafting.drafted_rates import Rates
from metaagent.data.semantic.drafting.drafted_sales import PRICE, SALES_WORDS, least_whole
from metaagent.data.semantic.drafting.event_dates import (
    Moment,
    moment_of,
    moment_words,
    not_yet_words,
    owed_words,
    received_words,
)
from metaagent.data.semantic.drafting.event_verbs import event_verbs
from metaagent.data.semantic.drafting.links import ways
from metaagent.data.semantic.drafting.naming import Words, count_words, new_words, per_words
from metaagent.data.semantic.drafting.table import Table
from metaagent.data.semantic.drafting.words import english, hangul, korean, words_of
from metaagent.language.patterns import regex

_MONEY_EVENTS = {
    "billing", "levy", "fee", "commission", "salary", "toll", "fine", "invoice", "bill", "payment", "expense",
    "claim", "refund", "donation", "sale", "disbursement", "payout", "reimbursement", "charge", "deposit", "penalty", "premium",
    "quote", "수납", "청구", "지출", "결제", "납부", "환불", "판매", "매출",
}  # fmt: skip


_MONEY_ITSELF = frozenset(
    {
        "payment",
        "refund",
        "deposit",
        "donation",
        "expense",
        "cost",
        "fee",
        "fine",
        "salary",
        "commission",
        "toll",
        "levy",
        "bonus",
        "penalty",
        "sale",
        "판매",
        "지출",
        "비용",
        "급여",
        "경비",
    }
)
"""Tables that are called after the money itself."""


_BEGUN = frozenset({"due", "created", "registered", "hired", "joined"})
"""Values that a rate is named after, whatever their column is called."""
_PASSED = ("팔리", "판매되", "나가")
_COMING = frozenset(
    {"join", "joined", "registration", "registered", "register", "signup", "sign", "enrolled", "enrollment", "hire", "hired",
     "created", "open", "opened", "since", "onboarded", "admission", "intake"}
)  # fmt: skip
_COMING_KO = regex("가입|등록|입사|개설|개점|입회|입학|입소")
_MONEY_KO = regex(r"(?<=[가-힣]{2})(?:금|비|료)$")
"""The end of Korean words for money itself: 후원금, 관리비."""


def _is_money(table: Table) -> bool:
    """Tell whether the rows of a table are paid, claimed or otherwise amounts."""
    return bool(_meant(table) & _MONEY_EVENTS) or _MONEY_KO.search(table.words[-1]) is not None


def _meant(table: Table) -> set[str]:
    """The last word of a table's name, and in English what a Korean one means."""
    last = table.words[-1:]
    return {*last, *(english(last)[:1] if hangul(last[0]) else ())}


def _slug(moment: Moment) -> str:
    return (moment.done or moment.ko[0]).replace(" ", "_")


class Figures(Rates):
    """Adds figures to the draft."""

    def _figures(self) -> None:
        """Add the figures of all tables; those of views last, so that plain words mean the tables."""
        own = [table for table in self.tables.values() if table.referring is None]
        for table in sorted(own, key=lambda one: one.is_view):
            self._measures(table)
            self._products(table)
            self._count(table)
        for table in own:
            if not table.is_view:
                self._moments(table)
                self._totals(table)
                self._durations(table)
        for table in own:
            if not table.is_view:
                self._ratios(table)
                self._rates(table)
        self._by_lines()
        self._settle_verbs(own)
        if "sales" in self.metrics and (unsure := self._unsure_amount(self.metrics["sales"])):
            self.metrics["sales"]["caveats"] = unsure

    def _by_lines(self) -> None:
        """Name the figure that adds up sales by lines, where heads have the amount: lines have more to split by."""
        sold = str(self.metrics.get("sales", {}).get("column")).split(".")
        own = [
            one
            for one in self.tables.values()
            if not one.is_view and len(sold) == 2 and sold[0] in self.tables
        ]
        lines = [one for one in own if self._is_line_of(one, sold[0])] or [
            one for one in own if self._is_beside(one, self.tables[sold[0]])
        ]
        found = [
            name
            for name, one in self.metrics.items()
            if one["type"] == "sum" and not one.get("where") and any(
                one["column"] == f"{table.name}.{column}" for table in lines for column in self._worths(table)
            )
        ]  # fmt: skip
        if len(found) == 1:
            self._add_up("sales", found[0])
        sums = {
            str(one["column"]): name
            for name, one in self.metrics.items()
            if one["type"] == "sum" and not one.get("where")
        }
        for table in self.tables.values():
            for column, (head, whole) in table.in_heads.items():
                ours, theirs = sums.get(f"{table.name}.{column}"), sums.get(f"{head}.{whole}")
                if ours and theirs and table.referring is None:
                    self._add_up(theirs, ours)

    def _is_beside(self, lines: Table, paid: Table) -> bool:
        """Tell whether lines say what was sold of the things that payments are for: both belong to the same order."""
        heads = {there for there, _ in paid.links.values()} if not self._heads_of(paid) else set[str]()
        shared = [
            there for there, _ in lines.links.values() if there in heads and not self._name_is_its(there)
        ]
        things = [self.tables[there] for there, _ in lines.links.values() if there not in heads]
        return (
            lines.name != paid.name
            and bool(shared)
            and any(self._name(one) and not one.links for one in things)
        )

    def _name_is_its(self, there: str) -> bool:
        """Tell whether a table holds things, such as customers, that have nothing but a name."""
        return self._own_date(self.tables[there]) is None

    def _add_up(self, whole: str, lines: str) -> None:
        """Name the figure that adds up the same by lines; words for both mean the whole."""
        self.metrics[whole]["in_lines"] = lines
        sides = [str(self.metrics[name]["column"]) for name in (whole, lines)]
        for kind in ("sum", "average", "max", "min"):
            found = [
                next(
                    (
                        one["synonyms"]
                        for one in self.metrics.values()
                        if one["type"] == kind and one["column"] == side
                    ),
                    None,
                )
                for side in sides
            ]
            if found[0] is None or found[1] is None:
                continue
            for language, words in found[1].items():
                found[1][language] = [word for word in words if word not in found[0][language]]

    def _worths(self, table: Table) -> list[str]:
        money = [c for c in table.types if self._is_number(table, c) and worth_words(c)[-1] in EARNINGS]
        return [c for c in money if not NOT_SALES.search(written_out(c)) and words_of(c)[0] != "unit"]

    def _count(self, table: Table) -> None:
        label, synonyms = count_words(table.words, named=bool(self._name(table)))
        for words in self._called_so(table)[1:]:
            _, more = count_words(words, named=bool(self._name(table)))
            synonyms = {
                language: list(dict.fromkeys([*synonyms[language], *more[language]])) for language in synonyms
            }
        synonyms = all_words([({}, synonyms), ({}, self._also_counted(table))])[1]
        synonyms["en"] = [word for word in synonyms["en"] if word not in SALES_WORDS["en"]]
        if self._received(table):
            said = [received_words(words) for words in self._called_so(table)]
            synonyms = all_words([({}, synonyms), *(({}, one) for one in said)])[1]
        if self._is_joined(table):
            synonyms = all_words(
                [({}, synonyms), *(({}, new_words(words)) for words in self._called_so(table))]
            )[1]
        sold = str(self.metrics.get("sales", {}).get("column"))
        if (
            sold.partition(".")[0] == table.name
            and PRICE.search(written_out(sold.partition(".")[2]))
            and " " not in sold
        ):
            nouns = [noun for words in self._called_so(table) for noun in korean(words)]
            synonyms["ko"] += [
                f"{noun} 판매{tail}"
                for noun in nouns
                for tail in (" 수", "수", " 건수", "량", " 매수", " 수량")
            ]
        time = self._timed(table)
        if time and self.times[table.name] != f"{table.name}.{self._own_date(table)}":
            time = time if self._is_detail(table) else {}
        said = table.words[:-1] if self._is_detail(table) or self._lone_detail(table) else table.words
        happens = bool(time) and not table.is_view and not self._name(table) and not self._is_detail(table)
        verbs = verbs_of(said) or acted_out(said) if happens else None
        first = self._own_date(table)
        moment = moment_of(table.said(first)) if first and sold.partition(".")[0] == table.name else None
        if moment:  # what customers do when they come: drop off, order
            verbs = all_words(
                [({}, one) for one in (verbs, event_verbs(moment)) if one and happens]
                or [({}, {"ko": [], "en": []})]
            )[1]
        for words in [*self._ending(table), *self._by_kind(table)]:
            verbs = all_words([({}, one) for one in (verbs, verbs_of(words)) if one])[1] if verbs else verbs
        if verbs and any(self._is_sold(table, c) for c in table.types if self._is_measure(table, c)):
            # What goes over the counter goes in pieces; who sells does so in sales.
            verbs = {**verbs, "ko": [verb for verb in verbs["ko"] if verb not in _PASSED]}
        self._add(
            f"{table.slug}_count", type="count", table=table.name, label=label, **time, synonyms=synonyms,
            **({"verbs": verbs} if verbs and any(verbs.values()) else {}),
        )  # fmt: skip

    def _settle_verbs(self, tables: list[Table]) -> None:
        """A verb of what rows are called by is no other's: where tickets are 접수, claims are not 접수된. Words for the number of
        orders are none for that of their lines."""
        for table in tables:
            lines: dict[str, list[str]] = self.metrics.get(f"{table.slug}_count", {}).get("synonyms") or {}
            for head in self._heads_of(table) if lines else ():
                own = self.metrics.get(f"{head.slug}_count", {}).get("synonyms") or {"ko": [], "en": []}
                lines |= {
                    language: [word for word in said if word not in own[language]]
                    for language, said in lines.items()
                }
            taken = {f"{noun}{end}" for noun in self._called_by_state(table) for end in ("하", "되")}
            for name, one in self.metrics.items():
                if taken and one.get("verbs") and name != f"{table.slug}_count":
                    one["verbs"] = {
                        **one["verbs"],
                        "ko": [verb for verb in one["verbs"]["ko"] if verb not in taken],
                    }

    def _also_counted(self, table: Table) -> Words:
        """Other words for the rows: jobs, what is done to which kinds of things, the state that they began in."""
        made: Words = {"ko": [], "en": []}
        for words in [*self._done_to(table), *([["job"]] if self._is_job(table) else [])]:
            _, more = count_words(words, named=False)
            made["en"] += more["en"]
            made["ko"] += more["ko"] if words != ["job"] else []  # 직무 is what somebody's work is called
        for noun in self._called_by_state(table):
            made["ko"] += [noun, *(f"{noun}{tail}" for tail in (" 수", " 건수", " 건", "건수"))]
        return made

    def _received(self, table: Table) -> bool:
        """Tell whether the rows are in a state that all of them began with: claims received are all claims."""
        return bool(self._first_states(table))

    def _first_states(self, table: Table) -> list[str]:
        """The states that all rows of a table began with, as it, a list of codes or a table of states names them."""
        lists = [self.tables[there] for there, _ in table.links.values()]
        held = [
            value
            for one in (table, *filter(self._lists_states, lists))
            for values in one.few.values()
            for value in values
        ]
        held += [said for names in table.values.values() for said in names.values()]
        return [value for value in dict.fromkeys(held) if begins_all(value)]

    def _called_by_state(self, table: Table) -> list[str]:
        """The Korean noun of the state that rows begin with, which is what they are called: 접수 are tickets that came in."""
        found = [state for state in self._first_states(table) if hangul(state)]
        others = [one for one in self.tables.values() if one.physical != table.physical and not one.is_view]
        taken = any(state in word for state in found for one in others for word in one.words)
        twice = [one for one in others if self._first_states(one) and not self._lists_states(one)]
        return (
            found
            if self._own_date(table) and not taken and not twice and not self._lists_states(table)
            else []
        )

    def _is_joined(self, table: Table) -> bool:
        """Tell whether things are dated by when they came: a customer who joined this month is a new one."""
        own = self._own_date(table)
        return (
            bool(self._name(table))
            and own is not None
            and bool(_COMING & {*words_of(own)} or _COMING_KO.search(own))
        )

    def _moments(self, table: Table) -> None:
        """Count rows by the other dates that they have, and those to which a thing has not happened."""
        first = self._own_date(table)
        for column in table.empty:
            moment = moment_of(table.said(column))
            if moment is None or is_private(table, column):
                continue
            planned = self._is_planned(table, column) and moment.done != "due"  # wanted by that day, not done
            if self._happening(table, column):
                pass  # a verb that goes with any figure
            elif column != first and not planned:
                self._happened(table, column, moment)
            elif moment.done and f"{table.slug}_count" in self.metrics:
                _, said = all_words(
                    [moment_words(words, moment, adjective=False) for words in self._called_so(table)]
                )
                own = self.metrics[f"{table.slug}_count"]["synonyms"]
                for language, words in said.items():
                    own[language] = list(dict.fromkeys([*own[language], *words]))
            if 0 < table.empty[column] < 1 and moment.done not in _BEGUN:
                unlike = self._unlike_states(table, moment)
                label, said = all_words([not_yet_words(words, unlike) for words in self._called_so(table)])
                self._add(
                    f"{table.slug}_not_{_slug(moment)}_count", type="count", table=table.name, label=label,
                    where=[{"column": f"{table.name}.{column}", "op": "is_null"}], **self._timed(table), synonyms=said,
                )  # fmt: skip
                self._owed(table, column, moment)
            if 0 < table.empty[column] < 1 and moment.done and column != first and not planned:
                self._reached(table, column, moment)

    @staticmethod
    def _states_named(table: Table) -> set[str]:
        named = {str(value).lower() for values in table.few.values() for value in values}
        return named | {said.lower() for names in table.values.values() for said in names.values()}

    def _unlike_states(self, table: Table, moment: Moment) -> Moment:
        """The same without words that are the states of rows: open, where a status says so."""
        states = self._states_named(table)
        return replace(moment, not_yet=tuple(word for word in moment.not_yet if word not in states))

    def _reached(self, table: Table, column: str, moment: Moment) -> None:
        """Divide the rows to which a thing has happened by all: the completion rate."""
        found = rate_words(moment.done, table.words)
        many = " ".join(english(table.words)[1:2])
        name = f"{table.slug}_{_slug(moment)}_share"
        label = {
            "ko": f"{moment.ko[0]} 비율" if moment.ko else f"{moment.done} share",
            "en": f"Share of {many} {moment.done}",
        }
        said = {"ko": [f"{noun} 비율" for noun in moment.ko if noun not in table.words], "en": list[str]()}
        label, said = found or (label, said)
        for part in ("percentage", "share", "proportion", "percent"):
            said["en"] += [
                f"{part} of {many} {link}{moment.done}"
                for link in ("", "were ", "was ", "that were ", "have been ", "are ", "got ")
            ]
        self._add(
            f"{name}_rows", type="count", table=table.name, label={"ko": label["ko"], "en": f"{label['en']}: {many}"},
            where=[{"column": f"{table.name}.{column}", "op": "not_null"}], **self._timed(table), synonyms={"ko": [], "en": []},
        )  # fmt: skip
        self._add(
            name, type="ratio", label=label, numerator=f"{name}_rows", denominator=f"{table.slug}_count", format="percent",
            unit={"ko": "%", "en": "%"}, synonyms=said,
        )  # fmt: skip

    def _owed(self, table: Table, column: str, moment: Moment) -> None:
        """Add up what rows are worth to which a thing has not happened: the unpaid amount."""
        money = self._money_of(table)
        if money is None or not _is_money(table) or not moment.not_yet:
            return
        label, said = owed_words(table.words, moment)
        shown = {
            key: value
            for key, value in self.metrics[money].items()
            if key in ("format", "decimals", "time", "grain")
        }
        self._add(
            f"{money}_not_{_slug(moment)}", type="sum", column=self.metrics[money]["column"], label=label,
            where=[{"column": f"{table.name}.{column}", "op": "is_null"}], synonyms=said, **shown,
        )  # fmt: skip

    def _totals(self, table: Table) -> None:
        """Total invoices are their amount as often as their number: the sum gets these words, the number a caveat."""
        money = self._money_of(table)
        if money is None or not _is_money(table):
            return
        base, many = (english(table.words) * 2)[:2]
        first = self._own_date(table)
        moment = moment_of(table.said(first)) if first else None
        done = (
            [f"total {many} {moment.done}", f"total of {many} {moment.done}"]
            if moment and moment.done
            else []
        )
        said = self.metrics[money]["synonyms"]
        said["en"] += [
            f"total {many}",
            f"total of {many}",
            f"sum of {many}",
            f"{base} amount",
            f"value of {many}",
            *done,
        ]
        said["ko"] += [
            f"{noun}{tail}"
            for noun in korean(table.words)
            for tail in (" 총액", " 합계", " 금액", "액", "금액", "금")
        ]
        did = [
            *((verbs_of(table.words) or {"en": []})["en"]),
            *([moment.done] if moment and moment.done else []),
        ]
        stem = base.removesuffix("ing")
        did += [f"{stem}d" if stem.endswith("e") else f"{stem}ed"]
        said["en"] += [
            f"{start}{verb}"
            for verb in dict.fromkeys(did)
            if verb.endswith(("ed", "id"))
            for start in ("total ", "total amount ", "amount ")
        ]
        if _meant(table) & _MONEY_ITSELF or _MONEY_KO.search(
            table.words[-1]
        ):  # expenses are money; how many there are is asked for as such
            plain = {*english(table.words), *korean(table.words)}
            said["en"] += english(table.words)
            said["ko"] += korean(table.words)
            counted = self.metrics[f"{table.slug}_count"]["synonyms"]
            for language, words in counted.items():
                counted[language] = [word for word in words if word not in plain]
            return
        label = self.metrics[money]["label"]
        text = said_choice_of(COUNT, things=shown_words(table.words), figure=label)
        self.metrics[f"{table.slug}_count"].setdefault("caveats", []).append({"about": "count", "text": text})

    def _money_of(self, table: Table) -> str | None:
        """The sum of what the rows of a table are worth."""
        sums = {
            n: str(m["column"]) for n, m in self.metrics.items() if m["type"] == "sum" and not m.get("where")
        }
        own = {
            n: c.partition(".")[2]
            for n, c in sums.items()
            if c.partition(".")[0] == table.name and " " not in c
        }
        worth = [
            n
            for n, c in own.items()
            if worth_words(c)[-1] in EARNINGS
            and not NOT_SALES.search(self._beside(table, c))
            and "sub" not in c
        ]
        return min(worth, key=lambda n: least_whole(own[n])) if worth else None

    @staticmethod
    def _beside(table: Table, column: str) -> str:
        """The words of a column besides those of its table: the refund amount of refunds is their amount."""
        return "_".join(word for word in words_of(column) if word not in table.words)

    def _happening(self, table: Table, column: str) -> dict[str, Any]:
        """The verbs of what happened on a date of events; when a thing with a name was made dates no event."""
        moment = moment_of(table.said(column)) if table.types[column] in ("date", "datetime") else None
        events = (
            self._own_date(table) is not None and not table.is_view and (table.links or not self._name(table))
        )
        if moment is None or not events or table.referring is not None:
            return {}
        return {"verbs": event_verbs(moment)}

    def _happened(self, table: Table, column: str, moment: Moment) -> None:
        named = self._states_named(table)
        label, said = all_words(
            [
                moment_words(words, moment, adjective=moment.done not in named, taken=frozenset(named))
                for words in self._called_so(table)
            ]
        )
        if not moment.done and moment.ko and self._is_called_after(table, moment.ko[0]):
            said["ko"] += [f"{moment.ko[0]}{tail}" for tail in ("", " 수", " 건수", " 횟수")]
        place = f"{table.name}.{column}"
        self._add(
            f"{table.slug}_{_slug(moment)}_count", type="count", table=table.name, label=label,
            where=[{"column": place, "op": "not_null"}], time=place, synonyms=said,
        )  # fmt: skip

    def _is_called_after(self, table: Table, noun: str) -> bool:
        """Tell whether rows are called by what happens on one of their dates, as a table's name begins so: 예식, of 예식계약."""
        others = [one for one in self.tables.values() if one.physical != table.physical]
        return table.words[0].startswith(noun) and not any(
            noun in word for one in others for word in one.words
        )

    def _unsure_amount(self, metric: dict[str, Any]) -> list[Caveat]:
        """Several amounts in the table that sales are taken from."""
        if " " in str(metric["column"]):
            return []
        where, _, column = str(metric["column"]).partition(".")
        others = [words_of(c) for c in self._other_amounts(self.tables[where], column)]
        others += [one.words for one in self.tables.values() if one.name != where and self._goods(one)]
        if not others:
            return []
        shown = listed_words(others)
        return [
            {
                "about": "amount",
                "text": said_choice_of(AMOUNTS, column=shown_words(words_of(column)), others=shown),
            }
        ]

    def _ratios(self, table: Table) -> None:
        """Average the rows that belong to one thing: tracks per album, sales per customer."""
        for there, _ in table.links.values():
            one = self.tables[there]
            if one.referring is not None:
                continue
            money = self._money_of(table) if _is_money(table) else None
            if money:  # the average payment per trip is an amount
                self._ratio(money, table.words, one, counted=False)
            self._ratio(f"{table.slug}_count", table.words, one, counted=True, named=not money)
        if "sales" in self.metrics and self._sold(table):
            self._ratio("sales", ["sales"], table, counted=False)

    def _sold(self, table: Table) -> bool:
        main = str(self.metrics["sales"]["column"]).split(".")[0].strip("( ")
        return table.name != main and bool(ways(self.tables, main, table.name))

    def _ratio(self, metric: str, many: list[str], one: Table, *, counted: bool, named: bool = True) -> None:
        label, synonyms = per_words(many, one.words, counted=counted)
        if not named:
            synonyms["en"] = [word for word in synonyms["en"] if " number of " in word]
        if metric == "sales" and self._sold_in(one):
            for words in self._called_so(one):
                synonyms["ko"] += [
                    f"평균 {noun} {tail}" for noun in korean(words) for tail in ("금액", "매출", "단가")
                ]
                synonyms["en"] += [
                    f"average {' '.join(words)} {tail}" for tail in ("value", "amount", "size", "total")
                ]
                synonyms["en"] += [
                    f"{start}{tail} per {' '.join(words)}"
                    for start in ("", "average ")
                    for tail in ("amount", "value", "spend")
                ]
        if metric == "sales":
            synonyms["ko"] += [f"{each}당 매출" for each in korean(one.words)]
            synonyms["en"] += [f"{start}revenue per {one.words[-1]}" for start in ("", "average ")]
        self._add(
            f"{metric}_per_{one.slug}", type="ratio", label=label, numerator=metric,
            denominator=f"{one.slug}_count", format="decimal", decimals=2, synonyms=synonyms,
        )  # fmt: skip
