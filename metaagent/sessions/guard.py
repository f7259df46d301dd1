"""Decides who may touch which session. Another person's session looks exactly like one that does not exist."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from metaagent.access.gatekeeper import Gatekeeper
from metaagent.access.rights import OF_OTHERS, UNKNOWN_ROLE, Rights
from metaagent.errors import NewerSchema, Text, UnknownSession
from metaagent.input_checks import admit_id, admit_user
from metaagent.ports import ENDED, SessionInfo, Turn, User
from metaagent.protection.sealing import refused
from metaagent.state.migrations import STATES
from metaagent.storage.session_marks import SessionMarks
from metaagent.storage.session_store import SqlStore
from metaagent.storage.vault import Vault

_AT_ONCE = 50
_MOST_KNOWN = 1_000
"""Shared sessions of which the people who asked are remembered."""
READING = ("session.read", "artifact.read")
"""Operations that a shared session is open to."""

_UNKNOWN_SESSION = Text(
    en="There is no session {session_id!r} of yours. `metaagent sessions list` shows yours.",
    ko="세션 {session_id!r}을(를) 찾을 수 없습니다. `metaagent sessions list`로 확인하세요.",
)
_NO_SESSION_TO_ASK_IN = Text(
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
    """`reads_no_less` tells whether a person sees every row and column of the data that another one sees."""

    def __init__(
        self,
        store: SqlStore,
        vault: Vault,
        gatekeeper: Gatekeeper,
        reads_no_less: Callable[[User, User], bool],
    ) -> None:
        self._store = store
        self._marks = SessionMarks(store)
        self._vault = vault
        self._gatekeeper = gatekeeper
        self._reads_no_less = reads_no_less
        self._asked: dict[str, tuple[int, frozenset[User]]] = {}

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
        silent: bool = False,
        shares: bool = True,
    ) -> SessionInfo:
        """Another person's session looks exactly like one that does not exist, in the audit trail too, unless they share it
        and `shares` count. `silent` puts no refusal on record: nobody asked for this one."""
        what = asked_for or admit_id(session_id, "session")
        own = operation not in OF_OTHERS
        rights = await self._gatekeeper.require(admit_user(user), operation, own=own, what=what)
        found = await self._store.session(admit_id(session_id, "session"), unread=unread)
        info = await self._opened(found, user, operation, rights)
        if info is None or (info.shared_by and not shares):
            if not silent:
                await self._gatekeeper.refused(user, operation, reason="unknown", what=what)
            raise unknown(session_id, operation)
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
            info = await self.session(turn.session_id if turn else turn_id, user, asked_for=turn_id)
        except UnknownSession as error:
            raise unknown(turn_id) from error
        if turn is None:  # the id of a session of theirs
            raise unknown(turn_id)
        return turn if self.is_owner(info, user) else replace(turn, outcome=without_memories(turn.outcome))

    async def own_turn(self, turn: Turn, user: User) -> bool:
        """True if this person asked this very turn, and may read what is theirs: nothing of it needs to be looked up."""
        asked = turn.user
        if (asked.company_id, asked.user_id, asked.visiting) != (
            user.company_id,
            user.user_id,
            user.visiting,
        ):
            return False
        await self._gatekeeper.require(admit_user(user), "session.read", what=turn.turn_id)
        return True

    async def _opened(
        self, info: SessionInfo | None, user: User, operation: str, rights: Rights
    ) -> SessionInfo | None:
        """The session if the person may do this with it: it is theirs, anyone's in the company, or shared with them."""
        if info is None or info.company_id != user.company_id:
            return None
        if rights.may(operation, own=False) or self.is_owner(info, user):
            return info
        return await self._shared(info, user, rights) if operation in READING else None

    async def _shared(self, info: SessionInfo, user: User, rights: Rights) -> SessionInfo | None:
        """The session if a share opens it to a person whose rights to data are no smaller than those of whoever asked in it."""
        shares = await self._marks.shares_to(info, user)
        asked = await self._askers(info.session_id) if shares else frozenset[User]()
        for share in shares:
            everybody = (User(share.by, info.company_id, share.roles), *asked)
            if all(self._covers(user, rights, each) for each in everybody):
                return replace(info, shared_by=share.by)
        return None

    async def _askers(self, session_id: str) -> frozenset[User]:
        """Everybody who asked in a session, in the roles that they had then. Turns that have ended are read once."""
        seen, known = self._asked.pop(session_id, (0, frozenset[User]()))
        last, limit = None, 1 if seen else _AT_ONCE
        found: list[Turn] = []
        while page := await self._store.show_turns(session_id, limit=limit, before=last):
            found += (replace(turn, outcome={}) for turn in page)
            last, limit = page[-1].number, _AT_ONCE
            if last <= seen + 1:
                break
        ended = [turn for turn in found if turn.status in ENDED]
        newest = max([seen, *(turn.number for turn in ended)])
        self._asked[session_id] = newest, known | {turn.user for turn in ended}
        if len(self._asked) > _MOST_KNOWN:
            del self._asked[next(iter(self._asked))]
        return known | {turn.user for turn in found}

    def _covers(self, user: User, rights: Rights, other: User) -> bool:
        theirs = self._gatekeeper.rights(replace(other, scopes=None))
        known = UNKNOWN_ROLE not in theirs.roles
        return known and rights.covers(theirs) and self._reads_no_less(user, other)

    def is_owner(self, info: SessionInfo, user: User) -> bool:
        return info.owner == self._vault.alias(user)


def unknown(session_id: str, operation: str = "") -> UnknownSession:
    text = _NO_SESSION_TO_ASK_IN if operation == "session.ask" else _UNKNOWN_SESSION
    return UnknownSession(text, session_id=session_id)


def without_memories(value: Any) -> Any:
    """A turn or a state, less the memories that were loaded for its person: they come from other conversations, and
    whoever reads this one sees those that the answer names."""
    if isinstance(value, list):
        return [without_memories(each) for each in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    found = cast("dict[str, Any]", value)
    hidden = {"loaded_memories", *(("memories",) if "user_id" in found else ())}
    return {name: without_memories(each) for name, each in found.items() if name not in hidden}
