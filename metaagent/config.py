"""Settings: YAML, then environment (`METAAGENT_LIMITS__TURN_SECONDS=60`), then arguments; one frozen object."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Literal, TypeVar, cast
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, available_timezones

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from metaagent.errors import ConfigInvalid, Text
from metaagent.language.patterns import regex
from metaagent.values import nearest

ENV_PREFIX = "METAAGENT_"
ENV_NOT_SETTINGS = frozenset(
    {
        "METAAGENT_CONFIG",
        "METAAGENT_SHARED_DATA",
        "METAAGENT_EXAMPLES",
        "METAAGENT_KEY",
        "METAAGENT_OIDC_SECRET",
    }
)
_EXTENSION = regex(r"\.[a-z0-9]{1,16}")
_VARIABLE = regex(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_LOADER = regex(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
MODEL_NAME = regex(r"(?P<provider>[a-z][a-z0-9_-]{0,39}):(?P<model>[^\s:][^\s]{0,199})")

_UNKNOWN = Text(
    en="Unknown setting {key!r} in {source}{hint}. `docs/settings.md` lists them all.",
    ko="{source}에 알 수 없는 설정 {key!r}이(가) 있습니다{hint}. 전체 목록은 `docs/settings.md`에 있습니다.",
)
_WRONG = Text(
    en="Setting {key!r} in {source} cannot be {value!r}: {problem}.",
    ko="{source}의 설정 {key!r}에 {value!r} 값을 쓸 수 없습니다: {problem}.",
)
_UNREADABLE = Text(
    en="The configuration file {path} cannot be read: {problem}. Check the path and the YAML.",
    ko="설정 파일 {path}을(를) 읽을 수 없습니다: {problem}. 경로와 YAML을 확인하세요.",
)
_NO_DOMAIN = Text(
    en="There is no domain {name!r}: looked for {name}/domain.yaml in {places}. Set `domains_dir`, or `domain: null`.",
    ko="도메인 {name!r}이(가) 없습니다. {places}에서 {name}/domain.yaml을 찾았습니다. `domains_dir`를 지정하거나 "
    "`domain: null`로 두세요.",
)
DEMO_FILE = "pharma.db"
CONNECTED_FILE = "connected.yaml"
"""File in the data directory: the database that `metaagent connect` connected, as settings that any others override."""


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)


def checked_address(value: str | None) -> str | None:
    """The address of a server, if it is one and holds no secret."""
    if value is None:
        return None
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("not an http or https address")
    if parts.username or parts.password:
        raise ValueError("keys belong in the provider's environment variable, not in the address")
    return value


class Limits(_Section):
    question_bytes: int = Field(default=1_000_000, gt=0, description="Longest question, in bytes of UTF-8.")
    nesting_depth: int = Field(
        64, gt=0, le=200, description="Deepest nesting of any value that enters a state."
    )
    iterations: int = Field(default=12, gt=0, description="Times that one turn may analyse its question.")
    replans: int = Field(default=2, ge=0, description="New plan versions after something went wrong.")
    clarifications: int = Field(default=3, ge=0, description="Questions back to the person in one turn.")
    turn_seconds: float = Field(
        300, gt=0, description="Working time of one turn; waiting for a person is not counted."
    )
    tokens: int = Field(default=200_000, ge=0, description="Chat model tokens of one turn.")
    calls: int = Field(default=200, ge=0, description="Calls of agents, models and databases in one turn.")
    cost: float = Field(
        default=100.0, ge=0, description="Declared cost of one plan, in the agents' own units."
    )
    steps: int = Field(default=30, gt=0, description="Steps of one plan.")
    parallel_steps: int = Field(default=4, gt=0, description="Steps of one turn that run at once.")
    crashes: int = Field(
        default=3,
        gt=0,
        description="Processes that one step may take down with it before it is failed instead of started again.",
    )
    breaker_failures: int = Field(
        default=5, gt=0, description="Faults in a row after which an agent is left alone for a while."
    )
    breaker_seconds: float = Field(default=60, gt=0, description="How long it is left alone.")
    running_turns: int = Field(
        default=64,
        gt=0,
        description="Turns that run at once in one process; more wait, with equal shares for companies and their people.",
    )
    queued_turns: int = Field(
        default=2_000, ge=0, description="Turns that may wait for their start; more are refused."
    )
    queued_turns_of_company: int = Field(
        default=1_500, ge=0, description="Turns of one company that may wait for their start."
    )
    queued_turns_of_person: int = Field(
        default=1_000, ge=0, description="Turns of one person that may wait for their start."
    )


class Isolation(_Section):
    """The limits of one isolated agent's process. Its time is the timeout that the agent declares."""

    memory_mb: int = Field(
        default=512,
        ge=128,
        le=1_000_000,
        description="Address space of each of its processes, the interpreter's 100 MB included, and memory of all together.",
    )
    cpu_seconds: int = Field(default=60, gt=0, le=86_400, description="Processor time of one attempt.")
    disk_mb: int = Field(
        default=256, ge=1, le=1_000_000, description="Its own temporary folder, and each file that it writes."
    )
    network: bool = Field(default=False, description="Whether it may use the network.")
    environment: list[str] = Field(
        default_factory=list[str], description="Environment variables that it is given, by name."
    )


