"""The quality of a step's output: a documented formula over facts, not an opinion.

    quality = 0.4 · completeness + 0.3 · confidence + 0.2 · validity + 0.1 · sourcing

completeness: share of the declared artifact kinds that were delivered with content
confidence:   what the agent computed for itself, clamped to 0..1
validity:     share of the artifacts that fit their declared type
sourcing:     1 if the result names its sources or derives from input artifacts, else 0
"""

from __future__ import annotations

from collections.abc import Collection

import pydantic

from metaagent.journal import not_plain
from metaagent.level1.planning.params import adapter_of
from metaagent.plugin import AgentSpec, Artifact, Result

MOST_ARTIFACTS = 100
"""The bound for one step: each is listed in the state and told of by an event."""

WEIGHTS = {"completeness": 0.4, "confidence": 0.3, "validity": 0.2, "sourcing": 0.1}


def form_problems(result: Result) -> list[str]:
    """Authors without a type checker may put anything into a Result."""
    said: list[object] = [result.summary, result.confidence]
    summary, confidence = said
    artifacts: list[object] = list(result.artifacts)
    if len(artifacts) > MOST_ARTIFACTS:
        return [f"{len(artifacts)} artifacts, at most {MOST_ARTIFACTS}: put what belongs together into one"]
    if not isinstance(summary, str):
        return [f"the summary is {type(summary).__name__}, not text"]
    if isinstance(confidence, bool) or not isinstance(confidence, int | float):
        return [f"the confidence is {type(confidence).__name__}, not a number"]
    return [
        f"{type(artifact).__name__} instead of Artifact"
        for artifact in artifacts
        if not isinstance(artifact, Artifact)
    ]


def type_problems(spec: AgentSpec, result: Result) -> list[str]:
    """Name what about the artifacts does not fit the agent's declaration."""
    return [problem for artifact in result.artifacts if (problem := _type_problem(spec, artifact))]


def _type_problem(spec: AgentSpec, artifact: Artifact) -> str:
    if artifact.kind not in spec.produces:
        return f"kind {artifact.kind!r} is not among the declared {sorted(spec.produces)}"
    expected = spec.produces[artifact.kind]
    if expected is None:
        return ""
    try:
        adapter_of(expected).validate_python(artifact.data)
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        return f"{artifact.kind}.{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
    return ""


def plain_problems(result: Result) -> list[str]:
    """Artifacts and state leave the process: they must be plain data."""
    named = [
        *((f"artifact {a.kind}", a.data) for a in result.artifacts),
        *(("a summary", text) for text in (result.summary, *(a.summary for a in result.artifacts))),
        ("sources", [dict(source) for source in result.sources]),
        ("state", dict(result.state)),
    ]
    return [f"{name} is not plain data ({problem})" for name, data in named if (problem := not_plain(data))]


def quality_score(spec: AgentSpec, result: Result, problems: Collection[str], *, had_inputs: bool) -> float:
    delivered = {
        artifact.kind for artifact in result.artifacts if artifact.data not in (None, "", [], {}, b"")
    }
    count = len(result.artifacts)
    parts = {
        "completeness": len(delivered & set(spec.produces)) / len(spec.produces),
        "confidence": min(1.0, max(0.0, result.confidence)),
        "validity": (count - len(problems)) / count if count else 0.0,
        "sourcing": 1.0 if result.sources or had_inputs else 0.0,
    }
    return round(sum(WEIGHTS[name] * value for name, value in parts.items()), 3)
