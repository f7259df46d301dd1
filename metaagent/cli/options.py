"""Options that commands share, and `command`, which gives them to a function and turns its reply into an exit code."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from metaagent.cli.door import Door, Reply, run

Work = TypeVar("Work", bound=Callable[..., Coroutine[Any, Any, Reply | int]])


def _option(name: str, kind: Any, flag: str, default: object, text: str) -> Parameter:
    shown = isinstance(default, str)
    option = typer.Option(flag, help=text, show_default=shown, rich_help_panel=SHARED_PANEL)
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option])


SHARED_PANEL = "Who, where and how"
CONFIG = _option("config", Path | None, "--config", None, "YAML file with settings.")
DATA_DIR = _option("data_dir", Path | None, "--data-dir", None, "Where everything is kept.")
USER = _option("user_id", str, "--user", "owner", "Who asks.")
DECIDER = _option("user_id", str, "--user", "owner", "Who decides; it is on record.")
ACTOR = _option("user_id", str, "--as", "owner", "Who does this; it is on record.")
COMPANY = _option("company_id", str, "--company", "local", "The tenant whose data is used.")
ROLES = _option(
    "roles", list[str] | None, "--role", None, "In which role (repeatable); else the configured ones."
)
NOW = _option("now", str | None, "--now", None, "Pretend that it is this moment (ISO-8601).")
JSON = _option("as_json", bool, "--json", False, "Print JSON instead of text.")

PLACE = (CONFIG, DATA_DIR, JSON)
PERSON = (CONFIG, DATA_DIR, USER, COMPANY, ROLES, JSON)
OFFICER = (CONFIG, DATA_DIR, ACTOR, COMPANY, ROLES, JSON)

Session = Annotated[str, typer.Argument(help="The session.", metavar="SESSION")]
Output = Annotated[Path | None, typer.Option("-o", "--output", help="The file to write.", show_default=False)]
Reveal = Annotated[bool, typer.Option("--reveal", help="Open what is sealed for a person, where it can be.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


def command(
    app: typer.Typer,
    name: str,
    shared: tuple[Parameter, ...] = PERSON,
    *,
    panel: str | None = None,
    speaks: str = "",
) -> Callable[[Work], Work]:
    """Register an async function as a command: its `door` is made of the shared options, its reply is printed.

    `speaks` names the argument in whose language an error is said.
    """

    def register(work: Work) -> Work:
        _, *own = signature(work, eval_str=True).parameters.values()

        def invoke(**given: Any) -> None:
            door = Door(**{option.name: given.pop(option.name) for option in shared})
            raise typer.Exit(run(door, work, given, given.get(speaks)))

        params = [*(each.replace(kind=Parameter.KEYWORD_ONLY) for each in own), *shared]
        invoke.__signature__ = Signature(params)  # pyright: ignore[reportFunctionMemberAccess]
        invoke.__annotations__ = {each.name: each.annotation for each in params}
        invoke.__doc__ = work.__doc__
        app.command(name, rich_help_panel=panel)(invoke)
        return work

    return register
