"""`metaagent approvals` and `metaagent approve`: plans that wait for a person, perhaps for another than the one who asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from metaagent.cli.ask import Which
from metaagent.cli.door import ANSWERED, APPROVE, FAILED, USAGE, Door, Reply
from metaagent.cli.options import COMPANY, CONFIG, DATA_DIR, DECIDER, JSON, ROLES, Session, command
from metaagent.cli.startup import ui_language
from metaagent.errors import InputRefused, Text

if TYPE_CHECKING:
    from metaagent.runtime import MetaAgent

_SHARED = (CONFIG, DATA_DIR, DECIDER, COMPANY, ROLES, JSON)

_NONE = Text(en="No plan waits for you.", ko="승인을 기다리는 계획이 없습니다.")
_WAITS = Text(
    en="{session_id}  {asked_by} asked on {since}: {asked}",
    ko="{session_id}  {asked_by} 질문({since}): {asked}",
)
_EITHER = Text(en="Give either --reject or --edit, not both.", ko="--reject와 --edit 중 하나만 지정하세요.")
_DECIDED = {
    "refused": Text(
        en="Nothing was decided; the plan waits as it was. {problem}",
        ko="결정하지 않았습니다. 계획은 그대로 기다립니다. {problem}",
    ),
    "rejected": Text(
        en="Rejected: nothing was run. {asked_by} sees your reason in session {session_id}.",
        ko="거절했습니다. 아무것도 실행하지 않았습니다. {asked_by} 님이 세션 {session_id}에서 이유를 볼 수 있습니다.",
    ),
    "completed": Text(
        en="Approved, and the plan has run. The answer is for {asked_by}, in session {session_id}.",
        ko="승인했고, 계획을 실행했습니다. 답은 {asked_by} 님이 세션 {session_id}에서 볼 수 있습니다.",
    ),
    "overridden": Text(
        en="Let through, and the turn went on. The answer is for {asked_by}, in session {session_id}.",
        ko="통과시켰고 질문을 계속 처리했습니다. 답은 {asked_by} 님이 세션 {session_id}에서 볼 수 있습니다.",
    ),
    "waiting": Text(
        en="Your decision is on record. Session {session_id} waits again: {problem}",
        ko="결정이 기록되었습니다. 세션 {session_id}이(가) 다시 기다립니다: {problem}",
    ),
    "waiting_for_another": Text(
        en="Your decision is on record. Session {session_id} waits again, for something that others decide or answer.",
        ko="결정이 기록되었습니다. 세션 {session_id}이(가) 다른 사람의 결정이나 답을 다시 기다립니다.",
    ),
    "failed": Text(
        en="Approved, but the plan of session {session_id} did not succeed. {asked_by} sees why.",
        ko="승인했지만 세션 {session_id}의 계획이 성공하지 못했습니다. 이유는 {asked_by} 님이 볼 수 있습니다.",
    ),
}
_BLOCKED = Text(
    en="{session_id}  a check holds back what {asked_by} asked for on {since}:",
    ko="{session_id}  {asked_by} 님의 질문({since})이 규정 확인에서 막혔습니다:",
)
_CODES = {
    "completed": ANSWERED,
    "overridden": ANSWERED,
    "rejected": ANSWERED,
    "refused": USAGE,
    "waiting": APPROVE,
    "waiting_for_another": APPROVE,
}


def add_to(app: typer.Typer, panel: str) -> None:
    command(app, "approvals", _SHARED, panel=panel)(approvals)
    command(app, "approve", _SHARED, panel=panel)(approve)


async def approvals(door: Door) -> Reply:
    """List what waits and what you may decide on.

    Plans, each with who asked what, what would be done with which inputs, and how risky it is; and what a check holds
    back, with its findings.
    """
    from metaagent.cli.questions import finding_lines, how_to_decide, how_to_override, plan_lines
    from metaagent.values import local_minute

    async with door.open() as app:
        found = await app.approvals(user=door.user)
    language, lines = ui_language(), list[str]()
    for one in found:
        since = local_minute(one["since"], app.settings.zone)
        if one["kind"] == "override":
            lines += [_BLOCKED.say(language, **{**one, "since": since}), *finding_lines(one, language)]
            lines += [*how_to_override(one, one["session_id"], door.options, language), ""]
            continue
        lines += [_WAITS.say(language, **{**one, "since": since}), *plan_lines(one, language)]
        lines += [*how_to_decide(one, one["session_id"], door.options, language), ""]
    return Reply({"approvals": found}, lines[:-1] or [_NONE.say(language)])


async def approve(
    door: Door,
    session: Session,
    reason: Annotated[str, typer.Option("--reason", help="Why; it is on record.")] = "",
    reject: Annotated[bool, typer.Option("--reject", help="Reject the plan instead.")] = False,
    edit: Annotated[
        str,
        typer.Option(
            "--edit",
            help="Approve it with this change: `drop s2; set s1.limit=5; order s2 s1; show s3`.",
            show_default=False,
        ),
    ] = "",
    question: Which = None,
) -> Reply | int:
    """Approve, change or reject a plan that waits, or let through or keep back what a check has blocked.

    Your own plan then shows its answer; another's is for the one who asked. What a check blocks needs the role
    compliance_officer, another person than the one who asked, and a reason.

    Exit codes: 0 decided, and an approved plan succeeded; 1 it did not; 2 the edit does not fit; 4 it waits again.
    """
    if reject and edit:
        raise InputRefused(_EITHER)
    decision = "reject" if reject else edit or "approve"
    async with door.open() as app:
        before = await _waiting(app, door, session, question) or {}
        if before.get("kind") == "override":
            return await _override(app, door, before, decision, reason)
        if before.get("asked_by") == door.user.user_id:
            return await _decide_own(app, door, before, decision, reason)
        status = await app.approve(session, decision, reason=reason, question_id=question, user=door.user)
        after = await _waiting(app, door, session, None) or {}
    if reject and status == "completed":
        status = "rejected"
    elif status == "waiting" and _is_refused(before, after):
        status = "refused"
    elif status == "waiting" and not after:
        status = "waiting_for_another"
    said = _DECIDED.get(status, _DECIDED["failed"]).say(
        ui_language(), **before, problem=" ".join(after.get("problems", ()))
    )
    told = "waiting" if status == "waiting_for_another" else status
    content = {"session_id": session, "decision": decision, "status": told}
    return Reply({**content, "problems": after.get("problems", [])}, [said], _CODES.get(status, FAILED))


async def _decide_own(app: MetaAgent, door: Door, plan: dict[str, Any], decision: str, reason: str) -> int:
    """Decide on one's own plan and show the turn to its end. A rejection that was meant is a success."""
    from metaagent.cli.follow import exit_code, follow

    events = app.stream_resume(
        plan["session_id"], decision, question_id=plan["id"], reason=reason, user=door.user
    )
    answer = await follow(app, door, events)
    if _is_refused(plan, answer.content.get("approval") or {}):
        return USAGE
    return ANSWERED if decision == "reject" and answer.status == "completed" else exit_code(answer)


async def _override(app: MetaAgent, door: Door, gate: dict[str, Any], decision: str, reason: str) -> Reply:
    session = gate["session_id"]
    status = await app.override(session, decision, reason=reason, question_id=gate["id"], user=door.user)
    if status == "completed":
        status = "rejected" if decision == "reject" else "overridden"
    said = _DECIDED.get(status, _DECIDED["failed"]).say(ui_language(), **gate, problem="")
    content = {"session_id": session, "decision": decision, "status": status, "problems": []}
    return Reply(content, [said], _CODES.get(status, FAILED))


async def _waiting(app: MetaAgent, door: Door, session: str, question: str | None) -> dict[str, Any] | None:
    found = [one for one in await app.approvals(user=door.user) if one["session_id"] == session]
    named = [one for one in found if question in (None, one["id"], one.get("step_id"))]
    return next(iter(named), None)


def _is_refused(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Tell if the same plan still waits: the decision did not fit it, and nothing was changed."""
    return bool(after.get("problems")) and before.get("plan_hash") == after.get("plan_hash")
