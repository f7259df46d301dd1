"""A first semantic model of any database: from keys, types and names. It is a draft for a person to correct.

Values are looked at only to tell what a column is (is this text a date?); none is written down but common words for states
and kinds, and marks of grades.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from metaagent.data.engine import sql_engine
from metaagent.data.semantic.drafting.column_words import tenant_column
from metaagent.data.semantic.drafting.draft import Drafting
from metaagent.data.semantic.drafting.survey import VIEW_OF_ALL, LeftOut, Survey, survey
from metaagent.data.semantic.drafting.table import Table
from metaagent.errors import DataUnavailable, Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


UNREACHABLE = Text(
    en="The database cannot be read: {reason}. Check the address and that it is running.",
    ko="데이터베이스를 읽을 수 없습니다: {reason}. 주소와 실행 상태를 확인하세요.",
)


NO_TABLES = Text(
    en="The database has no tables that could be described. Check that this is the right one.",
    ko="데이터베이스에 설명할 테이블이 없습니다. 맞는 데이터베이스인지 확인하세요.",
)


_ONE_LINE = 4


_NO_DATE = Text(
    en="{table}.{column} looks like a date, but it is not written in a way that can be read (2026-03-31, 20260331, "
    "31.03.2026): convert it to ask about periods.",
    ko="{table}.{column}은(는) 날짜 같지만 읽을 수 있는 형식(2026-03-31, 20260331, 31.03.2026)이 아닙니다. "
    "기간을 물으려면 변환하세요.",
)


_CAST = Text(
    en="{table}.{column} holds {what} that are stored otherwise: it is read as {cast}.",
    ko="{table}.{column}에는 {what}이(가) 다른 형식으로 들어 있습니다. {cast}(으)로 읽습니다.",
)


_UNSURE = Text(
    en="Not confirmed, and said with the answers: {table}: {what}. Remove it from `caveats` once you know.",
    ko="확인되지 않아 답변에서 알립니다: {table}: {what}. 확인하면 `caveats`에서 지우세요.",
)


_NOT_COUNTED = Text(
    en="{table}: rows whose {column} is {values} do not count. Remove `left_out` from the model if they should.",
    ko="{table}: {column} 값이 {values}인 행은 세지 않습니다. 세려면 모델에서 `left_out`을 지우세요.",
)


_HIDDEN = Text(
    en="{table}.{column} holds personal data and is hidden.",
    ko="{table}.{column}에는 개인정보가 있어 숨깁니다.",
)


_HELD = {
    "date": Text(en="dates", ko="날짜"),
    "integer": Text(en="numbers", ko="숫자"),
    "number": Text(en="numbers", ko="숫자"),
}


@dataclass(frozen=True)
class Draft:
    """A drafted model, what was noticed on the way, and the tables that are not in it."""

    model: dict[str, Any]
    notes: list[Text]
    left_out: list[LeftOut]


def draft(url: str, *, without: frozenset[str] = frozenset()) -> Draft:
    """Describe a database, all of it but some tables."""
    try:
        engine = sql_engine(url, read_only=True)
        with engine.connect() as connection:
            found = survey(connection, without)
        engine.dispose()
    except SQLAlchemyError as error:
        said = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise DataUnavailable(UNREACHABLE, reason=said) from error
    if not found.tables:
        raise DataUnavailable(NO_TABLES)
    _leave_shared_views(found)
    name = re.sub(r"\W+", "_", (make_url(url).database or "database").rsplit("/", 1)[-1].partition(".")[0])
    made = Drafting(found.tables).model(name or "database")
    return Draft(made, [*_notes(found.tables), *_unconfirmed(made)], found.left_out)


def _leave_shared_views(found: Survey) -> None:
    """A view that mixes the rows of several companies is never shown to one of them."""
    tenant = tenant_column(found.tables)
    for name, table in list(found.tables.items()):
        if tenant and table.is_view and tenant not in table.types:
            found.left_out.append(LeftOut(found.tables.pop(name).physical, VIEW_OF_ALL))


def infer(url: str) -> str:
    """YAML text of a draft model."""
    made = draft(url)
    head = "# Drafted by `metaagent semantic infer`. Correct names and synonyms, then run `semantic check`.\n"
    head += "".join(f"# {note.en}\n" for note in made.notes)
    head += "".join(f"# {one.table} is left out: {one.reason.en}.\n" for one in made.left_out)
    return head + written(made.model)


class _Dumper(yaml.SafeDumper):
    """Short lists and small mappings on one line, nothing by reference: for people to read."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def represent_sequence(self, tag: str, sequence: Any, flow_style: bool | None = None) -> Any:
        plain = all(not isinstance(one, list | dict) for one in sequence)
        return super().represent_sequence(tag, sequence, flow_style=plain)

    def represent_mapping(self, tag: str, mapping: Any, flow_style: bool | None = None) -> Any:
        values = list(mapping.values())
        plain = 0 < len(values) <= _ONE_LINE and all(not isinstance(one, list | dict) for one in values)
        return super().represent_mapping(tag, mapping, flow_style=plain)


def written(model: Mapping[str, Any]) -> str:
    return yaml.dump(dict(model), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)


def _notes(tables: dict[str, Table]) -> Iterator[Text]:
    for table in tables.values():
        if table.referring is not None or table.is_view:
            continue
        for column in table.unreadable_dates:
            yield _filled(_NO_DATE, table=table.physical, column=table.physical_columns[column])
        for column, cast in table.casts.items():
            held = _HELD[table.types[column]]
            named = {"table": table.physical, "column": table.physical_columns[column], "cast": cast}
            yield Text(en=_CAST.say("en", **named, what=held.en), ko=_CAST.say("ko", **named, what=held.ko))
        for column in sorted(table.personal):
            yield _filled(_HIDDEN, table=table.physical, column=table.physical_columns[column])


def _unconfirmed(model: Mapping[str, Any]) -> Iterator[Text]:
    """Lists the rows that do not count, and the doubts that answers will say until somebody removes them from the model."""
    for name, entry in model["tables"].items():
        for one in entry.get("left_out", ()):
            values = ", ".join(map(str, one["values"]))
            yield _filled(_NOT_COUNTED, table=name, column=one["column"], values=values)
    for name, entry in (*model["tables"].items(), *model["metrics"].items()):
        for one in entry.get("caveats", ()):
            if one["about"] != "count":
                said = one["text"]
                yield Text(
                    en=_UNSURE.say("en", table=name, what=said["en"]),
                    ko=_UNSURE.say("ko", table=name, what=said["ko"]),
                )


def _filled(text: Text, **params: str) -> Text:
    return Text(en=text.say("en", **params), ko=text.say("ko", **params))
