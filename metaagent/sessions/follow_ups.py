"""Questions that lead on from an answer: the same figures from another side, the article beside the one that was cited, the
law behind a finding. Each was tried as far as that goes without answering it: read, and its figures or its article found.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from metaagent.errors import Failed, MetaAgentError, Text
from metaagent.knowledge.terms import terms
from metaagent.sessions.topics import MONTHS, is_feasible, serves, shown_in_english, splits, spoken_label

if TYPE_CHECKING:
    from metaagent.data.tenant_data import TenantData
    from metaagent.level1.reasoner import RuleReasoner
    from metaagent.ports import AnalysisInput, Json, Knowledge
    from metaagent.sessions.domain import OpenDomain
    from metaagent.storage.library.port import LibraryOfPerson

_SEARCH, _DOCUMENT, _FIGURES = "information_retrieval", "document_generation", "data_analysis"
_BY = Text(en="{metric} of {value} by {dimension}{when}", ko="{when}{value} {dimension}별 {metric}")
_BY_ALL = Text(en="{metric} by {dimension}{when}", ko="{when}{dimension}별 {metric}")
_COMPARED = Text(
    en="Compare {metric} {of}in {period} with the {grain} before", ko="{when}{value}{metric} {grain} 대비"
)
_REPORT = Text(en="Write a report on {about}", ko="{about} 보고서를 작성해줘")
_ARTICLE = Text(en="What does {title} say in {heading}?", ko="{title} {heading} 내용 알려줘")
_LAW = Text(en="What does {law} say?", ko="{law} 내용 알려줘")
_GRAINS = {
    "month": Text(en="month", ko="전월"),
    "quarter": Text(en="quarter", ko="전분기"),
    "year": Text(en="year", ko="전년"),
}
_MOST_DIMENSIONS, _MOST_ARTICLES = 6, 2
_OF_RULES = frozenset({_SEARCH, "compliance_validation"})


@dataclass(frozen=True)
class Figures:
    """The figures that an answer told, in the words of its language."""

    metric: str
    label: str
    dimensions: tuple[str, ...]
    period: Mapping[str, str] | None
    value: str | None
    """The one value that it was limited to, as the data has it."""
    named: str
    """That value as people say it."""


@dataclass(frozen=True)
class FollowUp:
    """A question, and what it must be read as to be offered."""

    shape: str
    question: str
    dimension: str | None = None
    value: str | None = None


async def follow_ups_of(
    outcome: Mapping[str, Any],
    findings: Sequence[Mapping[str, Any]],
    domain: OpenDomain,
    library: LibraryOfPerson | None,
    given: AnalysisInput,
    most: int,
) -> list[str]:
    """Find at most so many questions that lead on from a turn with this outcome, none of them the one that was asked."""
    analysis = outcome.get("analysis") or {}
    told: dict[str, None] = {}
    reader = domain.reasoner()
    sides = (
        _about_documents(outcome, findings, library, reader, given),
        following(outcome, reader, await domain.known(given.user), domain.opened(given), given),
        _about_rules(analysis, domain, reader, given),
    )
    for side in sides:
        async for question in side:
            if question != analysis.get("raw_query"):
                told[question] = None
            if len(told) == most:
                return [*told]
    return [*told]


async def _about_documents(
    outcome: Mapping[str, Any],
    findings: Sequence[Mapping[str, Any]],
    library: LibraryOfPerson | None,
    reader: RuleReasoner,
    given: AnalysisInput,
) -> AsyncIterator[str]:
    """The articles that findings rest on, where a document has them; those beside the one that was cited first."""
    language = given.language or "en"
    if library is None:
        return
    for question, law in laws_behind(findings, language).items():
        found = await library.headings(terms(law))
        if any(names_it(law, each) for each in found) and await _is_searched(question, reader, given):
            yield question
    for citation in (outcome.get("citations") or ())[:1]:
        for question in await _beside(citation, library, language):
            if await _is_searched(question, reader, given):
                yield question


async def _beside(citation: Mapping[str, Any], library: LibraryOfPerson, language: str) -> list[str]:
    try:
        _, document = await library.document(str(citation.get("document_id")))
    except (
        MetaAgentError,
        Failed,
    ):  # a passage of the web, of an attached file, or of a document that is gone
        return []
    if document.as_json().get("language") != language:
        return []
    places = await library.chunks([f"{document.id}-{number}" for number in range(document.chunks)])
    return articles_beside(places, citation, document.title, language)


async def _about_rules(
    analysis: Mapping[str, Any], domain: OpenDomain, reader: RuleReasoner, given: AnalysisInput
) -> AsyncIterator[str]:
    """After a rule was told, the domain's example of a check by rules; after a check, its example of a rule."""
    asked = set(analysis.get("required_capabilities") or ())
    if not asked & _OF_RULES:
        return
    for question, intent in domain.examples(given.language or "en").items():
        of = set(intent.capabilities)
        if of <= _OF_RULES - asked and await serves(question, intent, reader, given):
            yield question


