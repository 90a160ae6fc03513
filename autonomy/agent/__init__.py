"""One run: the loop of a model and its tools, from setup to the result."""
