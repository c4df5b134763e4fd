"""``petree fit folder/``: data of any size become a model file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from petree.cli.arguments import words_of
from petree.cli.fit import Clock, Options, print_tree, write_model
from petree.cli.matching import class_weight_of
from petree.cli.messages import say
from petree.estimators.partitioned.reading import ReadsParts
from petree.partitions import CodedData, Coding, as_coded, is_code_folder
from petree.partitions.engines.choosing import chosen
from petree.progress import shown
from petree.words import counted
from petree.writing import check_output

# Options that say how text is read, which pyarrow does here, or that choose columns in another way.
OF_ONE_FILE = ("columns", "missing_values", "encoding")
# Options that say how data become codes.
OF_CODING = ("weight", "ignore", "types")


def learn_folder(data: Path, target: str, options: Options, model: Any) -> None:
    """Learn from a folder of Parquet or CSV files, or of codes, and write the model."""
    for name in OF_ONE_FILE:
        if vars(options)[name] is not None:
            raise ValueError(f"--{name.replace('_', '-')} is for a single file; leave it out with a folder.")
    for name in OF_CODING if is_code_folder(data) else ():
        if vars(options)[name] is not None:
            raise ValueError(f"{data} holds codes, for which --{name} is too late; give it to petree.code_files.")
    if not isinstance(model, ReadsParts):
        raise ValueError(f"{type(model).__name__} learns from a single file; name one.")
    check_output(options.out)
    clock = Clock()
    with options.working():
        with shown(f"Reading {data}"):
            codes = _codes_of(data, target, options, model)
        clock.lap("reading")
        if options.class_weight is not None:
            model.set_params(class_weight=class_weight_of(options.class_weight, codes.classes.tolist()))
        with shown("Learning"):
            model.fit(codes)
    write_model(model, options.out, clock)
    n_left_out = sum(column.is_empty for column in codes.columns)
    say(f"rows      {codes.n_rows} in {counted(len(codes.parts), 'part')}")
    say(f"columns   {len(codes.columns) - n_left_out}" + (f", {n_left_out} left out" if n_left_out else ""))
    print_tree(model, dict(zip(codes.classes.tolist(), codes.class_totals.tolist(), strict=True)))
    say(f"seconds   {clock}")
    say(f"written   {options.out}")


def _codes_of(data: Path, target: str, options: Options, model: Any) -> CodedData:
    ignored = words_of(options.ignore) or ()
    coding = Coding(options.weight, ignored, options.told_types(), model.binning, chosen().memory, model.n_jobs)
    return as_coded(data, target, coding)
