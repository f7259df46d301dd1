"""`metaagent rules`: the rule packs that documents and expenses are judged by."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from metaagent.cli.door import ANSWERED, FAILED, Door, Reply
from metaagent.cli.options import CONFIG, DATA_DIR, JSON, NOW, OFFICER, command
from metaagent.cli.startup import ui_language
from metaagent.errors import InputRefused, Text

if TYPE_CHECKING:
    from metaagent.level2.compliance.packs import CompiledRule, RuleBook

Json = dict[str, Any]
SHARED = (CONFIG, DATA_DIR, JSON)
Folder = Annotated[
    Path | None,
    typer.Option("--rules", help="A folder of packs; the domain's if empty.", show_default=False),
]
_NO_RULE = Text(
    en="There is no rule {name!r}: `metaagent rules list` names all.",
    ko="규칙 {name!r}이(가) 없습니다. `metaagent rules list`로 모두 볼 수 있습니다.",
)
_NO_FOLDER = Text(
    en="{path} is no folder of rule packs: name one with YAML files.",
    ko="{path}은(는) 규칙 팩 폴더가 아닙니다. YAML 파일이 있는 폴더를 지정하세요.",
)
_RIGHT = Text(
    en="{right} of {all} examples come out as they must.", ko="예제 {all}개 가운데 {right}개가 맞습니다."
)
_GRANTED = Text(en="Waiver {waiver}: {rule} until {until}.", ko="예외 {waiver}: {rule}, {until}까지.")
_NO_WAIVERS = Text(en="No waivers are in force.", ko="효력이 있는 예외가 없습니다.")
_SAME = Text(en="The rules are the same.", ko="규칙이 같습니다.")
_SIGNED = Text(en="signed off by {by} on {at}", ko="{at} {by} 승인")
_LABELS = {
    "law": Text(en="Law", ko="근거"),
    "severity": Text(en="Severity", ko="심각도"),
    "kind": Text(en="Kind", ko="종류"),
    "applies": Text(en="Applies to", ko="적용 대상"),
    "limit": Text(en="Limit", ko="한도"),
    "message": Text(en="Message", ko="메시지"),
    "advice": Text(en="Recommendation", ko="권고"),
    "stands": Text(en="Stands in", ko="위치"),
    "examples": Text(en="Examples", ko="예제"),
    "check": Text(en="Check", ko="판정"),
}

rules_app = typer.Typer(no_args_is_help=True, help="Show, test, compare and waive the rules.")


@command(rules_app, "list", SHARED)
async def listed(door: Door, rules: Folder = None) -> Reply:
    """List packs and rules: version, hash, who signed them off, law and severity."""
    language, book = ui_language(), _book(door, rules)
    content: list[Json] = []
    lines: list[str] = []
    for pack in book.packs:
        digest = book.hashes[f"{pack.pack} {pack.version}"]
        signed = _SIGNED.say(language, by=pack.signed_off.by, at=pack.signed_off.at)
        lines += [f"{pack.pack} {pack.version} · {pack.title.say(language)} · {digest[:12]} · {signed}"]
        lines += [f"  ({pack.notice.say(language)})"]
        lines += [
            f"  {rule.id:<28} {rule.severity:<9} {rule.law.reference}  {rule.title.say(language)}"
            for rule in pack.rules
        ]
        content.append(
            {
                "pack": pack.pack,
                "version": pack.version,
                "hash": digest,
                "signed_off": {"by": pack.signed_off.by, "at": pack.signed_off.at.isoformat()},
                "notice": pack.notice.say(language),
                "rules": [
                    {
                        "id": r.id,
                        "severity": r.severity,
                        "law": r.law.reference,
                        "title": r.title.say(language),
                    }
                    for r in pack.rules
                ],
            }
        )
    return Reply(content, lines)


@command(rules_app, "show", SHARED)
async def show(
    door: Door,
    rule: Annotated[str, typer.Argument(help="The rule's id.", metavar="RULE")],
    rules: Folder = None,
) -> Reply:
    """Show one rule: law, limits with their days, message, examples, and the file and line where it stands."""
    found = _book(door, rules).rule(rule)
    if not found:
        raise InputRefused(_NO_RULE, name=rule)
    content = [_as_json(each) for each in found]
    return Reply(content, [line for each in found for line in _shown(each, ui_language())])


@command(rules_app, "test", (*SHARED, NOW))
async def run_examples(
    door: Door,
    rules: Folder = None,
    pack: Annotated[
        list[str] | None, typer.Option("--pack", help="Only this pack (repeatable).", show_default=False)
    ] = None,
) -> Reply:
    """Run the examples beside the rules; exit code 1 if one comes out otherwise."""
    from metaagent.level2.compliance.examples import tried

    book = _book(door, rules)
    done = list(tried(book.only(pack) if pack else book, door.moment.date()))
    wrong = [
        {
            "rule": one.rule,
            "file": one.file,
            "line": one.line,
            "must": one.must,
            "was": one.was,
            "example": one.shown,
        }
        for one in done
        if not one.right
    ]
    said = _RIGHT.say(ui_language(), right=len(done) - len(wrong), all=len(done))
    lines = [
        f"✗ {w['file']}:{w['line']} {w['rule']}: {w['must']} ≠ {w['was']}: {w['example']}" for w in wrong
    ]
    content = {"examples": len(done), "right": len(done) - len(wrong), "wrong": wrong}
    return Reply(content, [*lines, said], FAILED if wrong or not done else ANSWERED)


@command(rules_app, "diff", SHARED)
async def diff(
    door: Door,
    other: Annotated[Path, typer.Argument(help="The folder of packs to compare with.", metavar="FOLDER")],
    rules: Folder = None,
) -> Reply:
    """Compare the rules in use with those of another folder: what it adds, drops and changes."""
    before, after = _facts(_book(door, rules)), _facts(_book(door, other))
    changes: list[Json] = [
        *({"change": "added", "what": name, "to": after[name]} for name in after if name not in before),
        *({"change": "removed", "what": name, "from": before[name]} for name in before if name not in after),
        *(
            {"change": "changed", "what": name, "from": before[name], "to": after[name]}
            for name in before
            if name in after and before[name] != after[name]
        ),
    ]
    marks = {"added": "+", "removed": "-", "changed": "~"}
    lines = [
        f"{marks[c['change']]} {c['what']}"
        + (f": {c.get('from')} → {c.get('to')}" if c["change"] == "changed" else "")
        for c in changes
    ]
    return Reply(changes, lines or [_SAME.say(ui_language())])


@command(rules_app, "waive", (*OFFICER, NOW))
async def waive(
    door: Door,
    rule: Annotated[str, typer.Argument(help="The rule's id.", metavar="RULE")],
    until: Annotated[str, typer.Option("--until", help="The last day on which it counts (ISO-8601).")],
    reason: Annotated[str, typer.Option("--reason", help="Why; it is on record.")],
    scope: Annotated[str, typer.Option("--scope", help="The hash of one content, or * for all.")] = "*",
) -> Reply:
    """Grant an exception from a rule, for one content or all, until a day."""
    if not _book(door, None).rule(rule):
        raise InputRefused(_NO_RULE, name=rule)
    async with door.open() as app:
        made = await app.governance.waive(rule, scope=scope, until=until, reason=reason, user=door.user)
    return Reply(made._asdict(), [_GRANTED.say(ui_language(), waiver=made.id, rule=rule, until=until)])


@command(rules_app, "waivers", (*OFFICER, NOW))
async def waivers(
    door: Door,
    end: Annotated[str | None, typer.Option("--end", help="End this waiver now.", show_default=False)] = None,
    reason: Annotated[str, typer.Option("--reason", help="Why it ends; it is on record.")] = "",
) -> Reply:
    """List the exceptions that are in force, or end one."""
    async with door.open() as app:
        if end is not None:
            await app.governance.waiver_end(end, reason=reason, user=door.user)
        found = await app.governance.waivers(user=door.user)
    lines = [f"{w.id}  {w.rule}  {w.scope[:12]}  – {w.until}  {w.reason}" for w in found]
    return Reply([w._asdict() for w in found], lines or [_NO_WAIVERS.say(ui_language())])


def _book(door: Door, folder: Path | None) -> RuleBook:
    from metaagent.level2.compliance.packs import load_rules, read_files
    from metaagent.sessions.domain import OpenDomain

    if folder is None:
        return load_rules(OpenDomain(door.settings).rule_files())
    files = read_files(folder) if folder.is_dir() else {}
    if not files:
        raise InputRefused(_NO_FOLDER, path=folder)
    return load_rules(files)


def _as_json(each: CompiledRule) -> Json:
    return {
        "pack": each.pack.pack,
        "version": each.pack.version,
        "hash": each.pack_hash,
        "file": each.file,
        "line": each.line,
        "kind": each.rule.kind,
        **each.rule.model_dump(mode="json", by_alias=True, exclude_none=True),
        "limits": _limits(each),
    }


def _limits(each: CompiledRule) -> list[Json]:
    name = each.rule.threshold
    values = each.pack.thresholds[name].values if name else []
    return [value.model_dump(mode="json", by_alias=True, exclude_none=True) for value in values]


def _shown(each: CompiledRule, language: str) -> list[str]:
    rule = each.rule
    detail = f" ({rule.law.detail.say(language)})" if rule.law.detail else ""
    spec = getattr(rule, rule.kind).model_dump(exclude_none=True, exclude_defaults=True)
    wanted = rule.applies_to
    applies = [*wanted.targets, *wanted.categories, *wanted.occasions]
    limits = "; ".join(f"{one['value']:,} ({one['from']} – {one.get('to', '')})" for one in _limits(each))
    examples = rule.examples
    rows = {
        "law": f"{rule.law.reference}{detail}, {rule.law.first} –",
        "severity": rule.severity,
        "kind": rule.kind,
        "applies": ", ".join(applies),
        "check": str(spec),
        "limit": limits,
        "message": rule.message.ko if language == "ko" else rule.message.en,
        "advice": rule.recommendation.ko if language == "ko" else rule.recommendation.en,
        "examples": f"{len(examples.passing)} / {len(examples.failing)} / {len(examples.unknown)}",
        "stands": f"{each.file}:{each.line} ({each.pack.pack} {each.pack.version}, {each.pack_hash[:12]})",
    }
    lines = [f"{_LABELS[name].say(language)}: {value}" for name, value in rows.items() if value]
    return [f"{rule.id} · {rule.title.say(language)}", *(f"  {line}" for line in lines)]


def _facts(book: RuleBook) -> Json:
    """Everything that decides a judgement, by a name that stays: rules, thresholds and versions."""
    found: Json = {f"pack {pack.pack}": pack.version for pack in book.packs}
    for pack in book.packs:
        for name, threshold in pack.thresholds.items():
            values = [f"{one.value} ({one.first} – {one.last or ''})" for one in threshold.values]
            found[f"threshold {pack.pack}.{name}"] = ", ".join(values)
        for rule in pack.rules:
            for key, value in rule.model_dump(mode="json", by_alias=True, exclude_none=True).items():
                if key != "id":
                    found[f"rule {rule.id}.{key}"] = value
    return found
