"""Clauses of a request, and what they deny, promise or ask for. Pure.

A clause ends with a sentence, a line or a comma, and in Korean with the ending of a verb that another follows (설명했고, 만나서).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

Range = tuple[int, int]
_HARD = re.compile(
    r"[;\n]+|(?<=\s)(?:[/|→]|->)(?=\s)|(?<!\bQ)(?<!Dr)(?<!Prof)(?<!Mr)(?<!Ms)(?<!St)(?<!\bNo)[.!?]+(?=\s|$)"
)
"""The end of a sentence, of a line, or of an item in notes that are written with strokes."""
_SOFT = re.compile(
    r",(?!\d)(?!\s(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?\s\d)\s*|\s?그리고\s|\s(?:and|then|but)\s(?=(?:I|we|he|she|they|then|will)\s|I'll\s|[a-z]+ed\s|left\s|gave\s|met\s)"
)
_LINK_END = re.compile(r"\s(?:and|then|but|그리고)$")
_LINKS = re.compile(r"(?:고|으며|며|는데|지만|으나|으니|으니까|더니)(?=[\s,])")
"""Endings that link a verb to the next; only behind the stem of a verb."""
_VERB_LINKS = re.compile(
    r"(?:(?<!님)(?<!\d명)(?<!\d분)(?<!들)(?<!의원)(?<!병원)하고|드리고|이고|되고|받고|두고(?!\s?(?:왔|오|옴|온))|주고|시고|초청해|초청하여|나누고|뵙고|뵈고|만나고|가고|오고|하며|이며|면서|(?<!대)(?<!관)(?<!위)(?<!통)(?<!인)하여|(?<!대)(?<!관)(?<!관련)(?<!통)(?<!위)해서|하셔서|으셔서|보셔서|주셔서|만나서|만나|뵈어|뵈러"
    r"|찾아가서|찾아가|들러서|들러|가서|와서"
    r"|이라서|이라|여서|어서|아서|니까)(?=[\s,])"
)
_BULLET = re.compile(r"^[ \t]*(?:[-*•·▪◦○□■▷▶]|\d{1,2}[.)](?!\d)|[①-⑳])[ \t]*", re.MULTILINE)
_DENIED = re.compile(
    r"(?<![가-힣])(?:안|못)(?:\s[가-힣]|했|갔|왔|줬|드렸|드림|만났|만남|봤|뵀|뵙|받|됐|계)|지\s?(?:않|못|는\s?않|는\s?못)|없었|없어|없이|없음|없고|부재|자리를?\s?비우|휴진|휴무|거절"
    r"|\b(?:did not|didn't|could not|couldn't|was not|wasn't|were not|has not|had no|no|not|nobody"
    r"|without|absent|away|unavailable|out of office)\b",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"기로\s?(?:했|함|하|약속|합의)?|(?:예정|계획)(?=[이임입인]|으로|\s?$|[,.)])|[가-힣]야\s?(?:함|해|합|할|됨|돼|하겠)|드리겠|하겠|보내겠|필요함"
    r"|려고\s?(?:합|해|함|하)|[린낸준간한]다고\s?(?:했|함|말씀|약속)|(?:할|릴|낼|갈|줄)게"
    r"|\b(?:promised|agreed|plan|planning|need|have|going)\s(?:to|on)\b|\bpromised\b|\b(?:I|we)\s(?:still\s)?(?:will|owe)\b|^(?:and\s)?will\b|\b(?:I|we)'ll\b"
    r"|\b(?:I|we)'d (?=send|bring|drop|email|mail|share|prepare|check|get|provide|forward)|\bexpects?\b.*\bfrom (?:me|us)$"
    r"|\bto (?:send|follow up|prepare|check|share|arrange|bring|provide)\b",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"작성|만들|써\s?(?:줘|주|라|달|야\s?(?:돼|해|함|합))|적어\s?(?:줘|주)|채워|바꿔\s?(?:줘|주|달|라|놔)|정리\s?(?:해|부탁|좀)|부탁|올려\s?(?:줘|주)|남겨|뽑아|해\s?(?:줘|주세요)"
    r"|\b(?:write|draft|make|prepare|create|fill in|please|turn (?:it|this)|put (?:it|this)|put together|log)\b"
    r"|\b(?:need|want|like|have|get|do)\b.{0,30}\b(?:report|request|proposal|claim|write-?up|form)s?\b"
    r"|\b(?:report|request|proposal|claim) format\b",
    re.IGNORECASE,
)
UNDECIDED = re.compile(
    r"(?:아직\s?)?(?:미정|미확정|추후|나중에|모름|몰라|정해지지|정하지|결정되지|결정\s?안|없)"
    r"|(?:still\s|not\s)?(?:TBD|TBC|undecided|to be|yet)\b",
    re.IGNORECASE,
)
"""A thing that has no value yet."""
_PROMISED = re.compile(r"기로|예정|\b(?:I|we)(?:'ll|\swill)\b|\b(?:promised|agreed)\b", re.IGNORECASE)
"""Words by which a person takes a thing upon themself, whatever it is that is to be made."""
_COURTESY = re.compile(
    r"안녕|바랍니다|^(?:[가-힣\d]+(?:팀|부|과|지점|본부|실)\s|저는\s)*[가-힣]{2,4}입니다$|감사|고마|수고|부탁|입니다만|미안|죄송|넵|네(?=[,.\s]|$)"
    r"|\b(?:hi|hello|dear|thanks|thank you|regards|best|please)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Clause:
    """A stretch of a request that says one thing."""

    start: int
    end: int
    text: str

    @property
    def denied(self) -> bool:
        return _DENIED.search(self.text) is not None

    @property
    def planned(self) -> bool:
        return _PLANNED.search(self.text) is not None

    @property
    def undecided(self) -> bool:
        return UNDECIDED.search(self.text) is not None

    @property
    def asks(self) -> bool:
        return _REQUEST.search(self.text) is not None and _PROMISED.search(self.text) is None

    @property
    def courteous(self) -> bool:
        return _COURTESY.search(self.text) is not None


def clauses_of(text: str, cuts: Iterable[int] = ()) -> list[Clause]:
    """The clauses in their order, cut at these places too; the mark of a list item is no part of one."""
    ends = sorted({0, *_ends(text), *cuts, len(text)})
    found: list[Clause] = []
    for start, end in pairwise(ends):
        piece = text[start:end]
        left = len(piece) - len(piece.lstrip(" \t\n,.;/|→"))
        if bullet := _BULLET.match(piece[left:]):
            left += bullet.end()
        words = _LINK_END.sub("", piece[left:].rstrip(" \t\n,.;!?/|→"))
        if words:
            found.append(Clause(start + left, start + left + len(words), words))
    return found


def sentence_end(text: str, start: int) -> int:
    """The end of the sentence or line in which a place stands."""
    found = _HARD.search(text, start)
    return found.start() if found else len(text)


def line_end(text: str, start: int) -> int:
    found = text.find("\n", start)
    return found if found >= 0 else len(text)


def at_line_start(text: str, place: int) -> bool:
    """Say whether nothing but the mark of a list item stands before a place in its line."""
    start = text.rfind("\n", 0, place) + 1
    return _BULLET.sub("", text[start:place]).strip() == ""


def clause_at(text: str, place: int) -> Clause:
    """The clause in which a place stands."""
    found = [each for each in clauses_of(text) if each.start <= place < each.end]
    return found[0] if found else Clause(0, len(text), text)


def _ends(text: str) -> Iterator[int]:
    for pattern in (_HARD, _SOFT, _VERB_LINKS):
        yield from (match.end() for match in pattern.finditer(text))
    for match in _LINKS.finditer(text):
        before = text[match.start() - 1 : match.start()]
        if before and has_past(before):
            yield match.end()


def has_past(syllable: str) -> bool:
    """Say whether a syllable closes with ㅆ, the mark of the past: 했, 갔, 렸."""
    code = ord(syllable) - 0xAC00
    return 0 <= code < 11172 and code % 28 == 20
