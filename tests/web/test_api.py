"""The HTTP API: questions, events, answers, approvals, files, lists, problems, keys of requests."""

from __future__ import annotations

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import httpx
import pytest

from metaagent.ports import User
from metaagent.web.api import events as event_routes
from tests.support.agents import Runs, asking, drawing, figures, gate, worker
from tests.support.web import EVE, KIM, LEE, listening, site


def events_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]


async def asked(client: httpx.AsyncClient, text: str, **more: Any) -> dict[str, Any]:
    answer = await client.post("/api/v1/questions", json={"text": text, **more})
    assert answer.status_code == 202, answer.text
    return answer.json()


async def followed(client: httpx.AsyncClient, turn_id: str, **params: Any) -> list[dict[str, Any]]:
    answer = await client.get(f"/api/v1/turns/{turn_id}/events", params=params)
    assert answer.status_code == 200, answer.text
    return events_of(answer.text)


async def test_question_returns_at_once_and_is_answered_in_events(data: Path, runs: Runs):
    held = gate()
    async with site(data, worker(runs, "figures", before=held)) as here, await here.of(KIM) as client:
        begun = await asked(client, "figures")
        standing = await client.get(f"/api/v1/turns/{begun['turn_id']}")
        assert standing.json()["status"] == "running"
        held.opened.set()
        events = await followed(client, begun["turn_id"])
        assert [event["seq"] for event in events] == [*range(1, len(events) + 1)]
        assert events[-1]["type"] == "response"
        whole = (await client.get(f"/api/v1/turns/{begun['turn_id']}")).json()
        assert (whole["status"], whole["outcome"]["answer"]) == ("completed", "figures done")
        listed = (await client.get("/api/v1/sessions")).json()["items"]
        assert [each["session_id"] for each in listed] == [begun["session_id"]]


async def test_reader_that_comes_back_misses_nothing(data: Path, runs: Runs):
    async with site(data, figures(runs), drawing(runs)) as here, await here.of(KIM) as client:
        begun = await asked(client, "drawing")
        whole = await followed(client, begun["turn_id"])
        path = f"/api/v1/turns/{begun['turn_id']}/events"
        for seen in range(len(whole)):
            again = await client.get(path, headers={"Last-Event-ID": str(seen)})
            assert events_of(again.text) == whole[seen:]
        ended = await client.get(path, headers={"Last-Event-ID": str(len(whole))})
        assert ended.status_code == 204


STREAMED = {"Accept": "text/event-stream"}


async def test_question_is_answered_in_events_of_the_same_request(data: Path, runs: Runs):
    async with site(data, asking(runs)) as here, await here.of(KIM) as client:
        key = {**STREAMED, "Idempotency-Key": "one"}
        begun = await client.post("/api/v1/questions", json={"text": "asking"}, headers=key)
        assert begun.status_code == 202
        assert begun.headers["content-type"].startswith("text/event-stream")
        events = events_of(begun.text)
        assert [event["seq"] for event in events] == [*range(1, len(events) + 1)]
        assert events[-1]["type"] == "clarification_needed"
        assert begun.headers["content-location"] == f"/api/v1/turns/{events[0]['turn_id']}/events"
        again = await client.post("/api/v1/questions", json={"text": "asking"}, headers=key)
        assert (events_of(again.text), again.headers["idempotency-replayed"]) == (events, "true")
        assert len((await client.get("/api/v1/sessions")).json()["items"]) == 1
        seen = {**STREAMED, "Last-Event-ID": str(len(events))}
        path = f"/api/v1/sessions/{events[0]['session_id']}/answers"
        more = events_of((await client.post(path, json={"answer": "left"}, headers=seen)).text)
        assert (more[0]["seq"], more[-1]["type"]) == (len(events) + 1, "response")
        refused = await client.post(path, json={"answer": "left"}, headers=STREAMED)
        assert refused.headers["content-type"] == "application/problem+json"


async def test_turn_goes_on_after_who_asked_has_left_its_stream(data: Path, runs: Runs):
    held = gate()
    async with site(data, worker(runs, "figures", before=held)) as here, listening(here.web) as address:
        headers = {**STREAMED, "Authorization": f"Bearer {await here.key(KIM)}"}
        async with httpx.AsyncClient(base_url=address, headers=headers) as client:
            async with client.stream("POST", "/api/v1/questions", json={"text": "figures"}) as stream:
                where = stream.headers["content-location"]
            held.opened.set()
            assert events_of((await client.get(where)).text)[-1]["type"] == "response"


