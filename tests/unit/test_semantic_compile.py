"""Every figure against SQL that a person wrote, in SQLite and DuckDB (PostgreSQL: test_semantic_postgres)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import sqlglot
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metaagent.data.semantic import SemanticQuery, compile_query
from metaagent.errors import AccessDenied, SemanticInvalid
from tests.support.examples import examples
from tests.support.semantic_cases import CASES
from tests.support.semantic_support import Databases, compiled, databases, pharma, same

if TYPE_CHECKING:
    from collections.abc import Iterator

    from metaagent.data.semantic import Model

OCTOBER = {"start": "2026-10-01", "end": "2026-10-31"}
YEAR = {"start": "2026-01-01", "end": "2026-10-31"}


@pytest.fixture(scope="module")
def model() -> Model:
    return pharma()


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Databases]:
    yield from databases(tmp_path_factory.mktemp("demo"))


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
@pytest.mark.parametrize("name", list(CASES))
def test_the_figures_are_those_of_hand_written_sql(model: Model, db: Databases, name: str, dialect: str):
    query, sql = CASES[name]
    expected = db.by_hand(sql)
    made = compiled(model, dialect, **query)
    got = db.run(made, dialect)
    assert expected, "a case without rows proves nothing"
    assert same(got, expected), f"{made.sql}\n{got[:5]}\n{expected[:5]}"
    assert len([column for column in made.columns if not column.hidden]) == len(got[0])


@pytest.mark.parametrize("name", list(CASES))
def test_postgresql_is_well_formed(model: Model, name: str):
    made = compiled(model, "postgresql", **CASES[name][0])
    assert sqlglot.parse_one(made.sql.replace("%(", ":").replace(")s", ""), dialect="postgres")


def test_no_value_is_written_into_the_sql(model: Model):
    evil = "x'; DROP TABLE sales; --"
    filters = [
        {"dimension": "hospital", "op": "in", "values": [evil, "b"]},
        {"dimension": "hospital", "op": "contains", "values": [evil]},
        {"dimension": "region", "op": "not_in", "values": [evil]},
    ]
    made = compiled(model, metrics=["sales_amount"], filters=filters, tenant=evil)
    assert "DROP" not in made.sql
    assert evil in made.params.values()


def test_wildcards_in_a_search_are_letters(model: Model, db: Databases):
    made = compiled(
        model,
        metrics=["hospital_count"],
        filters=[{"dimension": "hospital", "op": "contains", "values": ["%"]}],
    )
    assert db.run(made, "sqlite") == [(0,)]


def test_things_are_limited_by_their_own_date(model: Model, db: Databases):
    rows = [{"column": "launched_on", "op": ">=", "values": ["2019-01-01"]}]
    by_hand = (
        "SELECT name FROM products WHERE company_id = :tenant AND launched_on >= '2019-01-01' ORDER BY name"
    )
    assert db.run(compiled(model, dimensions=["product"], rows=rows), "sqlite") == db.by_hand(by_hand)
    sold = "SELECT sum(sales_amount) FROM sales JOIN products USING (product_id) WHERE sales.company_id = :tenant AND"
    made = compiled(model, metrics=["sales_amount"], rows=rows)
    assert db.run(made, "sqlite") == db.by_hand(f"{sold} launched_on >= '2019-01-01'")


@pytest.mark.parametrize(("direction", "best"), [("top", "max"), ("bottom", "min")])
def test_the_newest_is_found_without_any_figure(model: Model, db: Databases, direction: str, best: str):
    made = compiled(
        model, dimensions=["product", "launched_on"], top={"by": "launched_on", "direction": direction}
    )
    edge = f"SELECT {best}(launched_on) FROM products WHERE company_id = :tenant"
    every = f"SELECT name FROM products WHERE company_id = :tenant AND launched_on = ({edge}) ORDER BY name"
    assert [row[:1] for row in db.run(made, "sqlite")] == db.by_hand(every)


def test_a_list_comes_in_the_order_asked_for(model: Model, db: Databases):
    order = [{"column": "launched_on", "descending": True}]
    made = compiled(model, dimensions=["product", "launched_on"], order=order, limit=5)
    dates = [row[1] for row in db.run(made, "sqlite")]
    assert dates == sorted(dates, reverse=True)


def test_a_limit_that_no_row_has_is_refused(model: Model):
    rows = [{"column": "launched_on", "op": ">=", "values": ["2019-01-01"]}]
    with pytest.raises(SemanticInvalid):
        compiled(model, dimensions=["rep"], rows=rows)


def test_each_tenant_sees_its_own(model: Model, db: Databases):
    for tenant in ("hanbit", "saebyeok"):
        made = compiled(model, tenant=tenant, metrics=["sales_amount", "visit_count"], dimensions=["region"])
        got = db.run(made, "sqlite")
        ((total, count),) = db.by_hand(
            """SELECT (SELECT sum(sales_amount) FROM sales WHERE company_id = :tenant),
                      (SELECT count(*) FROM visits WHERE company_id = :tenant)""",
            tenant=tenant,
        )
        assert (sum(row[1] for row in got), sum(row[2] for row in got)) == (total, count)
    assert db.run(compiled(model, tenant="nobody", metrics=["order_count"]), "sqlite") == [(0,)]


def test_without_a_tenant_nothing_is_compiled(model: Model):
    with pytest.raises(AccessDenied):
        compiled(model, tenant=None, metrics=["sales_amount"])


def test_a_rep_sees_only_their_own_rows(model: Model, db: Databases):
    query = SemanticQuery(metrics=["sales_amount", "visit_count"])
    made = compile_query(
        model, query, dialect="sqlite", tenant="hanbit", roles=["rep"], attributes={"rep_id": 3}
    )
    assert db.run(made, "sqlite") == db.by_hand(
        """SELECT (SELECT sum(sales_amount) FROM sales WHERE company_id = :tenant AND rep_id = 3),
                  (SELECT count(*) FROM visits WHERE company_id = :tenant AND rep_id = 3)"""
    )


def test_a_rule_without_its_attribute_denies(model: Model):
    query = SemanticQuery(metrics=["sales_amount"])
    with pytest.raises(AccessDenied, match="rep_id"):
        compile_query(model, query, dialect="sqlite", tenant="hanbit", roles=["rep"])


def test_a_manager_who_is_also_a_rep_is_not_restricted(model: Model):
    query = SemanticQuery(metrics=["sales_amount"])
    made = compile_query(model, query, dialect="sqlite", tenant="hanbit", roles=["rep", "manager"])
    assert "sales_reps" not in made.sql


def test_a_column_for_some_roles_is_refused_to_others(model: Model):
    query = SemanticQuery(metrics=["visit_count"], dimensions=["doctor"])
    with pytest.raises(AccessDenied, match="manager"):
        compile_query(model, query, dialect="sqlite", tenant="hanbit", roles=["analyst"])
    filters = [{"dimension": "doctor", "values": ["김"]}]
    with pytest.raises(AccessDenied):
        compiled(model, metrics=["visit_count"], filters=filters)
    assert compile_query(model, query, dialect="sqlite", tenant="hanbit", roles=["manager"])


def test_namesakes_are_not_added_together(model: Model, db: Databases):
    made = compiled(model, metrics=["sales_amount"], dimensions=["rep"])
    rows = db.run(made, "sqlite")
    assert len([row for row in rows if row[0] == "김서진"]) == 2


def test_a_filter_by_key_picks_one_namesake(model: Model, db: Databases):
    one = [{"dimension": "rep", "values": [3], "by_key": True}]
    got = db.run(compiled(model, metrics=["sales_amount"], filters=one), "sqlite")
    sql = "SELECT sum(sales_amount) FROM sales WHERE company_id = :tenant AND rep_id = 3"
    assert got == db.by_hand(sql)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "unknown metric": ({"metrics": ["sales_amout"]}, "sales_amount"),
    "unknown dimension": ({"metrics": ["sales_amount"], "dimensions": ["regin"]}, "region"),
    "targets by product": ({"metrics": ["target_amount"], "dimensions": ["product"]}, "cannot be split"),
    "targets by day": ({"metrics": ["target_amount"], "dimensions": ["day"]}, "per month only"),
    "two ways": ({"metrics": ["expense_amount"], "dimensions": ["product"]}, "two ways"),
    "several bridges": ({"metrics": ["hospital_count"], "dimensions": ["product"]}, "could go through"),
    "hospitals by month": ({"metrics": ["hospital_count"], "dimensions": ["month"]}, "has no date"),
    "comparison without period": ({"metrics": ["sales_amount"], "comparison": "previous"}, "period"),
    "share of an average": ({"metrics": ["average_order"], "share": True}, "has no meaning"),
    "running total without time": ({"metrics": ["sales_amount"], "running_total": True}, "time dimension"),
    "top of nothing": ({"metrics": ["sales_amount"], "top": {"n": 3}}, "ranking needs"),
    "order by what is not there": (
        {"metrics": ["sales_amount"], "dimensions": ["region"], "order": [{"column": "x"}]},
        "no column 'x'",
    ),
    "having on what is not there": (
        {"metrics": ["sales_amount"], "having": [{"column": "x", "op": ">", "values": [1]}]},
        "no column 'x'",
    ),
    "target of visits": ({"metrics": ["visit_count"], "target": True}, "sales_amount"),
    "text for a number": (
        {"metrics": ["order_count"], "filters": [{"dimension": "unit_price", "op": ">", "values": ["abc"]}]},
        "not a value",
    ),
    "between with one value": (
        {
            "metrics": ["order_count"],
            "filters": [{"dimension": "unit_price", "op": "between", "values": [1]}],
        },
        "needs 2",
    ),
    "key of what has none": (
        {"metrics": ["order_count"], "filters": [{"dimension": "region", "values": [1], "by_key": True}]},
        "has no key",
    ),
    "list of what lies apart": ({"dimensions": ["purpose", "seminar_status"]}, "one by one"),
}


@pytest.mark.parametrize("name", list(REFUSED))
def test_senseless_query_is_refused_with_a_reason(model: Model, name: str):
    query, said = REFUSED[name]
    with pytest.raises(SemanticInvalid, match=said) as caught:
        compiled(model, **query)
    assert caught.value.say("ko") != caught.value.say("en")


def test_a_period_that_cannot_apply_is_said(model: Model):
    made = compiled(model, metrics=["hospital_count"], period=OCTOBER)
    (text, params) = made.notes[0]
    assert "hospital_count" in text.say("ko", **params)


def test_columns_carry_label_unit_and_format(model: Model):
    made = compiled(
        model, metrics=["sales_amount"], dimensions=["is_public"], period=OCTOBER, comparison="previous"
    )
    by_name = {column.name: column for column in made.columns}
    assert by_name["sales_amount"].unit is not None
    assert by_name["sales_amount"].label.ko == "매출액"
    assert by_name["sales_amount__change"].format == "percent"
    assert by_name["is_public"].values["true"].ko == "공공"


def test_a_real_value_called_others_stays_apart(model: Model, db: Databases):
    query: dict[str, Any] = {
        "metrics": ["sales_amount"],
        "dimensions": ["region"],
        "top": {"n": 3, "others": True},
    }
    best = db.run(compiled(model, **query), "sqlite")[0][0]
    renamed = model.model_copy(update={"others": type(model.others)(ko=best, en=best)})
    rows = db.run(compiled(renamed, **query), "sqlite")
    assert [row[0] for row in rows].count(best) == 2
    assert len(rows) == 4


def test_the_parts_and_the_rest_make_the_whole(model: Model, db: Databases):
    for metric in ("sales_amount", "order_count"):
        query: dict[str, Any] = {
            "metrics": [metric],
            "dimensions": ["hospital"],
            "top": {"n": 5, "others": True},
            "share": True,
        }
        rows = db.run(compiled(model, **query), "sqlite")
        ((total,),) = db.run(compiled(model, metrics=[metric]), "sqlite")
        assert sum(row[1] for row in rows) == total
        assert sum(row[2] for row in rows) == pytest.approx(1.0)


def test_a_changed_model_shares_nothing_with_the_old_one(model: Model):
    made = compiled(model, metrics=["sales_amount"], dimensions=["region"])
    metric = model.metrics["sales_amount"].model_copy(update={"column": "sales.quantity"})
    other = model.model_copy(update={"metrics": {**model.metrics, "sales_amount": metric}})
    assert other.digest != model.digest
    assert compiled(other, metrics=["sales_amount"], dimensions=["region"]).sql != made.sql


def test_the_same_question_gives_the_same_sql(model: Model):
    query = CASES["two facts by region"][0]
    assert compiled(model, **query).sql == compiled(pharma(), **query).sql


def test_sql_of_a_known_shape_gets_the_new_values(model: Model, db: Databases):
    for region in ("서울", "Busan", "대구"):
        for month in ("09", "10"):
            query: dict[str, Any] = {
                "metrics": ["sales_amount"],
                "dimensions": ["category"],
                "period": {"start": f"2026-{month}-01", "end": f"2026-{month}-30"},
                "filters": [{"dimension": "region", "values": [region]}],
                "comparison": "previous",
            }
            for tenant in ("hanbit", "saebyeok"):
                warm = compiled(model, tenant=tenant, **query)
                cold = compiled(pharma(), tenant=tenant, **query)
                assert (warm.sql, warm.params) == (cold.sql, cold.params)


def test_a_known_shape_is_no_way_round_a_rule(model: Model, db: Databases):
    query = SemanticQuery(metrics=["sales_amount"])
    for rep in (3, 4):
        made = compile_query(
            model, query, dialect="sqlite", tenant="hanbit", roles=["rep"], attributes={"rep_id": rep}
        )
        assert rep in made.params.values()
    with pytest.raises(AccessDenied):
        compile_query(model, query, dialect="sqlite", tenant="hanbit", roles=["rep"])
    with pytest.raises(AccessDenied):
        compile_query(model, query, dialect="sqlite", tenant=None, roles=["analyst"])
    several = compile_query(
        model, query, dialect="sqlite", tenant="hanbit", roles=["rep"], attributes={"rep_id": [3, 4]}
    )
    sql = "SELECT sum(sales_amount) FROM sales WHERE company_id = :tenant AND rep_id IN (3, 4)"
    assert db.run(several, "sqlite") == db.by_hand(sql)


_DIMENSIONS = [
    "region",
    "hospital",
    "hospital_type",
    "rep",
    "team",
    "month",
    "quarter",
    "week",
    "day",
    "weekday",
]


@st.composite
def queries(draw: st.DrawFn) -> dict[str, Any]:
    metrics = [
        "sales_amount",
        "order_count",
        "average_order",
        "visit_count",
        "expense_amount",
        "sales_per_visit",
    ]
    made: dict[str, Any] = {
        "metrics": draw(st.lists(st.sampled_from(metrics), min_size=1, max_size=3, unique=True)),
        "dimensions": draw(st.lists(st.sampled_from(_DIMENSIONS), max_size=3, unique=True)),
        "period": draw(st.sampled_from([OCTOBER, YEAR, {"start": "2026-02-11", "end": "2026-03-05"}])),
        "comparison": draw(st.sampled_from([None, None, "previous", "same_period_last_year"])),
        "limit": draw(st.sampled_from([None, 7])),
    }
    if made["dimensions"] and draw(st.booleans()):
        made["top"] = {"n": 3, "others": draw(st.booleans()), "dimension": made["dimensions"][0]}
    if draw(st.booleans()):
        made["filters"] = [{"dimension": "region", "op": "not_in", "values": ["서울"]}]
    return made


@settings(
    max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(query=queries())
def test_any_query_runs_alike_in_both_databases(model: Model, db: Databases, query: dict[str, Any]):
    lite = db.run(compiled(model, "sqlite", **query), "sqlite")
    duck = db.run(compiled(model, "duckdb", **query), "duckdb")
    assert same(lite, duck)


@settings(
    max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(query=queries())
def test_a_breakdown_adds_up_to_its_total(model: Model, db: Databases, query: dict[str, Any]):
    plain: dict[str, Any] = {
        **query,
        "metrics": ["sales_amount", "visit_count"],
        "comparison": None,
        "limit": None,
    }
    plain.pop("top", None)
    rows = db.run(compiled(model, **plain), "sqlite")
    plain["dimensions"] = []
    ((sales, visits),) = db.run(compiled(model, **plain), "sqlite")
    assert (sum(row[-2] for row in rows), sum(row[-1] for row in rows)) == (sales, visits)
