"""Orders under a condition: "매출이 줄었을 때만 보고서 써줘", "store it only if they are below target". Pure.

A check is judged before anything is stored, so "문제 없으면 저장해줘" is planned; and whoever writes a report judges by its figures
whether it is wanted. Any other condition is judged by no step: what it would decide is not done, and that is said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from metaagent.errors import Text
from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.ambiguity import SUBJECT, of_condition, of_slot
from metaagent.level1.query_analyzer.context import AnalysisContext
from metaagent.level1.query_analyzer.evidence import find
from metaagent.level1.query_analyzer.requests.acts import acts
from metaagent.level1.query_analyzer.requests.acts import rest as beside_acts
from metaagent.level1.query_analyzer.requests.acts_en import BY_PERSON
from metaagent.level1.query_analyzer.requests.double_questions import DEED
from metaagent.level1.query_analyzer.requests.moods import (
    EFFECTS,
    JOINED,
    KOREAN,
    Span,
    orders_nothing,
    sentence,
)
from metaagent.level1.query_analyzer.requests.optional_parts import parts
from metaagent.level1.query_analyzer.requests.quoting import inside, quotations
from metaagent.level1.query_analyzer.requests.unwanted import unwanted
from metaagent.level1.query_analyzer.words.source import read
from metaagent.level1.query_analyzer.words.speaker_clauses import blanked

Plain = dict[str, Any]
DATA, CHECK, STORE, SEARCH = (
    "data_analysis",
    "compliance_validation",
    "storage_decision",
    "information_retrieval",
)
MOST_CUT = 5
"""Words that may be left out of a condition to find the figures in it."""
_WORD = regex(r"[\w가-힣%]+(?:['’.,]\w+)*")


class Held(NamedTuple):
    """An order under a condition that nothing here judges."""

    condition: Span
    order: Span
    """The whole stretch that is not done, its condition included."""


_IF_KO = regex(
    r"(?<![가-힣])(?:[^.!?;\n]*?)(?:[가-힣]면(?:은)?|[을를은는일한할]\s?(?:때만|때에만|경우에만|경우에는?|경우|시에만)|(?:때|경우)(?:에)?만)(?=[\s,])"
)
_JOINED_KO = regex(r"(?:주|하|리|내|보고|뽑)고\s|,\s|(?:는데|지만)\s")
"""Between another order and the condition: 매출 알려주고 줄었으면 …"""
_NO_CONDITION_KO = regex(
    r"(?:(?<![가-힣])(?<![안못]\s)(?:보|합치|합하|빼|따지|치|제외하|비교하|정리하|요약하|들|말하|괜찮으시|괜찮|되시|끝나|끝내|마치|되|나오|완성되|작성되|쓰|만들)"
    r"|하려|려|자|있으시)면(?:은)?\Z"
)
"""Verbs in 면 that say how something is looked at, or when, or that it is polite: 비교하면, 다 되면."""
_IF_EN = regex(
    r"(?:\b(?:but|and|,)\s)?\b(?:only\s(?:if|when|where|in case)|if|unless|in case(?:\sof)?|provided(?:\sthat)?|as long as"
    r"|should\s(?:it|they|there)|(?:once|after|as soon as)\s(?=(?:legal|finance|hr|audit|i|we|he|she|i've|we've|my|our)\s))\s?"
)
_NO_CONDITION_EN = regex(
    r"(?:if|when)\s(?:you\s(?:can|could|like|want|wish|please|don't mind|have time|are able)"
    r"|(?:it'?s|that'?s|it is|that is)\s(?:ok|okay|fine|all right|possible|not too)"
    r"|possible|so\b|anything\b|needed|you're done|done|finished|ready|it is (?:done|ready|finished))"
)
_FOUND = regex(
    r"(?:있|발견|나오|나올|걸리|걸릴|위반하|위반이면|어기|어긴|넘)"
    r"|\b(?:there (?:is|are)|any(?:thing)?|finds?|found|breaks?|broken?|violat\w*|exceeds?|in case of|wrong|breach\w*)\b"
)
"""Something wrong that a condition supposes, where nothing denies it."""
_CLEAN = regex(
    r"없|않|안\s?걸|통과|괜찮|깨끗|이상\s?무|\b(?:no|not|nothing|none|passes|pass|clean|fine|okay|ok|compl(?:y|ies|iant)|within|clear(?:ed)?|allowed)\b|n't\b"
)


def held_back(text: str, effects: Sequence[Span], judged: Callable[[Span], bool]) -> Held | None:
    """The first order of an effect whose condition no step judges. `effects`: where tasks with effects are named; `judged`: says
    whether the words there speak of a check, which is judged before anything is stored."""
    wished, quoted = [(p.start, p.end) for p in parts(text)], quotations(text)
    for start, end in sorted(effects):
        if inside(quoted, start, end):
            continue
        first, last = sentence(text, start, end)
        korean = KOREAN.search(text[start:end]) is not None
        found = _condition_ko(text, first, last, start) if korean else _condition_en(text, first, last, start)
        if found is None or _overlaps(found, wished) or _overlaps(found, quoted):
            continue
        person = BY_PERSON.match(text, found[0])
        if judged(found) and not person and (_CLEAN.search(text, *found) or not _FOUND.search(text, *found)):
            continue
        return Held(found, _ordered(text, found, (start, end), (first, last), korean=korean))
    return None


def _condition_ko(text: str, first: int, last: int, task: int) -> Span | None:
    """The last condition before a task, or the first one behind it."""
    ends = [m.end() for m in _IF_KO.finditer(text, first, last) if not _NO_CONDITION_KO.search(m[0])]
    end = max((at for at in ends if at <= task), default=min(ends, default=None))
    if end is None:
        return None
    begins = [cut.end() for cut in _JOINED_KO.finditer(text, first, end - 1)]
    return (begins[-1] if begins else first), end


def _condition_en(text: str, first: int, last: int, task: int) -> Span | None:
    match = next(
        (m for m in _IF_EN.finditer(text, first, last) if not _NO_CONDITION_EN.match(text, _word(m))), None
    )
    if match is None:
        return None
    over = re.compile(r",\s").search(text, match.end(), last)
    if match.start() < task and (over is None or over.end() > task):
        return match.start(), task
    return match.start(), over.start() if over else last


def _word(match: re.Match[str]) -> int:
    """The place where the word of the condition itself begins."""
    return (
        match.start()
        + len(match[0])
        - len(match[0].lstrip(" ,").removeprefix("but ").removeprefix("and ").removeprefix("only "))
    )


def _ordered(text: str, condition: Span, task: Span, sentence: Span, *, korean: bool) -> Span:
    """The stretch that is not done: in Korean from the topic or the condition to the sentence's end, in English from the order
    or the condition, whichever comes first."""
    if korean:
        return condition[0], sentence[1]
    if task[0] < condition[0]:
        joined = [match.end() for match in JOINED.finditer(text, sentence[0], task[0])]
        return (joined[-1] if joined else sentence[0]), sentence[1]
    return condition[0], sentence[1]


def _overlaps(span: Span, others: Sequence[Span]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def judged_first(
    question: str, whole: Plain, read_part: Callable[[str], Plain], context: AnalysisContext, language: str
) -> Plain:
    """The reading of the whole; without an order whose condition nothing here judges: the rest is done, or the figures are looked
    up on which it depends, and it is said what was not done. Where neither is possible, it is asked."""
    if not EFFECTS & {str(each["intent"]) for each in whole["parsed_intents"]} or whole["small_talk"]:
        return whole
    source = read(question)
    # Clauses that order nothing but a check or storing have their conditions read already.
    source = blanked(source, acts(source.text).read)
    words = find(source, context.domain)
    effects = [
        (w.start, w.end)
        for w in words
        if w.intent in EFFECTS and w.kind == "word" and not unwanted(source.text, w.start, w.end)
    ]
    checks = [(w.start, w.end) for w in words if w.intent == "compliance"]
    held = held_back(source.text, effects, lambda span: _overlaps(span, checks))
    if held is None:
        return whole
    condition, order = source.span(*held.condition), source.span(*held.order)
    if FIELD in context.answered:
        return read_part(_blank(question, condition))
    words_of = {"condition": _said(question, condition), "order": _said(question, order)}
    wanted = CHECK if _overlaps(held.condition, checks) else DATA
    found = _rest(question, condition, order, read_part, wanted) or _decisive(
        question, condition, order, read_part, wanted
    )
    ordered = {w.intent for w in words if w.intent in EFFECTS and _overlaps((w.start, w.end), [held.order])}
    sure = "document" in ordered and (
        "store" not in ordered or not found or not found["semantic_request"].get("dimensions")
    )
    if found and wanted == DATA and sure and _tells(found, words_of["condition"]):
        return _with_figures(whole, found)
    if found is None:
        asked = of_condition(words_of["condition"], language)
        return {**whole, "ambiguities": [asked], "clarification_needed": True}
    return {**found, "raw_query": question, "doubts": [*found["doubts"], _HELD.say(language, **words_of)]}


_ALTERNATIVE = regex(
    r"(?:[;,.]\s*|\s)(?:but\s|and\s)?(?:if\s(?:not|(?:it|they)\s(?:didn't|did not|wasn't|weren't))|otherwise|or else)\b[^.;]*"
    r"|(?:[,.]\s*|(?<=고)\s+)(?:[^.,]{0,30}?[가-힣]면|아닌\s?경우\S{0,2})\s[^.,]*"
    r"|[;,.]\s*(?:but\s|and\s)?if\s[^.;,]{2,60},?\s(?:then\s)?(?:just|only|simply|tell|give|show)\b[^.;]*"
)
_UNLESS = regex(
    r"\bunless (?P<condition>[^.;,]+?),? (?:then )?(?:there(?:'s| is) |i have |we have |you need )?"
    r"(?:no need (?:for|to (?:write|make|draft|prepare)(?: me)?)|no"
    r"|(?:i |we )?(?:don't|do not) (?:need|want|write|make|bother with))"
    r" (?P<paper>(?:a |the |any |an )?(?:\w+ )?report)(?: (?:is )?(?:needed|necessary|required))?\b"
)


_NO_APOSTROPHE = regex(
    r"\b(?:[Dd]on|[Dd]oesn|[Dd]idn|[Ii]sn|[Aa]ren|[Ww]asn|[Ss]houldn|[Nn]eedn|[Hh]aven|[Hh]asn)t\b"
)
"""Negations as they are typed in a hurry: dont."""
_GIVEN = regex(
    r"\b(?:[Ll]et (?:me|us) (?:have|see)|[Ww]ork out|[Ff]igure out)\b(?= (?:the |our |my |total |what |how ))"
)
_TURNED_INTO = regex(
    r"\b(?:[Tt]urn|[Cc]onvert|[Tt]ransform|[Pp]ut|[Cc]ompile|[Gg]ather|[Pp]ack|[Cc]ollect)"
    r" (?!(?:it|that|this|them|those|these|both|all|everything"
    r"|(?:the|those|these) (?:results?|figures?|numbers?|findings|data|answers?))\b)"
    r"([^.;,]{5,80}?) into (an? (?:\w+ )?report)\b"
)
_GONE_THROUGH = regex(
    r"\b[Gg]o(?:ing)? (?:through|over)\b(?= (?:the|our|my|all|last|this)\b"
    r"[^.;?!]*\b(?:rules?|polic|limits?|breach|violat|complian|regulation))"
)
"""A look at all of something, and no end of a period: go through the October expenses."""
_SET_BESIDE = regex(
    r"\b(?:[Pp]ut|[Ss]et|[Pp]lace|[Ll]ay)\b(?= [^.?!;]{3,60} (?:next to|beside|alongside|side by side with|against) )"
)
_FIRST_OF_ALL = regex(
    r"\A\s*[Ff]irst(?:ly)?,? (?=(?:the|our|my|tell|show|give|get|pull|check|look|what|how|write|draft)\b.*"
    r"(?:\bthen\b|\bsecond(?:ly)?\b|\bafter (?:that|which)\b|\bnext\b))"
)
"""The order of what is to be done, and no rank: first the sales in Busan, then …"""
_TWO_WAYS = regex(
    r"면\s.*면\s|아닌\s?경우|\bif\b.*\bif\b|\b(?:otherwise|if not|or else|if it (?:didn't|wasn't))\b"
)


def plainly_said(question: str) -> str:
    """The question with "if …, write a report" in the place of "unless …, no report", which means the same, and of "the figure
    if …, otherwise a report", which is turned round."""
    question = _NO_APOSTROPHE.sub(lambda m: f"{m[0][:-1]}'{m[0][-1]}", question)
    question = _GONE_THROUGH.sub(lambda m: f"{'Check':{len(m[0])}}", question)
    question = _TURNED_INTO.sub(r"write \2 on \1", _GIVEN.sub("give me", question))
    question = _FIRST_OF_ALL.sub(lambda m: " " * len(m[0]), question)
    question = _SET_BESIDE.sub(lambda m: " " * len(m[0]), question)
    if _TWO_WAYS.search(question.lower()):
        from metaagent.documents.conditions import turned

        question = turned(question)
    found = _UNLESS.search(question.lower())
    if found is None or len(question.lower()) != len(question):
        return question
    condition = question[slice(*found.span("condition"))]
    return f"{question[: found.start()]}If {condition}, write a report{question[found.end() :]}"


