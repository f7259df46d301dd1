"""Plugins: which are loaded, how they are declared, the ports they get, and the conformance check."""

from __future__ import annotations

import asyncio
import itertools
import sys
import tempfile
import threading
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from metaagent.config import Agents, load_settings
from metaagent.errors import PluginInvalid, PortNotGranted
from metaagent.plugin import (
    SHARED_KINDS,
    AgentSpec,
    Artifact,
    Capability,
    Context,
    Failed,
    NeedsInput,
    Result,
    Task,
    agent,
)
from metaagent.ports import PORTS
from metaagent.registry import Candidate, Registry, load_registry
from metaagent.runtime import MetaAgent
from metaagent.testing import check_agent, fake_ports, run_agent
from tests.support.agents import Runs, figures, worker

# --- loading ----------------------------------------------------------------------------------------------


def candidate(name: str, load: Any, package: str = "demo") -> Candidate:
    return Candidate(name, package, f"{package}:{name}", lambda: load)


@pytest.mark.parametrize("rule", ["*", "demo", "demo:figures"])
def test_allowed_plugins_are_named_by_package_or_agent(runs: Runs, rule: str):
    rules = Agents.model_validate({"allow": [rule]})
    registry = load_registry(rules, [candidate("figures", figures(runs)), candidate("x", 1, "other")])
    assert list(registry.agents) == ["figures"]
    assert [p.refused for p in registry.problems] == [rule != "*"]


def test_problems_are_reported_in_korean_too(runs: Runs):
    rules = Agents.model_validate({"allow": ["demo"]})
    found = [figures(runs), figures(runs), 7]
    registry = load_registry(rules, [candidate(f"n{i}", item) for i, item in enumerate(found)])
    assert [any("가" <= c <= "힣" for c in problem.say("ko")) for problem in registry.problems] == [True] * 2
    assert "'figures' is taken by demo" in registry.problems[0].say("en")


def test_a_switched_off_agent_can_do_nothing(runs: Runs):
    registry = Registry({"figures": figures(runs)}, disabled={"figures"})
    assert (registry.enabled(), registry.capabilities()) == ([], ())


# --- declaring ------------------------------------------------------------------------------------------


async def do_nothing(_task: Task, _ctx: Context) -> Result:
    return Result("done", 1.0, [Artifact("thing", {"a": 1})])


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ({"name": "Upper"}, "'Upper' is not a valid name"),
        ({"name": ""}, "'' is not a valid name"),
        ({"capabilities": ["a b"]}, "Capability 'a b'"),
        ({"capabilities": []}, "capabilities = 0"),
        ({"produces": []}, "produces = 0"),
        ({"produces": ["Ä"]}, "Artifact kind"),
        ({"consumes": ["data-set"]}, "Artifact kind 'data-set'"),
        ({"needs": ["ether"]}, "unknown port 'ether'"),
        ({"timeout": 0}, "timeout = 0"),
        ({"timeout": 3601}, "timeout = 3601"),
        ({"timeout": float("nan")}, "timeout = nan"),
        ({"retries": -1}, "retries = -1"),
        ({"retries": 11}, "retries = 11"),
        ({"seconds": 0}, "seconds = 0"),
        ({"risk": "hihg"}, "risk = 'hihg': choose among low"),
        ({"tiemout": 3}, "'tiemout', which is nothing an agent declares (timeout?)"),
        ({"needs": "db"}, "needs = 'db', a text: write a list, needs=['db']"),
        ({"capabilities": "count"}, "write a list, capabilities=['count']"),
        ({"produces": "chart"}, "write a list, produces=['chart']"),
        ({"consumes": "dataset"}, "write a list, consumes=['dataset']"),
    ],
)
def test_a_wrong_declaration_says_what_is_wrong(wrong: dict[str, Any], word: str):
    options: dict[str, Any] = {"name": "thing", "capabilities": ["thing"], "produces": ["thing"], **wrong}
    with pytest.raises(PluginInvalid) as refused:
        agent(**options)(do_nothing)
    assert word in refused.value.say("en")
    assert any("가" <= char <= "힣" for char in refused.value.say("ko"))


def test_braces_in_a_description_are_text():
    spec = agent(name="x", capabilities=["x"], produces=["x"], description="{a} {}")(do_nothing)
    assert spec.description.say("ko") == "{a} {}"


# --- ports ----------------------------------------------------------------------------------------------


