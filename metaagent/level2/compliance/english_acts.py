"""Finds the acts of an English sentence that may give somebody something and name nothing harmless.

A verb that hands over, pays or serves is harmless where everything that it is done with informs; another verb after "I" or "we"
is harmless where it is one of ordinary work.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from metaagent.level2.compliance.harmless import ACTS_EN, HANDS_OVER_EN, NEUTRAL_EN, PEOPLE_EN, THINGS_EN
from metaagent.level2.compliance.vocabulary import OWN_POCKET

_CLAUSE = re.compile(
    r"[,;:]\s|\b(?:but|however|although|though|while|because|so that|and then|if|once|when|as long as|which|who|"
    r"and (?=(?:I|we|he|she|they)\b))\b|\s[–—-]\s",
    re.IGNORECASE,
)
_PART = re.compile(r",\s?|\band\b|\bplus\b|\balong with\b|\btogether with\b|\bas well as\b|\+", re.IGNORECASE)
_OURS = re.compile(
    r"\b(?:I|[Ww]e|(?:[Tt]he|[Oo]ur|[Mm]y) (?:rep|team|company|manager|office|colleague|agency)|[Mm]arketing)\s+"
    r"(?:(?:also|then|only|just|later|simply|kindly|quickly|personally|have|had|has|will|would|'ll|did|do|can|could|should|may|"
    r"might|be|been|to|not|never|still|already|always|both|all|finally|gladly|quietly|discreetly)\s+)*(?P<verb>[a-z'-]+)"
)
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
_THEIRS = re.compile(
    r"\b(?:[Hh]e|[Ss]he|[Tt]hey|[Tt]he (?:doctor|professor|director|nurse|pharmacist|physician|hospital|clinic|patient|"
    r"speaker)|"
    r"Dr\.? [A-Z]\w+|Prof\.? [A-Z]\w+|patients?)\s+(?:also |then |kindly |already |has |had |will |would )*$"
)
_PASSIVE = re.compile(r"\b(?:was|were|been|is|are|be|being)\s+(?:also |then |already |not )*$", re.IGNORECASE)
_THEY_WISH = re.compile(
    r"\b(?:[Hh]e|[Ss]he|[Tt]hey|[Tt]he \w+|Dr\.? [A-Z]\w+|Prof\.? [A-Z]\w+)\s(?:\w+\s)?(?:hint\w*|would like|wants?|"
    r"wanted|wish\w*|asked|"
    r"requested|suggested|proposed|mentioned|likes?|loves?|enjoys?|told|said|talked)\b"
)
_SAID_OF_PAPER = re.compile(rf"(?:{THINGS_EN.pattern})\s$", re.IGNORECASE)
"""A thing that informs stands right before its participle: report received."""
_WITHIN_US = re.compile(
    r"\s(?:it|that|this|them|the \w+|his \w+|her \w+)?\s?(?:on|along|over)?\s?to (?:our |the |my )?(?:medical|compliance|"
    r"safety|head office|"
    r"manager|finance|logistics|pharmacovigilance|marketing|team|colleagues?|quality|regulatory|legal)\b",
    re.IGNORECASE,
)
_DENIES_ITSELF = re.compile(
    r"\s*(?:no|nothing|none)\b(?! less| fewer)(?!.*\b(?:but|except|than|besides|apart|save|only)\b)",
    re.IGNORECASE,
)
"""A part of a list that says that there was no more: a leaflet and no other items."""
_TO_US = re.compile(r"\s+(?:me|us)\b")
_TAKES = re.compile(r"^(?:receiv|enjoy|accept|went home|walked away|ate|drank|dined|play|got)", re.IGNORECASE)


Span = tuple[int, int]


def english_acts(text: str, facts: Sequence[Span] = ()) -> Iterator[tuple[int, int, int]]:
    """Acts that neither a harmless thing nor a fact explains: where the verb begins and ends, and the end of its clause."""
    for m in HANDS_OVER_EN.finditer(text):
        if not act_is_harmless(text, m.start(), m.end(), facts):
            yield m.start(), m.end(), max(m.end(), _clause_end(text, m.end()))
    for m in _OURS.finditer(text):
        verb, end = m["verb"].lower(), _clause_end(text, m.end())
        strange = verb not in ACTS_EN and verb not in NEUTRAL_EN and not verb.endswith("ly")
        rest = text[m.end() : end]
        if (
            strange
            and PEOPLE_EN.search(rest)
            and not THINGS_EN.search(rest)
            and not _within(facts, m.end(), end)
        ):
            yield m.start("verb"), m.end("verb"), end


def act_is_harmless(text: str, start: int, end: int, facts: Sequence[Span] = ()) -> bool:
    """Say whether the other side does it and has nothing from it, or all that it is done with informs or is a fact."""
    if _THEIRS.search(text[:start]) and not _TAKES.match(text[start:end]):
        return True
    if _THEY_WISH.search(text[_clause_start(text, start) : start]):
        return True
    if HANDS_OVER_EN.fullmatch(text, start, end) is None:
        return False
    done = text[start:end].lower().endswith(("ed", "sent", "given", "left"))
    if (done and _SAID_OF_PAPER.search(text[:start])) or _WITHIN_US.match(text[end:]):
        return True
    if _TO_US.match(text[end:]) or OWN_POCKET.search(text, end, _clause_end(text, end)):
        return True
    first = _clause_start(text, start)
    if _PASSIVE.search(text[first:start]) and _informs(text, first, start, facts):
        return True
    return _informs(text, end, _clause_end(text, end), facts)


def _within(facts: Sequence[Span], start: int, end: int) -> bool:
    return any(start <= a < end for a, _ in facts)


def _informs(text: str, start: int, end: int, facts: Sequence[Span]) -> bool:
    """Say whether each part of a list names something that informs or is a fact, and at least one does."""
    bounds = [start, *(at for m in _PART.finditer(text, start, end) for at in m.span()), end]
    parts = [(a, b) for a, b in zip(bounds[::2], bounds[1::2], strict=True) if text[a:b].strip()]
    named = [THINGS_EN.search(text[a:b]) is not None or _within(facts, a, b) for a, b in parts]
    return any(named) and all(
        known or _DENIES_ITSELF.match(text[a:b]) or not _strange(text[a:b])
        for (a, b), known in zip(parts, named, strict=True)
    )


def _strange(part: str) -> bool:
    """Say whether words remain that are neither names nor ordinary."""
    return any(
        word.lower() not in NEUTRAL_EN and word.lower() not in ACTS_EN and not word[0].isupper()
        for word in _WORD.findall(part)
    )


def _clause_end(text: str, start: int) -> int:
    found = _CLAUSE.search(text, start)
    return found.start() if found else len(text.rstrip())


def _clause_start(text: str, end: int) -> int:
    return max((m.end() for m in _CLAUSE.finditer(text, 0, end)), default=0)
