"""The semantic layer: what data means, and SQL made from that."""

from metaagent.data.semantic.compile import Compiled, compile_query
from metaagent.data.semantic.loader import load, loads
from metaagent.data.semantic.model import Model
from metaagent.data.semantic.query import SemanticQuery

__all__ = ["Compiled", "Model", "SemanticQuery", "compile_query", "load", "loads"]
