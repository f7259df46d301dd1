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
    """Puts first what installed agents say of themselves: a capability that names intents serves them, in place of the
    domain's own list; one that the domain does not know becomes an intent by its words."""
    declared = tuple(
        (str(item["name"]), words(item.get("words")), tuple(str(name) for name in item.get("intents") or ()))
        for item in capabilities
    )
    return _extended(domain, declared) if any(told or named for _, told, named in declared) else domain


@lru_cache(maxsize=32)
def _extended(domain: Domain, declared: tuple[Declared, ...]) -> Domain:
    intents = {intent.name: intent for intent in domain.intents}
    served = {capability for intent in domain.intents for capability in intent.capabilities}
    offers: dict[str, list[str]] = {}
    for capability, told, named in declared:
        own = (capability,) if told and not named and capability not in served else ()
        for name in named or own:
            offers.setdefault(name, []).append(capability)
            if domain.intent(name) is None:
                known = intents.get(name) or Intent(name, Text(en=name, ko=name))
                intents[name] = replace(known, words=(*known.words, *told))
    for name, offered in offers.items():
        intents[name] = replace(intents[name], capabilities=tuple(dict.fromkeys(offered)))
    return replace(domain, intents=tuple(intents.values()))
