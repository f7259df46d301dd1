"""Large artifacts as sealed files beside the database. A row names each file, and is committed while the folder is held: a
crash leaves both, or a file that no row names and that the next opening removes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from metaagent.errors import StorageError, Text, os_problem
from metaagent.ports import User
from metaagent.protection.sealing import refused
from metaagent.storage.files import SealedFiles, held, write_whole
from metaagent.storage.vault import Vault

LARGEST_IN_ROW = 1_000_000
"""Bytes of content up to which an artifact lies in its row."""

_NOT_WRITTEN = Text(
    en="A large artifact could not be written to {where}: {problem}. Nothing acknowledged was lost. Check permissions and free "
    "space, then try again.",
    ko="큰 산출물을 {where}에 쓸 수 없습니다: {problem}. 이미 저장된 것은 그대로입니다. 권한과 남은 공간을 확인하고 다시 "
    "시도하세요.",
)


class Outside(NamedTuple):
    """The content of one artifact that leaves its row."""

    name: str
    user: User
    content: bytes


def file_name(session_id: str, artifact_id: str) -> str:
    return hashlib.sha256(f"{session_id}\0{artifact_id}".encode()).hexdigest()[:48]


class ArtifactFiles:
    def __init__(self, root: Path, vault: Vault) -> None:
        self._root = root
        self._vault = vault
        self.sealed = SealedFiles(root, "artifact files")

    @contextmanager
    def written(self, files: Sequence[Outside]) -> Generator[None]:
        """Write these, and keep everyone from removing them as long as their rows are being committed."""
        try:
            self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
            with held(self._root):
                for file in files:
                    self._write(file)
                yield
        except OSError as error:
            raise StorageError(_NOT_WRITTEN, where=self._root, problem=os_problem(error)) from error

    def read(self, company_id: str, name: str) -> bytes:
        try:
            sealed = self._path(company_id, name).read_bytes()
        except FileNotFoundError as error:
            raise refused(f"{company_id}/artifacts/{name}", "truncated") from error
        return self._vault.open(company_id, sealed, ("files", name))

    def pieces(self, company_id: str, name: str, digest: bytes) -> Iterator[bytes]:
        """Like `read`, in pieces, of content with this digest."""
        try:
            file = self._path(company_id, name).open("rb")
        except FileNotFoundError as error:
            raise refused(f"{company_id}/artifacts/{name}", "truncated") from error
        with file:
            yield from self._vault.open_file(company_id, file, ("files", name), digest)

    def keep_only(self, named: Callable[[], Collection[str]], among: Collection[str] | None = None) -> int:
        """Remove the files, all or some, that no row names; how many that were. `named` is asked while no row can come."""
        if not self._root.exists():
            return 0
        removed = 0
        with held(self._root):
            there = [path for path in self._root.glob("*/*") if among is None or path.name in among]
            kept = named() if there else ()
            for path in there:
                if path.name not in kept:
                    path.unlink(missing_ok=True)
                    removed += 1
        return removed

    def _write(self, file: Outside) -> None:
        path = self._path(file.user.company_id, file.name)
        path.parent.mkdir(mode=0o700, exist_ok=True)
        while True:
            sealed = self._vault.seal(file.user, file.content, ("files", file.name))
            write_whole(path, sealed)
            if self._vault.holds(sealed):
                return  # else the key was retired meanwhile, and nobody sealed this file again

    def _path(self, company_id: str, name: str) -> Path:
        return self._root / hashlib.sha256(company_id.encode()).hexdigest()[:32] / name
