"""Times as the state keeps them: ISO-8601 in UTC with milliseconds."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo


def iso(moment: datetime) -> str:
    utc = moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    return utc.isoformat(timespec="milliseconds")[:-6] + "Z"


def parse_iso(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def seconds_between(start: str, end: str) -> float:
    return round((parse_iso(end) - parse_iso(start)).total_seconds(), 3)


def local_minute(text: str, zone: ZoneInfo) -> str:
    """As a person in that zone writes it: 2026-11-16 13:31."""
    return parse_iso(text).astimezone(zone).strftime("%Y-%m-%d %H:%M")


def local_day(moment: datetime, zone: str) -> str:
    return moment.astimezone(ZoneInfo(zone)).date().isoformat()
