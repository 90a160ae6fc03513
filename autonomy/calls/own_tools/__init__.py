"""The tools of the host itself, which no server serves."""
