"""Rules for figures made of figures: per something, on average, shares, ratios, differences, growth."""

from __future__ import annotations

from metaagent.level1.query_analyzer.grammar.chart import rule
from metaagent.level1.query_analyzer.grammar.meaning import Node, bare, replace, unify
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms

_UNITS = frozenset({"day", "week", "month", "quarter", "year", "working_day", "weekday_day", "weekend_day"})

# per and average


@rule("T PER|PERHEAD|PERPLACE|FOREACH", en="<")
def per_thing(_: Terms, t: Node, link: Node) -> Node | None:
    cost = 0.8 if link.cat == "FOREACH" else 0.3
    if not bare(replace(t, filters=())) or t.dim in TIMES:
        return None
    return Node(
        "PERD", per=f"dim:{t.dim}", filters=t.filters, cost=cost
    )  # per completed seminar: of those alone


@rule("T PERROW", en="-")
def per_one_thing(_: Terms, t: Node, __: Node) -> Node | None:
    """거래처 한 곳당, 세미나 1건당."""
    return Node("PERD", per=f"dim:{t.dim}", cost=0.4) if bare(t) and t.dim not in TIMES else None


@rule("T ONE", en="<")
def one_of_them(_: Terms, t: Node, one: Node) -> Node | None:
    """영업사원 한 사람이 평균; a typical rep."""
    if not bare(t) or t.dim in TIMES:
        return None
    return Node("PERD", per=f"dim:{t.dim}", average=one.average, cost=0.4, flags=frozenset({"one"}))


@rule("PERROW AVG", en="-")
def mean_of_one(_: Terms, __: Node, avg: Node) -> Node | None:
    """한 건 평균: of single rows."""
    return replace(avg, flags=avg.flags | {"one"})


@rule("AVG|TOTAL D", ko="=", en="=")
def figure_of_column(terms: Terms, how: Node, d: Node) -> Node | None:
    """The average visit length: the figure of that column."""
    own, wanted = terms.dimensions.get(str(d.dim)), "average" if how.cat == "AVG" else "sum"
    found = [
        t.name
        for t in terms.metrics.values()
        if own and own.column and t.column == own.column and t.aggregate == wanted and not t.filtered
    ]
    if len(found) != 1:
        return None
    mean = wanted == "average"
    return Node("M", metrics=(found[0],), average=mean, kind="average" if mean else "", cost=d.cost)


@rule("AVG D", ko="=", en="=")
def price_paid(terms: Terms, _: Node, d: Node) -> Node | None:
    """The average unit price in October: what was paid for one; without a time it is that of the price list."""
    owner, usual = terms.owner(str(d.dim)), terms.usual
    if owner is None or usual is None or not terms.is_sold(owner):
        return None
    sides = (usual, terms.pieces_of(usual))
    found = [t.name for t in terms.metrics.values() if t.sides == sides]
    return Node("M", metrics=(found[0],), average=True, kind="average", cost=d.cost + 0.5) if found else None


@rule("M PER|PERROW|FOREACH", en="<")
def per_event(terms: Terms, body: Node, _: Node) -> Node | None:
    plain = body == Node("M", metrics=body.metrics) and len(body.metrics) == 1
    own = terms.rows_of(body.metrics[0]) if plain else None
    if own is None and plain and terms.metrics[body.metrics[0]].filtered:  # per meal expense: of the meals
        own, limits = terms.count_of(body.metrics[0]), terms.limits_of(body.metrics[0])
        return Node("PERD", per=f"metric:{own}", filters=limits, cost=0.6) if own and limits else None
    return Node("PERD", per=f"metric:{own}") if own else None


@rule("M PERHEAD", en="-")
def per_person(terms: Terms, body: Node, _: Node) -> Node | None:
    """참석자 1인당: per person of those that a figure counts."""
    plain = body == Node("M", metrics=body.metrics) and len(body.metrics) == 1
    people = plain and terms.metrics[body.metrics[0]].unit == "명"
    return Node("PERD", per=f"metric:{body.metrics[0]}") if people else None


@rule("V PER", en="<")
def per_verb(terms: Terms, v: Node, _: Node) -> Node | None:
    own = terms.rows_of(v.metrics[0]) if v == Node("V", metrics=v.metrics) else None
    return Node("PERD", per=f"metric:{own}") if own else None


