"""The parts that a short question takes over from the turn before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.entities import NAMED, Entity
from metaagent.level1.query_analyzer.intents import FoundIntent

Plain = dict[str, Any]
_CONNECTED = regex(
    r"\s*(?:(?:아|음|어|오|흠|네|넵|oh|ah|hm+|well|right|alright|ok|okay|yes|no|nope)[,.\s]+)?"
    r"(?:그럼|그러면|그리고|그\s?중|그런데|근데|그래서|그니까|그러니까|거기서|여기서|여기에|거기에|이번엔|이번에는|이번에는|아니|추가로|또|같은\s?걸로|똑같이"
    r"|as an? (?:share|percent|percentage|%|proportion|chart|table)|in (?:percent|units|quantity|won|money|volume)\b"
    r"|by [a-z]+\W*\Z|per [a-z]+\b"
    r"|(?:(?:going|go|coming|come|let's go) )?back to\b|returning to\b|still\b"
    r"|excluding\b|without\b|except\b|compared\b|versus\b|vs\b|over time\b|broken\b|split\b"
    r"|(?:out )?of (?:those|them|these|that|which)\b|both\b|the two\b"
    r"|and\b|what about|how about|only\b|just\b|then\b|also\b|same\b|now\b|plus\b|instead\b|no,|ok,|okay,|but\b|or\b)"
)
THE_SAME_BY = regex(
    r"(?<![a-z])(?:(?:the )?same(?: (?:thing|list|ranking|breakdown|split|table|view|again))?"
    r"|(?:do|repeat|run|try) (?:that|this|it)(?: again)?),?"
    r" (?:but )?(?:for|with|by|in terms of) "
    r"|(?<![가-힣])(?:똑같이|(?:같은|똑같은)\s?(?:식|방식|순위|목록|표|걸)(?:으로|로)?)(?![가-힣])"
)
"""The same asked of another figure: the figure changes, and nothing else."""
_ELLIPTIC = regex(r"(?:은|는|도|만|요)\s*(?:요)?\s*[?？!.~]*\s*\Z")
_TOPIC = regex(r"[은는](?![가-힣])")
_SWAPPED = regex(
    r"도(?![가-힣])|(?:으로|로)(?:도|는|만)?(?:\s?(?:다시|바꿔|보면|보자|볼래|하면|해|보여|알려|부탁)|\s*[?.!]*\s*\Z)"
)
"""방문 건수로도: another figure of what was spoken of."""
_ADDED = regex(
    r"(?:된|한|인|했던|됐던)?\s?(?:(?:것|거|건|곳|데|쪽|애)(?:들)?\s?)?(?:을|를)?\s?(?:도(?![가-힣])|까지|추가|역시|마찬가지|같이|함께|포함|더해|더하)"
    r"|(?: (?:ones?|[a-z]+s))? (?:too|as well|also|included)(?![a-z])"
)
_WIDENS = regex(
    r"까지\s?(?:다\s?|모두\s?|전부\s?)?(?:치면|쳐서|포함|더하면|더해서|합치면|합쳐서|합하면|넣으면|넣어서)"
    r"|(?<![a-z])(?:including|counting in|adding in|if (?:we|you|i) (?:also )?(?:include|add|count))(?![a-z])"
    r".*(?:too|as well|also|ones?)(?![a-z])"
)
"""방문까지 치면, including the public ones too: beside what was spoken of, whatever else is named."""
_OWN_OBJECT = ("metric", "ambiguous_metric", "document_type", "regulation", "article")
_WEAK = ("implied", "inherited")


def continues(
    text: str,
    previous: Mapping[str, Any] | None,
    intents: Sequence[FoundIntent],
    entities: Sequence[Entity],
    standing: Sequence[str],
) -> bool:
    """Tells whether the question leans on the turn before. `standing`: intents that need no figure of their own."""
    if previous is None or not (entities or any(i.rule not in _WEAK for i in intents)):
        return False
    if (
        _CONNECTED.match(text)
        or THE_SAME_BY.search(text)
        or any(entity.type == "reference" for entity in entities)
    ):
        return True
    if _WIDENS.search(text) and any(entity.type in NAMED for entity in entities):
        return True
    own = any(entity.type in _OWN_OBJECT for entity in entities)
    worded = any(intent.rule in ("one_word", "several_words") for intent in intents)
    if any(entity.type == "metric" and _SWAPPED.match(text, entity.end) for entity in entities):
        return True
    if (
        own
        and _TOPIC.match(text, entities[0].end)
        and not text[: entities[0].start].strip()
        and len(entities) == 1
    ):
        return True  # 방문은 몇 번 했어?: of whoever was spoken of
    if own:
        return (
            not worded
            and _ELLIPTIC.search(text) is not None
            and not any(e.type == "document_type" for e in entities)
        )
    return not any(intent.name in standing for intent in intents)


def leans(text: str) -> bool:
    """Tell whether the wording itself joins the question to the one before: 그럼, what about, 부산은?"""
    return _CONNECTED.match(text) is not None or _ELLIPTIC.search(text) is not None or " instead" in text


_WITHIN = regex(
    r"(?:\d\s?분기|\d\s?월|[상하]반기)\s?(?:중에서는?|중에는?|중엔|가운데(?:서는?)?)(?![가-힣])"
    r"|(?<![가-힣])그\s?(?:해|년도|연도)(?:의|에)?\s?(?:\d\s?분기|\d{1,2}\s?월|[상하]반기)"
    r"|(?<![a-z])(?:of|in|within) (?:that|the same) year(?![a-z])|(?<![a-z])that year(?:'s|’s)?(?![a-z])"
    r"|(?<![a-z])(?:the same|that|in the|for the) (?:month|quarter|period|week)(?![a-z])"
    r"|(?<![가-힣])(?:그|같은)\s?(?:달|분기|기간|주)(?:에는|에|의|엔)?(?![가-힣])"
)


def within(text: str) -> bool:
    """Tell whether a unit of time is one of those that the question before spoke of: 4분기 중에서는."""
    return _WITHIN.search(text) is not None


_MARKED = regex(
    r"\W*(?:(?:and|ok|okay|now|so|then|but|what if (?:i|we|you)|what about|how about|if (?:i|we|you)|with|can you|please)[,\s]+)*"
    r"(?:also|plus|add(?:ing)?|includ(?:e|ing)|count(?:ing)? in|throw(?:ing)? in|together with|along with)(?![a-z])"
)


def added_fields(text: str, entities: Sequence[Entity]) -> set[int]:
    """Finds names that come to those of the turn before (대전도) rather than take their place."""
    marked = _MARKED.match(text) is not None
    return {
        entity.start
        for entity in entities
        if entity.type in NAMED and (marked or _ADDED.match(text, entity.end))
    }


_MORE_KO = regex(r"(?:도|까지)\s?(?:옆에\s?)?(?:같이|함께|추가|붙여|덧붙여|넣어|나란히|곁들여|얹어|옆에)")
_MORE_EN = regex(
    r"\A\W*(?:(?:and|please|also|now|ok|okay|then|can you|could you|i(?:'d| would) like to)[,\s]+)*"
    r"(?:add|include|append|put)(?: in)? "
    r"|(?<![a-z])(?:alongside|next to (?:it|that|them|those)|beside (?:it|that|them|those)|in (?:another|a second|an extra) column)"
)


def adds_figure(text: str, ends: Sequence[int]) -> bool:
    """Tell whether a figure comes beside those of the turn before: 방문 건수도 붙여줘, add their visits. `ends`: where the
    words for figures end."""
    return any(_MORE_KO.match(text, end) for end in ends) or (
        bool(ends) and _MORE_EN.search(text) is not None
    )


def _filters(old: list[Plain], new: list[Plain], adds: bool) -> list[Plain]:
    result = [dict(item) for item in old]
    for item in new:
        same = next(
            (
                at
                for at, other in enumerate(result)
                if (other["field"], other["op"]) == (item["field"], item["op"])
            ),
            None,
        )
        if same is None:
            opposite = [
                o
                for o in result
                if o["field"] == item["field"]
                and o["op"] != item["op"]
                and "values" in o
                and "values" in item
            ]
            for other in opposite:
                other["values"] = [value for value in other["values"] if value not in item["values"]]
            result = [o for o in result if o.get("values") != []]
            result.append(item)
        elif adds and "values" in item:
            values = list(dict.fromkeys([*result[same]["values"], *item["values"]]))
            labels = list(dict.fromkeys([*result[same]["labels"], *item["labels"]]))
            result[same] = {**item, "values": values, "labels": labels}
        else:
            result[same] = item
    return result


_TAKEN_OVER = ("metrics", "dimensions", "period", "periods", "comparison", "rank", "document_type")


def merge(old: Mapping[str, Any], new: Plain, adds: bool, writes: bool) -> tuple[Plain, list[str]]:
    """The new request completed from the old one, and the fields that were taken over. `writes`: a document is still
    being asked for, so its type stays."""
    merged = dict(new)
    taken: list[str] = []
    for field in _TAKEN_OVER:
        kept = writes if field == "document_type" else not (field == "comparison" and new["period"])
        if not new[field] and old.get(field) and kept:
            merged[field] = old[field]
            taken.append(field)
    if new["period"] and not new["periods"]:
        merged["periods"] = []
    merged["filters"] = _filters(list(old.get("filters") or []), new["filters"], adds)
    if len(merged["filters"]) > len(new["filters"]):
        taken.append("filters")
    return merged, taken
