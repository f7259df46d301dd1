"""YAML that remembers its lines, checked against a small shape; every error names file, line and remedy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metaagent.errors import ConfigInvalid, Text
from metaagent.values import nearest
from metaagent.yaml_lines import NotYaml, Parsed, Place, parse

Shape = Any
"""A dict of keys (`key!` is required), `("list", shape)`, `("map", shape)` for free keys, or a name of `_SCALARS`."""

_SCALARS: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "number": (int, float),
    "bool": (bool,),
}
_INVALID = Text(
    en="{file}, line {line}: {problem}. {remedy}",
    ko="{file} {line}번째 줄: {problem}. {remedy}",
)


@dataclass(frozen=True)
class Document:
    file: str
    parsed: Parsed

    @property
    def data(self) -> Any:
        return self.parsed.data

    def invalid(self, path: Place, problem: str, remedy: str) -> ConfigInvalid:
        line = self.parsed.line(path) or 1
        return ConfigInvalid(_INVALID, file=self.file, line=line, problem=problem, remedy=remedy)


def remedy(word: str, known: list[str]) -> str:
    """The remedy for an unknown word: the closest known one, or all of them."""
    close = nearest(word, known)
    return f"Did you mean '{close}'?" if close else f"Known here: {', '.join(sorted(known)) or 'nothing'}."


def load(file: Path) -> Document:
    name = str(file)
    try:
        return Document(name, parse(file.read_text(encoding="utf-8"), file))
    except OSError as error:
        raise ConfigInvalid(
            _INVALID,
            file=name,
            line=1,
            problem=f"cannot be read ({error.strerror})",
            remedy="Create it or correct the path.",
        ) from error
    except (NotYaml, UnicodeDecodeError) as error:
        if isinstance(error, NotYaml) and error.line:
            raise ConfigInvalid(
                _INVALID, file=name, line=error.line, problem=f"not valid YAML ({error.problem})",
                remedy="Check indentation, brackets and quotes around this line.",
            ) from error  # fmt: skip
        raise ConfigInvalid(
            _INVALID,
            file=name,
            line=1,
            problem="not valid YAML in UTF-8",
            remedy="Save the file as UTF-8 text.",
        ) from error


def check(document: Document, shape: Shape, path: Place = ()) -> None:
    """Raises for the first place where the data does not have the shape."""
    _check(document, _at(document.data, path), shape, path)


def _at(data: Any, path: Place) -> Any:
    for step in path:
        data = data[step]
    return data


def _name(path: Place) -> str:
    return ".".join(str(step) for step in path) or "the file"


def _check(document: Document, data: Any, shape: Shape, path: Place) -> None:
    if isinstance(shape, dict):
        _check_keys(document, data, {str(k): v for k, v in shape.items()}, path)
    elif isinstance(shape, tuple):
        kind, inner = shape
        _check_many(document, data, kind, inner, path)
    elif shape == "words":
        _check_words(document, data, path)
    elif shape == "text":
        _check_keys(document, data, {"ko!": "str", "en!": "str"}, path)
    elif shape != "any" and (
        not isinstance(data, _SCALARS[shape]) or (isinstance(data, bool) and shape != "bool")
    ):
        raise document.invalid(
            path, f"'{_name(path)}' is {data!r}, not of type {shape}", f"Write a value of type {shape}."
        )


def _check_keys(document: Document, data: Any, shape: dict[str, Shape], path: Place) -> None:
    if not isinstance(data, dict):
        raise document.invalid(
            path,
            f"'{_name(path)}' must be a mapping",
            f"Give it keys: {', '.join(k.rstrip('!') for k in shape)}.",
        )
    known = {key.rstrip("!"): inner for key, inner in shape.items()}
    for key in data:
        if key not in known:
            raise document.invalid(
                (*path, str(key)), f"unknown key '{key}' in '{_name(path)}'", remedy(str(key), list(known))
            )
    for key in shape:
        if key.endswith("!") and key[:-1] not in data:
            raise document.invalid(path, f"'{_name(path)}' lacks '{key[:-1]}'", f"Add '{key[:-1]}:'.")
    for key, value in data.items():
        if value is not None:
            _check(document, value, known[key], (*path, key))


def _check_many(document: Document, data: Any, kind: str, inner: Shape, path: Place) -> None:
    wanted = list if kind == "list" else dict
    if not isinstance(data, wanted):
        raise document.invalid(
            path, f"'{_name(path)}' must be a {'list' if kind == 'list' else 'mapping'}", "Write it so."
        )
    items: Any = enumerate(data) if isinstance(data, list) else data.items()
    for key, value in items:
        _check(document, value, inner, (*path, key if isinstance(key, int) else str(key)))


def _check_words(document: Document, data: Any, path: Place) -> None:
    """Either a list of words, or lists under ko and en."""
    if isinstance(data, dict):
        _check_keys(document, data, {"ko": ("list", "str"), "en": ("list", "str")}, path)
    else:
        _check_many(document, data, "list", "str", path)


def words(data: Any) -> tuple[str, ...]:
    if isinstance(data, dict):
        return (*(data.get("ko") or ()), *(data.get("en") or ()))
    return tuple(data or ())
