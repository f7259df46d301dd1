"""Mail (.eml): who wrote to whom, when, about what; the body as text. Attachments are named, not opened."""

from __future__ import annotations

import email
import email.policy
from collections.abc import Iterator
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from typing import Any

from metaagent.errors import Text
from metaagent.knowledge.extracted import BlockWriter, Parsed, clean, one_line
from metaagent.knowledge.parsing.html import add_html
from metaagent.knowledge.parsing.plain_text import add_paragraphs, decoded

_HEADERS = (("From", "보낸 사람"), ("To", "받는 사람"), ("Cc", "참조"), ("Date", "날짜"), ("Subject", "제목"))
_MAX_PARTS = 500
_ATTACHED = Text(
    en="It has {count} attachment(s): {names}. They were not opened.",
    ko="첨부 파일 {count}개가 있습니다: {names}. 열지 않았습니다.",
)
_NO_BODY = Text(en="The mail has no text.", ko="메일에 본문이 없습니다.")


def parse(content: bytes, name: str, writer: BlockWriter) -> Parsed:
    """Read a mail."""
    message = email.message_from_bytes(
        content, policy=email.policy.compat32
    )  # the newer parser takes minutes on bad headers
    said = [f"{label}: {value}" for header, label in _HEADERS if (value := _header(message, header))]
    subject = _header(message, "Subject")
    writer.add("heading", subject, level=1)
    writer.add("list", "\n".join(said))
    bodies, attached = _parts(message)
    before = len(writer.blocks)
    for part in bodies:
        _body(part, name, writer)
    if len(writer.blocks) == before:
        writer.warn(_NO_BODY)
    if attached:
        writer.add("list", "\n".join(f"첨부: {one}" for one in attached))
        writer.warn(_ATTACHED, count=len(attached), names=", ".join(attached[:5]))
    return Parsed(subject)


def _header(message: Message, name: str) -> str:
    """A header as text. Long ones are cut before they are decoded."""
    raw = next((value for key, value in message.raw_items() if key.lower() == name.lower()), "")
    return _decoded_words(str(raw)[:2_000])


def _decoded_words(raw: str) -> str:
    """Encoded words (`=?utf-8?b?...?=`) as text; bytes that no header may have are taken for Korean."""
    try:
        parts = decode_header(raw)
    except HeaderParseError:
        parts = [(raw, None)]
    said: list[str] = []
    for part, charset in parts:
        content = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        said.append(_text(content, charset))
    return one_line(clean("".join(said)))[:1_000]


def _text(content: bytes, charset: str | None) -> str:
    for encoding in (charset, "utf-8", "cp949"):
        try:
            return content.decode(encoding or "utf-8")
        except (UnicodeDecodeError, LookupError):
            continue
    return content.decode("utf-8", "replace")


def _parts(message: Message) -> tuple[list[Message], list[str]]:
    """The parts that are the text, and the names of the others. Of two forms of one text the plain one is taken."""
    plain: list[Message] = []
    html: list[Message] = []
    attached: list[str] = []
    for part in _leaves(message):
        kind = part.get_content_type()
        if (
            part.get_content_disposition() == "attachment"
            or part.get_filename()
            or not kind.startswith("text/")
        ):
            attached.append(_decoded_words(part.get_filename() or kind)[:120])
        elif kind == "text/html":
            html.append(part)
        else:
            plain.append(part)
    return plain or html, attached


def _leaves(message: Message) -> Iterator[Message]:
    """Parts without parts. A mail within the mail is an attachment as a whole."""
    stack: list[Any] = [message]
    for _ in range(_MAX_PARTS):
        if not stack:
            return
        part = stack.pop()
        if part.get_content_maintype() == "multipart" and part.is_multipart():
            stack.extend(reversed(part.get_payload()))
        else:
            yield part


def _body(part: Message, name: str, writer: BlockWriter) -> None:
    payload = part.get_payload(decode=True)
    content = payload if isinstance(payload, bytes) else b""
    if not content.strip():
        return
    text = decoded(content, name=name, declared=part.get_content_charset())
    if part.get_content_type() == "text/html":
        add_html(text, writer)
    else:
        add_paragraphs(text, writer)
