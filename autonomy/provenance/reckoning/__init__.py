"""Figures that follow from others: counted, added, compared, rounded, shown in the text."""
