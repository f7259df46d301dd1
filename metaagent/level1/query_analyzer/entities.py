# ruff: noqa: E501 - a pattern is read in one piece
"""Everything that a question names, each with its span, its normalised value, and the rule that found it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from metaagent.language import amounts, periods
from metaagent.language.calendar import Range
from metaagent.language.numerals import count_word
from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.domain import Domain
from metaagent.level1.query_analyzer.words import articles
from metaagent.level1.query_analyzer.words.lexicon import Hit, Meaning, Phrasebook, Scan
from metaagent.level1.query_analyzer.words.particles import TITLE_AFTER, stems
from metaagent.level1.query_analyzer.words.particles import words as listed
from metaagent.level1.query_analyzer.words.source import Source, key_of

NAMED = ("location", "person", "organisation", "product", "value")


@dataclass(frozen=True)
class Entity:
    start: int
    end: int
    type: str
    normalized: Any
    method: str
    candidates: tuple[Meaning, ...] = ()
    extra: dict[str, Any] = field(default_factory=dict[str, Any])

    def overlaps(self, other: Entity) -> bool:
        return self.start < other.end and other.start < self.end

    def with_extra(self, **more: Any) -> Entity:
        return replace(self, extra={**self.extra, **more})


@dataclass(frozen=True)
class Reader:
    """Everything that entities are read with: the words, the day, what earlier turns left."""

    domain: Domain
    book: Phrasebook
    today: date
    verbs: frozenset[int]
    base_period: Range | None = None
    earliest: date | None = None
    artifacts: Sequence[Mapping[str, Any]] = ()
    ahead: bool = False
    """Dates without a year are still to come."""


_WINDOW_AFTER = regex(r"\s?-?(?:단위\s)?(?:이동\s?평균|moving\saverage|rolling\saverage)")
"""3개월 이동평균: how many months are averaged, not which."""


def _period_entities(source: Source, reader: Reader) -> list[Entity]:
    recent = reader.domain.defaults.get("recent_days")
    found = periods.find(
        source.text,
        reader.today,
        base=reader.base_period,
        recent_days=recent,
        earliest=reader.earliest,
        ahead=reader.ahead,
    )
    entities: list[Entity] = []
    for period in found:
        if _WINDOW_AFTER.match(source.text, period.end):
            continue
        extra: dict[str, Any] = {"role": period.role, "rule": period.rule, "unit": period.unit}
        if period.shift:
            extra["shift"] = period.shift
        if period.assumed_year:
            extra["assumed_year"] = True
        if period.range:
            extra |= {"start": period.range.first.isoformat(), "end": period.range.last.isoformat()}
        value = period.range.iso if period.range else None
        entities.append(
            Entity(period.start, period.end, "period", value, f"period_{period.rule}", extra=extra)
        )
    return entities


def _amount_entities(source: Source, reader: Reader, taken: list[tuple[int, int]]) -> list[Entity]:
    entities: list[Entity] = []
    for amount in amounts.find(source.text, taken=taken):
        extra: dict[str, Any] = dict(amount.extra)
        if amount.unit:
            extra["currency" if amount.kind == "money" else "unit"] = amount.unit
        entities.append(
            Entity(amount.start, amount.end, amount.kind, amount.value, f"amount_{amount.kind}", extra=extra)
        )
    return entities


_SHORTHANDS = (
    (regex(r"전년\s?비(?![교중용율])|(?<![a-z])(?:yoy|year[\s-]over[\s-]year|year[\s-]on[\s-]year)(?![a-z])"), "previous_year", "year"),
    (regex(r"전월\s?비(?![교중용율])|(?<![a-z])(?:mom|month[\s-]over[\s-]month|month[\s-]on[\s-]month)(?![a-z])"), "previous_month", "month"),
    (regex(r"전분기\s?비(?![교중용율])|(?<![a-z])(?:qoq|quarter[\s-]over[\s-]quarter)(?![a-z])"), "previous_quarter", "quarter"),
    (regex(r"(?<![a-z])(?:wow|week[\s-]over[\s-]week)(?![a-z])"), "previous_week", "week"),
)  # fmt: skip


def _shorthand_entities(source: Source) -> list[Entity]:
    return [
        Entity(match.start(), match.end(), "comparison", value, "comparison_shorthand", extra={"shift": unit})
        for pattern, value, unit in _SHORTHANDS
        for match in pattern.finditer(source.text)
    ]


_REFERENCE_KINDS = {
    "표": "dataset", "테이블": "dataset", "데이터": "dataset", "차트": "chart", "그래프": "chart", "보고서": "document", "문서": "document",
    "table": "dataset", "data": "dataset", "chart": "chart", "graph": "chart", "report": "document", "document": "document",
}  # fmt: skip
_REFERENCE_KO = regex(
    r"(?<![가-힣])(?:(?:이|그|저|요)(?:걸로|걸|것들?|거|게)(?![가-힣]{3})"
    r"|(?:방금|아까|위|위의|앞|앞의|앞선|이|그|이번|해당|분석|조회|직전|이전|점검|검토)\s?(?:분석\s?|조회\s?|나온\s?)?(?:결과물|결과|내용|수치|숫자|(?P<kind>표|차트|그래프|데이터))(?![가-힣]?[가-힣]서))"
    r"|(?<![가-힣])(?:방금|아까)\s[가-힣]{2,6}\s(?:결과물|결과)(?![가-힣]?[가-힣]서)"
    r"|(?<![가-힣])(?:그|위|앞|방금|아까)\s?(?:금액|액수|총액|합계|건수)(?=[^.?!\n]*(?:보고서|리포트|문서|저장|보관))"
    r"|(?<![가-힣])(?:이|그|위|방금|해당)\s(?P<doc>보고서|문서)"
)
_REFERENCE_EN = regex(
    r"(?<![a-z])(?:(?:this|that|the|these|those|above|previous|last)\s(?:above\s|previous\s|last\s)?(?:results?|analysis|figures?|numbers?(?! of)|output|(?P<kind>table|chart|graph|data)|(?P<doc>report(?=\sas|\sin|\sto|\sagain)|document))(?![a-z])"
    r"|(?:(?<=turn\s)|(?<=make\s)|(?<=save\s)|(?<=store\s)|(?<=show\s)|(?<=put\s)|(?<=convert\s)|(?<=of\s)|(?<=for\s)|(?<=from\s)|(?<=with\s)|(?<=is\s)|(?<=does\s)|(?<=into\s)|(?<=export\s)|(?<=draw\s)|(?<=plot\s)|(?<=archive\s)|(?<=break\s)|(?<=check\s)|(?<=explain\s)|(?<=summarize\s)|(?<=analyze\s)|(?<=review\s)|(?<=validate\s)|(?<=send\s)|(?<=sort\s)|(?<=split\s)|(?<=do\s))(?:this|that|these|those|them|(?<!is\s)(?<!does\s)it)(?![a-z'’])(?!\s(?:week|month|quarter|year|monday|friday|hospital|product|region|my|the|we|i|he|she|they|you|ok|okay|allowed|legal|seminar|expense|drop|drops|dropped|happen)(?![a-z])))"
)


_FILE_KO = regex(
    r"(?<![가-힣])(?:(?:이|그|저|요|위)\s?|올린\s|보낸\s|드린\s)(?:첨부\s?)?(?:파일|엑셀|시트|첨부물|csv|pdf|xlsx|docx)"
    r"|(?<![가-힣])(?:같이\s|함께\s)?첨부(?:한|된|해\s?드린|드린)\s[가-힣a-z]+(?:\s(?:파일|내역|목록|자료|기록|명세|명단|표))?"
    r"|(?<![가-힣])첨부\s?(?:파일|자료|문서|물)"
)
_FILE_EN = regex(
    r"(?<![a-z])(?:(?:this|that|the|my)\s(?:attached\s)?(?:file|csv|pdf|xlsx|docx|sheet|spreadsheet|excel(?:\sfile)?|attachment)"
    r"|(?:the\s|this\s|my\s)?attached(?:\s[a-z]+)?)(?![a-z])"
)
"""The file that came along: with its noun, which tells what is in the file and asks for no figure of the data."""
_LISTED_KO = regex(
    r"(?<![가-힣])이\s[가-힣]{2,6}\s?(?:목록|내역|명단|명세|자료|기록|리스트)(?![가-힣]?[가-힣]서)"
)
_LISTED_EN = regex(r"(?<![a-z])(?:this|these)\s[a-z]+\s(?:list|records?|entries|rows|log)(?![a-z])")
"""A list that is pointed at, where a file came with the question: 이 방문 목록, these visit records."""


_FILE_NAME = regex(
    r"(?<!as\s)(?<!to\s)(?<!into\s)(?<!named\s)(?<!called\s)(?<![\w./:@-])[\w가-힣()-]{1,60}"
    r"\.(?:xlsx?|csv|pdf|docx?|hwpx?|pptx?|txt|json|eml|md)(?![\w.])(?!(?:으로|로)(?![가-힣]))"
)
"""A file by its name, which is no name for what is to be made: as sales.xlsx, sales.xlsx로."""


def _named_files(source: Source, files: Sequence[Mapping[str, Any]]) -> list[Entity]:
    """Files that are called by name: the one that was given, or none."""
    ids = {str(each.get("title") or each.get("name") or "").lower(): str(each["id"]) for each in files}
    return [
        Entity(match.start(), match.end(), "reference", ids.get(match[0]), "reference")
        for match in _FILE_NAME.finditer(source.text)
    ]


def _file_entities(source: Source, reader: Reader) -> list[Entity]:
    files = [each for each in reader.artifacts if each.get("kind") == "file"]
    if not files:
        return _named_files(source, files)
    listed = (_LISTED_KO, _LISTED_EN) if files[-1].get("attached") else ()
    return [
        Entity(match.start(), match.end(), "reference", str(files[-1]["id"]), "reference")
        for pattern in (_FILE_KO, _FILE_EN, *listed)
        for match in pattern.finditer(source.text)
    ] + _named_files(source, files)


def _reference_entities(source: Source, reader: Reader) -> list[Entity]:
    found = _file_entities(source, reader)
    for pattern in (_REFERENCE_KO, _REFERENCE_EN):
        for match in pattern.finditer(source.text):
            word = match["kind"] or match["doc"]
            artifact = _artifact(reader.artifacts, _REFERENCE_KINDS.get(word or ""))
            found.append(Entity(match.start(), match.end(), "reference", artifact, "reference"))
    return found


_POINTS = regex(r"(?<![a-z])(?:it|this|that|them|these|those)(?![a-z'’])")


def referring(text: str, start: int, end: int, reader: Reader) -> list[Entity]:
    """The pronouns of words for a thing that is acted on: it, any of that."""
    artifact = _artifact(reader.artifacts, None)
    found = _POINTS.finditer(text, start, end)
    return [Entity(match.start(), match.end(), "reference", artifact, "reference") for match in found]


ABOUT_OTHERS = frozenset({"verdict", "stored", "memories"})
"""Kinds that only tell of other things: 'it' never means one of them."""


def _artifact(artifacts: Sequence[Mapping[str, Any]], kind: str | None) -> str | None:
    things = [item for item in artifacts if item.get("kind") not in ABOUT_OTHERS]
    fitting = [item for item in things if kind is None or item.get("kind") == kind] or things
    return str(fitting[-1]["id"]) if fitting else None


def _hit_entity(hit: Hit) -> Entity:
    first = hit.meanings[0]
    single = len(hit.meanings) == 1
    kinds = {meaning.type for meaning in hit.meanings}
    extra = {key: value for key, value in first.extra.items() if key != "id"} if single else {}
    normalized = first.normalized if single else None
    kind = first.type if len(kinds) == 1 else min(kinds)
    return Entity(hit.start, hit.end, kind, normalized, f"name_{hit.method}", hit.meanings, extra)


def of_meanings(start: int, end: int, meanings: tuple[Meaning, ...], source: Source) -> list[Entity] | None:
    """The entities that a known word may be, one of each kind; None where it is written as a common word."""
    hit = _as_names(Hit(start, end, meanings, "exact"), source)
    if hit is None:
        return None
    kinds: dict[tuple[str, str], list[Meaning]] = {}
    for meaning in _widest(hit).meanings:
        place = str(
            meaning.extra.get("dimension") or meaning.extra.get("name") if meaning.type != "person" else ""
        )
        kinds.setdefault(
            (meaning.type, place if meaning.type in ("value", "metric", "dimension") else ""), []
        ).append(meaning)
    return [_first_entity(Hit(start, end, tuple(same), "exact")) for same in kinds.values()]


_TITLE_AFTER = regex(r"\s?([가-힣]{2,6})")
_TITLE_BEFORE = regex(r"(?<![a-z])([a-z]{3,})\.?\s\Z")


def titled(
    start: int, end: int, meanings: tuple[Meaning, ...], text: str, book: Phrasebook
) -> tuple[Meaning, ...]:
    """장소율 교수, doctor Lee: of namesakes of several kinds, those of the kind that stands beside the name."""
    if len({m.extra.get("dimension") for m in meanings if m.type in NAMED}) < 2:
        return meanings
    after, before = _TITLE_AFTER.match(text, end), _TITLE_BEFORE.search(text, 0, start)
    words = [after[1][:size] for size in range(len(after[1]), 1, -1)] if after else []
    words += [before[1]] if before else []
    beside = {
        m.extra.get("name") for word in words for m in book.exact.get(word, ()) if m.type == "dimension"
    }
    return tuple(m for m in meanings if m.extra.get("dimension") in beside) or meanings


def namesakes(start: int, end: int, meanings: tuple[Meaning, ...], source: Source) -> Entity | None:
    """The name as an open entity, where nothing but several things of one kind are called so."""
    hit = _as_names(Hit(start, end, meanings, "exact"), source)
    alike = _widest(hit).meanings if hit else ()
    kinds = {m.type for m in alike}
    if len({m.identity for m in alike}) < 2 or len(kinds) > 1 or not kinds <= {*NAMED}:
        return None
    return _hit_entity(Hit(start, end, alike, "exact"))


def _first_entity(hit: Hit) -> Entity:
    """The first of several namesakes: which one is meant is asked elsewhere."""
    return _hit_entity(replace(hit, meanings=hit.meanings[:1]))


def _as_names(hit: Hit, source: Source) -> Hit | None:
    """A title of one common word, or a code such as ON or IN, written in small letters, is that word and no name."""
    written = source.surface(hit.start, hit.end)
    kept = tuple(meaning for meaning in hit.meanings if not _common_word(meaning, written))
    return replace(hit, meanings=kept) if kept else None


def _common_word(meaning: Meaning, written: str) -> bool:
    if not written.islower() or meaning.type != "value":
        return False
    code = meaning.name.isascii() and len(meaning.name) <= 3 and meaning.name.isupper()
    return bool(meaning.extra.get("proper")) or (code and key_of(meaning.name) == key_of(written))


def _widest(hit: Hit) -> Hit:
    """A band, its album and a song of one name: the band, to which the others belong."""
    places = {str(m.extra.get("dimension")): m.extra.get("place") for m in hit.meanings if m.type in NAMED}
    if len(places) < 2 or len(hit.meanings) != sum(m.type in NAMED for m in hit.meanings):
        return hit
    for name, place in places.items():
        others = [other for known, other in places.items() if known != name]
        if place and all(other and _above(place, other) for other in others):
            chosen = [meaning for meaning in hit.meanings if meaning.extra.get("dimension") == name]
            among = {**chosen[0].extra, "among": len(places)}
            return replace(hit, meanings=(replace(chosen[0], extra=among), *chosen[1:]))
    return hit


def _above(place: tuple[str, Sequence[str], bool], other: tuple[str, Sequence[str], bool]) -> bool:
    return place[0] in other[1] or (place[0] == other[0] and place[2] and not other[2])


def _preferred(hit: Hit) -> Hit:
    """A word that names a model term and something else is the model's; a grain of time gives way to a dimension."""
    if len(hit.meanings) < 2:
        return hit
    order = (
        "ambiguous_metric",
        "dimension",
        "metric",
        "document_type",
        "regulation",
        "location",
        "value",
        "output_form",
    )
    for kind in order:
        chosen = tuple(meaning for meaning in hit.meanings if meaning.type == kind)
        if chosen and len(chosen) < len(hit.meanings):
            return _preferred(replace(hit, meanings=chosen))
    dimensions = {
        meaning.extra.get("name"): meaning for meaning in hit.meanings if meaning.type == "dimension"
    }
    return replace(hit, meanings=tuple(dimensions.values())) if dimensions else hit


