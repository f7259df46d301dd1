"""Documents that follow from the code. `python -m tests.support.documents` writes them again; the tests compare."""

from __future__ import annotations

import json
from typing import Any

from metaagent.config import ENV_PREFIX, settings_list
from metaagent.graph import build_graph
from tests.support.paths import ROOT

DOCS = ROOT / "docs"
BEGIN, END = "<!-- generated: begin -->", "<!-- generated: end -->"


def settings_table() -> str:
    rows = [
        f"| `{name}` | `{_shown(name, default)}` | `{_variable(name)}` | {text} |"
        for name, default, text in settings_list()
    ]
    return "\n".join(["| setting | default | environment variable | meaning |", "|---|---|---|---|", *rows])


def _shown(name: str, default: Any) -> str:
    """Writes a value as YAML does; the data directory depends on the machine."""
    if name == "data_dir":
        return "$XDG_DATA_HOME/metaagent"
    return json.dumps(default)


def _variable(name: str) -> str:
    return ENV_PREFIX + name.upper().replace(".", "__")


def picture() -> str:
    return f"```mermaid\n{build_graph().get_graph().draw_mermaid().strip()}\n```"


GENERATED = {"settings.md": settings_table, "flow.md": picture}


def generated_part(name: str) -> str:
    text = (DOCS / name).read_text(encoding="utf-8")
    return text.split(BEGIN)[1].split(END)[0].strip()


def write(name: str) -> None:
    path = DOCS / name
    before, rest = path.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    path.write_text(f"{before}{BEGIN}\n{GENERATED[name]()}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    for document in GENERATED:
        write(document)
