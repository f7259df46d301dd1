"""Finds benefits in a sentence and decides what it says of each: given or promised, denied, or only spoken of.

A verb decides. In Korean it follows its noun, and the nouns of a list share it; in English it stands in the same clause.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from metaagent.level2.compliance.text.mentioned_benefits import told_otherwise
from metaagent.level2.compliance.text.parties import (
    OWED,
    given_back,
    in_a_name,
    received_by_us,
    their_leisure,
)
from metaagent.level2.compliance.text.quick import Quick
from metaagent.level2.compliance.text.vocabulary import (
    AMONG_US,
    ASKED,
    COLLEAGUES,
    GIVES_EN,
    GIVES_KO,
    HAD_ALREADY,
    OTHERS,
    OURSELVES,
    OWN_POCKET,
    PERSON,
    PLACES_TO_EAT,
    TAKEN_WITH,
    THEIR_TREAT,
    TOPIC,
    UNSETTLED,
    benefits_in,
)
from metaagent.level2.compliance.text.wording import (
    GENERAL_KO,
    NOT_EN,
    NOT_KO,
    NOTHING_WAS,
    Sentence,
    by_others,
    denials_en,
    only_spoken_of,
)

Said = Literal["stated", "denied", "open", "bare"]
"""`stated`: given, offered, promised or planned. `open`: a rule, a question, a condition or the deed of others. `bare`: a noun
without a verb, which a sum beside it makes an expense."""

_OWN_KINDS = {"travel", "lodging", "gift", "venue"}
"""Kinds that the company's own business needs as well."""
_SUPPLIES = re.compile(
    r"비품|소모품|탕비실|휴게실|사무실\s?용|\boffice (?:supplies|kitchen|pantry)\b", re.IGNORECASE
)
_EATEN = re.compile(
    r"과일|한과|떡|케이크|빵|쿠키|초콜릿|와인|맥주|소주|cakes?|cookies|chocolates?|fruit|wines?",
    re.IGNORECASE,
)
"""Goods that belong to a meal where they are listed with one."""
_LISTED = re.compile(r"(?:이?나|와|과|및|또는|혹은|등|그리고|,|·|/|\s|or|and|nor|any|other)*", re.IGNORECASE)
_TURN_KO = re.compile(
    r"(?:(?<![다라냐자])고|[으하이되]며|지만|으나|[는은]데|면서|아서|어서|해서|셔서)(?=[\s,])|(?<=[한은])\s(?:뒤|후|"
    r"다음)|[,;](?=\s)"
)
_IF_KO = re.compile(
    r"^[가-힣]{0,3}(?:다면|려면|으면|면(?=[\s,])|\s?경우|\s?시(?=[에는\s])|\s?때(?=[에는\s]))"
)
_RULE = re.compile(
    r"규정|규약|지침|시행규칙|시행령|별표|[이하]?여야\s?한다|가이드라인|법률|법령|법에|법은|조항|제\s?\d+\s?조|원칙|처벌|"
    r"(?:징계|제재|해고|경고|감점)(?:의|를|을)?\s?(?:대상|사유|받)|"
    r"금지|허용|제한|한도|상한|"
    r"\b(?:rules?|law|act|code|guidelines?|policy|policies|regulations?|limits?|must|shall|(?-i:may)|allowed|permitted|forbid\w*|"
    r"prohibit\w*|limited|restricted|capped)\b",
    re.IGNORECASE,
)
_HAPPENED = re.compile(
    r"[했였렸었았냈췄]\S{0,4}|함(?=[.,\s]|$)|드림|제공\s?완료|하기로|겠다고|예정|계획|\b(?:gave|given|served|provided|paid|"
    r"bought|sent|handed|treated|offered|promised|"
    r"received|took|had|covered|left|will|would|was|were)\b",
    re.IGNORECASE,
)
_WITHIN_LIMIT = Quick(r"한도\s?(?:안|내|이내)|규정\s?(?:범위|안)|within the (?:limit|rules)", re.IGNORECASE)
_PLANNED = re.compile(r"예정|계획|할\s?것|\bwill\b|\bplan\w*\b", re.IGNORECASE)
_IF_EN = re.compile(r"\b(?:if|unless|whether|in case|when(?:ever)?|should)\b", re.IGNORECASE)
_MAY_EN = re.compile(
    r"\b(?:must|shall|(?-i:may)|should|can|cannot|is allowed|are allowed|forbids?|prohibits?)\b",
    re.IGNORECASE,
)
_ONLY_SPOKEN_EN = re.compile(
    r"\b(?:explained|discussed|talked about|informed|reminded|training on|said to)\b", re.IGNORECASE
)
_NONE_LISTED = re.compile(
    r"^\s?(?:집행|지급|제공|지출|사용)?(?:은|는|이|도)?\s?0\s?(?:건|회|원|명|개)|^[^.\n:]{0,12}[:：]\s?(?:없음|무(?![가-힣])|"
    r"해당\s?없음|미제공|none\b|no\b|n/?a\b|-\s*$|x\b)",
    re.IGNORECASE,
)
_SOME_LISTED = re.compile(r"^[^.\n:]{0,12}[:：]\s?(?:있음|유(?![가-힣])|제공|실시|yes\b|y\b)", re.IGNORECASE)
_WITH_KO = re.compile(r"(?:원장|교수|과장|선생|의사|직원|공무원|간호사|분|명)\S{0,3}(?:과|와|랑|하고)\s?$")
_DONE_WITH_KO = re.compile(
    r"(?:으로|로)\s?(?:간단히\s|대신\s|조촐하게\s)?(?:했|하였|함(?![가-힣])|해결|때[웠움]|(?:진행|준비|대체|대신|주문)(?:했|하|함|해))"
)
"""Something was done with it: 도시락으로 했고."""
WE_DID = Quick(
    r"\b(?:and|so|since|then) (?:we|I|HR|marketing|finance|the (?:team|branch|company)|our \w+)\s(?:have |has |had |will |"
    r"then )*"
    r"(?!(?:not|never|no|decline|refuse|explain|told|tell|said|say|point|remind|turn|reject|report)\w*\b)\w+",
    re.IGNORECASE,
)
"""Our side does something after a request, and does not say no."""
_BACK = re.compile(
    r"\s*(?:Its?|That|This|The (?:value|price|meal|bill|gift|item)|I (?:declared|reported|noted)|가액|금액|가격|시가|그|"
    r"이는|이를|받은|회사에|해당|"
    r"준법|규정에)"
)
"""A sentence that goes on with what the one before named."""
OURSELVES_GIVE = Quick(
    r"드[리렸립린릴림]|제공|지급|전달|접대|대접|결제|계산했|냈|샀|보냈|건넸|(?:제가|저희가|우리가|당사가|저도|우리도)|"
    r"\b(?:I|we) (?:\w+ ){0,2}(?:gave|give|paid|pay|bought|sent|brought|treated|left|handed|offered|covered|"
    r"returned the favou?r)\b|"
    r"\bin return\b|\bfor (?:him|her|them)\b",
    re.IGNORECASE,
)
"""Our side gives something as well."""
_SUPPORTED = re.compile(r"(?:비|비용|값|대)?\S{0,2}\s(?:[^\s.]+\s){0,2}?(?:보태|찬조|후원|협찬|대납)")
"""Money towards a meal that others have among themselves."""
_TOOK_PLACE_KO = re.compile(
    r"(?:\s?식사)?(?:도|만)?\s?(?:했[습다고음어]|하였|함(?=[\s.,]|$))|(?:이?었|였)(?:다|습니다|음)"
)
"""A meal that was had, and food that it was: 저녁 했습니다, 뷔페였다."""
_LET_US = re.compile(r"합시다|하시죠|할까요|하자|어때|싶")
_BY_THE_CLOCK = re.compile(r"\b(?:after|before|until|around|at|during|by)(?: the)? ?$", re.IGNORECASE)
_PAID = re.compile(r"결제|계산|지불|대접|접대|\b(?:paid|pay|bill|treated|invited)\b", re.IGNORECASE)
_EXCEPT = re.compile(r"\b(?:except|besides|apart from|other than|save for|aside from)\b", re.IGNORECASE)
_OURS_AGAIN = re.compile(r"\b(?:my|our|his|her|their) own\s*$|\bmy\s*$|\breturn(?:ed|ing|s)\b", re.IGNORECASE)
_TO_US = re.compile(r"\b(?:sent|gave|offered|brought|bought|given|served) (?:to )?(?:us|me)\b", re.IGNORECASE)
_WENT_BACK = re.compile(
    r"(?<!\bI )(?<!\bwe )(?<!\band )\b(?:went|goes|was (?:sent|handed|given|taken)|were (?:sent|handed|given|taken)) (?:\w+ )?"
    r"back to (?:him|her|them|the (?:\w+ )?(?:family|patients?|sender|shop|doctor|clinic|ward|nurses?)|Dr\b|Prof\b)",
    re.IGNORECASE,
)
"""A thing of theirs is theirs again."""
_NO_EN = re.compile(r"(?:\band|\bor|,)\s+no (?:\w+ ){0,2}$|^no (?:\w+ ){0,2}$", re.IGNORECASE)
"""A part of a list that has its own no: no promises and no money."""
_NOTHING_EN = re.compile(
    r"\s*(?:(?:to |for )?(?:him|her|them|the \w+|Dr\.? \w+|anybody|anyone|you|us)\s+)?"
    r"(?:for |to )?(?:nothing|no|none|neither|nobody|anything)\b",
    re.IGNORECASE,
)
_NOTHING_BEFORE = re.compile(r"\b\w+ nothing (?:and|or|,) ?", re.IGNORECASE)
"""The object of an earlier verb, which denies that one alone: brought nothing and paid nothing."""
_TURNED_DOWN = re.compile(
    r"\b(?:was|were|is|are|be|been)\s(?:\w+\s)?(?:declined|refused|rejected|cancelled|canceled|turned down)"
)
_PREFIX_NOT = re.compile(r"(?:안|못)\s$")
_WITH_EN = re.compile(r"\s?(?:with|for) (?:\w+\s){0,3}?(?:Dr\b|doctors?|physicians?|professors?|prof\b)")
_OURS_EN = re.compile(r"\b(?:I|we|our rep)\b")
_OTHER_CLAUSE = re.compile(r"[,;]|(?:고|며|지만|는데|어서|아서)\s|\b(?:I|[Ww]e|but)\b")
_MODIFIES = " 한은린준둔신"
"""Endings of a predicate that stands before its noun: 준비한 떡."""
_NEXT = 15
"""Characters after "that he bought" in which the noun stands."""
_STOCK_KO = re.compile(r"재고|잔량|보유\s?수량|이월|수불|입고|불출\s?대장|관리\s?대장|발주|승인\s?대기")
"""Goods that the company has or orders: nobody was given any yet."""
_LIMIT_EN = re.compile(
    r"\s*(?:(?:may|must) cost |are |is |limited to )?(?:at most|up to|no more than|not more than)\b"
)
_LIMIT_KO = re.compile(r"원\s?(?:\([^)]*\)\s?)?까지(?=[,;.]|\s*$|입니다|이다|임|이며|이고|예요|이에요|만\s)")
"""A sum up to which something may cost, with nothing after it that was done."""


