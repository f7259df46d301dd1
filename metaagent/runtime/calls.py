"""The right that each call of MetaAgent needs, and the values that calls give back."""

from __future__ import annotations

from dataclasses import dataclass

from metaagent.ports import Json

CALLS = {
    "ask": "session.ask",
    "begin": "session.ask",
    "stream": "session.ask",
    "attach": "session.ask",
    "resume": "session.resume",
    "begin_resume": "session.resume",
    "begin_approve": "session.approve",
    "begin_override": "compliance.override",
    "stream_resume": "session.resume",
    "approve": "session.approve",
    "approvals": "session.approve",
    "topics": "session.ask",
    "follow_ups": "session.ask",
    "approval_input": "session.approve",
    "approval_effect": "session.approve",
    "override": "compliance.override",
    "events": "session.read",
    "watch": "session.read",
    "cancel": "session.control",
    "pause": "session.control",
    "unpause": "session.control",
    "state": "session.read",
    "answer": "session.read",
    "session": "session.read",
    "sessions": "session.read",
    "turns": "session.read",
    "inspect": "session.read",
    "history": "session.read",
    "search_history": "session.read",
    "search_sessions": "session.read",
    "rename_session": "session.control",
    "pin_session": "session.read",
    "pinned_sessions": "session.read",
    "share_session": "session.share",
    "unshare_session": "session.share",
    "session_shares": "session.share",
    "shared_sessions": "session.read",
    "memories": "memory.read",
    "remember": "memory.change",
    "forget": "memory.change",
    "erase_memories": "memory.change",
    "stored_list": "stored.read",
    "stored_show": "stored.read",
    "stored_file": "stored.read",
    "stored_preview": "session.ask",
    "stored_undo": "stored.undo",
    "artifact": "artifact.read",
    "artifact_ref": "artifact.read",
    "artifact_file": "artifact.read",
    "record_export": "artifact.read",
    "delete_session": "session.delete",
    "checkpoints": "session.read",
    "save_checkpoint": "session.control",
    "restore": "session.control",
    "fork": "session.control",
    "export_session": "session.read",
    "import_session": "session.ask",
    "copy_thread": "session.read",
    "prune_session": "session.control",
    "ingest": "knowledge.publish",
    "ingest_domain": "knowledge.publish",
    "knowledge_add": "knowledge.publish",
    "knowledge_list": "knowledge.read",
    "knowledge_show": "knowledge.read",
    "knowledge_places": "knowledge.read",
    "knowledge_remove": "knowledge.change",
    "index_status": "knowledge.read",
    "index_verify": "index.manage",
    "index_rebuild": "index.manage",
    "judge_file": "session.ask",
    "judge_expenses": "session.ask",
    "disable": "agents.switch",
    "enable": "agents.switch",
}
"""The operation (see `metaagent.access.rights`) that each public call needs. There is no call without one."""


@dataclass(frozen=True)
class Answer:
    """The standing of a turn: answered, waiting for the person, failed or cancelled."""

    status: str
    content: Json

    @property
    def text(self) -> str:
        return self.content.get("answer") or ""

    @property
    def session_id(self) -> str:
        return self.content["session_id"]

    @property
    def turn_id(self) -> str:
        return self.content["turn_id"]

    @property
    def question(self) -> Json | None:
        """The question that the turn waits with, if it does."""
        return next(iter(self.content.get("waiting") or ()), None)


@dataclass(frozen=True)
class Begun:
    """A turn that runs now."""

    session_id: str
    turn_id: str
    number: int
