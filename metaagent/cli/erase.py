"""`metaagent erase`: destroys a person's key and removes what is theirs, or lets an erased person begin anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from metaagent.cli.door import FAILED, Door, Reply, confirmed, write_file
from metaagent.cli.options import OFFICER, Yes, command
from metaagent.cli.startup import ui_language
from metaagent.errors import Text

_SURE = Text(
    en="Destroy the key of {user} and remove everything that is theirs? This cannot be undone. [y/N] ",
    ko="{user} 님의 키를 파기하고 모든 내용을 삭제할까요? 되돌릴 수 없습니다. [y/N] ",
)
_KEPT = Text(
    en="Nothing was erased (--yes erases without asking).",
    ko="아무것도 파기하지 않았습니다(--yes를 쓰면 묻지 않고 파기합니다).",
)
_READMITTED = Text(
    en="{user} may use the system again, as someone new.",
    ko="{user} 님은 새 사람으로 다시 쓸 수 있습니다.",
)


def add_to(app: typer.Typer, panel: str) -> None:
    command(app, "erase", OFFICER, panel=panel)(erase)


async def erase(
    door: Door,
    user: Annotated[str, typer.Option("--user", help="The person.")],
    receipt: Annotated[
        Path | None, typer.Option("--receipt", help="Write the receipt there.", show_default=False)
    ] = None,
    yes: Yes = False,
    readmit: Annotated[
        bool, typer.Option("--readmit", help="Instead: let an erased person begin anew.")
    ] = False,
) -> Reply:
    """Destroy a person's key and remove what is theirs.

    Prints a signed receipt.
    """
    language = ui_language()
    if readmit:
        async with door.open() as app:
            await app.governance.readmit(user, user=door.user)
        return Reply({"readmitted": user}, [_READMITTED.say(language, user=user)])
    if not yes and not confirmed(_SURE.say(language, user=user)):
        return Reply({"erased": None}, [_KEPT.say(language)], FAILED)
    async with door.open() as app:
        made = await app.governance.erase(user, user=door.user)
    text = json.dumps(made, ensure_ascii=False, indent=2)
    if receipt is not None:
        write_file(receipt, f"{text}\n".encode())
    return Reply(made, [text])
