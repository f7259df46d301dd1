"""Regular expressions that are compiled when they are first used: hundreds are declared, a question needs some of them."""

from __future__ import annotations

import re
import sys
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from metaagent.language.pattern_cache import KeptPatterns

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable


_KEPT = KeptPatterns()


_PARTS = ("<listcomp>", "<genexpr>", "<dictcomp>", "<setcomp>")


class _Waiting:
    """Stands for a pattern until it is used, and then for its methods."""

    def __init__(self, text: str, flags: int, *, in_source: bool) -> None:
        self.pattern = text
        self._flags = flags
        self._in_source = in_source
        self._compiled: re.Pattern[str] | None = None

    def __getattr__(self, name: str) -> Any:
        """Compile once, and remember the method that was asked for."""
        if self._compiled is None:
            self._compiled = compiled(self.pattern, self._flags, in_source=self._in_source)
        found = self.__dict__[name] = getattr(self._compiled, name)
        return found


def regex(text: str, flags: int = 0) -> re.Pattern[str]:
    """Declare a regular expression. A mistake in it is found by the tests, which compile every declared one."""
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame.f_back is not None and frame.f_code.co_name in _PARTS:
        frame = frame.f_back
    return cast("re.Pattern[str]", _Waiting(text, flags, in_source=frame.f_code.co_name == "<module>"))


def any_of(words: Iterable[str]) -> str:
    """A pattern that fits any of the words, the longest first, and leaves at the first letter that none of them has."""
    heads: dict[str, list[str]] = {}
    for word in words:
        heads.setdefault(word[:1], []).append(word[1:])
    ends = heads.pop("", None) is not None
    parts = [re.escape(head) + any_of(tails) for head, tails in heads.items()]
    if not parts:
        return ""
    whole = parts[0] if len(parts) == 1 and not ends else f"(?:{'|'.join(parts)})"
    return f"{whole}?" if ends else whole


def compiled(text: str, flags: int = 0, *, in_source: bool = False) -> re.Pattern[str]:
    """The same as `re.compile` gives, in half of the time. One that is written in the source, and holds nothing that
    somebody said, is kept for the next process."""
    if in_source:
        return _KEPT.pattern(text, int(flags), _compiler)
    return _compiler()(text, int(flags))


@cache
def _compiler() -> Callable[[str, int], re.Pattern[str]]:
    """Python's own compiler, in a copy that works out each class of characters once. Up to Python 3.12 it marks the 11,172
    letters of [가-힣] one by one wherever that stands, some hundred times in the patterns of one question."""
    from importlib.util import find_spec, module_from_spec

    spec = find_spec("re._compiler")
    if spec is None or spec.loader is None:
        return re.compile
    copy: Any = module_from_spec(spec)
    spec.loader.exec_module(copy)
    work_out = getattr(copy, "_optimize_charset", None)
    if work_out is None:
        return re.compile
    known: dict[Hashable, Any] = {}

    def remembered(charset: list[Any], *folding: Any) -> Any:
        key = (tuple(charset), *(each if callable(each) else each is None for each in folding))
        if key not in known:
            known[key] = work_out(charset, *folding)
        return known[key]

    copy._optimize_charset = remembered
    copy._sre = _KEPT
    return copy.compile
