"""Rules for rankings, and for figures of the things they choose."""

from __future__ import annotations

from metaagent.level1.query_analyzer.grammar.chart import rule
from metaagent.level1.query_analyzer.grammar.meaning import BY_MEAN, EVERY, Node, Rank, bare, replace, unify
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms

# ranking


@rule("M GS", ko="-")
@rule("M SUP|SUPQ", ko="-")
def ranked_after(terms: Terms, body: Node, sup: Node) -> Node | None:
    """Expenses were highest: in which month."""
    made = ranked_by(terms, body, sup)
    return replace(made, cost=made.cost + 0.4) if made else None


@rule("M|GM SUP|SUPQ|TOP|NTH|GS", en="<")
def ranked_by(terms: Terms, body: Node, sup: Node) -> Node | None:
    body = _named_mean(terms, body)
    if len(body.metrics) != 1 or sup.rank is None or body.kind or (body.rank and not body.growth):
        return None
    rank = replace(sup.rank, by=body.metrics[0], growth=sup.rank.growth or body.growth)
    falling = body.rank is not None and not body.rank.descending
    if falling and rank.growth:
        rank = replace(rank, descending=not rank.descending)
    flags = body.flags | (sup.flags & _ROW)
    return replace(body, cat="R", metrics=(), growth="", rank=rank, flags=flags, cost=body.cost + sup.cost)


def _named_mean(terms: Terms, body: Node) -> Node:
    """별점 평균이 높은: a mean that the model has a name for is a figure as any other."""
    mean = body.kind == "average" and body.average and not body.per and len(body.metrics) == 1
    if not mean or terms.metrics[body.metrics[0]].aggregate != "average":
        return body
    return replace(body, kind=Node("M").kind, average=False, flags=body.flags | {BY_MEAN})


_ROW = frozenset({"row"})


@rule("SUP M", ko=">", en=">")
def most_of_rows(_: Terms, sup: Node, body: Node) -> Node | None:
    """가장 큰 지출, the largest expense: of its rows."""
    fits = (
        len(body.metrics) == 1 and not body.kind and body.rank is None and not body.growth and not body.groups
    )
    if not fits or sup.rank is None or sup.rank.n != 1 or sup.rank.nth:
        return None
    rank = replace(sup.rank, by=body.metrics[0])
    flags = body.flags | (sup.flags & _ROW) | {"attributive"}
    return replace(body, cat="R", metrics=(), rank=rank, flags=flags, cost=body.cost + sup.cost + 0.1)


@rule("SUP M", ko="-")
def so_many_rows(terms: Terms, sup: Node, body: Node) -> Node | None:
    """The five largest expenses, the ten biggest orders: so many rows."""
    made = most_of_rows(terms, replace(sup, rank=replace(sup.rank, n=1)), body) if sup.rank else None
    if made is None or made.rank is None or sup.rank is None or not 1 < sup.rank.n < EVERY or sup.rank.nth:
        return None
    flags = (made.flags | _ROW) - {"after"}
    return replace(made, rank=replace(made.rank, n=sup.rank.n), flags=flags, cost=made.cost + 0.2)


@rule("N M", ko="-")
def so_many_extremes(terms: Terms, n: Node, body: Node) -> Node | None:
    """The 5 biggest expenses, where the model has a name for the biggest one."""
    own = terms.metrics[body.metrics[0]] if len(body.metrics) == 1 else None
    fits = n.unit in (None, "count") and n.numbers[0] == int(n.numbers[0]) > 1
    if (
        own is None
        or own.aggregate not in ("max", "min")
        or not fits
        or body.groups
        or body.rank
        or body.kind
    ):
        return None
    rank = Rank(own.aggregate == "max", int(n.numbers[0]), by=own.name)
    return replace(body, cat="R", metrics=(), rank=rank, flags=body.flags | _ROW, cost=body.cost + n.cost)


