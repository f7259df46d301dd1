"""Facts of a form as the request words them. Pure.

A value stands behind a field's own words ("연자는 …", "next meeting on …"), or is the object of its verb ("브로슈어 전달했어",
"I left the dosing card"); a name is known by its ending ("한결내과의원") or its title ("김서진 원장", "Dr. Kim"); a topic
stands before the name of the document ("천식 세미나 신청서"). Nothing is looked up: a name counts as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from metaagent.documents.fields import find_time
from metaagent.documents.templates import FieldSpec, Template

Range = tuple[int, int]
LONGEST = 80
"""Characters of a value that is read from a sentence."""
_PARTICLE = r"(?:은|는|이|가|을|를|:|\s(?:is|are|was|were|on|at|of|will be))?\s+|\s*:\s*"
_STOP = re.compile(
    r"[;\n()|]|\s/\s|,(?!\d)|(?<!Dr)(?<!Prof)(?<!Mr)(?<!Ms)\.(?=\s|$)|\s(?:and|with|및)\s|\s?그리고\s"
)
_TAIL = re.compile(r"(?:입니다|이에요|예요|이고|이며|이야|(?<=[가-힣])야|(?<=[가-힣])(?:으로|로)(?=\s|$).*)$")
_REQUEST = re.compile(
    r"작성|만들|써\s?줘|적어|채워|바꿔|신청서|보고서|제안서|\b(?:write|draft|make|request|report|proposal|change|fill)\b",
    re.IGNORECASE,
)
_NAME_EN = r"(?:[A-Z][\w'-]*\s){1,4}"
_PLACE_KO = re.compile(r"((?:[가-힣A-Za-z0-9]+\s){0,3}[가-힣A-Za-z0-9]+)에서(?=\s)")
_PLACE_EN = re.compile(r"\b[Aa]t\s(?:the\s)?((?:[A-Z][\w&'-]*)(?:\s[A-Z][\w&'-]*){0,4})")
_HOUSES = "병원|의원|의료원|대학교|대학|클리닉|보건소|약국|본사|지사|학교|협회|학회|호텔|센터|타워|빌딩"
_WORD_END = r"(?=에서|에(?![가-힣])|으로|로|[\s,.()]|$|[은는이가을를의과와](?![가-힣]))"
_TIME_WORD = re.compile(r"\d|^(?:오전|오후|저녁|아침|점심|오늘|내일|어제|모레|다음|이번|지난)")
_CLAUSE = re.compile(
    r"[.!?,;\n]|(?<=[가-힣])(?:하고|했고|셨고|드리고|이고|하며|해서|만나서|면서|고)\s"
    r"|(?<![가-힣])(?:만나서|만나고|만나|뵙고|뵈고|찾아가서|찾아가|들러서|들러)\s"
)
"""The end of a Korean clause."""
_OBJECT = re.compile(r"(?:을|를|도|에\s?대해서?|에\s?관해서?)?\s*$")
_ABOUT = re.compile(r"^(?:about|on|for|of|whether)\s+|^(?:the|a|an|some|our|my|his|her)\s+", re.IGNORECASE)
_NO_TOPIC = re.compile(
    r"(?:에|에서|은|는|을|를|의|이|하는|한|할|된|으로|로|와|과|랑|하고|여는|줘|요|고|서|니|며)$"
    r"|^(?:새|새로운|좀|내|우리|그|이|저|다음|이번|지난|오늘|내일|어제|제품|사내|온라인|관련|위한|정기|간단히|빨리|바로|a|an|the|my|our|new"
    r"|this|that|draft|write|make|create|prepare|need|please|want|product|another|one|for)$|[.,!?:;()\d]",
    re.IGNORECASE,
)
MOST_WORDS = 3
"""Words of a topic that stands before the name of a document."""


@dataclass(frozen=True)
class Fact:
    """A value in the words of the request and where it stands there."""

    text: str
    at: Range


@dataclass(frozen=True)
class Said:
    """The words about one document: where its name stands, and what is known to be a name, a day or an amount."""

    text: str
    name_at: int = -1
    known: tuple[Range, ...] = ()


def facts_of(template: Template, said: Said) -> dict[str, Fact]:
    """The facts that the request states for the fields of a template. A stretch of text fills one field."""
    found: dict[str, Fact] = {}
    for read in (_labelled, _timed, _titled, _ending, _placed, _done, _acted, _before_the_name):
        for name, spec in template.fields.items():
            if name in found or "form" not in spec.source:
                continue
            fact = read(spec, said, [each.at for each in found.values()])
            if fact is not None:
                found[name] = fact
    return found


def facts_of_field(spec: FieldSpec, text: str) -> Fact | None:
    """The last name in a text that ends as the field's names do."""
    found, at = None, 0
    while (fact := _ending(spec, Said(text[at:]), ())) is not None:
        found, at = fact, at + fact.at[1]
    return found


