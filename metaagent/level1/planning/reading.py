"""A plan as it can be judged, read from any data: what has not the form that it should is named and left out.
Pure and total."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast

from metaagent.errors import Text
from metaagent.global_state import FallbackPlan, PlanningState, PlanStep, StepInput
from metaagent.input_checks import ID
from metaagent.level1.planning.problems import Problems
from metaagent.values import mapping


class _Form(NamedTuple):
    fits: Callable[[Any], bool]
    name: Text


def _is_text(value: Any) -> bool:
    return type(value) is str


def _is_list(value: Any) -> bool:
    return type(value) is list


def _are_texts(value: Any) -> bool:
    return type(value) is list and all(type(item) is str for item in cast("list[Any]", value))


def _is_map(value: Any) -> bool:
    return type(value) is dict


def _is_flag(value: Any) -> bool:
    return type(value) is bool


def _is_count(value: Any) -> bool:
    return type(value) is int


def _is_number(value: Any) -> bool:
    return type(value) in {int, float}


_TEXT = _Form(_is_text, Text(en="text", ko="텍스트"))
_TEXTS = _Form(_are_texts, Text(en="a list of texts", ko="텍스트 목록"))
_LIST = _Form(_is_list, Text(en="a list", ko="목록"))
_MAP = _Form(_is_map, Text(en="a map", ko="맵"))
_FLAG = _Form(_is_flag, Text(en="true or false", ko="참 또는 거짓"))
_COUNT = _Form(_is_count, Text(en="a whole number", ko="정수"))
_NUMBER = _Form(_is_number, Text(en="a number", ko="숫자"))

_PLAN = {
    "execution_plan": _LIST,
    "fallback_plans": _LIST,
    "priority_order": _TEXTS,
    "estimated_total_time": _NUMBER,
    "plan_version": _COUNT,
}
_STEP = {
    "agents": _TEXTS,
    "capability": _TEXT,
    "task": _TEXT,
    "params": _MAP,
    "parallel": _FLAG,
    "timeout": _NUMBER,
    "retry_count": _COUNT,
    "dependencies": _TEXTS,
    "checkpoint": _FLAG,
    "inputs": _LIST,
    "produces": _TEXTS,
    "optional": _FLAG,
    "part": _MAP,
}
_INPUT = {"kind": _TEXT, "from_step": _TEXT, "artifact_id": _TEXT}
_FALLBACK = {"for_step": _TEXT, "trigger": _TEXT, "replace_with": _TEXT}


def read_plan(plan: object, problems: Problems) -> PlanningState:
    """Read the parts of a plan that have to do with its running. A step without a usable id is called by its place: `#2`."""
    given = {key: value for key, value in mapping(plan).items() if value is not None}
    if not isinstance(plan, Mapping):
        problems.add("wrong_type", "", plan, what="planning_state", field="plan", wanted=_MAP.name)
    sound = _read(given, _PLAN, "", problems)
    steps = [_step(step, place, problems) for place, step in enumerate(sound.get("execution_plan", ()), 1)]
    fallbacks = [
        _record(each, _FALLBACK, "", "fallback_plans", problems) for each in sound.get("fallback_plans", ())
    ]
    sound["execution_plan"] = steps
    sound["fallback_plans"] = cast("list[FallbackPlan]", fallbacks)
    return cast("PlanningState", sound)


def _step(step: object, place: int, problems: Problems) -> PlanStep:
    given: object = mapping(step).get("step_id")
    usable = isinstance(given, str) and ID.fullmatch(given)
    name = given if isinstance(given, str) and usable else f"#{place}"
    sound = cast("PlanStep", _record(step, _STEP, name, "execution_plan", problems))
    if not usable and isinstance(step, dict):
        problems.add("bad_step_id", name, given)
    sound["step_id"] = name
    inputs = [_record(each, _INPUT, name, "inputs", problems) for each in sound.get("inputs", ())]
    sound["inputs"] = cast("list[StepInput]", inputs)
    return sound


def _record(
    value: object, forms: Mapping[str, _Form], step: str, inside: str, problems: Problems
) -> dict[str, Any]:
    if type(value) is dict:
        return _read(cast("dict[str, Any]", value), forms, step, problems)
    problems.add("wrong_type", step, value, what=step or "plan", field=inside, wanted=_MAP.name)
    return {}


def _read(
    record: Mapping[str, Any], forms: Mapping[str, _Form], step: str, problems: Problems
) -> dict[str, Any]:
    sound: dict[str, Any] = {}
    for field, form in forms.items():
        if field not in record:
            continue
        if form.fits(record[field]):
            sound[field] = record[field]
        else:
            problems.add(
                "wrong_type", step, record[field], what=step or "plan", field=field, wanted=form.name
            )
    return sound
