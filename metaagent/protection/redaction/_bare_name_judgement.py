"""Judgement of a Korean word that stands alone: is it somebody's whole name, and how sure is that?

A surname and a given name that the dictionary has with several surnames are a name, unless the same syllables are a noun
and its particle or ending (인정하, 이유로). Each word is judged once; the judgement is kept.
"""

from __future__ import annotations

from functools import lru_cache

from metaagent.protection.redaction._context import words
from metaagent.protection.redaction._name_judgement import (
    MEASURES,
    ONLY_IN_NAMES,
    PLACE,
    dictionary_says,
    has_bearers,
    is_likely,
    is_particle,
    parse,
)
from metaagent.protection.redaction._name_words import (
    COMPOUND,
    GIVEN,
    LABELS,
    NEVER_LAST,
    OF_THINGS,
    SURNAMES,
)

_LONGEST = 9
_PARTICLES = frozenset(
    words(
        "은 는 이 가 을 를 의 에게 에게서 에게는 에게도 께 께서 께서는 한테 한테서 한테는 와 과 도 만 이랑 랑 하고 이나 나 "
        "입니다 입니까 이다 이고 이며 이라고 라고 이라는 라는 이라 라 인데 이네 이요 이고요 인데요 예요 이에요 이었다 였다 이었음 "
        "님 님이 님은 님을 님의 님께 님께서 님도 님과 님에게 님께는 님한테 씨 씨가 씨는 씨를 씨의 씨와 씨도 씨에게 씨한테 씨께 "
        "아 야 로 으로 에 에는 에서 로부터 으로부터 로서 으로서 이든 든 만이 만은 께도 뿐만 조차 마저 이가 이는 이를 "
        "이었어요 였어요 이었습니다 였습니다 이래요 래요 이래 래 이라던데 라던데 이라네요 라네요 이라면서 이잖아요 "
        "이지 이야 인가요 이신가요 이십니다 이세요 이죠 이거든요 이더라고요 이었는데 였는데 이라서 라서 이라도 "
        "이도 이의 이한테 이에게 까지 부터 뿐 보다 처럼 군 군이 군은 군과 양 양이 양은 양과 대신 외 등"
    )
)
_FAMILIAR = frozenset(words("아 야 이가 이는 이를 이도 이의 이랑 이한테 이에게 이네"))
"""Endings that people on first-name terms add to a given name: 보검아, 다솜이랑."""
ENDS_WORDS = "한하해은이인의일나로상도만지기라랑문자업증용다며고면아야요과와을를는가네시"
_OF_PLACES = "구군시동면읍리남북권"
_OF_NOUNS = MEASURES + "세효력소원실필병표식결본대임에"
_MOST, _MANY, _SOME = 8, 5, 2
_RECENT = frozenset(
    words(
        "예서 온유 라온 도담 다온 리안 로아 이서 이안 시아 아윤 채아 라희 루아 유이 서아 태하 이현 주하 예담 하율 지율 시율 "
        "은채 나율 로하 아인 서하 하온 도하 윤슬 해온 루다 로이 라율 유하 지한 리원 하엘 다엘 라엘 리하 세인 태린 소이 나린 이레 "
        "하랑 하람 예랑 가온 마루 별하 새론 다솔 은솔 예솔 한솔 시은 하은 나은 채은 다은 가은 예은 주은 라은 이든 로운 시온 지온 "
        "태리 유리 하리 소담 도윤 시윤 지호 은우 선우 연우 정우 준우 시우 현우 건우 지우 서우 윤우 서진 "
        "우진 유진 "
        "서연 서윤 서현 지윤 채원 하윤 지민 수빈 예린 채린 아린 소윤 시현 지현 다현 주현 가현 나현 도현 승현 태윤 지훈 민준 서준 "
        "도준 시후 지후 은호 윤호 예지 수지 은지 민지 현지 다희 가희 소희 세희 나희 슬기 아라 나래 가람 한결 새봄 "
        "단비 이슬 초롱 소라 유라 미라 세라 레나 루나 시연 채연 나연 다연 가연 도연 지연 수연 소연 주연 "
        "레아 이준 유준 하준 예준 지유 소율 다인 해솔 태오 리아 지아 수아 현아 유나 예나 보검 한별 점례 말숙 끝순 지안 민서 윤서"
    )
)
"""Given names that became common after the dictionary was made, and old ones that it has hardly any bearer of."""
_VERBAL = ("VCP", "XSV", "XSA", "NNBC", "VX")
_COUNTS = ("NR", "SN", "MAG", "MAJ", "NNBC", "NNB")


@lru_cache(maxsize=32768)
def name_length(word: str) -> int:
    """Count the syllables of the name that this word begins with; 0 if it is none, negative if it must have a cell, a line or a
    place in a list for itself, because a noun and its particle are spelled alike (배경은)."""
    if len(word) > _LONGEST:
        return 0
    if word[:2] in COMPOUND and len(word) > 3:
        lengths = (4, 3)
    elif word[0] in SURNAMES:
        lengths = (3,)
    else:
        lengths = ()
    for length in lengths:
        if may_follow(word, length) and is_name(word[:length]) and not _is_counted(word[:length]):
            return -length if _has_particle(word[:length]) else length
    return 2 if word[2:] in _FAMILIAR and may_follow(word, 2) and is_first_name(word[:2]) else 0


