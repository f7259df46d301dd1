"""Values of filters: what people call them -> what the database holds, checked against the column's type."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from metaagent.data.semantic.compiling import texts
from metaagent.errors import SemanticInvalid

if TYPE_CHECKING:
    from metaagent.data.semantic.model import Model, Value

_YES, _NO = {"true", "1", "yes", "y", "예"}, {"false", "0", "no", "n", "아니오"}
_EXAMPLES = {
    "integer": "1000",
    "number": "0.5",
    "boolean": "true",
    "date": "2026-03-31",
    "datetime": "2026-03-31",
}


def converted(value: Value, kind: str, name: str, dialect: str) -> Any:
    """The value as its column's type; raises SemanticInvalid when it is none."""
    try:
        match kind:
            case "integer":
                number = float(value)
                if number != number or number in {float("inf"), float("-inf")}:
                    raise ValueError(value)
                return int(number) if number.is_integer() else number
            case "number":
                return float(value)
            case "boolean":
                text = str(value).strip().lower()
                if text not in _YES | _NO:
                    raise ValueError(value)
                return text in _YES
            case "date" | "datetime":
                day = date.fromisoformat(str(value)[:10])
                return day.isoformat() if dialect == "sqlite" else day
            case _:
                return str(value)
    except ValueError as error:
        said = {"value": str(value), "dimension": name, "kind": kind, "example": _EXAMPLES[kind]}
        raise SemanticInvalid(texts.BAD_VALUE, **said) from error


def canonical(model: Model, dimension: str, value: Value) -> Value:
    """'Seoul' -> '서울', by the dimension's value aliases. A value without an alias stays as it is."""
    if not isinstance(value, str) or dimension not in model.dimensions:
        return value
    aliases = model.cache.get(("aliases", dimension))
    if aliases is None:
        aliases = model.cache[("aliases", dimension)] = _aliases(model, dimension)
    return aliases.get(value.strip().casefold(), value)


def _aliases(model: Model, dimension: str) -> dict[str, str]:
    found: dict[str, str] = {}
    values = model.dimensions[dimension].values
    for name, words in values.items():
        label = [words.label.ko, words.label.en] if words.label else []
        for word in (*label, *words.ko, *words.en):
            found.setdefault(word.casefold(), name)
    for name in values:  # a value's own name is never another one's alias
        found[name.casefold()] = name
    return found
