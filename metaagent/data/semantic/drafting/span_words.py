"""Words for the days between two dates of a row, and for what was done late or on time."""

from __future__ import annotations

from metaagent.data.semantic.drafting.event_dates import Moment, base_verb
from metaagent.data.semantic.drafting.naming import Words
from metaagent.data.semantic.drafting.words import english, hangul, korean, words_of
from metaagent.language.patterns import regex

PLANNED = frozenset(
    {"due", "required", "expected", "promised", "promise", "scheduled", "schedule", "planned", "plan",
     "estimated",
     "deadline", "committed", "agreed", "wanted", "eta", "target", "desired"}
)  # fmt: skip
PLANNED_KO = regex("예정|기한|납기|만기|약속|목표일|예상")
ASKED = frozenset({"requested", "request"})
ASKED_KO = regex("희망|요청")
"""Words of dates that were asked for, or on which somebody asked."""
_WHEN = frozenset({"date", "at", "on", "time", "day", "by", "timestamp"})
_NOUNS = {
    "delivered": ("delivery", "deliveries"), "returned": ("return", "returns"), "paid": ("payment", "payments"),
    "resolved": ("resolution", "resolutions"), "closed": ("closing", "closings"), "completed": ("completion", "completions"),
    "shipped": ("shipping", "shipments"), "approved": ("approval", "approvals"), "settled": ("settlement", "settlements"),
    "finished": ("completion", "completions"), "discharged": ("discharge", "discharges"), "answered": ("response", "responses"),
    "repaired": ("repair", "repairs"), "arrived": ("arrival", "arrivals"), "installed": ("installation", "installations"),
    "replied": ("response", "responses"), "inspected": ("inspection", "inspections"), "reported": ("reporting", "reports"),
}  # fmt: skip


def planned_words(column: str) -> Words:
    """The names of the date that something is planned for: due, the due date, 납기일, 예정일."""
    own = [word for word in words_of(column) if word not in _WHEN]
    en = [
        "due",
        "planned",
        "expected",
        "promised",
        "scheduled",
        "the deadline",
        "requested",
        "the due date",
        "due date",
    ]
    ko = ["예정일", "예정", "기한", "납기일", "납기", "마감일"]
    if hangul(column):
        noun = regex(r"(?:일자|일시|날짜|일)$").sub("", column)
        ko = [column, f"{noun}일", noun, *ko]
    elif own:
        base = " ".join(own)
        en = [base, f"the {base} date", f"{base} date", f"the {base}", *en]
        ko = [*(f"{noun}{tail}" for noun in korean(own) for tail in ("일", "")), *ko]
    return {"ko": list(dict.fromkeys(ko)), "en": list(dict.fromkeys(en))}


_PASSED = (
    "을 넘겨", "를 넘겨", " 넘겨", "을 넘겨서", "를 넘겨서", " 넘겨서", "을 넘긴", "를 넘긴", " 지나서", "이 지나서", " 이후에",
)  # fmt: skip
_ENDED_KO = ("끝난", "끝낸", "끝나", "마친", "마무리된")


def late_words(moment: Moment, plan: Words) -> Words:
    done = [moment.done, *moment.also] if moment.done else []
    ended = _ENDED_KO if {"finished", "completed"} & {*done} else ()
    en = ["late", "delayed", "behind schedule", "tardy"]
    en += [f"{one} late" for one in done]
    en += [
        f"{start}{link} {said}"
        for start in ("", *(f"{one} " for one in done))
        for link in ("later than", "after", "past")
        for said in plan["en"]
        if start or link == "later than"
    ]
    ko = ["늦은", "지연", "지연된", "기한을 넘긴", "납기를 넘긴", "기한 초과", "늦어진"]
    acts = [f"{start}{noun}{tail}" for noun in moment.ko for start in ("늦게 ", "지연 ") for tail in _DONE]
    acts += [f"늦게 {act}" for act in ended]
    acts += [f"{noun}이 늦은" for noun in moment.ko] + [f"{noun}가 늦은" for noun in moment.ko]
    ko += acts
    ko += [f"{said}보다 {act}" for said in plan["ko"] for act in ("늦은", *acts)]
    ko += [
        f"{said}{link} {noun}{tail}"
        for said in plan["ko"] for link in _PASSED
        for noun in moment.ko for tail in _DONE
    ]  # fmt: skip
    ko += [f"{said}{link} {act}" for said in plan["ko"] for link in _PASSED for act in ended]
    ko += [
        f"{said}{link}"
        for said in plan["ko"]
        for link in ("을 넘긴", "를 넘긴", " 넘긴", "을 지난", "를 지난", "이 지난")
    ]
    if {"반납", "납부", "결제", "상환"} & {*moment.ko}:
        ko += ["연체", "연체된", "연체한"]
    return {"ko": list(dict.fromkeys(ko)), "en": list(dict.fromkeys(en))}


