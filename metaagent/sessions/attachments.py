"""Files that a person gives: sealed for them until they are asked about, then artifacts of that turn, searchable in its
conversation and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import PurePosixPath
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import orjson

from metaagent.config import Settings
from metaagent.errors import Failed, InputRefused, Text
from metaagent.input_checks import admit_id
from metaagent.journal import Journal
from metaagent.plugin import Artifact
from metaagent.ports import Clock, Json, Turn, User
from metaagent.storage.files import Folder
from metaagent.storage.holds import HoldCheck
from metaagent.storage.session_store import SqlStore
from metaagent.storage.vault import Owner

if TYPE_CHECKING:
    from collections.abc import Callable

    from metaagent.knowledge.extracted import Extracted
    from metaagent.storage.library.engine import Engine

FILE = "file"
"""The kind of artifacts that people give."""
MOST = 20
ATTACHED = "attachments"
"""The name of the collection of what a person attached to a conversation."""
_PREFIX = "attached-"

_UNKNOWN = Text(
    en="There is no attached file {file!r}: `attach` gives the id to ask with.",
    ko="첨부한 파일 {file!r}이(가) 없습니다. 먼저 `attach`로 첨부하고 그 id를 쓰세요.",
)
_TOO_MANY = Text(
    en="{count} files are more than the {most} that can be attached to one question.",
    ko="파일 {count}개는 한 질문에 첨부할 수 있는 {most}개보다 많습니다.",
)


@dataclass(frozen=True)
class Attached:
    """An attached file as it was read."""

    id: str
    name: str
    extracted: Extracted
    content: bytes


class Attachments:
    """`files` are a person's sealed files; `library` opens what they are searched in."""

    def __init__(
        self,
        files: Callable[[User], Folder],
        library: Callable[[], Engine],
        store: SqlStore,
        clock: Clock,
        settings: Settings,
        holds: HoldCheck,
    ) -> None:
        self._settings = settings
        self._holds = holds
        self._files = files
        self._library = library
        self._store = store
        self._clock = clock

    async def keep(self, name: str, content: bytes, user: User) -> Json:
        """Read a file in a child process and keep it for its person. Raises FileRefused where it cannot be read."""
        from metaagent.knowledge.extracted import shown_name
        from metaagent.knowledge.reading import FileReader

        last = PurePosixPath(name.replace("\\", "/")).name
        shown = shown_name("-" if last in {"", ".."} else last)
        extracted = await FileReader(self._settings.retrieval.loaders)(shown, content)
        head = orjson.dumps({"name": shown, "extracted": extracted.as_json()})
        file_id = f"{_PREFIX}{token_hex(12)}"
        # Remove files that nobody asked about for long, unless the person's data is held.
        if not await self._holds.is_held(user):
            oldest = self._clock.now() - timedelta(days=self._settings.retention.attachment_days)
            await self._files(user).remove_older(_PREFIX, oldest)
        await self._files(user).write(file_id, len(head).to_bytes(4, "big") + head + content)
        return {
            "id": file_id,
            "name": shown,
            "media_type": extracted.media_type,
            "size": len(content),
            "title": extracted.title,
            "warnings": [{"en": each.en, "ko": each.ko} for each in extracted.warnings],
        }

    async def taken(self, given: Sequence[str | Mapping[str, Any]], user: User) -> list[Attached]:
        """Files that `keep` kept, by their ids or as it gave them."""
        if len(given) > MOST:
            raise InputRefused(_TOO_MANY, count=len(given), most=MOST)
        ids = [each if isinstance(each, str) else str(each.get("id", "")) for each in given]
        return [await self._read(admit_id(each, "file"), user) for each in dict.fromkeys(ids)]

    async def _read(self, file_id: str, user: User) -> Attached:
        from metaagent.knowledge.extracted import Extracted

        if not file_id.startswith(_PREFIX):
            raise InputRefused(_UNKNOWN, file=file_id)
        try:
            raw = await self._files(user).read(file_id)
        except Failed as error:
            raise InputRefused(_UNKNOWN, file=file_id) from error
        end = 4 + int.from_bytes(raw[:4], "big")
        head = orjson.loads(raw[4:end])
        return Attached(file_id, head["name"], Extracted.from_json(head["extracted"]), raw[end:])

    async def store(self, files: Sequence[Attached], turn: Turn) -> tuple[str, ...]:
        """Make them artifacts of the turn, and let its conversation be searched for them; ids of the artifacts. Repeatable."""
        from metaagent.storage.library.ingestion import prepared

        engine, owner = self._library(), Owner.of(turn.user)
        target = await engine.collection(owner, ATTACHED, "personal", turn.session_id)
        journal = Journal(self._store, turn, self._clock, None)
        ids: list[str] = []
        for file in files:
            given = (file.name, file.extracted, file.content)
            await engine.put(target, prepared(engine, target, *given, author=None))
            artifact = Artifact(
                FILE,
                file.content,
                file.extracted.title,
                name=file.name,
                media_type=file.extracted.media_type,
            )
            ids.append(journal.put(artifact, made_by="").id)
        await journal.flush()
        return tuple(ids)

    async def drop(self, files: Sequence[Attached], user: User) -> None:
        """Remove the copies that waited to be asked about."""
        for file in files:
            await self._files(user).remove(file.id)
