"""Text from outside: tricks that the eye does not see are flagged, and each sink gets its own escaping."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from metaagent.language.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind = Literal["zero_width", "bidi", "invisible", "control", "homoglyph"]


@dataclass(frozen=True)
class Flag:
    kind: Kind
    start: int
    end: int
    detail: str


_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_ZERO_WIDTH = "\u200b-\u200d\u2060\ufeff"
_INVISIBLE = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2061-\u2065\u206a-\u206f\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_CONTROL = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff"
_SUSPECT = regex(f"[{_BIDI}{_ZERO_WIDTH}{_INVISIBLE}{_CONTROL}]")
_IS_BIDI = regex(f"[{_BIDI}]")
_IS_ZERO_WIDTH = regex(f"[{_ZERO_WIDTH}]")
_IS_CONTROL = regex(f"[{_CONTROL}]")
_RTL = regex("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
# Scripts in which a joiner between letters is spelling: Arabic, Persian, the Indic ones, Khmer, Mongolian.
_JOINING = regex("[\u0600-\u08ff\u0900-\u0dff\u1780-\u17ff\u1800-\u18af]")
_EMOJI = regex("[\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff]")
_BEFORE_JOINER = regex("[\u203c-\u3299\ufe0f\U0001f000-\U0001faff]")
_FLAG_TAGS = regex("\U0001f3f4[\U000e0030-\U000e007a]{1,6}\U000e007f")

# Letters of other scripts that look like Latin ones. Greek letters that science writes beside Latin ones
# (TNFα, β2, μm, Δx) are not here.
LOOK_ALIKES = dict(
    zip(
        "аеорсухіјѕһԁԛԝɡьвнкмтгАВЕКМНОРСТУХІЈЅԌԚԜҮЗЬ" + "ονιρυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "օոսցհԼՏՕ" + "ᎪᏴᏟᎬᎻᎫᏦᏞᎷᏢᏚᎢᏙᏃ",
        "aeopcyxijshdqwgbbhkmtrABEKMHOPCTYXIJSGQWY3b" + "oviruABEZHIKMNOPTYX" + "onughLSO" + "ABCEHJKLMPSTVZ",
        strict=True,
    )
)  # fmt: skip
_LOOK_CLASS = "".join(LOOK_ALIKES)
_HAS_LOOK = regex(f"[{_LOOK_CLASS}\U0001d400-\U0001d7cb]")
_WORD = regex(r"[^\W\d_가-힣ㄱ-ㆎ一-龥ぁ-ヿ]+")
_LATIN = regex("[A-Za-z\u00c0-\u024f]")
_CYRILLIC_ONLY = regex(f"(?![{_LOOK_CLASS}])[\u0400-\u052f]")
_GREEK_ONLY = regex(f"(?![{_LOOK_CLASS}])[\u0370-\u03ff\u1f00-\u1fff]")
_STYLED = regex("[\U0001d400-\U0001d7cb]")


def inspect_text(text: str) -> list[Flag]:
    """Every trick in the order of the text; ordinary Korean, emoji and mixed languages have none."""
    flags = [*_runs(text), *_look_alikes(text)]
    return sorted(flags, key=lambda flag: flag.start)


def defang(text: str) -> str:
    """Remove invisible, bidirectional and control characters. Emoji and joining scripts stay whole."""
    pieces: list[str] = []
    at = 0
    for start in _hidden(text):
        pieces.append(text[at:start])
        at = start + 1
    return "".join((*pieces, text[at:])) if at else text


def _runs(text: str) -> Iterator[Flag]:
    """Neighbours of one kind are one flag, named after the first."""
    start = end = -1
    for at in _hidden(text):
        if at == end and _kind(text[at]) == _kind(text[start]):
            end += 1
            continue
        if start >= 0:
            yield _flag(text, start, end)
        start, end = at, at + 1
    if start >= 0:
        yield _flag(text, start, end)


def _flag(text: str, start: int, end: int) -> Flag:
    return Flag(
        _kind(text[start]), start, end, f"U+{ord(text[start]):04X} {unicodedata.name(text[start], 'CONTROL')}"
    )


def _hidden(text: str) -> Iterator[int]:
    if text.isascii() and text.isprintable():
        return
    right_to_left = _RTL.search(text) is not None
    flag_until = -1
    for found in _SUSPECT.finditer(text):
        at, char = found.start(), found[0]
        if char >= "\U000e0000" and at >= flag_until and (tag := _FLAG_TAGS.match(text, max(0, at - 1))):
            flag_until = tag.end()
        if at >= flag_until and not _is_ordinary(text, at, char, right_to_left):
            yield at


@lru_cache(maxsize=256)
def _kind(char: str) -> Kind:
    if _IS_BIDI.match(char):
        return "bidi"
    if _IS_ZERO_WIDTH.match(char):
        return "zero_width"
    return "control" if _IS_CONTROL.match(char) else "invisible"


def _is_ordinary(text: str, at: int, char: str, right_to_left: bool) -> bool:
    before, after = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    if char == "\u200d":
        emoji = bool(before and after and _BEFORE_JOINER.match(before) and _EMOJI.match(after))
        return emoji or bool(_JOINING.match(before) if before else False)
    if char == "\u200c":
        return bool(before and after and _JOINING.match(before) and _JOINING.match(after))
    if char in "\ufe0e\ufe0f":
        return bool(before) and (before in "0123456789#*" or _EMOJI.match(before) is not None)
    if char in "\u200e\u200f\u061c":
        return right_to_left
    # A byte order mark belongs at the very beginning and nowhere else.
    return char == "\ufeff" and at == 0


def _look_alikes(text: str) -> Iterator[Flag]:
    if text.isascii() or not _HAS_LOOK.search(text):
        return
    # A text with letters of its own really is Russian or Greek: its words that could be Latin are no tricks.
    foreign = _CYRILLIC_ONLY.search(text) is not None or _GREEK_ONLY.search(text) is not None
    for found in _WORD.finditer(text):
        word = found[0]
        alike = [char for char in word if char in LOOK_ALIKES]
        if (alike and _is_disguised(word, alike, foreign)) or len(_STYLED.findall(word)) >= 3:
            seen = "".join(LOOK_ALIKES.get(char, char) for char in unicodedata.normalize("NFKC", word))
            yield Flag("homoglyph", found.start(), found.end(), f"reads as {seen!r}")


def _is_disguised(word: str, alike: list[str], foreign: bool) -> bool:
    if _LATIN.search(word):
        return True
    return not foreign and len(word) >= 3 and len(alike) == len(word)


_TERMINAL = regex(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff{_BIDI}]")
_HTML = regex("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_NUMBER = regex(r"[+-]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)?(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?%?")
_FORMULA = "=+-@|\t\r\n＝＋－＠"


def for_terminal(text: str) -> str:
    """Control sequences shown, not obeyed: colours, cursor moves, titles, links, clipboard writes."""
    return _TERMINAL.sub(lambda found: _escaped(found[0]), text)


def _escaped(char: str) -> str:
    return f"\\x{ord(char):02x}" if ord(char) < 0x100 else f"\\u{ord(char):04x}"


def printable(text: str) -> str:
    """The text without the control characters that no page may hold; a template escapes the rest."""
    return _HTML.sub("\ufffd", text)


def for_csv(cell: str) -> str:
    """A cell that a spreadsheet would run as a formula becomes text. Numbers, also negative, stay."""
    if cell.lstrip(" \u00a0\u3000")[:1] not in _FORMULA or not cell.strip():
        return cell
    return cell if any(char.isdigit() for char in cell) and _NUMBER.fullmatch(cell) else "'" + cell
