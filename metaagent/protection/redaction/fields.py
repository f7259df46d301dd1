"""Names of sensitive fields in every spelling: user_id, userId, USER-IDS, owner_user_id."""

from __future__ import annotations

from functools import lru_cache

from metaagent.language.patterns import regex

SENSITIVE_FIELDS = ("user_id", "api_keys", "passwords", "personal_info", "financial_data")
# What the specification's five mean in other people's spelling.
_KIN = (
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "client_secret",
    "private_key",
    "secret_key",
    "access_key",
    "encryption_key",
    "signing_key",
    "access_token",
    "auth_token",
    "refresh_token",
    "id_token",
    "session_token",
    "bearer_token",
    "api_token",
    "credential",
    "personal_data",
    "personal_information",
    "financial_info",
    "financial_information",
    "credit_card",
    "card_number",
    "account_number",
    "bank_account",
    "resident_number",
    "resident_registration_number",
    "social_security_number",
    "passport_number",
    "ssn",
    "rrn",
    "비밀번호",
    "주민등록번호",
    "주민번호",
    "계좌번호",
    "카드번호",
    "여권번호",
    "개인정보",
)
# These say too little inside a longer name (`token_count`, `cookie_banner`): only the whole name counts.
_WHOLE = frozenset(
    (
        "token",
        "authorization",
        "cookie",
        "setcookie",
        "xapikey",
        "proxyauthorization",
        "pin",
        "cvv",
        "cvc",
        "otp",
    )
)
_WORDS = regex(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_a-zA-Z]+")
_LONGEST_NAME = 200
_OWN_ID = regex(r"[a-z][0-9a-f]{15,}")  # such as an artifact's: new in every turn, and no name of a field


def _words(name: str) -> tuple[str, ...]:
    return tuple(_singular(word.lower()) for word in _WORDS.findall(name))


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 2 and word.endswith("s") and not word.endswith("ss") else word


class SensitiveFields:
    """The configured names, ready to be compared with any spelling."""

    def __init__(self, more: tuple[str, ...] = ()) -> None:
        self.names = (*SENSITIVE_FIELDS, *more)
        self._phrases = frozenset(_words(name) for name in (*self.names, *_KIN)) - {()}
        self._joined = frozenset("".join(phrase) for phrase in self._phrases)
        self._endings = tuple(joined for joined in self._joined if len(joined) >= 6)
        self._longest = max(map(len, self._phrases))
        self._known = lru_cache(maxsize=4096)(self._decide)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._known(name[:_LONGEST_NAME])

    def _decide(self, name: str) -> bool:
        if _OWN_ID.fullmatch(name):
            return False
        words = _words(name)
        joined = "".join(words)
        if (
            joined in self._joined
            or "".join(_WORDS.findall(name)).lower() in _WHOLE
            or joined.endswith(self._endings)
        ):
            return True
        spans = (
            (at, at + size) for size in range(1, self._longest + 1) for at in range(len(words) - size + 1)
        )
        return any(words[start:end] in self._phrases for start, end in spans)


@lru_cache(maxsize=64)
def sensitive_fields(more: tuple[str, ...] = ()) -> SensitiveFields:
    """Shares the compiled names: each turn has a redactor of its own, and its names are the same."""
    return SensitiveFields(more)
