"""Words for the metrics and dimensions of a drafted model: labels and synonyms in both languages."""

from __future__ import annotations

from itertools import product
from typing import Any

from metaagent.data.semantic.drafting.dictionary import KOREAN, VERBS
from metaagent.data.semantic.drafting.units import MEASURED, UNITS, unit_of
from metaagent.data.semantic.drafting.words import english, hangul, korean, plural, singular
from metaagent.language.patterns import regex

Words = dict[str, list[str]]

_KINDS: dict[str, tuple[str, list[str], list[str]]] = {
    "sum": ("total", ["total", "sum of", "overall"], ["총", "전체"]),
    "average": ("average", ["average", "mean", "avg"], ["평균"]),
    "max": ("maximum", ["maximum", "largest", "highest", "max"], ["최대", "최고"]),
    "min": ("minimum", ["minimum", "smallest", "lowest", "min"], ["최소", "최저"]),
}
_PARTS = frozenset({"detail", "line", "item", "상세", "내역"})
_MONEY = {"amount", "total", "price", "cost", "fee", "charge", "value", "금액", "가격", "요금"}
_IN_STOCK = frozenset({"stock", "inventory", "재고"})
KOREAN_PARTS = regex(r"(?<=[가-힣]{2})(?:내역|상세|명세|이력|기록|목록|라인)$")
_LASTING = frozenset({"minute", "hour", "second", "ms", "millisecond"})
_WEIGHED = frozenset({"kg", "g", "ton", "tonne", "lb"})
_WEIGHT_KO = regex("무게|중량|체중|수량|생산량|수확량|판매량|투입량|산출량|물량")
_UNIT_NAMES = {"kg": ("kilo", "kilogram"), "ton": ("tonne",), "lb": ("pound",)}
_LOTS = ("batch", "lot", "run", "log", "record")
_COINS = frozenset({"cent", "krw", "usd", "eur", "gbp", "jpy", "won", "dollar", "euro"})
_LENGTHS = ("duration", "time", "length")
_AMASSED = frozenset(
    {
        "stock",
        "inventory",
        "usage",
        "consumption",
        "production",
        "output",
        "demand",
        "supply",
        "capacity",
        "headcount",
        "attendance",
    }
)
"""Nouns that mean an amount of something by themselves."""
MONEY_NOUNS = {"vat", "freight", "insurance", "tax", "discount", "commission", "rent", "fine", "penalty", "labor", "tip",
            "interest", "wage", "salary", "bonus", "toll", "tuition", "fare", "premium", "deposit", "refund", "charge",
            "surcharge", "allowance", "royalty", "deductible", "settlement"}  # fmt: skip
"""Nouns that mean an amount of money by themselves."""
_CHARGED = {"fee", "cost", "charge", "price", "fare", "rate"}


def measure_words(
    kind: str, own: list[str], table: list[str], *, alone: bool, averaged: bool
) -> tuple[Any, Words]:
    """Label and synonyms of one aggregate of a column. `alone`: the table is named after what it adds up, as fines are;
    `averaged`: it is never added up, so that the price means the average one."""
    nouns = _measure_nouns(own, table, alone=alone and not averaged)
    _, adjectives, prefixes = _KINDS[kind]
    en = [f"{adjective} {noun}" for adjective in adjectives for noun in nouns["en"]]
    ko = [f"{prefix} {noun}" for prefix in prefixes for noun in nouns["ko"]]
    if kind == "sum":
        en += [*nouns["en"], *(f"number of {noun}" for noun in english(own)[1:2])]
        ko += [*nouns["ko"], *(f"{noun} {tail}" for noun in nouns["ko"] for tail in ("합계", "총액", "총합"))]
    if kind == "average" and averaged:
        en += nouns["en"]
        ko += nouns["ko"]
    if kind == "average":
        each = _for_each(own, table)
        en += each["en"]
        ko += each["ko"]
    return _measure_label(kind, own, table), {"ko": unique(ko), "en": unique(en)}


