"""Broken plugins, as the command line names them."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from tests.support.command_line import run_cli
from tests.support.plugins import AGENTS, install


def declared(name: str, function: str, more: str = "") -> str:
    options = f"name='{name}', capabilities=['x'], produces=['y'], {more}"
    return f"from metaagent.plugin import agent\n@agent({options})\n{function}"


BROKEN = {
    "import_error": ("import no_such_module_anywhere", "run", "ModuleNotFoundError"),
    "syntax_error": ("def run(:", "run", "SyntaxError"),
    "exits": ("raise SystemExit(3)", "run", "SystemExit"),
    "no_attribute": ("", "run", "AttributeError"),
    "not_an_agent": ("async def run(task, ctx): ...", "run", "metaagent.plugin.agent"),
    "signature": (
        declared("signature", "async def run(task): ..."),
        "run",
        "signature(task: Task, ctx: Context)",
    ),
    "plain": (declared("plain", "def run(task, ctx): ..."), "run", "a plain function"),
    "port": (
        declared("port", "async def run(task, ctx): ...", "needs=['database']"),
        "run",
        "among db, vectors",
    ),
    "option": (declared("option", "async def run(task, ctx): ...", "tiemout=3"), "run", "tiemout"),
    "duplicate": (AGENTS, "echo", "'echo' is taken by demo-agents"),
}


def test_broken_plugins_are_named_and_do_not_stop_others(tmp_path: Path):
    site, config = tmp_path / "site", tmp_path / "settings.yaml"
    install(site, "demo-agents", AGENTS, a_echo="echo")
    for name, (code, attribute, _) in BROKEN.items():
        install(site, f"plugin-{name.replace('_', '-')}", code, **{name: attribute})
    install(site, "unwanted", "raise RuntimeError('it was loaded')", unwanted="run")
    allowed = ["demo-agents", *(f"plugin-{name.replace('_', '-')}" for name in BROKEN)]
    config.write_text(yaml.safe_dump({"agents": {"allow": allowed}}))
    listed = run_cli("agents", "--config", str(config), site=site)
    assert listed.returncode == 1
    text = " ".join(listed.stdout.split())
    for name, (_, _, remedy) in BROKEN.items():
        assert re.search(rf"✗ {name} .*{re.escape(remedy)}", text), (name, remedy, text)
    assert "add 'unwanted' to agents.allow" in text
    assert "it was loaded" not in text
    asked = run_cli("ask", "echo", "--config", str(config), "--data-dir", str(tmp_path / "d"), site=site)
    assert (asked.returncode, asked.stdout) == (0, "echo\n")
