"""Reviews provider listings: pins, definition changes and quarantine."""
