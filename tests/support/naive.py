"""Semantic queries answered by plain loops over rows: slow, obvious, and sharing no code with the compiler.

One small world: shops (some of one name, some without a name or a city), items, sales and visits. The rows come from
`SELECT *`; everything else happens here.
"""

from __future__ import annotations

import math
from collections import defaultdict
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from metaagent.data.semantic import loads

if TYPE_CHECKING:
    from collections.abc import Iterable

    from metaagent.data.semantic import SemanticQuery
    from metaagent.data.semantic.query import Derived, Filter, Part, Period, RowCondition, Top

Row = dict[str, Any]
Group = tuple[Any, ...]

YAML = """
version: 1
name: shops
tenant_column: firm
holidays: [2026-03-02]
tables:
  shops: {key: [shop_id], columns: {shop_id: integer, firm: string, name: string, city: string}}
  items: {key: [item_id], columns: {item_id: integer, firm: string, name: string, kind: string}}
  sales: {key: [sale_id], columns: {sale_id: integer, firm: string, shop_id: integer, item_id: integer, day: date, amount: integer}}
  visits:
    key: [visit_id]
    columns: {visit_id: integer, firm: string, shop_id: integer, day: date, minutes: integer, status: string}
joins:
  - {from: sales.shop_id, to: shops.shop_id}
  - {from: sales.item_id, to: items.item_id}
  - {from: visits.shop_id, to: shops.shop_id}
metrics:
  revenue: {type: sum, column: sales.amount, time: sales.day, label: revenue}
  orders: {type: count, table: sales, time: sales.day, label: orders}
  visits_made: {type: count, table: visits, time: visits.day, label: visits}
  visits_done: {type: count, table: visits, time: visits.day, label: done, where: [{column: visits.status, values: [done]}]}
  length: {type: average, column: visits.minutes, time: visits.day, label: length}
  per_visit: {type: ratio, numerator: revenue, denominator: visits_made, label: per visit}
dimensions:
  shop: {column: shops.name, key: shops.shop_id, label: shop}
  city: {column: shops.city, label: city}
  item: {column: items.name, key: items.item_id, label: item}
  kind: {column: items.kind, label: kind}
"""
MODEL = loads(YAML)
TABLE = {
    "revenue": "sales",
    "orders": "sales",
    "visits_made": "visits",
    "visits_done": "visits",
    "length": "visits",
}
KEYED = {"shop": ("shops", "name", "shop_id"), "item": ("items", "name", "item_id")}
PLAIN = {"city": ("shops", "city"), "kind": ("items", "kind")}
TIMES = {"month", "weekday"}


