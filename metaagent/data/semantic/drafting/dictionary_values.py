# ruff: noqa: E501 - a table of words is read by its columns
"""Words that data itself consists of, in Korean: kinds of goods, sports, crops, cases, sizes and the like, as categories name them."""

from __future__ import annotations

VALUES: dict[str, list[str]] = {
    "light": ["조명", "경미"], "cuppingscore": ["커핑점수"], "suite": ["스위트룸"], "minibar": ["미니바"], "lunch": ["점심"], "dinner": ["저녁"], "duty": ["관세", "근무"],
    "protein": ["단백질"], "wheat": ["밀"], "rice": ["쌀"], "corn": ["옥수수"], "atm": ["현금인출기"], "medium": ["매체", "중형", "중"], "electronics": ["전자제품"],
    "clothing": ["의류"], "apparel": ["의류"], "magazine": ["잡지"], "meat": ["고기", "육류"], "seafood": ["해산물"], "dairy": ["유제품"], "bread": ["빵"],
    "dessert": ["디저트"], "tea": ["차"], "spirit": ["주류"], "cosmetic": ["화장품"], "beauty": ["미용", "뷰티"], "health": ["건강"], "outdoor": ["아웃도어", "야외"],
    "indoor": ["실내"], "kitchenware": ["주방용품"], "stationery": ["문구"], "software": ["소프트웨어"], "hardware": ["하드웨어"], "domestic": ["국내"],
    "international": ["해외", "국제"], "local": ["지역", "현지"], "overseas": ["해외"], "regular": ["일반", "정기"], "basic": ["기본", "베이직"], "deluxe": ["디럭스"],
    "family": ["가족", "패밀리"], "single": ["싱글", "1인실"], "double": ["더블", "2인실"], "twin": ["트윈"], "adult": ["성인", "어른"], "senior": ["경로", "노인", "시니어"],
    "youth": ["청소년"], "corporate": ["법인", "기업"], "individual": ["개인"], "private": ["개인", "사설"], "public": ["공공", "공용"], "government": ["정부", "관공서"],
    "military": ["군"], "yoga": ["요가"], "pilates": ["필라테스"], "swimming": ["수영"], "boxing": ["복싱"], "spinning": ["스피닝"], "cardio": ["유산소"],
    "tennis": ["테니스"], "football": ["축구"], "soccer": ["축구"], "baseball": ["야구"], "basketball": ["농구"], "volleyball": ["배구"], "hiking": ["등산"],
    "cycling": ["사이클", "자전거"], "running": ["달리기", "러닝"], "divorce": ["이혼"], "criminal": ["형사"], "civil": ["민사"], "immigration": ["이민"],
    "flood": ["홍수", "침수"], "collision": ["충돌", "추돌"], "storm": ["폭풍"], "travel": ["여행"], "marine": ["해상"], "life": ["생명", "생명보험"], "motor": ["자동차"],
    "cancer": ["암"], "dental": ["치과"], "eye": ["안과"], "skin": ["피부", "피부과"], "apple": ["사과"], "pear": ["배"], "peach": ["복숭아"], "strawberry": ["딸기"],
    "tomato": ["토마토"], "potato": ["감자"], "onion": ["양파"], "garlic": ["마늘"], "cabbage": ["배추", "양배추"], "carrot": ["당근"], "pepper": ["고추"],
    "lettuce": ["상추"], "mushroom": ["버섯"], "barley": ["보리"], "soybean": ["콩"], "pork": ["돼지고기"], "beef": ["소고기"], "salt": ["소금"], "sugar": ["설탕"],
    "north": ["북부", "북쪽"], "south": ["남부", "남쪽"], "east": ["동부", "동쪽"], "west": ["서부", "서쪽"], "central": ["중부", "중앙"], "downtown": ["시내", "도심"],
    "web": ["웹"], "app": ["앱"], "online": ["온라인"], "offline": ["오프라인"], "direct": ["직접", "직판"], "small": ["소형", "소"],
    "large": ["대형", "대"], "minor": ["경미"], "severe": ["심각"], "critical": ["치명적", "긴급"], "heavy": ["대형", "무거운"], "express": ["특급", "급행", "익일"],
    "economy": ["이코노미", "일반석"], "silver": ["실버", "은"], "bronze": ["브론즈"], "platinum": ["플래티넘"], "new": ["신규"], "weekend": ["주말"],
    "holiday": ["휴일", "공휴일"], "peak": ["성수기", "피크"], "spring": ["봄"], "summer": ["여름"], "autumn": ["가을"], "winter": ["겨울"], "camera": ["카메라"],
    "lens": ["렌즈"], "student": ["학생"], "gold": ["골드", "금"], "fire": ["화재"], "theft": ["도난"], "water": ["수도", "물", "상수도"], "milk": ["우유", "원유"],
    "egg": ["계란", "달걀"], "chicken": ["닭", "닭고기"], "honey": ["꿀", "벌꿀"], "oil": ["기름", "오일"], "fruit": ["과일"], "vegetable": ["채소", "야채"],
    "fish": ["생선", "어종"], "coffee": ["커피"], "beer": ["맥주"], "cake": ["케이크"], "wine": ["와인"], "dance": ["댄스"], "golf": ["골프"],
    "labor": ["노동", "인건비", "공임"], "auto": ["자동차", "자동"], "furniture": ["가구"], "toy": ["장난감", "완구"], "shoe": ["신발"], "book": ["도서", "책"],
    "food": ["식품", "음식"], "beverage": ["음료"], "snack": ["간식", "과자"], "first": ["첫", "일등석"], "business": ["비즈니스", "사업"],
    "standard": ["표준", "스탠다드", "일반"], "major": ["중대", "전공"], "truck": ["트럭", "화물차"], "bus": ["버스"], "bike": ["자전거"], "scooter": ["킥보드", "스쿠터"],
    "boat": ["보트", "어선"], "ship": ["선박"], "train": ["열차", "기차"], "taxi": ["택시"], "car": ["차량", "자동차"],     "website": ["웹사이트", "홈페이지"], "agency": ["대리점", "기관", "에이전시", "여행사"], "hotel": ["호텔"], "restaurant": ["식당", "레스토랑", "음식점"], "cafe": ["카페"],
    "hospital": ["병원"], "school": ["학교"], "clinic": ["의원", "클리닉", "병원"], "pharmacy": ["약국"], "apartment": ["아파트"], "office": ["사무실", "사무소", "지사"],
    "store": ["매장", "점포", "가게"], "shop": ["가게", "상점", "매장"], "warehouse": ["창고", "물류센터"], "farm": ["농장"], "review": ["리뷰", "후기"],
    "inspection": ["검사", "점검"], "vaccination": ["접종", "예방접종"], "legal": ["법률"], "finance": ["금융"], "game": ["게임"], "pharma": ["제약"],
    "retail": ["소매"], "manufacturing": ["제조"], "construction": ["건설"], "education": ["교육"], "logistics": ["물류"], "energy": ["에너지"], "media": ["미디어"],
    "automotive": ["자동차"], "hospitality": ["숙박"], "agriculture": ["농업"], "insurance": ["보험"], "banking": ["은행"], "technology": ["기술"],
    "translation": ["번역"], "proofreading": ["교정"], "company": ["회사", "기업", "법인"], "drone": ["드론"], "house": ["주택"], "villa": ["빌라"],
    "studio": ["스튜디오", "원룸"], "land": ["토지"], "sedan": ["세단"], "van": ["밴", "승합차"], "suv": ["SUV"], "electric": ["전기"], "diesel": ["디젤", "경유"],
    "petrol": ["휘발유"], "gasoline": ["휘발유"], "hybrid": ["하이브리드"], "gas": ["가스"], "electricity": ["전기"], "solar": ["태양광"], "wind": ["풍력"],
    "home": ["주택", "가정"], "pet": ["펫", "반려동물"], "bacteria": ["세균"], "metal": ["금속"], "juice": ["주스"], "soda": ["탄산음료"], "whisky": ["위스키"],
    "cheese": ["치즈"], "butter": ["버터"], "yoghurt": ["요구르트"], "mountain": ["산악"], "road": ["도로"], "city": ["시내"], "helmet": ["헬멧"], "ski": ["스키"],
    "snowboard": ["스노보드"], "tent": ["텐트"], "kayak": ["카약"], "surfboard": ["서핑보드"], "guitar": ["기타"], "piano": ["피아노"], "violin": ["바이올린"],
    "drum": ["드럼"], "english": ["영어"], "math": ["수학"], "science": ["과학"], "history": ["역사"], "korean": ["한국어"],
    "chinese": ["중국어"], "japanese": ["일본어"], "german": ["독일어"], "french": ["프랑스어"], "spanish": ["스페인어"], "cat": ["고양이"], "dog": ["강아지", "개"],
    "rabbit": ["토끼"], "bird": ["새"], "hamster": ["햄스터"], "transfer": ["이체"], "cash": ["현금"], "sick": ["병가"], "annual": ["연차"], "maternity": ["출산"],
    "full time": ["정규직"], "part time": ["파트타임", "시간제"], "contractor": ["계약직"], "intern": ["인턴"], "breakage": ["파손"], "wedding": ["결혼식", "웨딩"],
    "concert": ["콘서트"], "conference": ["컨퍼런스", "학회"], "exhibition": ["전시"], "seminar": ["세미나"], "workshop": ["워크숍"], "festival": ["축제"],
}  # fmt: skip

