"""The library: owners, labels, processes, terms, vectors, and what is left of what was removed."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.embeddings import Embeddings as LangChainEmbeddings

from evals.term_index import TermIndex
from metaagent.config import load_settings
from metaagent.errors import Failed, InputRefused, ModelError, NewerSchema, RowRefused, Text
from metaagent.knowledge.terms import terms
from metaagent.memory.embedding import embed
from metaagent.ports import User
from metaagent.state import migrations
from metaagent.state.migrations import Migration
from metaagent.storage.format_versions import read_formats
from metaagent.storage.library import collection_rows
from metaagent.storage.library.database import LibraryDatabase
from metaagent.storage.library.engine import BUILDING, SERVING
from metaagent.storage.library.postings import Searched, TermSearch, hashed, insert, packed_terms
from metaagent.storage.library.rekeying import SealedLibrary
from metaagent.storage.vault import Owner
from tests.support.library_world import KIM, LEE, LibraryWorld, text_of

LIMIT = text_of("식음료 규정", "제품설명회의 식음료 한도는 1인당 10만 원입니다.", "숙박은 별도로 정합니다.")
TRAVEL = text_of("여비 규정", "국내 출장의 교통비는 실비로 지급합니다.")


async def test_a_document_is_found_by_words_and_by_vectors(tmp_path: Path):
    world = LibraryWorld(tmp_path)
    policies = await world.collection()
    added = await world.put(policies, "a.md", LIMIT)
    await world.put(policies, "b.md", TRAVEL)
    assert added is not None
    port = world.port()
    (best, *_) = await port.lexical(terms("제품설명회에 식음료는?"))
    (near, *_) = await port.nearest("제품설명회 식음료 한도")
    assert {best.id.rpartition("-")[0], near.id.rpartition("-")[0]} == {added.id}
    (chunk,) = await port.chunks([best.id])
    assert "10만 원" in chunk["text"]
    assert await port.text(added.id, chunk["start"], chunk["end"]) == chunk["text"]
    assert (chunk["title"], chunk["label"], chunk["source"]) == ("식음료 규정", "internal", "a.md")
    assert (await port.headings(terms("식음료 규정")))[0]["title"] == "식음료 규정"
    assert await world.engine.verify(policies) == []


async def test_a_question_without_terms_finds_nothing(tmp_path: Path):
    world = LibraryWorld(tmp_path)
    await world.put(await world.collection(), "a.md", LIMIT)
    port = world.port()
    assert await port.lexical([]) == []
    assert await port.lexical(terms("!?… ")) == []
    assert await port.lexical(["없는낱말"]) == []
    assert await port.chunks(["", "x", "-1", "d-99999999999", "a\n-0"]) == []
    with pytest.raises(Failed):
        await port.text("d0")


async def test_changed_moved_and_removed_documents(tmp_path: Path):
    world = LibraryWorld(tmp_path)
    policies = await world.collection()
    first = await world.put(policies, "a.md", LIMIT)
    assert first is not None
    assert await world.put(policies, "a.md", LIMIT) is None
    changed = await world.put(policies, "a.md", LIMIT.replace("10만", "20만"))
    assert changed is not None
    port = world.port()
    with pytest.raises(Failed):
        await port.text(first.id)
    vectors = world.chroma
    before = vectors._client  # pyright: ignore[reportPrivateUsage]
    await world.engine.move(policies, changed.id, "new/a.md")
    assert [each["source"] for each in await port.documents()] == ["new/a.md"]
    assert vectors._client is before  # pyright: ignore[reportPrivateUsage]
    assert await world.engine.remove(policies, [changed.id]) == 1
    assert await world.found("식음료 한도") == set()
    assert (await port.collections())[0]["chunks"] == 0
    assert await world.engine.verify(policies) == []


async def test_a_label_that_is_not_granted_is_never_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    world = LibraryWorld(tmp_path)
    await world.put(await world.collection("open", label="public"), "a.md", LIMIT)
    secret = await world.collection("board", label="secret")
    hidden = await world.put(secret, "b.md", LIMIT.replace("규정", "이사회 규정"))
    assert hidden is not None
    assert await world.found("식음료 한도") == {"식음료 규정", "식음료 이사회 규정"}
    asked: list[str] = []
    nearest = world.engine.chroma.nearest

    def watched(name: str, vector: Sequence[float], limit: int) -> Any:
        asked.append(name)
        return nearest(name, vector, limit)

    monkeypatch.setattr(world.engine.chroma, "nearest", watched)

    def granted(_name: str, label: str) -> bool:
        return label == "public"

    assert await world.found("식음료 한도", allowed=granted) == {"식음료 규정"}
    assert len(asked) == 1
    port = world.port(allowed=granted)
    assert [each["name"] for each in await port.collections()] == ["open"]
    assert await port.chunks([f"{hidden.id}-0"]) == []
    with pytest.raises(Failed):
        await port.text(hidden.id)


async def test_documents_of_a_person_and_a_conversation_are_theirs(tmp_path: Path):
    world = LibraryWorld(tmp_path)
    mine = await world.collection("notes", person="kim", label="personal")
    await world.put(mine, "a.md", LIMIT)
    attached = await world.engine.collection(Owner("acme", "kim"), "attachments", "personal", "s1")
    await world.put(attached, "b.md", TRAVEL)
    assert await world.found("식음료 한도 교통비", KIM) == {"식음료 규정"}
    assert await world.found("식음료 한도 교통비", KIM, session="s1") == {"식음료 규정", "여비 규정"}
    assert await world.found("식음료 한도 교통비", KIM, session="s2") == {"식음료 규정"}
    for other in (LEE, User("kim", "other")):
        assert await world.found("식음료 한도 교통비", other, session="s1") == set()
    assert not (tmp_path / "library").exists(), "few vectors need no Chroma"
    assert await world.engine.forget_session("s1") == 1
    assert await world.found("식음료 한도 교통비", KIM, session="s1") == {"식음료 규정"}


async def test_erasing_a_person_leaves_the_companys_documents(tmp_path: Path):
    world = LibraryWorld(tmp_path)
    alias = world.vault.alias(KIM)
    await world.put(await world.collection(), "a.md", LIMIT, author=alias)
    await world.put(await world.collection("notes", person="kim", label="personal"), "b.md", TRAVEL)
    assert await world.engine.erase(Owner.of(KIM)) == {"documents": 1, "authored": 1}
    world.ring.destroy_person("acme", "kim")
    assert await world.found("식음료 한도 교통비", LEE) == {"식음료 규정"}
    with world.database.reading() as connection:
        assert connection.execute("SELECT author FROM documents").fetchall() == [(None,)]
        assert connection.execute("SELECT count(*) FROM collections").fetchone() == (1,)


async def test_an_open_process_sees_what_another_adds_and_removes(tmp_path: Path):
    here, there = LibraryWorld(tmp_path), LibraryWorld(tmp_path)
    policies = await here.collection()
    await here.put(policies, "a.md", LIMIT)
    assert await here.found("교통비") <= {"식음료 규정"}
    added = await there.put(policies, "b.md", TRAVEL)
    assert added is not None
    (near, *_) = await here.port().nearest("국내 출장의 교통비")
    assert near.id.startswith(added.id)
    await here.put(policies, "c.md", TRAVEL.replace("국내", "국외"))
    await there.put(policies, "d.md", TRAVEL.replace("국내", "해외"))
    for world in (here, there):
        assert len(await world.port().nearest("출장의 교통비", limit=10)) == 4
        assert await world.engine.verify(policies) == []
    await there.engine.remove(policies, [added.id])
    assert not any(match.id.startswith(added.id) for match in await here.port().nearest("국내 출장의 교통비"))


async def test_a_collection_keeps_the_label_it_was_made_with(tmp_path: Path):
    world = LibraryWorld(tmp_path)
    await world.collection("board", label="secret")
    with pytest.raises(InputRefused, match="secret"):
        await world.collection("board", label="public")


async def test_a_collection_row_that_was_swapped_is_refused(tmp_path: Path):
    world = LibraryWorld(tmp_path)
    first, second = (
        await world.collection("open", label="public"),
        await world.collection("board", label="secret"),
    )
    with world.database.writing() as connection:
        (body,) = connection.execute("SELECT body FROM collections WHERE id = ?", (first.id,)).fetchone()
        connection.execute("UPDATE collections SET body = ? WHERE id = ?", (body, second.id))
    with pytest.raises(RowRefused):
        await world.port().collections()


async def test_a_document_moved_to_another_label_is_refused(tmp_path: Path):
    world = LibraryWorld(tmp_path)
    public, secret = (
        await world.collection("open", label="public"),
        await world.collection("board", label="secret"),
    )
    hidden = await world.put(secret, "b.md", LIMIT)
    assert hidden is not None
    with world.database.writing() as connection:
        connection.execute("UPDATE documents SET collection = ?", (public.id,))
        connection.execute("UPDATE indexed SET idx = 1")
        connection.execute("UPDATE postings SET idx = 1")

    def granted(_name: str, label: str) -> bool:
        return label == "public"

    port = world.port(allowed=granted)
    for look in (port.chunks([f"{hidden.id}-0"]), port.text(hidden.id), port.documents()):
        with pytest.raises(RowRefused):
            await look


async def test_a_row_under_a_retired_key_is_sealed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Its program had not yet looked at the key file when another one rotated and refused the old keys."""
    world, other = LibraryWorld(tmp_path), LibraryWorld(tmp_path)
    policies = await world.collection()
    monkeypatch.setattr(world.ring, "_refresh", 1e9)
    old = world.ring.newest_record("acme", None)["kid"]
    other.ring.rotate("acme")
    await SealedLibrary(other.database).refuse([old])
    added = await world.put(policies, "a.md", LIMIT)
    assert added is not None
    kids = await SealedLibrary(other.database).kids("library documents")
    assert list(kids) == [other.ring.newest_record("acme", None)["kid"]]
    assert await world.found("식음료 한도") == {"식음료 규정"}


