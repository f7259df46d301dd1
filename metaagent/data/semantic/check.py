"""Compares a model with a database: every difference, with what to do. No data is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from metaagent.data.engine import sql_engine
from metaagent.data.semantic.compiling.catalog import catalog
from metaagent.data.semantic.loader import Problem
from metaagent.data.semantic.model import Model, split
from metaagent.data.semantic.reflect import column_type
from metaagent.errors import Text
from metaagent.values import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sqlalchemy.engine import Connection

_ALIKE = [
    {"integer", "number"},
    {"date", "datetime"},
    {"boolean", "integer"},
    {"string", "date"},
    {"string", "datetime"},
]


def check(model: Model, url: str) -> list[Problem]:
    """Every way in which the database differs from the model; empty when they fit."""
    try:
        engine = sql_engine(url, read_only=True)
        with engine.connect() as connection:
            problems = list(_structure(model, connection))
            if not problems:
                problems += _contents(model, connection)
        engine.dispose()
    except SQLAlchemyError as error:
        said = str(getattr(error, "orig", None) or error).splitlines()[0]
        return [
            Problem(
                "",
                Text(
                    f"the database cannot be reached: {said}. Check the address and that it is running.",
                    f"데이터베이스에 연결할 수 없습니다: {said}. 주소와 실행 상태를 확인하세요.",
                ),
            )
        ]
    return problems


def _near(name: str, known: Iterable[str]) -> tuple[str, str]:
    near = nearest(name, known)
    return (f" Did you mean '{near}'?", f" '{near}'을(를) 뜻했나요?") if near else ("", "")


def _structure(model: Model, connection: Connection) -> Iterator[Problem]:
    inspector = sa.inspect(connection)
    for name, table in model.tables.items():
        physical = table.table or name
        present = {*inspector.get_table_names(table.db_schema), *inspector.get_view_names(table.db_schema)}
        if physical not in present:
            en, ko = _near(physical, present)
            what = Text(
                f"the database has no table '{physical}'.{en}",
                f"데이터베이스에 '{physical}' 테이블이 없습니다.{ko}",
            )
            yield Problem(f"tables.{name}", what)
            continue
        columns = {
            c["name"]: column_type(c["type"]) for c in inspector.get_columns(physical, table.db_schema)
        }
        for column, info in table.columns.items():
            if info.compared is not None:
                continue  # made of two others
            stored = info.type if info.cast is None else columns.get(info.column or column, info.type)
            yield from _column(f"tables.{name}.columns.{column}", info.column or column, stored, columns)


def _column(place: str, column: str, kind: str, columns: dict[str, str]) -> Iterator[Problem]:
    if column not in columns:
        en, ko = _near(column, columns)
        what = Text(f"the table has no column '{column}'.{en}", f"테이블에 '{column}' 열이 없습니다.{ko}")
        yield Problem(place, what)
    elif columns[column] != kind and not any({kind, columns[column]} <= pair for pair in _ALIKE):
        what = Text(
            f"the model says {kind}, the database {columns[column]}: change the model's type.",
            f"모델에는 {kind}, 데이터베이스에는 {columns[column]}입니다. 모델의 type을 고치세요.",
        )
        yield Problem(place, what)


def _contents(model: Model, connection: Connection) -> Iterator[Problem]:
    known = catalog(model, connection.dialect.name)
    for i, join in enumerate(model.joins):
        table = split(join.one[0])[0]
        columns = [known.column(reference) for reference in join.one]
        twice = sa.select(sa.func.count()).group_by(*columns).having(sa.func.count() > 1)
        twice = (
            twice.where(*(column.is_not(None) for column in columns))
            .select_from(known.tables[table])
            .limit(1)
        )
        if connection.execute(twice).first() is not None:
            what = Text(
                f"{', '.join(join.one)} is not unique, so joining would count rows twice: join to a key.",
                f"{', '.join(join.one)} 값이 중복되어 조인하면 두 번 셉니다. 키에 조인하세요.",
            )
            yield Problem(f"joins.{i}", what)
    yield from _dates(model, connection, known)
    yield from _tenants(model, connection, known)


def _dates(model: Model, connection: Connection, known: Any) -> Iterator[Problem]:
    times = {metric.time for metric in model.metrics.values() if metric.time}
    for time in sorted(times):
        column = known.column(time)
        value = connection.execute(sa.select(sa.func.max(column))).scalar()
        if value is None:
            what = Text(
                "it has no dates at all: metrics over it stay empty.",
                "날짜가 하나도 없어 지표가 비게 됩니다.",
            )
            yield Problem(time, what)
        elif connection.dialect.name == "sqlite" and not _iso(str(value)):
            what = Text(
                "its dates are not ISO text (2026-03-31): convert them, or add a column that does.",
                "날짜가 ISO 형식(2026-03-31)이 아닙니다. 변환하거나 변환한 열을 추가하세요.",
            )
            yield Problem(time, what)


def _iso(text: str) -> bool:
    return len(text) >= 10 and text[4] == text[7] == "-" and (text[:4] + text[5:7] + text[8:10]).isdigit()


def _tenants(model: Model, connection: Connection, known: Any) -> Iterator[Problem]:
    for name in model.tables:
        column = model.tenant_of(name)
        if column is None:
            continue
        empty = sa.select(sa.literal_column("1")).select_from(known.tables[name])
        if connection.execute(empty.where(known.cell(name, column).is_(None)).limit(1)).first() is not None:
            what = Text(
                f"some rows have no '{column}': nobody will see them. Fill it in.",
                f"'{column}'이(가) 빈 행이 있어 아무도 볼 수 없습니다. 값을 채우세요.",
            )
            yield Problem(f"tables.{name}", what)
