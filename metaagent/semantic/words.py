"""Names of tables and columns -> words, in English and, for common ones, Korean."""

from __future__ import annotations

import re

KOREAN: dict[str, list[str]] = {
    "account": ["계정"], "address": ["주소"], "album": ["앨범", "음반"], "amount": ["금액"],
    "artist": ["아티스트", "가수"], "author": ["저자"], "balance": ["잔액"],
    "bill": ["청구"], "billing": ["청구"],
    "book": ["도서", "책"], "branch": ["지점"], "brand": ["브랜드"], "budget": ["예산"],
    "byte": ["용량", "바이트"], "category": ["분류", "카테고리"], "city": ["도시"], "company": ["회사"],
    "composer": ["작곡가"], "cost": ["비용"], "country": ["국가", "나라"], "customer": ["고객"],
    "date": ["날짜"], "department": ["부서"], "discount": ["할인"], "district": ["구역"],
    "duration": ["시간", "길이"], "employee": ["직원", "사원"], "expense": ["비용", "지출"],
    "film": ["영화"], "gender": ["성별"], "genre": ["장르"], "hospital": ["병원"],
    "invoice": ["송장", "청구서"],
    "item": ["품목"], "language": ["언어"], "length": ["길이"], "line": ["항목"], "media": ["매체", "미디어"],
    "member": ["회원"], "millisecond": ["재생 시간", "길이"], "month": ["월"], "movie": ["영화"],
    "name": ["이름"], "order": ["주문"], "payment": ["결제"], "person": ["사람"], "play": ["재생"],
    "playlist": ["재생목록", "플레이리스트"], "price": ["가격", "단가"], "product": ["제품", "상품"],
    "project": ["프로젝트"], "quantity": ["수량"], "rating": ["평점"], "region": ["지역"], "rental": ["대여"],
    "rep": ["담당자"], "salary": ["급여", "연봉"], "sale": ["판매"], "score": ["점수"], "seminar": ["세미나"],
    "state": ["주", "상태"], "status": ["상태"], "stock": ["재고"], "store": ["매장"], "student": ["학생"],
    "supplier": ["공급업체"], "target": ["목표"], "team": ["팀"], "tier": ["등급"], "title": ["제목"],
    "total": ["합계", "총액"], "track": ["곡", "트랙", "노래"], "type": ["유형", "종류"], "unit": ["단위"],
    "user": ["사용자"], "visit": ["방문"], "warehouse": ["창고"], "year": ["연도"],
}  # fmt: skip
ENGLISH: dict[str, list[str]] = {
    "customer": ["client", "buyer"],
    "employee": ["staff", "support rep", "sales agent"],
    "track": ["song"],
    "artist": ["band", "musician"],
    "country": ["nation"],
    "millisecond": ["duration", "length", "playing time"],
    "invoice": ["bill"],
    "product": ["item"],
    "quantity": ["units", "units sold"],
    "byte": ["file size", "size"],
}


def words_of(name: str) -> list[str]:
    """'InvoiceLine' and 'invoice_lines' -> ['invoice', 'line']."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    parts = [part.lower() for part in re.split(r"[\W_]+", spaced) if part]
    return [*parts[:-1], singular(parts[-1])] if parts else [name.lower()]


def singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def plural(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")


def korean(words: list[str]) -> list[str]:
    """All words translated, or nothing: half a translation misleads."""
    if any(word not in KOREAN for word in words):
        return []
    heads = " ".join(KOREAN[word][0] for word in words[:-1])
    return [f"{heads} {last}".strip() for last in KOREAN[words[-1]]]


def english(words: list[str]) -> list[str]:
    """The words as they are, in the plural, and what else people say."""
    base = " ".join(words)
    many = " ".join([*words[:-1], plural(words[-1])])
    return list(dict.fromkeys([base, many, *(ENGLISH.get(words[-1], []) if len(words) == 1 else [])]))
