"""Objects of verbs, without the words that say where, when and with whom. Pure."""

from __future__ import annotations

import re

from metaagent.level2.document.clauses import Range

LONGEST = 80
"""Characters of a value that is read from a sentence."""
REQUEST = re.compile(
    r"작성|만들|써\s?줘|적어|채워|바꿔\s?(?:줘|주|달|라|놔)|(?:보고서|신청서|제안서|결의서|요청서|정산서)(?:$|[로를으]|\s?(?:좀|부탁|해|올려|정리))"
    r"|\b(?:write|draft|make|fill in|prepare)\b.*\b(?:report|request|proposal|claim|it|this|that)\b"
    r"|\b(?:visit|seminar|expense|analysis|compliance|call)\s(?:report|request|claim)\b|\bproposal\b",
    re.IGNORECASE,
)
"""A document and the wish to have it."""
_VERB = re.compile(r"(?:[가-힣]해|하여|[가-힣]려|알려|들려|보여)$")
"""The end of a verb before one that only makes it polite: 소개해 드렸습니다."""
_OBJECT = re.compile(
    r"(?:을|를|(?<![온용정강빈속각밀농습지제태시의경편증응족이호])도|만|은|는|에\s?대해서?|에\s?관해서?|에\s?대하여|에\s?관하여)?\s*$"
)
_TO_WHOM = re.compile(r"(?:에게|한테|께|[팀측부과실]에|\S{2,}에)$")
"""The end of words that say to whom, not what: 제조팀에 전달."""
_HOPED = re.compile(r"기대(?:됩|돼|된|되)")
"""A verb whose subject is what is told: 재고 감소가 기대됩니다."""
_ABOUT = re.compile(
    r"^(?:(?:me|us)\s(?:about|for)|me|us|about|on|for|of)\s+|^(?:the|a|an|some|our|my|his|her)\s+",
    re.IGNORECASE,
)
_WITH_WHOM = re.compile(
    r"^.*(?:에서|께서|께|님과|님이랑|님하고|님에게|님한테|(?:교수|원장|과장|부장|박사|약사|선생|실장|간호사|직원|선생님)(?:[와과님이가은는]|에게|한테)?"
    r"|님이|님은|님들?께|병원의|의원의|(?:\d|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열)\s?(?:명|분)(?:과|이랑|하고|께|에게|한테)|\d일에?|오늘|어제|그제|으로는|로는)\s(?=\S)"
)
"""Up to the person or the place of a sentence; 임산부에게 in what somebody asked about belongs to the matter."""
_STOP = re.compile(
    r"[;\n()|]|\s/\s|,(?!\d)|(?<!Dr)(?<!Prof)(?<!Mr)(?<!Ms)\.(?=\s|$)|\sand\s(?=(?:(?:I|we|he|she|they|it|you|will|then|also|asked|told|promised|agreed|said|met|saw|left|gave|took|got|went|is|was|had|has)\b|[a-z]+ed\s))|\s?그리고\s"
    r"|\swith\s(?=(?:Dr|Prof|Mr|Ms|Doctor|Professor)\b|(?:the|our|two|three|four|five|all)\s(?:doctor|staff|team|nurse|people)|him\b|her\b|them\b)"
    r"|\s(?:at|for)\s(?=(?:KRW|₩)?\s?\d[\d,.]*\s?(?:won|KRW|₩))|\s(?:to|for|at)\s(?=(?:[A-Z][\w'-]*\s){1,4}(?:Clinic|Hospital|Medical|Pharmacy|Center|Centre)\b)"
    r"|\s(?:to|for)\s(?=(?:Dr|Prof|Mr|Ms|Doctor|Professor)\b|the (?:doctor|staff|team)|him\b|her\b|them\b)"
)


def object_before(text: str, end: int) -> tuple[str, Range] | None:
    """The words before a Korean verb that are its object."""
    start = 0
    if whom := _WITH_WHOM.match(text[:end]):
        start = whom.end()
    value = _OBJECT.sub("", text[start:end])
    if _HOPED.match(text, end):
        value = re.sub(r"[이가]\s*$", "", value)
    stripped = value.strip()
    at = start + len(value) - len(value.lstrip())
    told = 1 < len(stripped) <= LONGEST and _VERB.search(stripped) is None and not _TO_WHOM.search(stripped)
    return (stripped, (at, at + len(stripped))) if told else None


def object_behind(text: str, start: int) -> tuple[str, Range] | None:
    """The words behind an English verb that are its object."""
    value = _STOP.split(text[start : start + LONGEST])[0].strip()
    for _ in range(2):
        value = _ABOUT.sub("", value)
    value = value.strip(" '\"“”‘’.?!:")
    at = text.find(value, start) if value else -1
    return (value, (at, at + len(value))) if at >= 0 else None
