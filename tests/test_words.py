"""Things are counted as English does, and names of any characters can be read."""

import pytest

from petree.words import counted, plural, visible


@pytest.mark.parametrize(
    ("one", "many"), [("atom", "atoms"), ("city", "cities"), ("day", "days"), ("atoms", "atoms"), ("y", "ys")]
)
def test_plurals(one, many):
    assert plural(one) == many


@pytest.mark.parametrize(("number", "said"), [(0, "0 leaves"), (1, "1 leaf"), (2, "2 leaves")])
def test_one_thing_is_no_plural(number, said):
    assert counted(number, "leaf", "leaves") == said
    assert counted(number, "row") == f"{number} row" + "s" * (number != 1)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Größe in cm\xa0表\u3000", "Größe in cm\xa0表\u3000"),
        ("a\nb\tc\r\u2028d\u2029e\x85", r"a\nb\tc\r\u2028d\u2029e\x85"),
        ("\x1b[2J\x07\x7f\x9b", r"\x1b[2J\x07\x7f\x9b"),
        ("\u202eabc\u2066\u2069\u200e\u200f\u061c", r"\u202eabc\u2066\u2069\u200e\u200f\u061c"),
        ("\u200b\ufeff\u00ad\U000e0041", r"\u200b\ufeff\xad\U000e0041"),
        ("\ud800", r"\ud800"),
        (r"C:\new", r"C:\new"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
        ("\u0915\u094d\u200d\u0937", "\u0915\u094d\u200d\u0937"),
        ("\U0001f469\u200d\u2764\ufe0f\u200d\U0001f469", "\U0001f469\u200d\u2764\ufe0f\u200d\U0001f469"),
        ("\u200da \u200cb\u200d\u200cc\u200d", r"\u200da \u200cb\u200d\u200cc\u200d"),
    ],
)
def test_what_cannot_be_seen_is_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown
