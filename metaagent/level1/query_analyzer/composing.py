"""The composed reading decides a data question: its request, what was assumed, and what could not be read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from metaagent.knowledge.korean import without_particle
from metaagent.level1.query_analyzer import (
    ambiguity,
    calendar,
    completing,
    feasibility,
    followup,
    intents,
    optional,
    request,
)
from metaagent.level1.query_analyzer import confidence as certainty
from metaagent.level1.query_analyzer.evidence import Evidence as IntentWord
from metaagent.level1.query_analyzer.grammar import describe, together, vague
from metaagent.level1.query_analyzer.grammar.evidence import Evidence
from metaagent.level1.query_analyzer.grammar.following import follow
from metaagent.level1.query_analyzer.grammar.meaning import Node, Span
from metaagent.level1.query_analyzer.grammar.reading import Composed, compose, terms_of
from metaagent.level1.query_analyzer.grammar.request import Request, Scope, requests
from metaagent.level1.query_analyzer.grammar.request import as_period as request_period
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms
from metaagent.level1.query_analyzer.language import detect
from metaagent.level1.query_analyzer.periods import moved
from metaagent.level1.query_analyzer.reading import DATA_INTENTS, Plain, Reading
from metaagent.level1.query_analyzer.wording import ASSUMED

_SILENT = frozenset({"output_form", "document_type", "regulation", "article", "reference"})
_OWN_WORDS = frozenset({"compare", "rank", "lookup", "trend"})
"""Intents whose words the grammar reads itself."""


def asks_data(reading: Reading) -> bool:
    return any(intent.name in DATA_INTENTS for intent in reading.intents)


def composed(reading: Reading, words: Sequence[IntentWord]) -> Composed:
    """The reading of the grammar, whatever the form made of the question."""
    context = reading.context
    terms = terms_of(context.domain, context.vocabulary)
    named = {intent.name for intent in reading.intents}
    silent = [(w.start, w.end) for w in words if w.intent in named and w.intent not in _OWN_WORDS]
    # A chat model may name the form of the answer, but takes no word out of the question by it.
    silent += [(e.start, e.end) for e in reading.entities if e.type in _SILENT and e.method != "model"]
    silent += [part.said for part in optional.parts(reading.source.text)]
    if (context.previous or {}).get("semantic_request"):
        spoken_of = (_THOSE, _THAT, _THERE, _IT, *((together.BOTH, together.THREE) if _pair(reading) else ()))
        silent += [m.span() for pattern in spoken_of for m in pattern.finditer(reading.source.text)]
    base = (
        request.range_of(((context.previous or {}).get("resolved") or {}).get("period"))
        if reading.follows or followup.leans(reading.source.text) or followup.within(reading.source.text)
        else None
    )
    known = feasibility.covered(context.coverage, [])
    evidence = Evidence(
        reading.source, reading.book, terms, context.today, reading.entities, tuple(silent), base,
        context.domain.defaults.get("recent_days"), known.first if known else None,
    )  # fmt: skip
    found = detect(reading.source.raw)
    languages = ("ko", "en") if found == "mixed" else (("en",) if found == "en" else ("ko",))
    return compose(evidence, scope_of(reading, terms), languages)


def scope_of(reading: Reading, terms: Terms) -> Scope:
    known = feasibility.covered(reading.context.coverage, [])
    return Scope(terms, reading.context.today, reading.language, known.last if known else None)


def accounted(reading: Reading, words: Sequence[IntentWord]) -> Reading:
    """The reading with the suggestions of a chat model that take nothing away: a word in which the grammar alone reads
    a figure, a number, a name or an operator keeps that meaning, and the difference is on record. A word that says only
    that it is about money (돈, 금액) names no figure of its own."""
    suggested = [e for e in reading.entities if e.method == "model"]
    if not suggested:
        return reading
    own = tuple(e for e in reading.entities if e.method != "model")
    alone = composed(replace(reading, entities=own), words)
    read = [(p.start, p.end) for p in alone.path if any(node.cat != "MUCH" for node in p.nodes)]
    taken = [e for e in suggested if any(e.start < end and start < e.end for start, end in read)]
    kept = tuple(e for e in reading.entities if e not in taken)
    more = [reading.surface(e) for e in taken]
    return replace(reading, entities=kept, disputed=tuple(dict.fromkeys((*reading.disputed, *more))))


def decide(reading: Reading, words: Sequence[IntentWord], formed: Reading) -> Reading:
    """`formed`: what the form makes of the same question. Both alike or the grammar alone: answered; the form alone:
    answered with the doubt in front, or not at all."""
    found = composed(reading, words)
    if leaning := _asks_how_it_was(reading, found):
        found, reading = leaning, _following(reading)
    if not reading.follows and vague.unclear(found):
        found = vague.offered(
            found, scope_of(reading, terms_of(reading.context.domain, reading.context.vocabulary))
        )
        if not asks_data(reading):
            ranks = intents.FoundIntent("lookup", "composed", (), 1.0)
            reading = replace(reading, intents=(*reading.intents, ranks))
    if _continues(reading, found):
        reading = _following(reading)
    if reading.follows and _stands_alone(reading, found):
        reading = replace(reading, follows=False)
    merged = _request(reading, found)
    if _taken_by_others(reading, found):
        return replace(formed, intents=tuple(i for i in formed.intents if i.name not in DATA_INTENTS))
    if not reading.intents and _unknown_figure(found, words):
        asked = intents.FoundIntent("lookup", "composed", (), 1.0)
        unread = tuple(_words(formed, found.unread))
        return replace(formed, intents=(asked,), unread=unread, unknown=unread)
    if merged is None or (not asks_data(reading) and not _sure_data(found) and not _goes_on(reading, merged)):
        return _without(formed, found)
    if figure := _unknown_subject(reading, found):
        return replace(formed, unread=figure, unknown=figure)
    query, node, inherited = merged
    best = found.best
    reading, query = _with_period_before(reading, query)
    before = tuple(together.replaced(reading.context.previous or {}, query))
    reading = replace(reading, semantic=query, inherited=(*inherited, *reading.inherited), replaced=before)
    reading = _used_entities(reading, found)
    reading = _with_open_names(_named_figures(reading, found), found)
    reading = _resolved(reading, query, best)
    reading = _with_period(reading, query, node)
    reading = _pro_rata(_dropped(_assumptions(reading, found, best), query))
    reading = _unread(reading, found)
    reading = _asked(reading, found)
    return _sure(reading, found, formed)


def _goes_on(reading: Reading, merged: tuple[Plain, Node, list[str]]) -> bool:
    """전국으로 보면?: nothing but the request before, read another way."""
    return bool((reading.context.previous or {}).get("semantic_request")) and bool(merged[2])


def _following(reading: Reading) -> Reading:
    """The question goes on with what the one before asked for."""
    before = [str(item["intent"]) for item in (reading.context.previous or {}).get("parsed_intents") or ()]
    known = [name for name in before if reading.context.domain.intent(name)]
    return replace(reading, follows=True, intents=tuple(intents.inherited(reading.context.domain, known)))


def _with_period_before(reading: Reading, query: Plain) -> tuple[Reading, Plain]:
    """A question of a conversation that names no period has that of the question before, and says so."""
    previous = (reading.context.previous or {}).get("semantic_request") or {}
    held = previous.get("period") or {}
    span = request.range_of(held)
    figures = [*query.get("metrics", []), *(d["numerator"]["metric"] for d in query.get("derived") or ())]
    timed = any((t := reading.context.vocabulary.find("metric", m)) and t.time for m in figures)
    if query.get("period") or query.get("comparison") or span is None or held.get("whole") or not timed:
        return reading, query
    if set(query.get("dimensions") or ()) & TIMES:
        return reading, query
    reading = reading.assume(ASSUMED["same_period"], start=span.first, end=span.last)
    return replace(reading, inherited=("period",)), {**query, "period": request_period(span)}


def _asks_how_it_was(reading: Reading, found: Composed) -> Composed | None:
    """3분기는 어때?: after a question of data, the figure of that question rather than the usual one."""
    best, previous = found.best, (reading.context.previous or {}).get("semantic_request")
    said = [node for p in found.path for node in p.nodes]
    usual = any(node.cat == "M" and "usual" in node.flags for node in said)
    named = any(node.cat in ("M", "V") and "usual" not in node.flags for node in said)
    usual = usual or (best is not None and "usual" in best.node.flags and best.node.base is not None)
    if not previous or best is None or not usual or named or found.unread:
        return None
    node = best.node
    rest = Node(
        "P" if node.period else "B" if node.base else "F", filters=node.filters, period=node.period, base=node.base,
        groups=node.groups, weekdays=node.weekdays,
    )  # fmt: skip
    return replace(found, requests=(), fragment=rest)


def data_for(reading: Reading, words: Sequence[IntentWord], formed: Reading) -> Reading:
    """A document or a memo about figures: the data that goes in, where the grammar reads all of it."""
    found = composed(reading, words)
    merged = None if found.unread else _request(reading, found)
    if merged is None:
        return formed
    changed = _resolved(replace(formed, semantic=merged[0]), merged[0], found.best)
    return _with_period(changed, merged[0], merged[1])


def _stands_alone(reading: Reading, found: Composed) -> bool:
    """A question such as "what was last month's total expense?" names its own figure and period and points at nothing before."""
    best, text = found.best, reading.source.text
    if best is None or found.unread or found.guesses or not best.query.get("period"):
        return False
    points = any(e.type == "reference" for e in reading.entities) or followup.leans(text)
    return bool(best.query.get("metrics") or best.query.get("derived")) and not points


def _continues(reading: Reading, found: Composed) -> bool:
    """누적으로, 그 전 달은?: a phrase that asks nothing by itself, after a question of data."""
    previous = (reading.context.previous or {}).get("semantic_request")
    plain = all(intent.name in _OWN_WORDS for intent in reading.intents)
    by_figure = found.fragment is not None and found.fragment.cat == "BYM"
    if previous and plain and not reading.follows and _is_list(reading, found):
        return True
    alone = plain and not reading.follows and (found.best is None or by_figure)
    return bool(previous) and alone and found.fragment is not None and not found.unread and not found.guesses


def _taken_by_others(reading: Reading, found: Composed) -> bool:
    """서울 날씨 알려줘: the words belong to another agent, and name no figure beside it."""
    others = [i for i in reading.intents if i.name not in DATA_INTENTS and i.rule != "implied"]
    data = [intent.name for intent in reading.intents if intent.name in DATA_INTENTS]
    if not others or data != ["lookup"]:
        return False
    if any((known := reading.context.domain.intent(i.name)) and known.declared for i in others):
        named = any(entity.type in ("metric", "ambiguous_metric") for entity in reading.entities)
        return not named and completing.implied_metric(reading) is None
    return not any(node.cat in ("M", "V", "T", "GM", "G") for p in found.path for node in p.nodes)


def _unknown_figure(found: Composed, words: Sequence[IntentWord]) -> bool:
    """지난달 영업이익 알려줘: a period or a place, a word that asks for a figure, and a word that nobody knows."""
    told = any(word.intent == "lookup" and word.kind == "word" for word in words)
    placed = any(node.cat in ("P", "F", "G") for p in found.path for node in p.nodes)
    return told and placed and bool(found.unread) and found.best is None


_SUBJECT = re.compile(r"[가-힣]{2,}(?:[비료율률액금량]|건수|횟수|매출)(?:은|는|이|가|을|를|의)?")


def _unknown_subject(reading: Reading, found: Composed) -> tuple[str, ...]:
    """접대비가 제일 많은 팀: the figure is named, and nobody knows it; the usual one is not put in its place."""
    best = found.best
    if best is None or reading.follows or not ({"usual"} & {*best.assumed, *best.node.flags}):
        return ()
    spans = [span for span in found.unread if _SUBJECT.fullmatch(reading.source.text[slice(*span)])]
    return tuple(_words(reading, spans))


def _sure_data(found: Composed) -> bool:
    """No word of an intent stands in the question: every word must be read, and name a figure."""
    best = found.best
    asked = best is not None and any(
        best.query.get(key) for key in ("metrics", "derived", "count_groups", "existence")
    )
    return bool(asked) and not found.unread and not found.guesses


def _request(reading: Reading, found: Composed) -> tuple[Plain, Node, list[str]] | None:
    """The request, completed from the turn before where the question leans on it."""
    best, previous = found.best, (reading.context.previous or {}).get("semantic_request")
    pair = _pair(reading)
    if pair and not found.unread:
        reading, previous = replace(reading, follows=True), pair
        if one := _larger_of(reading, found, pair):
            return one
    if previous and _is_list(reading, found):
        return _listed(previous)
    if previous and best and not found.unread and (same := _against_its_base(reading, previous, best)):
        return same
    said = any(p.nodes for p in found.path)
    if previous and not found.unread and _only_whole(reading, found, previous):
        return {**previous, "filters": [], "among": None}, Node("P"), ["metrics", "period"]
    if reading.follows and previous and not found.unread and not said:
        return dict(previous), Node("P"), list(previous)  # 표로 줘: nothing but the form changes
    if previous and best and not found.unread and (spoken := _of_spoken(reading, found, previous)):
        return spoken
    if reading.follows and previous:
        merged = _merged(reading, found, previous)
        if merged is not None:
            return merged
    return (dict(best.query), best.node, []) if best else None


_AMONG = re.compile(
    r"(?<![가-힣])(?:그|이|저|그것들|걔네|얘네)\s?(?:중|가운데)(?:에서?는?|에는?|엔|서)?(?![가-힣])"
    r"|(?<![a-z])(?:among|out of|of|from) (?:them|those|these)(?![a-z])"
)
_WHOLE = re.compile(
    r"(?<![가-힣])(?:전체|전국|전사|(?:우리\s?)?회사\s?전체|모든\s?(?:지역|병원|팀|제품|거래처))(?:으로는?|로는?|적으로|에서|의|는)?(?![가-힣])"
    r"|(?<![a-z])(?:overall|company[- ]?wide|nation[- ]?wide|country[- ]?wide|across the (?:board|company|country)"
    r"|(?:for|across|in) (?:all|every) (?:regions?|hospitals?|teams?|products?|accounts?))(?![a-z])"
)


def _merged(reading: Reading, found: Composed, previous: Plain) -> tuple[Plain, Node, list[str]] | None:
    """The request before with what the question says in its place."""
    best, text = found.best, reading.source.text
    by_figure = found.fragment is not None and found.fragment.cat == "BYM"
    again = found.fragment is not None and found.fragment.cat == "COUNT" and "again" in found.fragment.flags
    node = best.node if best and not by_figure and not again else found.fragment
    if node is None:
        return None
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    adds = bool(followup.added_fields(text, reading.entities))
    inner = None
    if _AMONG.search(text) and previous.get("top") and not previous.get("among") and not node.metrics:
        inner = {key: value for key, value in previous.items() if value not in (None, [], {}, False)}
        previous = {key: value for key, value in previous.items() if key not in ("top", "order", "limit")}
    elif _WHOLE.search(text) and not node.filters and node.cat not in ("SHARE", "SM", "Q"):
        previous = {**previous, "filters": [], "among": None}
    node = _counts_again(_one_before(node, previous), previous, terms)
    made = follow(previous, node, scope_of(reading, terms), adds=adds)
    if made is None:
        return None
    query = {**made[0], "among": inner} if inner else made[0]
    return _of_the_part(query, previous, found, terms), node, made[1]


def _counts_again(node: Node, previous: Plain, terms: Terms) -> Node:
    """Read "how many of those were in Busan?" after a number of visits: visits there, no hospitals that a place stands for."""
    if node.cat != "M" or "implied" not in node.flags or node.groups or node.rank:
        return node
    if previous.get("count_groups") or previous.get("having"):
        return Node("COUNT", filters=node.filters, period=node.period)
    before = [m for m in previous.get("metrics") or () if m in terms.metrics]
    counted = len(before) == 1 and terms.counts(before[0])
    return Node("F", filters=node.filters, period=node.period) if counted else node


def _one_before(node: Node, previous: Plain) -> Node:
    """Read "what about the previous quarter?" after a question of that very quarter: the one before it."""
    held, span = request.range_of(previous.get("period")), node.period
    if held is None or span is None or node.metrics or (span.first, span.last) != (held.first, held.last):
        return node
    unit = _BEFORE.search(span.label.lower())
    return replace(node, cat="B", period=None, base=_BEFORE_UNITS[unit["unit"]]) if unit else node


_BEFORE = re.compile(
    r"(?:previous|prior|preceding|전|지난|저번|직전)\s?(?P<unit>year|quarter|month|week|해|년|분기|달|월|주)"
)
_BEFORE_UNITS = {
    "year": "year", "해": "year", "년": "year", "quarter": "quarter", "분기": "quarter", "month": "month", "달": "month",
    "월": "month", "week": "week", "주": "week",
}  # fmt: skip


def _of_the_part(query: Plain, previous: Plain, found: Composed, terms: Terms) -> Plain:
    """어느 팀이 제일 많이 썼어? after meals: the verb says no other figure than the part that was spoken of."""
    before, own = previous.get("metrics") or [], query.get("metrics") or []
    if len(before) != 1 or len(own) != 1 or before[0] not in terms.metrics or before == own:
        return query
    named = {m for p in found.path for n in p.nodes if n.cat == "M" for m in n.metrics}
    if own[0] in named or own[0] not in terms.plain_of(before[0]):
        return query
    return {key: _renamed(value, own[0], before[0]) for key, value in query.items()}


def _renamed(value: Any, old: str, new: str) -> Any:
    if isinstance(value, str):
        return new + value.removeprefix(old) if value == old or value.startswith(f"{old}__") else value
    if isinstance(value, dict):
        return {k: _renamed(v, old, new) for k, v in value.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list):
        return [_renamed(v, old, new) for v in value]  # pyright: ignore[reportUnknownVariableType]
    return value


def _only_whole(reading: Reading, found: Composed, previous: Plain) -> bool:
    """전국으로 보면?, 전체로는?: nothing is said but that the limits of the question before are gone."""
    said = {node.cat for p in found.path for node in p.nodes}
    limited = previous.get("filters") and not previous.get("dimensions")
    whole = _WHOLE.search(reading.source.text) is not None
    return bool(whole and not said) or bool(whole and limited and said <= {"TOTAL", "BASIS", "MUCH"})


def _larger_of(reading: Reading, found: Composed, pair: Plain) -> tuple[Plain, Node, list[str]] | None:
    """둘 중 어디가 더 많아?, which of the two had more visits?"""
    node = found.fragment or (found.best.node if found.best else None)
    if node is None or node.rank is None or not together.WHICH.search(reading.source.text):
        return None
    by = [node.rank.by] if node.rank.by else list(node.metrics)
    made = together.larger(pair, by or pair.get("metrics") or [], descending=node.rank.descending)
    return (made, node, ["filters", "period"]) if made else None


def _pair(reading: Reading) -> Plain | None:
    """The request before with both values, where the question speaks of both."""
    before = reading.context.previous or {}
    previous = before.get("semantic_request")
    return together.joined(previous, before.get("replaced") or (), reading.source.text) if previous else None


def _against_its_base(
    reading: Reading, previous: Plain, best: Request
) -> tuple[Plain, Node, list[str]] | None:
    """전월 대비, after a question of October: October against September, not the month that runs."""
    held, base = request.range_of(previous.get("period")), best.node.base
    base = base.shift if isinstance(base, Span) else base
    if "current" not in best.assumed or held is None or base is None:
        return None
    if base not in ("year", "previous", calendar.grain_of(held)):
        return None
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    node = replace(best.node, period=Span(held.first, held.last), base=base)
    made = requests(node, scope_of(reading, terms))
    return (dict(made[0].query), made[0].node, ["period"]) if made else None


_THOSE = re.compile(r"(?<![a-z])(?:they|them|those)(?![a-z])|그\s?(?:병원|제품|팀|사람|곳|지역)들|걔네|얘네")
_THAT = re.compile(
    r"(?<![가-힣])그\s?(?:사람|분|친구|직원|담당자|병원|거래처|제품|품목|팀|지역)(?:의|은|는|이|가|도|에서|만)?(?![가-힣])"
    r"|(?<![a-z])(?:that|this) (?:rep|person|hospital|team|product|region|account|customer)(?:'s|’s)?(?![a-z])"
)
_IT = re.compile(
    r"(?<![a-z])(?:on|for|of|from|in) (?:that|it|this)(?: one)?(?! [a-z])"
    r"|(?<![가-힣])(?:그거|그걸|그것|그게)(?:로|에|에서|를|만|는|은)?(?![가-힣])"
)
_LISTS = re.compile(
    r"이름|누구누군|누군데|어디어딘|뭐뭐|명단|목록|리스트|어디\s?어디|누구\s?누구|어떤\s?(?:곳|병원|사람|팀|제품)|어딘지|누군지|나열"
    r"|(?<![a-z])(?:list|names?|which ones|who are they|name them|show (?:me )?(?:them|those))(?![a-z])"
)


def _is_list(reading: Reading, found: Composed) -> bool:
    """그 병원들 이름은?, list them: after a number of things, which ones they are."""
    previous = (reading.context.previous or {}).get("semantic_request") or {}
    if not previous.get("count_groups") or found.unread or not _LISTS.search(reading.source.text):
        return False
    shown = {*previous.get("metrics", ()), *(str(one["column"]) for one in previous.get("having") or ())}
    return all(
        any(
            node == Node("T", dim=previous["count_groups"])
            or "who" in node.flags
            or (node.cat == "M" and set(node.metrics) <= shown and not node.filters)
            for node in p.nodes
        )
        for p in found.path
        if p.nodes
    )


def _listed(previous: Plain) -> tuple[Plain, Node, list[str]]:
    kept = {key: value for key, value in previous.items() if key != "count_groups"}
    dims = [*(previous.get("dimensions") or ()), previous["count_groups"]]
    return {**kept, "dimensions": dims}, Node("T", dim=str(previous["count_groups"])), list(kept)


def _of_spoken(reading: Reading, found: Composed, previous: Plain) -> tuple[Plain, Node, list[str]] | None:
    """A figure of the things, or of the place, that the turn before was about: they, that team, there."""
    text, best = reading.source.text, found.best
    assert best is not None
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    those, that, there, it = (pattern.search(text) for pattern in (_THOSE, _THAT, _THERE, _IT))
    one = (previous.get("top") or {}).get("n") == 1
    if not (those or that or there or (it and one)):
        return None
    chosen = those or (that and previous.get("top")) or ((there or it) and one)
    made = _of_those(previous, best) if chosen else None
    if made is None and (that or there) and not (that and previous.get("top")):
        made = _in_that_place(reading, previous, best)
    return (_of_the_part(made[0], previous, found, terms), *made[1:]) if made else None


_THERE = re.compile(
    r"(?<![a-z])(?<!is )(?<!are )(?<!was )(?<!were )there(?! (?:is|are|was|were|have|has|been))(?![a-z])"
    r"|(?<![가-힣])(?:거기|그곳)(?:서|에서|에|는|의|은)?"
)


def _in_that_place(reading: Reading, previous: Plain, best: Request) -> tuple[Plain, Node, list[str]]:
    """The figure in the place of the turn before, and in its period: how many reps there missed their target."""
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    own = {str(f["dimension"]) for f in best.query["filters"]}
    figures = [name for name in best.query["metrics"] if name in terms.metrics]
    kept = [
        f
        for f in previous.get("filters") or ()
        if f["dimension"] not in own and all(terms.splits(name, str(f["dimension"])) for name in figures)
    ]
    period = best.query.get("period") or previous.get("period")
    query = {**best.query, "filters": [*best.query["filters"], *kept], "period": period}
    return query, best.node, [*(["filters"] if kept else []), *(["period"] if period else [])]


def _of_those(previous: Plain, best: Request) -> tuple[Plain, Node, list[str]] | None:
    """The figure, after "how many visits did they get?", of the things that the turn before listed."""
    chosen = previous.get("top") or previous.get("having") or previous.get("existence")
    plain = not best.query.get("among") and not best.query.get("count_groups") and best.query.get("metrics")
    things = [name for name in previous.get("dimensions") or () if name not in TIMES]
    by_change = "__" in str((previous.get("top") or {}).get("by")) or previous.get("having")
    if not chosen or not plain or len(things) != 1 or previous.get("among"):
        return None
    if previous.get("comparison") and by_change:
        return None
    inner = {k: v for k, v in previous.items() if v not in (None, [], {}, False) and k != "comparison"}
    query = {**best.query, "among": inner, "period": best.query.get("period") or previous.get("period")}
    own = best.query["dimensions"]
    single = (previous.get("top") or {}).get("n") == 1 and own  # 그 팀에서 누가: the team is one
    dims = own if single else [*own, *(name for name in things if name not in own)]
    return {**query, "dimensions": dims}, best.node, ["among", "period"]


def _used_entities(reading: Reading, found: Composed) -> Reading:
    """A guess that the reading did not need is none."""
    used = set(found.guesses)
    said = [(p.start, p.end) for p in found.path if p.nodes]
    if not found.unread:  # 매출없는병원: words that are read are no name that the data lacks
        reading = replace(
            reading,
            entities=tuple(
                e
                for e in reading.entities
                if e.method != "name_unknown" or not any(s < e.end and e.start < t for s, t in said)
            ),
        )
    kept = tuple(
        e
        for e in reading.entities
        if e.method not in ("name_typo", "name_sound") or e.normalized is None or (e.start, e.end) in used
    )
    return replace(reading, entities=kept)


def _with_open_names(reading: Reading, found: Composed) -> Reading:
    """Names of several things that only the grammar saw, as in words written together: which one is asked."""
    taken = [(e.start, e.end) for e in reading.entities]
    more = [e for e in found.open_names if not any(s < e.end and e.start < t for s, t in taken)]
    return replace(reading, entities=(*reading.entities, *more)) if more else reading


def _named_figures(reading: Reading, found: Composed) -> Reading:
    """합친 금액 beside another figure is that figure's: nothing is open about it."""
    said = [p for p in found.path if any(node.cat in ("M", "V") for node in p.nodes)]
    figures = set(str(reading.semantic).replace("'", " ").replace("__", " ").split())
    terms = terms_of(reading.context.domain, reading.context.vocabulary)

    def settled(options: set[str], start: int, end: int) -> bool:
        others = {m for p in said if p.start >= end or p.end <= start for n in p.nodes for m in n.metrics}
        if any(p.start <= start and p.end >= end and p.end - p.start > end - start for p in said):
            return True  # a part of a longer word for a figure
        used = options & figures
        planned = set(terms.with_target())
        return bool(others) and all(
            own in planned & figures or any(terms.same_fact(own, other) for other in others) for own in used
        )

    kept = tuple(
        e
        for e in reading.entities
        if e.type != "ambiguous_metric" or not settled(set(e.extra.get("options", ())), e.start, e.end)
    )
    return replace(reading, entities=kept)


