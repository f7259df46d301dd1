"""The deterministic reading of a question: everything of QueryAnalyzerState, each conclusion with its reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer import (
    ambiguity,
    answers,
    composed_reading,
    evidence,
    feasibility,
    proposal,
    request,
    slots,
    unread,
)
from metaagent.level1.query_analyzer import entities as entity_rules
from metaagent.level1.query_analyzer import intents as intent_rules
from metaagent.level1.query_analyzer.completing import completed, implied_metric
from metaagent.level1.query_analyzer.context import AnalysisContext
from metaagent.level1.query_analyzer.domain import Slot
from metaagent.level1.query_analyzer.entities import NAMED, Entity, Reader
from metaagent.level1.query_analyzer.follow_ups import earlier_requests, inheriting, previous_turn, references
from metaagent.level1.query_analyzer.follow_ups.loosened_limits import loosened
from metaagent.level1.query_analyzer.grammar.reading import terms_of
from metaagent.level1.query_analyzer.intents import FoundIntent
from metaagent.level1.query_analyzer.plugins import with_capabilities
from metaagent.level1.query_analyzer.reading import DATA_INTENTS, Plain, Reading
from metaagent.level1.query_analyzer.requests import (
    knowledge_questions,
    optional_parts,
    orders,
    plain_documents,
    revising,
    small_talk,
    writing,
)
from metaagent.level1.query_analyzer.requests.act_kinds import CHECK
from metaagent.level1.query_analyzer.requests.acts import Acts, acts, rest
from metaagent.level1.query_analyzer.requests.asides import without_asides
from metaagent.level1.query_analyzer.requests.double_questions import in_parts, without_undoable
from metaagent.level1.query_analyzer.requests.moods import EFFECTS, same_again
from metaagent.level1.query_analyzer.requests.own_reference import with_own_references
from metaagent.level1.query_analyzer.requests.quoting import inside, quotations
from metaagent.level1.query_analyzer.requests.said_in_full import in_full
from metaagent.level1.query_analyzer.requests.several_reports import with_own_data
from metaagent.level1.query_analyzer.result import state_of
from metaagent.level1.query_analyzer.wording import ASSUMED
from metaagent.level1.query_analyzer.words.language import spoken
from metaagent.level1.query_analyzer.words.lexicon import Phrasebook, phrasebook
from metaagent.level1.query_analyzer.words.particles import stems
from metaagent.level1.query_analyzer.words.source import Source, key_of, read
from metaagent.level1.query_analyzer.words.spacing import spaced
from metaagent.level1.query_analyzer.words.speaker_clauses import (
    blanked,
    leaves_topic,
    without_declined,
    without_names,
    without_nod,
    without_talk,
)
from metaagent.level1.query_analyzer.words.spelling import corrected


def _entities(
    reading: Reading, base: Mapping[str, Any] | None
) -> tuple[tuple[Entity, ...], list[evidence.Evidence]]:
    context = reading.context
    words = evidence.find(reading.source, context.domain)
    known = feasibility.covered(context.coverage, [])
    reader = Reader(
        context.domain, reading.book, context.today, frozenset(item.start for item in words),
        request.range_of(base), known.first if known else None, context.artifacts, _awaits_date(reading),
    )  # fmt: skip
    found = writing.with_slides(reading.source, entity_rules.find(reading.source, reader), context.domain)
    pointing = [
        each
        for act in reading.acts
        for span in act.things
        for each in entity_rules.referring(reading.source.text, *span, reader)
    ]
    found = [*found, *(each for each in pointing if not any(each.overlaps(other) for other in found))]
    words = [w for w in words if w.intent in _OWN_INTENTS or not _names_a_thing(reading, w)]
    kept = [(w.start, w.end) for w in words if w.intent == "store" and w.kind == "word"]
    found = [e for e in found if e.type != "document_type" or not inside(kept, e.start, e.end)]
    names = [(e.start, e.end) for e in found if e.type == "document_type"]
    said = {
        word.intent
        for word in words
        if word.kind == "word" and not any(a <= word.start and word.end <= b for a, b in names)
    }
    words += [evidence.Evidence(act.intent, act.start, act.end, act.intent, "act") for act in reading.acts]
    taken = [e for e in found if any(act.start <= e.start and e.end <= act.end for act in reading.acts)]
    free = [e for e in found if e not in taken]
    words += [w for w in writing.wanted_as(reading.source, free, context.domain) if w.intent not in said]
    return proposal.with_entities(found, _judged(reading, found)), words


_OWN_INTENTS = DATA_INTENTS - {"explain"}


def _names_a_thing(reading: Reading, word: evidence.Evidence) -> bool:
    """Tell whether the data has things of that name: the drivers of a haulier are no drivers of a change."""
    said = key_of(reading.source.text[word.start : word.end])
    forms = {said, said.removesuffix("s")}
    return any(m.type in ("dimension", *NAMED) for form in forms for m in reading.book.exact.get(form, ()))


def _judged(reading: Reading, found: Sequence[Entity]) -> proposal.Judged:
    context = reading.context
    unsafe = proposal.unsafe_intents(context.domain, context.capabilities)
    return proposal.judge(context.proposed, reading.source, reading.book, context.domain, found, unsafe)


def _decided(reading: Reading, words: list[evidence.Evidence]) -> list[FoundIntent]:
    domain = reading.context.domain
    found = intent_rules.decide(domain, words, reading.entities, _hints(reading), reading.source.text)
    return proposal.with_intents(found, _judged(reading, reading.entities), domain)


def _awaits_date(reading: Reading) -> bool:
    """A date of a thing to come: the turn before asked for one, or has one."""
    previous = reading.context.previous or {}
    names = [*(previous.get("slots") or {}), *(item["field"] for item in previous.get("ambiguities") or ())]
    wanted = [reading.context.domain.slots.get(name) for name in names]
    return any(slot is not None and slot.type == "date" for slot in wanted)


def _disambiguated(reading: Reading) -> Reading:
    """An ambiguous word beside a figure it can mean says nothing new: 매출 실적 is 매출."""
    named = {entity.extra.get("name") for entity in reading.entities if entity.type == "metric"} | {
        implied_metric(reading)
    }
    kept = tuple(
        e
        for e in reading.entities
        if e.type != "ambiguous_metric" or not named & set(e.extra.get("options", ()))
    )
    return replace(reading, entities=kept)


def _hints(reading: Reading) -> frozenset[str]:
    return frozenset({"implied_metric"}) if implied_metric(reading) else frozenset()


def _with_intents(reading: Reading, words: list[evidence.Evidence]) -> Reading:
    context = reading.context
    found = _decided(reading, words)
    answer = context.answered.get("intent")
    if answer is not None:
        choices = [(intent.title.say(reading.language), intent.name) for intent in context.domain.intents]
        at = ambiguity.chosen(answer, choices)
        found = intent_rules.inherited(context.domain, [choices[at][1]]) if at is not None else found
    found = _without_norms(reading, found)
    reading = replace(reading, intents=tuple(found))
    for intent in found:
        if intent.rule == "model":
            title = next(one.title for one in context.domain.intents if one.name == intent.name)
            name = title.say(reading.language)
            reading = reading.assume(ASSUMED["model"], text=intent.words[0], name=name)
    return reading


def _without_norms(reading: Reading, found: Sequence[FoundIntent]) -> list[FoundIntent]:
    """The intents without a search for rules that are only named as those by which something is checked."""
    rules = [entity for entity in reading.entities if entity.type == "regulation"]
    judged = bool(rules) and all(_judges_by(reading, rule) for rule in rules)
    return [each for each in found if not judged or (each.name, each.rule) != ("search", "entity")]


def _judges_by(reading: Reading, rule: Entity) -> bool:
    """Tell whether a rule is named by which something is to be checked, and need not be looked up."""
    return any(
        act.intent == CHECK and act.start <= rule.start and rule.end <= act.end for act in reading.acts
    )


def _with_optional(reading: Reading, words: Sequence[evidence.Evidence]) -> Reading:
    places = {intent.name: _places(intent, reading, words) for intent in reading.intents}
    names = optional_parts.optional_names(reading.source.text, places)
    marked = tuple(replace(intent, optional=intent.name in names) for intent in reading.intents)
    return replace(reading, intents=marked)


def _places(
    intent: FoundIntent, reading: Reading, words: Sequence[evidence.Evidence]
) -> list[tuple[int, int]]:
    """The place where the question asks for it; nowhere if it was taken over from the question before."""
    if intent.rule == "model":
        return [span for word in intent.words if (span := proposal.place(word, reading.source))]
    return intent_rules.places(intent.name, intent.words, words, reading.entities)


def _standing(reading: Reading) -> list[str]:
    return [intent.name for intent in reading.context.domain.intents if intent.name not in DATA_INTENTS]


def _continued(reading: Reading) -> Reading:
    """A follow-up takes over what it does not say."""
    previous = reading.context.previous
    text = reading.source.text
    follows = inheriting.continues(text, previous, reading.intents, reading.entities, _standing(reading))
    if not follows and previous is not None:
        follows = _answers_slot(reading, previous)
    if not follows or previous is None:
        return reading
    base = (previous.get("resolved") or {}).get("period")
    entities, words = _entities(reading, base)
    reading = _disambiguated(answers.settle(replace(reading, entities=entities, follows=True)))
    explicit = [
        intent
        for intent in _without_norms(reading, _decided(reading, words))
        if intent.name != "lookup" and intent.rule != "implied"
    ]
    repeated = [
        name
        for name in previous_turn.repeated(reading)
        if not (name in reading.declined or (reading.declined and name in EFFECTS and not same_again(text)))
    ]
    chosen = explicit or intent_rules.inherited(reading.context.domain, repeated)
    return replace(reading, intents=tuple(chosen))


def _answers_slot(reading: Reading, previous: Mapping[str, Any]) -> bool:
    """A bare value for a slot that the turn before collects: 4박, 아니 4박."""
    if reading.intents or not previous.get("slots"):
        return False
    wanted = [reading.context.domain.slots.get(name) for name in previous["slots"]]
    return any(
        slot and slots.fits(slot, entity) is not None for slot in wanted for entity in reading.entities
    )


def _accounted(reading: Reading, words: Sequence[evidence.Evidence]) -> Reading:
    """Check a chat model's suggestions against what the rules read; where they differ, it is said."""
    if not reading.context.proposed:
        return reading
    own = [entity for entity in reading.entities if entity.method != "model"]
    reading = replace(reading, disputed=_judged(reading, own).disputed)
    if reading.context.vocabulary.terms:
        reading = composed_reading.accounted(reading, words)
    if not reading.disputed:
        return reading
    return reading.assume(ASSUMED["disputed"], words=", ".join(reading.disputed))


