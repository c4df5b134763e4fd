"""The pruning criteria, one file each, with its formula and where it comes from.

`significance` asks whether the test of a node is more than luck, `errors` how many errors a leaf will make,
`likelihood` how probable the classes are, `validation` what cases say that did not grow the tree, or a part of those
that did. Criteria that go by less than that stand here.
"""
