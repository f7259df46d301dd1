"""A session as one file: a zip of JSON with a manifest of hashes, or that zip sealed with a passphrase.

An archive from elsewhere is believed in nothing: names, sizes, counts, hashes and shapes are checked before a value is
used, and nothing is ever unpacked to disk.
"""

from __future__ import annotations

import io
import os
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Any, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from metaagent import __version__
from metaagent.errors import InputRefused, NewerSchema, Text
from metaagent.input_checks import file_problem
from metaagent.journal import EVENT_TYPES
from metaagent.language.patterns import regex
from metaagent.ports import ArtifactRef, Json, Turn, User
from metaagent.sessions.bundle import ARTIFACT_ID, MESSAGES, Bundle, Piece
from metaagent.state.migrations import STATES, migrated
from metaagent.values import MAX_DEPTH, deeper_than

KIND, VERSION = "metaagent-session", 1
SEALED = b"metaagent-sealed-1\n"
SALT, NONCE, SHORTEST = 16, 12, 8
_SCRYPT = {"length": 32, "n": 2**15, "r": 8, "p": 1}
_TURN, _SESSION = r"t[0-9a-f]{16}", r"s[0-9a-f]{16}"
_NAME = regex(
    rf"manifest\.json|artifacts\.json|state\.json|turns/[0-9]{{6}}\.json|artifacts/{ARTIFACT_ID.pattern}"
)

_REFUSED = Text(
    en="The archive was refused: {en}. Nothing was imported. Export the session again, or check where it is from.",
    ko="보관 파일을 거부했습니다: {ko}. 가져온 것이 없습니다. 세션을 다시 내보내거나 출처를 확인하세요.",
)
_NEWER = Text(
    en="The archive was written by a newer metaagent (version {found}; this one knows {known}). Update metaagent.",
    ko="더 새로운 metaagent가 만든 보관 파일입니다(버전 {found}, 이 버전은 {known}까지 압니다). metaagent를 업데이트하세요.",
)
_LOCKED = Text(
    en="The archive is sealed with a passphrase. Name the environment variable that holds it with --passphrase-env.",
    ko="암호로 봉인된 보관 파일입니다. 암호가 든 환경 변수를 --passphrase-env로 지정하세요.",
)
_WRONG = Text(
    en="The archive does not open with this passphrase, or it was changed.",
    ko="이 암호로 보관 파일이 열리지 않거나, 파일이 변경되었습니다.",
)
_SHORT = Text(
    en="The passphrase is too short: give at least {least} characters.",
    ko="암호가 너무 짧습니다. {least}자 이상으로 정하세요.",
)


@dataclass(frozen=True)
class Bounds:
    """Bounds of an archive."""

    packed: int = 128 * 1024 * 1024
    unpacked: int = 256 * 1024 * 1024
    entries: int = 20_000
    ratio: int = 100
    depth: int = MAX_DEPTH + 8
    values: int = 2_000_000
    """Values of all JSON in it: each costs many times the bytes that it is written with."""


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


Sha = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Moment = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")]
Short = Annotated[str, Field(max_length=400)]


class _File(_Closed):
    size: int = Field(ge=0)
    sha256: Sha


class _Manifest(_Closed):
    kind: Literal["metaagent-session"]
    version: Literal[1]
    program: Short
    schema_version: int = Field(ge=1)
    content: Literal["redacted", "full"]
    session_id: str = Field(pattern=f"^{_SESSION}$")
    title: Annotated[str, Field(max_length=4000)]
    created_at: Moment
    left_out: list[str]
    files: dict[str, _File]


class _Event(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)
    type: Short
    seq: int = Field(ge=1)
    timestamp: Moment


class _Turn(_Closed):
    turn_id: str = Field(pattern=f"^{_TURN}$")
    number: int = Field(ge=1, lt=1_000_000)
    status: Literal["completed", "failed", "cancelled"]
    question: str
    language: Literal["ko", "en"]
    started_at: Moment
    ended_at: Moment | None
    outcome: dict[str, Any]
    events: list[_Event]


