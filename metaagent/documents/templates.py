"""Templates: what a document of one type holds, in which order, and where each value comes from. Read from files, judged with
file, line and remedy. A template is data: nothing in it is run, and no value becomes a part of it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal, TypeAlias

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from metaagent.errors import ConfigInvalid, Text, misfit
from metaagent.installed import installed_folders
from metaagent.language.particles import Language
from metaagent.values import nearest
from metaagent.yaml_lines import NotYaml, Parsed, Place, parse

GROUP = "metaagent.templates"
FILE, LAYOUT = "template.yaml", "layout.docx"
LARGEST = 10_000_000
MOST_TEMPLATES = 500
KINDS = ("dataset", "chart", "passages", "verdict", "document", "file")
"""Kinds of artifacts that a document can be made from."""
FUNCTIONS: Mapping[str, int] = {"words": 1, "sum": 2, "difference": 2, "product": 2, "per": 2, "today": 0}
"""Functions of computed fields, with the number of fields that they take."""
FROM_ARTIFACT = (
    "dataset.title",
    "dataset.period",
    "dataset.rows",
    "verdict.risk",
    "verdict.checked",
    "verdict.violated",
    "verdict.unknown",
    "document.title",
)

Source: TypeAlias = Literal["form", "artifact", "person", "memory", "computed"]
FieldType: TypeAlias = Literal[
    "text", "date", "integer", "number", "money", "choice", "list", "time", "moment"
]
_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CALL = re.compile(r"([a-z]+)\(\s*([a-z0-9_]*(?:\s*,\s*[a-z0-9_]+)*)\s*\)")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _listed(data: Any, key: str) -> Any:
    """One name may stand for a list of one."""
    return {**data, key: (data[key],)} if isinstance(data, dict) and isinstance(data.get(key), str) else data


class Both(_Strict):
    """A text in Korean and English; a template for one language gives that one."""

    ko: str = ""
    en: str = ""

    def say(self, language: str) -> str:
        return self.ko if language == "ko" else self.en

    @property
    def names(self) -> set[str]:
        return {*_PLACEHOLDER.findall(self.ko), *_PLACEHOLDER.findall(self.en)}


Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,62}$")]


class FieldSpec(_Strict):
    """One value of the form. `source` says where it may come from, first to last; `from` what to take there."""

    label: Both
    type: FieldType = "text"
    source: tuple[Source, ...] = ("form",)
    required: bool = False
    unless: tuple[str, ...] = ()
    """Kinds of artifacts, and other fields, beside which a required field may be left out."""
    past: bool = False
    """A day that lies behind: one without a year is the last that was."""
    words: tuple[str, ...] = ()
    """Words of a request that the field's value follows; one that ends with ` #` counts only before a number: 포장 #."""
    behind: tuple[str, ...] = ()
    """Words of a request that follow the field's number: 410 won each, 2,000 a month."""
    endings: tuple[str, ...] = ()
    """Ends of names that are the field's value: 의원, Hospital."""
    titles: tuple[str, ...] = ()
    """Titles that stand beside the name of a person: 원장, Dr."""
    verbs: tuple[str, ...] = ()
    """Verbs of a request whose object is the field's value: 전달, handed over."""
    acts: tuple[str, ...] = ()
    """Verbs that are part of the value together with their object: 설명 (카르비온정 설명), explained."""
    called: tuple[str, ...] = ()
    """Other names of the field in a request to change it: the doctor's name."""
    rest: Literal["", "first", "all"] = ""
    """Clauses of a request that no field holds go here: all of them, or the first where the field has no value."""
    sum: bool = False
    """Several amounts of a request are added up: the taxi and the parking."""
    open: bool = True
    """Without a value the field stands open in a form; if false, the form leaves it out."""
    question: Both | None = None
    range: tuple[float, float] | None = None
    units: tuple[str, ...] = ()
    options: dict[str, Both] = Field(default_factory=dict[str, Both])
    also: dict[str, tuple[str, ...]] = Field(default_factory=dict[str, tuple[str, ...]])
    """Other words for options: a taxi for travel."""
    take: str = Field("", alias="from")

    @model_validator(mode="before")
    @classmethod
    def _one_source(cls, data: Any) -> Any:
        return _listed(data, "source")


