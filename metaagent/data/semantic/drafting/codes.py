# ruff: noqa: E501 - a table of words is read by its columns
"""Tables of codes: `(BIKE_TYP, E, Electric bike)` names a value of another table's column, which people call by that name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from metaagent.data.semantic.drafting.dictionary_values import VALUES
from metaagent.data.semantic.drafting.words import hangul, korean, plural, singular, words_of
from metaagent.language.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sqlalchemy.engine import Connection

    from metaagent.data.semantic.drafting.table import Table

_CODES = frozenset({"code", "cd", "코드", "value", "key"})
_GROUPS = frozenset(
    {"group", "grp", "type", "kind", "class", "category", "domain", "set", "그룹", "구분", "분류"}
)
_NAMES = frozenset(
    {"description", "name", "label", "text", "title", "meaning", "명", "이름", "설명", "코드명"}
)
_CODED = (
    _CODES
    | _GROUPS
    | {
        "status",
        "state",
        "stage",
        "method",
        "grade",
        "reason",
        "result",
        "role",
        "상태",
        "사유",
        "결과",
        "등급",
    }
)
"""Words of columns that hold codes."""
_GROUPED = regex(
    "(?:구분|그룹|분류|유형|종류)(?:코드|명|ID)?$|^(?:대|상위|코드)(?:분류|그룹|구분|코드)|^그룹|^분류코드"
)
_LISTED = 3
"""Most columns of a table that lists the codes of one column."""
MOST_CODES = 2000
MOST_VALUES = 60

Codes = dict[str, dict[str, str]]
"""Group -> code -> name; one group without a name where the table has none."""


def _columns(table: Table) -> tuple[str | None, str, str] | None:
    """The columns of group, code and name, where the table is made of little else."""
    texts = {column: words_of(column) for column, kind in table.types.items() if kind == "string"}
    names = [c for c, said in texts.items() if said[-1] in _NAMES or c.endswith("명")]
    groups = [
        c for c, said in texts.items() if (set(said) & _GROUPS or _GROUPED.search(c)) and c not in names
    ]
    codes = [c for c, said in texts.items() if said[-1] in _CODES and c not in (*names, *groups)]
    coded = bool({"code", "코드"} & {*words_of(table.physical)}) or "코드" in table.physical
    states = len(table.types) <= _LISTED and words_of(table.physical)[-1] in _CODED  # hive_sts(cd, descr)
    if not names or not codes or not (coded or groups or states) or table.links or len(table.types) > 6:
        return None
    return (groups[0] if groups else None), codes[0], names[0]


def code_tables(connection: Connection, tables: Mapping[str, Table]) -> dict[str, Codes]:
    """The codes of every table that is nothing but a list of them, by the table's name."""
    found: dict[str, Codes] = {}
    for name, table in tables.items():
        columns = _columns(table) if table.referring is None else None
        if columns is not None and not any(
            there == name for one in tables.values() for there, _ in one.links.values()
        ):
            found[name] = _read(connection, table, *columns)
    return found


def _read(connection: Connection, table: Table, group: str | None, code: str, name: str) -> Codes:
    used = [sa.column(table.physical_columns[column]) for column in (group or code, code, name)]
    rows = connection.execute(sa.select(*used).select_from(sa.table(table.physical, *used)).limit(MOST_CODES))
    made: Codes = {}
    for row in rows:
        of, key, said = (row[at] for at in range(3))
        if key is not None and said is not None and str(said).strip():
            made.setdefault(str(of) if group else table.physical, {})[str(key)] = str(said).strip()
    return made


