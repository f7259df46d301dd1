"""Small random worlds and random questions about them, the same for the same seed."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

    from metaagent.data.semantic import Compiled

Json = dict[str, Any]
DAYS = [date(2025, 11, 1) + timedelta(days=n) for n in range(190)]
COLUMNS = {
    "shops": {"shop_id": "INTEGER", "firm": "VARCHAR", "name": "VARCHAR", "city": "VARCHAR"},
    "items": {"item_id": "INTEGER", "firm": "VARCHAR", "name": "VARCHAR", "kind": "VARCHAR"},
    "sales": {
        "sale_id": "INTEGER", "firm": "VARCHAR", "shop_id": "INTEGER", "item_id": "INTEGER", "day": "DATE",
        "amount": "INTEGER",
    },
    "visits": {
        "visit_id": "INTEGER", "firm": "VARCHAR", "shop_id": "INTEGER", "day": "DATE", "minutes": "INTEGER",
        "status": "VARCHAR",
    },
}  # fmt: skip
MONTHS = [("2026-01-01", "2026-01-31"), ("2026-02-01", "2026-02-28"), ("2026-02-01", "2026-03-31")]
SALES, VISITS = ["revenue", "orders"], ["visits_made", "visits_done", "length"]


def world(random: Random) -> dict[str, list[Json]]:
    """Two firms: shops of one name, shops without a name, a city or any row; rows without a shop or a day."""
    tables: dict[str, list[Json]] = {name: [] for name in COLUMNS}
    for at, firm in enumerate(("a", "b")):
        shops = [100 * at + n for n in range(random.randint(2, 7))]
        items = [100 * at + n for n in range(random.randint(1, 4))]
        for shop in shops:
            name, city = (
                random.choice(["Kim", "Lee", "Kim", "박", None]),
                random.choice(["서울", "부산", "대구", None]),
            )
            tables["shops"].append({"shop_id": shop, "firm": firm, "name": name, "city": city})
        for item in items:
            name, kind = random.choice(["pen", "ink", "pen"]), random.choice(["x", "y", None])
            tables["items"].append({"item_id": item, "firm": firm, "name": name, "kind": kind})
        for n in range(random.randint(0, 25)):
            tables["sales"].append(
                {
                    "sale_id": 1000 * at + n,
                    "firm": firm,
                    "shop_id": random.choice([*shops, None]),
                    "item_id": random.choice(items),
                    "day": random.choice([*DAYS, None]),
                    "amount": random.choice([0, 1, 2, 3, 5, 10, 10, 20, -4]),
                }
            )
        for n in range(random.randint(0, 25)):
            tables["visits"].append(
                {
                    "visit_id": 1000 * at + n,
                    "firm": firm,
                    "shop_id": random.choice([*shops, None]),
                    "day": random.choice([*DAYS, None]),
                    "minutes": random.choice([10, 20, 30, None]),
                    "status": random.choice(["done", "open"]),
                }
            )
    return tables


class Asking:
    """Makes one question; every choice comes from `random`."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def maybe(self, share: float) -> bool:
        return self.random.random() < share

    def query(self) -> Json:
        pick = self.random.choice
        facts = pick([SALES, VISITS, [*SALES, *VISITS, "per_visit"]])
        items = facts is SALES
        metrics = self.random.sample(facts, self.random.randint(0, 2))
        things = ["shop", "city", *(["item", "kind"] if items else [])]
        dimensions = self.random.sample(things, self.random.choice([0, 1, 1, 2]))
        made: Json = {"filters": self.filters(items), "weekdays": self.weekdays()}
        made["period"] = self.period()
        made["derived"] = [
            self.derived(facts, items, bounded="start" in made["period"]) for _ in range(pick([0, 0, 1, 2]))
        ]
        for n, one in enumerate(made["derived"]):
            one["name"] = f"formed_{n}"
        if not metrics and not made["derived"]:
            return self.listing(made, dimensions)
        whole = made["period"] in [{"start": a, "end": b} for a, b in MONTHS]
        if self.maybe(0.25) and whole:
            made["comparison"] = pick(["previous", "same_period_last_year"])
        elif self.maybe(0.3):
            dimensions.append(pick(["month", "weekday"]))
            self.random.shuffle(dimensions)
        made |= {"metrics": metrics, "dimensions": dimensions, "rows": self.rows(metrics)}
        made["existence"] = self.existence()
        if self.maybe(0.15):
            made["among"] = self.among()
        made["include_empty"] = bool(dimensions) and self.maybe(0.2)
        return self.result(made)

    def listing(self, made: Json, dimensions: list[str]) -> Json:
        shop = self.random.sample(["shop", "city"], self.random.randint(1, 2))
        filters = [one for one in made["filters"] if one["dimension"] in ("shop", "city")]
        found: Json = {
            "dimensions": shop,
            "filters": filters,
            "period": made["period"],
            "existence": self.existence(),
        }
        if len(shop) == 2 and self.maybe(0.5):
            found |= {"dimensions": ["city"], "count_groups": "shop"}
        return found

    def result(self, made: Json) -> Json:
        pick = self.random.choice
        columns = [*made["metrics"], *(one["name"] for one in made["derived"])]
        if made.get("comparison"):
            columns += [f"{name}__change" for name in made["metrics"]]
        if self.maybe(0.35) and made["dimensions"]:
            made["having"] = [self.having(columns, made)]
        if self.maybe(0.35) and made["dimensions"]:
            made["top"] = self.top(columns, made)
        plain = [name for name in made["dimensions"] if name in ("shop", "city")]
        if plain and self.maybe(0.2) and not made.get("comparison"):
            made["count_groups"] = pick(plain)
            made["dimensions"] = [name for name in made["dimensions"] if name != made["count_groups"]]
            if made.get("top"):
                made["top"]["within"] = []
        elif made["metrics"] and not made["derived"] and not made.get("having") and self.maybe(0.2):
            made["share"] = True
            made.pop("top", None)
        return made

    def top(self, columns: list[str], made: Json) -> Json:
        pick = self.random.choice
        size = pick([{"n": pick([1, 2, 3])}, {"percent": pick([10, 25, 50, 100])}, {"nth": pick([1, 2, 3])}])
        top: Json = {**size, "direction": pick(["top", "bottom"]), "by": pick(columns)}
        plain = [name for name in made["dimensions"] if name not in ("month", "weekday")]
        if len(plain) == 2 and len(made["dimensions"]) == 2 and self.maybe(0.5):
            top["within"] = [pick(plain)]
        return top

    def having(self, columns: list[str], made: Json) -> Json:
        pick = self.random.choice
        column = pick(columns)
        if self.maybe(0.5):
            return {
                "column": column,
                "op": pick([">", ">=", "<", "<=", "="]),
                "values": [pick([0, 1, 2, 5, 0.5])],
            }
        if self.maybe(0.2):
            return {"column": column, "op": "between", "values": [0, pick([1, 5, 20])]}
        metric = pick(
            ["revenue", "orders"] if any(c.split("__")[0] in SALES for c in columns) else ["visits_made"]
        )
        filters = [one for one in made["filters"] if one["dimension"] in ("shop", "city")]
        if len(filters) < len(made["filters"]) and metric == "visits_made":
            return {"column": column, "op": ">", "values": [1]}
        part: Json = {
            "metric": metric,
            "filters": [{"dimension": "city", "values": [pick(["서울", "부산"])]}],
        }
        mean: Json = {
            "name": "mean", "kind": "ratio", "numerator": {"metric": metric}, "denominator": {"metric": "count:shop"},
        }  # fmt: skip
        return {
            "column": column,
            "op": pick([">", "<="]),
            "relative": pick([part, mean]),
            "factor": pick([1, 1, 0.5]),
        }

    def derived(self, facts: list[str], items: bool, *, bounded: bool) -> Json:
        pick = self.random.choice
        kind = pick(
            ["ratio", "share", "difference", "times", "sum", "apart", *(["per_period"] if bounded else [])]
        )
        sums = [name for name in facts if name not in ("length", "per_visit")]
        if kind == "per_period":
            pers = ["day", "week", "month", "working_day", "weekday_day", "weekend_day"]
            return {"kind": kind, "numerator": {"metric": pick(sums)}, "per": pick(pers)}
        metric = pick(facts if kind in ("difference", "times") else sums)
        if kind in ("sum", "apart"):
            sides = {"numerator": self.part(metric, items), "denominator": self.part(metric, items)}
            whole = {} if kind == "sum" else {"whole": {"metric": metric}}
            return {"kind": "sum" if kind == "sum" else "difference", **sides, **whole}
        if kind == "share":
            whole = {"metric": metric, "everything": True} if self.maybe(0.6) else {"metric": metric}
            return {"kind": kind, "numerator": self.part(metric, items), "denominator": whole}
        other = pick([*sums, "count:shop"])
        below = {"metric": other} | ({"of": pick(sums)} if other == "count:shop" and self.maybe(0.5) else {})
        below = below | ({"of": pick(sums)} if other == "count:shop" and metric == "per_visit" else {})
        return {"kind": kind, "numerator": self.part(metric, items), "denominator": below}

    def part(self, metric: str, items: bool) -> Json:
        part: Json = {"metric": metric}
        if self.maybe(0.5):
            part["filters"] = self.filters(items) or [{"dimension": "city", "values": ["서울"]}]
        if self.maybe(0.2):
            part["weekdays"] = [6, 7]
        if self.maybe(0.2):
            part["rows"] = self.rows([metric])
        return part

    def filters(self, items: bool) -> list[Json]:
        pick = self.random.choice
        found: list[Json] = []
        if self.maybe(0.3):
            found.append(
                {
                    "dimension": "city",
                    "op": pick(["in", "not_in"]),
                    "values": self.random.sample(["서울", "부산"], pick([1, 2])),
                }
            )
        if self.maybe(0.15):
            found.append({"dimension": "shop", "op": "in", "by_key": True, "values": [0, 1, 2]})
        if self.maybe(0.2) and items:
            found.append({"dimension": "kind", "op": pick(["in", "not_in"]), "values": ["x"]})
        return found

    def weekdays(self) -> list[int]:
        return self.random.sample(range(1, 8), self.random.randint(1, 4)) if self.maybe(0.12) else []

    def period(self) -> Json:
        kind = self.random.random()
        if kind < 0.3:
            return {"whole": True}
        if kind < 0.7:
            start, end = self.random.choice(MONTHS)
            return {"start": start, "end": end}
        start, end = sorted(self.random.sample(DAYS, 2))
        return {"start": start, "end": end}

    def rows(self, metrics: list[str]) -> list[Json]:
        if "revenue" in metrics and self.maybe(0.4):
            return [{"column": "revenue", "op": self.random.choice([">", "<=", "="]), "values": [5]}]
        if "length" in metrics and self.maybe(0.4):
            return [{"column": "length", "op": "between", "values": [10, 20]}]
        return []

    def existence(self) -> list[Json]:
        if not self.maybe(0.3):
            return []
        metric = self.random.choice(["revenue", "visits_made", "visits_done"])
        one: Json = {
            "dimension": self.random.choice(["shop", "shop", "city"]),
            "fact_metric": metric,
            "exists": self.maybe(0.5),
        }
        if self.maybe(0.4):
            one["period"] = self.period()
        if metric == "revenue" and self.maybe(0.3):
            one["rows"] = [{"column": "revenue", "op": ">", "values": [3]}]
        return [one]

    def among(self) -> Json:
        metric = self.random.choice(["revenue", "visits_made"])
        size = self.random.choice([{"n": 2}, {"nth": 2}, {"percent": 50}])
        return {"metrics": [metric], "dimensions": ["shop"], "top": size, "period": self.period()}


def fill(run: Any, tables: dict[str, list[Json]], *, text_dates: bool = False, sign: str = "?") -> None:
    """`sign`: how the database's driver writes a parameter."""
    for name, columns in COLUMNS.items():
        kinds = {c: "VARCHAR" if kind == "DATE" and text_dates else kind for c, kind in columns.items()}
        run(f"CREATE TABLE {name} ({', '.join(f'{c} {kind}' for c, kind in kinds.items())})", ())
        for row in tables[name]:
            values = [str(v) if text_dates and c == "day" and v else v for c, v in row.items()]
            run(f"INSERT INTO {name} VALUES ({', '.join([sign] * len(values))})", tuple(values))


def rounded(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return round(float(value), 6)


def table_of(made: Compiled, rows: list[tuple[Any, ...]]) -> Counter[tuple[Any, ...]]:
    names = [column.name for column in made.columns]
    return Counter(tuple(sorted((n, rounded(v)) for n, v in zip(names, row, strict=True))) for row in rows)


def by_hand(rows: list[dict[str, Any]], made: Compiled) -> Counter[tuple[Any, ...]]:
    names = [column.name for column in made.columns]
    return Counter(tuple(sorted((name, rounded(row[name])) for name in names)) for row in rows)
