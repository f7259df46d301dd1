"""Larger public data, which is no part of the project: beside the repository, or where METAAGENT_SHARED_DATA points."""

from __future__ import annotations

import os
from pathlib import Path

from tests.support.paths import ROOT

PUBLIC = ("blns.json", "chinook.sqlite", "jcs", "laws_kr", "pii_cases.jsonl")


def public_file(name: str) -> Path | None:
    folders = [Path(os.environ.get("METAAGENT_SHARED_DATA", "-")), ROOT.parent / "shared" / "data"]
    return next((folder / name for folder in folders if (folder / name).exists()), None)


def missing() -> list[str]:
    return [name for name in PUBLIC if public_file(name) is None]
