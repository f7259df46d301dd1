"""Changes of an earlier version by request: a shorter part, a part taken out, another language, another value."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from metaagent.documents.fields import Value, show
from metaagent.documents.filling import Filling, Material, fill, from_artifacts, with_computed
from metaagent.documents.model import (
    Block,
    Chart,
    Document,
    Form,
    Heading,
    Item,
    List,
    Note,
    Paragraph,
    Span,
    Table,
    clean,
    spans,
)
from metaagent.documents.templates import Loaded
from metaagent.language.particles import Language, particle
from metaagent.level2.document.adding import added_values
from metaagent.level2.document.assigning import (
    IS,
    MEASURED,
    TO,
    TO_EN,
    asked_values,
    named_places,
    with_its_title,
)
from metaagent.level2.document.correcting import relative_values
from metaagent.level2.document.document_sections import (
    NUMBERED,
    counted,
    part_asked,
    part_of,
    tidied,
    values_of,
)
from metaagent.level2.document.items import with_their_sum
from metaagent.level2.document.moving import KINDS, moved
from metaagent.level2.document.removing import without_named, without_undecided
from metaagent.level2.document.shortening import SHORTENED, shorter
from metaagent.level2.document.translating import translated
from metaagent.plugin import Failed, Text

_SHORTER = re.compile(
    r"(?:한|두|세|\d)\s?(?:문장|줄)(?:으로|로)|짧게|줄여|줄이|간략|간단히|요약해|shorter|shorten|brief|condense"
    r"|cut down|cut (?:it|this|that) (?:down|short)|too long|trim|너무\s?길",
    re.IGNORECASE,
)
_REMOVE = re.compile(
    r"삭제|빼\s?(?:줘|주|라|자)|빼고|지워|없애|없이|제거|remove|delete|drop|without|get rid of"
    r"|(?:take|leave)\b.{0,40}\bout",
    re.IGNORECASE,
)
_CALLED: dict[type[Block], Text] = {Table: Text(en="tables", ko="표"), Chart: Text(en="charts", ko="그래프")}
_ENGLISH = re.compile(
    r"영어로|영문으로|(?:영어|영문)\s?(?:판|본|버전)|\benglish (?:version|edition|translation)\b|(?:in|into|to) english",
    re.IGNORECASE,
)
_KOREAN = re.compile(
    r"한국어로|국문으로|(?:한국어|국문)\s?(?:판|본|버전)|한글로 (?:바꿔|번역)"
    r"|\bkorean (?:version|edition|translation)\b|(?:in|into|to) korean",
    re.IGNORECASE,
)
_TO_VALUE = re.compile(
    r"\d\s?\S{0,6}(?:\s(?:원|명|분))?(?:으로|로)(?:\s|$|[,.!])|\b(?:to|as|at)\s.{0,20}\d", re.IGNORECASE
)
_ADD = re.compile(
    r"추가|덧붙|넣어|더해|한\s?(?:줄|문장)(?:을)?\s?(?:더\s?)?(?:적어|써|남겨)|라고\s?(?:적어|써\s?(?:줘|주))"
    r"|\b(?:add|append|include|insert)\b|\bput in\b",
    re.IGNORECASE,
)
_SAYING = re.compile(
    r"(?:saying|stating|that\s(?:says|states|reads)|noting|to\ssay|\b(?:sentence|line|note|remark|statement)\s(?=that\s))\s?(?:that\s)?"
    r"['\"“]?(.{3,500}?)['\"”]?\s*[.!]?$",
    re.IGNORECASE,
)
_BEHIND_COLON = re.compile(r"^([^:：\n]{2,100})[:：]\s+(.{3,500})$", re.DOTALL)
_OF_SENTENCE = re.compile(r"문장|한\s?줄|\b(?:sentence|line|note|remark)\b", re.IGNORECASE)
_QUOTED = re.compile(r"['\"“‘](.{3,500}?)['\"”’]")
_SENTENCE_KO = re.compile(
    r"(.{3,300}?)(이?라는|다는|라고|다고)\s?(?:문장|내용|말|문구|설명)?(?:을|를)?\s?(?:하나|한\s?줄)?\s?(?:추가|덧붙|넣어|더해)"
)
_INTO_PART = re.compile(r"\s?(?:항목|부분|절)?(?:의?\s?(?:끝|마지막))?(?:에다가|에다|에)\s+")
_COUNT = re.compile(
    r"(한|두|세|네|[1-9])\s?(?:개의?\s?)?(?:문장|줄)|\b(one|two|three|four|[1-9])\ssentences?\b",
    re.IGNORECASE,
)
_COUNTS = {"한": 1, "두": 2, "세": 3, "네": 4, "one": 1, "two": 2, "three": 3, "four": 4}
_FORMAT = re.compile(
    r"pdf|docx|워드|\bword\b|hwpx?|한글\s?파일|엑셀|excel|xlsx|markdown|마크다운|html", re.IGNORECASE
)

_REMOVED = Text(en="taken out: {what}", ko="{what}: 뺐습니다")
_CHANGED = Text(en="{what}: {before} → {after}", ko="{what}: {before} → {after}")
_NONE_THERE = Text(
    en="There are no {what} in this document; nothing was changed.",
    ko="이 문서에는 {what}이(가) 없습니다. 바꾼 것이 없습니다.",
)
_TRANSLATED: dict[Language, Text] = {
    "en": Text(
        en="now in English; what was typed by hand stays as it was",
        ko="영어로 바꿨습니다. 직접 적은 말은 그대로입니다",
    ),
    "ko": Text(
        en="now in Korean; what was typed by hand stays as it was",
        ko="한국어로 바꿨습니다. 직접 적은 말은 그대로입니다",
    ),
}
_PARTLY_TRANSLATED: dict[Language, Text] = {
    "en": Text(
        en="headings, labels and dates are now in English; quotations and sentences of other sources stay as they were",
        ko="제목, 항목 이름, 날짜를 영어로 바꿨습니다. 인용문과 다른 자료의 문장은 그대로입니다",
    ),
    "ko": Text(
        en="headings, labels and dates are now in Korean; quotations and sentences of other sources stay as they were",
        ko="제목, 항목 이름, 날짜를 한국어로 바꿨습니다. 인용문과 다른 자료의 문장은 그대로입니다",
    ),
}
_MOVED = Text(en="moved: {what}", ko="{what}: 자리를 옮겼습니다")
_ADDED = Text(en="added to {what}: {text}", ko="{what}에 더했습니다: {text}")
_OWN_WORDS = Text(
    en="Added by the author; not from the data.", ko="작성자가 더한 문장이며 자료에서 나온 것이 아닙니다."
)
_OTHER_DATA = Text(en="shown with the figures that were asked for now", ko="이번에 조회한 자료로 바꿨습니다")
_OTHER_FORMAT = Text(en="the same text in another format", ko="같은 내용을 다른 형식으로 만들었습니다")
_LONGER = re.compile(
    r"(?:더|좀)\s?(?:길게|자세히|자세하게|상세히|상세하게|풍부하게)|길게\s?(?:해|써|늘려)"
    r"|\b(?:longer|lengthen|expand|elaborate|more detailed|more detail)\b",
    re.IGNORECASE,
)
_NO_MORE = Text(
    en="Nothing is made up to fill {what}: say which sentence or figures to add.",
    ko="{what}을(를) 늘리려고 내용을 지어내지 않습니다. 더할 문장이나 수치를 말씀해 주세요.",
)
_STAYS_OPEN = Text(en="{what} stays open, as it is.", ko="{what}은(는) 지금처럼 비워 둡니다.")
_ALREADY_SO = Text(en="{what} is {value} already.", ko="{what}은(는) 이미 {value}입니다.")
_UNCLEAR = Text(
    en="I did not understand what to change. Say for example: make item 2 shorter, change the budget to 3 million, remove item 3.",
    ko="무엇을 바꿀지 알 수 없습니다. 예: 2번 항목을 더 짧게, 예산을 300만 원으로 바꿔줘, 3번 항목을 빼줘.",
)
_TITLE = re.compile(r"제목|\btitle\b", re.IGNORECASE)
_CALL_IT = re.compile(
    r"\b(?:call|name|title|entitle|retitle|rename)\s(?:it|this|that|the\s(?:report|document|request|proposal))\s(?:to\s|as\s)?(.{2,120})$",
    re.IGNORECASE,
)
_TITLE_LABEL = Text(en="Title", ko="제목")
_EMPTY = Text(en="(open)", ko="(미기재)")


@dataclass(frozen=True)
class Edited:
    document: Document
    changes: tuple[str, ...]
    """The changes in words."""


def edit(
    document: Document,
    question: str,
    loaded: Loaded,
    today: date | None,
    language: Language,
    materials: Sequence[Material] = (),
    products: Sequence[str] = (),
) -> Edited:
    """The next version, with everything that is asked for. Raises Failed, saying why, where nothing can be changed as asked.
    `products` are those that the data knows and the request names."""
    made = _in_words(document, question, loaded, today, language)
    if made.changes and products:
        made = _with_product(made, products[0], loaded, today, language)
    if not made.changes and _LONGER.search(question):
        part = part_asked(document, question, language)
        raise Failed(_NO_MORE.say(language, what=part.text if part else document.title))
    wanted = asked_language(question)
    if wanted is not None and wanted != document.language and wanted in loaded.template.languages:
        values = values_of(made.document)
        turned = translated(made.document, loaded, wanted, values, today, materials)
        said = (_TRANSLATED if turned.whole else _PARTLY_TRANSLATED)[wanted].say(language)
        made = Edited(turned.document, (*made.changes, said))
    if not made.changes and _FORMAT.search(question):
        return Edited(document, (_OTHER_FORMAT.say(language),))
    if not made.changes:
        raise Failed(_UNCLEAR.say(language))
    return made


def _with_product(
    made: Edited, product: str, loaded: Loaded, today: date | None, language: Language
) -> Edited:
    """The product that was told along, where the form has a place for one and none is in it yet."""
    specs = loaded.template.fields
    free = [
        name for name, spec in specs.items() if spec.take == "product" and name not in made.document.fields
    ]
    there = {span.field for span in spans(made.document)}
    if not free or free[0] not in there:
        return made
    more = _changed_to(made.document, {free[0]: product}, loaded, today, language)
    return Edited(more.document, (*made.changes, *more.changes))


def _in_words(
    document: Document, question: str, loaded: Loaded, today: date | None, language: Language
) -> Edited:
    """The document with other words, parts and values; a sentence behind a colon is added to it last."""
    more = added_values(loaded.template, question, values_of(document))
    if more:
        return _changed_to(document, more, loaded, today, language)
    told = _told_sentence(document, question, loaded)
    asked = question if told is None else told[0]
    found = _of_text(document, asked, loaded, today, language)
    if told is not None:
        made = found or Edited(document, ())
        more = _added(made.document, told[1], _part_to_end(made.document, asked, language), language)
        return Edited(more.document, (*made.changes, *more.changes))
    if found is not None and not _BEHIND_COLON.search(question):
        return found
    if found is None and _LONGER.search(question):
        return Edited(document, ())
    made = found or Edited(document, ())  # drop the chart and add a conclusion: …
    valued = _with_values(made.document, question, loaded, today, language)
    valued = valued or _left_open(made.document, question, loaded, today, language)
    return made if valued is None else Edited(valued.document, (*made.changes, *valued.changes))


def _left_open(
    document: Document, question: str, loaded: Loaded, today: date | None, language: Language
) -> Edited | None:
    found = without_undecided(document, question, loaded, values_of(document), today)
    if found is None:
        return None
    what = ", ".join(found.gone)
    if found.document is document:
        raise Failed(_STAYS_OPEN.say(language, what=what))
    return Edited(tidied(found.document), (_REMOVED.say(language, what=what),))


def _of_text(
    document: Document, question: str, loaded: Loaded, today: date | None, language: Language
) -> Edited | None:
    """One more sentence, a part that is shorter or gone, or another title."""
    measured = _gives_measure(document, question, loaded, today, language)
    if (place := moved(document, question, language)) is not None:
        return Edited(place[0], (_MOVED.say(language, what=place[1]),))
    found = _with_sentence(document, question, language)
    if found is None and not measured:
        found = _with_part(document, question, loaded, today, language)
    found = found or _with_title(document, question, language)
    return found if measured else found or _without_words(document, question, loaded, today, language)


def _gives_measure(
    document: Document, question: str, loaded: Loaded, today: date | None, language: Language
) -> bool:
    """Say whether a field that the request names gets another value: 예산을 900만 원으로 줄여줘 makes no text shorter."""
    if NUMBERED.search(question):
        return False
    before = values_of(document)
    told = relative_values(loaded.template, question, before, frozenset(), today or date(2000, 1, 1))
    if not told and not _TO_VALUE.search(question):
        return False
    given, _ = asked_values(loaded.template, question, before, today or date(2000, 1, 1), language)
    return any(loaded.template.fields[name].type in MEASURED for name in given)


def _with_part(
    document: Document, question: str, loaded: Loaded, today: date | None, language: Language
) -> Edited | None:
    """A part made shorter or taken out."""
    if _REMOVE.search(question):
        part = part_asked(document, question, language)
        if part is not None:
            return _without(document, part, language)
        return _without_kinds(document, question, language)
    if not _SHORTER.search(question):
        return None
    part = part_asked(document, question, language)
    made = shorter(document, part, loaded, today, language, _count(question))
    return shortened(made, part, language)


def _without_words(
    document: Document, question: str, loaded: Loaded, today: date | None, language: Language
) -> Edited | None:
    """The fields, items and sentences that are named by what they hold taken out."""
    if not _REMOVE.search(question):
        return None
    found = without_named(document, question, loaded, values_of(document), today)
    if found is None:
        return None
    what = "; ".join(each.rstrip(".") for each in found.gone)
    others = _recomputed(values_of(document), values_of(found.document), loaded, language)
    return Edited(tidied(found.document), (_REMOVED.say(language, what=what), *others))


def _recomputed(
    before: Mapping[str, Value], after: Mapping[str, Value], loaded: Loaded, language: Language
) -> list[str]:
    """The numbers that are others now that something is gone."""
    specs = loaded.template.fields
    changed = [n for n in after if n in before and specs[n].type in MEASURED and before[n] != after[n]]
    return [
        _CHANGED.say(
            language,
            what=specs[name].label.say(language),
            before=show(before[name].value, specs[name], language),
            after=show(after[name].value, specs[name], language),
        )
        for name in changed
    ]


def _count(question: str) -> int | None:
    """The number of sentences that are to be left, where the request says one."""
    found = _COUNT.search(question)
    said = (found[1] or found[2]).lower() if found else ""
    return _COUNTS.get(said) or (int(said) if said else None)


def _with_sentence(document: Document, question: str, language: Language) -> Edited | None:
    """One more sentence, in the words of the request, at the end of the part that it names."""
    if not _ADD.search(question):
        return None
    part = _part_to_end(document, question, language)
    quoted, korean = _QUOTED.search(question), _SENTENCE_KO.search(_behind_the_part(question, part))
    if found := _SAYING.search(question):
        text = found[1][0].upper() + found[1][1:].rstrip("?!")
    elif quoted:
        text = quoted[1]
    elif korean:
        text = korean[1] + ("다" if korean[2].startswith("다") else "입니다")
    else:
        return None
    return _added(document, text, part, language)


def _told_sentence(document: Document, question: str, loaded: Loaded) -> tuple[str, str] | None:
    """The request without the sentence that it wants added, and that sentence: …추가해줘: 부산 수치는 잠정치입니다. Words behind
    the name of a field are its value and none."""
    found = _BEHIND_COLON.search(question)
    if found is None or not _ADD.search(found[1]):
        return None
    named = [name for _, _, name in named_places(loaded.template, found[1], values_of(document))]
    return None if named and not _OF_SENTENCE.search(found[1]) else (found[1], found[2])


def _part_to_end(document: Document, question: str, language: Language) -> Heading | None:
    """The part that a request names, else the last one."""
    headings = [block for block in document.blocks if isinstance(block, Heading)]
    return part_asked(document, question, language) or (headings[-1] if headings else None)


def _added(document: Document, text: str, part: Heading | None, language: Language) -> Edited:
    text = clean(text).strip(" '\"“”‘’").rstrip(".") + "."
    inside = part_of(document, part)
    last = inside[-1] if inside else None
    texts = [block for block in inside if isinstance(block, Paragraph | List)]
    after = (texts[-1] if texts else last) or part
    stem = f"{part.id if part else 'body'}.added"
    number = sum(block.id.startswith(f"{stem}.") for block in document.blocks)
    note = _own_note(document)
    added = Paragraph(f"{stem}.{number}", (Span(text, note=note.number if note else None),))
    at = document.blocks.index(after) + 1 if after is not None else len(document.blocks)
    made = replace(document, blocks=(*document.blocks[:at], added, *document.blocks[at:]))
    if note is not None and note not in made.notes:
        made = replace(made, notes=(*made.notes, note))
    what = part.text if part else document.title
    return Edited(made, (_ADDED.say(language, what=what, text=text.rstrip(".")),))


def _own_note(document: Document) -> Note | None:
    """The note that a sentence is the author's own, in a document whose other sentences name their sources."""
    if not document.sources:
        return None
    text = _OWN_WORDS.say(document.language)
    number = max((note.number for note in document.notes), default=0) + 1
    return next((note for note in document.notes if note.text == text), Note(number, text))


