"""PostgreSQL for reading: a role that can do nothing else, and the statements that make such a role.

The query goes in as `DECLARE … CURSOR FOR <query>` over the extended protocol: one statement, a SELECT,
nothing else can be sent in its place, and rows stream. Nothing depends on a setting that the session could
change.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from typing import TYPE_CHECKING, Any, Final

from metaagent.data import job as bounds
from metaagent.data.job import (
    BAD_QUERY,
    BUSY,
    NOT_ALLOWED,
    TOO_COSTLY,
    TOO_LARGE,
    TOO_MUCH_MEMORY,
    UNREACHABLE,
    Fetched,
    Job,
    Plan,
    take,
)
from metaagent.data.joined_text import counting_sql
from metaagent.data.policy import Policy, literal, quote
from metaagent.errors import ConfigInvalid, DataUnavailable, MetaAgentError, SqlRefused, Text

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    import psycopg
    from sqlalchemy.engine import URL

WORK_MEM_MB = 64
"""Memory of one sort or hash; what needs more goes to temporary files, whose size the role limits."""
_CONNECT_SECONDS = 5
_OPTIONS = "-c default_transaction_read_only=on -c standard_conforming_strings=on"
_UNBOUND_PARAMETER = "08P01"
_FULL = ("53200", "53400", "54000")
"""Out of memory, beyond the role's limit of temporary files, or a value that is too long."""
_NO_DRIVER = Text(
    "PostgreSQL needs the driver psycopg: pip install 'psycopg[binary]'.",
    "PostgreSQL에는 psycopg 드라이버가 필요합니다: pip install 'psycopg[binary]'.",
)
_STRONG_ROLE = Text(
    "The role {name!r} may do more than read one tenant's data ({reason}): make a reading role with "
    "`metaagent semantic roles` and connect as that role (data.urls).",
    "역할 {name!r}의 권한이 한 테넌트의 읽기보다 큽니다({reason}). "
    "`metaagent semantic roles`로 읽기 역할을 만들고 그 역할로 접속하십시오(data.urls).",
)


class PostgresEngine:
    dialect = "postgres"

    def __init__(self, url: URL, max_cost: float) -> None:
        self._shown = url.render_as_string(hide_password=True)
        query = {
            key: value for key, value in url.query.items() if key != "options" and isinstance(value, str)
        }
        parts = {
            "host": url.host,
            "port": url.port,
            "dbname": url.database,
            "user": url.username,
            "password": url.password,
        }
        self._connect: dict[str, Any] = {
            **{key: value for key, value in parts.items() if value is not None},
            **query,
        }
        self._user = url.username or ""
        self._max_cost = max_cost

    def snapshot(self) -> str | None:
        """Another text after each commit; None where the server or the role does not say."""
        import psycopg

        try:
            with psycopg.connect(**self._connect, connect_timeout=_CONNECT_SECONDS, options=_OPTIONS) as one:
                row = one.execute("SELECT pg_current_snapshot()").fetchone()
        except psycopg.Error:
            return None
        return None if row is None else str(row[0])

    def execute(self, job: Job) -> Fetched:
        with self._connection(job) as connection:
            plan = _plan(connection, job)
            cost = float(plan[0]["Plan"]["Total Cost"])
            if cost > self._max_cost:
                raise SqlRefused(TOO_COSTLY, rule="cost", cost=cost, limit=self._max_cost)
            _check_joined(connection, job)
            with connection.cursor(name="metaagent") as cursor:
                cursor.execute(job.sql.encode(), job.params)
                columns = [column.name for column in cursor.description or ()]
                rows, truncated = take(cursor, job)
            return Fetched(columns, rows, truncated, plan)

    @contextlib.contextmanager
    def _connection(self, job: Job) -> Generator[psycopg.Connection[Any]]:
        try:
            import psycopg
        except ImportError:
            raise DataUnavailable(_NO_DRIVER) from None
        try:
            connection = psycopg.connect(
                **self._connect, connect_timeout=_CONNECT_SECONDS, options=_OPTIONS, autocommit=False
            )
        except psycopg.Error as error:
            raise self._unreachable(error) from None
        try:
            connection.read_only = True
            job.on_stop(connection.cancel)
            self._check_role(connection)
            for limit, seconds in (("lock", job.lock_seconds), ("statement", job.timeout)):
                connection.execute(f"SET LOCAL {limit}_timeout = {max(1, int(seconds * 1000))}".encode())
            for setting in (f"work_mem = '{WORK_MEM_MB}MB'", "max_parallel_workers_per_gather = 0"):
                connection.execute(f"SET LOCAL {setting}".encode())
            yield connection
        except (psycopg.Error, UnicodeError) as error:
            raise self._explained(error, job) from None
        finally:
            job.on_stop(None)
            connection.close()

    def _check_role(self, connection: psycopg.Connection[Any]) -> None:
        if connection.info.parameter_status("is_superuser") == "on":
            raise ConfigInvalid(_STRONG_ROLE, name=self._user, reason="superuser")
        row = connection.execute(
            "SELECT has_function_privilege('pg_catalog.set_config(text,text,boolean)', 'EXECUTE')"
        ).fetchone()
        if row is None or row[0] is not False:
            raise ConfigInvalid(_STRONG_ROLE, name=self._user, reason="EXECUTE on set_config")

    def _unreachable(self, error: Exception) -> DataUnavailable:
        return DataUnavailable(UNREACHABLE, url=self._shown, reason=_short(error))

    def _explained(self, error: Exception, job: Job) -> MetaAgentError:
        import psycopg

        state = str(getattr(error, "sqlstate", None) or "")
        if job.over or state == "57014":
            return job.too_slow()
        if state in ("55P03", "40P01"):
            return DataUnavailable(BUSY, url=self._shown)
        if state in ("42501", "25006"):
            return SqlRefused(NOT_ALLOWED, rule="database", reason=_short(error))
        if state in _FULL:
            return SqlRefused(TOO_MUCH_MEMORY, rule="memory", limit_mb=WORK_MEM_MB)
        lost = not state and isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
        if lost or (state[:2] in ("08", "53", "57", "58", "XX") and state != _UNBOUND_PARAMETER):
            return self._unreachable(error)
        return SqlRefused(BAD_QUERY, rule="database", reason=_short(error))


