"""The audit trail as its readers see it: which entries are meant, and what a store of them and its keys offer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping
    from concurrent.futures import Future

    from metaagent.audit.notes import Note
    from metaagent.audit.trail import AuditEvent, Mac, Receipt, StoredEntry
    from metaagent.protection.sealing import Sealer


class Where(NamedTuple):
    """A choice of entries.

    `since` and `until` are ISO times, inclusive and exclusive; `after` and `before` are seqs, for paging: neither is in it.
    """

    session: str | None = None
    turn: str | None = None
    actor: str | None = None
    event: str | None = None
    since: str | None = None
    until: str | None = None
    after: int = 0
    before: int | None = None


class Notes(Protocol):
    def append(self, tenant: str, note: Note) -> None: ...

    def read(self, tenant: str) -> list[Note | None]: ...


class AuditKeys(Protocol):
    """The part of a KeyRing that the audit trail uses."""

    guards: list[Callable[[str, str], None]]

    def sealer(self, tenant: str, purpose: str, person: str | None = None) -> Sealer: ...

    def reader(self, tenant: str, purpose: str) -> Sealer: ...

    def alias(self, tenant: str, person: str) -> str: ...

    def destroy_person(self, tenant: str, person: str) -> list[str]: ...

    def person_kids(self, tenant: str, person: str) -> list[str]: ...

    def is_usable(self, kid: str) -> bool: ...

    def destroy_again(self, tenant: str, kids: Collection[str]) -> list[str]: ...

    def sign(self, message: bytes) -> tuple[str, bytes]: ...

    def company_hash(self, tenant: str, value: bytes) -> str: ...

    def entry_mac(self, tenant: str) -> Mac: ...

    def trail(self, tenant: str) -> dict[str, Any] | None: ...

    @property
    def adopts_trails(self) -> bool: ...

    def note_trails(self, notes: Mapping[str, dict[str, Any]], *, adopted: bool = False) -> None: ...

    def public_key(self) -> str: ...


class AuditStore(Protocol):
    @property
    def keys(self) -> AuditKeys: ...

    @property
    def notes(self) -> Notes: ...

    def append(self, event: AuditEvent) -> Future[Receipt]: ...

    def rows(
        self, tenant: str, where: Where | None = None, *, newest_first: bool = False
    ) -> Iterator[StoredEntry]: ...

    def entries_of(self, tenant: str, events: Collection[str]) -> list[dict[str, Any]]:
        """Every entry of these events, in order, from bodies whose seals hold; StorageError where one is missing or was
        not written by the program. Search columns are not believed."""
        ...

    def since_signed(self, tenant: str, events: Collection[str]) -> list[dict[str, Any]]:
        """The same, of what is younger than the newest signature that the key file knows."""
        ...

    def sealed(self, tenant: str, event: str) -> list[dict[str, Any]]:
        """The entries that the search column gives for this event, from bodies whose seals hold; StorageError for others."""
        ...

    def checkpoint(self, tenant: str) -> Note | None: ...

    def drop(self, tenant: str, upto: int) -> int: ...

    def timestamp(self) -> str: ...

    def opened(self, entry: dict[str, Any]) -> dict[str, Any]:
        """The entry with what was sealed in its data, as far as it can be opened."""
        ...
