"""Signed notes of the audit trail in files, outside the database: one JSON line each, appended and synced."""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING

import orjson

from metaagent.audit.notes import Note
from metaagent.protection.keys.records import checked_tenant
from metaagent.protection.keys.store import make_private_folder, sync_folder

if TYPE_CHECKING:
    from pathlib import Path


class NoteFiles:
    """`<tenant>.notes` in a folder.

    Copy a file (or its last line) elsewhere now and then: that is the anchor.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        make_private_folder(folder)

    def path(self, tenant: str) -> Path:
        return self.folder / f"{checked_tenant(tenant)}.notes"

    def append(self, tenant: str, note: Note) -> None:
        path = self.path(tenant)
        is_new = not path.exists()
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(handle, "r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            # Remove what a crash left of a line that it was writing.
            raw = path.read_bytes()
            if raw and not raw.endswith(b"\n"):
                os.truncate(path, raw.rfind(b"\n") + 1)
            file.write(orjson.dumps(note.as_json()) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        if is_new:
            sync_folder(self.folder)

    def read(self, tenant: str) -> list[Note | None]:
        """None stands for a line that is not a note. A last line without its end was never acknowledged."""
        try:
            raw = self.path(tenant).read_bytes()
        except FileNotFoundError:
            return []
        return [parse_note(line) for line in raw.split(b"\n")[:-1]]


def parse_note(line: bytes) -> Note | None:
    try:
        return Note.from_json(orjson.loads(line))
    except (ValueError, KeyError, TypeError):
        return None
