"""Numbers and units as people write them, in Korean and English."""

from __future__ import annotations

import math

from metaagent.language.counters import UNITS
from metaagent.language.particles import Language

NOTHING = "–"


ALIASES = {
    "krw": "won", "원": "won", "₩": "won", "%": "percent", "%p": "pp", "건": "count", "명": "people",
    "개": "items", "회": "times", "곳": "places", "분": "minutes", "일": "days", "개월": "months", "배": "fold",
}  # fmt: skip
_KO_SCALES = ((1e12, "조"), (1e8, "억"), (1e4, "만"))
_EN_SCALES = ((1e12, "T"), (1e9, "B"), (1e6, "M"))


def unit_of(unit: str | None) -> str:
    name = (unit or "").strip()
    return ALIASES.get(name.lower(), name)


def is_money(unit: str | None) -> bool:
    return unit_of(unit).partition(" in ")[0] == "won"


def trimmed(value: float, digits: int) -> str:
    """Grouped in thousands, at most `digits` decimals, no trailing zeros, never '-0'."""
    text = f"{value:,.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def scaled(value: float, language: Language) -> tuple[str, str]:
    """(figure, scale word): 12.3 억, 1,234 만; 1.23 B. Small numbers keep all their digits."""
    return _scaled_ko(value) if language == "ko" else _scaled_en(value)


def _scaled_ko(value: float) -> tuple[str, str]:
    for size, word in _KO_SCALES:
        part = value / size
        digits = _digits_ko(abs(part), word)
        if abs(part) >= 1:
            return trimmed(part, digits), word
        # 99,999,999 is 1억, not 10,000만.
        if abs(round(value / (size / 1e4))) >= 1e4:
            return trimmed(math.copysign(1, value), 0), word
    return trimmed(value, 2), ""


def _digits_ko(part: float, word: str) -> int:
    if word == "만":
        return 2 if part < 10 else 1 if part < 100 else 0
    return 2 if part < 10 else 1 if part < 1000 else 0


def _scaled_en(value: float) -> tuple[str, str]:
    for size, word in _EN_SCALES:
        part = value / size
        # Three digits are shown: 999.6M would read 1,000M.
        if abs(part) >= (1 if word == "M" else 0.9995):
            return trimmed(part, max(0, 2 - int(math.log10(max(abs(part), 1))))), word
    return trimmed(value, 2), ""


_MONEY = "won in "
_KO_SIZES = {"천": 1e3, "만": 1e4, "십만": 1e5, "백만": 1e6, "천만": 1e7, "억": 1e8, "십억": 1e9, "백억": 1e10,
             "천억": 1e11, "조": 1e12}  # fmt: skip
_EN_SIZES = {"thousands": 1e3, "millions": 1e6, "billions": 1e9}
_LETTERS = {1e3: "K", 1e6: "M", 1e9: "B", 1e12: "T"}


def preferred_unit(unit: str | None, wanted: str | None) -> str:
    """The unit for words: money in the size that a person prefers (백만원, millions), anything else as it is."""
    size = (wanted or "").replace(" ", "").removesuffix("원")
    known = size in _KO_SIZES or size in _EN_SIZES
    return f"{_MONEY}{size}" if known and unit_of(unit) == "won" else unit or ""


def _sized(value: float, size: str, language: Language) -> str:
    """382.2백만 원, ₩382.2M; a size that the language has no letter for is written in words."""
    amount = _KO_SIZES.get(size) or _EN_SIZES[size]
    part = value / amount
    figure = trimmed(part, 1 if abs(part) >= 100 else 2 if abs(part) >= 0.01 else 4)
    if language == "ko":
        word = next(word for word, known in _KO_SIZES.items() if known == amount)
        return f"{figure}{word} 원"
    letter = _LETTERS.get(amount, f" × {amount:,.0f}")
    return f"-₩{figure[1:]}{letter}" if figure.startswith("-") else f"₩{figure}{letter}"


def format_value(value: float | None, unit: str | None = None, language: Language = "ko") -> str:
    """The short form that sentences and labels use."""
    if value is None or not math.isfinite(value):
        return NOTHING
    kind = unit_of(unit)
    if kind.startswith(_MONEY):
        return _sized(value, kind.removeprefix(_MONEY), language)
    if kind == "won":
        figure, word = scaled(value, language)
        if language == "ko":
            return f"{figure}{word} 원" if word else f"{figure}원"
        return f"-₩{figure[1:]}{word}" if figure.startswith("-") else f"₩{figure}{word}"
    if kind in ("percent", "pp", "ratio", "ratio_pp"):
        return _percent(value * 100 if kind.startswith("ratio") else value, kind, language)
    return _counted(value, kind, language)


def format_change(value: float | None, unit: str | None = None, language: Language = "ko") -> str:
    """Like `format_value`, with a plus sign where something was added."""
    text = format_value(value, unit, language)
    return f"+{text}" if value is not None and math.isfinite(value) and value > 0 else text


def full_number(value: float | None, digits: int = 2) -> str:
    return NOTHING if value is None or not math.isfinite(value) else trimmed(value, digits)


def _percent(value: float, kind: str, language: Language) -> str:
    digits = 1 if abs(value) >= 0.1 or value == 0 else 2
    text = f"{value:,.{digits}f}"
    if float(text.replace(",", "")) == 0 and value != 0:
        least = f"0.01{_sign(kind, language)}"
        return f"{least} 미만" if language == "ko" else f"<{least}"
    if float(text.replace(",", "")) == 0:
        text = "0"
    return f"{text}{_sign(kind, language)}"


def _sign(kind: str, language: Language) -> str:
    if kind.endswith("pp"):
        return "%p" if language == "ko" else " pp"
    return "%"


def change_unit(unit: str | None) -> str:
    """A difference of two percentages is in percentage points."""
    kind = unit_of(unit)
    return {"percent": "pp", "ratio": "ratio_pp"}.get(kind, kind)


def _counted(value: float, kind: str, language: Language) -> str:
    text = trimmed(value, 2)
    if text == "0" and value != 0:
        text = f"{value:.2g}"
    if not kind:
        return text
    unit = UNITS.get(kind)
    if unit is None:
        one = language == "en" and text == "1" and kind.endswith("s")
        return f"{text} {kind[:-1] if one else kind}"
    if language == "ko":
        return f"{text}{unit.ko}"
    return f"{text}{unit.en_one if text == '1' and unit.en_one else unit.en}"


def unit_label(unit: str | None, language: Language) -> str:
    """The unit in brackets behind a column's or an axis' name."""
    kind = unit_of(unit)
    if is_money(kind):
        return "원" if language == "ko" else "KRW"
    if kind in ("percent", "ratio"):
        return "%"
    if kind == "pp":
        return "%p" if language == "ko" else "pp"
    known = UNITS.get(kind)
    return kind if known is None else known.ko if language == "ko" else known.en.strip()
