"""Records of the key file, as they can be read without a secret, and the messages about them."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from metaagent.errors import ConfigInvalid, Text
from metaagent.language.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

TENANT = regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
FORMAT = 3
PROTECTED = 2
"""The first format whose file proves that it was written with the KEK."""
INSTALLATION = "system"
"""The tenant of what belongs to no company: the log, and hashes of the configuration."""
AUDIT = "audit"
"""The purpose whose sealed values nobody can seal again: the chain of the trail holds their bytes."""

NO_KEY = Text(
    "Key '{kid}' is not in the key file, so '{row}' cannot be read. Restore the key file that was "
    "used when it was "
    "written.",
    "키 '{kid}'이(가) 키 파일에 없어 '{row}'을(를) 읽을 수 없습니다. 작성 당시의 키 파일을 복구하세요.",
)
ERASED = Text(
    "This person's key was destroyed on {when}: '{row}' can never be read again.",
    "이 사람의 키는 {when}에 파기되어 '{row}'을(를) 다시 읽을 수 없습니다.",
)
WRONG_KEK = Text(
    "The key-encryption key '{given}' cannot open the key file '{path}', which '{needed}' locked. Until that "
    "key is restored, nothing of these tenants (their keys) and of so many people can be read: {lost}.",
    "키 암호화 키 '{given}'(으)로 키 파일 '{path}'을(를) 열 수 없습니다('{needed}'(으)로 잠김). "
    "그 키를 복구할 때까지 다음 테넌트(키)와 사람 수의 내용을 읽을 수 없습니다: {lost}.",
)
NO_KEK = Text(
    "{problem} The key file '{path}' is locked with '{needed}'. Until it is back, nothing of these tenants "
    "(their keys) and of so many people can be read: {lost}.",
    "{problem} 키 파일 '{path}'은(는) '{needed}'(으)로 잠겨 있습니다. 복구할 때까지 다음 테넌트(키)와 사람 수의 "
    "내용을 읽을 수 없습니다: {lost}.",
)
BAD_TENANT = Text(
    "Tenant '{tenant}' is not a valid id: use letters, digits, '_' and '-', at most 64.",
    "테넌트 '{tenant}'은(는) 올바른 식별자가 아닙니다: 영문자, 숫자, '_', '-'만 64자까지 쓰세요.",
)
BAD_MINIMUM = Text(
    "Minimum key version {version} of tenant '{tenant}' must be between {low} and {high}.",
    "테넌트 '{tenant}'의 최소 키 버전 {version}은(는) {low}에서 {high} 사이여야 합니다.",
)

Record = dict[str, Any]


def checked_tenant(tenant: str) -> str:
    """Tenants name files and stand in signed texts."""
    if TENANT.fullmatch(tenant) is None:
        raise ConfigInvalid(BAD_TENANT, tenant=tenant)
    return tenant


def public_key_id(raw: bytes) -> str:
    """Names a public key by its content, so that a replaced key cannot keep the name."""
    return hashlib.sha256(b"metaagent-audit-key\0" + raw).hexdigest()[:16]


def kek_wrapped(doc: Record) -> Iterator[Record]:
    yield from doc["signing"]
    for record in doc["tenants"].values():
        yield record["index"]
        yield from record["keys"]


def all_keys(owner: Record) -> list[Record]:
    """Keys of a tenant or a person: those in use and what is left of the retired ones."""
    return [*owner.get("retired", ()), *owner.get("keys", ())]


def kids_of(person: Record) -> list[str]:
    """The ids of every key that ever sealed for this person."""
    return [*person.get("past", {"kids": []})["kids"], *(key["kid"] for key in all_keys(person))]


def context_of(key: Record) -> str:
    """The context that its wrapping is bound to: a key that is kept for one purpose cannot pass for the whole one."""
    return f"{key['kid']}/{key['only']}" if "only" in key else key["kid"]


def kek_context(kid: str, file_format: int = FORMAT) -> bytes:
    """The context that the KEK binds a key to: in an unprotected file of the first format it cannot be used any more."""
    return kid.encode() if file_format < PROTECTED else f"{kid}@{PROTECTED}".encode()


def tenant_status(record: Record) -> Record:
    people = record["people"].values()
    erased = sum("erased" in person for person in people)
    return {
        "newest": record["keys"][-1]["version"],
        "minimum": record["min"],
        "keys": [{name: key[name] for name in ("kid", "version", "created")} for key in record["keys"]],
        "retired": [key["kid"] for key in record.get("retired", ())],
        "people": len(people) - erased,
        "erased": erased,
    }


def lost(name: str, record: Record) -> str:
    kids = ", ".join(key["kid"] for key in record["keys"])
    return f"{name} ({kids}) + {len(record['people'])}"


def iso(when: datetime) -> str:
    return when.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def b64(raw: bytes) -> str:
    return b64encode(raw).decode("ascii")
