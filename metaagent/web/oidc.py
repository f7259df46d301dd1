"""Log-in with an OpenID provider: the code flow with PKCE; claims become company and roles by configuration."""

from __future__ import annotations

import hashlib
import os
import secrets
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

import httpx2
from authlib.integrations.base_client import OAuthError
from authlib.integrations.httpx_client import AsyncOAuth2Client
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry

from metaagent.config import Oidc, Settings
from metaagent.errors import AccessDenied, ConfigInvalid, DataUnavailable, NotLoggedIn, Text
from metaagent.input_checks import admit_user
from metaagent.ports import User
from metaagent.sessions.accounts import roles_at_door
from metaagent.web.server_address import is_loopback

ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA", "RS512", "ES384"]
"""Signatures that are believed: none without a key, and none whose key the client has, too."""
LEEWAY = 60
METADATA_SECONDS = 3600
MOST_PENDING = 1_000

_NO_ISSUER = Text(
    en="web.auth names oidc: set web.oidc.issuer (https, except on this machine) and web.oidc.companies.",
    ko="web.auth에 oidc가 있습니다. web.oidc.issuer(이 컴퓨터가 아니면 https)와 web.oidc.companies를 설정하세요.",
)
_NOT_REACHED = Text(
    en="The OpenID provider {issuer} does not answer as it should: {problem}. Try again, or tell whoever runs this server.",
    ko="OpenID 제공자 {issuer}이(가) 제대로 응답하지 않습니다: {problem}. 다시 시도하거나 서버 운영자에게 알려 주세요.",
)
_BROKEN_OFF = Text(
    en="This log-in was begun in another browser, took too long or was used before. Begin it again.",
    ko="다른 브라우저에서 시작했거나, 시간이 지났거나, 이미 사용한 로그인입니다. 다시 시작하세요.",
)
_NOT_PROVED = Text(
    en="The OpenID provider did not prove who you are ({problem}). Begin the log-in again.",
    ko="OpenID 제공자가 신원을 증명하지 못했습니다({problem}). 다시 로그인하세요.",
)
_NO_COMPANY = Text(
    en="Your account belongs to no company that may use this server. Whoever runs it can add it to web.oidc.companies.",
    ko="이 서버를 쓸 수 있는 회사의 계정이 아닙니다. 운영자가 web.oidc.companies에 추가할 수 있습니다.",
)


@dataclass(frozen=True)
class _Pending:
    """A log-in that was begun: what must come back, and where it leads."""

    nonce: str
    verifier: str
    target: str
    began: float


