"""`metaagent semantic`: draft a semantic model from a database, check one against it. Never shows data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from metaagent.cli.door import ANSWERED, FAILED, Door, Reply, write_file
from metaagent.cli.options import COMPANY, CONFIG, DATA_DIR, PLACE, Output, command
from metaagent.cli.startup import ui_language
from metaagent.errors import ConfigInvalid, Text

if TYPE_CHECKING:
    from metaagent.data.semantic.model import Model

_NO_MODEL = Text(
    en="There is no semantic model to check: name one with --model, or set domain or data.model.",
    ko="확인할 의미 모델이 없습니다. --model로 지정하거나 domain 또는 data.model을 설정하세요.",
)
_NO_URL = Text(
    en="There is no database to check against: give its URL, set data.url, or run `metaagent demo`.",
    ko="비교할 데이터베이스가 없습니다. URL을 주거나 data.url을 설정하거나 `metaagent demo`를 실행하세요.",
)
_AFTER_ROLES = Text(
    en="Run this as the owner of the tables: psql -f FILE. It takes rights from PUBLIC in the whole database.\n"
    "Then give the role a password (\\password {role}) and set data.urls.{tenant} to\n"
    "postgresql://{role}:PASSWORD@HOST/DATABASE",
    ko="테이블 소유자로 실행하세요: psql -f FILE. 데이터베이스 전체에서 PUBLIC의 권한을 거둡니다.\n"
    "그다음 역할에 암호를 주고(\\password {role}) data.urls.{tenant}에 다음 주소를 설정하세요.\n"
    "postgresql://{role}:PASSWORD@HOST/DATABASE",
)
_FITS = Text(en="The model {name} fits the database.", ko="모델 {name}이(가) 데이터베이스와 맞습니다.")


semantic_app = typer.Typer(no_args_is_help=True, help="Draft or check the model of what a database means.")
ModelFile = Annotated[
    Path | None, typer.Option("--model", help="The model; the domain's if empty.", show_default=False)
]


@command(semantic_app, "infer", ())
async def infer(
    door: Door,
    url: Annotated[str, typer.Argument(help="SQLAlchemy URL of the database.")],
    output: Output = None,
) -> Reply:
    """Draft a semantic model from a database's keys, types and names. No data is shown."""
    from metaagent.data.semantic.drafting.infer import infer

    text = infer(url)
    if output is not None:
        write_file(output, text.encode())
    return Reply(text, [] if output else [text.rstrip("\n")])


@command(semantic_app, "check", PLACE)
async def check(
    door: Door,
    url: Annotated[
        str | None,
        typer.Argument(help="SQLAlchemy URL; the configured database if empty.", show_default=False),
    ] = None,
    model: ModelFile = None,
) -> Reply:
    """Check whether a semantic model fits its database, and name what is missing."""
    from rich.text import Text as RichText

    from metaagent.config import data_url
    from metaagent.data.semantic.check import check

    found, place, language = _model(door, model), url or data_url(door.settings), ui_language()
    if place is None:
        raise ConfigInvalid(_NO_URL)
    problems = [{"at": str(p.path), "message": p.what.say(language)} for p in check(found, place)]
    lines: list[Any] = [RichText.assemble((f"✗ {p['at']} ", "red"), p["message"]) for p in problems]
    content = {"model": found.name, "problems": problems}
    fits = [_FITS.say(language, name=found.name)]
    return Reply(content, lines or fits, FAILED if problems else ANSWERED)


@command(semantic_app, "roles", (CONFIG, DATA_DIR, COMPANY))
async def roles(
    door: Door,
    model: ModelFile = None,
    schema: Annotated[str, typer.Option("--schema", help="Where the tables are.")] = "public",
    keep_for: Annotated[
        list[str] | None,
        typer.Option("--keep-for", help="Roles that keep the rights of everyone.", show_default=False),
    ] = None,
) -> Reply:
    """Print SQL that makes the reading role of one company in PostgreSQL: its own rows, nothing else."""
    from metaagent.data.postgres import postgres_roles, role_name
    from metaagent.data.semantic.policies import compiled_policy

    tenant = door.settings.data.tenants.get(door.company_id, door.company_id)
    policy = compiled_policy(_model(door, model), tenant)
    statements = postgres_roles(schema, tenant, policy, keep_for=keep_for or ())
    said = _AFTER_ROLES.say(ui_language(), role=role_name(tenant), tenant=tenant)
    lines = [*(f"{statement};" for statement in statements), *(f"-- {line}" for line in said.splitlines())]
    return Reply(lines, lines)


def _model(door: Door, file: Path | None) -> Model:
    from metaagent.data.semantic.loader import load
    from metaagent.sessions.domain import OpenDomain

    found = load(file) if file is not None else OpenDomain(door.settings).model
    if found is None:
        raise ConfigInvalid(_NO_MODEL)
    return found
