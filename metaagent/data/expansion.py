"""Estimates how large a query becomes when a database writes out its WITH items and sub-selects, and how long a text it can make.

SQLite and PostgreSQL copy the expression of a column to each place that names it, while they prepare a statement: 30 WITH
items that each name a column of the one before twice are 2^30 expressions, and no time limit stops them. So the size is
estimated on the checked tree, before a database sees it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sqlglot import exp

MOST_NODES = 60_000
"""Expressions of a query, written out. Ordinary questions have some hundreds."""
MOST_TEXT = 2_000_000
"""Characters of all values that one row makes the database put together."""
MOST_TEXT_AT_ONCE = 100_000
"""The same where a database works on 2,000 rows at a time, outside its own limit of memory, and cannot be stopped meanwhile."""
_COLUMN_TEXT = 200
_CEILING = 10**15


@dataclass(frozen=True)
class Cell:
    """An expression: how many it is when written out, how long its text may be, and how long all texts on the way to it are."""

    nodes: int = 1
    text: int = _COLUMN_TEXT
    made: int = 0


@dataclass(frozen=True)
class Measured:
    """A table or sub-select: its columns by name, and how many expressions it is when written out."""

    columns: Mapping[str, Cell] = field(default_factory=dict[str, Cell])
    nodes: int = 1
    made: int = 0
    """The characters of all texts that one row of it puts together."""

    @property
    def largest(self) -> Cell:
        return _largest(self.columns.values())


Known = dict[str, Measured]


def measure(query: Any, known: Mapping[str, Measured] | None = None) -> Measured:
    """`known` are the WITH items that can be named here."""
    from sqlglot import exp

    names: Known = dict(known or {})
    with_ = query.args.get("with_")
    for item in with_.expressions if with_ is not None else ():
        names[item.alias.lower()] = _renamed(measure(item.this, names), item.args.get("alias"))
    if isinstance(query, exp.Subquery):
        return measure(query.this, names)
    if isinstance(query, exp.SetOperation):
        left, right = measure(query.this, names), measure(query.expression, names)
        pairs = zip(left.columns.items(), [*right.columns.values(), *left.columns.values()], strict=False)
        columns = {name: _largest((cell, other)) for (name, cell), other in pairs}
        return Measured(columns, _capped(left.nodes + right.nodes), _capped(left.made + right.made))
    return _select(query, names)


def _select(query: Any, names: Known) -> Measured:

    sources: Known = {}
    from_ = query.args.get("from_") or query.args.get("from")
    for item in [
        *([from_.this] if from_ is not None else ()),
        *(j.this for j in query.args.get("joins") or ()),
    ]:
        sources[(item.alias_or_name or f"#{len(sources)}").lower()] = _source(item, names)
    columns: dict[str, Cell] = {}
    nodes = sum(source.nodes for source in sources.values())
    for at, projected in enumerate(query.expressions):
        if projected.is_star:
            for source in sources.values():
                columns.update(source.columns)
                nodes += sum(cell.nodes for cell in source.columns.values())
            continue
        cell = _cell(projected, sources, names)
        nodes += cell.nodes
        columns[(projected.alias_or_name or f"#{at}").lower()] = cell
    parts = [
        query.args.get(part)
        for part in ("where", "group", "having", "order", "qualify", "windows", "distinct")
    ]
    parts += [join.args.get("on") for join in query.args.get("joins") or ()]
    others = [_cell(each, sources, names) for part in parts for each in _listed(part)]
    nodes += sum(cell.nodes for cell in others)
    made = sum(cell.made for cell in (*columns.values(), *others)) + sum(
        each.made for each in sources.values()
    )
    return Measured(columns, _capped(nodes + 1), _capped(made))


def _source(item: Any, names: Known) -> Measured:
    from sqlglot import exp

    if isinstance(item, exp.Table):
        return names.get(item.name.lower(), Measured())
    inner = item.find(exp.Query)
    return _renamed(measure(inner, names), item.args.get("alias")) if inner is not None else Measured()


def _cell(node: Any, sources: Known, names: Known) -> Cell:
    from sqlglot import exp

    if isinstance(node, exp.Column):
        return _column(node, sources)
    if isinstance(node, exp.Literal):
        return Cell(1, len(str(node.this)))
    if isinstance(node, exp.Query):
        inner = measure(node, names)
        return Cell(inner.nodes, inner.largest.text, inner.made)
    below = [_cell(each, sources, names) for each in node.iter_expressions()]
    nodes = _capped(1 + sum(cell.nodes for cell in below))
    text = _text_of(node, [cell.text for cell in below])
    silent = isinstance(node, exp.Predicate | exp.Connector | exp.Alias | exp.Paren)
    own = text if text > _COLUMN_TEXT and not silent else 0
    return Cell(nodes, text, _capped(own + sum(cell.made for cell in below)))


def _text_of(node: Any, below: list[int]) -> int:
    from sqlglot import exp

    if isinstance(node, exp.DPipe | exp.Concat):
        return _capped(sum(below))
    if type(node).__name__ == "Replace" or node.name.lower() == "replace":
        # A text of n characters, in which each piece becomes a longer one.
        if len(below) < 3:
            return max(below, default=0)
        whole, old, new = below[:3]
        return _capped(max(whole, -(-whole // max(old, 1)) * new))
    return max(below, default=0)


def _column(node: exp.Column, sources: Known) -> Cell:
    name, table = node.name.lower(), node.table.lower()
    if table:
        source = sources.get(table, Measured())
        return source.columns.get(name, source.largest)
    held = [source.columns[name] for source in sources.values() if name in source.columns]
    return _largest(held)


def _renamed(measured: Measured, alias: Any) -> Measured:
    """WITH t (a, b) AS …: the columns have the names that stand there."""
    given = [each.name.lower() for each in (alias.args.get("columns") or ())] if alias is not None else []
    columns = dict(measured.columns)
    columns.update(zip(given, measured.columns.values(), strict=False))
    return Measured(columns, measured.nodes, measured.made)


def _largest(cells: Iterable[Cell]) -> Cell:
    found = list(cells)
    if not found:
        return Cell()
    return Cell(
        max(cell.nodes for cell in found), max(cell.text for cell in found), max(cell.made for cell in found)
    )


def _listed(part: Any) -> list[Any]:
    if part is None or isinstance(part, bool):
        return []
    return list(part) if isinstance(part, list) else [part]


def _capped(value: int) -> int:
    return min(value, _CEILING)