def _keep_longest(found: Iterable[Entity]) -> list[Entity]:
    rank = {"article": 0, "period": 0, "money": 1, "quantity": 1, "rank": 1}
    kept: list[Entity] = []
    for entity in sorted(found, key=lambda e: (e.start - e.end, rank.get(e.type, 2), e.start)):
        if not any(entity.overlaps(other) for other in kept):
            kept.append(entity)
    return sorted(kept, key=lambda e: e.start)


_GROUP_AFTER = regex(
    r"(?:\s?별|\s?마다|\s단위|\s?중(?:에|에서)?(?![가-힣])|\s?(?:목록|리스트|순위|랭킹|순(?![가-힣])))|\s?\d{1,3}\s?(?:곳|개|명|팀|군데|가지)|\s?(?:을|를|들|들을|도)?\s(?:좀\s)?(?:알려|보여|뽑아|찾아|추려|골라|리스트업|나열)|\s?(?:이|은|는|가)?\s?(?:어디|누구|무엇|뭐|뭔|있)|\s(?:list|ranking|breakdown|whose|with|that|having|where)(?![a-z])"
)
_GROUP_BEFORE = regex(
    r"(?:(?<![a-z])(?:by|per|each|every|across|which|what|list|all|any|among|between)\s(?:the\s|all\s|every\s)?(?:top\s|best\s|our\s)?|(?<![가-힣])(?:각|각각의|어느|어떤|무슨|모든|전체|매)\s?)\Z"
)
_SELF_GROUPING = regex(
    r"(?:by|per|each|every)\s[a-z ]+|매[월주년일달]|매분기|monthly|weekly|daily|quarterly|yearly|annual(?:ly)?|half-yearly"
)
_BEST = regex(
    r"(?:(?<![a-z])(?:best|worst|highest|lowest|strongest|weakest|top|bottom)\s(?:sales\s)?|(?:좋|나빴?|높|낮|많|적)(?:은|았던|던)\s?)\Z"
)
_LAST = regex(r"(?:들|은|는|이|가)?(?:요)?\s*[?.!]*\s*\Z")


