"""Decisions on plans: when a person must approve one, and how their edits change it. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast
from unicodedata import normalize

from metaagent.config import Approval
from metaagent.global_state import PlanningState, PlanStep
from metaagent.plugin import RISKS, AgentSpec
from metaagent.values import mapping, rows, sequence, text

YES = frozenset({"approve", "approved", "yes", "y", "ok", "true", "승인", "승인해", "네", "예", "응", "좋아"})
NO = frozenset({"reject", "rejected", "no", "n", "false", "거절", "거부", "아니", "아니요", "아니오"})


KOREAN = {
    "결정": "decision",
    "이유": "reason",
    "사유": "reason",
    "제외": "drop",
    "매개변수": "params",
    "순서": "order",
    "보기": "show",
}
EDITS = ("drop", "params", "order", "show")
WORDS = {
    "drop": "drop",
    "빼기": "drop",
    "set": "params",
    "변경": "params",
    "order": "order",
    "순서": "order",
    "show": "show",
    "보기": "show",
}
"""First words of an edit in text: `drop s3`, `set s1.limit=5`, `order s2 s1`, `show s4`; several are parted by a semicolon."""


@dataclass(frozen=True)
class Decision:
    """The person's decision: approve (perhaps with edits), reject, or nothing usable."""

    verdict: str
    reason: str = ""
    edits: Mapping[str, Any] | None = None
    by: str = ""
    """The person who decided: set by the one who let them in, whatever an answer claims."""
    unread: tuple[str, ...] = ()
    """Parts that could not be read: then nothing is approved, or something else would run than was meant."""


def reasons_to_ask(
    plan: PlanningState, agents: Mapping[str, AgentSpec], rules: Approval, roles: tuple[str, ...]
) -> list[str]:
    """Every rule that wants a person to approve; none means the plan runs at once."""
    steps = plan.get("execution_plan") or []
    if not steps or rules.mode == "never":
        return []
    if rules.mode == "always":
        return ["always"]
    own = [agents[name] for step in steps for name in step.get("agents", ()) if name in agents]
    instead = [fallback.get("replace_with", "") for fallback in plan.get("fallback_plans") or ()]
    used = [*own, *(agents[name] for name in instead if name in agents)]
    found = [f"side_effects:{spec.name}" for spec in used if spec.side_effects and rules.side_effects]
    found += [f"agent:{spec.name}" for spec in used if spec.name in rules.agents]
    found += [f"risk:{spec.name}" for spec in used if RISKS.index(spec.risk) >= RISKS.index(rules.risk_from)]
    cost = sum(spec.cost for spec in own)
    if rules.cost_above is not None and cost > rules.cost_above:
        found.append(f"cost:{cost:g}")
    found += [f"role:{role}" for role in roles if role in rules.roles]
    return list(dict.fromkeys(found))


def decision_of(answer: Any) -> Decision:
    """An answer as a word, perhaps with a reason (`approve: as agreed`), true or false, or `{decision, reason, drop,
    params, order, show, by}`, the names in English or Korean."""
    given_as = mapping(cast("object", answer)) if isinstance(answer, Mapping) else {"decision": answer}
    said = {KOREAN.get(_composed(key), key): value for key, value in given_as.items()}
    worded = worded_edits(_composed(text(said.get("decision"))))
    said = {**said, "decision": "approve", **worded} if worded else said
    given = {key: said[key] for key in EDITS if said.get(key)}
    edits = {key: _read_edit(key, value) for key, value in given.items()}
    unread = [key for key in said if key not in {"decision", "reason", "by", *EDITS}]
    unread += [key for key, value in edits.items() if value is None]
    verdict, reason = _verdict(said.get("decision", "approve" if edits else ""))
    if unread and verdict == "approved":
        verdict = "unclear"
    why = text(said.get("reason")) or reason
    return Decision(verdict, why, edits or None, text(said.get("by")), tuple(sorted(unread)))


def _composed(word: str) -> str:
    """Hangul as one character a syllable: some keyboards and files part it into its letters."""
    return normalize("NFC", word)


