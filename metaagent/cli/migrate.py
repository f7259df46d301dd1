"""`metaagent migrate`: brings the data of an earlier version to this one's formats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from metaagent.cli.door import Door, Reply
from metaagent.cli.options import PLACE, command
from metaagent.cli.startup import ui_language
from metaagent.errors import Text

if TYPE_CHECKING:
    from metaagent.sessions.lifecycle import Migrated
    from metaagent.storage.format_versions import Formats

_UP_TO_DATE = Text(en="Everything is in this version's formats.", ko="모두 이 버전의 형식입니다.")
_FORMAT = Text(en="{what}: format {found} → {newest}", ko="{what}: 형식 {found} → {newest}")
_STATES = Text(
    en="sessions with an older state: {count} → schema {newest}",
    ko="이전 상태의 세션: {count}개 → 스키마 {newest}",
)
_BACKUP = Text(
    en="Copy {path} to a safe place before you migrate: an older metaagent cannot read it afterwards.",
    ko="옮기기 전에 {path}을(를) 안전한 곳에 복사하세요. 이후에는 이전 버전의 metaagent가 읽을 수 없습니다.",
)
_NOT_MIGRATED = Text(
    en="Left as it is, because its newest state cannot be read: {problem}",
    ko="가장 새로운 상태를 읽을 수 없어 그대로 둔 세션: {problem}",
)
_MIGRATED = Text(
    en="Done. {count} sessions were rewritten; the others are when they go on.",
    ko="완료했습니다. 세션 {count}개를 다시 썼고, 나머지는 이어질 때 바뀝니다.",
)


def add_to(app: typer.Typer, panel: str) -> None:
    command(app, "migrate", PLACE, panel=panel)(migrate)


async def migrate(
    door: Door,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would change.")] = False,
) -> Reply:
    """Bring what an earlier version wrote to this one's formats."""
    from metaagent.runtime import migrate_sessions
    from metaagent.storage.format_versions import read_formats

    found = read_formats(door.settings)
    done: Migrated | None = None
    if not dry_run and found.older:
        async with door.open() as app:
            done = await migrate_sessions(app)
    content = {
        **asdict(found),
        "migrated": done.sessions if done else None,
        "refused": list(done.refused) if done else [],
    }
    lines = [*_lines(found, str(door.settings.data_dir), done)]
    return Reply(content, lines or [_UP_TO_DATE.say(ui_language())])


def _lines(found: Formats, path: str, done: Migrated | None) -> Iterator[str]:
    language = ui_language()
    for each in found.formats:
        if each.found < each.newest:
            yield _FORMAT.say(language, **vars(each))
    if found.sessions:
        yield _STATES.say(language, count=found.sessions, newest=found.schema)
    if done is not None:
        yield _MIGRATED.say(language, count=done.sessions)
        yield from (_NOT_MIGRATED.say(language, problem=problem) for problem in done.refused)
    elif found.older:
        yield _BACKUP.say(language, path=path)