def _with_request(reading: Reading) -> Reading:
    context = reading.context
    built = request.build(reading.entities, context.domain, context.vocabulary, reading.source.text)
    taken: list[str] = []
    if reading.follows and context.previous is not None:
        old = context.previous.get("resolved") or request.empty()
        adds = bool(inheriting.added_fields(reading.source.text, reading.entities))
        writes = any(intent.name == "document" for intent in reading.intents)
        built, taken = inheriting.merge(old, built, adds, writes)
    return replace(reading, request=built, inherited=tuple(taken))


_WINDOW = regex(r"\d{1,3}\s?-?\S{1,7}(?=\s?-?(?:이동\s?평균|moving\saverage|rolling\saverage))")


def _with_unread(reading: Reading, seen: Sequence[evidence.Evidence]) -> Reading:
    spans = [*((e.start, e.end) for e in reading.entities), *((w.start, w.end) for w in seen)]
    suggested = [word for intent in reading.intents if intent.rule == "model" for word in intent.words]
    spans += [span for word in suggested if (span := proposal.place(word, reading.source))]
    spans += [part.said for part in optional_parts.parts(reading.source.text)]
    spans += [match.span() for match in _WINDOW.finditer(reading.source.text)]
    domain = reading.context.domain
    known = [*domain.implied_metrics.values(), *domain.calculations.values()]
    implied = [word.lower() for words in known for word in words]
    phrases = [word for word in implied if " " in word and word in reading.source.text]
    found = [
        word
        for word in unread.words(reading.source, spans)
        if not any(known in word.lower() for known in implied)
        and not any(word.lower() in phrase.split() for phrase in phrases)
        and not _is_term(reading, word)
    ]
    reading = replace(reading, unread=tuple(found))
    asks_data = any(intent.name in DATA_INTENTS for intent in reading.intents)
    return reading.assume(ASSUMED["unread"], words=", ".join(found)) if found and asks_data else reading


