"""Values of a query, apart from the SQL that they go into.

SQL depends on the shape of a query only; a question of a known shape with other dates and names gets its SQL
from the cache and its values from recipes. The first time goes the same way, so both always agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from metaagent.data.semantic.model import Value
    from metaagent.data.semantic.query import Filter, Period


@dataclass(frozen=True)
class Asker:
    """The person for whom SQL is made. Nothing about the person comes from the question itself."""

    tenant: str | None
    roles: frozenset[str]
    attributes: Mapping[str, Value | Sequence[Value]]

    def held(self, attribute: str) -> list[Value] | None:
        given = self.attributes.get(attribute)
        if given is None:
            return None
        return [given] if isinstance(given, (str, int, float)) else list(given)


@dataclass(frozen=True)
class Inputs:
    """The sources of all values."""

    filters: Sequence[Filter]
    asker: Asker
    periods: tuple[Period | None, ...]  # the asked one, and the one that it is compared with


if TYPE_CHECKING:
    Recipe = Callable[[Inputs], Any]


class Binder:
    """`named`: the dimensions that the query limits or splits by."""

    def __init__(self, named: frozenset[str] = frozenset()) -> None:
        self.recipes: dict[str, Recipe] = {}
        self.named = named

    def bind(self, name: str, kind: Any, recipe: Recipe) -> sa.BindParameter[Any]:
        self.recipes[name] = recipe
        return sa.bindparam(name, type_=kind)

    def values(self, names: Mapping[str, Any], inputs: Inputs) -> dict[str, Any]:
        """The values of a statement's parameters; those without a recipe are constants of its shape."""
        recipes = self.recipes
        return {name: recipes[name](inputs) if name in recipes else value for name, value in names.items()}
