"""The prompts: files with a version in front, filled with values that are fenced off from the instructions."""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import yaml

from metaagent.protection.escaping import defang

_FRONT = re.compile(
    r"---\n(?P<front>.*?)\n---\n(?P<system>.*?)\n<!-- message -->\n(?P<message>.*)", re.DOTALL
)
_SLOT = re.compile(r"\{\{ (\w+) \}\}")


@dataclass(frozen=True)
class Prompt:
    name: str
    version: int
    system: str
    message: str

    def filled(self, **values: Any) -> list[tuple[str, str]]:
        """The instructions and one message. Each value stands as JSON between marks that nobody can know beforehand:
        no text in it can end its fence."""
        mark = secrets.token_hex(8)

        def fenced(found: re.Match[str]) -> str:
            content = json.dumps(values[found[1]], ensure_ascii=False, indent=1)
            content = content.encode("utf-8", "replace").decode()
            return f'<data name="{found[1]}" mark="{mark}">\n{defang(content)}\n</data {mark}>'

        return [("system", self.system), ("human", _SLOT.sub(fenced, self.message))]


@cache
def prompt(name: str) -> Prompt:
    text = resources.files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8")
    parts = _FRONT.fullmatch(text)
    assert parts is not None, f"prompt {name} has no front matter or no message"
    front = yaml.safe_load(parts["front"])
    return Prompt(name, int(front["version"]), parts["system"].strip(), parts["message"].strip())
