# ruff: noqa: E501 - a pattern is read in one piece
"""Asides round a request: why somebody is in a hurry, who waits for it, what they think of the answer before, thanks. Pure.

"Swamped today, sorry. Pull sales …", "회의 10분 전입니다 지난달 …", "줄었네요. 그 내용으로 보고서 …": an aside stands before the first
clause that asks for something, or behind the last one. It speaks of the speaker's time, work or people, names nothing of the
data, orders nothing, supposes nothing, and has no word of an effect.
"""

from __future__ import annotations

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.requests import small_talk
from metaagent.level1.query_analyzer.requests.double_questions import ACT
from metaagent.level1.query_analyzer.requests.quoting import quotations
from metaagent.level1.query_analyzer.words.lexicon import Phrasebook
from metaagent.level1.query_analyzer.words.speaker_clauses import TALK, names_data

Span = tuple[int, int]
_CUT = regex(
    r"[.!?;~…。]+(?=\s|\Z)\s*|,\s*|:\s+|\s[-–—]+\s|\s?[ㅠㅜㅎㅋ]{2,}\s*"
    r"|(?:(?<=니다)|(?<=네요)|(?<=[어아해든서데군]요)|(?<=[는은인한]데)|(?<=[해돼어아라]서)|(?<=니까))\s+"
    r"|\s(?=(?:so|and|but) (?:can|could|would|please|just|i need|give|pull|show|write|get|make)\b)"
)
_TIME = (
    r"(?:\b(?:my|our|the|a|an) )?\d{1,2}(?::\d\d)?\s?(?:o'?clock|am|pm|a\.m\.|p\.m\.|h)\b|\b(?:\d{1,3}|two|five|ten|fifteen|twenty|thirty|a few|a couple of) (?:minutes?|mins?|hours?|seconds?)\b"
    r"|\d{1,2}\s?시(?:\s?(?:\d{1,2}\s?분|반))?(?:\s?(?:까지|전|에))?|\d{1,3}\s?(?:분(?!기)|시간)(?:\s?(?:전|뒤|후|안|내|남|밖|만))?|[오십한두세네]\s?시(?:까지|에)?"
)
"""A time of the clock, which no figure is about."""
_CLOCK = regex(
    rf"(?:\bonly |\bjust |\bjust over |\bless than )?(?:{_TIME})|(?:급하게|급히|빨리|얼른|서둘러|잘|좀|양해|이해|너그럽게)\s(?:좀\s)?부탁(?:드려요|드립니다|드릴게요|해요|해|합니다)|\b(?:what an?|long|rough|bad|tough|hard|crazy|mad|hectic|busy|full) (?:\w+ )?(?:day|week|morning|month|mess)\b"
)
_PRESSED = regex(
    r"정신(?:이)?\s?(?:하나도\s)?없|바빠|바쁩|시간(?:이)?\s?(?:별로\s|많이\s|얼마\s)?없|시간(?:이)?\s?(?:촉박|부족|모자)|촉박|급하|급합|퇴근|출근|점심|외근|출장|야근|밀려|쌓여|쌓였|피곤|힘들|늦었|늦어|늦겠|서둘|빨리|얼른|후딱"
    r"|나가(?:야|봐야|는\s?길)|들어가(?:야|봐야|는\s?길)|이동\s?중|운전|기다리|기다려|재촉|독촉|닦달|쪼|난리|죽겠|지쳐|지치|하루\s?종일|월요일|아침부터|정리할\s?게|할\s?일|부탁\s?(?:하나|좀|있)|하나만\s?(?:더\s)?(?:부탁|물)"
    r"|궁금해서|여쭤볼|잠깐(?:만요|\s?시간)|마지막으로\s?하나|두\s?가지|몇\s?가지|세\s?가지|도와|헬프|살려"
    r"|\b(?:swamped|busy|slammed|snowed under|drowning|buried|up to my|overloaded|running (?:late|behind|out|between|around)|late|behind schedule|short (?:on|of) time|out of time|no time|not much time|pressed|rush(?:ed|ing)?"
    r"|crunch|hectic|crazy|mad(?:ness| day| house)|long day|rough day|tired|exhausted|about to|heading|walking in|on my way|on the road|on the train|out the door|leaving|flight|plane|taxi|lunch|breathing down"
    r"|waiting|chasing|nagging|pushing|hurry|quick(?:ly)?|fast|favou?r|help me out|hi all|morning|afternoon|evening|hey|hiya|dear|before (?:i (?:leave|go|head|run|forget)|lunch|noon|tonight|my|the|our)|by (?:noon|tonight|lunch)|one thing|two things|three things|a (?:couple|few) (?:of )?things|few things|last thing|listen|right then|okay then|long story short"
    r"|stressed|panicking|under pressure|juggling|multitasking|double[- ]booked|back to back|back-to-back|clock is ticking|time is short|time's short|needs? (?:this|it) (?:now|today|asap|soon|quick|by|before)|wants? (?:this|it) (?:now|today|asap|soon|quick|by|before)|thanks|thank you|thx|cheers|much appreciated|ta\b|sorry|apologies|my bad)\b"
)
"""Words for time, work and people that press the speaker."""
_STATE = regex(
    r"감기|몸살|몸이|목이|머리가|두통|열이|아프|아파|아픈|병원\s?다녀|컨디션|졸리|졸려|배고|기운이|자리에?\s?없|휴가|반차|연차|재택|이동|지하철|기차|버스|비행기|공항|폰으로|휴대폰|핸드폰|모바일|한\s?손|타자|오타|짧게\s?(?:쓸|적|말|물)|간단히\s?(?:쓸|적|말|물)"
    r"|\b(?:a cold|the flu|sick|unwell|ill|headache|fever|cough\w*|under the weather|hungry|sleepy|jet-?lagged|on (?:my|the) (?:phone|mobile|bus|way|plane|train|road)|phone|typing|typos?|thumbs?|one hand|away from my desk|off sick|on leave|on holiday|working from home|covering for|filling in for|standing in for|new (?:here|to this|in this)|keep(?:ing)? (?:this|it) (?:short|brief)|be(?:ing)? brief)\b"
)
"""Words for how or where the speaker is, and how the request is typed."""
_OF_OTHERS = regex(
    r"환자|원장|교수|선생|의사|간호|약사|고객|거래처|직원|복용|부작용|약을|놓고|두고|잃|분실|도난|훔|샜|유출"
    r"|\b(?:patients?|doctors?|dr|prof(?:essor)?|nurses?|pharmacists?|customers?|clients?|she|he|they|her|him|them|took|taking|tablets?"
    r"|left|lost|stolen|missing|leaked)\b"
)
"""Words of somebody else, or of what happened to a thing: no state of the speaker alone."""
_HERE = regex(
    r"(?:(?:just|only|simply|please|and|a|the|quick) )*(?:answer|reply|respond|response|tell me|say (?:it|so))(?: (?:me|it|that|this|both|all|is fine|will do|only|straight|directly|please))* (?:(?:right )?here|in (?:the|this|our) (?:chat|window|conversation|thread|message)|on (?:the )?screen|in (?:words|a message|text))(?: (?:only|please|is fine|is enough|will do))*"
    r"|(?:an? |the )?(?:chat|short|quick|plain|verbal|brief|simple) (?:answer|reply|message|response)(?: here| in the chat)? (?:will do|is fine|is enough|is all i need|suffices|would do|does it)"
    r"|(?:(?:그냥|답은|답변은|대답은|둘\s?다|바로|결과는)\s)*(?:(?:여기|채팅|대화창|화면|메신저|이\s?창)(?:에|에서|에다|으로|로)?(?:만|서만)?|말로만|글로만|구두로만)\s?(?:바로\s|그냥\s|간단히\s|짧게\s)*(?:답|대답|답변|말|알려|이야기|얘기|해|하시면|하면|주시면|주세요|줘)\S*(?:\s?(?:줘|주세요|주시면\s?\S+|해\s?주세요|부탁\S*|됩니다|돼요))*"
)
"""A clause that wants the answer where it is given anyway."""
_REACTION = regex(r"(?:네|네요|군|군요|구나|구만|구먼|다니)\s*\Z")
"""A Korean ending of somebody who comes to see something: 줄었네요, 그렇군요."""
_TAKEN_BACK = regex(r"actually,? no")
"""Words that take back what was said in the turn before, where a refusal or an order of its own follows."""
_INTERJECTION = regex(
    r"(?:ugh|hang on|hold on|one sec(?:ond)?|nah|nope|yep|yes|hm+|oh(?: no)?|ah|well|wow|phew|argh|sigh|um|uh|er|right|so|ok(?:ay)?|음+|아+|어+|휴+|에휴|하+|앗|자|저기|저기요)"
)
_HEARD_EN = regex(
    r"(?:(?:oh|ah|hm+|well|ok(?:ay)?|right|wow|so|hmm),? ?)*(?:that'?s|this is|it'?s|not|pretty|quite|very|looks?|looking|sounds?|seems?|what a|i see|got it|understood|good to know|makes sense|interesting|great|good|nice|perfect|excellent|lovely|fair enough|as expected|as i thought|lower|higher|less|more|better|worse)"
    r"(?: (?:a bit|bit|bad|good|great|nice|low|high|lower|higher|less|more|better|worse|fine|odd|strange|surprising|interesting|than|what|i|we|expected|thought|hoped|feared|useful|helpful|that|it|the|to|know|sense|enough|about|right|so|really|quite|pretty|much|as|very|too|news|surprise|disappointing))*\Z"
)
"""An English comment on what was seen, all of whose words are of that kind."""
_ORDERS = regex(
    r"(?:줘|주세요|주십시오|주시(?!하)|주실|줄래|주라|주면|달라|부탁드|부탁해|바랍|해라|(?<!안녕)하세요|하자|할\s?것|보여|알려|뽑|만들|작성|정리(?!할\s?게)|분석|계산|비교|찾아|확인|점검|검토|써\s?[줘주놔]|바꿔|고쳐|줄여|요약)"
    r"|저장|보관|보존|등록|기록|자료실|아카이브|보고서|리포트|문서|규정|위반|얼마|몇\s?(?:건|명|개|번|회|곳|원|퍼)"
    r"|\b(?:show|pull|give|get me|send|write|draft|make|prepare|put|turn|run|check|stor\w*|sav\w*|fil(?:e|ing)|archiv\w*|keep|compare|list|find|look|tell|summari[sz]e|analy[sz]e|change|rename|translate|shorten|report|document|reports|documents|rules?|polic\w*|complian\w*|how (?:much|many)|what|which|who|where|can you|could you|would you|please|need a|want a|need the|want the|i'd like|skip|no need|don't|do not|not yet|never|hold|leave (?:it|the|out|that))\b"
)
"""Words that ask for something, decline it, or name an effect."""
_SUPPOSES = regex(
    r"(?:면(?:은)?|때만?|경우\S{0,2}|까지|전에|다음에|뒤에|후에|[는은]\s?대로)\s*\Z|\A\s*(?:but |and |only |then )*(?:if|unless|once|when|until|till|after|as soon as|provided|as long as|should)\b"
)
_PUTS_OFF = regex(
    r"\b(?:first|until|till|before|once|after|later|then)\b|먼저|나중|이따|다음|까지|전에|그때|보신|보고\s?나"
)
"""Words by which a clause behind an order puts it off."""
_FIGURES = regex(
    r"\d|%|빼|제외|말고|가장|제일|최[고저대소]|비중|비율|평균|합계|전체|이상|이하|초과|미만|상위|하위|[가-힣]별로?(?![가-힣])|대비|보다|각각|누적|추이|올해|작년|지난|이번|전년|분기|반기|[가-힣]만(?:\s|\Z)"
    r"|\b(?:except|exclud\w*|without|only|most|least|top|bottom|average|total|per|share|percent|versus|vs|this (?:year|quarter|month)|last|previous|each|more than|less than|between \S*\d\S*)\b"
)


