"""One file per vendor dialect, and the HTTP transport that they share."""
