"""docs/retrieval.md runs, and its table is what the evaluation gives."""

from __future__ import annotations

import re
from typing import Any

from evals.retrieval import KNOWLEDGE, ROOT, MemoryLibrary, cases_of, outcomes, read_folder, table, told
from metaagent.global_state import Citation
from metaagent.level2.retrieval.sources import NAMES
from tests.support.documents import DOCS

TEXT = (DOCS / "retrieval.md").read_text(encoding="utf-8")


def test_the_documentation_runs():
    blocks = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert len(blocks) >= 4
    for block in blocks:
        names: dict[str, Any] = {}
        exec(compile(block, "docs/retrieval.md", "exec"), names)


def test_every_field_of_a_citation_is_documented():
    for name in Citation.__annotations__:
        assert f"`{name}`" in TEXT, name


def test_every_source_is_documented():
    for name in NAMES:
        assert f"| `{name}` |" in TEXT, name


def test_every_promise_names_tests_that_exist():
    promised = TEXT.split("## What is promised")[1]
    named = set(re.findall(r"`(test_\w+)`", promised))
    written = "\n".join(file.read_text("utf-8") for file in (ROOT / "tests").rglob("test_*.py"))
    assert len(named) > 40
    assert {name for name in named if f"def {name}(" not in written} == set()


async def test_the_table_is_what_was_measured():
    library = MemoryLibrary(read_folder(KNOWLEDGE))
    found = await outcomes(cases_of(ROOT / "evals" / "retrieval.yaml"), library)
    written = TEXT.split("<!-- measured: begin -->")[1].split("<!-- measured: end -->")[0].strip()
    assert written.splitlines() == table(found)
    assert f"({len(library.texts)} documents, {len(library.known)} chunks)" in TEXT
    silent = {kind: told(found, kind)[0] for kind in ("unanswerable", "alike", "paraphrase")}
    assert silent == {"unanswerable": 20, "alike": 0, "paraphrase": 6}
