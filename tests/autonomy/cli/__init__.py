"""Tests of `autonomy.cli`."""
