"""Korean names that stand alone: 오예서 외 2명, 어제 김성호 만나서, @박준서. No word beside them is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaagent.language.patterns import regex
from metaagent.protection.redaction._bare_name_judgement import is_plausible, name_length
from metaagent.protection.redaction._lists import listed, listed_before
from metaagent.protection.redaction._name_words import SURNAMES
from metaagent.protection.redaction._people import graded, names_spoken_of
from metaagent.protection.redaction._table_names import is_of_abroad, names_from_abroad
from metaagent.protection.redaction.finding import Detector, Hit, WordDetector

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SHORTEST = 2
_OPENS = regex(r"(?:^|[,:/|\"'(\[·>\n\t-]) ?$")
_CLOSES = regex(r" ?(?:$|[,/|)\]\"'<·(;\n\t])")
_ITEM = regex(
    rf"(?:^|\n)[ ]?(?:[0-9]{{1,2}}[.)]|[-*•○·]) ?([{SURNAMES}][가-힣]{{1,2}})(?=[ ]?(?:[(:,/|-]|\n|$))"
)


def _alone(text: str, places: Sequence[tuple[int, int]]) -> Iterator[Hit]:
    done = 0
    for start, end in places:
        word = text[start:end]
        length = name_length(word) if len(word) > _SHORTEST else 0
        if length > 0 or (length and _is_in_a_place_of_its_own(text, start, start - length)):
            yield from _with_its_list(text, start, start + abs(length))
        else:
            for span in names_spoken_of(text, word, start):
                yield from _with_its_list(text, *span)
        if start >= done and is_of_abroad(word):
            for hit in names_from_abroad(text, done, start, end):
                yield hit
                done = hit.end


def _may_stand_alone(word: str) -> bool:
    """Tell whether this may be somebody's name at all: most words are not."""
    if len(word) < _SHORTEST:
        return False
    return (len(word) > _SHORTEST and name_length(word) != 0) or bool(graded(word)) or is_of_abroad(word)


def _with_its_list(text: str, start: int, end: int) -> Iterator[Hit]:
    yield Hit("NAME", start, end, 38)
    yield from listed_before(text, start)
    yield from listed(text, end)


def _is_in_a_place_of_its_own(text: str, start: int, end: int) -> bool:
    return _OPENS.search(text, max(0, start - 3), start) is not None and _CLOSES.match(text, end) is not None


def _items(text: str) -> Iterator[Hit]:
    """Names that begin the lines of a list: one that is sure says what the others are."""
    names = list(_ITEM.finditer(text))
    if len(names) > 1 and any(len(found[1]) == 3 and name_length(found[1]) > 0 for found in names):
        yield from (Hit("NAME", *found.span(1), 38) for found in names if is_plausible(found[1]))


BY_WORDS = (WordDetector(_may_stand_alone, _alone),)
DETECTORS = (Detector(rf"\n ?(?:[0-9]{{1,2}}[.)]|[-*•○·]) ?[{SURNAMES}][가-힣]", _items),)
