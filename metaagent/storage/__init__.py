"""Storage: everything that is written to disk, except the business data.

Sessions, messages, memory, audit log, files and vectors, sealed by the `vault`. `checkpoints/` is the
LangGraph saver, usable alone. `rekey_*` re-encrypts stored rows after a key rotation.
"""
