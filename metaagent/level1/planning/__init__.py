"""Planning: pure decisions about plans.

`chaining` makes a plan backwards from what is wanted, `validation` judges one, `turn_plan` holds it with its version and
approval, `gate` decides what a verdict holds back, `contingency` says what follows when a step goes wrong, `revision` which
draft is made anew.
"""

from metaagent.level1.planning.chaining import make_plan
from metaagent.level1.planning.sources import PlanRequest
from metaagent.level1.planning.validation import PlanLimits, PlanScope, validate_plan

__all__ = ["PlanLimits", "PlanRequest", "PlanScope", "make_plan", "validate_plan"]
