"""Proof that a key file was written by someone who had the KEK, which wraps a digest of the whole file."""

from __future__ import annotations

import hashlib
from base64 import b64decode
from typing import TYPE_CHECKING

import orjson
from cryptography.exceptions import InvalidTag

from metaagent.errors import Text
from metaagent.protection.keys.records import Record, b64

if TYPE_CHECKING:
    from metaagent.protection.keys.providers import KekProvider

TAMPERED = Text(
    "The key file '{path}' was changed by someone without the key-encryption key: restore it from a backup. "
    "Nothing in it was used.",
    "키 파일 '{path}'이(가) 키 암호화 키 없이 변경되었습니다: 백업에서 복구하세요. 그 내용은 쓰지 않았습니다.",
)
_CONTEXT = b"metaagent/keyfile"


def proven(doc: Record, kek: KekProvider) -> Record:
    doc["proof"] = b64(kek.wrap(_digest(doc), _CONTEXT))
    return doc


def is_proven(doc: Record, kek: KekProvider) -> bool:
    try:
        return kek.unwrap(b64decode(doc["proof"], validate=True), _CONTEXT) == _digest(doc)
    except (KeyError, TypeError, ValueError, InvalidTag):
        return False


def _digest(doc: Record) -> bytes:
    told = {name: value for name, value in doc.items() if name != "proof"}
    return hashlib.sha256(orjson.dumps(told, option=orjson.OPT_SORT_KEYS)).digest()