class Naive:
    """The rows of one firm, and answers from them."""

    def __init__(self, tables: dict[str, list[Row]], firm: str) -> None:
        self.tables = {name: [row for row in rows if row["firm"] == firm] for name, rows in tables.items()}
        self.shops = {row["shop_id"]: row for row in self.tables["shops"]}
        self.items = {row["item_id"]: row for row in self.tables["items"]}

    # one row

    def parent(self, row: Row, table: str) -> Row:
        if table == "shops":
            return row if "name" in row and "city" in row else self.shops.get(row.get("shop_id"), {})
        return row if "kind" in row else self.items.get(row.get("item_id"), {})

    def label(self, row: Row, name: str) -> Any:
        if name == "month":
            return None if row["day"] is None else row["day"].strftime("%Y-%m")
        if name == "weekday":
            return None if row["day"] is None else row["day"].isoweekday()
        table, column = KEYED[name][:2] if name in KEYED else PLAIN[name]
        return self.parent(row, table).get(column)

    def identity(self, row: Row, name: str) -> Any:
        if name in KEYED:
            return self.parent(row, KEYED[name][0]).get(KEYED[name][2])
        return self.label(row, name)

    def group(self, row: Row, dimensions: Iterable[str]) -> Group:
        return tuple(
            (self.label(row, name), self.identity(row, name)) if name in KEYED else self.label(row, name)
            for name in dimensions
        )

    def passes(self, row: Row, one: Filter) -> bool:
        value = self.identity(row, one.dimension) if one.by_key else self.label(row, one.dimension)
        return value in one.values if one.op == "in" else value is None or value not in one.values

    def within(self, row: Row, period: Period | None) -> bool:
        if period is None or period.whole:
            return True
        day = row["day"]
        return (
            day is not None
            and (not period.start or period.start <= day)
            and (not period.end or day <= period.end)
        )

    def limited(self, row: Row, one: RowCondition, table: str) -> bool:
        column = {"revenue": ("sales", "amount"), "length": ("visits", "minutes")}[one.column]
        if column[0] != table:
            return True
        return row[column[1]] is not None and compare(row[column[1]], one.op, one.values)

    # rows of a figure

    def rows(self, query: SemanticQuery, part: Part | None, table: str, before: Period | None) -> list[Row]:
        """Rows that a figure is made of; `before`: the compared period instead of the query's."""
        whole = part is not None and part.everything
        replaced = {one.dimension for one in part.filters} if part else set[str]()
        filters = [*(part.filters if part else [])]
        filters += [] if whole else [one for one in query.filters if one.dimension not in replaced]
        conditions = [*([] if whole else query.rows), *(part.rows if part else [])]
        weekdays = (part.weekdays if part else []) or ([] if whole else query.weekdays)
        period = before or (part.period if part and part.period else query.period)
        found = [
            row
            for row in self.tables[table]
            if all(self.passes(row, one) for one in filters)
            and self.within(row, period)
            and all(self.limited(row, one, table) for one in conditions)
            and (not weekdays or (row["day"] is not None and row["day"].isoweekday() in weekdays))
        ]
        return found if whole else [row for row in found if self.belongs(row, query)]

    def belongs(self, row: Row, query: SemanticQuery) -> bool:
        for one in query.existence:
            here = self.identity(row, one.dimension)
            table = TABLE[one.fact_metric]
            having = {
                self.identity(other, one.dimension)
                for other in self.tables[table]
                if self.within(other, one.period or query.period)
                and (one.fact_metric != "visits_done" or other["status"] == "done")
                and all(self.passes(other, single) for single in one.filters)
                and all(self.limited(other, single, table) for single in one.rows)
            }
            if here is None or (here in having) != one.exists:
                return False
        if query.among is None:
            return True
        name = query.among.dimensions[0]
        found = {row.get(f"{name}__key", row[name]) for row in self.answer(query.among)}
        return self.identity(row, name) is not None and self.identity(row, name) in found

    # figures

    def value(self, metric: str, rows: list[Row], grouped: bool) -> Any:
        if metric == "visits_done":
            return sum(row["status"] == "done" for row in rows)
        if metric in ("orders", "visits_made"):
            return len(rows)
        numbers = [row["amount" if metric == "revenue" else "minutes"] for row in rows]
        numbers = [number for number in numbers if number is not None]
        if metric == "length":
            return sum(numbers) / len(numbers) if numbers else None
        return sum(numbers) if numbers or grouped else None

    def figure(
        self, query: SemanticQuery, part: Part, other: Part | None, group: Group | None, before: Period | None
    ) -> Any:
        if part.metric == "per_visit":
            sides = [part.model_copy(update={"metric": name}) for name in ("revenue", "visits_made")]
            return divide(*(self.figure(query, side, None, group, before) for side in sides))
        thing = part.metric.removeprefix("count:") if part.metric.startswith("count:") else None
        metric = part.metric
        if thing:
            metric = part.of or (
                other.metric if other and not other.metric.startswith("count:") else query.metrics[0]
            )
        rows = self.rows(query, part, TABLE[metric], before)
        rows = [row for row in rows if metric != "visits_done" or row["status"] == "done"]
        if group is not None:
            rows = [row for row in rows if self.group(row, query.dimensions) == group]
        if thing:
            return len({self.identity(row, thing) for row in rows} - {None})
        return self.value(metric, rows, group is not None)

    def derived(self, query: SemanticQuery, one: Derived, group: Group | None, before: Period | None) -> Any:
        numerator = one.numerator
        if one.kind == "per_period":
            days = {"weekday_day": [1, 2, 3, 4, 5], "weekend_day": [6, 7]}.get(str(one.per))
            if days:
                numerator = numerator.model_copy(update={"weekdays": days})
            units = self.units(query, one, numerator, group, before)
            return divide(self.figure(query, numerator, None, group, before), units)
        assert one.denominator is not None
        a = self.figure(query, numerator, one.denominator, group, before)
        b = self.figure(query, one.denominator, numerator, group, before)
        if one.kind == "sum":
            return None if a is None and b is None else (a or 0) + (b or 0)
        if one.kind == "difference":
            apart = None if a is None or b is None else a - b
            return divide(apart, self.figure(query, one.whole, None, group, before)) if one.whole else apart
        return divide(a, b)

    def units(
        self, query: SemanticQuery, one: Derived, part: Part, group: Group | None, before: Period | None
    ) -> float:
        period = before or part.period or query.period
        assert period
        assert period.start
        assert period.end
        allowed = part.weekdays or ([] if part.everything else query.weekdays) or range(1, 8)
        holidays = MODEL.holidays if one.per == "working_day" else []
        work = {"working_day", "weekday_day"}
        total, day = 0.0, period.start
        while day <= period.end:
            fits = all(
                {"month": day.strftime("%Y-%m"), "weekday": day.isoweekday()}[name] == part_of_group
                for name, part_of_group in zip(query.dimensions, group or (), strict=False)
                if name in TIMES
            )
            weekend = day.isoweekday() > 5
            wrong = weekend if one.per in work else one.per == "weekend_day" and not weekend
            if fits and day.isoweekday() in allowed and not wrong and day not in holidays:
                lengths = {"week": 7, "month": month_days(day), "year": 365}
                total += 1 / lengths.get(str(one.per), 1)
            day += timedelta(days=1)
        return total

    # the answer

    def measures(self, query: SemanticQuery) -> list[str]:
        return [*query.metrics, *(one.name for one in query.derived)]

    def parts(self, query: SemanticQuery) -> list[tuple[Part, str]]:
        """Every side of every figure, with the table that it reads."""
        from metaagent.data.semantic.query import Part

        found: list[tuple[Part, str]] = []
        for metric in query.metrics:
            names = ["revenue", "visits_made"] if metric == "per_visit" else [metric]
            found += [(Part(metric=name), TABLE[name]) for name in names]
        for one in query.derived:
            sides = (
                (one.numerator, one.denominator),
                (one.denominator, one.numerator),
                (one.whole, one.numerator),
            )
            for side, other in sides:
                if side is None:
                    continue
                if side.metric == "per_visit":
                    found += [
                        (side.model_copy(update={"metric": n}), TABLE[n]) for n in ("revenue", "visits_made")
                    ]
                    continue
                metric = side.metric
                if metric.startswith("count:"):
                    metric = side.of or (
                        other.metric if other and not other.metric.startswith("count:") else query.metrics[0]
                    )
                days = {"weekday_day": [1, 2, 3, 4, 5], "weekend_day": [6, 7]}.get(str(one.per))
                side = side.model_copy(update={"weekdays": days}) if days else side
                found.append((side.model_copy(update={"metric": metric}), TABLE[metric]))
        return found

    def answer(self, query: SemanticQuery) -> list[Row]:
        if query.count_groups:
            return self.counted(query, query.count_groups)
        if not self.measures(query):
            return [self.named(query, group) for group in sorted(self.listed(query), key=repr)]
        before = previous(query)
        groups = self.groups(query, before)
        if query.top and TIMES & set(query.dimensions) and not set(query.dimensions) <= TIMES:
            return self.over_time(query, groups, before)
        found = [self.figures(query, group, before) for group in groups]
        found = [row for row in found if all(self.fulfils(query, row, one) for one in query.having)]
        if query.share:
            for name in query.metrics:
                total = sum(row[name] or 0 for row in found)
                for row in found:
                    row[f"{name}__share"] = divide(row[name], total)
        return ranked(found, query.top, query, self.measures(query)[0]) if query.top else found

    def over_time(self, query: SemanticQuery, groups: list[Group], before: Period | None) -> list[Row]:
        """The best of all time, each at every part of time."""
        plain = [name for name in query.dimensions if name not in TIMES]
        best = self.answer(query.model_copy(update={"dimensions": plain, "having": []}))
        names = {
            tuple(row[name] for name in plain) + tuple(row.get(f"{name}__key") for name in plain)
            for row in best
        }
        rows = [self.figures(query, group, before) for group in groups]
        rows = [row for row in rows if all(self.fulfils(query, row, one) for one in query.having)]
        return [
            row
            for row in rows
            if tuple(row[name] for name in plain) + tuple(row.get(f"{name}__key") for name in plain) in names
        ]

    def groups(self, query: SemanticQuery, before: Period | None) -> list[Group]:
        if not query.dimensions:
            return [()]
        found: set[Group] = set()
        for part, table in self.parts(query):
            if part.everything:
                continue
            for period in (None, before) if before else (None,):
                for row in self.rows(query, part, table, period):
                    if part.metric != "visits_done" or row["status"] == "done":
                        found.add(self.group(row, query.dimensions))
        if query.include_empty:
            found |= self.empties(query)
        if query.top:
            held = [
                i
                for i, name in enumerate(query.dimensions)
                if name not in TIMES and name not in query.top.within
            ]
            found = {
                g
                for g in found
                if all((g[i][0] if isinstance(g[i], tuple) else g[i]) is not None for i in held)
            }
        return sorted(found, key=repr)

    def listed(self, query: SemanticQuery) -> set[Group]:
        dimensions = [name for name in query.dimensions if name not in TIMES]
        table = "shops" if dimensions[0] in ("shop", "city") else "items"
        own = {"shop", "city"} if table == "shops" else {"item", "kind"}
        return {
            self.group(row, dimensions)
            for row in self.tables[table]
            if all(self.passes(row, one) for one in query.filters if one.dimension in own)
            and self.belongs(row, query)
        }

    def empties(self, query: SemanticQuery) -> set[Group]:
        plain = [name for name in query.dimensions if name not in TIMES]
        times: set[Group] = {()}
        if timed := [name for name in query.dimensions if name in TIMES]:
            assert query.period
            assert query.period.start
            assert query.period.end
            count = (query.period.end - query.period.start).days + 1
            days = [query.period.start + timedelta(days=n) for n in range(count)]
            allowed = query.weekdays or range(1, 8)
            times = {self.group({"day": day}, timed) for day in days if day.isoweekday() in allowed}
        things = self.listed(query) if plain else {()}
        made: set[Group] = set()
        for thing in things:
            for time in times:
                held = dict(zip(plain, thing, strict=True)) | dict(zip(timed, time, strict=True))
                made.add(tuple(held[name] for name in query.dimensions))
        return made

    def named(self, query: SemanticQuery, group: Group) -> Row:
        row: Row = {}
        for name, value in zip(query.dimensions, group, strict=True):
            row[name] = value[0] if name in KEYED else value
            if name in KEYED:
                row[f"{name}__key"] = value[1]
        return row

    def figures(self, query: SemanticQuery, group: Group, before: Period | None) -> Row:
        from metaagent.data.semantic.query import Part

        row = self.named(query, group)
        within = group if query.dimensions else None

        def both(name: str, now: Any, then: Any) -> None:
            row[name] = now
            if before is not None:
                row[f"{name}__previous"] = then
                row[f"{name}__difference"] = None if now is None or then is None else now - then
                row[f"{name}__change"] = divide(
                    row[f"{name}__difference"], None if then is None else abs(then)
                )

        for name in query.metrics:
            part = Part(metric=name)
            then = self.figure(query, part, None, within, before) if before else None
            both(name, self.figure(query, part, None, within, None), then)
        for one in query.derived:
            now = self.derived(query, one, within, None)
            if any(side and side.period for side in (one.numerator, one.denominator, one.whole)):
                row[one.name] = now
            else:
                both(one.name, now, self.derived(query, one, within, before) if before else None)
        return row

    def fulfils(self, query: SemanticQuery, row: Row, one: Any) -> bool:
        value, values = row[one.column], one.values
        if one.relative is not None:
            whole = query.model_copy(update={"dimensions": []})
            if hasattr(one.relative, "kind"):
                other = self.derived(whole, one.relative, None, None)
            else:
                other = self.figure(whole, one.relative, None, None, None)
            values = [None if other is None else other * one.factor]
        return value is not None and None not in values and compare(value, one.op, values)

    def counted(self, query: SemanticQuery, thing: str) -> list[Row]:
        inner = query.model_copy(update={"dimensions": [*query.dimensions, thing], "count_groups": None})
        found: dict[Group, set[Any]] = defaultdict(set)
        if not query.dimensions:
            found[()] = set()
        shown = [column for name in query.dimensions for column in (name, f"{name}__key")]
        for row in self.answer(inner):
            found[tuple(row.get(name) for name in shown)].add(row.get(f"{thing}__key", row[thing]))
        rows: list[Row] = []
        for group, things in found.items():
            row = {
                name: value
                for name, value in zip(shown, group, strict=True)
                if name[:-5] in KEYED or "__" not in name
            }
            rows.append({**row, f"{thing}__count": len(things - {None})})
        return rows


