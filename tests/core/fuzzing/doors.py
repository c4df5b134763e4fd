"""What Python may call in the extension, with the types that it asks for."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from types import ModuleType
from typing import Any

ARRAY = re.compile(r"NDArray\[numpy\.(\w+)\]")


@dataclass(frozen=True)
class Parameter:
    name: str
    type: str  # as the signature says

    @property
    def element(self) -> str | None:
        """The type of an array's elements."""
        found = ARRAY.search(self.type)
        return found.group(1).rstrip("_") if found else None


@dataclass(frozen=True)
class Door:
    """A function, the constructor of a class (named as the class), or a method, whose first argument is the object."""

    name: str
    call: Any
    parameters: tuple[Parameter, ...]
    makes_object: bool = False


def find_doors(extension: ModuleType) -> dict[str, Door]:
    """What the rooms offer; a wrong thread for signals, which is set beside them, would make the fuzzer itself deaf."""
    found: dict[str, Door] = {}
    for room in _submodules(extension):
        for name, member in vars(room).items():
            for door in _doors_of(f"{room.__name__.rsplit('.', 1)[-1]}.{name}", member):
                found[door.name] = door
    return dict(sorted(found.items()))


def _submodules(extension: ModuleType) -> list[ModuleType]:
    return [member for member in vars(extension).values() if isinstance(member, ModuleType)]


def _doors_of(name: str, member: Any) -> list[Door]:
    if isinstance(member, type):
        return [] if issubclass(member, BaseException) else _doors_of_class(name, member)
    signature = _signature(member)
    return [] if signature is None else [Door(name, member, signature)]


def _doors_of_class(name: str, member: type) -> list[Door]:
    """Constructors leave out `self`; properties are met by asking for them all."""
    doors = [Door(f"{name}.{part}", part_of, _signature(part_of) or ()) for part, part_of in vars(member).items()]
    methods = [door for door in doors if door.parameters and not door.name.endswith("__")]
    constructor = _signature(vars(member).get("__init__"))
    return [*methods, *([] if constructor is None else [Door(name, member, constructor[1:], makes_object=True)])]


def _signature(member: Any) -> tuple[Parameter, ...] | None:
    texts = getattr(member, "__nb_signature__", None)
    if not texts:
        return None
    text = re.sub(r"\\\d+|\x00", "...", texts[0][0]) + ": ..."
    definition = ast.parse(text).body[0]
    assert isinstance(definition, ast.FunctionDef)
    arguments = [*definition.args.posonlyargs, *definition.args.args]
    return tuple(Parameter(each.arg, ast.unparse(each.annotation) if each.annotation else "") for each in arguments)
