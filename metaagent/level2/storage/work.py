"""The storage agent: decides, maps, shows and stores; its receipt says what, where and why.

confidence = the least confidence of a field mapping; 1 where nothing is mapped
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from pydantic import TypeAdapter, ValidationError

from metaagent.errors import StoreRefused, misfit
from metaagent.level2.storage.agent import StorageParams
from metaagent.level2.storage.decision import Decision, Facts, Rules, Sensitivity, decide
from metaagent.level2.storage.dialog import Dialog
from metaagent.level2.storage.filling import CANCEL, CANCELLED, Filled, Filling
from metaagent.level2.storage.mapping import COMPUTED, TableMapping, choose_table, map_table, rank_tables
from metaagent.level2.storage.material import Material, of_artifact, record
from metaagent.plugin import Artifact, Context, Failed, Result, Task, Text
from metaagent.ports import ArtifactRef, Records
from metaagent.protection.redaction import find as find_personal

Json = dict[str, Any]
LOOKED_AT = 20_000
"""Characters that are looked through for personal data."""
SHOWN = 5
_ORDER = ("document", "file", "dataset")

_NOTHING = Text(en="There is nothing to store.", ko="저장할 것이 없습니다.")
_BAD_RULES = Text(
    en="storage.yaml of the domain cannot be used: {problem}.",
    ko="도메인의 storage.yaml을 쓸 수 없습니다: {problem}.",
)
_WHICH_TABLE = Text(en="Which table is {title!r} for?", ko="{title!r}을(를) 어느 표에 저장할까요?")
_AS_FILE = Text(en="none, store it as a file", ko="표가 아니라 파일로 저장")
_NO_SUCH_TABLE = Text(
    en="There is no writable table {table!r}: there are {known}.",
    ko="쓸 수 있는 표 {table!r}이(가) 없습니다. 있는 표: {known}.",
)
_CONFIRM = Text(
    en="Store this in {table}? {new} new rows, {replaced} replaced, {unchanged} unchanged.\n{rows}",
    ko="{table} 표에 저장할까요? 새 행 {new}개, 바뀌는 행 {replaced}개, 그대로인 행 {unchanged}개.\n{rows}",
)
_GO = Text(en="store ({print})", ko="저장 ({print})")
_LOOKING = Text(en="deciding where it belongs", ko="어디에 저장할지 정하는 중")
_STORING = Text(en="storing", ko="저장하는 중")
_STORED = Text(en="Stored: {what}. Receipt {receipt}.", ko="저장했습니다: {what}. 영수증 {receipt}.")
_ALREADY = Text(
    en="Nothing new was stored: it is stored already, {what}. Receipt {receipt}.",
    ko="새로 저장하지 않았습니다. 이미 저장되어 있습니다: {what}. 영수증 {receipt}.",
)
_ROWS = Text(
    en="{table}: {new} new rows, {replaced} replaced, {unchanged} unchanged",
    ko="{table} 표에 새 행 {new}개, 바뀐 행 {replaced}개, 그대로인 행 {unchanged}개",
)
_FILES = Text(en="file {names}", ko="파일 {names}")
_TEXTS = Text(en="{count} passages for search", ko="검색용 글 {count}개")
_TOGETHER = Text(
    en="All of it has this one receipt: undoing it takes everything back together.",
    ko="모두 이 영수증 하나로 저장했습니다. 되돌리면 함께 되돌려집니다.",
)
_LEFT_OUT = Text(en="Not stored, as you said: {names}.", ko="말씀하신 대로 저장하지 않은 열: {names}.")


@dataclass(frozen=True)
class Placed:
    """One thing, the decision on it, and the rows that it becomes where it becomes rows."""

    thing: Material
    facts: Facts
    decision: Decision
    filled: Filled | None = None


async def store(task: Task, ctx: Context) -> Result:
    language = "ko" if ctx.shared.get("language") == "ko" else "en"
    dialog = Dialog(task.answers, language)
    await ctx.progress(10, _LOOKING.say(language))
    things = await _things(task, ctx)
    prepared = await prepare(ctx.records, things, task.params, dialog, ctx.shared.get("user_query", ""))
    placed, batch, rules = prepared
    files = [hashlib.sha256(each["content"]).hexdigest() for each in batch.get("files") or ()]
    texts = [each["text"] for each in batch.get("texts") or ()]
    digest = hashlib.sha256(orjson.dumps([batch.get("rows"), files, texts])).hexdigest()
    key = ctx.effect_key(f"store {(batch['rows'] or {}).get('table', '')}", digest)
    before = await ctx.records.receipt(key)  # a repeat after a crash: what was confirmed is there already
    fingerprint = None if before else await _confirmed(ctx.records, batch, rules, dialog)
    await ctx.progress(60, _STORING.say(language))
    receipt = await _stored(ctx, key, batch, fingerprint)
    return _result(placed, batch, receipt, language)


async def prepare(
    records: Records, things: Sequence[Material], params: StorageParams, dialog: Dialog, question: str
) -> tuple[list[Placed], Json, Rules]:
    """Decide where each thing goes, and make the batch that would be stored. Nothing is written; raises NeedsInput
    where something is doubtful."""
    described = await records.describe()
    rules = _rules(described["rules"], dialog.language)
    if not things:
        raise Failed(_NOTHING.say(dialog.language))
    placing = Placing(
        records, described["tables"], rules=rules, params=params, dialog=dialog, question=question
    )
    placed = [await placing.place(thing) for thing in things]
    return placed, _batch(placed, params, rules, dialog.language), rules


async def _stored(ctx: Context, key: str, batch: Json, fingerprint: str | None) -> Json:
    """Stored once: the port knows the key, and the effect is on record before and after."""
    await ctx.effects.begin(key)
    try:
        receipt = await ctx.records.store(key, batch, fingerprint)
    except StoreRefused:
        await ctx.effects.withdraw(key)
        raise
    await ctx.effects.done(key, {name: receipt[name] for name in ("receipt", "stored_location")})
    return receipt


def _rules(given: Mapping[str, Any], language: str) -> Rules:
    try:
        return TypeAdapter(Rules).validate_python(dict(given), extra="forbid")
    except ValidationError as error:
        first = error.errors()[0]
        problem = misfit(first, ".".join(map(str, first["loc"])))
        raise Failed(_BAD_RULES.say(language, problem=problem)) from error


async def _things(task: Task, ctx: Context) -> list[Material]:
    """Documents first: what they were made from comes after them."""

    def place(ref: ArtifactRef) -> int:
        return _ORDER.index(ref.kind) if ref.kind in _ORDER else len(_ORDER)

    things = [await of_artifact(ref, await ctx.artifacts.read(ref)) for ref in sorted(task.inputs, key=place)]
    if task.params.record:
        things.append(record(task.params.record, task.description))
    return things


class Placing:
    """Decides where each thing belongs; one of them may become rows."""

    def __init__(
        self,
        records: Records,
        tables: Sequence[Mapping[str, Any]],
        rules: Rules,
        params: StorageParams,
        dialog: Dialog,
        question: str,
    ) -> None:
        self._records = records
        self._tables = list(tables)
        self._rules = rules
        self._params = params
        self._dialog = dialog
        self._question = question
        self._filled = False

    async def place(self, thing: Material) -> Placed:
        mapping = self._mapping(thing) if thing.given and not self._filled else None
        facts = self._facts(thing, mapping)
        decision = decide(facts, self._rules)
        if mapping is None or "rows" not in decision.parts:
            return Placed(thing, facts, decision)
        self._filled = True
        table = next(each for each in self._tables if each["name"] == mapping.table)
        filling = Filling(table, thing.given, self._dialog, self._records.lookup)
        return Placed(thing, facts, decision, await filling.fill(mapping))

    def _mapping(self, thing: Material) -> TableMapping | None:
        named = self._params.table
        if named is not None:
            found = next((each for each in self._tables if each["name"] == named), None)
            if found is None:
                known = ", ".join(each["name"] for each in self._tables) or "-"
                raise Failed(_NO_SUCH_TABLE.say(self._dialog.language, table=named, known=known))
            return map_table(thing.given, found)
        if any(one.kind in COMPUTED for one in thing.given):
            return None  # the result of a query, not values of a table
        best, rivals = choose_table(rank_tables(thing.given, self._tables, f"{thing.title} {self._question}"))
        if best is None or not rivals:
            return best
        options = [best.table, *(one.table for one in rivals), _AS_FILE.say(self._dialog.language)]
        at = self._dialog.choose(_WHICH_TABLE.say(self._dialog.language, title=thing.title), options)
        return None if at == len(options) - 1 else (best, *rivals)[at]

    def _facts(self, thing: Material, mapping: TableMapping | None) -> Facts:
        rules, params = self._rules, self._params
        uses = params.uses if params.uses is not None else rules.uses.get(thing.shape, ["read"])
        return Facts(
            data_type=thing.kind,
            shape=thing.shape,
            size=len(thing.content),
            rows=thing.rows,
            text=len(thing.text),
            target=None if mapping is None else mapping.table,
            sensitivity=params.sensitivity
            or ("personal" if find_personal(thing.text[:LOOKED_AT]) else rules.sensitivity),
            retention_days=params.retention_days or rules.retention_days.get(thing.kind),
            uses=frozenset(uses),
        )


def _batch(placed: Sequence[Placed], params: StorageParams, rules: Rules, language: str) -> Json:
    rows = next((one for one in placed if one.filled is not None), None)
    days = [one.facts.retention_days for one in placed if one.facts.retention_days]
    passages = [each for one in placed if "texts" in one.decision.parts for each in one.thing.passages]
    choices = {one.decision.choice for one in placed}
    choice = choices.pop() if len(choices) == 1 else "hybrid"
    return {
        "what": "; ".join(dict.fromkeys(one.thing.title for one in placed)),
        "why": " ".join(
            dict.fromkeys(reason.say(language) for one in placed for reason in one.decision.reasons)
        ),
        "decision": choice,
        "label": params.label or max((one.facts.sensitivity for one in placed), key=_RANK.index),
        "retention_days": max(days) if days else None,
        "must_keep": any(one.thing.kind in rules.must_keep for one in placed),
        "rows": None
        if rows is None or rows.filled is None
        else {"table": rows.facts.target, "columns": rows.filled.columns, "rows": rows.filled.rows},
        "mapping": None if rows is None or rows.filled is None else rows.filled.as_json(),
        "files": [one.thing.file for one in placed if "file" in one.decision.parts],
        "texts": [{**each, "id": f"{number}"} for number, each in enumerate(passages, 1)],
    }


_RANK: tuple[Sensitivity, ...] = ("public", "internal", "personal", "confidential")


async def _confirmed(records: Records, batch: Json, rules: Rules, dialog: Dialog) -> str | None:
    """Show the rows and ask, where that is wanted; the fingerprint of what was shown. The answer names it, so that rows that
    changed meanwhile are shown again."""
    if not batch["rows"]:
        return None
    seen = await records.preview(batch)
    asks = rules.confirm == "always" or (rules.confirm == "replace" and seen["replaced"] > 0)
    if asks:
        language = dialog.language
        counts = {name: seen[name] for name in ("table", "new", "replaced", "unchanged")}
        question = _CONFIRM.say(language, rows="\n".join(preview_lines(seen)), **counts)
        options = [_GO.say(language, print=seen["fingerprint"][:8]), CANCEL.say(language)]
        if dialog.choose(question, options, in_words=True) == 1:
            raise Failed(CANCELLED.say(language))
    return seen["fingerprint"]


def preview_lines(seen: Mapping[str, Any]) -> list[str]:
    """The rows as they will be, and below each replaced one what it replaces."""

    def shown(row: Sequence[Any], sign: str) -> str:
        cells = (
            f"{column}={'-' if v is None else v}" for column, v in zip(seen["columns"], row, strict=True)
        )
        return f"{sign} {', '.join(cells)}"

    new = [shown(row, "+") for row in seen["rows"][:SHOWN]]
    pairs = [(shown(each["after"], "~"), shown(each["before"], "-")) for each in seen["replaces"][:SHOWN]]
    more = seen["new"] + seen["replaced"] - len(new) - len(pairs)
    return [*new, *(line for pair in pairs for line in pair), *([f"… +{more}"] if more > 0 else [])]


def _result(placed: Sequence[Placed], batch: Json, receipt: Json, language: str) -> Result:
    first = placed[0]
    filled = next((one.filled for one in placed if one.filled is not None), None)
    said = _ALREADY if receipt["already"] else _STORED
    lines = [
        said.say(language, what=_what(receipt["where"], language), receipt=receipt["receipt"]),
        *dict.fromkeys(reason.say(language) for one in placed for reason in one.decision.reasons),
    ]
    if len(receipt["where"]["files"]) + bool(receipt["where"]["table"]) > 1:
        lines.append(_TOGETHER.say(language))
    if filled and filled.left_out:
        lines.append(_LEFT_OUT.say(language, names=", ".join(filled.left_out)))
    sure = min((match.confidence for match in filled.matches), default=1.0) if filled else 1.0
    table = (batch["rows"] or {}).get("table")
    return Result(
        summary="\n".join(lines),
        confidence=sure,
        artifacts=[Artifact("stored", {k: v for k, v in receipt.items() if k != "already"}, lines[0])],
        sources=[{"type": "receipt", "receipt": receipt["receipt"], "location": receipt["stored_location"]}],
        state={
            "data_to_store": {"title": batch["what"], "kinds": [one.thing.kind for one in placed]},
            "data_type": first.thing.kind,
            "data_size": sum(one.facts.size for one in placed),
            "storage_decision": batch["decision"],
            "decision_reasoning": batch["why"],
            "schema_mapping": {"target_table": table, **filled.as_json()} if filled else {},
            "storage_status": "completed",
            "stored_location": receipt["stored_location"],
            "storage_metadata": {
                key: receipt.get(key) for key in ("receipt", "retention", "label", "hashes", "key")
            },
        },
    )


def _what(where: Mapping[str, Any], language: str) -> str:
    parts: list[str] = []
    if where["table"]:
        parts.append(_ROWS.say(language, **{n: where[n] for n in ("table", "new", "replaced", "unchanged")}))
    if where["files"]:
        parts.append(_FILES.say(language, names=", ".join(each["name"] for each in where["files"])))
    if where["texts"]:
        parts.append(_TEXTS.say(language, count=where["texts"]))
    return "; ".join(parts)
