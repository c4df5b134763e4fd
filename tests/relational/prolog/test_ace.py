"""ACE applications as databases."""

from pathlib import Path
from typing import Any

import pytest

from petree.relational.bias.modes import CONSTANT, EITHER, IGNORED, INPUT, NAMED, OUTPUT, Argument
from petree.relational.database import Database
from petree.relational.prolog.ace import read_ace
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.terms import Atom, Comparison, Constant, Variable
from petree.relational.relations import KEY, NOMINAL, NUMBER

SETTINGS = """
predict(mutagenic(+mol, -activity)).
classes([pos, neg]).
talking(3).
heuristic(gain).
minimal_cases(4).
typed_language(yes).
type(atom(mol, id, element, charge)).
type(near(mol, id, id)).
type(equals(X, Y)).
rmode(2: atom(+M, +-A, #[c, o], -C)).
rmode((atom(+M, -A, -E, -C), C < #)).
rmode(near(+M, +A, -B)).
max_lookahead(2).
lookahead(near(M, A, B), atom(M, B, #, _)).
lookahead(near(M, A, B), near(M, B, +-D)).
lookahead(near(M, A, B), equals(A, B)).
"""
FACTS = """
score(m1, 2). score(m2, -1).
atom(m1, a1, c, 0.5). atom(m1, a2, o, -0.25). atom(m2, a3, c, 1). atom(m1, a1, c, 0.5).
bond(m1, a1, a2).
ring(m1, [a1, a2]).
"""
BACKGROUND = """
equals(X, X).
mutagenic(M, pos) :- score(M, S), S > 0.
mutagenic(M, neg) :- score(M, S), S =< 0.
near(M, A, B) :- bond(M, A, B) ; bond(M, B, A).
theorycte(element, c).
"""


def write(folder: Path, settings: str = SETTINGS, facts: str = FACTS, background: str = BACKGROUND) -> Path:
    for suffix, text in ((".s", settings), (".kb", facts), (".bg", background)):
        (folder / f"app{suffix}").write_text(text)
    return folder


def rows(database: Database, name: str) -> list[tuple[Any, ...]]:
    columns = database.relation(name).columns
    return list(zip(*([column.domain.values[code] for code in column.codes] for column in columns), strict=True))


# -- relations ---------------------------------------------------------------------------------------------------------


def test_facts_and_rules_become_relations(tmp_path: Path) -> None:
    database = read_ace(write(tmp_path))
    assert rows(database, "mutagenic") == [("m1", "pos"), ("m2", "neg")]
    assert rows(database, "near") == [("m1", "a1", "a2"), ("m1", "a2", "a1")]
    assert rows(database, "atom") == [("m1", "a1", "c", 0.5), ("m1", "a2", "o", -0.25), ("m2", "a3", "c", 1)]
    assert database.target == "mutagenic.class"
    assert database.relation("mutagenic").keys == ((0,),)
    assert "ring" not in database.relations


def test_columns_are_named_after_their_types(tmp_path: Path) -> None:
    relations = read_ace(write(tmp_path)).relations
    names = {name: [column.name for column in relation.columns] for name, relation in relations.items()}
    assert names["mutagenic"] == ["mol", "class"]
    assert names["atom"] == ["mol", "id", "element", "charge"]
    assert names["near"] == names["bond"] == ["mol", "id1", "id2"]
    assert names["score"] == ["mol", "argument2"]


def test_columns_of_a_type_share_a_domain_and_numbers_are_sorted(tmp_path: Path) -> None:
    relations = read_ace(write(tmp_path)).relations
    assert relations["bond"].columns[2].domain is relations["atom"].columns[1].domain
    assert relations["score"].columns[0].domain is relations["mutagenic"].columns[0].domain
    charge = relations["atom"].columns[3]
    assert charge.domain.is_number
    assert list(charge.domain.values) == [-0.25, 0.5, 1]
    assert [column.kind for column in relations["atom"].columns] == [KEY, KEY, NOMINAL, NUMBER]


def test_settings(tmp_path: Path) -> None:
    database = read_ace(write(tmp_path) / "app.s")
    assert database.settings["classes"] == ["pos", "neg"]
    assert database.settings["heuristic"] == "gain"
    assert database.settings["minimal_cases"] == 4
    assert database.settings["unused"] == ["ring/2"]
    assert "talking" not in database.settings
    assert list(database.relation("mutagenic").columns[1].domain.values) == ["pos", "neg"]


