"""Terms of a text, the same for documents and questions: what an index counts.

Korean gives content morphemes, compounds split and whole; English gives stems; numbers, codes and article numbers are terms in
one spelling each: 10만 원 and 100,000원 are `100000`, MS-201 and MS201 are `ms201`, Article 47-2 and 제47조의2 are `제47조의2`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from metaagent.knowledge.korean import Analyser, Morpheme, morphemes
from metaagent.language.patterns import regex
from metaagent.yaml_lines import parse

VERSION = 4
"""Raised whenever a text gives other terms than before: an index of another version is built anew."""

_TOKEN = regex(
    r"(?P<article>제?\s?(?P<number>\d{1,4})\s?조(?!\s?\d*\s?[원억만])(?:\s?의\s?(?P<branch>\d{1,3}))?"
    r"(?:\s?제?\s?(?P<paragraph>\d{1,3})\s?항)?)"
    r"|(?P<cited>(?:\barticles?|\barts?\.|\bsections?|\bsec\.|§{1,2})\s?(?P<n>\d{1,4})(?:-(?P<b>\d{1,3}))?(?:\s?\((?P<p>\d{1,3})\))?)"
    r"|(?P<amount>(?:\d[\d,]*(?:\.\d+)?\s?[천백]?[만억조]\s?)+(?:\d[\d,]*천?)?|\d[\d,]*천(?=\s?(?:원|명|개|건)))"
    r"|(?P<code>[a-z]{1,10}[-_/]?\d[a-z0-9]*(?:[-_/][a-z0-9]+)*|\d+(?:[-_/][a-z0-9]+)+|\d+[a-z]+[a-z0-9]*)"
    r"|(?P<figure>\d[\d,]*(?:\.\d+)?)"
    r"|(?P<english>[a-z]+(?:['’][a-z]+)?)"
    r"|(?P<korean>[가-힣]+)"
    r"|(?P<other>[^\W\d_]+)"
)
_GAP = regex(r"\s++(?:(?![\d(조의제항천백만억원명개건])|(?<![\d조천]\s)(?<!\s\s)(?!\d))")
"""Spaces that no token reaches over: behind those inside of a token stands a digit, or a unit or paragraph after a digit,
조 or 천."""
_SCALES = {"천": 10**3, "백": 100, "만": 10**4, "억": 10**8, "조": 10**12}
_PART = regex(r"(\d[\d,]*(?:\.\d+)?)\s?([천백]?)([만억조]?)")
_NOUNS = frozenset({"NNG", "NNP", "XR", "NR", "SL", "SH", "SN", "UNKNOWN", "UNA", "UN"})
_AFFIXES = frozenset({"XSN", "XPN", "NNB", "NNBC"})
_INFLECTED = frozenset({"VV", "VA", "VX", "VCP", "VCN", "XSV", "XSA", "EF", "EC", "ETM", "ETN", "EP"})
_PARTICLE = "의"
"""The particle that analysers take for the end of a noun most often."""
_VERBS = frozenset({"VV", "VA"})
_DICTIONARY_FORM = regex(r"(?<=[가-힣])다$")
_SPOKEN = ("면", "고")
_SUBJECT = "가"
"""A particle that shows a noun for what it is."""
_SHORT = range(2, 4)
"""Syllables of nouns that may be read as verbs: 단가 is also an ending of 달다."""


def tokenizer(analyser: Analyser = "mecab") -> str:
    """Name the way in which terms are made: an index of another one is built anew."""
    return f"terms:{VERSION}" if analyser == "mecab" else f"terms:{VERSION}:{analyser}"


def analyser_of(name: str) -> Analyser:
    """The analyser of a tokenizer's name."""
    return "kiwi" if name.endswith(":kiwi") else "mecab"


def terms(text: str, analyser: Analyser = "mecab") -> list[str]:
    """List the terms of a text in their order, repeated as often as they stand there."""
    spelled = _spelled(text, analyser)
    return spelled.replace(_WORD, _TERM).split(_TERM) if spelled else []


def word_terms(text: str, analyser: Analyser = "mecab") -> Iterator[list[str]]:
    """Give the terms of each word of a text; those of a compound belong together, the whole last."""
    spelled = _spelled(text, analyser)
    return (word.split(_TERM) for word in spelled.split(_WORD)) if spelled else iter(())


_TERM, _WORD = "\0", "\1"
"""Marks between the terms of a word, and between words. No term has one."""
_SPELLED: dict[Analyser, dict[str, str]] = {"mecab": {}, "kiwi": {}}
"""Terms of pieces of text that were seen before: texts repeat their words. Plain strings, so that no collection of garbage
has to look at them."""
_MOST_PIECES = 100_000
_LONGEST_PIECE = 40


