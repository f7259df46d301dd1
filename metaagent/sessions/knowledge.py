"""Documents that are searched: who may add, read and remove them, and the entry of each change in the trail."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path, PurePosixPath

from metaagent.access.gatekeeper import Gatekeeper
from metaagent.access.rights import Rights
from metaagent.config import Settings, domain_folder
from metaagent.errors import Failed, InputRefused, Text, Unknown
from metaagent.input_checks import admit_id, admit_user
from metaagent.isolation.host import hidden_from_agents
from metaagent.knowledge.extracted import shown_name
from metaagent.knowledge.reading import FileReader
from metaagent.ports import Json, User
from metaagent.storage.disk_reserve import check_room
from metaagent.storage.holds import HoldCheck
from metaagent.storage.library.collection_rows import Collection, Document
from metaagent.storage.library.engine import SERVING, Engine
from metaagent.storage.library.ingestion import Ingestion, Reader, Report, Tell, read_here
from metaagent.storage.library.port import LibraryOfPerson
from metaagent.storage.vault import Owner, Vault

READ, CHANGE, PUBLISH, MANAGE = "knowledge.read", "knowledge.change", "knowledge.publish", "index.manage"

DEFAULT_LABEL = "internal"
GIVEN = "given:"
"""Begins the source of a document that somebody gave by itself. No path of a folder begins so: none is cleared away with one."""

_UNKNOWN = Text(
    en="There is no document {document!r}; `metaagent knowledge list` shows what you may see.",
    ko="문서 {document!r}이(가) 없습니다. `metaagent knowledge list`로 볼 수 있는 문서를 확인하세요.",
)
_NO_COLLECTION = Text(
    en="There is no collection {name!r}; `metaagent index status` shows what you may see.",
    ko="컬렉션 {name!r}이(가) 없습니다. `metaagent index status`로 확인하세요.",
)
_FORBIDDEN = Text(
    en="Your roles do not let you see documents labelled {label!r}, so you cannot add any either.",
    ko="{label!r} 등급의 문서를 볼 권한이 없어 추가할 수도 없습니다.",
)


class KnowledgeService:
    """The documents of all collections, in an open engine: made when somebody first adds or searches."""

    def __init__(
        self, engine: Engine, vault: Vault, gatekeeper: Gatekeeper, settings: Settings, holds: HoldCheck
    ) -> None:
        self._engine = engine
        self._holds = holds
        self._vault = vault
        self._gatekeeper = gatekeeper
        self._settings = settings

    def port(self, user: User, rights: Rights, session: str = "") -> LibraryOfPerson:
        return LibraryOfPerson(self._engine, user, rights.searches, session)

    # --- adding -----------------------------------------------------------------------------------------

    async def ingest(
        self,
        paths: Sequence[Path],
        user: User,
        *,
        collection: str,
        label: str | None,
        mine: bool,
        dry_run: bool = False,
        tell: Tell = lambda _done, _all, _name: None,
        read: Reader | None = None,
    ) -> Json:
        who = admit_user(user)
        target = await self._target(who, collection, label, mine=mine, dry_run=dry_run)
        name, run = target.name, self._run(who, target, read)
        if dry_run:
            seen, plan = await run.plan(paths)
            kinds = ("added", "changed", "removed", "moved", "unchanged")
            changes = {kind: list(getattr(plan, kind)) for kind in kinds}
            errors = [{"source": source, "message": text} for source, text in seen.errors]
            return {"collection": name, "label": target.label, "dry_run": True, **changes, "errors": errors}
        await self._rebuild_if_outdated(target)
        report = await run.run(paths, tell)
        await self._note(who, "knowledge.ingested", target, report)
        return {"collection": name, "label": target.label, "dry_run": False, "report": report}

    async def add(
        self, name: str, content: bytes, user: User, *, collection: str, label: str | None, mine: bool
    ) -> Json:
        """Add one file that somebody gives; `replaced` tells if one of its name was there. Raises FileRefused."""
        who = admit_user(user)
        await self._gatekeeper.require(who, CHANGE if mine else PUBLISH)
        last = PurePosixPath(name.replace("\\", "/")).name
        shown = shown_name("-" if last in {"", ".."} else last)
        extracted = await FileReader(self._settings.retrieval.loaders)(shown, content)
        target = await self._target(who, collection, label, mine=mine)
        source = f"{GIVEN}{shown}"
        before = await asyncio.to_thread(self._at_source, target, source)
        if before is not None:
            await self._refuse_if_held(target)
        check_room(self._settings.data_dir)
        await self._rebuild_if_outdated(target)
        made = await self._run(who, target).put(source, extracted, content) or before
        assert made is not None, "nothing is put only where the same is there"
        report = Report(added=[source]) if before is None else Report(changed=[source])
        if before is None or made.id != before.id:
            await self._note(who, "knowledge.ingested", target, report)
        about = {"collection": target.name, "label": target.label, "owner": _owner(target)}
        return {**made.as_json(), **about, "replaced": before is not None}

    async def _target(
        self, who: User, collection: str, label: str | None, *, mine: bool, dry_run: bool = False
    ) -> Collection:
        """The collection that documents go into: it is made where it is not there, unless nothing is to change."""
        owner = Owner.of(who) if mine else Owner(who.company_id)
        rights = await self._gatekeeper.require(who, CHANGE if mine else PUBLISH)
        name = admit_id(collection, "collection")
        wanted = None if label is None else admit_id(label, "label")
        there = await self._named(owner, name)
        target = there or Collection("", owner, name, wanted or DEFAULT_LABEL)
        if not mine and not rights.searches(name, target.label):
            await self._gatekeeper.refused(who, PUBLISH, reason="not_granted", what="label")
            raise InputRefused(_FORBIDDEN, label=target.label)
        if dry_run and there is None:
            return target
        return await self._engine.collection(owner, name, wanted or target.label)

    def _run(self, who: User, target: Collection, read: Reader | None = None) -> Ingestion:
        return Ingestion(
            self._engine,
            target,
            author=self._vault.alias(who),
            data_dir=self._settings.data_dir,
            read=read or FileReader(self._settings.retrieval.loaders),
            may_remove=partial(self._refuse_if_held, target),
            kept_out=[Path(path) for path in hidden_from_agents(self._settings)],
        )

    def _at_source(self, collection: Collection, source: str) -> Document | None:
        with self._engine.database.reading() as connection:
            return self._engine.shelf.at_source(connection, collection, source)

    async def ingest_domain(self, user: User) -> int:
        """Add the documents that come with the domain; how many are there then."""
        await self._gatekeeper.require(admit_user(user), PUBLISH)
        folder = domain_folder(self._settings)
        place = folder / "knowledge" if folder else None
        if place is None or not place.is_dir():
            return 0
        name = self._settings.domain or ""
        await self.ingest([place], user, collection=name, label=None, mine=False, read=read_here)
        return len(await self.listed(user, name))

    # --- looking ----------------------------------------------------------------------------------------

    async def listed(self, user: User, collection: str | None = None) -> list[Json]:
        who = admit_user(user)
        rights = await self._gatekeeper.require(who, READ)
        return await self.port(who, rights).documents(collection)

    async def shown(self, document_id: str, user: User, *, start: int = 0, end: int | None = None) -> Json:
        """A document, and the text of it between these offsets."""
        who = admit_user(user)
        port = self.port(who, await self._gatekeeper.require(who, READ))
        collection, document = await self._found(port, document_id)
        text = await port.text(document.id, start, end)
        about = {"collection": collection.name, "label": collection.label, "owner": _owner(collection)}
        return {**document.as_json(), **about, "start": start, "text": text}

    async def places(self, document_id: str, user: User) -> list[Json]:
        """Chunks of a document, in order, with their places."""
        who = admit_user(user)
        port = self.port(who, await self._gatekeeper.require(who, READ))
        _, document = await self._found(port, document_id)
        return await port.chunks([f"{document.id}-{number}" for number in range(document.chunks)])

    async def _found(self, port: LibraryOfPerson, document_id: str) -> tuple[Collection, Document]:
        try:
            return await port.document(admit_id(document_id, "document"))
        except Failed as error:
            raise Unknown(_UNKNOWN, document=document_id) from error

    # --- removing ---------------------------------------------------------------------------------------

    async def remove(self, document_id: str, user: User) -> Json:
        who = admit_user(user)
        rights = await self._gatekeeper.require(who, CHANGE)
        collection, document = await self._found(self.port(who, rights), document_id)
        if collection.owner.person is None:
            await self._gatekeeper.require(who, PUBLISH, what=document.id)
        await self._refuse_if_held(collection)
        await self._engine.remove(collection, [document.id])
        await self._gatekeeper.note(
            who, "knowledge.removed", {"collection": collection.id, "document": document.id}
        )
        return {**document.as_json(), "collection": collection.name}

    # --- indexes ----------------------------------------------------------------------------------------

    async def status(self, user: User) -> list[Json]:
        who = admit_user(user)
        rights = await self._gatekeeper.require(who, READ)
        found: list[Json] = []
        for each in await self.port(who, rights).collections():
            collection = await self._collection(who, rights, each["id"])
            indexes = await asyncio.to_thread(self._indexes, collection)
            found.append({**each, "indexes": indexes})
        return found

    def _indexes(self, collection: Collection) -> list[Json]:
        with self._engine.database.reading() as connection:
            found = self._engine.indexes(connection, collection)
        return [
            {
                "state": each.state,
                "tokenizer": each.tokenizer,
                "embedder": each.embedder,
                "documents": each.documents,
            }
            for each in found
        ]

    async def verify(self, user: User, name: str | None = None) -> Json:
        """Problems by collection; none anywhere if everything belongs together."""
        who = admit_user(user)
        rights = await self._gatekeeper.require(who, MANAGE)
        found = {each.name: await self._engine.verify(each) for each in await self._chosen(who, rights, name)}
        return {"holds": not any(found.values()), "collections": found}

    async def rebuild(
        self, user: User, name: str | None = None, tell: Callable[[int, int], None] = lambda _done, _all: None
    ) -> list[str]:
        """Make terms and vectors anew beside those that serve; names of the collections."""
        who = admit_user(user)
        rights = await self._gatekeeper.require(who, MANAGE)
        chosen = await self._chosen(who, rights, name)
        for collection in chosen:
            await self._engine.rebuild(collection, tell)
            await self._gatekeeper.note(who, "index.rebuilt", {"collection": collection.id})
        return [collection.name for collection in chosen]

    # --- inside -----------------------------------------------------------------------------------------

    async def _chosen(self, user: User, rights: Rights, name: str | None) -> list[Collection]:
        visible = await self.port(user, rights).collections()
        ids = [each["id"] for each in visible if name in (None, each["name"], each["id"])]
        if name is not None and not ids:
            raise Unknown(_NO_COLLECTION, name=name)
        return [await self._collection(user, rights, each) for each in ids]

    async def _collection(self, user: User, rights: Rights, collection_id: str) -> Collection:
        def work() -> Collection:
            owners = [Owner(user.company_id), Owner.of(user)]
            with self._engine.database.reading() as connection:
                found = {each.id: each for each in self._engine.shelf.collections(connection, owners)}
            return found[collection_id]

        return await asyncio.to_thread(work)

    async def _refuse_if_held(self, collection: Collection) -> None:
        """Refuse to remove what is under a legal hold: a person's documents with the person, the company's with the company."""
        await self._holds.refuse_owner(
            collection.owner.company_id, self._engine.shelf.alias(collection.owner)
        )

    async def _named(self, owner: Owner, name: str) -> Collection | None:
        def work() -> Collection | None:
            with self._engine.database.reading() as connection:
                return self._engine.shelf.collection(connection, owner, name)

        return await asyncio.to_thread(work)

    async def _rebuild_if_outdated(self, collection: Collection) -> None:
        """Vectors of another embedder, or terms of another tokenizer, are not mixed with ours."""
        for problem in await asyncio.to_thread(self._serving, collection):
            if problem:
                await self._engine.rebuild(collection)

    def _serving(self, collection: Collection) -> list[bool]:
        with self._engine.database.reading() as connection:
            found = self._engine.indexes(connection, collection)
        return [not self._engine.is_ours(each) for each in found if each.state == SERVING]

    async def _note(self, who: User, event: str, collection: Collection, report: Report) -> None:
        counts = {
            name: len(getattr(report, name)) for name in ("added", "changed", "removed", "moved", "errors")
        }
        await self._gatekeeper.note(
            who,
            event,
            {"collection": collection.id, "owner": _owner(collection), **counts},
            private={"name": collection.name, "label": collection.label},
        )


def _owner(collection: Collection) -> str:
    return "company" if collection.owner.person is None else "person"
