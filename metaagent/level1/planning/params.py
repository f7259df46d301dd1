"""The check of a step's parameters against the type that its agent declares for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import pydantic

from metaagent.errors import Text, misfit
from metaagent.plugin import AgentSpec
from metaagent.values import mapping, sequence

_UNKNOWN = Text(en="is no parameter of it", ko="이 에이전트에 없는 매개변수입니다")
_KNOWN = Text(en=" (it takes {names})", ko="(있는 매개변수: {names})")
_NONE = Text(en=" (it takes none)", ko="(매개변수가 없는 에이전트입니다)")
_BROKEN = Text(en="does not fit ({message})", ko="맞지 않습니다({message})")
_NOT_TAKEN = frozenset({"extra_forbidden", "unexpected_keyword_argument"})


class Misfit(NamedTuple):
    parameter: str
    why: str


class Parameter(NamedTuple):
    """A parameter that an agent takes: its value is what the plan gives, else what the agent takes without a word."""

    name: str
    value: Any
    given: bool
    required: bool


@lru_cache(maxsize=1000)
def adapter_of(expected: Any) -> pydantic.TypeAdapter[Any]:
    return pydantic.TypeAdapter(expected)


def accepts(spec: AgentSpec, params: Mapping[str, Any]) -> bool:
    return not misfits(spec, params, "en")


def misfits(spec: AgentSpec, params: Mapping[str, Any], language: str) -> list[Misfit]:
    """Every parameter that does not fit, a misspelt one included. Without a declared type, all do."""
    if spec.params is None:
        return []
    try:
        adapter_of(spec.params).validate_python(params, extra=_extra(spec.params))
    except pydantic.ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
        return [_misfit(each, taken(spec.params), language) for each in found]
    except Exception as error:  # noqa: BLE001 - the type is the plugin's, and what it runs may raise anything: so would the step
        return [Misfit("params", _BROKEN.say(language, message=f"{type(error).__name__}: {error}"))]
    return []


def _extra(declared: Any) -> Literal["forbid"] | None:
    """Say whether a type takes parameters that it does not name: one that says so does."""
    config = mapping(
        getattr(declared, "model_config", None) or getattr(declared, "__pydantic_config__", None)
    )
    return None if config.get("extra") == "allow" else "forbid"


def taken(declared: Any) -> tuple[Parameter, ...]:
    """The parameters of a declared type, with its defaults; none if the type cannot say (it is the plugin's)."""
    try:
        schema = mapping(adapter_of(declared).json_schema()) if declared is not None else {}
    except Exception:  # noqa: BLE001 - a type that only Python can describe
        return ()
    required = set(sequence(schema.get("required")))
    return tuple(
        Parameter(name, mapping(about).get("default"), given=False, required=name in required)
        for name, about in mapping(schema.get("properties")).items()
    )


def parameters(spec: AgentSpec | None, given: Mapping[str, Any]) -> list[Parameter]:
    """Every parameter of a step, the given ones first: what they are and what the agent takes where nothing is given."""
    known = {each.name: each for each in taken(spec.params if spec else None)}
    first = [
        Parameter(name, value, given=True, required=known[name].required if name in known else False)
        for name, value in given.items()
    ]
    return [*first, *(each for name, each in known.items() if name not in given)]


def unknown_params(
    spec: AgentSpec, before: Mapping[str, Any], edit: Mapping[str, Any], language: str
) -> list[Misfit]:
    """Parameters that a person sets for an agent that declares no type and was not given them: they would do nothing."""
    if spec.params is not None:
        return []
    why = _UNKNOWN.say(language) + names_of(before, language)
    return [Misfit(name, why) for name in edit if name not in before]


def names_of(known: Iterable[str], language: str) -> str:
    """The parameters that exist, to be said behind one that does not."""
    names = ", ".join(known)
    return _KNOWN.say(language, names=names) if names else _NONE.say(language)


def _misfit(error: Mapping[str, Any], known: Sequence[Parameter], language: str) -> Misfit:
    path = ".".join(map(str, error["loc"])) or "params"
    if error["type"] not in _NOT_TAKEN:
        return Misfit(path, misfit(error).say(language))
    exist = names_of((each.name for each in known), language) if len(error["loc"]) == 1 else ""
    return Misfit(path, _UNKNOWN.say(language) + exist)
