"""A readable account of what was done in a session: who asked what, what was done, by which rule, with which data.

Pure: entries go in (with `pii` opened where the reader may see it), lines come out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from metaagent.audit.event_words import event_said
from metaagent.audit.right_words import right_said
from metaagent.audit.trail import HASHED
from metaagent.errors import Text
from metaagent.language.patterns import regex

Entry = Mapping[str, Any]

_TURN = Text(en="Turn {turn}, {ts}, asked by {actor}{by}", ko="턴 {turn}, {ts}, 질문자 {actor}{by}")
_SEALED = Text(en="(sealed)", ko="(봉인됨)")
_GONE = Text(en="(erased)", ko="(파기됨)")
_NOTHING = Text(en="There is nothing on record.", ko="기록이 없습니다.")
_LINES = {
    "question.asked": Text(en="asked: {question}", ko="질문: {question}"),
    "analysis.done": Text(en="understood as: {capabilities}", ko="해석: {capabilities}"),
    "plan.made": Text(
        en="plan version {version} ({outcome}); hash {hash}{steps}",
        ko="계획 버전 {version} ({outcome}); 해시 {hash}{steps}",
    ),
    "plan.approved": Text(
        en="plan version {version} APPROVED by {by} [{actor}]; reason: {reason}; hash {hash}",
        ko="계획 버전 {version} 승인: {by} [{actor}]; 이유: {reason}; 해시 {hash}",
    ),
    "plan.rejected": Text(
        en="plan version {version} REJECTED by {by} [{actor}]; reason: {reason}; hash {hash}",
        ko="계획 버전 {version} 거절: {by} [{actor}]; 이유: {reason}; 해시 {hash}",
    ),
    "plan.outdated": Text(
        en="plan version {version} approved by {by} [{actor}], but NOT RUN, it was no longer valid: {problems}; "
        "reason: {reason}; hash {hash}",
        ko="계획 버전 {version} 승인: {by} [{actor}], 그러나 더 이상 유효하지 않아 실행하지 않음: {problems}; "
        "이유: {reason}; 해시 {hash}",
    ),
    "agent.ran": Text(
        en="step {step}: {agent} {outcome} after {attempts} attempt(s){error}{things}",
        ko="{step} 단계: {agent} {outcome} (시도 {attempts}회){error}{things}",
    ),
    "rules.judged": Text(
        en="step {step}: JUDGED {outcome}; verdict {verdict}; by {rules}{things}",
        ko="{step} 단계: 판정 {outcome}, 판정 해시 {verdict}; 규칙 {rules}{things}",
    ),
    "gate.closed": Text(
        en="step {step}: {agent} HELD BACK ({outcome}) by {rules}; verdicts {verdicts}{things}",
        ko="{step} 단계: {agent} 막힘({outcome}), 규칙 {rules}; 판정 {verdicts}{things}",
    ),
    "gate.overridden": Text(
        en="step {step}: {agent} LET THROUGH by {by} [{actor}]; reason: {reason}; verdicts {verdicts}{things}",
        ko="{step} 단계: {agent} 통과 승인: {by} [{actor}]; 이유: {reason}; 판정 {verdicts}{things}",
    ),
    "gate.kept_closed": Text(
        en="step {step}: {agent} KEPT BACK by {by} [{actor}]; reason: {reason}; verdicts {verdicts}{things}",
        ko="{step} 단계: {agent} 통과 거절: {by} [{actor}]; 이유: {reason}; 판정 {verdicts}{things}",
    ),
    "effect.approved": Text(
        en="step {step}: {agent} LOOKED AT AND APPROVED by {by} [{actor}]; reason: {reason}; on {inputs}",
        ko="{step} 단계: {agent} 내용 확인 후 승인: {by} [{actor}]; 이유: {reason}; 대상 {inputs}",
    ),
    "effect.rejected": Text(
        en="step {step}: {agent} LOOKED AT AND REFUSED by {by} [{actor}]; reason: {reason}; on {inputs}",
        ko="{step} 단계: {agent} 내용 확인 후 거절: {by} [{actor}]; 이유: {reason}; 대상 {inputs}",
    ),
    "artifact.exported": Text(
        en="{artifact} EXPORTED as {format} by {actor}; hash of the file {file_hash}",
        ko="{artifact} 내보냄 ({format}), {actor}; 파일의 해시 {file_hash}",
    ),
    "access.refused": Text(
        en="REFUSED: {operation} ({what}; {reason}) to roles {roles}",
        ko="거부: {operation} ({what}; {reason}), 역할 {roles}",
    ),
    "config.changed": Text(
        en="CONFIGURATION CHANGED: {changed}; hash {from} → {to}",
        ko="설정 변경: {changed}; 해시 {from} → {to}",
    ),
    "agent.disabled": Text(en="SWITCHED OFF: {name}, by {actor}", ko="끔: {name}, {actor}"),
    "agent.enabled": Text(en="SWITCHED ON again: {name}, by {actor}", ko="다시 켬: {name}, {actor}"),
    "turn.ended": Text(
        en="ended: {outcome}; hash of the answer {answer_hash}",
        ko="종료: {outcome}; 답의 해시 {answer_hash}",
    ),
}
_THINGS = {
    "inputs": Text(en="from {thing}", ko="입력 {thing}"),
    "made": Text(en="made {thing}", ko="산출물 {thing}"),
    "sql": Text(en="SQL: {thing}", ko="SQL: {thing}"),
    "rules": Text(en="rules {thing}", ko="규칙 {thing}"),
}
"""Everything that a step was given and made, each on a line of its own, and what it ran."""
_OUTCOMES = {
    "completed": Text(en="completed", ko="완료"),
    "failed": Text(en="failed", ko="실패"),
    "skipped": Text(en="skipped", ko="건너뜀"),
    "cancelled": Text(en="cancelled", ko="취소"),
    "timed_out": Text(en="timed out", ko="시간 초과"),
    "blocked": Text(en="blocked", ko="막힘"),
    "valid": Text(en="valid", ko="유효"),
    "invalid": Text(en="not valid", ko="유효하지 않음"),
    "open": Text(en="nothing blocks", ko="막는 것 없음"),
    "closed": Text(en="it blocks", ko="막음"),
}
_JUDGED_THING = Text(en="on {thing}", ko="대상 {thing}")
_HASH = regex(r"\b[0-9a-f]{64}\b")
SHORT = 12
"""Letters of a hash that a person compares; the whole one stands in the JSON."""
_OTHER = Text(en="{event}: {outcome} {data}", ko="{event}: {outcome} {data}")


def shortened(lines: Iterable[str]) -> list[str]:
    """The lines of an account as a person reads them: of each hash its beginning."""
    return [_HASH.sub(lambda found: f"{found.group()[:SHORT]}…", line) for line in lines]


def account(
    entries: Iterable[Entry], language: str = "en", agents: Mapping[str, Text] | None = None
) -> list[str]:
    """Turn by turn, in the order in which it happened. Each line begins with the number of its entry; `agents` says in words what
    each agent does."""
    said = {name: f"{words.say(language)} ({name})" for name, words in (agents or {}).items()}
    lines: list[str] = []
    turn: object = None
    for entry in entries:
        if entry["session"] is not None and entry["turn"] != turn:
            turn = entry["turn"]
            lines += [""] if lines else []
            lines.append(_head(entry, language))
        lines.append(f"  #{entry['seq']} {entry['ts'][11:19]} {_line(entry, language, said)}")
    return lines or [_NOTHING.say(language)]


def _head(entry: Entry, language: str) -> str:
    name = _pii(entry, language).get("by")
    by = f" ({name})" if name else ""
    moment = f"{entry['ts'][:10]} {entry['ts'][11:19]} UTC"
    return _TURN.say(language, turn=entry["turn"] or "-", ts=moment, actor=entry["actor"], by=by)


_PASSED = "passed"
_SEALED_RULES = Text(
    en="{count} rule(s), sealed (--reveal names them)", ko="규칙 {count}건, 봉인됨(--reveal로 볼 수 있음)"
)
_NO_RULE = Text(en="no rule: it could not be judged", ko="없음(판정하지 못함)")
_MORE_PASSED = Text(en="{count} rule(s) found nothing", ko="이상 없음 {count}건")


def _line(entry: Entry, language: str, said: Mapping[str, str]) -> str:
    known = {name: _shown(value) for name, value in entry["data"].items()}
    known |= {name: _shown(value) for name, value in _pii(entry, language).items()}
    known["error"] = f"; error {entry['data']['error']}" if entry["data"].get("error") else ""
    rules = {**entry["data"], **_pii(entry, language)}.get("rules", [])
    if rules and all(str(one).startswith(HASHED) for one in rules):
        known["rules"] = _SEALED_RULES.say(language, count=len(rules))
    elif entry["event"] == "rules.judged":
        known["rules"] = _judged(rules, language)
    if entry["event"] == "agent.ran" and rules:
        known["rules"] = known["rules"].strip("[]")
    known |= _in_words(entry, known, language, said)
    if entry["event"] == "config.changed":
        known["changed"] = ", ".join(_changed(entry["data"].get("changed", {})))
    agent = str(entry["agent"] or "-")
    outcome = str(entry["outcome"] or "-")
    outcome = _OUTCOMES[outcome].say(language) if outcome in _OUTCOMES else outcome
    values = {**entry, **known, "outcome": outcome, "agent": said.get(agent, agent)}
    values["event"] = event_said(entry["event"], language)
    if "operation" in entry["data"]:
        values["operation"] = right_said(str(entry["data"]["operation"]))
    text = _LINES.get(entry["event"], _OTHER)
    return text.say(language, **_Filled(values, _SEALED.say(language)))


def _in_words(
    entry: Entry, known: Mapping[str, str], language: str, said: Mapping[str, str]
) -> dict[str, str]:
    """The steps of a plan and what was asked for by what their agents do, and each thing of a step on a line of its own."""
    data, made = entry["data"], dict[str, str]()
    if isinstance(data.get("capabilities"), list):
        made["capabilities"] = ", ".join(said.get(str(name), str(name)) for name in data["capabilities"])
    if isinstance(data.get("steps"), Mapping):
        made["steps"] = "".join(
            f"\n      - {step} {said.get(str(name), str(name))}" for step, name in data["steps"].items()
        )
    if isinstance(data.get("verdicts"), list):
        made["verdicts"] = ", ".join(map(str, data["verdicts"]))
    if entry["event"] == "agent.ran":
        things = [
            text.say(language, thing=thing)
            for name, text in _THINGS.items()
            for thing in _listed(name, data, known)
        ]
    else:
        things = [_JUDGED_THING.say(language, thing=thing) for thing in _each(data.get("inputs"))]
    made["things"] = "".join(f"\n      - {thing}" for thing in things)
    return made


def _listed(name: str, data: Mapping[str, Any], known: Mapping[str, str]) -> list[str]:
    if name == "rules":
        return [known["rules"]] if data.get("rules") else []
    return [", ".join(each)] if name == "sql" and (each := _each(data.get(name))) else _each(data.get(name))


def _each(value: object) -> list[str]:
    """The things of a step: artifacts with their hashes, or hashes alone."""
    if isinstance(value, Mapping):
        pairs: Mapping[str, object] = value  # pyright: ignore[reportUnknownVariableType]
        return [f"{name} {digest}" for name, digest in pairs.items()]
    return [str(one) for one in value] if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _judged(rules: Sequence[str], language: str) -> str:
    """The rules that found something, one a line with version and evidence; those that found nothing are counted."""
    passed = [rule for rule in rules if f" {_PASSED} " in rule]
    said = [f"\n      - {rule}" for rule in rules if rule not in passed]
    more = _MORE_PASSED.say(language, count=len(passed)) if passed else ""
    return "".join(said) + (f"\n      - {more}" if said and more else more) or _NO_RULE.say(language)


def _changed(names: Mapping[str, Mapping[str, Mapping[str, str]]]) -> Iterable[str]:
    """Names of settings with their values, where the trail holds them."""
    for name, both in names.items():
        old, new = (both.get(side, {}).get("value") for side in ("from", "to"))
        yield name if old is None and new is None else f"{name} {old or '-'} → {new or '-'}"


_OF_EXPORTS = ("artifact", "format", "file_hash")


class _Filled(dict[str, object]):
    """An entry of an older version may lack what a line names."""

    def __init__(self, values: Mapping[str, object], missing: str) -> None:
        names = ("version", "hash", "steps", "capabilities", "step", "attempts", "inputs", "made", "sql")
        more = (
            "rules",
            "operation",
            "what",
            "roles",
            "answer_hash",
            "changed",
            "from",
            "to",
            "name",
            "verdict",
            "verdicts",
            "things",
            *_OF_EXPORTS,
        )
        sealed = dict.fromkeys(("question", "by", "reason"), missing)
        super().__init__({**dict.fromkeys((*names, *more), "-"), **sealed, **values})


def _pii(entry: Entry, language: str) -> Mapping[str, Any]:
    found = entry.get("pii")
    if not isinstance(found, Mapping):
        return {}
    if "unreadable" in found:
        gone = _GONE.say(language)
        return {"question": gone, "by": gone, "reason": gone}
    return {str(name): value for name, value in found.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        pairs: Mapping[str, object] = value  # pyright: ignore[reportUnknownVariableType]
        return "{" + ", ".join(f"{name}: {_short(item)}" for name, item in pairs.items()) + "}"
    if isinstance(value, list):
        items: Sequence[object] = value  # pyright: ignore[reportUnknownVariableType]
        return "[" + ", ".join(_short(item) for item in items) + "]"
    return str(value)


def _short(value: object) -> str:
    return str(value)
