"""Understanding what was asked, in Korean and English, by rules that explain themselves."""

from metaagent.level1.query_analyzer.analyzer import analyze
from metaagent.level1.query_analyzer.context import AnalysisContext
from metaagent.level1.query_analyzer.domain import Domain, Lexicon, SemanticVocabulary, load_domain

__all__ = ["AnalysisContext", "Domain", "Lexicon", "SemanticVocabulary", "analyze", "load_domain"]
