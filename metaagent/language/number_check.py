"""Numbers in an answer come from the findings. Pure: which numbers a text holds, and whether each is one of theirs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from metaagent.language.patterns import regex

CITED = regex(r"\[(\d{1,3})\]")
"""A mark that cites: its number is that of a citation, and no figure."""
_KOREAN = r"(?:천|백|십)?(?:만|억|조)|천|백|십"
_SCALE = rf"{_KOREAN}|%p|%|퍼센트포인트|퍼센트|percent|thousand|million|billion|trillion|[kmb](?![a-z])|bn(?![a-z])"
_DIGITS = r"[-+−]?\d(?:[\d,.:/-]*\d)?"
FIGURE = regex(
    rf"(?:{_DIGITS}(?:\s?(?:{_KOREAN})){{1,3}}\s?(?=\d)){{0,4}}{_DIGITS}(?:\s?(?:{_SCALE})){{0,3}}",
    re.IGNORECASE,
)
STAND_IN = regex(r"(\[[A-Z]{2,12}_\d{1,6}\]|\[\d{1,3}\])")
"""Stands for personal data, as `metaagent.protection.redaction` writes it, or cites a passage: its number is no figure."""
_SENTENCES = regex(r"(?<=\])(?!\s?\[)|\n+")
"""Ends of sentences that cite."""
PLACEHOLDER = regex(r"\{\{\s*(n\d{1,4})\s*(?:=[^{}]*)?\}\}")
_DATE = regex(r"(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})")
_DATE_PART = regex(r"(?P<n>\d{1,4})\s?(?P<u>년|월|일)")
_SPELT = regex(
    r"(?<![a-z])(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]{3,6}teen|twenty|thirty|forty|fifty|sixty"
    r"|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|trillions?|dozens?|half|halves|third|quarter|twice"
    r"|double[ds]?|doubling|triple[ds]?|tripling|halved|[a-z]{2,10}fold)(?![a-z])"
    r"|(?:(?<![가-힣])|(?<=약)|(?<=총))[일이삼사오육칠팔구]?[십백천만억조][일이삼사오육칠팔구십백천만억조\s]{0,20}(?<!\s)(?:원|명|건|개|곳|회|배|퍼센트|%|번|년|달러|쪽|위)"
    r"|(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|스무|몇|수십|수백|수천|수만|수억)\s?배|절반|갑절|반토막"
)
# A sign before, or a scale, digit or other mark after: a value made larger, smaller or of another kind.
_CHANGED = regex(
    rf"[-+−\d]\{{\{{\s*n\d{{1,4}}|n\d{{1,4}}\s*(?:=[^{{}}]*)?\}}\}}(?:\s?(?:{_SCALE})|[.,]?\d|\{{\{{)",
    re.IGNORECASE,
)
_LINK = regex(r"[a-z][a-z0-9+.-]{1,15}://\S+|www\.\S+|[\w.+-]{1,64}@[\w-]{1,64}\.[\w.]{1,64}", re.IGNORECASE)
_PICTURE = regex(r"!\[[^\]]*\]|\]\(|<[a-z/!]", re.IGNORECASE)


@dataclass(frozen=True)
class Findings:
    """Texts with each number marked, and what the marks stand for."""

    texts: tuple[str, ...]
    figures: dict[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def of(cls, texts: Sequence[str]) -> Findings:
        figures: dict[str, str] = {}

        def mark(found: re.Match[str]) -> str:
            value = found[0]
            name = next((known for known, other in figures.items() if other == value), f"n{len(figures) + 1}")
            figures[name] = value
            return f"{{{{{name}={value}}}}}"

        def marked(text: str) -> str:
            parts = STAND_IN.split(text)
            return "".join(part if at % 2 else FIGURE.sub(mark, part) for at, part in enumerate(parts))

        return cls(tuple(map(marked, texts)), figures)

    def filled(self, text: str) -> str:
        """The text with values for its marks; an unknown mark stays, and is a stranger."""
        return PLACEHOLDER.sub(lambda found: self.figures.get(found[1], found[0]), text)

    def strangers(self, text: str) -> list[str]:
        """List everything in a text that only findings may bring: numbers in any form, links, pictures, unknown marks; and
        marks that cite a passage for a number which it does not have."""
        cited = {mark for said in self.texts for mark in CITED.findall(said)}
        bare = PLACEHOLDER.sub(self._known_mark, text)
        bare = CITED.sub(lambda mark: " " if mark[1] in cited else mark[0], bare)
        plain = unicodedata.normalize("NFKC", bare)
        said = unicodedata.normalize("NFKC", "\n".join(PLACEHOLDER.sub(_value, t) for t in self.texts))
        own = {_same(value) for value in self.figures.values()}
        found = [f for f in FIGURE.findall(plain) if _same(f) not in own]
        parts = _date_parts(self.figures.values())
        dated = {part[0] for part in _DATE_PART.finditer(plain) if (int(part["n"]), part["u"]) in parts}
        found = [f for f in found if not any(d.startswith(f) for d in dated)]
        found += [word for word in _SPELT.findall(plain.lower()) if word not in said.lower()]
        found += [link for link in _LINK.findall(plain) if link not in said]
        found += _PICTURE.findall(plain)
        found += _CHANGED.findall(unicodedata.normalize("NFKC", text))
        found += ["{{"] if "{{" in plain else []
        found += self._moved(text)
        return found + [char for char in bare if _odd_number(char) and char not in said]

    def _moved(self, text: str) -> list[str]:
        """List the marks of sentences with a number that no finding with such a mark has."""
        borne: dict[str, set[str]] = {}
        for part in (part for said in self.texts for part in _SENTENCES.split(said)):
            for mark in CITED.findall(part):
                borne.setdefault(mark, set()).update(self._named(part))
        return [
            f"[{marks[0]}]"
            for part in _SENTENCES.split(text)
            if (marks := CITED.findall(part))
            and self._named(part) - set[str]().union(*(borne.get(mark, set[str]()) for mark in marks))
        ]

    def _named(self, part: str) -> set[str]:
        """Name the numbers in a part of a text, marked or written out."""
        own = {_same(value): name for name, value in self.figures.items()}
        plain = CITED.sub(" ", PLACEHOLDER.sub(" ", part))
        written = {own[_same(figure)] for figure in FIGURE.findall(plain) if _same(figure) in own}
        return {name for name in PLACEHOLDER.findall(part) if name in self.figures} | written

    def _known_mark(self, found: re.Match[str]) -> str:
        return " " if found[1] in self.figures else found[0]


def _value(found: re.Match[str]) -> str:
    return found[0].partition("=")[2].removesuffix("}}") or found[0]


def _same(figure: str) -> str:
    """One number however its thousands are grouped; its sign, scale and per cent count."""
    text = unicodedata.normalize("NFKC", figure).replace("−", "-").replace(",", "").lower()
    text = "".join(text.split()).removeprefix("+")
    head = re.match(r"-?\d+\.\d+", text)
    return head[0].rstrip("0").rstrip(".") + text[head.end() :] if head else text


def _date_parts(figures: Iterable[str]) -> set[tuple[int, str]]:
    found: set[tuple[int, str]] = set()
    for figure in figures:
        for day in _DATE.finditer(figure):
            found |= {(int(day["y"]), "년"), (int(day["m"]), "월"), (int(day["d"]), "일")}
    return found


def _odd_number(char: str) -> bool:
    """三, Ⅷ, ¾, ٣: numbers that are no plain digits."""
    return not char.isascii() and unicodedata.numeric(char, None) is not None


def release_point(text: str) -> int:
    """Measure how much of an unfinished text can be judged: up to a space that no number, mark or stand-in goes across."""
    for at in range(len(text) - 1, max(0, len(text) - _LOOK_BACK), -1):
        if text[at].isspace() and not _goes_on(text[max(0, at - _TAIL) : at]):
            return at + 1
    return 0


_NUMERAL_END = frozenset("일이삼사오육칠팔구십백천만억조한두세네섯곱덟홉열무몇%+-−!]")


_TAIL, _LOOK_BACK = 80, 400
"""Characters: what may belong to one number or mark, and how far back a place to cut is looked for."""


def _goes_on(tail: str) -> bool:
    word = (tail.split() or [""])[-1]
    if any(char.isnumeric() for char in word) or word[-1:] in _NUMERAL_END:
        return True
    return tail.rfind("{{") > tail.rfind("}}") or tail.rfind("[") > tail.rfind("]")
