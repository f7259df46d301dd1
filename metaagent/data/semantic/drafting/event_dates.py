# ruff: noqa: E501 - a table of words is read by its columns
"""Dates that say when something happened to a row: a loan is returned, an invoice falls due and is paid, a ticket is closed.

Each makes a figure of its own, so that "loans returned in September" is counted by the day of the return; and where the
date is empty in some rows, one of those to which it has not happened.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from metaagent.data.semantic.drafting.dictionary import HAPPENINGS, KOREAN
from metaagent.data.semantic.drafting.event_verbs import IRREGULAR
from metaagent.data.semantic.drafting.naming import Words, rows_named
from metaagent.data.semantic.drafting.words import english, hangul, korean, words_of
from metaagent.language.patterns import regex


@dataclass(frozen=True)
class Moment:
    """The thing that happened, in both languages, and what people call rows to which it did not happen."""

    done: str
    ko: tuple[str, ...]
    not_yet: tuple[str, ...] = ()
    not_yet_ko: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    """Other participles for the same."""


_CLOSED = Moment(
    "closed", ("종료", "마감", "처리", "해지"), ("open", "unclosed"), also=("finished", "completed")
)
_COMPLETED = Moment(
    "completed", ("완료", "종료"), ("incomplete", "uncompleted", "unfinished"), also=("finished", "done")
)
_RESOLVED = Moment(
    "resolved",
    ("해결", "처리"),
    ("unresolved", "open", "outstanding"),
    also=("closed", "handled", "dealt with"),
)
_STAYING = ("active", "current", "employed")
_STAYING_KO = (
    "재직", "재직중인", "재직 중인", "현직", "근무 중인", "근무중인", "근무하는", "근무하고 있는", "다니고 있는", "일하고 있는", "일하는", "현재", "남아 있는",
)  # fmt: skip
_LEFT = Moment("left", ("퇴사", "탈퇴"), _STAYING, _STAYING_KO, ("resigned", "quit"))
_RETIRED = Moment("retired", ("퇴사", "퇴직"), _STAYING, _STAYING_KO, ("left", "resigned", "quit"))
_CANCELLED = Moment("cancelled", ("취소", "해지"))
_PAID = Moment("paid", ("결제", "납부", "지불"), ("unpaid", "outstanding"), ("미납",))
_MOMENTS: dict[str, Moment] = {
    "paid": _PAID, "payment": _PAID, "due": Moment("due", ("만기", "납기")), "close": _CLOSED, "closed": _CLOSED,
    "return": Moment("returned", ("반납", "반품"), ("unreturned", "outstanding")), "cancel": _CANCELLED, "cancelled": _CANCELLED,
    "canceled": _CANCELLED, "cancellation": _CANCELLED, "open": Moment("opened", ("접수", "개설")),
    "shipping": Moment("shipped", ("출고", "발송"), ("unshipped",)), "ship": Moment("shipped", ("출고", "발송"), ("unshipped",)),
    "delivery": Moment("delivered", ("배송", "배달", "납품"), ("undelivered",)), "issue": Moment("issued", ("발행",)),
    "start": Moment("started", ("시작",)), "end": Moment("ended", ("종료", "만료")), "expiry": Moment("expired", ("만료",)),
    "retire": _RETIRED, "retirement": _RETIRED, "resignation": _RETIRED, "resign": Moment("resigned", ("퇴사",), _STAYING, _STAYING_KO, ("left", "quit")), "out": Moment("left", ("퇴원", "탈퇴")),
    "hire": Moment("hired", ("입사", "채용")), "join": Moment("joined", ("가입",)), "register": Moment("registered", ("등록",)),
    "registration": Moment("registered", ("등록",)), "create": Moment("created", ("생성",)), "left": _LEFT, "leave": _LEFT, "withdrawal": Moment("withdrawn", ("탈퇴", "철회", "해지")),
    "done": _COMPLETED, "complete": _COMPLETED, "finish": Moment("finished", ("완료", "종료"), ("unfinished",), also=("completed", "done")),
    "approval": Moment("approved", ("승인",), ("unapproved",)), "approve": Moment("approved", ("승인",), ("unapproved",)),
    "resolve": _RESOLVED, "resolution": _RESOLVED,
    "receipt": Moment("received", ("접수", "수령")), "receive": Moment("received", ("입고", "수령", "접수")), "order": Moment("ordered", ("주문",)), "pickup": Moment("picked up", ("집하", "픽업")),
    "booking": Moment("booked", ("예약",)), "book": Moment("booked", ("예약",)), "enrollment": Moment("enrolled", ("등록",)),
    "admission": Moment("admitted", ("입원",)), "discharge": Moment("discharged", ("퇴원",)), "launch": Moment("launched", ("출시",)),
    "sign": Moment("signed", ("체결", "서명")), "checkin": Moment("checked in", ("체크인",)), "checkout": Moment("checked out", ("체크아웃",)),
    "refund": Moment("refunded", ("환불",)), "invoice": Moment("invoiced", ("청구",)), "loan": Moment("borrowed", ("대출",)),
}  # fmt: skip
_WHEN = frozenset({"date", "at", "on", "time", "timestamp", "day", "when", "ms", "utc", "epoch", "unix"})
_WHEN_KO = regex(r"(?:일자|일시|날짜|시각|일)$")
_CHECK = regex(r"check[_ -]?(in|out)", re.IGNORECASE)
_MOST_NAMES = 4


def moment_of(column: str) -> Moment | None:
    """The thing that the column is the date of; none for one that says only when the row was written."""
    if hangul(column):
        noun = _WHEN_KO.sub("", column)
        return _korean_moment(noun.strip("_ ")) if noun != column else None
    if found := _CHECK.search(column):
        return _MOMENTS[f"check{found[1].lower()}"]
    every = words_of(column)
    said = [word for word in every if word not in _WHEN]
    dated = len(said) < len(every)
    if not said:
        return None
    if hangul(said[-1]):
        return _korean_moment(said[-1]) if dated else moment_of(said[-1])
    known = _MOMENTS.get(said[-1]) or _MOMENTS.get(_root(said[-1])) or _MOMENTS.get(said[0])
    return known or _regular(said[-1], dated=dated)


def _korean_moment(noun: str) -> Moment:
    act = noun.removesuffix("완료") if len(noun) > len("완료") + 1 else noun  # 배송완료일
    if act != noun:
        done = _korean_moment(act)
        return replace(done, ko=(act, noun))
    known = min(
        (one for one in _MOMENTS.values() if noun in one.ko), key=lambda one: one.ko.index(noun), default=None
    )
    if known is None:
        words = english([noun])[:1]
        done = next((_PARTICIPLES[word] for word in words if word in _PARTICIPLES), "")
        return Moment(done, (noun,), (f"un{done}",) if done else ())
    return replace(known, ko=(noun,))


def _regular(word: str, *, dated: bool) -> Moment | None:
    """A participle that nobody listed: fixed, collected; beside a word for a date also of a verb: fix_date, churn_date."""
    done = word if word.endswith("ed") or word in IRREGULAR else _PARTICIPLES.get(word) if dated else None
    verbal = len(word) > 3 and word.isascii() and word.isalpha()
    if done is None and dated and verbal and word not in KOREAN:
        done = f"{word}d" if word.endswith("e") else f"{word}ed"
    if done is None or done in _SAYING_NOTHING:
        return None
    stems = (word, done, done.removesuffix("ed"), done.removesuffix("d"))
    noun = next((said for one in stems for said in korean([one])), None)
    return Moment(done, (noun,) if noun else (), (f"un{done}",))


_REGULAR = (
    "fix",
    "report",
    "request",
    "collect",
    "print",
    "pack",
    "assign",
    "test",
    "inspect",
    "install",
    "repair",
    "pick",
    "load",
    "unload",
    "visit",
    "review",
    "confirm",
    "accept",
    "reject",
    "dispatch",
    "process",
    "settle",
    "renew",
    "terminate",
    "activate",
    "suspend",
    "verify",
    "publish",
    "retire",
    "vaccinate",
    "adopt",
    "treat",
    "call",
    "answer",
    "escalate",
    "redeem",
    "activate",
    "dispense",
    "prescribe",
    "transfer",
    "land",
    "auction",
    "harvest",
    "plant",
    "borrow",
    "reserve",
    "submit",
    "file",
    "replace",
    "churn",
    "withdraw",
    "deliver",
    "enroll",
    "expire",
)
_PARTICIPLES = {verb: verb + "d" if verb.endswith("e") else verb[:-1] + "ied" if verb[-1] == "y" else verb + "ed" for verb in _REGULAR} | {
    "submit": "submitted", "transfer": "transferred", "send": "sent", "leave": "left", "sell": "sold", "sale": "sold", "repair": "repaired",
    "withdrawal": "withdrawn", "completion": "completed", "termination": "terminated", "settlement": "settled", "arrival": "arrived",
    "departure": "departed", "installation": "installed", "activation": "activated", "renewal": "renewed", "inspection": "inspected",
}  # fmt: skip
_SAYING_NOTHING = frozenset(
    {
        "created",
        "updated",
        "modified",
        "inserted",
        "changed",
        "recorded",
        "entered",
        "need",
        "speed",
        "feed",
        "seed",
        "based",
    }
)


def _root(word: str) -> str:
    """'started' -> 'start', 'issued' -> 'issue'."""
    bare = word.removesuffix("ed")
    stems = (bare, f"{bare}e", bare[:-1], *(HAPPENINGS.get(one, "") for one in (bare, f"{bare}e")))
    return next((one for one in stems if one in _MOMENTS), word)


def moment_words(
    table: list[str], moment: Moment, *, adjective: bool, taken: frozenset[str] = frozenset()
) -> tuple[dict[str, str], Words]:
    """Label and synonyms of the rows to which it happened. `adjective`: 'paid invoices' means these, and no status; `taken`: the
    states that rows are in, of which 만료된 speaks, but not 만료되는."""
    many = [*(english(table)[1:2] or english(table)[:1]), *rows_named(table)]
    things = korean(table)[:_MOST_NAMES]
    every = [done for done in (moment.done, *moment.also) if done]
    en = [f"{noun} {link}{done}" for noun in many for done in every for link in _LINKS]
    en += [f"{start} {noun} {done}" for start in ("number of", "count of") for noun in many for done in every]
    ahead = ("될", "되는", "할", "하는", " 예정인", "될 예정인", "할 예정인")
    ko = [
        f"{done}{link} {noun}"
        for done in moment.ko
        for noun in things
        for link in (*(("된", "한", "") if done not in taken else ()), *ahead)
        if done not in noun
    ]
    if adjective and moment.done:
        en += [f"{moment.done} {noun}" for noun in many]
    ko += [f"{said}{tail}" for said in ko for tail in (" 수", " 건수")]
    label_en = f"Number of {many[0]} {moment.done or 'dated'}"
    label_ko = f"{moment.ko[0]}된 {(things or many)[0]} 수" if moment.ko else label_en
    return {"ko": label_ko, "en": label_en}, {"ko": ko, "en": en}


def received_words(table: list[str]) -> Words:
    """The rows that came in, whatever state they are in by now: claims received, 접수된 클레임."""
    many = (english(table) * 2)[1]
    ko = [f"접수{link} {noun}" for link in ("된", "한", "") for noun in korean(table)]
    return {
        "ko": [*ko, *(f"{said}{tail}" for said in ko for tail in (" 수", " 건수"))],
        "en": [
            f"{many} {link}{done}"
            for link in ("", "were ", "that were ")
            for done in ("received", "submitted")
        ],
    }


def owed_words(table: list[str], moment: Moment) -> tuple[dict[str, str], Words]:
    """Label and synonyms of what the rows are worth to which it has not happened: the unpaid amount, 미납 금액."""
    base, many = (english(table) * 2)[:2]
    en = [
        f"{one} {what}"
        for one in moment.not_yet
        for what in ("amount", "total", "balance", f"{base} amount", "sum")
    ]
    en += [
        f"{start} {one} {many}"
        for one in moment.not_yet
        for start in ("amount of", "total of", "value of", "total amount of")
    ]
    en += [
        f"{what} {one}"
        for one in moment.not_yet
        for what in ("amount", "total amount", "still", "is still", "left")
    ]
    en += [f"amount {link}{moment.done}{tail}" for link in _NOT for tail in ("", " yet")]
    nouns = [f"미{noun}" for noun in moment.ko] + [*moment.not_yet_ko]
    ko = [f"{noun}{tail}" for noun in nouns for tail in (" 금액", "액", " 총액", " 잔액", "금")]
    ko += [
        f"{noun} {thing} {tail}"
        for noun in nouns
        for thing in korean(table)[:_MOST_NAMES]
        for tail in ("금액", "총액", "합계")
    ]
    ko += [
        f"{noun}{link} 금액" for noun in moment.ko for link in (" 안 된", "되지 않은", "하지 않은", " 안 한")
    ]
    ko += [
        f"{start}{noun}{link} {thing} {tail}"
        for start in ("", "아직 ")
        for noun in moment.ko
        for link in (" 안 된", "되지 않은", "하지 않은", " 안 한")
        for thing in korean(table)[:_MOST_NAMES]
        for tail in ("금액", "총액", "합계")
    ]
    ko += ["미수금", "미수 금액", "미수액"] if "paid" in moment.done else []
    label = {
        "ko": f"{nouns[0]} 금액" if nouns else f"{base} amount not {moment.done}",
        "en": f"{base} amount not {moment.done}".capitalize(),
    }
    return label, {"ko": ko, "en": en}


_ARE = (
    "",
    "are ",
    "still ",
    "are still ",
    "currently ",
    "are currently ",
    "remain ",
    "are now ",
    "remaining ",
)
"""Words between rows and the state that they are still in."""
_NOT_KO = (
    "미{done} {noun}",
    "{done} 안 된 {noun}",
    "{done}되지 않은 {noun}",
    "{done}하지 않은 {noun}",
    "아직 {done} 안 된 {noun}",
    "{done} 안 한 {noun}",
    "{done} 못 한 {noun}",
    "{done}이 없는 {noun}",
    "{done}가 없는 {noun}",
    "{done} 없는 {noun}",
    "{done}이 안 된 {noun}",
    "{done}가 안 된 {noun}",
    "아직 {done} 안 한 {noun}",
    "아직 {done}하지 않은 {noun}",
    "아직 {done}되지 않은 {noun}",
    "{done} 대기 {noun}",
)


def not_yet_words(table: list[str], moment: Moment) -> tuple[dict[str, str], Words]:
    """Label and synonyms of the rows to which it has not happened."""
    many = [*(english(table)[1:2] or english(table)[:1]), *rows_named(table)]
    things = korean(table)[:_MOST_NAMES]
    every = (moment.done, *moment.also)
    en = [
        f"{noun} {link}{done}{tail}"
        for noun in many
        for done in every
        for link in _NOT
        for tail in ("", " yet")
    ]
    en += [f"{one} {noun}" for one in moment.not_yet for noun in many]
    en += [f"{noun} {stay}" for noun in many for stay in _STAY if moment.not_yet == _STAYING]
    en += [f"{noun} {link}{one}" for noun in many for one in moment.not_yet for link in _ARE]
    ko = [said.format(done=done, noun=noun) for done in moment.ko for noun in things for said in _NOT_KO]
    ko += [f"{said} {noun}" for said in moment.not_yet_ko for noun in things]
    ko += [f"{said}{tail}" for said in ko for tail in (" 수", " 건수")]
    label = {
        "ko": f"미{moment.ko[0]} {(things or many)[0]} 수"
        if moment.ko
        else f"Number of {many[0]} not {moment.done}",
        "en": f"Number of {many[0]} not {moment.done}",
    }
    return label, {"ko": ko, "en": en if moment.done else []}


_STAY = tuple(
    f"{start}{said}"
    for start in ("", "who ", "that ")
    for said in ("currently work", "work", "still work", "currently working", "working", "are working", "are currently working",
                 "currently employed", "are with us", "still with us", "are still with us", "are still here")
)  # fmt: skip
"""Ways to say that people have not left."""
_LINKS = (
    "",
    "were ",
    "was ",
    "that were ",
    "which were ",
    "have been ",
    "got ",
    "are ",
    "that are ",
    "falling ",
    "come ",
    "fell ",
)
_NOT = (
    "not ",
    "not yet ",
    "have not been ",
    "haven't been ",
    "are not ",
    "were not ",
    "that are not ",
    "still not ",
    "that have not been ",
    "are still not ",
)


_VERBS = {
    "paid": "pay", "sent": "send", "done": "do", "left": "leave", "sold": "sell", "checked out": "check out",
    "picked up": "pick up", "closed": "close", "approved": "approve", "resolved": "resolve", "completed": "complete",
    "settled": "settle", "invoiced": "invoice", "received": "receive", "issued": "issue", "replied": "reply",
}  # fmt: skip


def base_verb(done: str) -> str:
    """'delivered' -> 'deliver', 'paid' -> 'pay'."""
    if done in _VERBS:
        return _VERBS[done]
    return done.removesuffix("ed") if done.endswith("ed") else done
