"""Reads a text for benefits: who gave, offered or promised whom what, when, for how much, with the place where it says so.

Whatever is said to be given becomes an expense, with the amount unknown where the text does not tell it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TypeVar

from metaagent.level2.compliance.amounts import Sum, sums
from metaagent.level2.compliance.facts import Expense
from metaagent.level2.compliance.harmless import COSTS_KO, COUNTER_KO, NO_COSTS_KO, OTHER_SIDE, THINGS_KO
from metaagent.level2.compliance.mentions import Mention, mentions_in, of_their_treat, their_treat
from metaagent.level2.compliance.returns import in_return
from metaagent.level2.compliance.surroundings import EACH_TIME, Around, Blocks, around, has_a_day
from metaagent.level2.compliance.vocabulary import (
    ASKED,
    FAVOURS,
    GENERIC,
    MEAL_TIMES,
    OTHERS,
    PERSON,
    PLACES_TO_EAT,
)
from metaagent.level2.compliance.wording import (
    LONGEST_SENTENCE,
    Sentence,
    Sentences,
    polarity,
    quotes_a_rule,
)

_OTHER_MONEY = re.compile(
    r"매출|판매가|약가|예산|목표|실적|주문|수주|연봉|급여|재고|마진|할인|원가|공급가|납품|입찰|계약|견적|"
    r"연구비(?!\s?(?:명목|형식|조로|명의))|임상시험|"
    r"담보|미수금?|외상|수금|채권|잔액|대금|여신|상한가|상한\s?금액|고시가|출고가|보험가|시장\s?규모|추산|점유|채산|손익|"
    r"영업\s?이익|"
    r"치료비|진료비|수가|본인\s?부담|시장|투자|과태료|과징금|벌금|처방액|보험|\b(?:sales|revenue|budget|target|"
    r"orders?|ordered|salary|fine|reimburse\w*|market|copay|quot(?:e|ed|es|ing)|tender|contract|invoice|inventory|overdue|"
    r"receivables?|outstanding (?:amount|balance|invoices?)|turnover|profits?|collateral|margins?|"
    r"(?:per|a|each) (?:tablet|vial|bottle|pack|box|capsule|ampoule)|ceiling price|list price)\b",
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
_PRICE = re.compile(r"단가|가격|\bprice\b", re.IGNORECASE)
"""The price of what is sold, unless something was given before: then it is the price of that."""
_COST = re.compile(
    r"금액|비용|가격|단가|총액|합계|값|개당|[1인명분]당|1인|한\s?(?:사람|분|개)|각|결제|계산|영수증|씩|부가세|"
    r"\b(?:cost|price|bill|total|receipt|per|each|apiece|came to|worth|amount|VAT)\b",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    r"(?:의사|의료인|의료진|원장|교수|과장|선생|약사|봉투|계좌|doctor|physician|HCP)\S{0,4}.{0,30}(?:제공|지급|전달|건넸|"
    r"송금|입금|드렸|전했|이체|paid|gave|given|transferred|passed|handed)"
    r"|(?:paid|gave|given|transferred|passed|handed).{0,40}(?:doctor|physician|professor|Dr\b|HCP)",
    re.IGNORECASE,
)
_THING = re.compile(
    r"(?P<thing>[가-힣]{1,10})(?:을|를)\s?(?:\S+\s){0,4}?(?:제공|지급|전달|건넸|드렸|드림|드립|배부|배포|증정|나눠)"
)
_SHOWN = re.compile(r"(?:보여|알려|읽어|들려|짚어|일러|(?:설명|안내|확인|정리|공유)해)\s?드")
"""Verbs of showing and telling: their objects are not handed over."""
_MONEY_THING = re.compile(r"원$|금액|돈|현금|사례|상당")
_RULE = re.compile(
    r"제한|한도|상한|가능|할\s?수\s?있|해야|하여야|허용|규정|기준|원칙|이어야|되어야|must|\bmay\b|shall|should|\blimit|"
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
    r"(?:인당|명당|분당|사람당|개당|각각|(?<![가-힣])각|per person|per head|each)[^.\d]{0,14}$|"
    r"(?:(?<!\d)1인|(?<![가-힣])한\s?(?:사람|분|명|개)|단가|unit price)(?:당|에|에게|은|는|\sis)?\s?(?:평균|약|대략|"
    r"[:：])?\s?$",
    re.IGNORECASE,
)
_EACH_AFTER = re.compile(
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
_BY_HOUR = re.compile(r"시간당\s?$|per hour[^.\d]{0,12}$", re.IGNORECASE)
_BY_HOUR_AFTER = re.compile(r"^\s?(?:an|per|/)\s?(?:hour|시간)", re.IGNORECASE)
_SEVERAL_EACH = re.compile(r"(두|세|네|다섯|[2-9])\s?(?:개|병|박스|상자|세트|자루)씩")
_WITH_TAX = re.compile(
    r"(?:부가세|부가가치세|세금|VAT)\s?(?:를|을|이|가)?\s?포함|VAT[ -]?(?:was )?inclu\w+|inclu\w+\s(?:of\s)?(?:VAT|tax)|"
    r"incl\.?\sVAT|with (?:\d+ ?% )?VAT|(?:VAT|tax) in it|공급대가",
    re.IGNORECASE,
)
_WITHOUT_TAX = re.compile(
    r"(?:부가세|부가가치세|세금|VAT)\s?(?:를|을|는|은)?\s?(?:별도|제외|미포함|불포함|빼고|전)|VAT[ -]?(?:is )?(?:exclu\w+|"
    r"not included)|"
    r"exclu\w+\s(?:of\s)?(?:VAT|tax)|excl\.?\sVAT|plus VAT|before VAT|net of VAT|without VAT|공급가액?",
    re.IGNORECASE,
)
_SEMINAR = re.compile(
    r"심포지엄|학술대회|컨퍼런스|복수\s?기관|세미나|seminar|symposi|conference", re.IGNORECASE
)
_SUMMARY = re.compile(
    r"(?:총액|합계|누계|총\s?[\d억만]|전체|월간|분기|연간|합산|total|overall)", re.IGNORECASE
)
_STRETCH = re.compile(
    r"지난\s?달|지난달|전월|이번\s?달|당월|\d{1,2}월\s?(?:한\s?달|전체|중|의|\s식|\s비|비용|지출)|"
    r"분기|상반기|하반기|연간|한\s?해|기간|last month|quarter|"
    r"this year|annual|monthly",
    re.IGNORECASE,
)
_ONE_PERSON = re.compile(
    r"(?:원장|교수|과장|부장|선생|의사|약사)(?:님|\s?선생님)?(?:께|에게|한테|\s?(?:계좌|휴대폰|댁|자택))|\b(?:the|a|one|"
    r"this|his|her) (?:doctor|physician|professor|director)\b|\bDr\.?\s[A-Z]",
    re.IGNORECASE,
)
_ANOTHER = re.compile(
    r"보태|대신\s|일부\s|추가로|또한|또\s|별도로|따로|이어서|다음\s?날|also|another|additionally|as well",
    re.IGNORECASE,
)
_SORTS = {
    "noon": re.compile(r"점심|오찬|lunch|중식", re.IGNORECASE),
    "evening": re.compile(r"저녁|만찬|회식|술|dinner|supper", re.IGNORECASE),
    "coffee": re.compile(r"다과|커피|간식|음료|coffee|snack|refreshment|drinks?\b", re.IGNORECASE),
}

_OWN_MEAL = re.compile(
    r"(?:팀원|사원|부서원|동료|영업팀|영업부|당사\s?직원|우리\s?팀)(?:들)?\s?(?:\d{1,3}\s?명)?(?:이|가|은|끼리)\s[^.\n]{0,60}"
    r"(?:먹[었고음]|마[셨시]|식사했|식사를\s?했|회식)"
)
_BARE_TOTAL = re.compile(
    r"(?<=[.\n] )(?:총|합계|식대는|비용은|금액은)\s?(?P<sum>[\d,만천]{1,12}\s?원)(?:입니다|이었습니다|이다|임)(?=\.|$)"
)
_OUTSIDE = re.compile(
    rf"{PERSON.pattern}|{OTHER_SIDE.pattern}|설명회|강연|외부\s?(?:인사|손님|분)|[가-힣]과장|부장님",
    re.IGNORECASE,
)
"""Anybody beside the company's own people."""
_Value = TypeVar("_Value")
_PROPOSED = re.compile(r"(?:자고|달라고|싶다고|했으면\s?한다고)\s?(?:하셨|하시|말씀하|제안하|그러셨|하더)")
_REFUSED = re.compile(
    r"(?:거절|사양|고사)(?:했|하였|함|하고|드렸|을\s?했)|(?:안\s?된다고|불가하다고|어렵다고|수\s?없다고|않는다고)\s?"
    r"(?:말씀|답|안내|설명|전)"
)
_GAVE_IN = re.compile(
    r"결국|마지못해|못\s?이[겨기]|수\s?없이|그래도|다시\s?(?:부탁|요청|제안|권)|하지\s?못|못했|나갔|다녀|갔|응했|수락|"
    r"승낙|기로|대신|"
    r"(?:거절|사양)\S{0,3}(?:지만|으나|는데)"
)
IMPLIED = {"meal", "cash", "lecture_fee"}
UNCLEAR = "unclear"
"""The kind of a benefit that no word names."""
_HOLDS = re.compile(
    r"변동|유지|저렴|싸|비싸|인상|인하|올랐|내렸|낮|높|고시|책정|\b(?:remains?|unchanged|cheaper|lower|higher|rose|fell|"
    r"stays?|more than last)\b",
    re.IGNORECASE,
)
_BY_UNIT = re.compile(
    r"(?:kg|정|병|바이알|앰플|캡슐|톤|리터|포|월|년)당\s?\S{0,3}$|\b(?:now )?costs?\s$", re.IGNORECASE
)
_ANY_COST = re.compile(
    r"^(?:식|식사|회식|음식|점심|저녁|숙박|항공|교통|강연|강의|자문|선물|다과|행사|참가|등록|물품|총)?(?:비|비용|대|료|값|금)$"
)
"""Words of a cost that can be that of a benefit named before."""
_PRICED_THING = re.compile(r"(?P<thing>[가-힣A-Za-z]{2,12})(?:의)?\s(?:단가|가격|공급가)")
_POINTS_BACK = re.compile(
    r"(?:개당|그|해당|이|총|제품|물품|선물|식사|예상|구입|구매|실제|평균|1인|인당|볼펜|텀블러|합계|전체|모두|각)$"
)
_COMPANY = re.compile(
    r"(원장|교수|과장|선생|의사|간호사|약사|직원|공무원|주무관|전공의|의국|의료진|이사장|실장)(?:님|들|"
    r"분들)?\s?(?:\S{0,2}\s?[\d한두세네]\s?(?:명|분))?"
    r"(?:과|와|께|에게|랑|하고|\s?내외)"
)
_PAID_ITSELF = re.compile(r"계산은|결제는|(?:내|제|우리|저희)가\s?(?:\S+\s)?(?:샀|냈|계산|결제|했다|했습)")
"""A sentence that tells of its own bill."""
_BESIDE = 4
"""Characters between a benefit and the word of its price."""
WINDOW = 40
"""Characters around a sum in which its own words stand: per person, with tax, at most."""
MOST_EXPENSES = 2_000
"""Expenses that are read from one text; with more it is too long to be judged at once."""
NEAR = 3
"""Sentences after which a price no longer belongs to what was given before."""


