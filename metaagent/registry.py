"""The installed execution agents: which may run, and which failed to load. A bad one never stops the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from importlib import metadata
from typing import Any

from metaagent.config import Agents
from metaagent.errors import PluginInvalid, Text
from metaagent.plugin import AgentSpec, check_spec

GROUP = "metaagent.agents"

_IMPORT = Text(
    en="importing {target} failed with {problem}. Fix the package or uninstall it.",
    ko="{target} 가져오기가 실패했습니다: {problem}. 패키지를 고치거나 제거하세요.",
)
_NOT_AN_AGENT = Text(
    en="{target} is {found}, not an agent: decorate the function with metaagent.plugin.agent.",
    ko="{target}은(는) 에이전트가 아니라 {found}입니다. 함수에 metaagent.plugin.agent 데코레이터를 붙이세요.",
)
_DUPLICATE = Text(
    en="the name {name!r} is taken by {other}: rename one of them.",
    ko="이름 {name!r}은(는) 이미 {other}에서 쓰고 있습니다. 둘 중 하나의 이름을 바꾸세요.",
)
_NOT_ALLOWED = Text(
    en="not allowed by the configuration: add {package!r} to agents.allow to load it.",
    ko="설정에서 허용되지 않았습니다. 쓰려면 agents.allow에 {package!r}을(를) 추가하세요.",
)


@dataclass(frozen=True)
class Candidate:
    """An agent that is installed but not loaded yet."""

    name: str
    package: str
    target: str
    load: Callable[[], Any]


@dataclass(frozen=True)
class LoadProblem:
    name: str
    package: str
    text: Text
    params: Mapping[str, Any] = field(default_factory=dict[str, Any])
    refused: bool = False

    def say(self, language: str = "en") -> str:
        return self.text.say(language, **self.params)


@dataclass(frozen=True)
class Registry:
    """The agents that loaded. `disabled` may change while turns are running: what is in it starts no more."""

    agents: Mapping[str, AgentSpec]
    packages: Mapping[str, str] = field(default_factory=dict[str, str])
    targets: Mapping[str, str] = field(default_factory=dict[str, str])
    problems: tuple[LoadProblem, ...] = ()
    disabled: set[str] = field(default_factory=set[str])
    switched_off: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    """What companies switched off for themselves, by company."""
    company: str | None = None

    def for_company(self, company: str) -> Registry:
        """The same agents as one company may use them; what is switched off meanwhile counts at once."""
        return replace(self, company=company)

    def is_off(self, name: str) -> bool:
        return name in self.disabled or name in self.switched_off.get(self.company or "", ())

    def enabled(self) -> list[AgentSpec]:
        return [spec for name, spec in sorted(self.agents.items()) if not self.is_disabled(name)]

    def is_disabled(self, name: str, capability: str = "") -> bool:
        """Switched off by its own name, or because what is asked of it is off, or all that it can do."""
        spec, off = self.agents[name], self.is_off
        return off(name) or off(capability) or all(off(c.name) for c in spec.capabilities)

    def capabilities(self) -> tuple[dict[str, Any], ...]:
        """Capabilities that can be asked for, as plain data for the analysis."""
        return tuple(
            {
                "name": capability.name,
                "agent": spec.name,
                "words": {"ko": list(capability.ko), "en": list(capability.en)},
                "permissions": list(spec.permissions),
                "needs": sorted(spec.needs),
                "produces": list(spec.produces),
                "seconds": spec.seconds,
                "side_effects": spec.side_effects,
            }
            for spec in self.enabled()
            for capability in spec.capabilities
            if not self.is_off(capability.name)
        )


def installed() -> list[Candidate]:
    """Every entry point of the group, built-in or not: one door for all."""
    return [
        Candidate(
            name=point.name,
            package=(point.dist.name if point.dist else "unknown"),
            target=point.value,
            load=point.load,
        )
        for point in sorted(metadata.entry_points(group=GROUP), key=lambda point: point.name)
    ]


def load_registry(rules: Agents, candidates: Iterable[Candidate] | None = None) -> Registry:
    agents: dict[str, AgentSpec] = {}
    packages: dict[str, str] = {}
    targets: dict[str, str] = {}
    problems: list[LoadProblem] = []
    for candidate in installed() if candidates is None else candidates:
        if not _allowed(candidate, rules.allow):
            problems.append(_problem(candidate, _NOT_ALLOWED, refused=True, package=candidate.package))
            continue
        loaded = _load(candidate)
        if isinstance(loaded, LoadProblem):
            problems.append(loaded)
        elif loaded.name in agents:
            other = packages[loaded.name]
            problems.append(_problem(candidate, _DUPLICATE, name=loaded.name, other=other))
        else:
            agents[loaded.name] = loaded
            packages[loaded.name] = candidate.package
            targets[loaded.name] = candidate.target
    return Registry(agents, packages, targets, tuple(problems), set(rules.disabled))


def _allowed(candidate: Candidate, allow: list[str]) -> bool:
    return bool({"*", candidate.package, f"{candidate.package}:{candidate.name}"} & set(allow))


def _load(candidate: Candidate) -> AgentSpec | LoadProblem:
    try:
        loaded: object = candidate.load()
    except PluginInvalid as error:
        return _problem(candidate, error.text, **error.params)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a plugin may raise anything while it is imported; it is reported by name
        return _problem(candidate, _IMPORT, problem=f"{type(error).__name__}: {error}")
    if not isinstance(loaded, AgentSpec):
        return _problem(candidate, _NOT_AN_AGENT, found=type(loaded).__name__)
    try:
        return check_spec(loaded)
    except PluginInvalid as error:
        return _problem(candidate, error.text, **error.params)


def _problem(candidate: Candidate, text: Text, *, refused: bool = False, **params: Any) -> LoadProblem:
    return LoadProblem(
        candidate.name, candidate.package, text, {"target": candidate.target, **params}, refused=refused
    )