def _resolved(reading: Reading, query: Plain, best: Request | None) -> Reading:
    """The request in the shape that headlines, follow-ups and checks read."""
    named = _labels(reading, best)
    filters = [_old_filter(item, named) for item in query.get("filters") or ()]
    titles = _titles(reading)
    filters = [
        {**f, "titles": {name: titles[name] for name in f["labels"] if name in titles}}
        if any(name in titles for name in f["labels"])
        else f
        for f in filters
    ]
    filters += _conditions(reading, query)
    top = query.get("top") or {}
    rank = {"direction": top.get("direction", "top"), "n": top.get("n"), "by": top.get("by")} if top else None
    figures = [*query.get("metrics", []), *(d["numerator"]["metric"] for d in query.get("derived") or ())]
    made = {
        **reading.resolved,
        "metrics": [name for name in dict.fromkeys(figures) if not str(name).startswith("count:")],
        "dimensions": list(query.get("dimensions") or ()),
        "filters": filters,
        "rank": rank,
        "period": None,
        "periods": [],
        "comparison": None,
        "calculations": {
            k: query[k] for k in ("share", "running_total", "moving_average", "target") if query.get(k)
        },
    }
    if best is not None and best.compared is not None:
        kind = f"previous_{best.compared.shift}" if best.compared.comparison else "period"
        made["comparison"] = {"kind": kind, **request.as_period(best.compared.other, "")}
    elif query.get("comparison") and query.get("period"):
        unit = "year" if query["comparison"] == "same_period_last_year" else "period"
        made["comparison"] = {"kind": f"previous_{unit}", **request.as_period(_other(query), "")}
    elif best is not None and best.node.split and best.node.filters_listed and query.get("dimensions"):
        made["comparison"] = {"kind": "members", "field": query["dimensions"][-1]}
    return replace(reading, request=made)


