"""A document in its other language: the template's words, dates and amounts, and the words that its data has in both.

A person's own words stay as they were typed, and so do quotations; the findings of a check are said by its rules in both.
Changes that were made before stay: a part that was taken out or made shorter, a sentence that was added.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, cast

from metaagent.documents.fields import Value
from metaagent.documents.filling import Filling, Material, fill, from_artifacts, with_computed
from metaagent.documents.model import Block, Document, Heading, List, Paragraph, Table
from metaagent.documents.templates import Loaded
from metaagent.language.particles import Language
from metaagent.values import mapping, rows, sequence

_OF_DATA = ("dataset", "chart")


@dataclass(frozen=True)
class Translated:
    document: Document
    whole: bool
    """Everything that its data says is in the other language, too."""


def translated(
    document: Document,
    loaded: Loaded,
    wanted: Language,
    values: Mapping[str, Value],
    today: date | None,
    materials: Sequence[Material],
) -> Translated:
    """The document in the wanted language, from the materials at hand that it was made of."""
    used = {str(each.get("artifact_id")): str(each.get("kind")) for each in document.sources}
    own = [made for each in materials if each.artifact_id in used and (made := in_language(each, wanted))]
    own.sort(key=lambda each: list(used).index(each.artifact_id))
    there = {each.artifact_id for each in own}
    missing = [name for name, kind in used.items() if kind in _OF_DATA and name not in there]
    given = () if missing else own
    taken = from_artifacts(loaded.template, given, wanted)
    known = with_computed(loaded.template, {**values, **taken}, today, wanted)
    made = fill(
        Filling(
            loaded, wanted, document_id=document.document_id, values=known, materials=given, kept=document
        )
    )
    if given:
        made = replace(made, blocks=tuple(_as_before(document, made)), sources=document.sources)
    turned = {each.artifact_id for each in own if each.kind not in _OF_DATA and _in(each, wanted)}
    rest = [name for name, kind in used.items() if kind not in _OF_DATA and name not in turned]
    return Translated(made, not missing and not rest)


def in_language(material: Material, wanted: Language) -> Material | None:
    """The material in a language; None where it has words of data in another one only."""
    data: dict[str, Any] = cast("dict[str, Any]", material.data) if isinstance(material.data, dict) else {}
    other = mapping(data.get("other"))
    if material.kind == "verdict":
        return (
            replace(material, data=_said_otherwise(data, other))
            if other.get("language") == wanted
            else material
        )
    if material.kind not in _OF_DATA:
        return material
    if data.get("language") == wanted or not other:
        return material if data.get("language") == wanted else None
    words = {key: value for key, value in other.items() if key != "other"}
    return replace(material, title=str(other.get("title") or material.title), data={**data, **words})


def _said_otherwise(data: dict[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """A verdict with the messages that its rules have in the other language."""
    findings, messages = rows(data.get("findings")), sequence(other.get("messages"))
    if len(findings) != len(messages):
        return data
    said = [{**each, "message": str(message)} for each, message in zip(findings, messages, strict=True)]
    return {**data, "findings": said, "language": other.get("language")}


def _in(material: Material, wanted: Language) -> bool:
    return isinstance(material.data, dict) and mapping(cast("Any", material.data)).get("language") == wanted


def _as_before(old: Document, new: Document) -> list[Block]:
    """The blocks of the new version that the old one has, each as long as it was, with what was added there by hand."""
    before = {block.id: block for block in old.blocks}
    made = [_cut(block, before.get(block.id)) for block in new.blocks if _was_there(block, before)]
    ids = {block.id for block in made}
    at = 0
    for block in old.blocks:
        if block.id in ids:
            at = next(place for place, each in enumerate(made) if each.id == block.id) + 1
        elif ".added." in block.id:
            made.insert(at, block)
            at += 1
    return made


def _was_there(block: Block, before: Mapping[str, Block]) -> bool:
    if isinstance(block, Table):  # a wide table may be divided otherwise
        place = block.id.rpartition(".")[0]
        return block.id in before or any(each.startswith(f"{place}.") for each in before)
    return block.id in before


def _cut(block: Block, before: Block | None) -> Block:
    """A text with as many sentences or items as it had; a heading with the number that it had."""
    if (
        isinstance(block, Paragraph)
        and isinstance(before, Paragraph)
        and not any(s.field for s in block.spans)
    ):
        spans = block.spans[: len(before.spans)]
        last = replace(spans[-1], text=spans[-1].text.rstrip()) if spans else None
        return replace(block, spans=(*spans[:-1], last)) if last else block
    if isinstance(block, List) and isinstance(before, List):
        return replace(block, items=block.items[: len(before.items)])
    if isinstance(block, Heading) and isinstance(before, Heading):
        number = before.text.partition(". ")[0]
        return (
            replace(block, text=f"{number}. {block.text.partition('. ')[2]}") if number.isdigit() else block
        )
    return block
