"""Makes the verdict of a judgement: findings with evidence, risk, confidence, what to change, and its hash.

blocks      = a finding is unknown, or violated with a severity of medium or more
outcome     = violated where a violation blocks; needs_information where only what is unknown does; passed otherwise
risk_level  = the highest severity among violations; critical from three violations of severity high on;
              at least medium where something is unknown; low otherwise
confidence  = 1.0, or 0.9 where facts were read from free text · (1 - half the share of outcomes that are unknown)
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import orjson

from metaagent.errors import Text, literal
from metaagent.global_state import Finding, RiskLevel, Verdict, VerdictOutcome, VerdictTarget
from metaagent.language.particles import filled
from metaagent.level2.compliance.judging import SUSPECTED, Judgement, Outcome, evidence_of, quoted
from metaagent.level2.compliance.packs import RuleBook
from metaagent.level2.compliance.questions import questions
from metaagent.level2.compliance.text.accounting import Unread

Json = dict[str, Any]
ORDER: tuple[RiskLevel, ...] = ("low", "medium", "high", "critical")
FROM_TEXT = 0.9
MANY_HIGH = 3
READABLE = "target_readable"
UNDERSTOOD = "benefits_understood"
"""The ids of findings that need no pack: the target could not be read; words of it were not understood."""
QUESTION = "question"
"""The field of evidence that stands in the question, not in what is judged."""
_TITLES = {
    READABLE: Text(en="It can be read", ko="읽을 수 있는 내용"),
    UNDERSTOOD: Text(en="Every benefit is understood", ko="이익 제공을 빠짐없이 이해함"),
}
_OWN = Text(en="Basic checks", ko="기본 확인")
_UNREADABLE = Text(
    en="The content could not be judged: {why}. Nothing is cleared until it can be read.",
    ko="내용을 판정할 수 없습니다: {why}. 읽을 수 있을 때까지 통과로 보지 않습니다.",
)
_NOT_UNDERSTOOD = Text(
    en="Not understood, though it may speak of a benefit: {words}. Say what was given to whom, or that nothing was.",
    ko="이익 제공을 말하는 것일 수 있으나 이해하지 못한 부분이 있습니다: {words}. "
    "누구에게 무엇을 제공했는지, 또는 제공하지 않았음을 적으세요.",
)
_WHY = {
    "no text": Text(
        en="there is no text in it (perhaps only a picture)",
        ko="글자가 없습니다(그림만 있는 파일일 수 있습니다)",
    ),
    "too long": Text(en="it is too long; judge it in parts", ko="너무 깁니다. 나누어 판정하세요"),
}
_UNKNOWN = Text(
    en="Needs information ({title}): {why}. Unknown is not a pass.",
    ko="정보 필요({title}): {why}. 확인되지 않은 것은 통과가 아닙니다.",
)
_REASONS = {
    SUSPECTED: Text(en="its words may state it", ko="그렇게 읽힐 수 있는 표현이 있습니다"),
    "group": Text(en="the row does not say whom it is for", ko="누구에 대한 지출인지 적혀 있지 않습니다"),
    "history": Text(en="earlier expenses could not be read", ko="이전 지출 내역을 읽지 못했습니다"),
    "amount": Text(en="an amount or the number of people is missing", ko="금액이나 인원이 빠져 있습니다"),
}
_NAMES = {
    "heads": Text(en="number of people", ko="인원"),
    "public": Text(en="whether the institution is public", ko="공공기관 여부"),
    "hours": Text(en="length of the lecture", ko="강연 시간"),
    "vat": Text(en="whether tax is included", ko="부가세 포함 여부"),
    "date": Text(en="date", ko="일자"),
    "amount": Text(en="amount", ko="금액"),
    "doctors": Text(en="recipients", ko="수령자"),
    "institution": Text(en="institution", ko="기관"),
    "rep": Text(en="representative", ko="담당자"),
    "note": Text(en="note", ko="비고"),
    "kind": Text(en="what it was for", ko="무엇을 위한 것인지"),
}
_ALONE = Text(
    en="No expense book is connected: sums of a day, a month and a year count this content alone. Check them against the book.",
    ko="연결된 비용 장부가 없어 하루, 한 달, 한 해의 합계는 이 내용만으로 계산했습니다. 장부와 대조하세요.",
)
_MISSING = Text(en="missing: {fields}", ko="빠진 정보: {fields}")
_IN_ORDER = Text(en="In order: {title} ({count} checked)", ko="이상 없음: {title} ({count}건 확인)")
_WAIVED = Text(en="Waived until {until}: {message}", ko="{until}까지 예외 승인됨: {message}")


def verdict_of(
    book: RuleBook,
    judgement: Judgement,
    target: VerdictTarget,
    *,
    today: date,
    language: str,
    waivers: Sequence[Mapping[str, Any]] = (),
) -> Verdict:
    judgement = replace(judgement, outcomes=_once(judgement.outcomes))
    findings = _findings(book, judgement, target, today, language, waivers)
    other = "en" if language == "ko" else "ko"
    messages = [each["message"] for each in _findings(book, judgement, target, today, other, waivers)]
    body: Json = {
        "blocks": any(blocks(finding) for finding in findings),
        "outcome": outcome_of(findings),
        "questions": questions(_unwaived(judgement.outcomes, findings), language),
        "risk_level": risk_level(findings),
        "target": target,
        "findings": findings,
        "checked": sorted(judgement.looked_at),
        "required_modifications": [m for outcome in judgement.outcomes for m in _modification(outcome)],
        "recommendations": [
            *_recommendations(judgement.outcomes, language),
            *([_ALONE.say(language)] if judgement.alone else []),
        ],
        "confidence": confidence(findings, from_text=judgement.from_text),
        "language": language,
        # A report on it may be wanted in the other language later, when its rules have changed.
        "other": {"language": other, "messages": messages},
    }
    return {**body, "hash": verdict_hash(body)}  # pyright: ignore[reportReturnType] - built key by key above


def _once(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Make one of outcomes that say the same of one sentence or of the same rows, with the evidence of all."""
    made: dict[tuple[object, ...], Outcome] = {}
    for one in outcomes:
        place = one.evidence[0].get("quote") if one.evidence else None
        key = (
            one.rule.rule.id,
            one.rule.pack_hash,
            one.status,
            message_of(one, "en"),
            place or str(one.evidence),
        )
        known = made.get(key)
        more = [] if known is None else [each for each in one.evidence if each not in known.evidence]
        made[key] = one if known is None else replace(known, evidence=[*known.evidence, *more])
    return list(made.values())