def _other(query: Plain) -> calendar.Range:
    """The period that a request taken over is compared with."""
    span = request.range_of(query["period"])
    assert span is not None
    if query["comparison"] == "same_period_last_year":
        return calendar.shift(span, "year")
    grain = str(query["period"].get("grain") or calendar.grain_of(span))
    return moved(span, grain if grain in ("year", "half", "quarter", "month", "week", "day") else "period")


def _labels(reading: Reading, best: Request | None) -> dict[str, tuple[Any, str]]:
    """The stored form and the name of a value of the request; a place that has a code is stored by it."""
    context = reading.context
    before = ((context.previous or {}).get("resolved") or {}).get("filters") or ()
    own = request.member_filters(reading.entities, context.domain, context.vocabulary)
    known: dict[str, tuple[Any, str]] = {}
    for item in (*before, *own):
        for value, label in zip(item.get("values", ()), item.get("labels", ()), strict=False):
            known[str(label)] = known[str(value)] = (value, str(label))
    for f in best.node.filters if best else ():
        for value, label in zip(f.values, f.labels, strict=False):
            known.setdefault(value, (value, label))
    return known


def _old_filter(item: Plain, named: dict[str, tuple[Any, str]]) -> Plain:
    found = [named.get(str(value), (value, str(value))) for value in item["values"]]
    values, labels = [value for value, _ in found], [label for _, label in found]
    return {"field": item["dimension"], "op": item["op"], "values": values, "labels": labels}


