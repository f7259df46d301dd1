"""Says whose a thing is: our own people's among themselves, the other side's, a competitor's, a part of the company's.

A benefit needs somebody of the other side who has it. These are the words by which a sentence shows that nobody of them has:
each needs a sign of its own, and none holds where the sentence names medical staff or an institution beside it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from metaagent.level2.compliance.text.harmless import OTHER_SIDE
from metaagent.level2.compliance.text.quick import KEPT, Quick
from metaagent.level2.compliance.text.vocabulary import GIVES_KO, PERSON

OUTSIDE = Quick(
    rf"{PERSON.pattern}|{OTHER_SIDE.pattern.replace('병원|', '병원(?!팀|영업|사업|부문|담당)|')}|설명회|강연|심포지엄|"
    rf"학회|보건소|시청|구청|공무원|외부\s?(?:인사|손님|분)|손님|내빈|부장님|실장님|"
    r"\b(?:guests?|clients?|doctor|hcps?|his|their|them|they|presentation|symposium|congress|speaker)\b",
    re.IGNORECASE,
)
"""Anybody beside the company's own people, and occasions where they are."""
THEM = Quick(
    rf"{PERSON.pattern}|의국|병동|간호|거래처|고객|사모|일행|내외분|드[리렸립린릴림]|\b(?:his|her|their|him|them)\b",
    re.IGNORECASE,
)
"""People of the other side, without the places where they work."""
TO_THEM = Quick(
    rf"(?:{PERSON.pattern}|의국|병동|간호|거래처|고객|사모|일행|가족|자녀|아드님|따님)\S{{0,4}}?(?:께|에게|한테|앞으로)(?=[\s,])",
    re.IGNORECASE,
)
"""Somebody of the other side as the one to whom something is done."""
TO_THEIR_PLACE = re.compile(
    r"(?:원장|교수|과장|부장|선생|의사|약사|국장|간호사|사모|아드님|따님|자녀|가족)\S{0,4}?\s?(?:댁|집|자택|방|손|품|차|연구실|진료실|사무실)(?:으로|로|에)(?=[\s,])"
)
"""A place where somebody of the other side keeps what is theirs: a thing that goes there is given, a person visits."""
_NOBODY_ELSE = Quick(
    r"(?:외부(?:인|\s?인원|\s?참석자?|\s?손님)?|동행자?|동반자?|거래처\s?(?:접대|참석)?)[은는이가도]?\s?(?:전혀\s?)?없|"
    r"\b(?:nobody|no one|none) (?:external|from outside|else)\b|\b(?:just|only) us\b|\b(?:no|without) (?:outside|external"
    r"|outsiders?|guests?|other (?:people|persons?|guests?|attendees|participants|company|diners))\b\s?\w*|"
    r"\binternal(?:ly)? only\b|"
    r"\b(?:employees|staff|colleagues|team members) only\b|\bonly (?:our own|our|own) (?:employees|staff|people|team|"
    r"colleagues)\b|"
    r"(?:당사|사내|우리|자사)\s?(?:직원|인원|팀원|임직원)만|전원\s?(?:당사|자사|사내|우리|저희)?\s?(?:직원|임직원|팀원|사원)",
    re.IGNORECASE,
)
_SUM = re.compile(r"[\d천만백]\s?원|\bwon\b|\bKRW\b|₩", re.IGNORECASE)
_OWN_PEOPLE = Quick(
    r"(?:팀원|부서원|임직원|동료|선배|후배|신입|사수|팀장|지점장|본부장|영업사원|사원)(?:들|님)?(?:\s?(?:\d{1,3}|한|두|세|"
    r"네)\s?명)?"
    r"(?:이|가|은|는|께서|과|와|끼리|들과|들이|만|의|\s)|상여금|성과급|포상금|상금|(?<![가-힣])급여와|(?<![가-힣])(?:우리|"
    r"저희)\s?(?:팀|부서|직원|사무실)|"
    r"[가-힣]{2,6}\d?팀(?:원)?\s?(?:전원|\d{1,3}\s?명)|사내\s?(?:인원|직원|식당|행사|회식|구성원)|구내\s?식당|"
    r"팀\s?(?:점심|저녁|회식|식대|식사|워크숍|회의|운영비|다과|간식|간담회)|부서\s?(?:회식|점심|저녁|식대|운영비)|야근|당직|"
    r"(?<![가-힣])(?:본인|제)\s?(?:식사|식비|식대|점심|저녁|아침|숙박|교통|출장|업무용|차량|커피|몫)|혼자|홀로|단독|"
    r"사\s?(?:마시|마셨|마심|먹었|먹음|먹고)|(?<![가-힣])(?:내|제)\s?돈|자비로|\(본인\)|"
    r"(?:총무|인사|교육|재무|마케팅|준법\S{0,2}|영업\s?(?:지원|기획|관리))\s?(?:팀|부|실)(?:에서|이|가)\s|"
    r"(?<![가-힣])(?:제가|저는|저희|우리|개인)\s[^.\n]{0,20}?(?:가족\s?여행|휴가|신혼\s?여행)|"
    r"복지\s?(?:기금|포인트|카드|비)|경조(?:금|비|사)|사우회|"
    r"\b(?:my|our) own\b|\((?:own|self|just me|only me)\)|(?<!including )(?<!and )\bmyself\b(?! included)|\bourselves\b"
    r"|\balone\b|\b(?:with|and|for) (?:my|our) (?:manager|boss)\b|\b(?:my|"
    r"our) (?:colleagues?|team|trainee|lunch|"
    r"dinner|breakfast|hotel|meal|meals|coffee|taxi|train)\b|\bteam (?:lunch|dinner|breakfast|meal|offsite|outing|budget|"
    r"meeting)\b|"
    r"\bfor me\b(?! and)|\bI fl(?:y|ew) (?:to|home|back)\b|\bmy (?:flight|trip|hotel|room|laptop|computer)\b|"
    r"\bwith (?:marketing|finance|HR|legal|medical affairs|logistics|regulatory)\b|\b(?:sales|support|marketing"
    r"|finance) team\b|\bstaff members\b|\b\d+ (?:of our )?(?:employees|staff|colleagues)\b|\bmeeting budget\b|"
    r"\b(?:co-?workers?|colleagues?)\b|\b(?:of )?the undersigned\b",
    re.IGNORECASE,
)
"""The company's own people by name of their place in it."""
_OWN_COSTS = Quick(
    r"주유|주차|유류|톨게이트|톨비|고속도로|시외버스|지하철|(?:자료|교재|명단|책자)\S{0,2}\s?(?:제작|출력|인쇄|복사)|출력비|"
    r"인쇄비|출장|회사\s?차량|법인\s?차량|영업\s?차량|업무\s?차량|공용차|지점|영업소|사무실|사무용|사무\s?용품|업무용|본사|지사|"
    r"창고|비품|소모품|"
    r"복사\s?용지|토너|명함|택배|퀵\s?서비스|우편|통행료|하이패스|서버|소프트웨어|구독|회선|전산|인쇄소|"
    r"\b(?:park(?:ed|ing)|business trip|office|head ?quarters|branch|company (?:car|van|vehicle)|stationery|toner|courier"
    r"|postage|toll|"
    r"printer|server|software|licen[cs]e)\b",
    re.IGNORECASE,
)
"""Costs of the company's own business, whoever paid them."""
_OWN_TRAVEL = Quick(
    r"KTX|SRT|기차|열차|고속버스|택시|항공|비행기|숙박|호텔|숙소|렌터카|왕복|편도|\b(?:train|bus|flights?|taxi|hotel|lodging|"
    r"park(?:ing|ed)|fuel|petrol)\b",
    re.IGNORECASE,
)
_TRIP = re.compile(
    r"학회|학술대회|여행|출국|연수|휴가|내외분|가족|부부|[1-9]박|가신|가시|다녀|\b(?:fl(?:y|ies|ew|ying)|travel\w*|trips?|"
    r"congress|conference|holiday"
    r"|abroad|going to)\b",
    re.IGNORECASE,
)
"""Somebody of the other side travels."""
_BOOTH = Quick(r"부스|전시\s?비|광고\s?(?:비|료)|\bbooth\b|\bexhibition\b", re.IGNORECASE)
_ITS_ACCOUNT = re.compile(
    r"[가-힣]{0,6}(?:학회|협회|학술대회|심포지엄|주최\s?측)(?![가-힣]*(?:장|원|들)(?:님|에게|께))|\b(?:congress|symposium|society)\b"
)
"""A society as the one that is paid for a stand, or has the occasion: its members are people."""
_PLACE_OF_THEIRS = Quick(
    r"(?:병원|의원|약국|보건소|의료원|클리닉|세브란스)\s?(?:앞|근처|인근|옆|건너편|지하|주차장|1층)(?=[\s가-힣])|"
    r"(?:병원|의원|약국|보건소|의료원)까지(?=\s(?:택시|버스|기차|지하철|이동))|(?<=taxi )to the (?:hospital|clinic)(?=[\s,.])|"
    r"거래처(?:를|들?을)?\s?(?:(?:\d+|한|두|세|네|다섯|여러|몇)\s?(?:곳|군데)|(?=돌|순회|방문|다녀))|"
    r"\b(?:in|at|near|outside|opposite) the (?:hospital|clinic)(?:'s)?(?: (?:garage|car park|parking lot|lobby|caf[eé]|canteen))?"
    r"(?=[\s,.])"
)
"""A place near an institution: nobody of it."""
_HANDED = Quick(
    r"드[리렸립린릴림]|(?<!서류)(?<!서류\s)(?<!우편)(?<!우편\s)(?<!약)(?<!쇼핑)봉투|선물|증정|접대|대접|챙겨|나눠\s?주|돌렸|"
    r"돌림|돌려|보내\s?주|건네|건넸|"
    r"\b(?:gift\w*|gave|give|given|handed|treat\w*|present\w*|for (?:him|her|them|the (?:doctor|clinic|ward|nurses)))\b",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"(?:도|과|와|께서도|까지)\s?(?:\S+\s){0,2}?(?:함께|같이|합류|동석|합석|참석|오셨|오시|끼|드셨)|모였|모임|만났|함께|같이|"
    r"합류|동석|합석|"
    r"\b(?:joined|too|as well|also|with us|came along)\b",
    re.IGNORECASE,
)
_NOMINAL = "".join(chr(code) for code in range(0xAC00 + 16, 0xD7A4, 28))
"""The syllables that a verb may end in as the noun that a note ends with: 함, 뵘, 둠."""
_ENDS_WITH_A_VERB = re.compile(
    rf"(?<!모)(?<!점)(?<!아)(?<!처)(?<!사)(?<!다)(?<!마)[{_NOMINAL}][.!\s)]*$|"
    r"(?:방문|예정|완료|설명|면담|통화|확인|보고|진행|복귀|이동)[.!\s)]*$|(?:[다요음함임됨죠네]|니다)[.!\s)]*$|\b(?:was|"
    r"were|is|are|had|has|did|\w+ed)\b"
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
_OFFERED_TO_US = Quick(
    r"(?:건네|주|내미|보내|사\s?오|가져오|권하|선물하|챙겨\s?주|내)(?:셨|시[며고는어려]|신\s|시길래|시기에)|"
    r"\b(?:[Hh]e|[Ss]he|[Tt]hey|Dr\.? \w+|Prof\.? \w+|patients?|famil(?:y|ies)|clinic|nurses?) (?:\w+ ){0,2}(?:brought|"
    r"offered|gave|sent|"
    r"handed|wanted (?:us|me))\b"
)
_TURNED_DOWN = re.compile(
    r"괜찮다고|됐다고|마다했|사양|거절|돌려\s?(?:드렸|보냈|보내)|받지\s?않|마음만|고사했|"
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
INSURED_KO = Quick(r"(?:회사|자차|자동차|당사)\s?보험")
OWED = Quick(
    r"미수|외상|수금|매출\s?채권|잔액|잔금|대금|납품|발주|주문|"
    r"반품|불량|파손|\b(?:damaged|broken|defective|faulty|complaints?|replaced|replacements?|credit notes?|returned goods|"
    r"recall|overdue|outstanding|receivables?|invoices?"
    r"|ordered|orders?)\b",
    re.IGNORECASE,
)
"""Money that customers owe for what they bought."""
INSIDERS = Quick(
    r"(?:본사|본부|지점|지사|공장|물류\S{0,3}|도매(?:상|업체)?|유통(?:사|업체)|대행사|협회|공단|심평원|식약처|복지부|"
    r"질병청|당국|감독기관|"
    r"IT|사내|회사|전산|인쇄소|창고|재무|회계|경리|총무|구매|인사|법무|준법\S{0,3}|감사|학술|의학|마케팅|영업|품질|안전성|"
    r"약물감시|허가|"
    r"교육|개발|홍보|전략|기획|지원|영업관리)\S{0,4}(?:팀|부|부서|실|본부|담당자?|센터)?(?:에|으로|로|에서|에도|에게|께|"
    r"앞으로)(?=[\s,])|"
    r"(?:팀장|지점장|본부장|상무|전무|사장|대표|담당\s?임원|팀원|신입\s?사원|신입|후배|선배|동료|임직원|전\s?직원|사원들?|"
    r"영업사원|"
    r"담당자|PM|대리|주임|차장|환자|환자분|보호자)(?:님)?(?:들)?(?:\([^)]{0,20}\))?(?:에게|께|한테|과|와)(?=[\s,])"
)
"""A part of the company, its people, an authority, a wholesaler or a patient as the one who gets something."""


_THEY = (
    r"(?:원장|교수|과장|부장|실장|선생|의사|의료진|간호사|약사|사모|따님|아드님|자녀|가족|내외|동문|친구|동기|환자|부부|"
    r"원장님\s?댁)(?:님|분)?"
    r"(?:들|분들)?"
)
_THEIR_LEISURE = re.compile(
    rf"{_THEY}(?:이|가|은|는|께서|께서는|끼리|과|와|의)?\s[^.\n]*?(?:다녀오|다녀온|간다|가신|가셨|가시|떠나|즐기|즐긴|좋아하|"
    rf"배우|치신|치셨|"
    rf"치는|취미|보러|보셨|준비로|이야기|얘기|말씀|자랑|사진|계획이|라고|다고)"
)
_LEISURE_EN = re.compile(
    r"\b(?:[Hh]e|[Ss]he|[Tt]hey|[Hh]is|[Hh]er|[Tt]heir|Dr\.? \w+|Prof(?:essor)?\.? \w+|doctor|director|family|nurses?)\b[^.;\n]*?"
    r"\b(?:came|come|back|returned|home) from|\b(?:is|was|are|were|be) (?:away )?on (?:holiday|vacation|leave)\b|\b(?:[Hh]e"
    r"|[Ss]he|[Tt]hey|Dr\.? \w+|Prof(?:essor)?\.? \w+|doctor|"
    r"director)\s(?:\w+\s){0,3}?"
    r"(?:went|goes|going|plays?|played|loves?|likes?|enjoys?|mentioned|showed|talked|chatted|spoke|told|raved|is off|"
    r"was off|is going|plans)\b"
)
_OUR_PART = re.compile(
    r"(?:우리|저희|당사|회사|제가|저도|저와|제\s|본사|지점|영업|팀)|드[리렸립린릴림]|지원|후원|부담|결제|계산|비용|경비|모시|"
    r"모셔|모셨|함께|같이|동행|"
    r"초대|초청|예약|예매|접대|대접|협찬|보내\s?[주드]|약속|주기로|주겠|준비해|마련|챙겨|"
    r"\b(?:we|our|us|I (?:paid|booked|arranged|offered|promised|bought|sent|took|joined|got)|company|paid|sponsor\w*|"
    r"cover\w*|invit\w*|"
    r"arrang\w*|book\w*|together|joined|with me|treat\w*|fund\w*|bought|offer\w*|promis\w*)\b"
)
_NOT_OURS = re.compile(r"(?:저희|우리|당사|회사)[^.\n]{0,12}(?:관계|관련|상관)\s?없")


_NAME_ENDS = re.compile(
    r"[가-힣]*(?:병원|의원|의료원|약국|클리닉|보건소|센터|재단|학회|협회|제약|약품|대학교|학교|[정주](?=$|"
    r"[\s,.을를은는이가의과와도로에]))"
)
"""The rest of a word if the word is a name of an institution, a company or a medicine."""
_PLACE_ENDS = re.compile(r"[가-힣]{1,8}(?:병원|의원|의료원|약국|클리닉|보건소)")
"""The rest of a word that begins like a benefit and goes on as the name of an institution."""
_WORD_BEFORE = re.compile(r"[가-힣]$")


_STUDY = re.compile(r"임상\s?시험|시판\s?후\s?조사|PMS|증례|\bclinical trial|\bpost-marketing", re.IGNORECASE)
_STUDY_PAID = re.compile(r"산학협력단|기관\s?계좌|병원\s?계좌|연구처|IRB|심의위원회", re.IGNORECASE)


def in_a_name(text: str, start: int, end: int) -> bool:
    """Say whether a noun is only a part of a longer name: 담요 in 예담요양병원, 양산 in 양산새솔의원."""
    if _WORD_BEFORE.search(text, 0, start) is not None:
        return _NAME_ENDS.match(text, end) is not None
    return _PLACE_ENDS.match(text, end) is not None


def their_leisure(text: str) -> bool:
    """Say whether a sentence tells how the other side spends its own time: nobody of ours has a part in it."""
    plain = _NOT_OURS.sub("", text)
    if _OUR_PART.search(plain):
        return False
    return (_THEIR_LEISURE.search(plain) or _LEISURE_EN.search(plain)) is not None


def research_contract(block: str) -> bool:
    """Say whether a paragraph speaks of a study under contract that an ethics board passed and the institution is paid for."""
    return all(words.search(block) for words in (_STUDY, _STUDY_PAID))


_ON_LEAVE = Quick(
    r"연차|반차|(?:여름|겨울|육아|출산|병|경조|대체)?\s?휴가(?!비|철)|휴직|자리를\s?비|"
    r"\b(?:annual leave|on leave|days? off|on holiday|on vacation|"
    r"out of (?:the )?office)\b",
    re.IGNORECASE,
)


_PRIVATE = re.compile(
    r"가족|동생|결혼식|돌잔치|아이|부모|여행|휴가|연차|반차|급한\s|부탁|"
    r"\bmy (?:parents|wife|husband|children|kids|son|daughter)\b|\b(?:family|wedding|holiday|vacation|leave|urgent)\b",
    re.IGNORECASE,
)


def is_private(sentence: str) -> bool:
    """Say whether a sentence of such a paragraph speaks of the leave, a family or who stands in, and not of the company."""
    return _PRIVATE.search(sentence) is not None and not re.search(r"당사|회사|법인", sentence)


_NO_CUSTOMERS = re.compile(
    r"\b(?:no|without(?: any)?) (?:doctors?|physicians?|hcps?|customers?|medical staff)\b(?: (?:are|were|was|is))? "
    r"(?:involved|present|there|invited|attend\w*|join\w*)",
    re.IGNORECASE,
)


@lru_cache(KEPT)
def private_matters(paragraph: str) -> bool:
    """Say whether a paragraph tells of somebody's leave, names nobody of the other side and no sum."""
    if _ON_LEAVE.search(paragraph) is None or _SUM.search(paragraph):
        return False
    rest = _NO_CUSTOMERS.sub("", _TELLS_THEM.sub("", paragraph))
    return OUTSIDE.search(rest) is None and _HANDED.search(rest) is None


_TELLS_THEM = re.compile(
    r"(?:거래처|고객|병원|의원)\S{0,4}\s(?:\S+\s)?(?=연락|안내|공지|말씀)|(?:부탁|연락|안내|말씀|공유|전달|"
    r"인사)\s?드[리렸립린릴림려]"
)
"""Customers are told of the leave, and a colleague is asked to stand in."""


_ENTERTAINED = re.compile(
    r"(?:대접|접대)(?:했|하고|하였|함(?![가-힣])|해)|모시고|모셨|\b(?:entertained|hosted)\b", re.IGNORECASE
)
"""Somebody was a guest, whoever it was."""


@lru_cache(KEPT)
def alone(paragraph: str) -> bool:
    """Say whether a paragraph tells of one occasion that nobody but our own people was there, and names nobody else."""
    if _NOBODY_ELSE.search(paragraph) is None or len(_SUM.findall(paragraph)) > 1:
        return False
    if _ENTERTAINED.search(paragraph):
        return False
    return not _names_them(_NOBODY_ELSE.sub("", paragraph))


_A_MEAL = Quick(r"점심|저녁|식사|식대|회식|다과|간식|\b(?:lunch|dinner|meal|coffee|drinks)\b", re.IGNORECASE)
_TO_OUR_STAFF = Quick(
    r"(?:회사|본사|총무팀|인사팀|대표님|사장님|본부장님|지점장님)(?:에서|께서|이|가)\s[^.\n]*?(?:직원|임직원|사원|팀원|저희|"
    r"우리)\S{0,3}(?:에게|께|한테)"
)
"""The company gives its own staff something."""
_AWARD = Quick(
    r"(?:포상|표창|시상|인센티브|격려)[^.\n]*?(?:사원|대리|주임|차장|팀장|지점|임직원|직원)\S{0,2}"
    r"(?:\s?(?:\d{1,3}|한|두|세|네|다섯)\s?명)?(?:에게|께|한테)|(?:우수\s?(?:영업\s?)?(?:사원|직원)|임직원)[^.\n]{0,12}(?:포상|표창|시상)|"
    r"\b(?:employee|sales ?(?:rep|person)|staff) (?:of the (?:month|quarter|year)|award)|"
    r"\b(?:sales|performance|service|team) (?:awards?|prizes?|bonus(?:es)?)\b[^.\n]*?"
    r"\bour (?:\w+ )?(?:reps?|employees?|staff|colleagues?)\b",
    re.IGNORECASE,
)
"""An award of the company to its own people."""
_AWARDED = re.compile(
    r"(?:직원|사원|팀원|대리|주임|차장|팀장)\S{0,2}\s?(?:\d{1,3}|한|두|세|네|다섯)\s?명(?:에게|께|한테)|\bdepartment stores?\b",
    re.IGNORECASE,
)
"""A count of our own people, and shops whose name is one of a part of a hospital."""


def among_ourselves(text: str, following: str = "") -> bool:
    """Say whether a sentence speaks of the company's own people alone; a guest may be named in the next one."""
    if _NOBODY_ELSE.search(text) and not _names_them(_NOBODY_ELSE.sub("", text)):
        return True
    if (
        _A_MEAL.search(text)
        and _NOBODY_ELSE.search(following)
        and not _names_them(text)
        and not _names_them(_NOBODY_ELSE.sub("", following))
    ):
        return True
    if (_TO_OUR_STAFF.search(text) or _AWARD.search(text)) and not OUTSIDE.search(_AWARDED.sub("", text)):
        return not _brings_a_guest(following)
    if not _OWN_PEOPLE.search(text) or _HANDED.search(text) or OUTSIDE.search(_PLACE_OF_THEIRS.sub("", text)):
        return False
    return bool(_NOBODY_ELSE.search(following)) or not _brings_a_guest(following)


def own_costs(text: str, following: str = "", before: str = "") -> bool:
    """Say whether a sentence notes a cost of the company's own business. Who travels without a name is the writer, unless the
    sentence before names somebody else."""
    place = _PLACE_OF_THEIRS.sub("", text)
    if _BOOTH.search(text):
        return (
            not PERSON.search(text)
            and not _HANDED.search(text)
            and not OUTSIDE.search(_ITS_ACCOUNT.sub("", place))
        )
    if _HANDED.search(text) or OUTSIDE.search(place):
        return False
    theirs = OUTSIDE.search(before) and _TRIP.search(before)
    if not _OWN_COSTS.search(text) and not (_OWN_TRAVEL.search(text) and not theirs):
        return False
    return not _brings_a_guest(following)


_SOMEBODY_KO = r"(?:의료인|의료진|의사|약사|간호사|원장|교수|고객|거래처|병원|의원|약국)(?:님|들|분들)?"
_SOMEBODY_EN = r"(?:guests?|customers?|clients?|visitors?|doctors?|physicians?|hcps?|nurses?|pharmacists?|medical staff)\b"
_NO_GUEST = Quick(
    r"(?:손님|고객|외부인?|거래처)(?:용|\s?분들|들)?[이은는가도]?\s?(?:\S+\s)?(?:아니|아닌|없|오지\s?않|참석하지\s?않|"
    r"부르지\s?않)|"
    rf"{_SOMEBODY_KO}(?:(?:이나|나|,|와|과|\s및|·)\s?{_SOMEBODY_KO})*(?:에게|께|에|한테)?(?:는|도)?\s?(?:따로\s)?"
    r"(?:제공|지급|전달|지원)?(?:한|된|준|드린|나간|간)\s?(?:것|건|적|일|내역|바)[은는이도]?\s?(?:전혀\s|일절\s)?없|"
    rf"\bnothing (?:\w+ ){{1,3}}(?:to|for) (?:any )?{_SOMEBODY_EN}(?:(?:,| or| and| nor) (?:any )?{_SOMEBODY_EN})*|"
    rf"\b(?:not|no) (?:for |any )?{_SOMEBODY_EN}",
    re.IGNORECASE,
)


_NEXT_ENTRY = re.compile(
    r"\s*(?!(?:참석|동석|인원|대상|면담|동행|Attend|Guest)\S{0,5}\s?[:：])(?:[-*•]\s?(?=[^\s:]{1,8}\s?[:：])|"
    r"[^\s:：]{1,10}\s?[:：]\s|"
    r"(?:\d{4}[-./])?\d{1,2}[/.월]\s?\d{1,2}|\d{1,2}[.)]\s|\(?\d{1,2}\)\s|[①-⑳]|(?:첫|둘|셋|넷|다섯)째[,\s])"
)
"""The next entry of a list, which speaks of something else; one that names who was there does not."""


def _names_them(text: str) -> bool:
    return OUTSIDE.search(text) is not None


def _brings_a_guest(following: str) -> bool:
    """Say whether the next sentence names people of the other side as the ones who were there: with a word or as a bare note."""
    following = _NO_GUEST.sub("", following)
    if _NEXT_ENTRY.match(following):
        return False
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


_WE_RECEIVED = re.compile(r"[을를도]\s(?:\S+\s){0,3}?(?:받(?:았|아|고|음|은(?!\s?분))|수령(?:했|함|하))")
_SOMEBODY_ACTS = re.compile(
    r"(?:님|분|의사|간호사|직원|약사|의료진|참석자|원장|교수|과장)(?:들)?(?:이|가|은|는|께서|도|께|에게)\s"
)
_REGISTERED = re.compile(
    r"[은는을를]?\s(?:\S+\s){0,3}?(?:대장|신고서|신고대장|등록부)에\s(?:적|기록|등록|기재|올렸)"
)


def received_by_us(text: str, start: int, end: int) -> bool:
    """Say whether the noun is what we were given: received in plain words with nobody else as subject, or registered as such."""
    if _REGISTERED.match(text, end):
        return True
    return _WE_RECEIVED.match(text, end) is not None and _SOMEBODY_ACTS.search(text, 0, end) is None


def given_back(text: str, start: int, end: int) -> bool:
    """Say whether the words from `start` to `end` name what we were given: it was returned, or it is spoken of with thanks."""
    if _THANKED.search(text, end):
        return False
    if _GIVEN_TO_US.search(text, max(0, start - 40), start):
        after = text[end:]
        return _RETURNED.search(after) is not None or GIVES_KO.search(after) is None
    return _KINDLY.match(text[end : end + 40]) is not None
