"""The sessions of clients: their tools and calls, and what is kept of a client over all of them."""
