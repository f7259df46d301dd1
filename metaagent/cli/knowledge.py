"""`metaagent ingest`, `metaagent knowledge` and `metaagent index`: documents that are searched, and what they are found by."""

from __future__ import annotations

import re
import sys
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from metaagent.cli.door import FAILED, Door, Reply, confirmed, print_json, print_lines
from metaagent.cli.options import Yes, command
from metaagent.cli.startup import started, ui_language
from metaagent.errors import InputRefused, Text

if TYPE_CHECKING:
    from collections.abc import Callable

    from metaagent.runtime import MetaAgent

WATCH_SECONDS = 2.0
LONGEST_SHOWN = 4_000
"""Characters of a document's text that are shown where no place is named."""

_DONE = Text(
    en="{collection} ({label}): {added} added, {changed} changed, {moved} moved, {removed} removed, {unchanged} unchanged.",
    ko="{collection} ({label}): 추가 {added}, 변경 {changed}, 이동 {moved}, 삭제 {removed}, 그대로 {unchanged}.",
)
_WOULD = Text(en="Nothing was changed (--dry-run).", ko="아무것도 바꾸지 않았습니다(--dry-run).")
_WATCHING = Text(en="Watching; Ctrl-C ends it.", ko="변경을 지켜봅니다. Ctrl-C로 끝냅니다.")
_NONE = Text(
    en="No documents yet: `metaagent ingest FOLDER` adds some.",
    ko="아직 문서가 없습니다. `metaagent ingest 폴더`로 추가하세요.",
)
_NO_PLACE = Text(
    en="{document} has no place {place!r}. Write offsets (120-340), a page (p3), an article (제47조의2), a row (row 5) or words of "
    "a heading.",
    ko="{document}에 {place!r} 위치가 없습니다. 오프셋(120-340), 쪽(p3), 조문(제47조의2), 행(row 5) 또는 제목의 낱말을 쓰세요.",
)
_SURE = Text(en="Remove {title} ({source})? [y/N] ", ko="{title}({source})을(를) 삭제할까요? [y/N] ")
_KEPT = Text(
    en="Nothing was removed (--yes removes without asking).",
    ko="삭제하지 않았습니다(--yes를 쓰면 묻지 않습니다).",
)
_REMOVED = Text(en="{title} is removed.", ko="{title}을(를) 삭제했습니다.")
_HOLDS = Text(en="Texts, terms and vectors belong together.", ko="본문, 검색어, 벡터가 서로 맞습니다.")
_BROKEN = Text(
    en="{count} problems. `metaagent index rebuild` makes terms and vectors anew.",
    ko="문제 {count}건. `metaagent index rebuild`로 검색어와 벡터를 다시 만들 수 있습니다.",
)
_REBUILT = Text(en="{name} is rebuilt.", ko="{name}을(를) 다시 만들었습니다.")
_READING = Text(en="reading documents", ko="문서를 읽는 중")

_OFFSETS = re.compile(r"(\d+)\s*[-–:]\s*(\d+)")
_PAGE = re.compile(r"(?:p\.?|page|쪽)\s*(\d+)|(\d+)\s*(?:쪽|페이지)", re.IGNORECASE)
_ROW = re.compile(r"(?:row|행)\s*(\d+)|(\d+)\s*행", re.IGNORECASE)

knowledge_app = typer.Typer(no_args_is_help=True, help="See and remove the documents that are searched.")
index_app = typer.Typer(no_args_is_help=True, help="Check and rebuild the index of documents.")

Document = Annotated[str, typer.Argument(help="The document's id.", metavar="ID")]
Collection = Annotated[
    str | None, typer.Option("--collection", help="This collection alone.", show_default=False)
]


def add_to(app: typer.Typer, panel: str) -> None:
    command(app, "ingest", panel=panel)(ingest)
    app.add_typer(knowledge_app, name="knowledge", rich_help_panel=panel)


async def ingest(
    door: Door,
    paths: Annotated[list[Path], typer.Argument(help="Files and folders.", metavar="PATH...")],
    collection: Annotated[str, typer.Option("--collection", help="The collection they go to.")] = "documents",
    label: Annotated[
        str | None,
        typer.Option(
            "--label", help="Sensitivity label of a new collection; `internal` if empty.", show_default=False
        ),
    ] = None,
    mine: Annotated[
        bool, typer.Option("--mine", help="Only for yourself, not for the whole company.")
    ] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Then wait for changes, and take them in.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would change, and change nothing.")
    ] = False,
) -> Reply:
    """Add documents to be searched: Markdown, text, HTML, PDF, DOCX, XLSX, CSV, HWPX and mail.

    Unchanged files are skipped, changed ones replaced, renamed ones moved; documents whose files are gone are removed.
    """
    given = {"collection": collection, "label": label, "mine": mine, "dry_run": dry_run}
    async with door.open() as app:
        reply = await _ingest_once(app, door, paths, given)
        if watch and not dry_run:
            await _watch(app, door, paths, given, reply)
    return reply


