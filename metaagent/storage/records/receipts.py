"""Receipts: what a person is given of something that was stored, and the digest of its content."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from metaagent.ports import Json, User, VectorIndex
from metaagent.storage.records.blobs import Blobs
from metaagent.storage.records.ledger import Entry, Ledger

LINK = "metaagent://stored/"


@dataclass(frozen=True)
class Places:
    """Where things are stored: ledgers (the database of the rows first), files and the search index of a person."""

    rows: Ledger | None
    own: Ledger
    files: Callable[[User], Blobs]
    index: Callable[[User], VectorIndex]

    @property
    def first(self) -> Ledger:
        return self.rows or self.own

    @property
    def ledgers(self) -> list[Ledger]:
        return [*([self.rows] if self.rows else []), self.own]


@dataclass(frozen=True)
class Found:
    """A receipt and where it is. `already`: it was there before it was asked for."""

    ledger: Ledger
    entry: Entry
    body: Json
    already: bool = False


def content_hash(batch: Mapping[str, Any]) -> str:
    """The digest of what is stored, and of nothing that is only said about it."""
    files = [hashlib.sha256(bytes(each["content"])).hexdigest() for each in batch.get("files") or ()]
    texts = [[each["id"], each["text"]] for each in batch.get("texts") or ()]
    rows = batch.get("rows") or None
    wanted = rows and {"table": rows["table"], "columns": list(rows["columns"]), "rows": rows["rows"]}
    return hashlib.sha256(orjson.dumps([wanted, files, texts], option=orjson.OPT_SORT_KEYS)).hexdigest()


def facts(batch: Mapping[str, Any]) -> Json:
    said = ("what", "why", "label", "retention_days", "must_keep", "decision", "mapping", "texts")
    return {name: batch[name] for name in said if batch.get(name) is not None}


def row_count(body: Mapping[str, Any]) -> int:
    rows = body.get("rows") or {}
    return len(rows.get("new") or ()) + len(rows.get("replaced") or ())


def receipt_of(found: Found) -> Json:
    """What a person is given: plain data, the same each time it is made."""
    entry, body = found.entry, found.body
    rows = body.get("rows")
    return {
        "receipt": entry.receipt,
        "stored_location": f"{LINK}{entry.receipt}",
        "status": entry.status,
        "what": body.get("what", ""),
        "where": {
            "table": rows["table"] if rows else None,
            "rows": row_count(body),
            "new": len(rows["new"]) if rows else 0,
            "replaced": len(rows["replaced"]) if rows else 0,
            "unchanged": rows["unchanged"] if rows else 0,
            "files": [
                {k: each[k] for k in ("id", "name", "size", "sha256")} for each in body.get("files") or ()
            ],
            "texts": len(body.get("texts") or ()),
            "database": found.ledger.name,
        },
        "why": body.get("why", ""),
        "decision": body.get("decision", ""),
        "label": body.get("label", ""),
        "retention": {"days": body.get("retention_days"), "until": entry.keep_until},
        "hashes": {"content": entry.content, "files": [each["sha256"] for each in body.get("files") or ()]},
        "key": entry.key,
        "stored_at": entry.stored_at,
        "undone_at": body.get("undone_at"),
        "already": found.already,
    }