async def following(
    outcome: Mapping[str, Any],
    reader: RuleReasoner,
    knowledge: Knowledge,
    db: TenantData | None,
    given: AnalysisInput,
) -> AsyncIterator[str]:
    """Questions about figures like those of the answer, one of each shape, that are read as meant and have an answer."""
    language = given.language or "en"
    told = _told(outcome.get("analysis") or {}, knowledge, language)
    if told is None or db is None or not knowledge.reachable:
        return
    top = await _first(told, outcome, db)
    done: set[str] = set()
    for each in _candidates(told, top, outcome, knowledge, language):
        if each.shape not in done and await _holds(each, told, reader, db, given):
            done.add(each.shape)
            yield each.question


def _told(analysis: Mapping[str, Any], knowledge: Knowledge, language: str) -> Figures | None:
    request: Mapping[str, Any] = analysis.get("semantic_request") or {}
    metrics: Sequence[str] = request.get("metrics") or ()
    filters: Sequence[Mapping[str, Any]] = request.get("filters") or ()
    values = _limits(analysis)
    found = next(
        (one for one in knowledge.vocabulary if one["kind"] == "metric" and [one["name"]] == [*metrics]), None
    )
    if found is None or len(filters) > 1 or len(values) != len(filters):
        return None
    value = values[0] if values else None
    named = "" if value is None else _named(value, analysis, knowledge, language)
    if named is None:
        return None
    return Figures(
        str(found["name"]),
        spoken_label(found, language),
        dimensions=tuple(request.get("dimensions") or ()),
        period=request.get("period"),
        value=value,
        named=named,
    )


def _limits(analysis: Mapping[str, Any]) -> list[str]:
    """The values that a question was limited to, by their names."""
    filters = (analysis.get("resolved") or {}).get("filters") or ()
    return [str(value) for one in filters for value in one.get("labels") or one.get("values") or ()]


def _named(value: str, analysis: Mapping[str, Any], knowledge: Knowledge, language: str) -> str | None:
    """A value as people of this language say it; None where only the other language has a name for it."""
    filters = (analysis.get("resolved") or {}).get("filters") or ()
    title = next(
        (one["titles"][value][language] for one in filters if value in (one.get("titles") or {})), None
    )
    if title or language != "en":
        return title or value
    spelt = shown_in_english(knowledge).get(value, value)
    return spelt if spelt.isascii() else None


async def _first(told: Figures, outcome: Mapping[str, Any], db: TenantData) -> str | None:
    """The thing that stands first in a table of things, which people ask about next."""
    if len(told.dimensions) != 1 or told.value is not None:
        return None
    try:
        found = await db.ask(outcome["analysis"]["semantic_request"])
    except MetaAgentError:
        return None
    first = found.rows[0][0] if len(found.rows) > 1 else None
    return first if isinstance(first, str) else None


def _candidates(
    told: Figures, top: str | None, outcome: Mapping[str, Any], knowledge: Knowledge, language: str
) -> Iterator[FollowUp]:
    period, grain = _period_said(told.period, language)
    when = "" if not period else f"{period} " if language == "ko" else f" in {period}"
    others = [one for one in splits(knowledge, told.metric) if one["name"] not in told.dimensions][
        :_MOST_DIMENSIONS
    ]
    value, named = told.value, told.named
    if top is not None and (said := _named(top, {}, knowledge, language)) is not None:
        value, named = top, said
    for one in others:
        text = _BY if named else _BY_ALL
        said = text.say(language, metric=told.label, value=named, dimension=one["label"][language], when=when)
        yield FollowUp("split", said[:1].upper() + said[1:], one["name"], value)
    if grain:
        words = {
            "metric": told.label,
            "value": f"{told.named} " if told.named else "",
            "of": f"of {told.named} " if told.named else "",
            "when": when,
            "period": period,
            "grain": _GRAINS[grain].say(language),
        }
        yield FollowUp("compared", _COMPARED.say(language, **words), None, told.value)
    if _DOCUMENT not in (outcome["analysis"].get("required_capabilities") or ()):
        yield from _reports(told, when, knowledge, language)


