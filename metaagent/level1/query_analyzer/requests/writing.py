"""Requests for documents: the facts that they state are no questions of data, and each of several documents has its own part of
the sentence. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from metaagent.language.patterns import regex
from metaagent.language.slides import asks_for_slides
from metaagent.level1.query_analyzer.ambiguity import SUBJECT
from metaagent.level1.query_analyzer.completing import implied_metric
from metaagent.level1.query_analyzer.domain import DocumentType, Domain
from metaagent.level1.query_analyzer.entities import Entity, of_meanings
from metaagent.level1.query_analyzer.evidence import Evidence
from metaagent.level1.query_analyzer.intents import FoundIntent, measured
from metaagent.level1.query_analyzer.reading import DATA_INTENTS, Plain, Reading
from metaagent.level1.query_analyzer.words.source import Source, key_of
from metaagent.values import mapping

_BRACKETS = r"(?:\s?\([^()]{0,300}\))?"
_JOINED = regex(
    rf"{_BRACKETS}\s?(?:이?랑|와|과|하고|및|도|그리고|,|\b(?:and|plus|as well as)\b|&)"
    r"|\s?(?:하나|한\s?(?:부|건|장))\s?(?:이?랑|와|하고|,|그리고|도)"
    r"|.*(?:,|\b(?:and|plus|as well as|along with)\b)\s?(?:also\s|then\s)?"
    r"(?:(?:write|draft|make|create|prepare)\s)?(?:an?|the|one)?\s*\Z",
    re.DOTALL,
)
_FILE = (
    r"(?:\s?(?:pdf|피디에프|docx|워드|엑셀|xlsx|excel|hwpx?|한글|아래아\s?한글|마크다운|markdown|html)"
    r"(?:\s?(?:파일|문서|버전))?)?"
)
_AS_DOCUMENT = regex(
    rf"{_FILE}\s?(?:으로|로)\s*(?:$|[.!?~,]|(?:좀\s)?(?:줘|주|부탁|해\s?(?:줘|주)|받|보내|뽑|남겨|내\s?줘|정리|제출))"
    rf"|(?:도|까지)(?:\s?(?:하나|한\s?부))?(?:(?:요|용)?\s*(?:$|[.!~,])|\s?(?:좀\s)?(?:부탁|줘|주세요|주십))"
    r"|\s?(?:좀\s)?(?:올려|제출|결재|줘|주세요|부탁)"
    r"|\s?(?:초안|하나|한\s?부)?\s?(?:[.:!~]|\n|$|,\s)|\s(?:please|pls|plz|needed|format)\b"
)
"""The words behind the name of a document that is to be made: …순위를 보고서로."""
_QUESTION = regex(
    r"[?？]\s*$|(?:언제|얼마|누구|어디|무엇|뭐|며칠|있나요|인가요|되나요|있어|돼|될까)[가-힣]{0,3}\s*$"
)
"""The end of a question, which is about documents and asks for none."""
_POLITE = regex(
    r"\b(?:could|can|would|will) (?:you|i have|i get)\b[^.!?\n]*\?\s*$|(?:줄래|주실래|주시겠|줄\s?수|주실\s?수)[가-힣\s]*[?？]\s*$"
)
"""A request in the form of a question: could you write up the visit report?"""
_GIVE_ME = regex(
    r"\b(?:do|draw up|drawn up|get|compile|whip up|run up|turn out|issue|hand)\s"
    r"(?:(?:me|us)\s)?(?:an?|another|one)\s(?:\S{1,20}\s){0,2}\Z"
    r"|\b(?:give|send|get|show)\sme\s(?:(?:an?|the|my)\s)?(?:\S{1,20}\s)?\Z"
    r"|\b(?:wants?|needs?|like|asked for|asks for|requires?)\s(?:an?\s|the\s|my\s)(?:\S{1,20}\s)?\Z"
    r"|\b(?:can|could|may|would)\s(?:i|we)\s(?:please\s)?(?:get|have)\s(?:(?:an?|the|my)\s)?(?:\S{1,20}\s)?\Z"
    r"|\b(?:in|into|as|for)\s(?:an?|one|my)\s(?:\S{1,20}\s)?\Z|(?:^|[,.:;]\s)(?:an?|one)\s(?:\S{1,20}\s)?\Z"
)
"""The words before one: give me a compliance report, put it in a report."""
_NTH = regex(
    r"(?:^|[.;:!?,\n]\s*|\band\s)(?:(?:and\s)?(?:the\s)?(?:(?:first|second|third|other)(?:\sone|\sdocument)?|firstly|secondly|thirdly|then)"
    r"|(?:첫|두|세)\s?번째(?:로|로는|는)?|첫째|둘째|셋째|(?:다른\s|또\s)?하나는|나머지(?:\s하나)?는|[1-4][.)])"
    r"(?:\s(?:is|should be))?[,:]?\s(?:(?:write|draft|make|create|prepare|do)\s)?(?:me\s)?(?:an?\s|the\s|one\s|my\s)?\Z"
)
"""The number of a document before its name: second, a seminar request; 둘째, 세미나 신청서."""
_ALL = regex(r"둘\s?다|셋\s?다|각각|모두|\b(?:both|each)\b")
_KOREAN = regex(r"[가-힣]")
_AFTER = regex(rf"{_BRACKETS}\s?(?:이?랑|와|과|하고|및|도)?[\s,]*")
_ARTICLE = regex(r"(?:\b(?:an?|the|one|my)\s)?\Z")
_FACTS = frozenset({"money", "quantity", "organisation", "person", "product"})
_GUESSED = frozenset({"name_typo", "name_sound"})
_STATES = regex(
    r"(?:일|일자|\s?날짜|\s?date)?\s*(?:은|는|이|가|을|를|도|:|of|is|to|at)?\s*"
    r"(?:약|총|대략|최대|마이너스|-|about|around|up to|minus)?\s*"
)
_OF_VALUE = regex(r"\s(?:of |as (?:the |a )?|in )?")
"""Between an amount and the figure that it is: 8.5m won budget."""
_COUNTED = regex(r"\s?(?:수|횟수|건수|률|율)(?![가-힣])")
_ADDRESSED = regex(
    r"\s?(?:에게|에|께|한테|앞으로|앞|용)\s(?!있는|대한|관한|대해|관해)|(?:을|를)\s위한\s|\s?(?:으로|로)\s(?:보낼|보내는|제출)"
)
_TO_EN = regex(r"\b(?:to|for|at)\s(?:the\s)?\Z")


@dataclass(frozen=True)
class Part:
    """A document that is asked for, and the stretch of the question that is about it."""

    document_type: str
    start: int
    end: int
    more: tuple[tuple[int, int], ...] = ()
    """Later stretches that are about the same thing: 방문은 …, 세미나는 …"""

    def holds(self, entity: Entity) -> bool:
        return any(start < entity.end <= end for start, end in ((self.start, self.end), *self.more))


def asked_for(reading: Reading) -> list[Part]:
    """The documents that are asked for side by side; fewer than two where one question is about one."""
    named = [entity for entity in reading.entities if entity.type == "document_type" and entity.normalized]
    text = reading.source.text
    together = _ALL.search(text) is not None
    kept: list[Entity] = []
    for entity in named:
        between = text[kept[-1].end : entity.start] if kept else ""
        joined = _JOINED.match(between) is not None or _NTH.search(text[: entity.start]) is not None
        joined = not kept or (joined and not _names_figure(reading, kept[-1], entity))
        if (together or joined) and entity.normalized not in {each.normalized for each in kept}:
            kept.append(entity)
    if len(kept) > 1 and _side_by_side(text, kept):  # what is told beside both names is about both
        shared = [Part(str(one.normalized), 0, len(text)) for one in kept]
        return _with_own_clauses(reading, shared, kept[-1].end)
    ends = [_end(text, entity) for entity in kept]
    if kept and not _KOREAN.search(text[kept[0].start : kept[0].end]):  # English names the document first
        ends = [len(_ARTICLE.sub("", text[: entity.start])) for entity in kept[1:]] + [0]
    numbered = [_NTH.search(text[: entity.start]) for entity in kept]
    if len(kept) > 1 and all(numbered[1:]):  # each is told behind its number
        ends = [found.start() for found in numbered[1:] if found] + [0]
    ends[-1:] = [len(text)] if ends else []
    starts = [0, *ends]
    found = [
        Part(str(one.normalized), start, end) for one, start, end in zip(kept, starts, ends, strict=False)
    ]
    return _with_own_clauses(reading, found, kept[-1].end) if len(found) > 1 else found


_ONLY_JOINED = regex(
    r"\s?(?:하나|한\s?(?:부|건|장))?\s?(?:이?랑|와|과|하고|및|도|그리고|,|&|\b(?:and|plus|as well as)\b)"
    r"\s?(?:그리고\s|also\s)?(?:an?\s|the\s|one\s|my\s)?"
)


def _side_by_side(text: str, named: Sequence[Entity]) -> bool:
    """Say whether nothing but a word that joins them stands between the names of documents, and something is told beside them."""
    return all(_ONLY_JOINED.fullmatch(text[first.end : second.start]) for first, second in pairwise(named))


def wanted_as(source: Source, entities: Sequence[Entity], domain: Domain) -> list[Evidence]:
    """Evidence for the intent that makes documents, where one is named as what all the rest is to become."""
    text = source.text
    found = [
        entity
        for entity in entities
        if entity.type == "document_type"
        and (
            _AS_DOCUMENT.match(text, entity.end)
            or _GIVE_ME.search(text[: entity.start])
            or text.startswith("write", entity.start)
            or _begins_form(source, entity)
            or _is_filled(text, entity, entities, domain)
        )
        and (not _QUESTION.search(text) or _POLITE.search(text))
    ]
    names = [intent.name for intent in domain.intents if "document_type" in intent.implied_by]
    return [Evidence(name, e.end, e.end + 1, text[e.start : e.end], "word") for e in found for name in names]


_LOOKED_INTO = regex(
    r"(?:들|함)?\s?(?:에서|에는|에\s|의\s|중|가운데|[을를]?\s?(?:찾|보여|검색|조회|열어|삭제|저장|알려|몇|보내(?!려|야|고\s?싶)|공유|확인|수정|고쳐|바꿔))|s?\s(?:of|from|that|which|about)\s"
)
"""Behind the name of a document that is there already."""
_FOR = regex(r"\s(?:for|to)\s|\s?:")
"""Behind the name of a document that begins a request: proposal for Elm Street Clinic."""
_LEAST_FACTS = 2


def _is_filled(text: str, entity: Entity, entities: Sequence[Entity], domain: Domain) -> bool:
    """Say whether a form is named beside facts that fill it, whatever words ask for it: 방문 보고서 / 11월 9일 한결의원 …"""
    kind = domain.document_types.get(str(entity.normalized))
    if kind is None or kind.only_results or _LOOKED_INTO.match(text, entity.end):
        return False
    if not text[: entity.start].strip() and _FOR.match(text, entity.end):
        return True
    facts = {e.type for e in entities if e.type in _FACTS or _is_day(e)}
    return len(facts) >= _LEAST_FACTS


_HANDED = regex(
    r"(?:을|를|은|는|도)?\s?(?:\S{1,8}\s){0,2}?(?:보내|송부|전달|챙겨|드리|드려|준비|받아|제공|공유|메일|건네)"
)
_HANDS = regex(
    r"\b(?:send|sent|bring|email|mail|owe|share|forward|provide|drop off|leave|left|gave|give|hand|promised)\b[^.;\n]{0,40}\Z"
)
"""Verbs of a thing that passes from hand to hand, behind a Korean name and before an English one."""


def without_mentioned(reading: Reading) -> Reading:
    """Read a summary or report that is only spoken of in what a form is to tell as a thing, not as one more document: 요약본을
    보내기로 했습니다. 방문 보고서 써줘; and the last word of a form's own name as a part of it."""
    types, text = reading.context.domain.document_types, reading.source.text
    named = [entity for entity in reading.entities if entity.type == "document_type"]
    plain = [e for e in named if (kind := types.get(str(e.normalized))) is not None and kind.only_results]
    forms = [e for e in named if e not in plain]

    def mentioned(entity: Entity) -> bool:
        handed = _HANDED.match(text, entity.end) or _HANDS.search(text[: entity.start])
        return handed is not None or any(
            not text[form.end : entity.start].strip() for form in forms if form.end <= entity.start
        )

    same = len(forms) == 1 and not _ALL.search(text) and not _of_figures(reading, forms[0])
    gone = (
        [e for e in plain if mentioned(e) or (same and not _stand_joined(text, e, forms[0]))] if forms else []
    )
    return replace(reading, entities=tuple(e for e in reading.entities if e not in gone))


