"""What is told to OpenTelemetry, and that nothing is told by default."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceResponse
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2_grpc import (
    MetricsServiceServicer,
    add_MetricsServiceServicer_to_server,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2_grpc import (
    TraceServiceServicer,
    add_TraceServiceServicer_to_server,
)
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from metaagent.config import Telemetry as TelemetrySettings
from metaagent.runtime import MetaAgent
from metaagent.telemetry.otlp import Otlp
from metaagent.telemetry.spans import SILENT, endpoint_of
from metaagent.testing import FakeReasoner
from tests.support.checkpoints import run_python
from tests.support.watched_world import World

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "kim99@naver.com 매출 비밀"
ENVIRONMENT = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4317"}


class Told:
    """Everything that would have been sent."""

    def __init__(self) -> None:
        self.exporter = InMemorySpanExporter()
        self.reader = InMemoryMetricReader()
        self.telemetry = Otlp(SimpleSpanProcessor(self.exporter), self.reader)

    def spans(self, start: str) -> list[ReadableSpan]:
        return [span for span in self.exporter.get_finished_spans() if span.name.startswith(start)]

    def metrics(self) -> dict[str, list[Any]]:
        data: Any = self.reader.get_metrics_data()
        return {
            metric.name: list(metric.data.data_points)
            for resource in data.resource_metrics
            for scope in resource.scope_metrics
            for metric in scope.metrics
        }

    def everything(self) -> str:
        metrics: Any = self.reader.get_metrics_data()
        spans = "".join(span.to_json() for span in self.exporter.get_finished_spans())
        return spans + ("" if metrics is None else metrics.to_json())


async def asked(tmp_path: Path, told: Told, world: World, question: str = "drawing", **settings: Any) -> Any:
    reasoner = FakeReasoner({"required_capabilities": ["drawing", "extra"]})
    async with MetaAgent.open(
        {"data_dir": tmp_path, "agents": {"allow": []}, **settings},
        agents=world.agents(),
        reasoner=reasoner,
        clock=world.clock,
        telemetry=told.telemetry,
    ) as app:
        answer = await app.ask(question)
        if answer.status == "waiting":
            answer = await app.resume(answer.session_id, "approve")
    return answer


def attributes(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


async def test_a_turn_is_one_span_with_a_child_per_step(tmp_path: Path):
    told = Told()
    answer = await asked(tmp_path, told, World())
    (turn,) = told.spans("invoke_workflow")
    steps = told.spans("invoke_agent")
    assert turn.name == "invoke_workflow metaagent"
    assert sorted(span.name for span in steps) == [
        f"invoke_agent {n}" for n in ("drawing", "extra", "figures")
    ]
    above = turn.get_span_context()
    assert above is not None
    assert [span.parent for span in steps] == [above] * 3
    assert {attributes(span)["gen_ai.conversation.id"] for span in (turn, *steps)} == {answer.session_id}


async def test_spans_carry_the_conventional_attributes(tmp_path: Path):
    told = Told()
    answer = await asked(tmp_path, told, World(), "그림")
    turn = attributes(told.spans("invoke_workflow")[0])
    assert turn == {
        "gen_ai.operation.name": "invoke_workflow",
        "gen_ai.provider.name": "metaagent",
        "gen_ai.workflow.name": "metaagent",
        "gen_ai.conversation.id": answer.session_id,
        "metaagent.turn.id": answer.turn_id,
        "metaagent.turn.number": 1,
        "metaagent.turn.language": "ko",
        "metaagent.question.bytes": 6,
        "metaagent.turn.status": "completed",
        "metaagent.answer.bytes": len(answer.text.encode()),
        "metaagent.turn.steps": 3,
        "metaagent.turn.artifacts": 3,
        "metaagent.turn.warnings": 0,
        "metaagent.turn.errors": 0,
    }
    step = attributes(told.spans("invoke_agent figures")[0])
    assert step == {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": "metaagent",
        "gen_ai.conversation.id": answer.session_id,
        "gen_ai.agent.name": "figures",
        "metaagent.turn.id": answer.turn_id,
        "metaagent.step.id": "s1",
        "metaagent.step.capability": "figures",
        "metaagent.step.status": "completed",
        "metaagent.step.attempts": 1,
        "metaagent.step.quality": step["metaagent.step.quality"],
        "metaagent.step.artifacts": 1,
        "metaagent.step.artifact_bytes": 12,
    }


async def test_a_failed_step_is_an_error_without_its_message(tmp_path: Path):
    told, world = Told(), World()
    world.failing = True
    await asked(tmp_path, told, world)
    (failed,) = told.spans("invoke_agent figures")
    assert attributes(failed)["error.type"] == "failed"
    assert failed.status.status_code is StatusCode.ERROR
    assert failed.status.description is None
    assert failed.events == ()
    assert "no figures today" not in told.everything()


async def test_telemetry_holds_no_question_finding_or_answer(tmp_path: Path):
    told, world = Told(), World()
    world.summary, world.data = SECRET, {"row": SECRET}
    answer = await asked(tmp_path, told, world, f"drawing {SECRET}")
    assert SECRET in answer.text
    everything = told.everything()
    assert "kim99" not in everything
    assert "비밀" not in everything
    assert json.dumps("비밀")[1:-1] not in everything


async def test_a_turn_that_waited_is_a_span_for_each_run(tmp_path: Path):
    told = Told()
    await asked(tmp_path, told, World(), approval={"mode": "always"})
    statuses = [attributes(span)["metaagent.turn.status"] for span in told.spans("invoke_workflow")]
    assert statuses == ["waiting", "completed"]
    assert all(span.status.status_code is StatusCode.UNSET for span in told.spans("invoke_workflow"))


async def test_durations_are_a_metric_by_operation_and_agent(tmp_path: Path):
    told, world = Told(), World()
    world.failing = True
    await asked(tmp_path, told, world)
    found = told.metrics()
    points = {
        point.attributes.get("gen_ai.agent.name", ""): point
        for point in found["gen_ai.client.operation.duration"]
    }
    assert set(points) == {"", "figures", "extra"}
    assert points["figures"].attributes["error.type"] == "failed"
    assert all(point.count == 1 for point in points.values())
    (turns,) = found["metaagent.sessions.turn"]
    assert (turns.value, dict(turns.attributes)) == (1, {"metaagent.turn.status": "completed"})
    names = {name for point in points.values() for name in point.attributes}
    assert not any("id" in name.split(".")[-1] for name in names), "nothing that differs with each turn"


async def test_attributes_are_redacted_whoever_wrote_them():
    told = Told()
    with told.telemetry.span("x", {"gen_ai.conversation.id": "kim99@naver.com"}) as note:
        note({"metaagent.step.id": "010-1234-5678"})
    assert "kim99" not in told.everything()
    assert "1234-5678" not in told.everything()


async def test_exception_is_reported_by_its_type_alone():
    told = Told()
    with pytest.raises(ValueError, match="secret"), told.telemetry.span("x", {"gen_ai.operation.name": "x"}):
        raise ValueError("a secret")
    (span,) = told.spans("x")
    assert attributes(span)["error.type"] == "ValueError"
    assert "secret" not in told.everything()


@pytest.mark.parametrize(
    ("settings", "env", "endpoint"),
    [
        ({}, {}, None),
        ({}, ENVIRONMENT, None),
        ({"enabled": True}, {}, None),
        ({"enabled": True}, ENVIRONMENT, "http://localhost:4317"),
        ({"endpoint": "http://here:1"}, ENVIRONMENT, "http://here:1"),
        ({"endpoint": "http://here:1", "enabled": False}, ENVIRONMENT, None),
        ({"enabled": True}, {"OTEL_EXPORTER_OTLP_ENDPOINT": ""}, None),
    ],
)
def test_telemetry_needs_a_destination_and_consent(
    settings: dict[str, Any], env: dict[str, str], endpoint: str | None
):
    assert endpoint_of(TelemetrySettings.model_validate(settings), env) == endpoint


def test_silence_takes_notes_of_nothing():
    with SILENT.span("x", {}) as note:
        note({"a": 1})


class Collector(TraceServiceServicer, MetricsServiceServicer):
    """What arrives over the wire."""

    def __init__(self) -> None:
        self.received: list[bytes] = []

    def Export(self, request: Any, context: Any) -> Any:  # noqa: N802 - the name in the protocol
        self.received.append(request.SerializeToString())
        traces = isinstance(request, ExportTraceServiceRequest)
        return ExportTraceServiceResponse() if traces else ExportMetricsServiceResponse()


async def test_exported_spans_and_metrics_hold_no_content(tmp_path: Path):
    collector = Collector()
    server: Any = grpc.server(ThreadPoolExecutor(2))
    add_TraceServiceServicer_to_server(collector, server)
    add_MetricsServiceServicer_to_server(collector, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    world = World()
    world.summary = SECRET
    try:
        async with world.open(tmp_path, {"telemetry": {"endpoint": f"http://127.0.0.1:{port}"}}) as app:
            await app.ask(f"drawing {SECRET}")
    finally:
        server.stop(None)
    everything = b"".join(collector.received)
    assert b"invoke_agent figures" in everything
    assert b"gen_ai.client.operation.duration" in everything
    assert b"kim99" not in everything
    assert "비밀".encode() not in everything


WATCHED = """
import asyncio, json, os, sys
reached = []
def watch(event, arguments):
    if event in {"socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.sendmsg"}:
        reached.append(event)
