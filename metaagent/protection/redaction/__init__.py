"""Personal data and secrets: found in any text, and taken out of whatever leaves the process."""

from metaagent.protection.redaction.detect import find
from metaagent.protection.redaction.fields import SENSITIVE_FIELDS
from metaagent.protection.redaction.finding import TYPES, Finding
from metaagent.protection.redaction.known import KnownNames
from metaagent.protection.redaction.logs import JsonLines, json_line
from metaagent.protection.redaction.pseudonyms import Pseudonyms
from metaagent.protection.redaction.redactor import Mode, Redactor, redact_exception

__all__ = [
    "SENSITIVE_FIELDS",
    "TYPES",
    "Finding",
    "JsonLines",
    "KnownNames",
    "Mode",
    "Pseudonyms",
    "Redactor",
    "find",
    "json_line",
    "redact_exception",
]