def _of_figures(reading: Reading, form: Entity) -> bool:
    """Say whether figures are asked for beside a form; the thing in its name is none: Friday's visit."""
    kind = reading.context.domain.document_types.get(str(form.normalized))
    own = {part for word in (kind.words if kind else ()) for part in word.lower().split()}
    figures = ("metric", "ambiguous_metric", "dimension")
    return any(e.type in figures and reading.surface(e).lower().strip() not in own for e in reading.entities)


def _stand_joined(text: str, one: Entity, other: Entity) -> bool:
    """Say whether two names stand side by side with a word that joins them."""
    first, second = sorted((one, other), key=lambda entity: entity.start)
    return _JOINED.match(text[first.end : second.start]) is not None


def with_slides(source: Source, entities: Sequence[Entity], domain: Domain) -> tuple[Entity, ...]:
    """Read slides that shall be made as a report on results: nobody makes slides, and the document says so."""
    named = any(entity.type == "document_type" for entity in entities)
    kinds = [kind.name for kind in domain.document_types.values() if kind.only_results and not kind.made_of]
    if named or not kinds or not asks_for_slides(source.text):
        return tuple(entities)
    return tuple(
        replace(entity, type="document_type", normalized=kinds[0])
        if entity.type == "output_form" and entity.normalized == "slides"
        else entity
        for entity in entities
    )


