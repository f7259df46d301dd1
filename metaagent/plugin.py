"""Everything that the author of an execution agent imports.

An agent is an async function of a task and a context, with a declaration of what it can do, consumes and
produces. The planner joins it into plans by that declaration alone.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, cast

import orjson

from metaagent.errors import Failed, NeedsInput, PluginInvalid, PortNotGranted, Text, TryAgain, literal
from metaagent.global_state import BaseAgentState, Chart, Dataset, Json, RiskLevel, SharedState
from metaagent.language.patterns import regex
from metaagent.ports import (
    PORTS,
    ArtifactReader,
    ArtifactRef,
    ChatModel,
    Clock,
    Database,
    DataResult,
    Effect,
    Effects,
    FileStore,
    Group,
    Library,
    Log,
    Match,
    ModelReply,
    PersonalMemory,
    Progress,
    QueryResult,
    Records,
    Rules,
    Templates,
    User,
    VectorIndex,
    WebSearch,
)
from metaagent.values import nearest

__all__ = [
    "AgentSpec",
    "Artifact",
    "ArtifactRef",
    "Asking",
    "BaseAgentState",
    "Capability",
    "Chart",
    "Context",
    "DataResult",
    "Dataset",
    "Effect",
    "Failed",
    "Group",
    "Match",
    "ModelReply",
    "NeedsInput",
    "QueryResult",
    "Result",
    "SharedState",
    "Taken",
    "Task",
    "Text",
    "TryAgain",
    "User",
    "agent",
]

NAME = regex(r"[a-z][a-z0-9_]{0,62}")
MAX_TIMEOUT = 3600.0
MAX_RETRIES = 10
SHARED_KINDS = ("dataset", "chart", "passages", "verdict", "document", "stored", "memories")
"""Artifact kinds that the built-in agents make."""
RISKS: tuple[RiskLevel, ...] = ("low", "medium", "high", "critical")

_BAD_NAME = Text(
    en="{what} {value!r} is not a valid name: use lower-case letters, digits and underscores, starting with a letter.",
    ko="{what} {value!r}은(는) 올바른 이름이 아닙니다. 소문자로 시작해 소문자, 숫자, 밑줄만 쓰세요.",
)
_UNKNOWN_PORT = Text(
    en="Agent {agent!r} needs the unknown port {port!r}: choose among {known}.",
    ko="에이전트 {agent!r}이(가) 알 수 없는 포트 {port!r}을(를) 요구합니다. 다음 중에서 고르세요: {known}.",
)
_NOT_MADE = Text(
    en="Agent {agent!r} gives names to the kind {kind!r}, which it does not make: it makes {made}.",
    ko="에이전트 {agent!r}이(가) 만들지 않는 종류 {kind!r}에 이름을 붙였습니다. 만드는 종류는 {made}입니다.",
)
_BAD_SIGNATURE = Text(
    en="Agent {agent!r} must be `async def {agent}(task: Task, ctx: Context) -> Result`, not {found}.",
    ko="에이전트 {agent!r}은(는) `async def {agent}(task: Task, ctx: Context) -> Result` 꼴이어야 합니다. 지금은 {found}입니다.",
)
_NOT_A_LIST = Text(
    en="Agent {agent!r} declares {what} = {value!r}, a text: write a list, {what}=[{value!r}].",
    ko="에이전트 {agent!r}의 {what} 값 {value!r}은(는) 글자열입니다. 목록으로 쓰세요: {what}=[{value!r}].",
)
_NO_OPTION = Text(
    en="Agent {agent!r} declares {option!r}, which is nothing an agent declares{near}. Known are {known}.",
    ko="에이전트 {agent!r}의 {option!r}은(는) 선언할 수 없는 항목입니다{near}. 쓸 수 있는 것: {known}.",
)
_NO_RISK = Text(
    en="Agent {agent!r} declares risk = {value!r}: choose among {known}.",
    ko="에이전트 {agent!r}의 risk 값 {value!r}이(가) 올바르지 않습니다. 다음 중에서 고르세요: {known}.",
)
_OUT_OF_RANGE = Text(
    en="Agent {agent!r} declares {what} = {value}: allowed is {allowed}.",
    ko="에이전트 {agent!r}의 {what} 값 {value}은(는) 허용 범위({allowed})를 벗어났습니다.",
)
_NOT_DECLARED = Text(
    en="Agent {agent!r} used ctx.{port} but its needs are {needs}: add {port!r} to needs.",
    ko="에이전트 {agent!r}이(가) ctx.{port}을(를) 썼지만 needs는 {needs}입니다. needs에 {port!r}을(를) 추가하세요.",
)
_NOT_GRANTED = Text(
    en="Agent {agent!r} declared ctx.{port}, but this installation does not give it.",
    ko="에이전트 {agent!r}이(가) ctx.{port}을(를) 선언했지만 이 설치에서는 주어지지 않습니다.",
)
_WITHHELD = Text(en="{why}", ko="{why}")


@dataclass(frozen=True)
class Capability:
    """Something that an agent can do, and the words by which people ask for it."""

    name: str
    ko: tuple[str, ...] = ()
    en: tuple[str, ...] = ()


@dataclass(frozen=True)
class Artifact:
    """One thing that a step made: plain data or bytes of a declared kind. One that is a file has a name and a media type;
    the forms of one document have one group."""

    kind: str
    data: Any
    summary: str = ""
    name: str = ""
    media_type: str = ""
    group: Group | None = None


@dataclass(frozen=True)
class Result:
    """The result of an agent. `state` fills the agent's own fields of its BaseAgentState subclass; `citations` are of the form
    `metaagent.global_state.Citation`, and the summary refers to them as `[n]`."""

    summary: str
    confidence: float
    artifacts: Sequence[Artifact] = ()
    sources: Sequence[Mapping[str, Any]] = ()
    state: Mapping[str, Any] = field(default_factory=dict[str, Any])
    citations: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True)
class Task:
    """The work that a plan step asks of the agent. `answers` are the person's, to questions asked by NeedsInput; `named` has
    the newest answer for each field that such a question named."""

    description: str
    request: Mapping[str, Any]
    params: Any
    inputs: tuple[ArtifactRef, ...] = ()
    answers: tuple[Any, ...] = ()
    named: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def input(self, kind: str) -> ArtifactRef | None:
        return next((ref for ref in self.inputs if ref.kind == kind), None)


@dataclass(frozen=True)
class Context:
    """The context of an agent: only the ports that it declared and was granted."""

    agent: str
    shared: SharedState
    step_id: str
    needs: frozenset[str]
    ports: Mapping[str, Any] = field(repr=False)
    withheld: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """Says for each port that was declared and is not given why, as a sentence in the language of the turn."""
    on_refused: Callable[[str], None] = field(default=lambda _port: None, repr=False)
    turn_id: str = ""
    capability: str = ""

    def effect_key(self, what: str, content: bytes | str | Json = "") -> str:
        """Name something that happens outside, once: the same in every attempt of this turn at what the step is for, by
        whichever agent, whatever the number of the step. `what` is the target and the act, `content` what is sent."""
        made = content if isinstance(content, bytes) else orjson.dumps(content, option=orjson.OPT_SORT_KEYS)
        place = [self.shared.get("session_id"), self.turn_id, self.capability, what]
        return hashlib.sha256(
            orjson.dumps([*place, type(content) is bytes, hashlib.sha256(made).hexdigest()])
        ).hexdigest()

    def _port(self, name: str) -> Any:
        if name not in self.needs or name not in self.ports:
            self.on_refused(name)
        if name not in self.needs:
            raise PortNotGranted(_NOT_DECLARED, agent=self.agent, port=name, needs=sorted(self.needs))
        if name not in self.ports:
            if name in self.withheld:
                raise PortNotGranted(_WITHHELD, why=self.withheld[name])
            raise PortNotGranted(_NOT_GRANTED, agent=self.agent, port=name)
        return self.ports[name]

    @property
    def db(self) -> Database:
        return cast("Database", self._port("db"))

    @property
    def vectors(self) -> VectorIndex:
        return cast("VectorIndex", self._port("vectors"))

    @property
    def llm(self) -> ChatModel:
        return cast("ChatModel", self._port("llm"))

    @property
    def files(self) -> FileStore:
        return cast("FileStore", self._port("files"))

    @property
    def artifacts(self) -> ArtifactReader:
        return cast("ArtifactReader", self._port("artifacts"))

    @property
    def progress(self) -> Progress:
        return cast("Progress", self._port("progress"))

    @property
    def log(self) -> Log:
        return cast("Log", self._port("log"))

    @property
    def clock(self) -> Clock:
        return cast("Clock", self._port("clock"))

    @property
    def user(self) -> User:
        return cast("User", self._port("user"))

    @property
    def effects(self) -> Effects:
        return cast("Effects", self._port("effects"))

    @property
    def memory(self) -> PersonalMemory:
        return cast("PersonalMemory", self._port("memory"))

    @property
    def rules(self) -> Rules:
        return cast("Rules", self._port("rules"))

    @property
    def templates(self) -> Templates:
        return cast("Templates", self._port("templates"))

    @property
    def records(self) -> Records:
        return cast("Records", self._port("records"))

    @property
    def web(self) -> WebSearch:
        return cast("WebSearch", self._port("web"))

    @property
    def library(self) -> Library:
        return cast("Library", self._port("library"))


@dataclass(frozen=True)
class Asking:
    """The facts for an agent that looks for its own sentences in a question: the person's time, memories and last answer."""

    now: datetime
    memories: Sequence[Mapping[str, Any]] = ()
    last: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """`question` and `answer` of the last turn that answered something."""


