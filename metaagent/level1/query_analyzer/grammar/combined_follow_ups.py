"""Follow-ups about the values that the last turns asked for one after the other: both together, the difference of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from metaagent.language.patterns import regex

Plain = dict[str, Any]
MOST = 4
"""Values that are remembered beside the one that stands."""
PERIOD = "@period"
"""A period among the values: no dimension has such a name."""
BOTH = regex(
    r"(?<![가-힣])(?:그\s?)?(?:둘(?:\s?다|을|이|은|의|만|끼리|이서)?|두\s?(?:곳|군데|지역|팀|개|사람|명|제품|병원|가지|품목)(?:을|이|은|의|만|에서)?)(?![가-힣])"
    r"|(?<![a-z])(?:both|the two|those two|these two) (?:months|quarters|weeks|years|periods|figures|numbers|shares)(?![a-z])"
    r"|(?<![a-z])(?:which (?:one|of (?:them|the two))|both(?: of (?:them|those))?"
    r"|the two(?: of them)?|those two|these two)(?![a-z])"
    r"|(?<![가-힣])(?:그\s?)?두\s?(?:달|분기|해|주|기간|시기|날|개월)(?:치|을|이|은|의|만|간)?(?![가-힣])"
)
ALONE = regex(
    r"\A\W*(?:(?:and|so|ok|okay|then|그럼|그러면|그래서|그|다|모두|총)[,\s]+)*(?:"
    r"(?:what(?:'s|’s| is| was) )?(?:the )?(?:difference|gap|ratio|sum)(?: (?:between|of) (?:them|the two|both))?"
    r"(?: in (?:percentage |percent )?points)?|how (?:big|large|wide) is the (?:gap|difference)"
    r"|how far apart are they|by how much do they differ|how many (?:percentage |percent )?points(?: apart| of difference)?"
    r"(?: (?:are they|is (?:that|it)))?"
    r"|how many times (?:as much|larger|bigger|higher|more|as large|as high)(?: (?:is|was) (?:that|it))?"
    r"|(?:can you |could you |please )?(?:just )?(?:add|sum|total) (?:them|those|these|both|the two)(?: all)?(?: up| together)?"
    r"|by what factor|(?:how much is (?:that|it) )?(?:all )?(?:together|combined|altogether)"
    r"|(?:몇\s?(?:건|번|회|명|곳|개|원|대|%\s?p|%\s?포인트|퍼센트\s?포인트|포인트|프로\s?포인트)\s?)?(?:얼마나?\s?)?(?:비중\s?)?(?:차이|격차|차액|갭)(?:는|가|은)?"
    r"(?:\s?(?:얼마(?:야|나|예요|죠)?|몇\s?(?:%\s?p|%\s?포인트|퍼센트\s?포인트|포인트|프로\s?포인트|배)))?(?:야|예요|죠|인가요|\s?나(?:나|나요|요)?|\s?돼)?"
    r"|(?:비율로는\s)?몇\s?배(?:\s?차이)?(?:야|예요|죠|인가요|나\s?(?:돼|나)|\s?나)?"
    r"|(?:합쳐|합해|더해|합산해)(?:\s?(?:줘|주세요|주실래요|봐|봐요|볼래|줄래))?(?:요)?"
    r"|(?:합치면|합하면|더하면|합산하면|합쳐서|합계는|합은)(?:\s?(?:얼마(?:야|지|예요|죠|나\s?돼|인가요)?))?"
    r")\W*\Z"
)
"""Words for the sum, the difference or the multiple of two figures, and nothing else: those that were just asked for."""
THREE = regex(
    r"(?<![가-힣])(?:그\s?)?(?:셋(?:\s?다|을|이|은|의)?|세\s?(?:곳|군데|지역|팀|개|사람|명|제품|병원|가지|품목|달|분기|해|주|기간|개\s?분기|개월)(?:치|을|이|은|의)?)(?![가-힣])"
    r"|(?<![a-z])(?:all|the|those|these) three (?:months|quarters|weeks|years|periods)(?![a-z])"
    r"|(?<![a-z])(?:all three(?: of (?:them|those))?|the three(?: of them)?)(?! (?:[a-z]+est|worst|best|most|least|top))(?![a-z])"
)


def replaced(previous: Mapping[str, Any], query: Plain) -> list[Plain]:
    """The filters and periods that the last turns had in the place of one of this turn, newest last."""
    before, query = parts_of(previous.get("semantic_request") or {}), parts_of(query)
    kept: list[Plain] = [dict(item) for item in previous.get("replaced") or ()]
    new = {str(item["dimension"]): item for item in query.get("filters") or () if item["op"] == "in"}
    for item in before.get("filters") or ():
        held = new.get(str(item["dimension"]))
        if item["op"] != "in" or held is None:
            continue
        if held["values"] != item["values"] and not set(item["values"]) <= set(held["values"]):
            kept.append(dict(item))
    if other := _other_period(before, query):
        kept.append(other)
    return [item for item in kept if str(item["dimension"]) in {PERIOD, *new}][-MOST:]


def _other_period(before: Plain, query: Plain) -> Plain | None:
    """The period of the turn before, where this one asks the same of another."""
    held, own = before.get("period") or {}, query.get("period") or {}
    same = all(before.get(key) == query.get(key) for key in ("metrics", "derived", "filters"))
    if not same or not held.get("start") or not own.get("start") or held == own or query.get("comparison"):
        return None
    return {"dimension": PERIOD, "op": "in", "values": [str(held["start"]), str(held["end"])]}


def parts_of(request: Plain) -> Plain:
    """A share as the figure of its part, the value of which is spoken of."""
    derived = request.get("derived") or []
    if len(derived) != 1 or derived[0]["kind"] != "share" or not derived[0]["numerator"].get("filters"):
        return request
    own = derived[0]["numerator"]
    kept = {key: value for key, value in request.items() if key != "derived"}
    return {**kept, "metrics": [own["metric"]], "filters": [*(request.get("filters") or ()), *own["filters"]]}


def joined(previous: Plain, earlier: Sequence[Plain], text: str) -> Plain | None:
    """The request before with the values of the last two (or three) turns; None where the text speaks of no such pair."""
    bare = ALONE.match(text) is not None and not previous.get("dimensions")
    both = BOTH.search(text)
    count = 2 if bare or both else 3 if THREE.search(text) else 0
    if both and both[0].startswith("which one") and previous.get("dimensions") and not bare:
        count = 0  # which one is lowest?, after a list: of those listed
    previous = parts_of(rejoined(previous))
    filters = [item for item in previous.get("filters") or () if item["op"] == "in"]
    if not count:
        return None
    if earlier and earlier[-1]["dimension"] == PERIOD:
        if count == 2 and both and _UNITS.search(both[0]) and not (_SUM.search(text) or _APART.search(text)):
            return _each_period(previous, earlier[-1])
        if not _SUM.search(text):
            return None
        return _two_periods(previous, earlier[-1]) if count == 2 else _one_stretch(previous, earlier, count)
    if any(len(item["values"]) == count for item in filters):
        return previous
    for item in filters:
        values = list(item["values"])
        for other in reversed([one for one in earlier if one["dimension"] == item["dimension"]]):
            values = (
                [v for v in other["values"] if v not in values] + values if len(values) < count else values
            )
        if len(values) == count:
            rest = [one if one is not item else {**one, "values": values} for one in previous["filters"]]
            return {**previous, "filters": rest}
    return None


def _two_periods(previous: Plain, other: Plain) -> Plain | None:
    """Two periods that touch, as one; those that stand apart as two figures that are added."""
    own = previous.get("period") or {}
    if not own.get("start") or previous.get("dimensions") or previous.get("derived"):
        return None
    spans = sorted([(str(own["start"]), str(own["end"])), (other["values"][0], other["values"][1])])
    if date.fromisoformat(spans[0][1]) + timedelta(days=1) != date.fromisoformat(spans[1][0]):
        return of_two_periods(previous, other, "sum")
    return {**previous, "period": {"start": spans[0][0], "end": spans[1][1]}}


def _one_stretch(previous: Plain, earlier: Sequence[Plain], count: int) -> Plain | None:
    """So many periods that were asked for one after the other, as one, where each touches the next: 세 분기 다 더하면?"""
    own = previous.get("period") or {}
    if not own.get("start") or previous.get("dimensions") or previous.get("derived"):
        return None
    others = [one["values"] for one in reversed(earlier) if one["dimension"] == PERIOD]
    every = {(str(own["start"]), str(own["end"])), *((str(a), str(b)) for a, b in others)}
    spans = sorted(every)
    ends = [(date.fromisoformat(a), date.fromisoformat(b)) for a, b in spans]
    touch = all(first[1] + timedelta(days=1) == last[0] for first, last in pairwise(ends))
    if len(spans) != count or not touch:
        return None
    return {**previous, "period": {"start": spans[0][0], "end": spans[-1][1]}}


_UNITS = regex(r"달|분기|해|주|기간|개월|months|quarters|weeks|years|periods")
_APART = regex(r"차이|격차|늘|줄|변|비교|(?<![a-z])(?:differ|gap|chang|compar|grow|grew|increas|decreas)")
_DAYS = (("week", 7), ("month", 31), ("quarter", 92), ("year", 366))


def _each_period(previous: Plain, other: Plain) -> Plain | None:
    """Both years, 두 달: two units of time that follow each other, each by itself."""
    own = previous.get("period") or {}
    if (
        not own.get("start")
        or previous.get("dimensions")
        or previous.get("derived")
        or previous.get("comparison")
    ):
        return None
    spans = sorted([(str(own["start"]), str(own["end"])), (other["values"][0], other["values"][1])])
    first, last = (tuple(map(date.fromisoformat, span)) for span in spans)
    unit = next((name for name, most in _DAYS if (first[1] - first[0]).days < most), None)
    if unit is None or first[1] + timedelta(days=1) != last[0]:
        return None
    whole = {"start": spans[0][0], "end": spans[1][1]}
    return {**previous, "period": whole, "dimensions": [unit]}


def of_two_periods(previous: Plain, other: Plain, kind: str) -> Plain | None:
    """The figure of two periods, the later one first: added, or the one less the other."""
    own, metrics = previous.get("period") or {}, previous.get("metrics") or []
    fixed = any(
        previous.get(key) for key in ("derived", "having", "count_groups", "top", "comparison", "share")
    )
    fixed = fixed or bool(previous.get("dimensions") and kind == "sum")
    if not own.get("start") or len(metrics) != 1 or fixed:
        return None
    spans = sorted(
        [(str(own["start"]), str(own["end"])), (other["values"][0], other["values"][1])], reverse=True
    )
    sides = [{"metric": metrics[0], "period": {"start": a, "end": b}} for a, b in spans]
    name = f"{metrics[0]}__{kind}__{metrics[0]}"
    derived = [{"name": name, "kind": kind, "numerator": sides[0], "denominator": sides[1]}]
    whole = {"start": spans[1][0], "end": max(end for _, end in spans)}
    return {**previous, "metrics": [], "derived": derived, "period": whole}


def of_one_period(previous: Plain) -> Plain:
    """A figure of two periods as that of the later one, which the talk goes on with."""
    derived = previous.get("derived") or []
    if len(derived) != 1 or not (derived[0].get("numerator") or {}).get("period"):
        return previous
    own = derived[0]["numerator"]
    kept = {key: value for key, value in previous.items() if key != "derived"}
    return {**kept, "metrics": [own["metric"]], "period": own["period"]}


_SUM = regex(
    r"합|더하|더해|(?<![a-z])(?:sum|total|combined|together|altogether|add(?:ed)?(?: [a-z ]+)? up|in all)(?![a-z])"
)


def rejoined(previous: Plain) -> Plain:
    """The two sides of a difference as one filter again."""
    derived = previous.get("derived") or []
    if len(derived) != 1 or derived[0]["kind"] != "difference":
        return previous
    sides = [derived[0]["numerator"], derived[0]["denominator"]]
    filters = [side.get("filters") or [] for side in sides]
    if (
        any(len(own) != 1 for own in filters)
        or len({(str(f[0]["dimension"]), s["metric"]) for f, s in zip(filters, sides, strict=True)}) != 1
    ):
        return previous
    both = {**filters[0][0], "values": [value for own in filters for value in own[0]["values"]]}
    kept = {key: value for key, value in previous.items() if key != "derived"}
    return {**kept, "metrics": [sides[0]["metric"]], "filters": [*(previous.get("filters") or ()), both]}


WHICH = regex(
    r"어느\s?(?:쪽|곳)|어디가|누가|뭐가|무엇이|(?<![a-z])which(?: one| of (?:them|those|these|the two))?(?![a-z])"
)


def larger(pair: Plain, metrics: Sequence[str], *, descending: bool) -> Plain | None:
    """둘 중 어디가 더 많아?: each of both, the larger first."""
    held = next((f for f in pair.get("filters") or () if f["op"] == "in" and len(f["values"]) > 1), None)
    if held is None or len(metrics) != 1 or pair.get("derived"):
        return None
    kept = {k: v for k, v in pair.items() if k not in ("top", "share", "comparison", "among")}
    order = [{"column": metrics[0], "descending": descending}]
    return {**kept, "metrics": list(metrics), "dimensions": [str(held["dimension"])], "order": order}