def context(needs: list[str], ports: dict[str, Any], **withheld: str) -> Context:
    return Context("nosy", {"language": "en"}, "s1", frozenset(needs), ports, withheld)


@pytest.mark.parametrize("port", PORTS)
def test_a_port_is_given_only_if_it_was_declared_and_granted(port: str):
    ports = fake_ports()
    assert getattr(context([port], ports), port) is ports[port]
    with pytest.raises(PortNotGranted, match=f"used ctx.{port} but its needs are .*: add '{port}' to needs"):
        getattr(context([], ports), port)
    with pytest.raises(PortNotGranted, match=f"declared ctx.{port}, but this installation"):
        getattr(context([port], {}), port)
    with pytest.raises(PortNotGranted, match=r"^No key is set\.$"):
        getattr(context([port], {}, **{port: "No key is set."}), port)


def test_the_context_cannot_be_changed():
    with pytest.raises(AttributeError):
        context([], {}).step_id = "s2"  # pyright: ignore[reportAttributeAccessIssue] - that is the point


@pytest.mark.parametrize("withheld", [False, True])
async def test_a_port_that_is_withheld_by_configuration_says_so(data: Path, runs: Runs, withheld: bool):
    async def look(_task: Task, ctx: Context) -> None:
        assert ctx.clock.now() is not None

    spec = worker(runs, "looking", before=look)
    spec = replace(spec, needs=spec.needs | {"clock"})
    rules = {"allow": [], "withhold": {"looking": ["clock"] if withheld else []}}
    settings = load_settings(env={}, overrides={"data_dir": data, "agents": rules})
    async with MetaAgent.open(settings, agents=[spec]) as app:
        answer = await app.ask("looking")
    assert ("agents.withhold.looking" in answer.text) is withheld
    assert ("looking done" in answer.text) is not withheld


async def test_files_and_vectors_are_kept_per_tenant(data: Path, runs: Runs):
    """The real adapters, not the fakes."""
    from metaagent.ports import User

    async def keep(_task: Task, ctx: Context) -> None:
        await ctx.files.write("notes", ctx.user.company_id.encode())
        await ctx.vectors.add({"n1": f"note of {ctx.user.company_id}"})
        assert (await ctx.files.read("notes")).decode() == ctx.user.company_id
        found = await ctx.vectors.search("note", limit=5)
        assert [match.text for match in found] == [f"note of {ctx.user.company_id}"]
        await ctx.vectors.remove(["n1"])

    spec = worker(runs, "keeping", before=keep)
    spec = replace(spec, needs=spec.needs | {"files", "vectors"})
    settings = load_settings(env={}, overrides={"data_dir": data, "agents": {"allow": []}})
    async with MetaAgent.open(settings, agents=[spec]) as app:
        for company in ("acme", "other", "third-2"):
            answer = await app.ask("keeping", user=User("ann", company))
            assert answer.text == "keeping done", answer.content["errors"]
    assert len(list((data / "files").iterdir())) == 3


# --- the conformance suite ------------------------------------------------------------------------------

WORDS = Capability("thing", ko=("것",), en=("thing",))
counter = itertools.count()


def other_each_time(_ctx: Context) -> Result:
    return good({"a": next(counter)})


def undeclared(ctx: Context) -> Result:
    return good({"a": ctx.clock.now().year})


def made(result: Any, **options: Any) -> AgentSpec:
    async def run(_task: Task, ctx: Context) -> Result:
        value: Any = result(ctx) if callable(result) else result
        return value

    fields: dict[str, Any] = {"capabilities": [WORDS], "produces": {"thing": dict[str, int]}, **options}
    return agent(name="thing", **fields)(run)


def good(data: Any = None, **options: Any) -> Result:
    values: dict[str, Any] = {"summary": "done", "confidence": 1.0, **options}
    return Result(artifacts=[Artifact("thing", {"a": 1} if data is None else data)], **values)


async def test_a_conforming_agent_passes():
    assert (await check_agent(made(good()), "thing")).summary == "done"

    async def read(task: Task, ctx: Context) -> Result:
        ref = task.input("dataset")
        assert ref is not None
        return good({"a": (await ctx.artifacts.read(ref))["by"]})

    reading = replace(made(good(), consumes=["dataset"], needs=["artifacts"]), run=read)
    result = await check_agent(reading, "thing", inputs=[Artifact("dataset", {"by": 3})])
    assert result.artifacts[0].data == {"a": 3}


class Wanted(BaseModel):
    limit: int


