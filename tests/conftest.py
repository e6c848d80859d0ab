"""Rules for every test run: fixed property tests, and no silent skipping where everything is required."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest

AT_THE_END = "printed at the end of the run"
REQUIRE_ALL = os.environ.get("HORNBOOK_REQUIRE_ALL", "") not in ("", "0")

hypothesis.settings.register_profile(
    "gate", deadline=None, derandomize=True, print_blob=True, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.register_profile("search", parent=hypothesis.settings.get_profile("gate"), derandomize=False)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "gate"))


def _required(report: Any) -> Any:
    """A skip, where everything is required, is a failure that says what was skipped and why."""
    if REQUIRE_ALL and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.outcome = "failed"
        report.longrepr = f"HORNBOOK_REQUIRE_ALL is set, and this was skipped: {reason}"
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Iterator[None]:
    return _required((yield))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Iterator[None]:
    return _required((yield))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how many tests were skipped for want of a library, so that nobody takes them for passed; then what tests have
    to show for themselves."""
    reasons = [report.longrepr[2] for report in terminalreporter.stats.get("skipped", [])]
    for reason in sorted(set(reasons)):
        terminalreporter.write_line(f"skipped {reasons.count(reason)}: {reason.removeprefix('Skipped: ')}")
    for report in (*terminalreporter.stats.get("passed", []), *terminalreporter.stats.get("failed", [])):
        for name, text in report.user_properties:
            if name == AT_THE_END and report.when == "call":
                terminalreporter.write_line(f"\n{report.nodeid}\n{text}")
