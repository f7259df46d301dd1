"""100,000 expenses by all rules beside bare CEL, what each rule costs, and one document: `python -m benchmarks.compliance`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import date
from itertools import cycle, islice
from pathlib import Path

import yaml

from metaagent.demo.rows import PROFILES, company
from metaagent.level2.compliance.expressions import Undecided, compiled
from metaagent.level2.compliance.facts import Expense, joined, readings
from metaagent.level2.compliance.judging import Subject, judge
from metaagent.level2.compliance.packs import RuleBook, load_rules, read_files
from metaagent.level2.compliance.rows import expense_of

NOW = date(2026, 11, 16)
EXPENSES = 100_000
LIMIT_SECONDS, LIMIT_DOCUMENT_MS = 20.0, 100.0
RULES = Path(__file__).parents[1] / "configs/domains/pharma/rules"
NOTES = Path(__file__).parents[1] / "evals/compliance_notes.yaml"
PARAGRAPH = (
    "2026년 3월 4일 한결내과의원 의사 3명에게 1인당 9만원(부가세 별도)의 식사를 제공했다. 리베이트를 제공한 사실은 없다.\n"
    "카르비온정의 임상 자료를 설명하고 질의에 답했으며 규정을 준수하였다.\n\n"
)


def cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def book_of_expenses() -> list[Expense]:
    """The company's expenses again and again, each time as those of other doctors, reps and institutions."""
    made = company(PROFILES[0], seed=7, now=NOW)
    public = {row["hospital_id"]: row["is_public"] for row in made.tables["hospitals"]}
    rows = [
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
        for number, row in enumerate(made.tables["expenses"], 1)
    ]
    return [
        replace(
            one,
            ids=(f"{at}",),
            institution=f"{one.institution}/{at // len(rows)}",
            rep=f"{one.rep}/{at // len(rows)}",
        )
        for at, one in enumerate(islice(cycle(rows), EXPENSES))
    ]


def bare_cel(expenses: list[Expense]) -> float:
    """One condition on each expense, with the values made beforehand: the least that CEL itself takes."""
    condition = compiled("net_per_head <= limit.presentation_meal")
    values = [readings(one, {"presentation_meal": 100_000}, NOW)[0] for one in expenses]

    def work() -> None:
        for one in values:
            with suppress(Undecided):
                condition.holds(one)

    return cpu(work)


def documents() -> Iterator[tuple[str, str]]:
    """One paragraph again and again, and notes of which no two are alike, short and long."""
    notes = yaml.safe_load(NOTES.read_text(encoding="utf-8"))["judgements"]
    varied = "\n\n".join(case["text"] for case in notes if case["must"] == "clear")
    for pages in (1, 10):
        again = PARAGRAPH * 12 * pages
        yield "document", again
        yield "document without repetition", varied[: len(again)]


def main() -> None:
    rules = load_rules(read_files(RULES))
    expenses = book_of_expenses()
    subject = Subject("data", expenses=expenses)
    whole = cpu(lambda: judge(rules, subject, NOW))
    bare = bare_cel(expenses)
    verdict = "within" if whole <= LIMIT_SECONDS else "ABOVE"
    print(
        f"{EXPENSES:,} expenses x {len(rules.rules)} rules: {whole:.2f} s CPU, {verdict} {LIMIT_SECONDS:.0f} s"
    )
    print(f"bare CEL, one condition each: {bare:.2f} s CPU ({EXPENSES / bare:,.0f} evaluations/s)")
    print(f"joining bills: {cpu(lambda: joined(expenses)):.2f} s CPU")
    costs: list[tuple[float, str, str]] = []
    nothing = cpu(lambda: judge(RuleBook((), (), {}), subject, NOW))
    for rule in rules.rules:
        if "data" in rule.rule.applies_to.targets:
            alone = RuleBook(rules.packs, (rule,), rules.hashes)
            seconds = cpu(lambda alone=alone: judge(alone, subject, NOW)) - nothing
            costs.append((max(seconds, 0.0), rule.rule.id, rule.rule.kind))
    for seconds, name, kind in sorted(costs, reverse=True):
        print(f"  {name:<28} {kind:<10} {seconds * 1e6 / EXPENSES:8.2f} µs an expense")
    for name, text in documents():
        document = Subject("document", text=text)
        first, *again = (cpu(lambda document=document: judge(rules, document, NOW)) for _ in range(6))
        print(
            f"{name} of {len(text):,} characters: {min(again) * 1e3:.1f} ms (at most {LIMIT_DOCUMENT_MS:.0f} for one), "
            f"{first * 1e3:.1f} for the first time"
        )


if __name__ == "__main__":
    main()