def _measure_nouns(own: list[str], table: list[str], *, alone: bool) -> Words:
    """Nouns for the values of a column, whatever is done with them."""
    full = qualified(table, own)
    bare = [word for one in _without_unit(own, table) for word in (one, [*table, *one])]
    ko = [
        *korean(own),
        *korean(full),
        *_charges(own, table),
        *_volumes(own),
        *(word for one in bare for word in korean(one)),
    ]
    en = [
        *(word for one in bare for word in english(one)),
        *english(own),
        *english(full),
        *(f"{' '.join(table)} {word}" for word in english(own)[2:]),
    ]
    for name in _shorter_names(own, table, alone=alone):
        ko += korean(name)
        en += english(name)
    if "per" in own[1:]:  # mites per 100, fee per hive
        one = own[: own.index("per", 1)]
        named = [*one[:-1], singular(one[-1])]
        counted = plural(named[-1]) == one[-1] and len(one) == 1
        en += [
            *english(one),
            *([f"{named[-1]} count", f"number of {one[-1]}", f"{named[-1]} counts"] if counted else []),
        ]
        ko += [
            f"{noun}{tail}" for noun in korean(named) for tail in ("", *((" 수", "수") if counted else ()))
        ]
    for said in _bare_korean(own):
        ko += [said, f"{' '.join(table)} {said}"]
        en += [word for one in (english([said]), english([*table, said])) for word in one if word.isascii()]
    for more in (
        _scores(own, table),
        _stocks(own, table),
        _prices(own),
        _counted(own),
        _amounts(own),
        _units(own, table),
        _percents(own),
        _lasted(own),
    ):
        ko += more["ko"]
        en += more["en"]
    return {"ko": ko, "en": en}


def _shorter_names(own: list[str], table: list[str], *, alone: bool) -> list[list[str]]:
    """Names of a column that leave out a part which goes without saying."""
    names = [
        qualified(head, own) for head in heads_of(table)
    ]  # the amount of an order line is said to be that of orders, 조제내역 수량 to be 조제 수량
    if len(own) > 1 and own[0] in ("total", "grand"):  # the total amount of a reservation is its amount
        names += [own[1:], qualified(table, own[1:])]
    amassed = table[-1] in _AMASSED and {*own} <= UNITS  # the output, in kWh
    paid = own[-1] in _MONEY and table[-1] not in VERBS and {*own} <= _MONEY | UNITS | {*table}
    return [*names, table] if alone and (amassed or paid) else names


def _for_each(own: list[str], table: list[str]) -> Words:
    """An average as so much for each row: items per order, 주문당 수량."""
    every = [word for at, word in enumerate(english(table)) if at == 0 or plural(word) in english(table)]
    counted = ("", "average ", "number of ", "average number of ")
    return {
        "en": [
            *(f"{start}{noun} per {each}" for each in every for start in counted for noun in english(own)),
            *(f"average number of {noun}" for noun in english(own)[1:2]),
        ],
        "ko": [
            f"{noun}당{middle}{what}"
            for noun, what in product(korean(table), korean(own))
            for middle in (" ", " 평균 ")
        ],
    }


def _measure_label(kind: str, own: list[str], table: list[str]) -> dict[str, str]:
    full = qualified(table, own)
    shown = (
        korean(full)
        or korean(own)
        or [word for one in _without_unit(own, table) for word in korean([*table, *one])]
        or [" ".join(full)]
    )
    if kind == "sum" and "total" in own:
        return {"ko": shown[0], "en": " ".join(full).capitalize()}
    word, _, prefixes = _KINDS[kind]
    return {"ko": f"{prefixes[0]} {shown[0]}", "en": f"{word} {' '.join(full)}".capitalize()}


