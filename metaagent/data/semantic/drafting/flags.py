"""Columns that answer yes or no: paid_yn, is_active, 환불여부. People say 'paid' and 'unpaid', 환불된 and 환불 안 된."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from metaagent.data.semantic.drafting.dictionary import KOREAN
from metaagent.data.semantic.drafting.words import english, hangul, korean, says_yes, words_of
from metaagent.language.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Sequence

_PAIRS = (("y", "n"), ("1", "0"), ("t", "f"), ("true", "false"), ("yes", "no"), ("예", "아니오"), ("o", "x"))
_MARKS = frozenset({"yn", "flag", "is", "has", "was", "flg", "indicator", "bool"})
_MEANT = {
    "delivery": "deleted", "del": "deleted", "delete": "deleted", "use": "active", "refund": "refunded", "cancel": "cancelled",
    "end": "closed", "finish": "closed", "complete": "completed", "control": "controlled", "ctrl": "controlled",
}  # fmt: skip
"""del_yn tells what was deleted; use_yn what is still in use."""
_OPPOSITE = {
    "active": "inactive", "paid": "unpaid", "valid": "invalid", "available": "unavailable", "verified": "unverified",
    "passed": "failed", "attended": "absent", "approved": "rejected", "accepted": "rejected", "won": "lost", "open": "closed",
    "enabled": "disabled", "online": "offline", "present": "absent", "indoor": "outdoor", "full": "empty",
}  # fmt: skip
_KOREAN = {
    "deleted": "삭제",
    "active": "사용",
    "refunded": "환불",
    "cancelled": "취소",
    "paid": "납부",
    "closed": "마감",
}


_ALSO_KOREAN = {
    "active": ("활성", "유효", "활동 중"),
    "closed": ("종결", "종료", "처리", "완료"),
    "completed": ("완료", "처리"),
    "resolved": ("해결", "처리"),
    "rush": ("급행", "긴급", "급한"),
    "urgent": ("급행", "긴급", "급한"),
    "express": ("급행", "특급"),
    "autopay": ("자동이체", "자동납부", "자동결제"),
}
"""Further words for the state, where people have several."""


_STATED = regex(r"(?:ed|able|ible|paid|sold|done|sent|open|active|valid|won|lost|held|taxfree)$")
"""The end of a word for a state that a row is in or not: deceased, billable, paid."""


_STATING = frozenset(
    {"on", "in", "under", "needs", "need", "requires", "allows", "can", "with", "wants", "should"}
)
"""The beginning of the same: on_display, needs_repair."""


_COUNTED = frozenset(
    {
        "count", "quantity", "number", "amount", "price", "fee", "cost", "level", "floor", "score", "rating", "grade", "rank",
        "type", "status", "state", "code", "gender", "sex", "month", "year", "day", "hour", "minute", "total", "rate", "percent",
        "discount", "age", "size", "unit", "point", "star", "stock", "order", "sequence", "priority", "severity", "class", "id",
        "version", "attempt", "child", "people", "person", "guest", "room", "bed", "piece", "수량", "개수", "횟수", "금액", "점수",
        "등급", "상태", "구분", "층", "번호",
    }
)  # fmt: skip
"""Words of columns that count or tell kinds, though only 0 and 1 occur in them."""


def is_flag(name: str, values: Sequence[str]) -> bool:
    """Tell whether a column answers yes or no; 1 and 0, or a single value, do only under a name that says so."""
    held = {value.lower() for value in values}
    said = words_of(name)
    named = bool(_MARKS & {*said}) or name.endswith("여부") or says_yes(name)
    pairs = [pair for pair in _PAIRS if held and held <= set(pair)]
    whole = bool(pairs) and len(held) == len(pairs[0])
    stated = bool(_STATED.search(said[-1])) or (len(said) > 1 and said[0] in _STATING)
    state = stated or not _COUNTED & {*said}
    return bool(pairs) and (named or (whole and (pairs[0] == ("y", "n") or state)))


def _stem(name: str) -> list[str]:
    if hangul(name):
        return [name.removesuffix("여부").strip("_ ") or name]
    said = [word for word in words_of(name) if word not in _MARKS]
    return [_MEANT.get(word, word) for word in said] or words_of(name)


def flag_words(name: str) -> list[str]:
    """The words that the column is called by: what is the case where it says yes."""
    return _stem(name)


def flag_state(name: str, value: str) -> str | None:
    """The state of things where the column says yes; None where this value says no."""
    yes = any(value.lower() == pair[0] for pair in _PAIRS)
    return " ".join(_stem(name)) if yes else None


def flag_values(name: str, values: Sequence[str]) -> dict[str, Any]:
    """The `values` of the dimension: yes and no, each as people say it."""
    stem = _stem(name)
    said, noun = " ".join(stem), _noun(stem)
    nouns = [word for word in english(stem) if word.isascii()] if hangul(stem[-1]) else []
    made: dict[str, Any] = {}
    for value in sorted(values):
        if any(value.lower() == pair[0] for pair in _PAIRS):
            label = {"ko": f"{noun}됨" if noun else value, "en": said}
            made[value] = {
                "label": label,
                "ko": [word for one in (noun, *_ALSO_KOREAN.get(stem[-1], ())) for word in _yes(one)],
                "en": [said, *_under(stem), *nouns, *_done(stem)],
            }
        else:
            label = {"ko": f"{noun} 안 됨" if noun else value, "en": f"not {said}"}
            opposite = [_OPPOSITE[stem[-1]]] if stem[-1] in _OPPOSITE else []
            opposite += [word.removesuffix("ed") for word in opposite if word == "failed"]
            opposite += [f"un{said}"] if _STATED.search(stem[-1]) and not opposite else []
            opposite += [f"{no}{done}" for done in _done(stem) for no in ("not ", "un")]
            opposite += [f"{no}{word}" for word in nouns for no in ("not ", "non-", "non ", "not a ")]
            denied = [f"{no} {said}" for no in ("not", "no longer", "not currently", "isn't", "aren't")]
            ko = [word for one in (noun, *_ALSO_KOREAN.get(stem[-1], ())) for word in _no(one)]
            made[value] = {"label": label, "ko": ko, "en": [*denied, f"non-{said}", *opposite]}
    return made


def _under(stem: list[str]) -> list[str]:
    """The state behind a preposition: under warranty, on hold, in stock."""
    noun = stem[-1] in KOREAN and not _STATED.search(stem[-1]) and not hangul(stem[-1])
    return [f"{link} {' '.join(stem)}" for link in ("under", "with", "on", "in")] if noun else []


def _done(stem: list[str]) -> list[str]:
    """The participle of a noun that says what was done: reported, where the column is called report."""
    nouns = [
        word
        for word in (english(stem) if hangul(stem[-1]) else stem[-1:])
        if word.isascii() and " " not in word
    ]
    return [
        f"{word}ed"
        for word in nouns[:1]
        if word in KOREAN and word[-1] not in "aeioy" and not _STATED.search(word)
    ]


def _noun(stem: list[str]) -> str:
    if hangul(stem[0]):
        return stem[0]
    said = [next(iter(korean([word])), "") for word in stem]  # coupon_used: 쿠폰 사용
    return _KOREAN.get(stem[-1]) or (" ".join(said) if all(said) else "")


def _yes(noun: str) -> list[str]:
    """The state in words; the noun alone says it too (갱신 계약), unless it is said of much else."""
    bare = [] if noun in {"", *_KOREAN.values()} else [noun]
    first, _, act = noun.partition(" ")
    done = (
        [f"{first}{mark} {act}{tail}" for mark in ("을", "를", "이", "가") for tail in ("한", "된", "받은")]
        if act
        else []
    )
    state = (
        [f"{noun} 상태", *(f"{noun}{mark} {verb}" for mark in ("", "을", "를") for verb in _USING)]
        if not act
        else []
    )
    return [*bare, f"{noun}된", f"{noun}한", f"{noun}되었", f"{noun}됐", *state, *done] if noun else []


_USING = ("쓰는", "쓴", "사용하는", "사용한", "이용하는", "이용한", "포함한", "포함된")


def _no(noun: str) -> list[str]:
    return (
        [
            f"미{noun}",
            f"비{noun}",
            f"{noun} 안 된",
            f"{noun}되지 않은",
            f"{noun} 안 한",
            f"{noun}하지 않은",
            f"{noun} 안 됨",
        ]
        if noun
        else []
    )