@dataclass(frozen=True)
class _Given:
    """A benefit that a sentence states, and the sentence's number."""

    mention: Mention
    sentence: Sentence
    number: int
    here: Around


@dataclass(frozen=True)
class Reading:
    """The benefits that a text states, and the spans of it that they were read from."""

    expenses: list[Expense]
    spans: list[tuple[int, int]]
    mentions: Mapping[int, Sequence[Mention]] = field(default_factory=dict[int, Sequence[Mention]])
    """The mentions of the sentence that begins at each place, so that they are found once."""

    def within(self, sentence: Sentence) -> list[tuple[int, int]]:
        first, last = sentence.start, sentence.start + len(sentence.text)
        at, until = bisect_left(self.spans, (first, 0)), bisect_left(self.spans, (last, 0))
        return self.spans[at:until]


def read(sentences: Sentences) -> Reading:
    """Every benefit that the text states. Denied ones, questions, rules and sums of whole periods are none."""
    reader = _Reader(sentences)
    expenses = reader.read()
    if _OWN_MEAL.search(sentences.text) and not _OUTSIDE.search(sentences.text):
        expenses = [one for one in expenses if one.category != "meal"]
        reader.spans |= {m.span("sum") for m in _BARE_TOTAL.finditer(sentences.text)}
    return Reading(expenses, sorted(reader.spans), reader.mentions)


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
        quotes_a_rule(sentence, one.start, one.end)
        or _is_a_limit(sentence.text, one)
        or is_a_summary(sentence)
        or _OTHER_MONEY.search(sentence.text) is not None
        or _PRICE.search(sentence.text) is not None
        or OTHERS.search(sentence.text) is not None
        or _RULE.search(sentence.text) is not None
        or their_treat(sentence.text, one.start, one.end)
        or of_their_treat(sentence)
        or polarity(sentence, one.start, one.end) != "affirmed"
    )


