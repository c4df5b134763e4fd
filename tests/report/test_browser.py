"""The page in a browser: everything that people use, without a complaint of the browser, and for everyone.

Needs node, a Chromium and ``npm ci`` in tools/report, which installs a driver (playwright-core) and axe-core; no
browser is fetched. `PETREE_CHROMIUM` names another browser than the first that is installed.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from tests.report.examples import (
    dated_model,
    flat_model,
    hostile_model,
    mixed_rows,
    new_rows,
    option_model,
    relational_model,
)
from tools.report.browser import command, lacking
from tools.report.models import REPORTS

from petree import ProbabilityTreeClassifier, make_report

pytestmark = pytest.mark.skipif(lacking() is not None, reason=str(lacking()))


def _write_reports(folder: Path) -> None:
    X, y = new_rows()
    make_report(flat_model(), X, y, command="petree report model.json").save(folder / "flat.html")
    make_report(option_model(), X, y).save(folder / "options.html")
    make_report(*relational_model()).save(folder / "related.html")
    make_report(*dated_model()).save(folder / "dated.html")
    make_report(*hostile_model()).save(folder / "hostile.html")
    many, labels = mixed_rows(3000)
    large = ProbabilityTreeClassifier(pruning="none", min_samples_leaf=5).fit(many, labels)
    make_report(large).save(folder / "large.html")


def _assert_nothing_wrong(script: str, folder: Path) -> None:
    """Run a script that opens all reports of a folder, and tells what went wrong."""
    called = command(Path(__file__).with_name(script), folder)
    done = subprocess.run(called, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    print(told["notes"])
    assert not told["failures"], "\n".join(told["failures"])


def test_everything_works_in_a_browser(tmp_path: Path) -> None:
    _write_reports(tmp_path)
    _assert_nothing_wrong("browser.mjs", tmp_path)


@pytest.mark.skipif("PETREE_DATA" not in os.environ, reason="PETREE_DATA does not say where the data sets are")
def test_reports_of_real_data_in_a_browser(tmp_path: Path) -> None:
    for name, make in REPORTS.items():
        make().save(tmp_path / f"{name}.html")
    _assert_nothing_wrong("real.mjs", tmp_path)