@rule("SUP M", ko="=", en=">")
def best_unit(_: Terms, sup: Node, body: Node) -> Node | None:
    """The highest daily sales, 하루 최고 매출: the unit of time that has the most."""
    fits = len(body.metrics) == 1 and len(body.groups) == 1 and body.groups[0] in TIMES and not body.kind
    if not fits or sup.rank is None or sup.rank.n < 1 or body.rank or body.growth or body.per:
        return None
    rank = replace(sup.rank, by=body.metrics[0])
    return replace(
        body, cat="T", dim=body.groups[0], groups=(), metrics=(), rank=rank, cost=body.cost + sup.cost + 0.2
    )


@rule("SUP ONEROW", ko="=", en=">")
def single_most(_: Terms, sup: Node, one: Node) -> Node | None:
    """The largest single ...: a row, not a sum of rows."""
    return replace(sup, flags=sup.flags | _ROW, cost=sup.cost + one.cost)


@rule("M|V ONEROW", ko="=", en="=")
def single_row(_: Terms, body: Node, one: Node) -> Node | None:
    """지출 한 건, a single expense."""
    return (
        replace(body, flags=body.flags | _ROW, cost=body.cost + one.cost) if len(body.metrics) == 1 else None
    )


@rule("R ONEROW|PERROW", en="-")
def ranked_row(_: Terms, r: Node, one: Node) -> Node | None:
    """가장 큰 지출 한 건."""
    return replace(r, flags=r.flags | _ROW, cost=r.cost + one.cost)


@rule("R N", en="-")
def ranked_rows(_: Terms, r: Node, n: Node) -> Node | None:
    """금액이 가장 큰 지출 3건."""
    fits = n.op == "rows" and n.numbers[0] == int(n.numbers[0]) >= 1
    if not fits or r.rank is None or r.rank.n > 1:
        return None
    return replace(r, rank=replace(r.rank, n=int(n.numbers[0])), flags=r.flags | _ROW, cost=r.cost + 0.3)


@rule("R T|&T|ATTRS|&ATTRS|MUCH|&MUCH", ko="=", en="=")
def detail_of_row(terms: Terms, r: Node, x: Node) -> Node | None:
    """Amount, category and date of the largest expense."""
    if "row" not in r.flags or r.rank is None or r.rank.by is None:
        return None
    if x.cat.endswith("MUCH"):
        return replace(r, cost=r.cost + x.cost)
    listed = x.cat.endswith("ATTRS")
    near = {terms.nearer(name, r.rank.by) for name in (x.groups if listed else (str(x.dim),))}
    fits = (listed or bare(replace(x, cat="T"))) and near <= {*terms.details(r.rank.by), "day"}
    return replace(r, cost=r.cost + x.cost) if fits else None


@rule("R T", ko="=", en="=")
def date_of_row(terms: Terms, r: Node, t: Node) -> Node | None:
    """제일 큰 지출은 언제: the day of that one expense, rather than the day of the largest sum."""
    rank = r.rank
    if (
        t.dim != "day"
        or not bare(t)
        or "attributive" not in r.flags
        or "row" in r.flags
        or rank is None
        or not rank.by
    ):
        return None
    single = rank.n == 1 and terms.names_rows(rank.by) and terms.extreme_of(rank.by, largest=rank.descending)
    return replace(r, flags=r.flags | _ROW, cost=r.cost + t.cost - 0.4) if single else None


@rule("M SUP", en="-")
def which_is_more(_: Terms, body: Node, sup: Node) -> Node | None:
    """서울과 부산 중 어디 매출이 더 많아: each of them, the larger first."""
    if not body.filters_listed or sup.rank is None or sup.rank.n > 1 or body.groups or body.kind or body.per:
        return None
    return replace(
        body, split=True, rank=replace(sup.rank, n=EVERY, by=body.metrics[0]), cost=body.cost + 0.4
    )


@rule("ORDER NTH", ko="=")
def place_in_order(_: Terms, __: Node, nth: Node) -> Node | None:
    """Ranked 7th, 순위 4위."""
    return nth


@rule("WHO NTH")
def who_in_place(_: Terms, __: Node, nth: Node) -> Node | None:
    """The place alone, after a list: who was second?"""
    return nth


