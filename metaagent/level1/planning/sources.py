"""The artifacts that a plan can begin with: which of them the question means, and which were made together. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from metaagent.global_state import Json, StepInput
from metaagent.level1.planning.gate import NOTHING_REQUIRED, GatePolicy
from metaagent.monitor import TrackRecord
from metaagent.plugin import AgentSpec
from metaagent.ports import ArtifactRef
from metaagent.values import mapping, rows, sequence


@dataclass(frozen=True)
class PlanRequest:
    analysis: Mapping[str, Any]
    agents: Sequence[AgentSpec]
    artifacts: Sequence[ArtifactRef] = ()
    """The session's artifacts from earlier turns."""
    made: Sequence[ArtifactRef] = ()
    """Artifacts that this turn made already, under an earlier version of the plan."""
    achieved: frozenset[str] = frozenset()
    """Capabilities that an earlier version of the plan has served."""
    done: Sequence[Json] = ()
    """The parts of a capability that an earlier version of the plan has served."""
    revised: Sequence[ArtifactRef] = ()
    """Artifacts to be made anew from themselves, with the verdict that says why."""
    first_number: int = 1
    records: Mapping[str, TrackRecord] = field(default_factory=dict[str, TrackRecord])
    version: int = 1
    excluded: frozenset[str] = frozenset()
    language: str = "en"
    policy: GatePolicy = NOTHING_REQUIRED
    judged: frozenset[str] = frozenset()
    """Ids of the artifacts that a verdict of this turn is about."""

    def parts(self, spec: AgentSpec) -> list[Json]:
        """The parts of the question that this agent is to serve one by one; one empty part where it has none."""
        asked = mapping(self.analysis.get("parts"))
        found = [part for each in spec.capabilities for part in rows(asked.get(each.name))]
        return [part for part in found if part not in self.done] or [{}]


def existing(request: PlanRequest, kind: str, fresh: bool) -> list[ArtifactRef]:
    """The artifacts of this turn, or of the session unless this very question asks for new ones of their kind (`fresh`), or
    means other data. Those that the question points at are meant before any newer ones. What was made together stays
    together."""
    made = [ref for ref in request.made if ref.kind == kind]
    if made or fresh:
        return _together(made[-1], made) if made else []
    earlier = [ref for ref in request.artifacts if ref.kind == kind]
    pointed = [ref for ref in earlier if ref.id in pointed_at(request)]
    if pointed:
        return [ref for ref in earlier if any(_are_together(ref, each) for each in pointed)]
    if not earlier or not request.analysis.get("same_data", True):
        return []
    return _together(earlier[-1], earlier)


def to_revise(request: PlanRequest, spec: AgentSpec) -> list[ArtifactRef]:
    """The artifacts that this agent is to make anew: of kinds that it makes and takes, with the verdict on them."""
    own = spec.taken_kinds & spec.produces.keys()
    revised = [ref for ref in request.revised if ref.kind in spec.taken_kinds]
    if any(ref.kind in own for ref in revised):
        return revised
    pointed = pointed_at(request)
    kept = [ref for ref in request.artifacts if ref.kind in own]
    meant = [ref for ref in kept if ref.id in pointed]
    return [ref for ref in kept if any(_are_together(ref, each) for each in meant)]


def pointed_at(request: PlanRequest) -> list[str]:
    """Ids of the artifacts that the question points at."""
    return [str(name) for name in sequence(mapping(request.analysis.get("resolved")).get("artifacts"))]


def newest_place(request: PlanRequest, refs: Sequence[ArtifactRef]) -> int:
    """The place of the newest of these among all that there is; what the question points at comes before everything."""
    known = [ref.id for ref in (*request.artifacts, *request.made)]
    pointed = pointed_at(request)
    return max(known.index(ref.id) + (len(known) if ref.id in pointed else 0) for ref in refs)


def as_inputs(refs: Sequence[ArtifactRef]) -> list[StepInput]:
    return [{"kind": ref.kind, "artifact_id": ref.id} for ref in refs]


def _together(one: ArtifactRef, among: Sequence[ArtifactRef]) -> list[ArtifactRef]:
    return [ref for ref in among if _are_together(ref, one)]


def _are_together(one: ArtifactRef, other: ArtifactRef) -> bool:
    """Say whether they are forms of one version of a document, or results of one kind of one step."""
    if one.id == other.id:
        return True
    if one.kind != other.kind or (one.group is None) != (other.group is None):
        return False
    if one.group is not None and other.group is not None:
        return (one.group.document_id, one.group.version) == (other.group.document_id, other.group.version)
    return bool(one.made_by) and one.made_by == other.made_by
