"""Level 1: understanding, planning, managing the execution, responding."""

from metaagent.global_state import ExecutionManagerState, PlanningState, QueryAnalyzerState

__all__ = ["ExecutionManagerState", "PlanningState", "QueryAnalyzerState"]
