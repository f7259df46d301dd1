"""Facts of a form as the request words them. Pure.

A value stands behind a field's own words ("연자는 …", "next meeting on …") and ends where the next field's words begin; or it
is the object of the field's verb ("브로슈어 전달했어", "I left the dosing card"), unless that clause denies it; a name is known
by its ending ("한결내과의원") or its title ("김서진 원장", "Dr. Kim"); a topic stands before the name of the document. Nothing is
looked up: a name counts as it is written.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from metaagent.documents.fields import find_time
from metaagent.documents.templates import FieldSpec, Template
from metaagent.language.days import Day, days_in
from metaagent.level2.document.clauses import Range, clause_at
from metaagent.level2.document.facts_in_clauses import (
    acted,
    any_of,
    asked,
    clear_of,
    done,
    planned,
    talked_about,
)
from metaagent.level2.document.labels import NUMBER, Label, Labels, labelled_part
from metaagent.level2.document.people import names_with_titles
from metaagent.level2.document.said import Fact, Read, Said, Taken, is_korean, overlaps
from metaagent.level2.document.verb_objects import LONGEST, REQUEST

_HOUSES = "병원|의원|의료원|대학교|대학|클리닉|보건소|약국|본사|지사|학교|협회|학회|호텔|센터|타워|빌딩"
_WORD_END = (
    r"(?=에서|에(?![가-힣])|으로|로|[\s,.()]|$|[은는이가을를의과와](?![가-힣])"
    r"|이(?:고|며|야|에요|라|었|다)|입니다|예요|인데)"
)
_STRENGTH = r"(?:\d[\d.]*\s?(?:mg|mcg|g|ml|%)\s)?"
"""A measure within the name of a thing: Carvion 10 mg tablets."""
_NAME_EN = r"(?:[A-Z][\w'-]*\.?\s){1,4}"
_SENTENCE_WORDS = re.compile(
    r"^(?:Visited|Visit|Met|Saw|Called|Went|At|In|To|For|From|With|Yesterday|Today|The|My|Our|Please|Write|Draft|Make|Log|Report|Paid|Spent|Lunch"
    r"|Dinner|Was|We|I|On|Re|Just|Proposal|Expense|Seminar|Had|Spoke|Talked|Stopped|By|And|Then|Also|This|Follow|Next|Last"
    r"|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December)\s"
)
_NO_PLACE = r"\S*(?:을|를|은|는|에|에서|로|고|서|명|분|시|반|일|요일|줘|요|님|오전|오후|저녁|아침|점심|장소|예정|주제|연자)\s"
"""A word that stands before the name of a place and is no part of it."""
_PLACE_KO = re.compile(r"((?:[가-힣A-Za-z0-9]+\s){0,3}[가-힣A-Za-z0-9]+)에서(?=\s)")
_PLACE_EN = re.compile(r"\b[Aa]t\s(?:the\s)?((?:[A-Z][\w&'-]*)(?:\s[A-Z][\w&'-]*){0,4})")
_TIME_WORD = re.compile(
    r"\d|^(?:오전|오후|저녁|아침|점심|오늘|내일|어제|모레|다음|이번|지난)|(?:요일|시|분|반)(?:에)?$"
)
_OTHER_PART = re.compile(r"(?:을|를|은|는|이|가|에|로|고|서|명|분|하여|해서)$")
"""A word before a place that is another part of the sentence."""
_IN_SENTENCE = re.compile(
    r"[가-힣](?:은|는|이|가|을|를|에|에서|라|서|고|며|님|께)$|^(?:I|we|she|he|they|is|was|had|has)$",
    re.IGNORECASE,
)
"""A word of a whole sentence, not of a name alone."""
_POINTING = re.compile(r"(?:같은\s?(?:곳|장소|병원|의원|기관)|거기|그\s?곳|여기|저기)$")
"""Words that point at a place and name none."""
_NO_TOPIC = re.compile(
    r"(?:에|에서|은|는|을|를|의|이|하는|는데|려고|한데|인데|길래|면|하려|한|할|된|으로|로|와|과|랑|하고|여는|줘|요|고|서|니|며)$"
    r"|^(?:새|새로운|좀|내|우리|그|이|저|다음|이번|지난|오늘|내일|어제|제품|사내|온라인|관련|위한|정기|간단히|빨리|바로|하나|a|an|the|my|our|new"
    r"|this|that|draft|write|make|create|prepare|need|please|want|product|another|one|for)$|[.,!?:;()\d]",
    re.IGNORECASE,
)
_NO_OCCASION = re.compile(
    _NO_TOPIC.pattern.replace("|product|", "|")
    .replace("|제품|", "|")
    .replace("|new|", "|was|is|for|during|at|")
    + r"|^(?:있었던|열린|열렸던|진행한|진행된|개최된|개최한|했던|was|is|during"
    r"|after|at|on|and|with|had|held|점심|저녁|식사|선생님\S*|의료진\S*)$",
    re.IGNORECASE,
)
_EVENTS = r"강의|강연|강좌|심포지엄|설명회|간담회|워크숍|학술대회|토론회"
"""Things that are held, whatever the document calls them."""
LONGEST_TOWN = 3
"""Letters of the name of a town or quarter."""
MOST_WORDS = 4
"""Words of a topic that stands before the name of a document."""


def about(template: Template, said: Said) -> Said:
    """The words with the labels of the template in them, and the thing that its document is for."""
    thing = (template.name.ko, template.name.en)
    names = tuple(each.split()[0].lower() for each in thing if each)
    of_fields = [
        (*each.words, *each.called, each.label.ko, each.label.en) for each in template.fields.values()
    ]
    words = frozenset(word.lower() for named in of_fields for name in named for word in name.split())
    return replace(said, labels=Labels.of(template, said.text), thing=names, field_words=words)


def facts_of(template: Template, said: Said) -> dict[str, Fact]:
    """The facts that the request states for the fields of a template. A stretch of text fills one field."""
    said = about(template, said)
    found: dict[str, Fact] = {}
    for read in READERS:
        for name, spec in template.fields.items():
            if name in found or "form" not in spec.source:
                continue
            fact = read(spec, said, [each.at for each in found.values() if not each.shared])
            if fact is not None:
                found[name] = fact
    return found


def facts_of_field(spec: FieldSpec, text: str) -> Fact | None:
    """The last name in a text that ends as the field's names do."""
    found, at = None, 0
    while (fact := _ending(spec, Said(text[at:]), ())) is not None:
        found, at = fact, at + fact.at[1]
    return found


