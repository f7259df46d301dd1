"""Types of a database in the model's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

if TYPE_CHECKING:
    from metaagent.data.semantic.model import ColumnType


def column_type(kind: Any) -> ColumnType:
    if isinstance(kind, sa.Boolean):
        return "boolean"
    if isinstance(kind, sa.DateTime):
        return "datetime"
    if isinstance(kind, sa.Date):
        return "date"
    if isinstance(kind, sa.Integer):
        return "integer"
    if isinstance(kind, sa.Numeric):
        return "number" if kind.scale != 0 or kind.precision is None else "integer"
    return "number" if "DOUBLE" in str(kind).upper() or "REAL" in str(kind).upper() else "string"
