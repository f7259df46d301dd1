"""Problems of a state: each with where it is and what to do. The annotations say what fits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin

from langchain_core.messages import AnyMessage, BaseMessage
from typing_extensions import TypedDict, get_type_hints, is_typeddict

from metaagent.global_state import GlobalSessionState
from metaagent.language.patterns import regex
from metaagent.values import MAX_DEPTH

IDENTITY = ("session_id", "step_id", "task_id", "raw_query")
"""A state that declares one of these is nobody's without it. Every other field may be missing."""


class Problem(TypedDict):
    path: str
    problem: str
    value_type: str
    remedy: str


class StateValidator:
    """Holds which type of state it validates: one of ours, or a plugin's own."""

    def __init__(self, kind: Any = GlobalSessionState) -> None:
        self.kind = kind

    def validate(self, state: object) -> list[Problem]:
        unknown = _unknown_fields(state, self.kind) if is_typeddict(self.kind) else ()
        return [*unknown, *_check(_At(state, self.kind, "", ()))]


class _At(NamedTuple):
    """One value on the walk: what it should be, where it is, and what it is inside of."""

    value: Any
    hint: Any
    path: str
    inside: tuple[int, ...]

    def child(self, value: Any, hint: Any, step: str) -> _At:
        return _At(value, hint, (self.path + step).removeprefix("."), (*self.inside, id(self.value)))

    def problem(self, problem: str, remedy: str) -> Problem:
        kind = type(self.value).__name__
        return {"path": self.path or ".", "problem": problem, "value_type": kind, "remedy": remedy}


def _check(at: _At) -> Iterator[Problem]:
    if id(at.value) in at.inside:
        yield at.problem("contains itself", "Refer to the other value by its id.")
    elif len(at.inside) >= MAX_DEPTH and isinstance(at.value, list | dict):
        yield at.problem(f"is nested deeper than {MAX_DEPTH}", "Flatten it, or store it as an artifact.")
    else:
        plain = list(_plain(at))
        yield from plain or _typed(at)


# --- plain data -----------------------------------------------------------------------------------------


_SURROGATE = regex("[\ud800-\udfff]")


def _plain(at: _At) -> Iterator[Problem]:
    """Check that a value comes back from msgpack as it went in. A subclass does not: an enum returns as text."""
    value = at.value
    if type(value) is str:
        if not _encodable(value):
            yield at.problem("holds half of a surrogate pair", "Replace it when the text is taken in.")
    elif type(value) is int:
        if not -(2**63) <= value < 2**64:
            yield at.problem("is an integer of more than 64 bits", "Write it as text.")
    elif type(value) not in {bool, float, NoneType, list, dict} and not isinstance(value, BaseMessage):
        yield at.problem("is not plain data", "Use str, int, float, bool, None, list, dict or a message.")


def _encodable(value: str) -> bool:
    return value.isascii() or not _SURROGATE.search(value)


# --- types ----------------------------------------------------------------------------------------------


def _typed(at: _At) -> Iterator[Problem]:
    hint = next((option for option in _options(at.hint) if _fits(at.value, option)), None)
    if hint is None:
        yield at.problem(f"should be {_name(at.hint)}", f"Write {_name(at.hint)}, or leave the field out.")
    elif isinstance(at.value, BaseMessage):
        yield from _check(at.child(at.value.content, Any, ".content"))
        yield from _check(at.child(at.value.additional_kwargs, Any, ".additional_kwargs"))
    elif isinstance(at.value, list):
        of = (get_args(hint) or (Any,))[0]
        for index, item in enumerate(at.value):
            yield from _check(at.child(item, of, f"[{index}]"))
    elif isinstance(at.value, dict):
        yield from _fields(at, hint)


def _fields(at: _At, hint: Any) -> Iterator[Problem]:
    declared = _hints(hint) if is_typeddict(hint) else {}
    other = (get_args(hint) or (str, Any))[1]
    for name in IDENTITY:
        if name in declared and name not in at.value:
            yield at.problem(f"has no {name}", f"Set {name} when the state is created.")
    for key, value in at.value.items():
        if type(key) is not str or not _encodable(key):
            yield at.problem("has a key that is not clean text", "Use text without lone surrogates for keys.")
            yield from _check(at.child(value, other, "[?]"))
            continue
        field = at.child(value, declared.get(key, other), f".{key}")
        wrong = list(_check(field))
        yield from wrong or (_in_range(field, key) if key in declared else ())


