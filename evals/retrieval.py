"""Scores of retrieval: questions with the place that answers them, over documents that are read and cut as ingestion does it:
`python -m evals.retrieval`, with the folder of the statutes as an argument where it is there.

Four ways are compared: BM25 over words between spaces, BM25 over morphemes and stems, vectors alone, and the shipped ranking.
hit@k is the share of questions with a right passage among the first k, MRR the mean of 1 / its place (0 beyond 50).
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from evals.term_index import TermIndex
from metaagent.knowledge.chunks import chunked, place, searched_text
from metaagent.knowledge.reading import extract
from metaagent.knowledge.terms import terms
from metaagent.level1.query_analyzer import Domain, SemanticVocabulary, load_domain
from metaagent.level1.query_analyzer.words.search_words import everyday, scene, synonyms
from metaagent.level1.query_analyzer.words.source import read
from metaagent.level2.retrieval.passages import Passage, chosen, ranked
from metaagent.level2.retrieval.queries import Asking, asking_of
from metaagent.level2.retrieval.sources import documents_for
from metaagent.memory.embedding import embed
from metaagent.ports import Json, Match

WAYS = ("whitespace", "morphemes", "vectors", "fusion")
KEY = b"evaluation"
ROOT = Path(__file__).parent.parent
KNOWLEDGE = ROOT / "configs" / "domains" / "pharma" / "knowledge"


class MemoryLibrary:
    """Documents in memory behind the port `library`, read and cut as ingestion does it."""

    def __init__(self, files: Mapping[str, bytes], collection: str = "knowledge") -> None:
        """Take the contents by file name."""
        self.texts: dict[str, str] = {}
        self.known: dict[str, Json] = {}
        for name, content in files.items():
            self._read(name, content, collection)
        self._terms = TermIndex({key: terms(searched_text(chunk)) for key, chunk in self.known.items()})
        self._keys = list(self.known)
        vectors = [embed(searched_text(chunk), KEY) for chunk in self.known.values()]
        self._vectors = np.array(vectors, dtype=np.float32)

    def _read(self, name: str, content: bytes, collection: str) -> None:
        extracted = extract(name, content)
        self.texts[name] = extracted.text
        for chunk in chunked(extracted, title=extracted.title):
            self.known[f"{name}#{chunk.number}"] = {
                **chunk.as_json(),
                "id": f"{name}#{chunk.number}",
                "document_id": name,
                "collection": collection,
                "label": "internal",
                "title": extracted.title,
                "source": name,
                "media_type": extracted.media_type,
                "heading": list(chunk.heading),
                "place": place(chunk),
                "aliases": list(chunk.aliases),
                "valid_from": extracted.valid_from,
                "valid_to": extracted.valid_to,
            }

    async def collections(self) -> list[Json]:
        return [{"id": "c", "name": "knowledge", "documents": len(self.texts), "chunks": len(self.known)}]

    async def lexical(self, terms: Sequence[str], *, limit: int = 50) -> list[Match]:
        return self._terms.search(terms, limit)

    async def nearest(self, text: str, *, limit: int = 50) -> list[Match]:
        scores = self._vectors @ np.array(embed(text, KEY), dtype=np.float32)
        best = np.argsort(-scores)[:limit]
        return [Match(self._keys[at], "", float(scores[at])) for at in best]

    async def chunks(self, ids: Sequence[str]) -> list[Json]:
        return [dict(self.known[key]) for key in ids if key in self.known]

    async def text(self, document_id: str, start: int = 0, end: int | None = None) -> str:
        return self.texts[document_id][start:end]

    async def headings(self, terms: Sequence[str], *, limit: int = 5) -> list[Json]:
        found = [self.known[match.id] for match in self._terms.search(terms, limit)]
        return [{**chunk, "score": 1.0} for chunk in found]


@dataclass(frozen=True)
class Case:
    """A question, and whether a chunk answers it. `kind` is `alike`, `paraphrase` or `unanswerable`."""

    id: str
    question: str
    language: str
    kind: str
    split: str
    right: Callable[[Mapping[str, Any]], bool]


def cases_of(file: Path) -> list[Case]:
    """Questions with a document and a piece of text that the right passage has; unanswerable ones have neither."""
    data = yaml.safe_load(file.read_text("utf-8"))
    return [
        Case(
            item["id"],
            item["q"],
            item.get("lang", "ko"),
            item.get("kind", "alike"),
            item.get("split", "test"),
            _has_article(item["law"], item["article"]) if "article" in item else _has_text(item),
        )
        for item in data["cases"]
    ]


def _has_text(item: Mapping[str, Any]) -> Callable[[Mapping[str, Any]], bool]:
    places: list[tuple[str, str]] = [(str(document), str(piece)) for document, piece in item.get("any") or ()]

    def right(chunk: Mapping[str, Any]) -> bool:
        flat = " ".join(f"{chunk['text']}".split())
        return any(chunk["document_id"] == document and piece in flat for document, piece in places)

    return right


def _has_article(law: str, article: str) -> Callable[[Mapping[str, Any]], bool]:
    def right(chunk: Mapping[str, Any]) -> bool:
        base = str(chunk.get("article") or "").split("제", 2)
        return law in str(chunk["document_id"]) and "제" + (base[1] if len(base) > 1 else "") == article

    return right


@cache
def _domain() -> Domain:
    return load_domain(ROOT / "configs" / "domains" / "pharma")


def request_for(question: str) -> Json:
    """The part of the analysis that a search uses: other words of the domain."""
    source, domain = read(question), _domain()
    others = [*everyday(source, domain), *synonyms(source, domain, SemanticVocabulary())]
    return {"search": {"synonyms": others, "scene": scene(source, domain)}}


class Whitespace:
    """BM25 over the words between spaces: what a search without any knowledge of Korean does."""

    def __init__(self, library: MemoryLibrary) -> None:
        self._index = TermIndex({key: _words(searched_text(c)) for key, c in library.known.items()})

    def search(self, question: str) -> list[str]:
        return [match.id for match in self._index.search(_words(question))]


def _words(text: str) -> list[str]:
    return [word.strip(".,?!:;()[]\"'") for word in text.lower().split()]


async def orders(case: Case, library: MemoryLibrary, request: Mapping[str, Any]) -> dict[str, list[str]]:
    """The ids that each way but `whitespace` finds, the best first."""
    asking = asking_of(case.question, request, case.language, "mecab")
    lexical = await library.lexical(asking.terms)
    nearest = await library.nearest(case.question)
    return {
        "morphemes": [match.id for match in lexical],
        "vectors": [match.id for match in nearest],
        "fusion": [passage.id for passage in await shipped(asking, library)],
    }


async def shipped(asking: Asking, library: MemoryLibrary) -> list[Passage]:
    """Rank as the agent does."""
    found = await documents_for(asking, library)
    return ranked(asking, found.chunks, found.scores, "mecab", found.total)


async def is_answered(case: Case, library: MemoryLibrary, request: Mapping[str, Any]) -> bool:
    """Say whether the agent would answer at all."""
    asking = asking_of(case.question, request, case.language, "mecab")
    return bool(chosen(await shipped(asking, library), asking))


def scores(places: Iterable[int | None]) -> Json:
    """hit@1, hit@5 and MRR of the places (from 1; None: not found) at which right passages stand."""
    found = list(places)
    count = max(1, len(found))
    return {
        "hit@1": round(sum(place == 1 for place in found) / count, 3),
        "hit@5": round(sum(place is not None and place <= 5 for place in found) / count, 3),
        "mrr": round(sum(1 / place for place in found if place) / count, 3),
        "count": len(found),
    }


def place_of(order: Sequence[str], library: MemoryLibrary, case: Case) -> int | None:
    return next((at for at, key in enumerate(order, 1) if case.right(library.known[key])), None)


def read_folder(folder: Path) -> dict[str, bytes]:
    """The contents of every Markdown file below a folder, by its path."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*.md"))}


