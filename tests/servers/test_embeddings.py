"""An embedding model of LangChain by configuration, on the wire: a server of the OpenAI form on this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from metaagent.config import Embeddings
from metaagent.errors import ConfigInvalid, ModelError
from metaagent.memory.embedding import embed
from metaagent.storage.library.embedders import EmbedderSource
from tests.support.library_world import LibraryWorld, text_of

NAME = "openai:text-embedding-3-small"


@contextmanager
def server(heard: list[str], status: int = 200) -> Generator[str]:
    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked: Any = json.loads(self.rfile.read(int(self.headers["content-length"])))
            texts: list[str] = asked["input"]
            heard.extend(texts)
            data = [
                {"object": "embedding", "index": at, "embedding": embed(t, b"")} for at, t in enumerate(texts)
            ]
            usage = {"prompt_tokens": 1, "total_tokens": 1}
            body = json.dumps(
                {"object": "list", "data": data, "model": asked["model"], "usage": usage}
            ).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the base class
            """Say nothing."""

    made = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{made.server_port}/v1"
    finally:
        made.shutdown()
        made.server_close()
        thread.join()


async def test_a_configured_model_makes_the_vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-nothing")
    heard: list[str] = []
    with server(heard) as url:
        model = EmbedderSource(Embeddings(name=NAME, base_url=url))._opened(NAME)  # pyright: ignore[reportPrivateUsage]
        world = LibraryWorld(tmp_path, embedding=model, name=NAME)
        target = await world.collection()
        await world.put(target, "a.md", text_of("연락처", "문의는 kim99@naver.com에게 합니다."))
        await world.put(target, "b.md", text_of("여비 규정", "교통비는 실비입니다."))
        (near, *_) = await world.port().nearest("교통비는 실비")
        assert (await world.port().chunks([near.id]))[0]["title"] == "여비 규정"
    assert len(heard) == 3
    assert not any("kim99" in text for text in heard)


async def test_a_server_that_refuses_is_an_error_that_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-nothing")
    with server([], status=401) as url:
        embedder = EmbedderSource(Embeddings(name=NAME, base_url=url)).for_key(b"k")
        with pytest.raises(ModelError, match="text-embedding-3-small"):
            await embedder.batch(["text"])


def test_a_provider_without_its_package_is_refused():
    with pytest.raises(ConfigInvalid, match="pip install langchain-nobody"):
        EmbedderSource(Embeddings(name="nobody:model")).check_installed()