def test_conditions(tmp_path: Path) -> None:
    condition = read_ace(write(tmp_path)).conditions["equals"]
    assert condition.comparison == Comparison(Variable("X"), "=", Variable("Y"))
    assert condition.types == (None, None)


# -- bias --------------------------------------------------------------------------------------------------------------


def test_modes(tmp_path: Path) -> None:
    bias = read_ace(write(tmp_path)).bias
    assert bias is not None
    first, second, third = bias.modes
    assert first.most_uses == 2
    assert first.arguments == (
        Argument(INPUT, "M"),
        Argument(EITHER, "A"),
        Argument(CONSTANT, constants=(Constant("c"), Constant("o"))),
        Argument(OUTPUT, "C"),
    )
    assert (second.compared, second.most_uses) == (3, None)
    assert third.arguments == (Argument(INPUT, "M"), Argument(INPUT, "A"), Argument(OUTPUT, "B"))


def test_lookaheads(tmp_path: Path) -> None:
    bias = read_ace(write(tmp_path)).bias
    assert bias is not None
    assert bias.max_lookahead == 2
    first, second, third = bias.lookaheads
    assert first.first == Atom("near", (Variable("M"), Variable("A"), Variable("B")))
    named = (Argument(NAMED, "M"), Argument(NAMED, "B"))
    assert first.second.arguments == (*named, Argument(CONSTANT), Argument(IGNORED))
    assert second.second.arguments == (*named, Argument(EITHER, "D"))
    assert third.second.relation == "equals"


def test_the_bias_prints_itself_as_it_is_read(tmp_path: Path) -> None:
    database = read_ace(write(tmp_path))
    kept = [line for line in SETTINGS.splitlines() if not line.startswith(("rmode", "lookahead", "max_lookahead"))]
    again = read_ace(write(tmp_path, settings="\n".join([*kept, str(database.bias)])))
    assert again.bias == database.bias


def test_a_root_is_kept_as_text(tmp_path: Path) -> None:
    database = read_ace(write(tmp_path, SETTINGS + "root((mutagenic(M, _), near(M, _, _)))."))
    assert [str(one) for one in parse_literals(database.settings["root"])] == ["mutagenic(M, _)", "near(M, _, _)"]


def test_without_types_names_share_a_domain_and_numbers_have_their_own(tmp_path: Path) -> None:
    facts = "mach(1, ok). mach(2, bad). part(1, gear, 5). part(2, gear, 6). heavy(gear).\nsize(gear, 1)."
    modes = "rmode(part(+M, -P, -S)). rmode(heavy(+P)). rmode(size(+P, -S))."
    relations = read_ace(write(tmp_path, f"predict(mach(+m, -c)). typed_language(no). {modes}", facts, "")).relations
    part = relations["part"].columns
    assert part[0].domain is relations["mach"].columns[0].domain
    assert part[1].domain is relations["heavy"].columns[0].domain
    assert part[2].domain is not relations["size"].columns[1].domain
    assert part[2].domain.is_number


# -- models ------------------------------------------------------------------------------------------------------------

MODEL_SETTINGS = "load(models). classes([fix, ok]). typed_language(yes). type(worn(comp)). type(spare(comp)).\n"
MODEL_SETTINGS += "rmode(worn(+-X)). rmode(spare(+X))."
MODELS = "begin(model(7)). fix. worn(gear). worn(gear). end(model(7)).\nbegin(model(3)). ok. end(model(3)).\n"


def test_models_are_rows_and_their_facts_belong_to_them(tmp_path: Path) -> None:
    database = read_ace(write(tmp_path, MODEL_SETTINGS, MODELS, "spare(gear)."))
    assert database.target == "model.class"
    assert rows(database, "model") == [(7, "fix"), (3, "ok")]
    assert rows(database, "worn") == [(7, "gear")]
    assert database.relation("worn").of_examples
    assert [column.name for column in database.relation("worn").written] == ["comp"]
    assert not database.relation("spare").of_examples
    assert database.relation("worn").columns[0].domain is database.relation("model").columns[0].domain
    assert set(database.relations) == {"model", "worn", "spare"}