# --- terms ------------------------------------------------------------------------------------------------

WORDS = st.sampled_from(["한도", "식음료", "규정", "meal", "limit", "ms201"])


@given(
    st.lists(st.lists(WORDS, min_size=1, max_size=12), min_size=1, max_size=12),
    st.lists(WORDS, min_size=1, max_size=4),
)
def test_stored_terms_score_as_terms_in_memory_do(
    tmp_path_factory: Any, chunks: list[list[str]], asked: list[str]
):
    database = LibraryDatabase(tmp_path_factory.mktemp("terms") / "library.db")
    key = b"k" * 32
    rows, length = packed_terms(chunks, key)
    with database.writing() as connection:
        connection.execute("PRAGMA defer_foreign_keys=ON")
        connection.execute("INSERT INTO collections VALUES ('c', 't', '', '', 'n', x'00')")
        connection.execute(
            "INSERT INTO indexes (no, collection, tokenizer, embedder, vectors, state) VALUES (1,'c','','','v','')"
        )
        connection.execute("INSERT INTO documents VALUES (1, 'd', 'c', 's', 'h', NULL, 1, '', x'00', 4)")
        connection.execute("INSERT INTO indexed VALUES (1, 1, ?, ?)", (len(chunks), length))
        insert(connection, 1, 1, rows)
    with database.reading() as connection:
        hits = TermSearch().search(connection, [Searched(1, key, len(chunks), length, 1)], asked, 100)
    expected = TermIndex({str(number): words for number, words in enumerate(chunks)}).search(asked, 100)
    assert {str(hit.chunk): pytest.approx(hit.score) for hit in hits} == {
        each.id: each.score for each in expected
    }
    database.close()


