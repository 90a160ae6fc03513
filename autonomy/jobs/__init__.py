"""Jobs are files: their format, their loader, and the diary."""