_DONE = ("된", "한", "됐", "되었", "했", "하", "되", "")


def late_events(moment: Moment) -> Words:
    """The number of events that were done late: late deliveries, 배송 지연 건수."""
    many = _NOUNS.get(moment.done, ())[1:]
    return {
        "ko": [f"{noun} 지연{tail}" for noun in moment.ko for tail in (" 건수", " 횟수", "")],
        "en": [f"{start}late {noun}" for noun in many for start in ("", "number of ", "how many ")],
    }


def on_time_words(moment: Moment, plan: Words) -> Words:
    done = [moment.done] if moment.done else []
    en = ["on time", "in time", "punctual", "on schedule", "punctually"]
    en += [f"{one} {link}" for one in done for link in ("on time", "in time", "on schedule")]
    en += [
        f"{one} {link} {said}"
        for one in done
        for link in ("by", "before", "on or before")
        for said in plan["en"]
    ]
    ko = [
        "제때",
        "정시에",
        "정시",
        "기한 내",
        "기한 내에",
        "납기 내",
        "납기를 지킨",
        "기한을 지킨",
        "제시간에",
    ]
    ko += [
        f"{start} {noun}{tail}"
        for noun in moment.ko
        for start in ("제때", "정시에", "정시", "기한 내", "기한 내에", "제시간에")
        for tail in _DONE
    ]
    return {"ko": list(dict.fromkeys(ko)), "en": list(dict.fromkeys(en))}


LEAST = frozenset({"reorder", "minimum", "safety", "threshold", "par", "min"})
LEAST_KO = regex("안전재고|최소재고|최소수량|적정재고|발주점|재주문")
HELD = frozenset({"stock", "onhand", "hand", "inventory", "available", "quantity"})
HELD_KO = regex("재고|잔량|보유|현재고")


def low_words(held: str, least: str) -> tuple[Words, Words]:
    """The words for too little and for enough: below the reorder level, 안전재고보다 적은."""
    own = [word for word in words_of(least) if word not in HELD] or words_of(least)
    low_en, enough_en = _low_english(least, own)
    low_ko, enough_ko = _low_korean(held, least, own)
    return {"ko": low_ko, "en": low_en}, {"ko": enough_ko, "en": enough_en}


def _low_english(least: str, own: list[str]) -> tuple[list[str], list[str]]:
    limits = [
        " ".join(words_of(least)),
        " ".join(own),
        *(f"{own[0]} {noun}" for noun in ("level", "point", "stock", "quantity")),
    ]
    said = [
        f"{article}{limit}" for limit in dict.fromkeys(limits) for article in ("", "the ", "their ", "its ")
    ]
    low = [
        *(f"{link} {limit}" for link in ("below", "under", "less than", "lower than") for limit in said),
        "low on stock",
        "running low",
        "understocked",
        "low in stock",
        "need reordering",
        "need to be reordered",
        "short of stock",
    ]
    return list(dict.fromkeys(low)), [f"{link} {limit}" for link in ("above", "over") for limit in said]


def _low_korean(held: str, least: str, own: list[str]) -> tuple[list[str], list[str]]:
    nouns = (
        [least]
        if hangul(least)
        else [*korean(words_of(least)), *korean(own), "안전재고", "최소재고", "발주점"]
    )
    stock = [*([held] if hangul(held) else ()), "재고", "재고가", "재고량이", "재고 수량이"]
    under = [
        f"{noun}{tail}"
        for noun in nouns
        for tail in (
            "보다 적은",
            "보다 낮은",
            "보다 부족한",
            "보다 작은",
            " 미만인",
            " 미만",
            " 이하로 떨어진",
            "에 못 미치는",
        )
    ]
    low = [
        *under,
        *(
            f"{noun}보다 {one} {less}"
            for noun in nouns
            for one in stock
            for less in ("적은", "부족한", "낮은", "모자란")
        ),
        *(f"{one} {said}" for one in stock for said in under),
        "재고 부족",
        "재고가 부족한",
        "부족한",
        "발주가 필요한",
        "발주 필요한",
    ]
    full = [f"{noun}{tail}" for noun in nouns for tail in ("보다 많은", " 이상인", " 이상")]
    return list(dict.fromkeys(low)), [*full, "재고가 충분한", "충분한"]


