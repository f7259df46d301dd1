"""Names of tables and columns -> words, in English and, for common ones, Korean."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise, product

from metaagent.data.semantic.drafting.dictionary import (
    ENGLISH,
    HEADS,
    KOREAN,
    LESS_COMMON,
    ROLES,
    ROMANISED,
    SHORT,
    SHORTENED,
)
from metaagent.data.semantic.drafting.dictionary_hangul import FROM_HANGUL, TAILS
from metaagent.data.semantic.drafting.romanised import from_latin, spelled
from metaagent.language.patterns import regex

_HUNGARIAN = regex(
    r"^(?:tbl|tb|t|dim|fact|fct|stg|mst|vw|v|tbl\d+)[_ -]+(?=\w)"
    r"|[_ -]+(?:tbl|tb|mst|mstr|master|info|inf|dim|fact|hdr|hd|head|header|vw|view|[hm])$"
    r"|(?<=[가-힣])[_ -]?(?:마스터|정보|테이블)$",
    re.IGNORECASE,
)


_TYPED = regex(
    r"^(?:tbl|tb|vw|str|txt|lng|int|dtm|dte|dbl|sng|dec|cur|mny|bln|bit|num|chr|var|fld|col|[bcdfilns])(?=[A-Z][a-z])"
)
"""A kind in small letters before the name: tblTrip, strName, dtmStart, nQty."""
_YES = regex(r"^(?:bln|bit|b)(?=[A-Z][a-z])")
_CAMEL = regex(r"(?<=[a-z0-9])(?:Master|Mst|Mstr|Info|Hdr|Header|Tbl|Table)$")
"""The same behind a word in small letters: ItemMaster."""
_DONE = {
    "sold",
    "ordered",
    "shipped",
    "returned",
    "paid",
    "received",
    "used",
    "issued",
    "canceled",
    "cancelled",
    "produced",
}
_PAST = {
    "return": "returned",
    "order": "ordered",
    "shipping": "shipped",
    "sale": "sold",
    "purchase": "purchased",
}
_MOST_HEADS = 4
"""결제 금액 and 납부 금액, but not every way to say a name of four words."""


def words_of(name: str) -> list[str]:
    """'InvoiceLine', 'invoice_lines' and 'tbl_invoice_line' -> ['invoice', 'line']; 'order_qty' -> ['order', 'quantity']."""
    bare = _UNIT.sub(_spaced_unit, _CAMEL.sub("", _TYPED.sub("", _HUNGARIAN.sub("", name)) or name))
    spaced = re.sub(
        r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[가-힣]{2})(?=[A-Za-z]{1,3}$)", " ", bare
    )
    cut = [part for part in re.split(r"[\W_]+", spaced.lower()) if part]
    parts = [word for part in cut for word in _expanded(part)]
    if cut[:1] == ["prod"] and parts[1:2] and parts[1] in _MADE:
        parts[0] = "production"
    for at, (part, beside) in enumerate(pairwise([*cut, ""])):
        if len(parts) == len(cut) and (
            said := _BESIDE.get((part, beside)) or _BEHIND.get((cut[at - 1], part) if at else ("", ""))
        ):
            parts[at] = said
    if cut[:1] == ["min"] and len(cut) > 1 and cut[1] not in ("cnt", "count"):  # min_stock, but duration_min
        parts[0] = "minimum"
    parts = [
        part for at, part in enumerate(parts) if at == 0 or parts[at - 1] != part
    ]  # distance_km, area_sqm
    return [*parts[:-1], singular(parts[-1])] if parts else [name.lower()]


_UNIT = regex(
    r"(?<=[가-힣a-z_ ])[_ (]*(kWh|MWh|GWh|kW|MW|KWH|MWH|KW|m2|m3|㎡|㎥|km2|kg|Kg|KG|km|KM|mL|ML|cm|mm|㎏|㎞|㎾h|㎾)\)?$"
)
_UNITS_WRITTEN = {"㎡": "m2", "㎥": "m3", "㎏": "kg", "㎞": "km", "㎾h": "kwh", "㎾": "kw"}


def _spaced_unit(found: re.Match[str]) -> str:
    """발전량kWh and energy_kWh are measured in kWh: the letters of a unit are one word."""
    return f" {_UNITS_WRITTEN.get(found[1], found[1].lower())}"


_BESIDE = {
    ("prc", "sts"): "process",
    ("prc", "dt"): "process",
    ("prc", "stat"): "process",
    ("dist", "km"): "distance",
    ("dep", "dt"): "departure",
    ("exp", "dt"): "expiry",
    ("exp", "date"): "expiry",
    ("exp", "ymd"): "expiry",
    ("dep", "date"): "departure",
    ("gst", ""): "tax",
    ("gst", "amt"): "tax",
    ("gst", "amount"): "tax",
    ("st", "tm"): "start",
    ("st", "dt"): "start",
    ("ed", "tm"): "end",
    ("ed", "dt"): "end",
}
"""Short forms that mean something else before another."""
_BEHIND = {("job", "ttl"): "title", ("km", "dist"): "distance", ("tot", "dist"): "distance"}
"""The same behind another."""


def says_yes(name: str) -> bool:
    """Tell whether the kind before a name is yes or no: blnFixed, bActive."""
    return _YES.search(name) is not None


_CURRENCIES = frozenset({"usd", "eur", "gbp", "jpy", "krw", "cny", "chf", "aud", "cad"})
_MADE = frozenset({"quantity", "result", "plan", "volume", "rate", "order", "date", "time"})
"""Words before which prod is a production rather than a product."""
_WHOLE = frozenset({"start", "restart", "valid", "invalid", "empty"})
"""Words that look as if they were put together of two short forms."""


def _expanded(part: str) -> list[str]:
    """'amt' -> amount, 'jumun' -> order, 'custnm' -> customer, name."""
    full = _full(part)
    if full or singular(part) in KOREAN or not part.isascii() or part in _WHOLE:
        return [full or part]
    for at in range(len(part) - 2, 1, -1):
        head, tail = _full(part[:at]) or part[:at], _full(part[at:]) or part[at:]
        if tail in HEADS and (head in KOREAN or head != part[:at]):
            return [head, tail]
    return [part]


def _full(part: str) -> str | None:
    known = SHORT.get(part) or ROMANISED.get(part)
    if known or part in _CURRENCIES or part in KOREAN or singular(part) in KOREAN:
        return known
    said = from_latin(part)
    if said:
        return _only_word(said) or said
    return _without_vowels(part) or _begun(part) or _cut_behind(part)


def is_known(part: str) -> bool:
    """Tell whether a part of a name is a word of English, a short form of one, or Korean that is read as it is."""
    return singular(part) in KOREAN or part in ENGLISH or _expanded(part) != [part]


def _only_word(said: str) -> str | None:
    """The one English word that a Korean one is said for first; none where there are several, or it is said for others too."""
    meant = [w for w, listed in KOREAN.items() if listed[0] == said and w not in PARTICIPLES and " " not in w]
    return meant[0] if len(meant) == 1 else None


@lru_cache(maxsize=4096)
def _begun(part: str) -> str | None:
    """The one word that begins so and goes on with a vowel: maint, reserv."""
    if len(part) <= _SHORTEST or part[-1] in "aeiouy":
        return None
    longer = [word for word in SHORTENED if word.startswith(part) and word[len(part) :][:1] in tuple("aeiou")]
    longer = [word for word in longer if len(word) > len(part) + 1]
    if not longer and len(part) > _SHORTEST + 1:  # pollin, of a word that is rare
        longer = [
            word for word in LESS_COMMON if word.startswith(part) and word[len(part) :][:1] in tuple("aeiou")
        ]
    return longer[0] if len(longer) == 1 else None


def _skeleton(word: str) -> str:
    """'borrower' -> 'brwr': the consonants, each run of one letter once."""
    bare = word[0] + re.sub("[aeiou]", "", word[1:])
    return re.sub(r"(.)\1+", r"\1", bare)


_SKELETONS: dict[str, list[str]] = {}
for _word in sorted(SHORTENED):
    _SKELETONS.setdefault(_skeleton(_word), []).append(_word)
_LESS_COMMON: dict[str, list[str]] = {}
for _word in sorted(LESS_COMMON):
    _LESS_COMMON.setdefault(_skeleton(_word), []).append(_word)
_SHORTEST = 4
"""Letters from which on a word may be told by some of its consonants."""
_BEGINNING = 3


@lru_cache(maxsize=4096)
def _cut_behind(part: str) -> str | None:
    """The one word that begins so, of which the rest is cut: beekpr, a beekeeper; the last letter is the word's own."""
    if len(part) <= _BEGINNING + 2 or part in ENGLISH or not part.isalpha():
        return None
    begin, rest = part[:_BEGINNING], part[_BEGINNING:]
    if any(letter in "aeiou" for letter in rest):
        return None
    longer = [
        word
        for word in (*SHORTENED, *LESS_COMMON)
        if word.startswith(begin) and word[-1] == part[-1] and len(word) > len(part) and " " not in word
        and _in_order(rest, word[_BEGINNING:])
    ]  # fmt: skip
    return longer[0] if len(longer) == 1 else None


