"""Sentences from results, in Korean and English; every number in a sentence is one of its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Required, TypeAlias

from typing_extensions import TypedDict

from metaagent.language.particles import Language, with_particle
from metaagent.level2.data_analysis.format import (
    change_unit,
    format_value,
    unit_of,
)
from metaagent.level2.data_analysis.statistics import OTHERS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

TOP = 3


class Figure(TypedDict):
    """`ref` says where the value stands: `<source>#<JSON pointer>`; `text` how it is written."""

    name: str
    value: int | float
    unit: str
    ref: str
    text: str


class Insight(TypedDict):
    text: str
    figures: list[Figure]
    kind: str
    importance: float


class Subject(TypedDict, total=False):
    """What the result is about, in the words of the person's language."""

    metric: Required[str]
    unit: str
    period: str
    previous: str
    segment: str
    other: str
    source: str


class _Writer:
    """Holds one result and collects the figures of the sentence being written."""

    def __init__(self, result: Mapping[str, Any], subject: Subject, language: Language) -> None:
        self.result = result
        self.subject = subject
        self.language: Language = language
        self.unit = unit_of(subject.get("unit"))
        self._figures: list[Figure] = []

    def value(self, pointer: str) -> Any:
        return resolve(self.result, pointer)

    def figure(
        self, pointer: str, unit: str | None = None, *, size: bool = False, text: str | None = None
    ) -> str:
        """Writes the number at `pointer`; with `size` without its sign, where the verb already says it."""
        value = self.value(pointer)
        unit = self.unit if unit is None else unit
        text = text or format_value(abs(value) if size else value, unit, self.language)
        name = pointer.rsplit("/", 1)[-1]
        ref = f"{self.subject.get('source', '')}#{pointer}"
        self._figures.append({"name": name, "value": value, "unit": unit, "ref": ref, "text": text})
        return text

    def change(self, pointer: str) -> str:
        return self.figure(pointer, change_unit(self.unit), size=True)

    def p(self) -> str:
        p = self.value("/p")
        return self.figure("/p", "", text="p < 0.001" if p < 0.001 else f"p = {p:.3f}")

    def n(self) -> str:
        return self.figure("/n", "", text=f"n = {self.value('/n'):,}")

    def say(self, kind: str, importance: float, ko: Callable[[], str], en: Callable[[], str]) -> Insight:
        self._figures = []
        text = ko() if self.language == "ko" else en()
        return {
            "text": text[0].upper() + text[1:] if self.language == "en" else text,
            "figures": self._figures,
            "kind": kind,
            "importance": round(max(0.0, min(1.0, importance)), 3),
        }

    @property
    def metric(self) -> str:
        return self.subject["metric"]

    @property
    def topic(self) -> str:
        """The subject of a Korean sentence: '2024년 12월 매출은'."""
        return with_particle(" ".join(filter(None, (self.subject.get("period"), self.metric))), "은/는")

    @property
    def topic_en(self) -> str:
        period = self.subject.get("period")
        return f"{self.metric} for {period}" if period else self.metric

    @property
    def previous(self) -> str:
        return self.subject.get("previous") or (
            "이전 기간" if self.language == "ko" else "the previous period"
        )

    def name(self, segment: str) -> str:
        if segment == OTHERS:
            return "그 외" if self.language == "ko" else "all others"
        return segment or ("(이름 없음)" if self.language == "ko" else "(no name)")


def resolve(result: Mapping[str, Any], pointer: str) -> Any:
    """The value at a JSON pointer; what stands before '#' in a figure's ref is skipped."""
    found: Any = result
    for key in pointer.rsplit("#", 1)[-1].strip("/").split("/"):
        found = found[int(key)] if isinstance(found, list) else found[key]
    return found


def describe(result: Mapping[str, Any], subject: Subject, language: Language = "ko") -> list[Insight]:
    """What one result says, most important first."""
    writer = _Writer(result, subject, language)
    return rank(_WRITERS[result["kind"]](writer))


def rank(insights: list[Insight], limit: int | None = None) -> list[Insight]:
    return sorted(insights, key=lambda insight: -insight["importance"])[:limit]


def _weight(base: float, percent: float | None) -> float:
    """Importance: what kind of statement it is, plus up to 0.3 for its size (full at 30 %)."""
    return base + 0.3 * min(1.0, abs(percent or 0) / 30)


