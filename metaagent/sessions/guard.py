"""Decides who may touch which session. Another person's session looks exactly like one that does not exist."""

from __future__ import annotations

from metaagent.access.gatekeeper import Gatekeeper
from metaagent.access.rights import OF_OTHERS
from metaagent.errors import NewerSchema, Text, UnknownSession
from metaagent.input_checks import admit_id, admit_user
from metaagent.ports import SessionInfo, Turn, User
from metaagent.protection.sealing import refused
from metaagent.state.migrations import STATES
from metaagent.storage.session_store import SqlStore
from metaagent.storage.vault import Vault

_UNKNOWN_SESSION = Text(
    en="There is no session {session_id!r} of yours. `metaagent sessions list` shows yours; name none to begin a new one.",
    ko="세션 {session_id!r}을(를) 찾을 수 없습니다. `metaagent sessions list`로 확인하거나, 지정하지 않으면 새 세션이 시작됩니다.",
)
_NEWER_SESSION = Text(
    en="Session {session_id} was written by a newer metaagent (schema {found}; this one knows {known}). "
    "Update metaagent, or ask in a new session.",
    ko="세션 {session_id}은(는) 더 새로운 metaagent가 쓴 것입니다(스키마 {found}, 이 버전은 {known}까지 압니다). "
    "metaagent를 업데이트하거나 새 세션에서 물어보세요.",
)


class SessionGuard:
    def __init__(self, store: SqlStore, vault: Vault, gatekeeper: Gatekeeper) -> None:
        self._store = store
        self._vault = vault
        self._gatekeeper = gatekeeper

    async def admitted(self, operation: str, user: User | None) -> User:
        """Admit a person to what is their own, whatever it is about."""
        who = admit_user(user or User())
        await self._gatekeeper.require(who, operation)
        return who

    async def session(
        self,
        session_id: str,
        user: User,
        operation: str = "session.read",
        *,
        asked_for: str = "",
        unread: bool = False,
    ) -> SessionInfo:
        """Another person's session looks exactly like one that does not exist, in the audit trail too."""
        what = asked_for or admit_id(session_id, "session")
        own = operation not in OF_OTHERS
        rights = await self._gatekeeper.require(admit_user(user), operation, own=own, what=what)
        info = await self._store.session(admit_id(session_id, "session"), unread=unread)
        anyones = rights.may(operation, own=False)
        if info is None or info.company_id != user.company_id or not (anyones or self.is_owner(info, user)):
            await self._gatekeeper.refused(user, operation, reason="unknown", what=what)
            raise unknown(session_id)
        if not isinstance(info.schema_version, int):  # pyright: ignore[reportUnnecessaryIsInstance] - SQLite keeps what it is given
            raise refused(f"{info.company_id}/sessions/{session_id}", "changed")
        if info.schema_version > STATES.newest:
            found, known = info.schema_version, STATES.newest
            raise NewerSchema(_NEWER_SESSION, session_id=session_id, found=found, known=known)
        return info

    async def turn(self, turn_id: str, user: User) -> Turn:
        """The refusal names what was asked for, never the session that it belongs to."""
        turn = await self._store.turn(admit_id(turn_id, "turn"))
        try:
            await self.session(turn.session_id if turn else turn_id, user, asked_for=turn_id)
        except UnknownSession as error:
            raise unknown(turn_id) from error
        if turn is None:  # the id of a session of theirs
            raise unknown(turn_id)
        return turn

    def is_owner(self, info: SessionInfo, user: User) -> bool:
        return info.owner == self._vault.alias(user)


def unknown(session_id: str) -> UnknownSession:
    return UnknownSession(_UNKNOWN_SESSION, session_id=session_id)