def without_alternative(question: str) -> str:
    """The question with blanks in the place of an alternative that wants no more than the figure, which is told in any case:
    "write a report if …; if not, the figure will do"."""
    text = question.lower()
    if len(text) != len(question) or not _TWO_WAYS.search(text):
        return question
    from metaagent.documents.conditions import FIGURE, MAKES

    found = next(
        (m for m in _ALTERNATIVE.finditer(text) if FIGURE.search(m[0]) and not MAKES.search(m[0])), None
    )
    if found is None:
        return question
    first = text[: found.start()]
    supposed = _IF_EN.search(first) or _IF_KO.search(first)
    return _blank(question, found.span()) if supposed else question


def _tells(found: Plain, condition: str) -> bool:
    """Say whether the figures tell whether the condition holds: they are set against an amount or another period."""
    # A request without a condition needs nothing of documents.
    from metaagent.documents.conditions import condition_of

    supposed, query = condition_of(condition), found["semantic_request"]
    return supposed is not None and (supposed.amount is not None or bool(query.get("comparison")))


def _with_figures(whole: Plain, found: Plain) -> Plain:
    """The reading of a report with the figures by which it is judged whether it is wanted."""
    resolved = {**found["resolved"], "document_type": whole["resolved"]["document_type"]}
    joined = (
        "parsed_intents",
        "required_capabilities",
        "suggested_agents",
        "explanations",
        "extracted_entities",
    )
    both = {key: [*whole[key], *(each for each in found[key] if each not in whole[key])] for key in joined}
    asked = [
        each for each in whole["ambiguities"] if each.get("field") not in (SUBJECT, "reference", "reading")
    ]
    taken = ("semantic_request", "data_title", "assumptions", "doubts", "unread", "reading")
    return {
        **whole,
        **{key: found[key] for key in taken},
        **both,
        "resolved": resolved,
        "ambiguities": asked,
        "clarification_needed": bool(asked),
    }


