# ruff: noqa: E501 - a pattern is read in one piece
"""Numbers, bands, places and shares of a ranking, as pieces."""

from __future__ import annotations

from collections.abc import Iterator

from metaagent.language import amounts
from metaagent.language.numerals import count_word
from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.grammar.meaning import Condition, Node, Rank
from metaagent.level1.query_analyzer.grammar.tokens import Piece

_COUNTED = r"(?:\s?(?:개사|개소|개|곳|명|건|위|군데|가지|품목|팀|종|사람|인))?"
_WORD = (
    r"\d{1,3}|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|one|two|three|four|five|six|seven|eight|nine|ten|twenty"
)
_TOP = regex(
    rf"(?P<d>상위|하위|톱|탑|베스트|워스트|최상위|최하위|top|bottom|best|worst|leading|highest|lowest|largest|biggest|smallest)[\s-]?(?P<n>{_WORD}|\d{{1,2}}(?:\.\d)?)(?:\s?(?P<p>%|퍼센트|프로|percent|per cent)|{_COUNTED}(?![\d%]))"
)
_LOW = frozenset({"하위", "워스트", "최하위", "bottom", "worst", "lowest", "smallest"})
_PLACES = regex(r"1\s?위?\s?(?:부터|~|-|에서)\s?(?P<n>\d{1,3})\s?위(?:까지)?")
_NTH_KO = regex(
    r"(?:(?P<w>첫|두|세|네|다섯|여섯|일곱|여덟|아홉|열|\d{1,3})\s?번\s?째(?:로)?|(?P<n>\d{1,3})\s?(?:위|등)(?!\s?(?:안|이내|까지|부터|~)))"
)
_NTH_EN = regex(
    r"(?<![a-z0-9])(?:(?:the )?(?P<w>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)|(?:the )?(?P<n>\d{1,3})(?:st|nd|rd|th)|(?:number|no\.|#|rank)\s?(?P<r>[2-9]|\d{2,3}))(?![a-z])(?![\s-](?:quarter|half|week|of|month|day))"
)
_ORDINALS = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
    "첫": 1,
}
_WITHIN = regex(r"(?P<n>\d{1,3})\s?위\s?(?:안|이내|까지)(?:에)?")
_MINUTES = regex(
    r"(?<![\d,.])(?P<n>\d{1,3}(?:,\d{3})+|\d{1,5})\s?-?(?P<u>분|시간|minutes?|mins?|hours?)(?![a-z가-힣]?[a-z])"
)
_HOUR = regex(r"(?<![a-z0-9가-힣])(?:(?P<half>half an hour|반\s?시간)|an hour|one hour|한\s?시간)(?![a-z])")
_WINDOW = regex(
    r"(?:(?P<n>\d{1,3})\s?[- ]?(?:개월|달|주|일|분기|년|month|week|day|quarter|year|period)s?\s?[- ]?)?(?:이동\s?평균|(?:moving|rolling) average)"
)
_BAND = regex(r"\s?대(?=[\s의인에가를은는로도만]|$)|(?:\s(?:won|krw))?[\s-]range(?![a-z])")
_TIMES = regex(r"(?P<n>\d{1,3}(?:\.\d+)?)\s?배")
_PLAIN = regex(r"(?:\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)(?= [a-z])")
_SCALED = regex(
    r"(?<![\w.,])(?P<n>\d{1,3}(?:,\d{3})*(?:\.\d+)?)\s?(?P<s>thousand|million|billion|trillion|k|mn?|bn?)(?![a-z])(?!\s?(?:won|krw|dollars?|usd))"
)
_SPELLED = regex(
    r"(?<![a-z])(?P<n>half a|an?|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty|fifty)\s"
    r"(?P<s>thousand|million|billion)(?P<won>\s(?:won|krw))?(?![a-z])"
)
_SCALES = {"t": 1e3, "k": 1e3, "m": 1e6, "b": 1e9}
_COUNTER = regex(r"\s(?:times|people|persons?|items|cases)(?![a-z])")
_OFTEN = regex(
    r"(?<=\bthan )(?P<once>once)\b|(?<=\bleast )(?P<one>once)\b|\btwice\b(?! (?:as|the)\b)|\bthrice\b"
)
"""More than once, at least twice; twice as much is a factor."""
USUAL_WINDOW = 3


_NOUN = regex(r"\s?(?:팀|품목)\Z")


def _count(word: str | None) -> int:
    return _ORDINALS.get(word or "") or count_word(word or "") or 1


def ranks(text: str) -> Iterator[Piece]:
    for m in _TOP.finditer(text):
        down = m["d"] not in _LOW
        rank = Rank(
            down, max(1, int(float(m["n"])) if m["n"][0].isdigit() else _count(m["n"])), percent=bool(m["p"])
        )
        op = "rows" if m[0].endswith("건") else None
        yield Piece(m.start(), m.end(), (Node("TOP", rank=rank, op=op),), 1.0, "said")
        if noun := _NOUN.search(m[0]):  # top 3 팀: the counter is the thing itself
            yield Piece(m.start(), m.start() + noun.start(), (Node("TOP", rank=rank),), 1.0, "said")
    for pattern in (_PLACES, _WITHIN):
        for m in pattern.finditer(text):
            yield Piece(m.start(), m.end(), (Node("TOP", rank=Rank(n=int(m["n"]))),), 0.9, "said")
    for pattern in (_NTH_KO, _NTH_EN):
        for m in pattern.finditer(text):
            found = m.groupdict()
            n = _count(found["w"]) if found["w"] else int(found["n"] or found.get("r") or 1)
            yield Piece(m.start(), m.end(), (Node("NTH", rank=Rank(n=n, nth=True)),), 1.0, "said")
    for m in _WINDOW.finditer(text):
        size = int(m["n"]) if m["n"] else USUAL_WINDOW
        yield Piece(
            m.start(), m.end(), (Node("FLAG", flags=frozenset({f"moving_average:{size}"})),), 0.8, "said"
        )


