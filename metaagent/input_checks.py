"""Checks of what enters: the person's text and answers, checked before anything is stored. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any, cast

from metaagent.errors import InputRefused, Text
from metaagent.language.patterns import regex
from metaagent.ports import Group, User

ID = regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
MEDIA_TYPE = regex(
    r"[a-z0-9][a-z0-9!#$&^_.+-]{0,63}/[a-z0-9][a-z0-9!#$&^_.+-]{0,99}(?:; ?[a-z0-9-]{1,40}=[A-Za-z0-9._-]{1,40}){0,4}"
)
NAME_LENGTH = 200
MOST_VERSIONS = 1_000_000

_NOT_TEXT = Text(
    en="The question must be text, not {found}.", ko="질문은 텍스트여야 합니다. 지금은 {found}입니다."
)
_EMPTY = Text(
    en="The question is empty. Type what you want to know.",
    ko="질문이 비어 있습니다. 궁금한 것을 적어 주세요.",
)
_TOO_LONG = Text(
    en="The question has {size:,} bytes; at most {limit:,} are taken (limits.question_bytes). "
    "Shorten it, or attach the text as a file.",
    ko="질문이 {size:,}바이트입니다. 최대 {limit:,}바이트까지 받습니다(limits.question_bytes). "
    "줄이거나 파일로 첨부하세요.",
)
_BROKEN_TEXT = Text(
    en="The text is not valid Unicode (at character {position}: {char!r}). Save it as UTF-8 and try again.",
    ko="올바른 유니코드 텍스트가 아닙니다({position}번째 글자: {char!r}). UTF-8로 저장해 다시 시도하세요.",
)
_ANSWER_TOO_LONG = Text(
    en="The answer has more than {limit:,} bytes (limits.question_bytes). Shorten it.",
    ko="답이 {limit:,}바이트보다 깁니다(limits.question_bytes). 줄여 주세요.",
)
_BAD_NUMBER = Text(
    en="The answer holds a number at {path} that cannot be kept: finite numbers within 64 bits are taken.",
    ko="답의 {path} 위치에 있는 숫자는 보관할 수 없습니다. 64비트 범위의 유한한 숫자만 받습니다.",
)
_BAD_NAME = Text(
    en="{what} {value!r} is not a valid name: use 1 to {limit} printable characters.",
    ko="{what} {value!r}은(는) 올바른 이름이 아닙니다. 보이는 글자로 1~{limit}자를 쓰세요.",
)
_TOO_DEEP = Text(
    en="The answer is nested more than {limit} levels deep. Send a flatter value.",
    ko="답이 {limit}단계보다 깊게 중첩되어 있습니다. 더 단순한 값으로 보내 주세요.",
)
_WRONG_TYPE = Text(
    en="The answer holds a value of type {found} at {path}: only text, numbers, true/false, null, lists and maps are taken.",
    ko="답의 {path} 위치에 {found} 형식의 값이 있습니다. 텍스트, 숫자, 참/거짓, null, 목록, 맵만 받습니다.",
)
_BAD_ID = Text(
    en="{what} {value!r} is not a valid id: use letters, digits, `_` and `-`, at most 64 characters.",
    ko="{what} {value!r}은(는) 올바른 id가 아닙니다. 영문자, 숫자, `_`, `-`로 64자까지 쓸 수 있습니다.",
)


def admit_question(text: object, limit: int) -> str:
    if not isinstance(text, str):
        raise InputRefused(_NOT_TEXT, found=type(text).__name__)
    _check_unicode(text)
    size = len(text.encode())
    if size > limit:
        raise InputRefused(_TOO_LONG, size=size, limit=limit)
    if not text.strip():
        raise InputRefused(_EMPTY)
    return text


def admit_id(value: object, what: str) -> str:
    if not isinstance(value, str) or not ID.fullmatch(value):
        raise InputRefused(_BAD_ID, what=what, value=value)
    return value


def file_problem(name: object, media_type: object, group: object) -> str:
    """Say what is wrong with what an artifact says of itself as a file; nothing if it is sound. A name is never a path."""
    if not isinstance(name, str) or len(name) > NAME_LENGTH or not (name.isprintable() or not name):
        return f"a name that is not 1 to {NAME_LENGTH} printable characters"
    if set(name) & set("/\\") or name in {".", ".."}:
        return "a name that is a path"
    if not isinstance(media_type, str) or not (media_type == "" or MEDIA_TYPE.fullmatch(media_type)):
        return "a media type that is none"
    if group is None:
        return ""
    if not isinstance(group, Group) or not _is_id(group.document_id) or not _is_id(group.format):
        return "a group without a document id and a format"
    numbers: list[object] = [group.version]
    (version,) = numbers
    sound = isinstance(version, int) and not isinstance(version, bool) and 1 <= version < MOST_VERSIONS
    return "" if sound else "a group without a version from 1 on"


def _is_id(value: object) -> bool:
    return isinstance(value, str) and ID.fullmatch(value) is not None


def admit_user(user: User) -> User:
    """Names of people may be in any script; what cannot be printed or stored is refused. Companies are ids."""
    names: list[object] = [user.user_id]
    name = names[0]
    if not isinstance(name, str) or not name.strip() or not name.isprintable() or len(name) > NAME_LENGTH:
        raise InputRefused(_BAD_NAME, what="user", value=name, limit=NAME_LENGTH)
    admit_id(user.company_id, "company")
    return user


def admit_answer(answer: object, *, limit: int, depth: int) -> Any:
    """A person's answer is any plain data within the bounds."""
    _check_plain(answer, "answer", _Room(limit, depth, limit), depth)
    return answer


@dataclass
class _Room:
    """The room that an answer has left; counted on the way, so that a bomb is refused before it is walked through."""

    limit: int
    depth: int
    left: int

    def take(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise InputRefused(_ANSWER_TOO_LONG, limit=self.limit)


def _check_plain(value: object, path: str, room: _Room, depth: int) -> None:
    if depth <= 0:
        raise InputRefused(_TOO_DEEP, limit=room.depth)
    room.take(1)
    if isinstance(value, str):
        _check_unicode(value)
        room.take(len(value.encode()))
    elif isinstance(value, list):
        for index, item in enumerate(cast("list[object]", value)):
            _check_plain(item, f"{path}[{index}]", room, depth - 1)
    elif isinstance(value, dict):
        for key, item in cast("dict[object, object]", value).items():
            if not isinstance(key, str):
                raise InputRefused(_WRONG_TYPE, found=type(key).__name__, path=f"{path} (a key)")
            _check_plain(key, path, room, depth - 1)
            _check_plain(item, f"{path}.{key}", room, depth - 1)
    else:
        _check_scalar(value, path)


def _check_scalar(value: object, path: str) -> None:
    if value is None or isinstance(value, bool):
        return
    if not isinstance(value, int | float):
        raise InputRefused(_WRONG_TYPE, found=type(value).__name__, path=path)
    if not (-(2**63) <= value < 2**63 if isinstance(value, int) else isfinite(value)):
        raise InputRefused(_BAD_NUMBER, path=path)


def _check_unicode(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputRefused(_BROKEN_TEXT, position=error.start + 1, char=text[error.start]) from error