class Block(_Strict):
    """One block of a section; exactly one of its kinds is given."""

    form: tuple[Name, ...] = ()
    text: Both | None = None
    list: Name | tuple[Both, ...] | None = None
    statements: Literal["dataset"] | None = None
    table: Literal["dataset"] | None = None
    chart: Literal["chart"] | None = None
    passages: Literal["passages"] | None = None
    findings: Literal["verdict"] | None = None
    page_break: bool = False
    when: tuple[str, ...] = ()
    """The block appears if there is any of these."""
    whole: bool = False
    """Passages are quoted in full, not only by the sentences that answer."""
    rows: Annotated[int, Field(ge=1, le=10_000)] = 1_000
    """The most rows of a table; more are said to be left out."""

    @model_validator(mode="before")
    @classmethod
    def _one_condition(cls, data: Any) -> Any:
        return _listed(data, "when")

    @property
    def kind(self) -> str:
        return next(iter(self.kinds), "")

    @property
    def kinds(self) -> tuple[str, ...]:
        names = ("form", "text", "list", "statements", "table", "chart", "passages", "findings", "page_break")
        return tuple(name for name in names if getattr(self, name))


class Section(_Strict):
    """A section appears if there is any of `when` (fields that have a value, kinds of artifacts) and it has content."""

    id: Name
    heading: Both
    level: Literal[1, 2, 3] = 1
    when: tuple[str, ...] = ()
    blocks: tuple[Block, ...]

    @model_validator(mode="before")
    @classmethod
    def _one_condition(cls, data: Any) -> Any:
        return _listed(data, "when")


class ReviewRule(_Strict):
    """Something that a reviewer is told about: fields that are still open, or a number that is too high or too low."""

    id: Name
    when: tuple[Name, ...] = ()
    """Fields of which one must have a value for the rule to apply."""
    needs: tuple[Name, ...] = ()
    at_most: dict[Name, float] = Field(default_factory=dict[str, float])
    at_least: dict[Name, float] = Field(default_factory=dict[str, float])
    sum_of: dict[Name, Name] = Field(default_factory=dict[str, str])
    """Amounts that must be the sum of the items of a list."""
    message: Both
    """The words for the reviewer; `{fields}` stands for the names of the fields that it is about."""

    @model_validator(mode="before")
    @classmethod
    def _one_condition(cls, data: Any) -> Any:
        return _listed(data, "when")


class Template(_Strict):
    id: Name
    name: Both
    document_type: Name
    version: str
    languages: tuple[Language, ...] = ("ko", "en")
    title: Both
    fields: dict[Name, FieldSpec] = Field(default_factory=dict[str, FieldSpec])
    meta: tuple[Name, ...] = ()
    sections: tuple[Section, ...]
    review: tuple[ReviewRule, ...] = ()
    layout: Literal["", "layout.docx"] = ""
    """A company's own Word file with marked fields, used for the DOCX."""


