"""Reads what stands around a sum: the day, the institution and its sector, the people and how many, hours, repetitions."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import date
from functools import cached_property, lru_cache

from metaagent.level2.compliance.text.amounts import COUNT, people, whole_number
from metaagent.level2.compliance.text.quick import KEPT, Quick

_HOURS = re.compile(
    r"(\d{1,2})\s?시간|(\d{2,3})\s?분(?=[\s,()간동]|만(?=\s)|정도|가량|쯤|짜리|남짓)|"
    r"(\d{1,2})[ -]?hours?\b|(\d{2,3})[ -]?minutes?\b|\b(one|two|"
    r"three)[ -]hours?\b",
    re.IGNORECASE,
)
_TELLS_TIME = re.compile(r"시간|분|hour|minute", re.IGNORECASE)
_DATES = Quick(
    r"(\d{4})\s?[년.\-/]\s?(\d{1,2})\s?[월.\-/]\s?(\d{1,2})|(\d{4})년\s?(\d{1,2})월|"
    r"\b(\d{1,2})\s([A-Z][a-z]{2,8})\s(\d{4})|\b([A-Z][a-z]{2,8})\s(\d{1,2}),?\s(\d{4})|"
    r"\b([A-Z][a-z]{2,8})\s((?:19|20)\d\d)\b"
)
"""A date, or a month of a year, which stands for its first day."""
_MONTHS = {
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
}  # fmt: skip
_MONTH = (
    r"(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:tember)?|Oct(?:ober)?|"
    r"Nov(?:ember)?|Dec(?:ember)?)"
)
_DAY = Quick(
    rf"(\d{{1,2}})월\s?(\d{{1,2}})일|(?<![\d/.])(\d{{1,2}})/(\d{{1,2}})(?![\d/.명인])|"
    rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)?\s{_MONTH}\b|\b{_MONTH}\s(\d{{1,2}})(?:st|nd|rd|th)?\b(?!,?\s?\d)"
)
_MONTH_ALONE = Quick(rf"(?<!\d)(\d{{1,2}})월(?!\s?\d{{1,2}}\s?일)|\b{_MONTH}\b(?!\s\d{{1,2}}\b)")
_DAY_ALONE = Quick(
    r"(?<![\d월./])(?<!월\s)(\d{1,2})일(?=[\s,.·:()]|에|은|과|와|도|$)(?!\s?(?:간|동안|이내|전|후|뒤|치|차|분|정도|째))|"
    r"\b(?:the )(\d{1,2})(?:st|nd|rd|th)\b(?! (?:of|time|floor|visit|edition|annual|quarter))"
)
"""A month without a day, and days that belong to the month that was named before them: 10월 식대: 2일 점심, 8일 저녁."""
_PLACE = Quick(
    r"[가-힣A-Za-z0-9]{1,20}(?:병원|의원|의료원|보건소|보건지소|클리닉|약국|(?:내|외|피부|소아|산부인|정형외|이비인후|"
    r"비뇨기|안|치|정신|신경)과)(?=[\s,.()]|에서|에|을|를|은|는|이|의|과|와|로|$)|"
    r"(?:[A-Z][\w-]{1,20}\s){1,4}(?:[Pp]rivate\s)?(?:Hospital|[Cc]linic|Medical Center|Health Center|[Pp]ractice)|"
    r"(?:private|city|municipal|public) (?:hospital|clinic|health center|practice)"
)
_PUBLIC = Quick(
    r"국립|시립|도립|군립|구립|공립|국공립|공공\s?(?:기관|병원|의료)|보건소|보건지소|보건의료원|의료원|대학교|대학\s?병원|"
    r"대병원|사립대|국군|군\s?병원|"
    r"경찰병원|보훈병원|국립암센터|시청|구청|도청|군청|교육청|보건과|위생과|보건정책과|공단|심평원|심사평가원|식약처|"
    r"질병관리청|보건복지부|"
    r"교수|공무원|공직자|주무관|사무관|공중보건의|보건직|"
    r"\bpublic(?:-sector| sector| hospital| officials?| servants?| institution| staff| health)\b|\bnational\b|\bmunicipal\b|"
    r"\bcity (?:hospital|officials?|health)|"
    r"\bprovincial\b|\bcounty (?:hospital|health|clinic)|\bstate(?:-| )(?:run|owned)\b|"
    r"\b(?:run|owned|operated) by the (?:province|city|state|county|government|district|ministry|army|navy)\b|"
    r"\buniversity\b|\bhealth cent(?:er|re)\b|\bprofessors?\b|\bgovernment\b|\bministry\b|\bofficials?\b|"
    r"\bcivil servants?\b|\bmilitary hospital\b",
    re.IGNORECASE,
)
_PRIVATE = re.compile(
    r"사립|민간|개인\s?(?:병원|의원)|개원의|(?<!국회)(?<!\s시)(?<!\s구)(?<!\s도)의원(?=들?(?:[은는이의과와을를로도]|에서|에|등)?(?![가-힣]))|"
    r"한의원|약국|클리닉|(?:내|외|피부|소아|산부인|정형외|이비인후|"
    r"비뇨기|안|치)과|원장|"
    r"\bprivate\b|\bclinics?\b|\bpractice\b",
    re.IGNORECASE,
)
_NOT_PUBLIC = re.compile(
    r"(?:국[·/]?공립|국립|공립|공공|공직자|공무원)\S{0,3}\s?(?:\S+\s){0,2}?\S{0,6}(?:은|는|이|가|도)?\s?(?:전혀\s)?(?:없|아니|안\s?계|참석하지\s?않)|"
    r"공공\s?기관이?\s?아|공무원이?\s?아|사립\s?(?:병원|의원)|not (?:a )?public|private",
    re.IGNORECASE,
)
_OPEN_SECTOR = re.compile(
    r"(?:국[·/]?공립|국립|시립|도립|공립|공공|공직자?|공무원|공적|사립|민간)\S{0,6}?\s?(?:쪽\s?|측\s?|소속\s?|기관\s?|병원\s?){0,2}(?:인지|여부|이었는지|였는지|일지)[^.\n]{0,40}?"
    r"(?:모르|모름|모릅|확인|미상|알\s?수|불분명|불명|파악|알아보|문의)|"
    r"\b(?:not (?:yet )?(?:sure|known|clear|checked|confirmed|verified)|unsure|unknown|unclear|(?:do(?:es)?|did)(?: not|n't) know|"
    r"(?:have|has)(?: not|n't)(?: yet)? (?:checked|confirmed|verified|found out)|no idea|to be (?:checked|confirmed))\b"
    r"[^.;\n]{0,40}?"
    r"\b(?:public|private|government|state|national|civil serv\w+)|"
    r"\b(?:whether|if) [^.;\n]{0,40}?\b(?:public|private|government)\b[^.;\n]{0,40}?\b(?:unknown|unclear|open|not (?:yet )?"
    r"(?:known|clear|checked|confirmed|verified))",
    re.IGNORECASE,
)
_FOUND_OUT = re.compile(
    r"확인\s?(?:결과|했더니|해\s?보니)|(?:turned out|it is|confirmed as)\b", re.IGNORECASE
)
"""The sector is said not to be known, and not found out in the same sentence."""
_MIXED = re.compile(
    r"\bprivate (?:clinics?|hospitals?|practices?)\b.{0,30}\band\b.{0,40}\b(?:public|national|municipal|university|city) \w+|"
    r"\b(?:public|national|municipal|university|city) \w+.{0,40}\band\b.{0,30}\bprivate (?:clinics?|hospitals?|practices?)\b|"
    r"(?:의원|개원의|사립|민간)\S{0,6}.{0,12}(?:과|와|,|및)\s?.{0,12}(?:국립|시립|도립|공공|보건소|대학\s?병원|공무원)|"
    r"(?:국립|시립|도립|공공|보건소|대학\s?병원|공무원)\S{0,8}.{0,12}(?:과|와|,|및)\s?.{0,12}(?:의원|개원의|사립|민간)",
    re.IGNORECASE,
)
"""People of both sectors at one table: the lower limit holds for all."""
_TITLE = r"(?:원장|교수|과장|부장|선생|전문의|의사)"
_NAMED = Quick(
    rf"((?:[가-힣]{{2,4}}\s?[,·、]\s?){{0,20}})([가-힣]{{2,4}})\s{_TITLE}(?:님)?|\b(?:Dr|"
    rf"Prof)\.?\s([A-Z][\w-]{{1,20}}(?:\s[A-Z][\w-]{{1,20}})?)"
)
_NO_NAME = re.compile(
    r"병원|의원|담당|해당|참석|소속|각|전체|모든|다른|일부|내과|외과|임상|주치|대표|신임|여러|명의|부원|같은|대상|함께|"
    r"사립|포함"
)
_ENDS = re.compile(r"(?<=[.!?])\s|\n")
_RULES = re.compile(r"한도|상한|기준|규정|규약|지침|\blimit|\brules?\b|\bcode\b", re.IGNORECASE)
_TIMES = Quick(
    rf"(?P<ko>{COUNT})\s?(?:번|차례|회)(?P<nth>째)?(?!당|에(?=\s\S*\d)|\s?(?:한도|이내|이하|까지|초과|방문))|"
    r"\b(?P<en>\d{1,2}|once|twice|two|three|four|five|six|seven|eight|nine|ten)\s?times\b|\b(?P<word>twice)\b|"
    r"\b(?P<ord>fifth|sixth|seventh|eighth|ninth|tenth)\b",
    re.IGNORECASE,
)
_DAYS = re.compile(
    r"(?<!\d)\d{1,2}일(?:에\s?이어|에|과|와|,|·|및|\s|그리고)*(?:(?:,|·|\s)*\d{1,2}일(?:에도|에\s?이어|에|과|와|도|,|·|및|"
    r"\s)*)+"
)
"""Days in a list: 2일, 4일, 9일에 이어 13일에도."""
_DAY_LIST = Quick(
    r"(?<![\d/.])(?:\d{1,2}/\d{1,2}(?:\([월화수목금토일]\))?(?:\s?(?:,|·|및|과|와|and)\s?)){1,30}\d{1,2}/\d{1,2}(?![\d/])"
)
_DAYS_OF_MONTH = Quick(r"\d{1,2}월\s?(?:\d{1,2}일?\s?[,·]\s?){1,30}\d{1,2}일")
"""Days in a list with their month: 10/2, 10/6 and 10/13; 10월 2, 6, 13일."""
_NTH = r"(?:the )?\d{1,2}(?:st|nd|rd|th)?"
_NEXT = r"(?:,? and |, | & )"
_DAYS_EN = Quick(
    rf"\b(?P<days>{_NTH}(?:{_NEXT}{_NTH}){{1,30}})(?: of)? {_MONTH}\b|"
    rf"\b{_MONTH} (?P<after>{_NTH}(?:{_NEXT}{_NTH}){{1,30}})(?![\d,]*\d)|"
    rf"(?P<nth>\bthe \d{{1,2}}(?:st|nd|rd|th)(?:{_NEXT}(?:the )?\d{{1,2}}(?:st|nd|rd|th)){{1,30}})\b"
)
"""Days in an English list: on 1, 8 and 15 October; October 1, 8 and 15; the 2nd, 6th and 13th."""
_MONTHLY = re.compile(
    r"한\s?달|이달|이번\s?달|당월|월간|\d{1,2}월|매달|\bmonth\b|\b(?:in|during|of) (?:January|February|March|April|May|June|"
    r"July|August|September|October|November|December)\b",
    re.IGNORECASE,
)
_ORDINALS = {
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
    "twice": 2,
    "once": 1,
}
EACH_TIME = Quick(
    r"매번|매회|회당|번당|번마다|때마다|매주|격주|주마다|자주|여러\s?(?:번|차례)|"
    r"\bevery (?:week|visit|other week|few days)\b|\bweekly\b|"
    r"\bseveral times\b|\brepeatedly\b|\beach time\b|\bevery time\b|\beach visit\b|\bper visit\b",
    re.IGNORECASE,
)


_KEPT = 64
"""Texts whose days are kept: those of a whole text and of its paragraph are asked for by every sentence."""
_POINT = re.compile(r"\s*(\d{1,2})[.)]\s")
"""The number of a point in a list, at the beginning of its line."""


class Around:
    """The facts that a stretch of text names, each read when it is asked for; `month` is the one that was named before it."""

    def __init__(self, text: str, month: int | None = None) -> None:
        self._text = text
        self._month = month

    @cached_property
    def dates(self) -> Sequence[date]:
        return [day for _, day, _ in _dates_in(self._text)]

    @cached_property
    def days(self) -> Sequence[str]:
        """Month and day, whether or not the year is told."""
        return list(dict.fromkeys(day for _, day in days_in(self._text, self._month)))

    @cached_property
    def places(self) -> Sequence[str]:
        return list(dict.fromkeys(m.group().strip() for m in _PLACE.finditer(self._text)))

    @cached_property
    def heads(self) -> Sequence[tuple[int, int]]:
        return people(self._text)

    @cached_property
    def doctors(self) -> tuple[str, ...]:
        found: list[str] = []
        for m in _NAMED.finditer(self._text):
            names = [m[3]] if m[3] else [*re.findall(r"[가-힣]{2,4}", m[1]), m[2]]
            found += [name for name in names if not _NO_NAME.search(name)]
        return tuple(dict.fromkeys(found))

    @cached_property
    def public(self) -> bool | None:
        return sector(self._text)

    @cached_property
    def hours(self) -> int | None:
        return _hours(self._text)

    @property
    def least_hours(self) -> int | None:
        """The shortest length that the text tells: of several lectures nobody knows which one was paid for."""
        lengths = (
            {_in_hours(m) for m in _HOURS.finditer(self._text)} if self.hours is not None else set[int]()
        )
        return min(lengths, default=None)

    @cached_property
    def times(self) -> int | None:
        return _times(self._text)

    @cached_property
    def monthly(self) -> bool:
        return _MONTHLY.search(self._text) is not None or len(self.listed_days) > 1

    @cached_property
    def listed_days(self) -> frozenset[int]:
        return _listed_days(self._text)

    @cached_property
    def sentences(self) -> Sequence[str]:
        return _ENDS.split(self._text)


@lru_cache(KEPT)
def around(text: str, month: int | None = None) -> Around:
    """The facts of a stretch of text, each read once."""
    return Around(text, month)


class Blocks:
    """Paragraphs, divided by empty lines; what each names is read once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(m.end() for m in re.finditer(r"\n[ \t]*\n+", text))]
        self._last: dict[int, tuple[str | None, str | None]] = {}

    def number(self, position: int) -> int:
        return bisect_right(self._starts, position) - 1

    def last_named(self, position: int) -> tuple[str | None, str | None]:
        """The institution and the day that the text named last before a place, or in the same line."""
        line = self._text.find("\n", position)
        until = len(self._text) if line < 0 else line
        if until not in self._last:
            self._last[until] = _last(self._places, until), _last(self._days, until)
        return self._last[until]

    @cached_property
    def _places(self) -> list[tuple[int, str]]:
        return [(m.start(), m.group().strip()) for m in _PLACE.finditer(self._text)]

    @cached_property
    def _days(self) -> list[tuple[int, str]]:
        dates = [
            (at, f"{day.month:02}-{day.day:02}") for at, day, month in _dates_in(self._text) if not month
        ]
        return sorted([*days_in(self._text), *dates])

    def goes_on_between(self, first: int, last: int) -> bool:
        """Say whether the text names a day and an institution between two places."""
        return all(
            bisect_left(places, first) < bisect_left(places, last)
            for places in (self._starts_of_days, self._starts_of_places)
        )

    @cached_property
    def _starts_of_places(self) -> list[int]:
        return [at for at, _ in self._places]

    @cached_property
    def _starts_of_days(self) -> list[int]:
        return sorted(at for at, *_ in [*_dates_in(self._text), *days_in(self._text)])

    @cached_property
    def _months(self) -> list[tuple[int, str]]:
        return [(at, str(month)) for at, month, _ in _days_and_months(self._text) if month]

    def month_before(self, position: int) -> int | None:
        """The month that the paragraph of a place named last before it."""
        at = bisect_right(self._months, (position, ""))
        named = self._months[at - 1] if at else None
        return int(named[1]) if named is not None and named[0] >= self.start(position) else None

    def item_at(self, position: int) -> int | None:
        """The number of the point whose line a place stands in."""
        found = _POINT.match(self._text, self._text.rfind("\n", 0, position) + 1)
        return int(found[1]) if found else None

    def start(self, position: int) -> int:
        return self._starts[self.number(position)]

    def mentions(self, position: int, words: re.Pattern[str]) -> bool:
        return words.search(self._block(self.number(position))) is not None

    def text_at(self, position: int) -> str:
        return self._block(self.number(position))

    def _block(self, at: int) -> str:
        end = self._starts[at + 1] if at + 1 < len(self._starts) else len(self._text)
        return self._text[self._starts[at] : end]

    def whole(self) -> Around:
        """The facts of the whole text, which may have one paragraph alone."""
        return around(self._text)

    def around(self, position: int) -> Around:
        return around(self._block(self.number(position)))