class Agents(_Section):
    allow: list[str] = Field(
        default_factory=lambda: ["metaagent"],
        description="Packages (or single agents as package:name) whose execution agents are loaded; `*` for all installed.",
    )
    disabled: list[str] = Field(
        default_factory=list[str], description="Agents or capabilities never to start."
    )
    only_for: dict[str, list[str]] = Field(
        default_factory=dict[str, list[str]],
        description="Agents that only these companies may use, e.g. `{my_agent: [acme]}`.",
    )
    withhold: dict[str, list[str]] = Field(
        default_factory=dict[str, list[str]],
        description="Ports not given to an agent, e.g. `{my_agent: [llm]}`.",
    )
    isolate: dict[str, Isolation] = Field(
        default_factory=dict[str, Isolation],
        description="Agents that run in a child process with limits, e.g. "
        "`{my_agent: {memory_mb: 512, cpu_seconds: 60, disk_mb: 256, network: false}}` "
        "(these are the defaults; `{my_agent: {}}` takes them).",
    )


class Approval(_Section):
    mode: Literal["never", "always", "rule"] = Field(
        default="rule", description="When a person must approve a plan."
    )
    side_effects: bool = Field(default=True, description="By rule: plans that change something outside.")
    risk_from: Literal["low", "medium", "high", "critical"] = Field(
        default="high", description="By rule: plans with an agent of this risk or more."
    )
    agents: list[str] = Field(
        default_factory=list[str], description="By rule: plans with one of these agents."
    )
    cost_above: float | None = Field(default=None, description="By rule: plans that cost more.")
    roles: list[str] = Field(
        default_factory=list[str], description="By rule: plans of people with these roles."
    )


class Required(_Section):
    """Steps that need a verdict, whether or not the question asks for a check."""

    kinds: list[str] = Field(
        default_factory=list[str],
        description="Artifact kinds that no step with side effects takes before they are judged, e.g. `[document]`.",
    )
    agents: list[str] = Field(
        default_factory=list[str],
        description="Agents that start only when everything they are given is judged.",
    )


class Compliance(_Section):
    require: Required = Field(
        default_factory=lambda: Required.model_validate({}),
        description="What must be judged in any case. A check that the question asks for holds back every step with side "
        "effects of its turn, also where nothing is named here.",
    )


class Documents(_Section):
    approve_own: bool = Field(
        default=True, description="Whether who wrote a version of a document may approve it."
    )
    approve_first: bool = Field(
        default=False,
        description="Whether a version is released only after it was approved. Where nobody can judge it by rules, another "
        "person must approve it in any case.",
    )


class Analysis(_Section):
    doubt_below: float = Field(
        default=0.6,
        ge=0,
        le=1,
        description="An answer about data that is less sure than this begins with the doubt; 0: never.",
    )


class Model(_Section):
    """The chat model. Its key is in the provider's own environment variable and nowhere else."""

    name: str | None = Field(
        default=None,
        description="Chat model as `provider:model`, e.g. `openai:gpt-4.1-mini`; needs the package "
        "`langchain-<provider>`. Rules alone if empty.",
    )
    base_url: str | None = Field(default=None, description="Address of the model's server, if not the usual.")
    timeout: float = Field(default=30, gt=0, le=3600, description="Seconds that one call may take.")
    retries: int = Field(
        default=2, ge=0, le=10, description="Times that a call is repeated after a passing fault."
    )
    temperature: float | None = Field(
        default=0.0,
        ge=0,
        le=2,
        description="How freely the model words things; empty leaves it to the model.",
    )

    @field_validator("name")
    @classmethod
    def _of_a_provider(cls, value: str | None) -> str | None:
        if value is not None and not MODEL_NAME.fullmatch(value):
            raise ValueError("write it as provider:model, e.g. openai:gpt-4.1-mini")
        return value

    @field_validator("base_url")
    @classmethod
    def _without_secrets(cls, value: str | None) -> str | None:
        return checked_address(value)


