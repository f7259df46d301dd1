"""A drafted model, put together from the tables of a database."""

from __future__ import annotations

from typing import Any

from metaagent.data.semantic.drafting.column_words import is_private
from metaagent.data.semantic.drafting.drafted_dimensions import Dimensions
from metaagent.data.semantic.drafting.table import Table


class Drafting(Dimensions):
    """Makes the whole model."""

    def model(self, name: str) -> dict[str, Any]:
        self._compare_columns()
        self._sales()
        self._figures()
        for table in self._near_first():
            self._attributes(table)
        self.dimensions = {key: one for key, one in self.dimensions.items() if not self._is_hidden(one)}
        made: dict[str, Any] = {"version": 1, "name": name}
        if self.tenant:
            made["tenant_column"] = self.tenant
        made["default_metric"] = "sales" if "sales" in self.metrics else self._default()
        made["tables"] = {table.name: self._columns(table) for table in self.tables.values()}
        made["joins"] = [
            {"from": f"{table.name}.{column}", "to": f"{there}.{to}"}
            for table in self.tables.values()
            for column, (there, to) in table.links.items()
        ]
        return {**made, "metrics": self.metrics, "dimensions": self.dimensions}

    def _is_hidden(self, dimension: dict[str, Any]) -> bool:
        """Tell whether a dimension would show a hidden column: things whose only name is private, such as number plates."""
        shown = dimension["column"] if isinstance(dimension["column"], list) else [dimension["column"]]
        named = (str(column).rpartition(".") for column in shown)
        return any(table in self.tables and is_private(self.tables[table], name) for table, _, name in named)

    def _default(self) -> str:
        """Count how often the thing happens that has a date and belongs to the most other things."""
        own = [t for t in self.tables.values() if t.referring is None and not t.is_view] or [
            *self.tables.values()
        ]
        main = max(own, key=lambda t: (self.times[t.name] is not None, len(t.links)))
        return f"{main.slug}_count"

    def _columns(self, table: Table) -> dict[str, Any]:
        columns: dict[str, Any] = {}
        for name, kind in table.types.items():
            hidden = is_private(table, name) or name == self.tenant
            more: dict[str, Any] = {"hidden": True} if hidden else {}
            if name in table.given:
                columns[name] = {"type": kind, "given": table.given[name]}
                continue
            compared = {"after": table.after.get(name), "below": table.below.get(name)}
            if any(compared.values()):
                columns[name] = {"type": kind, **{key: list(two) for key, two in compared.items() if two}}
                continue
            if name in table.casts:
                more["cast"] = table.casts[name]
            if table.physical_columns[name] != name:
                more["column"] = table.physical_columns[name]
            columns[name] = {"type": kind, **more} if more else kind
        named = {} if table.physical == table.name else {"table": table.physical}
        unsure = self._caveats(table) if table.referring is None else []
        told = {"caveats": unsure, "left_out": self._left_out(table)}
        return {
            **named,
            "key": table.key,
            "columns": columns,
            **{key: listed for key, listed in told.items() if listed},
        }