def _last(named: Sequence[tuple[int, str]], until: int) -> str | None:
    at = bisect_right(named, (until, ""))
    return named[at - 1][1] if at else None


def sector_is_open(text: str) -> bool:
    """Say whether a text tells that nobody knows yet whether an institution is public."""
    found = _OPEN_SECTOR.search(text)
    return found is not None and _FOUND_OUT.search(text, found.end()) is None


def sector(text: str) -> bool | None:
    """True for the public sector, False for a private institution, None where the words say neither or both."""
    parts = _ENDS.split(text)
    if _RULES.search(text):
        parts = [part for part in parts if not _RULES.search(part)]
    spoken = "\n".join(parts) or text
    public, private = _PUBLIC.search(spoken), _PRIVATE.search(spoken)
    if public and _MIXED.search(spoken):
        return True
    if public and _NOT_PUBLIC.search(spoken):
        return None if re.search("교수|공무원|professor", spoken) else False
    if public:
        return True
    return False if private or _PLACE.search(spoken) else None


def day_before(text: str, position: int, month: int | None = None) -> str | None:
    """The day that stands last before a place: of several days in a line each sum has its own."""
    return next((day for at, day in reversed(days_in(text, month)) if at < position), None)


def days_in(text: str, month: int | None = None) -> list[tuple[int, str]]:
    """Month and day of each day that a text names, with its place; a day alone is one of the month that was named last."""
    found: list[tuple[int, str]] = []
    for at, number, day in _days_and_months(text):
        month = number or month
        if day and month and 1 <= month <= 12 and 1 <= day <= 31:
            found.append((at, f"{month:02}-{day:02}"))
    return found