def _comparison(w: _Writer) -> list[Insight]:
    change, rate = w.value("/change"), w.value("/rate")
    shown_rate = rate is not None and not change_unit(w.unit).endswith("pp")

    def moved() -> str:
        return w.change("/change") + (f"({w.figure('/rate', 'percent', size=True)})" if shown_rate else "")

    def ko() -> str:
        now = with_particle(w.figure("/current"), "으로/로")
        if change == 0:
            return (
                f"{w.topic} {now} {with_particle(w.previous, '과/와')} 같습니다(차이 {w.change('/change')})."
            )
        then = f"{w.previous}({w.figure('/previous')})보다"
        return f"{w.topic} {now} {then} {moved()} {'늘었습니다' if change > 0 else '줄었습니다'}."

    def en() -> str:
        now = w.figure("/current")
        if change == 0:
            return f"{w.topic_en} came to {now}, a difference of {w.change('/change')} from {w.previous}."
        step = moved().replace("(", " (")
        way = "up" if change > 0 else "down"
        return f"{w.topic_en} came to {now}, {way} {step} from {w.previous} ({w.figure('/previous')})."

    return [w.say("comparison", _weight(0.7, rate), ko, en)]


def _contribution(w: _Writer) -> list[Insight]:
    change = w.value("/change")

    def ko() -> str:
        if change == 0:
            head = (
                f"{w.topic} {with_particle(w.previous, '과/와')} 합계가 같습니다(차이 {w.change('/change')})"
            )
            up, down = (w.figure(f"/{way}", size=True) for way in ("increases", "decreases"))
            return f"{head}: 늘어난 몫 {up}, 줄어든 몫 {down}."
        rate = f"({w.figure('/rate', 'percent', size=True)})" if w.value("/rate") is not None else ""
        verb = "늘었습니다" if change > 0 else "줄었습니다"
        return (
            f"{w.topic} {w.figure('/before')}에서 {with_particle(w.figure('/after'), '으로/로')} "
            f"{w.change('/change')}{rate} {verb}."
        )

    def en() -> str:
        if change == 0:
            head = f"{w.topic_en} shows a total difference of {w.change('/change')} from {w.previous}"
            up, down = (w.figure(f"/{way}", size=True) for way in ("increases", "decreases"))
            return f"{head}: increases of {up}, decreases of {down}."
        rate = f" ({w.figure('/rate', 'percent', size=True)})" if w.value("/rate") is not None else ""
        verb = "rose" if change > 0 else "fell"
        span = f"from {w.figure('/before')} to {w.figure('/after')}"
        return f"{w.topic_en} {verb} by {w.change('/change')}{rate}, {span}."

    found = [w.say("contribution_total", _weight(0.65, w.value("/rate")), ko, en)]
    segments = w.value("/segments")
    found += [_contributor(w, i) for i in range(min(TOP, len(segments))) if segments[i]["change"]]
    return found


def _contributor(w: _Writer, index: int) -> Insight:
    at = f"/segments/{index}"
    segment = w.value(at)
    total, change, share = w.value("/change"), segment["change"], segment["share_of_change"]
    name = w.name(segment["segment"])
    # Where segments move both ways, shares of the change pass 100 %: percentage points stay readable.
    by_share = share is not None and 0 < share <= 100
    by_points = not by_share and segment["points"] is not None

    def ko() -> str:
        verb = "늘어" if change > 0 else "줄어"
        subject = f"{with_particle(name, '이/가')} {w.change(f'{at}/change')}"
        if by_share:
            whole = "증가분" if total > 0 else "감소분"
            part = with_particle(w.figure(f"{at}/share_of_change", "percent"), "을/를")
            return f"{subject} {verb} 전체 {whole}의 {part} 차지합니다."
        if by_points:
            way = "끌어올렸습니다" if change > 0 else "끌어내렸습니다"
            return f"{subject} {verb} 전체 증감률을 {w.figure(f'{at}/points', 'pp', size=True)} {way}."
        return f"{subject} {'늘었습니다' if change > 0 else '줄었습니다'}."

    def en() -> str:
        verb = "rose" if change > 0 else "fell"
        subject = f"{name} {verb} by {w.change(f'{at}/change')}"
        if by_share:
            whole = "increase" if total > 0 else "decrease"
            return f"{subject}, {w.figure(f'{at}/share_of_change', 'percent')} of the total {whole}."
        if by_points:
            points = w.figure(f"{at}/points", "pp", size=True)
            way = f"adding {points} to" if change > 0 else f"taking {points} off"
            return f"{subject}, {way} the total rate."
        return f"{subject}."

    return w.say("contributor", _weight(0.5, share) - 0.05 * index, ko, en)