def _apposition(entity: Entity, before: Entity | None, text: str, domain: Domain) -> bool:
    """서울 지역, 김철수 담당자, female students: the dimension only repeats what kind of thing the name is or belongs to."""
    if before is None:
        return False
    own = before.type == "value" and (before.extra.get("place") or ("",))[0] == entity.extra.get("table")
    listed = _GROUP_BEFORE.search(text, 0, before.start) or _GROUP_AFTER.match(text, entity.end)
    if domain.entity_dimensions.get(before.type) != entity.extra.get("name") and (not own or listed):
        return False
    return text[before.end : entity.start].strip() == "" and not text.startswith(("별", "마다"), entity.end)


def _groups(entity: Entity, text: str, ranked: bool, following: bool) -> bool:
    word = text[entity.start : entity.end]
    if _SELF_GROUPING.fullmatch(word) or _GROUP_BEFORE.search(text, 0, entity.start):
        return True
    if _GROUP_AFTER.match(text, entity.end):
        spelt_out = len(word) > 1 or "grain" not in entity.extra
        return spelt_out or text.startswith(("별", "마다", " 별", " 단위"), entity.end)
    if len(word) > 1 and _LAST.match(text, entity.end) and "grain" not in entity.extra:
        return True
    if "grain" in entity.extra:
        return ranked and (
            _LAST.match(text, entity.end) is not None or bool(_BEST.search(text, 0, entity.start))
        )
    return (ranked or following) and (len(word) > 1 or word == "팀")


