"""Checks SQL that a model or a person wrote, and rewrites it so that it can read only what the policy allows.

What comes out is printed from the checked tree, never cut from the input. Each table becomes a sub-select
with the allowed columns and the tenant's rows, so even a mistake in the checks before it cannot reach further
than that. The database enforces the same policy again: see `metaagent.data.read_only`.
"""

from __future__ import annotations

import re
import string
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from metaagent.data.expansion import MOST_NODES, MOST_TEXT, MOST_TEXT_AT_ONCE, measure
from metaagent.data.grammar import FUNCTIONS, SYNTAX, TRANSPARENT, TYPES
from metaagent.data.joined_text import MISPLACED, misplaced
from metaagent.data.policy import Condition, Policy, TablePolicy, quote
from metaagent.errors import SqlRefused, Text
from metaagent.language.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlglot import exp
    from sqlglot.expressions.core import Expression

__all__ = ["DIALECTS", "Condition", "Guarded", "Policy", "TablePolicy", "guard"]

DIALECTS: Final = ("sqlite", "postgres", "duckdb")
_IDENTIFIER = regex(r"[^\W\d]\w{0,62}", re.UNICODE)
_NUMBER = regex(r"\d{1,30}(\.\d{0,30})?([eE][+-]?\d{1,3})?|\.\d{1,30}")
_WORDS = regex(r"[A-Za-z_ ]{0,40}")
_ASCII_LOWER = {ord(letter): letter.lower() for letter in string.ascii_uppercase}
_SHOWN = 60
_MAX_TREE_DEPTH = 250
_MAX_SIGNS = 8
_MAX_OFFSET = 1_000_000
_SIGNS = frozenset(("NOT", "DASH", "PLUS", "TILDE", "EXCLAMATION"))
_OPEN = frozenset(("L_PAREN", "L_BRACKET", "L_BRACE", "CASE"))
_BEGIN = frozenset(("SELECT", "WITH", "L_PAREN"))
_CLOSE = frozenset(("R_PAREN", "R_BRACKET", "R_BRACE", "END"))

_LENGTH = Text(
    "The SQL has {length} characters; at most {limit} are taken: ask for less at once.",
    "SQL이 {length}자입니다. 최대 {limit}자까지 받습니다. 한 번에 더 적게 요청하십시오.",
)
_WORD_COUNT = Text(
    "The SQL has {length} words and signs; at most {limit} are taken: ask for less at once.",
    "SQL이 단어와 기호 {length}개입니다. 최대 {limit}개까지 받습니다. 한 번에 더 적게 요청하십시오.",
)
_DEPTH = Text(
    "The SQL is nested deeper than {limit} levels: split it with WITH or ask a simpler question.",
    "SQL이 {limit}단계보다 깊게 중첩되어 있습니다. WITH로 나누거나 더 간단히 요청하십시오.",
)
_CHARACTER = Text(
    "The SQL holds the character {name}: write it with plain letters, and texts without invisible signs.",
    "SQL에 {name} 문자가 있습니다. 보통 글자로 쓰고, 보이지 않는 문자를 넣지 마십시오.",
)
_SYNTAX_ERROR = Text(
    "The SQL cannot be read as {dialect}: {name}. Send one complete SELECT.",
    "SQL을 {dialect} 문법으로 읽을 수 없습니다: {name}. 완전한 SELECT 하나를 보내십시오.",
)
_STATEMENTS = Text(
    "The text holds {count} statements; send exactly one SELECT.",
    "문장이 {count}개입니다. SELECT 하나만 보내십시오.",
)
_NOT_SELECT = Text(
    "{name} is not a SELECT: only reading is possible here.",
    "{name}은(는) SELECT가 아닙니다. 여기서는 읽기만 할 수 있습니다.",
)
_NODE = Text(
    "{name} may not be used: write it with plain SELECT, JOIN, WHERE, GROUP BY, WITH and allowed functions.",
    "{name}은(는) 쓸 수 없습니다. SELECT, JOIN, WHERE, GROUP BY, WITH와 허용된 함수만 쓰십시오.",
)
_FUNCTION = Text(
    "The function {name} is not allowed. Allowed: {allowed}.",
    "함수 {name}은(는) 허용되지 않습니다. 허용된 함수: {allowed}.",
)
_TABLE = Text(
    "There is no table {name} that you may read. Allowed, without a schema in front: {allowed}.",
    "읽을 수 있는 표 {name}이(가) 없습니다. 스키마 없이 쓸 수 있는 표: {allowed}.",
)
_COLUMN = Text(
    "A column cannot be read: {name}. Allowed: {allowed}.",
    "읽을 수 없는 열이 있습니다: {name}. 허용된 열: {allowed}.",
)
_CTE = Text(
    "The WITH name {name} is used twice or is the name of a table: choose another name.",
    "WITH 이름 {name}이(가) 두 번 쓰였거나 표 이름과 같습니다. 다른 이름을 쓰십시오.",
)
_EXPANSION = Text(
    "Written out, the SQL has more than {limit} expressions: name columns of WITH items and sub-selects fewer times.",
    "풀어 쓰면 식이 {limit}개보다 많은 SQL입니다. WITH와 하위 조회의 열을 여러 번 겹쳐 쓰지 마십시오.",
)
_LONG_TEXT = Text(
    "The SQL can put together texts of more than {limit} characters: use less replace and ||.",
    "SQL이 {limit}자보다 긴 글을 만들 수 있습니다. replace와 ||를 줄이십시오.",
)
_LIMIT = Text(
    "LIMIT and OFFSET take whole numbers up to {limit}, not {name}.",
    "LIMIT와 OFFSET에는 {limit} 이하의 정수만 쓸 수 있습니다: {name}.",
)


