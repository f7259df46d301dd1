"""Log records as redacted JSON lines: one record, one line, whatever the text holds."""

from __future__ import annotations

import datetime
import json
import logging

from metaagent.language.patterns import regex
from metaagent.protection.redaction.redactor import Redactor

# JSON escapes C0 by itself. These would still break a line, turn its reading direction or fail to encode.
_UNSAFE = regex("[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")
_OWN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}


def json_line(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=repr, separators=(",", ":"))
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class JsonLines(logging.Formatter):
    """Message, extras, exception and stack go through one Redactor. A broken record is still written."""

    def __init__(self, redactor: Redactor | None = None) -> None:
        super().__init__()
        self._redactor = redactor or Redactor()

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.datetime.fromtimestamp(record.created, datetime.UTC).isoformat(
                timespec="milliseconds"
            ),
            "level": record.levelname,
            "logger": record.name,
            "message": self._redactor.redact_text(_message(record)),
        }
        if record.exc_info and record.exc_info[1]:
            line["exception"] = self._redactor.redact_exception(record.exc_info[1])
        elif record.exc_text:
            line["exception"] = self._redactor.redact_text(record.exc_text)
        if record.stack_info:
            line["stack"] = self._redactor.redact_text(record.stack_info)
        extras = {name: value for name, value in record.__dict__.items() if name not in _OWN}
        if extras:
            line["extra"] = self._redactor.sanitize(extras)
        return json_line(line)


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except Exception as exc:  # noqa: BLE001 - a wrong format string must not lose the record
        return f"{record.msg!s} [not formatted: {type(exc).__name__}]"
