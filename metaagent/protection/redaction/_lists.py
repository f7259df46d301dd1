"""Names in a list with one that is found: 참석자: 김민수, 이지은, 박서준; 명재현·은가비 부부."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaagent.language.patterns import any_of, regex
from metaagent.protection.redaction._bare_name_judgement import is_plausible
from metaagent.protection.redaction._name_judgement import is_likely
from metaagent.protection.redaction._name_words import FIRST, REST, TITLES
from metaagent.protection.redaction.finding import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

_JOIN = r"(?:, ?| ?[·/、&] ?| ?(?:→|->|⇒) ?| 및 |[와과] )"
_NEXT = regex(rf"(?: ?(?:{any_of(TITLES)})님?)?{_JOIN}([{FIRST}][{REST}]{{1,3}})(?![가-힣])")
_PREVIOUS = regex(rf"(?<![가-힣])([{FIRST}][{REST}]{{1,3}}){_JOIN}$")
# Cheaper to look for: without one of these there is no list.
_GOES_ON = regex(r"[^\n]{0,10}(?:[,·/、&→⇒]|->|및 |[와과] )")
_ENDS_JOINED = frozenset(",·/、&→⇒> ")


def listed(text: str, end: int) -> Iterator[Hit]:
    """Find the names that go on with the list."""
    if not _GOES_ON.match(text, end):
        return
    while (found := _NEXT.match(text, end, end + 24)) and _is_one(found[1]):
        yield Hit("NAME", *found.span(1), 40)
        end = found.end()


def listed_before(text: str, start: int) -> Iterator[Hit]:
    """Find the names that lead to this one."""
    if not start or text[start - 1] not in _ENDS_JOINED:
        return
    while (found := _PREVIOUS.search(text, max(0, start - 12), start)) and _is_one(found[1]):
        yield Hit("NAME", *found.span(1), 40)
        start = found.start(1)


def _is_one(name: str) -> bool:
    return is_likely(name) or is_plausible(name)
