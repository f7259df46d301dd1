"""What the commands of `metaagent.cli.protection` do and print."""

from __future__ import annotations

import asyncio
import io
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from metaagent.audit.store import Where
from metaagent.cli.asking import ANSWERED, FAILED, Door, print_json, run
from metaagent.cli.showing import confirmed
from metaagent.cli.starting import ui_language
from metaagent.errors import Text
from metaagent.governance.governance import Governance
from metaagent.protection.keys.store import replace_private

Work = Callable[[Governance], Awaitable[int]]
SHOWN = 10

_KEYS = Text(
    en="key-encryption key {kek} ({state}); signing keys: {signing}",
    ko="키 암호화 키 {kek} ({state}); 서명 키: {signing}",
)
_TENANT = Text(
    en="{name}: version {newest}, readable from {minimum} on; {people} people, {erased} erased",
    ko="{name}: 버전 {newest}, {minimum}부터 읽을 수 있음; {people}명, 파기 {erased}명",
)
_UNLOCKED = Text(en="opens them", ko="열림")
_LOCKED = Text(en="DOES NOT OPEN THEM", ko="열리지 않음")
_SEALED = Text(
    en="  version {version} sealed {count} rows ({parts})", ko="  버전 {version}: {count}개 행 봉인 ({parts})"
)
_ROTATED = Text(
    en="New keys: version {version}. What older ones sealed: `metaagent keys rewrap`.",
    ko="새 키: 버전 {version}. 이전 키로 봉인한 내용은 `metaagent keys rewrap`으로 새 키로 옮기세요.",
)
_REWRAPPED = Text(
    en="{count} keys are locked with {to} now. Set keys.provider to it before the next start.",
    ko="키 {count}개를 {to}(으)로 잠갔습니다. 다음 실행 전에 keys.provider를 이 값으로 설정하세요.",
)
_RESEALED = Text(
    en="{count} rows were sealed again with the newest keys{parts}.",
    ko="{count}개 행을 새 키로 다시 봉인했습니다{parts}.",
)
_RETIRED = Text(
    en="{count} older keys were destroyed. Delete the backups of keys.json that still hold them.",
    ko="이전 키 {count}개를 파기했습니다. 그 키가 남아 있는 keys.json 백업도 삭제하세요.",
)
_NOT_RETIRED = Text(
    en="{count} rows cannot be opened, so the older keys are kept: {rows}. Restore these rows from a backup or delete "
    "their sessions, then run this again.",
    ko="{count}개 행을 열 수 없어 이전 키를 남겨 두었습니다: {rows}. 이 행을 백업에서 복구하거나 세션을 삭제한 뒤 다시 "
    "실행하세요.",
)
_VERIFIED = Text(
    en="VERIFIED: {entries} entries ({first}–{last}), signed up to {signed}.",
    ko="검증됨: 항목 {entries}개({first}–{last}), {signed}까지 서명됨.",
)
_NOT_VERIFIED = Text(en="NOT VERIFIED.", ko="검증되지 않았습니다.")
_EXPORTED = Text(en="{count} entries written to {path}.", ko="항목 {count}개를 {path}에 썼습니다.")
_PLACED = Text(en="Hold {hold} is in force.", ko="보존 {hold}이(가) 걸렸습니다.")
_RELEASED = Text(en="Hold {hold} is released.", ko="보존 {hold}이(가) 해제되었습니다.")
_DROPPED = Text(en="{count} entries dropped.", ko="항목 {count}개를 삭제했습니다.")
_READMITTED = Text(
    en="{user} may use the system again, as someone new.",
    ko="{user} 님은 새 사람으로 다시 쓸 수 있습니다.",
)
_SURE = Text(
    en="Destroy the key of {user} and remove everything that is theirs? This cannot be undone. [y/N] ",
    ko="{user} 님의 키를 파기하고 모든 내용을 삭제할까요? 되돌릴 수 없습니다. [y/N] ",
)
_KEPT = Text(en="Nothing was erased.", ko="아무것도 파기하지 않았습니다.")


