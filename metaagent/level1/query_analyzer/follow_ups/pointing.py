"""Words that point at the turn before: they, that team, there, both, the second one."""

from __future__ import annotations

import re
from functools import lru_cache

from metaagent.language.patterns import compiled, regex
from metaagent.level1.query_analyzer import feasibility
from metaagent.level1.query_analyzer.entities import NAMED
from metaagent.level1.query_analyzer.follow_ups import target_follow_ups
from metaagent.level1.query_analyzer.grammar import combined_follow_ups
from metaagent.level1.query_analyzer.grammar.meaning import Node, Restriction
from metaagent.level1.query_analyzer.grammar.reading import Composed, terms_of
from metaagent.level1.query_analyzer.grammar.request import Scope
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms
from metaagent.level1.query_analyzer.reading import Plain, Reading
from metaagent.level1.query_analyzer.words.language import detect

Completed = tuple[Plain, Node, list[str]]
"""A request, the meaning it was made of, and the fields that were taken over."""


def scope_of(reading: Reading, terms: Terms) -> Scope:
    known = feasibility.covered(reading.context.coverage, [])
    last = known.last if known else None
    return Scope(terms, reading.context.today, reading.language, last, word_orders(reading))


def word_orders(reading: Reading) -> tuple[str, ...]:
    """The languages whose word order a question may have: both, where it is of both scripts."""
    found = detect(reading.source.raw)
    if (
        found == "mixed" and detect(_without_names(reading)) == "en"
    ):  # sales of 인슐비아주: an English question
        found = "en"
    return ("ko", "en") if found == "mixed" else (("en",) if found == "en" else ("ko",))


def _without_names(reading: Reading) -> str:
    text = reading.source.text
    for entity in reading.entities:
        if entity.type in NAMED:
            text = text[: entity.start] + " " * (entity.end - entity.start) + text[entity.end :]
    return text


def pair_of(reading: Reading) -> Plain | None:
    """The request before with both values, where the question speaks of both."""
    before = reading.context.previous or {}
    previous = before.get("semantic_request")
    return (
        combined_follow_ups.joined(previous, before.get("replaced") or (), reading.source.text)
        if previous
        else None
    )


IT_WAS = regex(
    r"(?<![a-z])how (?:many|much) (?:was|is|were|are) (?:it|that|this)"
    r"(?= (?:in total|in all|altogether|overall|for|in|on|at|last|this|without|excluding|except|back|then)(?![a-z]))"
)
"""The figure of the turn before, asked of another place or time."""
_OWN = r"(?! (?:own )?(?:[a-z]+ ){0,2}(?:targets?|quotas?|goals?|plans?)(?![a-z]))"
"""Their target is that of those who are named beside it."""
_MANY = r"(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2})"
THOSE = regex(
    rf"(?<![a-z])(?:each (?:one )?of |all of )?(?:they|them|their(?=[ ]){_OWN}|(?:those|these)(?: {_MANY})?)(?![a-z])"
    r"|(?<![가-힣])(?:그|이|저|해당|위)\s?(?:병원|제품|팀|사람|곳|지역|거래처|담당자|영업사원|직원|품목|분|약|품목)들"
    r"|(?<![가-힣])(?:그|이)\s?(?:두|세|네|다섯|여섯|일곱|여덟|아홉|열|\d{1,2})\s?(?:곳|군데|팀|개|명|사람|제품|병원|지역|품목)|걔네|얘네"
    r"|(?<![가-힣])(?:이|그|걔|얘|그것|이것)들(?:의|은|이|을|도|만|에서)?(?![가-힣])"
)
THEIR_PLAN = regex(r"(?<![a-z])their (?:own )?(?:[a-z]+ ){0,2}(?:targets?|quotas?|goals?|plans?)(?![a-z])")
EACH = regex(
    r"(?<=did )each(?: one)?(?= [a-z])|(?<![a-z])each(?: one)?(?=\W*\Z)|(?<![가-힣])각각(?:은|의)?(?![가-힣])"
)
"""Each of those that the turn before chose."""
THAT = regex(
    r"(?<![가-힣])그\s?(?:사람|분|친구|직원|담당자|병원|거래처|제품|품목|팀|지역)(?:의|은|는|이|가|도|에서|만)?(?![가-힣])"
    rf"|(?<![a-z])(?:he|she|his|her|its{_OWN}|that one|this one)(?:'s|’s)?(?![a-z])"
    r"|(?<![a-z])(?:that|this) (?:rep|person|hospital|team|product|region|account|customer)(?:'s|’s)?(?![a-z])"
)