def _without_unit(own: list[str], table: list[str]) -> list[list[str]]:
    """The duration, in minutes; the talk time, in seconds; the stock, in pieces. Trips are no minutes of trips."""
    *head, last = own
    if (
        last in _WEIGHED
        and "weight" not in head
        and not any(map(_WEIGHT_KO.search, head))
        and not {"price", "quantity", "rate", "cost"} & {*head}
    ):
        return [[*head, "weight"]]
    if (
        last in _COINS
        and head
        and head[-1] not in _MONEY | MONEY_NOUNS | {"balance", "budget"}
        and head[-1] not in table
    ):
        return [[*head, "amount"], *([head] if head[-1] in KOREAN else [])]
    if last in _LASTING and not (head and head[-1] in (*_LENGTHS, "distance")):
        lasting = [[*head, length] for length in _LENGTHS]
        if head and f"{head[-1]}ing" not in KOREAN and head[-1] in KOREAN:  # the waiting time
            lasting += [[*head[:-1], f"{head[-1]}ing", length] for length in _LENGTHS]
        return [*([head] if head and head[-1] not in table and head[-1] not in VERBS else []), *lasting]
    amassed = last == "quantity" and head and head[-1] in _AMASSED
    return [head] if head and (amassed or (last in UNITS and head[-1] not in table)) else []


_REAL = regex(r"^(?:총|실제|최종|현재|누적)(?=[가-힣]{2})")
_MONEY_KO = regex(r"(?<=[가-힣][대비료금세])(?:금액|액)$")
_NUMBER_KO = regex(
    r"(?<=[가-힣]{2})수$(?<!점수)(?<!지수)(?<!횟수)(?<!건수)(?<!개수)(?<!매수)(?<!부수)(?<!일수)"
)


def _bare_korean(own: list[str]) -> list[str]:
    """Shorter ways to say a Korean name: 하객수 and 하객 수 for 실제하객수, 식대 for 식대금액."""
    if len(own) != 1 or not hangul(own[0]):
        return []
    plain = _REAL.sub("", own[0])
    every = [plain, _MONEY_KO.sub("", plain), _NUMBER_KO.sub(" 수", plain)]
    return [said for said in dict.fromkeys(every) if said != own[0]]


def heads_of(table: list[str]) -> list[list[str]]:
    """The words of what a table holds the lines of."""
    if len(table) > 1 and table[-1] in _PARTS:
        return [table[:-1]]
    head = KOREAN_PARTS.sub("", table[-1])
    return [[*table[:-1], head]] if hangul(table[-1]) and head not in ("", table[-1]) else []


def _amounts(own: list[str]) -> Words:
    """Name an amount after what it is for: the freight amount is the freight; 결제액, 하수도 요금, the sewer charge."""
    ko, en = list[str](), list[str]()
    if len(own) > 1 and own[-1] in _CHARGED | {"amount"} and own[-2] in MONEY_NOUNS:
        ko, en = korean(own[:-1]), english(own[:-1])
    if own[-1] in ("amount", "total") and len(own) > 1:  # the order value
        en += [f"{' '.join(own[:-1])} {word}" for word in ("value", "worth")]
    if len(own) > 1 and own[-1] == "amount":
        ko += [f"{noun}{tail}" for noun in korean(own[:-1]) for tail in ("액", " 요금", "료")]
    if len(own) > 1 and own[-1] in _EARNED and not {*own[:-1]} & _NO_KIND:
        ko += [
            f"{noun} {word}"
            for noun in korean(own[:-1])
            for word in ("매출", "매출액", "수입", "금액", "요금")
        ]
        en += [f"{' '.join(own[:-1])} {word}" for word in _EARNED_WORDS]
    return {"ko": ko, "en": en}