def _begins_form(source: Source, entity: Entity) -> bool:
    """Say whether the name of a document is a line of its own: what follows are its fields."""
    start, end = source.span(entity.start, entity.end)
    before, behind = source.raw[:start].rpartition("\n")[2], source.raw[end:].partition("\n")
    return not before.strip() and not behind[0].strip(" :-") and bool(behind[2].strip())


def _with_own_clauses(reading: Reading, found: list[Part], last: int) -> list[Part]:
    """The parts with the clauses behind all names that begin with the thing one of them is about."""
    text = reading.source.text
    marks: list[tuple[int, str]] = []
    for part in found:
        kind = reading.context.domain.document_types.get(part.document_type)
        heads = {word.lower().split()[0] for word in (kind.words if kind else ()) if " " in word}
        any_head = "|".join(map(re.escape, sorted(heads, key=len, reverse=True)))
        clause = rf"(?<![가-힣\w])(?:the\s)?(?:{any_head})(?:은|는|이|\s(?:was|is|will|took)\b|\s?:)"
        marks += [(match.start(), part.document_type) for match in re.finditer(clause, text[last:])]
    marks = sorted((last + at, name) for at, name in marks)
    if not marks:
        return found
    ends = [*(at for at, _ in marks[1:]), len(text)]
    clauses = [(name, (at, end)) for (at, name), end in zip(marks, ends, strict=True)]
    return [
        replace(
            part,
            end=min(part.end, marks[0][0]),
            more=tuple(span for name, span in clauses if name == part.document_type),
        )
        for part in found
    ]


