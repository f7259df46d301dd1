"""Agents: who is installed, who could not be loaded and what to do about it, and the switch."""

from __future__ import annotations

from nicegui import ui
from nicegui.element import Element

from metaagent.plugin import AgentSpec
from metaagent.web.page.elements import box, button, chip, facts, notice, page_head, text
from metaagent.web.page.page_context import Visit, attempt
from metaagent.web.page.plain import plain

OF_ALL = frozenset({"clock", "log", "progress"})
"""Ports that say nothing about an agent: any of them may use the time and tell how far it is."""


async def page(visit: Visit) -> None:
    say = visit.words
    ui.page_title(f"{say('agents_title')} · metaagent")
    with box("div", "scroll", tabindex="0"), box("div", "page"):
        page_head(say("agents_title"), say("agents_intro"))
        with box("div", "stack"):
            _problems(visit)
            place = box("div", "cards")
        _show(visit, place)


def _problems(visit: Visit) -> None:
    for refused, title, kind in ((False, "agents_failed", "bad"), (True, "agents_refused", "warn")):
        found = [each for each in visit.registry.problems if each.refused == refused]
        if not found:
            continue
        with box("div", "stack tight"):
            text(visit.words(title), "h2")
            if refused and not visit.may("agents.switch"):
                names = ", ".join(visit.agent(each.name) for each in found)
                notice(visit.words("agents_refused_why", names=names), kind)
                continue
            alike: dict[str, list[str]] = {}
            for each in found:
                said = each.say(visit.language)
                shown = said if visit.may("agents.switch") else plain(said)
                package = f" ({each.package})" if each.package else ""
                alike.setdefault(f"{package}: {shown}", []).append(visit.agent(each.name))
            for told, names in alike.items():
                notice(f"{', '.join(names)}{told}", kind)


def _show(visit: Visit, place: Element) -> None:
    registry = visit.registry.for_company(visit.me.user.company_id)
    place.clear()
    with place:
        for spec in registry.agents.values():
            _card(visit, spec, off=registry.is_disabled(spec.name), place=place)


def _card(visit: Visit, spec: AgentSpec, *, off: bool, place: Element) -> None:
    say, title = visit.words, visit.agent(spec.name)

    async def switch() -> None:
        me = visit.me
        work = me.enable(spec.name) if off else me.disable(spec.name)
        done = say("switched_on" if off else "switched_off", name=title)
        if await attempt(visit, work, done=done) is not None:
            _show(visit, place)

    action = say("switch_on" if off else "switch_off")
    with box("article", "card"), box("div", "stack"):
        with box("div", "row-line spread one-line"):
            text(title, "h2")
            chip(say("agent_off" if off else "agent_on"), "warn" if off else "ok")
        if visit.may("agents.switch") and spec.name != title:
            text(spec.name, "code", "tiny muted")
        facts(
            [
                (say("agent_takes"), say.things(spec.consumes) or "–"),
                (say("agent_makes"), say.things(spec.produces) or "–"),
                (say("agent_needs"), say.things(sorted({*spec.needs} - OF_ALL)) or "–"),
            ]
        )
        with box("div", "row-line"):
            if spec.side_effects:
                chip(say("changes_outside"), "warn")
            box("span", "grow")
            if visit.may("agents.switch"):
                button(
                    action,
                    switch,
                    kind="" if off else "danger",
                    aria_label=say("agent_switch", action=action, name=title),
                )