def _is_term(reading: Reading, word: str) -> bool:
    """런던 고객의 매출: 고객 only says what kind of thing is meant."""
    return any(
        meaning.type in ("dimension", "metric")
        for stem in stems(word.lower())
        for meaning in reading.book.exact.get(key_of(stem), ())
    )


def _wanted_slots(reading: Reading) -> list[tuple[Slot, tuple[Entity, ...]]]:
    """The slots that are to be filled, each with the entities that can fill it."""
    domain = reading.context.domain
    names: dict[str, tuple[Entity, ...]] = {}
    for found in reading.intents:
        intent = domain.intent(found.name)
        names |= dict.fromkeys(intent.slots if intent else (), reading.entities)
    types = [part.document_type for part in writing.asked_for(reading)]
    for name in types if len(types) > 1 else [reading.resolved["document_type"] or ""]:
        kind = domain.document_types.get(name)
        if kind and any(found.name == "document" for found in reading.intents):
            names |= dict.fromkeys(kind.slots, writing.own_entities(reading, name))
    return [(domain.slots[name], entities) for name, entities in names.items()]


def _taken_up(reading: Reading, before: Mapping[str, Any]) -> bool:
    """The form that the person left in the turn before is asked for again."""
    named = (before.get("resolved") or {}).get("document_type")
    return bool(before.get("left")) and named is not None and named == reading.resolved["document_type"]


