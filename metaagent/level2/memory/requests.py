"""Requests of a person to the memory, in Korean and English: remember, correct, forget, show; and standing preferences. Pure.

Strict on purpose: "앞으로 3개월 매출을 표로" is a question about a period, "forget it" forgets nothing, and
"do you remember last month?" is a question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from metaagent.language.patterns import regex
from metaagent.memory.notes import (
    corrected,
    expiry_in,
    preference_in,
    read_note,
    regions_in,
    statement_in,
)
from metaagent.memory.recall import is_named, names_known
from metaagent.plugin import Asking, Json, Taken

STATED = 0.9
"""The confidence of a preference that was stated without being asked to be remembered."""

LONGEST = 300
"""Characters of a sentence that is looked at: requests are short, and pasted text must cost nothing."""

_TRIGGER = regex(
    r"기억|메모|잊|앞으로|항상|늘\s|언제나|부터|매번|기본적으로|나에\s*대해|remember|forget|keep in mind|bear in mind|note that|"
    r"(?:지난번|저번|이전|전)에?\s*(?:물어|알려|분석|답한|조사)|(?:관심|선호|주요|보는|좋아하는)\s*지역|"
    r"(?:favou?rite|preferred) (?:region|area)|what did (?:you|we)|"
    r"make a note|memor|always|from now on|future|going forward|by default|every time|henceforth|what do you know",
    re.IGNORECASE,
)
"""Words without which a sentence is no request, unless it corrects something known."""

_SENTENCE = regex(r"[^.!?。\n]*(?:[.](?=\S)[^.!?。\n]*)*[.!?。\n]*\s*")
_POLITE = r"(?:\s*(?:줘요?|주세요|주십시오|주시겠어요|줄래요?|둬요?|두세요|놔|놓아\s?줘|라|요))?"
_EDGE = r"[\s.!~]*$"

_REMEMBER_FIRST = regex(
    rf"^\s*(?:(?:이것|이거|이걸|다음|아래)(?:을|를|만)?\s*)?(?:꼭|잘)?\s*(?:기억|메모)해{_POLITE}(?:\s*[:：,.!]\s*|\s+)(?P<body>.+?){_EDGE}"
)
_REMEMBER_LAST = regex(
    rf"^\s*(?P<body>.+?)[,\s]*(?:꼭|잘)?\s*(?:(?:기억|메모)해{_POLITE}|잊지\s?마(?:세요|라|십시오)?){_EDGE}"
)
_DO_NOT_FORGET = regex(rf"^\s*잊지\s?(?:마(?:세요|라|십시오)?|말고)\s*[:：,]\s*(?P<body>.+?){_EDGE}")
_REMEMBER_EN = regex(
    r"^\s*(?:please\s+|(?:can|could|would) you (?:please )?)?"
    r"(?:remember(?!\s+(?:when|how|what|why|who|if|whether)\b)|keep in mind|bear in mind|note that|make a note|"
    r"memori[sz]e|(?:don'?t|do not|never) forget)"
    r"(?:\s+that\b|\s+this\b|\s*[:,])*\s*(?P<body>.+?)(?:,?\s*please)?[\s.!]*$",
    re.IGNORECASE,
)
_BARE_REMEMBER = regex(
    rf"^\s*(?:(?:이것|이거|이걸|그걸|꼭|잘)\s*)*(?:(?:기억|메모)해{_POLITE}|잊지\s?마(?:세요|라)?){_EDGE}|"
    r"^\s*(?:please\s+)?(?:remember|don'?t forget)(?: that| this| it)?(?:,?\s*please)?[\s.!]*$",
    re.IGNORECASE,
)
_REMEMBER_EN_LAST = regex(
    r"^\s*(?P<body>.+?)[.!,]\s*(?:please\s+)?(?:remember|don'?t forget)(?: that| this| it)?(?:,?\s*please)?[\s.!]*$",
    re.IGNORECASE,
)
_FORGET_KO = regex(
    rf"^\s*(?P<body>.*?)\s*(?:(?:다|모두|전부|싹)\s*)?(?:좀\s*)?"
    rf"(?:잊어(?:\s?버려)?{_POLITE}|기억에서\s*(?:지워|삭제해|없애){_POLITE}|기억(?:을|은)?\s*(?:지워|삭제해){_POLITE}){_EDGE}"
)
_FORGET_EN = regex(
    r"^\s*(?:please\s+|(?:can|could|would) you (?:please )?)?(?:forget|erase from (?:your )?memory|"
    r"delete from (?:your )?memory)\b\s*[:,]?\s*(?P<body>.*?)(?:,?\s*please)?[\s.!?]*$",
    re.IGNORECASE,
)
_ALL_KO = regex(
    r"(?:^|\s)(?:다|모두|전부|싹|모든\s*것|모든\s*기억|전체)(?:을|를)?(?:\s|$)|^기억한\s*(?:것|거)"
)
_ALL_EN = regex(
    r"^(?:everything|all)(?:\s+(?:of\s+)?(?:it|that|you\s+(?:know|remember)|memories|about me|my memories))*$",
    re.IGNORECASE,
)
_IDIOM = regex(r"^(?:about\s+)?(?:it|that|this|me|what i said)$", re.IGNORECASE)
_FORGET_TAIL = regex(
    r"\s*(?:에\s?(?:대한|관한)\s*(?:기억|것|내용|정보)?|에\s?(?:대해서?|관해서?)|이?라는\s*(?:것|거|사실)|기억|설정|선호)?"
    r"(?:은|는|을|를|도|만)?\s*$"
)
_ABOUT_EN = regex(
    r"^(?:about|that|the fact that|what i said about)\s+|\s+(?:preference|setting)$", re.IGNORECASE
)
_SHOW = regex(
    r"(?:뭘|무엇을|무얼|뭐를?|어떤\s*(?:것|걸)을?)\s*기억(?:하고\s*있|해|하나|하니|하지)|기억하(?:고\s*있)?는\s*(?:것|거|걸|내용)|"
    r"나에\s*대해\s*(?:뭘|무엇을|아는)|"
    r"what do you (?:remember|know) about me|what do you remember\b(?!\s+(?:about\s+(?!me)|of))|"
    r"(?:show|list)(?: me)? (?:all )?(?:my|your) memor(?:y|ies)",
    re.IGNORECASE,
)
_SHOW_ABOUT = regex(
    r"^\s*(?!(?:나|저)에\s)(?P<ko>.+?)에\s*(?:대해서?|관해서?)\s*(?:뭘|무엇을|무얼|뭐를?)\s*기억(?:하고\s*있|해|하나|하니|하지)|"
    r"^\s*(?:지난번|저번|이전|전)에?\s*(?:물어본|물어봤던|알려준|분석한|답한|조사한)\s*(?P<asked>.+?)\s*"
    r"(?:결과|답변?|결론)?(?:은|는|이|가|을|를)?\s*(?:뭐였|무엇이었|얼마였|어땠|다시\s*(?:보여|알려))|"
    r"^\s*what do you remember (?:about|of) (?!me\b)(?P<en>.+?)[\s?.!]*$|"
    r"^\s*what did (?:you|we) (?:find|conclude|say|tell me)(?: out)?(?: last time)? about (?P<found>.+?)(?: last time)?[\s?.!]*$",
    re.IGNORECASE,
)
_LAST_ANSWER = regex(
    r"^(?:(?:방금|위의?|이|그|지금)\s*)?(?:(?:답변|답|결과|결론|분석)(?:\s*(?:결과|내용))?)(?:을|를|은|는)?$|"
    r"^(?:the |that |this |your )?(?:last |previous )?(?:answer|result|conclusion|finding)s?$",
    re.IGNORECASE,
)
_CONCLUSION = {"op": "remember", "kind": "conclusion", "key": "", "value": "", "text": "", "confidence": 1.0}
"""The last answer; what it was is filled in by who knows it."""

_NO = regex(
    r"^\s*(?:아니(?:야|요|에요|지|다)?|아뇨|정정(?:할게요?|합니다|하자면)?|틀렸어요?|no|nope|actually|correction|wrong)"
    r"(?:\s*[,.:：]\s*|\s+)(?P<body>.+)$",
    re.IGNORECASE,
)
_MY = regex(
    r"^\s*(?:내|제|나의|저의)\s+(?P<ko>.+?)(?:은|는|이|가)?\s*(?:뭐|무엇|무슨|어디|누구|언제|얼마|어떻게)\S*[\s?.!]*$|"
    r"^\s*(?:what|where|who|when)(?:'s| is| are) my (?P<en>.+?)[\s?.!]*$",
    re.IGNORECASE,
)
_CHANGE = regex(
    rf"^\s*(?P<key>.+?)(?:을|를)\s+(?P<value>.+?)(?:으로|로)\s*(?:바꿔|변경해|고쳐|수정해){_POLITE}{_EDGE}|"
    r"^\s*(?:please\s+)?(?:change|update|correct)\s+(?P<key_en>.+?)\s+to\s+(?P<value_en>.+?)[\s.!]*$",
    re.IGNORECASE,
)
_STANDING = regex(
    r"앞으로(?:는|도)?(?!\s*(?:\d|[일이삼사오육칠팔구십]+\s*(?:일|주|달|개월|년|분기)|몇|한\s*달|한\s*주))"
    r"|항상|늘(?=\s)|언제나|(?:이제|지금)부터(?:는)?|매번|기본적으로|"
    r"\balways\b|\bfrom now on\b|\bin (?:the )?future\b|\bgoing forward\b|\bby default\b|\bevery time\b|\bhenceforth\b",
    re.IGNORECASE,
)

_BARE_NO = regex(r"^\s*(?:아니(?:야|요|에요)?|아뇨|no|nope)\s*[.,!]*\s*$", re.IGNORECASE)
"""The rest of '아니야. 담당 지역은 부산이야.' is no question."""


ANSWER_KEPT = 300
"""Characters of an answer that are kept as a conclusion."""


def take(question: str, asking: Asking) -> Taken:
    """Take the sentences that are for the memory; '방금 결과 기억해줘' has the last answer, named by its question."""
    read = read_requests(question, asking.memories, asking.now)
    answer = str(asking.last.get("answer", ""))[:ANSWER_KEPT]
    told = {"key": str(asking.last.get("question", ""))[:80], "value": answer, "text": answer}
    filled = tuple({**each, **told} if each.get("kind") == "conclusion" else each for each in read.requests)
    return Taken(filled, read.rest)


def read_requests(question: str, known: Sequence[Mapping[str, Any]], now: datetime) -> Taken:
    """Find the part of the question that is for the memory. `now` is in the asker's time zone."""
    requests: list[Json] = []
    rest = list(question)
    for start, sentence in _sentences(question):
        found = _request_in(sentence, known, now)
        if found is None:
            continue
        request, begin = found
        requests.append(request)
        rest[start + begin : start + len(sentence)] = " " * (len(sentence) - begin)
    text = "".join(rest)
    return Taken(tuple(requests), _BARE_NO.sub("", text) if requests else question)


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    """A bare '기억해줘' belongs to the sentence before it, or else after it."""
    spans = [match.span() for match in _SENTENCE.finditer(text) if match[0].strip()]
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        bare = _BARE_REMEMBER.match(text[start:end])
        after_bare = len(joined) == 1 and _BARE_REMEMBER.match(text[slice(*joined[-1])])
        if joined and (bare or after_bare):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return ((start, text[start:end].rstrip()) for start, end in joined)


