"""How Sphinx builds these pages; `make docs` runs it with warnings as errors."""

from importlib.metadata import version as installed_version

project = "hornbook"
author = "The hornbook authors"
version = release = installed_version("hornbook")

extensions = ["myst_parser", "sphinx.ext.mathjax"]
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3
nitpicky = True
exclude_patterns = ["README.md"]

html_theme = "furo"
html_title = f"hornbook {release}"
html_show_copyright = False
