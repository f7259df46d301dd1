"""Sentences about single values, their spread and their relations, and about data that carry no statement."""

from __future__ import annotations

from metaagent.language.particles import with_particle
from metaagent.level2.data_analysis.sentence import Insight, Writer

MOST = 3


def outliers(w: Writer) -> list[Insight]:
    found = w.value("/found")
    if not found:
        return [w.say("outliers", 0.1, lambda: _no_outlier_ko(w), lambda: _no_outlier_en(w))]
    return [_outlier(w, index) for index in range(min(MOST, len(found)))]


def _no_outlier_ko(w: Writer) -> str:
    values = w.figure("/n", "items")
    limits = f"{w.figure('/low')}~{w.figure('/high')}"
    return f"{w.metric} 값 {values} 모두 {limits} 범위 안에 있어 이상치가 없습니다."


def _no_outlier_en(w: Writer) -> str:
    values = w.figure("/n", "")
    limits = f"between {w.figure('/low')} and {w.figure('/high')}"
    return f"All {values} values of {w.metric} lie {limits}: no outlier."


def _outlier(w: Writer, index: int) -> Insight:
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


def correlation(w: Writer) -> list[Insight]:
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


def distribution(w: Writer) -> list[Insight]:
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


def summary(w: Writer) -> list[Insight]:
    columns = enumerate(w.value("/columns"))
    return [_column(w, f"/columns/{i}") for i, c in columns if c["type"] == "number" and c["n"]]


def _column(w: Writer, at: str) -> Insight:
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
    "drivers": ("원인", "causes"),
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


def too_few(w: Writer) -> list[Insight]:
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


def not_applicable(w: Writer) -> list[Insight]:
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
