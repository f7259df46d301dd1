"""The events of a turn in words, for programs that show their user a line of progress. Pure."""

from __future__ import annotations

from metaagent.errors import Text
from metaagent.ports import Json

_SAID = {
    "queued": Text(en="Waiting in place {place}", ko="{place}번째로 기다리고 있습니다"),
    "planning_start": Text(en="Reading the question", ko="질문을 읽고 있습니다"),
    "plan_ready": Text(en="The plan has {count} step(s)", ko="계획은 {count}단계입니다"),
    "execution_start": Text(en="Working", ko="작업을 시작합니다"),
    "artifact_ready": Text(en="Made: {summary}", ko="완성: {summary}"),
    "replan": Text(en="Planning anew", ko="계획을 다시 세웁니다"),
    "response": Text(en="Answered", ko="답이 준비되었습니다"),
}
_STEP = Text(en="{description} ({done}/{count})", ko="{description} ({done}/{count})")


def narrate(event: Json, language: str) -> str:
    """A line about an event; empty where it says nothing to a person."""
    if event["type"] == "todo_updated":
        return _step(event["steps"], language)
    text = _SAID.get(event["type"])
    if text is None:
        return ""
    summary = (event.get("artifact") or {}).get("summary", "")
    return text.say(
        language, count=len(event.get("steps") or ()), summary=summary, place=event.get("place", "")
    )


def _step(steps: list[Json], language: str) -> str:
    done = sum(step["status"] in {"completed", "failed", "skipped"} for step in steps)
    now = next((step for step in steps if step["status"] == "in_progress"), steps[-1] if steps else None)
    if now is None:
        return ""
    return _STEP.say(language, description=now["description"], done=done, count=len(steps))
