"""Chooses the passages that answer: ranked anew by what they have of the question, duplicates folded, one for each part. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

from metaagent.knowledge.korean import Analyser
from metaagent.knowledge.ranking import ENOUGH, FEWEST, Word, rarity, same_text, share, word_weights
from metaagent.knowledge.terms import terms
from metaagent.language.patterns import regex
from metaagent.level2.retrieval.answerable import MOST_RIVALS, answers_first
from metaagent.level2.retrieval.fact_kinds import fit
from metaagent.level2.retrieval.queries import Asking
from metaagent.level2.retrieval.sentences import Sentence, sentences

Json = dict[str, Any]
RANKED = 35
"""Chunks that are read and ranked anew, of those that the searches found."""
MOST_PASSAGES = 4
OPENING = 2
"""Sentences of each passage that an overview of a file says."""
MOST_OPENINGS = 8
GAIN = 0.15
"""The relevance that a further passage must add by words that those before it lack."""
EXACT = 1.0
"""Added for each article that the question names and the passage is, and for each code that it has: those come first."""
MIX = (0.8, 1.0, 0.3, 0.5)
"""The weights of the fused score, of the relevance, of the relevance of title and headings alone, and of the relevance of the
best sentence."""


SAID = 0.5
"""The weight of the share of the question's words that the passage itself says, where any passage says them: what stands in
the title of a whole document, or is only meant by a synonym, finds every passage of it alike."""
FITS = 0.2
"""Added where the sentence that has most of the question states the kind of fact that is asked for: an amount, a time."""
OWN_LANGUAGE = 0.3
"""Added to passages in the language of the question, before the same said in another."""
TRANSITIONAL = 0.3
"""Taken off supplementary provisions: they say from when on an article holds, and repeat its words."""
_SUPPLEMENT = "부칙"


@dataclass(frozen=True)
class Said:
    """A sentence of a passage, with the part of each word of the question that it has, its nearest heading included."""

    sentence: Sentence
    had: tuple[float, ...]


@dataclass(frozen=True)
class Passage:
    """A chunk that was found, with what it has of the question."""

    chunk: Json
    fused: float
    bag: frozenset[str]
    had: tuple[float, ...]
    named: tuple[float, ...]
    """The part of each word that title and headings have."""
    said: tuple[bool, ...] = ()
    """True for each word that stands whole in the text or its nearest heading."""
    sentences: tuple[Said, ...] = ()
    relevance: float = 0.0
    score: float = 0.0
    copies: tuple[Json, ...] = field(default=())
    """Chunks of the same text in other places."""

    @property
    def id(self) -> str:
        return str(self.chunk["id"])

    @cached_property
    def figures(self) -> frozenset[str]:
        """Its terms with a digit, which near-duplicates share to the last."""
        return frozenset(term for term in self.bag if not term.isalpha())


def ranked(
    asking: Asking, chunks: Sequence[Json], fused: Mapping[str, float], analyser: Analyser, total: int = 0
) -> list[Passage]:
    """Rank chunks by their relevance and their fused score; articles and codes that the question names come first."""
    if not chunks or not asking.words:
        return []
    read = [_read(chunk, analyser) for chunk in chunks]
    words = asking.words
    passages = [_passage(words, each, fused.get(str(each.chunk["id"]), 0.0)) for each in read]
    weights = word_weights([passage.had for passage in passages], total, words)
    rare = _said_weights(passages, total)
    scored = [_scored(passage, asking, (weights, rare)) for passage in passages]
    return _folded(sorted(scored, key=lambda passage: (-passage.score, -passage.fused, passage.id)))


@dataclass(frozen=True)
class Read:
    """A chunk as terms: those of title and headings, of its nearest heading, of each sentence, and of everything."""

    chunk: Json
    names: frozenset[str]
    near: frozenset[str]
    cut: tuple[tuple[Sentence, frozenset[str]], ...]
    bag: frozenset[str]


def _read(chunk: Json, analyser: Analyser) -> Read:
    headings = [_named_terms(str(each), analyser) for each in chunk["heading"]]
    names = _named_terms(str(chunk["title"]), analyser).union(*headings)
    cut = tuple((each, _terms_of(each.shown, analyser)) for each in _worth_saying(chunk))
    other = [str(each) for each in (*chunk["aliases"], chunk.get("head")) if each]
    bag = names.union(*(own for _, own in cut), *(_named_terms(each, analyser) for each in other))
    return Read(chunk, names, headings[-1] if headings else frozenset(), cut, bag)


_WRITTEN = regex(r"(?<![가-힣])[가-힣]{2,}(?![가-힣])")


def _terms_of(text: str, analyser: Analyser) -> frozenset[str]:
    """The terms of a sentence and its words as they are written: where no particle follows, an analyser may take the end of a
    noun for one (사용상 주의: as 주 + 의)."""
    return frozenset((*terms(text, analyser), *_WRITTEN.findall(text)))


def _passage(words: Sequence[Word], read: Read, fused: float) -> Passage:
    had, named = (tuple(word.had_by(found) for word in words) for found in (read.bag, read.names))
    own = read.near.union(*(bag for _, bag in read.cut))
    said = tuple(word.terms[-1] in own for word in words)
    cut = tuple(Said(each, tuple(word.had_by(bag) for word in words)) for each, bag in read.cut)
    return Passage(read.chunk, fused, bag=read.bag, had=had, named=named, said=said, sentences=cut)


@lru_cache(2_000)
def _named_terms(name: str, analyser: Analyser) -> frozenset[str]:
    """The terms of a title or a heading, which many chunks share."""
    return frozenset(terms(name, analyser))


def _said_weights(passages: Sequence[Passage], total: int) -> list[float]:
    """Weigh each word by how few passages say it themselves; a word that none says weighs nothing."""
    chunks = max(len(passages), total, FEWEST)
    counts = [sum(column) for column in zip(*(passage.said for passage in passages), strict=True)]
    return [rarity(count, chunks) if count else 0.0 for count in counts]


def _scored(passage: Passage, asking: Asking, weighed: tuple[Sequence[float], Sequence[float]]) -> Passage:
    weights, rare = weighed
    relevance, heading = share(weights, passage.had), share(weights, passage.named)
    shares = [share(weights, each.had) for each in passage.sentences]
    best = max(shares, default=0.0)
    parts = zip(MIX, (passage.fused, relevance, heading, best), strict=True)
    score = sum(weight * value for weight, value in parts)
    score += EXACT * sum(_named(word, passage) for word in asking.words)
    if relevance >= ENOUGH:
        score += SAID * share(rare, passage.said)
        score += (
            FITS
            * max(
                fit(each.sentence.text, asking.wants)
                for each, share in zip(passage.sentences, shares, strict=True)
                if share == best
            )
            if best
            else 0.0
        )
    if passage.chunk.get("language") == asking.language:
        score += OWN_LANGUAGE
    if str(passage.chunk["place"].get("article") or "").startswith(_SUPPLEMENT):
        score -= TRANSITIONAL
    return replace(passage, relevance=round(relevance, 4), score=round(score, 4))


def _named(word: Word, passage: Passage) -> int:
    """Count whether the passage is the article that the word names, and its paragraph; or has the code that it is."""
    if not word.exact:
        return 0
    if _is_article(word):
        own = terms(str(passage.chunk["place"].get("article") or ""))
        return sum(own[:2][at : at + 1] == [term] for at, term in enumerate(word.terms))
    return int(any(char.isalpha() for char in word.terms[-1]) and word.terms[-1] in passage.bag)


def _folded(passages: Sequence[Passage]) -> list[Passage]:
    """Fold near-duplicates into the first of them."""
    kept: list[Passage] = []
    for passage in passages:
        at = next((n for n, first in enumerate(kept) if _same(first, passage)), None)
        if at is None:
            kept.append(passage)
        else:
            kept[at] = replace(kept[at], copies=(*kept[at].copies, passage.chunk))
    return kept


def _same(one: Passage, other: Passage) -> bool:
    if one.chunk["sha256"] == other.chunk["sha256"]:
        return True
    if one.chunk["document_id"] == other.chunk["document_id"] or one.figures != other.figures:
        return False
    return same_text(one.bag, other.bag)


def chosen(passages: Sequence[Passage], asking: Asking) -> list[Passage]:
    """Choose the best passage, and more where they have parts of the question that those before them lack."""
    if not passages:
        return []
    if passages[0].relevance < ENOUGH:
        return _joined(passages, asking) if asking.joins else []
    passages = answers_first(passages, asking)
    if not passages:
        return []
    if whole := _whole_article(passages, asking):
        return whole
    picked = [passages[0]]
    weights = _shares(passages, asking.words)
    covered = list(passages[0].had)
    about = [passage for passage in passages if _is_about(passage, asking.words)]
    for _ in range(MOST_PASSAGES - 1):
        gains = [(_gain(passage, covered, weights), passage) for passage in about if passage not in picked]
        gain, best = max(gains, key=lambda pair: (pair[0], pair[1].score), default=(0.0, None))
        if best is None or gain < GAIN:
            break
        picked.append(best)
        covered = [max(pair) for pair in zip(covered, best.had, strict=True)]
    more = _for_each_thing(passages, picked, asking) if asking.joins else []
    return [*_saying(passages, picked), *picked, *more][:MOST_PASSAGES]


def _is_about(passage: Passage, words: Sequence[Word]) -> bool:
    """Say whether it has a thing that is asked about: what only does the same (to lose data, and not equipment) adds nothing."""
    things = [at for at, word in enumerate(words) if not word.acts and not word.asks]
    return not things or any(passage.had[at] >= 0.5 for at in things)


def _whole_article(passages: Sequence[Passage], asking: Asking) -> list[Passage]:
    """The paragraphs of an article in their order, where the question names the article and nothing else of its text: 47조의2
    요약해줘."""
    named = [word for word in asking.words if _is_article(word)]
    first = passages[0]
    others = [at for at, word in enumerate(asking.words) if not _is_article(word)]
    if len(named) != 1 or len(named[0].terms) > 1 or not _named(named[0], first):
        return []
    if any(
        first.named[at] < 1 for at in others
    ):  # a word of the article's name may stand beside it, any other asks for more
        return []
    document = first.chunk["document_id"]
    parts = [p for p in passages if p.chunk["document_id"] == document and _named(named[0], p)]
    numbered = [p for p in parts if len(terms(str(p.chunk["place"].get("article") or ""))) > 1] or parts
    return sorted(numbered, key=lambda passage: int(passage.chunk["start"]))[:MOST_RIVALS]


def _is_article(word: Word) -> bool:
    return word.exact and word.terms[0].startswith("제")


def _for_each_thing(passages: Sequence[Passage], picked: Sequence[Passage], asking: Asking) -> list[Passage]:
    """Find a passage for each thing that is asked about and that those picked do not say themselves: 강연료와 자문료의 한도."""
    more: list[Passage] = []
    for at, word in enumerate(asking.words):
        if word.asks or word.acts or any(_tells(passage, at) for passage in (*picked, *more)):
            continue
        telling = [p for p in passages[:MOST_RIVALS] if _tells(p, at) and p not in picked]
        more += sorted(telling, key=lambda p: -_fit_of(p, at, asking))[:1]
    return more


def _fit_of(passage: Passage, at: int, asking: Asking) -> float:
    """Rate how well the sentences that have a word state the kind of fact that is asked for."""
    return max(fit(each.sentence.text, asking.wants) for each in passage.sentences if each.had[at] >= 0.5)


def _tells(passage: Passage, at: int) -> bool:
    """Say whether a sentence of the passage itself has a word of the question, or most of it."""
    return any(each.had[at] >= 0.5 for each in passage.sentences)


def _saying(passages: Sequence[Passage], picked: Sequence[Passage]) -> list[Passage]:
    """Find the passage that says the rarest word itself, where those picked have it from the title of its document alone."""
    rare = _said_weights(passages, 0)
    at = max(range(len(rare)), key=lambda n: rare[n], default=None)
    if at is None or not rare[at] or any(passage.said[at] for passage in picked):
        return []
    documents = {passage.chunk["document_id"] for passage in picked if passage.had[at] == 1}
    return [p for p in passages if p.said[at] and p.chunk["document_id"] in documents][:1]


def overview(chunks: Sequence[Json]) -> list[Passage]:
    """Take the chunks of files that the question is about as a whole, in their order."""
    return [Passage(chunk, 1.0, frozenset(), (), (), relevance=1.0, score=1.0) for chunk in chunks]


def opening(passage: Passage) -> list[Sentence]:
    """Take the first sentences of a passage."""
    return _worth_saying(passage.chunk)[:OPENING]


def _worth_saying(chunk: Json) -> list[Sentence]:
    """List the sentences of a chunk without its headings: a heading answers nothing."""
    every = sentences(str(chunk["text"]), str(chunk.get("head") or ""))
    names = {str(chunk["title"]), *map(str, chunk["heading"])}
    return [each for each in every if " ".join(each.text.split()) not in names]


def rivals(passages: Sequence[Passage], picked: Sequence[Passage]) -> list[Passage]:
    """Name passages of other documents that have as much of the question as the best one: they may say otherwise."""
    if not picked:
        return []
    documents = {passage.chunk["document_id"] for passage in picked}
    return [
        passage
        for passage in passages[:MOST_RIVALS]
        if passage.chunk["document_id"] not in documents
        and passage.relevance >= NEAR_BEST * picked[0].relevance
    ]


def _joined(passages: Sequence[Passage], asking: Asking) -> list[Passage]:
    """Join passages of which none has enough by itself, where together they do and each has a part of its own."""
    weights = _shares(passages, asking.words)
    picked: list[Passage] = []
    covered = [0.0] * len(asking.words)
    while len(picked) < MOST_PASSAGES:
        gains = [(_gain(passage, covered, weights), passage) for passage in passages if passage not in picked]
        gain, best = max(gains, key=lambda pair: (pair[0], pair[1].score), default=(0.0, None))
        if best is None or gain < GAIN:
            break
        picked.append(best)
        covered = [max(pair) for pair in zip(covered, best.had, strict=True)]
    together = sum(w * c for w, c in zip(weights, covered, strict=True))
    return picked if len(picked) > 1 and together >= ENOUGH else []


def _shares(passages: Sequence[Passage], words: Sequence[Word]) -> list[float]:
    weights = word_weights([passage.had for passage in passages], words=words)
    total = sum(weights) or 1.0
    return [weight / total for weight in weights]


def _gain(passage: Passage, covered: Sequence[float], weights: Sequence[float]) -> float:
    rows = zip(weights, passage.had, covered, strict=True)
    return sum(weight * max(0.0, had - before) for weight, had, before in rows)


MOST_SENTENCES = 3
KIND = 1.2
"""The part by which a sentence counts more where it states the kinds of facts that are asked for."""
NEAR_BEST = 0.85
LONGEST_LIST = 8
_EXCEPTIONS = ("다만", "단,", "단 ", "however", "except", "unless", "but ")


def answering(passage: Passage, asking: Asking, weights: Sequence[float]) -> list[Sentence]:
    """Choose the sentences of a passage that answer, in their order: the best ones, an exception that follows them, and
    the list that they announce."""
    found = [each.sentence for each in passage.sentences]
    if not found:
        return []
    scores = _sentence_scores(passage, asking, weights)
    best = max(scores)
    if best <= 0:
        taken = {0}
    else:
        near = [at for at, score in enumerate(scores) if score >= NEAR_BEST * best]
        taken = set(sorted(near, key=lambda at: (-scores[at], at))[:MOST_SENTENCES])
    if asking.joins:
        taken |= _for_each_word(passage, taken)
    for at in sorted(taken):
        taken |= _belonging(found, at)
    return [found[at] for at in sorted(taken)]


def _sentence_scores(passage: Passage, asking: Asking, weights: Sequence[float]) -> list[float]:
    """Weigh each sentence by the words that it has, a word less the more sentences of the passage have it too, and by the
    kinds of facts that it states."""
    every = len(passage.sentences)
    columns = list(zip(*(each.had for each in passage.sentences), strict=True))
    telling = [
        weight * (every - sum(value >= 0.5 for value in column) + 0.5) / (every + 0.5)
        for weight, column in zip(weights, columns, strict=True)
    ]
    return [
        sum(weight * had for weight, had in zip(telling, each.had, strict=True))
        * (1 + KIND * fit(each.sentence.text, asking.wants))
        for each in passage.sentences
    ]


def _for_each_word(passage: Passage, taken: set[int]) -> set[int]:
    """Choose a sentence for each word of the question that those taken lack: what is compared stands in several."""
    more: set[int] = set()
    for had in zip(*(each.had for each in passage.sentences), strict=True):
        if max(had) >= 0.9 and all(had[at] < 0.9 for at in taken | more):
            more.add(had.index(max(had)))
    return more


def _belonging(found: Sequence[Sentence], at: int) -> set[int]:
    more: set[int] = set()
    after = at + 1
    if found[at].opens_list:
        while after < len(found) and len(more) < LONGEST_LIST and (found[after].item or found[after].row):
            more.add(after)
            after += 1
    if after < len(found) and found[after].text.lower().startswith(_EXCEPTIONS):
        more.add(after)
    return more
