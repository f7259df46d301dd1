"""Calls of reviewers and security officers: read and verify the audit trail, care for keys, hold, retain, erase.

Every call names who makes it, is allowed by `metaagent.access.rights`, and leaves its own entry in the trail.
"""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from metaagent.access.gatekeeper import Gatekeeper
from metaagent.audit import Verification, review
from metaagent.audit.erasure import ERASED, begin_erasure, erase_person
from metaagent.audit.holds import LegalHold, holds, place_hold, release_hold
from metaagent.audit.notes import Note
from metaagent.audit.report import account
from metaagent.audit.store import Where
from metaagent.audit.trail import canonical, entry_hash
from metaagent.audit.waivers import Waiver, end_waiver, waive, waivers
from metaagent.config import Settings
from metaagent.errors import InputRefused, Text
from metaagent.governance.rekeying import Resealing, SealedStore, Tell
from metaagent.input_checks import admit_id, admit_user
from metaagent.ports import Clock, Json, User
from metaagent.protection.keys import provider
from metaagent.protection.keys.records import INSTALLATION
from metaagent.storage.audit_log import SqlAuditLog
from metaagent.storage.audit_notes import parse_note
from metaagent.storage.checkpoints.retention import StateCheckpointer
from metaagent.storage.locks import lock_session
from metaagent.storage.logs import lines_of, log_files, read_lines
from metaagent.storage.session_store import SqlStore
from metaagent.storage.vault import Vault
from metaagent.values import iso

RECEIPT = "metaagent-erasure-receipt-v1"
EMPTY: Mapping[str, str] = {}

CALLS = {
    "audit_list": "audit.read",
    "audit_show": "audit.read",
    "audit_report": "audit.read",
    "audit_account": "audit.read",
    "audit_verify": "audit.verify",
    "audit_export": "audit.export",
    "keys_status": "keys.read",
    "keys_public": "keys.read",
    "keys_rotate": "keys.manage",
    "keys_rewrap": "keys.manage",
    "erase": "erase",
    "readmit": "erase",
    "hold_place": "holds.manage",
    "hold_release": "holds.manage",
    "hold_list": "holds.manage",
    "waive": "rules.waive",
    "waivers": "rules.waive",
    "waiver_end": "rules.waive",
    "retain": "retention.apply",
    "logs": "logs.read",
}
"""The operation that each call needs. There is no call without one."""

_NOBODY = Text(
    en="Nobody called {person} is known in {company}: nothing was erased. Look at the spelling of the id.",
    ko="{company}에 {person}(이)라는 사람이 없어 아무것도 파기하지 않았습니다. 아이디를 확인하세요.",
)
_NO_DAYS = Text(
    en="Say how long audit entries are kept: set retention.audit_days, or name a day with --before.",
    ko="감사 기록의 보존 기간을 정하세요: retention.audit_days를 설정하거나 --before로 날짜를 지정하세요.",
)
_NOT_RECORDED = Text(
    en="This person's key is destroyed, but the trail does not say by whom: start the program again, which records it.",
    ko="이 사람의 키는 파기되었지만 기록이 아직 없습니다: 프로그램을 다시 시작하면 기록됩니다.",
)
_BAD_ANCHOR = Text(
    en="{path} holds no signed notes: give a copy of a file in the `audit` folder of the data directory.",
    ko="{path}에 서명된 기록이 없습니다: 데이터 디렉터리의 `audit` 폴더에 있는 파일의 사본을 주세요.",
)


@dataclass(frozen=True)
class Stores:
    """Everything in which something of a person can be."""

    settings: Settings
    vault: Vault
    store: SqlStore
    checkpointer: StateCheckpointer
    audit: SqlAuditLog
    erase_ports: Callable[[User, str], Awaitable[dict[str, int]]]
    expire: Callable[[User, datetime], Awaitable[int]]
    sealed: Callable[[], Sequence[SealedStore]]


