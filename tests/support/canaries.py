"""A word that must be found nowhere, and agents that put it wherever an agent can put anything."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from metaagent.errors import NeedsInput
from metaagent.plugin import AgentSpec, Artifact, Context, Result, Task
from metaagent.ports import Group, User
from tests.support.agents import Runs, worker

CANARY = "canary7f3a91c2d0"
WRITTEN = "doc-song"
"""The document that the agent leaves behind."""
PERSON = User(f"{CANARY}-person", "acme")


def full_of_canaries(runs: Runs) -> AgentSpec:
    """Puts the canary wherever an agent can put anything."""

    async def run(task: Task, ctx: Context) -> Result:
        runs.add("singing")
        if not task.answers:
            raise NeedsInput(f"{CANARY} question?", options=[f"{CANARY} option"])
        await ctx.files.write("song", CANARY.encode())
        assert await ctx.files.read("song") == CANARY.encode()
        await ctx.vectors.add({"v1": f"{CANARY} text"}, {"v1": {"title": CANARY}})
        (found,) = await ctx.vectors.search(CANARY, limit=1)
        assert (found.text, found.metadata) == (f"{CANARY} text", {"title": CANARY})
        await ctx.effects.done(ctx.effect_key("sing", CANARY), {"sung": CANARY})
        ctx.log.warning(f"{CANARY} logged", field=CANARY)
        await ctx.progress(50, f"{CANARY} half")
        made = [
            Artifact("song", {"words": [CANARY]}, f"{CANARY} summary"),
            Artifact("song", {"title": CANARY}, CANARY, group=Group(WRITTEN, 1, "json")),
        ]
        return Result(f"{CANARY} sung", 1.0, made, [{"title": CANARY}], {"execution_context": {"x": CANARY}})

    spec = worker(runs, "singing", makes="song")
    return replace(spec, run=run, needs=frozenset({"files", "vectors", "log", "progress", "effects"}))


def breaking(runs: Runs) -> AgentSpec:
    async def fail(_task: Task, _ctx: Context) -> None:
        raise RuntimeError(f"{CANARY} broke")

    return worker(runs, "breaking", before=fail)


def traces(folder: Path, words: tuple[str, ...] = (CANARY,)) -> list[str]:
    """Files under the folder that hold a word: as it is, in other encodings, in their own names."""
    forms = [form for word in words for form in _forms(word)]
    found: list[str] = []
    for path in folder.rglob("*"):
        content = path.read_bytes() if path.is_file() else b""
        if any(form in content for form in forms) or any(word in path.name for word in words):
            found.append(str(path.relative_to(folder)))
    return found


def _forms(word: str) -> Iterator[bytes]:
    raw = word.encode()
    yield from (raw, word.encode("utf-16-le"), raw.hex().encode(), raw[::-1])
    for lead in range(3):
        yield base64.b64encode(b"\0" * lead + raw)[4:-4]
