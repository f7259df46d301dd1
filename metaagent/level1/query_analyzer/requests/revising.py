"""Requests that change something which is there: "2번 항목을 더 짧게", "다음 약속을 12월 8일로 바꿔줘". Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from metaagent.language.days import days_in
from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.entities import ABOUT_OTHERS, Entity
from metaagent.level1.query_analyzer.intents import FoundIntent, measured
from metaagent.level1.query_analyzer.reading import DATA_INTENTS, Reading
from metaagent.level1.query_analyzer.request import empty
from metaagent.level1.query_analyzer.requests.change_values import new_values
from metaagent.level1.query_analyzer.requests.moods import same_again
from metaagent.level1.query_analyzer.requests.own_reference import TAKES
from metaagent.level1.query_analyzer.requests.writing import without_valued
from metaagent.level1.query_analyzer.words.source import key_of

_CHANGE = regex(
    r"(?:한|두|세|\d)\s?(?:문장|줄)(?:으로|로)|짧게|짧은|길게|줄여|줄이|간결|간단하게|자세히|자세하게|늘려|늘리|올려|올리|낮춰|낮추|앞당|당겨|미뤄|미루|연기|고쳐|고치|수정|바꿔|바꾸|변경|다듬|번역|옮겨|추가|넣어|빼(?=\s?(?:줘|고|주|라|자|면))"
    r"|삭제|지워|지우|제거|교체|보완|반영|정정|덧붙|조정|다시\s?써|존댓말|공손"
    r"|\b(?:shorten|shorter|longer|lengthen|expand|revise|edit|change|rewrite|rephrase|reword|translate|fix|correct|update|add|remove"
    r"|delete|drop|replace|move|postpone|reschedule|instead|append|condense|simplify|polish|proofread|convert|trim|tighten)\b"
    r"|너무\s?(?:길|짧)|\btoo (?:long|short|wordy)\b|\bcut (?:\w+ ){1,3}?(?:down|short)\b"
    r"|\b(?:raise|lower|increase|decrease|reduce|cut|bring)\s.{1,60}\s(?:to|by)\s(?:krw\s|₩)?\d|\bmore\s(?:concise|detailed|formal)\b"
)
_MOVES = regex(
    r"(?:맨|가장|제일)\s?(?:앞|뒤|위|끝|아래)(?:으로|에)|(?:처음|마지막|앞|뒤)(?:으로)\s?(?:옮|보내|빼)"
    r"|\b(?:put|move|place|bring)\b.{1,60}\b(?:first|last|(?:to|at) the (?:top|start|beginning|front|end|bottom|back))\b"
)
"""A part that shall stand elsewhere: put the table first."""
_FILLS = regex(
    r"(?<![서트표])(?:으로|로|라고|다고)\s?(?:한\s?(?:줄|문장)(?:을)?\s?)?(?:더\s?)?(?:적어|써\s?(?:줘|넣)|채워|기입|기재|입력|넣어)"
    r"|['\"’”]\s?(?:으로|로|라고)\s?해|\b(?:fill in|set|put)\s.{1,80}\s(?:to|as|with)\s"
)
"""A value for a part of something: 장소는 서울 코엑스로 채워줘."""
_CORRECTS = regex(
    r"(?:(?:이|가|은|는)\s?(?:아니라|아니고)|(?<=[가-힣\d])\s말고)\s|사실은?\s|잘못\s?(?:적|썼|됐)"
    r"|빠졌|빠뜨렸|누락|깜빡|\b(?:forgot|missed|left out)\b"
    r"|\b(?:actually|in fact|correction|make (?:that|it) (?:₩|krw )?\d"
    r"|call (?:it|this|that)|rename|retitle|title it)\b|\d\s?(?:명|분|원)(?:이|가|을|를|씩)?\s?(?:더\s?)?(?:늘|줄|추가|빠졌)"
    r"|\b(?:take|leave)\b.{1,40}\bout\b|\b(?:earlier|later|without)\b|(?:표|그래프|차트|그림)(?:들)?(?:은|는|을|를|도|만)?\s?(?:없이|빼)"
)
"""Words that correct what was written, without a verb of change: the visit was actually on the 5th, make that 4 people."""
_FORMATS = r"pdf|피디에프|docx|word|워드|hwpx?|한글\s?(?:파일|문서|버전)|아래아\s?한글|xlsx|excel|엑셀|markdown|마크다운|html"
_OTHER_FORMAT = regex(
    rf"(?:{_FORMATS})(?:\s?(?:파일|문서|버전|형식|file|version|document))?\s?(?:으로도|로도|도|으로만|로만|만|으로|로)?\s?(?:하나\s?)?"
    r"(?:같이\s?|함께\s?)?(?:줘|주세요|주라|보내|뽑아|받|필요|부탁|변환|저장해\s?줘)"
    rf"|\b(?:also|same|it|that)\b.{{0,30}}\b(?:as|in|to)\s(?:an?\s)?(?:{_FORMATS})\b"
    rf"|\b(?:as|in)\s(?:an?\s)?(?:{_FORMATS})\b.{{0,20}}\b(?:too|as well|also|please)\b"
    rf"|\b(?:an?|the)\s(?:{_FORMATS})\s(?:version|copy|file)\b"
)
"""The same document once more, as another file: 한글 파일로도 하나 줘, also as Word."""
_STATED_KO = (
    r"(?:은|는|이|가|도)\s?(?!별)\S.{0,200}?(?:야|입니다|이에요|예요|이다|임|이었어요?|였어요?|이었습니다|였습니다|이었음|였음"
    r"|으로요?|로요?|(?:으로|로)\s?(?:해|하자|할게|부탁)[가-힣\s]*"
    r"|(?:으로|로|에)?\s?(?:잡혔|잡았|잡힘|정해졌|정했|정해짐|확정|바뀌었|바뀜|변경됐|변경됨|연기됐|밀렸|당겨졌)[가-힣]*)[.!~]*$"
)
"""Behind the name of a part: 방문일이 11월 6일이야, 다음 방문은 25일 9시로 해줘."""
_STATED_EN = r"\s(?:is|was|were|are|should be|must be|will be|has to be)\s(?:not\s)?\S|\s?[:=]\s?\S"
_ANY_PARTS = frozenset({"제목", "title"})
_FIRST = r"^(?:(?:아니|아|참|그리고|음|어|저기|네|근데)[,\s]+)*"
_BARE_KO = r"(?:(?:은|는)\s\S.{0,60}|\s\S{0,10}\d.{0,40}(?:으로|로|야|요|임|다)?)[.!~]*$"
"""Behind the name of a part that begins a short text: 장소는 본사 대회의실, 인원 90명으로."""
_ONLY_VALUE = regex(
    r"(?:(?:아니|아|참|앗|음)[,\s]+)*[^\s].{0,30}?\d\S{0,4}\s?(?:명|분|원|일|시|개|정)\s?(?:이었어요?|였어요?|이야|야|입니다|이에요|예요|이었습니다|였습니다|임)[.!~]*"
    r"|(?:(?:아니|아|참|앗|음)[,\s]+)*\d\S{0,8}\s?(?:이었어요?|였어요?|이야|야|입니다|이에요|예요|이었습니다|였습니다|임)[.!~]*"
    r"|(?:(?:sorry|no|oops|wait|ah|hmm|well|actually|my mistake|i mean)[,.!\s]+)*(?:it|that|this)"
    r"(?:'s| was| is| should be| should have been| has to be)\s"
    r"(?:.{0,30}?\d.{0,30}|(?:dr|prof|professor|doctor|mr|ms|mrs|nurse|pharmacist|director)\b\.?\s.{2,60})"
)
"""Nothing but a value that is stated: 6명이었어, 11월 4일이었어."""
_SET_EN = r"\b(?:make|set|put)\s(?:the\s)?"
_ASKS = regex(
    r"[?？]|언제|얼마|누구|어디|몇\s|뭐|무엇|무슨|어떤|왜|보여|알려|조회|분석|비교|\b(?:who|what|when|where|why|how|which|show|tell|analy[sz]e|compare)\b"
)
_BY_DIMENSION = regex(r"(?:표|그래프|차트|도표)(?:를|을|도|는|은)?|\b(?:tables?|charts?|graphs?)\b")
"""Parts that show figures, which may be grouped otherwise: 표를 병원별로."""
_QUOTED = regex(r"'[^']{2,500}'|\"[^\"]{2,500}\"|“[^”]{2,500}”|‘[^’]{2,500}’")
_TOLD_BEHIND = regex(
    r"(?:넣어|추가해|덧붙여|적어|써)\s?(?:줘|주세요|주십시오)\s?[:：]\s*(.+)\Z|\b(?:add|append|insert)\s.{0,40}?:\s*(.+)\Z"
)
"""Words for the document behind a colon: 결론도 넣어줘: …"""
_TITLE = regex(r"제목|타이틀|\b(?:title|heading|headline|rename|retitle|call (?:it|this|that|the \w+))\b")
"""Words for a title, which asks for nothing: 제목을 서울 방문 결과로 바꿔줘."""
_PART = regex(
    r"\d{1,3}\s?(?:번|절|장|항)(?:째)?\s?(?:항목|문단|단락|절|장|섹션|문장|줄|제목)?|(?:첫|두|세|네|마지막)\s?(?:번째\s?)?(?:항목|문단|단락|절|섹션|문장)"
    r"|항목|문단|단락|섹션|제목|머리말|꼬리말|서론|결론|본문|각주|목차|요약|개요"
    r"|\b(?:section|paragraph|title|heading|headline|item|bullet|summary|overview|introduction|conclusion|footnote|sentence)s?\b"
)
_IN_KOREAN_WORDS = r"(?:영어|영문|한국어|국문|한글)(?:판|본|\s?버전)?(?:으로|로)"
_LANGUAGE = regex(rf"{_IN_KOREAN_WORDS}|\b(?:in|into|to)\s(?:english|korean)\b")
_ONLY_LANGUAGE = regex(
    r"(?:(?:아까|방금|저)\s)?(?:(?:그|이)?\s?(?:거|것|걸|문서|보고서|신청서|제안서)?(?:을|를|도)?\s?)?"
    + _IN_KOREAN_WORDS
    + r"(?:도)?"
    r"(?:\s?(?:하나|한\s?부|부탁해요|부탁해|부탁|줘|해\s?줘|주세요|해\s?주세요|만들어\s?줘|보여\s?줘|작성해\s?줘|요))*[.!?~]*"
    r"|(?:and\s|now\s|please\s|can i have\s|(?:give|send|show|get)\s(?:it\sto\s)?me\s)*"
    r"(?:the same (?:thing |one |document |report )?|it |that )?"
    r"(?:in|into) (?:english|korean)"
    r"(?:,? please| too| as well)*[.!?]*"
)
"""Nothing but the language: 영어로 부탁해, in English please."""
_INTO_LANGUAGE = regex(
    r"\b(?:turn|put|render|make|rewrite|redo|do|have|get|give)\b.{0,40}\b(?:in|into|to)\s(?:english|korean)\b"
    r"|\b(?:an?|the) (?:english|korean) (?:version|edition|translation|copy)\b"
    rf"|{_IN_KOREAN_WORDS}(?:도|만)?\s?(?:(?:다시|하나|한\s?부)\s?)?(?:바꾸|바꿔|옮기|옮겨|고치|고쳐|만들|작성|써|쓰|해)"
)
"""The same words in another language, whatever else is asked for: turn it into Korean and store it."""
_NEW = regex(
    r"(?:새로운|새로|(?<![가-힣])새)(?!\s?(?:판|버전|본)(?:[을를도은는만]|\s|$))(?=\s|[가-힣])|하나\s?더|또\s?하나|한\s?부\s?더|별도"
    r"|\b(?:new|another|separate)\b(?! (?:version|edition|copy of it))|one more"
)
"""Another document, rather than another version of one."""
_OF_DATA = frozenset(
    {"metric", "dimension", "location", "period", "product", "organisation", "person", "rank", "value"}
)
_MAKES = regex(r"작성|만들|생성|초안|\b(?:write|draft|create|generate|prepare|compose|produce)\b")
_EVERY = regex(r"둘\s?다|셋\s?다|모두|전부|것들|\b(?:both|all of them|them|these|those)\b")


def with_revision(reading: Reading) -> Reading:
    """Read a request to change something as one to whoever made it: the thing is bound, the rest of the turn before is not
    asked for again."""
    if same_again(reading.source.text) and _other_data(reading):
        return reading  # the same for Daegu: another document
    reading = _without_quoted(reading) if _revisable(reading) else reading
    if (newest := _of_other_data(reading)) is not None:
        request = {**reading.resolved, "artifacts": [str(newest["id"])]}
        return replace(reading, request=request, revises=str(newest["id"]))
    meant = _meant(reading)
    intent = _changing_intent(reading, meant)
    if meant is None or intent is None:
        return reading
    text = reading.source.text
    stated = states_part(reading)  # what a part is to hold is no question of data, nor is its name
    of_data = [e for e in reading.entities if e.type in ("metric", "ambiguous_metric", "dimension")]
    dropped = [e for e in of_data if stated or _in_name_of_part(reading, e)]
    reading = replace(reading, entities=tuple(e for e in reading.entities if e not in dropped))
    fills = _FILLS.search(text)
    if fills is not None:  # 다음 방문 일정은 26일로 적어줘: only a figure as the value is one to look up
        said = [e for e in reading.entities if e.type != "metric" or 0 <= fills.start() - e.end <= 1]
        reading = replace(reading, entities=tuple(said))
    reading = without_valued(reading)
    patterns = (_CHANGE, _FILLS, _CORRECTS, _OTHER_FORMAT)
    words = tuple(match[0] for each in patterns for match in each.finditer(text))
    sure = measured(reading.context.domain.calibration, "intent_one_word")
    figures = any(entity.type == "metric" for entity in reading.entities) or regroups(reading)
    if not figures:  # days and amounts are values of the document then, not of data
        said = [e for e in reading.entities if e.type not in ("period", "ambiguous_metric")]
        reading = replace(reading, entities=tuple(said))
    kept = [
        found
        for found in reading.intents
        if (found.name in TAKES and found.rule != "inherited" and not _quoted(reading, found))
        or (figures and found.name in DATA_INTENTS)
    ]
    pointed = [name for name in reading.resolved["artifacts"] if name != meant["id"]]
    types = [entity.normalized for entity in reading.entities if entity.type == "document_type"]
    becomes = types[-1] if len(set(types)) > 1 else None  # 보고서를 제안서로 바꿔줘
    request = {
        **(reading.resolved if figures else {**empty(), "output": reading.resolved["output"]}),
        "artifacts": [*_each_meant(reading, meant), *pointed],
        "document_type": becomes,
    }
    return replace(
        reading,
        intents=(FoundIntent(intent, "one_word", words, sure), *kept),
        request=request,
        revises=str(meant["id"]),
    )


_BOTH = regex(
    r"(?:둘|셋|넷)\s?(?:다|모두)|두\s?(?:개|문서|보고서|건)\s?(?:다|모두)"
    r"|\b(?:both|all (?:two|three|of them)|each of (?:them|the))\b"
)


def _each_meant(reading: Reading, meant: Mapping[str, Any]) -> list[str]:
    """The thing that is to be changed, with those that were made beside it where the words are about all: make both shorter."""
    if not _BOTH.search(reading.source.text):
        return [str(meant["id"])]
    beside = [each for each in _revisable(reading) if _turn_of(each) == _turn_of(meant)]
    return [str(each["id"]) for each in beside]


_INSTEAD = regex(
    r"바꿔|바꾸|변경|대신|말고|걸로|것으로|거로|다시|빼고"
    r"|\b(?:instead|use|switch|change|redo|rather|make (?:it|that)|swap|replace)\b"
)
"""Words by which other figures take the place of those that there are: use September instead."""


def _of_other_data(reading: Reading) -> Mapping[str, Any] | None:
    """The document of the turn before, where the request repeats that turn with another period, place or thing: what is made
    is its next version."""
    named = {intent.name for intent in reading.intents}
    repeats = reading.follows and "document" in named and bool(named & DATA_INTENTS)
    newest = [item for item in reading.context.artifacts if item.get("kind") not in ABOUT_OTHERS][-1:]
    if not repeats or not newest or newest[0] not in _revisable(reading):
        return None
    text = reading.source.text
    asked = _other_data(reading) and _INSTEAD.search(text) is not None and not _NEW.search(text)
    return newest[0] if asked else None


def states_part(reading: Reading) -> bool:
    """Say whether the words give a value to a part by its name: 교수님 이름은 김민서야, the contact was Dr. Bae."""
    text, names = reading.source.raw.lower().strip(), reading.context.parts | _ANY_PARTS
    if not reading.context.parts or _ASKS.search(text):
        return False
    named = "|".join(re.escape(name.lower()) for name in sorted(names, key=len, reverse=True))
    own = rf"(?:{named})(?:\s?(?:이름|성함|날짜|시간|일정))?"
    stated = (
        rf"(?<![가-힣\w]){own}(?:{_STATED_KO}|{_STATED_EN})|{_SET_EN}(?:{named})\s\S|{_FIRST}{own}{_BARE_KO}"
    )
    sentences = re.split(r"(?<=[가-힣])[.!]\s+", text)
    return any(re.search(stated, each) for each in sentences) or _ONLY_VALUE.fullmatch(text) is not None


def _in_name_of_part(reading: Reading, entity: Entity) -> bool:
    """Say whether a word is only a part's name, or the beginning of one: 방문 of 방문일, the quantity that becomes 15,000."""
    text, said = reading.source.text, reading.surface(entity).lower()
    valued = re.search(r"\d", text) is not None
    longer = [
        name.lower()
        for name in reading.context.parts
        if said in name.lower() and (len(name) > len(said) or valued)
    ]
    spans = [
        match.span()
        for name in longer
        for match in re.finditer(r"\s?".join(map(re.escape, name.replace(" ", ""))), text)
    ]
    return any(start <= entity.start and entity.end <= end for start, end in spans)