@rule("NTH SUP|SUPQ")
def place(_: Terms, nth: Node, sup: Node) -> Node | None:
    n = nth.rank.n if nth.rank else 1
    return replace(sup, rank=replace(sup.rank or Rank(), n=n, nth=True))


@rule("NTH R|TOP", ko="=", en="-")
def place_of(_: Terms, nth: Node, r: Node) -> Node | None:
    if r.rank is None or r.rank.nth or r.rank.n > 1 or nth.rank is None:
        return None
    return replace(r, rank=replace(r.rank, n=nth.rank.n, nth=True))


@rule("MOST NV", en="-")
def least_done(_: Terms, __: Node, v: Node) -> Node | None:
    """제일 안 팔린."""
    if len(v.metrics) != 1 or v.groups or v.rank:
        return None
    rank = Rank(descending=False, by=v.metrics[0])
    return replace(v, cat="R", metrics=(), rank=rank, flags=v.flags | {"moved"})


@rule("F V", ko="-")
def done_there(terms: Terms, f: Node, v: Node) -> Node | None:
    """Seoul sold, Daegu is selling: the worth of what was done there."""
    if not f.filters or not all(terms.splits(m, x.dimension) for m in v.metrics for x in f.filters):
        return None
    own = terms.worth_of(v.metrics[0])
    return unify("M", f, replace(v, metrics=(own,)), cost=0.6)


@rule("MOST R", en="-")
def most(_: Terms, __: Node, r: Node) -> Node | None:
    return replace(r, rank=replace(r.rank, n=1)) if r.rank and r.rank.n == 0 else None


@rule("N SUP|SUPQ", ko="-")
def several(_: Terms, n: Node, sup: Node) -> Node | None:
    fits = n.unit in (None, "count") and sup.rank is not None and sup.rank.n == 1
    return replace(sup, rank=replace(sup.rank or Rank(), n=int(n.numbers[0]))) if fits else None


@rule("MORE V", en="-")
def more_done(terms: Terms, _: Node, v: Node) -> Node | None:
    """어디가 더 팔았어."""
    return most_done(terms, Node("SUP", rank=Rank(n=0)), v)


@rule("SUPQ MUCH", ko="-")
@rule("MOST MUCH", en="-")
def most_money(_: Terms, most: Node, much: Node) -> Node | None:
    """The most money, 제일 돈 많이."""
    return replace(most, unit="money", cost=most.cost + much.cost) if much.unit == "money" else None


@rule("T SUPQ", ko="-")
def made_most_money(terms: Terms, t: Node, sup: Node) -> Node | None:
    """The one that made the most money: in the usual figure."""
    fits = sup.unit == "money" and terms.usual is not None and terms.is_worth(terms.usual) and sup.rank
    if not fits or not bare(t) or not terms.splits(str(terms.usual), str(t.dim)):
        return None
    rank = replace(sup.rank or Rank(), by=terms.usual)
    return replace(t, rank=rank, flags=t.flags | {"usual"}, cost=t.cost + sup.cost + 0.8)


@rule("SUP|SUPQ V", en="=")
def most_done(terms: Terms, sup: Node, v: Node) -> Node | None:
    worth = terms.money_of(v.metrics[0]) if sup.unit == "money" else v.metrics[0]
    if worth is None:
        return None
    rank = replace(sup.rank or Rank(), by=worth)
    return replace(v, cat="R", metrics=(), rank=rank, flags=v.flags | {"moved"})


@rule("R V", en="=")
def rank_said_again(terms: Terms, r: Node, v: Node) -> Node | None:
    """비용을 가장 많이 쓴; reps who made the most visits."""
    same = r.rank and r.rank.by and terms.same_fact(r.rank.by, v.metrics[0])
    return unify("R", r, replace(v, metrics=())) if same else None


@rule("R ORDER", en="-")
@rule("ORDER R", ko="-")
def in_order(_: Terms, a: Node, b: Node) -> Node | None:
    r = a if a.cat == "R" else b
    return replace(r, rank=replace(r.rank, n=EVERY)) if r.rank and r.rank.n < 2 and not r.rank.nth else None


