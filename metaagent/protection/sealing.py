"""Sealed values: AES-256-GCM, bound by their AAD to the one row that they belong to. A `kid` is the id of a key.

Text form: `ma1.a256gcm.<kid>.<nonce>.<ciphertext>`, base64url without padding. Bytes form: the same header,
packed. Opening fails closed: whatever is not exactly what was sealed for this row raises `RowRefused`, or
`KeyUnavailable` where the key that the row names is gone. A reader that skips damaged rows catches both.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from os import SEEK_END, urandom
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from cryptography.exceptions import InvalidTag

from metaagent.errors import RowRefused, Text
from metaagent.language.patterns import regex
from metaagent.protection.row_context import Row, current_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cryptography.hazmat.primitives.ciphers import AEADDecryptionContext
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from langgraph.checkpoint.serde.base import SerializerProtocol

VERSION = "ma1"
ALGORITHM = "a256gcm"
KID = regex(r"[kp][1-9][0-9]{0,8}-[0-9a-f]{16}")
CHECKPOINT_FORMAT = "metaagent/checkpoint/1"

_MAGIC = b"ma1\x01"  # the last byte is the algorithm: 1 = AES-256-GCM
_TEXT_PREFIX = f"{VERSION}."
_NONCE = 12
_TAG = 16
HEAD = 64
"""So many bytes of a sealed value are enough to tell its key."""
PIECE = 256 * 1024
"""Bytes of a sealed file that are opened at once."""

REFUSALS = {
    "unsealed": Text(
        "Stored value '{row}' was refused: it is not sealed. Restore it from a backup or delete it.",
        "저장된 값 '{row}'을(를) 거부했습니다: 봉인되어 있지 않습니다. 백업에서 복구하거나 삭제하세요.",
    ),
    "truncated": Text(
        "Stored value '{row}' was refused: a part of it is missing. Restore it from a backup or delete it.",
        "저장된 값 '{row}'을(를) 거부했습니다: 일부가 없습니다. 백업에서 복구하거나 삭제하세요.",
    ),
    "malformed": Text(
        "Stored value '{row}' was refused: its header is damaged. Restore it from a backup or delete it.",
        "저장된 값 '{row}'을(를) 거부했습니다: 머리말이 손상되었습니다. 백업에서 복구하거나 삭제하세요.",
    ),
    "foreign": Text(
        "Stored value '{row}' was refused: its key {detail} belongs to another tenant or person.",
        "저장된 값 '{row}'을(를) 거부했습니다: 키 {detail}은(는) 다른 테넌트나 사람의 것입니다.",
    ),
    "downgraded": Text(
        "Stored value '{row}' was refused: it is sealed in a way that is not allowed any more ({detail}).",
        "저장된 값 '{row}'을(를) 거부했습니다: 더 이상 허용되지 않는 방식으로 봉인되었습니다({detail}).",
    ),
    "changed": Text(
        "Stored value '{row}' was refused: it was changed, or moved here from another row. "
        "Restore it from a backup or delete it.",
        "저장된 값 '{row}'을(를) 거부했습니다: 바뀌었거나 다른 행에서 옮겨졌습니다. "
        "백업에서 복구하거나 삭제하세요.",
    ),
    "context": Text(
        "Row '{row}' was refused: its saver did not name it with row_context.",
        "행 '{row}'을(를) 거부했습니다: 저장기가 row_context로 행을 알리지 않았습니다.",
    ),
}


def refused(row: str, kind: str, detail: str = "") -> RowRefused:
    """`kind` is a key of REFUSALS, and stable."""
    return RowRefused(REFUSALS[kind], row=row, kind=kind, detail=detail)


def frame(parts: Iterable[str]) -> bytes:
    """Length-prefixed, so that no two different lists of parts give the same bytes."""
    return b"".join(map(_framed, parts))


@lru_cache(4096)
def _framed(part: str) -> bytes:
    """Ids, names of channels and tables: most come again and again."""
    if not isinstance(part, str):  # pyright: ignore[reportUnnecessaryIsInstance] - SQLite keeps what it is given
        raise refused(repr(part)[:60], "changed")
    raw = part.encode("utf-8", "surrogatepass")
    return len(raw).to_bytes(4, "big") + raw


@dataclass(frozen=True, slots=True)
class SealingKey:
    """One version of one purpose's key, with everything precomputed that does not depend on the row."""

    kid: str
    aead: AESGCM
    header: bytes
    aad: bytes
    secret: bytes = field(repr=False)
    """The key itself: what is too large to be opened at once is opened piece by piece."""

    @classmethod
    def make(cls, kid: str, secret: bytes, aead: AESGCM, tenant: str, purpose: str) -> SealingKey:
        raw = kid.encode("ascii")
        header = _MAGIC + bytes([len(raw)]) + raw
        return cls(kid, aead, header, frame((VERSION, ALGORITHM, tenant, purpose, kid)), secret)


