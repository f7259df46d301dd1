from __future__ import annotations

import base64
import os
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

import orjson
import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from metaagent.errors import (
    ConfigInvalid,
    KeyUnavailable,
    NewerSchema,
    PluginInvalid,
    RowRefused,
    StorageError,
)
from metaagent.protection.keys import providers as key_providers
from metaagent.protection.keys.providers import LocalKek, aes_unwrap, env_kek, file_kek, keyring_kek, provider
from metaagent.protection.keys.records import kek_context
from metaagent.protection.keys.ring import KeyRing
from metaagent.protection.sealing import frame, kid_of
from tests.support.audit_world import make_ring
from tests.support.paths import ROOT

SECRET = base64.b64encode(b"s" * 32).decode()


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_the_key_file_is_made_private_on_first_run_and_kept(tmp_path: Path):
    path = tmp_path / "new" / "kek"
    first = file_kek(path)
    assert first.made
    assert (mode(path), mode(path.parent)) == (0o600, 0o700)
    second = file_kek(path)
    assert not second.made
    assert first.kek_id == second.kek_id
    assert [file.name for file in path.parent.iterdir()] == ["kek"]


def test_a_key_that_others_can_read_is_refused(tmp_path: Path):
    file_kek(tmp_path / "kek")
    (tmp_path / "kek").chmod(0o640)
    with pytest.raises(ConfigInvalid, match="chmod 600"):
        file_kek(tmp_path / "kek")


def test_a_folder_in_which_others_can_write_is_refused(tmp_path: Path):
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    with pytest.raises(ConfigInvalid, match="chmod 700"):
        file_kek(tmp_path / "open" / "kek")


def test_a_lost_key_file_is_not_silently_made_anew(tmp_path: Path):
    with pytest.raises(KeyUnavailable, match="file:"):
        file_kek(tmp_path / "kek", create=False)


@pytest.mark.parametrize("content", ["", "short", "not base64!", base64.b64encode(b"x" * 31).decode()])
def test_a_damaged_key_is_refused(tmp_path: Path, content: str):
    path = tmp_path / "kek"
    path.write_text(content)
    path.chmod(0o600)
    with pytest.raises(ConfigInvalid, match="32 bytes"):
        file_kek(path)


def test_many_first_runs_at_once_agree_on_one_key(tmp_path: Path):
    ids: list[str] = []
    threads = [
        threading.Thread(target=lambda: ids.append(file_kek(tmp_path / "kek").kek_id)) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ids) == 8
    assert len(set(ids)) == 1


