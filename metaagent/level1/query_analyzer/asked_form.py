"""The form that a question asks for, a list or one number, beside the form of the answer that its reading gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metaagent.language.patterns import regex

_LIST = (
    r"(?<=[가-힣])별(?:로|(?=[\s.,?!]|\Z))|마다|목록|리스트|명단|(?<![가-힣])(?:누구|누가|어느|어디|어떤)"
    r"|(?:얼마|건|명|번|개|곳|회)씩|\b(?:each(?!.* on average)|who|which|list)\b|-wise"
)
_ASKS_LIST = regex(_LIST)
_ASKS_NUMBER = regex(
    r"몇\s?(?:건|명|곳|번|개|회|분|대|장|일|시간|군데|퍼센트|%)|얼마|합계|합쳐|합치|how (?:many|much)"
    r"|\b(?:the|in) total\b|all ?together"
)
_MAY_SPLIT = regex(
    _LIST + r"|순위|순으로|순서|상위|하위|\d위|각각|나눠|보여|뭐뭐|씩|별로"
    r"|\b(?:every|breakdown|broken down|split|by|per|show|top|rank\w*)\b"
    r"|\b(?:versus|vs)\b"
)


def number_for_list(text: str, query: Mapping[str, Any]) -> bool:
    """Tell whether one number answers a question about each, or about which of them: 담당자별, who, which."""
    split = any(query.get(key) for key in ("dimensions", "comparison", "top", "derived"))
    return not split and bool(_ASKS_LIST.search(text.lower()))


def list_for_number(text: str, query: Mapping[str, Any]) -> bool:
    """Tell whether a list answers a question about how many, or how much in all, that names nothing to split by."""
    low = text.lower()
    listed = query.get("dimensions") and not query.get("top")
    return bool(listed and _ASKS_NUMBER.search(low) and not _MAY_SPLIT.search(low))
