"""Plans of a run: requested, declared late, and the postconditions of a goal."""