def overlaps(at: Range, taken: Sequence[Range]) -> bool:
    return any(at[0] < end and start < at[1] for start, end in taken)


def _labelled(spec: FieldSpec, said: Said, taken: Sequence[Range]) -> Fact | None:
    question = said.text
    for word in sorted(spec.words, key=len, reverse=True):
        for match in re.finditer(rf"(?<![\w가-힣]){re.escape(word)}(?:{_PARTICLE})", question, re.IGNORECASE):
            value = question[match.end() : match.end() + LONGEST]
            if spec.type != "date":
                value = _STOP.split(value)[0]
            value = _TAIL.sub("", value).strip(" '\"“”‘’")
            if not value or (spec.type == "text" and _REQUEST.search(value)):
                continue
            at = (match.start(), match.end() + len(value))
            if not overlaps(at, taken):
                return Fact(value, at)
    return None


def _timed(spec: FieldSpec, said: Said, taken: Sequence[Range]) -> Fact | None:
    found = find_time(said.text) if spec.type == "time" else None
    return Fact(found[0], found.span()) if found and not overlaps(found.span(), taken) else None


def _titled(spec: FieldSpec, said: Said, taken: Sequence[Range]) -> Fact | None:
    if not spec.titles:
        return None
    any_title = "|".join(map(re.escape, spec.titles))
    korean = rf"(?<![가-힣])[가-힣]{{2,4}}\s?(?:{any_title})"
    english = rf"\b(?:{any_title})\.?\s[A-Z][\w'-]+(?:\s[A-Z][\w'-]+)?"
    return _first(f"{korean}|{english}", said.text, taken)


def _ending(spec: FieldSpec, said: Said, taken: Sequence[Range]) -> Fact | None:
    if not spec.endings:
        return None
    any_ending = "|".join(map(re.escape, spec.endings))
    korean = rf"(?<![가-힣A-Za-z0-9])[가-힣A-Za-z0-9]{{0,20}}(?:{any_ending}){_WORD_END}"
    if (
        spec.take == "place"
    ):  # 대전컨벤션센터 204호, 새솔병원 대강당: words that each end so, and whose house it is, are one place
        korean = rf"(?:[가-힣A-Za-z0-9]{{1,20}}(?:{_HOUSES})\s)?{korean}(?:\s{korean})*"
        english = (
            rf"\b(?:[A-Z][\w&'-]*\s){{1,4}}(?:[a-z]+\s){{0,2}}(?:{any_ending})\b(?:\s[A-Z0-9][\w-]*)?"
            rf"|\b(?:{any_ending})\s[A-Z0-9][\w-]*"
        )
        return _first(rf"{korean}|{english}", said.text, taken)
    korean = rf"(?<![가-힣A-Za-z0-9])[가-힣A-Za-z0-9]{{2,20}}(?:{any_ending})"
    return _first(rf"{korean}|\b{_NAME_EN}(?:{any_ending})\b", said.text, taken)


def _placed(spec: FieldSpec, said: Said, taken: Sequence[Range]) -> Fact | None:
    if spec.take != "place":
        return None
    for match in [*_PLACE_KO.finditer(said.text), *_PLACE_EN.finditer(said.text)]:
        words = match[1].split()
        while words and _TIME_WORD.search(words[0]):
            words = words[1:]
        text = " ".join(words)
        at = (match.end(1) - len(text), match.end(1))
        if text and not _POINTING.fullmatch(text) and not overlaps(at, taken):
            return Fact(text, at)
    return None


