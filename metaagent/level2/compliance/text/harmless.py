"""Words that account for themselves: things that inform, acts of ordinary work, people, times; and verbs that hand over.

A word that stands in none of these lists is not known to be harmless: `accounting.py` decides where that matters.
"""

from __future__ import annotations

import re

from metaagent.level2.compliance.text.quick import Quick


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


THINGS_KO = re.compile(
    r"^(?:답|말|법|부담)$|(?:"
    r"강의|강연|설명회|공문|공지문|서한|자료|자료집|책자|논문|초록|리뷰|저널|문헌|브로슈어|브로셔|리플릿|리플렛|팸플릿|"
    r"팜플렛|카탈로그|"
    r"안내서|안내문|안내장|안내|설명서|설명문|설명|문서|정보|정보지|소식지|소식|"
    r"뉴스레터|리포트|보고서|보고|결과|결과지|데이터|그래프|비교표|요약본|요약지|요약문|요약서|설명지|안내지|유인물|"
    r"인쇄물|소책자|전단|전단지|발췌본|별쇄본|원문|초록집|요약|명함|견적서|견적|계약서|신청서|요청서|의뢰서|답변서|질의서|통지서|신청|동의서|"
    r"공문|서류|서신|편지|메일|이메일|문자|메시지|연락처|연락|"
    r"링크|파일|pdf|슬라이드|포스터|답변|의견|내용|소견|문의|요청|질문|건의|교환|사항|일정|계획|계획서|인사|안부|감사|축하|"
    r"위로|말씀|이야기|얘기|입장|방침|규정|규약|기준|절차|"
    r"방법|근거|가이드라인|가이드|지침|임상|시험|연구|회신|통화|전화|피드백|관심|주의|교육|발표|목록|번호|사유|배경|취지|"
    r"필요성|가능성|차이|차이점|특징|특성|효과|효능|용법|용량|"
    r"부작용|이상반응|이상사례|사례|증례|안전성|유효성|복약|처방|처방전|주문|발주|주문서|발주서|재고|납품|반품|회수|"
    r"계산서|명세서|확인서|증명서|허가증|인증서|답신|질의|응답|설문|"
    r"설문지|제안서|기안|결재|회의록|일지|양식|서식|체크리스트|매뉴얼|교재|강의록|프로토콜|라벨|약전|가격표|단가표|의지|"
    r"생각|우려|불만|개선점|요구|동향|현황|상황|반응|실적|매출|"
    r"수치|통계|분석|영상|동영상|웨비나|회의|미팅|면담|상담|명단|제도|법령|조문|약제|약물|제제|첨부문서|카드뉴스|시간|"
    r"개정판|수정판|축약판|글자판|축전|전보|엽서|(?:질문|답안|평가|검토|기록|설명)지|사본|원본|출력본|수정본|최종본|"
    r"인쇄본|초안|시안|문안|방안|대안|개선안|기획안|계획안|수정안|안건|초청장|공고|공지|공지문|고시|고시문|붙임|첨부|별첨|"
    r"서명|날인|"
    r"등록증|세금계산서|거래명세서|송장|인수증|확인|승인|허가|동의|협조|양해|이해|당부|조언|충고|제언|격려|응원|칭찬|유감|심려|"
    r"교환품|대체품|메모|쪽지|명찰|이름표|스티커|수첩|(?:기준|일정|시간|비교|가격|단가|요율|용량|점검|평가|통계)표|초대장|"
    r"청첩장|부고|안내판|게시물|포장재|라벨|시안|불편|폐|혼동|혼란|혼선|착오|수고|번거로움|실망|부담감|걱정|영향|변화|자신감|"
    r"용기|희망|신뢰|확신|만족|인상|경험|지식|노하우|요령|교훈|아이디어|해답|해결책|"
    r"대책|조치|대응|코멘트|"
    r"평가|점수|순위|추이|추세|흐름|전망|예측|목표|전략|방향|우선순위|과제|일정표|시간표|날짜|일시|주소|경로|동선|지도|"
    r"사진|화면|"
    r"캡처|도표|차트|지표|비율|농도|성분|기전|적응증|금기|상호작용|하자|불량|"
    r"클레임|민원|이의|항의|조의|애도|소감|후기|의향|역할|의무|한도|규칙|원칙|정책|조항|처벌|제재|징계|경고|압박|"
    r"순서|차례|암호|아이디|접속|홈페이지\s?주소|기회비용|용어|표현|정의|개념|원리|구조|체계|과정|단계|시점|시기|기간|"
    r"주기|빈도|횟수|범위|"
    r"정도|수준|상태|여부|양상|경향|원인|요인|이유|배경|맥락|쟁점|논점|요점|핵심|결론|총평|토론|이론|여론|이력|효력|"
    r"설득력|영향력|병력|순응도|만족도|선호도|이해도|인지도|중증도|난이도|개선점|문제점|장점|단점|강점|약점|관점|의문점|"
    r"공통점|비율|확률|생존율|점유율|달성률|성장률|반응률|재발률|발생률|흡수율|회수율|참석률|응답률|처방량|사용량|함량|"
    r"투여량|판매량|"
    r"[가-힣](?:(?<!정)성|법)"
    r")$",
    re.IGNORECASE,
)
"""Heads of what informs, or is no thing at all."""

