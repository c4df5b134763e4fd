"""Command lines by chance: whatever is typed, a command does its work or says in a sentence why not.

python -m tests.fuzzing.command_line --seed=0 --first=0 --commands=1000
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random
import shutil
import signal
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import NamedTuple

from tests.fuzzing.world import NASTY, make_fitting

from petree.cli import main

# Seconds that no command on these small files takes.
PATIENCE = 60

Maker = Callable[[random.Random], str]


def one_of(*values: str) -> Maker:
    return lambda chance: chance.choice(values)


def mostly(good: str, bad: str = "") -> Maker:
    """One of some words, or now and then one of others."""
    rarely = bad.split()
    return lambda chance: chance.choice(rarely if rarely and chance.random() < 0.3 else good.split())


FILE = NASTY.replace("/", "")
ODD = one_of(
    *("", " ", "x", "--", "-", "-1", "nan", "\x00", "\n", NASTY, "\ud800", "é" * 300, "None", "[/]", "{}", "%s", "~"),
)
NUMBER = mostly("0 1 2 3 5 -1 0.5 0.9", f"1e999 -inf nan {'10' * 20} {'9' * 5000} 1_0 ٣ 0x1 2147483648 1e-320")
TABLE = mostly(
    "pets.csv pets.csv nasty.csv weights.csv text.arff",
    "one.csv gaps.csv numbers.csv empty.csv heads.csv broken.csv uneven.csv bytes.csv bytes.parquet short.csv.gz "
    "broken.arff table.xls notes secret.csv folder folder.csv circle lost.csv absent.csv model.json /dev/null . "
    f"pets.db pets.csv/x.csv {FILE}.csv {'x' * 300}.csv",
)
MODEL = mostly(
    "model.json model.json options.json",
    "related.json brace.json list.json other.json bytes.json folder.json pets.csv absent.json /dev/null circle .",
)
RELATED = mostly("related.json", "model.json absent.json")
OUT = mostly(
    "new.json new.csv new new/new model.json folder results",
    f"pets.csv . /dev/null pipe circle lost.csv absent/x.json pets.csv/x {'x' * 300} {FILE} /",
)
COLUMN = mostly("kind", "size weight load knd pet.kind pet toy.colour machine .")
TARGET = mostly("pet.kind", "kind pet pet.size toy.colour . pet. .kind pet.id machine.class")
DATABASE = mostly(
    "sqlite:///pets.db",
    "sqlite:///empty.db sqlite:///absent.db sqlite:///notes sqlite:///folder sqlite:// sqlite oracle://x :// "
    f"postgresql://u@127.0.0.1:1/x {FILE}",
)
PRESET = mostly("c4.4 c4.5 smiles tilde-c4.5 cart chi mdl-p", "tilde ind-option-1 c4 rand gain")
PRUNING = mostly("none chi mdl rand bic cost_complexity reduced_error subtree_raising map", "gain None rand()")
SMOOTHING = mostly("none laplace m_estimate m_branch average bayes hierarchical doubt confusion shrinkage", "rand")
TESTS = mostly("binary multiway", "ternary")
MISSING = mostly("branch fractions majority surrogates", "mean")
COSTS = mostly(
    "costs.csv costs.json",
    "model.json pets.csv absent.json folder.csv folder.json bytes.csv bytes.json notes /dev/null .",
)
RATES = mostly(
    "cat=0.5,dog=0.5 cat=0.9,dog=0.1", "cat cat=x,dog=1 cat=1,dog=0 =, cat=0.5 a=1,a=1 cat=nan,dog=0.5 1e-320=1"
)
FORMAT = mostly("text rules html", "prolog sql HTML pdf")
DIALECT = mostly("sqlite postgresql duckdb", "mysql")
JOBS = mostly("1", "0 -1000 1000000000 x 1.5 -1e9")


TYPES = mostly(
    "weight=number code=nominal weight=nominal colour=nominal,code=nominal", "code=number size=date kind= = a=b"
)
WORDS = mostly("NA x NA,- ?", ", brown")
ENCODING = mostly("utf-8 latin-1 cp1252", "utf-16 klingon rot13 idna base64")
CHOICE = mostly("code weight,code colour", "kind , knd size")
CLASS_WEIGHTS = mostly("balanced cat=2,dog=1 a=3", "cat=0 cat=-1 cat=nan cow=1 cat 2 balance")


class Command(NamedTuple):
    """What a command takes: places, options with a value, options without one, and what is said first."""

    name: str
    places: tuple[Maker, ...] = ()
    options: Mapping[str, Maker] = MappingProxyType({})
    flags: tuple[str, ...] = ()
    first: str = ""


LEARNING = {
    "--preset": PRESET,
    "--pruning": PRUNING,
    "--smoothing": SMOOTHING,
    "--min-samples-leaf": NUMBER,
    "--max-depth": NUMBER,
    "--n-jobs": JOBS,
    "--out": OUT,
    "--target": COLUMN,
    "--class-weight": CLASS_WEIGHTS,
}
READING = {"--types": TYPES, "--missing-values": WORDS, "--encoding": ENCODING}
OF_ONE_TABLE = {
    "--tests": TESTS,
    "--missing": MISSING,
    "--max-leaf-nodes": NUMBER,
    "--sample-weight": COLUMN,
    "--ignore": CHOICE,
}
OF_DATABASES = LEARNING | {"--target": TARGET, "--max-links": NUMBER}
SHOWING = {"--format": FORMAT, "--level": NUMBER, "--dialect": DIALECT, "--out": OUT}
COMMANDS = (
    Command("fit", (TABLE,), LEARNING | OF_ONE_TABLE | READING, ("--option-tree",), "--target kind --out made.json"),
    Command("fit-database", (DATABASE,), OF_DATABASES, ("--option-tree",), "--target pet.kind --out made.json"),
    Command("fit-database", (), OF_DATABASES, (), "sqlite:///pets.db --target pet.kind --out made.json"),
    Command("predict", (MODEL, TABLE), {"--out": OUT, "--target": COLUMN, "--costs": COSTS, "--base-rates": RATES}),
    Command("predict", (MODEL, TABLE), {"--id": COLUMN, **READING}, ("--intervals", "--reasons")),
    Command(
        "predict",
        (RELATED,),
        {"--database": DATABASE, "--out": OUT, "--costs": COSTS, "--base-rates": RATES},
        (),
        "--database sqlite:///pets.db",
    ),
    Command("show", (MODEL,), SHOWING, ("--why", "--help")),
    Command("show", (MODEL,), SHOWING, (), "--format rules --level 0.9"),
    Command("show", (RELATED,), SHOWING | {"--format": one_of("prolog", "sql", "text", "html")}, ("--why",)),
    Command("demo"),
    Command("fti"),
)
WEIGHTS = (20, *[10] * 8, 0.1, 0.3)


def words_of(chance: random.Random) -> list[str]:
    """A command line: mostly one that could be meant, with some words that could not."""
    command = chance.choices(COMMANDS, WEIGHTS)[0]
    said = command.first.split() if chance.random() < 0.9 else []
    said += [make(chance) for make in command.places if chance.random() < 0.95]
    for _ in range(chance.choice([0, 1, 1, 2, 3])):
        said += _option(command, chance)
    if chance.random() < 0.1:
        said.insert(chance.randrange(len(said) + 1), (ODD if chance.random() < 0.5 else TABLE)(chance))
    return [command.name, *said] if chance.random() < 0.98 else [*said, command.name]


def _option(command: Command, chance: random.Random) -> list[str]:
    kind = chance.random()
    if kind < 0.04 or not command.options:
        return [chance.choice(["--absent", "-x", "--out=", "--=", "--debug", "--version", "--help", "--out"])]
    if kind < 0.15 and command.flags:
        return [chance.choice(command.flags)]
    name = chance.choice(list(command.options))
    value = (ODD if chance.random() < 0.1 else command.options[name])(chance)
    return [f"{name}={value}"] if chance.random() < 0.2 else [name, value]


class Outcome(NamedTuple):
    code: object
    out: str
    err: str


class TooLongError(BaseException):
    """A command that does not end; nothing in petree catches it."""


def outcome_of(words: list[str]) -> Outcome:
    """What a command says and does in the folder where we are."""
    out, err = io.BytesIO(), io.BytesIO()
    streams = io.TextIOWrapper(out, "utf-8"), io.TextIOWrapper(err, "utf-8", errors="backslashreplace")
    code: object = "nothing"
    with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]), _quick():
        try:
            main(words)
        except SystemExit as stop:
            code = stop.code
        except BaseException:
            code = traceback.format_exc()
    for stream in streams:
        stream.flush()
    return Outcome(code, out.getvalue().decode(), err.getvalue().decode())


@contextlib.contextmanager
def _quick() -> Iterator[None]:
    """An end to everything."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(PATIENCE)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default")
            yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def complaint_of(words: list[str], outcome: Outcome, left: list[str]) -> str:
    """What is wrong with an outcome; nothing where nothing is."""
    if outcome.code not in (0, 2):
        return f"it ended with {outcome.code}"
    if "Traceback" in outcome.err and "--debug" not in words:
        return "there is a traceback"
    last = outcome.err.rstrip("\n").rpartition("\n")[2]
    if "incompatible function arguments" in outcome.err:
        return "what it says is for programmers"
    if outcome.code == 2 and not (last.startswith("petree: ") and len(last) > len("petree: ") + 10):
        return "there is no sentence"
    if not all(line.isprintable() for line in outcome.err.split("\n")):
        return "what it says moves the cursor"
    return f"it left {left}" if left else ""


