# ruff: noqa: E501 - a table of words is read by its columns
"""Words that tables and columns are called by, in Korean: common ones of any trade, several where people use several. Words
of one syllable that are also a particle or a counter are left out."""

from __future__ import annotations

from metaagent.data.semantic.drafting.dictionary_nouns import ALSO, NOUNS, NOUNS_CUT, WRITTEN
from metaagent.data.semantic.drafting.dictionary_trades import TRADE_SHORT, TRADE_WORDS, TRADES

KOREAN: dict[str, list[str]] = {
    "profile": ["프로필"], "passport": ["여권"], "loyalty": ["멤버십"], "occupancy": ["점유"],
    "borrower": ["대출자", "대여자", "이용자"], "dentist": ["치과의사", "의사"], "veterinarian": ["수의사"], "breed": ["품종"], "stay": ["숙박", "투숙"],
    "night": ["숙박일"], "tuition": ["수강료", "등록금"], "guardian": ["보호자"], "tutor": ["강사", "튜터"], "textbook": ["교재"],
    "withdrawal": ["출금"], "merchant": ["가맹점"], "ingredient": ["식재료", "재료"], "dish": ["요리", "메뉴"], "chef": ["요리사"],
    "tenant": ["임차인", "세입자"], "landlord": ["임대인", "집주인"], "lease": ["임대차", "임대"], "harvest": ["수확"], "field": ["밭", "분야"],
    "overtime": ["초과근무", "야근"], "leave": ["휴가"], "applicant": ["지원자", "신청자"], "interview": ["면접"], "candidate": ["후보자", "지원자"],
    "publication": ["출판", "발행"], "stylist": ["미용사"], "container": ["컨테이너"], "pallet": ["팔레트"],
    "labor": ["인건비", "공임"], "accommodation": ["숙소"], "check": ["점검"], "operator": ["운영자", "작업자"], "plate": ["번호판"],
    "adjuster": ["손해사정인"], "policyholder": ["보험계약자"], "crew": ["승무원"], "pilot": ["조종사"], "cancellation": ["취소"],
    "condition": ["상태", "조건"], "mileage": ["주행거리"], "diner": ["손님"], "waiter": ["종업원"], "server": ["종업원", "서버"],
    "pickup": ["집하", "픽업"], "birth": ["생년월일"], "opening": ["개점"], "enquiry": ["문의"], "inquiry": ["문의"],
    "vaccine": ["백신"], "vaccination": ["접종", "예방접종"], "consultation": ["상담"], "counselor": ["상담사"], "quote": ["견적"],
    "hire": ["입사", "채용"], "join": ["가입"], "login": ["로그인"], "csat": ["만족도"],
    "satisfaction": ["만족도"], "subtotal": ["소계", "공급가액"], "mobile": ["휴대폰"],
    "base": ["기본"], "canceled": ["취소"], "cancelled": ["취소"], "created": ["생성", "작성"], "due": ["납기", "만기"],
    "enrolled": ["등록", "수강"], "final": ["최종"], "gross": ["총"], "hired": ["입사", "채용"], "issued": ["발행"], "joined": ["가입"],
    "list": ["정가"], "net": ["순"], "opened": ["개설"], "ordered": ["주문"], "paid": ["결제", "납부", "지불"], "received": ["수령"],
    "registered": ["등록"], "returned": ["반납", "반품"], "shipped": ["출고", "배송"], "sold": ["판매"], "used": ["사용"],
    "arrival": ["도착"], "billing": ["청구"], "buying": ["구매"], "departure": ["출발"], "destination": ["도착"], "home": ["본거지"],
    "origin": ["출발"], "sales": ["판매"], "selling": ["판매"], "approval": ["승인"], "average": ["평균"],
    "defect": ["불량"], "description": ["설명"], "detail": ["상세", "내역"], "division": ["본부", "사업부"], "goods": ["상품"],
    "history": ["이력"], "maximum": ["최대"], "option": ["옵션"], "phone": ["전화번호"], "priority": ["우선순위"],
    "promotion": ["프로모션", "판촉"], "record": ["기록"], "reference": ["참조"], "remark": ["비고"], "resolution": ["해결", "처리"],
    "salesperson": ["영업사원"], "segment": ["세그먼트", "고객군"], "sequence": ["순번"], "shipper": ["배송사", "운송사"],
    "standard": ["표준"], "supply": ["공급"], "support": ["지원"], "trade": ["거래"], "updated": ["수정"], "work": ["작업"],
    "bike": ["자전거"], "bicycle": ["자전거"], "mechanic": ["정비사"], "technician": ["기술자", "정비사"], "timestamp": ["시각"], "meter": ["계량기"],
    "license": ["면허"], "lane": ["차로"], "parcel": ["소포", "택배"], "farm": ["농장"], "crop": ["작물"], "animal": ["동물"], "species": ["종", "어종"],
    "court": ["코트"], "gym": ["헬스장"], "trainer": ["트레이너"], "workout": ["운동"], "ride": ["이용", "주행"], "dock": ["거치대"],
    "battery": ["배터리"], "scooter": ["킥보드"], "parking": ["주차"], "toll": ["통행료"], "shelf": ["선반"], "screening": ["상영"],
    "account": ["계정", "계좌"], "action": ["활동"], "activity": ["활동"], "actor": ["배우"], "address": ["주소"],
    "admission": ["입원", "입장"], "age": ["나이", "연령"], "agent": ["담당자", "상담원"], "airline": ["항공사"],
    "airport": ["공항"], "album": ["앨범", "음반"], "amount": ["금액", "액수"], "answer": ["답변"],
    "apartment": ["아파트"], "application": ["신청", "지원"], "appointment": ["예약"], "area": ["지역", "면적"],
    "article": ["기사", "글"], "artist": ["아티스트", "가수", "음악가"], "asset": ["자산"], "assignment": ["과제"],
    "attendance": ["출석", "근태"], "attendee": ["참석자"], "author": ["저자", "작가"], "balance": ["잔액"],
    "bank": ["은행"], "batch": ["배치"], "bed": ["병상"], "bid": ["입찰"], "bill": ["청구"],
    "block": ["블록"], "bonus": ["상여금", "보너스"], "book": ["도서", "책"], "booking": ["예약"], "box": ["상자"],
    "branch": ["지점", "분점"], "brand": ["브랜드"], "budget": ["예산"], "building": ["건물"], "bus": ["버스"],
    "business": ["사업"], "buyer": ["구매자"], "byte": ["용량", "바이트"], "call": ["통화", "콜"], "campaign": ["캠페인"],
    "capacity": ["정원", "수용량"], "car": ["차량", "자동차"], "card": ["카드"], "carrier": ["운송사"], "cart": ["장바구니"],
    "case": ["사건", "사례"], "category": ["분류", "카테고리", "종류"], "center": ["센터"], "channel": ["채널"],
    "charge": ["요금", "청구액"], "child": ["자녀"], "city": ["도시"], "claim": ["청구"], "class": ["등급"],
    "client": ["고객", "의뢰인"], "clinic": ["의원", "클리닉"], "code": ["코드"], "color": ["색상"],
    "colour": ["색상"], "comment": ["댓글", "의견"], "commission": ["수수료", "커미션"], "company": ["회사", "업체", "기업"],
    "complaint": ["민원", "불만"], "composer": ["작곡가"], "contact": ["연락처"], "contract": ["계약"], "copy": ["사본", "부수"],
    "cost": ["비용", "원가"], "count": ["개수"], "country": ["국가", "나라"], "coupon": ["쿠폰"],
    "course": ["과목", "강좌", "과정"], "credit": ["신용", "여신", "학점"], "currency": ["통화"], "damage": ["파손", "손상"], "customer": ["고객", "손님", "거래처"],
    "date": ["날짜", "일자"], "debt": ["부채"], "delivery": ["배송", "배달"], "department": ["부서", "학과", "진료과"],
    "deposit": ["예금", "보증금"], "device": ["기기", "장비"], "diagnosis": ["진단", "진단명", "병명"], "director": ["감독", "이사"],
    "discount": ["할인", "할인액"], "disease": ["질병"], "distance": ["거리"], "district": ["구역", "지구"], "doctor": ["의사"],
    "document": ["문서"], "donation": ["기부"], "donor": ["기부자"], "driver": ["기사", "운전자"], "drug": ["약", "약품", "의약품"],
    "duration": ["시간", "길이", "기간"], "employee": ["직원", "사원"], "energy": ["에너지"], "enrollment": ["수강", "등록"],
    "entry": ["항목"], "equipment": ["장비"], "error": ["오류"], "event": ["행사", "이벤트"], "exam": ["시험"],
    "expense": ["비용", "지출", "경비"], "facility": ["시설"], "factory": ["공장"], "fare": ["운임", "요금"],
    "fee": ["수수료", "요금"], "film": ["영화"], "fine": ["연체료", "벌금", "과태료"], "flight": ["항공편", "비행"],
    "food": ["음식"], "freight": ["운임", "운송비"], "game": ["경기", "게임"], "gender": ["성별"],
    "genre": ["장르"], "goal": ["득점", "목표"], "good": ["상품"], "grade": ["등급", "성적", "학년"], "group": ["그룹"],
    "guest": ["투숙객", "손님"], "height": ["높이"], "hospital": ["병원"], "hotel": ["호텔"], "hour": ["시간"],
    "house": ["주택"], "import": ["수입"], "income": ["수입", "소득"], "incident": ["사고", "사건"], "industry": ["업종", "산업"],
    "inspection": ["검사", "점검"], "instructor": ["강사"], "insurance": ["보험"], "interest": ["이자"], "inventory": ["재고"],
    "invoice": ["송장", "청구서"], "issue": ["이슈", "문제"], "item": ["품목", "항목", "상품"], "job": ["직무", "직업"],
    "keyword": ["키워드"], "lab": ["실험실", "연구실"], "language": ["언어"], "lead": ["리드"], "league": ["리그"],
    "lecture": ["강의"], "length": ["길이"], "lesson": ["수업"], "level": ["레벨", "수준"], "library": ["도서관"],
    "limit": ["한도", "제한"], "line": ["항목", "라인"], "listing": ["매물"], "loan": ["대출"], "location": ["위치", "장소"], "log": ["로그", "기록"],
    "machine": ["기계", "설비"], "mail": ["메일"], "maintenance": ["정비", "유지보수"], "major": ["전공"],
    "maker": ["제조사"], "manager": ["관리자", "매니저"], "manufacturer": ["제조사"], "market": ["시장"], "match": ["경기"],
    "material": ["자재", "재료"], "meal": ["식사"], "media": ["매체", "미디어"], "medicine": ["약", "의약품"],
    "meeting": ["회의"], "member": ["회원"], "membership": ["회원권", "멤버십"], "menu": ["메뉴"], "message": ["메시지"],
    "method": ["방법", "수단"], "millisecond": ["재생 시간", "길이", "밀리초"], "model": ["모델", "기종"],
    "month": ["월"], "movie": ["영화"], "name": ["이름"], "nation": ["국가"], "nationality": ["국적"],
    "news": ["뉴스"], "note": ["메모"], "number": ["번호"], "nurse": ["간호사"], "occupation": ["직업"], "office": ["사무소", "지사"],
    "order": ["주문"], "organization": ["기관", "조직"], "owner": ["소유자"], "package": ["패키지"], "page": ["페이지", "쪽수"],
    "park": ["공원"], "part": ["부품"], "partner": ["파트너", "협력사"], "passenger": ["승객"], "patient": ["환자"],
    "pay": ["급여"], "payment": ["결제", "지불"], "penalty": ["벌금", "위약금"], "percent": ["비율"], "performance": ["실적", "공연"],
    "person": ["사람"], "pet": ["반려동물"], "plan": ["계획", "요금제"], "plant": ["공장", "식물"], "platform": ["플랫폼"],
    "play": ["재생"], "player": ["선수"], "playlist": ["재생목록", "플레이리스트"], "point": ["점수", "포인트"],
    "policy": ["정책", "보험 계약"], "population": ["인구"], "port": ["항구"], "position": ["직위", "포지션"], "post": ["게시글", "글"],
    "premium": ["보험료"], "prescription": ["처방", "처방전"], "price": ["가격", "단가"], "procedure": ["시술", "절차"],
    "product": ["제품", "상품"], "production": ["생산", "생산량"], "professor": ["교수"], "profit": ["이익"], "program": ["프로그램"],
    "project": ["프로젝트"], "property": ["숙소", "부동산", "물건"], "publisher": ["출판사"], "purchase": ["구매"],
    "quantity": ["수량"], "quarter": ["분기"], "question": ["질문"], "rank": ["순위"], "rate": ["비율", "요율"],
    "rating": ["평점", "별점"], "reader": ["독자"], "reason": ["사유"], "receipt": ["영수증"], "recipe": ["요리법", "레시피"],
    "refund": ["환불"], "region": ["지역"], "registration": ["등록"], "rent": ["임대료", "월세"], "rental": ["대여"],
    "rep": ["담당자"], "repair": ["수리"], "report": ["보고서"], "request": ["요청"], "reservation": ["예약"],
    "result": ["결과"], "return": ["반품"], "revenue": ["매출", "수익"], "review": ["리뷰", "후기"], "role": ["역할", "직무"],
    "room": ["객실", "방", "호실"], "route": ["노선", "경로"], "salary": ["급여", "연봉"], "sale": ["판매", "매출"],
    "schedule": ["일정"], "school": ["학교"], "score": ["점수", "성적"], "season": ["시즌", "계절"], "seat": ["좌석"],
    "section": ["분반", "구역"], "seller": ["판매자"], "semester": ["학기"], "seminar": ["세미나"],
    "sensor": ["센서"], "service": ["서비스"], "session": ["세션"], "sex": ["성별"], "shift": ["근무조"],
    "ship": ["선박"], "shipment": ["출하", "배송"], "shipping": ["배송"], "shop": ["상점", "가게", "매장"], "show": ["공연"],
    "singer": ["가수"], "site": ["현장", "사이트"], "size": ["크기", "사이즈"], "song": ["곡", "노래"], "source": ["출처"],
    "speaker": ["연사"], "speed": ["속도"], "sport": ["종목", "스포츠"], "stadium": ["경기장"],
    "staff": ["직원"], "state": ["주", "상태"], "station": ["역", "정류장", "스테이션", "대여소"], "status": ["상태"], "stock": ["재고", "주식"],
    "store": ["매장", "점포", "가게"], "street": ["거리"], "student": ["학생"], "subject": ["과목", "주제"],
    "subscriber": ["구독자", "가입자"], "subscription": ["구독"], "supplier": ["공급업체", "공급사", "거래처"], "surgery": ["수술"],
    "survey": ["설문"], "target": ["목표"], "task": ["작업", "업무"], "tax": ["세금"], "taxi": ["택시"], "teacher": ["교사", "선생님"],
    "team": ["팀"], "temperature": ["온도", "기온"], "term": ["학기", "기간"], "test": ["검사", "시험"], "ticket": ["티켓", "입장권"],
    "tier": ["등급"], "time": ["시간", "시각"], "tip": ["팁"], "title": ["제목", "직함"], "topic": ["주제"], "total": ["합계", "총액", "금액"],
    "tour": ["투어"], "tournament": ["대회"], "town": ["마을"], "track": ["곡", "트랙", "노래"], "train": ["열차", "기차"],
    "transaction": ["거래"], "transfer": ["이체"], "treatment": ["치료", "진료"], "trip": ["여행", "운행"], "truck": ["트럭"],
    "type": ["유형", "종류"], "unit": ["단위"], "units": ["수량"], "university": ["대학", "대학교"], "usage": ["사용량"], "user": ["사용자", "이용자"],
    "vacation": ["휴가"], "value": ["가치"], "vehicle": ["차량"], "vendor": ["공급업체", "업체"], "venue": ["장소", "경기장"],
    "view": ["조회"], "visit": ["방문", "진료", "내원"], "visitor": ["방문자", "방문객"], "volume": ["물량", "거래량"],
    "vote": ["투표"], "wage": ["임금"], "ward": ["병동"], "warehouse": ["창고"], "warranty": ["보증"],
    "weather": ["날씨"], "website": ["웹사이트"], "weight": ["무게", "중량", "체중"], "worker": ["근로자", "작업자"], "writer": ["작가"],
    "year": ["연도"], "zone": ["구역", "존"],
}  # fmt: skip