_MARKED = r"(?P<open>['\"“‘「『])(?P<value>[^'\"“”‘’「」『』\n]{2,120})['\"”’」』]"


def _quoted(spec: FieldSpec, said: Said, taken: Taken) -> Fact | None:
    """Words in quotation marks with the field's own words behind them: '최신 치료 지견'이라는 주제로."""
    if spec.type != "text" or not spec.words:
        return None
    things = said.thing if spec.take == "subject" else ()  # '…' 세미나: the topic of the thing itself
    named = [each for each in (*spec.words, *things) if not each.endswith(NUMBER)]
    words = "|".join(re.escape(each) for each in sorted(named, key=len, reverse=True))
    found = re.search(
        rf"{_MARKED}\s?(?:이라는|라는|이란|란|을|를|as the|as its)?\s?(?:{words})", said.text, re.IGNORECASE
    )
    if found is None and spec.take == "subject":
        found = re.search(rf"\b(?:called|titled|entitled|named)\s{_MARKED}", said.text, re.IGNORECASE)
    if found is None or overlaps(found.span(), taken):
        return None
    return Fact(found["value"].strip(), found.span())


def _labelled(spec: FieldSpec, said: Said, taken: Taken) -> Fact | None:
    for label in said.labels.of_field(spec):
        if spec.type in ("date", "moment"):
            fact = _day_in(spec, said, (label.end, said.labels.end(label)), label.start)
            fact = fact or _day_before(spec, said, label, taken)
        else:
            part = labelled_part(spec, said.text, label, said.labels)
            fact = None if part is None else Fact(*part)
        if fact is not None and not overlaps(fact.at, taken):
            return fact
    return None


