"""Says whose a thing is: our own people's among themselves, the other side's, a competitor's, a part of the company's.

A benefit needs somebody of the other side who has it. These are the words by which a sentence shows that nobody of them has:
each needs a sign of its own, and none holds where the sentence names medical staff or an institution beside it.
"""

from __future__ import annotations

import re

from metaagent.level2.compliance.harmless import OTHER_SIDE
from metaagent.level2.compliance.vocabulary import GIVES_KO, PERSON

OUTSIDE = re.compile(
    rf"{PERSON.pattern}|{OTHER_SIDE.pattern.replace('병원|', '병원(?!팀|영업|사업|부문|담당)|')}|설명회|강연|심포지엄|"
    rf"학회|외부\s?(?:인사|손님|분)|손님|내빈|부장님|실장님|"
    r"\b(?:guests?|clients?|doctor|hcps?|his|their|them|they|presentation|symposium|congress|speaker)\b",
    re.IGNORECASE,
)
"""Anybody beside the company's own people, and occasions where they are."""
THEM = re.compile(
    rf"{PERSON.pattern}|의국|병동|간호|거래처|고객|사모|일행|내외분|드[리렸립린릴림]|\b(?:his|her|their|him|them)\b",
    re.IGNORECASE,
)
"""People of the other side, without the places where they work."""
_NOBODY_ELSE = re.compile(
    r"(?:외부(?:인|\s?인원|\s?참석자?|\s?손님)?|동행자?|동반자?|거래처\s?(?:접대|참석)?)[은는이가도]?\s?(?:전혀\s?)?없|"
    r"\b(?:no|without) (?:outside|external|outsiders?|guests?|other)\b\s?\w*|\binternal(?:ly)? only\b|"
    r"\b(?:employees|staff|colleagues|team members) only\b|\bonly (?:our own|our|own) (?:employees|staff|people|team|"
    r"colleagues)\b|"
    r"(?:당사|사내|우리|자사)\s?(?:직원|인원|팀원|임직원)만",
    re.IGNORECASE,
)
_SUM = re.compile(r"\d\s?원|\bwon\b|\bKRW\b|₩", re.IGNORECASE)
_OWN_PEOPLE = re.compile(
    r"(?:팀원|부서원|임직원|동료|선배|후배|신입|사수|팀장|지점장|본부장|영업사원|사원)(?:들|님)?(?:\s?(?:\d{1,3}|한|두|세|"
    r"네)\s?명)?"
    r"(?:이|가|은|는|과|와|끼리|들과|들이|만|의|\s)|(?<![가-힣])(?:우리|저희)\s?(?:팀|부서|직원|사무실)|"
    r"[가-힣]{2,6}\d?팀(?:원)?\s?(?:전원|\d{1,3}\s?명)|사내\s?(?:인원|직원|식당|행사|회식|구성원)|구내\s?식당|"
    r"팀\s?(?:점심|저녁|회식|식대|식사|워크숍|회의|운영비|다과|간식)|부서\s?(?:회식|점심|저녁|식대|운영비)|야근|당직|"
    r"(?<![가-힣])(?:본인|제)\s?(?:식사|식비|식대|점심|저녁|아침|숙박|교통|출장|업무용|차량|커피|몫)|혼자|홀로|단독|"
    r"사\s?(?:마시|마셨|마심|먹었|먹음|먹고)|"
    r"\b(?:my|our) own\b|\bmyself\b|\bourselves\b|\balone\b|\b(?:my|our) (?:colleagues?|manager|team|boss|trainee|lunch|"
    r"dinner|breakfast|hotel|meal|meals|coffee|taxi|train)\b|\bteam (?:lunch|dinner|breakfast|meal|offsite|outing|budget|"
    r"meeting)\b|"
    r"\b(?:sales|support|marketing|finance) team\b|\b(?:co-?workers?|colleagues?)\b|\b(?:of )?the undersigned\b",
    re.IGNORECASE,
)
"""The company's own people by name of their place in it."""
_OWN_COSTS = re.compile(
    r"출장|회사\s?차량|법인\s?차량|영업\s?차량|업무\s?차량|공용차|지점|영업소|사무실|사무용|사무\s?용품|업무용|본사|지사|"
    r"창고|비품|소모품|"
    r"복사\s?용지|토너|명함|택배|퀵\s?서비스|우편|통행료|하이패스|서버|소프트웨어|구독|회선|전산|인쇄소|"
    r"\b(?:business trip|office|head ?quarters|branch|company (?:car|van|vehicle)|stationery|toner|courier|postage|toll|"
    r"printer|server|software|licen[cs]e)\b",
    re.IGNORECASE,
)
"""Costs of the company's own business, whoever paid them."""
_HANDED = re.compile(
    r"드[리렸립린릴림]|선물|증정|접대|대접|챙겨|나눠\s?주|돌렸|돌림|돌려|보내\s?주|건네|건넸|"
    r"\b(?:gift\w*|gave|give|given|handed|treat\w*|present\w*|for (?:him|her|them|the (?:doctor|clinic|ward|nurses)))\b",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"(?:도|과|와|께서도|까지)\s?(?:\S+\s){0,2}?(?:함께|같이|합류|동석|합석|참석|오셨|오시|끼|드셨)|모였|모임|만났|함께|같이|합류|동석|합석|"
    r"\b(?:joined|too|as well|also|with us|came along)\b",
    re.IGNORECASE,
)
_ENDS_WITH_A_VERB = re.compile(
    r"(?:방문|예정|완료|설명|면담|통화|확인|보고|진행|복귀|이동)[.!\s)]*$|(?:[다요음함임됨죠네]|니다)[.!\s)]*$|\b(?:was|were|is|are|had|has|did|\w+ed)\b"
)
_RETURNED = re.compile(
    r"돌려\s?보[내냈낸]|되돌려|반송|반환|돌려\s?드[렸리]|사양|거절|고사|반려|"
    r"\b(?:returned|sent back|gave back|handed back|declined|refused)\b",
    re.IGNORECASE,
)
_GIVEN_TO_US = re.compile(
    r"(?:보내|선물해|챙겨|사|가져다|건네|전해|준비해|나눠|싸|가져와)\s?주신\s(?:\S+\s)?$|(?:[이가에때서]|"
    r"께서)\s주신\s(?:\S+\s)?$"
)
_KINDLY = re.compile(
    r"^[을를]\s(?:\S+\s){0,3}?주(?:셔서|셨|시며|시고)|^\S{0,3}\s?(?:\S+\s){0,2}?(?:내려|타|끓여|따라|구워|사|(?:계산|결제|"
    r"대접|준비|권|주문|제공)해|챙겨|차려|싸|시켜|건네|나눠|가져다|"
    r"돌려|내|내어|내놓아|[을를])\s?(?:주셔서|주셨|주시며|주시고|주셔)"
)
_OFFERED_TO_US = re.compile(
    r"(?:건네|주|내미|보내|사\s?오|가져오|권하|선물하|챙겨\s?주|내)(?:셨|시[며고는어려]|신\s|시길래|시기에)|"
    r"\b(?:[Hh]e|[Ss]he|[Tt]hey|Dr\.? \w+|Prof\.? \w+|patients?|famil(?:y|ies)|clinic|nurses?) (?:\w+ ){0,2}(?:brought|"
    r"offered|gave|sent|"
    r"handed|wanted (?:us|me))\b"
)
_TURNED_DOWN = re.compile(
    r"사양|거절|돌려\s?(?:드렸|보냈|보내)|받지\s?않|마음만|고사했|"
    r"\b(?:declined|returned|sent (?:it|them) back|did not (?:take|accept)|didn't (?:take|accept)|refused|turned (?:it|"
    r"them) down)\b",
    re.IGNORECASE,
)
_WE_GIVE = re.compile(
    r"(?:저희|우리|당사|제)[가는도]\s?(?:\S+\s){0,3}(?:드렸|보냈|냈|샀|준비|사\s?드)|답례|답으로|"
    r"대신\s?(?:\S+\s){0,2}(?:드렸|보냈)|"
    r"\b(?:we|I) (?:\w+ ){0,2}(?:gave|paid|bought|sent (?!(?:it|them) back)|brought|treated)\b|\bin return\b|\bfavou?r\b",
    re.IGNORECASE,
)
_THANKED = re.compile(r"(?:감사|고맙)\S{0,4}고\s?(?:하|말씀|인사|전하)|잘\s?받")
"""The thanks of the other side for what it was given."""
INSURED_KO = re.compile(r"(?:회사|자차|자동차|당사)\s?보험")
OWED = re.compile(
    r"미수|외상|수금|매출\s?채권|잔액|잔금|대금|납품|발주|주문|"
    r"\b(?:overdue|outstanding|receivables?|invoices?|ordered|orders?)\b",
    re.IGNORECASE,
)
"""Money that customers owe for what they bought."""
INSIDERS = re.compile(
    r"(?:본사|본부|지점|지사|공장|물류\S{0,3}|도매(?:상|업체)?|유통(?:사|업체)|대행사|협회|공단|심평원|식약처|복지부|"
    r"질병청|당국|감독기관|"
    r"사내|회사|전산|인쇄소|창고|재무|회계|경리|총무|구매|인사|법무|준법\S{0,3}|감사|학술|의학|마케팅|영업|품질|안전성|"
    r"약물감시|허가|"
    r"교육|개발|홍보|전략|기획|지원|영업관리)\S{0,4}(?:팀|부|부서|실|본부|담당자?|센터)?(?:에|으로|로|에서|에도|에게|께|"
    r"앞으로)(?=[\s,])|"
    r"(?:팀장|지점장|본부장|상무|전무|사장|대표|담당\s?임원|팀원|신입\s?사원|신입|후배|선배|동료|임직원|전\s?직원|사원들?|"
    r"영업사원|"
    r"담당자|PM|환자|환자분|보호자)(?:님)?(?:들)?(?:에게|께|한테|과|와)(?=[\s,])"
)
"""A part of the company, its people, an authority, a wholesaler or a patient as the one who gets something."""