_MORE: dict[str, list[str]] = {
    "employee": ["직원", "사원", "근로자"], "worker": ["근로자", "작업자", "직원"], "gig": ["공연"], "promoter": ["프로모터", "기획사"],
    "pick": ["피킹"], "star": ["별점"], "churn": ["이탈", "해지"], "attend": ["출석"],
    "participant": ["참가자", "참여자"], "role": ["역할", "직무", "포지션"], "tour": ["투어", "관광"], "category": ["분류", "카테고리", "종류", "구분"],
    "vet": ["수의사"], "leak": ["누수"], "fix": ["수리", "조치"], "wait": ["대기"], "talk": ["통화"], "abandoned": ["포기", "이탈"], "queue": ["대기열"],
    "callback": ["콜백", "회신"], "outcome": ["결과"], "consumption": ["사용량", "소비량"], "sewer": ["하수도"], "water": ["수도", "상수도"], "gas": ["가스"],
    "electricity": ["전기"], "vat": ["부가세", "부가가치세"], "auto": ["자동"], "severity": ["심각도"], "reading": ["검침", "측정값"], "caliber": ["구경"],
    "fuel": ["연료"], "auction": ["경매"], "vessel": ["어선", "선박"], "fish": ["어종", "생선"], "catch": ["어획"],
    "landing": ["양륙"], "lot": ["로트", "물량"], "fisher": ["어민"], "fisherman": ["어민"], "bidder": ["입찰자"], "freelancer": ["프리랜서"],
    "timesheet": ["근무기록", "타임시트"], "billable": ["청구 가능"], "hourly": ["시간당"], "dance": ["댄스"], "style": ["스타일", "장르"],
    "teacher": ["교사", "선생님", "강사"], "pupil": ["수강생", "학생"], "parent": ["학부모", "상위"], "recital": ["발표회"], "studio": ["스튜디오"],
    "pharmacy": ["약국"], "expiry": ["유효기한", "유통기한", "만료"], "dose": ["용량"], "newspaper": ["신문"], "edition": ["에디션"], "circulation": ["발행부수"],
    "ad": ["광고"], "advert": ["광고"], "advertiser": ["광고주"], "club": ["클럽", "구단"], "coach": ["코치", "감독"], "roster": ["로스터", "명단"],
    "win": ["승리"], "loss": ["패배"], "prize": ["상금"], "sponsor": ["스폰서", "후원사"], "round": ["라운드"], "away": ["원정"], "referee": ["심판"],
    "stage": ["단계", "스테이지"], "duration": ["시간", "길이", "기간", "소요시간"], "exhibition": ["전시", "전시회"], "exhibit": ["전시물"], "museum": ["박물관"],
    "gallery": ["갤러리", "전시실"], "guide": ["가이드", "해설사"], "entrance": ["입장"], "hall": ["전시관"], "curator": ["큐레이터"], "artwork": ["작품"],
    "donor": ["기부자", "후원자"], "collection": ["컬렉션"], "bin": ["보관위치"], "picker": ["피커", "작업자"], "picking": ["피킹"], "movement": ["입출고", "이동"],
    "inbound": ["입고"], "outbound": ["출고"], "adjustment": ["조정"], "cycle": ["주기"], "sku": ["품목"], "bakery": ["제과점", "빵집"], "cake": ["케이크"],
    "flour": ["밀가루"], "wholesale": ["도매"], "retail": ["소매"], "waste": ["폐기", "폐기량"], "laundry": ["세탁"], "garment": ["의류"],
    "tailor": ["재단사"], "hair": ["헤어"], "salon": ["미용실"], "massage": ["마사지"], "therapist": ["치료사", "테라피스트"], "spa": ["스파"],
    "locker": ["락커", "사물함"], "pass": ["이용권", "패스"], "checkin": ["체크인"], "entry": ["항목", "입장"], "tool": ["공구", "도구"], "mold": ["금형"],
    "downtime": ["정지 시간", "비가동 시간"], "scrap": ["불량", "폐기"], "yield": ["수율"], "shift": ["근무조", "교대"], "inspector": ["검사원", "점검자"],
    "voter": ["유권자"], "citizen": ["시민", "주민"], "permit": ["허가"], "license": ["면허", "라이선스"], "violation": ["위반"], "officer": ["담당관", "경찰관"],
    "lawyer": ["변호사"], "attorney": ["변호사"], "farmer": ["농부", "농가"], "seed": ["종자"], "milk": ["우유", "원유"], "cow": ["젖소"], "egg": ["계란"],
    "feed": ["사료"], "greenhouse": ["온실"], "hive": ["벌통"], "honey": ["벌꿀"], "vineyard": ["포도밭"], "wine": ["와인"], "grape": ["포도"],
    "barrel": ["오크통"], "beer": ["맥주"], "brewery": ["양조장"], "coffee": ["커피"], "bouquet": ["꽃다발"], "recipient": ["받는 사람", "수취인", "수령인"],
    "sender": ["보낸 사람", "발송인"], "courier": ["배달원", "택배기사", "택배사"], "rider": ["라이더", "탑승자"], "stop": ["정지", "비가동", "정류장"], "crew": ["승무원", "선원"],
    "cabin": ["선실"], "cruise": ["크루즈"], "voyage": ["항해"], "cargo": ["화물"], "customs": ["통관", "세관"], "surgeon": ["외과의사", "집도의"],
    "specimen": ["검체"], "blood": ["혈액"], "symptom": ["증상"], "therapy": ["치료"], "session": ["세션", "회차"], "insurer": ["보험사"],
    "classroom": ["교실", "강의실"], "enrolment": ["수강", "등록"], "scholarship": ["장학금"], "dorm": ["기숙사"], "faculty": ["학부", "교수진"],
    "camera": ["카메라"], "lens": ["렌즈"], "photo": ["사진"], "photographer": ["사진작가"], "shoot": ["촬영"], "video": ["영상", "비디오"],
    "viewer": ["시청자"], "view": ["조회", "조회수"], "like": ["좋아요"], "follower": ["팔로워"], "post": ["게시글", "글", "게시물"], "click": ["클릭", "클릭수"],
    "impression": ["노출", "노출수"], "conversion": ["전환"], "bug": ["버그"], "release": ["릴리스", "배포"], "developer": ["개발자"],
    "incident": ["사고", "사건", "장애"], "outage": ["장애"], "alert": ["경보", "알림"], "flat": ["아파트"], "broker": ["중개인", "중개사"],
    "deposit": ["예금", "보증금", "입금"], "elevator": ["승강기"], "theatre": ["극장"], "theater": ["극장"], "cinema": ["영화관"], "screen": ["상영관", "스크린"],
    "concert": ["콘서트", "공연"], "festival": ["축제"], "band": ["밴드"], "race": ["경주", "레이스"], "runner": ["주자"], "medal": ["메달"], "golf": ["골프"],
    "ski": ["스키"], "lift": ["리프트"], "camp": ["캠프"], "campsite": ["캠핑장"], "ride": ["이용", "주행", "탑승"], "trip": ["여행", "운행", "이용", "주행"],
    "distance": ["거리", "주행거리", "이동거리"], "charger": ["충전기"], "charging": ["충전"], "emission": ["배출량"], "gift": ["선물"],
    "voucher": ["상품권", "바우처"], "wallet": ["지갑"], "topup": ["충전"], "transfer": ["이체", "송금"], "remittance": ["송금"], "exchange": ["환전", "교환"],
    "principal": ["원금"], "installment": ["할부"], "collateral": ["담보"], "ledger": ["원장"], "volunteer": ["자원봉사자", "봉사자"],
    "donation": ["기부", "기부금", "후원"], "fund": ["기금", "펀드"], "grant": ["보조금"], "tree": ["나무"], "shelter": ["보호소"], "adoption": ["입양"],
    "speciality": ["전문 분야", "전공", "진료과"], "specialty": ["전문 분야", "전공", "진료과"], "town": ["마을", "도시"], "owner": ["소유자", "주인", "보호자"],
    "born": ["출생"], "reason": ["사유", "이유"], "usage": ["사용량", "이용"], "site": ["현장", "사이트", "지점", "사업장"],
    "survey": ["설문", "설문조사"], "escalation": ["이관"], "resolved": ["해결"], "skill": ["기술", "스킬"], "plan": ["계획", "요금제", "플랜"],
    "damage": ["파손", "손상", "사고"], "report": ["보고서", "신고"], "bill": ["청구", "청구서", "고지서"],
    "invoice": ["송장", "청구서", "청구"], "type": ["유형", "종류", "구분", "타입"], "model": ["모델", "기종", "차종"], "left": ["탈퇴"],
    "closed": ["마감", "종료", "해지"], "started": ["시작"], "ended": ["종료"], "start": ["시작", "출발"], "end": ["종료", "도착"], "dropoff": ["하차"],
    "origin": ["출발", "출발지"], "destination": ["도착", "도착지", "목적지"], "kind": ["종류"], "class": ["등급", "수업"], "margin": ["마진"],
    "boat": ["배", "보트", "선박", "어선"], "ton": ["톤", "톤수"], "quay": ["부두", "선착장"], "pontoon": ["부잔교", "폰툰"], "berth": ["선석"],
    "leader": ["리더", "대표", "팀장"], "segment": ["세그먼트", "고객군", "구분"], "package": ["패키지", "상품"], "job": ["작업", "직무", "직업"],
    "payment method": ["결제수단", "결제방법", "결제방식", "지불수단", "지불방법", "납부방법", "입금방법"],
    "payment": ["결제", "입금", "지불", "납부", "지급", "수납"], "machine": ["설비", "기계"], "door": ["문짝", "출입문"], "aisle": ["통로"], "basement": ["지하"],
    "deceased": ["고인"], "funeral hall": ["빈소"], "onhand": ["현재고"], "safety": ["안전"], "reorder": ["재주문"], "minimum": ["최소"], "pay": ["급여", "결제", "납부"],
}  # fmt: skip
"""Words of further trades, and further words for some of the first."""
KOREAN.update(_MORE)