def without_asides(question: str, book: Phrasebook) -> str:
    """The question with blanks in the place of its asides, but for greetings; as it is where nothing else would be left."""
    text = question.lower()
    if len(text) != len(question):
        return question
    pieces = _pieces(text)
    leading = _run(text, pieces, book, behind=False)
    trailing = _run(text, pieces[:leading:-1], book, behind=True) if leading < len(pieces) else 0
    spans = [*pieces[:leading], *(pieces[len(pieces) - trailing :] if trailing else ())]
    if len(spans) == len(pieces):
        return question
    for start, end in spans:
        if small_talk.kind(text[start:end]) not in (None, "remark"):
            continue  # a greeting is read as one
        question = question[:start] + " " * (end - start) + question[end:]
    return question


def _pieces(text: str) -> list[Span]:
    """The stretches between marks, each with the mark behind it, outside of quotations."""
    quoted = quotations(text)
    cuts = [m.end() for m in _CUT.finditer(text) if not any(a < m.end() and m.start() < b for a, b in quoted)]
    ends = [*cuts, len(text)]
    return [(a, b) for a, b in zip([0, *ends], ends, strict=False) if text[a:b].strip()]


def _run(text: str, pieces: list[Span], book: Phrasebook, *, behind: bool) -> int:
    """Count the pieces that are asides, one after the other."""
    for count, (start, end) in enumerate(pieces):
        if not _is_aside(text[start:end], book, behind=behind):
            return count
    return len(pieces)


def _is_aside(piece: str, book: Phrasebook, *, behind: bool) -> bool:
    if "?" in piece:
        return False
    if _HERE.fullmatch(piece.strip(" ,;:!….。、—–-~ㅠㅜㅎㅋ")):
        return True
    said = piece.strip(" ,;:!….。、—–-~ㅠㅜㅎㅋ")
    bare = _CLOCK.sub(" ", said)
    state = _STATE.search(said) and not _OF_OTHERS.search(said)
    pressed = bare != said or TALK.search(said) or _PRESSED.search(said) or state
    reacts = not behind and (
        _TAKEN_BACK.fullmatch(said)
        or _REACTION.search(said)
        or _HEARD_EN.match(said)
        or _INTERJECTION.fullmatch(said)
    )
    if not (pressed or reacts) or _ORDERS.search(bare) or ACT.search(said) or _SUPPOSES.search(said):
        return False
    if (_FIGURES.search(bare) and not reacts) or (behind and _PUTS_OFF.search(said)):
        return False
    return not names_data(bare, book)
