"""Tests of `autonomy.jobs`."""