ENGLISH: dict[str, list[str]] = {
    "bike": ["bicycle"],
    "total": ["amount", "value"],
    "borrower": ["reader", "member"],
    "warehouse": ["depot"],
    "freight": ["freight charge"],
    "fee": ["fee income", "fee revenue"],
    "customer": ["client", "buyer"],
    "client": ["customer"],
    "employee": ["staff", "support rep", "sales agent"],
    "track": ["song"],
    "artist": ["band", "musician"],
    "country": ["nation"],
    "millisecond": ["duration", "length", "playing time"],
    "invoice": ["bill"],
    "product": ["item"],
    "quantity": ["units", "units sold", "pieces"],
    "byte": ["file size", "size"],
    "doctor": ["physician"],
    "drug": ["medicine", "medication"],
    "department": ["dept"],
    "film": ["movie"],
    "movie": ["film"],
    "member": ["membership holder"],
    "gender": ["sex"],
    "sex": ["gender"],
    "loan": ["borrowing", "checkout"],
    "fine": ["penalty"],
    "store": ["shop"],
    "shop": ["store"],
    "teacher": ["instructor"],
    "vehicle": ["car"],
    "billing": ["bill"],
    "distance": ["km", "kilometers", "kilometres", "mileage"],
    "vet": ["veterinarian"],
    "vat": ["tax"],
    "pupil": ["student"],
    "speciality": ["specialty"],
    "courier": ["delivery driver"],
    "trip": ["ride", "journey"],
    "ride": ["trip"],
}

