"""The settings as one frozen object, and the places that follow from them."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Literal, TypeVar
from zoneinfo import ZoneInfo, available_timezones

from pydantic import Field, field_validator

from metaagent.config.sections import (
    Access,
    Agents,
    Analysis,
    Approval,
    Compliance,
    Data,
    Documents,
    Embeddings,
    Keys,
    Limits,
    Logs,
    Memory,
    Model,
    Monitor,
    Retain,
    Retrieval,
    Section,
    State,
    Storage,
    Telemetry,
)
from metaagent.config.serving import Web
from metaagent.config.tools import Tool
from metaagent.errors import ConfigInvalid, Text
from metaagent.values import nearest

_NO_DOMAIN = Text(
    en="There is no domain {name!r}: looked for {name}/domain.yaml in {places}. Set `domains_dir`, or `domain: null`.",
    ko="도메인 {name!r}이(가) 없습니다. {places}에서 {name}/domain.yaml을 찾았습니다. `domains_dir`를 지정하거나 "
    "`domain: null`로 두세요.",
)
DEMO_FILE = "pharma.db"
LIBRARY_FILE = "library.db"
"""File in the data directory: the documents that were ingested."""

Part = TypeVar("Part", bound=Section)


def _part(section: type[Part], description: str) -> Part:
    """A section of the settings, with its defaults."""
    return Field(default_factory=lambda: section.model_validate({}), description=description)


class Settings(Section):
    data_dir: Path = Field(
        default_factory=lambda: default_data_dir(), description="Where everything is kept."
    )
    language: Literal["auto", "ko", "en"] = Field(
        default="auto", description="Language of answers; `auto` follows the question."
    )
    timezone: str = Field(
        default="Asia/Seoul", description="The asker's time zone, for words like 'last month'."
    )
    domain: str | None = Field(
        default="pharma",
        description="What the questions are about: a folder with a semantic model, and with intents and words where they "
        "differ from the general ones. `metaagent connect` sets it; none if null.",
    )
    domains_dir: Path | None = Field(
        default=None,
        description="Where such folders are, beside `configs/domains` and the ones that come along.",
    )
    data: Data = _part(Data, "The database that questions are about.")
    limits: Limits = _part(Limits, "Bounds of a turn; none of them raises, all are enforced.")
    agents: Agents = _part(Agents, "Which execution agents may run.")
    tools: dict[str, Tool] = Field(
        default_factory=dict[str, Tool],
        description="Tools of MCP servers, LangChain tools and OpenAPI operations that become agents, by the agent's name; see "
        "tools.md.",
    )
    approval: Approval = _part(Approval, "Whose plans are approved by a person.")
    compliance: Compliance = _part(Compliance, "What is judged before it leaves.")
    documents: Documents = _part(Documents, "Who approves and releases documents.")
    analysis: Analysis = _part(Analysis, "How questions are read.")
    model: Model = _part(Model, "The chat model that helps to understand and to word.")
    embeddings: Embeddings = _part(Embeddings, "Vectors of documents.")
    retrieval: Retrieval = _part(Retrieval, "Where answers are searched for.")
    access: Access = _part(Access, "Who may do what.")
    logs: Logs = _part(Logs, "Diagnostics.")
    retention: Retain = _part(Retain, "What is dropped after how long.")
    state: State = _part(State, "How large a session's state may be.")
    memory: Memory = _part(Memory, "Long-term memory of people.")
    keys: Keys = _part(Keys, "Keys of everything stored.")
    storage: Storage = _part(Storage, "Relational storage.")
    monitor: Monitor = _part(Monitor, "What is out of the ordinary.")
    telemetry: Telemetry = _part(Telemetry, "OpenTelemetry; off by default.")
    web: Web = _part(Web, "The server of `metaagent serve`.")

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        if not _is_zone(value):
            near = nearest(value, available_timezones())
            raise ValueError("not an IANA time zone" + (f"; did you mean {near!r}?" if near else ""))
        return value

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.timezone)


def _is_zone(name: str) -> bool:
    """Look the one zone up: listing all of them opens six hundred files. Files of other reckonings are no zones."""
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return not name.startswith(("posix", "right"))


def domain_folder(settings: Settings) -> Path | None:
    """The folder of the configured domain; None if none is wanted. Raises ConfigInvalid, naming where it looked."""
    if settings.domain is None:
        return None
    own = [settings.domains_dir] if settings.domains_dir else []
    shared = Path(sys.prefix) / "share" / "metaagent" / "configs" / "domains"
    places = [
        *own, settings.data_dir / "domains", Path("configs") / "domains",
        Path(__file__).resolve().parents[2] / "configs" / "domains", shared,
    ]  # fmt: skip
    for place in places:
        if any((place / settings.domain / file).is_file() for file in ("domain.yaml", "semantic.yaml")):
            return place / settings.domain
    raise ConfigInvalid(_NO_DOMAIN, name=settings.domain, places=", ".join(str(place) for place in places))


def data_url(settings: Settings) -> str | None:
    """The configured database, or the demonstration company if it was made here."""
    demo = settings.data_dir / DEMO_FILE
    return settings.data.url or (f"sqlite:///{demo.absolute()}" if demo.is_file() else None)


def default_data_dir() -> Path:
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "metaagent"
