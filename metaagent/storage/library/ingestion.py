"""Ingestion: files of folders become documents of a collection, each time only what changed.

`planned` compares contents by their hashes and is pure. `Ingestion` reads files, has them parsed in a child process and hands
them to the engine, one commit a document: what a kill interrupts is gone on with by the next run. A file that cannot be read
is told, and the others go on.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import stat
import unicodedata
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from metaagent.child import ChildFailed
from metaagent.errors import FileRefused, Text, os_problem
from metaagent.knowledge.chunks import chunked, place
from metaagent.knowledge.extracted import Extracted, shown_name
from metaagent.knowledge.reading import MAX_BYTES, extract, extract_in_child
from metaagent.ports import Json
from metaagent.storage.disk_reserve import check_room
from metaagent.storage.library.collection_rows import Collection, Document
from metaagent.storage.library.engine import Engine, Prepared

AT_ONCE = 2
"""Files that are parsed at the same time."""

_OUTSIDE = Text(
    en="{name}: a link that leads out of the folder is not followed.",
    ko="{name}: 폴더 밖을 가리키는 링크는 따라가지 않습니다.",
)
_KEPT_OUT = Text(
    en="{name}: the program's own data and keys are never added to what is searched.",
    ko="{name}: 프로그램의 데이터와 키는 검색 대상에 추가하지 않습니다.",
)
_NO_FILE = Text(
    en="{name}: neither a file nor a folder that can be read ({problem}).",
    ko="{name}: 읽을 수 있는 파일이나 폴더가 아닙니다({problem}).",
)
_CHANGES = Text(
    en="{name}: the file changed while it was read. It is left for the next run.",
    ko="{name}: 읽는 동안 파일이 바뀌었습니다. 다음 실행에서 다시 읽습니다.",
)
_TOO_LARGE = Text(
    en="{name}: {size:,} bytes are more than the {most:,} that are read.",
    ko="{name}: {size:,}바이트로 읽을 수 있는 {most:,}바이트보다 큽니다.",
)

Reader = Callable[[str, bytes], Awaitable[Extracted]]
"""Turns a file into its text, by name and content."""
Tell = Callable[[int, int, str], None]
"""Called with each file: how many are done, how many there are, its name."""


@dataclass(frozen=True)
class Known:
    """A document as a plan sees it."""

    id: str
    sha256: str


@dataclass(frozen=True)
class Plan:
    """Changes by which a collection becomes what the files are. Sources are in the order of their names."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: Mapping[str, str] = field(default_factory=dict[str, str])
    """Ids of documents by the source that is gone."""
    moved: Mapping[str, str] = field(default_factory=dict[str, str])
    """Ids of documents by the source that they have now."""
    unchanged: tuple[str, ...] = ()


def planned(found: Mapping[str, str], known: Mapping[str, Known]) -> Plan:
    """Compare the hashes of files with those of documents, by source. Content that is gone from one source and new at
    another was renamed."""
    gone = {source: document for source, document in known.items() if source not in found}
    by_content: dict[str, list[str]] = {}
    for source in sorted(gone, reverse=True):
        by_content.setdefault(gone[source].sha256, []).append(source)
    added: list[str] = []
    moved: dict[str, str] = {}
    for source in sorted(found.keys() - known.keys()):
        origins = by_content.get(found[source])
        if origins:
            moved[source] = gone.pop(origins.pop()).id
        else:
            added.append(source)
    both = sorted(found.keys() & known.keys())
    return Plan(
        added=tuple(added),
        changed=tuple(source for source in both if found[source] != known[source].sha256),
        removed={source: gone[source].id for source in sorted(gone)},
        moved=moved,
        unchanged=tuple(source for source in both if found[source] == known[source].sha256),
    )


@dataclass(frozen=True)
class Scan:
    """Files below some paths by their source, and those that are refused."""

    files: Mapping[str, Path]
    hashes: Mapping[str, str]
    errors: tuple[tuple[str, Text], ...]
    roots: tuple[str, ...]

    def covers(self, source: str) -> bool:
        return any(source == root or source.startswith(f"{root}/") for root in self.roots)