def _titles(reading: Reading) -> Plain:
    """The label of a stored value such as `true`."""
    context = reading.context
    before = ((context.previous or {}).get("resolved") or {}).get("filters") or ()
    own = request.member_filters(reading.entities, context.domain, context.vocabulary)
    return {label: shown for item in (*before, *own) for label, shown in (item.get("titles") or {}).items()}


def _conditions(reading: Reading, query: Plain) -> list[Plain]:
    """Conditions on figures, as headlines name them: percentages as they are said."""
    found: list[Plain] = []
    for item in (*(query.get("having") or ()), *(query.get("rows") or ())):
        name, _, change = str(item["column"]).partition("__")
        term = reading.context.vocabulary.find("metric", name)
        percent = change == "change" or (term is not None and term.unit == "%")
        values = [value * 100 if percent else value for value in item.get("values") or ()]
        if not values:
            continue
        plain = [round(v) if abs(v - round(v)) < 1e-9 else v for v in values]
        made: Plain = {"field": name, "op": item["op"], "value": plain[0] if len(plain) == 1 else plain}
        made["unit"] = "%" if percent else term.unit if term else None
        found.append({**made, "measure": "change_percent"} if change else made)
    absent = [item["fact_metric"] for item in query.get("existence") or () if not item["exists"]]
    return [*found, *({"field": name, "op": "=", "value": 0, "unit": None} for name in absent)]


