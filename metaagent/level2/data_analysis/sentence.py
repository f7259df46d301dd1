"""One sentence about a result, with the figures that it holds: each says where in the result it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Required

from typing_extensions import TypedDict

from metaagent.documents.format import change_unit, format_value, unit_of
from metaagent.language.particles import Language, with_particle
from metaagent.level2.data_analysis.contribution import OTHERS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Figure(TypedDict):
    """`ref` says where the value stands: `<source>#<JSON pointer>`; `text` how it is written."""

    name: str
    value: int | float
    unit: str
    ref: str
    text: str


class Insight(TypedDict):
    text: str
    figures: list[Figure]
    kind: str
    importance: float


class Subject(TypedDict, total=False):
    """The subject of the result, in the words of the person's language."""

    metric: Required[str]
    unit: str
    period: str
    previous: str
    segment: str
    other: str
    source: str
    noun: str
    """The name of the things that are counted, and their kind: 영업사원, person."""
    thing: str | None
    said: bool
    """The figure itself stands in an earlier sentence."""


class Writer:
    """Holds one result and collects the figures of the sentence being written."""

    def __init__(self, result: Mapping[str, Any], subject: Subject, language: Language) -> None:
        self.result = result
        self.subject = subject
        self.language: Language = language
        self.unit = unit_of(subject.get("unit"))
        self._figures: list[Figure] = []

    def value(self, pointer: str) -> Any:
        return resolve(self.result, pointer)

    def figure(
        self, pointer: str, unit: str | None = None, *, size: bool = False, text: str | None = None
    ) -> str:
        """Writes the number at `pointer`; with `size` without its sign, where the verb already says it."""
        value = self.value(pointer)
        unit = self.unit if unit is None else unit
        text = text or format_value(abs(value) if size else value, unit, self.language)
        name = pointer.rsplit("/", 1)[-1]
        ref = f"{self.subject.get('source', '')}#{pointer}"
        self._figures.append({"name": name, "value": value, "unit": unit, "ref": ref, "text": text})
        return text

    def change(self, pointer: str) -> str:
        return self.figure(pointer, change_unit(self.unit), size=True)

    def p(self) -> str:
        p = self.value("/p")
        return self.figure("/p", "", text="p < 0.001" if p < 0.001 else f"p = {p:.3f}")

    def n(self) -> str:
        return self.figure("/n", "", text=f"n = {self.value('/n'):,}")

    def say(self, kind: str, importance: float, ko: Callable[[], str], en: Callable[[], str]) -> Insight:
        self._figures = []
        text = ko() if self.language == "ko" else en()
        return {
            "text": text[0].upper() + text[1:] if self.language == "en" else text,
            "figures": self._figures,
            "kind": kind,
            "importance": round(max(0.0, min(1.0, importance)), 3),
        }

    @property
    def metric(self) -> str:
        return self.subject["metric"]

    @property
    def metric_within(self) -> str:
        """The metric within an English sentence: sales, and still VAT and Q3 sales."""
        first, _, rest = self.metric.partition(" ")
        return " ".join(filter(None, (first.lower() if first[1:].islower() else first, rest)))

    @property
    def topic(self) -> str:
        """The subject of a Korean sentence: '2024년 12월 매출은'."""
        return with_particle(" ".join(filter(None, (self.subject.get("period"), self.metric))), "은/는")

    @property
    def topic_en(self) -> str:
        period = self.subject.get("period")
        return f"{self.metric} for {period}" if period else self.metric

    @property
    def previous(self) -> str:
        return self.subject.get("previous") or (
            "이전 기간" if self.language == "ko" else "the previous period"
        )

    def name(self, segment: str) -> str:
        if segment == OTHERS:
            return "그 외" if self.language == "ko" else "all others"
        return segment or ("(이름 없음)" if self.language == "ko" else "(no name)")


def resolve(result: Mapping[str, Any], pointer: str) -> Any:
    """The value at a JSON pointer; what stands before '#' in a figure's ref is skipped."""
    found: Any = result
    for key in pointer.rsplit("#", 1)[-1].strip("/").split("/"):
        found = found[int(key)] if isinstance(found, list) else found[key]
    return found


def weight(base: float, percent: float | None) -> float:
    """Importance: what kind of statement it is, plus up to 0.3 for its size (full at 30 %)."""
    return base + 0.3 * min(1.0, abs(percent or 0) / 30)
