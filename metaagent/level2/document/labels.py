"""Labels of fields in a request, and the value that each has behind it. Pure.

A value begins behind its label and ends where the next label begins, at the latest with its sentence. A label at the begin of
a line with a colon has the whole line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from metaagent.documents.templates import FieldSpec, Template
from metaagent.level2.document.clauses import UNDECIDED, Range, at_line_start, line_end, sentence_end
from metaagent.level2.document.people import names_with_titles
from metaagent.level2.document.verb_objects import LONGEST, REQUEST

_COLON = r"[ \t]?(?:[:：=]|->|→)\s*|[ \t][-–—][ \t]+"
_PARTICLE = rf"(?:은|는|이|가|을|를|\s(?:is|are|was|were|on|at|of|will be))?\s+(?![/|])|{_COLON}"
_TOPIC = rf"(?:은|는)\s+|\s(?:is|was)\s+|{_COLON}"
"""Behind any name of a field: the words that make it what is talked of."""
_IN_NAME = re.compile(
    r"(?<![\w'-])(?!(?:I|We|They|He|She|The|Our|My|Your|Their|His|Her|A|An|One|Another|First|Last|Main|And|Its?)\s)"
    r"[A-Z][\w'-]*[ ]\Z"
)
"""Before a word that ends a name: Bright Leaf Clinic."""
_IS_COLON = re.compile(r"[:：=>→]|\s[-–—]\s")
_BARE = re.compile(r"[ \t]+(?=\S)")
"""Behind a name of a field that an item of notes begins with."""
_ITEM = re.compile(r"(?:^|[,;\n]|[.!?]\s|\s[/|]\s)\s*(?:[-*•·▪◦○□■▷▶]|\d{1,2}[.)]|[①-⑳])?\s*$")
"""Before the first word of an item of notes."""
_LINKED = r"(?:이고|이며|인데)(?:요)?,?\s"
_AND = (
    r"\s및\s|\sand\s(?=(?:I|we|he|she|they|it|you|will|then|also|left|gave|met|saw|took|told|got|is|was|his|her)\b|\d|(?:a|an|the|our)\s"
    r"|[a-z]+ed\s|[A-Z])"
)
"""Before a word that goes on with something else; calcium and potassium levels are one value."""
_STOP = re.compile(rf"[()|]|\s/\s|,(?!\d)|{_AND}|\swith\s(?=[A-Z])|\s?그리고\s|{_LINKED}")
_WHOLE_STOP = re.compile(rf"[()|]|\s/\s|,(?!\d)|\s?그리고\s|{_LINKED}")
_LIST_STOP = re.compile(rf"[()|]|\s/\s|\s?그리고\s|{_LINKED}")
_NO_VALUE = re.compile(
    r"(?:예정|계획|하기로|드리기로|함|했\S*|완료|드림|드렸\S*|빼\s?줘|삭제\S*|없애\S*"
    r"|(?:하나\s|한\s?가지\s)?(?:빠졌|빠뜨|누락|잘못|틀렸|정해졌|바뀌었|바뀜)\S*)(?:[\s,.]|$)"
)
"""Behind the name of a field: what was done or is to be done with it."""
REJECTED = re.compile(r"^.{1,40}?(?:이|가|은|는)?\s?(?:아니라|아니고|말고)\s")
"""The wrong value before the right one: 변우석 교수 말고 변우성 교수."""
_TO_COME = re.compile(r"(?:예정|계획|기로(?:\s?(?:했|함|하)|$)|하겠|드리겠)")
"""Words that tell what will be done with a thing: 자료는 메일로 송부할 예정."""
_PERCENT = re.compile(r"\d[\d.,]*\s?(?:%|퍼센트|percent)")
_TAKES_PLACE = re.compile(r"\b(?:take|takes|took|taking)\s$", re.IGNORECASE)
_TAIL = re.compile(
    r"(?:입니다|이에요|예요|이고|이며|이야|이다|이었고|였고|이었어|였어|이었습니다|였습니다|(?<=[가-힣])야|(?<=[가-힣])요|(?<=[가-힣])임"
    r"|(?<=[가-힣])(?:으로|로)(?=\s|$).*|(?<=[가-힣])에서(?=\s|$).*)$"
)
_CLAUSE = re.compile(
    r"(?:^|\s)(?:못|안)\s|없었|없어서|않았|(?:고|서|며|지만|는데)\s.*(?:다|요|음|어|아)$"
    r"|\b(?:did not|didn't|could not|nobody|no one)\b"
)


@dataclass(frozen=True)
class Label:
    """A place where a field is named: its begin, and where its value begins."""

    field: str
    start: int
    end: int
    colon: bool
    item: bool = False
    """It is the first word of an item of notes."""


class Labels:
    """All labels of a template in a text, so that each value ends before the next."""

    def __init__(self, found: tuple[Label, ...], text: str = "", template: Template | None = None) -> None:
        self._found = found
        self._text = text
        self._template = template

    @classmethod
    def of(cls, template: Template, text: str) -> Labels:
        return cls(tuple(_labels(template, text)), text, template)

    def of_field(self, spec: FieldSpec) -> list[Label]:
        fields = {} if self._template is None else self._template.fields
        return [each for each in self._found if fields[each.field] is spec]

    @property
    def has_houses(self) -> bool:
        """Say whether the house of somebody has a field of its own."""
        fields = {} if self._template is None else self._template.fields
        return any(spec.take == "organisation" and spec.endings for spec in fields.values())

    @property
    def starts(self) -> list[int]:
        return [each.start for each in self._found]

    def end(self, label: Label) -> int:
        """The end of a label's value: the next label, else the end of its line or sentence."""
        ends = (
            line_end(self._text, label.end) if self.has_line(label) else sentence_end(self._text, label.end)
        )
        if self._lists(label) and not self.has_line(label) and not self._in_notes(label):
            while ends < len(self._text) and self._text[ends] == ";":
                ends = sentence_end(self._text, ends + 1)
        later = [each.start for each in self._found if each.start >= label.end]
        return min([ends, *later])

    def has_line(self, label: Label) -> bool:
        """Say whether the rest of its line is the value of a label: behind a colon, or of the first words of a line of notes."""
        notes = label.item and "\n" in self._text
        return (label.colon or notes) and at_line_start(self._text, label.start)

    def begins_sentence(self, label: Label) -> bool:
        """Say whether a label with a colon begins its sentence: Terms: free delivery and 60 days to pay."""
        return label.colon and re.search(r"(?:^|[.!?;]\s)\s*$", self._text[: label.start]) is not None

    def _in_notes(self, label: Label) -> bool:
        """Say whether items that are divided like those of a list stand before a label, so that its own ends with them."""
        return re.search(r";\s*$", self._text[: label.start]) is not None

    def _lists(self, label: Label) -> bool:
        """Say whether the items of a list stand behind a label and its colon, whatever divides them."""
        return (
            label.colon and self._template is not None and self._template.fields[label.field].type == "list"
        )


