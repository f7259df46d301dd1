"""Greetings, partings, thanks, remarks, calls for help, and calls to take back what was done: answered, not analysed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from metaagent.errors import Text
from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.grammar import lexicon_en, lexicon_ko

_FILLER = (
    r"(?:[\s,.!?~^…♡ㅎㅋㅠㅜ]|네|예|아|음|오|어|혹시|급한데|오케이|좋아요?|정말|진짜|너무|넌|너는|너|저기요?"
    r"|please|oh|um|great|ok(?:ay)?|so|well|awesome|al(?:l )?right|nah|nope|no(?=[,.!])"
    r"|yeah|yes|nice|cool|wonderful|excellent|lovely|super)*"
)
_WORDS = (
    ("help", lexicon_ko.HELP, lexicon_en.HELP),
    ("parting", lexicon_ko.PARTING, lexicon_en.PARTING),
    ("thanks", lexicon_ko.THANKS, lexicon_en.THANKS),
    ("greeting", lexicon_ko.GREETING, lexicon_en.GREETING),
    ("remark", lexicon_ko.REMARK, lexicon_en.REMARK),
)
_HELLO = rf"(?:(?:{lexicon_ko.GREETING}|{lexicon_en.GREETING}){_FILLER})?"
_KINDS = {
    kind: regex(rf"{_FILLER}{_HELLO if kind == 'help' else ''}(?:(?:{ko}|{en}){_FILLER}){{1,3}}")
    for kind, ko, en in _WORDS
}
_MIXED = regex(
    rf"{_FILLER}(?:(?:{'|'.join(f'{ko}|(?:{en})(?![a-z])' for _, ko, en in _WORDS[1:])}){_FILLER}){{1,5}}"
)
_BEGINS = {kind: regex(rf"{_FILLER}(?:{ko}|(?:{en})(?![a-z]))") for kind, ko, en in _WORDS[2:4]}
_ENDS = {kind: regex(rf"(?:{ko}|(?<![a-z])(?:{en})){_FILLER}\Z") for kind, ko, en in _WORDS[1:4]}
_INSIDE = {kind: regex(rf"{ko}|(?<![a-z])(?:{en})(?![a-z])") for kind, ko, en in _WORDS[1:]}
_ASKS_HELP = regex(rf"(?:{lexicon_ko.HELP}|(?<![a-z])(?:{lexicon_en.HELP})){_FILLER}\Z")
POLITE = frozenset({"부탁", "ok", "okay"})
"""Words that ask for something elsewhere, and for nothing inside a greeting: 잘 부탁드립니다, ok thanks."""
MOST_WORDS = 9
MOST_WORDS_OF_HELP = 16

REPLIES = {
    "kept": Text(en="Stored things of yours:", ko="저장한 것:"),
    "greeting": Text(en="Hello.", ko="안녕하세요."),
    "parting": Text(en="All right. Ask again whenever you like.", ko="알겠습니다. 언제든 다시 물어보세요."),
    "thanks": Text(en="You are welcome.", ko="도움이 되었다니 다행입니다."),
    "declined": Text(en="All right. Nothing was done.", ko="알겠습니다. 아무것도 하지 않았습니다."),
    "remark": Text(en="Noted. What would you like to see next?", ko="네, 이어서 무엇을 볼까요?"),
    "help": Text(en="Ask in your own words.", ko="편하게 물어보세요."),
    "undo": Text(
        en="Nothing was changed: what was done is not taken back in a conversation. `metaagent stored undo RECEIPT --reason TEXT` "
        "takes back what was stored (`metaagent stored list` has the receipts), and `metaagent documents restore` brings back an "
        "earlier version of a document.",
        ko="아무것도 바꾸지 않았습니다. 이미 한 일은 대화에서 되돌리지 않습니다. 저장한 것은 "
        "`metaagent stored undo 영수증 --reason 이유`로 되돌리고(영수증은 `metaagent stored list`에 있습니다), "
        "문서의 이전 판은 `metaagent documents restore`로 되찾습니다.",
    ),
}
_UNDO_KO = (
    r"(?:(?:방금|아까|지금|금방|좀\s?전에|위에?|그|이|저)\s?)*(?:(?:저장|보관|등록|작성|생성|기록)(?:했던|해\s?둔|한|된)?\s?|"
    r"만든\s|올린\s|한\s|했던\s)?"
    r"(?:거|것|걸|건|게|내용|문서|보고서|파일|자료|결과|표|차트|기록|저장|등록|보관)?[을를은는도]?\s?"
    r"(?:다시\s|좀\s|전부\s|모두\s|다\s|그냥\s)?"
    r"(?:취소|되돌려|되돌리|돌려\s?놔|철회|물러|무르|원상복구|롤백|삭제|지워|없애)"
    r"(?:\S{0,4}\s?(?:줘|주세요|주라|줄래|주실|싶|부탁|요|수)\S{0,6}|\S{0,2})(?:\s있\S{1,4})?"
)
_UNDO_EN = (
    r"(?:(?:please|can you|could you|now|and|so|just)\s)*"
    r"(?:undo|revert|roll ?back|take (?:it|that|this) back|take back|cancel|delete|remove|discard)"
    r"(?:\s(?:it|that|this|them|everything|what (?:you|i|we) (?:just )?(?:stored|saved|did|made|wrote)"
    r"|(?:the|that|this) (?:last |stored |saved )?(?:storing|storage|save|report|file|document|record|change|table|one)))?"
    r"(?:\s(?:please|again|now))*"
)
_UNDO = regex(rf"(?:{_UNDO_KO}|{_UNDO_EN})")
_REGRET = regex(
    r"\s*(?:(?:아니|아+|앗|어|음|잠깐만?|근데|그럼|혹시|미안\S{0,4}|저기|잘못\S{0,5}(?:\s(?:말|눌|했|시)\S{0,4})?|실수\S{0,5}|no|wait|oops|sorry|actually"
    r"|my mistake|(?:that|it) was (?:a mistake|wrong)|wrong \w+|i made a mistake|never ?mind)(?=\s|\Z)\s*)*"
)
"""Words before a call to undo that say no more than that something went wrong."""
_ASKS_MORE = regex(
    r"(?:줘|주세요|줄래|주시고|하고|해서)(?![가-힣])|얼마|몇\s|매출|\b(?:show|write|make|draft|tell|give|get|pull|check|run|change|compare|how|what|which)\b"
)
"""Words before a call to undo that ask for something else."""
_COURTESY = regex(
    r"(?:please|thanks?(?: you)?|thx|pls|부탁(?:해요?|드려요|드립니다)|고마워요?|감사합니다|죄송해요|미안해요?)"
)
_SENTENCE = regex(r"[.,!?~;\n]+")
_KEPT_KO = r"(?:저장|보관|등록)"
_KEPT_EN = r"(?:saved?|stored?|archived?|kept)"
_WHEN_EN = (
    r"(?:\s(?:yet|already|so far|now|today|yesterday|somewhere|anywhere|there|correctly|last (?:week|month|time)|here|"
    r"please|in this (?:conversation|session)))*"
)
_ASKS_WHAT_IS_KEPT = regex(
    rf"(?:\S+\s){{0,8}}?{_KEPT_KO}(?:은|이|을)?\s?(?:제대로\s|잘\s|이미\s|다\s|안\s)?(?:됐|되었|했|하셨|돼\s?있|되어\s?있|"
    rf"해\s?(?:뒀|두었|두셨|놨|놓았)|된\s?(?:거|것|게)|한\s?(?:거|것|게))\S{{0,4}}"
    r"(?:\s?(?:맞|뭐|무엇|있|어디|몇)\S{0,6})?"
    rf"|(?:\S+\s){{0,6}}?{_KEPT_KO}(?:한|된|했던|해\s?둔|돼\s?있는|되어\s?있는)\s(?:\S+\s){{0,2}}?(?:것|거|걸|게|문서|보고서|"
    rf"파일|자료|기록|목록|내역)(?:들)?"
    r"(?:은|는|이|가|을|를|의|도)?\s?(?:(?:목록|내역|위치|전부|다|좀|모두)\S?\s?)*(?:보여|알려|뭐|무엇|몇|어디|있|"
    r"말해)\S*(?:\s?(?:줘|주세요|줄래|야|개야|건이야|있\S*))?"
    rf"|(?:\S+\s){{0,6}}?{_KEPT_KO}\s?(?:위치|장소|경로|목록|내역|결과|이력|영수증)(?:은|는|이|가|을|를|"
    rf"도)?\s?(?:좀\s)?(?:보여|알려|어디|뭐|있)\S*(?:\s?(?:줘|주세요|줄래|야))?"
    rf"|(?:so |and |but |then )?(?:did|have|has) (?:you|we|it|that|this|they|"
    rf"the (?:\S+\s){{1,4}}?)\s?(?:\S+\s){{0,4}}?(?:been )?{_KEPT_EN}(?:\s(?:it|that|this|them|everything|anything|"
    rf"the \S+))?{_WHEN_EN}"
    rf"|(?:so |and |but |then )?(?:is|was|are|were) (?:\S+\s){{1,6}}?(?:already )?{_KEPT_EN}{_WHEN_EN}"
    rf"|(?:so |and |but |then )?where (?:did|is|was|are|were|has|have|do) (?:\S+\s){{1,8}}?{_KEPT_EN}(?:\s(?:it|that|this|"
    rf"them))?{_WHEN_EN}"
    rf"|(?:so |and |but |then )?what (?:did|have|has|is|was|were|do) (?:\S+\s){{0,4}}?{_KEPT_EN}{_WHEN_EN}"
    rf"|(?:please )?(?:show|list|tell) (?:\S+\s){{0,3}}?(?:{_KEPT_EN} (?:reports?|documents?|files?|things?|records?|items?)|"
    rf"(?:everything|what|all|anything)(?: \S+){{0,3}}? {_KEPT_EN}){_WHEN_EN}"
)
_NOT_WHAT_IS_KEPT = regex(
    r"어떻게|왜|누가|누구|권한|하려면|하면|얼마나|며칠|기한|분석|비교|작성|검토|그리고|\b(?:how|why|who|may|can|could|should|"
    r"must|"
    r"write|analy[sz]e|compare|and then|draft|check)\b"
)
"""Words by which a question asks how and by whom things are kept, or for something else."""
_NAMES_STORING = regex(r"저장|보관|등록|\b(?:stor(?:ed|ing|age)|sav(?:ed|ing|e))\b")
_CAN_BE_UNDONE = frozenset({"stored", "document"})


def undoes(text: str, artifacts: Sequence[Mapping[str, Any]]) -> bool:
    """Say whether the whole text calls to take back what this conversation stored or wrote: 방금 저장한 거 취소해줘, undo that; or
    anything that was stored, where it says so."""
    if not any(each.get("kind") in _CAN_BE_UNDONE for each in artifacts) and not _NAMES_STORING.search(text):
        return False
    said = [part for part in _SENTENCE.split(text) if part.strip() and not _COURTESY.fullmatch(part.strip())]
    *before, last = said or [""]
    start = _REGRET.match(last.strip())
    called = last.strip()[start.end() if start else 0 :]
    told = all(_REGRET.fullmatch(part) or not _ASKS_MORE.search(part) for part in before)
    return _UNDO.fullmatch(called) is not None and told


def asks_what_is_kept(text: str) -> bool:
    """Say whether the whole text asks what was stored or where: 뭐가 저장됐어?, did you save it?"""
    said = [part.strip() for part in _SENTENCE.split(text) if part.strip()]
    if len(said) != 1 or _NOT_WHAT_IS_KEPT.search(said[0]):
        return False
    return _ASKS_WHAT_IS_KEPT.fullmatch(said[0]) is not None


def kind(text: str) -> str | None:
    """`greeting`, `parting`, `thanks`, `remark` or `help` where the whole text is nothing else; of several, a parting before
    thanks."""
    said = text.strip()
    whole = next((name for name, pattern in _KINDS.items() if pattern.fullmatch(said)), None)
    if whole is not None or not _MIXED.fullmatch(said):
        return whole
    return next(name for name, pattern in _INSIDE.items() if pattern.search(said))


def opening(text: str) -> str | None:
    """`greeting` or `thanks` where a short text begins or ends with it and asks nothing beside it."""
    said = text.strip()
    if len(said.split()) <= MOST_WORDS_OF_HELP and _ASKS_HELP.search(said):
        return "help"
    if "?" in said or len(said.split()) > MOST_WORDS:
        return None
    found = [name for name, pattern in _BEGINS.items() if pattern.match(said)]
    found += [name for name, pattern in _ENDS.items() if pattern.search(said)]
    return found[0] if found else None
