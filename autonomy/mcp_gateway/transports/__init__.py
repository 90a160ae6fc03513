"""The transports of the gateway: stdio and Streamable HTTP."""
