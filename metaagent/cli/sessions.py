"""`metaagent sessions`: look at past conversations, go back in them, copy, move and remove them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from metaagent.cli.door import FAILED, Door, Reply, confirmed, write_file
from metaagent.cli.options import Output, Session, Yes, command
from metaagent.cli.startup import ui_language
from metaagent.errors import InputRefused, Text, os_problem
from metaagent.inspection.labels import label

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from metaagent.ports import SessionInfo, Turn

MOST_BYTES = 200 * 1024 * 1024
NARROW = 66

_NO_SESSIONS = Text(
    en='No session yet. Begin with: metaagent ask "..."',
    ko='아직 세션이 없습니다. metaagent ask "..."로 시작하세요.',
)
_NOT_FOUND = Text(en="Nothing holds {text!r}.", ko="{text!r}이(가) 들어 있는 것을 찾지 못했습니다.")
_ROLES = {"user": Text(en="you", ko="질문"), "assistant": Text(en="metaagent", ko="답")}
_NO_TITLE = Text(en="(damaged, cannot be read)", ko="(손상되어 읽을 수 없음)")
_INTERRUPTED = Text(
    en="The last question was cut off. Finish it with: metaagent resume {session}{options} (or drop it: --discard)",
    ko="마지막 질문이 중간에 끊겼습니다. 마치려면: metaagent resume {session}{options} (버리려면 --discard)",
)
_SURE = Text(
    en="Delete session {session} with its {turns} turns and everything made in it? [y/N] ",
    ko="세션 {session}의 턴 {turns}개와 산출물을 모두 삭제할까요? [y/N] ",
)
_KEPT = Text(
    en="Nothing was deleted (--yes deletes without asking).",
    ko="삭제하지 않았습니다(--yes를 쓰면 묻지 않고 삭제합니다).",
)
_REMOVED = {
    "events": Text(en="{count} events", ko="이벤트 {count}개"),
    "artifacts": Text(en="{count} artifacts", ko="산출물 {count}개"),
    "messages": Text(en="{count} messages", ko="메시지 {count}개"),
    "turns": Text(en="{count} turns", ko="턴 {count}개"),
    "sessions": Text(en="{count} session", ko="세션 {count}개"),
}
_DELETED = Text(en="Deleted: {what}.", ko="삭제함: {what}.")
_WROTE = Text(en="Wrote {path} ({size}).", ko="{path}에 저장했습니다({size}).")
_NONE_KEPT = Text(
    en="Nothing is kept yet: ask a first question.", ko="아직 남은 것이 없습니다. 먼저 질문하세요."
)
_SAVED = Text(en="Saved as {name}.", ko="{name}(으)로 저장했습니다.")
_AT_TURN = Text(en="turn {turn}", ko="{turn}번 턴")
_RESTORED = Text(
    en="Session {session} is back at {wanted}. {undone} later turns are marked as undone; they stay in its history.",
    ko="세션 {session}을(를) {wanted}(으)로 되돌렸습니다. 이후 턴 {undone}개는 취소됨으로 표시되어 기록에 남습니다.",
)
_MOVED = Text(en="Session {session} is at {wanted} now.", ko="세션 {session}이(가) 이제 {wanted}에 있습니다.")
_FORKED = Text(
    en="New session {new}, with {turns} turns. Go on with: metaagent ask --session {new} '...'{options}",
    ko="새 세션 {new}(턴 {turns}개). 이어서 하려면: metaagent ask --session {new} '...'{options}",
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
_RENAMED = Text(en="Session {session} is called {title} now.", ko="세션 {session}의 제목: {title}")
_PINNED = Text(en="Pinned.", ko="고정했습니다.")
_UNPINNED = Text(en="No longer pinned.", ko="고정을 풀었습니다.")
_READERS = Text(en="May be read by: {people}.", ko="읽을 수 있는 사람: {people}")
_NO_READERS = Text(en="Nobody else may read it.", ko="다른 사람은 읽을 수 없습니다.")
_EVERYBODY = Text(en="everybody of the company", ko="회사 전체")
_SHARED_BY = Text(en="{title} (of {person})", ko="{title} ({person})")
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

sessions_app = typer.Typer(
    no_args_is_help=True, help="Look at, go back in, copy or remove past conversations."
)

LOOK, MARK, BACK, MOVE = "Look", "Name, pin and share", "Go back", "Copy, move and remove"
OfTurn = Annotated[
    int | None, typer.Option("--turn", min=1, help="The turn; the last if not given.", show_default=False)
]
AtTurn = Annotated[
    int | None, typer.Option("--turn", min=1, help="The end of this turn.", show_default=False)
]
AtName = Annotated[
    str | None, typer.Option("--name", help="What was saved under this name.", show_default=False)
]
Find = Annotated[str | None, typer.Option("--find", help="Only what holds this text.", show_default=False)]
Passphrase = Annotated[
    str | None,
    typer.Option(
        "--passphrase-env",
        metavar="VARIABLE",
        help="Environment variable that holds the passphrase.",
        show_default=False,
    ),
]


@command(sessions_app, "list", panel=LOOK)
async def list_(
    door: Door,
    limit: Annotated[int, typer.Option(help="How many, the most recent first.")] = 20,
    find: Find = None,
    of: Annotated[
        Literal["mine", "pinned", "shared"],
        typer.Option("--of", help="Yours, those that you pinned, or those that colleagues share with you."),
    ] = "mine",
) -> Reply:
    """List your sessions, the most recent first; with --find those whose title holds a text."""
    if of != "mine":
        return await _marked(door, of, limit)
    async with door.look() as app:
        found = (
            await app.sessions(user=door.user, limit=limit)
            if find is None
            else await app.search_sessions(find, user=door.user, limit=limit)
        )
    content = {"sessions": [vars(info) for info in found]}
    if not found:
        return Reply(content, [(_NOT_FOUND if find else _NO_SESSIONS).say(ui_language(), text=find)])
    return Reply(content, [_sessions_table(found, app.settings.zone)])


async def _marked(door: Door, of: str, limit: int) -> Reply:
    """The pinned sessions, or those of colleagues."""
    async with door.open_to_read() as app:
        found = await (
            app.pinned_sessions(user=door.user)
            if of == "pinned"
            else app.shared_sessions(limit=limit, user=door.user)
        )
    named = [
        replace(info, title=_SHARED_BY.say(ui_language(), title=info.title, person=info.shared_by))
        if info.shared_by
        else info
        for info in found[:limit]
    ]
    lines = [_sessions_table(named, app.settings.zone)] if named else []
    return Reply({"sessions": [vars(info) for info in found[:limit]]}, lines)


def _sessions_table(found: Sequence[SessionInfo], zone: ZoneInfo) -> Any:
    from rich.cells import cell_len
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text as RichText

    from metaagent.protection.escaping import for_terminal
    from metaagent.values import clip, local_minute

    language, width = ui_language(), Console().width
    rows = [
        (i.session_id, local_minute(i.updated_at, zone), str(i.turns), label(i.status, language))
        for i in found
    ]
    heads = [label(name, language) for name in ("session", "updated", "turns", "status", "title")]
    if width < NARROW:  # the session, its state and its title are what one needs
        heads, rows = [heads[0], *heads[3:]], [(row[0], row[3]) for row in rows]
    taken = sum(max(map(cell_len, column)) + 2 for column in zip(heads, *rows, strict=False))
    columns = (Column(head, no_wrap=True) for head in heads)
    table = Table(*columns, box=None, header_style="dim", pad_edge=False)
    for row, info in zip(rows, found, strict=True):
        # Cut here: left to the table, Korean titles lose characters where they wrap.
        title = for_terminal(info.title) or _NO_TITLE.say(language)
        table.add_row(*row, RichText(clip(title, max(8, width - taken))))
    return table


@command(sessions_app, "show", panel=LOOK)
async def show(
    door: Door,
    session: Session,
    turn: OfTurn = None,
    field: Annotated[
        str | None,
        typer.Option(
            "--field", help="How this field of the state changed, e.g. `planning_state.plan_version`."
        ),
    ] = None,
    diff: Annotated[
        tuple[int, int] | None,
        typer.Option("--diff", metavar="A B", help="What differs between the states after turns A and B."),
    ] = None,
    find: Find = None,
) -> Reply:
    """Show the conversation of a session; with --turn, --field or --diff, a look inside."""
    if turn is not None or field is not None or diff is not None:
        from metaagent.cli.show_turn import show_inside

        return await show_inside(door, session, turn, field, diff)
    if find is not None:
        return await _found_in(door, session, find)
    async with door.look() as app:
        info = await app.session(session, user=door.user)
        turns = list(reversed(await app.turns(session, user=door.user)))
    lines = [line for each in turns for line in _turn_lines(each, info, app.settings.zone, door)]
    if info.status == "interrupted":
        lines.append(_INTERRUPTED.say(ui_language(), session=session, options=door.options))
    return Reply({"session_id": session, "turns": [_turn_content(each) for each in turns]}, lines)


def _turn_content(turn: Turn) -> dict[str, Any]:
    own = ("turn_id", "number", "status", "question", "started_at", "ended_at")
    of_outcome = ("answer", "steps", "artifacts", "confidence", "errors", "warnings")
    return {
        **{name: getattr(turn, name) for name in own},
        **{name: turn.outcome.get(name) for name in of_outcome},
    }


def _turn_lines(turn: Turn, info: SessionInfo, zone: ZoneInfo, door: Door) -> Iterator[Any]:
    from rich.text import Text as RichText

    from metaagent.cli.questions import asked, how_to_answer
    from metaagent.protection.escaping import for_terminal
    from metaagent.values import local_minute

    language = ui_language()
    status = label(info.status if turn.number == info.turns else turn.status, language)
    head = f"{turn.number}. {for_terminal(turn.question)} "
    yield RichText.assemble((head, "bold"), (f"{local_minute(turn.started_at, zone)} {status}", "dim"))
    for step in turn.outcome.get("steps") or ():
        said = f"   {step['step_id']} {step['agent_name']}: {label(step['status'], language)}"
        yield RichText(said, "dim")
    for problem in turn.outcome.get("errors") or () if not turn.question else ():
        said = problem.get("message_ko" if language == "ko" else "message") or problem["message"]
        yield RichText(f"✗ {said}", "red")
    if turn.outcome.get("answer"):
        yield turn.outcome["answer"]
    if turn.waiting:
        yield from asked(turn.waiting, language)
        yield from how_to_answer(
            turn.waiting, info.session_id, door.options, door.options_of_others, language
        )


async def _found_in(door: Door, session: str, text: str) -> Reply:
    """The messages of a session that hold the text, the newest first."""
    from rich.text import Text as RichText

    from metaagent.values import local_minute

    async with door.look() as app:
        found = await app.search_history(session, text, user=door.user)
    lines: list[Any] = []
    for one in found:
        at, who = local_minute(one["created_at"], app.settings.zone), _ROLES[one["role"]]
        head = RichText.assemble((str(one["turn"]), "bold"), (f" {at} {who.say(ui_language())}", "dim"))
        lines += [head, one["content"]]
    content = {"session_id": session, "found": found}
    return Reply(content, lines or [_NOT_FOUND.say(ui_language(), text=text)])


@command(sessions_app, "report", panel=LOOK)
async def report(door: Door, session: Session, turn: OfTurn = None, output: Output = None) -> Reply:
    """Write one turn as an HTML page for a bug report, without personal data."""
    from metaagent import __version__
    from metaagent.inspection.report import render_report
    from metaagent.monitor import say_bytes

    async with door.open_to_read() as app:
        picture = await (await app.inspect(session, user=door.user)).picture(turn)
    page = render_report(picture, version=__version__).encode()
    path = output or Path(f"metaagent-{session}-{picture.turn.number}.html")
    write_file(path, page)
    content = {
        "session_id": session,
        "turn": picture.turn.number,
        "path": str(path.absolute()),
        "bytes": len(page),
    }
    return Reply(content, [_WROTE.say(ui_language(), path=path, size=say_bytes(len(page)))])


@command(sessions_app, "rename", panel=MARK)
async def rename(
    door: Door, session: Session, title: Annotated[str, typer.Argument(help="1 to 200 characters.")]
) -> Reply:
    """Give a session another title."""
    async with door.open() as app:
        info = await app.rename_session(session, title, user=door.user)
    return Reply(vars(info), [_RENAMED.say(ui_language(), session=session, title=info.title)])


@command(sessions_app, "pin", panel=MARK)
async def pin(
    door: Door, session: Session, off: Annotated[bool, typer.Option("--off", help="No longer.")] = False
) -> Reply:
    """Pin a session: `sessions list --of pinned` and the page's list begin with it."""
    async with door.open() as app:
        await app.pin_session(session, pinned=not off, user=door.user)
    return Reply(
        {"session_id": session, "pinned": not off}, [(_UNPINNED if off else _PINNED).say(ui_language())]
    )


