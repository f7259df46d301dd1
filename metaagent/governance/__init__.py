"""Governance: what compliance officers and operators do beside the conversations.

Erasure, legal holds, retention, key rotation (`rekeying`) and the record of configuration changes (`config_audit`).
"""
