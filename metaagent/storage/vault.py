"""Choice of keys: everything of a session is sealed with its owner's own key, so that it can be erased; content of a company
with the company's."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from metaagent.errors import RowRefused, Text
from metaagent.ports import User, tenant_of
from metaagent.protection.keys import KeyRing
from metaagent.protection.sealing import SealedSerde, Sealer, kid_of, refused

if TYPE_CHECKING:
    from langgraph.checkpoint.serde.base import SerializerProtocol

_NOBODY = Text(
    en="Checkpoint of thread '{thread}' was refused: nobody is named for whom it is read or written.",
    ko="스레드 '{thread}'의 체크포인트를 거부했습니다. 누구를 위해 읽고 쓰는지 알 수 없습니다.",
)

_OWNER: ContextVar[User | None] = ContextVar("metaagent_owner", default=None)


@contextmanager
def acting_for(user: User) -> Generator[None]:
    """Names the person whose checkpoints are read and written inside."""
    token = _OWNER.set(user)
    try:
        yield
    finally:
        _OWNER.reset(token)


def acting_tenant() -> str | None:
    """The tenant of the turn in which this is asked; None outside a turn."""
    user = _OWNER.get()
    return None if user is None else user.tenant


@dataclass(frozen=True)
class Owner:
    """The owner of content: a person, or (without one) the company, whose content no erasure of a person touches."""

    company_id: str
    person: str | None = None

    @classmethod
    def of(cls, user: User) -> Owner:
        return cls(user.company_id, user.user_id)

    @property
    def tenant(self) -> str:
        return tenant_of(self.company_id)


class Vault:
    def __init__(self, ring: KeyRing) -> None:
        self.ring = ring
        self._readers: dict[str, Sealer] = {}

    def alias(self, user: User) -> str:
        """Stands for the person in clear columns; means nothing once their key is destroyed."""
        return self.ring.alias(user.tenant, user.user_id)

    def seal(self, user: User, content: bytes, row: tuple[str, ...]) -> bytes:
        return self.ring.sealer(user.tenant, "store", user.user_id).seal(content, row)

    def sealer(self, owner: Owner) -> Sealer:
        """Seals for this owner, and opens what was sealed for them and for nobody else."""
        return self.ring.sealer(owner.tenant, "store", owner.person)

    def owner_name(self, owner: Owner, what: str) -> str:
        """A name for the owner's place in a store, which tells nobody without the keys whose it is."""
        named = f"{what}\0{owner.person or ''}\0{owner.person is None}".encode("utf-8", "surrogatepass")
        return self.ring.company_hash(owner.tenant, named)[:32]

    def open(self, company_id: str, content: bytes, row: tuple[str, ...]) -> bytes:
        return self._reader(company_id).open(content, row)

    def open_file(
        self, company_id: str, file: BinaryIO, row: tuple[str, ...], digest: bytes
    ) -> Iterator[bytes]:
        """Like `open` for a file whose content has this SHA-256, in pieces."""
        return self._reader(company_id).open_file(file, row, digest)

    def open_many(self, company_id: str, rows: Iterable[tuple[bytes, tuple[str, ...]]]) -> Iterator[bytes]:
        return self._reader(company_id).open_many(rows)

    def _reader(self, company_id: str) -> Sealer:
        if not isinstance(company_id, str):  # pyright: ignore[reportUnnecessaryIsInstance] - SQLite keeps what it is given
            raise refused(repr(company_id)[:60], "changed")
        reader = self._readers.get(company_id)
        if reader is None:
            reader = self._readers[company_id] = self.ring.reader(tenant_of(company_id), "store")
        return reader

    def belongs_to(self, content: bytes, alias: str) -> bool:
        """Tells whether it was sealed for the person of this alias: what lies in clear beside it may have been changed."""
        return self.ring.alias_of(kid_of(content)) == alias

    def holds(self, sealed: bytes) -> bool:
        """Tells whether the key that sealed this is still there, as every process sees it now."""
        self.ring.reload_if_changed()
        return self.ring.is_usable(kid_of(sealed))

    def serde(self) -> SerializerProtocol:
        """A serializer for checkpoints: compressed, then sealed for the person named by `acting_for`."""
        from metaagent.storage.checkpoints.serde import default_serde

        return SealedSerde(default_serde(), self._checkpoint_sealer)

    def _checkpoint_sealer(self, thread: str) -> Sealer:
        user = _OWNER.get()
        if user is None:
            raise RowRefused(_NOBODY, thread=thread)
        return self.ring.sealer(user.tenant, "checkpoint", user.user_id)