def _spelled(text: str, analyser: Analyser) -> str:
    """The terms of a text with marks between them."""
    known, found = _SPELLED[analyser], list[str]()
    for piece in _GAP.split(unicodedata.normalize("NFC", text).lower()):
        spelled = known.get(piece)
        if spelled is None:
            words = (_terms_of(token, analyser) for token in _TOKEN.finditer(piece))
            spelled = _WORD.join(_TERM.join(word) for word in words if word)
            if len(known) >= _MOST_PIECES:
                known.clear()
            if len(piece) <= _LONGEST_PIECE:
                known[piece] = spelled
        if spelled:
            found.append(spelled)
    return _WORD.join(found)


def phrase_keys(phrase: str, analyser: Analyser = "mecab") -> tuple[str, ...]:
    """Give one term for each word of a phrase, by which it is found in a question: the whole of a compound, and of a noun with
    a verb that means little (스캔하다) the noun. A verb may be given in its dictionary form."""
    if _DICTIONARY_FORM.search(phrase):  # analysers read 내리면 as a verb more surely than 내리다
        for ending in _SPOKEN:
            keys = tuple(key_of(word) for word in word_terms(_DICTIONARY_FORM.sub(ending, phrase), analyser))
            if keys and keys[-1].endswith("다"):
                return keys
    return tuple(key_of(word) for word in word_terms(phrase, analyser))


def is_whole(phrase: str, keys: Sequence[str]) -> bool:
    """Say whether a phrase can be found by its keys: they stand for each of its words, small English words aside. 덜 왔 cannot:
    덜 is no word to search for."""
    return bool(keys) and (phrase.isascii() or len(keys) == len(phrase.split()))


def key_of(word: Sequence[str]) -> str:
    """The term by which a word is told from others: its last one that does not only ask; the last where all do."""
    return next((term for term in reversed(word) if term not in _asking()), word[-1])


def asked_words(question: str, analyser: Analyser = "mecab") -> list[list[str]]:
    """List the words of a question once each as their terms, without the words that only ask; all of them where nothing
    else is left."""
    every = list({tuple(word): word for word in word_terms(question, analyser)}.values())
    kept = [[term for term in word if term not in _asking()] for word in every]
    return [word for word in kept if word] or every


def other_forms(term: str) -> tuple[str, ...]:
    """List other forms of the word that a term stands for: blew for blow, and for 두근대다 두근거리다 and the noun of it."""
    verb = _SHAKING.fullmatch(term)
    if verb is None:
        return _irregular().get(term, ())
    return tuple(f"{verb[1]}{ending}" for ending in ("거리다", "대다", "거림") if verb[2] != ending)


def _terms_of(token: re.Match[str], analyser: Analyser) -> list[str]:
    kind, text = str(token.lastgroup), token[0]
    if token["article"]:
        return _article(token["number"], token["branch"], token["paragraph"])
    if token["cited"]:
        return _article(token["n"], token["b"], token["p"])
    if kind == "amount":
        return [_amount(text)]
    if kind == "code":
        parts = [part for part in re.split(r"[-_/]", text) if len(part) > 1]
        whole = text if text.replace("-", "").isdigit() else re.sub(r"[-_/]", "", text)
        return [whole, *(part for part in parts if part != whole)]
    if kind == "figure":
        return [text.replace(",", "")]
    if kind == "english":
        word = re.split(r"['’]", text)[0]
        return [] if word in _words("stop") or len(word) < 2 else [_stem(word)]
    if kind == "korean":
        return [] if _is_particle(token) else list(_korean(text, analyser))
    return [text]


_PARTICLES = regex(
    r"(?:에서|에게|께서|으로|부터|까지|보다|처럼|마다|이랑|하고|이나|라도|이라|[은는이가을를의에도만로와과랑나라])+"
)


_LAST_PARTICLE = regex(r"(?:에서|에게|으로|부터|까지|[은는이가을를의에도만로와과])$")


def _is_particle(token: re.Match[str]) -> bool:
    """Say whether Korean behind a number, an article or an English word is nothing but particles: 제47조에서."""
    start = token.start()
    joined = start > 0 and (token.string[start - 1].isalnum() or token.string[start - 1] in ")]")
    return joined and _PARTICLES.fullmatch(token[0]) is not None


def _article(number: str, branch: str | None, paragraph: str | None) -> list[str]:
    """Name an article, and the article with its paragraph where one is given."""
    name = f"제{int(number)}조" + (f"의{int(branch)}" if branch else "")
    return [name, f"{name}제{int(paragraph)}항"] if paragraph else [name]


def _amount(text: str) -> str:
    """Write an amount with Korean scales as its digits: 3만 5천 is 35000."""
    total = 0.0
    for digits, small, large in _PART.findall(text):
        total += float(digits.replace(",", "")) * _SCALES.get(small, 1) * _SCALES.get(large, 1)
    return str(int(total)) if total.is_integer() else str(total)


