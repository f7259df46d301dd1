"""Intents and words that installed agents declare, added to those of the domain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from metaagent.errors import Text
from metaagent.level1.query_analyzer.domain import Domain, Intent
from metaagent.level1.query_analyzer.yaml_source import words

Declared = tuple[str, tuple[str, ...], tuple[str, ...]]


def with_capabilities(domain: Domain, capabilities: Sequence[Mapping[str, Any]]) -> Domain:
    """A capability's words lead to its intents; an intent that the domain does not know becomes one."""
    declared = tuple(
        (str(item["name"]), words(item.get("words")), tuple(str(name) for name in item.get("intents") or ()))
        for item in capabilities
    )
    return _extended(domain, declared) if any(told or named for _, told, named in declared) else domain


@lru_cache(maxsize=32)
def _extended(domain: Domain, declared: tuple[Declared, ...]) -> Domain:
    intents = {intent.name: intent for intent in domain.intents}
    for capability, told, named in declared:
        for name in named or ((capability,) if told else ()):
            known = intents.get(name) or Intent(name, Text(en=name, ko=name))
            offered = (
                known.capabilities if capability in known.capabilities else (*known.capabilities, capability)
            )
            alone = told if not named or name not in {intent.name for intent in domain.intents} else ()
            intents[name] = replace(
                known,
                capabilities=offered if not known.capabilities else known.capabilities,
                words=(*known.words, *alone),
            )
    return replace(domain, intents=tuple(intents.values()))
