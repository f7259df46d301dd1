"""Judges facts by rules: pure, values in and values out. What cannot be decided is `unknown`, never passed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from metaagent.global_state import Evidence, FindingStatus
from metaagent.level2.compliance.expressions import Undecided
from metaagent.level2.compliance.facts import Expense, bounds, joined, readings
from metaagent.level2.compliance.model import Key, Rule
from metaagent.level2.compliance.packs import CompiledRule, RuleBook
from metaagent.level2.compliance.text.accounting import Unread, unread
from metaagent.level2.compliance.text.reading import MOST_EXPENSES, read
from metaagent.level2.compliance.text.statements import Match
from metaagent.level2.compliance.text.tables import expenses_in
from metaagent.level2.compliance.text.wording import Sentences, cleaned

MOST_TEXT = 2_000_000
"""Characters of a document that is judged; a longer one is unknown, and has to be judged in parts."""
LONGEST_QUOTE = 160
SHOWN = 5
"""Places of words that a message names; the evidence has all."""
NOT_SAID = "–"
SUSPECTED = "suspected"
"""The reason of a text rule that is undecided: the words may state what it forbids."""


@dataclass(frozen=True)
class Subject:
    """The thing that is judged. `history` holds earlier expenses for counting; None if they could not be read."""

    kind: str
    text: str | None = None
    expenses: Sequence[Expense] = ()
    history: Sequence[Expense] | None = ()
    proposed: bool = False
    """The text asks whether something may be done."""
    unreadable: str = ""
    """The reason why nothing, or not everything, could be read."""
    alone: bool = False
    """There is no expense book: sums over days and months count what is judged here, and nothing else."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of one rule on one thing. `values` fill the rule's message."""

    rule: CompiledRule
    status: FindingStatus
    evidence: list[Evidence] = field(default_factory=list[Evidence])
    values: Mapping[str, Any] = field(default_factory=dict[str, Any])
    why: str = ""


@dataclass(frozen=True)
class Judgement:
    """All that was found; `looked_at` counts the things that each applied rule was held against."""

    outcomes: list[Outcome]
    looked_at: Mapping[str, int]
    from_text: bool
    unreadable: str = ""
    alone: bool = False
    unread: Sequence[Unread] = ()


def judge(book: RuleBook, subject: Subject, today: date) -> Judgement:
    outcomes: list[Outcome] = []
    looked: dict[str, int] = {}
    text = None if subject.text is None else cleaned(subject.text)
    unreadable = subject.unreadable
    if text is not None and (len(text) > MOST_TEXT or not text.strip()):
        unreadable = unreadable or ("too long" if text.strip() else "no text")
        text = None
    sentences = None if text is None else Sentences(text, proposed=subject.proposed)
    listed, prose = expenses_in(text) if text is not None else ([], "")
    told = Sentences(prose, proposed=subject.proposed) if sentences and listed else sentences
    reading = read(told) if told else None
    stated = [*listed, *(reading.expenses if reading else [])]
    if len(stated) > MOST_EXPENSES:
        unreadable = unreadable or "too long"
    expenses = [*subject.expenses, *(_dated(one, today) for one in stated)]
    work = _Work(subject.kind, sentences, joined(expenses), _history(subject, expenses), today)
    for rule in book.rules:
        if (
            subject.kind in rule.rule.applies_to.targets
            and rule.rule.judge is None
            and rule.rule.understood is None
        ):
            count, found = work.apply(rule)
            if count:
                looked[rule.rule.id] = looked.get(rule.rule.id, 0) + count
            outcomes += found
    strange = unread(told, reading) if told and reading and _judges_benefits(book, subject) else []
    own = next((rule for rule in book.rules if _asks_for_understanding(rule, subject, today)), None)
    if own is not None and sentences is not None:
        looked[own.rule.id] = 1
        outcomes += [_not_understood(own, strange)] if strange else []
        strange = []
    return Judgement(
        outcomes, looked, sentences is not None, unreadable, subject.alone and bool(expenses), strange
    )


