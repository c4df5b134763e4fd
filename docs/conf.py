"""How the site is built: ``sphinx-build -W docs build/site``."""

from __future__ import annotations

import os
import re
from importlib import import_module
from pathlib import Path

from docutils.nodes import Node, SkipNode, math_block
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

import petree

os.environ["MPLBACKEND"] = "agg"
DOCS = Path(__file__).parent

project = "petree"
author = "The petree developers"
copyright = author  # noqa: A001  (Sphinx gives the name)
version = release = petree.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["gallery"]
templates_path = ["_templates"]
# A word in backticks is a link where it names something public, and else code.
default_role = "py:obj"

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3
# Pages that programs write have tables one below the other, with headings of several levels.
suppress_warnings = ["myst.header"]

autodoc_typehints = "none"
toc_object_entries_show_parents = "hide"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
# What a module lists in `__all__`, wherever it stands.
autosummary_ignore_module_all = False
public_modules = [*sorted(set(dir(petree)) - set(petree.__all__)), "exports"]
# A name that is also a module's own has one page, there.
of_modules = {name for module in public_modules for name in vars(import_module(f"petree.{module}")).get("__all__", [])}
public_names = [name for name in petree.__all__ if name not in {"__version__", *of_modules}]
autosummary_context = {"public_names": public_names, "public_modules": public_modules}

sphinx_gallery_conf = {
    "examples_dirs": ["gallery"],
    "gallery_dirs": ["auto_examples"],
    "subsection_order": [f"gallery/{name}" for name in ("first", "probabilities", "data", "pruning", "models")],
    "backreferences_dir": "auto_examples/backreferences",
    "doc_module": ("petree",),
    "filename_pattern": r"\.py$",
    "download_all_examples": False,
    "show_signature": False,
    "capture_repr": (),
    "write_computation_times": False,
    "within_subsection_order": "FileNameSortKey",
}

html_math_renderer = "mathml"
html_theme = "pydata_sphinx_theme"
html_title = "petree"
html_static_path = ["_static"]
html_css_files = ["petree.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "header_links_before_dropdown": 7,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_sidebars = {"index": [], "start": []}

_LISTED = re.compile(r"^(?:.*<)?/([a-z-]+)>?$", re.MULTILINE)


def list_other_pages(_: Sphinx, page: str, source: list[str]) -> None:
    """Put the pages that no list names at the end of the user guide's, so that a new page needs no entry."""
    if page != "guide/index":
        return
    listed = {name for index in DOCS.glob("*/index.md") for name in _LISTED.findall(index.read_text("utf-8"))}
    others = sorted({page.stem for page in DOCS.glob("*.md")} - listed - {"index", "start"})
    source[0] = source[0].replace("\n% other pages", "".join(f"\n/{name}" for name in others))


def leave_out(_: Sphinx, kind: str, name: str, member: object, skip: bool, options: object) -> bool | None:
    """Methods that are scikit-learn's own, or made by it, are described on its site."""
    home = str(getattr(member, "__module__", None))
    return True if home.startswith("sklearn") or name.endswith("_request") else None


def write_formula(writer: HTML5Translator, node: Node) -> None:
    """Formulas as MathML, which browsers show by themselves, so that the site needs nothing from elsewhere."""
    writer.body.append(tex2mathml(node.astext(), as_block=isinstance(node, math_block)))
    raise SkipNode


def setup(app: Sphinx) -> None:
    app.connect("autodoc-skip-member", leave_out)
    app.add_html_math_renderer("mathml", (write_formula, None), (write_formula, None))
    app.connect("source-read", list_other_pages)
