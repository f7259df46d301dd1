"""Questions about what documents say, not about figures: what one must or may do, and words that only documents explain."""

from __future__ import annotations

from dataclasses import replace

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.intents import FoundIntent, measured
from metaagent.level1.query_analyzer.reading import DATA_INTENTS, Reading
from metaagent.level1.query_analyzer.requests.quoting import quotations
from metaagent.level1.query_analyzer.words.search_words import synonyms

_MUST_OR_MAY = regex(
    r"[가-힣]야\s?(?:하나|하는|한다|합니까|할까|할\s|해\??$|해요|되나|되는|돼|됩니까|될까|하죠)"
    r"|지켜야\s?할|[가-힣]도\s?(?:되|돼|될|됩|괜찮)|(?:얼마(?:짜리)?|몇\s?\S{1,2}|언제|어디|누구|며칠)\s?까지\s?\S{0,6}\s?(?:수\s?있|되|돼|해야|내야|하나|가능)"
    r"|[가-힣]\s?수\s?있나|[가-힣]\s?수\s?있는(?:지|가)|[가-힣]\s?수\s?있습니까|[가-힣]\s?수\s?있어\s?\??$|[가-힣]면\s?안\s?(?:되|돼)"
    r"|\b(?:must|has to|have to|had to|obliged|required to|allowed to|permitted to|supposed to|should (?:we|i|one|a|an|the)"
    r"|(?:may|can) (?:we|i|you|one|they|he|she|a|an|the|people|employees|patients|doctors|reps))\b"
)
"""Words by which a question asks for a duty, a right or a limit."""
_KEEPING = regex(
    r"(?:보관|보존|저장)\s?(?:온도|방법|기간|조건|기한|연한|장소)|\b(?:storage|retention) (?:temperature|conditions?|period|time)\b"
)
"""Keeping as something to know, not to do."""
_KEEP_IT = regex(
    r"(?:보관|보존|저장)\s?(?:해|하자|시켜|부탁)|\b(?:save|store|keep|archive) (?:it|this|that|them|these|the)\b"
)
_WISH = regex(
    r"(?:줘|주세요|줄래|주라|주실|다오|부탁|바랍니다)\s*[.!?~]*$|[하해]\S{0,2}도\s?(?:됩니다|좋습니다)\s*[.!~]*$|^\s*(?:please|show|give|save|store|draw|list|write|make)\b"
    r"|^\s*(?:can|could|would|will) you (?:please |kindly |just )?(?:save|store|archive|write|draft|show|list|make|draw|check)\b"
)
_ASKS = regex(
    r"\?\s*$|(?:나요|까요|니까|는지|은지|인가|은가|는가|가요|어때|뭐야|뭐지|무엇|얼마야|어디야|언제야|누구야|은\?|는\?|을까|될까|할까|되지|하지|되죠|하죠)\s*\??$|^\s*(?:what|which|who|when|where|why|how|can|could|may|must|is|are|does|do|should)\b"
)
_OPEN = regex(
    r"누가|누구|언제|며칠|몇\s?\S|얼마|어디|뭘|뭐|무엇|무슨|어떤|어떻게"
    r"|^\s*(?:so |and |then )?(?:when|who|whom|how|what|which|where|within|by when|until when)\b"
)
"""Words that ask for something that is not named yet: no answer of yes or no would do."""
_DUE = r"(?:언제|며칠|몇\s?(?:일|주|달|개월|시간|시|년|영업일))\s?(?:전|안|이내|내|후|뒤)?\s?(?:까지|에|이내)"
_SETTLED_BY_RULE = regex(
    rf"{_DUE}[^?]{{0,15}}?(?:[가-힣]야\s?(?:하|해|되|돼|합|할)|내나|내요|내\??$|제출|신청|신고|올리|등록하|정산)"
    r"|(?:매월|매달|매주|매년|매분기|분기마다|달마다|해마다)\s[^?]{0,25}?(?:며칠|언제|몇\s?일)\s?(?:까지|에|이내)[^?]{0,25}?"
    r"(?:하나|합니까|하는지|해야|인가|인지|되나|내나)"
    r"|(?:게|것이|건|거)\s?(?:기본|원칙|규정|기준)(?:이|인|입|일|야)"
    r"|[가-힣]\s?수\s?없는\s\S{1,8}\s?(?:금액|한도|횟수|기간)"
    r"|얼마까지\s?(?:야|예요|이에요|인가요?|인지|입니까|죠|지|가능\S{0,4}|[되돼]\S{0,3}|괜찮\S{0,4}|허용\S{0,4})?\s*[.?!]*$"
    r"|누가\s?(?:\S{1,6}\s)?(?:결재|승인|허가|전결)(?!했|하였|한\s|됐)|(?:결재|승인|허가|전결)(?:권자|자)?[은는이가을를]?\s?누(?:가|구)"
    r"|누구(?:의|한테|에게|께)\s?(?:\S{1,4}\s)?(?:결재|승인|허락|허가)"
    r"|(?:보관|보존)\S{0,3}\s?(?:기간|기한|연한)|(?:얼마나|몇\s?[년일달]|언제까지)\s?(?:오래|동안|간)?\s?(?:보관|보존|가지고|간직)"
    r"|\bwho (?:has to |must |needs to |should |can |may |will )?(?:approves?|signs?(?: off)?|authori[sz]es?)\b"
    r"|\bhow long (?:are|is|must|should|do|does|will) .{1,80}\b(?:kept|keep|retained?|stored?|archived?|preserved?|held)\b"
    r"|\b(?:when|how (?:soon|early|late|far in advance)) (?:must|should|(?:do|does) .{1,40} (?:have|need) to)\b"
    r"|\bwhen (?:is|are) .{1,40} (?:due|closed|settled|submitted|paid out)\b"
    r"|\b(?:on|by|until|before) (?:which|what) (?:day|date)\b(?: of the (?:next|following) (?:week|month))?"
    r"|(?:월|주|분기|연|하루|한\s?달|일주일)에?\s?몇\s?(?:회|번|차례)(?:인가|인지|입니까|이야|예요|이에요|까지인)"
    r"|\bhow (?:should|must|is|are|do you|does one) .{1,60}\b(?:stored?|kept|refrigerated)\b|어떻게\s?(?:보관|보존)"
    r"|\bwithin how many (?:working |business |calendar )?(?:minutes|hours|days|weeks|months|years)\b"
    r"|\bwhat(?:'s| is| are) the\b.{0,40}?\b(?:limits?|deadlines?|cap|ceiling|allowance|retention period)\b"
    r"|\bwhat (?:does|do) .{1,80} (?:say|state|require|prescribe)\b|\bwhat (?:the|our) .{1,40} says? about\b"
    r"|\bwhere (?:do|does|in) .{1,60}\b(?:rules?|polic(?:y|ies)|code|guidelines?|law|regulations?)\b"
    r".{0,40}\b(?:say|says|state|states|written|find)\b[^?]*"
    r"|\b(?:which|what) (?:article|clause|section|rule|provision|policy|limit|cap|ceiling|maximum|deadline)s?"
    r" (?:covers?|says?|governs?|appl(?:ies|y)|regulates?)\b"
    r"|\bby when (?:do|does|must|should|is|are)\b"
)
"""Questions that a rule alone settles, whatever they name: until when, who approves, how long something is kept, a limit."""
_MOST = regex(
    r"\b(?:maximum|minimum|max|min)\b.{0,40}\b(?:per|a|each|for (?:a|an|one|each))\b|(?:최대|최소|최고|최저)\s?(?:얼마|몇|한도)"
)
_DUTY = regex(
    r"[가-힣]야\s?(?:하나|하는지|한다|합니까|할까|해\s?\??$|해요\s?\??$|되나|되는지|돼|됩니까|될까|하죠|하지)"
    r"|^\s*(?:when|who|how|what|which|where|why|do|does|is|are)\b.*\b(?:must|has to|have to|needs? to|required|should|mandatory)\b"
    r"|^\s*(?:must|should)\b"
)
_GIVES = regex(
    r"드려|드리|제공|줘도|주어도|줄\s?수|사\s?주|사도|쏴도|선물해도|먹어도|보내|지급|지원|접대|대접"
    r"|\b(?:give|giving|offer|pay|paying|send|buy|provide|hand|invite|treat|sponsor|reimburse|this|these|it)\b(?! (?:is|okay|ok)\b)"
)
"""Words by which a question gives something to be judged."""
_ASKED_FOR = regex(
    r"(?:기준|시간|방법|절차|기간|기한|금액|한도|여부|조건|대상|일정|장소|위치|번호|주소|등급|비율|요건|만료일|시기|횟수)"
    r"[이가을를은는도]?\s*(?:좀\s?)?(?:(?:알려|말해|가르쳐|설명해)\s?(?:줘|주세요|줄래|주라|달라)요?|알고\s?싶\S{1,4}|궁금\S{1,4})?\s*[.?!]?$"
)
"""The end of a question that has no verb, or only one of telling: 주차장 이용 시간, 신청 방법 알려줘."""
_MATTER = frozenset({"money", "reference", "metric", "document_type", "regulation", "article"})
"""Types of entities that give a check something to judge."""
_JUDGED = frozenset(
    {"money", "quantity", "value", "period", "reference", "regulation", "article", "metric", "document_type"}
)
_GUESSED = frozenset({"name_typo", "name_sound"})
_FILE = "file"
"""The kind of artifacts that people give."""
FEWEST_UNREAD = 2
"""Words that nothing here knows, from which a question is one for the documents."""
REPLACED = frozenset({"lookup", "store"})
_RULED = frozenset({"lookup", "store", "rank", "trend", "document", "compliance", "search"})


