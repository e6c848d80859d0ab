"""How Sphinx builds these pages; `make docs` runs it with warnings as errors."""

from importlib.metadata import version as installed_version
from pathlib import Path

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
html_css_files = ["live.css"]
html_static_path = ["_static"]

LIVE = {"diamond-6": "diamond:6", "six-rays": "six_rays", "polygon-tower-12": "polygon_tower:12"}


def write_live_pages(app, exception):
    """The pages that live.md shows, made by this very hornbook."""
    if exception is not None or app.builder.name != "html":
        return
    import hornbook
    from hornbook.report.page import page

    folder = Path(app.outdir) / "live"
    folder.mkdir(exist_ok=True)
    for name, environment in LIVE.items():
        text = page(hornbook.teach(hornbook.environment(environment)))
        (folder / f"{name}.html").write_text(text, encoding="utf-8")


def setup(app):
    """What Sphinx calls: the live pages are written when all others are."""
    app.connect("build-finished", write_live_pages)
