"""Makes the pictures of reports in docs/pictures: python -m tools.report.pictures

Needs node, Chromium, ``npm ci`` in tools/report, and the data sets in the folder that PETREE_DATA names.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.report.browser import TOOLS, command, lacking
from tools.report.models import REPORTS

PICTURES = TOOLS.parents[1] / "docs/pictures"


def main() -> None:
    """Write the reports to a folder, and take pictures of them."""
    if (reason := lacking()) is not None:
        raise SystemExit(f"No pictures can be taken: {reason}.")
    with TemporaryDirectory() as folder:
        for name, make in REPORTS.items():
            make().save(Path(folder) / f"{name}.html")
        subprocess.run(command(TOOLS / "pictures.mjs", Path(folder), PICTURES), check=True)


if __name__ == "__main__":
    main()
