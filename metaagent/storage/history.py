"""The whole conversation of each session: paged and searched, whatever has left the state since.

Bodies are sealed, so there is no index over their words: a search opens page after page, the newest first.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

import orjson
import sqlalchemy as sa

from metaagent.errors import KeyUnavailable, RowRefused
from metaagent.ports import ENDED, Json, Turn
from metaagent.storage.tables import messages
from metaagent.values import mapping

PAGE = 2_000
_GIVEN = [column.name for column in messages.columns if column.name != "position"]


def said_in(turn: Turn) -> Iterator[tuple[str, str, str, str]]:
    """Messages that the turn, as it stands, adds to the conversation: (key, role, content, time). A repeat is known by its key."""
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
        text = given if isinstance(given, str) else _decision(given)
        yield _key("said", question_id, asked.get(question_id), text), "user", text, turn.started_at


def _decision(given: object) -> str:
    """Words a decision on a plan as the person would have said it, and leaves anything else as it is."""
    said = {name: value for name, value in mapping(given).items() if name != "by"}
    if said and said.keys() <= {"decision", "reason"}:
        return ": ".join(str(said[name]) for name in ("decision", "reason") if said.get(name))
    return orjson.dumps(said or given).decode()


def _key(kind: str, *parts: object) -> str:
    return f"{kind}:{sha256(repr(parts).encode()).hexdigest()[:24]}"


def messages_of(turn: Turn, seal: Callable[..., bytes]) -> list[Json]:
    """One row each, for `next_message`; written in the transaction that changes the turn's status."""
    return [
        {
            "the_session_id": turn.session_id,
            "the_company_id": turn.user.company_id,
            "the_turn_id": turn.turn_id,
            "the_turn": turn.number,
            "the_key": key,
            "the_role": role,
            "the_created_at": at,
            "the_body": seal(content, turn.user, "messages", turn.session_id, turn.turn_id, key),
        }
        for key, role, content, at in said_in(turn)
    ]


def next_message(insert: Any) -> Any:
    """Takes what `messages_of` gives; the message gets the session's next position."""
    zero, one = sa.literal_column("0", sa.Integer), sa.literal_column("1", sa.Integer)
    last = sa.select(sa.func.coalesce(sa.func.max(messages.c.position), zero) + one)
    place = last.where(messages.c.session_id == sa.bindparam("the_session_id")).scalar_subquery()
    given = {name: sa.bindparam(f"the_{name}") for name in _GIVEN}
    return insert.values(position=place, **given)


def page(session_id: str, before: int | None, limit: int) -> sa.Select[Any]:
    mine = messages.c.session_id == session_id
    query = sa.select(messages).where(mine if before is None else mine & (messages.c.position < before))
    return query.order_by(messages.c.position.desc()).limit(limit)


def bodies(session_id: str, before: int | None) -> sa.Select[*tuple[Any, ...]]:
    """One page for a search: where each message is, whose, its body, and what that is bound to."""
    columns = messages.c
    found = page(session_id, before, PAGE)
    return found.with_only_columns(
        columns.position, columns.company_id, columns.body, columns.session_id, columns.turn_id, columns.key
    )


def message(row: sa.Row[Any], unseal: Callable[..., Any]) -> Json:
    """One that cannot be read has its refusal in place of its content: the others can."""
    place = ("messages", row.session_id, row.turn_id, row.key)
    refused: Json = {}
    try:
        content = unseal(row.body, row.company_id, *place)
    except (RowRefused, KeyUnavailable) as error:
        content, refused = "", {"refused": str(error)}
    return {
        "position": row.position,
        "turn": row.turn,
        "turn_id": row.turn_id,
        "role": "assistant"
        if str(row.key).startswith(("answer", "asked:"))
        else "user",  # the key is bound, a role is not
        "content": content,
        "created_at": row.created_at,
        **refused,
    }


def holding(text: str) -> Callable[[str], bool]:
    """Tells whether a text holds this one, however either is spaced or capitalised."""
    wanted = "".join(unicodedata.normalize("NFKC", text).casefold().split())
    # Where nothing has a case, as in Korean, looking for capitals would cost ten times as much.
    case = re.IGNORECASE if wanted != wanted.upper() else 0
    found = re.compile(r"\s*".join(map(re.escape, wanted)), case).search
    return lambda other: found(unicodedata.normalize("NFKC", other)) is not None