class Embeddings(_Section):
    name: str | None = Field(
        default=None,
        description="Embedding model of documents as `provider:model`, e.g. `openai:text-embedding-3-small`; needs the package "
        "`langchain-<provider>`. Character n-grams, made here, if empty.",
    )
    base_url: str | None = Field(default=None, description="Address of the model's server, if not the usual.")

    @field_validator("name")
    @classmethod
    def _of_a_provider(cls, value: str | None) -> str | None:
        if value is not None and not MODEL_NAME.fullmatch(value):
            raise ValueError("write it as provider:model, e.g. openai:text-embedding-3-small")
        return value

    @field_validator("base_url")
    @classmethod
    def _without_secrets(cls, value: str | None) -> str | None:
        return checked_address(value)


class Retrieval(_Section):
    morphemes: Literal["mecab", "kiwi"] = Field(
        default="mecab",
        description="Analyser of Korean words: `mecab`, or `kiwi` (`pip install metaagent[kiwi]`; slower, larger, fewer wrong "
        "splits). `metaagent index rebuild` takes a change into what was added before.",
    )
    loaders: dict[str, str] = Field(
        default_factory=dict,
        description="LangChain document loaders for further kinds of files, as `module:Class` by extension, e.g. "
        "`.ipynb: langchain_community.document_loaders:NotebookLoader`. They read in a process of their own with limits, and "
        "are used instead of what is built in for that extension.",
    )
    web_url: str | None = Field(
        default=None,
        description="Address of a SearxNG server that searches may ask beside the documents; the web is not searched if empty.",
    )
    web_private: bool = Field(
        default=False, description="Whether that server may be at a private address or on this machine."
    )

    @field_validator("loaders")
    @classmethod
    def _named(cls, value: dict[str, str]) -> dict[str, str]:
        for suffix, loader in value.items():
            if not _EXTENSION.fullmatch(suffix) or not _LOADER.fullmatch(loader):
                raise ValueError("write each as .extension: module:Class")
        return value

    @field_validator("web_url")
    @classmethod
    def _without_secrets(cls, value: str | None) -> str | None:
        return checked_address(value)


class State(_Section):
    messages: int = Field(default=50, ge=4, description="Messages in the state; older ones become a summary.")
    messages_kept: int = Field(
        default=30, ge=3, description="Messages left in the state when the older ones are summed up."
    )
    message_bytes: int = Field(
        default=16_000,
        ge=1_000,
        description="Messages in the state, in bytes; beyond it, too, they are summed up.",
    )
    results: int = Field(default=100, gt=0, description="Agent results in the state.")
    value_bytes: int = Field(
        default=64_000, ge=1024, description="Largest value in the state; a larger one becomes an artifact."
    )
    warn_bytes: int = Field(default=1_000_000, gt=0, description="Size of a state that is warned about.")
    max_bytes: int = Field(
        default=2_000_000, ge=100_000, description="Hard bound of a state: values leave it until it fits."
    )
    summary_chars: int = Field(default=4_000, ge=500, description="Length of the running summary.")


class Memory(_Section):
    enabled: bool = Field(default=True, description="Whether people's facts and preferences are remembered.")
    bytes: int = Field(default=4_096, ge=0, description="Memories loaded into one turn, in bytes.")
    items: int = Field(
        default=1_000, gt=0, description="Memories of one person that were asked to be remembered."
    )
    conclusions: int = Field(
        default=30,
        ge=0,
        description="Conclusions of one person that answers with figures leave by themselves; 0 for none.",
    )
    conclusion_days: int = Field(
        default=90, gt=0, description="Days after which such a conclusion is forgotten."
    )
    index_above: int = Field(
        default=200, gt=0, description="Memories of one person from which on the vector index is used."
    )


