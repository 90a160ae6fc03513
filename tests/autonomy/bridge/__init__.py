"""Tests of the bridge, by the acceptance scenarios of its specification."""