@dataclass(frozen=True)
class Mention:
    """A noun that names a benefit, with its place in the sentence."""

    kind: str
    start: int
    end: int
    noun: str
    said: Said


def mentions_in(sentence: Sentence) -> Sequence[Mention]:
    """The nouns of benefits with what the sentence says of each."""
    if "mentions" not in sentence.known:
        sentence.known["mentions"] = _mentions_in(sentence)
    return sentence.known["mentions"]


def _mentions_in(sentence: Sentence) -> list[Mention]:
    nouns = benefits_in(sentence.text, korean=sentence.korean)
    found = [m for m in nouns if not in_a_name(sentence.text, m.start(), m.end())]
    if not sentence.korean and not any(m.lastgroup == "lecture_fee" for m in found):
        found = sorted([*found, *_fees_of_a_lecture(sentence)], key=lambda m: m.start())
    if len({m.lastgroup for m in found}) > 1:
        found = [m for m in found if not (m.lastgroup == "cash" and _paid_in_cash(sentence.text, m))]
    ends = _ends(sentence.text, found)
    served = {end for m, end in zip(found, ends, strict=True) if m.lastgroup == "meal"}
    made: list[Mention] = []
    for m, end in zip(found, ends, strict=True):
        later = [other.start() for other in found if other.start() >= end]
        said = _said(sentence, m.start(), end, later[0] if later else len(sentence.text))
        kind = "meal" if end in served and _EATEN.match(m.group()) else m.lastgroup or ""
        if kind == "unclear" and _LECTURED_KO.search(sentence.text):
            kind = "lecture_fee"
        if kind == "meal" and _SUPPORTED.match(sentence.text, m.end()):
            kind = "donation"
        if kind in _OWN_KINDS and said in ("stated", "bare") and sentence.business:
            said = "denied"
        if kind == "meal" and (sentence.alone or (sentence.business and _SUPPLIES.search(sentence.text))):
            said = "denied"
        if kind == "entertainment" and said in ("stated", "bare") and their_leisure(sentence.text):
            said = "open"
        made.append(Mention(kind, m.start(), m.end(), m.group(), said))
    if not any(one.kind == "meal" for one in made):
        made += [
            Mention("meal", m.start(), m.end(), m.group(), "stated")
            for m in PLACES_TO_EAT.finditer(sentence.text)
            if _PAID.search(sentence.text)
            and _said(sentence, m.start(), m.end(), len(sentence.text)) == "stated"
        ]
    return made


