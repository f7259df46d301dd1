"""Korean cities, counties and districts: none of them is another one misspelt, whether or not the data has it."""

from __future__ import annotations

from metaagent.level1.query_analyzer.words.particles import words

_CITIES = words("""
수원 성남 의정부 안양 부천 광명 평택 동두천 안산 고양 과천 구리 남양주 오산 시흥 군포 의왕 하남 용인 파주 이천 안성
김포 화성 양주 포천 여주 춘천 원주 강릉 동해 태백 속초 삼척 청주 충주 제천 천안 공주 보령 대천 아산 서산 논산 계룡
당진 전주 군산 익산 정읍 남원 김제 목포 여수 순천 나주 광양 포항 경주 김천 안동 구미 영주 영천 상주 문경 경산 창원
마산 진해 진주 통영 사천 김해 밀양 거제 양산 서귀포
""")
_COUNTIES = words("""
연천 가평 양평 홍천 횡성 영월 평창 정선 철원 화천 양구 인제 고성 양양 보은 옥천 영동 증평 진천 괴산 음성 단양 금산
부여 서천 청양 홍성 예산 태안 완주 진안 무주 장수 임실 순창 고창 부안 담양 곡성 구례 고흥 보성 화순 장흥 강진 해남
영암 무안 함평 영광 장성 완도 진도 신안 의성 청송 영양 영덕 청도 고령 성주 칠곡 예천 봉화 울진 울릉 의령 함안 창녕
남해 하동 산청 함양 거창 합천 강화 옹진 기장 달성 군위 울주
""")
_DISTRICTS = words("""
강남 강동 강북 강서 관악 광진 구로 금천 노원 도봉 동대문 동작 마포 서대문 서초 성동 성북 송파 양천 영등포 용산 은평
종로 중랑 해운대 사하 금정 연제 수영 사상 동래 부산진 수성 달서 연수 남동 부평 계양 광산 유성 대덕 분당 일산 판교
""")
PLACES = frozenset(
    name
    for places, ends in ((_CITIES, ("", "시")), (_COUNTIES, ("", "군")), (_DISTRICTS, ("", "구")))
    for place in places
    for name in (place + end for end in ends)
)
