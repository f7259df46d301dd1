"""Every number of an answer, in its text, its table, its charts and its statistics, equals one that plain Python computes
from the same rows by their keys. People share names on purpose."""

from __future__ import annotations

import random
import re
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from metaagent.data.tenant_data import TenantData
from metaagent.documents.format import format_value, full_number
from metaagent.level2.data_analysis.agent import data_analysis
from metaagent.plugin import Result
from metaagent.ports import Json, User
from metaagent.sessions.domain import OpenDomain
from metaagent.testing import run_agent
from tests.support.data_world import settings

MODEL = """
version: 1
name: shop
label: {ko: 가게, en: Shop}
default_metric: amount
tables:
  people:
    label: {ko: 사람, en: people}
    key: [person_id]
    columns: {person_id: integer, name: string, team: string}
  sales:
    label: {ko: 판매, en: sales}
    key: [sale_id]
    columns: {sale_id: integer, person_id: integer, day: date, product: string, amount: integer}
joins:
  - {from: sales.person_id, to: people.person_id}
metrics:
  amount: {type: sum, column: sales.amount, time: sales.day, label: {ko: 매출, en: Sales}, unit: {ko: 원, en: KRW}}
  orders: {type: count, table: sales, time: sales.day, label: {ko: 주문 수, en: Orders}, unit: {ko: 건, en: orders}}
  mean: {type: average, column: sales.amount, time: sales.day, label: {ko: 평균 매출, en: Mean sale}, unit: {ko: 원, en: KRW},
         format: decimal}
dimensions:
  person: {label: {ko: 영업사원, en: sales rep}, column: people.name, key: people.person_id, parent: team, kind: person,
           searchable: true}
  team: {label: {ko: 팀, en: team}, column: people.team, searchable: true}
  product: {label: {ko: 제품, en: product}, column: sales.product, searchable: true}
"""
NAMES = ("김서진", "이채은", "박하람", "최도윤")
TEAMS = ("가람팀", "나래팀", "다온팀", "라온팀", "마루팀")
PRODUCTS = ("사과", "배", "포도")
NOW = (date(2026, 10, 1), date(2026, 10, 31))
BEFORE = (date(2026, 9, 1), date(2026, 9, 30))
YEAR = (date(2026, 1, 1), date(2026, 10, 31))


class Sale(NamedTuple):
    person: int
    day: date
    product: str
    amount: int


@dataclass(frozen=True)
class Shop:
    people: dict[int, tuple[str, str]]
    sales: list[Sale]
    db: Callable[[str], TenantData]

    def label(self, person: int) -> str:
        """As the answer must call this person: with the team where somebody else has the name too."""
        name, team = self.people[person]
        alone = sum(one == name for one, _ in self.people.values()) == 1
        return name if alone else f"{name} ({team})"

    def by(self, what: str, span: tuple[date, date]) -> dict[Any, list[int]]:
        """Amounts by key."""
        pick: dict[str, Callable[[Sale], Any]] = {
            "person": lambda sale: sale.person,
            "team": lambda sale: self.people[sale.person][1],
            "product": lambda sale: sale.product,
            "month": lambda sale: f"{sale.day:%Y-%m}",
            "weekday": lambda sale: sale.day.isoweekday(),
            "all": lambda sale: "",
        }
        found: dict[Any, list[int]] = defaultdict(list)
        for sale in self.sales:
            if span[0] <= sale.day <= span[1]:
                found[pick[what](sale)].append(sale.amount)
        return found


