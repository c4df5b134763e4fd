"""The browser that opens reports, and what it takes to drive it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

TOOLS = Path(__file__).parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


def lacking() -> str | None:
    """What is missing to open reports in a browser; None if nothing is."""
    if shutil.which("node") is None:
        return "node is not installed"
    if _browser() is None:
        return "there is no Chromium"
    return None if (TOOLS / "node_modules/playwright-core").is_dir() else "run npm ci in tools/report"


def command(script: Path, *arguments: Path) -> list[str]:
    """What runs a script that drives the browser: it gets the folder of its packages, the browser, and arguments."""
    return ["node", str(script), str(TOOLS), str(_browser()), *map(str, arguments)]


def _browser() -> str | None:
    """The one that PETREE_CHROMIUM names, or the first that is installed."""
    return os.environ.get("PETREE_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
