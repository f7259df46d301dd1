"""MetaAgent for one person: every call that names a person there is made by this one here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaagent.acting.calls import CallsOfPerson, by_person
from metaagent.acting.governance import ActingGovernance
from metaagent.runtime import MetaAgent

if TYPE_CHECKING:
    from metaagent.acting.documents import ActingDocuments


class Acting(CallsOfPerson):
    """Made by `MetaAgent.acting_for`."""

    @property
    def documents(self) -> ActingDocuments:
        """Versions, comments, approvals and releases of documents."""
        from metaagent.acting.documents import ActingDocuments

        return ActingDocuments(self.whole.documents, self.user)

    @property
    def governance(self) -> ActingGovernance:
        """Calls of reviewers and security officers."""
        return ActingGovernance(self.whole.governance, self.user)

    ask = by_person(MetaAgent.ask)
    begin = by_person(MetaAgent.begin)
    stream = by_person(MetaAgent.stream)
    attach = by_person(MetaAgent.attach)
    resume = by_person(MetaAgent.resume)
    stream_resume = by_person(MetaAgent.stream_resume)
    begin_resume = by_person(MetaAgent.begin_resume)
    begin_approve = by_person(MetaAgent.begin_approve)
    begin_override = by_person(MetaAgent.begin_override)
    approve = by_person(MetaAgent.approve)
    override = by_person(MetaAgent.override)
    approvals = by_person(MetaAgent.approvals)
    approval_input = by_person(MetaAgent.approval_input)
    approval_effect = by_person(MetaAgent.approval_effect)
    topics = by_person(MetaAgent.topics)
    follow_ups = by_person(MetaAgent.follow_ups)
    events = by_person(MetaAgent.events)
    watch = by_person(MetaAgent.watch)
    cancel = by_person(MetaAgent.cancel)
    pause = by_person(MetaAgent.pause)
    unpause = by_person(MetaAgent.unpause)
    judge_file = by_person(MetaAgent.judge_file)
    judge_expenses = by_person(MetaAgent.judge_expenses)
    disable = by_person(MetaAgent.disable)
    enable = by_person(MetaAgent.enable)
    state = by_person(MetaAgent.state)
    answer = by_person(MetaAgent.answer)
    sessions = by_person(MetaAgent.sessions)
    session = by_person(MetaAgent.session)
    turns = by_person(MetaAgent.turns)
    inspect = by_person(MetaAgent.inspect)
    history = by_person(MetaAgent.history)
    search_history = by_person(MetaAgent.search_history)
    search_sessions = by_person(MetaAgent.search_sessions)
    rename_session = by_person(MetaAgent.rename_session)
    pin_session = by_person(MetaAgent.pin_session)
    pinned_sessions = by_person(MetaAgent.pinned_sessions)
    share_session = by_person(MetaAgent.share_session)
    unshare_session = by_person(MetaAgent.unshare_session)
    session_shares = by_person(MetaAgent.session_shares)
    shared_sessions = by_person(MetaAgent.shared_sessions)
    memories = by_person(MetaAgent.memories)
    remember = by_person(MetaAgent.remember)
    forget = by_person(MetaAgent.forget)
    erase_memories = by_person(MetaAgent.erase_memories)
    stored_list = by_person(MetaAgent.stored_list)
    stored_show = by_person(MetaAgent.stored_show)
    stored_file = by_person(MetaAgent.stored_file)
    stored_preview = by_person(MetaAgent.stored_preview)
    stored_undo = by_person(MetaAgent.stored_undo)
    ingest = by_person(MetaAgent.ingest)
    ingest_domain = by_person(MetaAgent.ingest_domain)
    knowledge_add = by_person(MetaAgent.knowledge_add)
    knowledge_list = by_person(MetaAgent.knowledge_list)
    knowledge_show = by_person(MetaAgent.knowledge_show)
    knowledge_places = by_person(MetaAgent.knowledge_places)
    knowledge_remove = by_person(MetaAgent.knowledge_remove)
    index_status = by_person(MetaAgent.index_status)
    index_verify = by_person(MetaAgent.index_verify)
    index_rebuild = by_person(MetaAgent.index_rebuild)
    artifact = by_person(MetaAgent.artifact)
    artifact_file = by_person(MetaAgent.artifact_file)
    artifact_ref = by_person(MetaAgent.artifact_ref)
    record_export = by_person(MetaAgent.record_export)
    delete_session = by_person(MetaAgent.delete_session)
    checkpoints = by_person(MetaAgent.checkpoints)
    save_checkpoint = by_person(MetaAgent.save_checkpoint)
    restore = by_person(MetaAgent.restore)
    fork = by_person(MetaAgent.fork)
    export_session = by_person(MetaAgent.export_session)
    copy_thread = by_person(MetaAgent.copy_thread)
    import_session = by_person(MetaAgent.import_session)
    prune_session = by_person(MetaAgent.prune_session)