STAYS: dict[tuple[str, str], tuple[list[str], list[str]]] = {
    ("checked in", "checked out"): (["숙박", "체류", "투숙"], ["stay"]),
    ("admitted", "discharged"): (["입원", "재원"], ["stay", "hospital stay", "admission"]),
    ("started", "ended"): (["진행", "이용"], ["term", "run"]),
    ("departed", "arrived"): (["이동", "운행"], ["journey", "travel"]),
    ("arrived", "departed"): (["체류", "정박"], ["stay", "turnaround"]),
    ("hired", "left"): (["근속", "재직"], ["tenure", "employment"]),
    ("joined", "left"): (["가입 유지", "활동"], ["membership"]),
}
"""Things that last from one date to another, in both languages."""


def stay_words(start: Moment, end: Moment) -> Words:
    """The length of a stay, 숙박 기간."""
    nouns, things = STAYS[start.done, end.done]
    en = [
        said
        for one in things
        for said in (f"length of {one}", f"{one} length", f"{one} duration", f"length of {one}s")
    ]
    ko = [f"{noun}{tail}" for noun in nouns for tail in (" 기간", "기간", " 일수", "일수")]
    return {"ko": [*ko, *(f"평균 {said}" for said in ko)], "en": [*en, *(f"average {said}" for said in en)]}


_TAKEN = (
    "",
    *(f" {took} {what}" for took in ("걸린", "걸리는") for what in ("시간", "기간", "일수")),
    " 소요 기간",
    " 기간",
    "의 기간",
)
_DOING = tuple(f"{act}{space}데" for act in ("하는", "되는", "받는") for space in (" ", ""))
_UNTIL = (
    *(f"까지{tail}" for tail in _TAKEN),
    *_DOING,
    *(f"에 {took} {what}" for took in ("걸린", "걸리는") for what in ("시간", "기간", "일수")),
    *(f"에{how}" for how in (" 며칠", " 평균 며칠", " 얼마나", "는 며칠", "는 평균 며칠")),
    *(
        f"{doing} {took} {what}"
        for doing in _DOING
        for took in ("걸린", "걸리는")
        for what in ("시간", "기간", "일수")
    ),
    *(
        f" {what}"
        for what in (
            "소요일",
            "소요일수",
            "소요 일수",
            "소요 기간",
            "소요 시간",
            "소요기간",
            "기간",
            "리드타임",
        )
    ),
)


def _done_words(base: str, done: str, nouns: list[str], many: str) -> list[str]:
    """The days until something is done: to resolve a request, to be delivered, delivery time."""
    verb = base_verb(done)
    acts = [f"to {verb}", f"to be {done}", f"to get {done}", f"until {done}"]
    en = [f"{unit} {act}" for unit in ("days", "time", "number of days", "day") for act in acts]
    en += [f"{unit} it takes {act}" for unit in ("days", "time") for act in acts]
    things = [*(f"{article} {base}" for article in ("a", "an", "the")), many]
    en += [
        f"{unit} to {verb} {thing}"
        for unit in ("days", "time", "number of days", "days it takes")
        for thing in things
    ]
    en += [f"to {verb} {thing}" for thing in things]
    en += [f"for {thing} to be {done}" for thing in things]
    en += [f"{noun} {unit}" for noun in nouns for unit in ("time", "days", "lead time", "duration", "delay")]
    return [*en, *(f"{base} {noun} time" for noun in nouns)]


_BEGINNINGS = {
    "received": ("receipt", "intake", "reception"), "ordered": ("order",), "booked": ("booking", "reservation"),
    "requested": ("request", "application"), "created": ("creation", "registration"), "registered": ("registration",),
    "opened": ("opening",), "signed": ("signing", "contract"), "invoiced": ("invoice", "billing"), "reported": ("report",),
    "admitted": ("admission",), "started": ("start",), "ended": ("end",), "hired": ("hiring",), "joined": ("joining",),
    "picked up": ("pickup",), "collected": ("collection",), "visited": ("visit",), "issued": ("issue",), "raised": ("complaint",),
}  # fmt: skip
"""Further nouns for what happened on a date."""


def date_names(column: str, moment: Moment | None, table: list[str]) -> Words:
    """The names of a date of rows, between which days are counted: received, receipt, the received date; 접수, 접수일."""
    done = moment.done if moment else ""
    nouns = [*_NOUNS.get(done, ())[:1], *_BEGINNINGS.get(done, ())]
    own = [word for word in words_of(column) if word not in _WHEN and word.isascii()]
    said = [*([done, base_verb(done)] if done else ()), *nouns, *([" ".join(own)] if own else ())]
    said += [" ".join(table)] if not own or own == table else []
    en = [form for name in dict.fromkeys(said) if name for form in (name, f"{name} date", f"the {name} date")]
    acts = [
        *(moment.ko if moment else ()),
        *(korean(own) if own else ()),
        *(korean(table) if own == table else ()),
    ]
    ko = [*acts, *(f"{act}일" for act in acts if not act.endswith("일"))]
    ko += [column] if hangul(column) else []
    return {"ko": list(dict.fromkeys(ko)), "en": list(dict.fromkeys(en))}