def _outliers(w: _Writer) -> list[Insight]:
    found = w.value("/found")
    if not found:
        return [w.say("outliers", 0.1, lambda: _no_outlier_ko(w), lambda: _no_outlier_en(w))]
    return [_outlier(w, index) for index in range(min(TOP, len(found)))]


def _no_outlier_ko(w: _Writer) -> str:
    values = w.figure("/n", "items")
    limits = f"{w.figure('/low')}~{w.figure('/high')}"
    return f"{w.metric} 값 {values} 모두 {limits} 범위 안에 있어 이상치가 없습니다."


def _no_outlier_en(w: _Writer) -> str:
    values = w.figure("/n", "")
    limits = f"between {w.figure('/low')} and {w.figure('/high')}"
    return f"All {values} values of {w.metric} lie {limits}: no outlier."


def _outlier(w: _Writer, index: int) -> Insight:
    at = f"/found/{index}"
    hit = w.value(at)
    high = hit["direction"] == "high"
    edge = "/high" if high else "/low"

    def ko() -> str:
        name = f"{hit['label']} {w.metric}" if hit["label"] else w.metric
        value = with_particle(w.figure(f"{at}/value"), "으로/로")
        line = with_particle(w.figure(edge), "을/를")
        verb = "넘습니다" if high else "밑돕니다"
        return f"{with_particle(name, '은/는')} {value} 이상치 기준선 {line} {verb}."

    def en() -> str:
        name = f"{w.metric} of {hit['label']}" if hit["label"] else w.metric
        value = w.figure(f"{at}/value")
        return f"{name}: {value}, {'above' if high else 'below'} the outlier limit of {w.figure(edge)}."

    return w.say("outlier", 0.6 - 0.05 * index, ko, en)


_GRAINS = {
    "day": ("하루", "day"), "week": ("주", "week"), "month": ("월", "month"), "quarter": ("분기", "quarter"),
    "year": ("연", "year"), "step": ("단계", "step"),
}  # fmt: skip


def _trend(w: _Writer) -> list[Insight]:
    direction = w.value("/direction")
    ko_grain, en_grain = _GRAINS[w.value("/grain")]
    first, last = w.value("/first_label"), w.value("/last_label")
    careful = "autocorrelated" in w.value("/warnings")

    def ko() -> str:
        head = f"{with_particle(w.metric, '은/는')} {first}부터 {last}까지"
        if direction == "none":
            body = f"{head} 늘거나 주는 추세가 확인되지 않습니다({w.p()}, {w.n()})."
        else:
            verb = "늘었습니다" if direction == "up" else "줄었습니다"
            body = f"{head} {ko_grain} {w.change('/slope')}꼴로 {verb}({w.p()}, {w.n()})."
        return body + (" 이웃한 기간이 서로 닮아 p는 실제보다 작게 나왔을 수 있습니다." if careful else "")

    def en() -> str:
        head = f"from {first} to {last}"
        if direction == "none":
            body = f"{w.metric} shows no confirmed trend {head} ({w.p()}, {w.n()})."
        else:
            verb = "rose" if direction == "up" else "fell"
            body = f"{w.metric} {verb} by {w.change('/slope')} per {en_grain} {head} ({w.p()}, {w.n()})."
        return body + (
            " Neighbouring periods resemble each other, so p may be understated." if careful else ""
        )

    return [w.say("trend", 0.2 if direction == "none" else _weight(0.45, w.value("/slope_rate")), ko, en)]


_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_DAYS_KO = "월화수목금토일"


def season_name(grain: str, cycle: int, season: int, language: Language) -> str:
    if (grain, cycle) == ("month", 12):
        return f"{season}월" if language == "ko" else _MONTHS[season - 1]
    if (grain, cycle) == ("quarter", 4):
        return f"{season}분기" if language == "ko" else f"Q{season}"
    if (grain, cycle) == ("day", 7):
        return f"{_DAYS_KO[season - 1]}요일" if language == "ko" else _DAYS[season - 1]
    return f"주기의 {season}번째 기간" if language == "ko" else f"period {season} of the cycle"