_EARNED = frozenset({"amount", "charge", "fee", "fare", "revenue", "income", "sale", "takings"})
_EARNED_WORDS = (
    "charge",
    "charges",
    "fee",
    "fees",
    "amount",
    "revenue",
    "income",
    "sales",
    "takings",
    "earnings",
)
"""Words that people change for one another behind what was paid for: the labour charge is labour income."""
_NO_KIND = frozenset(
    {"total", "unit", "net", "gross", "grand", "sub", "tax", "vat", "discount", "refund", "paid", "due", "balance", "target",
     "budget", "deposit", "cost", "purchase", "credit", "average", "minimum", "maximum", "final", "base", "list", "late"}
)  # fmt: skip


_JUDGED = frozenset({"review", "rating", "survey", "feedback", "evaluation"})


def _scores(own: list[str], table: list[str]) -> Words:
    """A rating, or the score of a review: 평점. The score of an exam is none."""
    if own[-1] in ("rating", "star"):
        return {"ko": ["평점", "별점"], "en": ["rating"]}
    if own[-1] == "score" and _JUDGED & {*table, *own}:
        return {"ko": ["평점", "별점", "점수"], "en": ["rating", "score"]}
    return {"ko": [], "en": []}


def _stocks(own: list[str], table: list[str]) -> Words:
    """The quantity on hand, or any quantity of stocks, is the stock."""
    plain = own[:1] == ["quantity"] and {*own[1:]} <= _WEIGHED
    if not _IN_STOCK & {*table} or not (plain or {"hand", "onhand"} & {*own}):
        return {"ko": [], "en": []}
    return {
        "ko": ["재고", "재고 수량", "재고량"],
        "en": ["stock", "inventory", "stock on hand", "inventory on hand"],
    }


def _prices(own: list[str]) -> Words:
    """So much for each kilogram: price_kg is the price per kg, kg당 가격."""
    if len(own) < 2 or own[-1] not in _WEIGHED or own[-2] not in ("price", "cost", "rate"):
        return {"ko": [], "en": []}
    units = (own[-1], *_UNIT_NAMES.get(own[-1], ()))
    return {
        "ko": [f"{own[-1]}당 {noun}" for noun in korean(own[:-1])],
        "en": [f"{noun} per {unit}" for noun in english(own[:-1]) for unit in units],
    }


def _units(own: list[str], table: list[str]) -> Words:
    """Name what is measured by its unit: how many kg, the litres of fuel, 주유 리터."""
    if unit_of(own) is None:
        return {"ko": [], "en": []}
    en = [word for word in MEASURED[own[-1]] if word.isascii()]
    ko = [word for word in MEASURED[own[-1]] if not word.isascii()]
    return {
        "ko": [
            *ko,
            *(f"{noun} {word}" for noun in korean(table) for word in (*ko, *en[:1])),
            *(
                f"{noun}량"
                for one in (
                    table,
                    *heads_of(table),
                    *([table[:-1]] if len(table) > 1 and table[-1] in _LOTS else []),
                )
                for noun in korean(one)
                if " " not in noun and noun[-1] != "량"
            ),
        ],
        "en": [
            *en,
            *(f"{' '.join(table)} {word}" for word in en),
            *(
                said
                for noun in english(own[:-1] or table)
                for w in en
                for said in (f"{w} of {noun}", f"{noun} {w}")
            ),
        ],
    }


def _lasted(own: list[str]) -> Words:
    """Name what lasts by its unit: downtime minutes."""
    if own[-1] not in _LASTING or len(own) < 2:
        return {"ko": [], "en": []}
    return {"ko": [], "en": [f"{noun} {plural(own[-1])}" for noun in english(own[:-1])]}


def _percents(own: list[str]) -> Words:
    """The fat percentage is 체지방률."""
    if own[-1] != "percent" or len(own) < 2:
        return {"ko": [], "en": []}
    ko = [f"{noun}{tail}" for noun in korean(own[:-1]) for tail in ("률", "율", " 비율")]
    return {"ko": ko, "en": [f"{' '.join(own[:-1])} {word}" for word in ("percentage", "rate", "ratio")]}


