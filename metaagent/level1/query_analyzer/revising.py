"""Requests that change something which is there: "2번 항목을 더 짧게", "다음 약속을 12월 8일로 바꿔줘". Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from metaagent.level1.query_analyzer.entities import ABOUT_OTHERS, Entity
from metaagent.level1.query_analyzer.intents import FoundIntent, measured
from metaagent.level1.query_analyzer.own_reference import TAKES
from metaagent.level1.query_analyzer.reading import DATA_INTENTS, Reading
from metaagent.level1.query_analyzer.request import empty
from metaagent.level1.query_analyzer.source import key_of
from metaagent.level1.query_analyzer.writing import without_valued

_CHANGE = re.compile(
    r"짧게|짧은|길게|줄여|줄이|간결|간단하게|자세히|자세하게|늘려|늘리|올려|올리|낮춰|낮추|앞당|당겨|미뤄|미루|연기|고쳐|고치|수정|바꿔|바꾸|변경|다듬|번역|옮겨|추가|넣어|빼(?=\s?(?:줘|고|주|라|자|면))"
    r"|삭제|지워|지우|제거|교체|보완|반영|정정|덧붙|조정|다시\s?써|존댓말|공손"
    r"|\b(?:shorten|shorter|longer|lengthen|expand|revise|edit|change|rewrite|rephrase|reword|translate|fix|correct|update|add|remove"
    r"|delete|drop|replace|move|postpone|reschedule|instead|append|condense|simplify|polish|proofread|convert)\b|\bmore\s(?:concise|detailed|formal)\b"
)
_FILLS = re.compile(
    r"(?<![서트표])(?:으로|로|라고)\s?(?:적어|써\s?(?:줘|넣)|채워|기입|기재|입력|넣어)"
    r"|\b(?:fill in|set|put)\s.{1,80}\s(?:to|as|with)\s"
)
"""A value for a part of something: 장소는 서울 코엑스로 채워줘."""
_PART = re.compile(
    r"\d{1,3}\s?(?:번|절|장|항)(?:째)?\s?(?:항목|문단|단락|절|장|섹션|문장|줄|제목)?|(?:첫|두|세|네|마지막)\s?(?:번째\s?)?(?:항목|문단|단락|절|섹션|문장)"
    r"|항목|문단|단락|섹션|제목|머리말|꼬리말|서론|결론|본문|각주|목차|요약|개요"
    r"|\b(?:section|paragraph|title|heading|headline|item|bullet|summary|overview|introduction|conclusion|footnote|sentence)s?\b"
)
_LANGUAGE = re.compile(r"(?:영어|영문|한국어|국문|한글)(?:으로|로)|\b(?:in|into|to)\s(?:english|korean)\b")
_ONLY_LANGUAGE = re.compile(
    r"(?:(?:그|이)?\s?(?:거|것|걸|문서|보고서|신청서|제안서)?(?:을|를|도)?\s?)?(?:영어|영문|한국어|국문|한글)(?:으로|로)(?:도)?"
    r"(?:\s?(?:부탁해요|부탁해|부탁|줘|해\s?줘|주세요|해\s?주세요|만들어\s?줘|보여\s?줘|작성해\s?줘|요))*[.!?~]*"
    r"|(?:and\s|now\s|please\s)*(?:the same |it |that |give it to me )?(?:in|into) (?:english|korean)"
    r"(?:,? please| too| as well)*[.!?]*"
)
"""Nothing but the language: 영어로 부탁해, in English please."""
_NEW = re.compile(
    r"새로운|새로|(?<![가-힣])새\s|하나\s?더|또\s?하나|한\s?부\s?더|별도|\b(?:new|another|separate)\b|one more"
)
_OF_DATA = frozenset(
    {"metric", "dimension", "location", "period", "product", "organisation", "person", "rank", "value"}
)
_MAKES = re.compile(r"작성|만들|생성|초안|\b(?:write|draft|create|generate|prepare|compose|produce)\b")
_EVERY = re.compile(r"둘\s?다|셋\s?다|모두|전부|것들|\b(?:both|all of them|them|these|those)\b")


def with_revision(reading: Reading) -> Reading:
    """Read a request to change something as one to whoever made it: the thing is bound, the rest of the turn before is not
    asked for again."""
    meant = _meant(reading)
    intent = _changing_intent(reading, meant)
    if meant is None or intent is None:
        return reading
    text = reading.source.text
    fills = _FILLS.search(text)
    if fills is not None:  # 다음 방문 일정은 26일로 적어줘: only a figure as the value is one to look up
        said = [e for e in reading.entities if e.type != "metric" or 0 <= fills.start() - e.end <= 1]
        reading = replace(reading, entities=tuple(said))
    reading = without_valued(reading)
    words = tuple(match[0] for each in (_CHANGE, _FILLS) for match in each.finditer(text))
    sure = measured(reading.context.domain.calibration, "intent_one_word")
    figures = any(entity.type == "metric" for entity in reading.entities)
    if not figures:  # days and amounts are values of the document then, not of data
        said = [e for e in reading.entities if e.type not in ("period", "ambiguous_metric")]
        reading = replace(reading, entities=tuple(said))
    kept = [
        found
        for found in reading.intents
        if (found.name in TAKES and found.rule != "inherited") or (figures and found.name in DATA_INTENTS)
    ]
    pointed = [name for name in reading.resolved["artifacts"] if name != meant["id"]]
    types = [entity.normalized for entity in reading.entities if entity.type == "document_type"]
    becomes = types[-1] if len(set(types)) > 1 else None  # 보고서를 제안서로 바꿔줘
    request = {
        **(reading.resolved if figures else {**empty(), "output": reading.resolved["output"]}),
        "artifacts": [str(meant["id"]), *pointed],
        "document_type": becomes,
    }
    return replace(
        reading,
        intents=(FoundIntent(intent, "one_word", words, sure), *kept),
        request=request,
        revises=str(meant["id"]),
    )


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


def _turn_of(item: Mapping[str, Any]) -> str:
    return str(item.get("made_by", "")).partition("/")[0]


def _meant(reading: Reading) -> Mapping[str, Any] | None:
    """The artifact that the question wants to be changed; None where it wants something else."""
    text = reading.source.text
    known = _revisable(reading)
    fills = _FILLS.search(text) is not None
    only_language = _ONLY_LANGUAGE.fullmatch(text.strip()) is not None
    if not known or not (fills or only_language or _CHANGE.search(text)) or _NEW.search(text):
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
    clear = part or fills or _LANGUAGE.search(text) or not _other_data(reading)
    return newest[0] if newest and newest[0] in known and clear and not named else None


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
