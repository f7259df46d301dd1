"""The configured domain, opened: its rules for reading questions, its semantic model and its database."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from metaagent.config import Settings, data_url, domain_folder
from metaagent.level1.query_analyzer import Domain, load_domain
from metaagent.level1.reasoner import RuleReasoner
from metaagent.ports import Json, Knowledge, User
from metaagent.yaml_lines import parse

if TYPE_CHECKING:
    from metaagent.data.semantic.model import Model
    from metaagent.data.tenant_data import DataSource


class OpenDomain:
    """Files are read when first needed, and once."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._source: DataSource | None = None
        self._url: str | None = None

    @cached_property
    def domain(self) -> Domain | None:
        folder = domain_folder(self._settings)
        return None if folder is None else load_domain(folder)

    @cached_property
    def model(self) -> Model | None:
        from metaagent.data.semantic.loader import load

        if self._settings.data.model is not None:
            return load(self._settings.data.model)
        folder = domain_folder(self._settings)
        file = None if folder is None else folder / "semantic.yaml"
        return load(file) if file is not None and file.is_file() else None

    @cached_property
    def storage_rules(self) -> Json:
        """Rules by which the domain stores things: `storage.yaml` of its folder, where there is one."""
        folder = domain_folder(self._settings)
        file = None if folder is None else folder / "storage.yaml"
        found = parse(file.read_text(encoding="utf-8")).data if file is not None and file.is_file() else None
        return found or {}

    def data(self) -> DataSource | None:
        """The database with its model; looked for again while there is none, so that a demo made later is found."""
        url = data_url(self._settings)
        if self.model is None or (url is None and not self._settings.data.urls):
            return None
        if self._source is None or url != self._url:
            from metaagent.data.tenant_data import DataSource

            self._source, self._url = DataSource(self._settings.data, url, self.model), url
        return self._source

    async def known(self, user: User) -> Knowledge:
        source = self.data()
        if source is not None:
            return await source.knowledge(user)
        return self._unread

    @cached_property
    def _unread(self) -> Knowledge:
        from metaagent.data.semantic.vocabulary import vocabulary

        return Knowledge(vocabulary(self.model) if self.model else (), reachable=False)

    def reasoner(self) -> RuleReasoner:
        return RuleReasoner(self.domain, self.known)