@command(sessions_app, "share", panel=MARK)
async def share(
    door: Door,
    session: Session,
    person: Annotated[
        str | None,
        typer.Option("--with", metavar="NAME", help="A colleague; everybody of the company if not given."),
    ] = None,
    off: Annotated[bool, typer.Option("--off", help="No longer.")] = False,
    show: Annotated[bool, typer.Option("--show", help="Change nothing, say who may read it.")] = False,
) -> Reply:
    """Let colleagues read a session. They need no smaller rights to data than you have."""
    async with door.open() as app:
        if show:
            found = await app.session_shares(session, user=door.user)
        else:
            change = app.unshare_session if off else app.share_session
            found = await change(session, person, user=door.user)
    language = ui_language()
    people = [each["person"] or _EVERYBODY.say(language) for each in found]
    said = _READERS.say(language, people=", ".join(people)) if people else _NO_READERS.say(language)
    return Reply({"session_id": session, "shares": found}, [said])


@command(sessions_app, "checkpoints", panel=BACK)
async def checkpoints(door: Door, session: Session) -> Reply:
    """List where a session can be restored to or forked from."""
    from rich.table import Table

    from metaagent.values import local_minute

    async with door.open() as app:
        found = await app.checkpoints(session, user=door.user)
    content = {"session_id": session, "checkpoints": [asdict(info) for info in found]}
    if not found:
        return Reply(content, [_NONE_KEPT.say(ui_language())])
    heads = [label(name, ui_language()) for name in ("turn", "name", "made")]
    table = Table(*heads, "", box=None, header_style="dim", pad_edge=False)
    for info in found:
        made = local_minute(info.created_at, app.settings.zone) if info.created_at else ""
        table.add_row(str(info.turn or ""), ", ".join(info.names), made, "●" if info.current else "")
    return Reply(content, [table])


