"""Finds the acts of a Korean sentence: each predicate with who does it and the things that it is done with.

A morpheme analyser finds the predicates. Nouns before one are its arguments; an act without an object of its own speaks of the
last things that were named.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from metaagent.knowledge.korean import Morpheme, morphemes, placed_morphemes
from metaagent.level2.compliance.text.harmless import (
    ACTS_KO,
    COUNTER_KO,
    GETS_BACK_KO,
    HANDS_OVER_KO,
    NEVER_A_THING_KO,
    PLACE_KO,
    SPEAKS_KO,
    THINGS_KO,
    TIME_KO,
)
from metaagent.level2.compliance.text.vocabulary import OURSELVES, PERSON

_WORD = re.compile(r"[^\s,;·/()\[\]\"'“”‘’]+(?:\((?:[^()]|\([^()]*\))*\)[가-힣]*)?")
_ASIDE = re.compile(r"\((?:[^()]|\([^()]*\))*\)")
_HANGUL = re.compile(r"[가-힣]+")
_COUNTED = re.compile(r"\d+(?!시|분|일|월|년|주|개월|명|인(?!분)|회|차|번|층|호)[가-힣]{1,3}씩?")
"""A number of things, by whatever they are counted in."""
_NAME = re.compile(r"[가-힣]{2,4}(?<![과와을를은는도랑])")
_ABSTRACT = ("것", "적", "일", "바", "거", "점")
"""Nouns that make a noun of the act before them; without an object of its own they are what the act is done with."""
_ELSE = re.compile(
    r"(?:협회|학회|재단|공단|보험|보험사|정부|식약처|심평원|위원회|조합|도매상?|대리점|약국|의원|병원|의료원|보건소)$"
)
"""Institutions and companies that are not ours, as the ones who act."""
_LETTER = re.compile(r"[^\W_]")
_PEOPLE = re.compile(
    r"님$|분$|원장|교수|과장|선생|의사|의료진|간호사|약사|직원|환자|담당|공무원|주무관|위원|이사|부장|전공의|전문의|연자|"
    r"강사|참석자|"
    r"고객|사람|여사|사모|자녀|아들|따님|아드님|배우자|가족|부모|본인"
)
_OUR_TITLE = re.compile(r"(?:대리|주임|차장|사원|팀장)")
_AUXILIARY = {
    "않",
    "못하",
    "주",
    "드리",
    "있",
    "보",
    "놓",
    "두",
    "오",
    "가",
    "버리",
    "내",
    "싶",
    "하",
    "되",
    "말",
    "나오",
    "나가",
}
_PARTICLES = {
    "을": "JKO",
    "를": "JKO",
    "은": "은",
    "는": "는",
    "도": "JX",
    "만": "JX",
    "과": "JC",
    "와": "JC",
    "이": "JKS",
    "가": "JKS",
}
_WEEK = re.compile(r"(?:주|달|해)(?:에|엔|에는|에도|부터|까지|는|은|도|중|초|말)?(?:에|에는)?$")
_WHICH_WEEK = re.compile(r"(?:다음|이번|지난|저번|매|첫|둘째|셋째|마지막|몇|한|두|세|네|\d)\s?$")
"""A time that the analyser may take for a verb: 다음 주부터."""
_TOLD = re.compile(r"([가-힣]{2,3})(드[리렸립린릴림][가-힣]*)$")
"""A noun of telling with its verb in one word, such as 안내드립니다, where the analyser may see another verb."""
_INFORMS = re.compile(r"([가-힣]{3,8})([을를과와은는도만이가])$")
"""A noun with its particle, whose compounds the analyser may not know: 요약지와."""
_TAGS = {"을": "JKO", "를": "JKO", "과": "JC", "와": "JC", "이": "JKS", "가": "JKS"}
_FAVOUR = {"주", "드리"}
_LIGHT = {"하", "되", "시키", "갖", "가지", "드리", "주", "받", "있", "나누", "이루어지", "처리", "넣"}
_NOUNS = ("N", "XR", "XSN", "XPN", "SL")
_NUMBERS = ("한", "두", "세", "네")
_LAST_NOUN = re.compile(r"예정|계획|완료|검토|진행|함|요망")
_KNOWN_WORDS = 20_000
"""Words whose reading is kept: those of a language come again in every sentence."""
_KNOWN_SENTENCES = 2_000
"""Sentences whose acts are kept: a document is judged again with most of its sentences unchanged."""


class Word(NamedTuple):
    """A word with its noun, its particle, and the stem of its verb if it has one."""

    text: str
    start: int
    end: int
    noun: str
    particle: str
    stem: str = ""
    first: str = ""
    """The form of its first verb, which may be an auxiliary of the word before."""
    polite: bool = False
    favours: bool = False
    ending: str = ""
    form: str = ""
    passive: bool = False
    comma: bool = False
    modifies: bool = False
    """An adjective before its noun."""

    @property
    def person(self) -> bool:
        return _is_a_person(self.noun)


@lru_cache(_KNOWN_WORDS)
def _is_a_person(noun: str) -> bool:
    return _PEOPLE.search(noun) is not None


@dataclass(frozen=True)
class Act:
    """One predicate: its place, whether the other side does it, whether it is done for somebody, and its things."""

    stem: str
    start: int
    first: int
    named: int
    """The end of the stem, after which negations of it stand."""
    end: int
    theirs: bool
    favours: bool
    things: Sequence[Word]
    inherited: bool = False


@lru_cache(_KNOWN_SENTENCES)
def acts_of(text: str) -> Sequence[Act]:
    """The acts in their order. A noun at the end of a note without a verb is one, too."""
    placed = _Placed(placed_morphemes(text))
    words = [_word(m, text, placed) for m in _WORD.finditer(text) if _LETTER.search(m.group())]
    found: list[Act] = []
    since: list[Word] = []
    at = 0
    while at < len(words):
        word = words[at]
        if word.modifies or _forbids(words, at):
            at += 1
            continue
        if not word.stem and not _says_an_act(words, at):
            since.append(word)
            at += 1
            continue
        last, favours, polite = _chain(words, at)
        stem, things = _stem(word, since)
        if word.ending == "ETM" and _modified(words, last + 1):
            named = _things([words[last + 1]], passive=False)
            things = [*things, *(one for one in named if not (things and one.noun in _ABSTRACT))]
        things = things or _subjects(since)
        made = _act(word, words[last], stem, since, things, favours, polite)
        if not made.things and found:
            made = _with_things_of(made, found)
        found.append(made)
        since = []
        at = last + 1
    return found


def _forbids(words: Sequence[Word], at: int) -> bool:
    """Say whether the word is the polite end of "do not", which the analyser may take for drinking: 신청하지 마시기 바랍니다."""
    return at > 0 and words[at].stem == "마시" and words[at - 1].form == "지"


def _subjects(words: Sequence[Word]) -> list[Word]:
    """The things that an act without an object happens to: 리플릿이 다 떨어져."""
    return [
        one for one in words if one.particle == "JKS" and _is_a_thing(one) and not _ELSE.search(one.noun)
    ][-1:]


def _modified(words: Sequence[Word], at: int) -> bool:
    """Say whether the word is a noun that the predicate before it modifies: no name before a title."""
    if at >= len(words) or not words[at].noun:
        return False
    return at + 1 == len(words) or not words[at + 1].person


def _with_things_of(act: Act, earlier: Sequence[Act]) -> Act:
    things = next((one.things for one in reversed(earlier) if one.things), ())
    return Act(
        act.stem,
        act.start,
        act.first,
        act.named,
        act.end,
        act.theirs,
        act.favours,
        things,
        inherited=bool(things),
    )


def _act(
    word: Word,
    last: Word,
    stem: str,
    since: Sequence[Word],
    things: Sequence[Word],
    favours: bool,
    polite: bool,
) -> Act:
    start = since[0].start if since else word.start
    ours = any(_names_us(one.text) for one in since)
    theirs = any(
        one.particle in ("JKS", "은", "는", "께서") and (one.person or _ELSE.search(one.noun))
        for one in since
    )
    named = word.start + (len(word.stem) if word.text.startswith(word.stem) else len(word.text))
    return Act(stem, start, word.start, named, last.end, (polite or theirs) and not ours, favours, things)


@lru_cache(_KNOWN_WORDS)
def _names_us(word: str) -> bool:
    return OURSELVES.search(word) is not None


def _says_an_act(words: Sequence[Word], at: int) -> bool:
    """A noun such as 전달, at the end of a note or before 예정, is a predicate."""
    word = words[at]
    if word.particle or (word.noun not in HANDS_OVER_KO and word.noun not in ACTS_KO):
        return False
    following = words[at + 1] if at + 1 < len(words) else None
    return (
        following is None
        or word.comma
        or following.text == "및"
        or _LAST_NOUN.match(following.noun) is not None
    )


def _chain(words: Sequence[Word], at: int) -> tuple[int, bool, bool]:
    """The last word of a predicate with its auxiliaries, whether it does a favour, and whether it is polite."""
    favours, polite, last = words[at].favours, words[at].polite, at
    while last + 1 < len(words) and words[last].ending in ("EC", "ETN"):
        following = words[last + 1]
        joins = words[last].form in ("아", "어", "여", "지", "고", "기", "게", "다고", "라고")
        if following.first not in _AUXILIARY or following.stem != following.first or not joins:
            break
        favours = favours or (following.first in _FAVOUR and words[last].form in ("아", "어", "여"))
        polite = polite or following.polite
        last += 1
    return last, favours, polite


def _stem(word: Word, since: list[Word]) -> tuple[str, list[Word]]:
    """The stem, and the things; "선물을 했다" is an act of its object."""
    things = _things(since, passive=word.passive or word.stem in ("있", "생기", "필요"))
    if word.stem in _LIGHT and things and things[-1] is since[-1]:
        noun = things[-1].noun
        known = next((one for one in (noun, noun[-2:]) if one in ACTS_KO or one in HANDS_OVER_KO), "")
        if known and word.stem not in ("받", "드리", "주"):
            return known, things[:-1] or things
    return word.stem or word.noun, things


def _things(words: Sequence[Word], *, passive: bool) -> list[Word]:
    """Nouns that an act is done with: no people, times, places or words of degree; of a compound the last noun."""
    found: list[Word] = []
    for at, word in enumerate(words):
        marked = word.particle in ("JKO", "JX", "JC", "은", "는") or (passive and word.particle == "JKS")
        following = words[at + 1] if at + 1 < len(words) else None
        listed = word.comma and _goes_on(words[at + 1 :])
        bare = word.particle == "" and (following is None or listed or not following.noun)
        if not word.noun or not (marked or bare) or _is_a_time(word.noun) or _is_a_name(word, following):
            continue
        named = _counted(words, at)
        if named is not None and _is_a_thing(named):
            found.append(named)
    return found


@lru_cache(_KNOWN_WORDS)
def _is_a_time(noun: str) -> bool:
    return TIME_KO.match(noun) is not None and _COUNTED.fullmatch(noun) is None


def _goes_on(words: Sequence[Word]) -> bool:
    """Say whether the list of a note runs up to its predicate: where or with whom it was done begins another entry."""
    return not any(word.particle in ("JKB", "JKS", "께서") for word in words)


def _is_a_name(word: Word, following: Word | None) -> bool:
    """Say whether the word is the name of the person whose title follows."""
    titled = following is not None and (following.person or _OUR_TITLE.match(following.noun) is not None)
    return titled and _NAME.fullmatch(word.text) is not None


def _counted(words: Sequence[Word], at: int) -> Word | None:
    """The noun that a counter counts: 와인 두 병을."""
    first, word = at, words[at]
    while at > 0 and _counts(word.noun, word.text):
        at -= 1
        word = words[at]
    placed = at < first and word.particle == "JKB"
    return None if placed or _counts(word.noun, word.text) else word


@lru_cache(_KNOWN_WORDS)
def _counts(noun: str, text: str) -> bool:
    noun = noun.removesuffix("씩")
    return bool(
        not noun or COUNTER_KO.match(noun.removesuffix("당")) or TIME_KO.match(noun) or re.search(r"\d", text)
    )


def _is_a_thing(word: Word) -> bool:
    return _names_a_thing(word.noun)


@lru_cache(_KNOWN_WORDS)
def _names_a_thing(noun: str) -> bool:
    return not (
        _is_a_person(noun)
        or PERSON.search(noun)
        or TIME_KO.match(noun)
        or PLACE_KO.search(noun)
        or NEVER_A_THING_KO.match(noun)
    )


@lru_cache(_KNOWN_WORDS)
def _analysed(word: str, placed: tuple[Morpheme, ...]) -> tuple[Morpheme, ...]:
    """The morphemes of a word as its sentence has them, but for nouns that the analyser takes for something else."""
    if word.endswith("기로") and word not in ("계기로", "위기로", "시기로", "초기로", "분기로", "경기로"):
        return (*(one for one in morphemes(f"{word[:-2]}다") if one.tag[0] != "E"), Morpheme("기", "ETN"))
    if word in _NUMBERS:
        return (Morpheme(word, "MM"),)
    told = _TOLD.match(word)
    if told is not None and told[1] in SPEAKS_KO:
        return (Morpheme(told[1], "NNG"), *morphemes(told[2]))
    informs = _INFORMS.match(word)
    if informs is not None and THINGS_KO.search(informs[1]):
        return (Morpheme(informs[1], "NNG"), Morpheme(informs[2], _TAGS.get(informs[2], "JX")))
    if len(word) > 2 and THINGS_KO.search(word) and all(one.tag[0] in "NJXS" for one in placed):
        return (Morpheme(word, "NNG"),)
    noun = len(word) > 1 and (COUNTER_KO.match(word) or word in ACTS_KO or word in HANDS_OVER_KO)
    if any(one.tag in ("NNG", "NNP") and two.tag[0] in "VE" for one, two in pairwise(reversed(placed))):
        return _as_a_noun(word, placed)
    verb = placed[0].tag == "VV"
    misread = noun and not verb and morphemes(f"{word}를")[0] == Morpheme(word, "NNG")
    return (Morpheme(word, "NNG"),) if misread else placed


def _as_a_noun(word: str, placed: Sequence[Morpheme]) -> tuple[Morpheme, ...]:
    """A word with a noun behind a verb is no predicate but a name that the analyser does not know: 심포르탄캡슐."""
    particles = [one for one in placed[-2:] if one.tag.startswith("J")]
    ending = "".join(one.form for one in particles)
    return (Morpheme(word.removesuffix(ending), "NNP"), *particles)


class _Placed:
    """The morphemes of a sentence, found by place."""

    def __init__(self, found: Sequence[tuple[int, Morpheme]]) -> None:
        self._starts = [start for start, _ in found]
        self._morphemes = [one for _, one in found]

    def of_run(self, first: int, word: str) -> tuple[Morpheme, ...]:
        """The morphemes of a run of Hangul; of one that the analyser does not divide there, those that it has alone."""
        at, last = bisect_left(self._starts, first), bisect_left(self._starts, first + len(word))
        whole = at < last and self._starts[at] == first
        return _analysed(word, tuple(self._morphemes[at:last]) if whole else morphemes(word))


def _stem_of(noun: str, form: str) -> str:
    """The stem of a word with a noun before its verb: 설명드리 is to explain, and 끝나 is one verb."""
    if noun and form in _FAVOUR | {"되", "하"}:
        return noun
    return noun + form if noun + form in ACTS_KO or noun + form in GETS_BACK_KO else form


def _particle(known: str, one: Morpheme) -> str:
    """The particle of a word that has one already: 회사에는 names a place, whatever follows the first."""
    if known == "JKB" and one.form in ("은", "는", "도", "만"):
        return known
    if one.form in ("과", "와", "랑", "이랑", "하고"):
        return "JC"
    return one.form if one.form in ("은", "는", "께서") else one.tag


class _Written(NamedTuple):
    """A word as it is written, divided into the run of Hangul that is read and what stands before it."""

    shown: str
    plain: str
    before: str
    particle: str
    run: str
    at: int
    """The place of the run in the word."""
    week: bool


@lru_cache(_KNOWN_WORDS)
def _written(word: str) -> _Written:
    shown = word.rstrip(".:!?")
    aside = _ASIDE.search(shown)
    plain = _ASIDE.sub("", shown)
    runs = list(_HANGUL.finditer(plain))
    week = bool(runs) and _WEEK.match(plain) is not None
    particle = _PARTICLES.get(plain[aside.start() :], "") if aside is not None and runs else ""
    if not runs or word.endswith((":", "：")):
        return _Written(shown, plain, plain, particle, "", 0, week)
    if aside is not None and particle:
        return _Written(shown, plain, plain[: aside.start()], particle, "", 0, week)
    at = runs[-1].start()
    return _Written(shown, plain, plain[:at], "", runs[-1].group(), at, week)


def _word(found: re.Match[str], text: str, placed: _Placed) -> Word:
    start, end = found.span()
    written = _written(found.group())
    comma = text[end : end + 1] in (",", "·", "/", ";")
    last = start + len(written.shown)
    if written.week and _WHICH_WEEK.search(text, max(0, start - 6), start):
        return Word(written.plain, start, last, "다음", "JKB", comma=comma)
    read = placed.of_run(start + written.at, written.run) if written.run else ()
    form = _form(written.before, written.particle, read)
    return Word(written.plain, start, last, *form[3:12], comma, form.modifies)


@lru_cache(_KNOWN_WORDS)
def _form(noun: str, particle: str, read: tuple[Morpheme, ...]) -> Word:
    """The noun, particle and verb of a word, wherever it stands."""
    form, ending, verbs = "", "", list[str]()
    stem, polite, favours, passive, adjective = "", False, False, False, False
    for one in read:
        tag = one.tag
        if tag.startswith(_NOUNS) and not verbs:
            noun += one.form
        elif tag in ("XSV", "XSA"):
            stem, passive, adjective = stem or noun or one.form, one.form == "되", tag == "XSA"
            verbs.append(one.form)
        elif tag in ("VV", "VA", "VX", "VCN"):
            favours, adjective = favours or (bool(verbs) and one.form in _FAVOUR), tag == "VA"
            stem = stem or _stem_of(noun, one.form)
            verbs.append(one.form)
        elif tag.startswith("J") and not verbs:
            particle = _particle(particle, one)
        elif tag == "EP" and one.form in ("시", "으시"):
            polite = True
        elif tag.startswith("E"):
            ending, form = tag, one.form
    return Word(
        "", 0, 0, "" if stem else noun, particle, stem, verbs[0] if verbs else "",
        polite, favours, ending, form, passive, modifies=adjective and ending == "ETM",
    )  # fmt: skip
