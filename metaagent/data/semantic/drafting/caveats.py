"""Doubts that a drafted model says with each figure that they matter for: whether cancelled rows count, which of several
dates is meant, which of several amounts.

A person who knows removes the caveat from the model, or limits the figure by `where`.
"""

from __future__ import annotations

import re
from typing import Any

from metaagent.data.semantic.drafting.words import english, korean
from metaagent.errors import Text
from metaagent.language.patterns import regex

Caveat = dict[str, Any]

_UNDONE = regex(
    r"(?:order |payment )?(?:cancel(?:l?ed|lation)?|void(?:ed)?|refund(?:ed)?|deleted?|reject(?:ed)?|declined?|fail(?:ed)?|no.?show"
    r"|withdrawn|annulled|reversed)|(?:주문|결제|예약|수강|구매)?\s?(?:취소|환불|반품|삭제|반려|실패|무효|해지|노쇼|폐기)(?:됨|완료|처리)?"
)
_GONE = regex(
    r"(?:^|_)(?:del|deleted|cancelled|canceled|refund|refunded|void)(?:_|$)|삭제여부|취소여부|환불여부|퇴원여부|탈퇴여부|해지여부"
)
_DELETED = regex(
    r"(?:^|_)(?:del|delete|deleted)(?:_|$)|(?:^|_)is_?deleted|deleted_?(?:yn|flag|flg)?$|삭제(?:여부|유무|됨)?$"
)
_IN_USE = regex(r"(?:^|_)(?:use|active|enabled|valid)(?:_|$)|사용여부|재직여부")
_YES = frozenset({"y", "1", "t", "true", "yes", "예", "o"})

ROWS = Text(
    en="{things} rows with {column} {values} are counted too",
    ko="{things} 중 {column} {values}도 포함했습니다",
)
DATES = Text(
    en="{date} was taken as the date; there is also {others}",
    ko="{date} 기준으로 봤습니다(다른 날짜: {others})",
)
ONLY_DATE = Text(
    en="{date} was taken as the date; there is no other",
    ko="다른 날짜가 없어 {date} 기준으로 봤습니다",
)
UNDATED = Text(
    en="{date} was taken as the date; {share} % of the rows have none",
    ko="{date} 기준으로 봤습니다(비어 있는 행 {share}%)",
)
ELSEWHERE = Text(
    en="{things} rows have no date of their own; {date} was taken",
    ko="{things}에는 날짜가 없어 {date} 기준으로 봤습니다",
)
AMOUNTS = Text(
    en="{column} was taken as the amount; there is also {others}",
    ko="{column} 기준으로 봤습니다(다른 금액: {others})",
)
ADDED = Text(
    en="{column} of each row was added up",
    ko="행마다 있는 {column}을(를) 더했습니다",
)
COUNT = Text(
    en="rows of {things} were counted; ask for {figure} to add them up",
    ko="{things} 건수를 셌습니다. 금액은 '{figure}'을(를) 물어보세요",
)
LINES = Text(
    en="{column} of the lines adds up to {share} % of {total}",
    ko="상세의 {column} 합계는 {total}의 {share}%입니다",
)


def _spaced(column: str) -> str:
    """IsDeleted as is_deleted."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", column).lower()


def is_gone(column: str) -> bool:
    """Tell whether a column says which rows are deleted or no longer in use."""
    return bool(_GONE.search(_spaced(column)) or _IN_USE.search(_spaced(column)))


def is_deleted(column: str) -> bool:
    """Tell whether a column says which rows were deleted and are kept for the record alone."""
    return bool(_DELETED.search(_spaced(column)))


def undone(column: str, value: str, said: str | None = None) -> bool:
    """Tell whether rows with this value may not count: cancelled, refunded, deleted; or a flag that says so."""
    if _GONE.search(_spaced(column)):
        return value.lower() in _YES
    if _IN_USE.search(_spaced(column)):
        return value.lower() not in _YES
    return bool(_UNDONE.fullmatch(value.lower()) or (said and _UNDONE.fullmatch(said.lower())))


def said_rows(things: dict[str, str], column: dict[str, str], shares: dict[str, float]) -> dict[str, str]:
    """`shares`: the values that rows have, each with its share of them."""
    named = ", ".join(f"{value} {share * 100:.1f}%" for value, share in shares.items())
    return {
        language: ROWS.say(language, things=things[language], column=column[language], values=named)
        for language in ("ko", "en")
    }


def shown_words(words: list[str]) -> dict[str, str]:
    """The words as people read them."""
    return {"ko": next(iter(korean(words)), " ".join(words)), "en": english(words)[0]}


def listed_words(every: list[list[str]]) -> dict[str, str]:
    shown = [shown_words(words) for words in every]
    return {language: ", ".join(one[language] for one in shown) for language in ("ko", "en")}


def said_choice_of(text: Text, **given: dict[str, str]) -> dict[str, str]:
    return {
        language: text.say(language, **{key: one[language] for key, one in given.items()})
        for language in ("ko", "en")
    }
