"""A turn that waits: options as buttons, a plan as cards that can be changed before it runs, a gate that a check closed."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nicegui.element import Element

from metaagent.ports import Json
from metaagent.web.page.answer import show_findings
from metaagent.web.page.effect_preview import Look
from metaagent.web.page.elements import box, button, chip, disclosure, notice, text, toast
from metaagent.web.page.evidence import reason_said
from metaagent.web.page.fields import Field
from metaagent.web.page.page_context import Visit
from metaagent.web.page.plain import plain
from metaagent.web.page.words import Words

Decide = Callable[[str, str], Awaitable[None]]
"""Takes the decision, in the language of edits, and its reason."""


@dataclass
class PlanEdit:
    """Changes to a plan before it runs, and how they are said. Pure."""

    order: list[str]
    uses: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """The steps whose results each step takes."""
    first: tuple[str, ...] = ()
    dropped: set[str] = field(default_factory=set[str])
    params: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    words: str = ""
    show: tuple[str, ...] = ()
    """Steps before which it is to be shown what they would act on."""
    verb: Callable[[str], str] = str
    """Says `drop`, `set`, `order` and `show` in the person's language."""

    def __post_init__(self) -> None:
        self.first = tuple(self.order)

    def move(self, step: str, by: int) -> None:
        at = self.order.index(step)
        to = min(len(self.order) - 1, max(0, at + by))
        self.order.insert(to, self.order.pop(at))

    def drop(self, step: str) -> None:
        """Leave a step out, and with it every step that takes what it would have made."""
        self.dropped.add(step)
        for each in self.first:
            if each not in self.dropped and self.uses.get(each, frozenset()) & {step}:
                self.drop(each)

    def keep(self, step: str) -> None:
        """Put a step back, and with it every step that it takes something from."""
        self.dropped.discard(step)
        for each in self.uses.get(step, frozenset()) & self.dropped:
            self.keep(each)

    def said(self) -> str:
        """The changes in the language of edits; empty if there are none."""
        kept = [step for step in self.order if step not in self.dropped]
        changed = kept != [step for step in self.first if step not in self.dropped]
        parts = [
            self._told("drop", [step for step in self.first if step in self.dropped]),
            *(
                self._told("set", [f"{step}.{name}={value}"])
                for (step, name), value in self.params.items()
                if step in kept
            ),
            self._told("order", kept if changed else ()),
            self._told("show", [step for step in self.show if step in kept]),
            self.words.strip().strip(";"),
        ]
        return "; ".join(part for part in parts if part)

    def described(self, say: Words, titles: Mapping[str, str]) -> str:
        """The changes as a person reads them, with the titles of the steps; empty if there are none."""
        kept = [step for step in self.order if step not in self.dropped]
        moved = kept != [step for step in self.first if step not in self.dropped]
        parts = [
            *(say("step_drop", name=titles[step]) for step in self.first if step in self.dropped),
            *(
                say("edit_set", name=titles[step], what=say.either(f"param_{name}", name), value=value or "–")
                for (step, name), value in self.params.items()
                if step in kept
            ),
            say("edit_order", names=" → ".join(titles[step] for step in kept)) if moved else "",
            *(say("edit_show", name=titles[step]) for step in self.show if step in kept),
            self.words.strip().strip(";"),
        ]
        return " · ".join(part for part in parts if part)

    def _told(self, verb: str, about: Sequence[str]) -> str:
        return f"{self.verb(verb)} {' '.join(about)}" if about else ""


def show_question(
    visit: Visit, question: Json, answer: Callable[[str], Awaitable[None]], *, step: str = ""
) -> None:
    """A question back, with the title of the step that asks where several do: its options as buttons, and room for other
    words."""
    say = visit.words
    with box("section", "card asks", aria_label=say("asks_back")), box("div", "stack"):
        if step:
            chip(say("asks_step", step=step), "accent")
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
    visit: Visit, question: Json, decide: Decide, *, may: bool, own: bool, look: Look | None = None
) -> None:
    """A plan that waits: each step with what it reads, makes and risks; it can be reordered, cut and changed."""
    say = visit.words
    steps: dict[str, Json] = {str(each["step_id"]): each for each in question.get("steps") or ()}
    uses = {name: _takes_from(step) for name, step in steps.items()}
    edit = PlanEdit(list(steps), uses, verb=lambda name: say(f"verb_{name}"))
    title = say("effect_waits" if question.get("step_id") else "plan_waits")
    with box("section", "card asks", aria_label=title), box("div", "stack"):
        text(title, "h3")
        for problem in question.get("problems") or ():
            notice(plain(str(problem)), "warn", role="alert")
        with box("ul", "stack tight"):
            for reason in question.get("reasons") or ():
                text(reason_said(visit, str(reason)), "li", "small muted")
        cards = box("ol", "stack")
        if not may:
            notice(say("plan_who_not"))
            _cards(visit, cards, steps, edit, None, look)
        elif question.get("step_id"):
            _cards(visit, cards, steps, edit, None, look)
            _answering(visit, decide)
        else:
            _deciding(visit, cards, steps, edit, decide, look, own=own)


