"""Usage hints, catalog descriptions and tool usage statistics."""