_FEE = re.compile(
    r"(?<!registration )(?<!membership )(?<!tuition )(?<!entry )\b(?P<lecture_fee>fees?)\b", re.IGNORECASE
)
_PAID_FOR_IT = re.compile(
    r"\b(?P<lecture_fee>paid|pays?|got|gets|received|receives|earned|earns)"
    r"(?= (?:him |her |them |the (?:speaker|lecturer|professor|doctor) |Dr\.? \w+ |Prof\.? \w+ )?(?:an? |the )?(?:\w+ )?(?:KRW |₩)?"
    r"\d[\d,]{4,}(?![\d,])(?: won\b)?(?! (?:for|on) "
    r"(?!(?:the |his |her |this |that )?(?:talk|lecture|hour|session|speech|it)\b)| a head| each| per))",
    re.IGNORECASE,
)
"""Somebody who spoke is paid a sum, whatever it is called."""
_SPOKE = Quick(
    r"\b(?:lectur(?:e|es|ed|ing)|(?:gave|gives|giving|held) (?:an? |the |his |her |two |our )?(?:\S+ ){0,3}?"
    r"(?:talk|speech)s?|spoke|talked for|the talk|speaker|chaired)\b",
    re.IGNORECASE,
)
_LECTURES = Quick(
    r"\b(?:lectur\w*|talk(?:s|ed)?|spoke|speak(?:s|er|ers|ing)?|presentation|symposium|advisory|advis\w+|chair(?:ed|ing)?|"
    r"webinar)\b",
    re.IGNORECASE,
)


