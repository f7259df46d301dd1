"""Reads statements: sentences, clauses, negation, quotation. Decides whether a phrase says that something happened.

In Korean a negation follows what it negates and two of them cancel out ("위반이 아니라고 할 수 없다" admits a breach); in English
it may stand on either side of the phrase in its clause.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from typing import Any, Generic, Literal, TypeVar

from metaagent.level2.compliance.text.assertions import (
    forbidden_items,
    given_up,
    heard_of_others,
    is_an_example,
    is_labelled,
    taught_items,
    tells_a_deed,
    unasserted,
)
from metaagent.level2.compliance.text.own_circle import strays, within_our_circle
from metaagent.level2.compliance.text.parties import (
    alone,
    among_ourselves,
    is_private,
    offered_to_us_and_refused,
    own_costs,
    private_matters,
)
from metaagent.level2.compliance.text.quick import KEPT
from metaagent.level2.compliance.text.vocabulary import ASKED, BENEFIT, BENEFIT_EN, OTHERS, OURSELVES, TOPIC

LONGEST_SENTENCE = 1_000
"""Characters that are read as one sentence: text without any end is cut, so that no text costs more than its length."""
_UNSEEN = dict.fromkeys([0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x00AD, 0x180E])
_WIDE = {**{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}, 0x3000: 0x20, 0x00A0: 0x20}
_PLAIN = {**_WIDE, **_UNSEEN}
_ODD = re.compile(f"[{''.join(re.escape(chr(code)) for code in sorted(_PLAIN))}]")
_END = re.compile(
    r"\n+|(?<!\d)(?<!\bDr)(?<!\bProf)(?<!\bMr)(?<!\bMs)(?<!\bNo)[.!?。]+(?=\s|$)|[!?]+(?=\s|$)|"
    r"(?<=[가-힣])\.(?=[가-힣A-Z\d])|(?<=[a-z]{2})(?<!Dr)(?<!Mr)(?<!Ms)(?<!St)(?<!No)(?<!Prof)\.(?=[A-Z][a-z]|I\b|\d)|"
    r"(?<=\d)\.(?=\s+[A-Z][a-z])|(?<=\d\d)\.(?=\s+[가-힣])"
)
_SIGN = re.compile(r"[\n.!?。]")
"""The signs that an end of a sentence begins with."""
_WE_ACT = re.compile(
    r"\b(?:and|so|then|but) (?:I|we|our \w+)\b(?! (?:\w+ )?(?:declined|refused|told|said|explained|did not|could not))"
)
_HANGUL_WORD = re.compile(r"[가-힣]+")
_LITTLE_EN = re.compile(
    r"\b(?:the|a|an|of|to|was|were|is|are|be|and|or|for|with|on|at|in|by|from|that|it|I|we|he|she|they|no|not|will|has|had|"
    r"have)\b",
    re.IGNORECASE,
)
"""Words of which every English sentence has some."""
_LITTLE_WORDS = 3
_LATIN = re.compile("[A-Za-z]")
_CLAUSE_KO = re.compile(r"(?:(?<![다라냐자])고|[으하이되]며|지만|으나|[는은인]데|거나)[\s,]+|[,;·]\s")
_CLAUSE_EN = re.compile(
    r";\s+(?=\w)|,\s+(?=(?:and|but|so|yet|which|who|where|while|although|though|even|because|when|after|before|if|then|however|"
    r"we|I|he|she|they|it|the|this|that|these|our|my|his|her|there|nothing|no|just|only|do|please|so|"
    r"merely|\d)\b)|\b(?:but|however|although|and then)\b",
    re.IGNORECASE,
)
NOT_KO = re.compile(
    r"(?<!포함되지\s)(?<!포함하지\s)않|아니(?!라\s?하|라\s\S*\d)|아님|아닌|아닙|"
    r"(?<!다름)(?<!틀림)(?<!어김)(?<!변함)(?<!빠짐)(?<!끊임)(?<!아낌)(?<!거리낌)없(?!이[\s,])|"
    r"^\S{0,3}\s?(?:제공|지급|접대|지원|준비)?\s?없이|(?<!거절하기\s)(?<!사양하기\s)어렵(?:다|습|겠|고|지만|거든)|"
    r"곤란(?:하다|합|함|하고|하여|해)|힘들(?:다|겠|고|지만)|못\s?[하했한할]|금지|거절|거부|사양|반려|"
    r"[보하]기\s?어렵|불가|말아|말라|말고|말자|마라|말\s?것|삼가|지양|자제|피[합한하해](?=[니다야고며도\s])|금[합한](?=니다|"
    r"다)|안\s?[된됨됩돼되]|미\s?(?:실시|발생)|"
    r"(?<=\s)안\s(?=[가-힣])"
)
NOTHING_WAS = re.compile(
    r"\b(?:nothing|none of (?:it|this|that))\s(?:was|were|is|has been|had been)\s(?:ever |yet )?$",
    re.IGNORECASE,
)
"""The subject before a verb says that it was not done, whatever a clause before it denies."""
NOT_EN = re.compile(
    r"\b(?:(?<!vat )(?<!vat is )(?<!vat was )(?<!tax )(?<!tax is )not|no|never|without(?! (?:exception|fail|delay|doubt|"
    r"VAT|tax|hesitation|question)\b)|"
    r"none|neither|nor|cannot|declined|refused|(?<!\w)stopped(?! (?:at|by|in|for|over|off|to)\b)|ceased|"
    r"prohibited|forbidden|refrain\w*|avoid\w*|nobody|nothing)\b|n't\b",
    re.IGNORECASE,
)
_TWICE_EN = re.compile(
    r"\b(?:do(?:es)?|did|can|could|will|would|may|must|shall)(?:\s?not|n't)(?:,|\s)\s?(?:and|or|nor)\s(?=(?:cannot|"
    r"never|(?:do(?:es)?|did|"
    r"can|could|will|would|may|must|shall)(?:\s?not|n't))\b)|\bneither\b(?=[^.;]*\bnor\b)",
    re.IGNORECASE,
)
"""One denial in two words: do not and cannot; neither and nor."""


def denials_en(text: str) -> int:
    """Count the negations of an English clause; two that are joined deny once."""
    return len(NOT_EN.findall(_TWICE_EN.sub("", text)))


_PREFIX_NOT = ("미", "비", "불", "non-", "un")
_REQUEST = re.compile(r"요구|요청|제안|부탁")
_ASKED_OF_US = re.compile(
    r"\S{0,4}\s?(?:\S+\s){0,2}?\S{0,6}달라(?:[셨시십]|(?:고|는|며|면서)\s?(?:\S+\s)?"
    r"(?:하[셨시심십]|말씀|조르|그러|(?:부탁|요청|요구|제안)(?:하[셨시]|을\s?(?:받|하[셨시])|이\s?(?:있|들어))))"
)
_GRANTED = re.compile(
    r"드[렸림립린리]|줬|주었|주기로|보냈|보내기로|건넸|전달[했함]|챙겼|결국|마지못해|[했었]기에|하기로"
)
"""The other side asks for it, and it is given."""
_OFFERED = re.compile(
    r"\S{0,3}\s?(?:\S+\s){0,3}?\S{0,6}?(?:(?:[시하주드리]겠다|준다|주신다|하자|가자|드린다|주시려|주려)(?:고|며|는|길래|"
    r"기에)|(?:주|주시)려(?:고)?\s?하[셨시])"
)
_TURNED_DOWN = re.compile(
    r"사양|거절|고사|마다(?=했|하)|받지\s?(?:않|못)|(?:받|볼|들을|가져갈|받아\s?볼)\S?\s?수\s?없|보지\s?않|응하지\s?않|"
    r"돌려\s?(?:드|보)|안\s?[받된됩]"
)
_TAKEN = re.compile(r"결국|받아\s?(?:왔|두|뒀|옴)|받았|찍어|찍었|가져왔|챙겨\s?왔|적어\s?왔|옮겨\s?적")
"""Somebody offers, and it is turned down and not taken after all."""
_SAYS_NO = re.compile(r"\s?여부\s?[:：]\s?(?:[Nn]\b|[Xx]\b)")
GENERAL_KO = re.compile(
    r"^(?:하|되|드리)?(?:는|면)\s?(?:행위|것은|것이|경우|일은|자는)|^(?:할|될|드릴)\s?수\s?있|^해야|^하여야|^하지\s?(?:말|"
    r"못하도록)"
)
"""Words after a verb where it speaks of such acts in general."""
_WHETHER = re.compile(r"^\S{0,6}\s?여부(?!\s?[:：])")
_HYPOTHETICAL = re.compile(
    r"(?:않|아니하|못하|없)(?:으면|면|을\s?(?:경우|시|때)|는\s?(?:경우|때)|도록)|\bif\b|\bunless\b|\bwhoever\b",
    re.IGNORECASE,
)
_REPORTED_QUESTION = re.compile(
    r"(?:느냐|냐|는지|을지|줄지|할지)고?\s?(?:도\s)?(?:물|여쭤|여쭈|문의|질문|묻)"
)
"""Somebody is said to have asked whether it could be done."""
LONGEST_QUESTION = 40
_SUPPOSED = re.compile(
    r"(?<=[하사주면으라])면\s$|\bwould (?:be |have been )?(?:also )?$|"
    r"\b(?:if|when|whenever) (?:somebody|anybody|someone|anyone|an? (?:rep|doctor|company|colleague|physician))\s(?:\w+\s){0,3}$",
    re.IGNORECASE,
)
"""Words right before a phrase that is only supposed."""


_DROPPED = re.compile(
    r"(?:취소|철회|백지화)(?:하|했|함|되|됐|드)|\b(?:was|were|been) (?:cancell?ed|dropped|withdrawn)\b"
)
"""Words by which a plan is said to be given up."""


def cleaned(text: str) -> str:
    """The text as it is judged: composed, without invisible characters, wide signs made narrow. Spans count in it."""
    composed = unicodedata.normalize("NFC", text)
    return composed.translate(_PLAIN) if _ODD.search(composed) else composed


Read = TypeVar("Read")


class _Kept(Generic[Read]):
    """A property of a sentence that is read once, however often the same words stand around the same words."""

    def __init__(self, read: Callable[[Sentence], Read]) -> None:
        self._read = read
        self._name = read.__name__
        self.__doc__ = read.__doc__

    def __get__(self, sentence: Sentence, _: type[Sentence] | None = None) -> Read:
        if self._name not in sentence.known:
            sentence.known[self._name] = self._read(sentence)
        value = sentence.__dict__[self._name] = sentence.known[self._name]
        return value


@lru_cache(KEPT)
def _known(text: str, following: str, before: str, flags: tuple[bool, ...]) -> dict[str, Any]:
    return {}


@dataclass(frozen=True)
class Sentence:
    text: str
    start: int
    proposed: bool = False
    """A question is no statement, but one whether something may be done proposes to do it."""
    following: str = ""
    """The text of the next two sentences."""
    before: str = ""
    """The text of the sentence before it."""
    alone: bool = False
    """Its paragraph says that nobody but our own people was there, or names nobody else."""
    private: bool = False
    """Its paragraph tells of somebody's leave, and of nobody of the other side."""
    exercise: bool = False
    """Its text is an exercise or an invented case, or it is listed as forbidden."""

    @cached_property
    def known(self) -> dict[str, Any]:
        """All that was read of the sentence, wherever it stands."""
        return _known(
            self.text, self.following, self.before, (self.proposed, self.alone, self.private, self.exercise)
        )

    @_Kept
    def korean(self) -> bool:
        """It has Hangul, and is no English sentence with Korean names in it."""
        names = len(_HANGUL_WORD.findall(self.text))
        return names > 0 and self._little_words < max(_LITTLE_WORDS, names)

    @_Kept
    def english(self) -> bool:
        """It has no Hangul, or whole words of English beside it."""
        return not self.korean or self._little_words >= _LITTLE_WORDS

    @_Kept
    def _little_words(self) -> int:
        return len(_LITTLE_EN.findall(self.text)) if _LATIN.search(self.text) else 0

    @_Kept
    def ours(self) -> bool:
        """It speaks of our own people alone, or of what they were offered and did not take."""
        return (
            self.alone
            or (self.private and is_private(self.text))
            or among_ourselves(self.text, self.following)
            or offered_to_us_and_refused(self.text)
        )

    @_Kept
    def business(self) -> bool:
        """It notes a cost of the company's own business."""
        return own_costs(self.text, self.following, self.before)

    @_Kept
    def unasserted(self) -> list[tuple[int, int]]:
        told = given_up(self.text, self.following) or heard_of_others(self.text, self.before)
        if told and not self.proposed:
            return [(0, len(self.text))]
        return [] if self.proposed else unasserted(self.text, korean=self.korean)

    @_Kept
    def asks(self) -> bool:
        """It asserts nothing: a question, or a sentence of an exercise that tells no deed."""
        if self.proposed:
            return False
        if self.text.rstrip().endswith(("?", "까", "까.")) or is_labelled(self.text):
            return True
        return self.exercise and not tells_a_deed(self.text)

    def clause(self, start: int, end: int) -> tuple[int, int]:
        """The clause around a match, as positions in the sentence."""
        marks = [
            m
            for m in (_CLAUSE_KO if self.korean else _CLAUSE_EN).finditer(self.text)
            if not self._in_a_list(m)
        ]
        before = [m.end() for m in marks if m.end() <= start]
        after = [m.end() if self.korean else m.start() for m in marks if m.start() >= end - 1]
        return (before[-1] if before else 0), (after[0] if after else len(self.text))

    def _in_a_list(self, mark: re.Match[str]) -> bool:
        """A comma between two benefits divides a list, not clauses."""
        if mark.group()[0] not in ",·":
            return False
        benefit = BENEFIT if self.korean else BENEFIT_EN
        before = list(benefit.finditer(self.text, max(0, mark.start() - 12), mark.start()))
        return (
            bool(before)
            and before[-1].end() == mark.start()
            and benefit.match(self.text, mark.end()) is not None
        )


