"""How many candidate tests the root of a relational tree has, beside what the papers print.

    PETREE_DATA=... python -m lab.relational.roots

The papers print no language bias. So that of the links comes first, and for the two sets of CW488 that are further off
than a factor of 2 one with a step more: atom, bond and atom in one test, and what the partner of an interaction has in
its own tables.
"""

from __future__ import annotations

import warnings
from dataclasses import replace

from rich.console import Console
from rich.table import Table

from lab.papers.data.relational_data import load
from petree import presets
from petree.relational import Bias, Database, Lookahead, automatic_bias
from petree.relational.queries.terms import Atom, Variable

# What CW488 and F05 print, None where they do not have the set.
PRINTED: dict[str, tuple[int | None, int | None]] = {
    "biodegradability": (569, 47),
    "mutagenesis": (139, 139),
    "genes": (1761, None),
    "carcinogenesis": (None, 305),
    "hiv": (58, 49),
}


def bias_of(database: Database) -> Bias:
    """What links allow, without functions over rows, which the papers do not have."""
    table, _, column = str(database.target).rpartition(".")
    return automatic_bias(database.hiding(table, column), table, None, ())


def n_tests(database: Database, bias: Bias) -> int:
    """Candidate tests of the root."""
    model = presets["tilde"](database=database, bias=bias, max_links=None, max_depth=1, pruning="none")
    return int(model.fit(database.keys(str(database.target).rpartition(".")[0])).tree_.n_tests[0])


def with_bonds(bias: Bias) -> Bias:
    """Atom, bond and atom in one test, also with values of all three."""
    beginnings = ("lookahead(atom(Atom_id0, Molecule_id1, Element2), bond(Atom_id0", "lookahead(bond(Atom10, Atom21,")
    chosen = [one for one in bias.lookaheads if str(one).startswith(beginnings) and "atom(Atom10" not in str(one)]
    return replace(bias, max_lookahead=2, lookaheads=tuple(replace(one, alone=False) for one in chosen))


def with_partners(bias: Bias) -> Bias:
    """Together with an interaction what its second gene has in tables of its own."""
    first = Atom("interaction", tuple(map(Variable, ("One", "Other", "Kind", "Correlation", "Row"))))
    own = [mode for mode in bias.modes if mode.relation.startswith("gene_") and "#" in str(mode.arguments[1])]
    found = [mode for mode in own if mode.arguments[0].kind == "+"]
    named = [mode.with_argument(0, replace(mode.arguments[0], kind="=", name="Other")) for mode in found]
    return replace(bias, lookaheads=(*bias.lookaheads, *(Lookahead(first, mode, alone=True) for mode in named)))


FURTHER = {"biodegradability": with_bonds, "genes": with_partners}


def main() -> None:
    table = Table("set", "CW488", "F05", "from links", "one step more")
    for name, printed in PRINTED.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # dangling keys
            database = load(name)
            bias = bias_of(database)
            more = str(n_tests(database, FURTHER[name](bias))) if name in FURTHER else ""
            own = str(n_tests(database, bias))
        table.add_row(name, *("" if one is None else str(one) for one in printed), own, more)
    Console().print(table)


if __name__ == "__main__":
    main()
