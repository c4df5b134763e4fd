"""The page in a browser: everything that people use, without a complaint of the browser, and for everyone.

Needs node, a Chromium and ``npm ci`` in tools/report, which installs a driver (playwright-core) and axe-core; no
browser is fetched. `PETREE_CHROMIUM` names another browser than the first of `BROWSERS` that is installed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.report.examples import flat_model, hostile_model, mixed_rows, new_rows, option_model, relational_model

from petree import ProbabilityTreeClassifier, make_report

TOOLS = Path(__file__).parents[2] / "tools/report"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
NODE = shutil.which("node")
BROWSER = os.environ.get("PETREE_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
LACKING = (
    "node is not installed"
    if NODE is None
    else "there is no Chromium"
    if BROWSER is None
    else "run npm ci in tools/report"
    if not (TOOLS / "node_modules/playwright-core").is_dir()
    else None
)


def _write_reports(folder: Path) -> None:
    X, y = new_rows()
    make_report(flat_model(), X, y, command="petree report model.json").save(folder / "flat.html")
    make_report(option_model(), X, y).save(folder / "options.html")
    make_report(*relational_model()).save(folder / "related.html")
    make_report(*hostile_model()).save(folder / "hostile.html")
    many, labels = mixed_rows(3000)
    large = ProbabilityTreeClassifier(pruning="none", min_samples_leaf=5).fit(many, labels)
    make_report(large).save(folder / "large.html")


@pytest.mark.skipif(LACKING is not None, reason=str(LACKING))
def test_everything_works_in_a_browser(tmp_path: Path) -> None:
    _write_reports(tmp_path)
    script = Path(__file__).with_name("browser.mjs")
    command = [str(NODE), str(script), str(TOOLS), str(BROWSER), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    print(told["notes"])
    assert not told["failures"], "\n".join(told["failures"])
