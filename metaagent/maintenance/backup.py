"""Backups: snapshots of a data directory that share the pieces that did not change. Keys are kept apart.

A backup folder has `pieces/` (each named by the SHA-256 of its content) and `snapshots/` (one list of files each). A
snapshot is there when its list is: a backup that was killed leaves pieces that the next one uses.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from metaagent.errors import InputRefused, StorageError, Text, os_problem
from metaagent.maintenance.data_files import KEYS, copied, files_of, is_database, snapshots

PIECE = 256 * 1024
"""Bytes of a piece: a multiple of every page size, so that a changed page changes one piece."""

FORMAT = 1
Tell = Callable[[str, int, int], None]

_NOT_EMPTY = Text(
    en="{path} is not empty: restore into a folder that does not exist yet, and move it into place when you have looked at it.",
    ko="{path}이(가) 비어 있지 않습니다. 아직 없는 폴더에 복원하고, 확인한 뒤 제자리로 옮기세요.",
)
_NO_DATA = Text(
    en="There is nothing to back up in {path}: name the data directory with --data-dir.",
    ko="{path}에 백업할 것이 없습니다. --data-dir로 데이터 폴더를 지정하세요.",
)
_INSIDE = Text(
    en="{path} lies in the data directory: a backup belongs on another disk.",
    ko="{path}이(가) 데이터 폴더 안에 있습니다. 백업은 다른 디스크에 두세요.",
)
_NO_SNAPSHOT = Text(
    en="{path} holds no snapshot {name}: it has {known}.",
    ko="{path}에 스냅샷 {name}이(가) 없습니다. 있는 것: {known}.",
)
_NO_BACKUP = Text(
    en="{path} holds no backup: name the folder that `metaagent backup` wrote to.",
    ko="{path}에 백업이 없습니다. `metaagent backup`이 저장한 폴더를 지정하세요.",
)
_DAMAGED = Text(
    en="The backup is damaged: {file}, piece {piece} {problem}. Take another snapshot, or another copy of the backup.",
    ko="백업이 손상되었습니다: {file}의 조각 {piece}, {problem}. 다른 스냅샷이나 다른 백업 사본을 쓰세요.",
)
_NEWER = Text(
    en="Snapshot {name} has format {found}, newer than {known}: restore it with a newer metaagent.",
    ko="스냅샷 {name}의 형식 {found}은(는) {known}보다 새롭습니다. 더 새로운 metaagent로 복원하세요.",
)


class _Listed(BaseModel):
    """One file of a snapshot, as its list says."""

    model_config = ConfigDict(strict=True)
    path: str
    size: int
    pieces: list[str]


class _Listing(BaseModel):
    model_config = ConfigDict(strict=True)
    format: int
    files: list[_Listed] = Field(min_length=1)


@dataclass(frozen=True)
class Snapshot:
    name: str
    files: int
    size: int
    new_bytes: int
    """Bytes that this snapshot added to the folder."""
    keys: bool
    """True where the keys were copied, to the place that was named for them."""


def back_up(
    data: Path, target: Path, *, keys_to: Path | None = None, now: datetime, tell: Tell | None = None
) -> Snapshot:
    """Add a snapshot to the backup folder, and read it again to see that it is whole. Turns may run meanwhile."""
    stored = files_of(data) if data.is_dir() else []
    if not stored:
        raise InputRefused(_NO_DATA, path=data)
    for place in (target, *([keys_to] if keys_to else [])):
        if place.absolute().is_relative_to(data.absolute()):
            raise InputRefused(_INSIDE, path=place)
    (target / "pieces").mkdir(mode=0o700, parents=True, exist_ok=True)
    (target / "snapshots").mkdir(mode=0o700, exist_ok=True)
    name = _free_name(target, now)
    listed, added = _stored(data, stored, target, keys_to, tell)
    content = {"format": FORMAT, "made_at": now.astimezone(UTC).isoformat(), "files": listed}
    _write_whole(target / "snapshots" / f"{name}.json", orjson.dumps(content, option=orjson.OPT_INDENT_2))
    verify_backup(target, name)
    return Snapshot(name, len(listed), sum(each["size"] for each in listed), added, keys_to is not None)


def snapshot_names(target: Path) -> list[str]:
    return sorted(path.stem for path in (target / "snapshots").glob("*.json"))


def verify_backup(target: Path, name: str | None = None) -> str:
    """Read every piece of a snapshot, the newest by default. The first that is missing or changed is named."""
    name, files = _listing(target, name)
    for each in files:
        for _ in _pieces(target, each):
            pass
    return name


def restore(target: Path, into: Path, *, name: str | None = None, keys_from: Path | None = None) -> str:
    """Make a data directory of a snapshot, the newest by default. Nothing that is there is overwritten."""
    if into.exists() and (not into.is_dir() or any(into.iterdir())):
        raise InputRefused(_NOT_EMPTY, path=into)
    name, files = _listing(target, name)
    into.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=f".{into.name}.", dir=into.parent))
    try:
        for each in files:
            path = _inside(beside, each.path)
            try:
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                file = path.open("xb")
            except (FileExistsError, NotADirectoryError) as error:
                raise StorageError(_DAMAGED, file=each.path, piece="-", problem="is there twice") from error
            with file:
                for piece in _pieces(target, each):
                    file.write(piece)
            path.chmod(0o600)
        if keys_from is not None:
            _copy_keys(keys_from, beside)
        if into.exists():
            into.rmdir()
        beside.rename(into)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return name


def _stored(
    data: Path, stored: list[Path], target: Path, keys_to: Path | None, tell: Tell | None
) -> tuple[list[dict[str, Any]], int]:
    listed: list[dict[str, Any]] = []
    added = 0
    databases = [path for path in stored if is_database(path)]
    take_keys = partial(_copy_keys, data, keys_to) if keys_to is not None else None
    with snapshots(databases, take_keys) as readers, tempfile.TemporaryDirectory(dir=target) as scratch:
        for number, path in enumerate(stored, 1):
            source = path
            if path in readers:
                source = Path(scratch) / "database"
                copied(readers[path], source)
            try:
                pieces, size, new = _add_pieces(source, target)
            except FileNotFoundError:
                continue  # it was removed since the folder was listed
            added += new
            inside = path.relative_to(data).as_posix()
            listed.append({"path": inside, "size": size, "pieces": pieces})
            if tell is not None:
                tell(inside, number, len(stored))
    return listed, added


def _add_pieces(source: Path, target: Path) -> tuple[list[str], int, int]:
    pieces: list[str] = []
    size = new = 0
    with source.open("rb") as file:
        while piece := file.read(PIECE):
            digest = hashlib.sha256(piece).hexdigest()
            place = _place(target, digest)
            if not place.exists():
                _write_whole(place, piece)
                new += len(piece)
            pieces.append(digest)
            size += len(piece)
    return pieces, size, new


def _pieces(target: Path, listed: _Listed) -> Iterator[bytes]:
    for digest in listed.pieces:
        try:
            piece = _place(target, digest).read_bytes()
        except OSError as error:
            raise StorageError(
                _DAMAGED, file=listed.path, piece=digest[:12], problem=os_problem(error)
            ) from error
        if hashlib.sha256(piece).hexdigest() != digest:
            raise StorageError(_DAMAGED, file=listed.path, piece=digest[:12], problem="was changed")
        yield piece


def _place(target: Path, digest: str) -> Path:
    if len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
        raise StorageError(_DAMAGED, file="snapshot", piece=digest[:12], problem="is no digest")
    return target / "pieces" / digest[:2] / digest


def _inside(folder: Path, written: str) -> Path:
    """A path of the list, which somebody may have changed, below the folder."""
    parts = Path(written).parts
    if not parts or Path(written).is_absolute() or ".." in parts or "\0" in written:
        raise StorageError(_DAMAGED, file=written, piece="-", problem="lies outside")
    if written in KEYS:
        raise StorageError(_DAMAGED, file=written, piece="-", problem="is a key, and no snapshot holds any")
    return folder.joinpath(*parts)


def _listing(target: Path, name: str | None) -> tuple[str, list[_Listed]]:
    known = snapshot_names(target)
    if not known:
        raise InputRefused(_NO_BACKUP, path=target)
    wanted = name or known[-1]
    if wanted not in known:
        raise InputRefused(_NO_SNAPSHOT, path=target, name=wanted, known=", ".join(known[-5:]))
    try:
        content = _Listing.model_validate_json((target / "snapshots" / f"{wanted}.json").read_bytes())
    except ValidationError as error:
        raise StorageError(
            _DAMAGED, file=f"snapshots/{wanted}.json", piece="-", problem="is no list"
        ) from error
    if content.format > FORMAT:
        raise StorageError(_NEWER, name=wanted, found=content.format, known=FORMAT)
    return wanted, content.files


def _free_name(target: Path, now: datetime) -> str:
    name = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    taken = set(snapshot_names(target))
    return next(each for number in range(1, 10_000) if (each := f"{name}-{number:02}") not in taken)


def _copy_keys(data: Path, target: Path) -> None:
    target.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in sorted(KEYS):
        if (data / name).exists():
            _write_whole(target / name, (data / name).read_bytes())


def _write_whole(path: Path, content: bytes) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    with os.fdopen(os.open(beside, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
