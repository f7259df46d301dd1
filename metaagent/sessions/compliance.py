"""Judges without a conversation: a file, or the expense book of a stretch of days. What was judged is on record."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from metaagent.access.gatekeeper import Gatekeeper
from metaagent.errors import DataUnavailable, InputRefused, Text
from metaagent.global_state import Verdict, VerdictTarget
from metaagent.level2.compliance.history import expenses_between, with_history
from metaagent.level2.compliance.judging import Subject, judge
from metaagent.level2.compliance.packs import RuleBook, load_rules
from metaagent.level2.compliance.rows import BadRow
from metaagent.level2.compliance.subjects import read_subject, subject_of_artifact
from metaagent.level2.compliance.verdict import verdict_of
from metaagent.ports import Clock, Json, User
from metaagent.sessions.agent_ports import AgentPorts

_NO_BOOK = Text(
    en="There is no expense book to judge: make the demonstration company with `metaagent demo`, or set data.url, and say "
    "in rules/expenses.yaml where the expenses stand.",
    ko="판정할 비용 장부가 없습니다. `metaagent demo`로 시연 회사를 만들거나 data.url을 설정하고, "
    "rules/expenses.yaml에 비용이 있는 곳을 적으세요.",
)
_BAD_ROW = Text(
    en="A row of the expense book cannot be read: {reason}.",
    ko="비용 장부의 행을 읽을 수 없습니다: {reason}.",
)
_NO_PACK = Text(
    en="There is no rule pack {name!r}: choose among {known}.",
    ko="규칙 팩 {name!r}이(가) 없습니다. 다음 중에서 고르세요: {known}.",
)


@dataclass(frozen=True)
class ComplianceService:
    """Needs the right to ask; data is read with the person's own rights."""

    ports: AgentPorts
    gatekeeper: Gatekeeper
    clock: Clock

    async def file(
        self, name: str, content: bytes, *, user: User, language: str, packs: Sequence[str]
    ) -> Verdict:
        book = await self._rules(packs, user)
        subject = await self._counted(await read_subject(name, content), book, user, language)
        return await self._verdict(book, subject, hashlib.sha256(content).hexdigest(), user, language)

    async def document(self, document: Json, digest: str, *, user: User, language: str) -> Verdict | None:
        """Judge a document by its model; None where there are no rules to judge it by."""
        book = await self._rules((), user)
        if not book.rules:
            return None
        subject = await self._counted(subject_of_artifact("document", document), book, user, language)
        return await self._verdict(book, subject, digest, user, language)

    async def expenses(
        self, span: tuple[date, date], *, user: User, language: str, packs: Sequence[str]
    ) -> Verdict:
        """Raises DataUnavailable where there is no book, or a row of it cannot be read."""
        book = await self._rules(packs, user)
        allowed = self.gatekeeper.rights(user).port("db")
        db = self.ports.database(user, language) if allowed else None
        if db is None or book.book is None:
            raise DataUnavailable(_NO_BOOK)
        try:
            rows = await expenses_between(db, book.book, *span)
        except BadRow as error:
            raise DataUnavailable(_BAD_ROW, reason=str(error)) from error
        subject = await with_history(Subject("data", expenses=rows), book.book, db)
        digest = hashlib.sha256(repr(rows).encode()).hexdigest()
        return await self._verdict(book, subject, digest, user, language)

    async def _counted(self, subject: Subject, book: RuleBook, user: User, language: str) -> Subject:
        """With the earlier expenses. Without any expense book it is counted alone; without the right to read it, unknown."""
        if not self.gatekeeper.rights(user).port("db"):
            return await with_history(subject, book.book, None)
        db = self.ports.database(user, language)
        return replace(subject, alone=True) if db is None else await with_history(subject, book.book, db)

    async def _rules(self, packs: Sequence[str], user: User) -> RuleBook:
        book = load_rules(await self.ports.rules(user).files())
        known = {pack.pack for pack in book.packs}
        for name in packs:
            if name not in known:
                raise InputRefused(_NO_PACK, name=name, known=", ".join(sorted(known)) or "–")
        return book.only(packs) if packs else book

    async def _verdict(
        self, book: RuleBook, subject: Subject, digest: str, user: User, language: str
    ) -> Verdict:
        today = self.clock.now().date()
        target: VerdictTarget = {"kind": subject.kind, "artifact_ids": [], "hashes": [digest]}
        waivers = await self.ports.rules(user).waivers()
        judged = await asyncio.to_thread(judge, book, subject, today)
        verdict = verdict_of(book, judged, target, today=today, language=language, waivers=waivers)
        await self.gatekeeper.note(
            user,
            "comply.judged",
            {
                "target": digest,
                "verdict": verdict["hash"],
                "blocks": verdict["blocks"],
                "packs": dict(book.hashes),
                "findings": sum(f["status"] in ("violated", "unknown") for f in verdict["findings"]),
            },
        )
        return verdict