def complaints(seed: int, first: int, n_commands: int) -> list[str]:
    """What command lines did wrong, and how to try them again."""
    found = []
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        template, world = Path(folder, "template"), Path(folder, "world")
        template.mkdir()
        make_fitting(template)
        for number in range(first, first + n_commands):
            words = words_of(random.Random(f"{seed} {number}"))
            _copy(template, world)
            os.chdir(world)
            try:
                outcome = outcome_of(words)
            finally:
                os.chdir(here)
            left = [path.name for path in world.rglob(".petree*")]
            if complaint := complaint_of(words, outcome, left):
                again = f"python -m tests.fuzzing.command_line --seed={seed} --first={number} --commands=1"
                found.append(f"{words}\n{complaint}\n{outcome.err[-3000:]}\nagain: {again}")
    return found


def _copy(template: Path, world: Path) -> None:
    shutil.rmtree(world, ignore_errors=True)
    ignored = shutil.ignore_patterns("pipe")  # nobody would write what is copied from it
    shutil.copytree(template, world, symlinks=True, ignore=ignored)
    os.mkfifo(world / "pipe")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name in ("seed", "first", "commands"):
        parser.add_argument(f"--{name}", type=int, default=0)
    options = parser.parse_args()
    told = complaints(options.seed, options.first, options.commands)
    print("\n\n".join(told).encode("ascii", "backslashreplace").decode())
    sys.exit(1 if told else 0)
