"""Any LangChain chat model by configuration. What goes to it is redacted, what it uses is counted and bounded."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import inspect
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from metaagent.config import MODEL_NAME, Model
from metaagent.errors import ConfigInvalid, ModelBudgetSpent, ModelError, Text
from metaagent.ports import MODEL, ModelReply, Spending
from metaagent.protection.redaction import KnownNames, Mode, Pseudonyms, Redactor

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

Messages = Sequence[tuple[str, str]]
Method = Literal["json_schema", "function_calling"]
T = TypeVar("T")

PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Answers of a server that may be different next time."""
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 20.0
UNREADABLE = "it is not JSON of the schema that was asked for"
LONGEST_REPLY = 200_000
"""Characters: a server that never stops is stopped here."""

_NO_PACKAGE = Text(
    en="model.name is {name!r}, but the package {package} is not installed. Install it with `pip install {package}`.",
    ko="model.name이 {name!r}이지만 {package} 패키지가 없습니다. `pip install {package}`로 설치하세요.",
)
_NO_CLASS = Text(
    en="model.name is {name!r}, but {package} has no chat model class. Name a provider whose package has one.",
    ko="model.name이 {name!r}이지만 {package}에 채팅 모델 클래스가 없습니다. 다른 제공자를 지정하세요.",
)
_NOT_OPENED = Text(
    en="The chat model {name!r} cannot be opened: {problem} Check model.* and the provider's environment variable for its key.",
    ko="채팅 모델 {name!r}을(를) 열 수 없습니다: {problem} model.* 설정과 제공자의 키 환경 변수를 확인하세요.",
)
_SPENT = Text(
    en="The turn's budget for the chat model is spent (limits.{what}).",
    ko="이번 턴의 채팅 모델 한도(limits.{what})를 다 썼습니다.",
)
_FAILED = Text(
    en="The chat model did not answer ({problem}).", ko="채팅 모델이 답하지 않았습니다({problem})."
)
_TOO_LONG = Text(
    en="The chat model's answer did not end within {most} characters.",
    ko="채팅 모델의 답이 {most}자 안에 끝나지 않았습니다.",
)
_CLASSES = {
    "anthropic": "ChatAnthropic",
    "aws": "ChatBedrockConverse",
    "google_genai": "ChatGoogleGenerativeAI",
    "google_vertexai": "ChatVertexAI",
    "mistralai": "ChatMistralAI",
    "ollama": "ChatOllama",
    "openai": "ChatOpenAI",
}


@dataclass(frozen=True)
class Structured:
    """A reply that should be JSON of a given schema: `data` if it was, else what is wrong with it."""

    data: Any
    text: str
    problem: str = ""


class ChatModelSource:
    """The configured model, opened when it is first needed and shared by all turns."""

    def __init__(self, settings: Model, opened: BaseChatModel | None = None) -> None:
        self.settings = settings
        self._model = opened
        self._method: Method = "json_schema"

    def check_installed(self) -> None:
        """Refuse a provider whose package is missing at the start; importing it, which takes a second, can wait."""
        if self._model is None and importlib.util.find_spec(_module(self.settings)) is None:
            raise ConfigInvalid(_NO_PACKAGE, name=self.settings.name, package=_package(self.settings))

    def model(self) -> BaseChatModel:
        self._model = self._model or open_model(self.settings)
        return self._model

    def for_turn(
        self,
        spending: Spending,
        *,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
        names: KnownNames | None = None,
    ) -> TurnModel:
        return TurnModel(partial(Exchange, self, spending, pause, names))

    @property
    def method(self) -> Method:
        """The way to ask for JSON: the newer way until a server turns out not to know it."""
        return self._method

    def asks_the_old_way(self) -> None:
        self._method = "function_calling"


class TurnModel:
    """The model within one turn: what its exchanges spend together is bounded."""

    def __init__(self, exchange: Callable[[], Exchange]) -> None:
        self.exchange = exchange

    async def complete(self, messages: Messages) -> ModelReply:
        return await self.exchange().complete(messages)


