"""Columns of a row that a draft compares: days between dates, what was done late, and of what there is too little."""

from __future__ import annotations

from typing import Any

from metaagent.data.semantic.drafting.column_words import is_private
from metaagent.data.semantic.drafting.drafted_sales import Sales
from metaagent.data.semantic.drafting.event_dates import Moment, moment_of
from metaagent.data.semantic.drafting.goal_words import (
    UNPAID_STATES,
    aim_words,
    goal_of,
    is_payment,
    shares_beginning,
    unpaid_words,
)
from metaagent.data.semantic.drafting.naming import lasts
from metaagent.data.semantic.drafting.span_words import (
    ASKED,
    ASKED_KO,
    HELD,
    HELD_KO,
    LEAST,
    LEAST_KO,
    PLANNED,
    PLANNED_KO,
    STAYS,
    between_words,
    date_names,
    late_words,
    low_words,
    on_time_words,
    planned_words,
    span_words,
    stay_words,
    whole_words,
)
from metaagent.data.semantic.drafting.table import Table
from metaagent.data.semantic.drafting.words import korean, words_of
from metaagent.data.semantic.model import ENOUGH, GIVEN, LATE, LOW, ON_TIME, OPEN

_SURE = 0.95
"""The share of rows in which one date must not be before another to come after it."""
_MOST_LATE = 0.7
PUNCTUALITY = "punctuality"
SUFFICIENCY = "sufficiency"
SETTLEMENT = "settlement"


def _is_surely_planned(table: Table, column: str) -> bool:
    named = bool(PLANNED & {*words_of(column)}) or words_of(column)[-1] == "by"  # deliver_by
    return named or PLANNED_KO.search(table.said(column)) is not None


