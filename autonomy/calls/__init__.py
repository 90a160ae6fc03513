"""One tool call: prepare, execute, finalize."""
