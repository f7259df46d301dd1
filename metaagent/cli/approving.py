"""`metaagent approvals` and `metaagent approve`: plans that wait for a person, perhaps for another than the one who asked."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from metaagent.cli.options import AsJson, CompanyId, Config, DataDir
from metaagent.cli.protection import Roles
from metaagent.errors import Text

if TYPE_CHECKING:
    from metaagent.cli.asking import Door

Who = Annotated[str, typer.Option("--user", help="Who decides; it is on record.")]

_NONE = Text(en="No plan waits for you.", ko="승인을 기다리는 계획이 없습니다.")
_WAITS = Text(en="{session_id}  asked by {asked_by}, {since}", ko="{session_id}  질문자 {asked_by}, {since}")
_HOW = Text(
    en='Decide with: metaagent approve SESSION --reason "..." (--reject rejects it, --edit changes it)',
    ko='결정하려면: metaagent approve 세션 --reason "..." (거절은 --reject, 수정은 --edit)',
)
_EITHER = Text(en="Give either --reject or --edit, not both.", ko="--reject와 --edit 중 하나만 지정하세요.")
_DECIDED = Text(
    en="Your decision is on record. The question of session {session_id} is now: {status}.",
    ko="결정이 기록되었습니다. 세션 {session_id}의 질문 상태: {status}.",
)


def add_to(app: typer.Typer) -> None:
    app.command()(approvals)
    app.command()(approve)


def approvals(
    config: Config = None,
    data_dir: DataDir = None,
    user: Who = "owner",
    company: CompanyId = "local",
    role: Roles = None,
    as_json: AsJson = False,
) -> None:
    """Plans that wait for approval and that you may decide on."""
    from metaagent.cli.asking import Door

    raise typer.Exit(_list(Door(config, data_dir, user, company, as_json=as_json, roles=tuple(role or ()))))


def approve(
    session: Annotated[str, typer.Argument(help="The session whose plan waits.")],
    reason: Annotated[str, typer.Option("--reason", help="Why; it is on record.")] = "",
    reject: Annotated[bool, typer.Option("--reject", help="Reject the plan instead.")] = False,
    edit: Annotated[
        str,
        typer.Option(
            "--edit",
            help="Approve it with this change: `drop s2; set s1.limit=5; order s2 s1`.",
            show_default=False,
        ),
    ] = "",
    question: Annotated[
        str | None, typer.Option("--question", help="Which of several waiting questions.", show_default=False)
    ] = None,
    config: Config = None,
    data_dir: DataDir = None,
    user: Who = "owner",
    company: CompanyId = "local",
    role: Roles = None,
    as_json: AsJson = False,
) -> None:
    """Approve (or reject) a plan, your own or one that you may decide on; it then runs. The answer is for who asked."""
    from metaagent.cli.asking import Door

    door = Door(config, data_dir, user, company, as_json=as_json, roles=tuple(role or ()))
    if reject and edit:
        from metaagent.cli.asking import ui_language

        raise typer.BadParameter(_EITHER.say(ui_language()))
    raise typer.Exit(_decide(door, session, "reject" if reject else edit or "approve", reason, question))


def _list(door: Door) -> int:
    from metaagent.cli.asking import ANSWERED, print_json, run, ui_language
    from metaagent.cli.questions import plan_lines
    from metaagent.protection.escaping import for_terminal
    from metaagent.values import local_minute

    async def work() -> int:
        async with door.open() as app:
            found = await app.approvals(user=door.user)
        if door.as_json:
            print_json({"approvals": found})
            return ANSWERED
        language = ui_language()
        for one in found:
            since = local_minute(one["since"], app.settings.zone)
            lines = [_WAITS.say(language, **{**one, "since": since}), *plan_lines(one, language)]
            sys.stdout.write(for_terminal("\n".join(lines)) + "\n")
        if not found:
            sys.stdout.write(_NONE.say(language) + "\n")
        elif sys.stdout.isatty():
            sys.stderr.write(_HOW.say(language) + "\n")
        return ANSWERED

    return run(work, as_json=door.as_json)


def _decide(door: Door, session: str, decision: str, reason: str, question: str | None) -> int:
    from metaagent.cli.asking import ANSWERED, APPROVE, FAILED, print_json, run, ui_language
    from metaagent.inspection.report_svg import LABELS

    async def work() -> int:
        async with door.open() as app:
            status = await app.approve(session, decision, reason=reason, question_id=question, user=door.user)
        if door.as_json:
            print_json({"session_id": session, "decision": decision, "status": status})
        else:
            now = LABELS[status].say(ui_language())
            sys.stdout.write(_DECIDED.say(ui_language(), session_id=session, status=now) + "\n")
        return {"completed": ANSWERED, "waiting": APPROVE}.get(status, FAILED)

    return run(work, as_json=door.as_json)