FIELD = "condition"
_HELD = Text(
    en="Not done: '{order}'. Nothing here judges the condition '{condition}'. Look at the result, and ask for it by itself if you "
    "want it.",
    ko="하지 못한 일: '{order}'. 조건 '{condition}'은(는) 여기서 판단하지 않습니다. 결과를 보시고 필요하면 그 일만 따로 말씀해 "
    "주세요.",
)


def _said(question: str, span: Span) -> str:
    return question[slice(*span)].strip(" ,;.!?")


def _blank(question: str, span: Span) -> str:
    return question[: span[0]] + " " * (span[1] - span[0]) + question[span[1] :]


def _rest(
    question: str, condition: Span, order: Span, read_part: Callable[[str], Plain], wanted: str
) -> Plain | None:
    """The reading of what is asked for beside the order; of a check, with the words of the condition that ask for it."""
    rests = [_blank(question, order)]
    if wanted == CHECK and condition[1] < order[1]:
        rests = [_blank(question, (condition[1], order[1])), *rests]
    for rest in rests:
        reading = read_part(rest) if _WORD.search(rest) else None
        needed = set(reading["required_capabilities"]) if reading else set[str]()
        clear = reading is not None and not reading["clarification_needed"] and not reading["unread"]
        if needed and (clear or rest == rests[-1]) and not (needed & _MAKING and len(rests) > 1):
            return reading if reading and not reading["clarification_needed"] else None
    return None


