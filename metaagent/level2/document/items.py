"""Sums that are told item by item: 식대 12만원, 택시비 3만원. An item that is corrected, added or taken out changes the sum. Pure.

An item is an amount with the name of what was paid before it ("taxi 16,000 won") or behind it ("16,000 won for the taxi").
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from metaagent.documents.fields import Value, amount_of
from metaagent.documents.templates import FieldSpec, Template
from metaagent.language import amounts
from metaagent.language.particles import Language
from metaagent.level2.document.clauses import Range
from metaagent.plugin import Text

ITEMS = "items"
"""The `from` of the field that holds the items."""
_EDGE = re.compile(
    r"[,;:()\n/|+]|[.!?]\s|\s(?:and|plus|then|그리고|및)\s|(?<=[원천만\d])(?:이랑|랑|하고|와|과|이고|이며)\s"
)
_LINK = re.compile(
    r"(?:\s*(?:[-–=→]|(?:was|is|were|are|costs?|c[ao]mes? to|should be|of|for|at|about|around|actually|in fact|only|to|약|총)\b)"
    r"|(?<=[가-힣])(?:으로|로|은|는|이|가|을|를|에|만|도))*\s*$",
    re.IGNORECASE,
)
_FIRST = re.compile(
    r"^(?:(?:and|plus|also|sorry|actually|no|the|a|an|my|our|i|we|paid|spent|change|set|make|update|correct|add|put|그리고|아|참|사실|그|제가|저는|또|추가로)\b[\s,]*)+",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"(?:총|합계|합쳐|모두|전부|다\s?해서|금액|비용|예산|인당|명당|씩|지출|결제|사용)$|\d|보고서"
    r"|\b(?:total|altogether|in all|sum|amount|budget|per|each|report|claim|it|that|this|which|paid|spent)\b",
    re.IGNORECASE,
)
_OTHER_WORD = re.compile(
    r"(?:에서|에게|에|을|를|은|는|[쓰하내먹사오가타]고|해서|아서|어서|며|면서|으로|에도|께|님|일|월|요일)$"
)
_BEHIND = re.compile(
    r"\s(?:for|on)\s(?:the\s|a\s|an\s|my\s|our\s)?(?P<en>[a-z][a-z' -]{2,30}?)(?=[,.;)]|\s(?:and|plus|on|at|in|with|from|to)\b|$)"
    r"|(?:은|는)\s(?P<ko>[가-힣]{2,8})(?=[,.\s]|$)",
    re.IGNORECASE,
)
_ADDS = re.compile(
    r"추가|더해|넣어|포함|빠뜨|빠졌|누락|도\s|\b(?:add|also|plus|another|forgot|missing|include|as well|too)\b",
    re.IGNORECASE,
)
_KIND_END = re.compile(r"(?:비용|요금|비|값|료|대|대금|\s?(?:fares?|fees?|costs?|tickets?|bills?|charges?))$")
_AMOUNT_END = re.compile(r"\s(?:KRW\s)?[\d,]+원?$")
MOST_WORDS = 3
"""Words of the name of an item."""
_NO_ITEM = Text(
    en="'{name}' is none of the items ({items}). Say “add {name} {amount}” for one more item, or “change the total to {amount}”.",
    ko="'{name}'은(는) 내역({items})에 없는 항목입니다. 항목을 더하려면 “{name} {amount} 추가해줘”, 전체 금액을 바꾸려면 "
    "“총액을 {amount}(으)로 바꿔줘”라고 말씀해 주세요.",
)


@dataclass(frozen=True)
class Priced:
    """A thing that was paid, its amount, and where both stand."""

    name: str
    amount: int
    at: Range

    def text(self, language: Language) -> str:
        return f"{self.name} {self.sum(language)}"

    def sum(self, language: Language) -> str:
        return f"{self.amount:,}원" if language == "ko" else f"KRW {self.amount:,}"


def priced(text: str) -> list[Priced]:
    """The amounts of a text that have a name; a total is none."""
    found: list[Priced] = []
    end = 0
    for each in amounts.numbers(text.lower()):
        money = each.kind == "money" or (each.kind == "quantity" and each.unit is None)
        if not money or not isinstance(each.value, int | float) or each.start < end:
            continue
        named = _name_before(text, end, each.start) or _name_behind(text, each.end)
        end = each.end
        if named is not None:
            found.append(Priced(named[0], int(each.value), (min(named[1], each.start), each.end)))
    whole = sum(each.amount for each in found)
    return [each for each in found if len(found) < 3 or each.amount * 2 != whole]


def _name_before(text: str, begin: int, end: int) -> tuple[str, int] | None:
    start = max([begin, *(edge.end() for edge in _EDGE.finditer(text, begin, end))])
    piece = _LINK.sub("", text[start:end])
    words = list(re.finditer(r"\S+", _blank_first(piece)))[-MOST_WORDS:]
    others = [at for at, word in enumerate(words) if _OTHER_WORD.search(word[0])]
    words = words[others[-1] + 1 :] if others else words
    name = " ".join(word[0] for word in words)
    return (name, start + words[0].start()) if len(name) > 1 and not _NO_NAME.search(name) else None


def _blank_first(piece: str) -> str:
    """The words with blanks for those that begin a sentence and name nothing."""
    stripped = piece.lstrip()
    found = _FIRST.match(stripped)
    return " " * (len(piece) - len(stripped) + found.end()) + stripped[found.end() :] if found else piece


def _name_behind(text: str, end: int) -> tuple[str, int] | None:
    found = _BEHIND.match(text, end)
    name = (found["en"] or found["ko"]).strip() if found else ""
    return (name, end) if len(name) > 1 and not _NO_NAME.search(name) else None


def itemised(template: Template, text: str, language: Language) -> tuple[dict[str, Value], list[Range]]:
    """The items of a request that tells several, their sum where no amount is told otherwise, and where they stand."""
    field, found = _field(template), priced(text)
    if field is None or len({each.name for each in found}) < 2:
        return {}, []
    return {field: Value([each.text(language) for each in found], "question")}, [each.at for each in found]


def _field(template: Template) -> str | None:
    return next((name for name, spec in template.fields.items() if spec.take == ITEMS), None)


def _sum_field(template: Template) -> str | None:
    return next((name for name, spec in template.fields.items() if spec.sum), None)


def changed_items(
    template: Template, question: str, before: Mapping[str, Value], language: Language
) -> tuple[dict[str, Any], list[str]]:
    """The items with the amounts that a request tells of them, and why others are refused; nothing where it names the sum."""
    field, total = _field(template), _sum_field(template)
    told = priced(question)
    if field is None or total is None or not told or _names_total(template.fields[total], question):
        return {}, []
    held: list[str] = list(before[field].value) if field in before else []
    if not held:
        return {}, []
    written: Language = "ko" if held[0].endswith("원") else "en"
    refused: list[str] = []
    for each in told:
        at = next((n for n, item in enumerate(held) if _alike(_name_of(item), each.name)), None)
        if at is not None:
            held[at] = replace(each, name=_name_of(held[at])).text(written)
        elif _ADDS.search(question):
            held.append(each.text(written))
        else:
            amount, items = each.sum(language), ", ".join(held)
            refused.append(_NO_ITEM.say(language, name=each.name, items=items, amount=amount))
    return ({} if refused else {field: held}), refused


def _names_total(spec: FieldSpec, question: str) -> bool:
    names = [each for each in (*spec.words, *spec.called, spec.label.ko, spec.label.en) if each != "비용"]
    return any(re.search(rf"(?<![가-힣A-Za-z]){re.escape(each)}", question, re.IGNORECASE) for each in names)


def _name_of(item: str) -> str:
    return _AMOUNT_END.sub("", item)


def _alike(one: str, other: str) -> bool:
    """Say whether two names are of one thing: 택시 and 택시비, the taxi and taxi fare."""
    a, b = (_KIND_END.sub("", each.lower()).replace(" ", "") for each in (one, other))
    return bool(a and b) and (a in b or b in a)


def with_their_sum(
    template: Template, before: Mapping[str, Value], after: Mapping[str, Value]
) -> dict[str, Value]:
    """The values with the sum of the items where these have changed and the earlier sum was theirs."""
    field, total = _field(template), _sum_field(template)
    made = dict(after)
    if field is None or total is None or field not in after or after.get(field) == before.get(field):
        return made
    was = sum(map(amount_of, before[field].value)) if field in before else None
    parts = list(map(amount_of, after[field].value))
    if all(parts) and (total not in before or before[total].value == was):
        made[total] = Value(sum(parts), "question")
    return made
