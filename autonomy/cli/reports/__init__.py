"""Reports of the command line."""
