"""The HTTP API: `/api/v1`, described at `/api/v1/openapi.json`."""

from __future__ import annotations

from fastapi import FastAPI

from metaagent.web.api import artifacts, documents, events, knowledge, review, sessions, turns
from metaagent.web.api.describing import describe
from metaagent.web.doors import Doors
from metaagent.web.throttle import Throttle

PARTS = (turns, events, sessions, artifacts, documents, knowledge, review)


def mount(web: FastAPI, doors: Doors) -> None:
    web.state.pace = Throttle(doors.settings.web.requests_per_minute, 60)
    before = len(web.routes)
    for part in PARTS:
        web.include_router(part.routes)
    web.include_router(events.sockets)
    describe(web, web.routes[before:])
