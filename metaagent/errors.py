"""The whole tree of errors, and the two-language texts they carry.

An error says what happened, with which value, and what to do. Constructors only carry data.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from metaagent.language.particles import filled


@dataclass(frozen=True)
class Text:
    """One message to a person, in every language that we speak."""

    en: str
    ko: str

    def say(self, language: str = "en", **params: object) -> str:
        """The text in one language, and so are texts within it. In Korean an open particle, such as 은(는), fits the word before
        it."""
        params = {
            name: each.say(language) if isinstance(each, Text) else each for name, each in params.items()
        }
        return filled(self.ko, params) if language == "ko" else self.en.format_map(params)

    def fixed(self, **params: object) -> Text:
        """The text with its values in it, to stand within another one."""
        return Text(en=literal(self.say("en", **params)), ko=literal(self.say("ko", **params)))


_OF_SYSTEM = {
    errno.ENOENT: Text(en="there is no such file or folder", ko="그런 파일이나 폴더가 없습니다"),
    errno.EACCES: Text(en="you lack the permission for it", ko="권한이 없습니다"),
    errno.EPERM: Text(en="you lack the permission for it", ko="권한이 없습니다"),
    errno.EISDIR: Text(en="it is a folder", ko="폴더입니다"),
    errno.ENOTDIR: Text(en="a part of its path is no folder", ko="경로의 일부가 폴더가 아닙니다"),
    errno.EEXIST: Text(en="a file of that name is there already", ko="같은 이름의 파일이 이미 있습니다"),
    errno.ENOSPC: Text(en="the disk is full", ko="디스크가 가득 찼습니다"),
    errno.EDQUOT: Text(en="the disk quota is used up", ko="디스크 할당량을 모두 썼습니다"),
    errno.EROFS: Text(en="the disk is read-only", ko="읽기 전용 디스크입니다"),
    errno.ENAMETOOLONG: Text(en="its name is too long", ko="이름이 너무 깁니다"),
    errno.EIO: Text(en="the disk reports an error", ko="디스크 오류가 났습니다"),
}


def os_problem(error: OSError) -> Text:
    """The system's reason in words; one that has none here as the system says it."""
    said = literal(str(error.strerror or type(error).__name__))
    return _OF_SYSTEM.get(error.errno or 0, Text(en=said, ko=said))


def literal(text: str) -> str:
    """Text whose braces stand for themselves."""
    return text.replace("{", "{{").replace("}", "}}")


_OF_VALUES = {
    "missing": Text(en="is missing", ko="빠졌습니다"),
    "missing_argument": Text(en="is missing", ko="빠졌습니다"),
    "missing_keyword_only_argument": Text(en="is missing", ko="빠졌습니다"),
    "extra_forbidden": Text(en="is not known here", ko="여기에 없는 이름입니다"),
    "int": Text(en="must be a whole number", ko="정수여야 합니다"),
    "float": Text(en="must be a number", ko="숫자여야 합니다"),
    "decimal": Text(en="must be a number", ko="숫자여야 합니다"),
    "finite_number": Text(en="must be a finite number", ko="유한한 숫자여야 합니다"),
    "bool": Text(en="must be true or false", ko="참 또는 거짓이어야 합니다"),
    "string": Text(en="must be text", ko="텍스트여야 합니다"),
    "string_too_short": Text(
        en="must have at least {min_length} characters", ko="{min_length}자 이상이어야 합니다"
    ),
    "string_too_long": Text(
        en="must have at most {max_length} characters", ko="{max_length}자 이하여야 합니다"
    ),
    "string_pattern_mismatch": Text(en="must match the pattern {pattern}", ko="{pattern} 형식이어야 합니다"),
    "list": Text(en="must be a list", ko="목록이어야 합니다"),
    "tuple": Text(en="must be a list", ko="목록이어야 합니다"),
    "dict": Text(en="must be a map", ko="맵이어야 합니다"),
    "too_short": Text(
        en="must have at least {min_length} items", ko="항목이 {min_length}개 이상이어야 합니다"
    ),
    "too_long": Text(en="must have at most {max_length} items", ko="항목이 {max_length}개 이하여야 합니다"),
    "date": Text(en="must be a date like 2025-01-31", ko="2025-01-31 같은 날짜여야 합니다"),
    "datetime": Text(
        en="must be a time like 2025-01-31T09:00:00Z", ko="2025-01-31T09:00:00Z 같은 시각이어야 합니다"
    ),
    "literal_error": Text(en="must be {expected}", ko="다음 중 하나여야 합니다: {expected}"),
    "enum": Text(en="must be {expected}", ko="다음 중 하나여야 합니다: {expected}"),
    "greater_than": Text(en="must be more than {gt}", ko="{gt}보다 커야 합니다"),
    "greater_than_equal": Text(en="must be at least {ge}", ko="{ge} 이상이어야 합니다"),
    "less_than": Text(en="must be less than {lt}", ko="{lt}보다 작아야 합니다"),
    "less_than_equal": Text(en="must be at most {le}", ko="{le} 이하여야 합니다"),
}
_OTHER = Text(en="does not fit ({message})", ko="맞지 않습니다({message})")
_FAMILIES = (
    "_type",
    "_parsing",
    "_parsing_size",
    "_from_float",
    "_from_date_parsing",
    "_from_datetime_parsing",
)


