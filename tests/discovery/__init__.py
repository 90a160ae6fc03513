"""The servers files, the catalog and what the model is told of it."""
