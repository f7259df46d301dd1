"""The HTTP API: `/api/v1`."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.requests import Request

from metaagent.web.doors import Doors


def mount(web: FastAPI, doors: Doors) -> None:
    async def me(request: Request) -> dict[str, object]:
        """Who is logged in."""
        user = await doors.person(request)
        return {"user_id": user.user_id, "company_id": user.company_id, "roles": user.roles}

    web.add_api_route("/api/v1/me", me, methods=["GET"])
