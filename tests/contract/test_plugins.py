"""Plugins: which are loaded, how they are declared, the ports they get, and the conformance check."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from metaagent.config import Agents, load_settings
from metaagent.errors import PluginInvalid, PortNotGranted
from metaagent.plugin import AgentSpec, Artifact, Capability, Context, Result, Task, agent
from metaagent.ports import PORTS
from metaagent.registry import Candidate, Registry, load_registry
from metaagent.runtime import MetaAgent
from metaagent.testing import check_agent, fake_ports, run_agent
from tests.support.agents import Runs, drawing, figures, worker

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
    with pytest.raises(PortNotGranted, match=f"declared ctx.{port}.* not give it: no key"):
        getattr(context([port], {}, **{port: "no key"}), port)


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


async def test_a_conforming_agent_passes(runs: Runs):
    assert (await check_agent(made(good()), "thing")).summary == "done"
    given = Artifact("dataset", {"by": "test"})
    result = await check_agent(drawing(runs), "drawing", inputs=[given])
    assert result.artifacts[0].data["from"] == ["test"]


@pytest.mark.parametrize(
    ("spec", "word"),
    [
        (made(None), "NoneType, not Result"),
        (made({"summary": "x"}), "dict, not Result"),
        (made(good({"a": "text"})), "thing.a"),
        (made(good(), produces=["thing", "other"]), "made ['thing']"),
        (made(Result("done", 1.0, [Artifact("other", 1)])), "'other' is not among the declared"),
        (made(good(object()), produces=["thing"]), "not plain data"),
        (made(good(state={"when": {1, 2}})), "state is not plain data"),
        (made(good(confidence=1.5)), "confidence 1.5"),
        (made(good(confidence=float("nan"))), "confidence nan"),
        (made(good(summary=" ")), "summary is empty"),
        (made(other_each_time), "repeated run made other artifacts"),
        (made(undeclared), "add 'clock' to needs"),
        (made(good(), capabilities=["thing"]), "words in Korean and English"),
        (made(good(), consumes=["dataset"]), "inputs for the kinds it consumes: ['dataset']"),
    ],
)
async def test_nonconforming_agent_gets_the_reason(spec: AgentSpec, word: str):
    with pytest.raises(AssertionError) as refused:
        await check_agent(spec, "thing")
    assert word in str(refused.value)
    assert "thing" in str(refused.value)


async def test_agent_that_does_not_end_is_reported():
    import asyncio

    @agent(name="endless", capabilities=[WORDS], produces=["thing"], timeout=0.01)
    async def endless(_task: Task, _ctx: Context) -> Result:
        await asyncio.Event().wait()
        return good()

    with pytest.raises(AssertionError, match=r"did not finish within its timeout of 0\.01 seconds"):
        await check_agent(endless, "thing")


async def test_errors_raised_by_an_agent_reach_its_author(runs: Runs):
    from metaagent.plugin import NeedsInput
    from tests.support.agents import asking

    with pytest.raises(NeedsInput, match="question 1"):
        await run_agent(asking(runs), "asking")
    assert (await run_agent(asking(runs), "asking", answers=["left"])).summary == "asking done"
