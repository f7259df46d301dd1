"""Vectors: nothing that the embedded store keeps leads back to an erased person's texts."""

from __future__ import annotations

import hashlib
import sqlite3
import struct
import zlib
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any

from metaagent.memory.embedding import DIMENSIONS, _features, pieces  # pyright: ignore[reportPrivateUsage]
from metaagent.plugin import Artifact, Capability, Context, Result, Task, agent
from tests.attacks.world import KIM, LEE, OFFICER, opened

PHONE = "010-7392-4815"


@agent(
    name="store_agent",
    capabilities=[Capability("storing", ko=("보관",), en=("deposit",))],
    produces={"contact": dict[str, Any]},
    needs=["user", "vectors"],
)
async def storer(task: Task, ctx: Context) -> Result:
    await ctx.vectors.add({f"doc_{ctx.user.user_id}": f"{ctx.user.user_id} 휴대폰 {PHONE}"})
    found = await ctx.vectors.search("휴대폰", limit=5)
    return Result("ok", 1.0, [Artifact("contact", {"found": [m.id for m in found]})], [{"title": "x"}])


def queued(folder: Path) -> list[tuple[str, list[float]]]:
    with sqlite3.connect(folder / "chroma.sqlite3") as connection:
        rows = connection.execute(
            "SELECT id, vector FROM embeddings_queue WHERE vector IS NOT NULL"
        ).fetchall()
    connection.close()
    return [(key, list(struct.unpack(f"<{len(raw) // 4}f", raw))) for key, raw in rows]


KEYLESS: tuple[Callable[[str], int], ...] = (
    lambda gram: zlib.crc32(gram.encode()),
    lambda gram: int.from_bytes(blake2b(gram.encode(), digest_size=4).digest()),
    lambda gram: int.from_bytes(blake2b(gram.encode(), digest_size=4, key=b"guess").digest()),
)
"""Every rule that an attacker knows who has the program and not the keys."""


def cosine(text: str, vector: list[float]) -> float:
    """As an attacker without any key computes it, who reads the program."""
    made = [pieces(text), *(_features(text, rule) for rule in KEYLESS)]
    return max(abs(sum(value * vector[place] for place, value in each.items())) for each in made)


async def test_vectors_do_not_give_texts_back(tmp_path: Path):
    texts = [f"내 연락처{at}는 {PHONE[:-1]}{at}" for at in range(6)]
    async with opened(tmp_path, storer, memory={"index_above": 3}) as app:
        await app.ask("deposit now", user=KIM)
        await app.ask("deposit now", user=LEE)
        for text in texts:
            await app.remember(text, user=KIM)
        kept = [*queued(tmp_path / "recall"), *queued(tmp_path / "vectors")]
        assert len(kept) >= 6
        assert len(kept[0][1]) == DIMENSIONS
        guesses = [f"연락처{at} {PHONE[:-1]}{at} {text}" for at, text in enumerate(texts)]
        guesses += [*texts, f"kim 휴대폰 {PHONE}"]
        assert max(cosine(guess, vector) for guess in guesses for _, vector in kept) < 0.5
        mine, theirs = (dict(queued(tmp_path / "vectors"))[f"doc_{name}"] for name in ("kim", "lee"))
        assert abs(sum(a * b for a, b in zip(mine, theirs, strict=True))) < 0.5, "each person has a key"
        await app.governance.erase("kim", user=OFFICER)
        assert queued(tmp_path / "recall") == []
        assert {key for key, _ in queued(tmp_path / "vectors")} == {"doc_lee"}
        answer = await app.ask("deposit now", user=LEE)
        found = await app.artifact(answer.session_id, answer.content["artifacts"][0]["id"], user=LEE)
        assert found == {"found": ["doc_lee"]}
    for name in ("recall", "vectors"):
        raw = (tmp_path / name / "chroma.sqlite3").read_bytes()
        assert hashlib.sha256(b"acme\0kim").hexdigest()[:32].encode() not in raw
        assert b"doc_kim" not in raw
    with sqlite3.connect(tmp_path / "recall" / "chroma.sqlite3") as connection:
        assert connection.execute("SELECT name FROM collections").fetchall() == []
    connection.close()


async def test_a_forgotten_memory_leaves_no_vector(tmp_path: Path):
    async with opened(tmp_path, memory={"index_above": 3}) as app:
        for at in range(6):
            await app.remember(f"내 항목{at}는 값{at}", user=KIM)
        before = len(queued(tmp_path / "recall"))
        (gone,) = await app.forget("항목3", user=KIM)
        left = queued(tmp_path / "recall")
        assert len(left) == before - 1
        assert gone["id"] not in {key for key, _ in left}
        assert len(await app.memories(user=KIM)) == 5


@agent(
    name="swap_agent",
    capabilities=[Capability("swapping", ko=("교체",), en=("swap",))],
    produces={"counts": dict[str, int]},
    needs=["vectors"],
)
async def swapper(task: Task, ctx: Context) -> Result:
    await ctx.vectors.add({"old": "오래된 글"})
    await ctx.vectors.remove(["old"])
    await ctx.vectors.add({"new": "새 글"})
    found = {"count": await ctx.vectors.count(), "hits": len(await ctx.vectors.search("새 글"))}
    assert await ctx.vectors.ids() == ["new"]
    assert [each.text for each in await ctx.vectors.get(["old", "new"])] == ["새 글"]
    return Result("ok", 1.0, [Artifact("counts", found)], [{"title": "x"}])


async def test_a_text_added_after_a_removal_is_kept(tmp_path: Path):
    """Removing wipes what the store has queued, and must leave the place of its last row taken."""
    async with opened(tmp_path, swapper) as app:
        answer = await app.ask("swap now", user=KIM)
        (made,) = answer.content["artifacts"]
        assert await app.artifact(answer.session_id, made["id"], user=KIM) == {"count": 1, "hits": 1}
