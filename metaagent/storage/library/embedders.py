"""Embedders of the library: hashed n-grams with the owner's key by default, or any LangChain embedding model.

Texts are redacted before they go to a model. Its vectors are turned by the owner's key, a change of order and signs that keeps
every angle: without the key they cannot be given to anything that reads such vectors back.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import inspect
import math
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from random import Random
from typing import TYPE_CHECKING, Any

from metaagent.config import MODEL_NAME, Embeddings
from metaagent.errors import ConfigInvalid, ModelError, Text
from metaagent.memory.embedding import DIMENSIONS, embed
from metaagent.ports import Embedder
from metaagent.protection.redaction import Redactor

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings as LangChainEmbeddings

NGRAMS = "ngrams:1"
BATCH = 64
"""Texts that one call of a model is given."""

_NO_PACKAGE = Text(
    en="embeddings.name is {name!r}, but the package {package} is not installed. Install it with `pip install {package}`.",
    ko="embeddings.name이 {name!r}이지만 {package} 패키지가 없습니다. `pip install {package}`로 설치하세요.",
)
_NO_CLASS = Text(
    en="embeddings.name is {name!r}, but {package} has no embedding model. Name a provider whose package has one.",
    ko="embeddings.name이 {name!r}이지만 {package}에 임베딩 모델이 없습니다. 다른 제공자를 지정하세요.",
)
_FAILED = Text(
    en="The embedding model {name!r} did not answer: {problem}. Check embeddings.* and the provider's key.",
    ko="임베딩 모델 {name!r}이(가) 답하지 않았습니다: {problem}. embeddings.* 설정과 제공자의 키를 확인하세요.",
)
_WRONG = Text(
    en="The embedding model {name!r} gave vectors that cannot be used: {problem}.",
    ko="임베딩 모델 {name!r}이(가) 쓸 수 없는 벡터를 주었습니다: {problem}.",
)


class NgramEmbedder:
    """Hashed character n-grams under a key: any language, no model, nothing leaves."""

    name = NGRAMS
    dimensions = DIMENSIONS

    def __init__(self, key: bytes) -> None:
        self._key = key

    async def batch(self, texts: Sequence[str]) -> list[list[float]]:
        return await asyncio.to_thread(lambda: [embed(text, self._key) for text in texts])


class LangChainEmbedder:
    """A LangChain embedding model, for the texts of one owner."""

    def __init__(self, name: str, model: LangChainEmbeddings, key: bytes) -> None:
        self.name = name
        self.dimensions = 0
        self._model = model
        self._key = key
        self._redactor = Redactor()

    async def batch(self, texts: Sequence[str]) -> list[list[float]]:
        found: list[list[float]] = []
        for at in range(0, len(texts), BATCH):
            clean = [self._redactor.redact_text(text) for text in texts[at : at + BATCH]]
            try:
                found += await self._model.aembed_documents(clean)
            except Exception as error:
                problem = self._redactor.redact_text(str(error).split("\n")[0][:300])
                raise ModelError(_FAILED, name=self.name, problem=problem) from error
        return [self._turned(vector) for vector in self._checked(found, len(texts))]

    def _checked(self, vectors: list[list[float]], count: int) -> list[list[float]]:
        lengths = {len(vector) for vector in vectors}
        if len(vectors) != count or (count and (len(lengths) != 1 or 0 in lengths)):
            raise ModelError(
                _WRONG, name=self.name, problem=f"{len(vectors)} of {sorted(lengths)} for {count} texts"
            )
        if not all(math.isfinite(value) for vector in vectors for value in vector):
            raise ModelError(_WRONG, name=self.name, problem="not all of it is finite")
        self.dimensions = next(iter(lengths), self.dimensions)
        return vectors

    def _turned(self, vector: list[float]) -> list[float]:
        length = math.sqrt(sum(value * value for value in vector)) or 1.0
        return [sign * vector[place] / length for place, sign in _turn(self._key, len(vector))]


@lru_cache(64)
def _turn(key: bytes, dimensions: int) -> tuple[tuple[int, int], ...]:
    """A change of order and signs that only this key gives."""
    drawn = Random(blake2b(b"metaagent/turn/1", key=key).digest())  # noqa: S311 - seeded by the key; both stay the same
    places = list(range(dimensions))
    drawn.shuffle(places)
    return tuple((place, drawn.choice((-1, 1))) for place in places)


class EmbedderSource:
    """The configured way to make vectors; a model is opened when the first text needs it."""

    def __init__(self, settings: Embeddings, opened: LangChainEmbeddings | None = None) -> None:
        self._settings = settings
        self._model = opened

    @property
    def name(self) -> str:
        return self._settings.name or NGRAMS

    def check_installed(self) -> None:
        if self._settings.name is not None and self._model is None:
            module, package = _module(self._settings.name)
            if importlib.util.find_spec(module) is None:
                raise ConfigInvalid(_NO_PACKAGE, name=self._settings.name, package=package)

    def for_key(self, key: bytes) -> Embedder:
        if self._settings.name is None:
            return NgramEmbedder(key)
        self._model = self._model or self._opened(self._settings.name)
        return LangChainEmbedder(self.name, self._model, key)

    def _opened(self, name: str) -> LangChainEmbeddings:
        from langchain_core.embeddings import Embeddings as Base

        self.check_installed()
        module, package = _module(name)
        found = vars(importlib.import_module(module)).values()
        made = [
            each for each in found if inspect.isclass(each) and issubclass(each, Base) and each is not Base
        ]
        if not made:
            raise ConfigInvalid(_NO_CLASS, name=name, package=package)
        chosen = min(made, key=lambda each: (each.__name__.startswith("Azure"), each.__name__))
        wanted: dict[str, Any] = {
            "model": name.partition(":")[2],
            "base_url": self._settings.base_url,
            # Texts go as texts: cutting them into tokens here would fetch a vocabulary from elsewhere.
            "check_embedding_ctx_length": False,
        }
        fields = getattr(chosen, "model_fields", {}).items()
        known = {key for key, _ in fields} | {info.alias for _, info in fields if info.alias}
        given = {key: value for key, value in wanted.items() if value is not None and key in known}
        try:
            return chosen(**given)
        except Exception as error:  # each provider's library has errors of its own
            problem = Redactor().redact_text(str(error).split("\n")[0][:300])
            raise ConfigInvalid(_FAILED, name=name, problem=problem) from error


def _module(name: str) -> tuple[str, str]:
    found = MODEL_NAME.fullmatch(name)
    provider = found["provider"].replace("-", "_") if found else ""
    return f"langchain_{provider}", f"langchain-{provider.replace('_', '-')}"
