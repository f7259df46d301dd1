"""Loads rule packs: reads the files, checks them, compiles what they say. A problem names file, line and remedy."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from metaagent.errors import ConfigInvalid, Text, misfit
from metaagent.installed import installed_folders
from metaagent.level2.compliance.expressions import FIELDS, BadExpression, Condition, compiled
from metaagent.level2.compliance.model import Book, Law, Pack, Rule, Statute, Statutes
from metaagent.level2.compliance.text.statements import BadPhrase, Phrases, Words, phrases_of, words_of
from metaagent.yaml_lines import Parsed, Place, parse

GROUP = "metaagent.rules"
STATUTES, BOOK = "statutes.yaml", "expenses.yaml"
LARGEST = 1_000_000
_MOST_SHOWN = 20
_MODEL = TypeVar("_MODEL", bound=BaseModel)

_BROKEN = Text(
    en="The rules cannot be used; {count} problem(s):\n{problems}",
    ko="규칙을 쓸 수 없습니다. 문제 {count}건:\n{problems}",
)
_ALIAS = Text(
    en="an alias or anchor of YAML: write the value out, so that every rule can be read where it stands",
    ko="YAML 별칭 또는 앵커입니다. 규칙을 그 자리에서 읽을 수 있도록 값을 그대로 쓰세요",
)
_REPEATED = Text(en="the key {key} stands twice: remove one", ko="{key} 키가 두 번 있습니다. 하나를 지우세요")
_NOT_YAML = Text(
    en="this is not YAML: {reason}. Correct the file", ko="YAML이 아닙니다: {reason}. 파일을 고치세요"
)
_TOO_LARGE = Text(
    en="the file is larger than {most} bytes: split the pack",
    ko="파일이 {most}바이트보다 큽니다. 팩을 나누세요",
)
_FORM = Text(
    en="{reason}. Compare `metaagent rules show` of another rule",
    ko="{reason}. `metaagent rules show`로 다른 규칙과 비교하세요",
)
_CEL = Text(
    en="the condition cannot be used: {reason}. Known names: {known}",
    ko="조건식을 쓸 수 없습니다: {reason}. 쓸 수 있는 이름: {known}",
)
_PHRASE = Text(
    en="the phrase cannot be used: {reason}. Phrases are RE2 expressions",
    ko="문구를 쓸 수 없습니다: {reason}. 문구는 RE2 식입니다",
)
_NO_LIMIT = Text(
    en="there is no threshold {name!r} in this pack: define it under thresholds or use one of {known}",
    ko="이 팩에 {name!r} 한도가 없습니다. thresholds에 정의하거나 다음 중에서 고르세요: {known}",
)
_NO_ARTICLE = Text(
    en="{law} does not exist in the statute as of {as_of}: correct the article or update statutes.yaml",
    ko="{law}은(는) {as_of} 기준 법령에 없습니다. 조문을 고치거나 statutes.yaml을 갱신하세요",
)
_NO_STATUTE = Text(
    en="the statute {name!r} is not in statutes.yaml: add it or use one of {known}",
    ko="법령 {name!r}이(가) statutes.yaml에 없습니다. 추가하거나 다음 중에서 고르세요: {known}",
)
_TWICE = Text(
    en="version {version} of {pack} is in force at the same time as {other}: end one with effective.to",
    ko="{pack}의 {version} 버전과 {other}이(가) 동시에 시행됩니다. effective.to로 하나를 끝내세요",
)
_SAME_ID = Text(
    en="the rule id {id!r} is taken by {other}: rename one",
    ko="규칙 이름 {id!r}은(는) {other}에서 이미 씁니다. 하나의 이름을 바꾸세요",
)
_VALUES = Text(
    en="two values of threshold {name!r} hold on the same day: end one with `to`",
    ko="한도 {name!r}의 두 값이 같은 날에 적용됩니다. `to`로 하나를 끝내세요",
)
_GAP = Text(
    en="the message names {name!r}: use only {known}",
    ko="메시지에 {name!r}이(가) 있습니다. 다음만 쓰세요: {known}",
)
_PLACEHOLDERS = frozenset({"value", "limit", "count", "missing", "quote", "category", "group"})


@dataclass(frozen=True)
class Problem:
    """Something in a file of rules that keeps it from being used."""

    file: str
    line: int
    text: Text
    params: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def say(self, language: str = "en") -> str:
        return f"{self.file}:{self.line}: {self.text.say(language, **self.params)}"


class RulesInvalid(ConfigInvalid):
    """Rule packs with problems: none of them is used."""

    code = "rules_invalid"

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(_BROKEN)
        self.problems = tuple(problems)

    def say(self, language: str = "en") -> str:
        shown = "\n".join(problem.say(language) for problem in self.problems[:_MOST_SHOWN])
        return self.text.say(language, count=len(self.problems), problems=shown)


@dataclass(frozen=True, eq=False)
class CompiledRule:
    """A rule ready to judge, and the version of the pack that it belongs to."""

    rule: Rule
    pack: Pack
    pack_hash: str
    file: str
    line: int
    condition: Condition | None = None
    phrases: Phrases | None = None

    def in_force(self, day: date) -> bool:
        return self.pack.effective.holds_on(day) and self.rule.law.holds_on(day)

    def limit(self, day: date) -> int | None:
        name = self.rule.threshold
        return None if name is None else self.pack.thresholds[name].on(day)


@dataclass(frozen=True, eq=False)
class RuleBook:
    """All packs, compiled. Never changes: a running turn keeps the one that it began with."""

    packs: tuple[Pack, ...]
    rules: tuple[CompiledRule, ...]
    hashes: Mapping[str, str]
    """The SHA-256 of each pack's file by `pack version`."""
    book: Book | None = None

    def only(self, packs: Sequence[str]) -> RuleBook:
        kept = tuple(pack for pack in self.packs if pack.pack in packs)
        return RuleBook(kept, tuple(rule for rule in self.rules if rule.pack in kept), self.hashes, self.book)

    def titles(self) -> dict[str, Text]:
        """The titles of packs by `pack`, and of their rules by `pack/rule`."""
        named = {pack.pack: pack.title for pack in self.packs}
        named |= {f"{each.pack.pack}/{each.rule.id}": each.rule.title for each in self.rules}
        return {name: Text(en=title.en, ko=title.ko) for name, title in named.items()}

    def rule(self, rule_id: str) -> list[CompiledRule]:
        return [each for each in self.rules if each.rule.id == rule_id]


