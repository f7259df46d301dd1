# ruff: noqa: E501 - a pattern is read in one piece
"""Words for storing that order it: nothing is stored where the form of their clause is not that of an order. Pure.

`acts.py` reads clauses all of whose words are known; this judges the others by their form alone: in Korean by what stands behind
the word (저장해줘, 저장까지 부탁해), in English by what stands before it (then store, I want it saved). Any other clause may
promise it, put it off, leave it to somebody else or speak of something else, so nothing is stored, and that is said.
"""

from __future__ import annotations

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.requests.moods import KOREAN

_ENDS = regex(r"[.,!?;:\n)…~]|→|->")
_LIGHT = (
    r"(?:(?:좀|꼭|바로|곧바로|즉시|다|모두|전부|같이|함께|한번에|한\s?번에|처리|진행|완료|작업|그대로|이대로|따로|잘|안전하게|최종|이제|다시|하나|한\s?부"
    r"|(?:[가-힣a-z0-9]+\s)?(?!\S*(?:다음|전|후|뒤|나중|때|아침|점심|저녁|주말|월|주|날|내일|모레|요일|별도|따로|손|수동)\S?\S?(?:에|로))[가-힣a-z0-9]+(?:에다가|에다|에|으로|로))\s?)"
)
_ORDER = (
    r"(?:해\s?(?:줘|주|줄|둬|두|놔|놓|라|요|달|봐|야|\Z)|해서|해도\s?(?:돼|되|됩|좋|괜찮)|해(?=\s|\Z)|하(?:고(?!\s?싶지)|자|세요|십시오|시(?:고|죠|면\s?(?:돼|되|됩))|도록|여(?:\s|서)|렴|면\s?(?:돼|되|됩|좋)|는\s?(?:걸로|것으로|거로|조건))"
    r"|한\s?(?:뒤|후|다음|채)|할\s?(?:것|수)|후\s|시켜|부탁|바람|바랍|바라|요망|요청|진행|처리|넣|올려|올리|남겨|남기|둬|두(?:고|세|면\s?(?:돼|되))|놔|놓|주(?:고|세|시|면)|줘|순(?:서)?(?:으로|로)?|\Z)"
)
_ORDERED_KO = regex(rf"(?:까지만|까지|도|만|을|를|은|는)?\s?{_LIGHT}{{0,4}}{_ORDER}")
_ORDERED_STEM = regex(
    r"\S{0,3}?(?:줘|주(?!지)|둬|두(?!지)|놔|놓(?!지)|고|서|세|라|자|십|렴|시(?!지)|부탁|바랍|어\s?[주줘둬놔]|\Z)"
)
"""Behind a word that ends in the stem of its verb: 자료실에 올려줘."""
_STEM = regex(r"(?:남|두|넣|올|둬|놔|올려놔|해)\Z")
_REFUSED = regex(r"\S{0,4}\s?지(?:는|도|를)?\s?(?:마|말|않)|[^,.]{0,12}?(?:하고|두고)\s?싶지\s?않")
_CUT_EN = regex(r"[.,!?;:\n()…]|\s[-–—]+\s|→|->|\b(?:and(?: then)?|then|but|or|so|plus|&)\s")
_POLITE = (
    r"(?:please|kindly|then|now|also|just|finally|lastly|next|afterwards?|immediately|simply|\w+ly|too|first|second|third|again|ok(?:ay)?|yes|right|great|good|fine"
    r"|go ahead(?: and)?|go on and|you (?:can|may|could|should)|(?:can|could|would|will) you|(?:i(?:'d| would)? |we(?:'d| would)? )?(?:like|want|need|would like) you to|(?:would|do) you mind"
    r"|(?:be|make|making) sure (?:to|you|that you)|(?:don't|do not|never) forget to|remember to|let's|let us|feel free to|help me|try to|and|to|i need to|i want to|i'd like to|we need to|we should|the next step is to|to do)\s"
)
_IMPERATIVE = regex(rf"\s*(?:{_POLITE})*\Z")
_WISHED = regex(
    r"(?:.*\b)?(?:have|get|want|need|like|see|with)\s(?:it|that|this|them|these|those|both|everything|all of it|(?:the|my|our|a|an|this|that)(?:\s[\w'-]+){1,6}?)\s(?:to (?:be|get) )?(?:\w+ly\s)?\Z"
    r"|.*\b(?:should|must|has to|have to|needs? to|ought to|is to|are to|shall)\s(?:\w+\s)?(?:be|get)\s(?:\w+ly\s)?\Z"
)
_PLACED = regex(
    rf"\s*(?:{_POLITE})*(?:put|place|stick|pop|add|upload|move|load|enter|keep|file|get|drop|save|store|deposit|copy|send)\b.*\b(?:in|into|to|on|onto|as)\s(?:(?:the|our|my|a|company|shared|central)\s){{0,2}}\Z"
)
_DENIED = regex(
    r"\b(?:not|never|no|nothing|without|don't|doesn't|won't|shouldn't|mustn't|needn't|can't|cannot|isn't|aren't|nobody|un\w+)\b|n't\b"
)
_ASKED = regex(
    r"\s*(?:should|shall|must|may|might|did|do|does|has|have|was|were|is|are|why|how|what|where|when|who|which)\s(?!you mind)"
)


def orders_storing(text: str, start: int, end: int) -> bool:
    """Say whether a word for storing stands in a clause of the form of an order."""
    return _in_korean(text, start, end) if KOREAN.search(text[start:end]) else _in_english(text, start, end)


def _in_korean(text: str, start: int, end: int) -> bool:
    stop = _ENDS.search(text, end)
    behind = text[end : stop.start() if stop else len(text)].rstrip()
    if _REFUSED.match(behind):
        return False
    if _STEM.search(text[start:end]) and _ORDERED_STEM.match(behind):
        return True
    return _ORDERED_KO.match(behind) is not None


def _in_english(text: str, start: int, end: int) -> bool:
    cuts = [match.end() for match in _CUT_EN.finditer(text, 0, start)]
    before, said = text[cuts[-1] if cuts else 0 : start], text[start:end]
    if _DENIED.search(before) and not _IMPERATIVE.match(before):
        return False
    if said.endswith("ing"):
        return False
    if said.endswith("ed"):
        return (
            not before.strip() or _IMPERATIVE.match(before) is not None or _WISHED.match(before) is not None
        )
    if _ASKED.match(before):
        return False
    return _IMPERATIVE.match(before) is not None or _PLACED.match(before) is not None
