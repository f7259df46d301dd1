"""Answers that were given to requests with a key of their own, so that the same request is done once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from metaagent.ports import Clock, Json, User
from metaagent.storage.credentials import CredentialStore
from metaagent.storage.tables import replies
from metaagent.values import iso

KEPT_FOR = timedelta(hours=24)


class Replies:
    """Each is found by the person, the scopes that they came with and their key, and sealed for that person: a program whose
    key may do less gets no answer that was given to one which may do more."""

    def __init__(self, store: CredentialStore, clock: Clock, keyed_hash: Callable[[bytes], str]) -> None:
        self._store = store
        self._clock = clock
        self._keyed_hash = keyed_hash

    async def begin(self, user: User, key: str, digest: str) -> Json | None:
        """Note that a request is under way; what is known of it if it is not the first."""
        await self._store.remove(replies, replies.c.created_at <= iso(self._clock.now() - KEPT_FOR))
        row_id = self._id(user, key)
        if await self._store.add(replies, row_id, user, {"request": digest}, {}):
            return None
        found = await self._store.by_id(replies, row_id)
        return {"request": digest} if found is None else {"request": found.facts["request"], **found.body}

    async def keep(self, user: User, key: str, digest: str, reply: dict[str, Any]) -> None:
        await self._store.replace(replies, self._id(user, key), user, {"request": digest}, reply)

    async def drop(self, user: User, key: str) -> None:
        await self._store.remove_id(replies, self._id(user, key))

    def _id(self, user: User, key: str) -> str:
        scopes = "" if user.scopes is None else " ".join(["of", *sorted(user.scopes)])
        named = f"reply\0{user.company_id}\0{user.user_id}\0{scopes}\0{key}".encode("utf-8", "replace")
        return self._keyed_hash(named)[:40]
