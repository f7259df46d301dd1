"""Decides what a sum of money in a sentence is: a price, a limit or other money; for each or in all, with tax or without."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Literal

from metaagent.level2.compliance.facts import Expense
from metaagent.level2.compliance.text.amount_context import Around, around, has_a_day
from metaagent.level2.compliance.text.amounts import Sum, sums
from metaagent.level2.compliance.text.events import UNCLEAR, not_paid_by_us
from metaagent.level2.compliance.text.harmless import COSTS_KO, COUNTER_KO, NO_COSTS_KO, THINGS_EN, THINGS_KO
from metaagent.level2.compliance.text.mentions import Mention, mentions_in, of_their_treat, their_treat
from metaagent.level2.compliance.text.quick import KEPT, Quick
from metaagent.level2.compliance.text.vocabulary import ASKED, FAVOURS, OTHERS, PERSON, PLACES_TO_EAT
from metaagent.level2.compliance.text.wording import LONGEST_SENTENCE, Sentence, only_spoken_of, polarity

_OTHER_MONEY = Quick(
    r"매출|판매가|약가|약값|조제료|거래\s?명세|입금액|차액|예산|목표|실적|주문|수주|연봉|급여|재고|마진|할인|원가|공급가|납품|입찰|계약(?!서(?!상|의|\s?금액)|\s?(?:체결|작성|첨부|보관))|견적|"
    r"연구비(?!\s?(?:명목|형식|조로|명의))|임상시험|"
    r"담보|미수금?|외상|수금|채권|잔액|대금|여신|상한가|상한\s?금액|고시가|출고가|보험가|시장\s?규모|추산|점유|채산|손익|"
    r"영업\s?이익|"
    r"치료비|진료비|수가|본인\s?부담|시장|투자|과태료|과징금|벌금|처방액|보험|\b(?:sales|revenue|budget|target|"
    r"orders?|ordered|salary|fine|reimburse\w*|market|copay(?:ments?)?|quot(?:e|ed|es|ing)|tender|(?<!speaker )(?<!ing )contract"
    r"(?! (?:was |is |has been |and [\w ]{0,20}\btax\w* )?"
    r"(?:signed|attached|concluded|dated|filed|handled|settled|on file|in place))"
    r"|invoices?|inventory|overdue|"
    r"receivables?|outstanding|turnover|profits?|collateral|margins?|"
    r"credit notes?|damaged|(?:per|a|each) (?:tablet|vial|bottle|pack|box|capsule|ampoule)|ceiling price|list price)\b",
    re.IGNORECASE,
)
_DISGUISED = re.compile(
    r"명목|형식으로|조로\s|매달|매월|다달이|건당|분기마다|\bevery month\b|\ba month\b|\bmonthly\b"
)
"""Words of money that comes regularly, or under another name."""
_HANDS = re.compile(
    r"드[리렸립린릴림]|지급|지원|보조|보태|씩\s|합의|약속|송금|이체|챙[겨기겼]|건네|건넸|[주대하]기로|"
    r"\b(?:gave|give|giving|paid him|paid her|offer\w*|promis\w*|hand\w*|transfer\w*|for (?:him|her|them)|his|her|their)\b",
    re.IGNORECASE,
)
"""Words with which a sum may go to somebody: what the paragraph speaks of explains none of them."""
_PRICE = Quick(r"단가|가격|\bprice\b", re.IGNORECASE)
"""The price of what is sold, unless something was given before: then it is the price of that."""
_COST = re.compile(
    r"금액|비용|가격|단가|총액|합계|값|[가-힣1]당(?=[\s\d])|1인|한\s?(?:사람|분|개)|각|결제|계산|영수증|씩|부가세|나왔|들었|어치|"
    r"\b(?:costs?|price|bill|total|receipts?|slip|per|each|apiece|came to|makes|worth|amount|VAT|in all|altogether)\b",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    r"(?:의사|의료인|의료진|원장|교수|과장|선생|약사|봉투|계좌|doctor|physician|HCP)\S{0,4}.{0,30}(?:제공|지급|전달|건넸|"
    r"송금|입금|드렸|전했|이체|paid|gave|given|transferred|passed|handed)"
    r"|(?:paid|gave|given|transferred|passed|handed|slipped).{0,40}(?:doctor|physician|professor|Dr\b|HCP|nurse|pharmacist|receptionist|director)",
    re.IGNORECASE,
)
THING = Quick(
    r"(?P<thing>[가-힣]{1,10})(?:을|를)\s?(?:\S+\s){0,4}?(?:제공|지급|전달|건넸|"
    r"(?<![해어아여켜려혀와춰써러워쳐려]\s)드[렸림립]|배부|배포|증정|나눠)"
)
_SHOWN = re.compile(r"(?:보여|알려|읽어|들려|짚어|일러|(?:설명|안내|확인|정리|공유)해)\s?드")
"""Verbs of showing and telling: their objects are not handed over."""
_OBJECT_KO = re.compile(r"([가-힣]{2,10})[은는을를만]\s(?:[^\s.]+\s){0,4}$")
_OBJECT_EN = re.compile(
    r"\s(?:the|our|a|all|some|this|these)\s(?:[a-z]+\s){0,2}?([a-z]+)(?=[.,;]|\s(?:and|with|on|in|at|for)\b|$)"
)
"""The thing that a verb of favouring is done with: 자료는 책상 위에 올려 두고 왔다, covered the new rules."""
_MONEY_THING = re.compile(r"원$|금액|돈|현금|사례|상당")
_RULE = re.compile(
    r"제한|한도|상한|가능|할\s?수\s?있|해야|하여야|허용|규정|기준|원칙|이어야|되어야|must|\b(?-i:may)\b|shall|should|\blimit|"
    r"allowed|permitted|cap\b|ceiling",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"^\s?(?:\(.{0,12}\)\s?)?(?:까지(?=[,;.]|\s?$)|이하|이내|한도|까지|미만|기준|상한|or less|limit|\s?cap\b)",
    re.IGNORECASE,
)
_PASSED = re.compile(r"^\s?(?:을|를)?\s?(?:초과|넘)", re.IGNORECASE)
_LISTED_SUM = re.compile(r"\s?(?:\([^)]{0,20}\)\s?)?[,·]\s?(?:[가-힣A-Za-z]{1,10}\s?){0,3}(?=\d)")
"""A comma between a sum and the next one, which share their predicate: 시간당 50만원, 하루 100만원을 넘지 못한다."""
_BOUND_BEFORE = re.compile(
    r"(?:한도|상한|기준(?:\s?금액)?|(?:is|are|be) (?:limited|restricted) to|"
    r"limit(?: of| is)?|maximum(?: of)?|cap of|at most|up to|exceed(?:ing|s|ed)?|more than|over)"
    r"(?:[은는인이가]|\s?금액)?\s?:?\s?(?:1인당\s?)?$",
    re.IGNORECASE,
)
_EACH_BEFORE = re.compile(
    r"(?:인당|명당|분당|사람당|(?:개|자루|병|장|권|통|세트|박스|상자|잔|그릇|곽|팩|봉|매|점|벌|켤레)당|"
    r"각각|(?<![가-힣])각|per person|"
    r"per head|each)[^.,;\d]{0,14}$|\d\s?\S{0,2}\s?[×x*]\s?$|"
    r"(?:(?<!\d)1인|(?<![가-힣])한\s?(?:사람|분|명|개|자루|병|장|권|통|세트|박스|상자|잔|그릇|팩)|단가|unit price)(?:당|에|에게)?"
    r"(?:\s?(?:의\s)?(?:가격|단가|값|금액))?(?:은|는|이|가|\sis|\sof)?\s?(?:평균|약|대략|[:：])?\s?$",
    re.IGNORECASE,
)
EACH_AFTER = re.compile(
    r"^(?:짜리)?(?:,?\s?(?:VAT|부가세)[^,.()]{0,12})?(?:\s?\([^)]*\))?\s?(?:씩(?!\s?(?:한|두|세|네|다섯|\d{1,2})\s?(?:번|"
    r"차례|회))|/\s?인|/\s?명|per person|per head|each|a head|a person|apiece)",
    re.IGNORECASE,
)
_ONE_PIECE = re.compile(
    r"(?:하나|한\s?개|1개|한\s?세트|한\s?병|한\s?박스)씩?|짜리|상당|가격|단가|\b(?:each|every|everyone|everybody|one per|"
    r"worth|price)\b",
    re.IGNORECASE,
)
_TOGETHER = re.compile(r"(?:총|합계|전체|모두|합쳐|전부|total|in all|altogether)\D{0,12}$", re.IGNORECASE)
_TOGETHER_AFTER = re.compile(r"\s?(?:어치|in total|in all|altogether|in sum)", re.IGNORECASE)
_BY_HOUR = re.compile(r"시간당\s?$|per hour[^.\d]{0,12}$", re.IGNORECASE)
_BY_HOUR_AFTER = re.compile(r"^\s?(?:an|per|/)\s?(?:hour|시간)", re.IGNORECASE)
_SEVERAL_EACH = re.compile(r"(두|세|네|다섯|[2-9])\s?(?:개|병|박스|상자|세트|자루)씩")
_NET_AND_TAX = Quick(
    r"(?:공급\s?가액?|순액|net(?: amount)?|supply value)\s?[:：]?\s?(?:KRW |₩)?(?P<net>[\d,]{4,12})"
    r"\s?(?:원|won)?\s?(?:\+|,|과|와|및|and|plus)\s?"
    r"(?:부가세|부가가치세|세액|VAT|tax)\s?(?:of )?[:：]?\s?(?:KRW |₩)?(?P<tax>[\d,]{3,12})",
    re.IGNORECASE,
)
"""A price that is told once more as what it is made of."""
_WON_EN = r"(?:KRW |₩)?[\d,]{3,12}(?: ?won)?"
_WITH_TAX = re.compile(
    rf"{_NET_AND_TAX.pattern.replace('?P<net>', '').replace('?P<tax>', '')}|"
    r"(?:부가세|부가가치세|세금|VAT)\s?(?:[\d,]{3,12}\s?원)?\s?(?:를|을|이|가)?\s?포함|VAT[ -]?(?:was )?inclu\w+|"
    rf"inclu\w+\s(?:of\s)?(?:the )?(?:\d+ ?% ?|{_WON_EN}\s(?:of )?)?(?:VAT|tax)|of which {_WON_EN} (?:is|was) (?:VAT|tax)|"
    r"incl\.?\sVAT|with (?:\d+ ?% )?VAT|(?:VAT|tax) in it|공급대가",
    re.IGNORECASE,
)
_WITHOUT_TAX = re.compile(
    r"(?:부가세|부가가치세|세금|VAT)\s?(?:를|을|는|은)?\s?(?:별도|제외|미포함|불포함|빼[고면]|뺀|전)|VAT[ -]?(?:is )?(?:exclu\w+|"
    r"not included)|"
    r"exclu\w+\s(?:of\s)?(?:the )?(?:\d+ ?% ?)?(?:VAT|tax)|"
    r"VAT\s?별(?![가-힣])|excl\.?\sVAT|before VAT|net of VAT|without VAT|공급가액?|"
    rf"plus (?:{_WON_EN} (?:of )?)?VAT",
    re.IGNORECASE,
)
_SUMMARY = Quick(r"(?:총액|합계|누계|총\s?[\d억만]|전체|월간|분기|연간|합산|total|overall)", re.IGNORECASE)
_SO_FAR = Quick(
    r"(?:올해|금년|연간|당해\s?연도)[^.\n]{0,12}(?:누적|누계|합계|총액?|합산|들어)|(?:누적|누계)[^.\n]{0,12}$|"
    r"\b(?:so far this year|this year(?:'s)? (?:total|fees)|year[- ]to[- ]date|total (?:for|of) (?:the|this) year|"
    r"this year in total|for the year)\b|\b(?:total|sum|fees)\b[^.\n]{0,30}\bthis year\b",
    re.IGNORECASE,
)
"""Words before the sum of a year."""
_THIS_YEAR = Quick(
    r"올해|금년|올\s해|연초|당해\s?연도|\bthis year\b|\byear[- ]to[- ]date\b|\bsince January\b", re.IGNORECASE
)
_EARLIER = Quick(
    r"이미|벌써|앞서|기존|기\s?지급|이전|종전|그동안|(?:이번|금번)\s?(?:건|강연|강의)?\s?(?:전|이전|제외|빼고)|"
    r"\b(?:already|earlier|previous(?:ly)?|prior|before (?:this|that|it)|not counting|without this)\b",
    re.IGNORECASE,
)
_THIS_TOO = Quick(
    r"(?:이번|금번|이)\s?(?:건|강연|강의|강연료|것|금액)?\S{0,2}\s?(?:까지|포함|합[쳐해하산]|더[해하])|포함|"
    r"\b(?:this (?:one|fee|lecture)|it|these(?: two)?) included\b|\binclu\w+ (?:this|it|these|today)|\bwith (?:this|it)\b",
    re.IGNORECASE,
)


def sum_of_year(text: str, one: Sum) -> Literal["with this", "before this"] | None:
    """Tell of a sum of a year whether the fee that is told with it counts in it, or was paid after it; None of any other sum."""
    earlier = _EARLIER.search(text) and not _THIS_TOO.search(text)
    if earlier and _THIS_YEAR.search(text):
        return "before this"
    if not _SO_FAR.search(text, 0, one.start):
        return None
    return "before this" if earlier else "with this"


_WITH_THIS_AFTER = re.compile(
    r"\s?(?:won )?(?:in (?:total|all|sum)|altogether)\s?(?:with|including) (?:this|it|these)\b", re.IGNORECASE
)
_WITH_THIS_BEFORE = re.compile(
    r"(?:이번\s?(?:건|강연|것)?\s?(?:포함|까지)|\b(?:with|including) (?:this(?: one)?|it|these),?)\s"
    r"(?:\S+\s){0,3}?(?:누적|누계|합계|총|total\w*|sum\w*)\D{0,12}$",
    re.IGNORECASE,
)


def with_this_one(text: str, one: Sum) -> bool:
    """Say whether a sum is that of several fees of which the one just told is the last."""
    return bool(_WITH_THIS_AFTER.match(text, one.end) or _WITH_THIS_BEFORE.search(text, 0, one.start))


_STRETCH = re.compile(
    r"지난\s?달|지난달|전월|이번\s?달|당월|\d{1,2}월\s?(?:한\s?달|전체|중|의|\s식|\s비|비용|지출)|"
    r"분기|상반기|하반기|연간|한\s?해|기간|last month|quarter|"
    r"this year|annual|monthly",
    re.IGNORECASE,
)
IMPLIED = {"meal", "cash", "lecture_fee"}
_HOLDS = re.compile(
    r"변동|유지|저렴|싸|비싸|인상|인하|올랐|내렸|낮|높|고시|책정|\b(?:remains?|unchanged|cheaper|lower|higher|rose|fell|"
    r"stays?|more than last)\b",
    re.IGNORECASE,
)
_BY_UNIT = re.compile(
    r"(?:kg|정|병|바이알|앰플|캡슐|톤|리터|포|월|년)당\s?\S{0,3}$|"
    r"(?<!\bone )(?<!\beach )(?<!\bit )(?<!\bthey )(?<!\bpiece )\b(?:now )?costs?\s$",
    re.IGNORECASE,
)
_ANY_COST = re.compile(
    r"^(?:식|식사|회식|음식|점심|저녁|숙박|항공|교통|강연|강의|자문|선물|다과|행사|참가|등록|물품|총)?(?:비|비용|대|료|값|금)$"
)
"""Words of a cost that can be that of a benefit named before."""
_PRICED_THING = re.compile(r"(?P<thing>[가-힣A-Za-z]{2,12})(?:의)?\s(?:단가|가격|공급가)")
_POINTS_BACK = re.compile(
    r"(?:[가-힣]{1,2}당|그|해당|이|총|제품|물품|선물|식사|예상|구입|구매|실제|평균|1인|인당|볼펜|텀블러|합계|전체|모두|각)$"
)
_COUNTED_SUM = re.compile(r"\d\s?(?:명|인|분),?\s?(?:총\s?)?[\d,만천]{2,10}\s?원")
"""A count of people with a sum beside it: 3명, 54,000원."""
_BEGINS_WITH_A_SUM = re.compile(
    r"\s*(?:총|약)?\s?[\d,]*\d\s?(?:만|천|백)?\s?(?:\d\s?천)?\s?원\s?[,(]|\s*(?:KRW|₩)\s?[\d,]*\d[,;]\s|\s*[\d,]*\d won[,;(]",
    re.IGNORECASE,
)
"""A note that goes on with the facts of what it named: 40만원, 1시간."""
_OF_A_LECTURE = re.compile(
    r"\s*(?:강연|강의|발표|좌장|자문|시간)?\s?\d{1,3}\s?(?:시간|분),?\s[\d,]*\d\s?(?:만|천)?\s?원|"
    r"\s*(?:\d{1,3} minutes|\w+ hours?), (?:KRW|₩)?\s?[\d,]*\d",
    re.IGNORECASE,
)
_TAX_BEFORE = re.compile(
    r"(?:부가세|부가가치세|세액|세금|VAT|tax)(?:는|은|가|이|액|\sof)?\s?[:：]?\s?$", re.IGNORECASE
)
_PART_BEFORE = re.compile(r"\b(?:inclu\w+(?: of)?|incl\.|of which|plus)\s$", re.IGNORECASE)
_TAX_AFTER = re.compile(r"\s?(?:of |is |was )?(?:VAT|tax)\b(?! (?:not|incl|excl))", re.IGNORECASE)
"""The tax told apart from its sum: 594,000 won including 54,000 won VAT."""
_PRODUCT = Quick(r"\d\s?\S{0,2}\s?[×x*]\s?(?:\S+\s){0,2}?\d", re.IGNORECASE)
_EQUALS = re.compile(r"=\s?$")
"""A sum that a line works out: 300개 × 1,200원 = 360,000원. The price for each says the same."""
_AT_MOST = re.compile(r"(?:at most|up to|no more than|maximum of|최대)\s?$", re.IGNORECASE)
_PLANNED = re.compile(r"예정|계획|준비|\b(?:will|plan\w*|expect\w*|budget\w*|estimat\w*)\b", re.IGNORECASE)
"""A plan that names the most it will cost: the sum is what is judged."""
_LISTED = re.compile(r"(?:[과와]|하고|이?랑)?\s?(?:[,·/]|및|and|or)?\s?(?:[가-힣]{1,4}\s)?")
_COUNTED = re.compile(r"\s?[\d,]{1,6}\s?[가-힣]{1,3},?\s?")
"""A number of things between their noun and the word of their price: 볼펜 100자루 단가."""
_BESIDE = 4
"""Characters between a benefit and the word of its price."""
_LIST_PART = re.compile(r"(?<!\d),\s|[;·]\s|(?<=원)(?:\([^)]*\))?,\s|(?<=won)(?:\([^)]*\))?,\s")
"""A part of a list ends: each part names its own sum after its thing."""
LEAST_LIMIT, LEAST_MEAL = 10_000, 30_000
"""Won for each person below which no limit of the trade's code or of the law on public officials ever lay."""
_PRESENTATION = re.compile(r"설명회|간담회|세미나|\bpresentations?\b", re.IGNORECASE)
WINDOW = 40
"""Characters around a sum in which its own words stand: per person, with tax, at most."""