ACTS_KO = _words(
    "방문 설명 소개 안내 논의 협의 상의 상담 면담 확인 점검 검토 조사 파악 청취 질문 질의 답변 답 대답 응답 회신 문의 요청 "
    "부탁 보고 공유 기록 작성 정리 분석 비교 발표 강의 강연 참석 참가 참여 개최 진행 시작 종료 마무리 완료 계획 예정 준비중 "
    "통화 전화 연락 인사 만나 뵙 뵈 만남 미팅 회의 이야기 얘기 대화 말 말씀 말하 전하 언급 강조 제시 권유 권고 제안 건의 "
    "교육 훈련 학습 숙지 이해 설득 홍보 판매 주문 발주 수주 납품 입고 출고 반품 교환 회수 조정 조율 변경 수정 갱신 등록 신청 "
    "새기 적히 박히 찍히 "
    "접수 승인 결재 허가 심사 평가 감사 축하 위로 격려 사과 양해 동의 합의 거절 사양 고사 반려 취소 연기 보류 미루 중단 "
    "금지 제한 준수 위반 제보 이행 실시 시행 수행 추진 운영 관리 유지 보관 보존 폐기 제출 회람 게시 공지 공개 신고 모니터링 추적 "
    "측정 시험 실험 연구 관찰 진단 치료 처방 투여 투약 복용 조제 증가 감소 상승 하락 늘 줄 높 낮 오르 내리 좋 나쁘 많 적 "
    "크 작 같 다르 가능 불가 필요 중요 어렵 쉽 충분 부족 있 없 되 이루 생기 나타나 보이 알 모르 느끼 생각 판단 예상 기대 "
    "희망 원하 바라 좋아하 싫어하 관심 궁금 걱정 우려 듣 읽 보 묻 여쭈 여쭙 찾 찾아뵙 찾아가 가 오 나오 들어가 도착 출발 이동 "
    "복귀 귀사 대기 기다리 머무르 지나 들르 앉 서 쉬 끝나 끝내 마치 시작하 열리 열 닫 잡 정하 결정 선정 선택 확정 지정 "
    "배정 담당 소속 근무 재직 퇴직 휴진 진료 수술 회진 외래 입원 퇴원 이용하 활용 적용 반영 포함 제외 추가 삭제 해당 관련 "
    "대하 위하 따르 의하 통하 비롯 기준 근거 바탕 목표 달성 초과 미달 성장 개선 향상 악화 발생 해소 극복 대응 대처 예방 방지 "
    "주의 유의 당부 인지 인식 동일 유사 상이 일치 부합 충족 만족 불만 지적 비판 칭찬 호평 반응 선호 신뢰 존중 표명 밝히 "
    "드러나 나누 주고받 받아들이 이어지 계속 반복 재개 재방문 후속 예약변경 나가 다니 올리 내려오 적 쓰 기재 표기 명시 인쇄 "
    "출력 복사 촬영 스캔 입력 저장 업로드 다운로드 게재 싣 번역 인용 참조 참고 열람 조회 검색 시연 상기 재확인 약술 요약 "
    "당하 겪 맞 받 배우 가르치 안 못하 않 아니 말 싶 하 시키 보여주 보여 알려주 알리 일러 맞추 따지 세우 지키 어기 넘 남 빠지 "
    "바꾸 전환 교체 채택 도입 랜딩 상정 통과 계산 산출 추정 집계 합산 기억 잊 놓치 살펴보 둘러보 짚 다루 풀 비추 밝혀지 "
    "이어가 넘기 붙 붙이 걸 걸리 켜 끄 비 맑 늦 이르 빠르 느리 바쁘 한가 혼잡 붐비 조용 친절 원활 수월 순조 "
    "제기 표하 가지 갖 모색 타진 조회하 열람하 대면 배석 동석 합류 착수 위촉 섭외 경청 공감 수긍 회의적 소통 교류 배우 "
    "대신 빼 더하 헷갈리 물어보 궁금해하 힘들어하 어려워하 아쉬워하 고민 마주치 고르 줄이 늘리 높이 낮추 옮기 당기 앞당기 "
    "피하 자제 금하 삼가 바뀌 지우 베끼 찍 훑 훑어보 되짚 돌아보 되돌아보 견주 재 헤아리 묶 나뉘 모으 모이 합치 좁히 넓히 맺 잇 "
    "이끌 따라가 앞서 뒤처지 밀리 견디 버티 이기 지 꺼리 "
    "망설이 주저 서두르 재촉 취합 검수 심의 이수 배치 충원 만회 확보 축소 확대 집중 전담 순회 순방 왕복 동의하 끼치 삼키 호소 "
    "내원 의존 지속 지연 지체 정체 중복 누락 오류 정정 보완 보강 재검토 응하 응 따돌리 돌 퍼지 알려지 전해지 "
    "안정 호전 회복 재발 사망 이송 의뢰 회송 검사 채혈 판독 중지 감량 증량 병용 변동 유행 확산 감염 접종 부임 이직 이전 휴가 "
    "출장 출근 퇴근 임박 만료 경과 소요 걸쳐 예측 전망 가정 검증 입증 증명 규명 발견 발굴 개발 출시 론칭 생산 제조 공급 품절 "
    "단종 인상 인하 고려 감안 배제 의심 조심 경고 환기 촉구 독려 장려 요망 문제없 성립 귀속 대표 상징 의미 지칭 간주 "
    "치르 치러지 이뤄지 벌이 펼치 갈음 대체 생략 병행 겸하 곁들여 서명 날인 체결 해지 갱신하 이관 인계 인수 위임 협조 "
    "협력 회피 "
    "조문 문상 명심 다짐 약속드리 재차 되묻 되돌려보내 돌려보내 돌려주 반환 회수하 돌아오 돌아가 물러나 헤어지 작별 배웅"
)
"""Stems of acts that give nobody anything. An offer, a promise or an agreement counts by what is offered."""

TALKS_KO = _words(
    "설명 소개 안내 논의 협의 상의 상담 면담 확인 점검 검토 조사 파악 청취 질문 질의 답변 답 대답 응답 회신 문의 요청 "
    "부탁 보고 공유 "
    "기록 작성 정리 분석 비교 발표 강의 강연 통화 전화 연락 이야기 얘기 대화 말 말씀 언급 강조 권고 교육 숙지 이해 준수 "
    "금지 제한 "
    "공지 공개 신고 판단 예상 생각 좋아하 싫어하 듣 들 읽 묻 여쭈 여쭙 밝히 나누 거절 사양 고사 반려 취소 연기 보류 미루 "
    "돌려보내 "
    "돌려주 반환 보관 제출 알 모르 느끼 의심 조심 경고 다짐 재확인 참조 참고 인용 우려 지적 비판 하 당부 유의 예방 방지 "
    "없 아니 불가"
)
"""Stems with which a benefit is only spoken of, or turned down."""

