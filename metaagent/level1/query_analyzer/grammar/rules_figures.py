"""Rules for figures made of figures: per something, on average, shares, ratios, differences, growth."""

from __future__ import annotations

from dataclasses import replace

from metaagent.level1.query_analyzer.grammar.chart import rule
from metaagent.level1.query_analyzer.grammar.meaning import Condition, Node, Rank, Restriction, bare, unify
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms

# per and average


@rule("T PER|PERHEAD|FOREACH", en="<")
def per_thing(_: Terms, t: Node, link: Node) -> Node | None:
    cost = 0.8 if link.cat == "FOREACH" else 0.3
    return Node("PERD", per=f"dim:{t.dim}", cost=cost) if bare(t) and t.dim not in TIMES else None


@rule("T PERROW", en="-")
def per_one_thing(_: Terms, t: Node, __: Node) -> Node | None:
    """거래처 한 곳당, 세미나 1건당."""
    return Node("PERD", per=f"dim:{t.dim}", cost=0.4) if bare(t) and t.dim not in TIMES else None


@rule("M PER|PERROW|FOREACH", en="<")
def per_event(terms: Terms, body: Node, _: Node) -> Node | None:
    plain = body == Node("M", metrics=body.metrics) and len(body.metrics) == 1
    own = terms.rows_of(body.metrics[0]) if plain else None
    return Node("PERD", per=f"metric:{own}") if own else None


@rule("V PER", en="<")
def per_verb(terms: Terms, v: Node, _: Node) -> Node | None:
    own = terms.rows_of(v.metrics[0]) if v == Node("V", metrics=v.metrics) else None
    return Node("PERD", per=f"metric:{own}") if own else None


@rule("PERHEAD M", ko="=", en="=")
def per_head(terms: Terms, _: Node, body: Node) -> Node | None:
    return _per(terms, body, f"dim:{terms.person}") if terms.person else None


@rule("PERROW M", ko="=", en="-")
def per_row(terms: Terms, _: Node, body: Node) -> Node | None:
    own = terms.rows_of(body.metrics[0]) if len(body.metrics) == 1 and not body.rows else None
    return _per(terms, body, f"metric:{own}") if own and own not in body.metrics else None


def _per(terms: Terms, body: Node, per: str) -> Node | None:
    if body.per or body.kind or not body.metrics or not all(terms.adds(m) for m in body.metrics):
        return None
    kind, _, name = per.partition(":")
    if kind == "dim" and not all(terms.splits(m, name) for m in body.metrics):
        return None
    return replace(body, per=per)


@rule("PERD M", ko="=", en="=")
def per_unit(terms: Terms, x: Node, body: Node) -> Node | None:
    made = _per(terms, body, str(x.per))
    return replace(made, average=made.average or x.average, cost=made.cost + x.cost) if made else None


@rule("PERD AVGOF", en="-")
def mean_per_event(terms: Terms, x: Node, _: Node) -> Node | None:
    """등록 한 건 평균 금액."""
    return amount_per_event(terms, replace(x, average=True), Node("MUCH", unit="money"))


@rule("PERD MUCH", ko="=", en="=")
def amount_per_event(terms: Terms, x: Node, much: Node) -> Node | None:
    """주문 한 건당 금액; the average amount per expense: what those rows are worth."""
    kind, _, name = str(x.per).partition(":")
    money = terms.money_of(name) if kind == "metric" and much.unit == "money" else None
    return Node("M", metrics=(money,), per=x.per, average=x.average, cost=x.cost) if money else None


@rule("AVG PERD", ko="=", en="=")
def on_average(_: Terms, __: Node, per: Node) -> Node | None:
    return replace(per, average=True)


@rule("T AVG", en="-")
def mean_over_things(_: Terms, t: Node, __: Node) -> Node | None:
    """영업사원 평균 매출."""
    return (
        Node("PERD", per=f"dim:{t.dim}", average=True, cost=0.4) if bare(t) and t.dim not in TIMES else None
    )


@rule("PERT M", ko="=", en="=")
def each_unit(terms: Terms, x: Node, body: Node) -> Node | None:
    """Sales per month: month by month."""
    return unify("M", replace(x, cat="G", per=None, groups=(str(x.per),)), body) if not body.average else None


