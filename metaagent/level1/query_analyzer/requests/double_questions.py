"""A question of several parts, for the documents, for the figures and for a check: each is read by itself. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, islice
from typing import Any

from metaagent.errors import Text
from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.requests.knowledge_questions import asks_for_rule
from metaagent.level1.query_analyzer.requests.quoting import inside, quotations

Plain = dict[str, Any]
MOST_CUTS = 5
SEARCH, DATA, CHECK, WRITE = (
    "information_retrieval",
    "data_analysis",
    "compliance_validation",
    "document_generation",
)
_KINDS = (SEARCH, DATA, CHECK)
_JOIN = regex(
    r"(?<=[가-힣])(?:와|과|하고|이랑|랑)\s|(?<=[가-힣]고)\s|\s(?:및|그리고)\s"
    r"|[?.;]\s(?:그리고\s|그\s?다음에?\s|또\s|and\s|then\s|also\s)*|,\s(?:and\s|then\s|plus\s)*|\s(?:and|as well as|plus)\s",
)
_POINTS = regex(r"(?i:\b(?:it|its|they|their|them)\b)|(?<![가-힣])그\s?(?:것|거|제품|병원|약|의사|건)")
_NAMED = frozenset({"product", "organisation", "person", "location"})


def in_parts(
    question: str, whole: Plain, read: Callable[[str], Plain], usual: str | None = None, language: str = "ko"
) -> Plain:
    """The reading of the whole; where its parts ask each for something else (documents, figures, a check), that of all parts."""
    quoted = quotations(question)
    if quoted and {*whole["required_capabilities"]} & {CHECK, SEARCH} and not whole["revises"]:
        beside = _beside_quoted(question, whole, read, quoted, usual, language)
        if beside is not None:
            return beside
    if (beside := _rule_beside(question, whole, read, _cuts(question, quoted))) is not None:
        return beside
    if not _may_be_several(whole):
        return _with_form(question, whole, read)
    # A search that no word asks for is only one where the whole was, or where a part asks for a rule.
    sure = whole["required_capabilities"] == [SEARCH] or WRITE in whole["required_capabilities"]
    named = [entity["span"] for entity in whole["extracted_entities"] if entity["type"] in _NAMED]
    cuts = _cuts(question, quoted)
    known: dict[tuple[int, int], Plain | None] = {}

    def part(start: int, end: int) -> Plain | None:
        """The reading of one stretch with blanks for the rest, so that every word stays where it is; None where it asks for
        several things, or for none."""
        if (start, end) not in known:
            text = _alone(question, start, end)
            reading = read(text)
            if (
                reading["required_capabilities"] == [DATA]
                and (kept := _with_names(question, text, named)) != text
            ):
                reading = read(kept)
            known[start, end] = _clear(text, reading, sure, usual)
        return known[start, end]

    for starts in (*combinations(cuts, 2), *combinations(cuts, 1)):
        begins = [0, *(end for _, end in starts)]
        ends = [*(start for start, _ in starts), len(question)]
        spans = [(a, b) for a, b in zip(begins, ends, strict=True) if question[a:b].strip()]
        parts = [reading for span in spans if (reading := part(*span)) is not None]
        kinds = [each["required_capabilities"][0] for each in parts]
        if len(parts) == len(starts) + 1 == len(set(kinds)) and _same_period(parts):
            return _joined(question, dict(zip(kinds, parts, strict=True)))
    return _with_form(question, whole, read)


def _cuts(question: str, quoted: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The places where one part of a question may end, outside of texts that it quotes."""
    found = (each.span() for each in _JOIN.finditer(question) if not inside(quoted, *each.span()))
    return list(islice(found, MOST_CUTS))


