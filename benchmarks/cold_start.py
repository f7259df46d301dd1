"""CPU of commands in a new process, in units of `python -c "import langgraph.graph"`: `python -m benchmarks.cold_start`.

User and system time of the whole process, its end included; the least of several rounds, because machines are noisy.
Sides alternate. The byte code of this package is compiled first, as an installation does it.
"""

from __future__ import annotations

import argparse
import compileall
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import metaagent

REFERENCE = "import langgraph.graph"
QUESTION = "지난달 서울 매출은?"
COMMANDS: dict[str, tuple[tuple[str, ...], float]] = {
    "--help": (("--help",), 0.25),
    "ask": (("ask", QUESTION), 1.6),
    "ask, 분석해줘": (("ask", "지난달 서울 매출 분석해줘"), 1.8),
    "sessions list": (("sessions", "list"), 0.8),
    "explain": (("explain", QUESTION), 0.8),
    "doctor": (("doctor",), 0.8),
}
"""Words of each command, and the target."""


def cpu(words: list[str]) -> float:
    """Seconds of user and system time that a process takes, from its start to its end."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    with Path(os.devnull).open("r+b") as nothing:
        process = subprocess.Popen(words, stdin=nothing, stdout=nothing, stderr=nothing, env=environment)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, (words, process.returncode)
    return used.ru_utime + used.ru_stime


def measure(rounds: int) -> dict[str, float]:
    """The least seconds of each command, and of the reference."""
    compileall.compile_dir(Path(metaagent.__file__).parent, quiet=2)
    with tempfile.TemporaryDirectory() as folder:
        program, place = [sys.executable, "-m", "metaagent.cli"], ["--data-dir", folder]
        cpu([*program, "demo", *place])
        sides = {REFERENCE: [sys.executable, "-c", REFERENCE]}
        for name, (words, _) in COMMANDS.items():
            sides[name] = [*program, *words, *(place if name != "--help" else [])]
        taken: dict[str, list[float]] = {name: [] for name in sides}
        for _ in range(rounds):
            for name, words in sides.items():
                taken[name].append(cpu(words))
    return {name: min(each) for name, each in taken.items()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    found = measure(parser.parse_args().rounds)
    reference = found[REFERENCE]
    print(f"{REFERENCE:24} {reference * 1e3:6.0f} ms CPU")
    for name, (_, target) in COMMANDS.items():
        print(
            f"{name:24} {found[name] * 1e3:6.0f} ms   ratio {found[name] / reference:.2f} (target {target})"
        )


if __name__ == "__main__":
    main()
