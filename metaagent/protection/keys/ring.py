"""Keys: KEK → tenant data keys → one derived key per purpose; and a data key per person, which can be
destroyed.

The key file holds only wrapped keys. Its layout (JSON): `{format, kek, signing: [...], tenants: {tenant:
{min, index, keys: [...], retired: [...], people: {label: {alias, keys: [...], retired: [...]} | {erased,
kids}}}}, trails: {tenant: the newest signed note of its audit trail}}`. Tenant and signing keys are wrapped by the
KEK; people's keys by the newest tenant key, so that a change of the KEK touches few keys. Names of people are not in
it: a label is an HMAC, an alias is random and goes with the person. Of a retired key only its name is left, and of a
person's the part that was derived for the audit trail (`only`).
"""

from __future__ import annotations

import hashlib
import hmac
import threading
import time
from base64 import b64decode
from contextlib import contextmanager
from copy import deepcopy
from datetime import UTC, datetime
from secrets import token_bytes, token_hex
from typing import TYPE_CHECKING

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from metaagent.errors import ConfigInvalid, KeyUnavailable, StorageError
from metaagent.protection.keys.access import AnyPersonKeys, OwnerKeys, PurposeKeys
from metaagent.protection.keys.proof import TAMPERED, is_proven, proven
from metaagent.protection.keys.providers import KekProvider, aes_unwrap, aes_wrap
from metaagent.protection.keys.records import (
    AUDIT,
    BAD_MINIMUM,
    ERASED,
    FORMAT,
    INSTALLATION,
    NO_KEK,
    NO_KEY,
    PROTECTED,
    WRONG_KEK,
    Record,
    all_keys,
    b64,
    checked_tenant,
    context_of,
    iso,
    kek_context,
    kek_wrapped,
    kids_of,
    lost,
    public_key_id,
    tenant_status,
)
from metaagent.protection.keys.store import KeyFile
from metaagent.protection.sealing import Sealer, SealingKey, frame, refused

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Mapping
    from pathlib import Path


