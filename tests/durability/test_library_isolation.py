"""Two companies, three labels, four roles: nobody finds what is foreign, and nobody what was removed, while both ingest and
delete."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from metaagent.access.rights import policies_of, rights_of
from metaagent.config import Access
from metaagent.knowledge.terms import terms
from metaagent.ports import User
from metaagent.storage.library.collection_rows import Collection
from tests.support.library_world import LibraryWorld, text_of

LABELS = ("public", "internal", "confidential")
ROLES = {
    "guest": {"collections": ["public"]},
    "staff": {"collections": ["public", "internal"]},
    "director": {"collections": ["*"]},
    "outsider": {"collections": []},
}
COMPANIES = ("acme", "other")
WORDS = ("한도", "식음료", "교통비", "규정", "limit", "visit", "제7조", "계약")


class Bustle:
    """Writers that add and remove documents, and what is there by title. A title says whose it is."""

    def __init__(self, world: LibraryWorld, seed: int) -> None:
        self.world = world
        self.chance = random.Random(seed)
        self.there: dict[str, tuple[Collection, str]] = {}
        self.removed: set[str] = set()
        self.number = 0

    async def step(self, collections: list[Collection]) -> None:
        target = self.chance.choice(collections)
        mine = [title for title, (kept, _) in self.there.items() if kept.id == target.id]
        if len(mine) > 6 or (mine and self.chance.random() < 0.4):
            title = self.chance.choice(mine)
            _, document = self.there.pop(title)
            await self.world.engine.remove(target, [document])
            self.removed.add(title)
            return
        self.number += 1
        title = f"{target.owner.company_id}/{target.label}/{self.number}"
        words = self.chance.choices(WORDS, k=5)
        added = await self.world.put(target, f"{title}.md", text_of(title, f"{' '.join(words)} {title}"))
        assert added is not None
        self.there[title] = (target, added.id)


async def hits_on(world: LibraryWorld, user: User, question: str) -> list[str]:
    rights = rights_of(policies_of(Access.model_validate({"policies": ROLES})), user)
    port = world.port(user, rights.searches)
    found = [*await port.lexical(terms(question)), *await port.nearest(question)]
    return [chunk["title"] for chunk in await port.chunks([match.id for match in found])]


def is_foreign(title: str, user: User) -> bool:
    company, label, _ = title.split("/")
    allowed = ROLES[user.roles[0]]["collections"]
    return company != user.company_id or not {label, "*"} & set(allowed)


async def searched(folder: Path, queries: int) -> tuple[int, int, int]:
    """Hits, foreign ones, and ones on what had been removed before the question was asked."""
    world = LibraryWorld(folder)
    collections = [await world.collection(label, company, label) for company in COMPANIES for label in LABELS]
    bustle = Bustle(world, 7)
    for _ in range(12):
        await bustle.step(collections)
    chance, hits, foreign, gone = random.Random(8), 0, 0, 0
    asked, done = 0, False

    async def write() -> None:
        while not done:
            await bustle.step(collections)

    writer = asyncio.create_task(write())
    try:
        while asked < queries:
            user = User("kim", chance.choice(COMPANIES), (chance.choice(list(ROLES)),))
            question = " ".join(chance.choices(WORDS, k=3))
            removed = set(bustle.removed)
            found = await hits_on(world, user, question)
            hits += len(found)
            foreign += sum(is_foreign(title, user) for title in found)
            gone += sum(title in removed for title in found)
            asked += 1
    finally:
        done = True
        await writer
    return hits, foreign, gone


async def test_nobody_finds_what_is_foreign_or_removed(tmp_path: Path):
    hits, foreign, gone = await searched(tmp_path, 60)
    assert hits > 60
    assert (foreign, gone) == (0, 0)


@pytest.mark.soak
@pytest.mark.timeout(3600)  # each question waits for a writer that never rests
async def test_ten_thousand_questions_find_nothing_foreign_or_removed(tmp_path: Path):
    hits, foreign, gone = await searched(tmp_path, 10_000)
    assert hits > 10_000
    assert (foreign, gone) == (0, 0)