@dataclass(frozen=True)
class Taken:
    """The sentences of a question that are for one agent: what they ask of it, and the question without them."""

    requests: tuple[Json, ...]
    rest: str
    """The question with those sentences blanked out, so that places in it stay the same."""


AgentFunction = Callable[[Task, Context], Awaitable[Result]]


@dataclass(frozen=True)
class AgentSpec:
    """An agent and its declaration. `consumes` kinds ending in `?` are used if there, never required; of kinds joined by
    `|`, one is enough. `also_called` has other names by which people ask for a kind that it makes."""

    name: str
    run: AgentFunction
    description: Text
    capabilities: tuple[Capability, ...]
    produces: Mapping[str, type | None]
    consumes: tuple[str, ...] = ()
    needs: frozenset[str] = frozenset()
    permissions: tuple[str, ...] = ()
    params: type | None = None
    state: type = BaseAgentState
    timeout: float = 30.0
    retries: int = 2
    side_effects: bool = False
    risk: RiskLevel = "low"
    cost: float = 1.0
    tokens: int = 0
    seconds: float = 1.0
    memory_gb: float = 0.1
    team: str = "execution"
    also_called: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    fill: Callable[[Mapping[str, Any]], Json] | None = None
    """Gives the parameters that follow from what was understood of a question: they stand in the plan, where a person can see
    and change them before they approve it. Pure."""
    takes: Callable[[str, Asking], Taken] | None = None
    """Finds the sentences of a question that are for this agent alone. They come as `task.request["taken"]` under the name of
    its first capability, and nobody else reads them. Pure."""

    def __call__(self, task: Task, ctx: Context) -> Awaitable[Result]:
        return self.run(task, ctx)

    @property
    def required_kinds(self) -> tuple[tuple[str, ...], ...]:
        """The kinds without which it cannot run: one of each group of alternatives."""
        return tuple(tuple(kinds.split("|")) for kinds in self.consumes if not kinds.endswith("?"))

    @property
    def optional_kinds(self) -> tuple[str, ...]:
        return tuple(kind for kinds in self.consumes if kinds.endswith("?") for kind in kinds[:-1].split("|"))

    @property
    def taken_kinds(self) -> frozenset[str]:
        """Every kind that it can be given."""
        return frozenset({*self.optional_kinds, *(kind for group in self.required_kinds for kind in group)})

    def lacking(self, given: Collection[str]) -> list[str]:
        """Name the required kinds, alternatives as they were declared, of which nothing is given."""
        return ["|".join(group) for group in self.required_kinds if not set(group) & set(given)]


