"""Ask: a conversation, while it works and afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any
from urllib.parse import quote

from nicegui import ui
from nicegui.element import Element

from metaagent.errors import MetaAgentError, UnknownSession
from metaagent.level1.new_question import chosen
from metaagent.ports import ENDED, Json, SessionInfo, Turn
from metaagent.web.page.answer import is_damaged, show_actions, show_answer, show_done_plan
from metaagent.web.page.effect_preview import Look
from metaagent.web.page.elements import (
    Composer,
    PlanGraph,
    RichText,
    box,
    button,
    chip,
    icon,
    link,
    missing,
    notice,
    text,
    toast,
    working,
)
from metaagent.web.page.files import API
from metaagent.web.page.marks import mark_buttons
from metaagent.web.page.page_context import Visit, attempt
from metaagent.web.page.progress import ASKS, ENDS, Progress
from metaagent.web.page.views import blocks_of, held, step_texts, steps_of
from metaagent.web.page.waiting import show_gate, show_plan, show_question

RECENT = 20
"""Turns that a conversation opens with, from its end."""
SETTLES = 0.25
"""Seconds between two looks at a turn whose events say that it waits or has ended, until its row says so, too."""
EXAMPLES = 6
FOLLOW_UPS = 3


async def new(visit: Visit) -> None:
    """The start: what can be asked here, and the box to ask it in."""
    ui.page_title("metaagent")
    say = visit.words
    with box("div", "scroll", tabindex="0"), box("div", "thread welcome"):
        with box("div", "stack"):
            asks = visit.may("session.ask")
            text(say("ask_title" if asks else "welcome"), "h1", tabindex="-1")
            if asks:
                text(say("ask_intro"), "p", "muted")
        examples = box("div", "stack")
        with examples:
            working(say("loading"))
    if asks:
        composer_of(visit, None, _asker(visit), None)
    await _show_examples(visit, examples)


def _asker(visit: Visit) -> Any:
    async def ask(given: Json) -> None:
        begun = await attempt(
            visit, visit.me.begin(given["text"], attachments=[each["id"] for each in given["files"]])
        )
        if begun is not None:
            ui.navigate.to(f"/s/{begun.session_id}")

    return ask


async def _show_examples(visit: Visit, place: Element) -> None:
    say = visit.words
    if not visit.may("session.ask"):
        place.clear()
        with place:
            notice(say("may_not_ask"))
            if visit.may("audit.read"):
                with box("div", "row-line"):
                    link(say("nav_review"), "/review", "button", picture="shield")
        return
    try:
        topics = await visit.me.topics(language=visit.language, most=EXAMPLES)
    except MetaAgentError as error:
        topics = None
        with place:
            notice(visit.told(error), "warn")
    if place.is_deleted:  # the reader has gone on
        return
    place.clear()
    if topics is None or not topics.questions:
        return
    ask = _asker(visit)
    with place:
        with box("div", "row-line spread"):
            text(say("examples"), "h2", "small muted")
            if topics.start:
                text(say("ask_data", start=topics.start, end=topics.end), "span", "tiny muted")
        with box("div", "examples"):
            for question in topics.questions:

                async def go(said: str = question) -> None:
                    await ask({"text": said, "files": []})

                with box("button", "example", type="button") as made:
                    text(question)
                    icon("arrow", "small")
                made.on("click", go, args=[])


def composer_of(visit: Visit, session_id: str | None, on_send: Any, on_stop: Any) -> Composer:
    say = visit.words
    view = {
        "draftKey": f"draft:{session_id or ''}",
        "upload": f"{API}/attachments",
        "texts": {
            "label": say("composer"),
            "placeholder": say("placeholder"),
            "answer": say("placeholder_answer"),
            "send": say("send"),
            "stop": say("stop"),
            "attach": say("attach"),
            "drop": say("drop"),
            "uploading": say("uploading"),
            "refused": say("upload_refused"),
            "offline": say("not_connected"),
            "remove": say("remove_file", name="#"),
        },
    }
    with box("div", "composer-place"):
        made = Composer(view, on_send, on_stop or (lambda: None))
        text(say("keys_hint"), "p", "composer-note")
    return made


async def conversation(visit: Visit, session_id: str) -> None:
    """One conversation, opened at its end and followed until the reader leaves."""
    await Conversation(visit, session_id).run()


class Conversation:
    """Holds the turns that are shown, and puts each event where it belongs."""

    def __init__(self, visit: Visit, session_id: str) -> None:
        self._visit = visit
        self._say = visit.words
        self._session = session_id
        self._cards: dict[str, TurnCard] = {}
        self._shown = RECENT
        self._composer: Composer | None = None
        self.mine = True
        """Tells whether the reader may go on with it, or only looks at what somebody shares."""

    async def run(self) -> None:
        try:
            info = await self._visit.me.session(self._session)
        except UnknownSession:
            with box("div", "page stack"):
                missing(self._say("no_conversation"), self._say("no_conversation_why"))
                link(self._say("to_conversations"), "/sessions", "button")
            return
        except MetaAgentError as error:
            with box("div", "page stack"):
                notice(self._visit.told(error), "warn", role="alert")
            return
        self.mine = not info.shared_by
        self._head = box("div", "thread-head")
        self._show_head(info)
        with box("div", "scroll follow"), box("div", "thread"):
            self._earlier = box("div", "row-line")
            self._list = box("div", aria_live="polite", aria_relevant="additions")
        if self.mine:
            self._composer = composer_of(self._visit, self._session, self._send, self._stop)
        else:
            with box("div", "composer-place"):
                notice(self._say("shared_by", name=info.shared_by))
        await self._load()
        await self._visit.tell()
        ui.timer(SETTLES, self._settle)
        await self._follow()

    def _show_head(self, info: SessionInfo) -> None:
        title = info.title or self._say("conversation")
        ui.page_title(f"{title} · metaagent")
        self._head.clear()
        with self._head:
            text(title, "h1", "grow clip", tabindex="-1", title=title)
            mark_buttons(self._visit, info, title, self._marked)

    async def _marked(self) -> None:
        """Show the title and the marks as they are now."""
        self._show_head(await self._visit.me.session(self._session))
        await self._visit.tell()

    async def _settle(self) -> None:
        last = self._last()
        if last is not None and last.unsettled:
            await last.look()
            self._update_composer()
            await last.suggest()

    async def _load(self) -> None:
        turns = await self._visit.me.turns(self._session, limit=RECENT + 1)
        self._offer_earlier(there=len(turns) > RECENT)
        for turn in reversed(turns[:RECENT]):
            await self._add(turn)
        self._update_composer()
        last = self._last()
        if last is not None:
            await last.suggest()

    def _offer_earlier(self, *, there: bool) -> None:
        self._earlier.clear()
        if there:
            with self._earlier:
                button(self._say("earlier"), self._show_earlier, kind="quiet", picture="up", data_earlier="")

    async def _show_earlier(self) -> None:
        """Put those before the first above it, which stays where the reader sees it."""
        first = next(iter(self._cards.values()))
        turns = await self._visit.me.turns(self._session, limit=RECENT + 1, before=first.number)
        older: dict[str, TurnCard] = {}
        for place, turn in enumerate(reversed(turns[:RECENT])):
            with self._list:
                card = older[turn.turn_id] = TurnCard(self._visit, turn, self)
            card.element.move(target_index=place)
            await card.show(turn)
        self._cards = {**older, **self._cards}
        self._shown += len(older)
        self._offer_earlier(there=len(turns) > RECENT)

    async def _add(self, turn: Turn) -> TurnCard:
        before = self._last()
        if before is not None:
            before.suggest_nothing()
        with self._list:
            card = TurnCard(self._visit, turn, self)
        self._cards[turn.turn_id] = card
        await card.show(turn)
        return card

    async def _follow(self) -> None:
        """Take every event of the session as it comes."""
        async for event in self._events():
            card = self._cards.get(event["turn_id"])
            if card is None:
                card = await self._add(await self._turn(event["turn_id"]))
            await card.take(event)
            self._update_composer()
            await card.suggest()

    async def _events(self) -> AsyncIterator[Json]:
        last = self._last()
        after = f"{last.number}.0" if last is not None else None
        async for event in self._visit.me.watch(self._session, after=after):
            yield event

    async def _turn(self, turn_id: str) -> Turn:
        turns = await self._visit.me.turns(self._session, limit=self._shown)
        return next(each for each in turns if each.turn_id == turn_id)

    async def stored(self, turn_id: str) -> Turn:
        return await self._turn(turn_id)

    def _last(self) -> TurnCard | None:
        return next(reversed(self._cards.values()), None)

    def _update_composer(self) -> None:
        last = self._last()
        if self._composer is not None:
            at_work = last is not None and last.at_work
            self._composer.show(
                working=at_work, answering=last is not None and last.question_back is not None
            )

    async def _send(self, given: Json) -> None:
        """A new question, or the answer to the one that waits."""
        me, last = self._visit.me, self._last()
        files = [each["id"] for each in given["files"]]
        question = last.question_back if last is not None else None
        if question is not None and not files:
            said = chosen(given["text"], question)
            await attempt(self._visit, me.begin_resume(self._session, said, question_id=question["id"]))
            return
        await attempt(self._visit, me.begin(given["text"], session_id=self._session, attachments=files))

    async def ask(self, question: str) -> None:
        await self._send({"text": question, "files": []})

    async def _stop(self) -> None:
        await attempt(self._visit, self._visit.me.cancel(self._session))

    async def changed(self) -> None:
        await self._visit.tell()

    def is_last(self, card: TurnCard) -> bool:
        return self._last() is card


class TurnCard:
    """One turn on the page."""

    def __init__(self, visit: Visit, turn: Turn, conversation: Conversation) -> None:
        self._visit, self._say = visit, visit.words
        self._conversation = conversation
        self._turn = turn
        self._progress = Progress()
        self._graph: PlanGraph | None = None
        self._paused = self._at_work = False
        self._room: Element | None = None
        self._suggested: Element | None = None
        self._building = asyncio.Lock()
        asked = "you_asked" if conversation.mine else "they_asked"
        with box("article", "turn", aria_label=self._say(asked)) as self.element:
            if turn.question:
                text(turn.question, "div", "question")
            self._files = box("div", "question-meta unless-empty")
            self._answers = box("div", "question-meta unless-empty")
            self._body = box("div", "answer")

    @property
    def status(self) -> str:
        return self._turn.status

    @property
    def number(self) -> int:
        return self._turn.number

    @property
    def at_work(self) -> bool:
        """Tell if somebody works on it: a turn that was cut off leaves the box free."""
        return self._at_work

    @property
    def question_back(self) -> Json | None:
        if self._turn.status != "waiting":
            return None
        return next((each for each in self._turn.waiting if each["kind"] != "override"), None)

    async def show(self, turn: Turn) -> None:
        """Show the turn as it is stored. One after the other: an event, a look and a click may come at once."""
        async with self._building:
            self._turn = turn
            await self._show(turn)

    async def _show(self, turn: Turn) -> None:
        await self._show_files()
        self._show_answers()
        self._room = None
        self._at_work = False
        self._body.clear()
        self._graph = None
        with self._body:
            if turn.status in ENDED:
                await self._show_end(turn)
            elif turn.status == "waiting":
                self._show_steps_so_far()
                for question in turn.waiting:
                    await self._show_waiting(question, several=len(turn.waiting) > 1)
            else:
                await self._show_unfinished(turn)

    async def _show_unfinished(self, turn: Turn) -> None:
        me = self._visit.me
        if (await me.session(turn.session_id)).status == "interrupted":
            self._show_cut_off()
            return
        self._paused = bool((await me.answer(turn.turn_id)).content.get("paused"))
        self._show_working()

    def _show_cut_off(self) -> None:
        """A turn that whoever worked on it has left: it can be finished or dropped."""
        notice(self._say("interrupted"), "warn")
        if not self._conversation.mine:
            return

        async def finish() -> None:
            if await attempt(self._visit, self._visit.me.begin_resume(self._turn.session_id)) is not None:
                await self._gone_on()

        async def drop() -> None:
            await self._cancel()
            await self._gone_on()

        with box("div", "row-line"):
            button(self._say("finish_it"), finish, kind="main-action", picture="play")
            button(self._say("drop_it"), drop, kind="danger")

    async def _show_files(self) -> None:
        """Name the files that the question came with."""
        names: list[str] = []
        for each in self._turn.attached:
            try:
                names.append((await self._visit.me.artifact_ref(self._turn.session_id, each)).name)
            except MetaAgentError:  # gone, or not for this reader
                names.append("")
        self._files.clear()
        with self._files:
            for name in names:
                chip(name or self._say("attached_file"))

    def _show_answers(self) -> None:
        """Show the answers that the person gave on the way."""
        given: Sequence[Json] = (self._turn.outcome.get("analysis") or {}).get("clarification_answers") or ()
        self._answers.clear()
        with self._answers:
            for each in given:
                text(str(each.get("answer") or ""), "div", "question")

    async def take(self, event: Json) -> None:
        """Fold an event in, and show what it changes."""
        if not self._progress.take(event):
            return
        if event["type"] in ENDS | ASKS or self._turn.status == "waiting":
            await self.look()
        elif self._at_work:
            self._show_progress()

    async def look(self) -> None:
        """Show the turn anew where its standing has changed: it waits, goes on or has ended."""
        turn = await self._conversation.stored(self._turn.turn_id)
        if (turn.status, turn.waiting) != (self._turn.status, self._turn.waiting):
            await self.show(turn)
            await self._conversation.changed()

    @property
    def unsettled(self) -> bool:
        """Tell if the events say that the turn has ended or waits, and its row did not say so yet."""
        status = self._turn.status
        return status not in ENDED and (self._progress.over or (self._progress.asks and status != "waiting"))

    async def refresh(self) -> None:
        await self.show(await self._conversation.stored(self._turn.turn_id))

    async def _show_end(self, turn: Turn) -> None:
        if is_damaged(turn):
            notice(self._say("unreadable"), "warn")
            return
        show_done_plan(self._visit, turn)
        await show_answer(self._visit, turn)
        mine = self._conversation.mine
        show_actions(self._visit, turn, box("div"), self._fork if mine else None)
        if mine and turn.status == "completed":
            self._room = box("div")

    async def suggest(self) -> None:
        """Offer questions that lead on from the answer, once: the box is free meanwhile."""
        room, self._room = self._room, None
        if room is None or not self._conversation.is_last(self):
            return
        try:
            found = await self._visit.me.follow_ups(self._turn.turn_id, most=FOLLOW_UPS)
        except MetaAgentError:
            return
        if not found or room.is_deleted or not self._conversation.is_last(self):
            return
        with (
            room,
            box("div", "suggestions", role="group", aria_label=self._say("followups")) as self._suggested,
        ):
            for said in found:

                async def go(question: str = said) -> None:
                    await self._conversation.ask(question)

                button(said, go, kind="suggestion")

    def suggest_nothing(self) -> None:
        """Take back what was suggested: the conversation goes on."""
        if self._suggested is not None and not self._suggested.is_deleted:
            self._suggested.delete()

    def _show_working(self) -> None:
        with box("div", "row-line spread"):
            with box("div") as self._dots:
                self._line = working(self._progress.said(self._say))
            with box("div", "row-line") as buttons:
                self._pause = box("button", "button quiet", type="button").on(
                    "click", self._toggle_pause, args=[]
                )
                self._name_pause()
                button(self._say("cancel_turn"), self._cancel, kind="quiet danger", picture="stop")
            buttons.set_visibility(self._conversation.mine)
        self._replans = box("ul", "stack tight unless-empty")
        self._graph_place = box("div")
        self._words_place = box("div")
        self._at_work = True
        self._show_progress()

    def _show_progress(self) -> None:
        self._line.set_text(self._say("paused") if self._paused else self._progress.said(self._say))
        self._dots.classes(**{"add" if self._paused else "remove": "still"})
        self._replans.clear()
        with self._replans:
            for reason in self._progress.replans:
                text(self._say("replanned", reason=reason), "li", "small muted")
        steps = steps_of(self._progress.steps, self._progress.plan, self._progress.tries)
        if steps and self._graph is None:
            with self._graph_place:
                self._graph = PlanGraph(steps, step_texts(self._say, len(steps)))
        elif self._graph is not None:
            self._graph.show(steps)
        if self._progress.words:
            self._words_place.clear()
            with self._words_place:
                RichText(blocks_of(self._progress.words, (), self._say))

    def _show_steps_so_far(self) -> None:
        steps: Sequence[Json] = self._progress.steps or self._turn.outcome.get("steps") or ()
        begun = [each for each in steps if each.get("status") not in (None, "pending")]
        if begun:
            PlanGraph(
                steps_of(held(steps), self._progress.plan, self._progress.tries),
                step_texts(self._say, len(steps)),
            )

    async def _show_waiting(self, question: Json, *, several: bool) -> None:
        visit, session = self._visit, self._turn.session_id
        if not self._conversation.mine:
            notice(self._say("waits_for_them"))
        elif question["kind"] == "override":
            show_gate(visit, question, None)
        elif question["kind"] == "approval":

            async def decide(said: str, reason: str) -> None:
                work = visit.me.begin_approve(session, said, question_id=question["id"], reason=reason)
                done = self._say("decided_reject" if said == "reject" else "decided_approve")
                if await attempt(visit, work, done=done) is not None:
                    await self._gone_on()

            may = await self._may_decide(question)
            show_plan(visit, question, decide, may=may, own=True, look=Look(visit, session) if may else None)
        else:

            async def answer(said: str) -> None:
                work = visit.me.begin_resume(session, said, question_id=question["id"])
                if await attempt(visit, work) is not None:
                    await self._gone_on()

            show_question(visit, question, answer, step=self._title_of(question) if several else "")

    def _title_of(self, question: Json) -> str:
        """The title of the step that asks."""
        steps: Sequence[Json] = self._progress.steps or self._turn.outcome.get("steps") or ()
        found = (each for each in steps if each["step_id"] == question.get("step_id"))
        return next((str(each.get("description") or "") for each in found), "")

    async def _may_decide(self, question: Json) -> bool:
        """The core knows who may: it lists what this person may decide on."""
        try:
            return any(each["id"] == question["id"] for each in await self._visit.me.approvals())
        except MetaAgentError:
            return False

    async def _gone_on(self) -> None:
        self._progress.asks = False
        await self.refresh()
        await self._conversation.changed()

    async def _toggle_pause(self) -> None:
        me, session = self._visit.me, self._turn.session_id
        done = await attempt(self._visit, me.unpause(session) if self._paused else me.pause(session))
        if done:
            self._paused = not self._paused
            self._name_pause()
            self._show_progress()

    def _name_pause(self) -> None:
        """Let the button say what it does now: pause, or go on."""
        self._pause.clear()
        with self._pause:
            icon("play" if self._paused else "pause")
            text(self._say("go_on" if self._paused else "pause"))

    async def _cancel(self) -> None:
        await attempt(self._visit, self._visit.me.cancel(self._turn.session_id))

    async def _fork(self) -> None:
        made = await attempt(self._visit, self._visit.me.fork(self._turn.session_id, turn=self._turn.number))
        if made is not None:
            toast(self._say("forked"))
            ui.navigate.to(f"/s/{quote(made.session_id)}")