sys.addaudithook(watch)
suspect = ("opentelemetry", "chromadb", "posthog", "grpc")
def loaded():
    return {n for n in sys.modules if n.split(".")[0] in suspect or n == "metaagent.telemetry.otlp"}
import langgraph.graph  # brings langsmith, which looks whether the SDK is there
before = loaded()
from pathlib import Path
from tests.support.watched_world import World

async def main():
    async with World().open(Path(sys.argv[1]), json.loads(sys.argv[2])) as app:
        await app.ask("drawing")

asyncio.run(main())
print(json.dumps([sorted(before), sorted(loaded() - before), reached]))
"""


async def test_default_turn_loads_no_telemetry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    # The environment alone, which other programs share, switches nothing on.
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    before, imported, reached = json.loads(await run_python("-c", WATCHED, str(tmp_path), "{}"))
    assert imported == []
    assert reached == []
    assert not [name for name in before if "exporter" in name or not name.startswith("opentelemetry")]


async def test_dead_telemetry_destination_does_no_harm(tmp_path: Path):
    settings = json.dumps({"telemetry": {"endpoint": "http://127.0.0.1:9"}})
    _, imported, _ = json.loads(await run_python("-c", WATCHED, str(tmp_path), settings))
    assert "metaagent.telemetry.otlp" in imported
    assert "opentelemetry.exporter.otlp.proto.grpc.trace_exporter" in imported
    assert "chromadb" not in imported