@rule("PERT M", ko="=", en="=")
def average_unit(terms: Terms, x: Node, body: Node) -> Node | None:
    if len(body.metrics) > 1:
        return None
    made = _per(terms, body, str(x.per))
    return replace(made, cost=made.cost + 0.6) if made else None


@rule("PERT PERD", ko="-", en="=")
def each_unit_and_thing(_: Terms, x: Node, y: Node) -> Node | None:
    """Sales per month per region: by both."""
    kind, __, name = str(y.per).partition(":")
    return Node("G", groups=(str(x.per), name)) if kind == "dim" else None


@rule("AVG PERT", ko="=", en="=")
def average_per_unit(_: Terms, __: Node, x: Node) -> Node | None:
    return replace(x, cat="PERD", average=True)


@rule("AVG M", ko="=", en="=")
def mean(terms: Terms, _: Node, body: Node) -> Node | None:
    if body.average or body.kind or len(body.metrics) != 1:
        return None
    if body.per:
        return replace(body, average=True, cost=body.cost - 0.7)
    own = body.metrics[0]
    if terms.metrics[own].aggregate == "average":
        return replace(body, average=True, kind="average")
    twin = terms.average_of(own)
    count = terms.count_of(own) if twin is None and terms.is_money(own) and terms.adds(own) else None
    if count and not body.groups:  # the mean of its rows
        return replace(body, per=f"metric:{count}", average=True, cost=body.cost + 0.5)
    timed = bool(set(body.groups) & TIMES)
    return (
        replace(body, metrics=(twin,), average=True, kind="average", cost=body.cost + 0.3 + timed)
        if twin
        else None
    )


@rule("AVG MUCH", en="-")
def mean_amount(_: Terms, avg: Node, much: Node) -> Node | None:
    return Node("AVGOF", cost=avg.cost + much.cost) if much.unit == "money" else None


@rule("M|V AVGOF", en="<")
def mean_worth(terms: Terms, body: Node, link: Node) -> Node | None:
    """주문의 평균 금액; the average value of an order: the mean of what those rows are worth."""
    money = (
        terms.money_of(body.metrics[0]) if len(body.metrics) == 1 and not body.kind and not body.per else None
    )
    if money is None:
        return None
    twin, cost = terms.average_of(money), body.cost + link.cost
    if twin:
        return replace(body, cat="M", metrics=(twin,), average=True, kind="average", cost=cost)
    count = terms.count_of(money)
    return replace(body, cat="M", metrics=(money,), per=f"metric:{count}", cost=cost) if count else None


# shares


def _splittable(body: Node) -> bool:
    return len(body.metrics) == 1 and not body.kind and not body.per and not body.rank and not body.base


@rule("M SHARE|PCT", en="<")
def share(_: Terms, body: Node, link: Node) -> Node | None:
    if not _splittable(body):
        return None
    if body.groups:
        return replace(body, cat="Q", kind="share")
    if body.weekdays and not body.filters:
        return replace(body, cat="Q", kind="share")
    if len(body.filters) == 1 and not body.filters[0].negated and body.split is not False:
        return replace(body, cat="Q", kind="share", part=body.filters, filters=(), cost=body.cost + 0.05)
    return replace(body, cat="SM") if not any(f.listed for f in body.filters) else None


@rule("M SHARE", en="<")
def share_of_both(_: Terms, body: Node, __: Node) -> Node | None:
    """The share of Seoul clinic sales: of both together in all, if not of one within the other."""
    fits = _splittable(body) and not body.groups and len(body.filters) == 2 and not body.weekdays
    if not fits or any(f.negated or f.listed for f in body.filters):
        return None
    return replace(body, cat="Q", kind="share", part=body.filters, filters=(), cost=body.cost + 0.4)


@rule("M SHARE", ko="-", en="<")
def share_within(_: Terms, body: Node, __: Node) -> Node | None:
    """Read "what portion of Seoul sales came from clinics": the filters are those of the whole."""
    fits = _splittable(body) and not body.groups and len(body.filters) == 1 and not body.weekdays
    fits = fits and "after" not in body.flags
    return replace(body, cat="SM", cost=body.cost + 0.1) if fits else None