SPEAKS_KO = _words(
    "설명 소개 안내 답변 답 대답 보고 공유 연락 전화 말씀 말 인사 감사 축하 위로 사과 문의 부탁 요청 확인 발표 강조 언급 "
    "짚 연결 상기시키 정리 비교 검토 조회 통보 고지 전파 상기 "
    "이해시키 일러 되짚 재안내 접수 여쭈 환기 재설명 문자 응대 답신 통화 약술 요약 끼치 "
    "알리 알려주 "
    "보여주 보이 들려주 읽 공지 보 제보 신고 통지 진술 해명 소명 답장 회람 "
    "권고 당부 회신 질문 약속드리 건의 제안드리 상담 시연 전하"
)
"""Stems with which somebody is told something, which may be done as a favour."""

HANDS_OVER_KO = _words(
    "주 드리 보내 보내드리 건네 건네주 전달 제공 지급 증정 배부 배포 발송 배송 송부 부치 두 놓 넣 담 싣 얹 꽂 맡기 남기 "
    "쥐이 쥐여주 찌르 챙기 챙겨주 마련 준비 구하 사 사주 구매 구입 장만 주문해 예약 예매 잡아주 결제 계산 내 부담 지불 지출 "
    "치르 처리 정산 지원 후원 협찬 돕 도와주 대접 접대 모시 빌리 빌려주 대여 임대 설치 고치 수리 손보 해결 알선 주선 태우 "
    "데려다주 대납 송금 입금 이체 기부 기증 선물 쏘 베풀 돌리 나눠주 나누어주 보태 보태주 채우 채워주 갚 덜 면제 탕감 "
    "충전 적립 환급 돌려 할인 깎 초대 초청 대동 동행 동반 수행 안마 즐기 놀 먹 마시 드시 맛보 한잔 회식 다녀오 떠나 묵 "
    "투숙 라운딩 관람 관광 여행 신경쓰 배려 성의 답례 보답 사례 협조해 맞춰 해주 해드리 봐주 꾸미 공사 시공 인테리어 개통 "
    "가입 등록해 끊 사들이 실 들려 안기 올려놓 갖다 가져다주 가져다놓 배달 조달 공수 대 뿌리 퍼주 뽑 장식 대절 렌트 무료 무상 "
    "후하 보장 우대 채용 취업 추천해 충당 메우 감당 책임지 전송 넘겨주 찔러주 쥐어주 집어넣 얹어주 넣어주 배분 분배 "
    "보상 축의 부의 쾌척 헌금 희사 투자 출자 매입 인수해 양도 증여 차려 차리 대령 대리 대행 납부 완납 변제 상환 맡 "
    "떠맡 책임"
)
"""Stems of acts that hand something over, pay, treat or do somebody a service: their objects have to be accounted for."""

MOVES_KO = _words("가 나가 들어가 돌아가 도착 오")
"""Stems with which a thing reaches somebody; a person who does them visits."""
WEAK_KO = _words(
    "동행 동반 대동 수행 다녀오 떠나 놀 맡 처리 해결 준비 마련 구하 채우 돌리 두 놓 내 남기 담 대 덜 뽑 맞춰 사례 추천해 보장 책임 "
    "책임지 등록해 가입 투자 매입 설치 수리 장식 대행 대리 즐기 배려 초대 초청"
)
"""Stems that hand something over only with a thing, or to somebody: alone they may be anything."""

PAYS_KO = _words("상환 변제 완납 갚 결제 지불 송금 이체 입금 정산 계산 지급 납부 처리 내 지출 치르")
"""Stems of payment; they speak of the benefit that was named before."""
MONEY_KO = re.compile(r"세금|금액|비용|총액|합계|부가세|대금|값|원$")
MATTERS_KO = re.compile(r"\s(?:건|문제|사안|업무|절차)(?=[을를은는이가도\s])")
"""Nouns that stand for the one before them: 주소 변경 건."""
PACKED_KO = _words("포장 소포장 단위 분량 용기")
SAMPLE_EN = re.compile(r"\bsamples?\b", re.IGNORECASE)
SETTLES_KO = Quick(r"(?:경비|비용|출장비?|사용\s?내역|지출\s?내역)\S{0,2}\s?(?:\S+\s){0,2}?정산")
"""Expenses are settled: an office job."""
BY_TRANSFER = re.compile(r"\b(?:bank|wire|by)\s$", re.IGNORECASE)
"""The way in which something is paid that was told of just before, right before its noun."""
SAMPLE_KO = re.compile(r"견본|샘플")
MEDICINE_KO = re.compile(
    r"[가-힣]{2,}(?:정|시럽|캡슐|패치|연고|(?<!아이스)(?<!생)(?<!휘핑)(?<!슈)(?<!선)크림|겔|주사?|산|액|과립)$"
)
"""The name of a medicine by its form."""
FOUND_SO_KO = Quick(r"(?:[여려겨쳐혀켜춰워]|어|아)?져\s?있")
"""A state that somebody came upon: 꾸며져 있었다."""
FOR_USE_KO = Quick(r"(?:환자|교육|복약\s?지도|시연|설명|안내|상담)용\s(?:\S+\s)?.?$")
"""A thing for patients or for teaching, right before its noun."""
BOOKS_KO = _words("예약 예매 주문 준비 마련 잡 섭외 초대 초청")
"""Stems of what is arranged beforehand, and comes to nothing where it is called off."""
ASKS_IN_KO = _words("모시 초청 초대 섭외 위촉")
AS_A_SPEAKER = Quick(r"(?:연자|강사|좌장|패널|토론자|발표자|강연자|심사위원)(?:으로|로)\s")
"""Somebody is asked to speak; the fee is another matter."""
GIVES_BACK_KO = _words("돌려보내 반송 되돌려보내 되돌리 반납 반환")
"""Stems with which something goes back to the other side that it came from."""
ACCEPTS_KO = _words("받 수령 드시 즐기 먹 마시 가져가 챙겨가 맛보 이용 누리")
"""Stems that stay an acceptance where the other side does them kindly: 받아 주셨다."""
REPORTS_KO = _words(
    "늘 줄 증가 감소 오르 내리 상승 하락 인상 인하 넘 초과 변동 절감 집계 확정 승인 편성 배정 삭감 책정 보고 검토 논의 비교 분석 "
    "공유 예상 전망 추산 신고 공개 작성 확인 점검 공지 안내 설명 문의 질문 조정 있 크 작 높 낮 같 다르 비슷 들 나오 나타나"
)
"""Stems with which a cost is told of, not borne."""
WITHIN_US = Quick(
    r"(?:학술|준법|법무|재무|물류|마케팅|영업|안전성|허가|품질|교육|구매|인사|총무|개발)\S{0,4}(?:팀|부|부서|본부|"
    r"실)\S{0,2}에(?!게)|본사에|본부에"
)
"""A department of the company as the one who is given something."""