def read_files(folder: Path) -> dict[str, str]:
    """Text of every YAML file below the folder, by its path there. Raises ConfigInvalid for what cannot be read."""
    found: dict[str, str] = {}
    for file in sorted(folder.rglob("*.yaml")):
        if file.is_symlink() or not file.is_file():
            continue
        name = file.relative_to(folder).as_posix()
        try:
            found[name] = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise RulesInvalid([Problem(name, 0, _NOT_YAML, {"reason": str(error)})]) from error
    return found


def installed_files(allow: Sequence[str]) -> dict[str, str]:
    """The packs of installed packages: each entry point of `metaagent.rules` names a folder."""
    return {
        f"{package}/{name}": text
        for package, folder in installed_folders(GROUP, allow)
        for name, text in read_files(folder).items()
    }


def load_rules(files: Mapping[str, str]) -> RuleBook:
    """Compile the files. Raises RulesInvalid, naming each problem with file, line and remedy."""
    return _load(tuple(sorted(files.items())))


@lru_cache(maxsize=8)
def _load(files: tuple[tuple[str, str], ...]) -> RuleBook:
    problems: list[Problem] = []
    statutes: dict[str, Statute] = {}
    book: Book | None = None
    packs: list[_Source] = []
    for name, text in files:
        parsed = _parsed(name, text, problems)
        if parsed is None:
            continue
        if name.endswith(STATUTES):
            known = _validated(Statutes, name, parsed, problems)
            statutes |= {one.name: one for one in known.statutes} if known else {}
        elif name.endswith(BOOK):
            book = _validated(Book, name, parsed, problems)
        else:
            pack = _validated(Pack, name, parsed, problems)
            if pack is not None:
                packs.append(_Source(name, parsed, pack, hashlib.sha256(text.encode()).hexdigest()))
    rules = [rule for source in packs for rule in _compiled(source, statutes, problems)]
    problems += _across(packs)
    if problems:
        raise RulesInvalid(problems)
    hashes = {f"{source.pack.pack} {source.pack.version}": source.hash for source in packs}
    return RuleBook(tuple(source.pack for source in packs), tuple(rules), hashes, book)


@dataclass(frozen=True)
class _Source:
    file: str
    parsed: Parsed
    pack: Pack
    hash: str

    def problem(self, place: Place, text: Text, **params: Any) -> Problem:
        return Problem(self.file, self.parsed.line(place), text, params)


