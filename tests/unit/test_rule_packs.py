"""Rule packs: what the loader takes, and what it refuses with file, line and remedy."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from metaagent.level2.compliance.examples import tried
from metaagent.level2.compliance.expressions import BadExpression, Undecided, compiled
from metaagent.level2.compliance.model import Value
from metaagent.level2.compliance.packs import CompiledRule, RuleBook, RulesInvalid, load_rules, read_files
from tests.support.compliance import PACK, RULES, TODAY, data, files, found, rule_book, verdict
from tests.support.shared_data import public_file

LAWS = public_file("laws_kr")


def refused(text: str, **more: str) -> str:
    with pytest.raises(RulesInvalid) as caught:
        load_rules(files(text, **more))
    return str(caught.value)


def test_every_example_comes_out_as_its_rule_says():
    done = list(tried(rule_book(), TODAY))
    assert [one for one in done if not one.right] == []
    assert len(done) >= 120


def _with_limit(book: RuleBook, name: str, old: Value, new: int) -> RuleBook:
    """The rules that a limit is for, with another value of it on its days."""
    made: list[CompiledRule] = []
    for rule in book.rules:
        if rule.rule.threshold == name:
            limit = rule.pack.thresholds[name]
            values = [one.model_copy(update={"value": new}) if one == old else one for one in limit.values]
            changed = {**rule.pack.thresholds, name: limit.model_copy(update={"values": values})}
            made.append(replace(rule, pack=rule.pack.model_copy(update={"thresholds": changed})))
    return RuleBook(book.packs, tuple(made), book.hashes)


def test_a_limit_that_is_a_little_off_fails_an_example():
    book = rule_book()
    limits = {
        (name, one.value): (name, one)
        for p in book.packs
        for name in p.thresholds
        for one in p.thresholds[name].values
    }
    unnoticed = [
        (name, old.value, new)
        for name, old in limits.values()
        for new in (old.value - max(1, old.value // 100), old.value + max(1, old.value // 100))
        if all(one.right for one in tried(_with_limit(book, name, old, new), TODAY))
    ]
    assert len(limits) >= 10
    assert unnoticed == []


def test_an_example_that_goes_wrong_is_named():
    book = load_rules(files(PACK.replace("amount: 101", "amount: 99")))
    (wrong,) = [one for one in tried(book, TODAY) if not one.right]
    assert (wrong.rule, wrong.must, wrong.was, wrong.file) == ("cheap", "violated", "passed", "small/1.yaml")


def test_each_pack_says_that_counsel_must_confirm_it():
    packs = rule_book().packs
    assert {p.pack for p in packs} == {"medical_law", "rebate_law", "fair_trade", "internal_compliance"}
    assert all("Counsel must confirm" in p.notice.en and "법무" in p.notice.ko for p in packs)
    assert all(p.signed_off.by and p.signed_off.at for p in packs)


@pytest.mark.parametrize(
    ("old", "new", "line", "word"),
    [
        ("amount <= limit.most", "amout <= limit.most", 15, "undeclared reference to 'amout'"),
        ("amount <= limit.most", "amount", 15, "not a truth value"),
        ("amount <= limit.most", "'[1,2].all(x, x > 0)'", 15, "loops"),
        ("amount <= limit.most", "true" + " && true" * 100, 15, "characters"),
        ("threshold: most}", "threshold: least}", 15, "no threshold 'least'"),
        ("제47조의2제1항", "제47조의9", 12, "does not exist"),
        ("제47조의2제1항", "제19조", 12, "does not exist"),
        ("제47조의2제1항", "제99조", 12, "does not exist"),
        ("statute: 약사법", "statute: 없는법", 12, "not in statutes.yaml"),
        ("severity: high", "severity: awful", 14, "severity"),
        ("severity: high", "severity: high\n    surprise: 1", 15, "surprise"),
        ("{value} won", "{price} won", 16, "names 'price'"),
        ("      fail: [{expenses: [{date: 2025-01-01, amount: 101}]}]", "      fail: []", 20, "at least 1 item"),
        ("targets: [data]", "targets: &a [data]", 13, "alias or anchor"),
        ("severity: high", "severity: high\n    severity: low", 15, "stands twice"),
        ("pack: small", "pack: [small", 2, "not YAML"),
        ("value: 100}]", "value: 1}, {from: 2021-01-01, value: 2}]", 8, "same day"),
    ],
)  # fmt: skip
def test_a_broken_pack_is_refused_with_file_line_and_remedy(old: str, new: str, line: int, word: str):
    assert old in PACK
    said = refused(PACK.replace(old, new))
    assert word in said
    assert re.search(rf"small/1.yaml:{line}: ", said), said


def test_a_pack_that_is_too_large_is_refused_unread():
    assert "larger than 1000000 bytes" in refused(PACK + "#" * 1_000_000)


def test_a_rule_without_examples_is_refused():
    assert "examples" in refused(PACK[: PACK.index("    examples:")])


def test_two_versions_in_force_at_once_are_refused():
    newer = PACK.replace('version: "1"', 'version: "2"').replace(
        "from: 2020-01-01}\nsigned", "from: 2024-01-01}\nsigned"
    )
    assert "in force at the same time" in refused(PACK, **{"small/2.yaml": newer})


def test_a_version_that_ended_may_stand_beside_the_next():
    ended = PACK.replace("effective: {from: 2020-01-01}", "effective: {from: 2020-01-01, to: 2023-12-31}")
    newer = (
        PACK.replace('version: "1"', 'version: "2"')
        .replace("effective: {from: 2020-01-01}", "effective: {from: 2024-01-01}")
        .replace("value: 100", "value: 50")
    )
    book = load_rules(files(ended, **{"small/2.yaml": newer}))
    assert found(data({"date": "2023-05-01", "amount": 80}), book) == {}
    assert found(data({"date": "2024-05-01", "amount": 80}), book) == {"cheap": "violated"}


def test_two_packs_may_not_share_a_rule_id():
    assert "taken by" in refused(PACK, **{"other/1.yaml": PACK.replace("pack: small", "pack: other")})


def test_problems_are_said_in_korean_too():
    with pytest.raises(RulesInvalid) as caught:
        load_rules(files(PACK.replace("제47조의2제1항", "제99조")))
    assert "법령에 없습니다" in caught.value.say("ko")


def test_a_phrase_that_matches_everything_is_refused():
    rule = PACK.replace(
        "condition: {require: amount <= limit.most, field: amount, threshold: most}",
        "text: {phrases: ['a*']}",
    )
    assert "matches nothing at all" in refused(rule)
    assert "RE2" in refused(rule.replace("a*", r"(a)\1"))


def test_loaded_rules_stay_while_files_change(tmp_path: Path):
    for name, content in files().items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    before = load_rules(read_files(tmp_path))
    (tmp_path / "small/1.yaml").write_text(PACK.replace("value: 100", "value: 50"), encoding="utf-8")
    after = load_rules(read_files(tmp_path))
    spent = data({"date": "2025-01-01", "amount": 80})
    assert (found(spent, before), found(spent, after)) == ({}, {"cheap": "violated"})
    assert before.hashes != after.hashes


def test_only_true_and_false_decide_a_condition():
    condition = compiled("amount <= limit.most")
    assert condition.holds({"amount": 1, "limit": {"most": 1}}) is True
    for facts in ({"limit": {"most": 1}}, {"amount": 1, "limit": {}}, {"amount": None, "limit": {"most": 1}}):
        with pytest.raises(Undecided):
            condition.holds(facts)
    with pytest.raises(BadExpression):
        compiled("amount +")


def test_a_condition_that_cannot_be_evaluated_is_unknown():
    book = load_rules(files(PACK.replace("amount <= limit.most", "hours <= limit.most")))
    assert found(data({"date": "2025-01-01", "amount": 50}), book) == {"cheap": "unknown"}
    assert verdict(data({"date": "2025-01-01", "amount": 50}), book)["blocks"]


@pytest.mark.skipif(LAWS is None, reason="the published statutes are not at hand")
def test_statutes_agree_with_the_published_texts():
    import yaml

    assert LAWS is not None
    listed = yaml.safe_load((RULES / "statutes.yaml").read_text(encoding="utf-8"))["statutes"]
    checked = 0
    for statute in listed:
        source = LAWS / f"{statute['name'].replace(' ', '')}.md"
        if not source.exists():
            continue
        checked += 1
        main = source.read_text(encoding="utf-8").split("\n## 부칙")[0]
        numbers = [int(n) for n in re.findall(r"^##### 제(\d+)조 ?\(", main, re.MULTILINE)]
        assert max(numbers) == statute["articles"]
        assert {n for n in range(1, max(numbers)) if n not in numbers} == set(statute.get("deleted", ()))
        branches = {n: numbers.count(n) - 1 for n in set(numbers) if numbers.count(n) > 1}
        assert branches == statute.get("branches", {})
    assert checked == 5