TELLS_OF_KO = re.compile(r"\s?(?:이야기|얘기|소식|사진|경험|추억|자랑|후기|말씀)")
"""Nouns with which a deed is only told of: 야구장 다녀오신 이야기."""
COULD_KO = re.compile(r"\s?수\s?(?:도\s?)?(?:있|없)")
POLITE_KO = Quick(r"드[리렸립린릴림려]|[시셨신실심십]|주[었고기겠]|줬|준")
"""Syllables of doing something for somebody, or of somebody above oneself doing it."""
TAKES_KO = _words(
    "받 수령 드시 즐기 가져가 챙기 누리 먹 마시 묵 투숙 타 챙겨가 얻 얻어먹 맛보 쓰 이용 다녀오 떠나 놀 즐겨 접수받"
)
"""Stems with which the other side has something from us."""

GETS_BACK_KO = _words("돌려받 환불 환불받 환급받 반환받")
"""Stems with which our own money comes back."""
LEISURE_KO = _words("다녀오 떠나 놀 즐기 묵 투숙 타 가")
"""Stems with which somebody spends time; with the other side as its subject nothing is received by them alone."""
RESEARCH_KO = _words("연구비 임상시험비 증례 조사비 연구비용")

TIME_KO = re.compile(
    r"^(?:오늘|어제|내일|모레|그제|금일|익일|당일|이날|그날|이번|지난|다음|매[일주달월년]|올해|작년|내년|상반기|하반기|분기|"
    r"오전|오후|아침|점심시간|저녁시간|밤|낮|주말|평일|연말|연초|월말|월초|중순|초순|하순|이후|이전|직후|직전|전|후|뒤|때|동안|"
    r"중|시|초|말|최근|현재|추후|향후|먼저|우선|다시|함께|같이|모두|각각|각|전체|전부|일부|대략|약|총|등|및|또는|그리고|또한|"
    r"다만|단|특히|별도|별도로|따로|직접|바로|잠시|잠깐|간단히|충분히|정중히|그냥|역시|서로|계속|아직|이미|주로|대체로|실제|"
    r"\d.*|[월화수목금토일]요일|일주일|한\s?달|하루|이틀|사흘|시간|분|번째|첫|두|세|네|한|한번|두번|차례|회|번|개월|년|월|일|"
    r"이|그|저|이것|그것|저것|여기|거기|이곳|그곳|무엇|누구|언제|어디|아무|모든|여러|다른|어떤|우리|저희|당사|자사|본사|회사|"
    r"나|저|제|내|너|자네|얼마|본인|담당자|영업사원|팀|팀장|팀원|부서|동료|지점|지사|사원|직원들?)$"
)
COUNTER_KO = re.compile(
    r"^(?:하나|둘|셋|넷|개당|인당|명당|단가|가격|원|짜리|병|개|박스|상자|세트|장|부|편|권|매|대|잔|명|분|인|인분|그릇|"
    r"켤레|벌|묶음|꾸러미|자루|통|봉|포|팩|캔|건|회|번|차례|종|쪽|페이지|"
    r"가지|점|필|채|척|마리|송이|다발|포기|킬로|kg|그램|리터|정|알|캡슐|시간|박|일|곳|군데)$",
    re.IGNORECASE,
)
PLACE_KO = re.compile(
    r"(?:병원|의원|의료원|보건소|클리닉|약국|내과|외과|안과|치과|피부과|소아과|이비인후과|산부인과|비뇨기과|정형외과|진료실|"
    r"[가-힣]{2}팀|부서|원장실|회의실|세미나실|강당|로비|대기실|의국|사무실|연구실|의료기관|기관|거래처|센터|학회|협회|본부|"
    r"층|옆|앞|근처|안|밖|"
    r"위|아래|현장|장소|지역|[가-힣]{2}구|권역|서울|부산|강남|대구|대전|광주|인천|울산|세종|제주)$"
)
NEVER_A_THING_KO = re.compile(
    r"^(?:예정|계획|사실|생각|문제|이상|차질|무리|지장|정도|수준|수|바|줄|적|측|쪽|편|데|터|뿐|만큼|대로|채|김|겸|덕분|"
    r"때문|관련|대상|목적|취지|"
    r"차원|경우|조건|결과적|사실|내역|명목|이유|중심|위주|필요|자체|전원|최대|최소|평균|기준|이하|이내|이상|초과|미만|당|"
    r"하나|둘|셋|넷|다섯|여섯|일곱|여덟|아홉|열|처음|마지막|분할|일시불|한꺼번|각각|모두|전부|"
    r"현장|구두|서면|유선|온라인|비대면|대면|개별|공식|정식|최종|일체|일절|전혀|추가|기타|기존|신규|당초|원래|차후)$"
)

