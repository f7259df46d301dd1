# ruff: noqa: E501 - a table of words is read by its columns
"""Other names of values that any data may hold: countries in both languages, Korean cities in both scripts, and codes of sex.

The names are those of ISO 3166-1, with the Korean ones in general use and a few short forms.
"""

from __future__ import annotations

import re
from functools import cache

from metaagent.data.semantic.drafting.romanised import spelled
from metaagent.language.patterns import regex

_COUNTRIES = """
AF AFG 아프가니스탄=Afghanistan;AL ALB 알바니아=Albania;DZ DZA 알제리=Algeria;AD AND 안도라=Andorra;AO AGO 앙골라=Angola;
AR ARG 아르헨티나=Argentina;AM ARM 아르메니아=Armenia;AU AUS 호주 오스트레일리아=Australia;AT AUT 오스트리아=Austria;
AZ AZE 아제르바이잔=Azerbaijan;BS BHS 바하마=Bahamas|The Bahamas;BH BHR 바레인=Bahrain;BD BGD 방글라데시=Bangladesh;
BB BRB 바베이도스=Barbados;BY BLR 벨라루스=Belarus;BE BEL 벨기에=Belgium;BZ BLZ 벨리즈=Belize;BJ BEN 베냉=Benin;BT BTN 부탄=Bhutan;
BO BOL 볼리비아=Bolivia;BA BIH 보스니아 보스니아헤르체고비나=Bosnia and Herzegovina|Bosnia;BW BWA 보츠와나=Botswana;
BR BRA 브라질=Brazil;BN BRN 브루나이=Brunei;BG BGR 불가리아=Bulgaria;BF BFA 부르키나파소=Burkina Faso;BI BDI 부룬디=Burundi;
KH KHM 캄보디아=Cambodia;CM CMR 카메룬=Cameroon;CA CAN 캐나다=Canada;CV CPV 카보베르데=Cape Verde|Cabo Verde;
CF CAF 중앙아프리카공화국=Central African Republic;TD TCD 차드=Chad;CL CHL 칠레=Chile;CN CHN 중국=China|People's Republic of China;
CO COL 콜롬비아=Colombia;KM COM 코모로=Comoros;CG COG 콩고=Congo;CD COD 콩고민주공화국=DR Congo|Democratic Republic of the Congo;
CR CRI 코스타리카=Costa Rica;CI CIV 코트디부아르=Ivory Coast|Côte d'Ivoire;HR HRV 크로아티아=Croatia;CU CUB 쿠바=Cuba;
CY CYP 키프로스 사이프러스=Cyprus;CZ CZE 체코=Czech Republic|Czechia;DK DNK 덴마크=Denmark;DJ DJI 지부티=Djibouti;
DO DOM 도미니카공화국=Dominican Republic;EC ECU 에콰도르=Ecuador;EG EGY 이집트=Egypt;SV SLV 엘살바도르=El Salvador;
GQ GNQ 적도기니=Equatorial Guinea;ER ERI 에리트레아=Eritrea;EE EST 에스토니아=Estonia;SZ SWZ 에스와티니=Eswatini|Swaziland;
ET ETH 에티오피아=Ethiopia;FJ FJI 피지=Fiji;FI FIN 핀란드=Finland;FR FRA 프랑스=France;GA GAB 가봉=Gabon;GM GMB 감비아=Gambia;
GE GEO 조지아 그루지야=Georgia;DE DEU 독일=Germany;GH GHA 가나=Ghana;GR GRC 그리스=Greece;GT GTM 과테말라=Guatemala;GN GIN 기니=Guinea;
GY GUY 가이아나=Guyana;HT HTI 아이티=Haiti;HN HND 온두라스=Honduras;HK HKG 홍콩=Hong Kong;HU HUN 헝가리=Hungary;IS ISL 아이슬란드=Iceland;
IN IND 인도=India;ID IDN 인도네시아=Indonesia;IR IRN 이란=Iran;IQ IRQ 이라크=Iraq;IE IRL 아일랜드=Ireland;IL ISR 이스라엘=Israel;
IT ITA 이탈리아=Italy;JM JAM 자메이카=Jamaica;JP JPN 일본=Japan;JO JOR 요르단=Jordan;KZ KAZ 카자흐스탄=Kazakhstan;KE KEN 케냐=Kenya;
KP PRK 북한=North Korea;KR KOR 한국 대한민국 남한=South Korea|Korea|Republic of Korea;KW KWT 쿠웨이트=Kuwait;KG KGZ 키르기스스탄=Kyrgyzstan;
LA LAO 라오스=Laos;LV LVA 라트비아=Latvia;LB LBN 레바논=Lebanon;LS LSO 레소토=Lesotho;LR LBR 라이베리아=Liberia;LY LBY 리비아=Libya;
LI LIE 리히텐슈타인=Liechtenstein;LT LTU 리투아니아=Lithuania;LU LUX 룩셈부르크=Luxembourg;MO MAC 마카오=Macao|Macau;MG MDG 마다가스카르=Madagascar;
MW MWI 말라위=Malawi;MY MYS 말레이시아=Malaysia;MV MDV 몰디브=Maldives;ML MLI 말리=Mali;MT MLT 몰타=Malta;MR MRT 모리타니=Mauritania;
MU MUS 모리셔스=Mauritius;MX MEX 멕시코=Mexico;MD MDA 몰도바=Moldova;MC MCO 모나코=Monaco;MN MNG 몽골=Mongolia;ME MNE 몬테네그로=Montenegro;
MA MAR 모로코=Morocco;MZ MOZ 모잠비크=Mozambique;MM MMR 미얀마=Myanmar|Burma;NA NAM 나미비아=Namibia;NP NPL 네팔=Nepal;
NL NLD 네덜란드=Netherlands|The Netherlands|Holland;NZ NZL 뉴질랜드=New Zealand;NI NIC 니카라과=Nicaragua;NE NER 니제르=Niger;
NG NGA 나이지리아=Nigeria;MK MKD 북마케도니아 마케도니아=North Macedonia|Macedonia;NO NOR 노르웨이=Norway;OM OMN 오만=Oman;PK PAK 파키스탄=Pakistan;
PA PAN 파나마=Panama;PG PNG 파푸아뉴기니=Papua New Guinea;PY PRY 파라과이=Paraguay;PE PER 페루=Peru;PH PHL 필리핀=Philippines|The Philippines;
PL POL 폴란드=Poland;PT PRT 포르투갈=Portugal;PR PRI 푸에르토리코=Puerto Rico;QA QAT 카타르=Qatar;RO ROU 루마니아=Romania;RU RUS 러시아=Russia|Russian Federation;
RW RWA 르완다=Rwanda;SM SMR 산마리노=San Marino;SA SAU 사우디아라비아 사우디=Saudi Arabia;SN SEN 세네갈=Senegal;RS SRB 세르비아=Serbia;
SC SYC 세이셸=Seychelles;SL SLE 시에라리온=Sierra Leone;SG SGP 싱가포르=Singapore;SK SVK 슬로바키아=Slovakia;SI SVN 슬로베니아=Slovenia;
SO SOM 소말리아=Somalia;ZA ZAF 남아프리카공화국 남아공=South Africa;SS SSD 남수단=South Sudan;ES ESP 스페인=Spain;LK LKA 스리랑카=Sri Lanka;SD SDN 수단=Sudan;
SR SUR 수리남=Suriname;SE SWE 스웨덴=Sweden;CH CHE 스위스=Switzerland;SY SYR 시리아=Syria;TW TWN 대만 타이완=Taiwan;TJ TJK 타지키스탄=Tajikistan;
TZ TZA 탄자니아=Tanzania;TH THA 태국=Thailand;TG TGO 토고=Togo;TT TTO 트리니다드토바고=Trinidad and Tobago;TN TUN 튀니지=Tunisia;
TR TUR 튀르키예 터키=Turkey|Türkiye|Turkiye;TM TKM 투르크메니스탄=Turkmenistan;UG UGA 우간다=Uganda;UA UKR 우크라이나=Ukraine;
AE ARE 아랍에미리트 아랍에미레이트=United Arab Emirates|UAE;GB GBR 영국=United Kingdom|UK|Great Britain|Britain|England;
US USA 미국=United States|United States of America|USA|America;UY URY 우루과이=Uruguay;UZ UZB 우즈베키스탄=Uzbekistan;VE VEN 베네수엘라=Venezuela;
VN VNM 베트남=Vietnam|Viet Nam;YE YEM 예멘=Yemen;ZM ZMB 잠비아=Zambia;ZW ZWE 짐바브웨=Zimbabwe
"""
_SEX = regex(r"gender|(^|[._])sex$|성별", re.IGNORECASE)
_PLACE = regex(r"countr|nation|ctry|국가|나라|국적", re.IGNORECASE)
_SEXES = {
    "f": ("여성", "여자", "female", "females", "women", "woman"),
    "m": ("남성", "남자", "male", "males", "men", "man"),
}
_SPELT = {word: code for code, words in _SEXES.items() for word in (code, *words)} | {"여": "f", "남": "m"}