def regroups(reading: Reading) -> bool:
    """Say whether the figures of a document shall be shown by something else: 표를 병원별로 바꿔줘."""
    return _BY_DIMENSION.search(reading.source.text) is not None and any(
        entity.type == "dimension" for entity in reading.entities
    )


def _without_quoted(reading: Reading) -> Reading:
    """The reading without names and figures in quotation marks: they are words for the document, no questions of data."""
    text = reading.source.text
    spans = [match.span() for match in _QUOTED.finditer(text)]
    spans += [match.span(match.lastindex or 0) for match in (_TOLD_BEHIND.search(text),) if match]
    spans += new_values(text) if _TITLE.search(text) else []
    kept = [e for e in reading.entities if not any(start <= e.start and e.end <= end for start, end in spans)]
    return reading if len(kept) == len(reading.entities) else replace(reading, entities=tuple(kept))


def with_all(reading: Reading) -> Reading:
    """Read "둘 다 저장해줘" as everything of a kind that the turn before made."""
    if not reading.intents or any(intent.name not in TAKES for intent in reading.intents):
        return reading
    things = [item for item in reading.context.artifacts if item.get("kind") not in ABOUT_OTHERS]
    if not things or not _EVERY.search(reading.source.text):
        return reading
    newest = things[-1]
    same = [
        str(item["id"])
        for item in things
        if item.get("kind") == newest.get("kind") and _turn_of(item) == _turn_of(newest)
    ]
    return replace(reading, request={**reading.resolved, "artifacts": same})


