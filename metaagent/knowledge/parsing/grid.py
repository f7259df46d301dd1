"""Tables whose cells span columns or rows, as full rows: each row says by itself what a reader sees in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MAX_COLUMNS = 256


@dataclass(frozen=True)
class Cell:
    """A cell as its format gives it."""

    text: str
    columns: int = 1
    rows: int = 1
    above: bool = False
    """True if it continues the cell above, as DOCX marks it."""


def grid(rows: Sequence[Sequence[Cell]], head: int) -> list[list[str]]:
    """The rows with spans filled in: down with the same text, across with the same text in the head and with none below it."""
    filled: list[list[str]] = []
    pending: dict[int, tuple[int, str]] = {}
    for number, row in enumerate(rows):
        line: list[str] = []
        for cell in row:
            _take_pending(line, pending)
            text = _above(filled, len(line)) if cell.above else cell.text
            for index in range(min(cell.columns, MAX_COLUMNS - len(line))):
                if cell.rows > 1:
                    pending[len(line)] = (cell.rows - 1, text if index == 0 or number < head else "")
                line.append(text if index == 0 or number < head else "")
        _take_pending(line, pending)
        filled.append(line)
    return filled


def _take_pending(line: list[str], pending: dict[int, tuple[int, str]]) -> None:
    """Add the cells that span into this row from above, where the row has come to them."""
    while (column := len(line)) in pending:
        left, text = pending.pop(column)
        line.append(text)
        if left > 1:
            pending[column] = (left - 1, text)


def _above(filled: Sequence[Sequence[str]], column: int) -> str:
    return filled[-1][column] if filled and column < len(filled[-1]) else ""
