"""Rule packs as they are written: what a YAML file of rules may say."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from metaagent.global_state import RiskLevel

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,62}$")]
Category = Literal[
    "meal",
    "gift",
    "lecture_fee",
    "sample",
    "travel",
    "lodging",
    "venue",
    "donation",
    "cash",
    "entertainment",
    "unclear",
    "month_meals",
]
Target = Literal["document", "data"]
Key = Literal["doctor", "institution", "rep", "day", "month", "year"]
Measure = Literal["bills", "amount", "net", "gross", "net_per_head", "gross_per_head"]
Required = Literal["date", "amount", "heads", "doctors", "institution", "rep", "hours", "note", "kind"]
Json = dict[str, Any]


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, strict=False)


class Both(Part):
    """A text in Korean and English."""

    ko: str = Field(min_length=1)
    en: str = Field(min_length=1)

    def say(self, language: str, **values: object) -> str:
        return (self.ko if language == "ko" else self.en).format_map(_Blank(values))


class _Blank(dict[str, Any]):
    """A value that a message names but a finding lacks is shown as a dash."""

    def __missing__(self, key: str) -> str:
        return "–"


class Period(Part):
    first: date = Field(alias="from")
    last: date | None = Field(default=None, alias="to")

    def holds_on(self, day: date) -> bool:
        return self.first <= day and (self.last is None or day <= self.last)

    def overlaps(self, other: Period) -> bool:
        return (self.last is None or other.first <= self.last) and (
            other.last is None or self.first <= other.last
        )


class Law(Period):
    """The article behind a rule, and since when it is in force. `detail` names the decree that sets the figure."""

    statute: str
    article: str = Field(pattern=r"^제\d+조(의\d+)?(제\d+항)?(제\d+호)?$")
    detail: Both | None = None

    @property
    def reference(self) -> str:
        return f"{self.statute} {self.article}"


class Value(Period):
    value: int = Field(ge=0)


class Threshold(Part):
    """A figure with the days on which each of its values holds."""

    unit: Literal["KRW", "times", "years"]
    values: list[Value] = Field(min_length=1)

    def on(self, day: date) -> int | None:
        return next((one.value for one in self.values if one.holds_on(day)), None)


class AppliesTo(Part):
    targets: list[Target] = Field(min_length=1)
    categories: list[Category] = Field(default_factory=list[Category])
    occasions: list[Literal["visit", "seminar"]] = Field(
        default_factory=lambda: list[Literal["visit", "seminar"]]()
    )


class ConditionRule(Part):
    """`require` must be true of each bill; `field` is the value that a finding shows beside the limit."""

    require: str
    field: str
    threshold: Name | None = None


class TextRule(Part):
    """Phrases (RE2) that must not stand in a text as a statement of the given polarity.

    `affirmed`: the act is said to have happened. `negated`: the duty is said not to be kept. `any`: the words alone.
    A sentence that matches `unless`, or that only quotes a rule, is no statement.

    `statements` are lists of classes of words (`words` of the pack): a sentence that has a word of each, in any order, makes the
    statement, unless it has one of a class after `!`; one of a class after `<` may stand in the sentence before. The last class
    is the act that may be denied. A sentence of `suspected` leaves the rule undecided, and `question` is asked. With `ours`,
    words of others that are reported are no statement; with `outside`, sentences about our own people alone are none.
    """

    phrases: list[str] = Field(default_factory=list[str])
    statements: list[list[str]] = Field(default_factory=list[list[str]])
    suspected: list[list[str]] = Field(default_factory=list[list[str]])
    question: Both | None = None
    ours: bool = False
    outside: bool = False
    polarity: Literal["affirmed", "negated", "any"] = "affirmed"
    unless: list[str] = Field(default_factory=list[str])
    quotes_count: bool = False
    at_least: Name | None = None
    """A threshold: only a number, in a group of the phrase, that is smaller breaks the rule."""

    @model_validator(mode="after")
    def _says_something(self) -> TextRule:
        if not (self.phrases or self.statements or self.suspected):
            raise ValueError("give phrases, statements or suspected")
        if bool(self.suspected) != (self.question is not None):
            raise ValueError("suspected and question belong together")
        return self


class RequiredRule(Part):
    fields: list[Required] = Field(min_length=1)


class AggregateRule(Part):
    by: list[Key] = Field(min_length=1)
    measure: Measure
    most: Name


class UnderstoodRule(Part):
    """Everything that a document says of giving must have been understood: words that nothing accounts for leave it unknown."""


class JudgeRule(Part):
    """A question for a chat model. Its yes raises a warning; its no clears nothing."""

    question: Both


class Modification(Part):
    """A change that a program can apply: set a field to the limit, take a passage out, or have a field filled in."""

    action: Literal["set_to_limit", "remove_text", "fill_in"]
    field: str = ""


class Example(Part):
    """One case of a rule. `expenses` are judged together; the last is the one in question, after `history`."""

    text: str | None = None
    expenses: list[Json] | None = None
    history: list[Json] = Field(default_factory=list[Json])
    day: date | None = None

    @model_validator(mode="after")
    def _one_thing(self) -> Example:
        if (self.text is None) == (self.expenses is None):
            raise ValueError("give exactly one of text and expenses")
        return self


class Examples(Part):
    passing: list[Example] = Field(alias="pass", min_length=1)
    failing: list[Example] = Field(alias="fail", min_length=1)
    unknown: list[Example] = Field(default_factory=list[Example])


class Rule(Part):
    id: Name
    title: Both
    law: Law
    applies_to: AppliesTo
    severity: RiskLevel
    condition: ConditionRule | None = None
    text: TextRule | None = None
    required: RequiredRule | None = None
    aggregate: AggregateRule | None = None
    judge: JudgeRule | None = None
    understood: UnderstoodRule | None = None
    message: Both
    recommendation: Both
    modification: Modification | None = None
    examples: Examples

    @model_validator(mode="after")
    def _one_kind(self) -> Rule:
        kinds = [self.condition, self.text, self.required, self.aggregate, self.judge, self.understood]
        if sum(kind is not None for kind in kinds) != 1:
            raise ValueError("give exactly one of condition, text, required, aggregate, judge and understood")
        return self

    @property
    def kind(self) -> str:
        kinds = ("condition", "text", "required", "aggregate", "judge", "understood")
        return next(kind for kind in kinds if getattr(self, kind) is not None)

    @property
    def threshold(self) -> str | None:
        if self.condition is not None:
            return self.condition.threshold
        if self.text is not None:
            return self.text.at_least
        return self.aggregate.most if self.aggregate is not None else None


class SignedOff(Part):
    by: str = Field(min_length=1)
    at: date


class Pack(Part):
    pack: Name
    version: str = Field(min_length=1)
    effective: Period
    signed_off: SignedOff
    notice: Both
    title: Both
    thresholds: dict[Name, Threshold] = Field(default_factory=dict[str, Threshold])
    words: dict[Name, list[str]] = Field(default_factory=dict[str, list[str]])
    """Classes of words (RE2), of which text rules make statements."""
    rules: list[Rule] = Field(min_length=1)


class Statute(Part):
    """The articles of a statute: the highest number, articles with branches (47: 3 for 제47조의2 to 의4), deleted ones."""

    name: str
    as_of: date
    articles: int
    branches: dict[int, int] = Field(default_factory=dict[int, int])
    deleted: list[int] = Field(default_factory=list[int])


class Statutes(Part):
    statutes: list[Statute]


class Book(Part):
    """The place of a company's expenses. `sql` reads a page of them: its columns are named as the facts of an
    expense, {first} and {last} are days, {after} is the last id of the page before. `narrowed_by`: the columns with the keys and
    names of a dimension of the semantic model."""

    tables: list[str]
    sql: str
    narrowed_by: dict[str, list[str]] = {}

    @model_validator(mode="after")
    def _has_its_places(self) -> Book:
        if any(place not in self.sql for place in ("{first}", "{last}", "{after}")):
            raise ValueError("sql must name {first}, {last} and {after}")
        return self
