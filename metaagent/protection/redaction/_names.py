"""Names of people, where a title or a role stands beside them: 김민수 과장, 담당자 박지훈, Dr. Jane Miller, patient John Smith.

A name alone is a word like any other; the word beside it is the evidence. Surname and title alone (김 과장) name nobody.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from mecab import MeCab

from metaagent.language.patterns import regex
from metaagent.protection.redaction._context import words
from metaagent.protection.redaction.finding import Detector, Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

_SURNAMES = (
    "김이박최정강조윤장임한오서신권황안송전홍유고문양손배백허남심노하곽성차주우구민류나진지엄채원천방공현함변염여추도소"
    "석선설마길연위표명기반왕금옥육인맹제모탁국어은편용예경봉복태형빈범좌승피감라"
)
# Borne by few, and the beginning of many words: these take a given name that the dictionary has.
_RARE = "부목계가사온음동두팽옹갈간견단당상창순화빙묵종평"
_COMPOUND = ("남궁", "황보", "제갈", "사공", "선우", "독고", "서문", "동방", "망절", "어금", "장곡", "소봉")
_GIVEN = (
    "가강건겸경고관광교구국군규균근금기길나남노다단달담대덕도동두라란람래려련령례로록루류률리린림마만말매면명모무문미민"
    "방배백범벽별병보복봄봉분빈사산상새서석선설섭성세소솔송수숙순술슬승시식신실심아안애양언여연열엽영예오옥온완왕요용"
    "우욱운웅원월위유육윤율융은을음의이익인일임자장재전정제조종주준중지진찬창채천철청초춘충치탁태택평표필하학한해향"
    "헌혁현협형혜호홍화환효후훈휘흔흥희늘빛솜꽃샘힘름움울람련롬니든길봄주결찬암득불돈둘락렬륜립몽묵비삼출칠팔권곤교균궁극낙녕단도든등랑량력로룡름맹번변쁨란쁜샛엘윌잎참콩튼편품핀해행"
    "본갑걸견계귀년능생억업염응존증총추축탄풍함항훤흠누바겨롱푸레늬디"
)
# A given name of one syllable: fewer, because two syllables are mostly words.
_SINGLE = "준현민훈진석건혁욱율빈솔별봄완철찬웅윤환균룡범섭슬숙희란겸엽협헌린령곤권탁택필훤휘흠구"
_NEVER_LAST = "시의사교다면부실국군만로을음관본계년생업증총추축함항디바누"
_PARTICLE_LAST = "은이도로가인만의과"
_ORDINARY = frozenset(
    words(
        "강원 강원도 강서 강남 강동 경기도 고성 고양 공주 구미 김제 김포 김해 나주 남양주 남해 노원 동해 문경 "
        "부천 사천 상주 서산 서천 서초 성남 수원 안동 안산 안성 안양 양산 양주 양평 여수 여주 연천 영주 영천 용산 "
        "용인 원주 이천 인제 인천 전주 정선 정읍 제주 제주도 제천 진도 진안 진주 진천 천안 천안시 청주 태백 하남 함안 "
        "함양 홍성 홍천 전라도 경상도 충청도 "
        "고객 고문 공동 공무 공사 공정 구매 구성 구조 구현 국내 국민 기관 기념 기대 기록 기본 기사 기술 기업 기존 "
        "나은 나이 남성 남자 노동 노무 노사 노인 노조 단독 단순 단위 당사 당선 당원 대상 도로 도매 도시 동료 동문 "
        "동의 마감 마을 명예 모기 모두 모든 모자 모집 문서 문의 문제 문진 민간 민원 민주 반장 방문 방송 배송 배우자 "
        "변경 변호 병원 부문 부서 부인 부재 사건 사내 사람 사례 사무 사용 사원 사의 상담 상무 상임 상장 상품 서기 "
        "서류 서명 서면 서민 선거 선배 선생 선수 선임 선정 설비 설명 설치 성명 성인 성장 성함 소관 소비자 소아 소유 "
        "소유자 소장 송금 수석 승인 승진 시민 시설 신규 신분 신상 신약 신용 신원 신인 신임 신입 신장 신청 신청인 "
        "신청자 실무 심사 심의 안과 안내 안전 안정 양도 양성 어린이 여러 여사 여성 여자 연구 연락 연령 연수 영업 예금 "
        "예상 예약 오늘 오전 오후 온도 외부 용도 용역 우대 우리 우선 우수 운영 원고 원래 원로 원무 원인 원장 위원 "
        "위임 유가족 유명 유무 유사 유상 유아 유입 유지 유통 유형 은퇴 이날 이로 이름 이미 이번 이사 이상 이송 이수 "
        "이어 이용 이용자 이유 이의 이의신청 이전 이하 이후 인사 인수 인원 인증 임무 임상 임시 임원 임직원 자사 장기 "
        "장소 장애 장애인 전국 전기 전기차 전담 전면 전무 전문 전사 전산 전임 전자 전체 전화 정기 정도 정무 정보 정부 "
        "정상 정식 정원 정지 정책 정회원 제안 제약 제조 제조사 조사 조기 조건 조언 조정 조직 조치 조회 주관 주말 주무 "
        "주문 주민 주방 주소 주식 주요 주인 주인공 주임 주주 주치의 지급 지도 지방 지부 지사 지시 지역 지원 지원자 "
        "지인 지점 지정 지주 직원 진단 진료 진행 차기 차량 차례 차상 차장 채용 책임 천연 초기 최고 최근 최대 최상 "
        "최선 최소 최우선 최우수 최종 추가 추천 추천인 태도 편의 표시 표준 하나 하루 한국 한국인 한미 한독 한양 한의 "
        "함께 해외 행사 현대 현장 현재 현지 현지인 현황 형사 호흡 홍보 유한 동아 동국 동화 삼성 대웅 일동 신한 제일 "
        "경동 국제 경영 경제 경리 경비 사외 성형 정형 신경 소화 가정 마취 방사 예방 재활 응급 감염 피부 이비인후 "
        "차후 오류 지난 지금 이제 여기 저기 거기 어느 어떤 우린 나의 너의 이런 전혀 하지만 그리고 정말 진짜 아마 "
        "구하라 하는 하고 하기 하여 하면 이고 이며 가는 가장 가정의 나중 나머지 노력 도움 도착 문자 반도체 반영 "
        "방법 방안 복구 복지 사진 상기 상세 서울 성과 성능 소득 소송 수령 수령인 시간 신고 신고인 안심 양식 여부 "
        "연간 연결 예산 용량 원본 원산지 위치 위험 유효 인상 인하 인쇄 임대 임대인 임차인 장비 전달 전송 전용 제출 "
        "제품 조제 주기 주사 주사제 증명 진찰 차이 채권 처방 천만 추이 추정 하자 한도 한시 한정 현금 형태 환자 "
        "전년 전월 전일 전주 금년 금월 금일 금주 금융 금액 기간 기준 상반기 하반기 이달 명단 명세 명의 모델 우편 "
        "우려 우승 원활 육아 육성 편집 표현 피고 피고인 피해 피해자 감독 감사 음료 빈도 동안 온라인 호실 범위 승객 "
        "간호 간단 간접 시작 시장 시행 시험 단가 단체 단기 당일 견적 설계 "
        "이커머스 차세대 신사업 고주파 고지서 안전성 지원서 정기적 전문성 공인 공인인증 공장 공지 공유 공급 공제 "
        "민영 민법 선진 선진화 선도 현안 현역 현관 진정 진실 진로 진동 지진 지표 지하 지구 지식 이민 이자 이익 이론 "
        "이해 이동 이미지 이메일 이벤트 정권 정석 고민 고려 고도 고장 고속 고용 고전 문구 문화 유권 전철 주권 우권 "
        "조율 비율 환율 조준 표준 기준 수준 이란 전란 소란 구현 재현 출현 인권 상권 채권 여권 차별 성별 구별 특별 "
        "한별 신별 선별 판별 오진 선진 추진 전진 정진 소진 용건 조건 사건 물건 여건 안건 원건 문건 전건 금은 은은 "
        "공석 방석 국민 시민 주민 농민 서민 이민 임민 전환 순환 교환 소환 송환 성균 상환 변환 호환 공범 모범 시범 "
        "사범 차범 금별 월별 일별 방범 도란 지란 이별 고별 성숙 기린 어린 그린 시린 목탁 선택 주택 자택 인택 기필 "
        "연필 이겸 고희 유희 추진 주선 구현 안구 연구 요구 가구 기구 도구 지구 인구 어구 친구 동구 남구 서구 북구 "
        "서명란 고령 유령 명령 법령 강구 문구 전구 야구 복구 촉구 항구 영구 입구 출구 하구 공구 호구 사상구 사우디"
    )
)
_TITLES = words(
    # Rank and office.
    "대표이사 대표님 대표 부대표 공동대표 이사 이사장 부이사장 상임이사 사외이사 사내이사 등기이사 상무 상무이사 전무 전무이사 "
    "사장 부사장 회장 부회장 명예회장 의장 부의장 위원장 부위원장 고문 감사 총괄 "
    "사원 주임 대리 계장 과장 차장 부장 팀장 부팀장 실장 부실장 파트장 그룹장 셀장 조장 반장 부문장 부서장 본부장 부본부장 "
    "센터장 부센터장 지점장 부지점장 지사장 지부장 지회장 지국장 법인장 공장장 점장 매장장 소장 부소장 연구소장 국장 부국장 단장 "
    "사무국장 사무장 편집장 조합장 이장 통장 원장 부원장 대표원장 병원장 의료원장 약국장 총장 부총장 학장 처장 청장 서장 교장 "
    "학과장 학부장 관장 구청장 군수 리더 팀리더 프로 책임 선임 수석 전임 시니어 주니어 인턴 수습 팀원 직원 "
    # Professions.
    "수간호사 간호조무사 조무사 간호사 물리치료사 작업치료사 언어치료사 임상병리사 임상심리사 심리상담사 방사선사 치위생사 "
    "치과위생사 응급구조사 요양보호사 조산사 안경사 영양사 조리사 한의사 수의사 치과의사 한약사 약사 의사 전임의 전공의 전문의 "
    "수련의 레지던트 펠로우 군의관 공보의 주치의 변호사 변리사 회계사 세무사 노무사 법무사 관세사 건축사 기술사 평가사 중개사 "
    "손해사정사 설계사 상담사 상담원 사회복지사 미용사 통역사 번역가 통역가 판사 부장판사 부장검사 "
    "연구원 연구보조원 연구위원 전문위원 자문위원 심사위원 연구관 연구사 매니저 엔지니어 디자이너 개발자 기획자 분석가 애널리스트 "
    "프로그래머 아키텍트 마케터 에디터 편집자 큐레이터 프로듀서 피디 퍼블리셔 컨설턴트 코디네이터 스페셜리스트 플래너 트레이너 "
    "코치 감독 선수 작가 배우 가수 아나운서 기자 프리랜서 비서 비서관 보좌관 승무원 기장 운전기사 기사 관리자 운영자 담당관 "
    "선생 교수 부교수 조교수 조교 박사 강사 교사 보육교사 교감 목사 전도사 스님 여사 의원 위원 장관 차관 "
    "주무관 사무관 서기관 이사관 행정관 감사관 조사관 심사관 장학사 소방관 경찰관 대령 중령 소령 대위 중위 중사 병장 순경 "
    "경감 총경 "
    # Sides of a matter.
    "환자 고객 회원 보호자 담당자 담당 지원자 응시자 후보자 님 씨 군 양"
)
_TITLE = "|".join(sorted(_TITLES, key=len, reverse=True))
# 수석연구원, 객원교수, 영업팀장, 전략기획 실장: a grade or a department, and a title.
_GRADES = words(
    "책임 수석 선임 전임 주임 상임 비상임 초빙 객원 석좌 명예 겸임 임상 연구 전문 인턴 수습 신입 시니어 주니어 프리랜서 외주 총괄 "
    "전담 공동 특임 상근 비상근 담임 기술 자문 고문"
)
_DEPARTMENTS = words(
    "영업 마케팅 인사 총무 재무 회계 기획 전략 개발 연구 생산 품질 구매 자재 홍보 법무 전산 물류 디자인 경영 경영지원 기술 운영 "
    "사업 관리 고객지원 교육 안전 보안 정보보호 감사 진료 간호 약제 원무 행정 임상 심사 서비스 데이터 프로젝트 제품 콘텐츠 백엔드 "
    "프론트엔드 소프트웨어"
)
_HEADS = "팀장|실장|본부장|부문장|그룹장|파트장|센터장|국장|부장|차장|과장|대리|주임|사원|이사|상무|전무|매니저|리더"
_BEFORE_TITLE = "|".join(sorted({*_GRADES, *_DEPARTMENTS}, key=len, reverse=True))
_TITLE_BEGINS = f"{_TITLE}|{_BEFORE_TITLE}"
_PARTICLES = (
    r"은|는|이|가|을|를|의|에게서?는?|께서?는?|한테서?|와|과|도|만|로|으로|이랑|랑|하고|이나|나|에|에서|부터|까지|보다|처럼|"
    r"입니다|입니까|이다|이고|이며|이라고?|라고|인데?|이었.*|였.*|예요|이에요|이신|으로부터|로부터|이세요|세요|이죠|만의|에게도"
)
# `과장 광고`, `이사 갑니다`, `대표 제품`: the word after says that the title is none.
_TITLED = regex(
    rf" ?(?!(?:감사|고문)[을를은는이가의도]?[ .])"
    rf"(?:(?:(?:{_BEFORE_TITLE}){{0,2}}(?:{_TITLE})|(?:{_BEFORE_TITLE}){{1,2}} (?:{_HEADS}))"
    rf"(?:님|들)?(?:{_PARTICLES})?(?![가-힣])|님(?:{_PARTICLES})?(?![가-힣]))"
    r"(?! ?(?:광고|표현|보도|갑|갔|가[는려야]|간[다 ]|갈 |했|합니|하[는였려기]|해[요서야]|왔|온 |오[는면]|비용|센터|짐|업체|"
    r"제품|상품|전화|번호|메일|이메일|주소|품목|브랜드|점|운전|인[ 을은의]|메뉴|홈페이지|계좌))"
)
# Said of nobody but a person.
_PERSON_AFTER = regex(r" ?씨(?![가-힣])| ?씨(?:는|가|를|의|와|도|에게|께서|한테)(?![가-힣])")
_ENDS = regex(rf"(?:님|씨)?(?:{_PARTICLES})?(?![가-힣])")
_ROLES = words(
    "담당자 담당 담당의 주치의 담당의사 담당간호사 환자 환자명 고객 고객명 회원 회원명 예금주 수취인 수신인 수신자 받는사람 발신인 "
    "보내는사람 작성자 신청인 신청자 보호자 대리인 대표자 대표이사 대표 원장 병원장 교수 과장 부장 차장 팀장 실장 본부장 "
    "지점장 이사 상무 전무 사장 회장 약사 간호사 의사 선생님 변호사 주임 매니저 연구원 책임자 승인자 결재자 검토자 성명 성함 "
    "이름 이름은 성명은 성함은 피보험자 계약자 수익자 배우자 직원 사원 기안자 요청자 요청인 참석자 서명자 영업사원 영업대표 "
    "진료의 상담원 상담사 인턴 전공의 전문의 의장 감독 기자 박사 변리사 세무사 회계사 대리 계장 소장 국장 점장 "
    "담당약사 담당교수 인솔자 연락담당 진행자 발표자 강사 연자 좌장 연구책임자 입원환자 외래환자 시험책임자 사용자 사용자명 동료 "
    "가입자 근로자 채무자 채권자 피해자 신고인 신고자 민원인 임차인 임대인 매도인 매수인 명의자 소유자 본인 배송지 수령인 수령자 "
    "프리랜서 디자이너 개발자 기획자 엔지니어 컨설턴트 마케터 비서 조교 센터장 그룹장 파트장 위원장 사무국장 이사장 부원장 부사장 "
    "부회장 고문 자문위원 노무사 법무사 관세사 한의사 치과의사 수의사 영양사 물리치료사 방사선사 임상병리사 설계사 주무관 사무관 "
    "조사관 총장 학장 퇴사자 입사자 퇴직자 입금자 송금인 의뢰인 의뢰자 참가자 예약자 주문자 구매자 결제자 상속인 보증인 "
    "위임인 수임인 면접자 재해자 대상자 시험대상자 피험자 법정대리인 동의자 응시자 지원자 후보자 합격자 목격자 증인 인수자 인계자 "
    "서명인"
)
_ROLE = regex(r"([가-힣]{2,16})(?: ?[:：=\-/] ?| ?\(| )$")
_ROLE_SET = frozenset(_ROLES)
# A name as the value of a key: of people alone, for things have names too.
_KEY = regex(
    r"[\"'](?:(?:full|patient|customer|client|user|employee|rep|doctor|contact|owner|author|account|person)[_ -]?|)"
    r"name[\"'] ?: ?[\"']$|[\"'](?:성명|이름|성함|환자명|고객명|담당자|담당자명|작성자|예금주)[\"'] ?: ?[\"']$",
    re.IGNORECASE,
)
_OF_PEOPLE = "full|first|last|patient|customer|client|user|employee|rep|doctor|contact|owner|author|account|person|recipient|guest"
_EN_KEY = regex(rf"[\"'](?:{_OF_PEOPLE})[_ -]?name[\"'] ?: ?[\"'](?=[A-Z])", re.IGNORECASE)
_LONGEST_ROLE, _BEFORE_ROLE = max(map(len, _ROLES)), 4
_LAST_OF_ROLES = "".join(sorted({role[-1] for role in _ROLES} | set("은는")))
# The cheapest evidence first, at the first syllable: what ends a role stands before, or what begins a title stands after.
_KOREAN = regex(
    rf"[{_SURNAMES}{_RARE}](?<![가-힣].)(?:(?<=[{_LAST_OF_ROLES}:：=/(-][ :=/(-].)|(?<=[:=/(-].)|"
    rf"(?<=:[\"'].)|(?<=: [\"'].)|"
    rf"(?= ?[{_GIVEN}]{{1,2}} ?(?:{_TITLE_BEGINS})))"
    rf"(?:[{_GIVEN}]{{1,2}}| [{_GIVEN}]{{2}})"
)
_KOREAN_LONG = regex(rf"(?:{'|'.join(_COMPOUND)})(?<![가-힣]..)[{_GIVEN}]{{1,2}}")
# A space after these mostly ends a word: 이 지역, 전 대표.
_NO_SPACE = frozenset(
    "이전현한신구모주고차지안여우원금정민은동온호단당상시부가사인기반도소나하국제어용예경두감음연위"
)

_CAP = r"[A-Z][a-zà-ÿ]*(?:['’-][A-Z]?[a-zà-ÿ]+)*(?<!['’]s)"
_NAME = rf"{_CAP}(?: [A-Z]\.)?(?: (?:van|von|de|der|da|di|del|la|bin|al))?(?: {_CAP}){{0,2}}"
# A capital after a space or a sign, by what ends a title, a role or a colon.
_CAPITAL = regex(r"[A-Z](?<=[.:=ac-eghklm-oq-tyA-Z][ :=].)(?=[a-z'’])")
_WESTERN = regex(_NAME)
_EN_TITLE = r"(?:(?:Dr|Mr|Mrs|Ms|Mx|Prof|DR|MR|MRS|MS)\.?|Miss|Professor|Doctor|Madam|Nurse) {1,2}"
_EN_ROLE = (
    r"(?:[Pp]atient|[Cc]ustomer|[Cc]lient|[Cc]ontact(?: person)?|[Mm]anager|[Rr]ep(?:resentative)?|[Nn]urse|"
    r"[Pp]hysician|[Pp]harmacist|[Ee]mployee|[Dd]octor|[Dd]irector|[Aa]ttn\.?|(?:[Ss]igned|[Pp]repared|[Aa]pproved|"
    r"[Rr]equested) by|[Nn]ame(?: is)?|[Bb]eneficiary|[Aa]pplicant|[Gg]uardian|[Cc]olleague|[Oo]wner|"
    r"holder|[Cc]ardholder|[Rr]ecipient|[Ss]ender|[Aa]uthor|C[EFTO]O|[Pp]resident|[Pp]articipant|[Ss]ubject|"
    r"[Ii]nvestigator|[Dd]esigner|[Ff]reelancer|[Aa]ttorney|[Ll]awyer|[Aa]ccountant|[Rr]esearcher|[Tt]herapist|"
    r"[Ss]urgeon|[Dd]entist|[Ii]ntern|[Ss]ecretary|[Ss]upervisor)(?: ?[:=] ?| )"
)
_TITLE_BEFORE = regex(rf"(?<![A-Za-z]){_EN_TITLE}$")
_ROLE_BEFORE = regex(rf"(?<![A-Za-z]){_EN_ROLE}$")
_DEGREE = r",? (?:MD|M\.D\.|PhD|Ph\.D\.|RN|PharmD|Esq|CPA)"
_DEGREE_AFTER = regex(rf"{_DEGREE}(?![A-Za-z])")
_BEFORE_DEGREE = regex(rf"(?<![A-Za-z'’-]){_CAP}(?: [A-Z]\.)? {_CAP}$")
# `Park Ji-hoon, Chief Pharmacist`, `Emma Novak (Sales Director)`: a title of one to four words in capitals.
_POSITION = (
    r"(?:Pharmacist|Director|Manager|President|Officer|"
    r"C[EFTMOIPS]O|CHRO|CISO|[SE]?VP|Nurse|Physician|Professor|Engineer|Analyst|Coordinator|Representative|Rep|Supervisor|Consultant|Investigator|"
    r"Surgeon|Secretary|Chair(?:man|woman)?|Counsel|Specialist|Administrator|Head|Lead|Scientist|Accountant|Auditor|"
    r"Controller|Founder|Buyer|Monitor|Cardiologist|Oncologist|Pediatrician|Assistant|Associate|Executive|Editor|"
    r"Designer|Developer|Architect|Planner|Researcher|Attorney|Lawyer|Paralegal|Chemist|Biologist|Statistician|Programmer|"
    r"Technician|Therapist|Dentist|Trainer|Instructor|Lecturer|Freelancer|Contractor|Recruiter|Writer|Strategist|Advis[eo]r|"
    r"Treasurer|Chairperson|Dean|Intern|Radiologist|Dermatologist|Neurologist|Psychiatrist|Psychologist|Urologist)"
)
_TITLE_AFTER = regex(
    rf"(?:,| \() ?(?:the |our )?(?:[A-Z][A-Za-z&]{{1,15}} (?:of |and )?){{0,3}}{_POSITION}(?![A-Za-z])"
)
_STREET = regex(r"[0-9] [A-Z][a-z]+ (?:Dr|DR)\.? $")
_BRANDS = frozenset(
    words(
        "Reddy Reddys Martens Pepper Oetker Jart Scholl Clean Coffee Pizza Fields Bean Who Strange Robot Potato Bronner Best"
    )
)
_COMPANY = regex(
    r"(?:['’]s)?(?: [A-Z][A-Za-z&]+)? (?:Laborator|Labs?\b|Inc\b|Ltd\b|Co\b|Corp|Pharma|GmbH|Foods?\b|Group\b|Holdings|"
    r"Hospital|Clinic|Foundation|School|University|Street|Avenue)"
)
_NOT_NAMES = frozenset(
    words(
        "Service Services Support Center Centre Care Data Safety Team Group Department Division Office Unit Report Review Portal "
        "Relations Relationship Satisfaction Success Experience Journey Number Name Names Code List Record Records File Files Form "
        "Forms Information Info Details Address Phone Email Account Accounts Access Rights Education Engagement Outcomes Program "
        "Programme Survey Feedback Value Segment Segments Base Master Management Manager Management Sales Marketing Seoul Busan "
        "Korea Incheon Daegu Daejeon Branch Region Regional New York "
        "London Paris Tokyo Los San North South East West Monday Tuesday Wednesday Thursday Friday "
        "Saturday Sunday January February March April May June July August September October November December Q Total Revenue The "
        "This That And Or For In On At By With From To Of A An Is Are Was Not Please See Health Insurance Privacy Policy "
        "Notice Protection "
        "Complaint Complaints Order Orders Contract Agreement Meeting Approval Summary Status History Type Types Id ID Lifetime "
        "Acquisition Retention Churn Assistance Advocacy Monitoring Registry Bill Room Hospital Clinic Pharmacy University Bank "
        "Inc Ltd Corp Company Pharma Laboratories Human Resources General Senior Executive Vice Chief Officer Operations Finance "
        "Board Dashboard Index Score Scores Level Plan Plans Project Line Lines Matter Header Field Fields Server Domain Variable "
        "Space Tag Tags Key Keys Column Table Entity Class Object Assistant Associate Director Trial Trials Research Development "
        "Blood Pressure Weight Body Heart Rate Quality Control Assurance Training Guide Handbook Manual Us Our Your Their His Her"
    )
)

_STARTERS = frozenset(
    words("The This That And Or For In On At By With From To A An Is Are Was Not Please See Total")
)
"""Words that begin what follows a name, and belong to none: `Patient: Ann Lee See section 4`."""


def _korean(text: str) -> Iterator[Hit]:
    for found in _KOREAN.finditer(text):
        start, end = found.span()
        name = found[0]
        if name[1] == " ":
            spaced = name[0] not in _NO_SPACE and name[0] in _SURNAMES and name[2:] not in _ORDINARY
            if spaced and _evidence(text, start, end, name[0] + name[2:], whole=True):
                yield Hit("NAME", start, end, 40)
                continue
            name, end = "", start
        for length in (3, 2):
            if len(name) >= length and _evidence(
                text, start, start + length, name[:length], whole=length == 3
            ):
                yield Hit("NAME", start, start + length, 40)
                break
    if any(surname in text for surname in _COMPOUND):
        for found in _KOREAN_LONG.finditer(text):
            end = found.end()
            if _TITLED.match(text, end, end + 24) or _follows_role(text, found.start(), end):
                yield Hit("NAME", found.start(), end, 40)


def _evidence(text: str, start: int, end: int, name: str, *, whole: bool) -> bool:
    """Tell whether this is shaped like a name, no ordinary word, and has a title or a role beside it."""
    if name in _ORDINARY or (not whole and name[1] not in _SINGLE):
        return False
    if name[0] in _RARE and not (whole and _is_given(name[1:])):
        return False
    titled = _TITLED.match(text, end, end + 24) is not None
    role = _follows_role(text, start, end)
    if whole and _PERSON_AFTER.match(text, end) and (role or name[-1] not in _NEVER_LAST):
        return True
    if not (titled or role):
        return False
    if not titled and whole and name[:2] in _ORDINARY and _is_particle(name[1], name[2]):
        return False
    reading = _dictionary_says(name)
    if reading in ("name", "word"):
        return reading == "name"
    if reading == "phrase" and name[-1] in _ONLY_IN_NAMES:
        return True
    if reading == "phrase" and (not _is_given(name[1:]) or (name[0] in _RARE and name[-1] in _ENDINGS)):
        return False
    return name[-1] not in _NEVER_LAST or (whole and name[-1] == "국" and name[:2] not in _ORDINARY)


def _is_particle(before: str, last: str) -> bool:
    """Tell whether this may be a particle after that syllable: 이하는 is a word and its particle, 이하은 is somebody."""
    closed = (ord(before) - ord("가")) % 28 != 0
    return last in _PARTICLE_LAST and last not in ("는가를와" if closed else "은이을과")


@cache
def _dictionary() -> MeCab:
    return MeCab()


_ENDINGS = "한하해은이인도나상률율일명원화구성"
_ONLY_IN_NAMES = "혁빈린훈윤욱섭엽"
"""Last syllables that end no word and no ending: what stands before them is somebody's name, whatever else it may mean."""
_MEASURES = "수성률율화도비값액량별"
_BEGINS_PHRASE = ("NNG", "NP", "MAG", "XR")


