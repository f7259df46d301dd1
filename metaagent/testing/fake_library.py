"""A library in memory: documents of a few paragraphs, searched by the same measures as the real one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from math import log

from metaagent.errors import Failed
from metaagent.knowledge.terms import tokenizer
from metaagent.memory.embedding import embed
from metaagent.ports import Json, Match

SATURATION, LENGTH = 1.2, 0.75
"""The constants of BM25: how soon a repeated term counts no more, and how much a long chunk is marked down."""


def _words(text: str) -> list[str]:
    return text.casefold().split()


class FakeLibrary:
    """`documents` are Markdown texts by title, in one collection: a paragraph is a chunk, a line that begins with `#` the
    heading of those below it. `tokens` makes terms of a text, as whoever searches makes them of a question."""

    def __init__(
        self,
        documents: Mapping[str, str] | None = None,
        *,
        name: str = "documents",
        label: str = "internal",
        owner: str = "company",
        tokens: Callable[[str], Iterable[str]] = _words,
    ) -> None:
        self.texts: dict[str, str] = {}
        self.known: dict[str, Json] = {}
        self._collection = {"id": f"c-{name}", "name": name, "label": label, "owner": owner}
        self._tokens = tokens
        for title, text in (documents or {}).items():
            self.put(title, text)

    def put(self, title: str, text: str, **facts: object) -> str:
        """Add a document; `facts` go into each of its chunks (valid_from, aliases, ...). Returns its id."""
        document = f"d{len(self.texts) + 1}"
        self.texts[document] = text
        heading: tuple[str, ...] = ()
        at = number = 0
        for block in text.split("\n\n"):
            start = text.index(block, at)
            at = start + len(block)
            if block.startswith("#"):
                depth = len(block) - len(block.lstrip("#"))
                heading = (*heading[: depth - 1], block.lstrip("# ").strip())
            elif block.strip():
                self._add(document, title, number, (start, at), heading, facts)
                number += 1
        return document

    def _add(
        self,
        document: str,
        title: str,
        number: int,
        span: tuple[int, int],
        heading: tuple[str, ...],
        facts: Mapping[str, object],
    ) -> None:
        text = self.texts[document][slice(*span)]
        self.known[f"{document}-{number}"] = {
            "id": f"{document}-{number}",
            "document_id": document,
            "collection": self._collection["id"],
            "label": self._collection["label"],
            "title": title,
            "source": f"{title}.md",
            "media_type": "text/markdown",
            "number": number,
            "text": text,
            "start": span[0],
            "end": span[1],
            "heading": list(heading),
            "place": {"heading": " > ".join(heading)},
            "aliases": [],
            "language": "ko" if any("가" <= mark <= "힣" for mark in text) else "en",
            "valid_from": None,
            "valid_to": None,
            "sha256": sha256(text.encode()).hexdigest(),
            **facts,
        }

    async def collections(self) -> list[Json]:
        counts = {"documents": len(self.texts), "chunks": len(self.known), "generation": 1}
        return (
            [{**self._collection, "embedder": "ngrams:1", "tokenizer": tokenizer(), **counts}]
            if self.texts
            else []
        )

    async def lexical(self, terms: Sequence[str], *, limit: int = 50) -> list[Match]:
        bags = {key: Counter(self._tokens(_searched(chunk))) for key, chunk in self.known.items()}
        mean = sum(bag.total() for bag in bags.values()) / max(1, len(bags))
        scores: dict[str, float] = {}
        for term in set(terms):
            having = {key: bag for key, bag in bags.items() if term in bag}
            rarity = log(1 + (len(bags) - len(having) + 0.5) / (len(having) + 0.5))
            for key, bag in having.items():
                long = 1 - LENGTH + LENGTH * bag.total() / mean
                earned = rarity * bag[term] * (SATURATION + 1) / (bag[term] + SATURATION * long)
                scores[key] = scores.get(key, 0.0) + earned
        return self._best(scores, limit)

    async def nearest(self, text: str, *, limit: int = 50) -> list[Match]:
        wanted = embed(text, b"")
        scores = {
            key: sum(a * b for a, b in zip(wanted, embed(_searched(chunk), b""), strict=True))
            for key, chunk in self.known.items()
        }
        return self._best(scores, limit)

    async def chunks(self, ids: Sequence[str]) -> list[Json]:
        return [dict(self.known[key]) for key in ids if key in self.known]

    async def text(self, document_id: str, start: int = 0, end: int | None = None) -> str:
        if document_id not in self.texts:
            raise Failed(f"there is no document {document_id!r}")
        return self.texts[document_id][start:end]

    async def headings(self, terms: Sequence[str], *, limit: int = 5) -> list[Json]:
        wanted, best = set(terms), dict[tuple[str, ...], Json]()
        for chunk in self.known.values():
            named = (chunk["title"], *chunk["heading"])
            shared = len(wanted & set(self._tokens(" ".join(named))))
            told = {name: chunk[name] for name in ("document_id", "title", "heading", "place")}
            best.setdefault(named, {**told, "score": shared / max(1, len(wanted))})
        return sorted(best.values(), key=lambda each: -each["score"])[:limit]

    def _best(self, scores: Mapping[str, float], limit: int) -> list[Match]:
        order = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]
        return [Match(key, "", score, {"collection": self._collection["id"]}) for key, score in order]


def _searched(chunk: Mapping[str, object]) -> str:
    """The words that find a chunk: its title, headings and aliases as well as its text."""
    named = [chunk["title"], *_texts(chunk["heading"]), *_texts(chunk["aliases"]), chunk["text"]]
    return "\n".join(map(str, named))


def _texts(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else []  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