@pytest.fixture(params=range(5))
def shop(request: pytest.FixtureRequest, tmp_path: Path) -> Shop:
    chance = random.Random(request.param)
    teams = list(TEAMS)
    people = {n: (chance.choice(NAMES[:3]), teams[n % len(teams)]) for n in range(1, 6)} | {
        6: (NAMES[3], teams[0])
    }
    sales = [
        Sale(
            chance.randint(1, 6),
            YEAR[0] + timedelta(chance.randrange((YEAR[1] - YEAR[0]).days + 1)),
            chance.choice(PRODUCTS),
            chance.randint(1_000, 9_000_000),
        )
        for _ in range(400)
    ]
    # The data reaches to the last day, so that whole months are compared.
    sales.append(Sale(1, YEAR[1], PRODUCTS[0], chance.randint(1_000, 9_000_000)))
    file = tmp_path / "shop.db"
    with sqlite3.connect(file) as made:
        made.execute("CREATE TABLE people (person_id INTEGER PRIMARY KEY, name TEXT, team TEXT)")
        made.execute(
            "CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, person_id INTEGER, day DATE, product TEXT, amount INTEGER)"
        )
        made.executemany("INSERT INTO people VALUES (?, ?, ?)", [(n, *who) for n, who in people.items()])
        made.executemany(
            "INSERT INTO sales (person_id, day, product, amount) VALUES (?, ?, ?, ?)",
            [(s.person, s.day.isoformat(), s.product, s.amount) for s in sales],
        )
    made.close()
    model = tmp_path / "semantic.yaml"
    model.write_text(MODEL, encoding="utf-8")
    source = OpenDomain(settings(tmp_path, data={"url": f"sqlite:///{file}", "model": model})).data()
    assert source is not None

    def port(language: str) -> TenantData:
        opened = source.open(User(), language)
        assert opened is not None
        return opened

    return Shop(people, sales, port)


def period(span: tuple[date, date]) -> Json:
    return {"start": span[0].isoformat(), "end": span[1].isoformat()}


async def answered(shop: Shop, request: Json, language: str, *intents: str) -> Result:
    asked = {
        "semantic_request": request,
        "parsed_intents": [{"intent": intent} for intent in intents],
        "user_context": {"today": "2026-11-01"},
    }
    return await run_agent(data_analysis, "?", request=asked, language=language, db=shop.db(language))


NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
PERIODS = re.compile(
    r"\d{4}-\d{2}(?:-\d{2})?|\d{4}년(?: \d+월)?(?: \d+일)?|(?:January|February|March|April|May|June|July|August|September|"
    r"October|November|December) \d{4}"
)


def numbers(text: str) -> set[str]:
    return set(NUMBER.findall(PERIODS.sub("", text)))


def written(values: Iterable[tuple[float, str]], language: Any) -> set[str]:
    """Every way in which these values may be written, as bare numbers."""
    found: set[str] = set()
    for value, unit in values:
        for size in (value, abs(value)):
            found |= numbers(format_value(size, unit, language)) | numbers(
                full_number(size, 0 if unit == "won" else 2)
            )
    return found


def changes(now: dict[Any, list[int]], before: dict[Any, list[int]]) -> list[tuple[float, str]]:
    """Everything that may be said about a change and its parts."""
    moved = {key: sum(now.get(key, ())) - sum(before.get(key, ())) for key in {*now, *before}}
    up, down = (sum(m for m in moved.values() if (m > 0) is way) for way in (True, False))
    total, earlier = sum(moved.values()), sum(map(sum, before.values()))
    values: list[tuple[float, str]] = [(up, "won"), (down, "won"), (total, "won"), (earlier, "won")]
    values += [(total / earlier * 100, "percent"), (earlier + total, "won")]
    for key, change in moved.items():
        values += [
            (change, "won"),
            (change / (up if change > 0 else down) * 100 if change else 0.0, "percent"),
        ]
        values += [(sum(now.get(key, ())), "won"), (sum(before.get(key, ())), "won")]
        if before.get(key):
            values.append((change / sum(before[key]) * 100, "percent"))
    gross = up if total >= 0 else down
    with_it = sorted(
        (k for k, m in moved.items() if m and (m > 0) is (total >= 0)), key=lambda k: -abs(moved[k])
    )
    for count in (1, 2, 3):
        top = with_it[:count]
        explained = sum(moved[k] for k in top) / gross * 100
        size = sum(sum(before.get(k, ())) for k in top) / earlier * 100
        values += [(explained, "percent"), (size, "percent"), (explained - size, "pp")]
    return values


def plain_lines(result: Result) -> str:
    """The text without the sentences of a statistical test, which have tests of their own."""
    return "\n".join(
        line for line in result.summary.splitlines() if "p = " not in line and "p < " not in line
    )


