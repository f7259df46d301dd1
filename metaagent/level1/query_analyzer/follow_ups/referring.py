"""A question with its references resolved is read as if the things had been named; the rest is taken from the turn before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.entities import NAMED
from metaagent.level1.query_analyzer.follow_ups import earlier_requests
from metaagent.level1.query_analyzer.follow_ups.pointing import EACH, Completed, is_one
from metaagent.level1.query_analyzer.follow_ups.reference_words import nouns
from metaagent.level1.query_analyzer.follow_ups.references import Bound, Things, bound
from metaagent.level1.query_analyzer.follow_ups.request_changes import EVERYWHERE
from metaagent.level1.query_analyzer.grammar import ellipsis, lexicon_en, lexicon_ko
from metaagent.level1.query_analyzer.grammar.meaning import Node
from metaagent.level1.query_analyzer.grammar.reading import Composed, terms_of
from metaagent.level1.query_analyzer.grammar.request import as_filter, as_period
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms
from metaagent.level1.query_analyzer.reading import Plain, Reading

Meant = tuple[int, int, Node]
NAME = "뷁"
"""A syllable of no word: what stands for a name while a question is read."""
_BEFORE_PLACE = regex(
    r"(?:\W|그럼|그러면|그런데|근데|그리고|그래서|아|음|혹시|그럼요|뷁|에서는?|중에서?|은|는)*"
    r"|.*[a-z].*"
)
_ASKED_OF_PLACE = regex(
    r"(?<![a-z])(?:who|which|what)(?:'s|’s|(?: [a-z]+)? (?:is|was|were|are|came|ranked|finished|comes|ranks)) ?\Z"
)
_ASKS_WHICH = regex(
    r"(?:\s|[?.!,~]|어디|누구|무엇|뭐|누군|어딘|데|야|이야|예요|에요|인데|였지|였어|인가요|지|죠|은|는|이|가|만|도|요|다시|보여\s?줘|알려\s?줘|그럼|그러면"
    r"|who(?:'s|’s)?|which one|which|what about|how about|what(?:'s|’s)?"
    r"|is|was|were|the|and|so|ok|okay|then|in|place|came|just|only|show me)*"
)
"""Words that ask which one it is, and nothing of it."""
_SPOKEN = regex(r"[a-z'’]+|[가-힣]+")


def _asks_which(rest: str) -> bool:
    """Tell whether the words around a place only ask which one it is: 2위만 보고 싶어요."""
    if _ASKS_WHICH.fullmatch(rest):
        return True
    plain = _ASKS_WHICH.sub("", rest.removeprefix("만"))
    return all(
        lexicon_en.LIGHT.fullmatch(word) or lexicon_ko.LIGHT.fullmatch(word)
        for word in _SPOKEN.findall(plain)
    )


_LEFT_OUT = regex(
    r"말고|빼고|제외|이?외에|(?<![a-z])(?:except|excluding|besides|other than|apart from|without)(?![a-z])"
)


def references(reading: Reading) -> list[Bound]:
    """The references of the question, each with what it means; places of a ranking of its own are none."""
    terms, text = terms_of(reading.context.domain, reading.context.vocabulary), reading.source.text
    previous = reading.context.previous
    named = [e.end for e in reading.entities if not previous or e.type == "dimension" or e.type in NAMED]
    named += [match.end() for match in nouns(terms).finditer(text)]
    return [
        one
        for one in bound(text, previous, terms)
        if (one.span or one.reference.form != "time")
        and not _ranks_itself(one, text, first=not previous)
        and not _points_within(one, text, named, first=not previous)
    ]


_POSSESSIVE = frozenset({"their", "its", "his", "her"})


def _points_within(one: Bound, text: str, named: Sequence[int], *, first: bool) -> bool:
    """Tell whether a thing that the same question names before is meant: which teams missed their target?"""
    reference = one.reference
    pronoun = not reference.kinds or text[reference.start : reference.end] in _POSSESSIVE
    own = first or text[reference.start : reference.end] in _POSSESSIVE or earlier_requests.goes_back(text)
    return pronoun and own and any(end <= reference.start for end in named)


def _ranks_itself(one: Bound, text: str, *, first: bool) -> bool:
    """10월 1위 병원은?, who is the top one?: asks for the ranking, and points at nothing."""
    reference = one.reference
    if reference.form == "rest":
        return _LEFT_OUT.search(text, 0, reference.start) is not None  # 초급 말고 나머지는?
    if reference.form != "place":
        return False
    if first:
        return True
    before, after = text[: reference.start], text[reference.end :]
    which = _asks_which(f"{before} {after}")
    own = not _BEFORE_PLACE.fullmatch(before) or _ASKED_OF_PLACE.search(before)
    return bool(own) and not which


def as_named(reading: Reading, found: Sequence[Bound]) -> tuple[Reading, list[Meant], list[Bound]]:
    """The question with a name in the place of each reference, what these names stand for, and whom they mean."""
    meant: list[Meant] = []
    told: list[Bound] = []
    text = reading.source.text
    for one in found:
        start, end = one.reference.start, one.reference.end
        pronoun = not one.reference.kinds and one.reference.form in ("one", "several", "it")
        if pronoun and any(other.things for other in told):  # they, beside the first one: the same
            meant.append((start, end, LIGHT))
        elif one.span is not None:
            told.append(one)
            meant.append((start, end, Node("P", period=one.span)))
        elif one.things is None:
            continue
        else:
            told.append(one)
            meant.append((start, end, one.things.node(negated=one.reference.form == "rest")))
        text = text[:start] + NAME * (end - start) + text[end:]
    named = replace(reading, source=replace(reading.source, text=text))
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    before = earlier_requests.spoken(reading.source.text, reading.context.previous, terms)
    meant += [(start, end, LIGHT) for start, end in before]
    previous = {**(reading.context.previous or {}), "semantic_request": _basis(reading, told)}
    return replace(named, context=replace(named.context, previous=previous)), meant, told


def _basis(reading: Reading, found: Sequence[Bound]) -> Plain:
    """The request before without the way in which it chose the things that are pointed at: they are known now."""
    request: Plain = (reading.context.previous or {}).get("semantic_request") or {}
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    if EVERYWHERE.search(reading.source.text):
        request = {**request, "filters": []}
    for one in found:
        if one.span is not None:
            request = _then(request, one)
        if one.things is None:
            continue
        kind, groups = one.things.dimension, list(request.get("dimensions") or ())
        inner: Plain = request.get("among") or {}
        chosen = _CHOICE if kind in (*groups, *(inner.get("dimensions") or ())) else ()
        if one.reference.form in ("one", "it", "place") and len(one.things.keys) == 1:
            found_one = _showed_one_row(reading.context.previous or {}, kind)
            groups = [] if found_one else [name for name in groups if name != kind]
        filters = [
            f for f in request.get("filters") or () if not _gives_way(str(f.get("dimension")), kind, terms)
        ]
        then = {"among": inner} if inner and {*(inner.get("dimensions") or ())} <= TIMES else {}
        kept = {key: value for key, value in request.items() if key not in chosen} | then
        request = {**kept, "dimensions": groups, "filters": filters}
    return request


def _showed_one_row(turn: Mapping[str, Any], kind: str) -> bool:
    """Tell whether the turn before found one row, with this in it: the best rep and the team, of which the team is meant."""
    shown = {str(one["dimension"]): one["keys"] for one in turn.get("shown") or ()}
    return kind in shown and all(len(keys) == 1 for keys in shown.values())


def _then(request: Plain, one: Bound) -> Plain:
    """The request before in the unit of time that it found, without the ranking that found it."""
    assert one.span is not None
    chose = {*one.reference.kinds} & {*(request.get("dimensions") or ())}
    kept = {key: value for key, value in request.items() if not chose or key not in _CHOICE}
    groups = [name for name in request.get("dimensions") or () if name not in one.reference.kinds]
    return {**kept, "dimensions": groups, "period": as_period(one.span)}


def _gives_way(limited: str, kind: str, terms: Terms) -> bool:
    """Tell whether a limit ends where things of a kind are pointed at: one on the same, or one that is part of them: a
    rep, where the whole team is meant."""
    parts = limited in terms.dimensions and kind in terms.dimensions
    return limited == kind or (parts and terms.dimensions[limited].is_thing and terms.belongs(kind, limited))


_CHOICE = ("top", "order", "limit", "having", "existence", "among", "among_others", "share", "count_groups")
LIGHT = Node("LIGHT")


def which_one(reading: Reading, named: Reading, found: Sequence[Bound]) -> Completed | None:
    """꼴찌는 누구야?, and the second one?: the figures before, of the one in that place."""
    text = reading.source.text
    if len(found) != 1 or found[0].things is None or found[0].reference.form != "place":
        return None
    reference, things = found[0].reference, found[0].things
    if not _asks_which(f"{text[: reference.start]} {text[reference.end :]}"):
        return None
    previous: Plain = (named.context.previous or {})["semantic_request"]
    held: Plain = (reading.context.previous or {})["semantic_request"]
    groups = (
        list(held.get("dimensions") or ())
        if things.dimension in (held.get("dimensions") or ())
        else previous["dimensions"]
    )
    limits = [as_filter(f) for f in things.node().filters]
    query = {
        **previous,
        "dimensions": groups,
        "filters": [*previous["filters"], *limits],
        "language": reading.language,
    }
    return query, things.node(), [key for key in ("metrics", "period") if query.get(key)]


def mean_of_those(
    reading: Reading, named: Reading, found: Sequence[Bound], said: Composed
) -> Completed | None:
    """Average of those, after the sales of some reps: of one of them, and no average of their rows."""
    things = found[0].things if len(found) == 1 else None
    mean = Node("AVG", average=True)
    cats = [mean.cat if mean in p.nodes else p.nodes[0].cat for p in said.path if p.nodes]
    previous: Plain = (named.context.previous or {})["semantic_request"]
    metrics = previous.get("metrics") or []
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    fixed = any(previous.get(key) for key in ("derived", "comparison", "share"))
    if things is None or len(things.keys) < 2 or sorted(cats) != ["AVG", "F"] or len(metrics) != 1 or fixed:
        return None
    metric = str(metrics[0])
    if metric not in terms.metrics or not terms.adds(metric) or not terms.splits(metric, things.dimension):
        return None
    below = {"metric": f"count:{things.dimension}", "of": metric}
    name = f"{metric}__per__{things.dimension}"
    derived = [{"name": name, "kind": "ratio", "numerator": {"metric": metric}, "denominator": below}]
    filters = [*(previous.get("filters") or ()), *(as_filter(f) for f in things.node().filters)]
    query = {**previous, "metrics": [], "dimensions": [], "derived": derived, "filters": filters}
    return {**query, "language": reading.language}, mean, ["metrics", "period"]


def says_more(found: Composed, meant: Sequence[Meant], made: Completed) -> bool:
    """Tell whether anything is asked of the things, or which one stands in a place: where are they?, read as a name alone,
    would ask nothing."""
    named = [node for _, _, node in meant]
    said = [
        p
        for p in found.path
        if p.nodes and not any(n in named or n.cat in ("AND", "ALSO", "COUNT") for n in p.nodes)
    ]
    return bool(said) or made[1] in named


FIGURES = ("metrics", "derived", "count_groups", "existence")


def keeps(query: Plain, things: Things) -> bool:
    """Tell whether a request, one of its sides or a deed in it is limited to these things."""
    held = {
        str(v)
        for f in _limits(query)
        if f.get("dimension") == things.dimension
        for v in f.get("values") or ()
    }
    return held == {*things.keys}


def answers_of(made: Completed, told: Sequence[Bound], said: Composed, terms: Terms) -> bool:
    """Tell whether a question about some of those (which of them, how many of them) is answered with some of them."""
    query = made[0]
    kinds = {one.things.dimension for one in told if one.things and one.reference.form == "of"}
    if any(node.cat == "COUNT" for p in said.path for node in p.nodes):
        counted = {query.get("count_groups")} | {
            k for k in kinds if terms.counted_by(k) in (query.get("metrics") or ())
        }
        return kinds <= counted
    averaged = any(node.cat == "AVG" for p in said.path for node in p.nodes)
    return averaged or kinds <= {*(query.get("dimensions") or ())}


def _limits(query: Plain) -> Iterator[Plain]:
    sides = [
        one.get(side) or {} for one in query.get("derived") or () for side in ("numerator", "denominator")
    ]
    for part in (query, *sides, *(query.get("existence") or ()), query.get("among") or {}):
        yield from part.get("filters") or ()


def without_rest(reading: Reading, found: Composed) -> Reading:
    """상위 3곳은?, after the rest was pointed at: the rest is not spoken of any longer, unless it is pointed at again; nor
    are the events of another time: and for August?"""
    before = reading.context.previous or {}
    request: Plain = before.get("semantic_request") or {}
    held, pointed = request.get("filters") or (), before.get("pointed") or ()
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    parts = [one["numerator"]["metric"] for one in request.get("derived") or ()]
    figures = [str(m) for m in (*(request.get("metrics") or ()), *parts) if m in terms.metrics]
    moved = any(node.cat == "P" for p in found.path for node in p.nodes)

    def is_over(item: Plain) -> bool:
        kind = str(item.get("dimension"))
        events = moved and any(terms.is_event(kind, m) for m in figures)
        return kind in pointed and (events or (item.get("op") == "not_in" and found.best is not None))

    kept = [f for f in held if not is_over(f)]
    if len(kept) == len(held):
        return reading
    previous = {**before, "semantic_request": {**request, "filters": kept}}
    return replace(reading, context=replace(reading.context, previous=previous))


def by_kind(made: Completed, said: Composed, reading: Reading, terms: Terms) -> Completed:
    """그 병원 담당자는?, the reps there: the kind of thing that is asked for, with the figure that was spoken of; and which
    hospital there?, after the best region: the best one."""
    query = made[0]
    figures = [str(m) for m in query.get("metrics") or () if m in terms.metrics]
    known = {
        *(query.get("dimensions") or ()),
        query.get("count_groups"),
        *(f.get("dimension") for f in _limits(query)),
    }
    known |= {one["dimension"] for one in query.get("existence") or ()}
    alone = not ellipsis.names_figure(said.path)
    asked = [
        str(node.dim)
        for p in said.path
        for node in p.nodes[:1]
        if node.cat == "T"
        and node.dim
        and node.dim not in known
        and (alone or "several" in node.flags)
        and "who" not in node.flags
    ]
    if len(asked) != 1 or not figures or not all(terms.splits(m, asked[0]) for m in figures):
        return made
    best: Plain = ((reading.context.previous or {}).get("semantic_request") or {}).get("top") or {}
    again = is_one(best) and best.get("by") in figures and _WHICH_ONE.search(reading.source.text)
    top = {"top": {"n": 1, "by": best["by"], "direction": best.get("direction", "top")}} if again else {}
    return {**query, "dimensions": [asked[0], *(query.get("dimensions") or ())], **top}, *made[1:]


_WHICH_ONE = regex(
    r"(?<![a-z])which (?!ones)[a-z]+(?<!s)(?: (?:is it|was it|there|in it|in that [a-z]+))*\W*\Z"
    r"|(?<![가-힣])(?:어느|어떤)\s?[가-힣]+"
)
"""Asks which one it is, of a kind of thing."""


def in_its_place(made: Completed, reading: Reading, terms: Terms) -> Completed:
    """The customer at whom it took place, and no figure alone: where was it held?, 어디서 했어?"""
    query = made[0]
    place = str(terms.domain.entity_dimensions.get("organisation"))
    figures = [str(m) for m in query.get("metrics") or () if m in terms.metrics]
    known = {*(query.get("dimensions") or ()), *(f.get("dimension") for f in _limits(query))}
    fits = figures and place in terms.dimensions and all(terms.splits(m, place) for m in figures)
    if not _WHERE.search(reading.source.text) or not fits or place in known or query.get("dimensions"):
        return made
    return {**query, "dimensions": [place]}, *made[1:]


_WHERE = regex(r"(?<![a-z])where(?![a-z])|(?<![가-힣])어디(?:서|에서)")


_TITLES = regex(
    r"(?<![가-힣])제목(?:들)?(?:이랑|하고|과|와|도|을|은)?(?![가-힣])|(?<![a-z])(?:the )?titles?(?= and|,| with)(?![a-z])"
)


_ANY = regex(
    r"(?<![a-z])any (?=(?:that|which|who|of (?:them|those|these))(?![a-z]))|(?<![a-z])any ones(?![a-z])"
)
"""Asks for things, or for their number."""


def unbound(reading: Reading, found: Sequence[Bound], made: Completed) -> list[tuple[int, int]]:
    """The references that the request makes no use of: nothing is passed over. Nor are titles, where one sum is given, and
    each, where one thing is."""
    query, text = made[0], reading.source.text
    previous: Plain = (reading.context.previous or {}).get("semantic_request") or {}
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    loose = [one.reference for one in found if not _used(one, query, previous, made[2], terms)]
    spans = [(one.start, one.end) for one in loose]
    if previous and query.get("limit") == 1:
        spans += [match.span() for match in EACH.finditer(text)]  # 각각 마지막 방문일: of one alone
    if previous and not query.get("dimensions"):
        spans += [match.span() for match in (*_TITLES.finditer(text), *_ANY.finditer(text))]
    return spans


def _kinds_of(query: Plain, terms: Terms) -> set[str]:
    """The kinds of things that a request lists, counts, chooses from or is limited to."""
    chosen: Plain = query.get("among") or {}
    about = {*(query.get("dimensions") or ()), query.get("count_groups"), *(chosen.get("dimensions") or ())}
    about |= {f.get("dimension") for f in _limits(query)} | {
        e["dimension"] for e in query.get("existence") or ()
    }
    about |= {kind for kind in terms.dimensions if terms.counted_by(kind) in (query.get("metrics") or ())}
    return {str(kind) for kind in about if kind}


def _used(one: Bound, query: Plain, previous: Plain, inherited: Sequence[str], terms: Terms) -> bool:
    chosen: Plain = query.get("among") or {}
    reference, things = one.reference, one.things
    if one.span is not None:
        return query.get("period") == as_period(one.span)
    if reference.form == "it":
        return bool(inherited)
    if reference.form == "place" and things is None:  # and the top site?: a ranking of its own
        return bool(query.get("top") or query.get("order") or chosen)
    same = [f for f in _limits(query) if f in [*_limits(previous)]]
    known = _kinds_of(previous, terms) & (_kinds_of(query, terms) if not same else {*terms.dimensions})
    if reference.kinds and not things and not reference.kinds & known:
        return False
    again = all(query.get(key) == previous.get(key) for key in ("top", "having", "existence"))
    selected = again and any(previous.get(key) for key in ("top", "having", "existence"))
    if things is None:
        counted = reference.size and (query.get("top") or {}).get("n") == reference.size  # 7곳 다
        return bool(chosen or selected or same or counted or query.get("derived") or "metrics" in inherited)
    held = all(f in (query.get("filters") or ()) for f in previous.get("filters") or ())
    listed = things.listed and things.dimension in (
        *(query.get("dimensions") or ()),
        query.get("count_groups"),
    )
    kept = again and held and listed and (reference.form != "one" or bool(previous.get("top")))
    ranked = reference.form in ("place", "of", "rest") and bool(query.get("top") or query.get("having"))
    return keeps(query, things) or bool(chosen) or kept or (ranked and bool(inherited))


_FIXED = ("top", "having", "count_groups", "share", "among")


def of_each(made: Completed, found: Sequence[Bound], said: Composed, terms: Terms) -> Completed:
    """The figure of each of several that are pointed at, unless their sum, their mean or their number is asked for."""
    query, nodes = made[0], [node for p in said.path for node in p.nodes]
    told = [(one.reference.form, one.things) for one in found if one.things and keeps(query, one.things)]
    groups, figures = ([str(one) for one in query.get(key) or ()] for key in ("dimensions", "metrics"))
    counted = [things.dimension for _, things in told if terms.counted_by(things.dimension) in figures]
    if any(form == "of" for form, _ in told) and any(node.cat == "AVG" for node in nodes):
        counted = [*(things.dimension for _, things in told), *TIMES]
    if counted:
        listed = [name for m in figures if m in terms.metrics for name in terms.listing(m)]
        kept = [name for name in groups if name not in counted]
        return {**query, "dimensions": [] if {*kept} <= {*listed} else kept}, *made[1:]
    several = [t.dimension for form, t in told if len(t.keys) > 1 and form in ("several", "place")]
    summed = made[1].split is False or any(node.cat == "TOTAL" for node in nodes)
    if len(several) != 1 or summed or any(query.get(key) for key in _FIXED) or several[0] in groups:
        return made
    known = [m for m in figures if m in terms.metrics]
    if not known or not all(terms.splits(m, several[0]) for m in known):
        return made
    times = [name for name in groups if name in TIMES]
    things = [name for name in groups if name not in TIMES]
    return {**query, "dimensions": [*things, several[0], *times]}, *made[1:]


def still_there(made: Completed, reading: Reading, found: Sequence[Bound]) -> Completed:
    """The limits of the turn before that hold for what is asked of its things as well: sales of those products, in Seoul
    as before; that the hospitals are in Seoul needs no second limit."""
    previous = (reading.context.previous or {}).get("semantic_request") or {}
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    query, kinds = made[0], [one.things.dimension for one in found if one.things]
    own = {str(f.get("dimension")) for f in _limits(query)} | {*(query.get("dimensions") or ())}
    sides = [
        one.get(side) or {} for one in query.get("derived") or () for side in ("numerator", "denominator")
    ]
    named = [*(query.get("metrics") or ()), *(side.get("metric") for side in sides)]
    figures = [str(m) for m in named if m in terms.metrics]
    kept = [
        f
        for f in previous.get("filters") or ()
        if "dimension" in f
        and str(f["dimension"]) not in own
        and figures
        and all(terms.splits(m, str(f["dimension"])) for m in figures)
        and not any(
            terms.dimensions[kind].is_thing and terms.belongs(str(f["dimension"]), kind) for kind in kinds
        )
    ]
    if not kept:
        return made
    return {**query, "filters": [*(query.get("filters") or ()), *kept]}, made[1], [*made[2], "filters"]
