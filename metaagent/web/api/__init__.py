"""The HTTP API: `/api/v1`, described at `/api/v1/openapi.json`."""

from __future__ import annotations

from fastapi import FastAPI

from metaagent.web.api import artifacts, documents, events, knowledge, review, sessions, turns
from metaagent.web.api.describing import describe
from metaagent.web.doors import Doors
from metaagent.web.throttle import Throttle

PARTS = (events, turns, sessions, artifacts, documents, knowledge, review)


def mount(web: FastAPI, doors: Doors) -> None:
    web.state.pace = Throttle(doors.settings.web.requests_per_minute, 60)
    # Each route by itself: the framework looks through a router that it includes twice for each request.
    own = [route for router in (*(part.routes for part in PARTS), events.sockets) for route in router.routes]
    web.router.routes[:0] = own  # looked through first: programs ask most often
    describe(web, own)
