"""Requests that add something to what a field holds: "add to the terms that the first delivery is free". Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from metaagent.documents.fields import Value
from metaagent.documents.templates import FieldSpec, Template
from metaagent.level2.document.assigning import names_of
from metaagent.level2.document.note_style import stated

_PUT = r"(?:add|append|include|put|insert)"
_INTO = r"(?:to|in|into|under)\s(?:the\s|my\s|our\s)?"
_PUT_KO = r"(?:추가|덧붙|넣어|더해|적어|써\s?(?:줘|주|넣))"
_OF_TEXT = re.compile(r"문장|한\s?줄|\b(?:sentence|line|paragraph|remark|footnote)\b", re.IGNORECASE)


def added_values(template: Template, question: str, before: Mapping[str, Value]) -> dict[str, Any]:
    """The texts and lists that get something more, whole; none where a sentence is to stand by itself."""
    if _OF_TEXT.search(question):
        return {}
    for name, spec in template.fields.items():
        more = _more(spec, question)
        if more:
            return {name: _joined(spec, before.get(name), more)}
    return {}


def _more(spec: FieldSpec, question: str) -> str:
    """The words that are to be added to the field, if the request names it so."""
    free = spec.type in ("text", "list") and not (spec.titles or spec.endings) and "form" in spec.source
    names = sorted(names_of(spec), key=len, reverse=True) if free else []
    korean = "|".join(re.escape(each) for each in names if not each.isascii()) or "(?!)"
    english = "|".join(re.escape(each) for each in names if each.isascii()) or "(?!)"
    pattern = (
        rf"\b{_PUT}\s{_INTO}(?:{english})\b\s?(?:that\s|:\s?|,\s)?(?P<behind>.{{3,300}}?)[.!]*$"
        rf"|\b{_PUT}\s(?P<before>.{{3,300}}?)\s{_INTO}(?:{english})\b"
        rf"|(?<![가-힣])(?:{korean})(?:에다가?|에는|에도|에)\s['\"“‘]?(?P<ko>.{{2,300}}?)['\"”’]?"
        rf"(?:이라고|라고|(?<=다)고|을|를|도)?\s?(?:도\s)?{_PUT_KO}"
    )
    found = re.search(pattern, question, re.IGNORECASE)
    said = next((each for each in found.groups() if each), "") if found else ""
    return stated(said.strip(" '\"“”‘’"))


def _joined(spec: FieldSpec, before: Value | None, more: str) -> Any:
    if spec.type == "list":
        return [*(before.value if before is not None else []), more]
    return more if before is None else f"{before.value}; {more}"
