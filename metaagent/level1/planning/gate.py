"""The gate before a step with side effects: opened by a verdict on exactly what the step is given. Pure.

A step is gated where `compliance.require` names its agent or a kind that it takes, by default where it takes a document, and
where the question asks for a check. A verdict that blocks keeps a step closed in any case, also a verdict of an earlier turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from metaagent.config import Required
from metaagent.global_state import Json
from metaagent.plugin import AgentSpec
from metaagent.ports import ArtifactRef
from metaagent.values import mapping, rows, sequence, text

VERDICT = "verdict"
CHECK = "compliance_validation"
"""The capability that asks for a check, though nobody here may have it."""

BLOCKED = "blocked"
"""The kind of trouble of a step behind a closed gate. Nobody else takes it over."""

UNGATED = "ungated"
"""The problem of a plan, or the reason why a part of it is left out, where a check is missing."""

OFFICER = "compliance_officer"
JUDGED_BY_DEFAULT = frozenset({"document"})
"""Kinds that are judged before they leave where the settings name none and somebody who is installed can judge them."""
IN_ORDER = frozenset({"passed", "waived"})
MOST_FINDINGS = 50

Reason = Literal["violated", "not_judged"]


@dataclass(frozen=True)
class GatePolicy:
    """The rules of one turn on what must be judged."""

    kinds: frozenset[str] = frozenset()
    agents: frozenset[str] = frozenset()
    asked: bool = False
    """The question asks for a check: every step with side effects waits for it."""
    judged: frozenset[str] = frozenset()
    """Kinds that somebody who is installed can judge."""

    def gates(self, spec: AgentSpec, kinds: Collection[str]) -> bool:
        """Say whether this agent, given these kinds, needs a verdict."""
        if spec.name in self.agents:
            return True
        return spec.side_effects and (self.asked or bool(self.kinds & set(kinds)))

    def must_be_judged(self, spec: AgentSpec, kind: str) -> bool:
        """Say whether an input of this kind needs a verdict of its own before the agent starts."""
        if kind == VERDICT or not self.gates(spec, [kind]):
            return False
        return spec.name in self.agents or kind in self.kinds or (self.asked and kind in self.judged)


NOTHING_REQUIRED = GatePolicy()


@dataclass(frozen=True)
class Judged:
    """A verdict as the gate knows it."""

    verdict: str
    """The hash of the verdict's own content."""
    targets: frozenset[str]
    """Hashes of what it is about."""
    artifact_ids: frozenset[str]
    blocks: bool
    findings: tuple[Json, ...] = ()
    """The findings that speak against it."""
    earlier: bool = False
    """Made in an earlier turn: it can keep a gate closed, and opens none."""
    mechanical: bool = False
    """It requires changes that a program can apply."""

    def as_json(self) -> Json:
        return {
            "verdict": self.verdict,
            "targets": sorted(self.targets),
            "artifact_ids": sorted(self.artifact_ids),
            "blocks": self.blocks,
            "findings": list(self.findings),
            "mechanical": self.mechanical,
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Judged:
        return cls(
            text(record.get("verdict")),
            frozenset(map(text, sequence(record.get("targets")))),
            frozenset(map(text, sequence(record.get("artifact_ids")))),
            record.get("blocks") is not False,
            tuple(rows(record.get("findings"))),
            mechanical=record.get("mechanical") is True,
        )


@dataclass(frozen=True)
class Open:
    pass


@dataclass(frozen=True)
class Closed:
    """Says why a step may not start, by which rules, and who can open the gate: nobody, where nothing was judged."""

    reason: Reason
    rules: tuple[str, ...] = ()
    opened_by: str = ""
    verdicts: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    findings: tuple[Json, ...] = ()

    @property
    def binding(self) -> Json:
        """The verdicts and inputs that an override is for, and for no others."""
        return {"verdicts": list(self.verdicts), "inputs": list(self.inputs)}


def gate(
    spec: AgentSpec, inputs: Sequence[ArtifactRef], verdicts: Sequence[Judged], policy: GatePolicy
) -> Open | Closed:
    """Decide whether an agent may start with these inputs. A verdict of this turn counts before those of earlier ones."""
    if not spec.side_effects and spec.name not in policy.agents:
        return Open()
    given = [ref for ref in inputs if ref.kind != VERDICT]
    against: list[Judged] = []
    unjudged = False
    for ref in given:
        about = [each for each in verdicts if ref.hash in each.targets]
        now = [each for each in about if not each.earlier]
        against += [each for each in now or about if each.blocks]
        unjudged = unjudged or (not now and policy.must_be_judged(spec, ref.kind))
    if policy.gates(spec, [ref.kind for ref in given]):
        now = [each for each in verdicts if not each.earlier]
        if not any(ref.hash in each.targets for each in now for ref in given):
            # Judged was something else than it is given, if anything: it starts only where all of that is in order.
            against += [each for each in now if each.blocks]
            unjudged = unjudged or not now
    if unjudged:
        return Closed("not_judged", inputs=_hashes(given))
    return closed_by(against, given) if against else Open()


def closed_by(against: Sequence[Judged], given: Sequence[ArtifactRef]) -> Closed:
    distinct = {each.verdict: each for each in against}
    findings = tuple(finding for each in distinct.values() for finding in each.findings)
    rules = tuple(dict.fromkeys(_rule_of(finding) for finding in findings))
    return Closed(
        "violated",
        rules,
        opened_by=OFFICER,
        verdicts=tuple(sorted(distinct)),
        inputs=_hashes(given),
        findings=findings,
    )


def _hashes(given: Sequence[ArtifactRef]) -> tuple[str, ...]:
    return tuple(sorted(ref.hash for ref in given))


def _rule_of(finding: Mapping[str, Any]) -> str:
    return "/".join(part for part in (text(finding.get("pack")), text(finding.get("rule"))) if part)


def judged(ref: ArtifactRef, verdict: object, *, earlier: bool = False) -> Judged:
    """Read a verdict. One that is not sound, or that leaves something unknown, blocks."""
    from metaagent.documents.required_changes import is_mechanical

    said = mapping(verdict)
    target = mapping(said.get("target"))
    findings = rows(said.get("findings"))
    against = [each for each in findings if each.get("status") not in IN_ORDER]
    unknown = any(each.get("status") != "violated" for each in against)
    return Judged(
        ref.hash,
        frozenset(map(text, sequence(target.get("hashes")))),
        artifact_ids=frozenset(map(text, sequence(target.get("artifact_ids")))),
        blocks=said.get("blocks") is not False or unknown,
        findings=tuple(against[:MOST_FINDINGS]),
        earlier=earlier,
        mechanical=any(is_mechanical(each) for each in rows(said.get("required_modifications"))),
    )


def gate_policy(
    require: Required, agents: Iterable[AgentSpec], usable: Collection[str], analysis: Mapping[str, Any]
) -> GatePolicy:
    """The policy of one turn: the settings, who is installed, and what the question asks for. Nobody listens for the words
    of an agent that is not usable: where such a one checks, its words in the question count."""
    checkers = [spec for spec in agents if VERDICT in spec.produces]
    checks = {CHECK, *(each.name for spec in checkers for each in spec.capabilities)}
    wanted = set(_texts(analysis, "required_capabilities")) - set(_texts(analysis, "optional_capabilities"))
    question = text(analysis.get("raw_query")).casefold()
    unheard = [each for spec in checkers if spec.name not in usable for each in spec.capabilities]
    said = any(word.casefold() in question for each in unheard for word in (*each.ko, *each.en))
    kinds = set(_texts(analysis, "requested_kinds")) - set(_texts(analysis, "optional_kinds"))
    judged = frozenset(kind for spec in checkers for kind in spec.taken_kinds) - {VERDICT}
    return GatePolicy(
        kinds=JUDGED_BY_DEFAULT & judged if require.kinds is None else frozenset(require.kinds),
        agents=frozenset(require.agents),
        asked=said or bool(wanted & checks) or VERDICT in kinds,
        judged=judged,
    )


def _texts(analysis: Mapping[str, Any], key: str) -> list[str]:
    return [text(item) for item in sequence(analysis.get(key))]