def _dated(stated: Expense, today: date) -> Expense:
    """An expense of a text with the year that its day was last in: who writes of a day without its year means the last one."""
    if stated.date is not None or not stated.said_day:
        return stated
    month, day = map(int, stated.said_day.split("-"))
    for year in (today.year, today.year - 1):
        try:
            assumed = date(year, month, day)
        except ValueError:
            return stated
        if assumed <= today:
            return replace(stated, date=assumed)
    return stated


def _asks_for_understanding(rule: CompiledRule, subject: Subject, today: date) -> bool:
    wanted = rule.rule.understood is not None and subject.kind in rule.rule.applies_to.targets
    return wanted and rule.in_force(today)


def _not_understood(rule: CompiledRule, places: Sequence[Unread]) -> Outcome:
    return Outcome(rule, "unknown", evidence_of(places), {"quote": quoted(places)})


def quoted(places: Sequence[Unread]) -> str:
    return ", ".join(f"“{place.words[:LONGEST_QUOTE]}”" for place in places[:SHOWN])


def evidence_of(places: Sequence[Unread]) -> list[Evidence]:
    return [
        {"field": "text", "span": [place.start, place.end], "quote": place.words[:LONGEST_QUOTE]}
        for place in places
    ]


def _judges_benefits(book: RuleBook, subject: Subject) -> bool:
    """Say whether a rule goes by what is given: only then does anything unread matter."""
    return any(subject.kind in rule.rule.applies_to.targets and rule.rule.text is None for rule in book.rules)


def _history(subject: Subject, expenses: Sequence[Expense]) -> list[Expense] | None:
    """Earlier bills that are not judged themselves."""
    if subject.history is None:
        return None
    judged = {key for one in expenses for key in one.ids}
    return joined(one for one in subject.history if not judged.intersection(one.ids))


