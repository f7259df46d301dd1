from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from metaagent.audit import verifier as audit_verifier
from metaagent.audit.review import export_jsonl, retain
from tests.support.audit_world import World, an_event, make_ring


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, make_ring(tmp_path))


def exported(world: World) -> tuple[Path, Path]:
    export, key = world.folder / "export.jsonl", world.folder / "public.pem"
    with world.open() as log, export.open("wb") as file:
        export_jsonl(log, "acme", file)
    key.write_text(world.ring.public_key())
    return export, key


def test_the_standalone_verifier_runs_alone_and_agrees(world: World):
    with world.open(every_entries=10, max_batch=10) as log:
        for number in range(35):
            log.append(an_event(number, data={"q": "한글\n\x7f\u2028\U0001f600\x01"})).result()
    export, key = exported(world)
    program = world.folder / "verifier.py"
    program.write_bytes(Path(audit_verifier.__file__).read_bytes())
    assert len(program.read_text().splitlines()) <= 200
    assert "import metaagent" not in program.read_text()
    run = subprocess.run(
        [sys.executable, "-I", program, export, key],
        cwd=world.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("VERIFIED: entries 1 to 35 of tenant acme")
    with world.open() as log:
        retain(log, "acme", before="2999", actor="ops")
    export, key = exported(world)
    assert audit_verifier.main([str(export), str(key)]) == 0


Attack = tuple[Callable[[list[bytes]], list[bytes]], str]
ATTACKS: dict[str, Attack] = {
    "cut": (lambda lines: lines[:-1], "missing (the tail was cut)"),
    "delete": (lambda lines: lines[:10] + lines[11:], "removed, inserted or moved"),
    "swap": (lambda lines: [*lines[:10], lines[11], lines[10], *lines[12:]], "removed, inserted or moved"),
    "edit": (lambda lines: changed(lines, 10, b"ok", b"no"), "does not follow entry"),
    "edit last": (lambda lines: changed(lines, 21, b"ok", b"no"), "not what was signed"),
    "spelling": (lambda lines: changed(lines, 10, b'{"a', b'{ "a'), "not canonical"),
    "junk": (lambda lines: changed(lines, 10, b"{", b"["), "unreadable"),
    "tenant": (lambda lines: changed(lines, 10, b"acme", b"evil"), "written for tenant evil"),
    "header": (lambda lines: changed(lines, 0, b"acme", b"evil"), "signed for metaagent-audit-v1/acme"),
    "head": (lambda lines: [*lines[:2], *lines[5:]], "no signed note says"),
    "note": (lambda lines: changed(lines, 1, b'"size":20', b'"size":21'), "wrong signature"),
}


def changed(lines: list[bytes], place: int, old: bytes, new: bytes) -> list[bytes]:
    return [*lines[:place], lines[place].replace(old, new), *lines[place + 1 :]]


@pytest.mark.parametrize("name", ATTACKS)
def test_the_standalone_verifier_finds_the_attack(
    world: World, capsys: pytest.CaptureFixture[str], name: str
):
    attack, says = ATTACKS[name]
    world.fill(20)
    export, key = exported(world)
    export.write_bytes(b"\n".join(attack(export.read_bytes().splitlines())) + b"\n")
    assert audit_verifier.main([str(export), str(key)]) == 1
    assert says in capsys.readouterr().out


def test_standalone_verifier_checks_key_anchor_and_usage(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    world.fill(20)
    export, key = exported(world)
    anchor = world.notes.path("acme")
    assert audit_verifier.main([str(export), str(key), str(anchor)]) == 0
    lines = export.read_bytes().splitlines()
    export.write_bytes(b"\n".join([lines[0], *lines[2:10]]))
    assert audit_verifier.main([str(export), str(key)]) == 1
    assert audit_verifier.main([str(export), str(key), str(anchor)]) == 1
    export.write_bytes(b"\n".join(lines))
    key.write_text(make_ring(tmp_path / "other").public_key())
    assert audit_verifier.main([str(export), str(key)]) == 1
    assert "unknown key" in capsys.readouterr().out
    assert audit_verifier.main([]) == audit_verifier.main([str(export), str(export)]) == 2
