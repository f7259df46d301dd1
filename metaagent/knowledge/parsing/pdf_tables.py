"""Tables of a PDF that have ruled lines: the lines that are drawn on a page give the cells, the lines of text fill them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from metaagent.knowledge.extracted import one_line
from metaagent.knowledge.parsing.pdf_layout import HYPHEN, Line

_SLACK = 2.5
"""Distance, in points, within which two drawn lines are taken for one, or as touching."""
_SHORTEST = 4.0
_MOST_RULES = 4_000
_MOST_BORDERS = 300

Point = tuple[float, float]
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Rule:
    """A straight line along a page: at which x (or y) it stands, and from where to where it goes."""

    at: float
    start: float
    end: float


@dataclass
class Rules:
    """The horizontal and vertical lines that are drawn on a page."""

    horizontal: list[Rule] = field(default_factory=list[Rule])
    vertical: list[Rule] = field(default_factory=list[Rule])

    def add(self, one: Point, other: Point) -> None:
        """Add a stretch of a path. Slanted and short ones draw no table."""
        if len(self.horizontal) + len(self.vertical) >= _MOST_RULES:
            return
        across, up = abs(one[0] - other[0]), abs(one[1] - other[1])
        if up < 1 and across >= _SHORTEST:
            self.horizontal.append(Rule(one[1], min(one[0], other[0]), max(one[0], other[0])))
        elif across < 1 and up >= _SHORTEST:
            self.vertical.append(Rule(one[0], min(one[1], other[1]), max(one[1], other[1])))


@dataclass(frozen=True)
class RuledTable:
    """The borders of a table, and for each field between them the number of the cell to which it belongs."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    """Heights of the borders, from the top down."""
    cells: tuple[tuple[int, ...], ...]

    @property
    def box(self) -> Box:
        return self.xs[0], self.ys[-1], self.xs[-1], self.ys[0]

    def holds(self, line: Line) -> bool:
        left, bottom, right, top = self.box
        x, y = (line.left + line.right) / 2, (line.top + line.bottom) / 2
        return left - _SLACK <= x <= right + _SLACK and bottom - _SLACK <= y <= top + _SLACK

    def rows(self, lines: Iterable[Line]) -> list[list[str]]:
        """The text of each field. A cell that spans rows is repeated in each; one that spans columns is repeated in the head."""
        texts: dict[int, list[Line]] = {}
        for line in lines:
            column = _between(self.xs, (line.left + line.right) / 2)
            row = _between([-y for y in self.ys], -(line.top + line.bottom) / 2)
            texts.setdefault(self.cells[row][column], []).append(line)
        said = {cell: _text(found) for cell, found in texts.items()}
        return [
            [self._field(said, row, column) for column in range(len(self.xs) - 1)]
            for row in range(len(self.cells))
        ]

    def _field(self, said: dict[int, str], row: int, column: int) -> str:
        cell = self.cells[row][column]
        repeats = column > 0 and self.cells[row][column - 1] == cell and row > 0
        return "" if repeats else said.get(cell, "")


def _between(borders: Sequence[float], at: float) -> int:
    return min(max(bisect_left(borders, at) - 1, 0), len(borders) - 2)


def _text(lines: list[Line]) -> str:
    lines.sort(key=lambda line: (-line.top, line.left))
    return one_line(" ".join(line.text for line in lines).replace(f"{HYPHEN} ", "").replace(HYPHEN, ""))


def ruled_tables(rules: Rules) -> list[RuledTable]:
    """The tables that some lines draw: groups of lines that touch, with at least two rows and two columns."""
    found: list[RuledTable] = []
    for horizontal, vertical in _touching(rules):
        xs = _borders(rule.at for rule in vertical)
        ys = _borders(rule.at for rule in horizontal)[::-1]
        if 2 < len(xs) <= _MOST_BORDERS and 2 < len(ys) <= _MOST_BORDERS:
            found.append(RuledTable(tuple(xs), tuple(ys), _cells(xs, ys, horizontal, vertical)))
    return found


def _borders(places: Iterable[float]) -> list[float]:
    """Places that are nearer to each other than a line is thick, as one."""
    borders: list[float] = []
    for place in sorted(places):
        if not borders or place - borders[-1] > _SLACK:
            borders.append(place)
    return borders


def _touching(rules: Rules) -> list[tuple[list[Rule], list[Rule]]]:
    """Groups of horizontal and vertical lines that cross or touch, directly or through others."""
    groups: list[tuple[list[Rule], list[Rule]]] = []
    waiting = list(rules.vertical)
    across = list(rules.horizontal)
    while waiting:
        group: tuple[list[Rule], list[Rule]] = ([], [waiting.pop()])
        grown = True
        while grown:
            crossing, across = _parted(across, group[1])
            more, waiting = _parted(waiting, crossing)
            group[0].extend(crossing)
            group[1].extend(more)
            grown = bool(crossing or more)
        groups.append(group)
    return groups


def _parted(rules: Sequence[Rule], others: Sequence[Rule]) -> tuple[list[Rule], list[Rule]]:
    """The rules that touch one of the others, and those that do not."""
    touching = [rule for rule in rules if any(_meet(rule, other) for other in others)]
    kept = {id(rule) for rule in touching}
    return touching, [rule for rule in rules if id(rule) not in kept]


def _meet(one: Rule, other: Rule) -> bool:
    return (
        one.start - _SLACK <= other.at <= one.end + _SLACK
        and other.start - _SLACK <= one.at <= other.end + _SLACK
    )


def _cells(
    xs: Sequence[float], ys: Sequence[float], horizontal: Sequence[Rule], vertical: Sequence[Rule]
) -> tuple[tuple[int, ...], ...]:
    """Fields that no line parts are one cell."""
    height, width = len(ys) - 1, len(xs) - 1
    parents = list(range(height * width))

    def root(field_number: int) -> int:
        while parents[field_number] != field_number:
            field_number = parents[field_number]
        return field_number

    for row in range(height):
        y = (ys[row] + ys[row + 1]) / 2
        for column in range(width):
            x = (xs[column] + xs[column + 1]) / 2
            here = row * width + column
            if column + 1 < width and not _drawn(vertical, xs[column + 1], y):
                parents[root(here + 1)] = root(here)
            if row + 1 < height and not _drawn(horizontal, ys[row + 1], x):
                parents[root(here + width)] = root(here)
    return tuple(tuple(root(row * width + column) for column in range(width)) for row in range(height))


def _drawn(rules: Sequence[Rule], at: float, point: float) -> bool:
    return any(
        abs(rule.at - at) <= _SLACK and rule.start - _SLACK <= point <= rule.end + _SLACK for rule in rules
    )
