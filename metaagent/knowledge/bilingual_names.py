"""Names that stand in two languages beside each other."""

from __future__ import annotations

from metaagent.language.patterns import regex

_BOTH = regex(
    r"(?:제\s?\d{1,4}조(?:의\d{1,3})?\s?|[\d.]{1,8}\s)?(?P<first>[^()]{2,60}?)\s?\((?P<second>[^()]{2,60})\)"
)


def both_languages(title: str) -> tuple[str, ...]:
    """The two names in a title such as `약사법 (Pharmaceutical Affairs Act)`; nothing where both are of one language."""
    found = _BOTH.fullmatch(title.strip())
    if not found or found["first"].isascii() == found["second"].isascii():
        return ()
    return found["first"].strip(), found["second"].strip()