_CONSONANTS = regex(r"[a-z][b-df-hj-np-tv-z]{2,}")


@lru_cache(maxsize=4096)
def _without_vowels(part: str) -> str | None:
    """The one word that these are the consonants of, all of them (drvr) or some between the first and the last (frt)."""
    if not _CONSONANTS.fullmatch(part):
        return None
    bare = re.sub(r"(.)\1+", r"\1", part)
    many = (
        [f"{word}s" for word in (*_SKELETONS.get(bare[:-1], ()), *_LESS_COMMON.get(bare[:-1], ()))]
        if bare[-1] == "s"
        else []
    )
    whole = _SKELETONS.get(bare) or _LESS_COMMON.get(bare) or many
    if whole or len(part) < _SHORTEST:
        return whole[0] if len(whole) == 1 else None
    some = [
        word
        for bare, words in _SKELETONS.items()
        if bare[0] == part[0] and bare[-1] == part[-1] and _in_order(part, bare)
        for word in words
    ]
    return some[0] if len(some) == 1 else None


def cut_from(part: str) -> list[str]:
    """All common words that these are the consonants of; the neighbours of the name tell which."""
    bare = re.sub(r"(.)\1+", r"\1", part)
    every = [*_SKELETONS.get(bare, ()), *_LESS_COMMON.get(bare, ())]
    return [word for word in every if len(word) > len(part)] if _CONSONANTS.fullmatch(part) else []


