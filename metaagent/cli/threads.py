"""`metaagent threads`: checkpoints move between this saver's files and those of LangGraph's own SQLite saver."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from metaagent.cli.door import Door, Reply
from metaagent.cli.options import PERSON, PLACE, command
from metaagent.cli.startup import ui_language
from metaagent.errors import InputRefused, Text

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

SESSION = "session:"
Form = Literal["langgraph", "metaagent"]

_NO_FILE = Text(en="There is no file {path}.", ko="파일 {path}이(가) 없습니다.")
_NO_SAVER = Text(
    en="{path} holds no checkpoints of LangGraph's SQLite saver, nor of this one.",
    ko="{path}에는 LangGraph SQLite 저장기나 이 저장기의 체크포인트가 없습니다.",
)
_PLAIN = Text(
    en="The copy holds everything of the session in clear: say --plain if that is what you want.",
    ko="복사본에는 세션의 모든 내용이 평문으로 들어갑니다. 그렇게 하려면 --plain을 붙이세요.",
)
_COPIED = Text(
    en="Copied thread {thread}: {checkpoints} checkpoints, {writes} pending writes, into {target}.",
    ko="스레드 {thread}을(를) {target}에 복사했습니다: 체크포인트 {checkpoints}개, 대기 중인 쓰기 {writes}개.",
)
_NONE = Text(en="No thread yet.", ko="아직 스레드가 없습니다.")

threads_app = typer.Typer(
    no_args_is_help=True, help="Copy checkpoints to and from LangGraph's own SQLite saver."
)


@command(threads_app, "list", PLACE)
async def listed(door: Door, file: Annotated[Path, typer.Argument(help="A file of either saver.")]) -> Reply:
    """List the threads of a checkpoint file."""
    from metaagent.storage.checkpoints import threads_of

    async with _opened(file) as saver:
        threads = await threads_of(saver)
    lines = [f"{thread}  {count}" for thread, count in sorted(threads.items())]
    return Reply({"threads": threads}, lines or [_NONE.say(ui_language())])


@command(threads_app, "copy", PERSON)
async def copy(
    door: Door,
    source: Annotated[str, typer.Argument(help="A checkpoint file, or session:ID for one of yours.")],
    target: Annotated[
        Path, typer.Argument(help="The checkpoint file to copy into; made if it is not there.")
    ],
    thread: Annotated[
        str, typer.Option("--thread", help="The thread to copy; all of a file by default.")
    ] = "",
    new: Annotated[str, typer.Option("--new-name", help="Another name for the thread in the target.")] = "",
    form: Annotated[Form, typer.Option("--format", help="Whose saver a new target is for.")] = "langgraph",
    plain: Annotated[bool, typer.Option("--plain", help="A session is copied in clear.")] = False,
) -> Reply:
    """Copy threads from one checkpoint file into another; a session of yours with --plain."""
    from metaagent.storage.checkpoints import copy_thread, threads_of

    made: list[dict[str, Any]] = []
    async with AsyncExitStack() as stack:
        if source.startswith(SESSION):
            if not plain:
                raise InputRefused(_PLAIN)
            app = await stack.enter_async_context(door.open())
            into = await stack.enter_async_context(_opened(target, form))
            session = source.removeprefix(SESSION)
            done = await app.copy_thread(session, into, as_thread=new or None, user=door.user)
            made.append({"thread": new or session, **done._asdict()})
        else:
            from_file = await stack.enter_async_context(_opened(Path(source)))
            into = await stack.enter_async_context(_opened(target, form))
            for name in [thread] if thread else sorted(await threads_of(from_file)):
                copied = new if new and thread else name
                done = await copy_thread(from_file, into, name, as_thread=copied)
                made.append({"thread": copied, **done._asdict()})
    said = [_COPIED.say(ui_language(), target=target, **each) for each in made]
    return Reply({"copied": made, "target": str(target)}, said or [_NONE.say(ui_language())])


@asynccontextmanager
async def _opened(path: Path, form: Form | None = None) -> AsyncGenerator[BaseCheckpointSaver[Any]]:
    """Open a file with the saver that wrote it; a new one with the saver of this form."""
    found = _form_of(path, form)
    if found == "langgraph":
        from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

        async with AsyncSqliteSaver.from_conn_string(str(path)) as official:
            yield official
    else:
        from metaagent.storage.checkpoints import SqliteCheckpointSaver

        async with SqliteCheckpointSaver.open(path) as ours:
            yield ours


def _form_of(path: Path, new: Form | None) -> Form:
    import sqlite3

    if not path.exists() or path.stat().st_size == 0:
        if new is None:
            raise InputRefused(_NO_SAVER if path.exists() else _NO_FILE, path=path)
        return new
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    except sqlite3.DatabaseError as error:
        raise InputRefused(_NO_SAVER, path=path) from error
    if "checkpoints" not in tables:
        raise InputRefused(_NO_SAVER, path=path)
    return "metaagent" if "blobs" in tables else "langgraph"
