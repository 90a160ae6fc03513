"""The public names that readers of the source documents look for, thin over the real things."""
