"""The semantic layer: what data means, and SQL made from that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from metaagent.data.semantic.compiling.compile import Compiled, compile_query
    from metaagent.data.semantic.loader import load, loads
    from metaagent.data.semantic.model import Model
    from metaagent.data.semantic.query import SemanticQuery

__all__ = ["Compiled", "Model", "SemanticQuery", "compile_query", "load", "loads"]


_PLACES = {
    "Compiled": "compiling.compile",
    "Model": "model",
    "SemanticQuery": "query",
    "compile_query": "compiling.compile",
    "load": "loader",
    "loads": "loader",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for: reading a question needs the words of the model, and no SQL."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
