"""OAuth for remote servers: tokens, a person's sign-in, and pending sign-ins."""
