"""Office files are ZIP archives of XML. They are opened with limits here, so that a small file cannot become a huge one.

Sizes and ratios are checked before anything is unpacked, and again while unpacking. XML with a document type is refused: office
formats have none, and it is the way to entities that expand without end.
"""

from __future__ import annotations

import zipfile
import zlib
from io import BytesIO
from typing import IO
from xml.etree import ElementTree
from xml.parsers import expat

from metaagent.errors import Text
from metaagent.knowledge.extracted import BlockWriter, refused

MAX_ENTRIES = 2_000
MAX_ENTRY = 50_000_000
MAX_RATIO = 100
_SMALL = 1_000_000
"""Sizes below which a high ratio does no harm: a sheet of empty cells packs well."""
_PIECE = 65_536

BROKEN = Text(
    en="{name}: the file is broken or cut off ({why}). Open and save it again, or get it anew.",
    ko="{name}: 파일이 손상되었거나 잘렸습니다({why}). 다시 저장하거나 새로 받아 주세요.",
)
ENCRYPTED = Text(
    en="{name}: the file is protected by a password. Remove the password and try again.",
    ko="{name}: 암호가 걸린 파일입니다. 암호를 풀고 다시 시도해 주세요.",
)
_BOMB = Text(
    en="{name}: it unpacks to more than {limit} times its size, as files do that are made to fill memory. It was not unpacked.",
    ko="{name}: 풀면 크기가 {limit}배를 넘는, 메모리를 채우려는 파일의 모습입니다. 풀지 않았습니다.",
)
_MANY = Text(
    en="{name}: it holds {count} parts, more than {limit}. It was not unpacked.",
    ko="{name}: 안에 든 파일이 {count}개로 한도 {limit}개를 넘습니다. 풀지 않았습니다.",
)
_LARGE_PART = Text(
    en="{name}: its part {part} unpacks to more than {limit} MB. It was not read.",
    ko="{name}: 내부 파일 {part}이(가) 풀면 {limit}MB를 넘습니다. 읽지 않았습니다.",
)
_DTD = Text(
    en="{name}: its part {part} declares XML entities, which office files never do. It was not read.",
    ko="{name}: 내부 파일 {part}에 문서 파일에는 없는 XML 엔터티 선언이 있습니다. 읽지 않았습니다.",
)
_MACROS = Text(
    en="It holds macros or scripts. They were not run.",
    ko="매크로나 스크립트가 들어 있습니다. 실행하지 않았습니다.",
)
_EMBEDDED = Text(
    en="It holds {count} embedded file(s): {names}. They were not opened.",
    ko="다른 파일 {count}개가 들어 있습니다: {names}. 열지 않았습니다.",
)
BAD_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)


class Archive:
    """An office file whose parts are read one by one."""

    def __init__(self, name: str, content: bytes) -> None:
        self._name = name
        try:
            self._zip = zipfile.ZipFile(BytesIO(content))
        except BAD_ZIP as error:
            raise refused(name, BROKEN, why=type(error).__name__) from error
        entries = self._zip.infolist()
        if len(entries) > MAX_ENTRIES:
            raise refused(name, _MANY, count=len(entries), limit=MAX_ENTRIES)
        if any(entry.flag_bits & 1 for entry in entries):
            raise refused(name, ENCRYPTED)
        declared = sum(entry.file_size for entry in entries)
        if declared > max(MAX_RATIO * len(content), _SMALL) or any(map(_is_bomb, entries)):
            raise refused(name, _BOMB, limit=MAX_RATIO)
        self.names = frozenset(entry.filename for entry in entries)

    def opened(self, part: str) -> IO[bytes]:
        """A part to be read piece by piece."""
        try:
            return self._zip.open(part)
        except KeyError as error:
            raise refused(self._name, BROKEN, why=part) from error
        except BAD_ZIP as error:
            raise refused(self._name, BROKEN, why=type(error).__name__) from error

    def read(self, part: str) -> bytes:
        """The content of a part. The archive's word on its size is not taken: at most the limit is unpacked."""
        try:
            with self.opened(part) as stream:
                content = stream.read(MAX_ENTRY + 1)
        except BAD_ZIP as error:
            raise refused(self._name, BROKEN, why=type(error).__name__) from error
        if len(content) > MAX_ENTRY:
            raise refused(self._name, _LARGE_PART, part=part, limit=MAX_ENTRY // 1_000_000)
        return content

    def xml(self, part: str) -> ElementTree.Element:
        """The root of a part, which must be XML without a document type."""
        self.refuse_entities(part)
        try:
            return ElementTree.fromstring(self.read(part))  # noqa: S314 - a document type was refused just above
        except ElementTree.ParseError as error:
            raise refused(self._name, BROKEN, why=f"{part}: {error}") from error

    def refuse_entities(self, part: str) -> None:
        """Refuse XML that has a document type, in whatever encoding: the parser itself says so before the first element."""
        parser = expat.ParserCreate()
        parser.StartDoctypeDeclHandler = _declared
        parser.StartElementHandler = _begun
        try:
            with self.opened(part) as stream:
                for _ in range(MAX_ENTRY // _PIECE):
                    piece = stream.read(_PIECE)
                    parser.Parse(piece, not piece)
        except _Declared as error:
            raise refused(self._name, _DTD, part=part) from error
        except _Begun:
            return
        except (expat.ExpatError, *BAD_ZIP) as error:
            raise refused(self._name, BROKEN, why=f"{part}: {error}") from error

    def warn_of_what_is_not_opened(self, writer: BlockWriter) -> None:
        """Say that macros were not run and embedded files not opened."""
        lowered = {name: name.lower() for name in self.names}
        if any("vbaproject" in low or low.startswith("scripts/") for low in lowered.values()):
            writer.warn(_MACROS)
        embedded = sorted(
            name for name, low in lowered.items() if "/embeddings/" in low or low.startswith("bindata/ole")
        )
        if embedded:
            names = ", ".join(name.rsplit("/", 1)[-1][:60] for name in embedded[:5])
            writer.warn(_EMBEDDED, count=len(embedded), names=names)


def _is_bomb(entry: zipfile.ZipInfo) -> bool:
    return entry.file_size > _SMALL and entry.file_size > MAX_RATIO * max(entry.compress_size, 1)


class _Declared(Exception):
    pass


class _Begun(Exception):
    pass


def _declared(*_: object) -> None:
    raise _Declared


def _begun(*_: object) -> None:
    raise _Begun


def local(tag: str) -> str:
    """The name of an element without its namespace."""
    return tag.rsplit("}", 1)[-1]


def attribute(element: ElementTree.Element, name: str) -> str | None:
    """An attribute by its local name, whatever its namespace."""
    value = element.get(name)
    if value is not None:
        return value
    return next((value for key, value in element.attrib.items() if local(key) == name), None)
