"""YAML that remembers on which line each of its values stands, for messages that name the line."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import yaml

Place = tuple[str | int, ...]
"""The place of a value in the document: keys and positions, from the outside in."""

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class Parsed:
    data: Any
    lines: dict[Place, int]
    repeated: tuple[Place, ...]
    """Keys that stand twice in one mapping: YAML takes the last and says nothing."""

    def line(self, place: Place) -> int:
        """The 1-based line of the place, or of the nearest one around it; 0 for an empty document."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 0)


def parse(text: str) -> Parsed:
    """Raises yaml.YAMLError for what is not YAML and RecursionError for what is nested too deeply."""
    lines: dict[Place, int] = {}
    repeated: list[Place] = []
    loader = _LOADER(text)  # a safe one, the fast one where it is built
    try:
        node = loader.get_single_node()
        if node is None:
            return Parsed(None, lines, ())
        lines[()] = node.start_mark.line + 1
        _note(node, (), set(), lines, repeated)
        return Parsed(loader.construct_document(node), lines, tuple(repeated))
    finally:
        loader.dispose()


def _note(
    node: yaml.Node, place: Place, seen: set[int], lines: dict[Place, int], repeated: list[Place]
) -> None:
    if id(node) in seen:  # an alias leads back to what was seen, perhaps for ever
        return
    seen.add(id(node))
    if isinstance(node, yaml.MappingNode):
        below = [((*place, str(key.value)), key.start_mark.line + 1, value) for key, value in node.value]
        repeated += [name for name, count in Counter(name for name, _, _ in below).items() if count > 1]
    elif isinstance(node, yaml.SequenceNode):
        below = [((*place, at), item.start_mark.line + 1, item) for at, item in enumerate(node.value)]
    else:
        return
    for inner, line, value in below:
        lines[inner] = line
        _note(value, inner, seen, lines, repeated)