class _Group(_Closed):
    document_id: Short
    version: int
    format: Short


class _Artifact(_Closed):
    id: str = Field(pattern=f"^{ARTIFACT_ID.pattern}$")
    kind: Short
    summary: str
    size: int = Field(ge=0)
    hash: Sha
    made_by: Short
    made_from: list[Annotated[str, Field(pattern=f"^{ARTIFACT_ID.pattern}$")]]
    name: Short = ""
    media_type: Short = ""
    group: _Group | None = None
    turn_id: str = Field(pattern=f"^{_TURN}$")
    created_at: Moment


class _Message(_Closed):
    type: Literal["human", "ai", "system"]
    id: Short | None
    content: str
    name: Short | None


def pack(bundle: Bundle, *, full: bool) -> bytes:
    files: dict[str, bytes] = {}
    for turn in bundle.turns:
        files[f"turns/{turn.number:06}.json"] = orjson.dumps(_turn_json(turn, bundle))
    files["artifacts.json"] = orjson.dumps(
        [
            {**piece.ref.as_json(), "turn_id": piece.turn_id, "created_at": piece.created_at}
            for piece in bundle.artifacts
        ]
    )
    files |= {f"artifacts/{piece.ref.id}": piece.content for piece in bundle.artifacts}
    if bundle.state is not None:
        files["state.json"] = orjson.dumps(bundle.state)
    manifest = {
        "kind": KIND,
        "version": VERSION,
        "program": __version__,
        "schema_version": STATES.newest,
        "content": "full" if full else "redacted",
        "session_id": bundle.session_id,
        "title": bundle.title,
        "created_at": bundle.created_at,
        "left_out": list(bundle.left_out),
        "files": {
            name: {"size": len(content), "sha256": sha256(content).hexdigest()}
            for name, content in files.items()
        },
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {"manifest.json": orjson.dumps(manifest), **files}.items():
            # The same session gives the same bytes: no clock.
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _turn_json(turn: Turn, bundle: Bundle) -> Json:
    return {
        "turn_id": turn.turn_id,
        "number": turn.number,
        "status": turn.status,
        "question": turn.question,
        "language": turn.language,
        "started_at": turn.started_at,
        "ended_at": turn.ended_at,
        "outcome": turn.outcome,
        "events": list(bundle.events.get(turn.turn_id, ())),
    }


def unpack(packed: bytes, user: User, bounds: Bounds | None = None) -> Bundle:
    """The session in the archive, as `user` will own it."""
    allowed = bounds or Bounds()
    try:
        files = _files(packed, allowed)
        manifest = _manifest(files.pop("manifest.json"), allowed)
        _check_hashes(files, manifest)
        return _bundle(files, manifest, user, allowed)
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise _refused(
            f"{where or 'a value'}: {first['msg']}",
            f"{where or '값'}이(가) 형식에 맞지 않습니다({first['msg']})",
        ) from error
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError) as error:
        raise _refused(
            f"it is damaged ({error})", f"손상되었거나 metaagent 보관 파일이 아닙니다({error})"
        ) from error


def _files(packed: bytes, bounds: Bounds) -> dict[str, bytes]:
    if len(packed) > bounds.packed:
        raise _refused(f"it is larger than {bounds.packed} bytes", f"{bounds.packed}바이트보다 큽니다")
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        entries = archive.infolist()
        _check_entries(entries, bounds, len(packed))
        left = bounds.unpacked
        files: dict[str, bytes] = {}
        for entry in entries:
            with archive.open(entry) as stream:
                content = stream.read(min(entry.file_size, left) + 1)
            left -= len(content)
            if len(content) != entry.file_size or left < 0:
                raise _refused(
                    f"{entry.filename} is not as long as it says",
                    f"{entry.filename}의 길이가 적힌 것과 다릅니다",
                )
            files[entry.filename] = content
    marks = sum(
        content.count(mark) for name, content in files.items() if name.endswith(".json") for mark in b",[{"
    )
    if marks > bounds.values:
        raise _refused(f"it holds more than {bounds.values} values", f"값이 {bounds.values}개를 넘습니다")
    if "manifest.json" not in files:
        raise _refused("it has no manifest.json", "manifest.json이 없습니다")
    return files