def asks_for_rule(text: str) -> bool:
    """Say whether a text asks for a duty, a right, a limit or a deadline, whatever it names."""
    return any(each.search(text.lower()) for each in (_SETTLED_BY_RULE, _MUST_OR_MAY, _DUTY))


def settled(reading: Reading) -> Reading:
    """Read a question about a duty, a right or a limit as a search, though it has a word for a figure or for storing. In a
    search no word is taken for a misspelt name of the data: documents have words of their own."""
    reading = _of_file(_decided(_without_keeping(reading)))
    if not reading.intents or any(intent.name != "search" for intent in reading.intents):
        return reading
    sure = tuple(e for e in reading.entities if e.type == "regulation" or e.method not in _GUESSED)
    return replace(reading, entities=sure, assumptions=())


def _without_keeping(reading: Reading) -> Reading:
    """Leave out an intent that only the words for keeping as a matter show, beside others: 보관 방법을 안내했습니다."""
    text = _KEEPING.sub(" ", reading.source.text)
    if text == reading.source.text:
        return reading
    kept = tuple(i for i in reading.intents if not i.words or any(word.lower() in text for word in i.words))
    return replace(reading, intents=kept) if kept else reading


def _of_file(reading: Reading) -> Reading:
    """Read a question for figures that came with a file as one about the file; beside it, the figures of a period that it names
    without pointing at the file."""
    names = {intent.name for intent in reading.intents}
    given = any(each.get("attached") for each in reading.context.artifacts)
    if not given or not names or not names <= {*DATA_INTENTS, "search"} or not _searchable(reading):
        return reading
    types = {entity.type for entity in reading.entities}
    if {"metric", "period"} <= types and "reference" not in types and "search" not in names:
        search = _search(reading).intents
        return replace(reading, intents=(*search, *reading.intents))
    kept = tuple(entity for entity in reading.entities if entity.type not in _FIGURES)
    return _search(replace(reading, entities=kept))


