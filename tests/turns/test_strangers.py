"""Files of other people's questions: asked through the whole product, judged by their SQL."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from evals import strangers
from evals.judge import RIGHT, SAID, SILENT
from evals.strangers import Mistaken, Place, ask_file, dialogues_of
from metaagent.demo import create_demo

NOW = date(2026, 11, 16)
IN_SEOUL = (
    "SELECT sum(s.sales_amount) FROM sales s JOIN hospitals h USING (hospital_id) WHERE s.company_id = :tenant"
    " AND h.region_name = '{place}' AND s.sale_date BETWEEN '2026-10-01' AND '2026-10-31'"
)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("company") / "small.db"
    create_demo(f"sqlite:///{file}", now=NOW, scale=0.05)
    return file


def written(folder: Path, text: str) -> Path:
    file = folder / "questions.yaml"
    file.write_text(text, encoding="utf-8")
    return file


async def test_questions_and_dialogues_get_their_verdicts(database: Path, tmp_path: Path) -> None:
    seoul, busan = IN_SEOUL.format(place="서울"), IN_SEOUL.format(place="부산")
    file = written(
        tmp_path,
        f"""
- {{id: q1, lang: ko, class: total, question: 지난달 서울 매출, sql: "{seoul}"}}
- {{id: q2, lang: ko, class: total, question: 지난달 서울 매출, sql: "{busan}"}}
- {{id: q3, lang: ko, class: total, question: 지난달 서울 매출, sql_alternatives: ["{busan}", "{seoul}"]}}
- {{id: q4, lang: en, class: unknown, question: zorble revenue last month, expect: refuse}}
- id: d1
  lang: ko
  class: dialogue
  turns:
    - {{question: 지난달 부산 매출, sql: "{busan}"}}
    - {{question: "서울은?", sql: "{seoul}"}}
    - {{question: 김서진 매출, expect: ask}}
""",
    )
    scored = await ask_file(dialogues_of(file), Place(database, "hanbit", NOW))
    verdicts = {one.id: one.verdict for one in scored}
    assert verdicts == {
        "q1": RIGHT,
        "q2": SILENT,
        "q3": RIGHT,
        "q4": RIGHT,
        "d1.1": RIGHT,
        "d1.2": RIGHT,
        "d1.3": RIGHT,
    }
    assert all(one.confidence is not None for one in scored if one.answered)


async def test_a_foreign_database_is_asked_by_a_drafted_model(tmp_path: Path) -> None:
    from evals.generator.schemas import make_world

    world = make_world("music", tmp_path, seed=2)
    file = written(
        tmp_path,
        "- {id: m1, lang: en, class: total, question: how many customers are there, sql: SELECT count(*) FROM customers}",
    )
    scored = await ask_file(dialogues_of(file), Place(world.file, None, world.now, "infer"))
    assert scored[0].verdict in {RIGHT, SAID}
    assert not scored[0].crashed


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "no list"),
        ("- {question: x}", "one of sql"),
        ("- {question: x, expect: maybe}", "expect is one of"),
        ("- {question: x, sql: SELECT nothing FROM nowhere}", "fails"),
        ("- {question: x", "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_used_is_said(
    text: str, said: str, database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert strangers.main([str(written(tmp_path, text)), "--db", str(database)]) == 2
    assert said in capsys.readouterr().err


def test_mistaken_files_raise(tmp_path: Path) -> None:
    with pytest.raises(Mistaken):
        dialogues_of(tmp_path / "none.yaml")
