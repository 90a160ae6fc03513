"""A tool call as it goes to its server, and the task it may become."""