def _day_before(spec: FieldSpec, said: Said, label: Label, taken: Taken) -> Fact | None:
    """The day right before the field's words, where none follows: 11월 30일 오전에 재방문 예정입니다."""
    clause = next((each for each in reversed(said.clauses) if each.end <= label.start), None)
    if label.colon or clause is None or said.text[clause.end : label.start].strip():
        return None
    fact = _day_in(spec, said, (clause.start, clause.end), clause.start)
    if fact is None or overlaps(fact.at, taken) or len(clause.text) > LONGEST // 2:
        return None
    return Fact(fact.text, (fact.at[0], label.end))


def _day_in(spec: FieldSpec, said: Said, region: Range, start: int) -> Fact | None:
    """The first day of a stretch, with the time beside it where the field keeps one."""
    piece = said.text[region[0] : region[1]]
    days = days_in(piece, said.today, ahead=not spec.past)
    return _moment(spec, said, piece, days[0], region[0], start) if days else None


def _moment(spec: FieldSpec, said: Said, piece: str, day: Day, offset: int, start: int) -> Fact:
    time = find_time(piece[day.end :]) if spec.type == "moment" else None
    text = day.day.isoformat()
    end = offset + day.end
    if spec.type == "moment" and (bare := _AT_HOUR.match(piece, day.end)):  # next Monday at 10
        return Fact(
            f"{text} {bare[1]}{'pm' if int(bare[1]) in range(1, 7) else ':00'}", (start, offset + bare.end())
        )
    if time is not None and len(piece[day.end : day.end + time.start()]) <= LONGEST // 4:
        text, end = f"{text} {time[0]}", end + time.end()
    return Fact(text, (start, end))


def _named_behind(spec: FieldSpec, said: Said, taken: Taken) -> Fact | None:
    """A value with the field's own words behind it: 최신 지침이 주제고, 재고가 주는 게 장점이야, 5% 할인해 드린다는 조건."""
    if spec.type not in ("text", "list") or spec.titles or spec.endings or not (spec.words or spec.called):
        return None
    names = [each for each in {*spec.words, *spec.called, spec.label.ko, spec.label.en} if len(each) > 1]
    pattern = _is_its_name(tuple(sorted(names)))
    for clause in said.clauses:
        found = pattern.search(clause.text)
        value = found["ko"] or found["quoted"] or found["en"] if found else None
        if found is None or value is None or clause.denied or REQUEST.search(value):
            continue
        start = clause.start + found.start() + found[0].find(value)
        text = clear_of(taken, Fact(value.strip(), (start, start + len(value.strip()))))
        if text is not None and not overlaps(text.at, taken):
            return text
    return None


@lru_cache(maxsize=200)
def _is_its_name(names: tuple[str, ...]) -> re.Pattern[str]:
    ordered = sorted((each for each in names if not each.endswith(NUMBER)), key=len, reverse=True)
    korean = "|".join(re.escape(each) for each in ordered if is_korean(each)) or r"(?!)"
    english = "|".join(re.escape(each) for each in ordered if not is_korean(each)) or r"(?!)"
    end = r"(?:이?(?:고|며|고요|인데|라서)(?=[\s,])|이?(?:고|며|야|에요|예요|입니다|임|다|래|랍니다)?[.!~]*$)"
    return re.compile(
        rf"^(?P<ko>.{{2,80}}?)(?:(?<=게)|(?:이|가)|것이|것)\s(?:{korean}){end}"
        rf"|^(?P<quoted>.{{2,80}}?)다?(?:라는|는)\s(?:{korean}){end}"
        rf"|^(?P<en>.{{2,80}}?)\s(?:is|as|will be)\s(?:the|its|our|a)\s(?:main\s)?(?:{english})$",
        re.IGNORECASE,
    )


_AT_HOUR = re.compile(r",?\sat\s(1\d|2[0-3]|[1-9])(?!\d|[:.,%]\d|\s?(?:[ap]\.?m|[a-z%]))", re.IGNORECASE)
"""An hour alone behind a day."""


