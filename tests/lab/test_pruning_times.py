"""The benchmark of what pruning costs."""

import numpy as np
import pytest
from rich.console import Console

from lab.pruning import run as pruning
from lab.pruning import times as pruning_times
from lab.pruning.contenders import CONTENDERS, Contender
from lab.pruning.data import SYNTHETIC, names_of, read
from lab.pruning.page import Page
from lab.pruning.times import SCIKIT_LEARN, Timed, measure, take_turns
from lab.quality.data import MOST_ROWS, load
from lab.report import Table
from petree.pruning import MEMBERS

MACHINE = Table("Machine", ("", ""), [])


def make_page(*times, contenders=CONTENDERS, failures=()):
    return Page(times, contenders, failures, MACHINE, 3, "a command")


def timed(name, n_rows, sklearn, none, rand, **others):
    seconds = {SCIKIT_LEARN: sklearn, "none": none, "rand": rand}
    return Timed(name, n_rows, seconds | {other.replace("_pre", ", pre"): value for other, value in others.items()})


def words(page):
    """The word of each verdict, by the beginning of its bar."""
    return {verdict.bar.partition(" at ")[0]: verdict.word for verdict in page.verdicts}


def test_both_sides_get_ready_columns_of_all_rows(folder):
    table = read("voting")
    assert table.n_rows == len(table.own) == len(table.floats) == 40
    assert table.own.dtypes.map(str).to_dict() == {"size": "float64", "colour": "category"}
    assert table.floats.dtype == np.float32
    assert table.floats.shape == (40, 3), "two colours and a size"
    assert names_of(with_synthetic=True) == ["voting", SYNTHETIC]
    assert names_of(with_synthetic=False) == ["voting"]


def test_a_table_is_cut_only_where_few_rows_are_asked_for(folder):
    assert len(load(folder, "voting", most_rows=25).y) == 25
    assert len(load(folder, "voting").y) == 40 < MOST_ROWS