def _unit(amount: amounts.Amount) -> str | None:
    if amount.kind == "money":
        return "money"
    if amount.unit == "%":
        return "%"
    if amount.unit is None:
        big = isinstance(amount.value, (int, float)) and amount.value >= 10_000
        return "big" if big else None
    return "count"


def _width(value: float) -> int:
    """The last place that was said: 5천만 원대 goes up to 6천만."""
    width = 1
    while value and value % (width * 10) == 0:
        width *= 10
    return width


_MEASURED = regex(
    r"(?<![\d,.])(?P<n>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s?(?:(?P<kg>kgs?|kilos?|kilograms?|킬로(?:그램)?)|(?P<km>kms?|kilomet(?:er|re)s?|킬로미터)"
    r"|(?P<ton>톤|tons?|tonnes?)|(?P<liter>리터|lit(?:er|re)s?)|(?P<g>그램|grams?))(?![a-z가-힣](?<![이을를인의은는]))"
)
_COUNTERS = regex(
    r"(?<![\d,.])(?P<n>\d{0,2}[1-9])\s?(?:대|장|권|잔|통|마리|채|척|편|벌|켤레|그루|동|필지)(?=[의를을은는이가도만씩]|\s|$)"
)
_GLUED = regex(r"[가-힣](?=\d)")
_FEW = regex(r"(?<![a-z])(?P<n>two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)(?= [a-z]|\W*\Z)")


def _lengths(text: str) -> Iterator[Piece]:
    """30분, two hours, half an hour."""
    for m in _MINUTES.finditer(text):
        scale = 60 if m["u"].startswith(("시간", "hour")) else 1
        yield Piece(
            m.start(),
            m.end(),
            (Node("N", numbers=(float(m["n"].replace(",", "")) * scale,), unit="minutes"),),
            0.9,
            "said",
        )
    for m in _HOUR.finditer(text):
        length = 30.0 if m["half"] else 60.0
        yield Piece(m.start(), m.end(), (Node("N", numbers=(length,), unit="minutes"),), 0.8, "said")


def _measures(text: str) -> Iterator[Piece]:
    """1,000kg, 6대: numbers with a unit or a counter of their own."""
    for m in _MEASURED.finditer(text):
        number = float(m["n"].replace(",", ""))
        unit = next(name for name, said in m.groupdict().items() if said and name != "n")
        nodes = (Node("N", numbers=(number,), unit=unit), Node("N", numbers=(number,), cost=0.3))
        yield Piece(m.start(), m.end(), nodes, 0.9, "said")
    for m in _COUNTERS.finditer(text):
        yield Piece(m.start(), m.end(), (Node("N", numbers=(float(m["n"]),), unit="count"),), 1.0, "said")
    for m in _OFTEN.finditer(text):
        number = {"twice": 2.0, "thrice": 3.0}.get(m[0], 1.0)
        yield Piece(m.start(), m.end(), (Node("N", numbers=(number,), unit="count"),), 1.0, "said")


def values(text: str) -> Iterator[Piece]:
    text = _GLUED.sub(" ", text)  # 담당자3명: a number may follow its noun without a space
    for m in _FEW.finditer(text):
        yield Piece(m.start(), m.end(), (Node("N", numbers=(float(_count(m["n"])),)),), 1.0, "said")
    for amount in amounts.numbers(text):
        if not isinstance(amount.value, (int, float)):
            continue
        unit = _unit(amount)
        bare = _PLAIN.match(text, amount.start) if unit == "count" else None
        if bare and not _COUNTER.match(text, bare.end()):  # more than 10 visits: the noun speaks for itself
            node, end = Node("N", numbers=(float(amount.value),)), bare.end()
        else:
            rows = "rows" if text[amount.start : amount.end].endswith("건") else None
            node, end = Node("N", numbers=(float(amount.value),), unit=unit, op=rows), amount.end
        yield Piece(amount.start, end, (node,), 1.0, "said")
        after = _BAND.match(text, amount.end)
        if text[amount.end - 1] == "대" or after:
            end = after.end() if after else amount.end
            high = amount.value + _width(amount.value) - (1 if unit in ("money", "big") else 0)
            band = Condition("", "between", (float(amount.value), float(high)))
            node = Node("C", having=(band,), unit=unit)
            yield Piece(amount.start, end, (node,), 0.9, "said")
    for m in _SPELLED.finditer(text):  # one million won
        number = (0.5 if m["n"].startswith("half") else float(_count(m["n"]))) * _SCALES[m["s"][0]]
        unit = "money" if m["won"] else "big"
        yield Piece(m.start(), m.end(), (Node("N", numbers=(number,), unit=unit),), 0.8, "said")
    for m in _SCALED.finditer(text):
        number = float(m["n"].replace(",", "")) * (1e12 if m["s"] == "trillion" else _SCALES[m["s"][0]])
        yield Piece(m.start(), m.end(), (Node("N", numbers=(number,), unit="big"),), 0.9, "said")
        if after := _BAND.match(text, m.end()):
            band = Condition("", "between", (number, number + _width(number) - 1))
            yield Piece(m.start(), after.end(), (Node("C", having=(band,), unit="big"),), 0.9, "said")
    yield from _lengths(text)
    yield from _measures(text)
    for m in _TIMES.finditer(text):
        yield Piece(m.start(), m.end(), (Node("FACTOR", numbers=(float(m["n"]),)),), 0.9, "said")