def _followed(spec: FieldSpec, said: Said, taken: Taken) -> Fact | None:
    """A number with the field's words behind it."""
    if not spec.behind:
        return None
    words = "|".join(re.escape(each) for each in sorted(spec.behind, key=len, reverse=True))
    number = r"(?:KRW\s?|₩\s?)?\d[\d,.]*\s?[천만억]?(?:\s?[A-Za-z가-힣]{1,10}){0,2}?"
    if spec.type == "money":  # 600정씩 is no price
        number = rf"(?!\d[\d,.]*\s?(?:정|캡슐|병|박스|포|개|통|팩|명|분)){number}"
    return _first(rf"(?<![\d.,]){number}\s?(?:{words})(?![A-Za-z가-힣])", said.text, taken)


def _timed(spec: FieldSpec, said: Said, taken: Taken) -> Fact | None:
    found = find_time(said.text) if spec.type == "time" else None
    return Fact(found[0], found.span()) if found and not overlaps(found.span(), taken) else None


def _meeting_again(spec: FieldSpec, said: Said, taken: Taken) -> Fact | None:
    """The day of a clause with one of the field's verbs: 금요일 3시에 다시 방문하기로."""
    if spec.type not in ("date", "moment"):
        return None
    for clause in said.clauses:
        if spec.verbs and any_of(spec.verbs).search(clause.text):
            fact = _day_in(spec, said, (clause.start, clause.end), clause.start)
            if fact is not None and not overlaps(fact.at, taken):
                return Fact(fact.text, (clause.start, clause.end))
    return None


def _on_a_day(spec: FieldSpec, said: Said, taken: Taken) -> Fact | None:
    """A day that no other field's words claim and that is no deadline: for a day that was, one that is not ahead."""
    if spec.type not in ("date", "moment") or spec.take != "period":
        return None
    days = [
        each
        for each in days_in(said.text, said.today, ahead=not spec.past)
        if not each.deadline and not overlaps((each.start, each.end), taken)
    ]
    if spec.past:
        days = [
            each for each in days if each.day <= said.today and not clause_at(said.text, each.start).planned
        ]
        own = [each for each in days if not said.text.startswith(("'s ", "’s "), each.end)]
        days = own or days  # yesterday's call got moved, so I saw her today
    return _moment(spec, said, said.text, days[0], 0, days[0].start) if days else None


def _coming_back(spec: FieldSpec, said: Said, taken: Taken) -> Fact | None:
    """A day ahead in words of coming back, whatever the verb: she'd like to see us again on 1 December at 11."""
    if spec.type != "moment" or spec.past or not spec.verbs:
        return None
    for clause in said.clauses:
        if clause.denied or clause.asks or REQUEST.search(clause.text) or not _RETURN.search(clause.text):
            continue
        fact = _day_in(spec, said, (clause.start, clause.end), clause.start)
        if fact is not None and fact.text[:10] > said.today.isoformat() and not overlaps(fact.at, taken):
            return Fact(fact.text, (clause.start, clause.end))
    return None


_RETURN = re.compile(
    r"다시|재방문|(?<![가-힣])또(?=\s)|다음(?!\s?(?:주|달|날))|오라|와\s?달|오시|들르|찾아뵙|뵙|만나기|약속"
    r"|\b(?:again|back|return|revisit|follow-?up|(?:see|meet) (?:me|us|him|her|them)|come (?:by|in|over)"
    r"|drop by|stop by|catch up)\b",
    re.IGNORECASE,
)


def _purposed(spec: FieldSpec, said: Said, taken: Taken) -> Fact | None:
    """Purpose of an expense, told by itself: it was to thank them for the help, 제품 설명 자리였어."""
    for clause in said.clauses if spec.take == "cost" else ():
        found = None if clause.denied or REQUEST.search(clause.text) else _PURPOSE.search(clause.text)
        if found is None:
            continue
        group = next(each for each in ("en", "to", "ko") if found[each])
        at = (clause.start + found.start(group), clause.start + found.end(group))
        if not overlaps(at, taken):
            return Fact(found[group].strip(), at)
    return None


