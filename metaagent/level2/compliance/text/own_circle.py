"""Says which paragraphs stay within our own circle: the writer, colleagues, family, the company's own cars and offices.

Whether something was given is a question only where somebody of the other side is there. A paragraph that names people or things of
ours and, once it has been read who was said not to be there, nobody of the other side, tells of no benefit, whatever was paid.
"""

from __future__ import annotations

import re
from functools import lru_cache

from metaagent.level2.compliance.text.quick import KEPT, Quick
from metaagent.level2.compliance.text.vocabulary import PERSON

_OUR_TEAMS = Quick(r"(?:병원|의원|약국|종합병원|거래처|고객)\s?(?:\d\s?)?(?:팀|영업|사업부|부문|담당|지원)")
"""Parts of the company that are called after whom they call on."""
_TOLD_US = Quick(
    r"(?:말씀|공유|보고|안내|부탁|연락|전화|인사|문의|요청|답변|전달|질문|감사|회신|확인|제출|알려|올려|여쭤|약속)\s?(?:은|"
    r"을|를|만)?\s?드[리렸립린릴림려]\S*"
)
"""Polite words to whoever reads the note."""
_SOMEBODY_KO = (
    r"(?:외부인?|의료진|의료인|의사|원장|교수|간호사|약사|선생님|거래처|고객|병원|의원|손님|외부\s?인원|공무원|타사|업체|"
    r"보건\S{0,3}|접대)"
)
_NOBODY_KO = Quick(
    rf"{_SOMEBODY_KO}(?:님|분|들|\s?사람|\s?직원|\s?관계자|\s?쪽|\s?측|\s?참석자?|\s?인원|\s?접대)*(?:은|는|이|가|도|과는|"
    rf"와는|이랑|랑|용|이나|나)?\s?"
    r"(?:\S+\s?){0,3}?(?:없|안\s?계|안\s?오|안\s?왔|아니|아닌|아닙|불참|제외|빠[졌지]|(?:참석하|부르|초대하|동석하|동행하|합류하|함께하|포함되|끼)지\s?않|무관|상관)\S*"
)
_SOMEBODY_EN = (
    r"(?:doctors?|physicians?|hcps?|nurses?|customers?|clients?|guests?|externals?|outsiders?|visitors?|medical (?:staff|people)|"
    r"health ?care (?:professionals?|staff)|hospital (?:staff|people)|clinic (?:staff|people)|officials?)"
)
_NOBODY_EN = Quick(
    rf"\b(?:no|not a single|without(?: any)?|not (?:for|with) (?:any )?|none of (?:the|our)|neither|never any)\s(?:\w+\s){{0,2}}?"
    rf"{_SOMEBODY_EN}(?:(?:,| and| or| nor)\s(?:\w+\s)?{_SOMEBODY_EN})*"
    r"(?:\s(?:was|were|is|are|present|there|involved|invited|attended|joined|came|with us|around|at the table|included))*|"
    rf"\b{_SOMEBODY_EN}\s(?:was|were|is|are|did)(?: not|n't)\s\w+",
    re.IGNORECASE,
)
"""Somebody of the other side who is said not to be there."""
_TO_ONE_OF_US = Quick(
    r"(?:(?<![가-힣])전|우리|모든|사내|당사|저희|본사|회사)\s?(?:회사\s?|팀\s?|지점\s?)?(?:임)?직원(?:들)?(?:에게|께|한테)[^.\n]{0,30}?"
    r"(?:상품권|선물|경품|기프티콘|사례|답례)\S*|"
    r"\b(?:vouchers?|gift ?cards?|prizes?|gifts?)\b[^.;\n]{0,30} "
    r"(?:is|are|was|were) (?:only )?for our (?:own |internal )?(?:sales )?"
    r"(?:contest|competition|staff|team|employees|colleagues|raffle)\b|"
    r"\b(?:HR|[Tt]he (?:branch|company|office|team)|(?:[Mm]y|[Oo]ur) (?:manager|boss|team|company)|[Ww]e(?: all)?) "
    r"(?:gave|handed|sent|bought|got) "
    r"(?:us|me|everyone|the team|our (?:colleague|trainee|intern|new \w+)|(?!Dr|Prof)[A-Z][a-z]+(?! [A-Z]))\b"
    r"(?=[^\n]*\b(?:of us|colleagues?|employees|our team|our staff)\b)"
)
"""The company gives one of its own people something."""
_THEY = Quick(
    rf"{PERSON.pattern}|병원|의원|의료원|의국|병동|수술[방실]|외래|약국|보건소|클리닉|거래처|고객|사모|원무|환자|보호자|과장|"
    rf"실장|국장|이사장|사무장|"
    r"따님|아드님|자녀분|내외분|님\s?댁|그쪽|저쪽|그분|저분|상대방|손님|내빈|귀빈|업체|대행사|도매|공무원|시청|구청|주최|"
    r"연자|강사|"
    r"설명회|강연|심포지엄|학회|세미나|간담회|학술|처방|랜딩|리베이트|접대|대접|모시|모셔|모셨|드[리렸립린릴림려]|"
    r"께(?=[\s서])|챙겨|선물|답례|사례|"
    r"봉투|합의|PMS|상품권|기프티콘|"
    r"\b(?:clinics?|hospitals?|pharmac(?:y|ies)|practice|wards?|departments?|customers?|clients?|guests?|patients?|prof|"
    r"speaker|lecture|"
    r"presentation|symposium|congress|conference|seminar|prescri\w+|accounts?|wholesaler|buyer|purchasing|officials?|"
    r"(?:by|from|on|thanks to|courtesy of|instead of) us|our (?:treat|appreciation|thanks|compliments|gratitude|expense|"
    r"account|guests?)|"
    r"directors?|secretar(?:y|ies)|chief|dean|matron|chairman|superintendent|gave|given|agreed|promis\w+|presents? from|(?:a|"
    r"summer|the) job|"
    r"gifts?|gift ?cards?|vouchers?|envelopes?|entertain\w*|hosted|treated|handed|slipped)\b",
    re.IGNORECASE,
)
"""Anybody of the other side, the occasions on which they are met, and words of giving that need somebody."""
_FAMILY = Quick(
    r"와이프|아내|집사람|남편|신랑|여자\s?친구|남자\s?친구|여친|남친|애들|아이들(?:이랑|과|하고)?|우리\s?(?:애|아이|딸|아들|"
    r"집|식구)|"
    r"제\s?(?:딸|아들|동생|아이|생일|결혼|차(?![가-힣])|휴대폰|핸드폰|노트북|개인)|딸(?:아이|애)|아들(?:놈|녀석)|부모님|"
    r"어머니|아버지|장모|장인|시댁|처가|시어머니|"
    r"동창|고향\s?친구|대학\s?친구|친구(?:랑|들이랑|하고|와|들과)|가족(?:끼리|들과|들이랑|이랑|과|\s?여행|\s?행사|\s?모임)|신혼|"
    r"(?:제|내)\s?돈|(?<![가-힣])사비|자비로|개인\s?(?:적으로|돈|비용|카드|용무|일정|폰)|"
    r"\bmy (?:own )?(?:wife|husband|partner|kids?|child(?:ren)?|sons?|daughters?|family|parents|mother|father|mom|mum|dad|"
    r"brothers?|"
    r"sisters?|girlfriend|boyfriend|fianc\w+|friends?|birthday|wedding|honeymoon|holiday|vacation|weekend|phone|laptop|"
    r"computer|bag|badge|passport|car|house|"
    r"flat|dog|cat|"
    r"own (?:money|pocket|expense|phone|car|lunch|dinner))\b|\bmyself\b|\bprivate(?:ly)? (?:fun|trip|matter|money|expense)\b",
    re.IGNORECASE,
)
"""The writer's family, friends and own money."""
_COLLEAGUES = Quick(
    r"팀원|팀장|우리\s?팀|저희\s?팀|팀\s?(?:회식|점심|저녁|워크숍|빌딩|운영비|식사|간식)|동료|대리(?![점인])|"
    r"주임(?![가-힣]?교수)|사원|차장|부서|본부장|지점장|상무|전무|"
    r"(?:우리|저희|당사|자사)\s?(?:\S+\s)?(?:직원|사람|영업|지점|사무실|부서|본부)|임직원|사내|직원(?:들)?끼리|사우회|노조|"
    r"신입|(?:신규\s?)?입사자|부서비|팀비|승진|선배|후배|혼자|저\s?혼자|(?<![가-힣])전\s?(?:임)?직원|"
    r"영업\s?(?:기획|지원|관리|소|\d?팀)|마케팅|총무|인사팀|재무|경리|본사|"
    r"\b(?:our|my|the) (?:\w+ )?(?:reps?|team|staff|employees?|colleagues?|co-?workers?|manager|boss|office|branch|people|"
    r"sales ?force|"
    r"trainees?|interns?)\b|\bemployees?\b|\bcolleagues?\b|\bteam (?:lunch|dinner|breakfast|meal|offsite|outing|building|"
    r"meeting|day)\b|"
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|\d+) of us\b|\bjust us\b|\balone\b|\bbusiness trip\b|\bhead ?office\b",
    re.IGNORECASE,
)
_OWN_THINGS = Quick(
    r"법인\s?차량?|회사\s?차|영업\s?차|업무용\s?차|공용\s?차|주유|유류|엔진오일|타이어|세차|주차|통행료|하이패스|톨비|과태료|"
    r"렌터카|차량\s?(?:유지|정비|수리|점검)|"
    r"(?:회식비?|복리후생비?)\s?(?:계정|항목)|복리후생|사무실|사무용품|비품|소모품|복사\s?용지|A4|토너|프린터|복합기|탕비실|정수기|택배|우편|퀵|출장|숙박비|KTX|SRT|"
    r"\b(?:office|printer|toner|stationery|company car|fuel|petrol|parking|tolls?|courier|warehouse|depot|commute|"
    r"headquarters)\b",
    re.IGNORECASE,
)
"""Things that the company has for its own business."""
_PRONOUN = re.compile(r"\b(?:he|she|him|his|her|them|they|their)\b", re.IGNORECASE)