class _Reader:
    def __init__(self, sentences: Sentences) -> None:
        self._sentences = sentences
        self._blocks = Blocks(sentences.text)
        self._whole: Around | None = None
        self._near: dict[int, Around] = {}
        self._found: list[Expense] = []
        self._nouns: list[str] = []
        self._named: list[int] = []
        self._pending: list[_Given] = []
        self.spans: set[tuple[int, int]] = set()
        self.mentions: dict[int, Sequence[Mention]] = {}

    def read(self) -> list[Expense]:
        for number, sentence in enumerate(self._sentences.all):
            self._sentence(number, sentence)
            if len(self._found) > MOST_EXPENSES:
                return self._found
        self._found += [
            self._expense(one.sentence, None, one.mention, one)
            for one in self._pending
            if not self._priced(one) and not self._refused(one)
        ]
        return self._found

    def _sentence(self, number: int, sentence: Sentence) -> None:
        amounts = sums(sentence.text)
        mentions = self.mentions[sentence.start] = mentions_in(sentence)
        thing = sentence.korean and _THING.search(sentence.text)
        silent = not thing and not FAVOURS.search(sentence.text)
        if not amounts and not mentions and silent:
            return
        here, words = self._around(sentence), _Words(sentence, mentions)
        if amounts and is_a_summary(sentence):
            return
        used: set[int] = set()
        before = self._recent(number, sentence)
        for one in amounts:
            mention = None if before is not None and not mentions else words.benefit(one)
            if mention is None and before is not None and words.is_a_price(one):
                mention = before.mention
                self._add(sentence, one, mention, before)
                self._pending = [other for other in self._pending if other is not before]
            elif mention is not None:
                used.add(mention.start)
                self._add(sentence, one, mention, None)
            elif not mentions and words.is_unexplained(one) and self._about_people(sentence):
                self._add(sentence, one, Mention(UNCLEAR, one.start, one.end, "", "stated"), None)
                used.add(one.start)
        silent = not mentions and not used and self._about_people(sentence)
        favour = (words.thing() or words.favour()) if silent else None
        if favour is not None:
            self._read(sentence, favour)
            self._pending.append(_Given(favour, sentence, number, here))
        self._without_price(number, sentence, mentions, used, here)

    def _without_price(
        self, number: int, sentence: Sentence, mentions: Sequence[Mention], used: set[int], here: Around
    ) -> None:
        """Keep the benefits that no sum of their sentence is for, and mark every mention that a fact covers."""
        kinds = {mention.kind for mention in mentions if mention.start in used}
        for mention in mentions:
            same = mention.kind in kinds or any(
                p.number == number
                and p.mention.kind == mention.kind
                and not _other_sort(p.mention.noun, mention.noun)
                for p in self._pending
            )
            taken = mention.said == "stated" or self._implied(mention, sentence)
            if taken and same:
                self._name_better(number, mention)
            if taken and not same:
                self._pending.append(_Given(mention, sentence, number, here))
            if (taken and not same) or mention.start in used:
                self._read(sentence, mention)
        kinds |= {p.mention.kind for p in self._pending if p.number == number}
        for mention in mentions:
            if mention.kind in kinds and _may_stand_for(mention, mentions):
                self._read(sentence, mention)

    def _name_better(self, number: int, mention: Mention) -> None:
        """A noun that says what it was takes the place of a general one of the same sentence: 음식은 호텔 뷔페였다."""
        for at, one in enumerate(self._pending):
            general = (
                one.number == number and one.mention.kind == mention.kind and GENERIC.match(one.mention.noun)
            )
            if general and not GENERIC.match(mention.noun):
                self._pending[at] = replace(one, mention=mention)

    def _around(self, sentence: Sentence) -> Around:
        if sentence.start not in self._near:
            self._near[sentence.start] = around(sentence.text)
        return self._near[sentence.start]

    def _implied(self, mention: Mention, sentence: Sentence) -> bool:
        """Food, fees and money in a note about medical staff are taken as given, where nothing says otherwise."""
        return mention.said == "bare" and mention.kind in IMPLIED and self._about_people(sentence)

    def _about_people(self, sentence: Sentence) -> bool:
        return PERSON.search(sentence.text) is not None or self._blocks.mentions(sentence.start, PERSON)

    def _recent(self, number: int, sentence: Sentence) -> _Given | None:
        """The last benefit without a price that a sentence with a bare price can speak of."""
        block = self._blocks.number(sentence.start)
        near = (
            one
            for one in reversed(self._pending)
            if one.mention.kind != "sample"
            and number - one.number <= NEAR
            and self._blocks.number(one.sentence.start) == block
        )
        return next(near, None)

    def _priced(self, one: _Given) -> bool:
        """Say whether the text tells the price of the same benefit elsewhere in the paragraph."""
        block = self._blocks.number(one.sentence.start)
        for expense, noun in zip(self._found, self._nouns, strict=False):
            same = (
                expense.category == one.mention.kind
                and expense.amount is not None
                and expense.span is not None
            )
            if not same or self._blocks.number(expense.span[0] if expense.span else 0) != block:
                continue
            other_day = one.here.dates and expense.date is not None and expense.date not in one.here.dates
            another = (
                _ANOTHER.search(one.sentence.text)
                or not _same_thing(noun, one.mention.noun)
                or _other_company(one.sentence.text, expense.note)
                or _other_time(one.mention.noun, expense.note)
                or _PAID_ITSELF.search(one.sentence.text)
            )
            if not (other_day or another or _other_people(one.here, expense)):
                return True
        return False

    def _refused(self, one: _Given) -> bool:
        """Say whether the other side proposed it and one of the next sentences turns it down, without giving in later."""
        if not _PROPOSED.search(one.sentence.text, one.mention.end):
            return False
        later = self._sentences.all[one.number + 1 :]
        turned_down = any(_REFUSED.search(sentence.text) for sentence in later[:2])
        return turned_down and not any(_GAVE_IN.search(sentence.text) for sentence in later)

    def _add(self, sentence: Sentence, one: Sum, mention: Mention, given: _Given | None) -> None:
        made = self._expense(sentence, one, mention, given)
        if not self._restated(made, mention, one):
            self._found.append(made)
            self._nouns.append(mention.noun)
            self._named.append(one.won)
        self._read(sentence, one)
        self._read(given.sentence if given is not None else sentence, mention)

    def _restated(self, made: Expense, mention: Mention, one: Sum) -> bool:
        """Say whether a sum tells for each person what another told for all, or the other way round."""
        block = self._blocks.number(made.span[0] if made.span else 0)
        return any(
            (made.category, made.amount, made.heads) == (other.category, other.amount, other.heads)
            and one.won != named
            and not _other_sort(noun, mention.noun)
            and self._blocks.number(other.span[0] if other.span else 0) == block
            for other, noun, named in zip(self._found, self._nouns, self._named, strict=True)
        )

    def _read(self, sentence: Sentence, place: Sum | Mention) -> None:
        self.spans.add((sentence.start + place.start, sentence.start + place.end))

    def _expense(
        self, sentence: Sentence, one: Sum | None, mention: Mention, given: _Given | None
    ) -> Expense:
        self._whole = self._whole or around(self._sentences.text)
        here, block, whole = self._around(sentence), self._blocks.around(sentence.start), self._whole
        text = sentence.text
        told = (
            f"{given.sentence.text} {text}" if given is not None and given.sentence is not sentence else text
        )
        at = one.start if one is not None else mention.start
        heads = _heads(here, given.here if given else None, block, at)
        place = _only(here.places) or _only(block.places) or _only(whole.places)
        number = len(self._found) + 1
        times, monthly = _repeated(told, here, given, block)
        made = Expense(
            ids=(f"text {number}",),
            date=_only_day(here)
            or (_only_day(given.here) if given else None)
            or _only_day(block)
            or _only_day(whole),
            category=mention.kind,
            heads=heads or (1 if mention.kind != "meal" and _ONE_PERSON.search(told) else None),
            doctors=here.doctors or block.doctors or whole.doctors,
            said_day=_only(here.days)
            or (_only(given.here.days) if given else None)
            or _only(block.days)
            or _only(whole.days)
            or "",
            institution=place,
            public=_first(here.public, given.here.public if given else None, block.public, whole.public),
            event=f"text {number}",
            occasion="seminar" if _SEMINAR.search(told) else "visit",
            hours=_first(here.hours, given.here.hours if given else None, block.hours),
            note=text.strip(),
            span=(sentence.start + at, sentence.start + (one.end if one is not None else mention.end)),
            times=times,
            in_a_month=monthly,
            in_return=in_return(sentence) or (given is not None and in_return(given.sentence)),
        )
        return made if one is None else _with_amount(made, told, text, one, here)


