"""The work of the commands that keep whole sessions: they translate, `MetaAgent` decides."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from metaagent.cli.asking import ANSWERED, Door, print_json, run
from metaagent.cli.starting import ui_language
from metaagent.errors import InputRefused, StorageError, Text
from metaagent.runtime import MetaAgent, migrate_sessions
from metaagent.sessions.lifecycle import Migrated
from metaagent.storage.format_versions import Formats, read_formats
from metaagent.values import local_minute

MOST_BYTES = 200 * 1024 * 1024

_NONE_KEPT = Text(
    en="Nothing is kept yet: ask a first question.", ko="아직 남은 것이 없습니다. 먼저 질문하세요."
)
_TURN, _NAME, _MADE = (
    Text(en="Turn", ko="턴"),
    Text(en="Name", ko="이름"),
    Text(en="Made", ko="만든 시각"),
)
_SAVED = Text(en="Saved as {name}.", ko="{name}(으)로 저장했습니다.")
_AT_TURN = Text(en="turn {turn}", ko="{turn}번 턴")
_RESTORED = Text(
    en="Session {session} is back at {wanted}. {undone} later turns are marked as undone; they stay in its history.",
    ko="세션 {session}을(를) {wanted}(으)로 되돌렸습니다. 이후 턴 {undone}개는 취소됨으로 표시되어 기록에 남습니다.",
)
_MOVED = Text(en="Session {session} is at {wanted} now.", ko="세션 {session}이(가) 이제 {wanted}에 있습니다.")
_FORKED = Text(
    en="New session {new}, with {turns} turns. Go on with: metaagent ask --session {new} '...'",
    ko="새 세션 {new}(턴 {turns}개). 이어서 하려면: metaagent ask --session {new} '...'",
)
_EXPORTED = Text(en="Wrote {path} ({size} bytes, {how}).", ko="{path}에 저장했습니다({size}바이트, {how}).")
_HOW = {
    "redacted": Text(en="without personal data", ko="개인정보 제외"),
    "full": Text(
        en="everything, readable by whoever has the file: --passphrase-env seals it",
        ko="전체 내용, 파일을 가진 누구나 읽을 수 있음: --passphrase-env로 봉인할 수 있습니다",
    ),
    "sealed": Text(en="everything, sealed with the passphrase", ko="전체 내용, 암호로 봉인됨"),
}
_PRUNED = Text(
    en="Removed {checkpoints} checkpoints and {artifacts} artifacts of {sessions} sessions.",
    ko="세션 {sessions}개에서 체크포인트 {checkpoints}개와 산출물 {artifacts}개를 지웠습니다.",
)
_NO_VARIABLE = Text(
    en="The environment variable {name} is not set: put the passphrase there.",
    ko="환경 변수 {name}이(가) 없습니다. 암호를 그 변수에 넣으세요.",
)
_UNREADABLE = Text(
    en="{path} cannot be used: {problem}. Check the path and its permissions.",
    ko="{path}을(를) 쓸 수 없습니다: {problem}. 경로와 권한을 확인하세요.",
)
_FILE_TOO_LARGE = Text(
    en="{path} is larger than {most} bytes, which no session archive is.",
    ko="{path}이(가) {most}바이트보다 큽니다. 세션 보관 파일이 아닙니다.",
)
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


def _with_app(door: Door, work: Callable[[MetaAgent], Awaitable[tuple[dict[str, Any], str]]]) -> int:
    """Runs it, and prints what it gives back: as JSON or as a sentence."""

    async def go() -> int:
        async with door.open() as app:
            content, sentence = await work(app)
        if door.as_json:
            print_json(content)
        else:
            Console(highlight=False, soft_wrap=True).print(sentence, markup=False)
        return ANSWERED

    return run(go, as_json=door.as_json)


def list_checkpoints(door: Door, session: str) -> int:
    async def work() -> int:
        async with door.open() as app:
            found = await app.checkpoints(session, user=door.user)
        if door.as_json:
            print_json({"session_id": session, "checkpoints": [asdict(info) for info in found]})
        elif not found:
            Console().print(_NONE_KEPT.say(ui_language()))
        else:
            heads = [text.say(ui_language()) for text in (_TURN, _NAME, _MADE)]
            table = Table(*heads, "", box=None, header_style="dim", pad_edge=False)
            for info in found:
                mark = "●" if info.current else ""
                made = local_minute(info.created_at, app.settings.zone) if info.created_at else ""
                table.add_row(str(info.turn or ""), ", ".join(info.names), made, mark)
            Console(highlight=False).print(table)
        return ANSWERED

    return run(work, as_json=door.as_json)


def save_checkpoint(door: Door, session: str, name: str) -> int:
    async def work(app: MetaAgent) -> tuple[dict[str, Any], str]:
        checkpoint = await app.save_checkpoint(session, name, user=door.user)
        content = {"session_id": session, "name": name, "checkpoint_id": checkpoint}
        return content, _SAVED.say(ui_language(), name=name)

    return _with_app(door, work)


def restore_session(door: Door, session: str, turn: int | None, name: str | None, *, discard: bool) -> int:
    async def work(app: MetaAgent) -> tuple[dict[str, Any], str]:
        on_waiting = "discard" if discard else "refuse"
        undone = await app.restore(session, turn=turn, name=name, user=door.user, on_waiting=on_waiting)
        wanted = _AT_TURN.say(ui_language(), turn=turn) if name is None else name
        content = {"session_id": session, "turn": turn, "name": name, "undone": undone}
        said = _RESTORED if undone else _MOVED
        return content, said.say(ui_language(), session=session, wanted=wanted, undone=undone)

    return _with_app(door, work)


def fork_session(door: Door, session: str, turn: int | None, name: str | None) -> int:
    async def work(app: MetaAgent) -> tuple[dict[str, Any], str]:
        info = await app.fork(session, turn=turn, name=name, user=door.user)
        return vars(info), _FORKED.say(ui_language(), new=info.session_id, turns=info.turns)

    return _with_app(door, work)


def export_session(door: Door, session: str, output: Path, variable: str | None, *, full: bool) -> int:
    async def work(app: MetaAgent) -> tuple[dict[str, Any], str]:
        secret = _passphrase(variable)
        content = await app.export_session(session, full=full, passphrase=secret, user=door.user)
        _write_private(output, content)
        how = "sealed" if secret is not None else "full" if full else "redacted"
        told = {"path": str(output), "size": len(content), "how": _HOW[how].say(ui_language())}
        told_json = {"session_id": session, "path": str(output), "size": len(content), "content": how}
        return told_json, _EXPORTED.say(ui_language(), **told)

    return _with_app(door, work)


def import_session(door: Door, file: Path, variable: str | None) -> int:
    async def work(app: MetaAgent) -> tuple[dict[str, Any], str]:
        info = await app.import_session(_read(file), passphrase=_passphrase(variable), user=door.user)
        return vars(info), _FORKED.say(ui_language(), new=info.session_id, turns=info.turns)

    return _with_app(door, work)


def prune_sessions(door: Door, session: str | None) -> int:
    async def work(app: MetaAgent) -> tuple[dict[str, Any], str]:
        names = (
            [session]
            if session
            else [info.session_id for info in await app.sessions(user=door.user, limit=100_000)]
        )
        pruned = [await app.prune_session(name, user=door.user) for name in names]
        content = {
            "sessions": len(names),
            "checkpoints": sum(each.checkpoints for each in pruned),
            "artifacts": sum(each.artifacts for each in pruned),
        }
        return content, _PRUNED.say(ui_language(), **content)

    return _with_app(door, work)


def run_migrate(door: Door, *, dry_run: bool) -> int:
    async def work() -> int:
        settings = door.settings()
        found = read_formats(settings)
        done: Migrated | None = None
        if not dry_run and found.older:
            async with door.open() as app:
                done = await migrate_sessions(app)
        if door.as_json:
            print_json(
                {
                    **asdict(found),
                    "migrated": done.sessions if done else None,
                    "refused": list(done.refused) if done else [],
                }
            )
        else:
            _say_formats(found, str(settings.data_dir), done)
        return ANSWERED

    return run(work, as_json=door.as_json)


def _say_formats(found: Formats, path: str, done: Migrated | None) -> None:
    language, console = ui_language(), Console(highlight=False, soft_wrap=True)
    lines = [_FORMAT.say(language, **vars(each)) for each in found.formats if each.found < each.newest]
    if found.sessions:
        lines.append(_STATES.say(language, count=found.sessions, newest=found.schema))
    if done is not None:
        lines.append(_MIGRATED.say(language, count=done.sessions))
        lines += [_NOT_MIGRATED.say(language, problem=problem) for problem in done.refused]
    elif lines:
        lines.append(_BACKUP.say(language, path=path))
    for line in lines or [_UP_TO_DATE.say(language)]:
        console.print(line, markup=False)


def _passphrase(variable: str | None) -> str | None:
    if variable is None:
        return None
    if not os.environ.get(variable):
        raise InputRefused(_NO_VARIABLE, name=variable)
    return os.environ[variable]


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputRefused(_UNREADABLE, path=path, problem=error.strerror) from error
    if len(content) > MOST_BYTES:
        raise InputRefused(_FILE_TOO_LARGE, path=path, most=MOST_BYTES)
    return content


def _write_private(path: Path, content: bytes) -> None:
    """Only its owner may read it; whole or not at all."""
    partial = path.with_name(f".{path.name}.partial")
    try:
        partial.unlink(missing_ok=True)
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise StorageError(_UNREADABLE, path=path, problem=error.strerror) from error
