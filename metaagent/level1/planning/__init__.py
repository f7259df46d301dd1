from metaagent.level1.planning.chaining import PlanRequest, TrackRecord, make_plan
from metaagent.level1.planning.validation import PlanLimits, PlanScope, validate_plan

__all__ = ["PlanLimits", "PlanRequest", "PlanScope", "TrackRecord", "make_plan", "validate_plan"]
