# ruff: noqa: E501 - a pattern is read in one piece
"""Money, counts, percentages, ranks and the words that compare with them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from metaagent.language.numerals import (
    ENGLISH_COUNTS,
    NATIVE_WORDS,
    NUMERAL,
    count_word,
    korean_number,
    plain,
)
from metaagent.language.patterns import regex

Number = int | float


@dataclass(frozen=True)
class Amount:
    start: int
    end: int
    kind: str
    """money, quantity, rank or comparison"""
    value: Number | str | list[Number]
    unit: str | None = None
    extra: dict[str, str | int] = field(default_factory=dict[str, str | int])


_SINO_DIGITS = "영공일이삼사오육륙칠팔구"
_KO_NUMBER = rf"(?:{NUMERAL}|[{_SINO_DIGITS}십백천만억조])(?:\s?(?:{NUMERAL}(?=\s?[십백천만억조])|{NUMERAL}(?=\s?원)|[{_SINO_DIGITS}](?=\s?[십백천만억조])|[{_SINO_DIGITS}](?=\s?원)|[십백천만억조]))*"
_EN_SCALE = {"k": 10**3, "thousand": 10**3, "m": 10**6, "mn": 10**6, "mil": 10**6, "million": 10**6, "b": 10**9,
             "bn": 10**9, "billion": 10**9, "trillion": 10**12}  # fmt: skip
_SCALE = r"(?P<s>thousand|million|billion|trillion|mil|mn|bn|k|m|b)(?![a-z])"
_CURRENCY = {"₩": "KRW", "￦": "KRW", "\\": "KRW", "won": "KRW", "krw": "KRW", "원": "KRW", "$": "USD", "us$": "USD", "usd": "USD",
             "dollars": "USD", "dollar": "USD", "달러": "USD", "€": "EUR", "eur": "EUR", "euros": "EUR", "유로": "EUR", "¥": "JPY",
             "jpy": "JPY", "yen": "JPY", "엔": "JPY", "£": "GBP", "gbp": "GBP", "pounds": "GBP", "pound": "GBP", "파운드": "GBP"}  # fmt: skip
_SIGNS = r"(?P<c>us\$|[₩￦$€¥£]|(?:krw|usd|eur|jpy|gbp)(?=\s?\d))"
_NAMES = r"(?P<c>won|krw|usd|dollars?|euros?|eur|yen|jpy|pounds?|gbp|파운드|달러|유로|엔(?![가-힣]))"
_COUNTERS = {
    "건": "건", "개": "개", "명": "명", "회": "회", "번": "회", "곳": "곳", "군데": "곳", "박": "박", "일": "일", "인": "명", "분": "명", "사람": "명",
    "배": "배", "세트": "세트", "정": "정", "병": "병", "박스": "박스", "시간": "시간", "점": "점", "가지": "가지", "팀": "팀", "개사": "곳",
    "nights": "박", "night": "박", "people": "명", "persons": "명", "person": "명", "guests": "명", "attendees": "명",
    "travelers": "명", "visits": "건", "visit": "건", "calls": "건", "units": "개", "items": "개", "times": "회", "cases": "건",
    "orders": "건", "hours": "시간", "boxes": "박스", "seminars": "건", "participants": "명", "adults": "명",
}  # fmt: skip
_KO_COUNTERS = "|".join(sorted((w for w in _COUNTERS if not w.isascii()), key=len, reverse=True))
_EN_COUNTERS = "|".join(sorted((w for w in _COUNTERS if w.isascii()), key=len, reverse=True))
_EN_PEOPLE = r"[a-z]{3,}(?:ologists|icians|eons|acists|tioners)|doctors|nurses|specialists|experts|delegates|invitees|gps"
"""People by what they are: 30 nephrologists."""
_OPERATORS = {
    "이상": ">=", "넘는": ">", "넘은": ">", "넘긴": ">", "넘게": ">", "넘어": ">", "넘으": ">", "넘": ">", "초과": ">", "이하": "<=", "미만": "<",
    "안되는": "<", "못 미치는": "<", "못미치는": "<", "보다 큰": ">", "보다 많은": ">", "보다 높은": ">", "보다 작은": "<", "보다 적은": "<",
    "보다 낮은": "<", "이내": "<=", "까지": "<=", "부터": ">=", "아래": "<", "밑": "<", "위로": ">",
    "at least": ">=", "no less than": ">=", "not less than": ">=", "minimum of": ">=", "or more": ">=", "or above": ">=",
    "and above": ">=", "or higher": ">=", "more than": ">", "greater than": ">", "higher than": ">", "longer than": ">", "larger than": ">", "bigger than": ">",
    "older than": ">", "heavier than": ">", "taller than": ">", "more expensive than": ">", "over": ">", "above": ">",
    "exceeding": ">", "exceeds": ">", "exceed": ">", "at most": "<=", "no more than": "<=", "not more than": "<=", "up to": "<=",
    "maximum of": "<=", "or less": "<=", "or fewer": "<=", "or below": "<=", "less than": "<", "fewer than": "<", "lower than": "<", "shorter than": "<", "smaller than": "<",
    "younger than": "<", "lighter than": "<", "cheaper than": "<",
    "under": "<", "below": "<", ">=": ">=", "≥": ">=", "<=": "<=", "≤": "<=", ">": ">", "<": "<", "+": ">=",
}  # fmt: skip


def _alternatives(words: list[str]) -> str:
    return "|".join(re.escape(w).replace(r"\ ", r"\s?") for w in sorted(words, key=len, reverse=True))


_AFTER = regex(
    r"(?:\s?(?:을|를|이|가|은|는|도))?\s?(?P<op>"
    + _alternatives([w for w in _OPERATORS if not w.isascii() or w.startswith(("or ", "and ")) or w == "+"])
    + r")"
)
_BEFORE = regex(
    r"(?:(?<![a-z])(?P<op>" + _alternatives([w for w in _OPERATORS if w.isascii() and w[0].isalpha() and not w.startswith(("or ", "and "))])
    + r")|(?P<sign>>=|<=|≥|≤|>|<))\s?(?:a\s|the\s|of\s)?\Z"
)  # fmt: skip
_KO_MONEY = regex(
    rf"(?<![\d.,가-힣])(?P<n>{_KO_NUMBER})\s?(?P<c>원(?!장|료|주|내|외|가)|달러|유로)(?:대(?=[\s의]|$))?"
)
_SIGN_MONEY = regex(rf"{_SIGNS}\s?(?P<n>{NUMERAL})(?:\s?{_SCALE})?(?P<ks>\s?[십백천만억조]+)?")
_NAME_MONEY = regex(rf"(?<![\w.,])(?P<n>{NUMERAL})(?:\s?{_SCALE})?\s?{_NAMES}(?![a-z])")
_KO_BIG = regex(
    rf"(?<![\d.,가-힣])(?P<n>{NUMERAL}\s?[십백천만억조][\d\s.,십백천만억조]*)(?<![\s,.])(?!\s?[원\d])"
)
_SPOKEN_SHORT = regex(r"억\s?\d+[천백]\Z")
"""1억5천 is said for 1억 5천만."""
_PERCENT = regex(rf"(?P<n>-?{NUMERAL})\s?(?:%p?|퍼센트|프로(?![가-힣])|percent(?:age points?)?(?![a-z]))")
_KO_COUNT = regex(
    rf"(?<![\d.,가-힣])(?<!\d시\s)(?P<n>{NUMERAL}(?:\s?[십백천만억])*)\s?(?P<c>{_KO_COUNTERS})(?!월|분기|기간|당)"
)
_KO_NATIVE = regex(
    rf"(?<![가-힣])(?P<n>{NATIVE_WORDS})\s?(?P<c>명|사람|분|개|건|곳|군데|번|가지|박|팀)(?![가-힣]{{0,1}}째|월|기)"
    r"|(?<![가-힣])(?P<n2>둘|셋|넷|다섯|여섯|일곱|여덟|아홉|열)이서(?![가-힣])"
    r"|(?:(?<=[님장수사씨]이랑\s)|(?<=[님장수사씨]랑\s)|(?<=[님장수사씨]하고\s)|(?<=[님장수사씨]과\s)|(?<=[님장수사씨]와\s))(?P<n3>둘|셋|넷|다섯)이(?=\s)"
)
_KO_SINO = regex(
    r"(?<![가-힣])(?P<n>[일이삼사오육칠팔구]|십[일이삼사오육칠팔구]?|[이삼사오육칠팔구]십)\s?(?P<c>박|명|건|회|인(?![가-힣]))"
)
_EN_WORDS = "|".join(sorted(ENGLISH_COUNTS, key=len, reverse=True))
_EN_COUNT = regex(
    rf"(?<![\w.,$])(?P<n>{NUMERAL}|{_EN_WORDS})\s?(?:{_SCALE}\s)?-?(?P<c>{_EN_COUNTERS}|{_EN_PEOPLE})(?![a-z])"
    r"|(?<![a-z])(?:the )?(?P<n2>two|three|four|five|six|seven|eight|nine|ten) of (?:us|them|you)(?![a-z])"
)
_BARE = regex(rf"(?<![\w.,$₩%'’/~-])(?P<n>{NUMERAL})(?:\s?{_SCALE})?(?![\w%.,/-]|\s?[월년일주분차])")
_BETWEEN_KO = regex(r"\s?(?:에서|부터|~|-|–|와|과)\s?")
_BETWEEN_END = regex(r"\s?(?:사이|까지)")
_BETWEEN_EN = regex(r"\s(?:and|to|-)\s|\s?[~–-]\s?")
_COUNT_ALT = rf"(?:\d{{1,4}}|{NATIVE_WORDS}|[일이삼사오육칠팔구]|십)"
_RANKS: tuple[tuple[re.Pattern[str], str], ...] = (
    (regex(r"(?:상위|top)\s?(?P<n>\d{1,2})\s?(?P<p>%|퍼센트|프로|percent)"), "top"),
    (regex(r"(?:하위|bottom)\s?(?P<n>\d{1,2})\s?(?P<p>%|퍼센트|프로|percent)"), "bottom"),
    (regex(rf"(?P<w>상위|톱|탑|top)[\s-]?(?P<n>{_COUNT_ALT})(?:\s?(?:개사?|곳|명|건|위|군데|가지|품목))?(?!\s?(?:%|퍼센트|프로)|[\d])"), "top"),
    (regex(rf"(?P<w>하위|최하위|bottom|worst|lowest)[\s-]?(?P<n>{_COUNT_ALT})(?:\s?(?:개사?|곳|명|건|위|군데|가지|품목))?(?!\s?(?:%|퍼센트|프로)|[\d])"), "bottom"),
    (regex(r"(?<![a-z])(?P<w>top|best|highest|largest|biggest)\s(?P<n>\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|twenty)(?![\w%])"), "top"),
    (regex(r"(?<![a-z])(?P<w>bottom|worst|lowest|smallest)\s(?P<n>\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|twenty)(?![\w%])"), "bottom"),
    (regex(r"(?P<w>1|일)\s?위(?:부터\s?(?P<n>\d{1,3})\s?위(?:까지)?)?(?!\s?안)"), "top"),
    (regex(r"(?:가장|제일|최고로|젤)\s?(?:많이|많은|많아|많았던|많았|높은|높아|높았던|높게|높|큰|크|잘|좋은|좋아|좋았던|우수한|비싼|활발한|빠른|급증한|긴|길|오래된|무거운|인기)"), "top"),
    (regex(r"(?:가장|제일|젤)\s?(?:적게|적은|적어|적었던|낮은|낮아|낮았던|낮게|낮|작은|안|못|나쁜|나빠|나빴던|저조한|부진한|싼|짧은|짧|가벼운|젊은|어린)"), "bottom"),
    (regex(r"(?:가장|제일|젤)(?=\s[가-힣]+(?:이|가|을|를|은|는|도)\s(?:많|높|큰|크|잘|좋|우수|비싼|활발|빠른|급증|뛰어))"), "top"),
    (regex(r"(?:가장|제일|젤)(?=\s[가-힣]+(?:이|가|을|를|은|는|도)\s(?:적|낮|작|안|못|나쁜|나빠|저조|부진|싼|떨어))"), "bottom"),
    (regex(r"(?:최고|최대|최다)(?!한|로|치|액)"), "top"),
    (regex(r"(?:최저|최소|최하)(?!한|치|액)"), "bottom"),
    (regex(r"(?<![a-z])(?<!at\s)(?:highest|best|largest|biggest|most(?:\sexpensive|\spopular)?|greatest|strongest|longest|oldest|heaviest|tallest|top)(?![a-z])(?!\sof\s(?:the\s)?time|\srecent)"), "top"),
    (regex(r"(?<![a-z])(?<!at\s)(?:lowest|worst|smallest|fewest|least|weakest|poorest|shortest|youngest|cheapest|lightest)(?![a-z])"), "bottom"),
)  # fmt: skip


def _scaled(match: re.Match[str]) -> float:
    return float(match["n"].replace(",", "")) * _EN_SCALE.get(match.groupdict().get("s") or "", 1)


def _sign_money(match: re.Match[str]) -> Amount | None:
    value = _scaled(match)
    if match["ks"]:
        value *= korean_number(match["ks"].strip()) or 1
    return Amount(match.start(), match.end(), "money", plain(value), _CURRENCY[match["c"]])


def _ko_money(match: re.Match[str]) -> Amount | None:
    value = korean_number(match["n"])
    return (
        None
        if value is None
        else Amount(match.start(), match.end(), "money", plain(value), _CURRENCY[match["c"]])
    )


def _name_money(match: re.Match[str]) -> Amount | None:
    return Amount(match.start(), match.end(), "money", plain(_scaled(match)), _CURRENCY[match["c"]])


def _percent(match: re.Match[str]) -> Amount | None:
    return Amount(match.start(), match.end(), "quantity", plain(float(match["n"].replace(",", ""))), "%")


def _counted(match: re.Match[str]) -> Amount | None:
    raw = match["n"] or match["n2"] or match["n3"]  # the second: a number of people that no unit follows
    value = korean_number(raw)
    value = float(count_word(raw) or 0) if value is None else value
    value *= _EN_SCALE.get(match.groupdict().get("s") or "", 1)
    return Amount(match.start(), match.end(), "quantity", plain(value), _COUNTERS.get(match["c"] or "", "명"))


def _big(match: re.Match[str]) -> Amount | None:
    value = korean_number(match["n"])
    if value is not None and _SPOKEN_SHORT.search(match["n"]):
        value += value % 10**8 * (10**4 - 1)
    return None if value is None else Amount(match.start(), match.end(), "quantity", plain(value))


def _bare(match: re.Match[str]) -> Amount | None:
    return Amount(match.start(), match.end(), "number", plain(_scaled(match)))


_READERS = (
    (_SIGN_MONEY, _sign_money), (_KO_MONEY, _ko_money), (_NAME_MONEY, _name_money), (_PERCENT, _percent),
    (_KO_COUNT, _counted), (_KO_NATIVE, _counted), (_KO_SINO, _counted), (_EN_COUNT, _counted), (_KO_BIG, _big), (_BARE, _bare),
)  # fmt: skip


def _ranks(text: str) -> list[Amount]:
    found: list[Amount] = []
    for pattern, direction in _RANKS:
        for match in pattern.finditer(text):
            count = count_word(match.groupdict().get("n") or "1") or 1
            share: dict[str, str | int] = {"share": "%"} if match.groupdict().get("p") else {}
            value = f"{direction} {count}{'%' if share else ''}"
            found.append(
                Amount(
                    match.start(),
                    match.end(),
                    kind="rank",
                    value=value,
                    unit=None,
                    extra={"direction": direction, "n": count, **share},
                )
            )
    return found


def longest(found: list[Amount]) -> list[Amount]:
    kept: list[Amount] = []
    for amount in sorted(found, key=lambda a: a.start - a.end):
        if all(amount.end <= other.start or amount.start >= other.end for other in kept):
            kept.append(amount)
    return sorted(kept, key=lambda a: a.start)


def _between(text: str, left: Amount, right: Amount) -> bool:
    gap = text[left.end : right.start]
    introduced = re.search(r"between\s\Z", text[: left.start]) is not None
    if introduced and _BETWEEN_EN.fullmatch(gap):
        return True
    linked = _BETWEEN_KO.fullmatch(gap) is not None
    return linked and (gap.strip() in ("~", "–", "-") or _BETWEEN_END.match(text, right.end) is not None)


def _shared_scale(text: str, left: Amount, right: Amount) -> Number:
    """1~5백만원, between 1 and 5 million: the scale stands only once."""
    if left.kind != "number":
        return 1
    said = text[right.start : right.end]
    korean, english = re.search(r"[십백천만억조]+", said), re.search(rf"\d\s?{_SCALE}", said)
    if korean:
        return plain(korean_number(korean[0]) or 1)
    return _EN_SCALE[english["s"]] if english else 1


def _as_range(text: str, left: Amount, right: Amount) -> Amount | None:
    if not isinstance(left.value, (int, float)) or not isinstance(right.value, (int, float)):
        return None
    if right.kind not in ("money", "quantity") or left.kind not in (right.kind, "number", "quantity"):
        return None
    closing = _BETWEEN_END.match(text, right.end)
    low, high = sorted((left.value * _shared_scale(text, left, right), right.value))
    opening = re.search(r"between\s\Z", text[: left.start])
    start = opening.start() if opening else left.start
    return Amount(
        start,
        closing.end() if closing else right.end,
        kind=right.kind,
        value=[low, high],
        unit=right.unit,
        extra={"operator": "between"},
    )


def _joined(text: str, found: list[Amount]) -> list[Amount]:
    result: list[Amount] = []
    for amount in found:
        merged = (
            _as_range(text, result[-1], amount) if result and _between(text, result[-1], amount) else None
        )
        if merged is None:
            result.append(amount)
        else:
            result[-1] = merged
    return result


def _compared(text: str, amount: Amount) -> list[Amount]:
    """The amount with its operator, and the operator as an entity of its own."""
    after, before = _AFTER.match(text, amount.end), _BEFORE.search(text, 0, amount.start)
    match = after or before
    if match is None or "operator" in amount.extra or amount.kind == "rank":
        return [amount]
    group = "op" if after or match["op"] else "sign"
    word = " ".join(match[group].split())
    operator = _OPERATORS.get(word) or next(
        op for known, op in _OPERATORS.items() if known.replace(" ", "") == word.replace(" ", "")
    )
    kind = "quantity" if amount.kind == "number" else amount.kind
    marked = Amount(
        amount.start,
        amount.end,
        kind=kind,
        value=amount.value,
        unit=amount.unit,
        extra={"operator": operator},
    )
    return [marked, Amount(match.start(group), match.end(group), "comparison", operator)]


def find(text: str, *, taken: list[tuple[int, int]] | None = None, bare: bool = False) -> list[Amount]:
    """All amounts of a lower-case text outside the spans that are taken. Bare numbers count only where something is
    compared with them, or where `bare` says that a number was asked for."""
    free = [
        amount
        for pattern, reader in _READERS
        for match in pattern.finditer(text)
        if (amount := reader(match))
    ]
    free = [amount for amount in free if not _overlaps(amount, taken or [])]
    ranks = [rank for rank in _ranks(text) if not _overlaps(rank, taken or [])]
    joined = _joined(text, longest([*free, *ranks]))
    found = [part for amount in joined for part in _compared(text, amount)]
    return sorted((a for a in found if bare or a.kind != "number"), key=lambda a: a.start)


def numbers(text: str) -> list[Amount]:
    """Every number by itself, with its unit: no ranks, no ranges, no operators."""
    free = [
        made for pattern, reader in _READERS for match in pattern.finditer(text) if (made := reader(match))
    ]
    return longest(free)


def _overlaps(amount: Amount, spans: list[tuple[int, int]]) -> bool:
    return any(amount.start < end and start < amount.end for start, end in spans)
