"""Whatever an isolated agent does ends as the outcome of its step; the service and the other steps go on."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from metaagent.audit.store import Where
from metaagent.child.containment import offered
from metaagent.config import Isolation, load_settings
from metaagent.errors import (
    ConfigInvalid,
    MetaAgentError,
)
from metaagent.isolation.host import ChildHost, isolated, target_of
from metaagent.plugin import AgentSpec, Context, Result, Task, agent
from metaagent.ports import AnalysisInput, Json
from metaagent.registry import Registry
from metaagent.runtime import Answer, MetaAgent
from metaagent.testing import NOON, FakeClock, FakeReasoner
from tests.support import isolated_agents
from tests.support.isolated_agents import outside

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="isolation needs Linux"),
    pytest.mark.asyncio(loop_scope="module"),
]

IN_THE_SERVICE = {"bystander", "rescuer"}
LIMITS = {"memory_mb": 320, "cpu_seconds": 30}
OTHER_LIMITS = {"busy_loop": {"cpu_seconds": 1}}


class ByName(FakeReasoner):
    """Each word of the question is a capability that is asked for."""

    async def analyze(self, question: str, context: AnalysisInput) -> Json:
        script = {"required_capabilities": question.split()}
        return {**await super().analyze(question, context), **script}


def settings(folder: Path) -> Mapping[str, Any]:
    names = [spec.name for spec in isolated_agents.everyone() if spec.name not in IN_THE_SERVICE]
    return {
        "data_dir": folder,
        "limits": {"breaker_failures": 1000},
        "agents": {"isolate": {**dict.fromkeys(names, LIMITS), **OTHER_LIMITS}},
    }


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def app(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[MetaAgent]:
    """One service for all tests of this file: what each agent does to it, the next test would notice."""
    async with MetaAgent.open(
        settings(tmp_path_factory.mktemp("isolation")),
        agents=isolated_agents.everyone(),
        reasoner=ByName({}),
        clock=FakeClock(),
    ) as opened:
        assert opened.registry.problems == ()
        yield opened
    assert zombies() == []


async def results(app: MetaAgent, answer: Answer) -> dict[str, Any]:
    state = await app.state(answer.session_id)
    manager = state.get("execution_manager_state") or {}
    return {result["capability"]: result for result in (manager.get("final_results") or {}).values()}


async def made(app: MetaAgent, answer: Answer, capability: str) -> Any:
    result = (await results(app, answer))[capability]
    assert result["status"] == "completed", result
    return await app.artifact(answer.session_id, result["artifacts"][0]["id"])


def zombies() -> list[str]:
    """Children and grandchildren of this process that nobody has reaped."""
    processes: dict[int, dict[str, str]] = {}
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            lines = status.read_text().splitlines()
        except (ProcessLookupError, FileNotFoundError):
            continue
        processes[int(status.parent.name)] = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    ours = {os.getpid()}
    ours |= {pid for pid, fields in processes.items() if int(fields["PPid"]) in ours}
    return [f["Name"] for f in processes.values() if int(f["PPid"]) in ours and f["State"].startswith("Z")]


async def ends(process: int) -> bool:
    """Whether the process behind this descriptor ends; it is closed then."""
    ended, _, _ = await asyncio.to_thread(select.select, [process], [], [], 30)
    os.close(process)
    return bool(ended)


WALLS = offered()
MISBEHAVIOUR = {
    "busy_loop": ("crashed", "1 seconds of CPU time"),
    "busy_until_timeout": ("timeout", "within 1 seconds"),
    "allocates": ("crashed", "320 MB of memory"),
    "allocates_slowly": ("crashed", "320 MB of memory"),
    "exits": ("crashed", "exit code 0"),
    "segfaults": ("crashed", "SIGSEGV"),
    "kills_its_parent": ("timeout", "within 1 seconds")
    if WALLS.processes
    else ("crashed", "the process that starts it is gone"),
    "speaks_garbage": ("crashed", "not part of the protocol"),
    "announces_too_much": ("crashed", "more than the allowed"),
    "speaks_out_of_turn": ("crashed", "not a word for failure"),
    "calls_without_end": ("crashed", "calls at once"),
    "closes_everything": ("timeout", "within 1 seconds") if WALLS.processes else ("crashed", "SIGKILL"),
    "prints_without_end": ("timeout", "within 1 seconds"),
    "never_answers": ("timeout", "within 1 seconds"),
    "breaks": ("defect", "ZeroDivisionError: no {such} luck"),
    "returns_nonsense": ("bad_output", "dict instead of Result"),
    "makes_a_set": ("bad_output", "set"),
    "too_large": ("bad_output", "more than the allowed"),
    "unsure": ("bad_output", "confidence"),
    "gives_up": ("failed", "there is {nothing} to do: 할 일이 없습니다"),
    "stumbles": ("try_again", "not yet"),
    "uses_undeclared": ("port_not_granted", "add 'files' to needs"),
}


@pytest.mark.parametrize("name", MISBEHAVIOUR)
async def test_misbehaviour_ends_as_a_failed_step_and_nothing_else(app: MetaAgent, name: str) -> None:
    kind, words = MISBEHAVIOUR[name]
    answer = await app.ask(f"{name} bystander")
    outcome = await results(app, answer)
    assert answer.status == "completed"
    assert (outcome[name]["status"], outcome[name]["error_type"]) == ("failed", kind)
    assert words in outcome[name]["error"]
    assert await made(app, answer, "bystander") == os.getpid()
    assert await made(app, await app.ask("behaves"), "behaves")
    assert zombies() == []


async def test_isolation_recovers_from_an_agent_that_stops_its_parent(
    app: MetaAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("metaagent.isolation.host.END_SECONDS", 0.2)
    outcome = await results(app, await app.ask("stops_its_parent bystander"))
    assert outcome["stops_its_parent"]["error_type"] == "timeout"
    monkeypatch.undo()
    answer = await app.ask("behaves")
    assert (await made(app, answer, "behaves"))["folder"] != str(Path.cwd())


async def test_crash_is_reported_in_korean_too(app: MetaAgent) -> None:
    outcome = await results(app, await app.ask("allocates", session_id=None))
    assert "memory" in outcome["allocates"]["error"]
    spec = app.registry.agents["allocates"]
    context = Context("allocates", {"user_query": "", "session_id": "s"}, "s1", spec.needs, {})
    with pytest.raises(MetaAgentError) as crash:
        await spec.run(Task("", {}, {}), context)
    assert "메모리 320MB" in crash.value.say("ko")


async def test_a_crash_is_not_retried(app: MetaAgent) -> None:
    state = await app.state((await app.ask("exits")).session_id)
    manager = state.get("execution_manager_state") or {}
    assert [task.get("attempts") for task in manager.get("failed_tasks") or ()] == [1]


async def test_a_crash_leads_to_the_fallback(app: MetaAgent) -> None:
    answer = await app.ask("leaves")
    outcome = (await results(app, answer))["leaves"]
    assert outcome["agent"] == "rescuer"
    assert "exit code 7" in outcome["recovered_from"]["error"]
    assert await made(app, answer, "leaves") == "rescued"


async def test_isolated_agent_runs_without_the_secrets_of_the_service(
    app: MetaAgent, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("METAAGENT_KEY", "secret")
    monkeypatch.setenv("SOME_PASSWORD", "secret")
    async with MetaAgent.open(
        settings(tmp_path), agents=isolated_agents.everyone(), reasoner=ByName({})
    ) as fresh:
        found = await made(fresh, await fresh.ask("behaves"), "behaves")
    assert outside(found["place"]) is None
    # 0: the session's leader is outside of the process namespace that the reader lives in
    assert found["session"] == 0 or found["session"] != os.getsid(0)
    assert "secret" not in found["environment"].values()


async def test_output_printed_by_an_agent_does_not_disturb_it(app: MetaAgent) -> None:
    assert await made(app, await app.ask("prints"), "prints") == ""


async def test_ports_work_from_the_child(app: MetaAgent) -> None:
    events = [event async for event in app.stream("uses_ports")]
    notes = [
        step.get("result") for event in events if event["type"] == "todo_updated" for step in event["steps"]
    ]
    assert "under way" in notes
    answer = await app.answer(events[0]["turn_id"])
    assert await made(app, answer, "uses_ports") == {
        "files": [bytes([number, 255]).hex() for number in range(40)],
        "absent": "there is no file 'absent'",
        "now": NOON.isoformat(),
        "in_thread": NOON.isoformat(),
        "user": "owner",
        "roles": ["owner"],
        "since": "2024-12-01",
        "question": "uses_ports",
    }


async def test_an_isolated_agent_has_its_effect_once(app: MetaAgent) -> None:
    answer = await app.ask("has_an_effect")
    found = await made(app, answer, "has_an_effect")
    state = await app.state(answer.session_id)
    own = Context(
        "has_an_effect",
        {"session_id": answer.session_id},
        "1",
        frozenset(),
        {},
        turn_id=state.get("turn_id", ""),
        capability="has_an_effect",
    )
    assert found["key"] == own.effect_key("mail to the board", "hello")
    assert (found["first"], found["again"]) == ("new", ["done", {"sent": 1}])


async def test_large_calls_are_taken_one_after_the_other(app: MetaAgent) -> None:
    assert await made(app, await app.ask("writes_much"), "writes_much") == [20 * 2**20] * 4


async def test_a_child_reads_the_artifacts_that_its_step_is_given(app: MetaAgent) -> None:
    found = await made(app, await app.ask("reads_input"), "reads_input")
    assert found == {"read": ["environment", "folder", "place", "session"]}


async def test_service_refuses_ports_that_were_not_declared(app: MetaAgent) -> None:
    answer = await app.ask("reaches_too_far")
    refused = await made(app, answer, "reaches_too_far")
    no, nobody = "port_not_granted", "AttributeError"
    assert refused == [no, no, nobody, no, nobody]
    assert await refusals(app, answer) == ["port:files", "port:vectors", "port:user"]


async def test_a_port_that_a_child_uses_in_vain_is_on_record(app: MetaAgent) -> None:
    assert await refusals(app, await app.ask("uses_undeclared")) == ["port:files"]


async def refusals(app: MetaAgent, answer: Answer) -> list[str]:
    where = Where(event="access.refused", session=answer.session_id)
    return [entry["data"]["what"] for entry in await app.governance.audit_list(where)]


async def test_an_isolated_agent_can_ask_the_person(app: MetaAgent) -> None:
    waiting = await app.ask("asks bystander")
    assert waiting.question is not None
    assert (waiting.question["question"], waiting.question["options"]) == ("Which one?", ["this", "that"])
    answer = await app.resume(waiting.session_id, "that")
    assert await made(app, answer, "asks") == {"answer": "that"}


async def test_cancelling_a_turn_kills_the_child(app: MetaAgent) -> None:
    child: int | None = None
    async for event in app.stream("waits"):
        started = [step["result"] for step in event.get("steps", ()) if step.get("result")]
        if started and child is None:
            child = os.pidfd_open(outside(started[0]) or 0)
            assert await app.cancel(event["session_id"])
    assert child is not None
    assert await ends(child)
    assert await made(app, await app.ask("behaves"), "behaves")
    assert zombies() == []


async def test_everything_that_an_agent_started_ends_with_it(app: MetaAgent) -> None:
    places = await made(app, await app.ask("leaves_others_behind"), "leaves_others_behind")
    assert len(places) == 3
    assert [place for place in places if outside(place)] == []


async def test_many_isolated_steps_at_once(app: MetaAgent) -> None:
    answers = await asyncio.gather(*(app.ask("behaves segfaults exits") for _ in range(8)))
    folders = {(await made(app, answer, "behaves"))["folder"] for answer in answers}
    assert len(folders) == 8
    assert zombies() == []


@pytest.mark.skipif(os.getuid() == 0, reason="the limit on processes does not hold for root")
async def test_a_fork_bomb_is_stopped(app: MetaAgent) -> None:
    outcome = await results(app, await app.ask("forks_without_end bystander"))
    assert outcome["forks_without_end"]["error_type"] == "defect"
    assert outcome["bystander"]["status"] == "completed"


async def test_children_die_with_a_killed_service(tmp_path: Path) -> None:
    service = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.support.isolation_driver", str(tmp_path)),
        stdout=asyncio.subprocess.PIPE,
    )
    assert service.stdout is not None
    place = (await service.stdout.readline()).decode().strip()
    child = os.pidfd_open(outside(place) or 0)
    service.send_signal(signal.SIGKILL)
    await service.wait()
    assert await ends(child)


# --- which agents can be isolated ------------------------------------------------------------------------


@agent(name="elsewhere", capabilities=["elsewhere"], produces=["nothing"])
async def renamed_below(task: Task, ctx: Context) -> Result:
    return Result("", 1.0)


elsewhere = renamed_below


def local_agent() -> AgentSpec:
    @agent(name="local", capabilities=["local"], produces=["nothing"])
    async def local(task: Task, ctx: Context) -> Result:
        return Result("", 1.0)

    return local


async def test_agent_that_the_child_cannot_import_does_not_run(tmp_path: Path) -> None:
    config = {"data_dir": tmp_path, "agents": {"isolate": {"local": {}, "misspelt": {}}}}
    async with MetaAgent.open(config, agents=[local_agent(), elsewhere]) as app:
        assert "local" not in app.registry.agents
        assert "elsewhere" in app.registry.agents
        problems = {problem.name: problem for problem in app.registry.problems}
    assert "local_agent.<locals>.local is not a module's attribute" in problems["local"].say("en")
    assert "최상위로 옮기거나" in problems["local"].say("ko")
    assert "no such agent" in problems["misspelt"].say("en")


async def test_an_agent_is_found_by_its_attribute_or_its_entry_point() -> None:
    assert target_of(elsewhere) == f"{__name__}:renamed_below"
    assert target_of(elsewhere, "package.module:name [extra]") == "package.module:name"
    assert target_of(local_agent()) is None


async def test_isolation_changes_nothing_but_how_an_agent_runs() -> None:
    registry = isolated(Registry({"elsewhere": elsewhere}), {"elsewhere": Isolation()}, ChildHost())
    changed = registry.agents["elsewhere"]
    same = [name for name in vars(elsewhere) if getattr(changed, name) == getattr(elsewhere, name)]
    assert set(vars(elsewhere)) - set(same) == {"run"}


@pytest.mark.parametrize("limits", [{"memory_mb": 1}, {"cpu_seconds": 0}, {"memory": 512}])
async def test_limits_that_make_no_sense_are_refused(limits: dict[str, int]) -> None:
    with pytest.raises(ConfigInvalid, match="isolate"):
        load_settings(env={}, overrides={"agents": {"isolate": {"mine": limits}}})