SIGNS_KO = Quick(
    r"(?:자녀|따님|아드님|아들|딸|조카|사모님|가족)\S{0,2}\s[^.\n]{0,24}?(?:인턴|취업|채용|입사|일자리|아르바이트|근무)|"
    r"(?:덤으로|할증|얹어|서비스로)\s?(?:\S+\s){0,2}?(?:\d+\s?(?:박스|통|병|개)|드[리렸립림]|보냈)|무자료|(?:계산서|장부|전산|명세서)\s?(?:없이|"
    r"(?:에|에는|엔|에도)\s?(?:안\s|(?:적|올리|잡|남기|넣|기재하)지\s?(?:않|말)))|"
    r"[비금료]\s?(?:명목|형식|명의)(?:으로|의|\s)|(?<=\s)조로\s|약소하게|약소한|약소하지만|(?:고맙|감사하)다는\s?뜻으로|"
    r"성의\s?(?:표시|표현)|성의[를껏]\s?(?:보이|보여|표하|준비)|작은\s?(?:정성|성의|마음)|마음의\s?(?:표시|표현)|"
    r"감사의?\s?(?:표시|뜻으로|마음으로|마음을\s?담|"
    r"의미로)|사례금|사례했|답례|보답|"
    r"인센티브|보너스|떡값|용돈|뒷돈|급행료|리워드|적립금?|마일리지|특혜|향응|환대|무상|무료로|공짜|탕감|렌탈|렌터카|"
    r"대리\s?운전|대리\s?기사|발렛|주유|세차|과외|유학|장학|알선|"
    r"한\s?잔|한잔|한\s?끼|맥주|소주|막걸리|노래방|사우나|스크린\s?골프|골프장|펜션|콘도|별장|요트|낚시|스키|"
    r"섭섭지\s?않|섭섭하지\s?않|서운하지\s?않|서운치\s?않|두둑|넉넉히|후하게|알아서\s?(?:챙|모|해)|눈치껏|"
    r"신경\s?(?:을\s?)?(?:좀\s?)?"
    r"써\s?(?:드|주)|편의를|뒤를\s?봐|(?:회사|지점|본사|영업소|팀)\s?(?:돈|비용|경비|부담|예산(?=으로|에서)|자금|공금|판공비)|공금|판공비|사비|"
    r"저희\s?(?:쪽|측)?\s?(?:에서\s?)?부담|당사\s?부담|대납|접대|뒤풀이|2차(?=를|로|까지|는|\s?(?:가|갔))|"
    r"봉투(?=[를을에까도와])|쇼핑백|"
    r"상품\s?교환|자문\s?(?:위원|계약|위촉)|고문\s?(?:계약|위촉)|스폰|협찬|찬조|축하금|격려금|위로금|위문품|답례품"
)
"""Words that speak of a benefit without naming it."""

BORNE_KO = Quick(
    r"(?:비용|경비|요금|[가-힣]비|[가-힣]료)[은는을를도]?\s(?:[^.,\n]{0,10}\s)?(?:우리|저희|당사|회사|본사|지점|"
    r"대행사)\s?(?:쪽|측)?(?:에서|가|이)\s|"
    r"(?:우리|저희|당사|대행사)\s?(?:쪽|측)?(?:에서|가|이)\s[^.\n]{0,20}(?:비용|경비|요금)을\s"
)
"""Our side is said to bear a cost, by whichever verb."""
PAYS_WITH = Quick(
    r"(?:법인\s?카드|법카)(?!(?:를|을|가|는)?\s?(?:사용|내역|한도|발급|정산|청구|명세|분실|잃어|정지|재발급|교체|갱신|만료|"
    r"반납|비밀번호))|"
    r"(?:회사|개인|제)\s?카드|영수증|\b(?:company card|corporate card|expense account"
    r"|expensed)\b",
    re.IGNORECASE,
)
"""Words of payment; a fact in the same sentence says what was paid."""

COSTS_KO = Quick(
    r"(?<![가-힣])(?P<noun>[가-힣]{1,8}(?:비|료|금|값|삯|피|권|쿠폰|카드|이용권))(?=[은는이가을를도만과와의로에,.\s():/]|$)"
)
"""Nouns made with the endings that name a price, a fee, a ticket."""
NO_COSTS_KO = re.compile(
    r"(?:로비|분비|법인카드|회사카드|개인카드|준비|설비|정비|대비|소비|구비|겸비|경비원|수비|마비|변비|낭비|신비|방비|상비|"
    r"담비|나비|무릎|제비|왕비|유비|"
    r"자료|의료|진료|치료|재료|원료|완료|종료|무료|음료|동료|식료|수료|만료|연료|비료|시료|염료|안료|도료|사료|향료|"
    r"지금|방금|조금|입금|송금|수금|미수금|세금|벌금|과징금|소금|황금|임금|^금|예금|적금|대금|출금|현금|잔금|모금|해금|감금|"
    r"기금|자금|연금|보험금|보증금|계약금|지원금\s?제도|인권|특허권|저작권|상권|정권|주권|여권|증권|처방권|결정권|선택권|"
    r"경영권|채권|재량권|^권|야권|수도권|상위권|하위권|강남권|영남권|호남권|전환권|우선권|판권|독점권|관할권|약값|약제비|"
    r"진료비|치료비|검사비|입원비|의료비|수술비|약품비|보험료|수수료율|^피|커피|기피|도피|회피|출혈|표피|진피|모피|스피|"
    r"예비|겸비|위비|심비|간비|^비|급여비|인건비|물류비|광고비율|매출|^값|혈당값|수치값|결괏값|측정값|기준값|평균값|참값|"
    r"기댓값|p값|절댓값|명함|체크카드|환자\s?카드|^카드|캐시카드|그린카드|병력카드|발급)$"
)