def charts_of(result: Result) -> list[Json]:
    return [artifact.data for artifact in result.artifacts if artifact.kind == "chart"]


def bars_of(chart: Json) -> dict[str, float]:
    return {row["category"]: row["value"] for row in chart["spec"]["data"]["values"]}


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize(("metric", "unit"), [("amount", "won"), ("mean", "won"), ("orders", "")])
async def test_figures_by_person_are_of_one_person(shop: Shop, metric: str, unit: str, language: str):
    result = await answered(
        shop, {"metrics": [metric], "dimensions": ["person"], "period": period(NOW)}, language
    )
    work: dict[str, Callable[[list[int]], float]] = {
        "amount": sum, "orders": len, "mean": lambda some: sum(some) / len(some),
    }  # fmt: skip
    expected = {person: work[metric](values) for person, values in shop.by("person", NOW).items()}
    dataset = result.artifacts[0].data
    assert dict(
        zip(dataset["keys"]["person"], (row[1] for row in dataset["rows"]), strict=True)
    ) == pytest.approx(expected)
    assert {row[0] for row in dataset["rows"]} == {shop.label(person) for person in expected}
    [chart] = charts_of(result)
    assert bars_of(chart) == pytest.approx({shop.label(person): value for person, value in expected.items()})
    allowed = written([(value, unit) for value in expected.values()], language)
    if metric != "mean":
        total = sum(expected.values())
        top = sorted(expected.values(), reverse=True)
        allowed |= written(
            [(total, unit), (sum(top[:3]) / total * 100, "percent"), (3, ""), (len(top), "")], language
        )
    allowed |= {str(len(expected) - 5)}
    assert numbers(plain_lines(result)) <= allowed, result.summary


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("direction", ["top", "bottom"])
async def test_a_ranking_is_right_and_names_its_people(shop: Shop, direction: str, language: str):
    request = {
        "metrics": ["amount"],
        "dimensions": ["person"],
        "top": {"n": 3, "direction": direction},
        "period": period(NOW),
    }
    result = await answered(shop, request, language, "rank")
    expected = sorted(
        ((shop.label(p), sum(values)) for p, values in shop.by("person", NOW).items()),
        key=lambda item: item[1],
        reverse=direction == "top",
    )[:3]
    [chart] = charts_of(result)
    assert list(bars_of(chart).items()) == expected
    assert numbers(result.summary) <= written([(value, "won") for _, value in expected], language)
    assert all(name in result.summary for name, _ in expected)


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("dimension", ["person", "team", "product"])
async def test_compared_parts_add_up_and_are_right(shop: Shop, dimension: str, language: str):
    request = {
        "metrics": ["amount"],
        "dimensions": [dimension],
        "comparison": "previous",
        "period": period(NOW),
    }
    result = await answered(shop, request, language, "compare")
    now, before = shop.by(dimension, NOW), shop.by(dimension, BEFORE)
    found = result.state["statistics"]["contribution"]
    names = {key: shop.label(key) if dimension == "person" else key for key in {*now, *before}}
    moved = {names[key]: sum(now.get(key, ())) - sum(before.get(key, ())) for key in names}
    assert {one["segment"]: one["change"] for one in found["segments"]} == moved
    allowed = written(changes(now, before), language) | {str(max(0, len(names) - 5))}
    assert numbers(plain_lines(result)) <= allowed, result.summary
    [chart] = charts_of(result)
    values = {row["value"] for row in chart["spec"]["data"]["values"]}
    assert values <= {sum(v) for v in [*now.values(), *before.values()]}


