"""`metaagent threads`: a session becomes a thread that plain LangGraph reads, when that is asked for by name."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from tests.support.command_line import Cli


def test_a_session_is_copied_in_clear_only_by_name(cli: Cli, tmp_path: Path):
    session = cli.json("ask", "revenue of Seoul")["session_id"]
    target = tmp_path / "theirs.db"
    refused = cli("threads", "copy", f"session:{session}", str(target))
    assert refused.exit_code == 2
    assert "--plain" in refused.output
    assert not target.exists()
    copied = cli.json("threads", "copy", f"session:{session}", str(target), "--plain")["copied"][0]
    assert copied["thread"] == session
    assert copied["checkpoints"] > 0

    async def state() -> dict[str, object]:
        async with AsyncSqliteSaver.from_conn_string(str(target)) as saver:
            found = await saver.aget_tuple({"configurable": {"thread_id": session}})
            assert found is not None
            return found.checkpoint["channel_values"]

    assert "revenue of Seoul" in repr(asyncio.run(state()))


def test_files_are_copied_both_ways(cli: Cli, tmp_path: Path):
    session = cli.json("ask", "revenue of Seoul")["session_id"]
    theirs, ours = tmp_path / "theirs.db", tmp_path / "ours.db"
    cli("threads", "copy", f"session:{session}", str(theirs), "--plain")
    assert cli("threads", "copy", str(theirs), str(ours), "--format", "metaagent").exit_code == 0
    listed = [cli("threads", "list", str(file)).stdout for file in (theirs, ours)]
    assert session in listed[0]
    assert listed[0] == listed[1]


def test_a_file_without_checkpoints_is_named_and_stays(cli: Cli, tmp_path: Path):
    for content in (b"", b"no database at all, but text\n" * 100):
        file = tmp_path / "other.db"
        file.write_bytes(content)
        shown = cli("threads", "list", str(file))
        assert shown.exit_code == 2
        assert "other.db" in shown.output.replace("\n", "")
        assert file.read_bytes() == content
    other = tmp_path / "tables.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE things (x)")
    assert cli("threads", "list", str(other)).exit_code == 2
