"""The check of a step's parameters against the type that its agent declares for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import pydantic

from metaagent.errors import Text
from metaagent.plugin import AgentSpec
from metaagent.values import mapping, sequence

_UNKNOWN = Text(en="is no parameter of it", ko="이 에이전트에 없는 매개변수입니다")
_KNOWN = Text(en=" (it takes {names})", ko="(있는 매개변수: {names})")
_NONE = Text(en=" (it takes none)", ko="(매개변수가 없는 에이전트입니다)")
_WHY = {
    "missing": Text(en="is missing", ko="빠졌습니다"),
    "missing_argument": Text(en="is missing", ko="빠졌습니다"),
    "missing_keyword_only_argument": Text(en="is missing", ko="빠졌습니다"),
    "extra_forbidden": _UNKNOWN,
    "unexpected_keyword_argument": _UNKNOWN,
    "int": Text(en="must be a whole number", ko="정수여야 합니다"),
    "float": Text(en="must be a number", ko="숫자여야 합니다"),
    "decimal": Text(en="must be a number", ko="숫자여야 합니다"),
    "finite_number": Text(en="must be a finite number", ko="유한한 숫자여야 합니다"),
    "bool": Text(en="must be true or false", ko="참 또는 거짓이어야 합니다"),
    "string": Text(en="must be text", ko="텍스트여야 합니다"),
    "string_too_short": Text(
        en="must have at least {min_length} characters", ko="{min_length}자 이상이어야 합니다"
    ),
    "string_too_long": Text(
        en="must have at most {max_length} characters", ko="{max_length}자 이하여야 합니다"
    ),
    "string_pattern_mismatch": Text(en="must match the pattern {pattern}", ko="{pattern} 형식이어야 합니다"),
    "list": Text(en="must be a list", ko="목록이어야 합니다"),
    "tuple": Text(en="must be a list", ko="목록이어야 합니다"),
    "dict": Text(en="must be a map", ko="맵이어야 합니다"),
    "too_short": Text(
        en="must have at least {min_length} items", ko="항목이 {min_length}개 이상이어야 합니다"
    ),
    "too_long": Text(en="must have at most {max_length} items", ko="항목이 {max_length}개 이하여야 합니다"),
    "date": Text(en="must be a date like 2025-01-31", ko="2025-01-31 같은 날짜여야 합니다"),
    "datetime": Text(
        en="must be a time like 2025-01-31T09:00:00Z", ko="2025-01-31T09:00:00Z 같은 시각이어야 합니다"
    ),
    "literal_error": Text(en="must be {expected}", ko="다음 중 하나여야 합니다: {expected}"),
    "enum": Text(en="must be {expected}", ko="다음 중 하나여야 합니다: {expected}"),
    "greater_than": Text(en="must be more than {gt}", ko="{gt}보다 커야 합니다"),
    "greater_than_equal": Text(en="must be at least {ge}", ko="{ge} 이상이어야 합니다"),
    "less_than": Text(en="must be less than {lt}", ko="{lt}보다 작아야 합니다"),
    "less_than_equal": Text(en="must be at most {le}", ko="{le} 이하여야 합니다"),
}
_OTHER = Text(en="does not fit ({message})", ko="맞지 않습니다({message})")
_FAMILIES = (
    "_type",
    "_parsing",
    "_parsing_size",
    "_from_float",
    "_from_date_parsing",
    "_from_datetime_parsing",
)


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
        return [Misfit("params", _OTHER.say(language, message=f"{type(error).__name__}: {error}"))]
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
    kind, params = error["type"], error.get("ctx") or {}
    family = next((kind.removesuffix(end) for end in _FAMILIES if kind.endswith(end)), kind)
    why = _WHY.get(kind) or _WHY.get(family) or _OTHER
    path = ".".join(map(str, error["loc"])) or "params"
    exist = (
        names_of((each.name for each in known), language)
        if why is _UNKNOWN and len(error["loc"]) == 1
        else ""
    )
    return Misfit(path, why.say(language, **{**params, "message": error["msg"]}) + exist)
