"""evals/documents.yaml: enough requests of every sort, and scores that reach their thresholds."""

from __future__ import annotations

from typing import Any

from typer.testing import CliRunner

from metaagent.cli.main import app
from metaagent.yaml_lines import parse
from tests.support.paths import ROOT

FILE = ROOT / "evals" / "documents.yaml"


def test_requests_for_documents_reach_their_thresholds() -> None:
    done = CliRunner().invoke(app, ["eval", str(FILE)])
    assert done.exit_code == 0, done.output


def test_requests_are_of_every_sort() -> None:
    requests: list[dict[str, Any]] = parse(FILE.read_text(encoding="utf-8")).data["requests"]
    assert len(requests) >= 40
    documents = [each for request in requests for each in request["documents"]]
    assert sum("asks" in each for each in documents) >= 5
    assert sum("edit" in each for each in documents) >= 8
    assert sum(len(request["documents"]) > 1 for request in requests) >= 3
    assert sum(request["q"].isascii() for request in requests) >= 8