_PURPOSE = re.compile(
    r"^(?:it|this|that)\s(?:was|is)\s(?:all\s)?(?:to|for|about|part of)\s"
    r"(?:the\s)?(?P<en>(?!\d|\w+\s(?:people|persons|won)).{3,80})$"
    r"|(?:^|\s)(?:in order\s)?to\s(?P<to>(?:talk|discuss|thank|review|go over|present|explain|introduce|celebrate|prepare|train"
    r"|plan|cover|walk|welcome|brief|show|demonstrate|follow up|mark|say)\b.{3,80})$"
    r"|^(?P<ko>.{2,60}?)\s?(?:자리|건|차원|명목|일|모임|행사)(?:였|이었|입니다|이에요|예요|이야|임|이고|으로\s?(?:쓴|썼|지출|사용))",
    re.IGNORECASE,
)


def _planned_for(spec: FieldSpec, said: Said, taken: Taken) -> Fact | None:
    """A day with its hour in what was promised: I'll bring them next Monday at 10."""
    for clause in said.clauses if spec.type == "moment" and spec.verbs else ():
        if clause.planned and not clause.denied and not clause.asks:
            fact = _day_in(spec, said, (clause.start, clause.end), clause.start)
            if fact is not None and " " in fact.text and not overlaps(fact.at, taken):
                return replace(fact, shared=True)
    return None


def _titled(spec: FieldSpec, said: Said, taken: Taken) -> Fact | None:
    """People with their titles, unless their clause says that they were not there."""
    for clause in said.clauses if spec.titles else ():
        if clause.denied:
            continue
        found = names_with_titles(clause.text, spec.titles)
        if found is not None:
            at = (clause.start + found.start, clause.start + found.end)
            if not overlaps(at, taken):
                return Fact(found.text, at)
    return None


def _ending(spec: FieldSpec, said: Said, taken: Taken) -> Fact | None:
    if not spec.endings:
        return None
    if spec.take == "product":  # a product stands within what was said or offered of it, too
        taken = ()
    any_ending = "|".join(map(re.escape, spec.endings))
    korean = rf"(?<![가-힣A-Za-z0-9])[가-힣A-Za-z0-9]{{0,20}}(?:{any_ending}){_WORD_END}"
    if spec.take == "place":
        # 대전컨벤션센터 204호, 새솔병원 대강당: words that each end so, and whose house it is, are one place
        korean = rf"(?:[가-힣A-Za-z0-9]{{1,20}}(?:{_HOUSES})\s)?{korean}(?:\s{korean})*"
        korean = rf"(?:(?<![가-힣\w])(?!{_NO_PLACE})[가-힣]{{2,8}}\s){{0,2}}{korean}"
        name = rf"(?:[A-Z][\w&'-]*\s){{1,4}}(?:[a-z]+\s){{0,2}}(?:{any_ending})\b(?:\s[A-Z0-9][\w-]*)?"
        english = rf"\b{name}(?:\s?(?:of|in|at|,)\s(?:the\s)?{name})?|\b(?:{any_ending})\s[A-Z0-9][\w-]*"
        return _first(rf"\b(?:Hotel|Hall|Room)\s[A-Z][\w-]*|{english}|{korean}", said.text, taken)
    korean = rf"(?<![가-힣A-Za-z0-9])[가-힣A-Za-z0-9]{{2,20}}(?:{any_ending})"
    if spec.take == "cost":  # 간담회 is an occasion by itself, 의원 is no house
        return _occasion(rf"[가-힣A-Za-z0-9]{{0,20}}(?:{any_ending})", said, taken)
    found = _first(rf"{korean}|\b{_NAME_EN}{_STRENGTH}(?:{any_ending})\b", said.text, taken)
    if found is None:
        return None
    text = found.text
    while (first := _SENTENCE_WORDS.match(text)) and len(text.split()) > 2:
        text = text[first.end() :]
    return Fact(text, (found.at[1] - len(text), found.at[1]), shared=spec.take == "product")