@rule("PERHEAD M", ko="=", en="=")
def per_head(terms: Terms, _: Node, body: Node) -> Node | None:
    made = _per(terms, body, f"dim:{terms.person}") if terms.person else None
    return replace(made, flags=made.flags | {"head"}) if made else None


@rule("PERPLACE M", ko="=", en="-")
def per_place(terms: Terms, _: Node, body: Node) -> Node | None:
    """한 곳당 매출: the counter names the kind of thing where nothing else does."""
    place = terms.domain.entity_dimensions.get("organisation")
    return _per(terms, body, f"dim:{place}") if place in terms.dimensions else None


@rule("PERHEAD M", ko="=", en="=")
def per_guest(terms: Terms, _: Node, body: Node) -> Node | None:
    """식사비 1인당: of those who were there, where the rows count them."""
    counted = len(body.metrics) == 1 and not terms.counts(body.metrics[0])
    people = terms.people_of(body.metrics[0]) if counted else None
    made = _per(terms, body, f"metric:{people}") if people and people not in body.metrics else None
    return replace(made, cost=made.cost - 0.5) if made else None


@rule("PERROW M", ko="=", en="-")
def per_row(terms: Terms, _: Node, body: Node) -> Node | None:
    own = terms.rows_of(body.metrics[0]) if len(body.metrics) == 1 and not body.rows else None
    return _per(terms, body, f"metric:{own}") if own and own not in body.metrics else None


def _per(terms: Terms, body: Node, per: str) -> Node | None:
    if body.kind or not body.metrics or not all(terms.adds(m) for m in body.metrics):
        return None
    kind, _, name = per.partition("@")[0].partition(":")
    if kind == "metric" and len(body.metrics) == 1 and (near := terms.near(name, body)):
        per = per.replace(f"metric:{name}", f"metric:{near}")  # meal cost per attendee: of the meals
    if kind == "metric" and (only := terms.limits_beside(name, body)):  # spent per guest at meals: on meals
        body = replace(body, filters=(*body.filters, *only))
    if kind == "dim" and not all(terms.splits(m, name) for m in body.metrics):
        return None
    both = per if body.per is None else _spread(body.per, per)
    return replace(body, per=both) if both else None


def _spread(one: str, other: str) -> str | None:
    """Visits per rep per month: a thing and a unit of time, however they are ordered."""
    thing, unit = (other, one) if one in _UNITS else (one, other)
    return (
        f"{thing}@{unit}"
        if unit in _UNITS and thing.startswith(("dim:", "metric:")) and "@" not in thing
        else None
    )


@rule("MUCH PERD", ko="=", en="=")
def how_much_per(_: Terms, much: Node, per: Node) -> Node | None:
    """One figure, not that of each: how much is that per rep?"""
    return replace(per, flags=per.flags | {"one"}, cost=per.cost + much.cost)


@rule("PERD PERD", ko="=", en="=")
def two_divisors(_: Terms, x: Node, y: Node) -> Node | None:
    """1인당 월평균; per rep and month."""
    both = _spread(str(x.per), str(y.per))
    return Node("PERD", per=both, average=x.average or y.average, cost=x.cost + y.cost) if both else None


@rule("PERD M", ko="-", en="=")
def per_unit_or_each(terms: Terms, x: Node, body: Node) -> Node | None:
    """Average sales per rep are a mean; sales per rep are more likely those of each, and so is the average score per type."""
    kind, _, name = str(x.per).partition(":")
    mean = x.average or body.average
    if kind == "dim" and mean and not terms.named_rows(name) and terms.average_of(body.metrics[0]):
        return None
    each = kind == "dim" and not mean and body.per is None and "one" not in x.flags
    if each and not terms.named_rows(name.partition("@")[0]) and body.rows:
        return None  # orders above a million per region: of each region
    made = per_unit(terms, x, body)
    return replace(made, cost=made.cost + 0.6) if made and each else made