def _named_figures(found: list[Entity]) -> list[Entity]:
    """곡의 가격, where songs and order lines have prices: that of what is named; if nothing tells, the person is asked."""
    tables = {str(e.extra["table"]) for e in found if e.type == "dimension" and e.extra.get("table")}
    result: list[Entity] = []
    for entity in found:
        if entity.type != "metric" or entity.normalized is not None or len(entity.candidates) < 2:
            result.append(entity)
            continue
        own = [m for m in entity.candidates if m.extra.get("table") in tables] or _closest(entity, tables)
        if len(own) == 1:
            extra = {key: value for key, value in own[0].extra.items() if key != "id"}
            result.append(replace(entity, normalized=own[0].normalized, candidates=(own[0],), extra=extra))
        else:
            options = [m.name for m in own or entity.candidates]
            result.append(replace(entity, type="ambiguous_metric", candidates=(), extra={"options": options}))
    return result


def _closest(entity: Entity, tables: set[str]) -> list[Meaning]:
    """매체별 평균 가격: songs have a medium, order lines only through songs."""
    sizes = [
        (len(m.extra["reaches"]), at)
        for at, m in enumerate(entity.candidates)
        if tables and tables <= set(m.extra.get("reaches") or ())
    ]
    least = [at for size, at in sizes if size == min(sizes)[0]]
    return [entity.candidates[least[0]]] if len(least) == 1 else []