_MAKING = frozenset({"document_generation", "storage_decision"})


def _decisive(
    question: str, condition: Span, order: Span, read_part: Callable[[str], Plain], wanted: str
) -> Plain | None:
    """The reading of the figures, or of the check, that the condition is about, or else the order: as many of its words as ask
    for nothing else."""
    if limit := _LIMIT.search(question.lower(), *condition):  # the figure is wanted, and no part of it
        question = _blank(question, limit.span())
    opens = _IF_EN.match(question.lower(), condition[0])
    said = (opens.end() if opens else condition[0]), condition[1]
    sources = [(question, said), (_blank(question, condition), order)]
    if _POINTS.match(question.lower(), said[0]):  # only if they fell: of what, the order says
        sources.reverse()
    doubtful: list[Plain] = []
    for text, (start, end) in sources:
        words = [match.span() for match in _WORD.finditer(text, start, end)]
        for cut in range(min(MOST_CUT, len(words))):
            for first, last in ((cut, len(words)), (0, len(words) - cut)):
                reading = read_part(_alone(text, words[first][0], words[last - 1][1]))
                if _asks_only(wanted, reading):
                    if not reading["unread"] and not reading["doubts"]:
                        return reading
                    doubtful.append(reading)
    # What compares the figures need not be read: nothing is decided by it.
    return {**doubtful[0], "unread": [], "doubts": []} if doubtful else None


