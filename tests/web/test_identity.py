"""Who is it: addresses, cookies, passwords, keys, proxies; forged, replayed, expired, foreign."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import argon2
import httpx
import pytest
from starlette.requests import HTTPConnection

from metaagent.config import Web
from metaagent.errors import ConfigInvalid
from metaagent.level2.memory.agent import memory
from metaagent.ports import User
from metaagent.testing import FakeClock
from metaagent.web.login import inside
from metaagent.web.server import check_place
from metaagent.web.server_address import Place
from tests.support.agents import Runs, figures, opened
from tests.support.web import KIM, LEE, ORIGIN, Site, listening, site

ACCOUNTS = {"auth": ["accounts"]}
PASSWORD = "correct horse battery"


async def entries(here: Site, tenant: str = "acme") -> list[dict[str, Any]]:
    reader = User("reader", tenant, ("reviewer",))
    return await here.app.governance.audit_list(limit=1_000, user=reader)


async def with_account(here: Site, name: str = "kim", user: User = KIM) -> None:
    await here.app.accounts.add(name, user, PASSWORD, user=User())


async def logged_in(
    client: httpx.AsyncClient, name: str = "kim", password: str = PASSWORD, **form: str
) -> httpx.Response:
    return await client.post("/login", data={"name": name, "password": password, **form})


async def test_one_time_address_counts_once(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here:
        path = here.web.state.log_in.new_address()
        async with here.client() as first, here.client() as second:
            entered = await first.get(path)
            assert (entered.status_code, entered.headers["location"]) == (303, "/")
            cookie = entered.headers["set-cookie"]
            assert "HttpOnly" in cookie
            assert "samesite=lax" in cookie.lower()
            assert (await first.get("/api/v1/me")).json()["roles"] == ["owner"]
            assert (await second.get(path)).status_code == 401
            assert (await second.get("/api/v1/me")).status_code == 401
        events = [entry["event"] for entry in await entries(here, "local")]
        assert events.count("login.begun") == events.count("login.refused") == 1


async def test_older_one_time_address_is_void(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, here.client() as client:
        older = here.web.state.log_in.new_address()
        here.web.state.log_in.new_address()
        assert (await client.get(older)).status_code == 401
        assert len(here.addresses) == 2


async def test_forged_and_ended_cookies_are_nobody(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, await here.owner() as client:
        good = client.cookies["metaagent"]
        for forged in ("", "x", good[:-1], good + "x", good.swapcase(), "\x7f" * 20, "a" * 5_000):
            async with here.client(Cookie=f"metaagent={forged}") as other:
                assert (await other.get("/api/v1/me")).status_code == 401
        assert (await client.post("/logout")).status_code == 303
        async with here.client(Cookie=f"metaagent={good}") as replayed:
            assert (await replayed.get("/api/v1/me")).status_code == 401


async def test_expired_log_in_and_key_are_nobody(data: Path, runs: Runs):
    clock = FakeClock()
    async with (
        site(data, figures(runs), clock=clock, web={"login_hours": 1}) as here,
        await here.owner() as browser,
        await here.of(KIM) as program,
    ):
        assert (await browser.get("/api/v1/me")).status_code == 200
        assert (await program.get("/api/v1/me")).status_code == 200
        clock.advance(timedelta(hours=2).total_seconds())
        assert (await browser.get("/api/v1/me")).status_code == 401
        assert (await program.get("/api/v1/me")).status_code == 200
        clock.advance(timedelta(days=2).total_seconds())
        refused = await program.get("/api/v1/me")
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"].startswith("Bearer")


async def test_wrong_keys_are_nobody_and_on_record(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here:
        good = await here.key(KIM)
        stored = (data / "metaagent.db").read_bytes()
        assert good.split("_", 2)[2].encode() not in stored
        for wrong in (good[:-1] + "#", "ma_k0_x", "ma", "x" * 3_000, good.replace("ma_", "mb_", 1)):
            async with here.client(wrong) as client:
                assert (await client.get("/api/v1/me")).status_code == 401
        async with here.client(Authorization="Basic a2ltOmtpbQ==") as client:
            assert (await client.get("/api/v1/me")).status_code == 401
        assert "key.refused" in [entry["event"] for entry in await entries(here)]


async def test_key_does_only_what_its_scopes_name(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here:
        async with here.client(await here.key(KIM, scopes=("session.read",))) as client:
            assert (await client.get("/api/v1/sessions")).status_code == 200
            for method, path, body in (
                ("POST", "/api/v1/questions", {"text": "figures"}),
                ("GET", "/api/v1/memories", None),
                ("POST", "/api/v1/agents/figures/disable", None),
                ("POST", "/api/v1/erasures", {"person": "lee"}),
            ):
                assert (await client.request(method, path, json=body)).status_code == 403, path
        assert runs.of("figures") == 0


@pytest.mark.parametrize(
    "said", ["what do you remember about me?", "remember that my region is Busan", "forget my nickname"]
)
async def test_asking_opens_no_memory_to_a_key_without_it(said: str, data: Path):
    scopes = ("session.ask", "session.read")
    async with site(data, memory) as here:
        await here.app.remember("my nickname is Canary", user=KIM)
        before = await here.app.memories(user=KIM)
        async with here.client(await here.key(KIM, scopes=scopes)) as client:
            begun = (await client.post("/api/v1/questions", json={"text": said})).json()
            events = (await client.get(begun["events"])).text
            state = await client.get(f"/api/v1/sessions/{begun['session_id']}/state")
            assert state.status_code == 200
            assert "Canary" not in events + state.text
        assert await here.app.memories(user=KIM) == before
        (turn,) = await here.app.turns(begun["session_id"], user=KIM)
        assert turn.user.scopes == scopes, "whoever goes on with it knows them"
        whole = await here.app.ask(said, user=KIM)
        assert whole.text.startswith(("This is what", "Remembered", "Forgotten"))


async def test_use_of_a_key_is_on_record(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, await here.of(KIM) as client:
        for _ in range(3):
            await client.get("/api/v1/me")
        used = [entry for entry in await entries(here) if entry["event"] == "key.used"]
        assert len(used) == 1, "once in a while, not with every request"


async def test_cookie_needs_a_page_of_ours_to_change_something(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, await here.owner() as browser:
        body = {"text": "figures"}
        for origin in (
            "https://evil.example",
            "null",
            "http://127.0.0.1:9",
            "http://127.0.0.1:8080.evil.example",
        ):
            refused = await browser.post("/api/v1/questions", json=body, headers={"Origin": origin})
            assert refused.status_code == 403, origin
        del browser.headers["Origin"]
        assert (await browser.post("/api/v1/questions", json=body)).status_code == 403
        own = {"Sec-Fetch-Site": "same-origin"}
        assert (await browser.post("/api/v1/questions", json=body, headers=own)).status_code == 202
        cross = {"Sec-Fetch-Site": "cross-site"}
        assert (await browser.post("/api/v1/questions", json=body, headers=cross)).status_code == 403
        assert (await browser.get("/api/v1/sessions")).status_code == 200


async def test_socket_of_a_foreign_page_is_refused(data: Path, runs: Runs):
    from websockets.asyncio.client import connect
    from websockets.exceptions import InvalidStatus

    async with (
        site(data, figures(runs)) as here,
        listening(here.web) as address,
        httpx.AsyncClient(base_url=address) as browser,
    ):
        await browser.get(here.web.state.log_in.new_address())
        own = {"Origin": address}
        begun = await browser.post("/api/v1/questions", json={"text": "figures"}, headers=own)
        path = f"{address.replace('http', 'ws')}/api/v1/turns/{begun.json()['turn_id']}/socket"
        cookie = {"Cookie": f"metaagent={browser.cookies['metaagent']}"}
        for origin in ("https://evil.example", None):
            with pytest.raises(InvalidStatus):
                async with connect(path, additional_headers=cookie, origin=origin):  # pyright: ignore[reportArgumentType]
                    pass
        async with connect(path, additional_headers=cookie, origin=address) as socket:  # pyright: ignore[reportArgumentType]
            assert await asyncio.wait_for(socket.recv(), 20)


async def test_another_name_of_the_server_is_refused(data: Path, runs: Runs):
    async with site(data, figures(runs), web={"hosts": ["ask.local"]}) as here, await here.of(KIM) as client:
        for host, status in (
            ("evil.example", 422),
            ("127.0.0.1.evil.example:8080", 422),
            ("", 422),
            ("ask.local:8080", 200),
            ("localhost", 200),
            ("[::1]:8080", 200),
        ):
            assert (await client.get("/api/v1/me", headers={"Host": host})).status_code == status, host


@pytest.mark.parametrize(
    "target",
    [
        *(
            "https://evil.example",
            "//evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "javascript:alert(1)",
        ),
        *(
            "/\t/evil.example",
            "evil.example",
            "",
            "/%0d%0aSet-Cookie:x\r\n",
            "http:evil.example",
            "///evil.example",
        ),
    ],
)
async def test_log_in_leads_nowhere_else(target: str, data: Path, runs: Runs):
    assert inside(target) in ("/", target)
    assert not inside(target).startswith(("//", "/\\", "h", "j"))
    async with site(data, figures(runs)) as here, here.client() as client:
        path = here.web.state.log_in.new_address()
        answer = await client.get(
            path, params={**dict(httpx.QueryParams(path.split("?")[1])), "next": target}
        )
        assert answer.headers["location"] == "/" or answer.headers["location"] == inside(target)


async def test_password_logs_in_and_wrong_ones_wait(data: Path, runs: Runs):
    async with site(data, figures(runs), web={**ACCOUNTS, "login_tries": 3}) as here:
        await with_account(here)
        async with here.client(Origin=ORIGIN) as client:
            for _ in range(3):
                assert (await logged_in(client, password="wrong password")).status_code == 401
            refused = await logged_in(client)
            assert refused.status_code == 429
            assert int(refused.headers["retry-after"]) > 0
        kinds = [entry["event"] for entry in await entries(here)]
        assert kinds.count("login.refused") == 3


async def test_guessing_locks_out_nobody_else(data: Path, runs: Runs):
    web = {**ACCOUNTS, "login_tries": 2, "proxies": ["127.0.0.1"]}
    async with site(data, figures(runs), web=web) as here:
        await with_account(here)
        here_before = here.client(Origin=ORIGIN)
        assert (await logged_in(here_before)).status_code == 303, "this browser is known from now on"
        async with here.client(Origin=ORIGIN) as guesser:
            for _ in range(3):
                wrong = {"name": "kim", "password": "wrong"}
                await guesser.post("/login", data=wrong, headers={"X-Forwarded-For": "203.0.113.200"})
            afar = here.client(Origin=ORIGIN, **{"X-Forwarded-For": "198.51.100.6"})
            assert (await logged_in(afar)).status_code == 303, "the tries of one address are its own"
            for number in range(60):
                address = {"X-Forwarded-For": f"203.0.113.{number}"}
                await guesser.post("/login", data={"name": "kim", "password": "wrong"}, headers=address)
        elsewhere = here.client(Origin=ORIGIN, **{"X-Forwarded-For": "198.51.100.7"})
        assert (await logged_in(elsewhere)).status_code == 429, "strangers together have had their tries"
        assert (await logged_in(here_before)).status_code == 303
        async with here.client(Origin=ORIGIN) as another:
            await with_account(here, "lee", LEE)
            assert (await logged_in(another, "lee")).status_code == 303


async def test_unknown_name_and_wrong_password_look_alike(data: Path, runs: Runs):
    async with site(data, figures(runs), web=ACCOUNTS) as here:
        await with_account(here)
        async with here.client(Origin=ORIGIN) as client:
            known = await logged_in(client, password="wrong")
            unknown = await logged_in(client, "nobody", "wrong")
            alike = known.text.replace('value="kim"', 'value="nobody"')
            assert (known.status_code, alike) == (unknown.status_code, unknown.text)
            assert alike != known.text, "the name stays in its field"


async def test_unknown_name_costs_a_hash_as_a_known_one_does(
    data: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
):
    hasher, tried = argon2.PasswordHasher().__class__, list[str]()
    verify = hasher.verify

    def counted(self: argon2.PasswordHasher, known: str, password: str) -> bool:
        tried.append(password)
        return verify(self, known, password)

    async with site(data, figures(runs), web=ACCOUNTS) as here:
        await with_account(here)
        monkeypatch.setattr(hasher, "verify", counted)
        for name in ("kim", "nobody"):
            assert await here.app.accounts.check_password(name, f"wrong for {name}") is None
    assert tried == ["wrong for kim", "wrong for nobody"]


async def test_form_of_another_site_logs_nobody_in(data: Path, runs: Runs):
    async with site(data, figures(runs), web=ACCOUNTS) as here:
        await with_account(here)
        async with here.client(Origin="https://evil.example") as client:
            assert (await logged_in(client)).status_code == 403
            assert "metaagent" not in client.cookies


async def test_removed_account_is_nobody_at_once(data: Path, runs: Runs):
    async with site(data, figures(runs), web=ACCOUNTS) as here:
        await with_account(here)
        async with here.client(Origin=ORIGIN) as client:
            await logged_in(client)
            assert (await client.get("/api/v1/me")).json()["user_id"] == "kim"
            (login,) = (await client.get("/api/v1/me/logins")).json()
            await here.app.accounts.set_password("kim", "another password", user=User())
            assert (await client.get("/api/v1/me")).status_code == 401
            await logged_in(client, password="another password")
            assert (await client.get("/api/v1/me/logins")).json()[0]["login_id"] != login["login_id"]
            await here.app.accounts.remove("kim", user=User())
            assert (await client.get("/api/v1/me")).status_code == 401


async def test_log_in_is_ended_from_another_browser(data: Path, runs: Runs):
    async with site(data, figures(runs), web=ACCOUNTS) as here:
        await with_account(here)
        async with here.client(Origin=ORIGIN) as lost, here.client(Origin=ORIGIN) as kept:
            await logged_in(lost)
            (login,) = (await lost.get("/api/v1/me/logins")).json()
            await logged_in(kept)
            assert (await kept.delete(f"/api/v1/me/logins/{login['login_id']}")).status_code == 200
            assert (await lost.get("/api/v1/me")).status_code == 401
            assert (await kept.get("/api/v1/me")).status_code == 200


async def test_account_called_owner_is_nobody_special(data: Path, runs: Runs):
    async with site(data, figures(runs), web=ACCOUNTS) as here:
        await here.app.ask("figures")
        await with_account(here, "owner", User("owner", "local", ("owner", "staff")))
        async with here.client(Origin=ORIGIN) as client:
            await logged_in(client, "owner")
            assert "owner" not in (await client.get("/api/v1/me")).json()["roles"]
            assert (await client.get("/api/v1/sessions")).json()["items"] == []


async def test_password_is_nowhere_in_the_data(data: Path, runs: Runs):
    async with site(data, figures(runs), web=ACCOUNTS) as here:
        await with_account(here)
        async with here.client(Origin=ORIGIN) as client:
            await logged_in(client, password="guessed-secret-1")
            await logged_in(client)
            cookie = client.cookies["metaagent"]
    for path in data.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            for secret in (PASSWORD, "guessed-secret-1", cookie, "argon2id"):
                assert secret.encode() not in content, path


async def test_proxy_header_counts_only_from_the_proxy(data: Path, runs: Runs):
    web = {"auth": ["proxy"], "proxies": ["127.0.0.1"], "company": "acme", "roles": ["staff"]}
    async with site(data, figures(runs), web=web) as here:
        async with here.client(**{"X-Remote-User": "kim", "Origin": ORIGIN}) as client:
            assert (await client.get("/api/v1/me")).json()["user_id"] == "kim"
            twice = [("X-Remote-User", "kim"), ("X-Remote-User", "lee")]
            assert (await here.client().get("/api/v1/me", headers=twice)).status_code == 401
            foreign = {"Origin": "https://evil.example"}
            refused = await client.post("/api/v1/questions", json={"text": "figures"}, headers=foreign)
            assert refused.status_code == 403
        transport = httpx.ASGITransport(here.web, client=("192.0.2.1", 5000))
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as direct:
            assert (await direct.get("/api/v1/me", headers={"X-Remote-User": "kim"})).status_code == 401


@pytest.mark.parametrize(
    ("peer", "passed", "client"),
    [
        ("10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "198.51.100.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("192.0.2.5", "203.0.113.9", "192.0.2.5"),
    ],
)
def test_address_is_what_the_last_stranger_had(peer: str, passed: str, client: str):
    place = Place(Web.model_validate({"proxies": ["10.0.0.0/24"]}))
    scope = {"type": "http", "client": (peer, 1), "headers": [(b"x-forwarded-for", passed.encode())]}
    assert place.client(HTTPConnection(scope)) == client


async def test_cookie_is_secure_where_people_come_by_tls(data: Path, runs: Runs):
    web = {**ACCOUNTS, "public_url": "https://ask.example.com"}
    async with site(data, figures(runs), web=web) as here:
        await with_account(here)
        headers = {"Origin": "https://ask.example.com", "Host": "ask.example.com"}
        async with here.client(**headers) as client:
            answer = await logged_in(client)
            cookies = answer.headers.get_list("set-cookie")
            assert any(each.startswith("__Host-metaagent=") for each in cookies)
            assert all("Secure" in each and "HttpOnly" in each for each in cookies)
            assert "max-age" in answer.headers["strict-transport-security"]


@pytest.mark.parametrize(
    ("web", "host"),
    [
        ({}, "0.0.0.0"),
        ({}, "::"),
        ({}, "192.0.2.1"),
        ({"public_url": "https://ask.example.com"}, "127.0.0.1"),
        ({"auth": []}, "127.0.0.1"),
        ({"auth": ["proxy"]}, "127.0.0.1"),
    ],
)
async def test_server_open_to_all_is_refused(web: dict[str, Any], host: str, data: Path, runs: Runs):
    async with opened(data, figures(runs), web=web) as app:
        with pytest.raises(ConfigInvalid, match=r"web\."):
            check_place(app.settings, host)


async def test_one_person_is_slowed_without_another(data: Path, runs: Runs):
    async with (
        site(data, figures(runs), web={"requests_per_minute": 5}) as here,
        await here.of(KIM) as client,
        await here.of(LEE) as other,
    ):
        answers = [(await client.get("/api/v1/me")) for _ in range(7)]
        assert [each.status_code for each in answers] == [200] * 5 + [429] * 2
        assert int(answers[-1].headers["retry-after"]) > 0
        assert (await other.get("/api/v1/me")).status_code == 200
