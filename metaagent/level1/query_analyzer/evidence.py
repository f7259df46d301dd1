"""Finds the words of intents in a question."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from metaagent.language.patterns import compiled, regex
from metaagent.level1.query_analyzer.domain import Domain
from metaagent.level1.query_analyzer.requests.change_values import new_values
from metaagent.level1.query_analyzer.words import agent_words
from metaagent.level1.query_analyzer.words.source import Source, key_of

_HANGUL = regex(r"[가-힣]{2}")
_GAP = r"[^.?!]{0,40}?"
_LASTS = regex(
    r"(?:며칠|얼마나|오래|시간|기간|몇\s?(?:일|시간|분|달|개월|주|년))(?:이나|이|은|씩|정도|쯤)?\s?(?=걸)"
)
"""Words before 걸리다 by which it takes time, and is not caught by a rule."""
_TAKES = frozenset({"store", "compliance"})
"""Intents that words in the new value of a change do not ask for."""


@dataclass(frozen=True)
class Evidence:
    intent: str
    start: int
    end: int
    word: str
    kind: str
    """word, weak, quoted or object; act: a clause that does nothing but order it"""


@dataclass(frozen=True, eq=False)
class _Words:
    hangul: tuple[tuple[str, str, str], ...]
    latin: tuple[tuple[str, str, str, str], ...]
    gapped: tuple[tuple[re.Pattern[str], str, str], ...]


@lru_cache(maxsize=32)
def _compiled(domain: Domain) -> _Words:
    hangul: list[tuple[str, str, str]] = []
    latin: list[tuple[str, str, str, str]] = []
    gapped: list[tuple[re.Pattern[str], str, str]] = []
    for intent in domain.intents:
        kinds = {"word": intent.words, "weak": intent.weak, "quoted": intent.quoted, "object": intent.object}
        for kind, words in kinds.items():
            for word in map(str.lower, words):
                if "~" in word:
                    parts = [re.escape(part.strip()).replace(r"\ ", r"\s?") for part in word.split("~")]
                    gapped.append((compiled(_GAP.join(parts)), intent.name, kind))
                elif word.isascii():
                    latin.append(
                        (
                            word.split()[0][: max(3, len(word.split()[0]) - 1)],
                            word,
                            intent.name,
                            kind,
                        )
                    )
                else:
                    hangul.append((key_of(word), intent.name, kind))
    return _Words(tuple(hangul), tuple(latin), tuple(gapped))


def find(source: Source, domain: Domain) -> list[Evidence]:
    words = _compiled(domain)
    compact, places = source.compact
    text = source.text
    begins = {start for start, _ in source.words}
    found: list[Evidence] = []
    lasting = {one.end() for one in _LASTS.finditer(text)}
    for word, intent, kind in words.hangul:
        at = compact.find(word)
        while at >= 0:
            start, end = places[at], places[at + len(word) - 1] + 1
            head = (
                start - 2 >= 0
                and not text[start - 2 : start].isspace()
                and _HANGUL.fullmatch(text, start - 2, start)
            )
            across = " " in text[start:end]
            whole = (len(word) > 1 and head and not across) or start in begins or text[start - 1] == " "
            if whole and start not in lasting:
                found.append(Evidence(intent, start, end, word, kind))
            at = compact.find(word, at + 1)
    for hint, word, intent, kind in words.latin:
        if hint in text:
            matches = agent_words.latin(word).finditer(text)
            found.extend(Evidence(intent, m.start(), m.end(), m[0], kind) for m in matches)
    for known in domain.intents:
        for word in known.declared:
            spans = agent_words.places(word.lower(), text)
            found.extend(Evidence(known.name, start, end, word.lower(), "word") for start, end in spans)
    for pattern, intent, kind in words.gapped:
        found.extend(Evidence(intent, m.start(), m.end(), m[0], kind) for m in pattern.finditer(text))
    values = new_values(text) if any(each.intent in _TAKES for each in found) else []
    return [
        each
        for each in found
        if each.intent not in _TAKES or not any(a <= each.start and each.end <= b for a, b in values)
    ]
