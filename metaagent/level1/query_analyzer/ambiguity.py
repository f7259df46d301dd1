"""Readings that would change the result, as one question with options; and an answer read against the options."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from metaagent.errors import Text
from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.domain import Domain, Intent, SemanticVocabulary
from metaagent.level1.query_analyzer.entities import Entity
from metaagent.level1.query_analyzer.requests.unwanted import unwanted
from metaagent.level1.query_analyzer.words.lexicon import Meaning, Phrasebook, letters
from metaagent.level1.query_analyzer.words.source import key_of

Plain = dict[str, Any]
MAX_OPTIONS = 6

_SEVERAL = Text(en="'{text}' matches {count} names", ko="'{text}'에 해당하는 이름이 {count}개입니다")
_WHICH = Text(en="Which '{text}' do you mean?", ko="어느 '{text}'을(를) 말씀하시나요?")
_UNKNOWN = Text(en="'{text}' is not in the data", ko="'{text}'은(는) 데이터에 없습니다")
_INSTEAD = Text(
    en="I could not find '{text}'. Which one do you mean?",
    ko="'{text}'을(를) 찾지 못했습니다. 어느 것을 말씀하시나요?",
)
_MEANINGS = Text(en="'{text}' has {count} meanings here", ko="'{text}'은(는) 여기서 뜻이 {count}가지입니다")
_FIGURE = Text(en="Which figure do you mean by '{text}'?", ko="'{text}'은(는) 어떤 수치를 말씀하시나요?")
_NO_FIGURE = Text(en="no figure is named", ko="어떤 수치인지 말씀하지 않으셨습니다")
_WHAT_FIGURE = Text(en="Which figure should I look at?", ko="어떤 수치를 볼까요?")
_VAGUE = Text(en="'{text}' has no length", ko="'{text}'이(가) 얼마 동안인지 알 수 없습니다")
_HOW_LONG = Text(en="Which period do you mean by '{text}'?", ko="'{text}'은(는) 어느 기간을 말씀하시나요?")
_IMPOSSIBLE = Text(en="the calendar has no '{text}'", ko="'{text}'은(는) 달력에 없습니다")
_WHICH_DAY = Text(en="Which date do you mean by '{text}'?", ko="'{text}'은(는) 언제를 말씀하시나요?")
_NO_TYPE = Text(en="the kind of document is not named", ko="문서 종류를 말씀하지 않으셨습니다")
_WHICH_DOCUMENT = Text(en="Which document should I write?", ko="어떤 문서를 작성할까요?")
SUBJECT = "subject"
"""The field of an answer that says what a document is about."""
_NO_SUBJECT = Text(
    en="nothing is named that the {title} could be about", ko="{title}에 담을 내용을 말씀하지 않으셨습니다"
)
_NO_RESULTS = Text(
    en="'{answer}' names no figure of the data.", ko="'{answer}'에서 데이터의 지표를 찾지 못했습니다."
)
_WHICH_SUBJECT = Text(
    en="What shall the {title} be about? Name a figure and a period, such as sales of last month.",
    ko="{title}을(를) 무엇에 관해 쓸까요? 지표와 기간을 알려주세요(예: 지난달 매출).",
)
_NO_REFERENCE = Text(
    en="'{text}' refers to nothing made so far", ko="'{text}'이(가) 가리키는 결과가 아직 없습니다"
)
_WHAT_REFERENCE = Text(en="What should I use for '{text}'?", ko="'{text}'은(는) 무엇을 말씀하시나요?")
_NO_INTENT = Text(
    en="nothing in the question tells what to do", ko="질문에서 무엇을 원하시는지 찾지 못했습니다"
)
_NOT_KNOWN = Text(
    en="nothing in the question tells what to do; not known here: {words}",
    ko="질문에서 무엇을 원하시는지 찾지 못했습니다. 여기서 모르는 말: {words}",
)
_WHAT = Text(en="What would you like me to do?", ko="무엇을 도와드릴까요?")
_NOT_OURS = Text(
    en="I have nothing here about: {words}. What would you like me to do?",
    ko="여기서 다루지 않는 말입니다: {words}. 무엇을 도와드릴까요?",
)
_PERIODS = (
    Text(en="past week", ko="최근 1주일"),
    Text(en="past month", ko="최근 1개월"),
    Text(en="past 3 months", ko="최근 3개월"),
)


def _entry(field: str, reason: str, question: str, choices: Sequence[tuple[str, Any]]) -> Plain:
    shown = list(choices)[:MAX_OPTIONS]
    return {
        "field": field,
        "reason": reason,
        "question": question,
        "options": [label for label, _ in shown],
        "choices": [{"label": label, "value": value} for label, value in shown],
    }


def similar(book: Phrasebook, kind: str, text: str) -> list[Meaning]:
    """Names of a kind that share most with the text: offered when the text itself is not known."""
    from rapidfuzz import fuzz, process

    keys = [key for key, meanings in book.exact.items() if meanings[0].type == kind]
    near = process.extract(
        letters(key_of(text)), [letters(key) for key in keys], scorer=fuzz.ratio, limit=4, score_cutoff=50
    )
    found: dict[tuple[str, str], Meaning] = {}
    for _, _, at in near:
        found.update({meaning.identity: meaning for meaning in book.exact[keys[at]]})
    return list(found.values())


def name_choices(
    meanings: Sequence[Meaning], vocabulary: SemanticVocabulary, language: str
) -> list[tuple[str, Any]]:
    """The names to choose from; where they are of several kinds, such as doctors and reps, each says its own."""
    kinds = {str(meaning.extra.get("dimension") or "") for meaning in meanings}
    titles = {kind: _label(vocabulary, "dimension", kind, language) for kind in kinds if kind}
    several = len(kinds) > 1
    return [(_told_apart(meaning, titles if several else {}), meaning.normalized) for meaning in meanings]


def _told_apart(meaning: Meaning, titles: Mapping[str, str]) -> str:
    title = titles.get(str(meaning.extra.get("dimension") or ""))
    if title is None:
        return meaning.label
    detail = meaning.label.removeprefix(meaning.name).strip(" ()")
    return f"{meaning.name} ({', '.join(filter(None, (title, detail)))})"


def of_name(
    entity: Entity, text: str, field: str, book: Phrasebook, vocabulary: SemanticVocabulary, language: str
) -> Plain:
    if entity.candidates:
        reason, asked = _SEVERAL.say(language, text=text, count=len(entity.candidates)), _WHICH
    else:
        reason, asked = _UNKNOWN.say(language, text=text), _INSTEAD
    meanings = entity.candidates or similar(book, entity.type, text)
    return _entry(field, reason, asked.say(language, text=text), name_choices(meanings, vocabulary, language))


def metric_label(vocabulary: SemanticVocabulary, name: str, language: str) -> str:
    return _label(vocabulary, "metric", name, language)


def _label(vocabulary: SemanticVocabulary, kind: str, name: str, language: str) -> str:
    term = vocabulary.find(kind, name)
    labels = [label for label in (term.labels if term else ()) if label.isascii() == (language == "en")]
    return labels[0] if labels else name


def of_metric(entity: Entity, text: str, vocabulary: SemanticVocabulary, language: str) -> Plain:
    names = [name for name in entity.extra.get("options", ()) if vocabulary.find("metric", name)]
    choices = [(metric_label(vocabulary, name, language), name) for name in names]
    return _entry(
        "metric",
        _MEANINGS.say(language, text=text, count=len(names)),
        _FIGURE.say(language, text=text),
        choices,
    )


def of_figure(vocabulary: SemanticVocabulary, language: str) -> Plain:
    names = [term.name for term in vocabulary.terms if term.kind == "metric"]
    choices = [(metric_label(vocabulary, name, language), name) for name in names]
    return _entry("metric", _NO_FIGURE.say(language), _WHAT_FIGURE.say(language), choices)


def of_period(text: str, language: str, impossible: bool) -> Plain:
    if impossible:
        return _entry("period", _IMPOSSIBLE.say(language, text=text), _WHICH_DAY.say(language, text=text), [])
    choices = [(period.say(language), period.say(language)) for period in _PERIODS]
    return _entry("period", _VAGUE.say(language, text=text), _HOW_LONG.say(language, text=text), choices)


def of_document(domain: Domain, language: str) -> Plain:
    choices = [(kind.title.say(language), kind.name) for kind in domain.document_types.values()]
    return _entry("document_type", _NO_TYPE.say(language), _WHICH_DOCUMENT.say(language), choices)


def of_subject(title: str, answer: str, language: str) -> Plain:
    """Asks what a document of results shall be about; `answer` is one that named nothing."""
    question = _WHICH_SUBJECT.say(language, title=title)
    if answer:
        return _entry(SUBJECT, "", f"{_NO_RESULTS.say(language, answer=answer[:80])} {question}", [])
    return _entry(SUBJECT, _NO_SUBJECT.say(language, title=title), question, [])


def of_reference(text: str, language: str) -> Plain:
    return _entry(
        "reference", _NO_REFERENCE.say(language, text=text), _WHAT_REFERENCE.say(language, text=text), []
    )


def of_intent(domain: Domain, possible: Collection[str], unread: Sequence[str], language: str) -> Plain:
    """Offers nothing but what can be done here, and of several things that one agent does the first: all kinds fit in."""
    known = _NOT_KNOWN.say(language, words=", ".join(unread)) if unread else _NO_INTENT.say(language)
    kinds: dict[frozenset[str], Intent] = {}
    for intent in domain.intents:
        if intent.capabilities and set(intent.capabilities) <= set(possible):
            kinds.setdefault(frozenset(intent.capabilities), intent)
    choices = [(intent.title.say(language), intent.name) for intent in kinds.values()]
    asked = _NOT_OURS.say(language, words=", ".join(unread)) if unread else _WHAT.say(language)
    return _entry("intent", known, asked, choices)


_READINGS = Text(en="the question can be read in {count} ways", ko="질문을 {count}가지로 읽을 수 있습니다")
_WHICH_READING = Text(en="Which of these do you mean?", ko="어느 것을 말씀하시나요?")


def of_reading(options: Sequence[str], language: str) -> Plain:
    reason = _READINGS.say(language, count=len(options))
    return _entry("reading", reason, _WHICH_READING.say(language), [(text, text) for text in options])


_CONDITION = Text(
    en="nothing here judges whether '{condition}'", ko="'{condition}'인지 여기서 판단할 수 없습니다"
)
_ANYWAY = Text(
    en="Nothing here judges '{condition}'. Shall I do it anyway?",
    ko="'{condition}' 조건은 여기서 판단할 수 없습니다. 그래도 할까요?",
)
_DO_IT = Text(en="Do it anyway", ko="그래도 해줘")


def of_condition(condition: str, language: str) -> Plain:
    """Asks whether something is to be done whatever its condition says."""
    reason, question = (each.say(language, condition=condition) for each in (_CONDITION, _ANYWAY))
    return _entry("condition", reason, question, [(_DO_IT.say(language), "anyway")])


def of_slot(field: str, reason: str, question: str, choices: Sequence[tuple[str, Any]]) -> Plain:
    return _entry(field, reason, question, choices)


_ORDINALS = {
    "첫": 1,
    "두": 2,
    "세": 3,
    "네": 4,
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "1st": 1,
    "2nd": 2,
    "3rd": 3,
}
_INDEX = regex(
    r"\s*(?:(\d{1,2})\s?(?:번|\.|\))?|(첫|두|세|네)\s?번째?.*|(?:the\s)?(first|second|third|fourth|1st|2nd|3rd).*)\s*\Z"
)
_ANY = regex(r"아무거나|상관\s?없|다\s?좋|알아서|any(?:thing)?\b|whatever|don'?t care|no preference")


def chosen(answer: str, choices: Sequence[tuple[str, Any]]) -> int | None:
    """Finds the option that an answer means: by number, by word, by the nearest spelling; None if none."""
    lowered = answer.strip().lower()
    match = _INDEX.match(lowered)
    if match:
        number = int(match[1]) if match[1] else _ORDINALS[match[2] or match[3]]
        return number - 1 if 1 <= number <= len(choices) else None
    key = key_of(lowered)
    exact = [at for at, (label, value) in enumerate(choices) if key in (key_of(label), key_of(str(value)))]
    if exact:
        return exact[0]
    inside = [
        at
        for at, (label, _) in enumerate(choices)
        if key
        and (key in key_of(label) or key_of(label) in key or _mentions(key, label))
        and not _declined(lowered, label)
    ]
    if len(inside) == 1:
        return inside[0]
    return 0 if choices and _ANY.search(lowered) else None


def _declined(answer: str, label: str) -> bool:
    """`그럼 저장은 빼고` takes anything but 저장."""
    at = answer.find(label.lower())
    return at >= 0 and unwanted(answer, at, at + len(label))


def _mentions(key: str, label: str) -> bool:
    """`대구팀` answers `박민수 (대구팀)`: the part in brackets is what tells two names apart."""
    detail = re.search(r"\(([^)]+)\)", label)
    return detail is not None and key_of(detail[1]) in key


def pick(answers: Mapping[str, str], field: str, choices: Sequence[tuple[str, Any]]) -> int | None:
    return chosen(answers[field], choices) if field in answers else None
