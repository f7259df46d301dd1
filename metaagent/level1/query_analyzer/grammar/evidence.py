"""Evidence: for each place of a question, the pieces that may begin there, each with its possible meanings."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from metaagent.level1.query_analyzer import periods as period_reader
from metaagent.level1.query_analyzer.calendar import Range
from metaagent.level1.query_analyzer.entities import NAMED, Entity, of_meanings
from metaagent.level1.query_analyzer.grammar import lexicon_en, lexicon_ko, numbers
from metaagent.level1.query_analyzer.grammar.conjugation import english_forms, korean_forms
from metaagent.level1.query_analyzer.grammar.meaning import Node, Restriction, Span
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms
from metaagent.level1.query_analyzer.grammar.tokens import UNREAD, Piece
from metaagent.level1.query_analyzer.lexicon import Meaning, Phrasebook
from metaagent.level1.query_analyzer.request import member_filters
from metaagent.level1.query_analyzer.source import Source

_BY_KEY = ("person", "organisation", "product")
_GROUPED = re.compile(r"(?:by|each|every) |매|.*(?:ly|annual)\Z")
_GRAIN_AFTER = re.compile(r"\s?(?:별|마다|단위|평균|당|중|들|은|는|이|을|에)")
_WHICH = re.compile(r"(?<![a-z])(?:which|what)\s(?:of\s(?:our|the)\s)?\Z")
_BAD_START = re.compile(r"[a-z0-9]")
_HANGUL = re.compile(r"[가-힣]+")
_LONGEST_ENDING = 7
_NOW = r"(?:\s?(?:지금|현재|오늘|여태)\s?까지)?"
_SO_FAR = re.compile(
    rf"(?:올해\s?)?연초\s?(?:부터|이후|이래)(?:로)?{_NOW}|올해?\s?초\s?(?:부터|이후)(?:로)?{_NOW}|올해?\s?들어서?{_NOW}"
    r"|(?:since|from) the (?:beginning|start) of (?:the|this) year(?: (?:until|to|till) (?:now|today|date))?"
)
_GUESSED = frozenset({"name_typo", "name_partial", "name_sound", "model", "answer"})
_SILENT = frozenset({"output_form", "document_type", "regulation", "reference", "slot_option", "negation"})
_GROWS = re.compile(r"늘|증가|감소|줄|성장|grow|grew|chang|increas|declin|decreas|rise|rose|fell")
_ENDS = re.compile(r"\b(?:to|and)\b|에서")
_WORD = re.compile(
    r"[a-z0-9]*[가-힣ㄱ-ㅎㅏ-ㅣ][가-힣ㄱ-ㅎㅏ-ㅣa-z0-9]*|[a-z0-9][a-z0-9'’&.-]*[a-z0-9]|[a-z0-9]|\S"
)


def _operators() -> dict[str, tuple[tuple[re.Pattern[str], Node], ...]]:
    """Patterns by each of their letters: a match can begin with no other."""
    found: dict[str, list[tuple[re.Pattern[str], Node]]] = defaultdict(list)
    for pattern, cat, given in lexicon_ko.OPERATORS:
        compiled = re.compile(pattern)
        for letter in set(pattern):
            found[letter].append((compiled, Node(cat, **given)))
    for pattern, cat, given in lexicon_en.OPERATORS:
        compiled = re.compile(rf"(?:{pattern})(?![a-z0-9])" if re.search("[a-z]", pattern) else pattern)
        for letter in set(pattern):
            found[letter].append((compiled, Node(cat, **given)))
    return {letter: tuple(items) for letter, items in found.items()}


OPERATORS = _operators()


def _verbs(terms: Terms) -> dict[str, tuple[tuple[re.Pattern[str], Node, bool], ...]]:
    """(pattern, meaning, stands alone): a form of one syllable counts only as a word of its own."""
    found: dict[str, list[tuple[re.Pattern[str], Node, bool]]] = defaultdict(list)
    for term in terms.metrics.values():
        node = Node("V", metrics=(term.name,))
        for stem in term.verbs.get("ko", ()):
            forms = korean_forms(stem)
            for kind, form in forms.items():
                tail = {"past": lexicon_ko.PREDICATE, "done": "", "stem": r"(?=지\s?(?:않|못)|면|고)"}.get(
                    kind, ""
                )
                found[form[0]].append((re.compile(re.escape(form) + tail), node, len(form) == 1))
        for verb in term.verbs.get("en", ()):
            for form in english_forms(verb.lower()):
                found[form[0]].append((re.compile(rf"{re.escape(form)}(?![a-z0-9])"), node, True))
    for name, listed in terms.domain.implied_metrics.items():  # a model that names no verbs
        if name in terms.metrics and not any(terms.metrics[name].verbs.values()):
            for word in map(str.lower, listed):
                tail = r"(?![a-z0-9])" if word.isascii() else rf"(?:한|된|하는|{lexicon_ko.PREDICATE})"
                found[word[0]].append(
                    (re.compile(re.escape(word) + tail), Node("V", metrics=(name,)), word.isascii())
                )
    return {letter: tuple(items) for letter, items in found.items()}


@lru_cache(maxsize=32)
def verb_table(terms: Terms) -> Mapping[str, tuple[tuple[re.Pattern[str], Node, bool], ...]]:
    return _verbs(terms)


@dataclass(frozen=True, eq=False)
class Evidence:
    """Everything that a question is read from: its text, the words of model and data, and what other readers found in it."""

    source: Source
    book: Phrasebook
    terms: Terms
    today: date
    entities: Sequence[Entity] = ()
    silent: Sequence[tuple[int, int]] = ()
    """Words of other parts of the question: documents, storage, references."""
    base: Range | None = None
    recent_days: int | None = None
    earliest: date | None = None

    def reader(self) -> Reader:
        return Reader(self)


class Reader:
    """Pieces by the place where they begin."""

    def __init__(self, evidence: Evidence) -> None:
        self.given = evidence
        self.text = evidence.source.text
        self.verbs = verb_table(evidence.terms)
        self.words = {m.start(): m.end() for m in _WORD.finditer(self.text)}
        self.fixed: dict[int, list[Piece]] = defaultdict(list)
        self.settled = {(e.start, e.end): e for e in evidence.entities if e.method in _GUESSED}
        self.chosen = {
            (e.start, e.end): e
            for e in evidence.entities
            if e.type in ("dimension", "metric") and e.normalized is not None and e.extra.get("name")
        }
        for piece in self._found():
            self.fixed[piece.start].append(piece)

    def _found(self) -> Iterator[Piece]:
        yield from numbers.ranks(self.text)
        yield from numbers.values(self.text)
        yield from self._periods()
        yield from self._so_far()
        for start, end in self.given.silent:
            yield Piece(start, end, (), 0.5, "light")
        for entity in self.settled.values():
            cost, kind = (1.0, "said") if entity.method == "answer" else (2.5, "guess")
            nodes = self.of_entity(entity)
            if nodes:
                yield Piece(entity.start, entity.end, nodes, cost, kind)

    def _periods(self) -> Iterator[Piece]:
        given = self.given
        found = period_reader.find(
            self.text, given.today, base=given.base, recent_days=given.recent_days, earliest=given.earliest
        )
        for p in found:
            if p.range is None:
                continue
            said = given.source.surface(p.start, p.end)
            span = Span(p.range.first, p.range.last, said, p.shift)
            both = self._two_ends(p, said) if p.rule == "range" and _GROWS.search(self.text) else None
            if both:
                yield Piece(p.start, p.end, (both,), 0.5, "said")
                continue
            yield Piece(p.start, p.end, (Node("P", period=span),), 0.5, "said")

    def _so_far(self) -> Iterator[Piece]:
        """연초부터 지금까지, since the beginning of the year."""
        today = self.given.today
        for found in _SO_FAR.finditer(self.text):
            span = Span(date(today.year, 1, 1), today, self.given.source.surface(*found.span()))
            yield Piece(found.start(), found.end(), (Node("P", period=span),), 0.4, "said")

    def _two_ends(self, found: period_reader.Period, said: str) -> Node | None:
        """Splits one range into two periods: from Q2 to Q3 sales grew."""
        part = _ENDS.sub(lambda m: "|" * len(m[0]), self.text[found.start : found.end])
        part = re.sub(r"\A(?:from|between)", lambda m: " " * len(m[0]), part)
        ends = [q.range for q in period_reader.find(part, self.given.today) if q.range]
        if len(ends) != 2:
            return None
        return Node(
            "P", period=Span(ends[1].first, ends[1].last, said), base=Span(ends[0].first, ends[0].last, said)
        )

    def at(self, place: int) -> list[Piece]:
        """One piece for each end: its meanings are alternatives."""
        merged: dict[tuple[int, str], Piece] = {}
        for piece in self._all(place):
            key = (piece.end, "" if piece.nodes else piece.kind)
            known = merged.get(key)
            if known is None:
                merged[key] = piece
            else:
                nodes = tuple(dict.fromkeys((*known.nodes, *piece.nodes)))
                merged[key] = replace(known if known.cost <= piece.cost else piece, nodes=nodes)
        return list(merged.values())

    def _all(self, place: int) -> Iterator[Piece]:
        before = self.text[place - 1] if place else " "
        inside = not before.isspace() and (before.isalnum() or before in "'’%")
        latin = (
            inside
            and before.isascii()
            and before.isalnum()
            and _BAD_START.match(self.text[place]) is not None
        )
        yield from self.fixed.get(place, ())
        if latin and not before.isdigit():
            return
        yield from self._names(place, inside=inside)
        yield from self._operators(place, inside=inside)
        for light in (lexicon_ko.WHOLE_LIGHT, lexicon_ko.LIGHT, lexicon_en.LIGHT):
            found = light.match(self.text, place)
            if found and self._may_be_light(found, inside=inside):
                yield Piece(place, found.end(), (), 0.4 if found[0][0].isalnum() else 0.0, "light")
        if inside and "가" <= self.text[place] <= "힣":
            for end in range(place + 1, min(place + _LONGEST_ENDING, len(self.text)) + 1):
                if lexicon_ko.ENDING.fullmatch(self.text, place, end):
                    yield Piece(place, end, (), 0.2, "ending")
        if not inside or not before.isalnum() or not self.text[place].isalnum():
            yield Piece(place, self.words.get(place, place + 1), (), self._price(place), "unread")

    def _may_be_light(self, found: re.Match[str], *, inside: bool) -> bool:
        """A word that says nothing ends its word, but for particles: 예 is no beginning of 예상, 담당 none of 담당자."""
        said = found[0]
        if not said or (inside and said[0].isascii() and said[0].isalnum()):
            return False
        after = _HANGUL.match(self.text, found.end())
        if after is None or not "가" <= said[-1] <= "힣":
            return True
        rest = after[0]
        if lexicon_ko.ENDING.fullmatch(rest):
            return len(said) > 1
        return (
            len(rest) > 1 and (len(said) > 1 or said == "좀") and lexicon_ko.LIGHT.fullmatch(rest) is not None
        )

    def _price(self, place: int) -> float:
        word = self.text[place : self.words.get(place, place + 1)]
        return UNREAD if any(char.isalnum() or char in "%$₩€<>=+" for char in word) else 0.0

    def _operators(self, place: int, *, inside: bool) -> Iterator[Piece]:
        first = self.text[place]
        for pattern, node in OPERATORS.get(first, ()):
            if inside and first.isascii() and first.isalpha():
                break
            if (found := pattern.match(self.text, place)) and found.end() > place:
                yield Piece(place, found.end(), self._operator(node), 1.0, "said")
        for pattern, node, alone in self.verbs.get(first, ()):
            found = pattern.match(self.text, place)
            if found and not (alone and (inside or self.text[found.end() : found.end() + 1].isalnum())):
                yield Piece(place, found.end(), (node,), 1.0, "said")

    def _operator(self, node: Node) -> tuple[Node, ...]:
        if node.cat == "WHO":
            person = self.given.terms.person
            return (Node("T", dim=person),) if person else ()
        return (node,)

    def _names(self, place: int, *, inside: bool) -> Iterator[Piece]:
        """Every known word that begins here. Only one that begins a word may go on behind a space."""
        text, limit = self.text, self.given.book.longest.get(self.text[place], 0)
        key, end = "", place
        while end < len(text) and len(key) < limit:
            if text[end].isspace():
                if inside or (len(key) < 2 and not key.isascii()):
                    return
            else:
                key += text[end]
                if meanings := self._known(key, end + 1):
                    yield from self._named(place, end + 1, meanings, inside=inside)
            end += 1

    def _known(self, key: str, end: int) -> tuple[Meaning, ...] | None:
        after = self.text[end : end + 1]
        if key[-1].isascii() and key[-1].isalnum():
            if after and after.isascii() and after.isalnum() and not (key[-1].isdigit() and after.isalpha()):
                return None
            forms = dict.fromkeys(
                (key, f"{key}s", key.removesuffix("s"), key.removesuffix("es"), re.sub("ies$", "y", key))
            )
            found = [m for form in forms if form for m in self.given.book.exact.get(form, ())]
            return tuple({m.identity: m for m in reversed(found)}.values())[::-1] or None
        return self.given.book.exact.get(key)

    def _named(self, start: int, end: int, meanings: tuple[Meaning, ...], *, inside: bool) -> Iterator[Piece]:
        if (start, end) in self.settled and self.settled[start, end].method in ("answer", "model"):
            return
        said = self.text[start:end]
        entity = of_meanings(start, end, meanings, self.given.source)
        if entity is None:
            return
        if len(said) == 1 and (inside or not _GRAIN_AFTER.match(self.text, end)) and said not in "팀약":
            return
        one_of = self.chosen.get((start, end))
        if one_of is not None and len(entity) > 1 and any(e.type == one_of.type for e in entity):
            other = [e for e in entity if e.type != one_of.type]
            entity = [one_of, *other]
        nodes: list[Node] = []
        for one in entity:
            nodes.extend(self.of_entity(one))
        silent = any(one.type in _SILENT for one in entity)
        if nodes:
            yield Piece(start, end, tuple(dict.fromkeys(nodes)), 1.0, "said")
        elif silent:
            yield Piece(start, end, (), 0.6, "light")

    def of_entity(self, entity: Entity) -> tuple[Node, ...]:
        name = str(entity.extra.get("name") or "")
        if entity.type == "metric":
            return (Node("M", metrics=(name,)),) if name in self.given.terms.metrics else ()
        if entity.type == "ambiguous_metric":
            known = [n for n in entity.extra.get("options", ()) if n in self.given.terms.metrics]
            return (Node("M", metrics=(known[0],), cost=0.5), Node("MUCH")) if known else ()
        if entity.type == "dimension":
            return self._dimension(entity, name)
        if entity.type in NAMED:
            return self._value(entity)
        if entity.type == "period" and entity.extra.get("start"):
            first, last = (date.fromisoformat(str(entity.extra[end])) for end in ("start", "end"))
            return (Node("P", period=Span(first, last, self.given.source.surface(entity.start, entity.end))),)
        return ()

    def _dimension(self, entity: Entity, name: str) -> tuple[Node, ...]:
        said = self.text[entity.start : entity.end]
        if name in TIMES or name in self.given.terms.dimensions:
            every = name in TIMES and (_GROUPED.fullmatch(said) or said.startswith("매"))
            if every or said.startswith(("by ", "each ")):  # 매월, but a 매장 is a shop
                return (Node("G", groups=(name,)),)
            measured = self.given.terms.dimensions.get(name)
            if _WHICH.search(self.text, 0, entity.start) and said.endswith("s"):
                return (Node("T", dim=name, flags=frozenset({"several"})), Node("T", dim=name, cost=0.3))
            return (Node("D" if measured is not None and measured.measured else "T", dim=name),)
        return ()

    def _value(self, entity: Entity) -> tuple[Node, ...]:
        given = self.given
        if entity.normalized is None and entity.candidates:  # which one is asked; any stands for it here
            entity = replace(
                entity, normalized=entity.candidates[0].normalized, extra=dict(entity.candidates[0].extra)
            )
        for item in member_filters([entity], given.terms.domain, given.terms.vocabulary):
            field, keyed = str(item["field"]), entity.type in _BY_KEY
            values = tuple(map(str, item["values"] if keyed else item["labels"]))
            own = Restriction(field, values, by_key=keyed, labels=tuple(map(str, item["labels"])))
            owner = given.terms.owner(field)
            thing = entity.type == "value" and owner is not None and owner != field
            more = (Node("T", dim=owner, filters=(own,), cost=0.2),) if thing else ()
            return (Node("F", filters=(own,)), *more)
        return ()
