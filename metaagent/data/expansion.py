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
LONGEST_TEXT = 2_000_000
"""Characters of one value that is put together by the query itself."""
_COLUMN_TEXT = 200
_CEILING = 10**15


@dataclass(frozen=True)
class Cell:
    """An expression: how many it is when written out, and how long its text may be."""

    nodes: int = 1
    text: int = _COLUMN_TEXT


@dataclass(frozen=True)
class Measured:
    """A table or sub-select: its columns by name, and how many expressions it is when written out."""

    columns: Mapping[str, Cell] = field(default_factory=dict[str, Cell])
    nodes: int = 1
    text: int = 0
    """The longest text that any part of it puts together."""

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
        return Measured(columns, _capped(left.nodes + right.nodes), max(left.text, right.text))
    return _select(query, names)


def _select(query: Any, names: Known) -> Measured:
    from sqlglot import exp

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
        if projected.find(exp.Star) is not None and not isinstance(projected, exp.Alias):
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
    texts = [cell.text for cell in (*columns.values(), *others)] + [each.text for each in sources.values()]
    return Measured(columns, _capped(nodes + 1), max(texts, default=0))


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
        return Cell(inner.nodes, max(inner.text, inner.largest.text))
    below = [_cell(each, sources, names) for each in node.iter_expressions()]
    nodes = _capped(1 + sum(cell.nodes for cell in below))
    if isinstance(node, exp.DPipe | exp.Concat):
        return Cell(nodes, _capped(sum(cell.text for cell in below)))
    if type(node).__name__ == "Replace" or node.name.lower() == "replace":
        return Cell(nodes, _replaced([cell.text for cell in below]))
    return Cell(nodes, max((cell.text for cell in below), default=0))


def _replaced(sizes: list[int]) -> int:
    """A text of n characters, in which each piece becomes a longer one."""
    if len(sizes) < 3:
        return max(sizes, default=0)
    whole, old, new = sizes[:3]
    return _capped(max(whole, -(-whole // max(old, 1)) * new))


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
    return Measured(columns, measured.nodes, measured.text)


def _largest(cells: Iterable[Cell]) -> Cell:
    found = list(cells)
    if not found:
        return Cell()
    return Cell(max(cell.nodes for cell in found), max(cell.text for cell in found))


def _listed(part: Any) -> list[Any]:
    if part is None or isinstance(part, bool):
        return []
    return list(part) if isinstance(part, list) else [part]


def _capped(value: int) -> int:
    return min(value, _CEILING)
