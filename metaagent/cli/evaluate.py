"""`metaagent eval`: scores a file of questions against what must come out; below the threshold, exit 1."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from metaagent.cli.door import ANSWERED, FAILED, Door, Reply
from metaagent.cli.options import CONFIG, JSON, NOW, command
from metaagent.errors import ConfigInvalid, InputRefused, Text

if TYPE_CHECKING:
    from datetime import datetime

    from metaagent.config import Settings
    from metaagent.evaluation.gold_sql import Question, Rows

Json = dict[str, Any]
AT = "2026-11-16T12:00+09:00"
_OFFER = {"name": "data_analysis", "agent": "data_analysis", "words": {"ko": [], "en": []}, "permissions": []}
_UNKNOWN = Text(
    en="{file} is no file of questions: it has neither 'cases' (understanding) nor 'questions' (analysis) nor "
    "'judgements' (compliance) nor 'requests' (documents).",
    ko="{file}은(는) 질문 파일이 아닙니다. 'cases'(이해), 'questions'(분석), 'judgements'(규정 준수), 'requests'(문서)가 없습니다.",
)
_UNREADABLE = Text(
    en="{file} cannot be read as a file of questions: {reason}.",
    ko="{file}을(를) 질문 파일로 읽을 수 없습니다: {reason}.",
)
_NO_DOMAIN = Text(
    en="Evaluating needs a domain: set `domain`.", ko="평가에는 도메인이 필요합니다. `domain`을 설정하세요."
)
_NO_DATABASE = Text(
    en="The database {path} of {file} is not there: put it there or set METAAGENT_SHARED_DATA.",
    ko="{file}의 데이터베이스 {path}이(가) 없습니다. 그곳에 두거나 METAAGENT_SHARED_DATA를 지정하세요.",
)


def add_to(app: typer.Typer, panel: str) -> None:
    command(app, "eval", (CONFIG, NOW, JSON), panel=panel)(evaluate)


async def evaluate(
    door: Door,
    file: Annotated[Path, typer.Argument(help="Questions with what must come out (evals/*.yaml).")],
    split: Annotated[str, typer.Option("--split", help="Which half: test is the one that counts.")] = "test",
    misses: Annotated[bool, typer.Option("--misses", help="Show each question that went wrong.")] = False,
) -> Reply:
    """Score understanding or analysis on a file of questions.

    Exit code 1 below the file's threshold.
    """
    kind = _loaded(file)
    if "cases" in kind:
        report = _understanding(door.settings, file, split)
    elif "questions" in kind:
        report = await _analysis(door, file, kind, split)
    elif "judgements" in kind:
        report = _compliance(door.settings, file, kind)
    elif "requests" in kind:
        report = _documents(door.settings, file, kind)
    else:
        raise InputRefused(_UNKNOWN, file=file)
    failed = bool(report["failures"])
    lines = [*_lines(report, misses=misses or failed)]
    return Reply(report, lines, FAILED if failed else ANSWERED)


def _loaded(file: Path) -> Json:
    import yaml

    try:
        data: object = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise InputRefused(_UNREADABLE, file=file, reason=" ".join(str(error).split())) from error
    return cast("Json", data) if isinstance(data, dict) else {}


def _understanding(settings: Settings, file: Path, split: str) -> Json:
    from metaagent.config import domain_folder
    from metaagent.evaluation import understanding
    from metaagent.level1.query_analyzer import analyze

    folder = domain_folder(settings)
    if folder is None:
        raise ConfigInvalid(_NO_DOMAIN)
    suite = understanding.load_suite(file, folder.parent)
    tally = understanding.run(suite, analyze, split)
    scores = tally.scores()
    return {
        "file": str(file),
        "split": split,
        "cases": tally.cases,
        "scores": scores,
        "thresholds": dict(suite.thresholds),
        "failures": understanding.failures(scores, suite.thresholds),
        "misses": tally.misses,
    }


def _compliance(settings: Settings, file: Path, data: Json) -> Json:
    from metaagent.evaluation.compliance import cases_of, scored
    from metaagent.level2.compliance.packs import load_rules
    from metaagent.sessions.domain import OpenDomain

    try:
        cases = cases_of(data)
    except ValueError as error:
        raise InputRefused(_UNREADABLE, file=file, reason=" ".join(str(error).split())) from error
    scores, misses = scored(load_rules(OpenDomain(settings).rule_files()), cases, data["today"])
    least = dict(data.get("thresholds") or {})
    failures = [f"{name} {scores[name]} < {share}" for name, share in least.items() if scores[name] < share]
    return {
        "file": str(file),
        "split": "all",
        "cases": len(cases),
        "scores": scores,
        "thresholds": least,
        "failures": failures,
        "misses": misses,
    }


def _documents(settings: Settings, file: Path, data: Json) -> Json:
    from metaagent.config import domain_folder
    from metaagent.documents.templates import load_templates
    from metaagent.evaluation.documents import scored
    from metaagent.evaluation.understanding import world_context
    from metaagent.level1.query_analyzer import analyze, load_domain
    from metaagent.sessions.domain import OpenDomain

    folder = domain_folder(settings)
    if folder is None:
        raise ConfigInvalid(_NO_DOMAIN)
    context = world_context(_loaded(file.parent / data["world"]), load_domain(folder))
    readings = [analyze(request["q"], context) for request in data["requests"]]
    found = scored(
        data["requests"], readings, load_templates(OpenDomain(settings).template_files()), data["today"]
    )
    scores, least, most = found.shares(), dict(data["thresholds"]), dict(data.get("most") or {})
    failures = [f"{name} {scores[name]} < {share}" for name, share in least.items() if scores[name] < share]
    failures += [f"{name} {scores[name]} > {count}" for name, count in most.items() if scores[name] > count]
    return {
        "file": str(file),
        "split": "all",
        "cases": len(data["requests"]),
        "scores": scores,
        "thresholds": least,
        "failures": failures,
        "misses": found.misses,
    }


async def _analysis(door: Door, file: Path, data: Json, split: str) -> Json:
    """Score on the database that the file names, or on the demonstration company, for both of its tenants."""
    import tempfile

    from metaagent.evaluation.gold_sql import questions

    with tempfile.TemporaryDirectory() as folder:
        settings = _world(door, file, data, Path(folder))
        now = Door(door.config, now=door.now or AT).moment
        asked = [one for one in questions(file, now.date()) if one.split == split]
        wrong: list[tuple[Question, str]] = []
        tenants: list[str] = [str(name) for name in data.get("tenants") or ["hanbit", "saebyeok"]]
        foreign = bool(data.get("database") or data.get("script"))
        for tenant in [""] if foreign else tenants:
            wrong += await _wrong(settings, asked, tenant, now)
    count = len(asked) * (1 if foreign else len(tenants))
    right = round(1 - len(wrong) / max(count, 1), 4)
    threshold = float(data.get("threshold", 0.95))
    return {
        "file": str(file),
        "split": split,
        "cases": count,
        "scores": {"right": right},
        "thresholds": {"right": threshold},
        "failures": [f"right {right:.4f} is below {threshold:.2f}"] if right < threshold else [],
        "misses": [{"id": one.id, "question": one.question, "why": why} for one, why in wrong],
    }


def _world(door: Door, file: Path, data: Json, folder: Path) -> Settings:
    from metaagent.config import load_settings
    from metaagent.demo import create_demo

    overrides: Json = {"data_dir": folder, "domain": data.get("domain", "pharma")}
    if data.get("database") or data.get("script"):
        from metaagent.data.semantic.drafting.infer import infer

        place = _found(file, str(data.get("database") or data["script"]))
        if data.get("script"):
            place = _made(place, folder / "world.db")
        model = folder / "semantic.yaml"
        model.write_text(infer(f"sqlite:///{place}"), encoding="utf-8")
        overrides["data"] = {"url": f"sqlite:///{place}", "model": model}
        return load_settings(door.config, overrides=overrides)
    settings = load_settings(door.config, overrides=overrides)
    now = Door(door.config, now=door.now or AT).moment
    create_demo(f"sqlite:///{folder / 'pharma.db'}", now=now.date())
    return settings


def _made(script: Path, place: Path) -> Path:
    import sqlite3

    connection = sqlite3.connect(place)
    try:
        connection.executescript(script.read_text(encoding="utf-8"))
    finally:
        connection.close()
    return place


def _found(file: Path, name: str) -> Path:
    """Beside the file, or in the folder of shared data."""
    shared = os.environ.get("METAAGENT_SHARED_DATA")
    beside = [folder / "shared" / "data" / name for folder in file.resolve().parents[1:4]]
    places = [file.parent / name, *([Path(shared) / name] if shared else []), *beside]
    for place in places:
        if place.is_file():
            return place.resolve()
    raise InputRefused(_NO_DATABASE, path=places[0], file=file)


async def _wrong(
    settings: Settings, asked: list[Question], tenant: str, now: datetime
) -> list[tuple[Question, str]]:
    import sqlite3

    from metaagent.evaluation.gold_sql import gold, score_questions
    from metaagent.ports import AnalysisInput, User
    from metaagent.sessions.domain import OpenDomain

    opened = OpenDomain(settings)
    reasoner, source = opened.reasoner(), opened.data()
    assert source is not None, "the world has a database"
    user = User(company_id=tenant or "local")
    place = source.place(user)
    assert place is not None, "and it serves everyone"
    file = place.url.removeprefix("sqlite:///")
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)

    async def read(one: Question) -> Json:
        language = "ko" if one.language == "ko" else "en"
        return await reasoner.analyze(
            one.question, AnalysisInput(now, settings.timezone, language, user, (_OFFER,))
        )

    async def answer(reading: Json) -> Rows:
        database = source.open(user, reading["language"])
        assert database is not None
        result = await database.ask(reading["semantic_request"])
        shown = [at for at, column in enumerate(result.columns) if not column.get("hidden")]
        return [tuple(row[at] for at in shown) for row in result.rows]

    try:
        return await score_questions(asked, lambda one: gold(connection, one, tenant or None), read, answer)
    finally:
        connection.close()


def _lines(report: Json, *, misses: bool) -> Iterator[Any]:
    from rich.text import Text as RichText

    yield f"{report['file']}: {report['cases']} ({report['split']})"
    for name, score in report["scores"].items():
        low = report["thresholds"].get(name)
        mark = ("●", "green") if low is None or score >= low else ("✗", "red")
        least = f"  (≥ {low:.2f})" if low is not None else ""
        yield RichText.assemble("  ", mark, f" {name:<15} {score:.4f}{least}")
    for miss in report["misses"] if misses else ():
        yield RichText(f"  {miss}", "dim")