class _Paragraphs:
    """Stretches between empty lines, and which of them speak of our own people alone."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(m.end() for m in re.finditer(r"\n[ \t]*\n+", text))]
        parts = [text[a:b] for a, b in pairwise([*self._starts, len(text)])]
        self._alone = [alone(part) for part in parts]
        self._ours = [within_our_circle(part, before) for before, part in pairwise(["", *parts])]
        self._private = [private_matters(part) for part in parts]

    def alone_at(self, position: int, sentence: str) -> bool:
        at = self._number(position)
        return self._alone[at] or (self._ours[at] and not strays(sentence))

    def private_at(self, position: int) -> bool:
        return self._private[self._number(position)]

    def _number(self, position: int) -> int:
        return bisect_right(self._starts, position) - 1


class Encoded:
    """A text in bytes, as RE2 reads it, with the places of its sentences in them."""

    def __init__(self, text: str, letters: Sequence[int]) -> None:
        self.text = text.encode()
        self._letters = letters
        sizes = (len(text[a:b].encode()) for a, b in pairwise([0, *letters]))
        self.starts = list(accumulate(sizes))

    def number(self, place: int) -> int:
        """The number of the sentence that a place stands in."""
        return max(0, bisect_right(self.starts, place) - 1)

    def start(self, number: int) -> int:
        """The place where a sentence begins, which is the end of the one before it."""
        return self.starts[number] if number < len(self.starts) else len(self.text)

    def letter(self, place: int, at: int) -> int:
        """The place in the text itself of one in a sentence, given by its number."""
        if place < self.starts[at]:
            return len(self.text[:place].decode())
        return self._letters[at] + len(self.text[self.starts[at] : place].decode())


def _ends(text: str) -> Iterator[int]:
    """The ends of sentences, looked for only where a sign stands that may end one."""
    last = 0
    for sign in _SIGN.finditer(text):
        end = _END.match(text, sign.start()) if sign.start() >= last else None
        if end is not None:
            last = end.end()
            yield last


class Sentences:
    """The sentences of a text, found again by position."""

    def __init__(self, text: str, *, proposed: bool = False) -> None:
        self.text = text
        bounds = [0, *_ends(text), len(text)]
        bounds = [at for a, b in pairwise(bounds) for at in range(a, b, LONGEST_SENTENCE)] + [len(text)]
        spans = [(a, b) for a, b in pairwise(bounds) if text[a:b].strip()]
        ends = [spans[min(at + 2, len(spans) - 1)][1] for at in range(len(spans))]
        after = [text[b : min(last, b + LONGEST_SENTENCE)] for (_, b), last in zip(spans, ends, strict=True)]
        earlier = ["", *(text[a:b] for a, b in spans)]
        ours, exercise = _Paragraphs(text), is_an_example(text)
        told = [text[a:b] for a, b in spans]
        listed = forbidden_items(told) | taught_items(told)
        self.all = [
            Sentence(
                text[a:b],
                a,
                proposed,
                following,
                before,
                ours.alone_at(a, text[a:b]),
                ours.private_at(a),
                exercise or at in listed,
            )
            for at, ((a, b), following, before) in enumerate(zip(spans, after, earlier, strict=False))
        ]
        self._starts = [one.start for one in self.all]
        self.found: dict[object, dict[int, list[tuple[int, int]]]] = {}
        """The places of words that were looked up in it, by the start of their sentence."""

    def at(self, position: int) -> Sentence:
        return self.all[self.number(position)]

    def number(self, position: int) -> int:
        return max(0, bisect_right(self._starts, position) - 1)

    @cached_property
    def encoded(self) -> Encoded:
        return Encoded(self.text, self._starts)


Polarity = Literal["affirmed", "negated", "none"]


def polarity(sentence: Sentence, start: int, end: int, *, by_us: bool = False) -> Polarity:
    """Say whether the words from `start` to `end` of the sentence are stated, denied, or not stated at all.
    `by_us` says that they are known to be ours, whoever they are about."""
    text = sentence.text
    if sentence.asks or _WHETHER.match(text[end:]) or GENERAL_KO.match(text[end:]):
        return "none"
    if _REPORTED_QUESTION.search(text, end, end + LONGEST_QUESTION):
        return "none"
    if (
        (not by_us and by_others(text, start))
        or _SUPPOSED.search(text[:start])
        or _only_asked(sentence, start, end)
    ):
        return "none"
    if NOTHING_WAS.search(text, 0, start):
        return "negated"
    if sentence.korean and _ASKED_OF_US.match(text, end) and not _GRANTED.search(text, end):
        return "none"
    first, last = sentence.clause(start, end)
    if _DROPPED.search(text, end, last):
        return "none"
    if sentence.korean:
        # A request is denied by the refusal that follows it, in whichever clause that stands.
        if _OFFERED.match(text, end) and _TURNED_DOWN.search(text, end):
            return "negated" if _TAKEN.search(text, end) is None else "affirmed"
        asked = _REQUEST.search(text[end:last]) is not None
        refusals = len(NOT_KO.findall(text[end:])) if asked else 0
        count = min(refusals, 1) if asked else len(NOT_KO.findall(text[end:last]))
        count += _SAYS_NO.match(text[end:]) is not None
    else:
        count = denials_en(text[first:start]) + denials_en(text[end:last])
    count += text[:start].endswith(_PREFIX_NOT)
    if count % 2 and _HYPOTHETICAL.search(text[first:last]):
        return "none"
    return "negated" if count % 2 else "affirmed"


def _only_asked(sentence: Sentence, start: int, end: int) -> bool:
    """Say whether a benefit is only the topic of a talk, or what the other side asks for."""
    text = sentence.text
    if BENEFIT.match(text, start, end) is None:
        return False
    if TOPIC.match(text[end:]):
        return True
    asked = None if sentence.korean else ASKED.search(text, 0, start)
    return (
        asked is not None
        and OURSELVES.search(text[: asked.start()]) is None
        and _WE_ACT.search(text, end) is None
    )


def by_others(text: str, until: int) -> bool:
    """Say whether somebody else is the last subject that is named before a place."""
    others = [m.end() for m in OTHERS.finditer(text) if m.start() < until]
    return bool(others) and OURSELVES.search(text[others[-1] : until]) is None


def only_spoken_of(sentence: Sentence, start: int, end: int) -> bool:
    """Say whether the words stand in a stretch that the sentence does not assert: a quoted rule, a reported question."""
    return any(first <= start and end <= last for first, last in sentence.unasserted)
