"""Checks that everything that a model names exists in it. Pure: no database is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaagent.data.semantic.compiling.arithmetic import (
    BadArithmeticError,
    Ref,
    differences,
    is_plain,
    parse,
    references,
)
from metaagent.data.semantic.model import TIME_DIMENSIONS, Metric, Model, split
from metaagent.errors import Text
from metaagent.values import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Place = tuple[str | int, ...]
Found = tuple[Place, Text]

_NUMERIC = {"integer", "number"}
_DAYS = {"date", "datetime"}


def unresolved(model: Model) -> list[Found]:
    return [*_tables(model), *_joins(model), *_metrics(model), *_dimensions(model), *_rules(model)]


def _unknown(kind_en: str, kind_ko: str, name: str, known: Iterable[str]) -> Text:
    known = sorted(known)
    near = nearest(name, known)
    en = f"did you mean '{near}'?" if near else f"known are {', '.join(known[:20]) or 'none'}."
    ko = f"'{near}'을(를) 뜻했나요?" if near else f"있는 것: {', '.join(known[:20]) or '없음'}."
    return Text(f"there is no {kind_en} '{name}': {en}", f"{kind_ko} '{name}'이(가) 없습니다. {ko}")


def _column(model: Model, place: Place, reference: str, *, shown: bool = True) -> Iterator[Found]:
    table, column = split(reference)
    if not column:
        yield (
            place,
            Text(f"'{reference}' is not table.column.", f"'{reference}'은(는) 테이블.열 형식이 아닙니다."),
        )
    elif table not in model.tables:
        yield place, _unknown("table", "테이블", table, model.tables)
    elif column not in model.tables[table].columns:
        yield (
            place,
            _unknown(f"column in {table} named", f"{table}의 열", column, model.tables[table].columns),
        )
    elif shown and model.tables[table].columns[column].hidden:
        yield (
            place,
            Text(
                f"'{reference}' is hidden: show the column or leave this out.",
                f"'{reference}'은(는) 숨긴 열입니다. 숨김을 풀거나 이것을 빼세요.",
            ),
        )


def _tables(model: Model) -> Iterator[Found]:
    for name, table in model.tables.items():
        for i, key in enumerate(table.key):
            if key not in table.columns:
                yield ("tables", name, "key", i), _unknown("column", "열", key, table.columns)
        for column, info in table.columns.items():
            dated = bool(info.after or info.given)
            kinds = _DAYS if dated else _NUMERIC
            made = "after" if info.after else "given" if info.given else "below"
            for other in info.compared or ():
                if other not in table.columns or table.columns[other].type not in kinds:
                    what = ("date", "날짜") if dated else ("number", "숫자")
                    yield (
                        ("tables", name, "columns", column, made),
                        Text(
                            f"'{other}' is no {what[0]} of this table.",
                            f"'{other}'은(는) 이 테이블의 {what[1]} 열이 아닙니다.",
                        ),
                    )
        tenant = model.tenant_of(name)
        if tenant is not None and tenant not in table.columns:
            yield (
                ("tables", name),
                Text(
                    f"'{name}' has no tenant column '{tenant}': add it to columns, or say tenant: false "
                    "if all tenants share this table.",
                    f"'{name}'에 테넌트 열 '{tenant}'이(가) 없습니다. columns에 추가하거나, "
                    "모두가 함께 쓰는 테이블이면 tenant: false라고 쓰세요.",
                ),
            )


def _joins(model: Model) -> Iterator[Found]:
    for i, join in enumerate(model.joins):
        for side, references_ in (("from", join.many), ("to", join.one)):
            for reference in references_:
                yield from _column(model, ("joins", i, side), reference, shown=False)
            if len({split(reference)[0] for reference in references_}) > 1:
                yield (
                    ("joins", i, side),
                    Text(
                        "all columns of one side belong to one table.",
                        "한쪽의 열은 모두 한 테이블에 있어야 합니다.",
                    ),
                )
        if len(join.many) != len(join.one):
            yield (
                ("joins", i),
                Text("both sides need the same number of columns.", "양쪽의 열 수가 같아야 합니다."),
            )


_NEEDS = {
    "sum": ("column",),
    "average": ("column",),
    "min": ("column",),
    "max": ("column",),
    "count_distinct": ("column",),
    "count": ("table",),
    "ratio": ("numerator", "denominator"),
}


def _metrics(model: Model) -> Iterator[Found]:
    for name, metric in model.metrics.items():
        place = ("metrics", name)
        if name in model.dimensions or name in TIME_DIMENSIONS or "__" in name:
            yield (
                place,
                Text(f"the name '{name}' is taken: choose another.", f"이름 '{name}'은(는) 쓸 수 없습니다."),
            )
        for field in _NEEDS[metric.type]:
            if getattr(metric, field) is None:
                yield (
                    (*place, field),
                    Text(
                        f"a {metric.type} needs '{field}': add it.",
                        f"{metric.type}에는 '{field}'이(가) 필요합니다.",
                    ),
                )
        yield from _metric(model, place, metric)
    if model.default_metric and model.default_metric not in model.metrics:
        yield ("default_metric",), _unknown("metric", "지표", model.default_metric, model.metrics)


def _metric(model: Model, place: Place, metric: Metric) -> Iterator[Found]:
    if metric.column is not None:
        numbers = metric.type in {"sum", "average"}
        yield from _arithmetic(model, (*place, "column"), metric.column, numbers=numbers, shown=metric.type)
    if metric.table is not None and metric.table not in model.tables:
        yield (*place, "table"), _unknown("table", "테이블", metric.table, model.tables)
    if metric.time is not None:
        yield from _column(model, (*place, "time"), metric.time)
    for field in ("numerator", "denominator", "target"):
        other = getattr(metric, field)
        if other is None:
            continue
        if other not in model.metrics:
            yield (*place, field), _unknown("metric", "지표", other, model.metrics)
        elif model.metrics[other].type == "ratio":
            yield (
                (*place, field),
                Text(
                    f"'{other}' is a ratio itself: name a plain metric.",
                    f"'{other}'은(는) 그 자체가 비율입니다.",
                ),
            )
    for i, condition in enumerate(metric.where):
        at = (*place, "where", i, "column")
        if is_plain(condition.column):
            yield from _column(model, at, condition.column, shown=False)
        else:
            yield from _arithmetic(model, at, condition.column, numbers=True)


def _arithmetic(
    model: Model, place: Place, text: str, *, numbers: bool, shown: str = "figure"
) -> Iterator[Found]:
    try:
        term = parse(text)
    except BadArithmeticError as error:
        said = str(error)
        yield (
            place,
            Text(
                f"{said}. Write e.g. lines.price * lines.quantity.",
                f"{said}. 예: lines.price * lines.quantity",
            ),
        )
        return
    used = references(term)
    if not used:
        yield place, Text("it names no column.", "열이 없습니다.")
    days = {ref for pair in differences(term) if all(_is_day(model, ref) for ref in pair) for ref in pair}
    for reference in used:
        wrong = list(_column(model, place, f"{reference.table}.{reference.column}"))
        yield from wrong
        if wrong or not numbers or reference in days:
            continue
        kind = model.tables[reference.table].columns[reference.column].type
        if kind not in _NUMERIC:
            yield (
                place,
                Text(
                    f"'{reference.table}.{reference.column}' is {kind}: a {shown} needs numbers.",
                    f"'{reference.table}.{reference.column}'은(는) 숫자가 아니라 {kind}입니다.",
                ),
            )


def _is_day(model: Model, ref: Ref) -> bool:
    table = model.tables.get(ref.table)
    return table is not None and ref.column in table.columns and table.columns[ref.column].type in _DAYS


def _dimensions(model: Model) -> Iterator[Found]:
    for name, dimension in model.dimensions.items():
        place = ("dimensions", name)
        if name in TIME_DIMENSIONS or "__" in name:
            yield (
                place,
                Text(f"the name '{name}' is taken: choose another.", f"이름 '{name}'은(는) 쓸 수 없습니다."),
            )
        for reference in dimension.column:
            yield from _column(model, (*place, "column"), reference)
        if dimension.key is not None:
            yield from _column(model, (*place, "key"), dimension.key, shown=False)
        if dimension.code is not None:
            yield from _column(model, (*place, "code"), dimension.code)
        yield from _sources(model, name)
        yield from _parents(model, name)


def _parents(model: Model, name: str) -> Iterator[Found]:
    place = ("dimensions", name, "parent")
    seen = {name}
    parent = model.dimensions[name].parent
    while parent is not None:
        if parent not in model.dimensions:
            yield place, _unknown("dimension", "차원", parent, model.dimensions)
            return
        if parent in seen:
            yield place, Text("its parents form a circle: cut it.", "상위 차원이 순환합니다. 끊으세요.")
            return
        seen.add(parent)
        parent = model.dimensions[parent].parent


def _rules(model: Model) -> Iterator[Found]:
    for i, rule in enumerate(model.row_rules):
        place = ("row_rules", i)
        if rule.dimension not in model.dimensions:
            yield (*place, "dimension"), _unknown("dimension", "차원", rule.dimension, model.dimensions)
        elif rule.by_key and model.dimensions[rule.dimension].key is None:
            yield (*place, "by_key"), Text("the dimension has no key.", "이 차원에는 key가 없습니다.")
        if bool(rule.values) == bool(rule.attribute):
            yield place, Text("give either values or an attribute.", "values나 attribute 중 하나를 쓰세요.")
        for j, table in enumerate(rule.exempt):
            if table not in model.tables:
                yield (*place, "exempt", j), _unknown("table", "테이블", table, model.tables)


def _sources(model: Model, name: str) -> Iterator[Found]:
    place, dimension = ("dimensions", name), model.dimensions[name]
    if dimension.also and dimension.key is not None:
        yield (
            (*place, "also"),
            Text("a dimension with a key has one source only.", "key가 있는 차원은 출처가 하나여야 합니다."),
        )
    for i, source in enumerate(dimension.also):
        yield from _column(model, (*place, "also", i, "column"), source.column, shown=False)
        if source.lookup is not None:
            yield from _column(model, (*place, "also", i, "lookup"), source.lookup, shown=False)
    for fact, through in dimension.via.items():
        for table in (fact, through):
            if table not in model.tables:
                yield (*place, "via", fact), _unknown("table", "테이블", table, model.tables)
