"""Test doubles for authors of agents: fakes of every port, and a clock that stands still."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from metaagent.errors import Failed
from metaagent.input_checks import admit_id
from metaagent.journal import decode_artifact, encode_artifact
from metaagent.memory.embedding import embed
from metaagent.memory.recall import Memory, as_changed, matching, noted, shown
from metaagent.ports import (
    OWN_TEXTS,
    PORTS,
    AnalysisInput,
    ArtifactRef,
    DataResult,
    Effect,
    Json,
    Match,
    ModelReply,
    QueryResult,
    User,
)
from metaagent.testing.fake_library import FakeLibrary
from metaagent.values import iso

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

NOON = datetime(2025, 1, 10, 3, 0, tzinfo=UTC)
"""The moment at which a FakeClock stands: noon in Seoul on 10 January 2025."""


class FakeClock:
    """Stands still until told to go on."""

    def __init__(self, moment: datetime = NOON) -> None:
        self.moment = moment

    def now(self) -> datetime:
        return self.moment

    def advance(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


@dataclass
class FakeDatabase:
    """Answers each SQL text, and each metric asked for, with what was given for it."""

    answers: Mapping[str, QueryResult] = field(default_factory=dict[str, QueryResult])
    results: Mapping[str, DataResult] = field(default_factory=dict[str, DataResult])
    dimensions: Sequence[str] = ()
    ran: list[str] = field(default_factory=list[str])
    asked: list[Json] = field(default_factory=list[Json])

    async def run(self, sql: str, *, max_rows: int = 10_000) -> QueryResult:
        self.ran.append(sql)
        if sql not in self.answers:
            raise Failed(f"FakeDatabase has no answer for {sql!r}; it knows {sorted(self.answers)}")
        answer = self.answers[sql]
        rows = answer.rows[:max_rows]
        return replace(answer, rows=rows, row_count=len(rows), truncated=len(rows) < len(answer.rows))

    async def ask(self, request: Mapping[str, Any]) -> DataResult:
        """The most particular that was given: `sales_amount/month`, then `sales_amount`."""
        self.asked.append(dict(request))
        metrics, dimensions = list(request.get("metrics") or ()), list(request.get("dimensions") or ())
        names = [",".join(metrics) + "/" + ",".join(dimensions), ",".join(metrics)]
        found = next((self.results[name] for name in names if name in self.results), None)
        if found is None:
            raise Failed(f"FakeDatabase has no result for {names[0]!r}; it knows {sorted(self.results)}")
        return found

    async def breakdowns(self, request: Mapping[str, Any]) -> list[str]:
        return [name for name in self.dimensions if name not in (request.get("dimensions") or ())]

    async def attributes(self, dimension: str) -> list[str]:
        return [name for name in self.dimensions if name != dimension]


class FakeVectors:
    """Real similarity over texts in memory."""

    def __init__(self, texts: Mapping[str, str] | None = None) -> None:
        self._collections: dict[str, dict[str, tuple[str, Json]]] = {}
        self._of(OWN_TEXTS).update({key: (text, {}) for key, text in (texts or {}).items()})

    async def add(
        self,
        texts: Mapping[str, str],
        metadata: Mapping[str, Json] | None = None,
        *,
        collection: str = OWN_TEXTS,
    ) -> None:
        more = metadata or {}
        self._of(collection).update({key: (text, dict(more.get(key) or {})) for key, text in texts.items()})

    async def search(self, text: str, *, limit: int = 10, collection: str = OWN_TEXTS) -> list[Match]:
        wanted = embed(text, b"")
        scored = [
            Match(
                key, known, sum(a * b for a, b in zip(wanted, embed(known, b""), strict=True)), dict(metadata)
            )
            for key, (known, metadata) in self._of(collection).items()
        ]
        return sorted(scored, key=lambda match: -match.score)[:limit]

    async def get(self, ids: Sequence[str], *, collection: str = OWN_TEXTS) -> list[Match]:
        known = self._of(collection)
        return [Match(key, known[key][0], 1.0, dict(known[key][1])) for key in ids if key in known]

    async def ids(self, *, collection: str = OWN_TEXTS) -> list[str]:
        return sorted(self._of(collection))

    async def count(self, *, collection: str = OWN_TEXTS) -> int:
        return len(self._of(collection))

    async def remove(self, ids: Sequence[str], *, collection: str = OWN_TEXTS) -> None:
        for key in ids:
            self._of(collection).pop(key, None)

    def _of(self, collection: str) -> dict[str, tuple[str, Json]]:
        return self._collections.setdefault(admit_id(collection, "collection"), {})


class FakeWeb:
    """Gives these pages for every search, and keeps what was searched for."""

    def __init__(self, pages: Sequence[Mapping[str, str]] = ()) -> None:
        self.pages = [dict(page) for page in pages]
        self.searched: list[str] = []

    async def search(self, text: str, *, limit: int = 5) -> list[Json]:
        self.searched.append(text)
        return [dict(page) for page in self.pages[:limit]]


class FakeModel:
    """Says the scripted replies in turn. No test can reach a real model by accident."""

    def __init__(self, replies: Sequence[str] = ()) -> None:
        self._replies = list(replies)
        self.heard: list[list[tuple[str, str]]] = []

    async def complete(self, messages: Sequence[tuple[str, str]]) -> ModelReply:
        self.heard.append(list(messages))
        if not self._replies:
            raise Failed("FakeModel has no reply left: give it one for each call")
        return ModelReply(self._replies.pop(0), tokens=sum(len(text) for _, text in messages))


def scripted_chat_model(*replies: Any, chunk: int = 7) -> BaseChatModel:
    """A LangChain chat model that says the replies in turn, for `MetaAgent.open(model=...)`; the last one for ever.

    A dict is an answer in JSON, to whoever asks for structured output; a string is a text; an exception is raised.
    Texts are streamed in chunks of that many characters; a list is streamed as it is, an exception in it breaks off. What
    it heard is in its `heard`.
    """
    from metaagent.testing.scripted_model import ScriptedChatModel

    return ScriptedChatModel(replies=list(replies), chunk=chunk)


class FakeFiles:
    def __init__(self, files: Mapping[str, bytes] | None = None) -> None:
        self.files = dict(files or {})

    async def write(self, file_id: str, content: bytes) -> None:
        self.files[admit_id(file_id, "file")] = content

    async def read(self, file_id: str) -> bytes:
        if file_id not in self.files:
            raise Failed(f"there is no file {file_id!r}")
        return self.files[file_id]

    async def remove(self, file_id: str) -> None:
        self.files.pop(file_id, None)


class FakeRecords:
    """Stores in memory, once for each key. `tables` are as `describe` gives them; `there` are rows by table and key."""

    def __init__(
        self,
        tables: Sequence[Json] = (),
        *,
        rules: Json | None = None,
        there: Mapping[str, Mapping[tuple[Any, ...], Json]] | None = None,
        names: Mapping[str, list[Any]] | None = None,
    ) -> None:
        self.tables = list(tables)
        self.rules = dict(rules or {})
        self.there = {table: dict(rows) for table, rows in (there or {}).items()}
        self.names = dict(names or {})
        self.stored: dict[str, tuple[Json, Json]] = {}

    async def describe(self) -> Json:
        return {"tables": self.tables, "rules": self.rules}

    async def lookup(self, table: str, column: str, names: Sequence[str]) -> dict[str, list[Any]]:
        return {name: self.names[name] for name in names if name in self.names}

    async def preview(self, batch: Mapping[str, Any]) -> Json:
        rows: Json = batch.get("rows") or {"table": "", "columns": [], "rows": []}
        key = next((each["key"] for each in self.tables if each["name"] == rows["table"]), [])
        there = self.there.get(rows["table"], {})
        given = [dict(zip(rows["columns"], row, strict=True)) for row in rows["rows"]]
        before = {number: there.get(tuple(row.get(k) for k in key)) for number, row in enumerate(given)}
        new = [row for number, row in enumerate(rows["rows"]) if before[number] is None]
        replaced = [
            {
                "key": [given[number].get(k) for k in key],
                "before": [old.get(c) for c in rows["columns"]],
                "after": rows["rows"][number],
            }
            for number, old in before.items()
            if old is not None
        ]
        return {
            "table": rows["table"],
            "columns": list(rows["columns"]),
            "rows": new,
            "replaces": replaced,
            "new": len(new),
            "replaced": len(replaced),
            "unchanged": 0,
            "fingerprint": sha256(encode_artifact([new, replaced])).hexdigest(),
        }

    async def store(self, key: str, batch: Mapping[str, Any], fingerprint: str | None = None) -> Json:
        if key in self.stored:
            return {**self.stored[key][1], "already": True}
        rows, receipt = batch.get("rows"), f"r{len(self.stored) + 1}"
        made = {
            "receipt": receipt,
            "stored_location": f"metaagent://stored/{receipt}",
            "status": "stored",
            "where": {
                "table": rows["table"] if rows else None,
                "rows": len(rows["rows"]) if rows else 0,
                "new": len(rows["rows"]) if rows else 0,
                "replaced": 0,
                "unchanged": 0,
                "files": [{"name": each["name"]} for each in batch.get("files") or ()],
                "texts": len(batch.get("texts") or ()),
            },
            "key": key,
            "already": False,
        }
        self.stored[key] = (dict(batch), made)
        return made

    async def receipt(self, key: str) -> Json | None:
        return self.stored[key][1] if key in self.stored else None


class FakeArtifacts:
    """Reads what the step was given, through the same encoding as the real store."""

    def __init__(self, content: Mapping[str, bytes]) -> None:
        self._content = content

    async def read(self, ref: ArtifactRef) -> Any:
        if ref.id not in self._content:
            raise Failed(f"artifact {ref.id!r} is not an input of this step")
        return decode_artifact(self._content[ref.id])


class FakeProgress:
    def __init__(self) -> None:
        self.notes: list[tuple[int, str]] = []

    async def __call__(self, percentage: int, note: str = "") -> None:
        self.notes.append((percentage, note))


class FakeLog:
    def __init__(self) -> None:
        self.lines: list[tuple[str, str, Json]] = []

    def info(self, message: str, **fields: Any) -> None:
        self.lines.append(("info", message, fields))

    def warning(self, message: str, **fields: Any) -> None:
        self.lines.append(("warning", message, fields))


class FakeMemory:
    """Remembers in a list, by the same rules as the real store."""

    def __init__(self, notes: Sequence[Json] = ()) -> None:
        self.known: list[Memory] = []
        for note in notes:
            self._note(note)

    async def remember(self, notes: Sequence[Json]) -> list[Json]:
        return [self._note(note) for note in notes]

    async def find(self, about: str) -> list[Json]:
        return [_told(memory) for memory in matching(self.known, about)]

    async def forget(self, ids: Sequence[str]) -> int:
        kept = [memory for memory in self.known if memory.id not in ids]
        gone = len(self.known) - len(kept)
        self.known = kept
        return gone

    async def all(self) -> list[Json]:
        return [_told(memory) for memory in self.known]

    def _note(self, note: Json) -> Json:
        number = f"m{len(self.known) + 1}"
        made, old = noted(self.known, note, new_id=lambda: number, at=iso(NOON), source={})
        self.known = [made, *(memory for memory in self.known if memory.id != made.id)]
        return as_changed(made, old, "en")


@dataclass
class FakeRules:
    """Rule packs by path and text, and waivers."""

    packs: Mapping[str, str] = field(default_factory=dict[str, str])
    granted: Sequence[Json] = ()

    async def files(self) -> dict[str, str]:
        return dict(self.packs)

    async def waivers(self) -> list[Json]:
        return list(self.granted)


@dataclass
class FakeTemplates:
    """Templates by path and content."""

    contents: Mapping[str, bytes] = field(default_factory=dict[str, bytes])

    async def files(self) -> dict[str, bytes]:
        return dict(self.contents)


class FakeEffects:
    """Keeps effects by key in `known`."""

    def __init__(self, known: Mapping[str, Effect] | None = None) -> None:
        self.known = dict(known or {})

    async def begin(self, key: str) -> Effect:
        found = self.known.get(key, Effect("new", {}))
        self.known.setdefault(key, Effect("begun", {}))
        return found

    async def done(self, key: str, receipt: Json) -> None:
        if key not in self.known or self.known[key].status != "done":
            self.known[key] = Effect("done", dict(receipt))

    async def withdraw(self, key: str) -> None:
        if key in self.known and self.known[key].status == "begun":
            del self.known[key]


def _told(memory: Memory) -> Json:
    return {**memory.as_json(), "shown": shown(memory, "en")}


class FakeReasoner:
    """Understands what the test says it understands; words the answer from the steps' summaries."""

    def __init__(self, *analyses: Json) -> None:
        self._analyses = list(analyses)
        self.asked: list[tuple[str, AnalysisInput]] = []

    async def analyze(self, question: str, context: AnalysisInput) -> Json:
        """The scripted analyses in turn; the last one for ever."""
        self.asked.append((question, context))
        script = self._analyses.pop(0) if len(self._analyses) > 1 else self._analyses[0]
        return {
            "raw_query": question,
            "query_timestamp": iso(context.now),
            "parsed_intents": [
                {"intent": name, "confidence": 1.0} for name in script.get("required_capabilities", ())
            ],
            "language": context.language,
            "ambiguities": [],
            "clarification_needed": False,
            **script,
        }

    async def respond(self, facts: Json) -> str:
        return "\n".join(r["summary"] or f"{r['agent']}: {r['error']}" for r in facts["results"]) or "nothing"


def fake_ports(**ports: Any) -> dict[str, Any]:
    """A fake of every port that an agent may declare; name the ones that the test brings itself."""
    fakes: dict[str, Any] = {
        "db": FakeDatabase(),
        "vectors": FakeVectors(),
        "llm": FakeModel(),
        "files": FakeFiles(),
        "artifacts": FakeArtifacts({}),
        "progress": FakeProgress(),
        "log": FakeLog(),
        "clock": FakeClock(),
        "user": User(),
        "memory": FakeMemory(),
        "rules": FakeRules(),
        "templates": FakeTemplates(),
        "records": FakeRecords(),
        "library": FakeLibrary(),
        "web": FakeWeb(),
        "effects": FakeEffects(),
    }
    assert set(fakes) == set(PORTS)
    return {**fakes, **ports}
