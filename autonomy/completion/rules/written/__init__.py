"""Holds what a run wrote against what its goal orders and its answer tells."""