def _names_figure(reading: Reading, first: Entity, second: Entity) -> bool:
    """방문 보고서와 매출을 비교해서 분석 보고서: the first is a source of the second."""
    return any(e.type == "metric" and first.end <= e.start < second.start for e in reading.entities)


def _end(text: str, entity: Entity) -> int:
    found = _AFTER.match(text, entity.end)
    return found.end() if found else entity.end


def named_by_its_kind(reading: Reading) -> Reading:
    """Read the last word of a document's name as the name where the whole one stands nowhere: 신청서 after a seminar was told
    of. A word that ends the names of several types counts with the thing that the text names."""
    if any(entity.type == "document_type" for entity in reading.entities):
        return reading
    text = reading.source.text
    heads: dict[str, dict[str, set[str]]] = {}
    for kind in reading.context.domain.document_types.values():
        for word in kind.words:
            thing, _, head = word.lower().rpartition(" ")
            if thing and _KOREAN.search(head):
                heads.setdefault(head, {}).setdefault(kind.name, set()).add(thing)
    for head, kinds in heads.items():
        if head not in text:
            continue
        match = re.search(rf"(?<![가-힣]){re.escape(head)}(?![가-힣]{{2}})", text)
        told = [name for name, things in kinds.items() if any(thing in text for thing in things)]
        chosen = told[:1] or (list(kinds) if len(kinds) == 1 else [])
        if match is not None and chosen and key_of(head) not in reading.book.exact:
            made = Entity(match.start(), match.end(), "document_type", chosen[0], "exact")
            kept = tuple(e for e in reading.entities if not e.overlaps(made))
            return replace(reading, entities=(*kept, made))
    return reading


def states_facts(reading: Reading) -> bool:
    """Say whether a request for a form tells what is to stand in it, so that 위 내용 are its own words."""
    days = any(e.type == "period" and e.extra.get("unit") == "day" for e in reading.entities)
    return reading.only_writes and (days or any(e.type in _FACTS for e in reading.entities))


_NARRATED = r"\s?(?:한|했|하고|갔|다녀|온|건|거|것|결과|내용|후기|을\s|를\s)"


