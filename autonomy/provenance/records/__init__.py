"""Checks of sentences against the records that were read: the way of a change, what holds now, stated units, ticks."""