@dataclass(frozen=True)
class Guarded:
    """`sql` asks for one row more than the policy's `max_rows`: whoever cuts at `max_rows` can say that there
    was more.
    """

    sql: str
    tables: tuple[str, ...]
    columns: tuple[str, ...]


def guard(sql: str, policy: Policy, *, dialect: str) -> Guarded:
    """The same question, limited to the policy; or SqlRefused, which says why and what to do. Raises nothing
    else.
    """
    if dialect not in DIALECTS:
        raise _refusal(_NODE, "dialect", name=dialect)
    try:
        return _guard(sql, policy, dialect)
    except RecursionError:
        raise _refusal(_DEPTH, "depth", limit=policy.max_depth) from None


def _guard(sql: str, policy: Policy, dialect: str) -> Guarded:
    _check_text(sql, policy)
    tree = _parse(sql, policy, dialect)
    names = _Names(policy, dialect)
    _check_tree(tree, names)
    tables = names.base_tables(tree)
    _check_expansion(tree, MOST_TEXT_AT_ONCE if dialect == "duckdb" else MOST_TEXT)
    if dialect == "postgres" and misplaced(tree):
        raise _refusal(MISPLACED, "expansion", name="string_agg")
    columns = _columns(tree, tables, names)
    _rewrite(tree, tables, names)
    _force_limit(tree, policy.max_rows + 1)
    out = _print(tree, dialect)
    _check_output(out, policy, dialect)
    return Guarded(out, tuple(sorted({real for _, real in tables})), columns)


def _refusal(text: Text, rule: str, **params: object) -> SqlRefused:
    shown = {
        key: value[:_SHOWN] if key == "name" and isinstance(value, str) else value
        for key, value in params.items()
    }
    return SqlRefused(text, rule=rule, **shown)


# Before parsing


def _check_text(sql: str, policy: Policy) -> None:
    if len(sql) > policy.max_length:
        raise _refusal(_LENGTH, "length", length=len(sql), limit=policy.max_length)
    for char in sql:
        # Control, invisible, surrogate, private and unassigned characters, and blanks that only look like a
        # blank.
        if char not in "\t\n\r " and unicodedata.category(char)[0] in "CZ":
            raise _refusal(_CHARACTER, "character", name=f"U+{ord(char):04X}")


def _check_tokens(tokens: list[Any], policy: Policy) -> None:
    """Depth is counted on tokens because the parser and the printer recurse. What does not begin like a
    SELECT does not reach the parser, which would write it to the log."""
    while tokens and tokens[-1].token_type.name == "SEMICOLON":
        tokens.pop()
    count = 1 + sum(token.token_type.name == "SEMICOLON" for token in tokens) if tokens else 0
    if count != 1:
        raise _refusal(_STATEMENTS, "statements", count=count)
    if tokens[0].token_type.name not in _BEGIN:
        raise _refusal(_NOT_SELECT, "not_select", name=tokens[0].text.upper())
    if len(tokens) > policy.max_words:
        raise _refusal(_WORD_COUNT, "length", length=len(tokens), limit=policy.max_words)
    limit, known = policy.max_depth, policy.names
    depth = signs = 0
    for token in tokens:
        kind = token.token_type.name
        depth += (kind in _OPEN) - (kind in _CLOSE)
        signs = signs + 1 if kind in _SIGNS else 0
        if depth > limit or signs > _MAX_SIGNS:
            raise _refusal(_DEPTH, "depth", limit=limit)
        plain = unicodedata.normalize("NFKC", token.text) == token.text
        if kind != "STRING" and not plain and token.text.lower() not in known:
            raise _refusal(_CHARACTER, "character", name=token.text)