def test_the_key_can_come_from_the_environment(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TEST_KEK", SECRET)
    assert provider("env:TEST_KEK").kek_id == env_kek("TEST_KEK").kek_id
    monkeypatch.delenv("TEST_KEK")
    with pytest.raises(KeyUnavailable, match="env:TEST_KEK"):
        provider("env:TEST_KEK")


def test_the_key_can_come_from_the_keyring(monkeypatch: pytest.MonkeyPatch):
    stored: dict[tuple[str, str], str] = {}
    fake: Any = ModuleType("keyring")

    def set_password(service: str, name: str, value: str) -> None:
        stored[service, name] = value

    def get_password(service: str, name: str) -> str | None:
        return stored.get((service, name))

    fake.get_password, fake.set_password = get_password, set_password
    monkeypatch.setitem(sys.modules, "keyring", fake)
    first = keyring_kek("metaagent")
    assert first.made
    assert provider("keyring:metaagent").kek_id == first.kek_id


def test_a_missing_keyring_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(ConfigInvalid, match="pip install keyring"):
        provider("keyring:metaagent")


class FakeEntry:
    def __init__(self, made: Any) -> None:
        self.made = made

    def load(self) -> Any:
        def make(rest: str) -> Any:
            return self.made

        return make


def test_a_plugin_provides_keys_by_its_name(monkeypatch: pytest.MonkeyPatch):
    vault = LocalKek(b"v" * 32)
    known = {"vault": [FakeEntry(vault)], "bad": [FakeEntry(object())]}

    def entry_points(group: str, name: str) -> list[FakeEntry]:
        return known.get(name, [])

    monkeypatch.setattr(key_providers, "entry_points", entry_points)
    assert provider("vault:transit/x") is vault
    with pytest.raises(PluginInvalid):
        provider("bad:x")
    with pytest.raises(ConfigInvalid, match="nowhere"):
        provider("nowhere:x")


def test_neither_repr_nor_status_nor_file_shows_a_secret(tmp_path: Path):
    kek = file_kek(tmp_path / "kek")
    ring = KeyRing(tmp_path / "keys.json", kek)
    ring.sealer("acme", "state", "kim-user-id").seal(b"")
    secret = (tmp_path / "kek").read_text().strip()
    stored = (tmp_path / "keys.json").read_text()
    for shown in (repr(kek), str(ring.status()), stored):
        assert secret not in shown
        assert "kim-user-id" not in shown
    assert mode(tmp_path / "keys.json") == 0o600


def test_after_rotation_the_newest_key_writes_and_all_read(tmp_path: Path):
    ring = make_ring(tmp_path)
    for person in (None, "kim"):
        sealer = ring.sealer("acme", "state", person)
        old = sealer.seal(b"old")
        version = ring.rotate("acme")
        new = sealer.seal(b"new")
        assert f"{version}-".encode() in new[:10]
        assert (sealer.open(old), sealer.open(new)) == (b"old", b"new")
    assert ring.status()["tenants"]["acme"]["newest"] == 3


def test_values_sealed_by_a_retired_key_are_refused(tmp_path: Path):
    ring = make_ring(tmp_path)
    sealers = [ring.sealer("acme", "state", person) for person in (None, "kim")]
    old = [sealer.seal(b"old") for sealer in sealers]
    ring.rotate("acme")
    assert len(ring.retire("acme", 2)) == 2
    for same in (ring, make_ring(tmp_path)):
        for person, value in zip((None, "kim"), old, strict=True):
            sealer = same.sealer("acme", "state", person)
            with pytest.raises(RowRefused, match="v1 < v2"):
                sealer.open(value)
            assert sealer.open(sealer.seal(b"new")) == b"new"
    for version in (1, 3):
        with pytest.raises(ConfigInvalid, match="between 2 and 2"):
            ring.retire("acme", version)


def test_retired_key_opens_only_the_audit_trail(tmp_path: Path):
    ring = make_ring(tmp_path)
    told = ring.sealer("acme", "audit", "kim").seal(b"told")
    kept = ring.sealer("acme", "store", "kim").seal(b"kept")
    for version in (2, 3):  # what is left of a key outlives the next rotation, too
        ring.rotate("acme")
        ring.retire("acme", version)
        for same in (ring, make_ring(tmp_path)):
            assert same.reader("acme", "audit").open(told) == b"told"
            assert same.sealer("acme", "audit", "kim").open(told) == b"told"
            with pytest.raises(RowRefused, match="not allowed any more"):
                same.reader("acme", "store").open(kept)
    kids = ring.destroy_person("acme", "kim")
    assert len(kids) == 3
    with pytest.raises(KeyUnavailable, match="destroyed on"):
        ring.reader("acme", "audit").open(told)


def test_retired_key_leaves_nothing_that_opens_its_values(tmp_path: Path):
    """Whoever has the KEK and the key file of today cannot make the old key from them."""
    kek = LocalKek(b"k" * 32)
    ring = make_ring(tmp_path)
    kept = ring.sealer("acme", "store", "kim").seal(b"kept")
    file = tmp_path / "keys" / "keys.json"
    before = orjson.loads(file.read_bytes())["tenants"]["acme"]
    (person,) = before["people"].values()
    ring.rotate("acme")
    ring.retire("acme", 2)
    after = file.read_text()
    assert before["keys"][0]["wrapped"] not in after
    assert person["keys"][0]["wrapped"] not in after
    doc = orjson.loads(after)
    (left,) = next(iter(doc["tenants"]["acme"]["people"].values()))["retired"]
    parent = kek.unwrap(
        base64.b64decode(doc["tenants"]["acme"]["keys"][0]["wrapped"]), kek_context(left["by"])
    )
    info = frame(("metaagent/hkdf/1", "acme", "people", left["by"]))
    wrapping = HKDF(SHA256(), 32, None, info).derive(parent)
    raw = aes_unwrap(wrapping, base64.b64decode(left["wrapped"]), f"{left['kid']}/audit".encode())
    start = 5 + len(left["kid"])
    for purpose in ("store", "audit"):
        info = frame(("metaagent/hkdf/1", "acme", purpose, left["kid"]))
        for key in (raw, HKDF(SHA256(), 32, None, info).derive(raw)):
            aad = frame(("ma1", "a256gcm", "acme", "store", left["kid"])) + frame(())
            with pytest.raises(InvalidTag):
                AESGCM(key).decrypt(kept[start : start + 12], kept[start + 12 :], aad)


def test_value_is_resealed_without_knowing_its_owner(tmp_path: Path):
    ring = make_ring(tmp_path)
    old = {person: ring.sealer("acme", "store", person).seal(b"x", ("r",)) for person in (None, "kim", "lee")}
    ring.rotate("acme")
    for person, value in old.items():
        kid = kid_of(value)
        assert ring.superseded(kid) == "acme"
        new = ring.resealer("acme", "store", kid).reseal(value, ("r",))
        assert ring.superseded(kid_of(new)) is None
        assert ring.sealer("acme", "store", person).open(new, ("r",)) == b"x"
    with pytest.raises(RowRefused):
        ring.resealer("acme", "store", kid_of(old["kim"])).open(old["lee"], ("r",))


def test_a_change_of_the_kek_leaves_every_value_readable(tmp_path: Path):
    ring = make_ring(tmp_path)
    sealed = {person: ring.sealer("acme", "state", person).seal(b"x") for person in (None, "kim", "lee")}
    public = ring.public_key()
    assert ring.rewrap(LocalKek(b"n" * 32)) == 3
    for same in (ring, make_ring(tmp_path, b"n" * 32)):
        assert all(
            same.sealer("acme", "state", person).open(value) == b"x" for person, value in sealed.items()
        )
        assert same.public_key() == public


def test_a_lost_kek_says_what_cannot_be_read(tmp_path: Path):
    ring = make_ring(tmp_path)
    sealed = ring.sealer("acme", "state").seal(b"x")
    ring.sealer("acme", "state", "kim").seal(b"x")
    stranger = make_ring(tmp_path, b"z" * 32)
    assert not stranger.status()["unlocked"]
    with pytest.raises(KeyUnavailable, match=r"acme \(k1-.*\) \+ 1"):
        stranger.sealer("acme", "state").open(sealed)
    with pytest.raises(KeyUnavailable):
        stranger.rewrap(LocalKek(b"y" * 32))
    assert ring.sealer("acme", "state").open(sealed) == b"x"


def test_an_unknown_key_names_the_row_that_needs_it(tmp_path: Path):
    ours, theirs = make_ring(tmp_path / "a"), make_ring(tmp_path / "b")
    sealed = theirs.sealer("acme", "state").seal(b"x", ("s1", "field"))
    with pytest.raises(KeyUnavailable, match=r"k1-[0-9a-f]+.*acme/state/s1/field"):
        ours.sealer("acme", "state").open(sealed, ("s1", "field"))


def test_destroying_a_person_leaves_the_others(tmp_path: Path):
    ring = make_ring(tmp_path)
    kim, lee = (ring.sealer("acme", "memory", person) for person in ("kim", "lee"))
    of_kim, of_lee = kim.seal(b"kim"), lee.seal(b"lee")
    ring.rotate("acme")
    alias = ring.alias("acme", "kim")
    kids = ring.destroy_person("acme", "kim")
    assert len(kids) == 2
    assert ring.destroy_person("acme", "kim") == kids
    for same in (ring, make_ring(tmp_path)):
        with pytest.raises(KeyUnavailable, match="destroyed on"):
            same.sealer("acme", "memory", "kim").open(of_kim)
        with pytest.raises(KeyUnavailable, match="destroyed on"):
            same.sealer("acme", "memory", "kim").seal(b"more")
        with pytest.raises(KeyUnavailable):
            same.reader("acme", "memory").open(of_kim)
        assert same.sealer("acme", "memory", "lee").open(of_lee) == b"lee"
    assert alias not in (tmp_path / "keys" / "keys.json").read_text()
    assert ring.status()["tenants"]["acme"]["erased"] == 1


def test_a_person_who_comes_back_is_someone_new(tmp_path: Path):
    ring = make_ring(tmp_path)
    kim = ring.sealer("acme", "memory", "kim")
    old, alias = kim.seal(b"old"), ring.alias("acme", "kim")
    ring.destroy_person("acme", "kim")
    ring.readmit_person("acme", "kim")
    new = kim.seal(b"new")
    assert kim.open(new) == b"new"
    assert ring.alias("acme", "kim") != alias
    with pytest.raises(KeyUnavailable, match="destroyed on"):
        kim.open(old)
    ring.destroy_person("acme", "kim")
    for value in (old, new):
        with pytest.raises(KeyUnavailable, match="destroyed on"):
            kim.open(value)


def test_a_guard_can_refuse_destruction(tmp_path: Path):
    ring = make_ring(tmp_path)
    sealed = ring.sealer("acme", "memory", "kim").seal(b"x")

    def refuse(tenant: str, person: str) -> None:
        raise StorageError(key_providers.BACKUP, path=f"{tenant}/{person}")

    ring.guards.append(refuse)
    with pytest.raises(StorageError):
        ring.destroy_person("acme", "kim")
    assert ring.sealer("acme", "memory", "kim").open(sealed) == b"x"


def test_a_reader_opens_for_any_person_of_its_tenant_only(tmp_path: Path):
    ring = make_ring(tmp_path)
    reader = ring.reader("acme", "audit")
    assert reader.open(ring.sealer("acme", "audit", "kim").seal(b"x")) == b"x"
    for foreign in (ring.sealer("globex", "audit", "kim"), ring.sealer("acme", "audit")):
        with pytest.raises(RowRefused):
            reader.open(foreign.seal(b"x"))
    with pytest.raises(KeyUnavailable):
        reader.seal(b"x")


def test_another_process_may_rotate_and_erase_at_any_time(tmp_path: Path):
    here, there = make_ring(tmp_path, refresh=0.0), make_ring(tmp_path, refresh=0.0)
    kim = here.sealer("acme", "state", "kim")
    kim.seal(b"x")
    there.rotate("acme")
    new = there.sealer("acme", "state", "kim").seal(b"new")
    assert make_ring(tmp_path, refresh=1e9).sealer("acme", "state", "kim").open(new) == b"new"
    assert kim.open(new) == b"new"
    assert kim.seal(b"x")[4:8] == b"\x13p2-"
    there.destroy_person("acme", "kim")
    with pytest.raises(KeyUnavailable):
        kim.open(new)


def test_an_unknown_key_is_looked_up_at_once(tmp_path: Path):
    here, there = make_ring(tmp_path, refresh=1e9), make_ring(tmp_path)
    here.sealer("acme", "state").seal(b"x")
    there.rotate("acme")
    assert here.sealer("acme", "state").open(there.sealer("acme", "state").seal(b"new")) == b"new"


def test_threads_seal_and_open_while_keys_rotate(tmp_path: Path):
    ring = make_ring(tmp_path)
    failures: list[BaseException] = []
    done = threading.Event()

    def work(person: str | None) -> None:
        try:
            kept = [(b"", ring.sealer("acme", "state", person).seal(b""))]
            while not done.is_set():
                data = os.urandom(8)
                kept.append((data, ring.sealer("acme", "state", person).seal(data)))
                assert all(
                    ring.sealer("acme", "state", person).open(value) == plain for plain, value in kept[-20:]
                )
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=work, args=(person,)) for person in (None, "kim", "lee")]
    for thread in threads:
        thread.start()
    for number in range(15):
        ring.rotate("acme")
        if number % 5 == 4:
            ring.rewrap(LocalKek(bytes([number]) * 32))
    done.set()
    for thread in threads:
        thread.join()
    assert not failures


