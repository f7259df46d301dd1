"""The child's side of a call: `python -m metaagent.child.main MODULE:NAME MEMORY_MB CPU_SECONDS RESULT_MB PARENT`.

The payload comes by the standard input and the result goes to the standard output as it was when the process began;
what the function prints goes nowhere.
"""

from __future__ import annotations

import importlib
import os
import sys

import orjson

from metaagent.child.calling import DEFECT, NO_MEMORY, OK, REFUSED
from metaagent.child.limits import die_with_parent, leave_network, limit_call
from metaagent.errors import MetaAgentError


def main() -> None:
    target, memory_mb, cpu_seconds, result_mb, parent = sys.argv[1:6]
    out = os.dup(1)
    os.dup2(2, 1)
    die_with_parent(int(parent))
    leave_network()
    payload = sys.stdin.buffer.read()
    module, _, name = target.partition(":")
    limit_call(int(memory_mb), int(cpu_seconds), int(result_mb))
    kind, content = _outcome(module, name, payload)
    with os.fdopen(out, "wb") as answer:
        answer.write(kind)
        answer.write(content)
    os._exit(0)  # threads that a library left behind are not waited for


def _outcome(module: str, name: str, payload: bytes) -> tuple[bytes, bytes]:
    try:
        return OK, getattr(importlib.import_module(module), name)(payload)
    except MetaAgentError as error:
        said = {
            "class": type(error).__name__,
            "en": error.text.en,
            "ko": error.text.ko,
            "params": error.params,
        }
        return REFUSED, orjson.dumps(said, default=str)
    except MemoryError:
        return NO_MEMORY, b""
    except Exception as error:  # noqa: BLE001 - a parser may raise anything: it is reported
        return DEFECT, f"{type(error).__name__}: {error}".encode("utf-8", "replace")


if __name__ == "__main__":
    main()
