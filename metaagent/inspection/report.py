"""A turn as one HTML page without scripts or outside resources, fit to be attached to a bug report.

Everything that a person or an agent wrote is redacted first; the template `report.html` escapes every value.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

from jinja2 import Environment, FileSystemLoader

from metaagent.errors import Text
from metaagent.inspection.inspector import TurnPicture
from metaagent.inspection.labels import PHASES, label, phase_label
from metaagent.monitor import say_bytes
from metaagent.protection.escaping import printable
from metaagent.security import StateSecurityManager
from metaagent.values import clip, mapping, number, rows, seconds_between, sequence, text

_TITLE = Text(en="Turn {number} of session {session}", ko="세션 {session}의 {number}번 턴")
_NOTE = Text(
    en="Personal data and secrets were removed automatically. Read it through before you pass it on.",
    ko="개인정보와 비밀값은 자동으로 지웠습니다. 전달하기 전에 한 번 더 확인하세요.",
)
_NOT_KEPT = Text(
    en="The states of this turn's nodes are no longer kept.",
    ko="이 턴의 노드별 상태는 더 이상 보관되지 않습니다.",
)
_UNREADABLE = Text(
    en="{count} checkpoints could not be read.", ko="읽을 수 없는 체크포인트가 {count}개 있습니다."
)
EVENTS_SHOWN = 400


STATUSES = frozenset(
    {"completed", "failed", "skipped", "in_progress", "pending", "waiting", "cancelled", "running"}
)
"""Words that the style sheet knows: no others become a class."""
_WIDTH, _HEIGHT, _GAP_X, _GAP_Y, _PAD = 196, 64, 56, 18, 4


def render_report(picture: TurnPicture, *, language: str | None = None, version: str = "") -> str:
    """The page, in the language of the turn unless another is given."""
    spoken = "ko" if (language or picture.turn.language) == "ko" else "en"
    clean = cast("dict[str, Any]", StateSecurityManager().sanitize_state_for_logging(_digest(picture)))
    page = _environment().get_template("report.html")
    return page.render(_view(clean, spoken), label=partial(label, language=spoken), version=version)


def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        finalize=_shown,
    )
    made.filters["bytes"] = _bytes
    made.filters["clip"] = _clipped
    made.filters["seconds"] = _seconds
    return made


def _shown(value: object) -> object:
    """A value as the page shows it, before it is escaped."""
    return printable(value) if type(value) is str else "" if value is None else value


def _bytes(size: object) -> str:
    return say_bytes(int(number(size)))


def _clipped(value: object, width: int) -> str:
    return clip(str(value), width)


def _digest(picture: TurnPicture) -> dict[str, Any]:
    """The content of the page, and no more: whole events and states can be very large. Nothing is cut short yet, for
    half a number would not be recognised."""
    turn = picture.turn
    names = ("number", "session_id", "turn_id", "status", "started_at", "language", "question")
    return {
        "turn": {
            **{name: getattr(turn, name) for name in names},
            "answer": turn.outcome.get("answer"),
            "confidence": turn.outcome.get("confidence"),
        },
        "seconds": picture.seconds,
        "unreadable": picture.unreadable,
        "event_count": len(picture.events),
        "phases": [asdict(phase) for phase in picture.phases],
        "nodes": [
            {"node": mark.node, "size": mark.change["size"], "change": _change(mark.change)}
            for mark in picture.nodes
        ],
        "steps": list(picture.steps),
        "dependencies": {step: list(before) for step, before in picture.dependencies.items()},
        "artifacts": list(picture.artifacts),
        "warnings": list(picture.warnings),
        "errors": list(picture.errors),
        "events": _event_lines(turn.started_at, picture.events[:EVENTS_SHOWN]),
    }


def _event_lines(started: str, events: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    todo: Mapping[str, Any] = {}
    for event in events:
        at = text(event.get("timestamp"))
        offset = f"+{max(0.0, seconds_between(started, at)):.2f} s" if started and at else ""
        lines.append(
            {
                "seq": event.get("seq"),
                "offset": offset,
                "type": event.get("type"),
                "gist": _gist(event, todo),
            }
        )
        todo = event if event.get("type") in {"todo_updated", "execution_start"} else todo
    return lines


def _view(digest: Mapping[str, Any], language: str) -> dict[str, Any]:
    """The values of the template."""
    turn = mapping(digest["turn"])
    steps, nodes = rows(digest["steps"]), _grown(rows(digest["nodes"]))
    done = sum(text(step.get("status")) == "completed" for step in steps)
    errors = [("failed", e.get("code"), e.get("message"), e.get("agent")) for e in rows(digest["errors"])]
    warned = [("skipped", w.get("code"), w.get("text"), w.get("agent")) for w in rows(digest["warnings"])]
    confidence, unreadable = turn["confidence"], digest["unreadable"]
    return {
        **digest,
        "language": language,
        "statuses": STATUSES,
        "title": _TITLE.say(language, number=turn["number"], session=turn["session_id"]),
        "note": _NOTE.say(language),
        "not_kept": _NOT_KEPT.say(language),
        "unreadable": _UNREADABLE.say(language, count=unreadable) if unreadable else "",
        "cards": [
            ("duration", _seconds(digest["seconds"])),
            ("steps", f"{done} / {len(steps)}"),
            ("state_size", say_bytes(int(nodes[-1]["size"])) if nodes else "–"),
            ("artifacts", len(sequence(digest["artifacts"]))),
            ("events", digest["event_count"]),
            ("confidence", "–" if confidence is None else f"{number(confidence):.0%}"),
        ],
        "problems": [*errors, *warned],
        "phases": _phases(rows(digest["phases"]), language),
        "plan": plan_layout(steps, mapping(digest["dependencies"])),
        "nodes": nodes,
    }


def _phases(spans: Sequence[Mapping[str, Any]], language: str) -> list[dict[str, Any]]:
    spent = [number(span["seconds"]) for span in spans]
    total = sum(spent)
    names = [text(span["phase"]) if span["phase"] in PHASES else "completed" for span in spans]
    return [
        {
            "name": name,
            "label": phase_label(name, language),
            "seconds": seconds,
            "share": 100 * seconds / total if total > 0 else 100 / len(spent),
        }
        for name, seconds in zip(names, spent, strict=True)
    ]


def _grown(nodes: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The nodes, each with its share of the largest state and its growth over the one before."""
    sizes = [int(number(node["size"])) for node in nodes]
    most = max(sizes, default=0) or 1
    deltas = [size - before for before, size in itertools.pairwise(sizes)]
    said = ["", *(f"{'+' if delta >= 0 else '−'}{say_bytes(abs(delta))}" for delta in deltas)]
    return [
        {**node, "size": size, "share": size / most, "growth": growth}
        for node, size, growth in zip(nodes, sizes, said, strict=False)
    ]