@dataclass
class Report:
    """The outcome of one run."""

    added: list[str] = field(default_factory=list[str])
    changed: list[str] = field(default_factory=list[str])
    removed: list[str] = field(default_factory=list[str])
    moved: list[str] = field(default_factory=list[str])
    unchanged: int = 0
    chunks: int = 0
    errors: list[tuple[str, Text]] = field(default_factory=list[tuple[str, Text]])
    warnings: list[tuple[str, Text]] = field(default_factory=list[tuple[str, Text]])

    def as_json(self, language: str) -> Json:
        def told(problems: Iterable[tuple[str, Text]]) -> list[Json]:
            return [{"source": source, "message": text.say(language)} for source, text in problems]

        named = {
            name: getattr(self, name)
            for name in ("added", "changed", "removed", "moved", "unchanged", "chunks")
        }
        return {**named, "errors": told(self.errors), "warnings": told(self.warnings)}


def source_of(path: Path) -> str:
    """The name of a file as a document keeps it: absolute, composed Hangul, always text that can be written."""
    raw = os.fsencode(path.absolute()).decode("utf-8", "backslashreplace")
    return unicodedata.normalize("NFC", os.path.normpath(raw))


def scan(paths: Sequence[Path], kept_out: Sequence[Path] = ()) -> Scan:
    """Find the files below the paths. `kept_out` are files and folders that are never read, by whatever name."""
    files: dict[str, Path] = {}
    errors: list[tuple[str, Text]] = []
    closed = [path.resolve() for path in kept_out]
    for path in paths:
        for found, problem in _walk(path, closed):
            if problem is None:
                files[source_of(found)] = found
            else:
                errors.append((source_of(found), problem))
    hashes: dict[str, str] = {}
    for source, path in files.items():
        try:
            hashes[source] = hashlib.sha256(read_whole(path)).hexdigest()
        except FileRefused as error:
            errors.append((source, error.text.fixed(**error.params)))
    return Scan(files, hashes, tuple(errors), tuple(source_of(path) for path in paths))


def _is_in(path: Path, closed: Sequence[Path]) -> bool:
    return any(path.resolve().is_relative_to(each) for each in closed)


def _walk(path: Path, closed: Sequence[Path]) -> Iterator[tuple[Path, Text | None]]:
    """Every file below a path; links that lead out of it, and what cannot be read, with the reason. Names that begin with a
    dot are left out, unless one was named itself."""
    if _is_in(path, closed):
        yield path, _named(_KEPT_OUT, path)
        return
    if not path.is_dir():
        yield path, None
        return
    root = path.resolve()
    problems: list[OSError] = []
    for folder, folders, names in os.walk(path, onerror=problems.append, followlinks=False):
        inside = sorted(name for name in folders if not name.startswith("."))
        folders[:] = [name for name in inside if not _is_in(Path(folder) / name, closed)]
        others = [each for each in inside if each not in folders or (Path(folder) / each).is_symlink()]
        for name in sorted((*names, *others)):
            found = Path(folder) / name
            if name.startswith("."):
                continue
            if _is_in(found, closed):
                yield found, _named(_KEPT_OUT, found)
            elif found.is_symlink() and not found.resolve().is_relative_to(root):
                yield found, _named(_OUTSIDE, found)
            elif not found.is_dir():
                yield found, None
    yield from (
        (Path(str(each.filename)), _named(_NO_FILE, Path(str(each.filename)), problem=os_problem(each)))
        for each in problems
    )


def read_whole(path: Path) -> bytes:
    """The content of a regular file, the same from its first byte to its last. Raises FileRefused."""
    name = shown_name(os.fsencode(path.name).decode("utf-8", "replace"))
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as file:
            before = os.fstat(file.fileno())
            if not stat.S_ISREG(before.st_mode):
                raise FileRefused(_NO_FILE, name=name, problem="-")
            if before.st_size > MAX_BYTES:
                raise FileRefused(_TOO_LARGE, name=name, size=before.st_size, most=MAX_BYTES)
            content = file.read(MAX_BYTES + 1)
            after = os.fstat(file.fileno())
    except OSError as error:
        raise FileRefused(_NO_FILE, name=name, problem=os_problem(error)) from error
    if (before.st_mtime_ns, before.st_size) != (after.st_mtime_ns, len(content)):
        raise FileRefused(_CHANGES, name=name)
    return content


async def _always() -> None:
    """Let every document be removed."""