def _limited(entity: Entity, found: list[Entity], text: str) -> bool:
    """거래 금액 100만원 이상: the next thing is a number with a direction."""
    after = [other for other in found if other.start >= entity.end and other.type in ("money", "quantity")]
    return (
        bool(after) and "operator" in after[0].extra and len(text[entity.end : after[0].start].strip()) <= 2
    )


_COUNTERS = {
    "건": ("건수", "수"), "명": ("인원", "수", "명수"), "곳": ("수",), "군데": ("수",), "개": ("수", "개수", "수량"),
    "회": ("횟수", "건수", "수"), "번": ("횟수", "건수", "수"), "차례": ("횟수", "건수"), "가지": ("수",), "종": ("수",),
}  # fmt: skip
_HOW_MANY = regex(
    r"(?:들)?(?:은|는|이|가|을|를|도)?\s?(?:모두|총|전부|전체)?\s?몇\s?(?P<unit>건|명|곳|군데|개|회|번|차례|가지|종)"
)
_HOW_MANY_EN = regex(
    r"(?:how many|number of|count of|count the)\s(?:of\s)?(?:our\s|the\s|different\s|distinct\s)?\Z"
)


_MOST_OF = regex(r"들?(?:이|가|은|는|을|를)?\s?(?:가장|제일|젤|더)?\s?(?:많|적)(?:은|이|게)")
_MOST_OF_EN = regex(r"(?<![a-z])(?:the\s)?(?:most|fewest|least|more|fewer)\s\Z")