async def _ingest_once(app: MetaAgent, door: Door, paths: Sequence[Path], given: Mapping[str, Any]) -> Reply:
    from metaagent.knowledge.extracted import shown_name

    language = ui_language()
    with _bar(door) as tell:
        done = await app.ingest(paths, tell=tell, user=door.user, **given)
    content = _content(done, language)
    counts = {
        name: value if isinstance(value, int) else len(value)
        for name, value in content.items()
        if name in ("added", "changed", "moved", "removed", "unchanged")
    }
    lines = [_DONE.say(language, collection=done["collection"], label=done["label"], **counts)]
    if done["dry_run"]:
        marks = {"added": "+", "changed": "~", "moved": ">", "removed": "-"}
        lines += [f"  {mark} {each}" for name, mark in marks.items() for each in content[name]]
        lines.append(_WOULD.say(language))
    lines += [f"  ! {each['message']}" for each in content["errors"]]
    lines += [
        f"  ! {shown_name(Path(each['source']).name)}: {each['message']}"
        for each in content.get("warnings", ())
    ]
    return Reply(content, lines, FAILED if content["errors"] else 0)


def _content(done: Mapping[str, Any], language: str) -> dict[str, Any]:
    content = {name: value for name, value in done.items() if name != "report"}
    if "report" in done:
        return {**content, **done["report"].as_json(language)}
    errors = [{**each, "message": each["message"].say(language)} for each in done["errors"]]
    return {**content, "errors": errors}


async def _watch(
    app: MetaAgent, door: Door, paths: Sequence[Path], given: Mapping[str, Any], first: Reply
) -> None:
    """Look at sizes and times of the files every few seconds, and ingest when some have changed."""
    import asyncio

    _show(door, first)
    if not door.as_json:
        sys.stderr.write(_WATCHING.say(ui_language()) + "\n")
    seen = _stamps(paths)
    while True:
        await asyncio.sleep(WATCH_SECONDS)
        now = _stamps(paths)
        if now != seen:
            _show(door, await _ingest_once(app, door, paths, given))
            seen = now


def _show(door: Door, reply: Reply) -> None:
    print_json(reply.content) if door.as_json else print_lines(reply.lines)


def _stamps(paths: Iterable[Path]) -> dict[str, tuple[int, int]]:
    """Size and time of every file; one that goes meanwhile is left out."""
    import os

    found: dict[str, tuple[int, int]] = {}
    for path in paths:
        files = [Path(folder) / name for folder, _, names in os.walk(path) for name in names] or [path]
        for file in files:
            try:
                stamp = file.lstat()
            except OSError:
                continue
            found[str(file)] = (stamp.st_size, stamp.st_mtime_ns)
    return found