SHORT: dict[str, str] = {
    "pieces": "quantity", "qtty": "quantity", "len": "length", "lgth": "length", "meth": "method", "wid": "width", "dpth": "depth", "cnfm": "confirmed",
    "prop": "property", "prof": "profile", "natl": "nationality", "chg": "charge", "bkd": "booked", "bkng": "booking", "occ": "occupancy",
    "pssprt": "passport", "psprt": "passport", "chrg": "charge", "vhc": "vehicle", "wo": "work", "mnt": "maintenance", "loy": "loyalty",
    "frt": "freight", "biz": "business", "pub": "publication", "mob": "mobile", "cond": "condition", "lbr": "labor", "mi": "mileage", "chk": "check",
    "spec": "specialty", "lng": "longitude", "lat": "latitude", "pcs": "quantity", "flg": "flag", "ind": "flag", "wrnty": "warranty", "mntn": "maintenance", "qte": "quote",
    "stn": "station", "sta": "station", "cap": "capacity", "mech": "mechanic", "tech": "technician", "opn": "opened", "km": "distance",
    "durn": "duration", "vhcl": "vehicle", "bkg": "booking", "rm": "room",
    "gst": "guest", "pnl": "penalty", "amnt": "amount", "frm": "form", "cmpn": "campaign", "usg": "usage", "mtr": "meter",     "ht": "height", "temp": "temperature", "hse": "house", "lic": "license", "prem": "premium", "spd": "speed", "ts": "timestamp",
    "acct": "account", "acnt": "account", "addr": "address", "adm": "admission", "agt": "agent", "amt": "amount", "appt": "appointment",
    "apr": "approval", "arr": "arrival", "attd": "attendance", "avg": "average", "bal": "balance", "bldg": "building", "bgt": "budget",
    "br": "branch", "brn": "branch", "brnd": "brand", "bus": "business", "canc": "cancelled", "cat": "category", "catg": "category",
    "categ": "category", "cd": "code", "chnl": "channel", "chl": "channel", "clm": "claim", "clnt": "client",
    "cncl": "cancelled", "cnt": "count", "cntr": "contract", "cntry": "country", "cnty": "county", "co": "company", "comm": "commission",
    "comp": "company", "cpn": "coupon", "crd": "credit", "crdt": "credit", "crcy": "currency", "crs": "course", "cst": "cost", "ctg": "category", "ctgr": "category",
    "ctr": "center", "ctry": "country", "cty": "city", "cur": "currency", "curr": "currency", "cus": "customer", "cust": "customer", "d": "detail",
    "custm": "customer", "cstmr": "customer", "del": "delivery", "deliv": "delivery", "dlv": "delivery", "dlvr": "delivery", "dlvy": "delivery",
    "dep": "department", "dept": "department", "dmg": "damage", "desc": "description", "descr": "description", "det": "detail", "dtl": "detail", "dtls": "detail",
    "dist": "district", "disc": "discount", "dscnt": "discount", "dc": "discount", "div": "division", "dob": "birth", "doc": "document",
    "dr": "doctor", "dt": "date", "dte": "date", "dtm": "date", "dttm": "date", "dur": "duration", "emp": "employee", "empl": "employee",
    "enr": "enrollment", "equip": "equipment", "eqp": "equipment", "evt": "event", "exp": "expense", "fac": "factory", "fcty": "factory",
    "flt": "flight", "gds": "goods", "gen": "gender", "gndr": "gender", "grd": "grade", "grp": "group", "hosp": "hospital", "hp": "phone",
    "hr": "hour", "hrs": "hour", "hst": "history", "hist": "history", "ins": "insurance", "insp": "inspection", "inst": "instructor",
    "inv": "invoice", "invc": "invoice", "invt": "inventory", "isu": "issue", "itm": "item", "jnl": "journal", "lang": "language",
    "lctn": "location", "lmt": "limit", "lim": "limit", "ln": "line", "lvl": "level", "loc": "location", "mach": "machine", "matl": "material", "mtrl": "material",
    "max": "maximum", "mbr": "member", "mem": "member", "memb": "member", "mfg": "manufacturer", "mfr": "manufacturer", "mgr": "manager",
    "min": "minute", "mins": "minute", "mkt": "market", "mng": "manager", "mngr": "manager", "mon": "month", "mth": "month", "mthd": "method",
    "nm": "name", "nat": "nation", "no": "number", "nbr": "number", "num": "number", "ofc": "office", "opt": "option", "ord": "order",
    "ordr": "order", "odr": "order", "org": "organization", "ownr": "owner", "pat": "patient", "patnt": "patient", "pt": "patient",
    "pay": "payment", "paym": "payment", "pct": "percent", "perf": "performance", "pers": "person", "phn": "phone", "plc": "policy",
    "pmt": "payment", "pos": "position", "prc": "price", "prd": "product", "prdt": "product", "prdct": "product", "prod": "product",
    "proj": "project", "prj": "project", "prom": "promotion", "promo": "promotion", "prt": "part", "ptnr": "partner", "pur": "purchase",
    "purch": "purchase", "prch": "purchase", "qtr": "quarter", "qty": "quantity", "qnty": "quantity", "rcpt": "receipt", "rcv": "received",
    "rec": "record", "ref": "reference", "reg": "registered", "regn": "region", "req": "request", "resv": "reservation", "rsv": "reservation",
    "rsvt": "reservation", "ret": "return", "rtn": "return", "rev": "revenue", "rgn": "region", "rmk": "remark", "rmrk": "remark",
    "rpt": "report", "rsn": "reason", "rslt": "result", "rt": "rate", "rte": "route", "rx": "prescription", "sal": "salary", "sch": "schedule",
    "sec": "second", "sect": "section", "sem": "semester", "seq": "sequence", "shp": "shipping", "shpmt": "shipment", "shpt": "shipment",
    "sls": "sale", "slr": "seller", "slsmn": "salesperson", "sply": "supply", "spplr": "supplier", "supp": "supplier", "suppl": "supplier",
    "splr": "supplier", "sub": "subscription", "subj": "subject", "stat": "status", "stk": "stock", "sto": "store", "str": "store", "stor": "store",
    "sts": "status", "stts": "status", "stu": "student", "stud": "student", "std": "standard", "svc": "service", "srvc": "service",
    "srv": "service", "tchr": "teacher", "tel": "phone", "tm": "time", "tot": "total", "tran": "transaction", "trans": "transaction",
    "trns": "transaction", "trd": "trade", "trgt": "target", "tgt": "target", "trt": "treatment", "trx": "transaction", "ttl": "total",
    "txn": "transaction", "ty": "type", "typ": "type", "tp": "type", "uom": "unit", "upd": "updated", "usr": "user", "val": "value",
    "veh": "vehicle", "vis": "visit", "vst": "visit", "vend": "vendor", "vndr": "vendor", "vol": "volume", "wgt": "weight", "wh": "warehouse",
    "whs": "warehouse", "wrhs": "warehouse", "wk": "week", "wrk": "work", "wt": "weight", "ymd": "date", "ym": "month", "yyyymm": "month", "yymm": "month", "gb": "type", "gbn": "type", "capa": "capacity", "cls": "class", "tch": "teacher", "yr": "year", "zn": "zone",
}  # fmt: skip
"""Short forms of names, where they stand as a whole word."""