@dataclass(frozen=True)
class Box:
    """A step in the picture of the plan."""

    step: Mapping[str, Any]
    x: int
    y: int
    seconds: float
    share: float
    """Part of the longest step's time."""
    width: int = _WIDTH
    height: int = _HEIGHT

    @property
    def status(self) -> str:
        status = text(self.step.get("status"))
        return status if status in STATUSES else "pending"


@dataclass(frozen=True)
class PlanLayout:
    width: int
    height: int
    boxes: Sequence[Box]
    edges: Sequence[str]


def plan_layout(steps: Sequence[Mapping[str, Any]], dependencies: Mapping[str, Any]) -> PlanLayout:
    """Place the steps from left to right by dependency, each with its share of the longest time."""
    by_id = {text(step.get("step_id")): step for step in steps}
    needs = {name: [text(d) for d in sequence(dependencies.get(name))] for name in by_id}
    depth = layers(needs, list(by_id))
    longest = max(map(step_seconds, steps), default=0.0)
    rank: dict[str, int] = {}
    boxes: dict[str, Box] = {}
    for name, step in by_id.items():
        rank[name] = sum(depth[other] == depth[name] for other in rank)
        x, y = _PAD + depth[name] * (_WIDTH + _GAP_X), _PAD + rank[name] * (_HEIGHT + _GAP_Y)
        seconds = step_seconds(step)
        boxes[name] = Box(step, x, y, seconds, seconds / longest if longest > 0 else 0)
    return PlanLayout(
        max((box.x for box in boxes.values()), default=0) + _WIDTH + _PAD,
        max((box.y for box in boxes.values()), default=0) + _HEIGHT + _PAD,
        list(boxes.values()),
        [_edge(boxes[before], boxes[name]) for name in by_id for before in needs[name] if before in boxes],
    )


