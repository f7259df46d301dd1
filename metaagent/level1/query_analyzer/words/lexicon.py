"""All words that mean something here, looked up in a text: with particles attached, run together, or with one typo."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

from rapidfuzz import process
from rapidfuzz.distance import OSA

from metaagent.knowledge import korean
from metaagent.level1.query_analyzer.domain import Domain, Lexicon, Name, SemanticVocabulary, Term
from metaagent.level1.query_analyzer.unread import is_common
from metaagent.level1.query_analyzer.words.particles import is_ending, is_title, stems
from metaagent.level1.query_analyzer.words.particles import words as listed
from metaagent.level1.query_analyzer.words.places import PLACES
from metaagent.level1.query_analyzer.words.sounds import nearest
from metaagent.level1.query_analyzer.words.source import Source, key_of
from metaagent.level1.query_analyzer.words.thesaurus import variants

MAX_KEY = 40
MANY_NAMES = 300
"""The number of titles from which on one of a single word may be any word: it is meant only if it is written as a name."""
_NAMED = ("person", "organisation", "product")
_SUFFIXES = (
    "대학교병원",
    "종합병원",
    "병원",
    "의원",
    "내과의원",
    "클리닉",
    "약국",
    "정",
    "캡슐",
    "주사",
    "시럽",
    "hospital",
    "clinic",
)
_KINDS = ("흡입제", "캡슐", "시럽", "패치", "연고", "크림", "주사", "겔", "산", "주", "정")
"""Endings of medicines in Korean; English names have none of them."""
_LEAST_LATIN = 6
"""The letters of the shortest Latin word that may be a Korean name: short ones sound like many."""


@dataclass(frozen=True)
class Meaning:
    type: str
    normalized: Any
    name: str
    label: str
    extra: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def identity(self) -> tuple[str, str]:
        return self.type, str(self.extra.get("id", self.normalized))


@dataclass(frozen=True)
class Hit:
    start: int
    end: int
    meanings: tuple[Meaning, ...]
    method: str
    """exact, partial, typo or sound"""


@dataclass(frozen=True, eq=False)
class Phrasebook:
    exact: dict[str, tuple[Meaning, ...]]
    partial: dict[str, tuple[Meaning, ...]]
    longest: dict[str, int]
    own: tuple[str, ...]
    """Keys that may be meant by a misspelt word."""
    foreign: dict[str, tuple[Meaning, ...]] = field(default_factory=dict[str, tuple[Meaning, ...]])
    """Names in Latin letters, which people may write in Hangul."""
    native: dict[str, tuple[Meaning, ...]] = field(default_factory=dict[str, tuple[Meaning, ...]])
    """Names of products in Hangul without their kind, which people may write in Latin letters."""

    @cached_property
    def fuzzy(self) -> dict[int, tuple[tuple[str, ...], tuple[tuple[str, tuple[Meaning, ...]], ...]]]:
        """Length in letters → their letters, and the key and meanings of each: what a misspelt word is compared with."""
        found: dict[int, list[tuple[str, str]]] = defaultdict(list)
        for key in self.own:
            spelt = letters(key)
            if len(spelt) >= 4:
                found[len(spelt)].append((spelt, key))
        return {
            size: (tuple(spelt for spelt, _ in one), tuple((key, self.exact[key]) for _, key in one))
            for size, one in found.items()
        }


class _Letters(dict[int, str]):
    """The letters of each syllable that was met."""

    def __missing__(self, char: int) -> str:
        code = char - 0xAC00
        if 0 <= code < 11172:
            last = chr(0x11A7 + code % 28) if code % 28 else ""
            found = chr(0x1100 + code // 588) + chr(0x1161 + code % 588 // 28) + last
        else:
            found = chr(char)
        self[char] = found
        return found


_LETTERS = _Letters()


def letters(text: str) -> str:
    """Hangul syllables taken apart, so that one wrong stroke is one wrong letter."""
    return text.translate(_LETTERS)


def _term_meaning(term: Term) -> Meaning:
    extra: dict[str, Any] = {"name": term.name, "column": term.column}
    if term.unit:
        extra["unit"] = term.unit
    if term.dimension:
        extra["dimension"] = term.dimension
    if term.table:
        extra["table"] = term.table
    if term.kind == "metric" and term.tables:
        extra["reaches"] = term.tables
    if term.title:
        extra["title"] = dict(term.title)
    if term.counted_by:
        extra["counted_by"] = term.counted_by["name"]
    if term.measured:
        extra["measured"] = True
    value = term.name if term.kind == "value" else term.column or term.name
    return Meaning(term.kind, value, term.name, term.labels[0] if term.labels else term.name, extra)


def _name_meaning(name: Name, term: Term | None = None, *, crowded: bool = False) -> Meaning:
    """`term`: the dimension that it is a value of; `crowded`: one of so many that it may be a common word as well."""
    label = f"{name.name} ({name.detail})" if name.detail else name.name
    value = name.code if name.type == "location" and name.code else name.id
    extra: dict[str, Any] = {"id": name.id, "name": name.name}
    if name.dimension:
        extra["dimension"] = name.dimension
    if term is not None and term.table:
        extra["place"] = (term.table, term.above, term.is_thing)
    if crowded:
        extra["crowded"] = True
        if name.name.isascii() and " " not in name.name.strip():
            extra["proper"] = True
    kind = name.type if name.type in (*_NAMED, "location") else "value"
    return Meaning(kind, name.name if kind == "value" else value, name.name, label, extra)


def _region_meanings(
    domain: Domain, vocabulary: SemanticVocabulary, lexicon: Lexicon
) -> Iterator[tuple[str, Meaning]]:
    """Configured regions under the codes that the data uses; none where the model knows no regions."""
    place = domain.entity_dimensions.get("location")
    if vocabulary.terms and place and not vocabulary.find("dimension", place):
        return
    codes = {
        key_of(word): name.code
        for name in lexicon.names
        if name.type == "location" and name.code
        for word in (name.name, *name.aliases)
    }
    used = {
        region.code: next((codes[key_of(w)] for w in region.words if key_of(w) in codes), region.code)
        for region in domain.regions
    }
    names = {region.code: region.name for region in domain.regions if not region.members}
    for region in domain.regions:
        members = [used.get(code, code) for code in region.members]
        value: Any = members or used[region.code]
        extra: dict[str, Any] = {"id": region.name, "name": region.name}
        if members:
            extra["members"] = [names[code] for code in region.members if code in names]
        elif english := next((word.title() for word in region.words if word.isascii()), None):
            extra["title"] = {"ko": region.name, "en": english}
        meaning = Meaning("location", value, region.name, region.name, extra)
        for word in region.words:
            yield word, meaning


def _domain_meanings(domain: Domain, vocabulary: SemanticVocabulary) -> Iterator[tuple[str, Meaning]]:
    for kind in domain.document_types.values():
        for word in kind.words:
            yield word, Meaning("document_type", kind.name, kind.name, kind.title.ko)
    for form, form_words in domain.output_forms.items():
        for word in form_words:
            yield word, Meaning("output_form", form, form, word)
    for type_, values in domain.terms.items():
        for value, value_words in values.items():
            for word in value_words:
                yield word, Meaning(type_, value, value, word)
    yield from _ambiguous_meanings(domain, vocabulary)


def _ambiguous_meanings(domain: Domain, vocabulary: SemanticVocabulary) -> Iterator[tuple[str, Meaning]]:
    for at, ambiguous in enumerate(domain.ambiguous_metrics):
        known = [term for name in ambiguous.options if (term := vocabulary.find("metric", name))]
        if vocabulary.terms and len(known) < 2:  # another company's figures, or one that is meant anyway
            yield from ((word, _term_meaning(term)) for term in known for word in ambiguous.words)
            continue
        for word in ambiguous.words:
            yield (
                word,
                Meaning(
                    "ambiguous_metric",
                    None,
                    word,
                    word,
                    {"options": list(ambiguous.options), "id": f"ambiguous-{at}"},
                ),
            )


def _grain_meanings(domain: Domain, vocabulary: SemanticVocabulary) -> Iterator[tuple[str, Meaning]]:
    times = [
        term
        for term in vocabulary.terms
        if term.kind == "dimension" and set(term.hierarchy) & {"year", "month", "day"}
    ]
    for grain, grain_words in domain.time_grains.items():
        own = next((term for term in times if term.name == grain), times[0] if times else None)
        column = own.column if own else None
        for word in grain_words:
            yield (
                word,
                Meaning(
                    "dimension",
                    column or grain,
                    grain,
                    word,
                    {"name": grain, "column": column, "grain": grain},
                ),
            )


def _slot_meanings(domain: Domain) -> Iterator[tuple[str, Meaning]]:
    for slot in domain.slots.values():
        for value, option_words in slot.options.items():
            for word in option_words:
                yield (
                    word,
                    Meaning(
                        "slot_option", value, value, word, {"slot": slot.name, "id": f"{slot.name}:{value}"}
                    ),
                )


def _all_meanings(
    domain: Domain, vocabulary: SemanticVocabulary, lexicon: Lexicon
) -> Iterator[tuple[str, Meaning]]:
    grains = set(domain.time_grains)
    yield from _grain_meanings(domain, vocabulary)
    for term in vocabulary.terms:
        meaning = _term_meaning(term)
        if term.kind == "dimension" and term.name in grains:
            meaning = replace(meaning, extra={**meaning.extra, "grain": term.name})
        for label in term.labels:
            yield label.removesuffix("별") if term.kind == "dimension" and len(label) > 1 else label, meaning
    yield from _domain_meanings(domain, vocabulary)
    yield from _slot_meanings(domain)
    regions = list(_region_meanings(domain, vocabulary, lexicon))
    yield from regions
    known = {key_of(word) for word, _ in regions}
    sizes = Counter(name.dimension for name in lexicon.names)
    terms = {term.name: term for term in vocabulary.terms if term.kind == "dimension"}
    english = _translations(vocabulary)
    for name in lexicon.names:
        if name.type not in (*_NAMED, "location") and not name.dimension:
            continue
        crowded = sizes[name.dimension] > MANY_NAMES
        meaning = _name_meaning(_of_own_kind(name, domain), terms.get(name.dimension or ""), crowded=crowded)
        translated = [_in_english(name.name, english)] if meaning.type == "value" else []
        for word in (name.name, *name.aliases, *translated):
            if word and (name.type != "location" or key_of(word) not in known):
                yield word, meaning


def _of_own_kind(name: Name, domain: Domain) -> Name:
    """People whom the domain does not mean by a person, such as doctors beside its reps, are values of their own dimension."""
    usual = domain.entity_dimensions.get(name.type)
    other = usual and name.dimension and name.type != "location" and usual != name.dimension
    return replace(name, type="value") if other else name


def _in_english(name: str, english: Mapping[str, str]) -> str:
    """서울 의원팀 as the model translates its parts: Seoul clinic team; empty where it does not know all of them."""
    rest, parts = key_of(name), list[str]()
    while rest:
        cut = next((at for at in range(len(rest), 0, -1) if rest[:at] in english), 0)
        if not cut:
            return ""
        parts.append(english[rest[:cut]])
        rest = rest[cut:]
    return " ".join(parts) if len(parts) > 1 else ""


def _translations(vocabulary: SemanticVocabulary) -> dict[str, str]:
    """Korean words of dimensions and values, each with the first English one."""
    made: dict[str, str] = {}
    for term in vocabulary.terms:
        english = next((label for label in term.labels if label.isascii()), None)
        if english and term.kind in ("dimension", "value"):
            for label in term.labels:
                if not label.isascii():
                    made.setdefault(key_of(label), english)
    return made


def _partials(name: Name) -> set[str]:
    """The short forms of a name: its beginning, or the name without its kind (푸른숲, 글루코민)."""
    keys: set[str] = set()
    for word in (name.name, *name.aliases):
        key = key_of(word)
        first = key_of(word.split()[0]) if " " in word.strip() else ""
        keys.update({first} if len(first) >= 3 else ())
        keys.update(
            key[: -len(suffix)]
            for suffix in _SUFFIXES
            if key.endswith(suffix) and len(key) - len(suffix) >= 2
        )
        if not key.isascii():
            keys.update(key[:cut] for cut in range(3, len(key)))
    return {key for key in keys if not key.isdigit()}


def _unique(found: list[Meaning]) -> tuple[Meaning, ...]:
    if len(found) == 1:
        return (found[0],)
    seen: dict[tuple[str, str], Meaning] = {}
    for meaning in found:
        first = seen.setdefault(meaning.identity, meaning)
        other = meaning.extra.get("dimension")
        if first is not meaning and other and other != first.extra.get("dimension"):
            also = list(dict.fromkeys([*first.extra.get("also", ()), other]))
            seen[meaning.identity] = replace(first, extra={**first.extra, "also": also})
    return tuple(seen.values())


def _called_so(key: str, found: list[Meaning], vocabulary: SemanticVocabulary) -> list[Meaning]:
    """The one figure that is called so, of several that a word may mean; for the others it is only another word."""
    names = {str(m.extra.get("name")) for m in found if m.type == "metric"}
    if len(names) < 2:
        return found
    terms = [term for name in names if (term := vocabulary.find("metric", name))]
    own = {term.name for term in terms if key in {key_of(label) for label in term.labels[:2]}}
    if len(own) != 1:
        return found
    return [m for m in found if m.type != "metric" or str(m.extra.get("name")) in own]


@lru_cache(maxsize=32)
def phrasebook(domain: Domain, vocabulary: SemanticVocabulary, lexicon: Lexicon) -> Phrasebook:
    exact: dict[str, list[Meaning]] = defaultdict(list)
    for word, meaning in _all_meanings(domain, vocabulary, lexicon):
        key = key_of(word)
        if 0 < len(key) <= MAX_KEY:
            exact[key].append(meaning)
    for key, found in exact.items():
        exact[key] = _called_so(key, found, vocabulary)
    partial: dict[str, list[Meaning]] = defaultdict(list)
    for name in lexicon.names:
        if name.type in ("organisation", "product"):
            for key in _partials(name) - exact.keys():
                partial[key].append(_name_meaning(name))
    own = tuple(
        key
        for key, (first, *_) in exact.items()
        if first.type not in ("output_form", "slot_option") and not first.extra.get("proper")
    )
    for key, meaning in _synonyms(vocabulary, exact):
        exact[key] = [meaning]
    longest: dict[str, int] = {}
    for key in exact:
        longest[key[0]] = max(longest.get(key[0], 0), len(key))
    return Phrasebook(
        {key: _unique(found) for key, found in exact.items()},
        {key: _unique(found) for key, found in partial.items()},
        longest,
        own,
        _foreign([meaning for found in exact.values() for meaning in found]),
        {
            _without_kind(each.name): (_name_meaning(each),)
            for each in lexicon.names
            if each.type == "product"
        },
    )


def _synonyms(
    vocabulary: SemanticVocabulary, known: Mapping[str, list[Meaning]]
) -> list[tuple[str, Meaning]]:
    """Words that nobody here knows, for the one figure or kind of thing that they can mean."""
    terms = {
        label.lower(): term
        for term in reversed(vocabulary.terms)
        if term.kind == "dimension" or term.aggregate in ("sum", "count")  # others are made of operators
        if not set(term.hierarchy) & {"year", "month", "day"}
        for label in term.labels
    }
    found: dict[str, dict[tuple[str, str], Meaning]] = defaultdict(dict)
    for said, label in variants(terms):
        key = key_of(said)
        if key in known or not 1 < len(key) <= MAX_KEY:
            continue
        term = terms[label]
        meaning = _term_meaning(term)
        shown = {**meaning.extra, "synonym_of": label}
        found[key].setdefault((term.kind, term.name), replace(meaning, extra=shown))
    made = [(key, next(iter(one.values()))) for key, one in found.items() if len(one) == 1]
    return [*made, *(pair for key, one in made for pair in _yes(key, one, known))]


def _yes(key: str, kind: Meaning, known: Mapping[str, list[Meaning]]) -> Iterator[tuple[str, Meaning]]:
    """The value that is called as its dimension is, under the same other word: corporate, for corp."""
    label = str(kind.extra["synonym_of"])
    for meaning in known.get(key_of(label), ()) if kind.type == "dimension" else ():
        if meaning.type == "value" and meaning.extra.get("dimension") == kind.extra["name"]:
            yield key, replace(meaning, extra={**meaning.extra, "synonym_of": label})


def _without_kind(name: str) -> str:
    return name.removesuffix(next((kind for kind in _KINDS if name.endswith(kind)), ""))


def _foreign(meanings: Sequence[Meaning]) -> dict[str, tuple[Meaning, ...]]:
    """Names in Latin letters. A code that has words of its own is called by these, never by its sound: 말고 is no meal."""
    worded = {(one.extra.get("dimension"), one.name) for one in meanings if one.extra.get("title")}
    found: dict[str, list[Meaning]] = defaultdict(list)
    for meaning in meanings:
        named = meaning.extra.get("place") and meaning.name.isascii() and not meaning.extra.get("crowded")
        if named and (meaning.extra.get("dimension"), meaning.name) not in worded:
            found[meaning.name].append(meaning)
    return {name: _unique(same) for name, same in found.items()}


_CONFUSED = tuple(frozenset(pair) for pair in (
    "ㅐㅔ", "ㅗㅛ", "ㅜㅠ", "ㅓㅕ", "ㅏㅑ", "ㅢㅣ", "ㅚㅙ", "ㅙㅞ", "ㅚㅞ",
    "ㅔㅖ", "ㅐㅒ", "ㄱㄲ", "ㄷㄸ", "ㅂㅃ", "ㅅㅆ", "ㅈㅉ", "ㅈㅊ", "ㅊㅉ",
))  # fmt: skip
_JAMO_NAMES = dict(
    zip([chr(0x1100 + at) for at in range(19)], "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ", strict=True)
) | dict(
    zip([chr(0x1161 + at) for at in range(21)], "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ", strict=True)
)


_INITIALS = frozenset(chr(0x1100 + at) for at in range(19))
_REAL_WORDS = PLACES | frozenset(
    listed("""
