"""The one question that the rest of the package asks: what in this text is personal or secret?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaagent.language.patterns import regex
from metaagent.protection.redaction.finding import Finding, Hit, best_of

if TYPE_CHECKING:
    from metaagent.protection.redaction.known import KnownNames

CODE = regex(r"[a-z_]{1,40}|s[0-9]{1,3}|[0-9a-f]{64}")
"""Names of things and digests, as most entries of the trail hold them: nothing personal is written so."""


def find(text: str, names: KnownNames | None = None) -> list[Finding]:
    """Find what is sensitive, in the order of the text, none overlapping: what overlaps is one finding of its best proven type."""
    if names is None and CODE.fullmatch(text):
        return []
    # Many patterns take a while to compile, and most commands look through no text.
    from metaagent.protection.redaction._owners import names_beside
    from metaagent.protection.redaction._plain import Plain, plain
    from metaagent.protection.redaction.conditions import DETECTORS, SPELLING, needs

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
    hits.extend(names_beside(view.text, tuple(hits)))
    if names is not None:
        hits.extend(names.hits(view.text))
    findings: list[Finding] = []
    for hit in best_of(hits):
        start, end = view.span(hit.start, hit.end)
        findings.append(Finding(hit.type, start, end, text[start:end]))
    return findings