def _with_amount(made: Expense, told: str, text: str, one: Sum, here: Around) -> Expense:
    before, after = text[max(0, one.start - WINDOW) : one.start], text[one.end :]
    each = bool(_EACH_BEFORE.search(before) or _EACH_AFTER.match(after))
    each = each or (
        made.category == "gift" and bool(_ONE_PIECE.search(told)) and not _TOGETHER.search(before)
    )
    several = _SEVERAL_EACH.search(told) if made.category == "gift" else None
    pieces = {"두": 2, "세": 3, "네": 4, "다섯": 5}.get(several[1]) or int(several[1]) if several else 1
    hourly = made.category == "lecture_fee" and bool(_BY_HOUR.search(before) or _BY_HOUR_AFTER.match(after))
    pieces = pieces * (made.hours or 1) if hourly else pieces
    amount = one.won * pieces * ((made.heads or 1) if each else 1)
    nearby = text[max(0, one.start - WINDOW) : one.end + WINDOW]
    with_tax, without = _WITH_TAX.search(nearby), _WITHOUT_TAX.search(nearby)
    if not with_tax and not without:
        with_tax, without = _WITH_TAX.search(told), _WITHOUT_TAX.search(told)
    named = len(here.doctors) if made.category != "meal" else 0
    return replace(
        made,
        amount=amount,
        vat=amount - round(amount / 1.1) if with_tax else None,
        tax_free=amount // 10 if without and not with_tax else None,
        heads=made.heads or (1 if each else None) or named or None,
    )