@rule("M OFWHOLE", en="-")
def as_whole(_: Terms, body: Node, link: Node) -> Node | None:
    """의원 매출에서 차지하는 ...: it is the whole, whatever it is limited to."""
    return replace(body, cat="WM", cost=body.cost + link.cost) if _splittable(body) else None


@rule("WM SHARE|PCT", en="-")
def share_of_whole(_: Terms, whole: Node, __: Node) -> Node | None:
    return replace(whole, cat="SM") if not whole.groups else None


@rule("SHARE PCT", en="-")
def share_in_percent(_: Terms, link: Node, __: Node) -> Node | None:
    return link


@rule("TOTAL SHARE|PCT", en="-")
def of_all(_: Terms, __: Node, link: Node) -> Node | None:
    return Node("SHARE")


@rule("M TOTAL", en="-")
def against_all(_: Terms, body: Node, __: Node) -> Node | None:
    """서울 매출은 전체의 ...: all stands for the whole that a share is of."""
    return replace(body, cat="MT") if _splittable(body) and body.filters else None


@rule("MT SHARE|PCT", en="-")
def share_of_all(terms: Terms, body: Node, link: Node) -> Node | None:
    return share(terms, replace(body, cat="M"), link)


@rule("F SHARE", en="<")
def part_share(_: Terms, f: Node, __: Node) -> Node | None:
    return Node("SF", part=f.filters, period=f.period, cost=f.cost + 0.1) if len(f.filters) == 1 else None


@rule("DAYS SHARE", en="-")
def days_share(_: Terms, d: Node, __: Node) -> Node | None:
    return Node("SF", weekdays=d.weekdays)


@rule("M SF", en="<")
@rule("SM F|DAYS", ko="=", en="=")
def share_of_part(_: Terms, whole: Node, x: Node) -> Node | None:
    part = x.part or x.filters
    clash = {f.dimension for f in whole.filters} & {f.dimension for f in part}
    if clash or whole.groups or not _splittable(whole) or any(f.negated for f in part):
        return None
    period = whole.period or x.period
    return replace(
        whole,
        cat="Q",
        kind="share",
        part=part,
        weekdays=x.weekdays,
        period=period,
        split=None,
        cost=whole.cost
        + x.cost
        + (0.2 if len(part) > 1 else 0.0)
        + (0.3 if "after" in whole.flags else 0.0)
        + (0.2 if x.cat == "SF" and whole.filters else 0.0),
    )


@rule("T SM", ko="=", en="=")
def share_of_best(terms: Terms, t: Node, whole: Node) -> Node | None:
    """상위 10개 병원이 매출에서 차지하는 비중; what share of sales came from the top 10 hospitals."""
    if t.rank is None or t.rank.n == 0 or whole.groups or t.groups or not _splittable(whole) or t.base:
        return None
    if not terms.splits(whole.metrics[0], str(t.dim)) or (
        t.period and whole.period and t.period != whole.period
    ):
        return None
    period = t.period or whole.period
    rank = replace(t.rank, by=t.rank.by or whole.metrics[0])
    best = replace(t, rank=rank, period=period, filters=t.filters or whole.filters)
    return replace(whole, cat="Q", kind="share", period=period, among=(best,), cost=whole.cost + t.cost)


@rule("T SHARE", ko="-", en="<")
def best_as_part(_: Terms, t: Node, __: Node) -> Node | None:
    """The share of the top 5 hospitals."""
    return replace(t, cat="ST") if t.rank and t.rank.n else None


@rule("ST M", ko="-")
def share_of_best_in(terms: Terms, t: Node, whole: Node) -> Node | None:
    return share_of_best(terms, replace(t, cat="T"), replace(whole, cat="SM"))


@rule("G SM", ko="=", en="=")
def share_by_group(_: Terms, g: Node, body: Node) -> Node | None:
    return unify("Q", g, body, kind="share")


@rule("T SHARE", en="<")
def share_of_things(terms: Terms, t: Node, _: Node) -> Node | None:
    """A등급 병원 비율: of all hospitals."""
    own = terms.counted_by(str(t.dim))
    if own is None or len(t.filters) != 1 or t.having or t.existing or t.rank or t.numbers:
        return None
    return replace(t, cat="Q", dim=None, metrics=(own,), kind="share", part=t.filters, filters=())