class Provider:
    """One provider. Log-ins under way are kept in memory, bounded in number and time."""

    SECONDS = 600

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._oidc = checked(settings.web.oidc)
        self._pending: OrderedDict[str, _Pending] = OrderedDict()
        self._metadata: tuple[float, dict[str, Any]] | None = None

    async def begin(self, callback: str, target: str) -> tuple[str, str]:
        """The address of the provider to go to, and the state that the browser keeps meanwhile."""
        metadata = await self._discovered()
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        self._pending[_digest(state)] = _Pending(nonce, verifier, target, time.monotonic())
        while len(self._pending) > MOST_PENDING:
            self._pending.popitem(last=False)
        async with self._client(callback) as client:
            address, _ = client.create_authorization_url(
                metadata["authorization_endpoint"], state=state, nonce=nonce, code_verifier=verifier
            )
        return address, state

    async def finish(self, callback: str, query: str, kept: str) -> tuple[User, str]:
        """The person that the provider vouches for, and where they wanted to go. A state counts once, in the browser that
        began with it."""
        given = parse_qs(query)
        state = given.get("state", [""])[0]
        pending = self._pending.pop(_digest(state), None)
        in_time = pending is not None and time.monotonic() - pending.began <= self.SECONDS
        if pending is None or not in_time or not secrets.compare_digest(state.encode(), kept.encode()):
            raise NotLoggedIn(_BROKEN_OFF)
        if "code" not in given:
            raise NotLoggedIn(_NOT_PROVED, problem=given.get("error", ["no code"])[0][:80])
        metadata = await self._discovered()
        token = await self._token(metadata, callback, given["code"][0], pending)
        claims = await self._claims(metadata, token, pending.nonce)
        return person_of(claims, self._settings), pending.target

    async def _token(
        self, metadata: Mapping[str, Any], callback: str, code: str, pending: _Pending
    ) -> dict[str, Any]:
        try:
            async with self._client(callback) as client:
                found = await client.fetch_token(
                    metadata["token_endpoint"],
                    grant_type="authorization_code",
                    code=code,
                    code_verifier=pending.verifier,
                )
        except OAuthError as error:
            raise NotLoggedIn(_NOT_PROVED, problem=str(error.error)[:80]) from error
        except (httpx2.HTTPError, ValueError) as error:
            raise self._not_reached(type(error).__name__) from error
        return cast("dict[str, Any]", found)

    async def _claims(
        self, metadata: Mapping[str, Any], token: Mapping[str, Any], nonce: str
    ) -> dict[str, Any]:
        keys = await self._json(str(metadata["jwks_uri"]))
        try:
            found = jwt.decode(
                str(token.get("id_token", "")),
                KeySet.import_key_set(cast("Any", keys)),
                registry=JWSRegistry(algorithms=ALGORITHMS, strict_check_header=False),
            )
            claims = CodeIDToken(
                found.claims,
                found.header,
                options={"iss": {"essential": True, "values": [self._oidc.issuer]}},
                params={"nonce": nonce, "client_id": self._oidc.client_id},
            )
            claims.validate(leeway=LEEWAY)
        except (JoseError, ValueError) as error:
            raise NotLoggedIn(_NOT_PROVED, problem=type(error).__name__) from error
        if found.claims.get("nonce") != nonce:
            raise NotLoggedIn(_NOT_PROVED, problem="nonce")
        return dict(found.claims)

    async def _discovered(self) -> dict[str, Any]:
        if self._metadata is not None and time.monotonic() - self._metadata[0] < METADATA_SECONDS:
            return self._metadata[1]
        issuer = str(self._oidc.issuer)
        found = await self._json(issuer.rstrip("/") + "/.well-known/openid-configuration")
        if found.get("issuer") != issuer:
            raise self._not_reached("it calls itself by another name")
        for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
            if not _is_safe(str(found.get(name, ""))):
                raise self._not_reached(f"its {name} is not https")
        self._metadata = time.monotonic(), found
        return found

    async def _json(self, address: str) -> dict[str, Any]:
        try:
            async with httpx2.AsyncClient(timeout=10, follow_redirects=False) as client:
                answer = await client.get(address)
                answer.raise_for_status()
                found: object = answer.json()
        except (httpx2.HTTPError, ValueError) as error:
            raise self._not_reached(type(error).__name__) from error
        if not isinstance(found, dict):
            raise self._not_reached("no object")
        return cast("dict[str, Any]", found)

    def _client(self, callback: str) -> Any:
        secret = os.environ.get(self._oidc.secret_env) or None
        return AsyncOAuth2Client(
            self._oidc.client_id,
            secret,
            token_endpoint_auth_method="client_secret_basic" if secret else "none",
            scope=" ".join(self._oidc.scopes),
            redirect_uri=callback,
            code_challenge_method="S256",
            timeout=10,
        )

    def _not_reached(self, problem: str) -> DataUnavailable:
        return DataUnavailable(_NOT_REACHED, issuer=self._oidc.issuer, problem=problem)


def checked(oidc: Oidc) -> Oidc:
    if not oidc.issuer or not _is_safe(oidc.issuer) or not oidc.companies:
        raise ConfigInvalid(_NO_ISSUER)
    return oidc


def person_of(claims: Mapping[str, Any], settings: Settings) -> User:
    """The person that these claims name, if they place them in a company that is let in."""
    oidc = settings.web.oidc
    name = claims.get(oidc.user_claim)
    if not isinstance(name, str) or not name:
        raise NotLoggedIn(_NOT_PROVED, problem=oidc.user_claim)
    named = claims.get(oidc.company_claim) if oidc.company_claim else ""
    company = oidc.companies.get(named) if isinstance(named, str) else None
    if company is None:
        raise AccessDenied(_NO_COMPANY)
    groups = claims.get(oidc.roles_claim) if oidc.roles_claim else None
    values = [groups] if isinstance(groups, str) else groups if isinstance(groups, list) else []
    granted = {role for value in values for role in oidc.roles.get(str(value), ())}
    known = sorted(granted) or settings.web.roles
    return admit_user(User(name, company, roles_at_door(settings.access.users, name, company, known)))


def _is_safe(address: str) -> bool:
    """TLS, unless it stays on this machine."""
    parts = urlsplit(address)
    return parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname or ""))


def _digest(state: str) -> str:
    return hashlib.sha256(state.encode("utf-8", "replace")).hexdigest()
