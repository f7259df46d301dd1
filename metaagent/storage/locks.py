"""One turn at a time per session, across processes: a file lock that the kernel releases when its holder dies."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from metaagent.errors import Text, TurnRunning

_RUNNING = Text(
    en="Session {session_id} is working on another question. Wait for it, cancel it, or ask in a new session.",
    ko="세션 {session_id}에서 다른 질문을 처리하고 있습니다. 끝날 때까지 기다리거나 취소하거나 새 세션에서 물어보세요.",
)


class SessionLock:
    def __init__(self, path: Path, descriptor: int) -> None:
        self._path = path
        self._descriptor = descriptor

    def release(self) -> None:
        """Unlinked while still held, so that nobody can lock a file that is about to vanish unnoticed."""
        if self._descriptor >= 0:
            self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = -1


def lock_session(folder: Path, session_id: str) -> SessionLock:
    """Raises TurnRunning if someone else, in this process or another, works on the session."""
    path = folder / f"{session_id}.lock"
    while True:
        descriptor = _opened(path)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(descriptor)
            raise TurnRunning(_RUNNING, session_id=session_id) from error
        if _is_current(path, descriptor):
            return SessionLock(path, descriptor)
        os.close(descriptor)


def _opened(path: Path) -> int:
    how = os.O_CREAT | os.O_RDWR | os.O_CLOEXEC
    try:
        return os.open(path, how, 0o600)
    except FileNotFoundError:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        return os.open(path, how, 0o600)


def is_locked(folder: Path, session_id: str) -> bool:
    """Tells whether anyone works on the session. The lock is not taken, but shared for as long as it takes to look."""
    try:
        descriptor = os.open(folder / f"{session_id}.lock", os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _is_current(path: Path, descriptor: int) -> bool:
    try:
        return path.stat().st_ino == os.fstat(descriptor).st_ino
    except FileNotFoundError:
        return False