def alone(paragraph: str) -> bool:
    """Say whether a paragraph tells of one occasion that nobody but our own people was there, and names nobody else."""
    if _NOBODY_ELSE.search(paragraph) is None or len(_SUM.findall(paragraph)) > 1:
        return False
    return not _names_them(_NOBODY_ELSE.sub("", paragraph))


def among_ourselves(text: str, following: str = "") -> bool:
    """Say whether a sentence speaks of the company's own people alone; a guest may be named in the next one."""
    if _NOBODY_ELSE.search(text) and not _names_them(_NOBODY_ELSE.sub("", text)):
        return True
    if not _OWN_PEOPLE.search(text) or _HANDED.search(text) or OUTSIDE.search(text):
        return False
    return bool(_NOBODY_ELSE.search(following)) or not _brings_a_guest(following)


def own_costs(text: str, following: str = "") -> bool:
    """Say whether a sentence notes a cost of the company's own business."""
    if not _OWN_COSTS.search(text) or _HANDED.search(text) or OUTSIDE.search(text):
        return False
    return not _brings_a_guest(following)


def _names_them(text: str) -> bool:
    return OUTSIDE.search(text) is not None


def _brings_a_guest(following: str) -> bool:
    """Say whether the next sentence names people of the other side as the ones who were there: with a word or as a bare note."""
    if not OUTSIDE.search(following):
        return False
    return _JOINED.search(following) is not None or not _ENDS_WITH_A_VERB.search(following)


def offered_to_us_and_refused(text: str) -> bool:
    """Say whether the other side offered us something, we did not take it, and gave nothing either."""
    if not _OFFERED_TO_US.search(text) or not _TURNED_DOWN.search(text) or _WE_GIVE.search(text):
        return False
    return (
        re.search(r"(?:지만|으나|는데)\s(?:\S+\s){0,2}결국|결국|마지못해|\bin the end\b|\beventually\b", text)
        is None
    )


def given_back(text: str, start: int, end: int) -> bool:
    """Say whether the words from `start` to `end` name what we were given: it was returned, or it is spoken of with thanks."""
    if _THANKED.search(text, end):
        return False
    if _GIVEN_TO_US.search(text, max(0, start - 40), start):
        after = text[end:]
        return _RETURNED.search(after) is not None or GIVES_KO.search(after) is None
    return _KINDLY.match(text[end : end + 40]) is not None
