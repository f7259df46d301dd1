"""Writes a verdict as a report in Markdown: for whoever has to decide, from each finding to rule, article and rows."""

from __future__ import annotations

from collections.abc import Iterator

from metaagent.errors import Text
from metaagent.global_state import Evidence, Finding, Verdict
from metaagent.level2.compliance.packs import RuleBook
from metaagent.level2.compliance.work import open_findings, summary

MOST_ROWS = 12
_TITLE = Text(en="Compliance report", ko="규정 준수 검토 보고서")
_FINDINGS = Text(en="Findings", ko="지적 사항")
_PASSED = Text(en="Checked and in order", ko="확인 결과 이상 없음")
_TODO = Text(en="Recommendations", ko="권고 사항")
_PACKS = Text(en="Rule packs", ko="적용한 규칙 팩")
_RULE = Text(en="Rule", ko="규칙")
_LAW = Text(en="Law", ko="근거")
_CONTENT = Text(en="Content (SHA-256)", ko="판정한 내용(SHA-256)")
_EVIDENCE = Text(en="Evidence", ko="근거 자료")
_ROWS = Text(en="rows", ko="행")
_LIMIT = Text(en="limit", ko="한도")
_SEVERITY = {
    "low": Text(en="low", ko="낮음"),
    "medium": Text(en="medium", ko="보통"),
    "high": Text(en="high", ko="높음"),
    "critical": Text(en="critical", ko="매우 높음"),
}
_STATUS = {
    "violated": Text(en="violated", ko="위반"),
    "unknown": Text(en="unknown", ko="판단 불가"),
    "waived": Text(en="waived", ko="예외 승인"),
    "passed": Text(en="passed", ko="통과"),
}


def report(verdict: Verdict, book: RuleBook, language: str) -> str:
    return "\n".join(_lines(verdict, book, language)) + "\n"


def _lines(verdict: Verdict, book: RuleBook, language: str) -> Iterator[str]:
    yield f"# {_TITLE.say(language)}"
    yield ""
    yield summary(verdict, language)[0]
    yield from (f"- {_CONTENT.say(language)}: `{digest}`" for digest in verdict["target"]["hashes"])
    waived = [finding for finding in verdict["findings"] if finding["status"] == "waived"]
    found = [*open_findings(verdict), *waived]
    if found:
        yield ""
        yield f"## {_FINDINGS.say(language)}"
    for number, finding in enumerate(found, 1):
        yield from _finding(number, finding, language)
    if verdict["recommendations"]:
        yield from ("", f"## {_TODO.say(language)}", "")
        yield from (f"- {text}" for text in verdict["recommendations"])
    passed = [finding for finding in verdict["findings"] if finding["status"] == "passed"]
    if passed:
        yield from ("", f"## {_PASSED.say(language)}", "")
        yield from (f"- {finding['message']} [{finding['rule']} · {finding['law']}]" for finding in passed)
    yield from ("", f"## {_PACKS.say(language)}", "")
    for pack in book.packs:
        digest = book.hashes[f"{pack.pack} {pack.version}"]
        yield f"- {pack.pack} {pack.version} ({digest[:12]}): {pack.notice.say(language)}"


def _finding(number: int, finding: Finding, language: str) -> Iterator[str]:
    yield ""
    severity, status = _SEVERITY[finding["severity"]], _STATUS[finding["status"]]
    yield f"### {number}. [{severity.say(language)} · {status.say(language)}] {finding['message']}"
    yield ""
    pack = f"{finding['pack']} {finding['pack_version']}"
    source = ", ".join(part for part in (pack, finding["pack_hash"][:12]) if part)
    yield f"- {_RULE.say(language)}: `{finding['rule']}` ({source})"
    if finding["law"]:
        yield f"- {_LAW.say(language)}: {finding['law']}"
    for evidence in finding["evidence"]:
        yield f"- {_EVIDENCE.say(language)}: {_evidence(evidence, language)}"


def _evidence(evidence: Evidence, language: str) -> str:
    known = evidence.get("value") is not None
    parts = [f"{evidence.get('field', '')} = {evidence.get('value')}"] if known else []
    if evidence.get("threshold") is not None:
        parts.append(f"{_LIMIT.say(language)} {evidence.get('threshold')}")
    rows = evidence.get("rows") or []
    if rows:
        shown = ", ".join(rows[:MOST_ROWS]) + (" …" if len(rows) > MOST_ROWS else "")
        parts.append(f"{_ROWS.say(language)} {shown}")
    span = evidence.get("span")
    if span:
        parts.append(f"[{span[0]}–{span[1]}]")
    if evidence.get("quote"):
        parts.append(f"“{evidence.get('quote')}”")
    return " · ".join(str(part) for part in parts)
