"""Level 2: the agents that do the work."""

from metaagent.global_state import (
    BaseAgentState,
    ComplianceValidationAgentState,
    DataAnalysisAgentState,
    DocumentGenerationAgentState,
    InformationRetrievalAgentState,
    StorageDecisionAgentState,
)

__all__ = [
    "BaseAgentState",
    "ComplianceValidationAgentState",
    "DataAnalysisAgentState",
    "DocumentGenerationAgentState",
    "InformationRetrievalAgentState",
    "StorageDecisionAgentState",
]
