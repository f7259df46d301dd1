"""The demonstration company of the domain `pharma`."""

from metaagent.demo.company import DemoSummary, create_demo

__all__ = ["DemoSummary", "create_demo"]