def _counted(own: list[str]) -> Words:
    """Name the count of things in a column after them: guest_cnt is the number of guests, 손님 수; cap_cnt the capacity."""
    *head, last = own
    if last != "count" or not head:
        return {"ko": [], "en": []}
    if head[-1] in _AMASSED:
        return {"ko": korean(head), "en": english(head)}
    ko = [f"{noun}{tail}" for noun in korean(head) for tail in (" 수", "수", " 인원")]
    many = english(head)[1:2] or english(head)
    return {"ko": ko, "en": [*many, *(f"number of {one}" for one in many)]}


def _volumes(own: list[str]) -> list[str]:
    """주문량, 사용량: how much of it."""
    if own[-1].endswith("수량") and len(own[-1]) > 2:
        noun = own[-1].removesuffix("수량")
        return [f"{noun}량", f"{noun} 수량", *([noun] if noun in ("재고", "잔고") else [])]
    if own[-1] != "quantity" or len(own) < 2:
        return []
    return [
        f"{noun}{tail}" for noun in korean(own[:-1]) if not noun.endswith("량") for tail in ("량", "수량")
    ]


def extreme_words(kind: str, table: list[str]) -> Words:
    """The longest call, 가장 긴 통화: how long it lasted."""
    en, ko = (
        ("longest", ("가장 긴", "제일 긴", "최장"))
        if kind == "max"
        else ("shortest", ("가장 짧은", "제일 짧은", "최단"))
    )
    return {
        "en": [f"{en} {noun}" for noun in english(table)],
        "ko": [f"{adjective} {noun}" for adjective in ko for noun in korean(table)],
    }


_LASTED_KO = regex(
    r"(?:소요|작업|처리|진행|통화|상담|운행|수업|강의|상영|재생|시술|수술|진료|점검|수리)\s?(?:시간|분)분?$"
)


def lasts(own: list[str]) -> bool:
    """Tell whether a column says how long something took."""
    return own[-1] in _LASTING or own[-1] in ("duration", "length") or _LASTED_KO.search(own[-1]) is not None


def lasting_words(table: list[str]) -> Words:
    """The time that one of them took on average: the average duration of repairs, 평균 작업시간."""
    base, many = (english(table) * 2)[:2]
    en = [
        f"{what} of {noun}" for what in ("duration", "length") for noun in (many, f"a {base}", f"each {base}")
    ]
    en = ["duration", f"{base} duration", f"{base} time", *en]
    ko = [f"{act}{space}시간" for act in ("소요", "작업", "처리", *korean(table)) for space in ("", " ")]
    return {
        "en": [f"{how} {said}" for how in _KINDS["average"][1] for said in en],
        "ko": [f"평균 {said}" for said in ko],
    }


def _charges(own: list[str], table: list[str]) -> list[str]:
    """Name the cost of a thing after it: 진료비, 배송비, 대여료."""
    if own[-1] not in _CHARGED:
        return []
    named = [*(korean(own[:-1]) if len(own) > 1 else ()), *korean(table)]
    return [f"{noun}{tail}" for noun in named if " " not in noun for tail in ("비", "료", "비용", "요금")]


def count_words(table: list[str], *, named: bool) -> tuple[Any, Words]:
    """`named`: its rows have names, so that 'customers' alone means those people, not their number."""
    every = english(table)
    base, many, also = every[0], every[1] if len(every) > 1 else every[0], every[2:]
    others = list(
        dict.fromkeys(word if word.endswith("s") else plural(word) for word in also if word.isascii())
    )
    ko = korean(table)
    tails = (" 수", "수", " 개수", " 건수", "건수", " 횟수", "횟수", " 인원")
    synonyms = {
        "ko": [f"{word}{tail}" for word in ko for tail in tails],
        "en": [
            *([] if named else [many, *others, *rows_named(table)]), f"number of {many}", f"how many {many}",
            f"{base} count", f"count of {many}",
            *(f"number of {word}" for word in others), *(f"how many {word}" for word in others),
        ],
    }  # fmt: skip
    return {"ko": f"{ko[0] if ko else base} 수", "en": f"Number of {many}"}, synonyms


