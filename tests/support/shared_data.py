"""Larger public data, where it lies beside the repository or where METAAGENT_SHARED_DATA points."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.support.paths import ROOT

FOLDERS = (ROOT.parent / "shared" / "data", Path(os.environ.get("METAAGENT_SHARED_DATA", "-")))


def shared_folder() -> Path | None:
    return next((folder for folder in FOLDERS if folder.is_dir()), None)


def shared_cases() -> list[dict[str, Any]]:
    for folder in FOLDERS:
        file = folder / "pii_cases.jsonl"
        if file.is_file():
            return [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    pytest.skip("pii_cases.jsonl is neither in ../shared/data nor in METAAGENT_SHARED_DATA")
