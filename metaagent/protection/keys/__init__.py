"""Keys: one ring of keys for companies, people and the trail, itself encrypted by a key from outside.

`ring` makes, finds and destroys keys, `providers` open the outer key (KEK), `store` writes the key file and `records`
reads it without a secret, `proof` shows that it was written with the KEK, `renewal` seals stored values under newer keys.
"""

from metaagent.protection.keys.providers import KekProvider, LocalKek, provider
from metaagent.protection.keys.ring import KeyRing, missing_kek

__all__ = ["KekProvider", "KeyRing", "LocalKek", "missing_kek", "provider"]