ROMANISED: dict[str, str] = {
    "gogaek": "customer", "gogek": "customer", "jumun": "order", "sangpum": "product", "jepum": "product", "pummok": "item",
    "geumaek": "amount", "gumaek": "amount", "kumaek": "amount", "suryang": "quantity", "danga": "price", "gagyeok": "price",
    "ilja": "date", "iljja": "date", "naljja": "date", "jiyeok": "region", "jiyok": "region", "sangtae": "status", "gubun": "type",
    "yuhyeong": "type", "bunryu": "category", "irum": "name", "ireum": "name", "seongmyeong": "name", "bunho": "number", "beonho": "number",
    "kodeu": "code", "hwanja": "patient", "uisa": "doctor", "byeongwon": "hospital", "byungwon": "hospital", "jinryo": "visit",
    "jillyo": "visit", "jinryobi": "fee", "cheobang": "prescription", "yakpum": "drug", "sunap": "payment", "gyeolje": "payment",
    "kyeolje": "payment", "maechul": "sale", "maeip": "purchase", "gumae": "purchase", "panmae": "sale", "jaego": "inventory",
    "changgo": "warehouse", "geoaecheo": "customer", "georaecheo": "customer", "georae": "transaction", "hoesa": "company",
    "buseo": "department", "jikwon": "employee", "sawon": "employee", "damdang": "manager", "damdangja": "manager", "hoewon": "member",
    "haksaeng": "student", "gyosu": "professor", "gwamok": "subject", "seongjeok": "grade", "hakgi": "semester", "jeomsu": "score",
    "baesong": "delivery", "chulgo": "shipment", "ipgo": "receipt", "banpum": "return", "hwanbul": "refund", "yeyak": "reservation",
    "gyeyak": "contract", "bohum": "insurance", "boheom": "insurance", "daechul": "loan", "gyejwa": "account", "janaek": "balance",
    "sugeum": "payment", "yeongsujeung": "receipt", "gongjang": "factory", "saengsan": "production", "bulryang": "defect",
    "seolbi": "machine", "jajae": "material", "maejang": "store", "jijeom": "branch", "jeompo": "store", "juso": "address",
    "jeonhwa": "phone", "yeonlakcheo": "phone", "seongbyeol": "gender", "nai": "age", "saengil": "birth", "deungrok": "registered",
    "deungrokil": "date", "jumunil": "date", "gigan": "term", "hapgye": "total", "chong": "total", "halin": "discount", "seyul": "rate",
    "bigo": "remark", "yegeum": "deposit", "mokpyo": "target", "silijeok": "performance", "siljeok": "performance", "bangmun": "visit",
}  # fmt: skip
"""Korean words in Latin letters, as old systems spell them."""

