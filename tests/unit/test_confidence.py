"""How sure a reading is: what lowers it, the form of the answer, caveats, and the fitting of its weights."""

from __future__ import annotations

import math
import random
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from evals.calibration import Sample, answers_of, fit, held_out, table
from metaagent.data.semantic.drafting.infer import draft, written
from metaagent.data.semantic.loader import loads
from metaagent.data.semantic.vocabulary import vocabulary
from metaagent.level1.query_analyzer import SemanticVocabulary, analyze
from metaagent.level1.query_analyzer.asked_form import list_for_number, number_for_list
from metaagent.level1.query_analyzer.confidence import FEATURES, WEIGHTS, confidence
from tests.support.composed import ask, context, talk

ORDERS = """
CREATE TABLE clients (client_id INTEGER PRIMARY KEY, client_name TEXT);
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients, ordered_on DATE, delivered_on DATE,
    status TEXT, contract_amount NUMERIC);
INSERT INTO clients VALUES (1, 'Ann'), (2, 'Bob');
"""
CONTRACTS = """
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, customer_name TEXT);
CREATE TABLE contracts (contract_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers, signed_on DATE,
    contract_amount NUMERIC);
INSERT INTO customers VALUES (1, 'Ann'), (2, 'Bob');
INSERT INTO contracts VALUES (1, 1, '2026-05-01', 30), (2, 2, '2026-05-02', 50), (3, 2, '2026-06-02', 70);
"""


def words_of(file: Path, script: str, rows: list[tuple[Any, ...]]) -> SemanticVocabulary:
    with sqlite3.connect(file) as db:
        db.executescript(script)
        db.executemany("INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?)", rows) if rows else None
    db.close()
    return SemanticVocabulary.of(vocabulary(loads(written(draft(f"sqlite:///{file}").model))))


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> SemanticVocabulary:
    rows = [
        (n, n % 2 + 1, f"2026-{n % 9 + 1:02}-05", f"2026-{n % 9 + 2:02}-09", ("done", "done", "cancelled")[n % 3], 100 + n)
        for n in range(60)
    ]  # fmt: skip
    return words_of(tmp_path_factory.mktemp("orders") / "made.db", ORDERS, rows)


def asked(words: SemanticVocabulary, question: str) -> dict[str, Any]:
    return analyze(question, replace(context(), vocabulary=words, coverage={}))


def doubted(reading: dict[str, Any]) -> list[str]:
    return [text for text in reading["assumptions"] if "not certain" in text or "확실하지 않음" in text]


@pytest.mark.parametrize("name", FEATURES)
def test_no_feature_makes_an_answer_surer(name: str):
    plain = confidence({})
    assert confidence({name: 1.0}) < plain
    assert confidence({name: 2.0}) < confidence({name: 1.0})


def test_a_domain_may_have_weights_of_its_own():
    assert confidence({"unread": 1.0}, {"unread": -9.0}) < confidence({"unread": 1.0})
    assert confidence({}, {"unread": -9.0}) == confidence({})


@pytest.mark.parametrize(
    "question",
    ["지난달 서울 매출", "10월 제품별 매출", "sales by region last month", "top 5 hospitals by sales this year",
     "지난달 담당자별 방문 몇 건씩이야?", "which region sold most in October?"],
)  # fmt: skip
def test_a_plain_question_is_read_with_confidence(question: str):
    reading = ask(question)["reading"]
    assert reading["confidence"] > 0.9
    assert not reading["features"]["number_for_list"] + reading["features"]["list_for_number"]


@pytest.mark.parametrize(
    "question",
    ["지난달 담당자별 매출", "누가 제일 많이 팔았어?", "sales of each team", "which of them bought it"],
)
def test_one_number_for_a_list_is_doubted(question: str):
    assert number_for_list(question, {"metrics": ["sales_amount"]})
    assert confidence({"number_for_list": 1.0}) < 0.6


@pytest.mark.parametrize(
    "query", [{"dimensions": ["rep"]}, {"top": {"n": 1}}, {"comparison": "previous"}, {"derived": [{}]}]
)
def test_whatever_tells_things_apart_is_no_single_number(query: dict[str, Any]):
    assert not number_for_list("담당자별 매출", query)


def test_a_rate_for_each_visit_is_one_number():
    assert not number_for_list("turnover for each visit on average", {"metrics": ["sales_per_visit"]})


@pytest.mark.parametrize(
    "question", ["몇 건이나 취소됐지?", "how many were cancelled?", "다 합쳐서 얼마야?", "what is the total?"]
)
def test_a_list_for_one_number_lowers_confidence(question: str):
    assert list_for_number(question, {"dimensions": ["seminar"]})
    assert not list_for_number(question, {"dimensions": ["seminar"], "top": {"n": 1}})
    assert not list_for_number(question, {})


