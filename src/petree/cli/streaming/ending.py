"""What a command does when the system asks it to end."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import NoReturn

# Asked to end, and the terminal is gone; the second one Windows does not know.
ENDING = [signal.Signals[name] for name in ("SIGTERM", "SIGHUP") if name in signal.Signals.__members__]


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """A block that is left when the system asks the process to end, so that nothing half done stays behind."""
    if current_thread() is not main_thread():
        yield
        return
    # One that is ignored stays so: nohup means that work goes on without the terminal.
    taken = {one: signal.getsignal(one) for one in ENDING if signal.getsignal(one) is signal.SIG_DFL}
    for one in taken:
        signal.signal(one, _leave)
    try:
        yield
    finally:
        for one, before in taken.items():
            signal.signal(one, before)


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    sys.exit(128 + number)
