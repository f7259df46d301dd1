"""Calls of one person who comes through a door: the same as those of MetaAgent, but none of them can be made for nobody."""

from metaagent.acting.governance import ActingGovernance
from metaagent.acting.person import Acting

__all__ = ["Acting", "ActingGovernance"]
