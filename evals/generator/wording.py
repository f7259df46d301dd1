"""From a meaning to a sentence: slots, particles, endings, and the noise of real typing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import yaml

from evals.generator.world import Own

FILE = Path(__file__).with_name("wordings.yaml")
_PIECE = re.compile(r"\{([^}:+]+)(?:([:+])([^}]+))?\}|\[([^\]:]*)(?:(:)([^\]]+))?\]|<([^>]+)>")
_JOSA = {
    "은": ("은", "는"), "이": ("이", "가"), "을": ("을", "를"), "과": ("과", "와"), "이랑": ("이랑", "랑"),
    "으로": ("으로", "로"), "의": ("의", "의"), "에서": ("에서", "에서"),
}  # fmt: skip
_DIGIT_ENDS = {"0": True, "1": True, "3": True, "6": True, "7": True, "8": True}
_LATIN_ENDS = set("lmnr")


@dataclass(frozen=True)
class Slot:
    """The ways to say one part of a meaning; `counter` is what its amount is counted in, `asks` the question word."""

    ko: Sequence[str]
    en: Sequence[str]
    counter: str | None = None
    asks: str = "목록"

    def of(self, language: str) -> Sequence[str]:
        return self.ko if language == "ko" else self.en


@dataclass(frozen=True)
class Said:
    text: str
    noise: tuple[str, ...] = field(default=())


@cache
def _file() -> dict[str, Any]:
    return yaml.safe_load(FILE.read_text(encoding="utf-8"))


def classes() -> dict[str, Any]:
    return _file()["classes"]


def held_out() -> frozenset[str]:
    return frozenset(name for name, one in classes().items() if one.get("held_out"))


def say(cls: str, language: str, slots: Mapping[str, Slot], rng: Random, *, typos: bool = True) -> Said:
    """One wording: a template of the class, filled, then made as untidy as people are."""
    known = [t for t in classes()[cls][language] if _fillable(t, slots)]
    text, own = filled(rng.choice(known), language, slots, rng)
    return _untidy(text, language, rng, own, typos=typos)


def filled(
    template: str, language: str, slots: Mapping[str, Slot], rng: Random
) -> tuple[str, tuple[str, ...]]:
    """The template with words in its slots, and whether one of them is a word that the model does not know."""
    own: list[str] = []
    text = ""
    at = 0
    for found in _PIECE.finditer(template):
        text += template[at : found.start()]
        at = found.end()
        name, mark, more, literal, colon, ending, macro = found.groups()
        if macro:
            text += rng.choice(_file()["endings"][macro])
            continue
        slot = slots.get(name) if name else None
        if slot is not None:
            word = rng.choice(list(slot.of(language)))
            own += ["own word"] if isinstance(word, Own) else []
            text += word
        elif literal:
            text += literal
        if mark == "+":
            text += josa(text, more)
        elif mark == ":" or colon:
            text = _ended(text, more or ending, slot, slots, rng)
    return _tidy(text + template[at:], language), tuple(dict.fromkeys(own))


def _fillable(template: str, slots: Mapping[str, Slot]) -> bool:
    return all(name in slots for name, *_ in _PIECE.findall(template) if name)


def _ended(text: str, ending: str, slot: Slot | None, slots: Mapping[str, Slot], rng: Random) -> str:
    kind = ending
    if ending == "어디" and slot is not None:
        kind = slot.asks
    counter = slot.counter if slot is not None else None
    if ending == "몇":
        kind = "몇만"
        counter = slots["C"].ko[0] if "C" in slots else counter
    elif ending == "얼마" and counter and rng.random() < 0.6:
        kind = "몇"
    chosen = rng.choice(_file()["endings"][kind])
    if "#" in chosen and not counter:
        chosen = "|"
    heads, _, rest = chosen.partition(" ")
    head = rng.choice(heads.split("|"))
    mark = re.match(r"([가-힣]*)(.*)", head)
    assert mark is not None
    joined = text + (josa(text, mark[1]) if mark[1] else "") + mark[2]
    return f"{joined} {rest}".rstrip().replace("#", counter or "건")


def josa(text: str, particle: str) -> str:
    with_end, without = _JOSA[particle]
    return with_end if _closed(text, particle) else without


def _closed(text: str, particle: str) -> bool:
    last = next((c for c in reversed(text) if c.isalnum()), "가")
    if "가" <= last <= "힣":
        end = (ord(last) - ord("가")) % 28
        return end not in (0, 8) if particle == "으로" else end != 0
    return _DIGIT_ENDS.get(last, False) if last.isdigit() else last.lower() in _LATIN_ENDS


def _tidy(text: str, language: str) -> str:
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"\s+([,.?!])", r"\1", text)
    if language == "ko":
        text = re.sub(r"([가-힣])이(야|죠|었어)", _copula, text)
        text = re.sub(
            r"([가-힣])나 있어", lambda m: f"{m[1]}이나 있어" if _closed(m[1], "이") else m[0], text
        )
        text = text.replace("총 총", "총")
        return re.sub(r"([가-힣])예요", lambda m: f"{m[1]}이에요" if _closed(m[1], "이") else m[0], text)
    return text.replace("??", "?")


def _copula(found: re.Match[str]) -> str:
    if _closed(found[1], "이"):
        return found[0]
    return f"{found[1]}{ {'야': '야', '죠': '죠', '었어': '였어'}[found[2]] }"


# --- noise -------------------------------------------------------------------------------------------------

_BEFORE_KO = (
    "혹시 ",
    "저기요, ",
    "팀장님, ",
    "안녕하세요. ",
    "음 ",
    "급한데 ",
    "부장님이 물어보시는데 ",
)
_AFTER_KO = (" 부탁드려요", " ㅠㅠ", " 감사합니다", "~", "!!", " 빨리요")
_BEFORE_EN = ("Hi, ", "Hey, ", "Quick question: ", "Please, ", "Good morning! ", "Um, ")
_AFTER_EN = (" thanks", " please", ", thank you", " asap", "!")
_SWAPS = {
    "매출": "메출",
    "얼마": "얼머",
    "지난달": "지난딸",
    "알려줘": "알려죠",
    "보여줘": "보여조",
    "평균": "평귱",
    "상위": "상휘",
}


def _untidy(text: str, language: str, rng: Random, noise: tuple[str, ...], *, typos: bool) -> Said:
    draw = rng.random()
    if draw < 0.62 or (draw >= 0.90 and not typos):
        return Said(text, noise)
    if draw < 0.76:
        before, after = (_BEFORE_KO, _AFTER_KO) if language == "ko" else (_BEFORE_EN, _AFTER_EN)
        if rng.random() < 0.5:
            return Said(rng.choice(before) + text, (*noise, "filler"))
        return Said(text.rstrip("?") + rng.choice(after), (*noise, "filler"))
    if draw < 0.90 and language == "ko":
        return Said(_squeezed(text, rng), (*noise, "spacing"))
    if draw < 0.90:
        return Said(rng.choice([text.lower(), text.upper(), text.rstrip("?")]), (*noise, "case"))
    return Said(_mistyped(text, language, rng), (*noise, "typo"))


def _squeezed(text: str, rng: Random) -> str:
    """Some or all spaces left out, as on a phone; never between two Latin words or numbers."""
    every = rng.random() < 0.3
    pieces = text.split(" ")
    made = pieces[0]
    for piece in pieces[1:]:
        korean = bool(made) and "가" <= made[-1] <= "힣" and bool(piece) and "가" <= piece[0] <= "힣"
        made += piece if korean and (every or rng.random() < 0.5) else f" {piece}"
    return made


def _mistyped(text: str, language: str, rng: Random) -> str:
    if language == "ko":
        known = [word for word in _SWAPS if word in text]
        if known:
            word = rng.choice(known)
            return text.replace(word, _SWAPS[word], 1)
        return text + rng.choice(["ㅋ", "ㅎ", ".."])
    words = text.split(" ")
    long = [n for n, word in enumerate(words) if len(word) > 5 and word.isascii() and word.isalpha()]
    if not long:
        return text
    at = rng.choice(long)
    word, n = words[at], rng.randint(1, len(words[at]) - 3)
    words[at] = word[:n] + word[n + 1] + word[n] + word[n + 2 :]
    return " ".join(words)