def _request_in(sentence: str, known: Sequence[Mapping[str, Any]], now: datetime) -> tuple[Json, int] | None:
    """The request, and where in the sentence it begins."""
    if len(sentence) > LONGEST or not (_TRIGGER.search(sentence) or names_known(sentence, known)):
        return None
    for reader in (_showing, _remembering, _forgetting):
        request = reader(sentence, now)
        if request is not None:
            return request, 0
    # Read a question for something known of oneself: '내 담당 지역은 어디야?'.
    match = _MY.match(sentence)
    name = match and (match["ko"] or match["en"])
    named = name and any(m["key"] and is_named(m["key"], name) for m in known)
    asked = {"op": "show", "about": name.strip()} if name and named else None
    if asked is not None:
        return asked, 0
    correction = _correcting(sentence, known, now)
    if correction is not None:
        return correction, 0
    return _standing(sentence)


def _showing(sentence: str, now: datetime) -> Json | None:
    about = _SHOW_ABOUT.match(sentence)
    if about is not None:
        return {"op": "show", "about": next(filter(None, about.groups()))}
    return {"op": "show"} if _SHOW.search(sentence) else None


def _remembering(sentence: str, now: datetime) -> Json | None:
    if _BARE_REMEMBER.match(sentence):
        return dict(_CONCLUSION)
    for pattern in (_REMEMBER_FIRST, _DO_NOT_FORGET, _REMEMBER_EN_LAST, _REMEMBER_EN, _REMEMBER_LAST):
        match = pattern.match(sentence)
        if match is not None:
            return (
                dict(_CONCLUSION)
                if _LAST_ANSWER.match(match["body"].strip())
                else {"op": "remember", **read_note(match["body"], now)}
            )
    return None