@rule("PERD M", ko="=", en="-")
def per_unit(terms: Terms, x: Node, body: Node) -> Node | None:
    made = _per(terms, body, str(x.per))
    if made is None or (
        x.filters and not all(terms.splits(m, f.dimension) for m in body.metrics for f in x.filters)
    ):
        return None
    limits = Node("F", filters=x.filters, period=x.period)
    whole = unify(made.cat, made, limits) if x.filters or x.period else made
    return replace(whole, average=whole.average or x.average, cost=whole.cost + x.cost) if whole else None


@rule("PERD V", ko="=", en="=")
def worth_per_unit(terms: Terms, x: Node, v: Node) -> Node | None:
    """The worth of what was done, for each: how much a rep sells on average."""
    if len(v.metrics) != 1 or v.kind or v.rank:
        return None
    return per_unit(terms, x, replace(v, cat="M", metrics=(terms.worth_of(v.metrics[0]),), cost=v.cost + 0.5))


@rule("PERD M", ko="-", en="=")
def of_each(terms: Terms, x: Node, body: Node) -> Node | None:
    """Sales per product, the average order value per region: of each of them."""
    kind, _, name = str(x.per).partition(":")
    means = body.kind == "average" or not any(terms.adds(m) for m in body.metrics)
    each = not x.average and not body.average and "one" not in x.flags
    if kind != "dim" or "@" in name or body.per or body.rank or not (means or each):
        return None
    made = _by_thing(terms, x, body, name)
    return replace(made, flags=made.flags | {"each"}) if made and each else made


@rule("PERD M", ko="-", en="=")
def unit_of_each(terms: Terms, x: Node, body: Node) -> Node | None:
    """Average monthly expenses per category."""
    kind, _, name = str(x.per).partition(":")
    if kind != "dim" or body.per not in _UNITS or body.rank or "@" in name:
        return None
    return _by_thing(terms, x, body, name)


def _by_thing(terms: Terms, x: Node, body: Node, name: str) -> Node | None:
    near = terms.nearer(name, body.metrics[0])
    if not all(terms.splits(m, near) for m in body.metrics):
        return None
    return unify("M", Node("G", groups=(near,), cost=x.cost - 0.5), body)


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


@rule("PERD COUNT", ko=">", en="-")
def units_per_event(terms: Terms, x: Node, count: Node) -> Node | None:
    """방문 한 건에 평균 몇 분."""
    kind, _, name = str(x.per).partition(":")
    own = terms.unit_of_rows(name, count.unit) if kind == "metric" and count.unit else None
    return Node("M", metrics=(own,), per=x.per, average=x.average, cost=x.cost + count.cost) if own else None


@rule("M ONE", ko="-", en="<")
def one_piece(terms: Terms, body: Node, one: Node) -> Node | None:
    """Read "what did one unit sell for"."""
    plain = body == Node("M", metrics=body.metrics) and len(body.metrics) == 1
    fits = plain and terms.adds(body.metrics[0]) and not terms.is_money(body.metrics[0])
    return Node("PERD", per=f"metric:{body.metrics[0]}", average=one.average, cost=0.4) if fits else None


@rule("AVG PERD", ko="=", en="=")
def on_average(_: Terms, __: Node, per: Node) -> Node | None:
    return replace(per, average=True)


@rule("PERD P", en="-")
def per_thing_then(_: Terms, per: Node, p: Node) -> Node | None:
    """거래처당 10월 평균 매출: the period stands between the thing and the figure."""
    plain = per.period is None and p == Node("P", period=p.period, cost=p.cost)
    return replace(per, period=p.period, cost=per.cost + p.cost + 0.1) if plain else None


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
    if body == Node(
        "M", metrics=body.metrics, average=True, period=body.period, filters=body.filters, flags=body.flags
    ):
        return body  # the word stands apart from the figure that already is one per thing
    if (
        body.kind == "average" and not body.per and len(body.metrics) == 1
    ):  # how long did visits last on average?
        return replace(body, cost=body.cost + 0.1)
    if body.average or body.kind or len(body.metrics) != 1:
        return None
    if body.per:  # on average per rep and month: one figure rather than one for each month
        timed = bool(set(body.groups) & TIMES)
        return replace(body, average=True, cost=body.cost + (0.3 if timed else -0.7))
    own = body.metrics[0]
    if terms.metrics[own].aggregate == "average":
        return replace(body, average=True, kind="average")
    twin = terms.average_of(own)
    summed = terms.adds(own) and (terms.is_money(own) or terms.metrics[own].unit == "명")
    count = terms.count_of(own) if twin is None and summed and not terms.counts(own) else None
    if count and not body.groups:  # the mean of its rows
        return replace(body, per=f"metric:{count}", average=True, cost=body.cost + 0.5)
    timed = bool(set(body.groups) & TIMES)
    return (
        replace(body, metrics=(twin,), average=True, kind="average", cost=body.cost + 0.3 + timed)
        if twin
        else None
    )


