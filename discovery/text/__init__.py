"""Text processing for tool search: terms, token estimates, translation."""