def _occasion(pattern: str, said: Said, taken: Taken) -> Fact | None:
    """An occasion with the words that say which: 조인트렉스정 설명회, the Alenavin presentation."""
    for match in re.finditer(rf"(?<![가-힣A-Za-z]){pattern}(?![A-Za-z])", said.text):
        others = tuple(each for each in said.known if each not in said.products)
        fact = _topic_before(replace(said, known=others), match.start(), taken, most=4, never=_NO_OCCASION)
        start = match.start() if fact is None else fact.at[0]
        at = (start, match.end())
        if not overlaps(match.span(), taken):
            return Fact(re.sub(r"^(?:the|a|an|our)\s", "", said.text[start : match.end()]), at)
    return None


def _placed(spec: FieldSpec, said: Said, taken: Taken) -> Fact | None:
    """A place that something is held at: 부산 벡스코에서. One that is named fully goes before a mere town."""
    found = _place_by(_PLACE_KO, said, taken) if spec.take == "place" else None
    if found is None or " " in found.text or len(found.text) > LONGEST_TOWN:
        return found
    return _ending(spec, said, taken) or found


def _placed_at(spec: FieldSpec, said: Said, taken: Taken) -> Fact | None:
    """A name behind “at”, whatever it ends with; of a house that must be named only one of several words."""
    if spec.take == "place":
        return _place_by(_PLACE_EN, said, taken)
    fact = _place_by(_PLACE_EN, said, taken) if spec.take == "organisation" and spec.required else None
    return fact if fact is not None and " " in fact.text else None


def _place_by(pattern: re.Pattern[str], said: Said, taken: Taken) -> Fact | None:
    for match in pattern.finditer(said.text):
        words = match[1].split()
        while words and (_TIME_WORD.search(words[0]) or _OTHER_PART.search(words[0])):
            words = words[1:]
        text = " ".join(words)
        at = (match.end(1) - len(text), match.end(1))
        if text and not _POINTING.search(match[1]) and not overlaps(at, taken):
            return Fact(text, at)
    return None


_COST_KO = re.compile(
    r"(?<![가-힣])([가-힣]{1,10}(?:비|값|료|요금|대금|식대))(?:으로|로|은|는|이|가)?\s?(\d[\d,.]*\s?[천만]?(?:\s?\d[\d,]*\s?[천만]?)?\s?원)"
)
_BOUGHT_KO = re.compile(
    r"(?<![가-힣])((?:[가-힣]{2,8}\s){0,2}[가-힣]{2,8}\s?(?:구입|구매|대여|대관|제작|인쇄))(?:비|으로|에)?\s?(\d[\d,.]*\s?[천만]?\s?원)"
)
_COST_EN = re.compile(
    r"(?:won|KRW\s?[\d,]+|₩\s?[\d,]+),?\s(?:was spent\s)?(?:for|on)\s(?:the\s(?=\S+\s\S))?"
    r"(?!(?:(?:the |my |our |a )?(?:company |corporate |credit )?card|\d|the \d"
    r"|yesterday|today|last|monday|tuesday|wednesday|thursday|friday"
    r"|(?:the )?(?:two|three|four|five|six) (?:of|people)))"
    r"(.{2,60}?)(?=\s(?:on|at|in|with|for|from|while|when|during|yesterday|today|last)\b|[,.;]|$)",
    re.IGNORECASE,
)


_TOPIC_EN = re.compile(
    r"\b(?:seminar|it'?s|it is|talk|talks|speak|speaks|speaking|session|lecture|symposium|evening|afternoon|morning|event|workshop"
    r"|webinar|meeting|course|update|round ?table|programme|program|day)\s(?:will be\s|is\s)?(?:on|about|covering|around)\s"
    r"(?!\d|the \d|(?:mon|tues|wednes|thurs|fri)day"
    r"|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|next|this)(.{3,80}?)(?=[,.;]|\s(?:on|at|in|with|for)\s(?:\d|the\b|(?-i:[A-Z]))|$)",
    re.IGNORECASE,
)


