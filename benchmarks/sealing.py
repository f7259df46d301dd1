"""The cost of sealing beside bare AES-GCM, and as part of a state's serialization."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from metaagent.protection.keys.providers import LocalKek
from metaagent.protection.keys.ring import KeyRing
from metaagent.protection.row_context import row_context
from metaagent.protection.sealing import SealedSerde

if TYPE_CHECKING:
    from collections.abc import Callable

AAD = ("session-1", "messages")
ROUNDS = 7


def microseconds(count: int, *acts: Callable[[], object]) -> list[float]:
    """Side by side, the best of a few rounds: the others were disturbed."""
    best = [float("inf")] * len(acts)
    for _ in range(ROUNDS):
        for number, act in enumerate(acts):
            start = time.perf_counter()
            for _ in range(count):
                act()
            best[number] = min(best[number], (time.perf_counter() - start) / count * 1e6)
    return best


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        ring = KeyRing(Path(folder) / "keys.json", LocalKek(os.urandom(32)))
        _values(ring)
        _states(ring)


def _values(ring: KeyRing) -> None:
    sealer = ring.sealer("acme", "state")
    bare, aad = AESGCM(os.urandom(32)), b"a" * 60
    print(f"{'bytes':>9} {'bare µs':>9} {'seal µs':>9} {'added':>7} {'open µs':>9} {'text µs':>9}")
    for size in (32, 1_000, 20_000, 200_000):
        data = os.urandom(size)
        count = max(20, min(5_000, 20_000_000 // size))
        sealed, text = sealer.seal(data, AAD), data.hex()[:size]

        def alone(data: bytes = data) -> bytes:
            nonce = os.urandom(12)
            return nonce + bare.encrypt(nonce, data, aad)

        plain, seal, opened, texts = microseconds(
            count,
            alone,
            lambda data=data: sealer.seal(data, AAD),
            lambda sealed=sealed: sealer.open(sealed, AAD),
            lambda text=text: sealer.seal_text(text, AAD),
        )
        print(f"{size:>9} {plain:>9.2f} {seal:>9.2f} {seal - plain:>7.2f} {opened:>9.2f} {texts:>9.2f}")


def _states(ring: KeyRing) -> None:
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

    state = {"messages": [{"role": "user", "text": "지난달 서울 매출을 분석해줘" * 5} for _ in range(100)]}
    inner = JsonPlusSerializer(pickle_fallback=False, allowed_msgpack_modules=None)
    serde = SealedSerde(inner, lambda thread: ring.sealer("acme", "checkpoint"))
    with row_context("t", "", "c", "messages"):
        plain, sealed = microseconds(
            300,
            lambda: inner.loads_typed(inner.dumps_typed(state)),
            lambda: serde.loads_typed(serde.dumps_typed(state)),
        )
    size = len(inner.dumps_typed(state)[1])
    print(f"a state of {size} bytes, written and read: plain {plain:.0f} µs, sealed {sealed:.0f} µs")


if __name__ == "__main__":
    main()