_LECTURED_KO = Quick(
    r"(?:강연|강의|좌장|패널|발표|토론|자문|좌담회|연자)[^.\n]{0,20}?\d{1,3}\s?(?:분|시간)|\d{1,3}\s?(?:분|시간)\s?(?:강연|강의|좌장|발표|자문)"
)
"""A lecture of so many minutes, for which somebody has his fee, whatever it is called."""


def _fees_of_a_lecture(sentence: Sentence) -> list[re.Match[str]]:
    """A fee beside a lecture, a talk or advice, in whichever order: Lecture by Prof. Noh, one hour, fee KRW 800,000; the sentence
    before may tell of the lecture."""
    of_a_lecture = _LECTURES.search(sentence.text) or _LECTURES.search(sentence.before)
    if not of_a_lecture:
        return []
    found = list(_FEE.finditer(sentence.text))
    spoke = _SPOKE.search(sentence.text) or _SPOKE.search(sentence.before)
    return found if found or not spoke else list(_PAID_FOR_IT.finditer(sentence.text))


_IN_CASH = re.compile(r"(?:\b[Pp](?:aid|ay|ays|aying)|[Ss]ettl\w+)\b(?P<what>[^.;]*?)(?:\bin|\bwith|,) $")
_HANDED = re.compile(r"\b(?:gave|giv\w+|hand\w*|slipp\w*|pass\w*|him|her|them|Dr|Prof|doctors?)\b|[\w.]+'s ")


