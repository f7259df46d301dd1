"""Korean endings that may stand right after a noun, as rules: no dictionary to load, no model."""

from __future__ import annotations

import re
from functools import lru_cache

from metaagent.language.patterns import regex


def words(text: str) -> list[str]:
    return text.split()


_CASE = words("""
은 는 이 가 을 를 의 에 에서 에게 에게서 한테 한테서 께 께서 와 과 랑 이랑 하고 로
으로 로서 으로서 로써 으로써 부터 까지 도 만 만큼 보다 처럼 같이 마다 나 이나 든지
이든지 라도 이라도 야 이야 요 이요 고 이고 며 이며 인 인데 이면 면 란 이란 님 씨 들
쪽 측 내 별 간 중 당 관련 대비 대한 대해 기준 현황 이라는 라는 이라고 라고 였 이었
입니다 이에요 예요 인지 일까 이니 죠 이죠 인가 인가요 인가 이네 네 이지 지 였어 이었어
였나 이었나 였지 했 아 여 임 뿐 조차 마저 밖에 치고 이라서 라서 이어서 여서 이랑은 에다
에다가 보고 더러 이여 이라도요 용 상 급 권
""")

_HONORIFICS = words("""
대리 과장 차장 부장 팀장 사원 주임 이사 상무 전무 대표 사장 실장 본부장 지점장 원장 교수
선생 박사 매니저 선임 책임 수석 담당자 담당 의사 약사
""")

_chain = "|".join(sorted(map(re.escape, _CASE), key=len, reverse=True))
_ENDING = regex(rf"(?:{_chain}){{1,4}}\Z")
_TITLE = regex(rf"\s*(?:{'|'.join(sorted(_HONORIFICS, key=len, reverse=True))})(?:님)?(?:{_chain}){{0,3}}\Z")
TITLE_AFTER = regex(rf"\s?({'|'.join(sorted(_HONORIFICS, key=len, reverse=True))})(?:님)?")


@lru_cache(maxsize=4096)
def is_ending(rest: str) -> bool:
    """Tells whether what follows a noun inside one word is nothing or a chain of particles."""
    return not rest or _ENDING.match(rest) is not None


@lru_cache(maxsize=4096)
def is_title(rest: str) -> bool:
    """김철수 + 과장님이: a title, then perhaps particles."""
    return _TITLE.match(rest) is not None


@lru_cache(maxsize=4096)
def stems(word: str) -> tuple[str, ...]:
    """The word and what is left of it when a chain of particles is taken away, longest first."""
    return (word, *(word[:cut] for cut in range(len(word) - 1, 0, -1) if is_ending(word[cut:])))
