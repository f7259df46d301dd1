"""The OpenAPI document is kept: no request that it describes, or breaks, gets a 5xx or an answer that it does not describe."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.support.agents import Runs, figures
from tests.support.web import KIM, listening, site

EXAMPLES = 4
"""Requests of each operation and kind: sound ones, and broken ones."""
NOT_SENT = ("/events", "/erasures", "/cancel")
"""Streams do not end by themselves, and whoever is erased sends no more."""


@contextmanager
def served(data: Path, runs: Runs) -> Generator[tuple[str, str]]:
    """A server in a thread of its own: its address, and a key."""
    ready: threading.Event = threading.Event()
    found: list[tuple[str, str]] = []
    stop = asyncio.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    async def serve() -> None:
        loops.append(asyncio.get_running_loop())
        web = {"requests_per_minute": 1_000_000}
        async with site(data, figures(runs), web=web) as here, listening(here.web) as address:
            found.append((address, await here.key(KIM)))
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        assert ready.wait(60)
        yield found[0]
    finally:
        loops[0].call_soon_threadsafe(stop.set)
        thread.join(60)


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore:Do not use the `random` module")  # the server shares this process
def test_no_request_breaks_the_server_or_its_description(data: Path, runs: Runs):
    checks = [
        not_a_server_error,
        status_code_conformance,
        content_type_conformance,
        response_schema_conformance,
    ]
    with served(data, runs) as (address, key):
        headers = {"Authorization": f"Bearer {key}"}
        schema = schemathesis.openapi.from_url(f"{address}/api/v1/openapi.json", headers=headers)
        tried, statuses = set[str](), Counter[int]()
        for found in schema.get_all_operations():
            operation = cast("Any", found).ok()
            if operation.path.endswith(NOT_SENT):
                continue
            for mode in schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE:
                strategy = operation.as_strategy(generation_mode=mode)

                @given(case=strategy)
                @settings(
                    max_examples=EXAMPLES,
                    phases=[Phase.generate],
                    deadline=None,
                    derandomize=True,
                    database=None,
                    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
                )
                def send(case: Any) -> None:
                    answer = case.call_and_validate(headers=headers, checks=checks, timeout=60)
                    statuses[answer.status_code] += 1

                send()
                tried.add(operation.label)
        assert len(tried) > 60
        assert {200, 201, 202, 404, 422} <= statuses.keys(), statuses