def _nouns(terms: Terms) -> tuple[str, str]:
    """The names of kinds of things, in Korean and in English, as alternatives of a pattern."""
    said = {
        label.lower()
        for name, term in terms.dimensions.items()
        if name not in TIMES
        for label in term.labels
        if label
    }
    korean = sorted(
        (re.escape(word) for word in said if "가" <= word[0] <= "힣" and not word.endswith("별")),
        reverse=True,
    )
    english = sorted(
        (re.escape(word.removesuffix("s")) for word in said if "a" <= word[0] <= "z"), reverse=True
    )
    return "|".join((*korean, *english)), "|".join(english)


def kinds_said(said: str, terms: Terms) -> set[str]:
    """The kinds of things that a few words name, by the longest of their names."""
    named = {
        (len(label), name)
        for name, term in terms.dimensions.items()
        for label in term.labels
        if name not in TIMES and label and label.lower().removesuffix("s") in said
    }
    longest = max((size for size, _ in named), default=0)
    return {name for size, name in named if size == longest}


@lru_cache(maxsize=32)
def those_named(terms: Terms) -> re.Pattern[str]:
    """그 권역들, those clients: the things of the list before, by any of their names."""
    korean, english = _nouns(terms)
    return compiled(
        rf"(?<![가-힣])(?:그|이|저|해당|위)\s?(?:{korean})들(?:의|은|는|이|가|도|에서|만)?(?![가-힣])"
        rf"|(?<![a-z])(?:those|these) (?:{_MANY} )?(?:{english})(?:s|es|ies)?(?:'s|’s|’|')?(?![a-z])"
    )


@lru_cache(maxsize=32)
def that_named(terms: Terms) -> re.Pattern[str]:
    """그 시도, that client: the one that was found."""
    korean, english = _nouns(terms)
    return compiled(
        rf"(?<![가-힣])(?:그|해당)\s?(?:{korean})(?:의|은|는|이|가|도|에서|만)?(?![가-힣])"
        rf"|(?<![a-z])(?:that|this) (?:{english})(?:'s|’s)?(?![a-z])"
    )


IT = regex(
    r"(?<![a-z])(?:on|for|of|from|in) (?:that|it|this)(?: one)?(?! [a-z])"
    r"|(?:(?<=visit )|(?<=visits )|(?<=visited )|(?<=buy )|(?<=buys )|(?<=bought )|(?<=sell )|(?<=sells )|(?<=sold )"
    r"|(?<=order )|(?<=ordered )|(?<=covers )|(?<=covered ))it(?![a-z])"
    r"|(?<=did )it(?= (?:have|make|sell|get|spend|bring|receive|do|take)(?![a-z]))"
    r"|(?<![a-z])(?:when|where|how long ago|what year|since when) (?:was|is|did|does|has|were) it(?= [a-z])"
    r"|(?<![a-z])what (?:does|did) it(?= (?:cost|sell for))"
    r"|(?<![가-힣])(?:그거|그걸|그것|그게)(?:로|에|에서|를|만|는|은)?(?![가-힣])"
)
_LISTS = regex(
    r"이름|누구누군|누군데|어디어딘|뭐뭐|명단|목록|리스트|어디\s?어디|누구\s?누구|어떤\s?(?:곳|병원|사람|팀|제품)|어딘지|누군지|나열"
    r"|(?<![a-z])(?:list|names?|which ones|who are they|name them|show (?:me )?(?:them|those))(?![a-z])"
)


def is_list(reading: Reading, found: Composed) -> bool:
    """그 병원들 이름은?, list them: after a number of things, which ones they are."""
    previous = (reading.context.previous or {}).get("semantic_request") or {}
    kind = counted_kind(reading, previous)
    if kind is None or found.unread:
        return False
    if not _LISTS.search(reading.source.text) and not _names_the_kind(reading, found, kind):
        return False
    shown = {*previous.get("metrics", ()), *(str(one["column"]) for one in previous.get("having") or ())}
    return all(
        any(
            node == Node("T", dim=kind)
            or node in (Node("T", dim="day"), Node("AND"))
            or "who" in node.flags
            or (node.cat == "M" and set(node.metrics) <= shown and not node.filters)
            for node in p.nodes
        )
        for p in found.path
        if p.nodes
    )