HEADS = {
    "date", "name", "code", "number", "id", "amount", "quantity", "price", "status", "type", "count", "total", "key", "rate", "fee",
    "grade", "address", "phone",
}  # fmt: skip
"""Words that names without separators end in: custnm, orderdate."""

ROLES = {
    "bill": "billing", "billto": "billing", "ship": "shipping", "shipto": "shipping", "sold": "sales", "soldto": "sales", "dest": "destination",
    "to": "destination", "from": "origin", "src": "origin", "source": "origin", "orig": "origin", "dep": "departure", "departure": "departure",
    "arr": "arrival", "arrival": "arrival", "sell": "selling", "buy": "buying", "home": "home", "delivery": "delivery",
}  # fmt: skip
"""Words before a key that say what the other table is to this one."""

PEOPLE = {"employee", "staff", "user", "person", "people", "worker", "personnel"}
ROLES_OF_PEOPLE = {
    "rep", "salesperson", "technician", "manager", "driver", "agent", "instructor", "trainer", "assignee", "owner", "author", "creator",
    "cashier", "clerk", "supervisor", "coach", "engineer", "mechanic", "guide", "inspector", "reviewer", "approver", "handler", "operator",
    "picker", "courier", "consultant", "advisor", "leader", "seller", "host", "chef", "designer", "planner", "therapist", "teacher",
    "stylist", "cleaner", "installer", "dispatcher", "caretaker",
}  # fmt: skip
"""Roles that people of one table have in another: the technician of a ticket is an employee."""

