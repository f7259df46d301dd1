"""Agents made of the setting `tools`: their declarations, and what such an agent does in its process.

A process that runs one imports it from here by a name that holds its declaration, so nothing needs to be installed for it.
"""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import Any

import orjson

from metaagent.config import Isolation, Settings, Tool
from metaagent.errors import Failed, NeedsInput, PluginInvalid, Text, TryAgain, literal
from metaagent.plugin import SHARED_KINDS, AgentSpec, Capability, Context, Result, Task, check_spec
from metaagent.ports import Json
from metaagent.registry import LoadProblem, Registry
from metaagent.tools import arguments as args
from metaagent.tools import langchain, mcp, openapi
from metaagent.tools.openapi import NotSent
from metaagent.tools.results import result_of

PACKAGE = "settings: tools"
MEMORY_MB = 1024
MADE_KINDS = frozenset({"dataset"})
"""Kinds of the built-in agents that a tool may make. Others mean something that a foreign program is not trusted with, a
verdict first of all."""

_TAKEN = Text(
    en="the name {name!r} is taken by {other}: rename the tool.",
    ko="이름 {name!r}은(는) 이미 {other}에서 쓰고 있습니다. 도구의 이름을 바꾸세요.",
)
_NOT_ITS_KIND = Text(
    en="a tool cannot make the kind {kind!r}, which others rely on: choose a name of its own, or `dataset`.",
    ko="도구는 다른 에이전트가 믿고 쓰는 종류 {kind!r}을(를) 만들 수 없습니다. 고유한 이름이나 `dataset`을 쓰세요.",
)
_NOT_TAKEN = Text(
    en="its parameter {param} comes from the kind {kind!r}, which it does not take: add it to `consumes`.",
    ko="매개변수 {param}에 쓰는 종류 {kind!r}을(를) 받지 않습니다. consumes에 추가하세요.",
)
_BAD_PATTERN = Text(
    en="the pattern of its parameter {param} is not one of RE2: {problem}.",
    ko="매개변수 {param}의 패턴이 RE2 형식이 아닙니다: {problem}.",
)
_MAYBE = Text(
    en="An earlier attempt at {tool} may have done it; nobody can tell from here, so it was not repeated.",
    ko="{tool} 도구의 앞선 시도가 이미 처리했을 수 있습니다. 확인할 수 없어 다시 하지 않았습니다.",
)


def with_tools(registry: Registry, settings: Settings) -> Registry:
    """The registry with the configured tools. One that cannot become an agent is a problem, and stops no other."""
    agents, packages, targets = dict(registry.agents), dict(registry.packages), dict(registry.targets)
    problems = list(registry.problems)
    for name, tool in settings.tools.items():
        try:
            if name in agents:
                raise PluginInvalid(_TAKEN, name=name, other=packages.get(name, "another agent"))
            found = openapi.operation(name, tool) if tool.openapi else {}
            agents[name] = declared(name, tool, found)
        except PluginInvalid as error:
            problems.append(LoadProblem(name, PACKAGE, error.text, error.params))
            continue
        packages[name] = PACKAGE
        targets[name] = target_of(name, tool, found)
    return replace(registry, agents=agents, packages=packages, targets=targets, problems=tuple(problems))


def isolation_of(settings: Settings, registry: Registry) -> dict[str, Isolation]:
    """The limits of every isolated agent. Tools always are; what `agents.isolate` says of one counts."""
    rules = dict(settings.agents.isolate)
    for name, tool in settings.tools.items():
        given = rules.pop(name, None)
        if registry.packages.get(name) != PACKAGE:
            continue  # it is a problem already
        said = {key: getattr(given, key) for key in given.model_fields_set} if given else {}
        rules[name] = Isolation.model_validate({**_usual(tool), **said})
    return rules


def _usual(tool: Tool) -> Json:
    """A command and a library have no network; what is reached by an address cannot do without."""
    named = [each.token for each in (tool.mcp, tool.openapi) if each is not None and each.token]
    network = tool.openapi is not None or (tool.mcp is not None and tool.mcp.url is not None)
    return {"memory_mb": MEMORY_MB, "network": network, "environment": [*tool.environment, *named]}