def _behind_the_part(question: str, part: Heading | None) -> str:
    """The words behind the name or the number of a part: 요약에 …, 2번 항목에 …"""
    title = part.text.partition(". ")[2] if part else ""
    named = re.search(re.escape(title), question) if title else None
    found = named or NUMBERED.search(question)
    into = _INTO_PART.match(question, found.end()) if found else None
    return question[into.end() :] if into else question


def asked_language(question: str) -> Language | None:
    """The language in which a request wants its document, where it says so."""
    english = max((match.end() for match in _ENGLISH.finditer(question)), default=0)
    korean = max((match.end() for match in _KOREAN.finditer(question)), default=0)
    return None if not english + korean else "en" if english > korean else "ko"


def with_data(
    document: Document, loaded: Loaded, materials: Sequence[Material], today: date | None, language: Language
) -> Edited:
    """The document with the figures of other results; what people gave stays."""
    kept = {
        name: value for name, value in values_of(document).items() if not value.source.startswith("artifact")
    }
    values = with_computed(
        loaded.template,
        from_artifacts(loaded.template, materials, document.language) | kept,
        today,
        document.language,
    )
    made = fill(Filling(loaded, document.language, document.document_id, values, materials))
    return Edited(replace(made, title=document.title), (_OTHER_DATA.say(language),))