def _parsed(name: str, text: str, problems: list[Problem]) -> Parsed | None:
    if len(text.encode()) > LARGEST:
        problems.append(Problem(name, 0, _TOO_LARGE, {"most": LARGEST}))
        return None
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                problems.append(Problem(name, event.start_mark.line + 1, _ALIAS))
                return None
        parsed = parse(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else getattr(error, "line", 0)
        reason = " ".join(str(getattr(error, "problem", None) or error).split())
        problems.append(Problem(name, line, _NOT_YAML, {"reason": reason}))
        return None
    problems += [
        Problem(name, parsed.line(place), _REPEATED, {"key": place[-1]}) for place in parsed.repeated
    ]
    return parsed


def _validated(model: type[_MODEL], name: str, parsed: Parsed, problems: list[Problem]) -> _MODEL | None:
    try:
        return model.model_validate(parsed.data)
    except ValidationError as error:
        for one in error.errors():
            place: Place = tuple(one["loc"])
            reason = misfit(one, ".".join(str(part) for part in place))
            problems.append(Problem(name, parsed.line(place), _FORM, {"reason": reason}))
        return None


def _compiled(
    source: _Source, statutes: Mapping[str, Statute], problems: list[Problem]
) -> Iterator[CompiledRule]:
    for name, threshold in source.pack.thresholds.items():
        if any(a.overlaps(b) for a, b in combinations(threshold.values, 2)):
            problems.append(source.problem(("thresholds", name), _VALUES, name=name))
    words = _words(source, problems)
    for at, rule in enumerate(source.pack.rules):
        place: Place = ("rules", at)
        problems += _of_law(source, (*place, "law"), rule.law, statutes)
        problems += _of_messages(source, place, rule)
        if rule.threshold is not None and rule.threshold not in source.pack.thresholds:
            known = ", ".join(source.pack.thresholds) or "–"
            problems.append(source.problem((*place, rule.kind), _NO_LIMIT, name=rule.threshold, known=known))
        condition, phrases = None, None
        try:
            condition = compiled(rule.condition.require) if rule.condition else None
            phrases = phrases_of(rule.text, words) if rule.text else None
        except BadExpression as error:
            known = ", ".join(FIELDS)
            inner = (*place, "condition", "require")
            problems.append(source.problem(inner, _CEL, reason=str(error), known=known))
        except BadPhrase as error:
            problems.append(source.problem((*place, "text"), _PHRASE, reason=str(error)))
        line = source.parsed.line(place)
        yield CompiledRule(rule, source.pack, source.hash, source.file, line, condition, phrases)


def _words(source: _Source, problems: list[Problem]) -> dict[str, Words]:
    try:
        return words_of(source.pack.words)
    except BadPhrase as error:
        problems.append(source.problem(("words",), _PHRASE, reason=str(error)))
        return {}


_ARTICLE = re.compile(r"제(\d+)조(?:의(\d+))?")


def _of_law(source: _Source, place: Place, law: Law, statutes: Mapping[str, Statute]) -> Iterator[Problem]:
    statute = statutes.get(law.statute)
    if statute is None:
        yield source.problem(place, _NO_STATUTE, name=law.statute, known=", ".join(statutes))
        return
    found = _ARTICLE.match(law.article)
    number, branch = (int(part or 0) for part in found.groups()) if found else (0, 0)
    exists = 1 <= number <= statute.articles and number not in statute.deleted
    if not exists or (branch and not 2 <= branch <= 1 + statute.branches.get(number, 0)):
        yield source.problem((*place, "article"), _NO_ARTICLE, law=law.reference, as_of=statute.as_of)


def _of_messages(source: _Source, place: Place, rule: Rule) -> Iterator[Problem]:
    for text in (rule.message.ko, rule.message.en, rule.recommendation.ko, rule.recommendation.en):
        for name in re.findall(r"\{(\w*)", text):
            if name not in _PLACEHOLDERS:
                known = ", ".join(sorted(_PLACEHOLDERS))
                yield source.problem((*place, "message"), _GAP, name=name, known=known)


def _across(packs: Sequence[_Source]) -> Iterator[Problem]:
    """Versions of one pack that are in force together, and rules of one name in two packs."""
    for a, b in combinations(packs, 2):
        if a.pack.pack == b.pack.pack:
            if a.pack.effective.overlaps(b.pack.effective):
                params = {
                    "version": b.pack.version,
                    "pack": b.pack.pack,
                    "other": f"{a.file} {a.pack.version}",
                }
                yield Problem(b.file, b.parsed.line(("effective",)), _TWICE, params)
            continue
        ids = {rule.id for rule in a.pack.rules}
        for at, rule in enumerate(b.pack.rules):
            if rule.id in ids:
                yield b.problem(("rules", at, "id"), _SAME_ID, id=rule.id, other=a.file)
    for source in packs:
        seen: set[str] = set()
        for at, rule in enumerate(source.pack.rules):
            if rule.id in seen:
                yield source.problem(("rules", at, "id"), _SAME_ID, id=rule.id, other=source.file)
            seen.add(rule.id)
