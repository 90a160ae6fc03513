"""A tool call on its way, the task it may become, and resources that are watched."""