def declared(name: str, tool: Tool, found: Json) -> AgentSpec:
    """The agent of a tool. Raises PluginInvalid, naming what is wrong with it."""
    _check(tool)

    async def run(task: Task, ctx: Context) -> Result:
        return await _run(name, tool, found, task, ctx)

    needs = {"artifacts"} | ({"effects"} if tool.side_effects else set())
    return check_spec(
        AgentSpec(
            name=name,
            run=run,
            description=Text(en=literal(tool.description.en), ko=literal(tool.description.ko)),
            capabilities=(Capability(name, tuple(tool.words.ko), tuple(tool.words.en)),),
            produces={tool.produces or f"{name}_result": None},
            consumes=tuple(tool.consumes),
            needs=frozenset(needs),
            permissions=tuple(tool.permissions),
            params=args.params_type(name, tool),
            timeout=tool.timeout,
            retries=0 if tool.side_effects else 1,
            side_effects=tool.side_effects,
            risk=tool.risk,
            fill=lambda analysis: args.filled(tool, analysis),
        )
    )


def _check(tool: Tool) -> None:
    if tool.produces in set(SHARED_KINDS) - MADE_KINDS:
        raise PluginInvalid(_NOT_ITS_KIND, kind=tool.produces)
    taken = {kind for kinds in tool.consumes for kind in kinds.rstrip("?").split("|")}
    for param, source in tool.params.items():
        if source.input is not None and source.input not in taken:
            raise PluginInvalid(_NOT_TAKEN, param=param, kind=source.input)
        if source.pattern is not None:
            _check_pattern(param, source.pattern)


def _check_pattern(param: str, pattern: str) -> None:
    import re2

    try:
        re2.compile(pattern)
    except re2.error as error:
        raise PluginInvalid(_BAD_PATTERN, param=param, problem=str(error)[:200]) from error


async def _run(name: str, tool: Tool, found: Json, task: Task, ctx: Context) -> Result:
    language = ctx.shared.get("language", "en")
    params: Any = task.params
    given = args.chosen(tool, params.model_dump() if params is not None else {}, task.named, task.request)
    for param, source in tool.params.items():
        ref = task.input(source.input) if source.input else None
        if ref is not None:
            given[param] = await ctx.artifacts.read(ref)
    lacking = args.missing(tool, given)
    if lacking is not None and lacking[1].ask is not None:
        param, asked = lacking[0], lacking[1].ask
        raise NeedsInput(asked.ko if language == "ko" else asked.en, field=param)
    if tool.redact:
        from metaagent.protection.redaction import Redactor

        given = Redactor().sanitize(given)
    call = _once(name, tool, found, given, ctx, language) if tool.side_effects else None
    try:
        got = await (call or _called(name, tool, found, given, language))
    except NotSent as error:
        raise TryAgain(str(error)) from error
    return result_of(name, tool, got, language)


async def _once(name: str, tool: Tool, found: Json, given: Json, ctx: Context, language: str) -> Any:
    """Call a tool that changes something: never twice for one turn, and never again where nobody knows what happened."""
    key = ctx.effect_key(f"tool {name}", given)
    before = await ctx.effects.begin(key)
    if before.status == "done":
        return before.receipt.get("given")
    if before.status == "begun":
        raise Failed(_MAYBE.say(language, tool=name))
    try:
        got = await _called(name, tool, found, given, language)
    except NotSent:
        await ctx.effects.withdraw(key)
        raise
    kept = got if len(orjson.dumps(got, default=str)) < 20_000 else None
    await ctx.effects.done(key, {"given": kept})
    return got


async def _called(name: str, tool: Tool, found: Json, given: Json, language: str) -> Any:
    if tool.mcp is not None:
        return await mcp.call(name, tool, given, language)
    if tool.openapi is not None:
        return await openapi.call(name, tool, found, given, language)
    return await langchain.call(name, tool, given, language)


# --- the name under which another process finds it --------------------------------------------------------

_PREFIX = "of_"


def target_of(name: str, tool: Tool, found: Json) -> str:
    """`module:attribute` of the agent: the attribute is its declaration. Secrets are not in it."""
    written = orjson.dumps([name, tool.model_dump(mode="json"), found])
    return f"{__name__}:{_PREFIX}{base64.urlsafe_b64encode(written).decode().rstrip('=')}"


def __getattr__(attribute: str) -> Any:
    """The agent whose declaration the attribute is."""
    if not attribute.startswith(_PREFIX):
        raise AttributeError(f"module {__name__!r} has no attribute {attribute!r}")
    written = attribute.removeprefix(_PREFIX)
    name, tool, found = orjson.loads(base64.urlsafe_b64decode(written + "=" * (-len(written) % 4)))
    return declared(name, Tool.model_validate(tool), found)