@lru_cache(maxsize=1024)
def _dictionary_says(name: str) -> str:
    """Tell what the dictionary has: a `name`, a `word` (조영제 and 신제품 are things, 강남구 is a place), a `phrase`
    (a word and its ending: 제품은, 방문한, 나누고), or none of these."""
    first, *more = _dictionary().parse(name)
    if not more and first.pos.startswith("NN"):
        return "name" if first.feature.semantic == "인명" else "word"
    if more and (first.pos[0] == "V" or (len(first.surface) == 2 and first.pos in _BEGINS_PHRASE)):
        return "phrase"
    return "word" if first.pos == "XPN" and name[1:] in _ORDINARY else ""


def _is_given(given: str) -> bool:
    """Tell whether the dictionary has somebody of this given name, with one of the commonest surnames."""
    return any(_dictionary_says(surname + given) == "name" for surname in "김이박최정")


def _is_measure(name: str) -> bool:
    """방문수, 이용률, 안정성: a word and what makes a figure or a quality of it. Columns have such names."""
    first, *more = _dictionary().parse(name[:2])
    return name[-1] in _MEASURES and not more and first.pos in _BEGINS_PHRASE


def _follows_role(text: str, start: int, end: int) -> bool:
    if text[start - 1] in "\"'" if start else False:
        keyed = end - start > 2 and _KEY.search(text, max(0, start - 24), start) is not None
        return keyed and _is_given(text[start + 1 : end]) and not _is_measure(text[start:end])
    said = _ROLE.search(text, max(0, start - 16), start)
    return said is not None and _is_role(said[1]) and _ENDS.match(text, end, end + 12) is not None