@rule("LONG M|V", ko="=", en="=")
def how_long(terms: Terms, long: Node, body: Node) -> Node | None:
    """The mean of the time that rows hold: how long is a visit?"""
    if len(body.metrics) != 1 or body.kind or body.rank:
        return None
    if terms.metrics[body.metrics[0]].unit in ("일", "분") and not terms.adds(body.metrics[0]):
        kind = "average" if long.average else body.kind  # 배송까지 평균 며칠 걸려
        return replace(
            body, cat="M", average=body.average or long.average, kind=kind, cost=body.cost + long.cost
        )
    time = terms.unit_of_rows(body.metrics[0], "분") if terms.counts(body.metrics[0]) else None
    own = terms.average_of(time) if time else None
    if (
        time is None and not long.unit
    ):  # the duration of orders is a column of theirs, not the days until they end
        own = terms.days_of(body.metrics[0])
    return (
        replace(body, cat="M", metrics=(own,), average=True, kind="average", cost=body.cost + long.cost)
        if own
        else None
    )


@rule("LONG F", ko="=", en="=")
def how_long_such(terms: Terms, long: Node, f: Node) -> Node | None:
    """Rows of a kind that is named: how long is a routine visit?"""
    own = terms.rows_with(f.filters[0].dimension) if len(f.filters) == 1 else None
    return how_long(terms, long, replace(f, cat="M", metrics=(own,), cost=f.cost + 0.2)) if own else None


@rule("M|V TAKE", ko="-")
def takes(terms: Terms, body: Node, take: Node) -> Node | None:
    """Read the days that something takes: how many days does a repair take?"""
    return how_long(terms, take, body)


@rule("AVG LONG", en="=")
def how_long_usually(_: Terms, avg: Node, long: Node) -> Node | None:
    """평균 며칠 걸려: the time that rows take is a mean anyway."""
    return replace(long, average=True, cost=avg.cost + long.cost)


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


def splittable(body: Node) -> bool:
    return len(body.metrics) == 1 and not body.kind and not body.per and not body.rank and not body.base


@rule("M SHARE|PCT", en="<")
def share(terms: Terms, body: Node, link: Node) -> Node | None:
    if not splittable(body) or terms.metrics[body.metrics[0]].unit == "%":  # a rate is no part of a whole
        return None
    if body.groups:
        return replace(body, cat="Q", kind="share")
    if body.weekdays and not body.filters:
        return replace(body, cat="Q", kind="share")
    if body.filters_listed and body.split:
        return None
    if len(body.filters) == 1 and not body.filters[0].negated and body.split is not False:
        return replace(body, cat="Q", kind="share", part=body.filters, filters=(), cost=body.cost + 0.05)
    return replace(body, cat="SM") if not any(f.listed for f in body.filters) else None


@rule("M SHARE|PCT", en="<")
def share_of_rows(terms: Terms, body: Node, _: Node) -> Node | None:
    """The rows within a limit, of all of them: what portion of the visits took less than 15 minutes."""
    plain = splittable(body) and not body.groups and not body.weekdays and not body.among
    if not plain or not body.rows or not terms.counts(body.metrics[0]):
        return None
    return replace(body, cat="Q", kind="share", cost=body.cost - 0.2)


@rule("M SHARE|PCT", en="<")
def share_in_each_unit(_: Terms, body: Node, __: Node) -> Node | None:
    """분기별 공공병원 매출 비중: the part in each unit of time."""
    fits = splittable(body) and body.groups and set(body.groups) <= TIMES and len(body.filters) == 1
    if not fits or body.filters[0].negated or body.weekdays or (body.filters_listed and body.split):
        return None
    return replace(body, cat="Q", kind="share", part=body.filters, filters=(), cost=body.cost - 0.3)


