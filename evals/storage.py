"""Maps the tables and records of `storage.yaml` onto the databases that they belong to: `python -m evals.storage`.

`target`: the share of cases whose table is right, none included. `wrong`: given columns that would be written to a wrong column
without asking. `asked`: the share of given columns that a person would be asked about.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import yaml

from metaagent.config import Data, Settings, domain_folder
from metaagent.data.semantic.drafting.infer import infer
from metaagent.data.semantic.loader import load, loads
from metaagent.data.semantic.model import Model
from metaagent.demo import create_demo
from metaagent.level2.storage.mapping import Given, TableMapping, choose_table, rank_tables
from metaagent.ports import User
from metaagent.storage.records.database import WritableDatabase
from metaagent.storage.records.rows import required
from metaagent.storage.records.writable import Writable

Json = dict[str, Any]
HERE = Path(__file__).parent
OWNER = User("owner", "hanbit", ("owner",))


@dataclass
class Score:
    cases: int = 0
    right: int = 0
    columns: int = 0
    asked: int = 0
    wrong: list[str] = field(default_factory=list[str])
    missed: list[str] = field(default_factory=list[str])

    @property
    def target(self) -> float:
        return self.right / self.cases

    def add(self, case: Json, best: TableMapping | None, rivals: int) -> None:
        self.cases += 1
        name = f"{case['world']}: {case['title']}"
        found = best.table if best else None
        self.right += found == case["table"]
        if found != case["table"]:
            self.missed.append(f"{name} -> {found}, not {case['table']}")
        if best is None:
            return
        self.columns += len(case["columns"])
        self.asked += sum(column in best.doubtful for column in case["columns"])
        if rivals:
            return  # the person is asked which table is meant
        for match in best.matches:
            for given in match.given:
                if found != case["table"] or case["to"].get(given) != match.column:
                    self.wrong.append(f"{name}: {given} -> {found}.{match.column}")


def tables_of(world: str, folder: Path) -> list[Json]:
    """Every table of a world with all of its columns that are not hidden, as the port describes them."""
    file = folder / f"{world}.db"
    if world == "pharma":
        create_demo(f"sqlite:///{file}", now=date(2026, 11, 16), scale=0.01)
        place = domain_folder(Settings(data_dir=folder))
        assert place is not None
        model = load(place / "semantic.yaml")
    else:
        with closing(sqlite3.connect(file)) as connection:
            connection.executescript((HERE / "worlds" / f"{world}.sql").read_text(encoding="utf-8"))
        model = loads(infer(f"sqlite:///{file}"))
    return described(model, f"sqlite:///{file}")


def described(model: Model, url: str) -> list[Json]:
    allowed = {
        name: [column for column, known in table.columns.items() if not known.hidden]
        for name, table in model.tables.items()
    }
    writable = Writable(Data(write_url=url, writable=allowed), model, OWNER)
    made: list[Json] = []
    with WritableDatabase(url).transaction() as connection:
        for table in writable.describe():
            needed = required(connection, writable.target(table["name"])) or set()
            columns = [{**column, "required": column["name"] in needed} for column in table["columns"]]
            made.append({**table, "columns": columns})
    return made


def given_of(case: Json) -> list[Given]:
    return [
        Given(str(name), tuple(_plain(row[at]) for row in case["rows"]))
        for at, name in enumerate(case["columns"])
    ]


def _plain(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)


def run() -> Score:
    cases: list[Json] = yaml.safe_load((HERE / "storage.yaml").read_text(encoding="utf-8"))
    score = Score()
    with tempfile.TemporaryDirectory() as folder:
        worlds = {
            world: tables_of(world, Path(folder)) for world in sorted({case["world"] for case in cases})
        }
    for case in cases:
        best, rivals = choose_table(rank_tables(given_of(case), worlds[case["world"]], case["title"]))
        score.add(case, best, len(rivals))
    return score


def main() -> None:
    score = run()
    asked = score.asked / max(1, score.columns)
    said = [f"{score.cases} cases: target {score.target:.3f}, asked {asked:.3f}, wrong {len(score.wrong)}"]
    sys.stdout.write("\n  ".join([*said, *score.missed, *score.wrong]) + "\n")
    sys.exit(0 if score.target >= 0.9 and not score.wrong else 1)


if __name__ == "__main__":
    main()
