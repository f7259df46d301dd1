# ruff: noqa: E501 - a table of words is read by its columns
"""Verbs by which people say that a thing happened on one of the dates that rows have: received, came in, 들어온, 접수된."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from metaagent.data.semantic.drafting.event_dates import Moment

Verbs = dict[str, list[str]]

IRREGULAR: dict[str, tuple[str, ...]] = {
    "done": ("do", "did"), "sent": ("send",), "sold": ("sell",), "left": ("leave",), "lost": ("lose",), "found": ("find",), "built": ("build",),
    "seen": ("see", "saw"), "held": ("hold",), "won": ("win",), "given": ("give", "gave"), "taken": ("take", "took"), "drawn": ("draw", "drew"),
    "born": (), "flown": ("fly", "flew"), "bought": ("buy",), "brought": ("bring",), "caught": ("catch",), "chosen": ("choose", "chose"),
    "cut": (), "dealt": ("deal",), "driven": ("drive", "drove"), "fed": ("feed",), "felt": (), "fit": (), "frozen": ("freeze", "froze"), "grown": ("grow", "grew"),
    "hung": ("hang",), "hit": (), "kept": ("keep",), "laid": ("lay",), "lent": ("lend",), "let": (), "lit": (), "made": ("make",), "met": ("meet",),
    "paid": ("pay",), "put": (), "read": (), "ridden": ("ride", "rode"), "run": ("ran",), "set": (), "shot": ("shoot",), "shown": ("show",), "shut": (),
    "spent": ("spend",), "spoken": ("speak", "spoke"), "stolen": ("steal", "stole"), "sung": ("sing", "sang"), "swum": ("swim", "swam"), "taught": ("teach",),
    "thrown": ("throw", "threw"), "told": ("tell",), "worn": ("wear", "wore"), "woven": ("weave", "wove"), "written": ("write", "wrote"), "begun": ("begin", "began"),
    "broken": ("break", "broke"), "sown": ("sow",), "shorn": ("shear",), "hatched": ("hatch",), "dug": ("dig",), "struck": ("strike",), "bound": ("bind",),
}  # fmt: skip
"""Participles that follow no rule, with the other forms of their verbs."""

_FINISH = (
    ["finish", "finished", "complete", "completed", "done", "wrap up", "wrapped up"],
    ["끝나", "끝내", "마치", "마무리하", "마무리되", "완료하", "완료되", "종료하", "종료되"],
)
_START = (["start", "begin", "began", "begun"], ["시작하", "시작되", "착수하"])
_SHIP = (
    ["ship", "shipped", "dispatch", "send out", "sent out", "sent", "go out", "went out"],
    ["출고하", "출고되", "발송하", "발송되", "출하하", "출하되", "보내", "나가"],
)
_RECEIVE = (
    ["receive", "come in", "came in", "coming in", "take in", "took in", "taken in", "get in", "got in", "bring in", "brought in",
     "arrive", "log", "logged", "drop off", "dropped off", "hand in", "handed in"],
    ["들어오", "접수하", "접수되", "접수받", "받", "입고하", "입고되", "맡기", "의뢰하", "의뢰되", "의뢰받"],
)  # fmt: skip
_LEAVE = (
    ["leave", "left", "quit", "resign", "resigned"],
    ["떠나", "나가", "탈퇴하", "퇴사하", "그만두", "퇴직하"],
)
_SAID: dict[str, tuple[list[str], list[str]]] = {
    "received": _RECEIVE, "dropped": _RECEIVE, "dropped off": _RECEIVE, "logged": _RECEIVE, "entered": _RECEIVE, "taken in": _RECEIVE,
    "finished": _FINISH, "completed": _FINISH, "done": _FINISH, "ended": (["end", "over"], ["끝나", "종료하", "종료되"]),
    "resolved": (["resolve", "solve", "solved", "fix"], ["해결하", "해결되", "처리하", "처리되"]),
    "closed": (["close", "closed", "finish", "finished", "complete", "completed", "done"], ["종료하", "종료되", "마감하", "마감되", "처리하", "처리되", "닫히", "끝나", "끝내", "완료하", "완료되"]),
    "paid": (["pay", "paid", "settle", "collect", "receive", "come in", "came in"], ["결제하", "결제되", "납부하", "납부되", "지불하", "지불되", "입금하", "입금되", "수납하", "수납되", "수금하", "내", "받"]),
    "delivered": (["deliver"], ["배송하", "배송되", "배달하", "배달되", "납품하", "납품되", "전달하", "전달되", "도착하"]),
    "shipped": _SHIP, "dispatched": _SHIP, "sent": _SHIP,
    "returned": (["return", "bring back", "brought back", "come back", "came back", "give back", "gave back"], ["반납하", "반납되", "반품하", "반품되", "돌아오", "돌려받", "회수하", "회수되"]),
    "cancelled": (["cancel", "cancelled", "canceled", "call off", "called off"], ["취소하", "취소되", "해지하", "해지되"]),
    "opened": (["open", "opened", "raise", "report", *_RECEIVE[0]], ["열리", "개설하", "개설되", "생기", *_RECEIVE[1]]),
    "created": (["create", "raise", "enter", "come in", "came in"], ["생성하", "생성되", "등록하", "등록되", "들어오", "접수되"]),
    "started": _START, "begun": _START, "ordered": (["order", "place", "placed"], ["주문하", "주문되", "주문받", "발주하", "발주되", "들어오"]),
    "booked": (["book", "booked", "reserve", "reserved"], ["예약하", "예약되", "예약받"]),
    "issued": (["issue", "issued"], ["발행하", "발행되", "발급하", "발급되"]),
    "expired": (["expire", "run out", "ran out", "lapse"], ["만료되", "만료하", "끝나"]),
    "due": (["due", "fall due", "fell due", "falling due"], []),
    "promised": (["promise"], ["약속하"]), "scheduled": (["schedule"], ["예정되", "잡히"]), "planned": (["plan", "planned"], ["계획하", "계획되", "예정되"]),
    "sold": (["sell", "sold"], ["팔", "팔리", "판매하", "판매되"]), "departed": (["depart", "leave", "left"], ["출발하", "떠나"]),
    "arrived": (["arrive", "come in", "came in"], ["도착하", "들어오"]), "left": _LEAVE, "retired": _LEAVE, "resigned": _LEAVE,
    "picked up": (["pick up", "picked up", "collect"], ["픽업하", "픽업되", "수거하", "수거되", "집하하", "집하되", "찾아가"]),
    "collected": (["collect", "pick up", "picked up"], ["수거하", "수거되", "회수하", "회수되", "찾아가"]),
    "checked in": (["check in", "checked in", "arrive"], ["체크인하", "들어오", "입실하"]),
    "checked out": (["check out", "checked out", "leave", "left"], ["체크아웃하", "나가", "퇴실하"]),
    "held": (["hold", "held", "take place", "took place", "taking place"], ["열리", "개최하", "개최되", "진행하", "진행되"]),
    "taken": (["take", "took", "taken"], []), "approved": (["approve", "approved"], ["승인하", "승인되", "승인받"]),
    "inspected": (["inspect", "check", "checked"], ["점검하", "점검되", "점검받", "검사하", "검사되", "검사받"]),
    "tested": (["test"], ["검사하", "검사되", "시험하", "테스트하"]), "signed": (["sign"], ["체결하", "체결되", "서명하", "계약하"]),
    "installed": (["install"], ["설치하", "설치되", "시공하"]), "repaired": (["repair", "fix"], ["수리하", "수리되", "고치"]),
    "admitted": (["admit", "admitted", "come in", "came in"], ["입원하", "들어오", "입소하"]), "discharged": (["discharge", "go home", "went home"], ["퇴원하", "나가", "퇴소하"]),
    "invoiced": (["invoice", "bill"], ["청구하", "청구되", "발행하", "발행되"]), "refunded": (["refund"], ["환불하", "환불되", "환불받"]),
    "borrowed": (["borrow", "lend", "lent", "lend out", "take out", "took out"], ["빌리", "대출하", "대출되", "빌려가"]),
    "registered": (["register", "sign up", "signed up", "enrol", "enroll"], ["등록하", "등록되", "가입하"]), "enrolled": (["enrol", "enroll", "sign up", "signed up"], ["등록하", "수강신청하"]),
    "submitted": (["submit", "submitted", "hand in", "handed in", "file"], ["제출하", "제출되", "내"]),
    "requested": (["request", "ask for", "asked for"], ["요청하", "요청되", "신청하", "의뢰하"]),
    "reported": (["report", "come in", "came in"], ["신고하", "신고되", "접수하", "접수되", "들어오"]),
    "harvested": (["harvest", "pick", "bring in", "brought in"], ["수확하", "수확되", "따"]), "produced": (["produce", "make", "made"], ["생산하", "생산되", "만들"]),
    "loaded": (["load"], ["상차하", "싣", "적재하"]), "unloaded": (["unload"], ["하차하", "내리"]), "renewed": (["renew"], ["갱신하", "갱신되", "연장하", "연장되"]),
}  # fmt: skip
"""Further verbs for what happened, by its participle: English ones, and Korean stems."""


def event_verbs(moment: Moment) -> Verbs:
    """The verbs, in both languages; a Korean noun is one with 하다 and 되다."""
    en, ko = _SAID.get(moment.done) or _by_noun(moment.ko)
    plain = [moment.done, *IRREGULAR.get(moment.done, _stems(moment.done))] if moment.done else []
    nouns = [f"{noun}{end}" for noun in moment.ko for end in ("하", "되") if len(noun) > 1]
    return {"ko": list(dict.fromkeys([*ko, *nouns])), "en": list(dict.fromkeys([*plain, *en]))}


def _by_noun(nouns: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The verbs of the one kind of event that a Korean noun is said of: 수납 is a payment."""
    alike = [said for said in _SAID.values() if any(f"{noun}하" in said[1] for noun in nouns)]
    return alike[0] if len(alike) == 1 else ([], [])


def _stems(done: str) -> tuple[str, ...]:
    """The verb of a regular participle: 'finished' -> 'finish', 'approved' -> 'approve'."""
    if " " in done or not done.endswith("ed"):
        return ()
    bare = done.removesuffix("ed")
    if bare.endswith("i"):
        return (f"{bare[:-1]}y",)
    if bare[-1:] == bare[-2:-1] and bare[-1:] not in "sl":
        return (bare[:-1],)
    return (f"{bare}e",) if bare[-1:] in "vcgsuz" and not bare.endswith("ss") else (bare,)
