"""A PostgreSQL server for the tests that ask for one."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

USER = "postgres"


def program(name: str) -> str | None:
    """A program of PostgreSQL, from the path or where Debian puts it."""
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[-3]))
    return shutil.which(name) or (str(installed[-1]) if installed else None)


def unprivileged() -> list[str]:
    """What to put before a command so that an ordinary user runs it; the server refuses to run for root."""
    if os.getuid() != 0:
        return []
    runner = shutil.which("runuser")
    has_user = subprocess.run(["id", USER], capture_output=True, check=False).returncode == 0
    if runner is None or not has_user:
        pytest.skip(f"PostgreSQL does not run for root, and there is no user {USER!r} or no runuser")
    return [runner, "-u", USER, "--"]


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a server that runs as long as the tests do, without the name of a database."""
    pytest.importorskip("sqlalchemy")
    pytest.importorskip("psycopg")
    initdb, pg_ctl = program("initdb"), program("pg_ctl")
    if initdb is None or pg_ctl is None:
        pytest.skip("PostgreSQL (initdb, pg_ctl) is not installed")
    before, port = unprivileged(), free_port()
    folder = Path(tempfile.mkdtemp(prefix="petree-postgres-"))
    try:
        if before:
            shutil.chown(folder, USER)
        data = str(folder / "data")
        run([*before, initdb, "-D", data, "-U", USER, "--auth=trust", "--no-sync", "-E", "UTF8"])
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
        run([*before, pg_ctl, "-D", data, "-l", str(folder / "log"), "-w", "-o", options, "start"])
        try:
            yield f"postgresql+psycopg://{USER}@127.0.0.1:{port}"
        finally:
            run([*before, pg_ctl, "-D", data, "-m", "immediate", "-w", "stop"])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run(command: list[str]) -> None:
    # The server inherits what pg_ctl has open; a pipe would be held as long as it lives.
    with tempfile.TemporaryFile() as output:
        done = subprocess.run(command, stdout=output, stderr=output, cwd="/", check=False)
        output.seek(0)
        assert done.returncode == 0, output.read().decode(errors="replace")


@pytest.fixture
def postgres(postgres_server: str) -> Iterator[str]:
    """The address of an empty database."""
    import sqlalchemy as sa

    admin = sa.create_engine(f"{postgres_server}/postgres", isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(sa.text("CREATE DATABASE petree_test"))
    yield f"{postgres_server}/petree_test"
    with admin.connect() as connection:
        connection.execute(sa.text("DROP DATABASE petree_test WITH (FORCE)"))
    admin.dispose()
