"""Completion in shells: the scripts, and what they are told."""

from __future__ import annotations

import pytest

from tests.cli.running import hornbook


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_are_printed_as_they_are(shell: str) -> None:
    """A script names the variable it sets, and no character of it is written out."""
    found = hornbook("completion", shell)
    assert found.code == 0
    assert f"_HORNBOOK_COMPLETE={shell}_complete" in found.out
    assert "\\x" not in found.out


def test_other_shells_are_refused() -> None:
    """With the list of those that are known."""
    assert hornbook("completion").err.startswith("bad input: Missing argument 'bash|zsh|fish'. Choose from: bash, zsh")
    found = hornbook("completion", "cmd")
    assert found.code == 2
    assert "'fish'" in found.err


@pytest.mark.parametrize(
    ("words", "place", "expected"),
    [
        ("hornbook te", 1, {"plain,teach", "plain,test"}),
        ("hornbook teach di", 2, {"file,di", "plain,diamond"}),
        ("hornbook make two", 2, {"plain,two_rays"}),
        ("hornbook teach two_rays --teacher gr", 4, {"plain,greedy"}),
        ("hornbook rays two_rays --finder au", 4, {"plain,auto"}),
        ("hornbook teach two_rays --cert", 3, {"plain,--certificate"}),
    ],
)
def test_what_is_completed(words: str, place: int, expected: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands, environments and files, names of teachers and finders, options."""
    monkeypatch.setenv("_HORNBOOK_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(place))
    found = hornbook()
    assert (found.code, set(found.out.split())) == (0, expected)


def test_an_unknown_shell_asks_for_completion(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 1, and nothing else happens."""
    monkeypatch.setenv("_HORNBOOK_COMPLETE", "csh_complete")
    assert hornbook() == hornbook("teach", "two_rays")
    assert hornbook().code == 1
