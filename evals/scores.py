"""Counting verdicts: by class, language, world and noise; how sure right and wrong answers were; what that is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evals.judge import RIGHT, SAID, SILENT

BINS = 10


@dataclass(frozen=True)
class Scored:
    """One judged question."""

    id: str
    cls: str
    language: str
    world: str
    question: str
    verdict: str
    confidence: float | None
    answered: bool
    doubted: bool = False
    held_out: bool = False
    noise: tuple[str, ...] = ()
    why: str = ""
    crashed: bool = False
    has_figure: bool = True
    """There is a figure that answers the question; where there is none, a figure given with a doubt is none either."""
    reading: Mapping[str, Any] | None = None
    """The features of the reading and the confidence in it."""

    @property
    def right_figure(self) -> bool:
        return self.verdict == RIGHT and self.has_figure


def summary(scored: Sequence[Scored]) -> dict[str, Any]:
    """Shares of the verdicts, the mean confidence of each, and the worth of confidence among answers."""
    count = len(scored)
    made: dict[str, Any] = {"n": count}
    for verdict in (RIGHT, SAID, SILENT):
        held = [one for one in scored if one.verdict == verdict]
        made[verdict] = round(len(held) / count, 4) if count else 0.0
        sure = [one.confidence for one in held if one.confidence is not None and one.answered]
        made[f"{verdict}_confidence"] = round(sum(sure) / len(sure), 3) if sure else None
    made["crashes"] = sum(one.crashed for one in scored)
    made["false_alarms"] = sum(one.verdict == RIGHT and one.doubted and one.answered for one in scored)
    answers = [
        (one.confidence, one.right_figure) for one in scored if one.answered and one.confidence is not None
    ]
    made["ece"], made["auroc"] = calibration_error(answers), auroc(answers)
    return made


def calibration_error(answers: Sequence[tuple[float, bool]]) -> float | None:
    """The mean distance of confidence from the share that is right, over equal bins weighted by their size."""
    if not answers:
        return None
    whole = 0.0
    for number in range(BINS):
        held = [one for one in answers if min(int(one[0] * BINS), BINS - 1) == number]
        if held:
            sure = sum(confidence for confidence, _ in held) / len(held)
            right = sum(good for _, good in held) / len(held)
            whole += abs(sure - right) * len(held) / len(answers)
    return round(whole, 4)


def auroc(answers: Sequence[tuple[float, bool]]) -> float | None:
    """How often a right answer is surer than a wrong one; equal confidence counts half."""
    right = sorted(confidence for confidence, good in answers if good)
    wrong = sorted(confidence for confidence, good in answers if not good)
    if not right or not wrong:
        return None
    order = sorted([*right, *wrong])
    places: dict[float, float] = {}
    at = 0
    while at < len(order):
        end = at
        while end < len(order) and order[end] == order[at]:
            end += 1
        places[order[at]] = (at + 1 + end) / 2
        at = end
    ranks = sum(places[one] for one in right)
    return round((ranks - len(right) * (len(right) + 1) / 2) / (len(right) * len(wrong)), 4)


def report(scored: Sequence[Scored]) -> dict[str, Any]:
    seen = [one for one in scored if not one.held_out]
    hidden = [one for one in scored if one.held_out]
    return {
        "all": summary(scored),
        "open": summary(seen),
        "held_out": summary(hidden),
        "language": _by(scored, lambda one: [one.language]),
        "world": _by(scored, lambda one: [one.world]),
        "noise": _by(scored, lambda one: one.noise or ("none",)),
        "class": _by(scored, lambda one: [one.cls + (" (held out)" if one.held_out else "")]),
        "class_language": _by(scored, lambda one: [f"{one.cls} {one.language}"]),
    }


def _by(scored: Iterable[Scored], names: Callable[[Scored], Iterable[str]]) -> dict[str, Any]:
    parts: dict[str, list[Scored]] = {}
    for one in scored:
        for name in names(one):
            parts.setdefault(name, []).append(one)
    return {name: summary(part) for name, part in sorted(parts.items())}


_COLUMNS = {
    "n": "n",
    "right": "right",
    "said": "said",
    "silent": "silently wrong",
    "right_confidence": "conf. right",
    "silent_confidence": "conf. silent",
    "false_alarms": "false alarms",
    "crashes": "crashes",
    "ece": "ECE",
    "auroc": "AUROC",
}


def markdown(made: dict[str, Any]) -> str:
    lines = [_table("group", {name: made[name] for name in ("all", "open", "held_out")})]
    lines += [_table(name, made[name]) for name in ("language", "world", "noise", "class")]
    return "\n".join(lines)


def _table(title: str, rows: dict[str, Any]) -> str:
    lines = [
        f"| {title} | " + " | ".join(_COLUMNS.values()) + " |",
        "|---" * (len(_COLUMNS) + 1) + "|",
    ]
    for name, row in rows.items():
        cells = ["–" if row[key] is None else _cell(key, row[key]) for key in _COLUMNS]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _cell(key: str, value: float) -> str:
    return f"{100 * value:.1f} %" if key in {"right", "said", "silent"} else str(value)
