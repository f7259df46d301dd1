"""Reads what a rep says to have spent on meals in a month: a sum over many bills, which only the limit of a month judges."""

from __future__ import annotations

import re
from collections.abc import Sequence

from metaagent.level2.compliance.text.amounts import Sum

MONTH_MEALS = "month_meals"
"""The kind of a fact that sums up the meals of one rep in one month."""
_OWN = re.compile(
    r"(?<![가-힣])(?:제|저의|내|본인(?:의)?)\s(?:\S+\s){0,3}?(?:식사비|식대|식음료비?|회식비|접대비)|"
    r"(?<![가-힣])(?:제가|저는|본인이)\s[^.\n]*?(?:식사비|식대|식음료비?)|"
    r"\bmy (?:\w+ ){0,3}(?:meals?|food|dinners|lunches|meal (?:spend\w*|costs?|expenses?))\b|"
    r"\bI (?:have )?spent\b[^.\n]*?\b(?:meals?|food|dinners|lunches)\b|"
    r"\b(?:meals?|food|dinners|lunches)\b[^.\n]*?\bI (?:have )?spent\b",
    re.IGNORECASE,
)
_MONTH = re.compile(
    r"(?<!\d)\d{1,2}월(?!\s?\d{1,2}일)|지난\s?달|이번\s?달|전월|당월|한\s?달|\bmonth\b|"
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b(?! \d{1,2}\b)"
)
_LONGER = re.compile(
    r"분기|반기|연간|올해|\d월\s?[~∼-]\s?\d{1,2}월|\b(?:quarter|half-year|year|annual)\b", re.IGNORECASE
)
_TOTAL = re.compile(
    r"(?:합계|합산|총액|총|모두|전부|합쳐|합해|다\s?해서|total|in all|altogether)\D{0,12}$", re.IGNORECASE
)
_TOTAL_AFTER = re.compile(r"\s?(?:in total|in all|altogether)\b", re.IGNORECASE)


def own_meals_of_a_month(text: str, before: str, amounts: Sequence[Sum]) -> Sum | None:
    """The total that a sentence tells of the writer's meals in a month, which the sentence before may name."""
    said = f"{before} {text}"
    if not amounts or not _OWN.search(said) or not _MONTH.search(said) or _LONGER.search(said):
        return None
    told = [one for one in amounts if _TOTAL.search(text[: one.start]) or _TOTAL_AFTER.match(text, one.end)]
    return told[-1] if told else None


def adds_up(total: Sum, amounts: Sequence[Sum]) -> bool:
    """Say whether the other sums of a sentence are the parts of its total."""
    parts = [one.won for one in amounts if one is not total]
    return len(parts) > 1 and sum(parts) == total.won
