"""Thousands of small worlds in which a run may go wrong, and what must hold in every one of them. See docs/simulation.md."""
