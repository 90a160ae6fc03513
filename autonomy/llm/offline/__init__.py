"""The offline planner: a model that is a program. It needs no network and no key, and plans from what a job declares or a goal says."""
