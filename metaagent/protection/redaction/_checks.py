"""Check digits and calendars: the part of a number that cannot be an accident."""

from __future__ import annotations

from datetime import date

_RRN_WEIGHTS = (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)
_BRN_WEIGHTS = (1, 3, 7, 1, 3, 7, 1, 3, 5)
_IBAN_LENGTHS = {
    country: length
    for length, countries in {
        15: "NO", 16: "BE", 18: "DK FI FK FO GL NL SD", 19: "MK SI", 20: "AT BA EE KZ LT LU MN XK", 21: "CH HR LI LV",
        22: "BG BH CR DE GB GE IE ME RS VA", 23: "AE GI IL IQ OM SO TL", 24: "AD CZ ES MD PK RO SA SE SK TN VG",
        25: "LY PT ST", 26: "IS TR", 27: "BI DJ FR GR IT MC MR SM", 28: "AL AZ BY CY DO GT HU LB NI PL SV",
        29: "BR EG PS QA UA", 30: "JO KW MU YE", 31: "MT SC", 32: "LC", 33: "RU",
    }.items()
    for country in countries.split()
}  # fmt: skip
IBAN_COUNTRIES = tuple(sorted(_IBAN_LENGTHS))
# Sex digits of this century are refused beyond this year: such a person is not born yet.
_LATEST_BIRTH = 40
_EARLIEST_NEW, _LATEST_NEW = "30", "36"


def luhn(digits: str) -> bool:
    total = 0
    for index, char in enumerate(reversed(digits)):
        value = int(char) * (1 + index % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def birth_date(digits: str, *, latest: int = _LATEST_BIRTH) -> bool:
    """Do the first seven digits of a resident or foreigner number name a possible day of birth?"""
    sex = digits[6]
    if sex not in "12345678":
        return False
    year = int(digits[:2])
    this_century = sex in "3478"
    if this_century and year > latest:
        return False
    try:
        date((2000 if this_century else 1900) + year, int(digits[2:4]), int(digits[4:6]))
    except ValueError:
        return False
    return True


def rrn(digits: str) -> bool:
    """The check digit of a resident number, moved by two for foreigners. Not issued since October 2020."""
    total = sum(int(digit) * weight for digit, weight in zip(digits, _RRN_WEIGHTS, strict=False))
    moved = 13 if digits[6] in "5678" else 11
    return (moved - total % 11) % 10 == int(digits[12])


def is_newly_issued(digits: str) -> bool:
    """Tell whether the last digits may be drawn by lot, as they are since October 2020: for whoever is alive, and born already."""
    this_century = digits[6] in "3478"
    return digits[:2] <= _LATEST_NEW if this_century else digits[:2] >= _EARLIEST_NEW


def brn(digits: str) -> bool:
    total = sum(int(digit) * weight for digit, weight in zip(digits, _BRN_WEIGHTS, strict=False))
    total += int(digits[8]) * 5 // 10
    return digits[:3] >= "101" and (10 - total % 10) % 10 == int(digits[9])


def card_issuer(digits: str) -> bool:
    """Does the number start as cards of this length do? 9 is the range of Korean domestic cards."""
    length = len(digits)
    four = int(digits[:4])
    if length == 16:
        return (
            digits[0] in "49"
            or 5100 <= four <= 5599
            or 2221 <= four <= 2720
            or 3528 <= four <= 3589
            or four // 100 in (60, 62, 64, 65, 81)
        )
    if length == 15:
        return digits[:2] in ("34", "37")
    if length == 14:
        return 3000 <= four <= 3059 or digits[:2] in ("36", "38", "39")
    return (length == 13 and digits[0] == "4") or (length == 19 and digits[:2] in ("62", "49"))


def ssn(digits: str) -> bool:
    return (
        digits[:3] not in ("000", "666") and digits[0] != "9" and digits[3:5] != "00" and digits[5:] != "0000"
    )


def iban_length(country: str) -> int:
    """The number of letters and digits that the country's account numbers have; 0 if it has none."""
    return _IBAN_LENGTHS.get(country, 0)


def iban(compact: str) -> bool:
    """The check digits, and the length that the country has."""
    if _IBAN_LENGTHS.get(compact[:2]) != len(compact):
        return False
    turned = compact[4:] + compact[:4]
    return int("".join(str(int(char, 36)) for char in turned)) % 97 == 1


def starts_like_a_date(digits: str) -> bool:
    """YYYYMMDD of this or the last century, as document numbers start."""
    if digits[:2] not in ("19", "20") or len(digits) < 8:
        return False
    try:
        date(int(digits[:4]), int(digits[4:6]), int(digits[6:8]))
    except ValueError:
        return False
    return True
