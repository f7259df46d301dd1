"""`metaagent demo`: makes the demonstration company, once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from metaagent.cli.door import Door, Reply, print_lines
from metaagent.cli.options import NOW, PLACE, command
from metaagent.cli.startup import started, ui_language
from metaagent.errors import Text

if TYPE_CHECKING:
    from metaagent.config import Settings
    from metaagent.demo.company import DemoSummary

_MAKING = Text(en="making the demonstration company", ko="데모 회사를 만드는 중")
_MADE = Text(en="The demonstration company is ready: {url}", ko="데모 회사가 준비되었습니다: {url}")
_THERE = Text(en="The demonstration company is there already: {url}", ko="데모 회사가 이미 있습니다: {url}")
_ROWS = Text(
    en="  {id} ({name}): {sales:,} sales, {hospitals:,} hospitals, {reps:,} reps, {products:,} products, {start} to {end}",
    ko="  {id} ({name}): 판매 {sales:,}건, 병원 {hospitals:,}곳, 영업사원 {reps:,}명, 제품 {products:,}개, {start}~{end}",
)
_DOCUMENTS = Text(
    en='{count} documents of {tenant} can be searched: metaagent ask "What is the meal limit at a product briefing?"{where}',
    ko='{tenant} 문서 {count}건을 찾아볼 수 있습니다: metaagent ask "제품설명회 식음료 한도가 얼마야?"{where}',
)
_NEXT = Text(
    en='Ask it: metaagent ask "Analyze last month\'s sales in Seoul"{where} (you see {tenant}; --company {other} sees the other)',
    ko='물어보기: metaagent ask "지난달 서울 매출을 분석해줘"{where} (기본은 {tenant}, --company {other}은(는) 다른 회사)',
)

_NAME_FIRST = Text(
    en="First name it: set data.url in the configuration, or METAAGENT_DATA__URL={url}",
    ko="먼저 주소를 설정하세요: 설정 파일의 data.url 또는 METAAGENT_DATA__URL={url}",
)
_ROLE_FIRST = Text(
    en="First make a reading role: metaagent semantic roles > roles.sql, run it with psql, then set data.urls to its address",
    ko="먼저 읽기 역할을 만드세요: metaagent semantic roles > roles.sql을 psql로 실행하고 그 역할의 주소를 data.urls에 설정합니다",
)


QUESTIONS = {
    "ko": (
        "어제 매출 얼마야?",
        "지난달 서울 매출을 분석해줘",
        "지난달 매출을 전년 동월과 비교해줘",
        "작년 11월부터 지난달까지 월별 매출 추이",
        "Top 5 hospitals by sales last quarter",
        "지난달 지역별 매출 비중",
        "제품설명회 식음료 한도가 얼마야?",
        "지난달 서울 매출로 보고서 작성해줘",
        "지난달 실적 보여줘",
        "2019년 매출은?",
    ),
    "en": (
        "How much were sales yesterday?",
        "Analyze last month's sales in Seoul",
        "Compare last month's sales with the same month of last year",
        "Monthly sales trend of the last 12 months",
        "지난 분기 매출 상위 5개 병원",
        "Share of sales by region last month",
        "What is the meal limit at a product briefing?",
        "Write a report on last month's sales in Seoul",
        "Show last month's performance",
        "What were the sales in 2019?",
    ),
}
"""One of each kind, in the language of the terminal and one in the other: figure, analysis, comparison, trend, ranking, share, a
search, a document, a question back, and one that cannot be answered."""


def add_to(app: typer.Typer, panel: str) -> None:
    command(app, "demo", (*PLACE, NOW), panel=panel)(demo)


async def demo(
    door: Door,
    url: Annotated[
        str | None,
        typer.Option("--url", help="Make it in this database instead (SQLAlchemy URL).", show_default=False),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Another seed gives other figures.")] = 7,
    tour: Annotated[bool, typer.Option("--tour", help="Then ask one question of each kind.")] = False,
) -> Reply:
    """Make the demonstration company.

    Two years of a pharmaceutical company's sales, up to yesterday.
    """
    from metaagent.config import DEMO_FILE

    settings = door.settings
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    target = url or settings.data.url or f"sqlite:///{(settings.data_dir / DEMO_FILE).absolute()}"
    summary = _made(door, target, seed)
    async with door.open() as app:
        documents = await app.ingest_domain(user=door.user)
    if tour and not door.as_json:
        await _tour(door)
    counted = {"documents": documents}
    content = {
        **asdict(summary),
        **counted,
        "start": summary.start.isoformat(),
        "end": summary.end.isoformat(),
    }
    told = {"count": documents, "tenant": _tenant(door), "where": door.options}
    lines = [
        *_lines(summary, door),
        *([_DOCUMENTS.say(ui_language(), **told)] if documents else []),
    ]
    return Reply(content, lines)


async def _tour(door: Door) -> None:
    """Ask as a person would; a question that waits for an answer is left as it is."""
    from rich.text import Text as RichText

    from metaagent.cli.follow import follow

    async with door.open() as app:
        for question in QUESTIONS[ui_language()]:
            print_lines(["", RichText(f"? {question}", "bold cyan")])
            await follow(app, door, app.stream(question, user=door.user))
    print_lines([""])


def _made(door: Door, url: str, seed: int) -> DemoSummary:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    from metaagent.demo import create_demo

    started()
    console = Console(stderr=True, highlight=False, quiet=door.as_json)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,}/{task.total:,.0f}"),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(_MAKING.say(ui_language()), total=1)

        def told(table: str, done: int, whole: int) -> None:
            bar.update(task, description=table, completed=done, total=whole)

        today = door.moment.astimezone(door.settings.zone).date()
        return create_demo(url, seed=seed, now=today, progress=told)


def _lines(summary: DemoSummary, door: Door) -> Iterator[str]:
    language, settings = ui_language(), door.settings
    yield (_MADE if summary.created else _THERE).say(language, url=summary.url)
    for company, rows in summary.rows.items():
        names = {"id": company, "name": summary.companies[company], "reps": rows["sales_reps"]}
        yield _ROWS.say(language, **rows, **names, start=summary.start, end=summary.end)
    first = _unset(summary, settings)
    if first is not None:
        yield first.say(language, url=summary.url)
    own = _tenant(door)
    other = next((name for name in summary.companies if name != own), own)
    yield _NEXT.say(language, where=door.options, tenant=own, other=other)


def _unset(summary: DemoSummary, settings: Settings) -> Text | None:
    """The step that is left before questions reach it: data elsewhere must be named, PostgreSQL needs a reading role."""
    from sqlalchemy.engine import make_url

    from metaagent.config import data_url

    url = make_url(summary.url)
    if url.get_backend_name() == "postgresql":
        return _ROLE_FIRST
    configured = data_url(settings)
    return None if configured and make_url(configured).database == url.database else _NAME_FIRST


def _tenant(door: Door) -> str:
    """The company of the data that the person sees."""
    return door.settings.data.tenants.get(door.company_id, door.company_id)
