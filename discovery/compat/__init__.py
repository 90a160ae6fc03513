"""Public names of the source documents, over the gateway."""
