"""Rules for two figures set against each other: ratios, parts of a whole, differences."""

from __future__ import annotations

from metaagent.level1.query_analyzer.grammar.chart import rule
from metaagent.level1.query_analyzer.grammar.meaning import Node, replace, unify
from metaagent.level1.query_analyzer.grammar.rules_context import OVER_WEEKDAY, OVER_WEEKEND
from metaagent.level1.query_analyzer.grammar.rules_figures import share_of_best, share_of_part, splittable
from metaagent.level1.query_analyzer.grammar.terms import Terms

# ratios and differences


def _kinds_of_one(terms: Terms, num: Node, den: Node) -> tuple[Node, Node]:
    """Travel costs and meals as expenses of the one kind and of the other; other figures as they are."""
    one, other = terms.as_part(num), terms.as_part(replace(den, cat="M"))
    if num.metrics == den.metrics or one is None or other is None or one.metrics != other.metrics:
        return num, den
    alike = {f.dimension for f in one.filters} == {f.dimension for f in other.filters}
    return (one, other) if alike else (num, den)


def _pair(terms: Terms, num: Node, den: Node) -> Node | None:
    num, den = _kinds_of_one(terms, num, den)
    split = num.groups and den.groups
    plain = not (num.base or den.base or num.rows or den.rows or num.per or den.per or num.rank or den.rank)
    plain = plain and not split and (num.metrics != den.metrics or not (num.groups or den.groups))
    one = len(num.metrics) == 1 and len(den.metrics) == 1 and not num.kind and not den.kind
    if not plain or not one or (num.period and den.period and num.period != den.period):
        return None
    same = num.metrics == den.metrics
    if same and (
        num.filters == den.filters or {f.dimension for f in num.filters} != {f.dimension for f in den.filters}
    ):
        return None
    if not same and (den.filters or (num.filters and den.filters)):
        return None
    return replace(
        num,
        cat="PAIR",
        period=num.period or den.period,
        groups=num.groups or den.groups,
        other=(replace(den, groups=()),),
        cost=num.cost + den.cost,
    )


def _ratio(pair: Node, kind: str = "ratio") -> Node:
    """Two figures as one; of different rows it is the first per the second, which can be ranked, split and limited."""
    den = pair.other[0]
    if kind != "ratio" or pair.metrics == den.metrics or den.filters:
        return replace(pair, cat="Q", kind=kind)
    return replace(
        pair, cat="M", kind="", other=(), per=f"metric:{den.metrics[0]}", flags=pair.flags - {"versus"}
    )


@rule("V FV", ko="-")
def did_more_than(terms: Terms, v: Node, fv: Node) -> Node | None:
    """Did Incheon sell more than Gwangju: each of both."""
    if len(v.metrics) != 1 or len(v.filters) != 1 or not fv.part or fv.average:
        return None
    body = Node("M", metrics=(terms.worth_of(v.metrics[0]),), filters=v.filters, period=v.period, cost=v.cost)
    made = _pair(terms, body, Node("M", metrics=body.metrics, filters=fv.part, cost=fv.cost))
    return replace(made, flags=made.flags | {"versus"}) if made else None


@rule("M VS", en="-")
def set_against(_: Terms, body: Node, __: Node) -> Node | None:
    return replace(body, cat="MV")


@rule("MV M", en="-")
def ratio_of(terms: Terms, den: Node, num: Node) -> Node | None:
    """방문 대비 매출: the second divided by the first."""
    return _pair(terms, num, replace(den, cat="M"))


@rule("MV M", en="-")
def ratio_of_name(terms: Terms, den: Node, body: Node) -> Node | None:
    """매출 대비 경비율: the ratio that is named is over that figure already."""
    sides = terms.metrics[body.metrics[0]].sides if len(body.metrics) == 1 else ()
    return unify("M", replace(den, metrics=()), body) if sides and sides[1:] == den.metrics else None


@rule("UPTO|VS|DIVIDE M", ko="-")
def to_figure(_: Terms, link: Node, body: Node) -> Node | None:
    said = {"VS": "versus", "DIVIDE": "divided"}.get(link.cat)
    return replace(body, cat="TOM", flags=body.flags | ({said} if said else set()))