def rows_named(table: list[str]) -> list[str]:
    """Rows of what happened, by a general word behind its own: maintenance jobs."""
    return [f"{english(table)[0]} {row}" for row in ("jobs", "cases", "records", "entries", "tickets")]


def goods_words(goods: list[str]) -> Words:
    """The number sold of what a table of sales is called after: tickets sold, 티켓 판매량."""
    many = (english(goods) * 2)[1]
    return {
        "ko": [
            f"{noun}{tail}"
            for noun in korean(goods)
            for tail in (" 수", " 수량", " 매수", " 판매량", " 판매 수", " 판매 매수")
        ],
        "en": [many, f"{many} sold", f"number of {many}", f"number of {many} sold", f"how many {many}"],
    }


def new_words(table: list[str]) -> Words:
    """New customers, 신규 고객: those that came in the period."""
    ko = [
        f"{new} {noun}"
        for new in ("신규", "새", "새로운", "신규 가입", "신규 등록")
        for noun in korean(table)
    ]
    ko += [
        f"{done} {noun}" for done in ("새로 가입한", "새로 등록한", "새로 들어온") for noun in korean(table)
    ]
    en = [
        f"{new} {noun}" for new in ("new", "newly registered", "newly joined") for noun in english(table)[1:2]
    ]
    return {
        "ko": [*ko, *(f"{said}{tail}" for said in ko for tail in (" 수", "수"))],
        "en": [*en, *(f"{start} {said}" for said in en for start in ("number of", "how many"))],
    }


def per_words(many: list[str], one: list[str], *, counted: bool) -> tuple[Any, Words]:
    """곡 per 앨범, sales per customer."""
    what_en = (
        [english(many)[1] if len(english(many)) > 1 else english(many)[0]] if counted else [" ".join(many)]
    )
    each_en = [english(one)[0], *english(one)[2:]]
    tails = ("수", " 수", " 건수") if counted else ("",)
    what_ko = [f"{noun}{tail}" for noun in korean(many) for tail in tails]
    each_ko = korean(one)
    starts = ["average ", "mean ", "avg "]
    if counted:
        starts += ["average number of ", "mean number of ", "avg number of "]
    en = [f"{start}{what} per {each}" for start in starts for what in what_en for each in each_en]
    ko = [f"{each}당{middle}{what}" for each in each_ko for what in what_ko for middle in (" ", " 평균 ")]
    shown = f"Average {what_en[0]} per {each_en[0]}"
    label = {"ko": ko[0] if ko else shown, "en": shown}
    return label, {"ko": unique(ko), "en": unique(en)}


def thing_words(words: list[str], *more: list[str]) -> tuple[Any, Words]:
    """A dimension: the thing itself, grouped by it, and other ways to say it."""
    ko, en = korean(words), english(words)
    label = {"ko": ko[0] if ko else en[0], "en": en[0]}
    every_ko = [*ko, *(word for one in more for word in korean(one))]
    every_en = [*en[1:], *(word for one in more for word in english(one))]
    grouped = [f"{word}별" for word in every_ko]
    return label, {"ko": unique([*every_ko[1:], *grouped]), "en": unique(every_en)}


def qualified(table: list[str], own: list[str]) -> list[str]:
    """'total' of invoices -> ['invoice', 'total'], but 'sales_amount' of sales and 진료비 of 진료 stay as they are."""
    named = singular(own[0]) == table[0] or (hangul(table[0]) and own[0].startswith(table[0]))
    return own if named else [*table, *own]


def unique(words: list[str]) -> list[str]:
    return list(dict.fromkeys(words))