_LIMIT = regex(
    r"(?:\b(?:was|were|is|are|came to|reached)\s)?"
    r"\b(?:above|over|exceed\w*|more than|greater than|higher than|below|under|less than|lower than|at least|at most)\s"
    r"(?:krw\s?|₩\s?)?\d[\d,.]*\s?(?:thousand|million|billion)?(?:\s?won)?"
    r"|\d[\d,.]*\s?(?:천만|백만|[천만억조])*\s?원?(?:을|를|이|가|보다)?\s?(?:(?:안|못)\s)?(?:넘|초과|이상|미만|이하|밑|안\s?되|되|미치)\S*"
)
"""An amount that a condition sets the figure against."""
_POINTS = regex(r"(?:they|it|that|this|those|these)\b")


def _alone(text: str, start: int, end: int) -> str:
    return " " * start + text[start:end] + " " * (len(text) - end)


def _asks_only(capability: str, reading: Plain) -> bool:
    named = any(each["type"] == "metric" for each in reading["extracted_entities"])
    named = capability == CHECK or named or DEED.search(reading["raw_query"].lower()) is not None
    return named and not reading["clarification_needed"] and reading["required_capabilities"] == [capability]


def said_of_storing(question: str, reading: Plain, context: AnalysisContext, language: str) -> Plain:
    """The reading; where words for storing are in the question, and nothing will be stored though no clause declines it, with a
    doubt that says so."""
    needed = reading["required_capabilities"]
    if STORE in needed or needed == [SEARCH] or reading["small_talk"] or reading["ambiguities"] or not needed:
        return reading
    source = read(question)
    text, told = source.text, acts(source.text)
    words = [w for w in find(source, context.domain) if w.intent == "store" and w.kind == "word"]
    left = [
        w
        for w in words
        if _overlaps((w.start, w.end), told.unclear)
        or (
            not any(a <= w.start and w.end <= b for a, b in (*told.clauses, *quotations(text)))
            and not unwanted(text, w.start, w.end)
            and not orders_nothing(text, w.start, w.end, [each.start for each in words])
        )
    ]
    if not left or reading["doubts"]:
        return reading
    clause = source.surface(*sentence(text, left[0].start, left[0].end)).strip(" ,;.!?")
    return {**reading, "doubts": [_NOT_STORED.say(language, clause=clause)]}


_NOT_MADE = Text(
    en="'{change}' is nothing that is done here.", ko="'{change}'은(는) 여기서 하지 못하는 일입니다."
)
_AS_IS = Text(en="Shall I store it as it is?", ko="지금 그대로 저장할까요?")
_YES = Text(en="Store it as it is", ko="그대로 저장")
_CHANGES = regex(
    r"\s*(?:(?:please|can you|could you|now|then|and|just|ok(?:ay)?)[\s,]+)*"
    r"(?!(?:i|we|you|they|got|read|saw|seen|like|love|liked|want|is|was|check|thanks?)\b)[a-z]+(?<!ed) "
    r"(?:it|this|that|them|the (?:report|document|title|text|summary|draft))\b"
    r"|.*[가-힣](?:해서|하고|아서|어서|여서|한\s(?:뒤|다음|후)에?)[\s,]*\Z"
)
"""An order to do something with what is there."""


def as_changed(question: str, reading: Plain, context: AnalysisContext, language: str) -> Plain:
    """The reading; where something is to be stored as another part of the request changes it, and nobody read that part, with
    a question."""
    needed = {*reading["required_capabilities"]}
    if STORE not in needed or needed - {STORE, CHECK} or not reading["unread"] or reading["ambiguities"]:
        return reading
    left = beside_acts(read(question))
    if not _CHANGES.match(left.lower()) or FIELD in context.answered:
        return reading
    reason, asked = _NOT_MADE.say(language, change=left.strip(" ,.!")), _AS_IS.say(language)
    entry = of_slot(FIELD, reason, asked, [(_YES.say(language), "anyway")])
    return {**reading, "ambiguities": [entry], "clarification_needed": True}


_NOT_STORED = Text(
    en="Not done: nothing was stored, for I am not sure that '{clause}' asks for it. Say 'store it' if you want it.",
    ko="하지 못한 일: '{clause}'이(가) 저장하라는 말인지 확실하지 않아 저장하지 않았습니다. "
    "저장하려면 '저장해줘'라고 말씀해 주세요.",
)
