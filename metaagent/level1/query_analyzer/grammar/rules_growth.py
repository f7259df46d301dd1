"""Rules for growth: what rose or fell, by how much, and which most."""

from __future__ import annotations

from metaagent.language import calendar as cal
from metaagent.level1.query_analyzer.grammar import monotone_growth
from metaagent.level1.query_analyzer.grammar.chart import rule
from metaagent.level1.query_analyzer.grammar.meaning import Condition, Node, Rank, Span, bare, replace, unify
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms


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


@rule("V MOVED", ko="-", en="=")
def less_done(terms: Terms, v: Node, g: Node) -> Node | None:
    """Bought less in October than in September: the worth of it fell."""
    worth = tuple(terms.worth_of(name) for name in v.metrics)
    made = change_of(terms, replace(v, cat="M", metrics=worth), replace(g, cat="GROW"))
    return replace(made, cost=made.cost - 0.4) if made else None


@rule("PCT GROW|RATE", ko="=", en="=")
def rate(_: Terms, __: Node, g: Node) -> Node | None:
    return replace(g, growth="change")


@rule("MORE|SUP GROW", en="=")
def more_grown(_: Terms, x: Node, g: Node) -> Node | None:
    return g if x.cat == "MORE" or (x.rank and x.rank.n == 0) else None


@rule("B RATE|GROW", ko="=", en="=")
def change_alone(_: Terms, b: Node, g: Node) -> Node | None:
    """전월 대비 얼마나 변했어?: of the figure of the turn before."""
    return Node("BG", base=b.base, flags=b.flags | {"versus"}, cost=b.cost + g.cost) if b.base else None


@rule("DIFF RATE|GROW", ko="-", en="=")
def by_how_much(_: Terms, diff: Node, rate: Node) -> Node | None:
    """Growth that is asked for with: by how much did sales grow."""
    return replace(rate, cost=rate.cost + diff.cost)


@rule("MUCH RATE|GROW", ko=">", en=">")
def how_much_it_changed(_: Terms, much: Node, rate: Node) -> Node | None:
    """얼마나 변했어."""
    return rate if much.unit is None else None


@rule("BG MUCH|PCT", ko="=", en="=")
def how_much_change(_: Terms, b: Node, __: Node) -> Node | None:
    return b


@rule("SHARE TOTAL", ko="=", en="=")
def share_of_total(_: Terms, share: Node, __: Node) -> Node | None:
    """The share of the figure before in all of it: what share of the total is that?"""
    return replace(share, flags=share.flags | {"whole"}) if share == Node("SHARE") else None


@rule("GM PCT", ko="=", en="=")
def change_in_percent(_: Terms, gm: Node, __: Node) -> Node | None:
    """The growth from Q2 to Q3, in percent."""
    return replace(gm, growth="change", cost=gm.cost + 0.1) if gm.growth else None


@rule("MOST|SUP|SUPQ|NTH GROW|RATE", ko="=", en="=")
def most_grown(_: Terms, sup: Node, g: Node) -> Node | None:
    most = sup.rank or Rank()
    down = most.descending == (g.rank is None)
    return Node("GS", rank=replace(most, descending=down, growth=g.growth, n=most.n or 1))


@rule("SUP DIFF", ko="=", en="=")
def widest_gap(_: Terms, sup: Node, diff: Node) -> Node | None:
    """The biggest difference between two periods, 차이가 가장 큰: ranked by the change."""
    if sup.rank is None or sup.rank.nth or sup.rank.n < 1:
        return None
    return Node("GS", rank=replace(sup.rank, growth="difference"), cost=sup.cost + diff.cost + 0.2)


@rule("FAST GROW|RATE", ko="=", en="=")
def fastest(_: Terms, fast: Node, g: Node) -> Node | None:
    """Grew fastest or slowest: ranked by the rate of change."""
    rank = fast.rank or Rank()
    return Node("GS", rank=replace(rank, descending=rank.descending == (g.rank is None), growth="change"))


@rule("GS B", ko="=", en="=")
def most_grown_since(_: Terms, grown: Node, b: Node) -> Node | None:
    """Rank the things of the turn before: which grew the most compared with Q2?"""
    return replace(grown, base=b.base, flags=grown.flags | {"versus"}, cost=grown.cost + b.cost + 0.3)


@rule("GS PCT", ko="=", en="=")
def grown_in_percent(_: Terms, grown: Node, __: Node) -> Node | None:
    """Grew most, in percent."""
    return replace(grown, rank=replace(grown.rank, growth="change")) if grown.rank else None


