"""The language models and the offline planner."""