@rule("G Q", ko="=", en="=")
def share_each_unit(_: Terms, g: Node, q: Node) -> Node | None:
    """The share of clinics by quarter."""
    fits = q.kind == "share" and q.part and not q.groups and set(g.groups) <= TIMES and not q.among
    return unify("Q", g, q) if fits else None


@rule("Q RATE", ko=">", en="=")
def course_of_share(_: Terms, q: Node, rate: Node) -> Node | None:
    """분기별로 비중이 어떻게 변했는지."""
    fits = q.kind == "share" and q.groups and set(q.groups) <= TIMES and rate.growth == "change"
    return replace(q, flags=q.flags | {"course"}) if fits else None


@rule("M SHARE", en="<")
def share_of_both(_: Terms, body: Node, __: Node) -> Node | None:
    """The share of Seoul clinic sales: of both together in all, if not of one within the other."""
    fits = splittable(body) and not body.groups and len(body.filters) == 2 and not body.weekdays
    if not fits or any(f.negated or f.listed for f in body.filters):
        return None
    return replace(body, cat="Q", kind="share", part=body.filters, filters=(), cost=body.cost + 0.4)


@rule("M SHARE", ko="-", en="<")
def share_within(_: Terms, body: Node, __: Node) -> Node | None:
    """Read "what portion of Seoul sales came from clinics": the filters are those of the whole."""
    fits = splittable(body) and not body.groups and len(body.filters) == 1 and not body.weekdays
    fits = fits and "after" not in body.flags
    return replace(body, cat="SM", cost=body.cost + 0.1) if fits else None


@rule("M OFWHOLE", en="-")
def as_whole(_: Terms, body: Node, link: Node) -> Node | None:
    """의원 매출에서 차지하는 ...: it is the whole, whatever it is limited to."""
    return replace(body, cat="WM", cost=body.cost + link.cost) if splittable(body) else None


@rule("WM SHARE|PCT", en="-")
def share_of_whole(_: Terms, whole: Node, __: Node) -> Node | None:
    return replace(whole, cat="SM") if not whole.groups else None


@rule("SHARE SHARE", en="-")
@rule("RATIO PCT", en="-")
@rule("PCT SHARE", en="-")
@rule("SHARE PCT", en="-")
def share_in_percent(_: Terms, link: Node, __: Node) -> Node | None:
    return link


@rule("EACH SHARE", en="<")
@rule("AND ESHARE", ko=">", en="-")
@rule("TOTAL ESHARE", ko="=", en="=")
def share_of_each(_: Terms, a: Node, b: Node) -> Node | None:
    """각각 비중, the share of each in the total: beside each of them."""
    return Node("ESHARE", cost=a.cost + b.cost) if a.cat == "EACH" else replace(b, cost=a.cost + b.cost)


@rule("T ESHARE", ko=">", en=">")
def ranked_with_shares(_: Terms, t: Node, __: Node) -> Node | None:
    """상위 5개 병원이랑 각각 비중도."""
    return replace(t, flags=t.flags | {"shares"}) if t.rank and not t.rank.growth and not t.per else None


@rule("TOTAL SHARE|PCT", en="-")
def of_all(_: Terms, __: Node, link: Node) -> Node | None:
    return Node("SHARE", flags=frozenset({"whole"}))


@rule("M TOTAL", en="-")
def against_all(_: Terms, body: Node, __: Node) -> Node | None:
    """서울 매출은 전체의 ...: all stands for the whole that a share is of."""
    return replace(body, cat="MT") if splittable(body) and body.filters else None


@rule("MT SHARE|PCT", en="-")
def share_of_all(terms: Terms, body: Node, link: Node) -> Node | None:
    return share(terms, replace(body, cat="M"), link)


@rule("F PCT", ko="-", en="<")
@rule("F SHARE", en="<")
def part_share(_: Terms, f: Node, __: Node) -> Node | None:
    return Node("SF", part=f.filters, period=f.period, cost=f.cost + 0.1) if len(f.filters) == 1 else None


