"""Words for the acts that rows tell of: their verbs, and the rates that states give."""

from __future__ import annotations

from metaagent.data.semantic.drafting.dictionary import KOREAN, VERBS
from metaagent.data.semantic.drafting.naming import Words, unique
from metaagent.data.semantic.drafting.units import MEASURED
from metaagent.data.semantic.drafting.words import english, hangul, korean
from metaagent.language.patterns import regex

Verbs = dict[str, list[str]]
_RATES = {
    "cancelled": "cancellation", "canceled": "cancellation", "refunded": "refund", "returned": "return", "abandoned": "abandonment",
    "completed": "completion", "delivered": "delivery", "failed": "failure", "no show": "no-show", "noshow": "no-show",
    "approved": "approval",
    "rejected": "rejection", "paid": "payment", "resolved": "resolution", "late": "late", "lost": "loss", "won": "win",
    "converted": "conversion", "renewed": "renewal", "churned": "churn", "present": "attendance", "attended": "attendance",
    "absent": "absence", "defective": "defect", "escalated": "escalation", "active": "active", "billable": "billable",
}  # fmt: skip
"""States, and what their share of all is called after."""


def rate_words(state: str, table: list[str], *, flag: bool = False) -> tuple[dict[str, str], Words] | None:
    """Label and synonyms for the share of rows in a state; None for one that no rate is named after."""
    bare = state.strip().lower().replace("-", " ").replace("_", " ")
    if hangul(bare):
        noun = regex(r"(?:됨|완료|처리|여부)$").sub("", bare.replace(" ", ""))
        if not 2 <= len(noun) <= 4:
            return None
        ko = [f"{noun}{tail}" for tail in ("률", "율", " 비율")]
        ko += [f"{thing} {said}" for thing in korean(table) for said in ko]
        return {"ko": _rate_of(noun), "en": f"{noun} rate"}, {"ko": ko, "en": []}
    known = _RATES.get(bare) or (bare if flag and bare in KOREAN else None)
    if known is None:
        return None
    nouns = KOREAN.get(bare) or KOREAN.get(known) or []
    ko = [f"{noun}{tail}" for noun in nouns if " " not in noun for tail in ("률", "율", " 비율")]
    ko += [f"{thing} {said}" for thing in korean(table) for said in ko]
    ko += [f"{noun} {thing} 비율" for noun in nouns for thing in korean(table)]
    en = [f"{known} rate", f"{bare} rate", *(f"{thing} {known} rate" for thing in english(table)[:1])]
    if flag:
        en += [
            f"{part} of {thing} with {article}{bare}"
            for part in ("share", "percentage", "proportion", "percent")
            for thing in english(table)[1:]
            for article in ("", "a ", "an ")
        ]  # fmt: skip
    return {"ko": _rate_of(nouns[0]) if ko else f"{known} rate", "en": f"{known} rate".capitalize()}, {
        "ko": unique(ko),
        "en": unique(en),
    }


def _rate_of(noun: str) -> str:
    """취소율 and 지연율, but 합격률: 율 stands behind a vowel and ㄴ."""
    return f"{noun}{'률' if (ord(noun[-1]) - 0xAC00) % 28 not in (0, 4) else '율'}"


def verbs_of(table: list[str]) -> Verbs | None:
    """The words for that one row of the table happened; None for things that merely are."""
    last = table[-1]
    if last in VERBS:
        ko, en = VERBS[last]
        return {"ko": list(ko), "en": list(en)}
    if hangul(last):
        meant = [VERBS[word] for word in english([last]) if word in VERBS]
        return {
            "ko": unique([f"{last}하", f"{last}되", *(verb for ko, _ in meant for verb in ko)]),
            "en": unique([verb for _, en in meant for verb in en]),
        }
    if last in KOREAN and last.endswith(("ation", "ment", "ption", "ction")) and last not in _NO_ACTS:
        return _made(last)
    return _acted(last) if last in KOREAN and last.endswith("ing") and last not in _NO_ACTS else None


def acted_out(table: list[str]) -> Verbs | None:
    """The verb that is the noun itself, of rows with a date that belong to others: units are leased, 임대하."""
    last = table[-1]
    if hangul(last) or last not in KOREAN or last in _NO_ACTS or last in _NO_VERBS or last.endswith(_DOERS):
        return None
    nouns = [noun for noun in KOREAN[last] if len(noun) > 1 and " " not in noun]
    return {"ko": [f"{noun}{tail}" for noun in nouns for tail in ("하", "되")], "en": [_done_form(last)]}


_DOERS = ("er", "or", "ist", "ian", "ee", "ing", "ity", "ness")
_NO_VERBS = frozenset(
    {
        "event",
        "case",
        "job",
        "history",
        "record",
        "line",
        "item",
        "session",
        "entry",
        "document",
        "class",
        "course",
    }
)


def _done_form(noun: str) -> str:
    """'lease' -> 'leased', 'contract' -> 'contracted', 'survey' -> 'surveyed', 'copy' -> 'copied'."""
    if noun.endswith("e"):
        return f"{noun}d"
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return f"{noun[:-1]}ied"
    short = len(noun) == _SHORT_VERB and noun[-1] not in "aeiouwxy" and noun[1] in "aeiou"
    return f"{noun}{noun[-1] if short else ''}ed"


_SHORT_VERB = 3
"""Letters of a verb that doubles its last one: to fit, to ship."""
_NO_ACTS = frozenset(
    {
        "equipment",
        "department",
        "station",
        "location",
        "organization",
        "apartment",
        "segment",
        "garment",
        "instrument",
        "government",
        "section",
        "accommodation",
        "document",
        "transaction",
        "quotation",
        "occupation",
        "population",
        "installment",
        "appointment",
        "building",
        "rating",
        "landing",
        "listing",
        "meeting",
        "finding",
        "opening",
        "wedding",
    }
)


def _made(last: str) -> Verbs:
    """The verb of a noun in -ation or -ment: pets are vaccinated, 접종하."""
    stem = next(last.removesuffix(end) for end in ("ation", "ion", "ment") if last.endswith(end))
    whole = not last.endswith("ation") or stem in KOREAN  # to install, but to vaccinate
    forms = [stem, f"{stem}ed"] if whole else [f"{stem}ate", f"{stem}ated"]
    return {"ko": [f"{noun}{tail}" for noun in KOREAN[last] for tail in ("하", "되", "받")], "en": forms}


def _acted(last: str) -> Verbs:
    """The verb of a noun that is made of one: parkings are parked, 주차하."""
    stem = last.removesuffix("ing")
    return {
        "ko": [f"{noun}{tail}" for noun in KOREAN[last] for tail in ("하", "되")],
        "en": [stem, f"{stem}ed"],
    }


def matter_words(of: list[str], own: list[str], table: list[str]) -> Words:
    """Words for the matter of a weight or volume, and for what was done with it: honey, honey harvested, 꿀 수확량."""
    thing = " ".join(of)
    done = [word for word in (verbs_of(table) or {"en": []})["en"] if word.endswith("ed")] or [
        f"{table[-1]}ed"
    ]
    units = [word for word in MEASURED.get(own[-1], [own[-1]]) if word.isascii()]
    en = [
        thing,
        *(f"{thing} {one}" for one in dict.fromkeys(done)),
        *(f"{unit} of {thing}" for unit in units),
    ]
    ko = [
        f"{noun}{tail}"
        for noun in korean(of)
        for tail in ("", "량", " 양", *(f" {act}량" for act in korean(table)))
    ]
    return {"en": en, "ko": ko}
