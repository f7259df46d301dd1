"""Searches and ingests chunks beside bare Chroma: `python -m benchmarks.retrieval [CHUNKS]`, CPU milliseconds a question.

The documents are made of Korean and English words; a question takes five of them. Bare Chroma gets the same texts with the same
vectors, without terms, seals, titles or citations.
"""

from __future__ import annotations

import asyncio
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from metaagent.level2.retrieval.passages import ranked
from metaagent.level2.retrieval.queries import asking_of
from metaagent.level2.retrieval.sources import documents_for
from metaagent.memory.embedding import embed
from tests.support.library_world import KIM, LibraryWorld

CHUNKS = 100_000
IN_ONE = 100
"""Chunks of one document."""
QUESTIONS = 200
_KOREAN = "한도 식음료 강연 방문 병원 의사 규정 보관 증빙 승인 교육 위반 보고 개인정보 견본품 판촉물 세미나 정산 결재 처방".split()  # noqa: SIM905
_ENGLISH = "limit meal lecture visit hospital doctor policy retention evidence approval training breach report sample".split()  # noqa: SIM905
_ENDS = ("은", "는", "을", "를", "에서", "의", "으로", "과")


def words(seed: random.Random, count: int) -> list[str]:
    made: list[str] = []
    for _ in range(count):
        if seed.random() < 0.7:
            made.append(f"{seed.choice(_KOREAN)}{seed.randrange(400)}호{seed.choice(_ENDS)}")
        else:
            made.append(f"{seed.choice(_ENGLISH)}{seed.randrange(400)}")
    return made


def documents(chunks: int) -> Iterator[str]:
    seed = random.Random(7)
    for number in range(chunks // IN_ONE):
        parts = [f"## 제{at + 1}조\n\n{' '.join(words(seed, 40))}." for at in range(IN_ONE)]
        yield f"# 문서 {number}\n\n" + "\n\n".join(parts)


def questions() -> list[str]:
    seed = random.Random(8)
    return [" ".join(words(seed, 5)) + "?" for _ in range(QUESTIONS)]


async def ours(folder: Path, chunks: int) -> tuple[float, list[float], list[str]]:
    """Chunks a CPU second of ingestion, milliseconds of each search, and the texts of the chunks."""
    world = LibraryWorld(folder)
    collection = await world.collection()
    started = time.process_time()
    for number, text in enumerate(documents(chunks)):
        await world.put(collection, f"{number}.md", text)
    speed = chunks / (time.process_time() - started)
    library = world.port(KIM)
    times: list[float] = []
    for question in questions():
        before = time.process_time()
        asking = asking_of(question, {}, "ko", "mecab")
        found = await documents_for(asking, library)
        ranked(asking, found.chunks, found.scores, "mecab", found.total)
        times.append((time.process_time() - before) * 1_000)
    texts = [part for text in documents(chunks) for part in text.split("\n\n") if not part.startswith("#")]
    return speed, times, texts


def bare(folder: Path, texts: list[str]) -> tuple[float, list[float]]:
    import chromadb

    client: Any = chromadb.PersistentClient(str(folder))
    collection = client.create_collection("bare", embedding_function=None)
    started = time.process_time()
    for at in range(0, len(texts), IN_ONE):
        some = texts[at : at + IN_ONE]
        ids = [str(at + number) for number in range(len(some))]
        collection.add(ids=ids, embeddings=[embed(text, b"key") for text in some], documents=some)
    speed = len(texts) / (time.process_time() - started)
    times: list[float] = []
    for question in questions():
        before = time.process_time()
        collection.query(query_embeddings=[embed(question, b"key")], n_results=50)
        times.append((time.process_time() - before) * 1_000)
    return speed, times


def size(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6


def line(name: str, speed: float, times: list[float], folder: Path) -> str:
    first, rest = times[0], sorted(times[1:])
    p50, p99 = statistics.median(rest), rest[int(len(rest) * 0.99)]
    return (
        f"  {name:12} {speed:8.0f} chunks/s   first {first:7.1f}   p50 {p50:6.1f}   p99 {p99:6.1f} ms   "
        f"disk {size(folder):7.1f} MB"
    )


def main() -> None:
    chunks = int(sys.argv[1]) if sys.argv[1:] else CHUNKS
    with tempfile.TemporaryDirectory() as place:
        own, other = Path(place) / "ours", Path(place) / "bare"
        speed, times, texts = asyncio.run(ours(own, chunks))
        print(line("library", speed, times, own))
        print(line("bare Chroma", *bare(other, texts), other))
        plain = sum(len(text.encode()) for text in texts) / 1e6
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"  {chunks:,} chunks, plain text {plain:.1f} MB, memory at most {memory:.0f} MB")


if __name__ == "__main__":
    main()