def _paid_in_cash(text: str, cash: re.Match[str]) -> bool:
    """Say whether cash is only how another benefit was paid for: paid the dinner in cash."""
    paid = _IN_CASH.search(text, 0, cash.start())
    if cash.group().lower() != "cash" or paid is None:
        return False
    return bool(benefits_in(paid["what"], korean=False)) and not _HANDED.search(paid["what"])


_THEY_PAY_KO = re.compile(
    r"(?:으로|로)?\s(?:\S+\s)?(?:[내주][셔셨시신]|납부|갚으|(?:입금|결제|지불|정산|완납)하[셔셨시신]|(?:수금|수령)(?:했|하|"
    r"해|함)|받[아았고음])"
)


def _owed_to_us(text: str, start: int, end: int) -> bool:
    """Say whether cash is what a customer pays its debt with: 외상대금을 현금으로 내셔서."""
    if text[start:end] != "현금" or _THEY_PAY_KO.match(text, end) is None:
        return False
    return OWED.search(text, 0, start) is not None and not PERSON.search(text)


def _ends(text: str, found: list[re.Match[str]]) -> list[int]:
    """Find for each noun the end of the list that it stands in: the nouns of a list share what is said of them."""
    ends = [m.end() for m in found]
    for at in range(len(found) - 2, -1, -1):
        if _LISTED.fullmatch(
            re.sub(r"^(?:은|는|을|를|이|가|도)", "", text[found[at].end() : found[at + 1].start()])
        ):
            ends[at] = ends[at + 1]
    return ends


def _said(sentence: Sentence, start: int, end: int, until: int) -> Said:
    text = sentence.text
    if sentence.asks or only_spoken_of(sentence, start, min(end, len(text))):
        return "open"
    if TOPIC.match(text[end:]) or _with_a_medicine(text, start, end) or by_others(text, start):
        return "open"
    own = AMONG_US.search(text) or (COLLEAGUES.search(text[:start]) and not PERSON.search(text))
    own = own or sentence.ours or given_back(text, start, end) or received_by_us(text, start, end)
    own = own or _owed_to_us(text, start, end)
    if own or their_treat(text, start, end) or of_their_treat(sentence):
        return "denied"
    told = told_otherwise(text, start, end)
    if told is not None:
        return told
    if _NONE_LISTED.match(text[end:]) or OWN_POCKET.search(text, end, until):
        return "denied"
    if HAD_ALREADY.search(text[:start]) and not OURSELVES_GIVE.search(text):
        return "denied"
    if _SOME_LISTED.match(text[end:]):
        return "stated"
    if _planned_within(text):
        return "open"
    said: Said = _korean(text, start, end, until) if sentence.korean else _english(sentence, start, end)
    return "stated" if said == "denied" and _yielded(text, end) else said