def ranked(rows: list[Row], top: Top, query: SemanticQuery, first: str) -> list[Row]:
    """Ranks by counting, for each row, how many others are better."""
    by, sign = top.by or first, 1 if top.direction == "top" else -1
    rows = [row for row in rows if row[by] is not None]
    kept: list[Row] = []
    for row in rows:
        rivals = [other for other in rows if all(other[name] == row[name] for name in top.within)]
        better = sum(sign * other[by] > sign * row[by] for other in rivals)
        equal = sum(other[by] == row[by] for other in rivals)
        if top.percent is not None:
            taken = better < math.ceil(len(rivals) * top.percent / 100 - 1e-9)
        elif top.nth is not None:
            taken = better < top.nth <= better + equal
        else:
            taken = better < top.n
        if taken:
            kept.append(row)
    return kept


def previous(query: SemanticQuery) -> Period | None:
    """Moves whole months only: as many months before, or the same ones a year before."""
    from metaagent.data.semantic.query import Period

    if not query.comparison:
        return None
    assert query.period
    assert query.period.start
    assert query.period.end
    start, end = query.period.start, query.period.end
    months = (end.year - start.year) * 12 + end.month - start.month + 1
    back = 12 if query.comparison == "same_period_last_year" else months
    first = date(start.year + (start.month - 1 - back) // 12, (start.month - 1 - back) % 12 + 1, 1)
    after = date(first.year + (first.month - 1 + months) // 12, (first.month - 1 + months) % 12 + 1, 1)
    return Period(start=first, end=after - timedelta(days=1))


def month_days(day: date) -> int:
    following = date(day.year + day.month // 12, day.month % 12 + 1, 1)
    return (following - day.replace(day=1)).days


def divide(a: Any, b: Any) -> float | None:
    return None if a is None or not b else a / b


def compare(value: float, op: str, values: list[Any]) -> bool:
    match op:
        case ">":
            return value > values[0]
        case ">=":
            return value >= values[0]
        case "<":
            return value < values[0]
        case "<=":
            return value <= values[0]
        case "=":
            return value == values[0]
        case _:
            return values[0] <= value <= values[1]