def _beside_quoted(
    question: str,
    whole: Plain,
    read: Callable[[str], Plain],
    quoted: Sequence[tuple[int, int]],
    usual: str | None,
    language: str,
) -> Plain | None:
    """The reading of a part that asks for figures or for a rule, and of one that has the quoted text checked, wherever it
    stands; that of a check, with a doubt, where figures cannot be told apart."""
    plain, sure = question, whole["required_capabilities"] == [SEARCH]
    for start, end in quoted:
        plain = f"{plain[:start]}{' ' * (end - start)}{plain[end:]}"
    plain = _MARKS.sub(lambda m: " " * len(m[0]), plain)
    for start, end in _cuts(plain, []):
        sides = ((0, start), (end, len(question)))
        for other, side in (sides, sides[::-1]):
            text = _GOES_ON.sub(lambda m: "줘" + " " * (len(m[0]) - 1), _alone(plain, *other))
            made = _clear(text, read(text), sure, usual) if text.strip() else None
            if made is None or made["required_capabilities"] == [CHECK]:
                continue
            if _asks_figures(read(_alone(plain, *side)), quoted):
                continue  # figures of another part would be lost
            joined = (0, end) if other[0] == 0 else (start, len(question))
            rest = " ".join(_without(question, joined, quoted).split()).strip(" ,")
            checked = _clear(rest, read(rest), sure, usual)
            if checked is not None and checked["required_capabilities"] == [CHECK]:
                return _joined(question, {made["required_capabilities"][0]: made, CHECK: checked})
    if {*whole["required_capabilities"]} - {CHECK, SEARCH} or not _asks_figures(read(plain), quoted):
        return None
    return {**whole, "doubts": [*whole["doubts"], _NOT_LOOKED_UP.say(language)]}


_MARKS = regex(r"[\"“”«»‘’「」『』]|(?<![a-zA-Z])'|'(?![a-zA-Z])|:(?=\s)")
_NOT_LOOKED_UP = Text(
    en="Not done: figures that are asked for beside the text. Only the text was looked at; ask for the figures by themselves.",
    ko="하지 못한 일: 글과 함께 물으신 수치는 조회하지 못했습니다. 글만 보았으니 수치는 따로 말씀해 주세요.",
)


_OPENING = regex(r"(?::\s*)?\S?\Z")
"""The mark before a text that is quoted, or the colon."""


def _without(question: str, part: tuple[int, int], quoted: Sequence[tuple[int, int]]) -> str:
    """The question with blanks for a part of it, but for the texts that are quoted there."""
    opened = [(_OPENING.search(question, 0, start), end) for start, end in quoted]
    kept = {n for found, end in opened if found for n in range(found.start(), end + 1)}
    return "".join(
        " " if part[0] <= n < part[1] and n not in kept else char for n, char in enumerate(question)
    )


def _asks_figures(reading: Plain, quoted: Sequence[tuple[int, int]]) -> bool:
    """Say whether words beside the quoted texts name a figure and a time."""
    types = {each["type"] for each in reading["extracted_entities"] if not inside([*quoted], *each["span"])}
    return {"metric", "period"} <= types


def _rule_beside(
    question: str, whole: Plain, read: Callable[[str], Plain], cuts: Sequence[tuple[int, int]]
) -> Plain | None:
    """The reading of a document, or of figures and their check, with a question for a rule beside it, which asks for nothing of
    them."""
    named = any(each["type"] == "document_type" for each in whole["extracted_entities"])
    named = named or CHECK in whole["required_capabilities"]
    if not named or whole["revises"] or not (whole["unread"] or SEARCH in whole["required_capabilities"]):
        return None
    for start, end in cuts:
        sides = ((0, start), (end, len(question)))
        for rule, rest in (sides, sides[::-1]):
            text = _alone(question, *rule)
            asked = read(text)
            wished = question.startswith("?", start) or _WISHED.search(text.lower())
            if asked["required_capabilities"] != [SEARCH] or asked["clarification_needed"] or not wished:
                continue
            made = read(_alone(question, *rest))
            clear = not (made["doubts"] or made["clarification_needed"])
            needed = {*made["required_capabilities"]}
            if clear and (WRITE in needed or needed >= {DATA, CHECK}) and SEARCH not in needed:
                return _with_search(question, made, {**asked, "asked": " ".join(text.split())})
    return None


_WISHED = regex(
    r"알려|찾아|뭐|무엇|어떻|얼마|몇\s|궁금|검색|조회|\b(?:tell|what|how|look|find|search|remind|which|when|who|show|give)\b"
)
"""Words of a part that asks for something, and tells nothing: 보관 기간을 안내했고 tells."""