class _Words:
    """The words of a sentence that say what its sums are for, found once."""

    def __init__(self, sentence: Sentence, mentions: Sequence[Mention]) -> None:
        text = sentence.text
        self._sentence = sentence
        self._mentions = list(mentions)
        self._other = [m.span() for m in _OTHER_MONEY.finditer(text)]
        self._prices = [m.span() for m in _PRICE.finditer(text)]
        if not self._mentions:
            self._mentions = [
                Mention("meal", m.start(), m.end(), m.group(), "bare") for m in PLACES_TO_EAT.finditer(text)
            ]

    def benefit(self, one: Sum) -> Mention | None:
        """The benefit that a sum is for; None where it is for none."""
        sentence = self._sentence
        if quotes_a_rule(sentence, one.start, one.end) or _is_a_limit(sentence.text, one):
            return None
        if not self._mentions:
            return self._handed_over(one)
        mention = min(self._mentions, key=lambda m: _distance(m.start, m.end, one))
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

    def _prices_of_others(self, mention: Mention) -> list[tuple[int, int]]:
        """The words of a price but for those right beside the benefit: 볼펜 단가, the price of the pens."""
        return [
            (first, last)
            for first, last in self._prices
            if not (0 <= first - mention.end <= _BESIDE or 0 <= mention.start - last <= 2 * _BESIDE)
        ]

    def _handed_over(self, one: Sum) -> Mention | None:
        """A sum that somebody was given: money, unless the sentence names a thing that it is the price of."""
        text = self._sentence.text
        if not _GIVEN.search(text) or self._other or OTHERS.search(text) or ASKED.search(text):
            return None
        if polarity(self._sentence, one.start, one.end) != "affirmed":
            return None
        thing = _THING.search(text)
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
            or _is_a_limit(sentence.text, one)
            or OTHERS.search(sentence.text)
            or their_treat(sentence.text, one.start, one.end)
            or of_their_treat(sentence)
        ):
            return False
        plain = not quotes_a_rule(sentence, one.start, one.end) and not _RULE.search(sentence.text)
        return plain and polarity(sentence, one.start, one.end) == "affirmed"

    def thing(self) -> Mention | None:
        """A thing that somebody is given and that no word of ours names: neither money nor anything that informs."""
        text = self._sentence.text
        found = _THING.search(text)
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
        return Mention(UNCLEAR, found.start(), found.end(), "", "stated")

    def is_a_price(self, one: Sum) -> bool:
        """Say whether a sum without a noun can be the price of something named before."""
        text = self._sentence.text
        if self._other or any(m.said in ("stated", "bare") for m in self._mentions):
            return False
        if (
            self._sentence.ours
            or self._sentence.business
            or _of_something_else(text[: one.start], text[one.end :])
        ):
            return False
        return _COST.search(text) is not None and not _is_a_limit(text, one) and not self._sentence.asks


