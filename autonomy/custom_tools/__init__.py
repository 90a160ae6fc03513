"""Tools that run in the backend because they handle credentials or personal data."""
