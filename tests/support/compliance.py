"""The rule packs of the repository, small packs of one rule, and judgements of texts and rows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import cache
from typing import Any

from metaagent.demo.rows import Company
from metaagent.global_state import Verdict
from metaagent.level2.compliance.facts import Expense
from metaagent.level2.compliance.judging import Subject, judge
from metaagent.level2.compliance.packs import RuleBook, load_rules, read_files
from metaagent.level2.compliance.rows import expense_of
from metaagent.level2.compliance.verdict import verdict_of
from tests.support.paths import ROOT

RULES = ROOT / "configs/domains/pharma/rules"
TODAY = date(2026, 11, 16)
STATUTES = "statutes: [{name: 약사법, as_of: 2026-01-01, articles: 98, branches: {47: 3}, deleted: [19]}]\n"
PACK = """pack: small
version: "1"
title: {ko: 작은 팩, en: Small}
effective: {from: 2020-01-01}
signed_off: {by: counsel, at: 2026-01-01}
notice: {ko: 확인 필요, en: Counsel must confirm}
thresholds:
  most: {unit: KRW, values: [{from: 2020-01-01, value: 100}]}
rules:
  - id: cheap
    title: {ko: 저렴, en: Cheap}
    law: {statute: 약사법, article: 제47조의2제1항, from: 2020-01-01}
    applies_to: {targets: [data]}
    severity: high
    condition: {require: amount <= limit.most, field: amount, threshold: most}
    message: {ko: "{value}원", en: "{value} won"}
    recommendation: {ko: 줄이세요, en: Spend less}
    examples:
      pass: [{expenses: [{date: 2025-01-01, amount: 100}]}]
      fail: [{expenses: [{date: 2025-01-01, amount: 101}]}]
"""


@cache
def rule_book() -> RuleBook:
    return load_rules(read_files(RULES))


def files(text: str = PACK, **more: str) -> dict[str, str]:
    return {"statutes.yaml": STATUTES, "small/1.yaml": text, **more}


def data(*rows: dict[str, Any], history: Sequence[dict[str, Any]] | None = ()) -> Subject:
    earlier = None if history is None else [expense_of(row, -at) for at, row in enumerate(history, 1)]
    return Subject("data", expenses=[expense_of(row, at) for at, row in enumerate(rows, 1)], history=earlier)


def text(content: str, **more: Any) -> Subject:
    return Subject("document", text=content, **more)


def verdict(
    subject: Subject, book: RuleBook | None = None, *, language: str = "en", waivers: Sequence[Any] = ()
) -> Verdict:
    used = book or rule_book()
    target: Any = {"kind": subject.kind, "artifact_ids": [], "hashes": ["h1"]}
    return verdict_of(
        used, judge(used, subject, TODAY), target, today=TODAY, language=language, waivers=waivers
    )


def found(subject: Subject, book: RuleBook | None = None) -> dict[str, str]:
    """The status of each rule that found something."""
    return {o.rule.rule.id: o.status for o in judge(book or rule_book(), subject, TODAY).outcomes}


def expenses_of(company: Company) -> list[Expense]:
    public = {row["hospital_id"]: row["is_public"] for row in company.tables["hospitals"]}
    return [
        expense_of(
            {
                **row,
                "id": row["expense_id"],
                "note": row["item"],
                "public": public[row["hospital_id"]],
                "occasion": "seminar" if row["seminar_id"] else "visit",
            },
            number,
        )
        for number, row in enumerate(company.tables["expenses"], 1)
    ]