def narrated(reading: Reading) -> Reading:
    """Read a mere report on something that was done as the report on such things: 오늘 방문한 거 보고서 좀 is a visit report."""
    bare = [e for e in reading.entities if e.type == "document_type"]
    types = {entity.type for entity in reading.entities}
    if len(bare) == 1 and (kind := _told_kind(reading)) is not None:
        made = tuple(replace(e, normalized=kind.name) if e is bare[0] else e for e in reading.entities)
        return replace(reading, entities=made)
    if len(bare) != 1 or types & {"metric", "ambiguous_metric", "dimension"} - _own_types(reading):
        return reading
    said, text = reading.surface(bare[0]).lower().strip(), reading.source.text
    for kind in reading.context.domain.document_types.values():
        for word in kind.words:
            thing = word.lower().removesuffix(f" {said}")
            if thing == word.lower() or kind.name == bare[0].normalized:
                continue
            did = (
                rf"{re.escape(thing)}{_NARRATED}"
                if _KOREAN.search(thing)
                else rf"\b{re.escape(thing)}(?:ed)\b"
            )
            if re.search(did, text):
                made = tuple(
                    replace(e, normalized=kind.name) if e is bare[0] else e for e in reading.entities
                )
                return replace(reading, entities=made)
    return reading


def _told_kind(reading: Reading) -> DocumentType | None:
    """The document that the words tell the matter of, where a mere report is asked for: a house, a day, and whom one met."""
    types = reading.context.domain.document_types
    named = [types.get(str(e.normalized)) for e in reading.entities if e.type == "document_type"]
    facts = {e.type for e in reading.entities if e.type in ("organisation", "person") or _is_day(e)}
    if len(facts) < 2 or not all(kind is not None and kind.only_results for kind in named):
        return None
    for kind in types.values():
        own = {part for word in kind.words for part in word.lower().split()}
        figures = [reading.surface(e).lower().strip() for e in reading.entities if e.type == "metric"]
        if all(said in own for said in figures) and any(w in reading.source.text for w in kind.told_by):
            return kind
    return None


def _own_types(reading: Reading) -> set[str]:
    """Types of figures that are only what a verb says: 방문 in 방문한 거."""
    text = reading.source.text
    found = [e for e in reading.entities if e.type in ("metric", "ambiguous_metric", "dimension")]
    return {
        e.type for e in found if all(re.match(_NARRATED, text[o.end :]) for o in found if o.type == e.type)
    }


def with_figures(reading: Reading) -> Reading:
    """Read the figure in the name of a document that is asked for over a period: "the expense report of last month" asks for
    the expenses of that month, unless the request states what was spent."""
    periods = [e for e in reading.entities if e.type == "period" and e.extra.get("unit") != "day"]
    if not periods or any(entity.type in _FACTS for entity in reading.entities):
        return reading
    made: list[Entity] = []
    for entity in reading.entities:
        kind = reading.context.domain.document_types.get(str(entity.normalized))
        named = entity.type == "document_type" and kind is not None and kind.figures
        made += _split(reading, entity) if named else [entity]
    return replace(reading, entities=tuple(made))


def _split(reading: Reading, entity: Entity) -> list[Entity]:
    """The figure that a document's name begins with, then the rest of the name."""
    said = reading.source.text[entity.start : entity.end]
    for match in re.finditer(r"\s+", said):
        for word in (said[: match.start()], f"{said[: match.start()]}s"):
            meanings = [m for m in reading.book.exact.get(key_of(word), ()) if m.type == "metric"]
            found = of_meanings(entity.start, entity.start + match.start(), tuple(meanings), reading.source)
            if meanings and found:
                return [found[0], replace(entity, start=entity.start + match.end())]
    return [entity]


def of_check(reading: Reading) -> Reading:
    """지출 규정 검토하고 보고서 써줘: a report of results that is asked for behind a check tells what the check found; so does
    one on the result of a turn that was nothing but a check."""
    found = {intent.name: intent for intent in reading.intents}
    types = reading.context.domain.document_types
    told = next((name for name, kind in types.items() if "compliance" in kind.made_of), None)
    if told is None or reading.revises or "document" not in found:
        return reading
    text = reading.source.text
    words = found["compliance"].words if "compliance" in found else ()
    checked = [at for word in words if (at := text.find(word.lower())) >= 0]
    matter = [e.start for e in reading.entities if e.type == "metric"]
    before = [item["intent"] for item in (reading.context.previous or {}).get("parsed_intents") or ()]
    of_result = (
        before == ["compliance"] and not matter and any(e.type == "reference" for e in reading.entities)
    )

    def is_behind(entity: Entity) -> bool:
        kind = types.get(str(entity.normalized))
        plain = kind is not None and kind.only_results and not kind.made_of
        behind = bool(checked and matter) and min(matter) < min(checked) < entity.start
        return plain and (of_result or behind)

    entities = tuple(
        replace(e, normalized=told) if e.type == "document_type" and is_behind(e) else e
        for e in reading.entities
    )
    return replace(reading, entities=entities)


