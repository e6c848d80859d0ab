"""Names that would run, restyle or confuse a page if any of them were ever taken for anything but text."""

from __future__ import annotations

from collections.abc import Sequence

from hornbook.problem import TeachingProblem

HOSTILE = (
    "<script>window.pwned=1</script>",
    "</script><script>window.pwned=1</script>",
    "<!--<script>window.pwned=1",
    "<![CDATA[<script>window.pwned=1</script>]]>",
    "<img src=x onerror=window.pwned=1>",
    "<svg onload=window.pwned=1>",
    "<svg><script>window.pwned=1</script></svg>",
    "</title><script>window.pwned=1</script>",
    "</style><script>window.pwned=1</script>",
    "</pre><script>window.pwned=1</script>",
    "</textarea><script>window.pwned=1</script>",
    "</code></p><iframe srcdoc='<script>parent.pwned=1</script>'>",
    '"><script>window.pwned=1</script>',
    "'><script>window.pwned=1</script>",
    '" onmouseover="window.pwned=1',
    "' autofocus onfocus='window.pwned=1",
    "javascript:window.pwned=1",
    "<a href='javascript:window.pwned=1'>click</a>",
    "<base href='https://example.invalid/'>",
    "<meta http-equiv='refresh' content='0;url=https://example.invalid/'>",
    "<link rel=stylesheet href=https://example.invalid/x.css>",
    "<style>*{display:none}</style>",
    "<form action=https://example.invalid/><button>go</button></form>",
    "<object data=https://example.invalid/x></object>",
    "<embed src=https://example.invalid/x>",
    "<video><source onerror=window.pwned=1></video>",
    "<details open ontoggle=window.pwned=1>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=window.pwned=1>",
    "{{7*7}}",
    "{% for x in y %}",
    "${window.pwned=1}",
    "`${window.pwned=1}`",
    "\\u003cscript\\u003ewindow.pwned=1\\u003c/script\\u003e",
    "&lt;script&gt;window.pwned=1&lt;/script&gt;",
    "&#60;script&#62;window.pwned=1",
    "]]>*/--></script>",
    "\u2028window.pwned=1//\u2029",
    "\u202egnp.exe",
    "\x1b[31mred\x1b[0m",
    "=cmd|'/c calc'!A1",
    "__proto__",
    "constructor",
    "a" * 400,
    "line\nbreak\r\ttab",
)
"""Forty and more."""


def hostile_problem(names: Sequence[str] = HOSTILE) -> TeachingProblem:
    """Every name is a state, an action and a feature: one state per coordinate axis, so all must be shown."""
    width = len(names)
    features = [[[0] * width, [int(i == s) for i in range(width)]] for s in range(width)]
    actions = [[names[s], names[s - 1]] for s in range(width)]
    return TeachingProblem(
        features=features, target=[1] * width, state_names=names, action_names=actions, feature_names=names
    )


def hostile_space(names: Sequence[str] = HOSTILE[:6]) -> TeachingProblem:
    """Three dimensions, so that the cone, its axes and its list of states are drawn with such names."""
    features = [[[0, 0, 0], [1, 0, 0]], [[0, 0, 0], [0, 1, 0]], [[0, 0, 0], [0, 0, 1]], [[0, 0, 0], [1, 1, 1]]]
    return TeachingProblem(
        features=features,
        target=[1] * 4,
        state_names=names[:4],
        action_names=names[:2],
        feature_names=names[2:5],
    )