def _short(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]


def _plan(connection: psycopg.Connection[Any], job: Job) -> Plan:
    """`prepare=True` sends the text over the extended protocol, which takes one statement."""
    text = f"EXPLAIN (FORMAT JSON) {job.sql}"
    row = connection.execute(text.encode(), job.params, prepare=True).fetchone()
    return row[0] if row else []


def _check_joined(connection: psycopg.Connection[Any], job: Job) -> None:
    """Refuse a query whose joined texts would be larger than a result may be, before the server makes them."""
    counting = counting_sql(job.sql)
    if counting is None:
        return
    row = connection.execute(counting.encode(), job.params, prepare=True).fetchone()
    if row is not None and row[0] > bounds.LARGEST_RESULT:
        raise SqlRefused(TOO_LARGE, rule="size", limit=bounds.LARGEST_RESULT)


# The role

_PLAIN_TENANT: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")
_ROLE_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}")
_BAD_NAME = Text(
    "{name!r} cannot be the name of a role or schema here: use letters, digits and _ (at most 63).",
    "{name!r}은(는) 역할이나 스키마 이름으로 쓸 수 없습니다. 영문자, 숫자, _만(63자 이내) 쓰십시오.",
)
# Everything that acts, waits, reads files, settings or the catalogue, runs SQL given as text, or makes very
# much of little.
_DANGEROUS: Final = (
    r"^(pg_|lo_|lo$|txid_|inet_|has_|dblink|ts_stat|ts_rewrite|current_setting|set_config|current_schemas|"
    r"repeat$|lpad$|rpad$|generate_|version$|obj_description|col_description|shobj_description|to_reg|"
    r"currval|lastval|nextval|setval|row_security_active|format_type)|_to_xml|^binary_upgrade|^brin_|^gin_"
)
# Whether the role is weak enough, and whether anything was committed: the second tells nothing of any row.
_KEPT: Final = ("has_function_privilege", "pg_current_snapshot")


_NO_RIGHTS: Final = "NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS NOINHERIT"


def role_name(tenant: str) -> str:
    """One role per tenant; a name that is not a plain lower-case word is replaced by its hash."""
    plain = (
        tenant if _PLAIN_TENANT.fullmatch(tenant) else f"h{hashlib.sha256(tenant.encode()).hexdigest()[:24]}"
    )
    return f"metaagent_ro_{plain}"