def limits_of_list(reading: Reading, found: Composed) -> tuple[Restriction, ...]:
    """The names by which some of the things counted before are listed: list the tier A ones."""
    previous = (reading.context.previous or {}).get("semantic_request") or {}
    said = [next((n for n in p.nodes if n.cat == "F" and n.filters), None) for p in found.path if p.nodes]
    kind = counted_kind(reading, previous)
    asked = _LISTS.search(reading.source.text)
    if kind is None or found.unread or not asked or not said or None in said:
        return ()
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    limits = tuple(f for n in said if n for f in n.filters)
    return limits if all(terms.belongs(f.dimension, kind) for f in limits) else ()


def _names_the_kind(reading: Reading, found: Composed, kind: str) -> bool:
    """어떤 시도야?, which provinces are they?: nothing but the kind of thing that was counted, and the word that asks for it."""
    said = [node for p in found.path for node in p.nodes]
    return (
        bool(said)
        and all(node.cat == "T" and node.dim == kind for node in said)
        and bool(_WHICH.search(reading.source.text))
    )


_WHICH = regex(r"어떤|어느|무슨|(?<![a-z])(?:which|what)(?![a-z])")


def counted_kind(reading: Reading, previous: Plain) -> str | None:
    """The kind of thing that the turn before counted: as groups of rows, or by the figure that is their number."""
    if previous.get("count_groups"):
        return str(previous["count_groups"])
    metrics = previous.get("metrics") or []
    if len(metrics) != 1 or any(
        previous.get(key) for key in ("dimensions", "derived", "comparison", "among")
    ):
        return None
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    kinds = [name for name in terms.dimensions if terms.counted_by(name) == metrics[0]]
    return kinds[0] if len(kinds) == 1 else None


def listed(reading: Reading, previous: Plain, found: Composed | None = None) -> Completed:
    """The things that the turn before counted, by name, and with their date where that is asked for."""
    kind = str(counted_kind(reading, previous))
    dated = found is not None and any(node == Node("T", dim="day") for p in found.path for node in p.nodes)
    kept = {key: value for key, value in previous.items() if key != "count_groups"}
    if not previous.get("count_groups") and not dated:
        kept["metrics"] = []
    return (
        {**kept, "dimensions": [*(previous.get("dimensions") or ()), kind, *(["day"] if dated else [])]},
        Node("T", dim=kind),
        list(kept),
    )


_PLACE = regex(
    r"\A\s*(?:그럼|그러면|그|거기서|(?:그|이)\s?(?:중|가운데)(?:에서?|에)?|and|so"
    r"|what about|how about|(?:out )?of (?:them|those),?)?\s*"
    r"(?:(?P<n>\d{1,2})\s?(?:위|등|번)|(?P<ko>첫|두|세|네|다섯)\s?번\s?째"
    r"|(?:the )?(?P<en>first|second|third|fourth|fifth|top|number one|#1)"
    r"(?= (?:one|hospital|team|product|rep|region|account|customer)))"
    r"\s?(?:one|hospital|team|product|rep|region|account|customer|병원|팀|제품|품목|사람|곳|지역|담당자|영업사원|직원|거래처)?"
    r"(?:'s|’s|의|은|는|이|가|에서|에)?(?![가-힣a-z])"
)
_PLACES = {
    "첫": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "top": 1,
    "number one": 1, "#1": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5,
}  # fmt: skip


@lru_cache(maxsize=32)
def _place_named(terms: Terms) -> re.Pattern[str]:
    """The visits of the second client: a place of the list before, wherever it is said."""
    korean, english = _nouns(terms)
    return compiled(
        r"(?<![a-z])(?:(?:of|for|by|at|from|in|to) )?(?:the )?(?:(?P<en>first|second|third|fourth|fifth|top)"
        rf" (?:one|{english})|(?:number|no\.?|#) ?(?P<number>\d{{1,2}}|one|two|three|four|five))(?:s|es)?"
        r"(?:'s|’s)?(?! by )(?![a-z])"
        rf"|(?<![가-힣\d])(?:(?P<n>\d{{1,2}})\s?(?:위|등|번째)|(?P<ko>첫|두|세|네|다섯)\s?번\s?째)(?:\s?(?:인|인\s))?\s?(?:{korean}|곳|사람)?"
        r"(?:의|은|는|이|가|에서|에)?(?![가-힣])"
    )