def test_processes_that_start_together_share_all_keys(tmp_path: Path):
    code = (
        "import sys, pathlib; from metaagent.protection.keys.ring import KeyRing; from metaagent.protection.keys.providers "
        "import file_kek\n"
        "folder = pathlib.Path(sys.argv[1]); ring = KeyRing(folder / 'keys.json', file_kek(folder / 'kek'))\n"
        "for n in range(5): ring.rotate('acme')\n"
        "print(ring.sealer('acme', 'state', sys.argv[2]).seal_text('x'))"
    )
    names = ("kim", "lee", "kim")
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path), name], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        for name in names
    ]
    sealed = [process.communicate(timeout=240)[0].strip() for process in running]
    ring = KeyRing(tmp_path / "keys.json", file_kek(tmp_path / "kek", create=False))
    assert [
        ring.sealer("acme", "state", name).open_text(value) for name, value in zip(names, sealed, strict=True)
    ] == ["x"] * 3
    assert ring.status()["tenants"]["acme"]["newest"] == 16


def test_a_failed_write_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    ring = make_ring(tmp_path)
    sealer = ring.sealer("acme", "state")
    before = sealer.seal(b"x")

    def full(path: Path, content: bytes) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("metaagent.protection.keys.store.replace_private", full)
    with pytest.raises(OSError, match="disk full"):
        ring.rotate("acme")
    with pytest.raises(OSError, match="disk full"):
        ring.rewrap(LocalKek(b"n" * 32))
    assert sealer.seal(b"x")[5:24] == before[5:24]
    assert make_ring(tmp_path).sealer("acme", "state").open(sealer.seal(b"y")) == b"y"