_BROKEN = Text(
    en="The templates cannot be used; {count} problem(s):\n{problems}",
    ko="템플릿을 쓸 수 없습니다. 문제 {count}건:\n{problems}",
)
_NOT_YAML = Text(
    en="this is not YAML: {reason}. Correct the file", ko="YAML이 아닙니다: {reason}. 파일을 고치세요"
)
_ALIAS = Text(
    en="an alias or anchor of YAML: write the value out", ko="YAML 별칭 또는 앵커입니다. 값을 그대로 쓰세요"
)
_REPEATED = Text(en="the key {key} stands twice: remove one", ko="{key} 키가 두 번 있습니다. 하나를 지우세요")
_FORM = Text(
    en="{reason}. Compare `metaagent templates preview`, or docs/documents.md",
    ko="{reason}. `metaagent templates preview`나 docs/documents.md와 비교하세요",
)
_UNKNOWN_FIELD = Text(
    en="there is no field {name!r}: define it under fields{near}",
    ko="{name!r} 필드가 없습니다. fields에 정의하세요{near}",
)
_UNKNOWN_CONDITION = Text(
    en="{name!r} is neither a field nor a kind of artifact ({known}): correct it",
    ko="{name!r}은(는) 필드도 산출물 종류({known})도 아닙니다. 고치세요",
)
_ONE_KIND = Text(
    en="a block holds exactly one of form, text, list, statements, table, chart, passages, findings, page_break; "
    "this one has {found}: divide it",
    ko="블록에는 form, text, list, statements, table, chart, passages, findings, page_break 가운데 "
    "하나만 씁니다. 지금은 {found}입니다. 나누세요",
)
_LANGUAGE = Text(
    en="the text is missing in {missing!r}: write it, or take the language out of languages",
    ko="{missing!r} 글이 없습니다. 쓰거나 languages에서 빼세요",
)
_CYCLE = Text(
    en="computed fields depend on each other in a circle: {circle}. Take one out",
    ko="계산 필드가 서로를 가리킵니다: {circle}. 하나를 빼세요",
)
_FUNCTION = Text(
    en="{value!r} is no computation: use one of {known} with names of fields",
    ko="{value!r}은(는) 계산식이 아닙니다. {known} 가운데 하나를 필드 이름과 함께 쓰세요",
)
_TAKE = Text(
    en="{value!r} cannot be taken from an artifact: use one of {known}",
    ko="산출물에서 {value!r}을(를) 가져올 수 없습니다. {known} 가운데 하나를 쓰세요",
)
_NO_LAYOUT = Text(
    en="the layout {name} is not there: put the Word file beside template.yaml, or take `layout` out",
    ko="레이아웃 {name}이(가) 없습니다. template.yaml 옆에 워드 파일을 두거나 `layout`을 빼세요",
)
_BAD_LAYOUT = Text(
    en="the layout cannot be used: {reason}. Save it as a plain .docx",
    ko="레이아웃을 쓸 수 없습니다: {reason}. 일반 .docx로 저장하세요",
)
_SAME_ID = Text(
    en="the template id {id!r} is taken by {other}: rename one",
    ko="템플릿 이름 {id!r}은(는) {other}에서 이미 씁니다. 하나의 이름을 바꾸세요",
)
_OPTIONS = Text(
    en="a field of type choice has options and no other has: give them, or change the type",
    ko="choice 필드에만 options를 씁니다. options를 쓰거나 type을 바꾸세요",
)
_QUESTION = Text(
    en="a required field from the form has a question: write it in every language",
    ko="form에서 받는 필수 필드에는 question이 있어야 합니다. 언어마다 쓰세요",
)


@dataclass(frozen=True)
class Problem:
    file: str
    line: int
    text: Text
    params: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def say(self, language: str) -> str:
        return f"{self.file}:{self.line}: {self.text.say(language, **self.params)}"


class TemplatesInvalid(ConfigInvalid):
    """Templates with problems; `problems` has each with its file and line."""

    code = "templates_invalid"

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(_BROKEN, count=len(problems), problems="\n".join(p.say("en") for p in problems[:20]))
        self.problems = list(problems)

    def say(self, language: str = "en") -> str:
        shown = "\n".join(problem.say(language) for problem in self.problems[:20])
        return _BROKEN.say(language, count=len(self.problems), problems=shown)


@dataclass(frozen=True)
class Loaded:
    """A template with the hash of its files and its Word layout, if it has one."""

    template: Template
    file: str
    hash: str
    layout: bytes = b""


Files = Mapping[str, bytes]
"""Contents by path: `<id>/template.yaml`, `<id>/layout.docx`."""


def read_files(folder: Path) -> dict[str, bytes]:
    """Templates and layouts below a folder; links are not followed."""
    found: dict[str, bytes] = {}
    for name in (FILE, LAYOUT):
        for file in sorted(folder.glob(f"*/{name}"))[:MOST_TEMPLATES]:
            if file.is_file() and not file.is_symlink() and not file.parent.is_symlink():
                if file.stat().st_size > LARGEST:
                    raise TemplatesInvalid(
                        [Problem(str(file), 0, _FORM, {"reason": f"larger than {LARGEST} bytes"})]
                    )
                found[file.relative_to(folder).as_posix()] = file.read_bytes()
    return found


def installed_files(allow: Sequence[str]) -> dict[str, bytes]:
    """Templates of installed packages: each entry point of `metaagent.templates` names a folder."""
    return {
        f"{package}/{name}": content
        for package, folder in installed_folders(GROUP, allow)
        for name, content in read_files(folder).items()
    }


def load_templates(files: Files) -> dict[str, Loaded]:
    """Templates by id. Raises TemplatesInvalid, naming each problem."""
    return dict(_load(tuple(sorted(files.items()))))


