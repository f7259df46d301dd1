"""A turn as one HTML page without scripts or outside resources, fit to be attached to a bug report.

Everything that a person or an agent wrote is redacted first, then escaped; only this module's own text is markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, cast

from metaagent.errors import Text
from metaagent.inspection.inspector import TurnPicture
from metaagent.inspection.report_svg import CSS, LABELS, bars, clip, dag, phase_track, step_seconds
from metaagent.monitor import say_bytes
from metaagent.protection.escaping import for_html
from metaagent.security import StateSecurityManager
from metaagent.values import mapping, number, rows, seconds_between, sequence, text

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


def render_report(picture: TurnPicture, *, language: str | None = None, version: str = "") -> str:
    """The page in the language of the turn, unless another is given."""
    said = language or picture.turn.language
    clean = cast("dict[str, Any]", StateSecurityManager().sanitize_state_for_logging(_digest(picture)))
    return _Report(clean, said if said == "ko" else "en", version).page()


def _digest(picture: TurnPicture) -> dict[str, Any]:
    """What the page shows, and no more: whole events and states can be very large. Nothing is cut short yet, for
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
        lines.append(
            {
                "seq": event.get("seq"),
                "offset": _offset(started, event),
                "type": event.get("type"),
                "gist": _gist(event, todo),
            }
        )
        todo = event if event.get("type") in {"todo_updated", "execution_start"} else todo
    return lines


class _Report:
    """Holds the redacted picture and the language while the page is put together."""

    def __init__(self, picture: Mapping[str, Any], language: str, version: str) -> None:
        self._picture = picture
        self._turn = mapping(picture["turn"])
        self._language = language
        self._version = version

    def page(self) -> str:
        title = _TITLE.say(self._language, number=self._turn["number"], session=self._turn["session_id"])
        sections = (
            self._header(title),
            self._figures(),
            self._problems(),
            self._conversation(),
            self._section("phases", phase_track(self._rows("phases"), self._language)),
            self._section("plan", self._plan()),
            self._section("steps", self._steps()),
            self._section("state", self._state()),
            self._section("artifacts", self._artifacts()),
            self._section("events", self._events()),
            f'<footer>{for_html(_NOTE.say(self._language))}<span class="dim">metaagent {for_html(self._version)}</span></footer>',
        )
        return (
            f'<!doctype html>\n<html lang="{self._language}">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta name="color-scheme" content="light dark">\n'
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
            f"<title>{for_html(title)}</title>\n<style>{CSS}</style>\n</head>\n<body>\n<main>\n"
            + "\n".join(part for part in sections if part)
            + "\n</main>\n</body>\n</html>\n"
        )

    # --- sections ---------------------------------------------------------------------------------------

    def _header(self, title: str) -> str:
        turn = self._turn
        status = text(turn["status"])
        facts = " · ".join(
            for_html(part)
            for part in (
                turn["turn_id"],
                _moment(turn["started_at"]),
                f"{self._say('language')} {turn['language']}",
            )
        )
        return (
            f'<header><div><h1>{for_html(title)}</h1><p class="dim">{facts}</p></div>'
            f"{self._badge(status)}</header>"
        )

    def _figures(self) -> str:
        sizes = [int(number(node["size"])) for node in self._rows("nodes")]
        done = sum(text(step.get("status")) == "completed" for step in self._rows("steps"))
        cards = (
            ("duration", _seconds(self._picture["seconds"])),
            ("steps", f"{done} / {len(self._rows('steps'))}"),
            ("state_size", say_bytes(sizes[-1]) if sizes else "–"),
            ("artifacts", str(len(self._rows("artifacts")))),
            ("events", str(self._picture["event_count"])),
            ("confidence", _percent(self._turn["confidence"])),
        )
        return (
            '<div class="cards">'
            + "".join(
                f'<div class="card"><span class="dim">{self._label(name)}</span><b>{for_html(value)}</b></div>'
                for name, value in cards
            )
            + "</div>"
        )

    def _problems(self) -> str:
        said = [("failed", e.get("code"), e.get("message"), e.get("agent")) for e in self._rows("errors")]
        said += [("skipped", w.get("code"), w.get("text"), w.get("agent")) for w in self._rows("warnings")]
        items = "".join(
            f'<li class="{kind}"><code>{_text(code)}</code> {_text(message)}'
            + (f' <span class="dim">{_text(agent)}</span>' if agent else "")
            + "</li>"
            for kind, code, message, agent in said
        )
        return self._section("problems", f'<ul class="problems">{items}</ul>') if items else ""

    def _conversation(self) -> str:
        answer = self._turn["answer"]
        body = f'<div class="said"><span class="dim">{self._label("question")}</span><p>{_text(self._turn["question"])}</p></div>'
        if answer:
            body += f'<div class="said"><span class="dim">{self._label("answer")}</span><p>{_text(answer)}</p></div>'
        return self._section("conversation", body)

    def _plan(self) -> str:
        drawn = dag(self._rows("steps"), mapping(self._picture["dependencies"]), self._language)
        return f'<div class="scroll">{drawn}</div>' if drawn else self._none()

    def _steps(self) -> str:
        longest = max((step_seconds(step) for step in self._rows("steps")), default=0.0)
        body = [
            (
                f"<code>{_text(step.get('step_id'))}</code>",
                f'<span class="num">{_text(step.get("agent_name"))}</span>',
                _text(step.get("description")),
                self._badge(text(step.get("status"))),
                f'<span class="num">{_seconds(step_seconds(step))}</span>{_bar(step_seconds(step), longest)}',
                _text(clip(text(step.get("error")) or text(step.get("result")), 240)),
            )
            for step in self._rows("steps")
        ]
        return self._table(("step", "agent", "task", "status", "duration", "result"), body)

    def _state(self) -> str:
        nodes = self._rows("nodes")
        note = ""
        if self._picture["unreadable"]:
            note = f'<p class="dim">{_text(_UNREADABLE.say(self._language, count=self._picture["unreadable"]))}</p>'
        if not nodes:
            return f'<p class="dim">{_text(_NOT_KEPT.say(self._language))}</p>{note}'
        sizes = [(text(node["node"]), number(node["size"])) for node in nodes]
        body = [
            (
                f"<code>{_text(node['node'])}</code>",
                f'<span class="num">{say_bytes(int(size))}</span>',
                f'<span class="num">{_grown(int(size), sizes, place)}</span>',
                _text(node["change"]),
            )
            for place, (node, (_, size)) in enumerate(zip(nodes, sizes, strict=True))
        ]
        drawn = bars(sizes, self._language)
        table = self._table(("node", "size", "growth", "changes"), body)
        return f'<div class="scroll">{drawn}</div>{table}{note}'

    def _artifacts(self) -> str:
        body = [
            (
                f'<span class="tag">{_text(ref.get("kind"))}</span>',
                _text(clip(text(ref.get("summary")), 200)),
                f'<span class="num">{say_bytes(int(number(ref.get("size"))))}</span>',
                f"<code>{_text(text(ref.get('made_by')).partition('/')[2])}</code>",
                f'<code title="{_text(ref.get("id"))}">{_text(clip(text(ref.get("id")), 13))}</code>',
            )
            for ref in self._rows("artifacts")
        ]
        return self._table(("kind", "summary", "size", "made_by", "id"), body)

    def _events(self) -> str:
        count, events = int(self._picture["event_count"]), self._rows("events")
        body = [
            (
                f'<span class="num">{_text(event["seq"])}</span>',
                f'<span class="num">{_text(event["offset"])}</span>',
                f'<span class="tag">{_text(event["type"])}</span>',
                _text(clip(text(event["gist"]), 200)),
            )
            for event in events
        ]
        table = self._table(("seq", "time", "type", "gist"), body)
        more = f'<p class="dim">+ {count - len(events)}</p>' if count > len(events) else ""
        shown = " open" if count <= 40 else ""
        head = f"<summary>{self._label('events')} ({count})</summary>"
        return f"<details{shown}>{head}{table}{more}</details>"

    # --- pieces -----------------------------------------------------------------------------------------

    def _rows(self, name: str) -> list[dict[str, Any]]:
        return rows(self._picture[name])

    def _say(self, label: str) -> str:
        return LABELS[label].say(self._language) if label in LABELS else label

    def _label(self, label: str) -> str:
        return for_html(self._say(label))

    def _none(self) -> str:
        return f'<p class="dim">{self._label("none")}</p>'

    def _section(self, name: str, body: str) -> str:
        return f'<section id="{name}"><h2>{self._label(name)}</h2>{body}</section>'

    def _badge(self, status: str) -> str:
        return f'<span class="badge {_class(status)}">{self._label(status)}</span>'

    def _table(self, heads: Sequence[str], body: Iterable[Sequence[str]]) -> str:
        """Cells are markup already."""
        lines = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in line) + "</tr>" for line in body)
        if not lines:
            return self._none()
        head = "".join(f"<th>{self._label(name)}</th>" for name in heads)
        return (
            f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>'
        )


