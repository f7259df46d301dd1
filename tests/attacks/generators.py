"""Generators of attacks. Each takes a seed, so that a hole that was found can be found again."""

from __future__ import annotations

import random
from collections.abc import Iterator


def luhn(digits: str) -> str:
    total = sum(
        (d * 2 - 9 if d * 2 > 9 else d * 2) if i % 2 == 0 else d
        for i, d in enumerate(map(int, reversed(digits)))
    )
    return digits + str(-total % 10)


def rrn(rng: random.Random) -> str:
    born = f"{rng.randrange(60, 99)}{rng.randrange(1, 13):02d}{rng.randrange(1, 29):02d}"
    body = f"{born}{rng.choice('12')}{rng.randrange(10**5):05d}"
    total = sum(int(d) * w for d, w in zip(body, (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5), strict=True))
    return f"{body[:6]}-{body[6:]}{(11 - total % 11) % 10}"


def word(rng: random.Random, letters: str, count: int) -> str:
    return "".join(rng.choice(letters) for _ in range(count))


_LOWER, _DIGITS = "abcdefghkmnpqrstuvwxyz", "0123456789"
_MIXED = "abcdefghkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"


def personal_items(seed: int, count: int) -> Iterator[tuple[str, str, str]]:
    """(name, a text that a person might write, the part of it that nobody else may see)."""
    rng = random.Random(seed)
    for at in range(count):
        a, b = f"{rng.randrange(2000, 9999)}", f"{rng.randrange(1000, 9999)}"
        card = luhn(f"4{rng.randrange(10**14):014d}")
        four = [card[i : i + 4] for i in range(0, 16, 4)]
        mail = word(rng, _LOWER, 6)
        year = f"{rng.randrange(70, 99)}"
        number = rrn(rng)
        key = f"sk-proj-{word(rng, _MIXED, 24)}"
        account = f"{rng.randrange(10**6, 10**7)}"
        licence = f"{rng.randrange(10**5, 10**6)}"
        passport = f"{rng.randrange(10**7, 10**8)}"
        secret = f"{word(rng, _LOWER, 5)}{rng.randrange(10, 99)}Q!"
        for name, text, tell in (
            ("phone with spaces", f"연락처 010 {a} {b}", f"{a} {b}"),
            ("phone", f"연락처 010-{a}-{b}", f"{a}-{b}"),
            ("card with spaces", f"카드 {' '.join(four)}", f"{four[1]} {four[2]}"),
            ("card", f"카드 {'-'.join(four)}", f"{four[1]}-{four[2]}"),
            ("mail with digits", f"메일 {mail}{year}@corp.kr", mail),
            ("mail", f"메일 {mail}@corp.kr", mail),
            ("resident number", f"주민번호 {number}", number[7:]),
            ("API key", f"키 {key}", key[10:20]),
            ("password", f"비밀번호는 {secret}", secret),
            ("account", f"카카오뱅크 3333-01-{account}", account),
            ("account with spaces", f"카카오뱅크 3333 01 {account}", account),
            ("passport", f"여권 M{passport}", passport),
            ("driver's licence", f"운전면허 11-23-{licence}-01", licence),
            ("address", "배송지 서울특별시 마포구 월드컵북로 396, 1203호", "월드컵북로"),
            ("IP", f"접속 서버 203.0.113.{rng.randrange(10, 250)}", "203.0.113."),
            ("IBAN", "IBAN DE89 3704 0044 0532 0130 00", "0532"),
            ("assignment", f"password={secret}", secret),
        ):
            yield (name if count == 1 else f"{name} {at}"), text, tell