def _of_something_else(before: str, after: str) -> bool:
    """Say whether a sum is told as the price of a thing that its own sentence names, or as one that holds for long."""
    if _HOLDS.search(after[:WINDOW]) or _BY_UNIT.search(before):
        return True
    costs = [m["noun"] for m in COSTS_KO.finditer(before) if not NO_COSTS_KO.search(m["noun"])]
    if any(not _ANY_COST.search(noun) for noun in costs):
        return True
    named = _PRICED_THING.search(before)
    return named is not None and not _POINTS_BACK.match(named["thing"])


def _distance(start: int, end: int, one: Sum) -> int:
    return one.start - end if end <= one.start else max(0, start - one.end) + 1


def _is_a_limit(text: str, one: Sum) -> bool:
    """Say whether the sum is a limit that the text speaks of, not one that was spent."""
    before, after = text[max(0, one.start - WINDOW) : one.start], text[one.end :]
    listed = _LISTED_SUM.match(after)
    if listed is not None:
        following = next((two for two in sums(text) if two.start >= one.end), None)
        if following is not None and following.start <= one.end + listed.end():
            return _is_a_limit(text, following)
    if _PASSED.match(after) or _BOUND_BEFORE.search(before):
        return True
    bound = _BOUND.match(after)
    return bound is not None and (
        bound.group().strip() in {"까지", "한도", "기준", "상한", "limit", "cap"}
        or _RULE.search(after) is not None
    )


