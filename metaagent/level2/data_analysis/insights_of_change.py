"""Sentences about changes: how large, who made them, and how they stand to a whole or a target."""

from __future__ import annotations

from metaagent.documents.format import change_unit
from metaagent.language.counters import counter, plural
from metaagent.language.particles import with_particle
from metaagent.level2.data_analysis.contribution import CLEAR
from metaagent.level2.data_analysis.periods import split_words
from metaagent.level2.data_analysis.sentence import Insight, Writer, weight

TOP = 3


def comparison(w: Writer) -> list[Insight]:
    """The change against the earlier figure; the figure itself only where nothing has said it yet."""
    change, rate = w.value("/change"), w.value("/rate")
    shown_rate = rate is not None and not change_unit(w.unit).endswith("pp")
    said = w.subject.get("said", False)

    def moved() -> str:
        return w.change("/change") + (f"({w.figure('/rate', 'percent', size=True)})" if shown_rate else "")

    def ko() -> str:
        now = "" if said else f"{w.topic} {with_particle(w.figure('/current'), '으로/로')} "
        if change == 0:
            return f"{now}{with_particle(w.previous, '과/와')} 같습니다(차이 {w.change('/change')})."
        then = f"{w.previous}({w.figure('/previous')})보다"
        return f"{now}{then} {moved()} {'늘었습니다' if change > 0 else '줄었습니다'}."

    def en() -> str:
        now = "" if said else f"{w.topic_en} came to {w.figure('/current')}, "
        if change == 0:
            return f"{now}a difference of {w.change('/change')} from {w.previous}."
        step = moved().replace("(", " (")
        way = "up" if change > 0 else "down"
        return f"{now}{way} {step} from {w.previous} ({w.figure('/previous')})."

    return [w.say("comparison", weight(0.7, rate), ko, en)]


def contribution(w: Writer) -> list[Insight]:
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
        then = f"{w.previous}({w.figure('/before')})보다"
        return f"{w.topic} {with_particle(w.figure('/after'), '으로/로')} {then} {w.change('/change')}{rate} {verb}."

    def en() -> str:
        if change == 0:
            head = f"{w.topic_en} shows a total difference of {w.change('/change')} from {w.previous}"
            up, down = (w.figure(f"/{way}", size=True) for way in ("increases", "decreases"))
            return f"{head}: increases of {up}, decreases of {down}."
        rate = f" ({w.figure('/rate', 'percent', size=True)})" if w.value("/rate") is not None else ""
        verb = "rose" if change > 0 else "fell"
        span = f"from {w.figure('/before')} in {w.previous} to {w.figure('/after')}"
        return f"{w.topic_en} {verb} by {w.change('/change')}{rate}, {span}."

    found = [w.say("contribution_total", 0.9, ko, en)]
    segments = w.value("/segments")
    found += [_contributor(w, i) for i in range(min(TOP, len(segments))) if segments[i]["change"]]
    return [*found, *_net(w)]


def _mixed(w: Writer) -> bool:
    return bool(w.value("/increases") and w.value("/decreases"))


def _net(w: Writer) -> list[Insight]:
    """Gives both sums where some parts rose and others fell, so that shares of one side are not taken for the whole."""
    change = w.value("/change")
    if not _mixed(w) or not change:
        return []

    def ko() -> str:
        up, down = (w.figure(f"/{way}", size=True) for way in ("increases", "decreases"))
        net = f"{w.change('/change')} {'순증가' if change > 0 else '순감소'}"
        return f"늘어난 쪽 합계 {up}에서 줄어든 쪽 합계 {with_particle(down, '을/를')} 빼면 {net}입니다."

    def en() -> str:
        up, down = (w.figure(f"/{way}", size=True) for way in ("increases", "decreases"))
        return (
            f"increases of {up} less decreases of {down} leave a net {'rise' if change > 0 else 'fall'} of "
            f"{w.change('/change')}."
        )

    return [w.say("net", 0.35, ko, en)]


def _whole(w: Writer, *, up: bool) -> str:
    """The name of what a share is of: the whole change, or all moves of one direction."""
    if _mixed(w):
        return (
            ("늘어난 몫" if up else "줄어든 몫")
            if w.language == "ko"
            else ("all increases" if up else "all decreases")
        )
    return (
        ("전체 증가분" if up else "전체 감소분")
        if w.language == "ko"
        else f"the total {'increase' if up else 'decrease'}"
    )


def _contributor(w: Writer, index: int) -> Insight:
    at = f"/segments/{index}"
    segment = w.value(at)
    up = segment["change"] > 0
    name = w.name(segment["segment"])

    def ko() -> str:
        part = with_particle(w.figure(f"{at}/share_of_moves", "percent"), "을/를")
        moved = f"{w.change(f'{at}/change')} {'늘어' if up else '줄어'}"
        return f"{with_particle(name, '이/가')} {moved} {_whole(w, up=up)}의 {part} 차지합니다."

    def en() -> str:
        moved = f"{'rose' if up else 'fell'} by {w.change(f'{at}/change')}"
        return f"{name} {moved}, {w.figure(f'{at}/share_of_moves', 'percent')} of {_whole(w, up=up)}."

    return w.say("contributor", weight(0.5, segment["share_of_moves"]) - 0.05 * index, ko, en)


