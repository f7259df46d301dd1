"""The search itself: one reading says which detectors are worth running, and what they find becomes findings of the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaagent.protection.redaction._beside import cells
from metaagent.protection.redaction._owners import names_beside
from metaagent.protection.redaction._plain import Plain, plain
from metaagent.protection.redaction.conditions import DETECTORS, SPELLING, needs
from metaagent.protection.redaction.finding import Finding, Hit, best_of

if TYPE_CHECKING:
    from metaagent.protection.redaction.known import KnownNames


def search(text: str, names: KnownNames | None) -> list[Finding]:
    """Find what is sensitive in the plain spelling of the text, and say where it stands in the text itself."""
    needed = needs(text)
    view = Plain(text)
    if SPELLING in needed:
        view = plain(text)
        if view.text != text:
            needed = needs(view.text)
    hits: list[Hit] = []
    for place in needed:
        if place < SPELLING:
            hits.extend(DETECTORS[place].hits(view.text))
    # Tabs keep the cells of a table apart, and are spaces in the plain spelling.
    if "\t" in text and not view.gaps:
        hits.extend(cells(text))
    if hits:
        hits.extend(names_beside(view.text, tuple(hits)))
    if names is not None:
        hits.extend(names.hits(view.text))
    findings: list[Finding] = []
    for hit in best_of(hits):
        start, end = view.span(hit.start, hit.end)
        findings.append(Finding(hit.type, start, end, text[start:end]))
    return findings