목포 대출 제출 배출 수출 지출 매점 매수 매도 매각 부상 부선 서열 서얼 사울 광장 광고 대국
대군 인건 인천공항 울상 울진 경가 경기장 비율 비염 비옹 변원 평가 보상 방식 방법 방금 지역구
제안 제언 제한 직원 진원 품종 품격
""")
)
"""Words that are one letter from a known one and mean something else."""
_ADJECTIVES = frozenset(
    listed("""
비싼 비싸 싼 싸 저렴한 많은 적은 큰 작은 높은 낮은 긴 짧은 좋은 나쁜 새 새로운 오래된 낡은 빠른 느린 무거운 가벼운 두꺼운 얇은
넓은 좁은 깊은 얕은 젊은 어린 늙은 뜨거운 차가운 같은 다른 남은 모든 전체 비슷한 특별한 중요한 주요한 최신 최근
""")
)
"""Words that tell how something is. None of them is a foreign name: 비싼 is not Busan."""


def _slip(word: str, other: str) -> bool:
    """One letter taken for its neighbour in sound or on the keyboard (메출), or a wrong vowel or final (서을): the
    initial consonants, which carry most of a Korean word, stay (대출 is not 매출)."""
    if len(word) != len(other):
        return False
    wrong = [(a, b) for a, b in zip(word, other, strict=True) if a != b]
    if len(wrong) != 1:
        return False
    pair = frozenset(_JAMO_NAMES.get(char, char) for char in wrong[0])
    return pair in _CONFUSED or (len(word) >= 5 and not any(char in _INITIALS for char in wrong[0]))


def allowed_typos(length: int, hangul: bool) -> int:
    """Errors allowed by length in letters: short words may only slip, middling ones bear one wrong letter, long ones a syllable."""
    if hangul:
        return 0 if length < 7 else 1 if length < 12 else 2
    return 0 if length < 5 else 1 if length < 12 else 2


def misspelt(book: Phrasebook, word: str) -> tuple[tuple[Meaning, ...], int] | None:
    """The nearest known words within the typos that their length allows; several at the same distance are all given."""
    spelt = letters(word)
    hangul = not word.isascii()
    best: list[Meaning] = []
    distance = 99
    for size in range(len(spelt) - 2, len(spelt) + 3):
        limit = allowed_typos(min(size, len(spelt)) if hangul else size, hangul)
        others, known = book.fuzzy.get(size, ((), ()))
        near = process.extract_iter(spelt, others, scorer=OSA.distance, score_cutoff=max(limit, 1))
        for other, found, at in near:
            key, meanings = known[at]
            if key.isascii() == hangul or (not hangul and (other[0] != spelt[0] or key == f"{word}s")):
                continue
            if found > limit and not (hangul and found == 1 and _slip(spelt, other)):
                continue
            if found < distance:
                best, distance = [], found
            if found == distance:
                best.extend(meanings)
    return (_unique(best), distance) if best else None


@dataclass(frozen=True)
class Scan:
    """One reading of a text against a phrasebook."""

    source: Source
    book: Phrasebook
    starts_verb: frozenset[int]
    """Finds where a word of an intent begins inside the text: 매출|분석해줘."""

    def _word_end(self, at: int) -> int:
        return next((end for start, end in self.source.words if start <= at < end), at)

    def _boundary(self, start: int, end: int, depth: int) -> bool:
        text = self.source.text
        stop = self._word_end(end) if end < len(text) else end
        rest = text[end:stop]
        last = text[end - 1]
        latin = last.isascii() and last.isalnum() and rest[:1].isascii() and rest[:1].isalnum()
        if latin and not (last.isdigit() and rest[:1].isalpha()):
            return False
        rest = rest.removeprefix("'s").removeprefix("’s")
        if not rest or is_ending(rest) or is_title(rest) or end in self.starts_verb:
            return True
        if depth > 3:
            return False
        return any(
            rest.startswith(joint) and self.at(end + len(joint), depth + 1)
            for joint in ("", "별", "의", "과", "와")
        )

    def at(self, start: int, depth: int = 0) -> Hit | None:
        """The longest known word that begins here and ends at a word's end, before particles or another known word."""
        text = self.source.text
        limit = self.book.longest.get(text[start], 0) if start < len(text) else 0
        key = ""
        ends: list[tuple[str, int]] = []
        at = start
        while at < len(text) and len(key) < limit:
            if not text[at].isspace():
                key += text[at]
                ends.append((key, at + 1))
            at += 1
        for found, end in reversed(ends):
            meanings = self.book.exact.get(found)
            if meanings and self._boundary(start, end, depth):
                return Hit(start, end, meanings, "exact")
        return None

    def hits(self, taken: list[tuple[int, int]]) -> list[Hit]:
        """Known words from left to right; a text position belongs to at most one of them."""
        begins = sorted({start for start, _ in self.source.words} | {end for _, end in taken})
        found: list[Hit] = []
        done = 0
        pending = list(begins)
        while pending:
            start = pending.pop(0)
            if start < done or start >= len(self.source.text):
                continue
            hit = self.at(start)
            if hit is None:
                continue
            found.append(hit)
            done = hit.end
            for joint in (1, 0):
                if hit.end + joint < self._word_end(hit.end):
                    pending.insert(0, hit.end + joint)
        return found

    def _loose(self, start: int, end: int) -> Hit | None:
        """A shortened or misspelt name: one word, perhaps with particles."""
        word = self.source.text[start:end]
        for stem in stems(word):
            meanings = self.book.partial.get(stem)
            if meanings and (len(stem) >= 2):
                return Hit(start, start + len(stem), meanings, "partial")
        best: tuple[int, Hit] | None = None
        if not {*stems(word)}.isdisjoint(_REAL_WORDS):
            return None
        for stem in stems(word):
            found = misspelt(self.book, stem) if len(stem) >= 2 and not korean.is_noun(stem) else None
            if found and (best is None or found[1] < best[0]):
                best = (found[1], Hit(start, start + len(stem), found[0], "typo"))
        return best[1] if best else None

    def _loose_phrase(self, words: list[tuple[int, int]], at: int) -> Hit | None:
        """A misspelt name of several words: Haeoreum Genral Hospital."""
        for size in (4, 3, 2):
            run = words[at : at + size]
            if len(run) < size or run[-1][1] - run[0][0] > MAX_KEY:
                continue
            tail = self.source.text[run[-1][0] : run[-1][1]]
            head = "".join(self.source.text[s:e] for s, e in run[:-1])
            for stem in stems(tail):
                found = misspelt(self.book, head + stem) if len(head + stem) >= 7 else None
                if found and found[0][0].type in _NAMED:
                    return Hit(run[0][0], run[-1][0] + len(stem), found[0], "typo")
        return None

    def _heard(self, words: list[tuple[int, int]], at: int) -> Hit | None:
        """A foreign name in Hangul, of one word or two: 재즈, 아이언 메이든; a product in Latin letters: Carvion."""
        word = self.source.text[slice(*words[at])]
        if word.isascii():
            name = nearest(word, self.book.native) if len(word) >= _LEAST_LATIN else None
            return Hit(*words[at], self.book.native[name], "sound") if name else None
        if not self.book.foreign or word in _ADJECTIVES or is_common(word):
            return None
        for run in (words[at : at + 2], words[at : at + 1]):
            text = self.source.text
            head = "".join(text[start:end] for start, end in run[:-1])
            for stem in stems(text[slice(*run[-1])]):
                said = head + stem
                name = nearest(said, self.book.foreign)
                if name is not None:
                    return Hit(run[0][0], run[-1][0] + len(stem), self.book.foreign[name], "sound")
        return None

    def loose_hits(self, taken: list[tuple[int, int]]) -> list[Hit]:
        """Shortened and misspelt words in what no exact reading has claimed."""
        words = [(s, e) for s, e in self.source.words if not self.source.text[s:e].isdigit()]
        found: list[Hit] = []
        done = 0
        for at, (start, end) in enumerate(words):
            if start < done:
                continue
            if any(start < stop and begin < end for begin, stop in taken):
                continue
            hit = self._loose_phrase(words, at) or (
                self._loose(start, end) or self._heard(words, at) if start not in self.starts_verb else None
            )
            if hit:
                found.append(hit)
                done = hit.end
        return found
