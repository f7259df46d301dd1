"""The caveats of a drafted model: facts about its tables that the database does not tell."""

from __future__ import annotations

import re
from typing import Any

from metaagent.data.semantic.drafting.caveats import (
    DATES,
    ELSEWHERE,
    ONLY_DATE,
    UNDATED,
    Caveat,
    is_deleted,
    is_gone,
    listed_words,
    said_choice_of,
    said_rows,
    shown_words,
)
from metaagent.data.semantic.drafting.column_words import LESS, PARTS, is_private, written_out
from metaagent.data.semantic.drafting.drafted_figures import Figures
from metaagent.data.semantic.drafting.event_dates import moment_of
from metaagent.data.semantic.drafting.table import Table
from metaagent.data.semantic.drafting.words import hangul, words_of

_WRITTEN_DOWN = re.compile(r"creat|updat|modif|delet|insert|입력|수정|생성")

_BEGINS = {"issued", "opened", "started", "registered", "booked", "hired", "joined", "borrowed", "enrolled"}


class Caveats(Figures):
    """Says what only a person knows."""

    def _caveats(self, table: Table) -> list[Caveat]:
        """Lists facts about the figures of a table that only a person knows."""
        counted = any(one.get("table") == table.name for one in self.metrics.values())
        return [*self._unsure_rows(table), *self._unsure_time(table), *table.unequal] if counted else []

    def _left_out(self, table: Table) -> list[dict[str, Any]]:
        """Deleted rows; lines are deleted with their head."""
        heads = [self.tables[there] for there, _ in table.links.values()] if self._is_detail(table) else []
        return [
            {"column": f"{one.name}.{column}", "values": sorted(values)}
            for one in (table, *heads)
            for column, values in one.shares.items()
            if is_deleted(one.physical_columns[column])
        ]

    def _unsure_rows(self, table: Table) -> list[Caveat]:
        """Rows that are cancelled, refunded or deleted; those of lines are found at their head."""
        heads = [self.tables[there] for there, _ in table.links.values()] if self._is_detail(table) else []
        made: list[Caveat] = []
        for one in (table, *heads):
            for column, values in one.shares.items():
                if is_deleted(one.physical_columns[column]):
                    continue  # left out
                named = {self._called(one, column, value): share for value, share in values.items()}
                said = said_rows(shown_words(one.words), shown_words(self._words(one, column)), named)
                about = "deleted" if is_gone(one.physical_columns[column]) else "rows"
                made.append({"about": about, "text": said, "unless": self._dimensions_of(one, column)})
        return made

    def _unsure_time(self, table: Table) -> list[Caveat]:
        """Several dates of which none is plainly the one of the event, or the date of another table."""
        time = self.times[table.name]
        if time is None:
            return []
        where, _, column = time.partition(".")
        date = shown_words(
            words_of(column) if where == table.name else [*self.tables[where].words, *words_of(column)]
        )
        if where != table.name:
            text = said_choice_of(ELSEWHERE, things=shown_words(table.words), date=date)
            return [] if self._is_part(table, where) else [{"about": "time", "text": text}]
        others = [
            c for c, empty in table.empty.items()
            if c != column and empty < 0.5 and not is_private(table, c) and not _WRITTEN_DOWN.search(written_out(c))
        ]  # fmt: skip
        if table.empty.get(column, 0) > 0 and where == table.name:
            share = f"{table.empty[column] * 100:.0f}"
            text = said_choice_of(UNDATED, date=date, share={"ko": share, "en": share})
            return [{"about": "time", "text": text}]
        moment = moment_of(table.said(column))
        ahead = moment is not None and moment.done == "booked"  # what is booked takes place on another day
        if self._plainly_its(table, column) and not (ahead and others):
            return []
        if not others:
            text = said_choice_of(ONLY_DATE, date=date)
            return [{"about": "time", "text": text}] if LESS.search(written_out(column)) else []
        return [
            {
                "about": "time",
                "text": said_choice_of(DATES, date=date, others=listed_words([words_of(c) for c in others])),
            }
        ]

    def _is_part(self, table: Table, where: str) -> bool:
        """Tell whether the rows are the lines of the table that dates them: order details, items of an invoice."""
        return bool(PARTS & {*words_of(table.said_name)}) or self._is_line_of(table, where)

    def _plainly_its(self, table: Table, column: str) -> bool:
        """A loan's loan date, the date alone, the day on which a ticket was opened."""
        own, moment = words_of(column), moment_of(table.said(column))
        if (
            {*table.words} & {*own}
            or own == ["date"]
            or any(column.startswith(word) for word in table.words if hangul(word))
        ):
            return True
        return moment is not None and moment.done in _BEGINS