def _edge(start: Box, end: Box) -> str:
    x1, y1, x2, y2 = start.x + _WIDTH, start.y + _HEIGHT // 2, end.x - 1, end.y + _HEIGHT // 2
    bend = (x2 - x1) // 2
    return f"M{x1} {y1}C{x1 + bend} {y1} {x2 - bend} {y2} {x2} {y2}"


def layers(dependencies: Mapping[str, Sequence[str]], order: Sequence[str]) -> dict[str, int]:
    """The distance of each step from a beginning. A cycle, which no valid plan has, ends where it is met again."""
    depth: dict[str, int] = {}

    def of(step: str, above: frozenset[str]) -> int:
        if step not in depth:
            before = [name for name in dependencies.get(step, ()) if name in known and name not in above]
            depth[step] = 1 + max((of(name, above | {step}) for name in before), default=-1)
        return depth[step]

    known = frozenset(order)
    for step in order:
        of(step, frozenset({step}))
    return depth


def step_seconds(step: Mapping[str, Any]) -> float:
    started, ended = text(step.get("started_at")), text(step.get("completed_at"))
    return max(0.0, seconds_between(started, ended)) if started and ended else 0.0


def _seconds(value: object) -> str:
    seconds = number(value)
    return f"{seconds:.2f} s" if seconds < 100 else f"{seconds / 60:.1f} min"


def _change(change: Mapping[str, Any]) -> str:
    """A node's doing in one line: phase, agents, tasks, errors."""
    moved = mapping(change.get("phase_transition"))
    parts = [f"{moved.get('from') or '·'} → {moved.get('to') or '·'}"] if moved else []
    parts += [f"{agent['agent']}: {agent['to']}" for agent in rows(change.get("agent_changes"))]
    parts += (
        [f"+{number(change.get('progress_delta')):.0f} %"] if number(change.get("progress_delta")) else []
    )
    parts += [f"✗ {len(sequence(change['new_errors']))}"] if change.get("new_errors") else []
    return " · ".join(parts)


def _todo(step: Mapping[str, Any]) -> str:
    percent = f" {step.get('progress_percentage')} %" if step.get("status") == "in_progress" else ""
    return f"{step.get('step_id')} {step.get('status')}{percent}"


def _gist(event: Mapping[str, Any], before: Mapping[str, Any]) -> str:
    """An event in one line; of a to-do list, only its changes."""
    steps = rows(event.get("steps"))
    match event.get("type"):
        case "todo_updated":
            known = rows(before.get("steps"))
            return " · ".join(_todo(s) for s in steps if s not in known) or " · ".join(map(_todo, steps))
        case "plan_ready":
            return f"v{event.get('plan_version')} {event.get('strategy')}: " + ", ".join(
                f"{s.get('step_id')} {'/'.join(map(str, sequence(s.get('agents'))))}" for s in steps
            )
        case "artifact_ready":
            ref = mapping(event.get("artifact"))
            return f"{ref.get('kind')} {ref.get('id')}"
        case "execution_start":
            return ", ".join(text(s.get("step_id")) for s in steps)
        case _:
            words = (event.get(name) for name in ("question", "reason", "message", "answer"))
            return next((text(word) for word in words if word), "")