def _check_entries(entries: list[zipfile.ZipInfo], bounds: Bounds, packed: int) -> None:
    if len(entries) > bounds.entries:
        raise _refused(f"it has more than {bounds.entries} files", f"파일이 {bounds.entries}개를 넘습니다")
    names = [entry.filename for entry in entries]
    if len(set(names)) != len(names):
        raise _refused("it has two files of one name", "이름이 같은 파일이 둘 있습니다")
    strange = next((name for name in names if _NAME.fullmatch(name) is None), None)
    if strange is not None:
        raise _refused(
            f"it holds {strange[:80]!r}, which does not belong there",
            f"있어서는 안 되는 {strange[:80]!r}이(가) 있습니다",
        )
    if any(entry.flag_bits & 1 for entry in entries):
        raise _refused("a file in it is encrypted", "암호화된 파일이 들어 있습니다")
    total = sum(entry.file_size for entry in entries)
    if total > bounds.unpacked:
        raise _refused(
            f"it would unpack to more than {bounds.unpacked} bytes",
            f"풀면 {bounds.unpacked}바이트를 넘습니다",
        )
    if total > bounds.ratio * packed:
        raise _refused(
            f"it would unpack to more than {bounds.ratio} times its size",
            f"풀면 크기의 {bounds.ratio}배를 넘습니다",
        )


def _manifest(content: bytes, bounds: Bounds) -> _Manifest:
    found = _json(content, "manifest.json", bounds)
    version = found.get("version") if isinstance(found, dict) else None
    if isinstance(version, int) and version > VERSION:
        raise NewerSchema(_NEWER, found=version, known=VERSION)
    manifest = _Manifest.model_validate(found)
    if manifest.schema_version > STATES.newest:
        raise NewerSchema(_NEWER, found=manifest.schema_version, known=STATES.newest)
    return manifest


def _check_hashes(files: Mapping[str, bytes], manifest: _Manifest) -> None:
    if files.keys() != manifest.files.keys():
        raise _refused("its files are not those of its manifest", "파일이 manifest.json과 다릅니다")
    for name, content in files.items():
        told = manifest.files[name]
        if (len(content), sha256(content).hexdigest()) != (told.size, told.sha256):
            raise _refused(f"{name} does not fit its hash", f"{name}의 해시가 맞지 않습니다")


def _bundle(files: Mapping[str, bytes], manifest: _Manifest, user: User, bounds: Bounds) -> Bundle:
    names = sorted(name for name in files if name.startswith("turns/"))
    rows = [_Turn.model_validate(_json(files[name], name, bounds)) for name in names]
    if [f"turns/{row.number:06}.json" for row in rows] != names or not rows:
        raise _refused(
            "its turns are not numbered as they are named, or there are none",
            "턴 번호가 파일 이름과 다르거나 턴이 없습니다",
        )
    if len({row.turn_id for row in rows}) != len(rows):
        raise _refused("two turns have one id", "아이디가 같은 턴이 둘 있습니다")
    listed = TypeAdapter(list[_Artifact]).validate_python(
        _json(files.get("artifacts.json", b""), "artifacts.json", bounds)
    )
    return Bundle(
        session_id=manifest.session_id,
        title=manifest.title,
        created_at=manifest.created_at,
        turns=tuple(_turn(row, manifest.session_id, user) for row in rows),
        events={row.turn_id: _events(row) for row in rows},
        artifacts=_pieces(listed, files),
        state=_state(files.get("state.json"), user, bounds),
        left_out=tuple(manifest.left_out),
    )


def _turn(row: _Turn, session_id: str, user: User) -> Turn:
    return Turn(
        turn_id=row.turn_id,
        session_id=session_id,
        number=row.number,
        status=row.status,
        question=row.question,
        language=row.language,
        user=user,
        started_at=row.started_at,
        ended_at=row.ended_at,
        outcome=row.outcome,
    )


