"""Korean and English verb forms from a stem: the model names a verb once, questions bend it."""

from __future__ import annotations

_BASE = 0xAC00
_BRIGHT = (0, 2, 8)
"""ㅏ, ㅑ and ㅗ take 아; all others 어."""
_CONTRACTED = {
    (0, 0): 0,
    (8, 0): 9,
    (13, 4): 14,
    (20, 4): 6,
    (4, 4): 4,
    (1, 4): 1,
    (5, 4): 5,
    (6, 4): 6,
    (18, 4): 4,
}
"""(vowel of the stem, 아/어): the vowel of both: 오+아 와, 우+어 워, 이+어 여, 으+어 어."""
_N, _L, _B, _SS = 4, 8, 17, 20


def _parts(syllable: str) -> tuple[int, int, int]:
    code = ord(syllable) - _BASE
    return code // 588, code % 588 // 28, code % 28


def _syllable(initial: int, vowel: int, final: int) -> str:
    return chr(_BASE + initial * 588 + vowel * 28 + final)


def _with_final(stem: str, final: int) -> str:
    initial, vowel, _ = _parts(stem[-1])
    return stem[:-1] + _syllable(initial, vowel, final)


def past(stem: str) -> str:
    """방문하 -> 방문했, 팔 -> 팔았, 팔리 -> 팔렸, 쓰 -> 썼."""
    if stem.endswith("하"):
        return stem[:-1] + "했"
    initial, vowel, final = _parts(stem[-1])
    ending = 0 if vowel in _BRIGHT else 4
    if final:
        return stem + ("았" if ending == 0 else "었")
    joined = _CONTRACTED.get((vowel, ending))
    return stem[:-1] + _syllable(initial, joined, _SS) if joined is not None else f"{stem}었"


def korean_forms(stem: str) -> dict[str, str]:
    """`done` (방문한), `doing` (방문하는), `past` (방문했), `to_be` (방문할), `stem` (방문하); of 되다 also `short` (됐)."""
    final = _parts(stem[-1])[2]
    if final == _L:  # 팔다, 열다: the ㄹ falls
        done, doing, to_be = _with_final(stem, _N), _with_final(stem, 0) + "는", stem
    elif final:
        done, doing, to_be = stem + "은", stem + "는", stem + "을"
    else:
        done, doing, to_be = _with_final(stem, _N), stem + "는", _with_final(stem, _L)
    short = {"short": f"{stem[:-1]}됐"} if stem.endswith("되") else {}
    return {"done": done, "doing": doing, "past": past(stem), "to_be": to_be, "stem": stem, **short}


def english_forms(verb: str) -> set[str]:
    """visit -> visits, visited, visiting; irregular forms are named beside it."""
    head, _, rest = verb.partition(" ")
    tail = f" {rest}" if rest else ""
    going = head.endswith("ing") and any(
        letter in "aeiou" for letter in head[:-3]
    )  # selling, but no form of bring
    if going or head.endswith(("ed", "ld", "nt", "ght", "ew")):
        return {verb}
    root = head.removesuffix("e")
    third = f"{head}es" if head.endswith(("s", "sh", "ch", "x")) else f"{head}s"
    forms = {head, third, f"{root}ed", f"{root}ing"}
    if head.endswith("y") and head[-2:-1] not in "aeiou":
        forms |= {f"{head[:-1]}ies", f"{head[:-1]}ied"}
    return {f"{form}{tail}" for form in forms}
