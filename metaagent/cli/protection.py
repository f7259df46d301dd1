"""Commands for reviewers and security officers: `keys`, `audit`, `erase`, `hold`, `retention`, `logs`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from metaagent.cli.asking import Door

Config = Annotated[Path | None, typer.Option("--config", help="YAML file with settings.", show_default=False)]
DataDir = Annotated[
    Path | None, typer.Option("--data-dir", help="Where everything is kept.", show_default=False)
]
Actor = Annotated[str, typer.Option("--as", help="Who does this; it is on record.")]
Company = Annotated[str, typer.Option("--company", help="The tenant that this is about.")]
Roles = Annotated[
    list[str] | None,
    typer.Option("--role", help="In which role (repeatable); else the configured ones.", show_default=False),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Reveal = Annotated[bool, typer.Option("--reveal", help="Open what is sealed for a person, where it can be.")]
OfSession = Annotated[str | None, typer.Option("--session", help="Of this session.", show_default=False)]
OfEvent = Annotated[
    str | None, typer.Option("--event", help="Of this kind, e.g. plan.approved.", show_default=False)
]
OfActor = Annotated[str | None, typer.Option("--actor", help="By this alias.", show_default=False)]
Everyone = Annotated[bool, typer.Option("--all-companies", help="Of every company of this installation.")]
Limit = Annotated[int, typer.Option(help="How many at most.")]
After = Annotated[int, typer.Option(help="Go on after this entry.")]

keys_app = typer.Typer(no_args_is_help=True, help="The keys of everything that is stored.")
audit_app = typer.Typer(no_args_is_help=True, help="Read, verify and export the audit trail.")
hold_app = typer.Typer(no_args_is_help=True, help="Legal holds: they block erasure and retention.")
retention_app = typer.Typer(no_args_is_help=True, help="Drop what is kept no longer.")


def add_to(app: typer.Typer) -> None:
    app.add_typer(keys_app, name="keys")
    app.add_typer(audit_app, name="audit")
    app.add_typer(hold_app, name="hold")
    app.add_typer(retention_app, name="retention")
    app.command("erase")(erase)
    app.command("logs")(logs)


def _door(
    config: Path | None,
    data_dir: Path | None,
    actor: str,
    company: str,
    roles: list[str] | None,
    as_json: bool = False,
) -> Door:
    from metaagent.cli.asking import Door

    return Door(config, data_dir, actor, company, as_json=as_json, roles=tuple(roles or ()))


@keys_app.command("status")
def keys_status(
    config: Config = None,
    data_dir: DataDir = None,
    actor: Actor = "owner",
    company: Company = "local",
    role: Roles = None,
    as_json: AsJson = False,
) -> None:
    """Which keys there are, how many rows each version sealed, and whether the key-encryption key opens them."""
    from metaagent.cli import governing

    raise typer.Exit(governing.keys_status(_door(config, data_dir, actor, company, role, as_json)))


@keys_app.command("rotate")
def keys_rotate(
    signing: Annotated[bool, typer.Option("--signing", help="A new signing key too.")] = False,
    everyone: Everyone = False,
    config: Config = None,
    data_dir: DataDir = None,
    actor: Actor = "owner",
    company: Company = "local",
    role: Roles = None,
    as_json: AsJson = False,
) -> None:
    """New data keys: from now on they write; older ones still read until `rewrap`. Turns that run go on."""
    from metaagent.cli import governing

    door = _door(config, data_dir, actor, company, role, as_json)
    raise typer.Exit(governing.keys_rotate(door, signing=signing, everyone=everyone))


@keys_app.command("rewrap")
def keys_rewrap(
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
    config: Config = None,
    data_dir: DataDir = None,
    actor: Actor = "owner",
    company: Company = "local",
    role: Roles = None,
    as_json: AsJson = False,
) -> None:
    """Seal everything that is stored with the newest keys, then destroy the older ones. Turns that run go on; after a
    crash, run it again."""
    from metaagent.cli import governing

    door = _door(config, data_dir, actor, company, role, as_json)
    raise typer.Exit(governing.keys_rewrap(door, to, keep_old=keep_old, everyone=everyone))


@keys_app.command("export-public")
def keys_export_public(
    out: Annotated[Path | None, typer.Option("--out", help="Into this file.", show_default=False)] = None,
    config: Config = None,
    data_dir: DataDir = None,
    actor: Actor = "owner",
    company: Company = "local",
    role: Roles = None,
) -> None:
    """The public keys (PEM) with which anyone can verify an export or a receipt."""
    from metaagent.cli import governing

    raise typer.Exit(governing.keys_public(_door(config, data_dir, actor, company, role), out))


@audit_app.command("list")
def audit_list(
    session: OfSession = None,
    event: OfEvent = None,
    by: OfActor = None,
    since: Annotated[str | None, typer.Option(help="From this time on (ISO).", show_default=False)] = None,
    until: Annotated[str | None, typer.Option(help="Before this time (ISO).", show_default=False)] = None,
    after: After = 0,
    limit: Limit = 100,
    config: Config = None,
    data_dir: DataDir = None,
    actor: Actor = "owner",
    company: Company = "local",
    role: Roles = None,
    as_json: AsJson = False,
) -> None:
    """Entries in order, one a line. Looking is on record too."""
    from metaagent.audit.store import Where
    from metaagent.cli import governing

    where = Where(session=session, event=event, actor=by, since=since, until=until, after=after)
    door = _door(config, data_dir, actor, company, role, as_json)
    raise typer.Exit(governing.audit_list(door, where, None, limit))


@audit_app.command("search")
def audit_search(
    text: Annotated[str, typer.Argument(help="Looked for in whole entries.")],
    after: After = 0,
    limit: Limit = 100,
    config: Config = None,
    data_dir: DataDir = None,
    actor: Actor = "owner",
    company: Company = "local",
    role: Roles = None,
    as_json: AsJson = False,
) -> None:
    """Entries that hold a text: an artifact's or a plan's hash, an agent, an alias."""
    from metaagent.audit.store import Where
    from metaagent.cli import governing

    door = _door(config, data_dir, actor, company, role, as_json)
    raise typer.Exit(governing.audit_list(door, Where(after=after), text, limit))


@audit_app.command("show")
def audit_show(
    seq: Annotated[int, typer.Argument(help="The entry's number.")],
    reveal: Reveal = False,
    config: Config = None,
    data_dir: DataDir = None,
    actor: Actor = "owner",
    company: Company = "local",
    role: Roles = None,
) -> None:
    """One entry, whole."""
    from metaagent.cli import governing

    door = _door(config, data_dir, actor, company, role, as_json=True)
    raise typer.Exit(governing.audit_show(door, seq, reveal=reveal))


@audit_app.command("verify")
def audit_verify(
    anchor: Annotated[
        Path | None, typer.Option("--anchor", help="Signed notes that you kept.", show_default=False)
    ] = None,
    key: Annotated[
        Path | None, typer.Option("--key", help="Public keys (PEM) that you kept.", show_default=False)
    ] = None,
    config: Config = None,
    data_dir: DataDir = None,
    actor: Actor = "owner",
    company: Company = "local",
    role: Roles = None,
    as_json: AsJson = False,
) -> None:
    """Check every entry and signature; says where something is wrong. Exit code 1 if anything is."""
    from metaagent.cli import governing

    door = _door(config, data_dir, actor, company, role, as_json)
    raise typer.Exit(governing.audit_verify(door, anchor, key))


@audit_app.command("export")
def audit_export(
    out: Annotated[Path, typer.Option("--out", help="Into this file.")],
    form: Annotated[
        Literal["jsonl", "csv"], typer.Option("--format", help="jsonl can be verified, csv read.")
    ] = "jsonl",
    config: Config = None,
    data_dir: DataDir = None,
    actor: Actor = "owner",
    company: Company = "local",
    role: Roles = None,
) -> None:
    """Write the whole trail into a file, for `python -m metaagent.audit.verifier` or a spreadsheet."""
    from metaagent.cli import governing

    raise typer.Exit(governing.audit_export(_door(config, data_dir, actor, company, role), out, form))


@audit_app.command("report")
def audit_report(
    session: Annotated[str, typer.Option("--session", help="The session.")],
    reveal: Reveal = False,
    config: Config = None,
    data_dir: DataDir = None,
    actor: Actor = "owner",
    company: Company = "local",
    role: Roles = None,
    as_json: AsJson = False,
) -> None:
    """A readable account: who asked what, what was done, by which rule, with which data."""
    from metaagent.cli import governing

    door = _door(config, data_dir, actor, company, role, as_json)
    raise typer.Exit(governing.audit_report(door, session, reveal=reveal))


@hold_app.command("place")
def hold_place(
    hold: Annotated[str, typer.Argument(help="A name for the hold.")],
    reason: Annotated[str, typer.Option("--reason", help="Why; it is on record, so name no person.")],
    user: Annotated[
        str | None, typer.Option("--user", help="Only this person's data.", show_default=False)
    ] = None,
    config: Config = None,
    data_dir: DataDir = None,
    actor: Actor = "owner",
    company: Company = "local",
    role: Roles = None,
) -> None:
    """Nothing of the company (or person) is erased or dropped until it is released."""
    from metaagent.cli import governing

    raise typer.Exit(governing.hold_place(_door(config, data_dir, actor, company, role), hold, reason, user))


@hold_app.command("release")
def hold_release(
    hold: Annotated[str, typer.Argument(help="Which hold.")],
    reason: Annotated[str, typer.Option("--reason", help="Why; it is on record, so name no person.")],
    config: Config = None,
    data_dir: DataDir = None,
    actor: Actor = "owner",
    company: Company = "local",
    role: Roles = None,
) -> None:
    """End a hold."""
    from metaagent.cli import governing

    raise typer.Exit(governing.hold_release(_door(config, data_dir, actor, company, role), hold, reason))


@hold_app.command("list")
def hold_list(
    config: Config = None,
    data_dir: DataDir = None,
    actor: Actor = "owner",
    company: Company = "local",
    role: Roles = None,
    as_json: AsJson = False,
) -> None:
    """The holds that are in force."""
    from metaagent.cli import governing

    raise typer.Exit(governing.hold_list(_door(config, data_dir, actor, company, role, as_json)))


@retention_app.command("apply")
def retention_apply(
    before: Annotated[
        str | None,
        typer.Option("--before", help="Drop what is older than this time (ISO).", show_default=False),
    ] = None,
    config: Config = None,
    data_dir: DataDir = None,
    actor: Actor = "owner",
    company: Company = "local",
    role: Roles = None,
) -> None:
    """Drop whole signed segments of the audit trail that are older than retention.audit_days."""
    from metaagent.cli import governing

    raise typer.Exit(governing.retention_apply(_door(config, data_dir, actor, company, role), before))


def erase(
    user: Annotated[str, typer.Option("--user", help="The person.")],
    receipt: Annotated[
        Path | None, typer.Option("--receipt", help="Write the receipt there.", show_default=False)
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    readmit: Annotated[
        bool, typer.Option("--readmit", help="Instead: let an erased person begin anew.")
    ] = False,
    config: Config = None,
    data_dir: DataDir = None,
    actor: Actor = "owner",
    company: Company = "local",
    role: Roles = None,
) -> None:
    """Destroy a person's key and remove what is theirs in every store. Prints a signed receipt."""
    from metaagent.cli import governing

    door = _door(config, data_dir, actor, company, role)
    if readmit:
        raise typer.Exit(governing.readmit(door, user))
    raise typer.Exit(governing.erase(door, user, receipt, sure=yes))


def logs(
    config: Config = None,
    data_dir: DataDir = None,
    actor: Actor = "owner",
    company: Company = "local",
    role: Roles = None,
) -> None:
    """The log of this installation: redacted JSON lines, oldest first."""
    from metaagent.cli import governing

    raise typer.Exit(governing.show_logs(_door(config, data_dir, actor, company, role)))
