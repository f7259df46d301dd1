"""Strings that break careless software, by class: some 300, written or made here.

Every string can be encoded in UTF-8; `UNENCODABLE` holds those that cannot.
"""

from __future__ import annotations

import unicodedata
from functools import cache

_BLANK = (
    "",
    " ",
    "\t",
    "\n",
    "\r\n",
    " \t \n ",
    "\u00a0",
    "\u2003",
    "\u3000",
    "\u2028",
    "\u2029",
    "\x0b\x0c",
)
_WORDS = (
    "null", "NULL", "None", "nil", "undefined", "NaN", "true", "False", "yes", "no", "on", "off", "constructor",
    "__proto__", "toString", "hasOwnProperty", "__class__", "__init__", "self", "this", "CON", "PRN", "AUX", "COM1",
    "LPT1", "nul", "-", "--", "--help", "-rf", "~", "*", "?", "#", "%", "&", "@", "!", "^", "|", ";", "'", '"', "`",
)  # fmt: skip
_NUMBERS = (
    "0", "-0", "00", "+1", "1e309", "-1e309", "1e-400", "0x7fffffff", "0b101", "0o17", "1_000", "1,000.50", "1.000,50",
    "１２３", "٣٤٥", "⅞", "Ⅷ", "一二三", "백만", "2147483648", "-2147483649", "9223372036854775808", "9" * 400, ".", ".5",
    "5.", "1/0", "0/0", "Infinity", "-inf", "1e1e1", "0.1e", "1.7976931348623159e308", "4.9e-325", "৩", "𝟜𝟚", "²", "½",
)  # fmt: skip
_SQL = (
    "' OR ''='", "'; DROP TABLE sessions; --", '" OR 1=1 --', "') OR ('x'='x", "1; ATTACH DATABASE 'x' AS y",
    "UNION SELECT * FROM sqlite_master", "'; COPY t TO PROGRAM 'id'; --", "%' ESCAPE '\\' --", "\\'; SELECT 1; --",
    "0x27206F722027", "/* */ OR /**/ 1=1", "'||(SELECT 1)||'", "name'); DELETE FROM turns; --", "{{7*7}}", "$1", ":name",
    "?1", "@@version", "pg_sleep(9)", "'; PRAGMA writable_schema=1; --",
)  # fmt: skip
_HTML = (
    "<script>x()</script>", "<img src=x onerror=x()>", '"><svg onload=x()>', "</title><b>", "<!-- ", "]]>", "<![CDATA[",
    "&lt;b&gt;", "&#x3c;b&#x3e;", "&amp;amp;", "javascript:x()", "data:text/html,<b>", "<a href='//x'>y</a>", "</script>",
    "<style>*{display:none}</style>", "<iframe srcdoc='<b>'>", "<math><mi>x</mi></math>", "<p title='`'>", "<\x00b>", "<<b>>",
    "onclick=x()", "<?xml version='1.0'?>", "<!DOCTYPE x [<!ENTITY e 'v'>]>&e;", "{{constructor.name}}", "<%= 1 %>", "${1+1}",
)  # fmt: skip
_TERMINAL = (
    "\x1b[31mred\x1b[0m", "\x1b[2J", "\x1b]0;title\x07", "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "\x1b[6n", "\x1bc",
    "\x9b31m", "\x07bell", "a\rb", "abc\x08\x08\x08xyz", "\x1bP+q\x1b\\", "\x1b[?1049h", "\x0e\x0f", "\x1b[9999;9999H",
    "[bold]x[/bold]", "[link=http://x]y[/link]", ":smile:", "\x7f\x7f",
)  # fmt: skip
_DOCUMENT = (
    "=1+1", "+1+1", "-1+1", "@SUM(A1)", "=HYPERLINK(\"http://x\",\"y\")", "\t=1", "\r=1", "=cmd|' /c x'!A0", "'=1", "＝1+1",
    "#set page(width: 1pt)", "#import \"x\": *", "#read(\"/etc/hostname\")", "$ x^2 $", "*bold* _em_ `raw`", "= Heading",
    "\\input{x}", "\\write18{x}", "# Heading", "[x](javascript:y)", "![x](http://y)", "```", "| a | b |", "---", "> quote",
    "a,b;c\td", '"a""b"',
)  # fmt: skip
_FORMAT = (
    "%s", "%n%n%n", "%d %x %p", "%(name)s", "{}", "{0}", "{name}", "{0.__class__}", "{:>999999999}", "${HOME}", "$(id)",
    "`id`", "$HOME", "%HOME%", "!x", "{{}}", "{", "}", "%", "%%", "\\n", "\\u0041", "\\x41", "&&", "; id", "| id",
    "../../etc/hostname", "..\\..\\x", "/dev/null", "file:///etc/hostname", "C:\\x", "\\\\host\\share", "a/b\x00c", "~root",
)  # fmt: skip
_JSON = (
    "{\"a\": 1}", "[1, 2", "{\"a\": 1, \"a\": 2}", "\"\\ud800\"", "[" * 300, "{\"a\":" * 100, "key: [value", "--- !!python/none",
    "&a *a", "a: b: c", "!!binary x", "<<: *x", "- - - -", "\\\"", "[]", "{}",
)  # fmt: skip
_BIDI = (
    "a\u202eb\u202cc", "\u2066isolated\u2069", "\u200fשלום", "שלום world", "مرحبا 123", "\u061cx", "a\u2067b", "\u202a\u202b\u202d",
    "report\u202efdp.exe", "عربي English עברית",
)  # fmt: skip
_HIDDEN = (
    "a\u200bb", "a\u200cb", "a\u200db", "\ufeffbom", "a\u2060b", "a\u00adb", "\u180ex", "a\ufe0fb", "\u115f\u1160", "\u3164",
    "\uffa0", "x\U000e0041\U000e0042", "a\u034fb", "\u17b4\u17b5", "\ufff9a\ufffab\ufffb", "\ufffd", "\uffff", "\ufdd0",
    "\U0010ffff", "\ue000",
)  # fmt: skip
_COMBINING = (
    "e\u0301", "\u00e9", "\u0301", "a" + "\u0300" * 60, "z̸̧̢̛", "ﬁ", "ﬀ", "Å", "\u212b", "ſ", "ß", "İ", "ı", "ŉ", "ǆ", "ﷺ",
    "नमस्ते", "สวัสดี", "ক্ষ", "தமிழ்", "ᄒ\u1161\u11ab", "Ω", "\u2126",
)  # fmt: skip
_KOREAN = (
    "ㄱㄴㄷ", "ㅏㅑㅓ", "ㅋㅋㅋㅋ", "ㅠㅠ", "각\u11a8", "\u1112\u1161\u11ab\u1100\u1173\u11af", "한글", "뷁",
    "똠방각하", "힣", "가" * 500,
    "ﾡﾢ", "㈜한빛", "㉠㉡", "㎏", "서울특별시강남구", "은(는)", "안녕！？", "漢字와 한글", "ㅎr글", "훈민정음 ᄒᆞᆫ글",
    "ᅟᅠ", "밥먹었니?ㅎㅎ", "①②③", "ㆍ", "ᆞ", "갂갃간갅", "조선민주주의", "읷뛠쀍",
)  # fmt: skip
_EMOJI = (
    "😀", "👩‍👩‍👧‍👦", "👍🏽", "🇰🇷", "🇰", "🏴\U000e0067\U000e0062\U000e007f", "❤️", "❤", "1️⃣", "👁️‍🗨️", "🧑🏿‍🚀", "🤷‍♀️", "☃", "☃\ufe0e",
    "😀" * 200, "매출 📈 보여줘", "\U0001f9ff", "🫠",
)  # fmt: skip
_SURROGATE_LIKE = (
    "\\ud83d\\ude00", "\\ud800", "&#55296;", "\ud7ff", "\ue000", "\ufffe", "%ED%A0%80", "\U00010000", "\U0001ffff",
)  # fmt: skip
_CONTROL = tuple(f"a{chr(code)}b" for code in (*range(1, 32), *range(127, 160)) if code not in (9, 10, 13))

UNENCODABLE = ("\ud800", "\udfff", "a\ud83d", "\ude00\ud83d", "x\udcffy")

CLASSES: dict[str, tuple[str, ...]] = {
    "blank": _BLANK,
    "word": _WORDS,
    "number": _NUMBERS,
    "sql": _SQL,
    "html": _HTML,
    "terminal": _TERMINAL,
    "document": _DOCUMENT,
    "format": _FORMAT,
    "json": _JSON,
    "bidi": _BIDI,
    "hidden": _HIDDEN,
    "combining": _COMBINING,
    "korean": _KOREAN,
    "emoji": _EMOJI,
    "surrogate": _SURROGATE_LIKE,
    "control": _CONTROL,
}


@cache
def naughty_strings() -> tuple[str, ...]:
    """Every string once, with the decomposed form of the Korean ones."""
    written = [text for group in CLASSES.values() for text in group]
    return tuple(dict.fromkeys([*written, *(unicodedata.normalize("NFD", text) for text in _KOREAN)]))
