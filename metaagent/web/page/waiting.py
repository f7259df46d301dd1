"""A turn that waits: options as buttons, a plan as cards that can be changed before it runs, a gate that a check closed."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nicegui.element import Element

from metaagent.errors import MetaAgentError
from metaagent.ports import Json
from metaagent.web.page.answer import show_findings
from metaagent.web.page.elements import DataTable, box, button, chip, disclosure, notice, text
from metaagent.web.page.evidence import reason_said, sheet
from metaagent.web.page.fields import Field
from metaagent.web.page.views import table_of
from metaagent.web.page.visit import Visit

Decide = Callable[[str, str], Awaitable[None]]
"""Takes the decision, in the language of edits, and its reason."""


@dataclass
class PlanEdit:
    """Changes to a plan before it runs, and how they are said. Pure."""

    order: list[str]
    first: tuple[str, ...] = ()
    dropped: set[str] = field(default_factory=set[str])
    params: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    words: str = ""

    def __post_init__(self) -> None:
        self.first = tuple(self.order)

    def move(self, step: str, by: int) -> None:
        at = self.order.index(step)
        to = min(len(self.order) - 1, max(0, at + by))
        self.order.insert(to, self.order.pop(at))

    def said(self) -> str:
        """The changes in the language of edits; empty if there are none."""
        kept = [step for step in self.order if step not in self.dropped]
        changed = kept != [step for step in self.first if step not in self.dropped]
        parts = [
            f"drop {' '.join(step for step in self.first if step in self.dropped)}" if self.dropped else "",
            *(f"set {step}.{name}={value}" for (step, name), value in self.params.items() if step in kept),
            f"order {' '.join(kept)}" if changed and kept else "",
            self.words.strip().strip(";"),
        ]
        return "; ".join(part for part in parts if part)


def show_question(
    visit: Visit, question: Json, answer: Callable[[str], Awaitable[None]], *, several: bool
) -> None:
    """A question back: its options as buttons, and room for other words."""
    say = visit.words
    with box("section", "card asks", aria_label=say("asks_back")), box("div", "stack"):
        if several and question.get("step_id"):
            chip(say("asks_step", step=question["step_id"]), "accent")
        text(str(question["question"]), "p", "strong preserved")
        if question.get("reason"):
            text(str(question["reason"]), "p", "small muted")
        options = [str(each) for each in question.get("options") or ()]
        if options:
            with box("div", "options"):
                for option in options:

                    async def pick(chosen: str = option) -> None:
                        await answer(chosen)

                    button(option, pick)
        own = Field(say("own_answer") if options else say("answer_it"))

        async def write() -> None:
            if own.value.strip():
                await answer(own.value.strip())

        own.on_enter(write)
        with box("div", "row-line"):
            button(say("answer_it"), write, kind="main-action" if not options else "")


def show_plan(
    visit: Visit, question: Json, decide: Decide, *, may: bool, own: bool, open_input: Any = None
) -> None:
    """A plan that waits: each step with what it reads, makes and risks; it can be reordered, cut and changed."""
    say = visit.words
    steps: dict[str, Json] = {str(each["step_id"]): each for each in question.get("steps") or ()}
    edit = PlanEdit(list(steps))
    with box("section", "card asks", aria_label=say("plan_waits")), box("div", "stack"):
        text(say("plan_waits"), "h3")
        for problem in question.get("problems") or ():
            notice(str(problem), "warn", role="alert")
        with box("ul", "stack tight"):
            for reason in question.get("reasons") or ():
                text(reason_said(visit, str(reason)), "li", "small muted")
        cards = box("ol", "stack")
        if not may:
            notice(say("plan_who_not"))
            _cards(visit, cards, steps, edit, None, open_input)
            return
        _deciding(visit, cards, steps, edit, decide, open_input, own=own)


def _deciding(
    visit: Visit,
    cards: Element,
    steps: dict[str, Json],
    edit: PlanEdit,
    decide: Decide,
    open_input: Any,
    *,
    own: bool,
) -> None:
    say = visit.words
    becomes = text("", "p", "small muted", role="status")

    def changed() -> None:
        said = edit.said()
        becomes.set_text(say("edit_becomes", words=said) if said else "")
        approve.clear()
        with approve:
            text(say("approve_edited" if said else "approve"))
        _cards(visit, cards, steps, edit, changed, open_input)

    def worded(value: str) -> None:
        edit.words = value
        said = edit.said()
        becomes.set_text(say("edit_becomes", words=said) if said else "")

    with disclosure(say("edit_words")):
        Field(say("edit_words"), hint=say("edit_words_hint"), on_change=worded)
    reason = Field(say("reason"))

    async def yes() -> None:
        await decide(edit.said() or "approve", reason.value.strip())

    async def no() -> None:
        await decide("reject", reason.value.strip())

    with box("div", "row-line"):
        approve = button(say("approve"), yes, kind="main-action", picture="")
        button(say("reject"), no, kind="danger")
    if own:
        text(say("plan_who"), "p", "tiny muted")
    _cards(visit, cards, steps, edit, changed, open_input)


def _cards(
    visit: Visit,
    place: Element,
    steps: dict[str, Json],
    edit: PlanEdit,
    changed: Callable[[], None] | None,
    open_input: Any,
) -> None:
    place.clear()
    with place:
        for number, name in enumerate(edit.order, 1):
            dropped = name in edit.dropped
            with box("li", "plan-step dropped" if dropped else "plan-step"):
                with box("div", "row-line"):
                    text(str(number), "span", "number-mark", aria_hidden="true")
                    text(str(steps[name].get("task") or name), "span", "task grow")
                    text(name, "span", "tiny muted")
                    if changed is not None:
                        _controls(visit, name, edit, changed)
                _about(visit, steps[name])
                if not dropped:
                    _params(visit, steps[name], edit, changed)
                    _inputs(visit, steps[name], open_input)


def _controls(visit: Visit, name: str, edit: PlanEdit, changed: Callable[[], None]) -> None:
    say, many = visit.words, len(edit.order) > 1

    def mover(by: int) -> Callable[[], None]:
        def move() -> None:
            edit.move(name, by)
            changed()

        return move

    def toggle() -> None:
        edit.dropped ^= {name}
        changed()

    if many:
        button("", mover(-1), kind="quiet", picture="up", label=say("step_up", name=name))
        button("", mover(1), kind="quiet", picture="down", label=say("step_down", name=name))
    dropped = name in edit.dropped
    button(
        "",
        toggle,
        kind="quiet",
        picture="plus" if dropped else "cross",
        label=say("step_keep" if dropped else "step_drop", name=name),
    )


def _about(visit: Visit, step: Json) -> None:
    say = visit.words
    makes = [str(each) for each in step.get("writes") or () if each != "outside"]
    reads = [str(each) for each in step.get("reads") or ()]
    after = [str(each) for each in step.get("dependencies") or ()]
    said = [
        say("after", what=", ".join(after)) if after else "",
        say("reads", what=say.things(reads)) if reads else "",
        say("makes", what=say.things(makes)) if makes else "",
        say("instead", what=", ".join(map(str, step["fallbacks"]))) if step.get("fallbacks") else "",
    ]
    text(" · ".join(each for each in said if each), "p", "small muted")
    with box("div", "row-line"):
        if step.get("side_effects"):
            chip(say("changes_outside"), "warn")
        risk = str(step.get("risk") or "")
        if risk and risk != "low":
            chip(say.either(f"risk_{risk}", risk), "bad" if risk in {"high", "critical"} else "warn")


def _params(visit: Visit, step: Json, edit: PlanEdit, changed: Callable[[], None] | None) -> None:
    """Every parameter that the agent takes: its value in the plan, else the agent's own, empty where the agent decides."""
    every: Sequence[Mapping[str, Any]] = step.get("parameters") or ()
    values = {str(each["name"]): value_said(each["value"]) for each in every}
    if not values:
        return
    if changed is None:
        said = ", ".join(f"{name}={value}" for name, value in values.items() if value)
        text(visit.words("params", what=said or "–"), "p", "small muted")
        return
    with box("div", "filters"):
        for name, value in values.items():
            key = (str(step["step_id"]), name)

            def take(said: str, key: tuple[str, str] = key, before: str = value) -> None:
                edit.params.pop(key, None)
                if said != before:
                    edit.params[key] = said

            label = visit.words.either(f"param_{name}", name)
            Field(label, value=edit.params.get(key, value), on_change=take)


