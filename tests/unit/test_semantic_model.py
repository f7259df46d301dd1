from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
import yaml

from metaagent.data.semantic.compiling.arithmetic import BadArithmeticError, parse, references
from metaagent.data.semantic.loader import Problem, load, loads
from metaagent.data.semantic.schema import json_schema
from metaagent.errors import SemanticInvalid
from tests.support.paths import ROOT
from tests.support.semantic_support import pharma

if TYPE_CHECKING:
    from pathlib import Path

FILE = ROOT / "configs/domains/pharma/semantic.yaml"
TEXT = FILE.read_text(encoding="utf-8")


def problems(text: str) -> list[Problem]:
    with pytest.raises(SemanticInvalid) as caught:
        loads(text, file="semantic.yaml")
    return caught.value.params["problems"]


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


MISTAKES = {
    "a wrong key names the nearest": ("    synonyms:\n", "    synonims:\n", "synonims", "did you mean 'synonyms'"),
    "a wrong type lists the right ones": ("type: average\n", "type: avg\n", "type: avg", "'average'"),
    "an unknown column": ("column: sales.quantity", "column: sales.quantty", "column: sales.quantty", "'quantity'"),
    "an unknown table": ("table: visits", "table: vists", "table: vists", "'visits'"),
    "an unknown parent": ("parent: region", "parent: regoin", "parent: regoin", "'region'"),
    "an unknown metric": ("numerator: sales_amount", "numerator: sales_amont", "sales_amont", "'sales_amount'"),
    "a sum of text": ("column: visits.duration_min", "column: visits.purpose", "column: visits.purpose", "needs numbers"),
    "a hidden column": ("column: hospitals.tier", "column: hospitals.company_id", "column: hospitals.company_id", "hidden"),
    "not YAML": ("version: 1", "version: [", "label: {ko: 제약", "not YAML"),
    "a key twice": ("name: pharma\n", "name: pharma\nname: other\n", "name: other", "twice"),
}  # fmt: skip


@pytest.mark.parametrize("name", list(MISTAKES))
def test_mistake_is_reported_with_its_line_and_a_remedy(name: str):
    right, wrong, place, said = MISTAKES[name]
    assert right in TEXT
    text = TEXT.replace(right, wrong, 1)
    found = problems(text)
    assert any(said in one.say("en") for one in found), [one.say() for one in found]
    if name != "a key twice":
        assert line_of(text, place) in [one.line for one in found]
    assert all(one.say("en").startswith("semantic.yaml") and one.say("ko") for one in found)


def test_all_mistakes_are_reported_at_once():
    text = TEXT.replace("column: sales.quantity", "column: sales.x").replace("parent: region", "parent: y")
    assert len(problems(text)) == 2


def test_a_table_without_its_tenant_is_refused_unless_it_says_so():
    lines = TEXT.replace(
        "      company_id: {type: string, hidden: true}\n      name: string\n      category",
        "      name: string\n      category",
    )
    assert "tenant" in problems(lines)[0].say()
    assert (
        loads(lines.replace("  products:\n", "  products:\n    tenant: false\n", 1)).tenant_of("products")
        is None
    )


@pytest.mark.parametrize(
    "text", ["", "[]", "1", "a: {b: c", "version: 1", "\x00", "? [a]\n: b", "a: &a [*a]"]
)
def test_anything_else_is_one_typed_error(text: str):
    with pytest.raises(SemanticInvalid):
        loads(text)


def test_aliases_of_aliases_do_not_explode():
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n"
    for here, before in zip("bcdefghij", "abcdefghi", strict=True):
        bomb += f"{here}: &{here} [{', '.join(['*' + before] * 9)}]\n"
    with pytest.raises(SemanticInvalid):
        loads(bomb)


