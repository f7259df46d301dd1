"""Wording by a chat model: the same statements in better sentences. Its text counts only if every figure in it is one of the
statements'; otherwise the statements stay as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from metaagent.documents.model import Document, Heading, Paragraph, Span, clean
from metaagent.errors import AgentSignal, MetaAgentError
from metaagent.language.number_check import Findings
from metaagent.language.particles import Language
from metaagent.level2.document.document_sections import part_of
from metaagent.ports import ChatModel

_ASK = {
    "ko": (
        "업무 문서의 문단을 자연스럽고 간결한 문어체로 고쳐 쓰세요. 사실을 더하거나 빼지 마세요. "
        "수치는 {{n1}}처럼 표시된 자리표를 그대로 두세요. 문단만 답하세요."
    ),
    "en": (
        "Rewrite the paragraph of a business document in plain, concise English. Add no facts and leave none out. "
        "Keep the figures as the marks like {{n1}} that stand for them. Answer with the paragraph alone."
    ),
}
_SHORTER = {
    "ko": "가장 중요한 내용만 한두 문장으로 줄이세요. ",
    "en": "Keep only what matters most, in one or two sentences. ",
}
MOST_PARAGRAPHS = 20


async def reworded(
    document: Document, model: ChatModel, *, part: Heading | None = None, shorter: bool = False
) -> tuple[Document, int]:
    """The document with paragraphs in the model's words, and how many of them changed."""
    changed = 0
    for block in part_of(document, part)[:MOST_PARAGRAPHS]:
        if isinstance(block, Paragraph) and not any(span.field for span in block.spans):
            try:
                said = await _said(block.text, model, document.language, shorter=shorter)
            except (MetaAgentError, AgentSignal):
                break  # a model that does not answer is no reason to have no document
            if said is not None and said != block.text:
                document = document.with_block(replace(block, spans=_kept_marks(block.spans, said)))
                changed += 1
    return document, changed


async def _said(text: str, model: ChatModel, language: Language, *, shorter: bool) -> str | None:
    findings = Findings.of([text])
    ask = (_SHORTER[language] if shorter else "") + _ASK[language]
    reply = await model.complete([("system", ask), ("user", findings.texts[0])])
    said = clean(reply.text).strip()
    if not said or len(said) > 2 * len(text) + 200 or findings.strangers(said):
        return None
    return findings.filled(said)


def _kept_marks(spans: Sequence[Span], said: str) -> tuple[Span, ...]:
    """The new words with the source of the old ones behind them."""
    note = next((span.note for span in reversed(spans) if span.note is not None), None)
    return (Span(said, note=note),)
