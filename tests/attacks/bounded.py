"""Work that may take for ever: done in a process that is ended when one piece of it takes more CPU than it may."""

from __future__ import annotations

import resource
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from tests.support.processes import SECONDS, processes

Case = TypeVar("Case")
Made = TypeVar("Made")


@contextmanager
def within(seconds: float) -> Generator[None]:
    """End this process if what is inside takes more CPU than that, whatever it is at: no code is asked."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def spent() -> float:
    """CPU of this process. Its clock goes by ticks while such a limit is set; what the system accounts does not."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def bounded(
    work: Callable[..., Iterator[Made]], cases: Sequence[Case], *args: Any
) -> Iterator[tuple[Case, Made | None]]:
    """Do the work for the cases in a process: what it makes of each, and None for one at which the process ended."""
    left = list(cases)
    while left:
        done = 0
        receiving, sending = processes.Pipe(duplex=False)
        process = processes.Process(target=_tell, args=(sending, work, left, *args))
        process.start()
        sending.close()
        try:
            while done < len(left) and receiving.poll(SECONDS):
                made = receiving.recv()
                yield left[done], made
                done += 1
        except EOFError:
            pass
        finally:
            process.kill()
            process.join()
        if done < len(left):
            yield left[done], None
        left = left[done + 1 :]


def _tell(sending: Connection, work: Callable[..., Iterator[Any]], cases: Sequence[Any], *args: Any) -> None:
    for made in work(cases, *args):
        sending.send(made)
