from metaagent.keys.providers import KekProvider, LocalKek, provider
from metaagent.keys.ring import KeyRing, missing_kek

__all__ = ["KekProvider", "KeyRing", "LocalKek", "missing_kek", "provider"]
