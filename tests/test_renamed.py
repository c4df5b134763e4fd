"""Old names answer with the new thing, and warn."""

import pytest

from petree.renamed import forwards
from petree.tree import Tree

old = forwards("petree.somewhere", {"Baum": "petree.tree:Tree"})


def test_an_old_name_gives_the_new_thing_and_warns() -> None:
    with pytest.warns(DeprecationWarning, match=r"petree\.somewhere\.Baum is now petree\.tree\.Tree"):
        assert old("Baum") is Tree


def test_any_other_name_is_missing() -> None:
    with pytest.raises(AttributeError, match=r"petree\.somewhere.*'Wald'"):
        old("Wald")