@command(sessions_app, "save", panel=BACK)
async def save(
    door: Door, session: Session, name: Annotated[str, typer.Argument(help="Letters, digits, '-' and '_'.")]
) -> Reply:
    """Give the session's present checkpoint a name, which keeps it for good."""
    async with door.open() as app:
        checkpoint = await app.save_checkpoint(session, name, user=door.user)
    content = {"session_id": session, "name": name, "checkpoint_id": checkpoint}
    return Reply(content, [_SAVED.say(ui_language(), name=name)])


@command(sessions_app, "restore", panel=BACK)
async def restore(
    door: Door,
    session: Session,
    turn: AtTurn = None,
    name: AtName = None,
    discard: Annotated[
        bool, typer.Option("--discard", help="Drop the session's question that still waits for an answer.")
    ] = False,
) -> Reply:
    """Go back to an earlier turn. Later ones stay in the history, marked as undone."""
    on_waiting: Literal["refuse", "discard"] = "discard" if discard else "refuse"
    async with door.open() as app:
        undone = await app.restore(session, turn=turn, name=name, user=door.user, on_waiting=on_waiting)
    wanted = _AT_TURN.say(ui_language(), turn=turn) if name is None else name
    said = (_RESTORED if undone else _MOVED).say(ui_language(), session=session, wanted=wanted, undone=undone)
    return Reply({"session_id": session, "turn": turn, "name": name, "undone": undone}, [said])


