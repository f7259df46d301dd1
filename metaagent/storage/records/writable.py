"""The tables and columns that one person may write, and what the semantic model knows of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from metaagent.config import Data
from metaagent.data.semantic.drafting.words import english, korean, words_of
from metaagent.data.semantic.model import Label, Model, Synonyms, Table, split
from metaagent.errors import StoreRefused, Text
from metaagent.ports import Json, User

_NO_TABLE = Text(
    en="Table {table!r} may not be written: data.writable names {known}.",
    ko="표 {table!r}에는 쓸 수 없습니다. data.writable에 있는 표: {known}.",
)
_NO_COLUMN = Text(
    en="Column {column!r} of {table!r} may not be written by you: allowed are {known}.",
    ko="{table!r} 표의 열 {column!r}에는 쓸 수 없습니다. 쓸 수 있는 열: {known}.",
)
_ROW_RULE = Text(
    en="You see only some of the rows (row rules of the semantic model), so you may not write to the tables.",
    ko="일부 행만 볼 수 있으므로(시맨틱 모델의 행 규칙) 표에 쓸 수 없습니다.",
)


@dataclass(frozen=True)
class Target:
    """One table as it is written: names in the database, and the tenant's column that the caller never gives."""

    name: str
    table: str
    schema: str | None
    columns: Mapping[str, str]
    """Columns that may be written, by their names in the model; the names in the database."""
    types: Mapping[str, str]
    key: tuple[str, ...]
    tenant_column: str | None
    tenant: str | None


@dataclass(frozen=True)
class Reference:
    """The column refers to a table: which of its columns holds the key, and which the name."""

    table: str
    key: str
    name: str


class Writable:
    """The rights that `data.writable` and the model give to one person."""

    def __init__(self, settings: Data, model: Model | None, user: User, *, by_role: bool = True) -> None:
        """`by_role=False` is for putting back and comparing what was written by somebody who might."""
        self._by_role = by_role
        self._settings = settings
        self._model = model
        self._user = user
        self._tenant = settings.tenants.get(user.company_id, user.company_id)

    @property
    def names(self) -> list[str]:
        if self._model is None or self._restricted(self._model):
            return []
        return [name for name in self._settings.writable if name in self._model.tables]

    def target(self, name: str) -> Target:
        model = self._model
        if model is not None and self._restricted(model):
            raise StoreRefused(_ROW_RULE)
        if model is None or name not in self.names:
            raise StoreRefused(_NO_TABLE, table=name, known=", ".join(self.names) or "-")
        table = model.tables[name]
        tenant_column = model.tenant_of(name)
        columns = {c: table.columns[c].column or c for c in self._columns(name, table) if c != tenant_column}
        return Target(
            name=name,
            table=table.table or name,
            schema=table.db_schema,
            columns=columns,
            types={column: table.columns[column].type for column in table.columns},
            key=tuple(table.key),
            tenant_column=_physical(table, tenant_column),
            tenant=self._tenant if tenant_column else None,
        )

    def check(self, target: Target, columns: Sequence[str]) -> None:
        for column in columns:
            if column not in target.columns:
                known = ", ".join(target.columns)
                raise StoreRefused(_NO_COLUMN, table=target.name, column=column, known=known)

    def reference(self, table: str, column: str) -> Reference | None:
        """The table that a column refers to, where the model knows the names of its things."""
        model = self._model
        if model is None:
            return None
        one = next((j.one[0] for j in model.joins if j.many == [f"{table}.{column}"]), None)
        named = next((d for d in model.dimensions.values() if one is not None and d.key == one), None)
        if one is None or named is None or len(named.column) != 1:
            return None
        other, key = split(one)
        holder, name = split(named.column[0])
        return Reference(other, key, name) if holder == other and _open(model.tables[other], name) else None

    def referred(self, reference: Reference) -> Target:
        """The table that is referred to, for reading names and keys of the tenant alone."""
        model = self._model
        assert model is not None
        table = model.tables[reference.table]
        tenant_column = model.tenant_of(reference.table)
        both = (reference.key, reference.name)
        return Target(
            name=reference.table,
            table=table.table or reference.table,
            schema=table.db_schema,
            columns={column: table.columns[column].column or column for column in both},
            types={column: table.columns[column].type for column in both},
            key=(reference.key,),
            tenant_column=_physical(table, tenant_column),
            tenant=self._tenant if tenant_column else None,
        )

    def describe(self) -> list[Json]:
        return [self._described(name) for name in self.names]

    def _described(self, name: str) -> Json:
        model = self._model
        assert model is not None
        table, target = model.tables[name], self.target(name)
        return {
            "name": name,
            "words": [*([] if table.label is None else [table.label.ko, table.label.en]), *_name_words(name)],
            "key": list(table.key),
            "columns": [self._column(model, name, table, column) for column in target.columns],
        }

    def _column(self, model: Model, name: str, table: Table, column: str) -> Json:
        place = f"{name}.{column}"
        measures = [(key, m) for key, m in model.metrics.items() if m.column == place]
        dimensions = [
            (key, d) for key, d in model.dimensions.items() if d.column == [place] or d.code == place
        ]
        reference = self.reference(name, column)
        named = [
            d
            for d in model.dimensions.values()
            if reference and d.key and d.key == f"{reference.table}.{reference.key}"
        ]
        return {
            "name": column,
            "type": table.columns[column].type,
            "key": column in table.key,
            "sources": [key for key, _ in (*measures, *dimensions)],
            "words": _unique(
                _name_words(column),
                *(_said(found.label, found.synonyms) for _, found in measures),
                *(_said(found.label, found.synonyms) for _, found in dimensions),
            ),
            "units": [m.unit.ko for _, m in measures if m.unit],
            "codes": _codes(found for _, found in dimensions),
            "refers": None if reference is None else reference.table,
            "refers_words": _unique(*(_said(d.label, d.synonyms) for d in named)),
            "refers_sources": [key for key, d in model.dimensions.items() if d in named],
        }

    def _columns(self, name: str, table: Table) -> list[str]:
        roles = set(self._user.roles)
        return [
            column
            for column in self._settings.writable[name]
            if column in table.columns
            and (
                not self._by_role
                or not table.columns[column].roles
                or roles & set(table.columns[column].roles)
            )
        ]

    def _restricted(self, model: Model) -> bool:
        roles = set(self._user.roles) if self._by_role else set[str]()
        return any(roles & set(rule.roles) and not roles & set(rule.unless) for rule in model.row_rules)


def _physical(table: Table, column: str | None) -> str | None:
    known = table.columns.get(column) if column else None
    return (known.column if known else None) or column


def _open(table: Table, column: str) -> bool:
    return column in table.columns and not table.columns[column].roles


def _said(label: Label, synonyms: Synonyms) -> list[str]:
    return [label.ko, label.en, *synonyms.ko, *synonyms.en]


def _name_words(name: str) -> list[str]:
    words = words_of(name)
    return [name, *english(words), *korean(words)]


def _codes(dimensions: Any) -> dict[str, list[str]]:
    return {
        value: _unique([words.label.ko, words.label.en] if words.label else [], words.ko, words.en)
        for dimension in dimensions
        for value, words in dimension.values.items()
    }


def _unique(*lists: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(word for words in lists for word in words))
