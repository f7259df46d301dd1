"""Options that many commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Config = Annotated[Path | None, typer.Option("--config", help="YAML file with settings.", show_default=False)]
DataDir = Annotated[
    Path | None, typer.Option("--data-dir", help="Where everything is kept.", show_default=False)
]
UserId = Annotated[str, typer.Option("--user", help="Who asks.")]
CompanyId = Annotated[str, typer.Option("--company", help="The tenant whose data is used.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
