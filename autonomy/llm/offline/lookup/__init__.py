"""Looks questions of fact up in what people wrote."""
