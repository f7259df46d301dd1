"""Rows of sessions and turns: how they are sealed and read, and how one that cannot be read is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import sqlalchemy as sa

from metaagent.ports import SessionInfo, Turn, TurnStatus, User
from metaagent.protection.sealing import refused
from metaagent.storage.sql_base import UNREADABLE, SqlBase
from metaagent.storage.tables import sessions, turns
from metaagent.storage.vault import Vault


class TurnRows(SqlBase):
    def __init__(self, url: str, vault: Vault) -> None:
        super().__init__(url, vault)
        the_id: sa.BindParameter[Any] = sa.bindparam("the_id")
        self._one_session = self.prepared(_sessions(sessions.c.session_id == the_id, 1))
        self._one_turn = self.prepared(_turns(turns.c.turn_id == the_id, 1))
        self._last_turn = self.prepared(_turns(turns.c.session_id == the_id, 1))

    def _session_values(self, info: SessionInfo, user: User) -> dict[str, Any]:
        return {
            "session_id": info.session_id,
            "company_id": info.company_id,
            "owner": info.owner,
            "created_at": info.created_at,
            "updated_at": info.updated_at,
            "turns": info.turns,
            "schema_version": info.schema_version,
            "body": self._seal({"title": info.title}, user, "sessions", info.session_id),
        }

    def _turn_values(self, turn: Turn) -> dict[str, Any]:
        body = {
            "question": turn.question,
            "language": turn.language,
            "user": [turn.user.user_id, turn.user.company_id, list(turn.user.roles)],
            "waiting": list(turn.waiting),
            "answers": dict(turn.answers),
            "outcome": turn.outcome,
            "status": turn.status,
            "follows": turn.follows,
            **({"attached": list(turn.attached)} if turn.attached else {}),
            **({} if turn.user.scopes is None else {"scopes": list(turn.user.scopes)}),
            "place": [turn.session_id, turn.number],
        }
        return {
            "turn_id": turn.turn_id,
            "session_id": turn.session_id,
            "company_id": turn.user.company_id,
            "number": turn.number,
            "status": turn.status,
            "started_at": turn.started_at,
            "ended_at": turn.ended_at,
            "body": self._seal(body, turn.user, "turns", turn.turn_id),
        }

    async def session(self, session_id: str, *, unread: bool = False) -> SessionInfo | None:
        """Refused where its row does not say inside whose it is, unless it is `unread`: to be deleted."""
        rows = await self._at_hand(self._one_session, the_id=session_id)
        return self._session(rows[0], or_refusal=unread) if rows else None

    async def turn(self, turn_id: str) -> Turn | None:
        rows = await self._at_hand(self._one_turn, the_id=turn_id)
        return self._turn(rows[0]) if rows else None

    async def last_turn(self, session_id: str) -> Turn | None:
        rows = await self._at_hand(self._last_turn, the_id=session_id)
        return self._turn(rows[0]) if rows else None

    async def _sessions(self, where: sa.ColumnElement[bool], *, limit: int) -> list[SessionInfo]:
        return [self._session(row, or_refusal=True) for row in await self._rows(_sessions(where, limit))]

    def _session(self, row: Any, *, or_refusal: bool) -> SessionInfo:
        """One damaged title must not hide all other sessions."""
        title, problem = "", ""
        try:
            title = self._title(row)
        except UNREADABLE as error:
            if not or_refusal:
                raise
            problem = str(error)
        return SessionInfo(
            session_id=row.session_id,
            company_id=row.company_id,
            owner=row.owner,
            title=title,
            created_at=row.created_at,
            updated_at=row.updated_at,
            turns=row.turns,
            status=row.status or "new",
            schema_version=row.schema_version,
            refused=problem,
        )

    def _title(self, row: Any) -> str:
        title = self._open(row.body, row.company_id, "sessions", row.session_id)["title"]
        if not self._vault.belongs_to(row.body, row.owner):
            raise refused(f"{row.company_id}/store/sessions/{row.session_id}", "changed")
        return title

    async def _turns(
        self, where: sa.ColumnElement[bool], *, limit: int, or_refusal: bool = False
    ) -> list[Turn]:
        rows = await self._rows(_turns(where, limit))
        return [self._turn_or_refusal(row) if or_refusal else self._turn(row) for row in rows]

    def _turn_or_refusal(self, row: Any) -> Turn:
        try:
            return self._turn(row)
        except UNREADABLE as error:
            problem = {"code": error.code, "message": str(error), "message_ko": error.say("ko")}
            return Turn(
                row.turn_id,
                row.session_id,
                number=row.number,
                status=row.status,
                question="",
                language="en",
                user=User(company_id=row.company_id),
                started_at=row.started_at,
                ended_at=row.ended_at,
                outcome={"errors": [problem]},
            )

    def _turn(self, row: Any) -> Turn:
        body = self._open(row.body, row.company_id, "turns", row.turn_id)
        if not self._is_in_its_place(row, body):
            raise refused(f"{row.company_id}/store/turns/{row.turn_id}", "changed")
        user_id, company_id, roles = body["user"]
        scopes = body.get("scopes")
        return Turn(
            turn_id=row.turn_id,
            session_id=row.session_id,
            number=row.number,
            status=cast("TurnStatus", row.status),
            question=body["question"],
            language=body["language"],
            user=User(user_id, company_id, tuple(roles), None if scopes is None else tuple(scopes)),
            started_at=row.started_at,
            ended_at=row.ended_at,
            waiting=tuple(body["waiting"]),
            answers=body["answers"],
            outcome=body["outcome"],
            follows=body.get("follows"),
            attached=tuple(body.get("attached", ())),
        )

    def _is_in_its_place(self, row: Any, body: Mapping[str, Any]) -> bool:
        """A turn says inside to which session it belongs. One that an earlier version wrote does not: it must be of the
        person whom the session belongs to."""
        if "place" in body:
            return body["place"] == [row.session_id, row.number]
        return row.owner is None or self._vault.belongs_to(row.body, row.owner)


def _sessions(where: sa.ColumnElement[bool], limit: int) -> sa.Select[*tuple[Any, ...]]:
    """Sessions, the most recently used first, each with how its last turn stands."""
    newest = (
        sa.select(turns.c.status)
        .where(turns.c.session_id == sessions.c.session_id, turns.c.number == sessions.c.turns)
        .scalar_subquery()
    )
    return (
        sa.select(sessions, newest.label("status"))
        .where(where)
        .order_by(sessions.c.updated_at.desc(), sessions.c.session_id.desc())
        .limit(limit)
    )


def _turns(where: sa.ColumnElement[bool], limit: int) -> sa.Select[*tuple[Any, ...]]:
    """Turns, the newest first, each with the owner of its session."""
    theirs = sa.select(turns, sessions.c.owner).outerjoin(
        sessions, turns.c.session_id == sessions.c.session_id
    )
    return theirs.where(where).order_by(turns.c.number.desc()).limit(limit)