def _is_role(word: str) -> bool:
    """담당자, and what is made of it: 영업담당자, 담당자는, 담당자명."""
    bare = word[:-1] if word[-1] in "은는명" else word
    return any(
        whole[at:] in _ROLE_SET
        for whole in {word, bare}
        for at in range(max(0, len(whole) - _LONGEST_ROLE), min(_BEFORE_ROLE, len(whole) - 2) + 1)
    )


def _english(text: str) -> Iterator[Hit]:
    done = 0
    for capital in _CAPITAL.finditer(text):
        start = capital.start()
        if start < done:
            continue
        head = text[max(0, start - 20) : start]
        titled = _TITLE_BEFORE.search(head) is not None and not _STREET.search(head)
        if (titled or _ROLE_BEFORE.search(head)) and (found := _WESTERN.match(text, start, start + 80)):
            done = _named(text, found, titled)
            if done > start:
                yield Hit("NAME", start, done, 40)


def _keyed(text: str) -> Iterator[Hit]:
    """A name as the value of a key of people: it is the whole value, and no word of things is in it."""
    for key in _EN_KEY.finditer(text):
        found = _WESTERN.match(text, key.end(), key.end() + 80)
        whole = found is not None and text[found.end() : found.end() + 1] in ("'", '"')
        if found and whole and not any(part in _NOT_NAMES for part in found[0].split()):
            yield Hit("NAME", *found.span(), 40)