def value_said(value: object) -> str:
    """A value as an edit would give it; nothing for one that is left open."""
    if value in (None, "", [], {}):
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _inputs(visit: Visit, step: Json, open_input: Any) -> None:
    """Offer to look at inputs that are there already, as they are."""
    stored = [each for each in step.get("inputs") or () if each.get("artifact_id")]
    if not stored or open_input is None:
        return
    with box("div", "row-line"):
        for each in stored:

            async def go(source: Json = each) -> None:
                await open_input(source)

            button(
                f"{visit.words('would_be')}: {each.get('title') or each.get('kind')}",
                go,
                kind="quiet",
                picture="search",
            )


async def open_input(visit: Visit, session_id: str, source: Json) -> None:
    """The stored artifact that a step would use."""
    title = str(source.get("title") or source.get("kind") or "")
    with sheet(visit, title):
        try:
            data = await visit.me.artifact(session_id, str(source["artifact_id"]))
        except MetaAgentError as error:
            notice(error.say(visit.language), "warn")
            return
        if isinstance(data, dict) and data.get("rows"):
            DataTable(table_of(data, title, visit.words))
        else:
            import json

            said = "…" if isinstance(data, bytes) else json.dumps(data, ensure_ascii=False, indent=1)[:20_000]
            text(said, "pre", "code", tabindex="0")


def show_gate(visit: Visit, question: Json, decide: Decide | None) -> None:
    """Show a closed gate: what is held back, by which rule; for an officer, the decision."""
    say = visit.words
    with box("section", "card blocked", aria_label=say("gate_title")), box("div", "stack"):
        with box("div", "row-line"):
            chip(say("gate_title"), "bad")
        findings = question.get("findings") or ()
        text(say("gate_held") if findings else str(question.get("question") or ""), "p", "preserved")
        show_findings(visit, findings)
        text(say("gate_who"), "p", "small muted")
        if decide is None or not question.get("options"):
            return
        reason = Field(say("reason"), hint=say("reason_needed"))

        async def yes() -> None:
            await decide("approve", reason.value.strip())

        async def no() -> None:
            await decide("reject", reason.value.strip())

        with box("div", "row-line"):
            button(say("let_through"), yes, kind="danger")
            button(say("keep_back"), no)
