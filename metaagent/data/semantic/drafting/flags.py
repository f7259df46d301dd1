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


_STATED = regex(r"(?:ed|able|ible|paid|sold|done|sent|open|active|valid|won|lost|held|taxfree)$")
"""The end of a word for a state that a row is in or not: deceased, billable, paid."""


_STATING = frozenset(
    {"on", "in", "under", "needs", "need", "requires", "allows", "can", "with", "wants", "should"}
)
"""The beginning of the same: on_display, needs_repair."""


def is_flag(name: str, values: Sequence[str]) -> bool:
    """Tell whether a column answers yes or no; 1 and 0, or a single value, do only under a name that says so."""
    held = {value.lower() for value in values}
    said = words_of(name)
    named = bool(_MARKS & {*said}) or name.endswith("여부") or says_yes(name)
    pairs = [pair for pair in _PAIRS if held and held <= set(pair)]
    whole = bool(pairs) and len(held) == len(pairs[0])
    stated = bool(_STATED.search(said[-1])) or (len(said) > 1 and said[0] in _STATING)
    return bool(pairs) and (named or (whole and (pairs[0] == ("y", "n") or stated)))


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
                "ko": _yes(noun),
                "en": [said, *_under(stem), *nouns, *_done(stem)],
            }
        else:
            label = {"ko": f"{noun} 안 됨" if noun else value, "en": f"not {said}"}
            opposite = [_OPPOSITE[stem[-1]]] if stem[-1] in _OPPOSITE else []
            opposite += [word.removesuffix("ed") for word in opposite if word == "failed"]
            opposite += [f"un{said}"] if _STATED.search(stem[-1]) and not opposite else []
            opposite += [f"{no}{done}" for done in _done(stem) for no in ("not ", "un")]
            opposite += [f"{no}{word}" for word in nouns for no in ("not ", "non-", "non ", "not a ")]
            made[value] = {"label": label, "ko": _no(noun), "en": [f"not {said}", f"non-{said}", *opposite]}
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
    return [*bare, f"{noun}된", f"{noun}한", f"{noun}되었", f"{noun}됐", *done] if noun else []


def _no(noun: str) -> list[str]:
    return (
        [f"미{noun}", f"{noun} 안 된", f"{noun}되지 않은", f"{noun} 안 한", f"{noun}하지 않은"]
        if noun
        else []
    )
