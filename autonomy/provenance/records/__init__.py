"""Checks sentences against records: direction of a change, what is current, units, checklists."""