@rule("M|GM ORDER", en="<")
def order_of(terms: Terms, body: Node, order: Node) -> Node | None:
    return ranked_by(terms, body, order)


@rule("ADJ T", ko="=", en="=")
def ranked_by_adjective(terms: Terms, adjective: Node, t: Node) -> Node | None:
    by = terms.by_adjective(str(t.dim), str(adjective.unit))
    if by is None or adjective.rank is None or t.rank:
        return None
    if any(
        g in terms.dimensions and terms.dimensions[g].column == terms.metrics[by].column for g in t.groups
    ):
        return None  # the same figure twice
    return unify("T", replace(adjective, unit=None, rank=replace(adjective.rank, by=by)), t)


@rule("ADJ F", ko="=", en="=")
def kind_by_adjective(terms: Terms, adjective: Node, f: Node) -> Node | None:
    """The heaviest lens: of the things that are of a kind, that with the most of what the adjective speaks of."""
    kinds = [one for one in f.filters if not one.negated]
    if len(f.filters) != 1 or not kinds or adjective.rank is None:
        return None
    found = terms.of_kind(kinds[0].dimension, str(adjective.unit))
    if found is None:
        return None
    thing, by = found
    made = replace(adjective, unit=None, rank=replace(adjective.rank, by=by), cost=adjective.cost + 0.4)
    return unify("T", made, replace(f, cat="T", dim=thing))


@rule("ADJ M", ko="=", en="=")
def rows_by_adjective(terms: Terms, adjective: Node, body: Node) -> Node | None:
    """The region with the longest visits, 방문이 제일 긴 지역: by how long they are on average."""
    plain = (
        len(body.metrics) == 1 and not body.kind and body.rank is None and not body.growth and not body.per
    )
    by = terms.mean_by_adjective(body.metrics[0], str(adjective.unit)) if plain else None
    if by is None or adjective.rank is None:
        return None
    flags = body.flags | ({BY_MEAN} if body.average else frozenset())
    made = replace(body, cat="R", metrics=(), average=False, flags=flags)
    return replace(made, rank=replace(adjective.rank, by=by), cost=body.cost + adjective.cost)


@rule("R|T AVG", ko="=", en="=")
def rank_by_a_mean(terms: Terms, r: Node, avg: Node) -> Node | None:
    """The longest visits on average: what goes by a mean already."""
    by = terms.metrics.get(r.rank.by or "") if r.rank else None
    if by is None or by.aggregate != "average":
        return None
    return replace(r, flags=r.flags | {BY_MEAN}, cost=r.cost + avg.cost)


@rule("D ADJ", en="-")
def column_and_adjective(terms: Terms, d: Node, adjective: Node) -> Node | None:
    """단가 제일 비싼: the column that the adjective speaks of is named too."""
    own, meant = terms.dimensions.get(str(d.dim)), set(str(adjective.unit).split())
    said = own is not None and any(label.lower().split()[-1] in meant for label in own.labels if label)
    return replace(adjective, cost=adjective.cost + d.cost) if said else None


@rule("NTH|N ADJ")
def place_by_adjective(_: Terms, n: Node, adjective: Node) -> Node | None:
    if adjective.rank is None:
        return None
    place = n.rank.n if n.rank else int(n.numbers[0]) if n.unit in (None, "count") else 0
    return replace(adjective, rank=replace(adjective.rank, n=place, nth=n.cat == "NTH")) if place else None


@rule("T T", ko="=", en="=")
def same_thing(_: Terms, a: Node, b: Node) -> Node | None:
    """담당자 3명이 누구: the question word stands for the thing that is named."""
    who, t = (a, b) if "who" in a.flags else (b, a)
    if "who" not in who.flags or not bare(who) or t.dim != who.dim or "implied" in t.flags:
        return None
    return replace(t, cost=a.cost + b.cost)


