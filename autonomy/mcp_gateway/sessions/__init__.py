"""The sessions of clients: their tools and calls, and what belongs to a client across sessions."""
