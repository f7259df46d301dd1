"""The composed reading of a question: ranked requests, what was left unread, and whether two readings are close."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.domain import Domain, SemanticVocabulary
from metaagent.level1.query_analyzer.entities import Entity
from metaagent.level1.query_analyzer.grammar import (
    event_dates,
    rules_attributes,
    rules_basis,
    rules_compared,
    rules_context,
    rules_counting,
    rules_figures,
    rules_follow_ups,
    rules_growth,
    rules_limits,
    rules_ranking,
    rules_ratios,
    rules_rows,
    rules_things,
    time_of_things,
)
from metaagent.level1.query_analyzer.grammar.chart import EN, KO, parse
from metaagent.level1.query_analyzer.grammar.conservation import lost
from metaagent.level1.query_analyzer.grammar.evidence import Evidence
from metaagent.level1.query_analyzer.grammar.meaning import Node
from metaagent.level1.query_analyzer.grammar.request import Request, Scope, listed_rows, requests
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms
from metaagent.level1.query_analyzer.grammar.tokens import UNREAD, Path, Piece, paths

MODULES = (
    rules_context,
    rules_follow_ups,
    rules_figures,
    rules_ratios,
    rules_growth,
    rules_limits,
    rules_things,
    rules_compared,
    rules_ranking,
    rules_basis,
    rules_counting,
    rules_attributes,
    rules_rows,
)
CLOSE = 0.25
MOST_UNREAD = 3
LONGEST = 400
"""Letters of a question that is composed: a longer text holds more than one, and the chart grows with its cube."""
MOST_PIECES = 24
_WHICH = regex(r"(?<![a-z])which\s\Z|(?<![가-힣])(?:어느|어떤)\s?\Z")
_WHO = regex(r"(?<![가-힣])(?:누구|누가|누군)|(?<![a-z])(?:who|whom|whose)(?![a-z])")
"""Words that ask for somebody by name."""
_NAMING = frozenset({"dimensions", "count_groups", "among", "existence"})
"""Parts of a request of which things come out, or that are about them."""
_LINKS = frozenset({"AND", "OR", "ALSO"})
_FRAGMENTS = frozenset(
    {
        "F",
        "P",
        "B",
        "G",
        "T",
        "R",
        "TOP",
        "C",
        "DAYS",
        "FLAG",
        "TREND",
        "ORDER",
        "EACH",
        "PERD",
        "PERT",
        "H",
        "SUP",
        "SHARE",
        "SM",
        "BG",
        "M",
        "GM",
        "N",
        "BYM",
        "COUNT",
        "SUPQ",
        "TOTAL",
        "DIFF",
        "TIMES",
        "RATIO",
        "NTH",
        "GS",
        "GROW",
        "RATE",
        "MM",
        "REST",
        "AVG",
        "PCT",
        "NOT",
        "DID",
        "ESHARE",
        "NP",
        "MUCH",
        "TG",
    }
)


@dataclass(frozen=True)
class Composed:
    requests: tuple[Request, ...] = ()
    """Readings of the whole question, best first."""
    fragment: Node | None = None
    """A phrase that asks nothing by itself: what a follow-up puts in place of what was said before."""
    path: tuple[Piece, ...] = ()
    unread: tuple[tuple[int, int], ...] = ()
    """Words that no piece covers."""
    synonyms: tuple[tuple[int, int, str], ...] = ()
    """Words that were read as another one of the same meaning."""
    open_names: tuple[Entity, ...] = ()
    """Names of several things that the best reading uses."""
    stuck: tuple[tuple[int, int], ...] = ()
    """The words that are known, where nothing was read."""
    simpler: tuple[Piece, ...] = ()
    """The words as the phrase reads them, where a split or a ranking reads them more simply than any whole question."""

    @property
    def best(self) -> Request | None:
        return self.requests[0] if self.requests else None

    @property
    def close(self) -> tuple[Request, ...]:
        """Readings that differ from the best in what they ask, not in how likely they are."""
        best = self.best
        return () if best is None else tuple(r for r in self.requests[1:] if r.cost - best.cost < CLOSE)

    @property
    def guesses(self) -> tuple[tuple[int, int], ...]:
        return tuple((p.start, p.end) for p in self.path if p.kind == "guess")


@lru_cache(maxsize=32)
def terms_of(domain: Domain, vocabulary: SemanticVocabulary) -> Terms:
    return Terms(vocabulary, domain)


def compose(evidence: Evidence, scope: Scope, languages: Sequence[str]) -> Composed:
    if len(evidence.source.text) > LONGEST:
        return Composed()
    reader = evidence.reader()
    ways = paths(reader.text, reader.at)
    if not ways:
        return Composed()
    least = round(ways[0][0] // UNREAD)
    if least > MOST_UNREAD or (least == 0 and not any(p.nodes for p in ways[0][1])):
        return _nothing(ways)
    found: dict[str, tuple[float, Request, tuple[Piece, ...]]] = {}
    fragments: list[tuple[float, Node, tuple[Piece, ...]]] = []
    for cost, path in ways:
        if (cost // UNREAD > least and (found or fragments)) or cost // UNREAD > least + 1:
            break
        asked = _asked(reader.text, path, scope.terms)
        for language in languages:
            for node in parse(scope.terms, _content(path), language):
                _keep(found, node, path, cost, scope, asked)
                if node.cat in _FRAGMENTS and cost // UNREAD == least:
                    fragments.append((cost + node.cost, node, path))
    ranked = sorted(found.values(), key=lambda item: item[0])
    ranked, unlisted = _listed(reader.text, ranked, scope.terms)
    if not ranked and not fragments:
        return _nothing(ways)
    fragments.sort(key=lambda item: item[0])
    path = ranked[0][2] if ranked else fragments[0][2]
    return Composed(
        tuple(replace(request, cost=cost) for cost, request, _ in ranked),
        fragments[0][1] if fragments else None,
        path,
        (*_unread(path), *unlisted),
        tuple(
            (*place, reader.synonyms[place])
            for p in path
            if p.nodes and (place := (p.start, p.end)) in reader.synonyms
        ),
        tuple(one for p in path if p.nodes and (one := reader.open_names.get((p.start, p.end)))),
        simpler=_simpler(ranked, fragments),
    )


_Ranked = list[tuple[float, Request, tuple[Piece, ...]]]
_LIST = regex(
    r"(?<![가-힣])(?:목록|리스트|명단)(?=[을를만도은는이]|\s|[?.!]|\Z)|(?<![a-z])(?:a |the )?list of(?![a-z])"
)
_LIST_VERB = regex(r"(?:\A|please |you |to |me )list(?= )")


def _listed(text: str, ranked: _Ranked, terms: Terms) -> tuple[_Ranked, tuple[tuple[int, int], ...]]:
    """Events by name, where a list of them is asked for and their number was read; where they have no names, or a sum
    was read, the word for the list is left unread."""
    said = _LIST.search(text) or _LIST_VERB.search(text)
    rows = [one for one in ranked if said and {"day"} < {*(one[1].query.get("dimensions") or ())}]
    if rows and rows[0][0] - ranked[0][0] < CLOSE:
        return rows[:1], ()
    query = ranked[0][1].query if ranked else {}
    metrics = [str(m) for m in query.get("metrics") or ()]
    one_row = metrics and not any(
        query.get(key) for key in (*_NAMING, "derived", "top", "comparison", "share")
    )
    if said is None or not one_row or (not _LIST.search(text) and not terms.counts(metrics[0])):
        return ranked, ()
    kinds = [name for name in terms.dimensions if len(metrics) == 1 and terms.counted_by(name) == metrics[0]]
    if len(kinds) != 1:
        return ranked, (said.span(),)
    cost, request, path = ranked[0]
    named = replace(request, query={**query, "dimensions": kinds})
    if terms.events_of(kinds[0]) == metrics[0]:
        listed_rows(named.query, metrics[0], terms)
    return [(cost, named, path)], ()


def _simpler(
    ranked: Sequence[tuple[float, Request, tuple[Piece, ...]]],
    fragments: Sequence[tuple[float, Node, tuple[Piece, ...]]],
) -> tuple[Piece, ...]:
    """비용 항목별로: by the kind of expense, rather than expenses by kind."""
    node = fragments[0][1] if ranked and fragments else None
    if node is None or not (node.cat == "G" or (node.cat == "T" and node.rank and node.rank.by is None)):
        return ()
    return fragments[0][2] if fragments[0][0] + CLOSE < ranked[0][0] else ()


def _content(path: Sequence[Piece]) -> list[tuple[Node, ...]]:
    """The words that are composed; a linking word at either end only joins the talk before it, or another part of the question."""
    said = [p.nodes for p in path if p.nodes]
    if len(said) > MOST_PIECES:
        return []
    while said and all(node.cat in _LINKS for node in said[0]):
        said = said[1:]
    while said and all(node.cat in _LINKS for node in said[-1]):
        said = said[:-1]
    return said


def _keep(
    found: dict[str, tuple[float, Request, tuple[Piece, ...]]],
    node: Node,
    path: tuple[Piece, ...],
    cost: float,
    scope: Scope,
    asked: _Asked,
) -> None:
    for plain in requests(node, scope):
        request = event_dates.dated(plain, path, scope.terms)
        if request is None:
            continue
        if lost(path, request, scope.terms) or _divides_by_itself(request):
            continue
        if _divides_a_mean(request, scope.terms):
            continue
        if _is_of_nothing(request, scope.terms) or _is_no_usual(request, scope.terms):
            continue
        if _leaves_open(request, asked, scope.terms):
            continue
        groups = sorted(
            request.query.get("dimensions") or ()
        )  # which of two groups comes first is no other meaning
        alike = {**request.query, "dimensions": groups}
        if events := request.query.get("existence"):  # without a sale, without sales: the same rows
            facts = [{**e, "fact_metric": scope.terms.table(e["fact_metric"])} for e in events]
            alike["existence"] = sorted(facts, key=str)
        if parts := request.query.get("derived"):
            alike["derived"] = [_per_its_own(one, scope.terms) for one in parts]
        key = json.dumps(alike, sort_keys=True, default=str)
        total = cost + request.cost + (1.0 if _is_timeless(request, scope.terms) else 0.0)
        total += 1.0 if _sums_chosen(request) or _lists_rows_of_things(request, path) else 0.0
        total += 1.0 if _is_out_of_reach(request, scope.terms) else 0.0
        total += 1.5 if asked.parted and not request.query.get("rows") else 0.0
        total += 0.6 if _is_of_others(request, path, scope.terms) else 0.0
        if key not in found or total < found[key][0]:
            found[key] = (total, request, path)


def _is_of_others(request: Request, path: Sequence[Piece], terms: Terms) -> bool:
    """유효한 계약: a state of the berths, where the contracts that are counted have one of the same name."""
    used = {str(f["dimension"]) for f in request.query.get("filters") or ()}
    metrics = [str(m) for m in request.query.get("metrics") or () if m in terms.metrics][:1]
    for piece in path if metrics else ():
        said = {n.filters[0].dimension for n in piece.nodes if n.cat == "F" and len(n.filters) == 1}
        own = {name for name in said if terms.is_of_rows(name, metrics[0])}
        if own and not own & used and said & used:
            return True
    return False


def _per_its_own(part: Mapping[str, Any], terms: Terms) -> dict[str, Any]:
    """So much per seminar and so much divided by the number of seminars are one meaning, where each row is one."""
    below, above = part.get("denominator") or {}, part.get("numerator") or {}
    kind = str(below.get("metric") or "")
    own = terms.counted_by(kind.removeprefix("count:")) if kind.startswith("count:") else None
    if (
        own is None
        or above.get("metric") not in terms.metrics
        or not terms.same_fact(str(above["metric"]), own)
    ):
        return dict(part)
    return {**part, "name": f"{above['metric']}__per__{own}", "denominator": {"metric": own}}


def _lists_rows_of_things(request: Request, path: Sequence[Piece]) -> bool:
    """The ten reps with the highest expenses: people by their sums, rather than ten single expenses."""
    said = [p for p in path if p.nodes]
    counted = {
        n.dim
        for number, thing in pairwise(said)
        for n in thing.nodes
        if n.cat == "T" and all(m.cat == "N" for m in number.nodes)
    }
    groups = request.query.get("dimensions") or ()
    return bool(request.query.get("limit")) and len(groups) > 1 and bool(counted & {*groups})


class _Asked(NamedTuple):
    """Words that say what an answer must hold."""

    which: bool
    when: bool
    doers: str | None
    places: bool
    parted: bool
    number: bool
    deeds: str | None
    cut: bool
    sides: bool
    listed: tuple[str, ...]
    theirs: bool


def _asked(text: str, path: Sequence[Piece], terms: Terms) -> _Asked:
    return _Asked(
        _asks_which(text, path),
        time_of_things.asks_when(text),
        _counted_doers(text, path, terms),
        _PLACES.search(text) is not None,
        _are_parted(text, path),
        _NUMBER.search(text) is not None and _EACH.search(text) is None,
        _counted_deeds(text, path, terms),
        _cuts_a_span(text, path),
        _SIDES.search(text) is not None,
        _listed_figures(text, path),
        _THEIRS.search(text) is not None,
    )


_THEIRS = regex(r"(?<![a-z])(?:with|and|plus) (?:their|its)(?: own| respective)? [a-z]+")


def _shows_things_alone(request: Request) -> bool:
    """Tell whether one column comes out, where things are asked for with something that they have."""
    query = request.query
    plain = not any(query.get(key) for key in ("metrics", "derived", "existence", "count_groups"))
    return plain and len(query.get("dimensions") or ()) < 2


_ANY_MONEY = regex(r"금액|액수|돈|amounts?|money|values?|sums?")
"""Words for whatever figure is in money, and for none of its own."""
_SEPARATED = regex(r"(?:[,·/&]|이랑|하고|및|(?<=[가-힣])[과와랑]|(?<![a-z])and)\s*\Z")


def _listed_figures(text: str, path: Sequence[Piece]) -> tuple[str, ...]:
    """The figures that stand in a list, whatever else their words may say: 목표, 실적, 달성률."""
    return tuple(
        node.metrics[0]
        for piece in path
        if {"M", "MUCH"} <= {node.cat for node in piece.nodes}
        and _SEPARATED.search(text, 0, piece.start)
        and not _ANY_MONEY.fullmatch(text, piece.start, piece.end)
        for node in piece.nodes
        if node.cat == "M" and len(node.metrics) == 1
    )


_SIDES = regex(r"(?<![a-z])(?:versus|vs)(?![a-z])")


def _joins_sides(request: Request) -> bool:
    """Tell whether two things that are set against each other became one figure."""
    query = request.query
    several = any(len(one.get("values") or ()) > 1 for one in query.get("filters") or ())
    return (
        several
        and request.compared is None
        and not any(query.get(key) for key in ("dimensions", "derived", "comparison"))
    )


_SPAN = regex(
    r"(?P<ko>[가-힣]+(?:부터|에서)\s(?:[가-힣]+\s){0,2}?[가-힣]+까지)(?=\s?(?:평균\s?)?(?:며칠|몇\s?일|얼마나|걸|기간|소요))"
    r"|(?:how long|how many days|number of days|average days)\s[^?]{0,40}?"
    r"(?P<en>(?:from|between)\s[^?]{2,40}?\s(?:to|and|until)\s[a-z]+)"
)


def _cuts_a_span(text: str, path: Sequence[Piece]) -> bool:
    """Tell whether how long it takes from one date to another was read as anything but one figure."""
    found = _SPAN.search(text)
    if found is None:
        return False
    start, end = found.span("ko" if found["ko"] else "en")
    inside = [p for p in path if p.start < end and start < p.end and (p.nodes or p.event)]
    return len(inside) > 1 and not any(node.cat == "P" for p in inside for node in p.nodes)


def _leaves_open(request: Request, asked: _Asked, terms: Terms) -> bool:
    """Tell whether a request answers something else than what the words ask for."""
    query = request.query
    named = request.compared is not None or bool(_NAMING & {key for key, value in query.items() if value})
    return (
        (asked.which and not named)
        or (asked.when and not _tells_when(request, terms))
        or (asked.doers is not None and not _counts(request, asked.doers, terms))
        or (asked.places and not _counts_things(request, terms))
        or asked.cut
        or (asked.sides and _joins_sides(request))
        or any(f'"{name}"' not in json.dumps(query, default=str) for name in asked.listed)
        or (asked.theirs and _shows_things_alone(request))
        or (asked.number and _lists_unasked(request, terms))
        or (asked.deeds is not None and f'"{asked.deeds}"' not in json.dumps(query, default=str))
    )


def _asks_which(text: str, path: Sequence[Piece]) -> bool:
    """Tell whether things are asked for (which branch took most, 어느 지점이, 누구야), so that a figure alone is no answer."""
    return bool(_WHO.search(text)) or any(
        p.nodes and all(node.cat == "T" for node in p.nodes) and _WHICH.search(text, 0, p.start) for p in path
    )


def _is_timeless(request: Request, terms: Terms) -> bool:
    """Products that came out in 2015: their number has no date that a period could limit."""
    figures = [str(m) for m in request.query.get("metrics") or () if m in terms.metrics]
    plain = not any(request.query.get(key) for key in ("derived", "existence", "among", "having"))
    timeless = figures and not any(terms.metrics[m].time or terms.metrics[m].sides for m in figures)
    return bool(plain and timeless and request.query.get("period"))


def _is_out_of_reach(request: Request, terms: Terms) -> bool:
    """Tell whether a figure has no such property to be limited or split by, so that another one of that name is likelier."""
    query = request.query
    parts = [
        one.get(side) or {} for one in query.get("derived") or () for side in ("numerator", "denominator")
    ]
    whole = [*(query.get("dimensions") or ()), *(one["dimension"] for one in query.get("filters") or ())]
    asked = [(str(name), whole) for name in query.get("metrics") or ()]
    asked += [
        (str(p.get("metric")), [*whole, *(f["dimension"] for f in p.get("filters") or ())]) for p in parts
    ]
    return any(not terms.splits(name, dim) for name, dims in asked for dim in dims)


def _sums_chosen(request: Request) -> bool:
    """Reps with fewer than 7 visits, with the number of visits: that of each, rather than of all of them together."""
    query, chosen = request.query, request.query.get("among") or {}
    limited = {str(one["column"]) for one in chosen.get("having") or ()}
    alone = not query.get("dimensions") and not query.get("derived") and request.node.split is not False
    return alone and set(query.get("metrics") or ()) == limited and bool(limited)


def _tells_when(request: Request, terms: Terms) -> bool:
    """Tell whether days, months or dates of things come out of it, so that it answers when something was."""
    named = [str(name) for name in request.query.get("dimensions") or ()]
    chosen = (request.query.get("among") or {}).get("dimensions") or ()
    return request.compared is not None or any(
        name in TIMES or terms.dated(name) for name in (*named, *chosen)
    )


_NUMBER = regex(r"몇\s?(?:건|개|명|번|회|곳|대)(?!\s?씩)|(?:\A|[.,] )how many ")
_EACH = regex(
    r"별|마다|각각?|씩|어느|어떤|누가|누구|언제|비교|대비|보다|순으로|순서|목록|추이|(?<![a-z])(?:by|per|each|every|which|who|list|broken|across|compare|trend|than|versus|vs|top|most|least|fewest|when)(?![a-z])"
)


def _lists_unasked(request: Request, terms: Terms) -> bool:
    """Tell whether a number is answered by things that nobody asked to see, such as garments: 세탁물 접수 몇 건?"""
    query = request.query
    limited = {str(one["dimension"]) for one in query.get("filters") or ()}
    split = [
        str(name)
        for name in query.get("dimensions") or ()
        if name in terms.dimensions and name not in limited
    ]
    return (
        bool(split)
        and bool(query.get("metrics"))
        and not any(query.get(key) for key in ("top", "having", "existence", "share", "among", "rows"))
    )


_OUT_OF_KO = regex(r"\s?(?:중|가운데)(?:에서는?|에는?|에)?\s")


def _are_parted(text: str, path: Sequence[Piece]) -> bool:
    """Tell whether a limit chooses among rows: 정비 중에서 48만 원 넘는 건."""
    said = [p for p in path if p.nodes]
    parted = [p.end for p in said if all(n.cat == "M" for n in p.nodes) and _OUT_OF_KO.match(text, p.end)]
    return any(p.start > parted[0] and any(n.cat in ("CMP", "C") for n in p.nodes) for p in said if parted)


_LINKED = regex(
    r"\s*(?:that |which |who |have |has |had |actually |ever |(?:did|do|have|had) (?:we|our (?:reps|people|teams?|staff)) )*"
)


def _counted_doers(text: str, path: Sequence[Piece], terms: Terms) -> str | None:
    """The things that are counted, not their deeds: how many clinics bought something?"""
    said = [p for p in path if p.nodes]
    for count, thing, verb in zip(said, said[1:], said[2:], strict=False):
        kinds = {node.dim for node in thing.nodes if node.cat == "T"}
        if (
            all(n == Node("COUNT") for n in count.nodes)
            and len(kinds) == 1
            and all(n.cat == "V" for n in verb.nodes)
            and _LINKED.fullmatch(text, thing.end, verb.start)
            and count.start < thing.start
        ):
            kind = next(iter(kinds))
            return kind if kind and not terms.is_sold(kind) else None
    return _doers_named_before(text, said, terms)


def _counted_deeds(text: str, path: Sequence[Piece], terms: Terms) -> str | None:
    """The events that are counted, and not who has them: how many orders over 2 million won did hospitals place?"""
    said = [p for p in path if p.nodes]
    for count, deed in pairwise(said):
        names = {name for n in deed.nodes for name in n.metrics}
        asked = all(n == Node("COUNT") for n in count.nodes) and len(names) == 1
        if (
            asked
            and all(n.cat in ("M", "V") for n in deed.nodes)
            and not text[count.end : deed.start].strip()
        ):
            name = next(iter(names))
            return name if terms.metrics[name].aggregate == "count" and terms.metrics[name].time else None
    return None


_OUT_OF = regex(r"(?:\A|[\s,])(?:out )?(?:of|among) (?:(?:all|those|these|the|our|that) )*\Z")


def _doers_named_before(text: str, said: Sequence[Piece], terms: Terms) -> str | None:
    """The things named before the number: of the hospitals that we visited, how many bought something?"""
    asked = next((i for i, p in enumerate(said) if all(n == Node("COUNT") for n in p.nodes)), 0)
    if not asked or len(said) <= asked + 1 or any(n.cat != "V" for n in said[asked + 1].nodes):
        return None
    kinds = {n.dim for n in said[0].nodes if n.cat == "T"}
    kind = next(iter(kinds)) if len(kinds) == 1 and _OUT_OF.search(text, 0, said[0].start) else None
    return kind if kind and not terms.is_sold(kind) else None


_PLACES = regex(r"몇\s?(?:곳|군데)(?!\s?(?:당|에서|마다))")


def _counts_things(request: Request, terms: Terms) -> bool:
    """Tell whether 몇 곳 is answered with a number of things, and not of their deeds."""
    query = request.query
    figures = {str(m) for m in query.get("metrics") or () if m in terms.metrics}
    counted = {terms.counted_by(name) for name in terms.dimensions}
    distinct = {m for m in figures if terms.metrics[m].aggregate == "count_distinct"}
    shown = query.get("count_groups") or query.get("derived") or query.get("dimensions")
    return bool(shown or distinct or figures & counted)


def _counts(request: Request, kind: str, terms: Terms) -> bool:
    query = request.query
    wanted = {terms.counted_by(kind), *(terms.distinct(kind, m) for m in terms.metrics)} - {None}
    return query.get("count_groups") == kind or bool(wanted & {*(query.get("metrics") or ())})


def _divides_by_itself(request: Request) -> bool:
    """Reservations per reservation are always 1, and never what was asked."""
    return any(
        one.get("kind") == "ratio" and one.get("numerator") == one.get("denominator")
        for one in request.query.get("derived") or ()
    )


_PARTS_THAT_ADD = {
    "per_period": ("sum", "count"),
    "ratio": ("sum", "count", "count_distinct"),
    "share": ("sum", "count", "count_distinct"),
}


def _divides_a_mean(request: Request, terms: Terms) -> bool:
    """Tell whether a mean or a ratio would be divided, which says nothing."""
    return any(
        str((one.get(side) or {}).get("metric")) in terms.metrics
        and terms.metrics[str(one[side]["metric"])].aggregate not in _PARTS_THAT_ADD[one["kind"]]
        for one in request.query.get("derived") or ()
        if one.get("kind") in _PARTS_THAT_ADD
        for side in ("numerator", "denominator")
    )


def _is_of_nothing(request: Request, terms: Terms) -> bool:
    """Travel that is a meal: a figure of some rows only, limited to others of the same kind, has none."""
    query, common = request.query, list(request.query.get("filters") or ())
    sides = [
        one.get(side) or {} for one in query.get("derived") or () for side in ("numerator", "denominator")
    ]
    parts = [*({"metric": name} for name in query.get("metrics") or ()), *sides]
    return any(
        _apart(str(part["metric"]), [*common, *(part.get("filters") or ())], terms)
        for part in parts
        if part.get("metric") in terms.metrics
    )


def _is_no_usual(request: Request, terms: Terms) -> bool:
    """The best by lecture fees: the usual figure is not meant where it cannot be limited to what was named."""
    limits = [str(item["dimension"]) for item in request.query.get("filters") or () if "dimension" in item]
    figures = [str(m) for m in request.query.get("metrics") or () if m in terms.metrics]
    usual = "usual" in {*request.assumed, *request.node.flags}
    return usual and any(not terms.splits(metric, name) for metric in figures for name in limits)


def _apart(metric: str, filters: Sequence[Mapping[str, Any]], terms: Terms) -> bool:
    """Tell whether a figure's own rows and the filters have no value of one dimension in common."""
    return any(
        limit.dimension == item.get("dimension")
        and not limit.negated
        and item["op"] == "in"
        and not {*map(str, limit.values)} & {*map(str, item["values"])}
        for limit in terms.limits_of(metric) or ()
        for item in filters
    )


def _unread(path: Sequence[Piece]) -> tuple[tuple[int, int], ...]:
    return tuple((p.start, p.end) for p in path if p.kind == "unread" and p.cost)


def _nothing(ways: Sequence[Path]) -> Composed:
    path = ways[0][1]
    known = tuple((p.start, p.end) for p in path if p.nodes)
    return Composed((), None, path, _unread(path), stuck=known)


__all__ = ["EN", "KO", "MODULES", "Composed", "compose", "terms_of"]
