"""A LangChain tool, for the tests of tools as agents. In a module of its own: a child imports it."""

from __future__ import annotations

import os

from langchain_core.tools import tool


@tool
def shout(text: str) -> dict[str, object]:
    """Say it loudly."""
    return {"said": text.upper(), "pid": os.getpid()}


NOT_A_TOOL = 5
