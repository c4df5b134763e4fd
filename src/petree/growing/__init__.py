"""Growing: from a source of data to a tree that is not pruned yet.

There are three loops. What they share, so that it is said once:

* All of them split open nodes, wave by wave, where a wave is the nodes of one level. A node stays open while `Stopping`
  allows it: impure, large enough, not too deep; and the best test of a node is the first of the best, in the order in
  which tests are generated (docs/methods.md specifies the order).
* What a node is, only the source knows; the loops hand its handle back. The compiled ones know coded rows alone (a node
  is a slice of `sources.rows.Rows`, and dividing it moves the rows of its children side by side), so that they and the
  loop in words may take turns within one tree.
* All of them leave the same record: nodes with counts and sizes, splits with their owners and tests in codes, children
  one split's after the other's. The source makes conditions of the tests, and a `Tree` is put together from it.

``grower.grow`` is the loop in words, over any `Source`: best tests of all open nodes, which of them to accept, the
children. A criterion that judges while a tree grows (a `Gate`), and one that chooses the test (`choosing`), are asked
between two waves, and so is the search that looks ahead (`lookahead`).

``Source.finish`` is the same loop below some open nodes in one go, for a source that has one: a table in memory has
compiled ones, for small nodes and for long chains, where asking wave by wave would take longer than the work. It gives
the splits that `grow` would have found; nobody is asked between two waves, so that it is not called where a gate or a
lookahead has a say.

``options.grow_options`` grows trees whose nodes keep several tests. It is compiled as a whole and goes depth first:
what is kept at a node depends on the qualities of all its tests and, with a lookahead, of those below, and a search of
too many nodes begins again with smaller rules. It shares the coded rows, the quality of tests and the record, but not
`Source`, which is asked for the best splits of a wave. `best_first` grows the same trees in another order, in rounds of
open nodes that keep their rows (`open_nodes`), and can be left at any time.
"""

from petree.growing.grower import Grown, Stopping, grow

__all__ = ["Grown", "Stopping", "grow"]
