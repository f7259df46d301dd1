"""The use of the chat model on record, as it goes: a turn that is resumed after a crash has no new budget."""

from __future__ import annotations

from metaagent.ports import Turn
from metaagent.storage.session_store import SqlStore


class ModelUseOfTurn:
    def __init__(self, store: SqlStore, turn: Turn) -> None:
        self._store = store
        self._turn = turn

    async def add(self, tokens: int, calls: int) -> None:
        await self._store.add_model_use(self._turn, tokens, calls)
