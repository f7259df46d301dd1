"""Evidence: for each place of a question, the pieces that may begin there, each with its possible meanings."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from metaagent.language import periods as period_reader
from metaagent.language.calendar import Range, grain_of, relative_range
from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.entities import NAMED, Entity, namesakes, of_meanings, titled
from metaagent.level1.query_analyzer.grammar import (
    event_dates,
    lexicon_en,
    lexicon_ko,
    numbers,
    time_of_things,
)
from metaagent.level1.query_analyzer.grammar.meaning import SAME_DAYS, Node, Restriction, Span
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms
from metaagent.level1.query_analyzer.grammar.tokens import UNREAD, Piece
from metaagent.level1.query_analyzer.grammar.verbs import built, operators, verb_table
from metaagent.level1.query_analyzer.request import member_filters
from metaagent.level1.query_analyzer.words.lexicon import Meaning, Phrasebook
from metaagent.level1.query_analyzer.words.source import Source, key_of

_BY_KEY = ("person", "organisation", "product")
_GROUPED = regex(r"(?:by|each|every) |매|.*(?:ly|annual)\Z")
_COST = regex(r"[비값](?![가-힣]{3})")
_GRAIN_AFTER = regex(r"\s?(?:별|마다|단위|평균|당|중|들|은|는|이|을|에)")
_NAMED_UNIT = regex(r"(?<![a-z])(?:this|last|past|previous|prior|next|coming|current|same)\s\Z")
_WHICH = regex(r"(?<![a-z])(?:which|what)\s(?:of\s(?:our|the)\s)?\Z")
_ONE_OF = regex(
    r"\s(?:has|is|was|does|makes|sells|sold the|gets|takes|brings|costs|earns|needs|holds|shows|comes)(?![a-z])"
)
"""A verb behind which one of several is asked for."""
_AVERAGE = regex(r"(?:average|mean|avg)\s")
_EXTREME = regex(rf"(?:{'|'.join(words for words, _, _ in lexicon_en.ADJECTIVES)})\s")
_AVERAGE_BEFORE = regex(r"(?<![a-z])(?:average|mean|avg)\s(?:[a-z0-9]+\s){1,2}\Z")
_MASS = regex(r"(?:s|revenue|turnover|income|spend|spending|quantity|volume)\Z")
"""The end of a word for what is added up, not for one of it."""
_ENDS_OF_WAYS = ((regex(r"(?:^|_)(?:origin|departure|from|source|pickup)|출발|발송|상차|승차"), "from"),
                 (regex(r"(?:^|_)(?:destination|arrival|to|dropoff|target)(?:_|$)|도착|목적|하차"), "to"))  # fmt: skip
_TO = regex(r"(?<![a-z])(?:to|into|bound for|towards?|for)\s\Z")
_FROM = regex(r"(?<![a-z])(?:from|out of|leaving)\s\Z")
_TO_KO = regex(r"(?:으로|로|행|까지|\s?도착)(?![가-힣]*별)")
_FROM_KO = regex(r"(?:에서|발(?=\s)|부터|\s?출발)")
_PER_AFTER = regex(r"\s(?:per|for each|by each)\s")
_GLOSS = regex(r"(?P<said>[\w가-힣]{2,})\s?\((?P<meant>[^()]{2,30})\)")
_BAD_START = regex(r"[a-z0-9]")
_HANGUL = regex(r"[가-힣]+")
_LETTERS = regex(r"[A-Z]")
_LONGEST_ENDING = 10
_PLURAL = 2
"""Letters that the plural of an English word may have more than the word."""
_COUNTER = regex(r"(?:명|사람|분|곳|군데)\Z")
_PLACES = ("곳", "군데")
_NO_NAMES = "수명건개곳시월일주년분원대중등별당것거안못총더좀또및각매그이저한두세네다만도은는과와"
"""Syllables that are a counter, a particle or a word of the language before they are anything of the model."""
_BE = regex(r"\s?(?:is|are|was|were|['’]s|['’]re)(?![a-z])")
_CLAUSE_BEFORE = regex(r"(?:\A|[.?!,:;]|\band)\s*\Z")
_LIMITS = ("이상", "이하", "이내", "이외", "이전", "이후", "거나", "되거나", "하거나", "됐거나", "했거나")
"""Words that look like two endings."""
_NOW = r"(?:\s?(?:지금|현재|오늘|여태)\s?까지)?"
_SO_FAR = regex(
    rf"(?:올해\s?)?연초\s?(?:부터|이후|이래)(?:로)?{_NOW}|올해?\s?초\s?(?:부터|이후)(?:로)?{_NOW}|올해?\s?들어서?(?![오온왔와가간갔]){_NOW}"
    r"|of the year(?=\W*\Z| (?:so far|to date|placed|made|held))(?: so far| to date)?"
    r"|(?:since|from) the (?:beginning|start) of (?:the|this) year(?: (?:until|to|till) (?:now|today|date))?"
)
_SAME_UNIT = regex(
    r"(?:for |in )?the same (?:quarter|month|period|year|week|time)(?![a-z])|같은\s?(?:분기|달|기간|해|주)(?:에|의)?"
)
_THAT_UNIT = regex(
    r"(?<![a-z])(?:(?:in|for|during|of) )?that (?P<en>month|quarter|week|year)(?![a-z])"
    r"|(?<![가-힣])그\s?(?P<ko>달|분기|주|해)(?:에는|에|의|엔)?(?![가-힣])"
)
_SAME_DAYS = regex(
    r"(?:in |over |for |during )?(?:the )?same (?:period|days|dates|months?|quarter|time|stretch|weeks?|span)"
    r" (?:of |in )(?P<en>20\d\d)(?!\d)"
    r"|(?<!\d)(?P<ko>20\d\d)년?(?:의)?\s?(?:같은|동일|동)\s?(?:기간|달|월|분기|시기|때)"
)
_AS_OF = regex(
    r"(?<![가-힣])어제\s?(?:기준(?:으로)?|자로|까지)(?![가-힣])"
    r"|(?<![a-z])(?:as of|up to(?: and including)?|through|until) yesterday(?![a-z])"
)
_NEXT_UNIT = regex(
    r"(?:그\s?)?다음\s?(?P<ko>달|분기|주|해)|(?<![a-z])(?:the )?(?:next|following) (?P<en>month|quarter|week|year)(?![a-z])"
    r"|(?<![a-z])the (?P<en2>month|quarter|week|year) (?:after|afterwards|following)(?: that)?(?=\W*\Z)"
)
_UNIT_AGO = regex(
    r"(?<![가-힣\d])(?:1|일|한)\s?(?P<ko>달|개월|분기|주|해)\s?전(?:에는|에도|엔|은)?(?=(?:이랑|과|하고|보다|에|의|\s?대비)|[?.!]|\s|\Z)"
)
_UNIT_OF = {"달": "month", "분기": "quarter", "주": "week", "해": "year"}
_SAME_AFTER = regex(r"\s?(?:의\s?)?(?:같은|동일)\s?기간")
_SAME_SAID = regex(r"(?:같은|동일)\s?(?:기간|달|월|분기|주|시기)\Z")
_DID = regex(
    r"(?<![a-z])(?:did|do|does|will|would|to) (?:[a-z]+ ){0,3}\Z|(?<![a-z])(?:was|were|been|being|are|is|got) \Z"
)
_BASIS = regex(r"(?:일자|날짜|일)?\s?기준|[분건](?=\s|[은의만]\s)")
_BETWEEN = regex(r"\s?사이(?:에)?")
_YEAR_AGO = regex(r"(?:1|일|한)\s?년\s?전\s?(?:의\s?)?(?:같은|동일|이맘)")
_GUESSED = frozenset({"name_typo", "name_partial", "name_sound", "model", "answer"})
_SILENT = frozenset(
    {"output_form", "document_type", "regulation", "article", "reference", "slot_option", "negation"}
)
_GROWS = regex(
    r"늘|증가|감소|줄|성장|떨어|빠[진졌]|올[랐라]|오른|뛰|뛴|변|grow|grew|chang|increas|declin|decreas|ris[ei]|rose"
    r"|\b(?:go|goes|going|gone|went) (?:up|down)|up or down|better or worse"
    r"|differ|\bgap\b|차이|격차"
    r"|fell|fall|drop|lost|lose|shr[aiu]nk|gain|climb|jump|slip|improv"
)
_WHO_BOUGHT = regex(
    r"(?<![a-z])who(?: has| have)? (?:bought|buys?|ordered|orders|purchased|purchases)(?![a-z])"
    r"|누가\s?(?:[가-힣]+\s){0,3}(?:샀|사\s?갔|구매했|구입했|주문했|구매하|주문하)"
)
_WITH_US = regex(
    r"(?<![a-z])spen[dt]s?(?![a-z]).{0,40}(?:with us|from us|on our (?:products|drugs|medicines))(?![a-z])"
)
_OF_TIME = frozenset({"B", "P", "DAYS", "STEADY", "PERD", "PERT", "G", "ANYUNIT", "DOING"})
"""Types of operators that speak of time themselves."""
_ENDS = regex(r"\b(?:to|and)\b|에서")
_WORD = regex(
    r"[a-z0-9]*[가-힣ㄱ-ㅎㅏ-ㅣ][가-힣ㄱ-ㅎㅏ-ㅣa-z0-9]*|[a-z0-9][a-z0-9'’&.-]*[a-z0-9]|[a-z0-9]|\S"
)


def _end_of(dimension: str) -> str | None:
    """The end of a way that a dimension names: where something comes from, or where it goes to."""
    return next((end for pattern, end in _ENDS_OF_WAYS if pattern.search(dimension)), None)


def _alternatives(likely: Piece, other: Piece) -> Piece:
    """The meanings of two pieces of one stretch; a guess beside a word that is known stays the less likely one."""
    more = other.cost - likely.cost if other.kind == "guess" else 0.0
    guessed = (replace(node, cost=node.cost + more) for node in other.nodes)
    return replace(likely, nodes=tuple(dict.fromkeys((*likely.nodes, *guessed))))


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
    meant: Sequence[tuple[int, int, Node]] = ()
    """Words that stand for something of the turn before."""

    def reader(self) -> Reader:
        return Reader(self)


class Reader:
    """Pieces by the place where they begin."""

    def __init__(self, evidence: Evidence) -> None:
        self.given = evidence
        self.text = evidence.source.text
        self.verbs = verb_table(evidence.terms)
        self.events = event_dates.dates_of_rows(evidence.terms)
        self.happenings: set[tuple[int, int]] = set()
        """The places of nouns for what happened on a date of the rows."""
        self.words = {m.start(): m.end() for m in _WORD.finditer(self.text)}
        self.fixed: dict[int, list[Piece]] = defaultdict(list)
        self.synonyms: dict[tuple[int, int], str] = {}
        """Words that the model does not know, and the label that they were read as."""
        self.open_names: dict[tuple[int, int], Entity] = {}
        """Names of several things, by their place."""
        self.spans: list[tuple[int, int]] = []
        """The places of periods."""
        self.settled = {(e.start, e.end): e for e in evidence.entities if e.method in _GUESSED}
        self.chosen = {
            (e.start, e.end): e
            for e in evidence.entities
            if e.type in ("dimension", "metric") and e.normalized is not None and e.extra.get("name")
        }
        for piece in self._found():
            self.fixed[piece.start].append(piece)

    def _found(self) -> Iterator[Piece]:
        yield from map(self._counted_things, numbers.ranks(self.text))
        yield from numbers.values(self.text)
        yield from self._periods()
        yield from self._so_far()
        yield from time_of_things.pieces(self.text, self.given.today)
        yield from self._same_days()
        yield from self._as_of()
        yield from self._next_unit()
        yield from self._unit_before()
        if self.given.base is not None:  # the same quarter: that of the turn before
            for found in (*_SAME_UNIT.finditer(self.text), *self._that_unit()):
                said = self.given.source.surface(*found.span())
                span = Span(self.given.base.first, self.given.base.last, said)
                yield Piece(found.start(), found.end(), (Node("P", period=span),), 0.3, "said")
        for start, end in self.given.silent:
            yield Piece(start, end, (), 0.5, "light")
        for start, end, node in self.given.meant:
            yield Piece(start, end, (node,), 0.5, "said")
        yield from self._glossed()
        for entity in self.settled.values():
            cost, kind = (1.0, "said") if entity.method == "answer" else (2.5, "guess")
            nodes = self.of_entity(entity)
            if nodes:
                yield Piece(entity.start, entity.end, nodes, cost, kind)

    def _glossed(self) -> Iterator[Piece]:
        """수표(Check), inspector (검수자): a word that is not known, with one behind it in brackets that says what it means."""
        for found in _GLOSS.finditer(self.text):
            known = self.given.book.exact
            if key_of(found["meant"]) in known and key_of(found["said"]) not in known:
                yield Piece(*found.span("said"), (), 0.5, "light")

    def _that_unit(self) -> list[re.Match[str]]:
        """That month, 그 달: the period of the turn before, where it is one."""
        base = self.given.base
        unit = grain_of(base) if base else ""
        found = _THAT_UNIT.finditer(self.text)
        return [m for m in found if _UNIT_OF.get(str(m["ko"]), str(m["en"])) == unit]

    def _counted_things(self, piece: Piece) -> Piece:
        """상위 5명, 하위 3곳: the counter names the kind of thing where nothing else does."""
        kinds = self.given.terms.domain.entity_dimensions
        counter = _COUNTER.search(self.text, piece.start, piece.end)
        dim = kinds.get("organisation") if counter and counter[0] in _PLACES else self.given.terms.person
        if counter is None or dim not in self.given.terms.dimensions:
            return piece
        ranked = tuple(
            Node("T", dim=dim, rank=n.rank, flags=frozenset({"who"}), cost=n.cost + 0.8)
            for n in piece.nodes
            if n.cat == "TOP"
        )
        return replace(piece, nodes=(*piece.nodes, *ranked))

    def _periods(self) -> Iterator[Piece]:
        given = self.given
        found = period_reader.find(
            self.text, given.today, base=given.base, recent_days=given.recent_days, earliest=given.earliest
        )
        found = self._without_launches(found)
        self.spans = [(p.start, p.end) for p in found if p.range is not None]
        yield from self._runs([p for p in found if p.range is not None])
        for p in found:
            if p.range is None or _YEAR_AGO.match(self.text, p.start):
                continue
            held = p.range
            p = replace(p, start=p.end - len(self.text[p.start : p.end].lstrip()))
            said = given.source.surface(p.start, p.end)
            span = Span(held.first, held.last, said, p.shift, p.rule if p.rule in ("since", "until") else "")
            same = _SAME_AFTER.match(self.text, p.end)  # 작년 11월 같은 기간
            p = replace(p, end=same.end()) if same else p
            if p.shift and _SAME_SAID.search(
                self.text, p.start, p.end
            ):  # 지난달 같은 기간: as many days of it
                if p.shift != "year":
                    yield Piece(p.start, p.end, (Node("B", base=p.shift, flags=SAME_DAYS),), 0.5, "said")
                continue
            if p.rule == "range" and (between := _BETWEEN.match(self.text, p.end)):
                p = replace(p, end=between.end())
            both = self._two_ends(p, said) if p.rule == "range" and _GROWS.search(self.text) else None
            if both:
                yield Piece(p.start, p.end, (both,), 0.5, "said")
                continue
            yield Piece(p.start, p.end, (Node("P", period=span),), 0.5, "said")

    def _without_launches(self, found: Sequence[period_reader.Period]) -> Sequence[period_reader.Period]:
        """October sales of products launched in 2022: the year of the launch is not that of October."""
        verbs = self._date_verbs() if len(found) > 1 else []
        apart = [
            p
            for p in found
            if (p.unit == "year" or p.rule in ("since", "until"))
            and any(time_of_things.beside(p, *verb) for verb in verbs)
        ]
        if not apart or len(apart) == len(found):
            return found
        rest = self.text
        for p in apart:
            rest = rest[: p.start] + " " * (p.end - p.start) + rest[p.end :]
        given = self.given
        others = period_reader.find(
            rest, given.today, base=given.base, recent_days=given.recent_days, earliest=given.earliest
        )
        return sorted((*apart, *others), key=lambda p: p.start)

    def _date_verbs(self) -> list[tuple[int, int]]:
        """The places of verbs that tell a date of things."""
        return [
            (start, end)
            for start in self.words
            for verb in self.verbs.get(self.text[start], ())
            if verb.node.cat == "DV" and (end := verb.end(self.text, start)) is not None
        ]

    def _runs(self, found: Sequence[period_reader.Period]) -> Iterator[Piece]:
        """7월 8월 9월; July, August and September: three or more that follow each other, each by itself or together."""
        for run in time_of_things.runs(self.text, found):
            first, last, unit = run[0], run[-1], str(run[0].rule)
            assert first.range is not None
            assert last.range is not None
            said = self.given.source.surface(first.start, last.end)
            span = Span(first.range.first, last.range.last, said)
            each = () if time_of_things.sums_up(self.text) else (Node("P", period=span, groups=(unit,)),)
            whole = Node("P", period=span, flags=frozenset({"joined"}), cost=0.6 if each else 0.0)
            yield Piece(first.start, last.end, (*each, whole), 0.4, "said")

    def _so_far(self) -> Iterator[Piece]:
        """연초부터 지금까지, since the beginning of the year."""
        today = self.given.today
        for found in _SO_FAR.finditer(self.text):
            span = Span(date(today.year, 1, 1), today, self.given.source.surface(*found.span()))
            yield Piece(found.start(), found.end(), (Node("P", period=span),), 0.4, "said")

    def _as_of(self) -> Iterator[Piece]:
        """어제 기준 이번 달, this month as of yesterday: a period that still runs, up to that day."""
        for found in _AS_OF.finditer(self.text):
            day = self.given.today - timedelta(days=1)
            yield Piece(*found.span(), (Node("ASOF", flags=frozenset({f"until:{day}"})),), 0.3, "said")

    def _same_days(self) -> Iterator[Piece]:
        """The same days of 2025, 2025년 같은 기간: the year before."""
        for found in _SAME_DAYS.finditer(self.text):
            if int(found["ko"] or found["en"]) == self.given.today.year - 1:
                yield Piece(found.start(), found.end(), (Node("B", base="year"),), 0.3, "said")

    def _next_unit(self) -> Iterator[Piece]:
        """그 다음 달은?: the unit after that of the turn before."""
        base = self.given.base
        if base is None:
            return
        for found in _NEXT_UNIT.finditer(self.text):
            after = relative_range(
                _UNIT_OF.get(str(found["ko"]), str(found["en"] or found["en2"])), 1, base.last
            )
            span = Span(after.first, after.last, self.given.source.surface(*found.span()))
            yield Piece(found.start(), found.end(), (Node("P", period=span),), 0.3, "said")

    def _unit_before(self) -> Iterator[Piece]:
        """한 달 전이랑 비교하면?: the unit before that of the turn before, not before today."""
        for found in _UNIT_AGO.finditer(self.text) if self.given.base is not None else ():
            unit = _UNIT_OF[found["ko"].replace("개월", "달").replace("년", "해")]
            yield Piece(found.start(), found.end(), (Node("B", base=unit),), 0.2, "said")

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
        merged: dict[tuple[int, str, str], Piece] = {}
        for piece in self._all(place):
            key = (piece.end, "" if piece.nodes else piece.kind, piece.event)
            known = merged.get(key)
            if known is None:
                merged[key] = piece
            else:
                merged[key] = _alternatives(*sorted((known, piece), key=lambda one: one.cost))
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
        said = list(self._operators(place, inside=inside))
        yield from map(self._less_a_state, self._names(place, inside=inside))
        yield from said
        dated = max((p.end for p in said if p.event), default=place)
        for light in (lexicon_ko.WHOLE_LIGHT, lexicon_ko.LIGHT, lexicon_en.LIGHT):
            found = light.match(self.text, place)
            if found is None or dated >= found.end() > place:  # repairs that were finished: a date of theirs
                continue
            if self._may_be_light(found, inside=inside) and not self._hides_period(*found.span()):
                yield Piece(place, found.end(), (), 0.4 if found[0][0].isalnum() else 0.0, "light")
        if inside and "가" <= self.text[place] <= "힣" and not self.text.startswith(_LIMITS, place):
            for end in range(place + 1, min(place + _LONGEST_ENDING, len(self.text)) + 1):
                if lexicon_ko.ENDING.fullmatch(self.text, place, end):
                    yield Piece(place, end, (), 0.2, "ending")
        ending = _HANGUL.match(self.text, place) if before == ")" else None
        if ending and lexicon_ko.ENDING.fullmatch(ending[0]):  # 수표(Check)로
            yield Piece(place, ending.end(), (), 0.2, "ending")
        if not inside or not before.isalnum() or not self.text[place].isalnum():
            yield Piece(place, self.words.get(place, place + 1), (), self._price(place), "unread")

    def _may_be_light(self, found: re.Match[str], *, inside: bool) -> bool:
        """A word that says nothing ends its word, but for particles: 예 is no beginning of 예상, 담당 none of 담당자."""
        said = found[0]
        if (said == "who" and self._asks_who(found)) or self._asks_what(found):
            return False
        if not said or (inside and said[0].isascii() and said[0].isalnum()) or self._is_thing(said):
            return False
        if self._is_mark(found):
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

    def _is_mark(self, found: re.Match[str]) -> bool:
        """Tell whether capitals make a word of the language a value of the data: AS visits, but not AS SOON AS in a shouted one."""
        said, source = found[0], self.given.source
        if not (said.isascii() and said.isalpha() and source.surface(*found.span()).isupper()):
            return False
        others = source.surface(0, found.start()) + source.surface(found.end(), len(self.text))
        shouted = others.isupper() and _LETTERS.search(others) is not None
        return not shouted and any(m.type in ("value", *NAMED) for m in self.given.book.exact.get(said, ()))

    def _is_thing(self, said: str) -> bool:
        """Tell whether a title is a kind of thing of the model: 선생님 of a school; 팀장 by rank, an 이사 that is a move."""
        title = lexicon_ko.TITLE.fullmatch(said) is not None
        kinds = self.given.book.exact.get(said, ()) if said.endswith("님") or title else ()
        return any(
            meaning.type == "dimension" or (title and meaning.type in ("metric", "value"))
            for meaning in kinds
        )

    def _asks_what(self, found: re.Match[str]) -> bool:
        """Tell whether the word asks for things that are sold: 뭘 제일 많이 샀어?"""
        patterns = operators().get(self.text[found.start()], ())
        return any(
            node.cat == "WHAT" and built(pattern).match(self.text, found.start()) and self._operator(node)
            for pattern, node in patterns
        )

    def _asks_who(self, found: re.Match[str]) -> bool:
        """Tell a question (who reached 110 %?) from a relative clause, and from "who is ..."."""
        begins = _CLAUSE_BEFORE.search(self.text, 0, found.start()) is not None
        return begins and self.given.terms.person is not None and not _BE.match(self.text, found.end())

    def _price(self, place: int) -> float:
        word = self.text[place : self.words.get(place, place + 1)]
        return UNREAD if any(char.isalnum() or char in "%$₩€<>=+" for char in word) else 0.0

    def _operators(self, place: int, *, inside: bool) -> Iterator[Piece]:
        first = self.text[place]
        for pattern, node in operators().get(first, ()):
            if inside and first.isascii() and first.isalpha():
                break
            found = built(pattern).match(self.text, place)
            nodes = self._operator(self._likely(node, found[0])) if found and found.end() > place else ()
            if (
                nodes and nodes[0].dim is not None and nodes[0].cat == "D"
            ):  # cost less than 500 won: the price
                yield Piece(place, found.end() if found else place, nodes, 0.6, "said")
                continue
            if found and nodes and nodes[0].cat not in _OF_TIME and self._hides_period(*found.span()):
                continue
            if found and nodes:  # a word that this model has no meaning for is unread, not silent
                yield Piece(place, found.end(), nodes, 1.0, "said")
        yield from self._verbs(place, inside=inside)
        yield from event_dates.missing(self.text, place, self.verbs, self.events, self.given.terms)

    def _verbs(self, place: int, *, inside: bool) -> Iterator[Piece]:
        dates: list[tuple[int, str]] = []
        done: list[tuple[int, Node]] = []
        for verb in self.verbs.get(self.text[place], ()):
            end = verb.end(self.text, place)
            if end is None or (verb.alone and self.text[end : end + 1].isalnum()):
                continue
            if (verb.alone and inside) and not self._denied(place):
                continue
            said, node = self.text[place:end], self._spent_with_us(verb.node)
            if node.cat == "DV" and str(node.dim) in self.events:
                if said.isascii() and self._is_called_so(said, end) and not _DID.search(self.text, 0, place):
                    continue  # orders are what was ordered, unless somebody did order
                yield from event_dates.counted(self.given.terms, place, end, str(node.dim))
                self.happenings |= {(place, end)} if node.cost else set()
                if not node.cost or _BASIS.match(self.text, end):  # 접수 alone is what was received
                    dates.append((end, str(node.dim)))
                continue
            noun = node.cat == "V" and said.isascii() and said in self.given.book.exact
            done.append((end, replace(node, cost=node.cost + 0.4) if noun else node))
        for end, node in done:
            lines = self._in_lines(node) if node.cat in ("V", "M") else ()
            own = [one for one in dates if one[0] == end and self._speaks_of(node, one[1])]
            yield Piece(place, end, (node, *lines), 1.0, "said", own[0][1] if len(own) == 1 else "")
        for end, name in dates:
            yield event_dates.piece(self.text, place, end, name)

    def _is_called_so(self, said: str, end: int) -> bool:
        """Tell whether a word names a figure or a thing."""
        return any(one.type in ("metric", "dimension") for one in self._known(said, end) or ())

    def _less_a_state(self, piece: Piece) -> Piece:
        """접수 is what was received on a day, or what rows are called, before it is the state that they began with."""
        counted = any(
            n.cat == "M" and self.given.terms.counts(n.metrics[0]) and not n.filters for n in piece.nodes
        )
        if (piece.start, piece.end) not in self.happenings and not counted:
            return piece
        more = 1.8 if (piece.start, piece.end) in self.happenings else 1.0
        return replace(
            piece, nodes=tuple(replace(n, cost=n.cost + more) if n.filters else n for n in piece.nodes)
        )

    def _speaks_of(self, node: Node, date: str) -> bool:
        """Tell whether a verb for what rows are is also that of one of their dates: shipments that were delivered."""
        terms = self.given.terms
        return node.cat == "V" and terms.table(node.metrics[0]) == terms.dimensions[date].table

    def _hides_period(self, start: int, end: int) -> bool:
        """Tell whether a longer word would take a period in: no date may be lost in the words around it."""
        return any(start <= first and last <= end for first, last in self.spans)

    def _likely(self, node: Node, said: str) -> Node:
        """Large branches, where the data calls some of them large: the value rather than an order."""
        plain = node.cat == "SUP" and node.rank is not None and node.rank.n == 0
        valued = plain and any(m.type in ("value", *NAMED) for m in self.given.book.exact.get(said, ()))
        return replace(node, cost=node.cost + 0.6) if valued else node

    def _denied(self, place: int) -> bool:
        """안간, 못판: a verb of one syllable right behind the negation that begins its word."""
        return self.text[place - 1] in "안못" and (place == 1 or not self.text[place - 2].isalnum())

    def _sold(self, *, each: bool) -> tuple[Node, ...]:
        """The things that are sold: those among which one is looked for, or (뭘 샀어?) each of them."""
        sold = self.given.terms.domain.entity_dimensions.get("product")
        if sold not in self.given.terms.dimensions:
            return ()
        return (Node("G", groups=(sold,), cost=-0.5) if each else Node("T", dim=sold, cost=-0.5),)

    def _operator(self, node: Node) -> tuple[Node, ...]:
        if node.cat == "WHO":
            person = self._buyer() or self.given.terms.person
            return (Node("T", dim=person, flags=frozenset({"who"})),) if person else ()
        if node.cat == "WHAT":  # 뭘 제일 많이 샀어?
            return self._sold(each=bool(node.split))
        if node.cat == "WHERE":
            place = self.given.terms.domain.entity_dimensions.get("location")
            return (Node("T", dim=place),) if place in self.given.terms.dimensions else ()
        if node.cat == "PERPIECE":
            usual = self.given.terms.usual
            pieces = self.given.terms.pieces_of(usual) if usual else None
            return (Node("PERD", per=f"metric:{pieces}", average=True, cost=0.2),) if pieces else ()
        if node.cat == "PRICED":  # products that cost more than 5,000 won
            price = self.given.terms.price
            return (Node("D", dim=price, cost=-0.3),) if price else ()
        if node.cat == "ACTUAL":
            pair = self.given.terms.with_target()
            return (Node("M", metrics=pair),) if pair else ()
        if node.cat == "DOING":
            usual = self.given.terms.usual
            return (Node("M", metrics=(usual,), flags=frozenset({"usual"})),) if usual else ()
        if node.cat in ("SHORT", "BEYOND"):  # what is missing of the target, or beyond it
            pair = self.given.terms.with_target()
            one, other = pair[::-1] if pair and node.cat == "SHORT" else pair or ("", "")
            return (Node("M", metrics=(one,), per=f"less:{other}"),) if pair else ()
        if node.cat == "GAP":
            pair = self.given.terms.with_target()
            other = Node("M", metrics=pair[1:])
            return (Node("Q", metrics=pair[:1], kind="difference", other=(other,)),) if pair else ()
        return (node,)

    def _buyer(self) -> str | None:
        """The kind of customer, where it is asked who bought."""
        kind = self.given.terms.domain.entity_dimensions.get("organisation")
        return kind if kind in self.given.terms.dimensions and _WHO_BOUGHT.search(self.text) else None

    def _spent_with_us(self, node: Node) -> Node:
        """The money that hospitals spent with us: our sales."""
        usual = self.given.terms.usual
        paid = node.cat == "V" and usual is not None and self.given.terms.is_money(node.metrics[0])
        own = paid and self.given.terms.table(node.metrics[0]) != self.given.terms.table(str(usual))
        return replace(node, metrics=(str(usual),)) if own and _WITH_US.search(self.text) else node

    def _names(self, place: int, *, inside: bool) -> Iterator[Piece]:
        """Every known word that begins here. Only one that begins a word may go on behind a space."""
        text, limit = self.text, self.given.book.longest.get(self.text[place], 0)
        limit += _PLURAL if limit and text[place].isascii() else 0
        key, end = "", place
        while end < len(text) and len(key) < limit:
            if text[end].isspace():
                if inside or (
                    len(key) < 2 and not key.isascii() and key not in self.given.terms.first_syllables
                ):
                    return
            else:
                key += text[end]
                if (meanings := self._known(key, end + 1)) and not self._cuts_a_word(place, end + 1):
                    yield from self._named(place, end + 1, meanings, inside=inside)
            end += 1

    def _cuts_a_word(self, start: int, end: int) -> bool:
        """배송 비중: a word that goes on behind a space takes no single syllable off the next one."""
        after = _HANGUL.match(self.text, end)
        if after is None or not self.text[end - 2].isspace() or end - 2 <= start:
            return False
        return lexicon_ko.ENDING.fullmatch(after[0]) is None and after[0][0] not in "별마당순"

    def _known(self, key: str, end: int) -> tuple[Meaning, ...] | None:
        after = self.text[end : end + 1]
        if key[-1].isascii() and key[-1].isalnum():
            if after and after.isascii() and after.isalnum() and not (key[-1].isdigit() and after.isalpha()):
                return None
            if len(key) < 3:
                return self.given.book.exact.get(key)
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
        if len(said) == 1 and said.isascii() and not self.given.source.surface(start, end).isupper():
            return  # as a chart: an article, not the value A
        meanings = titled(start, end, meanings, self.text, self.given.book)
        entity = of_meanings(start, end, meanings, self.given.source)
        if entity is None:
            return
        self._keep_open(start, end, meanings)
        if len(said) == 1 and not self._is_word(start, end, entity, inside=inside):
            return
        one_of = self.chosen.get((start, end))
        if one_of is not None and len(entity) > 1 and any(e.type == one_of.type for e in entity):
            other = [e for e in entity if e.type != one_of.type]
            entity = [one_of, *other]
        nodes: list[Node] = []
        for one in entity:
            nodes.extend(self.of_entity(one))
        nodes = [*self._no_extreme(start, end, nodes), *self._mean_per_thing(start, end)]
        nodes = self._of_that_rank(end, said, nodes)
        silent = any(one.type in _SILENT for one in entity)
        if inside and self._compound(start, nodes):
            return
        if nodes:
            yield Piece(start, end, tuple(dict.fromkeys(nodes)), self._cost(start, end, meanings), "said")
            yield from self._spent_on(start, end, nodes)
        elif silent:
            yield Piece(start, end, (), 0.6, "light")

    def _of_that_rank(self, end: int, said: str, nodes: list[Node]) -> list[Node]:
        """팀장 are the people of that rank, unless figures are split by them, or all of these people are called so."""
        kinds = {n.dim for n in nodes if n.cat == "T" and n.filters and not self._is_called(str(n.dim), said)}
        if self.text.startswith("별", end):
            return nodes
        return [n for n in nodes if n.cat != "T" or n.filters or n.dim not in kinds]

    def _no_extreme(self, start: int, end: int, nodes: list[Node]) -> list[Node]:
        """An adjective and a kind of thing name that rather than a figure: the longest track is a track, no length."""
        said = _EXTREME.match(self.text, start, end)
        kinds = self.given.book.exact.get("".join(self.text[said.end() : end].split()), ()) if said else ()
        if not any(
            m.type == "dimension" and m.extra.get("name") in self.given.terms.dimensions for m in kinds
        ):
            return nodes
        return [replace(n, cost=n.cost + 1.2) if n.cat == "M" else n for n in nodes]

    def _mean_per_thing(self, start: int, end: int) -> Iterator[Node]:
        """Average sales per rep: what each of them sold, rather than the mean of single sales. The average fine per branch is
        the mean of single fines."""
        said = _AVERAGE.match(self.text, start, end)
        begin = said.end() if said else start
        before = said or _AVERAGE_BEFORE.search(self.text, 0, start)  # the average October sales per hospital
        if before is None or not _PER_AFTER.match(self.text, end):
            return
        usual = (
            f"{self.text[begin:end]}s" in self._usual_labels()
        )  # the average sale per hospital: of all its sales
        if not usual and not _MASS.search(self.text, begin, end):
            return
        said_as = "".join(self.text[begin:end].split()) + ("s" if usual else "")
        for meaning in self.given.book.exact.get(said_as, ()):
            name = str(meaning.extra.get("name"))
            if meaning.type == "metric" and name in self.given.terms.metrics and self.given.terms.adds(name):
                yield Node("M", metrics=(name,), average=True, cost=-0.8)

    def _usual_labels(self) -> tuple[str, ...]:
        term = self.given.terms.metrics.get(self.given.terms.usual or "")
        return tuple(label.lower() for label in term.labels) if term else ()

    def _keep_open(self, start: int, end: int, meanings: tuple[Meaning, ...]) -> None:
        several = namesakes(start, end, meanings, self.given.source)
        if several is not None and several.normalized is None:
            self.open_names[start, end] = several

    def _is_word(self, start: int, end: int, entity: Sequence[Entity], *, inside: bool) -> bool:
        """Tell whether a single syllable stands for itself: 곡, 팀별, but not the 시 of 시간."""
        said, after = self.text[start:end], _HANGUL.match(self.text, end)
        if said in "팀약" or (not inside and _GRAIN_AFTER.match(self.text, end)):
            return True
        whole = after is None or lexicon_ko.ENDING.fullmatch(after[0]) is not None
        named = any(one.type in ("dimension", "value", *NAMED) for one in entity)
        return not inside and whole and (said in "달날" or (named and said not in _NO_NAMES))

    def _cost(self, start: int, end: int, meanings: Sequence[Meaning]) -> float:
        """A word of the model costs less than one that only means the same."""
        meant = next((m.extra["synonym_of"] for m in meanings if m.extra.get("synonym_of")), None)
        if meant is None:
            words = self.text[start:end].split()
            light = len(words) > 1 and all(lexicon_en.LIGHT.fullmatch(word) for word in words)
            return 0.1 * len(words) if light else 1.0  # on display: each word alone would say nothing
        self.synonyms[start, end] = str(meant)
        return 1.4

    def _spent_on(self, start: int, end: int, nodes: Sequence[Node]) -> Iterator[Piece]:
        """기념품비: what was spent on them."""
        spent = tuple(replace(n, cost=0.0) for n in nodes if n.cat == "M" and n.filters)
        named = self.text[start : end + 1] in self.given.book.exact
        if spent and not named and _COST.match(self.text, end):
            yield Piece(start, end + 1, spent, 1.0, "said")

    def _compound(self, start: int, nodes: Sequence[Node]) -> bool:
        """병원팀: the name of a team that is not known as a whole, rather than two kinds of things."""
        dimensions = self.given.terms.dimensions
        if not any(n.cat == "T" and n.dim in dimensions and not dimensions[n.dim].is_thing for n in nodes):
            return False
        begin = start
        while begin and "가" <= self.text[begin - 1] <= "힣":
            begin -= 1
        return any(m.type == "dimension" for m in self.given.book.exact.get(self.text[begin:start], ()))

    def _elsewhere(self, entity: Entity, own: Restriction) -> Iterator[Node]:
        """The same value of other columns: a region that is shipped to or billed. Which is meant, the noun beside it says."""
        for name in map(str, entity.extra.get("also") or ()):
            alike = self.given.terms.same_list(own.dimension, name)
            ends = _end_of(own.dimension), _end_of(name)
            both = None not in ends and ends[0] != ends[1]  # where from and where to: neither is the likelier
            cost = 0.0 if both else 0.1 if alike else 0.5
            yield Node("F", filters=(replace(own, dimension=name),), cost=cost + self._off_way(entity, name))

    def _off_way(self, entity: Entity, dimension: str) -> float:
        """The cost of a place where things come from, if the question says where they go to, or the other way round."""
        side = _end_of(dimension)
        going = _TO.search(self.text, 0, entity.start) or _TO_KO.match(self.text, entity.end)
        coming = _FROM.search(self.text, 0, entity.start) or _FROM_KO.match(self.text, entity.end)
        if side is None or not (going or coming):
            return 0.0
        return -0.3 if (side == "to") == bool(going) else 1.5

    def of_entity(self, entity: Entity) -> tuple[Node, ...]:
        name = str(entity.extra.get("name") or "")
        if entity.type == "metric":
            known = name in self.given.terms.metrics
            return (Node("M", metrics=(name,)), *self._in_lines(Node("M", metrics=(name,)))) if known else ()
        if entity.type == "ambiguous_metric":
            known = [n for n in entity.extra.get("options", ()) if n in self.given.terms.metrics]
            money = "money" if known and all(map(self.given.terms.is_money, known)) else None
            return (Node("M", metrics=(known[0],), cost=0.5), Node("MUCH", unit=money)) if known else ()
        if entity.type == "dimension":
            return self._dimension(entity, name)
        if entity.type in NAMED:
            return self._value(entity)
        if entity.type == "period" and entity.extra.get("start"):
            first, last = (date.fromisoformat(str(entity.extra[end])) for end in ("start", "end"))
            return (Node("P", period=Span(first, last, self.given.source.surface(entity.start, entity.end))),)
        return ()

    def _in_lines(self, node: Node) -> Iterator[Node]:
        """The same figure by lines: what each kind of unit earned, where rentals have amounts and their lines have units."""
        lines = self.given.terms.metrics[node.metrics[0]].in_lines if len(node.metrics) == 1 else None
        if lines in self.given.terms.metrics:
            yield replace(node, metrics=(str(lines),), cost=node.cost + 0.4)

    def _dimension(self, entity: Entity, name: str) -> tuple[Node, ...]:
        said = self.text[entity.start : entity.end]
        if name in TIMES or name in self.given.terms.dimensions:
            every = name in TIMES and (_GROUPED.fullmatch(said) or said.startswith("매"))
            if (
                every or said.startswith(("by ", "each ")) or self._split_by(said, name)
            ):  # 매월, but a 매장 is a shop
                return (Node("G", groups=(name,)),)
            if name in TIMES and _NAMED_UNIT.search(self.text, 0, entity.start):
                return ()  # this year: a period, not every year
            measured = self.given.terms.dimensions.get(name)
            if (
                _WHICH.search(self.text, 0, entity.start)
                and said.endswith("s")
                and not said.endswith(("ss", "us", "is"))
                and not _ONE_OF.match(self.text, entity.end)
            ):
                return (Node("T", dim=name, flags=frozenset({"several"})), Node("T", dim=name, cost=0.3))
            return (Node("D" if measured is not None and measured.measured else "T", dim=name),)
        return ()

    def _split_by(self, said: str, name: str) -> bool:
        """Tell whether a known phrase ends in 별 behind what the dimension is called: 결제 수단별, but no 성별."""
        term = self.given.terms.dimensions.get(name)
        return said.endswith("별") and term is not None and said[:-1].strip() in term.labels

    def _is_called(self, thing: str, said: str) -> bool:
        """Tell whether a word for one kind of a thing is the word for all: the designers, of whom some rank as designers."""
        term = self.given.terms.dimensions.get(thing)
        return term is not None and said in term.labels

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
            money = given.terms.kind_of_money(field) if entity.type == "value" else None
            spent = (Node("M", metrics=(money,), filters=(own,), cost=0.6),) if money else ()
            kind = thing and given.terms.is_kind_of(
                str(owner), own.labels
            )  # 종합병원 is a 병원, Seoul is none
            flags, cost = (frozenset[str](), -0.1) if kind else (frozenset({"implied"}), 0.2)
            more = (Node("T", dim=owner, filters=(own,), flags=flags, cost=cost),) if thing else ()
            found = (
                Node("F", filters=(own,), cost=self._off_way(entity, field)),
                *more,
                *spent,
                *self._elsewhere(entity, own),
            )
            if thing and self._is_called(str(owner), self.text[entity.start : entity.end]):
                found = tuple(replace(node, cost=node.cost + 1.0) for node in found)
            return found
        return ()