@lru_cache(KEPT)
def prices_in(text: str) -> Sequence[Sum]:
    """The sums of a sentence but for the tax that one of them contains; several readers of it ask for them."""
    results = _PRODUCT.search(text) is not None
    parts = _NET_AND_TAX.search(text)
    found = sums(text)
    whole = _whole_of(parts) if parts else 0
    again = parts is not None and any(one.won == whole and one.end <= parts.start() for one in found)
    return [
        one
        for one in found
        if not (again and parts and parts.start() <= one.start < parts.end())
        and not (results and _EQUALS.search(text, 0, one.start))
        and not _is_tax(text, one)
    ]


def _is_tax(text: str, one: Sum) -> bool:
    """Say whether a sum is the tax that another one contains or that comes on top of it."""
    near = max(0, one.start - WINDOW)
    if _TAX_BEFORE.search(text, near, one.start):
        return True
    return (
        _PART_BEFORE.search(text, near, one.start) is not None and _TAX_AFTER.match(text, one.end) is not None
    )


def _whole_of(parts: re.Match[str]) -> int:
    return sum(int(parts[name].replace(",", "")) for name in ("net", "tax"))


def explained(sentence: Sentence, one: Sum, block: str) -> bool:
    """Say whether a sum that is no expense is one of another sort: a limit, a quoted rule, sales, a total of a period."""
    disguised = (
        _DISGUISED.search(sentence.text) or _HANDS.search(sentence.text)
    ) and not _OTHER_MONEY.search(sentence.text)
    if (
        not disguised
        and not PERSON.search(sentence.text)
        and not mentions_in(sentence)
        and _OTHER_MONEY.search(block)
    ):
        return True
    return (
        under_every_limit(sentence.text, one)
        or only_spoken_of(sentence, one.start, one.end)
        or is_a_limit(sentence.text, one)
        or is_a_summary(sentence)
        or _OTHER_MONEY.search(sentence.text) is not None
        or _PRICE.search(sentence.text) is not None
        or OTHERS.search(sentence.text) is not None
        or _RULE.search(
            sentence.text if sentence.korean else sentence.text[slice(*sentence.clause(one.start, one.end))]
        )
        is not None
        or their_treat(sentence.text, one.start, one.end)
        or of_their_treat(sentence)
        or polarity(sentence, one.start, one.end) != "affirmed"
    )


