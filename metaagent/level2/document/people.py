"""People with their titles, in one style: 서지우원장님 → 서지우 원장, Dr. Han Sora. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_AND = re.compile(r"(?:님)?\s?(?:(?:과|와|하고|이랑|랑|및)\s|,\s?|그리고\s|\sand\s)")
_NO_NAME = re.compile(
    r"^(?:담당|해당|우리|부재|만난|어느|모든|새로|병원|의원|여러|그쪽|어제|오늘|그제|그저께|방금|아까|오전|오후|신임|원내|내과|외과|소아|주임|아니라|아니고|말고)$"
)

_NO_NAME_END = re.compile(r"(?:의원|병원|의료원|약국|클리닉|센터|[가-힣]고|에게|께|를|에서)$")
"""The end of a word that stands before a title and belongs to what was said before: 못 뵙고 간호사에게."""


_RANKS = "부|병|진료|대표|의무|행정|간호|약제|수|총괄|담당"
"""Words that stand before a title and make it another: 부원장, 진료부장."""


@dataclass(frozen=True)
class Named:
    """The people of a stretch of text, in one style."""

    text: str
    start: int
    end: int


def names_with_titles(text: str, titles: Sequence[str]) -> Named | None:
    """The first person with a title, and those who are named together with them."""
    any_title = "|".join(map(re.escape, sorted(titles, key=len, reverse=True)))
    end = r"(?=님|[\s,.()은는이가을를과와께의도만에한하랑였입인라+/]|$)"
    name = r"(?P<name>(?![가-힣]{0,3}(?:의원|병원|의료원|약국|클리닉)\s)[가-힣]{2,4}?)"
    ranked = rf"\s(?P<rank>(?:{_RANKS})(?:{any_title}))"
    korean = rf"(?<![가-힣]){name}(?:\s?(?P<title>{any_title})|{ranked}){end}"
    behind = rf"(?<![가-힣])(?P<of>(?:{_RANKS})?(?:{any_title}))(?:님)?"
    behind += r"(?:\s?\(\s?|\s(?=[가-힣]{2,4}\)))(?P<inside>[가-힣]{2,4})\s?\)"
    english = rf"\b(?P<en>(?:{any_title})\.?\s[A-Z][\w'-]+(?:\s[A-Z][\w'-]+)?)"
    found: list[re.Match[str]] = []
    for match in re.finditer(f"{behind}|{korean}|{english}", text):
        if match["name"] and (_NO_NAME.match(match["name"]) or _NO_NAME_END.search(match["name"])):
            continue
        if found and not _AND.fullmatch(text[found[-1].end() : match.start()]):
            break
        found.append(match)
    if not found:
        return None
    shown = [_shown(each) for each in found]
    return Named(", ".join(shown), found[0].start(), found[-1].end())


def _shown(found: re.Match[str]) -> str:
    """A name before its title, wherever the title stood: 원장님(금보라)."""
    if found["en"]:
        return found["en"]
    return (
        f"{found['inside']} {found['of']}"
        if found["inside"]
        else f"{found['name']} {found['title'] or found['rank']}"
    )