async def test_terms_on_disk_mean_nothing_without_the_key(tmp_path: Path):
    world = LibraryWorld(tmp_path)
    for company in ("acme", "other"):
        await world.put(await world.collection(company=company), "a.md", LIMIT)
    with world.database.reading() as connection:
        rows = connection.execute("SELECT idx, term FROM postings").fetchall()
    stored = [{term for idx, term in rows if idx == index} for index in {idx for idx, _ in rows}]
    assert len(stored) == 2
    assert not stored[0] & stored[1]
    guessed = {hashed(term, b"") for term in terms(LIMIT)}
    assert not guessed & (stored[0] | stored[1])


async def test_terms_kept_in_memory_are_those_of_the_newest_change(tmp_path: Path):
    here, there = LibraryWorld(tmp_path), LibraryWorld(tmp_path)
    policies = await here.collection()
    for number in range(6):
        await here.put(policies, f"other{number}.md", TRAVEL.replace("국내", f"{number}번 국내"))
    await here.put(policies, "a.md", LIMIT)
    port = here.port()
    assert len(await port.lexical(["한도"])) == 1
    added = await there.put(policies, "b.md", LIMIT.replace("숙박", "교통"))
    assert added is not None
    assert len(await port.lexical(["한도"])) == 2
    await there.engine.remove(policies, [added.id])
    assert len(await port.lexical(["한도"])) == 1
    await there.engine.rebuild(policies)
    assert len(await port.lexical(["한도"])) == 1


