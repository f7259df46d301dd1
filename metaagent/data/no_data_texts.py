"""The sentences for a person whose question finds no data at all, each with a way on. Each may name the `company`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from metaagent.errors import Text

if TYPE_CHECKING:
    from metaagent.data.semantic.model import Model

NO_DATABASE = Text(
    en="There is no data to look into yet. Connect a database with `metaagent connect`, or make the demonstration company with "
    "`metaagent demo`.",
    ko="아직 조회할 데이터가 없습니다. `metaagent connect`로 데이터베이스를 연결하거나 `metaagent demo`로 데모 회사를 만드세요.",
)
NOT_OF_COMPANY = Text(
    en="No database is connected for the company '{company}'. Check the name of the company, or have one set in data.urls.",
    ko="회사 '{company}'에 연결된 데이터베이스가 없습니다. 회사 이름을 확인하거나 data.urls에 설정하도록 요청하세요.",
)
NO_ROWS_OF_COMPANY = Text(
    en="The data has no rows of the company '{company}'. Check the name of the company.",
    ko="데이터에 회사 '{company}'의 행이 하나도 없습니다. 회사 이름을 확인하세요.",
)
NO_ROWS = Text(
    en="The connected data has no rows yet.",
    ko="연결된 데이터에 아직 행이 하나도 없습니다.",
)


def no_rows(
    model: Model, names: Sequence[Mapping[str, Any]], spans: Mapping[str, Mapping[str, Any] | None]
) -> Text | None:
    """The sentence for data in which one tenant has no row: no name, and no day of any figure; None where it has some."""
    dated = any(metric.time is not None for metric in model.metrics.values())
    if names or not dated or any(spans.values()):
        return None
    shared = all(model.tenant_of(table) is None for table in model.tables)
    return NO_ROWS if shared else NO_ROWS_OF_COMPANY
