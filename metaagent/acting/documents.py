"""Documents for one person: every call of DocumentService, made by this one."""

from __future__ import annotations

from metaagent.acting.calls import CallsOfPerson, by_person
from metaagent.sessions.documents import DocumentService


class ActingDocuments(CallsOfPerson):
    """Made by `Acting.documents`."""

    listed = by_person(DocumentService.listed)
    shown = by_person(DocumentService.shown)
    diff = by_person(DocumentService.diff)
    export = by_person(DocumentService.export)
    file = by_person(DocumentService.file)
    comment = by_person(DocumentService.comment)
    restore = by_person(DocumentService.restore)
    import_edited = by_person(DocumentService.import_edited)
    approve = by_person(DocumentService.approve)
    release = by_person(DocumentService.release)
    withdraw = by_person(DocumentService.withdraw)
