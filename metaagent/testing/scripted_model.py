"""A chat model without a model, for tests: says what it was told to say, and remembers what it heard."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, cast

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field


class ScriptedChatModel(BaseChatModel):
    replies: list[Any]
    chunk: int = 7
    tokens: int | None = 10
    """The usage that each call reports; None says nothing, as some servers do."""
    heard: list[list[tuple[str, str]]] = Field(default_factory=list[list[tuple[str, str]]])

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        names = [convert_to_openai_tool(tool)["function"]["name"] for tool in tools]
        return cast("Runnable[LanguageModelInput, AIMessage]", self.bind(answers_with=names[0]))

    def _next(self, messages: Sequence[BaseMessage]) -> Any:
        self.heard.append([(message.type, str(message.text)) for message in messages])
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, BaseException):
            raise reply
        return reply

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        reply, tool = self._next(messages), kwargs.get("answers_with")
        if isinstance(reply, dict) and tool:
            calls = [{"name": tool, "args": cast("dict[str, Any]", reply), "id": "call-1"}]
            message = AIMessage("", tool_calls=cast("Any", calls), usage_metadata=self._usage())
        else:
            text = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)
            message = AIMessage(text, usage_metadata=self._usage())
        return ChatResult(generations=[ChatGeneration(message=message)])

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        usage = self._usage()
        for piece in self._pieces(self._next(messages)):
            if isinstance(piece, BaseException):
                raise piece
            yield ChatGenerationChunk(message=AIMessageChunk(content=piece, usage_metadata=usage))
            usage = None

    def _pieces(self, reply: Any) -> list[Any]:
        if isinstance(reply, list):
            return cast("list[Any]", reply)
        text = str(reply)
        return [text[at : at + self.chunk] for at in range(0, max(len(text), 1), self.chunk)]

    def _usage(self) -> UsageMetadata | None:
        if self.tokens is None:
            return None
        return UsageMetadata(input_tokens=self.tokens, output_tokens=0, total_tokens=self.tokens)
