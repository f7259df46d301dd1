"""Words that name a task which is not asked for: declined, done already, or part of somebody's name.

"저장은 하지 마" and "no need to check" ask for neither; "저장된 문서" and "the check is done" speak of what was;
"보관은 어떻게 해?" asks how it is done.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from metaagent.language.patterns import regex

_NOT_DONE = (
    r"(?:하|시키|해\s?두|해\s?놓)?(?:지|진|질)(?:는|도|를)?\s?(?:마|말|않|못)|하면\s?안|해서는\s?안|안\s?(?:해|할|하|함|한|시켜)|해\s?볼\s?필요"
    r"|(?:할\s?)?필요[는가도]?\s?없|말고|빼고|빼\s?줘|빼\s?주|빼(?![가-힣])|제외|생략|금지|패스|사양|됐|없이|없음|노노|[ㄴᄂ]{2}|[x×✕✗](?![a-z])"
)
_DECLINED_AFTER = regex(
    rf"^(?:까지|은|는|도|을|를|만)*\s?(?:(?:아직|절대|굳이|따로|지금은|당장|이번엔|그냥|꼭)\s?){{0,2}}(?:{_NOT_DONE})|"
    r"^[가-힣]{0,2}거나\s?[가-힣]{1,6}\s?필요[는가도]?\s?없|"
    r"^[은는도]?\s?(?:나중에|아직|당분간|이따가|다음에)(?=\s*(?:[.,!?~ㅎㅋㅠㅜ]|$)|\s?(?:할|하)[가-힣]*)|"
    r"^[은는도]?\s?(?:제가|내가|저희가|우리가|직접|알아서)\s?(?:\S{1,4}\s)?(?:할|하)|^할게|"
    r"^\w*\s(?:\w+\s){0,2}(?:is |are |will be )?(?:up to me|on me|my (?:job|part|business)|(?:by )?myself)\b|"
    r"^\w*\s(?:nothing|nowhere|none of|no)\b|^\w*\s(?:is|are) (?:not|un)\s?(?:needed|necessary|required|wanted)\b",
    re.IGNORECASE,
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
_ASKED_AFTER = regex(
    r"^[은는이가을를도]?\s?(?:어떻게|어디|언제|얼마나|며칠|몇\s)|^\S{0,2}\s?(?:해야|하여야|되어야|돼야)\s?(?:하는지|하나|합니까|할까|하죠|하지|되나|되는지|돼)"
    r"|^(?:하|되)는\s?(?:방법|법|온도|기간|곳|장소)"
)
_ASKED_BEFORE = regex(
    r"(?:어떻게|어디에다?|얼마나|며칠|몇\s?(?:년|일|달|개월))\s?(?:동안\s?|간\s?)?$"
    r"|\b(?:be|is|are|was|were|been|being|gets?|kept)\s(?:\w+ly\s)?$"
    r"|\bhow (?:to|(?:do|should|must|can) (?:i|we|you|one|they))\s(?:\w+\s){0,4}$",
    re.IGNORECASE,
)
_KEEPS = regex(r"저장|보관|보존|등록|적재|stor|sav|archiv|keep", re.IGNORECASE)
"""Keeping that is asked about: 보관 어떻게 해야 해?, how should it be stored?"""
_KEPT_AFTER = regex(
    r"^(?:했|하였|됐|되었|되[나는니]|돼|된|한\s(?!다음|뒤|후|채|담)|하려면|하면(?!\s?(?:돼|되|좋)))|^\s(?:안\s?)?됐"
    r"|^\s?(?:위치|권한|결과|내역|목록|이력|여부|상태|공간|경로|일자|날짜|기록|건수|장소)"
    r"|^(?:이란|란|이|은|는)?\s(?:뭐|무엇|왜|이미|벌써|다\s?했)"
)
_PAST = "".join(map(chr, range(0xAC14, 0xD7A4, 28)))
"""Syllables that close with ㅆ, the mark of the past: 했, 갔, 렸."""
_TOLD_AFTER = regex(
    r"^법(?![가-힣]{2})|^(?!\s?(?:좀\s|다\s|꼭\s)?(?:하|해|할|한|시|부탁|요청))[^.,!?;\n]*?"
    rf"[{_PAST}](?:고|으며|는데|지만|어요?|습니다|음|다)(?=[\s.,!;]|$)"
)
"""Behind a word for keeping that is the matter of what is told: 보관 온도를 설명했고, 보관법 얘기했어."""
_KEPT_BEFORE = regex(
    r"\b(?:the|all|my|our|your|their|everything|anything|whatever|what|already|been|reports?|files?|documents?)\s"
    r"(?:(?:i|we|you|have|has|had|you've|i've|we've)\s){0,2}$"
)
_ASKS_ABOUT = regex(
    r"\s*(?:so |and |but |then )?(?:did|has|have|had|is|was|were|are|where|why|when|who|what|how|which|does)\b"
)
"""The beginning of a clause that asks about what was kept: did you save it?"""
_PARTICIPLE = regex(r"^(?:한|했던|해\s?둔)\s")
_DECLINED_BEFORE = regex(
    r"\bleave (?:the |all |any )?$"
    r"|(?:\b(?:undo|revert|reverse|cancel|roll back|take back)"
    r"|\bdon't(?! forget)|\bdo not(?! forget)|\bdoesn't need to be|\bno need to|\bneedn't|\bneed not"
    r"|\brather than|\binstead of)\s(?:\w+\s){0,2}$"
    r"|\b(?:nothing|never|without|no|not|skip the|skip)\s(?:(?:to|should|must|shall|is|be|being|get|gets)\s){0,3}$"
    r"|\b(?:i'll|i will|i'd|i would|i can|we'll|we will|let me|hold off(?: on)?|wait with|avoid|refrain from)\s(?:\w+\s)?$",
    re.IGNORECASE,
)
_TAKEN_BACK = regex(
    r"(?<![가-힣])(?:아니다|아니야|아냐|아니|앗|잠깐만?|취소)(?![가-힣])"
    r"|\b(?:actually|wait|no|scratch that|on second thought|never ?mind)\b",
    re.IGNORECASE,
)
"""Words by which a person takes back what was just said."""
_NO_BEFORE = (
    r"(?:,\s*)?(?:\bbut\s|\band\s|\bjust\s)?\b(?:no|without(?:\san?|\sany|\sthe)?|not\san?"
    r"|(?:don't|do\snot)\s(?:need|want|write|make)(?:\sme)?(?:\san?|\sthe|\sany)?)\s(?:\w+\s)?"
)
_NEEDED = r"s?(?:\s(?:is\s|are\s)?(?:needed|necessary|required|at\sall))?"
_NO_AFTER = (
    r"(?:까지)?[은는도]?\s?(?:필요[는가도]?\s?없[가-힣]*|말고|없이|빼고|생략[가-힣]*"
    r"|(?:안\s?(?:만들|써|쓰)|(?:만들|쓰|작성하)지\s?(?:마|말|않))[가-힣]*(?:\s?돼요?|\s?됩니다)?)"
)

_NOTHING = r"\s(?:nothing|none of (?:it|this|that))(?:\s(?:in writing|on paper|at all|else))?"
"""Behind a name that is a verb there: report nothing in writing."""


_CLAUSE = regex(r"[.,!?;\n]|\s(?:그리고|그런데|근데|but|and)\s", re.IGNORECASE)
"""The marks and words between clauses."""
_MERE = regex(
    r"\s*(?:그럼|그러면|근데|그런데|단|다만|하지만|아니|일단|이번엔|그냥|좀|그건|그것은|이건|but|and|please|then|just)*[\s,]*",
    re.IGNORECASE,
)
_DECLINED_TO_END = regex(
    rf"[가-힣]{{0,4}}\s?(?:[가-힣]{{1,5}}\s){{0,2}}(?:{_NOT_DONE}|나중에|아직|당분간|할게)[가-힣]{{0,6}}(?:\s?[가-힣]{{1,4}})?(?:\s?[ㅎㅋㅠㅜᄒᄏ]+)?\s*"
    r"|\s?(?:(?:it|this|that|them|anything|anywhere|nothing|nowhere|yet|for now|please|at all|myself|though|either|one|this time"
    r"|the \w+)\s?)*\s*",
    re.IGNORECASE,
)
_INSTEAD = regex(r"(?:하지)?[은는]?\s?말고(?![가-힣])")
"""Behind a task in the place of which another one is asked for: 저장 말고 보여만 줘."""


def declines(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The whole clause round the words of a task, where it does nothing but decline it: "저장은 하지 마"; the phrase alone where
    something else is asked for instead; None otherwise."""
    cuts = [(0, 0), *(match.span() for match in _CLAUSE.finditer(text)), (len(text), len(text))]
    first = max(stop for _, stop in cuts if stop <= start)
    last = min(begin for begin, _ in cuts if begin >= end)
    before, after = text[first:start], text[end:last]
    english = _DECLINED_BEFORE.search(before)
    head = before[: english.start()] if english else before
    declined = english is not None or _DECLINED_AFTER.match(text[end:]) is not None
    mere = _MERE.fullmatch(head) is not None and _DECLINED_TO_END.fullmatch(after) is not None
    if declined and mere:
        return first, last
    instead = _INSTEAD.match(text, end)
    return (start, instead.end()) if instead else None