@rule("M PCT", ko="=", en="=")
def compared_in_percent(_: Terms, body: Node, __: Node) -> Node | None:
    """Compared with last year, in percent: a comparison shows its change so."""
    return body if body.base is not None and not body.kind else None


@rule("P|F PCT", ko="=", en="=")
def percent_of_before(_: Terms, x: Node, __: Node) -> Node | None:
    """작년 10월에는 몇 %였어?: the share of the turn before."""
    return replace(x, flags=x.flags | {"percent"})


@rule("B RATE|GROW", ko="=", en="=")
def change_from(_: Terms, b: Node, __: Node) -> Node | None:
    """Read "why did it change from September?": the period is compared with, of the figure before."""
    return replace(b, cost=b.cost + 1.0) if "versus" in b.flags else None


@rule("PCT DIFF", ko="=", en="-")
def percent_apart(_: Terms, __: Node, diff: Node) -> Node | None:
    """몇 % 차이."""
    return diff


@rule("Q PCT", ko="-")
def in_percent(_: Terms, q: Node, __: Node) -> Node | None:
    return q if q.kind == "share" else None


# ratios and differences


def _pair(num: Node, den: Node) -> Node | None:
    plain = not (
        num.base or den.base or num.rows or den.rows or num.per or den.per or num.groups or den.groups
    )
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
    return replace(num, cat="PAIR", period=num.period or den.period, other=(den,), cost=num.cost + den.cost)


@rule("M VS", en="-")
def set_against(_: Terms, body: Node, __: Node) -> Node | None:
    return replace(body, cat="MV")


@rule("MV M", en="-")
def ratio_of(_: Terms, den: Node, num: Node) -> Node | None:
    """방문 대비 매출: the second divided by the first."""
    return _pair(num, replace(den, cat="M"))


@rule("UPTO|VS|DIVIDE M", ko="-")
def to_figure(_: Terms, link: Node, body: Node) -> Node | None:
    versus = frozenset({"versus"}) if link.cat == "VS" else frozenset[str]()
    return replace(body, cat="TOM", flags=body.flags | versus)


@rule("M TOM", ko="-")
def figure_to_figure(_: Terms, num: Node, den: Node) -> Node | None:
    made = _pair(num, replace(den, cat="M", flags=den.flags - {"versus"}))
    return replace(made, flags=made.flags | (den.flags & {"versus"})) if made else None


@rule("M M", en="-")
def two_values(_: Terms, num: Node, den: Node) -> Node | None:
    return _pair(num, den) if num.metrics == den.metrics else None


@rule("M F", en="-")
def value_and_name(_: Terms, num: Node, f: Node) -> Node | None:
    """서울 매출은 부산의 몇 배."""
    return _pair(num, Node("M", metrics=num.metrics, filters=f.filters)) if not f.period else None


@rule("M FV", ko="-")
def value_than_name(_: Terms, num: Node, fv: Node) -> Node | None:
    """Sales in Seoul than in Busan."""
    return _pair(num, Node("M", metrics=num.metrics, filters=fv.part)) if fv.part else None


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
    return replace(body, filters=(both,), split=True, cost=body.cost + fv.cost + 0.2)


@rule("RATIO M", ko="=", en="=")
def ratio_by_name(terms: Terms, _: Node, body: Node) -> Node | None:
    """The ratio of expenses to sales: the model has it under that name."""
    return body if len(body.metrics) == 1 and terms.metrics[body.metrics[0]].sides else None


@rule("M &M")
def value_and_value(_: Terms, num: Node, den: Node) -> Node | None:
    return _pair(num, replace(den, cat="M")) if num.metrics == den.metrics else None


@rule("M M", en="-")
def divided(_: Terms, num: Node, den: Node) -> Node | None:
    made = _pair(num, den)
    return replace(made, cat="DIVIDED") if made and num.metrics != den.metrics else None


@rule("DIVIDED PCT|SHARE|TIMES|RATIO", en="-")
def quotient_in_percent(_: Terms, pair: Node, link: Node) -> Node | None:
    """비용이 매출의 몇 %."""
    return replace(pair, cat="Q", kind="times" if link.cat == "TIMES" else "ratio")


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
    if len(body.metrics) != 2 or body.kind or body.per or body.groups or body.rows:
        return None
    other = Node("M", metrics=body.metrics[1:])
    return replace(body, cat="Q", kind="ratio", metrics=body.metrics[:1], other=(other,))


