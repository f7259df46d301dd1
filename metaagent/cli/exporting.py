"""`metaagent export`: a result as a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metaagent.cli.asking import ANSWERED, Door, run
from metaagent.cli.starting import ui_language
from metaagent.errors import InputRefused, Text

if TYPE_CHECKING:
    from metaagent.level2.data_analysis.table import Table

_WRONG = Text(
    en="Artifact {id} cannot be written as {format}: a table can be csv, xlsx or json, a chart png, svg, pdf or json.",
    ko="산출물 {id}은(는) {format}(으)로 쓸 수 없습니다. 표는 csv, xlsx, json, 차트는 png, svg, pdf, json으로 쓸 수 있습니다.",
)
_WRITTEN = Text(en="written: {path} ({size:,} bytes)", ko="저장함: {path} ({size:,}바이트)")
_TO_TERMINAL = Text(
    en="This is not text: give a file with -o.", ko="텍스트가 아닙니다. -o로 파일을 지정하세요."
)


def run_export(door: Door, session: str, artifact: str, form: str, output: Path | None) -> int:
    async def work() -> int:
        async with door.open() as app:
            content = await as_file(await app.artifact(session, artifact, user=door.user), form)
            if content is None:
                raise InputRefused(_WRONG, id=artifact, format=form)
            await app.record_export(session, artifact, form, content, user=door.user)
        _written(content, form, output)
        return ANSWERED

    return run(work)


def _written(content: bytes, form: str, output: Path | None) -> None:
    if output is not None:
        output.write_bytes(content)
        sys.stderr.write(_WRITTEN.say(ui_language(), path=output, size=len(content)) + "\n")
    elif form in {"xlsx", "png", "pdf"} and sys.stdout.isatty():
        raise InputRefused(_TO_TERMINAL)
    else:
        sys.stdout.buffer.write(content)


async def as_file(artifact: Any, form: str) -> bytes | None:
    """The bytes of a table or a chart in this format; None where it has none."""
    if not isinstance(artifact, dict):
        return None
    if form == "json":
        import orjson

        return orjson.dumps(artifact, option=orjson.OPT_INDENT_2)
    if "rows" in artifact and "columns" in artifact:
        return _table(artifact, form)
    return await _picture(artifact, form)


async def _picture(artifact: dict[str, Any], form: str) -> bytes | None:
    from metaagent.level2.data_analysis.pictures import FORMS, picture

    wanted = next((known for known in FORMS if known == form), None)
    spec = artifact.get("spec")
    return await picture(spec, wanted) if wanted and isinstance(spec, dict) else None


def percentages(table: Table) -> Table:
    """A CSV file has no number formats: fractions are written as the percentages that the heading says."""
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
    from metaagent.level2.data_analysis import export
    from metaagent.level2.data_analysis.findings import readable

    language = "ko" if dataset.get("language") == "ko" else "en"
    table = readable(dataset["columns"], dataset["rows"])
    if form == "csv":
        return export.to_csv(percentages(table), language=language)
    if form == "xlsx":
        notes: export.Notes = {"title": str(dataset.get("title", "")), "sql": str(dataset.get("sql", ""))}
        return export.to_xlsx(table, notes=notes, language=language)
    return None
