"""Verbs and operators: the words of a question that say what was done, and how what is named hangs together."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from metaagent.language.patterns import compiled, regex
from metaagent.level1.query_analyzer.domain import Term
from metaagent.level1.query_analyzer.grammar import lexicon_en, lexicon_ko
from metaagent.level1.query_analyzer.grammar.conjugation import english_forms, korean_forms
from metaagent.level1.query_analyzer.grammar.first_letters import kept_openings
from metaagent.level1.query_analyzer.grammar.meaning import Node
from metaagent.level1.query_analyzer.grammar.terms import MONEY, Terms


@lru_cache(maxsize=1)
def operators() -> dict[str, tuple[tuple[str, Node], ...]]:
    """Patterns by the letters that a match can begin with; each is built when one of them is first met."""
    found: dict[str, list[tuple[str, Node]]] = defaultdict(list)
    for pattern, cat, given in lexicon_ko.OPERATORS:
        for letter in kept_openings(pattern) or set(pattern):
            found[letter].append((pattern, Node(cat, **given)))
    for pattern, cat, given in lexicon_en.OPERATORS:
        ended = rf"(?:{pattern})(?![a-z0-9])" if re.search("[a-z]", pattern) else pattern
        for letter in kept_openings(pattern) or set(pattern):
            found[letter].append((ended, Node(cat, **given)))
    return {letter: tuple(items) for letter, items in found.items()}


@lru_cache(maxsize=1000)
def built(pattern: str) -> re.Pattern[str]:
    return compiled(pattern, in_source=True)


_COUNTED = regex(r"\s?(?:건수|횟수|수)\Z")
_PAID = regex(r"\s?(?:금액|액|금)\Z")
_NO_COMPOUND = r"(?![하되한된할될했됐해돼함됨자원처사률율비료액금량점품권업]|가격|단가|목표|계획)"
"""Letters that make another word of the noun of an event: 판매자, 거래처, 구매가격."""


def _event_nouns(term: Term) -> set[str]:
    """The nouns of what a metric counts, or of what it pays for: 구매 건수, 배상금."""
    ending = _COUNTED if term.aggregate == "count" else _PAID
    if (
        term.aggregate not in ("count", "sum")
        or term.filtered
        or (ending is _PAID and term.unit not in MONEY)
    ):
        return set()
    labels = [label for label in term.labels if label and "가" <= label[0] <= "힣"]
    nouns = {ending.sub("", label) for label in labels if ending.search(label)}
    return {noun for noun in nouns if len(noun) > 1}


@dataclass(frozen=True)
class Verb:
    """A form of a verb: the word as it stands, and the pattern of what may or must follow."""

    form: str
    tail: str
    node: Node
    alone: bool
    """Counts only as a word of its own: a form of one syllable, an English one."""

    def end(self, text: str, place: int) -> int | None:
        if not text.startswith(self.form, place):
            return None
        found = built(self.tail).match(text, place + len(self.form))
        return found.end() if found else None


_COMPOUND = 4
_NO_LETTER = r"(?![a-z0-9])"


def _korean_verbs(terms: Terms, term: Term) -> Iterator[Verb]:
    node = Node("V", metrics=(term.name,))
    tails = {"past": lexicon_ko.PREDICATE, "short": lexicon_ko.PREDICATE, "stem": r"(?=지\s?(?:않|못)|면|고)"}
    for stem in term.verbs.get("ko", ()):
        if len(stem) > 2 and stem[-1] in "하되":  # 판매 한 건당: the noun of the verb
            worth = terms.worth_of(term.name)
            usual = terms.usual is not None and terms.same_fact(term.name, terms.usual)
            sold = usual and terms.is_trade(
                term.name
            )  # repairs are done, and their worth is asked for as such
            nouns = [Node("M", metrics=(worth,), cost=0.4 if sold or worth == term.name else 0.8)]
            if worth != term.name and term.aggregate == "count":  # 구매 0건인, 수리가 가장 많은
                nouns.append(Node("M", metrics=(term.name,), cost=0.7 if sold else 0.4))
            first, more = _in_words(stem[:-1])
            yield from (Verb(first, more + _NO_COMPOUND, noun, alone=False) for noun in nouns)
        for kind, form in korean_forms(stem).items():
            if kind == "stem" and len(form) == 1:  # 사지 않은, but 사고 is an accident
                yield Verb(form, r"(?=지\s?(?:않|못))", node, alone=False)
                continue
            yield Verb(form, tails.get(kind, ""), node, alone=len(form) == 1)
    yield from _event_words(terms, term)


_DONE = f"(?:한|하는|했{lexicon_ko.PREDICATE}|받은|받는|받았{lexicon_ko.PREDICATE})"


def _event_words(terms: Terms, term: Term) -> Iterator[Verb]:
    """구매 건수: 구매한, 구매가; 상담 횟수: 상담받은. A verb that the model names says it better."""
    counted = term.name if term.aggregate == "count" else terms.count_of(term.name)
    if counted is None:
        return
    stems = {stem for one in terms.metrics.values() for stem in one.verbs.get("ko", ())}
    worth, known = terms.worth_of(counted), terms.labels
    nodes = [Node("M", metrics=(counted,), cost=0.3)]
    nodes += [Node("M", metrics=(worth,), cost=0.4)] if worth != counted else []
    for noun in _event_nouns(term):
        if f"{noun}하" in stems:
            continue
        first, more = _in_words(noun)
        yield Verb(first, more + _DONE, Node("V", metrics=(counted,)), alone=False)
        if noun not in known:
            yield from (Verb(first, more + _NO_COMPOUND, one, alone=False) for one in nodes)


def _in_words(noun: str) -> tuple[str, str]:
    """The first word of a noun, and the pattern of the others: 가공의뢰, which people write 가공 의뢰 too."""
    first, *rest = noun.split()
    if not rest and len(noun) >= _COMPOUND:
        first, rest = noun[:2], [noun[2:-2], noun[-2:]] if len(noun) > _COMPOUND else [noun[2:]]
    return first, "".join(rf"\s?{re.escape(word)}" for word in rest)


def _date_verbs(name: str, term: Term) -> Iterator[Verb]:
    """The verbs of what happened to a thing at one of its dates: launched, 출시된."""
    node = Node("DV", dim=name)
    for stem in term.verbs.get("ko", ()):
        for kind, form in korean_forms(stem).items():
            if kind != "stem":
                tail = lexicon_ko.PREDICATE if kind in ("past", "short") else ""
                yield Verb(form, tail, node, alone=len(form) == 1)
        if stem[-1] in "하되":
            yield Verb(stem[:-1], _NO_COMPOUND, replace(node, cost=0.2), alone=False)
    for said in term.verbs.get("en", ()):
        for form in english_forms(said.lower()):
            yield Verb(form, _NO_LETTER, node, alone=True)


def _verbs(terms: Terms) -> dict[str, tuple[Verb, ...]]:
    found: dict[str, list[Verb]] = defaultdict(list)
    for term in terms.metrics.values():
        node = Node("V", metrics=(term.name,))
        for verb in _korean_verbs(terms, term):
            found[verb.form[0]].append(verb)
        for said in term.verbs.get("en", ()):
            for form in english_forms(said.lower()):
                found[form[0]].append(Verb(form, _NO_LETTER, node, alone=True))
    for name, term in terms.dimensions.items():
        for verb in _date_verbs(name, term):
            found[verb.form[0]].append(verb)
    for name, listed in terms.domain.implied_metrics.items():  # a model that names no verbs
        if name in terms.metrics and not any(terms.metrics[name].verbs.values()):
            for word in map(str.lower, listed):
                tail = _NO_LETTER if word.isascii() else rf"(?:한|된|하는|{lexicon_ko.PREDICATE})"
                found[word[0]].append(Verb(word, tail, Node("V", metrics=(name,)), alone=word.isascii()))
    return {letter: tuple(items) for letter, items in found.items()}


@lru_cache(maxsize=32)
def verb_table(terms: Terms) -> Mapping[str, tuple[Verb, ...]]:
    return _verbs(terms)
