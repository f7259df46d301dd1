"""Conversations that people rename, pin and share with colleagues.

A share opens a conversation to be read, and to nothing else. Whoever reads it needs the right to read their own, and at least
the rights to data, documents and artifacts of the person who shared it: nobody learns from a colleague's conversation what they
could not have asked themselves.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import replace

from metaagent.audit import AuditEvent
from metaagent.errors import InputRefused, Text, UnknownSession
from metaagent.input_checks import admit_question, admit_user
from metaagent.ports import Clock, Json, SessionInfo, User
from metaagent.sessions.guard import SessionGuard
from metaagent.sessions.session_reader import SessionReader
from metaagent.storage.session_marks import MOST_PINS, MOST_SHARES, SessionMarks, Share
from metaagent.storage.session_store import SqlStore
from metaagent.values import iso

READ, CONTROL, SHARE = "session.read", "session.control", "session.share"
LONGEST_TITLE = 200

_BAD_TITLE = Text(
    en="A title has 1 to {most} visible characters.", ko="제목은 보이는 글자로 1~{most}자여야 합니다."
)
_NOBODY = Text(
    en="Nobody called {person} is known in your company. Look at the spelling; they must have logged in once.",
    ko="회사에 {person}(이)라는 사람이 없습니다. 이름을 확인하세요. 한 번은 로그인한 사람이어야 합니다.",
)
_TOO_MANY = Text(
    en="A conversation is shared with at most {most} people: share it with everybody of the company instead.",
    ko="대화는 최대 {most}명과 공유할 수 있습니다. 회사 전체와 공유하세요.",
)


class SessionMarking:
    """`knows` tells whether the company has a person of this name."""

    def __init__(
        self,
        store: SqlStore,
        guard: SessionGuard,
        reader: SessionReader,
        clock: Clock,
        knows: Callable[[str, str], bool],
    ) -> None:
        self._store = store
        self._marks = SessionMarks(store)
        self._guard = guard
        self._reader = reader
        self._clock = clock
        self._knows = knows

    async def rename(self, session_id: str, title: str, user: User) -> SessionInfo:
        """Give it another title. A turn that runs in it goes on."""
        info = await self._guard.session(session_id, user, CONTROL)
        said = admit_title(title)
        told = _event("session.renamed", session_id, user)
        await self._marks.rename(info, await self._owner(info, user), said, told)
        return replace(info, title=said)

    async def pin(self, session_id: str, user: User, *, pinned: bool) -> None:
        """Keep it on top of the person's own list, or no longer."""
        await self._guard.session(session_id, user, READ)
        await self._marks.pin(session_id, user, iso(self._clock.now()), pinned=pinned)

    async def pinned(self, user: User) -> list[SessionInfo]:
        who = await self._guard.admitted(READ, user)
        return await self._readable(await self._marks.pinned(who, MOST_PINS), who)

    async def share(self, session_id: str, person: str | None, user: User) -> list[Json]:
        """Let a colleague read it, or everybody of the company; who may then."""
        info = await self._guard.session(session_id, user, SHARE)
        if person is not None:
            admit_user(User(person, user.company_id))
            if not self._knows(user.tenant, person):
                raise InputRefused(_NOBODY, person=person)
        if len(await self._marks.shares(info)) >= MOST_SHARES:
            raise InputRefused(_TOO_MANY, most=MOST_SHARES)
        share = Share(session_id, person, user.user_id, user.roles, iso(self._clock.now()))
        told = _event("session.shared", session_id, user, person)
        await self._marks.share(info, await self._owner(info, user), share, told)
        return await self._shares(info)

    async def unshare(self, session_id: str, person: str | None, user: User) -> list[Json]:
        info = await self._guard.session(session_id, user, SHARE)
        if person is not None:
            admit_user(User(person, user.company_id))
        await self._marks.unshare(info, person, _event("session.unshared", session_id, user, person))
        return await self._shares(info)

    async def shares(self, session_id: str, user: User) -> list[Json]:
        return await self._shares(await self._guard.session(session_id, user, SHARE))

    async def shared_with(self, user: User, limit: int) -> list[SessionInfo]:
        """Conversations of colleagues that this person may read now."""
        who = await self._guard.admitted(READ, user)
        return await self._readable(await self._marks.shared_with(who, limit), who)

    # --- inside -----------------------------------------------------------------------------------------

    async def _readable(self, ids: list[str], user: User) -> list[SessionInfo]:
        """Sessions that still are there and open to the person."""
        found = list[SessionInfo]()
        for session_id in ids:
            try:
                found.append(await self._guard.session(session_id, user, READ, silent=True))
            except UnknownSession:
                continue
        return await self._reader.marked(found, user)

    async def _shares(self, info: SessionInfo) -> list[Json]:
        return [
            {"person": each.person, "created_at": each.created_at} for each in await self._marks.shares(info)
        ]

    async def _owner(self, info: SessionInfo, user: User) -> User:
        """The person whom it belongs to, with their name: the clear columns have an alias alone."""
        last = await self._store.last_turn(info.session_id)
        return last.user if last is not None else user


def admit_title(title: str) -> str:
    said = " ".join(admit_question(title, 4 * LONGEST_TITLE).split())
    shown = any(unicodedata.category(char)[0] not in "CZ" for char in said)
    if not shown or len(said) > LONGEST_TITLE or any(unicodedata.category(char) == "Cc" for char in said):
        raise InputRefused(_BAD_TITLE, most=LONGEST_TITLE)
    return said


def _event(event: str, session_id: str, user: User, person: str | None = "") -> AuditEvent:
    """`person` is whom it was shared with: everybody if None, nobody in particular if empty."""
    data: Json = {} if person == "" else {"with": "company" if person is None else "person"}
    return AuditEvent(
        tenant=user.tenant,
        event=event,
        session=session_id,
        person=user.user_id,
        outcome="done",
        data=data,
        private={"person": person} if person else {},
    )
