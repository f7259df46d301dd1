"""Governance for one person: every call of Governance, made by this one."""

from __future__ import annotations

from metaagent.acting.calls import CallsOfPerson, by_person
from metaagent.governance.governance import Governance


class ActingGovernance(CallsOfPerson):
    """Made by `Acting.governance`."""

    audit_list = by_person(Governance.audit_list)
    audit_show = by_person(Governance.audit_show)
    audit_report = by_person(Governance.audit_report)
    audit_account = by_person(Governance.audit_account)
    audit_verify = by_person(Governance.audit_verify)
    audit_export = by_person(Governance.audit_export)
    keys_status = by_person(Governance.keys_status)
    keys_public = by_person(Governance.keys_public)
    keys_rotate = by_person(Governance.keys_rotate)
    keys_rewrap = by_person(Governance.keys_rewrap)
    hold_place = by_person(Governance.hold_place)
    hold_release = by_person(Governance.hold_release)
    hold_list = by_person(Governance.hold_list)
    waive = by_person(Governance.waive)
    waivers = by_person(Governance.waivers)
    waiver_end = by_person(Governance.waiver_end)
    retain = by_person(Governance.retain)
    erase = by_person(Governance.erase)
    readmit = by_person(Governance.readmit)
    logs = by_person(Governance.logs)
