"""The rows of one company: a pure function of its profile, the seed and the date."""

from __future__ import annotations

import math
from bisect import bisect
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import accumulate
from random import Random
from typing import Any

from metaagent.demo.expenses import Planted, expenses
from metaagent.demo.names import (
    HOSPITAL_TYPES,
    PRODUCTS,
    PURPOSES,
    REGIONS,
    SEASONS,
    SEMINAR_TOPICS,
    Region,
    hospital,
    person,
)

Row = dict[str, Any]


@dataclass(frozen=True)
class Profile:
    """The traits by which one tenant differs from another."""

    company_id: str
    en: str
    ko: str
    first_id: int
    hospitals: int
    reps: int
    products: int
    sales: int
    visits: int
    seminars: int
    growth: float  # per year

    def scaled(self, scale: float) -> Profile:
        def n(full: int, least: int) -> int:
            return max(least, round(full * scale))

        return Profile(
            self.company_id, self.en, self.ko, self.first_id,
            n(self.hospitals, 20), n(self.reps, len(REGIONS)), self.products,
            n(self.sales, 500), n(self.visits, 200), n(self.seminars, 12), self.growth,
        )  # fmt: skip


PROFILES: tuple[Profile, ...] = (
    Profile("hanbit", "Hanbit Pharma", "한빛제약", 1, 220, 64, 27, 110_000, 22_000, 320, 0.09),
    Profile("saebyeok", "Saebyeok Bio", "새벽바이오", 1_000_001, 90, 24, 25, 30_000, 6_000, 90, -0.03),
)


@dataclass(frozen=True)
class Company:
    profile: Profile
    start: date
    end: date
    tables: dict[str, list[Row]]
    planted: tuple[Planted, ...]
    """Expenses that break rules on purpose, with the rules that they break."""


@dataclass
class _Hospital:
    row: Row
    size: float
    reps: list[Row]


@dataclass
class _World:
    profile: Profile
    rng: Random
    now: date
    start: date
    end: date
    hospitals: list[_Hospital] = field(default_factory=list)
    reps: list[Row] = field(default_factory=list)
    products: list[Row] = field(default_factory=list)
    demand: list[float] = field(default_factory=list)

    @property
    def days(self) -> list[date]:
        return [self.start + timedelta(days=i) for i in range((self.end - self.start).days + 1)]


