"""Where something is stored: one answer for every combination of facts, with its reasons."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from metaagent.level2.storage.decision import Facts, Rules, decide

RULES = Rules()
Case = tuple[dict[str, Any], str, str]
CASES: dict[str, Case] = {
    "table that fits": ({"shape": "table", "rows": 3, "target": "visits"}, "structured_db", "visits"),
    "table of one row": ({"shape": "table", "rows": 1, "target": "visits"}, "structured_db", "1 rows"),
    "empty table that fits": ({"shape": "table", "rows": 0, "target": "visits"}, "structured_db", "0 rows"),
    "table without a target": ({"shape": "table", "rows": 3}, "unstructured_db", "No writable table"),
    "table at the limit": (
        {"shape": "table", "rows": 100_000, "target": "t"},
        "structured_db",
        "100000 rows",
    ),
    "table beyond the limit": (
        {"shape": "table", "rows": 100_001, "target": "t"},
        "unstructured_db",
        "more than",
    ),
    "table to be archived": (
        {"shape": "table", "rows": 3, "target": "t", "uses": {"query", "archive"}},
        "hybrid",
        "archived",
    ),
    "table with long text to be searched": (
        {"shape": "table", "rows": 3, "target": "t", "text": 5000, "uses": {"search"}},
        "hybrid",
        "indexed",
    ),
    "table with text that is not searched": (
        {"shape": "table", "rows": 3, "target": "t", "text": 5000, "uses": {"query"}},
        "structured_db",
        "visits|t",
    ),
    "table without target to be archived": (
        {"shape": "table", "rows": 3, "uses": {"archive"}},
        "unstructured_db",
        "archived",
    ),
    "table without target to be searched": (
        {"shape": "table", "rows": 3, "text": 900, "uses": {"search"}},
        "hybrid",
        "indexed",
    ),
    "confidential table": (
        {"shape": "table", "rows": 3, "target": "t", "sensitivity": "confidential"},
        "structured_db",
        "fit",
    ),
    "confidential table to be searched": (
        {
            "shape": "table",
            "rows": 3,
            "target": "t",
            "text": 900,
            "uses": {"search"},
            "sensitivity": "confidential",
        },
        "structured_db",
        "confidential",
    ),
    "table kept for years": (
        {"shape": "table", "rows": 3, "target": "t", "retention_days": 3650},
        "structured_db",
        "fit",
    ),
    "record that fits": ({"shape": "record", "rows": 1, "target": "visits"}, "structured_db", "visits"),
    "record without a target": ({"shape": "record", "rows": 1}, "unstructured_db", "No writable table"),
    "record with a note to be searched": (
        {"shape": "record", "rows": 1, "target": "t", "text": 400, "uses": {"query", "search"}},
        "hybrid",
        "indexed",
    ),
    "record with a short note": (
        {"shape": "record", "rows": 1, "target": "t", "text": 40, "uses": {"search"}},
        "structured_db",
        "not indexed",
    ),
    "record to be archived": (
        {"shape": "record", "rows": 1, "target": "t", "uses": {"archive"}},
        "hybrid",
        "archived",
    ),
    "text to be searched": ({"shape": "text", "text": 5000, "uses": {"search"}}, "vector_db", "searched"),
    "text at the least length": (
        {"shape": "text", "text": 200, "uses": {"search"}},
        "vector_db",
        "200 characters",
    ),
    "text below the least length": (
        {"shape": "text", "text": 199, "uses": {"search"}},
        "unstructured_db",
        "not indexed",
    ),
    "text at the most length": (
        {"shape": "text", "text": 2_000_000, "uses": {"search"}},
        "vector_db",
        "searched",
    ),
    "text beyond the most length": (
        {"shape": "text", "text": 2_000_001, "uses": {"search"}},
        "unstructured_db",
        "not indexed",
    ),
    "text only to be read": (
        {"shape": "text", "text": 5000, "uses": {"read"}},
        "unstructured_db",
        "Nothing else",
    ),
    "text with personal data": (
        {"shape": "text", "text": 5000, "uses": {"search"}, "sensitivity": "personal"},
        "unstructured_db",
        "personal",
    ),
    "confidential text": (
        {"shape": "text", "text": 5000, "uses": {"search"}, "sensitivity": "confidential"},
        "unstructured_db",
        "confidential",
    ),
    "public text": (
        {"shape": "text", "text": 5000, "uses": {"search"}, "sensitivity": "public"},
        "vector_db",
        "searched",
    ),
    "text kept for years": (
        {"shape": "text", "text": 5000, "uses": {"search"}, "retention_days": 1095},
        "hybrid",
        "1095d",
    ),
    "text kept for a year": (
        {"shape": "text", "text": 5000, "uses": {"search"}, "retention_days": 365},
        "vector_db",
        "searched",
    ),
    "text to be archived and searched": (
        {"shape": "text", "text": 5000, "uses": {"search", "archive"}},
        "hybrid",
        "archived",
    ),
    "text to be archived": (
        {"shape": "text", "text": 5000, "uses": {"archive"}},
        "unstructured_db",
        "archived",
    ),
    "empty text": ({"shape": "text", "text": 0, "uses": {"search"}}, "unstructured_db", "Nothing else"),
    "document to be searched": ({"shape": "document", "text": 5000, "uses": {"search"}}, "hybrid", "form"),
    "document to be read": ({"shape": "document", "text": 5000, "uses": {"read"}}, "unstructured_db", "form"),
    "document with personal data": (
        {"shape": "document", "text": 5000, "uses": {"search"}, "sensitivity": "personal"},
        "unstructured_db",
        "not indexed",
    ),
    "document without text": (
        {"shape": "document", "text": 0, "uses": {"search"}},
        "unstructured_db",
        "form",
    ),
    "short document": (
        {"shape": "document", "text": 20, "uses": {"search"}},
        "unstructured_db",
        "not indexed",
    ),
    "document kept for years": (
        {"shape": "document", "text": 5000, "uses": {"search"}, "retention_days": 3650},
        "hybrid",
        "form",
    ),
    "picture": ({"shape": "binary", "uses": {"read"}}, "unstructured_db", "binary"),
    "picture to be searched": (
        {"shape": "binary", "text": 900, "uses": {"search"}},
        "unstructured_db",
        "binary",
    ),
    "nested data": ({"shape": "nested", "uses": {"query"}}, "unstructured_db", "nested"),
    "nested data to be searched": ({"shape": "nested", "text": 900, "uses": {"search"}}, "hybrid", "nested"),
    "nothing said about its use": ({"shape": "text", "text": 900}, "unstructured_db", "Nothing else"),
}


def facts(**given: Any) -> Facts:
    return Facts(**{"data_type": "x", "size": 10, **given, "uses": frozenset(given.get("uses", ()))})


@pytest.mark.parametrize("name", CASES)
def test_decision_is_as_documented(name: str):
    given, wanted, _ = CASES[name]
    assert decide(facts(**given), RULES).choice == wanted


@pytest.mark.parametrize("name", CASES)
def test_reasoning_names_the_deciding_fact_and_the_alternative(name: str):
    given, _, word = CASES[name]
    decision = decide(facts(**given), RULES)
    said = decision.reasoning("en")
    assert any(each in said for each in word.split("|"))
    assert all(reason.otherwise.say("en", **reason.values) in said for reason in decision.reasons)
    assert any("가" <= letter <= "힣" for letter in decision.reasoning("ko"))


def test_there_are_forty_cases():
    assert len(CASES) >= 40


def test_every_combination_has_one_answer():
    shapes = ("table", "record", "text", "document", "binary", "nested")
    levels = ("public", "internal", "personal", "confidential")
    uses = [
        frozenset(u)
        for n in range(3)
        for u in itertools.combinations(("query", "search", "read", "archive"), n)
    ]
    for shape, level, use, text, target in itertools.product(shapes, levels, uses, (0, 50, 500), (None, "t")):
        decision = decide(facts(shape=shape, sensitivity=level, uses=use, text=text, target=target), RULES)
        assert decision.parts
        assert ("texts" in decision.parts) <= (level in RULES.indexed)
        assert ("rows" in decision.parts) <= (target is not None)
        assert (decision.choice == "hybrid") == (len(decision.parts) > 1)


def test_domain_changes_the_decision():
    secret = facts(shape="text", text=5000, uses={"search"}, sensitivity="confidential")
    assert decide(secret, Rules(indexed=["public", "internal", "confidential"])).choice == "vector_db"
    many = facts(shape="table", rows=11, target="t")
    assert decide(many, Rules(most_rows=10)).choice == "unstructured_db"