def _with_period(reading: Reading, query: Plain, node: Node) -> Reading:
    period: Plain | None = query.get("period")
    label = node.period.label if node.period else ""
    resolved = dict(reading.resolved)
    if period and period.get("start"):
        span = request.range_of(period)
        assert span is not None
        resolved["period"] = {
            **request.as_period(span, label),
            **({"assumed": True} if period.get("whole") else {}),
        }
        return _whole_units(replace(reading, request=resolved), query)
    timed = [m for m in resolved["metrics"] if (t := reading.context.vocabulary.find("metric", m)) and t.time]
    known = feasibility.covered(reading.context.coverage, timed) if timed else None
    if known is None or query.get("comparison"):
        return replace(reading, request=resolved)
    resolved["period"] = {**request.as_period(known, ""), "assumed": True}
    whole = {"start": known.first.isoformat(), "end": known.last.isoformat(), "whole": True}
    reading = reading.assume(ASSUMED["whole_period"], start=known.first, end=known.last)
    return replace(reading, request=resolved, semantic={**query, "period": whole})


def _whole_units(reading: Reading, query: Plain) -> Reading:
    """최근 6개월 월별: from the first day of a month."""
    if query.get("comparison") or not set(query.get("dimensions") or ()) & TIMES:
        return reading
    before = reading.resolved["period"]
    changed, resolved = completing.whole_units(reading, dict(reading.resolved))
    if resolved["period"] == before:
        return reading
    period = {"start": resolved["period"]["start"], "end": resolved["period"]["end"]}
    return replace(changed, request=resolved, semantic={**query, "period": period})