@command(sessions_app, "fork", panel=BACK)
async def fork(door: Door, session: Session, turn: AtTurn = None, name: AtName = None) -> Reply:
    """Continue from an earlier turn as a new session; this one stays as it is."""
    async with door.open() as app:
        return _new_session(await app.fork(session, turn=turn, name=name, user=door.user), door)


def _new_session(info: SessionInfo, door: Door) -> Reply:
    params = {"new": info.session_id, "turns": info.turns, "options": door.options}
    return Reply(vars(info), [_FORKED.say(ui_language(), **params)])


@command(sessions_app, "export", panel=MOVE)
async def export(
    door: Door,
    session: Session,
    output: Annotated[Path, typer.Option("-o", "--output", help="The file to write.")],
    full: Annotated[
        bool, typer.Option("--full", help="With personal data and every artifact, for yourself.")
    ] = False,
    passphrase: Passphrase = None,
) -> Reply:
    """Write a session with its turns, events, artifacts and state to one file.

    Without --full, personal data is taken out, and so is what cannot be looked into.
    """
    async with door.open() as app:
        secret = _secret(passphrase)
        archive = await app.export_session(session, full=full, passphrase=secret, user=door.user)
    write_file(output, archive)
    how = "sealed" if secret is not None else "full" if full else "redacted"
    content = {"session_id": session, "path": str(output), "size": len(archive), "content": how}
    said = _EXPORTED.say(ui_language(), path=output, size=len(archive), how=_HOW[how].say(ui_language()))
    return Reply(content, [said])