def _do(door: Door, work: Work) -> int:
    async def opened() -> int:
        async with door.open() as app:
            return await work(app.governance)

    return run(opened, as_json=door.as_json)


def _say(text: Text, **params: object) -> int:
    sys.stdout.write(text.say(ui_language(), **params) + "\n")
    return ANSWERED


def keys_status(door: Door) -> int:
    async def work(governance: Governance) -> int:
        status = await governance.keys_status(user=door.user)
        if door.as_json:
            print_json(status)
            return ANSWERED
        state = (_UNLOCKED if status["unlocked"] else _LOCKED).say(ui_language())
        _say(_KEYS, kek=status["kek"], state=state, signing=", ".join(status["signing"]))
        for name, tenant in status["tenants"].items():
            _say(_TENANT, name=name, **tenant)
            for version, parts in tenant["rows"].items():
                _say(_SEALED, version=version, count=sum(parts.values()), parts=_counted(parts))
        return ANSWERED

    return _do(door, work)


def keys_rotate(door: Door, *, signing: bool, everyone: bool) -> int:
    async def work(governance: Governance) -> int:
        made = await governance.keys_rotate(signing=signing, everyone=everyone, user=door.user)
        if door.as_json:
            print_json(made)
            return ANSWERED
        return _say(_ROTATED, **made)

    return _do(door, work)


def keys_rewrap(door: Door, to: str | None, *, keep_old: bool, everyone: bool) -> int:
    async def work(governance: Governance) -> int:
        done = await governance.keys_rewrap(
            to, keep_old=keep_old, everyone=everyone, tell=_progress, user=door.user
        )
        if door.as_json:
            print_json({**done, "provider": to})
        else:
            _say_rewrapped(done, to)
        return FAILED if done["refused"] else ANSWERED

    return _do(door, work)


def _say_rewrapped(done: dict[str, Any], to: str | None) -> None:
    rows: dict[str, int] = done["rows"]
    if to:
        _say(_REWRAPPED, count=done["keys"], to=to)
    _say(_RESEALED, count=sum(rows.values()), parts=f" ({_counted(rows)})" if rows else "")
    if done["retired"]:
        _say(_RETIRED, count=len(done["retired"]))
    if done["refused"]:
        _say(_NOT_RETIRED, count=len(done["refused"]), rows=", ".join(done["refused"][:SHOWN]))