_BUY = (["주문하", "구매하", "사", "사들이"], ["order", "ordered", "buy", "bought", "purchase", "purchased"])
_BOOK = (["예약하"], ["book", "booked", "reserve", "reserved"])
_FILE = (["접수하", "접수되", "들어오"], ["open", "opened", "file", "filed", "submit", "submitted", "raised"])
_SHIP = (["배송하", "배송되", "출고하", "출고되"], ["ship", "shipped", "deliver", "delivered"])
SOLD = (["팔", "팔리", "판매하", "판매되", "나가"], ["sell", "sold", "selling"])
EARNED = (["올리", "벌"], ["generate", "generated", "earn", "earned", "bring in", "brought in"])

VERBS: dict[str, tuple[list[str], list[str]]] = {
    "order": (_BUY[0], [*_BUY[1], "place", "placed", "handle", "handled", "process", "processed"]), "purchase": _BUY, "invoice": _BUY, "receipt": _BUY, "sale": ([*SOLD[0], *_BUY[0][1:]], [*SOLD[1], *_BUY[1][2:]]), "visit": (["방문하", "내원하", "찾"], ["visit", "visited", "come", "came"]),
    "payment": (["결제하", "지불하", "납부하"], ["pay", "paid"]), "rental": (["대여하", "빌리"], ["rent", "rented"]),
    "loan": (["대출하", "빌리"], ["borrow", "borrowed", "loaned"]), "reservation": _BOOK, "booking": _BOOK, "appointment": _BOOK,
    "enrollment": (["수강하", "등록하"], ["enroll", "enrolled"]), "ticket": _FILE, "claim": _FILE, "request": _FILE, "complaint": _FILE,
    "incident": _FILE, "prescription": (["처방하", "처방되"], ["prescribe", "prescribed"]), "shipment": _SHIP, "delivery": _SHIP,
    "return": (["반품하", "반품되", "반납하"], ["return", "returned", "send back", "sent back"]), "donation": (["기부하", "헌혈하"], ["donate", "donated", "give", "gave", "given"]),
    "production": (["생산하", "생산되"], ["produce", "produced"]), "admission": (["입원하"], ["admit", "admitted"]),
    "repair": (["수리하"], ["repair", "repaired"]), "inspection": (["검사하", "점검하"], ["inspect", "inspected"]),
    "call": (["통화하"], ["call", "called", "handle", "handled", "take", "took", "taken"]), "trip": (["운행하", "이용하", "이용되", "타"], ["travel", "travelled", "drive", "drove", "driven", "use", "used"]), "ride": (["이용하", "타"], ["ride", "rode", "ridden", "use", "used"]), "subscription": (["구독하", "가입하"], ["subscribe", "subscribed"]),
}  # fmt: skip
"""The words for that one of these happened, where its rows are counted."""