def _counts(found: list[Entity], source: Source, book: Phrasebook) -> list[Entity]:
    """병원이 몇 곳, how many reps, 앨범이 가장 많은 아티스트: the figure is how many there are; 주문은 몇 건 is 주문 건수."""
    text, result = source.text, list(found)
    for at, entity in enumerate(found):
        name = entity.extra.get("counted_by") if entity.type == "dimension" else None
        after, before = _HOW_MANY.match(text, entity.end), _HOW_MANY_EN.search(text, 0, entity.start)
        others = [e for e in found if e.type == "dimension" and e is not entity and "grain" not in e.extra]
        most = others and (_MOST_OF.match(text, entity.end) or _MOST_OF_EN.search(text, 0, entity.start))
        if name and (after or before or most):
            end = after.end() if after else entity.end
            result[at] = replace(
                entity, end=end, type="metric", normalized=name, extra={"name": name, "column": None}
            )
    if any(entity.type == "metric" for entity in result):
        return result
    return [*result, *_counted_words(result, source, book)]


def _based(found: list[Entity], text: str) -> list[Entity]:
    """지난 분기 매출 대비 비용률: 대비 is part of the figure's name, so the period is not what it is compared with."""
    inside = [text.find("대비", e.start, e.end) for e in found if e.type == "metric"]
    inside = [at for at in inside if at >= 0]
    return [
        entity.with_extra(role="base")
        if entity.type == "period"
        and entity.extra.get("role") == "comparison"
        and text.find("대비", entity.end) in inside
        else entity
        for entity in found
    ]


def _counted_words(found: list[Entity], source: Source, book: Phrasebook) -> list[Entity]:
    for match in _HOW_MANY.finditer(source.text):
        words = [span for span in source.words if span[1] <= match.end() and span[0] < match.start("unit")]
        for start, end in reversed(words[-3:]):
            for stem in stems(source.text[start:end]):
                for suffix in _COUNTERS[match["unit"]]:
                    hits = [m for m in book.exact.get(key_of(stem + suffix), ()) if m.type == "metric"]
                    if hits and not any(e.start < end and start < e.end for e in found):
                        return [
                            Entity(
                                start,
                                start + len(stem),
                                "metric",
                                hits[0].normalized,
                                "name_exact",
                                extra=hits[0].extra,
                            )
                        ]
    return []


def _weeks_or_states(found: list[Entity]) -> list[Entity]:
    """주별 is by week, but beside a place it is by state: where a part of time shares its word with a column."""
    result = list(found)
    for at, entity in enumerate(found):
        grain = next((m for m in entity.candidates if "grain" in m.extra), None)
        if entity.type != "dimension" or entity.extra.get("name") or grain is None:
            continue
        near = [e.extra["place"] for e in found if e.extra.get("place")]
        places = {table for place in near for table in (place[0], *place[1])}
        chosen = next(
            (m for m in entity.candidates if str(m.extra.get("column")).split(".")[0] in places), grain
        )
        extra = {key: value for key, value in chosen.extra.items() if key != "id"}
        result[at] = replace(entity, normalized=chosen.normalized, candidates=(chosen,), extra=extra)
    return result


def _dimensions(found: list[Entity], text: str, domain: Domain) -> list[Entity]:
    """Keeps the dimensions that the result is grouped, listed or ranked by; 병원 in 병원 방문 is none."""
    ranked = any(entity.type == "rank" for entity in found)
    kept: list[Entity] = []
    compared = False
    for entity in found:
        if entity.type == "dimension" and entity.extra.get("measured") and _limited(entity, found, text):
            kept.append(entity.with_extra(limits=True))
            continue
        if entity.type == "dimension":
            before = kept[-1] if kept else None
            same = _apposition(entity, before, text, domain) and not (
                ranked and "place" in (before or entity).extra
            )
            if same or not _groups(entity, text, ranked, compared):
                continue
        compared = compared or "operator" in entity.extra or entity.type == "comparison"
        kept.append(entity)
    return kept


_NEGATED_AFTER = regex(
    r"(?:을|를|은|는|만|이|가)?\s?(?:지역\s?|병원\s?|제품\s?)?(?P<w>제외|빼고|빼줘|빼|뺀|말고|아닌|외에|외의|이외|없이|아니고|아니라)"
)
_NEGATED_BEFORE = regex(
    r"(?<![a-z])(?P<w>outside\sof|outside|except\sfor|except|excluding|exclude|without|other\sthan|but\snot|not\sincluding|apart\sfrom|leaving\sout|leave\sout|instead\sof|not)\s(?:the\s|in\s|for\s)?\Z"
)
_LIST = regex(r"\s?(?:,|와|과|랑|이랑|하고|및|그리고|and|or|,\sand)\s?")


