"""`metaagent keys`: the keys of everything that is stored."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from metaagent.cli.door import ANSWERED, FAILED, Door, Reply, write_file
from metaagent.cli.options import OFFICER, Output, command
from metaagent.cli.startup import ui_language
from metaagent.errors import Text

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

Everyone = Annotated[bool, typer.Option("--all-companies", help="Of every company of this installation.")]
keys_app = typer.Typer(no_args_is_help=True, help="See, rotate and rewrap the keys of everything stored.")


@command(keys_app, "status", OFFICER)
async def status(door: Door) -> Reply:
    """List the keys, how many rows each version sealed, and whether the key-encryption key opens them."""
    async with door.open() as app:
        found = await app.governance.keys_status(user=door.user)
    return Reply(found, [*_status_lines(found)])


def _status_lines(found: dict[str, Any]) -> Iterator[str]:
    language = ui_language()
    state = (_UNLOCKED if found["unlocked"] else _LOCKED).say(language)
    yield _KEYS.say(language, kek=found["kek"], state=state, signing=", ".join(found["signing"]))
    for name, tenant in found["tenants"].items():
        yield _TENANT.say(language, name=name, **tenant)
        for version, parts in tenant["rows"].items():
            yield _SEALED.say(language, version=version, count=sum(parts.values()), parts=_counted(parts))


@command(keys_app, "rotate", OFFICER)
async def rotate(
    door: Door,
    signing: Annotated[bool, typer.Option("--signing", help="A new signing key too.")] = False,
    everyone: Everyone = False,
) -> Reply:
    """Make new data keys, which write from now on; older ones still read until `rewrap`. Turns that run go on."""
    async with door.open() as app:
        made = await app.governance.keys_rotate(signing=signing, everyone=everyone, user=door.user)
    return Reply(made, [_ROTATED.say(ui_language(), **made)])


@command(keys_app, "rewrap", OFFICER)
async def rewrap(
    door: Door,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            help="First lock every key with this key-encryption key: file:PATH, env:NAME, keyring:SERVICE.",
            show_default=False,
        ),
    ] = None,
    keep_old: Annotated[
        bool, typer.Option("--keep-old", help="Do not destroy the older keys afterwards.")
    ] = False,
    everyone: Everyone = False,
) -> Reply:
    """Seal everything that is stored with the newest keys, then destroy the older ones. Turns that run go on; after a
    crash, run it again."""
    async with door.open() as app:
        done = await app.governance.keys_rewrap(
            to, keep_old=keep_old, everyone=everyone, tell=_progress, user=door.user
        )
    code = FAILED if done["refused"] else ANSWERED
    return Reply({**done, "provider": to}, [*_rewrapped_lines(done, to)], code)


def _rewrapped_lines(done: dict[str, Any], to: str | None) -> Iterator[str]:
    language, rows, refused = ui_language(), done["rows"], done["refused"]
    if to:
        yield _REWRAPPED.say(language, count=done["keys"], to=to)
    yield _RESEALED.say(language, count=sum(rows.values()), parts=f" ({_counted(rows)})" if rows else "")
    if done["retired"]:
        yield _RETIRED.say(language, count=len(done["retired"]))
    if refused:
        yield _NOT_RETIRED.say(language, count=len(refused), rows=", ".join(refused[:SHOWN]))


def _progress(part: str, done: int, total: int) -> None:
    """One line that is written over and over, where a person looks at it."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{part}: {done}/{total}" + ("\n" if done >= total else ""))
        sys.stderr.flush()


def _counted(parts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in parts.items())


@command(keys_app, "export-public", OFFICER)
async def export_public(door: Door, output: Output = None) -> Reply:
    """Write the public keys (PEM) with which anyone can verify an export or a receipt."""
    async with door.open() as app:
        pem = await app.governance.keys_public(user=door.user)
    if output is not None:
        write_file(output, pem.encode())
    return Reply({"public_keys": pem}, [] if output else [pem.rstrip("\n")])