_POINTING = re.compile(r"같은\s?(?:곳|장소|병원|의원|기관)|거기|그\s?곳|여기|저기")
"""Words that point at a place and name none."""


def _done(spec: FieldSpec, said: Said, taken: Sequence[Range]) -> Fact | None:
    """The object of one of the field's verbs: before a Korean verb, behind an English one."""
    for verb in spec.verbs:
        korean = re.search(r"[가-힣]", verb) is not None
        for match in re.finditer(
            rf"(?<![가-힣]){re.escape(verb)}" if korean else rf"\b{re.escape(verb)}\b",
            said.text,
            re.IGNORECASE,
        ):
            fact = (
                _object_before(said.text, match.start()) if korean else _object_behind(said.text, match.end())
            )
            if fact is not None and not overlaps(fact.at, taken) and not _REQUEST.search(fact.text):
                return fact
    return None


def _acted(spec: FieldSpec, said: Said, taken: Sequence[Range]) -> Fact | None:
    """Read what was done, with its object: 카르비온정 설명, explained the dosing."""
    for act in spec.acts:
        korean = re.search(r"[가-힣]", act) is not None
        did = rf"{re.escape(act)}(?=했|하였|하고|해\s|해드|드렸|드리고|함|하며|하면서|을\s?했|을\s?드)"
        for match in re.finditer(did if korean else rf"\b{re.escape(act)}\b", said.text, re.IGNORECASE):
            found = (
                _object_before(said.text, match.start()) if korean else _object_behind(said.text, match.end())
            )
            if found is None or _REQUEST.search(found.text) or overlaps(found.at, taken):
                continue
            text = f"{found.text} {act}" if korean else f"{match[0]} {found.text}"
            return Fact(text, found.at)
    return None


_WITH_WHOM = re.compile(
    r"^.*(?:에서|에게서|에게|께서|께|한테|님과|님이랑|님하고|교수와|원장과|과장과|병원의|의원의|\d일에?|오늘|어제|그제)\s(?=\S)"
)
"""Words before the object of a verb that say where, when and with whom."""


def _object_before(text: str, end: int) -> Fact | None:
    start = max((each.end() for each in _CLAUSE.finditer(text, 0, end)), default=0)
    if whom := _WITH_WHOM.match(text[start:end]):
        start += whom.end()
    value = _OBJECT.sub("", text[start:end])
    stripped = value.strip()
    at = start + len(value) - len(value.lstrip())
    return Fact(stripped, (at, at + len(stripped))) if 1 < len(stripped) <= LONGEST else None


def _object_behind(text: str, start: int) -> Fact | None:
    value = _STOP.split(text[start : start + LONGEST])[0].strip()
    for _ in range(2):
        value = _ABOUT.sub("", value)
    value = value.strip(" '\"“”‘’.?!")
    at = text.find(value, start) if value else -1
    return Fact(value, (at, at + len(value))) if at >= 0 else None


def _before_the_name(spec: FieldSpec, said: Said, taken: Sequence[Range]) -> Fact | None:
    """The words right before the name of the document that say nothing else."""
    if spec.take != "subject" or said.name_at < 0:
        return None
    blocked = (*taken, *said.known)
    start = end = len(said.text[: said.name_at].rstrip())
    for word in reversed(list(re.finditer(r"\S+", said.text[:end]))[-MOST_WORDS:]):
        if _NO_TOPIC.search(word[0]) or overlaps(word.span(), blocked):
            break
        start = word.start()
    return Fact(said.text[start:end], (start, end)) if start < end else None


def _first(pattern: str, question: str, taken: Sequence[Range]) -> Fact | None:
    for match in re.finditer(pattern, question):
        if match[0].strip() and not overlaps(match.span(), taken):
            return Fact(match[0].strip(), match.span())
    return None
