"""Decides which words of a text are not asserted: quoted rules, reported questions, entries that are taken back, examples.

A stance belongs to a stretch of words, not to a word: whatever stands outside the stretch is asserted as before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from metaagent.level2.compliance.text.quick import Quick

Span = tuple[int, int]

QUOTES = re.compile(r"“[^”]*”|‘[^’]*’|\"[^\"]*\"|「[^」]*」|『[^』]*』|(?<!\w)'[^']*'(?!\w)")
_MARKS = re.compile("[“‘\"「『']")
_RULE_WORDS = re.compile(
    r"규정|조항|법\b|법률|법령|제\s?\d+\s?조|지침|규약|가이드라인|따르면|명시|조문|원칙|예시|예[도를](?=\s)|"
    r"\b(?:rule|rules|law|article|act|code|guideline|policy|regulation|states|provides|clause)\b",
    re.IGNORECASE,
)
_NORM = re.compile(
    r"금지|[안아니]\s?[된됩돼되]|할\s?수\s?없|[을를]\s?수\s?없|해야\s?[한합하]|하여야|허용|불가|위반이?[”\"'’」』]?\s*$|"
    r"하지\s?(?:말|않는다|못한다)|처벌|위법|불법|과태료|징계|"
    r"\b(?:never|must|(?-i:may) not|shall|cannot|prohibited|forbidden|"
    r"not (?:be )?(?:allowed|acceptable|accepted|permitted|given))\b",
    re.IGNORECASE,
)
"""Words of a quotation that forbids or allows: it states a rule, whoever is quoted."""
_CLAUSE_KO = Quick(r"(?:(?<![다라냐자])고|[으하이되]며|지만|으나|[는은]데|셔서|해서)[\s,]+|[;]\s")
_QUESTION_KO = Quick(
    r"[가-힣]냐는\s(?:질문|문의|물음)|(?:[는은을]지|[할될릴일갈볼줄]지|느냐고|[가-힣]냐고|까\s?하고|나요|인가요)(?:도|를|만)?\s?(?:\S+\s){0,3}?"
    r"(?:고민|망설|물[으어었]|묻|여쭤|여쭈|여쭙|문의|질문|궁금|알려\s?(?:주|달)|확인\s?(?:부탁|바랍|해\s?주)|의논|상의)"
)
"""A question that a sentence reports or asks: 보내도 되는지 궁금합니다, 되느냐는 질문이 있었다."""
_NOTED_QUESTION_KO = Quick(
    r"(?:질문|문의|궁금한\s?점)(?:\s?(?:사항|내용))?\s?[:：][^.\n]*?(?P<asks>[는은을]지(?:요)?|나요|인가요)\s?[.?]*\s*$"
)
"""A question under its label: 원장님 질문: 술을 마셔도 되는지."""
_GIVEN_KO = Quick(
    r"(?:드린|드렸던|(?:제공|지급|전달|대접|결제|증정|접대|송금)(?:한|했던|해\s?드린)|보낸|보냈던|건넨|사\s?준|챙겨\s?준)\s"
)
"""A deed of ours that a noun is told by."""
_WRITTEN_KO = Quick(
    r"(?:다고|라고|으로|로)\s?(?:잘못\s?)?(?:적|썼|쓴|써|기재|보고|입력|올[렸린])[가-힣]{0,4}\s?(?:것은|내용은|부분은|건은|"
    r",)?[\s,]*"
    r"(?:\S+\s){0,2}?(?=(?:실제|사실|정확히|오기|착오|잘못|틀))"
)
_WRITTEN_EN = Quick(
    r"\b(?:wrote|reported|noted|entered|recorded|stated|typed|keyed in|put in|put down)\b[^.;]{0,20}?"
    r"\b(?P<said>that [^.;]+?|(?:[^.;,]|(?<=\d),(?=\d))+?),?\s"
    r"(?=(?:but|which|that was|in fact|actually)\b)",
    re.IGNORECASE,
)
"""An entry of ours that the same sentence corrects."""
_NEWS_EN = Quick(
    r"\b(?:the|a|an|this|today's|according to(?: the)?) (?:news)?(?:paper|press|article|news|radio|broadcast|clipping)s?\b[^.;]*|"
    r"[^.;]*\b(?:was|were|been|got) (?:fined|sentenced|indicted|convicted|prosecuted|charged|raided|penali[sz]ed)\b[^.;]*",
    re.IGNORECASE,
)
"""Deeds that the press tells of somebody else, or that somebody else was punished for."""
_OF_US_EN = re.compile(r"\b(?:I|we|our|us|my|me)\b", re.IGNORECASE)
_EXAMPLE = re.compile(
    r"퀴즈|정답은|정답[:：]|가상(?:의|으로)?\s?(?:사례|상황|인물|예)|모의\s?상황|"
    r"(?:문구|사례|내용|글|자료|예시|대화|상황)[은는이가]\s?(?:모두\s)?(?:\S+\s){0,2}?(?:교육용|예시|가상|지어낸)(?:입니다|"
    r"이다|임|의|\s)|"
    r"\b(?:case study|quiz|(?:case|cases|example|examples|story|names?|scenario) (?:is|are|was|were) "
    r"(?:invented|fictitious|made up|hypothetical|fictional))\b",
    re.IGNORECASE,
)
"""A text that says of itself that it is an exercise."""
_PAST = "".join(chr(code) for code in range(0xAC00 + 20, 0xD7A4, 28) if chr(code) not in "있겠")
"""Syllables that end a verb in the past: 했, 렸, 왔."""
_OUR_DEED = re.compile(
    r"(?:제가|저는|저희[가는]|우리[가는]|당사[가는]|담당자가|본인이)\s[^.\n]*(?:[했렸었았냈]|드림)|[가-힣]\s드림(?=[\s.,)]|$)|\b20\d\d\s?[년.\-/]\s?\d|"
    rf"[{_PAST}](?:습니다|어요|네요|고요|음|다)(?=[\s.,]|$)|(?:하|주|드리|보내)기로\s?(?:함|했)|"
    r"\b\d{1,2} [A-Z][a-z]{2,8} 20\d\d\b|(?<!\d)\d{1,2}(?:/|월\s?)\d{1,2}(?!\d)|"
    r"\b\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b|"
    r"\b(?:I|[Ww]e|[Oo]ur \w+) (?:\w+ly )?(?!may\b|must\b|do\b|can\b|cannot\b|should\b)\w+(?:ed|ve|id|nt|ok|ft)\b"
)
"""Somebody of our side did something, or a day is told: no exercise says so."""


_TAUGHT_KO = Quick(
    r"(?:판결|기사|뉴스|사건|차이|개념|사례|유형|예시|판례|내용|주제|처벌|금지\s?사항|규정)(?:들)?(?:를|을|에\s?대해(?:서)?|"
    r"에\s?관해|로|가|이|도)?\s(?:\S+\s){0,3}?"
    r"(?:읽[었고음어]|봤|보았|배[웠우움]|교육|다[뤘룸루]|학습|소개|공유|토의|토론|설명\s?(?:들|받)|퀴즈|안내\s?받|숙지|살펴)"
)
"""Cases that a lesson is about: 골프 접대, 상품권 제공의 처벌 사례를 배웠다."""


_HEARD_KO = Quick(
    r"[^.\n]*?다(?:고|는\s(?:내용|이야기|얘기|소식|기사|뉴스|사례)[을를]?)\s?(?:\S+\s){0,2}?(?:교육|연수|강의|기사|뉴스|신문|방송|언론|"
    r"사례집|판례)(?:에서|에|을|를)\s?(?:\S+\s){0,2}?(?:들[었었음]|배[웠움]|봤|보았|읽[었음]|접[했함]|소개|다[뤘룸])|"
    r"[^.\n]*?(?:교육|연수|강의|기사|뉴스|신문|방송|언론)(?:에서|에)\s(?:\S+\s){0,2}?[^.\n]*?다(?:고|는\s(?:내용|소식|사례)[을를])\s?"
    r"(?:\S+\s){0,2}?(?:들[었음]|배[웠움]|봤|읽[었음]|소개|다[뤘룸])"
)
_OF_US_KO = re.compile(r"(?<![가-힣])(?:제가|저도|저희|우리|당사|본인이|나도|내가)")
"""Deeds that a lesson or the press tells of somebody else."""
_HEARSAY_KO = Quick(
    r"(?:줬|주었|보냈|건넸|제공했|지급했|접대했|접대를\s?했|돌렸|뿌렸)다(?:고|는)\s?(?:이유|혐의|의혹|지적|합니다|하네요|하더[라군]|해요|한다|함(?![가-힣])|전해|"
    r"알려[졌지]|보도|기사|소문|소식|사건|뉴스)|(?:줬|주었|보냈|돌렸|뿌렸)(?:대요|답니다|다네요)"
)
_OUR_SIDE_KO = re.compile(
    r"(?<![가-힣])(?:제가|저는|저도|저희|우리|당사|자사|본인|나도|내가)|[가-힣]\s?(?:대리|주임|차장|사원|팀장|지점장|본부장|부장)"
    r"(?:이|가|님이|님께서)|담당자가|드[렸린림]"
)
_OTHER_COMPANY_KO = re.compile(
    r"제약(?![가-힣]*(?:팀|부))|타사|경쟁사|업체|(?<![A-Za-z])[A-Z]사(?:가|는|에|의|와|를|도|측)?(?![가-힣])|과징금|공정위|검찰|경찰|다른\s?(?:회사|곳)|기사|신문|뉴스|언론|적발|사건"
)


def heard_of_others(text: str, before: str) -> bool:
    """Say whether a sentence tells by hearsay what another company gave: it or the one before names that or the news, and our side
    would be named, or speak humbly."""
    if _HEARSAY_KO.search(text) is None or _OUR_SIDE_KO.search(text):
        return False
    return _OTHER_COMPANY_KO.search(f"{before} {text}") is not None


_TOLD_NO_KO = Quick(
    r"[^.\n]*?(?:안\s?[되된됨됩]|불가|못\s?[가-힣]|수\s?(?:는\s|도\s)?없)[^.\n]*?다고(?=\s?(?:\S+\s)?(?:안내|설명|말씀|답변|공지)\s?(?:드[리렸립린릴림려]|했|하|함|해))"
)
_NOT_ALL_KO = re.compile(
    rf"[{_PAST}]|지만|대신|다만|[은는인]데|드리|드린|드릴|주겠|준다|[가-힣]님(?:은|께는|만)"
)
_AFTER_ALL_KO = re.compile(r"지만|는데|으나|결국|그래도|그러나|하지만")
"""A refusal that somebody was told; a part of it that may be done for them, or that tells a deed; a turn after it."""
_THEY_ASK_KO = Quick(r"[가-힣]냐(?:고|며|면서)\s?(?:\S+\s)?(?:하[셨시더길셔]|말씀하|그러|농담|웃으)")
"""The other side asks whether it can have something."""
_ORDERED_KO = Quick(
    r"(?:하라는|말라는|해야\s?한다는|된다는|안\s?된다는|[이으]?라는)\s(?:지침|규정|공지|원칙|방침|기준|조항|답변|교육)"
)
"""Words of a rule that is reported: 예산 안에서 주문하라는 지침."""


_FORBIDDEN = Quick(
    r"금지(?:된|되는)?\s?(?:사항|행위|항목|목록|사례|유형)|(?:하지|해서는)\s?(?:말아야|안\s?[될되])|위반\s?(?:유형|사례|"
    r"행위)|하면\s?안\s?되는|"
    r"\b(?:prohibited|forbidden|not allowed|not permitted|don'ts|things? (?:we|you) must (?:not|never)|never do)\b",
    re.IGNORECASE,
)
_ITEM = re.compile(r"\s*(?:\d{1,2}[.)]|[-*•·①-⑳]|[가-하][.)])\s?")
_DONE = re.compile(r"(?:[했렸었았냈췄]|드림)\S{0,4}[.\s]*$|\b(?:I|[Ww]e) \w+(?:ed|ve|id|nt|ok|ft)\b")


def forbidden_items(sentences: Sequence[str]) -> set[int]:
    """The numbers of the sentences that list what is forbidden: a heading that says so and the items under it that tell no deed."""
    found: set[int] = set()
    for at, text in enumerate(sentences):
        heads = _FORBIDDEN.search(text) is not None and not _DONE.search(text)
        heading = heads and at + 1 < len(sentences) and _ITEM.match(sentences[at + 1])
        if heading or (at - 1 in found and _ITEM.match(text) and not _DONE.search(text)):
            found.add(at)
    return found


_LESSON = Quick(
    r"(?:교육|연수)\s?(?:자료|메모|내용|안내|노트|요약|정리)|OJT|신입\s?(?:사원\s?)?교육|행동\s?수칙|준법\s?(?:퀴즈|교육|"
    r"수칙|안내|공지|팁)|체크\s?리스트|FAQ|Q&A|"
    r"매뉴얼|규정\s?(?:안내|요약|공지|정리)|유의\s?사항|주의\s?사항|수칙|지침\s?(?:안내|공지|요약)|공지|"
    r"\b(?:modules?|e-?learning|quiz|training (?:deck|notes?|material|slides?|hand-?out|module)|"
    r"onboarding|handbook|manual|checklist|reminder|please note|"
    r"house rules|code of conduct|do'?s and don'?ts|cheat sheet|polic(?:y|ies) (?:summary|update|note))\b|"
    r"(?:^|[.!:;,]\s|\bplease )remember\b",
    re.IGNORECASE,
)
"""A text that teaches says so at its beginning."""
_NORM_WORDS = Quick(
    r"한도|상한|기준|규정|지침|원칙|수칙|금지|불가|허용|이하|이내|까지만|초과|"
    r"\b(?:limits?|rules?|polic(?:y|ies)|must|may not|never|allowed|permitted|forbidden|prohibited|at most|no more than|up to)\b",
    re.IGNORECASE,
)
_PARTICULAR = Quick(
    r"\d{1,2}\s?[/.월]\s?\d{1,2}|\b20\d\d\b|어제|오늘|지난|이번|아까|방금|금일|전일|작년|올해|"
    rf"[{_PAST}](?!을\s?(?:때|경우))|(?:함|음|됨|봄|옴|줌|둠|드림)(?=[\s.,]*$|[.,])|드린|보낸|건넨|(?:지급|제공|전달|접대|"
    rf"대접)한\s|"
    r"완료|예정|계획|(?:지급|제공|결제|전달|지원|증정)\s*[.,]?\s*$|하기로|주기로|드리기로|보내기로|"
    r"멘트|이렇게\s?(?:말|설명|안내|홍보)|(?:라고|다고)\s?(?:말하|말씀하|설명하|안내하|홍보하)(?:세요|시면|면)|"
    r"(?:드리|주|지급하|제공하|보내|챙기|챙겨\s?주|전달하|결제하|준비하|넣으|넣어\s?주)(?:세요|십시오|시기\s?바랍|"
    r"(?:시)?면\s?됩니다|시죠)|"
    r"^\W*(?:please )?(?:give|pay|hand|send|bring|buy|transfer)\b|(?:저|제|저희|우리)(?:가|는|도)\s|"
    r"[가-힣]{1,4}\s?(?:원장|교수|과장|선생)님(?:께|과|을|이랑|\s)|"
    r"\b(?:yesterday|today|last|this (?:week|month|morning)|ago|just now|I|we|our|us|told|said|suggest\w*|Dr\.? [A-Z]\w*|"
    r"Prof\.? [A-Z]\w*|"
    r"was|were|did|had|got|gave|paid|took|bought|sent|went|came|brought|signed|agreed|promised|received|offered|handed|covered|"
    r"\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December))\b",
    re.IGNORECASE,
)
"""A day, somebody by name, or a deed that was done: no rule says so."""


def taught_items(sentences: Sequence[str]) -> set[int]:
    """The numbers of the sentences that state rules in a text that teaches: they tell of no day, no person by name and no deed."""
    if not sentences or _LESSON.search(sentences[0]) is None:
        return set()
    norms = [_NORM_WORDS.search(text) is not None for text in sentences]
    return {
        at
        for at, text in enumerate(sentences)
        if (norms[at] or _goes_on(text, follows=at > 0 and norms[at - 1])) and not _PARTICULAR.search(text)
    }


def _goes_on(text: str, *, follows: bool) -> bool:
    """Say whether a sentence without a word of a rule is a part of one: it is short, and a sum in it follows a rule at once."""
    return len(text) <= LONGEST_ITEM and (follows or not _SUM.search(text))


_SUM = re.compile(r"\d\s?(?:천|만|백)?\s?원|\bwon\b|\bKRW\b|₩", re.IGNORECASE)
LONGEST_ITEM = 80
"""Characters of a sentence of such a text that has no word of a rule itself."""


_DRAFTED = Quick(
    r"(?:초안|기안|계획안|기획안|제안|당초|원래\s?계획|처음\s?계획|예산안|품의)[^.\n]{0,60}|"
    r"\b(?:draft|proposal|original plan|first plan|initial plan|(?:had |we )planned to|idea|suggestion|request form|request for)\b",
    re.IGNORECASE,
)
_STRUCK = Quick(
    r"반려(?:됐|되었|했|함|됨|되어|돼)|부결|불승인|승인(?:이|을)?\s?(?:안\s?[났나됐]|받지\s?못|나지\s?않)|철회(?:했|함|됐)|폐기(?:했|됐)|"
    r"없던\s?일|접[었기]|진행하지\s?않|"
    r"\b(?:rejected|vetoed|struck (?:it )?out|turned (?:it )?down|did not approve|said no(?! to)|"
    r"refused|scrapped|dropped|withdrawn|withdrew)\b",
    re.IGNORECASE,
)
_WENT_ON = re.compile(
    r"그래도|강행|그냥\s?(?:진행|했)|결국|미리|이미|"
    r"\b(?:anyway|regardless|nevertheless|still (?:held|went|served|paid)|after all|"
    r"but (?:we|I) (?:still |then |just )?(?:booked|paid|gave|did|went|sent|bought|took))\b",
    re.IGNORECASE,
)
"""A plan, words by which it was given up, and words by which it was carried out all the same."""
_PLAN = Quick(
    r"예정|계획|예산|예약|기획|일정|잡[아혀]|하려던|드리려던|기로\s?했던|품의|"
    r"\b(?:planned|scheduled|booked|booking|reserved|proposed|was to|were to|intended|budgeted?)\b",
    re.IGNORECASE,
)
_TAKEN_BACK = Quick(
    r"(?:취소|삭제|백지화|무산|보류|철회|폐기)(?:되|됐|했|하였|함|하기로|시[켰킴])\S*|(?:빼|제외하)기로\s?(?:했|함)\S*|뺐\S*|"
    r"\b(?:cancell?ed|called off|scrapped|withdrawn|withdrew|shelved)\b|"
    r"\b(?:was|were|been|be|is|are) (?:dropped(?! off)|taken out|removed|deleted)\b",
    re.IGNORECASE,
)
_DONE_AFTER = re.compile(
    r"[했렸었았냈셨줬]|드림|대신|\b(?:instead|but|gave|paid|sent|handed|bought|still|anyway|took|went|had)\b|\d\s?(?:만|천)?\s?원|\bwon\b",
    re.IGNORECASE,
)
"""Something that was to be, words that take it back, and anything that was done or paid after them."""


def given_up(text: str, following: str) -> bool:
    """Say whether a sentence only tells a plan which it or one of the next says was turned down before it was carried out."""
    back = _TAKEN_BACK.search(text)
    if back is not None and _PLAN.search(text) and not _DONE_AFTER.search(text, back.end()):
        return True
    if _DRAFTED.search(text) is None or _WENT_ON.search(f"{text} {following}"):
        return False
    return _STRUCK.search(text) is not None or _STRUCK.search(following) is not None


def is_an_example(text: str) -> bool:
    """Say whether a whole text is an exercise or an invented case."""
    return _EXAMPLE.search(text) is not None


_LABEL = re.compile(
    r"\s*[-•*]?\s?(?:(?:퀴즈|문제|예제|가상\s?사례|보기)\s?\d{0,2}\s?번?|"
    r"Q\s?\d{1,2}|(?:quiz|exercise|question|made-up case)(?: \d{1,2})?)\s?[:：.)]\s",
    re.IGNORECASE,
)
"""The label of a task in a lesson, before the case that it makes up."""


def is_labelled(sentence: str) -> bool:
    """Say whether a sentence is the text of a task: 퀴즈 3번: 영업사원이 와인을 주었다."""
    return _LABEL.match(sentence) is not None and _OF_US_KO.search(sentence) is None


def tells_a_deed(sentence: str) -> bool:
    return _OUR_DEED.search(sentence) is not None


def unasserted(text: str, *, korean: bool) -> list[Span]:
    """The stretches of a sentence that it does not assert."""
    found = list(_quoted_rules(text))
    if korean:
        found += _questions(text)
        found += [(0, m.end()) for m in _WRITTEN_KO.finditer(text)]
        found += [m.span() for m in _TOLD_NO_KO.finditer(text) if _keeps_to_it(text, m)]
        found += [(_clause_start(text, m.start()), m.end()) for m in _TAUGHT_KO.finditer(text)]
        found += [m.span() for m in _HEARD_KO.finditer(text) if not _OF_US_KO.search(m.group())]
        found += [(_clause_start(text, m.start()), m.end()) for m in _ORDERED_KO.finditer(text)]
        found += [(_clause_start(text, m.start()), m.end()) for m in _THEY_ASK_KO.finditer(text)]
    else:
        found += [m.span("said") for m in _WRITTEN_EN.finditer(text)]
        found += [m.span() for m in _NEWS_EN.finditer(text) if not _OF_US_EN.search(m.group())]
    return found


def _keeps_to_it(text: str, told: re.Match[str]) -> bool:
    """Say whether everything that somebody was told is not done, and the rest of the sentence does not do it after all."""
    return not _NOT_ALL_KO.search(told.group()) and not _AFTER_ALL_KO.search(text, told.end())


def _questions(text: str) -> Iterator[Span]:
    """Questions that a Korean sentence reports, but for those about something that was given: 드린 상품권을 처리해도 되는지."""
    ends = [m.span() for m in _QUESTION_KO.finditer(text)]
    ends += [(m.start("asks"), m.end()) for m in _NOTED_QUESTION_KO.finditer(text)]
    for start, end in ends:
        first = _clause_start(text, start)
        if _GIVEN_KO.search(text, first, end) is None:
            yield first, end


def _quoted_rules(text: str) -> Iterator[Span]:
    """Quotations of a rule: the rest of the sentence says that a rule is quoted, or the quotation forbids or allows."""
    for found in QUOTES.finditer(text) if _MARKS.search(text) else ():
        rest = text[: found.start()] + text[found.end() :]
        if _RULE_WORDS.search(rest) or _NORM.search(found.group()):
            yield found.span()


def _clause_start(text: str, end: int) -> int:
    return max((m.end() for m in _CLAUSE_KO.finditer(text, 0, end)), default=0)