class Spans(Sales):
    """Adds columns that compare dates to tables, and figures of the days between dates."""

    def _compare_columns(self) -> None:
        """Add to each table whether its rows were done by the date that they were planned for, and whether there is enough."""
        for table in self.tables.values():
            if table.referring is not None or table.is_view:
                continue
            late, short = self._late(table), self._short(table)
            if late is not None and PUNCTUALITY not in table.types:
                table.after[PUNCTUALITY] = late
                self._add_column(table, PUNCTUALITY, [LATE, ON_TIME])
            if short is not None and SUFFICIENCY not in table.types:
                table.below[SUFFICIENCY] = short
                self._add_column(table, SUFFICIENCY, [LOW, ENOUGH])
            if (paid := self._paid_on(table)) and SETTLEMENT not in table.types:
                table.given[SETTLEMENT] = paid
                self._add_column(table, SETTLEMENT, [GIVEN, OPEN])

    def _paid_on(self, table: Table) -> str | None:
        """The date on which a row was paid, which some rows lack: the unpaid ones, of which any figure may be asked. Where a
        state says so, that does."""
        dates = [
            c
            for c in self._dates(table)
            if 0 < table.empty.get(c, 0) < 1 and (moment := moment_of(table.said(c))) and is_payment(moment)
        ]
        named = {value.lower() for values in table.few.values() for value in values}
        named |= {said.lower() for names in table.values.values() for said in names.values()}
        said = any(one in UNPAID_STATES or "미납" in one or "미입금" in one for one in named)
        return dates[0] if len(dates) == 1 and not said else None

    @staticmethod
    def _add_column(table: Table, name: str, values: list[str]) -> None:
        table.types[name] = "string"
        table.physical_columns[name] = name
        table.few[name] = values

    def _short(self, table: Table) -> tuple[str, str] | None:
        """The quantity that there is, and the least that is wanted: stock and reorder level."""
        numbers = [c for c in table.types if self._is_number(table, c)]
        least = [c for c in numbers if LEAST & {*words_of(c)} or LEAST_KO.search(table.said(c))]
        held = [
            c for c in numbers if c not in least and (HELD & {*words_of(c)} or HELD_KO.search(table.said(c)))
        ]
        if len(least) == 1 and len(held) == 1:
            return held[0], least[0]
        return self._aimed(table, numbers)

    @staticmethod
    def _aimed(table: Table, numbers: list[str]) -> tuple[str, str] | None:
        """A figure and what it was to reach, in like words or the same unit: output and target; of a limit, the limit and what
        must stay below it."""
        goals = [c for c in numbers if goal_of(table.said(c)) is not None]
        if len(goals) != 1:
            return None
        goal = words_of(goals[0])
        others = [c for c in numbers if c not in goals]
        alike = [c for c in others if words_of(c)[-1] == goal[-1] and len(goal) > 1] or [
            c for c in others if shares_beginning(table.said(c), table.said(goals[0]))
        ]
        if len(alike) != 1:
            return None
        return (goals[0], alike[0]) if goal_of(table.said(goals[0])) == "limit" else (alike[0], goals[0])

    def _late(self, table: Table) -> tuple[str, str] | None:
        """The date on which something was done and that for which it was planned."""
        dates = self._dates(table)
        planned = [c for c in dates if self._is_planned(table, c)]
        done = [c for c in dates if c not in planned and c != self._begins(table) and self._moment(table, c)]
        pairs = [
            (one, plan)
            for plan in planned
            for one in done
            if 0 < 1 - table.spans.get((plan, one), 1.0) <= _MOST_LATE
        ]
        return min(pairs, key=lambda pair: self._apart(table, *pair)) if pairs else None

    def _apart(self, table: Table, done: str, plan: str) -> tuple[bool, bool]:
        """Put the pair first that speaks of one thing: delivered and the delivery date that was promised."""
        moment = self._moment(table, done)
        own = {*words_of(plan)}
        shared = moment is not None and (
            any(noun in table.said(plan) for noun in moment.ko)
            or any(word[:5] == moment.done[:5] for word in own if len(word) >= 5)
        )
        return not shared, table.empty.get(done, 0.0) == 0

    def _dates(self, table: Table) -> list[str]:
        return [
            c
            for c, kind in table.types.items()
            if kind in ("date", "datetime") and not is_private(table, c) and "DD" in table.casts.get(c, "DD")
        ]

    def _moment(self, table: Table, column: str) -> Moment | None:
        """The event that the date is the date of; the date that a table is called after is that of its rows themselves."""
        found = moment_of(table.said(column))
        own = [word for word in words_of(column) if word not in ("date", "on", "at", "time")]
        if found is None and own == table.words and (nouns := korean(own)):
            return Moment("", tuple(nouns[:2]))
        return found

    def _begins(self, table: Table) -> str | None:
        """The first date of a row in time: no other date lies before it."""
        dates = [c for c in self._dates(table) if not table.empty.get(c)]
        first = [
            c
            for c in dates
            if all(share >= _SURE for (_, earlier), share in table.spans.items() if earlier == c)
        ]
        own = self._own_date(table)
        return own if own in first else next(iter(first), None)

    def _is_planned(self, table: Table, column: str) -> bool:
        """Tell whether a date was planned. When something was requested or closed says so only beside other dates."""
        if _is_surely_planned(table, column):
            return True
        said = table.said(column)
        if "마감" in said:
            return not any(
                _is_surely_planned(table, other) for other in self._dates(table) if other != column
            )
        asked = bool(ASKED & {*words_of(column)}) or ASKED_KO.search(said) is not None
        return asked and column != self._begins(table)

    def _durations(self, table: Table) -> None:
        """Average the days from the first date of a row to each later one: how long an order takes to be delivered."""
        start = self._begins(table)
        if start is None or self._name(table):
            return
        begun = self._moment(table, start)
        ends = [
            c
            for c in self._dates(table)
            if c != start and self._moment(table, c) and table.spans.get((start, c), 0.0) < _SURE
        ]
        done = [c for c in ends if not self._is_planned(table, c)]
        whole = self._whole(table, done) or (ends[0] if not done and len(ends) == 1 else None)
        staying = self._stays(table)
        for first, last in staying:
            self._duration(table, (first, self._moment(table, first)), last, whole=True, stay=True)
        for end in [*done, *([whole] if whole and whole not in done else [])]:
            self._duration(table, (start, begun), end, whole=end == whole and not staying)

    def _stays(self, table: Table) -> list[tuple[str, str]]:
        """The dates between which something lasts: a stay from check-in to check-out."""
        moments = {c: moment.done for c in self._dates(table) if (moment := self._moment(table, c))}
        return [
            (first, last)
            for first, begun in moments.items()
            for last, ended in moments.items()
            if (begun, ended) in STAYS and table.spans.get((last, first), 0.0) >= _SURE
        ]

    def _whole(self, table: Table, done: list[str]) -> str | None:
        """The date with which a row is over: the last in time of those that say that something was done."""
        last = [
            c for c in done if all(table.spans.get((c, other), 1.0) >= _SURE for other in done if other != c)
        ]
        return last[-1] if last else None

    def _duration(
        self, table: Table, begun: tuple[str, Moment | None], end: str, *, whole: bool, stay: bool = False
    ) -> None:
        start, first = begun
        moment = self._moment(table, end)
        assert moment is not None
        label, said = span_words(table.words, moment)
        names = [date_names(table.said(c), one, table.words) for c, one in ((start, first), (end, moment))]
        said = {language: [*words, *between_words(*names)[language]] for language, words in said.items()}
        if stay and first:
            said = {
                language: [*words, *stay_words(first, moment)[language]] for language, words in said.items()
            }
        for words in self._called_so(table) if whole else ():
            more = whole_words(words, timed=bool(self._lasting(table)))
            said = {language: list(dict.fromkeys([*said[language], *more[language]])) for language in said}
        shown: dict[str, Any] = {"format": "decimal", "decimals": 1, "unit": {"ko": "일", "en": "days"}}
        name = "_".join([*table.words, "days", *(moment.done or moment.ko[0]).split()])
        self._add(
            f"average_{name}", type="average", column=f"{table.name}.{end} - {table.name}.{start}", label=label,
            **self._timed(table), **shown, synonyms=said,
        )  # fmt: skip

    def _lasting(self, table: Table) -> list[str]:
        """The columns that say how long a row took; how long somebody waited for it is told by its own name alone."""
        every = [c for c in table.types if self._is_measure(table, c) and lasts(words_of(c))]
        return [c for c in every if not {"wait", "hold", "delay", "waiting"} & {*words_of(c)}] or every

    def _sufficiency(self, table: Table, column: str) -> dict[str, Any]:
        """The dimension of a column that compares what there is with the least that is wanted."""
        held, least = (table.physical_columns[c] for c in table.below[column])
        aims = [goal_of(one) for one in (held, least)]
        if any(aims):
            return self._aim(table, column, held if aims[0] else least)
        low, enough = low_words(held, least)
        return {
            "label": {"ko": "재고 부족 여부", "en": "sufficiency"},
            "column": f"{table.name}.{column}",
            "values": {
                LOW: {"label": {"ko": "부족", "en": LOW}, **low},
                ENOUGH: {"label": {"ko": "충분", "en": ENOUGH}, **enough},
            },
            "synonyms": {"ko": ["부족 여부", "부족 여부별"], "en": ["enough or not"]},
        }

    @staticmethod
    def _aim(table: Table, column: str, goal: str) -> dict[str, Any]:
        """The dimension of a column that compares a figure with its target or its limit."""
        low, enough = aim_words(goal)
        limit = goal_of(goal) == "limit"
        shown = ("초과", "over the limit", "이내", "within the limit")
        shown = shown if limit else ("목표 미달", "below target", "목표 달성", "on target")
        return {
            "label": {
                "ko": "한도 초과 여부" if limit else "목표 달성 여부",
                "en": "limit kept" if limit else "target reached",
            },
            "column": f"{table.name}.{column}",
            "values": {
                LOW: {"label": {"ko": shown[0], "en": shown[1]}, **low},
                ENOUGH: {"label": {"ko": shown[2], "en": shown[3]}, **enough},
            },
            "synonyms": {"ko": [], "en": []},
        }

    @staticmethod
    def _settlement(table: Table, column: str) -> dict[str, Any]:
        """The dimension of a column that says whether a row was paid; what was paid in a month is told by its date."""
        moment = moment_of(table.said(table.given[column]))
        return {
            "label": {"ko": "입금 여부", "en": "payment received or not"},
            "column": f"{table.name}.{column}",
            "values": {
                GIVEN: {"label": {"ko": "입금일 있음", "en": "with a payment date"}},
                OPEN: {
                    "label": {"ko": "미입금", "en": "unpaid"},
                    **unpaid_words(moment.ko if moment else ()),
                },
            },
            "synonyms": {"ko": ["결제 여부", "수납 여부"], "en": ["paid or not", "paid or unpaid"]},
        }

    def _punctuality(self, table: Table, column: str) -> dict[str, Any]:
        """The dimension of a column that compares dates, with the words for both of its values."""
        done, plan = table.after[column]
        moment = self._moment(table, done)
        assert moment is not None
        plans = planned_words(table.said(plan))
        return {
            "label": {"ko": "기한 준수 여부", "en": "punctuality"},
            "column": f"{table.name}.{column}",
            "values": {
                LATE: {"label": {"ko": "늦음", "en": LATE}, **late_words(moment, plans)},
                ON_TIME: {"label": {"ko": "제때", "en": ON_TIME}, **on_time_words(moment, plans)},
            },
            "synonyms": {
                "ko": ["지연 여부", "지연 여부별", "기한 준수 여부별"],
                "en": ["on time or late", "lateness"],
            },
        }