class Storage(_Section):
    url: str | None = Field(
        None, description="SQLAlchemy URL of sessions and events; SQLite in the data directory if empty."
    )
    checkpoints: int = Field(default=8, gt=0, description="Newest checkpoints of a session that are kept.")
    turn_ends: int = Field(
        default=30,
        ge=0,
        description="Turns to whose end a session can be restored; named ones are always kept.",
    )


class Monitor(_Section):
    growth_factor: float = Field(
        default=3.0, gt=1, description="A state this many times larger than at earlier turns is warned of."
    )
    growth_floor: int = Field(
        default=100_000, ge=0, description="A state smaller than this is never warned of for its growth."
    )
    slow_factor: float = Field(
        default=2.0, gt=1, description="A step is slow from this many times its usual time on."
    )
    slow_seconds: float = Field(default=1.0, ge=0, description="And from this many seconds more on.")
    min_runs: int = Field(default=10, ge=3, description="Runs of an agent before its past is judged by.")
    chance: float = Field(
        default=0.01,
        gt=0,
        lt=1,
        description="An agent fails more often if so many failures were less likely than this before.",
    )


class Telemetry(_Section):
    enabled: bool | None = Field(
        default=None,
        description="Unset: on if an endpoint is set here. `true`: also with OTEL_EXPORTER_OTLP_ENDPOINT. `false`: never.",
    )
    endpoint: str | None = Field(
        default=None,
        description="OTLP/gRPC address that spans and metrics are sent to; nothing is sent if empty.",
    )


class Data(_Section):
    """The database that questions are about."""

    url: str | None = Field(
        default=None,
        description="SQLAlchemy URL (sqlite, postgresql, duckdb); the demonstration company `pharma.db` in the data "
        "directory if empty and there.",
    )
    urls: dict[str, str] = Field(
        default_factory=dict[str, str],
        description="Per tenant, where each has its own: PostgreSQL has one reading role per tenant.",
    )
    model: Path | None = Field(
        default=None, description="Semantic model of the database; `semantic.yaml` of the domain if empty."
    )
    tenants: dict[str, str] = Field(
        default_factory=lambda: {"local": "hanbit"},
        description="Whose rows a company sees, where its name is not the tenant's: local use sees the demonstration "
        "company `hanbit`.",
    )
    people: dict[str, dict[str, str | int]] = Field(
        default_factory=dict[str, dict[str, str | int]],
        description="What row rules need to know of a person, e.g. `{kim: {rep_id: 12}}`.",
    )
    rows: int = Field(default=10_000, gt=0, le=100_000, description="Most rows of one result; a cut is said.")
    seconds: float = Field(default=20, gt=0, description="A query that runs longer is stopped.")
    cost: float = Field(
        default=10_000_000,
        gt=0,
        description="A query that the database estimates costlier is not run (PostgreSQL).",
    )
    cached: int = Field(default=200, ge=0, description="Results kept in memory until the data changes.")
    write_url: str | None = Field(
        default=None,
        description="SQLAlchemy URL (sqlite, postgresql) with a role of its own, by which rows are stored; none are if "
        "empty.",
    )
    writable: dict[str, list[str]] = Field(
        default_factory=dict[str, list[str]],
        description="Tables of the semantic model that may be written, each with the columns that may be: "
        "`{visits: [visit_id, visit_date, rep_id]}`.",
    )
    files_url: str | None = Field(
        default=None,
        description="Where stored files go, sealed: an fsspec URL of a folder; the data directory if empty.",
    )
    confirm: Literal["replace", "always", "never"] = Field(
        default="replace",
        description="When storing rows shows them and asks first: where rows are replaced, always or never.",
    )


class Keys(_Section):
    provider: str | None = Field(
        default=None,
        description="Where the key that protects all others is: `file:PATH`, `env:NAME`, `keyring:SERVICE` or a "
        "plugin's; a file in the data directory if empty.",
    )


class Policy(_Section):
    """The rights of one role. Nothing is allowed that is not named; `*` in a list names all."""

    operations: list[str] = Field(
        default_factory=list[str],
        description="Calls, e.g. `session.ask`; with `:any` also on what belongs to others of the company.",
    )
    agents: list[str] = Field(default_factory=list[str], description="Execution agents.")
    capabilities: list[str] = Field(default_factory=list[str], description="What may be asked for.")
    data: list[str] = Field(
        default_factory=list[str], description="Data scopes: what agents declare as `permissions`."
    )
    artifacts: list[str] = Field(default_factory=list[str], description="Kinds of artifacts.")
    ports: list[str] = Field(
        default_factory=list[str], description="Ports that agents may use on one's behalf."
    )
    collections: list[str] = Field(
        default_factory=list[str],
        description="Documents of the company, by the sensitivity label of their collection or as `name:COLLECTION`.",
    )


