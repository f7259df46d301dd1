"""Personal data and secrets: found in any text, and taken out of whatever leaves the process."""

from metaagent.redaction.detect import find
from metaagent.redaction.fields import SENSITIVE_FIELDS
from metaagent.redaction.finding import TYPES, Finding
from metaagent.redaction.logs import JsonLines, json_line
from metaagent.redaction.pseudonyms import Pseudonyms
from metaagent.redaction.redactor import Mode, Redactor, redact_exception

__all__ = [
    "SENSITIVE_FIELDS",
    "TYPES",
    "Finding",
    "JsonLines",
    "Mode",
    "Pseudonyms",
    "Redactor",
    "find",
    "json_line",
    "redact_exception",
]
