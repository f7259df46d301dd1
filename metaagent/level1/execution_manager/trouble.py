"""The reason why an attempt of a step did not succeed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Trouble:
    kind: str
    message: str
    after: float | None = None