def _assumptions(reading: Reading, found: Composed, best: Request | None) -> Reading:
    for start, end, label in found.synonyms:
        reading = reading.assume(ASSUMED["typo"], text=reading.source.surface(start, end), name=label)
    if best is None:
        return completing.said_periods(reading)
    if "usual" in best.assumed or "usual" in best.node.flags:
        metric = reading.resolved["metrics"][0]
        label = ambiguity.metric_label(reading.context.vocabulary, metric, reading.language)
        reading = reading.assume(ASSUMED["metric"], metric=label)
    if best.compared is not None:
        reading = _compared(reading, best)
    return completing.said_periods(reading)


_COUNTED_UNITS = {
    "week": ("주는", "주"),
    "month": ("달은", "개월"),
    "quarter": ("분기는", "개 분기"),
    "year": ("해는", "년"),
}


def _pro_rata(reading: Reading) -> Reading:
    """Say how an unfinished month counts in an average per month."""
    query = reading.semantic or {}
    spread = next((one for one in query.get("derived") or () if one.get("per") in _COUNTED_UNITS), None)
    span = request.range_of(query.get("period"))
    if spread is None or span is None or set(query.get("dimensions") or ()) & TIMES:
        return reading
    known = feasibility.covered(reading.context.coverage, [str(spread["numerator"]["metric"])])
    used = calendar.Range(max(span.first, known.first), min(span.last, known.last)) if known else span
    if used.first > used.last:
        return reading
    unit = str(spread["per"])
    count = round(calendar.units_in(used, unit), 2)
    if count == int(count):
        return reading
    after, counter = _COUNTED_UNITS[unit]
    return reading.assume(
        ASSUMED["pro_rata"], unit_en=unit, unit_ko=after, counter_ko=counter, count=f"{count:g}",
        start=used.first, end=used.last,
    )  # fmt: skip


