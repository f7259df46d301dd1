"""Sections of the settings: one model each, with its defaults and what every field means."""

from __future__ import annotations

from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator

from metaagent.language.patterns import regex

_EXTENSION = regex(r"\.[a-z0-9]{1,16}")
_LOADER = regex(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
MODEL_NAME = regex(r"(?P<provider>[a-z][a-z0-9_-]{0,39}):(?P<model>[^\s:][^\s]{0,199})")


class Section(BaseModel):
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


class Limits(Section):
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


class Isolation(Section):
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


class Agents(Section):
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


class Approval(Section):
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


class Required(Section):
    """Steps that need a verdict, whether or not the question asks for a check."""

    kinds: list[str] | None = Field(
        default=None,
        description="Artifact kinds that no step with side effects takes before they are judged. Empty: documents, where an agent "
        "that judges them is installed, also one that is switched off. `[]`: none.",
    )
    agents: list[str] = Field(
        default_factory=list[str],
        description="Agents that start only when everything they are given is judged.",
    )


class Compliance(Section):
    require: Required = Field(
        default_factory=lambda: Required.model_validate({}),
        description="What must be judged in any case. A check that the question asks for holds back every step with side "
        "effects of its turn, also where nothing is named here.",
    )


class Documents(Section):
    approve_own: bool = Field(
        default=True, description="Whether who wrote a version of a document may approve it."
    )
    approve_first: bool = Field(
        default=False,
        description="Whether a version is released only after it was approved. Where nobody can judge it by rules, another "
        "person must approve it in any case.",
    )


class Analysis(Section):
    doubt_below: float = Field(
        default=0.6,
        ge=0,
        le=1,
        description="An answer about data that is less sure than this begins with the doubt; 0: never.",
    )


class Model(Section):
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


class Embeddings(Section):
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


class Retrieval(Section):
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


class State(Section):
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


class Memory(Section):
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


class Storage(Section):
    url: str | None = Field(
        None, description="SQLAlchemy URL of sessions and events; SQLite in the data directory if empty."
    )
    checkpoints: int = Field(default=8, gt=0, description="Newest checkpoints of a session that are kept.")
    turn_ends: int = Field(
        default=30,
        ge=0,
        description="Turns to whose end a session can be restored; named ones are always kept.",
    )


class Monitor(Section):
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


class Telemetry(Section):
    enabled: bool | None = Field(
        default=None,
        description="Unset: on if an endpoint is set here. `true`: also with OTEL_EXPORTER_OTLP_ENDPOINT. `false`: never.",
    )
    endpoint: str | None = Field(
        default=None,
        description="OTLP/gRPC address that spans and metrics are sent to; nothing is sent if empty.",
    )


class Data(Section):
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


class Keys(Section):
    provider: str | None = Field(
        default=None,
        description="Where the key that protects all others is: `file:PATH`, `env:NAME`, `keyring:SERVICE` or a "
        "plugin's; a file in the data directory if empty.",
    )


class Policy(Section):
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


class Access(Section):
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


class Logs(Section):
    level: Literal["debug", "info", "warning", "error"] = Field(
        default="warning", description="What the command line logs: redacted, sealed, in the data directory."
    )


class Retain(Section):
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