async def test_key_that_may_ask_and_not_read_is_told_of_its_turn(data: Path, runs: Runs):
    only = ("session.ask",)
    async with (
        site(data, figures(runs)) as here,
        here.client(await here.key(scopes=only), **STREAMED) as client,
    ):
        begun = await client.post("/api/v1/questions", json={"text": "figures"})
        assert (begun.status_code, begun.headers["content-type"]) == (202, "application/json")
        assert (await client.get(begun.json()["events"])).status_code == 403


async def test_clarification_is_answered(data: Path, runs: Runs):
    async with site(data, asking(runs)) as here, await here.of(KIM) as client:
        begun = await asked(client, "asking")
        events = await followed(client, begun["turn_id"])
        assert events[-1]["type"] == "clarification_needed"
        waiting = (await client.get(f"/api/v1/sessions/{begun['session_id']}/turns")).json()["items"][0]
        assert waiting["waiting"][0]["options"] == ["left", "right"]
        refused = await client.post(
            "/api/v1/questions", json={"text": "asking", "session_id": begun["session_id"]}
        )
        assert (refused.status_code, refused.json()["code"]) == (409, "turn_waiting")
        answered = await client.post(
            f"/api/v1/sessions/{begun['session_id']}/answers", json={"answer": "left"}
        )
        assert answered.status_code == 202
        more = await followed(client, begun["turn_id"], after=len(events))
        assert more[-1]["type"] == "response"
        assert more[0]["seq"] == len(events) + 1


async def test_another_approves_a_plan_with_an_edit(data: Path, runs: Runs):
    plan = {"approval": {"mode": "always"}}
    access = {
        "policies": {
            "staff": {**_STAFF, "operations": ["session.ask", "session.read", "session.resume"]},
            "boss": {"operations": ["session.approve:any"]},
        }
    }
    boss = User("boss", "acme", ("boss",))
    async with (
        site(data, figures(runs), worker(runs, "other"), access=access, **plan) as here,
        await here.of(KIM) as client,
        await here.of(boss) as decider,
    ):
        begun = await asked(client, "figures and other")
        events = await followed(client, begun["turn_id"])
        assert events[-1]["type"] == "approval_needed"
        path = f"/api/v1/sessions/{begun['session_id']}/approval"
        assert (await client.post(path, json={})).status_code == 403
        (waiting,) = (await decider.get("/api/v1/approvals")).json()["items"]
        steps = [step["step_id"] for step in waiting["steps"]]
        dropped = await decider.post(path, json={"drop": [steps[-1]], "reason": "one is enough"})
        assert dropped.status_code == 202, dropped.text
        more = await followed(client, begun["turn_id"], after=len(events))
        assert more[-1]["type"] == "response"
        assert runs.of("figures") + runs.of("other") == 1


_STAFF: dict[str, Any] = {
    name: ["*"] for name in ("agents", "capabilities", "data", "artifacts", "ports", "collections")
}


