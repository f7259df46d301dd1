"""One call in a process of its own: a top-level function of bytes to bytes that must not hurt the service.

Parsers of foreign files and renderers run here, with limits on time, memory and what comes back, without the service's
environment and, where the machine allows it, without a network. Agents that are isolated as a whole live in `isolation`.
"""

from metaagent.child.calling import ChildFailed, Limits, call

__all__ = ["ChildFailed", "Limits", "call"]
