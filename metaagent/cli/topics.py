"""`metaagent topics`: the figures and questions that the connected data offers."""

from __future__ import annotations

import typer

from metaagent.cli.door import FAILED, Door, Reply
from metaagent.cli.options import NOW, PERSON, command
from metaagent.cli.startup import ui_language
from metaagent.errors import Text

_NOTHING = Text(
    en="No data is connected: `metaagent connect URL` connects a database, `metaagent demo` makes a company to try.",
    ko="연결된 데이터가 없습니다. `metaagent connect URL`로 데이터베이스를 연결하거나 `metaagent demo`로 시험용 회사를 만드세요.",
)


def add_to(app: typer.Typer, panel: str) -> None:
    command(app, "topics", (*PERSON, NOW), panel=panel)(topics)


async def topics(door: Door) -> Reply:
    """List what can be asked here: figures, what they split by, how far the data goes, and questions that work."""
    from metaagent.level1.topic_lines import topic_lines

    language = ui_language()
    async with door.open() as app:
        found = await app.topics(language=language, user=door.user)
    if found is None:
        return Reply(
            {"domain": None, "metrics": [], "dimensions": [], "questions": []},
            [_NOTHING.say(language)],
            FAILED,
        )
    return Reply(found.as_json(), topic_lines(found.as_json(), language))