async def test_artifact_is_downloaded_whole_and_in_part(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, await here.of(KIM) as client:
        begun = await asked(client, "figures")
        events = await followed(client, begun["turn_id"])
        (ref,) = [event["artifact"] for event in events if event["type"] == "artifact_ready"]
        path = f"/api/v1/sessions/{begun['session_id']}/artifacts/{ref['id']}"
        assert (await client.get(path)).json()["kind"] == "dataset"
        whole = await client.get(f"{path}/content")
        assert whole.json()["by"] == "figures"
        assert whole.headers["content-disposition"].startswith("attachment;")
        assert "sandbox" in whole.headers["content-security-policy"]
        some = await client.get(f"{path}/content", headers={"Range": "bytes=2-5"})
        assert (some.status_code, some.content) == (206, whole.content[2:6])
        beyond = await client.get(f"{path}/content", headers={"Range": "bytes=999999-"})
        assert beyond.status_code == 416


async def test_lists_go_on_from_their_cursor(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, await here.of(KIM) as client:
        sessions = [(await asked(client, "figures"))["session_id"] for _ in range(3)]
        first = await asked(client, "figures")
        for _ in range(4):
            await followed(client, first["turn_id"])
            first = await asked(client, "figures", session_id=first["session_id"])
        seen: list[str] = []
        cursor: str | None = ""
        while cursor is not None:
            params = {"limit": 2, **({"cursor": cursor} if cursor else {})}
            found = (await client.get("/api/v1/sessions", params=params)).json()
            seen += [each["session_id"] for each in found["items"]]
            cursor = found["next"]
        assert sorted(seen) == sorted([*sessions, first["session_id"]])
        numbers: list[int] = []
        cursor = ""
        while cursor is not None:
            params = {"limit": 2, **({"cursor": cursor} if cursor else {})}
            path = f"/api/v1/sessions/{first['session_id']}/turns"
            found = (await client.get(path, params=params)).json()
            numbers += [each["number"] for each in found["items"]]
            cursor = found["next"]
        assert numbers == [5, 4, 3, 2, 1]
        bad = await client.get("/api/v1/sessions", params={"cursor": "bm9uZQ"})
        assert bad.status_code == 422


async def test_same_key_is_done_once_and_answered_the_same(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, await here.of(KIM) as client:
        key = {"Idempotency-Key": "one"}
        first = await client.post("/api/v1/questions", json={"text": "figures"}, headers=key)
        again = await client.post("/api/v1/questions", json={"text": "figures"}, headers=key)
        assert (again.status_code, again.content) == (first.status_code, first.content)
        assert again.headers["idempotency-replayed"] == "true"
        other = await client.post("/api/v1/questions", json={"text": "other"}, headers=key)
        assert other.status_code == 422
        assert len((await client.get("/api/v1/sessions")).json()["items"]) == 1
        async with await here.of(LEE) as another:
            theirs = await another.post("/api/v1/questions", json={"text": "figures"}, headers=key)
            assert theirs.json()["turn_id"] != first.json()["turn_id"]


async def test_key_that_may_less_gets_no_answer_of_one_that_may(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here:
        for scopes in ((), ("memory.change",)):
            note, key = {"text": "my region is Busan"}, {"Idempotency-Key": f"note {len(scopes)}"}
            async with here.client(await here.key(KIM, scopes=scopes)) as client:
                made = await client.post("/api/v1/memories", json=note, headers=key)
                again = await client.post("/api/v1/memories", json=note, headers=key)
                assert (made.status_code, again.content) == (201, made.content)
            async with here.client(await here.key(KIM, scopes=("session.read",))) as narrow:
                told = await narrow.post("/api/v1/memories", json=note, headers=key)
                assert (told.status_code, "Busan" in told.text) == (403, False)


async def test_same_key_at_the_same_time_is_done_once(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, await here.of(KIM) as client:
        key = {"Idempotency-Key": "two"}
        answers = await asyncio.gather(
            *(client.post("/api/v1/questions", json={"text": "figures"}, headers=key) for _ in range(5))
        )
        assert {each.status_code for each in answers} <= {202, 409}
        assert len((await client.get("/api/v1/sessions")).json()["items"]) == 1


async def test_end_of_a_share_ends_what_a_colleague_follows(
    data: Path, runs: Runs, caplog: pytest.LogCaptureFixture
):
    """By events that are sent and by a socket: both end in order, and no defect is logged."""
    from websockets.asyncio.client import connect
    from websockets.exceptions import ConnectionClosed

    async with site(data, figures(runs)) as here, listening(here.web) as address:
        session = (await here.app.ask("figures", user=KIM)).session_id
        await here.app.share_session(session, user=KIM)
        head = {"Authorization": f"Bearer {await here.key(LEE)}"}
        place = f"/api/v1/sessions/{session}"
        async with (
            asyncio.timeout(60),
            connect(f"{address.replace('http', 'ws')}{place}/socket", additional_headers=head) as socket,
            httpx.AsyncClient(base_url=address, headers=head, timeout=60) as client,
            client.stream("GET", f"{place}/events") as stream,
        ):
            lines = stream.aiter_lines()
            while await anext(lines) != "event: response":
                pass
            while json.loads(await socket.recv())["type"] != "response":
                pass
            await here.app.unshare_session(session, user=KIM)
            await here.app.ask("figures", session_id=session, user=KIM)
            assert not [line async for line in lines if line.startswith("id: 2.")]
            with pytest.raises(ConnectionClosed) as closed:
                await socket.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4404
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]


async def test_key_that_is_ended_ends_a_busy_stream(data: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch):
    """Events come more often than the pause in which a log-in is looked at."""
    monkeypatch.setattr(event_routes, "QUIET_SECONDS", 1.0)
    async with site(data, figures(runs)) as here, listening(here.web) as address:
        session = (await here.app.ask("figures", user=KIM)).session_id
        made = await here.app.accounts.create_key("reader", KIM, days=1, user=User())
        head = {"Authorization": f"Bearer {made['secret']}"}

        async def asking_on() -> None:
            while True:
                await here.app.ask("figures", session_id=session, user=KIM)

        async with (
            asyncio.timeout(60),
            httpx.AsyncClient(base_url=address, headers=head, timeout=60) as client,
            client.stream("GET", f"/api/v1/sessions/{session}/events") as stream,
        ):
            lines = stream.aiter_lines()
            await anext(lines)
            await here.app.accounts.revoke_key(made["key_id"], user=User())
            busy = asyncio.create_task(asking_on())
            try:
                async with asyncio.timeout(8):
                    async for _ in lines:
                        pass
                assert not busy.done()
            finally:
                busy.cancel()


async def test_problem_is_said_in_the_language_of_the_request(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, await here.of(KIM) as client:
        path = "/api/v1/sessions/s0000000000000000"
        for language, word in (("ko-KR,ko;q=0.9", "세션"), ("en", "session"), ("de, ko;q=0.5", "세션")):
            answer = await client.get(path, headers={"Accept-Language": language})
            assert answer.headers["content-type"] == "application/problem+json"
            assert (answer.status_code, answer.json()["code"]) == (404, "unknown_session")
            assert word in answer.json()["detail"]


async def test_erasure_ends_keys_and_log_ins(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, await here.of(LEE) as officer, await here.of(KIM) as client:
        await followed(client, (await asked(client, "figures"))["turn_id"])
        done = await officer.post("/api/v1/erasures", json={"person": "kim"})
        assert done.status_code == 200, done.text
        assert done.json()["receipt"]["stores"]["programs"] == 1
        assert (await client.get("/api/v1/me")).status_code == 401


async def test_live_events_come_by_socket_and_sse_alike(data: Path, runs: Runs):
    from websockets.asyncio.client import connect

    held = gate()
    async with site(data, worker(runs, "figures", before=held)) as here, listening(here.web) as address:
        key = await here.key(KIM)
        async with httpx.AsyncClient(base_url=address, headers={"Authorization": f"Bearer {key}"}) as client:
            begun = await asked(client, "figures")
            path = f"/api/v1/turns/{begun['turn_id']}"
            socket_address = address.replace("http", "ws") + f"{path}/socket"
            async with connect(
                socket_address, additional_headers={"Authorization": f"Bearer {key}"}
            ) as socket:
                first = json.loads(await asyncio.wait_for(socket.recv(), 20))
                assert first["seq"] == 1
                held.opened.set()
                rest = [json.loads(message) async for message in socket]
            streamed = await followed(client, begun["turn_id"])
            assert [first, *rest] == streamed


async def test_foreign_person_follows_nothing(data: Path, runs: Runs):
    async with (
        site(data, figures(runs)) as here,
        await here.of(KIM) as client,
        await here.of(EVE) as stranger,
    ):
        begun = await asked(client, "figures")
        for path in (f"/api/v1/turns/{begun['turn_id']}/events", f"/api/v1/turns/{begun['turn_id']}"):
            assert (await stranger.get(path)).status_code == 404


async def test_figures_of_the_server_name_nobody(data: Path, runs: Runs):
    async with site(data, figures(runs), web={"hosts": ["ask.local"]}) as here, await here.of(KIM) as client:
        await followed(client, (await asked(client, "figures"))["turn_id"])
        text = (await client.get("/metrics")).text
        assert 'route="/api/v1/questions"' in text
        assert "kim" not in text
        assert "acme" not in text
        assert (await client.get("/healthz")).json() == {"status": "ok"}
        assert (await client.get("/readyz")).json() == {"status": "ready"}
        for passed_on in ({"X-Forwarded-For": "203.0.113.9"}, {"Host": "ask.local"}):
            assert (await client.get("/metrics", headers=passed_on)).status_code == 403


async def test_server_that_stops_is_alive_and_not_ready(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, here.client() as client:
        here.web.state.doors.stopping.set()
        answer = await client.get("/readyz")
        assert (answer.status_code, answer.json()) == (503, {"status": "stopping"})
        assert (await client.get("/healthz")).status_code == 200, "it still lives"


async def test_session_is_renamed_pinned_and_shared(data: Path, runs: Runs):
    async with (
        site(data, figures(runs)) as here,
        await here.of(KIM) as client,
        await here.of(LEE) as colleague,
    ):
        session = (await asked(client, "figures"))["session_id"]
        path = f"/api/v1/sessions/{session}"
        renamed = await client.patch(path, json={"title": "Seoul"})
        assert (renamed.status_code, renamed.json()["title"]) == (200, "Seoul")
        assert (await client.post(f"{path}/pin", json={})).json() == {"done": True}
        (pinned,) = (await client.get("/api/v1/sessions", params={"of": "pinned"})).json()["items"]
        assert (pinned["session_id"], pinned["pinned"]) == (session, True)
        assert (await colleague.get(path)).status_code == 404
        shared = await client.post(f"{path}/shares", json={"person": "lee"})
        assert [each["person"] for each in shared.json()] == ["lee"]
        (seen,) = (await colleague.get("/api/v1/sessions", params={"of": "shared"})).json()["items"]
        assert (seen["title"], seen["shared_by"]) == ("Seoul", "kim")
        assert (await colleague.get(f"{path}/turns")).status_code == 200
        assert (await colleague.patch(path, json={"title": "mine"})).status_code == 404
        assert (await client.delete(f"{path}/shares", params={"person": "lee"})).json() == []
        assert (await colleague.get(path)).status_code == 404


async def test_document_is_added_to_what_is_searched(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, await here.of(KIM) as client:
        given = {"file": ("rules.md", b"# Rules\n\nMeals cost at most 100 euros.")}
        made = await client.post("/api/v1/knowledge", files=given, data={"collection": "handbook"})
        assert (made.status_code, made.json()["title"]) == (201, "Rules")
        (listed,) = (await client.get("/api/v1/knowledge")).json()["items"]
        assert (listed["id"], listed["collection"]) == (made.json()["id"], "handbook")
        refused = await client.post("/api/v1/knowledge", files={"file": ("a.exe", b"MZ\x00\x01")})
        assert refused.status_code == 422


async def test_trail_is_listed_newest_first_page_by_page(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, await here.of(KIM) as client:
        await followed(client, (await asked(client, "figures"))["turn_id"])
        seqs: list[int] = []
        cursor: str | None = None
        while True:
            given = {"limit": "3", **({"cursor": cursor} if cursor else {})}
            answer = (await client.get("/api/v1/audit", params=given)).json()
            seqs += [each["seq"] for each in answer["items"]]
            cursor = answer["next"]
            if cursor is None:
                break
        assert len(seqs) > 6
        assert seqs == [*range(seqs[0], 0, -1)]
        ran = (await client.get("/api/v1/audit", params={"agent": "figures"})).json()["items"]
        assert {each["agent"] for each in ran} == {"figures"}


async def test_watcher_of_a_session_sees_every_turn_once(data: Path, runs: Runs):
    async with site(data, figures(runs), asking(runs)) as here, listening(here.web) as address:
        key = await here.key(KIM)
        async with httpx.AsyncClient(
            base_url=address, headers={"Authorization": f"Bearer {key}"}, timeout=60
        ) as client:
            first = await asked(client, "asking")
            path = f"/api/v1/sessions/{first['session_id']}/events"
            seen: list[dict[str, Any]] = []
            await _watched(client, path, seen, until="clarification_needed")
            answered = await client.post(
                f"/api/v1/sessions/{first['session_id']}/answers", json={"answer": "left"}
            )
            assert answered.status_code == 202, answered.text
            await _watched(client, path, seen, until="response")
            await asked(client, "figures", session_id=first["session_id"])
            await _watched(client, path, seen, until="response")
            turns: dict[str, list[int]] = {}
            for event in seen:
                turns.setdefault(event["turn_id"], []).append(event["seq"])
            assert len(turns) == 2
            assert all(seqs == [*range(1, len(seqs) + 1)] for seqs in turns.values())
            refused = await client.get(path, params={"after": "nowhere"})
            assert refused.status_code == 422


async def _watched(client: httpx.AsyncClient, path: str, seen: list[dict[str, Any]], *, until: str) -> None:
    """Read along from where the last reader left, until this event."""
    headers = {"Last-Event-ID": seen[-1]["cursor"]} if seen else {}
    async with asyncio.timeout(60), client.stream("GET", path, headers=headers) as stream:
        async for line in stream.aiter_lines():
            if line.startswith("data: "):
                seen.append(json.loads(line[6:]))
                if seen[-1]["type"] == until:
                    return
