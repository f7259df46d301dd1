"""Isolation: agents that run in a child process with limits.

`host` starts and stops the child, `main` runs inside it, `channel` and `frames` carry the messages, `ports` answers its port calls.
"""
