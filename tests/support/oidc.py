"""OpenID providers for tests: a real one in a process of its own, and one that lies as a test wants."""

from __future__ import annotations

import asyncio
import hmac
import json
import sys
import time
from base64 import urlsafe_b64encode
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import uvicorn
from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.support.ports import free_port


@asynccontextmanager
async def provider_process(**claims: Any) -> AsyncGenerator[str]:
    """Start a provider that knows one person with these claims; its address."""
    port = free_port()
    command = (
        "-W",
        "ignore",
        "-m",
        "oidc_provider_mock",
        "--port",
        str(port),
        "--user-claims",
        json.dumps(claims),
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, *command, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
    )
    issuer = f"http://127.0.0.1:{port}"
    try:
        await _answering(f"{issuer}/.well-known/openid-configuration")
        yield issuer
    finally:
        process.terminate()
        await process.wait()


async def _answering(address: str) -> None:
    async with httpx.AsyncClient() as client:
        for _ in range(600):
            try:
                (await client.get(address)).raise_for_status()
            except httpx.HTTPError:
                await asyncio.sleep(0.05)
            else:
                return
    raise AssertionError(f"{address} does not answer")


@dataclass
class LyingProvider:
    """Signs, or does not sign, whatever a test wants it to say."""

    issuer: str = ""
    claims: dict[str, Any] = field(default_factory=dict[str, Any])
    algorithm: str = "RS256"
    nonce: str | None = None
    named: str | None = None
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "one"}))
    other: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "one"}))
    by_other: bool = False
    forms: list[dict[str, str]] = field(default_factory=list[dict[str, str]])

    @property
    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self._metadata),
                Route("/keys", self._keys),
                Route("/token", self._token, methods=["POST"]),
            ]
        )

    async def _metadata(self, _request: Request) -> Response:
        return JSONResponse(
            {
                "issuer": self.named or self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "jwks_uri": f"{self.issuer}/keys",
                "id_token_signing_alg_values_supported": ["none", "HS256", "RS256"],
            }
        )

    async def _keys(self, _request: Request) -> Response:
        return JSONResponse({"keys": [self.key.as_dict(private=False)]})

    async def _token(self, request: Request) -> Response:
        async with request.form() as form:
            self.forms.append({name: str(value) for name, value in form.items()})
        return JSONResponse({"access_token": "x", "token_type": "Bearer", "id_token": self._signed()})

    def _signed(self) -> str:
        now = int(time.time())
        usual = {"iss": self.issuer, "aud": "metaagent", "sub": "kim", "iat": now, "exp": now + 60}
        claims = {**usual, "nonce": self.nonce, **self.claims}
        header = {"alg": self.algorithm, "kid": "one"}
        if self.algorithm != "RS256":
            body = ".".join(_encoded(json.dumps(part).encode()) for part in (header, claims))
            # The public key as if it were a secret of both: who takes any algorithm believes it.
            mac = hmac.digest(self.key.as_pem(private=False), body.encode(), "sha256")
            return f"{body}.{'' if self.algorithm == 'none' else _encoded(mac)}"
        return jwt.encode(header, claims, self.other if self.by_other else self.key)


def _encoded(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


@asynccontextmanager
async def lying_provider() -> AsyncGenerator[LyingProvider]:
    provider, port = LyingProvider(), free_port()
    provider.issuer = f"http://127.0.0.1:{port}"
    config = uvicorn.Config(provider.app, host="127.0.0.1", port=port, log_config=None, lifespan="off")
    server = uvicorn.Server(config)
    task = asyncio.ensure_future(server.serve())
    try:
        await _answering(f"{provider.issuer}/keys")
        yield provider
    finally:
        server.should_exit = True
        await task