def is_a_summary(sentence: Sentence) -> bool:
    """A total over a stretch of time is no single expense; its rows are judged in the book."""
    text = sentence.text
    stretch = _SUMMARY.search(text) and _STRETCH.search(text)
    if not stretch or not sums(text):
        return False
    here = around(text)
    single = here.heads or here.doctors or _EACH_BEFORE.search(text) or re.search(r"인당|per person|씩", text)
    return not single and not has_a_day(text)


def _heads(here: Around, given: Around | None, block: Around, at: int) -> int | None:
    for scope in (here, given):
        if scope is not None and scope.heads:
            return min(scope.heads, key=lambda pair: abs(pair[1] - at))[0]
    counts = {count for count, _ in block.heads}
    return counts.pop() if len(counts) == 1 else None


def _repeated(text: str, here: Around, given: _Given | None, block: Around) -> tuple[int, bool]:
    """Give the number of times, and whether they are said to be within one month."""
    own = here.times or (given.here.times if given else None)
    times = own or (block.times if EACH_TIME.search(text) or block.monthly else None)
    return max(times or 1, 1), block.monthly or here.monthly


def _same_thing(noun: str, other: str) -> bool:
    """Say whether two nouns of a kind can name the same benefit: one word, a general one, or the time of a meal."""
    if _other_sort(noun, other):
        return False
    if (
        noun == other
        or f" {noun}".lower().endswith(f" {other}".lower())
        or other.lower().endswith(f" {noun}".lower())
    ):
        return True
    return any(GENERIC.match(one) or MEAL_TIMES.match(one) for one in (noun, other))


