"""How large and how plain the code is, in numbers, with bounds that a test holds: python -m tools.counts

Statements and what stands in them are those of the package without `papers/`; lines of files and files of folders are
counted in all that is written by hand in `src/`, `benchmarks/` and `tools/`. What exceeds its bound is listed.
"""

import ast
import functools
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

HOUSE = Path(__file__).parents[1]
PACKAGE = HOUSE / "src" / "petree"
ENDINGS = (".py", ".hpp", ".cpp", ".inc", ".js")
NOT_BY_HAND = {"_core", "assets", "node_modules", "__pycache__"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Source:
    """A file of Python: its text and its syntax."""

    path: Path
    text: str
    tree: ast.Module

    def nodes(self) -> Iterator[ast.AST]:
        return ast.walk(self.tree)

    def place(self, node: ast.expr | ast.stmt | ast.arg) -> str:
        return f"{self.path.relative_to(HOUSE)}:{node.lineno}"


@dataclass(frozen=True)
class Count:
    """What is counted, the most there may be of it (None: as many as there are), and where it was found."""

    what: str
    most: int | None
    places: list[str]

    @property
    def holds(self) -> bool:
        return self.most is None or len(self.places) <= self.most


def counts() -> list[Count]:
    sources = list(python_sources())
    return [
        Count("statements", None, found(sources, statements)),
        Count("parameters typed Any", 119, found(sources, parameters_of_any_type)),
        Count("hasattr and getattr with a name in quotes", 19, found(sources, attributes_by_text)),
        Count("type: ignore", 5, found(sources, ignored_types)),
        Count(
            "functions of more than 7 parameters, constructors apart", 0, found(sources, functions_of_many_parameters)
        ),
        Count("assignments of several values packed into one", 149, found(sources, packed_assignments)),
        Count("ladders of isinstance over the classes of a family", 0, found(sources, family_ladders)),
        Count("files of more than 300 lines", 99, long_files()),
        Count("folders of more than 15 files", 0, full_folders()),
    ]


def python_sources() -> Iterator[Source]:
    for path in files_by_hand(PACKAGE):
        if path.suffix == ".py" and "papers" not in path.parts:
            text = path.read_text()
            yield Source(path, text, ast.parse(text))


def files_by_hand(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in ENDINGS and NOT_BY_HAND.isdisjoint(path.relative_to(HOUSE).parts):
            yield path


def found(sources: Iterable[Source], search: Callable[[Source], Iterable[str]]) -> list[str]:
    return list(itertools.chain.from_iterable(map(search, sources)))


def statements(source: Source) -> list[str]:
    return [source.place(node) for node in source.nodes() if isinstance(node, ast.stmt)]


def parameters_of_any_type(source: Source) -> Iterator[str]:
    for function in functions(source):
        for parameter in parameters(function):
            if parameter.annotation is not None and ast.unparse(parameter.annotation) in ("Any", "typing.Any"):
                yield source.place(parameter)


def functions(source: Source) -> Iterator[Function]:
    return (node for node in source.nodes() if isinstance(node, Function))


def parameters(function: Function) -> list[ast.arg]:
    """All but self and cls, with *arguments and **options."""
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    collected = [argument for argument in (arguments.vararg, arguments.kwarg) if argument is not None]
    return [argument for argument in named + collected if argument.arg not in ("self", "cls")]


def attributes_by_text(source: Source) -> Iterator[str]:
    for node in source.nodes():
        match node:
            case ast.Call(func=ast.Name(id="hasattr" | "getattr"), args=[_, ast.Constant(), *_]):
                yield source.place(node)


def ignored_types(source: Source) -> Iterator[str]:
    for number, line in enumerate(source.text.splitlines(), 1):
        if re.search(r"#\s*type:\s*ignore", line):
            yield f"{source.path.relative_to(HOUSE)}:{number}"


def functions_of_many_parameters(source: Source) -> Iterator[str]:
    for function in functions(source):
        if function.name != "__init__" and len(parameters(function)) > 7:
            yield source.place(function)


def packed_assignments(source: Source) -> Iterator[str]:
    """`a, b = x, y`: two assignments on one line; what a function returns may be unpacked."""
    for node in source.nodes():
        match node:
            case ast.Assign(targets=[ast.Tuple()], value=ast.Tuple()):
                yield source.place(node)


def family_ladders(source: Source) -> Iterator[str]:
    """Functions that ask three times or more of one name which member of a family it is."""
    for function in functions(source):
        asked = Counter(itertools.chain.from_iterable(map(asked_for_member, ast.walk(function))))
        if any(times >= 3 for times in asked.values()):
            yield source.place(function)


def asked_for_member(node: ast.AST) -> Iterator[str]:
    """The name of which a call of isinstance asks whether it is a member of a family."""
    match node:
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), kinds]):
            if not members_of_families().isdisjoint(re.findall(r"\w+", ast.unparse(kinds))):
                yield name


@functools.cache
def members_of_families() -> frozenset[str]:
    """The classes that stand in the rooms of the families, and the kinds of conditions."""
    rooms = [PACKAGE / "splitting", PACKAGE / "pruning" / "criteria", PACKAGE / "smoothing"]
    paths = [*itertools.chain.from_iterable(map(files_by_hand, rooms)), PACKAGE / "conditions.py"]
    return frozenset(
        re.findall(r"^class (\w+)\b(?!\(Protocol)", "\n".join(path.read_text() for path in paths), re.MULTILINE)
    )


def long_files() -> list[str]:
    return [str(path.relative_to(HOUSE)) for path in measured_files() if len(path.read_text().splitlines()) > 330]


def full_folders() -> list[str]:
    files = Counter(str(path.parent.relative_to(HOUSE)) for path in measured_files() if path.name != "__init__.py")
    return [folder for folder, number in files.items() if number > 15]


def measured_files() -> Iterator[Path]:
    return itertools.chain.from_iterable(files_by_hand(HOUSE / folder) for folder in ("src", "benchmarks", "tools"))


def main() -> None:
    for count in counts():
        bound = "" if count.most is None else f"  (at most {count.most})"
        print(f"{len(count.places):7,}  {count.what}{bound}")
        if not count.holds:
            print(*(f"         {place}" for place in count.places), sep="\n")


if __name__ == "__main__":
    main()