def test_what_holds_outside_of_models_holds_in_each(tmp_path: Path) -> None:
    database = read_ace(write(tmp_path, MODEL_SETTINGS, MODELS + "worn(wheel).", "spare(gear)."))
    assert sorted(rows(database, "worn")) == [(3, "wheel"), (7, "gear"), (7, "wheel")]


@pytest.mark.parametrize(
    ("facts", "problem"),
    [
        (MODELS.replace("ok. ", ""), r"app.kb, line 2: model 3 must hold one of the classes fix, ok .* but holds none"),
        (MODELS.replace("ok.", "ok. fix."), "line 2: model 3 .* but holds fix and ok"),
        (MODELS + "ok.", "line 3: the class ok stands outside of models"),
        (MODELS + MODELS, "line 3: model 7 has begun before, in .* line 1"),
    ],
)
def test_broken_models_are_refused(tmp_path: Path, facts: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        read_ace(write(tmp_path, MODEL_SETTINGS, facts, "spare(gear)."))


# -- errors ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("warp(9).", "app.s, line 18: the setting warp is not supported"),
        ("heuristic(magic).", "line 18: heuristic must be one of gain, gainratio, not magic"),
        ("tilde_mode(regression).", "line 18: tilde_mode must be one of classify"),
        ("predict(mutagenic(-c, -d)).", "line 18: predict needs a key and one class"),
        ("classes([pos]).", "line 18: classes needs a list of two or more"),
        ("rmode(bond(M, -A, -B)).", "line 18: M has no sign"),
        ("rmode((bond(+M, -A, -B), bond(+M, +B, -C))).", "line 18: a mode has one literal"),
        ("root(bind(M)).", "line 18: bind/1 has no facts and no rules"),
        ("rmode(ring(+M, -R)).", r"app.kb, line 5: \[a1, a2\] is no name or number"),
        ("rmode(bond(+M, #[f(X)], -B)).", r"line 18: f\(X\) is no constant"),
        ("max_lookahead(far).", "line 18: max_lookahead must be a number of steps"),
        ("lookahead(near(M, A, B)).", "line 18: a lookahead has two arguments"),
        ("rule(X) :- bond(X, _, _).", "line 18: settings are facts"),
        ("type(X < g).", "line 18: a type has one literal"),
        ("classes([pos, other]).", "has examples of class 'neg', but the classes are pos, other"),
    ],
)
def test_what_is_not_supported_is_named_with_its_line(tmp_path: Path, line: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        read_ace(write(tmp_path, f"{SETTINGS}{line}"))


def test_modes_without_facts_are_left_out_and_named(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match=r"left out: bind/1 \(.*app\.s, line 18\)\.") as caught:
        database = Database.from_ace(write(tmp_path, f"{SETTINGS}rmode(bind(+M))."))
    assert caught[0].filename == __file__
    assert database.bias == read_ace(write(tmp_path, SETTINGS)).bias
    nothing = "predict(mutagenic(+mol, -class)).\nrmode(bind(+M)).\nlookahead(bind(M), bund(M))."
    with pytest.raises(ValueError, match=r"No mode can be asked for: bind/1 .*, bund/1 .* have no facts"):
        read_ace(write(tmp_path, nothing))


def test_an_example_of_two_classes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="Example m1 of mutagenic has more than one class"):
        read_ace(write(tmp_path, facts=FACTS + "score(m1, -2)."))


def test_files_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"must hold one settings file \(\.s\), but holds none"):
        read_ace(tmp_path)
    write(tmp_path)
    (tmp_path / "app.kb").unlink()
    with pytest.raises(FileNotFoundError, match=r"app\.kb beside app\.s; put the facts there"):
        read_ace(tmp_path)


def test_databases_are_made_by_their_class_too(tmp_path: Path) -> None:
    (tmp_path / "x.kb").write_text("begin(model(1)).\npos.\nworn(gear).\nend(model(1)).\n")
    (tmp_path / "x.s").write_text("load(examples).\nclasses([pos,neg]).\nrmode(worn(-X)).\n")
    assert Database.from_ace(tmp_path).target == "model.class"
    (tmp_path / "facts.pl").write_text("thing(a, yes).\nthing(b, no).\npart(a, wheel).\n")
    database = Database.from_prolog(tmp_path / "facts.pl", "thing")
    assert database.keys("thing").tolist() == ["a", "b"]