def _labels(template: Template, text: str) -> list[Label]:
    found: list[Label] = []
    for name, spec in template.fields.items():
        if "form" not in spec.source:
            continue
        listed = tuple(sorted({*spec.words, *spec.called, spec.label.ko, spec.label.en} - {""}))
        for words, behind in ((spec.words, _PARTICLE), (listed, _TOPIC)):
            found += [
                Label(name, match.start(), match.end(), _IS_COLON.search(match[0]) is not None)
                for match in (_any_label(words, behind).finditer(text) if words else ())
                if not (match[0].isascii() and _IN_NAME.search(text[: match.start()]))
                and not _TAKES_PLACE.search(text[: match.start()])
                and not _leads_in(text, match)
                and not (spec.type in ("integer", "money") and _PERCENT.match(text, match.end()))
            ]
        found += _at_items(name, spec, listed, text)
    kept: list[Label] = []
    for each in sorted(found, key=lambda label: (label.start - label.end, label.start)):
        same = (each.start, each.end)  # one word may name two fields, a day and a thing to do: follow-up
        if all(
            each.end <= other.start or other.end <= each.start or same == (other.start, other.end)
            for other in kept
        ):
            kept.append(each)
    return sorted(kept, key=lambda label: label.start)


def _leads_in(text: str, match: re.Match[str]) -> bool:
    """Say whether words and a colon only lead to the lines below: a report from these notes:"""
    return "\n" in match[0].rstrip(" ") and not at_line_start(text, match.start())


def _at_items(name: str, spec: FieldSpec, listed: tuple[str, ...], text: str) -> list[Label]:
    """Korean names of the field that an item of notes begins with: …, 사유 제품설명회, …"""
    plain = spec.type in ("text", "list") and not spec.titles and not spec.endings
    korean = tuple(word for word in listed if (plain or not word.isascii()) and not word.endswith(NUMBER))
    return [
        Label(name, match.start(), match.end(), colon=False, item=True)
        for match in (_any_label(korean, _BARE.pattern).finditer(text) if korean else ())
        if _ITEM.search(text[: match.start()])
        and _could_be(spec, text[match.end() :])
        and not (_BEHIND_SENTENCE.search(text[: match.start()]) and _TELLS.search(_item(text[match.end() :])))
    ]


_BEHIND_SENTENCE = re.compile(r"[.!?]\s\s*$")
_TELLS = re.compile(r"(?:다|요|어|음|함|줘|고|는데|며)[.!~\s]*$")
"""The end of a sentence or clause that tells something, and is no mere value."""


def _item(behind: str) -> str:
    return re.split(r"[,;\n]|[.!?]\s|\s[/|]\s", behind)[0]


