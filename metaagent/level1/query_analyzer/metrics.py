"""Chooses the figure that is meant where the words leave it open, and what is computed beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.domain import Domain, SemanticVocabulary, Term
from metaagent.level1.query_analyzer.entities import Entity

Plain = dict[str, Any]
TIMES = frozenset({"year", "quarter", "month", "week", "day"})
USUAL_WINDOW = 3
_AVERAGE = regex(r"(?:평균\s?|average\s|mean\s|avg\.?\s)\Z")
_WINDOW = regex(r"(\d{1,3})\s?[- ]?(?:개월|달|주|일|분기|년|month|week|day|quarter|year|period)?s?\s?[- ]?\Z")


def default_metric(
    vocabulary: SemanticVocabulary, dimensions: Sequence[str], usual: str | None
) -> str | None:
    """The usual figure; where it cannot be split as asked, the first one that can and that adds up."""
    tables = [set(term.tables) for name in dimensions if (term := vocabulary.find("dimension", name))]
    first = vocabulary.find("metric", usual) if usual else None
    if first is not None and _splits(first, tables):
        return usual
    fitting = [
        term for term in vocabulary.terms if term.kind == "metric" and term.aggregate in ("sum", "count")
    ]
    return next((term.name for term in fitting if tables and term.tables and _splits(term, tables)), usual)


def _splits(metric: Term, tables: Sequence[set[str]]) -> bool:
    """Unknown is taken for yes: the semantic layer says no with a reason."""
    return not metric.tables or all(not places or places & set(metric.tables) for places in tables)


def averaged(resolved: Plain, entities: Sequence[Entity], vocabulary: SemanticVocabulary, text: str) -> Plain:
    """Average track length: the average of the very column, where the model has one."""
    metrics = _without_units(list(resolved["metrics"]), entities, vocabulary, text)
    for entity in entities:
        name = entity.extra.get("name")
        if entity.type != "metric" or name not in metrics or not _AVERAGE.search(text, 0, entity.start):
            continue
        own = vocabulary.find("metric", str(name))
        twin = next((t for t in vocabulary.terms if own and own.column and _average_of(t, own)), None)
        if twin is not None:
            metrics[metrics.index(name)] = twin.name
    return {**resolved, "metrics": metrics}


def _without_units(
    metrics: list[str], entities: Sequence[Entity], vocabulary: SemanticVocabulary, text: str
) -> list[str]:
    """Track length in milliseconds: the second names the unit of the first."""
    columns = {name: term.column for name in metrics if (term := vocabulary.find("metric", name))}
    units = {
        str(e.extra.get("name"))
        for e in entities
        if e.type == "metric" and re.search(r"(?<![a-z])in\s\Z", text[: e.start])
    }
    return [
        name
        for name in metrics
        if name not in units or not any(o != name and columns.get(o) == columns.get(name) for o in metrics)
    ]


def _average_of(term: Term, own: Term) -> bool:
    return term.kind == "metric" and term.aggregate == "average" and term.column == own.column


def added_up(vocabulary: SemanticVocabulary, column: str) -> str | None:
    """The sum of a column of this name, whatever the model calls it."""
    return next(
        (
            t.name
            for t in vocabulary.terms
            if t.kind == "metric" and t.aggregate == "sum" and _bare(t) == column
        ),
        None,
    )


_WHO = regex(r"누가|누구|사람|(?<![a-z])(?:who|whom|whose|person|people)(?![a-z])")


def who(resolved: Plain, domain: Domain, vocabulary: SemanticVocabulary, text: str) -> Plain:
    """제일 많이 쓴 사람, who spent the most: the people of this model."""
    if not resolved["rank"] or resolved["dimensions"] or not _WHO.search(text):
        return resolved
    usual = domain.entity_dimensions.get("person")
    known = [t.name for t in vocabulary.terms if t.kind == "dimension" and t.subtype == "person"]
    names = [usual] if usual and vocabulary.find("dimension", usual) else known[:1]
    return {**resolved, "dimensions": names}


_ADJECTIVES: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = tuple(
    (regex(pattern), frozenset(words.split()))
    for pattern, words in (
        (r"비싼|비싸|저렴|싼\s|(?<![a-z])(?:expensive|cheap|costly|pricey)", "가격 단가 price"),
        (r"긴\s|길이|짧은|짧|(?<![a-z])(?:long|short)", "길이 시간 기간 length duration"),
        (r"무거운|가벼운|(?<![a-z])(?:heav|light)", "무게 체중 weight"),
        (r"두꺼운|얇은|(?<![a-z])(?:thick|thin)", "쪽수 페이지 pages"),
        (r"나이|젊은|어린|\d\s?[살세](?![가-힣])|(?<![a-z])(?:old|young)", "나이 연령 age"),
        (r"넓은|좁은|(?<![a-z])(?:wide|large|small)", "면적 크기 area size"),
    )
)


def measured_by(text: str, number: Entity, table: str | None, vocabulary: SemanticVocabulary) -> str | None:
    """Students older than 40, 40세 이상: the column of single rows that the words beside the number speak of."""
    beside = text[max(0, number.start - 24) : number.end + 4]
    meant = [words for pattern, words in _ADJECTIVES if pattern.search(beside)]
    for words in meant:
        for term in vocabulary.terms:
            own = term.kind == "dimension" and term.measured and term.table == table
            if own and any(label.lower().split()[-1] in words for label in term.labels if label):
                return term.name
    return None


_BARE_COUNT = regex(r"건수|개수|횟수|인원수|(?<![a-z])(?:count|how many|number of)(?![a-z])")


def bare_count(text: str, dimensions: Sequence[str], vocabulary: SemanticVocabulary) -> list[str]:
    """상태별 건수: how many rows of the table that is split so."""
    tables = [
        term.table for name in dimensions if (term := vocabulary.find("dimension", name)) and term.table
    ]
    if not tables or not _BARE_COUNT.search(text):
        return []
    return [
        term.name
        for term in vocabulary.terms
        if term.kind == "metric"
        and term.aggregate == "count"
        and term.table == tables[0]
        and not term.filtered
    ][:1]


def of_adjective(text: str, dimensions: Sequence[str], vocabulary: SemanticVocabulary) -> list[str]:
    """The longest songs, 가장 비싼 제품: the adjective names the column, where the thing has such a one."""
    tables = {term.table for name in dimensions if (term := vocabulary.find("dimension", name))}
    meant = [words for pattern, words in _ADJECTIVES if pattern.search(text)]
    for words in meant:
        for term in vocabulary.terms:
            if term.kind != "metric" or term.aggregate != "max" or term.table not in tables:
                continue
            if any(label.lower().split()[-1] in words for label in term.labels if label):
                return [term.name]
    return []


def dimension_label(vocabulary: SemanticVocabulary, entity: Entity, language: str) -> str:
    term = vocabulary.find("dimension", str(entity.extra.get("dimension")))
    labels = [label for label in (term.labels if term else ()) if label.isascii() == (language == "en")]
    return labels[0] if labels else str(entity.extra.get("dimension"))


def of_own_table(resolved: Plain, vocabulary: SemanticVocabulary) -> Plain:
    """Employees by city: the city of the employees, where each table has a city of its own."""
    terms = [vocabulary.find("metric", name) for name in resolved["metrics"]]
    tables = {term.table for term in terms if term and term.table}
    if len(tables) != 1:
        return resolved
    own = [t for t in vocabulary.terms if t.kind == "dimension" and t.table in tables]

    def moved(name: str) -> str:
        term = vocabulary.find("dimension", name)
        if term is None or term.table is None or term.table in tables or term.is_thing:
            return name
        return next((t.name for t in own if not t.is_thing and _bare(t) == _bare(term)), name)

    filters: list[Plain] = []
    for item in resolved["filters"]:
        also = item.get("also") or ()
        kept = {key: value for key, value in item.items() if key != "also"}
        better = [t.name for t in own if t.name in also]
        named = vocabulary.find("dimension", str(item.get("field")))
        elsewhere = named is not None and named.table not in tables
        filters.append({**kept, "field": better[0]} if better and elsewhere else kept)
    return {**resolved, "dimensions": [moved(name) for name in resolved["dimensions"]], "filters": filters}


def _bare(term: Term) -> str:
    column = str(term.column)
    return "" if " " in column else column.rpartition(".")[2].lower()


def extreme(resolved: Plain, vocabulary: SemanticVocabulary) -> Plain:
    """The price of the dearest song: nothing is listed, so the largest value itself is asked for."""
    rank = resolved["rank"]
    if not rank or resolved["dimensions"] or rank.get("n") not in (None, 1) or len(resolved["metrics"]) != 1:
        return resolved
    named = vocabulary.find("metric", resolved["metrics"][0])
    wanted = "max" if rank["direction"] == "top" else "min"
    twin = next(
        (
            term.name
            for term in vocabulary.terms
            if named and named.column and term.kind == "metric" and term.aggregate == wanted
            and term.column == named.column and not named.filtered and not term.filtered
        ),
        None,
    )  # fmt: skip
    return {**resolved, "metrics": [twin], "rank": None} if twin else resolved


def calculated(resolved: Plain, domain: Domain, vocabulary: SemanticVocabulary, text: str) -> Plain:
    """비중, 누계, 3개월 이동평균, 목표 대비: as the semantic layer names them."""
    found: Plain = dict(resolved.get("calculations") or {})
    for name, words in domain.calculations.items():
        at = _place(
            text,
            words,
            [label for term in vocabulary.terms if term.kind == "metric" for label in term.labels],
        )
        if at is None:
            continue
        window = _WINDOW.search(text, 0, at)
        found[name] = (int(window[1]) if window else USUAL_WINDOW) if name == "moving_average" else True
    if not resolved["dimensions"]:
        found.pop("share", None)
    dimensions = list(resolved["dimensions"])
    if (found.get("running_total") or found.get("moving_average")) and not TIMES & set(dimensions):
        dimensions.append("month")
    return {**resolved, "calculations": found, "dimensions": dimensions}


def _place(text: str, words: Sequence[str], names: Sequence[str]) -> int | None:
    """Finds one of the words outside the name of a figure that contains it."""
    for word in map(str.lower, words):
        pattern = re.escape(word).replace(r"\ ", r"\s?")
        bounded = rf"(?<![a-z]){pattern}(?![a-z])" if word.isascii() else pattern
        match = re.search(bounded, text)
        if match and not any(word in name.lower() and name.lower() in text for name in names):
            return match.start()
    return None
