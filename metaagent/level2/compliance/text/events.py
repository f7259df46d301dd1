"""Events of a document: what is said to be given, and which sentences and paragraphs speak of the same occasion."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import TypeVar

from metaagent.level2.compliance.facts import Expense
from metaagent.level2.compliance.text.amount_context import EACH_TIME, Around, days_in
from metaagent.level2.compliance.text.mentions import Mention
from metaagent.level2.compliance.text.quick import Quick
from metaagent.level2.compliance.text.vocabulary import GENERIC, MEAL_TIMES
from metaagent.level2.compliance.text.wording import Sentence

_Value = TypeVar("_Value")
UNCLEAR = "unclear"
"""The kind of a benefit that no word names."""
MOST_PEOPLE = 500
UNCOUNTED = 99
"""Times of something that was given again and again, nobody says how often."""
MOST_APART = 120
"""Characters between two sums of one bill."""
MOST_OF_OURS = 3
"""People of our own side who may share a bill beside those whom the text counts."""
SEMINAR = re.compile(
    r"심포지엄|학술대회|컨퍼런스|복수\s?기관|세미나|seminar|symposi|conference", re.IGNORECASE
)
PROMOTIONAL = re.compile(
    r"판촉\s?(?:물|품|용)|홍보\s?(?:물|용)|\bpromotional\b|\bgive-?aways?\b", re.IGNORECASE
)
"""A gift that is called an item of promotion, which is no souvenir wherever it is handed out."""
SEVERAL_INSTITUTIONS = re.compile(r"복수\s?(?:요양\s?)?기관|\bseveral institutions\b", re.IGNORECASE)
"""Words by which a whole paragraph tells of a presentation for several institutions."""
ONE_PERSON = re.compile(
    r"(?:원장|교수|과장|부장|선생|의사|약사)(?:님|\s?선생님)?(?:께|에게|한테|\s?(?:계좌|휴대폰|댁|자택))|\b(?:the|a|one|"
    r"this|his|her) (?:doctor|physician|professor|director)\b|\bDr\.?\s[A-Z]",
    re.IGNORECASE,
)
ANOTHER = re.compile(
    r"(?:\d일|오늘|어제|그제)(?:에)?도\s|같은\s?(?:식|방식|방법)으로|"
    r"보태|대신\s|일부\s|추가로|또한|또\s|별도로|따로|이어서|다음\s?날|이후|afterwards|later|also|another|additionally|as well",
    re.IGNORECASE,
)
_SORTS = {
    "noon": re.compile(r"점심|오찬|lunch|중식", re.IGNORECASE),
    "evening": re.compile(r"저녁|만찬|회식|술|야식|dinner|supper", re.IGNORECASE),
    "coffee": re.compile(r"다과|커피|간식|음료|coffee|snack|refreshment|drinks?\b", re.IGNORECASE),
}

PROPOSED = Quick(
    r"(?:자고|달라고|싶다고|했으면\s?한다고|준다고|준다며|한다고|한다며)\s?(?:하셨|하시|말씀하|제안하|그러셨|하더|하네|하십)|"
    r"(?:이야기|얘기|말씀|말)[을를]?\s?꺼내|(?:부탁|요청|요구|문의|제안|언급)하(?:셨|시)|물으셨|여쭤보|원하셨|바라셨|"
    r"\b(?:brought up|raised|asked|hinted|suggested|requested|wanted|would like|proposed|wondered|inquired|said that other)\b",
    re.IGNORECASE,
)
"""The other side speaks of it first."""
WE_GIVE = re.compile(
    r"드[렸립린림]|기로\s?했|\b(?:[Ww]e|I|our \w+) (?:\w+ )?(?:gave|paid|arranged|bought|sent|provided|booked|agreed|"
    r"will|promised)\b"
)
REFUSED = re.compile(
    r"(?:거절|사양|고사)(?:했|하였|함|하고|드렸|을\s?했)|(?:안\s?된다고|불가하다고|어렵다고|수\s?없다고|않는다고|없다고)\s?(?:\S+\s){0,2}?"
    r"(?:말씀(?:드렸|드리고)?|답|안내|설명|전|했)|"
    r"\b(?:declined|refused|turned (?:it|him|her|them) down|said no|(?:told|said|explained|"
    r"answered)\b[^.;]{0,40}\b(?:cannot|can't|do not|don't|"
    r"not possible|not allowed|against)|do not do (?:such|that|this)|against our (?:rules|policy|code))\b",
    re.IGNORECASE,
)
CALLED_OFF = Quick(
    r"취소(?:되|됐|했|하였|함|하기로|드렸|합니다|(?=\s?[,.]|\s*$))|무산(?:되|됐)|없던\s?일|열리지\s?(?:않|못)|"
    r"\b(?:was|were|been|is|have|has|had|I|we) cancell?ed\b|\bcalled (?:it |the \w+ )?off\b|\b(?:did not|didn't|"
    r"will not) (?:take place|happen)\b|"
    r"\bfell through\b",
    re.IGNORECASE,
)
"""Words by which something planned is said not to have taken place."""
_OCCASION = re.compile(
    r"설명회|행사|회식|모임|식사|자리|세미나|심포지엄|약속|점심|저녁|오찬|만찬|강연|강의|송년회|간담회|예약|일정|"
    r"\b(?:dinners?|lunch(?:es)?|event|meeting|presentation|session|symposium|seminar|talk|lecture|booking|meal|it|everything)\b",
    re.IGNORECASE,
)


def called_off(sentence: str) -> bool:
    """Say whether a sentence tells that an occasion did not take place: a code that was not opened is none."""
    return CALLED_OFF.search(sentence) is not None and _OCCASION.search(sentence) is not None


GAVE_IN = re.compile(
    r"\b(?:in the end|eventually|finally|after all|gave in|all the same)\b|결국|마지못해|못\s?이[겨기]|수\s?없이|그래도|"
    r"다시\s?(?:부탁|요청|제안|권)|하지\s?못|못했|나갔|다녀|갔|응했|수락|"
    r"승낙|기로|대신(?!\s(?:\S+\s){0,4}?(?:일정|방문|자료|논문|면담|안내|설명)(?:만|을|를))|"
    r"(?:거절|사양)\S{0,3}(?:지만|으나|는데)"
)
_COMPANY = re.compile(
    r"(원장|교수|과장|선생|의사|간호사|약사|직원|공무원|주무관|전공의|의국|의료진|이사장|실장)(?:님|들|"
    r"분들)?\s?(?:\S{0,2}\s?[\d한두세네]\s?(?:명|분))?"
    r"(?:과|와|께|에게|랑|하고|\s?내외)"
)
EACH_PAID = Quick(
    r"각자\s?(?:\S+\s)?(?:계산|결제|부담|지불|[냈냄내])|더치\s?페이|(?:교수|원장|과장|선생)님?\s?(?:몫|것|식사비?|밥값)[은는도]\s"
    r"(?:\S+\s)?(?:교수|원장|과장|선생)님?(?:이|께서)\s(?:\S+\s)?(?:계산|결제|부담|지불|내)|"
    r"\b(?:each|both|all|everybody|everyone) (?:of us )?paid (?:for )?(?:our|his|her|their|an) own\b|\b(?:went|go|going) dutch\b|"
    r"\b(?:he|she|they|Dr\.? \w+|Prof\.? \w+) paid (?:for )?(?:(?:his|her|their) own|his|hers|theirs)"
    r"(?=[.,;:]|$| (?:and|with|by|in|at|while|too)\b| (?:meal|lunch|dinner|food|coffee|drinks?|share|part|half)\b)",
    re.IGNORECASE,
)
"""Everybody at the table paid for themselves."""
_THEY_PAID = Quick(
    r"(?:계산|결제|(?:식사|음식|밥|점심|저녁|커피)\s?값|식대|식사비|비용|밥)(?:은|는|도|을|를)?\s(?:\S+\s)?"
    r"(?:원장|교수|과장|부장|선생|의사|약사|국장|실장|병원|의원|학회)\S{0,4}(?:이|가|께서|측에서|에서)\s(?:\S+\s){0,2}?"
    r"(?:하[셨시신]|내[셨시신]|사[셨시신]|부담하[셨시신]|(?:계산|결제|지불)(?:하[셨시신]|했))|"
    r"\b(?:bill|check|tab|lunch|dinner|meal|coffee)\b[^.;]{0,30}\b(?:paid|settled|covered|picked up) by (?:him|her|them|the "
    r"(?:doctor|hospital|clinic|professor|society)|Dr\.? \w+|Prof\.? \w+)|"
    r"\b(?:he|she|they|the doctor|the professor|Dr\.? \w+|Prof\.? \w+) (?:insisted on paying|paid the (?:bill|check|tab)|"
    r"picked up the (?:bill|check|tab))\b",
    re.IGNORECASE,
)
_WE_PAID = Quick(
    r"(?:제가|저희가|우리가|당사가|회사가|법인\s?카드|법카|회사\s?카드)|\b(?:I|we) (?:\w+ )?(?:paid|bought|treated|covered)\b|"
    r"\b(?:company|corporate|my) card\b",
    re.IGNORECASE,
)


def not_paid_by_us(text: str) -> bool:
    """Say whether everybody paid for themselves, or the other side for all, and our side for nothing."""
    if EACH_PAID.search(text):
        return True
    return _THEY_PAID.search(text) is not None and _WE_PAID.search(text) is None


PAID_ITSELF = re.compile(r"계산은|결제는|(?:내|제|우리|저희)가\s?(?:\S+\s)?(?:샀|냈|계산|결제|했다|했습)")
"""A sentence that tells of its own bill."""


@dataclass(frozen=True)
class Given:
    """A benefit that a sentence states, and the sentence's number."""

    mention: Mention
    sentence: Sentence
    number: int
    here: Around