def with_sources(reading: Reading) -> Reading:
    """Ask for the results that a document of this kind is made of, where there is something to get them from."""
    names = {intent.name for intent in reading.intents}
    if "document" not in names or reading.revises or _is_told(reading):
        return reading
    more = [name for name in _made_of(reading) if name not in names and _has_matter(reading, name)]
    if not more and not names & DATA_INTENTS and _names_figures(reading):
        more = ["lookup"]
    sure = measured(reading.context.domain.calibration, "intent_implied")
    found = [FoundIntent(name, "implied", ("document_type",), sure) for name in more]
    kept = [i for i in reading.intents if i.name != "lookup" or not DATA_INTENTS & set(more)]
    return replace(reading, intents=(*kept, *found))


def _names_figures(reading: Reading) -> bool:
    """Say whether a document of results names figures and their period itself, and points at none that are there."""
    types = {entity.type for entity in reading.entities}
    kinds = [
        reading.context.domain.document_types.get(str(e.normalized))
        for e in reading.entities
        if e.type == "document_type"
    ]
    results = bool(kinds) and all(kind is not None and kind.only_results for kind in kinds)
    named = "metric" in types or implied_metric(reading, in_names=False) is not None
    pointed = any(e.type == "reference" and not e.extra.get("own") for e in reading.entities)
    return results and named and "period" in types and not pointed


def _has_matter(reading: Reading, intent: str) -> bool:
    """Say whether there is something to analyse: figures that are named; or to judge: these, a period, or what was made before."""
    types = {entity.type for entity in reading.entities}
    if intent in DATA_INTENTS:
        claim = any(map(_is_day, reading.entities)) and _is_form(reading)
        return "metric" in types or (not claim and implied_metric(reading, in_names=False) is not None)
    return bool(types & {"metric", "period", "reference"}) or bool(reading.context.artifacts)


def _is_form(reading: Reading) -> bool:
    """Say whether the document can also be filled by hand, so that on a single day it tells of one thing: a fare."""
    kinds = [
        reading.context.domain.document_types.get(str(e.normalized))
        for e in reading.entities
        if e.type == "document_type"
    ]
    return bool(kinds) and all(kind is not None and kind.figures for kind in kinds)


def without_content(reading: Reading) -> DocumentType | None:
    """The document of results that is asked for where there are none, and nothing to get them from."""
    if not reading.only_writes or reading.revises or reading.context.artifacts:
        return None
    kind = reading.context.domain.document_types.get(str(reading.resolved["document_type"]))
    before = mapping(mapping(reading.context.previous).get("resolved")).get("metrics")
    if kind is None or not kind.only_results or before:
        return None
    others = {intent.name for intent in reading.intents} - {"document", *kind.made_of}
    return None if others or (kind.made_of and implied_metric(reading, in_names=False)) else kind


def with_subject(question: str, answers: Sequence[Mapping[str, Any]]) -> str:
    """The request for a document together with the answer that says what it is about."""
    said = [str(each.get("answer") or "") for each in answers if each.get("field") == SUBJECT]
    subject = said[-1].strip(" .!?") if said else ""
    if not subject:
        return question
    asked = question.rstrip(" .!")
    return f"{subject} {question}" if _KOREAN.search(question) else f"{asked} on {subject}"


def _made_of(reading: Reading) -> list[str]:
    kinds = [
        reading.context.domain.document_types.get(str(entity.normalized))
        for entity in reading.entities
        if entity.type == "document_type"
    ]
    return list(dict.fromkeys(name for kind in kinds if kind for name in kind.made_of))


def with_split(reading: Reading) -> Reading:
    """Split the figures of a document by the dimension that such documents show, where the request asks for no other view."""
    kinds = [
        reading.context.domain.document_types.get(str(e.normalized))
        for e in reading.entities
        if e.type == "document_type"
    ]
    split = next((kind.split for kind in kinds if kind and kind.split), "")
    asked = reading.semantic
    writes = any(intent.name == "document" for intent in reading.intents)
    if not split or not asked or not writes or reading.revises or any(asked.get(key) for key in _VIEWS):
        return reading
    term = reading.context.vocabulary.find("dimension", split)
    metrics = [reading.context.vocabulary.find("metric", name) for name in asked.get("metrics") or ()]
    if term is None or not metrics or not all(m and term.table in (*m.tables, m.table) for m in metrics):
        return reading
    return replace(reading, semantic={**asked, "dimensions": [split]})


