"""Names of tables and columns -> words, in English and, for common ones, Korean."""

from __future__ import annotations

import re
from itertools import product

from metaagent.data.semantic.dictionary import ENGLISH, HEADS, KOREAN, ROLES, ROMANISED, SHORT
from metaagent.language.patterns import regex

_HUNGARIAN = regex(
    r"^(?:tbl|tb|t|dim|fact|fct|stg|mst|tbl\d+)_+(?=\w)"
    r"|_+(?:tbl|tb|mst|mstr|master|info|inf|dim|fact|hdr|head|header|[hm])$|(?<=[가-힣])(?:마스터|정보|테이블)$",
    re.IGNORECASE,
)


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
    bare = _CAMEL.sub("", _HUNGARIAN.sub("", name) or name)
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", bare)
    parts = [word for part in re.split(r"[\W_]+", spaced.lower()) if part for word in _expanded(part)]
    return [*parts[:-1], singular(parts[-1])] if parts else [name.lower()]


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
    return SHORT.get(part) or ROMANISED.get(part)


def role_of(column: str, table: list[str], key: str) -> list[str]:
    """The words of a key's column that say what the other table is here: ship_region_id of regions -> shipping."""
    if hangul(column):
        for known in (key, *table):
            if column.endswith(known) and column != known:
                return [column.removesuffix(known).strip("_ ")]
    known = {*table, *words_of(key), "id", "key", "code", "number"}
    return [ROLES.get(word, word) for word in _raw(column) if word not in known]


def _raw(column: str) -> list[str]:
    """The words before short forms of roles are taken for something else: dep is a departure here, not a department."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", column).lower()
    first, *rest = [part for part in re.split(r"[\W_]+", spaced) if part]
    return [
        first if first in ROLES else _expanded(first)[0],
        *(word for part in rest for word in _expanded(part)),
    ]


def hangul(word: str) -> bool:
    return any("가" <= char <= "힣" for char in word)


def singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def plural(word: str) -> str:
    if not word.isascii():
        return word
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")


def korean(words: list[str]) -> list[str]:
    """Translate all words or none: half a translation misleads."""
    words = _turned(_joined(words))
    known = [KOREAN.get(word) or ([word] if hangul(word) else []) for word in words]
    if not all(known):
        return []
    heads = [" ".join(chosen) for chosen in product(*known[:-1])][:_MOST_HEADS]
    return [f"{head} {last}".strip() for head in heads for last in known[-1]]


def _turned(words: list[str]) -> list[str]:
    """'units sold' are sold units."""
    return [words[-1], *words[:-1]] if len(words) > 1 and words[-1] in _DONE else words


def _joined(words: list[str]) -> list[str]:
    """A unit price is a price; what a thing is called by is its name."""
    return [word for at, word in enumerate(words) if (word, *words[at + 1 : at + 2]) != ("unit", "price")]


_FROM_KOREAN: dict[str, str] = {
    said: word
    for place in (2, 1, 0)
    for word, listed in reversed(KOREAN.items())
    for said in listed[place : place + 1]
}
"""Korean words in English: the one that is said so first."""


def english(words: list[str]) -> list[str]:
    """The words as they are, in the plural, and what else people say; of Korean names, what they mean."""
    if all(hangul(word) for word in words) and all(word in _FROM_KOREAN for word in words):
        return [*english([_FROM_KOREAN[word] for word in words]), " ".join(words)]
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
