"""Generated requests for several agents: parts that make, check, store, change or decline something, one wording for each part,
and the capabilities that the request must need. `tests/unit/test_compound_generated.py` asks some of them.

The meaning is drawn first and decides what is wanted; the wording never does. A request that is asked back, or of which a part
is said not to be done, is `said`; one that needs something else without a word is `wrong`, and one with an effect that nobody
ordered is `unwanted`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from metaagent.yaml_lines import parse

Json = dict[str, Any]
FILE = Path(__file__).parent / "compound_wordings.yaml"
DATA, WRITE, CHECK, STORE, SEARCH = (
    "data_analysis",
    "document_generation",
    "compliance_validation",
    "storage_decision",
    "information_retrieval",
)
EFFECTS = frozenset({WRITE, STORE})
NEEDS: dict[str, frozenset[str]] = {
    "figures": frozenset({DATA}),
    "expenses": frozenset({DATA}),
    "reports": frozenset({DATA, WRITE}),
    "rules": frozenset({SEARCH}),
    "checks": frozenset({CHECK}),
    "expense_checks": frozenset({CHECK}),
    "stores": frozenset({STORE}),
    "clean_stores": frozenset({CHECK, STORE}),
    "changes": frozenset({WRITE}),
    "no_stores": frozenset(),
    "no_checks": frozenset(),
    "no_reports": frozenset(),
}
"""Capabilities that each part needs; what is declined needs none."""
SHAPES: tuple[tuple[str, ...], ...] = (
    ("figures", "no_stores"), ("figures", "no_reports"), ("figures", "rules"), ("rules", "figures"), ("figures", "stores"),
    ("expenses", "expense_checks"), ("expenses", "expense_checks", "no_stores"), ("rules", "expenses"), ("rules", "reports"),
    ("reports", "stores"), ("reports", "no_stores"), ("reports", "checks"), ("reports", "checks", "stores"),
    ("reports", "checks", "no_stores"), ("reports", "clean_stores"), ("reports", "no_checks"), ("reports", "no_checks", "stores"),
    ("rules", "reports", "no_stores"),
)  # fmt: skip
FOLLOWING: tuple[tuple[str, ...], ...] = (
    ("checks",), ("stores",), ("clean_stores",), ("no_stores", "checks"), ("checks", "stores"), ("checks", "no_stores"),
    ("changes",), ("changes", "stores"), ("changes", "no_stores"), ("changes", "checks"), ("no_stores",),
)  # fmt: skip
"""Requests behind one that wrote a report."""


class Request(NamedTuple):
    """A request, the one before it, and what it needs."""

    said: str
    before: str
    shape: tuple[str, ...]
    wanted: frozenset[str]


def requests(seed: int, count: int, language: str, *, held_out: bool) -> Iterator[Request]:
    """Requests of every shape in turn."""
    words = parse(FILE.read_text(encoding="utf-8")).data[language]
    shapes = [*((shape, False) for shape in SHAPES), *((shape, True) for shape in FOLLOWING)]
    for number in range(count):
        shape, follows = shapes[number % len(shapes)]
        draw = random.Random(f"{seed}/{language}/{number}")  # noqa: S311 - requests, no secrets
        first = _worded(words, "reports", draw, held_out=False) if follows else ""
        said = _said(words, shape, draw, held_out=held_out)
        yield Request(said, first, shape, frozenset[str]().union(*(NEEDS[part] for part in shape)))


def _worded(words: Json, part: str, draw: random.Random, *, held_out: bool) -> str:
    text = str(draw.choice(words[part][1::2] if held_out else words[part][::2]))
    return text.format(place=draw.choice(words["places"]), period=draw.choice(words["periods"]))


def _said(words: Json, shape: Sequence[str], draw: random.Random, *, held_out: bool) -> str:
    """The parts one behind the other; a full stop that a part brings along joins it by itself."""
    parts = [_worded(words, part, draw, held_out=held_out) for part in shape]
    said = parts[0]
    for part in parts[1:]:
        join = str(draw.choice(words["joins"]))
        if said.endswith("?"):
            join = " "
        starts = join.endswith(". ") or said.endswith("?")
        said += join + (part[0].upper() + part[1:] if starts else part)
    return said if said.endswith("?") else said + "."


def verdict(request: Request, reading: Json) -> tuple[str, str]:
    """Right, said or wrong, and why."""
    needed = frozenset(reading["required_capabilities"])
    effects = EFFECTS & (needed - request.wanted)
    asked = ", ".join(str(each.get("field")) for each in reading["ambiguities"])
    told = "; ".join([f"asks {asked}" if asked else "", *reading["doubts"], *reading["unread"]])
    why = f"{sorted(needed)} instead of {sorted(request.wanted)} {told}"
    if needed == request.wanted and not asked and not reading["doubts"]:
        return "right", ""
    if effects and not asked:
        return "unwanted", why
    return ("said", why) if asked or reading["doubts"] or reading["unread"] else ("wrong", why)


def judged(
    found: Iterator[Request], ask: Callable[..., Json], capabilities: list[Json]
) -> Iterator[tuple[Request, str, str]]:
    """Each request with its verdict. `ask` reads a text in the context of the demonstration company."""
    made = [{"id": "d-1", "kind": "document", "summary": "분석 보고서 1판을 만들었습니다"}]
    for request in found:
        given: Json = {"capabilities": capabilities}
        if request.before:
            given |= {"previous": ask(request.before, capabilities=capabilities), "artifacts": made}
        yield request, *verdict(request, ask(request.said, **given))
