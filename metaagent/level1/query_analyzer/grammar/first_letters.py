"""The letters that a match of a pattern can begin with, so that a pattern is built and tried only where one of them stands."""

from __future__ import annotations

from metaagent.language.cache_file import KeptFile

_KEPT = KeptFile.beside(__file__)
_DIGITS = frozenset("0123456789")
_ANY: None = None
_CLASSES = {"s": frozenset(" \t\n"), "d": _DIGITS}
_OPTIONAL = ("?", "*", "{0")


def kept_openings(pattern: str) -> frozenset[str] | None:
    """The same as `openings`, for a pattern of the source: found once, and kept for the next process."""
    kept = _KEPT.get(pattern)
    if kept is None:
        found = openings(pattern)
        _KEPT.put(pattern, (None if found is None else "".join(sorted(found)),))
        return found
    return _ANY if kept[0] is None else frozenset(kept[0])


def openings(pattern: str) -> frozenset[str] | None:
    """None: with any letter."""
    found: frozenset[str] = frozenset()
    for alternative in alternatives(pattern):
        first = _first(alternative)
        if first is None:
            return _ANY
        found |= first
    return found


def alternatives(pattern: str) -> list[str]:
    if "|" not in pattern:
        return [pattern]
    if not any(sign in pattern for sign in "([\\"):
        return pattern.split("|")
    parts, at, begin = list[str](), 0, 0
    while at < len(pattern):
        if pattern[at] == "|":
            parts.append(pattern[begin:at])
            begin = at + 1
        at = _atom(pattern, at)
    return [*parts, pattern[begin:]]


def _atom(pattern: str, at: int) -> int:
    """The end of the letter, class or group that begins here."""
    if pattern[at] == "\\":
        return at + 2
    if pattern[at] == "[":
        end = at + 1
        while pattern[end] != "]":
            end += 2 if pattern[end] == "\\" else 1
        return end + 1
    if pattern[at] != "(":
        return at + 1
    end = at + 1
    while pattern[end] != ")":
        end = _atom(pattern, end)
    return end + 1


def _first(sequence: str) -> frozenset[str] | None:
    found: frozenset[str] = frozenset()
    at = 0
    while at < len(sequence):
        end = _atom(sequence, at)
        atom = sequence[at:end]
        if not atom.startswith(("(?=", "(?!", "(?<")):
            own = _of_atom(atom)
            if own is None:
                return _ANY
            found |= own
            if not sequence.startswith(_OPTIONAL, end):
                return found
        at = _behind(sequence, end)
    return _ANY


def _behind(sequence: str, end: int) -> int:
    """The place behind a quantifier, if there is one."""
    if sequence[end : end + 1] == "{":
        return sequence.index("}", end) + 1
    return end + 1 if sequence[end : end + 1] in ("?", "*", "+") and end < len(sequence) else end


def _of_atom(atom: str) -> frozenset[str] | None:
    if atom[0] == "(":
        return openings(atom[3:-1] if atom.startswith("(?:") else atom[1:-1])
    if atom[0] == "[":
        return _of_class(atom[1:-1])
    if atom[0] == "\\":
        return _CLASSES.get(atom[1], frozenset(atom[1]) if not atom[1].isalnum() else _ANY)
    return _ANY if atom in ".^$" else frozenset(atom)


def _of_class(inside: str) -> frozenset[str] | None:
    if inside.startswith("^") or "-" in inside[1:-1] or "\\" in inside:
        return _ANY
    return frozenset(inside)
