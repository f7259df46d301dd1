"""The configuration as the audit trail records it: a hash for each setting and file, and a value only where it tells nothing
that is secret or about a person."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_origin

import orjson
from pydantic import BaseModel

from metaagent.audit import AuditEvent
from metaagent.config import Settings, domain_folder
from metaagent.ports import User

if TYPE_CHECKING:
    from metaagent.protection.keys import KeyRing
    from metaagent.storage.audit_log import SqlAuditLog
    from metaagent.storage.session_store import SqlStore

CHANGED = "config.changed"
NOT_ASKED = frozenset({"data_dir"})
"""The place of the data is no choice of what is done with it."""

Keyed = Callable[[bytes], str]
"""A hash with a key of this installation: without it, nobody can try out which password has this hash."""

Record = Mapping[str, Mapping[str, str]]
"""Maps each name to its `hash`, and to its `value` if it may be told."""


def record_of(settings: Settings, keyed: Keyed) -> dict[str, dict[str, str]]:
    made = dict(_settings(settings, "", keyed))
    return made | {f"file:{name}": {"hash": _file_hash(path)} for name, path in _files(settings)}


def change(before: Record, now: Record, tenant: str) -> AuditEvent | None:
    """An entry that names what differs; None if nothing does."""
    names = sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
    if not names:
        return None
    data = {
        "from": whole(before),
        "to": whole(now),
        "changed": {name: {"from": before.get(name, {}), "to": now.get(name, {})} for name in names},
    }
    return AuditEvent(tenant=tenant, event=CHANGED, outcome="done", data=data)


def whole(record: Record) -> str:
    """One hash for all of it."""
    return hashlib.sha256(orjson.dumps(record, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _settings(section: BaseModel, prefix: str, keyed: Keyed) -> Iterator[tuple[str, dict[str, str]]]:
    """Names go as deep as the settings are declared: what people and companies are called is no part of a name."""
    plain = section.model_dump(mode="json")
    for name, info in type(section).model_fields.items():
        value = getattr(section, name)
        if isinstance(value, BaseModel):
            yield from _settings(value, f"{prefix}{name}.", keyed)
        elif f"{prefix}{name}" not in NOT_ASKED:
            found = {"hash": keyed(orjson.dumps(plain[name], option=orjson.OPT_SORT_KEYS))}
            told = isinstance(value, bool | int | float) or get_origin(info.annotation) is Literal
            yield f"{prefix}{name}", found | ({"value": str(value)} if told else {})


def _files(settings: Settings) -> Iterator[tuple[str, Path]]:
    """Policies, domain and semantic model: what the settings only point at."""
    if settings.access.file is not None:
        yield "access.file", settings.access.file
    if settings.data.model is not None:
        yield "data.model", settings.data.model
    folder = domain_folder(settings)
    if folder is not None:
        yield from ((f"{settings.domain}/{path.name}", path) for path in sorted(folder.glob("*.yaml")))


def _file_hash(path: Path) -> str:
    """Plain: a reviewer compares it with the file that they know."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


async def note_configuration(settings: Settings, ring: KeyRing, store: SqlStore, audit: SqlAuditLog) -> None:
    """Record a configuration that differs from the last opening's in every company's trail."""
    now = await asyncio.to_thread(record_of, settings, ring.keyed_hash)

    def told(before: Mapping[str, Any]) -> list[AuditEvent]:
        tenants = audit.tenants() or [User().tenant]
        return [event for tenant in tenants if (event := change(before, now, tenant)) is not None]

    await store.note_changed("config", now, told)
