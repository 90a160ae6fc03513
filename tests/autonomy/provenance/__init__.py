"""Tests of `autonomy.provenance`."""
