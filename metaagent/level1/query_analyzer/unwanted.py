"""Words that name a task which is not asked for: declined, done already, or part of somebody's name.

"저장은 하지 마" and "no need to check" ask for neither; "저장된 문서" and "the check is done" speak of what was.
"""

from __future__ import annotations

import re

from metaagent.language.patterns import regex

_DECLINED_AFTER = regex(
    r"^[가-힣]{0,4}\s?(?:[가-힣]{1,5}\s)?(?:하지\s?(?:마|말|않)|할\s?필요|볼\s?필요|필요\s?없|필요[는가도]\s?없|안\s?해도|"
    r"말고|빼고|생략)|"
    r"^[가-힣]{0,2}거나\s?[가-힣]{1,6}\s?필요[는가도]?\s?없"
)
_DONE_AFTER = regex(
    r"^(?:된|되어\s?있|돼\s?있|해\s?둔|해\s?놓은)|^\s?[은는이가]?\s?(?:어제|이미|벌써|아까)?\s?(?:끝냈|끝났|마쳤|완료했|"
    r"완료됐|다\s?했)|"
    r"^(?:팀|부서|실|위원회)(?:에|의|이|은|\s|$)|"
    r"^\w*\s(?:check |review |analysis )?(?:is|was|are|has been|have been) (?:already )?(?:done|finished|complete\w*|stored|"
    r"saved)\b",
    re.IGNORECASE,
)
_DONE_BEFORE = regex(
    r"(?:어제|이미|벌써|아까|방금|지난번에)\s?$|\balready (?:\w+ )?$|\balready$", re.IGNORECASE
)
_PARTICIPLE = regex(r"^(?:한|했던|해\s?둔)\s")
_DECLINED_BEFORE = regex(
    r"(?:\bdon't|\bdo not|\bdoesn't need to be|\bno need to|\bneedn't|\bneed not|\brather than|\binstead of)\s(?:\w+\s){0,2}$",
    re.IGNORECASE,
)


def unwanted(text: str, start: int, end: int) -> bool:
    """Say whether the words from `start` to `end` name a task that the text does not ask for."""
    before, after = text[:start], text[end:]
    if _DECLINED_AFTER.match(after) or _DECLINED_BEFORE.search(before) or _DONE_AFTER.match(after):
        return True
    korean = re.search(r"[가-힣]", text[start:end]) is not None
    return _DONE_BEFORE.search(before) is not None and (not korean or _PARTICIPLE.match(after) is not None)