_VIEWS = frozenset({"dimensions", "top", "derived", "count_groups", "existence", "grain", "time"})
"""Keys of a request that has a view of its own."""


def fed_by(reading: Reading) -> Plain:
    """Capabilities by the one that is to be given their results, which they therefore do not judge."""
    domain = reading.context.domain
    asked = {intent.name for intent in reading.intents}
    sources = [domain.intent(name) for name in _made_of(reading) if name in asked]
    document = domain.intent("document")
    if document is None or document.name not in asked or not sources:
        return {}
    names = [name for intent in sources if intent for name in intent.capabilities]
    return {capability: list(names) for capability in document.capabilities}


def parts(reading: Reading) -> Plain:
    """The parts of the question that one capability serves one by one, each with its stretch of the words as typed."""
    found = asked_for(reading)
    intent = reading.context.domain.intent("document")
    if len(found) < 2 or reading.revises or intent is None:
        return {}
    if not any(each.name == intent.name for each in reading.intents):
        return {}
    made = [
        {
            "document_type": each.document_type,
            "span": list(reading.source.span(each.start, each.end)),
            **({"more": [list(reading.source.span(*one)) for one in each.more]} if each.more else {}),
        }
        for each in found
    ]
    return {name: [dict(each) for each in made] for name in intent.capabilities}


def own_entities(reading: Reading, document_type: str) -> tuple[Entity, ...]:
    """The entities of the part of the question that is about one of several documents; all of them where it is about one."""
    found = asked_for(reading)
    part = next((each for each in found if each.document_type == document_type), None)
    if len(found) < 2 or part is None:
        return reading.entities
    own = [e for e in reading.entities if part.holds(e)]
    if sum(each.start == part.start and each.end == part.end for each in found) > 1:
        # of what is told for both, a day behind is none of a thing that is to be held
        today = reading.context.today.isoformat()
        own = [e for e in own if not _is_day(e) or str(e.extra.get("start", today)) >= today]
    return tuple(own)


def without_stated(reading: Reading) -> Reading:
    """A figure with its value behind it is a fact of the document that is asked for, no question: 예산 300만 원. So is a word
    that is only similar to a figure."""
    writes = any(entity.type == "document_type" for entity in reading.entities)
    return without_valued(reading) if writes else reading


_UNIT = regex(
    r"\s?(?:캡슐|정|포|병|통|갑|팩|박스|앰플|바이알|튜브|키트|개|tablets|capsules|vials|packs|units|boxes|sticks|bottles)(?![a-z])"
)
"""Units in which goods are counted."""


def without_valued(reading: Reading) -> Reading:
    """Leave out figures that have their value behind them, and words that are only similar to one."""
    entities = reading.entities
    values = [
        entity.start
        for entity in entities
        if entity.type in ("money", "quantity")
        or (entity.type == "period" and entity.extra.get("unit") == "day")
    ]
    text = reading.source.text
    dated = [(e.start, e.end) for e in entities if e.type == "period"]
    values += [
        number.start()
        for number in re.finditer(r"\d[\d,]*(?=[가-힣]*)", text)
        if not any(start <= number.start() < end for start, end in dated) and _UNIT.match(text, number.end())
    ]
    stated = [
        entity
        for entity in entities
        if entity.type in ("metric", "ambiguous_metric")
        and (
            entity.method in _GUESSED
            or any(start >= entity.end and _STATES.fullmatch(text[entity.end : start]) for start in values)
            or any(e.type == "money" and _OF_VALUE.fullmatch(text[e.end : entity.start]) for e in entities)
        )
    ]
    return replace(reading, entities=tuple(entity for entity in entities if entity not in stated))


def without_lookup(reading: Reading) -> Reading:
    """Read the facts of a form as facts: "의사 5명 총 38만 원 썼어, 비용 보고서로" looks nothing up, nor does the visit in
    "어제 한결의원 방문했어, 방문 보고서"."""
    names = {intent.name for intent in reading.intents}
    if "document" not in names or not names & DATA_INTENTS:
        return reading
    own = [entity for entity in reading.entities if _is_own_subject(reading, entity)]
    if _is_told(reading):
        own += [e for e in reading.entities if e.type in ("metric", "ambiguous_metric")]
    entities = tuple(entity for entity in reading.entities if entity not in own)
    types = {entity.type for entity in entities}
    days = any(e.type == "period" and e.extra.get("unit") == "day" for e in entities)
    if types & {"metric", "ambiguous_metric"} or not (days or types & _FACTS):
        return reading
    kept = tuple(i for i in reading.intents if i.name not in DATA_INTENTS)
    return replace(reading, entities=entities, intents=kept)