def _could_be(spec: FieldSpec, behind: str) -> bool:
    """Say whether the words behind a bare name can be the field's value."""
    item = re.split(r"[,;\n]|\s[/|]\s", behind)[0]
    if spec.type not in ("text", "list"):
        return (
            re.match(r"(?:약|총)?\s?[\d₩]|[가-힣]", item) is not None and re.search(r"\d", item) is not None
        )
    if spec.titles:
        named = names_with_titles(item, spec.titles)
        return named is not None and named.start == 0
    if spec.endings and spec.take != "cost":
        return any(each in item for each in spec.endings)
    if re.search(r"(?:줘|주세요|주십시오|바랍니다)\s*[.!~]*$", item):
        return False
    return (
        REQUEST.search(item) is None and re.match(r"[가-힣]+(?:으로|로|에서|에게|까지|부터)\s", item) is None
    )


_PERSON = re.compile(r"[가-힣]{2,5}(?:\s[가-힣]{1,4})?|[A-Z][\w'.-]*(?:\s[A-Z][\w'.-]*){0,3}")


def _could_be_person(spec: FieldSpec, value: str, label: Label) -> bool:
    """Say whether words can name somebody; only a colon may have any others behind it: 원장님은 용량이 걱정이래요 names nobody."""
    if _CLAUSE.search(value) is not None:
        return False
    named = names_with_titles(value, spec.titles) is not None
    return label.colon or named or _PERSON.fullmatch(value) is not None


_IS_OF = re.compile(r"(?:[가-힣A-Za-z0-9]{2,20}\s){1,3}")
"""Before a name with its title: where somebody is, 명지푸른병원 구매팀."""
NUMBER = " #"
"""The end of a word of a template that names its field only before a number: 포장 #."""


@lru_cache(maxsize=200)
def _any_label(words: tuple[str, ...], behind: str) -> re.Pattern[str]:
    ordered = sorted(words, key=len, reverse=True)
    names = [_pattern(word) for word in ordered if not word.endswith(NUMBER)]
    numbered = [_pattern(word.removesuffix(NUMBER)) for word in ordered if word.endswith(NUMBER)]
    either = [rf"(?:{'|'.join(names)})(?:{behind})"] if names else []
    either += [rf"(?:{'|'.join(numbered)})\s?[:：]?\s?(?=\d)"] if numbered else []
    return re.compile(rf"(?<![\w가-힣])(?:{'|'.join(either)})", re.IGNORECASE)


def _pattern(word: str) -> str:
    plural = "s?" if word.isascii() and word[-1:].isalpha() and not word.endswith("s") else ""
    return re.escape(word).replace(r"\ ", r"\s?" if not word.isascii() else r"\s") + plural


def without_verb(spec: FieldSpec, value: str) -> str:
    """The value without the field's own verb behind it: 자료는 리플렛 2부 드렸어요."""
    korean = [each for each in spec.verbs if not each.isascii() and " " not in each]
    if not korean or spec.type not in ("text", "list"):
        return value
    any_verb = "|".join(map(re.escape, sorted(korean, key=len, reverse=True)))
    return re.sub(rf"(?:을|를)?\s(?:{any_verb})\S{{0,6}}$", "", value) or value


def labelled_part(spec: FieldSpec, text: str, label: Label, labels: Labels) -> tuple[str, Range] | None:
    """The value of a label and where both stand; None where the words behind it tell something else."""
    value = text[
        label.end : min(labels.end(label), label.end + LONGEST * (5 if labels.has_line(label) else 1))
    ]
    if not labels.has_line(label):
        stop = _LIST_STOP if spec.type == "list" else _WHOLE_STOP if labels.begins_sentence(label) else _STOP
        value = stop.split(value)[0]
    if spec.type == "list":
        value = "".join(takewhile(lambda item: not REQUEST.search(item), re.split(r"(?=[,;])", value)))
    if _TO_COME.search(value) and spec.type == "text" and not labels.has_line(label):
        return None
    value = _TAIL.sub("", REJECTED.sub("", value.rstrip(" ,.!?"))).strip(" ,'\"“”‘’")
    named = names_with_titles(value, spec.titles) if spec.titles else None
    if named is not None and (
        named.start == 0 or (labels.has_houses and _IS_OF.fullmatch(value[: named.start]))
    ):
        start = text.find(value[named.start :], label.end)
        return named.text, (label.start if named.start == 0 else start, start + named.end - named.start)
    told = spec.type == "text" and not labels.has_line(label)
    if (
        not value
        or _NO_VALUE.match(value)
        or UNDECIDED.match(value)
        or (told and (REQUEST.search(value) or (spec.titles and not _could_be_person(spec, value, label))))
    ):
        return None
    return without_verb(spec, value), (label.start, label.end + len(value))
