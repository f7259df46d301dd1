"""People by how they are called: 호랑 씨, 진달래 님, the speakers of a chat, a list that counts its people, who signs a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaagent.language.patterns import any_of, regex
from metaagent.protection.redaction._bare_name_judgement import is_first_name
from metaagent.protection.redaction._context import words
from metaagent.protection.redaction._lists import listed
from metaagent.protection.redaction._name_judgement import dictionary_says, is_given, is_likely
from metaagent.protection.redaction._name_words import (
    ALL_SURNAMES,
    COMPOUND,
    GIVEN,
    LABELS,
    OF_THINGS,
    ROLES,
    TITLES,
)
from metaagent.protection.redaction._table_names import is_foreign, is_somebodys
from metaagent.protection.redaction._western_words import BRANDS, NOT_NAMES, OF_COMPANIES
from metaagent.protection.redaction.finding import Detector, Hit, WordDetector

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ENDING = r"(?:은|는|이|가|을|를|의|께서?|도|과|와|에게|한테|하고|이?랑)?(?![가-힣])"
_CALLED = regex(rf"(?<=[가-힣]) (님|씨|에게|한테|께){_ENDING}")
_WORDS_BEFORE = regex(r"(?<![가-힣])((?:[가-힣]{2,6} )?)([가-힣]{2,5})$")
_SEEDS = frozenset(
    words(
        "호박 수박 마음 아가 아저 바람 말솜 맵시 참외 사과 포도 살구 자두 매실 목화 고추 오이 감귤 해바라기 복숭아 마음 말 글 솜"
    )
)
"""Things that have seeds, or is followed by 씨 for another reason."""
_NAME = regex(rf"(?:{'|'.join(COMPOUND)}|[{ALL_SURNAMES}])[{GIVEN}]{{1,2}}")
_WHOLE_NAME = rf"(?:(?:{'|'.join(COMPOUND)})[{GIVEN}]{{1,2}}|[{ALL_SURNAMES}][{GIVEN}]{{2}})"
_GIVEN_NAME = regex(rf"[{GIVEN}]{{2}}")
_OF_DOERS = "자원인생사장관수주객처팀"
_KINDS = tuple(word for word in (*TITLES, *ROLES) if len(word) > 1)
_ANY_NAME = rf"[{ALL_SURNAMES}][가-힣]{{2}}"
_COUNTED = regex(
    rf"(?<![가-힣])({_ANY_NAME}(?:(?:, ?| ?[/·、] ?| ){_ANY_NAME}){{1,19}})(?![가-힣])"
    r",? \(?(?:이상 |등 |총 ){0,2}([0-9]{1,3}) ?[명인](?![가-힣])"
)
_LISTED = rf"{_WHOLE_NAME}(?:(?:, ?| ?[·/] ?){_WHOLE_NAME}){{0,9}}"
_WHOLE = regex(_WHOLE_NAME)
_LABEL = regex(rf"(?<![가-힣])(?:{any_of(sorted(LABELS))})(?: ?[:-] ?| )$")
_LONGEST_LABEL = max(map(len, LABELS)) + 4
_LABELLED = regex(rf"{_LISTED}(?= ?(?:→|->|[/,·)\n]|$))")
_HANDED_OVER = regex(rf"{_WHOLE_NAME} ?(?:→|->|⇒) ?{_WHOLE_NAME}(?![가-힣])")
_DESCRIBED = regex(rf"(?<![가-힣])({_WHOLE_NAME}) ?[(,/] ?(?:[남여]성?|만? ?[0-9]{{1,3}}세) ?[,/)]")
_TOLD = regex(
    rf"(?:성명|성함|(?:환자|고객|직원|회원)명|예금주)(?:은|는)? ?[:：] ?([{ALL_SURNAMES}][가-힣]{{1,3}})(?= ?(?:[/,|)(;\n]|$))"
)
_NOBODY = frozenset(words("미정 선택 필수 미상 익명 가명 공란 공백 동일 상동 전원"))
_HANGUL = regex(r"[가-힣]+")
_CHAT = regex(r"(?:단톡방?|카톡|톡방|채팅방?|대화방?|메신저|슬랙)[^\n:\])]{0,8}[\]):\n]")
_SPEAKER = regex(r"(?:^|(?<=[\n/\])]))[ ]?([가-힣]{2,4})(?= ?(?:님|씨)? ?: )")
_KIN = regex(
    r"(?<![가-힣])(?:(?:장|차|삼)[남녀]|외아들|외동딸|아들|딸|막내|손자|손녀|남편|아내|동생|언니|오빠|누나|조카)(?:은|는|"
    r"이|인)? ([가-힣]{2})"
    r"(?=[ ,.()\n]|이[가는랑]? |$)"
)
_JOINED = regex(r"(?<![가-힣])([가-힣]{2})씨(?=[ ,.?!:)\n]|$|[는가를의와도](?![가-힣]))")
_SYLLABLES_APART = regex(rf"(?<![가-힣])([{ALL_SURNAMES}])[ \n]([{GIVEN}])[ \n]([{GIVEN}])(?![가-힣])")
_TITLE_AFTER = regex(rf" ?(?:{any_of(TITLES)}|님|씨)(?:님)?{_ENDING}")
_NAME_LABEL = regex(rf"(?:성명|성함|이름|[자객원]명|예금주|{any_of(ROLES)})(?:은|는)?(?: ?[:：] ?| |\n)$")
_MIXED = regex(
    r"(?<![A-Za-z])(?:Dr|Mr|Mrs|Ms|Prof|Miss)\.? "
    r"([가-힣]{1,4}(?: [A-Z][a-z]{2,})?|[A-Z][a-z]{2,} [가-힣]{1,3})(?![가-힣A-Za-z])"
)
_LONG_TITLES = tuple(title for title in TITLES if len(title) > 1)
_LATIN = regex(
    r"[A-ZÀ-ÞĀ-Ɏ](?<![A-Za-z.-].)[a-zà-ɏ]+(?:[ -](?!and )[A-ZÀ-ÞĀ-Ɏ]?[a-zà-ɏ]+){0,1}(?: [A-ZÀ-ÞĀ-Ɏ][a-zà-ɏ]+){1,2}(?![A-Za-z])"
)
_KOREAN_ROLE = regex(rf"(?:{any_of(ROLES)}|{any_of(_LONG_TITLES)})(?: ?[:：] ?| )$")
_KOREAN_TITLE = regex(rf" ?(?:님|씨|(?:{any_of(_LONG_TITLES)})님?)(?![가-힣]{{3}})")
_SHORT_BY_ROLE = regex(r"[가-힣][자인당임] ?[:：] ?([가-힣]{2})(?= ?(?:[/,|)\n]|$))")
_FIRST_NAME = regex(
    r"(?:이름|성함|아명|애칭)[은이]? ([가-힣]{2,4}?)(?=예요|이에요|입니다|이?고요|이고|이며|인데요?|이야|[이]?라고|[.,!\n]|$)"
)
_ONE_APART = (
    rf"((?:{'|'.join(COMPOUND)}|[{ALL_SURNAMES}]) (?![분명번개건곳달주해말날이])[{GIVEN}]) ?(?:귀하|님|씨)"
)
_HONOURED = regex(rf"(?<![가-힣]){_ONE_APART}(?![가-힣]{{2}})")
_SIGNS = regex(r"[가-힣.!?)] ?- ?([가-힣]{2,4})(?= ?(?:\n|$))")


def _apart(text: str) -> Iterator[Hit]:
    """A name that a space keeps apart from 님, 씨 or 에게; one from abroad has two words."""
    for sign in _CALLED.finditer(text):
        found = _WORDS_BEFORE.search(text, max(0, sign.start() - 13), sign.start())
        if found is None:
            continue
        before, name, called = found[1], found[2], sign[1]
        start, end = found.span(2)
        if before and (is_foreign(before + name) or (is_somebodys(before[:-1]) and is_somebodys(name))):
            yield Hit("NAME", found.start(), end, 40)
        elif _is_called(name, called):
            yield Hit("NAME", start, end, 40)


def _is_called(name: str, called: str) -> bool:
    if name in OF_THINGS or name.endswith(_KINDS):
        return False
    if called not in "님씨":
        return len(name) == 3 and is_likely(name) and is_given(name[1:])
    if called == "씨" and name in _SEEDS:
        return False
    if name[-1] in _OF_DOERS and dictionary_says(name) != "name" and not is_given(name[1:]):
        return False
    whole = _NAME.fullmatch(name) is not None and (called == "씨" or len(name) > 2)
    return (
        whole
        or is_given(name)
        or (called == "씨" and _GIVEN_NAME.fullmatch(name) is not None and dictionary_says(name) != "word")
    )


def _counted(text: str) -> Iterator[Hit]:
    """Names that are counted as people: 갈현서 마윤제 복다솜 이상 3명. Most must be likely, and none a word of things."""
    for found in _COUNTED.finditer(text):
        names = list(_HANGUL.finditer(text, *found.span(1)))
        if any(name[0] in OF_THINGS or name[0].endswith(_KINDS) for name in names):
            continue
        likely = sum(is_likely(name[0]) or is_given(name[0][1:]) for name in names)
        told = likely or text.endswith((": ", ":"), 0, found.start())
        if likely * 2 > len(names) or (told and len(names) == int(found[2])):
            yield from (Hit("NAME", *name.span(), 40) for name in names)


def _may_be_labelled(word: str) -> bool:
    return _WHOLE.fullmatch(word) is not None and _is_likely(word)


def _labelled(text: str, places: Sequence[tuple[int, int]]) -> Iterator[Hit]:
    """People who do each step, and who takes over from whom: 기안 남보배 → 검토 홍다인."""
    done = 0
    for start, _ in places:
        label = _LABEL.search(text, max(0, start - _LONGEST_LABEL), start) if start >= done else None
        found = (_LABELLED.match(text, start) if label else None) or _HANDED_OVER.match(text, start)
        names = list(_HANGUL.finditer(found[0])) if found else []
        if found and all(_is_likely(name[0]) for name in names):
            yield from (Hit("NAME", start + name.start(), start + name.end(), 40) for name in names)
            done = found.end()
            yield from listed(text, done)


def _is_likely(name: str) -> bool:
    if name in OF_THINGS or name.endswith(_KINDS) or dictionary_says(name) == "word":
        return False
    return is_likely(name) or is_given(name[1:])


def _described(text: str) -> Iterator[Hit]:
    """People with an age or a sex, and what stands after a word for a name: 황금빛(45세, 남), 성함: 류하."""
    for shape in (_DESCRIBED, _TOLD):
        for found in shape.finditer(text):
            name = found[1]
            if name not in OF_THINGS and name not in _NOBODY and not name.endswith(_KINDS):
                yield Hit("NAME", *found.span(1), 40)


def _speakers(text: str) -> Iterator[Hit]:
    """People who say something in a chat: [단톡] 초롱: 저 오늘 연차요 / 해솔: 확인했습니다."""
    chat = _CHAT.search(text)
    for found in _SPEAKER.finditer(text, chat.end() - 1) if chat else ():
        if (
            found[1] not in OF_THINGS
            and not found[1].endswith(_KINDS)
            and (is_given(found[1]) or is_likely(found[1]))
        ):
            yield Hit("NAME", *found.span(1), 40)


def _on_first_name_terms(text: str) -> Iterator[Hit]:
    """A given name after a word for a relative, or joined with 씨: 장남 한결, 광수씨."""
    for found in _KIN.finditer(text):
        if found[1] not in OF_THINGS and (is_given(found[1]) or is_first_name(found[1])):
            yield Hit("NAME", *found.span(1), 40)
    for found in _JOINED.finditer(text):
        if found[1] not in OF_THINGS and found[1] not in _SEEDS and _GIVEN_NAME.fullmatch(found[1]):
            yield Hit("NAME", *found.span(1), 40)


def _spread(text: str) -> Iterator[Hit]:
    """A name whose syllables stand apart, with a title after it or a word for a name or a role before it: 백 도 현 교수님."""
    for found in _SYLLABLES_APART.finditer(text):
        name = "".join(found.groups())
        start, end = found.span()
        told = _TITLE_AFTER.match(text, end, end + 16) or _NAME_LABEL.search(text, max(0, start - 16), start)
        if told and name not in OF_THINGS and dictionary_says(name) != "word":
            yield Hit("NAME", start, end, 40)


def _honoured(text: str) -> Iterator[Hit]:
    """A surname and a given name of one syllable that a space keeps apart, before a word that only people have: 허 준 귀하."""
    for found in _HONOURED.finditer(text):
        yield Hit("NAME", *found.span(1), 40)


def _mixed(text: str) -> Iterator[Hit]:
    """A Korean name, or a part of one, after an English title: Ms. 심 Yerin."""
    for found in _MIXED.finditer(text):
        if not BRANDS & {*found[1].split()}:  # Mr. Pizza 매장
            yield Hit("NAME", *found.span(1), 40)


def _latin(text: str) -> Iterator[Hit]:
    """A name in Latin letters beside a Korean role or title: 책임연구원 Nguyen Van Anh."""
    for found in _LATIN.finditer(text):
        start, end = found.span()
        if any(part in NOT_NAMES for part in found[0].split()) or OF_COMPANIES.search(found[0]):
            continue
        if _KOREAN_TITLE.match(text, end, end + 16) or _KOREAN_ROLE.search(text, max(0, start - 12), start):
            yield Hit("NAME", start, end, 39)


def _by_short_name(text: str) -> Iterator[Hit]:
    """Two syllables after who does something and a colon: 검사자: 석진 /."""
    for found in _SHORT_BY_ROLE.finditer(text):
        if (
            found[1] not in OF_THINGS
            and found[1] not in _NOBODY
            and (is_likely(found[1]) or is_first_name(found[1]))
        ):
            yield Hit("NAME", *found.span(1), 38)


def _by_first_name(text: str) -> Iterator[Hit]:
    """A given name that somebody is said to have: 우리 애 이름은 온유예요."""
    for found in _FIRST_NAME.finditer(text):
        name = found[1]
        surname = 2 if name[:2] in COMPOUND else 1
        given = name[surname:] if len(name) > 2 and _WHOLE.fullmatch(name) else name
        if name not in OF_THINGS and (is_first_name(given) or is_given(given)):
            yield Hit("NAME", *found.span(1), 40)


def _signers(text: str) -> Iterator[Hit]:
    """People who sign a line: 착신 돌려놨음 - 예준."""
    for found in _SIGNS.finditer(text):
        name = found[1]
        given = name[1:] if len(name) > 2 else name
        if name not in OF_THINGS and is_given(given) and dictionary_says(name) in ("", "name"):
            yield Hit("NAME", *found.span(1), 40)


BY_WORDS = (WordDetector(_may_be_labelled, _labelled),)
DETECTORS = (
    Detector(
        r"[가-힣] ?[(,/] ?(?:[남여]|만? ?[0-9]{1,3}세)|(?:성명|성함|[자객원]명|예금주)[은는]? ?[:：]",
        _described,
        local=True,
    ),
    Detector(r"[가-힣] (?:님|씨|에게|한테|께)", _apart, local=True),
    Detector(rf"(?:^|[^가-힣])[가-힣]{{1,2}} [{GIVEN}] ?(?:귀하|님|씨)", _honoured, local=True),
    Detector(
        r"[가-힣](?: ?[:：] ?| )[A-ZÀ-ÞĀ-Ɏ][a-zà-ɏ]+[ -][A-ZÀ-ÞĀ-Ɏa-zà-ɏ]|[A-ZÀ-ÞĀ-Ɏ][a-zà-ɏ]+ ?[가-힣]",
        _latin,
        local=True,
    ),
    Detector(r"[자인당임] ?[:：] ?[가-힣]{2} ?(?:[/,|)\n]|$)", _by_short_name, local=True),
    Detector(r"(?:이름|성함|아명|애칭)[은이]? [가-힣]{2}", _by_first_name, local=True),
    Detector(
        rf"(?:^|[^가-힣])[{ALL_SURNAMES}][ \n][{GIVEN}][ \n][{GIVEN}](?:[^가-힣]|$)", _spread, local=True
    ),
    Detector(r"(?:Dr|Mr|Mrs|Ms|Prof|Miss)\.? (?:[가-힣]|[A-Z][a-z]+ [가-힣])", _mixed, local=True),
    Detector(r"[가-힣],? \(?(?:이상 |등 |총 )*[0-9]{1,3} ?[명인]", _counted, local=True),
    Detector(r"(?:톡|채팅|대화|메신저|슬랙)(?s:.)*[가-힣] ?: ", _speakers),
    Detector(r"[가-힣.!?)] ?- ?[가-힣]{2,4} ?(?:\n|$)", _signers, local=True),
    Detector(
        r"[가-힣]씨|(?:[장차삼][남녀]|아들|딸|막내|손[자녀]|남편|아내|동생|언니|오빠|누나|조카)[은는이인]? [가-힣]",
        _on_first_name_terms,
        local=True,
    ),
)