@rule("T T", en="-")
def out_of_them(_: Terms, a: Node, b: Node) -> Node | None:
    """영업사원 중에서 방문이 줄어든 사람: the kind is named first, and a word for any of them behind the condition."""
    chosen = bool(b.having or b.existing) and not b.rank
    same = bare(replace(a, filters=())) and a.dim == b.dim and chosen and not a.flags & {"who", "implied"}
    if not same or (a.filters and b.filters):
        return None
    return replace(b, filters=a.filters or b.filters, flags=b.flags - {"who"}, cost=a.cost + b.cost)


@rule("T R", en="-")
def most_of_things(terms: Terms, t: Node, r: Node) -> Node | None:
    """병원을 제일 적게 방문한: ranked by how many of them."""
    by = terms.distinct(str(t.dim), str(r.rank.by)) if r.rank and r.rank.by and "moved" in r.flags else None
    if by is None or not bare(t) or r.rank is None:
        return None
    return replace(r, rank=replace(r.rank, by=by), flags=r.flags - {"moved"}, cost=r.cost + t.cost + 0.3)


@rule("T SUP|SUPQ", ko="-")
def who_most(_: Terms, t: Node, sup: Node) -> Node | None:
    """The most, of whoever it is; which team had the fewest, after the visits of all."""
    if t.rank is not None or not bare(t):
        return None
    return unify("T", t, sup, cost=0.3 if "who" in t.flags else 0.6)


@rule("SUP ORDER", en="-")
def in_that_order(_: Terms, sup: Node, order: Node) -> Node | None:
    """많은 순으로: all of them, the largest first."""
    fits = sup.rank is not None and sup.rank.n == 0 and order.rank is not None and order.rank.descending
    return (
        replace(order, rank=replace(order.rank or Rank(), descending=(sup.rank or Rank()).descending))
        if fits
        else None
    )


@rule("R T", ko="=", en="=")
def ranked_thing(terms: Terms, r: Node, t: Node) -> Node | None:
    if t.rank is not None or r.rank is None or "row" in r.flags:
        return None
    fits = r.rank.by is None or terms.splits(r.rank.by, str(t.dim))
    if (
        "moved" in r.flags
    ):  # who sold the most: in money; which product: in units; who booked the most: how often
        worth = not terms.is_sold(str(t.dim)) and terms.is_trade(str(r.rank.by))
        money = terms.money_of(str(r.rank.by)) if worth else None
        bought = terms.is_sold(str(t.dim)) and terms.counts(str(r.rank.by)) and terms.is_trade(str(r.rank.by))
        money = terms.pieces_of(str(r.rank.by)) if bought else money  # the product they bought most
        behind = 0.5 if worth and money is None and terms.is_pieces(str(r.rank.by)) else 0.0
        rank = replace(r.rank, by=money or r.rank.by)
        r = replace(r, rank=rank, flags=r.flags - {"moved"}, cost=r.cost + behind)
    if r.rank is not None and r.rank.by and t.dim:
        t = replace(t, dim=terms.nearer(t.dim, r.rank.by))
    return unify("T", r, t) if fits else None


@rule("ORDER T", ko="-")
def ranked_anyway(_: Terms, order: Node, t: Node) -> Node | None:
    """Rank the top 5 hospitals."""
    fits = t.rank is not None and t.rank.n > 1 and order.rank is not None and order.rank.descending
    return t if fits else None


@rule("T ORDER", ko="-")
def other_way_round(_: Terms, t: Node, order: Node) -> Node | None:
    """Ranked by revenue, worst first."""
    if t.rank is None or t.rank.n != EVERY or order.rank is None:
        return None
    return replace(t, rank=replace(t.rank, descending=order.rank.descending))


@rule("SUP|TOP|NTH|ORDER|GS T")
@rule("T TOP|ORDER|NTH")
@rule("T GS", ko="-")
def top_things(_: Terms, sup: Node, t: Node) -> Node | None:
    sup, t = (sup, t) if t.cat == "T" else (t, sup)
    return unify("T", sup, t) if t.rank is None else None


@rule("T TOP")
def top_of_ranked(_: Terms, t: Node, top: Node) -> Node | None:
    if t.rank is None or top.rank is None or t.rank.n > 1 or t.rank.descending != top.rank.descending:
        return None
    return replace(t, rank=replace(t.rank, n=top.rank.n, percent=top.rank.percent))


