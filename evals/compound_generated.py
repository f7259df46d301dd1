"""Generated requests for several agents: parts that make, check, store, change or decline something, one wording for each part,
and the capabilities that the request must need. `tests/unit/test_compound_generated.py` asks some of them.

The meaning is drawn first and decides what is wanted; the wording never does. A request that is asked back, or of which a part
is said not to be done, is `said`; one that needs something else without a word is `wrong`, and one with an effect that nobody
ordered is `unwanted`.
"""

from __future__ import annotations

import random
import re
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
    "no_checks_or_stores": frozenset(),
    "trouble_no_stores": frozenset({CHECK}),
    "trouble_told": frozenset({CHECK}),
    "figure_reports": frozenset({DATA, WRITE}),
    "figure_stores": frozenset({DATA, WRITE, STORE}),
    "undo": frozenset(),
}
"""Capabilities that each part needs; what is declined needs none."""
SHAPES: tuple[tuple[str, ...], ...] = (
    ("figures", "no_stores"), ("figures", "no_reports"), ("figures", "rules"), ("rules", "figures"), ("figures", "stores"),
    ("expenses", "expense_checks"), ("expenses", "expense_checks", "no_stores"), ("rules", "expenses"), ("rules", "reports"),
    ("reports", "stores"), ("reports", "no_stores"), ("reports", "checks"), ("reports", "checks", "stores"),
    ("reports", "checks", "no_stores"), ("reports", "clean_stores"), ("reports", "no_checks"), ("reports", "no_checks", "stores"),
    ("rules", "reports", "no_stores"), ("reports", "no_checks_or_stores"), ("reports", "clean_stores", "trouble_no_stores"),
    ("reports", "clean_stores", "trouble_told"), ("figure_reports",), ("figure_stores",), ("figure_reports", "no_stores"),
)  # fmt: skip
FOLLOWING: tuple[tuple[str, ...], ...] = (
    ("checks",), ("stores",), ("clean_stores",), ("no_stores", "checks"), ("checks", "stores"), ("checks", "no_stores"),
    ("changes",), ("changes", "stores"), ("changes", "no_stores"), ("changes", "checks"), ("no_stores",),
    ("clean_stores", "trouble_told"), ("no_checks_or_stores",), ("undo",),
)  # fmt: skip
"""Requests behind one that wrote a report."""


_PAPER = re.compile("보고서|report")
_CHOICE = re.compile(r"\[([^\[\]]*)\]")
"""One of several words in a wording, so that a line stands for many: [a|b|]; one may stand inside of another."""
OPENED = 0.4
"""The share of requests that begin with words about the speaker."""


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
        if draw.random() < OPENED:
            said = f"{_worded(words, 'openings', draw, held_out=held_out)} {said}"
        yield Request(said, first, shape, frozenset[str]().union(*(NEEDS[part] for part in shape)))


def _worded(words: Json, part: str, draw: random.Random, *, held_out: bool, paper: bool = True) -> str:
    lines = [line for line in words[part] if paper or part != "stores" or not _PAPER.search(line)]
    text = str(draw.choice(lines[1::2] if held_out else lines[::2]))
    while choice := _CHOICE.search(text):
        text = text[: choice.start()] + draw.choice(choice[1].split("|")) + text[choice.end() :]
    text = re.sub(r"\s{2,}", " ", text).strip()
    return text.format(place=draw.choice(words["places"]), period=draw.choice(words["periods"]))


def _said(words: Json, shape: Sequence[str], draw: random.Random, *, held_out: bool) -> str:
    """The parts one behind the other; a full stop that a part brings along joins it by itself."""
    paper = shape[0] != "figures"  # whoever stores "the report" of figures wants one
    parts = [_worded(words, part, draw, held_out=held_out, paper=paper) for part in shape]
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
