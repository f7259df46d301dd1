"""YAML that remembers on which line each of its values stands, for messages that name the line."""

from __future__ import annotations

import marshal
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from metaagent.language.cache_file import KeptFile

Place = tuple[str | int, ...]
"""The place of a value in the document: keys and positions, from the outside in."""
_CAME_ALONG = (
    Path(__file__).resolve().parent,
    Path(__file__).resolve().parents[1] / "configs",
    Path(sys.prefix).resolve() / "share" / "metaagent",
)
_KEPT = KeptFile.beside(__file__)


class NotYaml(ValueError):
    """The problem of a text that is no YAML, and its 1-based line where it is known, else 0."""

    def __init__(self, problem: str, line: int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.line = line


@dataclass(frozen=True)
class Parsed:
    data: Any
    repeated: tuple[Place, ...]
    """Keys that stand twice in one mapping: YAML takes the last and says nothing."""
    find_lines: Callable[[], dict[Place, int]]

    @cached_property
    def lines(self) -> dict[Place, int]:
        return self.find_lines()

    def line(self, place: Place) -> int:
        """The 1-based line of the place, or of the nearest one around it; 0 for an empty document."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 0)


def parse(text: str, file: str | Path | None = None) -> Parsed:
    """The document in a text. That of a file that came along with the program is kept for the next process.

    Raises NotYaml for what is not YAML and RecursionError for what is nested too deeply.
    """
    if file is None or not any(Path(file).resolve().is_relative_to(place) for place in _CAME_ALONG):
        return _parse(text)
    key = sha256(text.encode()).digest()
    if (found := _KEPT.get(key)) is not None:
        data, repeated = marshal.loads(found)  # noqa: S302 - as trusted as the byte code beside it
        return Parsed(data, repeated, lambda: _parse(text).lines)
    parsed = _parse(text)
    with suppress(ValueError):  # a date, say, is nothing that can be kept so
        _KEPT.put(key, marshal.dumps((parsed.data, parsed.repeated)))
    return parsed


def _parse(text: str) -> Parsed:
    import yaml

    lines: dict[Place, int] = {}
    repeated: list[Place] = []
    safe: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the fast one where it is built
    try:
        loader = safe(text)
        try:
            node = loader.get_single_node()
            if node is None:
                return Parsed(None, (), dict)
            lines[()] = node.start_mark.line + 1
            _note(node, (), set(), lines, repeated)
            return Parsed(loader.construct_document(node), tuple(repeated), lambda: lines)
        finally:
            loader.dispose()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        problem = getattr(error, "problem", None) or str(error)
        raise NotYaml(str(problem), mark.line + 1 if mark else 0) from error


def _note(node: Any, place: Place, seen: set[int], lines: dict[Place, int], repeated: list[Place]) -> None:
    if id(node) in seen:  # an alias leads back to what was seen, perhaps for ever
        return
    seen.add(id(node))
    if node.id == "mapping":
        below = [((*place, str(key.value)), key.start_mark.line + 1, value) for key, value in node.value]
        repeated += [name for name, count in Counter(name for name, _, _ in below).items() if count > 1]
    elif node.id == "sequence":
        below = [((*place, at), item.start_mark.line + 1, item) for at, item in enumerate(node.value)]
    else:
        return
    for inner, line, value in below:
        lines[inner] = line
        _note(value, inner, seen, lines, repeated)