def _quoted(reading: Reading, found: FoundIntent) -> bool:
    """Say whether an intent is shown by words in quotation marks alone."""
    if any(act.intent == found.name for act in reading.acts):
        return False
    outside = key_of(_QUOTED.sub(" ", reading.source.text).lower())
    return not any(key_of(word.lower()) in outside for word in found.words)


def _turn_of(item: Mapping[str, Any]) -> str:
    return str(item.get("made_by", "")).partition("/")[0]


def _meant(reading: Reading) -> Mapping[str, Any] | None:
    """The artifact that the question wants to be changed; None where it wants something else."""
    text = reading.source.text
    known = _revisable(reading)
    fills = _FILLS.search(text) is not None
    only_language = _ONLY_LANGUAGE.fullmatch(text.strip()) is not None
    corrects = _CORRECTS.search(text) is not None
    stated = states_part(reading)
    turns = _OTHER_FORMAT.search(text) is not None and not _other_data(reading)
    goes_on = _goes_on(reading)
    moves = _MOVES.search(text) is not None
    changes = (
        _INTO_LANGUAGE.search(text)
        or moves
        or fills
        or only_language
        or corrects
        or turns
        or stated
        or goes_on
        or _CHANGE.search(text)
    )
    if not known or not changes or _NEW.search(text):
        return None
    referred = {entity.normalized for entity in reading.entities if entity.type == "reference"}
    pointed = [item for item in known if item["id"] in referred]
    if pointed:
        return pointed[-1]
    part = _PART.search(text) is not None
    named = [entity for entity in reading.entities if entity.type == "document_type"]
    if named and (part or fills or not _MAKES.search(text)):
        return _called(reading, named[0], known)
    newest = [item for item in reading.context.artifacts if item.get("kind") not in ABOUT_OTHERS][-1:]
    clear = part or moves or fills or corrects or stated or goes_on or regroups(reading)
    clear = clear or _LANGUAGE.search(text) or not _other_data(reading)
    return newest[0] if newest and newest[0] in known and clear and not named else None


