"""The command line. Commands translate; they decide nothing. Heavy imports happen inside them."""

from __future__ import annotations

import errno
import gc
import io
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from metaagent import __version__
from metaagent.cli import approving, keeping_commands, protection
from metaagent.cli.options import AsJson, CompanyId, Config, DataDir, UserId
from metaagent.cli.starting import started, starting, ui_language

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="Ask in Korean or English; agents plan, work and answer. Everything stays on this machine.",
    epilog='Begin with `metaagent ask "..."` or `metaagent chat`. `metaagent doctor` checks the installation.',
)
sessions_app = typer.Typer(no_args_is_help=True, help="Look at, continue or remove past conversations.")
app.add_typer(sessions_app, name="sessions")
semantic_app = typer.Typer(no_args_is_help=True, help="What a database means: draft a model, or check one.")
app.add_typer(semantic_app, name="semantic")
memory_app = typer.Typer(no_args_is_help=True, help="What is remembered of you: look, add, forget.")
app.add_typer(memory_app, name="memory")

_NOWHERE_TO_WRITE = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
_FULL = {
    "en": "The output could not be written: its device is full. The answer is stored; `metaagent sessions list` shows where.",
    "ko": "출력할 곳이 가득 차 쓰지 못했습니다. 답은 저장되어 있으며 `metaagent sessions list`로 찾을 수 있습니다.",
}

Roles = Annotated[
    list[str] | None,
    typer.Option("--role", help="In which role (repeatable); else the configured ones.", show_default=False),
]
Session = Annotated[str | None, typer.Option("--session", help="Go on in this session.", show_default=False)]
TurnNumber = Annotated[
    int | None, typer.Option("--turn", min=1, help="The turn; the last if not given.", show_default=False)
]
Now = Annotated[
    str | None, typer.Option("--now", help="Pretend that it is this moment (ISO-8601).", show_default=False)
]
Discard = Annotated[
    bool, typer.Option("--discard", help="Drop the session's question that still waits for an answer.")
]


