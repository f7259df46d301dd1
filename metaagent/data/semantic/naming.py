"""Words for the metrics and dimensions of a drafted model: labels and synonyms in both languages."""

from __future__ import annotations

from itertools import product
from typing import Any

from metaagent.data.semantic.dictionary import VERBS
from metaagent.data.semantic.words import english, hangul, korean, plural, singular

Words = dict[str, list[str]]
Verbs = dict[str, list[str]]

_KINDS: dict[str, tuple[str, list[str], list[str]]] = {
    "sum": ("total", ["total", "sum of", "overall"], ["총", "전체"]),
    "average": ("average", ["average", "mean", "avg"], ["평균"]),
    "max": ("maximum", ["maximum", "largest", "highest", "max"], ["최대", "최고"]),
    "min": ("minimum", ["minimum", "smallest", "lowest", "min"], ["최소", "최저"]),
}
_PARTS = frozenset({"detail", "line", "item", "상세", "내역"})
_MONEY = {"amount", "total", "price", "cost", "fee", "charge", "value", "금액", "가격", "요금"}
_UNITS = {"minute", "hour", "second", "day", "distance", "meter"}
_CHARGED = {"fee", "cost", "charge", "price", "fare", "rate"}


def measure_words(
    kind: str, own: list[str], table: list[str], *, alone: bool, averaged: bool
) -> tuple[Any, Words]:
    """Label and synonyms of one aggregate of a column. `alone`: the table is named after what it adds up, as fines are;
    `averaged`: it is never added up, so that the price means the average one."""
    full = qualified(table, own)
    bare = _without_unit(own)
    ko = [
        *korean(own),
        *korean(full),
        *_charges(own, table),
        *(korean(bare) + korean([*table, *bare]) if bare else []),
    ]
    en = [
        *(english(bare) + english([*table, *bare]) if bare else []),
        *english(own),
        *english(full),
        *(f"{' '.join(table)} {word}" for word in english(own)[2:]),
    ]
    if len(table) > 1 and table[-1] in _PARTS:  # the amount of an order line is said to be that of orders
        ko += korean(qualified(table[:-1], own))
        en += english(qualified(table[:-1], own))
    if alone and own[-1] in _MONEY and table[-1] not in VERBS:
        ko += korean(table)
        en += english(table)
    word, adjectives, prefixes = _KINDS[kind]
    said_en = [f"{adjective} {noun}" for adjective in adjectives for noun in en]
    said_ko = [f"{prefix} {noun}" for prefix in prefixes for noun in ko]
    if kind == "sum":
        said_en += en
        said_ko += [*ko, *(f"{noun} {tail}" for noun in ko for tail in ("합계", "총액", "총합"))]
    if kind == "average" and averaged:
        said_en += en
        said_ko += ko
    if kind == "average":
        each = english(table)[0]
        said_en += [f"{start}{noun} per {each}" for start in ("", "average ") for noun in english(own)]
        said_ko += [
            f"{noun}당{middle}{what}"
            for noun, what in product(korean(table), korean(own))
            for middle in (" ", " 평균 ")
        ]
    shown = korean(full) or korean(own) or [" ".join(full)]
    label = {"ko": f"{prefixes[0]} {shown[0]}", "en": f"{word} {' '.join(full)}".capitalize()}
    if kind == "sum" and "total" in own:
        label = {"ko": shown[0], "en": " ".join(full).capitalize()}
    return label, {"ko": _unique(said_ko), "en": _unique(said_en)}


def _without_unit(own: list[str]) -> list[str]:
    """The duration, in minutes; the stock, in pieces."""
    stocked = own[-1] == "quantity" and own[0] in ("stock", "inventory")
    return own[:-1] if len(own) > 1 and (own[-1] in _UNITS or stocked) else []


def _charges(own: list[str], table: list[str]) -> list[str]:
    """Name the cost of a thing after it: 진료비, 배송비, 대여료."""
    if own[-1] not in _CHARGED:
        return []
    return [
        f"{noun}{tail}" for noun in korean(table) if " " not in noun for tail in ("비", "료", "비용", "요금")
    ]


def count_words(table: list[str], *, named: bool) -> tuple[Any, Words]:
    """`named`: its rows have names, so that 'customers' alone means those people, not their number."""
    every = english(table)
    base, many, also = every[0], every[1] if len(every) > 1 else every[0], every[2:]
    ko = korean(table)
    tails = (" 수", "수", " 개수", " 건수", "건수", " 횟수", "횟수", " 인원")
    synonyms = {
        "ko": [f"{word}{tail}" for word in ko for tail in tails],
        "en": [
            *([] if named else [many]), f"number of {many}", f"how many {many}", f"{base} count", f"count of {many}",
            *(f"number of {plural(word)}" for word in also), *(f"how many {plural(word)}" for word in also),
        ],
    }  # fmt: skip
    return {"ko": f"{ko[0] if ko else base} 수", "en": f"Number of {many}"}, synonyms


def verbs_of(table: list[str]) -> Verbs | None:
    """The words for that one row of the table happened; None for things that merely are."""
    last = table[-1]
    if last in VERBS:
        ko, en = VERBS[last]
        return {"ko": list(ko), "en": list(en)}
    return {"ko": [f"{last}하", f"{last}되"], "en": []} if hangul(last) else None


def per_words(many: list[str], one: list[str], *, counted: bool) -> tuple[Any, Words]:
    """곡 per 앨범, sales per customer."""
    what_en = (
        [english(many)[1] if len(english(many)) > 1 else english(many)[0]] if counted else [" ".join(many)]
    )
    each_en = [english(one)[0], *english(one)[2:]]
    tails = ("수", " 수", " 건수") if counted else ("",)
    what_ko = [f"{noun}{tail}" for noun in korean(many) for tail in tails]
    each_ko = korean(one)
    starts = ["", "average ", "mean ", "avg "]
    if counted:
        starts += ["number of ", "average number of ", "mean number of ", "avg number of "]
    en = [f"{start}{what} per {each}" for start in starts for what in what_en for each in each_en]
    ko = [f"{each}당{middle}{what}" for each in each_ko for what in what_ko for middle in (" ", " 평균 ")]
    label = {"ko": ko[0] if ko else en[0], "en": en[0].capitalize()}
    return label, {"ko": _unique(ko), "en": _unique(en)}


def thing_words(words: list[str], *more: list[str]) -> tuple[Any, Words]:
    """A dimension: the thing itself, grouped by it, and other ways to say it."""
    ko, en = korean(words), english(words)
    label = {"ko": ko[0] if ko else en[0], "en": en[0]}
    every_ko = [*ko, *(word for one in more for word in korean(one))]
    every_en = [*en[1:], *(word for one in more for word in english(one))]
    grouped = [f"{word}별" for word in every_ko]
    return label, {"ko": _unique([*every_ko[1:], *grouped]), "en": _unique(every_en)}


def qualified(table: list[str], own: list[str]) -> list[str]:
    """'total' of invoices -> ['invoice', 'total'], but 'sales_amount' of sales and 진료비 of 진료 stay as they are."""
    named = singular(own[0]) == table[0] or (hangul(table[0]) and own[0].startswith(table[0]))
    return own if named else [*table, *own]


def _unique(words: list[str]) -> list[str]:
    return list(dict.fromkeys(words))
