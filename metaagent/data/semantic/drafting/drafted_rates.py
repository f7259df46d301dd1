"""The rates of a drafted model: the shares of rows in a state."""

from __future__ import annotations

from metaagent.data.semantic.drafting.act_words import rate_words
from metaagent.data.semantic.drafting.caveats import (
    shown_words,
)
from metaagent.data.semantic.drafting.drafted_measures import Measures
from metaagent.data.semantic.drafting.drafted_spans import PUNCTUALITY
from metaagent.data.semantic.drafting.flags import flag_state
from metaagent.data.semantic.drafting.naming import Words
from metaagent.data.semantic.drafting.span_words import late_events
from metaagent.data.semantic.drafting.table import Table
from metaagent.data.semantic.drafting.words import words_of

_MOST_STATES = 8
_RATED = frozenset({"출석", "결석", "지각", "합격", "불합격", "불량", "취소", "반품", "연체", "노쇼"})
_STATES = frozenset({"status", "state", "stage", "result", "outcome", "상태", "결과", "구분"})


class Rates(Measures):
    """Makes the rates of states."""

    def _rates(self, table: Table) -> None:
        """Divide the rows in a state by all: the cancellation rate, 출석률."""
        if self._lists_states(table):
            return
        for there, _ in table.links.values():
            self._looked_up_rates(table, self.tables[there])
        for column, values in table.few.items():
            if column in table.links or column in table.key or len(values) > _MOST_STATES:
                continue
            flag = self._is_flag(table, column)
            plain = (
                not flag and not {*_STATES, PUNCTUALITY} & {*words_of(column)} and column not in table.shares
            )
            rated = [value for value in values if not plain or value in _RATED]
            for value in rated:
                state = (
                    flag_state(table.physical_columns[column], value)
                    if flag
                    else self._called(table, column, value)
                )
                said = rate_words(state, table.words, flag=flag) if state else None
                if said:
                    self._rate(table, column, value, said)

    def _lists_states(self, table: Table) -> bool:
        """Tell whether a table names the states that the rows of others are in."""
        return table.words[-1] in _STATES and self._referred(table) and self.times[table.name] is None

    def _looked_up_rates(self, table: Table, states: Table) -> None:
        """The same where the names of the states stand in a table of their own."""
        if not self._lists_states(states) or table.is_view:
            return
        for column in self._name(states):
            for value in states.few.get(column, ())[:_MOST_STATES]:
                if said := rate_words(value, table.words):
                    self._rate(table, column, value, said, of=states)

    def _rate(
        self,
        table: Table,
        column: str,
        value: str,
        said: tuple[dict[str, str], Words],
        of: Table | None = None,
    ) -> None:
        label, synonyms = said
        name = "_".join([table.slug, *words_of(label["en"])])
        states = of or table
        part, kind = f"{name}_rows", states.types[column]
        held = int(value) if kind == "integer" and column not in states.casts else value
        where = [{"column": f"{states.name}.{column}", "op": "in", "values": [held]}]
        rows = {language: f"{text}: {shown_words(table.words)[language]}" for language, text in label.items()}
        none: Words = (
            late_events(moment)
            if column in table.after and (moment := self._moment(table, table.after[column][0]))
            else {"ko": [], "en": []}
        )
        self._add(
            part, type="count", table=table.name, label=rows, where=where, **self._timed(table), synonyms=none
        )
        self._add(
            name, type="ratio", label=label, numerator=part, denominator=f"{table.slug}_count", format="percent",
            unit={"ko": "%", "en": "%"}, synonyms=synonyms,
        )  # fmt: skip