def _with_search(question: str, made: Plain, asked: Plain) -> Plain:
    """A reading with a search beside it, of which nothing else depends."""
    joined = ("parsed_intents", "required_capabilities", "suggested_agents", "explanations")
    both = {key: [*asked[key], *(each for each in made[key] if each not in asked[key])] for key in joined}
    return {**made, **both, "raw_query": question, "search": {**asked["search"], "text": asked["asked"]}}


_GOES_ON = regex(r"주(?:시?고요?|시구요)(?=[\s,]*\Z)")
"""A verb that goes on to the next part: 알려주고, 알려주시고요."""


def _with_form(question: str, whole: Plain, read: Callable[[str], Plain]) -> Plain:
    """The reading of figures and of a form that tells something else: what the form names does not limit the figures."""
    if set(whole["required_capabilities"]) != {DATA, WRITE} or whole["revises"] or whole["parts"]:
        return whole
    for start, end in reversed(_cuts(question, quotations(question))):
        figures = read(_GOES_ON.sub("줘 ", _alone(question, 0, start)))
        form = read(_alone(question, end, len(question)))
        alone = figures["required_capabilities"] == [DATA] and form["required_capabilities"] == [WRITE]
        clear = not (figures["clarification_needed"] or figures["unread"] or figures["doubts"])
        if alone and clear and not form["ambiguities"]:
            told = {name: figures[name] for name in ("semantic_request", "data_title", "reading")}
            return {**whole, **told, "unread": [], "doubts": []}
    return whole


def without_undoable(question: str, whole: Plain, read: Callable[[str], Plain], language: str) -> Plain:
    """The reading without a part that asks for an act which nobody here does: the rest is done, and the part is named."""
    if not whole["unread"] or not ACT.search(question):
        return whole
    for _, found in zip(range(MOST_CUTS), _JOIN.finditer(question), strict=False):
        first, second = (0, found.start()), (found.end(), len(question))
        for act, rest in ((first, second), (second, first)):
            said = question[slice(*act)].strip()
            if ACT.search(said) is None or not _is_undoable(read(_alone(question, *act))):
                continue
            reading = read(_alone(question, *rest))
            if (
                reading["required_capabilities"]
                and not reading["doubts"]
                and not reading["clarification_needed"]
            ):
                told = _UNDONE.say(language, part=said.strip(" ,.?!"))
                return {**reading, "raw_query": question, "doubts": [told]}
    return whole


_UNDONE = Text(
    en="Nobody here can do this: {part}. The rest is done.",
    ko="여기에는 이 일을 할 에이전트가 없습니다: {part}. 나머지만 했습니다.",
)
ACT = regex(
    r"(?:예약|주문|전송|발송|발신|전화|연락|공유|인쇄|출력|결제|송금|초대|공지|게시|통화|배송)\s?(?:해|하|걸어|넣어|잡아|부탁)"
    r"|(?:보내|전해|띄워|잡아|걸어|돌려|뿌려|올려)\s?(?:줘|주|놔|둬|드려)|메일"
    r"|(?i:\b(?:e-?mail|mail|send|forward|book|reserve|schedule|call|phone|text|message|invite|order|buy|pay|print|post|publish"
    r"|share|remind|fax|arrange|set up)\s(?:it|them|this|that|me|us|him|her|an?|the|my|our|[A-Z]))"
)
"""Acts that people ask of an assistant; those that an installed agent declares are read as its own before."""
_BESIDE = frozenset({"period", "person", "reference", "quantity", "output_form"})


def _is_undoable(reading: Mapping[str, Any]) -> bool:
    types = {str(each["type"]) for each in reading["extracted_entities"]}
    return not reading["required_capabilities"] and types <= _BESIDE


