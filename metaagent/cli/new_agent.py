"""`metaagent agents new`: a package with one agent that works, its test, and what makes it known."""

from __future__ import annotations

import keyword
from pathlib import Path
from typing import Annotated

import typer

from metaagent.cli.door import Door, Reply
from metaagent.cli.startup import ui_language
from metaagent.errors import InputRefused, Text

Name = Annotated[str, typer.Argument(help="The agent's name: lower-case letters, digits and underscores.")]

_BAD_NAME = Text(
    en="{name!r} cannot be the name of an agent: use lower-case English letters, digits and underscores, beginning with a "
    "letter{near}. The words by which people ask for it, in Korean too, are written in the agent.",
    ko="{name!r}은(는) 에이전트 이름으로 쓸 수 없습니다. 영어 소문자로 시작해 소문자, 숫자, 밑줄만 쓰세요{near}. 사람들이 부르는 "
    "말(한국어 포함)은 에이전트 안에 적습니다.",
)
_KEYWORD = Text(
    en="{name!r} is a word of Python's own, so no module can be called that: try {name}_agent.",
    ko="{name!r}은(는) 파이썬의 예약어라 모듈 이름이 될 수 없습니다. {name}_agent는 어떨까요?",
)
_TAKEN = Text(
    en="The package {package} has an agent {name!r} already: choose another name.",
    ko="{package} 패키지에 이미 {name!r} 에이전트가 있습니다. 다른 이름을 고르세요.",
)
_MODULE = Text(
    en="{name!r} is the name of a module that Python or a package has already; the new one would hide it: try {name}_agent.",
    ko="{name!r}은(는) 파이썬이나 설치된 패키지의 모듈 이름이라 새 모듈이 그것을 가립니다. {name}_agent는 어떨까요?",
)
_THERE = Text(
    en="{path} is there already: choose another name, or remove it. Nothing was written.",
    ko="{path}이(가) 이미 있습니다. 다른 이름을 고르거나 지우세요. 아무것도 쓰지 않았습니다.",
)
_MADE = Text(
    en="A package with one agent is in {path}:", ko="에이전트 하나가 든 패키지를 {path}에 만들었습니다:"
)
_STEPS = Text(
    en="""Next:
  cd {path}
  python -m pytest                 run its tests
  python -m pip install -e .       make it known
  metaagent agents --config settings.yaml
  metaagent ask "{ask_en}" --config settings.yaml""",
    ko="""다음 순서:
  cd {path}
  python -m pytest                 시험 실행
  python -m pip install -e .       설치
  metaagent agents --config settings.yaml
  metaagent ask "{ask_ko}" --config settings.yaml""",
)

_PROJECT = """[build-system]
requires = ["setuptools>=68"]
build-backend = "setuptools.build_meta"

[project]
name = "{package}"
version = "0.1.0"
description = "An agent for metaagent"
requires-python = ">=3.11"
dependencies = ["metaagent"]

[project.entry-points."metaagent.agents"]
{name} = "{name}:{name}"

[tool.setuptools]
py-modules = ["{name}"]

[tool.pytest.ini_options]
pythonpath = ["."]
testpaths = ["tests"]
"""
_AGENT = '''"""The agent {name}: counts the words of a question. Replace what it does; keep what it declares true."""

from metaagent.plugin import Artifact, Capability, Context, Result, Task, Text, agent


@agent(
    name="{name}",
    description=Text(en="Count the words of a question", ko="질문의 낱말 세기"),
    # The words by which people ask for it.
    capabilities=[Capability("{name}", ko=("{ask_ko}",), en=("{ask_en}",))],
    produces={{"{name}_result": dict[str, int]}},
    needs=["progress"],
    timeout=10,
)
async def {name}(task: Task, ctx: Context) -> Result:
    words = ctx.shared["user_query"].split()
    await ctx.progress(50, "counted")
    korean, english = f"낱말 {{len(words)}}개입니다.", f"{{len(words)}} words."
    return Result(
        summary=korean if ctx.shared["language"] == "ko" else english,
        confidence=1.0,
        artifacts=[Artifact("{name}_result", {{"words": len(words)}})],
    )
'''
_TEST = '''"""The agent {name} does what it declares, in both languages."""

import asyncio

from metaagent.testing import check_agent

from {name} import {name}


def test_it_conforms_and_counts():
    result = asyncio.run(check_agent({name}, "{ask_en} please"))
    assert result.summary == "{count} words."
    assert result.artifacts[0].data == {{"words": {count}}}


def test_it_answers_in_korean():
    result = asyncio.run(check_agent({name}, "{ask_ko} 해줘", language="ko"))
    assert result.summary == "낱말 3개입니다."
'''
_SETTINGS = """# The packages whose agents may run.
agents:
  allow: [metaagent, {package}]
"""
_README = """# {package}

One agent for metaagent. `python -m pytest` runs its tests, `python -m pip install -e .` makes it known,
`metaagent agents --config settings.yaml` shows whether it is found.
"""


async def new(door: Door, name: Name) -> Reply:
    """Make a package with one agent that works, in the current folder."""
    check_name(name)
    words = name.replace("_", " ")
    asks = {"ask_ko": "낱말 세기", "ask_en": f"run {words}"}
    values = {
        "name": name,
        "package": name.replace("_", "-"),
        **asks,
        "count": str(len(asks["ask_en"].split()) + 1),
    }
    folder = Path.cwd() / values["package"]
    if folder.exists() or folder.is_symlink():
        raise InputRefused(_THERE, path=folder)
    files = {
        "pyproject.toml": _PROJECT,
        f"{name}.py": _AGENT,
        f"tests/test_{name}.py": _TEST,
        "settings.yaml": _SETTINGS,
        "README.md": _README,
    }
    (folder / "tests").mkdir(parents=True)
    for path, template in files.items():
        (folder / path).write_text(template.format_map(values), encoding="utf-8")
    language = ui_language()
    lines = [
        _MADE.say(language, path=folder),
        *(f"  {path}" for path in files),
        _STEPS.say(language, path=values["package"], **asks),
    ]
    return Reply({"folder": str(folder), "files": list(files)}, lines)


def check_name(name: str) -> None:
    """Refuse a name that cannot be an agent, a module and a package at once, and say which can."""
    from importlib.util import find_spec

    from metaagent.plugin import NAME
    from metaagent.registry import installed

    if not NAME.fullmatch(name):
        plain = "_".join("".join(c if c.isascii() and c.isalnum() else " " for c in name).lower().split())
        near = f" ({plain}?)" if NAME.fullmatch(plain) else ""
        raise InputRefused(_BAD_NAME, name=name, near=near)
    if keyword.iskeyword(name):
        raise InputRefused(_KEYWORD, name=name)
    for each in installed():
        if each.name == name:
            raise InputRefused(_TAKEN, package=each.package, name=name)
    if find_spec(name) is not None:
        raise InputRefused(_MODULE, name=name)