@rule("T PCT", ko="-")
def ranked_in_percent(_: Terms, t: Node, __: Node) -> Node | None:
    """The products that grew most, in percent."""
    return replace(t, rank=replace(t.rank, growth="change")) if t.rank and t.rank.growth else None


@rule("GM ORDER", ko=">", en=">")
def growth_in_order(_: Terms, gm: Node, order: Node) -> Node | None:
    """Growth by category, best first: each of them, ranked by the change."""
    fits = len(gm.metrics) == 1 and len(gm.groups) == 1 and not gm.rank and order.rank is not None
    if not fits or order.rank is None or set(gm.groups) & TIMES:
        return None
    rank = replace(order.rank, by=gm.metrics[0], growth=gm.growth)
    return replace(
        gm, cat="T", dim=gm.groups[0], groups=(), metrics=(), growth="", rank=rank, cost=gm.cost + order.cost
    )


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


@rule("GROW GROW")
def up_or_down(_: Terms, a: Node, b: Node) -> Node | None:
    """늘었어 줄었어: which of both is asked."""
    return Node("RATE", growth="difference") if (a.rank is None) != (b.rank is None) else None


@rule("M M", ko=">", en=">")
def achieved_figure(terms: Terms, one: Node, share: Node) -> Node | None:
    """매출 달성률, sales achievement: the share names the figure that it is of."""
    own = terms.metrics[share.metrics[0]] if len(share.metrics) == 1 else None
    if own is None or own.unit != "%" or own.sides[:1] != one.metrics or one.groups or one.kind or one.per:
        return None
    return unify("M", replace(one, metrics=()), share)


@rule("M|T M|V", ko="=", en="=")
def part_of_figure(terms: Terms, noun: Node, body: Node) -> Node | None:
    """세미나에 쓴 돈, spent on seminars: a part of the figure that has a name of its own."""
    name = noun.dim if noun.cat == "T" else noun.metrics[0] if noun.metrics else None
    plain = noun in (Node("T", dim=noun.dim), Node("M", metrics=noun.metrics))
    if not plain or name is None or len(body.metrics) != 1 or body.groups or body.kind:
        return None
    part = terms.compound(name, body.metrics[0])
    if part is None and (kind := terms.as_part(body)) and kind.metrics != body.metrics:  # 세미나 식대
        part, body = terms.compound(name, kind.metrics[0]), replace(kind, cost=kind.cost - 0.4)
    return replace(body, metrics=(part,)) if part else None


@rule("M HG", ko="=", en="=")
def change_condition(_: Terms, body: Node, hg: Node) -> Node | None:
    if len(body.metrics) != 1 or body.kind or body.groups:
        return None
    having = tuple(replace(one, column=body.metrics[0]) for one in hg.having)
    return replace(body, cat="H", metrics=(), having=(*body.having, *having), cost=body.cost + hg.cost)


@rule("T HG", ko="-")
@rule("HG T", en="-")
def usual_change(terms: Terms, t: Node, hg: Node) -> Node | None:
    """Categories growing more than 10 %: in the usual figure."""
    t, hg = (t, hg) if t.cat == "T" else (hg, t)
    if terms.usual is None or t.rank or t.having or not terms.splits(terms.usual, str(t.dim)):
        return None
    having = tuple(replace(one, column=str(terms.usual)) for one in hg.having)
    made = unify("T", t, Node("H", having=having, flags=frozenset({"usual"})))
    return replace(made, cost=made.cost + hg.cost + 1.0) if made else None


@rule("GM C", ko="-")
def change_condition_after(terms: Terms, gm: Node, c: Node) -> Node | None:
    made = change_limit(terms, c, Node("GROW", growth=gm.growth, rank=gm.rank))
    plain = replace(gm, cat="M", growth="", rank=None, flags=gm.flags - {"moved"})
    return change_condition(terms, plain, made) if made else None


@rule("G|PERT|STEADY GROW", ko="=", en="=")
def in_every_unit(_: Terms, unit: Node, g: Node) -> Node | None:
    """매달 늘어난, grew every month: in each of them against the one before."""
    named = unit.per if unit.cat == "PERT" else unit.groups[0] if len(unit.groups) == 1 else None
    if named not in monotone_growth.UNITS or g.growth not in ("difference", "change"):
        return None
    times = int(unit.numbers[0]) if unit.numbers else 0
    return replace(g, growth=monotone_growth.growth(str(named), times), cost=g.cost + unit.cost)


@rule("G|PERT|STEADY GM", ko="=", en="=")
def change_in_every_unit(terms: Terms, unit: Node, gm: Node) -> Node | None:
    """매월 매출이 늘어난: the unit stands before the figure."""
    if "moved" not in gm.flags or gm.groups or gm.base or gm.having:
        return None
    made = in_every_unit(terms, unit, Node("GROW", growth=gm.growth, rank=gm.rank))
    return replace(gm, growth=made.growth, cost=gm.cost + unit.cost + 0.1) if made else None