@command(sessions_app, "import", panel=MOVE)
async def import_(
    door: Door,
    file: Annotated[Path, typer.Argument(help="What `sessions export` wrote.")],
    passphrase: Passphrase = None,
) -> Reply:
    """Take an exported session in as a new one of yours."""
    async with door.open() as app:
        archive = _archive(file)
        info = await app.import_session(archive, passphrase=_secret(passphrase), user=door.user)
    return _new_session(info, door)


def _secret(variable: str | None) -> str | None:
    if variable is None:
        return None
    if not os.environ.get(variable):
        raise InputRefused(_NO_VARIABLE, name=variable)
    return os.environ[variable]


def _archive(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputRefused(_UNREADABLE, path=path, problem=os_problem(error)) from error
    if len(content) > MOST_BYTES:
        raise InputRefused(_FILE_TOO_LARGE, path=path, most=MOST_BYTES)
    return content


@command(sessions_app, "prune", panel=MOVE)
async def prune(
    door: Door,
    session: Annotated[
        str | None, typer.Argument(help="The session; all of yours if not given.", show_default=False)
    ] = None,
) -> Reply:
    """Remove checkpoints beyond the retention and artifacts that nothing kept refers to."""
    async with door.open() as app:
        all_of_them = [] if session else await app.sessions(user=door.user, limit=100_000)
        names = [session] if session else [info.session_id for info in all_of_them]
        pruned = [await app.prune_session(name, user=door.user) for name in names]
    content = {
        "sessions": len(names),
        "checkpoints": sum(each.checkpoints for each in pruned),
        "artifacts": sum(each.artifacts for each in pruned),
    }
    return Reply(content, [_PRUNED.say(ui_language(), **content)])


@command(sessions_app, "delete", panel=MOVE)
async def delete(door: Door, session: Session, yes: Yes = False) -> Reply:
    """Remove a session and everything that belongs to it."""
    language = ui_language()
    async with door.open() as app:
        info = await app.session(session, user=door.user)
        if not yes and not confirmed(_SURE.say(language, session=session, turns=info.turns)):
            return Reply({"removed": {}}, [_KEPT.say(language)], FAILED)
        removed = await app.delete_session(session, user=door.user)
    what = ", ".join(_REMOVED[name].say(language, count=count) for name, count in removed.items() if count)
    return Reply({"removed": removed}, [_DELETED.say(language, what=what)])
