"""The names by which readers of the source documents look for discovery, thin over the gateway."""
