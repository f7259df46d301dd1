"""Makes the queries of a search from a question and its analysis. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from metaagent.knowledge.korean import Analyser
from metaagent.knowledge.ranking import Word
from metaagent.knowledge.terms import asked_words, is_whole, key_of, other_forms, phrase_keys, word_terms
from metaagent.language.patterns import regex
from metaagent.level2.retrieval.fact_kinds import Kind, wanted

LONGEST_QUESTION = 4_000
"""Characters of a question that are searched for; whoever pastes a book does not wait for all of it."""
_JOIN = regex(
    r"[가-힣](?:와|과|랑|이랑|하고)\s|그리고|및|,|비교|차이|각각|\b(?:and|vs|versus|compare|both|difference)\b",
    re.IGNORECASE,
)
_MAY_IT = regex(
    r"\b(?:is|was|would)(?: it| this| that)(?: be)? fine\b|\bfine (?:to|with|if)\b", re.IGNORECASE
)
"""`fine` that asks for leave; any other is a penalty."""
_OVERVIEW = regex(
    r"(?:파일|첨부|문서|자료|이거|이것|여기)\S{0,4}\s?.{0,12}(?:요약|정리|간추|줄거리|무슨\s?내용|어떤\s?내용|내용(?:이|을|"
    r"은)?\s?(?:뭐|알려|무엇))|^\s*요약"
    r"|\b(?:summari[sz]e|summary|overview|what(?:'s| is) (?:in|this))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Asking:
    """A question as it is searched for."""

    text: str
    language: str
    words: tuple[Word, ...]
    wants: tuple[Kind, ...] = ()
    """Kinds of facts that the question asks for."""
    analyser: Analyser = "mecab"
    joins: bool = False
    """The question names several things: each may stand in another document."""
    overview: bool = False
    """The question is for a file as a whole."""
    heads: tuple[int, ...] = ()
    """Places of the words that name what is asked for: the fine, in "what is the fine for …?"; 강사, in 강사는 누구인가요?"""
    names: tuple[Mapping[str, Any], ...] = ()
    """Entities of the analysis that name things of the data."""

    @property
    def terms(self) -> list[str]:
        return list(dict.fromkeys(term for word in self.words for term in word.terms))

    @property
    def expanded(self) -> list[str]:
        """The terms with those of every synonym."""
        more = [term for word in self.words for other in word.synonyms for term in other]
        return list(dict.fromkeys([*self.terms, *more]))

    @property
    def queries(self) -> list[str]:
        """The queries as a person reads them: the question, and its terms with their synonyms."""
        return list(dict.fromkeys([self.text, " ".join(self.terms), " ".join(self.expanded)]))


_FILE_ITSELF = (
    "파일",
    "첨부",
    "첨부파일",
    "첨부하다",
    "file",
    "attachment",
    "attached",
    "attach",
    "pdf",
    "excel",
    "엑셀",
    "워드",
    "한글",
)
"""Words that point at the file that came with the question: it need not say them."""
NAMING = frozenset({"person", "organisation", "product", "location"})


def asking_of(question: str, request: Mapping[str, Any], language: str, analyser: Analyser) -> Asking:
    search = cast("Mapping[str, Any]", request.get("search") or {})
    about = str(search.get("text") or "") or _about(question, request)
    text = " ".join(about.split())[:LONGEST_QUESTION]
    groups = [[str(word) for word in group] for group in search.get("synonyms") or ()]
    entities = cast("Sequence[Mapping[str, Any]]", request.get("extracted_entities") or ())
    names = tuple(each for each in entities if each.get("type") in NAMING and each.get("normalized"))
    told = [*(search.get("scene") or ()), *(_FILE_ITSELF if request.get("attached") else ())]
    scene = {key for each in told for key in phrase_keys(str(each), analyser)}
    before = " ".join(str(search.get("before") or "").split())[:LONGEST_QUESTION]
    words = _with_kind_before(_with_synonyms(text, groups, scene, analyser), before, analyser)
    return Asking(
        text,
        language,
        words,
        wants=wanted(text) or wanted(before),
        analyser=analyser,
        joins=bool(_JOIN.search(text)),
        overview=bool(_OVERVIEW.search(text)),
        heads=_heads(text, words, analyser),
        names=names,
    )


_HEAD = regex(
    r"\bwhat(?:['’]s| is| are| was) the ((?:(?!an?\b|the\b)[a-z-]+ ){0,2}[a-z-]+) (?:of|for|per|in|on|at|to|when|if|after)\b"
    r"|\b(?:which|what) ([a-z]{3,20}) (?:is|are|was|does|do|did|must|should|can|may|has|have|will|issues?|makes?|handles?)\b"
    r"|([가-힣]{2,})(?:은|는|이|가) ?(?:몇|얼마(?!나)|누구|언제|어디|뭐|무엇|무슨|어느)",
    re.IGNORECASE,
)


def _heads(text: str, words: Sequence[Word], analyser: Analyser) -> tuple[int, ...]:
    """Find the words of the noun that a question asks for the value of; a word for its kind alone, such as a limit, is none."""
    found = _HEAD.search(text)
    if found is None:
        return ()
    asked = {key_of(word) for word in word_terms(found[1] or found[2] or found[3], analyser)}
    return tuple(at for at, word in enumerate(words) if not word.asks and key_of(word.terms) in asked)


def _with_kind_before(words: tuple[Word, ...], before: str, analyser: Analyser) -> tuple[Word, ...]:
    """Add the words for the kind of fact that the question before asked for, where a follow-up names only another thing."""
    if not before or any(word.asks for word in words):
        return words
    known = {word.terms for word in words}
    asked = [tuple(word) for word in asked_words(before, analyser)]
    more = [Word(word, asks=True) for word in asked if word not in known and wanted(word[-1])]
    return (*words, *more)


def _about(question: str, request: Mapping[str, Any]) -> str:
    """The question without the names of what is to be made of the answer: a report, a table."""
    intents = cast("Sequence[Mapping[str, Any]]", request.get("parsed_intents") or ())
    if all(each.get("intent") == "search" for each in intents):
        return question
    kept = _MAKING.sub("", question)
    kept = kept if kept.strip() else question
    for each in cast("Sequence[Mapping[str, Any]]", request.get("extracted_entities") or ()):
        if each.get("type") in _MADE and str(each.get("value")) in kept:
            kept = kept.replace(str(each["value"]), " ", 1)
    return kept if kept.strip() else question


_MADE = frozenset({"document_type", "output_form"})
_MAKING = regex(
    r",?\s*(?:and\s+)?(?:then\s+)?\b(?:turn|put|make|write|summari[sz]e|compile|collect|convert)\s+(?:it|them|this|that|"
    r"these|those|everything)\b.*$"
    r"|,?\s*\band\s+(?:then\s+)?(?:write|make|draft|prepare|create|give)\s+(?:me\s+|us\s+)?an?\s.*$"
    r"|(?<=서)\s(?:그걸\s|이걸\s)?\S{0,10}(?:보고서|리포트|문서|자료|신청서|제안서)(?:으로|로|를|을)?\s.*$"
    r"|(?<=서)\s.{0,20}?(?:으로|로|를|을)?\s?(?:만들어|작성해|정리해|써)\s?(?:줘|주세요|주라|줄래|달라)?\S{0,3}\s*$",
    re.IGNORECASE | re.DOTALL,
)
"""The words that say what is to be made of what is found: "and turn them into a report", "찾아서 보고서로 정리해줘"."""


def _with_synonyms(
    text: str, groups: Sequence[Sequence[str]], scene: Collection[str], analyser: Analyser
) -> tuple[Word, ...]:
    """Give each word of the question the others of its group, and those of a phrase to each word of the phrase. Words that
    only ask stay where they belong to such a phrase; words that set the scene go, unless nothing else is left."""
    text = _MAY_IT.sub(" ", text)
    every = [tuple(word) for word in word_terms(text, analyser)]
    keys = [key_of(word) for word in every]
    asked = [tuple(word) for word in asked_words(text, analyser)]
    kept = [word for word in asked if key_of(word) not in scene] or asked
    words: dict[str, tuple[str, ...]] = {key_of(word): word for word in kept}
    others: dict[str, list[tuple[str, ...]]] = {}
    compact = _compact(text)
    for group in groups:
        phrases = {phrase: phrase_keys(phrase, analyser) for phrase in group}
        for phrase, found in phrases.items():
            rest = [_terms(other, analyser) for other in group if phrases[other] not in ((), found)]
            if not is_whole(phrase, found):
                if " " in phrase and _compact(phrase) in compact:
                    words[phrase], others[phrase] = (phrase,), rest
                elif phrase in words:  # an adverb by itself, a noun before its particle: 잘못을
                    others.setdefault(phrase, []).extend(rest)
                continue
            places = _places(keys, found)
            if not words.keys() & set(found):
                continue  # words that only ask, or set the scene: 내부 규정에서
            for at in places:
                words.setdefault(keys[at], every[at])
                others.setdefault(keys[at], []).extend(rest)
    for key in words:
        others.setdefault(key, []).extend((form,) for form in other_forms(key))
    return tuple(
        Word(word, tuple(dict.fromkeys(others[key])), asks=bool(wanted(word[-1])))
        for key, word in words.items()
    )


def _compact(text: str) -> str:
    return "".join(text.lower().split())


def _places(keys: Sequence[str], phrase: Sequence[str]) -> list[int]:
    """The places of a phrase's words among the words of the question."""
    size = len(phrase)
    starts = range(len(keys) - size + 1) if size else ()
    found = next((at for at in starts if list(keys[at : at + size]) == list(phrase)), None)
    return [] if found is None else list(range(found, found + size))


def _terms(phrase: str, analyser: Analyser) -> tuple[str, ...]:
    """The terms of a synonym; a phrase is had by those of its words that are there."""
    words = [tuple(word) for word in word_terms(phrase, analyser)]
    if len(words) == 1:
        return words[0]
    wholes = [word[-1] for word in words]
    return (*wholes, " ".join(wholes))
