"""A library in a folder, with documents that are put there without any child process."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from metaagent.config import Embeddings
from metaagent.knowledge.reading import extract
from metaagent.knowledge.terms import terms
from metaagent.ports import User
from metaagent.protection.keys import KeyRing, provider
from metaagent.storage.chroma import ChromaFolder
from metaagent.storage.library.collection_rows import Collection, Document
from metaagent.storage.library.database import LibraryDatabase
from metaagent.storage.library.embedders import EmbedderSource
from metaagent.storage.library.engine import Engine
from metaagent.storage.library.ingestion import prepared
from metaagent.storage.library.port import LibraryOfPerson
from metaagent.storage.library.vectors import ChromaVectors
from metaagent.storage.vault import Owner, Vault
from metaagent.testing import FakeClock

KIM, LEE = User("kim", "acme", ("employee",)), User("lee", "acme", ("employee",))


def everything(_name: str, _label: str) -> bool:
    return True


class LibraryWorld:
    """One process's view of a library: another one of the same folder is another process's."""

    def __init__(self, folder: Path, *, embedding: Any = None, name: str | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        keys = folder / "keys.json"
        self.folder = folder
        self.ring = KeyRing(keys, provider(f"file:{folder / 'kek'}", create=not keys.exists()))
        self.vault = Vault(self.ring)
        self.database = LibraryDatabase(folder / "library.db")
        self.chroma = ChromaFolder(folder / "library", self.database)
        source = EmbedderSource(Embeddings(name=name), embedding)
        self.engine = Engine(self.database, self.chroma, self.vault, source, FakeClock())

    async def collection(
        self,
        name: str = "policies",
        company: str = "acme",
        label: str = "internal",
        person: str | None = None,
    ) -> Collection:
        return await self.engine.collection(Owner(company, person), name, label)

    async def put(
        self, collection: Collection, source: str, text: str, author: str | None = None
    ) -> Document | None:
        content = text.encode()
        read = extract(source, content)
        return await self.engine.put(
            collection, prepared(self.engine, collection, source, read, content, author)
        )

    def port(
        self, user: User = KIM, allowed: Callable[[str, str], bool] = everything, session: str = ""
    ) -> LibraryOfPerson:
        return LibraryOfPerson(self.engine, user, allowed, session)

    async def found(self, question: str, user: User = KIM, **options: Any) -> set[str]:
        """Titles of documents that either search finds."""
        port = self.port(user, **options)
        hits = [*await port.lexical(terms(question)), *await port.nearest(question)]
        return {chunk["title"] for chunk in await port.chunks([hit.id for hit in hits])}


def text_of(title: str, *paragraphs: str) -> str:
    return "\n\n".join([f"# {title}", *paragraphs])


async def _work(folder: Path, what: str) -> None:
    """Work in another process: tells of each change when it is committed."""
    world = LibraryWorld(folder)
    target = await world.collection()
    number = 0
    while True:
        number += 1
        if what == "put":
            await world.put(
                target,
                f"f{number % 7}.md",
                text_of(f"문서 {number}", f"한도는 {number}만 원입니다.", "두 번째 단락."),
            )
        elif what == "remove":
            with world.database.reading() as connection:
                known = [each.id for each in world.engine.shelf.documents(connection, target)]
            await world.engine.remove(target, known[:1])
            await world.put(target, f"g{number % 3}.md", text_of(f"글 {number}", "지워질 글입니다."))
        else:
            await world.engine.rebuild(target)
        sys.stdout.write("done\n")
        sys.stdout.flush()


MOMENTS = (
    *("put:ChromaVectors.put:before", "put:ChromaVectors.put:after", "put:Engine._index_rows:after"),
    *("put:Engine._settle:before", "put:Engine._remove_rows:after", "put:Engine._settle:after"),
    *(
        "remove:Engine._remove_rows:after",
        "remove:ChromaVectors.remove:before",
        "remove:ChromaVectors.remove:after",
    ),
    *(
        "rebuild:ChromaVectors.put:after",
        "rebuild:Engine._index_rows:after",
        "rebuild:Engine._swapped:before",
    ),
    *(
        "rebuild:ChromaVectors.drop:before",
        "rebuild:ChromaVectors.drop:after",
        "rebuild:Engine._new_index:after",
    ),
)
"""The work, and the place at which it is cut off."""


def kill_at(place: str, when: str, count: int = 2) -> None:
    """Die at the second call of a method, before or after it."""
    kind, _, name = place.partition(".")
    owner: Any = {"Engine": Engine, "ChromaVectors": ChromaVectors}[kind]
    method, calls = getattr(owner, name), [0]

    def deadly(*given: Any) -> Any:
        calls[0] += 1
        if when == "before" and calls[0] == count:
            os.kill(os.getpid(), signal.SIGKILL)
        result = method(*given)
        if when == "after" and calls[0] == count:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    setattr(owner, name, deadly)


def run_until(folder: Path, moment: str) -> None:
    """Do the work of the moment in a process of its own, which is killed there."""
    what, place, when = moment.split(":")
    kill_at(place, when)
    asyncio.run(_work(folder, what))


if __name__ == "__main__":
    asyncio.run(_work(Path(sys.argv[1]), sys.argv[2]))
