"""Words for what a person has stored: answered from the receipts, without storing anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from metaagent.errors import Text
from metaagent.language.patterns import regex
from metaagent.ports import Json
from metaagent.values import parse_iso

SHOWN = 5
"""Receipts that an answer names; `metaagent stored list` has all."""
_HERE = Text(en="Stored in this conversation:", ko="이 대화에서 저장한 것:")
_NOT_HERE = Text(
    en="Nothing was stored in this conversation.", ko="이 대화에서는 아무것도 저장하지 않았습니다."
)
_NOTHING = Text(en="You have stored nothing yet.", ko="아직 저장한 것이 없습니다.")
_LATEST = Text(en="Stored last:", ko="가장 최근에 저장한 것:")
_OF_DAY = Text(en="Stored on {day}:", ko="{day}에 저장한 것:")
_NOT_THAT_DAY = Text(en="Nothing was stored on {day}.", ko="{day}에는 저장한 것이 없습니다.")
_LINE = Text(en="- {what}, {at}: {where}{undone} ({link})", ko="- {what}, {at}: {where}{undone} ({link})")
_UNDONE = Text(en=", undone since", ko=", 이후 되돌림")
_ROWS = Text(en="{count} row(s) of the table {table}", ko="{table} 테이블의 행 {count}건")
_FILES = Text(en="files {names}", ko="파일 {names}")
_TEXTS = Text(en="{count} searchable text(s)", ko="검색용 글 {count}건")
_MORE = Text(
    en="`metaagent stored show RECEIPT` opens one, `metaagent stored list` has all.",
    ko="`metaagent stored show 영수증`으로 열고, 전체는 `metaagent stored list`에서 봅니다.",
)
_REFUSED = Text(
    en="You may not see what is stored: ask for the right stored.read.",
    ko="저장한 것을 볼 권한이 없습니다. stored.read 권한을 요청하세요.",
)
_DAYS = (
    (regex(r"어제|어저께|\byesterday\b"), 1),
    (regex(r"그저께|그제|엊그제"), 2),
    (regex(r"오늘|\btoday\b"), 0),
)


def kept_text(receipts: Sequence[Json] | None, question: str, now: datetime, language: str) -> str:
    """The answer to a question about what was stored: what this conversation stored, or that of the day that is asked about; None
    for receipts that the person may not see."""
    if receipts is None:
        return _REFUSED.say(language)
    if not receipts:
        return _NOTHING.say(language)
    back = next((days for words, days in _DAYS if words.search(question.casefold())), None)
    if back is not None:
        day = (now - timedelta(days=back)).date()
        found = [one for one in receipts if parse_iso(one["stored_at"]).astimezone(now.tzinfo).date() == day]
        head = (_OF_DAY if found else _NOT_THAT_DAY).say(language, day=day.isoformat())
    else:
        found = [one for one in receipts if one.get("here")]
        head = (_HERE if found else _NOT_HERE).say(language)
    if not found:
        head, found = f"{head} {_LATEST.say(language)}", list(receipts)
    newest = sorted(found, key=lambda one: str(one["stored_at"]), reverse=True)[:SHOWN]
    return "\n".join([head, *(_line(one, now, language) for one in newest), _MORE.say(language)])


def _line(receipt: Mapping[str, Any], now: datetime, language: str) -> str:
    at = parse_iso(receipt["stored_at"]).astimezone(now.tzinfo)
    return _LINE.say(
        language,
        what=receipt["what"] or receipt["receipt"],
        at=at.strftime("%Y-%m-%d %H:%M"),
        where=_where(receipt["where"], language),
        undone=_UNDONE.say(language) if receipt["status"] in ("undone", "undoing") else "",
        link=receipt["stored_location"],
    )


def _where(where: Mapping[str, Any], language: str) -> str:
    parts: list[str] = []
    if where.get("table"):
        parts.append(_ROWS.say(language, count=where["rows"], table=where["table"]))
    if where.get("files"):
        parts.append(_FILES.say(language, names=", ".join(str(each["name"]) for each in where["files"])))
    if where.get("texts"):
        parts.append(_TEXTS.say(language, count=where["texts"]))
    return ", ".join(parts) or "-"
