"""The installed execution agents: which may run, and which failed to load. A bad one never stops the others."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pydantic

from metaagent.config import Agents
from metaagent.errors import PluginInvalid, Text
from metaagent.installed import Places, entry_points, places
from metaagent.plugin import AgentSpec, check_spec
from metaagent.values import nearest

GROUP = "metaagent.agents"
FILE = "file"
"""The kind of what a person attaches: no agent makes it."""

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

_NOT_INSTALLED = Text(
    en="allowed by agents.allow, but no installed package of that name has agents{near}: install it with pip, or take it out "
    "of the list.",
    ko="agents.allow에 있지만 그 이름의 에이전트 패키지가 설치되어 있지 않습니다{near}. pip로 설치하거나 목록에서 빼세요.",
)
_NOTHING_OFF = Text(
    en="agents.disabled names it, but no agent or capability here is called so{near}: nothing is switched off by it. Correct "
    "the name.",
    ko="agents.disabled에 있지만 그런 이름의 에이전트나 기능이 없어{near} 아무것도 꺼지지 않습니다. 이름을 고치세요.",
)
_NO_MAKER = Text(
    en="it takes the kind {kind!r}, which no agent here makes{near}: install one that does, or correct `consumes`.",
    ko="{kind!r}을(를) 받지만 여기에 그것을 만드는 에이전트가 없습니다{near}. 만드는 에이전트를 설치하거나 consumes를 고치세요.",
)
_NO_DEFAULT = Text(
    en="its parameter {parameter} has no default, and a plan gives none by itself: give it one.",
    ko="매개변수 {parameter}에 기본값이 없습니다. 계획은 스스로 값을 주지 않으니 기본값을 정하세요.",
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

    def off(self) -> frozenset[str]:
        """Everything that is switched off now, for all or for this company."""
        return frozenset(self.disabled).union(self.switched_off.get(self.company or "", ()))

    def names(self) -> set[str]:
        """Everything that can be switched off: agents and what they can do."""
        return {*self.agents, *(each.name for spec in self.agents.values() for each in spec.capabilities)}

    def enabled(self) -> list[AgentSpec]:
        known = sorted(self.agents.items())
        return (
            [spec for name, spec in known if not self.is_disabled(name)]
            if self.off()
            else [s for _, s in known]
        )

    def is_disabled(self, name: str, capability: str = "") -> bool:
        """Switched off by its own name, or because what is asked of it is off, or all that it can do."""
        off = self.off()
        if not off:
            return False
        return name in off or capability in off or all(c.name in off for c in self.agents[name].capabilities)

    def capabilities(self) -> tuple[dict[str, Any], ...]:
        """Capabilities that can be asked for, as plain data for the analysis."""
        return tuple(
            {
                "name": capability.name,
                "agent": spec.name,
                "description": {"ko": spec.description.say("ko"), "en": spec.description.say("en")},
                "words": {"ko": list(capability.ko), "en": list(capability.en)},
                "permissions": list(spec.permissions),
                "needs": sorted(spec.needs),
                "produces": list(spec.produces),
                "revises": sorted(spec.taken_kinds & spec.produces.keys()),
                "also_called": {kind: list(names) for kind, names in spec.also_called.items()},
                "seconds": spec.seconds,
                "side_effects": spec.side_effects,
            }
            for spec in self.enabled()
            for capability in spec.capabilities
            if not self.is_off(capability.name)
        )


def installed() -> tuple[Candidate, ...]:
    """Every entry point of the group, built-in or not: one door for all."""
    return _installed(places())


@lru_cache(maxsize=4)
def _installed(where: Places) -> tuple[Candidate, ...]:
    return tuple(
        Candidate(
            name=point.name,
            package=(point.dist.name if point.dist else "unknown"),
            target=point.value,
            load=point.load,
            claimed=_is_claimed(point),
        )
        for point in entry_points(GROUP, where)
    )


def _is_claimed(point: metadata.EntryPoint) -> bool:
    """Tells whether a metadata file names a package that another one is, or code that the package did not bring along."""
    dist = point.dist
    if dist is None:
        return True
    installed = list(metadata.distributions(name=dist.name))
    sources = {source for each in installed if (source := _editable_source(each))}
    # What an editable installation leaves in its own folder is no second package.
    folders = {Path(str(getattr(each, "_path", each))).absolute() for each in installed}
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


def flags(
    registry: Registry, rules: Agents, candidates: Iterable[Candidate] | None = None
) -> list[LoadProblem]:
    """Mistakes that stop no agent from loading: packages that are allowed but not there, names that are switched off and known
    to nobody, kinds that nobody makes, parameters without a default."""
    there = {each.package for each in (installed() if candidates is None else candidates)}
    packages = {allowed.partition(":")[0] for allowed in rules.allow} - {"*", *there}
    found = [
        LoadProblem(package, "", _NOT_INSTALLED, {"near": _or(nearest(package, there))})
        for package in sorted(packages)
    ]
    names = registry.names()
    found += [
        LoadProblem(name, "", _NOTHING_OFF, {"near": _or(nearest(name, names))})
        for name in sorted({*rules.disabled} - names)
    ]
    made = {kind for spec in registry.enabled() for kind in spec.produces}
    for spec in registry.enabled():
        package = registry.packages.get(spec.name, "")
        unmade = [(_NO_MAKER, {"kind": kind, "near": _or(near)}) for kind, near in unknown_kinds(spec, made)]
        open_ones = [
            (_NO_DEFAULT, {"parameter": each}) for each in (() if spec.fill else params_without_default(spec))
        ]
        found += [LoadProblem(spec.name, package, text, params) for text, params in (*unmade, *open_ones)]
    return found


def _or(near: str | None) -> str:
    return f" ({near}?)" if near else ""


def foreign_owner(spec: AgentSpec) -> str:
    """The installed package that has an agent of this name in another module; "" if there is none."""
    home = spec.run.__module__
    others = (each for each in installed() if each.name == spec.name)
    return next((each.package for each in others if each.target.partition(":")[0] != home), "")


def unknown_kinds(spec: AgentSpec, made: Collection[str]) -> list[tuple[str, str | None]]:
    """Kinds that the agent takes and nobody makes, each with the nearest that somebody does."""
    return [(kind, nearest(kind, made)) for kind in sorted(spec.taken_kinds - {*made, FILE})]


def params_without_default(spec: AgentSpec) -> list[str]:
    """Parameters that a plan cannot leave out, though it gives none by itself."""
    declared: Any = spec.params
    if declared is None:
        return []
    try:
        pydantic.TypeAdapter(declared).validate_python({})
    except pydantic.ValidationError as error:
        return [".".join(map(str, each["loc"])) for each in error.errors(include_input=False) if each["loc"]]
    except Exception as error:  # noqa: BLE001 - the type is the plugin's and may be anything
        return [f"{declared!r} ({type(error).__name__})"]
    return []


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
