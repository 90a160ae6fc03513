"""Reads phrases kept as data, and quotation marks."""
