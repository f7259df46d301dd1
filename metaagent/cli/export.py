"""`metaagent export`: a table, a chart or a file of an answer as a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal, get_args

import typer

from metaagent.cli.door import ANSWERED, Door, write_file
from metaagent.cli.options import COMPANY, CONFIG, DATA_DIR, ROLES, USER, Output, Session, command
from metaagent.cli.output import out
from metaagent.cli.startup import started, ui_language
from metaagent.errors import InputRefused, Text

_TEXTS = frozenset({"csv", "json", "svg", "md", "html", "txt"})
_WRONG = Text(
    en="Artifact {id} cannot be written as {format}: a table can be csv, xlsx or json, a chart png, svg, pdf or json, a document "
    "what was made of it.",
    ko="산출물 {id}은(는) {format}(으)로 쓸 수 없습니다. 표는 csv, xlsx, json, 차트는 png, svg, pdf, json, 문서는 만들어진 "
    "형식으로 쓸 수 있습니다.",
)
_WRITTEN = Text(en="written: {path} ({size:,} bytes)", ko="저장함: {path} ({size:,}바이트)")
_TO_TERMINAL = Text(
    en="This is not text: give a file with -o.", ko="텍스트가 아닙니다. -o로 파일을 지정하세요."
)


def add_to(app: typer.Typer, panel: str) -> None:
    command(app, "export", (CONFIG, DATA_DIR, USER, COMPANY, ROLES), panel=panel)(export)


Form = Literal["csv", "xlsx", "json", "png", "svg", "pdf", "docx", "hwpx", "md", "html"]


def _form_of(output: Path | None) -> Form | None:
    """The format that a file's name tells: t.csv is never JSON."""
    ending = output.suffix.lower().removeprefix(".") if output is not None else ""
    return next((form for form in get_args(Form) if form == ending), None)


async def export(
    door: Door,
    session: Session,
    artifact: Annotated[str, typer.Argument(help="The artifact, as `ask` names it.")],
    form: Annotated[
        Form | None,
        typer.Option(
            "--format",
            help="csv, xlsx or json for tables; png, svg, pdf or json for charts; pdf, docx, hwpx, xlsx, md or html for "
            "documents, where it was made. By default what the file's name says, else as it is.",
        ),
    ] = None,
    output: Output = None,
) -> int:
    """Write a table, a chart or a file of an answer as a file.

    A whole session is written with `sessions export`.
    """
    from metaagent.sessions.artifact_forms import as_file, own_form

    form = form or _form_of(output)
    async with door.open() as app:
        ref = await app.artifact_ref(session, artifact, user=door.user, form=form)
        data = await app.artifact(session, ref.id, user=door.user)
        own = own_form(ref) if isinstance(data, bytes) else "json"
        wanted = form or own
        content = await as_file(data, wanted) if wanted != own or own == "json" else data
        if content is None:
            raise InputRefused(_WRONG, id=artifact, format=wanted)
        if output is None and wanted not in _TEXTS and out().isatty():
            raise InputRefused(_TO_TERMINAL)
        await app.record_export(session, ref.id, wanted, content, user=door.user)
    started()
    if output is None:
        out().buffer.write(content)
    else:
        write_file(output, content)
        sys.stderr.write(_WRITTEN.say(ui_language(), path=output, size=len(content)) + "\n")
    return ANSWERED
