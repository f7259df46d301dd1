"""Decides whose words a sentence tells: a claim that somebody else made, or that was taken out of a text,
is none of ours.
"""

from __future__ import annotations

import re

_SPEAKER_KO = r"(?:원장|교수|선생|과장|부장|실장|약사|간호사|의사|의료진|환자|보호자|고객|담당의|전문의|약국장|이사장|국장|연자)"
_THEY_KO = re.compile(
    rf"{_SPEAKER_KO}(?:님|분|선생님)?(?:들)?(?:이|가|은|는|께서|께서는|께서도|도)\s|"
    r"(?:경쟁사|타사|경쟁\s?업체|다른\s?회사|[A-Z]사)\s?(?:측|쪽|직원|담당자?|영업\s?사원|사원|MR|과장|소장)(?:들)?(?:이|가|에서)\s"
)
"""People of the other side as those who speak; those of a competitor may be the topic, too."""
_THEIR_TALE_KO = re.compile(
    rf"{_SPEAKER_KO}[가-힣]{{0,3}}?(?:의|에게서|한테서)?\s(?:\S+\s){{0,2}}?(?:의견|말씀(?!\s?드)|이야기|얘기|평가|피드백|경험|질문|문의|우려|불만)"
)
_LINK_KO = re.compile(
    r"(?:(?<![다라냐자])고|[으하이되]며|지만|으나|[는은]데|[셔해어아]서|[자니]|니까|길래|더니|면서)[\s,]+"
)
"""Endings by which a clause is over before the words in question begin."""
_SAYS_KO = re.compile(
    r"말씀|설명|안내|강조|홍보|소개|전[했달하]|알려|귀띔|장담|보장|약속|권[했해하유]|추천|광고|적[었어음]|답[했변하]|말[했하함]|"
    r"하[셨시심신]|[했함]|그러[셨시]|언급|물[으었어]|질문|걱정|들[었음은]|듣고|주[셨심]|보고|주장|퍼뜨|흘[렸리]|이야기|얘기|부탁"
)
_HUMBLE_KO = re.compile(
    r"드[리렸립린릴림려]|했더니|제가|저희가|저는|우리가|올[렸립]|말했|강조했|설명했|안내했|홍보했|귀띔했|장담했"
)
_POLITE_KO = re.compile(
    r"하[셨시심신]|주[셨심]|으[셨시심]|그러[셨시]|말씀(?:하|이|을\s?(?:하|주)|도\s?하|에|$)|들[었음은]|듣고|물[으었어]"
)
_WITHDRAWN_KO = re.compile(
    r"(?:표현|문구|말|문장|멘트|주장|내용|부분|설명|단어|홍보|광고|식)[은는을를이가도의으로]{0,2}\s(?:\S+\s){0,4}?"
    r"(?:삭제|지[웠우움]|빼|뺐|고[쳤치침]|수정|반려|금지|지적|쓰지|사용하지|하지|안\s?[된됩되돼]|위반|제외|대체|바[꾸꿨]|부적절|주의|시정|정정|조심)"
)
"""A wording that somebody takes out, forbids or corrects."""
_THEY_EN = re.compile(
    r"(?:\b(?:he|she|they|the (?:doctor|doctors|professor|pharmacist|nurse|director|customer|clinic|physician|patient)s?|patients?|"
    r"(?:one|two|several|some) (?:doctors?|physicians?|patients?|pharmacists?)|Dr\.? \w+|Professor \w+|Prof\.? \w+|"
    r"(?:a|the|their|our) (?:competitor|rival)'?s? (?:rep|reps|salesman|sales rep|people))\b)"
    r"\s(?:[\w']+\s){0,2}?(?:said|says|told|reported|reports|mentioned|feels?|felt|thinks?|thought|notic\w+|saw|observ\w+|asked|asks|"
    r"believ\w+|complain\w+|found|worr\w+|claims?|claimed|heard|wonder\w+|insist\w+|prais\w+)\b|"
    r"\baccording to\b|\bin (?:his|her|their) (?:view|opinion|experience)\b",
    re.IGNORECASE,
)
_WE_EN = re.compile(r"\b(?:I|[Ww]e|[Oo]ur (?:rep|reps|team|leaflet|brochure|flyer|slide)s?)\b")
_WITHDRAWN_EN = re.compile(
    r"\b(?:(?:re)?mov(?:e|ed) (?:the )?(?:words?|phrase|claim|sentence)|delet(?:e|ed)|took [^.]{0,60}? out of|took out|"
    r"neither may|replaced by|"
    r"taken out|struck|rejected|corrected|withdr[ae]wn?|"
    r"(?:must not|may not|not allowed to) (?:be )?(?:sa(?:y|id)|writ\w+|claim\w*|use[d]?|call\w*|appear\w*|"
    r"print\w*|stat\w+|tell|told|promis\w+|compar\w+)|"
    r"never (?:say|write|claim)|avoid|do not (?:say|write|claim|use)|don't (?:say|write|claim|use)|"
    r"reminded|not to (?:say|write|claim|use|call))\b",
    re.IGNORECASE,
)
_INSTEAD_EN = re.compile(
    r"\b(?:and|then|but|so)(?: I| we| now)? (?:instead )?(?:wrote|said|told|put|added|printed|stated|claimed|have it say)\b",
    re.IGNORECASE,
)
"""Our side writes something else after it took something out."""
_QUOTED_KO = re.compile(r"^[다라자냐]고\S*\s?\S")
"""Words that begin with the ending of what was said: their verb is the one of saying."""
_AFTER = 60
"""Characters after the words in which Korean names the verb of saying."""


def of_others(text: str, start: int, end: int, *, korean: bool) -> bool:
    """Say whether the words from `start` to `end` are told as somebody else's, or as words that were taken back or forbidden."""
    return _of_others_ko(text, start, end) if korean else _of_others_en(text, start, end)


def _of_others_ko(text: str, start: int, end: int) -> bool:
    if _WITHDRAWN_KO.search(text, end):
        return True
    begin = start if _QUOTED_KO.search(text[start:end]) else end
    says = _SAYS_KO.search(text, begin, begin + _AFTER)
    spoken = text[begin : says.end() + 4] if says else ""
    if says and _HUMBLE_KO.search(spoken):
        return False
    if says and _POLITE_KO.search(spoken):
        return True
    they = [m.end() for m in (*_THEY_KO.finditer(text, 0, end), *_THEIR_TALE_KO.finditer(text, 0, start))]
    if they and says:
        return _LINK_KO.search(text, max(they), start) is None
    return _THEIR_TALE_KO.search(text, start) is not None and not says


def _of_others_en(text: str, start: int, end: int) -> bool:
    withdrawn = _WITHDRAWN_EN.search(text)
    if withdrawn is not None and not _INSTEAD_EN.search(text, withdrawn.end(), max(start, withdrawn.end())):
        return True
    they = [m.end() for m in _THEY_EN.finditer(text, 0, end)]
    return bool(they) and _WE_EN.search(text, max(they), start) is None