@lru_cache(_KEPT)
def _days_and_months(text: str) -> Sequence[tuple[int, int, int]]:
    """Place, month and day in their order, with 0 for the one that is not told."""
    found: list[tuple[int, int, int]] = []
    taken: set[int] = set()
    for m in _DAY.finditer(text):
        month = m[1] or m[3] or str(_MONTHS[(m[6] or m[7])[:3].lower()])
        taken.update(range(*m.span()))
        found.append((m.start(), int(month), int(m[2] or m[4] or m[5] or m[8])))
    alone = [
        (m.start(), int(m[1]) if m[1] else _MONTHS[m[2][:3].lower()], 0) for m in _MONTH_ALONE.finditer(text)
    ]
    alone += [(m.start(), 0, int(m[1] or m[2])) for m in _DAY_ALONE.finditer(text)]
    return sorted([*found, *(one for one in alone if one[0] not in taken)])


@lru_cache(_KEPT)
def _dates_in(text: str) -> Sequence[tuple[int, date, bool]]:
    """Place and day of each date, and whether it tells only the month."""
    dated = ((m.start(), _date(m), m[4] is not None) for m in _DATES.finditer(text))
    return [(at, day, month) for at, day, month in dated if day is not None]


def has_a_day(text: str) -> bool:
    return any(m[3] or m[6] or m[10] for m in _DATES.finditer(text))


