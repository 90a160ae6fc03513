"""One file for each vendor dialect, and the HTTP transport they share."""
