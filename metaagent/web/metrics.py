"""Figures of the server for Prometheus. Labels are routes, methods and outcomes: nobody's name, nothing that was asked."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.responses import Response

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics:
    """Counters of one server; each has its own registry, so that two in one process do not add up."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.requests = Counter(
            "metaagent_http_requests",
            "Answered requests.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self.seconds = Histogram(
            "metaagent_http_request_seconds",
            "Time until an answer began.",
            ("method", "route"),
            buckets=SECONDS,
            registry=self._registry,
        )
        self.under_way = 0
        under_way = Gauge(
            "metaagent_http_open", "Requests and WebSockets under way.", registry=self._registry
        )
        under_way.set_function(lambda: self.under_way)
        self._readers: dict[str, int] = {}
        self._reading = Gauge(
            "metaagent_event_readers", "Readers of events.", ("kind",), registry=self._registry
        )

        self._answered: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answer. Its figures are looked up by their labels once: that takes longer than to count."""
        known = self._answered.get((method, route, status))
        if known is None:
            known = self.requests.labels(method, route, status), self.seconds.labels(method, route)
            self._answered[method, route, status] = known
        known[0].inc()
        known[1].observe(seconds)

    @contextmanager
    def reader(self, kind: str) -> Generator[None]:
        """Count somebody who reads events, for as long as they do."""
        if kind not in self._readers:
            self._readers[kind] = 0
            self._reading.labels(kind).set_function(lambda: self._readers[kind])
        self._readers[kind] += 1
        try:
            yield
        finally:
            self._readers[kind] -= 1

    def response(self) -> Response:
        return Response(generate_latest(self._registry), media_type=CONTENT_TYPE_LATEST)
