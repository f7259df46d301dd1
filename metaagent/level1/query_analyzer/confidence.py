"""The confidence in a reading: a logistic function of what can be seen of it, fitted on questions with known answers."""

from __future__ import annotations

import math
from collections.abc import Mapping

WEIGHTS: Mapping[str, float] = {
    "bias": 4.1,
    "unread": -1.8,
    "carried": -1.9,
    "guessed": -0.3,
    "inherited": -0.9,
    "drafted": -0.8,
    "unconfirmed": -0.3,
    "form_only": -3.9,
    "differs": -0.45,
    "several": -0.55,
    "close": -1.7,
    "cost": -0.65,
    "nested": -0.4,
    "compared": -0.8,
    "number_for_list": -4.0,
    "list_for_number": -2.4,
    "disputed": -2.0,
}
"""Fitted by evals/calibration.py on answers that people's questions got when they were first asked; a domain may have its own.

unread words · words that the question before left unread · guessed names · whether parts were taken over · whether the model is
drafted and has caveats still · caveats that are said as not certain · whether only the form read it · whether the form reads
otherwise · whether there are other readings, and close ones · cost beyond one for each piece · operators of the request beyond
the first · whether periods are compared · one number where each or which was asked for, and the reverse · words that a chat model
reads otherwise."""
FEATURES = tuple(name for name in WEIGHTS if name != "bias")


def confidence(features: Mapping[str, float], weights: Mapping[str, float] | None = None) -> float:
    known = {**WEIGHTS, **(weights or {})}
    total = known["bias"] + sum(known[name] * features.get(name, 0.0) for name in FEATURES)
    return round(1 / (1 + math.exp(-max(-30.0, min(30.0, total)))), 3)
