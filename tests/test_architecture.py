"""The import arrows.

Three rules carry the design: rays never see a state, a cover never sees a vector, and the checker never sees a solver;
the others keep the data flowing one way.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.source import PACKAGE, Source, sources

ALLOWED = {
    "hornbook": set(),
    "text": set(),
    "errors": {"text"},
    "progress": set(),
    "drawing": {"text"},
    "arithmetic": set(),
    "proposals": {"errors"},
    "sources": {"arithmetic", "errors"},
    "names": {"errors"},
    "streams": {"arithmetic", "errors", "sources"},
    "costs": {"arithmetic", "errors", "names"},
    "lookup": set(),
    "problem": {"arithmetic", "costs", "drawing", "errors", "names", "sources", "streams"},
    "requests": {"arithmetic", "errors", "names", "problem", "rays"},
    "units": {"arithmetic", "cover", "coverage", "problem", "progress", "requests"},
    "selection": {"problem", "sources"},
    "compiling": set(),
    "hashing": set(),
    "tables": {"compiling", "hashing"},
    "threads": set(),
    "differences": {"arithmetic", "errors", "problem", "progress", "sources", "tables", "threads"},
    "rays": {"arithmetic", "compiling", "errors", "progress", "proposals"},
    "readings": {"arithmetic", "differences", "problem", "tables", "threads"},
    "coverage": {
        *("arithmetic", "differences", "errors", "problem", "progress", "rays", "readings", "sources", "tables"),
    },
    "frames": {"arithmetic", "coverage", "differences", "errors", "problem", "progress", "rays"},
    "cover": {"compiling", "errors", "proposals"},
    "conflicts": {
        *("arithmetic", "cover", "differences", "errors", "frames", "problem", "progress", "rays", "selection"),
    },
    "lesson": {
        *("arithmetic", "errors", "text"),
        "report",  # inside the method by which a notebook shows a lesson as its page
    },
    "assurance": {"arithmetic", "differences", "rays"},
    "teaching": {
        *("arithmetic", "assurance", "cover", "coverage", "differences", "errors", "frames", "lesson", "problem"),
        *("progress", "rays", "requests", "units"),
        "certificate.build",  # inside the method that asks for the certificate: the claims are told by the lesson
    },
    "cloning": {"arithmetic", "differences", "problem", "rays", "sources"},
    "rowwise": {
        *("arithmetic", "cloning", "cover", "coverage", "differences", "errors", "frames", "lesson", "problem"),
        *("progress", "rays", "teaching"),
    },
    "sklearn": {"cloning", "conflicts", "errors", "lesson", "problem", "rowwise", "teaching"},
    "partial_lesson": {"arithmetic", "lesson", "text", "certificate.build"},  # the last as in teaching
    "vipr": {"cover", "coverage", "errors", "lesson", "teaching"},
    "all_lessons": {
        *("arithmetic", "cover", "coverage", "errors", "lesson", "problem", "progress", "teaching"),
    },
    "budgets": {
        *(
            "arithmetic",
            "assurance",
            "cover",
            "coverage",
            "differences",
            "errors",
            "frames",
            "lesson",
            "partial_lesson",
        ),
        *("problem", "progress", "rays", "teaching", "verdicts"),
    },
    "version_space": {"arithmetic", "coverage", "differences", "errors", "frames", "problem", "progress", "rays"},
    "verdicts": {
        *("arithmetic", "coverage", "differences", "frames", "problem", "progress", "rays", "version_space"),
    },
    "explanations": {
        *("arithmetic", "assurance", "coverage", "differences", "errors", "lesson", "lookup", "problem", "rays"),
        "teaching",
    },
    "report": {
        *("arithmetic", "cover", "coverage", "differences", "drawing", "errors", "explanations", "formats", "hornbook"),
        *("lesson", "lookup", "problem", "rays", "teaching", "text"),
    },
    "figures": {
        *("differences", "drawing", "errors", "explanations", "lesson", "problem", "report", "sources", "teaching"),
        "text",
    },
    "classroom": {"arithmetic", "coverage", "differences", "frames", "problem", "progress", "rays"},
    "learners": {"classroom", "arithmetic", "errors", "problem", "proposals", "rays", "version_space"},
    "teachers": {"classroom", "lesson", "teaching"},
    "comparison": {
        *("assurance", "classroom", "errors", "learners", "lesson", "problem", "progress", "teachers", "teaching"),
    },
    "certificate": {"certificate.build", "certificate.check", "certificate.checking", "certificate.fast"},
    "certificate.within": {"certificate.check"},
    "certificate.checking": {
        *("certificate.asked", "certificate.check", "certificate.fast", "certificate.within", "errors", "problem"),
    },
    "certificate.build": {
        *("arithmetic", "assurance", "certificate.claims", "cover", "errors", "hornbook", "lesson", "problem", "rays"),
        *("requests", "teaching"),
    },
    "certificate.claims": {"arithmetic", "errors"},
    "certificate.fast": {
        *("arithmetic", "certificate.asked", "certificate.check", "certificate.roles", "certificate.within", "problem"),
    },
    "certificate.roles": {"certificate.asked", "certificate.check", "problem"},
    "certificate.asked": {"certificate.check"},
    "certificate.check": set(),
    "environments": {"arithmetic", "drawing", "errors", "problem", "sources"},
    "formats": {"arithmetic", "errors", "problem", "sources", "streams"},
    "cli": {
        "arithmetic",
        "all_lessons",
        "budgets",
        "certificate",
        "certificate.asked",
        "certificate.build",
        "certificate.check",
        "certificate.checking",
        "certificate.within",
        "comparison",
        "conflicts",
        "cover",
        "differences",
        "environments",
        "errors",
        "explanations",
        "formats",
        "frames",
        "hornbook",
        "learners",
        "lesson",
        "partial_lesson",
        "problem",
        "progress",
        "rays",
        "report",
        "selection",
        "teachers",
        "teaching",
        "text",
        "verdicts",
        "vipr",
    },
    "__main__": {"cli"},
}
"""What each part of the house may import, itself aside.  Imports for type checkers only are free."""

HOMES = {
    "highspy": "hornbook.proposals",
    "jinja2": "hornbook.report.page",
    "matplotlib": "hornbook.figures._canvas",
    "pyarrow": "hornbook.formats.arrow",
    "scipy": "hornbook.proposals",
}
"""Libraries that may be imported in this one file only."""
LAZY = ("flint", "highspy", "jinja2", "matplotlib", "numba", "pyarrow", "scipy", "sklearn")
"""Libraries that take long to import: in one file each, and inside functions."""
CHECKED_WITH = ("flint",)
"""The solver and the fast checker share no code, so each of them imports what both calculate with."""
ESTIMATORS = "hornbook.sklearn"
"""Its classes inherit from scikit-learn's, so it may import it at once; nothing imports it but who asks for it."""