@lru_cache(maxsize=8)
def _load(files: tuple[tuple[str, bytes], ...]) -> dict[str, Loaded]:
    problems: list[Problem] = []
    loaded: dict[str, Loaded] = {}
    contents = dict(files)
    for name, content in files:
        if not name.endswith(FILE):
            continue
        found = _one(name, content, contents, problems)
        if found is None:
            continue
        if found.template.id in loaded:
            other = loaded[found.template.id].file
            problems.append(Problem(name, 1, _SAME_ID, {"id": found.template.id, "other": other}))
        loaded[found.template.id] = found
    if problems:
        raise TemplatesInvalid(problems)
    return loaded


def _one(name: str, content: bytes, contents: Files, problems: list[Problem]) -> Loaded | None:
    parsed = _parsed(name, content, problems)
    template = None if parsed is None else _validated(name, parsed, problems)
    if parsed is None or template is None:
        return None
    layout_name = str(PurePosixPath(name).parent / LAYOUT)
    layout = contents.get(layout_name, b"") if template.layout else b""
    found = list(_judged(template))
    if template.layout and not layout:
        found.append((("layout",), _NO_LAYOUT, {"name": layout_name}))
    if layout:
        found += _judged_layout(layout, template)
    problems += [Problem(name, parsed.line(place), text, params) for place, text, params in found]
    digest = hashlib.sha256(content + b"\0" + layout).hexdigest()
    return None if found else Loaded(template, name, digest, layout)