def _parse(sql: str, policy: Policy, dialect: str) -> exp.Query:
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        tokens = sqlglot.tokenize(sql, read=dialect)
        _check_tokens(tokens, policy)
        statements = [
            s for s in sqlglot.Dialect.get_or_raise(dialect).parser().parse(tokens, sql) if s is not None
        ]
    except SqlglotError as error:
        raise _refusal(_SYNTAX_ERROR, "syntax", dialect=dialect, name=_first_line(error)) from None
    except (SqlRefused, RecursionError):
        raise
    except Exception as error:  # noqa: BLE001 - a parser bug on hostile text must refuse, not crash the turn
        raise _refusal(_SYNTAX_ERROR, "syntax", dialect=dialect, name=type(error).__name__) from None
    if len(statements) != 1:
        raise _refusal(_STATEMENTS, "statements", count=len(statements))
    tree = statements[0]
    if isinstance(tree, exp.Subquery) and set(_given(tree)) == {"this"}:
        tree = tree.unnest()
    if not isinstance(tree, exp.Select | exp.SetOperation):
        raise _refusal(_NOT_SELECT, "not_select", name=type(tree).__name__.upper())
    tree.set("comments", None)
    return tree


def _first_line(error: Exception) -> str:
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    return text.splitlines()[0][:_SHOWN] if text else type(error).__name__


# The tree


def _lower(name: str) -> str:
    """Folds a name as the databases do it: letters outside of ASCII stay as they are."""
    return name.translate(_ASCII_LOWER)


class _Names:
    """Names as this dialect compares them, and which of them are tables of the policy."""

    def __init__(self, policy: Policy, dialect: str) -> None:
        self.policy = policy
        self.dialect = dialect
        self.known = policy.names
        self._tables = {self.fold_plain(name): name for name in policy.tables}

    def fold_plain(self, name: str) -> str:
        return name if self.dialect == "postgres" else _lower(name)

    def fold(self, identifier: Expression) -> str:
        quoted = bool(identifier.args.get("quoted"))
        return identifier.name if quoted and self.dialect == "postgres" else _lower(identifier.name)

    def real(self, identifier: Expression) -> str | None:
        return self._tables.get(self.fold(identifier))

    def base_tables(self, tree: exp.Query) -> list[tuple[exp.Table, str]]:
        from sqlglot import exp

        seen: set[str] = set()
        for cte in tree.find_all(exp.CTE):
            name = cte.alias
            if name.lower() in seen or name.lower() in {t.lower() for t in self.policy.tables}:
                raise _refusal(_CTE, "cte", name=name)
            seen.add(name.lower())
        found: list[tuple[exp.Table, str]] = []
        for table in tree.find_all(exp.Table):
            real = self.real(table.this)
            if real is not None:
                found.append((table, real))
            elif self.fold(table.this) not in self._visible_ctes(table):
                raise _refusal(_TABLE, "table", name=table.name, allowed=", ".join(self.policy.tables))
        return found

    def _visible_ctes(self, node: Expression) -> Iterator[str]:
        """A WITH item sees only those before it: SQLite makes a self-reference recursive without being told
        to.
        """
        from sqlglot import exp

        child, parent = node, node.parent
        while parent is not None:
            with_ = parent.args.get("with_")
            if isinstance(parent, exp.With):
                with_ = None
                for cte in parent.expressions:
                    if cte is child:
                        break
                    yield self.fold(cte.args["alias"].this)
            if with_ is not None and with_ is not child:
                for cte in with_.expressions:
                    yield self.fold(cte.args["alias"].this)
            child, parent = parent, parent.parent


def _check_expansion(tree: exp.Query, most_text: int) -> None:
    found = measure(tree)
    if found.nodes > MOST_NODES:
        raise _refusal(_EXPANSION, "expansion", limit=MOST_NODES)
    if found.made > most_text:
        raise _refusal(_LONG_TEXT, "expansion", limit=most_text)