def _dropped(reading: Reading, query: Plain) -> Reading:
    """Say which filters of the turn before the new figure cannot have."""
    previous = reading.context.previous or {}
    before = (previous.get("resolved") or {}).get("filters") or () if reading.follows else ()
    parts = [one["numerator"] for one in query.get("derived") or ()]
    kept = {item["dimension"] for one in (query, *parts) for item in one.get("filters") or ()}
    lost = [label for f in before if "values" in f and f["field"] not in kept for label in f["labels"]]
    return reading.assume(ASSUMED["no_longer"], labels=", ".join(lost)) if lost else reading


def _compared(reading: Reading, best: Request) -> Reading:
    made = best.compared
    assert made is not None
    bounds = {
        "period_start": made.period.first, "period_end": made.period.last,
        "other_start": made.other.first, "other_end": made.other.last,
    }  # fmt: skip
    note = "current_unit" if made.assumed else "aligned" if made.unfinished else "compared"
    if "previous" in best.assumed and note == "compared":
        note = "previous_period"
    return reading.assume(ASSUMED[note], **bounds)


def _words(reading: Reading, spans: Sequence[tuple[int, int]]) -> list[str]:
    return [without_particle(reading.source.surface(start, end)) for start, end in spans]


THEN = frozenset({"뒤", "후"})
"""Words between two things that are asked for, one after the other."""