def _with_slots(reading: Reading) -> Reading:
    context = reading.context
    if reading.revises:
        return reading  # a document that is there has been filled
    before = context.previous or {}
    earlier = before.get("slots") or {} if reading.follows or _taken_up(reading, before) else {}
    values, problem = slots.collect(
        _wanted_slots(reading),
        reading.source,
        context.answered,
        earlier,
        context.today,
        reading.language,
        lambda kind, text: answers.name_in(reading, kind, text),
    )
    reading = replace(reading, slots=values)
    if problem is None:
        return reading
    slot = problem.slot
    question, reason = slot.question.say(reading.language), problem.reason
    if slot.name in context.answered:
        question, reason = f"{problem.reason}. {question}", ""
    options = [(words[1] if len(words) > 1 else value, value) for value, words in slot.options.items()]
    asked = ambiguity.of_slot(slot.name, reason, question, options)
    return replace(reading, ambiguities=(*reading.ambiguities, asked))


def _name_fields(reading: Reading) -> list[tuple[Entity, str]]:
    """Names that are open, each with the field it is asked under; a second one of a type is told apart by its text."""
    found = [entity for entity in reading.entities if entity.type in NAMED and entity.normalized is None]
    fields: list[tuple[Entity, str]] = []
    for entity in found:
        first = all(other.type != entity.type for other, _ in fields)
        fields.append((entity, entity.type if first else f"{entity.type}:{reading.surface(entity)}"))
    return fields


def _possible(context: AnalysisContext) -> set[str]:
    """Capabilities that can be used here and now."""
    offered = context.capabilities or context.domain.capabilities
    return {str(item["name"]) for item in offered} - context.out_of_reach


def _is_open(reference: Entity) -> bool:
    return reference.normalized is None and not reference.extra.get("own")


def _means_nothing_here(reference: Entity, reading: Reading) -> bool:
    """Tell whether a pronoun is open: there was no question before, and this one names nothing that it could mean."""
    if not _is_open(reference) or reading.context.previous is not None:
        return False
    named = any(e.type in NAMED and e.end <= reference.start for e in reading.entities)
    figures = any(e.type == "metric" for e in reading.entities)
    return not named and not (figures and reading.surface(reference).lower() in _ITS_FIGURES)


