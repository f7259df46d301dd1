"""The one question that the rest of the package asks: what in this text is personal or secret?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaagent.protection.redaction import _addresses, _names, _numbers, _texts
from metaagent.protection.redaction._plain import plain
from metaagent.protection.redaction.finding import Finding, best_of

if TYPE_CHECKING:
    from metaagent.protection.redaction.known import KnownNames


def find(text: str, names: KnownNames | None = None) -> list[Finding]:
    """Find what is sensitive, in the order of the text, none overlapping: what overlaps is one finding of its best proven type."""
    view = plain(text)
    hits = [
        *_numbers.hits(view.text),
        *_addresses.hits(view.text),
        *_texts.hits(view.text),
        *_names.hits(view.text),
    ]
    if names is not None:
        hits.extend(names.hits(view.text))
    findings: list[Finding] = []
    for hit in best_of(hits):
        start, end = view.span(hit.start, hit.end)
        findings.append(Finding(hit.type, start, end, text[start:end]))
    return findings
