"""Fills a template: values with their sources, text, tables and charts by reference to the artifacts that they come from.

Nothing is invented: a field without a source stays open, in the text and in the list of open fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, cast

from metaagent.documents import model
from metaagent.documents.datasets import sentences_of, tables_of
from metaagent.documents.fields import Value, computed, show, show_period
from metaagent.documents.model import (
    Chart,
    Document,
    Entry,
    Form,
    Heading,
    Item,
    List,
    Note,
    OpenField,
    PageBreak,
    Paragraph,
    Span,
    clean,
)
from metaagent.documents.render.shared_layout import OPEN
from metaagent.documents.templates import Block as BlockSpec
from metaagent.documents.templates import Both, Loaded, Section, Template, computation
from metaagent.errors import Text
from metaagent.language.particles import Language, filled
from metaagent.values import mapping, sequence
from metaagent.values import rows as records

Json = dict[str, Any]
LONGEST_PASSAGE = 1_500
MOST_PASSAGES = 30
_FIGURE = Text(en="Figure {number}. {title}", ko="그림 {number}. {title}")
_TABLE = Text(en="Table {number}. {title}", ko="표 {number}. {title}")
_SOURCE = Text(en="Source: {title} (artifact {id})", ko="자료: {title} (산출물 {id})")
_SOURCE_OF = Text(en="{title}, {period} (artifact {id})", ko="{title}, {period} (산출물 {id})")
_ORIGINAL = Text(en="{place} (quoted in the original Korean)", ko="{place} (원문 그대로 인용)")
_HANGUL = re.compile(r"[가-힣]")
_CHECK = Text(en="Check against the rules", ko="규정 검토")
_OPEN_FINDINGS = Text(en="Violations and open points", ko="위반과 확인할 점")
_KEPT_FINDINGS = Text(en="Rules that are kept", ko="지켜진 규칙")
_FINDING_COLUMNS = {"ko": ("내용", "결과", "근거", "규칙"), "en": ("Finding", "Result", "Law", "Rule")}
_KEPT_COLUMNS = {"ko": ("내용", "결과", "근거"), "en": ("Finding", "Result", "Law")}
_STATUS = {
    "violated": Text(en="violated", ko="위반"),
    "unknown": Text(en="cannot be judged", ko="판단 불가"),
    "passed": Text(en="passed", ko="적합"),
    "waived": Text(en="waived", ko="예외"),
}
_SEVERITY = {
    "low": Text(en="low", ko="낮음"),
    "medium": Text(en="medium", ko="보통"),
    "high": Text(en="high", ko="높음"),
    "critical": Text(en="critical", ko="매우 높음"),
}
_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True)
class Material:
    """An artifact that the document is made from."""

    artifact_id: str
    kind: str
    title: str
    data: Any
    hash: str = ""

    @property
    def reference(self) -> Json:
        return {"artifact_id": self.artifact_id, "kind": self.kind, "title": self.title, "hash": self.hash}


@dataclass(frozen=True)
class Filling:
    """Everything that goes into one document."""

    loaded: Loaded
    language: Language
    document_id: str
    values: Mapping[str, Value] = field(default_factory=dict[str, Value])
    materials: Sequence[Material] = ()
    kept: Document | None = None
    """An earlier version, whose tables, charts and statements stay where their artifact is not at hand."""


def with_computed(
    template: Template, values: Mapping[str, Value], today: date | None, language: Language
) -> dict[str, Value]:
    """The values with every computed field that can be computed; what depends on another comes after it."""
    made = {name: value for name, value in values.items() if value.source != "computed"}
    waiting = [name for name, spec in template.fields.items() if spec.source == ("computed",)]
    for _ in range(len(waiting)):
        for name in [each for each in waiting if each not in made]:
            function, needs = computation(template.fields[name])
            if all(each in made for each in needs):
                value = computed(function, [made[each].value for each in needs], today, language)
                if value is not None:
                    made[name] = Value(value, "computed")
    return made


def from_artifacts(template: Template, materials: Sequence[Material], language: Language) -> dict[str, Value]:
    """Values of the fields that are taken from artifacts."""
    found: dict[str, Value] = {}
    for name, spec in template.fields.items():
        kind, _, what = spec.take.partition(".")
        material = next((each for each in materials if each.kind == kind), None)
        if "artifact" not in spec.source or material is None:
            continue
        value = _taken(material, what, language)
        if value:
            found[name] = Value(value, f"artifact:{material.artifact_id}")
    return found


def _taken(material: Material, what: str, language: Language) -> Any:
    data: Json = material.data if isinstance(material.data, dict) else {}
    if what == "period":
        return period_of(data, language)
    if what == "rows":
        return data.get("row_count")
    if what == "risk":
        level = data.get("risk_level")
        return _SEVERITY[level].say(language) if level in _SEVERITY else None
    if what in ("violated", "unknown"):
        return str(sum(each.get("status") == what for each in records(data.get("findings"))))
    if what == "checked":
        rules = sequence(data.get("checked")) or {each.get("rule") for each in records(data.get("findings"))}
        return str(len(rules))
    return clean(str(data.get("title") or material.title))


def period_of(data: Mapping[str, Any], language: Language) -> str:
    query = data.get("query")
    period = cast("Json", query).get("period") if isinstance(query, dict) else None
    if not isinstance(period, dict) or not period.get("start") or not period.get("end"):
        return ""
    return show_period(str(cast("Json", period)["start"]), str(cast("Json", period)["end"]), language)


def required_fields(template: Template, there: Collection[str]) -> list[str]:
    """Fields that a document must have beside these kinds of artifacts and these other fields."""
    return [
        name for name, spec in template.fields.items() if spec.required and not set(spec.unless) & set(there)
    ]


def missing(template: Template, values: Mapping[str, Value], kinds: Collection[str] = ()) -> list[str]:
    """Required fields without a value that a person can give."""
    return [
        name
        for name in required_fields(template, {*kinds, *values})
        if name not in values and "form" in template.fields[name].source
    ]


def review_notes(template: Template, values: Mapping[str, Value], language: Language) -> list[Json]:
    """Rules of the template that the values do not meet, for whoever reviews the document."""
    found: list[Json] = []
    for rule in template.review:
        numbers = {
            name: value.value for name, value in values.items() if isinstance(value.value, int | float)
        }
        open_ones = [name for name in rule.needs if name not in values]
        high = [name for name, most in rule.at_most.items() if numbers.get(name, most) > most]
        low = [name for name, least in rule.at_least.items() if numbers.get(name, least) < least]
        names = [*open_ones, *high, *low]
        if names and (not rule.when or any(name in values for name in rule.when)):
            labels = ", ".join(template.fields[name].label.say(language) for name in names)
            literal = rule.message.say(language).replace("{", "{{").replace("}", "}}")
            message = filled(literal.replace("{{fields}}", "{fields}"), {"fields": labels})
            found.append({"rule": rule.id, "fields": names, "message": message})
    return found


def fill(filling: Filling) -> Document:
    """The document. Pure: the same filling gives the same document."""
    return _Filler(filling).document()


class _Filler:
    """Holds the notes, the open fields and the numbers of tables and figures while one document is filled."""

    def __init__(self, filling: Filling) -> None:
        self.filling = filling
        self.template = filling.loaded.template
        self.language: Language = filling.language
        self.notes: list[Note] = []
        self.open: dict[str, OpenField] = {}
        self.numbers = {"table": 0, "figure": 0, "section": 0}
        self._note_of: dict[str, int] = {}
        earlier = {str(each.get("kind")) for each in filling.kept.sources} if filling.kept else set[str]()
        self.kinds = {material.kind for material in filling.materials} | earlier

    def document(self) -> Document:
        template, filling = self.template, self.filling
        blocks = [block for section in template.sections for block in self._section(section)]
        used = [material.reference for material in filling.materials] or list(
            filling.kept.sources if filling.kept else ()
        )
        shown = {
            template.fields[n].label.say(self.language): self._shown(n)
            for n in template.meta
            if n in filling.values
        }
        return model.checked(
            Document(
                document_id=filling.document_id,
                title=model.text_of(self._spans(template.title)),
                language=self.language,
                template_id=template.id,
                template_version=template.version,
                template_hash=filling.loaded.hash,
                meta=shown,
                blocks=tuple(blocks),
                notes=tuple(self.notes),
                open_fields=tuple(self.open.values()),
                sources=tuple(used),
                fields={
                    name: {"value": v.value, "source": v.source, "shown": self._shown(name)}
                    for name, v in filling.values.items()
                },
            )
        )

    def _section(self, section: Section) -> list[model.Block]:
        there = {*self.kinds, *self.filling.values}
        there |= set(required_fields(self.template, there))
        if section.when and not there & set(section.when):
            return []
        self.numbers["section"] += 1
        content = [
            made
            for at, block in enumerate(section.blocks)
            if not block.when or there & set(block.when)
            for made in self._block(f"{section.id}.{at}", block)
        ]
        if not content:
            self.numbers["section"] -= 1
            return []
        heading = model.text_of(self._spans(section.heading))
        return [Heading(section.id, f"{self.numbers['section']}. {heading}", section.level), *content]

    def _block(self, place: str, block: BlockSpec) -> Iterator[model.Block]:
        match block.kind:
            case "form":
                shown = [n for n in block.form if n in self.filling.values or self.template.fields[n].open]
                if shown:
                    yield Form(place, tuple(self._entry(name) for name in shown))
            case "text":
                assert block.text is not None
                yield Paragraph(place, self._spans(block.text))
            case "list":
                items = self._items(block)
                if items:
                    yield List(place, items)
            case "page_break":
                yield PageBreak(place)
            case _:
                yield from self._from_material(place, block)

    def _entry(self, name: str) -> Entry:
        return Entry(self.template.fields[name].label.say(self.language), (self._field(name),))

    def _items(self, block: BlockSpec) -> tuple[Item, ...]:
        if isinstance(block.list, str):
            value = self.filling.values.get(block.list)
            if value is None:
                return (Item((self._field(block.list),)),)
            each = value.value if isinstance(value.value, list) else [value.value]
            return tuple(Item((Span(str(one), field=block.list),)) for one in each)
        return tuple(Item(self._spans(text)) for text in block.list or ())

    def _from_material(self, place: str, block: BlockSpec) -> Iterator[model.Block]:
        kind = {"statements": "dataset", "table": "dataset", "findings": "verdict"}.get(
            block.kind, block.kind
        )
        found = [material for material in self.filling.materials if material.kind == kind]
        if not found:
            yield from self._earlier(place)
            return
        makers: dict[str, Callable[[str, Material], Iterator[model.Block]]] = {
            "statements": self._statements,
            "table": lambda at, one: self._tables(at, one, block.rows),
            "chart": self._chart,
            "passages": self._whole_passages if block.whole else self._passages,
            "findings": self._findings,
        }
        for number, material in enumerate(found):
            yield from makers[block.kind](f"{place}.{number}", material)

    def _earlier(self, place: str) -> Iterator[model.Block]:
        """Blocks of the earlier version at the same place, with their notes."""
        kept = self.filling.kept
        if kept is None:
            return
        texts = {note.number: note.text for note in kept.notes}
        for block in kept.blocks:
            if block.id.startswith(f"{place}."):
                named = dict.fromkeys(span.note for span in model.block_spans(block) if span.note is not None)
                yield model.with_notes(block, {number: self._note(texts[number]) for number in named})

    def _statements(self, place: str, material: Material) -> Iterator[model.Block]:
        """The data's own sentences; each that has a figure names its source."""
        for at, part in enumerate(sentences_of(material.data)):
            if part.listed:
                yield List(
                    f"{place}.{at}", tuple(Item((self._noted(each, material),)) for each in part.lines)
                )
            else:
                spaced = [f"{each} " for each in part.lines[:-1]] + [part.lines[-1]]
                yield Paragraph(f"{place}.{at}", tuple(self._noted(each, material) for each in spaced))

    def _noted(self, sentence: str, material: Material) -> Span:
        return Span(sentence, note=self._note_about(material) if _DIGIT.search(sentence) else None)

    def _tables(self, place: str, material: Material, most: int) -> Iterator[model.Block]:
        source = self._source(material)
        for at, table in enumerate(tables_of(material.data, f"{place}.", self.language, most)):
            title = table.caption or material.title
            self.numbers["table"] += 1
            caption = _TABLE.say(self.language, number=self.numbers["table"], title=title)
            note = f"{table.note} {source}".strip()
            yield model.Table(f"{place}.{at}", table.columns, table.rows, caption, note)

    def _chart(self, place: str, material: Material) -> Iterator[model.Block]:
        data: Json = material.data if isinstance(material.data, dict) else {}
        spec = data.get("spec")
        if not isinstance(spec, dict):
            return
        self.numbers["figure"] += 1
        title = clean(str(data.get("title") or material.title))
        caption = _FIGURE.say(self.language, number=self.numbers["figure"], title=title)
        notes = mapping(cast("Json", spec).get("title")).get("subtitle")
        left_out = clean("; ".join(map(str, notes)) if isinstance(notes, list) else str(notes or ""))
        if left_out:
            caption = f"{caption} ({left_out})"
        drawn = {key: value for key, value in cast("Json", spec).items() if key != "title"}
        yield Chart(place, drawn, caption, self._source(material))

    def _passages(self, place: str, material: Material) -> Iterator[model.Block]:
        """Cited sentences, or whole passages where none were chosen; each with its place in the notes."""
        data: Json = material.data if isinstance(material.data, dict) else {"passages": material.data}
        cited = {each.get("n"): each for each in records(data.get("citations"))}
        for at, passage in enumerate(records(data.get("passages"))[:MOST_PASSAGES]):
            said = [(each, cited.get(each.get("n"), passage)) for each in records(passage.get("sentences"))]
            quotes = [
                (clean(_cut(each.get("text"))), source) for each, source in said or [(passage, passage)]
            ]
            spans = [
                Span(
                    f"“{text}” " if number < len(quotes) else f"“{text}”",
                    note=self._note(self._quoted(_place_of(source, material), text)),
                )
                for number, (text, source) in enumerate(quotes, 1)
                if text
            ]
            if spans:
                yield Paragraph(f"{place}.{at}", tuple(spans))

    def _whole_passages(self, place: str, material: Material) -> Iterator[model.Block]:
        """Whole passages under their titles; lines of a table as a table, and the place of each in the notes."""
        data: Json = material.data if isinstance(material.data, dict) else {"passages": material.data}
        cited = records(data.get("citations"))
        for at, passage in enumerate(records(data.get("passages"))[:MOST_PASSAGES]):
            numbers = {each.get("n") for each in records(passage.get("sentences"))}
            source = next((each for each in cited if each.get("n") in numbers), passage)
            note = self._note(self._quoted(_place_of(source, material), str(passage.get("text", ""))))
            named = [str(passage.get("title") or ""), *map(str, sequence(passage.get("heading")))]
            lines = [
                line for line in _cut(passage.get("text")).splitlines() if line.strip() not in ("", *named)
            ]
            title = " › ".join(filter(None, named)) or material.title
            yield Paragraph(f"{place}.{at}", (Span(clean(title), bold=True, note=note),))
            yield from self._passage(f"{place}.{at}", lines)

    def _passage(self, place: str, lines: Sequence[str]) -> Iterator[model.Block]:
        rows = [tuple(cell.strip() for cell in line.split(" | ")) for line in lines]
        at = 0
        while at < len(rows):
            width = len(rows[at])
            end = at + 1
            while width > 1 and end < len(rows) and len(rows[end]) == width:
                end += 1
            if end > at + 1:
                columns = tuple(model.Column(clean(label)) for label in rows[at])
                yield model.Table(f"{place}.{at}", columns, tuple(rows[at + 1 : end]))
            else:
                yield Paragraph(f"{place}.{at}", (Span(clean(lines[at]).strip()),))
            at = end

    def _findings(self, place: str, material: Material) -> Iterator[model.Block]:
        """A table of what stands against it, the gravest first, then one of the rules that are kept."""
        data: Json = material.data if isinstance(material.data, dict) else {}
        language = self.language
        found = records(data.get("findings"))
        open_ones = [each for each in found if each.get("status") in ("violated", "unknown")]
        kept = [each for each in found if each not in open_ones]
        open_ones.sort(key=lambda each: (-_grave(each), each.get("status") == "unknown"))
        parts = [
            (place, _OPEN_FINDINGS, _FINDING_COLUMNS, [_finding(each, language) for each in open_ones]),
            (f"{place}.kept", _KEPT_FINDINGS, _KEPT_COLUMNS, [_kept(each, language) for each in kept]),
        ]
        for at, title, columns, rows in parts:
            if rows:
                self.numbers["table"] += 1
                caption = _TABLE.say(language, number=self.numbers["table"], title=title.say(language))
                labels = tuple(model.Column(label) for label in columns[language])
                yield model.Table(at, labels, tuple(rows), caption, self._source(material))

    def _spans(self, text: Both) -> tuple[Span, ...]:
        """A text of the template with its fields; open particles fit the value before them."""
        made: list[Span] = []
        for at, piece in enumerate(_PLACEHOLDER.split(text.say(self.language))):
            if at % 2:
                made.append(self._field(piece))
            elif piece:
                before = model.text_of(made)
                literal = piece.replace("{", "{{").replace("}", "}}")
                said = filled("{before}" + literal, {"before": before})[len(before) :]
                made.append(Span(said, note=self._note_of_fields(made, piece)))
        return tuple(made)

    def _note_of_fields(self, made: Sequence[Span], piece: str) -> int | None:
        """A figure from an artifact names it at the end of its sentence."""
        if not made or not made[-1].field or not piece.rstrip().endswith("."):
            return None
        source = self.filling.values[made[-1].field].source if made[-1].field in self.filling.values else ""
        artifact = source.removeprefix("artifact:")
        found = next(
            (m for m in self.filling.materials if source != artifact and m.artifact_id == artifact), None
        )
        return None if found is None or not _DIGIT.search(made[-1].text) else self._note_about(found)

    def _field(self, name: str) -> Span:
        if name in self.filling.values:
            return Span(self._shown(name), field=name)
        label = self.template.fields[name].label.say(self.language)
        self.open[name] = OpenField(name, label)
        return Span(OPEN.say(self.language), field=name, open=True)

    def _shown(self, name: str) -> str:
        return show(self.filling.values[name].value, self.template.fields[name], self.language)

    def _source(self, material: Material) -> str:
        return _SOURCE.say(self.language, title=self._title_of(material), id=material.artifact_id[:12])

    def _title_of(self, material: Material) -> str:
        """The name of a source; of a verdict it is what was done, since its summary is the result."""
        return _CHECK.say(self.language) if material.kind == "verdict" else clean(material.title)

    def _quoted(self, place: str, text: str) -> str:
        """The place of a quotation, which says so where it is quoted in another language than the document's."""
        if (_HANGUL.search(text) is None) == (self.language == "en"):
            return place
        return _ORIGINAL.say(self.language, place=place)

    def _note_about(self, material: Material) -> int:
        period = period_of(material.data, self.language) if isinstance(material.data, dict) else ""
        named = {"title": self._title_of(material), "id": material.artifact_id[:12]}
        if period and period not in material.title:
            return self._note(_SOURCE_OF.say(self.language, period=period, **named))
        return self._note(_SOURCE.say(self.language, **named))

    def _note(self, text: str) -> int:
        """The number of the note with this text; a source that is named again keeps its number."""
        if text not in self._note_of:
            self._note_of[text] = len(self.notes) + 1
            self.notes.append(Note(self._note_of[text], text))
        return self._note_of[text]