_ITS_FIGURES = frozenset({"the numbers", "the figures", "the data", "the results"})
"""Words that a figure named beside them explains: the numbers for sales; sales in May, just the numbers."""


def _of_document(reading: Reading) -> list[Plain]:
    """The question which document is meant, or what one that holds nothing but results shall be about."""
    context, language = reading.context, reading.language
    if not reading.resolved["document_type"]:
        return [ambiguity.of_document(context.domain, language)]
    empty = writing.without_content(reading)
    answer = context.answered.get(ambiguity.SUBJECT, "")
    return [] if empty is None else [ambiguity.of_subject(empty.title.say(language), answer, language)]


def _with_ambiguities(reading: Reading) -> Reading:
    context, language = reading.context, reading.language
    found: list[Plain] = []
    searches = bool(reading.intents) and all(intent.name == "search" for intent in reading.intents)
    writes = any(intent.name == "document" for intent in reading.intents)
    quoted = (
        quotations(reading.source.text) if not any(i.name in DATA_INTENTS for i in reading.intents) else []
    )
    for entity, field in (
        () if searches or reading.only_writes else _name_fields(reading)
    ):  # documents may name what the data does not, and so may a text that is checked
        if inside(quoted, entity.start, entity.end):
            continue
        if not entity.extra.get("replaced") and not (writes and entity.extra.get("as_written")):
            named = reading.surface(entity)
            found.append(ambiguity.of_name(entity, named, field, reading.book, context.vocabulary, language))
    for entity in reading.entities:
        text = reading.surface(entity)
        if entity.type == "ambiguous_metric" and reading.intents:
            found.append(ambiguity.of_metric(entity, text, context.vocabulary, language))
        elif entity.type == "period" and entity.normalized is None:
            found.append(ambiguity.of_period(text, language, entity.extra["rule"] == "impossible"))
        elif (
            entity.type == "reference"
            and _means_nothing_here(entity, reading)
            and not writing.states_facts(reading)
        ):
            found.append(ambiguity.of_reference(text, language))
    found += _of_document(reading) if writes and not reading.revises else []
    if not reading.intents:
        found.append(ambiguity.of_intent(context.domain, _possible(context), reading.unread, language))
    elif (
        not reading.entities
        and reading.semantic is None
        and not reading.follows
        and all(intent.name in DATA_INTENTS for intent in reading.intents)
    ):
        found.append(ambiguity.of_figure(context.vocabulary, language))
    return replace(
        reading, ambiguities=tuple(found or ([reading.open_reading] if reading.open_reading else []))
    )


def _documents_read(reading: Reading) -> Reading:
    reading = plain_documents.without_verbs(reading)
    named = writing.without_mentioned(writing.without_stated(writing.named_by_its_kind(reading)))
    return writing.addressed(writing.with_figures(writing.narrated(named)))


def _spaced(source: Source, book: Phrasebook, context: AnalysisContext) -> Source:
    """Words that were written together, apart; only the words of a data model say where one ends."""
    if not context.vocabulary.terms:
        return source
    return spaced(source, book, terms_of(context.domain, context.vocabulary), context.today)


_WORDS = regex(r"[\w가-힣]")


def analyze(question: str, context: AnalysisContext) -> Plain:
    """Pure and total: the same question in the same context gives the same reading, and no text raises."""

    def read_part(part: str) -> Plain:
        return _analyze(part, context)

    asked = question
    question = without_asides(question, phrasebook(context.domain, context.vocabulary, context.lexicon))
    full = in_full(question, context.previous, read_part)
    told = {"in_full": full} if full != question else {}
    if told:  # it leans on nothing any more
        question, context = full, replace(context, previous=None)
    question = orders.without_alternative(orders.plainly_said(question))
    usual = context.domain.defaults.get("metric")
    language = context.language or spoken(question, str(context.user.get("language") or "ko"))
    whole = orders.judged_first(question, _analyze(question, context), read_part, context, language)
    whole = in_parts(question, whole, read_part, usual, language)
    read = with_own_data(question, without_undoable(question, whole, read_part, language), read_part)
    read = orders.as_changed(
        question, orders.said_of_storing(question, read, context, language), context, language
    )
    return read if asked == question else {**read, **told, "raw_query": asked}


