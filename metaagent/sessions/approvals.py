"""Plans and closed gates that wait for a person: who may decide on them, and what they would do, shown as it will be."""

from __future__ import annotations

from typing import Any

from metaagent.input_checks import admit_user
from metaagent.journal import decode_artifact
from metaagent.ports import ArtifactRef, Json, User
from metaagent.sessions.assembly import Parts
from metaagent.sessions.guard import unknown
from metaagent.sessions.turn_service import APPROVE, OVERRIDE
from metaagent.values import mapping, rows

STORES = "storage_decision"
"""The agent of which it can be said beforehand what it would do."""


class WaitingDecisions:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._store = parts.store
        self._gatekeeper = parts.gatekeeper

    async def listed(self, user: User) -> list[Json]:
        """List what waits and what this person may decide on: plans, with who asked what and when, and closed gates, with
        what the check found."""
        who = admit_user(user)
        rights = self._gatekeeper.rights(who)
        officer = rights.may(OVERRIDE, own=False)
        await self._gatekeeper.require(who, OVERRIDE if officer else APPROVE, own=not officer)
        decides = {
            "approval": (rights.may(APPROVE), rights.may(APPROVE, own=False)),
            "override": (False, officer),
        }
        return [
            {
                "session_id": turn.session_id,
                "turn_id": turn.turn_id,
                "asked_by": turn.user.user_id,
                "since": turn.started_at,
                **({"asked": turn.question} if question["kind"] == "approval" else {}),
                **question,
            }
            for turn in await self._store.waiting(who.company_id)
            for question in turn.waiting
            if question["kind"] in decides and decides[question["kind"]][turn.user.user_id != who.user_id]
        ]

    async def input(self, session_id: str, artifact_id: str, user: User) -> tuple[ArtifactRef, Any]:
        """An artifact that a waiting plan would use, with its content, for whoever may decide on that plan."""
        used = {
            (plan["session_id"], source.get("artifact_id"))
            for plan in await self.listed(user)
            for step in rows(plan.get("steps"))
            for source in rows(step.get("inputs"))
        }
        named = (session_id, artifact_id)
        ref = await self._store.artifact_ref(*named) if named in used else None
        content = await self._store.artifact(session_id, ref.id) if ref is not None else None
        if ref is None or content is None or not self._gatekeeper.rights(user).sees(ref.kind):
            await self._gatekeeper.refused(user, APPROVE, reason="unknown", what=session_id)
            raise unknown(f"{session_id}/{artifact_id}")
        return ref, decode_artifact(content)

    async def effect(self, session_id: str, step_id: str, user: User, language: str) -> Json | None:
        """Say what a step of a waiting plan would store; None where it stores nothing, or where that is not made yet. Rows are
        looked up with the rights of whoever looks."""
        waiting = [each for each in await self.listed(user) if each["session_id"] == session_id]
        steps = [step for each in waiting for step in rows(each.get("steps"))]
        step = next((each for each in steps if each.get("step_id") == step_id), None)
        if step is None:
            await self._gatekeeper.refused(user, APPROVE, reason="unknown", what=session_id)
            raise unknown(f"{session_id}/{step_id[:80]}")
        sources = rows(step.get("inputs"))
        if step.get("agent") != STORES or not all(each.get("artifact_id") for each in sources):
            return None
        found = [await self.input(session_id, str(each["artifact_id"]), user) for each in sources]
        return await self._would_be(step, found, user, language)

    async def _would_be(
        self, step: Json, found: list[tuple[ArtifactRef, Any]], user: User, language: str
    ) -> Json:
        from pydantic import TypeAdapter

        from metaagent.level2.storage.agent import StorageParams
        from metaagent.level2.storage.dialog import Dialog
        from metaagent.level2.storage.material import of_artifact, record
        from metaagent.sessions.stored import StoredThings

        params = TypeAdapter(StorageParams).validate_python(mapping(step.get("params")))
        things = [await of_artifact(ref, content) for ref, content in found]
        if params.record:
            things.append(record(params.record, str(step.get("task") or "")))
        ports = self._parts.ports
        stored = StoredThings(ports.records, ports.model, self._gatekeeper)
        return await stored.would_be(
            things, params, user, APPROVE, ports.records_of(user, language, {}), Dialog((), language)
        )
