"""What the commands say: their results on the screen or in a file, notes, errors and what is going on."""

from __future__ import annotations

import errno
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import typer

from petree.words import visible
from petree.writing import write_whole

if TYPE_CHECKING:
    from petree.files import FileTable

# What is wrong with the stream that a command prints to.
CANNOT_WRITE = (errno.ENOSPC, errno.EIO, errno.EFBIG)
# Parameters of estimators that are options here, and what those are called that have another name.
PARAMETERS = (
    *("split", "pruning", "smoothing", "tests", "binning", "min_samples_leaf", "max_depth", "max_leaf_nodes", "honest"),
    *("first_test", "missing", "monotonic_cst", "interaction_cst", "sample_ratio"),
)
# Those of related tables, and of what their databases do not say themselves.
RELATED = ("target", "links", "keys", "time", "leave_out", "aggregates", "windows", "max_links")
OPTIONS = {
    "missing": "treat-missing",
    "monotonic_cst": "monotonic",
    "interaction_cst": "interactions",
    "n_jobs": "jobs",
}
NAMED = re.compile(
    rf"\bThe '({'|'.join((*PARAMETERS, *RELATED, 'min_gain', 'class_weight', 'n_jobs'))})' parameter(?: of \w+)?"
)
SAID = re.compile(rf"(set )?\b({'|'.join(PARAMETERS)})=('[^']*'|\w+(?:\.\d+)?)")
# Other words of Python in sentences of the library, and what stands for them here.
IN_OPTIONS = (
    (re.compile(r"petree\.partitions\.use\(memory=\.\.\.\)"), "--memory"),
    (re.compile(r"(?<!--ignore )\(ignore=\)"), "(--ignore)"),
    (re.compile(r"\baggregates=\(\)"), "--aggregates ''"),
    (re.compile(r"\bparameters such as min_samples_leaf\b"), "options such as --min-samples-leaf"),
    (re.compile(r"\bWithout y the target must\b"), "--target must"),
    (re.compile(r"\bleave_out=\['([^']*)'\]"), r"--leave-out '\1'"),
    (re.compile(r"\b(keys|time)=\{'([^']*)': '([^']*)'\}"), r"--\1 '\2.\3'"),
    (re.compile(rf"\b({'|'.join(RELATED)})=(?![^\s.,;)])"), lambda found: _option(found[1])),
    (re.compile(r"(Database\.from_url )?\bwith(out)? in_database\b"), r"with\2 --in-database"),
    (re.compile(r" \(as pandas\.to_datetime [^)]*\)"), ""),
    (re.compile(r",? or declare a bias\b[^.;]*"), ""),
    (re.compile(r" \(more than max_answers\)| To have them too, raise max_answers,[^.]*\."), ""),
)


@runtime_checkable
class UsageMistake(Protocol):
    """What typer raises; it hides of which class, and versions differ."""

    def format_message(self) -> str:
        """What is wrong."""


def say(line: str, err: bool = False) -> None:
    """Print a line, whatever names stand in it."""
    typer.echo(visible(line), err=err)


def note(sentence: str) -> None:
    """Say something on the error stream."""
    say(f"petree: note: {_one_line(sentence)}", err=True)


def note_warning(warning: Warning | str) -> None:
    """Say what a warning says, in the words of the command line."""
    from petree.inputs.identifiers import IdentifierWarning

    note(warning.on_command_line() if isinstance(warning, IdentifierWarning) else in_options(str(warning)))


def tell(table: FileTable) -> None:
    """Say what was guessed of a table."""
    for sentence in table.notes:
        note(sentence)


def line_and_code(error: Exception) -> tuple[str, int]:
    """An error as one line and an exit code."""
    if isinstance(error, UsageMistake):  # in the command line itself, found by typer
        return _without_validator(_one_line(error.format_message())), 2
    if isinstance(error, OSError) and error.errno in CANNOT_WRITE and error.filename is None:
        return f"The output cannot be written: {error.strerror}; write it elsewhere, or make room.", 1
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'system'}: {error.strerror}", 2
    if isinstance(error, (ValueError, TypeError, OSError, ImportError)) or _is_of_a_part(error):
        return in_options(_one_line(str(error))), 2
    return f"unexpected {type(error).__name__}: {_one_line(str(error))} (--debug shows where)", 1


def _without_validator(sentence: str) -> str:
    """The sentence of a usage mistake without the words of the package that validates values for typer.

    Examples
    --------
    >>> _without_validator("Invalid value for '--to': Value error, 'x' is not one of 'sql', 'onnx'.")
    "Invalid value for '--to': 'x' is not one of 'sql', 'onnx'."
    >>> _without_validator("Invalid value for '--row': Input should be greater than or equal to 1")
    "Invalid value for '--row': it must be greater than or equal to 1"
    """
    return sentence.replace(": Value error, ", ": ", 1).replace(": Input should be ", ": it must be ", 1)


def _is_of_a_part(error: Exception) -> bool:
    """Whether a part of a data set could not be read or counted."""
    from petree.partitions import PartitionError

    return isinstance(error, PartitionError)


def in_options(sentence: str) -> str:
    """A sentence of the library in the words of the command line.

    Examples
    --------
    >>> in_options("With honest=True nothing works; set tests='binary' or honest=False.")
    'With --honest nothing works; set --tests binary or leave out --honest.'
    >>> in_options("The 'min_gain' parameter of ProbabilityTreeClassifier must be a finite number.")
    '--min-gain must be a finite number.'
    """
    for python, words in IN_OPTIONS:
        sentence = python.sub(words, sentence)
    sentence = NAMED.sub(lambda found: _option(found[1]), sentence)
    return SAID.sub(_as_option, sentence)


def _option(name: str) -> str:
    """The option that sets a parameter."""
    return "--" + OPTIONS.get(name, name).replace("_", "-")


def _as_option(found: re.Match[str]) -> str:
    verb, name, value = found.groups()
    option = _option(name)
    if value in ("None", "False"):
        return f"leave out {option}"
    words = option if value == "True" else f"{option} {value.strip(chr(39))}"
    return f"{verb or ''}{words}"


def _one_line(text: str) -> str:
    """A text of several lines as one."""
    return " ".join(text.split())


def can_draw() -> bool:
    """Whether pages can have pictures; where they cannot, a note says what is missing."""
    found = find_spec("matplotlib") is not None
    if not found:
        note("no pictures, since matplotlib is not there; pip install 'petree[plot]' brings it.")
    return found


def put(written: str | bytes, out: Path | None, what: str) -> None:
    """Print a text, or write it to a file if one is named; `what` is what an error calls it.

    Files and pipes get it as it is, since programs read it there; a terminal gets nothing that could move its cursor.
    """
    if out is not None:
        write_whole(out, written if isinstance(written, bytes) else written.encode("utf-8", "surrogatepass"), what)
        return
    if isinstance(written, bytes):
        raise ValueError(f"{what} is no text in this format; name a file to write with --out.")
    is_seen = sys.stdout.isatty()
    sys.stdout.write("\n".join(map(visible, written.split("\n"))) if is_seen else written)
    sys.stdout.flush()


def check_folder(out: Path) -> None:
    """Refuse a folder for results that is something else, before long work begins."""
    if out.exists() and not out.is_dir():
        raise ValueError(f"{out} is not a folder; name another one for the results.")
