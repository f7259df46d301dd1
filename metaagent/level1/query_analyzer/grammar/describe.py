"""A request in words: what a person chooses between, and what `explain` shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metaagent.errors import Text
from metaagent.level1.query_analyzer.domain import SemanticVocabulary
from metaagent.level1.query_analyzer.grammar.request import Request

Plain = Mapping[str, Any]
_PARTS: dict[str, Text] = {
    "by": Text(en="by {what}", ko="{what}별"),
    "count": Text(en="number of {what}", ko="{what} 수"),
    "only": Text(en="only {what}", ko="{what}만"),
    "without": Text(en="without {what}", ko="{what} 제외"),
    "rows": Text(en="each row of {column} {op} {values}", ko="건별 {column} {op} {values}"),
    "having": Text(en="{column} {op} {values}", ko="{column} {op} {values}"),
    "relative": Text(en="{column} {op} another value", ko="{column} {op} 다른 값"),
    "top": Text(en="{direction} {n}", ko="{direction} {n}"),
    "has": Text(en="with {what}", ko="{what} 있음"),
    "has_not": Text(en="without {what}", ko="{what} 없음"),
    "share": Text(en="share", ko="비중"),
    "compared": Text(en="compared with {start} to {end}", ko="{start}~{end}와(과) 비교"),
    "together": Text(en="together", ko="합쳐서"),
}
_TOP = {"top": Text(en="top", ko="상위"), "bottom": Text(en="bottom", ko="하위")}


def label(vocabulary: SemanticVocabulary, name: str, language: str) -> str:
    for kind in ("metric", "dimension"):
        term = vocabulary.find(kind, name)
        words = [word for word in (term.labels if term else ()) if word.isascii() == (language == "en")]
        if words:
            return words[0]
    return name


def query(asked: Plain, labels: Mapping[str, str], vocabulary: SemanticVocabulary, language: str) -> str:
    """The figures with their filters and period. `labels`: how values are shown that are kept as keys."""
    filters = [
        {**item, "values": [labels.get(str(value), value) for value in item["values"]]}
        for item in asked.get("filters") or ()
    ]
    figures = _figures(asked, vocabulary, language)
    return ", ".join(
        [*figures, *_limits({**asked, "filters": filters}, vocabulary, language)] if figures else ()
    )


def request(made: Request, vocabulary: SemanticVocabulary, language: str) -> str:
    query = made.query
    parts = [*_figures(query, vocabulary, language), *_limits(query, vocabulary, language)]
    if made.compared is not None:
        other = made.compared.other
        parts.append(_PARTS["compared"].say(language, start=other.first, end=other.last))
    return ", ".join(part for part in parts if part)


def _figures(query: Plain, vocabulary: SemanticVocabulary, language: str) -> list[str]:
    def named(name: str) -> str:
        return label(vocabulary, name, language)

    parts = [named(name) for name in query.get("metrics") or ()]
    parts += [" / ".join(map(named, str(d["name"]).split("__per__"))) for d in query.get("derived") or ()]
    if query.get("count_groups"):
        parts = [_PARTS["count"].say(language, what=named(query["count_groups"]))]
    dimensions = list(query.get("dimensions") or ())
    parts += [_PARTS["by"].say(language, what=named(name)) for name in dimensions]
    if query.get("share"):
        parts.append(_PARTS["share"].say(language))
    if not dimensions and any(len(f["values"]) > 1 and f["op"] == "in" for f in query.get("filters") or ()):
        parts.append(_PARTS["together"].say(language))
    return parts


def _limits(query: Plain, vocabulary: SemanticVocabulary, language: str) -> list[str]:
    def named(name: str) -> str:
        head, _, tail = name.partition("__")
        return label(vocabulary, head, language) + (f" ({tail})" if tail else "")

    parts: list[str] = []
    for f in query.get("filters") or ():
        kind = "without" if f["op"] == "not_in" else "only"
        what = ", ".join(
            vocabulary.value_label(str(f.get("dimension")), value, language) for value in f["values"]
        )
        parts.append(_PARTS[kind].say(language, what=what))
    for name in ("rows", "having"):
        for item in query.get(name) or ():
            values = ", ".join(
                value if isinstance(value, str) else f"{value:g}" for value in item.get("values") or ()
            )
            kind = "relative" if item.get("relative") else name
            column = " ÷ ".join(named(str(each)) for each in (item["column"], item.get("per")) if each)
            parts.append(_PARTS[kind].say(language, column=column, op=item["op"], values=values))
    parts += [
        _PARTS["has" if item["exists"] else "has_not"].say(language, what=named(item["fact_metric"]))
        for item in query.get("existence") or ()
    ]
    top = query.get("top")
    if top:
        n = f"{top['percent']:g}%" if top.get("percent") else str(top.get("nth") or top.get("n") or 1)
        parts.append(_PARTS["top"].say(language, direction=_TOP[top["direction"]].say(language), n=n))
    if query.get("period"):
        parts.append(f"{query['period'].get('start')}~{query['period'].get('end')}")
    return parts