@dataclass
class _Work:
    kind: str
    sentences: Sentences | None
    bills: list[Expense]
    history: list[Expense] | None
    today: date
    seen: dict[int, list[dict[str, Any]]] = field(default_factory=dict[int, list[dict[str, Any]]])
    limits: dict[tuple[int, date], dict[str, int]] = field(
        default_factory=dict[tuple[int, date], dict[str, int]]
    )
    notes: dict[tuple[int, str], list[Match]] = field(default_factory=dict[tuple[int, str], list[Match]])
    by_category: dict[str, list[tuple[int, Expense]]] = field(
        default_factory=dict[str, list[tuple[int, Expense]]]
    )

    def __post_init__(self) -> None:
        for at, bill in enumerate(self.bills):
            self.by_category.setdefault(bill.category or "", []).append((at, bill))

    def apply(self, rule: CompiledRule) -> tuple[int, list[Outcome]]:
        """Count the things that the rule is held against, and list what is wrong or cannot be decided."""
        if rule.rule.text is not None:
            return self._text(rule)
        concerned = list(self._concerned(rule))
        if rule.condition is not None:
            return len(concerned), [o for at, bill in concerned for o in self._condition(rule, at, bill)]
        if rule.rule.required is not None:
            return len(concerned), [o for _, bill in concerned for o in self._required(rule, bill)]
        return len(concerned), list(self._aggregate(rule, [bill for _, bill in concerned]))

    def _concerned(self, rule: CompiledRule) -> Iterator[tuple[int, Expense]]:
        wanted = rule.rule.applies_to
        for category in wanted.categories or self.by_category:
            for at, bill in self.by_category.get(category, ()):
                if (not wanted.occasions or bill.occasion in wanted.occasions) and rule.in_force(
                    self._day(bill)
                ):
                    yield at, bill

    def _day(self, bill: Expense) -> date:
        """The day whose rules hold: its own; what a text leaves undated is judged by the rules of today."""
        return bill.date or self.today

    def _limits(self, rule: CompiledRule, day: date) -> dict[str, int]:
        key = (id(rule.pack), day)
        if key not in self.limits:
            values = {name: threshold.on(day) for name, threshold in rule.pack.thresholds.items()}
            self.limits[key] = {name: value for name, value in values.items() if value is not None}
        return self.limits[key]

    # --- one bill ---------------------------------------------------------------------------------------

    def _condition(self, rule: CompiledRule, at: int, bill: Expense) -> Iterator[Outcome]:
        day = self._day(bill)
        limits = self._limits(rule, day)
        if at not in self.seen:
            self.seen[at] = readings(bill, limits, day)
        said: set[bool | str] = set()
        assert rule.condition is not None
        for reading in self.seen[at]:
            reading["limit"] = limits
            try:
                said.add(rule.condition.holds(reading))
            except Undecided as undecided:
                said.add(str(undecided))
        if said != {True}:
            yield self._undecided(rule, bill, said)

    def _undecided(self, rule: CompiledRule, bill: Expense, said: set[bool | str]) -> Outcome:
        assert rule.rule.condition is not None
        name = rule.rule.condition.field
        values = {reading.get(name) for reading in readings(bill, {}, self._day(bill))}
        known = next(iter(values)) if len(values) == 1 else None
        limit = rule.limit(self._day(bill))
        evidence = _evidence(bill, name, known, limit)
        shown = {"value": known, "limit": limit, "category": bill.category}
        if said == {False}:
            least = min((value for value in values if isinstance(value, int)), default=None)
            value = known if known is not None else least
            evidence["value"] = value
            return Outcome(rule, "violated", [evidence], {**shown, "value": value})
        errors = sorted(text for text in said if isinstance(text, str))
        why = _open(bill) if bill.amount is None or not errors else errors[0]
        return Outcome(rule, "unknown", [evidence], shown, why=why)

    def _required(self, rule: CompiledRule, bill: Expense) -> Iterator[Outcome]:
        assert rule.rule.required is not None
        missing = [name for name in rule.rule.required.fields if bill.value(name) in (None, "", ())]
        if missing:
            evidence = [_evidence(bill, name, None, None) for name in missing]
            yield Outcome(
                rule, "unknown", evidence, {"missing": ", ".join(missing), "category": bill.category}
            )

    # --- text -------------------------------------------------------------------------------------------

    def _text(self, rule: CompiledRule) -> tuple[int, list[Outcome]]:
        if self.sentences is not None:
            if not rule.in_force(self.today):
                return 0, []
            found = self._broken(rule, self.sentences, self.today)
            return 1, [self._stated(rule, self.sentences, match) for match in found]
        outcomes: list[Outcome] = []
        concerned = [bill for _, bill in self._concerned(rule) if bill.note]
        for bill in concerned:
            key = (id(rule), bill.note)
            if key not in self.notes:
                self.notes[key] = self._broken(rule, Sentences(bill.note), self._day(bill))
            for match in self.notes[key][:1]:
                quote = bill.note[match.start : match.end]
                evidence = _evidence(bill, "note", quote, None)
                evidence["span"] = [match.start, match.end]
                values = {"quote": quote, "category": bill.category}
                outcomes.append(Outcome(rule, _status(match), [evidence], values, why=_why(match)))
        return len(concerned), outcomes

    def _broken(self, rule: CompiledRule, sentences: Sentences, day: date) -> list[Match]:
        assert rule.phrases is not None
        least = rule.limit(day)
        return [
            match
            for match in rule.phrases.matches(sentences)
            if least is None or match.number is None or match.number < least
        ]

    def _stated(self, rule: CompiledRule, sentences: Sentences, match: Match) -> Outcome:
        quote = sentences.at(match.start).text.strip()[:LONGEST_QUOTE]
        value = sentences.text[match.start : match.end] if match.number is None else match.number
        limit = rule.limit(self.today)
        evidence: Evidence = {
            "field": "text",
            "span": [match.start, match.end],
            "value": value,
            "quote": quote,
        }
        if limit is not None:
            evidence["threshold"] = limit
        values = {"quote": quote, "value": value, "limit": limit}
        return Outcome(rule, _status(match), [evidence], values, why=_why(match))

    # --- several bills ----------------------------------------------------------------------------------

    def _aggregate(self, rule: CompiledRule, bills: Sequence[Expense]) -> Iterator[Outcome]:
        spec = rule.rule.aggregate
        assert spec is not None
        groups: dict[tuple[str, ...], list[Expense]] = defaultdict(list[Expense])
        for bill in bills:
            keys = list(_groups(bill, spec.by))
            if not keys and self.kind == "data":
                evidence = _evidence(bill, ", ".join(spec.by), None, rule.limit(self._day(bill)))
                yield Outcome(rule, "unknown", [evidence], {"category": bill.category}, why="group")
            for key in keys:
                groups[key].append(bill)
        groups = {
            key: own
            for key, own in groups.items()
            if len(own) > 1 or own[0].times > 1 or not _of_many_unnamed(own[0])
        }
        if groups and self.history is None:
            bill = bills[0]
            yield Outcome(rule, "unknown", [_evidence(bill, "history", None, None)], {}, why="history")
            return
        earlier = self._earlier(rule.rule, set(groups), spec.by)
        clear = True
        in_order: set[tuple[int, ...]] = set()
        for key, own in groups.items():
            bills_of = [*earlier.get(key, ()), *own]
            # A bill that names nobody counts for everybody whom the text names: the same bills are added up once.
            same = tuple(map(id, bills_of))
            if same in in_order:
                continue
            found = list(self._group(rule, key, bills_of))
            if not found:
                in_order.add(same)
            for outcome in found:
                clear = False
                yield outcome
        if clear and not {"month", "year"}.isdisjoint(spec.by):
            yield from self._maybe_together(rule, groups)

    def _maybe_together(
        self, rule: CompiledRule, groups: Mapping[tuple[str, ...], list[Expense]]
    ) -> Iterator[Outcome]:
        """Count what a text leaves undated with the rest of the same people: it may all be of one month."""
        spec = rule.rule.aggregate
        assert spec is not None
        times = [at for at, key in enumerate(spec.by) if key in ("day", "month", "year")]
        whose: dict[tuple[str, ...], list[Expense]] = defaultdict(list[Expense])
        for key, own in groups.items():
            whose[tuple(part for at, part in enumerate(key) if at not in times)] += own
        for key, own in whose.items():
            if len(own) > 1 and any(bill.date is None for bill in own):
                for outcome in self._group(rule, key, own):
                    yield replace(outcome, status="unknown", why="date")

    def _earlier(
        self, rule: Rule, wanted: set[tuple[str, ...]], by: Sequence[Key]
    ) -> dict[tuple[str, ...], list[Expense]]:
        found: dict[tuple[str, ...], list[Expense]] = defaultdict(list)
        concerned = rule.applies_to
        for bill in self.history or ():
            fits = not concerned.categories or bill.category in concerned.categories
            if fits and (not concerned.occasions or bill.occasion in concerned.occasions):
                for key in _groups(bill, by):
                    if key in wanted:
                        found[key].append(bill)
        return found

    def _group(self, rule: CompiledRule, key: tuple[str, ...], bills: list[Expense]) -> Iterator[Outcome]:
        spec = rule.rule.aggregate
        assert spec is not None
        limit = rule.limit(self._day(bills[-1]))
        each = [bounds(bill, spec.measure) for bill in bills]
        count = sum(bill.times for bill in bills)
        known = [one for one in each if one is not None]
        told_year = "year" in spec.by
        so_far = max((bill.so_far or 0 for bill in bills), default=0) if told_year else 0
        before = max((bill.before for bill in bills), default=0) if told_year else 0
        least, most = (
            max(so_far, before + sum(values))
            for values in ([low for low, _ in known], [high for _, high in known])
        )
        if limit is not None and most <= limit and len(known) == len(each):
            return
        evidence: Evidence = {
            "field": f"{spec.measure} by {', '.join(spec.by)}",
            "rows": sorted({row for bill in bills for row in bill.ids}),
            "value": least,
            "threshold": limit,
        }
        told = [bill for bill in bills if bill.span is not None]
        if told and told[-1].span is not None:
            evidence["span"] = list(told[-1].span)
            evidence["quote"] = told[-1].note[:LONGEST_QUOTE]
        values = {"value": least, "limit": limit, "count": count, "group": _shown(key, bills)}
        open_keys = [part for part in key if part == NOT_SAID or part.startswith(f"{NOT_SAID} (")]
        several = bool({"rep", "day"} & set(spec.by)) and bool(open_keys) and len(bills) > 1
        if limit is not None and least > limit and not several:
            yield Outcome(rule, "violated", [evidence], values)
        else:
            missing = dict.fromkeys(name for bill in bills for name in _open(bill).split(", ") if name)
            yield Outcome(rule, "unknown", [evidence], values, why=", ".join(missing) or "amount")