def drivers(w: Writer) -> list[Insight]:
    """Along which dimension the change shows most clearly, which values made it, and how much they explain."""
    if not w.value("/clear"):
        return [w.say("no_driver", 0.4, lambda: _even_ko(w), lambda: _even_en(w)), *_net(w)]
    found = [w.say("driver", 0.6, lambda: _driver_ko(w, "/best"), lambda: _driver_en(w, "/best"))]
    found += [_driven(w, f"/best/top/{i}", 0.55 - 0.05 * i) for i in range(len(w.value("/best/top")))]
    if w.value("/against"):
        found.append(_driven(w, "/against", 0.38))
    others = w.value("/others")
    if others and others[0]["excess"] >= CLEAR:
        found.append(
            w.say("next_driver", 0.3, lambda: _driver_ko(w, "/others/0"), lambda: _driver_en(w, "/others/0"))
        )
    return [*found, *_net(w)]


def _names(w: Writer, at: str) -> list[str]:
    return [w.name(one["segment"]) for one in w.value(f"{at}/top")]


def _driver_ko(w: Writer, at: str) -> str:
    names = ", ".join(_names(w, at))
    part = with_particle(w.figure(f"{at}/explained", "percent"), "을/를")
    size = ""
    if w.value(f"{at}/size") is not None:
        size = f"({w.previous} 비중은 {w.figure(f'{at}/size', 'percent')})"
    whole = _whole(w, up=w.value("/change") >= 0)
    head = f"{split_words([w.value(f'{at}/label')])}로 보면 {with_particle(names, '이/가')} {whole}의 {part} 차지합니다{size}."
    if at != "/best" or w.value("/n") < 2:
        return head
    return f"{head} 나누어 본 기준 {w.figure('/n', 'items')} 가운데 가장 뚜렷합니다."


def _driver_en(w: Writer, at: str) -> str:
    names = _names(w, at)
    said = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    verb = "makes" if len(names) == 1 else "make"
    part = f"{w.figure(f'{at}/explained', 'percent')} of {_whole(w, up=w.value('/change') >= 0)}"
    size = ""
    if w.value(f"{at}/size") is not None:
        size = f" (their share in {w.previous}: {w.figure(f'{at}/size', 'percent')})"
    head = f"by {w.value(f'{at}/label')}, {said} {verb} up {part}{size}"
    if at != "/best" or w.value("/n") < 2:
        return f"{head}."
    return f"{head}; of {w.figure('/n', '')} ways to split the change this is the clearest."


def _driven(w: Writer, at: str, importance: float) -> Insight:
    segment = w.value(at)
    up = segment["change"] > 0
    name = w.name(segment["segment"])

    def ko() -> str:
        part = f"{_whole(w, up=up)}의 {w.figure(f'{at}/share_of_moves', 'percent')}"
        return f"- {name}: {w.change(f'{at}/change')} {'증가' if up else '감소'}({part})"

    def en() -> str:
        part = f"{w.figure(f'{at}/share_of_moves', 'percent')} of {_whole(w, up=up)}"
        return f"- {name}: {'up' if up else 'down'} {w.change(f'{at}/change')} ({part})"

    return w.say("driven", importance, ko, en)


def _even_ko(w: Writer) -> str:
    count = w.figure("/n", "items")
    return (
        f"나누어 본 기준 {count} 가운데 크기에 비해 두드러지게 움직인 곳은 없습니다. "
        f"가장 큰 차이는 {split_words([w.value('/best/label')])} {w.figure('/best/excess', 'pp')}입니다."
    )


def _even_en(w: Writer) -> str:
    return (
        f"no part moved much more than its size, along {w.figure('/n', '')} ways to split the change; the largest "
        f"excess is {w.figure('/best/excess', 'pp')}, by {w.value('/best/label')}."
    )


def concentration(w: Writer) -> list[Insight]:
    """The share of the whole that the largest hold; their names are in the headline already."""
    top = w.value("/top")
    noun, thing = w.subject.get("noun", ""), w.subject.get("thing")

    def ko() -> str:
        unit = counter(noun, thing)
        count = w.figure("/top", "", text=f"상위 {top}{unit}")
        of = w.figure("/n", "", text=f"{w.value('/n'):,}{unit}")
        share = with_particle(w.figure("/top_share", "percent"), "을/를")
        whole = f"합계 {w.figure('/total')}의 {share}"
        who = f"{noun} {of}" if noun else of
        return f"{who} 가운데 {with_particle(count, '이/가')} {w.metric} {whole} 차지합니다."

    def en() -> str:
        count = w.figure("/top", "", text=f"top {top}")
        share, of = w.figure("/top_share", "percent"), w.figure("/n", "")
        who = f"{of} {plural(noun, w.value('/n'))}".strip()
        return f"The {count} of {who} hold {share} of all {w.metric_within} ({w.figure('/total')})."

    return [w.say("concentration", 0.25 + 0.3 * w.value("/hhi") / 10_000, ko, en)]


def achievement(w: Writer) -> list[Insight]:
    gap = w.value("/gap")
    said = w.subject.get("said", False)

    def ko() -> str:
        done = "" if said else f"{w.topic} {with_particle(w.figure('/actual'), '으로/로')} "
        rate = f"목표 {w.figure('/target')}의 {w.figure('/rate', 'percent')}"
        if gap == 0:
            return f"{done}{rate}입니다(차이 {w.change('/gap')})."
        return f"{done}{rate}이며, {w.change('/gap')} {'초과했습니다' if gap > 0 else '모자랍니다'}."

    def en() -> str:
        done = "" if said else f"{w.topic_en} came to {w.figure('/actual')}, "
        rate = w.figure("/rate", "percent")
        side = "from" if gap == 0 else "over" if gap > 0 else "short of"
        target, rest = w.figure("/target"), w.change("/gap")
        return f"{done}{rate} of the target {target}: {rest} {side} it."

    return [w.say("achievement", weight(0.6, w.value("/rate") - 100), ko, en)]