def postgres_roles(
    schema: str,
    tenant: str,
    policy: Policy,
    *,
    keep_for: Sequence[str] = (),
) -> list[str]:
    """Statements for an administrator, repeatable, in order: the tenant's SELECT-only role and its views.

    The views carry the tenant as a constant, so no setting widens them. They are in a schema of the role's
    own name; the role has no access to `schema`. EXECUTE on dangerous functions, SELECT on the catalogue, and
    TEMPORARY are taken from PUBLIC *for the whole database*: name in `keep_for` the roles that must keep them
    (the application's own).
    """
    name = role_name(tenant)
    for given in (name, schema, *keep_for):
        if not _ROLE_NAME.fullmatch(given):
            raise ConfigInvalid(_BAD_NAME, name=given)
    return [
        *_role_statements(name),
        *_public_statements(schema, keep_for),
        *_view_statements(schema, name, policy),
    ]


def _role_statements(role: str) -> list[str]:
    quoted = quote(role)
    return [
        f"DO $$ BEGIN CREATE ROLE {quoted}; EXCEPTION WHEN duplicate_object THEN NULL; END $$",
        f"ALTER ROLE {quoted} LOGIN {_NO_RIGHTS}",
        f"ALTER ROLE {quoted} SET default_transaction_read_only = on",
        f"ALTER ROLE {quoted} SET search_path = {quoted}",
        f"ALTER ROLE {quoted} SET statement_timeout = '60s'",
        f"ALTER ROLE {quoted} SET temp_file_limit = '1GB'",
        f"ALTER ROLE {quoted} SET work_mem = '{WORK_MEM_MB}MB'",
    ]


def _public_statements(schema: str, keep_for: Sequence[str]) -> list[str]:
    grant = ", ".join(map(quote, keep_for))
    keep = f"EXECUTE format('GRANT EXECUTE ON ROUTINE %s TO {grant}', f.name); " if grant else ""
    kept = ", ".join(map(literal, _KEPT))
    loop = (
        "DO $do$ DECLARE f record; BEGIN FOR f IN SELECT p.oid::regprocedure::text AS name "  # noqa: S608
        "FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace "
        "WHERE n.nspname = 'pg_catalog' "
        "AND p.prokind IN ('f', 'p') AND p.prorettype <> 'trigger'::regtype "
        f"AND (p.provolatile = 'v' OR p.proname ~ {literal(_DANGEROUS)}) AND p.proname NOT IN ({kept}) "
        f"LOOP {keep}EXECUTE format('REVOKE EXECUTE ON ROUTINE %s FROM PUBLIC', f.name); END LOOP; END $do$"
    )
    database = (
        "DO $do$ BEGIN EXECUTE format('REVOKE CREATE, TEMPORARY ON DATABASE %I FROM PUBLIC', "
        "current_database()); END $do$"
    )
    schemas = list(dict.fromkeys((schema, "public")))
    catalogs = ("pg_catalog", "information_schema")
    return [
        *(f"GRANT USAGE ON SCHEMA {quote(s)} TO {grant}" for s in schemas if grant),
        *(f"REVOKE ALL ON SCHEMA {quote(s)} FROM PUBLIC" for s in schemas),
        *(f"REVOKE ALL ON ALL TABLES IN SCHEMA {quote(s)} FROM PUBLIC" for s in schemas),
        *(f"REVOKE EXECUTE ON ALL ROUTINES IN SCHEMA {quote(s)} FROM PUBLIC" for s in schemas),
        *(f"GRANT SELECT ON ALL TABLES IN SCHEMA {c} TO {grant}" for c in catalogs if grant),
        *(f"REVOKE ALL ON ALL TABLES IN SCHEMA {c} FROM PUBLIC" for c in catalogs),
        "REVOKE ALL ON LANGUAGE plpgsql FROM PUBLIC",
        *([f"GRANT USAGE ON LANGUAGE plpgsql TO {grant}"] if grant else []),
        database,
        loop,
    ]


def _view_statements(schema: str, role: str, policy: Policy) -> list[str]:
    own = quote(role)
    statements = [f"CREATE SCHEMA IF NOT EXISTS {own}", f"REVOKE ALL ON SCHEMA {own} FROM PUBLIC"]
    for table, limits in policy.tables.items():
        view = f"{own}.{quote(table)}"
        select = limits.select(f"{quote(schema)}.{quote(table)}", limits.readable, "postgres")
        statements += [
            f"DROP VIEW IF EXISTS {view}",
            f"CREATE VIEW {view} WITH (security_barrier = true) AS {select}",
            f"REVOKE ALL ON {view} FROM PUBLIC",
            f"GRANT SELECT ON {view} TO {own}",
        ]
    return [*statements, f"GRANT USAGE ON SCHEMA {own} TO {own}"]
