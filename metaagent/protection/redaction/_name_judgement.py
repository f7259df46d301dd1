"""Judgement of a Korean word: is it somebody's name, by the dictionary and by the syllables that names are made of?"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from metaagent.language.analyser import Analyser
from metaagent.protection.redaction._name_words import (
    COMPOUND,
    NEVER_LAST,
    NOUNS,
    ORDINARY,
    PARTICLE_LAST,
    RARE,
    SINGLE,
    SURNAMES,
)

ENDINGS = "한하해은이인도나상률율일명원화구성"
ONLY_IN_NAMES = "혁빈린훈윤욱섭엽람솔결봄샘찬"
"""Last syllables that end no word and no ending: what stands before them is somebody's name, whatever else it may mean."""
PERSON, PLACE, _NOTHING = "인명", "지명", "*"
_ONLY_SINGLE = "준혁훈빈욱솔윤린율"
MEASURES = "수성률율화도비값액량별형식용제분품료금서팀실점장지처안권명"
_BEGINS_PHRASE = ("NNG", "NP", "MAG", "XR")
_PREFIXES = "전신구현고유한본주재부"
_OF_TALES = frozenset(("홍길동", "임꺽정", "성춘향", "이몽룡"))
"""People of tales, who stand for anybody in forms and tests; the dictionary has them as words."""
_BEARERS = "김이박최정"
_COMMONEST = _BEARERS + "강조윤장임"
_FIRSTS = frozenset(
    "영성재종정상병용경기동승태진현창인수석순희원명광대윤규지형준세호은선주우민일문홍한덕중해철연유남혜효찬미의근도건보시이하금화예"
    "채소서가나다라아리온슬솔새봄달여송애란여율강범필환훈권충학길관치익오계옥무복국헌완운제"
)
_LASTS = frozenset(
    "영수호희식진현석원환규철섭근선용성순기주준우일경연구훈정상재숙민열균태화웅남옥택길욱종동형자하윤인배범중헌홍한찬국권만혁복명문미익"
    "곤승운룡창아빈표오학완림은렬래교도건엽광서무혜지필언리의애효채걸세란나실린후련령라향해겸율랑담람결솔별슬봄샘온비늘름빛려류이임심"
)
_NEEDS_DICTIONARY = "의만도지기자인구일정상제서비은이"
"""Last syllables that end words as often as names: outside of a title's reach such a name must be one that the dictionary has."""


class Morpheme(NamedTuple):
    """A part of a word, its tag and what the dictionary says that it means: 인명, 지명 or *."""

    surface: str
    pos: str
    meaning: str


@cache
def _dictionary() -> Analyser:
    return Analyser()


@lru_cache(maxsize=65536)
def parse(word: str) -> tuple[Morpheme, ...]:
    """Parse a word by itself, once: several judgements ask for the same."""
    *lines, _, _ = _dictionary().lattice(word).to_string().split("\n")
    return tuple(_morpheme(line) for line in lines)


def _morpheme(line: str) -> Morpheme:
    surface, _, feature = line.partition("\t")
    tag, meaning, _ = feature.split(",", 2)
    return Morpheme(surface, tag, meaning)


@lru_cache(maxsize=32768)
def dictionary_says(name: str) -> str:
    """Tell what the dictionary has: a `name`, a `word` (조영제 and 신제품 are things, 강남구 is a place), a `phrase`
    (a word and its ending: 제품은, 방문한, 나누고), or none of these."""
    if name in _OF_TALES:
        return "name"
    first, *more = parse(name)
    if not more and first.pos.startswith("NN"):
        return _said_of_noun(name, first.pos, first.meaning)
    if name[0] in _PREFIXES and name[1:] in ORDINARY:
        return "word"
    if more and first.pos[0] == "V":
        return "" if more[-1].pos == "NNG" and len(more[-1].surface) == 1 else "phrase"
    known = (
        first.surface in ORDINARY or first.surface in NOUNS or first.pos != "NNG" or first.meaning != _NOTHING
    )
    if more and len(first.surface) == 2 and first.pos in _BEGINS_PHRASE and known:
        return "" if more[-1].pos == "JKV" else "phrase"
    return ""