def _title(step: Json) -> str:
    return str(step.get("task") or step["step_id"])


def _titles(steps: Mapping[str, Json]) -> dict[str, str]:
    """The titles of the steps by their names, with their number where several have the same."""
    titles = [_title(step) for step in steps.values()]
    return {
        name: f"{title} ({number})" if titles.count(title) > 1 else title
        for number, (name, title) in enumerate(zip(steps, titles, strict=True), 1)
    }


def _takes_from(step: Json) -> frozenset[str]:
    sources = step.get("inputs") or ()
    return frozenset(str(each["from_step"]) for each in sources if each.get("from_step"))


def _answering(visit: Visit, decide: Decide) -> None:
    """Yes or no to one step whose work is shown."""
    reason = Field(visit.words("reason"))
    with box("div", "row-line"):
        button(visit.words("let_happen"), _said(decide, "approve", reason), kind="main-action")
        button(visit.words("reject"), _said(decide, "reject", reason), kind="danger")


def _said(decide: Decide, words: str, reason: Field) -> Callable[[], Awaitable[None]]:
    """Decide in these words, for the reason that stands in the field by then."""

    async def go() -> None:
        await decide(words, reason.value.strip())

    return go


def _unseen(steps: Mapping[str, Json]) -> tuple[str, ...]:
    """The steps that change something outside with what is not made yet."""
    return tuple(name for name, step in steps.items() if step.get("side_effects") and _takes_from(step))


def _deciding(
    visit: Visit,
    cards: Element,
    steps: dict[str, Json],
    edit: PlanEdit,
    decide: Decide,
    look: Look | None,
    *,
    own: bool,
) -> None:
    say = visit.words
    becomes = text("", "p", "small muted", role="status")
    titles = _titles(steps)

    def told() -> str:
        said = edit.described(say, titles)
        becomes.set_text(say("edit_becomes", words=said) if said else "")
        return said

    def changed() -> None:
        said = told()
        approve.clear()
        with approve:
            text(say("approve_edited" if said else "approve"))
        _cards(visit, cards, steps, edit, changed, look)

    def worded(value: str) -> None:
        edit.words = value
        told()

    with disclosure(say("edit_words")):
        text(" · ".join(f"{name} {title}" for name, title in titles.items()), "p", "tiny muted")
        Field(say("edit_words"), hint=say("edit_words_hint"), on_change=worded)
    reason = Field(say("reason"))

    async def yes() -> None:
        await decide(edit.said() or "approve", reason.value.strip())

    async def yes_but_show() -> None:
        edit.show = _unseen(steps)
        await decide(edit.said(), reason.value.strip())

    with box("div", "row-line"):
        approve = button(say("approve"), yes, kind="main-action", picture="")
        if _unseen(steps):
            button(say("approve_show"), yes_but_show, title=say("approve_show_why"))
        button(say("reject"), _said(decide, "reject", reason), kind="danger")
    if own:
        text(say("plan_who"), "p", "tiny muted")
    _cards(visit, cards, steps, edit, changed, look)


def _cards(
    visit: Visit,
    place: Element,
    steps: dict[str, Json],
    edit: PlanEdit,
    changed: Callable[[], None] | None,
    look: Look | None,
) -> None:
    place.clear()
    numbers = {name: str(number) for number, name in enumerate(edit.order, 1)}
    titles = _titles(steps)
    with place:
        for name, number in numbers.items():
            dropped = name in edit.dropped
            with box("li", "plan-step dropped" if dropped else "plan-step"):
                with box("div", "row-line"):
                    text(number, "span", "number-mark", aria_hidden="true")
                    text(_title(steps[name]), "span", "task grow")
                    if changed is not None:
                        _controls(visit, name, titles[name], edit, changed)
                _about(visit, steps[name], numbers)
                if not dropped:
                    _params(visit, steps[name], edit, changed)
                    _inputs(visit, steps[name], numbers, look)