def misfit(error: Mapping[str, Any], at: str = "") -> Text:
    """The reason why pydantic refused a value, in words, behind the place where it stands."""
    kind, params = str(error["type"]), error.get("ctx") or {}
    family = next((kind.removesuffix(end) for end in _FAMILIES if kind.endswith(end)), kind)
    why = _OF_VALUES.get(kind) or _OF_VALUES.get(family) or _OTHER
    message = str(error["msg"]).removeprefix("Value error, ")
    fixed = why.fixed(**{**params, "message": message})
    before = literal(f"{at}: ") if at else ""
    return Text(en=before + fixed.en, ko=before + fixed.ko)


class MetaAgentError(Exception):
    """Base of everything raised on purpose. `code` is stable and machine-readable."""

    code: ClassVar[str] = "error"

    def __init__(self, text: Text, /, **params: Any) -> None:
        super().__init__(text, params)
        self.text = text
        self.params = params

    def say(self, language: str = "en") -> str:
        return self.text.say(language, **self.params)

    def __str__(self) -> str:
        return self.say("en")


class InputRefused(MetaAgentError):
    """The person's input cannot be taken as it is."""

    code = "input_refused"


class NotFound(MetaAgentError):
    """There is no such thing, or none that this person may see."""

    code = "not_found"


class Unknown(NotFound, InputRefused):
    """The person named something that there is not."""


class ConfigInvalid(MetaAgentError):
    code = "config_invalid"


class ConfigUnreadable(InputRefused, ConfigInvalid):
    """The configuration file that was named cannot be opened."""

    code = "config_unreadable"


class AccessDenied(MetaAgentError):
    code = "access_denied"


class NotLoggedIn(MetaAgentError):
    """Nobody is known to make this request."""

    code = "not_logged_in"


class TooManyRequests(MetaAgentError):
    """Refused for now: `retry_after` among its parameters says when to come back, in seconds."""

    code = "too_many_requests"


class TooLarge(MetaAgentError):
    """More bytes than are taken."""

    code = "too_large"


class TooSlow(MetaAgentError):
    """The rest of it did not come in time."""

    code = "too_slow"


class UnknownMedia(MetaAgentError):
    """Content of a kind that is not taken."""

    code = "unknown_media"


class SessionError(MetaAgentError):
    """The session is not in a state in which this can be done."""

    code = "session_error"


class UnknownSession(SessionError):
    code = "unknown_session"


class TurnRunning(SessionError):
    code = "turn_running"


class TurnWaiting(SessionError):
    code = "turn_waiting"


class TurnAbandoned(SessionError):
    code = "turn_abandoned"


class NothingToResume(SessionError):
    code = "nothing_to_resume"


class TooBusy(MetaAgentError):
    """A question was not taken: as many wait as may."""

    code = "too_busy"

    @property
    def retry_after(self) -> int:
        """Seconds after which there is room again, by how long questions take here."""
        return self.params["retry_after"]


class StorageError(MetaAgentError):
    """The data directory or the database cannot be used."""

    code = "storage_error"


class NewerSchema(StorageError):
    code = "newer_schema"


class RowRefused(StorageError):
    """A stored row is corrupt, foreign, unsealed or changed: it is never used."""

    code = "row_refused"


class StoreRefused(MetaAgentError):
    """Something is not stored, or not undone: nothing of it was written, and the message says why."""

    code = "store_refused"


class DocumentRefused(MetaAgentError):
    """Something is not done to a document: the message says why. Nothing was changed."""

    code = "document_refused"


class UnknownDocument(NotFound, DocumentRefused):
    code = "unknown_document"


class UnknownReceipt(NotFound, StoreRefused):
    code = "unknown_receipt"


class KeyUnavailable(MetaAgentError):
    code = "key_unavailable"


class PluginInvalid(MetaAgentError):
    code = "plugin_invalid"


class PortNotGranted(MetaAgentError):
    """An agent used a port that it did not declare or was not given."""

    code = "port_not_granted"


class AgentCrashed(MetaAgentError):
    """An isolated agent's process ended, was ended at a limit, or broke the protocol."""

    code = "crashed"


class AgentBroke(MetaAgentError):
    """An isolated agent raised something that is not one of its three words: a defect."""

    code = "defect"


class BadOutput(MetaAgentError):
    """An agent's return value is not a Result of plain data."""

    code = "bad_output"


class ModelError(MetaAgentError):
    """A chat model answered with something unusable, or not at all."""

    code = "model_error"


class ModelBudgetSpent(ModelError):
    """The turn may not spend more on chat models."""

    code = "model_budget_spent"


class SqlRefused(MetaAgentError):
    code = "sql_refused"


class QueryTooSlow(SqlRefused):
    """Stopped at its limit of time. The same query may be faster at another moment."""

    code = "query_too_slow"


class DataUnavailable(MetaAgentError):
    """A database or index that an agent needs did not answer."""

    code = "data_unavailable"


class SemanticInvalid(MetaAgentError):
    """A semantic model or a query over it does not fit."""

    code = "semantic_invalid"


class FileRefused(MetaAgentError):
    """A file cannot be read: broken, encrypted, too large, or of a kind that is not read. The message says which."""

    code = "file_refused"


class AgentSignal(Exception):
    """The three words that agent authors have for failure. Anything else that an agent raises is a bug."""


class TryAgain(AgentSignal):
    """A passing fault: the step is tried again, after `after` seconds if given."""

    def __init__(self, message: str, *, after: float | None = None) -> None:
        super().__init__(message)
        self.after = after


class Failed(AgentSignal):
    """Failed for good: trying again would not help."""


class NeedsInput(AgentSignal):
    """The step needs an answer from the person; it runs again from its top with `answer`. One that fills a field of a form
    names it, and the answer is known by that name."""

    def __init__(self, question: str, *, options: list[str] | None = None, field: str = "") -> None:
        super().__init__(question)
        self.question = question
        self.options = options or []
        self.field = field
