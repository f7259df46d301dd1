"""The document agent: fills a template from the turn's artifacts, or changes an earlier version, and renders the files.

confidence = 0.95 · 0.9 if fields are open · 0.95 if a rule of the review is not met
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from metaagent.child import ChildFailed
from metaagent.documents.conditions import condition_of, is_met
from metaagent.documents.files import FORMATS, MEDIA_TYPES, render_files
from metaagent.documents.filling import Filling, Material, fill, review_notes
from metaagent.documents.model import Document, lines
from metaagent.documents.templates import KINDS, Loaded, TemplatesInvalid, load_templates
from metaagent.errors import InputRefused, PortNotGranted
from metaagent.language.particles import Language
from metaagent.language.slides import asks_for_slides
from metaagent.level2.document.agent import DocumentParams
from metaagent.level2.document.document_sections import part_asked, values_of
from metaagent.level2.document.editing import (
    asked_language,
    edit,
    is_edit,
    shortened,
    shortens,
    with_data,
)
from metaagent.level2.document.values import Known, collect, day_of, not_in_data, unused
from metaagent.level2.document.verdict_revision import mended
from metaagent.level2.document.wording import reworded
from metaagent.plugin import (
    Artifact,
    Context,
    Failed,
    Group,
    Result,
    Task,
    Text,
    TryAgain,
)
from metaagent.ports import ChatModel
from metaagent.values import mapping, rows, sequence

Json = dict[str, Any]
BY_DEFAULT = ("pdf", "docx")
FALLBACK = "analysis_report"
"""The type of a document where the request names none and there are figures."""
_FORMAT_WORDS = {
    "pdf": r"\bpdf|피디에프",
    "docx": r"\bdocx|\bword\b|워드",
    "hwpx": r"\bhwpx?|한글\s?(?:파일|문서)|아래아\s?한글",
    "xlsx": r"\bxlsx|\bexcel|엑셀",
    "md": r"\bmarkdown|마크다운",
    "html": r"\bhtml|웹\s?페이지",
}
_MAKING = Text(en="filling the template", ko="서식을 채우는 중")
_RENDERING = Text(en="rendering the files", ko="파일을 만드는 중")
_NO_TEMPLATE = Text(
    en="There is no template for '{wanted}': there are {known}. `metaagent templates list` shows them.",
    ko="'{wanted}' 서식이 없습니다. 있는 서식: {known}. `metaagent templates list`로 볼 수 있습니다.",
)
_NO_TEMPLATES = Text(
    en="This domain has no templates: put one into its folder `templates`.",
    ko="이 도메인에는 서식이 없습니다. `templates` 폴더에 넣으세요.",
)
_NOT_A_MODEL = Text(
    en="The document that is meant cannot be changed here: its model is not at hand.",
    ko="바꾸려는 문서의 원본을 찾을 수 없어 고칠 수 없습니다.",
)
_NO_SLIDES = Text(
    en="Slides (PowerPoint) cannot be made here; this is the same as a document. "
    "PDF, Word, HWPX, Excel, Markdown and HTML can be made.",
    ko="PPT(슬라이드)는 만들 수 없어 문서로 만들었습니다. 만들 수 있는 형식: PDF, 워드, 한글(HWPX), 엑셀, 마크다운, HTML.",
)
_EMPTY = Text(
    en="There is nothing to put into the {title}: say which figures or documents it shall be about, such as sales of last month.",
    ko="{title}에 담을 내용이 없습니다. 지난달 매출처럼 어떤 수치나 자료에 관한 것인지 말씀해 주세요.",
)
_MADE = Text(en="{title}, version {version}: {formats}.", ko="{title} {version}판을 만들었습니다: {formats}.")
_CHANGED = Text(en="Changed: {what}.", ko="바뀐 점: {what}.")
_OPEN = Text(en="Still open: {fields}.", ko="작성 필요: {fields}.")
_NOT_IN_DATA = Text(
    en="Kept as written, not in the data: {names}.", ko="데이터에 없어 적으신 그대로 쓴 이름: {names}."
)
_UNUSED = Text(en="Not used in the document: {words}.", ko="문서에 쓰지 않은 말: {words}.")
_NOT_MET = Text(
    en="nothing was written, since the condition “{condition}” is not met: {figures}",
    ko="조건 “{condition}”에 맞지 않아 작성하지 않았습니다. {figures}",
)
_UNCHECKED = Text(
    en="The condition “{condition}” could not be checked with these figures: please look before you send it.",
    ko="조건 “{condition}”은(는) 이 수치로 확인할 수 없었습니다. 보내기 전에 확인하세요.",
)
_REVIEW = Text(en="For review: {message}", ko="검토 사항: {message}")
_FAILED = Text(en="The document could not be rendered. {why}", ko="문서 파일을 만들지 못했습니다. {why}")


@dataclass(frozen=True)
class Draft:
    """A version before it is rendered."""

    document: Document
    loaded: Loaded
    version: int
    changes: tuple[str, ...] = ()
    not_in_data: tuple[str, ...] = ()
    """Names that stand as the person wrote them."""
    unused: tuple[str, ...] = ()
    """Words of the request that no field holds."""
    unchecked: str = ""
    """A condition of the request that the figures could not answer."""


async def make(task: Task, ctx: Context) -> Result:
    language: Language = "ko" if ctx.shared.get("language") == "ko" else "en"
    await ctx.progress(10, _MAKING.say(language))
    templates = await _templates(ctx, language)
    if len(each := _one_by_one(task)) > 1:
        return await _all_revised(each, ctx, templates, language)
    return await _made(task, ctx, templates, language)


async def _made(task: Task, ctx: Context, templates: Mapping[str, Loaded], language: Language) -> Result:
    earlier = await _earlier(task, ctx, language)
    if earlier is None:
        draft = await _new(task, ctx, templates, language)
    else:
        draft = await _revised(task, ctx, templates, earlier, language)
    await ctx.progress(60, _RENDERING.say(language))
    return await _result(task, ctx, draft, language)


def _one_by_one(task: Task) -> list[Task]:
    """The task for each of the documents that are to be changed in the same way."""
    names = dict.fromkeys(
        ref.group.document_id for ref in task.inputs if ref.kind == "document" and ref.group
    )
    return [
        replace(task, inputs=tuple(r for r in task.inputs if r.group is None or r.group.document_id == name))
        for name in (names if task.request.get("revises") else ())
    ]


async def _all_revised(
    tasks: Sequence[Task], ctx: Context, templates: Mapping[str, Loaded], language: Language
) -> Result:
    """The next version of every document; where one cannot be changed so, it is said why. Raises Failed where none can."""
    made: list[Result] = []
    why: list[str] = []
    for task in tasks:
        try:
            made.append(await _made(task, ctx, templates, language))
        except Failed as error:
            why.append(str(error))
    if not made:
        raise Failed(" ".join(dict.fromkeys(why)))
    return Result(
        summary="\n".join([*(each.summary for each in made), *why]),
        confidence=min(each.confidence for each in made),
        artifacts=[artifact for each in made for artifact in each.artifacts],
        sources=[source for each in made for source in each.sources],
        state=made[-1].state,
    )


async def _templates(ctx: Context, language: Language) -> dict[str, Loaded]:
    try:
        found = load_templates(await ctx.templates.files())
    except TemplatesInvalid as error:
        raise Failed(error.say(language)) from error
    if not found:
        raise Failed(_NO_TEMPLATES.say(language))
    return found


async def _earlier(task: Task, ctx: Context, language: Language) -> tuple[Document, int] | None:
    """The document that the request changes, with its version; None where a new one is asked for."""
    refs = [ref for ref in task.inputs if ref.kind == "document"]
    question = str(ctx.shared.get("user_query", ""))
    if not refs or not (task.request.get("revises") or is_edit(question)):
        return None
    ref = next((each for each in refs if each.group is None or each.group.format == "json"), None)
    data = None if ref is None else await ctx.artifacts.read(ref)
    if ref is None or not isinstance(data, dict):
        raise Failed(_NOT_A_MODEL.say(language))
    try:
        return Document.from_json(data), ref.group.version if ref.group else 1
    except InputRefused as error:
        raise Failed(error.say(language)) from error


async def _new(task: Task, ctx: Context, templates: Mapping[str, Loaded], language: Language) -> Draft:
    params = cast("DocumentParams", task.params)
    loaded = chosen(params, task.request, templates, language)
    materials = await _materials(task, ctx)
    unchecked = _judged(
        str(task.request.get("in_full") or ctx.shared.get("user_query", "")), materials, language
    )
    memories = await ctx.memory.all() if "memory" in ctx.ports else []
    known = Known(
        task.request,
        task.answers,
        memories=memories,
        user=ctx.user if "user" in ctx.ports else None,
        today=day_of(task.request, ctx.shared.get("timestamp")),
        language=language,
    )
    # The language that the request names for the document, else that of the conversation.
    wanted = asked_language(str(ctx.shared.get("user_query", "")))
    known = replace(known, language=wanted if wanted in loaded.template.languages else language)
    values = collect(loaded.template, known, materials)
    number = mapping(task.request.get("resolved")).get("number", 1)
    what = loaded.template.id if number == 1 else f"{loaded.template.id}#{number}"
    document_id = f"doc-{ctx.effect_key('document', what)[:16]}"
    document = fill(Filling(loaded, known.language, document_id, values, materials))
    if not document.blocks:
        raise Failed(_EMPTY.say(language, title=document.title))
    model = _model(ctx)
    if model is not None:
        document, _ = await reworded(document, model)
    unknown = not_in_data(loaded.template, values, task.request)
    left = () if materials else unused(loaded.template, known, values)
    return Draft(document, loaded, 1, not_in_data=tuple(unknown), unused=tuple(left), unchecked=unchecked)


def _judged(question: str, materials: Sequence[Material], language: Language) -> str:
    """The condition of the request that its figures cannot answer, if there is one. Raises Failed where they say no."""
    condition = condition_of(question)
    data = next(
        (each.data for each in materials if each.kind == "dataset" and isinstance(each.data, dict)), None
    )
    if condition is None or data is None:
        return ""
    found = is_met(condition, data)
    if found is False:
        said = " ".join(str(each) for each in sequence(data.get("sentences"))[:2])
        raise Failed(_NOT_MET.say(language, condition=condition.text, figures=said))
    return "" if found else condition.text


def chosen(
    params: DocumentParams, request: Mapping[str, Any], templates: Mapping[str, Loaded], language: Language
) -> Loaded:
    wanted = (
        params.template
        or params.document_type
        or mapping(request.get("resolved")).get("document_type")
        or FALLBACK
    )
    by_type = [each for each in templates.values() if each.template.document_type == wanted]
    found = templates.get(wanted) or next(
        (each for each in by_type if language in each.template.languages), None
    )
    if found is None:
        known = ", ".join(each.template.name.say(language) or name for name, each in templates.items())
        raise Failed(_NO_TEMPLATE.say(language, wanted=wanted, known=known))
    return found


async def _materials(task: Task, ctx: Context) -> list[Material]:
    return [
        Material(ref.id, ref.kind, ref.summary or ref.kind, await ctx.artifacts.read(ref), ref.hash)
        for ref in task.inputs
        if ref.kind in KINDS and ref.kind != "document"
    ]


def _model(ctx: Context) -> ChatModel | None:
    """The chat model, where one is configured."""
    try:
        return ctx.llm
    except PortNotGranted:
        return None


async def _revised(
    task: Task,
    ctx: Context,
    templates: Mapping[str, Loaded],
    earlier: tuple[Document, int],
    language: Language,
) -> Draft:
    document, version = earlier
    loaded = templates.get(document.template_id)
    if loaded is None:
        raise Failed(_NO_TEMPLATE.say(language, wanted=document.template_id, known=", ".join(templates)))
    question = str(task.request.get("change") or ctx.shared.get("user_query", ""))
    today = day_of(task.request, ctx.shared.get("timestamp"))
    edited = await mended(task, ctx, document, language)
    materials = await _materials(task, ctx)
    held = [each.get("artifact_id") for each in document.sources]
    asked = "data_analysis" in sequence(task.request.get("required_capabilities"))
    if (
        edited is None
        and asked
        and any(each.kind == "dataset" and each.artifact_id not in held for each in materials)
    ):
        edited = with_data(document, loaded, materials, today, language)
    model = _model(ctx) if edited is None and shortens(question) else None
    if model is not None:
        part = part_asked(document, question, language)
        made, count = await reworded(document, model, part=part, shorter=True)
        edited = shortened(made, part, language) if count else None
    if edited is None:
        edited = edit(document, question, loaded, today, language, materials, _products(task.request))
    return Draft(edited.document, loaded, version + 1, edited.changes)


def _products(request: Mapping[str, Any]) -> list[str]:
    """The products that a request names, as the data has them."""
    named = [each for each in rows(request.get("extracted_entities")) if each.get("type") == "product"]
    return [str(each.get("name") or each.get("value")) for each in named]


_ALSO = re.compile(
    r"로도|도\s?(?:줘|주|같이|함께|필요|만들)|\b(?:also|too|as well|both|in addition)\b", re.IGNORECASE
)


def _formats(params: DocumentParams, question: str, earlier: Sequence[str]) -> list[str]:
    """The formats that the plan or the request names; else those of the earlier version. "PDF로도" adds one to these."""
    if params.formats:
        return [each for each in params.formats if each in FORMATS] or list(BY_DEFAULT)
    asked = [form for form, words in _FORMAT_WORDS.items() if re.search(words, question, re.IGNORECASE)]
    if asked and not _ALSO.search(question):
        return asked
    return [form for form in FORMATS if form in earlier or form in asked] or list(BY_DEFAULT)


async def _result(task: Task, ctx: Context, draft: Draft, language: Language) -> Result:
    document, loaded = draft.document, draft.loaded
    params = cast("DocumentParams", task.params)
    groups = [ref.group for ref in task.inputs if ref.kind == "document" and ref.group is not None]
    earlier = [each.format for each in groups if draft.version > 1]
    formats = _formats(params, str(ctx.shared.get("user_query", "")), earlier)
    standard = cast("Any", params.standard if params.standard in ("a-2b", "a-2a", "ua-1") else "")
    try:
        files = await render_files(document, formats, layout=loaded.layout, standard=standard)
    except ChildFailed as error:
        raise TryAgain(_FAILED.say(language, why=error.say(language))) from error
    except InputRefused as error:
        raise Failed(_FAILED.say(language, why=error.say(language))) from error
    review = review_notes(loaded.template, values_of(document), language)
    said = _summary(draft, formats, review, language)
    if asks_for_slides(str(ctx.shared.get("user_query", ""))):
        said.insert(1, _NO_SLIDES.say(language))
    return Result(
        summary="\n".join(said),
        confidence=round(0.95 * (0.9 if document.open_fields else 1.0) * (0.95 if review else 1.0), 3),
        artifacts=_artifacts(draft, files, said[0]),
        sources=[{"type": "artifact", **dict(each)} for each in document.sources],
        state=_state(draft, formats, review),
    )


def _summary(draft: Draft, formats: Sequence[str], review: Sequence[Json], language: Language) -> list[str]:
    document = draft.document
    shown = ", ".join(each.upper() for each in formats)
    said = [_MADE.say(language, title=document.title, version=draft.version, formats=shown)]
    if draft.changes:
        said.append(_CHANGED.say(language, what="; ".join(draft.changes)))
    if document.open_fields:
        said.append(_OPEN.say(language, fields=", ".join(each.label for each in document.open_fields)))
    if draft.not_in_data:
        said.append(_NOT_IN_DATA.say(language, names=", ".join(draft.not_in_data)))
    if draft.unused:
        said.append(_UNUSED.say(language, words="; ".join(draft.unused)))
    if draft.unchecked:
        said.append(_UNCHECKED.say(language, condition=draft.unchecked))
    return [*said, *(_REVIEW.say(language, message=each["message"]) for each in review)]


def _artifacts(draft: Draft, files: Mapping[str, bytes], summary: str) -> list[Artifact]:
    """The model, then its files, as one group. Names are made from ids."""
    document, version = draft.document, draft.version
    stem = f"{document.document_id}-{version}"

    def group(form: str) -> Group:
        return Group(document.document_id, version, form)

    return [
        Artifact(
            "document",
            document.as_json(),
            summary=summary,
            name=f"{stem}.json",
            media_type="application/json",
            group=group("json"),
        ),
        *(
            Artifact(
                "document",
                content,
                summary=summary,
                name=f"{stem}.{form}",
                media_type=MEDIA_TYPES[form],
                group=group(form),
            )
            for form, content in files.items()
        ),
    ]


def _state(draft: Draft, formats: Sequence[str], review: Sequence[Json]) -> Json:
    document, template = draft.document, draft.loaded.template
    return {
        "document_type": template.document_type,
        "template_id": template.id,
        "form_data": {name: dict(each) for name, each in document.fields.items()},
        "source_data": {"artifacts": [dict(each) for each in document.sources]},
        "draft_versions": [
            {
                "version": draft.version,
                "template_version": template.version,
                "template_hash": draft.loaded.hash,
                "changes": list(draft.changes),
            }
        ],
        "current_version": draft.version,
        "generated_document": {
            "content": "\n".join(lines(document))[:20_000],
            "format": ",".join(formats),
            "metadata": {
                "title": document.title,
                "language": document.language,
                "open_fields": [each.name for each in document.open_fields],
                "review": list(review),
                "not_in_data": list(draft.not_in_data),
                "unused": list(draft.unused),
            },
            "file_path": f"{document.document_id}-{draft.version}.{formats[0]}",
        },
        "document_id": document.document_id,
        # `artifact:#n` is the n-th artifact of this result; the step puts its id in its place.
        "storage_location": "artifact:#0",
        "document_url": "artifact:#1",
    }