def _given(node: Expression) -> Iterator[str]:
    return (
        key for key, value in node.args.items() if value is not None and value is not False and value != []
    )


def _check_tree(tree: exp.Query, names: _Names) -> None:
    """Levels leave out chains of one operator (a OR b OR c), which sqlglot prints in a loop."""
    stack: list[tuple[Any, int]] = [(tree, 1)]
    while stack:
        node, level = stack.pop()
        if level > _MAX_TREE_DEPTH:
            raise _refusal(_DEPTH, "depth", limit=names.policy.max_depth)
        _check_node(node, names)
        stack.extend((child, level + (type(child) is not type(node))) for child in node.iter_expressions())


def _check_node(node: Expression, names: _Names) -> None:
    kind = type(node).__name__
    allowed = SYNTAX.get(kind)
    if allowed is not None:
        extra = next((key for key in _given(node) if key not in allowed), None)
        if extra is not None:
            raise _refusal(_NODE, "node", name=f"{kind} … {extra.rstrip('_')}".upper())
    elif kind not in TRANSPARENT:
        _check_function(node, kind, names.policy)
    _check_scalars(node, kind)
    if kind == "Identifier":
        _check_identifier(node, names)
    check = _CHECKS.get(kind)
    if check is not None:
        check(node)


def _check_function(node: Expression, kind: str, policy: Policy) -> None:
    from sqlglot import exp

    names = {node.name.lower()} if kind == "Anonymous" else FUNCTIONS.get(kind, frozenset[str]())
    if names & policy.functions:
        return
    if isinstance(node, exp.Func):
        shown = node.name if kind == "Anonymous" else node.sql_name()
        raise _refusal(_FUNCTION, "function", name=shown, allowed=", ".join(sorted(policy.functions)))
    raise _refusal(_NODE, "node", name=kind.upper())


def _check_scalars(node: Expression, kind: str) -> None:
    """Raw strings in the tree are printed as they are, so they may only be words."""
    if kind in ("Literal", "Identifier", "Anonymous"):
        return
    for value in node.args.values():
        if isinstance(value, str) and not _WORDS.fullmatch(value):
            raise _refusal(_NODE, "node", name=f"{kind} {value!r}".upper())


def _check_identifier(node: Expression, names: _Names) -> None:
    """A plain word, or a table or column of the policy, whatever signs its name has."""
    if not _IDENTIFIER.fullmatch(node.name) and node.name.lower() not in names.known:
        raise _refusal(_CHARACTER, "identifier", name=repr(node.name))


def _check_anonymous(node: Expression) -> None:
    if not isinstance(node.this, str) or not node.this.isascii() or not node.this.isidentifier():
        raise _refusal(_NODE, "node", name=f"FUNCTION {node.name}")


def _check_literal(node: Expression) -> None:
    if not node.args.get("is_string") and not _NUMBER.fullmatch(node.name):
        raise _refusal(_NODE, "node", name=f"NUMBER {node.name}")


def _check_table(node: Expression) -> None:
    from sqlglot import exp

    alias = node.args.get("alias")
    if not isinstance(node.this, exp.Identifier) or (alias is not None and alias.args.get("columns")):
        raise _refusal(_NODE, "node", name=node.sql(comments=False))


def _check_subquery(node: Expression) -> None:
    from sqlglot import exp

    if not isinstance(node.this, exp.Select | exp.SetOperation | exp.Subquery):
        raise _refusal(_NODE, "node", name="PARENTHESES ROUND A TABLE")


def _check_limit(node: Expression) -> None:
    from sqlglot import exp

    value = node.args.get("expression")
    number = value.name if isinstance(value, exp.Literal) and not value.is_string else ""
    whole = number.isascii() and number.isdigit() and len(number) < 20
    if not whole or (isinstance(node, exp.Offset) and int(number) > _MAX_OFFSET):
        raise _refusal(_LIMIT, "limit", name=value.sql() if value is not None else "", limit=_MAX_OFFSET)


def _check_type(node: Expression) -> None:
    name = str(getattr(node.this, "value", node.this)).upper()
    if name not in TYPES:
        raise _refusal(_NODE, "type", name=f"TYPE {name}")


def _check_join(node: Expression) -> None:
    if node.args.get("kind", "") not in ("", "INNER", "OUTER", "CROSS", None) or node.args.get(
        "side", ""
    ) not in (
        "",
        "LEFT",
        "RIGHT",
        "FULL",
        None,
    ):
        raise _refusal(
            _NODE, "node", name=f"{node.args.get('side') or ''} {node.args.get('kind') or ''} JOIN"
        )


