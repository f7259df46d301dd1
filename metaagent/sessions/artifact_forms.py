"""Artifacts as files: tables as CSV or XLSX, charts as pictures, documents as they were made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from metaagent.documents.table import Table
    from metaagent.ports import ArtifactRef


def own_form(ref: ArtifactRef) -> str:
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
