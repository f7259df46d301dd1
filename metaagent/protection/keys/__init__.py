from metaagent.protection.keys.providers import KekProvider, LocalKek, provider
from metaagent.protection.keys.ring import KeyRing, missing_kek

__all__ = ["KekProvider", "KeyRing", "LocalKek", "missing_kek", "provider"]
