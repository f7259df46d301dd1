"""`metaagent backup` and `metaagent restore`: copies of the data directory, consistent, verified, and apart from its keys."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from metaagent.cli.door import Door, Reply
from metaagent.cli.options import PLACE, command
from metaagent.cli.startup import ui_language
from metaagent.errors import Text

if TYPE_CHECKING:
    from metaagent.maintenance.backup import Tell

_MADE = Text(
    en="Snapshot {name}: {files} files, {size:,} bytes, of which {new_bytes:,} are new. Every piece was read again.",
    ko="스냅샷 {name}: 파일 {files}개, {size:,}바이트 중 {new_bytes:,}바이트를 새로 저장했습니다. "
    "모든 조각을 다시 읽어 확인했습니다.",
)
_NO_KEYS = Text(
    en="The keys are not in it, and without them it cannot be read: back them up with --keys-to DIR, to another place.",
    ko="키는 들어 있지 않으며, 키 없이는 읽을 수 없습니다. --keys-to DIR로 다른 곳에 키를 백업하세요.",
)
_KEYS = Text(
    en="The keys are in {path}. Whoever has both can read everything: keep them apart.",
    ko="키는 {path}에 있습니다. 둘 다 가진 사람은 모든 것을 읽을 수 있으니 따로 보관하세요.",
)
_KEK_ELSEWHERE = Text(
    en="The key that locks them is not a file of this directory ({provider}): back it up where it is.",
    ko="그 키를 잠그는 키는 이 폴더의 파일이 아닙니다({provider}). 있는 곳에서 백업하세요.",
)
_STILL_LOCKED = Text(
    en="Nothing of it can be read yet: the keys are not in a backup. Copy keys.json (and kek, where it lay beside it) into {path} "
    "from where --keys-to put them, or restore with --keys-from.",
    ko="아직 아무것도 읽을 수 없습니다. 키는 백업에 들어 있지 않습니다. --keys-to로 보관한 keys.json(그 옆에 있던 kek도)을 "
    "{path}에 복사하거나 --keys-from으로 되살리세요.",
)
_RESTORED = Text(
    en="Snapshot {name} is in {path}. Check it with: metaagent doctor --deep --data-dir {path}",
    ko="스냅샷 {name}을(를) {path}에 복원했습니다. 확인: metaagent doctor --deep --data-dir {path}",
)
_SNAPSHOTS = Text(en="Snapshots in {path}:", ko="{path}의 스냅샷:")
_VERIFIED = Text(en="Snapshot {name} is whole.", ko="스냅샷 {name}은(는) 온전합니다.")

Folder = Annotated[Path, typer.Argument(help="The backup folder, on another disk.", metavar="DIR")]


def add_to(app: typer.Typer, panel: str) -> None:
    command(app, "backup", PLACE, panel=panel)(backup)
    command(app, "restore", PLACE, panel=panel)(restore)


async def backup(
    door: Door,
    folder: Folder,
    keys_to: Annotated[
        Path | None,
        typer.Option("--keys-to", help="Also copy the keys, to this other place.", show_default=False),
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Only read the newest snapshot and check it.")
    ] = False,
) -> Reply:
    """Add a snapshot of the data directory to a backup folder, while turns may run."""
    import asyncio
    from datetime import UTC, datetime

    from metaagent.maintenance.backup import back_up, verify_backup

    language, settings = ui_language(), door.settings
    if verify:
        name = await asyncio.to_thread(verify_backup, folder)
        return Reply({"snapshot": name, "whole": True}, [_VERIFIED.say(language, name=name)])
    made = await asyncio.to_thread(
        back_up, settings.data_dir, folder, keys_to=keys_to, now=datetime.now(UTC), tell=_progress(door)
    )
    lines = [_MADE.say(language, **asdict(made))]
    lines.append((_KEYS if made.keys else _NO_KEYS).say(language, path=keys_to))
    if made.keys and settings.keys.provider:
        lines.append(_KEK_ELSEWHERE.say(language, provider=settings.keys.provider.partition(":")[0]))
    return Reply(asdict(made), lines)


async def restore(
    door: Door,
    folder: Folder,
    into: Annotated[
        Path, typer.Argument(help="The new data directory; it must not exist yet.", metavar="INTO")
    ],
    snapshot: Annotated[
        str | None, typer.Option("--snapshot", help="Which one; the newest by default.", show_default=False)
    ] = None,
    keys_from: Annotated[
        Path | None, typer.Option("--keys-from", help="Where the keys were copied to.", show_default=False)
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="Only list the snapshots.")] = False,
) -> Reply:
    """Make a data directory of a snapshot. Nothing that is there is overwritten."""
    import asyncio

    from metaagent.maintenance.backup import restore as restored
    from metaagent.maintenance.backup import snapshot_names

    if listed:
        names = snapshot_names(folder)
        return Reply({"snapshots": names}, [_SNAPSHOTS.say(ui_language(), path=folder), *names])
    name = await asyncio.to_thread(restored, folder, into, name=snapshot, keys_from=keys_from)
    has_keys = (into / "keys.json").exists()
    lines = [_RESTORED.say(ui_language(), name=name, path=into)]
    if not has_keys:
        lines.append(_STILL_LOCKED.say(ui_language(), path=into))
    return Reply({"snapshot": name, "data_dir": str(into), "keys": has_keys}, lines)


def _progress(door: Door) -> Tell | None:
    """Show the file at work on a terminal."""
    import sys

    if door.as_json or not sys.stderr.isatty():
        return None

    def tell(path: str, number: int, total: int) -> None:
        sys.stderr.write(f"\r\x1b[K{number}/{total} {path[:60]}" + ("\r\x1b[K" if number == total else ""))
        sys.stderr.flush()

    return tell