_FOOD_WITH_KO = re.compile(
    r"^(?:와|과|랑|을|를|은|는|의)?\s?(?:함께|같이|동시|관계|상관|무관|직후|직전|전(?=[에과,\s])|후(?=[에,\s])|사이|여부|"
    r"영향|섭취|하지\s?않|거르|\d+\s?분)"
)
_FOOD_WITH_EN = re.compile(
    r"\b(?:with|without|after|before|between|to|on|of)\s(?:(?:a|an|the|or|and|light|heavy|any|each|high-fat|fatty|no)\s)*$",
    re.IGNORECASE,
)
_NEXT_TO = 12
"""Characters between food and the words by which a medicine is taken."""


def _with_a_medicine(text: str, start: int, end: int) -> bool:
    """Say whether food is only what a medicine is taken with: the words of taking it stand right beside it."""
    if not TAKEN_WITH.search(text):
        return False
    beside = TAKEN_WITH.search(text, max(0, start - _NEXT_TO), end + _NEXT_TO) is not None
    told = GIVES_KO.search(text, end) is not None or PERSON.search(text, max(0, start - 8), start) is not None
    return (
        _FOOD_WITH_KO.match(text[end:]) is not None
        or _FOOD_WITH_EN.search(text[:start]) is not None
        or (beside and not told)
    )


_YIELDED = re.compile(
    r"결국|마지못해|못\s?이[겨기]|\b(?:in the end|eventually|gave in|after all|"
    r"but (?:we|I) (?:still |then |just )?(?:booked|paid|gave|did|went ahead|sent|bought|arranged))\b",
    re.IGNORECASE,
)
_NEAR_BY = 30
"""Characters after words of giving in, in which they are taken back."""
_STILL_NOT = re.compile(
    r"거절|사양|고사|[않안못없]|\b(?:declin|refus|turned|no\b|not\b|never|nothing)|n't\b", re.IGNORECASE
)


def _yielded(text: str, end: int) -> bool:
    """Say whether it was turned down first and done in the end."""
    found = _YIELDED.search(text, end)
    return found is not None and not _STILL_NOT.search(text, found.end(), found.end() + _NEAR_BY)


def their_treat(text: str, start: int, end: int) -> bool:
    """Say whether the words from `start` to `end` are what the other side paid for: in its own clause, not in another."""
    for m in THEIR_TREAT.finditer(text):
        if m.start() < end and start < m.end():
            return True
        before = end <= m.start()
        between = text[end : m.start()] if before else text[m.end() : start]
        joined = _OTHER_CLAUSE.search(between) is None and GIVES_KO.search(between) is None
        follows = before or not m.group()[-1].isspace() or len(between) <= _NEXT
        korean = re.search("[가-힣]", m.group()) is not None
        if joined and follows and (before or not korean or m.group()[-1] in _MODIFIES):
            return True
    return False


def of_their_treat(sentence: Sentence) -> bool:
    """Say whether the sentence goes on with what the other side gave us in the one before, and nothing is given in it."""
    if not _BACK.match(sentence.text) or not THEIR_TREAT.search(sentence.before):
        return False
    if OURSELVES_GIVE.search(sentence.before):
        return False
    return not (PERSON.search(sentence.text) or OURSELVES_GIVE.search(sentence.text))


def said_of(sentence: Sentence, start: int, end: int) -> Said:
    """Decide what the sentence says of the words from `start` to `end`."""
    return _said(sentence, start, end, len(sentence.text))


def said_of_verb(sentence: Sentence, start: int, end: int) -> Said:
    """Decide what a sentence says of an act: done, denied, or only spoken of."""
    text = sentence.text
    if sentence.asks or only_spoken_of(sentence, start, min(end, len(text))) or by_others(text, start):
        return "open"
    if _planned_within(text):
        return "open"
    if not sentence.korean:
        return _english_verb(sentence, start, end)
    asked = ASKED.search(text[start:end]) or _ASKED_TO.match(text, end)
    if asked is not None:
        return _after_a_request(text[end:])
    return _of_verb(text, start, start, end)


_ASKED_TO = re.compile(
    r"\S{0,2}\s?달라[는고며]\s(?:\S+\s)?(?:부탁|요청|요구|문의|제안|말씀)\S{0,2}\s?(?:받|있|들|하[셨시])"
)
"""The verb before it is what the other side asks for: 지원해 달라는 부탁을 받음."""


