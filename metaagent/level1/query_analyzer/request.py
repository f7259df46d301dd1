"""The structured request that the data agent gets: metrics, dimensions, filters, period, comparison, rank, output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import Any

from metaagent.language import calendar as cal
from metaagent.language.calendar import Range
from metaagent.language.patterns import regex
from metaagent.language.periods import current_unit, moved
from metaagent.level1.query_analyzer.domain import Domain, SemanticVocabulary, Term
from metaagent.level1.query_analyzer.entities import NAMED, Entity

Plain = dict[str, Any]


def empty() -> Plain:
    return {
        "metrics": [], "dimensions": [], "filters": [], "period": None, "periods": [], "comparison": None, "rank": None,
        "calculations": {}, "output": None, "document_type": None, "artifacts": [], "regulations": [],
    }  # fmt: skip


def range_of(period: Mapping[str, Any] | None) -> Range | None:
    if not period or not period.get("start"):
        return None
    return Range(date.fromisoformat(str(period["start"])), date.fromisoformat(str(period["end"])))


def as_period(span: Range, label: str) -> Plain:
    return {
        "start": span.first.isoformat(),
        "end": span.last.isoformat(),
        "grain": cal.grain_of(span),
        "label": label,
    }


def _unique(items: Sequence[Any]) -> list[Any]:
    return list(dict.fromkeys(items))


def _values(entity: Entity) -> list[Any]:
    return list(entity.normalized) if isinstance(entity.normalized, list) else [entity.normalized]


def _field(entity: Entity, domain: Domain, vocabulary: SemanticVocabulary) -> str:
    if entity.type == "value" and entity.extra.get("dimension"):
        return str(entity.extra["dimension"])
    if entity.type == "value":
        column = entity.extra.get("column")
        return next(
            (t.name for t in vocabulary.terms if t.kind == "dimension" and t.column == column), str(column)
        )
    configured = domain.entity_dimensions.get(entity.type, entity.type)
    own = entity.extra.get("dimension")
    return str(own) if own and not vocabulary.find("dimension", configured) else configured


def member_filters(entities: Sequence[Entity], domain: Domain, vocabulary: SemanticVocabulary) -> list[Plain]:
    found: dict[tuple[str, str], Plain] = {}
    for entity in entities:
        if entity.type not in NAMED or entity.normalized is None or entity.extra.get("replaced"):
            continue
        op = "not_in" if entity.extra.get("negated") else "in"
        field = _field(entity, domain, vocabulary)
        item = found.setdefault((field, op), {"field": field, "op": op, "values": [], "labels": []})
        if entity.extra.get("also"):
            item["also"] = list(entity.extra["also"])
        item["values"] = _unique([*item["values"], *_values(entity)])
        named = entity.extra.get("members") or [entity.extra.get("name", entity.normalized)]
        item["labels"] = _unique([*item["labels"], *named])
        if entity.extra.get("title"):
            item["titles"] = {**item.get("titles", {}), str(named[0]): entity.extra["title"]}
    return list(found.values())


def _fits(term: Term, entity: Entity) -> bool:
    if entity.type == "money":
        unsaid = term.unit is None and term.aggregate not in ("count", "count_distinct", "ratio")
        return term.unit in ("KRW", "USD", "EUR", "JPY") or unsaid
    unit = entity.extra.get("unit")
    return unit is None or term.unit == unit


def _countable(term: Term, entity: Entity) -> bool:
    """회 and 건 count the same things."""
    return (
        entity.type == "quantity"
        and entity.extra.get("unit") != "%"
        and term.unit not in ("KRW", "USD", "EUR", "JPY", "%")
    )


def _compared_metric(
    entity: Entity, entities: Sequence[Entity], vocabulary: SemanticVocabulary, text: str
) -> str | None:
    """The figure that a number is compared with: the nearest named one with the same unit, else the model's with it."""
    metrics = [e for e in entities if e.type == "metric" and e.normalized is not None]
    metrics.sort(key=lambda e: (e.start > entity.start, abs(e.start - entity.start)))
    terms = [term for metric in metrics if (term := vocabulary.find("metric", str(metric.extra.get("name"))))]
    same = next((t for t in terms if _fits(t, entity)), None) or next(
        (t for t in terms if _countable(t, entity)), None
    )
    if same:
        return same.name
    if entity.extra.get("unit") is None and entity.type != "money":
        return None
    if entity.extra.get("unit") == "%" and metrics:
        return None
    fitting = [term for term in vocabulary.terms if term.kind == "metric" and _fits(term, entity)]
    before = text[: entity.start].split()
    named = [t for t in fitting if before and any(label.startswith(before[-1]) for label in t.labels)]
    inside = [t for t in fitting if any(label in text[entity.start : entity.end] for label in t.labels)]
    chosen = named or inside or (fitting if len(fitting) == 1 else [])
    return chosen[0].name if chosen else None