def agent(
    *,
    name: str,
    capabilities: Sequence[str | Capability],
    produces: Mapping[str, type | None] | Sequence[str],
    description: Text | str = "",
    needs: Sequence[str] = (),
    consumes: Sequence[str] = (),
    permissions: Sequence[str] = (),
    **options: Any,
) -> Callable[[AgentFunction], AgentSpec]:
    """Declare an execution agent. Raises PluginInvalid, naming what is wrong and the remedy."""

    lists = {"capabilities": capabilities, "produces": produces, "needs": needs, "consumes": consumes}
    _check_options(name, {**lists, "permissions": permissions}, options)

    def declare(function: AgentFunction) -> AgentSpec:
        return check_spec(
            AgentSpec(
                name=name,
                run=function,
                description=description if isinstance(description, Text) else _same_text(description or name),
                capabilities=tuple(Capability(c) if isinstance(c, str) else c for c in capabilities),
                produces=dict(produces) if isinstance(produces, Mapping) else dict.fromkeys(produces),
                consumes=tuple(consumes),
                needs=frozenset(needs),
                permissions=tuple(permissions),
                **options,
            )
        )

    return declare


def _check_options(name: str, lists: Mapping[str, object], options: Mapping[str, Any]) -> None:
    for what, value in lists.items():
        if isinstance(value, str):
            raise PluginInvalid(_NOT_A_LIST, agent=name, what=what, value=value)
    known = [
        each.name for each in fields(AgentSpec) if each.name not in {"run", "name", "description", *lists}
    ]
    for option in options.keys() - set(known):
        near = nearest(option, known)
        raise PluginInvalid(
            _NO_OPTION, agent=name, option=option, near=f" ({near}?)" if near else "", known=", ".join(known)
        )


