"""`metaagent export`: a table, a chart or a file of an answer as a file."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from metaagent.cli.door import ANSWERED, Door, write_file
from metaagent.cli.options import COMPANY, CONFIG, DATA_DIR, ROLES, USER, Output, Session, command
from metaagent.cli.output import out
from metaagent.cli.startup import started, ui_language
from metaagent.errors import InputRefused, Text

if TYPE_CHECKING:
    from metaagent.documents.table import Table
    from metaagent.ports import ArtifactRef

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


async def export(
    door: Door,
    session: Session,
    artifact: Annotated[str, typer.Argument(help="The artifact, as `ask` names it.")],
    form: Annotated[
        Literal["csv", "xlsx", "json", "png", "svg", "pdf", "docx", "hwpx", "md", "html"] | None,
        typer.Option(
            "--format",
            help="csv, xlsx or json for tables; png, svg, pdf or json for charts; pdf, docx, hwpx, xlsx, md or html for "
            "documents, where it was made. As it is by default.",
        ),
    ] = None,
    output: Output = None,
) -> int:
    """Write a table, a chart or a file of an answer as a file.

    A whole session is written with `sessions export`.
    """
    async with door.open() as app:
        ref = await app.artifact_ref(session, artifact, user=door.user, form=form)
        data = await app.artifact(session, ref.id, user=door.user)
        own = _own_form(ref) if isinstance(data, bytes) else "json"
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


def _own_form(ref: ArtifactRef) -> str:
    """The format that a file was made in."""
    ending = ref.name.rpartition(".")[2].lower()
    return ref.group.format if ref.group else ending if ending.isascii() and ending.isalnum() else "bin"


async def as_file(artifact: Any, form: str) -> bytes | None:
    """The bytes of a table or a chart in this format; None where it has none."""
    from metaagent.level1.execution_manager.quality import form_misfit

    if not isinstance(artifact, dict):
        return None
    if form == "json":
        import orjson

        return orjson.dumps(artifact, option=orjson.OPT_INDENT_2)
    if not form_misfit("dataset", artifact):
        return _table(artifact, form)
    return await _picture(artifact, form)


async def _picture(artifact: dict[str, Any], form: str) -> bytes | None:
    from metaagent.documents.pictures import FORMS, picture

    spec = artifact.get("spec")
    if form not in FORMS or not isinstance(spec, dict):
        return None
    return await picture(cast("dict[str, Any]", spec), form)


def _percentages(table: Table) -> Table:
    """The table with fractions as the percentages that its headings say: a CSV file has no number formats."""
    parts = [column.get("unit") == "ratio" for column in table["columns"]]
    rows = [
        [
            round(c * 100, 6) if part and isinstance(c, int | float) else c
            for part, c in zip(parts, row, strict=True)
        ]
        for row in table["rows"]
    ]
    return {"columns": table["columns"], "rows": rows}


def _table(dataset: dict[str, Any], form: str) -> bytes | None:
    from metaagent.documents.export import Notes, to_csv, to_xlsx
    from metaagent.level2.data_analysis.view import readable

    language = "ko" if dataset.get("language") == "ko" else "en"
    table = readable(dataset["columns"], dataset["rows"])
    if form == "csv":
        return to_csv(_percentages(table), language=language)
    if form == "xlsx":
        notes: Notes = {"title": str(dataset.get("title", "")), "sql": str(dataset.get("sql", ""))}
        return to_xlsx(table, notes=notes, language=language)
    return None
