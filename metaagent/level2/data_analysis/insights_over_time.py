"""Sentences about the course of a figure."""

from __future__ import annotations

from metaagent.language.particles import Language, with_particle
from metaagent.level2.data_analysis.periods import MONTHS, bucket_words, weekday_name
from metaagent.level2.data_analysis.sentence import Insight, Writer, weight

_GRAINS = {
    "day": ("하루", "day"), "week": ("주", "week"), "month": ("월", "month"), "quarter": ("분기", "quarter"),
    "year": ("연", "year"), "step": ("단계", "step"),
}  # fmt: skip


def trend(w: Writer) -> list[Insight]:
    direction = w.value("/direction")
    ko_grain, en_grain = _GRAINS[w.value("/grain")]
    first, last = (bucket_words(w.value(f"/{end}_label"), w.language) for end in ("first", "last"))
    weekly = w.value("/within") == "weekday"
    careful = "autocorrelated" in w.value("/warnings")

    def ko() -> str:
        fair = "같은 요일끼리 견주어 보면 " if weekly else ""
        head = f"{with_particle(w.metric, '은/는')} {fair}{first}부터 {last}까지"
        if direction == "none":
            body = f"{head} 늘거나 주는 추세가 확인되지 않습니다({w.p()}, {w.n()})."
        else:
            verb = "늘었습니다" if direction == "up" else "줄었습니다"
            body = f"{head} {ko_grain} {w.change('/slope')}꼴로 {verb}({w.p()}, {w.n()})."
        return body + (" 이웃한 기간이 서로 닮아 p는 실제보다 작게 나왔을 수 있습니다." if careful else "")

    def en() -> str:
        head = f"from {first} to {last}" + (", each weekday compared with itself" if weekly else "")
        if direction == "none":
            body = f"{w.metric} shows no confirmed trend {head} ({w.p()}, {w.n()})."
        else:
            verb = "rose" if direction == "up" else "fell"
            body = f"{w.metric} {verb} by {w.change('/slope')} per {en_grain} {head} ({w.p()}, {w.n()})."
        return body + (
            " Neighbouring periods resemble each other, so p may be understated." if careful else ""
        )

    return [w.say("trend", 0.2 if direction == "none" else weight(0.45, w.value("/slope_rate")), ko, en)]


def season_name(grain: str, cycle: int, season: int, language: Language) -> str:
    if (grain, cycle) == ("month", 12):
        return f"{season}월" if language == "ko" else MONTHS[season - 1]
    if (grain, cycle) == ("quarter", 4):
        return f"{season}분기" if language == "ko" else f"Q{season}"
    if (grain, cycle) == ("day", 7):
        return weekday_name(season, language)
    return f"주기의 {season}번째 기간" if language == "ko" else f"period {season} of the cycle"


def seasonality(w: Writer) -> list[Insight]:
    grain, cycle = w.value("/grain"), w.value("/cycle")
    peak, trough = (
        season_name(grain, cycle, w.value(f"/{at}/season"), w.language) for at in ("peak", "trough")
    )

    def ko() -> str:
        head = f"{with_particle(w.metric, '은/는')} {w.figure('/cycle', '', text=f'{cycle}개')} 기간을 주기로"
        if not w.value("/significant"):
            return f"{head} 되풀이되는 모습이 확인되지 않습니다({w.p()}, {w.n()})."
        return (
            f"{head} 되풀이됩니다: {with_particle(peak, '은/는')} 추세보다 {w.change('/peak/effect')} 높고 "
            f"{with_particle(trough, '은/는')} {w.change('/trough/effect')} 낮습니다({w.p()}, {w.n()})."
        )

    def en() -> str:
        length = w.figure("/cycle", "", text=f"{cycle}-period")
        if not w.value("/significant"):
            return f"{w.metric} shows no confirmed {length} cycle ({w.p()}, {w.n()})."
        return (
            f"{w.metric} repeats in a {length} cycle: "
            f"{peak} lies {w.change('/peak/effect')} above the trend, "
            f"{trough} {w.change('/trough/effect')} below ({w.p()}, {w.n()})."
        )

    importance = weight(0.3, 30 * w.value("/strength")) if w.value("/significant") else 0.15
    return [w.say("seasonality", importance, ko, en)]
