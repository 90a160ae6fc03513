"""Tests of `autonomy.execution`."""
