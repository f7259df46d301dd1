"""Waivers of rules: granted and ended in the trail itself, for one rule, one scope and a time, after which they are void."""

from __future__ import annotations

import secrets
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from metaagent.audit.trail import AuditEvent
from metaagent.errors import InputRefused, KeyUnavailable, RowRefused, Text
from metaagent.language.patterns import regex
from metaagent.protection.redaction import find as find_personal

if TYPE_CHECKING:
    from metaagent.audit.store import AuditStore

WAIVED = "rules.waived"
ENDED = "rules.waiver_ended"
MOST_DAYS = 366

_RULE = regex(r"[a-z0-9][a-z0-9_./-]{0,127}")
_SCOPE = regex(r"\*|[0-9a-f]{64}")

_BAD_RULE = Text(
    en="{rule!r} is not the name of a rule: `metaagent rules list` names all.",
    ko="{rule!r}은(는) 규칙 이름이 아닙니다. `metaagent rules list`로 모두 볼 수 있습니다.",
)
_BAD_SCOPE = Text(
    en="The scope of a waiver is the hash of one content (64 hex digits), or * for everything: not {scope!r}.",
    ko="예외의 범위는 한 내용의 해시(16진수 64자리)이거나 전체를 뜻하는 *입니다: {scope!r}은(는) 안 됩니다.",
)
_BAD_TIME = Text(
    en="A waiver ends on a day from {first} to {last}: not on {until!r}.",
    ko="예외가 끝나는 날은 {first}부터 {last}까지 가운데 하루입니다: {until!r}은(는) 안 됩니다.",
)
_NO_REASON = Text(
    en="Say why: a waiver is on record with its reason.",
    ko="이유를 적어 주세요. 예외는 이유와 함께 기록됩니다.",
)
_UNKNOWN = Text(
    en="There is no waiver {waiver!r} in force.", ko="효력이 있는 예외 {waiver!r}이(가) 없습니다."
)


class Waiver(NamedTuple):
    id: str
    rule: str
    scope: str
    until: str
    """The last day on which it counts."""
    reason: str = ""


def waivers(store: AuditStore, tenant: str, today: date) -> list[Waiver]:
    """Waivers that are in force, replayed in order from entries that the program wrote. One that can no longer be opened
    counts no more."""
    granted: dict[str, Waiver] = {}
    for entry in store.entries_of(tenant, (WAIVED, ENDED)):
        data = entry["data"]
        if entry["event"] == ENDED:
            granted.pop(data["waiver"], None)
        elif data["until"] >= today.isoformat() and (sealed := _opened(store, entry)):
            granted[data["waiver"]] = Waiver(
                data["waiver"], data["rule"], sealed["scope"], data["until"], sealed["reason"]
            )
    return list(granted.values())


def _opened(store: AuditStore, entry: dict[str, Any]) -> dict[str, str]:
    try:
        sealer = store.keys.reader(entry["tenant"], "audit")
        return orjson.loads(sealer.open_text(entry["pii"], (str(entry["seq"]),)))
    except (KeyUnavailable, RowRefused):
        return {}


def waive(
    store: AuditStore, tenant: str, *, rule: str, scope: str, until: str, reason: str, by: str, today: date
) -> Waiver:
    """Grant a waiver. `by` answers for it."""
    if not _RULE.fullmatch(rule) or find_personal(rule):
        raise InputRefused(_BAD_RULE, rule=rule)
    if not _SCOPE.fullmatch(scope):
        raise InputRefused(_BAD_SCOPE, scope=scope)
    last = today + timedelta(days=MOST_DAYS)
    if not today <= _day(until, today) <= last:
        raise InputRefused(_BAD_TIME, until=until, first=today, last=last)
    if not reason.strip():
        raise InputRefused(_NO_REASON)
    made = Waiver(f"w{secrets.token_hex(8)}", rule, scope, until, reason)
    data = {"waiver": made.id, "rule": rule, "until": until}
    _record(store, tenant, WAIVED, data, {"scope": scope, "reason": reason}, by)
    return made


def _day(said: str, today: date) -> date:
    try:
        return date.fromisoformat(said)
    except ValueError as error:
        last = today + timedelta(days=MOST_DAYS)
        raise InputRefused(_BAD_TIME, until=said, first=today, last=last) from error


def end_waiver(store: AuditStore, tenant: str, waiver: str, *, reason: str, by: str, today: date) -> None:
    if not reason.strip():
        raise InputRefused(_NO_REASON)
    if all(one.id != waiver for one in waivers(store, tenant, today)):
        raise InputRefused(_UNKNOWN, waiver=waiver)
    _record(store, tenant, ENDED, {"waiver": waiver}, {"reason": reason}, by)


def _record(
    store: AuditStore, tenant: str, event: str, data: dict[str, Any], sealed: dict[str, str], by: str
) -> None:
    """Signed at once: the key file then knows that it cannot be missing."""
    entry = AuditEvent(tenant=tenant, event=event, person=by, outcome="done", data=data, private=sealed)
    store.append(entry).result()
    store.checkpoint(tenant)