def _clear(text: str, reading: Plain, sure: bool, usual: str | None) -> Plain | None:
    """The reading of a part that asks for one thing alone, and can be answered; what 'it' means, another part says."""
    needed = reading["required_capabilities"]
    asked = [each for each in reading["ambiguities"] if each.get("field") != "reference"]
    if len(needed) != 1 or needed[0] not in _KINDS or asked or reading["doubts"] or reading["follow_up"]:
        return None
    if needed == [SEARCH] and not (sure or _is_worded(reading) or asks_for_rule(text.strip())):
        return None
    if needed == [DATA] and (reading["clarification_needed"] or not _names_figure(reading, usual)):
        return None
    if (
        needed == [DATA]
        and _POINTS.search(text)
        and not _NAMED & {e["type"] for e in reading["extracted_entities"]}
    ):
        return None  # how much did it bring in: of what, the other part says in words that the data does not know
    dated = any(each["type"] == "period" for each in reading["extracted_entities"])
    if needed == [CHECK] and not dated and not quotations(text):
        return None
    return {**reading, "asked": " ".join(text.split())}


def _same_period(parts: Sequence[Plain]) -> bool:
    """Say whether figures and a check are about the same time."""
    spans = [each["resolved"]["period"] for each in parts if each["required_capabilities"] != [SEARCH]]
    return len({str(span) for span in spans}) <= 1


def _may_be_several(whole: Plain) -> bool:
    """Say whether a reading leaves room for a second question: a search with a period, figures with words that nobody used,
    a document that a question for a rule may have been taken for, a search for the words of both."""
    needed = whole["required_capabilities"]
    if needed == [SEARCH]:
        return any(entity["type"] == "period" for entity in whole["extracted_entities"])
    if needed in ([DATA], [CHECK]):
        ruled = needed == [CHECK] and asks_for_rule(str(whole["raw_query"]))
        return bool(whole["unread"] or whole["doubts"] or ruled)
    return sorted(needed) in ([DATA, WRITE], [DATA, SEARCH], [CHECK, DATA])


def _with_names(question: str, half: str, spans: Sequence[Sequence[int]]) -> str:
    """A half with the names of the other: 인슐비아주 보관 온도가 몇 도고 지난달에 얼마나 팔렸어?"""
    for start, end in spans:
        half = half[:start] + question[start:end] + half[end:]
    return half


def _alone(question: str, start: int, end: int) -> str:
    return " " * start + question[start:end] + " " * (len(question) - end)


DEED = regex(r"팔|판매|썼|쓴|방문|\b(?:sell|sold|spen[dt]|paid|visit(?:ed)?)\b")
"""Deeds that name their figure: if Daegu sold more."""


def _names_figure(reading: Mapping[str, Any], usual: str | None) -> bool:
    """Say whether a half names its figure: the usual one, which is taken where none is named, may not be meant."""
    named = any(entity["type"] == "metric" for entity in reading["extracted_entities"])
    metrics = (reading["semantic_request"] or {}).get("metrics") or []
    named = named or DEED.search(str(reading["raw_query"]).lower()) is not None
    return named or bool(metrics and (metrics != [usual] or not reading["assumptions"]))


def _is_worded(reading: Mapping[str, Any]) -> bool:
    return any(intent.get("rule") != "implied" for intent in reading["parsed_intents"])


def _joined(question: str, parts: Mapping[str, Plain]) -> Plain:
    base = parts.get(DATA) or parts[CHECK]
    asked = [parts[kind] for kind in _KINDS if kind in parts]
    agents = [name for each in asked for name in each["suggested_agents"]]
    made = {
        **{key: value for key, value in base.items() if key != "asked"},
        "raw_query": question,
        "parsed_intents": [intent for each in asked for intent in each["parsed_intents"]],
        "required_capabilities": [kind for kind in _KINDS if kind in parts],
        "suggested_agents": list(dict.fromkeys(agents)),
        "explanations": [reason for each in asked for reason in each["explanations"]],
        "ambiguities": [],
        "clarification_needed": False,
    }
    if SEARCH in parts:
        made["search"] = {**parts[SEARCH]["search"], "text": parts[SEARCH]["asked"]}
    if CHECK in parts and quotations(parts[CHECK]["asked"]):
        made["check"] = {"text": parts[CHECK]["asked"]}
    return made