def _read_edit(key: str, value: object) -> Any:
    """Steps by name, or parameters by step; None for anything else."""
    if key == "params":
        by_step = mapping(value)
        return by_step if by_step and all(isinstance(each, Mapping) for each in by_step.values()) else None
    names = [value] if isinstance(value, str) else sequence(value)
    return names if names and all(isinstance(name, str) for name in names) else None


def _verdict(answer: Any) -> tuple[str, str]:
    """Split the reason from the word, at a colon alone: `yes, but not the second step` is no approval."""
    word, _, reason = _composed(str(answer)).strip().replace("：", ":").partition(":")
    said = word.strip().casefold()
    verdict = "approved" if said in YES else "rejected" if said in NO else "unclear"
    return verdict, reason.strip()


def worded_edits(said: str) -> dict[str, Any]:
    """Read edits such as `drop s3; set s1.limit=5`; none if any part of it is not understood."""
    found: dict[str, Any] = {}
    for part in said.split(";"):
        first, _, rest = part.strip().partition(" ")
        kind = WORDS.get(first.casefold())
        if kind is None or not rest.strip():
            return {}
        if kind != "params":
            found.setdefault(kind, []).extend(rest.replace(",", " ").split())
            continue
        name, given, value = rest.partition("=")
        step, dot, param = name.strip().partition(".")
        if not (given and dot and param):
            return {}
        found.setdefault(kind, {}).setdefault(step, {})[param] = _value(value.strip())
    return found


def _value(said: str) -> Any:
    """A number, true, a list or whatever else is JSON; else the words themselves."""
    try:
        return json.loads(said)
    except ValueError:
        return said


def edited(plan: PlanningState, edits: Mapping[str, Any]) -> PlanningState:
    """The plan with steps dropped, parameters changed, the order changed or steps to be shown first: a new version, to be
    validated like any."""
    before = rows(plan.get("execution_plan"))
    dropped = frozenset(sequence(edits.get("drop")))
    params = mapping(edits.get("params"))
    left = [_edited_step(step, dropped, params) for step in before if step.get("step_id") not in dropped]
    for step in left:
        if step.get("step_id") in sequence(edits.get("show")):
            step["shown_first"] = True
    names = [text(step.get("step_id")) for step in left]
    known = [text(name) for name in sequence(plan.get("priority_order"))]
    asked = sequence(edits.get("order"))
    order = [name for name in dict.fromkeys([*asked, *known]) if name in names]
    if asked:
        # In the order in which they are to go: so the hash holds it, and the person is shown it.
        left.sort(key=lambda step: order.index(step["step_id"]) if step["step_id"] in order else len(order))
    gone = [step for step in before if step.get("step_id") in dropped]
    return {
        **plan,
        "execution_plan": cast("list[PlanStep]", left),
        "priority_order": order,
        "fallback_plans": [f for f in plan.get("fallback_plans") or [] if f.get("for_step") in names],
        "plan_version": plan.get("plan_version", 1) + 1,
        "unmet": [*(plan.get("unmet") or ()), *not_approved(gone)],
    }


def not_approved(steps: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{"capability": text(step.get("capability")), "reason": "rejected"} for step in steps]


def _edited_step(
    step: Mapping[str, Any], dropped: frozenset[str], params: Mapping[str, Any]
) -> dict[str, Any]:
    inputs = rows(step.get("inputs"))
    return {
        **step,
        "params": {**mapping(step.get("params")), **mapping(params.get(text(step.get("step_id"))))},
        "dependencies": [name for name in sequence(step.get("dependencies")) if name not in dropped],
        "inputs": [source for source in inputs if source.get("from_step") not in dropped],
    }


def unknown_steps(plan: PlanningState, edits: Mapping[str, Any]) -> list[str]:
    """Steps that the edits name and the plan does not have."""
    known = {text(step.get("step_id")) for step in rows(plan.get("execution_plan"))}
    listed = [name for key in ("drop", "order", "show") for name in sequence(edits.get(key))]
    named = [*listed, *mapping(edits.get("params"))]
    return sorted({text(name) for name in named} - known)