def _options(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in {Union, UnionType} else (hint,)


def _fits(value: Any, hint: Any) -> bool:
    """Say whether the value itself has the type; its contents is looked at on its own."""
    if hint is Any:
        return True
    if get_origin(hint) is Literal:
        return any(type(value) is type(choice) and value == choice for choice in get_args(hint))
    if is_typeddict(hint):
        return type(value) is dict
    if hint is float:
        return type(value) in {int, float}
    if hint is int:
        return type(value) is int
    return isinstance(value, get_origin(hint) or hint)


def _name(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return "one of " + ", ".join(map(repr, get_args(hint)))
    if get_origin(hint) in {Union, UnionType}:
        return " or ".join(map(_name, _options(hint)))
    return "None" if hint is NoneType else getattr(hint, "__name__", str(hint))


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, localns={"AnyMessage": AnyMessage})


def _unknown_fields(state: object, kind: Any) -> Iterator[Problem]:
    """Name unknown fields at the top: below it, records are open and a plugin's state has fields of its own."""
    if isinstance(state, dict):
        for key, value in state.items():
            if type(key) is str and key not in _hints(kind):
                at = _At(value, Any, key, ())
                yield at.problem(f"is no field of {kind.__name__}", "Remove it, or declare it in the type.")


# --- ranges ---------------------------------------------------------------------------------------------

_TIME = regex(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|\+00:00)", re.ASCII)


def is_time(value: str) -> bool:
    """ISO-8601 in UTC with milliseconds, and a moment that exists."""
    if not _TIME.fullmatch(value):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def _is_span(value: list[Any]) -> bool:
    return len(value) == 2 and 0 <= value[0] <= value[1]


def _are_records(value: list[Mapping[str, Any]]) -> bool:
    return all(isinstance(record.get("id"), str) and record["id"] for record in value)


def _is_share(value: float) -> bool:
    return 0 <= value <= 1


def _are_shares(value: Mapping[str, float]) -> bool:
    return all(map(_is_share, value.values()))


def _is_percentage(value: float) -> bool:
    return 0 <= value <= 100


def _is_amount(value: float) -> bool:
    return value >= 0


class _Range(NamedTuple):
    holds: Callable[[Any], bool]
    problem: str
    remedy: str


_SHARE = _Range(_is_share, "is outside 0..1", "Scale it to 0..1.")
_SHARES = _Range(_are_shares, "has a score outside 0..1", "Scale every score to 0..1.")
_PERCENTAGE = _Range(_is_percentage, "is outside 0..100", "Write a percentage of 0 to 100.")
_AMOUNT = _Range(_is_amount, "is not 0 or more", "Write 0 or more.")
_MOMENT = _Range(is_time, "is not a time in UTC with milliseconds", "Write it like 2025-01-10T09:00:00.000Z.")
_SPAN = _Range(_is_span, "is not a span", "Write [start, end] with 0 <= start <= end.")
_RECORDS = _Range(_are_records, "holds a record without an id", "Give each record a text as its id.")

_FIELDS_OF = {
    _SHARE: "confidence confidence_score complexity_score quality_score execution_progress",
    _SHARES: "quality_scores",
    _PERCENTAGE: "progress_percentage",
    _AMOUNT: """
        schema_version iteration_count total_tokens_used db_queries_executed execution_time estimated_time
        estimated_total_time estimated_steps total_execution_time timeout retry_count attempts replan_attempts
        reanalysis_attempts plan_version current_plan current_version data_size cpu_cores memory_gb api_calls
        db_connections""",
    _MOMENT: "timestamp query_timestamp start_time end_time started_at completed_at",
    _SPAN: "span",
    _RECORDS: "errors warnings audit_trail",
}
_RANGES = {field: rule for rule, fields in _FIELDS_OF.items() for field in fields.split()}


def _in_range(at: _At, field: str) -> Iterator[Problem]:
    rule = _RANGES.get(field)
    if rule is not None and at.value is not None and not rule.holds(at.value):
        yield at.problem(rule.problem, rule.remedy)