class Access(_Section):
    file: Path | None = Field(
        default=None, description="YAML file with `policies` and `users`, read before those given here."
    )
    policies: dict[str, Policy] = Field(
        default_factory=dict[str, Policy],
        description="What each role may do; a role named here replaces the built-in one. See configs/access.yaml.",
    )
    users: dict[str, list[str]] = Field(
        default_factory=dict[str, list[str]],
        description="Roles of people on the command line, and of those whom a proxy or a provider names, as "
        "`company/user` or `user`.",
    )


class Logs(_Section):
    level: Literal["debug", "info", "warning", "error"] = Field(
        default="warning", description="What the command line logs: redacted, sealed, in the data directory."
    )


class Retain(_Section):
    audit_days: int | None = Field(
        default=None, gt=0, description="How long audit entries are kept; for ever if empty."
    )
    artifact_turns: int | None = Field(
        default=None,
        gt=0,
        description="Newest turns of each session whose artifacts are kept; all turns' if empty. What a named "
        "checkpoint or the state refers to is always kept.",
    )
    attachment_days: int = Field(
        default=7,
        gt=0,
        description="Days that an attached file waits for a question; then it is removed when its person attaches the next.",
    )


class Oidc(_Section):
    """An OpenID provider that people log in with. The client's secret is in an environment variable and nowhere else."""

    issuer: str | None = Field(
        default=None, description="Address of the provider, as its discovery document names it."
    )
    client_id: str = Field(
        default="metaagent", description="Name under which the provider knows this server."
    )
    secret_env: str = Field(
        default="METAAGENT_OIDC_SECRET",
        description="Environment variable with the client's secret; a public client has none.",
    )
    scopes: list[str] = Field(
        default_factory=lambda: ["openid", "profile", "email"], description="What is asked of the provider."
    )
    user_claim: str = Field(
        default="sub", description="Claim that names the person; one that nobody can choose for themselves."
    )
    company_claim: str | None = Field(default=None, description="Claim that names the company.")
    companies: dict[str, str] = Field(
        default_factory=dict[str, str],
        description="Company for each value of that claim; nobody else gets in. Without a claim: `{'': company}`.",
    )
    roles_claim: str | None = Field(default=None, description="Claim with roles or groups.")
    roles: dict[str, list[str]] = Field(
        default_factory=dict[str, list[str]],
        description="Roles for each value of that claim; others add nothing. Without any, those of `web.roles`.",
    )

    @field_validator("issuer")
    @classmethod
    def _without_secrets(cls, value: str | None) -> str | None:
        return checked_address(value)


class Web(_Section):
    """The server of `metaagent serve`."""

    auth: list[Literal["one_time", "accounts", "oidc", "proxy"]] = Field(
        default_factory=lambda: ["one_time"],
        description="How people log in: `one_time` (an address that is printed, for one person on this machine), `accounts` "
        "(names and passwords kept here), `oidc` (an OpenID provider), `proxy` (a header of a proxy). API keys work with all.",
    )
    public_url: str | None = Field(
        default=None,
        description="Address at which people reach the server, where a proxy stands before it, e.g. `https://ask.example.com`.",
    )
    hosts: list[str] = Field(
        default_factory=list[str],
        description="Further names by which the server may be addressed; this machine's loopback names are always.",
    )
    proxies: list[str] = Field(
        default_factory=list[str],
        description="Addresses or networks of proxies whose headers are believed, e.g. `[127.0.0.1, 10.0.0.0/24]`.",
    )
    user_header: str = Field(
        default="X-Remote-User",
        description="Header in which such a proxy names the person (`auth: [proxy]`).",
    )
    company: str = Field(
        default="local",
        description="Company of people whom a proxy names, and of those whom no claim places.",
    )
    roles: list[str] = Field(
        default_factory=lambda: ["employee"],
        description="Roles of people for whom neither `access.users` nor a claim says any.",
    )
    login_hours: float = Field(default=12, gt=0, le=24 * 31, description="How long a log-in lasts.")
    upload_mb: int = Field(default=50, gt=0, le=1_000, description="Largest file that is taken.")
    requests_per_minute: int = Field(
        default=600, gt=0, description="Requests of one person; more are told when to come back."
    )
    login_tries: int = Field(
        default=5,
        gt=0,
        description="Wrong passwords of one address for one account before it waits; other addresses do not.",
    )
    stop_seconds: float = Field(
        default=30, ge=0, description="How long turns at work may go on when the server stops."
    )
    oidc: Oidc = Field(
        default_factory=lambda: Oidc.model_validate({}), description="The OpenID provider of `auth: [oidc]`."
    )

    @field_validator("public_url")
    @classmethod
    def _an_origin(cls, value: str | None) -> str | None:
        checked_address(value)
        if value is not None and urlsplit(value).path not in ("", "/"):
            raise ValueError("an address without a path")
        return value.rstrip("/") if value is not None else None

    @field_validator("proxies")
    @classmethod
    def _networks(cls, value: list[str]) -> list[str]:
        for each in value:
            ip_network(each, strict=False)
        return value


