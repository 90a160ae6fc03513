"""Stores what a run has seen by call and path, so that values and sentences find their sources."""