def _date(m: re.Match[str]) -> date | None:
    try:
        if m[1]:
            return date(int(m[1]), int(m[2]), int(m[3]))
        if m[4]:
            return date(int(m[4]), int(m[5]), 1)
        if m[12]:
            return date(int(m[13]), _MONTHS[m[12][:3].lower()], 1)
        month, day, year = (m[7], m[6], m[8]) if m[7] else (m[9], m[10], m[11])
        return date(int(year), _MONTHS[month[:3].lower()], int(day))
    except (ValueError, KeyError):
        return None


def _hours(text: str) -> int | None:
    found = _HOURS.search(text) if _TELLS_TIME.search(text) else None
    return _in_hours(found) if found else None


def _in_hours(found: re.Match[str]) -> int:
    spelled = {"one": "1", "two": "2", "three": "3"}.get((found[5] or "").lower())
    hours, minutes = found[1] or found[3] or spelled, found[2] or found[4]
    # A lecture counts in started hours of at least forty minutes: a shorter one counts in none.
    return (int(hours) * 60 + 20 if hours else int(minutes) + 20) // 60


def _listed_days(text: str) -> frozenset[int]:
    """The days of one month that a list names; of several months those of the fullest."""
    by_month: dict[str, set[str]] = {}
    for m in _DAY_LIST.finditer(text):
        for month, day in re.findall(r"(\d{1,2})/(\d{1,2})", m.group()):
            by_month.setdefault(month, set()).add(day)
    for m in _DAYS_OF_MONTH.finditer(text):
        month, *days = re.findall(r"\d{1,2}", m.group())
        by_month.setdefault(month, set()).update(days)
    for m in _DAYS_EN.finditer(text):
        days = re.findall(r"\d{1,2}", m["days"] or m["after"] or m["nth"])
        by_month.setdefault((m[2] or m[3] or "")[:3], set()).update(days)
    fullest = max(by_month.values(), key=len, default=set[str]())
    return frozenset(int(day) for day in fullest if 1 <= int(day) <= 31)


_BEFORE_THIS = re.compile(
    r"(?:앞서|이전에|그\s?전에|오늘\s?(?:전|이전)에?)\s(?:이미\s|벌써\s)?(?:\S+\s)?$|"
    r"\b(?:before (?:this|today|that)|earlier)[^.]{0,40}$",
    re.IGNORECASE,
)
"""Words before the times that came before the one that is told."""


def _times(text: str) -> int | None:
    """Count how often something is said to have happened; "the fifth this month" is five times."""
    days = _DAYS.search(text)
    most = len(set(re.findall(r"(\d{1,2})일", days.group()))) if days else None
    listed = len(_listed_days(text))
    most = max(most or 0, listed) if listed else most
    for m in _TIMES.finditer(text):
        if m["nth"] and not _MONTHLY.search(text):
            continue
        word = (m["ko"] or m["en"] or m["word"] or m["ord"] or "").lower()
        count = _ORDINALS.get(word) or whole_number(word)
        if count is not None and count <= 100:
            most = max(
                most or 0, count + (not m["nth"] and _BEFORE_THIS.search(text, 0, m.start()) is not None)
            )
    return most
