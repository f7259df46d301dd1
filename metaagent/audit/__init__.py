from metaagent.audit.trail import REFUSED, AuditEvent, Receipt, StoredEntry, Verification, refusal, verify

__all__ = ["REFUSED", "AuditEvent", "Receipt", "StoredEntry", "Verification", "refusal", "verify"]