def _with_degree(text: str) -> Iterator[Hit]:
    yield from _in_front_of(_DEGREE_AFTER, text)


def _with_position(text: str) -> Iterator[Hit]:
    yield from _in_front_of(_TITLE_AFTER, text)


def _in_front_of(shape: re.Pattern[str], text: str) -> Iterator[Hit]:
    for after in shape.finditer(text):
        before = _BEFORE_DEGREE.search(text, max(0, after.start() - 60), after.start())
        if before and not any(part in _NOT_NAMES for part in before[0].split()):
            yield Hit("NAME", before.start(), before.end(), 40)


def _named(text: str, found: re.Match[str], titled: bool) -> int:
    """Find where the name ends; 0 if it is none. Beside a title one word is enough, beside a role it takes two."""
    parts = found[0].split(" ")
    if titled and (parts[0] in _BRANDS or _COMPANY.match(text, found.end())):
        return 0
    most = len(parts) if titled else 3
    known = next((at for at, part in enumerate(parts) if part.rstrip(".") in _NOT_NAMES), len(parts))
    kept = parts[: min(known, most)]
    goes_on = known < min(len(parts), most) and parts[known] not in _STARTERS
    if len(kept) < (1 if titled else 2) or (not titled and goes_on):
        return 0
    return found.start() + len(" ".join(kept))


_SURNAME = rf"(?:[{_SURNAMES}{_RARE}] ?|{'|'.join(_COMPOUND)})"
DETECTORS = (
    Detector(
        rf"(?:{'|'.join(_ROLES)})(?:은|는|명)?(?: ?[:：=/(-] ?| )\n?{_SURNAME}[{_GIVEN}]"
        rf"|{_SURNAME}[{_GIVEN}]{{1,2}} ?(?:{_TITLE_BEGINS})"
        rf"|[\"'] ?: ?[\"']{_SURNAME}[{_GIVEN}]",
        _korean,
    ),
    Detector(rf"(?:^|[^A-Za-z])(?:{_EN_TITLE}|{_EN_ROLE})[A-Z][a-z'’]", _english),
    Detector(rf"(?i:[\"'](?:{_OF_PEOPLE})[_ -]?name[\"'] ?: ?[\"'])[A-Z]", _keyed),
    Detector(rf"[A-Za-zà-ÿ]\n?{_DEGREE}", _with_degree),
    Detector(
        rf"[A-Za-zà-ÿ]\n?(?:,| \() ?(?:the |our )?(?:[A-Z][A-Za-z&]+ (?:of |and )?)*{_POSITION}",
        _with_position,
    ),
)
