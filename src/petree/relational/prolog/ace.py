"""ACE applications: a folder with settings (.s), facts (.kb) and background knowledge (.bg)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from petree.relational.database import Database
from petree.relational.prolog.ace_settings import IGNORED_SETTINGS, AceSettings, read_settings
from petree.relational.prolog.conversion.assembly import make_database
from petree.relational.prolog.programs import with_facts
from petree.relational.prolog.rules.background import named_in_rules
from petree.relational.prolog.rules.facts import Program, predicate_of
from petree.relational.prolog.syntax.clauses import Clause, read_clauses
from petree.relational.queries.terms import Predicate


def read_ace(path: str | Path) -> Database:
    """The database of an ACE application, with its target and its bias.

    Parameters
    ----------
    path : str or Path
        A folder that holds one settings file (.s), or that file. Beside it are facts (.kb, or .kb.gz) and background
        knowledge (.bg) of the same name.

    Returns
    -------
    Database
        Its ``target`` is the class of the relation that ``predict`` names, or ``model.class``. Its ``settings`` hold
        what the file sets, the classes in order, and under "unused" the predicates that nothing speaks of, which are
        left out.
    """
    file = settings_file(Path(path))
    settings = read_settings(read_clauses(file))
    program = Program().add(background(file)).add(read_clauses(facts_file(file)))
    check_uses(settings, program)
    bias = with_facts(settings.bias, program, settings.uses)
    return make_database(
        program,
        wanted(settings, program),
        {} if settings.values.get("typed_language") == "no" else settings.types,
        None if settings.target is None else replace(settings.target, classes=settings.classes),
        classes=settings.classes,
        bias=bias,
        settings=settings.values,
    )


def settings_file(path: Path) -> Path:
    """The settings file: the path itself, or the only one in the folder."""
    if path.is_file():
        return path
    found = sorted(path.glob("*.s"))
    if len(found) != 1:
        listed = ", ".join(one.name for one in found) or "none"
        raise ValueError(
            f"Folder {path} must hold one settings file (.s), but holds {listed}; give the path of the file."
        )
    return found[0]


def facts_file(file: Path) -> Path:
    """The file of facts beside the settings."""
    for suffix in (".kb", ".kb.gz"):
        if (beside := file.with_suffix(suffix)).is_file():
            return beside
    raise FileNotFoundError(f"There is no {file.with_suffix('.kb')} beside {file.name}; put the facts there.")


def background(file: Path) -> list[Clause]:
    """Clauses of the background file, if there is one, without what settings would ignore too."""
    beside = file.with_suffix(".bg")
    clauses = read_clauses(beside) if beside.is_file() else []
    return [one for one in clauses if one.head is None or predicate_of(one.head, one).name not in IGNORED_SETTINGS]


def check_uses(settings: AceSettings, program: Program) -> None:
    """Refuse settings whose target, or whose root, is not there."""
    asked = settings.bias.predicates
    for predicate, where in settings.uses.items():
        if predicate not in asked and not program.knows(predicate):
            raise ValueError(f"{where}: {predicate} has no facts and no rules; add some, or leave the line out.")


def wanted(settings: AceSettings, program: Program) -> list[Predicate]:
    """Predicates of the program that settings, types or rules speak of."""
    named = {*settings.uses, *settings.types, *named_in_rules(program)}
    return [predicate for predicate in program.predicates if predicate in named]
