"""A domain as values: what its folder of YAML says about intents, words, documents, slots and regions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from metaagent.errors import Text
from metaagent.level1.query_analyzer.yaml_source import Document, check, load, remedy, words
from metaagent.yaml_lines import Parsed, Place

SLOT_TYPES = ["text", "integer", "number", "money", "date", "choice"]


@dataclass(frozen=True, eq=False)
class Slot:
    name: str
    type: str
    question: Text
    required: bool = True
    low: float | None = None
    high: float | None = None
    units: tuple[str, ...] = ()
    entity: str | None = None
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Intent:
    name: str
    title: Text
    capabilities: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    weak_unless: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()
    """Words that are evidence where the question quotes a text: can I send this: "…"."""
    needs: tuple[str, ...] = ()
    object: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    implied_by: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    over_unasked: tuple[str, ...] = ()
    """Intents that it takes the place of, unless one of their weak words asks for them."""
    over_where: tuple[str, ...] = ()
    """Entity types of which one must be named for `over` to hold; any question, if there are none."""
    over_unless: tuple[str, ...] = ()
    """Intents beside which `over` does not hold where a figure is named: a report has its figures, though it is checked and
    stored."""
    alone: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()
    declared: tuple[str, ...] = ()
    """Words of installed agents: they stand for themselves, with particles or a verb behind them."""
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Questions by language that a newcomer is offered, where they are read without a question back."""


@dataclass(frozen=True, eq=False)
class DocumentType:
    name: str
    title: Text
    words: tuple[str, ...]
    slots: tuple[str, ...] = ()
    figures: bool = False
    """Its name begins with the figure that it is about: the expense report of a month."""
    made_of: tuple[str, ...] = ()
    """Intents whose results it is made of: a compliance report, of a check."""
    split: str = ""
    """The dimension that its figures are split by where the request names none."""
    only_results: bool = False
    """It holds nothing but results: without any, the person is asked what it is about."""
    told_by: tuple[str, ...] = ()
    """Words of somebody who tells what such a document is about: whom they met. A mere report is then one of these."""


