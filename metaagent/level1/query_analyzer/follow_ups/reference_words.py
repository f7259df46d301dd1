"""The words of both languages that point at things of the turns before, as one pattern whose groups say how they point."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from metaagent.language.patterns import compiled
from metaagent.level1.query_analyzer.domain import Term
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms

FORMS = ("time", "of", "rest", "place", "several", "one", "it")
"""Ways to point: then, some of those, all but those, one by its place, those, that one, whatever it was."""
MANY_KO = r"(?:두|세|네|다섯|여섯|일곱|여덟|아홉|열|\d{1,2})"
MANY_EN = r"(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2})"
NUMBERS = {
    "한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10, "둘": 2, "셋": 3, "넷": 4,
    "첫": 1, "일": 1, "이": 2, "삼": 3, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5,
}  # fmt: skip
LOW = frozenset({"last", "bottom", "worst", "smallest", "lowest"})
PEOPLE = frozenset({"사람", "분", "친구", "애", "person", "guy", "rep"})
PLACES = frozenset({"곳", "데", "군데", "place"})
ANY = frozenset({"거", "것", "건", "게", "걸", "one", "명", "개", "업체"})
"""Nouns that name no kind of thing."""
UNITS = {
    "달": "month", "월": "month", "분기": "quarter", "주": "week", "날": "day", "해": "year", "년도": "year", "연도": "year",
}  # fmt: skip
_AMONG = r"\s?(?:중|가운데)(?:에서?는?|에는?|엔|서)?(?![가-힣])"
_TIME = "(?:days?|weeks?|months?|quarters?|years?)"
_OF_THEM = r"(?: of (?:them|those|these))?"


def _names_things(term: Term) -> bool:
    return not term.measured and not term.time and term.subtype not in ("number", "date")


def _nouns(terms: Terms) -> tuple[list[str], list[str]]:
    """The names of kinds of things, in Korean and in English, the longest first."""
    said = {
        label.lower()
        for name, term in terms.dimensions.items()
        if name not in TIMES and _names_things(term)
        for label in term.labels
        if label and label.lower() not in TIMES
    }
    korean = {word for word in said if "가" <= word[0] <= "힣" and not word.endswith("별")}
    english = {word.removesuffix("s") for word in said if "a" <= word[0] <= "z"}
    return _escaped(korean), _escaped(english)


def _escaped(words: set[str]) -> list[str]:
    return [re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word))]


@lru_cache(maxsize=32)
def nouns(terms: Terms) -> re.Pattern[str]:
    """The names of kinds of things, wherever they stand as words of their own."""
    korean, english = _nouns(terms)
    return compiled(
        rf"(?<![가-힣])(?:{'|'.join((*korean, '사람'))})|(?<![a-z])(?:{'|'.join(english)})(?:s|es)?(?![a-z])"
    )


@lru_cache(maxsize=32)
def pattern(terms: Terms) -> re.Pattern[str]:
    korean, english = _nouns(terms)
    return compiled("|".join((*_korean(korean), *_english(english))))


def _korean(nouns: Sequence[str]) -> list[str]:
    kind = "|".join((*nouns, "사람", "곳", "군데", "업체"))
    noun = "|".join((kind, "분", "친구", "애", "데", "거", "것", "건", "게", "걸"))
    shown = r"(?:방금|아까|위에|앞에)\s?(?:나온|말한|본|보여준|있는)"
    several = "|".join((
        rf"(?:(?:{shown}|위|앞)\s?)?(?:그|이|저|해당|같은)\s?(?P<several_kind_ko>{noun})들",
        rf"(?:그|이|저|해당|위)\s?(?P<several_n_ko>{MANY_KO})\s?(?P<several_counted_kind_ko>{kind}|명|개|팀)",
        rf"{shown}\s?(?P<several_kind_ko2>{noun})들?",
        r"(?:걔|얘|쟤)네(?:들)?|거기들|(?:그|이)들(?=[은이의을도만]|\s)|(?:그|이)것들",
        rf"(?P<all_n_ko>{MANY_KO}|둘|셋|넷)\s?(?:(?P<all_kind_ko>{kind}|명|개|팀)\s?)?(?:다|모두|전부)(?=[\s?.!]|\Z)",
    ))  # fmt: skip
    place = "|".join((
        r"(?P<nth_ko>\d{1,2})\s?(?:위|등|번\s?째|번)|(?P<word_ko>첫|두|세|네|다섯)\s?번\s?째|(?P<rank_ko>일|이|삼)등",
        r"(?P<low_ko>꼴찌|꼴등|최하위)|(?:제일|맨)\s?(?P<edge_ko>위|아래|앞|뒤|마지막|처음)(?:에)?",
        rf"(?P<last_ko>마지막)(?=\s?(?:{noun}))",
        rf"(?:제일|가장)\s?(?:(?P<most_ko>많은|높은|큰|좋은)|(?P<least_ko>적은|낮은|작은|나쁜))(?=\s(?:{kind}))",
    ))  # fmt: skip
    one = "|".join((
        r"(?P<there_ko>거기|거긴|그곳)|(?P<who_ko>걔|얘|걘|얜)(?!네|기|긴)",
        rf"(?:그|이|해당|같은)\s?(?P<one_kind_ko>{kind}|분|친구)(?!들|별)",
    ))  # fmt: skip
    rest = rf"(?:그\s)?나머지(?:\s?(?P<rest_kind_ko>{kind})들?)?|그\s?(?:외|밖)(?:의|에)?\s?(?P<rest_kind_ko2>{kind})들?"
    after = r"(?!까지|부터|\s?이내|\s?안에)"
    return [
        rf"(?<![가-힣])(?P<time_ko>그\s?때|그\s?당시|(?:그|해당)\s?(?P<unit_ko>{'|'.join(UNITS)}))(?=에|엔|의|은|는|도|만|[^가-힣]|\Z)",
        rf"(?<![가-힣])(?P<of_ko>(?:그|이|저|여기|거기|걔네|얘네){_AMONG})",
        rf"(?<![가-힣])(?P<rest_ko>{rest})",
        rf"(?<![가-힣])(?P<several_ko>{several})(?:{_AMONG})?",
        rf"(?<![가-힣\d])(?P<place_ko>(?:위에서\s)?(?:{place})(?:인|에\s?있는|한)?(?:\s?(?P<place_kind_ko>{noun})(?!별))?){after}",
        rf"(?<![가-힣])(?P<one_ko>{one})",
        r"(?<![가-힣])(?P<it_ko>그거|그것|그걸|그게|그건|이거|이게|이걸|이건)",
    ]


def _english(nouns: Sequence[str]) -> list[str]:
    noun = "|".join((*nouns, "one", "person", "guy", "place", "rep"))
    splits = "|".join((*nouns, "day", "week", "month", "quarter", "year"))
    nth = "first|second|third|fourth|fifth|last|top|bottom|(?:best|biggest|largest|highest|worst|smallest|lowest)(?= one)"
    sized = rf" (?P<size_en>{MANY_EN})(?! {_TIME})(?: (?P<sized_kind_en>{noun})s?)?{_OF_THEM}"
    place = "|".join((
        rf"(?P<nth_en>{nth})(?:[- ](?:placed?|ranked|best))?(?:(?<!top)(?<!bottom){sized}| (?P<place_kind_en>{noun}){_OF_THEM})",
        r"(?P<nth_en2>first|second|third|fourth|fifth|last) of (?:them|those|these)",
        r"(?:number|no\.?|#) ?(?P<number_en>one|two|three|four|five|\d{1,2})",
    ))  # fmt: skip
    above = r"(?:above|from (?:before|earlier)|(?:that )?(?:you|we) (?:just )?(?:listed|showed|mentioned|saw|had))"
    several = "|".join((
        "they|them|their|theirs",
        rf"(?:those|these|(?:the )?same|the above)(?: (?P<several_n_en>{MANY_EN}))? (?P<several_kind_en>{noun})s",
        rf"(?:those|these)(?: (?P<several_n_en2>{MANY_EN}))?(?! (?:who|that|which|with|of|{_TIME})(?![a-z]))",
        (rf"the (?P<several_n_en3>{MANY_EN})(?: of (?:them|those|these)"
        rf"|(?: (?P<several_kind_en2>{noun})s)?(?=[?.!,]|\Z| (?:above|combined|together|from|you)))"),
        rf"the (?P<several_kind_en3>{noun})s {above}",
    ))  # fmt: skip
    rest = "|".join((
        (rf"(?:all )?the (?:rest(?: of (?:them|those|the (?P<rest_kind_en>{noun})s?))?|others"
        rf"|(?:other|remaining)(?: {MANY_EN})? (?P<rest_kind_en2>{noun})s?)"),
        "everyone else|everything else",
    ))  # fmt: skip
    there = r"(?<!is )(?<!are )(?<!was )(?<!were )there(?! (?:is|are|was|were|have|has|been))"
    one = rf"(?P<who_en>he|she|him|his|her)|its(?! own)|(?P<there_en>{there})|(?:that|this|the same|said) (?P<one_kind_en>{noun})"
    whose = r"(?:'s|’s|’|')?(?![a-z])"
    units = "|".join(sorted({*UNITS.values()}))
    those = rf"(?:them|those|these)(?: (?P<of_n_en>{MANY_EN}))?(?! (?:who|that|which|with)(?![a-z]))"
    return [
        rf"(?<![a-z])(?P<time_en>that (?P<unit_en>{units})|(?:back )?then(?=\W*\Z))(?:'s|’s)?(?![a-z])",
        rf"(?<![a-z])(?<!sum )(?<!total )(?P<of_en>(?:out of|of|among|amongst|from|within) {those})(?![a-z])",
        rf"(?<![a-z])(?P<rest_en>{rest})(?![a-z])",
        rf"(?<![a-z])(?P<place_en>(?:the )?(?:{place}){whose})(?! by (?!(?:{splits})s?(?![a-z]))| in terms)",
        (
            rf"(?<![a-z])(?P<several_en>(?:(?:both|all|each|any)(?: one)? of |all )?(?:{several}){whose}"
            rf"(?: from (?:before|earlier))?|both(?: of them)?(?! \S+(?: \S+){{0,2}} and | {_TIME})(?![a-z]))"
        ),
        rf"(?<![a-z])(?P<one_en>(?:{one}){whose})",
        (
            r"(?<![a-z])(?<!do )(?<!repeat )(?<!run )"
            r"(?P<it_en>it(?![a-z'’])|that(?=\W*\Z| (?:in|for|from|by|per|as|on|compared|versus|vs|worth)(?![a-z])))"
        ),
    ]
