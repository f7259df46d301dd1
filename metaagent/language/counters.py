"""Counters, the words that things are counted with: 병원 12곳, 영업사원 64명, 방문 3회; 12 hospitals, 1 category."""

from __future__ import annotations

from typing import NamedTuple

from metaagent.language.particles import Language


class Unit(NamedTuple):
    """A unit behind a number: with its blank in English, and its form for one thing where that differs."""

    ko: str
    en: str
    en_one: str = ""


# The value of `percent` and `pp` is in percent (12.3 reads 12.3%), that of `ratio` and `ratio_pp` 0..1.
UNITS: dict[str, Unit] = {
    "count": Unit("건", ""),
    "people": Unit("명", " people", " person"),
    "items": Unit("개", " items", " item"),
    "times": Unit("회", " times", " time"),
    "places": Unit("곳", " places", " place"),
    "fold": Unit("배", " times", " time"),
    "minutes": Unit("분", " minutes", " minute"),
    "days": Unit("일", " days", " day"),
    "months": Unit("개월", " months", " month"),
    "points": Unit("개", " points", " point"),
}

_BY_KIND = {"person": "명", "organisation": "곳", "location": "곳", "product": "개"}
# A noun that ends so is counted so, where the model says no kind.
_BY_ENDING = {
    "명": ("사원", "담당자", "직원", "의사", "환자", "고객", "회원", "사람", "교사", "학생", "선생님", "강사", "저자"),
    "곳": ("병원", "의원", "지역", "거래처", "기관", "매장", "지점", "도시", "국가", "나라", "시도", "학교", "회사", "약국"),
    "건": ("주문", "거래", "방문", "지출", "계약", "신청", "문의"),
    "회": ("세미나", "행사", "횟수"),
    "일": ("날짜", "일자"),
}  # fmt: skip


def counter(noun: str, kind: str | None = None) -> str:
    """명 for people, 곳 for places and organisations, 건 for dealings, 회 for events, otherwise 개."""
    if kind in _BY_KIND:
        return _BY_KIND[kind]
    return next((word for word, endings in _BY_ENDING.items() if noun.endswith(endings)), "개")


def plural(noun: str, count: float = 2) -> str:
    if count == 1 or not noun:
        return noun
    low = noun.lower()
    if low.endswith("person"):
        return f"{noun[:-6]}people"
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    if low.endswith(("ss", "x", "ch", "sh")):
        return f"{noun}es"
    return noun if low.endswith("s") else f"{noun}s"


def counted(count: int, noun: str, language: Language, kind: str | None = None) -> str:
    """영업사원 64명; 64 sales reps."""
    if language == "ko":
        return f"{noun} {count:,}{counter(noun, kind)}"
    return f"{count:,} {plural(noun, count)}"
