"""The record of a step that ended, and what is shown of an agent's own words. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from metaagent.errors import Text
from metaagent.global_state import PlanStep, StepOutcome
from metaagent.level1.execution_manager.trouble import Trouble
from metaagent.ports import ArtifactRef
from metaagent.protection.redaction import Redactor
from metaagent.values import seconds_between

LONGEST_MESSAGE = 2000
LONGEST_DEFECT = 500
"""Characters of an error or a question of an agent that a person is shown."""

_LOW_QUALITY = Text(
    en="its result was not good enough ({quality:g} of 1)", ko="결과의 품질이 낮음(1점 만점에 {quality:g})"
)


def started_by(outcome: StepOutcome) -> StepOutcome:
    """An outcome that says whom it started: only the one that counts in the end says so by itself."""
    return {**outcome, "calls": {outcome["agent"]: outcome["attempts"]} if outcome["attempts"] else {}}


def why_lost(outcome: StepOutcome, language: str) -> str:
    return outcome["error"] or _LOW_QUALITY.say(language, quality=outcome["quality"])


def new_outcome(
    step: PlanStep, agent: str, trouble: Trouble | None, *, started: str, ended: str
) -> StepOutcome:
    """The record of a step that ended. Plain data: it goes into the checkpoint."""
    part = step.get("part")
    outcome: StepOutcome = {
        "step_id": step.get("step_id", ""),
        "capability": step.get("capability", ""),
        "agent": agent,
        "status": "failed" if trouble else "completed",
        "summary": "",
        "confidence": 0.0,
        "quality": 0.0,
        "inputs": {},
        "artifacts": [],
        "sources": [],
        "citations": [],
        "state": {},
        "error": printable(trouble.message) if trouble else None,
        "error_type": trouble.kind if trouble else None,
        "attempts": 0,
        "calls": {},
        "db_queries": 0,
        "started_at": started,
        "ended_at": ended,
        "seconds": seconds_between(started, ended),
    }
    return {**outcome, "part": part} if part else outcome


def with_ids(value: Any, made: Sequence[ArtifactRef]) -> Any:
    """Replace `artifact:#n` in an agent's state by the id of the n-th artifact that it returned."""
    if isinstance(value, dict):
        return {key: with_ids(inner, made) for key, inner in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [with_ids(inner, made) for inner in cast("list[Any]", value)]
    if isinstance(value, str) and value.startswith("artifact:#"):
        number = value.removeprefix("artifact:#")
        known = number.isdigit() and int(number) < len(made)
        return f"artifact:{made[int(number)].id}" if known else value
    return value


def printable(text: object) -> str:
    """Make storable text of what an agent says about itself, which may be any object, with characters that cannot be stored,
    and of any length."""
    said = str(text)
    cut = said if len(said) <= LONGEST_MESSAGE else f"{said[:LONGEST_MESSAGE]}…"
    return cut.encode(errors="replace").decode()


def described(error: BaseException) -> str:
    """Name what an agent raised, whose text may itself break."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001 - the error's own text is broken, too
        return type(error).__name__


def for_the_asker(problem: str) -> str:
    """Take personal data and secrets out of a defect's text, which no author wrote for a person to read."""
    cut = problem if len(problem) <= LONGEST_DEFECT else f"{problem[:LONGEST_DEFECT]}…"
    return Redactor().redact_text(cut)
