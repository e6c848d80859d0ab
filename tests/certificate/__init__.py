"""Tests of certificate/: the format, both checkers, and what no forgery may do."""
