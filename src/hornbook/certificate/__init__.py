"""Step 7 of 8: what a lesson claims, written down so that it can be checked without trusting the code that made it.

- `build.py`: from the trace of a run to a certificate.
- `check.py`: the reference checker.  One file, standard library only, readable in one sitting; the one to trust.
- `fast.py`: the same rules with numpy and python-flint, for problems with millions of differences.
- `checking.py`: one call for the library (`hornbook.check`), by the reference rules or the fast ones.

docs/certificate-v1.md is the format, the numbered rules, and the proof that they suffice.
"""