def test_a_damaged_or_newer_key_file_is_never_overwritten(tmp_path: Path):
    make_ring(tmp_path)
    path = tmp_path / "keys" / "keys.json"
    for content, error in (("{", StorageError), ("[]", StorageError), ('{"format": 99}', NewerSchema)):
        path.write_text(content)
        with pytest.raises(error):
            make_ring(tmp_path)
        assert path.read_text() == content
    path.chmod(0o644)
    with pytest.raises(ConfigInvalid):
        make_ring(tmp_path)


def _swap_people(doc: dict[str, Any]) -> None:
    people = doc["tenants"]["acme"]["people"]
    (one, first), (other, second) = people.items()
    people[one], people[other] = second, first


def _take_alias(doc: dict[str, Any]) -> None:
    first, second = doc["tenants"]["acme"]["people"].values()
    first["alias"] = second["alias"]


def _lower_minimum(doc: dict[str, Any]) -> None:
    doc["tenants"]["acme"]["min"] = 0


def _strip_proof(doc: dict[str, Any]) -> None:
    _swap_people(doc)
    del doc["proof"]


def _feign_first_format(doc: dict[str, Any]) -> None:
    _strip_proof(doc)
    doc["format"] = 1


@pytest.mark.parametrize(
    "attack",
    [_swap_people, _take_alias, _lower_minimum, _strip_proof, _feign_first_format],
    ids=lambda attack: attack.__name__,
)
def test_a_key_file_edited_without_the_kek_is_refused(tmp_path: Path, attack: Any):
    """Whoever can write the file could otherwise give one person the keys of another."""
    running = make_ring(tmp_path, refresh=0.0)
    sealed = running.sealer("acme", "store", "kim").seal(b"x")
    running.sealer("acme", "store", "lee").seal(b"y")
    path = tmp_path / "keys" / "keys.json"
    doc = orjson.loads(path.read_bytes())
    attack(doc)
    path.write_bytes(orjson.dumps(doc))
    for ring in (lambda: running, lambda: make_ring(tmp_path)):
        for person in ("kim", "lee"):
            with pytest.raises((StorageError, KeyUnavailable)):
                ring().sealer("acme", "store", person).open(sealed)


