"""Meanings that must not be answered with a plain figure: unknown words, names of several people, greetings."""

from __future__ import annotations

from evals.generator.draw import Draw, Meaning
from evals.generator.gold import Where, figure
from evals.generator.wording import Slot
from evals.judge import Gold

_QUALIFIERS = {
    "ko": (
        "신규", "순", "할인", "해외", "온라인", "예상", "미수", "법인", "프리미엄", "재구매", "도매", "수출", "긴급", "무료",
        "시범", "공동",
    ),
    "en": (
        "new", "net", "discounted", "overseas", "online", "projected", "wholesale", "recurring", "refurbished", "urgent",
        "free", "seasonal",
    ),
}  # fmt: skip
_NONSENSE = {
    "ko": ("뽀로링", "카잔티", "두루뭉치", "갸르통", "무름바", "쿠엔다", "푸슬리", "톨가닉", "베르동", "자멩이"),
    "en": ("zorble", "blivet", "quandle", "frimbly", "snorvic", "plexnar", "gromful", "tazwick", "wumpet", "drindle"),
}  # fmt: skip
_NOT_HERE = {
    "ko": (
        "영업이익", "재고량", "고객 만족도", "이직률", "주가", "불량률", "부채 비율", "광고 클릭 수", "마진율", "대기 시간",
    ),
    "en": (
        "profit margin", "inventory", "customer satisfaction", "churn rate", "stock price", "defect rate", "debt",
        "ad clicks", "net promoter score",
    ),
}  # fmt: skip


def _unknown(d: Draw, pools: dict[str, tuple[str, ...]]) -> tuple[str, str]:
    made: list[str] = []
    for language in ("ko", "en"):
        free = [w for w in pools[language] if not any(w.lower() in known for known in d.world.vocabulary)]
        made.append(d.rng.choice(free))
    return made[0], made[1]


def _insertion(d: Draw, cls: str) -> Meaning | None:
    metric, span = d.metric(), d.span()
    dim = d.dim(metric, entity=False) if metric else None
    value = d.value(dim, d.rows(metric, span)) if metric and dim else None
    thing = d.dim(metric, entity=True) if metric else None
    if metric is None or dim is None or value is None or thing is None:
        return None
    pools = _NOT_HERE if cls == "unknown_metric" else d.rng.choice([_QUALIFIERS, _NONSENSE])
    ko, en = _unknown(d, pools)
    name = "Y" if cls == "unknown_metric" else "Z"
    slots = {
        "P": d.span_slot(span), "M": d.metric_slot(metric), "F": d.phrase(dim, value), **d.dim_slots(thing),
        name: Slot([ko], [en]),
    }  # fmt: skip
    return Meaning(cls, slots, Gold(expect="said", unknown=f"{ko}\n{en}"))


def unknown_word(d: Draw) -> Meaning | None:
    return _insertion(d, "unknown_word")


def unknown_thing(d: Draw) -> Meaning | None:
    return _insertion(d, "unknown_thing")


def unknown_metric(d: Draw) -> Meaning | None:
    return _insertion(d, "unknown_metric")


def ambiguous_name(d: Draw) -> Meaning | None:
    """A name that two people have: asked about, or answered for each of them apart."""
    metric, span = d.metric(), d.span()
    for name in sorted(d.world.reach[metric.fact]) if metric else ():
        dim = d.world.dims[name]
        labels = [value.label for value in dim.values.values()]
        shared = sorted({label for label in labels if labels.count(label) > 1})
        if not shared or not dim.person or metric is None:
            continue
        label = d.rng.choice(shared)
        keys = [key for key, value in dim.values.items() if value.label == label]
        each = [(label, figure(metric, d.rows(metric, span, [Where(name, (key,))]))) for key in keys]
        slots = {"P": d.span_slot(span), "M": d.metric_slot(metric), "V": Slot([label], [label])}
        return Meaning("ambiguous_name", slots, Gold((each,), expect="ask"))
    return None


def greeting(d: Draw) -> Meaning | None:
    return Meaning("greeting", {}, Gold(expect="chat"))