def _controls(visit: Visit, name: str, title: str, edit: PlanEdit, changed: Callable[[], None]) -> None:
    say, many = visit.words, len(edit.order) > 1

    def mover(by: int) -> Callable[[], None]:
        def move() -> None:
            edit.move(name, by)
            changed()

        return move

    def toggle() -> None:
        (edit.keep if name in edit.dropped else edit.drop)(name)
        changed()

    if many:
        for by, picture, end in ((-1, "up", edit.order[0]), (1, "down", edit.order[-1])):
            label, ends = say(f"step_{picture}", name=title), "" if name == end else None
            button("", mover(by), kind="quiet", picture=picture, label=label, disabled=ends)
    dropped = name in edit.dropped
    button(
        "",
        toggle,
        kind="quiet",
        picture="plus" if dropped else "cross",
        label=say("step_keep" if dropped else "step_drop", name=title),
    )


def _about(visit: Visit, step: Json, numbers: Mapping[str, str]) -> None:
    say = visit.words
    makes = [str(each) for each in step.get("writes") or () if each != "outside"]
    reads = [str(each) for each in step.get("reads") or ()]
    after = [numbers[each] for each in step.get("dependencies") or () if each in numbers]
    said = [
        say("after", what=", ".join(after)) if after else "",
        say("reads", what=say.things(reads)) if reads else "",
        say("makes", what=say.things(makes)) if makes else "",
        say("instead", what=", ".join(map(visit.agent, step["fallbacks"]))) if step.get("fallbacks") else "",
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
    told = {name for name, value in values.items() if value or (str(step["step_id"]), name) in edit.params}
    _fields(visit, step, {name: value for name, value in values.items() if name in told}, edit)
    left = {name: value for name, value in values.items() if name not in told}
    if left:
        with disclosure(visit.words("params_open")):
            text(visit.words("params_open_why"), "p", "small muted")
            _fields(visit, step, left, edit)


def _fields(visit: Visit, step: Json, values: Mapping[str, str], edit: PlanEdit) -> None:
    with box("div", "filters unless-empty"):
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


def _inputs(visit: Visit, step: Json, numbers: Mapping[str, str], look: Look | None) -> None:
    """Say what a step works on: what is there already can be looked at as it is, the rest is named by the step that makes
    it."""
    sources: Sequence[Json] = step.get("inputs") or ()
    for said in _to_come(visit, sources, numbers):
        text(said, "p", "small")
    stored: dict[str, list[str]] = {}
    for each in sources:
        if each.get("artifact_id"):
            stored.setdefault(str(each.get("title") or each.get("kind")), []).append(str(each["artifact_id"]))
    if not stored or look is None:
        return
    with box("div", "row-line"):
        for title, ids in stored.items():

            async def go(title: str = title, ids: Sequence[str] = ids) -> None:
                await look.at_inputs(title, ids)

            button(f"{visit.words('would_be')}: {title}", go, kind="quiet", picture="search")
        if step.get("side_effects") and all(each.get("artifact_id") for each in sources):

            async def effect() -> None:
                await look.at_effect(str(step["step_id"]))

            button(visit.words("would_store"), effect, kind="quiet", picture="search")


def _to_come(visit: Visit, sources: Sequence[Json], numbers: Mapping[str, str]) -> list[str]:
    """List what steps before it will have made, with the title of the data where it is known."""
    say = visit.words
    return [
        say(
            "would_take",
            what=say.things([str(each["kind"])]),
            step=numbers[each["from_step"]],
            title=each["title"],
        )
        for each in sources
        if each.get("from_step") in numbers and each.get("title")
    ]


def show_gate(visit: Visit, question: Json, decide: Decide | None) -> None:
    """Show a closed gate: what is held back, by which rule; for an officer, the decision."""
    say = visit.words
    with box("section", "card blocked", aria_label=say("gate_title")), box("div", "stack"):
        with box("div", "row-line"):
            chip(say("gate_title"), "bad")
        findings = question.get("findings") or ()
        held = say("gate_held", step=visit.agent(str(question.get("agent") or "")))
        text(held if findings else str(question.get("question") or ""), "p", "preserved")
        show_findings(visit, findings)
        text(say("gate_who"), "p", "small muted")
        if decide is None or not question.get("options"):
            return
        reason = Field(say("reason"), hint=say("reason_needed"))

        async def with_reason(said: str, why: str) -> None:
            if why:
                await decide(said, why)
            else:
                toast(say("reason_needed"))

        with box("div", "row-line"):
            button(say("let_through"), _said(with_reason, "approve", reason), kind="danger")
            button(say("keep_back"), _said(with_reason, "reject", reason))
