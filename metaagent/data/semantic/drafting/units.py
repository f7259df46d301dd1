"""Units that columns are measured in, by the last word of their names."""

from __future__ import annotations

UNITS = frozenset(
    [
        "minute",
        "hour",
        "second",
        "day",
        "distance",
        "meter",
        "kg",
        "g",
        "ton",
        "cent",
        "krw",
        "usd",
        "eur",
        "won",
        "ms",
        "gbp",
        "jpy",
        "dollar",
        "euro",
        "pound",
        "penny",
        "liter",
        "litre",
        "ha",
        "sqm",
        "kwh",
        "mwh",
        "gwh",
        "mw",
        "km",
        "m2",
        "m3",
        "percent",
        "degree",
        "celsius",
        "watt",
        "kw",
        "mm",
        "cm",
        "c",
        "gallon",
        "ounce",
        "mile",
        "barrel",
        "acre",
        "hectare",
        "bushel",
        "foot",
        "sack",
        "bale",
        "lb",
        "ml",
        "cl",
        "mg",
    ]
)
"""Words at the end of a column's name that say what it is counted in."""
MEASURED = {
    "kg": ["kg", "kgs", "kilos", "kilograms", "킬로", "킬로그램"], "g": ["grams", "그램"],
    "ton": ["tons", "tonnes", "톤"], "tonne": ["tons", "tonnes", "톤"],
    "liter": ["liters", "litres", "리터"], "litre": ["liters", "litres", "리터"],
    "kwh": ["kwh"], "mwh": ["mwh"], "kw": ["kw"], "mw": ["mw"],
    "m2": ["square meters", "제곱미터", "평방미터"], "m3": ["cubic meters", "세제곱미터"],
    "gallon": ["gallons", "갤런"], "pound": ["pounds", "lbs", "파운드"], "lb": ["pounds", "lbs", "파운드"],
    "ounce": ["ounces", "온스"], "mile": ["miles", "마일"], "barrel": ["barrels", "배럴"], "acre": ["acres", "에이커"],
    "hectare": ["hectares", "헥타르"], "ha": ["hectares", "헥타르"], "bushel": ["bushels", "부셸"], "foot": ["feet", "피트"],
    "ml": ["ml", "milliliters", "밀리리터"], "cl": ["cl"], "mg": ["mg", "milligrams"],
    "sack": ["sacks", "bags", "포대", "가마"], "bale": ["bales"], "sqm": ["square meters", "제곱미터", "평방미터"],
}  # fmt: skip
"""Units that columns end in, as people say them."""
_UNIT_OF = {"tonne": "ton", "litre": "liter", "pound": "lb", "hectare": "ha"}
_RATIOS = frozenset({"price", "cost", "rate", "fee", "charge", "단가", "가격"})


def unit_of(own: list[str], column: str = "") -> str | None:
    """The unit that a column is measured in, where its name ends so; no price for each unit has it."""
    if own[-1] == "distance" and column.lower().endswith("km"):
        return "km"
    plain = own[-1] in MEASURED and not _RATIOS & {*own}
    return _UNIT_OF.get(own[-1], own[-1]) if plain else None


def unit_names(own: list[str]) -> list[str]:
    """The unit of a column as people say it in English; units where it counts pieces."""
    return [word for word in MEASURED.get(own[-1], ["units"]) if word.isascii()]