@lru_cache(50_000)
def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word))


@lru_cache(1)
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")


@lru_cache(10_000)
def _korean(word: str, analyser: Analyser) -> tuple[str, ...]:
    """Give the nouns of a word, runs of them also whole and in pairs (an analyser that cuts 설명회 into 설 and 명회 is
    mended by their pair), and verbs and adjectives in their dictionary form."""
    found: list[str] = []
    run: list[Morpheme] = []
    read = _with_noun_ends(word, morphemes(word, analyser))
    for morpheme in (*read, Morpheme("", "")):
        if morpheme.tag in _NOUNS or morpheme.tag in _AFFIXES:
            run.append(morpheme)
            continue
        found += _nouns(run)
        run = []
        if morpheme.tag in _VERBS:
            found.append(f"{morpheme.form}다")
    stem = _unread_stem(word, read) or (
        "" if found and not found[-1].endswith("다") else _noun(word, analyser)
    )
    if not stem and not found and len(read) == 2 and read[0].tag == "NP":  # 이자는 is no 이 자
        stem = _noun(read[0].form, analyser)
    stem = stem or _name_cut_by_particle(word, read)
    return tuple([*found, stem] if stem and stem not in found else found)


def _with_noun_ends(word: str, read: Sequence[Morpheme]) -> Sequence[Morpheme]:
    """Take the last syllable of a word for the end of its noun where the analyser reads it as a verb without an ending that
    is seen: 유류비 is no 유류 that is empty (비어)."""
    if len(read) < 3 or [morpheme.tag for morpheme in read[-2:]] != ["VV", "EC"]:
        return read
    noun, verb = read[-3], read[-2]
    ends = noun.tag in _NOUNS and len(verb.form) == 1 and word.endswith(noun.form + verb.form)
    return [*read[:-2], Morpheme(verb.form, "XSN")] if ends else read


def _noun(word: str, analyser: Analyser) -> str:
    """Give the word itself where it is read as a verb, and before a particle as a noun."""
    if len(word) not in _SHORT:
        return ""
    read = morphemes(word + _SUBJECT, analyser)
    alone = len(read) == 2 and read[0].form == word and read[0].tag in ("NNG", "NNP")
    return word if alone and read[1].tag.startswith("J") else ""


def _unread_stem(word: str, read: Sequence[Morpheme]) -> str:
    """Give the word without its particles where it is a name of three syllables or more: the analyser cuts names that it does
    not know, and cuts them otherwise before each particle."""
    if any(morpheme.tag in _INFLECTED for morpheme in read):
        return ""
    last = len(read)
    while last > 1 and read[last - 1].tag.startswith("J"):
        last -= 1
    stem = word.removesuffix("".join(morpheme.form for morpheme in read[last:]))
    return stem if len(stem) > 2 else ""


def _name_cut_by_particle(word: str, read: Sequence[Morpheme]) -> str:
    """Give a name that the analyser reads as words with a particle between them: 시프로엘주 is no 시프로에 and 주다."""
    inside = any(one.tag.startswith("J") and two.tag in {*_NOUNS, "VV", "VA"} for one, two in pairwise(read))
    stem = _LAST_PARTICLE.sub("", word) if inside else ""
    return stem if len(stem) > 2 else ""


def _nouns(run: list[Morpheme]) -> list[str]:
    if not any(morpheme.tag in _NOUNS for morpheme in run):
        return []
    whole = "".join(morpheme.form for morpheme in run)
    pairs = [a.form + b.form for a, b in pairwise(run)] if len(run) > 2 else []
    if (
        len(run) > 1 and len(run[-1].form) > 1 and whole.endswith(_PARTICLE)
    ):  # 설명회의 is not 설명 + 회의 alone
        pairs += [(run[-2].form + run[-1].form)[:-1], whole[:-1]]
    single = [m.form for m in run if m.tag in _NOUNS and (len(m.form) > 1 or len(run) == 1)]
    parts = [part for m in run for part in m.parts if len(part) > 1]
    return [*dict.fromkeys(term for term in (*single, *parts, *pairs) if term != whole), whole]


_SHAKING = regex(r"([가-힣]{2,3})(거리다|대다|거림)")


@lru_cache(1)
def _irregular() -> dict[str, tuple[str, ...]]:
    groups = [[_stem(word) for word in group.split()] for group in _listed("forms_en").split(",")]
    return {one: tuple(other for other in group if other != one) for group in groups for one in group}


@lru_cache(1)
def _asking() -> frozenset[str]:
    return _words("asking_ko") | {_stem(word) for word in _words("asking_en")}


@lru_cache(3)
def _words(kind: str) -> frozenset[str]:
    return frozenset(_listed(kind).split())


def _listed(kind: str) -> str:
    file = Path(__file__).with_name("words.yaml")
    return str(parse(file.read_text("utf-8"), file).data[kind])
