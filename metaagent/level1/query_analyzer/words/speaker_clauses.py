# ruff: noqa: E501 - a pattern is read in one piece
"""Clauses about the speaker, not the data: an apology, a reason, who wants to know. No figure depends on them.

"본부장님이 회의 전에 보고 싶어 하셔서요, 상반기 매출은?": a clause is set aside only if it holds a word of such talk, and no
number, no word of model or data, and no operator; and only beside a clause that asks for data.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import pairwise

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.requests.moods import orders_nothing
from metaagent.level1.query_analyzer.requests.unwanted import declined_documents, declines, taken_back
from metaagent.level1.query_analyzer.words.lexicon import Phrasebook
from metaagent.level1.query_analyzer.words.particles import stems
from metaagent.level1.query_analyzer.words.source import Source, key_of

_CUT = regex(
    r"[,;:!?…。、—–]+\s*|\.(?=\s|$)\s*|\s-{1,2}\s"
    r"|(?<=는데|은데|인데|한데|신데|던데|런데|해서|어서|아서|라서|져서|셔서|워서|몰라|지만|니까|려고|다면|거든|데요|서요|만요|니다)\s"
)
TALK = regex(
    r"그러는데|그런데|그래서|죄송|미안|실례|송구|바쁘|바쁜|번거로|급하|급해|급히|급한|수고|고생|회의|미팅|발표|보고\s?(?:드|싶어\s?하|해야|준비)|임원|대표님|사장님|본부장"
    r"|상무님|전무님|부장님|팀장님|이사님|실장님|지점장님|원장님|회장님|상사|윗분|정리\s?(?:중|하)|여쭤|여쭙|물어보"
    r"|달라(?:고|네|는|세요|시)|달래|요청(?:했|하셨|받|해서)|보재|찾으(?:시|셔)|보자고|보시겠|보고\s?계|다름\s?아니|갑자기|마감|안녕|반갑|감사|고마|덕분|처음이라|잘\s?몰라|헷갈|기억이"
    r"|\b(?:sorry|apolog|bother|excuse|pardon|meeting|board|boss|my (?:manager|director)|ceo|cfo|vp|deadline|asap|urgent"
    r"|in a (?:hurry|rush)|wonder|curious|quick (?:one|question|check|ask)|one more|hope you|good (?:morning|afternoon|evening)|hi\b|hello|hey\b|thank"
    r"|cheers|appreciate|preparing|prepping|working on|putting together|new here|not sure|forgot|remember|if you (?:can|could|have|don'?t mind)"
    r"|when you (?:get|have)|whenever|no rush|asking for|asked (?:me|for (?:it|this|them))|wants? (?:to know|it|this|them|these)|(?:is|are) asking|needs? (?:it|this)|i need (?:it|this)|for (?:my|tomorrow'?s))"
)
_BUSY = regex(
    r"(?:야\s?(?:해서|하는데|돼서|되는데|됩니다만)|중인데|중이라|중이라서|고\s?있(?:는데|어서|습니다만))(?:요)?\Z"
    r"|\b(?:i'?m|i am|we'?re|we are|while) (?:preparing|prepping|working on|putting together|writing|making|updating|building)\b"
)
_SENTENCE = regex(
    r"(?:서|데|지만|니까|거든|라서|이라|몰라|다면|니다|세요|네|셔|해|돼|라|만|요)\Z"
    r"|\b(?:i|i'?m|i'?ve|my|me|we|he|she|you|they|sorry|apologies|thanks?|hi|hello|hey|good|quick|asap|urgent|cheers|no rush|wants?|needs?|asked|asking)\b"
)
"""A clause that states or greets: a noun alone is something that is asked for."""
_ASKS = regex(
    r"[가-힣](?:(?<!준)비|(?<!자)료|율|률|액|량|금|수|건|횟수)(?:[가는은이를을도랑와과의]|\s|$)|\d|빼|제외|말고|없|가장|제일|최[고저대소]|얼마|몇|비중|비율|평균|합계|전체|이상|이하|초과|미만|상위|하위|별로?(?![가-힣])|대비|보다|각각|누적|추이"
    r"|올해|작년|지난|이번|전년|분기|반기|월(?!요)|최근"
    r"|except|exclud|without|only|most|least|top|bottom|best|worst|how (?:much|many)|what|which|who|average|total|per\b|share|percent|compar|versus|\bvs\b"
    r"|\b(?:january|february|march|april|june|july|august|september|october|november|december|yesterday|weekends?)\b"
    r"|\b(?:separately|respectively|combined|altogether|together)\b"
    r"|\b(?:this|last|past|previous) (?:year|month|quarter|week)|\bby\b|\beach\b|over time|more than|less than|between"
)
_DOES = regex(
    r"만들|작성|써\s?[줘주]|저장|보내|메일|첨부|그려|알려|보여|찾아|요약|비교|분석|등록|기록|예약|출력|뽑아|계산"
    r"|\b(?:make|write|create|send|save|draft|email|mail|compare|show|list|plot|chart|tell|give|find|calculate|store|export)\b"
)
_FOR = regex(
    r"\b(?:for|before|in|at) (?:my|our|the|a|an|tomorrow'?s|today'?s|next week'?s|this afternoon'?s|monday'?s|friday'?s)"
    r" (?:[a-z]+ ){0,2}?(?:meeting|presentation|deck|slides?|briefing|board review|board(?! \w*(?:meeting|deck|presentation|call|pack))|boss|ceo|cfo|vp|director|management|standup|call)\b,?"
)
_NEVER_MIND = regex(
    r"\s*(?:(?:아니(?:야|다|요)?|그건|그거|음|아)[\s,]*)*(?:됐고요?|됐어요?|됐습니다|잊어\s?줘|관두고)[\s,.!]+"
    r"|\s*(?:no,? )?(?:never ?mind|forget (?:it|that|about it)|scratch that)[\s,.!:–-]+"
)
"""The question before is given up: nothing of it is taken over."""
_OTHER_TOPIC = regex(
    r"\s*(?:(?:아|음|참|저기|그리고|근데|그런데|전혀|완전|아예|좀|이번엔|ok(?:ay)?|and|so|now|um)[\s,]*)*"
    r"(?:(?:다른|딴)\s?(?:건데|거\s?(?:하나|물어)[가-힣\s]{0,8}|얘기(?:인데|지만)?|이야기(?:인데|지만)?|질문(?:인데|입니다|이요|이에요|할게|드릴게)?|주제(?:인데)?)(?:요)?"
    r"|(?:아까\s?)?(?:그거|그건|그것)\s?말고\s?(?:새로|다른\s?거)\s?(?:물어|질문)[가-힣]{0,4}"
    r"|(?:이(?:건|거)(?:랑|와)는?\s?)?별개로|(?:주제|화제)(?:를)?\s?바꿔서"
    r"|(?:(?:a |one )?(?:different|another|separate|new|unrelated|other) (?:question|topic|thing|subject|one)|unrelated(?:ly)?"
    r"|on (?:a|an)?(?:other| different| another) (?:note|topic|subject)|(?:switching|changing|change of|change the) (?:topics?|gears|subject))(?![a-z]))"
    r"[\s,.!:–-]+"
)
"""Another topic is announced: nothing of the question before is taken over."""
_NOD = regex(
    r"\s*(?:(?:(?:oh|ah|hm+|um|well|yes|yeah|so|and|아|오|음)[\s,]+)?(?:ok(?:ay)?|all ?right|right|great|good|nice|perfect|excellent|brilliant|cool"
    r"|super|lovely|fine|sure|got it|i see|understood|noted|makes sense|good to know|interesting|wow|hm+|ah|oh|aha|well|(?:hold|hang) on(?: a (?:second|sec|minute|moment))?|wait(?: a (?:second|sec|minute|moment))?|(?:just )?(?:one|a) (?:second|sec|moment)|oops|whoops|no,? no|no wait|thanks?(?: you)?(?: a lot)?"
    r"|좋아요?|좋습니다|좋네요?|네|넵|넹|예|음+|오케이|오키|굿|그렇구나|그렇군요?|알겠어요?|알겠습니다|아하|오|확인했(?:어요?|습니다)|고마워요?|감사합니다)"
    r"(?:\s?[,.!~…;:–—]+|\s-)\s*){1,3}(?=\S)"
)
"""Words that acknowledge the answer before more is asked."""
_DONE = regex(r"팔|판매|썼|쓴|방문|(?<![a-z])(?:sell|sold|spen[dt]|visit)")
_BUT = regex(r"\s*(?:but|and|so|그런데|근데|그래서|다름이\s?아니라)\b[\s,]*")
_DATA = frozenset(
    {"metric", "ambiguous_metric", "dimension", "value", "person", "organisation", "product", "location"}
)
_WORD = regex(r"[a-z0-9'’]+|[가-힣]+")


_PURPOSE_BEFORE = regex(
    r"\A\W*(?:as (?:a )?part of|in preparation (?:for|of)|to prepare(?: for)?|in light of|ahead of|for the purposes? of|as input (?:for|to)|for|in)"
    r"\s(?:the|our|my|this|an?|next \w+['’]s|tomorrow['’]s)\s[a-z' ]{2,40}?(?:review|meeting|report|presentation|planning|audit|deck|call|discussion|briefing|update|exercise|check)"
    r"s?,?\s(?=(?:i|we)(?:['’]d)? (?:(?:would|will|also|still|really) )*(?:need|want|like|have to|must|should)\b)"
    r"|\A\s*[가-힣]{1,8}(?:\s[가-힣]{1,6}){0,2}\s?(?:검토|회의|미팅|발표|감사|점검|리뷰|결산)\s?(?:준비\s?)?"
    r"(?:중인데요?|중이라서?|하려고(?:요|\s하는데요?)?|때문에(?:\s그런데요?)?|차원에서|해야\s?(?:해서|하는데|돼서))[,\s]+(?=\S)"
)
"""The purpose of the answer, at the head of a question: as part of the budget review I need to know."""
_WHETHER = regex(
    r"\A\W*(?:did|have|has|do|does)\s[^?.!]{2,50}?\s(?P<verb>(?:hit|met|meet|reach(?:ed)?|ma[dk]e|achieved?|beat(?:en)?|attain(?:ed)?)"
    r"(?:\s(?:their|the|its|our|his|her|sales))*)\s[^?.!]{0,25}?(?P<plan>targets?|quotas?|goals?)(?:\s[^?.!]{0,20})?\?"
    r"(?=[^?.!]*\b(?:targets?|quotas?|goals?|attainment|achievement|rate|percent(?:age)?)\b)"
    r"|(?P<ko>목표(?:액|치)?(?:를|을|은|는)?\s?(?:다\s|잘\s)?(?:달성|채[우웠]|넘[겼었]|맞[추췄])[가-힣]*)\s?\?(?=[^?.!]*(?:목표|달성률))"
)
"""Asks whether a target was reached, before a sentence that asks for the figures themselves."""
_PURPOSE = regex(
    r"(?<=\S)[\s,–—-]+(?:so (?:that )?(?:i|we|they) (?:can|could|may|might) (?:compare|see|check|judge|look at)(?: (?:it|them|both|the two|that|those))?"
    r"(?: (?:side by side|to each other|with each other|together))?|(?:just )?for (?:comparison|reference|context))(?=\W*\Z)"
)
"""A purpose of the answer at the end of a question: so that I can compare."""


_LEFT_OUT = regex(
    r"\b(?:leav(?:e|ing)|ignor(?:e|ing)|exclud(?:e|ing)|skip(?:ping)?|omit(?:ting)?|drop|without|disregard(?:ing)?|not (?:count|includ)ing"
    r"|(?:don't|do not) (?:count|include)|apart from|aside from|but not|except(?: for)?|outside(?: of)?)\b[^.?!;]*?"
    r"(?P<en>(?:\s?[,–—(-]+\s?|\s)(?:because|since|as|seeing that|given that|considering(?: that)?|for(?= (?:it|they|that)))\s[^.?!]+"
    r"|\s?[,;.!–—(-]+\s?(?:please,?\s)?(?:it|that|this|they|those|these|he|she|we|which|the (?:month|year|quarter|week|office|team|data|numbers?|figures?|books))"
    r"(?:['’](?:s|re|ve)|\s(?:\w+\s){0,2}?(?:is|are|was|were|has|have|had|does|do|did|will|isn['’]t|aren['’]t|hasn['’]t|haven['’]t|reports?|belongs?|works?|runs?|counts?))\b[^.?!]*)(?=[.?!]|\Z)"
    r"|(?<=[가-힣])(?P<ko>\s(?:[가-힣]+\s){0,4}?[가-힣]*(?:으니까?|니까|[았었했났됐]으?니|어서|아서|라서|해서|므로|거라))(?=\s(?:빼|제외|말고|무시))"
    r"|(?:빼고|빼\s?줘|빼\s?주세요|제외하고|제외해\s?줘|말고)(?P<after>\s?[,.!–—(-]+\s?(?:[가-힣]+\s){0,5}?[가-힣]*(?:으니까?|니까|어서|아서|라서|해서|거든|잖아|므로)요?)(?=[\s,.?!)]|\Z)"
)
"""A reason for leaving something out, before or behind it: it is not over yet, 아직 안 끝났으니."""
_TIMED = regex(
    r"\d|\b(?:january|february|march|april|june|july|august|september|october|november|december|(?:this|last) (?:year|month|quarter|week)|more|less|most|least|than)\b|보다|올해|작년|지난"
)


_HALF = regex(r"\b(?:only |just )?half(?:way)?\b")


def _reasons(text: str, book: Phrasebook) -> list[tuple[int, int]]:
    """The reasons for leaving something out that name nothing of the data."""
    found = [
        (m.start(part), m.end(part))
        for m in _LEFT_OUT.finditer(text)
        for part in ("en", "ko", "after")
        if m[part]
    ]
    return [
        span
        for span in found
        if not _TIMED.search(text[slice(*span)]) and not names_data(_HALF.sub("", text[slice(*span)]), book)
    ]


def without_nod(source: Source) -> Source:
    """The question without the words that only acknowledge the answer before, or say what the next is for: great. And by team?"""
    nod, purpose = _NOD.match(source.text), _PURPOSE.search(source.text)
    purpose = purpose or _PURPOSE_BEFORE.match(source.text)
    spans = [nod.span()] if nod and _WORD.search(source.text, nod.end()) else []
    if whether := _WHETHER.search(source.text):
        spans += [whether.span(part) for part in ("verb", "plan", "ko") if whether[part]]
    return blanked(source, [*spans, *([purpose.span()] if purpose else [])])


def without_talk(source: Source, book: Phrasebook) -> Source:
    """The question with blanks in the place of such clauses."""
    text = source.text
    dropped = _NEVER_MIND.match(text) or _OTHER_TOPIC.match(text)
    clauses = _clauses(text)
    aside = [clause for clause in clauses if _is_talk(text[slice(*clause)], book)]
    rest = " ".join(text[slice(*clause)] for clause in clauses if clause not in aside)
    if not _DONE.search(rest) and not names_data(rest, book):
        return source
    ends = [(start, end, _BUT.match(text, end)) for start, end in aside]
    spans = [(start, joined.end() if joined else end) for start, end, joined in ends]
    given_up = [dropped.span()] if dropped else []
    return blanked(source, [*spans, *_phrases(text, book), *_reasons(text, book), *given_up])


def without_declined(
    source: Source,
    tasks: Sequence[tuple[int, int]],
    documents: Collection[str],
    effects: Sequence[tuple[int, int]] = (),
) -> Source:
    """The question with blanks in the place of clauses that do nothing but decline a task or a document of those names, or that
    speak of an effect without ordering it, where anything else is said."""
    text = source.text
    declined = {task: span for task in tasks if (span := declines(text, *task))}
    begins = [start for start, _ in effects]
    declined |= {task: span for task in effects if (span := orders_nothing(text, *task, begins))}
    spans = [*declined.values(), *declined_documents(text, documents)]
    spans += [
        (start, back)
        for start, end in tasks
        for later in declined
        if text[start:end] == text[slice(*later)]
        and end < later[0]
        and (back := taken_back(text, end, later[0]))
    ]
    rest = "".join(c for at, c in enumerate(text) if not any(a <= at < b for a, b in spans))
    return blanked(source, spans) if spans and _WORD.search(rest) else source


def without_names(text: str, spans: Sequence[tuple[int, int]], book: Phrasebook) -> list[tuple[int, int]]:
    """Stretches without the names of rules in them, which say by what is judged: company policy, 내부 규정."""
    found: list[tuple[int, int]] = []
    for start, end in spans:
        words = [match.span() for match in _WORD.finditer(text, start, end)]
        at = start
        for (first, _), (_, last) in pairwise(words):
            named = any(m.type == "regulation" for m in book.exact.get(key_of(text[first:last]), ()))
            if named and first >= at:
                found.append((at, first))
                at = last
        found.append((at, end))
    return found


def leaves_topic(text: str) -> bool:
    """Tell whether the question before is given up, or another topic announced."""
    return _NEVER_MIND.match(text) is not None or _OTHER_TOPIC.match(text) is not None


def _clauses(text: str) -> list[tuple[int, int]]:
    """Each with the mark that ends it."""
    found: list[tuple[int, int]] = []
    start = 0
    for cut in _CUT.finditer(text):
        found.append((start, cut.end()))
        start = cut.end()
    return [
        *((a, b) for a, b in found if text[a:b].strip()),
        *([(start, len(text))] if text[start:].strip() else []),
    ]


_WANTS = regex(r"(?:(?:i|we)(?:'d)?\s)?(?:need|want|would like|like)\s(?:an?|my|the)\s")
"""A wish, however pressing: need a visit report asap."""


def _is_talk(clause: str, book: Phrasebook) -> bool:
    said = clause.strip(" ,;:!?….。、—–-")
    busy = _BUSY.search(said) is not None
    if (
        _WANTS.match(said)
        or _ASKS.search(said)
        or not (busy or TALK.search(said))
        or (_DOES.search(said) and not busy)
    ):
        return False
    return _SENTENCE.search(said) is not None and not names_data(said, book)


def names_data(text: str, book: Phrasebook) -> bool:
    """Tell whether a word of the model or the data stands in the text, be it of several words."""
    words = _WORD.findall(text)
    runs = ["".join(words[at : at + size]) for at in range(len(words)) for size in (1, 2, 3)]
    return any(_of_data(run, book) for run in runs)


def _of_data(word: str, book: Phrasebook) -> bool:
    forms = stems(word) if not word.isascii() else (word, word.removesuffix("s"))
    return any(
        meaning.type in _DATA
        for form in forms
        if len(form) > 1
        for meaning in book.exact.get(key_of(form), ())
    )


def _phrases(text: str, book: Phrasebook) -> list[tuple[int, int]]:
    """Finds phrases such as "for tomorrow's board meeting" inside a clause that asks."""
    return [m.span() for m in _FOR.finditer(text) if not names_data(m[0], book)]


def blanked(source: Source, spans: Sequence[tuple[int, int]]) -> Source:
    """The question with blanks in the place of some stretches."""
    text = source.text
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return replace(source, text=text)
