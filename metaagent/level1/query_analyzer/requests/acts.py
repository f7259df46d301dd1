"""Acts on what was made: clauses that check it, store it, or decline that. Pure.

A request is cut into clauses. A clause all of whose words are known to speak of checking, storing or writing (`acts_en.py`,
`acts_ko.py`) is read here: whether it orders the act or declines it, and on which condition. The rest of the request is read
without it. A clause with any other word is left to the rest: "store it if sales fell" is decided by `orders.py`.
"""

from __future__ import annotations

from typing import NamedTuple

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.requests import acts_en, acts_ko
from metaagent.level1.query_analyzer.requests.act_kinds import CHECK, STORE, Clause, Mood, Span
from metaagent.level1.query_analyzer.requests.change_values import new_values
from metaagent.level1.query_analyzer.requests.quoting import quotations
from metaagent.level1.query_analyzer.words.source import Source

_SPEAKS = regex(
    r"저장|보관|보존|기록|자료실|아카이브|규정|내규|위반|컴플|준법|점검|검토|확인|보고서|파일은|서류|문서|한도|걸리|어긋|저촉"
    r"|sav(?:e|ing)|stor(?:e|ing|age)|archiv|\bfil(?:e|ing)|\blog\b|record|cop(?:y|ies)|complian|comply|complies|conform|\brules?\b|polic|regulation|guideline|violat|breach|\bcheck"
    r"|\bvet|review|\breport|write|the limit"
)  # fmt: skip
_KOREAN, _LATIN = regex(r"[가-힣]"), regex(r"[a-z]")
_SENTENCE = regex(r"[.;!\n…]+(?=\s|\Z)|[?？]+")
_TELLS = regex(
    r"\b(?:how (?:to|do|does|should|can|must)|explain\w*|told|asked|said|discuss\w*|teach\w*|taught|train\w*|advis\w*)\b"
    r"|(?:설명|안내|논의|말씀|이야기|얘기)(?:하|했|드렸|드리)"
)
"""Words of somebody who tells what happened: what follows them in the sentence is told, too."""


_TAKEN_BACK = regex(
    r"(?<![가-힣])(?:아니다|아니야|아냐|취소)(?![가-힣])|\b(?:scratch that|on second thought|actually,? no|no,? wait|wait,? no)\b"
)
"""Words that take back what was just said; `unwanted.py` reads what they leave."""


class Act(NamedTuple):
    """An act that is ordered, and the clause that orders it."""

    intent: str
    start: int
    end: int
    things: tuple[Span, ...] = ()
    """Words for what it is done to."""


class Acts(NamedTuple):
    """The acts that the clauses of a request order and decline; `read`: stretches that the rest does not hold."""

    ordered: tuple[Act, ...] = ()
    declined: frozenset[str] = frozenset()
    read: tuple[Span, ...] = ()
    clauses: tuple[Span, ...] = ()
    """The same with the words for what it is done to: what is left of the request is without these acts."""
    unclear: tuple[Span, ...] = ()
    """Clauses among them that neither order nor decline for certain."""


class _Piece(NamedTuple):
    start: int
    end: int
    meant: Clause | None
    supposes: bool


