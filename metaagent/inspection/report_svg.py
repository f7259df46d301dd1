"""The drawn parts of the report: style sheet, labels, and inline SVG that takes its colours from the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from unicodedata import east_asian_width

from metaagent.errors import Text
from metaagent.monitor import say_bytes
from metaagent.protection.escaping import for_html
from metaagent.values import number, seconds_between, sequence, text

LABELS = {
    "phases": Text(en="Phases", ko="단계별 시간"),
    "plan": Text(en="Plan", ko="실행 계획"),
    "steps": Text(en="Steps", ko="작업"),
    "state": Text(en="State by node", ko="노드별 상태"),
    "artifacts": Text(en="Artifacts", ko="산출물"),
    "events": Text(en="Events", ko="이벤트"),
    "problems": Text(en="Errors and warnings", ko="오류와 경고"),
    "conversation": Text(en="Question and answer", ko="질문과 답"),
    "question": Text(en="Question", ko="질문"),
    "answer": Text(en="Answer", ko="답"),
    "language": Text(en="language", ko="언어"),
    "duration": Text(en="Duration", ko="걸린 시간"),
    "state_size": Text(en="State", ko="상태 크기"),
    "confidence": Text(en="Confidence", ko="신뢰도"),
    "step": Text(en="Step", ko="단계"),
    "agent": Text(en="Agent", ko="에이전트"),
    "task": Text(en="Task", ko="작업"),
    "status": Text(en="Status", ko="상태"),
    "result": Text(en="Result", ko="결과"),
    "node": Text(en="Node", ko="노드"),
    "size": Text(en="Size", ko="크기"),
    "growth": Text(en="Growth", ko="증가"),
    "changes": Text(en="Changes", ko="변화"),
    "kind": Text(en="Kind", ko="종류"),
    "summary": Text(en="Summary", ko="요약"),
    "made_by": Text(en="Made by", ko="만든 단계"),
    "id": Text(en="Id", ko="아이디"),
    "seq": Text(en="#", ko="#"),
    "time": Text(en="Time", ko="시각"),
    "type": Text(en="Type", ko="유형"),
    "gist": Text(en="Content", ko="내용"),
    "none": Text(en="None.", ko="없습니다."),
    "completed": Text(en="completed", ko="완료"),
    "failed": Text(en="failed", ko="실패"),
    "skipped": Text(en="skipped", ko="건너뜀"),
    "pending": Text(en="pending", ko="대기"),
    "in_progress": Text(en="in progress", ko="진행 중"),
    "running": Text(en="running", ko="실행 중"),
    "waiting": Text(en="waiting", ko="답변 대기"),
    "cancelled": Text(en="cancelled", ko="취소"),
    "queued": Text(en="queued", ko="대기열"),
    "undone": Text(en="undone", ko="되돌림"),
    "interrupted": Text(en="interrupted", ko="중단됨"),
    "new": Text(en="new", ko="새 세션"),
    "session": Text(en="Session", ko="세션"),
    "updated": Text(en="Last used", ko="마지막 사용"),
    "turns": Text(en="Turns", ko="턴"),
    "title": Text(en="Title", ko="제목"),
}
PHASES = {
    "analyzing": Text(en="analyzing", ko="분석"),
    "clarifying": Text(en="clarifying", ko="확인 질문"),
    "planning": Text(en="planning", ko="계획"),
    "executing": Text(en="executing", ko="실행"),
    "completed": Text(en="responding", ko="응답"),
}

CSS = """
:root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--ink:#1b2130;--dim:#667085;--line:#e4e7ec;--soft:#f2f4f7;
--accent:#3b5bdb;--ok:#12805c;--ok-bg:#e3f5ee;--bad:#b42318;--bad-bg:#fdeceb;--warn:#935f07;--warn-bg:#fdf3dc;
--p-analyzing:#7c8cf8;--p-clarifying:#c084fc;--p-planning:#38a3d1;--p-executing:#2f9e77;--p-completed:#98a2b3}
@media (prefers-color-scheme:dark){:root{--bg:#0f131a;--card:#171c26;--ink:#e6e9ef;--dim:#98a2b3;--line:#2a3140;
--soft:#1f2633;--accent:#8da2fb;--ok:#6fd3ad;--ok-bg:#12342a;--bad:#f58f86;--bad-bg:#3d1a18;--warn:#e9bd62;
--warn-bg:#38290c;--p-analyzing:#6675e0;--p-clarifying:#a05fe0;--p-planning:#2b86ae;--p-executing:#278763;
--p-completed:#667085}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:14px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,
"Apple SD Gothic Neo","Malgun Gothic","Noto Sans KR","Noto Sans CJK KR",sans-serif;word-break:keep-all;overflow-wrap:anywhere}
main{max-width:1040px;margin:0 auto;padding:32px 20px 48px}
header{display:flex;justify-content:space-between;align-items:flex-start;gap:16px;margin-bottom:20px}
h1{font-size:22px;line-height:1.3;margin:0 0 2px;letter-spacing:-.01em}
h2{font-size:15px;margin:0 0 14px;letter-spacing:-.005em}
p{margin:0}
.dim{color:var(--dim);font-size:12.5px}
section{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:18px 20px;margin-top:14px}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(130px,1fr));gap:12px}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:12px 14px;display:flex;flex-direction:column}
.card b{font-size:19px;font-weight:650;font-variant-numeric:tabular-nums;white-space:nowrap}
.badge{display:inline-block;padding:2px 10px;border-radius:99px;font-size:12px;font-weight:600;white-space:nowrap;
background:var(--soft);color:var(--dim)}
.badge.completed{background:var(--ok-bg);color:var(--ok)}
.badge.failed{background:var(--bad-bg);color:var(--bad)}
.badge.skipped,.badge.waiting,.badge.cancelled{background:var(--warn-bg);color:var(--warn)}
.tag{display:inline-block;padding:1px 7px;border-radius:5px;background:var(--soft);font-size:12px;white-space:nowrap;
font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
code{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
td code{white-space:nowrap}
.scroll{overflow-x:auto}
.scroll+.scroll{margin-top:18px}
table{border-collapse:collapse;width:100%}
th{font-size:12px;font-weight:600;color:var(--dim);text-align:left;padding:0 12px 8px 0;border-bottom:1px solid var(--line);
white-space:nowrap}
td{padding:8px 12px 8px 0;border-bottom:1px solid var(--line);vertical-align:top}
tr:last-child td{border-bottom:0}
.num{font-variant-numeric:tabular-nums;white-space:nowrap}
.bar{display:block;height:4px;margin-top:5px;width:88px;border-radius:2px;background:var(--soft)}
.bar i{display:block;height:4px;border-radius:2px;background:var(--accent);min-width:2px}
.problems{list-style:none;margin:0;padding:0;display:grid;gap:8px}
.problems li{padding:8px 12px;border-radius:8px;border-left:3px solid}
.problems .failed{background:var(--bad-bg);border-color:var(--bad)}
.problems .skipped{background:var(--warn-bg);border-color:var(--warn)}
.said+.said{margin-top:12px}
.said p{white-space:pre-wrap;max-height:24em;overflow:auto}
.track{display:flex;height:14px;border-radius:7px;overflow:hidden;gap:2px;background:var(--soft)}
.track i{display:block;min-width:3px}
.legend{display:flex;flex-wrap:wrap;gap:6px 18px;margin:12px 0 0;padding:0;list-style:none}
.legend i{display:inline-block;width:9px;height:9px;border-radius:3px;margin-right:7px}
svg{display:block;max-width:none}
svg text{fill:var(--ink);font-size:12.5px}
svg .dim{fill:var(--dim);font-size:11.5px}
svg .box{fill:var(--card);stroke:var(--line);stroke-width:1.2}
svg .edge{fill:none;stroke:var(--dim);stroke-width:1.3;opacity:.75}
svg .head{fill:var(--dim)}
svg .rest{fill:var(--soft)}
svg .fill{fill:var(--accent)}
svg .completed{fill:var(--ok)} svg .failed{fill:var(--bad)} svg .skipped{fill:var(--warn)}
svg .pending,svg .in_progress{fill:var(--dim)}
summary{cursor:pointer;color:var(--dim);margin-bottom:10px}
footer{margin-top:18px;display:flex;justify-content:space-between;gap:16px;color:var(--dim);font-size:12.5px}
@media (max-width:760px){main{padding:20px 12px 32px}.scroll table{min-width:660px}.scroll th,.scroll td{min-width:56px}}
@media print{body{background:#fff}section,.card{break-inside:avoid}}
"""

_STATUSES = frozenset({"completed", "failed", "skipped", "in_progress", "pending"})
_WIDTH, _HEIGHT, _GAP_X, _GAP_Y, _PAD = 196, 64, 56, 18, 4


def clip(value: str, width: int) -> str:
    """At most so many columns; a Korean letter takes two."""
    line = " ".join(value.split())
    used = 0
    for place, char in enumerate(line):
        used += 2 if east_asian_width(char) in "WF" else 1
        if used > width:
            return line[: max(0, place - 1)] + "…"
    return line


def step_seconds(step: Mapping[str, Any]) -> float:
    started, ended = text(step.get("started_at")), text(step.get("completed_at"))
    return max(0.0, seconds_between(started, ended)) if started and ended else 0.0


def phase_track(phases: Sequence[Mapping[str, Any]], language: str) -> str:
    total = sum(number(phase["seconds"]) for phase in phases)
    if not phases:
        return f'<p class="dim">{LABELS["none"].say(language)}</p>'
    parts = [(_phase(phase), number(phase["seconds"])) for phase in phases]
    shares = [100 * seconds / total if total > 0 else 100 / len(parts) for _, seconds in parts]
    track = "".join(
        f'<i style="width:{share:.2f}%;background:var(--p-{name})"></i>'
        for (name, _), share in zip(parts, shares, strict=True)
    )
    legend = "".join(
        f'<li><i style="background:var(--p-{name})"></i>{PHASES[name].say(language)} '
        f'<span class="dim num">{seconds:.3f} s · {share:.0f} %</span></li>'
        for (name, seconds), share in zip(parts, shares, strict=True)
    )
    return f'<div class="track">{track}</div><ul class="legend">{legend}</ul>'


def _phase(phase: Mapping[str, Any]) -> str:
    return text(phase["phase"]) if phase["phase"] in PHASES else "completed"


def layers(dependencies: Mapping[str, Sequence[str]], order: Sequence[str]) -> dict[str, int]:
    """How far each step is from a beginning. A cycle, which no valid plan has, ends where it is met again."""
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


def dag(steps: Sequence[Mapping[str, Any]], dependencies: Mapping[str, Any], language: str) -> str:
    """Left to right by dependency; each box has its status, its time and its share of the longest."""
    by_id = {text(step.get("step_id")): step for step in steps}
    if not by_id:
        return ""
    needs = {name: [text(d) for d in sequence(dependencies.get(name))] for name in by_id}
    depth = layers(needs, list(by_id))
    rank: dict[str, int] = {}
    for name in by_id:
        rank[name] = sum(depth[other] == depth[name] for other in rank)
    place = {
        name: (_PAD + depth[name] * (_WIDTH + _GAP_X), _PAD + rank[name] * (_HEIGHT + _GAP_Y))
        for name in by_id
    }
    width = max(x for x, _ in place.values()) + _WIDTH + _PAD
    height = max(y for _, y in place.values()) + _HEIGHT + _PAD
    longest = max(map(step_seconds, steps))
    edges = "".join(
        _edge(place[before], place[name]) for name in by_id for before in needs[name] if before in place
    )
    boxes = "".join(_box(by_id[name], place[name], longest, language) for name in by_id)
    return (
        f'<svg role="img" aria-label="{for_html(LABELS["plan"].say(language))}" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}"><defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" '
        'markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>'
        f"{edges}{boxes}</svg>"
    )


def _edge(start: tuple[int, int], end: tuple[int, int]) -> str:
    x1, y1, x2, y2 = start[0] + _WIDTH, start[1] + _HEIGHT // 2, end[0] - 1, end[1] + _HEIGHT // 2
    bend = (x2 - x1) // 2
    return f'<path class="edge" marker-end="url(#head)" d="M{x1} {y1}C{x1 + bend} {y1} {x2 - bend} {y2} {x2} {y2}"/>'


def _box(step: Mapping[str, Any], place: tuple[int, int], longest: float, language: str) -> str:
    x, y = place
    status = text(step.get("status"))
    status = status if status in _STATUSES else "pending"
    seconds = step_seconds(step)
    track = _WIDTH - 28
    filled = track * seconds / longest if longest > 0 else 0
    name, task = text(step.get("agent_name")), text(step.get("description"))
    return (
        f"<g><title>{for_html(f'{name}: {task}')}</title>"
        f'<rect class="box" x="{x}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="10"/>'
        f'<circle class="{status}" cx="{x + 17}" cy="{y + 18}" r="4"/>'
        f'<text x="{x + 28}" y="{y + 22}" font-weight="600">{for_html(clip(name or text(step.get("step_id")), 22))}</text>'
        f'<text class="dim" x="{x + 14}" y="{y + 41}">{for_html(text(step.get("step_id")))} · '
        f"{LABELS[status].say(language)} · {seconds:.2f} s</text>"
        f'<rect class="rest" x="{x + 14}" y="{y + 50}" width="{track}" height="4" rx="2"/>'
        f'<rect class="{status}" x="{x + 14}" y="{y + 50}" width="{filled:.1f}" height="4" rx="2"/></g>'
    )


def bars(values: Sequence[tuple[str, float]], language: str) -> str:
    """One horizontal bar a node."""
    row, label, track = 24, 150, 560
    most = max((value for _, value in values), default=0) or 1
    lines = "".join(
        f'<text class="dim" x="0" y="{y + 13}">{for_html(clip(name, 20))}</text>'
        f'<rect class="rest" x="{label}" y="{y + 4}" width="{track}" height="11" rx="3"/>'
        f'<rect class="fill" x="{label}" y="{y + 4}" width="{max(2.0, track * value / most):.1f}" height="11" rx="3"/>'
        f'<text class="dim" x="{label + track + 10}" y="{y + 13}">{say_bytes(int(value))}</text>'
        for y, (name, value) in ((place * row, item) for place, item in enumerate(values))
    )
    height = row * len(values)
    title = for_html(LABELS["state"].say(language))
    return f'<svg role="img" aria-label="{title}" width="800" height="{height}" viewBox="0 0 800 {height}">{lines}</svg>'
