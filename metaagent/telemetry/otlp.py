"""Sends spans and metrics with the OpenTelemetry SDK. Imported only when a destination is configured."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from time import perf_counter
from typing import Self

from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import MetricReader, PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, Status, StatusCode

from metaagent import __version__
from metaagent.protection.redaction import Redactor
from metaagent.telemetry.spans import Attributes, Note

TIMEOUT_SECONDS = 3
"""Seconds of one export: a destination that does not answer must not hold up a person who is done."""

BUCKETS = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92)
_OF_METRIC = (
    "gen_ai.operation.name",
    "gen_ai.provider.name",
    "gen_ai.agent.name",
    "gen_ai.workflow.name",
    "error.type",
)
"""Attributes of few values: what varies with each turn would make a time series of each."""


class Otlp:
    """Holds its own providers: nothing that a library reports to the global ones leaves through here."""

    def __init__(
        self, processor: SpanProcessor, reader: MetricReader, redactor: Redactor | None = None
    ) -> None:
        named = {"service.name": os.environ.get("OTEL_SERVICE_NAME") or "metaagent"}
        resource = Resource.create({**named, "service.version": __version__})
        self._tracers = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._tracers.add_span_processor(processor)
        self._meters = MeterProvider([reader], resource=resource, shutdown_on_exit=False)
        self._redactor = redactor or Redactor()
        self._tracer = self._tracers.get_tracer("metaagent", __version__)
        meter = self._meters.get_meter("metaagent", __version__)
        self._durations = meter.create_histogram(
            "gen_ai.client.operation.duration",
            unit="s",
            description="How long turns and their steps took.",
            explicit_bucket_boundaries_advisory=BUCKETS,
        )
        self._turns = meter.create_counter(
            "metaagent.sessions.turn", unit="{turn}", description="Turns, by status."
        )

    @classmethod
    def to(cls, endpoint: str) -> Self:
        insecure = not endpoint.startswith("https://")
        spans = OTLPSpanExporter(endpoint=endpoint, insecure=insecure, timeout=TIMEOUT_SECONDS)
        metrics = OTLPMetricExporter(endpoint=endpoint, insecure=insecure, timeout=TIMEOUT_SECONDS)
        return cls(BatchSpanProcessor(spans), PeriodicExportingMetricReader(metrics))

    def span(self, name: str, attributes: Attributes) -> AbstractContextManager[Note]:
        return self._span(name, attributes)

    @contextmanager
    def _span(self, name: str, attributes: Attributes) -> Generator[Note]:
        known = dict(self._clean(attributes))
        started = perf_counter()
        # An exception's text is content: neither it nor its traceback goes into the span.
        with self._tracer.start_as_current_span(
            name,
            kind=SpanKind.INTERNAL,
            attributes=known,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:

            def note(more: Attributes) -> None:
                known.update(self._clean(more))
                span.set_attributes(dict(known))
                if known.get("gen_ai.agent.name"):
                    span.update_name(f"{known['gen_ai.operation.name']} {known['gen_ai.agent.name']}")
                if "error.type" in known:
                    span.set_status(Status(StatusCode.ERROR))

            try:
                yield note
            except Exception as error:
                if "metaagent.step.status" not in known:
                    note({"error.type": type(error).__name__})
                raise
            finally:
                seconds = perf_counter() - started
                self._durations.record(seconds, {name: known[name] for name in _OF_METRIC if name in known})
                if "metaagent.turn.status" in known:
                    self._turns.add(1, {"metaagent.turn.status": known["metaagent.turn.status"]})

    def _clean(self, attributes: Attributes) -> Attributes:
        return {
            name: self._redactor.redact_text(value) if isinstance(value, str) else value
            for name, value in attributes.items()
        }

    async def close(self) -> None:
        """Send what is left, within the time limit, off the event loop."""
        await asyncio.gather(
            asyncio.to_thread(self._tracers.shutdown),
            asyncio.to_thread(self._meters.shutdown, TIMEOUT_SECONDS * 1000),
        )
