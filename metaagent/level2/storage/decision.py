"""The decision where something is stored: a pure function of its facts and the domain's rules.

| part | stored | when |
|---|---|---|
| rows | structured_db | it is a table or a record, a writable table fits, and it has at most `most_rows` rows |
| texts | vector_db | it is to be searched, its text is long enough and may be indexed at its sensitivity |
| file | unstructured_db | its form is its own (a document, binary or nested data), it is to be archived, or nothing else takes it |

More than one part is `hybrid`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from metaagent.plugin import Text

Shape = Literal["table", "record", "text", "document", "binary", "nested"]
Use = Literal["query", "search", "read", "archive"]
Sensitivity = Literal["public", "internal", "personal", "confidential"]
Part = Literal["rows", "texts", "file"]
Choice = Literal["structured_db", "vector_db", "unstructured_db", "hybrid"]

_ONE: dict[Part, Choice] = {"rows": "structured_db", "texts": "vector_db", "file": "unstructured_db"}


@dataclass(frozen=True)
class Rules:
    """The domain's `storage.yaml`; what it does not say is as here."""

    most_rows: int = 100_000
    shortest_text: int = 200
    longest_text: int = 2_000_000
    indexed: list[Sensitivity] = field(default_factory=lambda: ["public", "internal"])
    archive_days: int = 3 * 365
    sensitivity: Sensitivity = "internal"
    uses: dict[str, list[Use]] = field(
        default_factory=lambda: {
            "table": ["query"],
            "record": ["query"],
            "text": ["search"],
            "document": ["read", "search"],
        }
    )
    retention_days: dict[str, int] = field(default_factory=dict[str, int])
    must_keep: list[str] = field(default_factory=list[str])
    confirm: Literal["replace", "always", "never"] = "replace"


@dataclass(frozen=True)
class Facts:
    """Everything that the decision depends on."""

    data_type: str
    shape: Shape
    size: int
    rows: int = 0
    text: int = 0
    """Characters of running text."""
    target: str | None = None
    """The table that fits."""
    sensitivity: Sensitivity = "internal"
    retention_days: int | None = None
    uses: frozenset[Use] = frozenset()


@dataclass(frozen=True)
class Reason:
    """One deciding fact, and what would have changed it."""

    because: Text
    otherwise: Text
    values: dict[str, object] = field(default_factory=dict[str, object])

    def say(self, language: str) -> str:
        return f"{self.because.say(language, **self.values)} {self.otherwise.say(language, **self.values)}"


@dataclass(frozen=True)
class Decision:
    choice: Choice
    parts: tuple[Part, ...]
    reasons: tuple[Reason, ...]

    def reasoning(self, language: str) -> str:
        return " ".join(reason.say(language) for reason in self.reasons)