class Words(_Section):
    ko: list[str] = Field(min_length=1, description="In Korean.")
    en: list[str] = Field(min_length=1, description="In English.")


class Said(_Section):
    ko: str = Field(min_length=1, description="In Korean.")
    en: str = Field(min_length=1, description="In English.")


class ToolParam(_Section):
    """The sources of an argument of a tool: the first that gives something counts, else the person is asked."""

    pattern: str | None = Field(
        default=None, description="RE2 pattern on the question; its first group counts."
    )
    entity: str | None = Field(
        default=None, description="Something that was understood, e.g. `location`, `period.start`."
    )
    question: bool = Field(default=False, description="The question itself.")
    input: str | None = Field(default=None, description="The content of an input of this kind.")
    value: Any = Field(default=None, description="A fixed value, or the one to fall back on.")
    type: Literal["string", "number", "integer", "boolean"] = Field(default="string")
    ask: Said | None = Field(
        default=None, description="What the person is asked where nothing else gives it."
    )


def _checked_variable(value: str | None) -> str | None:
    if value is not None and not _VARIABLE.fullmatch(value):
        raise ValueError("name an environment variable; its value is not written here")
    return value


class McpTool(_Section):
    """A tool of an MCP server: of a command that is started for each call, or of an address."""

    tool: str = Field(min_length=1)
    command: list[str] = Field(default_factory=list[str])
    url: str | None = None
    token: str | None = Field(default=None, description="Environment variable with a bearer token.")

    @field_validator("url")
    @classmethod
    def _without_secrets(cls, value: str | None) -> str | None:
        return checked_address(value)

    @field_validator("token")
    @classmethod
    def _named(cls, value: str | None) -> str | None:
        return _checked_variable(value)

    @model_validator(mode="after")
    def _one_place(self) -> McpTool:
        if bool(self.command) == bool(self.url):
            raise ValueError("give either `command` or `url`")
        return self


class OpenApiTool(_Section):
    """An operation of an OpenAPI document."""

    document: Path
    operation: str = Field(min_length=1)
    url: str | None = Field(default=None, description="Address of the server, if not the document's first.")
    token: str | None = Field(default=None, description="Environment variable with a bearer token.")

    @field_validator("url")
    @classmethod
    def _without_secrets(cls, value: str | None) -> str | None:
        return checked_address(value)

    @field_validator("token")
    @classmethod
    def _named(cls, value: str | None) -> str | None:
        return _checked_variable(value)


class Tool(_Section):
    """A tool that becomes an agent. It is thought to change something outside unless it is said not to."""

    mcp: McpTool | None = None
    openapi: OpenApiTool | None = None
    langchain: str | None = None
    description: Said
    words: Words
    consumes: list[str] = Field(default_factory=list[str])
    produces: str | None = None
    params: dict[str, ToolParam] = Field(default_factory=dict[str, ToolParam])
    side_effects: bool = True
    risk: Literal["low", "medium", "high", "critical"] = "low"
    permissions: list[str] = Field(default_factory=list[str])
    timeout: float = Field(default=30, gt=0, le=3600)
    confidence: float = Field(default=0.7, ge=0, le=1)
    result_bytes: int = Field(default=1_000_000, gt=0, le=20_000_000)
    redact: bool = True
    environment: list[str] = Field(default_factory=list[str])

    @field_validator("langchain")
    @classmethod
    def _importable(cls, value: str | None) -> str | None:
        if value is not None and not _LOADER.fullmatch(value):
            raise ValueError("write it as module:attribute")
        return value

    @model_validator(mode="after")
    def _one_kind(self) -> Tool:
        if sum(each is not None for each in (self.mcp, self.openapi, self.langchain)) != 1:
            raise ValueError("give one of `mcp`, `openapi` and `langchain`")
        return self