def nobody_treated(text: str) -> bool:
    """Say whether everybody paid for himself, and nothing else was handed over in the sentence."""
    return not_paid_by_us(text) and _GIVEN.search(text) is None and FAVOURS.search(text) is None


def under_every_limit(text: str, one: Sum) -> bool:
    """Say whether a sum for each person is below whatever limit could apply: that of items, or at a presentation of meals."""
    before = text[max(0, one.start - WINDOW) : one.start]
    if not _EACH_BEFORE.search(before) and not EACH_AFTER.match(text[one.end :]):
        return False
    return one.won <= LEAST_LIMIT or (one.won <= LEAST_MEAL and _PRESENTATION.search(text) is not None)


def is_for_each(made: Expense, told: str, text: str, one: Sum) -> bool:
    """Say whether a sum is told for each person or piece."""
    before, after = text[max(0, one.start - WINDOW) : one.start], text[one.end :]
    if _EACH_BEFORE.search(before) or EACH_AFTER.match(after):
        return True
    together = _TOGETHER.search(before) or _TOGETHER_AFTER.match(after)
    return made.category == "gift" and bool(_ONE_PIECE.search(told)) and not together


def with_amount(made: Expense, told: str, text: str, one: Sum, here: Around) -> Expense:
    before, after = text[max(0, one.start - WINDOW) : one.start], text[one.end :]
    each = is_for_each(made, told, text, one)
    several = _SEVERAL_EACH.search(told) if made.category == "gift" else None
    pieces = {"두": 2, "세": 3, "네": 4, "다섯": 5}.get(several[1]) or int(several[1]) if several else 1
    hourly = made.category == "lecture_fee" and bool(_BY_HOUR.search(before) or _BY_HOUR_AFTER.match(after))
    pieces = pieces * (made.hours or 1) if hourly else pieces
    of_one = made.category == "lecture_fee"
    amount = one.won * pieces * ((made.heads or 1) if each and not of_one else 1)
    nearby = text[max(0, one.start - WINDOW) : one.end + WINDOW]
    with_tax, without = _nearest(_WITH_TAX, _WITHOUT_TAX, nearby, one.start - max(0, one.start - WINDOW))
    if not with_tax and not without:
        with_tax, without = _nearest(_WITH_TAX, _WITHOUT_TAX, told, 0)
    named = len(here.doctors) if made.category != "meal" else 0
    return replace(
        made,
        amount=amount,
        vat=amount - round(amount / 1.1) if with_tax else None,
        tax_free=amount // 10 if without and not with_tax else None,
        heads=made.heads or (1 if each else None) or named or None,
    )


