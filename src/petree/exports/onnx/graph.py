"""An ONNX graph that is written node by node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray
from onnx import GraphProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

TREES = "ai.onnx.ml"


@dataclass
class Graph:
    """Nodes and constants so far; names are numbered, those of an inner graph behind its prefix."""

    prefix: str = ""
    nodes: list[NodeProto] = field(default_factory=list)
    constants: list[TensorProto] = field(default_factory=list)

    def constant(self, values: ArrayLike, dtype: DTypeLike | None = np.float64) -> str:
        """The name of a constant."""
        name = f"{self.prefix}constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(values, dtype), name))
        return name

    def add(self, operator: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """The name of what an operator makes of its inputs."""
        return self.add_several(operator, 1, *inputs, domain=domain, **attributes)[0]

    def add_several(
        self, operator: str, n_outputs: int, *inputs: str, domain: str = "", **attributes: Any
    ) -> list[str]:
        """The names of all that an operator makes of its inputs."""
        name = f"{self.prefix}{operator.lower()}_{len(self.nodes)}"
        names = [name, *(f"{name}_{number}" for number in range(1, n_outputs))]
        self.nodes.append(helper.make_node(operator, list(inputs), names, domain=domain, **attributes))
        return names

    def look_up(self, table: NDArray[Any], indices: str) -> str:
        """The rows of a constant table at some indices."""
        return self.add("Gather", self.constant(table, table.dtype), indices, axis=0)

    def take(self, values: str, places: ArrayLike) -> str:
        """Some columns of a matrix, in the order asked for."""
        return self.add("Gather", values, self.constant(places, np.int64), axis=1)

    def name(self, made: str, name: str) -> None:
        """Give a name of its own to what was made."""
        self.nodes.append(helper.make_node("Identity", [made], [name]))

    def finish(self, name: str, inputs: list[ValueInfoProto], outputs: list[ValueInfoProto]) -> GraphProto:
        """The graph."""
        return helper.make_graph(self.nodes, name, inputs, outputs, self.constants)


def info(name: str, kind: int, shape: Sequence[int | None]) -> ValueInfoProto:
    """Return the declaration of an input or output."""
    return helper.make_tensor_value_info(name, kind, shape)
