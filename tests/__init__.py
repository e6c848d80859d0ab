"""Tests of hornbook; truth comes from closed forms and from independent exact oracles."""
