"""A server on this machine that speaks as much of the OpenAI protocol as a client needs, and remembers what it heard."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Heard = dict[str, Any]


@dataclass(frozen=True)
class Say:
    """One answer: a text or the JSON of a tool call, or an error, or bytes that are no answer at all."""

    content: Any = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict[str, str])
    raw: bytes | None = None
    wait: threading.Event | None = None


Answer = Callable[[Heard], Say]


@dataclass
class ChatServer:
    answer: Answer
    url: str = ""
    heard: list[Heard] = field(default_factory=list[Heard])

    @property
    def wire(self) -> str:
        """Everything that left, as text."""
        return json.dumps(self.heard, ensure_ascii=False)


def in_turn(*answers: Say) -> Answer:
    """The answers one by one; the last for ever."""
    left = list(answers)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


@contextmanager
def chat_server(answer: Answer) -> Generator[ChatServer]:
    server = ChatServer(answer)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            heard = json.loads(body)
            server.heard.append(heard)
            say = server.answer(heard)
            if say.wait is not None:
                say.wait.wait(10)
            streams = bool(heard.get("stream")) and say.status == 200 and say.raw is None
            content = _stream(say) if streams else _whole(say, heard)
            self.send_response(say.status)
            self.send_header("content-type", "text/event-stream" if streams else "application/json")
            self.send_header("content-length", str(len(content)))
            for name, value in say.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
            return None

    listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    server.url = f"http://127.0.0.1:{listener.server_port}/v1"
    try:
        yield server
    finally:
        listener.shutdown()
        listener.server_close()
        thread.join()


_USAGE = {"prompt_tokens": 30, "completion_tokens": 12, "total_tokens": 42}


def _whole(say: Say, heard: Heard) -> bytes:
    if say.raw is not None:
        return say.raw
    if say.status != 200:
        return json.dumps({"error": {"message": str(say.content), "type": "test"}}).encode()
    message: dict[str, Any] = {"role": "assistant", "content": say.content}
    if not isinstance(say.content, str):
        arguments = json.dumps(say.content, ensure_ascii=False)
        message["content"] = arguments
        if heard.get("tools"):
            name = heard["tools"][0]["function"]["name"]
            call = {"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    reply = {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [choice],
        "usage": _USAGE,
    }
    return json.dumps(reply).encode()


def _stream(say: Say) -> bytes:
    text = str(say.content)
    events: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": {"role": "assistant", "content": text[at : at + 5]}}]}
        for at in range(0, len(text), 5)
    ]
    events += [
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        {"choices": [], "usage": _USAGE},
    ]
    common = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    lines = [f"data: {json.dumps({**common, **event})}\n\n" for event in events]
    return "".join([*lines, "data: [DONE]\n\n"]).encode()