_FIGURES = frozenset({"metric", "ambiguous_metric", "dimension", "rank", "period", "reference", "value"})


def _decided(reading: Reading) -> Reading:
    text = reading.source.text
    names = {intent.name for intent in reading.intents}
    leans = reading.follows and not _SETTLED_BY_RULE.search(text)
    judges = "compliance" in names and bool(quotations(text))
    if not names or leans or judges or not _searchable(reading):
        return reading
    if "compliance" not in names and names <= _RULED and _gives_a_sum(reading):
        return _implied(reading, "compliance")
    figures = any(
        entity.type in ("period", "metric", "rank", "ambiguous_metric") for entity in reading.entities
    )
    if names <= {"compliance", "lookup"} and _only_asks_leave(reading):
        return _search(reading)
    if names <= _RULED and _asks_rule(reading, names):
        return _search(reading)
    if names == {"search", "compare"} and not figures:  # limits are compared, and nothing that was measured
        return replace(reading, intents=tuple(i for i in reading.intents if i.name == "search"))
    if not names <= REPLACED:
        return reading
    if _KEEPING.search(text) and not _KEEP_IT.search(text):
        return _search(reading)
    asked = _MUST_OR_MAY.search(text) and not _WISH.search(text)
    return _search(reading) if asked and (not figures or _known_words(reading) > 1) else reading


def _asks_rule(reading: Reading, names: set[str]) -> bool:
    """Say whether the question asks for a duty, a deadline, a limit or an approval, though it names a document, a figure or
    compliance. A wish, a figure of a period, and a thing that is given to be judged are none."""
    text = reading.source.text
    sure = {entity.type for entity in reading.entities if entity.method not in _GUESSED}
    if _WISH.search(text) or "reference" in sure or _names_period(reading) or _named_figure(reading):
        return False
    if _SETTLED_BY_RULE.search(text):
        return True
    asks, opens = bool(_ASKS.search(text)), bool(_OPEN.search(text))
    if "document" in names:
        if "document_type" not in sure and asks and _MUST_OR_MAY.search(text):
            return True  # a word was merely taken for a misspelt kind of document: may we meet at a resort?
        return (bool(_DUTY.search(text)) and (asks or opens)) or (asks and opens)
    if "compliance" in names:
        given = bool(sure & _JUDGED) or bool(reading.context.artifacts)
        if opens:
            return bool(_MUST_OR_MAY.search(text)) or (asks and not given)
        return asks and (not sure & _JUDGED and not _GIVES.search(text))
    measured_words = sure & {"metric", "ambiguous_metric"}
    return not measured_words and bool(
        _MOST.search(text) or (_MUST_OR_MAY.search(text) and _OPEN.search(text))
    )


