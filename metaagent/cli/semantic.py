"""`metaagent semantic`: draft a semantic model from a database, and check one against it. Never shows data."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from metaagent.cli.asking import ANSWERED, FAILED, Door, print_json, run
from metaagent.cli.starting import ui_language
from metaagent.config import data_url
from metaagent.errors import ConfigInvalid, Text
from metaagent.sessions.domain import OpenDomain

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


def run_infer(url: str, output: Path | None) -> int:
    async def work() -> int:
        from metaagent.data.semantic.infer import infer

        text = infer(url)
        _written(text, output)
        return ANSWERED

    return run(work)


def _written(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(text)
    else:
        output.write_text(text, encoding="utf-8")


def run_roles(door: Door, model: Path | None, schema: str, keep_for: Sequence[str]) -> int:
    """SQL for an administrator of a PostgreSQL database: one reading role per company, with its views."""

    async def work() -> int:
        from metaagent.data.postgres import postgres_roles, role_name
        from metaagent.data.semantic.loader import load
        from metaagent.data.semantic.policies import compiled_policy

        settings = door.settings()
        found = load(model) if model is not None else OpenDomain(settings).model
        if found is None:
            raise ConfigInvalid(_NO_MODEL)
        tenant = settings.data.tenants.get(door.company_id, door.company_id)
        statements = postgres_roles(schema, tenant, compiled_policy(found, tenant), keep_for=keep_for)
        role = role_name(tenant)
        said = _AFTER_ROLES.say(ui_language(), role=role, tenant=tenant)
        sys.stdout.write("".join(f"{statement};\n" for statement in statements))
        sys.stdout.write("".join(f"-- {line}\n" for line in said.splitlines()))
        return ANSWERED

    return run(work)


def run_check(door: Door, url: str | None, model: Path | None) -> int:
    async def work() -> int:
        from metaagent.data.semantic.check import check
        from metaagent.data.semantic.loader import load

        settings = door.settings()
        found = load(model) if model is not None else OpenDomain(settings).model
        place = url or data_url(settings)
        if found is None:
            raise ConfigInvalid(_NO_MODEL)
        if place is None:
            raise ConfigInvalid(_NO_URL)
        language = ui_language()
        problems = [(str(p.path), p.what.say(language)) for p in check(found, place)]
        if door.as_json:
            print_json(
                {"model": found.name, "problems": [{"at": at, "message": said} for at, said in problems]}
            )
        else:
            console = Console(highlight=False)
            for at, said in problems:
                console.print(f"[red]✗ {escape(at)}[/red] {escape(said)}", soft_wrap=True)
            if not problems:
                console.print(_FITS.say(language, name=found.name))
        return FAILED if problems else ANSWERED

    return run(work, as_json=door.as_json)