def _findings(
    book: RuleBook,
    judgement: Judgement,
    target: VerdictTarget,
    today: date,
    language: str,
    waivers: Sequence[Mapping[str, Any]],
) -> list[Finding]:
    """Everything that was found, in an order that no language changes."""
    found = [_finding(outcome, target, today, language, waivers) for outcome in judgement.outcomes]
    if judgement.unreadable:
        found.append(_unreadable(judgement.unreadable, language))
    if judgement.unread:
        found.append(_not_understood(judgement.unread, target, today, language, waivers))
    touched = {outcome.rule.rule.id for outcome in judgement.outcomes}
    return [*found, *_passed(book, judgement, touched, language)]


def verdict_hash(body: Mapping[str, Any]) -> str:
    """The SHA-256 of everything in a verdict but its hash, written with sorted keys."""
    plain = {key: value for key, value in body.items() if key != "hash"}
    return hashlib.sha256(orjson.dumps(plain, option=orjson.OPT_SORT_KEYS)).hexdigest()


def blocks(finding: Finding) -> bool:
    serious = ORDER.index(finding["severity"]) >= ORDER.index("medium")
    return finding["status"] == "unknown" or (finding["status"] == "violated" and serious)


def outcome_of(findings: Sequence[Finding]) -> VerdictOutcome:
    """Tell a violation from missing facts: both block, but only one of them the writer can settle with an answer."""
    stopping = [finding["status"] for finding in findings if blocks(finding)]
    return "violated" if "violated" in stopping else "needs_information" if stopping else "passed"


def _unwaived(outcomes: Sequence[Outcome], findings: Sequence[Finding]) -> list[Outcome]:
    """The outcomes whose findings, which stand first and in their order, are not waived."""
    return [
        outcome for outcome, finding in zip(outcomes, findings, strict=False) if finding["status"] != "waived"
    ]


def risk_level(findings: Sequence[Finding]) -> RiskLevel:
    violated = [finding["severity"] for finding in findings if finding["status"] == "violated"]
    if violated.count("high") >= MANY_HIGH:
        return "critical"
    unknown: list[RiskLevel] = ["medium" for finding in findings if finding["status"] == "unknown"]
    return ORDER[max((ORDER.index(level) for level in [*violated, *unknown]), default=0)]


def confidence(findings: Sequence[Finding], *, from_text: bool) -> float:
    unknown = sum(finding["status"] == "unknown" for finding in findings)
    sure = 1 - 0.5 * unknown / max(len(findings), 1)
    return round((FROM_TEXT if from_text else 1.0) * sure, 3)


def _finding(
    outcome: Outcome,
    target: VerdictTarget,
    today: date,
    language: str,
    waivers: Sequence[Mapping[str, Any]],
) -> Finding:
    rule = outcome.rule.rule
    message = message_of(outcome, language)
    status = outcome.status
    until = _waived_until(rule.id, target, today, waivers, read=status == "unknown")
    if until is not None:
        status, message = "waived", _WAIVED.say(language, until=until, message=message)
    return {
        "rule": rule.id,
        "title": rule.title.say(language),
        "pack": outcome.rule.pack.pack,
        "pack_title": outcome.rule.pack.title.say(language),
        "pack_version": outcome.rule.pack.version,
        "pack_hash": outcome.rule.pack_hash,
        "severity": rule.severity,
        "status": status,
        "message": message,
        "evidence": outcome.evidence,
        "law": rule.law.reference,
    }