@pytest.mark.parametrize("language", ["ko", "en"])
async def test_drivers_are_right_for_every_dimension(shop: Shop, language: str):
    result = await answered(shop, {"metrics": ["amount"], "period": period(NOW)}, language, "analysis")
    allowed = written([(3, "")], language)
    for dimension in ("person", "team", "product"):
        allowed |= written(changes(shop.by(dimension, NOW), shop.by(dimension, BEFORE)), language)
    assert numbers(plain_lines(result)) <= allowed, result.summary
    made = result.state["statistics"]["drivers"]
    assert made["n"] == 3
    assert made["change"] == sum(shop.by("all", NOW)[""]) - sum(shop.by("all", BEFORE)[""])
    months = {f"{key}-01T00:00:00": sum(values) for key, values in shop.by("month", YEAR).items()}
    [course, parts] = charts_of(result)
    assert {row["time"]: row["value"] for row in course["spec"]["data"]["values"]} == months
    best = made["best"]["dimension"]
    sums = {sum(v) for span in (NOW, BEFORE) for v in shop.by(best, span).values()}
    assert {row["value"] for row in parts["spec"]["data"]["values"]} <= sums


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("running", [False, True])
async def test_months_are_right_and_a_running_total_is_drawn(shop: Shop, running: bool, language: str):
    request = {
        "metrics": ["amount"],
        "dimensions": ["month"],
        "running_total": running,
        "period": period(YEAR),
    }
    result = await answered(shop, request, language, "trend")
    months = {key: sum(values) for key, values in sorted(shop.by("month", YEAR).items())}
    if running:
        months = {key: sum(list(months.values())[: n + 1]) for n, key in enumerate(months)}
    [chart] = charts_of(result)
    drawn = {row["time"][:7]: row["value"] for row in chart["spec"]["data"]["values"]}
    assert drawn == months
    assert numbers(plain_lines(result)) <= written([(value, "won") for value in months.values()], language)


@pytest.mark.parametrize("language", ["ko", "en"])
async def test_people_followed_over_months_stay_apart(shop: Shop, language: str):
    request = {"metrics": ["amount"], "dimensions": ["person", "month"], "period": period(YEAR)}
    result = await answered(shop, request, language)
    expected: dict[tuple[str, str], int] = defaultdict(int)
    for sale in shop.sales:
        expected[shop.label(sale.person), f"{sale.day:%Y-%m}"] += sale.amount
    [chart] = charts_of(result)
    drawn = {(row["series"], row["time"][:7]): row["value"] for row in chart["spec"]["data"]["values"]}
    assert drawn == expected
    last = [value for (_, month), value in expected.items() if month == "2026-10"]
    allowed = written([(value, "won") for value in last], language) | {str(max(0, len(last) - 5))}
    assert numbers(result.summary) <= allowed, result.summary


@pytest.mark.parametrize("language", ["ko", "en"])
async def test_counts_weekdays_and_two_figures_are_right(shop: Shop, language: str):
    people = shop.by("person", YEAR)
    limit = sorted(map(sum, people.values()))[2]
    having = [{"column": "amount", "op": ">", "values": [limit]}]
    counted = await answered(
        shop,
        {"metrics": ["amount"], "having": having, "count_groups": "person", "period": period(YEAR)},
        language,
    )
    above = sum(sum(values) > limit for values in people.values())
    assert numbers(counted.summary) <= written([(above, ""), (limit, "won")], language)
    assert str(above) in counted.summary
    days = await answered(
        shop, {"metrics": ["amount"], "dimensions": ["weekday"], "period": period(YEAR)}, language
    )
    sums = [(sum(values), "won") for values in shop.by("weekday", YEAR).values()]
    assert numbers(days.summary) <= written(sums, language), days.summary
    assert ("월요일" if language == "ko" else "Monday") in days.summary
    both = await answered(
        shop, {"metrics": ["amount", "orders"], "dimensions": ["person"], "period": period(YEAR)}, language
    )
    allowed = written(
        [(sum(v), "won") for v in people.values()] + [(len(v), "") for v in people.values()], language
    )
    top = sorted(map(sum, people.values()), reverse=True)
    allowed |= written(
        [(sum(top), "won"), (sum(top[:3]) / sum(top) * 100, "percent"), (3, ""), (len(top), "")], language
    )
    assert numbers(both.summary) <= allowed, both.summary
    [chart] = charts_of(both)
    assert {row["category"]: (row["value0"], row["value1"]) for row in chart["spec"]["data"]["values"]} == {
        shop.label(p): (sum(v), len(v)) for p, v in people.items()
    }
