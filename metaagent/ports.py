"""Ports: small protocols for what the core and the agents need from the outside, and the values that cross them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

from metaagent.errors import Text
from metaagent.language.patterns import regex

Json = dict[str, Any]
TurnStatus = Literal["queued", "running", "waiting", "completed", "failed", "cancelled", "undone"]
"""A turn's status. `undone`: it had ended, and the session was then restored to an earlier turn."""

ENDED: frozenset[TurnStatus] = frozenset({"completed", "failed", "cancelled", "undone"})


_TENANT = regex(r"(?!x-)[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
"""No company can call itself by the digest of another: those begin with x-."""


@lru_cache(10_000)
def tenant_of(company_id: str) -> str:
    if _TENANT.fullmatch(company_id):
        return company_id
    return f"x-{hashlib.sha256(company_id.encode()).hexdigest()[:40]}"


@dataclass(frozen=True)
class User:
    """The person who asks. Local use has one owner without ceremony."""

    user_id: str = "owner"
    company_id: str = "local"
    roles: tuple[str, ...] = ("owner",)
    scopes: tuple[str, ...] | None = field(default=None, compare=False)
    """Operations that a program acting for the person is limited to; None if the roles alone decide."""
    visiting: bool = field(default=False, compare=False)
    """Came through a door: nothing of the installation is theirs, whatever they are called."""

    @property
    def tenant(self) -> str:
        """The company as keys and the audit trail name it: itself where it is an id, else a digest of it."""
        return tenant_of(self.company_id)


@dataclass(frozen=True)
class Group:
    """The document that an artifact is one form of: its files and its model share id and version."""

    document_id: str
    version: int
    format: str


@dataclass(frozen=True)
class NewVersion:
    """A version of a document as it goes on record."""

    document_id: str
    version: int
    based_on: int
    """The version that it was made from; 0 for the first."""
    key: str
    """Tells it from others: the same key again is the same version."""
    document: Any = field(repr=False)
    hash: str
    title: str
    note: str
    """The words of what was asked for, or what was changed."""
    artifacts_used: tuple[str, ...] = ()
    forms: Mapping[str, str] = field(default_factory=dict[str, str])
    """The artifact of each format."""
    plan_version: int = 0


@dataclass(frozen=True)
class ArtifactRef:
    """A reference to a result, as the state keeps it: enough to show it and to fetch it."""

    id: str
    kind: str
    summary: str
    size: int
    hash: str
    made_by: str = ""
    made_from: tuple[str, ...] = ()
    name: str = ""
    """The name of the file that it is; empty for plain data."""
    media_type: str = ""
    group: Group | None = None

    def as_json(self) -> Json:
        as_file = {
            "name": self.name,
            "media_type": self.media_type,
            "group": vars(self.group) if self.group else None,
        }
        return {
            "id": self.id,
            "kind": self.kind,
            "summary": self.summary,
            "size": self.size,
            "hash": self.hash,
            "made_by": self.made_by,
            "made_from": list(self.made_from),
            **{key: value for key, value in as_file.items() if value},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ArtifactRef:
        group = data.get("group")
        fields: dict[str, Any] = {
            **data,
            "made_from": tuple(data.get("made_from", ())),
            "group": Group(**group) if group else None,
        }
        return cls(**fields)


@dataclass(frozen=True)
class QueryResult:
    """The result of guarded SQL. `sql` is what ran, after the guard."""

    columns: list[str]
    rows: list[list[Any]]
    row_count: int
    truncated: bool = False
    sql: str = ""
    plan: list[Json] = field(default_factory=list[Json])
    elapsed: float = 0.0


@dataclass(frozen=True)
class DataResult:
    """The result of a compiled question. `sql` and `params` are exactly what ran, then or when the cache was filled.

    A column says `name`, `label`, `type` (number, date, text), `kind` (dimension, time, metric, previous, ...),
    `source` (the metric or dimension), `unit`, `format`, `decimals`, `additive`, `values` (how to show coded ones) and
    `hidden`: a column `X__key` holds the key of dimension X, to tell things of one name apart, and is never shown.
    `thing` is the kind of things that a column names or counts (person, organisation, ...).
    `periods` are the days that the figures are about, and those that they are compared with. `terms` has the label, unit
    and kind of every metric and dimension that the query names. `undated`: a figure here has no date, and the period that was
    asked for was not applied to it.
    """

    columns: list[Json]
    rows: list[list[Any]]
    row_count: int
    truncated: bool
    sql: str
    params: Json
    plan: list[Json]
    notes: list[str]
    tables: list[str]
    query: Json
    elapsed: float
    cache_key: str | None = None
    cache_hit: bool = False
    periods: list[Json] = field(default_factory=list[Json])
    terms: dict[str, Json] = field(default_factory=dict[str, Json])
    undated: bool = False


@dataclass(frozen=True, eq=False)
class Knowledge:
    """The contents that questions about one tenant's data may have, as the asker may know it: words of the semantic model, names
    that stand in the data, and the first and last day of each metric."""

    vocabulary: Sequence[Json] = ()
    names: Sequence[Json] = ()
    coverage: Mapping[str, Any] | None = None
    reachable: bool = True
    hidden: Sequence[str] = ()
    """Names of columns that the data has and that are shown to nobody."""
    absent: Text | None = None
    """The reason why there is no data at all for the asker, who may be told of their `company`."""


@dataclass(frozen=True)
class Match:
    """One hit of a vector search; a higher score is nearer."""

    id: str
    text: str
    score: float
    metadata: Json = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class ModelReply:
    text: str
    tokens: int = 0


MODEL = "model"
"""The name under which calls of the chat model are counted."""


class Spending(Protocol):
    """The budget of a turn, as those who spend it see it."""

    @property
    def seconds_left(self) -> float: ...
    @property
    def calls_left(self) -> int: ...
    @property
    def tokens_left(self) -> int: ...
    def spend(self, name: str) -> None: ...
    def spend_tokens(self, tokens: int) -> None: ...
    async def keep(self) -> None:
        """Put what the chat model used on record: a crash gives none of it back."""
        ...


class ModelUse(Protocol):
    """The record of what the chat model used in a turn since its last wait."""

    async def add(self, tokens: int, calls: int) -> None: ...


# --- ports that agents may declare -----------------------------------------------------------------------


class Database(Protocol):
    """One tenant's data as one person may see it. SQL gets there in these two ways and no other."""

    async def ask(self, request: Mapping[str, Any]) -> DataResult:
        """A structured request (metrics, dimensions, filters, period, comparison, top, ...), compiled."""
        ...

    async def breakdowns(self, request: Mapping[str, Any]) -> list[str]:
        """Dimensions that would split the request's figure further, the most telling first."""
        ...

    async def attributes(self, dimension: str) -> list[str]:
        """Dimensions that describe the things of this one, the next coarser first: the team of a sales rep."""
        ...

    async def run(self, sql: str, *, max_rows: int = 10_000) -> QueryResult:
        """SQL that a model or a person wrote, after the guard. Raises SqlRefused, which says why."""
        ...


OWN_TEXTS = "documents"
"""The collection of a person's own texts that is meant where none is named."""


class VectorIndex(Protocol):
    """Texts of one person, in collections by name; nobody else reads or removes them. The company's documents are in
    the `library`."""

    async def add(
        self,
        texts: Mapping[str, str],
        metadata: Mapping[str, Json] | None = None,
        *,
        collection: str = OWN_TEXTS,
    ) -> None: ...
    async def search(self, text: str, *, limit: int = 10, collection: str = OWN_TEXTS) -> list[Match]: ...
    async def get(self, ids: Sequence[str], *, collection: str = OWN_TEXTS) -> list[Match]:
        """The texts of these ids, in their order; ids that are not there are left out. Each has the score 1."""
        ...

    async def ids(self, *, collection: str = OWN_TEXTS) -> list[str]: ...
    async def count(self, *, collection: str = OWN_TEXTS) -> int: ...
    async def remove(self, ids: Sequence[str], *, collection: str = OWN_TEXTS) -> None: ...


class Embedder(Protocol):
    """Makes vectors of texts. Vectors of two embedders are never compared: a collection names the one that made its own."""

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int:
        """The length of a vector; 0 as long as no batch has shown it."""
        ...

    async def batch(self, texts: Sequence[str]) -> list[list[float]]:
        """One unit vector for each text, in their order."""
        ...


class Library(Protocol):
    """Documents that one person may search: the collections of the company that their roles allow, their own, and what they
    attached to this conversation. No other collection exists for this port."""

    async def collections(self) -> list[Json]:
        """Each as {id, name, label, owner: "company" | "person", embedder, tokenizer, documents, chunks, generation}."""
        ...

    async def lexical(self, terms: Sequence[str], *, limit: int = 50) -> list[Match]:
        """Chunks by BM25 over these terms, the best first. A match has the chunk's id, its score and in `metadata` the
        `collection`; `chunks` has its text."""
        ...

    async def nearest(self, text: str, *, limit: int = 50) -> list[Match]:
        """Chunks by the cosine of their vectors with the text's, the nearest first; the same form as `lexical`."""
        ...

    async def chunks(self, ids: Sequence[str]) -> list[Json]:
        """Each as {id, document_id, collection, label, title, source, media_type, number, text, start, end, heading, place,
        aliases, language, valid_from, valid_to, sha256}, in the order of the ids; those that are gone are left out."""
        ...

    async def text(self, document_id: str, start: int = 0, end: int | None = None) -> str:
        """A part of the extracted text as it is kept. Raises Failed where there is no such document for this person."""
        ...

    async def headings(self, terms: Sequence[str], *, limit: int = 5) -> list[Json]:
        """Headings that share the most with these terms, each as {document_id, title, heading, place, score}."""
        ...


class WebSearch(Protocol):
    """The web, through the search engine that the operator set up."""

    async def search(self, text: str, *, limit: int = 5) -> list[Json]:
        """Pages as {title, url, text}, the best first. Personal data is taken out of the text before it leaves."""
        ...


class ChatModel(Protocol):
    async def complete(self, messages: Sequence[tuple[str, str]]) -> ModelReply: ...


class FileStore(Protocol):
    """Files by id. Paths are made from ids alone."""

    async def write(self, file_id: str, content: bytes) -> None: ...
    async def read(self, file_id: str) -> bytes: ...
    async def remove(self, file_id: str) -> None: ...


class Records(Protocol):
    """Writes for good, as one person of one tenant: rows of named tables, files and searchable texts, together or not at all.

    A batch is plain data: `rows` ({table, columns, rows}), `files` ([{name, media_type, content}]), `texts`
    ([{id, text, metadata}]), and what the receipt says of it: `what`, `why`, `label`, `retention_days`, `decision`.
    """

    async def describe(self) -> Json:
        """Tables that may be written with their columns, words, codes and keys (`tables`), and the domain's `rules`."""
        ...

    async def lookup(self, table: str, column: str, names: Sequence[str]) -> dict[str, list[Any]]:
        """Keys of the things of these names, for a column that refers to another table; several where names are shared."""
        ...

    async def preview(self, batch: Mapping[str, Any]) -> Json:
        """The rows as they would be, the ones that they replace, and a `fingerprint` of what was looked at."""
        ...

    async def store(self, key: str, batch: Mapping[str, Any], fingerprint: str | None = None) -> Json:
        """Store once for each key; the receipt, with `already` where it was stored before. Raises StoreRefused."""
        ...

    async def receipt(self, key: str) -> Json | None:
        """The receipt of what was stored with this key."""
        ...


class ArtifactReader(Protocol):
    """Lazy access to the artifacts that the plan step names as inputs, and to no others."""

    async def read(self, ref: ArtifactRef) -> Any: ...


class Progress(Protocol):
    async def __call__(self, percentage: int, note: str = "") -> None: ...


class Log(Protocol):
    def info(self, message: str, **fields: Any) -> None: ...
    def warning(self, message: str, **fields: Any) -> None: ...


@runtime_checkable
class Clock(Protocol):
    def now(self) -> datetime: ...


class PersonalMemory(Protocol):
    """The memories of the person who asks, and of nobody else. Memories are plain data."""

    async def remember(self, notes: Sequence[Json]) -> list[Json]:
        """Each note as it is remembered now, with `before`: the value that it replaced, if any."""
        ...

    async def find(self, about: str) -> list[Json]: ...
    async def forget(self, ids: Sequence[str]) -> int: ...
    async def all(self) -> list[Json]: ...


class Rules(Protocol):
    """The rule packs that a turn is judged by: the files as they were when the turn first asked, and its waivers."""

    async def files(self) -> dict[str, str]:
        """Text of each file by its path below the folder of the packs."""
        ...

    async def waivers(self) -> list[Json]:
        """Exceptions that a compliance officer granted: {rule, scope, until}; `scope` is a content hash or "*"."""
        ...


class Templates(Protocol):
    """The templates of documents: those of the domain and of installed packages."""

    async def files(self) -> dict[str, bytes]:
        """Content of each file by its path: `<id>/template.yaml` and its Word layout, if it has one."""
        ...


@dataclass(frozen=True)
class Effect:
    """An effect as it is on record. One that is `begun` and not `done` may have happened: its agent died in between."""

    status: Literal["new", "begun", "done"]
    receipt: Json


class Effects(Protocol):
    """Effects outside, by the keys that `ctx.effect_key` makes of them."""

    async def begin(self, key: str) -> Effect:
        """Note that it is about to happen. How it stood before: `new`, or `begun` or `done` by an attempt before this
        one."""
        ...

    async def done(self, key: str, receipt: Json) -> None:
        """Note that it has happened; whoever begins it again gets the receipt."""
        ...

    async def withdraw(self, key: str) -> None:
        """Note that it did not happen, and will not by this attempt."""
        ...


class GrantedPorts(NamedTuple):
    """The grant of one step: the agent's ports, why others are not there, and whom to tell that it used one of these."""

    ports: Mapping[str, Any]
    withheld: Mapping[str, str]
    refused: Callable[[str], None]


PORTS = (
    "db",
    "vectors",
    "llm",
    "files",
    "artifacts",
    "progress",
    "log",
    "clock",
    "user",
    "memory",
    "records",
    "effects",
    "rules",
    "templates",
    "library",
    "web",
)
"""The names that an agent may put in its `needs`."""


# --- ports of the core -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Turn:
    turn_id: str
    session_id: str
    number: int
    status: TurnStatus
    question: str
    language: str
    user: User
    started_at: str
    ended_at: str | None = None
    waiting: tuple[Json, ...] = ()
    answers: Mapping[str, Any] = field(default_factory=dict[str, Any])
    outcome: Json = field(default_factory=dict[str, Any])
    follows: int | None = None
    """The number of the turn that the session stood at; the one before if nothing is said."""
    attached: tuple[str, ...] = ()
    """Artifacts that the person gave with the question."""


@dataclass(frozen=True)
class SessionInfo:
    session_id: str
    company_id: str
    owner: str
    """An alias that means nothing outside this installation."""
    title: str
    created_at: str
    updated_at: str
    turns: int
    status: str
    schema_version: int
    refused: str = ""
    """The reason why the title cannot be read, naming the row; it is empty then, and the session can be used and deleted."""
    pinned: bool = False
    shared: bool = False
    """Colleagues may read it."""
    shared_by: str = ""
    """The colleague who shares it, where the reader is not its owner."""


class Reasoner(Protocol):
    """Understands a question and words an answer: by rules, or with a chat model behind the same checks."""

    async def analyze(self, question: str, context: AnalysisInput) -> Json: ...
    async def respond(self, facts: Json) -> str: ...


class Teachable(Reasoner, Protocol):
    """A reasoner that says what may be suggested to it, and what is wrong with a suggestion. Analysis uses what is
    right in `AnalysisInput.proposed` and leaves the rest."""

    async def offers(self, context: AnalysisInput) -> Json: ...
    async def objections(self, question: str, context: AnalysisInput) -> list[str]: ...


@runtime_checkable
class Summarizer(Protocol):
    """A reasoner that can also sum up a conversation; one that cannot is helped by the rules."""

    async def summarize(self, previous: str, messages: Sequence[Any], language: str, limit: int) -> str: ...


@dataclass(frozen=True)
class AnalysisInput:
    """Everything that an analysis may depend on, as plain data."""

    now: datetime
    timezone: str
    language: str | None
    user: User
    capabilities: tuple[Json, ...]
    answers: tuple[Json, ...] = ()
    previous: Json | None = None
    artifacts: tuple[Json, ...] = ()
    memories: tuple[Json, ...] = ()
    proposed: Json | None = None
    """The suggestion of a chat model: {intents: [{intent, quote}], entities: [{type, quote, name, start, end}]}."""


class Claim(Protocol):
    """The right to run a turn of one session, until it is released or its holder dies."""

    def release(self) -> None: ...