def _said_of_noun(name: str, tag: str, meaning: str) -> str:
    """Tell what one noun is: rare ones that end like names are no words that anybody uses."""
    if meaning == PERSON:
        return "name"
    if name in ORDINARY or name in NOUNS:
        return "word"
    unnamed = tag == "NNP" and meaning == _NOTHING and name[0] not in RARE
    rare = name[-1] in (_ONLY_SINGLE if len(name) == 2 else ONLY_IN_NAMES)
    return "" if unnamed or rare else "word"


@lru_cache(maxsize=32768)
def is_given(given: str) -> bool:
    """Tell whether the dictionary has somebody of this given name, with one of the commonest surnames."""
    return any(dictionary_says(surname + given) == "name" for surname in _BEARERS)


@lru_cache(maxsize=32768)
def has_bearers(given: str, fewest: int = 1) -> bool:
    """Tell whether the dictionary has somebody of this given name with so many of the ten commonest surnames. It asks for no more
    of them than that takes: each costs a parse."""
    spare = len(_COMMONEST) - fewest
    for surname in _COMMONEST:
        if dictionary_says(surname + given) == "name":
            fewest -= 1
        else:
            spare -= 1
        if not fewest or spare < 0:
            break
    return not fewest


@lru_cache(maxsize=32768)
def is_measure(name: str) -> bool:
    """방문수, 이용률, 안정성: a word and what makes a figure or a quality of it. Columns have such names."""
    if len(name) != 3 or name[-1] not in MEASURES:
        return False
    return is_noun(name[:2])


def is_noun(word: str) -> bool:
    """Tell whether this is a noun that everybody uses."""
    return word in ORDINARY or word in NOUNS


def is_particle(before: str, last: str) -> bool:
    """Tell whether this may be a particle after that syllable: 이하는 is a word and its particle, 이하은 is somebody."""
    closed = (ord(before) - ord("가")) % 28 != 0
    return last in PARTICLE_LAST and last not in ("는가를와" if closed else "은이을과")


def ends_a_phrase(name: str) -> bool:
    """Tell whether the last of three syllables may be a particle or an ending of the two before it."""
    return len(name) > 2 and (name[2] in "한할된하일" or is_particle(name[1], name[2]))


def is_noun_and_particle(name: str) -> bool:
    """Tell whether these three syllables are a thing and its particle, and nobody's whom the dictionary has: 계정이, 설정은."""
    if not ends_a_phrase(name) or dictionary_says(name) == "name":
        return False
    first, *more = parse(name)
    return first.pos == "NNG" and len(first.surface) == 2 and len(more) == 1 and more[0].pos[0] == "J"


@lru_cache(maxsize=32768)
def is_likely(name: str) -> bool:
    """Tell whether this is a name where no title says so: the dictionary has it, or all of its syllables are those of names."""
    if name[:2] in COMPOUND and 3 <= len(name) <= 4:
        return all(char in _FIRSTS or char in _LASTS for char in name[2:])
    if name in ORDINARY or (name[0] not in SURNAMES and not (name[0] in RARE and is_given(name[1:]))):
        return False
    reading = dictionary_says(name)
    if len(name) == 2:
        return name[1] in SINGLE and reading in ("", "name")
    if len(name) != 3 or reading == "word":
        return False
    if reading == "name":
        return not (name[:2] in ORDINARY and name[-1] in MEASURES)
    return _is_made_like_a_name(name, reading)


def _is_made_like_a_name(name: str, reading: str) -> bool:
    if name[1] not in _FIRSTS or name[2] not in _LASTS or name[2] in NEVER_LAST:
        return False
    if name[2] in ONLY_IN_NAMES:
        return True
    if is_measure(name) or (name[:2] in ORDINARY and is_particle(name[1], name[2])):
        return False
    if reading == "phrase" and parse(name)[0].pos[0] == "V":
        return False
    if reading == "phrase" or name[2] in _NEEDS_DICTIONARY:
        return is_given(name[1:]) and name[:2] not in ORDINARY
    return name[1:] not in ORDINARY