def named_values(
    connection: Connection, tables: Mapping[str, Table], codes: Mapping[str, Codes]
) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Each (table, column, code -> name) whose values are the codes of one group, and of one alone."""
    groups = [(of, known) for one in codes.values() for of, known in one.items()]
    unlike: dict[int, list[tuple[str, str, set[str]]]] = {}
    for name, table in tables.items():
        if name in codes or table.referring is not None or not groups:
            continue
        for column, kind in table.types.items():
            if kind not in ("string", "integer") or column in table.key or column in table.links:
                continue
            values = _distinct(connection, table, column)
            fitting = [(of, known) for of, known in groups if values and values <= known.keys()]
            best = _called_alike(fitting, table, column)
            if best is not None:
                yield name, column, {value: best[value] for value in sorted(values)}
            elif len(fitting) == 1 and _holds_codes(column, values):
                unlike.setdefault(groups.index(fitting[0]), []).append((name, column, values))
    for at, columns in unlike.items():
        if len(columns) == 1:  # called otherwise, but the only column that these can be the codes of
            name, column, values = columns[0]
            yield name, column, {value: groups[at][1][value] for value in sorted(values)}


def _holds_codes(column: str, values: set[str]) -> bool:
    """Tell whether a column without a group of its name holds codes: several, and no numbers unless it is called so."""
    named = bool(_CODED & {*words_of(column)}) or _GROUPED.search(column) is not None
    return len(values) > 1 and (named or not any(value.isdigit() for value in values))


def _distinct(connection: Connection, table: Table, column: str) -> set[str]:
    one = sa.column(table.physical_columns[column])
    rows = sa.select(one).select_from(sa.table(table.physical, one)).where(one.is_not(None)).distinct()
    values = {str(value) for (value,) in connection.execute(rows.limit(MOST_VALUES + 1))}
    return values if len(values) <= MOST_VALUES else set()


def _called_alike(
    fitting: list[tuple[str, dict[str, str]]], table: Table, column: str
) -> dict[str, str] | None:
    """The group that is called as the column is; without a like name, one of several letters or words is no proof."""
    own = {*table.words, *words_of(column)}
    alike = [
        len(own & {*words_of(of)}) + (hangul(of) and (of in column or _of_table(table, column, of)))
        for of, _ in fitting
    ]  # 종교, of 종교코드
    named = sorted(((count, at) for at, count in enumerate(alike)), reverse=True)
    if not named or named[0][0] == 0 or (len(named) > 1 and named[0][0] == named[1][0]):
        return None
    return fitting[named[0][1]][1]


def _of_table(table: Table, column: str, group: str) -> bool:
    """Tell whether a group is called as a table's column is behind the table: 객실상태, of the 상태 of 객실."""
    return group.replace("_", "") in (
        f"{table.physical}{column}",
        f"{table.physical}_{column}".replace("_", ""),
    )


def value_words(names: Mapping[str, str]) -> dict[str, Any]:
    """The `values` of a dimension: each code under its name, and what people of the other language call it."""
    made: dict[str, Any] = {}
    for value, said in names.items():
        also = state_words(said)
        en = [value] if len(value) > 2 and value != said else []
        ko = {"ko": also["ko"]} if also["ko"] else {}
        made[value] = {"label": said, "en": [*en, *also["en"]], **ko}
    return made


def state_words(said: str) -> dict[str, list[str]]:
    """Other words for the state that a row is in: cancelled, 취소, 취소된."""
    bare = said.strip().lower().replace("-", " ").replace("_", " ")
    state = _ENDED.sub(r"\1", bare)
    for en, ko in _STATES:
        if bare in en or bare in ko or state in ko:
            verbal = [f"{noun}{tail}" for noun in ko for tail in ("된", "한", "됨")]
            if en in _FIRST:  # a claim that was received may be in any state by now
                return {"en": [], "ko": [f"{noun} 상태" for noun in ko]}
            return {
                "en": [word for word in en if word != bare],
                "ko": [word for word in (*ko, *verbal) if word != bare],
            }
    return _kind_words(bare)


def begins_all(said: str) -> bool:
    """Tell whether a state is one that all rows begin with."""
    return any(said.strip().lower() in (*en, *ko) for en, ko in _STATES if en in _FIRST)


