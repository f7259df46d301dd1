from metaagent.level1.planning.chaining import make_plan
from metaagent.level1.planning.sources import PlanRequest
from metaagent.level1.planning.validation import PlanLimits, PlanScope, validate_plan

__all__ = ["PlanLimits", "PlanRequest", "PlanScope", "make_plan", "validate_plan"]