def _is_told(reading: Reading) -> bool:
    """Say whether a form is asked for by telling what happened or shall happen: two facts of a form, no word that asks for figures,
    and none that a month is named for."""
    domain = reading.context.domain
    kinds = [
        domain.document_types.get(str(e.normalized)) for e in reading.entities if e.type == "document_type"
    ]
    paid = any(entity.type == "money" for entity in reading.entities)
    if not kinds or any(kind is None or kind.only_results or (kind.made_of and not paid) for kind in kinds):
        return False
    worded = any(i.name in DATA_INTENTS and i.rule not in ("implied", "inherited") for i in reading.intents)
    figures = [e for e in reading.entities if e.type == "metric" and not _behind_label(reading, e)]
    if worded and any(not _is_own_subject(reading, e) for e in figures):
        return False
    facts = [e for e in reading.entities if e.type in _FACTS or _is_day(e)]
    return len(facts) > 1


_LABEL = regex(r"(?:^|[.;\n]\s*)(?P<label>[^.;:\n]{1,30}):\s[^.\n]*\Z")


def _behind_label(reading: Reading, entity: Entity) -> bool:
    """Say whether a word stands in what a line or sentence tells behind its label: Topics: pill size, cost for the uninsured."""
    found = _LABEL.search(reading.source.text[: entity.start])
    named = [e for e in reading.entities if e.type == "document_type"]
    return found is not None and not any(
        e.start < found.end("label") and found.start("label") < e.end for e in named
    )


def _is_day(entity: Entity) -> bool:
    return entity.type == "period" and entity.extra.get("unit") == "day"


def without_guesses(reading: Reading) -> Reading:
    """Keep people in a mere form as they are written: one whom the data does not know is no misspelt colleague."""
    if not reading.only_writes:
        return reading
    made = tuple(
        replace(entity, normalized=None, method="name_unknown", candidates=(), extra={})
        if entity.type == "person" and entity.method in _GUESSED
        else entity
        for entity in reading.entities
    )
    return replace(reading, entities=made)


def _is_own_subject(reading: Reading, entity: Entity) -> bool:
    """Say whether a figure is only the thing that the document is about: the visit of a visit report, not the number of visits."""
    if entity.type not in ("metric", "ambiguous_metric") or _COUNTED.match(reading.source.text, entity.end):
        return False
    said = reading.surface(entity).lower().strip()
    kinds = [
        reading.context.domain.document_types.get(str(e.normalized))
        for e in reading.entities
        if e.type == "document_type"
    ]
    forms = {said, said.removesuffix("s"), said.removesuffix("ed")}
    slots = reading.context.domain.slots
    labels = {label.lower() for kind in kinds if kind for name in kind.slots for label in slots[name].labels}
    valued = any(e.type in ("quantity", "money") for e in reading.entities)
    if valued and said in labels:  # 참석자는 의료진 서른 명: a field of the form
        return True
    return any(forms & set(word.lower().split()) for kind in kinds if kind for word in kind.words)


def addressed(reading: Reading) -> Reading:
    """Keep a name that the data does not know as it is written where the document is made for it: 한결의원에 제안서, a proposal for
    Hangyeol Clinic."""
    if not any(entity.type == "document_type" for entity in reading.entities):
        return reading
    made = tuple(
        entity.with_extra(as_written=True)
        if entity.type == "organisation" and entity.normalized is None and _is_addressed(reading, entity)
        else entity
        for entity in reading.entities
    )
    return replace(reading, entities=made)


def _is_addressed(reading: Reading, entity: Entity) -> bool:
    text = reading.source.text
    named = [e for e in reading.entities if e.type == "document_type"]
    found = _ADDRESSED.match(text, entity.end)
    behind = [e.start for e in named if found and e.start >= found.end()]
    if behind:
        return not any(e.type == "metric" and entity.end <= e.start < behind[0] for e in reading.entities)
    before = [e.end for e in named if e.end <= entity.start]
    return bool(before) and _TO_EN.search(text[before[-1] : entity.start]) is not None