def _names_period(reading: Reading) -> bool:
    """Say whether a period is named that is no part of the question itself: "on which day of the next month" names none."""
    found = _SETTLED_BY_RULE.search(reading.source.text)
    return any(
        entity.type == "period"
        and entity.method not in _GUESSED
        and not (found and found.start() <= entity.start and entity.end <= found.end())
        for entity in reading.entities
    )


def _only_asks_leave(reading: Reading) -> bool:
    """Say whether something is asked to be allowed of which no sum, no document and no expenses are given: nothing can be judged,
    and the rules themselves say it. 설날에 과일 상자 돌려도 괜찮을까?"""
    text = reading.source.text
    given = {entity.type for entity in reading.entities if entity.method not in _GUESSED}
    days = all(e.extra.get("unit") == "day" for e in reading.entities if e.type == "period")
    asks = _ASKS.search(text) and (_MUST_OR_MAY.search(text) or _LEAVE.search(text))
    # A kind of expenses is a matter only where their period is named: 밥값을 내 드려도 되나요?
    matter = given & _MATTER if "period" in given else given & _MATTER - {"metric"}
    return bool(asks) and days and not matter and not reading.context.artifacts


_LEAVE = regex(
    r"괜찮|해도\s?되|도\s?(?:되|돼|될)|문제\s?(?:없|될|되)|가능(?:한|할)|허용|\b(?:okay|ok|fine|allowed|permitted|acceptable)\b"
)


def _named_figure(reading: Reading) -> bool:
    """Say whether a word for a limit is the name of something in the data."""
    found = _SETTLED_BY_RULE.search(reading.source.text)
    return found is not None and any(
        entity.type in ("metric", "dimension") and entity.start < found.end() <= entity.end
        for entity in reading.entities
    )


def otherwise(reading: Reading) -> Reading:
    """Search for what nothing else was made of, if it asks in words that documents of the domain have, or a file was given."""
    if reading.intents or reading.follows or not _searchable(reading):
        return reading
    if _gives_a_sum(reading):
        return _implied(reading, "compliance")
    text = reading.source.text
    if any(each.get("kind") == _FILE for each in reading.context.artifacts):
        return _search(replace(reading, entities=tuple(e for e in reading.entities if e.type != "reference")))
    if _MUST_OR_MAY.search(text) or _SETTLED_BY_RULE.search(text):
        return _search(reading)
    named = _ASKED_FOR.search(text)
    asks = named or (_ASKS.search(text) and not _WISH.search(text))
    # Where nothing here knows what is asked for, the documents are looked into, and it is said if they do not know it either.
    if asks and (_known_words(reading) or len(reading.unread) >= FEWEST_UNREAD):
        return _search(reading)
    return reading


def _known_words(reading: Reading) -> int:
    context = reading.context
    return len(
        synonyms(
            reading.source, replace(context.domain, terms={}, document_types={}), type(context.vocabulary)()
        )
    )


_MAY_WE = regex(
    r"(?:괜찮\S{0,4}|[가-힣]?(?:되나|되는지|되지|되죠|될까|됩니까|돼)요?|문제\s?(?:없|될|되)\S{0,4}|가능\S{0,5})\s*\??\s*$"
    r"|^\s*(?:is|are|was|would|will)\b.*\b(?:fine|ok|okay|allowed|permitted|all right|acceptable)\b"
    r"|^\s*(?:may|can|could) (?:we|i)\b"
)


def _gives_a_sum(reading: Reading) -> bool:
    """Say whether a question asks leave for something that it names with its price: that is judged, not looked up."""
    text = reading.source.text
    sure = {entity.type for entity in reading.entities if entity.method not in _GUESSED}
    if (
        "money" not in sure
        or sure & {"metric", "ambiguous_metric", "reference", "period", "document_type"}
        or _OPEN.search(text)
    ):
        return False
    given = "value" in sure or _GIVES.search(text) is not None
    return given and _MAY_WE.search(text) is not None and _offered(reading, "compliance")


def _searchable(reading: Reading) -> bool:
    return _offered(reading, "search")


def _offered(reading: Reading, intent: str) -> bool:
    offered = reading.context.capabilities or reading.context.domain.capabilities
    known = reading.context.domain.intent(intent)
    return known is not None and any(item["name"] in known.capabilities for item in offered)


def _search(reading: Reading) -> Reading:
    """Read it as a search: which figure an ambiguous word means is not asked then."""
    kept = tuple(entity for entity in reading.entities if entity.type != "ambiguous_metric")
    return _implied(replace(reading, entities=kept), "search")


def _implied(reading: Reading, intent: str) -> Reading:
    sure = measured(reading.context.domain.calibration, "intent_implied")
    # What is searched for or judged are the words as they were typed: nothing is assumed of them.
    return replace(reading, intents=(FoundIntent(intent, "implied", (), sure),), assumptions=())