PACKED_EN = re.compile(r"bottles?|boxes|packages?|passes|packs?|cartons?", re.IGNORECASE)
"""Containers of what is sold."""
PAYS_EN = re.compile(
    r"pa(?:id|y|ys|ying)\b|settl(?:e|ed|ing)\b|transferr?\w*|deposit\w*|deliver\w*|ship\w*", re.IGNORECASE
)
THINGS_EN = re.compile(
    r"\b(?:replacements?|exchange|errors?|mistakes?|problems?|issues?|typos?|leaflets?|brochures?|reprints?|papers?|"
    r"articles?|(?:full )?texts?|publications?|abstracts?|journals?|literature|documents?|documentation|"
    r"materials?|slides?|deck|pdfs?|files?|links?|e-?mails?|letters?|reports?|minutes|notes?|summar(?:y|ies)|data|results?|"
    r"information|info|labels?|inserts?|prescribing information|monographs?|guidelines?|protocols?|stud(?:y|ies)|trials?|"
    r"questions?|answers?|quer(?:y|ies)|feedback|comments?|updates?|news|newsletters?|presentations?|talks?|lectures?|overview|"
    r"suggested (?:retail |selling )?prices?|price lists?|list prices?|"
    r"explanation|details?|contacts?|(?:hot|help)lines?|"
    r"business cards?|(?:my|name|visiting) cards?|quotes?|quotations?|contracts?|forms?|"
    r"invoices?|orders?|cop(?:y|ies)|"
    r"pages?|compliments?|praise|concerns?|complaints?|prints?|versions?|translations?|spreadsheets?|screenshots?|photos?|"
    r"pictures?|diagrams?|posters?|handouts?|FAQs?|cases?|evidence|numbers?|figures?|tables?|charts?|dates?|appointments?|"
    r"slots?|calls?|"
    r"meetings?|visits?|sessions?|training|webinars?|regards|greetings|thanks|congratulations|condolences|polic(?:y|ies)|"
    r"rules?|code|position|message|messages|voicemail|request|requests|reply|response|stock|deliver(?:y|ies)|shipment|"
    r"catalogues?|catalogs?|manuals?|instructions?|warnings?|alerts?|notice|agenda|schedule|plan|plans|proposal|"
    r"time|attention|word|words|opinion|view|advice|permission|consent|reminder|introduction|tour of the data|point|points|"
    r"reason|reasons|safety|efficacy|dosing|dose|profile|mechanism|indication|tablets?|vials?|packs? ordered|drug|product|"
    r"(?:attendance|participants?|sign-in|attendee) (?:lists?|sheets?)|"
    r"patients?|samples? size|compliance|regulations?|law|laws|sop|sops|price list|survey|questionnaire|survey results)\b",
    re.IGNORECASE,
)

ACTS_EN = _words(
    "meet met see saw seen visit visited call called phone phoned telephone email emailed mail write wrote written talk talked "
    "speak spoke spoken say said tell told explain explained describe described discuss discussed present presented show "
    "showed "
    "shown demonstrate demonstrated introduce introduced outline outlined review reviewed summarise summarised summarize "
    "summarized report reported record recorded note noted log logged file filed answer answered reply replied respond "
    "responded "
    "ask asked inquire inquired enquire enquired request requested check checked verify verified confirm confirmed clarify "
    "clarified remind reminded inform informed notify notified mention mentioned stress stressed emphasise emphasised "
    "emphasize "
    "emphasized point pointed compare compared analyse analysed analyze analyzed plan planned schedule scheduled reschedule "
    "rescheduled postpone postponed cancel cancelled canceled decline declined refuse refused reject rejected attend attended "
    "participate participated hold held run ran conduct conducted chair chaired start started begin began begun end ended "
    "finish "
    "finished complete completed continue continued follow followed return returned go went gone come came arrive arrived "
    "leave "
    "wait waited listen listened hear heard learn learned learnt know knew think thought believe believed feel felt expect "
    "expected hope hoped want wanted wish wished like liked need needed prefer preferred agree agreed disagree disagreed "
    "accept "
    "accepted understand understood find found look looked read watch watched observe observed notice noticed identify "
    "identified "
    "collect collected gather gathered update updated change changed correct corrected submit submitted approve approved sign "
    "signed prescribe prescribed treat dose dosed switch switched sell sold ordered ship shipped stock stocked supply supplied "
    "increase increased decrease decreased rise rose risen fall fell fallen grow grew grown drop dropped improve improved "
    "remain "
    "remained stay stayed keep kept do does did done be is are was were been being have has had having will would shall should "
    "may might can could must am m s re ve d ll let make made get use used apply applied comply complied follow handle handled "
    "raise raised address addressed resolve resolved avoid avoided stop stopped prevent prevented train trained teach taught "
    "include included exclude excluded enclose attach attached share shared print printed forward forwarded mark marked walk "
    "walked recommend recommended suggest suggested propose proposed thank thanked congratulate congratulated greet greeted "
    "apologise apologised apologize apologized promise promised count counted draft drafted prepare prepared set sent send "
    "brief briefed debrief cite cited quote quoted refer referred document documented register registered enter entered drive "
    "drove driven travel travelled traveled park parked fly flew sit sat stand stood open opened close closed interview "
    "surveyed "
    "survey monitor monitored assess assessed evaluate evaluated measure measured test tested audit audited disclose disclosed "
    "declare declared publish published announce announced state stated claim claimed argue argued express expressed "
    "voice voiced "
    "complain complained worry worried doubt doubted interested concern concerned relate related base based limit limited "
    "allow "
    "allowed permit permitted forbid forbidden prohibit prohibited exceed exceeded reach reached achieve achieved focus "
    "focused "
    "cover happen happened occur occurred take taken took try tried turn turned work worked bring pass seem seemed appear "
    "appeared keep mean meant intend intended decide decided choose chose chosen select selected aim aimed"
)
"""Verbs of ordinary work."""

