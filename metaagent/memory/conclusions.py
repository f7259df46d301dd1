"""Conclusions that a turn leaves in a person's memory without being asked: the figures it found, and places asked about
often. Pure.

A conclusion is the headline of the first result with figures from a database, under the question's words. It keeps the
turn, the period and the answer's confidence, and expires. The same question or the same figures replace it; beyond the
bound the oldest goes. A place that every third new conclusion is about becomes a favourite region. What a person asked
to be remembered is never touched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from metaagent.memory.recall import Memory, plain_key, same_thing
from metaagent.ports import Json

LEAST = 0.5
"""Confidence below which an answer is no conclusion."""

LONGEST = 300
"""Characters of a headline; a longer one is left out, because a cut could go through a figure."""

KEY = 80
"""Characters of the question that name a conclusion."""

OFTEN = 3
"""New conclusions about a place after which it is a favourite region; forgotten, it takes as many again."""

FAVOURITES = 3


@dataclass(frozen=True)
class Learned:
    put: tuple[Memory, ...] = ()
    drop: tuple[str, ...] = field(default=())


def conclusion_of(
    question: str,
    analysis: Mapping[str, Any],
    results: Sequence[Mapping[str, Any]],
    confidence: float,
    masked: Callable[[str], str],
) -> Json | None:
    """The note that this turn leaves, or None. `masked` is the redaction: what it would change is not kept at all."""
    found = next((result for result in results if _has_figures(result)), None)
    if found is None or confidence < LEAST:
        return None
    headline = _headline(found)
    key = " ".join(_name(question, analysis, found).split())[:KEY]
    if len(headline) > LONGEST or any(masked(text) != text for text in (key, headline)):
        return None
    # The language and units, which change the words of a headline, but not its figures.
    wanted = (analysis.get("user_context") or {}).get("preferences") or {}
    wording = f"{analysis.get('language', '')} {wanted.get('units', '')}".strip()
    periods = [source.get("period") or {} for source in found["sources"]]
    spans = [f"{period['start']}/{period['end']}" for period in periods if period.get("start")]
    about = {
        "period": spans[0] if spans else "",
        "places": ", ".join(_places(analysis)),
        "wording": wording,
    }
    return {
        "kind": "conclusion",
        "key": key,
        "value": headline,
        "text": headline,
        "confidence": confidence,
        "about": {name: value for name, value in about.items() if value},
    }


def earlier_of(note: Mapping[str, Any], known: Sequence[Mapping[str, Any]]) -> Json | None:
    """Find the earlier conclusion of the same question, if that was something else and not just said in another way."""
    same = [m for m in known if m["kind"] == "conclusion" and plain_key(m["key"]) == plain_key(note["key"])]
    alike = [m for m in same if m["source"].get("wording") == note["about"]["wording"]]
    return next((dict(m) for m in alike if m["value"] != note["value"]), None)


def learned(
    known: Sequence[Memory],
    note: Mapping[str, Any],
    *,
    new_id: Callable[[], str],
    at: str,
    expires_at: str,
    source: Mapping[str, str],
    most: int,
) -> Learned:
    """Decide which memories are written and which go. `known` are the person's conclusions and preferences."""
    if any(m.kind == "conclusion" and not m.by_rule and same_thing(m, note) for m in known):
        return Learned()
    mine = [m for m in known if m.kind == "conclusion" and m.by_rule]
    old = [m for m in mine if same_thing(m, note) or m.value == note["value"]]
    rest = sorted((m for m in mine if m not in old), key=lambda m: m.updated_at, reverse=True)
    made = Memory(
        id=old[0].id if old else new_id(),
        kind="conclusion",
        key=note["key"],
        value=note["value"],
        text=note["text"],
        created_at=old[0].created_at if old else at,
        updated_at=at,
        confidence=note["confidence"],
        source={**source, "rule": "figures", **note["about"]},
        expires_at=expires_at,
    )
    favourite = None if old else _favourite(made, rest, known, new_id)
    gone = (*old[1:], *rest[most - 1 :])
    return Learned((made, favourite) if favourite else (made,), tuple(m.id for m in gone))


def _favourite(
    made: Memory, others: Sequence[Memory], known: Sequence[Memory], new_id: Callable[[], str]
) -> Memory | None:
    """The preference for regions, when a place of this conclusion has come up often enough once more."""
    counts = Counter(place for memory in (made, *others) for place in _places_of(memory))
    if not any(counts[place] % OFTEN == 0 for place in _places_of(made)):
        return None
    stated = next((m for m in known if m.kind == "preference" and m.key == "regions"), None)
    if stated is not None and not stated.by_rule:
        return None
    often = [place for place, count in counts.most_common(FAVOURITES) if count >= OFTEN]
    seen = sum(any(place in often for place in _places_of(m)) for m in (made, *others))
    return Memory(
        id=stated.id if stated else new_id(),
        kind="preference",
        key="regions",
        value=", ".join(often),
        text="",
        created_at=stated.created_at if stated else made.created_at,
        updated_at=made.updated_at,
        confidence=round(seen / (1 + len(others)), 3),
        source={**made.source, "rule": "places"},
        expires_at=made.expires_at,
    )


def _has_figures(result: Mapping[str, Any]) -> bool:
    drawn = any(s.get("type") == "database" and s.get("rows") for s in result.get("sources") or ())
    return result["status"] == "completed" and drawn and any(char.isdecimal() for char in _headline(result))


def _headline(result: Mapping[str, Any]) -> str:
    return next(iter(result["summary"].strip().splitlines()), "").strip()


def _name(question: str, analysis: Mapping[str, Any], result: Mapping[str, Any]) -> str:
    """The question as it was read: with '담당 지역' filled in, and of '부산은?', which means nothing alone, what was found."""
    titles = [ref["summary"] for ref in result.get("artifacts") or () if ref.get("summary")]
    asked = (analysis.get("resolved") or {}).get("question") or question
    return titles[0] if analysis.get("follow_up") and titles else asked


def _places(analysis: Mapping[str, Any]) -> list[str]:
    found = [e["value"] for e in analysis.get("extracted_entities") or () if e.get("type") == "location"]
    return list(dict.fromkeys(found))


def _places_of(memory: Memory) -> list[str]:
    return [place for place in memory.source.get("places", "").split(", ") if place]
