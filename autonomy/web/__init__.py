"""The dashboard: what runs, what waits for a person, how autonomous it was."""