class Exchange:
    """One request to the model, with its repetitions. Personal data leaves as stand-ins and comes back as itself: only
    stand-ins that this exchange made, so that no agent can ask for what another one sent."""

    def __init__(
        self,
        source: ChatModelSource,
        spending: Spending,
        pause: Callable[[float], Awaitable[None]],
        names: KnownNames | None,
    ) -> None:
        self._source = source
        self._spending = spending
        self._pause = pause
        self._pseudonyms = Pseudonyms()
        self._redactor = Redactor(mode=Mode.PSEUDONYM, pseudonyms=self._pseudonyms, names=names)

    async def complete(self, messages: Messages) -> ModelReply:
        clean = self._clean(messages)

        async def call() -> Any:
            return await self._source.model().ainvoke(clean)

        reply = await self._tried(call, clean)
        text = str(reply.text)
        tokens = self._count(reply, clean, text)
        await self._spending.keep()
        return ModelReply(self.restore(text), tokens)

    async def structured(self, messages: Messages, schema: Mapping[str, Any]) -> Structured:
        """JSON by the schema, as the model gave it: the caller checks it."""
        clean = self._clean(messages)
        method = self._source.method

        async def call() -> Any:
            return await self._asked(clean, schema, self._source.method)

        try:
            found = await self._tried(call, clean)
        except ModelError as error:
            if method == "function_calling" or not _may_be_the_format(error):
                raise
            # Not every server knows response_format: the older way is tried before the model is given up.
            self._source.asks_the_old_way()
            found = await self._tried(call, clean)
        parsed = self._parsed(found, clean)
        await self._spending.keep()
        return parsed

    async def stream(self, messages: Messages) -> AsyncIterator[str]:
        """Pieces of the reply with stand-ins still in them: a piece may hold half of one. Repeated on a passing fault
        only while nothing has been given out."""
        clean = self._clean(messages)
        chunks = await self._tried(lambda: self._begun(clean), clean)
        text, last = "", None
        try:
            async with self._faults():
                first, rest = chunks
                last, text = first, str(first.text)
                yield text
                async for chunk in rest:
                    last = last + chunk
                    piece = str(chunk.text)
                    text += piece
                    if len(text) > LONGEST_REPLY:
                        raise ModelError(_TOO_LONG, most=LONGEST_REPLY)
                    yield piece
        except _Passing as fault:
            raise ModelError(_FAILED, problem=fault.problem) from fault
        finally:
            self._count(last, clean, text)
            await self._spending.keep()

    def clean(self, value: Any) -> Any:
        """Values of any shape as they may leave. Before they are written as JSON: escapes would hide what they touch."""
        return self._redactor.sanitize(value)

    def restore(self, text: str) -> str:
        return self._pseudonyms.restore(text)

    def _clean(self, messages: Messages) -> list[tuple[str, str]]:
        return [(role, self._redactor.redact_text(text)) for role, text in messages]

    async def _asked(self, messages: Messages, schema: Mapping[str, Any], method: Method) -> Any:
        model = cast("Any", self._source.model())
        return await model.with_structured_output(dict(schema), method=method, include_raw=True).ainvoke(
            messages
        )

    async def _begun(self, messages: Messages) -> tuple[Any, AsyncIterator[Any]]:
        chunks = cast("Any", self._source.model()).astream(messages)
        return await anext(chunks), chunks

    def _parsed(self, found: Mapping[str, Any], clean: Messages) -> Structured:
        raw = found.get("raw")
        text = str(getattr(raw, "text", "")) or _calls(raw)
        self._count(raw, clean, text)
        error = found.get("parsing_error")
        parsed = found.get("parsed")
        if error is not None or parsed is None:
            self._source.asks_the_old_way()
            return Structured(None, text, UNREADABLE)
        try:
            return Structured(restored(parsed, self.restore), text)
        except RecursionError:
            return Structured(None, text, UNREADABLE)

    async def _tried(self, call: Callable[[], Awaitable[T]], messages: Messages) -> T:
        """Call, and again after a passing fault, within the budget."""
        attempt = 0
        while True:
            self._may_call(messages)
            self._spending.spend(MODEL)
            try:
                async with self._faults():
                    return await call()
            except _Passing as fault:
                attempt += 1
                if attempt > self._source.settings.retries:
                    raise ModelError(_FAILED, problem=fault.problem) from fault
                await self._wait(attempt, fault.after)

    async def _wait(self, attempt: int, asked: float | None) -> None:
        pause = asked if asked is not None else FIRST_PAUSE * 2 ** (attempt - 1)
        pause = min(pause, LONGEST_PAUSE)
        if pause >= self._spending.seconds_left:
            raise ModelBudgetSpent(_SPENT, what="turn_seconds")
        await self._pause(pause)

    def _may_call(self, messages: Messages) -> None:
        spending = self._spending
        needed = estimated("".join(text for _, text in messages))
        for what, left in (("calls", spending.calls_left), ("tokens", spending.tokens_left - needed)):
            if left <= 0:
                raise ModelBudgetSpent(_SPENT, what=what)
        if spending.seconds_left <= 0:
            raise ModelBudgetSpent(_SPENT, what="turn_seconds")

    @asynccontextmanager
    async def _faults(self) -> AsyncGenerator[None]:
        """One call's time, and whatever a provider's library raises as one of our two errors."""
        seconds = min(self._source.settings.timeout, max(self._spending.seconds_left, 0.001))
        try:
            async with asyncio.timeout(seconds):
                yield
        except (ConfigInvalid, ModelError, asyncio.CancelledError, GeneratorExit):
            raise
        except Exception as error:  # each provider's library has errors of its own
            # The kind of fault; a server's own words may hold anything, a key or the prompt.
            status = status_of(error)
            problem = f"{type(error).__name__} {status}" if status else type(error).__name__
            if is_passing(error):
                raise _Passing(problem, retry_after(error), status_of(error)) from error
            raise ModelError(_FAILED, problem=problem) from error

    def _count(self, reply: Any, messages: Messages, text: str) -> int:
        tokens = reported_tokens(reply)
        if tokens is None:
            tokens = estimated("".join(sent for _, sent in messages)) + estimated(text)
        self._spending.spend_tokens(tokens)
        return tokens


