"""Versions of documents that a step made: one for each model among its artifacts. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from metaagent.plugin import Artifact
from metaagent.ports import ArtifactRef, NewVersion
from metaagent.values import mapping, text

MODEL = "json"
"""The format of the artifact from which the files of its group are rendered."""


class VersionFacts(NamedTuple):
    """The circumstances under which a step ran."""

    step: str
    question: str
    plan_version: int


def versions_of(
    made: Sequence[ArtifactRef],
    artifacts: Sequence[Artifact],
    inputs: Sequence[ArtifactRef],
    facts: VersionFacts,
) -> Iterator[NewVersion]:
    for ref, artifact in zip(made, artifacts, strict=True):
        group = ref.group
        if group is None or group.format != MODEL or isinstance(artifact.data, bytes | bytearray):
            continue
        before = [
            each.group.version
            for each in inputs
            if each.group and each.group.document_id == group.document_id
        ]
        forms = {
            each.group.format: each.id
            for each in made
            if each.group
            and (each.group.document_id, each.group.version) == (group.document_id, group.version)
        }
        yield NewVersion(
            document_id=group.document_id,
            version=group.version,
            based_on=max(before, default=0),
            key=f"{facts.step}/{ref.id}",
            document=artifact.data,
            hash=ref.hash,
            title=text(mapping(artifact.data).get("title")) or ref.summary,
            note=facts.question,
            artifacts_used=ref.made_from,
            forms=forms,
            plan_version=facts.plan_version,
        )