def months_back(day: date, count: int) -> date:
    """The first day of the month `count` months before the one of `day`."""
    month = day.year * 12 + day.month - 1 - count
    return date(month // 12, month % 12 + 1, 1)


def window(now: date) -> tuple[date, date]:
    """Whole months, two years of them, and the current one up to yesterday."""
    end = now - timedelta(days=1)
    return months_back(end, 24), end


def company(profile: Profile, *, seed: int, now: date) -> Company:
    rng = Random(f"{seed}:{profile.company_id}:{now.isoformat()}")  # noqa: S311 - invented data, not a secret
    world = _World(profile, rng, now, *window(now))
    _people_and_places(world)
    sales = _sales(world)
    visits = _visits(world)
    seminars = _seminars(world)
    tables = {
        "hospitals": [h.row for h in world.hospitals],
        "sales_reps": world.reps,
        "products": world.products,
        "sales": sales,
        "targets": _targets(world, sales),
        "visits": visits,
        "seminars": seminars,
    }
    places = [h.row for h in world.hospitals]
    local = {h.row["hospital_id"]: h.reps[0]["rep_id"] for h in world.hospitals}
    tables["expenses"], planted = expenses(rng, profile.first_id, visits, seminars, places, local)
    for rows in tables.values():
        for row in rows:
            row["company_id"] = profile.company_id
    return Company(profile, world.start, world.end, tables, planted)


def _spread(regions: tuple[Region, ...], total: int) -> list[Region]:
    """`total` regions in proportion to their weight, each at least once."""
    weight = sum(r.weight for r in regions)
    left = total - len(regions)
    bounds = list(accumulate(r.weight / weight for r in regions))
    extra = [regions[min(bisect(bounds, (i + 0.5) / left), len(regions) - 1)] for i in range(left)]
    return [*regions, *extra]


def _people_and_places(world: _World) -> None:
    profile, rng = world.profile, world.rng
    for i, region in enumerate(_spread(REGIONS, profile.reps)):
        world.reps.append(
            {
                "rep_id": profile.first_id + i,
                "name": person(rng),
                "region_code": region.code,
                "team": f"{region.name} {'병원' if i % 3 else '의원'}팀",
            }
        )
    # Two people of one name in different regions: every real company has them.
    world.reps[5]["name"] = world.reps[2]["name"] = "김서진"
    by_region: dict[str, list[Row]] = {}
    for rep in world.reps:
        by_region.setdefault(rep["region_code"], []).append(rep)
    taken: set[str] = set()
    for i, region in enumerate(_spread(REGIONS, profile.hospitals)):
        kind, _, tier, size = rng.choices(HOSPITAL_TYPES, [t[1] for t in HOSPITAL_TYPES])[0]
        public = kind in {"종합병원", "중소병원"} and rng.random() < 0.25
        name = hospital(rng, region, kind, public=public)
        while name in taken:
            name = hospital(rng, region, kind, public=public)
        taken.add(name)
        row = {
            "hospital_id": profile.first_id + i,
            "name": name,
            "region_code": region.code,
            "region_name": region.name,
            "type": kind,
            "tier": tier,
            "is_public": public,
        }
        local = by_region[region.code]
        chosen = rng.sample(local, min(len(local), 2))
        world.hospitals.append(_Hospital(row, size * rng.uniform(0.6, 1.5), chosen))
    for i, (name, category, price, demand) in enumerate(PRODUCTS[: profile.products]):
        # One product is new: it was launched nine months ago.
        launched = (
            months_back(world.now, 9) if i == 7 else date(rng.randint(2009, 2022), rng.randint(1, 12), 1)
        )
        world.products.append(
            {
                "product_id": profile.first_id + i,
                "name": name,
                "category": category,
                "unit_price": price,
                "launched_on": launched,
            }
        )
        world.demand.append(demand * rng.uniform(0.7, 1.3))


def _hospital_weights(world: _World, month: date) -> list[float]:
    slump, lost = months_back(world.now, 5), months_back(world.now, 3)
    surge = months_back(world.now, 1)
    weights: list[float] = []
    for i, h in enumerate(world.hospitals):
        weight = h.size
        code = h.row["region_code"]
        if code == "DAEGU" and month == slump:
            weight *= 0.45
        if code == "SEOUL" and month == surge:
            weight *= 1.18
        if i == 1 and month >= lost:  # a large customer went to a competitor
            weight = 0.0
        weights.append(weight)
    return weights


def _product_weights(world: _World, day: date) -> list[float]:
    spike = months_back(world.now, 2)
    weights: list[float] = []
    for product, demand in zip(world.products, world.demand, strict=True):
        launched: date = product["launched_on"]
        weight = demand * SEASONS[product["category"]][day.month - 1]
        if day < launched:
            weight = 0.0
        elif launched >= world.start:  # a new product is taken up within half a year
            weight *= min(1.0, (day - launched).days / 180 + 0.1)
        if product["name"] == "코프레신정" and spike <= day < spike + timedelta(days=14):
            weight *= 3.0
        weights.append(weight)
    return weights


_WEEKDAY = (1.15, 1.1, 1.05, 1.05, 1.0, 0.28, 0.03)
_FIXED_HOLIDAYS = {(1, 1), (3, 1), (5, 5), (6, 6), (8, 15), (10, 3), (10, 9), (12, 25)}


def _day_factor(world: _World, day: date) -> float:
    years = (day - world.start).days / 365
    holiday = 0.1 if (day.month, day.day) in _FIXED_HOLIDAYS else 1.0
    return _WEEKDAY[day.weekday()] * holiday * (1 + world.profile.growth) ** years


def _allocate(total: int, weights: list[float]) -> list[int]:
    """`total` things over days in proportion to `weights`, exactly."""
    whole = sum(weights)
    marks = [round(total * done / whole) for done in accumulate(weights)]
    return [b - a for a, b in zip([0, *marks], marks, strict=False)]


def _sales(world: _World) -> list[Row]:
    profile, rng, days = world.profile, world.rng, world.days
    months = {day.replace(day=1) for day in days}
    by_month = {month: _hospital_weights(world, month) for month in sorted(months)}
    by_day = [_product_weights(world, day) for day in days]
    weights = [
        _day_factor(world, day) * sum(by_month[day.replace(day=1)]) * sum(products)
        for day, products in zip(days, by_day, strict=True)
    ]
    rows: list[Row] = []
    sale_id = profile.first_id
    for day, products, count in zip(days, by_day, _allocate(profile.sales, weights), strict=True):
        where = rng.choices(world.hospitals, by_month[day.replace(day=1)], k=count)
        what = rng.choices(world.products, products, k=count)
        for place, product in zip(where, what, strict=True):
            price = product["unit_price"]
            boxes = max(1, round(rng.lognormvariate(0, 0.55) * place.size * 160_000 / (price + 400)))
            if rng.random() < 0.0001:  # a bulk order by tender
                boxes *= 25
            discount = rng.choice((0, 0, 0, 3, 5, 8))
            rows.append(
                {
                    "sale_id": sale_id,
                    "sale_date": day,
                    "hospital_id": place.row["hospital_id"],
                    "product_id": product["product_id"],
                    "rep_id": rng.choice(place.reps)["rep_id"],
                    "quantity": boxes,
                    "sales_amount": boxes * price * (100 - discount) // 100,
                }
            )
            sale_id += 1
    return rows


def _targets(world: _World, sales: list[Row]) -> list[Row]:
    """Set a little above a rep's own average month, with the company's growth: some make it, some do not."""
    totals: dict[int, int] = {}
    for row in sales:
        totals[row["rep_id"]] = totals.get(row["rep_id"], 0) + row["sales_amount"]
    span = 25 - 1 + world.end.day / 31
    rows: list[Row] = []
    for rep in world.reps:
        ambition = world.rng.uniform(0.88, 1.15)
        average = totals.get(rep["rep_id"], 0) / span
        for back in range(24, -1, -1):
            growth = 1 + world.profile.growth * (12 - back) / 12
            amount = math.ceil(average * ambition * growth / 100_000) * 100_000
            month = months_back(world.end, back)
            rows.append({"rep_id": rep["rep_id"], "month": month, "target_amount": max(amount, 1_000_000)})
    return rows


def _visits(world: _World) -> list[Row]:
    profile, rng, days = world.profile, world.rng, world.days
    weights = [0.0 if day.weekday() == 6 else _day_factor(world, day) for day in days]
    size = [math.sqrt(h.size) for h in world.hospitals]
    purposes, shares = [p[0] for p in PURPOSES], [p[1] for p in PURPOSES]
    doctors = {h.row["hospital_id"]: [person(rng) for _ in range(2 + int(h.size))] for h in world.hospitals}
    rows: list[Row] = []
    for day, count in zip(days, _allocate(profile.visits, weights), strict=True):
        for place in rng.choices(world.hospitals, size, k=count):
            rows.append(
                {
                    "visit_id": profile.first_id + len(rows),
                    "visit_date": day,
                    "rep_id": rng.choice(place.reps)["rep_id"],
                    "hospital_id": place.row["hospital_id"],
                    "doctor_name": rng.choice(doctors[place.row["hospital_id"]]),
                    "product_id": rng.choice(world.products)["product_id"],
                    "purpose": rng.choices(purposes, shares)[0],
                    "duration_min": max(5, min(120, round(rng.gauss(28, 12)))),
                }
            )
    return rows


def _seminars(world: _World) -> list[Row]:
    profile, rng = world.profile, world.rng
    days = [day for day in world.days if day.weekday() < 5]
    rows: list[Row] = []
    for day in sorted(rng.choices(days, k=profile.seminars)):
        place, product = rng.choice(world.hospitals), rng.choice(world.products)
        attendees = rng.randint(8, 80)
        rows.append(
            {
                "seminar_id": profile.first_id + len(rows),
                "title": f"{product['name']} {rng.choice(SEMINAR_TOPICS)}",
                "held_on": day,
                "venue": f"{place.row['name']} {rng.choice(('대강당', '세미나실', '회의실'))}",
                "hospital_id": place.row["hospital_id"],
                "product_id": product["product_id"],
                "speaker": person(rng),
                "attendees": attendees,
                "budget": attendees * rng.randint(60, 120) * 1_000 + 1_000_000,
                "status": rng.choices(("completed", "cancelled", "postponed"), (90, 7, 3))[0],
            }
        )
    return rows
