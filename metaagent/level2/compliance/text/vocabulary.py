"""Words of benefits: which nouns name which kind, which verbs say that something is given, and which names a column has.

Phrases are regular expressions in two languages. The order of the kinds decides where one word fits two ("gift card").
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from metaagent.level2.compliance.text.quick import Quick
from metaagent.level2.compliance.text.regex_prefilter import divided

NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "expense_id", "번호", "전표번호", "전표 번호", "문서번호", "receipt_no", "no", "ref", "reference"),
    "date": (
        "date", "expense_date", "일자", "날짜", "사용일", "사용일자", "지출일", "지출일자", "결제일", "제공일", "제공일자",
        "행사일", "일시",
        "day", "paid_on", "spent_on", "payment_date", "transaction_date", "visit_date", "event_date",
    ),
    "category": (
        "category", "expense_category", "항목", "구분", "비목", "비용 항목", "지출항목", "지출 항목", "지출유형", "유형",
        "종류", "계정",
        "계정과목", "제공유형", "type", "kind", "expense_type", "benefit", "benefit_type",
    ),
    "amount": (
        "amount", "금액", "사용금액", "비용", "expense_amount", "총액", "합계", "결제금액", "지출금액", "지급액", "제공금액",
        "총금액",
        "사용액", "total", "total_amount", "cost", "sum", "value", "price", "amount_krw", "krw", "won", "paid", "spent",
    ),
    "each": (
        "1인당", "1인당 금액", "1인당금액", "인당", "인당 금액", "인당금액", "1인 금액", "per_person", "per person",
        "per_head", "per head",
        "amount_per_person", "amount_per_head", "cost_per_person", "cost_per_head", "each",
    ),
    "vat": ("vat", "부가세", "vat_amount", "부가가치세", "세액", "tax", "tax_amount"),
    "vat_included": (
        "vat_included", "vat included", "부가세포함", "부가세 포함", "부가세여부", "부가세 여부", "부가세포함여부",
        "부가세 포함 여부",
        "includes_vat", "incl_vat", "vat_incl", "tax_included", "is_vat_included", "gross",
    ),
    "heads": (
        "heads", "attendees", "인원", "참석자수", "참석 인원", "headcount", "head_count", "참석인원", "인원수", "인원 수",
        "명수", "대상인원",
        "참석자 수", "수령인원", "people", "persons", "participants", "guests", "pax", "num_people", "number_of_people", "count",
    ),
    "doctors": (
        "doctors", "doctor", "doctor_name", "의사", "수령자", "의료인", "recipients", "recipient", "수령인", "대상자",
        "참석자", "참석자명",
        "제공대상", "제공 대상", "의사명", "의료인명", "보건의료인", "hcp", "hcps", "hcp_name", "recipient_name",
        "attendee_names",
        "names", "physician", "physicians", "speaker", "강연자", "연자",
    ),
    "institution": (
        "institution", "hospital", "hospital_id", "병원", "기관", "요양기관", "거래처", "기관명", "병원명", "요양기관명",
        "의료기관", "소속",
        "소속기관", "소속 기관", "거래처명", "organization", "organisation", "clinic", "account", "customer", "hospital_name",
        "affiliation", "site",
    ),
    "public": (
        "public", "is_public", "공공기관", "공공", "공공기관여부", "공공기관 여부", "공직자", "공직자여부", "공직자 여부",
        "public_sector",
        "is_public_sector", "government", "public_institution",
    ),
    "rep": (
        "rep", "rep_id", "담당자", "사원", "담당", "영업사원", "작성자", "사용자", "사원명", "employee", "employee_id",
        "sales_rep", "owner",
        "submitted_by", "spent_by",
    ),
    "event": ("event", "visit_id", "방문번호", "event_id", "행사번호", "방문 번호"),
    "occasion": ("occasion", "행사", "행사유형", "행사 유형", "event_type", "목적", "purpose"),
    "hours": ("hours", "시간", "강연시간", "강연 시간", "lecture_hours", "duration_hours", "시간수"),
    "note": (
        "note", "비고", "적요", "내용", "memo", "notes", "메모", "설명", "상세", "품목", "품명", "물품", "item",
        "description", "remark",
        "remarks", "details", "comment",
    ),
}  # fmt: skip
"""Under which names a column of rows holds a fact."""

_GOODS_KO = (
    "볼펜|만년필|펜(?![가-힣])|텀블러|머그(?:잔|컵)?|컵(?![가-힣])|메모지|포스트잇|노트(?!북)(?![가-힣])|다이어리|달력|"
    "캘린더|우산|"
    "양산|수건|타월|usb|보조\\s?배터리|"
    "충전기|마우스(?!\\s?패드 실험)|키보드|이어폰|헤드폰|스피커|태블릿|노트북|휴대폰|스마트폰|아이패드|시계|가방|지갑|"
    "넥타이|벨트|스카프|머플러|"
    "화장품|향수|비누|샴푸|와인|양주|위스키|샴페인|전통주|홍삼|인삼|건강\\s?식품|영양제|"
    "한우(?![진성석람영현재혁](?![가-힣]))|갈비\\s?세트|굴비|과일|한과|"
    "떡|케이크|빵(?![가-힣])|쿠키|초콜릿|꽃다발|화환|화분|난(?=을|\\s?화분)|골프공|골프채|장갑|모자|담요|인형|장난감|"
    "도서(?!관)|책(?=을|\\s?\\d)|액자|거울|청소기|공기\\s?청정기|안마\\s?의자|안마기|커피\\s?머신|냉장고|가습기|선풍기|"
    "에어\\s?프라이어|가전|"
    "에코백|파우치|손\\s?소독제|마스크\\s?(?:팩|세트|한)|명절\\s?세트|선물\\s?세트|세트(?=를|\\s?한|\\s?씩)"
)
_GOODS_EN = (
    r"\b(?:pens?|tumblers?|mugs?|cups?|notebooks?|note ?pads?|memo pads?|pads?(?= with| worth| costs?| to| for|,)|"
    r"diar(?:y|ies)|calendars?|umbrellas?|towels?|"
    r"usb (?:stick|drive)s?|power ?banks?|chargers?|headphones|earphones|earbuds|speakers? set|tablets? (?:pc|computer)|ipads?|"
    r"laptops?|smart ?phones?|smartwatch(?:es)?|watch(?:es)?|handbags?|wallets?|ties|scar(?:f|ves)|perfumes?|cosmetics|"
    r"wines?|whisk(?:e)?y|champagne|ginseng|beef set|hampers?|fruit baskets?|chocolates?|cakes?|cookies|flowers|"
    r"bouquets?|golf (?:balls|clubs)|caps?(?= with| worth| as)|blankets?|toys?|books?(?= worth| as)|appliances?|"
    r"massage chairs?|coffee machines?|furniture|air purifiers?|tote bags?)\b"
)

WORDS: Mapping[str, str] = {
    "cash": (
        "현금(?!\\s?(?:영수증|흐름|매출|할인|결제|계산)|으로\\s?(?:결제|계산))|상품권|"
        "(?:식사|외식|뷔페|음료|커피)(?:권(?![하해한했유])|\\s?(?:이용|교환)권)|기프티콘|기프트\\s?카드|기프트콘|"
        "사례금|촌지|금일봉|조의금|부의금|축의금|부조금|"
        "돈\\s?봉투|(?<!서류\\s)(?<!약\\s)봉투(?=[를을에]|\\s(?:하나|한|두|\\d))|금전|뒷돈|페이백|캐시백|선불\\s?카드|"
        "모바일\\s?쿠폰|쿠폰|포인트\\s?충전|"
        r"\bcash\b(?! flow| register|-flow)|\bvouchers?\b|"
        r"\b(?:coffee|shopping|department store|fuel|book|meal) (?:gift )?cards?\b|"
        r"\bgift ?cards?\b|\bgift certificates?\b|\bcoupons?\b|"
        r"\bprepaid cards?\b|\bkickbacks?\b|\benvelopes? (?:with|of|containing)\b|"
        r"(?<!private )(?<!own )(?<!personal )\bmoney\b"
    ),
    "lecture_fee": (
        "강연료|강의료|강연\\s?사례비?|(?<!강)연자료|강사료|강연비|자문료|자문비|좌장료|원고료|"
        r"lecture_fee|\b(?:speaker|consulting) (?:contract|agreement)s?\b|\bhonorari\w+|\blectur\w+ fees?\b|\bspeak(?:er|ing"
        r"|er's|ers') fees?\b|\bconsult\w+ fees?\b|"
        r"\badvisory fees?\b"
    ),
    "entertainment": (
        "골프(?!공|채)|라운딩|그린피|캐디피|카트비|유흥|룸살롱|단란\\s?주점|향응|2차를|가족\\s?여행|여행(?!사|자|\\s?제한)|관광|크루즈|뮤지컬|"
        "콘서트|공연|입장권|관람권|"
        "티켓|회원권|이용권|마사지(?!기|\\s?기|\\s?의자)|호캉스|리조트|"
        r"\bgolf\b(?! balls| clubs)|\bholidays?\b(?= for| with| in| to|,|\.| trip)|\bvacations?\b|"
        r"\b(?:family|jeju|pleasure|leisure|weekend|overseas|golf|free) trips?\b|"
        r"\btrips? (?:to|for)\b|\bcruises?\b|\bconcerts?\b|\bmusical\b|"
        r"\b(?<!train )(?<!bus )(?<!parking )(?<!plane )tickets?\b(?!\s?(?:no\b|number|#|[A-Z]{1,4}-?\d))|\bnight ?clubs?\b|"
        r"\bkaraoke\b|\bspa\b|"
        r"\bresorts?\b|\bmassage\b(?! chair)|\bentertainment\b"
    ),
    "meal": (
        "식사|식대|식음료|석식|조식|야식|식권|(?<![가-힣])[A-Z]?코스(?=로|\\(|\\s?메뉴)|음식물?(?!\\s?가액)|만찬|오찬|조찬|"
        "뷔페|한정식|"
        "코스\\s?요리|오마카세|스테이크|초밥|베이글|도넛|햄버거|치킨|주스|브런치|점심(?!\\s?시간|\\s?이후|\\s?후|때|"
        "\\s?무렵|\\s?직후|"
        "\\s?전)|"
        "저녁(?!에\\s|\\s?\\d|때|\\s?무렵|\\s?늦|\\s?시간|\\s?회진|\\s?진료|\\s?근무|\\s?수술|\\s?당직|\\s?회의|\\s?외래|"
        "\\s?방문|\\s?세션)|아침\\s?식사|회식|다과|간식|도시락|샌드위치|김밥|피자|"
        "커피(?!\\s?머신|\\s?자판기|\\s?향|숍|\\s?전문점)|"
        "음료|케이터링|술자리|술(?=을|\\s?한)|주류|한식|일식|중식|양식(?=으로|당|집|\\s?(?:코스|레스토랑|뷔페|당))|"
        r"\bmeals?\b|\bdinners?\b|\blunch(?:es|eon)?\b(?! ?break| ?time| hour)|\bbreakfasts?\b|\bbrunch\b|"
        r"\bfood\b(?! effect| intake| safety)|"
        r"\bbeverages?\b|\bdrinks?\b|\bcatering\b|"
        r"\bbuffets?\b|\bsandwich\w*\b|\bpizza\b|\bcoffees?\b(?! machine| shop| (?:gift )?cards?\b)|"
        r"\brefreshments?\b|\bjuices?\b|\bbagels?\b|\bdo(?:ugh)?nuts?\b|\bburgers?\b|\bsteaks?\b|\bsushi\b|\bkimbap\b|"
        r"\bsalads?\b|"
        r"\bset menus?\b|\bmenus?\b|\bsnacks?\b|\blunch ?box(?:es)?\b|\bsupper\b|\bto eat\b|\bbarbecue\b"
        r"|\bbills?(?= of [\d,]+ won\b[^.;]{0,30}(?:a head|per (?:person|head)|each))"
    ),
    "sample": r"견본품|견본|샘플(?!링)|\bsamples?\b(?! size)",
    "gift": (
        "선물(?!했|하였|하고|하며|함|해|드렸|드림|한\\s)|기념품|판촉물|판촉품|경품|사은품|답례품|물품(?!\\s?(?:대금|명세|"
        "목록))|경제적\\s?이익|편익|금품|"
        r"\bgifts?\b|\bsouvenirs?\b|\bpromotional items?\b|\bgive-?aways?\b|\bpresents\b|\bmerchandise\b|"
        f"{_GOODS_KO}|{_GOODS_EN}"
    ),
    "lodging": r"숙박|호텔(?:비|\s?객실)|\blodging\b|\baccommodation\b|\bhotels?\b",
    "travel": (
        "교통비|항공권|항공료|항공편|여비|택시|출장비|체재비|등록비|참가비|학회비|기차표|KTX|"
        r"\btravel\b|\bflights?\b|\b(?:train|bus|plane) tickets?\b|\bairfares?\b|\btaxis?\b|\bregistration fees?\b|"
        r"\bbusiness class\b"
    ),
    "unclear": r"사례비|수고비|거마비|보상금",
    "donation": r"기부금|후원금|찬조금|협찬금|발전\s?기금|\bdonations?\b|\bsponsorships?\b",
    "venue": r"대관료|장소\s?임차|대관|\bvenue\b",
}
"""Words that name each kind of benefit."""


def _english(words: str) -> str:
    """The alternatives of an expression without Hangul."""
    return "|".join(part for part in divided(words) if not re.search("[가-힣]", part))


def _any_kind(words: Mapping[str, str]) -> str:
    return "|".join(f"(?P<{kind}>{some})" for kind, some in words.items() if some)


BENEFIT = Quick(_any_kind(WORDS), re.IGNORECASE)
BENEFIT_EN = Quick(
    _any_kind({kind: rf"\b(?:{some})" for kind, words in WORDS.items() if (some := _english(words))}),
    re.IGNORECASE,
)
"""The same for text without Hangul, looked for at the beginnings of words alone."""


def benefits_in(text: str, *, korean: bool) -> list[re.Match[str]]:
    """The nouns of benefits, each match with its kind as the name of its group."""
    return list((BENEFIT if korean else BENEFIT_EN).finditer(text))


PLACES_TO_EAT = Quick(
    r"식당|[가-힣]{1,4}집(?=에서)|레스토랑|음식점|고깃집|횟집|일식집|카페|주점|호프집|\brestaurants?\b|\bcaf[eé]s?\b|"
    r"\bbistros?\b|\bbars?\b",
    re.IGNORECASE,
)

GIVES_KO = re.compile(
    r"제공|지급|전달|증정|배부|배포|배송|예매|발송|"
    r"(?<!말씀)(?<!말씀을\s)(?<!안내)(?<!설명)(?<!답변)(?<!보고)(?<!연락)(?<!전화)(?<!인사)(?<!인사만\s)"
    r"(?<!감사)(?<!부탁)(?<!요청)(?<!문의)(?<!공유)(?<!질문)(?<!여쭤)드[렸림립리릴린]|대접|접대|지원|후원|협찬|보냈|보내|보낸|"
    r"건넸|건네|건넨|놓고\s?왔|두고\s?왔|놓아\s?[두뒀]|올려\s?[두뒀]|돌아갔|"
    r"선물|나눠|나누어|"
    r"사\s?줬|사\s?주|샀|결제|지불|지출|부담|대납|계산|쐈|함께|같이|먹었|먹고|먹음|마셨|마시|들었|들며|준비|마련|챙겨|챙긴|"
    r"약속|제안|송금|입금|이체|"
    r"기부|예약|초대|모시|모셔|모신|설치|돌렸|돌린|돌려|내\s?주|넣어|넣었|전했|전한|전송|썼|사용했|사용함|나왔|가졌|가지며|"
    r"진행|처리|곁들|베풀|"
    r"주기로|주겠|주었|줬|준다|준\s|(?<![가-힣])주지(?=\s?(?:않|못|말|마|아니))|받았|받으|수령|(?<=[를을])\s?(?:하고|하며|했|"
    r"하였|함|한\s|마치|끝내|가진|하셨)|즐겼|보태|"
    r"대신\s?내|냈(?=[습다고음어지])"
)
GIVES_EN = re.compile(
    r"\b(?:serv(?:e|ed|es|ing)|provid\w+|gave|giv(?:e|en|es|ing)|bought|buy(?:ing)?|paid|pay(?:ing|s)?|treat(?:ed|ing)?|"
    r"offer(?:ed|ing|s)?|hand(?:ed|ing)?|sent|send(?:ing)?|host(?:ed|ing)?|cover(?:ed|ing)?|sponsor(?:ed|ing)?|suppl(?:y|ied)|"
    r"distribut\w+|left|had|took|take|promis\w+|invit\w+|receiv\w+|got|get (?:you|him|her|them)|shared|ate|joined|on us|"
    r"our treat|at our (?:own )?expense|"
    r"went home with|"
    r"pass(?:ed|ing)|arrang\w+|organi[sz]ed|laid on|order(?:ed)?|reimburs\w+|fund(?:ed|ing)?|deliver\w*|donat\w+|"
    r"transferr\w+|enjoyed|came with|brought|present(?:ed)? (?:him|her|them|each|the doctor)|shipped|mailed|booked|cost|"
    r"included|"
    r"followed by|over (?:a )?(?:meal|lunch|dinner|coffee))\b",
    re.IGNORECASE,
)
GENERIC = re.compile(
    r"선물|기념품|판촉물|판촉품|경품|사은품|물품|금품|경제적|편익|식사|식대|식음료|음식|간식|다과|상품|gifts?|souvenirs?|"
    r"promotional|"
    r"give-?aways?|presents|merchandise|meals?|food|refreshments?|snacks?|catering",
    re.IGNORECASE,
)
"""Nouns of a benefit that may stand for another noun of the same kind."""
MEAL_TIMES = re.compile(r"점심|저녁|오찬|만찬|조찬|아침|lunch|dinner|breakfast|supper|brunch", re.IGNORECASE)
UNSETTLED = Quick(
    r"\bto follow\b|\bwill be (?:settled|agreed|decided|invoiced)\b|정산할|청구\s?예정|미정|미기재|미확정|미확인|미정산|"
    r"추후|나중에|협의\s?중|조율\s?중|확인\s?중|정산\s?(?:중|전|예정|하지)|정해지지|"
    r"확정되지|(?<!인)(?<!규)(?<!부)정하지\s?(?:않|못)|알\s?수\s?없|"
    r"모르|모름|기억나지|분실|잃어버|확인이\s?안|확인되지|기재하지|"
    r"\bto be (?:confirmed|decided|determined|agreed|added|announced|set)\b|\btb[acd]\b|"
    r"\b(?:not|n't|yet) (?:yet )?(?:been )?(?:known|decided|set|agreed|fixed|settled|confirmed|available)\b|"
    r"\bunknown\b|\blater\b|\bunder discussion\b|\bpending\b|\bno idea\b",
    re.IGNORECASE,
)
"""The amount is said not to be known."""
OWN_POCKET = Quick(
    r"각자|더치\s?페이|각출|각\s?자|(?<![가-힣])(?:제|내)\s?(?:밥값|식대|점심값|커피값)만|\bpaid (?:for )?(?:mine|hers|theirs)\b|"
    r"(?:개인|본인)\s?(?:부담|비용|카드)|개카(?![가-힣])|혼밥|자비로|제\s?몫|"
    r"(?:원장|교수|과장|선생|의사|약사|본인|가족)\S{0,2}(?:이|가|께서)\s?(?:직접|스스로|개인적으로|따로|전부|모두)\s?(?:부담|"
    r"결제|계산|지불)하[시셨심신]|"
    r"(?:직원|환자|보호자|가족)\S{0,2}\s?(?:본인|스스로)(?:이|가)?\s?(?:직접\s)?(?:냈|내[셨고]|부담|결제|계산|지불)|"
    r"따로\s?계산|\bprivate(?:ly)? (?:money|funds|card|account)\b|"
    r"\b(?:their|his|her) own\b(?! (?:bank )?(?:account|name|hospital|clinic|practice|institution|patients?|"
    r"words?|opinion|"
    r"views?|experience|request))|\b(?:our|my) own\b(?! (?:expense|cost|account|budget|initiative|idea|accord|card|funds?))|"
    r"\bown expense\b|\bmy (?:half|share|part) (?:of (?:it|the (?:bill|meal))|but|and|myself)|"
    r"\bsplit the (?:bill|check|tab)\b|\beach of us paid\b|"
    r"\b(?:from|out of) (?:his|her|their) (?:\w+(?:'s)? )?(?:pockets?|budgets?|funds?|grants?|accounts?)\b|"
    r"\bdutch\b|\beach paid\b|\balone\b|(?<!including )(?<!and )\b(?:him|her|them|my|"
    r"our)sel(?:f|ves)\b(?! included)",
    re.IGNORECASE,
)
"""Everybody paid for themselves: nothing was given."""
TOPIC = re.compile(
    r"^(?:\s(?:모임|약속|자리|초대|제안|한번|한\s?번|대접))?\s?(?:얘기|이야기|말씀|말)(?:[이가도를을]|만)\s?(?:나[왔오]|나와|"
    r"꺼내|하[셔시]|있)|^(?:비|대|료)?(?:의|에\s?(?:대한|관한)|와\s?관련된|\s?관련)?\s?(?:제공\s?|지급\s?|허용\s?|한도\s?)?"
    r"(?:한도|기준|규정|원칙|절차|방침|정책|규약|지침|가이드|범위|요건|제한|상한|대상|방법|교육|금지|가액|서식|양식|문의|"
    r"이야기|얘기|화제|취미|재고|상담|사례집|통계|현황\s?분석)|"
    r"^\s(?:\w+\s){0,3}?(?:were|was|is|are|came up as)\s(?:\w+\s){0,2}?(?:discussed|topics?|covered|explained|asked about)\b|"
    r"^\s?(?:\w+\s){0,2}(?:limits?|rules?|polic(?:y|ies)|guidelines?|caps?|ceilings?|thresholds?|polic\w+|regulations?|"
    r"templates?|"
    r"training)\b",
    re.IGNORECASE,
)
"""Words after a noun, or its verb, where only rules about it are spoken of."""
HAD_ALREADY = re.compile(
    r"(?:각자|각기|저마다|제각기|각각)\s?(?:\S+\s){0,2}$|(?:자기|본인)(?:가|이)?\s?(?:\S+\s)?$|"
    r"\b(?:his|her|their|our|my) own (?:\w+ )?$",
    re.IGNORECASE,
)
"""Words right before a benefit that everybody had of his own."""
TAKEN_WITH = Quick(
    r"복용|투여|투약|공복|식전|식후|용법|(?:1일|하루)\s?(?:에\s?)?(?:\d|한|두|세|네)\s?(?:회|번|정|알|캡슐)|흡수율|"
    r"생체이용률|약효|\bt(?:ake|aken|aking) (?:the (?:drug|tablet)s? )?(?:it )?with|"
    r"\bwith or without\b|"
    r"\bdos(?:e|es|ing)\b|\bfasting\b|\babsor\w+\b|\bon an empty stomach\b",
    re.IGNORECASE,
)
"""Food and drink are spoken of as something that a medicine is taken with."""
THEIR_MEAL = re.compile(
    r"^(?:은|는|을|를|도)?\s(?:[^\s.]+\s){0,3}?(?:해결(?:했|함|하고|$|\.)|때[우웠움]|거[르름]|걸[렀러]|건너뛰|굶)|"
    r"^(?:\s한\s?잔)?(?:도|마저|조차)\s(?:[^\s.]+\s)?(?:조심|꺼[리려]|거절|사양|안\s|못\s|어렵|부담)|"
    r"^(?:으로|로)\s(?:\S+\s)?(?:점심|저녁|아침|끼니|식사|허기)\S?\s?(?:해결|때[우웠움])|"
    r"^(?:은|는|을|를|도)?\s(?:구내\s?식당|대충|간단히|간단하게|편의점|분식집|김밥)|^(?:을|를)?\s?먹고\s(?:이동|출발|복귀|"
    r"방문|나서)|"
    r"^(?:을|를)?\s?(?:중(?=[이인에\s,.])|하러|하시러|드시러|먹으러|드시[는고]\s?[계중]|하시[는고]\s?[계중]|하고\s?계|"
    r"하시느라|드시느라|"
    r"시간대?(?=[가-힣\s,]))"
)
"""Words after a meal that somebody has by himself: the other side its own, or the writer one on the way."""
COLLEAGUES = re.compile(
    r"(?:동료|팀원|팀장|혼자|사내|부서원|선배|후배)\S{0,3}\s?(?:\S+\s){0,2}$|\b(?:colleagues?|my manager|my team|alone|"
    r"by myself)\b",
    re.IGNORECASE,
)
"""The company's own people among themselves."""
AMONG_US = Quick(
    r"(?:직원|팀원|사원|동료|우리)\s?(?:\d{1,3}\s?명)?끼리|사내\s?(?:회식|행사|워크숍)|\b(?:among ourselves|our own staff only|"
    r"own staff only|internal (?:dinner|lunch|event|party))\b",
    re.IGNORECASE,
)
THEIR_TREAT = Quick(
    r"(?:원장|교수|과장|선생|의사|간호사|병원|의원)\S{0,4}(?:이|가|께서|측에서|에서)\s?(?:\S+\s){0,2}?(?:사\s?주셨|사셨|"
    r"내셨|계산하셨|대접해\s?주셨|준비해\s?주셨|주신\s)|"
    r"(?:원장|교수|과장|선생|의사|간호사)\S{0,4}(?:이|가|께서)\s(?:\S+\s){0,3}?(?:[가-힣]+[을를]|내려|타|끓여|따라|"
    r"구워|사|(?<!시간 )(?<!시간을 )내|(?:계산|결제|대접|준비|권)해|챙겨|차려|쏴|싸|시켜|건네|나눠|가져다|돌려|보내)\s?"
    r"(?:주셔서|주셨|주시며|주시고)|"
    r"(?:병원|의원|의료원|보건소|대학|의국|원장|교수|과장|선생|약국|센터|학회|협회)\S{0,3}(?:에서|측에서|이|가|"
    r"께서)\s(?:\S+\s){0,4}?(?:내놓은|준비한|"
    r"준비해\s?둔|마련한|차린|내준|비치한|[가-힣]게\s?해\s?주|(?:준비|주문|제공|대접|결제|계산|마련)해\s?(?:주셔|주셨|주신|"
    r"줘|줬)|"
    r"(?:내|사|시켜|챙겨|나눠|차려)\s?(?:주셔|주셨|주신|줘|줬))|"
    r"(?:원장|교수|과장|선생|의사|간호사|약사|병원|의원)\S{0,4}(?:이|가|께서|에서)\s(?:\S+\s){0,3}?(?:내주셨|사주셨|내셨|"
    r"사셨|쏘셨|건네셨|싸주셨)|"
    r"(?:원장|교수|과장|선생|의사|간호사|약사|약국장)\S{0,4}(?:이|가|께서|도)\s(?:(?!\S*(?<!저)(?<!희)(?:께|에게|한테)\s)\S+\s){0,6}?"
    r"(?:보내|건네|가져오|들고\s?오|사\s?오|선물하|선물해\s?주|(?:놓|두)고\s?가)[셨신]|"
    r"\b(?:[Hh]e|[Ss]he|[Tt]hey|doctor|professor|nurse|Dr\.? \w+|Prof\.? \w+) (?:\w+ ){0,2}(?:paid|covered|"
    r"settled) (?:for )?(?:both of us|us|"
    r"me|my|our|everything)\b|\b(?:[Hh]e|[Ss]he|[Tt]hey|Dr\.? \w+|Prof\.? \w+) took (?:me|us) (?:out )?(?:to|for)\b|"
    r"\b(?:hospital|clinic|practice|doctor|association|society|university|department|ward)(?: itself)? (?:had |"
    r"has )?(?:put out|"
    r"supplied|provided|ordered|catered|"
    r"laid on|set out|let (?:us|me)|lent (?:us|me)|allowed us|offered (?:us|me)|served (?:us|me))\b|"
    r"\b(?:doctor|physician|professor|hospital|clinic|Dr\.? \w+) (?:paid|bought|treated us|invited us|covered)\b|"
    r"(?:^|\b(?:I|we) (?:also |then )?)(?:received|got|was given|were given|was sent|were sent) (?:an?|some|the|two|three|"
    r"his|her)\b[^.;]{0,40}?"
    r"\bfrom (?:Dr|Prof|the (?:doctor|clinic|hospital|nurse|ward|pharmac|professor|practice)|a (?:patient|nurse|doctor))|"
    r"\b(?:he|she|they|doctor|professor|nurse|Dr\.? \w+) (?:\w+ )?(?:\w+ed|bought|gave|made|brought|got|sent|lent) (?:me|us)\b",
    re.IGNORECASE,
)
"""The other side paid or brought it; whoever kindly came, listened or had time did neither."""
PERSON = Quick(
    r"원장|의사|의료진|의료인|교수|과장님|간호사|약사(?!법)|선생님|연자|강연자|전공의|전문의|공무원|주무관|\d\s?(?:명|"
    r"분)(?:께|에게)|"
    r"\b(?:doctors?|physicians?|professors?|prof|nurses?|HCPs?|speakers?|officials?|civil servants?|public servants?|medics?|"
    r"consultants?(?= at| of| from)|midwi(?:fe|ves)|dentists?|paediatricians?|pediatricians?|cardiologists?|"
    r"\w{4,12}ologists?|pharmacists?|clinicians?|surgeons?|receptionists?|"
    r"residents?)\b|\bDr\b",
    re.IGNORECASE,
)
"""People whom a supplier of medicines may not favour."""
FAVOURS = Quick(
    r"대접|접대(?!비)|모시고|모셨|대납|대신\s?(?:내|결제|계산|지불)|(?<!인)(?<!감)사\s?드[렸리]|사\s?줬|선물했|선물하|선물함|"
    r"선물해|"
    r"챙겨\s?드|(?:협찬|후원|증정)(?=하|했|해|함|드|을\s|를\s|\s?(?:진행|예정|완료))|두고\s?왔|올려\s?드리|보태\s?드|(?:계산|"
    r"결제)[은는]?\s?(?:내가|제가|당사|회사)|부담하기로|"
    r"부담했|부담하겠|"
    r"해\s?드리기로|해\s?주기로|해드리기로|해주기로|쏘기로|쐈|비용을\s?(?:내|냈|지불|처리)|"
    r"\b(?:treated|sponsored|covered|reimbursed|slipped|bribed|hosted|wined|paid for|picked up the (?:bill|tab)|"
    r"on the house|on our account)\b",
    re.IGNORECASE,
)
"""Verbs that say by themselves that somebody was favoured, whatever the thing was."""
OTHERS = Quick(
    r"(?:경쟁사|경쟁\s?업체|경쟁\s?회사|타사|타\s?제약사|타\s?업체|(?:다른\s?)?(?:회사|업체|제약사|거래처)들|"
    r"다른\s?(?:회사|업체|제약사|제약\s?회사|곳|데)|남들|다국적사|[A-Z]사|"
    r"보호자|환자\s?가족|건물주|임대인|동창회|모\s?(?:제약사|업체)|협회|학회|재단|공단|보험사|정부|위원회|주최\s?측|조합|"
    r"[A-Z가-힣]{1,6}제약)(?:\s?[A-Z]사?)?(?:들)?(?:\s?(?:직원|담당자?|영업\s?사원|사원|소장|MR|측|쪽))?(?:가|이|는|은|에서|"
    r"도|의)|"
    r"\b(?:competitors?|competing compan(?:y|ies)|another (?:company|firm|supplier)|other (?:companies|firms|suppliers)|"
    r"rivals?)\b(?! products?| drugs?)|"
    r"\b(?:patients?(?:'s|s')? (?:famil(?:y|ies)|relatives)|relatives|landlord|alumni)\b(?= (?:had |has |have )?(?:gave|given|"
    r"brought|sent|left|donated|bought|installed|paid|delivered)\b)|"
    r"\b(?:association|society|foundation|insurer|insurance|government|ministry|organi[sz]ers?|institute|university)\s"
    r"(?:itself )?(?:will |has |then |also )*(?:organi[sz]e[sd]?|pays?|paid|covers?|covered|provide[sd]?|fund(?:s|ed)?|"
    r"host(?:s|ed)?|"
    r"bears?|runs?|reimburse[sd]?|gives?|gave|sponsor(?:s|ed)?|invite[sd]?)\b",
    re.IGNORECASE,
)
"""Somebody else is said to do it."""
OURSELVES = re.compile(r"당사|우리|저희|제가|본인이|\b(?:we|our|us|I|my)\b")
ASKED = Quick(
    r"(?:제안|권유)[이가]\s?(?:있|들어)|(?<!지급 )(?<!지급)(?<!정산 )(?<!결제 )(?<!이체 )(?<!송금 )요청(?!\s?드)|"
    r"요구|부탁(?!\s?드|합니다|말씀)|문의(?!\s?드)|물으|물어|제안하셨|"
    r"원하셨|바라셨|함께하자|하자고|달라고|[와워해려어아여]\s?달라(?:$|\s하)|"
    r"\b(?:asked|requested|demanded|wanted|"
    r"suggested|hinted|brought up|raised the (?:idea|question|topic|subject) of)\b",
    re.IGNORECASE,
)
"""The other side asks for it."""