class Governance:
    def __init__(
        self,
        stores: Stores,
        gatekeeper: Gatekeeper,
        clock: Clock,
        agents: Callable[[], Mapping[str, Text]] = dict,
    ) -> None:
        self._agents = agents
        self._stores = stores
        self._audit = stores.audit
        self.ring = self._ring = stores.vault.ring
        self._gatekeeper = gatekeeper
        self._clock = clock

    # --- the audit trail --------------------------------------------------------------------------------

    async def audit_list(
        self,
        where: Where | None = None,
        *,
        text: str | None = None,
        holding: Mapping[str, str] | None = None,
        person: str | None = None,
        rule: str | None = None,
        limit: int = 100,
        user: User | None = None,
    ) -> list[Json]:
        """The newest entries of the reader's own company, in order: `Where.before` pages back, and with `Where.after` it is
        those that follow. `text` is looked for in the whole entry, `holding` in its fields (`agent`, `outcome`, …). `person`
        by name and `rule` (that found something) look behind aliases and seals: they need `audit.reveal`."""
        who = await self._admit("audit_list", user)
        if person or rule:
            await self._gatekeeper.require(who, "audit.reveal", what="person" if person else "rule")
        sought = {name: value for name, value in (("person", person), ("rule", rule)) if value}
        wanted = where or Where()
        if person:
            wanted = wanted._replace(actor=self._alias(User(person, who.company_id)))
        found = await asyncio.to_thread(
            review.find, self._audit, who.tenant, wanted, text=text, holding=holding, rule=rule, limit=limit
        )
        # On record before anybody sees it, and not among what was found: no search finds itself.
        await self._note_reading(who, where, text, holding={**(holding or {}), **sought})
        return found

    async def audit_show(self, seq: int, *, reveal: bool = False, user: User | None = None) -> Json:
        who = await self._admit("audit_show", user)
        if reveal:
            await self._gatekeeper.require(who, "audit.reveal", what=str(seq))
        await self._gatekeeper.note(who, "audit.read", {"seq": seq, "reveal": reveal})
        return await asyncio.to_thread(review.show, self._audit, who.tenant, seq, reveal=reveal)

    async def audit_report(
        self, session_id: str, *, reveal: bool = False, language: str = "en", user: User | None = None
    ) -> list[str]:
        """The account of a conversation in lines, with whole hashes: `metaagent.audit.report.shortened` makes them short."""
        who = await self._admit("audit_report", user)
        if reveal:
            await self._gatekeeper.require(who, "audit.reveal", what=session_id)
        return account(await self._entries_of(session_id, who, reveal=reveal), language, self._agents())

    async def audit_account(
        self, session_id: str, *, reveal: bool = False, user: User | None = None
    ) -> list[Json]:
        """The entries of one conversation, and of what changed for everybody meanwhile, in order; opened if asked for."""
        who = await self._admit("audit_account", user)
        if reveal:
            await self._gatekeeper.require(who, "audit.reveal", what=session_id)
        return await self._entries_of(session_id, who, reveal=reveal)

    async def _entries_of(self, session_id: str, who: User, *, reveal: bool) -> list[Json]:
        where = Where(session=admit_id(session_id, "session"))
        await self._note_reading(who, where, reveal=reveal)

        def work() -> list[Json]:
            found = review.find(self._audit, who.tenant, where, limit=100_000)
            found = review.with_what_happened_meanwhile(self._audit, who.tenant, found)
            if reveal:
                found = [review.show(self._audit, who.tenant, e["seq"], reveal=True) for e in found]
            return found

        return await asyncio.to_thread(work)

    async def audit_verify(
        self, *, anchor: Path | None = None, public_keys: Path | None = None, user: User | None = None
    ) -> Verification:
        who = await self._admit("audit_verify", user)
        anchors = _anchors(anchor) if anchor else []
        pem = await asyncio.to_thread(public_keys.read_text) if public_keys else None
        return await asyncio.to_thread(
            review.verify_trail, self._audit, who.tenant, public_keys=pem, anchors=anchors
        )

    async def audit_export(
        self, file: BinaryIO | TextIO, *, form: str = "jsonl", user: User | None = None
    ) -> int:
        """The number of entries written; the entry about this export is the last of them."""
        who = await self._admit("audit_export", user)
        await self._gatekeeper.note(who, "audit.exported", {"format": form})
        write: Any = review.export_csv if form == "csv" else review.export_jsonl
        return await asyncio.to_thread(write, self._audit, who.tenant, file)

    # --- keys -------------------------------------------------------------------------------------------

    async def keys_status(self, *, user: User | None = None) -> Json:
        """Keys of the reader's own company: other tenants are counted, not named. `rows` are those that each version of the
        company's keys sealed; `keys_rewrap` seals them with the newest."""
        who = await self._admit("keys_status", user)
        status = await asyncio.to_thread(self._ring.status)
        mine = status["tenants"].get(who.tenant)
        rows = await self._resealing().by_version(who.tenant)
        tenants = {who.tenant: {**mine, "rows": rows}} if mine else {}
        return {**status, "tenants": tenants, "count": len(status["tenants"])}

    async def keys_public(self, *, user: User | None = None) -> str:
        await self._admit("keys_public", user)
        return await asyncio.to_thread(self._ring.public_key)

    async def keys_rotate(
        self, *, signing: bool = False, everyone: bool = False, user: User | None = None
    ) -> Json:
        """New keys of the company and of the installation's log (of every company, if asked for; of all signatures,
        too). They seal from now on; older ones still read. Turns that run go on."""
        who = await self._admit("keys_rotate", user)
        if everyone or signing:
            await self._gatekeeper.require_installation(who, CALLS["keys_rotate"])
        tenants = self._tenants(who, everyone)
        versions = {tenant: await asyncio.to_thread(self._ring.rotate, tenant) for tenant in tenants}
        made: Json = {"signing": await asyncio.to_thread(self._ring.rotate_signing)} if signing else {}
        await self._gatekeeper.note_everywhere(
            who, "keys.rotated", {t: {"version": v, **made} for t, v in versions.items()}
        )
        return {"version": versions[who.tenant], **made}

    async def keys_rewrap(
        self,
        setting: str | None = None,
        *,
        keep_old: bool = False,
        everyone: bool = False,
        tell: Tell = lambda _part, _done, _left: None,
        user: User | None = None,
    ) -> Json:
        """Everything under the newest keys: what is stored is sealed again, in short transactions while turns run, and
        then the older keys are destroyed, unless they are to be kept or a row cannot be opened. With a setting, all
        keys are locked with another key-encryption key first; `keys.provider` must name it from the next start on."""
        who = await self._admit("keys_rewrap", user)
        if everyone or setting:
            await self._gatekeeper.require_installation(who, CALLS["keys_rewrap"])
        wrapped = await self._change_kek(who, setting) if setting else 0
        tenants = self._tenants(who, everyone)
        newest = {tenant: self._ring.version(tenant) for tenant in tenants}
        done = await self._resealing().run(tenants, tell, to_retire=not keep_old)
        told: Json = {"rows": dict(done.rows), "refused": len(done.refused)}
        old = {tenant: kids for tenant, kids in done.old.items() if kids}
        # On record before the keys are gone: nothing is destroyed without a trace.
        await self._gatekeeper.note_everywhere(
            who, "keys.resealed", {t: {**told, "version": newest[t]} for t in old}
        )
        retired: list[str] = []
        for tenant in old if done.free else ():
            kids = await asyncio.to_thread(self._ring.retire, tenant, newest[tenant])
            await self._gatekeeper.note_everywhere(
                who, "keys.retired", {tenant: {"below": newest[tenant], "keys": kids}}
            )
            retired += kids
        return {"keys": wrapped, "rows": dict(done.rows), "retired": retired, "refused": done.refused}

    async def _change_kek(self, who: User, setting: str) -> int:
        kek = await asyncio.to_thread(provider, setting)
        before = self._ring.status()["kek"]
        count = await asyncio.to_thread(self._ring.rewrap, kek)
        data = {"from": before, "to": kek.kek_id, "keys": count}
        await self._gatekeeper.note_installation(who, "keys.rewrapped", data)
        return count

    def _tenants(self, who: User, everyone: bool) -> list[str]:
        """The tenants whose keys are meant: the company and the log, which belongs to the installation."""
        own = {INSTALLATION} if self._gatekeeper.runs_installation(who) else set[str]()
        return sorted({who.tenant, *own, *(self._ring.tenants() if everyone else ())})

    def _resealing(self) -> Resealing:
        return Resealing(self._stores.sealed(), self._ring)

    # --- holds, retention, erasure ----------------------------------------------------------------------

    async def hold_place(
        self, hold: str, *, reason: str, person: str | None = None, user: User | None = None
    ) -> None:
        who = await self._admit("hold_place", user)
        await asyncio.to_thread(
            place_hold,
            self._audit,
            who.tenant,
            admit_id(hold, "hold"),
            reason=reason,
            by=who.user_id,
            person=person,
        )

    async def hold_release(self, hold: str, *, reason: str, user: User | None = None) -> None:
        who = await self._admit("hold_release", user)
        await asyncio.to_thread(release_hold, self._audit, who.tenant, hold, reason=reason, by=who.user_id)

    async def hold_list(self, *, user: User | None = None) -> list[LegalHold]:
        who = await self._admit("hold_list", user)
        return await asyncio.to_thread(holds, self._audit, who.tenant)

    # --- waivers ----------------------------------------------------------------------------------------

    async def waive(
        self, rule: str, *, scope: str, until: str, reason: str, user: User | None = None
    ) -> Waiver:
        """Let a rule be broken by one content (its hash), or by everything (`*`), until a day."""
        who = await self._admit("waive", user)
        return await asyncio.to_thread(
            waive,
            self._audit,
            who.tenant,
            rule=rule,
            scope=scope,
            until=until,
            reason=reason,
            by=who.user_id,
            today=self._today,
        )

    @property
    def _today(self) -> date:
        """The day in the zone of this installation, by which rules are judged, too."""
        return self._clock.now().astimezone(self._stores.settings.zone).date()

    async def waivers(self, *, user: User | None = None) -> list[Waiver]:
        """The waivers that are in force."""
        who = await self._admit("waivers", user)
        return await asyncio.to_thread(waivers, self._audit, who.tenant, self._today)

    async def waiver_end(self, waiver: str, *, reason: str, user: User | None = None) -> None:
        who = await self._admit("waiver_end", user)
        await asyncio.to_thread(
            end_waiver, self._audit, who.tenant, waiver, reason=reason, by=who.user_id, today=self._today
        )

    async def retain(self, *, before: str | None = None, user: User | None = None) -> int:
        """Drops the signed segments of the trail that are older, and stored files and texts whose time is over; how many
        entries that were."""
        who = await self._admit("retain", user)
        await self._stores.expire(who, self._clock.now())
        days = self._stores.settings.retention.audit_days
        if before is None and days is None:
            raise InputRefused(_NO_DAYS)
        limit = before or iso(self._clock.now() - timedelta(days=days or 0))
        return await asyncio.to_thread(
            review.retain, self._audit, who.tenant, before=limit, actor=self._alias(who)
        )

    async def erase(self, person: str, *, user: User | None = None) -> Json:
        """Destroys the person's key, removes what is theirs in every store, and gives a signed receipt of it.

        Refused under a legal hold, and while a turn of theirs is running. Repeatable after a crash: the intent is on
        record first, and the key goes last, so that what is still there can be found. Asked for again, it gives the
        receipt again.
        """
        who = admit_user(user or User())
        await self._gatekeeper.require(who, CALLS["erase"], own=person == who.user_id, what="person")
        subject = admit_user(User(person, who.company_id))
        if not await asyncio.to_thread(self._ring.knows_person, who.tenant, person):
            raise InputRefused(_NOBODY, person=person, company=who.company_id)
        gone = await asyncio.to_thread(self._ring.erased_kids, who.tenant, person)
        if gone is not None:
            return await asyncio.to_thread(self._receipt, who.tenant, gone)
        actor, alias = self._alias(who), self._alias(subject)
        await asyncio.to_thread(begin_erasure, self._audit, who.tenant, person, actor=actor)
        with ExitStack() as claims:
            # All of the person's sessions, held so that nothing runs in them; TurnRunning if something does.
            sessions = await self._stores.store.sessions_of(subject.company_id, alias)
            for session_id in sessions:
                claim = lock_session(self._stores.settings.data_dir / "locks", session_id)
                claims.callback(claim.release)
            removed = await self._stores.erase_ports(subject, alias)
            removed |= await self._remove_sessions(sessions)
            removed["logs"] = await asyncio.to_thread(self._remove_logs)
            kids = await asyncio.to_thread(
                erase_person, self._audit, who.tenant, person, actor=actor, stores=removed
            )
        # Whatever was begun before the key was gone and committed after we looked.
        await self._remove_sessions(await self._stores.store.sessions_of(who.company_id, alias))
        return await asyncio.to_thread(self._receipt, who.tenant, kids)

    async def readmit(self, person: str, *, user: User | None = None) -> None:
        """An erased person may use the system again, as someone new."""
        who = admit_user(user or User())
        await self._gatekeeper.require(who, CALLS["readmit"], own=person == who.user_id, what="person")
        await asyncio.to_thread(self._ring.readmit_person, who.tenant, person)
        await self._gatekeeper.note(
            who, "person.readmitted", {"subject": self._alias(User(person, who.company_id))}
        )

    async def logs(self, *, user: User | None = None) -> list[str]:
        """The log of the command line, oldest first: redacted JSON lines. Companies see what was written in their own
        turns; all of it is for whoever runs the installation."""
        who = await self._admit("logs", user)
        lines = await asyncio.to_thread(read_lines, self._stores.settings.data_dir, self._ring)
        own = who.company_id == User().company_id and not who.visiting
        return lines if own else lines_of(who.tenant, lines)

    async def _note_reading(
        self,
        who: User,
        where: Where | None,
        text: str | None = None,
        *,
        holding: Mapping[str, str] = EMPTY,
        reveal: bool = False,
    ) -> None:
        """Filters are the reader's own text: on record, but not in clear."""
        given = {**(where or Where())._asdict(), **holding, "text": text}
        private = {name: str(value) for name, value in given.items() if value}
        await self._gatekeeper.note(
            who, "audit.read", {"filters": sorted(private), "reveal": reveal}, private=private
        )

    # --- inside -----------------------------------------------------------------------------------------

    async def _admit(self, call: str, user: User | None) -> User:
        who = admit_user(user or User())
        await self._gatekeeper.require(who, CALLS[call])
        return who

    def _alias(self, user: User) -> str:
        return self._ring.alias(user.tenant, user.user_id)

    async def _remove_sessions(self, sessions: Iterable[str]) -> dict[str, int]:
        removed: dict[str, int] = dict.fromkeys(
            ("sessions", "turns", "events", "artifacts", "checkpoints"), 0
        )
        for session_id in sessions:
            counted = await self._stores.store.count_session(session_id)
            removed["checkpoints"] += len(await self._stores.checkpointer.list(session_id))
            await self._stores.checkpointer.delete(session_id)
            for name, count in counted.items():
                removed[name] = removed.get(name, 0) + count
        return removed

    def _remove_logs(self) -> int:
        """Diagnostics of everyone: lines cannot be told apart by person, and nothing depends on them."""
        files = log_files(self._stores.settings.data_dir)
        for path in files:
            path.write_bytes(b"")
        return len(files)

    def _receipt(self, tenant: str, kids: list[str]) -> Json:
        """Reads the receipt from the entry of the erasure itself, so that it can be given again."""
        done = [one for one in self._audit.entries_of(tenant, (ERASED,)) if one["data"]["keys"] == kids]
        if not done:
            raise InputRefused(_NOT_RECORDED)
        entry, data = done[-1], done[-1]["data"]
        body = {
            "format": RECEIPT,
            "tenant": tenant,
            "subject": data["subject"],
            "by": entry["actor"],
            "at": entry["ts"],
            "keys": kids,
            "stores": data.get("stores", {}),
            "audit": {"seq": entry["seq"], "hash": entry_hash(canonical(entry)).hex()},
        }
        key, signature = self._ring.sign(canonical(body))
        return {"receipt": body, "key": key, "signature": b64encode(signature).decode("ascii")}


def _anchors(path: Path) -> list[Note]:
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise InputRefused(_BAD_ANCHOR, path=path) from error
    notes = [parse_note(line) for line in lines if line.strip()]
    found = [note for note in notes if note is not None]
    if not found or len(found) != len(notes):
        raise InputRefused(_BAD_ANCHOR, path=path)
    return found