_ROWS = Reason(
    Text(
        en="Its {rows} rows go to the table {target}, whose columns fit.",
        ko="행 {rows}개는 열이 맞는 {target} 표에 저장합니다.",
    ),
    Text(
        en="Without a fitting table or beyond {most} rows it would be a file.",
        ko="맞는 표가 없거나 {most}행을 넘으면 파일로 저장합니다.",
    ),
)
_NO_TABLE = Reason(
    Text(
        en="No writable table fits its columns, so it is a file.",
        ko="열이 맞는 쓰기 가능한 표가 없어 파일로 저장합니다.",
    ),
    Text(
        en="A table with such columns that may be written to would take its rows.",
        ko="그런 열이 있고 쓰기가 허용된 표가 있으면 행으로 저장합니다.",
    ),
)
_TOO_MANY = Reason(
    Text(
        en="Its {rows} rows are more than {most}, so it is a file.",
        ko="행이 {rows}개로 {most}개를 넘어 파일로 저장합니다.",
    ),
    Text(
        en="Up to {most} rows would go to the table {target}.", ko="{most}행까지는 {target} 표에 저장합니다."
    ),
)
_FORM = Reason(
    Text(
        en="It is kept as a file because its form ({shape}) is its own.",
        ko="고유한 형식({shape})이므로 파일로 보관합니다.",
    ),
    Text(en="As rows or plain text it would need no file.", ko="행이나 일반 글이면 파일이 필요 없습니다."),
)
_ARCHIVE = Reason(
    Text(
        en="It is kept as a file because it is to be archived ({days}).",
        ko="보관 대상({days})이므로 파일로 보관합니다.",
    ),
    Text(
        en="Kept for less than {limit} days and not archived, it would need no file.",
        ko="보관 목적이 아니고 {limit}일 미만이면 파일이 필요 없습니다.",
    ),
)
_SEARCH = Reason(
    Text(
        en="Its text ({text} characters) is indexed because it is to be searched.",
        ko="검색에 쓰이므로 글({text}자)을 색인합니다.",
    ),
    Text(
        en="Not to be searched, or more sensitive than {indexed}, it would not be indexed.",
        ko="검색에 쓰이지 않거나 {indexed}보다 민감하면 색인하지 않습니다.",
    ),
)
_SENSITIVE = Reason(
    Text(
        en="It is not indexed for search because it is {sensitivity}.",
        ko="민감도가 {sensitivity}이므로 검색용으로 색인하지 않습니다.",
    ),
    Text(en="As {indexed} it would be.", ko="{indexed}이면 색인합니다."),
)
_SHORT = Reason(
    Text(
        en="Its text ({text} characters) is not indexed: {least} to {most} are.",
        ko="글이 {text}자라 색인하지 않습니다. {least}자부터 {most}자까지 색인합니다.",
    ),
    Text(en="Within that it would be.", ko="그 안이면 색인합니다."),
)
_LEFT = Reason(
    Text(
        en="Nothing else takes it, so it is a file.",
        ko="다른 곳에 맞지 않아 파일로 저장합니다.",
    ),
    Text(
        en="A fitting table or a text to be searched would have changed that.",
        ko="맞는 표가 있거나 검색할 글이면 달라집니다.",
    ),
)


def decide(facts: Facts, rules: Rules) -> Decision:
    """Total: every combination of facts has exactly one answer."""
    found = [*_as_rows(facts, rules), *_as_texts(facts, rules), *_as_file(facts, rules)]
    kept: list[Part] = [part for part, _ in found if part is not None]
    parts: tuple[Part, ...] = tuple(dict.fromkeys(kept))
    reasons = [reason for _, reason in found]
    if not kept:
        parts = ("file",)
        reasons.append(_LEFT)
    choice: Choice = _ONE[parts[0]] if len(parts) == 1 else "hybrid"
    return Decision(choice, parts, tuple(reasons))


Found = list[tuple[Part | None, Reason]]


def _as_rows(facts: Facts, rules: Rules) -> Found:
    if facts.shape not in ("table", "record"):
        return []
    values: dict[str, object] = {"rows": facts.rows, "most": rules.most_rows, "target": facts.target}
    if facts.target is None:
        return [("file", _with(_NO_TABLE, values))]
    if facts.rows > rules.most_rows:
        return [("file", _with(_TOO_MANY, values))]
    return [("rows", _with(_ROWS, values))]


def _as_texts(facts: Facts, rules: Rules) -> Found:
    if "search" not in facts.uses or facts.shape == "binary" or facts.text == 0:
        return []
    values: dict[str, object] = {
        "text": facts.text,
        "least": rules.shortest_text,
        "most": rules.longest_text,
        "indexed": "/".join(rules.indexed),
        "sensitivity": facts.sensitivity,
    }
    if facts.sensitivity not in rules.indexed:
        return [(None, _with(_SENSITIVE, values))]
    if not rules.shortest_text <= facts.text <= rules.longest_text:
        return [(None, _with(_SHORT, values))]
    return [("texts", _with(_SEARCH, values))]


def _as_file(facts: Facts, rules: Rules) -> Found:
    if facts.shape in ("document", "binary", "nested"):
        return [("file", _with(_FORM, {"shape": facts.shape}))]
    long = (facts.retention_days or 0) >= rules.archive_days and facts.shape == "text"
    if "archive" in facts.uses or long:
        days = f"{facts.retention_days}d" if facts.retention_days else "archive"
        return [("file", _with(_ARCHIVE, {"days": days, "limit": rules.archive_days}))]
    return []


def _with(reason: Reason, values: dict[str, object]) -> Reason:
    return Reason(reason.because, reason.otherwise, values)