_BETTER = regex(r"(?:좋은|높은|많은|큰|잘\s[가-힣]+|우수한)\s?\Z")
_WORSE = regex(r"(?:나쁜|낮은|적은|작은|저조한|부진한)\s?\Z")


_COUNT_BEFORE = regex(r"(?<![a-z0-9])(?P<n>\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twenty)\s\Z")


def _counted_before(entity: Entity, found: list[Entity], text: str) -> Entity:
    if entity.type != "rank" or entity.extra["n"] != 1:
        return entity
    for noun in found:
        count = _COUNT_BEFORE.search(text, 0, noun.start) if noun.type == "dimension" else None
        number = count_word(count["n"]) if count else None
        if number:
            direction = entity.extra["direction"]
            return replace(
                entity, normalized=f"{direction} {number}", extra={"direction": direction, "n": number}
            )
    return entity


_WHICH_MANY = regex(r"(?<![a-z])(?:which|what)\s(?:of\s(?:our|the)\s)?\Z")
FEW = 5


def _plural(found: list[Entity], text: str) -> list[Entity]:
    """Words that ask for some, not one: which products grew the most."""
    many = any(
        e.type == "dimension" and text[e.end - 1] == "s" and _WHICH_MANY.search(text, 0, e.start)
        for e in found
    )
    return [
        replace(e, normalized=f"{e.extra['direction']} {FEW}", extra={**e.extra, "n": FEW})
        if many and e.type == "rank" and e.extra["n"] == 1
        else e
        for e in found
    ]


def _limits(found: list[Entity], text: str) -> list[Entity]:
    """병원 3곳, five hospitals with the lowest: how many are listed, best first unless the worst are asked for."""
    result = [_counted_before(entity, found, text) for entity in found]
    for at in range(1, len(found)):
        noun, count = found[at - 1], found[at]
        beside = noun.type == "dimension" and not text[noun.end : count.start].strip()
        if count.type != "quantity" or not beside or "operator" in count.extra:
            continue
        rank = next((index for index, e in enumerate(result) if e.type == "rank" and e.extra["n"] == 1), None)
        better, worse = _BETTER.search(text, 0, noun.start), _WORSE.search(text, 0, noun.start)
        direction = (
            result[rank].extra["direction"]
            if rank is not None
            else "bottom"
            if worse
            else "top"
            if better
            else None
        )
        if direction is None:
            continue
        extra = {"direction": direction, "n": count.normalized}
        place = at if rank is None else rank
        result[place] = replace(
            result[place], type="rank", normalized=f"{direction} {count.normalized}", extra=extra
        )
    return result


def _chain(found: list[Entity], at: int, step: int, text: str) -> list[int]:
    """Neighbours in one list with the entity: 서울과 부산 (제외), except Seoul and Busan."""
    chain = [at]
    while 0 <= at + step < len(found):
        left, right = sorted((at, at + step))
        same = found[left].type == found[right].type
        if not same or not _LIST.fullmatch(text[found[left].end : found[right].start]):
            break
        at += step
        chain.append(at)
    return chain


def _negations(found: list[Entity], text: str) -> list[Entity]:
    result = list(found)
    words: list[Entity] = []
    for at, entity in enumerate(found):
        if entity.type == "dimension" and at > 1 and (left_out := _NEGATED_AFTER.match(text, entity.end)):
            result[at - 2 : at] = [_opposite(result[at - 2]), result[at - 1]]
            words.append(Entity(left_out.start("w"), left_out.end("w"), "negation", "exclude", "negation"))
            continue
        if entity.type not in (*NAMED, "period", "quantity", "money"):
            continue
        after, before = _NEGATED_AFTER.match(text, entity.end), _NEGATED_BEFORE.search(text, 0, entity.start)
        match = after or before
        if match is None:
            continue
        word = match["w"]
        replaced = _replaced(word, found, at, bool(after))
        for index in _chain(found, at, -1 if after else 1, text):
            result[index] = result[index].with_extra(
                **({"replaced": True} if replaced else {"negated": True})
            )
        words.append(Entity(match.start("w"), match.end("w"), "negation", "exclude", "negation"))
    return sorted([*result, *words], key=lambda e: e.start)


_OPPOSITES = {">=": "<", ">": "<=", "<=": ">", "<": ">="}