def place_in_list(text: str, previous: Plain | None, terms: Terms) -> tuple[tuple[int, int], Plain] | None:
    """두 번째 팀의 방문 건수는?: the words, and the request before with that one of the list alone."""
    if previous is None:
        return None
    inner = previous.get("among") or {}
    within = inner.get("top") and not previous.get("top") and not previous.get("among_others")
    held: Plain = inner if within else previous  # 1등 병원은?, after another figure of the best three
    found = _place_named(terms).search(text) or _PLACE.match(text)
    if held.get("among") or found is None:
        return None
    if _ASKS_WHICH.fullmatch(text[: found.start()] + " " + text[found.end() :]):
        return None
    top, kinds = held.get("top") or _ordered(held), kinds_said(found[0], terms)
    if kinds and not kinds & {*(held.get("dimensions") or ())}:  # top product?, after the best month
        return None
    said = found.groupdict()
    n = int(found["n"]) if found["n"] else _place_of(said["ko"] or said["en"] or str(said.get("number")))
    if not top.get("n") or not top.get("by") or not 1 <= n <= top["n"]:
        return None
    place = {"nth": n} if n > 1 else {"n": 1}
    kept = {key: value for key, value in top.items() if key != "n"}
    return found.span(), {**held, "top": {**kept, **place}}


def one_of_list(reading: Reading, previous: Plain) -> Plain:
    """The request before with the one of its list that the question speaks of: why did the first one change?"""
    place = place_in_list(
        reading.source.text, previous, terms_of(reading.context.domain, reading.context.vocabulary)
    )
    return place[1] if place else previous


_ASKS_WHICH = regex(
    r"(?:\s|[?.!,~]|어디|누구|무엇|뭐|누군|어딘|야|예요|에요|였지|였어|인가요|지|죠|은|는|이|가|만|도|요|다시|보여\s?줘|알려\s?줘|그럼|그러면"
    r"|who(?:'s|’s)?|which one|which|what about|how about|what(?:'s|’s)?"
    r"|is|was|were|the|and|so|ok|okay|then|in|place|came|just|only|show me)*"
)
"""Words that ask which one it is, and nothing of it."""


def _place_of(word: str) -> int:
    return int(word) if word.isdigit() else _PLACES[word]


def _ordered(previous: Plain) -> Plain:
    """A list in order as a ranking of its first ones."""
    order = previous.get("order") or []
    if len(order) != 1 or not order[0].get("column"):
        return {}
    direction = "top" if order[0]["descending"] else "bottom"
    return {"n": max(_PLACES.values()), "by": str(order[0]["column"]), "direction": direction}


_CHANGED = regex(
    r"차이|격차|늘|줄|증감|변했|(?<![a-z])(?:difference|change|gap|grow|grew|increase|decrease|drop)"
)
INCLUDED = regex(r"(?<![가-힣])(?:다시\s)?(?:다|전부|모두|전체)\s?포함(?:해서|하면|한|시켜서?)?(?![가-힣])")
_SUMMING_KO = (
    r"(?:치면|쳐서|치고|하면|해서|넣으면|넣어서|넣고|포함(?:하면|해서|하고|한다면|시키면)?"
    r"|더하면|더해서|합치면|합쳐서|합하면)(?:요)?(?![가-힣])"
)
INCLUDING = regex(
    r"(?<![a-z])(?:including|counting(?: in)?|together with|along with|throwing in|adding(?: in)?)(?![a-z])"
    rf"|(?<=[가-힣] )(?:것|거|건|곳|데)(?:들)?까지(?:\s?(?:다|모두|전부|싹))?(?:\s?{_SUMMING_KO})?(?![가-힣])"
    rf"|(?<=까지 )(?:(?:다|모두|전부|싹)\s?)?{_SUMMING_KO}"
)
"""Words that put something beside what was spoken of: 연기된 것까지 치면, including the public ones."""


_THEN = regex(
    r"(?<![가-힣])그\s?(?:때|당시)(?:에는|에도|에|의|은|는|엔|도)?(?![가-힣])|(?<![a-z])(?:back )?then\W*\Z"
)
"""The time that is spoken of."""