def _english_verb(sentence: Sentence, start: int, end: int) -> Said:
    """A verb is denied by what stands before it in its clause, or by its object: gave nothing."""
    if _by_the_writer(sentence.text, end + 1) or NOTHING_WAS.search(sentence.text, 0, start):
        return "denied"
    first, last = sentence.clause(start, end)
    before, after = sentence.text[first:start], sentence.text[end:last]
    count = denials_en(_NOTHING_BEFORE.sub("", before)) + (_NOTHING_EN.match(after) is not None)
    if count % 2 or _TURNED_DOWN.search(after):
        return "denied"
    if _if_only(before) or (_MAY_EN.search(before) and _RULE.search(sentence.text)):
        return "open"
    asked = ASKED.search(before)
    ours = asked is not None and re.search(r"(?:,| and| so| but)\s(?:I|we)\b", before[asked.end() :])
    return "open" if asked is not None and not ours else "stated"


def _planned_within(text: str) -> bool:
    """A plan to stay within the limits is an intention, not a benefit."""
    return _WITHIN_LIMIT.search(text) is not None and _PLANNED.search(text) is not None


def _korean(text: str, start: int, end: int, until: int) -> Said:
    asked = ASKED.search(text, end)
    if asked is not None and asked.start() < until:
        return _after_a_request(text[asked.end() :])
    verb = GIVES_KO.search(text, end, until)
    if verb is not None and verb.group() in ("제안", "초대") and NOT_KO.search(text, verb.end()):
        return "denied"
    if verb is None:
        verb_before = GIVES_KO.search(text, max(0, start - 12), start)
        rest = text[end:until]
        if UNSETTLED.search(rest) or _TOOK_PLACE_KO.match(rest):
            return "stated"
        if _LIMIT_KO.search(rest) or _STOCK_KO.search(text):
            return "open"
        if _denied_ko(rest):
            return "denied"
        if _DONE_WITH_KO.match(rest) or _WITH_KO.search(text[:start]):
            return "stated"
        if _RULE.search(text) or _LET_US.search(rest):
            return "open"
        return (
            "stated"
            if verb_before is not None
            and re.match(r"\s?(?:내역|물품|품목)?\s?[:：]", text[verb_before.end() :])
            else "bare"
        )
    if OTHERS.search(text, end, verb.start()) and not OURSELVES.search(text, end, verb.end()):
        return "open"
    return _of_verb(text, end, verb.start(), verb.end())


def _of_verb(text: str, end: int, first: int, last: int) -> Said:
    after = text[last:]
    if (
        TOPIC.match(after)
        or GENERAL_KO.match(after)
        or _IF_KO.match(after)
        or re.match(r"\S{0,3}\s?여부", after)
    ):
        return "open"
    turn = _TURN_KO.search(after)
    chain = after[: turn.start()] if turn else after
    prefix = _PREFIX_NOT.search(text[:first]) is not None
    if _denied_ko(text[end:first], _denials_ko(chain) + prefix):
        return "denied"
    if _RULE.search(text) and not _HAPPENED.search(text[first:]):
        return "open"
    return "stated"


def _denied_ko(text: str, more: int = 0) -> bool:
    """Say whether the denials of some clauses deny: two of one clause cancel out, those of two clauses do not. `more` is the number
    of those that the last clause has after the text."""
    *earlier, last = _TURN_KO.split(text)
    here = _denials_ko(last) + more
    return here % 2 == 1 or (here + sum(_denials_ko(one) for one in earlier)) % 2 == 1


_REFUSED_WITH = re.compile(r"(?<=고)\s(?:\S+\s){0,2}?(?:거절|거부|사양|반려)")
"""A refusal after the words that it was told in: 드릴 수 없다고 거절했다."""


