"""Messages of the core as the page says them: rights and roles in words, without commands, settings and ids."""

from __future__ import annotations

import re
from functools import cache

from pydantic import BaseModel

from metaagent.access.rights import OPERATIONS
from metaagent.config import Settings
from metaagent.errors import AccessDenied, MetaAgentError, NotFound, Text, UnknownSession
from metaagent.web.page.words import Words

_PIECE = re.compile(r"(?<=[.;!?]) +")
_COMMAND = re.compile(r"`metaagent [^`]*`")
_DOTTED = re.compile(r"[a-z_]+(?:\.[a-z_]+)+(?::any)?")
_ASIDE = re.compile(r"\s?\(([^()]*)\)")


def told(error: MetaAgentError, words: Words) -> str:
    """Say what the core refused, and why."""
    right = error.params.get("right")
    if isinstance(error, AccessDenied) and isinstance(right, Text):
        return words("right_missing", right=words.of(right))
    if isinstance(error, UnknownSession):
        return f"{words('no_conversation')} {words('no_conversation_why')}"
    if isinstance(error, NotFound) and "document" in error.params:
        return f"{words('no_document')} {words('no_document_why')}"
    roles = error.params.get("roles")
    if isinstance(roles, str):
        named = words.roles(roles.split(", "))
        return plain(error.text.say(words.language, **{**error.params, "roles": named}))
    return plain(error.say(words.language))


def plain(said: str) -> str:
    """A message without what is for the terminal: asides and clauses that name a command, a setting or a right are left out,
    unless nothing else would be said."""
    return "\n".join(map(_plain_line, said.split("\n")))


def _plain_line(said: str) -> str:
    clear = _ASIDE.sub(lambda found: "" if _technical(found[1]) else found[0], said)
    kept = [piece for piece in _PIECE.split(clear) if not _technical(piece)]
    if not kept:
        return clear
    ended = " ".join(kept)
    return f"{ended[:-1]}." if ended.endswith(";") else ended


def _technical(piece: str) -> bool:
    named = (found.removesuffix(":any") for found in _DOTTED.findall(piece))
    return bool(_COMMAND.search(piece)) or not _names().isdisjoint(named)


@cache
def _names() -> frozenset[str]:
    """The names of all settings and of all rights."""
    return frozenset({*_settings(Settings), *(each for each in OPERATIONS if "." in each)})


def _settings(model: type[BaseModel], before: str = "") -> list[str]:
    found: list[str] = []
    for name, field in model.model_fields.items():
        path = f"{before}{name}"
        found += [path] if before else []
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            found += _settings(field.annotation, f"{path}.")
    return found