def is_short_of(part: str, name: str) -> bool:
    """Tell whether a key begins with few letters of its table's own name: bk_id of beekeepers says nothing else."""
    return 1 < len(part) <= _SHORTEST - 1 and part[0] == name[:1] and part != name and _in_order(part, name)


def _in_order(part: str, whole: str) -> bool:
    rest = iter(whole)
    return all(letter in rest for letter in part)


_NUMBER_OF = regex(r"[_ ]?(?:번호|코드|사번|아이디|ID|NO)$", re.IGNORECASE)


def role_of(column: str, table: list[str], key: str) -> list[str]:
    """The words of a key's column that say what the other table is here: ship_region_id of regions -> shipping."""
    if hangul(column):
        for known in (key, *table):
            if column.endswith(known) and column != known:
                role = column.removesuffix(known).strip("_ ")
                return [from_latin(role.lower()) or role]
        if said := _NUMBER_OF.sub("", column).strip("_ "):
            return [said]
    known = {*table, *words_of(key), "id", "key", "code", "number"}
    return [ROLES.get(word, word) for word in _raw(column) if word not in known]


def _raw(column: str) -> list[str]:
    """The words before short forms of roles are taken for something else: dep is a departure here, not a department."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", _TYPED.sub("", column)).lower()
    first, *rest = [part for part in re.split(r"[\W_]+", spaced) if part]
    return [
        first if first in ROLES else _expanded(first)[0],
        *(word for part in rest for word in _expanded(part)),
    ]


def hangul(word: str) -> bool:
    return any("가" <= char <= "힣" for char in word)


_SAME = frozenset(
    {
        "species",
        "series",
        "goods",
        "news",
        "status",
        "bus",
        "gas",
        "canvas",
        "address",
        "analysis",
        "diagnosis",
        "basis",
        "lens",
    }
)
"""Words that are no plural, though they end like one."""


def singular(word: str) -> str:
    if word in _SAME:
        return word
    if word == "children":
        return "child"
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if word.endswith("es") and word[:-2].endswith(("s", "x", "z", "ch", "sh")) and word[:-2] in KOREAN:
        return word[:-2]  # lenses, buses
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def plural(word: str) -> str:
    if not word.isascii() or word in ("species", "series", "news", "staff", "equipment", "people"):
        return word
    if word == "child":
        return "children"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")


def korean(words: list[str]) -> list[str]:
    """Translate all words or none: half a translation misleads."""
    words = _turned(_joined(words))
    known = [_korean_for(word) for word in _compounds(words)]
    if not all(known):
        return []
    heads = [" ".join(chosen) for chosen in product(*known[:-1])][:_MOST_HEADS]
    return [f"{head} {last}".strip() for head in heads for last in known[-1]]


def _korean_for(word: str) -> list[str]:
    """The Korean for a word; a participle that is not listed is said as its noun: the claimed amount is 청구 금액."""
    if hangul(word):
        return [word]
    bare = word.removesuffix("ed")
    doubled = [bare[:-1]] if bare[-1:] == bare[-2:-1] else []
    stems = (bare, f"{bare}e", *doubled) if word.endswith("ed") else ()
    return next((KOREAN[one] for one in (word, *stems, singular(word)) if one in KOREAN), [])


def _compounds(words: list[str]) -> list[str]:
    """The words with those put together that have a word of their own: a policy holder is a 계약자."""
    for at in range(len(words) - 1):
        pair = " ".join(words[at : at + 2])
        if pair in KOREAN:
            return [*words[:at], pair, *_compounds(words[at + 2 :])]
    return words


def _turned(words: list[str]) -> list[str]:
    """'units sold' are sold units."""
    return [words[-1], *words[:-1]] if len(words) > 1 and words[-1] in _DONE else words


def _joined(words: list[str]) -> list[str]:
    """A unit price is a price; what a thing is called by is its name."""
    return [word for at, word in enumerate(words) if (word, *words[at + 1 : at + 2]) != ("unit", "price")]


PARTICIPLES = {
    *_DONE,
    "opened",
    "hired",
    "joined",
    "enrolled",
    "registered",
    "created",
    "updated",
    "due",
    "buying",
    "selling",
    "sales",
    "closed",
    "delivered",
    "unpaid",
    "unreturned",
    "open",
    "active",
}
_FROM_KOREAN: dict[str, list[str]] = {}
"""Korean words in English: those that are said so first before others."""
for _place in range(5):
    for _word, _listed in sorted(KOREAN.items(), key=lambda item: item[0] in PARTICIPLES):
        for _said in _listed[_place : _place + 1]:
            _FROM_KOREAN.setdefault(_said, []).append(_word)


for _said, _words in FROM_HANGUL.items():
    _FROM_KOREAN.setdefault(_said, [])
    _FROM_KOREAN[_said] += [word for word in _words if word not in _FROM_KOREAN[_said]]


@lru_cache(maxsize=4096)
def _parts(word: str) -> tuple[str, ...]:
    """The known words that a Korean one is put together of, as few as can be: 결제수단 -> 결제, 수단; none if it is not."""
    if word in _FROM_KOREAN:
        return (word,)
    for at in range(len(word) - 2, 1, -1):
        if word[:at] in _FROM_KOREAN and (rest := _parts(word[at:])):
            return (word[:at], *rest)
    if len(word) > 2 and word[-1] in TAILS and (head := _parts(word[:-1])):  # 수리비, 대여료
        return (*head, word[-1])
    return ()


def parts_of(word: str) -> tuple[str, ...]:
    """The known words that a Korean one is put together of; none if it is not."""
    return _parts(word)


def _meant(part: str) -> list[str]:
    """The English words for a Korean one; participles only where there is nothing else."""
    known = _FROM_KOREAN.get(part) or TAILS[part]
    if part in FROM_HANGUL:  # said so first
        return [*FROM_HANGUL[part], *(word for word in known if word not in FROM_HANGUL[part])]
    found = sorted(known, key=lambda word: " " in word)  # a product before a product line
    return [word for word in found if word not in PARTICIPLES] or found


def _spelt(words: list[str]) -> list[str]:
    """Untranslated words in Latin letters, in the singular and the plural: jungmaein."""
    known = [
        _meant(word)[0] if word in _FROM_KOREAN else next(spelled(word), "") if hangul(word) else word
        for word in words
    ]
    return [" ".join(known), " ".join([*known[:-1], f"{known[-1]}s"])] if all(known) else []


def english(words: list[str]) -> list[str]:
    """The words as they are, in the plural, and what else people say; of Korean names, what they mean."""
    if all(hangul(word) for word in words) and all(map(_parts, words)):
        parts = [part for word in words for part in _parts(word)]
        heads = [_meant(part)[0] for part in parts[:-1]]
        made = [said for last in _meant(parts[-1])[:4] for said in english([*heads, last])]
        return list(dict.fromkeys([*made, " ".join(words)]))
    if any(map(hangul, words)) and all(not hangul(word) or _parts(word) for word in words):
        cut = [part for word in words for part in (_parts(word) if hangul(word) else (word,))]
        return english([_meant(part)[0] if hangul(part) else part for part in cut])
    if any(map(hangul, words)):  # what cannot be translated can be spelt
        return [" ".join(words), *_spelt(words)]
    short = _joined(words)
    more = english(short) if short != words else []
    base = " ".join(words)
    many = " ".join([*words[:-1], plural(words[-1])])
    also = ENGLISH.get(words[-1], []) if len(words) == 1 else []
    if len(words) > 1 and words[0] in _PAST:
        also = [*also, " ".join([_PAST[words[0]], *words[1:]])]
    if _turned(words) != words:
        also = [*also, " ".join(_turned(words)), " ".join(words[:-1])]
    return list(dict.fromkeys([base, many, *also, *more]))