@dataclass(frozen=True, eq=False)
class Region:
    name: str
    code: str
    words: tuple[str, ...]
    members: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class AmbiguousMetric:
    words: tuple[str, ...]
    options: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Everyday:
    """Words that people say, and the words of documents that are meant by any of them."""

    say: tuple[str, ...]
    mean: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Domain:
    name: str
    intents: tuple[Intent, ...]
    capabilities: tuple[dict[str, Any], ...] = ()
    slots: Mapping[str, Slot] = field(default_factory=dict[str, Slot])
    document_types: Mapping[str, DocumentType] = field(default_factory=dict[str, DocumentType])
    output_forms: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    calculations: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """share, running_total, moving_average, target: what is computed beside the figure."""
    terms: Mapping[str, Mapping[str, tuple[str, ...]]] = field(
        default_factory=dict[str, Mapping[str, tuple[str, ...]]]
    )
    synonyms: tuple[tuple[str, ...], ...] = ()
    """Groups of words that mean the same in documents."""
    everyday: tuple[Everyday, ...] = ()
    """Words that people say, with those that documents have for the same."""
    scene: tuple[str, ...] = ()
    """Words that set the scene of a question about documents and are the matter of no rule."""
    regions: tuple[Region, ...] = ()
    time_grains: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    ambiguous_metrics: tuple[AmbiguousMetric, ...] = ()
    implied_metrics: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    entity_dimensions: Mapping[str, str] = field(default_factory=dict[str, str])
    defaults: Mapping[str, Any] = field(default_factory=dict[str, Any])
    calibration: Mapping[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    weights: Mapping[str, float] = field(default_factory=dict[str, float])
    """The weight of each feature of a reading for whether it is right."""

    def intent(self, name: str) -> Intent | None:
        return next((intent for intent in self.intents if intent.name == name), None)


@dataclass(frozen=True, eq=False)
class Term:
    kind: str
    name: str
    column: str | None
    labels: tuple[str, ...]
    hierarchy: tuple[str, ...] = ()
    unit: str | None = None
    dimension: str | None = None
    """The dimension that a value belongs to."""
    aggregate: str | None = None
    tables: tuple[str, ...] = ()
    """The tables of a dimension, or those that a metric can be split by."""
    counted_by: Mapping[str, Any] | None = None
    measured: bool = False
    """A dimension of numbers: a limit on single rows, not a group."""
    table: str | None = None
    """The table of a dimension, or the one whose rows a metric adds up."""
    subtype: str | None = None
    """The kind of a dimension: text, number, person, ..."""
    filtered: bool = False
    """A metric of some rows only."""
    title: Mapping[str, str] | None = None
    """The label of a value in each language."""
    above: tuple[str, ...] = ()
    """The tables to one row of which many rows of a dimension belong."""
    verbs: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """The words, by language, with which people say that a metric happened."""
    sides: tuple[str, ...] = ()
    """The metrics above and below the line of a ratio."""
    time: str = ""
    """The column by which a metric's rows are dated; of a part of time, that it is one."""
    only: tuple[str, tuple[str, ...]] | None = None
    """The dimension and its values to which the rows of a metric are limited."""
    caveats: tuple[Mapping[str, Any], ...] = ()
    """Facts about a metric that nobody has confirmed."""
    in_lines: str | None = None
    """The metric that adds up the same by lines."""

    @property
    def is_thing(self) -> bool:
        """A dimension of rows with a name, such as customers; not of a mere column, such as cities."""
        return self.counted_by is not None and not self.counted_by.get("kinds")


@dataclass(frozen=True, eq=False)
class SemanticVocabulary:
    """The words of the semantic model: metrics, dimensions and values, each with its column."""

    terms: tuple[Term, ...] = ()

    @classmethod
    def of(cls, items: Sequence[Mapping[str, Any]]) -> SemanticVocabulary:
        return cls(tuple(_term(item) for item in items))

    def find(self, kind: str, name: str) -> Term | None:
        return next((term for term in self.terms if term.kind == kind and term.name == name), None)

    def value_label(self, dimension: str, value: object, language: str) -> str:
        """A stored value as people of the language call it: cancelled is 취소."""
        named = (t for t in self.terms if t.kind == "value" and t.dimension == dimension and t.name == value)
        return str(next((t.title[language] for t in named if t.title and language in t.title), value))


_UNITS = {"원": "KRW", "달러": "USD"}


def _unit(item: Mapping[str, Any]) -> str | None:
    """The unit as a code: semantic models write it in both languages, and percentages as a format."""
    unit = item.get("unit")
    if unit is None:
        return "%" if item.get("format") == "percent" else None
    text = str(unit.get("ko") or unit.get("en")) if isinstance(unit, Mapping) else str(unit)
    return _UNITS.get(text, text)


def _term(item: Mapping[str, Any]) -> Term:
    hierarchy = item.get("hierarchy") or ()
    return Term(
        str(item["kind"]),
        str(item["name"]),
        item.get("column"),
        words(item.get("labels")),
        (hierarchy,) if isinstance(hierarchy, str) else tuple(hierarchy),
        _unit(item),
        item.get("dimension"),
        item.get("aggregate"),
        tuple(item.get("tables") or item.get("reaches") or ()),
        item.get("counted_by"),
        item["kind"] == "dimension" and item.get("type") == "number",
        item.get("table"),
        item.get("type"),
        bool(item.get("filtered")),
        item.get("label") if item["kind"] == "value" else None,
        tuple(item.get("above") or ()),
        {language: words(listed) for language, listed in (item.get("verbs") or {}).items()},
        tuple(item.get("sides") or ()),
        str(item.get("time") or ""),
        _only(item.get("only")),
        tuple(item.get("caveats") or ()),
        item.get("in_lines"),
    )


def _only(given: Mapping[str, Any] | None) -> tuple[str, tuple[str, ...]] | None:
    return (str(given["dimension"]), tuple(map(str, given["values"]))) if given else None


@dataclass(frozen=True, eq=False)
class Name:
    """A name that stands in the data: a person, a hospital, a product, a region with its code."""

    type: str
    id: str
    name: str
    aliases: tuple[str, ...] = ()
    code: str | None = None
    detail: str | None = None
    dimension: str | None = None


@dataclass(frozen=True, eq=False)
class Lexicon:
    names: tuple[Name, ...] = ()

    @classmethod
    def of(cls, items: Sequence[Mapping[str, Any]]) -> Lexicon:
        return cls(tuple(_named(item) for item in items))


def _named(item: Mapping[str, Any]) -> Name:
    """Either {type, id, name, aliases, code, detail}, or a row of the semantic layer's data_names."""
    code, detail = item.get("code"), item.get("detail")
    name = item.get("name", item.get("value"))
    kind = str(item.get("type") or item.get("kind") or item.get("dimension"))
    ident = next(item[key] for key in ("id", "key", "code", "name", "value") if item.get(key) is not None)
    keyed = item.get("key") is not None or "dimension" not in item
    return Name(
        "product" if item.get("dimension") == "product" and keyed else kind,
        str(ident),
        str(name),
        tuple(str(alias) for alias in item.get("aliases") or ()),
        None if code is None else str(code),
        None if detail is None else str(detail),
        item.get("dimension"),
    )


_SLOT: dict[str, Any] = {
    "type!": "str", "question!": "text", "required": "bool", "range": ("list", "number"), "units": ("list", "str"),
    "entity": "str", "options": ("map", "words"), "labels": "words",
}  # fmt: skip
_DOMAIN: dict[str, Any] = {
    "name!": "str", "title": "text",
    "defaults": {"recent_days": "int", "metric": "str", "unrestricted_roles": ("list", "str")},
    "entity_dimensions": ("map", "str"),
    "ambiguous_metrics": ("list", {"words!": "words", "options!": ("list", "str")}),
    "implied_metrics": ("map", "words"),
    "time_grains": ("map", "words"),
    "document_types": ("map", {
        "title": "text", "words!": "words", "slots": ("list", "str"), "figures": "bool", "made_of": ("list", "str"), "split": "str",
        "only_results": "bool", "told_by": "words",
    }),
    "slots": ("map", _SLOT),
    "output_forms": ("map", "words"),
    "calculations": ("map", "words"),
    "terms": ("map", ("map", "words")),
}  # fmt: skip
_INTENTS: dict[str, Any] = {
    "intents!": ("list", {
        "name!": "str", "title": "text", "capabilities": ("list", "str"), "words": "words", "weak": "words",
        "quoted": "words", "weak_unless": ("list", "str"), "needs": ("list", "str"),
        "object": "words", "entities": ("list", "str"), "implied_by": ("list", "str"), "over": ("list", "str"),
        "over_unasked": ("list", "str"), "over_where": ("list", "str"), "over_unless": ("list", "str"),
        "alone": ("list", "str"), "slots": ("list", "str"), "examples": "words",
    }),
    "capabilities": ("list", {"name!": "str", "agent": "str", "title": "text", "typical_seconds": "number",
                              "requires": ("list", "str")}),
}  # fmt: skip
_REGIONS: dict[str, Any] = {
    "regions": ("list", {"name!": "str", "code!": "str", "words!": "words"}),
    "groups": ("list", {"name!": "str", "members!": ("list", "str"), "words!": "words"}),
}
_SYNONYMS: dict[str, Any] = {
    "synonyms!": ("list", ("list", "str")),
    "everyday": ("list", {"say!": ("list", "str"), "mean!": ("list", "str")}),
    "scene": ("list", "str"),
}
_CALIBRATION: dict[str, Any] = {
    "measured_on": "str", "rules!": ("map", {"right!": "int", "seen!": "int"}), "weights": ("map", "number"),
}  # fmt: skip
_LISTS = (
    "capabilities",
    "needs",
    "weak_unless",
    "entities",
    "implied_by",
    "over",
    "over_unasked",
    "over_where",
    "over_unless",
    "alone",
    "slots",
)
_EMPTY = Document("", Parsed({}, (), dict[Place, int]))


def _text(data: Any, fallback: str) -> Text:
    return Text(en=data["en"], ko=data["ko"]) if data else Text(en=fallback, ko=fallback)


def _slot(document: Document, name: str, data: dict[str, Any]) -> Slot:
    path = ("slots", name)
    if data["type"] not in SLOT_TYPES:
        raise document.invalid(
            (*path, "type"), f"unknown slot type '{data['type']}'", remedy(data["type"], SLOT_TYPES)
        )
    span: list[Any] = data.get("range") or [None, None]
    if len(span) != 2 or (None not in span and span[0] > span[1]):
        raise document.invalid((*path, "range"), f"'range' is {span!r}", "Write it as [lowest, highest].")
    if data["type"] == "choice" and not data.get("options"):
        raise document.invalid(
            path, f"slot '{name}' is a choice without options", "Add 'options:' with words for each."
        )
    options = {key: (key, *words(value)) for key, value in (data.get("options") or {}).items()}
    return Slot(
        name, data["type"], _text(data["question"], name), data.get("required", True), span[0], span[1],
        tuple(data.get("units") or ()), data.get("entity"), options, words(data.get("labels")),
    )  # fmt: skip


def _known(
    document: Document, path: tuple[str | int, ...], used: Sequence[str], known: list[str], what: str
) -> None:
    for at, name in enumerate(used):
        if name not in known:
            raise document.invalid((*path, at), f"unknown {what} '{name}'", remedy(name, known))


def _intents(document: Document, slots: Mapping[str, Slot]) -> tuple[Intent, ...]:
    items: list[dict[str, Any]] = document.data["intents"]
    names = [item["name"] for item in items]
    capabilities = [item["name"] for item in document.data.get("capabilities") or ()]
    found: list[Intent] = []
    for at, item in enumerate(items):
        path = ("intents", at)
        if names.index(item["name"]) != at:
            raise document.invalid(
                (*path, "name"), f"intent '{item['name']}' is declared twice", "Join the two or rename one."
            )
        _known(document, (*path, "over"), item.get("over") or (), names, "intent")
        _known(document, (*path, "over_unasked"), item.get("over_unasked") or (), names, "intent")
        _known(document, (*path, "alone"), item.get("alone") or (), names, "intent")
        _known(document, (*path, "slots"), item.get("slots") or (), list(slots), "slot")
        if capabilities:
            _known(
                document, (*path, "capabilities"), item.get("capabilities") or (), capabilities, "capability"
            )
        lists = {key: tuple(item.get(key) or ()) for key in _LISTS}
        title = _text(item.get("title"), item["name"])
        told = {key: words(item.get(key)) for key in ("words", "weak", "quoted", "object")}
        examples = {language: tuple(said) for language, said in (item.get("examples") or {}).items()}
        found.append(Intent(item["name"], title, **told, **lists, examples=examples))
    return tuple(found)


def _regions(document: Document) -> tuple[Region, ...]:
    data: dict[str, Any] = document.data or {}
    plain = [
        Region(item["name"], item["code"], (item["name"], *words(item["words"])))
        for item in data.get("regions") or ()
    ]
    names = [region.name for region in plain]
    codes = {region.name: region.code for region in plain}
    groups: list[Region] = []
    listed: list[dict[str, Any]] = data.get("groups") or []
    for at, item in enumerate(listed):
        _known(document, ("groups", at, "members"), item["members"], names, "region")
        members = tuple(codes[name] for name in item["members"])
        groups.append(Region(item["name"], item["name"], (item["name"], *words(item["words"])), members))
    return (*plain, *groups)


def _documents(document: Document, slots: Mapping[str, Slot]) -> dict[str, DocumentType]:
    found: dict[str, DocumentType] = {}
    for name, item in (document.data.get("document_types") or {}).items():
        _known(document, ("document_types", name, "slots"), item.get("slots") or (), list(slots), "slot")
        found[name] = DocumentType(
            name,
            _text(item.get("title"), name),
            words(item["words"]),
            tuple(item.get("slots") or ()),
            bool(item.get("figures")),
            tuple(item.get("made_of") or ()),
            str(item.get("split") or ""),
            bool(item.get("only_results")),
            words(item.get("told_by") or {}),
        )
    return found


def _optional(file: Path, shape: dict[str, Any]) -> Document:
    if not file.is_file():
        return _EMPTY
    document = load(file)
    check(document, shape)
    return document


def load_domain(folder: Path) -> Domain:
    """The domain in a folder: domain.yaml and intents.yaml, and regions.yaml, calibration.yaml and synonyms.yaml where they are."""
    main, intents = load(folder / "domain.yaml"), load(folder / "intents.yaml")
    check(main, _DOMAIN)
    check(intents, _INTENTS)
    regions = _optional(folder / "regions.yaml", _REGIONS)
    calibration = _optional(folder / "calibration.yaml", _CALIBRATION)
    said = _optional(folder / "synonyms.yaml", _SYNONYMS).data or {}
    data = main.data
    slots = {name: _slot(main, name, item) for name, item in (data.get("slots") or {}).items()}
    rules = (calibration.data or {}).get("rules") or {}
    return Domain(
        name=data["name"],
        intents=_intents(intents, slots),
        capabilities=tuple(intents.data.get("capabilities") or ()),
        slots=slots,
        document_types=_documents(main, slots),
        output_forms={name: words(item) for name, item in (data.get("output_forms") or {}).items()},
        calculations={name: words(item) for name, item in (data.get("calculations") or {}).items()},
        terms={
            kind: {name: words(item) for name, item in of.items()}
            for kind, of in (data.get("terms") or {}).items()
        },
        synonyms=tuple(tuple(group) for group in said.get("synonyms") or ()),
        everyday=tuple(
            Everyday(tuple(item["say"]), tuple(item["mean"])) for item in said.get("everyday") or ()
        ),
        scene=tuple(said.get("scene") or ()),
        regions=_regions(regions),
        time_grains={name: words(item) for name, item in (data.get("time_grains") or {}).items()},
        ambiguous_metrics=tuple(
            AmbiguousMetric(words(item["words"]), tuple(item["options"]))
            for item in data.get("ambiguous_metrics") or ()
        ),
        implied_metrics={name: words(item) for name, item in (data.get("implied_metrics") or {}).items()},
        entity_dimensions=data.get("entity_dimensions") or {},
        defaults=data.get("defaults") or {},
        weights={
            name: float(value) for name, value in ((calibration.data or {}).get("weights") or {}).items()
        },
        calibration={rule: (counts["right"], counts["seen"]) for rule, counts in rules.items()},
    )