def _forgetting(sentence: str, now: datetime) -> Json | None:
    korean, english = _FORGET_KO.match(sentence), _FORGET_EN.match(sentence)
    if korean:
        whole = sentence.strip()
        everything = bool(_ALL_KO.search(f" {whole} ")) and not _FORGET_TAIL.sub("", _bare(korean["body"]))
        return _forget(_FORGET_TAIL.sub("", korean["body"].strip()), everything=everything)
    if english and not _IDIOM.match(english["body"]):
        body = english["body"].strip()
        return _forget(_ABOUT_EN.sub("", body), everything=bool(_ALL_EN.match(body)))
    return None


def _bare(body: str) -> str:
    """Drop the words that only say 'all of it'."""
    words = r"(?:나|저)에\s*(?:대해서?|대한)|기억(?:한|하는|하고\s*있는)?|것|거|전부|모두|다|싹|모든|전체|내용|을|를|은|는"
    return re.sub(rf"(?:{words})", "", body).strip()


def _forget(about: str, *, everything: bool) -> Json:
    stated = statement_in(about)
    return {
        "op": "forget",
        "about": "" if everything else (stated[0] if stated else about),
        "all": everything,
    }


def _correcting(sentence: str, known: Sequence[Mapping[str, Any]], now: datetime) -> Json | None:
    """Read a correction of something known: '아니, 서울 매출을 보여줘' is about the question, not about the person."""
    if sentence.rstrip().endswith("?"):
        return None
    match = _NO.match(sentence)
    body = match["body"] if match else sentence
    change = _CHANGE.match(body)
    stated = (
        (change["key"] or change["key_en"], change["value"] or change["value_en"])
        if change
        else statement_in(body, strict=match is None)
    )
    if stated is None:
        return None
    key, value = stated
    told = [m for m in known if m["kind"] != "conclusion"]
    old = next((m for m in told if m["key"] and is_named(m["key"], key)), None)
    value, expires = expiry_in(value, now)
    note = corrected(old, value) if old else None
    return {"op": "remember", **note, "expires_at": expires} if note else None


def _standing(sentence: str) -> tuple[Json, int] | None:
    """Read a standing preference: '앞으로 표로 보여줘', alone or at the end of something else; '내 관심 지역은 부산이야'."""
    regions = regions_in(sentence)
    if regions is not None:
        return {"op": "remember", **regions, "confidence": STATED, "expires_at": None}, 0
    marker = _STANDING.search(sentence)
    if marker is None:
        return None
    for begin in (0, marker.start()):
        note = preference_in(_STANDING.sub(" ", sentence[begin:]))
        if note is not None:
            said = {"text": sentence[begin:].strip(), "confidence": STATED, "expires_at": None}
            return {"op": "remember", **note, **said}, begin
    return None