@dataclass(frozen=True)
class Event:
    """A benefit with a price: the fact, the noun that named it, and the sum as the text tells it, for each or for all."""

    expense: Expense
    noun: str
    won: int
    each: bool

    def told_again(self, other: Event) -> Event | None:
        """Make one event of two that tell one price, for each and for all; None where they are two."""
        mine, theirs = self.expense, other.expense
        if other_day(mine, theirs) or not _one_kind(mine, theirs) or other_sort(self.noun, other.noun):
            return None
        if self.won != other.won and (mine.amount, mine.heads) == (theirs.amount, theirs.heads):
            return self if mine.category != UNCLEAR else other
        if self.each == other.each:
            again = self.won == other.won and None in (mine.heads, theirs.heads) and _near(mine, theirs)
            return (self if mine.heads is not None else other) if again else None
        single, whole = (self, other) if self.each else (other, self)
        people = _people_of(single, whole)
        if people is None:
            return None
        taxed = whole if _says_tax(whole.expense) or not _says_tax(single.expense) else None
        merged = whole.expense if taxed else _taxed_like(whole.expense, single.expense)
        kind = theirs.category if mine.category == UNCLEAR else mine.category
        noun = self.noun or other.noun
        first = mine if mine.category != UNCLEAR else theirs
        return Event(
            replace(merged, category=kind, heads=people, span=first.span), noun, whole.won, each=False
        )


