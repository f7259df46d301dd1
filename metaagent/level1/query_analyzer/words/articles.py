"""Articles of laws and policies that a question names: 제47조의2 제1항, Article 47-2(1), § 47-2."""

from __future__ import annotations

from typing import Any

from metaagent.knowledge.articles import find
from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.words.source import Source

_NUMBER = regex(r"(?:부칙\s?)?제?\s?\d{1,4}\s?조|articles?|art\.|section|sec\.|§")


def named(source: Source) -> list[tuple[int, int, str, dict[str, Any]]]:
    """Find each as its span without the name of its law, the one way to write it, and its law and number."""
    found: list[tuple[int, int, str, dict[str, Any]]] = []
    for reference in find(source.text):
        inside = _NUMBER.search(source.text, reference.start, reference.end)
        start = inside.start() if inside else reference.start
        end = min([reference.end, *(at for at in [source.text.find(" of ", start)] if at > 0)])
        article = reference.article
        extra = {"law": article.law or None, "number": article.short()}
        found.append((start, end, article.korean(), extra))
    return found
