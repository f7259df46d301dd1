"""Declarations of isolated agents, read in a process of their own: the service never imports their code.

    python -m metaagent.isolation.declare MODULE:ATTRIBUTE

The process has a bare environment and limits, imports the agent and writes its declaration as JSON. What comes back is
untrusted: it is checked like any declaration, and its types stay in the child, where results are checked against them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, NoReturn

from metaagent.child.containment import contain
from metaagent.errors import PluginInvalid, Text
from metaagent.plugin import AgentSpec, Capability, Context, Result, Task, check_spec

SECONDS = 60
MEMORY_MB = 2048
DISK_MB = 64
LARGEST = 1_000_000
PLAIN = (
    *("name", "consumes", "permissions", "timeout", "retries", "side_effects"),
    *("risk", "cost", "tokens", "seconds", "memory_gb", "team"),
)

_NOT_READ = Text(
    en="its declaration could not be read in a process of its own: {problem}. Fix the package or uninstall it.",
    ko="별도 프로세스에서 선언을 읽지 못했습니다: {problem}. 패키지를 고치거나 제거하세요.",
)


def as_json(spec: AgentSpec) -> dict[str, Any]:
    return {
        **{name: getattr(spec, name) for name in PLAIN},
        "description": asdict(spec.description),
        "capabilities": [asdict(each) for each in spec.capabilities],
        "produces": list(spec.produces),
        "also_called": {kind: list(names) for kind, names in spec.also_called.items()},
        "needs": sorted(spec.needs),
        "params": spec.params is not None,
    }


def from_json(raw: dict[str, Any]) -> AgentSpec:
    """A checked declaration whose agent runs elsewhere. Raises KeyError, TypeError or ValueError for anything else."""

    async def elsewhere(task: Task, ctx: Context) -> Result:
        raise AssertionError(f"{raw['name']} runs in a process of its own")

    capabilities = [
        Capability(str(each["name"]), tuple(each["ko"]), tuple(each["en"])) for each in raw["capabilities"]
    ]
    plain: dict[str, Any] = {name: raw[name] for name in PLAIN}
    plain |= {"consumes": tuple(raw["consumes"]), "permissions": tuple(raw["permissions"])}
    return check_spec(
        AgentSpec(
            **plain,
            run=elsewhere,
            description=Text(**raw["description"]),
            capabilities=tuple(capabilities),
            produces=dict.fromkeys(raw["produces"]),
            also_called={str(kind): tuple(map(str, names)) for kind, names in raw["also_called"].items()},
            needs=frozenset(raw["needs"]),
            params=dict[str, Any] if raw["params"] else None,
        )
    )


def read_declaration(target: str, environment: dict[str, str], hidden: Sequence[str] = ()) -> AgentSpec:
    """Raises PluginInvalid where there is none."""
    command = (sys.executable, "-P", "-m", "metaagent.isolation.declare", target, *hidden)
    try:
        done = subprocess.run(  # noqa: S603 - no shell; the target is an entry point of an installed package
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=True,
        )
        return from_json(json.loads(done.stdout[:LARGEST]))
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode("utf-8", "replace").strip().splitlines()
        raise PluginInvalid(
            _NOT_READ, problem=said[-1][:300] if said else f"exit code {error.returncode}"
        ) from error
    except (OSError, subprocess.TimeoutExpired, ValueError, KeyError, TypeError, AttributeError) as error:
        raise PluginInvalid(_NOT_READ, problem=type(error).__name__) from error


def _declare(target: str, answer: int, folder: str, hidden: Sequence[str]) -> NoReturn:
    from metaagent.isolation.main import find_agent, limit_resources

    code = 1
    try:
        contain(network=False, folder=folder, disk_mb=DISK_MB, hidden=hidden)
        limit_resources(MEMORY_MB, SECONDS, DISK_MB)
        spec = find_agent(target)
        with os.fdopen(answer, "w") as file:
            json.dump(as_json(spec), file)
        code = 0
    except BaseException as error:  # noqa: BLE001 - whatever a plugin raises, it is reported and this process ends
        os.write(2, f"{type(error).__name__}: {error}".encode("utf-8", "replace"))
    finally:
        os._exit(code)


def main() -> None:
    answer = os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 1)  # what the plugin prints is no declaration
    target, *hidden = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="metaagent-") as folder:
        child = os.fork()  # only the child is contained: this process removes the folder
        if child == 0:
            _declare(target, answer, folder, hidden)
        _, status = os.waitpid(child, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


if __name__ == "__main__":
    main()
