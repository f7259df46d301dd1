"""`metaagent connect`: from the address of a database to the first question about it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from metaagent.cli.door import Door, Reply, write_file
from metaagent.cli.options import NOW, PERSON, command
from metaagent.cli.startup import ui_language
from metaagent.errors import Text

if TYPE_CHECKING:
    from metaagent.data.semantic.connecting import Fitted
    from metaagent.sessions.topics import Topics

_CONNECTED = Text(
    en="{name} is connected: {tables} tables, {metrics} figures, {dimensions} ways to split them.",
    ko="{name}에 연결했습니다. 테이블 {tables}개, 지표 {metrics}개, 나눠 볼 기준 {dimensions}개.",
)
_LEFT_OUT = Text(en="Left out: {table}: {reason}.", ko="제외: {table}: {reason}.")
_MODEL = Text(
    en="The model to read and correct: {path}\nThen check it: metaagent semantic check{options}",
    ko="읽고 고칠 모델: {path}\n고친 다음 확인: metaagent semantic check{options}",
)
_KEPT = Text(
    en="Your model was kept as it is; only the generated words are new. --replace drafts it anew.",
    ko="기존 모델은 그대로 두고 생성된 단어만 새로 썼습니다. 새로 만들려면 --replace를 쓰세요.",
)
_PASSWORD = Text(
    en="The password is not written down: set PGPASSWORD or METAAGENT_DATA__URL when you ask.",
    ko="비밀번호는 저장하지 않습니다. 질문할 때 PGPASSWORD나 METAAGENT_DATA__URL을 설정하세요.",
)
_NEXT = Text(en="Ask, for example:", ko="이렇게 물어보세요:")
_NO_QUESTION = Text(
    en="No question could be answered yet: see what `metaagent semantic check{options}` says, and correct the model.",
    ko="아직 답할 수 있는 질문이 없습니다. `metaagent semantic check{options}`를 보고 모델을 고치세요.",
)
_TOPICS = Text(
    en="All that can be asked: metaagent topics{options}", ko="물어볼 수 있는 것: metaagent topics{options}"
)


def add_to(app: typer.Typer, panel: str) -> None:
    command(app, "connect", (*PERSON, NOW), panel=panel)(connect)


async def connect(
    door: Door,
    url: Annotated[
        str, typer.Argument(help="A SQLite or DuckDB file, or an address: postgresql://HOST/DATABASE.")
    ],
    name: Annotated[
        str | None,
        typer.Option("--name", help="What to call it; the database's name if empty.", show_default=False),
    ] = None,
    tenant: Annotated[
        str | None,
        typer.Option(
            "--tenant", help="Whose rows, where every table has a column for that.", show_default=False
        ),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Draft the model anew, over your changes.")
    ] = False,
) -> Reply:
    """Connect a database: describe it, check that, and make it what questions are about from now on.

    Nothing in the database is changed. The model is a draft to read and correct.
    """
    from metaagent.data.semantic.connecting import address, fitted, folder_name

    place = address(url)
    called = folder_name(f"x:///{name}") if name else folder_name(place)
    made = fitted(place, called, tenant=tenant)
    file = door.settings.data_dir.absolute() / "domains" / called / "semantic.yaml"
    kept = _write(door, made, file, place, tenant, replace=replace)
    found = await _topics(door)
    lines = [*_lines(door, made, file, found, kept=kept, password=_has_password(place))]
    content = {
        "name": called,
        "model": str(file),
        "kept": kept,
        "notes": [note.say(ui_language()) for note in made.notes],
        "left_out": [{"table": one.table, "reason": one.reason.say(ui_language())} for one in made.left_out],
        **({"topics": found.as_json()} if found else {}),
    }
    return Reply(content, lines)


def _write(door: Door, made: Fitted, file: Path, url: str, tenant: str | None, *, replace: bool) -> bool:
    """Write the model, its generated part and, last, the settings that make it the active one. True if an edited
    model was kept."""
    import yaml
    from sqlalchemy.engine import make_url

    from metaagent.config import CONNECTED_FILE
    from metaagent.data.semantic.loader import generated_file

    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    kept = file.exists() and not replace
    if not kept:
        write_file(file, made.text.encode())
    write_file(generated_file(file), made.generated.encode())
    stored = make_url(url)._replace(password=None).render_as_string(hide_password=False)
    data: dict[str, Any] = {"url": stored, **({"tenants": {door.company_id: tenant}} if tenant else {})}
    text = yaml.safe_dump({"domain": made.name, "data": data}, sort_keys=False, allow_unicode=True)
    write_file(door.settings.data_dir / CONNECTED_FILE, text.encode())
    return kept


def _has_password(url: str) -> bool:
    from sqlalchemy.engine import make_url

    return make_url(url).password is not None


async def _topics(door: Door) -> Topics | None:
    """The topics of what is connected now: with the settings read anew."""
    fresh = Door(
        door.config,
        door.data_dir,
        user_id=door.user_id,
        company_id=door.company_id,
        roles=door.roles,
        now=door.now,
        as_json=door.as_json,
    )
    async with fresh.open() as app:
        return await app.topics(language=ui_language(), most=3, user=fresh.user)


def _lines(
    door: Door, made: Fitted, file: Path, topics: Topics | None, *, kept: bool, password: bool
) -> Iterator[str]:
    language, model = ui_language(), made.model
    yield _CONNECTED.say(
        language,
        name=made.name,
        tables=len({table.table or name for name, table in model.tables.items()}),
        metrics=len(model.metrics),
        dimensions=len(model.dimensions),
    )
    yield from (f"  {note.say(language)}" for note in made.notes)
    for one in made.left_out:
        yield "  " + _LEFT_OUT.say(language, table=one.table, reason=one.reason.say(language))
    yield from _MODEL.say(language, path=file, options=door.options).splitlines()
    if kept:
        yield _KEPT.say(language)
    if password:
        yield _PASSWORD.say(language)
    asked = topics.questions if topics else ()
    if not asked:
        yield _NO_QUESTION.say(language, options=door.options)
        return
    yield _NEXT.say(language)
    yield from (f'  metaagent ask "{question}"{door.options}' for question in asked)
    yield _TOPICS.say(language, options=door.options)