def _progress(part: str, done: int, total: int) -> None:
    """One line that is written over and over, where a person looks at it."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{part}: {done}/{total}" + ("\n" if done >= total else ""))
        sys.stderr.flush()


def _counted(parts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in parts.items())


def keys_public(door: Door, out: Path | None) -> int:
    async def work(governance: Governance) -> int:
        pem = await governance.keys_public(user=door.user)
        if out is None:
            sys.stdout.write(pem)
        else:
            await asyncio.to_thread(out.write_text, pem)
        return ANSWERED

    return _do(door, work)


def audit_list(door: Door, where: Where, text: str | None, limit: int) -> int:
    async def work(governance: Governance) -> int:
        found = await governance.audit_list(where, text=text, limit=limit, user=door.user)
        if door.as_json:
            print_json({"entries": found})
            return ANSWERED
        for entry in found:
            place = " ".join(str(entry[name]) for name in ("session", "turn", "agent") if entry[name])
            sys.stdout.write(
                f"{entry['seq']:>6} {entry['ts']} {entry['actor']} {entry['event']} "
                f"{entry['outcome'] or '-'} {place}\n"
            )
        return ANSWERED

    return _do(door, work)


def audit_show(door: Door, seq: int, *, reveal: bool) -> int:
    async def work(governance: Governance) -> int:
        entry = await governance.audit_show(seq, reveal=reveal, user=door.user)
        sys.stdout.write(json.dumps(entry, ensure_ascii=False, indent=2) + "\n")
        return ANSWERED

    return _do(door, work)


def audit_verify(door: Door, anchor: Path | None, key: Path | None) -> int:
    async def work(governance: Governance) -> int:
        checked = await governance.audit_verify(anchor=anchor, public_keys=key, user=door.user)
        findings = [finding.say(ui_language()) for finding in checked.findings]
        if door.as_json:
            print_json(
                {
                    "verified": checked.ok,
                    "first": checked.first,
                    "last": checked.last,
                    "signed": checked.signed,
                    "findings": [
                        {**finding._asdict(), "text": text}
                        for finding, text in zip(checked.findings, findings, strict=True)
                    ],
                }
            )
        elif checked.ok:
            parts = {"first": checked.first, "last": checked.last, "signed": checked.signed}
            _say(_VERIFIED, entries=checked.entries, **parts)
        else:
            sys.stdout.write("\n".join(findings) + "\n")
            _say(_NOT_VERIFIED)
        return ANSWERED if checked.ok else FAILED

    return _do(door, work)


def audit_export(door: Door, out: Path, form: str) -> int:
    async def work(governance: Governance) -> int:
        if form == "csv":
            text = io.StringIO(newline="")
            count = await governance.audit_export(text, form=form, user=door.user)
            content = text.getvalue().encode()
        else:
            raw = io.BytesIO()
            count = await governance.audit_export(raw, form=form, user=door.user)
            content = raw.getvalue()
        await asyncio.to_thread(replace_private, out, content)
        return _say(_EXPORTED, count=count, path=out)

    return _do(door, work)


def audit_report(door: Door, session: str, *, reveal: bool) -> int:
    async def work(governance: Governance) -> int:
        lines = await governance.audit_report(session, reveal=reveal, language=ui_language(), user=door.user)
        if door.as_json:
            print_json({"report": lines})
        else:
            sys.stdout.write("\n".join(lines) + "\n")
        return ANSWERED

    return _do(door, work)


def hold_place(door: Door, hold: str, reason: str, person: str | None) -> int:
    async def work(governance: Governance) -> int:
        await governance.hold_place(hold, reason=reason, person=person, user=door.user)
        return _say(_PLACED, hold=hold)

    return _do(door, work)


def hold_release(door: Door, hold: str, reason: str) -> int:
    async def work(governance: Governance) -> int:
        await governance.hold_release(hold, reason=reason, user=door.user)
        return _say(_RELEASED, hold=hold)

    return _do(door, work)


def hold_list(door: Door) -> int:
    async def work(governance: Governance) -> int:
        found = [hold._asdict() for hold in await governance.hold_list(user=door.user)]
        if door.as_json:
            print_json({"holds": found})
            return ANSWERED
        for hold in found:
            sys.stdout.write(f"{hold['id']} {hold['subject'] or '*'} {hold['reason']}\n")
        return ANSWERED

    return _do(door, work)


def retention_apply(door: Door, before: str | None) -> int:
    async def work(governance: Governance) -> int:
        return _say(_DROPPED, count=await governance.retain(before=before, user=door.user))

    return _do(door, work)


def erase(door: Door, person: str, receipt: Path | None, *, sure: bool) -> int:
    if not sure and not confirmed(_SURE.say(ui_language(), user=person)):
        _say(_KEPT)
        return FAILED

    async def work(governance: Governance) -> int:
        made: dict[str, Any] = await governance.erase(person, user=door.user)
        text = json.dumps(made, ensure_ascii=False, indent=2) + "\n"
        if receipt is not None:
            await asyncio.to_thread(receipt.write_text, text)
        sys.stdout.write(text)
        return ANSWERED

    return _do(door, work)


def readmit(door: Door, person: str) -> int:
    async def work(governance: Governance) -> int:
        await governance.readmit(person, user=door.user)
        return _say(_READMITTED, user=person)

    return _do(door, work)


def show_logs(door: Door) -> int:
    async def work(governance: Governance) -> int:
        for line in await governance.logs(user=door.user):
            sys.stdout.write(line + "\n")
        return ANSWERED

    return _do(door, work)
