"""The share of a target that was just spoken of: did they hit it?, 달성했어?"""

from __future__ import annotations

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.grammar.meaning import Node
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms
from metaagent.level1.query_analyzer.reading import Plain

Reached = tuple[Plain, Node, list[str]]
_ASKED = regex(
    r"\A\W*(?:(?:and|so|ok|okay|but|그래서|그럼|그러면|근데)[,\s]+)?(?:"
    r"(?:did|have|has) (?:they|he|she|it|we|that (?:rep|team|one)|the team)(?: all)?"
    r" (?:hit|reach(?:ed)?|meet|met|make|made|achieved?|beat(?:en)?|get there)"
    r"(?: (?:it|this|that(?: target)?|(?:the|their) target))?"
    r"|was (?:it|that|the target) (?:hit|reached|met|achieved|beaten)"
    r"|(?:목표(?:는|를|치를)?\s?)?(?:다\s?)?(?:초과\s?)?달성(?:은\s?)?(?:했|됐)(?:어|어요|나|나요|니|습니까|는지)"
    r"|(?:목표(?:는|를|치를)?\s?)?(?:다\s?)?(?:채웠|넘겼|이뤘|맞췄)(?:어|어요|나|나요|니|습니까)"
    r")\W*\Z"
)
_KEPT = ("filters", "period", "among", "among_others", "dimensions", "weekdays", "language")


def asked(text: str, previous: Plain, terms: Terms) -> tuple[int, int] | None:
    """The words, where nothing else is asked and the turn before was about a target or a figure that has one."""
    return (0, len(text)) if _ASKED.match(text) and _share_reached(previous, terms) else None


def _share_reached(previous: Plain, terms: Terms) -> str | None:
    metrics = [str(m) for m in previous.get("metrics") or () if m in terms.metrics]
    planned = terms.with_target()
    own = [planned[1] if planned and name == planned[0] else name for name in metrics]
    found = {share for name in own if (share := terms.achievement(name))}
    return found.pop() if len(found) == 1 else None


def reached(text: str, previous: Plain, chosen: Plain | None, terms: Terms) -> Reached | None:
    """The share of the target that those spoken of reached; `chosen`: the request that things were chosen by, if any."""
    share = _share_reached(previous, terms)
    if share is None or asked(text, previous, terms) is None:
        return None
    query = {key: previous[key] for key in _KEPT if previous.get(key)}
    if chosen is not None and not query.get("among"):
        query["among"] = chosen
    limits = [f for f in query.get("filters") or () if terms.splits(share, str(f["dimension"]))]
    groups = [name for name in query.get("dimensions") or () if name in TIMES or terms.splits(share, name)]
    if len(limits) < len(query.get("filters") or ()):
        return None  # the target is not set for those alone
    return (
        {**query, "metrics": [share], "filters": limits, "dimensions": groups},
        Node("M", metrics=(share,)),
        [key for key in query if key != "language"],
    )
