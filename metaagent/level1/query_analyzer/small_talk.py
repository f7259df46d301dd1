"""Greetings, thanks and calls for help: answered, not analysed."""

from __future__ import annotations

from metaagent.errors import Text
from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.grammar import lexicon_en, lexicon_ko

_FILLER = (
    r"(?:[\s,.!?~^…♡ㅎㅋㅠㅜ]|네|예|아|음|혹시|급한데|오케이|좋아요?|정말|진짜|너무|넌|너는|너|저기요?"
    r"|please|oh|um|great|ok(?:ay)?|so|well)*"
)
_WORDS = (
    ("help", lexicon_ko.HELP, lexicon_en.HELP),
    ("thanks", lexicon_ko.THANKS, lexicon_en.THANKS),
    ("greeting", lexicon_ko.GREETING, lexicon_en.GREETING),
)
_KINDS = {kind: regex(rf"{_FILLER}(?:(?:{ko}|{en}){_FILLER}){{1,3}}") for kind, ko, en in _WORDS}
_BEGINS = {kind: regex(rf"{_FILLER}(?:{ko}|(?:{en})(?![a-z]))") for kind, ko, en in _WORDS[1:]}
_ENDS = {kind: regex(rf"(?:{ko}|(?<![a-z])(?:{en})){_FILLER}\Z") for kind, ko, en in _WORDS[1:]}
_ASKS_HELP = regex(rf"(?:{lexicon_ko.HELP}|(?<![a-z])(?:{lexicon_en.HELP})){_FILLER}\Z")
POLITE = frozenset({"부탁"})
"""Words that ask for something elsewhere, and for nothing inside a greeting: 잘 부탁드립니다."""
MOST_WORDS = 9
MOST_WORDS_OF_HELP = 16

REPLIES = {
    "greeting": Text(en="Hello.", ko="안녕하세요."),
    "thanks": Text(en="You are welcome.", ko="도움이 되었다니 다행입니다."),
    "help": Text(en="Ask in your own words.", ko="편하게 물어보세요."),
}


def kind(text: str) -> str | None:
    """`greeting`, `thanks` or `help` where the whole text is nothing else."""
    return next((name for name, pattern in _KINDS.items() if pattern.fullmatch(text.strip())), None)


def opening(text: str) -> str | None:
    """`greeting` or `thanks` where a short text begins or ends with it and asks nothing beside it."""
    said = text.strip()
    if len(said.split()) <= MOST_WORDS_OF_HELP and _ASKS_HELP.search(said):
        return "help"
    if "?" in said or len(said.split()) > MOST_WORDS:
        return None
    found = [name for name, pattern in _BEGINS.items() if pattern.match(said)]
    found += [name for name, pattern in _ENDS.items() if pattern.search(said)]
    return found[0] if found else None