def _seasonality(w: _Writer) -> list[Insight]:
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

    importance = _weight(0.3, 30 * w.value("/strength")) if w.value("/significant") else 0.15
    return [w.say("seasonality", importance, ko, en)]


def _concentration(w: _Writer) -> list[Insight]:
    top = w.value("/top")
    names = ", ".join(w.name(w.value(f"/shares/{i}/segment")) for i in range(top))

    def ko() -> str:
        count = w.figure("/top", "", text=f"상위 {top}개")
        of = w.figure("/n", "", text=f"{w.value('/n'):,}개")
        share = with_particle(w.figure("/top_share", "percent"), "을/를")
        return f"{of} 가운데 {count}({names})가 {w.metric} 합계 {w.figure('/total')}의 {share} 차지합니다."

    def en() -> str:
        count = w.figure("/top", "", text=f"top {top}")
        share, of = w.figure("/top_share", "percent"), w.figure("/n", "")
        return f"The {count} of {of} ({names}) hold {share} of the {w.metric} total of {w.figure('/total')}."

    return [w.say("concentration", 0.25 + 0.3 * w.value("/hhi") / 10_000, ko, en)]


def _achievement(w: _Writer) -> list[Insight]:
    gap = w.value("/gap")

    def ko() -> str:
        done = with_particle(w.figure("/actual"), "으로/로")
        rate = f"목표 {w.figure('/target')}의 {w.figure('/rate', 'percent')}"
        if gap == 0:
            return f"{w.topic} {done} {rate}입니다(차이 {w.change('/gap')})."
        return (
            f"{w.topic} {done} {rate}이며, {w.change('/gap')} {'초과했습니다' if gap > 0 else '모자랍니다'}."
        )

    def en() -> str:
        done, rate = w.figure("/actual"), w.figure("/rate", "percent")
        side = "from" if gap == 0 else "over" if gap > 0 else "short of"
        target, rest = w.figure("/target"), w.change("/gap")
        return f"{w.topic_en} came to {done}, {rate} of the target {target}: {rest} {side} it."

    return [w.say("achievement", _weight(0.6, w.value("/rate") - 100), ko, en)]


def _correlation(w: _Writer) -> list[Insight]:
    other = w.subject.get("other", "")

    def interval() -> tuple[str, str, str]:
        low, high = (w.figure(f"/{end}", "", text=f"{w.value(f'/{end}'):.2f}") for end in ("low", "high"))
        return w.figure("/level", "percent", text=f"{w.value('/level')}%"), low, high

    def ko() -> str:
        level, low, high = interval()
        r = w.figure("/r", "", text=f"{w.value('/r'):.2f}")
        few = " 값 몇 개가 결과를 좌우합니다." if "few_points_decide" in w.value("/warnings") else ""
        basis = f"{w.p()}, {w.n()}, {level} 구간 {low}~{high}"
        return (
            f"{with_particle(w.metric, '과/와')} {other}의 상관계수는 {r}입니다({basis})."
            f"{few} 상관관계는 원인을 뜻하지 않습니다."
        )

    def en() -> str:
        level, low, high = interval()
        r = w.figure("/r", "", text=f"{w.value('/r'):.2f}")
        few = " Some single values decide the result." if "few_points_decide" in w.value("/warnings") else ""
        basis = f"{w.p()}, {w.n()}, {level} interval {low} to {high}"
        return f"{w.metric} and {other} correlate with r = {r} ({basis}).{few} Correlation is not causation."

    return [w.say("correlation", 0.3 if w.value("/significant") else 0.1, ko, en)]


def _distribution(w: _Writer) -> list[Insight]:
    bins = w.value("/bins")
    index = max(range(len(bins)), key=lambda i: bins[i]["count"])
    at = f"/bins/{index}"

    def ko() -> str:
        middle = f"중앙값은 {w.figure('/median')}, 평균은 {w.figure('/mean')}"
        half = f"{w.metric} 값 {w.figure('/n', 'items')}의 {middle}입니다."
        most = f"{w.figure(f'{at}/low')}~{w.figure(f'{at}/high')} 구간에 {w.figure(f'{at}/count', 'items')}"
        return f"{half} {most}({w.figure(f'{at}/share', 'ratio')})가 있습니다."

    def en() -> str:
        middle = f"is {w.figure('/median')}, the mean {w.figure('/mean')}"
        half = f"The median of {w.figure('/n', '')} values of {w.metric} {middle}."
        most = f"{w.figure(f'{at}/count', '')} ({w.figure(f'{at}/share', 'ratio')})"
        return f"{half} {most} lie between {w.figure(f'{at}/low')} and {w.figure(f'{at}/high')}."

    return [w.say("distribution", 0.2, ko, en)]