_ITEM_EN = re.compile(
    r"(?:^|[:;,]\s|\b(?:paid|spent on)\s)"
    r"(?!paid|spent|cost|total|amount|about|around|it\s|came|for\s|with\s)"
    r"([a-z][a-z -]{2,30}?)\s(?:of\s|for\s|-\s)?(?:KRW\s?|₩\s?)?\d[\d,.]*\s?won\b"
)


_SUM_EN = re.compile(r"(?:KRW|₩)\s?\d[\d,]*|\d[\d,]*\s?won\b", re.IGNORECASE)
_WORDED = re.compile(r"[a-z]{3,}.*[a-z]{3,}")
_TOTAL_EN = re.compile(r"\b(?:total|altogether|in all|each|per person|report|claim)\b", re.IGNORECASE)


def _items(said: Said) -> list[tuple[str, Range]]:
    """The things that were paid, each with its amount: train to Gwangju KRW 93,600; room hire KRW 250,000."""
    found: list[tuple[str, Range]] = []
    start = 0
    for amount in _SUM_EN.finditer(said.text):
        begin = max(start, *(said.text.rfind(mark, 0, amount.start()) + 1 for mark in ";:\n"))
        pieces = [each for each in said.text[begin : amount.start()].split(",") if _WORDED.search(each)]
        if pieces and not _TOTAL_EN.search(pieces[-1]):
            found.append((f"{pieces[-1].strip(' .-and')} {amount[0]}", (begin, amount.start())))
        start = amount.end()
    return found


_FOR_EN = re.compile(
    r"\b(?:report|claim)\sfor\s(?:my|the|our|a|an|some)\s([a-z][a-z -]{2,40}?)"
    r"(?=[:,.;(]|\s(?:on|at|in|to|of|from|with|last|yesterday|today)\b|$)"
)


def _about(spec: FieldSpec, said: Said, taken: Taken) -> Fact | None:
    """The topic behind an English word: a seminar on asthma in adults."""
    if spec.take != "subject":
        return None
    for clause in said.clauses:
        if (korean := _TOPIC_KO.search(clause.text)) is not None:
            at = (clause.start + korean.start(1), clause.start + korean.end(1))
            if not overlaps(at, taken):
                return Fact(korean[1].strip(), at)
    found = _TOPIC_EN.search(said.text) or _TOPIC_END.search(said.text)
    return Fact(found[1].strip(), found.span(1)) if found and not overlaps(found.span(1), taken) else None


_TOPIC_END = re.compile(
    r"\b(?:seminar|symposium|lecture|workshop)\b.*?\s(?:won|people|attendees|guests|doctors|\d{4}|january|february|march|april|may|june"
    r"|july|august|september|october|november|december)\s(?:on|about)\s(?!the \d|\d|(?:mon|tues|wednes|thurs|fri)day)"
    r"([a-z][^.;,\n]{3,80})(?=[.;,\n]|$)",
    re.IGNORECASE,
)
"""A topic at the end of what is told of the event: … a budget of 2 million won on starter kits in practice."""
_TOPIC_KO = re.compile(
    r"^(?:(?:강의|강연|발표|세미나|내용)(?:은|는)\s)?(?:\S+\s\S+님(?:이|께서|을|를)?\s(?:모시고\s)?)?(.{3,60}?)"
    r"(?:에\s?(?:대해서?|대하여|관해서?|관하여|대한|관한)\s(?:.{0,20}?\s)?(?:강의|강연|발표|세미나|얘기|이야기|말씀|해\s?주|하시|하실|다루|다룰|맡)"
    r"|(?:을|를)?\s(?:얘기|이야기|강의|강연|듣는\s자리)(?:야|이야|입니다|예요|이에요|임)?$)"
)
"""A topic that somebody speaks on: 당뇨병성 신증의 조기 진단에 대해 임하늘 교수님께서 강의해 주십니다."""