FILES = sources()


def part_of(module: str) -> str:
    return Source(PACKAGE.parent / (module.replace(".", "/") + ".py")).part


def wrong_arrows(source: Source) -> list[str]:
    allowed = ALLOWED.get(source.part, set()) | {source.part}
    return [
        f"{source.module}:{each.line} imports {each.module}"
        for each in source.imports()
        if each.module.split(".")[0] == "hornbook" and not each.typing and part_of(each.module) not in allowed
    ]


@pytest.mark.parametrize("source", FILES, ids=lambda source: source.module)
def test_imports_follow_the_arrows(source: Source) -> None:
    """Every import of one part by another is one of the arrows above."""
    assert source.part in ALLOWED, f"{source.part} is new: say above what it may import"
    assert wrong_arrows(source) == []


def test_the_table_of_arrows_has_no_circle() -> None:
    """Apart from the certificate and the page that a lesson makes of itself, parts can be put in a row."""
    made = {"teaching": {"certificate.build"}, "partial_lesson": {"certificate.build"}, "lesson": {"report"}}
    rest = {part: arrows - made.get(part, set()) for part, arrows in ALLOWED.items()}
    while rest:
        done = {part for part, arrows in rest.items() if not arrows & rest.keys()}
        assert done, f"these import each other: {sorted(rest)}"
        rest = {part: arrows for part, arrows in rest.items() if part not in done}


@pytest.mark.parametrize("part", ["rays", "cover"])
def test_rays_never_see_a_state_and_a_cover_never_sees_a_vector(part: str) -> None:
    """Stated once more without the table, and for type checkers too: these two carry the design."""
    unseen = {
        "rays": ("problem", "sources", "differences", "coverage", "cover", "lesson", "teaching"),
        "cover": ("arithmetic", "problem", "sources", "differences", "coverage", "rays", "lesson", "teaching"),
    }[part]
    seen = {part_of(each.module) for file in FILES if file.part == part for each in file.imports()}
    assert not seen & set(unseen)


def test_the_checker_imports_the_standard_library_and_nothing_else() -> None:
    """What must be trusted is one file."""
    (checker,) = [file for file in FILES if file.part == "certificate.check"]
    roots = {each.module.split(".")[0] for each in checker.imports()}
    assert roots <= sys.stdlib_module_names


def test_requests_are_checked_with_the_standard_library_and_the_checker() -> None:
    """Where more was asked of a lesson, one more file must be trusted."""
    (asked,) = [file for file in FILES if file.part == "certificate.asked"]
    modules = {each.module for each in asked.imports()} - {"hornbook.certificate.check"}
    assert {module.split(".")[0] for module in modules} <= sys.stdlib_module_names


@pytest.mark.parametrize("library", LAZY)
def test_slow_libraries_are_imported_in_one_file_and_inside_functions(library: str) -> None:
    """So that they cost nothing until they are used, and can be replaced in one place."""
    uses = [
        (file.module, each)
        for file in FILES
        for each in file.imports()
        if each.module.split(".")[0] == library and not each.typing and file.module != ESTIMATORS
    ]
    assert len({module for module, _ in uses}) <= (2 if library in CHECKED_WITH else 1)
    assert {module for module, _ in uses} <= {HOMES.get(library, module) for module, _ in uses}
    assert [module for module, each in uses if not each.lazy] == []


def test_only_the_command_line_knows_click_and_rich() -> None:
    """The library is quiet: what it tells goes through a callback."""
    users = {f.part for f in FILES for each in f.imports() if each.module.split(".")[0] in ("click", "rich")}
    assert users <= {"cli", "__main__"}


@pytest.mark.parametrize(
    ("code", "unwanted"),
    [
        ("import hornbook", {"numpy", "click", *LAZY}),
        (
            "from hornbook.cli._entry import run\n"
            "from hornbook.cli._interrupts import Interrupts\n"
            "assert run(['teach', 'diamond:6', '--json'], interrupts=Interrupts(json=True)) == 0",
            {"highspy", "numba", "scipy.optimize"},
        ),
    ],
    ids=["import hornbook", "hornbook teach diamond:6"],
)
def test_nothing_slow_is_imported_for_nothing(code: str, unwanted: set[str]) -> None:
    """Importing costs nothing, and an easy problem is solved without any solver."""
    report = "\nimport sys; print(sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code + report], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    loaded = done.stderr.strip().splitlines()[-1]
    assert [name for name in sorted(unwanted) if f"'{name}'" in loaded] == []