@rule("DIVIDED DIVIDE", en="-")
def quotient(_: Terms, pair: Node, __: Node) -> Node | None:
    """매출을 방문 수로 나눈 값."""
    return replace(pair, cat="Q", kind="ratio")


@rule("PAIR TIMES|RATIO|DIFF|PCT", ko="=", en="=")
def ratio(_: Terms, pair: Node, link: Node) -> Node | None:
    kind = {"TIMES": "times", "DIFF": "difference"}.get(link.cat, "ratio")
    return replace(pair, cat="Q", kind=kind)


@rule("M MV", en="-")
def ratio_against(_: Terms, num: Node, den: Node) -> Node | None:
    """의원 매출은 종합병원 매출 대비 몇 %."""
    return _pair(num, replace(den, cat="M"))


@rule("TIMES M", ko="-")
def times_of(_: Terms, __: Node, body: Node) -> Node | None:
    return replace(body, cat="TIM")


@rule("M TIM", ko="-")
def how_many_times(_: Terms, num: Node, den: Node) -> Node | None:
    """Seoul sales were how many times Busan sales."""
    made = _pair(num, replace(den, cat="M"))
    return replace(made, cat="Q", kind="times") if made else None


@rule("M SM", ko="-", en="=")
def figure_as_share(terms: Terms, num: Node, whole: Node) -> Node | None:
    """Public hospital sales as a percentage of private hospital sales, or of all sales."""
    if num.metrics != whole.metrics or len(num.filters) != 1 or not _splittable(num):
        return None
    if {f.dimension for f in num.filters} & {f.dimension for f in whole.filters}:
        made = _pair(num, replace(whole, cat="M"))
        return replace(made, cat="Q", kind="ratio") if made else None
    if num.period and whole.period and num.period != whole.period:
        return None
    part = Node("F", filters=num.filters, period=num.period, cost=num.cost)
    return share_of_part(terms, whole, part)


@rule("DIFF M", ko="=", en="=")
def difference_of_two(terms: Terms, _: Node, body: Node) -> Node | None:
    """The gap between sales and target; 목표와 매출 차이: the planned figure is taken off the reached one."""
    pair = terms.with_target()
    if set(body.metrics) != set(pair) or body.kind or body.per or body.groups or body.rows:
        return None
    return replace(body, cat="Q", kind="difference", metrics=pair[:1], other=(Node("M", metrics=pair[1:]),))


@rule("M Q", ko=">", en="-")
def figure_and_target(_: Terms, body: Node, q: Node) -> Node | None:
    """매출이 목표에 얼마나 못 미쳤어."""
    fits = (
        q.kind == "difference" and q.other and q.other[0].metrics != q.metrics and body.metrics == q.metrics
    )
    return unify("Q", replace(body, metrics=()), q) if fits else None


@rule("DIFF M|F|GM", ko="=", en="=")
def difference(_: Terms, __: Node, body: Node) -> Node | None:
    return replace(body, flags=body.flags | {"difference"})


# growth


@rule("M GROW|RATE", ko="=", en="=")
def change_of(_: Terms, body: Node, g: Node) -> Node | None:
    if len(body.metrics) != 1 or body.kind or body.rank or body.growth:
        return None
    verb = frozenset({"moved"}) if g.cat == "GROW" else frozenset[str]()
    return replace(body, cat="GM", growth=g.growth, rank=g.rank, flags=body.flags | verb)


@rule("G GM", ko="=", en="=")
def course(_: Terms, g: Node, gm: Node) -> Node | None:
    """매달 어떻게 변했는지: the figure in each unit of time is its course."""
    if not set(g.groups) & TIMES or gm.base or gm.rank or gm.growth != "change":
        return None
    return unify("M", g, replace(gm, growth="", flags=gm.flags | {"course"}), cost=-0.3)


@rule("V GROW", ko="=", en="=")
def change_of_event(_: Terms, v: Node, g: Node) -> Node | None:
    return change_of(_, replace(v, cat="M"), g)