def may_follow(word: str, length: int) -> bool:
    """Tell whether what goes on after the name is a particle that fits its last syllable."""
    rest = word[length:]
    if not rest:
        return True
    closed = (ord(word[length - 1]) - ord("가")) % 28 != 0
    fits = rest[0] not in ("는가를와야랑라" if closed else "은을과아") or rest in ("라고", "라는", "랑")
    return rest in _PARTICLES and fits


def is_name(name: str) -> bool:
    """Tell whether these three or four syllables are somebody's name wherever they stand."""
    if name in OF_THINGS:
        return False
    if len(name) == 4:
        return name[2:] in _RECENT or has_bearers(name[2:], _SOME)
    if name[:2] in COMPOUND:
        return name[2] in ONLY_IN_NAMES or dictionary_says(name) == "name"
    recent = name[1:] in _RECENT
    if not recent and (name[1] not in GIVEN or name[2] not in GIVEN):
        return False
    said = dictionary_says(name)
    if said == "word" or _is_of_a_noun(name):
        return False
    return recent or said == "name" or _is_borne(name, said)


def _is_borne(name: str, said: str) -> bool:
    """Tell whether so many have this given name that the whole is a name, although the dictionary has it not."""
    given, last = name[1:], name[2]
    if given in OF_THINGS:
        return has_bearers(given, _MOST)
    if _is_common(given) and not has_bearers(given, _SOME + 1):
        return False
    phrase = said == "phrase" or _is_inflected(name)
    often, seldom = (_MANY, _SOME + 1) if phrase else (_SOME, 1)
    if has_bearers(given, often if last in ENDS_WORDS else seldom):
        return True
    return last in ONLY_IN_NAMES and name[:2] not in OF_THINGS and not has_bearers(given) and is_likely(name)


def _is_of_a_noun(name: str) -> bool:
    """Tell whether a noun and what may be added to it are spelled like this: 차원의, 강사명, 양천구."""
    head, last = name[:2], name[2]
    if last in "한할함" and is_quality(head):
        return True
    if head in OF_THINGS or head in LABELS:
        if last in "은는이가을를과와":
            return is_particle(head[1], last) or last in "는가를와"
        return last in ENDS_WORDS or last in _OF_NOUNS or last in _OF_PLACES
    if last not in _OF_PLACES:
        return False
    first, *more = parse(head)
    return not more and first.pos == "NNP" and first.meaning == PLACE


def _has_particle(name: str) -> bool:
    if len(name) != 3 or name[2] == "인" or not is_particle(name[1], name[2]):
        return False
    first, *more = parse(name[:2])
    return not more and first.pos == "NNG"


def _is_counted(name: str) -> bool:
    """Tell whether this is a sum: 백만원."""
    return name[-1] in "원만억조명개" and parse(name)[0].pos == "NR"


@lru_cache(maxsize=4096)
def is_quality(head: str) -> bool:
    """Tell whether things are said to be so: 조용하다."""
    first, *more = parse(head + "하다")
    return first.surface == head and bool(more) and more[0].pos == "XSA"


def _is_common(word: str) -> bool:
    first, *more = parse(word)
    return not more and first.pos == "NNG"


def _is_inflected(name: str) -> bool:
    tags = [morpheme.pos for morpheme in parse(name)]
    if tags[0][0] == "V" and (len(tags) == 1 or tags[-1][0] == "E"):
        return True
    return tags[0] in _COUNTS or tags[-1][0] in "JE" or tags[-1] in _VERBAL or "+" in tags[-1]


def is_first_name(given: str) -> bool:
    """Tell whether people are called by this alone."""
    if given in OF_THINGS:
        return False
    if given in _RECENT:
        return True
    return has_bearers(given, _MANY) and dictionary_says(given) in ("", "name")


@lru_cache(maxsize=8192)
def is_plausible(name: str) -> bool:
    """Tell whether this may be a name that nothing has: enough where a title, a role, a cell or a list says that it is one."""
    if (
        len(name) != 3
        or name[0] not in SURNAMES
        or name in OF_THINGS
        or name[1] not in GIVEN
        or name[2] not in GIVEN
    ):
        return False
    given, said = name[1:], dictionary_says(name)
    recent = given in _RECENT
    if said == "word" and not recent:
        return has_bearers(given, _MOST)
    if_borne = not is_particle(name[1], name[2]) or not _is_common(name[:2])
    if recent:
        return if_borne
    if_not = _is_no_noun_with_an_ending(name)
    return if_borne if if_borne == if_not or has_bearers(given) else if_not


def _is_no_noun_with_an_ending(name: str) -> bool:
    if (
        name[1:] in OF_THINGS
        or name[:2] in OF_THINGS
        or name[2] in ENDS_WORDS
        or name[2] in NEVER_LAST
        or _is_of_a_noun(name)
    ):
        return False
    tags = [morpheme.pos for morpheme in parse(name)]
    return tags[-1] != "ETM" and "+" not in tags[-1] and not (tags[0] == "NNG" and tags[-1][0] in "JX")