def _grave(finding: Mapping[str, Any]) -> int:
    return list(_SEVERITY).index(finding["severity"]) if finding.get("severity") in _SEVERITY else -1


def _finding(each: Mapping[str, Any], language: Language) -> tuple[str, ...]:
    grave = each.get("severity")
    severity = _SEVERITY[grave].say(language) if grave in _SEVERITY else ""
    result = " · ".join(filter(None, (_status(each, language), severity)))
    return str(each.get("message", "")), result, str(each.get("law", "")), str(each.get("rule", ""))


def _kept(each: Mapping[str, Any], language: Language) -> tuple[str, ...]:
    return str(each.get("message", "")), _status(each, language), str(each.get("law", ""))


def _status(finding: Mapping[str, Any], language: Language) -> str:
    status = finding.get("status")
    return _STATUS[status].say(language) if status in _STATUS else str(status or "")


def _cut(text: object) -> str:
    said = "\n".join(clean(line) for line in str(text or "").splitlines()).strip()
    return said if len(said) <= LONGEST_PASSAGE else said[: LONGEST_PASSAGE - 1] + "…"


def _place_of(cited: Mapping[str, Any], material: Material) -> str:
    """The place of a cited passage: the title of its document, then heading, article and page."""
    title = next(
        (str(cited[key]) for key in ("title", "document", "source", "name") if cited.get(key)), material.title
    )
    place = {**cited, **mapping(cited.get("place"))}
    heading = place.get("heading")
    named = " › ".join(map(str, sequence(heading))) if isinstance(heading, list) else str(heading or "")
    article = str(place.get("article") or "")
    parts = [named, article if article not in named else "", str(place.get("section") or "")]
    page = place.get("page")
    return ", ".join([title, *filter(None, parts), *([f"p. {page}"] if page else [])])
