# ruff: noqa: E501 - a list of words is read in one piece
"""Korean clauses that check or store what was made, or decline that: their words by class, and what they come to. Pure.

A Korean clause says by its end what it is: 저장해줘 orders, 저장하지 마 and 저장은 제가 할게요 decline, 문제 없으면 supposes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.requests.act_kinds import CHECK, DOCUMENT, STORE, Clause, Mood, Span
from metaagent.level1.query_analyzer.requests.moods import NO_ORDER_KO

_CUT = regex(
    r",\s*|\s*[()]\s*|\s*(?:→|->)\s*|(?<=[고서면만뒤후음에데시로되마요줘우니까])\s+(?!(?:돼|되[는었나]?|됩|될|좋|감사|고맙))"
)
"""The places where a clause may end: a comma, or 하고, 해서, 없으면, 때만, 한 뒤, 다음에."""
_GOES_ON = regex(
    r"(?:(?<![광창신경재])고|[해아어여워와돼려겨쳐러써나져]서|[가-힣]면(?:은)?|는데|(?<![는은던을까])지만|말고|때만|때에만|경우(?:에)?(?:만)?|(?:뒤|후|다음)(?:에)?|(?:통과|발견|확인|완료|승인|없을|종료)\s?시(?:에(?:는|만)?)?|[는은]\s?대로|(?<=[쓰하들])되|지\s?마(?:요|세요)?|[했었았났됐]으니까?|[할볼둘올줄낼쓸]\s?테니까?|(?:해|[가-힣]어)\s?(?:줘|줘요|주세요))\Z"
)
_WORD = regex(r"[^\s,.!?~…\"'“”‘’()]+")
_STORE = r"(?:저장|보관|보존|아카이브|아카이빙)"
_KEPT = regex(
    rf"{_STORE}(?!소|함|법|기간|기한|방법|온도|위치|조건|장소|된|했|한\s?(?:거|것))|(?:자료실|저장소|보관함|아카이브|시스템|디비|db|데이터베이스|기록)(?:에다가|에다|에|으로|로)\s?(?:넣|올|남|두|저장|등록|보관)"
)
_NORM = r"(?:규정|내규|규약|컴플라이언스|컴플|준법|법규|지침|윤리\s?기준|내부\s?기준)"
_TROUBLE = r"(?:위반|저촉|어긴|어기|어겼|어긋나|어긋난|걸리|걸릴|걸린|문제|이상|한도\S?\s?(?:넘|초과))"
_LOOKS = r"(?:확인|점검|검사|검토|체크|심사|심의|검증|살펴|(?<![가-힣])봐|봐\s?줘|돌려|판단|알려)"
_CHECKED = regex(
    rf"{_NORM}[^.]*?{_LOOKS}|{_TROUBLE}[^.]*?(?:{_LOOKS}|있나|있어|없나|없어|있는지|없는지)|(?:준법|컴플라이언스|컴플|규정|내규)\s?(?:점검|검사|검토|체크|확인|심사)"
    rf"|(?<![가-힣])점검(?:까지만|까지|부터|만|도|을)?\s?(?:(?:먼저|한번|다시|꼭|좀)\s)?(?:해|하|한|부탁|돌|받|\Z)|{_TROUBLE}[^.]*?없(?:어|나|지|습니까)\S*\Z"
)
_PAPER = regex(r"(?:보고서|리포트|문서|서류|파일)")
_AS_PAPER = regex(r"(?:보고서|리포트|문서)(?:으로|로)(?![가-힣])")
_L = "".join(chr(code) for code in range(0xAC08, 0xD7A4, 28))
"""Syllables that end in ㄹ, as a verb does that promises: 할게, 정할게."""
_KNOWN = regex(
    rf"{_STORE}\S*|(?:자료실|저장소|보관함|시스템|디비|db|데이터베이스|기록)(?:에다가|에다|에|으로|로)|(?:넣|올려|올리|남겨|남기|두|둬|놔|놓)\S{{0,4}}"
    rf"|{_NORM}\S{{0,4}}|(?:사내|내부|회사|우리|관련)(?:의)?|(?:위반|저촉|어긋나|어긋난|걸리|걸릴|걸린|문제|이상|소지|한도|초과|넘은|넘는|넘긴|위배|발견|적발|지적|나오|나올|부분|부분이|사항|항목|내용|데)\S{{0,5}}"
    r"|(?:확인|점검|검사|검토|체크|심사|심의|검증|살펴|판단|통과|괜찮|깨끗|준수|적합|맞는지|맞으면|맞나)\S{0,6}|(?:보고|봐|보|보세요|봐줘|봐주세요|돌려줘|돌려|돌리고|훑어)\S{0,4}"
    r"|(?:있|없)\S{0,6}|(?:하|해|할|한|했|되|돼|될|됐|된|됩)\S{0,5}|(?:주|줘|줄|부탁|바라|바랍|드릴|드려)\S{0,5}|(?:안|못\S{0,4}|꼭|좀|한번|한|번|다|또|더|먼저|우선|일단|바로|아직|따로|절대|굳이|그냥|잠깐|잠시|당분간|지금은|지금|이번엔|이번에는|오늘은|당장)"
    r"|때만|때에만|경우\S{0,3}|(?:그리고|그럼|그러면|이제|그|그다음|다음|다음에|뒤에|뒤|후에|후|나서|끝나면|끝나고|되면|완성되면|마지막으로|그래|응|네|ㅇㅋ|오케이|ok|근데|그런데|단|다만|대신|말고요?|마\S{0,4}|말아\S{0,4}|말자|말것|말기|않\S{0,5}|말)"
    r"|(?:필요|여부|생략|보류|금지|패스|사양|제외|취소|처리|진행|완료|결과|결과만|결과는|작성|작성만|보고서|보고서는|보고서도|보고서를|보고서에|보고서까지는|보고서랑|문서|문서는|문서를|서류|서류는|서류를|리포트|리포트는|최종본\S?|수정본\S?|버전\S?|전부|모두|자료|자료는|파일|파일은)\S{0,4}"
    r"|(?:하나라도|하나도|조금이라도|혹시라도|저한테|나한테|아직\S{0,3}|끝난|마치면)|(?:아|앗|참|음|어|아참|혹시|어긴|어기는|어겼는지|(?:작업|형태|형식|양식|절차|단계)\S{0,2}|순서|순서로|진행\S{0,5}|요청|요망|그대로|이대로|이대로만|여기까지\S{0,3}|까지만|폴더에|x|×|ㄴㄴ|노노|놔둬\S{0,3}|멈\S{0,4}|그만\S{0,3}|끝|끝\S{1,3}|거니까|아니어도|없어도|아니라도|아니면|그렇지|않으면|안되면|통과|시|시에|시에만|대로|마치는|끝나는|통과하는|나오는)|(?:이|그|저)(?:거|것|걸|건|게)(?:도|만|를|은|는)?|(?:거|것|게|건|걸|걸로|것만|거만|중에|중에서|지출|비용|안에|안에서|거기|여기)(?:도|은|는|만)?"
    r"|(?:내가|제가|저희가|우리가|직접|알아서|나중에|이따가?|이따|내일|다음주에?|미뤄\S{0,4}|미루\S{0,4}|기다\S{0,5}|빼\S{0,4}|두고|정할\S{0,3}|정하\S{0,4}|말씀드릴\S{0,3}|알려줄\S{0,3}|알려드릴\S{0,3}|알려\S{0,4}|말할\S{0,3}|예정\S{0,4}|계획\S{0,4}|거야|거예요|겁니다|거고|이미|벌써|아까|어제|만들\S{0,4}|쓰\S{0,3}|쓸\S{0,3}|써\S{0,4}|볼\S{0,4})"
    rf"|[가-힣]{{1,4}}(?:님|팀|부서)(?:이|가|께서|에서)|[가-힣]{{1,4}}[{_L}](?:게요?|거예요|겁니다|거야)"
)
_REFUSES = (
    r"(?:하|시키|두|놓|넣|올리|만들|쓰|남기|보관하|저장하)?(?:지|진)(?:는|도|를)?\s?(?:마|말|않)\S*(?:\s?(?:돼|됩니다|주세요|줘|걸로)\S*)?|필요\S{0,2}\s?없\S*|필요\S{0,2}\s?없을\s?\S+|안\s?(?:해도|하셔도|하는|해|할|함|만들어도|써도)\S*(?:\s\S{1,4})?"
    r"|말고요?(?:\s\S+만)?(?:\s(?:해|부탁)\S*)?|보류\S*(?:\s\S{1,4})?|미뤄\S*(?:\s\S{1,4})?|미루\S*|기다\S*(?:\s\S{1,4})?|생략\S*(?:\s\S{1,4})?|빼\S*(?:\s\S{1,4})?|제외\S*(?:\s\S{1,4})?|됐\S*|두고|금지|패스\S*|사양\S*|말\s?것|(?:아니어도|없어도|아니라도)\s?\S+|(?<=\s)(?:x|×|ㄴㄴ|노노)"
)
_DEFERS = (
    rf"나중에\S*(?:\s\S+){{0,2}}|아직(?:이요|요|이에요|입니다|은|이고요?)?\Z|(?<![한은]\s)다음에\S*(?:\s\S+){{0,2}}|(?:내일|이따가?)\S*(?:\s\S+){{0,2}}|(?<!부탁)(?<!부탁드)[{_L}](?:게|게요|거야|거예요|겁니다|예정\S*|\s?거\S*|\s?겁니다|\s?예정\S*|\s?계획\S*)"
    r"|할지\S*(?:\s\S+){0,3}|여부\S*(?:\s\S+){0,3}|이미\S*(?:\s\S+){0,3}|벌써\S*(?:\s\S+){0,3}|(?:했|끝냈|마쳤|받았)\S*|(?:내가|제가|저희가|우리가|직접)(?:\s\S+){0,3}"
)
_OVER = regex(
    rf"(?:했|끝냈|마쳤|받았|끝났)(?:어|어요|습니다|고|고요|으니|으니까|음)\Z|[{_L}](?:게(?:요|여|용)?|\s?테니까?(?:요)?|\s?거니까)\Z"
)
"""The end of a clause that says that it is done already, or that somebody will; what follows is another matter."""
_TOPIC = rf"(?:{_STORE}|점검|검사|검토|확인|체크|심사|여부|보고서|리포트|문서)(?:할지|까지)?(?:은|는)"
_SET_ASIDE = rf"{_TOPIC}\s(?:\S+\s){{0,2}}?(?:놔둬\S*|놔두\S*|두고|두자|둬)"
_DECLINED = regex(rf"(?:.*?\s)?(?:\S*?(?:{_REFUSES}|{_DEFERS})|{_SET_ASIDE})[.~!\s]*\Z")
_REFUSED = regex(rf"(?:{_REFUSES})[.~!\s]*\Z")
_JOINED = regex(
    rf"(?:점검|검토|확인|체크|심사)(?:하고|이랑|랑|이나|과|와|도|나)?,?\s?(?:및\s)?{_STORE}|{_STORE}(?:하고|이랑|랑|이나|과|와|도|나)?,?\s?(?:및\s)?(?:{_NORM}\s?)?(?:점검|검토|확인|체크|심사)"
)
"""Checking and storing in one breath: 점검이랑 저장은."""
_NO_STORING = regex(
    rf"(?:(?:그리고|근데|그런데|단|다만|아직|일단)\s)*{_STORE}(?:까지)?(?:은|는)\s[^,]*(?:하지|시키지|해서는|하면)\s?(?:마|말|않|안\s?[돼되])\S*\Z"
)
_ABOUT_STORING = regex(
    rf"(?:(?:그리고|근데|그런데|단|다만|아직|일단|아|참)\s)*{_STORE}(?:까지)?(?:은|는|도|이야|이라면|에\s?대해서는)\s(?!.*\d)(?:\S+\s?){{1,8}}\Z"
)
_ORDERS = regex(
    r"(?:줘|줘요|주세요|주십시오|줄래|줄래요|주라|주시\S*|주실\S*|주고|줄\s?수\s?\S+|둬|두세요|둬요|놔|놔요|놓고|두고|해|해요|하자|하세요|하시고|할\s?것|부탁\S*|바랍니다|바라\S*|봐|봐요|보세요|보고|하고|해서|해보고|한\s?(?:뒤|다음|후)에?|나서|달라|까지|도|올려|남겨|넣어)\Z|(?:저장|보관|확인|점검|체크|검토)(?:까지|도|만)?\Z|(?:저장|보관)(?:하면|해도)\s?(?:돼|되|됩)\S*\Z|[하주]시면\s?(?:돼|됩|되)\S*\Z|요망\Z|진행\S*\Z|순서로\Z"
)
_ASKS_KO = regex(
    r"(?:있나|있어|있나요|있습니까|있을까|없나|없어|없나요|없지|없습니까|되나|걸리나|괜찮\S*|맞나\S*)(?:요)?\Z"
)
_SUPPOSES = regex(
    r"(?:[가-힣]면(?:은)?|(?:통과|발견|없을|확인|승인)\s?시(?:에(?:는|만)?)?|[는은]\s?대로|때만|때에만|경우에만|경우에|경우만|경우)\Z"
)
_CLEAN = regex(
    rf"(?:{_TROUBLE}|소지|거|게|것|건)\S*\s?(?:하나도\s)?(?:없|않|안|아니|아닐|아닌)\S*(?:\s(?:때만|때에만|경우\S*))?\Z|안\s?걸리\S*\Z|(?:괜찮|깨끗|통과|적합|준수|이상무|오케이|맞으|맞을)(?!\S*(?:않|못|안))\S*(?:\s(?:때만|경우\S*|시(?:에(?:는|만)?)?|대로))?\Z|(?:점검|검토|확인|심사)\S?\s?(?:마치는|끝나는|되는)\s?대로\Z|(?:점검|검토|심사)(?:가|만|까지)?\s?(?:다\s)?(?:끝나면|마치면|끝난\s?(?:뒤|후|다음)에?)\Z"
)
REPORTS = regex(
    r"(?:(?:뭐가|어디가|무엇이|어떤|어느|뭔지|그냥|저한테|나한테|바로|먼저|일단|왜|걸리는지|문제인지|무슨|이유만?|내용만?|부분인지|건지|규정에|규정인지|규정을)\s)*(?:알려|말해|말씀|얘기|이야기|연락|보여)\S*(?:\s?(?:줘|주세요|주시\S*|주고)\S*)?"
)
"""A clause that wants no more than to hear of it."""
_NONE = regex(
    r"(?:그리고\s|만약\s|그런\s?(?:게|거|것)\s|하나도\s)*(?:없으면|없다면|없을\s?(?:때만|경우\S{0,3})|아니면|아니라면)"
)
"""A condition that holds where nothing was found of what was named before: 위반 있으면 알려주고 없으면 …"""
_FOUND = regex(
    rf"{_TROUBLE}\S*(?:\s(?:게|거|것|부분|사항|항목|데)\S?)?(?:\s?(?:있|나오|나올|나온|발견|되|하))?\S*(?:\s(?:때\S*|경우\S*))?\Z|(?:통과|준수|적합|깨끗|괜찮|맞)\S*\s?(?:못|않|안)\S*(?:\s\S+)?\Z|(?:통과|준수)(?:를|은)?\s?못\s?\S+\Z"
)
"""A condition of something wrong; asked of what is not clean."""
_NEUTRAL = regex(
    r"(?:(?:아|그냥|일단|여기서)\s)*(?:기다려\S*|멈춰\S*|그만\S*|여기까지\S*|거기까지\S*|끝|끝이?\S{0,3}|(?:그냥|그대로)\s?(?:둬|두세요|놔둬|놔두세요|두면\s?돼)\S*|아니면|그렇지\s?않으면|안\s?그러면)(?:\s?(?:줘|주세요|요))?\Z|(?:(?:그리고|그럼|그다음|그 다음|이제|다|모두|작성|완성|그게|그거)\s?)*(?:되면|끝나면|끝나고|나서|완성되면|다음에?|뒤에?|후에?|그다음)?\Z"
)


def clauses(text: str, start: int, end: int, *, asks: bool) -> Iterator[tuple[int, int, Clause | None, bool]]:
    """The clauses of a sentence: place, meaning, and whether each supposes something. A topic reaches to the verb that it belongs
    to: 저장은 검토하고 말할게."""
    spans = _spans(text, start, end)
    at = 0
    while at < len(spans):
        first, last = spans[at]
        meant, upto = _clause(text, first, last, asks=asks), at
        said = text[first:last].strip(" ,.~!")
        refused = meant is not None and (_REFUSED.search(text[first:last]) or _OVER.search(said)) is not None
        if not refused and re.search(_TOPIC, text[first:last]):
            for more in range(len(spans) - 1, at, -1):
                whole = _clause(text, first, spans[more][1], asks=asks)
                if whole is not None and whole.mood is Mood.DECLINED:
                    meant, last, upto = whole, spans[more][1], more
                    break
        said = text[first:last].strip(" ,.~!")
        yield first, last, meant, _SUPPOSES.search(said) is not None and not _NEUTRAL.match(said)
        at = upto + 1


def _spans(text: str, start: int, end: int) -> list[Span]:
    cuts = [
        match.span()
        for match in _CUT.finditer(text, start, end)
        if match[0].strip() or _GOES_ON.search(text, start, match.start())
    ]
    begins, ends = [start, *(stop for _, stop in cuts)], [*(begin for begin, _ in cuts), end]
    spans = [(a, b) for a, b in zip(begins, ends, strict=True) if text[a:b].strip()]
    return [(a + len(text[a:b]) - len(text[a:b].lstrip()), b) for a, b in spans]


def _clause(text: str, start: int, end: int, *, asks: bool) -> Clause | None:
    """The meaning of a clause; None where it has a word of another matter, or neither orders nor declines."""
    said = text[start:end].strip(" ,.~!")
    if not all(_KNOWN.fullmatch(word[0]) for word in _WORD.finditer(said)):
        # Whatever else it says: what begins with storing and ends with a refusal refuses it.
        if _NO_STORING.match(said):
            return Clause(Mood.DECLINED, frozenset({STORE}), ())
        if not _ABOUT_STORING.match(said) or _ORDERS.search(said):
            return None
        mood = Mood.DECLINED if NO_ORDER_KO.search(said) else Mood.UNCLEAR
        return Clause(mood, frozenset({STORE}), ())
    if _NEUTRAL.match(said):
        return Clause(Mood.NEUTRAL, frozenset(), ())
    if _SUPPOSES.search(said):
        none = _NONE.fullmatch(said) and re.search(rf"{_TROUBLE}|{_NORM}", text[:start])
        mood = Mood.CLEAN if none or _CLEAN.search(said) else Mood.TROUBLE if _FOUND.search(said) else None
        return Clause(mood, frozenset({CHECK}), ()) if mood else None
    stores, checks = _KEPT.search(said) is not None, _CHECKED.search(said) is not None
    if _DECLINED.match(said):
        about = (
            {STORE, *({CHECK} if _JOINED.search(said) else ())}
            if stores
            else {CHECK}
            if checks or re.search(rf"{_NORM}|{_TROUBLE}", said)
            else {DOCUMENT}
            if _PAPER.search(said)
            else set[str]()
        )
        return Clause(Mood.DECLINED, frozenset(about), ()) if about else None
    if stores == checks or (asks and stores and not said.endswith(("줘", "요", "래"))):
        return None
    if _AS_PAPER.search(said):  # what is stored as a report is written first: the rest of the request says it
        return None
    things = tuple((start + m.start(), start + m.end()) for m in _THINGS.finditer(text[start:end]))
    if _ORDERS.search(said) or (checks and _ASKS_KO.search(said)):
        return Clause(Mood.ORDERED, frozenset({STORE if stores else CHECK}), things)
    return None


_THINGS = regex(
    r"(?<![가-힣])(?:(?:그|이|저|위)\s?)?(?:보고서|리포트|문서|결과|최종본|수정본)(?=[은는을를도만까]|\s|\Z)|(?<![가-힣])(?:이|그|저)(?:거|것|걸)(?=[은는을를도만까]|\s|\Z)"
)