def test_an_unreadable_file_is_one_typed_error(tmp_path: Path):
    with pytest.raises(SemanticInvalid, match="cannot be read"):
        load(tmp_path / "none.yaml")
    (tmp_path / "b.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SemanticInvalid, match="cannot be read"):
        load(tmp_path / "b.yaml")


def test_the_schema_for_editors_is_the_models():
    assert (ROOT / "configs/semantic.schema.json").read_text(encoding="utf-8") == json_schema(), (
        "run: python -m metaagent.data.semantic.schema > configs/semantic.schema.json"
    )


def test_the_pharma_model_fits_the_schema_for_editors():
    schema: Any = yaml.safe_load(json_schema())
    validator = jsonschema.Draft202012Validator(schema)
    assert list(validator.iter_errors(yaml.safe_load(TEXT))) == []
    assert list(validator.iter_errors({"version": 1, "name": "x", "tables": {}, "metrics": {}, "metrcs": 1}))


def test_the_digest_changes_with_the_model():
    assert pharma().digest == pharma().digest
    assert loads(TEXT.replace("ko: 매출액", "ko: 총매출", 1)).digest != pharma().digest


def test_every_dimension_and_metric_speaks_both_languages():
    model = pharma()
    for thing in (*model.metrics.values(), *model.dimensions.values()):
        assert thing.label.ko
        assert thing.label.en
        assert thing.synonyms.ko
        assert thing.synonyms.en


def test_no_two_metrics_share_a_word():
    seen: dict[str, str] = {}
    for name, metric in pharma().metrics.items():
        for word in {
            metric.label.ko,
            metric.label.en.lower(),
            *metric.synonyms.ko,
            *map(str.lower, metric.synonyms.en),
        }:
            assert seen.setdefault(word, name) == name, word


@pytest.mark.parametrize(
    "text",
    ["", "a", "a.b +", "(a.b", "a.b c.d", "sum(a.b)", "a.b; DROP", "a.b || c.d", "(" * 50 + "a.b" + ")" * 50],
)
def test_only_arithmetic_is_arithmetic(text: str):
    with pytest.raises(BadArithmeticError):
        parse(text)


def test_arithmetic_finds_its_columns():
    term = parse("(a.b + 2) * c.d / e.f - 1.5")
    assert [(ref.table, ref.column) for ref in references(term)] == [("a", "b"), ("c", "d"), ("e", "f")]


SMALL = """
version: 1
name: small
tables:
  a: {key: [id], columns: {id: integer, b_id: integer, x: integer, day: date}}
  b: {key: [id], columns: {id: integer, name: string, code: string}}
joins: [{from: a.b_id, to: b.id}]
metrics:
  total: {type: sum, column: a.x, time: a.day, label: total}
  share: {type: ratio, numerator: total, denominator: total, label: share}
dimensions:
  thing: {column: b.name, key: b.id, label: thing}
row_rules: [{roles: [r], dimension: thing, by_key: true, attribute: thing_id}]
"""

WRONG = {
    "a key that is no column": ("a: {key: [id]", "a: {key: [idd]", "'id'"),
    "a join of unequal sides": ("to: b.id}", "to: [b.id, b.code]}", "same number"),
    "a join over two tables": ("from: a.b_id", "from: [a.b_id, b.id]", "one table"),
    "a reference without a table": ("column: a.x", "column: x", "not table.column"),
    "arithmetic without a column": ("column: a.x", "column: '2'", "no column"),
    "arithmetic that is none": ("column: a.x", "column: a.x ^ 2", "a.x * a.x|lines.price"),
    "a sum of nothing": ("column: a.x, ", "", "needs 'column'"),
    "a ratio of a ratio": ("denominator: total", "denominator: share", "ratio itself"),
    "a metric called like time": ("  total: {type", "  month: {type", "is taken"),
    "a dimension called like time": ("  thing: {column", "  month: {column", "is taken"),
    "a default that is not there": ("name: small", "name: small\ndefault_metric: totl", "'total'"),
    "a key and another source": (
        "label: thing}",
        "label: thing, also: [{column: a.b_id}]}",
        "one source only",
    ),
    "a way through nowhere": ("label: thing}", "label: thing, via: {a: c}}", "no table 'c'"),
    "a circle of parents": ("label: thing}", "label: thing, parent: thing}", "circle"),
    "a rule on nothing": ("dimension: thing", "dimension: thng", "'thing'"),
    "a rule by a key that is not there": ("key: b.id, ", "", "has no key"),
    "a rule without values": (", attribute: thing_id", "", "either values or an attribute"),
    "a rule that exempts nothing": (
        "attribute: thing_id",
        "attribute: thing_id, exempt: [c]",
        "no table 'c'",
    ),
    "a missing key": ("type: sum, ", "", "'type' is missing"),
}


def test_the_small_model_is_sound():
    assert loads(SMALL).metrics


@pytest.mark.parametrize("name", list(WRONG))
def test_inconsistent_model_is_refused(name: str):
    right, wrong, said = WRONG[name]
    assert right in SMALL
    found = problems(SMALL.replace(right, wrong, 1))
    assert any(re.search(said, one.say("en")) for one in found), [one.say() for one in found]
    assert all(one.say("ko") for one in found)