@rule("TOP N")
def top_so_many(_: Terms, top: Node, n: Node) -> Node | None:
    """꼴찌부터 3곳."""
    fits = top.rank is not None and top.rank.n == 0 and n.unit in (None, "count") and n.numbers[0] >= 1
    return replace(top, rank=replace(top.rank or Rank(), n=int(n.numbers[0]))) if fits else None


@rule("M SUP|TOP|ORDER", ko="-")
def best_of_groups(terms: Terms, body: Node, sup: Node) -> Node | None:
    """Sales by rep, best ten."""
    if len(body.groups) != 1 or len(body.metrics) != 1 or body.kind or body.rank or sup.rank is None:
        return None
    if set(body.groups) & TIMES or sup.rank.n < 1:
        return None
    rank = replace(sup.rank, by=body.metrics[0])
    return replace(
        body, cat="T", dim=body.groups[0], groups=(), metrics=(), rank=rank, cost=body.cost + sup.cost + 0.1
    )


@rule("SUP N", en=">")
def so_many_most(_: Terms, sup: Node, n: Node) -> Node | None:
    """제일 적은 세 곳."""
    fits = n.unit in (None, "count") and n.numbers[0] == int(n.numbers[0]) >= 1
    if not fits or sup.rank is None or sup.rank.n > 1 or sup.rank.nth:
        return None
    return replace(sup, rank=replace(sup.rank, n=int(n.numbers[0])), cost=sup.cost + n.cost)


@rule("N BASIS", en="-")
def limit_instead(_: Terms, n: Node, __: Node) -> Node | None:
    """5천만 원 기준으로: another limit in the place of the one before."""
    return n


@rule("T N", en="<")
def so_many(_: Terms, t: Node, n: Node) -> Node | None:
    whole = n.numbers[0] == int(n.numbers[0]) and 1 <= n.numbers[0] <= EVERY
    return (
        replace(t, numbers=n.numbers, cost=t.cost)
        if n.unit in (None, "count") and whole and not t.numbers
        else None
    )


@rule("G R", ko="=", en="=")
def ranked_group(terms: Terms, g: Node, r: Node) -> Node | None:
    """병원별 매출 순위: the group is what is ranked."""
    if r.rank is None or r.rank.by is None or not terms.splits(r.rank.by, g.groups[-1]):
        return None
    flags = r.flags | {"in_each"} if g.groups[1:] else r.flags
    return replace(
        r, cat="T", dim=g.groups[-1], groups=(*r.groups, *g.groups[:-1]), flags=flags, cost=r.cost + g.cost
    )


@rule("G T", ko="=", en="=")
def ranked_within(_: Terms, g: Node, t: Node) -> Node | None:
    """지역별 매출 상위 3개 제품: ranked anew in each region."""
    if t.rank is None or t.rank.n == 0 or t.dim in g.groups or t.groups:
        return None
    return unify("T", g, t, cost=0.0 if t.rank.by else 0.2, flags=g.flags | t.flags | {"in_each"})


@rule("M BY", ko="-", en="<")
def by_figure(_: Terms, body: Node, __: Node) -> Node | None:
    return replace(body, cat="BYM") if len(body.metrics) == 1 and not body.groups else None


@rule("M BASIS", en="-")
def on_basis(terms: Terms, body: Node, basis: Node) -> Node | None:
    """수량 기준으로: the figure that a ranking goes by."""
    made = by_figure(terms, body, basis)
    return replace(made, cost=made.cost + basis.cost) if made else None


@rule("GM BY", ko="-", en="<")
def by_growth(_: Terms, body: Node, __: Node) -> Node | None:
    return replace(body, cat="BYM")


@rule("RATE BY", ko="-", en="<")
def by_usual_growth(terms: Terms, rate: Node, __: Node) -> Node | None:
    """Ranked by growth: of the usual figure."""
    if terms.usual is None:
        return None
    flags = frozenset({"usual"})
    return Node("BYM", metrics=(terms.usual,), growth=rate.growth, flags=flags, cost=rate.cost + 1.0)