def check_spec(spec: AgentSpec) -> AgentSpec:
    """The declaration's own validity; whether it fits beside the others is the registry's question."""
    kinds = [*spec.produces, *sorted(spec.taken_kinds)]
    names = [("Agent", spec.name), *(("Capability", c.name) for c in spec.capabilities)]
    for what, value in [*names, *(("Artifact kind", kind) for kind in kinds)]:
        if not NAME.fullmatch(value):
            raise PluginInvalid(_BAD_NAME, what=what, value=value)
    for kind in spec.also_called.keys() - spec.produces.keys():
        raise PluginInvalid(_NOT_MADE, agent=spec.name, kind=kind, made=", ".join(spec.produces))
    for port in spec.needs - set(PORTS):
        raise PluginInvalid(_UNKNOWN_PORT, agent=spec.name, port=port, known=", ".join(PORTS))
    _check_signature(spec)
    if spec.risk not in RISKS:
        raise PluginInvalid(_NO_RISK, agent=spec.name, value=spec.risk, known=", ".join(RISKS))
    _check_range(spec, "timeout", spec.timeout, 0, MAX_TIMEOUT)
    _check_range(spec, "retries", spec.retries, -1, MAX_RETRIES)
    _check_range(spec, "seconds", spec.seconds, 0, MAX_TIMEOUT)
    _check_range(spec, "capabilities", len(spec.capabilities), 0, 100)
    _check_range(spec, "produces", len(spec.produces), 0, 20)
    return spec


def _check_signature(spec: AgentSpec) -> None:
    if not inspect.iscoroutinefunction(spec.run):
        raise PluginInvalid(_BAD_SIGNATURE, agent=spec.name, found="a plain function")
    parameters = list(inspect.signature(spec.run).parameters.values())
    positional = {inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD}
    if len(parameters) != 2 or any(p.kind not in positional for p in parameters):
        raise PluginInvalid(_BAD_SIGNATURE, agent=spec.name, found=f"{len(parameters)} parameters")


def _check_range(spec: AgentSpec, what: str, value: float, above: float, most: float) -> None:
    if not above < value <= most:
        raise PluginInvalid(
            _OUT_OF_RANGE,
            agent=spec.name,
            what=what,
            value=value,
            allowed=f"more than {above}, at most {most}",
        )


def _same_text(text: str) -> Text:
    return Text(en=literal(text), ko=literal(text))
