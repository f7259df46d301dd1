"""Texts that a query joins from many rows (`string_agg`): where they may stand, and how long they would become.

A PostgreSQL server makes such a text in its own memory, up to 1 GB, and no setting of a session bounds it. So it may only be a
column of the result, and its length is counted by the server before it makes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from metaagent.errors import SqlRefused, Text

if TYPE_CHECKING:
    from sqlglot import exp

MISPLACED = Text(
    "{name} joins texts of many rows: it may only be a column of the result, not part of an expression, a condition, a "
    "sub-select, a WITH item or a UNION.",
    "{name}은(는) 여러 행의 글을 하나로 잇습니다. 결과의 열로만 쓸 수 있고 식, 조건, 하위 조회, WITH, UNION 안에는 쓸 수 없습니다.",
)
_LENGTH = "joined_length_{at}"


def misplaced(tree: exp.Query) -> bool:
    """Tell whether the query joins texts anywhere but in a column of its result: nobody could count their length before."""
    from sqlglot import exp

    own = [] if isinstance(tree, exp.SetOperation) else [_joining(each) for each in tree.selects]
    return any(not any(found is each for each in own) for found in tree.find_all(exp.GroupConcat))


def counting_sql(sql: str) -> str | None:
    """The query that counts the characters of all texts that this one would join; None if it joins none. SqlRefused where
    that cannot be counted."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    if "string_agg" not in sql.lower():
        return None
    try:
        tree = sqlglot.parse_one(sql, read="postgres")
    except (SqlglotError, RecursionError):
        raise SqlRefused(MISPLACED, rule="expansion", name="string_agg") from None
    if not isinstance(tree, exp.Select) or misplaced(tree):
        raise SqlRefused(MISPLACED, rule="expansion", name="string_agg")
    names: list[str] = []
    columns: list[Any] = []
    for each in tree.selects:
        joining = _joining(each)
        if joining is None:
            columns.append(each)
            continue
        names.append(_LENGTH.format(at=len(names)))
        counted = each.unalias().copy()
        inner = counted.find(exp.GroupConcat)
        assert inner is not None
        made = _length(inner)
        columns.append((made if counted is inner else _replaced(counted, inner, made)).as_(names[-1]))
    if not names:
        return None
    for part in ("order", "limit", "offset", "distinct"):
        tree.set(part, None)
    tree.set("expressions", columns)
    total = " + ".join(f"coalesce(sum({name}), 0)" for name in names)
    return f"SELECT {total} FROM ({tree.sql(dialect='postgres')}) counted"  # noqa: S608 - names are made here, the rest was guarded


def _joining(projected: Any) -> Any:
    """The joining of texts that a column of the result is, perhaps of some rows only."""
    from sqlglot import exp

    inner = projected.unalias()
    inner = inner.this if isinstance(inner, exp.Filter) else inner
    return inner if isinstance(inner, exp.GroupConcat) else None


def _length(joining: Any) -> Any:
    from sqlglot import exp

    text = joining.this
    while isinstance(text, exp.Order | exp.Distinct):
        text = text.expressions[0] if isinstance(text, exp.Distinct) else text.this
    separator = joining.args.get("separator")
    lengths = [
        exp.Length(this=exp.cast(each.copy(), "text")) for each in (text, separator) if each is not None
    ]
    both = lengths[0] if len(lengths) == 1 else exp.Add(this=lengths[0], expression=lengths[1])
    return exp.Sum(this=both)


def _replaced(whole: Any, inner: Any, made: Any) -> Any:
    inner.replace(made)
    return whole