def _nearest(with_tax: re.Pattern[str], without: re.Pattern[str], text: str, at: int) -> tuple[bool, bool]:
    """Tell which of the two is said of the sum at a place: the one that stands nearer to it."""
    far = len(text) + 1
    taxed, free = (
        min((min(abs(m.start() - at), abs(m.end() - at)) for m in words.finditer(text)), default=far)
        for words in (with_tax, without)
    )
    return taxed < far and taxed <= free, free < far and free < taxed


_NEXT_ACT_EN = re.compile(
    r"(?:;|,)?\s(?:and|plus|then|but)\s(?=(?:then |also |later |I |we |he |she |they )*(?:gave|give|giving|paid|pay|hand\w*|"
    r"bought|buy\w*|sent|send\w*|took|take|treat\w*|cover\w*|left|slipped|offer\w*|provid\w*|transferr\w*|promis\w*|serv\w*|hosted|\d))|;\s"
)
"""The place at which another act begins."""


class SentenceSums:
    """The words of a sentence that say what its sums are for, found once."""

    def __init__(self, sentence: Sentence, mentions: Sequence[Mention]) -> None:
        text = sentence.text
        self._sentence = sentence
        self._mentions = list(mentions)
        parts = _NET_AND_TAX.search(text)
        within = range(*parts.span()) if parts else ()
        self._other = [m.span() for m in _OTHER_MONEY.finditer(text) if m.start() not in within]
        self._prices = [m.span() for m in _PRICE.finditer(text)]
        if not self._mentions:
            self._mentions = [
                Mention("meal", m.start(), m.end(), m.group(), "bare") for m in PLACES_TO_EAT.finditer(text)
            ]

    def benefit(self, one: Sum) -> Mention | None:
        """The benefit that a sum is for; None where it is for none."""
        sentence = self._sentence
        if only_spoken_of(sentence, one.start, one.end) or is_a_limit(sentence.text, one):
            return None
        if not self._beside(one):
            return self._handed_over(one)
        mention = self._listed(min(self._beside(one), key=lambda m: _distance(m.start, m.end, one)))
        distance = _distance(mention.start, mention.end, one)
        others = [
            *self._other,
            *([] if mention.said == "stated" or "개당" in sentence.text else self._prices_of_others(mention)),
        ]
        other = min((_distance(first, last, one) for first, last in others), default=LONGEST_SENTENCE)
        if other < distance or mention.said in ("denied", "open"):
            return None
        first, last = min(mention.start, one.start), max(mention.end, one.end)
        if mention.said == "bare" and polarity(sentence, first, last) != "affirmed":
            return None
        return mention

    def _beside(self, one: Sum) -> Sequence[Mention]:
        """The benefits that a sum can be for: one in brackets is for what stands before them."""
        known = [m for m in self._mentions if m.kind != "sample" or m.end <= one.start]
        opens = self._sentence.text.rfind("(", 0, one.start)
        if opens < 0 or ")" in self._sentence.text[opens : one.start]:
            first = max((m.end() for m in _LIST_PART.finditer(self._sentence.text, 0, one.start)), default=0)
            near = [m for m in known if first <= m.start < one.start]
            own = self._of_its_act(known, one)
            return [m for m in near if not own or m in own] or own or known
        within = [m for m in known if opens < m.start < one.start]
        return within or [m for m in known if m.end <= opens][-1:] or known

    def _of_its_act(self, known: Sequence[Mention], one: Sum) -> Sequence[Mention]:
        """The benefits of the English act that a sum stands in: vouchers of 300,000 won and paid 200,000 won for dinner."""
        text = self._sentence.text
        if self._sentence.korean:
            return ()
        first = max((m.end() for m in _NEXT_ACT_EN.finditer(text, 0, one.start)), default=0)
        last = min((m.start() for m in _NEXT_ACT_EN.finditer(text, one.end)), default=len(text))
        return [m for m in known if first <= m.start < last]

    def _listed(self, mention: Mention) -> Mention:
        """Name a benefit by the whole list that it stands in: 도시락과 음료."""
        same = [m for m in self._mentions if (m.kind, m.said) == (mention.kind, mention.said)]
        text, first, last = self._sentence.text, mention.start, mention.end
        for one in sorted(same, key=lambda m: -m.start):
            if one.end < first and _LISTED.fullmatch(text, one.end, first):
                first = one.start
        return replace(mention, noun=text[first:last])

    def _prices_of_others(self, mention: Mention) -> list[tuple[int, int]]:
        """The words of a price but for those right beside the benefit: 볼펜 단가, the price of the pens."""
        return [
            (first, last)
            for first, last in self._prices
            if not (0 <= first - mention.end <= _BESIDE or 0 <= mention.start - last <= 2 * _BESIDE)
            and not _COUNTED.fullmatch(self._sentence.text, mention.end, max(first, mention.end))
        ]

    def _handed_over(self, one: Sum) -> Mention | None:
        """A sum that somebody was given: money, unless the sentence names a thing that it is the price of."""
        text = self._sentence.text
        if (
            self._sentence.business
            or not _GIVEN.search(text)
            or self._other
            or OTHERS.search(text)
            or ASKED.search(text)
        ):
            return None
        if polarity(self._sentence, one.start, one.end) != "affirmed":
            return None
        thing = THING.search(text)
        if thing is not None and not _MONEY_THING.search(thing["thing"]):
            return Mention("gift", thing.start(), thing.end("thing"), thing["thing"], "stated")
        return Mention("cash", one.start, one.end, text[one.start : one.end], "stated")

    def is_unexplained(self, one: Sum) -> bool:
        """Say whether nothing in the sentence tells what a sum was for."""
        sentence = self._sentence
        if (
            self._other
            or self._prices
            or sentence.asks
            or sentence.ours
            or sentence.business
            or is_a_limit(sentence.text, one)
            or OTHERS.search(sentence.text)
            or their_treat(sentence.text, one.start, one.end)
            or of_their_treat(sentence)
            or nobody_treated(sentence.text)
            or (under_every_limit(sentence.text, one) and not _HANDS.search(sentence.text))
        ):
            return False
        plain = not only_spoken_of(sentence, one.start, one.end) and not _RULE.search(sentence.text)
        return plain and polarity(sentence, one.start, one.end) == "affirmed"

    def thing(self) -> Mention | None:
        """A thing that somebody is given and that no word of ours names: neither money nor anything that informs."""
        text = self._sentence.text
        found = THING.search(text)
        if found is None or any(
            words.search(found["thing"]) for words in (_MONEY_THING, THINGS_KO, COUNTER_KO)
        ):
            return None
        if _SHOWN.search(text, found.start(), found.end() + 1):
            return None
        if (
            OTHERS.search(text)
            or their_treat(text, *found.span())
            or ASKED.search(text)
            or _RULE.search(text)
        ):
            return None
        if polarity(self._sentence, found.start(), found.end()) != "affirmed":
            return None
        return Mention("gift", found.start("thing"), found.end("thing"), found["thing"], "stated")

    def favour(self) -> Mention | None:
        """Somebody is said to be favoured, with a thing that no word of ours names."""
        text = self._sentence.text
        found = FAVOURS.search(text)
        if found is None or OTHERS.search(text) or their_treat(text, *found.span()) or _RULE.search(text):
            return None
        if polarity(self._sentence, found.start(), found.end()) != "affirmed" or ASKED.search(text):
            return None
        thing = _OBJECT_KO.search(text, 0, found.start()) or _OBJECT_EN.match(text, found.end())
        if thing is not None and (THINGS_KO.search(thing[1]) or THINGS_EN.fullmatch(thing[1])):
            return None
        return Mention(UNCLEAR, found.start(), found.end(), "", "stated")

    def is_a_price(self, one: Sum) -> bool:
        """Say whether a sum without a noun can be the price of something named before."""
        text = self._sentence.text
        if self._other or self._mentions:
            return False
        if (
            self._sentence.ours
            or self._sentence.business
            or _of_something_else(text[: one.start], text[one.end :])
        ):
            return False
        told = _COST.search(text) or _COUNTED_SUM.search(text)
        told = told or _BEGINS_WITH_A_SUM.match(text) or _OF_A_LECTURE.match(text)
        return told is not None and not is_a_limit(text, one) and not self._sentence.asks


