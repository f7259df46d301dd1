"""Run on a file system of a few megabytes of its own: fills it to the last byte, reads, frees it and goes on.

unshare -rm sh -c 'mount -t tmpfs -o size=6m none FOLDER && python -m tests.support.full_disk_driver FOLDER'
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from pathlib import Path

from metaagent.errors import StorageError
from metaagent.storage.disk_reserve import NAME, free_bytes
from tests.support.agents import Runs, drawing, figures, opened


def fill(path: Path) -> None:
    with path.open("ab", buffering=0) as file:
        for size in (1 << 16, 1 << 10, 1):
            with suppress(OSError):
                while True:
                    file.write(bytes(size))


async def main(folder: Path) -> None:
    data, runs, ballast = folder / "data", Runs(folder / "runs"), folder / "ballast"
    async with opened(data, figures(runs), drawing(runs)) as app:
        first = await app.ask("drawing")
        fill(ballast)
        assert free_bytes(folder) == 0
        assert await _refused(app.ask("drawing", session_id=first.session_id))
        assert (await app.answer(first.turn_id)).text == first.text, "readable by who has it open"
    assert (data / NAME).exists()
    fill(ballast)  # what closing has freed
    for _ in range(3):
        async with opened(data, figures(runs), drawing(runs)) as app:
            assert (await app.answer(first.turn_id)).text == first.text, "readable by who opens it"
            assert len(await app.history(first.session_id)) == 2
            assert (await app.state(first.session_id)).get("final_response") == first.text
            assert await app.artifact(first.session_id, first.content["artifacts"][0]["id"])
            assert await _refused(app.ask("drawing", session_id=first.session_id))
            assert len(await app.turns(first.session_id)) == 1, "nothing was begun that could not end"
    ballast.unlink()
    async with opened(data, figures(runs), drawing(runs)) as app:
        assert (data / NAME).exists(), "kept back again"
        answer = await app.ask("drawing", session_id=first.session_id)
        assert (answer.status, answer.text) == ("completed", "drawing done")


async def _refused(work: object) -> bool:
    try:
        await work  # pyright: ignore[reportGeneralTypeIssues]
    except StorageError as error:
        return "space" in error.say("en") and "공간" in error.say("ko")
    return False


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
