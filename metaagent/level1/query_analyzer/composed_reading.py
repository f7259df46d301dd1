"""The composed reading decides a data question: its request, what was assumed, and what could not be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from metaagent.knowledge.korean import without_particle
from metaagent.language.calendar import Range
from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer import (
    ambiguity,
    completing,
    feasibility,
    intents,
    reading_features,
    request,
    unconfirmed,
)
from metaagent.level1.query_analyzer import confidence as certainty
from metaagent.level1.query_analyzer.entities import Entity
from metaagent.level1.query_analyzer.evidence import Evidence as IntentWord
from metaagent.level1.query_analyzer.follow_ups import earlier_requests, inheriting, referring
from metaagent.level1.query_analyzer.follow_ups.bare_questions import ASKED, members_of
from metaagent.level1.query_analyzer.follow_ups.chosen_before import kept_choice, known_best
from metaagent.level1.query_analyzer.follow_ups.pointing import Completed, pointers, scope_of, word_orders
from metaagent.level1.query_analyzer.follow_ups.previous_turn import (
    OWN_WORDS,
    after_list,
    asks_how_it_was,
    continues,
    following,
    goes_on,
    request_of,
    stands_alone,
    traceless,
    unnamed,
)
from metaagent.level1.query_analyzer.follow_ups.references import Bound, Things
from metaagent.level1.query_analyzer.follow_ups.row_lists import ROW_LIST
from metaagent.level1.query_analyzer.follow_ups.scope_before import with_period_before
from metaagent.level1.query_analyzer.follow_ups.sensible_requests import (
    best_alone,
    by_title,
    counted_deed,
    of_the_deed,
    orderly,
    sensible,
    within_that_time,
)
from metaagent.level1.query_analyzer.grammar import combined_follow_ups, describe, vague_rankings
from metaagent.level1.query_analyzer.grammar.evidence import Evidence
from metaagent.level1.query_analyzer.grammar.meaning import Node
from metaagent.level1.query_analyzer.grammar.reading import Composed, compose, terms_of
from metaagent.level1.query_analyzer.grammar.request import Request, sided
from metaagent.level1.query_analyzer.grammar.terms import Terms
from metaagent.level1.query_analyzer.reading import DATA_INTENTS, Reading
from metaagent.level1.query_analyzer.requests import optional_parts
from metaagent.level1.query_analyzer.resolving import (
    pro_rata,
    resolved,
    titled,
    with_assumptions,
    with_dropped,
    with_period,
)
from metaagent.level1.query_analyzer.wording import ASSUMED

_SILENT = frozenset({"output_form", "document_type", "regulation", "article", "reference"})


def asks_data(reading: Reading) -> bool:
    return any(intent.name in DATA_INTENTS for intent in reading.intents)


def composed(
    reading: Reading, words: Sequence[IntentWord], meant: Sequence[tuple[int, int, Node]] = ()
) -> Composed:
    """The reading of the grammar, whatever the form made of the question. `meant`: words that stand for something of the
    turn before, as if that had been said."""
    context = reading.context
    terms = terms_of(context.domain, context.vocabulary)
    asked = {intent.name for intent in reading.intents}
    silent = [
        (w.start, _word_end(reading.source.text, w.end))
        for w in words
        if w.intent in asked and w.intent not in OWN_WORDS
    ]
    # A chat model may name the form of the answer, but takes no word out of the question by it.
    silent += [(e.start, e.end) for e in reading.entities if e.type in _SILENT and e.method != "model"]
    silent += [(start, end) for start, end, node in meant if node.cat == "LIGHT"]
    silent += [part.said for part in optional_parts.parts(reading.source.text)]
    silent += (
        earlier_requests.spoken(reading.source.text, context.previous, terms) if context.previous else []
    )
    silent += pointers(reading)
    named = [(start, end, node) for start, end, node in meant if node.cat != "LIGHT"]
    silent = [(a, b) for a, b in silent if not any(a < end and start < b for start, end, _ in named)]
    base = (
        _period_spoken_of(context.previous or {})
        if reading.follows or inheriting.leans(reading.source.text) or inheriting.within(reading.source.text)
        else None
    )
    known = feasibility.covered(context.coverage, [])
    evidence = Evidence(
        reading.source, reading.book, terms, context.today, reading.entities, tuple(silent), base,
        context.domain.defaults.get("recent_days"), known.first if known else None, tuple(named),
    )  # fmt: skip
    return compose(evidence, scope_of(reading, terms), word_orders(reading))


def _period_spoken_of(previous: Mapping[str, Any]) -> Range | None:
    """The period of the turn before, or that by which its things were chosen."""
    chosen = ((previous.get("semantic_request") or {}).get("among") or {}).get("period")
    return request.range_of((previous.get("resolved") or {}).get("period")) or request.range_of(chosen)


_ENDING = regex(r"[가-힣]{0,3}(?=\s|[.,!?]|\Z)")


def _word_end(text: str, end: int) -> int:
    """The end of the word with its ending: 걸리는 거 없|나."""
    rest = _ENDING.match(text, end)
    return rest.end() if rest else end


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
    pointing = referring.references(reading)
    if pointed := _as_named(reading, words, pointing):
        reading, found, merged = pointed
    else:
        reading, found, merged = _read(reading, words, pointing)
    if merged is not None and not pointed:
        loose = referring.unbound(reading, pointing, merged)
        more = [span for span in loose if not any(a < span[1] and span[0] < b for a, b in found.unread)]
        found = replace(found, unread=(*found.unread, *more))
    if _taken_by_others(reading, found):
        return replace(formed, intents=tuple(i for i in formed.intents if i.name not in DATA_INTENTS))
    if not reading.intents and _unknown_figure(found, words):
        asked = intents.FoundIntent("lookup", "composed", (), 1.0)
        unread = tuple(_words(formed, found.unread))
        return replace(formed, intents=(asked,), unread=unread, unknown=unread)
    if merged is None or (not asks_data(reading) and not _sure_data(found) and not goes_on(reading, merged)):
        return _without(formed, found)
    figure = _unknown_subject(reading, found)
    if figure and not any(_names_figure(reading, word) for word in figure):
        return replace(formed, unread=figure, unknown=figure)
    return _decided(reading, found, merged, formed)


def _names_figure(reading: Reading, word: str) -> bool:
    """Tell whether a word is a figure of the data, though its place in the question was not found."""
    return any(e.type == "metric" and reading.surface(e).lower() == word.lower() for e in reading.entities)


def _as_named(
    reading: Reading, words: Sequence[IntentWord], pointing: Sequence[Bound]
) -> tuple[Reading, Composed, Completed] | None:
    """The question read as if it named the things that it points at, where every word of it is accounted for then."""
    named, meant, told = referring.as_named(reading, pointing)
    if not told:
        return None
    if listed := members_of(reading, told):
        return _pointed_at(named, reading, told), Composed(), listed
    named, found = _leaning(named, composed(named, words, meant))
    named = _joined(named, found)
    asked = found.best.query if found.best else {}
    if not any(asked.get(key) for key in referring.FIGURES):
        named = following(named)
    made = referring.which_one(reading, named, told) or referring.mean_of_those(reading, named, told, found)
    made = made or request_of(named, found)
    if made and not any(one.things for one in told):  # and then?: of those that were chosen
        made = kept_choice(named, found, made)[0]
    before = (named.context.previous or {}).get("semantic_request") or {}
    if made is None or found.unread or not referring.says_more(found, meant, made):
        return None
    if any(before.get(key) for key in referring.FIGURES) and not any(
        made[0].get(key) for key in referring.FIGURES
    ):
        return None
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    made = referring.in_its_place(referring.by_kind(made, found, reading, terms), reading, terms)
    made = referring.still_there(referring.of_each(made, told, found, terms), named, told)
    if not all(referring.keeps(made[0], one.things) for one in told if one.things):
        return None
    if not referring.answers_of(made, told, found, terms):
        return None
    if (named.follows or made[2]) and traceless(named, found, made):
        return None
    return _pointed_at(named, reading, told), found, made


def _pointed_at(named: Reading, reading: Reading, told: Sequence[Bound]) -> Reading:
    """The question with its own words again, and the things that it points at."""
    limits = tuple(f for one in told if one.things for f in one.things.node().filters)
    said = [
        (reading.source.surface(one.reference.start, one.reference.end), one.things)
        for one in told
        if one.things
    ]
    named = replace(named, source=reading.source, context=reading.context, follows=True)
    return replace(named, pointed=limits, taken=_taken(said, reading))


def _read(
    reading: Reading, words: Sequence[IntentWord], pointing: Sequence[Bound]
) -> tuple[Reading, Composed, Completed | None]:
    """The question read with the words that it has."""
    found = composed(reading, words)
    reading = reading if pointing else referring.without_rest(reading, found)
    reading, found = _leaning(reading, found)
    if not reading.follows and not after_list(reading) and vague_rankings.unclear(found):
        found = vague_rankings.offered(
            found, scope_of(reading, terms_of(reading.context.domain, reading.context.vocabulary))
        )
        if not asks_data(reading):
            ranks = intents.FoundIntent("lookup", "composed", (), 1.0)
            reading = replace(reading, intents=(*reading.intents, ranks))
    reading = _joined(reading, found)
    merged = request_of(reading, found)
    if merged and merged[1] in (ROW_LIST, ASKED):
        found = replace(found, requests=(), unread=(), path=())
    merged, things = kept_choice(reading, found, merged) if merged and not pointing else (merged, None)
    if things:
        reading = replace(reading, pointed=things.node().filters, taken=_taken([("", things)], reading))
    if merged is not None and (reading.follows or merged[2]):
        reading = replace(reading, follows=True)
        found = replace(found, unread=(*found.unread, *traceless(reading, found, merged)))
    return reading, found, merged


def _decided(reading: Reading, found: Composed, merged: Completed, formed: Reading) -> Reading:
    """The reading with its request, what was assumed for it, and how sure it is."""
    query, node, inherited = merged
    previous = (reading.context.previous or {}).get("semantic_request") or {}
    query = sensible(query, previous, found.path, reading.source.text) if inherited else query
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    best = found.best
    reading, query = with_period_before(reading, sided(query, terms))
    query = of_the_deed(counted_deed(orderly(query), reading.source.text), terms)
    query = within_that_time(
        by_title(query, reading.source.text, terms), previous, reading.source.text, terms
    )
    reading, query = known_best(reading, best_alone(query, reading.source.text, terms))
    before = tuple(combined_follow_ups.replaced(reading.context.previous or {}, query))
    reading = replace(reading, semantic=query, inherited=(*inherited, *reading.inherited), replaced=before)
    reading = _used_entities(reading, found)
    reading = _fitting_names(_with_open_names(_named_figures(reading, found), found), found)
    reading = resolved(reading, query, best)
    reading = with_period(reading, query, node)
    reading = unconfirmed.said(pro_rata(with_dropped(with_assumptions(reading, found, best), query)), found)
    reading = _unread(_carried(reading), found)
    reading = _asked(reading, found)
    reading = _sure(reading, found, formed)
    return replace(reading, assumptions=(*reading.assumptions, *reading.taken))


def _taken(said: Sequence[tuple[str, Things]], reading: Reading) -> tuple[str, ...]:
    """The things that references were taken for, in words."""
    made = [
        ASSUMED["meant" if text else "same_filters"].say(
            reading.language, text=text, names=", ".join(names), labels=", ".join(names)
        )
        for text, things in said
        if len(things.keys) <= MOST_SAID and (names := titled(things.labels, reading))
    ]
    return tuple(dict.fromkeys(made))


MOST_SAID = 5
"""Things that are named again where a reference means them."""


def _carried(reading: Reading) -> Reading:
    """Name the words that the question before left unread: they are not in the figures of one that goes on with it either."""
    words = [str(word) for word in (reading.context.previous or {}).get("unread") or ()]
    if not words or not reading.follows or not reading.inherited:
        return reading
    said = ASSUMED["still_unread"].say(reading.language, words=", ".join(words))
    return replace(reading, carried=tuple(words), doubts=(*reading.doubts, said))


def _leaning(reading: Reading, found: Composed) -> tuple[Reading, Composed]:
    leaning = asks_how_it_was(reading, found)
    previous = (reading.context.previous or {}).get("semantic_request") or {}
    if found.simpler and previous.get("metrics") and not found.unread:
        return following(reading), replace(found, requests=(), path=found.simpler)
    if previous.get("metrics") and found.best is not None and _limits_unnamed(found.best):
        return following(reading), replace(found, requests=())  # over 3 million: of the figure before
    return (following(reading), leaning) if leaning else (reading, found)


def _limits_unnamed(best: Request) -> bool:
    """Tell whether a limit is on the usual figure only because none was named."""
    return "usual" in best.node.flags and bool(best.query.get("having")) and best.compared is None


def _joined(reading: Reading, found: Composed) -> Reading:
    """The question as one that goes on with what was asked before, or stands by itself."""
    if continues(reading, found):
        reading = following(reading)
    if reading.follows and stands_alone(reading, found):
        reading = replace(reading, follows=False)
    return following(reading) if unnamed(reading, found) else reading


def data_for(reading: Reading, words: Sequence[IntentWord], formed: Reading) -> Reading:
    """A document or a memo about figures: the data that goes in, where the grammar reads all of it."""
    found = composed(reading, words)
    merged = None if found.unread else request_of(reading, found)
    if merged is None:
        return formed
    changed = resolved(replace(formed, semantic=merged[0]), merged[0], found.best)
    return with_period(changed, merged[0], merged[1])


def _taken_by_others(reading: Reading, found: Composed) -> bool:
    """서울 날씨 알려줘: the words belong to another agent, and name no figure beside it."""
    others = [
        i for i in reading.intents if i.name not in DATA_INTENTS and i.rule not in ("implied", "inherited")
    ]
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


_SUBJECT = regex(r"[가-힣]{2,}(?:[비료율률액금량]|건수|횟수|매출)(?:은|는|이|가|을|를|의)?")


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
        best.query.get(key) for key in ("metrics", "derived", "count_groups", "existence", "rows")
    )
    asked = asked or (
        best is not None and len(best.query.get("dimensions") or ()) > 1
    )  # a thing and its date
    return bool(asked) and not found.unread and not found.guesses


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


def _fitting_names(reading: Reading, found: Composed) -> Reading:
    """A word that is a value of several columns, of which the figure has only one, is open no longer: active users and
    active subscriptions. Nor is one of which the table of the figure itself has one, or that is part of a longer value."""
    query = reading.semantic or {}
    figures = [*query.get("metrics", []), *(d["numerator"]["metric"] for d in query.get("derived") or ())]
    limited = {str(item["dimension"]) for item in query.get("filters") or ()}
    terms = terms_of(reading.context.domain, reading.context.vocabulary)

    def settled(entity: Entity) -> bool:
        kinds = {str(m.extra.get("dimension")) for m in entity.candidates}
        fitting = {kind for kind in kinds if all(terms.splits(str(name), kind) for name in figures)}
        several = entity.normalized is None and len(entity.candidates) > 1
        own = {kind for kind in fitting if figures and terms.is_of_rows(kind, str(figures[0]))}
        fitting = own if len(own) == 1 else fitting
        told = [m for m in entity.candidates if str(m.extra.get("dimension")) in fitting]
        if several and not query.get("period") and _within_longer(entity, found, limited):
            return True
        return several and len(told) == len(fitting) == 1 and fitting <= limited

    return replace(reading, entities=tuple(e for e in reading.entities if not settled(e)))


def _within_longer(entity: Entity, found: Composed, limited: set[str]) -> bool:
    """Tell whether a name is the end of a longer one that the reading uses: the 완료 of 이사 완료."""
    return any(
        p.start < entity.start < p.end and any(f.dimension in limited for n in p.nodes for f in n.filters)
        for p in found.path
    )


def _names_what_is_sold(query: Mapping[str, Any], terms: Terms) -> bool:
    named = [
        *(str(f["dimension"]) for f in query.get("filters") or ()),
        *map(str, query.get("dimensions") or ()),
    ]
    return any(terms.is_sold(name) for name in named)


_LISTS = regex(r"(?:\A|please |you |to |me )(?:list|name)(?= )|(?<![가-힣])(?:목록|리스트|명단)")


def _named_figures(reading: Reading, found: Composed) -> Reading:
    """합친 금액 beside another figure is that figure's: nothing is open about it."""
    said = [p for p in found.path if any(node.cat in ("M", "V") for node in p.nodes)]
    figures = set(str(reading.semantic).replace("'", " ").replace("__", " ").split())
    terms = terms_of(reading.context.domain, reading.context.vocabulary)

    sold = _names_what_is_sold(reading.semantic or {}, terms)
    counted = any(node.cat == "COUNT" for p in found.path for node in p.nodes)
    counted = counted or _LISTS.search(reading.source.text) is not None

    def settled(options: set[str], start: int, end: int) -> bool:
        if counted and any(map(terms.counts, options & figures)):  # how many jobs, list the jobs
            return True
        if sold and terms.usual in options & figures:  # 제품의 실적: what it sold for
            return True
        others = {m for p in said if p.start >= end or p.end <= start for n in p.nodes for m in n.metrics}
        if any(p.start <= start and p.end >= end and p.end - p.start > end - start for p in said):
            return True  # a part of a longer word for a figure
        before = (reading.context.previous or {}).get("semantic_request") or {}
        if reading.follows and not others:  # 금액으로는?: that of what was spoken of
            shown = combined_follow_ups.parts_of(before).get("metrics") or ()
            others = {str(m) for m in shown if m in terms.metrics}
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


