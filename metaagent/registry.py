"""The installed execution agents: which may run, and which failed to load. A bad one never stops the others."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

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


_NOT_HERE = Text(
    en="it is isolated (agents.isolate), and its declaration is not read here.",
    ko="격리된 에이전트(agents.isolate)라 여기서는 선언을 읽지 않습니다.",
)
_BESIDE_ISOLATED = Text(
    en="{package} has an agent that is isolated, so none of its code is loaded into the service: add it to agents.isolate.",
    ko="{package}에 격리된 에이전트가 있어 그 코드를 서비스에 올리지 않습니다. agents.isolate에 추가하세요.",
)
_CLAIMED = Text(
    en="{package} is not the only installed package of that name, or the code is not in its list of files: "
    "the name in agents.allow does not say which one is meant. Uninstall the other.",
    ko="이름이 {package}인 패키지가 둘 이상이거나 코드가 그 패키지의 파일 목록에 없습니다. agents.allow의 이름만으로는 "
    "알 수 없으니 다른 하나를 제거하세요.",
)

Declared = Callable[[str], AgentSpec]
"""Reads a declaration in another process; the argument is `module:attribute`."""


@dataclass(frozen=True)
class Candidate:
    """An agent that is installed but not loaded yet. `claimed`: its package's name is only what a metadata file says."""

    name: str
    package: str
    target: str
    load: Callable[[], Any]
    claimed: bool = False


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
    """Agents that companies switched off for themselves, by company."""
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
            claimed=_is_claimed(point),
        )
        for point in sorted(metadata.entry_points(group=GROUP), key=lambda point: point.name)
    ]


def _is_claimed(point: metadata.EntryPoint) -> bool:
    """Tells whether a metadata file names a package that another one is, or code that the package did not bring along."""
    dist = point.dist
    if dist is None:
        return True
    installed = list(metadata.distributions(name=dist.name))
    sources = {source for each in installed if (source := _editable_source(each))}
    # What an editable installation leaves in its own folder is no second package.
    folders = {Path(str(getattr(each, "_path", each))) for each in installed}
    if len({folder for folder in folders if folder.parent not in sources}) > 1:
        return True
    if sources:
        return False  # its files are a folder of the developer
    place = point.value.partition(":")[0].strip().replace(".", "/")
    own = {f"{place}.py", f"{place}/__init__.py"}
    return dist.files is not None and not any(str(each) in own for each in dist.files)


def _editable_source(dist: metadata.Distribution) -> Path | None:
    """The folder that an editable installation reads its code from."""
    origin = json.loads(dist.read_text("direct_url.json") or "{}")
    if not origin.get("dir_info", {}).get("editable"):
        return None
    return Path(unquote(urlsplit(origin["url"]).path))


def load_registry(
    rules: Agents, candidates: Iterable[Candidate] | None = None, declared: Declared | None = None
) -> Registry:
    """`declared` reads the declarations of agents that the configuration isolates: their code is not imported here, nor
    that of others in the same package."""
    agents: dict[str, AgentSpec] = {}
    packages: dict[str, str] = {}
    targets: dict[str, str] = {}
    problems: list[LoadProblem] = []
    found = list(installed() if candidates is None else candidates)
    apart = {each.package for each in found if each.name in rules.isolate}
    for candidate in found:
        if not {"*", candidate.package, f"{candidate.package}:{candidate.name}"} & set(rules.allow):
            problems.append(_problem(candidate, _NOT_ALLOWED, refused=True, package=candidate.package))
            continue
        if candidate.name in rules.isolate:
            loaded = _load(candidate, (lambda at=candidate: declared(at.target)) if declared else None)
        elif candidate.package in apart:
            loaded = _problem(candidate, _BESIDE_ISOLATED, refused=True, package=candidate.package)
        elif candidate.claimed:
            loaded = _problem(candidate, _CLAIMED, refused=True, package=candidate.package)
        else:
            loaded = _load(candidate, candidate.load)
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


def _load(candidate: Candidate, load: Callable[[], Any] | None) -> AgentSpec | LoadProblem:
    if load is None:
        return _problem(candidate, _NOT_HERE)
    try:
        loaded: object = load()
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
