"""The answer of a search: sentences with citations, each of which stands where it says. Pure but for reading the kept text."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from metaagent.errors import AgentSignal, MetaAgentError, Text
from metaagent.knowledge.chunks import Chunk, place
from metaagent.knowledge.korean import Analyser
from metaagent.knowledge.terms import terms
from metaagent.level2.retrieval.passages import Passage
from metaagent.level2.retrieval.sentences import Sentence
from metaagent.ports import Library

Json = dict[str, Any]
_BRACKETED = re.compile(r"\[(\d{1,3})\]")
_CONTRADICTION = Text(
    en="The documents do not agree:",
    ko="문서마다 다르게 적혀 있습니다:",
)
_FROM = Text(en="valid from {day}", ko="{day}부터 시행")
_UNTIL = Text(en="valid until {day}", ko="{day}까지 시행")
_UNDATED = Text(en="no date", ko="날짜 없음")
LEAST_AMOUNT = 5_000
ALIKE = 0.5
"""The share of common terms, figures left aside, from which two sentences speak of the same thing."""


@dataclass(frozen=True)
class Line:
    """A sentence of the answer with the number of its citation."""

    text: str
    n: int
    passage: Passage
    sentence: Sentence


@dataclass
class Draft:
    """Everything that can be said, each sentence checked against the kept text; `dropped` counts those that failed."""

    lines: list[Line] = field(default_factory=list[Line])
    citations: list[Json] = field(default_factory=list[Json])
    dropped: int = 0

    async def add(self, passage: Passage, sentence: Sentence, library: Library) -> None:
        cited = await citation(len(self.citations) + 1, passage.chunk, sentence, library)
        if cited is None:
            self.dropped += 1
            return
        known = next((c for c in self.citations if _same_place(c, cited)), None)
        if known is None:
            self.citations.append(cited)
        said = _BRACKETED.sub(r"(\1)", sentence.shown)  # a mark of the document's own is none of ours
        self.lines.append(Line(" ".join(said.split()), (known or cited)["n"], passage, sentence))


def _same_place(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(one[key] == other[key] for key in ("document_id", "start", "end"))


async def citation(n: int, chunk: Mapping[str, Any], sentence: Sentence, library: Library) -> Json | None:
    """Cite a sentence, if it stands in the kept text of the document; None if it does not."""
    document = str(chunk["document_id"])
    try:
        kept = await library.text(document, int(chunk["start"]), int(chunk["end"]))
    except (MetaAgentError, AgentSignal):
        return None  # removed since it was found
    quote = sentence.text
    at = kept.find(quote, sentence.start) if kept[sentence.start :].startswith(quote) else kept.find(quote)
    if at < 0:
        return None
    start = int(chunk["start"]) + at
    return {
        "n": n,
        "document_id": document,
        "title": str(chunk["title"]),
        "place": _place(chunk, start),
        "start": start,
        "end": start + len(quote),
        "quote": quote,
        "sha256": hashlib.sha256(quote.encode()).hexdigest(),
    }


_CHUNK = frozenset(field.name for field in fields(Chunk))


def _place(chunk: Mapping[str, Any], at: int) -> Json:
    """The place of an offset, row and paragraph included, where the chunk tells enough; else that of the chunk."""
    own = {name: chunk[name] for name in _CHUNK if name in chunk}
    return place(Chunk.from_json(own), at) if len(own) == len(_CHUNK) else dict(chunk["place"])


def worded(draft: Draft, analyser: Analyser, language: str) -> str:
    """Say the sentences in order, under their headings where several passages speak; what contradicts each other stands
    side by side with its dates."""
    groups = _by_passage(draft.lines)
    said: list[str] = []
    against = contradicting(draft.lines, analyser)
    if against:
        said.append(_CONTRADICTION.say(language))
        said += [f"- {dated(line.passage.chunk, language)}: {line.text} [{line.n}]" for line in against]
    rest = [[line for line in group if line not in against] for group in groups]
    rest = [group for group in rest if group]
    for group in rest:
        if len(groups) > 1:
            said.append(f"{place_name(group[0].passage.chunk)}")
        said += [
            f"{'- ' if len(groups) > 1 or len(group) > 1 else ''}{line.text} [{line.n}]" for line in group
        ]
    return "\n".join(said)


def _by_passage(lines: Sequence[Line]) -> list[list[Line]]:
    groups: dict[str, list[Line]] = {}
    for line in lines:
        groups.setdefault(line.passage.id, []).append(line)
    return list(groups.values())


def place_name(chunk: Mapping[str, Any]) -> str:
    return " › ".join(dict.fromkeys([str(chunk["title"]), *map(str, chunk["heading"])]))


def dated(chunk: Mapping[str, Any], language: str) -> str:
    """A document by its title and the dates that it gives itself."""
    dates = [
        text.say(language, day=chunk[key])
        for key, text in (("valid_from", _FROM), ("valid_to", _UNTIL))
        if chunk.get(key)
    ]
    return f"{chunk['title']} ({', '.join(dates) or _UNDATED.say(language)})"


def contradicting(lines: Sequence[Line], analyser: Analyser) -> list[Line]:
    """Find sentences of different documents that speak of the same thing with other figures, the newest first."""
    found: list[Line] = []
    for at, line in enumerate(lines):
        for other in lines[at + 1 :]:
            apart = line.passage.chunk["document_id"] != other.passage.chunk["document_id"]
            if apart and disagree(line.text, other.text, analyser):
                found += [each for each in (line, other) if each not in found]
    return sorted(found, key=lambda line: str(line.passage.chunk.get("valid_from") or ""), reverse=True)


def disagree(one: str, other: str, analyser: Analyser) -> bool:
    """Say whether two sentences speak of the same thing with other figures: most words are in both, and each has a figure
    that the other lacks. Numbers of articles and times beside the same amounts are no disagreement."""
    (words, figures), (others, other_figures) = _split(one, analyser), _split(other, analyser)
    amounts, other_amounts = (
        {each for each in found if _is_amount(each)} for found in (figures, other_figures)
    )
    if amounts and other_amounts and (amounts <= other_amounts or other_amounts <= amounts):
        return False
    alike = len(words & others) >= ALIKE * max(1, len(words | others))
    return alike and bool(figures - other_figures) and bool(other_figures - figures)


def _is_amount(figure: str) -> bool:
    """Say whether a figure is as large as amounts of money are: 50000, and neither 14 nor 2025."""
    return figure.replace(".", "").isdigit() and float(figure) >= LEAST_AMOUNT


def _split(text: str, analyser: Analyser) -> tuple[set[str], set[str]]:
    every = set(terms(text, analyser))
    figures = {term for term in every if term[0].isdigit()}
    return every - figures, figures


SUPPORTED = 0.6
"""The share of a worded sentence's terms that its quotes must have."""


def supported(text: str, citations: Sequence[Mapping[str, Any]], analyser: Analyser) -> tuple[list[str], int]:
    """Keep the sentences of a wording that cite and that their quotes bear out: every figure, and most terms. The number of
    sentences that were dropped comes with them."""
    quotes = {int(c["n"]): frozenset(terms(_bearing(c), analyser)) for c in citations}
    kept: list[str] = []
    dropped = 0
    for sentence in re.split(r"(?<=\])\s+|\n+", text.strip()):
        if not sentence.strip():
            continue
        marks = [int(number) for number in _BRACKETED.findall(sentence)]
        own = terms(_BRACKETED.sub(" ", sentence), analyser)
        borne = frozenset[str]().union(*(quotes[n] for n in marks if n in quotes))
        figures = [term for term in own if any(char.isdigit() for char in term)]
        shared = sum(term in borne for term in own)
        known = bool(marks) and all(n in quotes for n in marks)
        if known and own and set(figures) <= borne and shared >= SUPPORTED * len(own):
            kept.append(sentence.strip())
        else:
            dropped += 1
    return kept, dropped


def _bearing(cited: Mapping[str, Any]) -> str:
    return "\n".join([cited["title"], str(cited["place"].get("heading", "")), cited["quote"]])
