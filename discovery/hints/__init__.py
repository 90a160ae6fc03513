"""Makes usage hints and catalog descriptions, and keeps tool usage statistics."""
