"""The search itself: one reading says which detectors are worth running, and what they find becomes findings of the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaagent.protection.redaction._normalised import Plain, plain
from metaagent.protection.redaction._number_owners import names_beside
from metaagent.protection.redaction._table_names import cells
from metaagent.protection.redaction.conditions import DETECTORS, SPELLING, SPREAD, needs, windows
from metaagent.protection.redaction.finding import Finding, Hit, best_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from metaagent.protection.redaction.known import KnownNames

_LONG, _MOST = 2_000, 0.7
_SEARCHES = tuple(detector.hits for detector in DETECTORS)


def search(text: str, names: KnownNames | None) -> list[Finding]:
    """Find what is sensitive in the plain spelling of the text, and say where it stands in the text itself."""
    needed = needs(text)
    # Most texts need nothing: the one place that every text has is no detector.
    if len(needed) == 1 and names is None:
        return []
    spread = SPREAD in needed
    view = plain(text, spread=spread) if spread or SPELLING in needed else None
    plainly = text
    if view is not None and view.text != text:
        plainly = view.text
        needed = needs(plainly)
    data = plainly.encode("utf-8", "replace") if len(plainly) > _LONG else b""
    hits: list[Hit] = []
    for place in needed:
        if place < SPELLING:
            hits.extend(
                _nearby(place, data, plainly)
                if data and DETECTORS[place].local
                else _SEARCHES[place](plainly)
            )
    # Tabs keep the cells of a table apart, and are spaces in the plain spelling.
    if "\t" in text and (view is None or not view.gaps):
        hits.extend(cells(text))
    if hits:
        hits.extend(names_beside(plainly, tuple(hits)))
    if names is not None:
        hits.extend(names.hits(plainly))
    return _findings(text, hits, view) if hits else []


def _nearby(place: int, data: bytes, text: str) -> Iterator[Hit]:
    """Run a detector where alone it can find something."""
    parts = windows(place, data, text)
    if sum(end - start for start, end in parts) > _MOST * len(text):
        parts = [(0, len(text))]
    for start, end in parts:
        for hit in _SEARCHES[place](text[start:end]):
            yield Hit(hit.type, hit.start + start, hit.end + start, hit.weight)


def _findings(text: str, hits: list[Hit], view: Plain | None) -> list[Finding]:
    if view is None or not view.gaps:
        return [Finding(kind, start, end, text[start:end]) for kind, start, end, _ in best_of(hits)]
    spans = ((hit.type, *view.span(hit.start, hit.end)) for hit in best_of(hits))
    return [Finding(kind, start, end, text[start:end]) for kind, start, end in spans]