@pytest.mark.parametrize(
    "question",
    ["지점별로 얼마야?", "몇 건씩이야?", "how many by region?", "어느 팀이 몇 건 했어?", "각각 얼마야?"],
)
def test_a_split_that_is_asked_for_may_be_a_list(question: str):
    assert not list_for_number(question, {"dimensions": ["seminar"]})


def test_words_unread_before_weigh_less_than_own_ones():
    own = talk("지난달 서울 매출", "부산 뿌잉뿌잉은?")
    later = talk("지난달 서울 뿌잉뿌잉 매출", "부산은?")
    assert later["reading"]["features"]["carried"] == 1
    assert own["reading"]["features"]["unread"] > later["reading"]["features"]["unread"] == 0


def test_rows_that_are_counted_too_are_an_assumption(orders: SemanticVocabulary):
    reading = asked(orders, "number of orders delivered in May 2026")
    assert any("cancelled" in text for text in reading["assumptions"])
    assert not doubted(reading)
    assert reading["reading"]["features"]["drafted"] == 1


def test_a_date_that_nobody_named_is_doubted(orders: SemanticVocabulary):
    unnamed = asked(orders, "number of orders in May 2026")
    named = asked(orders, "how many orders were ordered in May 2026?")
    assert len(doubted(unnamed)) == unnamed["reading"]["features"]["unconfirmed"]
    assert not doubted(named)


@pytest.mark.parametrize(
    ("named", "guessed"),
    [("contract amount in May 2026", "sales in May 2026"), ("2026년 5월 계약금액 합계", "2026년 5월 매출")],
)
def test_an_amount_by_its_own_name_is_no_guess(named: str, guessed: str, tmp_path: Path):
    contracts = words_of(tmp_path / "made.db", CONTRACTS, [])
    plain, unsure = asked(contracts, named), asked(contracts, guessed)
    assert plain["semantic_request"]["metrics"] == unsure["semantic_request"]["metrics"]
    assert len(doubted(unsure)) == len(doubted(plain)) + 1
    assert plain["reading"]["confidence"] > unsure["reading"]["confidence"]


def test_a_model_that_is_confirmed_is_surer():
    assert ask("지난달 서울 매출")["reading"]["features"]["drafted"] == 0
    assert confidence({"drafted": 1.0}) < confidence({})


# --- fitting -------------------------------------------------------------------------------------------------


def drawn(count: int, weights: dict[str, float], file: str = "a", seed: int = 7) -> list[Sample]:
    chance = random.Random(seed)
    made: list[Sample] = []
    for _ in range(count):
        features = {name: float(chance.random() < 0.3) for name in ("unread", "several", "inherited")}
        total = weights["bias"] + sum(weights[name] * value for name, value in features.items())
        made.append(Sample(file, features, 1.0, chance.random() < 1 / (1 + math.exp(-total))))
    return made


def test_fitted_weights_are_those_that_drew_the_answers():
    drew = {"bias": 2.0, "unread": -3.0, "several": -0.1, "inherited": -1.5}
    made = fit(drawn(4000, drew))
    assert all(abs(made[name] - value) < 0.3 for name, value in drew.items())


def test_a_feature_that_no_answer_has_keeps_its_weight():
    made = fit(drawn(300, {"bias": 2.0, "unread": -2.0, "several": -1.0, "inherited": -1.0}))
    assert made["disputed"] == WEIGHTS["disputed"]


def test_a_doubt_that_went_with_right_answers_weighs_nothing():
    found = [Sample("a", {"guessed": float(n % 2)}, 1.0, bool(n % 2)) for n in range(200)]
    assert fit(found)["guessed"] == 0.0


def test_each_file_is_judged_by_weights_of_the_others():
    drew = {"bias": 2.0, "unread": -3.0, "several": -1.0, "inherited": -1.0}
    found = [*drawn(200, drew, "a", 1), *drawn(200, drew, "b", 2)]
    later = [replace(one, weight=0.5) for one in found]
    assert len(held_out([*found, *later])) == 400
    assert {name for name, _, _ in held_out([*found, *later])} == {"a", "b"}
    assert table(found).count("\n| ") == 3


def test_a_report_gives_the_answers_that_have_figures(tmp_path: Path):
    reading = {"confidence": 0.8, "features": {"unread": 1.0}}
    one = {"answered": True, "confidence": 0.4, "right_figure": True, "reading": reading}
    told = [one, {**one, "answered": False}, {**one, "reading": None}]
    file = tmp_path / "first.json"
    file.write_bytes(orjson.dumps({"questions": told}))
    assert answers_of(file) == [Sample("first", {"unread": 1.0}, 0.5, True)]
