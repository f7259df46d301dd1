"""Updates applied to a state, as LangGraph's channels would. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metaagent.global_state import OVERWRITE, REDUCERS


def after(state: Mapping[str, Any], update: Mapping[str, Any]) -> dict[str, Any]:
    """The state that an update leads to."""
    made = {**state, **update}
    for key in REDUCERS.keys() & update.keys():
        made[key] = _reduced(key, state.get(key), update[key])
    return made


def _reduced(key: str, old: Any, new: Any) -> Any:
    if type(new) is dict and OVERWRITE in new:
        return new[OVERWRITE]
    return REDUCERS[key](old or [], new) if new else old


def together(state: Mapping[str, Any], first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """One update for two that follow each other. A field that both merge into is given as it is after them."""
    both = REDUCERS.keys() & first.keys() & second.keys()
    merged = {key: _reduced(key, _reduced(key, state.get(key), first[key]), second[key]) for key in both}
    return {**first, **second, **{key: {OVERWRITE: value} for key, value in merged.items()}}
