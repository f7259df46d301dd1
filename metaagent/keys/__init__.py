from metaagent.keys.providers import KekProvider, LocalKek, provider
from metaagent.keys.ring import KeyRing

__all__ = ["KekProvider", "KeyRing", "LocalKek", "provider"]
