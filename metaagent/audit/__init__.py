"""Audit: the hash-chained trail of who did what, and what officers do with it.

`trail` has the entries and verifies them (`findings` are its faults), `verifier` does so without the application, `store`
says what a store of them offers, `notes` are signed statements about it. `erasure`, `holds` and `waivers` write entries of
their kind; `review` and `report` read them for people, in the words of `event_words` and `right_words`.
"""

from metaagent.audit.trail import REFUSED, AuditEvent, Receipt, StoredEntry, Verification, refusal, verify

__all__ = ["REFUSED", "AuditEvent", "Receipt", "StoredEntry", "Verification", "refusal", "verify"]