def is_edit(question: str) -> bool:
    """Say whether a request reads like a change of something that exists."""
    return any(each.search(question) for each in (_SHORTER, _REMOVE, _ENGLISH, _KOREAN, TO, TO_EN))


def shortens(question: str) -> bool:
    return _SHORTER.search(question) is not None


def shortened(document: Document, heading: Heading | None, language: Language) -> Edited:
    """A version that somebody else made shorter."""
    return Edited(document, (SHORTENED.say(language, what=heading.text if heading else document.title),))


def _without(document: Document, heading: Heading, language: Language) -> Edited:
    gone = {heading.id, *(block.id for block in part_of(document, heading))}
    blocks = [block for block in document.blocks if block.id not in gone]
    left = replace(document, blocks=tuple(counted(blocks)))
    shown = {span.field for span in spans(left)}
    lost = {span.field for span in spans(document)} - shown
    left = replace(left, fields={name: each for name, each in left.fields.items() if name not in lost})
    return Edited(tidied(left), (_REMOVED.say(language, what=heading.text),))


def _without_kinds(document: Document, question: str, language: Language) -> Edited | None:
    """All tables or all charts taken out, and the headings that then have nothing below them."""
    gone = [(kind, _CALLED[kind]) for words, kind in KINDS if words.search(question)]
    kinds = tuple(kind for kind, _ in gone)
    left = [block for block in document.blocks if not isinstance(block, kinds)]
    if not gone:
        return None
    what = ", ".join(name.say(language) for _, name in gone)
    if len(left) == len(document.blocks):
        raise Failed(_NONE_THERE.say(language, what=what))
    ends = [*left[1:], None]
    kept = [
        block
        for block, following in zip(left, ends, strict=True)
        if not isinstance(block, Heading)
        or not (following is None or (isinstance(following, Heading) and following.level <= block.level))
        or not part_of(document, block)
    ]
    made = tidied(replace(document, blocks=tuple(counted(kept))))
    return Edited(made, (_REMOVED.say(language, what=what),))