@rule("M TOM", ko="-")
def figure_to_figure(terms: Terms, num: Node, den: Node) -> Node | None:
    made = _pair(terms, num, replace(den, cat="M", flags=den.flags - {"versus", "divided"}))
    if made and "divided" in den.flags:
        return _ratio(made)
    return replace(made, flags=made.flags | (den.flags & {"versus"})) if made else None


@rule("M M", en="-")
def two_values(terms: Terms, num: Node, den: Node) -> Node | None:
    return _pair(terms, num, den) if num.metrics == den.metrics else None


@rule("M F", en="-")
def value_and_name(terms: Terms, num: Node, f: Node) -> Node | None:
    """서울 매출은 부산의 몇 배."""
    return _pair(terms, num, Node("M", metrics=num.metrics, filters=f.filters)) if not f.period else None


@rule("M FV", ko="-")
def value_than_name(terms: Terms, num: Node, fv: Node) -> Node | None:
    """Sales in Seoul than in Busan."""
    return _pair(terms, num, Node("M", metrics=num.metrics, filters=fv.part)) if fv.part else None


@rule("M FV", en="-")
def value_beside_name(_: Terms, body: Node, fv: Node) -> Node | None:
    """서울 매출을 부산과 비교: each of both."""
    if len(fv.part) != 1 or len(body.filters) != 1 or body.groups or body.kind:
        return None
    one, other = body.filters[0], fv.part[0]
    if (
        one.dimension != other.dimension
        or one.negated
        or other.negated
        or set(one.values) & set(other.values)
    ):
        return None
    labels = (*(one.labels or one.values), *(other.labels or other.values))
    both = replace(one, values=(*one.values, *other.values), listed=True, labels=labels)
    return replace(body, filters=(both,), split=True, cost=body.cost + fv.cost + 0.7)


@rule("RATIO M", ko="=", en="=")
def ratio_by_name(terms: Terms, _: Node, body: Node) -> Node | None:
    """The ratio of expenses to sales: the model has it under that name."""
    return body if len(body.metrics) == 1 and terms.metrics[body.metrics[0]].sides else None


@rule("M &M")
def value_and_value(terms: Terms, num: Node, den: Node) -> Node | None:
    return _pair(terms, num, replace(den, cat="M")) if num.metrics == den.metrics else None


@rule("M M", en="-")
def divided(terms: Terms, num: Node, den: Node) -> Node | None:
    """비용이 매출의 몇 %; 경비 중 식대가 몇 %: a part of a figure stands above it, whichever comes first."""
    one, other = (terms.metrics[n.metrics[0]] for n in (num, den))
    if other.filtered and not one.filtered and one.column == other.column and not den.filters:
        num, den = replace(den, filters=num.filters), replace(num, filters=())
    made = _pair(terms, num, den)
    return replace(made, cat="DIVIDED") if made and num.metrics != den.metrics else None


@rule("WM M", en="-")
def part_of_whole(terms: Terms, whole: Node, body: Node) -> Node | None:
    """매출에서 비용이 차지하는 비율."""
    made = _pair(terms, body, replace(whole, cat="M"))
    return replace(made, cat="DIVIDED") if made and body.metrics != whole.metrics else None


@rule("M WM", en="-")
def part_in_whole(terms: Terms, body: Node, whole: Node) -> Node | None:
    """식대가 전체 비용에서 차지하는 비율."""
    return part_of_whole(terms, whole, body)


@rule("M WM", en="-")
def limited_in_whole(terms: Terms, body: Node, whole: Node) -> Node | None:
    """공공병원 방문은 전체 방문의 ...: the same figure, limited, of all of it."""
    if body.metrics != whole.metrics or len(body.filters) != 1 or whole.filters or not splittable(body):
        return None
    part = Node("F", filters=body.filters, period=body.period, cost=body.cost)
    made = share_of_part(terms, replace(whole, cat="SM"), part)
    return replace(made, cat="SQ") if made else None


@rule("F WM", en="-")
@rule("WM F", en="-")
def name_in_whole(terms: Terms, f: Node, whole: Node) -> Node | None:
    """강연료가 전체 비용에서 차지하는 비율."""
    f, whole = (f, whole) if f.cat == "F" else (whole, f)
    made = share_of_part(terms, replace(whole, cat="SM"), f)
    return replace(made, cat="SQ") if made else None


