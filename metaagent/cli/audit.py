"""`metaagent audit`: read, verify and export the audit trail."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from metaagent.cli.door import ANSWERED, FAILED, Door, Reply, write_file
from metaagent.cli.options import OFFICER, Reveal, Session, command
from metaagent.cli.startup import ui_language
from metaagent.errors import Text

_VERIFIED = Text(
    en="VERIFIED: {entries} entries ({first}–{last}), signed up to {signed}.",
    ko="검증됨: 항목 {entries}개({first}–{last}), {signed}까지 서명됨.",
)
_NOT_VERIFIED = Text(en="NOT VERIFIED.", ko="검증되지 않았습니다.")
_EARLIER = Text(
    en="These are the newest {count}; earlier ones: --before {seq}, or a higher --limit.",
    ko="최근 항목 {count}개입니다. 이전 항목은 --before {seq}(으)로 보거나 --limit을 늘리세요.",
)
_LATER = Text(
    en="There are more; go on with --after {seq}.",
    ko="항목이 더 있습니다. --after {seq}(으)로 이어서 보세요.",
)
_EXPORTED = Text(en="{count} entries written to {path}.", ko="항목 {count}개를 {path}에 썼습니다.")

audit_app = typer.Typer(no_args_is_help=True, help="Read, verify and export the audit trail.")


def _filter(flag: str, text: str) -> Any:
    return typer.Option(flag, help=text, show_default=False)


@command(audit_app, "list", OFFICER)
async def list_(
    door: Door,
    session: Annotated[str | None, _filter("--session", "Of this session.")] = None,
    event: Annotated[str | None, _filter("--event", "Of this kind, e.g. plan.approved.")] = None,
    actor: Annotated[str | None, _filter("--actor", "By this alias.")] = None,
    person: Annotated[str | None, _filter("--person", "By this person (needs audit.reveal).")] = None,
    rule: Annotated[
        str | None, _filter("--rule", "In which this rule found something (needs audit.reveal).")
    ] = None,
    since: Annotated[str | None, _filter("--since", "From this time on (ISO).")] = None,
    until: Annotated[str | None, _filter("--until", "Before this time (ISO).")] = None,
    find: Annotated[
        str | None, _filter("--find", "That hold this text: the hash of an artifact or a plan, an agent.")
    ] = None,
    before: Annotated[int | None, _filter("--before", "Those before this entry.")] = None,
    after: Annotated[int, typer.Option(help="Those after this entry, from there on.")] = 0,
    limit: Annotated[int, typer.Option(min=1, help="How many at most.")] = 100,
) -> Reply:
    """List the newest entries, in order, one a line, and say if there are more. Looking is on record too."""
    from metaagent.audit.store import Where

    where = Where(
        session=session, event=event, actor=actor, since=since, until=until, after=after, before=before
    )
    async with door.open() as app:
        found = await app.governance.audit_list(
            where, text=find, person=person, rule=rule, limit=limit + 1, user=door.user
        )
    shown, more = (found[:limit] if after else found[-limit:]), len(found) > limit
    lines = [_line(entry) for entry in shown]
    if more:
        place = shown[-1]["seq"] if after else shown[0]["seq"]
        lines.append((_LATER if after else _EARLIER).say(ui_language(), count=len(shown), seq=place))
    return Reply({"entries": shown, "more": more}, lines)


def _line(entry: dict[str, Any]) -> str:
    place = " ".join(str(entry[name]) for name in ("session", "turn", "agent") if entry[name])
    what = f"{entry['actor']} {entry['event']} {entry['outcome'] or '-'} {place}"
    return f"{entry['seq']:>6} {entry['ts']} {what}"


@command(audit_app, "show", OFFICER)
async def show(
    door: Door, seq: Annotated[int, typer.Argument(help="The entry's number.")], reveal: Reveal = False
) -> Reply:
    """Show one entry, whole."""
    import json

    async with door.open() as app:
        entry = await app.governance.audit_show(seq, reveal=reveal, user=door.user)
    return Reply(entry, [json.dumps(entry, ensure_ascii=False, indent=2)])


@command(audit_app, "verify", OFFICER)
async def verify(
    door: Door,
    anchor: Annotated[Path | None, _filter("--anchor", "Signed notes that you kept.")] = None,
    key: Annotated[Path | None, _filter("--key", "Public keys (PEM) that you kept.")] = None,
) -> Reply:
    """Check every entry and signature; says where something is wrong. Exit code 1 if anything is."""
    async with door.open_to_read() as app:
        checked = await app.governance.audit_verify(anchor=anchor, public_keys=key, user=door.user)
    language = ui_language()
    range_ = {"first": checked.first, "last": checked.last, "signed": checked.signed}
    findings = [{**finding._asdict(), "text": finding.say(language)} for finding in checked.findings]
    if checked.ok:
        lines = [_VERIFIED.say(language, entries=checked.entries, **range_)]
    else:
        lines = [*(finding["text"] for finding in findings), _NOT_VERIFIED.say(language)]
    content = {"verified": checked.ok, **range_, "findings": findings}
    return Reply(content, lines, ANSWERED if checked.ok else FAILED)


@command(audit_app, "export", OFFICER)
async def export(
    door: Door,
    output: Annotated[Path, typer.Option("-o", "--output", help="The file to write.")],
    form: Annotated[
        Literal["jsonl", "csv"], typer.Option("--format", help="jsonl can be verified, csv read.")
    ] = "jsonl",
) -> Reply:
    """Write the whole trail into a file, for `python -m metaagent.audit.verifier` or a spreadsheet."""
    import io

    text, raw = io.StringIO(newline=""), io.BytesIO()
    async with door.open() as app:
        into = text if form == "csv" else raw
        count = await app.governance.audit_export(into, form=form, user=door.user)
    write_file(output, text.getvalue().encode() or raw.getvalue())
    said = _EXPORTED.say(ui_language(), count=count, path=output)
    return Reply({"path": str(output), "entries": count}, [said])


@command(audit_app, "report", OFFICER)
async def report(door: Door, session: Session, reveal: Reveal = False) -> Reply:
    """Tell what happened in a session: who asked what, what was done, by which rule, with which data (whole hashes: --json)."""
    from metaagent.audit.report import shortened

    async with door.open() as app:
        lines = await app.governance.audit_report(
            session, reveal=reveal, language=ui_language(), user=door.user
        )
    return Reply({"report": lines}, shortened(lines))
