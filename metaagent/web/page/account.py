"""The record of one conversation, turn by turn, as a reviewer reads it: agents, plans and rules in words,
fingerprints short, the bare entry one click away."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from metaagent.audit.event_words import event_said
from metaagent.audit.trail import HASHED
from metaagent.ports import Json
from metaagent.registry import Registry
from metaagent.web.page.views import titled_rule
from metaagent.web.page.words import Words

ALIAS = "u-"
"""The beginning of aliases of people."""
SHORT = 12
"""Signs of a fingerprint that are shown; the entry has all of them."""
_STATUS = 4
"""The place at which a judged rule says what came of it: `pack version hash rule status …`."""
NO_TITLES: Mapping[str, str] = MappingProxyType({})
DECIDED = (
    "plan.approved",
    "plan.rejected",
    "plan.outdated",
    "gate.overridden",
    "gate.kept_closed",
    "effect.approved",
    "effect.rejected",
)


@dataclass(frozen=True)
class Line:
    """One entry: its number, time, what happened, how it ended, and what belongs to it."""

    seq: int
    at: str
    said: str
    outcome: str
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Part:
    """The entries of one turn, or of what happened beside turns."""

    title: str
    about: str
    lines: tuple[Line, ...]


def account_of(
    entries: Sequence[Json],
    words: Words,
    registry: Registry,
    clock: Callable[[str], str],
    titles: Mapping[str, str] = NO_TITLES,
) -> list[Part]:
    """Parts in the order in which they happened. `clock` says a time of the trail as clocks here show it, `titles` are those
    of rules by `pack/rule` and of packs."""
    turns: dict[object, list[Json]] = {}
    for entry in entries:
        turns.setdefault(entry["turn"], []).append(entry)
    return [_part(turn, found, words, registry, clock, titles) for turn, found in turns.items()]


def _part(
    turn: object,
    entries: Sequence[Json],
    words: Words,
    registry: Registry,
    clock: Callable[[str], str],
    titles: Mapping[str, str],
) -> Part:
    first = entries[0]
    told = _private(first)
    asked = (
        words("account_asked", question=told["question"]) if told.get("question") else words("account_sealed")
    )
    person = str(told.get("by") or person_said(first["actor"], words))
    title = asked if turn else words("account_beside")
    about = words("asked_by", person=person, since=clock(first["ts"])) if turn else clock(first["ts"])
    return Part(title, about, tuple(line_of(each, words, registry, clock, titles) for each in entries))


def line_of(
    entry: Json,
    words: Words,
    registry: Registry,
    clock: Callable[[str], str],
    titles: Mapping[str, str] = NO_TITLES,
) -> Line:
    """One entry in words."""
    return Line(
        int(entry["seq"]),
        clock(entry["ts"]),
        event_said(str(entry["event"]), words.language),
        str(entry.get("outcome") or ""),
        tuple(_facts(entry, words, registry, titles)),
    )


def _private(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """The sealed part of an entry, where it was opened."""
    found = entry.get("pii")
    return found if isinstance(found, Mapping) else {}  # pyright: ignore[reportUnknownVariableType]


def _facts(
    entry: Mapping[str, Any], words: Words, registry: Registry, titles: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    data: Mapping[str, Any] = {**entry["data"], **_private(entry)}
    agent, wanted = str(entry.get("agent") or ""), "plan" if data.get("steps") else "account_wanted"
    version = " · ".join(str(each)[:SHORT] for each in (data.get("version"), data.get("hash")) if each)
    of = "account_plan_version" if data.get("hash") else "account_version"
    attempts = data.get("attempts") or 1
    decided = str(entry["event"]).startswith(DECIDED)
    told = {
        "review_agent": agent_said(agent, registry, words.language),
        wanted: _agents(data, registry, words.language),
        "account_by": str(data.get("by") or person_said(entry["actor"], words)) if decided else "",
        "reason_given": str(data.get("reason") or ""),
        "account_error": str(data.get("error") or ""),
        of: version if data.get("version") else "",
        "account_attempts": str(attempts) if attempts != 1 else "",
        "account_sql": _short(data.get("sql")),
        "account_verdict": _short(data.get("verdict")),
        "account_answer": _short(data.get("answer_hash")),
        "why_rules": _rules(data.get("rules") or (), words, titles),
    }
    yield from ((words(label), said) for label, said in told.items() if said)


def _agents(data: Mapping[str, Any], registry: Registry, language: str) -> str:
    steps = data.get("steps")
    if isinstance(steps, Mapping):
        pairs: Mapping[str, object] = steps  # pyright: ignore[reportUnknownVariableType]
        return " → ".join(agent_said(str(agent), registry, language) for agent in pairs.values())
    return ", ".join(agent_said(str(each), registry, language) for each in data.get("capabilities") or ())


def agent_said(name: str, registry: Registry, language: str) -> str:
    """An agent by what it does, or by its name where it is gone."""
    spec = registry.agents.get(name)
    said = spec.description.say(language) if spec is not None else ""
    return said or Words(language).either(f"does_{name}", name.replace("_", " "))


def person_said(actor: object, words: Words) -> str:
    """Somebody whose name is sealed, by the beginning of the alias; what is no person by its name."""
    name = str(actor)
    return words("person_sealed", code=name[len(ALIAS) :][:6]) if name.startswith(ALIAS) else name


def _short(value: object) -> str:
    if isinstance(value, str):
        return value[:SHORT]
    if isinstance(value, list):
        return ", ".join(str(each)[:SHORT] for each in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return ""


def _rules(rules: Sequence[Any], words: Words, titles: Mapping[str, str]) -> str:
    """The rules that found something, with pack and version; the others are counted."""
    told = [str(each) for each in rules]
    if told and all(each.startswith(HASHED) for each in told):
        return words("account_rules_sealed", count=len(told))
    parts = [each.split() for each in told]
    if any(
        len(each) <= _STATUS for each in parts
    ):  # only which rules were applied: the judgement has an entry of its own
        return words("account_rules_applied", count=len(told)) if told else ""
    found = [each for each in parts if each[_STATUS] != "passed"]
    said = [
        f"{titled_rule({'pack': each[0], 'pack_version': each[1], 'rule': each[3]}, titles)}: "
        f"{words.either(f'outcome_{each[_STATUS]}', each[_STATUS])}"
        for each in found
    ]
    rest = len(told) - len(found)
    return "; ".join([*said, *([words("account_rules_more", count=rest)] if rest else [])])