def _opposite(entity: Entity) -> Entity:
    """500만원 미만 병원은 빼고: what is left out is the other side of the condition."""
    operator = entity.extra.get("operator")
    return entity.with_extra(operator=_OPPOSITES[operator]) if operator in _OPPOSITES else entity


def _replaced(word: str, found: list[Entity], at: int, after: bool) -> bool:
    """3박 말고 4박, 4 nights instead of 3: the other one is meant."""
    if word not in ("말고", "아니고", "아니라", "instead of", "not"):
        return False
    others = found[at + 1 :] if after else found[:at] + found[at + 1 :]
    return any(other.type == found[at].type and "negated" not in other.extra for other in others)


_SURNAMES = frozenset(
    "김이박최정강조윤장임한오서신권황안송전홍유고문양손배백허남심노하곽성차주우구민류나진지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국어은편용"
)
_KIND_WORDS = ("병원", "의원", "약국", "클리닉", "의료원", "메디컬센터", "한의원", "치과")
_NO_NAME = frozenset(
    listed("""
종합 대학 상급종합 요양 전체 모든 해당 담당 주요 우리 거래 신규 기존 각 공공 민간 대형 중소 일반 어느
어떤 전문 한방 동네 상위 하위 개인 이 그 저 다른 타 대학교
""")
)
_PERSON = regex(
    rf"(?<![가-힣])(?P<name>[가-힣]{{1,4}}?){TITLE_AFTER.pattern}(?=[\s,.?!]|은|는|이|가|을|를|의|에게|한테|께|$)"
)


def _unknown_entities(source: Source, book: Phrasebook, free: list[tuple[int, int]]) -> list[Entity]:
    """Names by their form that the data does not hold: a title after a surname, a hospital's ending."""
    found: list[Entity] = []
    for match in _PERSON.finditer(source.text):
        name = match["name"]
        if len(name) in (1, 3) and name[0] in _SURNAMES:
            people = _people(book, name)
            single = people[0].normalized if len(people) == 1 else None
            end = match.end() if len(name) == 1 else match.end("name")
            extra = {"name": people[0].name} if single else {}
            found.append(
                Entity(
                    match.start(),
                    end,
                    "person",
                    single,
                    "name_unknown" if not people else "name_partial",
                    people,
                    extra,
                )
            )
    for start, end in free:
        for stem in stems(source.text[start:end]):
            kind = next((kind for kind in _KIND_WORDS if stem.endswith(kind)), None)
            if kind and len(stem) >= len(kind) + 2 and stem[: -len(kind)] not in _NO_NAME:
                found.append(Entity(start, start + len(stem), "organisation", None, "name_unknown"))
                break
    return found


def _people(book: Phrasebook, surname: str) -> tuple[Meaning, ...]:
    """Everyone whom a lone surname with a title may mean."""
    if len(surname) > 1:
        return ()
    found: dict[tuple[str, str], Meaning] = {}
    for key, meanings in book.exact.items():
        if key[0] == surname:
            found.update({m.identity: m for m in meanings if m.type == "person"})
    return tuple(found.values())


def _spans(found: Iterable[Entity]) -> list[tuple[int, int]]:
    return [(entity.start, entity.end) for entity in found]


def find(source: Source, reader: Reader) -> list[Entity]:
    """All entities in the order of the text; no two of them share a character."""
    text = source.text
    cited = [
        Entity(s, e, "article", name, "article", extra=extra) for s, e, name, extra in articles.named(source)
    ]
    timed = [*_period_entities(source, reader), *_shorthand_entities(source), *cited]
    counted = _amount_entities(source, reader, _spans(timed))
    scan = Scan(source, reader.book, reader.verbs)
    hits = [
        _hit_entity(
            _preferred(
                _widest(
                    replace(named, meanings=titled(hit.start, hit.end, named.meanings, text, reader.book))
                )
            )
        )
        for hit in scan.hits(_spans([*timed, *counted]))
        if (named := _as_names(hit, source))
    ]
    found = _keep_longest([*timed, *counted, *_reference_entities(source, reader), *hits])
    loose = [_hit_entity(_preferred(_widest(hit))) for hit in scan.loose_hits(_spans(found))]
    found = _keep_longest([*found, *loose])
    free = [
        (s, e) for s, e in source.words if not any(s < stop and begin < e for begin, stop in _spans(found))
    ]
    unknown = [
        u for u in _unknown_entities(source, reader.book, free) if not any(u.overlaps(e) for e in found)
    ]
    found = _named_figures(_keep_longest([*found, *unknown]))
    found = _counts(_based(found, text), source, reader.book)
    found = _weeks_or_states(sorted(found, key=lambda e: e.start))
    found = _dimensions(found, text, reader.domain)
    return _negations(_plural(_limits(found, text), text), text)