@rule("ORDER BYM", ko="-")
def order_by_another(_: Terms, order: Node, by: Node) -> Node | None:
    """Rank by visits instead: the figure that a list goes by."""
    down = order.rank is not None and order.rank.descending
    return replace(by, rank=order.rank, cost=by.cost + order.cost + 0.4) if down and by.rank is None else None


@rule("T BYM", ko="=")
def things_by(terms: Terms, t: Node, by: Node) -> Node | None:
    """The three best hospitals by sales, 매출 기준 병원 상위 3곳."""
    if t.rank is None or t.rank.by or not terms.splits(by.metrics[0], str(t.dim)):
        return None
    rank = replace(t.rank, by=by.metrics[0], growth=t.rank.growth or by.growth)
    return unify("T", t, by, metrics=(), growth="", rank=rank)


@rule("T SUP", en="-")
@rule("T SUPQ", en="<")
def most_things(terms: Terms, t: Node, sup: Node) -> Node | None:
    """병원이 가장 많은 지역: ranked by how many there are."""
    by = terms.counted_by(str(t.dim))
    if by is None or t.rank or t.having or t.existing or t.numbers or sup.rank is None:
        return None
    return replace(t, cat="R", dim=None, rank=replace(sup.rank, by=by), cost=t.cost + 0.2)


@rule("T MUCH|&MUCH|&COUNT")
def with_amounts(terms: Terms, t: Node, much: Node) -> Node | None:
    """다섯 명의 이름과 금액; the five who spent most, name and amount: it is shown beside each of them."""
    columns = [t.rank.by] if t.rank and t.rank.by else [one.column for one in t.having]
    if "basis" in much.flags or not columns or any(column not in terms.metrics for column in columns):
        return None
    money = any(terms.is_money(str(column)) for column in columns)
    if (much.unit == "money" and not money) or (much.cat == "&COUNT" and money):
        return None
    return replace(t, cost=t.cost + 0.1)


@rule("M WITH", en="-")
def beside(_: Terms, body: Node, __: Node) -> Node | None:
    """달성률과 함께."""
    plain = not body.groups and not body.rank and not body.kind and not body.base
    return replace(body, cat="WITHM") if plain else None


@rule("T WITHM", ko="=", en="-")
def shown_beside(terms: Terms, t: Node, body: Node) -> Node | None:
    """달성률이 가장 낮은 팀 5개를 달성률과 함께: the figure of each of them, not of all together."""
    ranked = t.rank is not None and t.rank.by is not None
    if not (ranked or t.having) or not all(terms.splits(m, str(t.dim)) for m in body.metrics):
        return None
    own = {t.rank.by} if t.rank and t.rank.by else {one.column for one in t.having}
    more = tuple(m for m in body.metrics if m not in own)
    return unify("T", t, replace(body, metrics=more), cost=-0.3)


@rule("T &M")
def and_figures(terms: Terms, t: Node, body: Node) -> Node | None:
    """Show more beside each: who reached 110 %, name, team and achievement; 방문 7건 미만인 담당자랑 방문 수."""
    named = not body.rank and not body.kind and body.cost < 0.3
    return shown_beside(terms, t, replace(body, cat="WITHM")) if named else None


@rule("T M", en="-")
def figures_of_theirs(terms: Terms, t: Node, body: Node) -> Node | None:
    """매출 5천만 원 이상인 담당자 이름이랑 매출: shown beside each name."""
    return and_figures(terms, t, replace(body, cat="&M")) if "beside" in t.flags else None


@rule("T &T|T", ko="-")
def and_property(terms: Terms, t: Node, more: Node) -> Node | None:
    """Reps over 110 %, and their team: what each of them has one of is shown beside it."""
    fits = t.having and not t.rank and not t.groups and t.dim and bare(replace(more, cat="T"))
    if not fits or more.dim == t.dim or not terms.belongs(str(more.dim), str(t.dim)):
        return None
    return replace(t, groups=(str(more.dim),), cost=t.cost + more.cost + 0.2)


# a figure of things