def _kind_words(bare: str) -> dict[str, list[str]]:
    """Other words for a kind of thing that is named by a common word: Lenses, lens, 렌즈; 요가, yoga."""
    one = bare if bare in VALUES else singular(bare)
    if one in VALUES:
        return {"en": [word for word in (one, plural(one)) if word != bare], "ko": VALUES[one]}
    meant = [word for word, said in VALUES.items() if bare in said[:1] or (bare in said and said[0] in bare)]
    if meant or hangul(bare):
        return {"en": [form for word in meant for form in (word, plural(word))], "ko": []}
    return {
        "en": [],
        "ko": korean([*bare.split()[:-1], singular(bare.split()[-1])])[:_MOST_WAYS] if bare else [],
    }


_MOST_WAYS = 4
_ENDED = regex(r"^[가-힣]{2,4} ?(완료|취소|대기|종료|접수)$")
"""The end of a longer word for a state: 방문완료 is 완료."""

_FIRST = frozenset({("received", "submitted")})
"""States that all rows begin with."""

_STATES: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("cancelled", "canceled"), ("취소",)), (("refunded",), ("환불",)), (("completed", "complete", "done", "finished"), ("완료",)),
    (("pending", "waiting", "on hold"), ("대기", "보류")), (("paid",), ("결제완료", "납부", "결제")), (("unpaid",), ("미납", "미결제")),
    (("shipped",), ("출고", "발송")), (("delivered",), ("배송완료", "배송 완료")), (("returned",), ("반품", "반납")),
    (("approved",), ("승인",)), (("rejected", "declined"), ("반려", "거절")), (("no show",), ("노쇼", "불참")),
    (("booked", "reserved"), ("예약",)), (("in transit",), ("운송중", "배송중")), (("received", "submitted"), ("접수",)),
    (("active", "in force"), ("활성", "사용중", "유지", "유지중", "유효", "이용중")), (("inactive",), ("비활성", "미사용")), (("closed",), ("종료", "마감")), (("void", "voided"), ("무효",)),
    (("expired",), ("만료", "만기")), (("failed",), ("실패",)), (("overdue", "late"), ("연체",)), (("in progress", "ongoing"), ("진행중", "진행 중")),
    (("female", "woman", "women"), ("여성", "여자", "여")), (("male", "man", "men"), ("남성", "남자", "남")),
    (("cash",), ("현금",)), (("card", "credit card"), ("카드",)), (("bank transfer", "transfer"), ("계좌이체", "이체")),
    (("night",), ("야간", "야간조", "밤")), (("day",), ("주간", "주간조")), (("morning", "early"), ("오전", "오전조", "아침")), (("evening",), ("저녁", "저녁조")),
    (("open",), ("미처리", "진행")), (("won", "win"), ("수주", "낙찰")), (("lost", "lose"), ("실주", "분실")), (("passed", "pass"), ("합격", "통과")), (("failed", "fail"), ("불합격", "실패")),
    (("scheduled", "planned"), ("예정",)), (("confirmed",), ("확정",)), (("draft",), ("임시저장", "초안")), (("suspended", "paused"), ("정지", "중지")), (("terminated", "cancelled", "canceled"), ("해지",)),
    (("settled",), ("정산", "정산완료")), (("damaged",), ("파손",)), (("new",), ("신규", "신품")), (("used",), ("중고",)), (("accepted",), ("수락",)), (("withdrawn",), ("철회",)),
    (("online",), ("온라인",)), (("offline",), ("오프라인",)), (("app",), ("앱",)), (("website", "web"), ("웹", "웹사이트", "홈페이지")), (("walk in", "walkin"), ("워크인", "현장")),
    (("monthly",), ("월납", "월간")), (("yearly", "annual"), ("연납", "연간")), (("private",), ("개인",)), (("corporate", "company", "business"), ("법인", "기업")), (("individual",), ("개인",)),
    (("urgent", "critical"), ("긴급",)), (("high",), ("높음",)), (("low",), ("낮음",)), (("normal", "medium"), ("보통",)),
)  # fmt: skip
"""States that rows are in, as people of both languages say them."""