_CHECKS = {
    "Anonymous": _check_anonymous,
    "DataType": _check_type,
    "Join": _check_join,
    "Limit": _check_limit,
    "Literal": _check_literal,
    "Offset": _check_limit,
    "Subquery": _check_subquery,
    "Table": _check_table,
}


def _columns(tree: exp.Query, tables: list[tuple[exp.Table, str]], names: _Names) -> tuple[str, ...]:
    """Resolves every column on a copy. The sub-selects make this safe; this makes it a clear message."""
    from sqlglot.errors import SqlglotError
    from sqlglot.optimizer.qualify import qualify

    policy = names.policy
    used = {real for _, real in tables}
    schema: dict[str, Any] = {
        names.fold_plain(t): {names.fold_plain(c): "text" for c in policy.tables[t].columns}
        for t in policy.tables
    }
    allowed = ", ".join(f"{t}({', '.join(policy.tables[t].columns)})" for t in sorted(used))
    try:
        copy = qualify(tree.copy(), schema=schema, dialect=names.dialect, quote_identifiers=False)
        return tuple(sorted(_resolved(copy, schema, names)))
    except SqlglotError as error:
        raise _refusal(_COLUMN, "column", name=_first_line(error), allowed=allowed) from None
    except (SqlRefused, RecursionError):
        raise
    except Exception as error:  # noqa: BLE001 - a resolver bug on hostile text must refuse, not crash the turn
        raise _refusal(_COLUMN, "column", name=type(error).__name__, allowed=allowed) from None


def _resolved(copy: Any, schema: dict[str, dict[str, str]], names: _Names) -> set[str]:
    from sqlglot import exp
    from sqlglot.optimizer.scope import traverse_scope

    if copy.find(exp.TableColumn) is not None:
        raise _refusal(_NODE, "node", name="WHOLE ROW AS A VALUE")
    found: set[str] = set()
    for scope in traverse_scope(copy):
        for column in scope.columns:
            source = scope.sources.get(column.table)
            if not isinstance(source, exp.Table):
                continue
            if column.name not in schema.get(source.name, {}):
                raise _refusal(
                    _COLUMN, "column", name=column.sql(), allowed=", ".join(schema.get(source.name, {}))
                )
            found.add(f"{names.real(source.this) or source.name}.{column.name}")
    return found


def _rewrite(tree: exp.Query, tables: list[tuple[exp.Table, str]], names: _Names) -> None:
    import sqlglot
    from sqlglot import exp

    if names.dialect == "postgres":
        _fold_unquoted(tree)
    for table, real in tables:
        limits = names.policy.tables[real]
        inner = sqlglot.parse_one(
            limits.select(quote(real), limits.columns, names.dialect), read=names.dialect, into=exp.Select
        )
        alias = table.args.get("alias")
        name = (alias.this if alias is not None and alias.this is not None else table.this).copy()
        table.replace(exp.Subquery(this=inner, alias=exp.TableAlias(this=name)))


def _fold_unquoted(tree: exp.Query) -> None:
    """Fold names as PostgreSQL does to names without quotes; the output quotes every name."""
    from sqlglot import exp

    for name in tree.find_all(exp.Identifier):
        if not name.args.get("quoted"):
            name.set("this", _lower(name.name))


def _force_limit(tree: exp.Query, rows: int) -> None:
    from sqlglot import exp

    given = tree.args.get("limit")
    if given is None or int(given.expression.name) > rows:
        tree.set("limit", exp.Limit(expression=exp.Literal.number(rows)))


def _print(tree: exp.Query, dialect: str) -> str:
    from sqlglot.errors import ErrorLevel, SqlglotError

    try:
        return tree.sql(dialect=dialect, identify=True, comments=False, unsupported_level=ErrorLevel.RAISE)
    except SqlglotError as error:
        raise _refusal(_SYNTAX_ERROR, "syntax", dialect=dialect, name=_first_line(error)) from None


def _check_output(out: str, policy: Policy, dialect: str) -> None:
    """A second look at what the printer made: it must still be one SELECT of known nodes."""
    from dataclasses import replace

    wide = replace(policy, max_length=len(out), max_words=len(out), max_depth=policy.max_depth * 3)
    _check_tree(_parse(out, wide, dialect), _Names(wide, dialect))