def unwanted(text: str, start: int, end: int) -> bool:
    """Say whether the words from `start` to `end` name a task that the text does not ask for."""
    before, after = text[:start], text[end:]
    if _DECLINED_AFTER.match(after) or _DECLINED_BEFORE.search(before) or _DONE_AFTER.match(after):
        return True
    if _KEEPS.search(text[start:end]) and _tells_of_keeping(text, start, end):
        return True
    korean = re.search(r"[가-힣]", text[start:end]) is not None
    return _DONE_BEFORE.search(before) is not None and (not korean or _PARTICIPLE.match(after) is not None)


def taken_back(text: str, start: int, end: int) -> int | None:
    """The end of the word by which the first of two namings of a task is taken back: 저장해줘, 아니다 저장 말고."""
    found = _TAKEN_BACK.search(text, start, end)
    return found.end() if found else None


def declined_documents(text: str, names: Collection[str]) -> list[tuple[int, int]]:
    """Find the phrases that decline a document: no report needed, 보고서는 필요 없고."""
    said = [name for name in names if name in text]
    if not said:
        return []
    name = rf"(?:{'|'.join(map(re.escape, sorted(said, key=len, reverse=True)))})"
    return [
        m.span()
        for m in re.finditer(rf"{_NO_BEFORE}{name}{_NEEDED}|{name}{_NO_AFTER}|\b{name}{_NOTHING}", text)
    ]


def _tells_of_keeping(text: str, start: int, end: int) -> bool:
    """Say whether a word for keeping asks how it is done, or about what was kept: 저장했어?, where is it stored?, saved files."""
    before, after = text[:start], text[end:]
    if _ASKED_AFTER.match(after) or _ASKED_BEFORE.search(before) or _KEPT_AFTER.match(after):
        return True
    if _TOLD_AFTER.match(after):
        return True
    clause = before[max((match.end() for match in _CLAUSE.finditer(before)), default=0) :]
    past = text[start:end].lower().endswith("ed") or after.startswith("d")
    return _ASKS_ABOUT.match(clause.lower()) is not None or (
        past and _KEPT_BEFORE.search(before.lower()) is not None
    )
