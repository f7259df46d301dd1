"""The command line: registers the commands. They translate and decide nothing; heavy imports happen inside them."""

from __future__ import annotations

import errno
import gc
import io
import os
import sys
from typing import Annotated

import typer

from metaagent import __version__
from metaagent.cli import (
    agents,
    approvals,
    ask,
    audit,
    chat,
    comply,
    connect,
    demo,
    doctor,
    erase,
    evaluate,
    explain,
    export,
    hold,
    keys,
    logs,
    memory,
    migrate,
    retention,
    rules,
    semantic,
    sessions,
    stored,
    topics,
)
from metaagent.cli.startup import started, ui_language

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

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="Ask in Korean or English; agents plan, work and answer. Everything stays on this machine.",
    epilog='Begin with `metaagent ask "..."` or `metaagent chat`. `metaagent doctor` checks the installation.',
)


@app.callback(invoke_without_command=True)
def top(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    if version:
        typer.echo(f"metaagent {__version__}")
        raise typer.Exit


# In the order of `--help`.
ask.add_to(app, EVERY_DAY)
chat.add_to(app, EVERY_DAY)
approvals.add_to(app, EVERY_DAY)
app.add_typer(sessions.sessions_app, name="sessions", rich_help_panel=EVERY_DAY)
export.add_to(app, EVERY_DAY)
app.add_typer(memory.memory_app, name="memory", rich_help_panel=EVERY_DAY)
connect.add_to(app, DATA)
topics.add_to(app, DATA)
app.add_typer(stored.stored_app, name="stored", rich_help_panel=DATA)
demo.add_to(app, DATA)
app.add_typer(semantic.semantic_app, name="semantic", rich_help_panel=DATA)
comply.add_to(app, GOVERNANCE)
app.add_typer(rules.rules_app, name="rules", rich_help_panel=GOVERNANCE)
app.add_typer(audit.audit_app, name="audit", rich_help_panel=GOVERNANCE)
app.add_typer(keys.keys_app, name="keys", rich_help_panel=GOVERNANCE)
app.add_typer(hold.hold_app, name="hold", rich_help_panel=GOVERNANCE)
app.add_typer(retention.retention_app, name="retention", rich_help_panel=GOVERNANCE)
erase.add_to(app, GOVERNANCE)
doctor.add_to(app, OPERATING)
logs.add_to(app, OPERATING)
migrate.add_to(app, OPERATING)
agents.add_to(app, DEVELOPING)
explain.add_to(app, DEVELOPING)
evaluate.add_to(app, DEVELOPING)


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
