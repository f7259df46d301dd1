"""The configured domain, opened: its rules for reading questions, its semantic model and its database."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from metaagent.config import LIBRARY_FILE, Settings, data_url, domain_folder
from metaagent.data.no_data_texts import NO_DATABASE
from metaagent.level1.query_analyzer import Domain, load_domain
from metaagent.level1.reasoner import RuleReasoner
from metaagent.ports import AnalysisInput, Json, Knowledge, User
from metaagent.protection.redaction import KnownNames
from metaagent.sessions.topics import Topics, topics_of
from metaagent.yaml_lines import parse

if TYPE_CHECKING:
    from metaagent.data.semantic.model import Model
    from metaagent.data.tenant_data import DataSource, TenantData
    from metaagent.level1.query_analyzer.domain import Intent


class OpenDomain:
    """Files are read when first needed, and once."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._source: DataSource | None = None
        self._url: str | None = None
        self._people: dict[str, KnownNames] = {}

    @cached_property
    def domain(self) -> Domain | None:
        """The configured domain's rules. A model that comes without rules of its own is read by the general ones."""
        settings = self._settings
        foreign = settings.data.model is not None and (
            settings.domain is None or "domain" not in settings.model_fields_set
        )
        folder = None if foreign else domain_folder(settings)
        if folder is not None and (folder / "domain.yaml").is_file():
            return _domain_in(folder, _as_written(folder))
        if self.model is None:
            return None
        return _general(self.model, documents=(settings.data_dir / LIBRARY_FILE).is_file())

    @cached_property
    def model(self) -> Model | None:
        own, folder = self._settings.data.model, domain_folder(self._settings)
        file = own or (None if folder is None else folder / "semantic.yaml")
        if file is None or (own is None and not file.is_file()):
            return None
        return _model_in(file, _as_written(file.parent))

    def reads_no_less(self, reader: User, other: User) -> bool:
        """Tell whether the semantic model hides no column and no row from the reader that it shows to the other."""
        if self.model is None:
            return True
        from metaagent.data.semantic.policies import reads_no_less

        mine, theirs = (self._settings.data.people.get(each.user_id, {}) for each in (reader, other))
        return reads_no_less(self.model, reader.roles, mine, other.roles, theirs)

    @cached_property
    def storage_rules(self) -> Json:
        """Rules by which the domain stores things: `storage.yaml` of its folder, where there is one."""
        folder = domain_folder(self._settings)
        file = None if folder is None else folder / "storage.yaml"
        found = (
            parse(file.read_text(encoding="utf-8"), file).data
            if file is not None and file.is_file()
            else None
        )
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

    def rule_files(self) -> dict[str, str]:
        """The rule packs of the domain and of installed packages, read anew each time: a turn keeps what it was given."""
        from metaagent.level2.compliance.packs import installed_files, read_files

        folder = domain_folder(self._settings)
        own = {} if folder is None else read_files(folder / "rules")
        return {**own, **installed_files(self._settings.agents.allow)}

    def template_files(self) -> dict[str, bytes]:
        """Templates of the domain and of installed packages, read anew each time: a changed file counts at once."""
        from metaagent.documents.templates import installed_files, read_files

        folder = domain_folder(self._settings)
        own = {} if folder is None else read_files(folder / "templates")
        return {**own, **installed_files(self._settings.agents.allow)}

    async def known(self, user: User) -> Knowledge:
        source = self.data()
        if source is not None:
            found = await source.knowledge(user)
            dimensions = {} if self.model is None else self.model.dimensions
            people = {name for name, dimension in dimensions.items() if dimension.kind == "person"}
            self.people(user).learn(str(row["value"]) for row in found.names if row["dimension"] in people)
            return found
        return self._unread

    def people(self, user: User) -> KnownNames:
        """The names of people in this company's data, as far as it was read, and of its accounts that came by."""
        names = self._people.setdefault(user.company_id, KnownNames())
        names.learn_account(user.user_id)
        return names

    @cached_property
    def _unread(self) -> Knowledge:
        from metaagent.data.semantic.vocabulary import vocabulary

        words = vocabulary(self.model) if self.model else ()
        return Knowledge(words, reachable=False, absent=NO_DATABASE)

    def reasoner(self) -> RuleReasoner:
        return RuleReasoner(self.domain, self.known, self._offered, self.document_parts)

    def document_parts(self) -> frozenset[str]:
        """The names of all fields of the templates; none where a template is broken, which the document agent says."""
        from metaagent.documents.templates import TemplatesInvalid, load_templates

        try:
            loaded = load_templates(self.template_files())
        except TemplatesInvalid:
            return frozenset()
        return frozenset(
            name
            for each in loaded.values()
            for spec in each.template.fields.values()
            if "form" in spec.source
            for name in (spec.label.ko, spec.label.en, *spec.words, *spec.called)
            if len(name) > 1
        )

    async def _offered(self, given: AnalysisInput) -> Json | None:
        found = await self.topics(given)
        return None if found is None else found.as_json()

    async def topics(self, given: AnalysisInput, *, most: int = 5) -> Topics | None:
        """The topics of the data as this person may know them; None without a semantic model."""
        if self.model is None or self.domain is None:
            return None
        known = await self.known(given.user)
        examples = self.examples(given.language or "en")
        return await topics_of(
            self.model.name, self.reasoner(), known, self.opened(given), given, most=most, examples=examples
        )

    def opened(self, given: AnalysisInput) -> TenantData | None:
        """The data as this person may read it."""
        source = self.data()
        return None if source is None else source.open(given.user, given.language or "en")

    def examples(self, language: str) -> dict[str, Intent]:
        """The example questions of the domain, less those that need documents where there are none."""
        documents = (self._settings.data_dir / LIBRARY_FILE).is_file()
        intents = () if self.domain is None else self.domain.intents
        offered = [one for one in intents if documents or _SEARCH not in one.capabilities]
        return {said: one for one in offered for said in one.examples.get(language, ())}


