"""The semantic layer: what data means, and SQL made from that."""

from metaagent.semantic.compile import Compiled, compile_query
from metaagent.semantic.loader import load, loads
from metaagent.semantic.model import Model
from metaagent.semantic.query import SemanticQuery

__all__ = ["Compiled", "Model", "SemanticQuery", "compile_query", "load", "loads"]
