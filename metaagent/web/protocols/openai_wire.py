"""OpenAI's shapes: what its client sends, and the objects and events that it reads. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from metaagent.errors import InputRefused, NotFound, Text
from metaagent.ports import Json
from metaagent.web.protocols.exchange import Reply
from metaagent.web.protocols.threads import Said

MODEL = "metaagent"
PIECE = 400
"""Characters of one piece of a streamed answer."""
MOST_MESSAGES = 2_000
ERROR_TYPES = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    409: "conflict_error",
    429: "rate_limit_error",
    503: "server_error",
}

_WRONG = Text(
    en="`{param}` is not taken as it is: {problem}.", ko="`{param}` 값을 받을 수 없습니다: {problem}."
)
_NO_FORMAT = Text(
    en="`{param}` is refused: answers are text.", ko="`{param}` 값을 받을 수 없습니다. 답은 텍스트입니다."
)
_NO_BACKGROUND = Text(
    en="`{param}` is refused: wait for the answer, or stream it.",
    ko="`{param}` 값을 받을 수 없습니다. 답을 기다리거나 스트림으로 받으세요.",
)
_NO_TOOLS = Text(
    en="`{param}` is refused: tools of the client are not called.",
    ko="`{param}` 값을 받을 수 없습니다. 클라이언트의 도구는 호출하지 않습니다.",
)
_NO_MODEL = Text(
    en="There is no model {model!r} here: use {known!r}.",
    ko="모델 {model!r}은(는) 없습니다. {known!r}을(를) 쓰세요.",
)
_NOT_TEXT = Text(
    en="Messages are text here: content of the type {kind!r} is not taken. Attach files on the page or over /api/v1.",
    ko="여기서는 텍스트 메시지만 받습니다. {kind!r} 형식의 내용은 받지 않습니다. 파일은 웹 페이지나 /api/v1에서 첨부하세요.",
)
_NO_RESPONSE = Text(en="There is no response {response!r} here.", ko="응답 {response!r}이(가) 없습니다.")
_NO_QUESTION = Text(
    en="The last message must be the user's: there is nothing to answer.",
    ko="마지막 메시지는 사용자의 것이어야 합니다. 답할 질문이 없습니다.",
)


class ParamRefused(InputRefused):
    """A parameter that is not taken, by its name."""

    @property
    def param(self) -> str:
        return self.params["param"]


class NoModel(NotFound):
    code = "model_not_found"


class _Given(BaseModel):
    """Parameters that are not named here say how a model should sample or behave; they have no meaning here."""

    model_config = ConfigDict(extra="ignore", strict=True)


class Part(_Given):
    type: str
    text: str | None = None


class Message(_Given):
    role: str
    content: str | list[Part] | None = None
    type: Literal["message"] = "message"

    @property
    def text(self) -> str:
        parts = (
            [Part(type="text", text=self.content)] if isinstance(self.content, str) else self.content or []
        )
        for part in parts:
            if part.type not in {"text", "input_text", "output_text", "refusal"}:
                raise ParamRefused(_NOT_TEXT, param="messages", kind=part.type[:40])
        return "\n".join(part.text or "" for part in parts)


class StreamOptions(_Given):
    include_usage: bool = False


class Metadata(_Given):
    session_id: str | None = None


class Format(_Given):
    type: str = "text"


class ChatRequest(_Given):
    model: str
    messages: Annotated[list[Message], Field(min_length=1, max_length=MOST_MESSAGES)]
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    metadata: Metadata | None = None
    n: Annotated[int, Field(ge=1, le=1)] | None = 1
    response_format: Format | None = None
    tool_choice: Any = None

    @property
    def said(self) -> list[Said]:
        return said_of(self.messages)


class ResponsesRequest(_Given):
    model: str
    input: str | Annotated[list[Message], Field(min_length=1, max_length=MOST_MESSAGES)]
    stream: bool | None = False
    previous_response_id: str | None = None
    metadata: Metadata | None = None
    background: bool | None = False
    tool_choice: Any = None

    @property
    def said(self) -> list[Said]:
        if isinstance(self.input, str):
            return said_of([Message(role="user", content=self.input)])
        return said_of(self.input)


def said_of(messages: Sequence[Message]) -> list[Said]:
    """Collect what the person and the assistant said, the question last. Instructions to a model (system, developer) direct nothing
    here, and the results of a client's own tools are none of ours."""
    said = [(each.role, each.text) for each in messages if each.role in {"user", "assistant"}]
    if not said or said[-1][0] != "user" or messages[-1].role != "user":
        raise ParamRefused(_NO_QUESTION, param="messages")
    return said