def costly_queries(seed: int, count: int) -> Iterator[tuple[str, str]]:
    """(name, SQL) of queries that are short and become huge, over the table `regions` with a column `name`."""
    rng = random.Random(seed)

    def doubled(items: int, twice: str) -> str:
        first = "c0 AS (SELECT name AS s FROM regions)"
        more = [f"c{i} AS (SELECT {twice} AS s FROM c{i - 1})" for i in range(1, items)]
        return f"WITH {', '.join([first, *more])} SELECT length(s) FROM c{items - 1}"

    def joined(items: int) -> str:
        first = "c0 AS (SELECT name AS s FROM regions)"
        more = [f"c{i} AS (SELECT a.s AS s FROM c{i - 1} a, c{i - 1} b)" for i in range(1, items)]
        return f"WITH {', '.join([first, *more])} SELECT count(*) FROM c{items - 1}"

    def nested(depth: int) -> str:
        inner = "SELECT name AS s FROM regions"
        for _ in range(depth):
            inner = f"SELECT s || s AS s FROM ({inner}) x"
        return f"SELECT length(s) FROM ({inner}) y"

    def replaced(depth: int, start: str) -> str:
        for _ in range(depth):
            start = f"replace({start}, 'x', '{'x' * rng.randrange(8, 12)}')"
        return f"SELECT length({start}) FROM regions"

    for at in range(count):
        items = rng.randrange(18, 31)
        yield f"WITH doubling by || {at}", doubled(items, "s || s")
        yield f"WITH doubling by coalesce {at}", doubled(items, "coalesce(s, s)")
        yield f"WITH doubling by CASE {at}", doubled(items, "CASE WHEN s = 'a' THEN s ELSE s END")
        yield f"WITH doubling by a join {at}", joined(items)
        yield f"nested sub-selects {at}", nested(rng.randrange(17, 20))
        yield f"nested replace {at}", replaced(rng.randrange(8, 11), "'x'")
        yield f"nested replace of a column {at}", replaced(rng.randrange(7, 10), "name")


PLAIN_PIECE = "지난달 서울 지역 매출은 전월보다 늘었고 The report shows a growth in sales. "
BAD_PIECES = (
    "999 902 6000 ",
    "1 ",
    "(",
    "[",
    "은는이가을를 ",
    "2024-01-01 ",
    "ㅎㅏㄴ",
    "e\u0301\u0301\u0301",
    "가@",
    "서울시 강남구 가 ",
    "1-",
    "password=",
    "a.a@",
    "IBAN DE89 ",
    "일억이천 ",
    "환자 김",
    "조영제 담당 ",
    "4902\n9912\n",
    "de89\n3704",
    "Ann Lee, ",
    "작년 대비 ",
    "와 ",
    "ᄒ\u1161ᆫ",
    '{"a":',
)


def long_inputs(seed: int, size: int) -> Iterator[tuple[str, str]]:
    """(name, text of about `size` bytes) that repeat a shape which a careless pattern is slow on."""
    rng = random.Random(seed)
    for piece in BAD_PIECES:
        yield repr(piece), piece * (size // len(piece.encode()) + 1)
    for _ in range(4):
        pair = rng.sample(BAD_PIECES, 2)
        mixed = "".join(pair)
        yield repr(mixed), mixed * (size // len(mixed.encode()) + 1)


def disguised(seed: int) -> Iterator[tuple[str, str, str]]:
    """(name, text, the part that nobody else may see) of personal data in spellings that get round a plain pattern."""
    rng = random.Random(seed)
    a, b = f"{rng.randrange(2000, 9999)}", f"{rng.randrange(1000, 9999)}"
    number, passport = rrn(rng), f"{rng.randrange(10**7, 10**8)}"
    yield from (
        ("phone over two lines", f"연락처 010-{a}-\n{b} 입니다", b),
        ("phone over two lines, indented", f"연락처 010-{a}\n    -{b}", b),
        ("phone with slashes", f"연락처 010/{a}/{b}", b),
        ("phone with underscores", f"연락처 010_{a}_{b}", b),
        ("resident number with a slash", f"주민번호 {number.replace('-', '/')}", number[7:]),
        ("resident number with an underscore", f"주민번호 {number.replace('-', '_')}", number[7:]),
        ("resident number over two lines", f"주민번호 {number[:7]}\n{number[7:]}", number[7:]),
        ("Korean local part", "메일 홍길동@company.co.kr 로", "홍길동"),
        ("Korean local part and domain", "메일 홍길동@회사.한국 로", "홍길동"),
        ("lower-case IBAN", "iban de89 3704 0044 0532 0130 00", "0532"),
        ("spaced passport", f"여권번호 M {passport[:4]} {passport[4:]}", passport[4:]),
        ("passport with a hyphen", f"passport M-{passport}", passport),
        ("Cyrillic letters in an address", "mail to kіm.mіnsu@nаver.com now", "nsu@n"),
        ("Greek letters in an address", "mail to kοng@cοmpany.com now", "ng@c"),
    )
