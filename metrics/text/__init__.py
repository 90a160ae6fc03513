"""Reads phrases and words from data files, and finds quotations."""