@contextmanager
def _bar(door: Door) -> Generator[Callable[[int, int, str], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    from metaagent.protection.escaping import for_terminal

    started()
    console = Console(stderr=True, highlight=False, quiet=door.as_json)
    columns = (
        BarColumn(),
        TextColumn("{task.completed:,}/{task.total:,.0f}"),
        TextColumn("{task.fields[name]}", markup=False),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(_READING.say(ui_language()), total=1, name="")

        def tell(done: int, whole: int, name: str) -> None:
            bar.update(task, completed=done, total=whole, name=for_terminal(name)[:60])

        yield tell


@command(knowledge_app, "list")
async def list_(door: Door, collection: Collection = None) -> Reply:
    """List the documents that you may search."""
    async with door.open() as app:
        found = await app.knowledge_list(collection, user=door.user)
    # A file name may hold line ends: what is listed is one line each.
    lines = [
        f"{each['id']} {each['collection']} ({each['label']}) {each['title']} — {' '.join(each['source'].split())}"
        for each in found
    ]
    return Reply(found, lines or [_NONE.say(ui_language())])


@command(knowledge_app, "show")
async def show(
    door: Door,
    document: Document,
    at: Annotated[
        str | None,
        typer.Option(
            "--at",
            help="The place that a citation names: offsets (120-340), a page (p3), an article, a row or words of a heading.",
            show_default=False,
        ),
    ] = None,
) -> Reply:
    """Show a document, or the passage at a place of it."""
    async with door.open() as app:
        if at is None:
            found = await app.knowledge_show(document, end=LONGEST_SHOWN, user=door.user)
            return Reply(found, [*_about(found), "", found["text"]])
        spans = await _spans(app, door, document, at)
        parts = [
            await app.knowledge_show(document, start=start, end=end, user=door.user) for start, end in spans
        ]
    if not parts or not any(part["text"] for part in parts):
        raise InputRefused(_NO_PLACE, document=document, place=at)
    passages = [
        {"start": part["start"], "end": part["start"] + len(part["text"]), "text": part["text"]}
        for part in parts
    ]
    return Reply(
        {
            **{name: value for name, value in parts[0].items() if name not in ("start", "text")},
            "passages": passages,
        },
        [
            *_about(parts[0]),
            *(line for each in passages for line in ("", f"[{each['start']}-{each['end']}]", each["text"])),
        ],
    )


async def _spans(app: MetaAgent, door: Door, document: str, at: str) -> list[tuple[int, int]]:
    offsets = _OFFSETS.fullmatch(at.strip())
    if offsets:
        return [(int(offsets[1]), int(offsets[2]))]
    chunks = await app.knowledge_places(document, user=door.user)
    return [(chunk["start"], chunk["end"]) for chunk in chunks if is_at(chunk["place"], at)]


def is_at(place: Mapping[str, Any], at: str) -> bool:
    """Tells whether a place is the one that a person names."""
    wanted = " ".join(at.split())
    for pattern, name in ((_PAGE, "page"), (_ROW, "row")):
        found = pattern.fullmatch(wanted)
        if found:
            return place.get(name) == int(found[1] or found[2])
    article = str(place.get("article") or "").replace(" ", "")
    named = wanted.replace(" ", "")
    if article and (article == named or re.match(rf"{re.escape(named)}(?!의|\d)", article)):
        return True
    return (
        not re.fullmatch(r"제?\d+조.*", named)
        and wanted.casefold() in str(place.get("heading") or "").casefold()
    )


def _about(document: Mapping[str, Any]) -> list[str]:
    dates = " – ".join(filter(None, (document.get("valid_from"), document.get("valid_to"))))
    return [
        f"{document['title']}{f' ({dates})' if dates else ''}",
        f"  {document['id']} · {document['collection']} ({document['label']}) · {document['media_type']}",
        f"  {document['source']}",
    ]


@command(knowledge_app, "remove")
async def remove(door: Door, document: Document, yes: Yes = False) -> Reply:
    """Remove a document: its text, terms and vectors."""
    language = ui_language()
    async with door.open() as app:
        found = await app.knowledge_show(document, end=1, user=door.user)
        if not yes and not confirmed(_SURE.say(language, title=found["title"], source=found["source"])):
            return Reply({"removed": None}, [_KEPT.say(language)], FAILED)
        gone = await app.knowledge_remove(document, user=door.user)
    return Reply({"removed": gone}, [_REMOVED.say(language, title=gone["title"])])


@command(index_app, "status")
async def status(door: Door) -> Reply:
    """Show the collections that you may see, and what they are searched by."""
    async with door.open() as app:
        found = await app.index_status(user=door.user)
    lines = [
        f"{each['name']} ({each['label']}, {each['owner']}): {each['documents']:,} documents, {each['chunks']:,} chunks, "
        + ", ".join(f"{index['state']} {index['tokenizer']} {index['embedder']}" for index in each["indexes"])
        for each in found
    ]
    return Reply(found, lines or [_NONE.say(ui_language())])


@command(index_app, "verify")
async def verify(door: Door, collection: Collection = None) -> Reply:
    """Check that texts, terms and vectors belong together."""
    language = ui_language()
    async with door.open() as app:
        found = await app.index_verify(collection, user=door.user)
    problems = [(name, each) for name, some in found["collections"].items() for each in some]
    lines = [f"  {name}: {each['kind']} {each['what']}" for name, each in problems]
    if problems:
        return Reply(found, [*lines, _BROKEN.say(language, count=len(problems))], FAILED)
    return Reply(found, [_HOLDS.say(language)])


@command(index_app, "rebuild")
async def rebuild(door: Door, collection: Collection = None) -> Reply:
    """Make terms and vectors anew; the old ones serve until the new ones are there."""
    async with door.open() as app:
        with _bar(door) as tell:
            names = await app.index_rebuild(
                collection, tell=lambda done, whole: tell(done, whole, ""), user=door.user
            )
    return Reply({"rebuilt": names}, [_REBUILT.say(ui_language(), name=name) for name in names])
