"""A server with an OpenAPI document, on loopback: it looks things up, and it takes orders."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from fastapi import FastAPI, Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse


@dataclass
class Office:
    """A record of what reached the server."""

    orders: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    tokens: list[str] = field(default_factory=list[str])
    paths: list[str] = field(default_factory=list[str])


def office_app(office: Office) -> FastAPI:
    web = FastAPI(openapi_url=None)

    @web.get("/weather/{city}")
    async def weather(city: str, days: int = 1) -> dict[str, Any]:
        office.paths.append(f"{city} {days}")
        return {"city": city, "degrees": 21, "days": days}

    @web.post("/orders")
    async def order(request: Request) -> Response:
        office.tokens.append(request.headers.get("authorization", ""))
        office.orders.append(await request.json())
        return JSONResponse({"order": len(office.orders)}, 201)

    @web.get("/huge")
    async def huge() -> Response:
        async def pieces() -> AsyncIterator[bytes]:
            for _ in range(1_000):
                yield b"x" * 100_000

        return StreamingResponse(pieces())

    @web.get("/elsewhere")
    async def elsewhere() -> Response:
        return RedirectResponse("/weather/secret")

    @web.get("/hang")
    async def hang() -> None:
        await asyncio.Event().wait()

    @web.get("/refuses")
    async def refuses() -> Response:
        return JSONResponse({"detail": "closed"}, 404)

    assert [weather, order, huge, elsewhere, hang, refuses]
    return web


def write_document(path: Path, url: str) -> Path:
    def plain(operation: str, method: str = "get") -> dict[str, Any]:
        return {method: {"operationId": operation, "responses": {"200": {"description": "ok"}}}}

    city = {"name": "city", "in": "path", "required": True, "schema": {"type": "string"}}
    days = {"name": "days", "in": "query", "schema": {"type": "integer"}}
    weather = {**plain("weather")["get"], "parameters": [{"$ref": "#/components/parameters/city"}, days]}
    body = {"content": {"application/json": {"schema": {"type": "object"}}}}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "office", "version": "1"},
        "servers": [{"url": url}],
        "components": {"parameters": {"city": city}},
        "paths": {
            "/weather/{city}": {"get": weather},
            "/orders": {"post": {**plain("order", "post")["post"], "requestBody": body}},
            **{f"/{name}": plain(name) for name in ("huge", "elsewhere", "hang", "refuses")},
        },
    }
    path.write_text(yaml.safe_dump(document))
    return path
