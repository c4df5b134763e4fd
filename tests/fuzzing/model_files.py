"""Damaged model files by chance: ``python -m tests.fuzzing.model_files --seed=0 --cases=100000``.

Each file follows from the seed and its number alone. Reading it gives a model that answers all it is asked, or a
`ValueError` that is a sentence. What a file did wrong is printed, a line of JSON each; the number of the file under way
stands in a file, for the process that watches (`tests.core.fuzzing.watch`).
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import os
import time
import traceback
import warnings
from random import Random
from typing import Any

from tests.core.fuzzing.run import limit_addresses, make_calls, memory, slowness
from tests.fuzzing.damage import Damage
from tests.fuzzing.use import use
from tests.fuzzing.valid_files import parsed_files

from petree.storage import loads

MOST_SECONDS = 1.0
MOST_BYTES = 200 * 2**20
# Of so many files at least this share is damaged so little that they are read: else nothing would be used.
MANY_FILES = 200
LEAST_SHARE_READ = 0.15
NAME = "m.json"


class Fuzzer:
    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._files = parsed_files()
        self.n_read = 0

    def describe(self, number: int) -> str:
        """The beginning of a file."""
        return self.text(number)[:3000]

    def text(self, number: int) -> str:
        return Damage(Random(f"{self._seed} {number}"), self._files).text()

    def warm_up(self) -> None:
        """Use every file unchanged, so that what is imported and kept for later counts for none of them."""
        for data in self._files:
            use(loads(json.dumps(data)))

    def complaint(self, number: int) -> str | None:
        """What reading and using a file did wrong."""
        text = self.text(number)
        used, began = memory(), time.process_time()
        complaint = self._complaint_about(text)
        seconds, more = time.process_time() - began, memory() - used
        if seconds > MOST_SECONDS * slowness():
            complaint = complaint or f"it took {seconds:.1f} seconds"
        if more > MOST_BYTES * slowness():
            complaint = complaint or f"it took {more / 2**20:.0f} MB"
        return complaint

    def _complaint_about(self, text: str) -> str | None:
        try:
            model = loads(text, NAME)
        except ValueError as error:
            return None if is_sentence(str(error)) else f"no sentence: {error}"
        except BaseException:
            return traceback.format_exc()
        self.n_read += 1
        return _complaint_of_use(model)


def _complaint_of_use(model: Any) -> str | None:
    try:
        use(model)
    except BaseException:
        return traceback.format_exc()
    return None


def is_sentence(text: str) -> bool:
    """Whether it names the file, says that it is damaged or no model, and ends."""
    return text.startswith(f"{NAME} is ") and text.endswith(".") and len(text) < 1000


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--first", type=int, default=0)
    options.add_argument("--cases", "--calls", type=int, default=1000, dest="cases")
    options.add_argument("--progress", default=os.devnull, help="file for the number of the case under way")
    options.add_argument("--describe", action="store_true", help="print the files instead of reading them")
    chosen = options.parse_args()
    faulthandler.enable()
    warnings.simplefilter("ignore")
    fuzzer = Fuzzer(chosen.seed)
    numbers = range(chosen.first, chosen.first + chosen.cases)
    if chosen.describe:
        print(*map(fuzzer.text, numbers), sep="\n")
        return
    fuzzer.warm_up()
    limit_addresses()
    _read_files(fuzzer, numbers, chosen.progress)


def _read_files(fuzzer: Fuzzer, numbers: range, progress: str) -> None:
    make_calls(fuzzer, numbers, progress)
    if len(numbers) >= MANY_FILES and fuzzer.n_read < LEAST_SHARE_READ * len(numbers):
        complaint = f"only {fuzzer.n_read} of {len(numbers)} files were read"
        print(json.dumps({"number": numbers.start, "call": "all files", "complaint": complaint}), flush=True)


if __name__ == "__main__":
    main()