HANDS_OVER_EN = re.compile(
    r"\b(?:gave|giv(?:e|en|es|ing)|hand(?:ed|ing|s)?(?: over| out)?|pass(?:ed|ing)?|slipp?(?:ed|ing)?|sent|send(?:ing|s)?|"
    r"mailed|"
    r"ship(?:ped|ping)|deliver(?:ed|ing|s)?|dropp?ed off|drop off|left|leave|leaving|brought|bring(?:ing|s)?|bought|"
    r"buy(?:ing|s)?|"
    r"purchas(?:e|ed|ing)|got (?:him|her|them|the \w+|Dr)|get (?:him|her|them|you)|paid|pay(?:ing|s)?|pick(?:ed|ing)? up|"
    r"settl(?:e|ed|ing)|"
    r"cover(?:ed|ing|s)?|foot(?:ed|ing)?|fund(?:ed|ing|s)?|financ(?:e|ed|ing)|sponsor(?:ed|ing|s)?|subsidi[sz]\w+|"
    r"reimburs(?:e|ed|es|ing)|"
    r"refund(?:ed|ing)|provid(?:e|ed|es|ing)|suppl(?:y|ied|ying)|offer(?:ed|ing|s)?|present(?:ed)? (?:him|her|them|"
    r"the doctor|Dr|Prof)\w*(?: \w+)? with|"
    r"treat(?:ed|ing)?|host(?:ed|ing|s)?|entertain(?:ed|ing|s)?|invit(?:e|ed|es|ing)|took (?:him|her|them|the \w+|Dr|"
    r"Prof)|tak(?:e|"
    r"ing) (?:him|her|them|Dr|Prof)|"
    r"fl(?:y|ew|own) (?:him|her|them|Dr|Prof)|drove (?:him|her|them|his|Dr|Prof)|arrang(?:e|ed|es|ing)|organi[sz](?:e|ed|"
    r"es|ing)|book(?:ed|ing|s)?|reserv\w+|"
    r"rent(?:ed|ing)?|lent|lend(?:ing)?|loan(?:ed)?|hir(?:e|ed|ing)|install(?:ed|ing|s)?|repair\w*|fix(?:ed|ing)?|"
    r"renovat\w+|paint(?:ed|ing)|"
    r"furnish\w*|decorat\w+|donat\w+|contribut(?:e|ed|es|ing)|grant(?:ed|ing)?|award(?:ed|ing)?|transferr?\w*|wir(?:ed|"
    r"ing)|deposit\w*|credit(?:ed)?|"
    r"(?:knock(?:ed|ing)?|wr(?:ote|iting|ite|itten))(?: \S+){0,6} off|top(?:ped)? up|waiv\w+|forg(?:ave|iven)|discount\w*"
    r"|help(?:ed|ing|s)?|look(?:ed|ing)? after|t(?:ook|ake|aken|"
    r"aking) care of|"
    r"tak(?:e|en|ing) care|sort(?:ed|ing)?(?: it| that| this)?(?: out)?|(?:see|saw|seen) to it|arrange|"
    r"made (?:it worth|sure (?:he|she|they|his|her|their))|ma[dk]e sure (?:he|she|they|his|her)|reward\w*|"
    r"compensat\w+|thank(?:ed)? (?:him|her|them|Dr \w+|the \w+) (?:with|by)|ate|eat(?:ing|en)?|drank|drink(?:ing)?|dined|"
    r"dining|wined|"
    r"enjoy\w*|went (?:out|for(?! (?:(?:half )?an? |\w+ )?(?:hours?|minutes|while|moment)\b)|to the (?:bar|game|match|show))|"
    r"golfed|play(?:ed|ing)?|partied|upgrad\w+|enrol\w*|"
    r"register(?:ed)? (?:him|her|them)|"
    r"subscrib(?:e|ed|es|ing)|tip(?:ped)?|gift(?:ed|ing)|gratif\w+|spoil(?:ed|t)?|charg(?:ed|ing) (?:it )?to|put (?:it|"
    r"that|this|everything) on|"
    r"on (?:the|our|my) (?:company|corporate|expense)|expens(?:ed|ing)|pick(?:s)? up|squared|came through|did (?:him|her|"
    r"them) a|"
    r"do (?:him|her|them) a|distribut(?:e|ed|es|ing)|circulat\w+ (?:the )?envelope|receiv\w+|accept(?:ed|s)? (?:our|the)|"
    r"went home with|walked away with|(?:came|went|dropped|stopped|turned|showed|popped|arrived|"
    r"returned)(?: \w+){0,3} with (?:an?|some|"
    r"several|two|three|his|her|their)|"
    r"ha(?:d|ve|ving)(?= (?:\w+ ){1,4}with (?:Dr|Prof|him|her|them|the (?:doctor|professor|nurse|staff|team)))|"
    r"promis(?:e|ed|es|ing) (?:him|her|them|Dr\.? \w+|Prof\.? \w+(?:'s \w+)?|the \w+(?: (?:nurses?|doctors?|staff|director))?)"
    r"(?= (?!to\b|that\b|not\b|we\b|I\b|it\b|he\b|she\b|they\b)\w+)|"
    r"go(?:es)? (?:back )?(?:in)?to (?:him|her|them|his|her)|order(?:ed|ing)?(?=\b.{0,40}\bfor (?:him|her|them|the|Dr|"
    r"Prof)))\b",
    re.IGNORECASE,
)
BORNE_EN = Quick(
    r"\b(?:(?:is|are|was|were|came|comes) from (?:us|our)|(?:present|gift|donation|contribution) from (?:us|our|the (?:company|"
    r"branch))|at our (?:own )?(?:expense|cost)|(?:on|onto|to|through|from|out of|against|under) "
    r"(?:our|(?:the|my) (?:marketing|branch|company|sales|team|event|"
    r"regional|promotion\w*|corporate)) (?:\w+ )?(?:account|tab|card|budget|"
    r"cost cent(?:re|er)|expense)|(?:paid|settled|covered|extended|arranged|booked|handled|sorted|organi[sz]ed|"
    r"taken care of|borne|"
    r"met|shared|funded|financed|reimbursed|picked up|footed|sponsored|donated|subsidi[sz]ed) by (?:us|our)|(?:invoiced|billed|"
    r"charged|debited) to (?:us|our)|(?:job|position|place) (?:in|at|with) our|thanks to (?:us|our)|courtesy of (?:us|our)|"
    r"compliments of)\b",
    re.IGNORECASE,
)
"""Our side is said to bear a cost or to be where a thing comes from, whoever acts."""
SIGNS_EN = Quick(
    r"\b(?:ta(?:ke|ken|king) (?:good |great |very good )?care of (?:him|her|them|you|the (?:doctor|professor|team))|"
    r"(?:son|daughter|wife|husband|nephew|niece|brother|sister|child|children)\b[^.;]{0,40}\b(?:job|intern(?:ship)?|position|"
    r"work(?:s|ing)? (?:for|with|at) (?:us|our)|start(?:s|ing)? (?:as|in|with|at)|hired?|"
    r"placement|"
    r"offer|place)|shook hands on|throw(?:n|s)? in|keeps? (?:him|her|them) (?:friendly|happy|loyal|sweet|on side)|"
    r"(?:if|once|when|provided|as long as) (?:the |his |her |their )?(?:scripts?|prescriptions?|prescribing|orders?|volumes?)\b"
    r"[^.;]{0,30}\b(?:go|goes|reach|rise|increase|grow|hold|pass|keep|keeps|hit|past|exceed|up|coming)|"
    r"(?:%|per ?cent) (?:off|back|extra|more)|let (?:him|her|them) (?:keep|have|use)|"
    r"(?:bonus |loyalty |reward |thousand |hundred )points|consultanc(?:y|ies)|advisory (?:board|role|contract)|"
    r"consulting (?:agreement|contract)|retainer|"
    r"on the side|(?:not|never) on the (?:invoice|bill)|off the invoice|(?:free|extra|bonus) (?:boxes|packs|goods|cartons|stock)|"
    r"on the house|on us|our treat|my treat|free of charge|for free|at no (?:cost|charge)|complimentary|gratis|"
    r"(?:with|our) compliments|courtesy of (?:us|our)|"
    r"tokens? of (?:our |my )?(?:appreciation|gratitude|thanks)|small token|thank-?you (?:gift|note with)|gestures?(?= of|"
    r" to| for)|little something|"
    r"a little extra|something extra|something for (?:his|her|their|the)|"
    r"hospitality(?! (?:register|log|book|policy|form|declaration|rules))|perks?|incentives?|bonus(?:es)?|"
    r"commissions?|"
    r"rebates?|discounts?|remuneration|stipends?|allowances?|grants?|loans?|subsid(?:y|ies)|scholarships?|tuition|memberships?|"
    r"subscriptions?|season (?:ticket|pass)\w*|passes|upgrades?|rounds?(?= of)|tee times?|green fees?|wine|beers?|"
    r"cocktails?|bottles?|"
    r"bar tab|tab|under the table|off the books|no receipts?|petty cash|"
    r"without (?:an? |any |the )?(?:invoice|paperwork|paper trail)|favou?rs?|"
    r"makes? it worth|worth (?:his|her|their) while|taken care of|looked after|generous\w*|lavish\w*|treats?|picnic|"
    r"outing|retreat|"
    r"getaway|weekend (?:in|at)|nights? (?:at|in)|suite|boat|yacht|fishing|ski(?:ing)?|spa|sauna|tuk|limousines?|chauffeur\w*|"
    r"rental car|car hire|envelopes?|"
    r"(?<!name and )(?<!names and )birthday|anniversary|christmas|holiday (?:gift|hamper|basket)|basket|hamper|parcels?|"
    r"packages? (?:for|to)|internship|job for|hire (?:his|her))\b",
    re.IGNORECASE,
)
NEUTRAL_EN = _words(
    "a an the this that these those his her their our my its your and or of in on at by for to from with about as after before "
    "during while over under up out off into again also only just then there here today yesterday tomorrow next last week "
    "month "
    "monday tuesday wednesday thursday friday saturday sunday morning afternoon evening day year quarter january february "
    "march "
    "april may june july august september october november december dr prof professor doctor doctors physician physicians "
    "nurse nurses pharmacist pharmacists clinic hospital department ward office reception desk staff team hcp hcps clinician "
    "clinicians surgeon resident residents head him them me us you he she they we i it who "
    "which what when where how all each every both two three four five six seven eight nine ten one some any more most "
    "new latest current approved printed short brief first second "
    "third copy his/her instead too very so not no yes none won krw per person apiece room building colleague colleagues "
    "assistant secretary customer customers account accounts rep reps manager company marketing medical affairs"
)
PEOPLE_EN = re.compile(
    r"\b(?:him|her|them|Dr\.?|Prof(?:essor)?\.?|doctors?|physicians?|professors?|nurses?|pharmacists?|clinicians?|surgeons?|"
    r"residents?|staff|"
    r"HCPs?|clinic|hospital|ward|department|practice|director|officials?|speakers?|wife|husband|family|daughter|son|children)\b"
)
OTHER_SIDE = re.compile(
    r"병원|의원|의국|병동|수술방|수술실|응급실|대기실|휴게실|진료실|간호|거래처|고객|사모님|원무|약국|드[리렸림린릴립]|"
    r"(?<!함)께(?=[\s서])|주시면|주기로|챙겨|"
    r"\b(?:he|she|him|his|her|them|they|their|wards?|clinics?|hospitals?|practice|pharmac(?:y|ies)|customers?|departments?)\b",
    re.IGNORECASE,
)
"""Words of the other side beside those of medical staff, and ways to speak of giving to somebody above oneself."""
