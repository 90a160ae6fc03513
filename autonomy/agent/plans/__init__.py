"""Plans of a run: one that is asked for, one that comes late, and the postconditions of a goal."""