def _analyze(question: str, context: AnalysisContext) -> Plain:
    context = replace(
        context,
        domain=with_capabilities(context.domain, context.capabilities),
        previous=previous_turn.plain(context.previous),
    )
    source = read(question)
    language = context.language or spoken(question, str(context.user.get("language") or "ko"))
    book = phrasebook(context.domain, context.vocabulary, context.lexicon)
    said = "undo" if small_talk.undoes(source.text, context.artifacts) else small_talk.kind(source.text)
    said = said or ("kept" if small_talk.asks_what_is_kept(source.text) else None)
    whole = source.text
    source = without_nod(source)
    earlier, widened = earlier_requests.kept(context.previous), False
    if leaves_topic(whole):
        context = replace(context, previous=None)
    else:
        terms = terms_of(context.domain, context.vocabulary)
        context = replace(context, previous=earlier_requests.meant(whole, context.previous, terms))
        if freed := loosened(source.text, context.previous, terms, context.vocabulary):
            context, source = replace(context, previous=freed.previous), blanked(source, freed.said)
            widened = True
    tasks = [w for w in evidence.find(source, context.domain) if w.intent not in DATA_INTENTS]
    documents = {word.lower() for kind in context.domain.document_types.values() for word in kind.words}
    effects = [(w.start, w.end) for w in tasks if w.intent in EFFECTS]
    told = Acts() if said else acts(whole)
    change = rest(source)
    read_here = without_names(source.text, told.read, book)
    heard = without_declined(
        blanked(source, read_here), [(w.start, w.end) for w in tasks], documents, effects
    )
    if told.declined and not told.ordered and not _WORDS.search(heard.text):
        said = "declined"
    source, slips = (
        (source, [])
        if said
        else corrected(_spaced(without_talk(heard, book), book, context), book, context.vocabulary)
    )
    reading = Reading(
        context,
        source,
        language,
        book,
        slips=tuple(slips),
        earlier=tuple(earlier),
        acts=told.ordered,
        declined=told.declined,
        change=change,
        follows=widened,
        loosened=widened,
    )
    for typed, meant in slips:
        reading = reading.assume(ASSUMED["typo"], text=typed, name=meant)
    asks = tasks if said and said not in ("undo", "kept", "declined") else []
    if said is not None and all(source.text[w.start : w.end] in small_talk.POLITE for w in asks):
        return state_of(replace(reading, small_talk=said))
    held = ((context.previous or {}).get("resolved") or {}).get("period")
    entities, words = _entities(reading, held if inheriting.within(source.text) else None)
    named = [e for e in entities if e.type != "period" and e.method not in ("name_typo", "name_sound")]
    points = context.previous is not None and references.found(
        source.text, terms_of(context.domain, context.vocabulary)
    )
    talked = None if named or points else small_talk.opening(whole)
    if talked != "help" and words:
        talked = None
    if talked is not None:
        return state_of(replace(reading, small_talk=talked))
    reading = _disambiguated(answers.settle(_documents_read(replace(reading, entities=entities))))
    reading = replace(reading, entities=with_own_references(source, reading.entities, words))
    reading = _with_optional(_continued(_with_intents(reading, words)), words)
    reading = plain_documents.of_results(writing.without_lookup(knowledge_questions.settled(reading)))
    reading = writing.of_check(plain_documents.to_be_taken(reading))
    reading = writing.with_sources(reading)
    reading = writing.without_guesses(reading)
    reading = answers.settle_document(_with_request(_accounted(reading, words)))
    reading = revising.with_all(revising.with_revision(reading))
    formed = _with_unread(completed(reading), words)
    if context.vocabulary.terms and (composed_reading.asks_data(reading) or not reading.intents):
        formed = composed_reading.decide(reading, words, formed)
    elif context.vocabulary.terms and any(entity.type == "metric" for entity in reading.entities):
        formed = composed_reading.data_for(reading, words, formed)
    return state_of(_with_slots(_with_ambiguities(knowledge_questions.otherwise(writing.with_split(formed)))))