def _words(reading: Reading, spans: Sequence[tuple[int, int]]) -> list[str]:
    return [without_particle(reading.source.surface(start, end)) for start, end in spans]


_THEN = regex(r"(?:뒤|후)에?(?:는|야)?|(?<=[한된본든친쓴난낸은]\s)(?:다음|이후)에?(?:는|야)?")
"""Words between two things that are asked for, one after the other: 검토한 다음에 저장해줘."""


def _unread(reading: Reading, found: Composed) -> Reading:
    text = reading.source.text
    words = _words(
        reading, [(start, end) for start, end in found.unread if not _THEN.fullmatch(text, start, end)]
    )
    if not words:
        return replace(reading, unread=reading.carried)
    said = ASSUMED["not_understood"].say(reading.language, words=", ".join(words))
    return replace(reading, unread=(*words, *reading.carried), doubts=(*reading.doubts, said))


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
            changed = resolved(replace(reading, semantic=dict(chosen.query)), chosen.query, chosen)
            return with_period(changed, dict(chosen.query), chosen.node)
        if at is None:  # an answer that chooses none of them
            said = ASSUMED["not_understood"].say(reading.language, words=answer)
            return replace(reading, unread=(*reading.unread, answer), doubts=(*reading.doubts, said))
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
    known = reading_features.of_the_form(formed, len(words))
    sure = certainty.confidence(known, formed.context.domain.weights)
    formed = replace(_with_confidence(formed, sure), features=known)
    return replace(formed, doubts=doubts, unread=tuple(stuck[:6]) or formed.unread)


def _with_confidence(reading: Reading, sure: float) -> Reading:
    """The fitted confidence stands for the whole reading: how an intent was found says no more about a figure."""
    changed = tuple(
        replace(intent, confidence=sure) if intent.name in DATA_INTENTS else intent
        for intent in reading.intents
    )
    return replace(reading, intents=changed, confidence=sure)


def _sure(reading: Reading, found: Composed, formed: Reading) -> Reading:
    if not reading.intents:
        lookup = intents.FoundIntent("lookup", "composed", (), 1.0)
        reading = replace(reading, intents=(*reading.intents, lookup))
    known = reading_features.features(reading, found, formed)
    sure = certainty.confidence(known, reading.context.domain.weights)
    return replace(_with_confidence(reading, sure), features=known)