def between_words(first: Words, last: Words) -> Words:
    """The days from one date to another, by the names of both; a word for how long stands beside them."""
    en = [
        f"{unit}{link} {one} {to} {end}"
        for unit in ("", "days ", "number of days ")
        for link, to in (("from", "to"), ("between", "and"), ("from", "until"))
        for one in first["en"]
        for end in last["en"]
        if one != end
    ]
    ko = [
        f"{one}{link} {end}까지{tail}"
        for one in first["ko"]
        for link in ("부터", "에서")
        for end in last["ko"]
        for tail in ("", " 걸린 기간", " 걸리는 기간", " 걸린 일수", " 걸린 시간", " 걸리는 시간", " 기간")
        if one != end
    ]
    return {"ko": ko, "en": en}


def span_words(table: list[str], end: Moment) -> tuple[dict[str, str], Words]:
    """Label and synonyms of the days until something was done: delivery time, 배송까지 걸린 기간."""
    base = " ".join(table)
    nouns = list(_NOUNS.get(end.done, ())[:1]) if end.done else [base]
    en = [
        f"{unit} {link} {noun}"
        for unit in ("days", "time", "number of days")
        for link in ("to", "until")
        for noun in nouns
    ]
    if end.done:
        en += _done_words(base, end.done, nouns, " ".join(english(table)[1:2]))
    ko = [f"{noun}{tail}" for noun in end.ko for tail in _UNTIL]
    ko += [
        f"{first}{link} {noun}까지{tail}"
        for first in korean(table)
        for link in ("부터", "에서")
        for noun in end.ko
        for tail in _TAKEN
    ]
    said_en = [
        *en,
        *(f"average {said}" for said in en),
        *(f"average {base} {said}" for said in en if said.endswith("time")),
    ]
    label_en = f"Average days from {base} to {end.done}" if end.done else f"Average days of {base}"
    nouns_ko = korean(table)
    label_ko = (
        f"평균 {' '.join(dict.fromkeys((nouns_ko[0], end.ko[0])))} 소요일"
        if nouns_ko and end.ko
        else label_en
    )
    return {"ko": label_ko, "en": label_en}, {"ko": [*ko, *(f"평균 {said}" for said in ko)], "en": said_en}


_TIMED = regex(
    "duration|length|시간| time$(?<!lead time)(?<!turnaround time)(?<!cycle time)(?<!processing time)"
)


def whole_words(table: list[str], *, timed: bool) -> Words:
    """The words for how long the whole of it lasts: rental length, 대여 기간, lead time. `timed`: another column says how long
    the work itself took, as which its duration is read."""
    said = _whole_words(table)
    return {
        language: [word for word in words if not (timed and _TIMED.search(word))]
        for language, words in said.items()
    }


def _whole_words(table: list[str]) -> Words:
    en = [
        f"{noun} {what}"
        for noun in english(table)[:1]
        for what in (
            "duration",
            "length",
            "time",
            "days",
            "lead time",
            "processing time",
            "turnaround time",
            "cycle time",
            "period",
        )
    ]
    en += [f"{what} of {noun}" for noun in english(table)[1:2] for what in ("duration", "length")]
    en += [f"length of {noun}" for noun in english(table)[:1]]
    en += ["lead time", "turnaround time", "turnaround", "processing time", "handling time", "cycle time"]
    ko = [
        f"{noun}{tail}"
        for noun in korean(table)
        for tail in (
            " 기간",
            " 일수",
            " 소요 기간",
            " 소요일",
            " 처리 기간",
            " 처리 시간",
            " 리드타임",
            "기간",
            "일수",
            " 평균 기간",
            "의 평균 기간",
            "의 기간",
        )
    ]
    ko += [
        "리드타임",
        "처리 기간",
        "처리 시간",
        "처리 소요일",
        "소요 기간",
        "소요일",
        "소요 일수",
        "소요일수",
    ]
    en += [f"average {said}" for said in en] + [f"{said} in days" for said in en]
    return {
        "ko": [*ko, *(f"평균 {said}" for said in ko)],
        "en": [*en, *(f"average {said}" for said in en if said.endswith("in days"))],
    }