def _denials_ko(text: str) -> int:
    """Count the denials; a refusal and what it was told in are one."""
    told = _REFUSED_WITH.search(text)
    refused_twice = told is not None and NOT_KO.search(text, 0, told.start()) is not None
    return len(NOT_KO.findall(text)) - refused_twice


def _after_a_request(rest: str) -> Said:
    """The other side asked for it: a refusal denies it, a deed states it, and else it was only asked for."""
    if NOT_KO.search(rest) or re.search(r"어렵|곤란|힘들|안\s?된|불가", rest):
        return "denied"
    return (
        "stated"
        if GIVES_KO.search(re.sub(r"말씀\s?드|안내\s?드|답변\s?드|설명\s?드|전달\s?받", "", rest))
        else "open"
    )


_ON_THE_WAY_EN = re.compile(
    r"\bI (?:[^.;]{0,60}?[ ,])?(?:ate|had|grabbed|skipped|finished)(?: (?:a|an|my|some|quick|late|early|no|the))* $"
)
_SHARED_EN = re.compile(
    r"\b(?:with|for|together|we|us|our|him|her|them|everyone|team|each|guests?)\b", re.IGNORECASE
)


def _by_the_writer(text: str, start: int) -> bool:
    """Say whether a meal is one that the writer has by himself, on the way: ate a sandwich in the car."""
    alone = not PERSON.search(text) and not _SHARED_EN.search(text)
    return alone and _ON_THE_WAY_EN.search(text, 0, start) is not None


def _english(sentence: Sentence, start: int, end: int) -> Said:
    text = sentence.text
    if _by_the_writer(text, start):
        return "denied"
    first, last = sentence.clause(start, end)
    clause = text[first:last]
    before, after = _EXCEPT.split(text[first:start])[-1], text[end:last]
    none = _NO_EN.search(before) and not _EXCEPT.search(after)
    if none or _OURS_AGAIN.search(before) or _TO_US.search(text[first:last]) or _WENT_BACK.search(after):
        return "denied"
    count = denials_en(before) + denials_en(_EXCEPT.split(after)[0])
    unsettled = UNSETTLED.search(text[end:])
    if count % 2 and not (unsettled and unsettled.end() >= 0 and not NOT_EN.search(before)):
        return "denied"
    if GIVES_EN.search(clause) is None:
        if unsettled or _WITH_EN.match(after):
            return "stated"
        return _english_noun(clause, before, after, text[end:])
    if _if_only(before) or _ONLY_SPOKEN_EN.search(before):
        return "open"
    if _RULE.search(clause) and _MAY_EN.search(clause) and not _happened_en(clause):
        return "open"
    if ASKED.search(before) and not GIVES_EN.search(after) and not WE_DID.search(text[end:]):
        return "denied" if NOT_EN.search(text[end:]) else "open"
    return "stated"


def _english_noun(clause: str, before: str, after: str, rest: str) -> Said:
    """Decide what is said of a noun whose clause has no verb of giving."""
    if _LIMIT_EN.match(after) or _RULE.search(clause) or _BY_THE_CLOCK.search(before):
        return "open"
    if re.search(r"\b(?:declined|refused)\b", rest):
        return "denied"
    return "open" if _they_hinted(before, after) and not WE_DID.search(rest) else "bare"


def _they_hinted(before: str, after: str) -> bool:
    """Say whether somebody of the other side asks for what follows, and we do nothing after it."""
    asked = ASKED.search(before)
    ours = asked is not None and OURSELVES.search(before[: asked.start()])
    return asked is not None and not ours and not _OURS_EN.search(after)


def _if_only(before: str) -> bool:
    """Say whether the noun stands in the condition: after an offer that follows the condition it does not."""
    found = _IF_EN.search(before)
    return found is not None and re.search(r"\b(?:will|would|shall)\b|'ll\b", before[found.end() :]) is None


def _happened_en(clause: str) -> bool:
    return (
        re.search(
            r"\b(?:gave|served|provided|paid|bought|sent|handed|treated|promised|received|took|had)\b",
            clause,
            re.IGNORECASE,
        )
        is not None
    )