_PLANNED = re.compile(r"예정|계획|하려고|할\s?것|\b(?:will|would like|plan\w*)\b", re.IGNORECASE)


def _one_kind(one: Expense, other: Expense) -> bool:
    kinds = {one.category, other.category}
    if len(kinds) > 1 and (UNCLEAR not in kinds or kinds & {"lecture_fee", "cash"}):
        return False
    return _is_planned(one.note) == _is_planned(other.note)


@lru_cache(1_000)
def _is_planned(note: str) -> bool:
    """Each event of a text is compared with all before it."""
    return _PLANNED.search(note) is not None


_PAST = re.compile(
    r"[했었았였렸냈]|(?:옴|감|함|음|됨|봄|줌|냄|드림)(?=[.,]|\s*$)|\b(?:was|were|had|did|gave|served|paid|ate|took)\b"
)


def done_but_planned(text: str, note: str) -> bool:
    """Say whether a sentence tells what was done, and another one only what is planned: its price is not that of the deed."""
    return _PAST.search(text) is not None and _is_planned(note) and _PAST.search(note) is None


def _people_of(single: Event, whole: Event) -> int | None:
    """Divide a whole price by that for each: so many people, or pieces, as the text counts, with some of our own at most."""
    told = {event.expense.heads for event in (single, whole)} - {None}
    least = max((count for count in told if count and count > 1), default=None)
    near = _near(single.expense, whole.expense)
    for price in (single.won, *_with_or_without_tax(single, whole)):
        people = round(whole.won / price) if price else 0
        exact = people and abs(people * price - whole.won) <= people
        fits = near if least is None else least <= people <= least + MOST_OF_OURS
        if exact and MOST_PEOPLE >= people >= 1 and fits:
            return people
    return None