def _groups(bill: Expense, by: Sequence[Key]) -> Iterator[tuple[str, ...]]:
    """The groups that a bill counts in: one for each doctor on it. None where it does not say."""
    fixed: dict[str, str | None] = {
        "institution": bill.institution,
        # A list that names no rep is taken as the list of one.
        "rep": bill.rep or NOT_SAID,
        "day": bill.date.isoformat() if bill.date else bill.said_day or None,
        "month": bill.date.isoformat()[:7] if bill.date else None,
        "year": str(bill.date.year) if bill.date else None,
    }
    # A text that leaves somebody or some day open is counted by itself: one bill alone may pass a limit.
    alone = f"{NOT_SAID} {bill.ids[0]}" if bill.span is not None else None
    if alone is not None:
        fixed = {key: value or alone for key, value in fixed.items()}
    # On one day at one place, people without a name may be the same ones.
    unnamed = alone is not None and ("day" in by or (bill.heads or 1) == 1 or bill.times > 1)
    named = bill.doctors or ((NOT_SAID,) if unnamed else ())
    for doctor in named if "doctor" in by else ("",):
        parts = [f"{doctor} ({bill.institution or '–'})" if key == "doctor" else fixed[key] for key in by]
        if all(part is not None for part in parts):
            yield tuple(str(part) for part in parts)