Part = TypeVar("Part", bound=_Section)


def _part(section: type[Part], description: str) -> Part:
    """A section of the settings, with its defaults."""
    return Field(default_factory=lambda: section.model_validate({}), description=description)


class Settings(_Section):
    data_dir: Path = Field(
        default_factory=lambda: default_data_dir(), description="Where everything is kept."
    )
    language: Literal["auto", "ko", "en"] = Field(
        default="auto", description="Language of answers; `auto` follows the question."
    )
    timezone: str = Field(
        default="Asia/Seoul", description="The asker's time zone, for words like 'last month'."
    )
    domain: str | None = Field(
        default="pharma",
        description="What the questions are about: a folder with a semantic model, and with intents and words where they "
        "differ from the general ones. `metaagent connect` sets it; none if null.",
    )
    domains_dir: Path | None = Field(
        default=None,
        description="Where such folders are, beside `configs/domains` and the ones that come along.",
    )
    data: Data = _part(Data, "The database that questions are about.")
    limits: Limits = _part(Limits, "Bounds of a turn; none of them raises, all are enforced.")
    agents: Agents = _part(Agents, "Which execution agents may run.")
    tools: dict[str, Tool] = Field(
        default_factory=dict[str, Tool],
        description="Tools of MCP servers, LangChain tools and OpenAPI operations that become agents, by the agent's name; see "
        "tools.md.",
    )
    approval: Approval = _part(Approval, "Whose plans are approved by a person.")
    compliance: Compliance = _part(Compliance, "What is judged before it leaves.")
    documents: Documents = _part(Documents, "Who approves and releases documents.")
    analysis: Analysis = _part(Analysis, "How questions are read.")
    model: Model = _part(Model, "The chat model that helps to understand and to word.")
    embeddings: Embeddings = _part(Embeddings, "Vectors of documents.")
    retrieval: Retrieval = _part(Retrieval, "Where answers are searched for.")
    access: Access = _part(Access, "Who may do what.")
    logs: Logs = _part(Logs, "Diagnostics.")
    retention: Retain = _part(Retain, "What is dropped after how long.")
    state: State = _part(State, "How large a session's state may be.")
    memory: Memory = _part(Memory, "Long-term memory of people.")
    keys: Keys = _part(Keys, "Keys of everything stored.")
    storage: Storage = _part(Storage, "Relational storage.")
    monitor: Monitor = _part(Monitor, "What is out of the ordinary.")
    telemetry: Telemetry = _part(Telemetry, "OpenTelemetry; off by default.")
    web: Web = _part(Web, "The server of `metaagent serve`.")

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        if not _is_zone(value):
            near = nearest(value, available_timezones())
            raise ValueError("not an IANA time zone" + (f"; did you mean {near!r}?" if near else ""))
        return value

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.timezone)


def _is_zone(name: str) -> bool:
    """Look the one zone up: listing all of them opens six hundred files. Files of other reckonings are no zones."""
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return not name.startswith(("posix", "right"))


def domain_folder(settings: Settings) -> Path | None:
    """The folder of the configured domain; None if none is wanted. Raises ConfigInvalid, naming where it looked."""
    if settings.domain is None:
        return None
    own = [settings.domains_dir] if settings.domains_dir else []
    shared = Path(sys.prefix) / "share" / "metaagent" / "configs" / "domains"
    places = [
        *own, settings.data_dir / "domains", Path("configs") / "domains",
        Path(__file__).resolve().parents[1] / "configs" / "domains", shared,
    ]  # fmt: skip
    for place in places:
        if any((place / settings.domain / file).is_file() for file in ("domain.yaml", "semantic.yaml")):
            return place / settings.domain
    raise ConfigInvalid(_NO_DOMAIN, name=settings.domain, places=", ".join(str(place) for place in places))


def data_url(settings: Settings) -> str | None:
    """The configured database, or the demonstration company if it was made here."""
    demo = settings.data_dir / DEMO_FILE
    return settings.data.url or (f"sqlite:///{demo.absolute()}" if demo.is_file() else None)