def pointers(reading: Reading) -> list[tuple[int, int]]:
    """The words that mean something of the turn before: they, that team, both, the second one."""
    text, previous = reading.source.text, (reading.context.previous or {}).get("semantic_request")
    if not previous:
        return []
    earlier = (reading.context.previous or {}).get("replaced") or []
    periods = earlier and earlier[-1]["dimension"] == combined_follow_ups.PERIOD and _CHANGED.search(text)
    two = pair_of(reading) or previous.get("comparison") or periods
    left_out = any(f["op"] == "not_in" for f in previous.get("filters") or ())
    limited = any(f["op"] == "in" for f in previous.get("filters") or ())
    patterns = [
        *([EACH] if chosen_thing(previous) else []),
        *([INCLUDING] if left_out or limited else []),
        *([_THEN] if previous.get("period") else []),
        IT_WAS,
        THOSE,
        THAT,
        THERE,
        IT,
        INCLUDED,
        *((combined_follow_ups.BOTH,) if two else ()),
        *((combined_follow_ups.THREE,) if pair_of(reading) else ()),
    ]
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    place = place_in_list(text, previous, terms)
    patterns += [those_named(terms), that_named(terms)]
    found = [m.span() for pattern in patterns for m in pattern.finditer(text) if m.end() > m.start()]
    target = target_follow_ups.asked(text, previous, terms)
    return [*found, *([place[0]] if place else []), *([target] if target else [])]


def is_one(top: Plain | None) -> bool:
    """Tell whether a ranking chose one thing: the best, or that in one place."""
    return top is not None and (top.get("n") == 1 or bool(top.get("nth")))


THERE = regex(
    r"(?<![a-z])(?<!is )(?<!are )(?<!was )(?<!were )there(?! (?:is|are|was|were|have|has|been))(?![a-z])"
    r"|(?<![가-힣])(?:거기|그곳)(?:서|에서|에|는|의|은)?"
)


def chosen_thing(previous: Plain) -> str | None:
    """The kind of thing of which the turn before chose some."""
    chosen = previous.get("top") or previous.get("having") or previous.get("existence")
    counted = [str(previous["count_groups"])] if previous.get("count_groups") else []
    things = counted or [str(name) for name in previous.get("dimensions") or () if name not in TIMES]
    named = [
        f
        for f in previous.get("filters") or ()
        if f.get("by_key") and [f["dimension"]] == things and f["op"] == "in"
    ]
    return things[0] if (chosen or named) and len(things) == 1 and not previous.get("among") else None


def chosen_by(previous: Plain) -> Plain:
    """The request before as one that things are chosen by."""
    kept = {k: v for k, v in previous.items() if v not in (None, [], {}, False)}
    counted = kept.pop("count_groups", None)
    return {**kept, "dimensions": [counted]} if counted else kept


def bare_place(text: str, previous: Plain) -> Completed | None:
    """두 번째는? after the best one: the one in that place."""
    found, top = _PLACE.match(text), previous.get("top") or _listed_by(previous)
    if found is None or not top.get("by") or previous.get("among") or text[found.end() :].strip(" ?.!은는요"):
        return None
    n = int(found["n"]) if found["n"] else _PLACES[found["ko"] or found["en"]]
    place = {"nth": n} if n > 1 else {"n": 1}
    kept = {key: value for key, value in top.items() if key not in ("n", "nth")}
    return {**previous, "top": {**kept, **place}}, Node("P"), [k for k in previous if k != "top"]


def _listed_by(previous: Plain) -> Plain:
    """A list of the sums of things as a ranking: 그중에 1등은?"""
    metrics, things = previous.get("metrics") or [], previous.get("dimensions") or []
    fixed = any(
        previous.get(key) for key in ("derived", "comparison", "count_groups", "share", "running_total")
    )
    if len(metrics) != 1 or len(things) != 1 or things[0] in TIMES or fixed:
        return {}
    return {"by": str(metrics[0]), "direction": "top"}


OF_THEM = regex(
    r"(?<![a-z])(?:how many|which|who)(?: ones)? (?:out )?of (?:them|those|these)(?![a-z])"
    r"|(?<![가-힣])(?:그|이)\s?(?:중|가운데)(?:에서?는?|에는?|엔|서)?(?![가-힣])"
)
