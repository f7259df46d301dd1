"""From a mapping to rows: doubtful columns and values are asked about, and nothing is left out unless the person says so."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from metaagent.level2.storage import transform
from metaagent.level2.storage.dialog import Dialog
from metaagent.level2.storage.mapping import (
    DELIMITER,
    Given,
    Match,
    TableMapping,
    convert,
    fitting_share,
    rule_of,
)
from metaagent.level2.storage.transform import Doubtful, Order
from metaagent.plugin import Failed, Text

Json = dict[str, Any]
Lookup = Callable[[str, str, Sequence[str]], Awaitable[dict[str, list[Any]]]]
SHOWN = 5

_WHICH = Text(
    en="Which column of {table} does {name!r} go to (for example {example})?",
    ko="{name!r}(예: {example})은(는) {table} 표의 어느 열에 저장할까요?",
)
_NOT_AT_ALL = Text(en="do not store this column", ko="이 열은 저장하지 않음")
_REQUIRED = Text(
    en="{table} needs a value for {column} ({type}), which the data does not have. Which value should every row get?",
    ko="{table} 표의 {column}({type})은(는) 필수인데 데이터에 없습니다. 모든 행에 어떤 값을 넣을까요?",
)
_BAD_VALUES = Text(
    en="{count} values of {name!r} cannot be taken by {column}: {examples}. What should happen?",
    ko="{name!r}의 값 {count}개를 {column}에 넣을 수 없습니다: {examples}. 어떻게 할까요?",
)
_UNKNOWN_NAMES = Text(
    en="{count} names in {name!r} are not known or shared by several: {examples}. What should happen?",
    ko="{name!r}의 이름 {count}개를 찾을 수 없거나 여럿입니다: {examples}. 어떻게 할까요?",
)
_ORDER = Text(
    en="How are the dates in {name!r} written (for example {example})?",
    ko="{name!r}의 날짜(예: {example})는 어떤 순서입니까?",
)
_DMY, _MDY = Text(en="day/month/year", ko="일/월/년"), Text(en="month/day/year", ko="월/일/년")
_EMPTY = Text(en="leave them empty", ko="비워 둠")
_WITHOUT = Text(en="leave these rows out", ko="그 행은 제외")
CANCEL = Text(en="store nothing", ko="저장하지 않음")
CANCELLED = Text(en="Nothing was stored, as you said.", ko="말씀하신 대로 아무것도 저장하지 않았습니다.")


@dataclass(frozen=True)
class Filled:
    columns: list[str]
    rows: list[list[Any]]
    matches: tuple[Match, ...]
    constants: dict[str, Any]
    left_out: tuple[str, ...]
    """Given columns that the person said not to store."""

    def as_json(self) -> Json:
        return {
            "field_mappings": {match.column: " + ".join(match.given) for match in self.matches},
            "transformation_rules": [
                {
                    "column": match.column,
                    "from": list(match.given),
                    "rule": match.rule,
                    "confidence": match.confidence,
                    **({"part": match.part + 1} if match.rule == "split" else {}),
                }
                for match in self.matches
            ]
            + [{"column": column, "rule": "constant"} for column in self.constants],
        }


class Filling:
    """Fills one table from given columns, asking what is doubtful."""

    def __init__(
        self, table: Mapping[str, Any], given: Sequence[Given], dialog: Dialog, lookup: Lookup
    ) -> None:
        self._table = table
        self._columns: dict[str, Mapping[str, Any]] = {column["name"]: column for column in table["columns"]}
        self._given = {one.name: one for one in given}
        self._dialog = dialog
        self._lookup = lookup
        self._dropped: set[int] = set()

    async def fill(self, mapping: TableMapping) -> Filled:
        matches, left_out = self._settled(mapping)
        matches.sort(key=lambda match: list(self._columns).index(match.column))
        columns = [match.column for match in matches]
        values = [await self._values(match) for match in matches]
        constants = self._constants(columns)
        count = max((len(one.values) for one in self._given.values()), default=0)
        rows = [
            [*(each[number] for each in values), *constants.values()]
            for number in range(count)
            if number not in self._dropped
        ]
        return Filled([*columns, *constants], rows, tuple(matches), constants, tuple(left_out))

    def _settled(self, mapping: TableMapping) -> tuple[list[Match], list[str]]:
        """The certain matches, and for each doubtful column what the person says."""
        matches, left_out = list(mapping.matches), list[str]()
        language = self._dialog.language
        asked: set[tuple[str, ...]] = set()
        for name in [one for one in self._given if one in mapping.doubtful]:
            if any(name in each for each in asked):
                continue
            free = [c for c in self._columns if c not in {match.column for match in matches}]
            likely = [m for m in mapping.doubtful[name] if m.column in free]
            rest = self._taking(self._given[name], [c for c in free if c not in {m.column for m in likely}])
            options = [*(m.column for m in likely), *rest, _NOT_AT_ALL.say(language)]
            values = (v for v in self._given[name].values if not transform.blank(v))
            said = _WHICH.say(language, table=mapping.table, name=name, example=next(values, "-"))
            at = self._dialog.choose(said, options)
            if at == len(options) - 1:
                left_out.append(name)
            elif at < len(likely):
                matches.append(replace(likely[at], confidence=1.0))
                asked.add(likely[at].given)
            else:
                matches.append(self._by_hand(name, options[at]))
        return matches, left_out

    def _taking(self, one: Given, columns: Sequence[str]) -> list[str]:
        """The columns that can take its values, those that take most of them first."""
        shares = {
            name: 1.0 if self._columns[name].get("refers") else fitting_share(one, self._columns[name])
            for name in columns
        }
        return sorted((name for name in columns if shares[name] > 0), key=lambda name: -shares[name])

    def _by_hand(self, name: str, column: str) -> Match:
        known = self._columns[column]
        numeric = all(not isinstance(v, str) or v.strip().isdigit() for v in self._given[name].values)
        return Match(
            (name,), column, 1.0, "lookup" if known.get("refers") and not numeric else rule_of(known)
        )

    def _constants(self, filled: Sequence[str]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for name, column in self._columns.items():
            if not column.get("required") or name in filled:
                continue
            said = _REQUIRED.say(
                self._dialog.language, table=self._table["name"], column=name, type=column["type"]
            )
            while name not in made:
                try:
                    made[name] = convert(self._dialog.fill(said), column, transform.Header(name), None)
                except Doubtful:
                    continue
        return made

    async def _values(self, match: Match) -> list[Any]:
        column = self._columns[match.column]
        raw = self._raw(match)
        name = " + ".join(match.given)
        if match.rule == "lookup" or (match.rule == "split" and match.note == "lookup"):
            return await self._keys(match, name, raw)
        order = self._order(name, column, raw)
        head = self._given[match.given[0]].header
        made: list[Any] = []
        bad: dict[int, str] = {}
        for number, value in enumerate(raw):
            try:
                made.append(convert(value, column, head, order))
            except Doubtful:
                bad[number] = str(value)
                made.append(None)
        self._settle_bad(_BAD_VALUES, name, column, bad)
        return made

    def _raw(self, match: Match) -> list[Any]:
        if match.rule == "join":
            parts = [self._given[name].values for name in match.given]
            return [_join(each, self._columns[match.column]["type"]) for each in zip(*parts, strict=True)]
        values = list(self._given[match.given[0]].values)
        if match.rule == "split":
            return [None if transform.blank(v) else _part(str(v), match.part) for v in values]
        return values

    def _order(self, name: str, column: Mapping[str, Any], raw: Sequence[Any]) -> Order | None:
        order = transform.date_order(raw)
        if order is not None or column["type"] not in ("date", "datetime"):
            return order
        for value in raw:
            if transform.blank(value):
                continue
            try:
                convert(value, column, transform.Header(name), None)
            except Doubtful:
                try:
                    convert(value, column, transform.Header(name), "dmy")
                except Doubtful:
                    continue
                language = self._dialog.language
                said = _ORDER.say(language, name=name, example=value)
                at = self._dialog.choose(said, [_DMY.say(language), _MDY.say(language)])
                return "dmy" if at == 0 else "mdy"
        return None

    async def _keys(self, match: Match, name: str, raw: Sequence[Any]) -> list[Any]:
        names = list(dict.fromkeys(str(v).strip() for v in raw if not transform.blank(v)))
        known = await self._lookup(self._table["name"], match.column, names)
        made: list[Any] = []
        bad: dict[int, str] = {}
        for number, value in enumerate(raw):
            keys = [] if transform.blank(value) else known.get(str(value).strip(), [])
            made.append(keys[0] if len(keys) == 1 else None)
            if not transform.blank(value) and len(keys) != 1:
                bad[number] = f"{value} ({len(keys)})"
        self._settle_bad(_UNKNOWN_NAMES, name, self._columns[match.column], bad)
        return made

    def _settle_bad(self, text: Text, name: str, column: Mapping[str, Any], bad: Mapping[int, str]) -> None:
        """Asks what to do with values that cannot be taken. Raises Failed where nothing is to be stored."""
        if not bad:
            return
        language = self._dialog.language
        examples = ", ".join(list(dict.fromkeys(bad.values()))[:SHOWN])
        optional = [] if column.get("required") or column.get("key") else [_EMPTY.say(language)]
        options = [*optional, _WITHOUT.say(language), CANCEL.say(language)]
        said = text.say(language, count=len(bad), name=name, column=column["name"], examples=examples)
        at = self._dialog.choose(said, options)
        if at == len(options) - 1:
            raise Failed(CANCELLED.say(language))
        if at == len(options) - 2:
            self._dropped |= bad.keys()


def _join(parts: Sequence[Any], kind: str) -> Any:
    given = [str(part).strip() for part in parts if not transform.blank(part)]
    if not given:
        return None
    if kind == "date" and len(given) == len(parts):
        return "-".join([given[0], *(part.rstrip("월일").zfill(2) for part in given[1:])])
    return " ".join(given)


def _part(value: str, number: int) -> str | None:
    parts = DELIMITER.split(value.strip())
    return parts[number] if number < len(parts) else None