class Ingestion:
    """One run over some paths into one collection. `author` is the alias of who does it; `may_remove` raises where no
    document may be replaced or removed; `kept_out` is never read, nor is the data directory."""

    def __init__(
        self,
        engine: Engine,
        collection: Collection,
        author: str,
        data_dir: Path,
        read: Reader = extract_in_child,
        may_remove: Callable[[], Awaitable[None]] = _always,
        kept_out: Sequence[Path] = (),
    ) -> None:
        self._engine = engine
        self._may_remove = may_remove
        self._reader = read
        self._collection = collection
        self._author = author
        self._data_dir = data_dir
        self._kept_out = (data_dir, *kept_out)

    async def plan(self, paths: Sequence[Path]) -> tuple[Scan, Plan]:
        seen = await asyncio.to_thread(scan, paths, self._kept_out)
        refused = {source for source, _ in seen.errors}
        known = {
            each.source: Known(each.id, each.sha256)
            for each in await self._documents()
            if seen.covers(each.source) and each.source not in refused
        }
        return seen, planned(seen.hashes, known)

    async def run(self, paths: Sequence[Path], tell: Tell = lambda _done, _all, _name: None) -> Report:
        seen, plan = await self.plan(paths)
        if plan.changed or plan.removed:
            await self._may_remove()
        report = Report(unchanged=len(plan.unchanged), errors=list(seen.errors))
        for source, document in plan.moved.items():
            await self._engine.move(self._collection, document, source)
            report.moved.append(source)
        todo = [*plan.added, *plan.changed]
        done = 0
        async for source, read in self._read_all(todo, seen.files):
            done += 1
            tell(done, len(todo), Path(source).name)
            if isinstance(read, Text):
                report.errors.append((source, read))
                continue
            check_room(self._data_dir)
            added = await self.put(source, *read)
            if added is not None:
                report.chunks += added.chunks
                (report.changed if source in plan.changed else report.added).append(source)
                report.warnings += [(source, warning) for warning in read[0].warnings]
        await self._engine.remove(self._collection, plan.removed.values())
        report.removed += plan.removed
        return report

    async def put(self, source: str, extracted: Extracted, content: bytes) -> Document | None:
        """Add one document that was read."""
        return await self._engine.put(
            self._collection,
            prepared(self._engine, self._collection, source, extracted, content, self._author),
        )

    async def _documents(self) -> list[Document]:
        def work() -> list[Document]:
            with self._engine.database.reading() as connection:
                return list(self._engine.shelf.documents(connection, self._collection))

        return await asyncio.to_thread(work)

    async def _read_all(
        self, sources: Sequence[str], files: Mapping[str, Path]
    ) -> AsyncIterator[tuple[str, tuple[Extracted, bytes] | Text]]:
        """The files in their order, some of them read ahead."""
        waiting: list[tuple[str, asyncio.Task[tuple[Extracted, bytes] | Text]]] = []
        left = list(reversed(sources))
        try:
            while left or waiting:
                while left and len(waiting) < AT_ONCE:
                    source = left.pop()
                    waiting.append((source, asyncio.create_task(self._read(files[source]))))
                source, task = waiting.pop(0)
                yield source, await task
        finally:
            for _, task in waiting:
                task.cancel()

    async def _read(self, path: Path) -> tuple[Extracted, bytes] | Text:
        try:
            content = await asyncio.to_thread(read_whole, path)
            name = os.fsencode(path.name).decode("utf-8", "replace")
            return await self._reader(name, content), content
        except (FileRefused, ChildFailed) as error:
            return error.text.fixed(**error.params)


async def read_here(name: str, content: bytes) -> Extracted:
    """Read a file that came with the program, without a process of its own."""
    return await asyncio.to_thread(extract, name, content)


def prepared(
    engine: Engine,
    collection: Collection,
    source: str,
    extracted: Extracted,
    content: bytes,
    author: str | None,
) -> Prepared:
    chunks = [
        {**chunk.as_json(), "place": place(chunk), "title": extracted.title}
        for chunk in chunked(extracted, title=extracted.title)
    ]
    document = engine.new_document(
        collection=collection.id,
        source=source,
        title=extracted.title,
        media_type=extracted.media_type,
        sha256=hashlib.sha256(content).hexdigest(),
        size=len(content),
        author=author,
        facts={
            "language": extracted.language,
            "valid_from": extracted.valid_from,
            "valid_to": extracted.valid_to,
            "aliases": list(extracted.aliases),
            "characters": len(extracted.text),
            "warnings": [{"en": each.en, "ko": each.ko} for each in extracted.warnings],
        },
    )
    return Prepared(document, extracted.text, chunks)


def _named(text: Text, path: Path, **values: object) -> Text:
    name = shown_name(os.fsencode(path.name).decode("utf-8", "replace"))
    return text.fixed(name=name, **values)