def _summary(w: _Writer) -> list[Insight]:
    columns = enumerate(w.value("/columns"))
    return [_column(w, f"/columns/{i}") for i, c in columns if c["type"] == "number" and c["n"]]


def _column(w: _Writer, at: str) -> Insight:
    name = w.value(f"{at}/label")

    def figures() -> tuple[str, str, str, str]:
        unit = w.value(f"{at}/unit")
        whole, mean, least, most = (w.figure(f"{at}/{key}", unit) for key in ("sum", "mean", "min", "max"))
        return whole, mean, least, most

    def ko() -> str:
        n = w.figure(f"{at}/n", "items")
        whole, mean, least, most = figures()
        return f"{name} 값 {n}의 합계는 {whole}, 평균은 {mean}, 범위는 {least}~{most}입니다."

    def en() -> str:
        n = w.figure(f"{at}/n", "")
        whole, mean, least, most = figures()
        return f"{n} values of {name}: total {whole}, mean {mean}, from {least} to {most}."

    return w.say("summary", 0.15, ko, en)


_ANALYSES = {
    "summary": ("요약", "a summary"),
    "distribution": ("분포", "a distribution"),
    "outliers": ("이상치", "outliers"),
    "trend": ("추세", "a trend"),
    "seasonality": ("계절성", "seasonality"),
    "contribution": ("기여도", "contributions"),
    "correlation": ("상관관계", "a correlation"),
    "concentration": ("비중", "shares"),
    "comparison": ("증감", "a change"),
    "achievement": ("목표 달성률", "target achievement"),
}
_COUNTED = {
    "values": ("값", "values"), "periods": ("기간", "periods"), "pairs": ("값의 쌍", "pairs of values"),
    "rows": ("행", "rows"),
}  # fmt: skip
_REASONS = {
    "constant": ("값이 모두 같습니다", "all values are equal"),
    "negative_parts": ("음수인 부분이 있습니다", "some parts are negative"),
    "gaps": ("주기 안에 비어 있는 기간이 있습니다", "periods are missing within the cycle"),
    "no_base": ("기준이 되는 값이 양수가 아닙니다", "the base is not positive"),
}


def _too_few(w: _Writer) -> list[Insight]:
    analysis_ko, analysis_en = _ANALYSES[w.value("/analysis")]
    ko_of, en_of = _COUNTED[w.value("/of")]

    def ko() -> str:
        has, needed = (w.figure(f"/{key}", "", text=f"{w.value(f'/{key}'):,}개") for key in ("n", "needed"))
        what = with_particle(analysis_ko, "을/를")
        return (
            f"{w.metric}의 {what} 말하기에는 데이터가 모자랍니다: {ko_of} {needed}가 필요한데 {has}뿐입니다."
        )

    def en() -> str:
        has, needed = w.figure("/n", ""), w.figure("/needed", "")
        return f"Too few data for {analysis_en} of {w.metric}: {needed} {en_of} needed, {has} found."

    return [w.say("too_few", 0.4, ko, en)]


def _not_applicable(w: _Writer) -> list[Insight]:
    analysis_ko, analysis_en = _ANALYSES[w.value("/analysis")]
    reason_ko, reason_en = _REASONS[w.value("/reason")]
    what_ko = with_particle(analysis_ko, "은/는")
    return [
        w.say(
            "not_applicable",
            0.3,
            lambda: f"{w.metric}의 {what_ko} 구할 수 없습니다: {reason_ko}({w.n()}).",
            lambda: f"{w.metric} allows no statement on {analysis_en}: {reason_en} ({w.n()}).",
        )
    ]


_Describer: TypeAlias = "Callable[[_Writer], list[Insight]]"
_WRITERS: dict[str, _Describer] = {
    "achievement": _achievement,
    "comparison": _comparison,
    "concentration": _concentration,
    "contribution": _contribution,
    "correlation": _correlation,
    "distribution": _distribution,
    "not_applicable": _not_applicable,
    "outliers": _outliers,
    "seasonality": _seasonality,
    "summary": _summary,
    "too_few": _too_few,
    "trend": _trend,
}