@lru_cache(KEPT)
def within_our_circle(paragraph: str, before: str = "") -> bool:
    """Say whether a paragraph tells of our own people or things, and of nobody else who could have something from it; guests whom
    the paragraph before names may be among "us" still."""
    if before and names_them(before) and not _FAMILY.search(paragraph):
        return False
    people = _FAMILY.search(paragraph) or _COLLEAGUES.search(paragraph)
    if not people and (not _OWN_THINGS.search(paragraph) or _PRONOUN.search(paragraph)):
        return False
    return not names_them(paragraph)


def names_them(text: str) -> bool:
    return _THEY.search(without_absent(text)) is not None


def strays(sentence: str) -> bool:
    """Say whether a sentence of such a paragraph names nobody and nothing of ours itself, or somebody who may be another."""
    if _FAMILY.search(sentence) or _COLLEAGUES.search(sentence):
        return False
    return _PRONOUN.search(sentence) is not None or _OWN_THINGS.search(sentence) is None


def without_absent(text: str) -> str:
    """The text without those who are said not to be there, our teams that are called after them, and polite phrases."""
    for words in (_OUR_TEAMS, _TOLD_US, _NOBODY_KO, _NOBODY_EN, _TO_ONE_OF_US):
        text = words.sub(" ", text)
    return text