async def test_terms_kept_in_memory_have_a_bound(tmp_path: Path):
    world = LibraryWorld(tmp_path)
    policies = await world.collection()
    for number in range(4):
        await world.put(policies, f"{number}.md", LIMIT.replace("10만", f"{number}만"))
    world.engine.terms = TermSearch(most=2_000)
    port = world.port()
    for asked in (["한도"], ["식음료"], ["숙박"], ["제품설명회"], ["한도", "식음료", "숙박"]):
        assert len(await port.lexical(asked)) == 4
    kept = world.engine.terms._kept  # pyright: ignore[reportPrivateUsage]
    assert sum(size for _, size in kept.values()) <= 2_000


async def test_pages_of_chunks_are_looked_up_one_by_one(tmp_path: Path):
    """A search must not read the whole table: nothing but this plan would show it in a small library."""
    world = LibraryWorld(tmp_path)
    policies = await world.collection()
    added = await world.put(policies, "a.md", LIMIT)
    assert added is not None
    asked: list[str] = []
    with world.database.reading() as connection:
        connection.set_trace_callback(asked.append)
        world.engine.shelf.chosen_chunks(connection, policies, [(added, [0])])
        connection.set_trace_callback(None)
        (query,) = asked
        plan = [str(row[-1]) for row in connection.execute(f"EXPLAIN QUERY PLAN {query}")]
    assert not any("SCAN chunks" in step for step in plan)


async def test_chunks_in_larger_pages_of_an_older_library_are_read(tmp_path: Path):
    world = LibraryWorld(tmp_path)
    policies = await world.collection()
    long = "# 규정\n\n" + "\n\n".join(f"## 제{n}조\n\n{n}번째 한도입니다." for n in range(1, 40))
    with pytest.MonkeyPatch.context() as older:
        older.setattr(collection_rows, "PAGE", 16)
        old = await world.put(policies, "old.md", long)
    new = await world.put(policies, "new.md", long.replace("한도", "상한"))
    assert old is not None
    assert new is not None
    assert (old.page_size, new.page_size) == (16, collection_rows.PAGE)
    ids = [f"{document.id}-{number}" for document in (new, old) for number in (38, 0, 17, 3)]
    assert [chunk["id"] for chunk in await world.port().chunks(ids)] == ids
    assert await world.engine.verify(policies) == []


# --- embedders --------------------------------------------------------------------------------------------


class Scripted(LangChainEmbeddings):
    """Vectors of character n-grams without a key, as some server would make them; keeps what it heard."""

    def __init__(self, size: int = 512) -> None:
        self.heard: list[str] = []
        self.size = size

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.heard += texts
        return [embed(text, b"server")[: self.size] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


async def test_a_langchain_model_embeds_and_hears_no_personal_data(tmp_path: Path):
    model = Scripted()
    world = LibraryWorld(tmp_path, embedding=model, name="scripted:small")
    policies = await world.collection()
    await world.put(policies, "a.md", text_of("연락처", "김철수의 휴대폰은 010-7392-4815입니다."))
    await world.put(policies, "b.md", TRAVEL)
    (near, *_) = await world.port().nearest("국내 출장의 교통비")
    assert (await world.port().chunks([near.id]))[0]["title"] == "여비 규정"
    assert model.heard
    assert not any("7392" in text for text in model.heard)
    assert (await world.port().collections())[0]["embedder"] == "scripted:small"
    stored = world.engine.chroma.ids((await asyncio.to_thread(_serving, world, policies)).vectors)
    assert len(stored) == 2


def _serving(world: LibraryWorld, collection: Any) -> Any:
    with world.database.reading() as connection:
        return world.engine.indexes(connection, collection)[0]


async def test_vectors_of_another_embedder_are_never_compared(tmp_path: Path):
    before = LibraryWorld(tmp_path, embedding=Scripted(), name="scripted:small")
    policies = await before.collection()
    await before.put(policies, "a.md", LIMIT)
    now = LibraryWorld(tmp_path)
    assert await now.port().nearest("식음료 한도") == []
    assert [each["kind"] for each in await now.engine.verify(policies)] == ["outdated"]
    assert len(await now.port().lexical(terms("식음료 한도"))) == 1
    await now.engine.rebuild(policies)
    assert len(await now.port().nearest("식음료 한도")) == 1
    assert await now.engine.verify(policies) == []
    assert len(list((tmp_path / "library").glob("*-*-*-*-*"))) == 1, "the old vectors are gone"


@pytest.mark.parametrize("vectors", [[], [[]], [[1.0], [1.0, 2.0]], [[float("nan")]]])
async def test_a_model_that_gives_bad_vectors_is_refused(tmp_path: Path, vectors: list[list[float]]):
    model = Scripted()
    model.embed_documents = lambda texts: vectors  # pyright: ignore[reportAttributeAccessIssue]
    world = LibraryWorld(tmp_path, embedding=model, name="scripted:small")
    with pytest.raises(ModelError):
        await world.put(await world.collection(), "a.md", LIMIT)
    assert await world.port().documents() == []


async def test_the_old_index_serves_until_the_new_one_has_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    world = LibraryWorld(tmp_path)
    policies = await world.collection()
    await world.put(policies, "a.md", LIMIT)
    seen: list[set[str]] = []

    async def serving(collection: Any) -> list[Any]:
        return [_serving(world, collection)]

    swapped = world.engine._swapped  # pyright: ignore[reportPrivateUsage]

    def late(*given: Any) -> bool:
        if not seen:
            with world.engine.database.reading() as connection:
                states = [each.state for each in world.engine.indexes(connection, policies)]
            assert sorted(states) == [BUILDING, SERVING]
            seen.append(asyncio.run(world.found("식음료 교통비")))
            with monkeypatch.context() as patch:  # its program began before the new index was there
                patch.setattr(world.engine, "_current", serving)
                asyncio.run(world.put(policies, "b.md", TRAVEL))
        return swapped(*given)

    monkeypatch.setattr(world.engine, "_swapped", late)
    await world.engine.rebuild(policies)
    assert seen == [{"식음료 규정"}]
    assert await world.found("식음료 교통비") == {"식음료 규정", "여비 규정"}
    assert await world.engine.verify(policies) == []


# --- drift ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("damage", "kind"),
    [
        ("DELETE FROM indexed", "terms"),
        ("DELETE FROM chunks", "chunks"),
        ("DELETE FROM texts", "text"),
        ("UPDATE indexes SET chunks = 7", "counts"),
        ("DELETE FROM indexes", "index"),
    ],
)
async def test_drift_is_found(tmp_path: Path, damage: str, kind: str):
    world = LibraryWorld(tmp_path)
    policies = await world.collection()
    await world.put(policies, "a.md", LIMIT)
    with world.database.writing() as connection:
        connection.execute(damage)
    assert kind in {each["kind"] for each in await world.engine.verify(policies)}