def default_data_dir() -> Path:
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "metaagent"


def load_settings(
    path: Path | None = None,
    *,
    env: Mapping[str, str] | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Settings:
    """Later sources win. Unknown keys are refused with the nearest valid name."""
    environment = os.environ if env is None else env
    path = path or (Path(environment["METAAGENT_CONFIG"]) if environment.get("METAAGENT_CONFIG") else None)
    values: dict[str, Any] = {}
    if path is not None:
        _merge(values, _checked(_read_yaml(path), str(path)))
    _merge(values, _checked(_from_environment(environment), "the environment"))
    _merge(values, _checked(dict(overrides or {}), "the arguments"))
    values = _with_connected(values)
    _add_policies(values)
    return _validated(values, str(path or "the settings"))


def _with_connected(values: dict[str, Any]) -> dict[str, Any]:
    """The connected database of the data directory, unless the settings name a domain or a model themselves."""
    data = values.get("data")
    named = "domain" in values or (isinstance(data, dict) and "model" in cast("dict[str, Any]", data))
    file = Path(str(values.get("data_dir") or default_data_dir())) / CONNECTED_FILE
    if named or not file.is_file():
        return values
    found = _checked(_read_yaml(file), str(file))
    _merge(found, values)
    return found


def _add_policies(values: dict[str, Any]) -> None:
    """Policies and users of `access.file` come first: what the settings themselves say wins."""
    access: object = values.get("access")
    file: object = cast("dict[str, Any]", access).get("file") if isinstance(access, dict) else None
    if not isinstance(file, str | Path):
        return  # nothing, or something that the validation will name
    found = _checked({"access": _read_yaml(Path(str(file)))}, str(file))
    _merge(found, {"access": access})
    values["access"] = found["access"]


def settings_list() -> Iterator[tuple[str, Any, str]]:
    """Every setting as (dotted name, default, description), in order."""
    yield from _fields(Settings, "")


def _fields(model: type[BaseModel], prefix: str) -> Iterator[tuple[str, Any, str]]:
    for name, info in model.model_fields.items():
        inner = info.annotation
        if isinstance(inner, type) and issubclass(inner, _Section):
            yield from _fields(inner, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", info.get_default(call_default_factory=True), info.description or ""


def _read_yaml(path: Path) -> dict[str, Any]:
    try:
        loaded: object = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as problem:
        raise ConfigInvalid(_UNREADABLE, path=path, problem=str(problem).replace("\n", " ")) from problem
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise ConfigInvalid(_UNREADABLE, path=path, problem="it is not a mapping of settings")
    return cast("dict[str, Any]", loaded)


def _from_environment(env: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, text in env.items():
        if not name.startswith(ENV_PREFIX) or name in ENV_NOT_SETTINGS:
            continue
        keys = name[len(ENV_PREFIX) :].lower().split("__")
        try:
            value: Any = yaml.safe_load(text)
        except (ValueError, RecursionError, yaml.YAMLError) as problem:
            raise ConfigInvalid(
                _WRONG, key=name, source="the environment", value=text, problem="it is not a YAML value"
            ) from problem
        for key in reversed(keys):
            value = {key: value}
        _merge(values, value)
    return values


def _merge(into: dict[str, Any], new: Mapping[str, Any]) -> None:
    for key, value in new.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], cast("dict[str, Any]", value))
        else:
            into[key] = value


def _checked(values: dict[str, Any], source: str) -> dict[str, Any]:
    known = [name for name, _, _ in settings_list()]
    sections = {name.split(".")[0] for name in known if "." in name}
    for key, value in values.items():
        if key not in sections or not isinstance(value, dict):
            _known(str(key), known, source)
            continue
        for inner in cast("dict[str, Any]", value):
            _known(f"{key}.{inner}", known, source)
    return values


def _known(key: str, known: list[str], source: str) -> None:
    if key in known or any(name.startswith(f"{key}.") for name in known):
        return
    near = nearest(key, known, cutoff=0.5)
    hint = f": did you mean {near!r}?" if near else ""
    raise ConfigInvalid(_UNKNOWN, key=key, source=source, hint=hint)


def _validated(values: Mapping[str, Any], source: str) -> Settings:
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise ConfigInvalid(
            _WRONG, key=key, source=source, value=first["input"], problem=first["msg"]
        ) from error
