"""Governance for one person: every call of Governance, made by this one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TextIO

from metaagent.ports import Json, User

if TYPE_CHECKING:
    from metaagent.audit import Verification
    from metaagent.audit.holds import LegalHold
    from metaagent.audit.store import Where
    from metaagent.audit.waivers import Waiver
    from metaagent.governance.governance import Governance
    from metaagent.governance.rekeying import Tell


class ActingGovernance:
    def __init__(self, governance: Governance, user: User) -> None:
        self._governance = governance
        self.user = user

    async def audit_list(
        self,
        where: Where | None = None,
        *,
        text: str | None = None,
        holding: Mapping[str, str] | None = None,
        person: str | None = None,
        rule: str | None = None,
        limit: int = 100,
    ) -> list[Json]:
        """The newest entries of the reader's own company, in order: `Where.before` pages back, and with `Where.after` it is
        those that follow. `text` is looked for in the whole entry, `holding` in its fields (`agent`, `outcome`, …). `person`
        by name and `rule` (that found something) look behind aliases and seals: they need `audit.reveal`."""
        return await self._governance.audit_list(
            where, text=text, holding=holding, person=person, rule=rule, limit=limit, user=self.user
        )

    async def audit_show(self, seq: int, *, reveal: bool = False) -> Json:
        return await self._governance.audit_show(seq, reveal=reveal, user=self.user)

    async def audit_report(self, session_id: str, *, reveal: bool = False, language: str = "en") -> list[str]:
        return await self._governance.audit_report(
            session_id, reveal=reveal, language=language, user=self.user
        )

    async def audit_account(self, session_id: str, *, reveal: bool = False) -> list[Json]:
        """The entries of one conversation, and of what changed for everybody meanwhile, in order; opened if asked for."""
        return await self._governance.audit_account(session_id, reveal=reveal, user=self.user)

    async def audit_verify(
        self, *, anchor: Path | None = None, public_keys: Path | None = None
    ) -> Verification:
        return await self._governance.audit_verify(anchor=anchor, public_keys=public_keys, user=self.user)

    async def audit_export(self, file: BinaryIO | TextIO, *, form: str = "jsonl") -> int:
        """The number of entries written; the entry about this export is the last of them."""
        return await self._governance.audit_export(file, form=form, user=self.user)

    async def keys_status(self) -> Json:
        """Keys of the reader's own company: other tenants are counted, not named. `rows` are those that each version of the
        company's keys sealed; `keys_rewrap` seals them with the newest."""
        return await self._governance.keys_status(user=self.user)

    async def keys_public(self) -> str:
        return await self._governance.keys_public(user=self.user)

    async def keys_rotate(self, *, signing: bool = False, everyone: bool = False) -> Json:
        """New keys of the company and of the installation's log (of every company, if asked for; of all signatures,
        too). They seal from now on; older ones still read. Turns that run go on."""
        return await self._governance.keys_rotate(signing=signing, everyone=everyone, user=self.user)

    async def keys_rewrap(
        self,
        setting: str | None = None,
        *,
        keep_old: bool = False,
        everyone: bool = False,
        tell: Tell = lambda _part, _done, _left: None,
    ) -> Json:
        """Everything under the newest keys: what is stored is sealed again, in short transactions while turns run, and
        then the older keys are destroyed, unless they are to be kept or a row cannot be opened. With a setting, all
        keys are locked with another key-encryption key first; `keys.provider` must name it from the next start on."""
        return await self._governance.keys_rewrap(
            setting, keep_old=keep_old, everyone=everyone, tell=tell, user=self.user
        )

    async def hold_place(self, hold: str, *, reason: str, person: str | None = None) -> None:
        await self._governance.hold_place(hold, reason=reason, person=person, user=self.user)

    async def hold_release(self, hold: str, *, reason: str) -> None:
        await self._governance.hold_release(hold, reason=reason, user=self.user)

    async def hold_list(self) -> list[LegalHold]:
        return await self._governance.hold_list(user=self.user)

    async def waive(self, rule: str, *, scope: str, until: str, reason: str) -> Waiver:
        """Let a rule be broken by one content (its hash), or by everything (`*`), until a day."""
        return await self._governance.waive(rule, scope=scope, until=until, reason=reason, user=self.user)

    async def waivers(self) -> list[Waiver]:
        """The waivers that are in force."""
        return await self._governance.waivers(user=self.user)

    async def waiver_end(self, waiver: str, *, reason: str) -> None:
        await self._governance.waiver_end(waiver, reason=reason, user=self.user)

    async def retain(self, *, before: str | None = None) -> int:
        """Drops the signed segments of the trail that are older, and stored files and texts whose time is over; how many
        entries that were."""
        return await self._governance.retain(before=before, user=self.user)

    async def erase(self, person: str) -> Json:
        """Destroys the person's key, removes what is theirs in every store, and gives a signed receipt of it.

        Refused under a legal hold, and while a turn of theirs is running. Repeatable after a crash: the intent is on
        record first, and the key goes last, so that what is still there can be found. Asked for again, it gives the
        receipt again.
        """
        return await self._governance.erase(person, user=self.user)

    async def readmit(self, person: str) -> None:
        """An erased person may use the system again, as someone new."""
        await self._governance.readmit(person, user=self.user)

    async def logs(self) -> list[str]:
        """The log of the command line, oldest first: redacted JSON lines. Companies see what was written in their own
        turns; all of it is for whoever runs the installation."""
        return await self._governance.logs(user=self.user)
