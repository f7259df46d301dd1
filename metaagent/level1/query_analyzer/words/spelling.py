"""Words of the language itself that were mistyped: avergae, 평귱. What was read instead is said.

Names of the data are compared elsewhere (`lexicon`); here are the words that say what is asked, and those of the model.
A word is changed only if nobody knows it, and if exactly one known word is one slip away.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from rapidfuzz.distance import OSA

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.domain import SemanticVocabulary
from metaagent.level1.query_analyzer.grammar import lexicon_en, lexicon_ko
from metaagent.level1.query_analyzer.words.lexicon import Phrasebook, letters
from metaagent.level1.query_analyzer.words.particles import stems
from metaagent.level1.query_analyzer.words.particles import words as listed
from metaagent.level1.query_analyzer.words.source import Source

_ENGLISH = frozenset(
    listed("""
average percent percentage share ratio difference number total totals highest lowest largest
smallest biggest greatest best worst between without excluding except compared compare comparison
versus increase increased decrease decreased growth month months monthly quarter quarters quarterly
week weeks weekly daily year years yearly last previous each every many much weekday weekdays
weekend weekends cumulative running trend more less than least most fewer higher lower greater under
over above below exceeding exceeded first second third fourth fifth half january february march
april june july august september october november december monday tuesday wednesday thursday friday
saturday sunday yesterday today bottom ranked ranking combined together separately business working
typical which what terms show list target targets missed reached during since until through
compliance regulation regulations violation violations
""")
)
_FORMS = frozenset(
    listed("""
began begun bought brought built caught chose chosen drew drawn drove driven fought found gave given grew grown heard
held kept laid left lent lost meant paid rose risen sent shown slept sold sought spent spoke spoken stole stood taken
taught thought threw thrown understood went wore worn written wrote
""")
)
"""Irregular forms of English verbs: words of their own, however near another word they are."""
_KOREAN = frozenset(
    listed("""
평균 상위 하위 지난달 이번달 지난주 지난해 작년 올해 상반기 하반기 증감률 증가율 성장률 감소율
월평균 일평균 주평균 얼마 얼마나 월별 분기별 요일별 합계 누적 미만 초과 제외 제외하고 합쳐서 평일 주말
""")
)
_SHORT = frozenset(
    listed("""
how what which were show many much last month year week sales sold sell total team teams list this than
more most with make made visit visits average june july august march april october september december
""")
)
"""Words of which a short one may be the rest: a letter left out, or two that changed places."""
_OTHERS = frozenset(
    listed("""
moth may sod teas lats
weer sow hat hot man men any yea ear tea tam wee wit win tan thin then them mean moan sole soul sale seal lat las
lost lass lest list mot mos mut must sho hoe ow ho hew her here ware wear with wish lit lis tis his vast mach mad
mae maid too tot that hats soled self shell tear year yarn eek leek seek teem tame jule jul jun jan feb mar apr aug
sep sept oct nov dec mon tue wed thu fri sat sun als ale ales
""")
)
"""Words of their own that look like such a rest."""
_WORD = regex(r"(?<![a-z0-9가-힣'’.&-])(?:[a-z]{2,}|[가-힣]{2,})(?![a-z0-9'’&])")
_BEST = regex(r"(?<![a-z])best[ -]?sellers?(?![a-z])")
"""Words for a thing that sells best: nobody who sells it is meant."""
_UNIT = regex(r"\s+(?:week|month|quarter|year)")
_LETTERS = 5


@lru_cache(maxsize=1)
def _operators() -> re.Pattern[str]:
    """Every operator of both languages."""
    listed_patterns = (*lexicon_en.OPERATORS, *lexicon_ko.OPERATORS)
    return re.compile("|".join(f"(?:{pattern})" for pattern, _, _ in listed_patterns))


@lru_cache(maxsize=32)
def _tokens(vocabulary: SemanticVocabulary) -> frozenset[str]:
    """The words of which the model's own words are made, without the values of the data."""
    terms = [term for term in vocabulary.terms if term.kind != "value"]
    named = [label.lower() for term in terms for label in (*term.labels, *term.verbs.get("en", ()))]
    return frozenset(token for label in named for token in re.findall(r"[a-z]{4,}", label))


@lru_cache(maxsize=4096)
def _said(word: str) -> bool:
    """Tell whether the grammar knows the word."""
    return (
        lexicon_en.LIGHT.fullmatch(word) is not None
        or lexicon_ko.LIGHT.fullmatch(word) is not None
        or _operators().fullmatch(word) is not None
    )