@rule("WM T", en="-")
def best_in_whole(terms: Terms, whole: Node, t: Node) -> Node | None:
    """매출에서 상위 10개 병원이 차지하는 비중."""
    made = share_of_best(terms, t, replace(whole, cat="SM"))
    return replace(made, cat="SQ") if made else None


@rule("T SHARE|PCT", en="-")
def best_of_all(terms: Terms, t: Node, _: Node) -> Node | None:
    """매출 상위 3개 제품이 차지하는 비율."""
    if t.rank is None or t.rank.n == 0 or not t.rank.by or t.rank.growth:
        return None
    return share_of_best(terms, t, Node("SM", metrics=(t.rank.by,), cost=0.2))


@rule("SQ SHARE|PCT", en="-")
def name_share(_: Terms, q: Node, __: Node) -> Node | None:
    return replace(q, cat="Q")


@rule("DIVIDED PCT|SHARE|TIMES|RATIO", en="-")
def quotient_in_percent(_: Terms, pair: Node, link: Node) -> Node | None:
    """비용이 매출의 몇 %."""
    return _ratio(pair, "times" if link.cat == "TIMES" else "ratio")


@rule("M PCT|SHARE", en="-")
def percent_figure(terms: Terms, body: Node, _: Node) -> Node | None:
    """달성률이 몇 %: it is a percentage by itself."""
    return body if len(body.metrics) == 1 and terms.metrics[body.metrics[0]].unit == "%" else None


@rule("RANGE M", ko="-")
def between_figures(_: Terms, __: Node, body: Node) -> Node | None:
    return body if len(body.metrics) == 2 else None


@rule("RATIO M", ko="=", en="=")
def ratio_of_two(_: Terms, __: Node, body: Node) -> Node | None:
    """The ratio between visits and orders."""
    if len(body.metrics) != 2 or body.kind or body.per or body.rows:
        return None
    other = Node("M", metrics=body.metrics[1:])
    return _ratio(replace(body, metrics=body.metrics[:1], other=(other,)))


@rule("DIVIDED DIVIDE", en="-")
def quotient(_: Terms, pair: Node, __: Node) -> Node | None:
    """매출을 방문 수로 나눈 값."""
    return _ratio(pair)


@rule("RATIO M", ko="=", en="=")
def ratio_of_listed(_: Terms, __: Node, body: Node) -> Node | None:
    """The sales ratio between Seoul and Busan: the first of two names divided by the second."""
    listed = [f for f in body.filters if f.listed and len(f.values) == 2]
    if (
        len(listed) != 1
        or len(body.metrics) != 1
        or body.kind
        or body.per
        or body.groups
        or body.rows
        or body.rank
    ):
        return None
    one, others = listed[0], tuple(f for f in body.filters if f is not listed[0])
    sides = [
        replace(one, values=(v,), labels=one.labels[i : i + 1], listed=False)
        for i, v in enumerate(one.values)
    ]
    other = Node("M", metrics=body.metrics, filters=(*others, sides[1]))
    return replace(body, cat="Q", kind="ratio", filters=(*others, sides[0]), other=(other,), split=None)


@rule("M RATIO|PCT|SHARE", en="=")
def ratio_of_days(_: Terms, body: Node, __: Node) -> Node | None:
    """평일 대비 주말 매출 비율: the figure of the one kind of days divided by that of the other."""
    over = body.flags & {OVER_WEEKDAY, OVER_WEEKEND}
    if (
        not over
        or body.groups != ("weekend",)
        or len(body.metrics) != 1
        or body.kind
        or body.per
        or body.rank
    ):
        return None
    weekdays, weekend = (1, 2, 3, 4, 5), (6, 7)
    above, below = (weekend, weekdays) if OVER_WEEKDAY in over else (weekdays, weekend)
    other = Node("M", metrics=body.metrics, filters=body.filters, weekdays=below, groups=body.groups)
    return replace(
        body, cat="Q", kind="ratio", groups=(), weekdays=above, other=(other,), split=None, flags=body.flags - over,
        cost=body.cost - 0.3,
    )  # fmt: skip


@rule("RATIO F", ko="-")
def ratio_of_names(_: Terms, __: Node, f: Node) -> Node | None:
    return replace(f, cat="RF") if f.filters_listed else None


@rule("M RF", ko="-")
def ratio_between(terms: Terms, body: Node, f: Node) -> Node | None:
    """The sales ratio between Seoul and Busan."""
    made = unify("M", body, replace(f, cat="F"))
    return ratio_of_listed(terms, Node("RATIO"), made) if made else None