class _Passing(Exception):
    def __init__(self, problem: str, after: float | None, status: int | None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.after = after
        self.status = status


def _may_be_the_format(error: ModelError) -> bool:
    """Some servers answer 400, others 500 to a response_format that they do not know; a busy or silent one is neither."""
    cause = error.__cause__
    if isinstance(error, ModelBudgetSpent):
        return False
    return cause.status == 500 if isinstance(cause, _Passing) else True


def _provider(settings: Model) -> tuple[str, str]:
    parts = MODEL_NAME.fullmatch(settings.name or "")
    assert parts is not None, "settings were validated"
    return parts["provider"].replace("-", "_"), parts["model"]


def _module(settings: Model) -> str:
    return f"langchain_{_provider(settings)[0]}"


def _package(settings: Model) -> str:
    return _module(settings).replace("_", "-")


def open_model(settings: Model) -> BaseChatModel:
    name, package = settings.name, _package(settings)
    provider, model = _provider(settings)
    try:
        module = importlib.import_module(_module(settings))
    except ImportError as error:
        raise ConfigInvalid(_NO_PACKAGE, name=name, package=package) from error
    found = _chat_class(module, provider)
    if found is None:
        raise ConfigInvalid(_NO_CLASS, name=name, package=package)
    wanted: dict[str, Any] = {
        "model": model,
        "base_url": settings.base_url,
        "timeout": settings.timeout,
        "temperature": settings.temperature,
        # Repeating is ours: a library that repeats on its own would spend beyond the budget.
        "max_retries": 0,
        "stream_usage": True,
    }
    fields = found.model_fields.items()
    known = {name for name, _ in fields} | {info.alias for _, info in fields if info.alias}
    given = {key: value for key, value in wanted.items() if value is not None and key in known}
    try:
        return found(**given)
    except Exception as error:  # each provider's library has errors of its own
        problem = Redactor().redact_text(str(error).split("\n")[0][:300])
        raise ConfigInvalid(_NOT_OPENED, name=name, problem=problem) from error


def _chat_class(module: Any, provider: str) -> type[BaseChatModel] | None:
    from langchain_core.language_models import BaseChatModel

    names = [_CLASSES.get(provider, ""), *sorted(name for name in dir(module) if name.startswith("Chat"))]
    for name in names:
        found = getattr(module, name, None) if name else None
        if inspect.isclass(found) and issubclass(found, BaseChatModel):
            return found
    return None


def status_of(error: BaseException) -> int | None:
    for holder in (error, getattr(error, "response", None)):
        status = getattr(holder, "status_code", None)
        if isinstance(status, int):
            return status
    return None


def is_passing(error: BaseException) -> bool:
    status = status_of(error)
    if status is not None:
        return status in PASSING
    if isinstance(error, TimeoutError | ConnectionError):
        return True
    names = [base.__name__ for base in type(error).__mro__]
    return any("Timeout" in name or "Connection" in name or "RateLimit" in name for name in names)


def retry_after(error: BaseException) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None)
    value = headers.get("retry-after") if isinstance(headers, Mapping) else None
    try:
        seconds = float(cast("Any", value))
    except (TypeError, ValueError):
        return None
    return seconds if 0 <= seconds < float("inf") else None


def reported_tokens(reply: Any) -> int | None:
    """Tokens that the server says it used; nothing if it says nothing that can be true."""
    usage = getattr(reply, "usage_metadata", None)
    total = usage.get("total_tokens") if isinstance(usage, Mapping) else None
    return total if isinstance(total, int) and not isinstance(total, bool) and total > 0 else None


def estimated(text: str) -> int:
    """Tokens of a text where nobody counts them: three bytes each, which holds for Korean and is high for English."""
    return len(text.encode("utf-8", "replace")) // 3 + 1


def restored(value: Any, restore: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return restore(value)
    if isinstance(value, Mapping):
        return {key: restored(item, restore) for key, item in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, list):
        return [restored(item, restore) for item in cast("list[Any]", value)]
    return value


def _calls(raw: Any) -> str:
    calls = [*(getattr(raw, "tool_calls", None) or ()), *(getattr(raw, "invalid_tool_calls", None) or ())]
    return str([call.get("args") for call in calls]) if calls else ""
