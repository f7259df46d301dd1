"""Reading of a data directory that cannot be written: a read-only mount, or another user's. Works on a private copy.

SQLite and the key file need a place for their locks and logs. Databases, notes, logs and keys are copied; sealed files are
linked. The copy is in a folder that only this user can enter, and is gone afterwards.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from metaagent.maintenance.data_files import KEYS, files_of, is_database


def is_read_only(data: Path) -> bool:
    return data.is_dir() and not os.access(data, os.W_OK | os.X_OK)


@contextmanager
def readable(data: Path) -> Generator[Path]:
    """A directory that can be opened in place of one that cannot be written. Whatever is written there is dropped."""
    with tempfile.TemporaryDirectory(prefix="metaagent-") as name:
        folder = Path(name)
        for path in files_of(data):
            place = folder / path.relative_to(data)
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not is_database(path):
                # The trail's notes and the logs are appended to while the application is open.
                is_written = path.relative_to(data).parts[0] in {"audit", "logs"}
                shutil.copyfile(path, place) if is_written else place.symlink_to(path.absolute())
                continue
            for ending in ("", "-wal"):
                beside = path.with_name(path.name + ending)
                if beside.exists():
                    shutil.copyfile(beside, place.with_name(place.name + ending))
        for key in KEYS:
            if (data / key).exists():
                shutil.copyfile(data / key, folder / key)
                (folder / key).chmod(0o600)
        yield folder