@dataclass(frozen=True)
class Outcome:
    """One question: at which place each way finds a right passage, and whether the agent would answer at all."""

    case: Case
    places: Mapping[str, int | None]
    answered: bool


async def outcomes(cases: Sequence[Case], library: MemoryLibrary) -> list[Outcome]:
    whitespace = Whitespace(library)
    found: list[Outcome] = []
    for case in cases:
        request = request_for(case.question)
        order = {"whitespace": whitespace.search(case.question), **await orders(case, library, request)}
        places = {way: place_of(order[way], library, case) for way in WAYS}
        found.append(Outcome(case, places, await is_answered(case, library, request)))
    return found


def table(found: Sequence[Outcome]) -> list[str]:
    """Rows of hit@1, hit@5 and MRR for each kind of question and way, as Markdown."""
    groups: dict[str, list[Outcome]] = {}
    for each in found:
        if each.case.kind != "unanswerable":
            groups.setdefault(f"{each.case.language}, {each.case.kind}", []).append(each)
    lines = ["| questions | way | hit@1 | hit@5 | MRR |", "|---|---|---|---|---|"]
    for name, members in groups.items():
        for way in WAYS:
            score = scores(each.places[way] for each in members)
            figures = " | ".join(f"{score[key]:.2f}" for key in ("hit@1", "hit@5", "mrr"))
            lines.append(f"| {name} ({len(members)}) | {way} | {figures} |")
    return lines


def told(found: Sequence[Outcome], kind: str) -> tuple[int, int]:
    """How many questions of a kind are told that nothing answers them, and how many there are."""
    members = [each for each in found if each.case.kind == kind]
    return sum(not each.answered for each in members), len(members)


def main() -> None:
    found = asyncio.run(
        outcomes(cases_of(ROOT / "evals" / "retrieval.yaml"), MemoryLibrary(read_folder(KNOWLEDGE)))
    )
    lines = table(found)
    for split in ("dev", "test"):
        lines += ["", f"{split}:", *table([each for each in found if each.case.split == split])]
    for kind in ("unanswerable", "alike", "paraphrase"):
        lines.append("{} of {} {} questions are told that nothing answers".format(*told(found, kind), kind))
    if sys.argv[1:]:
        laws = MemoryLibrary(read_folder(Path(sys.argv[1])))
        cases = cases_of(ROOT / "evals" / "retrieval_laws.yaml")
        lines += ["", "statutes:", *table(asyncio.run(outcomes(cases, laws)))]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