def _waived_until(
    rule: str, target: VerdictTarget, today: date, waivers: Sequence[Mapping[str, Any]], *, read: bool
) -> str | None:
    """The last day of a waiver for this rule and content, if one is in force. What could not be decided somebody must have
    `read`: only a waiver for that very content covers it."""
    scopes = {*target["hashes"]} if read else {"*", *target["hashes"]}
    for waiver in waivers:
        fits = waiver.get("rule") == rule and waiver.get("scope") in scopes
        if fits and str(waiver.get("until", "")) >= today.isoformat():
            return str(waiver["until"])
    return None


def message_of(outcome: Outcome, language: str) -> str:
    rule = outcome.rule.rule
    if outcome.status == "unknown" and rule.required is None and rule.understood is None:
        return _UNKNOWN.say(language, title=rule.title.say(language), why=_why(outcome.why, language))
    return _said(rule.message.say(language, **_shown(outcome, language)), language)


def _said(text: str, language: str) -> str:
    return filled(literal(text), {}) if language == "ko" else text


def _why(why: str, language: str) -> str:
    if why in _REASONS:
        return _REASONS[why].say(language)
    names = why.split(", ")
    if all(name in _NAMES for name in names):
        return _MISSING.say(language, fields=", ".join(_NAMES[name].say(language) for name in names))
    return why


def _shown(outcome: Outcome, language: str) -> Json:
    values = {key: f"{value:,}" if isinstance(value, int) else value for key, value in outcome.values.items()}
    if "missing" in values:
        names = str(values["missing"]).split(", ")
        values["missing"] = ", ".join(
            _NAMES[name].say(language) if name in _NAMES else name for name in names
        )
    return {key: value for key, value in values.items() if value is not None}


def _unreadable(why: str, language: str) -> Finding:
    said = _WHY[why].say(language) if why in _WHY else why
    return {
        "rule": READABLE,
        "title": _TITLES[READABLE].say(language),
        "pack": "metaagent",
        "pack_title": _OWN.say(language),
        "pack_version": "1",
        "pack_hash": "",
        "severity": "medium",
        "status": "unknown",
        "message": _UNREADABLE.say(language, why=said.rstrip(".")),
        "evidence": [],
        "law": "",
    }


def _not_understood(
    places: Sequence[Unread],
    target: VerdictTarget,
    today: date,
    language: str,
    waivers: Sequence[Mapping[str, Any]],
) -> Finding:
    """The finding where the packs in use judge benefits and none has a rule of this kind."""
    message = _NOT_UNDERSTOOD.say(language, words=quoted(places))
    until = _waived_until(UNDERSTOOD, target, today, waivers, read=True)
    return {
        "rule": UNDERSTOOD,
        "title": _TITLES[UNDERSTOOD].say(language),
        "pack": "metaagent",
        "pack_title": _OWN.say(language),
        "pack_version": "1",
        "pack_hash": "",
        "severity": "medium",
        "status": "unknown" if until is None else "waived",
        "message": message if until is None else _WAIVED.say(language, until=until, message=message),
        "evidence": evidence_of(places),
        "law": "",
    }


def _passed(book: RuleBook, judgement: Judgement, touched: set[str], language: str) -> list[Finding]:
    found: list[Finding] = []
    for compiled in book.rules:
        rule = compiled.rule
        count = judgement.looked_at.get(rule.id)
        if count and rule.id not in touched:
            touched = {*touched, rule.id}
            found.append(
                {
                    "rule": rule.id,
                    "title": rule.title.say(language),
                    "pack": compiled.pack.pack,
                    "pack_title": compiled.pack.title.say(language),
                    "pack_version": compiled.pack.version,
                    "pack_hash": compiled.pack_hash,
                    "severity": rule.severity,
                    "status": "passed",
                    "message": _IN_ORDER.say(language, title=rule.title.say(language), count=count),
                    "evidence": [],
                    "law": rule.law.reference,
                }
            )
    return found


def _modification(outcome: Outcome) -> list[Json]:
    wanted = outcome.rule.rule.modification
    if wanted is None:
        return []
    made: list[Json] = []
    for evidence in outcome.evidence:
        if evidence.get("field") == QUESTION:
            continue
        change: Json = {
            "rule": outcome.rule.rule.id,
            "action": wanted.action,
            "field": wanted.field or evidence.get("field"),
        }
        if wanted.action == "set_to_limit":
            change["to"] = evidence.get("threshold")
        change |= {key: evidence.get(key) for key in ("rows", "span") if key in evidence}
        made.append(change)
    return made


def _recommendations(outcomes: Sequence[Outcome], language: str) -> list[str]:
    said = [o.rule.rule.recommendation.say(language, **_shown(o, language)) for o in outcomes]
    return list(dict.fromkeys(_said(text, language) for text in said))
