"""Text from outside: tricks that the eye does not see are taken out, and each sink gets its own escaping."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaagent.language.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_ZERO_WIDTH = "\u200b-\u200d\u2060\ufeff"
_INVISIBLE = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2061-\u2065\u206a-\u206f\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_CONTROL = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff"
_SUSPECT = regex(f"[{_BIDI}{_ZERO_WIDTH}{_INVISIBLE}{_CONTROL}]")
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


def defang(text: str) -> str:
    """Remove invisible, bidirectional and control characters. Emoji and joining scripts stay whole."""
    pieces: list[str] = []
    at = 0
    for start in _hidden(text):
        pieces.append(text[at:start])
        at = start + 1
    return "".join((*pieces, text[at:])) if at else text


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