class Keys(Protocol):
    """A source of a sealer's keys. `find` raises RowRefused or KeyUnavailable, naming the row."""

    def newest(self) -> SealingKey: ...

    def find(self, kid: str, row: str) -> SealingKey: ...


class Sealer:
    """Seals with the newest key, opens with any that is still allowed."""

    __slots__ = ("_keys", "purpose", "tenant")

    def __init__(self, keys: Keys, tenant: str, purpose: str) -> None:
        self._keys = keys
        self.tenant = tenant
        self.purpose = purpose

    def seal(self, data: bytes, aad: tuple[str, ...] = ()) -> bytes:
        key = self._keys.newest()
        nonce = urandom(_NONCE)
        return key.header + nonce + key.aead.encrypt(nonce, data, key.aad + frame(aad))

    def open(self, sealed: bytes, aad: tuple[str, ...] = (), *, row: str | None = None) -> bytes:
        row = self._row(aad) if row is None else row
        kid, nonce, ciphertext = _split_bytes(sealed, row)
        return self._decrypt(kid, nonce, ciphertext, aad, row)

    def open_many(self, values: Iterable[tuple[bytes, tuple[str, ...]]]) -> Iterator[bytes]:
        """Like `open` for each. A key is looked up once: for many small values that costs more than AES."""
        key: SealingKey | None = None
        for sealed, aad in values:
            if key is None or not isinstance(sealed, bytes) or not sealed.startswith(key.header):  # pyright: ignore[reportUnnecessaryIsInstance]
                row = self._row(aad)
                key = self._keys.find(_split_bytes(sealed, row)[0], row)
            nonce = len(key.header)
            try:
                yield key.aead.decrypt(
                    sealed[nonce : nonce + _NONCE], sealed[nonce + _NONCE :], key.aad + frame(aad)
                )
            except (InvalidTag, ValueError):
                # ValueError: there is not even a nonce. `open` says what is wrong.
                yield self.open(sealed, aad)

    def open_file(self, file: BinaryIO, aad: tuple[str, ...], digest: bytes) -> Iterator[bytes]:
        """Like `open` for a file whose content has this SHA-256, in pieces: its size does not count. It is read twice,
        because nothing may be given away before all of it is known to be what was sealed."""
        row = self._row(aad)
        file.seek(0)
        kid, nonce, _ = _split_bytes(file.read(HEAD), row)
        key = self._keys.find(kid, row)
        ends = file.seek(-_TAG, SEEK_END)
        tag = file.read(_TAG)
        for given in (False, True):
            opening = _decryptor(key.secret, nonce, tag)
            opening.authenticate_additional_data(key.aad + frame(aad))
            found = sha256()
            for sealed in _pieces(file, len(key.header) + _NONCE, ends):
                piece = opening.update(sealed)
                found.update(piece)
                if given:
                    yield piece
            try:
                opening.finalize()
            except InvalidTag:
                raise refused(row, "changed") from None
            if found.digest() != digest:
                raise refused(row, "changed")

    def seal_text(self, value: str, aad: tuple[str, ...] = ()) -> str:
        key = self._keys.newest()
        nonce = urandom(_NONCE)
        raw = value.encode("utf-8", "surrogatepass")
        ciphertext = key.aead.encrypt(nonce, raw, key.aad + frame(aad))
        return f"{VERSION}.{ALGORITHM}.{key.kid}.{_encode(nonce)}.{_encode(ciphertext)}"

    def open_text(self, sealed: str, aad: tuple[str, ...] = (), *, row: str | None = None) -> str:
        row = self._row(aad) if row is None else row
        kid, nonce, ciphertext = _split_text(sealed, row)
        return self._decrypt(kid, nonce, ciphertext, aad, row).decode("utf-8", "surrogatepass")

    def is_current(self, sealed: bytes | str) -> bool:
        """False where the value waits for `reseal`: it is sealed with an older key."""
        kid = _split_text(sealed, "")[0] if isinstance(sealed, str) else _split_bytes(sealed, "")[0]
        return kid == self._keys.newest().kid

    def reseal(self, sealed: bytes, aad: tuple[str, ...] = ()) -> bytes:
        """The same value under the newest key: the background half of a rotation."""
        data = self.open(sealed, aad)
        return sealed if self.is_current(sealed) else self.seal(data, aad)

    def reseal_text(self, sealed: str, aad: tuple[str, ...] = ()) -> str:
        value = self.open_text(sealed, aad)
        return sealed if self.is_current(sealed) else self.seal_text(value, aad)

    def _row(self, aad: tuple[str, ...]) -> str:
        return "/".join(map(str, (self.tenant, self.purpose, *aad)))

    def _decrypt(self, kid: str, nonce: bytes, ciphertext: bytes, aad: tuple[str, ...], row: str) -> bytes:
        key = self._keys.find(kid, row)
        try:
            return key.aead.decrypt(nonce, ciphertext, key.aad + frame(aad))
        except InvalidTag:
            raise refused(row, "changed") from None