def read(kind: type[ChatRequest] | type[ResponsesRequest], body: Json) -> Any:
    """A checked request. Raises ParamRefused, naming the parameter."""
    try:
        found = kind.model_validate(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        param = ".".join(str(each) for each in first["loc"][:4]) or "body"
        raise ParamRefused(_WRONG, param=param, problem=first["msg"]) from error
    check_model(found.model)
    if isinstance(found, ChatRequest) and found.response_format and found.response_format.type != "text":
        raise ParamRefused(_NO_FORMAT, param="response_format")
    if isinstance(found, ResponsesRequest) and found.background:
        raise ParamRefused(_NO_BACKGROUND, param="background")
    if found.tool_choice not in (None, "auto", "none"):
        raise ParamRefused(_NO_TOOLS, param="tool_choice")
    return found


def check_model(name: str) -> None:
    if name != MODEL:
        raise NoModel(_NO_MODEL, model=name[:80], known=MODEL)


def model_object() -> Json:
    return {"id": MODEL, "object": "model", "created": 0, "owned_by": "metaagent"}


def error_object(status: int, message: str, code: str | None, param: str | None = None) -> Json:
    kind = ERROR_TYPES.get(status, "invalid_request_error" if status < 500 else "server_error")
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def about(reply: Reply) -> Json:
    """Tell what the client may want beside the text: where it can be found, how it stands, what was made."""
    content = reply.content
    return {
        "session_id": reply.session_id,
        "turn_id": reply.turn_id,
        "status": reply.status,
        "waiting_for": reply.question["kind"] if reply.question else None,
        "confidence": content.get("confidence"),
        "artifacts": content.get("artifacts") or [],
        "citations": content.get("citations") or [],
    }


def tokens_of(reply: Reply) -> int:
    """Tokens that the chat model used; the parts are not told apart. None where rules answered."""
    return int((reply.content.get("usage") or {}).get("tokens") or 0)


def pieces(text: str) -> Iterator[str]:
    for start in range(0, len(text), PIECE):
        yield text[start : start + PIECE]


# --- chat completions ------------------------------------------------------------------------------------


def chat_usage(reply: Reply) -> Json:
    total = tokens_of(reply)
    return {"prompt_tokens": total, "completion_tokens": 0, "total_tokens": total}


def chat_completion(reply: Reply, created: int) -> Json:
    message = {"role": "assistant", "content": reply.text, "refusal": None}
    return {
        "id": f"chatcmpl-{reply.turn_id}",
        "object": "chat.completion",
        "created": created,
        "model": MODEL,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}],
        "usage": chat_usage(reply),
        "metaagent": about(reply),
    }


def chat_chunks(reply: Reply, created: int, *, usage: bool) -> Iterator[Json]:
    """The pieces of a streamed completion: the role, the text, the end."""
    head = {
        "id": f"chatcmpl-{reply.turn_id}",
        "object": "chat.completion.chunk",
        "created": created,
        "model": MODEL,
    }

    def chunk(delta: Json, finish: str | None = None, **more: Any) -> Json:
        return {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **more}

    yield chunk({"role": "assistant", "content": ""})
    for piece in pieces(reply.text):
        yield chunk({"content": piece})
    yield chunk({}, "stop", metaagent=about(reply))
    if usage:
        yield {**head, "choices": [], "usage": chat_usage(reply)}


# --- responses -------------------------------------------------------------------------------------------


def response_id(reply: Reply) -> str:
    return f"resp_{reply.turn_id}"


def turn_of(response: str) -> str:
    """The turn that a response id names."""
    if not response.startswith("resp_"):
        raise NotFound(_NO_RESPONSE, response=response[:80])
    return response.removeprefix("resp_")


def response_object(reply: Reply, created: int, given: ResponsesRequest, *, finished: bool = True) -> Json:
    total = tokens_of(reply)
    return {
        "id": response_id(reply),
        "object": "response",
        "created_at": created,
        "status": "completed" if finished else "in_progress",
        "model": MODEL,
        "output": [_item(reply)] if finished else [],
        "parallel_tool_calls": False,
        "tool_choice": "none",
        "tools": [],
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "previous_response_id": given.previous_response_id,
        "metadata": {"session_id": reply.session_id},
        "usage": {
            "input_tokens": total,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens": 0,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": total,
        },
        "metaagent": about(reply),
    }


def _item(reply: Reply, *, text: bool = True) -> Json:
    return {
        "id": f"msg_{reply.turn_id}",
        "type": "message",
        "role": "assistant",
        "status": "completed" if text else "in_progress",
        "content": [_part(reply.text)] if text else [],
    }


def _part(text: str) -> Json:
    return {"type": "output_text", "text": text, "annotations": []}


def response_events(reply: Reply, created: int, given: ResponsesRequest) -> Iterator[Json]:
    """The events of a streamed response, in order and numbered."""
    begun = response_object(reply, created, given, finished=False)
    place = {"item_id": f"msg_{reply.turn_id}", "output_index": 0, "content_index": 0}
    told: list[Json] = [
        {"type": "response.created", "response": begun},
        {"type": "response.in_progress", "response": begun},
        {"type": "response.output_item.added", "output_index": 0, "item": _item(reply, text=False)},
        {"type": "response.content_part.added", **place, "part": _part("")},
        *(
            {"type": "response.output_text.delta", **place, "delta": piece, "logprobs": []}
            for piece in pieces(reply.text)
        ),
        {"type": "response.output_text.done", **place, "text": reply.text, "logprobs": []},
        {"type": "response.content_part.done", **place, "part": _part(reply.text)},
        {"type": "response.output_item.done", "output_index": 0, "item": _item(reply)},
        {"type": "response.completed", "response": response_object(reply, created, given)},
    ]
    for number, event in enumerate(told):
        yield {**event, "sequence_number": number}