@cache
def _countries() -> dict[str, tuple[str, ...]]:
    """Every way to write a country, folded -> what people call it. Codes of two letters are words of their own, so
    they are known as values but never offered as names.
    """
    found: dict[str, tuple[str, ...]] = {}
    for one in _COUNTRIES.replace("\n", "").split(";"):
        short, _, names = one.partition("=")
        codes = short.split()[:2]
        said = (*short.split()[2:], *names.split("|"))
        found.update({key.casefold(): said for key in (*codes, *said)})
    return found


_CITIES = (
    "서울 부산 대구 인천 광주 대전 울산 세종 경기 강원 충북 충남 전북 전남 경북 경남 제주 수원 성남 고양 용인 창원 청주 전주 천안 포항 김해 "
    "안산 안양 평택 여수 순천 목포 강릉 춘천 원주 진주 경주 군산 익산 속초"
)


@cache
def _cities() -> dict[str, tuple[str, ...]]:
    """Korean cities and provinces, written in either script -> the same in the other."""
    found: dict[str, tuple[str, ...]] = {}
    for city in _CITIES.split():
        latin = next(iter(spelled(city)))
        found |= {city: (latin.capitalize(),), latin: (city,)}
    return found


def aliases(column: str, value: object) -> list[str]:
    """List other names that people use for this value of this column."""
    if not isinstance(value, str):
        return []
    if _SEX.search(column):
        return list(_SEXES.get(_SPELT.get(value.casefold(), ""), ()))
    if value.casefold() in _cities():
        return list(_cities()[value.casefold()])
    if len(value) <= 3 and not _PLACE.search(column) and value != "USA":
        return []  # CA is California in a column of states
    return [name for name in _countries().get(value.casefold(), ()) if name.casefold() != value.casefold()]
