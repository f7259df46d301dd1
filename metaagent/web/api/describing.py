"""The OpenAPI document: the routes of the API, with the problems that any of them can answer with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel, Field
from starlette.routing import BaseRoute

from metaagent import __version__
from metaagent.web.api.replies import HEADER
from metaagent.web.problems import MEDIA_TYPE

PROBLEMS = {
    "400": "The request cannot be read.",
    "401": "Nobody is logged in.",
    "403": "The person may not do this, or the request comes from another site.",
    "404": "There is no such thing, or none that the person may see.",
    "408": "The body did not come in time.",
    "409": "This cannot be done now.",
    "413": "The body is too large.",
    "415": "The body is of another kind than is taken.",
    "422": "A value does not fit.",
    "429": "Too many requests; `Retry-After` says when to come back.",
    "503": "Something that is needed does not answer.",
}
_DESCRIPTION = """Ask in Korean or English; agents plan, work and answer.

`POST /questions` returns at once; `GET /turns/{turn_id}/events` tells what happens. Every POST takes an `Idempotency-Key`.
Errors are problem details (RFC 9457) in the language of `Accept-Language`. Programs log in with an API key as a bearer token.
"""


class Problem(BaseModel):
    """An error (RFC 9457): what happened, and what to do."""

    type: str = Field(examples=["urn:metaagent:problem:unknown_session"])
    title: str
    status: int
    detail: str
    code: str = Field(examples=["unknown_session"])
    errors: list[dict[str, str]] = Field(default_factory=list[dict[str, str]])


def describe(web: FastAPI, own: Sequence[BaseRoute]) -> None:
    """Make the document of these routes, not of the page's or the protocols', when it is first asked for."""

    def document() -> dict[str, Any]:
        if web.openapi_schema is None:
            web.openapi_schema = described(own)
        return web.openapi_schema

    web.openapi = document


def described(own: Sequence[BaseRoute]) -> dict[str, Any]:
    made = get_openapi(title="metaagent", version=__version__, description=_DESCRIPTION, routes=own)
    components = made.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    schemas["Problem"] = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    components["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
    made["security"] = [{"key": []}]
    for methods in made["paths"].values():
        for method, operation in methods.items():
            _complete(operation, method)
    return made


def _complete(operation: dict[str, Any], method: str) -> None:
    """Add what every operation has."""
    problem = {"schema": {"$ref": "#/components/schemas/Problem"}}
    for status, text in PROBLEMS.items():
        operation["responses"][status] = {"description": text, "content": {MEDIA_TYPE: problem}}
    if method == "post":
        operation.setdefault("parameters", []).append(
            {
                "name": HEADER,
                "in": "header",
                "required": False,
                "description": "The same request with the same key is done once and answered the same.",
                "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[ -~]+$"},
            }
        )