async def test_missing_and_left_over_vectors_are_found_and_healed(tmp_path: Path):
    world = LibraryWorld(tmp_path)
    policies = await world.collection()
    added = await world.put(policies, "a.md", LIMIT)
    assert added is not None
    name = _serving(world, policies).vectors
    with world.chroma.writing() as client:
        world.engine.chroma.remove(client, name, [(added.id, added.chunks)])
        world.engine.chroma.put(client, name, "dstranger", [embed("x", b"")])
    assert {each["kind"] for each in await world.engine.verify(policies)} == {"vectors", "leftover"}
    await world.engine.rebuild(policies)
    assert await world.engine.verify(policies) == []


async def test_an_older_library_is_migrated_when_it_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    world = LibraryWorld(tmp_path)
    target = await world.collection()
    await world.put(target, "a.md", text_of("규정", "식음료 한도는 10만 원입니다."))
    world.database.close()

    def noted(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE added_later (value TEXT)")

    steps, known = migrations.LIBRARY.steps, migrations.LIBRARY.newest
    step = Migration(Text(en="a table more", ko="표 하나 더"), noted)
    monkeypatch.setattr(migrations.LIBRARY, "steps", [*steps, step])
    settings = load_settings(env={}, overrides={"data_dir": tmp_path})
    (told,) = read_formats(settings).formats
    assert (told.found, told.newest) == (known, known + 1)
    later = LibraryWorld(tmp_path)
    assert await later.found("식음료 한도") == {"규정"}
    with later.database.reading() as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (known + 1,)
        assert connection.execute("SELECT * FROM added_later").fetchall() == []
    later.database.close()
    monkeypatch.setattr(migrations.LIBRARY, "steps", steps)
    with pytest.raises(NewerSchema):
        await LibraryWorld(tmp_path).collection()


async def test_a_library_without_sizes_of_pages_gets_them(tmp_path: Path):
    world = LibraryWorld(tmp_path)
    policies = await world.collection()
    with pytest.MonkeyPatch.context() as older:
        older.setattr(collection_rows, "PAGE", 16)
        await world.put(policies, "a.md", LIMIT)
    with world.database.writing() as connection:
        connection.execute("ALTER TABLE documents DROP COLUMN page_size")
        connection.execute("PRAGMA user_version=1")
    world.database.close()
    later = LibraryWorld(tmp_path)
    assert await later.found("식음료 한도") == {"식음료 규정"}
    assert await later.engine.verify(policies) == []