@rule("DAYS SHARE", en="-")
def days_share(_: Terms, d: Node, __: Node) -> Node | None:
    return Node("SF", weekdays=d.weekdays)


@rule("M SF", en="=")
@rule("SM F|DAYS", ko="=", en="=")
def share_of_part(_: Terms, whole: Node, x: Node) -> Node | None:
    part = x.part or x.filters
    clash = {f.dimension for f in whole.filters} & {f.dimension for f in part}
    if clash or whole.groups or not splittable(whole) or any(f.negated for f in part) or x.split:
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


@rule("V SF", ko="-")
def share_of_done(terms: Terms, v: Node, part: Node) -> Node | None:
    """The part of what we spent that went on meals."""
    return share_of_part(terms, replace(v, cat="M", metrics=(terms.worth_of(v.metrics[0]),)), part)


@rule("T SM", ko="=", en="=")
def share_of_best(terms: Terms, t: Node, whole: Node) -> Node | None:
    """상위 10개 병원이 매출에서 차지하는 비중; what share of sales came from the top 10 hospitals."""
    if t.rank is None or t.rank.n == 0 or whole.groups or t.groups or not splittable(whole) or t.base:
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
def share_by_group(terms: Terms, g: Node, body: Node) -> Node | None:
    groups = tuple(terms.nearer(group, body.metrics[0]) for group in g.groups)
    return unify("Q", replace(g, groups=groups), body, kind="share")


@rule("T SHARE", en="<")
def share_of_things(terms: Terms, t: Node, _: Node) -> Node | None:
    """A등급 병원 비율: of all hospitals."""
    own = terms.counted_by(str(t.dim))
    if own is None or len(t.filters) != 1 or t.having or t.existing or t.rank or t.numbers:
        return None
    return replace(t, cat="Q", dim=None, metrics=(own,), kind="share", part=t.filters, filters=())


@rule("T SHARE|PCT", en="<")
def share_that_did(terms: Terms, t: Node, _: Node) -> Node | None:
    """방문한 병원 비율: of all hospitals."""
    own = terms.counted_by(str(t.dim))
    if own is None or len(t.existing) != 1 or t.having or t.rank or t.numbers or not t.existing[0].exists:
        return None
    if t.existing[0].restrictions or (t.existing[0].period not in (None, t.period)):
        return None
    return replace(t, cat="Q", kind="share")


@rule("T SHARE|PCT", en="<")
def share_within_limits(terms: Terms, t: Node, _: Node) -> Node | None:
    """매출 천만 원 넘은 병원 비율, the share of reps who missed their target: of all of them."""
    own = terms.counted_by(str(t.dim))
    if own is None or not (t.having or t.existing) or t.rank or t.numbers or t.groups or t.base or t.metrics:
        return None
    if share_that_did(terms, t, _) is not None:
        return None
    existing = tuple(replace(e, period=e.period or t.period) for e in t.existing)
    chosen = replace(t, existing=existing, filters=(), cost=0.0)
    return Node("Q", kind="share", metrics=(own,), filters=t.filters, among=(chosen,), cost=t.cost + 0.2)


@rule("T OFWHOLE", en="-")
def whole_things(_: Terms, t: Node, link: Node) -> Node | None:
    """전체 병원의 몇 %: all of them are the whole."""
    return replace(t, cat="WT", cost=t.cost + link.cost) if bare(replace(t, filters=())) else None


@rule("T WT", en="-")
@rule("WT T", en="-")
def part_of_things(_: Terms, a: Node, b: Node) -> Node | None:
    """매출 천만 원 넘은 병원이 전체 병원의 ...: the chosen ones of all."""
    t, whole = (a, b) if a.cat == "T" else (b, a)
    if t.dim != whole.dim or not (t.having or t.existing) or (t.filters and whole.filters):
        return None
    return replace(t, filters=t.filters or whole.filters, cost=a.cost + b.cost)


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


@rule("SM PCT", ko="=", en="=")
def share_said_twice(_: Terms, whole: Node, __: Node) -> Node | None:
    """Read "how much of all sales, in percent"."""
    return whole


@rule("Q PCT", ko="-")
def in_percent(_: Terms, q: Node, __: Node) -> Node | None:
    return q if q.kind == "share" else None