def _limited_column(entity: Entity, entities: Sequence[Entity]) -> str | None:
    """거래 금액 100만원 이상: the column of single rows that the number limits, named right before it."""
    before = [e for e in entities if e.extra.get("limits") and e.end <= entity.start]
    return str(before[-1].extra["name"]) if before and entity.start - before[-1].end <= 4 else None


def unit_columns(
    entities: Sequence[Entity], vocabulary: SemanticVocabulary
) -> list[tuple[Entity, Entity, str]]:
    """Longer than 300000 milliseconds: a number and, as its unit, a column of single rows: (number, unit, dimension)."""
    found: list[tuple[Entity, Entity, str]] = []
    for number, unit in pairwise(entities):
        if "operator" not in number.extra or unit.type != "metric" or unit.start - number.end > 1:
            continue
        term = vocabulary.find("metric", str(unit.extra.get("name")))
        own = [
            t.name
            for t in vocabulary.terms
            if t.kind == "dimension" and t.measured and term and t.column == term.column
        ]
        counted = any(e.type == "metric" and e is not unit for e in entities)
        if own and counted:
            found.append((number, unit, own[0]))
    return found


def _number_filters(entities: Sequence[Entity], vocabulary: SemanticVocabulary, text: str) -> list[Plain]:
    found: list[Plain] = []
    named = {id(number): dimension for number, _, dimension in unit_columns(entities, vocabulary)}
    for entity in entities:
        if "operator" not in entity.extra or entity.extra.get("replaced"):
            continue
        unit = entity.extra.get("currency") or entity.extra.get("unit")
        field = (
            named.get(id(entity))
            or _limited_column(entity, entities)
            or _compared_metric(entity, entities, vocabulary, text)
        )
        found.append(
            {"field": field, "op": entity.extra["operator"], "value": entity.normalized, "unit": unit}
        )
    return found


def _periods(entities: Sequence[Entity], role: str, raw: str) -> list[Plain]:
    found: list[Plain] = []
    for entity in entities:
        if entity.type != "period" or entity.extra["role"] != role or entity.normalized is None:
            continue
        if entity.extra.get("replaced") or entity.extra.get("negated"):
            continue
        span = Range(date.fromisoformat(entity.extra["start"]), date.fromisoformat(entity.extra["end"]))
        found.append(as_period(span, raw[entity.start : entity.end]))
    return found


def _rank(entities: Sequence[Entity]) -> Plain | None:
    found = [entity for entity in entities if entity.type == "rank"]
    if not found:
        return None
    rank = max(
        found, key=lambda entity: entity.extra["n"] or 0
    )  # 제일 많이 쓴 사람 top 3: the one that counts
    share = {"share": "%"} if rank.extra.get("share") else {}
    return {"direction": rank.extra["direction"], "n": rank.extra["n"], **share}


def _first(entities: Sequence[Entity], kind: str) -> Any:
    return next(
        (entity.normalized for entity in entities if entity.type == kind and entity.normalized is not None),
        None,
    )