HAPPENINGS = {
    "install": "installation", "rent": "rental", "ship": "shipment", "deliver": "delivery", "enroll": "enrollment", "reserve": "reservation",
    "inspect": "inspection", "subscribe": "subscription", "donate": "donation", "prescribe": "prescription",
}  # fmt: skip
"""Verbs that name a table of what happened: rent_hdr holds rentals."""

for _word, _said in TRADES.items():
    KOREAN[_word] = list(dict.fromkeys([*KOREAN.get(_word, []), *_said]))
_BRITISH = {
    "labour": "labor", "centre": "center", "licence": "license", "tyre": "tire", "programme": "program", "catalogue": "catalog",
    "metre": "meter", "litre": "liter", "cheque": "check", "storey": "floor", "jewellery": "jewelry", "enrolment": "enrollment",
    "instalment": "installment", "fibre": "fiber", "harbour": "harbor", "neighbour": "neighbor", "plough": "plow", "mould": "mold",
}  # fmt: skip
for _word, _said in _BRITISH.items():
    if _said in KOREAN:
        KOREAN.setdefault(_word, KOREAN[_said])
for _labor in ("labor", "labour", "work", "man"):
    KOREAN[f"{_labor} hour"] = ["작업시간", "작업 시간", "공수"]
    KOREAN[f"{_labor} time"] = ["작업시간", "작업 시간"]
for _charge in ("charge", "cost", "fee", "amount"):
    KOREAN[f"labor {_charge}"] = KOREAN[f"labour {_charge}"] = ["공임", "인건비", "공임비"]

SHORTENED = frozenset(KOREAN)
"""Words that names cut short are told to be: the common ones."""
LESS_COMMON = frozenset({*NOUNS, *WRITTEN}) - SHORTENED
for _word, _said in NOUNS.items():
    KOREAN[_word] = list(dict.fromkeys([*KOREAN.get(_word, []), *_said]))
for _word, _said in (*TRADE_WORDS.items(), *ALSO.items()):
    ENGLISH[_word] = list(dict.fromkeys([*ENGLISH.get(_word, []), *_said]))
for _part, _word in (*TRADE_SHORT.items(), *NOUNS_CUT.items()):
    SHORT.setdefault(_part, _word)
