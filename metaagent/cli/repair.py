"""`metaagent repair`: keeps what is sound of a damaged data directory, and lists what is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from metaagent.cli.door import ANSWERED, FAILED, Door, Reply
from metaagent.cli.options import PLACE, command
from metaagent.cli.startup import ui_language
from metaagent.errors import Text

_SOUND = Text(
    en="Nothing was lost: {rows:,} rows and {files:,} files are sound.",
    ko="잃은 것이 없습니다. 행 {rows:,}개와 파일 {files:,}개가 온전합니다.",
)
_KEPT = Text(en="Kept: {rows:,} rows and {files:,} files.", ko="살린 것: 행 {rows:,}개, 파일 {files:,}개.")
_LOST = Text(en="Lost:", ko="잃은 것:")
_SESSION = Text(en="session {session}: {what}", ko="세션 {session}: {what}")
_TURN = Text(en="session {session}, turn {turn}: {what}", ko="세션 {session}, {turn}번 턴: {what}")
_SWAPPED = Text(
    en="{path} holds what is sound now. The damaged directory is in {kept}: keep it until you miss nothing.",
    ko="이제 {path}에는 온전한 것만 있습니다. 손상된 폴더는 {kept}에 있으니 빠진 것이 없는지 확인할 때까지 보관하세요.",
)
_WRITTEN = Text(
    en="What is sound is in {path}; {data} is as it was.",
    ko="온전한 것을 {path}에 썼습니다. {data}은(는) 그대로입니다.",
)
_CHECK = Text(
    en="Check it with: metaagent doctor --deep --data-dir {path}",
    ko="확인: metaagent doctor --deep --data-dir {path}",
)


def add_to(app: typer.Typer, panel: str) -> None:
    command(app, "repair", PLACE, panel=panel)(repair)


async def repair(
    door: Door,
    into: Annotated[
        Path | None,
        typer.Option(
            "--into",
            help="Write what is sound to this new folder instead, and leave all else alone.",
            show_default=False,
        ),
    ] = None,
) -> Reply:
    """Keep what is sound of a damaged data directory, and list what is lost by session and turn.

    A new directory is made beside it and takes its place; the damaged one is kept. A backup is the better
    remedy, if there is one: `metaagent restore`.

    Exit codes: 0 nothing was lost; 1 something was, and it is listed.
    """
    import asyncio
    from datetime import UTC, datetime

    from metaagent.maintenance.repair import repair as repaired
    from metaagent.sessions.key_ring import open_ring

    language, data = ui_language(), door.settings.data_dir
    ring = open_ring(door.settings) if (data / "keys.json").exists() else None
    done = await asyncio.to_thread(repaired, data, ring, now=datetime.now(UTC), into=into)
    content: dict[str, Any] = {
        "rows": done.rows,
        "files": done.files,
        "lost": [{**vars(loss), "text": loss.say(language)} for loss in done.lost],
        "kept_at": str(done.kept_at) if done.kept_at else None,
        "data_dir": str(into or data),
    }
    counts = {"rows": done.rows, "files": done.files}
    lines = [(_KEPT if done.lost else _SOUND).say(language, **counts)]
    if done.lost:
        lines += [_LOST.say(language), *(f"  - {_place(loss, language)}" for loss in done.lost)]
    if done.kept_at:
        lines.append(_SWAPPED.say(language, path=data, kept=done.kept_at))
    elif into is not None:
        lines.append(_WRITTEN.say(language, path=into, data=data))
    if done.kept_at or into is not None:
        lines.append(_CHECK.say(language, path=into or data))
    return Reply(content, lines, FAILED if done.lost else ANSWERED)


def _place(loss: Any, language: str) -> str:
    said = loss.say(language)
    if not loss.session:
        return said
    text = _TURN if loss.turn is not None else _SESSION
    return text.say(language, session=loss.session, turn=loss.turn, what=said)