def build(entities: Sequence[Entity], domain: Domain, vocabulary: SemanticVocabulary, text: str) -> Plain:
    """Reads what the question itself says; nothing inherited, nothing assumed."""
    request = empty()
    units = {id(unit) for _, unit, _ in unit_columns(entities, vocabulary)}
    request["metrics"] = _unique(
        [
            e.extra["name"]
            for e in entities
            if e.type == "metric" and e.normalized is not None and id(e) not in units
        ]
    )
    request["dimensions"] = _unique(
        [
            e.extra["name"]
            for e in entities
            if e.type == "dimension" and e.extra.get("name") and not e.extra.get("limits")
        ]
    )
    request["filters"] = [
        *member_filters(entities, domain, vocabulary),
        *_number_filters(entities, vocabulary, text),
    ]
    for item in request["filters"]:
        known = vocabulary.find("dimension", str(item.get("field"))) is None
        if item.get("field") and known and "value" in item and not request["metrics"]:
            request["metrics"] = [item["field"]]
    periods = _periods(entities, "base", text)
    request["period"] = periods[0] if periods else None
    request["periods"] = periods if len(periods) > 1 else []
    compared = _periods(entities, "comparison", text)
    if compared:
        shift = next((e.extra.get("shift") for e in entities if e.extra.get("role") == "comparison"), None)
        request["comparison"] = {"kind": f"previous_{shift}" if shift else "period", **compared[0]}
    shorthand = next((e for e in entities if e.type == "comparison" and e.extra.get("shift")), None)
    if shorthand and not compared:
        request["comparison"] = {"kind": shorthand.normalized}
    request["rank"] = _rank(entities)
    request["output"] = _first(entities, "output_form")
    request["document_type"] = _first(entities, "document_type")
    request["artifacts"] = _unique([e.normalized for e in entities if e.type == "reference" and e.normalized])
    request["regulations"] = _unique([e.normalized for e in entities if e.type == "regulation"])
    return request


_FALL = regex(r"[^.?!]{0,8}(?:감소|줄|하락|떨어|빠진|drop|declin|decreas|fell|fall)")
_RISE = regex(r"[^.?!]{0,8}(?:증가|늘|성장|상승|신장|오른|올라|grow|grew|increas|rise|rose)")


def changes(request: Plain, entities: Sequence[Entity], text: str) -> Plain:
    """10% 이상 감소한: a condition on the change, not on a figure."""
    if any(e.type == "metric" and e.extra.get("unit") == "%" for e in entities) or not request["metrics"]:
        return request
    filters = [dict(item) for item in request["filters"]]
    for entity in entities:
        own = next((f for f in filters if f.get("unit") == "%" and f.get("value") == entity.normalized), None)
        end = max(
            [
                entity.end,
                *(e.end for e in entities if e.type == "comparison" and 0 <= e.start - entity.end < 4),
            ]
        )
        before = text[max(0, entity.start - 24) : entity.start]
        falls = _FALL.match(text, end) or _FALL.search(before)
        rises = _RISE.match(text, end) or _RISE.search(before)
        if own is None or not (falls or rises) or isinstance(entity.normalized, list):
            continue
        own |= {"field": request["metrics"][0], "measure": "change_percent"}
        if falls:
            own |= {
                "value": -entity.normalized,
                "op": {">=": "<=", ">": "<", "<=": ">=", "<": ">"}[own["op"]],
            }
    return {**request, "filters": filters}


_RATE = regex(r"율|률|퍼센트|%|(?<![a-z])(?:rate|percent|percentage|fastest)(?![a-z])")
_FALLING = regex(
    r"감소|줄[어었은인]|하락|떨어|빠진|급감|급락|(?<![a-z])(?:drop|declin|decreas|fell|fall|shr[aiu]nk|lost)"
)
_RISING = regex(
    r"증가|늘[어었은린]|성장|상승|신장|오른|올랐|올라|급증|급등|(?<![a-z])(?:grow|grew|increas|ris|rose|gain|surg|improv)"
)


def by_change(request: Plain, text: str) -> Plain:
    """가장 많이 늘어난 병원, products that grew the most: what is ranked is the change."""
    rank, metrics = request["rank"], request["metrics"]
    falls, rises = _FALLING.search(text), _RISING.search(text)
    if not rank or not metrics or not request["comparison"] or not (falls or rises):
        return request
    other = {"top": "bottom", "bottom": "top"}[rank["direction"]]
    by = f"{metrics[0]}__{'change' if _RATE.search(text) else 'difference'}"
    return {**request, "rank": {**rank, "direction": other if falls else rank["direction"], "by": by}}


