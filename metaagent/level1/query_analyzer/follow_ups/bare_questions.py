"""Bare questions about the figure before, who, where and when: the same figure for each person, customer or day."""

from __future__ import annotations

from collections.abc import Sequence

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.follow_ups.pointing import Completed
from metaagent.level1.query_analyzer.follow_ups.references import Bound
from metaagent.level1.query_analyzer.grammar.meaning import Node
from metaagent.level1.query_analyzer.grammar.reading import Composed, terms_of
from metaagent.level1.query_analyzer.grammar.request import as_filter
from metaagent.level1.query_analyzer.grammar.terms import Terms
from metaagent.level1.query_analyzer.reading import Plain, Reading

_DONE_KO = (
    r"(?:[가-힣]{0,3}(?:갔|썼|샀|팔았|팔렸|했|열었|열렸|왔|만났|받았|줬|쓴|간|한|산|판|온)"
    r"(?:어요?|나요?|지요?|죠|니|냐|대요?|습니까|는데요?|(?:거|건)(?:야|지|가요?|예요|죠)?)?)"
)
_BE_KO = r"(?:야|예요|에요|지|죠|였어요?|였지|인가요?|인데요?)"
_OPENED = r"\W*(?:(?:그럼|그러면|그래서|근데|그런데|그건|그거|그게|그걸|다|and|so|but|ok|okay|then)[\s,]+)*"
_DONE_EN = (
    r"(?: (?:was|were|is|are|did|do|does)(?: (?:it|that|those|these|they|this|we))?"
    r"(?: (?:made|held|done|spent|sold|go|happen|do|spend|take place))?"
    r"| (?:spent|made|did|held|visited|went|sold|bought|paid|used|ran)(?: (?:it|that|those|these|them|there))?)"
)
_ASKED = {
    "who": regex(
        rf"{_OPENED}(?:누가|누구누구(?:가)?|누구(?:{_BE_KO})?)(?:\s?{_DONE_KO})?\W*|{_OPENED}(?:by )?whom?{_DONE_EN}?\W*"
    ),
    "where": regex(
        rf"{_OPENED}(?:어디(?:어디)?(?:에서|서|에|로)?(?:{_BE_KO})?)(?:\s?{_DONE_KO})?\W*|{_OPENED}(?:at )?where{_DONE_EN}?\W*"
    ),
    "when": regex(
        rf"{_OPENED}(?:언제(?:언제)?(?:{_BE_KO})?)(?:\s?{_DONE_KO})?\W*|{_OPENED}when{_DONE_EN}?\W*"
    ),
}
ASKED = Node("G", flags=frozenset({"asked"}))
"""A question of which every word is accounted for."""
_FIXED = ("derived", "count_groups", "existence", "among", "having", "top", "share", "target")


def asked_of_figure(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """누가 썼어?, where?: the figure of the turn before for each of those, where it was one number."""
    text = reading.source.text
    kind = next((name for name, pattern in _ASKED.items() if pattern.fullmatch(text)), None)
    metrics = [str(name) for name in previous.get("metrics") or ()]
    if kind is None or found.guesses or len(metrics) != 1 or previous.get("dimensions"):
        return None
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    group = _group(kind, terms)
    if any(previous.get(key) for key in _FIXED) or metrics[0] not in terms.metrics:
        return None
    held = any(
        f.get("dimension") == group and len(f.get("values") or ()) == 1 for f in previous.get("filters") or ()
    )
    if group is None or held or not terms.splits(metrics[0], group):
        return None
    kept = {key: value for key, value in previous.items() if key not in ("comparison", "order", "limit")}
    query = {**kept, "dimensions": [group], "language": reading.language}
    return query, ASKED, ["metrics", "period", "filters"]


def _group(kind: str, terms: Terms) -> str | None:
    if kind == "when":
        return "day"
    name = terms.person if kind == "who" else terms.domain.entity_dimensions.get("organisation")
    return name if name in terms.dimensions else None


_MEMBERS = regex(
    rf"{_OPENED}(?:에는?|엔|은|는|이|가|의|소속)?\s*"
    r"(?:누구누구(?:가)?|누가|누구|(?:팀원|구성원|사람|직원|멤버|담당자|영업사원)(?:들)?(?:은|는|이|가)?)\s*"
    rf"(?:(?:다\s)?(?:누구누구|누구|있(?:어요?|지|나요?|는데|죠|니)|소속(?:이야)?|{_BE_KO}|이야|(?:알려|보여)\s?(?:줘|주세요))\s*)*\W*"
    rf"|{_OPENED}(?:who(?:'s|’s| is| are| works?| belongs?)(?: all)?(?: in| on| part of| to)"
    r"|(?:the )?(?:members|people|reps) (?:of|in|on))\W*"
)
"""The words beside a reference that ask which people belong to it."""


def members_of(reading: Reading, told: Sequence[Bound]) -> Completed | None:
    """꼴찌 팀은 누구누구 있어?, who is in that team?: the people who belong to the things that are pointed at."""
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    things = told[0].things if len(told) == 1 else None
    person = terms.person
    if things is None or person is None or things.dimension == person:
        return None
    text, at = reading.source.text, told[0].reference
    if not terms.belongs(things.dimension, person) or not _MEMBERS.fullmatch(
        text[: at.start] + text[at.end :]
    ):
        return None
    filters = [as_filter(f) for f in things.node().filters]
    query = {
        "metrics": [],
        "dimensions": [person],
        "filters": filters,
        "period": None,
        "language": reading.language,
    }
    return query, ASKED, ["filters"]
