"""LangGraph's configurations as work on the checkpoint database: which thread, namespace and checkpoint are meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaagent.storage.checkpoints import rows

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence

    from langchain_core.runnables import RunnableConfig


def thread_of(config: RunnableConfig) -> str:
    return str(config.get("configurable", {})["thread_id"])


def namespace_of(config: RunnableConfig) -> str:
    return str(config.get("configurable", {}).get("checkpoint_ns", ""))


def config_of(thread: str, ns: str, checkpoint_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread, "checkpoint_ns": ns, "checkpoint_id": checkpoint_id}}


def load_work(config: RunnableConfig) -> Callable[[sqlite3.Connection], rows.Loaded | None]:
    thread, ns = thread_of(config), namespace_of(config)
    wanted = config.get("configurable", {}).get("checkpoint_id")
    return lambda connection: rows.load(connection, thread, ns, wanted)


def keys_work(
    config: RunnableConfig | None, before: RunnableConfig | None
) -> Callable[[sqlite3.Connection], list[tuple[str, str, str]]]:
    where = (config or {}).get("configurable", {})
    thread = where.get("thread_id")
    newest = (before or {}).get("configurable", {}).get("checkpoint_id")
    return lambda connection: rows.keys(
        connection,
        None if thread is None else str(thread),
        where.get("checkpoint_ns"),
        where.get("checkpoint_id"),
        newest,
    )


def prune_work(thread_ids: Sequence[str], strategy: str) -> Callable[[sqlite3.Connection], None]:
    prune = {"keep_latest": rows.keep_latest, "delete": rows.delete_threads}.get(strategy)
    if prune is None:
        raise ValueError(f"unknown strategy {strategy!r}: use 'keep_latest' or 'delete'")
    return lambda connection: prune(connection, map(str, thread_ids))


def page_work(keys: Sequence[tuple[str, str, str]]) -> Callable[[sqlite3.Connection], list[rows.Loaded]]:
    def work(connection: sqlite3.Connection) -> list[rows.Loaded]:
        found = (rows.load(connection, *key) for key in keys)
        return [row for row in found if row is not None]

    return work


def delta_work(
    config: RunnableConfig, channels: Sequence[str]
) -> Callable[[sqlite3.Connection], tuple[dict[str, rows.BlobRow], list[rows.DeltaStep]]]:
    thread, ns = thread_of(config), namespace_of(config)
    wanted = config.get("configurable", {}).get("checkpoint_id")
    return lambda connection: rows.delta_history(connection, thread, ns, wanted, channels)