def _decryptor(secret: bytes, nonce: bytes, tag: bytes) -> AEADDecryptionContext:
    from cryptography.hazmat.primitives.ciphers import Cipher
    from cryptography.hazmat.primitives.ciphers.algorithms import AES
    from cryptography.hazmat.primitives.ciphers.modes import GCM

    return Cipher(AES(secret), GCM(nonce, tag)).decryptor()


def _pieces(file: BinaryIO, begin: int, end: int) -> Iterator[bytes]:
    file.seek(begin)
    while begin < end and (piece := file.read(min(PIECE, end - begin))):
        begin += len(piece)
        yield piece


def is_sealed_text(value: object) -> bool:
    """Looks sealed; only opening tells whether it is."""
    return isinstance(value, str) and value.startswith(_TEXT_PREFIX)


def kid_of(sealed: bytes) -> str:
    """The key that a value claims to be sealed with; raises RowRefused for what is no sealed value."""
    return _split_bytes(sealed, "value")[0]


def kid_of_text(sealed: str) -> str:
    return _split_text(sealed, "value")[0]


def _split_bytes(sealed: bytes, row: str) -> tuple[str, bytes, bytes]:
    if not isinstance(sealed, bytes):  # pyright: ignore[reportUnnecessaryIsInstance] - SQLite keeps what it is given
        raise refused(row, "unsealed")
    if sealed[:4] != _MAGIC:
        if sealed[:3] == _MAGIC[:3]:
            if len(sealed) < len(_MAGIC):
                raise refused(row, "truncated")
            raise refused(row, "downgraded", f"{sealed[3]}")
        raise refused(row, "unsealed")
    start = 5 + (sealed[4] if len(sealed) > 4 else 0)
    if len(sealed) < start + _NONCE + _TAG:
        raise refused(row, "truncated")
    kid = sealed[5:start].decode("ascii", "replace")
    return _checked_kid(kid, row), sealed[start : start + _NONCE], sealed[start + _NONCE :]


def _split_text(sealed: str, row: str) -> tuple[str, bytes, bytes]:
    if not is_sealed_text(sealed):
        raise refused(row, "unsealed")
    parts = sealed.split(".")
    if len(parts) > 1 and parts[1] != ALGORITHM and len(parts) == 5:
        raise refused(row, "downgraded", parts[1][:20])
    if len(parts) != 5:
        raise refused(row, "truncated")
    nonce, ciphertext = _decode(parts[3], row), _decode(parts[4], row)
    if len(nonce) != _NONCE or len(ciphertext) < _TAG:
        raise refused(row, "truncated")
    return _checked_kid(parts[2], row), nonce, ciphertext


def _checked_kid(kid: str, row: str) -> str:
    if KID.fullmatch(kid) is None:
        raise refused(row, "malformed", kid[:40])
    return kid


def _encode(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")


def _decode(text: str, row: str) -> bytes:
    """One spelling only: anything that would not encode back to itself was not written by us."""
    try:
        raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        raise refused(row, "malformed") from None
    if _encode(raw) != text:
        raise refused(row, "malformed")
    return raw


class SealedSerde:
    """A LangGraph serializer that seals each value to its row and reads nothing that it did not seal.

    It works on the row that the saver names by `row_context`; `sealers` gives the sealer for its thread.
    """

    def __init__(self, inner: SerializerProtocol, sealers: Callable[[str], Sealer]) -> None:
        self._inner = inner
        self._sealers = sealers

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        row = _named_row()
        kind, data = self._inner.dumps_typed(obj)
        sealed = self._sealers(row.thread_id).seal(data, checkpoint_aad(kind, row))
        return f"{kind}+{VERSION}", sealed

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        row = _named_row()
        kind, mark, version = data[0].rpartition("+")
        label = "/".join(part for part in row if part)
        if not mark:
            raise refused(label, "unsealed")
        if version != VERSION:
            raise refused(label, "downgraded", version[:20])
        raw = self._sealers(row.thread_id).open(bytes(data[1]), checkpoint_aad(kind, row), row=label)
        return self._inner.loads_typed((kind, raw))


def _named_row() -> Row:
    row = current_row()
    if row is None or not row.thread_id:
        raise refused("?", "context")
    return row


def checkpoint_aad(kind: str, row: Row) -> tuple[str, ...]:
    return (CHECKPOINT_FORMAT, kind, *row)
