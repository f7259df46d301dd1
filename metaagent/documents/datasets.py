"""A dataset as parts of a document: its own sentences, and its table in pieces that fit a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple, cast

from metaagent.documents.export import number_format
from metaagent.documents.format import unit_label
from metaagent.documents.model import Cell, Column, Table, clean
from metaagent.documents.render.shared_layout import PADDING, ROOM_WIDE, SIZES, column_widths, rows_of
from metaagent.errors import Text
from metaagent.language.particles import Language
from metaagent.values import sequence

Json = dict[str, Any]
_CUT = Text(en="The first {shown} of {all} rows.", ko="전체 {all}행 가운데 처음 {shown}행.")
_PART = Text(en="{title} ({part}/{parts})", ko="{title} ({part}/{parts})")
_NO_NAME = Text(en="(no name)", ko="(이름 없음)")
_LIST_ITEM = "- "


class Sentences(NamedTuple):
    """Sentences of one paragraph, or items of one list."""

    lines: tuple[str, ...]
    listed: bool


def sentences_of(data: object) -> Iterator[Sentences]:
    """Sentences in their order; lines that begin with a dash are a list."""
    given: Json = cast("Json", data) if isinstance(data, dict) else {}
    lines = [clean(str(each)).strip() for each in sequence(given.get("sentences"))]
    for listed, run in groupby(filter(None, lines), key=lambda line: line.startswith(_LIST_ITEM)):
        yield Sentences(tuple(line.removeprefix(_LIST_ITEM) for line in run), listed)


def tables_of(data: object, place: str, language: Language, most: int) -> list[Table]:
    """The rows as one table, or several with the first column in each where it is too wide for a page."""
    given: Json = cast("Json", data) if isinstance(data, dict) else {}
    known = [
        each if isinstance(each, Mapping) else {"name": str(each)} for each in sequence(given.get("columns"))
    ]
    seen = [at for at, column in enumerate(known) if not column.get("hidden")]
    rows = [row for row in sequence(given.get("rows")) if isinstance(row, list) and len(row) == len(known)]
    if not seen:
        return []
    columns = tuple(_column(known[at], language) for at in seen)
    cells = tuple(tuple(_cell(row[at], known[at]) for at in seen) for row in rows[:most])
    total = max(len(rows), int(given.get("row_count") or 0)) if not given.get("truncated") else len(rows)
    note = _CUT.say(language, shown=most, all=total) if len(rows) > most else ""
    title = clean(str(given.get("title") or ""))
    return _divided(Table(f"{place}0", columns, cells, title, note), language)


def _column(column: Mapping[str, Any], language: Language) -> Column:
    label = clean(str(column.get("label") or column.get("name") or "")).strip() or _NO_NAME.say(language)
    if column.get("type") != "number" or column.get("values"):
        return Column(label)
    unit = unit_label(cast("str | None", column.get("unit")), language)
    form = number_format(cast("Any", {"format": "", **column, "unit": column.get("unit") or ""}))
    decimals = int(column.get("decimals") or 0)
    if form == "General":
        form = "#,##0" + (f".{'0' * min(decimals, 6)}" if decimals > 0 else "")
    named = unit and unit != "%" and unit not in label
    return Column(f"{label} ({unit})" if named else label, "right", form)


def _cell(cell: Any, column: Mapping[str, Any]) -> Cell:
    values = column.get("values")
    if isinstance(values, Mapping) and str(cell) in values:
        return str(cast("Mapping[str, Any]", values)[str(cell)])
    return cell if cell is None or isinstance(cell, str | int | float) else str(cell)


def _divided(table: Table, language: Language) -> list[Table]:
    room = ROOM_WIDE * 10 / SIZES[-1]
    _, least = column_widths(table, rows_of(table))
    if sum(least) + PADDING * len(least) <= room or len(table.columns) < 3:
        return [table]
    groups: list[list[int]] = [[]]
    used = least[0] + PADDING
    for at in range(1, len(least)):
        if groups[-1] and used + least[at] + PADDING > room:
            groups.append([])
            used = least[0] + PADDING
        groups[-1].append(at)
        used += least[at] + PADDING
    made: list[Table] = []
    for number, group in enumerate(groups, 1):
        taken = [0, *group]
        title = _PART.say(language, title=table.caption, part=number, parts=len(groups))
        rows = tuple(tuple(row[at] for at in taken) for row in table.rows)
        made.append(Table(table.id, tuple(table.columns[at] for at in taken), rows, title, table.note))
    return made