def _of_something_else(before: str, after: str) -> bool:
    """Say whether a sum is told as the price of a thing that its own sentence names, or as one that holds for long."""
    if _HOLDS.search(after[:WINDOW]) or (_BY_UNIT.search(before) and not EACH_AFTER.match(after)):
        return True
    costs = [m["noun"] for m in COSTS_KO.finditer(before) if not NO_COSTS_KO.search(m["noun"])]
    if any(not _ANY_COST.search(noun) for noun in costs):
        return True
    named = _PRICED_THING.search(before)
    return named is not None and not _POINTS_BACK.match(named["thing"])


def _distance(start: int, end: int, one: Sum) -> int:
    return one.start - end if end <= one.start else max(0, start - one.end) + 1


def is_a_limit(text: str, one: Sum) -> bool:
    """Say whether the sum is a limit that the text speaks of, not one that was spent."""
    before, after = text[max(0, one.start - WINDOW) : one.start], text[one.end :]
    listed = _LISTED_SUM.match(after)
    if listed is not None:
        following = next((two for two in sums(text) if two.start >= one.end), None)
        if following is not None and following.start <= one.end + listed.end():
            return is_a_limit(text, following)
    if _PASSED.match(after):
        return True
    if _BOUND_BEFORE.search(before):
        return not (_AT_MOST.search(before) and _PLANNED.search(text) and not _RULE.search(text))
    bound = _BOUND.match(after)
    return bound is not None and (
        bound.group().strip() in {"까지", "한도", "기준", "상한", "limit", "cap"}
        or _RULE.search(after) is not None
    )


_FIRST_OF = re.compile(
    r"(?:이번|올|금|당|이)\s?(?:달|월|분기|해|년|년도)\S{0,2}\s?(?:들어\s)?(?:첫|처음|1회|유일)|"
    r"\b(?:first|only)\b[^.]{0,20}\b(?:this|of the|in the) (?:month|quarter|year)\b",
    re.IGNORECASE,
)
"""One of a month or a quarter: a single thing, not a total over it."""


def is_a_summary(sentence: Sentence) -> bool:
    """A total over a stretch of time is no single expense; its rows are judged in the book."""
    text = sentence.text
    stretch = _SUMMARY.search(text) and _STRETCH.search(text)
    if not stretch or not sums(text) or _FIRST_OF.search(text):
        return False
    here = around(text)
    single = here.heads or here.doctors or _EACH_BEFORE.search(text) or re.search(r"인당|per person|씩", text)
    return not single and not has_a_day(text)