def _near(one: Expense, other: Expense) -> bool:
    """Say whether two sums stand so close that they tell of one bill, where nothing says how many shared it."""
    return one.span is None or other.span is None or abs(one.span[0] - other.span[0]) <= MOST_APART


def _with_or_without_tax(single: Event, whole: Event) -> Sequence[float]:
    """The price for each as the whole has it, where one of the two is told with tax and the other without."""
    if single.expense.tax_free is not None and whole.expense.vat is not None:
        return (single.won * 1.1,)
    if single.expense.vat is not None and whole.expense.tax_free is not None:
        return (single.won / 1.1,)
    return ()


def _says_tax(expense: Expense) -> bool:
    return expense.vat is not None or expense.tax_free is not None


def _taxed_like(whole: Expense, single: Expense) -> Expense:
    amount = whole.amount or 0
    return replace(
        whole,
        vat=None if single.vat is None else amount - round(amount / 1.1),
        tax_free=None if single.tax_free is None else amount // 10,
    )


def other_day(one: Expense, other: Expense) -> bool:
    """Say whether two facts have days that differ."""
    if one.date is not None and other.date is not None:
        return one.date != other.date
    return bool(one.said_day and other.said_day) and one.said_day != other.said_day


_WITH_US = re.compile(
    r"(?:저|제|본인|담당자|저희|당사\s?직원|진행자)(?:를|도|와|과)?\s?(?:까지|포함|합)|\bincluding (?:me|myself|us)\b|"
    r"\bof us\b|\b[Ww]e were\b|"
    r"\bmyself included\b"
)
"""Somebody of our own side is said to be among the people of a bill."""
_LISTED = re.compile(r"(?:[과와]|하고|이?랑)\s|\s및\s|[,·/]|\s(?:and|or)\s|\s")
_DRINKS = re.compile(r"음료|drinks?\b|beverages?", re.IGNORECASE)


def heads_near(here: Around, given: Around | None, at: int) -> int | None:
    """The count of people nearest to a sum, in its sentence or in the one that named what it is for."""
    for scope in (here, given):
        if scope is not None and scope.heads:
            return min(scope.heads, key=lambda pair: abs(pair[1] - at))[0]
    return None