def _events(row: _Turn) -> list[Json]:
    if [event.seq for event in row.events] != list(range(1, len(row.events) + 1)):
        raise _refused(
            f"the events of turn {row.number} are not in order",
            f"{row.number}번 턴의 이벤트 순서가 맞지 않습니다",
        )
    strange = next((event.type for event in row.events if event.type not in EVENT_TYPES), None)
    if strange is not None:
        raise _refused(
            f"{strange[:40]!r} is no type of event", f"{strange[:40]!r}은(는) 이벤트 유형이 아닙니다"
        )
    return [event.model_dump() for event in row.events]


def _pieces(listed: list[_Artifact], files: Mapping[str, bytes]) -> tuple[Piece, ...]:
    held = {name.removeprefix("artifacts/") for name in files if name.startswith("artifacts/")}
    if held != {row.id for row in listed} or len(held) != len(listed):
        raise _refused("its artifacts are not those that it lists", "산출물이 목록과 다릅니다")
    pieces = list[Piece]()
    for row in listed:
        content = files[f"artifacts/{row.id}"]
        if (len(content), sha256(content).hexdigest()) != (row.size, row.hash):
            raise _refused(
                f"artifact {row.id} does not fit its hash", f"산출물 {row.id}의 해시가 맞지 않습니다"
            )
        fields = row.model_dump(exclude={"turn_id", "created_at"})
        ref = ArtifactRef.from_json(fields)
        if problem := file_problem(ref.name, ref.media_type, ref.group):
            raise _refused(
                f"artifact {row.id} has {problem}", f"산출물 {row.id}의 파일 정보가 잘못되었습니다"
            )
        pieces.append(Piece(ref, content, row.turn_id, row.created_at))
    return tuple(pieces)


def _state(content: bytes | None, user: User, bounds: Bounds) -> Json | None:
    if content is None:
        return None
    state = _json(content, "state.json", bounds)
    if not isinstance(state, dict):
        raise _refused("its state is no object", "상태가 객체가 아닙니다")
    state = migrated(state) or state
    messages = TypeAdapter(list[_Message]).validate_python(state.get("messages"))
    assert {message.type for message in messages} <= MESSAGES.keys()
    plain = [message.model_dump() for message in messages]
    return {**state, "messages": plain, "user_id": user.user_id, "company_id": user.company_id}


def _json(content: bytes, name: str, bounds: Bounds) -> Any:
    value = orjson.loads(content)
    if deeper_than(value, bounds.depth):
        raise _refused(
            f"{name} nests deeper than {bounds.depth}", f"{name}의 중첩이 {bounds.depth}단계보다 깊습니다"
        )
    return value


def _refused(en: str, ko: str) -> InputRefused:
    return InputRefused(_REFUSED, en=en, ko=ko)


def seal(packed: bytes, passphrase: str) -> bytes:
    """Opens only with the passphrase, and only unchanged: scrypt, then AES-256-GCM."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    if len(passphrase) < SHORTEST:
        raise InputRefused(_SHORT, least=SHORTEST)
    salt, nonce = os.urandom(SALT), os.urandom(NONCE)
    header = SEALED + salt + nonce
    return header + AESGCM(_key(passphrase, salt)).encrypt(nonce, packed, header)


def unseal(content: bytes, passphrase: str | None) -> bytes:
    """The archive itself; what is not sealed is one already."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    if not content.startswith(SEALED):
        return content
    if passphrase is None:
        raise InputRefused(_LOCKED)
    end = len(SEALED) + SALT + NONCE
    header, nonce = content[:end], content[end - NONCE : end]
    salt = content[len(SEALED) : end - NONCE]
    try:
        return AESGCM(_key(passphrase, salt)).decrypt(nonce, content[end:], header)
    except (InvalidTag, ValueError) as error:
        raise InputRefused(_WRONG) from error


def _key(passphrase: str, salt: bytes) -> bytes:
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    return Scrypt(salt=salt, **_SCRYPT).derive(passphrase.encode())
