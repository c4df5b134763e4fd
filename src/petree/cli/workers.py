"""Memory and workers for folders of files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from distributed import Client

# How long a scheduler may take to answer.
SECONDS_TO_CONNECT = 10
# And whatever else is there.
SECONDS_TO_ANSWER = 15


@dataclass(frozen=True, kw_only=True)
class WorkingOptions:
    """Resources for a folder of Parquet or CSV files, or of codes."""

    memory: Annotated[
        str | None, typer.Option(help="Memory budget for a folder of files, such as 2GB (half of the machine's).")
    ] = None
    dask: Annotated[
        str | None,
        typer.Option(
            help="Address of a Dask scheduler, such as tcp://host:8786 (this process); workers must have access to the "
            "files of the folder."
        ),
    ] = None

    @contextmanager
    def working(self) -> Iterator[None]:
        """A block in which data in parts are learned from in this way."""
        from petree.partitions import use

        with ExitStack() as stack:
            stack.enter_context(use(memory=self.memory))  # a budget that cannot be read is said at once
            client = None if self.dask is None else stack.enter_context(_connected(self.dask))
            stack.enter_context(use(client))
            yield


def _connected(address: str) -> Client:
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise ImportError("Workers of Dask are reached by its own package: pip install 'petree[dask]'.") from error
    answers: SimpleQueue[Client | Exception] = SimpleQueue()
    # Where something else listens Dask waits for ever, so that somebody else waits for Dask.
    Thread(target=lambda: answers.put(_client_or_error(address)), daemon=True).start()
    try:
        answer = answers.get(timeout=SECONDS_TO_ANSWER)
    except Empty as error:
        answer = error
    if isinstance(answer, Exception):
        raise OSError(f"No Dask scheduler answers at {address!r}; start one, or name its address.") from answer
    return answer


def _client_or_error(address: str) -> Client | Exception:
    from distributed import Client

    try:
        return Client(address, timeout=SECONDS_TO_CONNECT)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, MemoryError) as error:  # a length that is none, where another program answers
        return error