def repeated(text: str, here: Around, given: Given | None, block: Around) -> tuple[int, bool]:
    """Give the number of times, and whether they are said to be within one month."""
    own = _held(here, block) or (_held(given.here, block) if given else None)
    times = own or (block.times if EACH_TIME.search(text) or block.monthly else None)
    if times is None and EACH_TIME.search(text):
        return UNCOUNTED, False
    return max(times or 1, 1), block.monthly or here.monthly


def _held(scope: Around, block: Around) -> int | None:
    """The times of a scope, without the days of its list of which another sentence says that they were called off."""
    if scope.times is None or scope.times != len(scope.listed_days):
        return scope.times
    off: set[int] = set()
    for text in block.sentences:
        if CALLED_OFF.search(text):
            days = {int(day[-2:]) for _, day in days_in(text, 1)}
            off |= days if days < scope.listed_days else set()
    return len(scope.listed_days - off)


def same_thing(noun: str, other: str) -> bool:
    """Say whether two nouns of a kind can name the same benefit: one word, a general one, or the time of a meal."""
    if other_sort(noun, other):
        return False
    if (
        noun == other
        or f" {noun}".lower().endswith(f" {other}".lower())
        or other.lower().endswith(f" {noun}".lower())
    ):
        return True
    return any(GENERIC.match(one) or MEAL_TIMES.match(one) for one in (noun, other))


def other_people(here: Around, expense: Expense) -> bool:
    """Say whether a sentence counts other people than an expense does."""
    counts = {count for count, _ in here.heads}
    if not counts or expense.heads is None or expense.heads in counts:
        return False
    ours = MOST_OF_OURS if _WITH_US.search(expense.note) else 0
    return not any(count < expense.heads <= count + ours for count in counts)


def other_company(text: str, other: str) -> bool:
    """Say whether two sentences name people whom they speak of by different titles: 수간호사와, 보건소 직원과."""
    mine, theirs = ({m[1] for m in _COMPANY.finditer(one)} for one in (text, other))
    return bool(mine) and bool(theirs) and not mine & theirs


def other_time(noun: str, note: str) -> bool:
    """Say whether a sentence names meals of other times of the day than the noun does."""
    mine = {name for name, words in _SORTS.items() if words.search(noun)}
    theirs = {name for name, words in _SORTS.items() if words.search(_DRINKS.sub("", note))}
    return bool(mine) and bool(theirs) and not mine & theirs


def may_stand_for(mention: Mention, mentions: Sequence[Mention]) -> bool:
    """Say whether a noun can be another word for a benefit of its kind in the same sentence: of two goods neither can."""
    if mention.kind not in ("gift", "entertainment") or GENERIC.match(mention.noun):
        return True
    named = [one for one in mentions if one.kind == mention.kind and not GENERIC.match(one.noun)]
    return len({one.noun for one in named}) == 1


def other_sort(noun: str, other: str) -> bool:
    """Lunch is not dinner, and coffee neither; a word such as meal can be any of them."""
    mine, theirs = _sorts(noun), _sorts(other)
    return bool(mine) and bool(theirs) and not mine & theirs


@lru_cache(maxsize=4096)
def _sorts(noun: str) -> frozenset[str]:
    """The times of day of a noun, or of the nouns of a list; a list with food of any other time can be all of them."""
    words = [word for word in _LISTED.split(noun) if word.strip()]
    if len(words) > 1:
        words = [word for word in words if not _DRINKS.search(word)]
    found = [{name for name, some in _SORTS.items() if some.search(word)} for word in words]
    if any(not sorts and not GENERIC.match(word) for word, sorts in zip(words, found, strict=True)):
        return frozenset()
    return frozenset[str]().union(*found)


def first_of(values: Iterable[_Value | None]) -> _Value | None:
    """The first that is known; the ones after it are not asked for."""
    return next((value for value in values if value is not None), None)


def only(values: Sequence[str]) -> str | None:
    return values[0] if len(set(values)) == 1 else None


def only_day(around: Around) -> date | None:
    days = set(around.dates)
    return days.pop() if len(days) == 1 else None
