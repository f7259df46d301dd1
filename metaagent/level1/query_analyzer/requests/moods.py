"""The mood of a clause: whether its words order a task, or only speak of it. Pure.

An effect runs only where a clause orders it. "저장은 내가 나중에 말할게", "my manager will store it" and "저장하는 게 좋을까?"
promise it, leave it to somebody else or leave it open.
"""

from __future__ import annotations

from collections.abc import Sequence

from metaagent.language.patterns import regex

Span = tuple[int, int]
EFFECTS = frozenset({"store", "document"})
"""Intents of which something remains."""
KOREAN = regex(r"[가-힣]")
JOINED = regex(r",\s|\s(?:그리고|근데|그런데|하지만|but|and then|and)\s")
"""Signs and words between the clauses of a sentence."""
_SENTENCE = regex(r"[.!?;\n…]+(?:\s|$)|[;\n]")
_GOES_ON_KO = regex(r"[가-힣](?:고|서|며|면서|는데|지만)\s")
"""The end of a Korean clause that another one follows."""
_ORDERS_KO = regex(
    r"(?:줘(?!도)|주(?:고|면|세|시|실|십|라|길|기|렴|겠)|줄\s?수|달라|부탁|바랍|바라|하자|하세|하십|해라|해야|할\s?것|둬|놔|놓[고아]|두[고어세십]"
    r"|해(?:요|\s?봐)?\s*(?:[.!~]|$))"
)
"""A Korean verb that orders: 해줘, 해두고, 하세요."""
_L = "".join(chr(code) for code in range(0xAC08, 0xD7A4, 28))
"""Syllables that end in ㄹ, as verbs do that promise, plan or wonder: 할게, 할지, 할까."""
NO_ORDER_KO = regex(
    rf"[{_L}]게(?:요|여|용)?(?=\s*(?:[.,!~ㅎㅋㅠㅜ]|$))|겠(?:습|어|다|음|지|네)|기로\s?(?:했|함|하였|돼|되)|[{_L}]지(?:는|도|가|를)?(?=\s)"
    rf"|(?:는|은)\s?(?:게|것이|편이)\s?(?:좋|나|낫|맞)[가-힣]*(?:까|나|지|가)|[{_L}]까|[{_L}]\s?(?:예정|계획|생각)|[{_L}]\s?(?:거|것)(?:야|예|에|이|임|다)"
)
"""The part of a Korean clause that promises, plans, wonders or leaves it open."""
_SUBJECT_EN = r"(?:i|we|he|she|they|someone|somebody|(?:my|our|the|his|her|their)(?:\s\w+){1,3}?|[a-z]+)"
_NO_ORDER_EN = regex(
    rf"(?:\b{_SUBJECT_EN}(?:'ll|\swill|'d rather|\swould rather|\smight|\sshall|\s(?:is|am|are) going to|'m going to|\splans? to"
    r"|\sintends? to)\s(?:\w+\s){0,2}"
    r"|\bwhether\s(?:or\snot\s)?(?:to|i|we)\s(?:\w+\s){0,2}|\b(?:not\ssure|unsure|undecided|wonder(?:ing)?)\b[^.;]{0,40}"
    r"|\b(?:should|shall|must|may|might)\s(?:i|we)\s(?:\w+\s)?"
    r"|\b(?:tell|let)\syou(?:\sknow)?\b[^.;]{0,30}\b(?:if|when|whether|what)\s[^.;]{0,30})\Z"
)
"""The part of an English clause before a task that somebody else does, that comes later, or that is left open."""
_UNDECIDED_EN = regex(r"[^.;!?]{0,40}\b(?:i|we) (?:have not|haven't|did not|didn't) (?:yet )?decided?\b")
_COURTEOUS = regex(r"\b(?:can|could|would|will) you\b|\byou (?:can|could|may|should|will)\b|\blike you to\b")
"""An English request in the form of a question."""


_SAME = regex(
    r"똑같이|동일하게|마찬가지로|(?:똑)?같은\s?(?:방식|방법|식|걸|것|거)(?:으로|로)?\s?(?:해|처리|만들|부탁)"
    r"|\b(?:the )?same(?: thing)?(?: again)? (?:for|with|on)\b|\blikewise for\b|\brepeat (?:it|that|this|all of it) (?:for|with)\b"
)


def same_again(text: str) -> bool:
    """Say whether everything is ordered once more for something else: 부산도 똑같이 해줘, do the same for Busan."""
    return _SAME.search(text) is not None


def orders_nothing(text: str, start: int, end: int, stops: Sequence[int] = ()) -> Span | None:
    """The clause round a task that it does not order; None where it is ordered. `stops`: where the next tasks stand."""
    first, last = sentence(text, start, end)
    joined = [match.end() for match in JOINED.finditer(text, first, start)]
    first = joined[-1] if joined else first
    if not KOREAN.search(text[start:end]):
        told = _NO_ORDER_EN.search(text[first:start]) or _UNDECIDED_EN.match(text, end, last)
        return (first, last) if told and not _COURTEOUS.search(text[first:start]) else None
    stop = min([at for at in stops if end <= at < last], default=last)
    left_open, ordered = NO_ORDER_KO.search(text, end, stop), _ORDERS_KO.search(text, end, stop)
    if left_open is None or (ordered is not None and ordered.start() < left_open.start()):
        return None
    joined = [match.end() for match in _GOES_ON_KO.finditer(text, first, start)]
    return (joined[-1] if joined else first), stop


def sentence(text: str, start: int, end: int) -> Span:
    """The sentence round a stretch of a text."""
    cuts = [0, *(match.end() for match in _SENTENCE.finditer(text)), len(text)]
    return max(cut for cut in cuts if cut <= start), min(
        (cut for cut in cuts if cut >= end), default=len(text)
    )