class KeyRing:
    """All keys of one deployment. Thread-safe; another process may rotate the same file at any time.

    Changes made elsewhere are seen within `refresh` seconds, and at once when an unknown key id is met.
    """

    def __init__(
        self,
        path: Path,
        kek: KekProvider,
        *,
        refresh: float = 1.0,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._file = KeyFile(path)
        self._kek = kek
        self._refresh = refresh
        self._now = now
        self._lock = threading.RLock()
        self._raw: dict[str, bytes] = {}  # context → unwrapped key
        self._sealers: dict[tuple[str, str, str | None], Sealer] = {}
        self._aliases: dict[tuple[str, str], str] = {}
        self._of_indices: dict[tuple[str, str], bytes] = {}
        self._hashes: dict[str, hmac.HMAC] = {}
        self._seen = 0.0
        self._protected = False  # once it was, a file that is not has been tampered with
        self.generation = 0
        self.guards: list[
            Callable[[str, str], None]
        ] = []  # each may refuse the destruction of a person's key
        self._adopt(self._file.load() or self._create())
        if self._doc["format"] < FORMAT and self._is_unlocked(self._doc):
            self._upgrade()

    @property
    def made_at(self) -> str | None:
        """The place where the KEK was made just now: the person must be told to keep a copy."""
        return getattr(self._kek, "place", None) if getattr(self._kek, "made", False) else None

    def sealer(self, tenant: str, purpose: str, person: str | None = None) -> Sealer:
        """The same object for the same arguments; makes the keys on first use."""
        found = self._sealers.get((tenant, purpose, person))
        if found is None:
            checked_tenant(tenant)
            keys = PurposeKeys(self, tenant, purpose, person)
            found = self._sealers.setdefault((tenant, purpose, person), Sealer(keys, tenant, purpose))
        return found

    def reader(self, tenant: str, purpose: str) -> Sealer:
        """Opens what was sealed for any person of the tenant; it cannot seal."""
        return Sealer(AnyPersonKeys(self, tenant, purpose), tenant, purpose)

    def resealer(self, tenant: str, purpose: str, kid: str) -> Sealer:
        """Opens what was sealed for whoever this key belongs to, and seals it for them again."""
        return Sealer(OwnerKeys(self, tenant, purpose, self._entry(kid, kid)[1]), tenant, purpose)

    def alias(self, tenant: str, person: str) -> str:
        """A pseudonym that means nothing once the person's key is destroyed."""
        known = (
            self._aliases
        )  # replaced when the keys change: what is found out meanwhile goes with the old ones
        alias = known.get((tenant, person))
        if alias is None:
            alias = known[tenant, person] = self._live_person(tenant, person)["alias"]
        return alias

    def keyed_hash(self, value: bytes) -> str:
        """The same for the same value, whatever is rotated; nobody without the keys can try values out."""
        index = self._unwrapped(self._ensure_tenant(INSTALLATION)["index"])
        return hmac.new(index, b"metaagent/hash/1\0" + value, hashlib.sha256).hexdigest()

    def company_hash(self, tenant: str, value: bytes) -> str:
        """A hash of content by a key of its company: who has the keys can check it, nobody else can try values out."""
        known = self._hashes
        keyed = known.get(tenant)
        if keyed is None:
            keyed = known[tenant] = hmac.new(self._of_index(tenant, "hash"), digestmod=hashlib.sha256)
        made = keyed.copy()  # to make one anew looks its algorithm up each time
        made.update(value)
        return made.hexdigest()

    def entry_mac(self, tenant: str) -> Callable[[bytes], bytes]:
        """The seal of an audit entry, from its hash: only a program with the KEK can make it."""
        keyed = hmac.new(self._of_index(tenant, "audit-entry"), digestmod=hashlib.sha256)

        def mac(digest: bytes) -> bytes:
            made = keyed.copy()  # hmac.digest, which looks the algorithm up anew, takes eight times as long
            made.update(digest)
            return made.digest()

        return mac

    def feature_key(self, tenant: str, person: str | None = None) -> bytes:
        """The key of vectors that are kept for a company, or for one person: then it is destroyed with the person."""
        if person is None:
            return self._of_index(tenant, "vectors")
        known = self._live_person(tenant, person)
        if "features" not in known:
            with self._change() as doc:
                record = self._tenant(doc, tenant)
                known = record["people"][self._label(record, person)]
                known.setdefault("features", self._new_person_key(tenant, record))
        return self._unwrapped(known["features"])

    def term_key(self, tenant: str, person: str | None = None) -> bytes:
        """The key of hashed terms that are kept for a company, or for one person: then it is destroyed with the person."""
        if person is None:
            return self._of_index(tenant, "terms")
        return hmac.digest(self.feature_key(tenant, person), b"metaagent/terms/1", "sha256")

    def trail(self, tenant: str) -> Record | None:
        """The newest signed note of the tenant's audit trail, as far as this file was told."""
        return self._doc.get("trails", {}).get(tenant)

    @property
    def adopts_trails(self) -> bool:
        """Tells whether the audit trails are older than their seals, and have to be taken over."""
        return bool(self._doc.get("adopt_trails"))

    def note_trails(self, notes: Mapping[str, Record], *, adopted: bool = False) -> None:
        """Keep signed notes; one that is shorter than what is known changes nothing."""
        with self._change() as doc:
            trails = doc.setdefault("trails", {})
            for tenant, note in notes.items():
                if note["size"] >= trails.get(tenant, {"size": 0})["size"]:
                    trails[tenant] = note
            if adopted:
                doc.pop("adopt_trails", None)

    def check(self) -> None:
        """Raises KeyUnavailable, saying what cannot be read, if this KEK is not the one that locked the file."""
        if not self._is_unlocked(self._doc):
            raise self._wrong_kek()

    def status(self) -> Record:
        """The state of the keys, without secrets."""
        self.reload_if_changed()
        with self._lock:
            tenants = {name: tenant_status(record) for name, record in self._doc["tenants"].items()}
            return {
                "path": str(self._file.path),
                "kek": self._doc["kek"],
                "provider": self._kek.kek_id,
                "unlocked": self._is_unlocked(self._doc),
                "signing": [key["kid"] for key in self._doc["signing"]],
                "tenants": tenants,
            }

    def public_key(self) -> str:
        """Every public key that ever signed the audit trail, newest first, as PEM."""
        with self._lock:
            records = list(reversed(self._doc["signing"]))
        pems = (_private(self._unwrapped(record)).public_key() for record in records)
        return "".join(
            pem.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode() for pem in pems
        )

    def sign(self, message: bytes) -> tuple[str, bytes]:
        """(key id, Ed25519 signature) by the newest signing key."""
        self.refresh()
        private = _private(self._unwrapped(self._doc["signing"][-1]))
        return public_key_id(private.public_key().public_bytes_raw()), private.sign(message)

    def rotate(self, tenant: str) -> int:
        """A new version of the tenant's key and of its people's; older ones still read.

        Returns the version.
        """
        with self._change() as doc:
            record = self._tenant(doc, tenant)
            version = record["keys"][-1]["version"] + 1
            record["keys"].append(self._new_key(version))
            for person in record["people"].values():
                if "erased" not in person:
                    for part in ("keys", "retired"):
                        person[part] = [self._rewrapped(tenant, record, key) for key in person.get(part, ())]
                    if "features" in person:
                        person["features"] = self._rewrapped(tenant, record, person["features"])
                    person["keys"].append(self._new_person_key(tenant, record))
        return version

    def tenants(self) -> list[str]:
        self.reload_if_changed()
        return list(self._doc["tenants"])

    def version(self, tenant: str) -> int:
        """The newest version of the tenant's key."""
        return self._ensure_tenant(tenant)["keys"][-1]["version"]

    def age(self, tenant: str) -> float:
        """Seconds since the tenant's newest key was made."""
        made = datetime.fromisoformat(self._ensure_tenant(tenant)["keys"][-1]["created"])
        return (self._now() - made).total_seconds()

    def rotate_signing(self) -> str:
        with self._change() as doc:
            doc["signing"].append(self._new_signing(len(doc["signing"]) + 1))
        return doc["signing"][-1]["kid"]

    def retire(self, tenant: str, version: int) -> list[str]:
        """Destroys the keys of the tenant and of its people that are older than this version; their ids.

        Reseal first: what they sealed can never be read again. Only entries of the audit trail can, which
        nobody may change: the part of a person's key that was derived for them is kept, and opens nothing else.
        """
        with self._change() as doc:
            record = self._tenant(doc, tenant)
            low, high = record["min"], record["keys"][-1]["version"]
            if not low <= version <= high:
                raise ConfigInvalid(BAD_MINIMUM, tenant=tenant, version=version, low=low, high=high)
            people = [person for person in record["people"].values() if "erased" not in person]
            old, kids = [key for key in record["keys"] if key["version"] < version], list[str]()
            for person in people:
                gone = [key for key in person["keys"] if key["version"] < version]
                person["retired"] = [
                    *person.get("retired", ()),
                    *(self._for_audit(tenant, record, key) for key in gone),
                ]
                person["keys"] = [key for key in person["keys"] if key["version"] >= version]
                kids += [key["kid"] for key in gone]
            names = [{name: key[name] for name in ("kid", "version", "created")} for key in old]
            record["retired"] = [*record.get("retired", ()), *names]
            record["keys"] = [key for key in record["keys"] if key["version"] >= version]
            record["min"] = version
        return [*(key["kid"] for key in old), *kids]

    def rewrap(self, new: KekProvider) -> int:
        """Every key under the new KEK, in one atomic step. Returns how many keys were wrapped again."""
        with self._lock:
            with self._change(new) as doc:
                records = list(kek_wrapped(doc))
                for record in records:
                    record["wrapped"] = b64(new.wrap(self._unwrapped(record), kek_context(record["kid"])))
                doc["kek"] = new.kek_id
            self._kek = new
        return len(records)

    def destroy_person(self, tenant: str, person: str) -> list[str]:
        """Makes what was sealed for this person unreadable for good.

        Returns the destroyed key ids; repeatable.
        """
        for guard in self.guards:
            guard(tenant, person)
        with self._change() as doc:
            record = self._tenant(doc, tenant)
            label = self._label(record, person)
            known = record["people"].get(label, {"keys": []})
            if "erased" in known:
                return known["kids"]
            kids = kids_of(known)
            record["people"][label] = {"erased": iso(self._now()), "kids": kids}
        return kids

    def destroy_again(self, tenant: str, kids: Collection[str]) -> list[str]:
        """Destroy those of these keys that came back with an old file, and return them."""
        back = [kid for kid in kids if "wrapped" in self._by_kid.get(kid, ("", None, {}))[2]]
        if back:
            with self._change() as doc:
                people = self._tenant(doc, tenant)["people"]
                for label, person in people.items():
                    if set(back) & set(kids_of(person)) and "erased" not in person:
                        people[label] = {"erased": iso(self._now()), "kids": kids_of(person)}
        return back

    def readmit_person(self, tenant: str, person: str) -> None:
        """A person who was erased comes back as someone new: a fresh key, and nothing of the past."""
        with self._change() as doc:
            record = self._tenant(doc, tenant)
            label = self._label(record, person)
            old = record["people"].get(label)
            if old is not None and "erased" in old:
                record["people"][label] = self._new_person(tenant, record) | {"past": old}

    def erased_kids(self, tenant: str, person: str) -> list[str] | None:
        """The destroyed keys of a person who was erased and did not come back; None for anyone else."""
        record = self._ensure_tenant(tenant)
        known = record["people"].get(self._label(record, person), {})
        return known["kids"] if "erased" in known else None

    def knows_person(self, tenant: str, person: str) -> bool:
        """Say whether a key was ever made for this person: without one, nothing here is theirs."""
        record = self._ensure_tenant(tenant)
        return self._label(record, person) in record["people"]

    def person_kids(self, tenant: str, person: str) -> list[str]:
        """The ids of every key that ever sealed for this person."""
        return kids_of(self._live_person(tenant, person))

    def superseded(self, kid: str) -> str | None:
        """The tenant of a key in whose place a newer one seals; None for the newest ones and for those that are gone."""
        tenant, label, _ = self._by_kid.get(kid, ("", None, {}))
        if not self.is_usable(kid):
            return None
        return None if kid == self.newest_of(tenant, label)["kid"] else tenant

    def alias_of(self, kid: str) -> str | None:
        """The alias of the person whose key this is; None if it is nobody's."""
        tenant, label, _ = self._by_kid.get(kid, ("", None, {}))
        return None if label is None else self._doc["tenants"][tenant]["people"][label].get("alias")

    def is_usable(self, kid: str) -> bool:
        """Tells whether it is neither retired nor destroyed."""
        record = self._by_kid.get(kid, ("", None, {}))[2]
        return "wrapped" in record and "only" not in record

    def older(self, tenant: str) -> list[str]:
        """The ids of the tenant's keys, and of its people's, in whose place newer ones seal."""
        return [kid for kid in self._by_kid if self.superseded(kid) == tenant]

    def tenant_of(self, kid: str) -> str | None:
        """The tenant whose key this is or was."""
        return self._by_kid.get(kid, (None,))[0]

    def reload_if_changed(self) -> bool:
        with self._lock:
            self._seen = time.monotonic()
            if not self._file.changed():
                return False
            doc = self._file.load()
            if doc is None or not self._is_unlocked(doc):
                return False  # another KEK locks it now: what is known of the old one still counts here
            self._adopt(doc)
            return True

    def refresh(self) -> None:
        if time.monotonic() - self._seen > self._refresh:
            self.reload_if_changed()

    def newest_record(self, tenant: str, person: str | None) -> Record:
        if person is not None:
            return self._live_person(tenant, person)["keys"][-1]
        return self._ensure_tenant(tenant)["keys"][-1]

    def newest_of(self, tenant: str, label: str | None) -> Record:
        owner = self._doc["tenants"][tenant]
        known = owner if label is None else owner["people"][label]
        if "erased" in known:
            raise KeyUnavailable(ERASED, when=known["erased"], row=f"{tenant}/person")
        return known["keys"][-1]

    def find_record(self, tenant: str, person: str | None, kid: str, row: str, purpose: str) -> Record:
        label = None if person is None else self._label(self._doc["tenants"][tenant], person)
        return self.find_of(tenant, label, kid, row, purpose)

    def find_of(self, tenant: str, label: str | None, kid: str, row: str, purpose: str) -> Record:
        owner, found, record = self._entry(kid, row)
        if owner != tenant or found != label:
            raise refused(row, "foreign", kid)
        return self._allowed(tenant, record, row, purpose)

    def find_anyones(self, tenant: str, kid: str, row: str, purpose: str) -> Record:
        owner, label, record = self._entry(kid, row)
        if owner != tenant or label is None:
            raise refused(row, "foreign", kid)
        return self._allowed(tenant, record, row, purpose)

    def _entry(self, kid: str, row: str) -> tuple[str, str | None, Record]:
        entry = self._by_kid.get(kid)
        if entry is None and self.reload_if_changed():
            entry = self._by_kid.get(kid)
        if entry is None:
            raise KeyUnavailable(NO_KEY, kid=kid, row=row)
        return entry

    def _allowed(self, tenant: str, record: Record, row: str, purpose: str) -> Record:
        if "erased" in record:
            raise KeyUnavailable(ERASED, when=record["erased"], row=row)
        minimum = self._doc["tenants"][tenant]["min"]
        if record["version"] < minimum and record.get("only") != purpose:
            raise refused(row, "downgraded", f"v{record['version']} < v{minimum}")
        return record

    def derived(self, record: Record, tenant: str, purpose: str) -> SealingKey:
        """The key of one purpose; of a retired key that is all that there is."""
        key = self._unwrapped(record) if "only" in record else self._derive(record, tenant, purpose)
        return SealingKey.make(record["kid"], key, AESGCM(key), tenant, purpose)

    def _derive(self, record: Record, tenant: str, purpose: str) -> bytes:
        info = frame(("metaagent/hkdf/1", tenant, purpose, record["kid"]))
        return HKDF(SHA256(), 32, None, info).derive(self._unwrapped(record))

    def _of_index(self, tenant: str, purpose: str) -> bytes:
        """A key that stays the same whatever is rotated."""
        index = self._ensure_tenant(tenant)["index"]
        known = self._of_indices
        key = known.get((purpose, index["kid"]))
        if key is None:
            info = frame(("metaagent/hkdf/1", tenant, purpose, index["kid"]))
            key = known[purpose, index["kid"]] = HKDF(SHA256(), 32, None, info).derive(self._unwrapped(index))
        return key

    @contextmanager
    def _change(self, kek: KekProvider | None = None) -> Generator[Record]:
        """Read, change and replace the file, with every other process and thread waiting."""
        with self._lock, self._file.locked():
            self._adopt(self._file.load() or self._doc)
            self.check()
            doc = deepcopy(self._doc)  # nobody may seal with a key that is not yet safely in the file
            yield doc
            self._file.save(proven(doc, kek or self._kek))
            self._doc, self._protected = doc, True
            self._index()

    def _is_unlocked(self, doc: Record) -> bool:
        return doc["kek"] == self._kek.kek_id

    def _adopt(self, doc: Record) -> None:
        """Take over a file, if whoever wrote it had the KEK: an edited file could give one person the keys of another."""
        protected = doc["format"] >= PROTECTED or self._protected
        if protected and self._is_unlocked(doc) and not is_proven(doc, self._kek):
            raise StorageError(TAMPERED, path=str(self._file.path))
        self._protected = protected
        self._doc = doc
        self._index()

    def _upgrade(self) -> None:
        """Move on from a format in which the file was not protected: its keys are wrapped anew, so that nobody can make the
        old form from the new one. And from one in which it did not know the audit trails: these are taken over once."""
        with self._change() as doc:
            if doc["format"] < PROTECTED:
                for record in kek_wrapped(doc):
                    record["wrapped"] = b64(self._wrap(self._unwrapped(record), record["kid"]))
            if doc["format"] < FORMAT:
                doc["format"], doc["adopt_trails"] = FORMAT, True

    def _create(self) -> Record:
        with self._file.locked():
            doc = self._file.load()
            if doc is None:
                doc = {
                    "format": FORMAT,
                    "kek": self._kek.kek_id,
                    "signing": [self._new_signing(1)],
                    "tenants": {},
                }
                self._file.save(proven(doc, self._kek))
        return doc

    def _index(self) -> None:
        by_kid: dict[str, tuple[str, str | None, Record]] = {}
        for tenant, record in self._doc["tenants"].items():
            by_kid.update({key["kid"]: (tenant, None, key) for key in all_keys(record)})
            for label, person in record["people"].items():
                by_kid.update({key["kid"]: (tenant, label, key) for key in all_keys(person)})
                gone = person.get("past", person)
                by_kid.update(dict.fromkeys(gone.get("kids", ()), (tenant, label, gone)))
        live = {kid: record for kid, (_, _, record) in by_kid.items() if "erased" not in record}
        self._by_kid = by_kid
        self._live = live | {record["kid"]: record for record in kek_wrapped(self._doc)}
        names = set(map(context_of, self._live.values()))
        self._raw = {name: raw for name, raw in self._raw.items() if name in names}
        self._seen = time.monotonic()
        self._aliases = {}
        self._of_indices = {}
        self._hashes = {}
        self.generation += 1

    def _tenant(self, doc: Record, tenant: str) -> Record:
        record = doc["tenants"].get(checked_tenant(tenant))
        if record is None:
            index = {"kid": f"i1-{token_hex(8)}", "wrapped": ""}
            index["wrapped"] = b64(self._wrap(token_bytes(32), index["kid"]))
            record = {"min": 1, "index": index, "keys": [self._new_key(1)], "people": {}}
            doc["tenants"][tenant] = record
        return record

    def _ensure_tenant(self, tenant: str) -> Record:
        record = self._doc["tenants"].get(tenant)
        if record is None:
            with self._change() as doc:
                record = self._tenant(doc, tenant)
        return record

    def _live_person(self, tenant: str, person: str) -> Record:
        record = self._ensure_tenant(tenant)
        label = self._label(record, person)
        known = record["people"].get(label)
        if known is None:
            with self._change() as doc:
                record = self._tenant(doc, tenant)
                known = record["people"].setdefault(label, self._new_person(tenant, record))
        if "erased" in known:
            raise KeyUnavailable(ERASED, when=known["erased"], row=f"{tenant}/person")
        return known

    def _label(self, record: Record, person: str) -> str:
        index = self._unwrapped(record["index"])
        return hmac.new(index, person.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()[:32]

    def _new_key(self, version: int) -> Record:
        kid = f"k{version}-{token_hex(8)}"
        return {"kid": kid, "version": version, "created": iso(self._now())} | {
            "wrapped": b64(self._wrap(token_bytes(32), kid))
        }

    def _new_signing(self, version: int) -> Record:
        kid = f"s{version}-{token_hex(8)}"
        return {"kid": kid, "version": version, "wrapped": b64(self._wrap(token_bytes(32), kid))}

    def _new_person(self, tenant: str, record: Record) -> Record:
        return {"alias": f"u-{token_hex(8)}", "keys": [self._new_person_key(tenant, record)]}

    def _new_person_key(self, tenant: str, record: Record) -> Record:
        version = record["keys"][-1]["version"]
        key = {"kid": f"p{version}-{token_hex(8)}", "version": version, "tenant": tenant}
        return self._wrapped(tenant, record, key, token_bytes(32))

    def _rewrapped(self, tenant: str, record: Record, key: Record) -> Record:
        return self._wrapped(tenant, record, key, self._unwrapped(key))

    def _for_audit(self, tenant: str, record: Record, key: Record) -> Record:
        return self._wrapped(tenant, record, key | {"only": AUDIT}, self._derive(key, tenant, AUDIT))

    def _wrapped(self, tenant: str, record: Record, key: Record, raw: bytes) -> Record:
        parent = record["keys"][-1]
        wrapped = aes_wrap(self._wrapping_key(tenant, parent), raw, context_of(key).encode())
        return key | {"by": parent["kid"], "wrapped": b64(wrapped)}

    def _wrapping_key(self, tenant: str, parent: Record) -> bytes:
        return self._derive(parent, tenant, "people")

    def _wrap(self, key: bytes, kid: str) -> bytes:
        return self._kek.wrap(key, kek_context(kid))

    def _unwrapped(self, record: Record) -> bytes:
        name = context_of(record)
        raw = self._raw.get(name)
        if raw is None:
            with self._lock:
                raw = self._raw[name] = self._raw.get(name) or self._unwrap(record)
        return raw

    def _unwrap(self, record: Record) -> bytes:
        # The caller may have found its record before another thread rewrapped, retired or erased it.
        current = self._live.get(record["kid"])
        if current is None and record["kid"] in self._by_kid:
            erased = self._by_kid[record["kid"]][2]["erased"]
            raise KeyUnavailable(ERASED, when=erased, row=record["kid"])
        if current is not None and ("wrapped" not in current or context_of(current) != context_of(record)):
            raise refused(record["kid"], "downgraded", "retired")
        record = current or record
        wrapped = b64decode(record["wrapped"])
        try:
            if "by" in record:
                parent = self._by_kid[record["by"]][2]
                wrapping = self._wrapping_key(record["tenant"], parent)
                return aes_unwrap(wrapping, wrapped, context_of(record).encode())
            self.check()
            return self._kek.unwrap(wrapped, kek_context(record["kid"], self._doc["format"]))
        except InvalidTag:
            raise self._wrong_kek() from None

    def _wrong_kek(self) -> KeyUnavailable:
        gone = "; ".join(lost(name, record) for name, record in self._doc["tenants"].items())
        return KeyUnavailable(
            WRONG_KEK,
            given=self._kek.kek_id,
            needed=self._doc["kek"],
            path=str(self._file.path),
            lost=gone or "-",
        )


def missing_kek(error: KeyUnavailable, path: Path) -> KeyUnavailable:
    """The same error, saying exactly what cannot be read as long as the KEK is not there."""
    doc = KeyFile(path).load()
    if doc is None or error.text is WRONG_KEK:
        return error
    gone = "; ".join(lost(name, record) for name, record in doc["tenants"].items())
    return KeyUnavailable(NO_KEK, problem=error, path=str(path), needed=doc["kek"], lost=gone or "-")


def _private(seed: bytes) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(seed)