def test_fits_take_turns_and_the_first_round_does_not_count(monkeypatch):
    order = []
    monkeypatch.setattr(pruning_times, "BUDGET_SECONDS", 20.0)
    clock = iter([0.0, 9.0, 0.0, 9.0, 0.0, 1.0, 0.0, 2.0, 0.0, 3.0, 0.0, 4.0, 0.0, 2.0, 0.0, 6.0])
    monkeypatch.setattr(pruning_times.time, "perf_counter", lambda: next(clock))
    taken, failed = take_turns({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, 3, lambda: None)
    assert order == ["a", "b"] * 4
    assert taken == {"a": [9.0, 1.0, 3.0, 2.0], "b": [9.0, 2.0, 4.0, 6.0]}
    assert failed == {}


def test_a_slow_fit_gets_no_further_round(monkeypatch):
    order = []
    monkeypatch.setattr(pruning_times, "BUDGET_SECONDS", 5.0)
    clock = iter([0.0, 9.0, 0.0, 9.0, 0.0, 6.0, 0.0, 4.0, 0.0, 4.0])
    monkeypatch.setattr(pruning_times.time, "perf_counter", lambda: next(clock))
    taken, _ = take_turns({"slow": lambda: order.append("slow"), "quick": lambda: order.append("quick")}, 3, int)
    assert order == ["slow", "quick", "slow", "quick", "quick"]
    assert taken == {"slow": [9.0, 6.0], "quick": [9.0, 4.0, 4.0]}


def test_the_median_leaves_out_the_fit_to_warm_up(folder, monkeypatch):
    found = {SCIKIT_LEARN: [9.0, 1.0, 3.0, 2.0], "none": [6.0, 4.0]}
    monkeypatch.setattr(pruning_times, "take_turns", lambda *_: (found, {}))
    [one], _ = measure([], [read("voting")], 3, Console(quiet=True))
    assert one.seconds == {SCIKIT_LEARN: 2.0, "none": 4.0}
    assert one.rounds == {SCIKIT_LEARN: 3, "none": 1}


def test_the_page_names_fits_of_fewer_rounds():
    times = [Timed("a", 50, {"rand": 1.0}, {"rand": 3}), Timed("b", 60, {"rand": 9.0}, {"rand": 1})]
    text = make_page(*times).report().to_markdown()
    assert "- rand has fewer rounds on b (1)." in text
    assert "A fit whose rounds on a set took 3 s gets no further one there" in text


def test_what_fails_is_left_out_and_named_with_its_sets(folder):
    contenders = [Contender("none"), Contender("rand", {"nonsense": 1}), Contender("chi", most_rows=30)]
    times, failures = measure(contenders, [read("voting"), read("other")], 1, Console(quiet=True))
    assert [(one.name, one.n_rows) for one in times] == [("voting", 40), ("other", 30)]
    assert [set(one.seconds) for one in times] == [{SCIKIT_LEARN, "none"}, {SCIKIT_LEARN, "none", "chi"}]
    assert all(second > 0 for one in times for second in one.seconds.values())
    [failure] = failures
    assert failure.startswith("rand is left out, because it failed on voting, other: TypeError")


def test_bars_that_hold():
    costs = {"mdl": 1.1, "bic": 1.0, "chi": 1.09, "error_based": 1.05, "mdl_pre": 0.7, "bic_pre": 0.5}
    page = make_page(
        timed("small", 999, 0.001, 0.002, 0.009),
        timed("large", 1000, 1.0, 0.1, 0.5),
        timed(SYNTHETIC, 100_000, 10.0, 1.0, 1.0, **costs),
    )
    assert set(words(page).values()) == {"holds"}
    assert [verdict.measured for verdict in page.verdicts[:3]] == [
        "0.50 at most, on large; slower on 0 of 1",
        "0.50",
        "9.0 ms at most, on small",
    ]


def test_bars_that_do_not_hold():
    costs = {"mdl": 1.2, "bic": 1.0, "chi": 1.0, "error_based": 1.0, "mdl_pre": 0.5, "bic_pre": 0.8}
    page = make_page(
        timed("small", 50, 0.1, 0.002, 0.011),
        timed("large", 1000, 1.0, 0.1, 1.2),
        timed(SYNTHETIC, 100_000, 1.0, 1.0, 0.5, **costs),
    )
    failing = [bar for bar, word in words(page).items() if word == "does not hold"]
    assert [bar.partition(" ")[0] for bar in failing] == ["rand", "rand", "rand", "mdl", "bic,"]


def test_what_was_not_run_is_not_judged():
    page = make_page(timed("small", 50, 0.1, 0.002, 0.001))
    assert list(words(page).values()) == ["not measured"] * 2 + ["holds"] + ["not measured"] * 6
    assert list(words(make_page(Timed("large", 5000, {SCIKIT_LEARN: 1.0}))).values()) == ["not measured"] * 9


def test_the_page_has_ratios_to_both_and_says_what_is_left_out():
    slow = Contender("subtree_randomisation", most_rows=60)
    page = make_page(
        timed("a", 50, 2.0, 1.0, 4.0, subtree_randomisation=8.0),
        timed("b", 70, 8.0, 1.0, 1.0),
        timed("c", 1000, 10.0, 2.0, 5.0),
        contenders=[Contender("rand"), slow],
        failures=["chi is left out."],
    )
    text = page.report().to_markdown()
    assert "| fit | sets below 1000 rows | sets of 1000 rows or more |" in text
    assert "| rand | 0.50 | 0.50 |" in text, "to scikit-learn, the mean of 2 and 1/8"
    assert "| rand | 2.00 | 2.50 |" in text, "to no pruning, the mean of 4 and 1"
    assert "| rand | 4.00 | 1.00 | 2.50 |" in text
    assert "| subtree_randomisation |  |  |" in text, "no mean over sets of which some are missing"
    assert "| subtree_randomisation | 4.00 |  |  |" in text
    assert "- subtree_randomisation runs on sets of at most 60 rows only: it takes too long elsewhere." in text
    assert "- chi is left out." in text
    assert "| a | 50 | 2000.0 | 1000.0 | 4000.0 |" in text


def test_a_run_writes_the_page(folder, monkeypatch):
    chosen = [one for one in CONTENDERS if one.name in ("none", "rand", "mdl, pre")]
    monkeypatch.setattr(pruning, "CONTENDERS", chosen)
    page = folder / "page.md"
    pruning.main(["--quick", "--page", str(page)])
    lines = page.read_text().splitlines()
    assert (
        sum("holds: rand takes less than 10 ms" in line or "does not hold: rand takes" in line for line in lines) == 1
    )
    assert [line.split(" | ")[0] for line in lines if line.startswith("| mdl, pre")] == ["| mdl, pre"] * 4
    assert any(line.startswith("| load before the run |") for line in lines)


@pytest.mark.parametrize("contender", CONTENDERS, ids=lambda one: one.name)
def test_contenders_are_criteria_with_the_parameters_of_their_row(contender):
    criterion = contender.make()
    assert type(criterion) is MEMBERS[contender.name.split(",")[0]]
    assert {name: getattr(criterion, name) for name in contender.parameters} == contender.parameters
