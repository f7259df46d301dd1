"""Decides where a benefit is only talked of: a meal that somebody has by himself, an earlier one that is praised, a plan that waits
for approval, how a thing is paid as a rule, what was put off or declared.

Each is told by the words after the noun, or by its whole sentence.
"""

from __future__ import annotations

import re
from typing import Literal

from metaagent.level2.compliance.text.amounts import sums
from metaagent.level2.compliance.text.vocabulary import OURSELVES, THEIR_MEAL

_FREE_KO = re.compile(
    r"(?:비|료)?[은는이가]?\s?(?:전액\s?)?(?:무료|무상)(?:입니다|이다|이고|이며|임|로\s?(?:운영|진행)|[,.]|$)"
)
"""Taking part costs nothing."""
_PRAISED_KO = re.compile(
    r"(?:지난번|저번|지난\s?\S{1,3})\s(?:\S+\s){0,3}?(?:설명회|세미나|심포지엄|행사|간담회|학회|"
    r"부스)\S{0,2}\s?(?:때\s)?[^.\n]*(?:맛있|좋았|괜찮았|만족|인상)"
)
"""An earlier occasion is spoken well of: it was noted in its own time."""
_THEY_SAY_KO = re.compile(r"다고\s?(?:하[시셨]|말씀하)")
_PENDING_KO = re.compile(r"(?:검토|심의|심사|승인|결재)\s?(?:중(?![가-힣])|중이|대기|전이|요청\s?중)")
"""A plan that waits for approval, without a sum."""
_PROCEDURE_KO = re.compile(
    r"[은는]?\s(?:[^\s.]+\s){0,5}?(?:지급|제공|처리|정산|집행)(?:된다|됩니다|되는|됨)(?:고|는|며)?\s?(?:안내|설명|공지|확인|"
    r"답변|말씀|합니다|한다|함|것|점)"
)
"""Words on the way in which something is paid, without a sum: 다음 달 10일에 지급된다고 안내했다."""
WITH_THEM = re.compile(
    r"함께|같이|대접|접대|모시|모셔|(?<!인)사\s?드|제공|(?:님|분|의사|교수|원장|과장|간호사)\S{0,2}(?:과|와|랑|하고|께)\s"
)
"""Somebody of the other side shares what a sentence tells of."""
_DECLARED_KO = re.compile(r"(?:을|를|은|는|으로|로)?\s(?:\S+\s){0,2}?(?:신고|보고)(?:했|하였|함|드렸|하고)")
_DECLARED_EN = re.compile(
    r"\s(?:\w+ ){0,3}to (?:compliance|our compliance|the compliance|my manager|legal)\b", re.IGNORECASE
)
_PUT_OFF = re.compile(
    r"^\s?(?:약속|자리|일정)(?!\S{0,2}\s(?:\S+\s){0,3}?(?:가[졌지진짐]|마련|함께|같이|모[셨시신셔]|했|하였|함(?![가-힣])|"
    r"만들|진행|열[었어]))|^\S{0,3}\s?(?:\S+\s){0,2}(?:취소|미뤘|미룸|미루|연기했|연기함|연기하)"
)
INTENDED_KO = re.compile(
    r"(?:려던|려고\s?(?:했|하)던|기로\s?(?:했|하)던|려다가?|예정이던|예정이었던|계획했던|계획이던)\s[^.\n]*?(?:취소|철회|"
    r"접[었기음]|그만[뒀둠두]|포기|없던\s?일|보류)|"
    r"[했렸]던\s[^.\n]*?(?:취소|철회|무산)|"
    r"겠다고\s?(?:\S+\s)?(?:했|하였|말씀드렸)(?:지만|는데|으나)\s[^.\n]*?(?:어렵|안\s?[된됩돼]|못\s?하|수\s?없|취소)"
)
"""Something that was meant to be done and was given up in the same sentence."""
_WHETHER = re.compile(r"\S{0,6}\s?(?:\S{0,4}\s?)여부(?!\s?[:：])")


_TALE_KO = re.compile(
    r"^(?:\s?때)?(?:\s\S+[신은던온])?(?:\s(?:와인|술|음식|골프|여행|공연|메뉴)\S?)?\s?(?:이야기|얘기|자랑|소문|농담|추억|"
    r"후기)(?:를|을|로|도|만)\s"
    r"(?:\S+\s){0,2}?(?:하[셨시더]|한참|들[었려]|듣|꽃|웃|떠들|길어)"
)
"""Somebody tells of it: 지난번 회식 때 드신 와인 이야기를 하셨습니다."""
_CAME_UPON = re.compile(r"\b[Ff]ound (?:an?|the|some) (?:\w+ )?$|\blost property\b")
_CAME_UPON_KO = re.compile(r"^(?:을|를|이|가)?\s(?:\S+\s){0,2}?(?:주[웠워]|습득|발견)")
"""A thing that somebody had lost."""


def told_otherwise(text: str, start: int, end: int) -> Literal["open", "denied"] | None:
    """Say what a sentence tells of the benefit between two places, where it tells no giving of it; None where it may."""
    after = text[end:]
    if _PUT_OFF.match(after) or _FREE_KO.match(after) or INTENDED_KO.search(after):
        return "denied"
    if _CAME_UPON_KO.match(after) or (_CAME_UPON.search(text[:start]) and not sums(text)):
        return "denied"
    tale = _TALE_KO.match(after)
    if tale is not None and not OURSELVES.search(text) and not WITH_THEM.search(tale.group()):
        return "open"
    if THEIR_MEAL.match(after) and not WITH_THEM.search(text):
        return "open"
    if _DECLARED_KO.match(after) or _DECLARED_EN.match(after) or _PROCEDURE_KO.match(after):
        return "open"
    praised = _PRAISED_KO.search(text) and (_THEY_SAY_KO.search(text) or not OURSELVES.search(text))
    if praised or (_PENDING_KO.search(text) and not sums(text)):
        return "open"
    return "open" if _WHETHER.match(after) else None