@rule("PCT GROW|RATE", ko="=", en="=")
def rate(_: Terms, __: Node, g: Node) -> Node | None:
    return replace(g, growth="change")


@rule("MORE|SUP GROW", en="=")
def more_grown(_: Terms, x: Node, g: Node) -> Node | None:
    return g if x.cat == "MORE" or (x.rank and x.rank.n == 0) else None


@rule("MOST|SUP|SUPQ|NTH GROW|RATE", ko="=", en="=")
def most_grown(_: Terms, sup: Node, g: Node) -> Node | None:
    most = sup.rank or Rank()
    down = most.descending == (g.rank is None)
    return Node("GS", rank=replace(most, descending=down, growth=g.growth, n=most.n or 1))


@rule("FAST GROW|RATE", ko="=", en="=")
def fastest(_: Terms, fast: Node, g: Node) -> Node | None:
    """Grew fastest or slowest: ranked by the rate of change."""
    rank = fast.rank or Rank()
    return Node("GS", rank=replace(rank, descending=rank.descending == (g.rank is None), growth="change"))


@rule("GM FAST", ko="=", en="=")
def fastest_figure(_: Terms, body: Node, fast: Node) -> Node | None:
    """The slowest sales growth."""
    if len(body.metrics) != 1 or fast.rank is None or body.base:
        return None
    down = fast.rank.descending == (body.rank is None)
    rank = replace(fast.rank, by=body.metrics[0], descending=down, growth="change")
    return replace(body, cat="R", metrics=(), growth="", rank=rank)


@rule("RATE GS|SUP|TOP", en="<")
def usual_growth(terms: Terms, g: Node, sup: Node) -> Node | None:
    """성장률이 가장 높은: of the usual figure."""
    if terms.usual is None or sup.rank is None:
        return None
    down = sup.rank.descending == (g.rank is None)
    rank = replace(sup.rank, by=terms.usual, growth=g.growth, descending=down)
    return Node("R", rank=rank, flags=frozenset({"usual"}), cost=1.0)


@rule("C GROW", ko=">", en="<")
@rule("PCTC GROW", ko="-", en="-")
def change_limit(_: Terms, c: Node, g: Node) -> Node | None:
    """10% 이상 감소한: a condition on the change."""
    if c.unit not in ("%", "money", "big", None):
        return None
    falls = g.rank is not None
    turned = {">": "<", ">=": "<=", "<": ">", "<=": ">="}
    scale, growth = (100, "change") if c.unit == "%" else (1, "difference")
    if falls and any(one.op not in turned for one in c.having):
        return None
    having = tuple(
        Condition(
            "",
            turned[one.op] if falls else one.op,
            tuple((-v if falls else v) / scale for v in one.values),
            growth=growth,
        )
        for one in c.having
    )
    return Node("HG", having=having, cost=c.cost)


@rule("M HG", ko="=", en="=")
def change_condition(_: Terms, body: Node, hg: Node) -> Node | None:
    if len(body.metrics) != 1 or body.kind or body.groups:
        return None
    having = tuple(replace(one, column=body.metrics[0]) for one in hg.having)
    return replace(body, cat="H", metrics=(), having=(*body.having, *having), cost=body.cost + hg.cost)


@rule("GM C", ko="-")
def change_condition_after(terms: Terms, gm: Node, c: Node) -> Node | None:
    made = change_limit(terms, c, Node("GROW", growth=gm.growth, rank=gm.rank))
    plain = replace(gm, cat="M", growth="", rank=None, flags=gm.flags - {"moved"})
    return change_condition(terms, plain, made) if made else None


@rule("GM T", ko=">", en="<")
def changed_things(_: Terms, gm: Node, t: Node) -> Node | None:
    """매출이 줄어든 병원; regions whose sales fell: only those."""
    if t.rank or t.having or "moved" not in gm.flags or gm.groups:
        return None
    op = "<" if gm.rank else ">"
    condition = Condition(gm.metrics[0], op, (0.0,), growth="difference")
    made = replace(
        gm, cat="H", metrics=(), growth="", rank=None, flags=gm.flags - {"moved"}, having=(condition,)
    )
    return unify("T", made, t)


def without(node: Node, restriction: Restriction) -> tuple[Restriction, ...]:
    return tuple(f for f in node.filters if f is not restriction)