def acts(text: str) -> Acts:
    """The acts of a text, which is normalised and in lower case."""
    if not _SPEAKS.search(text) or _TAKEN_BACK.search(text):
        return Acts()
    values = new_values(text)
    quoted = [each for each in quotations(text) if not any(a < each[1] and each[0] < b for a, b in values)]
    for start, end in values:
        text = text[:start] + "_" * (end - start) + text[end:]
    ordered: list[Act] = []
    declined: set[str] = set()
    read: list[Span] = []
    clauses: list[Span] = []
    unclear: list[Span] = []
    for start, end, asks in _sentences(text):
        if any(first < end and start < last for first, last in quoted):
            continue
        pieces = _meant(text, start, end, asks=asks)
        if asks and pieces and all(piece.meant for _, piece in pieces) and pieces[0][0] == start:
            read.append((end, end + 1))  # the mark of a question that is read here
        for lead, piece in pieces:
            if piece.meant is None:
                continue
            if piece.meant.mood is Mood.UNCLEAR:
                unclear.append((piece.start, piece.end))
            elif piece.meant.mood is Mood.DECLINED:
                declined |= piece.meant.intents
                ordered = [act for act in ordered if act.intent not in declined]
            else:
                meant = piece.meant
                ordered += [Act(each, piece.start, piece.end, meant.things) for each in sorted(meant.intents)]
            read += _without(lead, piece.end, piece.meant.things)
            clauses.append((lead, piece.end))
    return Acts(tuple(ordered), frozenset(declined), tuple(read), tuple(clauses), tuple(unclear))


def rest(source: Source) -> str:
    """The request as it was typed, without the clauses that are read here; empty where there are none. Words in quotation
    marks belong to no clause."""
    values = new_values(source.text)
    clauses = [
        (a, b)
        for a, b in acts(source.text).clauses
        if not any(a < end and start < b for start, end in values)
    ]
    left = source.raw
    for start, end in reversed([source.span(*clause) for clause in clauses]):
        left = left[:start] + left[end:]
    return left.strip() if clauses else ""


def _sentences(text: str) -> list[tuple[int, int, bool]]:
    """The sentences of a text without their marks, and whether each is a question."""
    found: list[tuple[int, int, bool]] = []
    start = 0
    for mark in _SENTENCE.finditer(text):
        found.append((start, mark.start(), "?" in mark[0] or "？" in mark[0]))
        start = mark.end()
    return [each for each in (*found, (start, len(text), False)) if text[each[0] : each[1]].strip()]


def _meant(text: str, start: int, end: int, *, asks: bool) -> list[tuple[int, _Piece]]:
    """The clauses of a sentence that can be left out of the rest, each with the place behind the one before it."""
    korean = len(_KOREAN.findall(text, start, end)) * 2 > len(_LATIN.findall(text, start, end))
    pieces = _korean(text, start, end, asks=asks) if korean else _english(text, start, end, asks=asks)
    pieces = _with_alternatives(text, pieces)
    # Whatever depends on a condition that is not read here, or is part of a story, is left to the rest.
    blocked = any(piece.supposes and piece.meant is None for piece in pieces) or _TELLS.search(
        text, start, end
    )
    if not blocked:
        blocked = any(_is_loose(pieces, at) for at, piece in enumerate(pieces) if _is(piece, Mood.CLEAN))
    leads = [start, *(piece.end for piece in pieces)]
    found = zip(leads, pieces, strict=False)
    return [(lead, piece) for lead, piece in found if not blocked or _is(piece, Mood.DECLINED, Mood.UNCLEAR)]


def _english(text: str, start: int, end: int, *, asks: bool) -> list[_Piece]:
    cuts = [match.span() for match in acts_en.CUT.finditer(text, start, end)]
    begins = [start, *(stop for _, stop in cuts)]
    ends = [*(begin for begin, _ in cuts), end]
    spans = [(a, b) for a, b in zip(begins, ends, strict=True) if text[a:b].strip()]
    spans = [(a + len(text[a:b]) - len(text[a:b].lstrip()), b) for a, b in spans]
    pieces: list[_Piece] = []
    asks = asks and not acts_en.COURTEOUS.search(text, start, end)
    for a, b in [part for span in spans for part in acts_en.halves(text, *span)]:
        meant = acts_en.clause(text, a, b, asks=asks)
        if meant is None and pieces and _is(pieces[-1], Mood.DECLINED) and acts_en.EXPLAINS.match(text, a, b):
            pieces[-1] = pieces[-1]._replace(end=b)
        else:
            pieces.append(_Piece(a, b, meant, acts_en.SUPPOSES.match(text, a, b) is not None))
    return pieces