def _goes_on(reading: Reading) -> bool:
    """Say whether the words only tell more, where nothing but a document was asked for before: I met Dr. Um there."""
    if _ASKS.search(reading.source.text):
        return False
    if reading.intents and not _tells_deed(reading):
        return all(each.name == "document" and each.rule == "inherited" for each in reading.intents)
    before = {str(each["intent"]) for each in (reading.context.previous or {}).get("parsed_intents") or ()}
    return before == {"document"} and _tells_part(reading)


_TITLED = regex(r"(?:dr|prof|professor|doctor|mr|ms|mrs)\.?\s[a-z'-]+(?:\s[a-z'-]+){0,2}[.!]*")
"""Nothing but a person: Dr. Olivia Tan."""
_STATES = regex(
    r"[가-힣](?:어요?|습니다|음|고요|네요|거든요)[.!~]*$(?<!싶어)(?<!싶어요)(?<!싶습니다)|^(?:and\s)?(?:i|we|he|she|they)\s(?:also\s)?"
    r"(?:met|saw|spoke|talked|gave|left|discussed|asked|promised|went|visited|explained|showed|brought|agreed|wanted|will|had)\b"
)
"""A sentence that tells what was: 빈지후 부원장님 만났어요, she asked about the price."""
_DEED = regex(
    r"^(?:and\s|also\s)?(?:i|we|he|she|they)\s(?:also\s|then\s)?(?:met|saw|spoke|talked|gave|left|discussed|asked|promised|went|visited"
    r"|explained|showed|brought|agreed|wanted|reviewed|covered|compared|told|said|mentioned|liked|took)\b"
)
"""The begin of a sentence that tells what somebody did, whatever its words could ask for elsewhere."""


