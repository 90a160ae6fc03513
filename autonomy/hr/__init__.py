"""HR tools, which handle credentials or personal data and therefore run in the backend."""
