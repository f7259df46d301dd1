"""Providers of the key-encryption key (KEK): a file, the environment, the OS keyring, or a plugin (Vault, KMS).

A provider wraps and unwraps; it need not reveal the KEK. Plugins register a callable `(rest of the setting)
→ KekProvider` in the entry-point group `metaagent.protection.keys` under the word before the colon:
`vault:transit/metaagent`.
"""

from __future__ import annotations

import hashlib
import importlib
import os
from base64 import b64decode, b64encode
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Protocol

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from metaagent.errors import ConfigInvalid, KeyUnavailable, PluginInvalid, Text
from metaagent.protection.keys.store import create_private, make_private_folder, refuse_loose

GROUP = "metaagent.protection.keys"

BACKUP = Text(
    "A new key was made in '{path}'. Copy it to a safe place that is not this disk: without it, "
    "nothing that this program "
    "stores can be read, by anyone. This is said once.",
    "새 키를 '{path}'에 만들었습니다. 이 디스크가 아닌 안전한 곳에 복사해 두세요. 이 키가 없으면 "
    "저장된 내용을 누구도 읽을 수 "
    "없습니다. 이 안내는 한 번만 표시됩니다.",
)
MISSING = Text(
    "The key-encryption key is not in {place}. Restore it there, or nothing that was sealed with it "
    "can be read.",
    "키 암호화 키가 {place}에 없습니다. 복구하지 않으면 이 키로 봉인한 내용을 읽을 수 없습니다.",
)
BAD_KEK = Text(
    "The key-encryption key in {place} is not 32 bytes in base64.",
    "{place}의 키 암호화 키가 base64로 된 32바이트가 아닙니다.",
)
UNKNOWN = Text(
    "Key provider '{name}' is not known: use file:PATH, env:NAME, keyring:SERVICE, or install a "
    "plugin ({group}).",
    "키 제공자 '{name}'을(를) 알 수 없습니다: file:경로, env:이름, keyring:서비스를 쓰거나 "
    "플러그인({group})을 설치하세요.",
)
NO_KEYRING = Text(
    "keyring:{service} needs the package 'keyring': pip install keyring.",
    "keyring:{service}에는 'keyring' 패키지가 필요합니다: pip install keyring.",
)


class KekProvider(Protocol):
    @property
    def kek_id(self) -> str:
        """Names the KEK by its content or its address in the service, never by its secret."""
        ...

    def wrap(self, key: bytes, context: bytes) -> bytes: ...

    def unwrap(self, wrapped: bytes, context: bytes) -> bytes:
        """Raises `cryptography.exceptions.InvalidTag` where this KEK did not wrap it for this context."""
        ...


def aes_wrap(kek: bytes, key: bytes, context: bytes) -> bytes:
    nonce = os.urandom(12)
    return nonce + AESGCM(kek).encrypt(nonce, key, b"metaagent/wrap/1\0" + context)


def aes_unwrap(kek: bytes, wrapped: bytes, context: bytes) -> bytes:
    return AESGCM(kek).decrypt(wrapped[:12], wrapped[12:], b"metaagent/wrap/1\0" + context)


class LocalKek:
    """A KEK that this process holds itself."""

    def __init__(self, secret: bytes, place: str = "memory", *, made: bool = False) -> None:
        if len(secret) != 32:
            raise ConfigInvalid(BAD_KEK, place=place)
        self._secret = secret
        self.place = place
        self.made = made  # just now: say BACKUP to the person
        digest = hashlib.sha256(b"metaagent-kek\0" + secret).hexdigest()
        self._id = f"{place.partition(':')[0]}-{digest[:12]}"

    @property
    def kek_id(self) -> str:
        return self._id

    def wrap(self, key: bytes, context: bytes) -> bytes:
        return aes_wrap(self._secret, key, context)

    def unwrap(self, wrapped: bytes, context: bytes) -> bytes:
        return aes_unwrap(self._secret, wrapped, context)

    def __repr__(self) -> str:
        return f"LocalKek({self._id})"


def file_kek(path: str | Path, *, create: bool = True) -> LocalKek:
    """The KEK in a file of mode 0600, made on first use. `create=False` where data already exists."""
    path = Path(path)
    place = f"file:{path}"
    made = False
    if create and not path.exists():
        make_private_folder(path.parent)
        made = create_private(path, b64encode(os.urandom(32)) + b"\n")
    if not path.exists():
        raise KeyUnavailable(MISSING, place=place)
    refuse_loose(path)
    secret = _decoded(path.read_text("ascii", "replace"), place)
    return LocalKek(secret, place, made=made)


def env_kek(name: str) -> LocalKek:
    value = os.environ.get(name)
    if not value:
        raise KeyUnavailable(MISSING, place=f"env:{name}")
    return LocalKek(_decoded(value, f"env:{name}"), f"env:{name}")


def keyring_kek(service: str) -> LocalKek:
    """The KEK in the operating system's keyring, made there on first use."""
    place = f"keyring:{service}"
    try:
        keyring: Any = importlib.import_module("keyring")
    except ImportError as error:
        raise ConfigInvalid(NO_KEYRING, service=service) from error
    value: str | None = keyring.get_password(service, "kek")
    made = value is None
    if made:
        keyring.set_password(service, "kek", b64encode(os.urandom(32)).decode("ascii"))
        value = keyring.get_password(service, "kek")
    return LocalKek(_decoded(value or "", place), place, made=made)


def provider(setting: str, *, create: bool = True) -> KekProvider:
    """`file:PATH`, `env:NAME`, `keyring:SERVICE`, or `<plugin>:<what the plugin wants>`."""
    name, _, rest = setting.partition(":")
    if name == "file":
        return file_kek(rest, create=create)
    if name == "env":
        return env_kek(rest)
    if name == "keyring":
        return keyring_kek(rest)
    for entry in entry_points(group=GROUP, name=name):
        made = entry.load()(rest)
        if not all(hasattr(made, part) for part in ("kek_id", "wrap", "unwrap")):
            raise PluginInvalid(UNKNOWN, name=name, group=GROUP)
        return made
    raise ConfigInvalid(UNKNOWN, name=name, group=GROUP)


def _decoded(value: str, place: str) -> bytes:
    try:
        secret = b64decode(value.strip(), validate=True)
    except ValueError:
        raise ConfigInvalid(BAD_KEK, place=place) from None
    if len(secret) != 32:
        raise ConfigInvalid(BAD_KEK, place=place)
    return secret
