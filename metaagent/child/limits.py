"""Limits that a process puts upon itself before it runs foreign code or reads foreign files."""

from __future__ import annotations

import ctypes
import os
import resource
import signal

OPEN_FILES = 256
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
PR_SET_PDEATHSIG = 1


def prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def die_with_parent(parent: int) -> None:
    """End this process with the one that started it, also where that one has ended already."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def leave_network() -> bool:
    """Go where there is no network, not even loopback; False where the machine does not allow it."""
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.unshare(CLONE_NEWNET) == 0 or libc.unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0


def lower(what: int, soft: int, hard: int) -> None:
    """Lower a limit, never raise it."""
    _, most = resource.getrlimit(what)
    if most != resource.RLIM_INFINITY:
        soft, hard = min(soft, most), min(hard, most)
    resource.setrlimit(what, (soft, hard))


def limit_call(memory_mb: int, cpu_seconds: int, file_mb: int) -> None:
    """Limit data instead of address space: engines in C++ reserve far more addresses than they use."""
    for what, most in (
        (resource.RLIMIT_DATA, memory_mb << 20),
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_FSIZE, file_mb << 20),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
    ):
        lower(what, most, most)
