"""Methods of dataclasses are kept for the next command: the same ones, of modules alone."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from metaagent.cli import dataclass_cache
from metaagent.cli.dataclass_cache import KeptMethods
from metaagent.language.cache_file import KeptFile

MODULE = """
from dataclasses import dataclass, field
@dataclass(frozen=True, slots=True, order=True)
class Visit:
    hospital: str
    visits: int = 3
    notes: tuple = field(default_factory=tuple, repr=False)
"""


def declared(kept: KeptMethods, monkeypatch: pytest.MonkeyPatch, source: str = MODULE) -> dict[str, Any]:
    """The names of a module that is imported while `kept` stands in."""
    monkeypatch.setattr(dataclasses, "exec", kept.run, raising=False)
    module = ModuleType("visits")
    monkeypatch.setitem(sys.modules, "visits", module)
    exec(compile(source, "visits.py", "exec"), vars(module))
    return vars(module)


def refused(*_: Any, **__: Any) -> Any:
    raise AssertionError("compiled again")


@pytest.fixture(autouse=True)
def _written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.dont_write_bytecode", False)


def test_kept_dataclass_is_not_compiled_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = KeptFile(tmp_path / "kept")
    made = declared(KeptMethods(file), monkeypatch)["Visit"]
    file.keep()
    monkeypatch.setattr(dataclass_cache, "compile", refused, raising=False)
    again = declared(KeptMethods(KeptFile(tmp_path / "kept")), monkeypatch)["Visit"]
    assert repr(again("서울")) == repr(made("서울")) == "Visit(hospital='서울', visits=3)"
    assert (again("서울"), hash(again("a", 1))) == (again("서울", 3), hash(again("a", 1)))
    assert again("a", 1) < again("b", 0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        again("서울").visits = 4
    with pytest.raises(TypeError, match="hospital"):
        again()


def test_class_that_a_function_makes_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = KeptFile(tmp_path / "kept")
    source = "import dataclasses\ndef made():\n    return dataclasses.make_dataclass('Row', ['hong_gildong'])\nRow = made()"
    row = declared(KeptMethods(file), monkeypatch, source + MODULE)["Row"]
    assert row(1) == row(1)
    file.keep()
    written = (tmp_path / "kept").read_bytes()
    assert b"hospital" in written
    assert b"hong_gildong" not in written
