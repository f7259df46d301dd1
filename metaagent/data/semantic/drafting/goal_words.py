"""Words for what a figure was to reach or not to exceed, and for what nobody has paid yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaagent.data.semantic.drafting.naming import Words
from metaagent.data.semantic.drafting.words import hangul, korean, words_of
from metaagent.language.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metaagent.data.semantic.drafting.event_dates import Moment

_TARGETS = frozenset({"target", "goal", "quota", "budget", "planned"})
_LIMITS = frozenset({"limit", "ceiling", "maximum", "cap", "allowance"})
_TARGET_KO, _LIMIT_KO = regex("목표|계획량"), regex("한도|상한|허용|제한")
_ALIKE = 2
"""Letters with which two Korean names begin alike: 배출량 and 배출한도."""


def goal_of(name: str) -> str | None:
    """`target` or `limit`, for a number that another is measured against."""
    said = {*words_of(name)}
    if said & _TARGETS or _TARGET_KO.search(name):
        return "target"
    return "limit" if said & _LIMITS or _LIMIT_KO.search(name) else None


def shares_beginning(name: str, goal: str) -> bool:
    """Tell whether a figure is called like its goal besides the word for a goal: 쓰레기배출량 and 배출한도."""
    bare = _LIMIT_KO.sub("", _TARGET_KO.sub("", goal))
    return hangul(bare) and len(bare) >= _ALIKE and bare[:_ALIKE] in name


def aim_words(goal: str) -> tuple[Words, Words]:
    """The words for the rows below a target and for those that reach it; of a limit, for those over it and those within it."""
    limit = goal_of(goal) == "limit"
    own = words_of(goal)
    nouns = [goal] if hangul(goal) else korean(own)
    plain = ("한도", "상한", "허용량") if limit else ("목표", "목표량", "목표치")
    every = [
        one
        for noun in dict.fromkeys((own[0] if hangul(own[0]) else "", *nouns, *plain))
        if noun
        for one in _spaced(noun)
    ]
    if limit:
        low = [f"{noun}{tail}" for noun in every for tail in _OVER]
        names = [" ".join(own), "limit", "cap", "ceiling"]
        en = [f"{start} {article}{noun}" for start in _OVER_EN for article in _ARTICLES for noun in names]
        return {"ko": low, "en": en}, {
            "ko": [f"{noun} 이내" for noun in every],
            "en": [f"within {a}{n}" for a in _ARTICLES for n in names],
        }
    low = [f"{noun}{tail}" for noun in every for tail in _SHORT]
    reached = [f"{noun}{tail}" for noun in every for tail in _REACHED]
    names = [" ".join(own), "target", "goal", "quota", "targets"]
    en = [f"{start} {article}{noun}" for start in _SHORT_EN for article in _ARTICLES for noun in names]
    met = [f"{start} {article}{noun}" for start in _REACHED_EN for article in _ARTICLES for noun in names]
    return {"ko": low, "en": en}, {"ko": reached, "en": met}


def _spaced(noun: str) -> list[str]:
    """배출한도 and 배출 한도."""
    found = _TARGET_KO.search(noun) or _LIMIT_KO.search(noun)
    return [noun, f"{noun[: found.start()]} {noun[found.start() :]}"] if found and found.start() else [noun]


_ARTICLES = ("", "the ", "its ", "their ")
_OVER = (
    "를 넘긴",
    "를 초과한",
    "를 넘은",
    "을 넘긴",
    "을 초과한",
    "을 넘은",
    " 초과",
    " 넘긴",
    "를 초과",
    "을 초과",
    "를 넘",
    "을 넘",
)
_OVER_EN = ("over", "above", "exceeding", "exceeded", "more than", "beyond", "went over", "going over")
_SHORT = (
    "을 못 채운", "를 못 채운", "을 채우지 못한", "를 채우지 못한", "에 못 미친", "에 미달한", "에 미달", " 미달",
    "보다 적은", "보다 낮은",
    "에 미치지 못한", "을 달성하지 못한", "를 달성하지 못한", "을 못 달성한", "를 못 달성한", " 미달성", " 못 채운",
    "보다 적게", "보다 덜",
)  # fmt: skip
_REACHED = ("을 채운", "를 채운", "을 달성한", "를 달성한", " 달성", "에 도달한", " 이상인")
_SHORT_EN = (
    "below", "under", "short of", "missed", "missing", "fell short of", "less than", "lower than", "did not reach", "did not meet",
    "failed to reach", "failed to meet", "didn't reach", "didn't meet",
)  # fmt: skip
_REACHED_EN = ("reached", "met", "achieved", "hit", "reaching", "meeting")

UNPAID_STATES = frozenset({"unpaid", "open", "outstanding", "paid", "overdue"})
_PAYMENTS = frozenset({"paid", "settled"})
_PAYMENTS_KO = regex("입금|결제|납부|수납|지불|수금")


def is_payment(moment: Moment) -> bool:
    """Tell whether the thing that happened on a date is that the row was paid."""
    return moment.done in _PAYMENTS or any(_PAYMENTS_KO.search(noun) for noun in moment.ko)


def unpaid_words(nouns: Sequence[str]) -> Words:
    """The words for rows that nobody has paid: unpaid, 미입금, 아직 돈 못 받은."""
    acts = list(dict.fromkeys([*nouns, "입금", "결제", "납부"]))
    ko = [f"미{noun}" for noun in (*acts, "수", "정산")]
    ko += [
        f"{start}{noun}{link}"
        for start in ("", "아직 ")
        for noun in acts
        for link in (
            "되지 않은",
            " 되지 않은",
            " 안 된",
            "이 안 된",
            "가 안 된",
            "하지 않은",
            " 안 한",
            "받지 못한",
            " 못 받은",
        )
    ]
    ko += [
        f"{start}{one}"
        for start in ("", "아직 ")
        for one in ("돈 못 받은", "돈을 못 받은", "돈을 받지 못한", "못 받은")
    ]
    en = [
        "not paid",
        "not been paid",
        "not yet paid",
        "not yet been paid",
        "still unpaid",
        "yet to be paid",
        "not paid for",
    ]
    en += [
        f"{one} {noun}"
        for one in ("haven't", "have not", "hasn't", "has not")
        for noun in ("been paid", "been paid yet")
    ]
    en += ["not paid yet", "not been paid yet", "unpaid yet"]
    return {"ko": ko, "en": en}
