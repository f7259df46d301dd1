"""The new value of a change, a title or a sentence to be added: whatever stands in it asks for nothing. Pure."""

from __future__ import annotations

from metaagent.language.patterns import regex

Span = tuple[int, int]
_QUOTED = regex(r"[\"“«「『][^\"“”«»「」『』]+[\"”»」』]|(?<!\w)['‘](?:[^'‘’]|(?<=\w)['’](?=\w))+['’](?!\w)")
_SAID_KO = regex(
    r"(?P<value>[^,.;!?\n]+?)(?:이라고|라고|다고|이라는|라는|다는)\s?(?:(?:한\s?)?(?:줄|문장|문구|말|내용|제목|이름)(?:을|를|으로|로)?\s?)?(?:더\s|좀\s|꼭\s)?"
    r"(?:적|써|쓰|추가|넣|덧붙|달아|기입|기재|표기|명시|채우|채워|바꾸|바꿔|변경|수정|고치|고쳐|붙여|해\s?[줘주])"
)
_BECOMES_KO = regex(
    r"(?P<value>[^,.;!?\n→]+?)(?<!순서)(?<!방식)(?<![이그]대)(?:으로|로)\s?(?:다시\s|좀\s|꼭\s)?(?:바꾸|바꿔|변경|수정|고치|고쳐|교체|정하|정해|지어|달아|붙여|해\s?[줘주])"
)
_BEGINS_KO = regex(
    r"[을를은는]\s|(?:제목|이름|명칭|타이틀|표제|머리말)(?:도|만)?\s|(?:하고|해서|말고|한\s(?:뒤|다음|후)에?)\s"
)
"""Words before a new value: the part that gets it, or another order."""
_NEXT_EN = (
    r"(?:,|;|\.(?:\s|\Z)|!|\?|\Z|\s(?:and|then|but)\s(?:(?:then|also|please|now|do|don't|not)\s)*(?:sav|stor|archiv|fil|keep|put|check"
    r"|vet|run|review|have|make|send|show|hold|leave|let|log|add|remove|delete|shorten|translate)\w*\s\w)"
)
"""The end of a new value: a mark, or another order behind "and"."""
_BECOMES_EN = regex(
    rf"\b(?:change|set|switch|update|reword|rephrase)\b[^.;,!?\n]{{0,60}}?\b(?:to|as)\s(?P<becomes>[^\n]+?)(?={_NEXT_EN})"
    rf"|\breplace\b[^.;,!?\n]{{1,60}}?\b(?:with|by)\s(?P<replaced>[^\n]+?)(?={_NEXT_EN})"
    rf"|\b(?:re-?name|re-?title|call|name|entitle|title|label|make (?=the (?:title|heading|headline|name|subject)))\s?"
    rf"(?:it|this|that|the \w+)\s(?:to\s|as\s)?(?P<called>[^\n]+?)(?={_NEXT_EN})"
    rf"|\b(?:saying|that says|which says|to say|reading|stating|that reads|with the words?)\s(?P<said>[^\n]+?)(?={_NEXT_EN})"
)


def new_values(text: str) -> list[Span]:
    """The places of words in quotation marks, and of the new value of a change, in a text in lower case."""
    found = [match.span() for match in _QUOTED.finditer(text)]
    found += [match.span("value") for match in _SAID_KO.finditer(text)]
    for match in _BECOMES_KO.finditer(text):
        begins = [each.end() for each in _BEGINS_KO.finditer(text, *match.span("value"))]
        found.append((begins[-1] if begins else match.start(), match.end("value")))
    found += [match.span(match.lastgroup or 0) for match in _BECOMES_EN.finditer(text)]
    return found
