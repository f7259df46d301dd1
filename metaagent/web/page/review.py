"""Review: the audit trail for compliance officers, filtered, followed, verified and exported."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from urllib.parse import quote

from nicegui import ui
from nicegui.element import Element

from metaagent.audit.event_words import EVENTS, event_said
from metaagent.audit.store import Where
from metaagent.errors import MetaAgentError
from metaagent.ports import Json
from metaagent.web.page.account import ALIAS, Line, Part, account_of, agent_said, line_of, person_said
from metaagent.web.page.elements import (
    box,
    button,
    chip,
    disclosure,
    empty,
    facts,
    link,
    notice,
    page_head,
    text,
    working,
)
from metaagent.web.page.evidence import sheet
from metaagent.web.page.fields import Field
from metaagent.web.page.files import API
from metaagent.web.page.page_context import Visit

DAYS = 30
SHOWN = 200
OUTCOMES = (
    "completed", "done", "valid", "approved", "rejected", "blocked", "refused", "failed", "cancelled", "waiting", "skipped",
)  # fmt: skip
BAD = frozenset({"failed", "refused", "rejected", "denied", "blocked", "error", "violated"})


async def page(visit: Visit) -> None:
    ui.page_title(f"{visit.words('review_title')} · metaagent")
    with box("div", "scroll", tabindex="0"), box("div", "page wide"):
        page_head(visit.words("review_title"), visit.words("review_intro"))
        with box("div", "stack wide"):
            if visit.may("audit.read"):
                _verifying(visit)
            await Trail(visit).build()


def _verifying(visit: Visit) -> None:
    say = visit.words
    with box("section", "card", aria_label=say("verify")), box("div", "stack"):
        with box("div", "row-line"):
            check = button(say("verify"), None, kind="main-action", picture="shield")
            for form, key in (("jsonl", "export_jsonl"), ("csv", "export_csv")):
                button(
                    say(key),
                    picture="download",
                    data_save=f"{API}/audit/export?form={form}",
                    data_name=f"audit.{form}",
                )
        place = box("div", "stack unless-empty", aria_live="polite")

    async def verify() -> None:
        place.clear()
        with place:
            working(say("verifying"))
        try:
            found = await visit.me.governance.audit_verify()
        except MetaAgentError as error:
            place.clear()
            with place:
                notice(visit.told(error), "warn", role="alert")
            return
        place.clear()
        with place:
            if found.ok:
                notice(say("verified"), "ok")
                text(say("verified_what", entries=found.entries, first=found.first, last=found.last), "p")
                text(
                    say(
                        "verified_anchor", signed=found.signed, open=max(0, found.last - (found.signed or 0))
                    ),
                    "p",
                )
                text(say("verified_limit"), "p", "small muted")
            else:
                notice(say("not_verified"), "bad", role="alert")
                with box("ul", "stack tight"):
                    for finding in found.findings:
                        text(finding.say(visit.language), "li")

    check.on("click", verify, args=[])


class Trail:
    """Entries of the trail by who, when, what, which agent, which rule and how it ended."""

    def __init__(self, visit: Visit) -> None:
        self._visit, self._say = visit, visit.words
        self._aliases: dict[str, str] = {}
        """People as they were shown, whose names are sealed, and the aliases that the trail has for them."""
        self._asked = 0
        """Counts the loads: one that was overtaken by another shows nothing."""

    async def build(self) -> None:
        visit, say = self._visit, self._say
        today = datetime.now(self._visit.settings.zone).date()
        with box("section", "stack", aria_label=say("review_title")):
            with box("div", "filters") as filters:
                self._since = Field(
                    say("review_since"), kind="date", value=(today - timedelta(days=DAYS)).isoformat()
                )
                self._until = Field(say("review_until"), kind="date")
                self._event = Field(
                    say("review_event"),
                    options={"": say("any"), **{each: say.of(EVENTS[each]) for each in EVENTS}},
                )
                names = visit.registry.agents
                self._agent = Field(
                    say("review_agent"),
                    options={
                        "": say("any"),
                        **{each: agent_said(each, visit.registry, visit.language) for each in names},
                    },
                )
                self._outcome = Field(
                    say("review_outcome"),
                    options={"": say("any"), **{each: say(f"outcome_{each}") for each in OUTCOMES}},
                )
                self._actor = Field(say("review_person"), hint=say("review_person_hint"))
                self._rule = Field(say("review_rule"), hint=say("review_rule_hint"))
                self._text = Field(say("review_text"), hint=say("review_text_hint"))
                button(say("review_apply"), self._apply, kind="main-action")
            filters.set_visibility(self._visit.may("audit.read"))
            self._place = box("div", "stack")
        await self._apply()

    async def _apply(self) -> None:
        """Show the newest entries that fit."""
        self._shown = list[Json]()
        await self._load()

    async def _load(self) -> None:
        """Show one part more, further back."""
        say = self._say
        self._asked += 1
        number = self._asked
        if not self._shown:
            self._place.clear()
            with self._place:
                working(say("loading"))
        zone = self._visit.settings.zone
        named = self._aliases.get(written := self._actor.value.strip(), written)
        aliased = named.startswith(ALIAS)
        where = Where(
            actor=named if aliased else None,
            event=self._event.value or None,
            since=_moment(self._since.value, zone),
            until=_moment(self._until.value, zone, days=1),
            before=int(self._shown[-1]["seq"]) if self._shown else None,
        )
        holding = {"agent": self._agent.value.strip(), "outcome": self._outcome.value.strip()}
        try:
            found = await self._visit.me.governance.audit_list(
                where,
                text=self._text.value.strip() or None,
                holding=holding,
                person=None if aliased else named or None,
                rule=self._rule.value.strip().replace(" ", "_") or None,
                limit=SHOWN + 1,
            )
        except MetaAgentError as error:
            self._place.clear()
            with self._place:
                notice(self._visit.told(error), "warn", role="alert")
            return
        if number != self._asked:
            return
        self._shown += found[::-1][:SHOWN]
        self._aliases |= {person_said(each["actor"], say): str(each["actor"]) for each in found}
        self._place.clear()
        with self._place:
            _entries(self._visit, self._shown, more=len(found) > SHOWN)
            if len(found) > SHOWN:
                button(say("review_older"), self._load, picture="down")


def _moment(day: str, zone: object, *, days: int = 0) -> str | None:
    """The beginning of a day here, or of one so many days later, as the trail writes times."""
    from datetime import UTC, tzinfo

    if not day:
        return None
    assert isinstance(zone, tzinfo)
    try:
        begin = (datetime.fromisoformat(day) + timedelta(days=days)).replace(tzinfo=zone)
    except (ValueError, OverflowError):
        return None
    return begin.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def _entries(visit: Visit, entries: Sequence[Json], *, more: bool) -> None:
    say = visit.words
    if not entries:
        empty(say("review_empty"), "search")
        return
    text(
        say("review_entries_cut" if more else "review_entries", count=len(entries)),
        "p",
        "small muted",
        role="status",
    )
    with (
        box("div", "card flat"),
        box("div", "table-place tall", tabindex="0", role="region", aria_label=say("review_title")),
        box("table", "data"),
    ):
        with box("thead"), box("tr"):
            for key in (
                "review_seq",
                "review_time",
                "review_event",
                "review_agent",
                "review_outcome",
                "review_person",
                "review_session",
            ):
                text(say(key), "th", "plain", scope="col")
        with box("tbody"):
            for entry in entries:
                _entry(visit, entry)


def _entry(visit: Visit, entry: Json) -> None:
    say, outcome = visit.words, str(entry.get("outcome") or "")

    async def look() -> None:
        await _open(visit, int(entry["seq"]))

    with box("tr"):
        with box("td"):
            button(str(entry["seq"]), look, kind="quiet", aria_label=say("open_entry", seq=entry["seq"]))
        text(visit.time(entry["ts"]), "td")
        text(event_said(str(entry["event"]), visit.language), "td", title=str(entry["event"]))
        agent = str(entry.get("agent") or "")
        text(agent_said(agent, visit.registry, visit.language), "td", title=agent)
        with box("td"):
            if outcome:
                chip(say.either(f"outcome_{outcome}", outcome), "bad" if outcome in BAD else "")
        text(person_said(entry["actor"], say), "td", "muted alias", title=str(entry["actor"]))
        with box("td"):
            if entry.get("session"):
                link(
                    say("follow"),
                    f"/review/{quote(str(entry['session']))}",
                    "",
                    aria_label=f"{say('follow')}: {entry['session']}",
                )


async def _open(visit: Visit, seq: int, *, reveal: bool = False) -> None:
    say = visit.words
    try:
        entry = await visit.me.governance.audit_show(seq, reveal=reveal)
    except MetaAgentError as error:
        with sheet(visit, say("entry", seq=seq)):
            notice(visit.told(error), "warn", role="alert")
        return

    async def more() -> None:
        await _open(visit, seq, reveal=True)

    titles = await visit.rule_titles()
    with sheet(visit, say("entry", seq=seq)):
        line = line_of(entry, say, visit.registry, visit.time, titles)
        with box("div", "row-line"):
            text(line.said, "p", "strong")
            if line.outcome:
                chip(
                    say.either(f"outcome_{line.outcome}", line.outcome), "bad" if line.outcome in BAD else ""
                )
        private: Json = entry["pii"] if isinstance(entry.get("pii"), dict) else {}
        person = str(private.get("by") or person_said(entry["actor"], say))
        facts([(say("review_time"), line.at), (say("review_person"), person), *line.facts])
        with disclosure(say("bare_entry")):
            text(json.dumps(entry, ensure_ascii=False, indent=2), "pre", "code whole", tabindex="0")
        if entry.get("pii") and not reveal:
            button(say("reveal"), more)
        if entry.get("session"):
            link(say("follow"), f"/review/{quote(str(entry['session']))}", "button")


async def one(visit: Visit, session_id: str) -> None:
    """Everything on record about one conversation: question, plan versions, approver, SQL, rules and evidence, in order."""
    say = visit.words
    ui.page_title(f"{say('review_title')} · metaagent")
    with box("div", "scroll", tabindex="0"), box("div", "page wide stack"):
        link(say("back_review"), "/review", "button quiet back", picture="back")
        with box("div", "stack tight"):
            text(say("account"), "h1", tabindex="-1")
            text(say("account_of", session=session_id), "p", "tiny muted")
        place = box("div", "stack")
        await _account(visit, session_id, place, reveal=False)


async def _account(visit: Visit, session_id: str, place: Element, *, reveal: bool) -> None:
    say = visit.words
    try:
        entries = await visit.me.governance.audit_account(session_id, reveal=reveal)
    except MetaAgentError as error:
        with place:
            notice(visit.told(error), "warn", role="alert")
        return

    titles = await visit.rule_titles()

    async def more() -> None:
        await _account(visit, session_id, place, reveal=True)

    place.clear()
    with place:
        if not entries:
            empty(say("review_empty"), "search")
            return
        if not reveal and visit.may("audit.reveal"):
            with box("div", "row-line"):
                button(say("reveal"), more)
        for part in account_of(entries, say, visit.registry, visit.time, titles):
            _part(visit, part)


def _part(visit: Visit, part: Part) -> None:
    with box("article", "card account", aria_label=part.title), box("div", "stack"):
        with box("div", "stack tight"):
            text(part.title, "h2")
            text(part.about, "p", "small muted")
        with box("ol", "stack"):
            for line in part.lines:
                _line(visit, line)


def _line(visit: Visit, line: Line) -> None:
    say = visit.words

    async def look() -> None:
        await _open(visit, line.seq)

    with box("li", "stack tight"):
        with box("div", "row-line"):
            button(f"#{line.seq}", look, kind="quiet", aria_label=say("open_entry", seq=line.seq))
            text(line.said, "span", "strong")
            if line.outcome:
                chip(
                    say.either(f"outcome_{line.outcome}", line.outcome), "bad" if line.outcome in BAD else ""
                )
            text(line.at, "span", "tiny muted")
        if line.facts:
            facts(line.facts)