def _other_people(here: Around, expense: Expense) -> bool:
    """Say whether a sentence counts other people than an expense does."""
    counts = {count for count, _ in here.heads}
    return bool(counts) and expense.heads is not None and expense.heads not in counts


def _other_company(text: str, other: str) -> bool:
    """Say whether two sentences name people whom they speak of by different titles: 수간호사와, 보건소 직원과."""
    mine, theirs = ({m[1] for m in _COMPANY.finditer(one)} for one in (text, other))
    return bool(mine) and bool(theirs) and not mine & theirs


def _other_time(noun: str, note: str) -> bool:
    """Say whether a sentence names meals of other times of the day than the noun does."""
    mine = {name for name, words in _SORTS.items() if words.search(noun)}
    theirs = {name for name, words in _SORTS.items() if words.search(note)}
    return bool(mine) and bool(theirs) and not mine & theirs


def _may_stand_for(mention: Mention, mentions: Sequence[Mention]) -> bool:
    """Say whether a noun can be another word for a benefit of its kind in the same sentence: of two goods neither can."""
    if mention.kind not in ("gift", "entertainment") or GENERIC.match(mention.noun):
        return True
    named = [one for one in mentions if one.kind == mention.kind and not GENERIC.match(one.noun)]
    return len({one.noun for one in named}) == 1


def _other_sort(noun: str, other: str) -> bool:
    """Lunch is not dinner, and coffee neither; a word such as meal can be any of them."""
    sorts = [
        next((name for name, words in _SORTS.items() if words.search(one)), None) for one in (noun, other)
    ]
    return None not in sorts and sorts[0] != sorts[1]


def _first(*values: _Value | None) -> _Value | None:
    return next((value for value in values if value is not None), None)


def _only(values: Sequence[str]) -> str | None:
    return values[0] if len(set(values)) == 1 else None


def _only_day(around: Around) -> date | None:
    days = set(around.dates)
    return days.pop() if len(days) == 1 else None
