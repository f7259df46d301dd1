"""Words for data that belongs to a person or is a secret, by kind: in names of columns and in questions."""

from __future__ import annotations

import re

from metaagent.language.patterns import regex

_KINDS = {
    "mail": r"e?-?mail|이메일|메일",
    "phone": r"phone|fax|mobile|(^|_)mob($|_)|(^|_)(tel|hp)$|전화|휴대폰|핸드폰|연락처",
    "address": r"address|(^|_)addr$|주소",
    "birth": r"birth|(^|_)dob$|생년월일",
    "identity": r"passport|(?<![a-z])ssn(?![a-z])|(?-i:(?<=[a-z])SSN)|jumin|resident|주민",
    "card": r"card_number|card_no|(^|_)card$|계좌번호|카드번호",
    "secret": r"passw|secret|token|hash|salt|비밀번호",
    "network": r"(^|_)ip$",
}
_PATTERNS = {kind: regex(pattern, re.IGNORECASE) for kind, pattern in _KINDS.items()}


def private_kinds(name: str) -> frozenset[str]:
    """The kinds of private data that a name or word speaks of; none for others."""
    return frozenset(kind for kind, pattern in _PATTERNS.items() if pattern.search(name))
