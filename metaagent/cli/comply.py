"""`metaagent comply`: judges a file or the expense book by the rule packs, without a conversation."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from metaagent.cli.door import ANSWERED, BLOCKED, Door, Reply, write_file
from metaagent.cli.options import NOW, PERSON, Output, command
from metaagent.cli.startup import ui_language
from metaagent.errors import InputRefused, Text, os_problem

LARGEST = 20_000_000
_ONE = Text(
    en="Name either a file or --expenses PERIOD, not both.",
    ko="파일이나 --expenses 기간 가운데 하나만 지정하세요.",
)
_NONE = Text(
    en="Name what to judge: a file, or --expenses PERIOD for the expense book.",
    ko="판정할 파일을 지정하거나, 지출 내역을 판정하려면 --expenses 기간을 지정하세요.",
)
_NO_FILE = Text(
    en="{path} cannot be read: {problem}. Name a file that is there and that you may read.",
    ko="{path}을(를) 읽을 수 없습니다: {problem}. 읽을 수 있는 파일을 지정하세요.",
)
_TOO_LARGE = Text(
    en="{path} is larger than {most} bytes: judge it in parts.",
    ko="{path}이(가) {most}바이트보다 큽니다. 나누어 판정하세요.",
)
_NO_PERIOD = Text(
    en="{value!r} is no period: write 2026, 2026-Q3, 2026-10, 2026-10-05 or 2026-10-01..2026-10-31.",
    ko="{value!r}은(는) 기간이 아닙니다. 2026, 2026-Q3, 2026-10, 2026-10-05, 2026-10-01..2026-10-31처럼 쓰세요.",
)


def add_to(app: typer.Typer, panel: str) -> None:
    command(app, "comply", (*PERSON, NOW), panel=panel)(comply)


async def comply(
    door: Door,
    file: Annotated[
        Path | None,
        typer.Argument(
            help="A text, a PDF or office file, or expenses in CSV, XLSX or JSON.", show_default=False
        ),
    ] = None,
    expenses: Annotated[
        str | None,
        typer.Option(
            "--expenses",
            help="The expense book of a period: 2026, 2026-Q3, 2026-10, 2026-10-05, 2026-10-01..2026-10-31.",
            show_default=False,
        ),
    ] = None,
    pack: Annotated[
        list[str] | None,
        typer.Option("--pack", help="Only this rule pack (repeatable).", show_default=False),
    ] = None,
    output: Output = None,
) -> Reply:
    """Judge a document or the expense book; exit code 5 if something blocks."""
    from metaagent.level2.compliance.packs import load_rules
    from metaagent.level2.compliance.report import report
    from metaagent.sessions.domain import OpenDomain

    if (file is None) == (expenses is None):
        raise InputRefused(_NONE if file is None else _ONE)
    language, packs = ui_language(), pack or []
    async with door.open() as app:
        if file is not None:
            content = _content(file)
            verdict = await app.judge_file(file.name, content, packs=packs, language=language, user=door.user)
        else:
            first, last = _span(expenses or "")
            verdict = await app.judge_expenses(first, last, packs=packs, language=language, user=door.user)
    book = load_rules(OpenDomain(door.settings).rule_files())
    text = report(verdict, book.only(packs) if packs else book, language)
    if output is not None:
        write_file(output, text.encode())
    return Reply(verdict, [] if output else text.splitlines(), BLOCKED if verdict["blocks"] else ANSWERED)


def _content(file: Path) -> bytes:
    try:
        size = file.stat().st_size
        content = file.read_bytes() if size <= LARGEST else b""
    except OSError as error:
        raise InputRefused(_NO_FILE, path=file, problem=os_problem(error)) from error
    if size > LARGEST:
        raise InputRefused(_TOO_LARGE, path=file, most=LARGEST)
    return content


def _span(value: str) -> tuple[date, date]:
    from metaagent.level2.data_analysis.periods import bucket_span

    ends = re.fullmatch(r"(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})", value.strip())
    if ends is None:
        found = bucket_span(value.strip())
        if found is None:
            raise InputRefused(_NO_PERIOD, value=value)
        return found
    try:
        first, last = date.fromisoformat(ends[1]), date.fromisoformat(ends[2])
    except ValueError as error:
        raise InputRefused(_NO_PERIOD, value=value) from error
    if last < first:
        raise InputRefused(_NO_PERIOD, value=value)
    return first, last