def _with_title(document: Document, question: str, language: Language) -> Edited | None:
    """Another title, where the request says which."""
    word = _TITLE.search(question)
    behind = question[word.end() :] if word else ""
    found = (TO.search(behind) or TO_EN.search(question) or IS.search(behind)) if word else None
    found = found or _CALL_IT.search(question)
    title = clean(found[1]).strip(" '\"“”‘’.") if found else ""
    if not title:
        return None
    said = _CHANGED.say(language, what=_TITLE_LABEL.say(language), before=document.title, after=title)
    return Edited(replace(document, title=title), (said,))


def _with_values(
    document: Document, question: str, loaded: Loaded, today: date | None, language: Language
) -> Edited | None:
    """Other values for the fields that the request names, or that alone can hold what it says."""
    template, day = loaded.template, today or date(2000, 1, 1)
    before = values_of(document)
    given, refused = asked_values(template, question, before, day, language)
    if not given:
        if refused:
            raise Failed(refused[0])
        return None
    return _changed_to(document, given, loaded, today, language)


def _changed_to(
    document: Document, given: Mapping[str, Any], loaded: Loaded, today: date | None, language: Language
) -> Edited:
    """The document with these values, and all that is computed from them."""
    template, before = loaded.template, values_of(document)
    asked = {
        name: Value(with_its_title(template.fields[name], before.get(name), value), "question")
        for name, value in given.items()
    }
    after = with_their_sum(template, before, before | asked)
    after = with_computed(template, after, today, document.language)
    changed = [n for n in template.fields if after.get(n) != before.get(n) and (n in after)]
    if not changed:
        same = next(iter(given))
        what, held = (
            template.fields[same].label.say(language),
            show(before[same].value, template.fields[same], language),
        )
        raise Failed(_ALREADY_SO.say(language, what=what, value=held))
    said = [
        _CHANGED.say(
            language,
            what=template.fields[each].label.say(language),
            before=show(before[each].value, template.fields[each], language)
            if each in before
            else _EMPTY.say(language),
            after=show(after[each].value, template.fields[each], language),
        )
        for each in changed
    ]
    shown = {each: show(after[each].value, template.fields[each], document.language) for each in changed}
    there = {span.field for span in spans(document)}
    if not given.keys() <= there:  # a part that was left out appears with its first value
        made = fill(
            Filling(
                loaded,
                document.language,
                document_id=document.document_id,
                values=after,
                materials=(),
                kept=document,
            )
        )
        return Edited(replace(made, title=document.title), tuple(said))
    return Edited(_revalued(document, shown, after), tuple(said))