@app.callback(invoke_without_command=True)
def top(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    if version:
        typer.echo(f"metaagent {__version__}")
        raise typer.Exit


@app.command()
def ask(
    text: Annotated[
        str, typer.Argument(help="The question; `-` reads one question a line from standard input.")
    ],
    session: Session = None,
    config: Config = None,
    data_dir: DataDir = None,
    user: UserId = "owner",
    company: CompanyId = "local",
    role: Roles = None,
    now: Now = None,
    as_json: AsJson = False,
    discard: Discard = False,
) -> None:
    """Ask one question and print the answer.

    Exit codes: 0 answered, 1 failed, 2 usage, 3 clarification needed, 4 approval needed.
    """
    starting()
    from metaagent.cli.asking import Door, run_ask

    door = Door(config, data_dir, user, company, now, as_json, tuple(role or ()))
    raise typer.Exit(run_ask(door, text, session, discard=discard))


@app.command()
def resume(
    session: Annotated[str, typer.Argument(help="The session that waits, or that was interrupted.")],
    answer: Annotated[
        str | None,
        typer.Argument(help="The answer; none if the turn was cut off by a crash.", show_default=False),
    ] = None,
    question: Annotated[
        str | None, typer.Option("--question", help="Which of several waiting questions.", show_default=False)
    ] = None,
    reason: Annotated[
        str, typer.Option("--reason", help="Why a plan is approved or rejected; it is on record.")
    ] = "",
    config: Config = None,
    data_dir: DataDir = None,
    user: UserId = "owner",
    company: CompanyId = "local",
    role: Roles = None,
    now: Now = None,
    as_json: AsJson = False,
) -> None:
    """Answer what a session waits for, or finish a turn that was interrupted."""
    starting()
    from metaagent.cli.asking import Door, run_resume

    door = Door(config, data_dir, user, company, now, as_json, tuple(role or ()))
    raise typer.Exit(run_resume(door, session, answer, question, reason))


@app.command()
def chat(
    session: Session = None,
    config: Config = None,
    data_dir: DataDir = None,
    user: UserId = "owner",
    company: CompanyId = "local",
    role: Roles = None,
    now: Now = None,
) -> None:
    """Talk in one session: prompt, history, live to-do list, questions back inline."""
    starting()
    from metaagent.cli.asking import Door
    from metaagent.cli.chat import run_chat

    raise typer.Exit(run_chat(Door(config, data_dir, user, company, now, roles=tuple(role or ())), session))


@app.command()
def demo(
    config: Config = None,
    data_dir: DataDir = None,
    url: Annotated[
        str | None,
        typer.Option("--url", help="Make it in this database instead (SQLAlchemy URL).", show_default=False),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Another seed gives other figures.")] = 7,
    tour: Annotated[bool, typer.Option("--tour", help="Then ask one question of each kind.")] = False,
    now: Now = None,
    as_json: AsJson = False,
) -> None:
    """Make the demonstration company: two years of a pharmaceutical company's sales, up to yesterday."""
    from metaagent.cli.asking import Door
    from metaagent.cli.demo import run_demo

    raise typer.Exit(run_demo(Door(config, data_dir, now=now, as_json=as_json), url, seed, tour=tour))


@app.command()
def explain(
    text: Annotated[
        str, typer.Argument(help="The question; `-` reads one question a line from standard input.")
    ],
    config: Config = None,
    data_dir: DataDir = None,
    user: UserId = "owner",
    company: CompanyId = "local",
    now: Now = None,
    as_json: AsJson = False,
) -> None:
    """How a question is understood, each conclusion with its reason. Nothing is done."""
    from metaagent.cli.asking import Door
    from metaagent.cli.explaining import run_explain

    raise typer.Exit(run_explain(Door(config, data_dir, user, company, now, as_json), text))


@app.command("eval")
def evaluate(
    file: Annotated[Path, typer.Argument(help="Questions with what must come out (evals/*.yaml).")],
    split: Annotated[str, typer.Option("--split", help="Which half: test is the one that counts.")] = "test",
    misses: Annotated[bool, typer.Option("--misses", help="Show each question that went wrong.")] = False,
    config: Config = None,
    now: Now = None,
    as_json: AsJson = False,
) -> None:
    """Score understanding or analysis on a file of questions; exit code 1 below its threshold."""
    from metaagent.cli.asking import Door
    from metaagent.cli.evaluating import run_eval

    raise typer.Exit(run_eval(Door(config, now=now, as_json=as_json), file, split, misses=misses))


@app.command()
def export(
    session: Annotated[str, typer.Argument(help="The session in which it was made.")],
    artifact: Annotated[str, typer.Argument(help="The artifact, as `ask` names it.")],
    form: Annotated[
        str, typer.Option("--format", help="csv, xlsx or json for tables; png, svg, pdf or json for charts.")
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="The file to write.", show_default=False)
    ] = None,
    config: Config = None,
    data_dir: DataDir = None,
    user: UserId = "owner",
    company: CompanyId = "local",
) -> None:
    """Write a table or a chart that an answer made as a file."""
    from metaagent.cli.asking import Door
    from metaagent.cli.exporting import run_export

    raise typer.Exit(run_export(Door(config, data_dir, user, company), session, artifact, form, output))


@semantic_app.command("infer")
def semantic_infer(
    url: Annotated[str, typer.Argument(help="SQLAlchemy URL of the database.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="The file to write.", show_default=False)
    ] = None,
) -> None:
    """Draft a semantic model from a database's keys, types and names. No data is shown."""
    from metaagent.cli.semantic import run_infer

    raise typer.Exit(run_infer(url, output))


@semantic_app.command("check")
def semantic_check(
    url: Annotated[
        str | None,
        typer.Argument(help="SQLAlchemy URL; the configured database if empty.", show_default=False),
    ] = None,
    model: Annotated[
        Path | None, typer.Option("--model", help="The model; the domain's if empty.", show_default=False)
    ] = None,
    config: Config = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Whether a semantic model fits its database, and what is missing."""
    from metaagent.cli.asking import Door
    from metaagent.cli.semantic import run_check

    raise typer.Exit(run_check(Door(config, data_dir, as_json=as_json), url, model))


@semantic_app.command("roles")
def semantic_roles(
    model: Annotated[
        Path | None, typer.Option("--model", help="The model; the domain's if empty.", show_default=False)
    ] = None,
    schema: Annotated[str, typer.Option("--schema", help="Where the tables are.")] = "public",
    keep_for: Annotated[
        list[str] | None,
        typer.Option("--keep-for", help="Roles that keep the rights of everyone.", show_default=False),
    ] = None,
    company: CompanyId = "local",
    config: Config = None,
    data_dir: DataDir = None,
) -> None:
    """SQL that makes the reading role of one company in PostgreSQL: its own rows, nothing else."""
    from metaagent.cli.asking import Door
    from metaagent.cli.semantic import run_roles

    door = Door(config, data_dir, company_id=company)
    raise typer.Exit(run_roles(door, model, schema, keep_for or ()))


@app.command()
def agents(config: Config = None, as_json: AsJson = False) -> None:
    """What is installed, what it can do, and what failed to load."""
    from metaagent.cli.showing import show_agents

    raise typer.Exit(show_agents(config, as_json=as_json))


@app.command()
def doctor(config: Config = None, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Check versions, paths and optional parts, and say what to do about each problem."""
    from metaagent.cli.doctor import run_doctor

    raise typer.Exit(run_doctor(config, data_dir, as_json=as_json))


@sessions_app.command("list")
def sessions_list(
    config: Config = None,
    data_dir: DataDir = None,
    user: UserId = "owner",
    company: CompanyId = "local",
    role: Roles = None,
    limit: Annotated[int, typer.Option(help="How many, the most recent first.")] = 20,
    find: Annotated[
        str | None, typer.Option("--find", help="Those whose first question holds this.", show_default=False)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Your sessions, the most recent first."""
    from metaagent.cli.asking import Door
    from metaagent.cli.showing import list_sessions

    door = Door(config, data_dir, user, company, as_json=as_json, roles=tuple(role or ()))
    raise typer.Exit(list_sessions(door, limit, find))


@sessions_app.command("show")
def sessions_show(
    session: Annotated[str, typer.Argument(help="The session.")],
    turn: TurnNumber = None,
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
    find: Annotated[
        str | None, typer.Option("--find", help="Only what was said that holds this.", show_default=False)
    ] = None,
    config: Config = None,
    data_dir: DataDir = None,
    user: UserId = "owner",
    company: CompanyId = "local",
    role: Roles = None,
    as_json: AsJson = False,
) -> None:
    """The conversation of one session, or what of it holds some text; with --turn, --field or --diff, a look inside."""
    from metaagent.cli.asking import Door

    door = Door(config, data_dir, user, company, as_json=as_json, roles=tuple(role or ()))
    if turn is not None or field is not None or diff is not None:
        from metaagent.cli.inspecting import show_inside

        raise typer.Exit(show_inside(door, session, turn, field, diff))
    from metaagent.cli.showing import find_in_session, show_session

    raise typer.Exit(show_session(door, session) if find is None else find_in_session(door, session, find))


@sessions_app.command("report")
def sessions_report(
    session: Annotated[str, typer.Argument(help="The session.")],
    turn: TurnNumber = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="The file to write.", show_default=False)
    ] = None,
    config: Config = None,
    data_dir: DataDir = None,
    user: UserId = "owner",
    company: CompanyId = "local",
    role: Roles = None,
    as_json: AsJson = False,
) -> None:
    """Write one turn as an HTML page for a bug report, without personal data."""
    from metaagent.cli.asking import Door
    from metaagent.cli.inspecting import write_report

    door = Door(config, data_dir, user, company, as_json=as_json, roles=tuple(role or ()))
    raise typer.Exit(write_report(door, session, turn, output))


@sessions_app.command("delete")
def sessions_delete(
    session: Annotated[str, typer.Argument(help="The session.")],
    config: Config = None,
    data_dir: DataDir = None,
    user: UserId = "owner",
    company: CompanyId = "local",
    role: Roles = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Remove a session and everything that belongs to it."""
    from metaagent.cli.asking import Door
    from metaagent.cli.showing import delete_session

    raise typer.Exit(
        delete_session(Door(config, data_dir, user, company, roles=tuple(role or ())), session, sure=yes)
    )


@memory_app.command("list")
def memory_list(
    config: Config = None,
    data_dir: DataDir = None,
    user: UserId = "owner",
    company: CompanyId = "local",
    role: Roles = None,
    as_json: AsJson = False,
) -> None:
    """Facts, preferences and conclusions that are remembered, the newest first."""
    from metaagent.cli.asking import Door
    from metaagent.cli.memory import list_memories

    raise typer.Exit(
        list_memories(Door(config, data_dir, user, company, as_json=as_json, roles=tuple(role or ())))
    )


@memory_app.command("add")
def memory_add(
    text: Annotated[str, typer.Argument(help="A fact or preference, as you would say it.")],
    config: Config = None,
    data_dir: DataDir = None,
    user: UserId = "owner",
    company: CompanyId = "local",
    role: Roles = None,
    as_json: AsJson = False,
) -> None:
    """Remember something; what is known under the same name is replaced."""
    from metaagent.cli.asking import Door
    from metaagent.cli.memory import add_memory

    raise typer.Exit(
        add_memory(Door(config, data_dir, user, company, as_json=as_json, roles=tuple(role or ())), text)
    )


@memory_app.command("forget")
def memory_forget(
    about: Annotated[
        str | None, typer.Argument(help="Its id, its name or words of it.", show_default=False)
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Everything that is remembered of you.")] = False,
    config: Config = None,
    data_dir: DataDir = None,
    user: UserId = "owner",
    company: CompanyId = "local",
    role: Roles = None,
    as_json: AsJson = False,
) -> None:
    """Forget something, or everything."""
    from metaagent.cli.asking import Door
    from metaagent.cli.memory import forget_memories

    door = Door(config, data_dir, user, company, as_json=as_json, roles=tuple(role or ()))
    raise typer.Exit(forget_memories(door, about, everything=everything))


# In the order of `--help`: what people do every day first, what keepers of the installation do last.
approving.add_to(app)
keeping_commands.add_to(app, sessions_app)
protection.add_to(app)


def main() -> None:
    # The imports make 150,000 objects that last: looking through them again and again costs more than it frees.
    gc.set_threshold(50_000, 20, 50)
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show Korean still gets an answer, never a traceback.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app()
    except OSError as error:
        if error.errno not in _NOWHERE_TO_WRITE:
            raise
        # The answer is stored; only what it was written to is full. Python would try again at exit, and fail again.
        started()
        sys.stderr.write(_FULL[ui_language()] + "\n")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from error
