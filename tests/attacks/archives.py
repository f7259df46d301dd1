"""Generators of archives of bad shapes: of sessions, and of office files. Each takes a size, so that the cost of one can be
compared with that of its double."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any

import orjson

from metaagent.ports import ArtifactRef, Turn, User
from metaagent.sessions.archive import pack
from metaagent.sessions.bundle import Bundle, Piece

MOMENT = "2025-01-10T00:00:00.000Z"
SESSION = "s" + "0" * 16


def turn(number: int, outcome: dict[str, Any] | None = None) -> Turn:
    made = outcome or {"answer": "a"}
    return Turn(
        f"t{number:016x}",
        SESSION,
        number,
        "completed",
        "q",
        "en",
        User(),
        MOMENT,
        MOMENT,
        outcome=made,
    )


QUIET = {"schema_version": 1, "messages": [{"type": "human", "id": "m", "content": "q", "name": None}]}


def bundle(*turns: Turn, state: dict[str, Any] = QUIET) -> Bundle:
    return Bundle(SESSION, "q", MOMENT, turns, {each.turn_id: () for each in turns}, (), state)


def event(number: int) -> dict[str, Any]:
    return {"type": "response", "seq": number, "timestamp": MOMENT, "note": "t" * 40}


def artifact(number: int) -> Piece:
    content = orjson.dumps({"t": number})
    before = (f"a{number - 1:031x}",) if number else ()
    ref = ArtifactRef(
        f"a{number:031x}", "memo", "", len(content), sha256(content).hexdigest(), "x", made_from=before
    )
    return Piece(ref, content, turn(1).turn_id, MOMENT)


def messages(count: int) -> dict[str, Any]:
    said = [{"type": "human", "id": f"m{at}", "content": "t" * 40, "name": None} for at in range(count)]
    return {"schema_version": 1, "messages": said}


SESSIONS: Mapping[str, Callable[[int], Bundle]] = {
    "many turns that look like ids": lambda size: bundle(
        *(turn(at + 1, {"answer": "t0" * 60}) for at in range(size))
    ),
    "one long text of beginnings of ids": lambda size: bundle(
        turn(1, {"answer": "".join(f"t{at:015x}" for at in range(size * 20))})
    ),
    "many events": lambda size: replace(
        bundle(turn(1)), events={turn(1).turn_id: [event(at + 1) for at in range(size * 4)]}
    ),
    "many messages": lambda size: bundle(turn(1), state=messages(size * 4)),
    "many values": lambda size: bundle(turn(1, {"rows": [[at, at] for at in range(size * 20)]})),
    "many keys": lambda size: bundle(turn(1, {f"k{at}": {} for at in range(size * 20)})),
    "deep values": lambda size: bundle(turn(1, {"rows": [nested(60, at) for at in range(size)]})),
    "artifacts made of each other": lambda size: replace(
        bundle(turn(1)), artifacts=tuple(artifact(at) for at in range(size))
    ),
}


def nested(depth: int, value: Any) -> Any:
    for _ in range(depth):
        value = [value]
    return value


def session_archive(name: str, size: int) -> bytes:
    return pack(SESSIONS[name](size), full=True)


_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="word/document.xml"/></Relationships>'
)


def _said(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


_ONE = _said("1")


def _tables(depth: int) -> str:
    inner = _said("x")
    for _ in range(depth):
        inner = f"<w:tbl><w:tr><w:tc>{inner}{_said('y')}</w:tc></w:tr></w:tbl>"
    return inner


DOCUMENTS: Mapping[str, Callable[[int], str]] = {
    "many paragraphs": lambda size: "".join(_said(f"글 {at}") for at in range(size * 10)),
    "many runs in a paragraph": lambda size: f"<w:p>{'<w:r><w:t>가 </w:t></w:r>' * (size * 20)}</w:p>",
    "one long word": lambda size: _said("가" * size * 200),
    "a wide table": lambda size: f"<w:tbl><w:tr>{f'<w:tc>{_ONE}</w:tc>' * (size * 2)}</w:tr></w:tbl>",
    "a long table": lambda size: f"<w:tbl>{f'<w:tr><w:tc>{_ONE}</w:tc></w:tr>' * (size * 5)}</w:tbl>",
    "tables in tables": lambda size: "".join(_tables(12) for _ in range(size)),
    "spans beyond the table": lambda size: (
        "<w:tbl>"
        + f'<w:tr><w:tc><w:tcPr><w:gridSpan w:val="60000"/></w:tcPr>{_ONE}</w:tc></w:tr>' * (size // 10)
        + "</w:tbl>"
    ),
    "many headings": lambda size: "".join(
        f'<w:p><w:pPr><w:outlineLvl w:val="{at % 9}"/></w:pPr><w:r><w:t>제{at}조 목적</w:t></w:r></w:p>'
        for at in range(size * 5)
    ),
    "brackets and dates": lambda size: "".join(
        _said("((2024-01-01 제1조 [별표] " * 4) for _ in range(size * 5)
    ),
}


def docx_archive(name: str, size: int) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", _TYPES)
        archive.writestr("_rels/.rels", _RELATIONS)
        archive.writestr(
            "word/document.xml", f"<w:document {_W}><w:body>{DOCUMENTS[name](size)}</w:body></w:document>"
        )
    return packed.getvalue()
