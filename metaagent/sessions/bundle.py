"""One whole session as plain data, to be copied, exported or imported. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, cast

import orjson
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage

from metaagent.journal import decode_artifact, encode_artifact
from metaagent.language.patterns import regex
from metaagent.ports import ArtifactRef, Json, Turn

_SESSION_OR_TURN = regex(r"[st][0-9a-f]{16}")
"""Each id is looked up: an alternation of all of them would try every one at every place."""
ARTIFACT_ID = regex(r"a[0-9a-f]{31}")
MESSAGES: dict[str, type[HumanMessage | AIMessage | SystemMessage]] = {
    "human": HumanMessage,
    "ai": AIMessage,
    "system": SystemMessage,
}
_PERSON = ("user_id", "company_id")


@dataclass(frozen=True)
class Piece:
    """One artifact with its content."""

    ref: ArtifactRef
    content: bytes
    turn_id: str
    created_at: str


@dataclass(frozen=True)
class Bundle:
    """A session to take along. `turns` are the ended ones, oldest first; `state` is the one at the end of the last of them."""

    session_id: str
    title: str
    created_at: str
    turns: tuple[Turn, ...] = ()
    events: Mapping[str, Sequence[Json]] = field(default_factory=dict[str, Sequence[Json]])
    artifacts: tuple[Piece, ...] = ()
    state: Json | None = None
    left_out: tuple[str, ...] = ()
    """Parts of the session that are not here, and why."""


def plain_state(values: Mapping[str, Any]) -> Json:
    """The state with its messages as plain data."""
    messages = cast("Sequence[AnyMessage]", values.get("messages") or ())
    plain = [
        {"type": message.type, "id": message.id, "content": message.text, "name": message.name}
        for message in messages
        if message.type in MESSAGES
    ]
    return {**values, "messages": plain}


def live_state(plain: Mapping[str, Any]) -> Json:
    messages = [
        MESSAGES[row["type"]](content=row["content"], id=row["id"], name=row["name"])
        for row in cast("Sequence[Json]", plain.get("messages") or ())
    ]
    return {**plain, "messages": messages}


def readdressed(bundle: Bundle, session_id: str, turn_ids: Sequence[str]) -> Bundle:
    """Replace ids by new ones, wherever the old ones are mentioned. Artifacts keep theirs, which belong to their session."""
    names = dict(zip((turn.turn_id for turn in bundle.turns), turn_ids, strict=True))
    names[bundle.session_id] = session_id
    change = _replacing(names)
    before = (None, *(turn.number for turn in bundle.turns))
    turns = tuple(
        replace(
            turn,
            follows=follows or 0,
            turn_id=names[turn.turn_id],
            session_id=session_id,
            outcome=change(turn.outcome),
            waiting=(),
            answers={},
        )
        for turn, follows in zip(bundle.turns, before, strict=False)
    )
    return replace(
        bundle,
        session_id=session_id,
        turns=turns,
        events={names[turn_id]: change(list(events)) for turn_id, events in bundle.events.items()},
        artifacts=tuple(
            replace(piece, turn_id=names.get(piece.turn_id, turn_ids[-1])) for piece in bundle.artifacts
        ),
        state=change(bundle.state),
    )


def _replacing(names: Mapping[str, str]) -> Callable[[Any], Any]:
    def change(value: Any) -> Any:
        text = _SESSION_OR_TURN.sub(lambda found: names.get(found[0], found[0]), orjson.dumps(value).decode())
        return orjson.loads(text)

    return change


def without_artifacts(bundle: Bundle, sees: Callable[[str], bool]) -> Bundle:
    """Keep only the kinds of artifacts that one may see."""
    hidden = [piece.ref for piece in bundle.artifacts if not sees(piece.ref.kind)]
    left_out = [f"artifact {ref.id} ({ref.kind}): not allowed" for ref in hidden]
    shown = tuple(piece for piece in bundle.artifacts if sees(piece.ref.kind))
    return replace(bundle, artifacts=shown, left_out=(*bundle.left_out, *left_out))


def redacted(bundle: Bundle, sanitize: Callable[[Any], Any]) -> Bundle:
    """Remove personal data and secrets, and anything that cannot be looked into."""
    seen, left_out = list[Piece](), list(bundle.left_out)
    for piece in bundle.artifacts:
        data = decode_artifact(piece.content)
        if isinstance(data, bytes):
            left_out.append(f"artifact {piece.ref.id} ({piece.ref.kind}): it is not text")
        else:
            content, summary = encode_artifact(sanitize(data)), sanitize(piece.ref.summary)
            digest = sha256(content).hexdigest()
            name = sanitize(piece.ref.name)
            ref = replace(piece.ref, summary=summary, name=name, size=len(content), hash=digest)
            seen.append(replace(piece, ref=ref, content=content))
    state = None if bundle.state is None else {**sanitize(bundle.state), **dict.fromkeys(_PERSON, "")}
    return replace(
        bundle,
        title=sanitize(bundle.title),
        turns=tuple(
            replace(turn, question=sanitize(turn.question), outcome=sanitize(turn.outcome))
            for turn in bundle.turns
        ),
        events={turn_id: sanitize(list(events)) for turn_id, events in bundle.events.items()},
        artifacts=tuple(seen),
        state=state,
        left_out=tuple(left_out),
    )


def referenced(refs: Iterable[ArtifactRef], texts: Iterable[bytes]) -> set[str]:
    """The artifacts that are mentioned anywhere in the texts, and those that they were made from."""
    made_from = {ref.id: ref.made_from for ref in refs}
    found = {name for text in texts for name in ARTIFACT_ID.findall(text.decode(errors="replace"))}
    reached: set[str] = set()
    open_ends = [name for name in found if name in made_from]
    while open_ends:
        name = open_ends.pop()
        if name not in reached:
            reached.add(name)
            open_ends += [source for source in made_from[name] if source in made_from]
    return reached
