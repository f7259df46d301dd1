"""Leads from the address of a database to a model that fits it: draft, check, leave out what cannot be used."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from metaagent.data.semantic.check import check
from metaagent.data.semantic.drafting.infer import Draft, draft, written
from metaagent.data.semantic.drafting.survey import LeftOut
from metaagent.data.semantic.loader import loads
from metaagent.data.semantic.model_files import parted
from metaagent.errors import DataUnavailable, SemanticInvalid, Text

if TYPE_CHECKING:
    from metaagent.data.semantic.loader import Problem
    from metaagent.data.semantic.model import Model

NOT_FOUND = Text(
    en="There is no file {path}: give the path of a SQLite or DuckDB file, or an address such as postgresql://HOST/DATABASE.",
    ko="{path} 파일이 없습니다. SQLite나 DuckDB 파일의 경로, 또는 postgresql://HOST/DATABASE 같은 주소를 주세요.",
)
DOES_NOT_FIT = Text(
    en="No model fits this database: {problem}. Write one by hand; `metaagent semantic infer` gives a draft.",
    ko="이 데이터베이스에 맞는 모델을 만들지 못했습니다: {problem}. `metaagent semantic infer`의 초안으로 직접 작성하세요.",
)
SEVERAL_TENANTS = Text(
    en="Every table has the column {column}: say whose rows are meant with --tenant VALUE.",
    ko="모든 테이블에 {column} 열이 있습니다. 누구의 행인지 --tenant VALUE로 지정하세요.",
)
_HEAD = """\
# The model of {name}, drafted by `metaagent connect`. Correct labels here, add synonyms of your own, remove what nobody
# asks for; then run `metaagent semantic check`. Generated words and figures are in semantic.generated.yaml.
"""
_GENERATED = """\
# Words and figures that follow from semantic.yaml. `metaagent connect` writes this file anew: edit semantic.yaml instead.
"""


@dataclass(frozen=True)
class Fitted:
    """A model that fits its database, as the two files to write."""

    name: str
    model: Model
    text: str
    generated: str
    notes: list[Text]
    left_out: list[LeftOut]


def address(given: str) -> str:
    """The URL of a database; the path of a file is the SQLite or DuckDB file there."""
    if "://" in given:
        try:
            make_url(given)
        except ArgumentError as error:
            raise DataUnavailable(NOT_FOUND, path=given) from error
        return given
    path = Path(given).expanduser().absolute()
    if not path.is_file():
        raise DataUnavailable(NOT_FOUND, path=given)
    kind = "duckdb" if path.suffix in {".duckdb", ".ddb"} else "sqlite"
    return f"{kind}:///{path}"


def fitted(url: str, name: str | None = None, *, tenant: str | None = None) -> Fitted:
    """Draft until the model fits: a table with which it does not is left out, and the others are described."""
    without: dict[str, Text] = {}
    while True:
        made = draft(url, without=frozenset(without))
        model = _named(made, name)
        if model.tenant_column and tenant is None:
            raise DataUnavailable(SEVERAL_TENANTS, column=model.tenant_column)
        problems = check(model, url)
        blamed = {table: problem for problem in problems if (table := _table_of(problem, model))}
        if not problems:
            more = [LeftOut(table, why) for table, why in without.items()]
            own, generated = parted(made.model)
            text = _HEAD.format(name=model.name) + written(own)
            return Fitted(
                model.name,
                model,
                text=text,
                generated=_GENERATED + written(generated),
                notes=made.notes,
                left_out=[*made.left_out, *more],
            )
        if not blamed:
            raise DataUnavailable(DOES_NOT_FIT, problem=problems[0].say())
        without |= {model.tables[table].table or table: one.what for table, one in blamed.items()}


def _named(made: Draft, name: str | None) -> Model:
    if name:
        made.model["name"] = name
    try:
        return loads(written(made.model))
    except SemanticInvalid as error:
        raise DataUnavailable(DOES_NOT_FIT, problem=error.say("en").splitlines()[0]) from error


def _table_of(problem: Problem, model: Model) -> str | None:
    """The table that a problem is about: `tables.NAME…`, `joins.NUMBER` or `TABLE.COLUMN`."""
    kind, _, rest = problem.path.partition(".")
    if kind == "tables":
        return rest.partition(".")[0]
    if kind == "joins" and rest.isdigit():
        return model.joins[int(rest)].one[0].partition(".")[0]
    return kind if kind in model.tables else None


def folder_name(url: str) -> str:
    """A name for the domain: that of the file or of the database."""
    last = (make_url(url).database or "database").rsplit("/", 1)[-1].partition(".")[0]
    return re.sub(r"\W+", "_", last).strip("_").lower() or "database"
