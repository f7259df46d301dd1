"""Words of a question that no rule has used: said to the person, so that nothing is silently left out."""

from __future__ import annotations

from collections.abc import Iterable

from metaagent.level1.query_analyzer.words.particles import stems
from metaagent.level1.query_analyzer.words.particles import words as listed
from metaagent.level1.query_analyzer.words.source import Source

_COMMON = frozenset(
    listed("""
개야 명이야 건이야 곳이야 못한 못했어 못했나 나왔어 나왔나 나왔지 나와 어디임 누구임 뭐임
얼마임 알려줄래 궁금해 궁금해요 이맘때 평균적으로 대략 혹은
avg average mean hit meet met reach grew grow spend spent earn earned bring brought money overall
좋은 높은 많은 낮은 적은 전국 소재 집행 달성했어 열었어 요약해줘
hold held hit came whose percentage
좀 그럼 그러면 그리고 그런데 근데 혹시 이제 지금 다시 같이 함께 모두 전부 전체 각각 우리 저희 우리회사
회사 당사 제 내 나 저 것 거 수 등 및 또는 또 더 잘 안 못 해줘 해주세요 해 줘 주세요 주시겠어요
부탁 부탁해 부탁드려요 부탁드립니다 드려요 드립니다 싶어 싶어요 싶습니다 바랍니다 할래 하자 하고 해서 하면
했어 했나 했나요 하는 한 할 된 되는 되어 있는 있어 있나 있나요 있는지 없는 없어 누구 누구야 누가 뭐
뭐야 무엇 뭔가요 뭔지 어디 어디야 어디인가요 언제 어느 어떤 무슨 어떻게 어떻게돼 되나 돼 인가요 입니까
나요 얼마나 정도 대한 대해 관한 관련 관련된 위한 통해 따라 따른 기준 기준으로 으로 중 중에 중에서 사이
동안 기간 때 경우 대로 처럼 만큼 나머지 곳 사람 분 건 규모 지역 내용 자료 데이터 정보 결과 숫자 수치
나눠줘 나눠서 정리 비중 하나 담당 담당하는 담당자 병원 제품 팀 발생한 발생 나온 나타난 기록 기록한 달성
달성한 판매 판매된 팔린 팔렸어 팔렸나 배정된 할당된 방문 방문한 감소한 증가한 줄어든 늘어난 사용 사용한
쓴 낸 넘긴 여부 확인 검토 점검 계획 예산 참석자 참석 인원 많이 적게 크게 순으로 관리 업체 신규 아니
뒤 다음 후 봐줘 확인한 확인하고 확인해서 체크 체크하고 체크해줘 검토해줘 검토한 sure rules
네 예 응 음 오 안녕 안녕하세요 고마워 감사합니다 감사 이 그 저 이번 그래 그래서 왜 날 일 원 건수
총액 the a an of in on at for to from by with and or is are
was were be been do does did has have had me my our us we i
you your it its this that these those there please can could
would will should much many how what which who when where
why like so as into about than then also just only now not
no any some all each every per over under get got go make
made show give tell see look need want let say says said
doing done hello hi thanks thank hey there ok okay whether
if year month week quarter day period date data figure
figures number numbers rep reps hospital hospitals down up
out break broken sold sell selling worth performing actual
under
""")
)


def is_common(word: str) -> bool:
    return any(stem in _COMMON for stem in stems(word))


def words(source: Source, used: Iterable[tuple[int, int]]) -> list[str]:
    """Content words outside the used spans, as they were typed."""
    spans = list(used)
    found: list[str] = []
    for start, end in source.words:
        text = source.text[start:end]
        if any(start < stop and begin < end for begin, stop in spans) or text.isdigit() or len(text) < 2:
            continue
        if not is_common(text) and any(char.isalpha() for char in text):
            found.append(source.surface(start, end))
    return found[:8]