_PAIRS = {form: pair for pair in ("은/는", "이/가", "을/를", "과/와", "으로/로") for form in pair.split("/")}
_PARTICLE = re.compile(f"(?:{'|'.join(sorted(_PAIRS, key=len, reverse=True))})(?![가-힣])")


def _revalued(document: Document, shown: Mapping[str, str], values: Mapping[str, Value]) -> Document:
    """Put the new values where their fields stand; everything else stays as it is."""

    def revalued(given: tuple[Span, ...]) -> tuple[Span, ...]:
        made: list[Span] = []
        for span in given:
            if span.field in shown:
                made.append(replace(span, text=shown[span.field], open=False))
            elif made and made[-1].field in shown and (found := _PARTICLE.match(span.text)):
                pair = _PAIRS[found[0]]
                made.append(replace(span, text=particle(made[-1].text, pair) + span.text[found.end() :]))
            else:
                made.append(span)
        return tuple(made)

    def block(each: Block) -> Block:
        match each:
            case Paragraph():
                return replace(each, spans=revalued(each.spans))
            case List():
                return replace(each, items=tuple(Item(revalued(item.spans)) for item in each.items))
            case Form():
                return replace(each, entries=tuple(replace(e, spans=revalued(e.spans)) for e in each.entries))
            case _:
                return each

    old = {name: str(kept.get("shown", "")) for name, kept in document.fields.items()}
    meta = {
        label: next((shown[n] for n in shown if old.get(n) and old[n] == value), value)
        for label, value in document.meta.items()
    }
    fields: dict[str, Any] = {
        name: {
            "value": value.value,
            "source": value.source,
            "shown": shown.get(name, old.get(name, str(value.value))),
        }
        for name, value in values.items()
    }
    made = replace(document, blocks=tuple(map(block, document.blocks)), meta=meta, fields=fields)
    still = tuple(each for each in document.open_fields if each.name not in shown)
    return replace(made, open_fields=still)
