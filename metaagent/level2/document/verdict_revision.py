"""The next version of a document as a verdict requires it: what a program may change is changed, the rest is said."""

from __future__ import annotations

import re

from metaagent.documents.model import Document
from metaagent.documents.required_changes import modified
from metaagent.errors import Text
from metaagent.language.particles import Language
from metaagent.level2.document.editing import Edited
from metaagent.plugin import Context, Failed, Task
from metaagent.values import mapping, sequence, text

_AS_JUDGED = re.compile(
    r"규정|지적|위반|판정|검토\s?(?:결과|의견)|\b(?:rules?|findings?|verdict|violations?|compliance)\b",
    re.IGNORECASE,
)
_CUT = Text(en="a passage of [{block}] was taken out ({rule})", ko="[{block}]의 문구를 뺐습니다({rule})")
_LEFT = Text(
    en="[{block}] needs a person ({rule}: {action})",
    ko="[{block}]은(는) 사람이 고쳐야 합니다({rule}: {action})",
)
_NOTHING = Text(
    en="The check requires nothing that can be changed by itself: {rest}",
    ko="규정 확인에서 요구한 것 가운데 스스로 고칠 수 있는 것이 없습니다: {rest}",
)


async def mended(task: Task, ctx: Context, document: Document, language: Language) -> Edited | None:
    """Change the document as the verdict on exactly this version requires; None where something else is asked for. Raises
    Failed where nothing of it may be changed by a program."""
    asked = task.request.get("mends") or _AS_JUDGED.search(str(ctx.shared.get("user_query", "")))
    refs = [ref for ref in task.inputs if ref.kind == "verdict"]
    hashes = {ref.hash for ref in task.inputs if ref.kind == "document"}
    if not asked:
        return None
    for ref in reversed(refs):
        verdict = mapping(await ctx.artifacts.read(ref))
        if hashes & set(map(text, sequence(mapping(verdict.get("target")).get("hashes")))):
            break
    else:
        return None
    made = modified(document, verdict.get("required_modifications"))
    left = [_LEFT.say(language, **_told(each)) for each in made.rest]
    if not made.applied:
        raise Failed(_NOTHING.say(language, rest="; ".join(left) or "-"))
    return Edited(made.document, (*(_CUT.say(language, **_told(each)) for each in made.applied), *left))


def _told(change: dict[str, object]) -> dict[str, str]:
    return {name: text(change.get(name)) or "-" for name in ("block", "rule", "action")}
