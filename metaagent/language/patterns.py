"""Regular expressions that are compiled when they are first used: hundreds are declared, a question needs some of them."""

from __future__ import annotations

import re
from typing import Any, cast


class _Waiting:
    """Stands for a pattern until it is used, and then for its methods."""

    def __init__(self, text: str, flags: int) -> None:
        self._declared = text, flags
        self._compiled: re.Pattern[str] | None = None

    def __getattr__(self, name: str) -> Any:
        """Compile once, and remember the method that was asked for."""
        if self._compiled is None:
            self._compiled = re.compile(*self._declared)
        found = self.__dict__[name] = getattr(self._compiled, name)
        return found


def regex(text: str, flags: int = 0) -> re.Pattern[str]:
    """Declare a regular expression. A mistake in it is found by the tests, which compile every declared one."""
    return cast("re.Pattern[str]", _Waiting(text, flags))
