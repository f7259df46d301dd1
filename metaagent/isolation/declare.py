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
from dataclasses import asdict
from typing import Any

from metaagent.errors import PluginInvalid, Text
from metaagent.plugin import AgentSpec, Capability, Context, Result, Task, check_spec

SECONDS = 60
MEMORY_MB = 2048
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
            needs=frozenset(raw["needs"]),
            params=dict[str, Any] if raw["params"] else None,
        )
    )


def read_declaration(target: str, environment: dict[str, str]) -> AgentSpec:
    """Raises PluginInvalid where there is none."""
    command = (sys.executable, "-P", "-m", "metaagent.isolation.declare", target)
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


def main() -> None:
    from metaagent.isolation.main import find_agent, limit_resources

    answer = os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 1)  # what the plugin prints is no declaration
    limit_resources(MEMORY_MB, SECONDS)
    spec = find_agent(sys.argv[1])
    with os.fdopen(answer, "w") as file:
        json.dump(as_json(spec), file)
    os._exit(0)


if __name__ == "__main__":
    main()
