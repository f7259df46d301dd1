"""Triggers by which the database itself refuses, once keys are being retired, any value that was sealed with one of them.

A program that sealed a value just before, and commits it only now, must fail and repeat it with the new key. Otherwise
it would be acknowledged and never readable again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

TABLE = "retired_keys"
REASON = "sealed with a retired key"
_LENGTHS = (19, 20, 21)
"""Lengths of key ids: versions of one, two or three digits. The id begins at byte 6 of a value."""

Places = Iterable[tuple[str, str]]
"""Tables and their sealed columns."""


def sqlite_guard(places: Places) -> Iterator[str]:
    yield f"CREATE TABLE IF NOT EXISTS {TABLE} (kid TEXT PRIMARY KEY) WITHOUT ROWID"
    for table, column in places:
        kids = ", ".join(f"CAST(substr(NEW.{column}, 6, {length}) AS TEXT)" for length in _LENGTHS)
        known = f"EXISTS (SELECT 1 FROM {TABLE} WHERE kid IN ({kids}))"  # noqa: S608 - names of our own tables
        for event in ("INSERT", f"UPDATE OF {column}"):
            name = f"{TABLE}_{table}_{column}_{event[:6].lower()}"
            yield (
                f"CREATE TRIGGER IF NOT EXISTS {name} BEFORE {event} ON {table} WHEN {known} "
                f"BEGIN SELECT RAISE(ABORT, '{REASON}'); END"
            )


def postgres_guard(places: Places) -> Iterator[str]:
    yield f"CREATE TABLE IF NOT EXISTS {TABLE} (kid TEXT PRIMARY KEY)"
    kids = ", ".join(f"encode(substring(head from 1 for {length}), 'escape')" for length in _LENGTHS)
    yield f"""CREATE OR REPLACE FUNCTION refuse_retired_keys() RETURNS trigger LANGUAGE plpgsql AS $$
       DECLARE head bytea;
       BEGIN
         EXECUTE 'SELECT substring(($1).' || quote_ident(TG_ARGV[0]) || ' from 6)' INTO head USING NEW;
         IF EXISTS (SELECT 1 FROM {TABLE} WHERE kid IN ({kids})) THEN RAISE EXCEPTION '{REASON}'; END IF;
         RETURN NEW;
       END $$"""  # noqa: S608
    for table, column in places:
        yield (
            f"CREATE OR REPLACE TRIGGER {TABLE}_{table}_{column} BEFORE INSERT OR UPDATE OF {column} ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION refuse_retired_keys('{column}')"
        )


def arrivals(kids: Collection[str]) -> Iterator[str]:
    """Key ids are ours and of one form: see metaagent.protection.sealing.KID."""
    yield from (f"INSERT INTO {TABLE} (kid) VALUES ('{kid}') ON CONFLICT DO NOTHING" for kid in sorted(kids))  # noqa: S608