def _known(word: str, book: Phrasebook, tokens: frozenset[str]) -> bool:
    forms = {
        word,
        word.removesuffix("s"),
        word.removesuffix("es"),
        word.removesuffix("ed"),
        word.removesuffix("ing"),
    }
    if word in _ENGLISH or word in _FORMS or forms & tokens or _said(word):
        return True
    return any(form in key for form in (forms if len(word) > _LETTERS else {word}) for key in book.exact)


def _english(word: str, tokens: frozenset[str]) -> str | None:
    near = {w for w in _ENGLISH | tokens if abs(len(w) - len(word)) <= 1 and len(w) >= _LETTERS}
    near |= {f"{w}s" for w in tokens if len(w) >= _LETTERS and not w.endswith("s")}
    found = {w for w in near if OSA.distance(word, w, score_cutoff=1) == 1 and set(word[:2]) & set(w[:2])}
    found = {w for w in found if not w.endswith("s") or w[:-1] not in found or sorted(w) == sorted(word)}
    return found.pop() if len(found) == 1 else None


def _left_out(word: str, meant: str) -> bool:
    """Tell whether one letter of the word is missing, or two neighbours changed places."""
    if len(word) == len(meant):
        return sorted(word) == sorted(meant) and OSA.distance(word, meant, score_cutoff=1) == 1
    return word[0] == meant[0] and any(meant[:i] + meant[i + 1 :] == word for i in range(1, len(meant)))


def _short(word: str, rest: str, book: Phrasebook, tokens: frozenset[str]) -> str | None:
    if word == "lst" and _UNIT.match(rest):
        return "last"
    if word in _OTHERS or word in _ENGLISH or word in tokens or word in book.exact or _said(word):
        return None
    found = [w for w in _SHORT if _left_out(word, w)]
    return found[0] if len(found) == 1 else None


def _korean(word: str, book: Phrasebook) -> tuple[str, str] | None:
    """(as typed, as meant): the beginning of a word, before its particle."""
    tried = list[str]()
    whole = [stem for stem in sorted(stems(word), key=len, reverse=True) if len(stem) > 1]
    if any(stem in book.exact or stem in _KOREAN for stem in whole):
        return None  # 얼마까지 is 얼마 with its particle, and no 얼마나
    for stem in whole:
        tried.append(stem)
        spelt = letters(stem)
        found = [
            w for w in _KOREAN if len(w) == len(stem) and OSA.distance(spelt, letters(w), score_cutoff=1) == 1
        ]
        if len(found) == 1:
            # Asked last: the patterns of the grammar take longest.
            return None if any(map(_said, tried)) else (stem, found[0])
    return None


def corrected(
    source: Source, book: Phrasebook, vocabulary: SemanticVocabulary
) -> tuple[Source, list[tuple[str, str]]]:
    """The question with such words as they are meant, and each of them as typed and as read."""
    tokens, made = _tokens(vocabulary), list[tuple[str, str]]()
    for match in reversed(list(_BEST.finditer(source.text)) if "product" in tokens else []):
        meant = "best products" if match[0].endswith("s") else "best product"
        made.append((source.surface(*match.span()), meant))
        source = _with(source, *match.span(), meant)
    for match in reversed(list(_WORD.finditer(source.text))):
        word, start = match[0], match.start()
        if word.isascii() and len(word) < _LETTERS:
            meant = _short(word, source.text[match.end() :], book, tokens)
            slip = (word, meant) if meant else None
        elif word.isascii():
            meant = None if _known(word, book, tokens) else _english(word, tokens)
            slip = (word, meant) if meant else None
        else:
            slip = _korean(word, book)
        if slip is None:
            continue
        end = start + len(slip[0])
        made.append((source.surface(start, end), slip[1]))
        source = _with(source, start, end, slip[1])
    return source, made[::-1]


def _with(source: Source, start: int, end: int, word: str) -> Source:
    """The text with another word, each letter of which leads back to the whole word that was typed."""
    begin, stop = source.span(start, end)
    return replace(
        source,
        text=source.text[:start] + word + source.text[end:],
        starts=(*source.starts[:start], *([begin] * len(word)), *source.starts[end:]),
        ends=(*source.ends[:start], *([stop] * len(word)), *source.ends[end:]),
    )
