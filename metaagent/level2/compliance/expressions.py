"""Conditions of rules in CEL: the one place that knows the library.

A condition is checked for names, type and cost when its pack is loaded. It holds, does not hold, or could not be
decided; a value that is neither True nor False, such as the text that CEL gives for a missing key, is never a pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

LONGEST = 500
"""Characters of one condition: what people can read, and what compiles in no time."""

FIELDS: Mapping[str, str] = {
    "category": "STRING",
    "occasion": "STRING",
    "note": "STRING",
    "year": "INT",
    "amount": "INT",
    "gross": "INT",
    "net": "INT",
    "gross_per_head": "INT",
    "net_per_head": "INT",
    "heads": "INT",
    "doctors": "INT",
    "hours": "INT",
    "public": "BOOL",
    "in_return": "BOOL",
    "limit": "LIMITS",
}
"""The typed context of a condition: the facts of one bill, and the limits in force on its day."""


class BadExpression(Exception):
    """A condition that cannot be used; says why, in the library's words."""


class Undecided(Exception):
    """The condition gave neither True nor False; says what it gave."""


@cache
def _env() -> Any:
    from cel_expr_python import cel

    kinds: dict[str, Any] = {
        "STRING": cel.Type.STRING,
        "INT": cel.Type.INT,
        "BOOL": cel.Type.BOOL,
        "LIMITS": cel.Type.Map(cel.Type.STRING, cel.Type.INT),
    }
    return cel.NewEnv(variables={name: kinds[kind] for name, kind in FIELDS.items()})


@dataclass(frozen=True)
class Condition:
    source: str
    compiled: Any

    def holds(self, facts: Mapping[str, Any]) -> bool:
        """Raises Undecided where the facts do not decide it."""
        try:
            value: object = self.compiled.eval(data=facts).value()
        except RuntimeError as error:  # the library's only error, such as a spent iteration budget
            raise Undecided(_first_line(error)) from error
        if value is True or value is False:
            return value
        raise Undecided(str(value))


def compiled(source: str) -> Condition:
    """Raises BadExpression for unknown names, another type than a truth value, loops and over-long text."""
    if len(source) > LONGEST:
        raise BadExpression(f"it has {len(source)} characters; at most {LONGEST} are allowed")
    try:
        made = _env().compile(source)
    except RuntimeError as error:
        raise BadExpression(_first_line(error)) from error
    kind = made.return_type().name()
    if kind != "BOOL":
        raise BadExpression(f"it gives {kind}, not a truth value")
    # Facts are single values: a comprehension has nothing to walk over but what the rule itself spells out.
    for macro in (".all(", ".exists(", ".exists_one(", ".map(", ".filter("):
        if macro in "".join(source.split()):
            raise BadExpression(f"it loops ({macro.strip('.(')}): conditions over one bill need no loop")
    return Condition(source, made)


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0].removeprefix("INVALID_ARGUMENT: ERROR: <input>:")
