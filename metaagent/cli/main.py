"""The command line: registers the commands. They translate and decide nothing; heavy imports happen inside them."""

from __future__ import annotations

import errno
import gc
import io
import os
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer

from metaagent import __version__
from metaagent.cli.startup import STOPPED, hold_garbage, started, ui_language

EVERY_DAY, DATA, GOVERNANCE, OPERATING, DEVELOPING = (
    "Every day",
    "Data",
    "Governance",
    "Operating",
    "Developing",
)
_NOWHERE_TO_WRITE = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
_FULL = {
    "en": "The output could not be written: its device is full. The answer is stored; `metaagent sessions list` shows where.",
    "ko": "출력할 곳이 가득 차 쓰지 못했습니다. 답은 저장되어 있으며 `metaagent sessions list`로 찾을 수 있습니다.",
}

COMMANDS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (EVERY_DAY, "ask", ("ask", "resume")),
    (EVERY_DAY, "chat", ("chat",)),
    (EVERY_DAY, "approvals", ("approvals", "approve")),
    (EVERY_DAY, "sessions:sessions_app", ("sessions",)),
    (EVERY_DAY, "export", ("export",)),
    (EVERY_DAY, "memory:memory_app", ("memory",)),
    (DATA, "documents:documents_app", ("documents",)),
    (DATA, "connect", ("connect",)),
    (DATA, "topics", ("topics",)),
    (DATA, "knowledge", ("ingest", "knowledge")),
    (DATA, "stored:stored_app", ("stored",)),
    (DATA, "demo", ("demo",)),
    (DATA, "semantic:semantic_app", ("semantic",)),
    (GOVERNANCE, "comply", ("comply",)),
    (GOVERNANCE, "rules:rules_app", ("rules",)),
    (DEVELOPING, "templates:templates_app", ("templates",)),
    (GOVERNANCE, "audit:audit_app", ("audit",)),
    (GOVERNANCE, "keys:keys_app", ("keys",)),
    (GOVERNANCE, "hold:hold_app", ("hold",)),
    (GOVERNANCE, "retention:retention_app", ("retention",)),
    (GOVERNANCE, "erase", ("erase",)),
    (OPERATING, "serve", ("serve",)),
    (OPERATING, "mcp", ("mcp",)),
    (OPERATING, "accounts:accounts_app", ("accounts",)),
    (OPERATING, "accounts:keys_app", ("api-keys",)),
    (OPERATING, "doctor", ("doctor",)),
    (OPERATING, "backup", ("backup", "restore")),
    (OPERATING, "repair", ("repair",)),
    (OPERATING, "logs", ("logs",)),
    (OPERATING, "migrate", ("migrate",)),
    (OPERATING, "knowledge:index_app", ("index",)),
    (DEVELOPING, "agents:agents_app", ("agents",)),
    (DEVELOPING, "threads:threads_app", ("threads",)),
    (DEVELOPING, "explain", ("explain",)),
    (DEVELOPING, "evaluate", ("eval",)),
)
"""Panel, module (`module:app` for a group of commands) and names of commands, in the order of `--help`."""


HELP = ["--help"]


def command_line(words: Sequence[str] = ()) -> typer.Typer:
    """Make the command line: of one command if the first word names it, else of all. A hundred take a while to build: help
    alone gets groups without their commands."""
    line = typer.Typer(
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode="markdown",
        pretty_exceptions_enable=False,
        help="Ask in Korean or English; agents plan, work and answer. Everything stays on this machine.",
        epilog='Begin with `metaagent ask "..."` or `metaagent chat`. `metaagent doctor` checks the installation.',
    )
    line.callback(invoke_without_command=True)(top)
    named = [each for each in COMMANDS if words and words[0] in each[2]]
    for panel, place, (name, *_) in named or COMMANDS:
        module, _, group = place.partition(":")
        found = import_module(f"metaagent.cli.{module}")
        if group:
            app = getattr(found, group)
            line.add_typer(
                typer.Typer(help=app.info.help) if words == HELP else app, name=name, rich_help_panel=panel
            )
        else:
            found.add_to(line, panel)
    return line


def top(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    if version:
        typer.echo(f"metaagent {__version__}")
        raise typer.Exit


@cache
def _whole() -> typer.Typer:
    return command_line()


def __getattr__(name: str) -> Any:
    """`app` is the whole command line, for those who embed it."""
    if name == "app":
        return _whole()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def main() -> None:
    hold_garbage()
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show Korean still gets an answer, never a traceback.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        command_line(sys.argv[1:])()
    except KeyboardInterrupt:
        started()
        sys.stderr.write(STOPPED[ui_language()] + "\n")
        raise SystemExit(1) from None
    except OSError as error:
        if error.errno not in _NOWHERE_TO_WRITE:
            raise
        # The answer is stored; only what it was written to is full. Python would try again at exit, and fail again.
        started()
        sys.stderr.write(_FULL[ui_language()] + "\n")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from error
    finally:
        # The process ends: looking through everything once more would take a quarter of a short command's time.
        gc.freeze()