_PLACES = """
seoul=서울,서울시,서울특별시; busan=부산,부산시,부산광역시; daegu=대구,대구시,대구광역시; incheon=인천,인천시,인천광역시; gwangju=광주,광주시,광주광역시
daejeon=대전,대전시,대전광역시; ulsan=울산,울산시,울산광역시; sejong=세종,세종시,세종특별자치시; gyeonggi=경기,경기도; gangwon=강원,강원도,강원특별자치도
chungbuk=충북,충청북도; chungnam=충남,충청남도; jeonbuk=전북,전라북도,전북특별자치도; jeonnam=전남,전라남도; gyeongbuk=경북,경상북도; gyeongnam=경남,경상남도
jeju=제주,제주도,제주시,제주특별자치도; suwon=수원,수원시; seongnam=성남,성남시; goyang=고양,고양시; yongin=용인,용인시; bucheon=부천,부천시; ansan=안산,안산시
anyang=안양,안양시; cheongju=청주,청주시; cheonan=천안,천안시; jeonju=전주,전주시; pohang=포항,포항시; changwon=창원,창원시; gimhae=김해,김해시
chuncheon=춘천,춘천시; wonju=원주,원주시; gangneung=강릉,강릉시; mokpo=목포,목포시; yeosu=여수,여수시; suncheon=순천,순천시; gunsan=군산,군산시
gyeongju=경주,경주시; gumi=구미,구미시; jinju=진주,진주시; tongyeong=통영,통영시; paju=파주,파주시; gimpo=김포,김포시; pyeongtaek=평택,평택시
"""
"""Places, said in either language; a value may be the short name or the full one."""
for _line in _PLACES.replace("\n", ";").split(";"):
    _word, _, _said = _line.strip().partition("=")
    if _word:
        VALUES[_word] = [str(_one) for _one in _said.split(",")]
