"""Log-in with an OpenID provider: a real one, and one that lies."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tests.support.agents import Runs, figures
from tests.support.oidc import LyingProvider, lying_provider, provider_process
from tests.support.web import ORIGIN, Site, site


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METAAGENT_OIDC_SECRET", "of-the-client")


def settings(issuer: str, **oidc: Any) -> dict[str, Any]:
    return {
        "auth": ["oidc"],
        "oidc": {
            "issuer": issuer,
            "company_claim": "org",
            "companies": {"acme-corp": "acme"},
            "roles_claim": "groups",
            "roles": {"sales": ["staff"]},
            **oidc,
        },
    }


async def begun(client: httpx.AsyncClient, target: str = "/") -> tuple[str, dict[str, str]]:
    """The provider's address that the browser is sent to, and what it says."""
    answer = await client.get("/login/oidc", params={"next": target})
    assert answer.status_code == 303, answer.text
    asked = {name: values[0] for name, values in parse_qs(urlsplit(answer.headers["location"]).query).items()}
    return answer.headers["location"], asked


async def approved(address: str, person: str) -> str:
    """The address that the provider sends the browser back to."""
    async with httpx.AsyncClient() as browser:
        answer = await browser.post(address, data={"sub": person})
        assert answer.status_code == 302, answer.text
        return answer.headers["location"]


async def test_provider_vouches_for_company_and_roles(data: Path, runs: Runs):
    async with (
        provider_process(sub="kim", org="acme-corp", groups=["sales", "others"]) as issuer,
        site(data, figures(runs), web=settings(issuer)) as here,
        here.client(Origin=ORIGIN) as client,
    ):
        address, asked = await begun(client, "/api/v1/me?x=1")
        assert asked["code_challenge_method"] == "S256"
        assert asked["response_type"] == "code"
        back = await approved(address, "kim")
        entered = await client.get(back.removeprefix(ORIGIN))
        assert entered.status_code == 303, entered.text
        assert (entered.status_code, entered.headers["location"]) == (303, "/api/v1/me?x=1")
        me = (await client.get("/api/v1/me")).json()
        assert (me["user_id"], me["company_id"], me["roles"]) == ("kim", "acme", ["staff"])
        async with here.client(Cookie=f"metaagent-oidc={asked['state']}") as thief:
            assert (await thief.get(back.removeprefix(ORIGIN))).status_code == 401, "a code counts once"


async def test_person_of_an_unknown_company_is_refused(data: Path, runs: Runs):
    async with (
        provider_process(sub="kim", org="other-corp") as issuer,
        site(data, figures(runs), web=settings(issuer)) as here,
        here.client(Origin=ORIGIN) as client,
    ):
        address, _ = await begun(client)
        refused = await client.get((await approved(address, "kim")).removeprefix(ORIGIN))
        assert refused.status_code == 403
        assert (await client.get("/api/v1/me")).status_code == 401


async def came_back(here: Site, provider: LyingProvider, **lie: Any) -> int:
    """The status of a log-in in which the provider lies so."""
    for name, value in lie.items():
        setattr(provider, name, value)
    async with here.client(Origin=ORIGIN) as client:
        _, asked = await begun(client)
        provider.nonce = lie.get("nonce", asked["nonce"])
        path = f"/login/oidc/callback?code=abc&state={asked['state']}"
        status = (await client.get(path)).status_code
        assert provider.forms[-1]["code_verifier"]
        known = (await client.get("/api/v1/me")).status_code
        assert (known == 200) == (status == 303)
        return status


TRUE = {"org": "acme-corp", "groups": ["sales"]}


@pytest.mark.parametrize(
    "lie",
    [
        {"algorithm": "none"},
        {"algorithm": "HS256"},
        {"by_other": True},
        {"nonce": "another"},
        {"nonce": None},
        {"claims": {**TRUE, "aud": "somebody-else"}},
        {"claims": {**TRUE, "iss": "http://127.0.0.1:1"}},
        {"claims": {**TRUE, "exp": 1}},
        {"claims": {**TRUE, "sub": ""}},
        {"claims": {**TRUE, "sub": 7}},
        {"claims": {"org": ["acme-corp"]}},
    ],
    ids=str,
)
async def test_lie_of_a_provider_lets_nobody_in(lie: dict[str, Any], data: Path, runs: Runs):
    async with lying_provider() as provider:
        provider.claims = TRUE
        async with site(data, figures(runs), web=settings(provider.issuer)) as here:
            assert await came_back(here, provider) == 303, "the truth lets in"
            assert await came_back(here, provider, **lie) in (401, 403)


async def test_state_of_another_browser_lets_nobody_in(data: Path, runs: Runs):
    async with lying_provider() as provider:
        provider.claims = TRUE
        async with (
            site(data, figures(runs), web=settings(provider.issuer)) as here,
            here.client() as attacker,
            here.client() as victim,
        ):
            _, asked = await begun(attacker)
            provider.nonce = asked["nonce"]
            for state in (asked["state"], "", "x", asked["state"] + "x"):
                refused = await victim.get("/login/oidc/callback", params={"code": "abc", "state": state})
                assert refused.status_code == 401
            assert provider.forms == []


async def test_state_counts_once_in_its_own_browser(data: Path, runs: Runs):
    async with lying_provider() as provider:
        provider.claims = TRUE
        async with (
            site(data, figures(runs), web=settings(provider.issuer)) as here,
            here.client(Origin=ORIGIN) as client,
        ):
            _, asked = await begun(client)
            provider.nonce = asked["nonce"]
            back = f"/login/oidc/callback?code=abc&state={asked['state']}"
            assert (await client.get(back)).status_code == 303
            client.cookies.set("metaagent-oidc", asked["state"])
            assert (await client.get(back)).status_code == 401


async def test_provider_by_another_name_is_not_believed(data: Path, runs: Runs):
    async with lying_provider() as provider:
        provider.named = "https://accounts.example.com"
        async with site(data, figures(runs), web=settings(provider.issuer)) as here, here.client() as client:
            assert (await client.get("/login/oidc")).status_code == 503
