"""Vectors and library: the fakes hold what the real ones hold."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import pairwise
from pathlib import Path

import pytest

from metaagent.errors import Failed, InputRefused
from metaagent.knowledge.terms import terms
from metaagent.ports import Library, VectorIndex
from metaagent.storage.chroma import ChromaIndex
from metaagent.storage.vault import Owner
from metaagent.testing import FakeLibrary, FakeVectors
from tests.support.library_world import LibraryWorld, text_of

TEXTS = {"a": "식음료 한도는 10만 원입니다", "b": "교통비는 실비로 지급합니다", "c": "meal limit per person"}
DOCUMENTS = {
    "식음료 규정": text_of("한도", "식음료 한도는 10만 원입니다.", "## 예외", "승인을 받으면 예외로 합니다."),
    "여비 규정": text_of("교통비", "교통비는 실비로 지급합니다."),
}


def fake_vectors(_folder: Path) -> VectorIndex:
    return FakeVectors()


def chroma(folder: Path) -> VectorIndex:
    world = LibraryWorld(folder)
    return ChromaIndex(world.chroma, world.vault, Owner("acme", "kim"))


@pytest.mark.parametrize("made", [fake_vectors, chroma])
async def test_vectors_keep_find_and_remove_texts(tmp_path: Path, made: Callable[[Path], VectorIndex]):
    vectors = made(tmp_path)
    assert (await vectors.count(), await vectors.ids(), await vectors.search("한도")) == (0, [], [])
    await vectors.add(TEXTS, {"a": {"page": 3}})
    await vectors.add({"other": "다른 모음의 글"}, collection="notes")
    best, *_ = await vectors.search("식음료 한도", limit=2)
    assert (best.id, best.text, best.metadata) == ("a", TEXTS["a"], {"page": 3})
    assert len(await vectors.search("한도", limit=2)) == 2
    assert [match.id for match in await vectors.get(["c", "gone", "a"])] == ["c", "a"]
    assert (await vectors.get(["a"]))[0].score == 1.0
    assert (await vectors.ids(), await vectors.count()) == (["a", "b", "c"], 3)
    assert (await vectors.ids(collection="notes"), await vectors.count(collection="notes")) == (["other"], 1)
    await vectors.add({"a": "바뀐 글"})
    assert (await vectors.get(["a"]))[0].text == "바뀐 글"
    await vectors.remove(["a", "gone"])
    assert (await vectors.ids(), await vectors.count()) == (["b", "c"], 2)
    await vectors.remove(["other"], collection="notes")
    assert await vectors.search("글", collection="notes") == []
    with pytest.raises(InputRefused):
        await vectors.add({"x": "y"}, collection="../x")


async def fake_library(_folder: Path) -> Library:
    return FakeLibrary(DOCUMENTS, tokens=terms)


async def kept_library(folder: Path) -> Library:
    world = LibraryWorld(folder)
    target = await world.collection("documents")
    for title, text in DOCUMENTS.items():
        await world.put(target, f"{title}.md", f"---\ntitle: {title}\n---\n{text}")
    return world.port()


FIELDS = {
    *(
        "id",
        "document_id",
        "collection",
        "label",
        "title",
        "source",
        "media_type",
        "number",
        "text",
        "start",
        "end",
    ),
    *("heading", "place", "aliases", "language", "valid_from", "valid_to", "sha256"),
}


@pytest.mark.parametrize("made", [fake_library, kept_library])
async def test_a_library_finds_and_opens_passages(tmp_path: Path, made: Callable[[Path], Awaitable[Library]]):
    library = await made(tmp_path)
    (collection,) = await library.collections()
    assert set(collection) == {
        "id",
        "name",
        "label",
        "owner",
        "embedder",
        "tokenizer",
        "documents",
        "chunks",
        "generation",
    }
    assert (collection["documents"], collection["owner"]) == (2, "company")
    for found in (await library.lexical(terms("식음료 한도")), await library.nearest("식음료 한도는 얼마")):
        best = found[0]
        assert best.metadata == {"collection": collection["id"]}
        assert all(one.score >= other.score for one, other in pairwise(found))
        (chunk,) = await library.chunks([best.id])
        assert set(chunk) >= FIELDS
        assert (chunk["title"], "10만 원" in chunk["text"]) == ("식음료 규정", True)
        assert await library.text(chunk["document_id"], chunk["start"], chunk["end"]) == chunk["text"]
    assert len(await library.lexical(terms("규정"), limit=1)) == 1
    assert await library.lexical([]) == []
    assert await library.chunks(["gone-1"]) == []
    (nearest, *_) = await library.headings(terms("예외"), limit=2)
    assert set(nearest) == {"document_id", "title", "heading", "place", "score"}
    assert nearest["heading"][-1] == "예외"
    with pytest.raises(Failed):
        await library.text("gone")


async def test_two_ingestions_of_one_folder_add_each_file_once(tmp_path: Path):
    """As two processes would: each with a client and connections of its own."""
    first, second = LibraryWorld(tmp_path), LibraryWorld(tmp_path)
    target = await first.collection()
    texts = {f"{number}.md": text_of(f"글 {number}", f"본문 {number}") for number in range(8)}

    async def take_in(world: LibraryWorld) -> int:
        return sum([await world.put(target, source, text) is not None for source, text in texts.items()])

    added = await asyncio.gather(take_in(first), take_in(second))
    assert sum(added) == 8
    assert len(await first.port().documents()) == 8
    for world in (first, second):
        assert await world.engine.verify(target) == []