_CHANGED = regex(
    r"(?:이|가|은|는)?\s?(?:(?P<fall>감소한|줄어든|줄은|하락한|떨어진|빠진)|(?P<rise>증가한|늘어난|늘은|성장한|상승한|오른))\s?\Z"
)
_CHANGED_AFTER = regex(
    r"\s(?:that|which|whose\s\w+|with)\s(?:have\s|had\s)?(?:(?P<fall>fell|dropped|declined|decreased|falling|declining|lower)"
    r"|(?P<rise>grew|rose|increased|growing|rising|higher))"
)


def only_changed(request: Plain, entities: Sequence[Entity], text: str) -> Plain:
    """매출 감소한 병원, regions that grew: only those."""
    if request["rank"] or not request["metrics"] or not request["comparison"]:
        return request
    if any("measure" in item for item in request["filters"]):
        return request
    for entity in entities:
        if entity.type != "dimension":
            continue
        found = _CHANGED.search(text, 0, entity.start) or _CHANGED_AFTER.match(text, entity.end)
        if found:
            op = "<" if found["fall"] else ">"
            own = {
                "field": request["metrics"][0],
                "op": op,
                "value": 0,
                "unit": "%",
                "measure": "change_percent",
            }
            return {**request, "filters": [*request["filters"], own]}
    return request


def compare(request: Plain, today: date) -> tuple[Plain, str | None]:
    """Completes the comparison; the second value names what was assumed: previous_period, aligned or current_unit."""
    periods = request["periods"]
    if request["comparison"] is None and len(periods) > 1:
        early, late = sorted(periods[:2], key=lambda period: period["start"])
        return {**request, "period": late, "comparison": {"kind": "period", **early}}, None
    field = next(
        (item["field"] for item in request["filters"] if item["op"] == "in" and len(item["values"]) > 1), None
    )
    if request["comparison"] is None and field:
        dimensions = _unique([*request["dimensions"], field])
        return {**request, "dimensions": dimensions, "comparison": {"kind": "members", "field": field}}, None
    if request["comparison"] is None and len(request["metrics"]) > 1:
        return {**request, "comparison": {"kind": "metrics", "fields": request["metrics"]}}, None
    return _against_earlier(request, today)


def _base_for(request: Plain, comparison: Plain, today: date) -> tuple[Plain, str | None]:
    """Compares a side that alone was named with the running unit of its kind."""
    if request["period"] is not None or not comparison.get("start"):
        return request, None
    unit = comparison["grain"] if comparison["grain"] in ("day", "week", *cal.UNIT_MONTHS) else "month"
    return {**request, "period": as_period(cal.relative_range(unit, 0, today), "")}, "current_unit"


def _against_earlier(request: Plain, today: date) -> tuple[Plain, str | None]:
    comparison = request["comparison"] or {"kind": "previous_period"}
    if comparison["kind"] == "period":
        return _base_for(request, comparison, today)
    shift = comparison["kind"].removeprefix("previous_")
    if shift not in ("day", "week", *cal.UNIT_MONTHS):  # members or metrics of the turn before
        shift = "period"
    said = request["comparison"] is not None
    base, note = range_of(request["period"]), None if said else "previous_period"
    if base is None:
        base, note = current_unit(shift if shift != "period" else "month", today), "current_unit"
    whole = base
    if base.first <= today < base.last:
        base, note = Range(base.first, today), "aligned"
    before = (
        moved(base, shift)
        if shift != "period" or base == whole
        else moved(base, cal.grain_of(whole) if cal.grain_of(whole) in cal.UNIT_MONTHS else "period")
    )
    label = (request["period"] or {}).get("label", "")
    period = as_period(base, label)
    return {
        **request,
        "period": period,
        "comparison": {"kind": comparison["kind"], **as_period(before, comparison.get("label", ""))},
    }, note