def test_a_key_that_comes_back_from_a_backup_is_destroyed_again(tmp_path: Path):
    ring = make_ring(tmp_path)
    path = tmp_path / "keys" / "keys.json"
    told = ring.sealer("acme", "audit", "kim").seal(b"told")
    other = ring.sealer("acme", "audit", "lee").seal(b"other")
    backup = path.read_bytes()
    kids = ring.destroy_person("acme", "kim")
    assert ring.destroy_again("acme", kids) == []
    path.write_bytes(backup)
    again = make_ring(tmp_path)
    assert again.reader("acme", "audit").open(told) == b"told"
    assert again.destroy_again("acme", kids) == kids
    for same in (again, make_ring(tmp_path)):
        with pytest.raises(KeyUnavailable, match="destroyed on"):
            same.reader("acme", "audit").open(told)
        assert same.reader("acme", "audit").open(other) == b"other"


@pytest.mark.parametrize("tenant", ["", "../x", "a/b", "a\nb", "x" * 65, "-a", "회사"])
def test_a_tenant_that_is_no_id_is_refused(tmp_path: Path, tenant: str):
    with pytest.raises(ConfigInvalid):
        make_ring(tmp_path).sealer(tenant, "state")


def test_the_signing_key_signs_and_rotates(tmp_path: Path):
    ring = make_ring(tmp_path)
    first = ring.public_key()
    key_id, signature = ring.sign(b"text")
    key = load_pem_public_key(first.encode())
    assert isinstance(key, Ed25519PublicKey)
    key.verify(signature, b"text")
    ring.rotate_signing()
    assert ring.sign(b"text")[0] != key_id
    assert ring.public_key().endswith(first)
