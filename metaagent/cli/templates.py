"""`metaagent templates`: the templates that documents are made from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from metaagent.cli.door import ANSWERED, FAILED, Door, Reply, write_file
from metaagent.cli.options import CONFIG, DATA_DIR, JSON, Output, command
from metaagent.cli.startup import ui_language
from metaagent.errors import InputRefused, Text

if TYPE_CHECKING:
    from metaagent.documents.templates import Loaded

SHARED = (CONFIG, DATA_DIR, JSON)
Folder = Annotated[
    Path | None,
    typer.Option("--templates", help="A folder of templates; the domain's if empty.", show_default=False),
]
_NO_TEMPLATE = Text(
    en="There is no template {name!r}: `metaagent templates list` names all.",
    ko="서식 {name!r}이(가) 없습니다. `metaagent templates list`로 모두 볼 수 있습니다.",
)
_NO_FOLDER = Text(
    en="{path} is no folder of templates: each lies in a folder of its own, as template.yaml.",
    ko="{path}은(는) 서식 폴더가 아닙니다. 서식마다 폴더를 두고 template.yaml을 넣으세요.",
)
_NONE = Text(en="There are no templates.", ko="서식이 없습니다.")
_RIGHT = Text(en="{count} templates, no problems.", ko="서식 {count}개, 문제 없음.")
_WRITTEN = Text(en="written: {path}", ko="저장됨: {path}")

templates_app = typer.Typer(no_args_is_help=True, help="List, check and preview the templates of documents.")


@command(templates_app, "list", SHARED)
async def listed(door: Door, templates: Folder = None) -> Reply:
    """List the templates: id, version, type of document, languages and name."""
    language = ui_language()
    found = _loaded(door, templates)
    lines = [
        f"{name:<24} {each.template.version:<6} {each.template.document_type:<20} "
        f"{','.join(each.template.languages):<6} {each.template.name.say(language)}"
        for name, each in sorted(found.items())
    ]
    content = [
        {
            "id": name,
            "version": each.template.version,
            "document_type": each.template.document_type,
            "languages": list(each.template.languages),
            "name": each.template.name.model_dump(),
            "file": each.file,
            "hash": each.hash,
            "fields": {n: {"type": f.type, "required": f.required} for n, f in each.template.fields.items()},
        }
        for name, each in sorted(found.items())
    ]
    return Reply(content, lines or [_NONE.say(language)])


@command(templates_app, "check", SHARED)
async def check(door: Door, templates: Folder = None) -> Reply:
    """Judge the templates: every problem with its file, line and remedy; exit code 1 if there is one."""
    from metaagent.documents.templates import TemplatesInvalid, load_templates

    language = ui_language()
    try:
        found = load_templates(_files(door, templates))
    except TemplatesInvalid as error:
        content = [
            {"file": p.file, "line": p.line, "problem": p.text.say(language, **p.params)}
            for p in error.problems
        ]
        return Reply(content, [problem.say(language) for problem in error.problems], FAILED)
    return Reply([], [_RIGHT.say(language, count=len(found))], ANSWERED)


@command(templates_app, "preview", SHARED)
async def preview(
    door: Door,
    template: Annotated[str, typer.Argument(help="The template's id.", metavar="ID")],
    output: Output = None,
    templates: Folder = None,
    form: Annotated[str, typer.Option("--format", help="pdf, docx, hwpx, xlsx, md or html.")] = "pdf",
    language: Annotated[str, typer.Option("--language", help="ko or en.")] = "ko",
) -> Reply:
    """Fill a template with sample data and write the file."""
    from metaagent.documents.files import render_files
    from metaagent.documents.samples import sample_document

    found = _loaded(door, templates)
    if template not in found:
        raise InputRefused(_NO_TEMPLATE, name=template)
    loaded = found[template]
    chosen: Any = language if language in loaded.template.languages else loaded.template.languages[0]
    document = sample_document(loaded, chosen)
    made = await render_files(document, [form], layout=loaded.layout)
    path = output or Path(f"{template}.{form}")
    write_file(path, made[form])
    return Reply({"file": str(path), "bytes": len(made[form])}, [_WRITTEN.say(ui_language(), path=path)])


def _files(door: Door, folder: Path | None) -> dict[str, bytes]:
    from metaagent.documents.templates import read_files
    from metaagent.sessions.domain import OpenDomain

    if folder is None:
        return OpenDomain(door.settings).template_files()
    found = read_files(folder) if folder.is_dir() else {}
    if not found:
        raise InputRefused(_NO_FOLDER, path=folder)
    return found


def _loaded(door: Door, folder: Path | None) -> dict[str, Loaded]:
    from metaagent.documents.templates import load_templates

    return load_templates(_files(door, folder))