Written = tuple[tuple[str, int, int], ...]
"""Files of a folder with the time and size of each: whoever has read them knows by it whether they are still the same."""


def _as_written(folder: Path) -> Written:
    stats = ((file.name, file.stat()) for file in sorted(folder.glob("*.yaml")))
    return tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in stats)


@lru_cache(maxsize=8)
def _domain_in(folder: Path, _written: Written) -> Domain:
    return load_domain(folder)


@lru_cache(maxsize=8)
def _model_in(file: Path, _written: Written) -> Model:
    from metaagent.data.semantic.loader import load

    return load(file)


_OF_ANY_TRADE = frozenset({"data_analysis", "memory"})
_SEARCH = "information_retrieval"
_IN_DOCUMENTS = (
    "문서에서", "자료에서", "규정에서", "지침에서", "매뉴얼에서", "편람에서", "규정상",
    "search documents", "search the documents", "search our documents", "in the documents", "in our documents",
    "in the handbook", "in the manual", "according to the policy", "according to the rules",
)  # fmt: skip
"""Words that ask for documents whatever the trade: a policy may be what an insurer sells, an article what a shop does."""


def _general(model: Model, *, documents: bool) -> Domain:
    """The rules of language without any trade: figures of whatever the model describes, and the documents that were
    ingested. They are those of the domain that comes along, less its forms, laws, regions and words with a meaning of their
    own there."""
    shipped = domain_folder(Settings.model_validate({"domain": "pharma"}))
    assert shipped is not None
    rules = _domain_in(shipped, _as_written(shipped))
    served = _OF_ANY_TRADE | ({_SEARCH} if documents else set())
    intents = tuple(
        replace(one, words=_IN_DOCUMENTS, entities=(), examples={}) if _SEARCH in one.capabilities else one
        for one in rules.intents
        if set(one.capabilities) <= served
    )
    kept = {one.name for one in intents}
    defaults = {name: value for name, value in rules.defaults.items() if name != "metric"}
    return replace(
        rules,
        name=model.name,
        intents=tuple(replace(one, over=tuple(n for n in one.over if n in kept)) for one in intents),
        capabilities=tuple(one for one in rules.capabilities if one["name"] in served),
        slots={},
        document_types={},
        terms={},
        regions=(),
        ambiguous_metrics=(),
        implied_metrics={},
        entity_dimensions={},
        defaults=defaults | ({"metric": model.default_metric} if model.default_metric else {}),
    )
