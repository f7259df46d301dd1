"""`metaagent demo`: the demonstration company, made once and told about."""

from __future__ import annotations

from datetime import datetime

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn
from sqlalchemy.engine import make_url

from metaagent.cli.asking import ANSWERED, Door, ask_one, print_json, run
from metaagent.cli.starting import ui_language
from metaagent.config import DEMO_FILE, Settings, data_url
from metaagent.demo import create_demo
from metaagent.demo.company import DemoSummary
from metaagent.errors import Text

_MAKING = Text(en="making the demonstration company", ko="데모 회사를 만드는 중")
_MADE = Text(en="The demonstration company is ready: {url}", ko="데모 회사가 준비되었습니다: {url}")
_THERE = Text(en="The demonstration company is there already: {url}", ko="데모 회사가 이미 있습니다: {url}")
_ROWS = Text(
    en="  {id} ({name}): {sales:,} sales, {hospitals:,} hospitals, {reps:,} reps, {products:,} products, {start} to {end}",
    ko="  {id} ({name}): 판매 {sales:,}건, 병원 {hospitals:,}곳, 영업사원 {reps:,}명, 제품 {products:,}개, {start}~{end}",
)
_NEXT = Text(
    en='Ask it: metaagent ask "Analyze last month\'s sales in Seoul"{where} (you see {tenant}; --company {other} sees the other)',
    ko='물어보기: metaagent ask "지난달 서울 매출을 분석해줘"{where} (기본은 {tenant}, --company {other}는 다른 회사)',
)

_NAME_FIRST = Text(
    en="First name it: set data.url in the configuration, or METAAGENT_DATA__URL={url}",
    ko="먼저 주소를 설정하세요: 설정 파일의 data.url 또는 METAAGENT_DATA__URL={url}",
)
_ROLE_FIRST = Text(
    en="First make a reading role: metaagent semantic roles > roles.sql, run it with psql, then set data.urls to its address",
    ko="먼저 읽기 역할을 만드세요: metaagent semantic roles > roles.sql을 psql로 실행하고 그 역할의 주소를 data.urls에 설정합니다",
)


QUESTIONS = (
    "어제 매출 얼마야?",
    "지난달 서울 매출을 분석해줘",
    "지난달 매출을 전년 동월과 비교해줘",
    "작년 11월부터 지난달까지 월별 매출 추이",
    "Top 5 hospitals by sales last quarter",
    "지난달 지역별 매출 비중",
    "지난달 실적 보여줘",
    "2019년 매출은?",
)
"""One of each kind: figure, analysis, comparison, trend, ranking, share, a question back, and one that cannot be answered."""


def run_demo(door: Door, url: str | None, seed: int, *, tour: bool = False) -> int:
    async def work() -> int:
        settings = door.settings()
        now = door.moment(settings) if door.now else datetime.now(settings.zone)
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        target = url or settings.data.url or f"sqlite:///{(settings.data_dir / DEMO_FILE).absolute()}"
        summary = _made(target, seed, now.astimezone(settings.zone), quiet=door.as_json)
        if door.as_json:
            print_json(_as_json(summary))
            return ANSWERED
        if tour:
            await _tour(door)
        _tell(summary, settings, door)
        return ANSWERED

    return run(work, as_json=door.as_json)


async def _tour(door: Door) -> None:
    """As a person would ask; a question that waits for an answer is left as it is."""
    console = Console(highlight=False)
    async with door.open() as app:
        for question in QUESTIONS:
            console.print(f"\n[bold cyan]? {escape(question)}[/bold cyan]")
            await ask_one(app, door, question, None)
    console.print()


def _made(url: str, seed: int, now: datetime, *, quiet: bool) -> DemoSummary:
    console = Console(stderr=True, highlight=False, quiet=quiet)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,}/{task.total:,.0f}"),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(_MAKING.say(ui_language()), total=1)

        def told(table: str, done: int, whole: int) -> None:
            bar.update(task, description=table, completed=done, total=whole)

        return create_demo(url, seed=seed, now=now.date(), progress=told)


def _tell(summary: DemoSummary, settings: Settings, door: Door) -> None:
    language = ui_language()
    console = Console(highlight=False)
    console.print((_MADE if summary.created else _THERE).say(language, url=summary.url), soft_wrap=True)
    for company, rows in summary.rows.items():
        console.print(
            _ROWS.say(
                language,
                id=company,
                name=summary.companies[company],
                sales=rows["sales"],
                hospitals=rows["hospitals"],
                reps=rows["sales_reps"],
                products=rows["products"],
                start=summary.start,
                end=summary.end,
            ),
            soft_wrap=True,
        )
    own = settings.data.tenants.get(door.company_id, door.company_id)
    other = next((name for name in summary.companies if name != own), own)
    where = f" --data-dir {door.data_dir}" if door.data_dir else ""
    first = _unset(summary, settings)
    if first is not None:
        console.print(first.say(language, url=summary.url), soft_wrap=True, markup=False)
    console.print(_NEXT.say(language, where=where, tenant=own, other=other), soft_wrap=True, markup=False)


def _unset(summary: DemoSummary, settings: Settings) -> Text | None:
    """What is left to do before questions reach it: data elsewhere must be named, PostgreSQL needs a reading role."""
    url = make_url(summary.url)
    if url.get_backend_name() == "postgresql":
        return _ROLE_FIRST
    configured = data_url(settings)
    return None if configured and make_url(configured).database == url.database else _NAME_FIRST


def _as_json(summary: DemoSummary) -> dict[str, object]:
    return {
        "url": summary.url,
        "seed": summary.seed,
        "start": summary.start.isoformat(),
        "end": summary.end.isoformat(),
        "companies": summary.companies,
        "rows": summary.rows,
        "created": summary.created,
    }
