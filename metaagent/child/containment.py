"""Walls that a process puts around itself where the machine has namespaces: no network, no files to write but its own.

`python -m metaagent.child.containment` prints which of them this machine offers. They are built in the process that is to
be contained, before it runs anything foreign, and it gives up the power to take them down.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from metaagent.child.limits import CLONE_NEWNET, CLONE_NEWUSER, PR_SET_PDEATHSIG, prctl

CLONE_NEWNS, CLONE_NEWPID = 0x00020000, 0x20000000
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 8, 4096, 16384, 1 << 18
MOUNT_SETATTR, AT_FDCWD, AT_RECURSIVE, MOUNT_ATTR_RDONLY = 442, -100, 0x8000, 1
PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 24, 38
CAPABILITY_VERSION, MOST_CAPABILITIES = 0x20080522, 64
SECONDS = 20
BY_SIGNAL = 128
"""Exit codes from here on name the signal that ended a process, as shells do."""


@dataclass(frozen=True)
class Walls:
    """The walls that stand, or that a machine offers."""

    network: bool = False
    """No network, not even loopback."""
    files: bool = False
    """Nothing can be written but a folder of its own, which has a size; what is hidden cannot be read; the memory and the
    environment of other processes cannot be read either."""
    processes: bool = False
    """Processes of its own are all that it can see or signal, and they all end with it."""


class _Attributes(ctypes.Structure):
    _fields_ = (
        ("set", ctypes.c_uint64),
        ("clear", ctypes.c_uint64),
        ("propagation", ctypes.c_uint64),
        ("user_namespace", ctypes.c_uint64),
    )


def contain(
    *, network: bool, folder: str, disk_mb: int, hidden: Sequence[str] = (), processes: bool = False
) -> Walls:
    """Build what the machine offers, and go into `folder`, which is empty and has this size.

    Must run before the process has threads. `network` leaves the network as it is. With `processes`, which must be offered,
    it returns in another process: this one ends as that one does.
    """
    os.chdir(folder)
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.geteuid(), os.getegid()
    apart = 0 if network else CLONE_NEWNET
    if libc.unshare(CLONE_NEWUSER | CLONE_NEWNS | apart) != 0:
        alone = not network and libc.unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0
        return Walls(network=alone)
    try:
        _same_person(user, group)
        _own_files(libc, folder, disk_mb, hidden)
        files = True
    except OSError:
        files = False
    if processes:
        _own_processes(libc)
    _give_up_power(libc)
    return Walls(network=not network, files=files, processes=processes)


def offered() -> Walls:
    """The walls that can be built on this machine, tried in a process of its own."""
    command = (sys.executable, "-I", "-m", "metaagent.child.containment")
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=True)  # noqa: S603 - our own module
    except (OSError, subprocess.SubprocessError):
        return Walls()
    said = done.stdout.decode().split()
    return Walls(**{name: name in said for name in vars(Walls())})


def tried() -> Walls:
    """Build the walls in children of this process, which must have no threads, and say which stood."""
    walls = _stood(processes=True)
    return walls if walls.processes else _stood(processes=False)


def _stood(*, processes: bool) -> Walls:
    reading, writing = os.pipe()
    with tempfile.TemporaryDirectory(prefix="metaagent-") as folder:
        child = os.fork()
        if child == 0:
            try:
                walls = contain(network=False, folder=folder, disk_mb=1, processes=processes)
                os.write(writing, bytes(vars(walls).values()))
            finally:
                os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            said = pipe.read()
        os.waitpid(child, 0)
    return Walls(*map(bool, said)) if said else Walls()


def _same_person(user: int, group: int) -> None:
    for name, content in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        Path(f"/proc/self/{name}").write_text(content)


def _own_files(libc: ctypes.CDLL, folder: str, disk_mb: int, hidden: Sequence[str]) -> None:
    _must(libc.mount(None, b"/", None, MS_REC | MS_PRIVATE, None))
    read_only = _Attributes(MOUNT_ATTR_RDONLY, 0, 0, 0)
    _must(
        libc.syscall(
            MOUNT_SETATTR, AT_FDCWD, b"/", AT_RECURSIVE, ctypes.byref(read_only), ctypes.sizeof(read_only)
        )
    )
    for path in hidden:
        if Path(path).is_dir():
            _must(
                libc.mount(b"tmpfs", os.fsencode(path), b"tmpfs", MS_NOSUID | MS_NODEV, b"size=4k,mode=500")
            )
        elif Path(path).exists():
            _must(libc.mount(b"/dev/null", os.fsencode(path), None, MS_BIND, None))
    size = f"size={disk_mb}m,mode=700".encode()
    _must(libc.mount(b"tmpfs", os.fsencode(folder), b"tmpfs", MS_NOSUID | MS_NODEV, size))
    os.chdir(folder)


def _own_processes(libc: ctypes.CDLL) -> None:
    """Go on as a process of a tree of its own, whose first process does nothing but wait: when that ends, all end."""
    _must(libc.unshare(CLONE_NEWPID))
    first = os.fork()
    if first != 0:
        _end_like(first, libc)
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    _must(libc.mount(b"proc", b"/proc", b"proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, None))
    agent = os.fork()
    if agent != 0:
        _end_like(agent, libc)


def _end_like(child: int, libc: ctypes.CDLL) -> NoReturn:
    """Wait for this child, and end with its exit code or by its signal."""
    _give_up_power(libc)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    ended = status = 0
    while ended != child:
        ended, status = os.wait()
    code = os.waitstatus_to_exitcode(status)
    number = -code if code < 0 else code - BY_SIGNAL
    if number in signal.valid_signals() and os.getpid() != 1:
        if number not in {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(code if code >= 0 else BY_SIGNAL - code)


def _give_up_power(libc: ctypes.CDLL) -> None:
    """No capability is left, and none comes back by running a program: walls cannot be taken down from inside."""
    for capability in range(MOST_CAPABILITIES):
        prctl(PR_CAPBSET_DROP, capability)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    _must(libc.capset(header, (ctypes.c_uint32 * 6)()))
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def _must(code: int) -> None:
    if code != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


if __name__ == "__main__":
    sys.stdout.write(" ".join(name for name, stands in vars(tried()).items() if stands))