@rule("PAIR DIVIDE", en="-")
def pair_divided(_: Terms, pair: Node, __: Node) -> Node | None:
    """서울 방문 수를 부산 방문 수로 나누면."""
    return _ratio(pair)


@rule("TIM M", ko="-")
def times_turned(_: Terms, den: Node, num: Node) -> Node | None:
    """Seoul's sales are how many times Busan's, the other way round."""
    return how_many_times(_, num, replace(den, cat="M"))


@rule("TIM F", ko="-")
def times_of_name(_: Terms, den: Node, f: Node) -> Node | None:
    """Seoul's over Busan's, asked as how many times Busan's revenue was Seoul's."""
    num = Node("M", metrics=den.metrics, filters=f.filters, period=f.period, cost=f.cost)
    return how_many_times(_, num, replace(den, cat="M"))


@rule("PAIR TIMES", en="=")
@rule("PAIR RATIO|DIFF|PCT|&DIFF", ko="=", en="=")
def ratio(_: Terms, pair: Node, link: Node) -> Node | None:
    return _ratio(pair, {"TIMES": "times", "DIFF": "difference"}.get(link.cat.removeprefix("&"), "ratio"))


@rule("M MV", en="-")
def ratio_against(terms: Terms, num: Node, den: Node) -> Node | None:
    """의원 매출은 종합병원 매출 대비 몇 %."""
    return _pair(terms, num, replace(den, cat="M"))


@rule("TIMES M", ko="-")
def times_of(_: Terms, __: Node, body: Node) -> Node | None:
    return replace(body, cat="TIM")


@rule("M TIM", ko="-")
def how_many_times(terms: Terms, num: Node, den: Node) -> Node | None:
    """Seoul sales were how many times Busan sales."""
    made = _pair(terms, num, replace(den, cat="M"))
    return replace(made, cat="Q", kind="times") if made else None


@rule("M SM", ko="-", en="=")
def figure_as_share(terms: Terms, num: Node, whole: Node) -> Node | None:
    """Public hospital sales as a percentage of private hospital sales, or of all sales."""
    if num.metrics != whole.metrics:
        made = _pair(terms, num, replace(whole, cat="M"))
        return _ratio(made) if made else None
    if len(num.filters) != 1 or not splittable(num):
        return None
    if {f.dimension for f in num.filters} & {f.dimension for f in whole.filters}:
        made = _pair(terms, num, replace(whole, cat="M"))
        return replace(made, cat="Q", kind="ratio") if made else None
    if num.period and whole.period and num.period != whole.period:
        return None
    part = Node("F", filters=num.filters, period=num.period, cost=num.cost)
    return share_of_part(terms, whole, part)


@rule("DIFF M", ko="=", en="=")
def difference_of_two(terms: Terms, _: Node, body: Node) -> Node | None:
    """The gap between sales and target; 목표와 매출 차이: the planned figure is taken off the reached one."""
    pair = terms.with_target()
    if set(body.metrics) != set(pair) or body.kind or body.per or body.rows:
        return None
    return replace(body, cat="Q", kind="difference", metrics=pair[:1], other=(Node("M", metrics=pair[1:]),))


@rule("M Q", ko=">", en="-")
def figure_and_target(_: Terms, body: Node, q: Node) -> Node | None:
    """매출이 목표에 얼마나 못 미쳤어."""
    fits = (
        q.kind == "difference" and q.other and q.other[0].metrics != q.metrics and body.metrics == q.metrics
    )
    return unify("Q", replace(body, metrics=()), q) if fits else None


@rule("R|M|T DIFF|&DIFF", ko=">", en=">")
def larger_and_gap(_: Terms, body: Node, diff: Node) -> Node | None:
    """Read "who sold more, and what was the gap": both figures, side by side."""
    two = [f for f in body.filters if f.listed and len(f.values) == 2]
    fits = len(two) == 1 and body.rank is not None and not body.groups and not body.kind
    return replace(body, cost=body.cost + diff.cost, flags=body.flags | {"gap"}) if fits else None


@rule("DIFF M|F|GM", ko="=", en="=")
def difference(_: Terms, __: Node, body: Node) -> Node | None:
    return replace(body, flags=body.flags | {"difference"})
