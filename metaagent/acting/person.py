"""MetaAgent for one person: every call that names a person there is made by this one here."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from typing import TYPE_CHECKING, Any

from metaagent.acting.documents import ActingDocuments
from metaagent.acting.governance import ActingGovernance
from metaagent.global_state import GlobalSessionState, Verdict
from metaagent.ports import ArtifactRef, Json, SessionInfo, Turn, User

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from langgraph.checkpoint.base import BaseCheckpointSaver

    from metaagent.inspection.inspector import StateInspector
    from metaagent.runtime import Answer, Begun, MetaAgent
    from metaagent.sessions.downloads import Download
    from metaagent.sessions.lifecycle import Pruned
    from metaagent.sessions.topics import Topics
    from metaagent.sessions.turn_service import OnWaiting
    from metaagent.storage.checkpoints.copying import Copied
    from metaagent.storage.checkpoints.retention import CheckpointInfo


class Acting:
    """Made by `MetaAgent.acting_for`."""

    def __init__(self, app: MetaAgent, user: User) -> None:
        self._app = app
        self.user = user

    @property
    def documents(self) -> ActingDocuments:
        """Versions, comments, approvals and releases of documents."""
        return ActingDocuments(self._app.documents, self.user)

    @property
    def governance(self) -> ActingGovernance:
        """Calls of reviewers and security officers."""
        return ActingGovernance(self._app.governance, self.user)

    async def ask(
        self,
        text: str,
        *,
        session_id: str | None = None,
        on_waiting: OnWaiting = "refuse",
        attachments: Sequence[str | Json] = (),
    ) -> Answer:
        """Answer a question. An unfinished turn of the session is finished first, one that waits is never overrun;
        `on_waiting="discard"` drops either. `attachments` are files that `attach` was given."""
        return await self._app.ask(
            text, session_id=session_id, on_waiting=on_waiting, attachments=attachments, user=self.user
        )

    async def begin(
        self,
        text: str,
        *,
        session_id: str | None = None,
        on_waiting: OnWaiting = "refuse",
        attachments: Sequence[str | Json] = (),
    ) -> Begun:
        """Ask without waiting for the answer: `events` follows the turn, `answer` says how it stands."""
        return await self._app.begin(
            text, session_id=session_id, on_waiting=on_waiting, attachments=attachments, user=self.user
        )

    def stream(
        self,
        text: str,
        *,
        session_id: str | None = None,
        on_waiting: OnWaiting = "refuse",
        attachments: Sequence[str | Json] = (),
    ) -> AsyncIterator[Json]:
        """The turn's events as they happen, until it has ended or waits."""
        return self._app.stream(
            text, session_id=session_id, on_waiting=on_waiting, attachments=attachments, user=self.user
        )

    async def attach(self, name: str, content: bytes) -> Json:
        """Keep a file to be asked about: its `id` goes into `attachments` of a question. It is sealed for this person and
        searched in that conversation alone. Raises FileRefused where it cannot be read."""
        return await self._app.attach(name, content, user=self.user)

    async def resume(
        self, session_id: str, answer: Any = None, *, question_id: str | None = None, reason: str = ""
    ) -> Answer:
        """Go on with a turn that waits for an answer, or that a crash left unfinished (no answer then). `reason` is why
        a plan is approved or rejected."""
        return await self._app.resume(
            session_id, answer, question_id=question_id, reason=reason, user=self.user
        )

    def stream_resume(
        self, session_id: str, answer: Any = None, *, question_id: str | None = None, reason: str = ""
    ) -> AsyncIterator[Json]:
        return self._app.stream_resume(
            session_id, answer, question_id=question_id, reason=reason, user=self.user
        )

    async def begin_resume(
        self, session_id: str, answer: Any = None, *, question_id: str | None = None, reason: str = ""
    ) -> Begun:
        """Like `resume`, without waiting for what comes of it."""
        return await self._app.begin_resume(
            session_id, answer, question_id=question_id, reason=reason, user=self.user
        )

    async def begin_approve(
        self, session_id: str, decision: Any = "approve", *, question_id: str | None = None, reason: str = ""
    ) -> Begun:
        """Like `approve`, without waiting for what comes of it."""
        return await self._app.begin_approve(
            session_id, decision, question_id=question_id, reason=reason, user=self.user
        )

    async def begin_override(
        self, session_id: str, decision: Any = "approve", *, reason: str, question_id: str | None = None
    ) -> Begun:
        """Like `override`, without waiting for what comes of it."""
        return await self._app.begin_override(
            session_id, decision, reason=reason, question_id=question_id, user=self.user
        )

    async def approve(
        self, session_id: str, decision: Any = "approve", *, question_id: str | None = None, reason: str = ""
    ) -> str:
        """Decide on a plan that waits, one's own or (`session.approve:any`) another's; how the turn stands then. What it
        answers is for the one who asked."""
        return await self._app.approve(
            session_id, decision, question_id=question_id, reason=reason, user=self.user
        )

    async def override(
        self, session_id: str, decision: Any = "approve", *, reason: str, question_id: str | None = None
    ) -> str:
        """Decide on a gate that a verdict closed in another person's turn, for that verdict and those inputs alone; how
        the turn stands then."""
        return await self._app.override(
            session_id, decision, reason=reason, question_id=question_id, user=self.user
        )

    async def approvals(self) -> list[Json]:
        """List what waits and what this person may decide on: plans, with who asked what and when, and closed gates, with
        what the check found."""
        return await self._app.approvals(user=self.user)

    async def approval_input(self, session_id: str, artifact_id: str) -> Any:
        """The content of an artifact that a waiting plan would use, for whoever may decide on that plan."""
        return await self._app.approval_input(session_id, artifact_id, user=self.user)

    async def approval_effect(self, session_id: str, step_id: str, *, language: str = "en") -> Json | None:
        """Say what a step of a waiting plan would store, as it would be, for whoever may decide on that plan; None where the
        step stores nothing, or what it would store is not made yet."""
        return await self._app.approval_effect(session_id, step_id, language=language, user=self.user)

    async def topics(self, *, language: str = "en", most: int = 5) -> Topics | None:
        """Figures, what they split by, how far the data goes, and questions that work; None where no data is connected."""
        return await self._app.topics(language=language, most=most, user=self.user)

    async def follow_ups(self, turn_id: str, *, most: int = 3) -> list[str]:
        """Questions that lead on from the answer of a turn and that this installation can answer, in the turn's language."""
        return await self._app.follow_ups(turn_id, most=most, user=self.user)

    def events(self, turn_id: str, *, after: int = 0) -> AsyncIterator[Json]:
        """Stream the events after the last seq that a late or reconnecting reader saw."""
        return self._app.events(turn_id, after=after, user=self.user)

    def watch(self, session_id: str, *, after: str | None = None) -> AsyncGenerator[Json]:
        """The events of all turns of a session, in order, as they happen: those that were, those of turns that wait and go
        on, and those of turns to come, whichever process runs them, until the reader leaves. Each has a `cursor`;
        `after` goes on behind the one that a reader saw last (`<turn's number>.0` begins with that turn)."""
        return self._app.watch(session_id, after=after, user=self.user)

    async def cancel(self, session_id: str) -> bool:
        """Stop the session's running or waiting turn, whichever process it runs in. What it finished is kept."""
        return await self._app.cancel(session_id, user=self.user)

    async def pause(self, session_id: str) -> bool:
        """Steps under way finish; no other starts until `unpause`. False if no turn is running."""
        return await self._app.pause(session_id, user=self.user)

    async def unpause(self, session_id: str) -> bool:
        return await self._app.unpause(session_id, user=self.user)

    async def judge_file(
        self, name: str, content: bytes, *, packs: Sequence[str] = (), language: str = "en"
    ) -> Verdict:
        """Judge a document, or rows of expenses in CSV or JSON, by the rule packs."""
        return await self._app.judge_file(name, content, packs=packs, language=language, user=self.user)

    async def judge_expenses(
        self, first: date, last: date, *, packs: Sequence[str] = (), language: str = "en"
    ) -> Verdict:
        """Judge the expense book of these days by the rule packs."""
        return await self._app.judge_expenses(first, last, packs=packs, language=language, user=self.user)

    async def disable(self, name: str) -> None:
        """The kill switch: from now on this agent or capability is not started again, in running turns neither, whichever
        process they run in, until it is enabled. For the company of whoever asks; for every company if they run the
        installation."""
        await self._app.disable(name, user=self.user)

    async def enable(self, name: str) -> None:
        await self._app.enable(name, user=self.user)

    async def state(self, session_id: str) -> GlobalSessionState:
        """The session's state at its newest sound checkpoint; a warning in it says if that is not the newest."""
        return await self._app.state(session_id, user=self.user)

    async def answer(self, turn_id: str) -> Answer:
        """Say how a turn stands, whoever ran it. One that waits here for its start has its `place`; one that is paused
        says so (`paused`)."""
        return await self._app.answer(turn_id, user=self.user)

    async def sessions(self, *, limit: int = 100, before: str | None = None) -> list[SessionInfo]:
        return await self._app.sessions(limit=limit, before=before, user=self.user)

    async def session(self, session_id: str) -> SessionInfo:
        return await self._app.session(session_id, user=self.user)

    async def turns(self, session_id: str, *, limit: int = 100, before: int | None = None) -> list[Turn]:
        """The newest first; `before` pages on from a turn's number. One that cannot be read has no question, and its
        refusal among its errors."""
        return await self._app.turns(session_id, limit=limit, before=before, user=self.user)

    async def inspect(self, session_id: str) -> StateInspector:
        """Snapshots, field histories, differences and pictures of the session's turns."""
        return await self._app.inspect(session_id, user=self.user)

    async def history(self, session_id: str, *, before: int | None = None, limit: int = 50) -> list[Json]:
        """Everything that was said, the newest first; `before` pages on from a message's position."""
        return await self._app.history(session_id, before=before, limit=limit, user=self.user)

    async def search_history(
        self, session_id: str, text: str, *, before: int | None = None, limit: int = 50
    ) -> list[Json]:
        """Find messages that hold the text, the newest first."""
        return await self._app.search_history(session_id, text, before=before, limit=limit, user=self.user)

    async def search_sessions(self, text: str, *, limit: int = 100) -> list[SessionInfo]:
        """Sessions that began with a question which holds the text."""
        return await self._app.search_sessions(text, limit=limit, user=self.user)

    async def rename_session(self, session_id: str, title: str) -> SessionInfo:
        """Give a session another title."""
        return await self._app.rename_session(session_id, title, user=self.user)

    async def pin_session(self, session_id: str, *, pinned: bool = True) -> None:
        """Keep a session on top of the person's list, or no longer."""
        await self._app.pin_session(session_id, pinned=pinned, user=self.user)

    async def pinned_sessions(self) -> list[SessionInfo]:
        """Sessions that the person pinned, the last pinned first."""
        return await self._app.pinned_sessions(user=self.user)

    async def share_session(self, session_id: str, person: str | None = None) -> list[Json]:
        """Let a colleague, or everybody of the company, read a session; who may then. They need the right to read their own,
        and no smaller rights to data than whoever shares it."""
        return await self._app.share_session(session_id, person, user=self.user)

    async def unshare_session(self, session_id: str, person: str | None = None) -> list[Json]:
        """End what `share_session` began for this colleague, or for everybody; who may still read it."""
        return await self._app.unshare_session(session_id, person, user=self.user)

    async def session_shares(self, session_id: str) -> list[Json]:
        """People who may read a session: `person`, null for everybody of the company."""
        return await self._app.session_shares(session_id, user=self.user)

    async def shared_sessions(self, *, limit: int = 100) -> list[SessionInfo]:
        """Sessions of colleagues that the person may read, the last shared first."""
        return await self._app.shared_sessions(limit=limit, user=self.user)

    async def memories(self) -> list[Json]:
        return await self._app.memories(user=self.user)

    async def remember(self, text: str) -> Json:
        """Keep a fact or preference, said as to the agent: '내 담당 지역은 부산', 'answer in English'."""
        return await self._app.remember(text, user=self.user)

    async def forget(self, about: str) -> list[Json]:
        """Forget memories by id, name or words; returns them."""
        return await self._app.forget(about, user=self.user)

    async def erase_memories(self) -> int:
        """Everything that is remembered of this person; how many things that were."""
        return await self._app.erase_memories(user=self.user)

    async def stored_list(self) -> list[Json]:
        """Receipts, the oldest first: one's own, or (`stored.read:any`) the company's."""
        return await self._app.stored_list(user=self.user)

    async def stored_show(self, receipt: str) -> Json:
        """A receipt by its id or link, and whether what it names is still as it was stored."""
        return await self._app.stored_show(receipt, user=self.user)

    async def stored_file(self, receipt: str, name: str | None = None) -> tuple[str, bytes]:
        return await self._app.stored_file(receipt, name, user=self.user)

    async def stored_preview(
        self,
        name: str,
        content: bytes,
        *,
        table: str | None = None,
        answers: Sequence[str] = (),
        language: str = "en",
    ) -> Json:
        """Preview storing this file: the decision, the mapping, the rows as they would be and those replaced; questions
        and reasons in this language."""
        return await self._app.stored_preview(
            name, content, table=table, answers=answers, language=language, user=self.user
        )

    async def stored_undo(self, receipt: str, *, reason: str, dry: bool = False) -> Json:
        """Restore what was there before it was stored. Refused where somebody has changed it since."""
        return await self._app.stored_undo(receipt, reason=reason, dry=dry, user=self.user)

    async def ingest(
        self,
        paths: Sequence[Path],
        *,
        collection: str = "documents",
        label: str | None = None,
        mine: bool = False,
        dry_run: bool = False,
        tell: Callable[[int, int, str], None] = lambda _done, _all, _name: None,
    ) -> Json:
        """Make a collection what these files and folders are: new and changed files are added, gone ones removed, renamed
        ones moved. For the company (`knowledge.publish`), or `mine` for oneself."""
        return await self._app.ingest(
            paths, collection=collection, label=label, mine=mine, dry_run=dry_run, tell=tell, user=self.user
        )

    async def ingest_domain(self) -> int:
        """Add the documents that come with the domain, for the company; how many are there then."""
        return await self._app.ingest_domain(user=self.user)

    async def knowledge_add(
        self,
        name: str,
        content: bytes,
        *,
        collection: str = "documents",
        label: str | None = None,
        mine: bool = False,
    ) -> Json:
        """Add one file to a collection, in the place of the one of the same name that was added so. For the company
        (`knowledge.publish`), or `mine` for oneself. Raises FileRefused where it cannot be read."""
        return await self._app.knowledge_add(
            name, content, collection=collection, label=label, mine=mine, user=self.user
        )

    async def knowledge_list(self, collection: str | None = None) -> list[Json]:
        """Documents that the person may search."""
        return await self._app.knowledge_list(collection, user=self.user)

    async def knowledge_show(self, document_id: str, *, start: int = 0, end: int | None = None) -> Json:
        """A document and its text between these offsets, as a citation gives them."""
        return await self._app.knowledge_show(document_id, start=start, end=end, user=self.user)

    async def knowledge_places(self, document_id: str) -> list[Json]:
        """Chunks of a document with their places, in order."""
        return await self._app.knowledge_places(document_id, user=self.user)

    async def knowledge_remove(self, document_id: str) -> Json:
        """Remove a document with its text, terms and vectors. The company's needs `knowledge.publish`."""
        return await self._app.knowledge_remove(document_id, user=self.user)

    async def index_status(self) -> list[Json]:
        """Collections that the person may see, with the indexes that serve them or are being built."""
        return await self._app.index_status(user=self.user)

    async def index_verify(self, collection: str | None = None) -> Json:
        """Check that texts, chunks, terms and vectors belong together."""
        return await self._app.index_verify(collection, user=self.user)

    async def index_rebuild(
        self, collection: str | None = None, *, tell: Callable[[int, int], None] = lambda _done, _all: None
    ) -> list[str]:
        """Make terms and vectors anew beside those that serve, then swap; names of the collections."""
        return await self._app.index_rebuild(collection, tell=tell, user=self.user)

    async def artifact(self, session_id: str, artifact_id: str) -> Any:
        """The content of an artifact: plain data, or the bytes of a file."""
        return await self._app.artifact(session_id, artifact_id, user=self.user)

    async def artifact_file(self, session_id: str, artifact_id: str, *, form: str | None = None) -> Download:
        """An artifact as a file: name, media type, size, and its bytes in pieces or in a range, of any size. What is no file
        is its JSON; with `form`, it is the same document in that format."""
        return await self._app.artifact_file(session_id, artifact_id, form=form, user=self.user)

    async def artifact_ref(
        self, session_id: str, artifact_id: str, *, form: str | None = None
    ) -> ArtifactRef:
        """An artifact's kind, name, media type and group; with `form`, those of the same document in that format."""
        return await self._app.artifact_ref(session_id, artifact_id, form=form, user=self.user)

    async def record_export(self, session_id: str, artifact_id: str, form: str, content: bytes | str) -> None:
        """An artifact leaves as a file: the trail can tell by the file's hash where it came from. `content` is the file, or
        its SHA-256 in hexadecimal digits."""
        await self._app.record_export(session_id, artifact_id, form, content, user=self.user)

    async def delete_session(self, session_id: str) -> dict[str, int]:
        """Everything that belongs to the session, in every store; what was removed, by kind."""
        return await self._app.delete_session(session_id, user=self.user)

    async def checkpoints(self, session_id: str) -> list[CheckpointInfo]:
        """List where `restore` and `fork` can go to, the newest first."""
        return await self._app.checkpoints(session_id, user=self.user)

    async def save_checkpoint(self, session_id: str, name: str) -> str:
        """Give the session's present checkpoint a name, which keeps it until the session is deleted."""
        return await self._app.save_checkpoint(session_id, name, user=self.user)

    async def restore(
        self,
        session_id: str,
        *,
        turn: int | None = None,
        name: str | None = None,
        on_waiting: OnWaiting = "refuse",
    ) -> int:
        """Go back to the end of a turn. Later turns stay in the history, marked as undone; how many were."""
        return await self._app.restore(
            session_id, turn=turn, name=name, on_waiting=on_waiting, user=self.user
        )

    async def fork(self, session_id: str, *, turn: int | None = None, name: str | None = None) -> SessionInfo:
        """A new session that continues from the end of a turn of this one."""
        return await self._app.fork(session_id, turn=turn, name=name, user=self.user)

    async def export_session(
        self, session_id: str, *, full: bool = False, passphrase: str | None = None
    ) -> bytes:
        """The session with its turns, events, artifacts and newest state as an archive: without personal data, or
        `full`, which a passphrase seals."""
        return await self._app.export_session(session_id, full=full, passphrase=passphrase, user=self.user)

    async def copy_thread(
        self, session_id: str, target: BaseCheckpointSaver[Any], *, as_thread: str | None = None
    ) -> Copied:
        """Copy the checkpoints of a session into any LangGraph saver. What is sealed here is there as that saver writes it."""
        return await self._app.copy_thread(session_id, target, as_thread=as_thread, user=self.user)

    async def import_session(self, archive: bytes, *, passphrase: str | None = None) -> SessionInfo:
        """An exported session as a new one of this person. A damaged or hostile archive changes nothing."""
        return await self._app.import_session(archive, passphrase=passphrase, user=self.user)

    async def prune_session(self, session_id: str) -> Pruned:
        """Checkpoints beyond the retention, and artifacts that nothing kept refers to."""
        return await self._app.prune_session(session_id, user=self.user)
