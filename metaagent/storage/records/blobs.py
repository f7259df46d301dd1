"""Stored files under the digest of their content, sealed: in the data directory, or in a folder that fsspec reaches."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Protocol

from metaagent.errors import ConfigInvalid, Failed, Text
from metaagent.input_checks import admit_id
from metaagent.ports import User
from metaagent.protection.keys.renewal import HEAD, Batch, Renewal, claimed_kid
from metaagent.storage.files import PART
from metaagent.storage.vault import Owner, Vault

PREFIX = "stored-"
_BAD_URL = Text(
    en="data.files_url cannot be used: {problem}. Give the fsspec URL of a folder, such as file:///srv/stored.",
    ko="data.files_url을 쓸 수 없습니다: {problem}. file:///srv/stored 같은 fsspec 폴더 주소를 쓰십시오.",
)


class Blobs(Protocol):
    """Sealed files of one person."""

    async def write(self, file_id: str, content: bytes) -> None: ...
    async def read(self, file_id: str) -> bytes: ...
    async def remove(self, file_id: str) -> None: ...
    async def erase(self, kids: Collection[str]) -> int: ...
    async def sweep(self, prefix: str, used: Collection[str], before: datetime) -> int: ...


def address(tenant: str, owner: str, content: bytes) -> str:
    """The same content of the same person has one address; another person's copy is another file, which can be erased."""
    named = f"{len(tenant)}:{tenant}{len(owner)}:{owner}".encode()
    return PREFIX + hashlib.sha256(named + content).hexdigest()[:48]


class Remote:
    """The folder of `data.files_url`, as all tenants share it; each has a folder of its own in it."""

    parts: Sequence[str] = ("stored files",)

    def __init__(self, url: str) -> None:
        import fsspec

        try:
            found: Any = fsspec.url_to_fs(url)
        except (ValueError, ImportError) as error:
            raise ConfigInvalid(_BAD_URL, problem=str(error)) from error
        self.fs: Any = found[0]
        self.root = str(found[1]).rstrip("/")

    def write(self, path: str, content: bytes) -> None:
        """Whole or not at all: written beside, then moved."""
        self.fs.makedirs(path.rpartition("/")[0], exist_ok=True)
        self.fs.pipe_file(f"{path}{PART}", content)
        self.fs.mv(f"{path}{PART}", path)

    def paths(self, under: str) -> list[str]:
        self.fs.invalidate_cache()
        found: list[str] = self.fs.find(under) if self.fs.exists(under) else []
        return sorted(path for path in found if not path.endswith(PART))

    def kid(self, path: str) -> str | None:
        return claimed_kid(bytes(self.fs.cat_file(path, start=0, end=HEAD)))

    async def kids(self, part: str) -> Counter[str]:
        return await asyncio.to_thread(lambda: Counter(filter(None, map(self.kid, self.paths(self.root)))))

    async def renew(self, part: str, renewal: Renewal, after: Any) -> Batch:
        return await asyncio.to_thread(self._renew, renewal, after or "")

    async def refuse(self, kids: Collection[str]) -> None:
        """A file is written again by whoever finds that its key was retired meanwhile."""

    async def scrub(self) -> None:
        """The file system overwrites what it frees by its own rules."""

    def _renew(self, renewal: Renewal, after: str) -> Batch:
        path = next((each for each in self.paths(self.root) if each > after), None)
        if path is None:
            return Batch(0)
        sealed = bytes(self.fs.cat_file(path))
        if not renewal.wants(sealed[:HEAD]):
            return Batch(0, (), path)
        name = path.rpartition("/")[2]
        again = renewal.again("store", sealed, ("files", name))
        if again is None:
            return Batch(0, (f"stored files/{name}",), path)
        self.write(path, again)
        return Batch(1, (), path)


class RemoteFolder:
    """One person's files in a remote folder, sealed before they leave."""

    def __init__(self, remote: Remote, vault: Vault, user: User) -> None:
        digest = hashlib.sha256(user.company_id.encode()).hexdigest()[:32]
        self._folder = f"{remote.root}/{digest}"
        self._remote = remote
        self._vault = vault
        self._user = user

    async def write(self, file_id: str, content: bytes) -> None:
        await asyncio.to_thread(self._write, file_id, content)

    async def read(self, file_id: str) -> bytes:
        try:
            sealed = await asyncio.to_thread(self._remote.fs.cat_file, self._path(file_id))
        except FileNotFoundError as error:
            raise Failed(f"there is no file {file_id!r}") from error
        return self._vault.sealer(Owner.of(self._user)).open(bytes(sealed), ("files", file_id))

    async def remove(self, file_id: str) -> None:
        await asyncio.to_thread(self._remove, self._path(file_id))

    async def erase(self, kids: Collection[str]) -> int:
        return await asyncio.to_thread(self._erase, frozenset(kids))

    async def sweep(self, prefix: str, used: Collection[str], before: datetime) -> int:
        """Remove the company's files of this prefix that nothing uses and that were last written before; how many.

        A file system that does not tell when a file was written keeps them.
        """
        return await asyncio.to_thread(self._sweep, prefix, frozenset(used), before)

    def _sweep(self, prefix: str, used: frozenset[str], before: datetime) -> int:
        gone = 0
        for path in self._remote.paths(self._folder):
            name = path.rpartition("/")[2]
            if not name.startswith(prefix) or name in used:
                continue
            try:
                written: datetime = self._remote.fs.modified(path)
            except NotImplementedError:
                continue
            if written < before:
                self._remove(path)
                gone += 1
        return gone

    def _path(self, file_id: str) -> str:
        return f"{self._folder}/{admit_id(file_id, 'file')}"

    def _write(self, file_id: str, content: bytes) -> None:
        while True:
            sealed = self._vault.seal(self._user, content, ("files", file_id))
            self._remote.write(self._path(file_id), sealed)
            if self._vault.holds(sealed):
                return

    def _remove(self, path: str) -> None:
        if self._remote.fs.exists(path):
            self._remote.fs.rm_file(path)

    def _erase(self, kids: frozenset[str]) -> int:
        theirs = [path for path in self._remote.paths(self._folder) if self._remote.kid(path) in kids]
        for path in theirs:
            self._remove(path)
        return len(theirs)