def _text(value: object) -> str:
    return for_html("" if value is None else str(value))


def _class(status: str) -> str:
    """Only words that the style sheet knows become a class."""
    known = {"completed", "failed", "skipped", "in_progress", "pending", "waiting", "cancelled", "running"}
    return status if status in known else "pending"


def _moment(at: object) -> str:
    return text(at)[:19].replace("T", " ") + " UTC"


def _seconds(value: object) -> str:
    seconds = number(value)
    return f"{seconds:.2f} s" if seconds < 100 else f"{seconds / 60:.1f} min"


def _percent(value: object) -> str:
    return "–" if value is None else f"{number(value):.0%}"


def _bar(value: float, longest: float) -> str:
    share = 100 * value / longest if longest > 0 else 0
    return f'<span class="bar"><i style="width:{share:.1f}%"></i></span>'


def _grown(size: int, sizes: Sequence[tuple[str, float]], place: int) -> str:
    if place == 0:
        return ""
    delta = size - int(sizes[place - 1][1])
    return f"{'+' if delta >= 0 else '−'}{say_bytes(abs(delta))}"


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


def _offset(started: str, event: Mapping[str, Any]) -> str:
    at = text(event.get("timestamp"))
    return f"+{max(0.0, seconds_between(started, at)):.2f} s" if started and at else ""


def _gist(event: Mapping[str, Any], before: Mapping[str, Any]) -> str:
    """What an event says in one line; of a to-do list, what changed."""
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
