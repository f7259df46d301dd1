from metaagent.audit.trail import AuditEvent, Receipt, StoredEntry, Verification, verify

__all__ = ["AuditEvent", "Receipt", "StoredEntry", "Verification", "verify"]