def _unread(reading: Reading, found: Composed) -> Reading:
    words = [word for word in _words(reading, found.unread) if word not in THEN]
    if not words:
        return replace(reading, unread=())
    said = ASSUMED["not_understood"].say(reading.language, words=", ".join(words))
    return replace(reading, unread=tuple(words), doubts=(*reading.doubts, said))


def _asked(reading: Reading, found: Composed) -> Reading:
    """Two readings that are as likely: the person chooses."""
    best = found.best
    if best is None or not found.close or reading.follows:
        return reading
    options = [
        describe.request(r, reading.context.vocabulary, reading.language) for r in (best, *found.close[:3])
    ]
    if len(set(options)) < len(options):  # the same value of two columns
        options = [
            f"{text} ({_kinds(reading, r)})"
            for text, r in zip(options, (best, *found.close[:3]), strict=True)
        ]
    if len(set(options)) < len(options):
        return reading
    answer = reading.context.answered.get("reading")
    if answer is not None:
        at = ambiguity.chosen(answer, [(text, text) for text in options])
        if at:
            chosen = found.close[at - 1]
            changed = _resolved(replace(reading, semantic=dict(chosen.query)), chosen.query, chosen)
            return _with_period(changed, dict(chosen.query), chosen.node)
        return reading
    return replace(reading, open_reading=ambiguity.of_reading(options, reading.language))


def _kinds(reading: Reading, one: Request) -> str:
    """The labels of the dimensions that a request is limited by."""
    vocabulary, place = reading.context.vocabulary, 0 if reading.language == "ko" else 1
    terms = [vocabulary.find("dimension", str(f["dimension"])) for f in one.query.get("filters") or ()]
    return ", ".join(term.labels[min(place, len(term.labels) - 1)] for term in terms if term and term.labels)


def _without(formed: Reading, found: Composed) -> Reading:
    """The grammar reads nothing: the form answers with the doubt in front, where it named a figure itself."""
    words = _words(formed, found.unread)
    if not asks_data(formed):
        return formed
    named = any(e.type in ("metric", "ambiguous_metric", "dimension") for e in formed.entities)
    if words and not named and not formed.follows:
        return replace(formed, unread=tuple(words), unknown=tuple(words))
    stuck = _words(formed, found.unread or found.stuck) or _words(formed, formed.source.words)
    said = ASSUMED["only_form"].say(formed.language, words=", ".join(stuck[:6]))
    doubts = (*formed.doubts, said) if stuck else formed.doubts
    known = {
        "form_only": 1.0, "unread": float(len(words)), "disputed": float(len(formed.disputed)),
    }  # fmt: skip
    sure = certainty.confidence(known, formed.context.domain.weights)
    formed = replace(_with_confidence(formed, sure), features=known)
    return replace(formed, doubts=doubts, unread=tuple(stuck[:6]) or formed.unread)


def _with_confidence(reading: Reading, sure: float) -> Reading:
    changed = tuple(
        replace(intent, confidence=min(intent.confidence, sure) if intent.rule != "composed" else sure)
        if intent.name in DATA_INTENTS
        else intent
        for intent in reading.intents
    )
    return replace(reading, intents=changed, confidence=sure)


def features(reading: Reading, found: Composed, formed: Reading) -> dict[str, float]:
    said = [p for p in found.path if p.nodes]
    best = found.best
    return {
        "unread": float(len(found.unread)),
        "guessed": float(len(found.guesses) + len(reading.slips)),
        "inherited": float(bool(reading.inherited)),
        "assumed": float(len(reading.assumptions)),
        "differs": float(_differs(reading, formed)),
        "close": float(bool(found.close)),
        "cost": max(0.0, (best.cost % 100 if best else 2.0) - len(said)),
        "pieces": float(len(said)),
        "disputed": float(len(reading.disputed)),
    }


def _differs(reading: Reading, formed: Reading) -> bool:
    own, other = reading.resolved, formed.resolved
    same = set(own["metrics"]) == set(other["metrics"]) and set(own["dimensions"]) == set(other["dimensions"])
    mine = {(f["field"], f["op"], str(f.get("values"))) for f in own["filters"] if "values" in f}
    theirs = {(f["field"], f["op"], str(f.get("values"))) for f in other["filters"] if "values" in f}
    return not same or len(mine) != len(theirs)


def _sure(reading: Reading, found: Composed, formed: Reading) -> Reading:
    if not reading.intents:
        lookup = intents.FoundIntent("lookup", "composed", (), 1.0)
        reading = replace(reading, intents=(*reading.intents, lookup))
    known = features(reading, found, formed)
    sure = certainty.confidence(known, reading.context.domain.weights)
    return replace(_with_confidence(reading, sure), features=known)
