"""Watches the process that makes the calls, and says which call ended or stopped it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[3]
PATIENCE = 30.0  # seconds for one call, on a busy machine
BEGINNING = 300.0  # seconds until the first call, for which fits are recorded
MOST_COMPLAINTS = 20


def complaints(seed: int, n_calls: int, module: str = "tests.core.fuzzing.run") -> list[str]:
    """Everything that went wrong; after a call that ends the process, a new one goes on behind it."""
    found: list[str] = []
    first = 0
    while first < n_calls and len(found) < MOST_COMPLAINTS:
        said, ended_at = _watch(module, seed, first, n_calls - first)
        found += said
        if ended_at is None:
            break
        first = ended_at + 1
    return found


def complaints_about_examples() -> list[str]:
    """Without calls that doors let in, chance would not come far."""
    command = [sys.executable, "-m", "tests.core.fuzzing.run", "--examples"]
    made = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert made.returncode == 0, made.stderr
    return json.loads(made.stdout)


def _watch(module: str, seed: int, first: int, n_calls: int) -> tuple[list[str], int | None]:
    command = [sys.executable, "-m", module, f"--seed={seed}", f"--first={first}", f"--calls={n_calls}"]
    with tempfile.TemporaryDirectory() as folder:
        progress, output, errors = (Path(folder) / name for name in ("progress", "output", "errors"))
        progress.write_bytes(b"%12d" % -1)
        with output.open("wb") as out, errors.open("wb") as err:
            process = subprocess.Popen([*command, f"--progress={progress}"], stdout=out, stderr=err, cwd=ROOT)
            try:
                was_patient = _wait(process, progress)
            finally:
                process.kill()
                process.wait()
        said = [_sentence(module, seed, line) for line in _complaints(output)]
        if process.returncode == 0:
            return said, None
        number = int(progress.read_bytes())
        end = _end_of(errors)
    if number < 0:
        raise RuntimeError(f"The process ended before its first call.\n{end}")
    what = f"it ended the process ({process.returncode})\n{end}" if was_patient else f"no end after {PATIENCE:.0f} s"
    return [*said, _sentence(module, seed, {"number": number, "complaint": what})], number


def _end_of(errors: Path) -> str:
    lines = errors.read_text(errors="replace").splitlines()
    return "\n".join(line for line in lines if not line.startswith("Extension modules:"))[-3000:]


def _wait(process: subprocess.Popen[bytes], progress: Path) -> bool:
    """Until it ends; False if a call takes too long."""
    last, since = b"", time.monotonic()
    while process.poll() is None:
        now = progress.read_bytes()
        if now != last:
            last, since = now, time.monotonic()
        elif time.monotonic() - since > (BEGINNING if int(now) < 0 else PATIENCE):
            return False
        time.sleep(0.05)
    return True


def _complaints(output: Path) -> list[dict[str, object]]:
    lines = [json.loads(line) for line in output.read_text().splitlines() if line.startswith("{")]
    return [line for line in lines if "complaint" in line]


def _sentence(module: str, seed: int, complaint: dict[str, object]) -> str:
    number = complaint["number"]
    again = f"python -m {module} --seed={seed} --first={number} --calls=1"
    call = complaint.get("call") or _description(again)
    return f"{call}\n{complaint['complaint']}\nagain: {again}"


def _description(command: str) -> str:
    words: Sequence[str] = [sys.executable, *command.split()[1:], "--describe"]
    made = subprocess.run(words, capture_output=True, text=True, check=False, cwd=ROOT, env=dict(os.environ))
    return made.stdout.strip()[-3000:] or made.stderr[-3000:]