def _reports(told: Figures, when: str, knowledge: Knowledge, language: str) -> Iterator[FollowUp]:
    names = {one["name"]: one["label"][language] for one in splits(knowledge, told.metric)}
    known = [names[one] for one in told.dimensions if one in names]
    if len(told.dimensions) != 1 or not known:
        return
    text = _BY if told.named else _BY_ALL
    about = text.say(language, metric=told.label, value=told.named, dimension=known[0], when=when)
    yield FollowUp("report", _REPORT.say(language, about=about), told.dimensions[0], told.value)


def _period_said(period: Mapping[str, str] | None, language: str) -> tuple[str, str]:
    """A period as a question names it, with its grain where it is a whole month, quarter or year."""
    if not period:
        return "", ""
    start, end = date.fromisoformat(period["start"]), date.fromisoformat(period["end"])
    after = end + timedelta(days=1)
    months = (after.year - start.year) * 12 + after.month - start.month
    ko = language == "ko"
    if start.day == after.day == 1:
        if months == 1:
            said = f"{start.year}년 {start.month}월" if ko else f"{MONTHS[start.month - 1]} {start.year}"
            return said, "month"
        if months == 3 and start.month % 3 == 1:
            quarter = start.month // 3 + 1
            return (f"{start.year}년 {quarter}분기" if ko else f"Q{quarter} {start.year}"), "quarter"
        if months == 12 and start.month == 1:
            return (f"{start.year}년" if ko else str(start.year)), "year"
    return (f"{start}부터 {end}까지" if ko else f"the time from {start} to {end}"), ""


async def _holds(
    each: FollowUp, told: Figures, reader: RuleReasoner, db: TenantData, given: AnalysisInput
) -> bool:
    """Tell whether the question is read as it was meant, and the data has figures for it."""
    try:
        reading = await reader.analyze(each.question, given)
        request = reading.get("semantic_request") or {}
        if not is_feasible(reading) or reading.get("unread") or not _as_meant(each, told, reading, request):
            return False
        found = await db.ask(request)
    except MetaAgentError:
        return False
    enough = len(found.rows) > 1 or each.shape == "compared"
    return enough and any(isinstance(cell, int | float) for row in found.rows for cell in row)


def _as_meant(each: FollowUp, told: Figures, reading: Json, request: Mapping[str, Any]) -> bool:
    wanted = {_FIGURES} | ({_DOCUMENT} if each.shape == "report" else set())
    values = _limits(reading)
    return (
        set(reading["required_capabilities"]) == wanted
        and list(request.get("metrics") or ()) == [told.metric]
        and list(request.get("dimensions") or ()) == ([each.dimension] if each.dimension else [])
        and values == ([each.value] if each.value is not None else [])
        and (each.shape == "compared" or (request.get("period") or None) == (told.period or None))
        and bool(request.get("comparison")) == (each.shape == "compared")
    )


# --- documents and rules ------------------------------------------------------------------------------------


def articles_beside(
    places: Sequence[Json], citation: Mapping[str, Any], title: str, language: str
) -> list[str]:
    """Questions about the parts of a document that follow the cited one, then about those before it."""
    headings = list(dict.fromkeys(str(one["heading"][-1]) for one in places if one.get("heading")))
    cited = str((citation.get("place") or {}).get("heading") or "")
    if cited not in headings:
        return []
    at = headings.index(cited)
    others = [*headings[at + 1 :], *headings[:at]]
    return [_ARTICLE.say(language, title=title, heading=each) for each in others[:_MOST_ARTICLES]]


def laws_behind(findings: Sequence[Mapping[str, Any]], language: str) -> dict[str, str]:
    """Questions about what the findings of a check rest on, with the place that each asks for."""
    open_ones = [one for one in findings if one.get("status") in {"violated", "unknown"}]
    laws = dict.fromkeys(str(one["law"]) for one in open_ones if one.get("law"))
    return {_LAW.say(language, law=law): law for law in laws if language == "ko" or law.isascii()}


def names_it(law: str, heading: Mapping[str, Any]) -> bool:
    """Tell whether this part of a document is the place that a law is cited by."""
    said = "".join(map(str, (heading["title"], *heading["heading"])))
    return _bare(law) in _bare(said)


def _bare(said: str) -> str:
    return re.sub(r"\s+", "", said)


async def _is_searched(question: str, reader: RuleReasoner, given: AnalysisInput) -> bool:
    """Tell whether a question is read as one that documents answer."""
    try:
        reading = await reader.analyze(question, given)
    except MetaAgentError:
        return False
    return is_feasible(reading) and list(reading["required_capabilities"]) == [_SEARCH]
