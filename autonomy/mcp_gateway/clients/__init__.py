"""Who the clients of the gateway are, and what each may use."""