@rule("T M")
@rule("M T", ko="-")
def figure_of_things(terms: Terms, a: Node, b: Node) -> Node | None:
    t, body = (a, b) if a.cat == "T" else (b, a)
    if len(body.metrics) < 1 or body.rank or not all(terms.splits(m, str(t.dim)) for m in body.metrics):
        return None
    if t.rank is not None and t.rank.by in terms.plain_of(body.metrics[0]) and len(body.metrics) == 1:
        rank = replace(t.rank, by=body.metrics[0])  # 식대만 보면 누가 제일 많이 썼어
        return unify("T", t, replace(body, metrics=()), rank=rank) if not body.groups else None
    if t.rank is not None and t.rank.by is None:
        rank = replace(t.rank, by=body.metrics[0])
        return unify("T", t, replace(body, metrics=body.metrics[1:]), rank=rank) if not body.groups else None
    if t.rank is not None and t.rank.n in (0, EVERY) and not t.having:  # each of them, in that order
        more = tuple(m for m in body.metrics if m != t.rank.by)
        return unify("T", t, replace(body, metrics=more)) if not body.groups else None
    if t.rank is not None or t.having:
        return _among(terms, t, body)
    if t.existing and not t.numbers:
        return unify("M", replace(t, dim=None), body, cost=0.1, among=(replace(t, filters=(), period=None),))
    if t.filters and not t.numbers and terms.named_rows(str(t.dim)) and "kind" not in body.flags:
        return unify("M", replace(t, dim=None), body, cost=0.1)
    return None


@rule("M T", en="-")
def figure_ranked(terms: Terms, body: Node, t: Node) -> Node | None:
    """매출 상위 5명, 매출 병원 상위 3곳."""
    several = t.rank is not None and ("who" in t.flags or t.rank.n > 1)
    fits = several and t.rank is not None and t.rank.by is None and len(body.metrics) == 1
    return figure_of_things(terms, t, body) if fits else None


@rule("M T", en="-")
def part_ranked(terms: Terms, body: Node, t: Node) -> Node | None:
    """식대만 보면 누가 제일 많이 썼어: ranked by the part that is named."""
    part = t.rank is not None and len(body.metrics) == 1 and t.rank.by in terms.plain_of(body.metrics[0])
    return figure_of_things(terms, t, body) if part else None


def _among(terms: Terms, t: Node, body: Node) -> Node | None:
    """매출 상위 3개 지역의 방문 수: a figure of things that another figure chose."""
    if t.base or body.base or body.among or body.groups or t.groups:
        return None
    if body.period and t.period and body.period != t.period:
        return None
    period = body.period or t.period
    return replace(body, among=(replace(t, period=period),), period=period, cost=body.cost + t.cost + 0.3)


@rule("T M", en="-")
def figure_by_kind(terms: Terms, t: Node, body: Node) -> Node | None:
    """제품 매출: of each."""
    if not bare(t) or body.groups or body.rank or body.among or t.dim in TIMES:
        return None
    if not all(terms.splits(m, str(t.dim)) for m in body.metrics):
        return None
    if all(terms.per_thing(m) for m in body.metrics):
        return body
    means = terms.named_rows(str(t.dim)) and all(
        terms.metrics[m].aggregate == "average" for m in body.metrics
    )
    if means or all(
        terms.is_event(str(t.dim), m) for m in body.metrics
    ):  # 회원 평균 나이; 세미나에 잡힌 예산: its own rows
        return replace(body, cost=body.cost + 0.4)
    return replace(body, groups=(str(t.dim),), cost=body.cost + 0.6)


@rule("T M", ko="-")
def figure_of_kind(terms: Terms, t: Node, body: Node) -> Node | None:
    """Hospital sales: of all of them."""
    if not bare(t) or body.groups or t.dim in TIMES:
        return None
    kind = frozenset[str]() if terms.named_rows(str(t.dim)) else frozenset({"kind"})
    counted = all(terms.counts(m) for m in body.metrics)
    return replace(body, flags=body.flags | kind, cost=body.cost + (0.9 if counted else 0.5))