def _korean(text: str, start: int, end: int, *, asks: bool) -> list[_Piece]:
    return [
        _Piece(a, b, meant, supposes)
        for a, b, meant, supposes in acts_ko.clauses(text, start, end, asks=asks)
    ]


def _with_alternatives(text: str, pieces: list[_Piece]) -> list[_Piece]:
    """The clauses with a plain meaning for those that say what happens where a check finds something: that it is told, that all
    stops there, or that nothing is stored. The last neither orders nor refuses storing; "not unless it passes" orders it."""
    found = [*pieces]
    checked = Clause(Mood.NEUTRAL, frozenset({CHECK}), ())
    for at, piece in enumerate(pieces):
        if _OTHERWISE.fullmatch(text[piece.start : piece.end].strip(" ,")) and at + 1 < len(pieces):
            if _ends_there(text, pieces[at + 1], behind=True) and not _is(pieces[at + 1], Mood.DECLINED):
                found[at + 1] = pieces[at + 1]._replace(
                    meant=Clause(Mood.NEUTRAL, frozenset(), ()), supposes=False
                )
            continue
        if not _is(piece, Mood.TROUBLE):
            continue
        beside = next(
            (n for n in (at + 1, at - 1) if 0 <= n < len(pieces) and _ends_there(text, pieces[n], n > at)),
            None,
        )
        if beside is None:
            found[at] = piece._replace(meant=None)
            continue
        mood = Mood.NEUTRAL
        if _is(pieces[beside], Mood.DECLINED):
            mood = Mood.ORDERED if _UNLESS.match(text, piece.start) else Mood.UNCLEAR
        intents = frozenset[str]() if mood is Mood.NEUTRAL else frozenset({STORE})
        found[at] = piece._replace(meant=checked, supposes=False)
        found[beside] = pieces[beside]._replace(meant=Clause(mood, intents, ()), supposes=False)
    return found


def _ends_there(text: str, piece: _Piece, behind: bool) -> bool:
    """Say whether a clause beside a condition of something wrong stores nothing, and asks for no more than to hear of it."""
    if not behind and _NOT.fullmatch(text[piece.start : piece.end].strip()):
        return True
    if piece.meant and piece.meant.mood is Mood.DECLINED:
        return piece.meant.intents == frozenset({STORE})
    said = text[piece.start : piece.end].strip(" .!~")
    told = acts_en.REPORTS.fullmatch(said) or acts_ko.REPORTS.fullmatch(said)
    return behind and (_is(piece, Mood.NEUTRAL) or told is not None)


_NOT = regex(r"(?:but |and |just |only )*not")
"""The rest of an order under a condition: file it, but not if it breaks a rule."""
_OTHERWISE = regex(
    r"(?:and |but |then )*(?:otherwise|if not|or else)|(?:그리고\s)?(?:아니면|그렇지\s?않으면|안\s?그러면)"
)
_UNLESS = regex(r"(?:but |and )?(?:unless|until|till)\b")


def _is(piece: _Piece, *moods: Mood) -> bool:
    return piece.meant is not None and piece.meant.mood in moods


def _is_loose(pieces: list[_Piece], at: int) -> bool:
    """Say whether a condition stands beside no order to store that was read: what it decides is in the rest."""
    behind = pieces[at + 1] if at + 1 < len(pieces) else None
    if behind is not None and not _is(behind, Mood.NEUTRAL):
        return not (behind.meant and STORE in behind.meant.intents)
    before = pieces[at - 1] if at else None
    return not (before and before.meant and STORE in before.meant.intents)


def _without(start: int, end: int, things: tuple[Span, ...]) -> list[Span]:
    """A clause without its words for things."""
    cuts = [start, *(at for span in things for at in span), end]
    return [(a, b) for a, b in zip(cuts[::2], cuts[1::2], strict=True) if a < b]