def _cost(spec: FieldSpec, said: Said, taken: Taken) -> Fact | None:
    """The thing that was paid: 택시비 23,500원, 88,000 won for parking."""
    if spec.take != "cost":
        return None
    found = list(_COST_KO.finditer(said.text)) or list(_BOUGHT_KO.finditer(said.text))
    if found:
        several = len(found) > 1
        shown = ", ".join(f"{each[1]} {each[2]}" if several else each[1] for each in found)
        return Fact(shown, found[0].span(1))
    items = _items(said)
    if len(items) > 1:
        return Fact("; ".join(text for text, _ in items), items[0][1], tuple(at for _, at in items))
    english = _COST_EN.search(said.text) or _ITEM_EN.search(said.text) or _FOR_EN.search(said.text)
    return Fact(english[1].strip(), english.span(1)) if english else None


def _before_the_name(spec: FieldSpec, said: Said, taken: Taken) -> Fact | None:
    """The words right before the name of the document that say nothing else."""
    places = [said.name_at] if said.name_at >= 0 else []
    any_thing = "|".join((*map(re.escape, said.thing), _EVENTS))
    places += [m.start() for m in re.finditer(rf"(?<![가-힣])(?:{any_thing})(?={_HELD})", said.text.lower())]
    found = [_topic_before(said, place, taken) for place in places] if spec.take == "subject" else []
    return next((fact for fact in found if fact is not None), None)


_HELD = r"(?:를|을)?(?:\s(?:열|하려|개최|진행|준비|계획|신청)|\s?[,/])"


def _topic_before(
    said: Said, place: int, taken: Taken, most: int = MOST_WORDS, never: re.Pattern[str] = _NO_TOPIC
) -> Fact | None:
    blocked = (*taken, *said.known)
    start = end = len(said.text[:place].rstrip())
    for word in reversed(list(re.finditer(r"\S+", said.text[:end]))[-most:]):
        if never.search(word[0]) or overlaps(word.span(), blocked):
            break
        start = word.start()
    return Fact(said.text[start:end], (start, end)) if start < end else None


def _left_over(spec: FieldSpec, said: Said, taken: Taken) -> Fact | None:
    """The one item of notes that says nothing else: a topic, or in English the name of a place."""
    if spec.take not in ("subject", "place", "matter") or said.name_at < 0:
        return None
    least = LEAST_OF_MATTER if spec.take == "matter" else 1
    if len(said.clauses) < least:
        return None
    free = [
        clause
        for clause in said.clauses
        if not overlaps((clause.start, clause.end), (*taken, *said.known))
        and not (clause.asks or clause.denied or clause.planned or clause.courteous or clause.undecided)
        and not REQUEST.search(clause.text)
        and (_PROPER_EN if spec.take == "place" else _NOUNS).fullmatch(clause.text)
        and len(clause.text.split()) >= least - 1
        and not (spec.take == "matter" and any(map(_IN_SENTENCE.search, clause.text.split())))
    ]
    return Fact(free[0].text, (free[0].start, free[0].end)) if len(free) == 1 else None


LEAST_OF_MATTER = 4
"""Items of notes among which one that is nothing else is what was spoken of; it has one word less at least."""
_PROPER_EN = re.compile(r"[A-Z][\w&'-]*(?:\s[A-Z0-9][\w&'-]*){1,4}")
_NOUNS = re.compile(r"(?:[가-힣A-Za-z0-9·-]+\s){1,6}[가-힣A-Za-z·-]+(?<![다요해줘음함임까네고며에은는을를])")


READERS: tuple[Read, ...] = (
    _quoted,
    _labelled,
    _named_behind,
    _followed,
    _meeting_again,
    _timed,
    _planned_for,
    _titled,
    _placed,
    _purposed,
    _ending,
    _placed_at,
    _coming_back,
    _on_a_day,
    done,
    asked,
    acted,
    talked_about,
    planned,
    _cost,
    _about,
    _before_the_name,
    _left_over,
)
"""The ways in which a request states a value, the surest first."""


def _first(pattern: str, question: str, taken: Taken) -> Fact | None:
    for match in re.finditer(pattern, question):
        if match[0].strip() and not overlaps(match.span(), taken):
            return Fact(match[0].strip(), match.span())
    return None
