"""Checks sentences against records: whose a value is, the direction of a change, what is current."""
