"""Settings of `metaagent serve`: the server, and the OpenID provider that people log in with."""

from __future__ import annotations

from ipaddress import ip_network
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from metaagent.config.sections import Section, checked_address


class Oidc(Section):
    """An OpenID provider that people log in with. The client's secret is in an environment variable and nowhere else."""

    issuer: str | None = Field(
        default=None, description="Address of the provider, as its discovery document names it."
    )
    client_id: str = Field(
        default="metaagent", description="Name under which the provider knows this server."
    )
    secret_env: str = Field(
        default="METAAGENT_OIDC_SECRET",
        description="Environment variable with the client's secret; a public client has none.",
    )
    scopes: list[str] = Field(
        default_factory=lambda: ["openid", "profile", "email"], description="What is asked of the provider."
    )
    user_claim: str = Field(
        default="sub", description="Claim that names the person; one that nobody can choose for themselves."
    )
    company_claim: str | None = Field(default=None, description="Claim that names the company.")
    companies: dict[str, str] = Field(
        default_factory=dict[str, str],
        description="Company for each value of that claim; nobody else gets in. Without a claim: `{'': company}`.",
    )
    roles_claim: str | None = Field(default=None, description="Claim with roles or groups.")
    roles: dict[str, list[str]] = Field(
        default_factory=dict[str, list[str]],
        description="Roles for each value of that claim; others add nothing. Without any, those of `web.roles`.",
    )

    @field_validator("issuer")
    @classmethod
    def _without_secrets(cls, value: str | None) -> str | None:
        return checked_address(value)


class Web(Section):
    """The server of `metaagent serve`."""

    auth: list[Literal["one_time", "accounts", "oidc", "proxy"]] = Field(
        default_factory=lambda: ["one_time"],
        description="How people log in: `one_time` (an address that is printed, for one person on this machine), `accounts` "
        "(names and passwords kept here), `oidc` (an OpenID provider), `proxy` (a header of a proxy). API keys work with all.",
    )
    public_url: str | None = Field(
        default=None,
        description="Address at which people reach the server, where a proxy stands before it, e.g. `https://ask.example.com`.",
    )
    hosts: list[str] = Field(
        default_factory=list[str],
        description="Further names by which the server may be addressed; this machine's loopback names are always.",
    )
    proxies: list[str] = Field(
        default_factory=list[str],
        description="Addresses or networks of proxies whose headers are believed, e.g. `[127.0.0.1, 10.0.0.0/24]`.",
    )
    user_header: str = Field(
        default="X-Remote-User",
        description="Header in which such a proxy names the person (`auth: [proxy]`).",
    )
    company: str = Field(
        default="local",
        description="Company of people whom a proxy names, and of those whom no claim places.",
    )
    roles: list[str] = Field(
        default_factory=lambda: ["employee"],
        description="Roles of people for whom neither `access.users` nor a claim says any.",
    )
    login_hours: float = Field(default=12, gt=0, le=24 * 31, description="How long a log-in lasts.")
    upload_mb: int = Field(default=50, gt=0, le=1_000, description="Largest file that is taken.")
    requests_per_minute: int = Field(
        default=600, gt=0, description="Requests of one person; more are told when to come back."
    )
    login_tries: int = Field(
        default=5,
        gt=0,
        description="Wrong passwords of one address for one account before it waits; other addresses do not.",
    )
    stop_seconds: float = Field(
        default=30, ge=0, description="How long turns at work may go on when the server stops."
    )
    oidc: Oidc = Field(
        default_factory=lambda: Oidc.model_validate({}), description="The OpenID provider of `auth: [oidc]`."
    )

    @field_validator("public_url")
    @classmethod
    def _an_origin(cls, value: str | None) -> str | None:
        checked_address(value)
        if value is not None and urlsplit(value).path not in ("", "/"):
            raise ValueError("an address without a path")
        return value.rstrip("/") if value is not None else None

    @field_validator("proxies")
    @classmethod
    def _networks(cls, value: list[str]) -> list[str]:
        for each in value:
            ip_network(each, strict=False)
        return value
