"""A draft that a verdict holds back and that a program can mend: it is made anew and judged again, before anyone is asked. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from metaagent.level1.planning.gate import VERDICT, Judged
from metaagent.level1.planning.results import is_good
from metaagent.plugin import AgentSpec
from metaagent.ports import ArtifactRef

AWAITS_REVISION = "awaits_revision"
"""The kind of trouble of a step that waits for the next version of what it is given. Nobody else takes it over."""


def revisers(agents: Iterable[AgentSpec], kind: str) -> list[AgentSpec]:
    """The agents that make such a thing anew from itself and a verdict."""
    return [spec for spec in agents if kind in spec.produces and {kind, VERDICT} <= spec.taken_kinds]


def can_be_mended(
    ref: ArtifactRef, verdicts: Iterable[Judged], agents: Sequence[AgentSpec], turn_id: str
) -> bool:
    """Say whether this turn made it, a verdict of this turn blocks it with changes that a program can apply, and somebody is
    there who applies them."""
    against = [each for each in verdicts if ref.hash in each.targets and not each.earlier]
    if not against or not against[-1].blocks or not against[-1].mechanical:
        return False
    return ref.made_by.startswith(f"{turn_id}/") and bool(revisers(agents, ref.kind))


def to_mend(
    results: Mapping[str, Mapping[str, Any]], agents: Sequence[AgentSpec], turn_id: str
) -> list[ArtifactRef]:
    """The newest draft of the turn that can be mended, in all its forms, with the verdict on it; nothing if there is none."""
    done = [result for _, result in sorted(results.items(), key=_place) if is_good(result)]
    made = [ArtifactRef.from_json(ref) for result in done for ref in result["artifacts"]]
    verdicts = [Judged.from_json(each) for result in done for each in result.get("judged", ())]
    drafts = [ref for ref in made if ref.kind != VERDICT]
    mendable = [
        ref
        for ref in drafts
        if can_be_mended(ref, verdicts, agents, turn_id)
        and not any((ref.id in other.made_from and other.kind == ref.kind) for other in drafts)
    ]
    if not mendable:
        return []
    said = [each for each in verdicts if mendable[-1].hash in each.targets][-1]
    about = [ref for ref in made if ref.kind == VERDICT and ref.hash == said.verdict]
    same = [ref for ref in mendable if ref.made_by == mendable[-1].made_by]
    return [*same, *about[-1:]]


def _place(item: tuple[str, Any]) -> tuple[int, str]:
    return (int(item[0][1:]) if item[0][1:].isdigit() else 0), item[0]