class Bounded(BaseModel):
    limit: int = 10


class Stop(BaseException):
    pass


def prints(_ctx: Context) -> Result:
    sys.stdout.write("debug 1\n")
    return good()


def writes(_ctx: Context) -> Result:
    (Path.cwd() / "written-by-a-test.txt").write_text("x")
    return good()


def reads_the_clock(_ctx: Context) -> Result:
    return good({"on": datetime.now().astimezone().date().isoformat()})


def other_words(_ctx: Context) -> Result:
    return good(summary=f"done {next(counter)}")


def changes_what_is_shared(ctx: Context) -> Result:
    ctx.shared["user_query"] = "changed"
    return good()


def raises(error: BaseException) -> Any:
    def run(_ctx: Context) -> Result:
        raise error

    return run


LOOSE: dict[str, Any] = {"produces": ["thing"]}
MISTAKES = [
    (made(None), "NoneType, not Result: end with `return Result("),
    (made({"summary": "x"}), "dict, not Result"),
    (made(("done", 1.0)), "tuple, not Result"),
    (made(good({"a": "text"})), "thing.a"),
    (made(good(), produces=["thing", "other"]), "made ['thing']: return every kind"),
    (made(Result("done", 1.0, [Artifact("other", 1)])), "'other' is not among the declared"),
    (made(good(object()), **LOOSE), "not plain data"),
    (made(good({"at": datetime(2025, 1, 1, tzinfo=UTC)}), **LOOSE), "not plain data"),
    (made(good(state={"result": {1, 2}})), "state is not plain data"),
    (made(good(state={"rate": 1})), "'rate' is no field of BaseAgentState"),
    (made(good(confidence=1.5)), "confidence 1.5"),
    (made(good(confidence=float("nan"))), "confidence nan"),
    (made(good(confidence="high")), "the confidence is str, not a number"),
    (made(good(summary=" ")), "summary is empty"),
    (made(good(summary="x" * 2_000_000)), "2,000,000 characters, at most 20,000"),
    (made(good(summary=7)), "the summary is int, not text"),
    (made(other_each_time), "repeated run made other artifacts"),
    (made(other_words), "repeated run made other text"),
    (made(reads_the_clock, **LOOSE), "the machine's date"),
    (made(prints), "printed 'debug 1'; standard output belongs to the answer: use ctx.log"),
    (made(writes), "written-by-a-test.txt) but declares side_effects=False"),
    (made(changes_what_is_shared), "changed ctx.shared"),
    (made(raises(KeyError("a"))), "broke with KeyError: 'a' (at "),
    (made(raises(Stop("x"))), "broke with Stop: x"),
    (made(raises(SystemExit(3))), "broke with SystemExit: 3"),
    (made(raises(KeyboardInterrupt())), "broke with KeyboardInterrupt"),
    (made(raises(Failed("no paper"))), "raised Failed: no paper. Give check_agent what"),
    (made(raises(NeedsInput("Left?"))), "asks 'Left?' and has no answer: give check_agent answers"),
    (made(undeclared), "add 'clock' to needs"),
    (made(good(), capabilities=["thing"]), "words in Korean and English"),
    (made(good(), consumes=["dataset"]), "inputs for the kinds it consumes: ['dataset']"),
    (made(good(), consumes=["datasett?"]), "nobody makes the kind 'datasett'"),
    (made(good(), params=Wanted), "parameter 'limit' is missing"),
    (made(good(), produces={"thing": None, "dataset": None}), "made ['thing']"),
]