def _parsed(name: str, content: bytes, problems: list[Problem]) -> Parsed | None:
    try:
        text = content.decode("utf-8")
        events = list(yaml.parse(text, Loader=_LOADER))
        parsed = parse(text)
    except (UnicodeDecodeError, yaml.YAMLError, NotYaml, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else getattr(error, "line", 0)
        reason = " ".join(str(getattr(error, "problem", None) or error).split())[:200]
        problems.append(Problem(name, line, _NOT_YAML, {"reason": reason}))
        return None
    for event in events:
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            problems.append(Problem(name, event.start_mark.line + 1, _ALIAS))
            return None
    problems += [
        Problem(name, parsed.line(place), _REPEATED, {"key": place[-1]}) for place in parsed.repeated
    ]
    return parsed


def _validated(name: str, parsed: Parsed, problems: list[Problem]) -> Template | None:
    try:
        return Template.model_validate(parsed.data)
    except ValidationError as error:
        for each in error.errors():
            place: Place = tuple(part for part in each["loc"] if part not in ("tuple[Both, ...]", "str"))
            reason = misfit(each, ".".join(str(part) for part in place))
            problems.append(Problem(name, parsed.line(place), _FORM, {"reason": reason}))
        return None


Found: TypeAlias = tuple[Place, Text, dict[str, Any]]


def _judged(template: Template) -> Iterator[Found]:
    yield from _judged_fields(template)
    yield from _judged_names(template)
    for place, text in _texts(template):
        for language in template.languages:
            if not text.say(language).strip():
                yield place, _LANGUAGE, {"missing": language}
    circle = _circle(template)
    if circle:
        yield ("fields", circle[0]), _CYCLE, {"circle": " → ".join(circle)}


def _judged_fields(template: Template) -> Iterator[Found]:
    for name, spec in template.fields.items():
        for kind in spec.unless:
            if kind not in KINDS and kind not in template.fields:
                yield (
                    ("fields", name, "unless"),
                    _UNKNOWN_CONDITION,
                    {"name": kind, "known": ", ".join(KINDS)},
                )
        if bool(spec.options) != (spec.type == "choice"):
            yield ("fields", name), _OPTIONS, {}
        if spec.required and "form" in spec.source and spec.question is None:
            yield ("fields", name), _QUESTION, {}
        if spec.source == ("computed",) and _called(spec.take) is None:
            known = ", ".join(f"{each}()" for each in FUNCTIONS)
            yield ("fields", name, "from"), _FUNCTION, {"value": spec.take, "known": known}
        if spec.source == ("artifact",) and spec.take not in FROM_ARTIFACT:
            yield ("fields", name, "from"), _TAKE, {"value": spec.take, "known": ", ".join(FROM_ARTIFACT)}


def _judged_names(template: Template) -> Iterator[Found]:
    for place, name in _named(template):
        if name not in template.fields:
            near = nearest(name, template.fields)
            yield place, _UNKNOWN_FIELD, {"name": name, "near": f" ({near}?)" if near else ""}
    for at, section in enumerate(template.sections):
        conditions: list[tuple[Place, Sequence[str]]] = [(("sections", at, "when"), section.when)]
        conditions += [(("sections", at, "blocks", n, "when"), b.when) for n, b in enumerate(section.blocks)]
        for place, names in conditions:
            for name in names:
                if name not in template.fields and name not in KINDS:
                    yield place, _UNKNOWN_CONDITION, {"name": name, "known": ", ".join(KINDS)}
        for number, block in enumerate(section.blocks):
            if len(block.kinds) != 1:
                yield (
                    ("sections", at, "blocks", number),
                    _ONE_KIND,
                    {"found": ", ".join(block.kinds) or "none"},
                )


def _named(template: Template) -> Iterator[tuple[Place, str]]:
    """Every place that names a field."""
    yield from ((("meta", at), name) for at, name in enumerate(template.meta))
    yield from ((("title",), name) for name in template.title.names)
    for name, spec in template.fields.items():
        called = _called(spec.take) if spec.source == ("computed",) else None
        yield from ((("fields", name, "from"), used) for used in (called or ("", ()))[1])
    for at, rule in enumerate(template.review):
        summed = (*rule.sum_of, *rule.sum_of.values())
        named = (*rule.when, *rule.needs, *rule.at_most, *rule.at_least, *summed)
        yield from ((("review", at), name) for name in named)
    for at, section in enumerate(template.sections):
        yield from ((("sections", at, "heading"), name) for name in section.heading.names)
        for number, block in enumerate(section.blocks):
            place: Place = ("sections", at, "blocks", number)
            yield from (((*place, "form"), name) for name in block.form)
            yield from (((*place, "text"), name) for name in (block.text.names if block.text else ()))
            if isinstance(block.list, str):
                yield (*place, "list"), block.list
            elif block.list:
                yield from (((*place, "list"), name) for each in block.list for name in each.names)


def _texts(template: Template) -> Iterator[tuple[Place, Both]]:
    yield from ((("name",), template.name), (("title",), template.title))
    for name, spec in template.fields.items():
        yield ("fields", name, "label"), spec.label
        if spec.question:
            yield ("fields", name, "question"), spec.question
        yield from ((("fields", name, "options", value), text) for value, text in spec.options.items())
    yield from ((("review", at, "message"), rule.message) for at, rule in enumerate(template.review))
    for at, section in enumerate(template.sections):
        yield ("sections", at, "heading"), section.heading
        for number, block in enumerate(section.blocks):
            if block.text:
                yield ("sections", at, "blocks", number, "text"), block.text
            if isinstance(block.list, tuple):
                yield from ((("sections", at, "blocks", number, "list"), text) for text in block.list)


def _called(expression: str) -> tuple[str, tuple[str, ...]] | None:
    """The function and the fields of a computation, None where it is none."""
    found = _CALL.fullmatch(expression.strip())
    if found is None or found[1] not in FUNCTIONS:
        return None
    names = tuple(name.strip() for name in found[2].split(",") if name.strip())
    return (found[1], names) if len(names) == FUNCTIONS[found[1]] else None


def computation(spec: FieldSpec) -> tuple[str, tuple[str, ...]]:
    """The function and fields of a computed field of a template that was judged."""
    found = _called(spec.take)
    assert found is not None
    return found


def _circle(template: Template) -> list[str]:
    """Computed fields that lead back to themselves, in their order; empty if there are none."""
    leads = {
        name: called[1]
        for name, spec in template.fields.items()
        if spec.source == ("computed",) and (called := _called(spec.take)) is not None
    }
    done: set[str] = set()
    for start in leads:
        path: list[str] = []
        pending = [(start, 0)]
        while pending:
            name, depth = pending.pop()
            path = path[:depth]
            if name in path:
                return [*path[path.index(name) :], name]
            if name in done or name not in leads:
                continue
            path.append(name)
            pending += [(each, depth + 1) for each in leads[name]]
        done |= set(path)
    return []


def _judged_layout(layout: bytes, template: Template) -> Iterator[Found]:
    from metaagent.documents.render.layout import BadLayout, marks_of

    try:
        marks = marks_of(layout)
    except BadLayout as error:
        yield ("layout",), _BAD_LAYOUT, {"reason": error.why}
        return
    for mark in sorted(marks - {"sections", "title"} - template.fields.keys()):
        near = nearest(mark, template.fields)
        yield ("layout",), _UNKNOWN_FIELD, {"name": mark, "near": f" ({near}?)" if near else ""}