@rule("STEADY B", ko="=", en="=")
def row_since_before(_: Terms, row: Node, b: Node) -> Node | None:
    """두 달 연속 전달보다: each against the one before, which is meant anyway."""
    return (
        replace(row, cost=row.cost + b.cost, flags=row.flags | {"stepwise"})
        if _steps(b, row.groups)
        else None
    )


def _steps(b: Node, units: tuple[str, ...]) -> bool:
    """Tell whether a period that is compared with is the unit before."""
    said = b.base.shift if isinstance(b.base, Span) else b.base
    return said in (*units, "previous") and b.period is None


@rule("P2 GROW|GM", ko="=", en="=")
def grown_in_both(_: Terms, p: Node, g: Node) -> Node | None:
    """9월과 10월 모두 늘어난, rose in September and again in October: in each against the one before."""
    if p.period is None or not isinstance(p.base, Span) or g.period or g.groups or g.having:
        return None
    unit = cal.grain_of(cal.Range(p.period.first, p.period.last))
    apart = cal.relative_range(unit, -1, p.period.first) if unit in monotone_growth.UNITS else None
    moved = g.cat == "GROW" or "moved" in g.flags
    if apart is None or (apart.first, apart.last) != (p.base.first, p.base.last) or not moved:
        return None
    if g.base is not None and not _steps(g, (unit,)):
        return None
    span = Span(p.base.first, p.period.last, f"{p.base.label} {p.period.label}")
    made = replace(
        g, growth=monotone_growth.growth(unit, 2), period=span, base=None, flags=g.flags | {"joined"}
    )
    return replace(made, cost=g.cost + p.cost - 0.3)


@rule("B GROW", ko="=", en="=")
def grown_since_before(_: Terms, b: Node, g: Node) -> Node | None:
    """Grew in both months compared to the month before."""
    unit = g.growth.removeprefix(monotone_growth.MARK).partition(":")[0]
    fits = g.growth.startswith(monotone_growth.MARK) and _steps(b, (unit,))
    return replace(g, cost=g.cost + b.cost, flags=g.flags | {"stepwise"}) if fits else None


@rule("STEADY GROW", ko="=", en="=")
def in_a_row(_: Terms, row: Node, g: Node) -> Node | None:
    """매달 꾸준히 늘어난: said twice."""
    return g if g.growth.startswith(monotone_growth.MARK) and not row.numbers else None


@rule("T GROW", ko="-", en=">")
@rule("GROW T", ko=">", en="-")
def steady_things(terms: Terms, a: Node, b: Node) -> Node | None:
    """Products that grew every month: in the usual figure."""
    t, g = (a, b) if a.cat == "T" else (b, a)
    if not g.growth.startswith(monotone_growth.MARK) or terms.usual is None:
        return None
    flags = frozenset({"moved", "usual"}) | (g.flags & {"joined"})
    body = Node("GM", metrics=(terms.usual,), growth=g.growth, rank=g.rank, period=g.period, flags=flags)
    made = changed_things(terms, body, t) if terms.splits(terms.usual, str(t.dim)) else None
    return replace(made, cost=made.cost + g.cost + 1.0) if made else None


@rule("GM T", ko=">", en="<")
def changed_things(_: Terms, gm: Node, t: Node) -> Node | None:
    """매출이 줄어든 병원; regions whose sales fell: only those."""
    if t.rank or t.having or "moved" not in gm.flags or gm.groups:
        return None
    op = "<" if gm.rank else ">"
    growth = gm.growth if gm.growth.startswith(monotone_growth.MARK) else "difference"
    condition = Condition(gm.metrics[0], op, (0.0,), growth=growth)
    made = replace(
        gm, cat="H", metrics=(), growth="", rank=None, flags=gm.flags - {"moved"}, having=(condition,)
    )
    # How did Busan's sales grow: those of the place, rather than the hospitals there whose sales grew.
    return unify("T", made, t, cost=1.0 if "implied" in t.flags else 0.0)


@rule("T GROW", ko="=", en="=")
def things_that_moved(_: Terms, t: Node, grow: Node) -> Node | None:
    """어느 지역이 떨어졌어?, which regions went down?: of the figure that was spoken of."""
    plain = bare(t) and t.dim not in TIMES and grow == Node("GROW", growth=grow.growth, rank=grow.rank)
    return (
        Node("TG", dim=t.dim, growth=grow.growth, rank=grow.rank, cost=t.cost + grow.cost + 0.5)
        if plain
        else None
    )
