"""The whole conversation of each session: paged and searched, whatever has left the state since.

Bodies are sealed, so there is no index over their words: a search opens page after page, the newest first.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

import orjson
import sqlalchemy as sa

from metaagent.adapters.tables import messages
from metaagent.ports import ENDED, Json, Turn

PAGE = 500

Seal = Callable[..., bytes]
Open = Callable[..., Any]


def said_in(turn: Turn) -> Iterator[tuple[str, str, str, str]]:
    """What the turn, as it stands, adds to the conversation: (key, role, content, time). A repeat is known by its key."""
    if turn.status in ENDED:
        answer = turn.outcome.get("answer")
        if answer:
            yield "answer", "assistant", answer, turn.ended_at or turn.started_at
        return
    yield "question", "user", turn.question, turn.started_at
    asked = {question["id"]: str(question.get("question") or "") for question in turn.waiting}
    for question_id, question in asked.items():
        yield _key("asked", question_id, question), "assistant", question, turn.started_at
    for question_id, given in turn.answers.items():
        text = given if isinstance(given, str) else orjson.dumps(given).decode()
        yield _key("said", question_id, asked.get(question_id), text), "user", text, turn.started_at


def _key(kind: str, *parts: object) -> str:
    return f"{kind}:{sha256(repr(parts).encode()).hexdigest()[:24]}"


def add_messages(
    connection: sa.Connection, insert: Callable[[sa.Table], sa.Insert], seal: Seal, turn: Turn
) -> None:
    """In the transaction that changes the turn's status: both or neither."""
    last = sa.select(sa.func.coalesce(sa.func.max(messages.c.position), 0) + 1)
    place = last.where(messages.c.session_id == turn.session_id).scalar_subquery()
    for key, role, content, at in said_in(turn):
        values = {
            "session_id": turn.session_id,
            "turn_id": turn.turn_id,
            "turn": turn.number,
            "key": key,
            "role": role,
            "created_at": at,
            "body": seal(content, "messages", turn.session_id, turn.turn_id, key),
        }
        connection.execute(insert(messages).values(position=place, **values))


def page(
    connection: sa.Connection, unseal: Open, session_id: str, *, before: int | None, limit: int
) -> list[Json]:
    """The newest first; `before` pages on from a position."""
    mine = messages.c.session_id == session_id
    query = sa.select(messages).where(mine if before is None else mine & (messages.c.position < before))
    rows = connection.execute(query.order_by(messages.c.position.desc()).limit(limit))
    return [_message(row, unseal) for row in rows]


def search(
    connection: sa.Connection, unseal: Open, session_id: str, text: str, *, before: int | None, limit: int
) -> list[Json]:
    """Messages that hold the text, however it is spaced or capitalised; the newest first."""
    wanted = folded(text)
    found: list[Json] = []
    while True:
        rows = page(connection, unseal, session_id, before=before, limit=PAGE)
        found += [row for row in rows if wanted in folded(row["content"])]
        if len(rows) < PAGE or len(found) >= limit:
            return found[:limit]
        before = rows[-1]["position"]


def folded(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def _message(row: sa.Row[Any], unseal: Open) -> Json:
    return {
        "position": row.position,
        "turn": row.turn,
        "turn_id": row.turn_id,
        "role": row.role,
        "content": unseal(row.body, "messages", row.session_id, row.turn_id, row.key),
        "created_at": row.created_at,
    }