def _shown(key: Sequence[str], bills: Sequence[Expense]) -> str:
    """The doctor, day and place of a sum as a person reads them: what a text leaves open is left out."""
    said = [part.removesuffix(f" ({NOT_SAID})") for part in key if not part.startswith(NOT_SAID)]
    return " · ".join(said) or bills[0].ids[0]


def _of_many_unnamed(bill: Expense) -> bool:
    """Say whether a text tells only how many shared a bill: alone it says nothing of any one of them."""
    return bill.span is not None and not bill.doctors and (bill.heads or 1) > 1


def _status(match: Match) -> FindingStatus:
    return "unknown" if match.suspected else "violated"


def _why(match: Match) -> str:
    return SUSPECTED if match.suspected else ""


def _evidence(bill: Expense, name: str, value: Any, threshold: Any) -> Evidence:
    made: Evidence = {"field": name, "rows": list(bill.ids), "value": value, "threshold": threshold}
    if bill.span is not None:
        made["span"] = list(bill.span)
        made["quote"] = bill.note[:LONGEST_QUOTE]
    return made


def _open(bill: Expense) -> str:
    """The facts that are not known, where the outcome depends on them."""
    if bill.category == "lecture_fee":
        wanted = ["amount", "hours"]
    else:
        wanted = ["amount", "heads"] if bill.amount is None else ["heads", "public"]
    missing = [name for name in wanted if bill.value(name) is None]
    if (
        bill.amount is not None
        and bill.category != "lecture_fee"
        and bill.vat is None
        and bill.tax_free is None
    ):
        missing.append("vat")
    return ", ".join(missing)
