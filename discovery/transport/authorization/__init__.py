"""OAuth of remote servers: tokens, a person's sign-in, and which sign-ins are under way."""
