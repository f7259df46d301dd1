"""`metaagent sessions restore, fork, save, checkpoints, export, import, prune` and `metaagent migrate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from metaagent.cli.options import AsJson, CompanyId, Config, DataDir, UserId

Which = Annotated[str, typer.Argument(help="The session.", metavar="SESSION")]
Turn = Annotated[int | None, typer.Option("--turn", min=1, help="The end of this turn.", show_default=False)]
Name = Annotated[
    str | None, typer.Option("--name", help="What was saved under this name.", show_default=False)
]
Passphrase = Annotated[
    str | None,
    typer.Option(
        "--passphrase-env",
        metavar="VARIABLE",
        help="Environment variable that holds the passphrase.",
        show_default=False,
    ),
]


def add_to(app: typer.Typer, sessions_app: typer.Typer) -> None:
    for name, command in {
        "checkpoints": checkpoints,
        "save": save,
        "restore": restore,
        "fork": fork,
        "export": export,
        "import": import_,
        "prune": prune,
    }.items():
        sessions_app.command(name)(command)
    app.command()(migrate)


def checkpoints(
    session: Which,
    config: Config = None,
    data_dir: DataDir = None,
    user: UserId = "owner",
    company: CompanyId = "local",
    as_json: AsJson = False,
) -> None:
    """Where a session can be restored to or forked from."""
    from metaagent.cli.asking import Door
    from metaagent.cli.keeping import list_checkpoints

    raise typer.Exit(list_checkpoints(Door(config, data_dir, user, company, as_json=as_json), session))


def save(
    session: Which,
    name: Annotated[str, typer.Argument(help="Letters, digits, '-' and '_'.")],
    config: Config = None,
    data_dir: DataDir = None,
    user: UserId = "owner",
    company: CompanyId = "local",
    as_json: AsJson = False,
) -> None:
    """Give the session's present checkpoint a name, which keeps it for good."""
    from metaagent.cli.asking import Door
    from metaagent.cli.keeping import save_checkpoint

    raise typer.Exit(save_checkpoint(Door(config, data_dir, user, company, as_json=as_json), session, name))


def restore(
    session: Which,
    turn: Turn = None,
    name: Name = None,
    discard: Annotated[
        bool, typer.Option("--discard", help="Drop the session's question that still waits for an answer.")
    ] = False,
    config: Config = None,
    data_dir: DataDir = None,
    user: UserId = "owner",
    company: CompanyId = "local",
    as_json: AsJson = False,
) -> None:
    """Go back to an earlier turn. Later ones stay in the history, marked as undone."""
    from metaagent.cli.asking import Door
    from metaagent.cli.keeping import restore_session

    door = Door(config, data_dir, user, company, as_json=as_json)
    raise typer.Exit(restore_session(door, session, turn, name, discard=discard))


def fork(
    session: Which,
    turn: Turn = None,
    name: Name = None,
    config: Config = None,
    data_dir: DataDir = None,
    user: UserId = "owner",
    company: CompanyId = "local",
    as_json: AsJson = False,
) -> None:
    """Continue from an earlier turn as a new session; this one stays as it is."""
    from metaagent.cli.asking import Door
    from metaagent.cli.keeping import fork_session

    door = Door(config, data_dir, user, company, as_json=as_json)
    raise typer.Exit(fork_session(door, session, turn, name))


def export(
    session: Which,
    output: Annotated[Path, typer.Option("-o", "--output", help="The file to write.")],
    full: Annotated[
        bool, typer.Option("--full", help="With personal data and every artifact, for yourself.")
    ] = False,
    passphrase: Passphrase = None,
    config: Config = None,
    data_dir: DataDir = None,
    user: UserId = "owner",
    company: CompanyId = "local",
    as_json: AsJson = False,
) -> None:
    """Write a session with its turns, events, artifacts and state to one file.

    Without --full, personal data is taken out, and so is what cannot be looked into.
    """
    from metaagent.cli.asking import Door
    from metaagent.cli.keeping import export_session

    door = Door(config, data_dir, user, company, as_json=as_json)
    raise typer.Exit(export_session(door, session, output, passphrase, full=full))


def import_(
    file: Annotated[Path, typer.Argument(help="What `sessions export` wrote.")],
    passphrase: Passphrase = None,
    config: Config = None,
    data_dir: DataDir = None,
    user: UserId = "owner",
    company: CompanyId = "local",
    as_json: AsJson = False,
) -> None:
    """Take an exported session in as a new one of yours."""
    from metaagent.cli.asking import Door
    from metaagent.cli.keeping import import_session

    door = Door(config, data_dir, user, company, as_json=as_json)
    raise typer.Exit(import_session(door, file, passphrase))


def prune(
    session: Annotated[
        str | None, typer.Argument(help="The session; all of yours if not given.", show_default=False)
    ] = None,
    config: Config = None,
    data_dir: DataDir = None,
    user: UserId = "owner",
    company: CompanyId = "local",
    as_json: AsJson = False,
) -> None:
    """Remove checkpoints beyond the retention and artifacts that nothing kept refers to."""
    from metaagent.cli.asking import Door
    from metaagent.cli.keeping import prune_sessions

    raise typer.Exit(prune_sessions(Door(config, data_dir, user, company, as_json=as_json), session))


def migrate(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would change.")] = False,
    config: Config = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Bring what an earlier version wrote to this one's formats."""
    from metaagent.cli.asking import Door
    from metaagent.cli.keeping import run_migrate

    raise typer.Exit(run_migrate(Door(config, data_dir, as_json=as_json), dry_run=dry_run))