@pytest.mark.parametrize(("spec", "word"), MISTAKES, ids=[word for _, word in MISTAKES])
async def test_nonconforming_agent_gets_the_reason(
    spec: AgentSpec, word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    with pytest.raises(AssertionError) as refused:
        await check_agent(spec, "thing")
    assert word in str(refused.value)
    assert "thing" in str(refused.value)
    assert "Traceback" not in str(refused.value)
    assert refused.value.__suppress_context__, "no traceback of something else beside it"
    with pytest.raises(AssertionError) as korean:
        await check_agent(spec, "thing", language="ko")
    assert any("가" <= char <= "힣" for char in str(korean.value))


@pytest.mark.parametrize(
    ("kind", "data", "word"),
    [
        ("dataset", [[1]], "dataset."),
        ("dataset", {"rows": []}, "dataset.columns: Field required"),
        ("dataset", {"columns": [{"name": "a", "label": "A", "type": "int"}], "rows": []}, "dataset.columns.0.type"),
        ("dataset", {"columns": [{"name": "a", "label": "A", "type": "number"}], "rows": [[1, 2]]}, "rows.0"),
        ("chart", {"mark": "bar"}, "chart.type: Field required"),
    ],
)  # fmt: skip
async def test_figures_of_another_form_are_refused(kind: str, data: Any, word: str):
    spec = made(Result("done", 1.0, [Artifact(kind, data)]), produces=[kind])
    with pytest.raises(AssertionError) as refused:
        await check_agent(spec, "thing")
    assert word in str(refused.value)


async def test_the_suite_names_further_mistakes(monkeypatch: pytest.MonkeyPatch):
    unmarked: Any = do_nothing
    with pytest.raises(AssertionError, match="do_nothing is not an agent: put `@agent"):
        await check_agent(unmarked, "thing")
    taken = replace(made(good()), name="memory")
    with pytest.raises(AssertionError, match="memory: the name is taken by the package metaagent"):
        await check_agent(taken, "thing")
    with pytest.raises(AssertionError, match="parameter 'limit' must be a whole number"):
        await check_agent(made(good(), params=Bounded), "thing", params={"limit": "many"})
    with pytest.raises(AssertionError, match="parameter 'limti' is no parameter of it"):
        await check_agent(made(good(), params=Bounded), "thing", params={"limti": 1})

    async def change(task: Task, _ctx: Context) -> Result:
        request: Any = task.request
        request["periods"].append("2025")
        return good()

    with pytest.raises(AssertionError, match=r"changed task\.request"):
        await check_agent(replace(made(good()), run=change), "thing", request={"periods": []})


async def test_an_agent_that_goes_on_when_cancelled_is_reported(monkeypatch: pytest.MonkeyPatch):
    from metaagent.level1.execution_manager import bounded

    monkeypatch.setattr(bounded, "GRACE_SECONDS", 0.01)
    over = asyncio.Event()

    async def stubborn(_task: Task, _ctx: Context) -> Result:
        while not over.is_set():
            try:
                await over.wait()
            except asyncio.CancelledError:
                continue
        return good()

    spec = replace(made(good()), run=stubborn, timeout=0.01)
    with pytest.raises(AssertionError, match="went on after it had been cancelled"):
        await check_agent(spec, "thing")
    over.set()


def test_an_agent_that_never_ends_does_not_hold_its_test(monkeypatch: pytest.MonkeyPatch):
    """The loop of a test waits for every task at its end: one that swallows every cancellation would be waited for forever."""
    from metaagent.level1.execution_manager import bounded

    monkeypatch.setattr(bounded, "GRACE_SECONDS", 0.01)

    async def endless(_task: Task, _ctx: Context) -> Result:
        while True:
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()

    def checked() -> None:
        asyncio.run(check_agent(replace(made(good()), run=endless, timeout=0.01), "thing"))

    done = list[BaseException | None]()

    def run() -> None:
        with pytest.raises(AssertionError, match="went on after it had been cancelled"):
            checked()
        done.append(None)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(30)
    assert done == [None]


async def test_an_agent_that_holds_the_loop_is_reported(monkeypatch: pytest.MonkeyPatch):
    await check_agent(made(good()), "thing")
    monkeypatch.setattr("metaagent.testing.conformance.BLOCKED_SECONDS", 0.0)
    with pytest.raises(AssertionError, match=r"held the loop for .* asyncio\.to_thread"):
        await check_agent(made(good()), "thing")


async def test_the_kinds_of_the_built_in_agents_are_known():
    registry = load_registry(Agents.model_validate({"allow": ["metaagent"]}))
    assert {kind for spec in registry.agents.values() for kind in spec.produces} == set(SHARED_KINDS)


async def test_agent_that_does_not_end_is_reported():
    @agent(name="endless", capabilities=[WORDS], produces=["thing"], timeout=0.01)
    async def endless(_task: Task, _ctx: Context) -> Result:
        await asyncio.Event().wait()
        return good()

    with pytest.raises(AssertionError, match=r"did not finish within its timeout of 0\.01 seconds"):
        await check_agent(endless, "thing")


async def test_errors_raised_by_an_agent_reach_its_author(runs: Runs):
    from tests.support.agents import asking

    with pytest.raises(NeedsInput, match="question 1"):
        await run_agent(asking(runs), "asking")
    assert (await run_agent(asking(runs), "asking", answers=["left"])).summary == "asking done"
