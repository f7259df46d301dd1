"""Calls on what outlives a session: memories, stored things, documents, accounts, and knowledge that is searched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from metaagent.global_state import Verdict
from metaagent.input_checks import admit_question
from metaagent.memory.notes import read_note
from metaagent.memory.recall import as_changed
from metaagent.ports import Json, User
from metaagent.runtime.calls import CALLS
from metaagent.runtime.wiring import Wired
from metaagent.sessions.accounts import AccountService
from metaagent.sessions.replies import Replies

if TYPE_CHECKING:
    from pathlib import Path

    from metaagent.sessions.documents import DocumentService
    from metaagent.sessions.stored import StoredThings


class RecordCalls(Wired):
    """Each call names the operation that it needs, and hands over to who does it."""

    async def memories(self, *, user: User | None = None) -> list[Json]:
        who = await self._guard.admitted(CALLS["memories"], user)
        return [memory.as_json() for memory in await self._memory.all(who)]

    async def remember(self, text: str, *, user: User | None = None) -> Json:
        """Keep a fact or preference, said as to the agent: '내 담당 지역은 부산', 'answer in English'."""
        who = await self._guard.admitted(CALLS["remember"], user)
        said = admit_question(text, self.settings.limits.question_bytes)
        moment = self._clock.now().astimezone(self.settings.zone)
        ((made, old),) = await self._memory.remember(who, [read_note(said, moment)], {})
        return as_changed(made, old, self._turn_service.language(said))

    async def forget(self, about: str, *, user: User | None = None) -> list[Json]:
        """Forget memories by id, name or words; returns them."""
        memory, who = self._memory, await self._guard.admitted(CALLS["forget"], user)
        found = await memory.find(who, about)
        await memory.forget(who, [each.id for each in found])
        return [each.as_json() for each in found]

    async def erase_memories(self, user: User | None = None) -> int:
        """Everything that is remembered of this person; how many things that were."""
        return await self._memory.erase(await self._guard.admitted(CALLS["erase_memories"], user))

    async def stored_list(self, *, user: User | None = None) -> list[Json]:
        """Receipts, the oldest first: one's own, or (`stored.read:any`) the company's."""
        return await self._stored.listed(user or User(), CALLS["stored_list"])

    async def stored_show(self, receipt: str, *, user: User | None = None) -> Json:
        """A receipt by its id or link, and whether what it names is still as it was stored."""
        return await self._stored.shown(receipt, user or User(), CALLS["stored_show"])

    async def stored_file(
        self, receipt: str, name: str | None = None, *, user: User | None = None
    ) -> tuple[str, bytes]:
        return await self._stored.file(receipt, name, user or User(), CALLS["stored_file"])

    async def stored_preview(
        self,
        name: str,
        content: bytes,
        *,
        table: str | None = None,
        answers: Sequence[str] = (),
        language: str = "en",
        user: User | None = None,
    ) -> Json:
        """Preview storing this file: the decision, the mapping, the rows as they would be and those replaced; questions
        and reasons in this language."""
        from metaagent.level2.storage.material import of_file

        who = await self._guard.admitted(CALLS["stored_preview"], user)
        port = self._parts.ports.records_of(who, language, {})
        thing = await of_file(name, content)
        return await self._stored.preview(thing, table, answers, who, CALLS["stored_preview"], port, language)

    async def stored_undo(
        self, receipt: str, *, reason: str, dry: bool = False, user: User | None = None
    ) -> Json:
        """Restore what was there before it was stored. Refused where somebody has changed it since. `dry` only gives the
        receipt that would be undone."""
        return await self._stored.undo(receipt, reason, user or User(), CALLS["stored_undo"], dry=dry)

    @property
    def _stored(self) -> StoredThings:
        from metaagent.sessions.stored import StoredThings

        ports = self._parts.ports
        return StoredThings(ports.records, ports.model, self._gatekeeper)

    @property
    def documents(self) -> DocumentService:
        """Versions, comments, approvals and releases of documents, each with the right that it needs."""
        from metaagent.level1.planning.gate import CHECK
        from metaagent.sessions.documents import DocumentService

        parts = self._parts

        async def check(document: Json, digest: str, user: User, language: str) -> Verdict | None:
            agents = parts.registry.agents
            if CHECK not in agents or parts.registry.is_disabled(CHECK):
                return None
            return await self._compliance().document(document, digest, user=user, language=language)

        settings = parts.settings.documents
        return DocumentService(parts.ports.documents, parts.gatekeeper, parts.vault, settings, check)

    @property
    def accounts(self) -> AccountService:
        """Accounts, API keys and log-ins, each with the right that it needs."""
        parts = self._parts
        return AccountService(parts.credentials, parts.gatekeeper, parts.clock, parts.vault.ring.keyed_hash)

    @property
    def replies(self) -> Replies:
        """Answers that a door gave, for requests that are sent twice."""
        parts = self._parts
        return Replies(parts.credentials, parts.clock, parts.vault.ring.keyed_hash)

    async def ingest(
        self,
        paths: Sequence[Path],
        *,
        collection: str = "documents",
        label: str | None = None,
        mine: bool = False,
        dry_run: bool = False,
        tell: Callable[[int, int, str], None] = lambda _done, _all, _name: None,
        user: User | None = None,
    ) -> Json:
        """Make a collection what these files and folders are: new and changed files are added, gone ones removed, renamed
        ones moved. For the company (`knowledge.publish`), or `mine` for oneself."""
        return await self._knowledge.ingest(
            paths, user or User(), collection=collection, label=label, mine=mine, dry_run=dry_run, tell=tell
        )

    async def ingest_domain(self, *, user: User | None = None) -> int:
        """Add the documents that come with the domain, for the company; how many are there then."""
        return await self._knowledge.ingest_domain(user or User())

    async def knowledge_add(
        self,
        name: str,
        content: bytes,
        *,
        collection: str = "documents",
        label: str | None = None,
        mine: bool = False,
        user: User | None = None,
    ) -> Json:
        """Add one file to a collection, in the place of the one of the same name that was added so. For the company
        (`knowledge.publish`), or `mine` for oneself. Raises FileRefused where it cannot be read."""
        return await self._knowledge.add(
            name, content, user or User(), collection=collection, label=label, mine=mine
        )

    async def knowledge_list(self, collection: str | None = None, *, user: User | None = None) -> list[Json]:
        """Documents that the person may search."""
        return await self._knowledge.listed(user or User(), collection)

    async def knowledge_show(
        self, document_id: str, *, start: int = 0, end: int | None = None, user: User | None = None
    ) -> Json:
        """A document and its text between these offsets, as a citation gives them."""
        return await self._knowledge.shown(document_id, user or User(), start=start, end=end)

    async def knowledge_places(self, document_id: str, *, user: User | None = None) -> list[Json]:
        """Chunks of a document with their places, in order."""
        return await self._knowledge.places(document_id, user or User())

    async def knowledge_remove(self, document_id: str, *, user: User | None = None) -> Json:
        """Remove a document with its text, terms and vectors. The company's needs `knowledge.publish`."""
        return await self._knowledge.remove(document_id, user or User())

    async def index_status(self, *, user: User | None = None) -> list[Json]:
        """Collections that the person may see, with the indexes that serve them or are being built."""
        return await self._knowledge.status(user or User())

    async def index_verify(self, collection: str | None = None, *, user: User | None = None) -> Json:
        """Check that texts, chunks, terms and vectors belong together."""
        return await self._knowledge.verify(user or User(), collection)

    async def index_rebuild(
        self,
        collection: str | None = None,
        *,
        tell: Callable[[int, int], None] = lambda _done, _all: None,
        user: User | None = None,
    ) -> list[str]:
        """Make terms and vectors anew beside those that serve, then swap; names of the collections."""
        return await self._knowledge.rebuild(user or User(), collection, tell)
