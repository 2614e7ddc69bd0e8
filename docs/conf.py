"""How Sphinx builds the documentation; `make docs` runs it."""

import sys
from importlib.metadata import version as version_of
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "patchwork-engine"
author = "patchwork-engine contributors"
copyright = f"2026, {author}"
version = release = version_of("patchwork-engine")

extensions = ["myst_parser", "sphinx.ext.autodoc", "stub_types"]
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = f"{project} {release}"

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 90