def _tells_deed(reading: Reading) -> bool:
    """Say whether a statement only has words that would ask for a search or a check otherwise: we went through the policy."""
    figures = any(entity.type in ("metric", "ambiguous_metric") for entity in reading.entities)
    return not figures and _DEED.search(reading.source.text.strip()) is not None


_TELLS = regex(r"(?:이요|입니다|이에요|예요|이야|님)[.!~]*$")


def _tells_part(reading: Reading) -> bool:
    """Say whether a short text names a part of the document, or is only a value: 연자 정해졌어요, …; 로텐시아정이요."""
    text = reading.source.raw.lower().strip()
    named = any(
        re.search(rf"(?<![가-힣\w]){re.escape(name.lower())}(?![a-z])", text)
        for name in reading.context.parts
    )
    told = _TITLED.fullmatch(text) or _STATES.search(text)
    if told is not None and not any(entity.type == "metric" for entity in reading.entities):
        return True
    short = len(text.split()) <= MOST_WORDS
    day = short and bool(days_in(text, reading.context.today, ahead=True))
    return named or day or (short and _TELLS.search(text) is not None)


MOST_WORDS = 4
"""Words of a text that is nothing but a value."""


def _other_data(reading: Reading) -> bool:
    """Say whether the words may ask for other data, not for another value: 부산으로 바꿔줘 after sales in Seoul."""
    before = {str(each["intent"]) for each in (reading.context.previous or {}).get("parsed_intents") or ()}
    return bool(before & DATA_INTENTS) and any(
        entity.type in _OF_DATA and not (entity.type == "period" and entity.extra.get("unit") == "day")
        for entity in reading.entities
    )


def _revisable(reading: Reading) -> list[Mapping[str, Any]]:
    kinds = {kind for each in reading.context.capabilities for kind in each.get("revises") or ()}
    return [item for item in reading.context.artifacts if item.get("kind") in kinds]


def _called(reading: Reading, named: Entity, known: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The newest of these that is called as the question says; else the newest of all."""
    kind = reading.context.domain.document_types.get(str(named.normalized))
    words = [reading.surface(named), *((kind.title.ko, kind.title.en) if kind else ())]
    keys = [key_of(word.lower()) for word in words]
    fitting = [item for item in known if any(key in _label(item) for key in keys)]
    return (fitting or list(known))[-1]


def _label(item: Mapping[str, Any]) -> str:
    return key_of(f"{item.get('summary', '')} {item.get('name', '')}".lower())


def _changing_intent(reading: Reading, meant: Mapping[str, Any] | None) -> str | None:
    """The intent that asks for the agent which makes such a thing anew."""
    kind = meant.get("kind") if meant is not None else None
    able = [each["name"] for each in reading.context.capabilities if kind in (each.get("revises") or ())]
    served = (each.name for each in reading.context.domain.intents if set(able) & set(each.capabilities))
    return next(served, None)
