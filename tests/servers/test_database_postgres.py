"""PostgreSQL alone, with the real role set-up: every attack goes past the guard, straight to it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from metaagent.data.guard import Policy, TablePolicy, guard
from metaagent.data.job import Job
from metaagent.data.postgres import postgres_roles, role_name
from metaagent.data.read_only import ReadOnlyDatabase
from metaagent.errors import ConfigInvalid, DataUnavailable, QueryTooSlow, SqlRefused
from tests.support.guard_world import (
    FIRST,
    MINE,
    ORDERS,
    POLICY,
    REGIONS,
    SECOND,
    World,
    attacks,
    normal,
    policy_for,
    queries,
)
from tests.support.postgres_server import running, why_not

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(why_not() is not None, reason=why_not() or "")

ALL = "SELECT to_jsonb(t) FROM shop.{} t ORDER BY to_jsonb(t)::text"


def admin(host: str, database: str) -> Any:
    import psycopg

    return psycopg.connect(host=host, user="admin", dbname=database, autocommit=True)


def fill(db: Any, world: World) -> None:
    db.execute("TRUNCATE shop.sales, shop.orders, shop.secrets")
    cursor = db.cursor()
    rows = [(*r[:4], r[4] if r[4] != "x" else None, *r[5:]) for r in world.sales()]
    cursor.executemany("INSERT INTO shop.sales VALUES (%s, %s, %s, %s, %s, %s, %s, %s)", rows)
    cursor.executemany("INSERT INTO shop.orders VALUES (%s, %s, %s, %s)", [*world.orders, *ORDERS])
    cursor.executemany("INSERT INTO shop.secrets VALUES (%s)", [(t,) for t in world.tokens])


def build(db: Any) -> None:
    db.execute("CREATE SCHEMA shop")
    db.execute(
        "CREATE TABLE shop.sales (id int, tenant_id text, region text, amount double precision,"
        " sold_at date, note text, margin int, deleted int)"
    )
    db.execute("CREATE INDEX ON shop.sales (amount)")
    db.execute("CREATE TABLE shop.orders (id int, tenant_id text, sales_id int, qty int)")
    db.execute("CREATE TABLE shop.secrets (token text)")
    db.execute("CREATE TABLE shop.regions (name text, country text)")
    db.execute("CREATE TABLE shop.numbers AS SELECT i AS n FROM generate_series(1, 2000) i")
    db.execute(
        "CREATE FUNCTION public.leak() RETURNS SETOF text SECURITY DEFINER LANGUAGE sql"
        " AS 'SELECT token FROM shop.secrets'"
    )
    db.cursor().executemany("INSERT INTO shop.regions VALUES (%s, %s)", REGIONS)
    fill(db, FIRST)


def build_mine(db: Any) -> None:
    db.execute("CREATE TABLE sales (id int, region text, amount double precision, sold_at date, note text)")
    db.execute("CREATE TABLE orders (id int, sales_id int, qty int)")
    db.execute("CREATE TABLE regions (name text, country text)")
    cursor = db.cursor()
    cursor.executemany("INSERT INTO sales VALUES (%s, %s, %s, %s, %s)", [(r[0], *r[2:6]) for r in MINE])
    cursor.executemany("INSERT INTO orders VALUES (%s, %s, %s)", [(r[0], *r[2:]) for r in ORDERS])
    cursor.executemany("INSERT INTO regions VALUES (%s, %s)", REGIONS)


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    numbers = {"numbers": TablePolicy(("n",), None)}
    with running() as socket:
        with admin(socket, "postgres") as db:
            db.execute("CREATE DATABASE world")
            db.execute("CREATE DATABASE mine")
            db.execute("CREATE ROLE app LOGIN")
            db.execute("CREATE ROLE plain LOGIN")
        with admin(socket, "world") as db:
            build(db)
            for tenant in ("t1", "t2"):
                policy = Policy({**policy_for(tenant).tables, **numbers})
                for _ in range(2):  # repeatable
                    for statement in postgres_roles("shop", tenant, policy, keep_for=["app"]):
                        db.execute(statement)
        with admin(socket, "mine") as db:
            build_mine(db)
        yield socket


def url(host: str, role: str = "metaagent_ro_t1", database: str = "world") -> str:
    return f"postgresql+psycopg://{role}:secret@/{database}?host={host}"


def open_db(host: str, **options: Any) -> ReadOnlyDatabase:
    return ReadOnlyDatabase(url(host), POLICY, **options)


async def outcome(db: ReadOnlyDatabase, sql: str) -> list[str] | str:
    try:
        return normal((await db.run(sql, timeout=5)).rows)
    except SqlRefused as error:
        return f"{error.params.get('rule')}: {error.params.get('reason')}"


def everything(host: str) -> list[Any]:
    with admin(host, "world") as db:
        tables = [db.execute(ALL.format(t)).fetchall() for t in ("sales", "orders", "secrets", "regions")]
        objects = "SELECT oid::regclass::text FROM pg_class WHERE relnamespace <> 99 ORDER BY oid"
        return [
            *tables,
            db.execute(objects).fetchall(),
            db.execute("SELECT rolname FROM pg_roles ORDER BY 1").fetchall(),
        ]


async def test_no_attack_gets_anything_hidden_or_changes_anything(host: str):
    more = ["SELECT * FROM public.leak()", "SELECT * FROM leak()", "SELECT n FROM numbers, shop.secrets"]
    db = open_db(host)
    seen: list[list[Any]] = []
    for world in (FIRST, SECOND):
        with admin(host, "world") as db_admin:
            fill(db_admin, world)
        before = everything(host)
        seen.append([await outcome(db, sql) for sql in [*attacks(), *more]])
        assert everything(host) == before
    with admin(host, "world") as db_admin:
        fill(db_admin, FIRST)
    leaks = [(sql, a, b) for sql, a, b in zip([*attacks(), *more], *seen, strict=True) if a != b]
    assert leaks == []
    assert not any("CANARY" in str(result) for run in seen for result in run)


async def test_dangerous_functions_and_the_catalogue_are_closed(host: str):
    db = open_db(host)
    for sql in (
        "SELECT set_config('search_path', 'shop', false)",
        "SELECT pg_catalog.set_config('role', 'admin', true)",
        "SELECT pg_sleep(1)",
        "SELECT current_setting('search_path')",
        "SELECT query_to_xml('select 1', true, true, '')",
        "SELECT lo_import('/etc/passwd')",
        "SELECT * FROM pg_views",
        "SELECT * FROM pg_catalog.pg_class",
        "SELECT * FROM information_schema.tables",
        "SELECT * FROM shop.sales",
        "SELECT * FROM metaagent_ro_t2.sales",
    ):
        with pytest.raises(SqlRefused, match="permission denied"):
            await db.run(sql)


async def test_every_legitimate_query_gives_the_right_rows(host: str):
    db = open_db(host)
    wrong: list[tuple[str, Any, Any]] = []
    with admin(host, "mine") as mine:
        from metaagent.data.job import plain

        for sql in queries("postgres"):
            right = normal([[plain(v) for v in row] for row in mine.execute(sql).fetchall()])
            got = await outcome(db, guard(sql, POLICY, dialect="postgres").sql)
            if got != right:
                wrong.append((sql, got, right))
    assert wrong == []


async def test_the_plan_is_given_and_a_costly_query_is_not_run(host: str):
    db = open_db(host, max_cost=1000.0)
    plan = (await db.run("SELECT COUNT(*) FROM sales")).plan
    assert plan[0]["Plan"]["Total Cost"] > 0
    with pytest.raises(SqlRefused, match="estimates a cost"):
        await db.run("SELECT COUNT(*) FROM numbers a, numbers b, numbers c")


SLOW = "SELECT COUNT(*) FROM numbers a, numbers b, numbers c WHERE (a.n * b.n + c.n) % 7919 = 1"


async def test_a_slow_query_is_stopped_and_says_so(host: str):
    with pytest.raises(SqlRefused, match=r"within 0\.5 seconds"):
        await open_db(host, max_cost=1e18).run(SLOW, timeout=0.5)


async def test_the_server_stops_a_query_that_nobody_cancels(host: str, monkeypatch: pytest.MonkeyPatch):
    def nobody(_job: Job) -> None:
        return None

    monkeypatch.setattr(Job, "stop", nobody)
    with pytest.raises(QueryTooSlow):
        await open_db(host, max_cost=1e18).run(SLOW, timeout=0.5)


def doubled(items: int) -> str:
    layers = (f"c{at} AS (SELECT s || s AS s FROM c{at - 1})" for at in range(1, items))
    return (
        f"WITH c0 AS (SELECT name AS s FROM regions), {', '.join(layers)} SELECT length(s) FROM c{items - 1}"
    )


def allowed(items: int) -> bool:
    try:
        guard(doubled(items), POLICY, dialect="postgres")
    except SqlRefused:
        return False
    return True


async def test_doubling_is_refused_before_it_is_slow_on_the_server(host: str):
    """The server plans a doubled column for minutes without looking at its time limit: only the guard stops that in time."""
    reader, deepest = open_db(host, max_cost=1e18), 17
    with pytest.raises(SqlRefused) as refused:
        guard(doubled(deepest), POLICY, dialect="postgres")
    assert refused.value.params["rule"] in {"expansion", "depth"}
    ran = [items for items in range(2, deepest) if allowed(items)]
    assert len(ran) > 5
    for items in ran:
        assert (await reader.run(doubled(items), timeout=20)).row_count == len(REGIONS)


SPILLING = "SELECT count(*) FROM (SELECT a.n * 2000 + b.n AS k FROM numbers a, numbers b WHERE b.n < 100 ORDER BY 1 OFFSET 5) x"


async def test_a_query_that_spills_too_much_is_stopped(host: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("metaagent.data.postgres.WORK_MEM_MB", 1)
    reader = open_db(host, max_cost=1e18)
    assert (await reader.run(SPILLING)).row_count == 1
    with admin(host, "world") as db:
        # The server's own setting would give it room: the limit that the program sets must count.
        db.execute("ALTER ROLE metaagent_ro_t1 SET work_mem = '1GB'")
        db.execute("ALTER ROLE metaagent_ro_t1 SET temp_file_limit = '64kB'")
        try:
            with pytest.raises(SqlRefused) as refused:
                await reader.run(SPILLING)
        finally:
            for statement in postgres_roles("shop", "t1", POLICY)[:7]:
                db.execute(statement)
    assert refused.value.params["rule"] == "memory"


RAISING = (
    "SET work_mem = '10GB'",
    "SET LOCAL statement_timeout = 0",
    "SET temp_file_limit = -1",
    "RESET ALL",
    "SELECT set_config('work_mem', '10GB', false)",
    "SELECT 1; SET statement_timeout = 0",
    "COMMIT; SET statement_timeout = 0",
    "ALTER ROLE metaagent_ro_t1 SET statement_timeout = 0",
)


@pytest.mark.parametrize("sql", RAISING)
async def test_no_query_raises_its_own_limits(host: str, sql: str):
    with pytest.raises(SqlRefused):
        await open_db(host).run(sql)


async def test_the_role_cannot_lift_its_limit_of_temporary_files(host: str):
    import psycopg

    with psycopg.connect(host=host, user="metaagent_ro_t1", dbname="world", autocommit=True) as db:
        db.execute("SET default_transaction_read_only = off")
        for statement in ("SET temp_file_limit = -1", "ALTER ROLE metaagent_ro_t1 SET temp_file_limit = -1"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                db.execute(statement)


async def test_a_result_that_is_too_large_is_refused(host: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("metaagent.data.job.LARGEST_RESULT", 1000)
    with pytest.raises(SqlRefused) as refused:
        await open_db(host, max_cost=1e18).run("SELECT a.n FROM numbers a, numbers b")
    assert refused.value.params["rule"] == "size"


JOINED = {
    "whole": "SELECT string_agg(note, ', ') FROM sales",
    "ordered": "SELECT region, string_agg(DISTINCT note, ', ' ORDER BY note) AS notes FROM sales GROUP BY 1 ORDER BY 1",
    "filtered": "SELECT string_agg(note, ',') FILTER (WHERE region = %(r)s) FROM sales WHERE note LIKE '%%'",
}


@pytest.mark.parametrize("name", JOINED)
async def test_text_joined_from_rows_is_counted_before_it_is_made(
    host: str, name: str, monkeypatch: pytest.MonkeyPatch
):
    params = {"r": "서울"} if name == "filtered" else None
    assert (await open_db(host).run(JOINED[name], params)).row_count
    made = list[str]()

    def take(*_given: Any) -> Any:
        made.append("made")

    monkeypatch.setattr("metaagent.data.job.LARGEST_RESULT", 3)
    monkeypatch.setattr("metaagent.data.postgres.take", take)
    with pytest.raises(SqlRefused) as refused:
        await open_db(host).run(JOINED[name], params)
    assert (refused.value.params["rule"], made) == ("size", [])


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT length(string_agg(note, ',')) FROM sales",
        "SELECT x.n FROM (SELECT string_agg(note, ',') AS n FROM sales) x",
        "WITH c AS (SELECT string_agg(note, ',') AS n FROM sales) SELECT n FROM c",
        "SELECT string_agg(note, ',') OVER (ORDER BY id) FROM sales",
        "SELECT string_agg(note, ',') FROM sales UNION ALL SELECT note FROM sales",
        "SELECT count(*) FROM sales HAVING string_agg(note, ',') <> ''",
    ],
)
async def test_text_that_nobody_can_count_is_not_joined(host: str, sql: str):
    with pytest.raises(SqlRefused) as refused:
        await open_db(host).run(sql)
    assert refused.value.params["rule"] == "expansion"


async def test_cancelling_ends_the_statement_on_the_server(host: str):
    reader = open_db(host, max_cost=1e18)
    task = asyncio.create_task(reader.run(SLOW))
    await asyncio.sleep(0)
    assert reader.queries_executed == 1
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    with admin(host, "world") as db:
        active = (
            "SELECT COUNT(*) FROM pg_stat_activity WHERE usename = 'metaagent_ro_t1' AND state = 'active'"
        )
        for _ in range(2000):
            if db.execute(active).fetchone() == (0,):
                break
        assert db.execute(active).fetchone() == (0,)


async def test_rows_stream_and_the_cap_is_said(host: str):
    result = await open_db(host).run("SELECT n FROM numbers ORDER BY n", max_rows=700)
    assert (result.row_count, result.truncated, result.rows[-1]) == (700, True, [700])


async def test_parameters_are_bound_and_percent_signs_stay(host: str):
    db = open_db(host)
    got = await db.run("SELECT id FROM sales WHERE region = %(r)s AND note LIKE 'it%%'", {"r": "서울"})
    assert got.rows == [[2]]
    assert (await db.run("SELECT id FROM sales WHERE note LIKE 'it%'")).rows == [[2]]


@pytest.mark.parametrize("role", ["admin", "plain"])
async def test_a_role_that_may_do_more_is_refused(host: str, role: str):
    # The plain role belongs to another database, where nothing was set up.
    place = url(host, role, "mine") if role == "plain" else url(host, role)
    db = ReadOnlyDatabase(place, POLICY)
    with pytest.raises(ConfigInvalid, match="semantic roles"):
        await db.run("SELECT 1")


async def test_roles_that_must_keep_their_functions_keep_them(host: str):
    import psycopg

    with psycopg.connect(host=host, user="app", dbname="world") as db:
        assert db.execute("SELECT set_config('a.b', 'c', true)").fetchone() == ("c",)
        assert db.execute("SELECT COUNT(*) > 0 FROM pg_class").fetchone() == (True,)


async def test_an_unreachable_server_is_named_without_its_password(tmp_path: Any):
    db = ReadOnlyDatabase(f"postgresql+psycopg://u:secret@/d?host={tmp_path}", POLICY)
    with pytest.raises(DataUnavailable) as caught:
        await db.run("SELECT 1")
    assert "secret" not in str(caught.value)
    assert "***" in str(caught.value)


def test_two_tenants_never_share_a_role():
    names = [
        role_name(t) for t in ("t1", "T1", "t-1", "t 1", "한국제약", "x" * 80, 'a"; DROP ROLE admin; --')
    ]
    assert len(set(names)) == len(names)
    assert all(len(n) < 64 for n in names)


@pytest.mark.parametrize("bad", ["a$$; DROP ROLE admin; $$", "a'b", 'a"b', "a%s", ""])
def test_a_name_that_could_end_a_statement_is_refused(bad: str):
    with pytest.raises(ConfigInvalid):
        postgres_roles(bad, "t1", POLICY)
    with pytest.raises(ConfigInvalid):
        postgres_roles("shop", "t1", POLICY, keep_for=[bad])
